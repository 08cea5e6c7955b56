// Functions made of other ops: which elements there are, what is among what, covariances, matrices from vectors.
#include <algorithm>

#include "ops/op.h"
#include "ops/registry.h"

namespace taut {

Tensor argwhere(const Tensor& self) {
  check_defined(self, "argwhere");
  return self.nonzero();
}

Tensor isreal(const Tensor& self) {
  check_defined(self, "isreal");
  return self.is_complex() ? imag(self) == 0 : ones_like(self, kBool);
}

namespace {
/// Comparing each with each takes memory for all pairs; where those are many, each element is looked up in a sorted
/// list.
Tensor is_among(const Tensor& elements, const Tensor& wanted) {
  constexpr int64_t kFewPairs = 1 << 16;
  const Tensor list = wanted.reshape({-1});
  if (list.numel() == 0) return zeros_like(elements, kBool);
  const ScalarType common = promote_types(elements.scalar_type(), list.scalar_type());
  const bool sorts = !is_complex(common) && common != kBool && elements.numel() > kFewPairs / list.numel();
  if (!sorts) return (elements.unsqueeze(-1) == list).any(-1);
  const Tensor sorted = std::get<0>(list.to(common).sort()), looked_up = elements.to(common).contiguous();
  const Tensor places = searchsorted(sorted, looked_up).clamp_max(list.numel() - 1);
  return sorted.index_select(0, places.reshape({-1})).reshape(elements.sizes()) == looked_up;
}
}  // namespace

static void check_isin(const Tensor& t, const char* name) {
  check_defined(t, "isin", name);
  check(!t.is_complex() && t.scalar_type() != kBool,
        "Unsupported input type encountered for isin(): ", toString(t.scalar_type()));
}
Tensor isin(const Tensor& elements, const Tensor& test_elements, bool /*assume_unique*/, bool invert) {
  check_isin(elements, "elements");
  check_isin(test_elements, "test_elements");
  const NoGradGuard whatever_the_gradient;
  const Tensor found = is_among(elements.detach(), test_elements.detach());
  return invert ? found.logical_not() : found;
}
// A number becomes one of the tensor's dtype first, as in a comparison; but not a float that is sought among floats.
Tensor isin(const Tensor& elements, const Scalar& test_element, bool /*assume_unique*/, bool invert) {
  check_isin(elements, "elements");
  check_isin(full({}, test_element, test_element.type()), "test_element");
  return invert ? elements.ne(test_element) : elements.eq(test_element);
}
Tensor isin(const Scalar& element, const Tensor& test_elements, bool /*assume_unique*/, bool invert) {
  check_isin(test_elements, "test_elements");
  check_isin(full({}, element, element.type()), "element");
  const bool floats = test_elements.is_floating_point() && element.isFloatingPoint();
  const Tensor list = floats ? test_elements.to(kDouble) : test_elements;
  return invert ? list.ne(element).all() : list.eq(element).any();
}

namespace {
void check_weights(const Tensor& weights, int64_t n, const char* name, bool right_kind, const char* kind) {
  check(weights.dim() <= 1, "cov(): expected ", name, " to have one or fewer dimensions but got ", name, " with ",
        weights.dim(), " dimensions");
  check(right_kind, "cov(): expected ", name, " to have ", kind, " dtype but got ", name, " with ",
        toString(weights.scalar_type()), " dtype");
  check(weights.numel() == n, "cov(): expected ", name,
        " to have the same numel as there are observations in the input but got ", weights.numel(), " != ", n);
  check(n == 0 || weights.is_meta() || weights.min().item<double>() >= 0, "cov(): ", name, " cannot be negative");
}
}  // namespace

Tensor cov(const Tensor& self, int64_t correction, OptionalTensor fweights, OptionalTensor aweights) {
  check_defined(self, "cov");
  check(self.dim() <= 2, "cov(): expected input to have two or fewer dimensions but got an input with ", self.dim(),
        " dimensions");
  check(self.scalar_type() != kBool, "cov(): bool dtype is not supported for input");
  const Tensor input = self.dim() < 2 ? self.reshape({1, -1}) : self;
  const int64_t n = input.size(1);
  const Tensor counts = fweights ? *fweights : Tensor(), importance = aweights ? *aweights : Tensor();
  Tensor weights;
  if (counts.defined()) {
    check_weights(counts, n, "fweights", is_integral(counts.scalar_type(), false), "integral");
    weights = counts;
  }
  if (importance.defined()) {
    check_weights(importance, n, "aweights", importance.is_floating_point(), "floating point");
    weights = weights.defined() ? weights * importance : importance;
  }
  Tensor total = weights.defined() ? weights.sum() : scalar_tensor(n, input.device());
  check(!weights.defined() || total.is_meta() || total.is_nonzero(), "cov(): weights sum to zero, can't be normalized");
  const Tensor mean = (weights.defined() ? input * weights : input).sum(1) / total;
  const Tensor centred = input - mean.unsqueeze(1);
  const Tensor freedom =
      importance.defined() ? total - correction * (weights * importance).sum() / total : total - correction;
  if (!freedom.is_meta() && freedom.item<double>() <= 0)
    warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.");
  const Tensor other = (weights.defined() ? centred * weights : centred).t();
  return (centred.mm(other.is_complex() ? other.conj() : other) / freedom.clamp_min(0)).squeeze();
}

Tensor corrcoef(const Tensor& self) {
  check_defined(self, "corrcoef");
  check(self.dim() <= 2, "corrcoef(): expected input to have two or fewer dimensions but got an input with ",
        self.dim(), " dimensions");
  const Tensor c = cov(self, 1, std::nullopt, std::nullopt);
  if (c.dim() == 0) return c / c;  // 1, but for what has no variance
  const Tensor spread = (c.is_complex() ? real(c) : c).diag().sqrt();
  const Tensor r = c / spread.unsqueeze(1) / spread;
  return r.is_complex() ? complex(real(r).clamp(-1, 1), imag(r).clamp(-1, 1)) : r.clamp(-1, 1);
}

Tensor vander(const Tensor& x, std::optional<int64_t> N, bool increasing) {
  check_defined(x, "vander", "x");
  check(x.dim() == 1, "x must be a one-dimensional tensor.");
  const int64_t n = N.value_or(x.size(0));
  check(n >= 0, "N must be non-negative.");
  const Tensor wide = is_integral(x.scalar_type(), true) ? x.to(kLong) : x;
  Tensor powers = wide.new_ones({x.size(0), std::min<int64_t>(n, 1)});
  if (n > 1) powers = cat({powers, wide.unsqueeze(1).expand({x.size(0), n - 1}).cumprod(1)}, 1);
  return increasing ? powers : powers.flip(1);
}

Tensor diagflat(const Tensor& self, int64_t offset) {
  check_defined(self, "diagflat");
  return self.contiguous().view(-1).diag(offset);
}

Tensor column_stack(TensorList tensors) {
  check(!tensors.empty(), "column_stack expects a non-empty TensorList");
  std::vector<Tensor> columns;
  for (const Tensor& t : tensors) {
    check_defined(t, "column_stack");
    columns.push_back(t.dim() <= 1 ? t.reshape({t.numel(), 1}) : t);
  }
  return hstack(columns);
}

namespace {
/// How many ways there are to choose r of n; if there is no memory for a list of them, an error before one is begun.
int64_t ways_to_choose(int64_t r, int64_t n) {
  constexpr int64_t kTooMany = int64_t{1} << 62;
  int64_t ways = 1;
  for (int64_t i = 0; i < std::min(r, n - r); ++i) {
    ways = ways > kTooMany / (n - i) ? kTooMany : ways * (n - i) / (i + 1);
    empty({ways, r}, kLong);
  }
  return ways;
}
/// The combinations of r of the numbers below n, in the order of a dictionary; each number once, or as often as it
/// will.
void write_combinations(int64_t* out, int64_t count, int64_t r, int64_t n, bool repeats) {
  std::vector<int64_t> chosen(static_cast<size_t>(r));
  for (int64_t i = 0; i < r; ++i) chosen[static_cast<size_t>(i)] = repeats ? 0 : i;
  for (int64_t k = 0; k < count; ++k) {
    out = std::copy(chosen.begin(), chosen.end(), out);
    // The last place that can go up does; those behind it begin anew.
    int64_t at = r - 1;
    while (at >= 0 && chosen[static_cast<size_t>(at)] == n - 1 - (repeats ? 0 : r - 1 - at)) --at;
    if (at < 0) return;
    const int64_t next = chosen[static_cast<size_t>(at)] + 1;
    for (int64_t i = at; i < r; ++i) chosen[static_cast<size_t>(i)] = repeats ? next : next + i - at;
  }
}
}  // namespace

Tensor combinations(const Tensor& self, int64_t r, bool with_replacement) {
  check_defined(self, "combinations");
  check(self.dim() == 1, "Expect a 1D vector, but got shape ", self.sizes());
  check(r >= 0, "Expect a non-negative number, but got ", r);
  if (r == 0) return self.new_empty({0});
  const int64_t n = self.size(0), from = with_replacement && n > 0 ? n + r - 1 : n;
  const int64_t count = r > from ? 0 : ways_to_choose(r, from);
  Tensor places = empty({count, r}, self.options().dtype(kLong).requires_grad(false));
  if (!places.is_meta()) write_combinations(places.data_ptr<int64_t>(), count, r, n, with_replacement);
  return self.index_select(0, places.view(-1)).view({count, r});
}

Tensor sum_to_size(const Tensor& self, IntArrayRef size) {
  check_defined(self, "sum_to_size");
  const int64_t extra = self.dim() - static_cast<int64_t>(size.size());
  bool fits = extra >= 0;
  Dims kept, gone;
  for (int64_t d = 0; fits && d < self.dim(); ++d) {
    const int64_t wanted = d < extra ? 1 : size[static_cast<size_t>(d - extra)];
    fits = wanted == 1 || wanted == self.size(d);
    if (d < extra) gone.push_back(d);
    else if (wanted != self.size(d)) kept.push_back(d);
  }
  check(fits, "size {", size, "} is not expandable to size {", self.sizes(), "}.");
  const Tensor part = kept.empty() ? self : self.sum(kept, /*keepdim=*/true);
  return gone.empty() ? part : part.sum(gone);
}

extern const OpEntry composites_ops[];
extern const size_t composites_ops_count;
const OpEntry composites_ops[] = {
    doc("The indices of the elements that are not zero, one row for each.",
        op<argwhere>("argwhere(Tensor self) -> Tensor",
                     "c([[0, 1], [2, 0]])\nb(2, 3)\nc([0.0, 0.5])\nt()\nt(0, 3)\nc(0)")),
    doc("True where the imaginary part is zero.",
        op<isreal>("isreal(Tensor self) -> Tensor", "t(2, 3)\nz(2, 3)\ni(0, 5, 3)\nb(2)\nt()\nt(0)")),
    doc("True where an element is among the test elements.",
        out_same(
            op("isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, "
               "bool invert=False) -> Tensor",
               "i(0, 5, 3, 4), i(0, 5, 3)\ni(0, 5, 3), i(0, 5, 2, 2), invert=True\nc([1.0, nan, 2.5]), c([2.5, nan])\n"
               "i(0, 5, 3), c([1.0, 1.5])\ni(0, 5, 0, 3), i(0, 5, 2)\ni(0, 5, 3), i(0, 5, 0)\nc(2), c([1, 2]), "
               "assume_unique=True\ni(0, 900, 30, 50), i(0, 900, 60)\nt(40, 40), t(50)\nb(2), b(2)",
               [](const Tensor& a, const Tensor& b, bool unique, bool invert) { return isin(a, b, unique, invert); }))),
    out_same(op("isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool "
                "invert=False) -> Tensor",
                "i(0, 5, 3, 4), 2\ni(0, 5, 3), 1.5\nc([1.0, 2.5]), 2.5, invert=True",
                [](const Tensor& a, const Scalar& b, bool unique, bool invert) { return isin(a, b, unique, invert); })),
    out_same(op("isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool "
                "invert=False) -> Tensor",
                "2, i(0, 5, 3, 4)\n1.5, i(0, 5, 3)\n2.5, c([1.0, 2.5]), invert=True",
                [](const Scalar& a, const Tensor& b, bool unique, bool invert) { return isin(a, b, unique, invert); })),
    doc("The covariance matrix of variables that are rows; how often each column counts, and how much.",
        op<cov>(
            "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor",
            "t(3, 5)\nt(5)\nt()\nt(3, 5), correction=0\nt(3, 5), correction=7\nt(3, 4), fweights=c([1, 2, 0, 3])\n"
            "t(3, 4), aweights=c([0.5, 2.0, 0.25, 3.0])\nt(3, 4), fweights=c([1, 2, 0, 3]), aweights=c([0.5, 2.0, "
            "0.25, "
            "3.0])\ni(0, 9, 3, 4)\nz(3, 5)\nt(2, 2, 2)\nb(2, 3)\nt(3, 4), fweights=c([1.0, 2.0, 0.0, 3.0])\nt(3, 4), "
            "fweights=c([1, -2, 0, 3])\nt(3, 4), fweights=c([1, 2])\nt(3, 2), aweights=c([0.0, 0.0])")),
    doc("The correlation coefficients of variables that are rows.",
        op<corrcoef>("corrcoef(Tensor self) -> Tensor", "t(3, 5)\nt(5)\nt()\ni(0, 9, 3, 4)\nz(3, 5)\nt(2, 2, 2)")),
    doc("The powers of the elements of a vector, one row for each; from the highest to 0, or the other way round.",
        op<vander>(
            "vander(Tensor x, int? N=None, bool increasing=False) -> Tensor",
            "t(4)\nt(4), 2\nt(3), 5, True\nt(3), 1\nt(3), 0\nt(3), -1\ni(-3, 5, 4)\nb(3)\nz(3), 4\nt(0)\nt(2, 2)")),
    doc("A matrix with these elements on a diagonal, and zeros beside it.",
        op<diagflat>("diagflat(Tensor self, int offset=0) -> Tensor",
                     "t(3)\nt(2, 2)\nt(3), 1\nt(3), -2\nt()\nt(0)\ni(0, 5, 3)\nz(2)")),
    doc("Tensors side by side; those of one dimension become columns.",
        out_casts(out_apart(
            op<column_stack>("column_stack(Tensor[] tensors) -> Tensor",
                             "[t(3), t(3, 2), t(3)]\n[t(), t()]\n[t(2, 1, 2), t(2, 3, 2)]\n[t(2), t(3)]\n[]")))),
    doc("All combinations of r elements of a vector.",
        function(op<combinations>(
            "combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor",
            "t(4)\nt(4), 3\nt(3), 2, True\nt(3), 3, True\nt(3), 4\nt(3), 0\nt(0)\nt(0), 2, True\nt(2, 2)\n"
            "t(3), -1\ni(0, 9, 5), 5"))),
    doc("The sum over the dimensions that were broadcast from this size.",
        method(op<sum_to_size>(
            "sum_to_size(Tensor self, int[] size) -> Tensor",
            "t(2, 3), [3]\nt(2, 3), [1, 3]\nt(2, 3), [2, 1]\nt(2, 3), [1]\nt(2, 3), [2, 3]\nt(4, 2, 3), [2, 1]\n"
            "t(2, 3), []\nt(2, 3), [4]\nt(3), [2, 3]\nz(2, 3), [3]"))),
};
const size_t composites_ops_count = std::size(composites_ops);

}  // namespace taut
