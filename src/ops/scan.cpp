// Running sums, products and extremes along a dimension.
#include "kernels/scan.h"

#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/registry.h"

namespace taut {

namespace {

ScalarType scan_dtype(const Tensor& x, std::optional<ScalarType> dtype) {
  return dtype ? *dtype : is_integral(x.scalar_type(), true) ? kLong : x.scalar_type();
}

struct Cumsum {
  static constexpr bool complex = true;
  static constexpr const char* name = "cumsum";
  static constexpr const char* node = "CumsumBackward0";
  static constexpr bool linear = true;
  int64_t dim;
  ScalarType dtype;
  bool from_end = false;
  Cumsum moved(int64_t) const { return {dim + 1, dtype, from_end}; }
  Tensor forward(const Tensor& x) const {
    if (x.is_complex() && x.dim() > 0)
      return from_parts(Cumsum{dim, value_type(dtype), from_end}.forward(parts_of(x, Parts::Last)), Parts::Last);
    Tensor y = make(x.sizes(), dtype, name);
    if (x.dim() == 0) return y.copy_(x);
    kernels::cumsum(view_of(y), view_of(x), static_cast<int>(dim), from_end);
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(Cumsum{dim, g.scalar_type(), !from_end}, g); }
};

struct Cumprod {
  static constexpr const char* name = "cumprod";
  static constexpr const char* node = "CumprodBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  int64_t dim;
  ScalarType dtype;
  Cumprod moved(int64_t) const { return {dim + 1, dtype}; }
  Tensor forward(const Tensor& x) const {
    Tensor y = make(x.sizes(), dtype, name);
    if (x.dim() == 0) return y.copy_(x);
    kernels::cumprod(view_of(y), view_of(x), static_cast<int>(dim));
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0), y = s.result();
    if (x.dim() == 0) return g;
    if (x.numel() == 0) return zeros(x.sizes(), x.scalar_type());
    const bool zero = thread_state.batched || [&] {
      RawScope raw;
      return !dry && x.eq(0).any().item<bool>();
    }();
    if (!zero) return apply(Cumsum{dim, g.scalar_type(), true}, g * y) / x;
    // With zeros there is nothing to divide by: leave out one factor at a time.
    const int64_t n = x.size(dim);
    std::vector<Tensor> parts;
    for (int64_t k = 0; k < n; ++k) {
      const Tensor one = ones_like(x.narrow(dim, k, 1));
      const Tensor rest = cat({x.narrow(dim, 0, k), one, x.narrow(dim, k + 1, n - k - 1)}, dim).cumprod(dim);
      parts.push_back((g * rest).narrow(dim, k, n - k).sum(dim, true));
    }
    return cat(parts, dim);
  }
};

struct Logcumsumexp {
  static constexpr const char* name = "logcumsumexp";
  static constexpr const char* node = "LogcumsumexpBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  int64_t dim;
  Logcumsumexp moved(int64_t) const { return {dim + 1}; }
  Tensor forward(const Tensor& x) const {
    Tensor y = make(x.sizes(), x.scalar_type(), name);
    if (x.dim() == 0) return y.copy_(x);
    kernels::logcumsumexp(view_of(y), view_of(x), static_cast<int>(dim));
    return y;
  }
  /// Positive and negative gradients apart, each summed as logarithms, so that nothing overflows.
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0), y = s.result();
    if (x.dim() == 0 || x.numel() == 0) return g;
    const Tensor low = full({}, -std::numeric_limits<double>::infinity(), g.scalar_type());
    if (must_record()) {
      // Linear in g, as derivatives of this need it: exp(x_k - y_j) for k <= j, which is at most 1.
      const Tensor rows = x.movedim(dim, -1).unsqueeze(-1), columns = y.movedim(dim, -1).unsqueeze(-2);
      const int64_t n = x.size(dim);
      const Tensor after = ones({n, n}, kBool).tril(-1);
      const Tensor weights = where(after, low, rows - columns).exp();
      return (weights * g.movedim(dim, -1).unsqueeze(-2)).sum(-1).movedim(-1, dim);
    }
    const Tensor one = full({}, 1, g.scalar_type());
    const auto part = [&](const Tensor& sign) {
      const Tensor size = where(sign, where(sign, g.abs(), one).log(), low);
      return ((size - y).flip(dim).logcumsumexp(dim).flip(dim) + x).exp();
    };
    const Tensor positive = g > 0, negative = g < 0;
    return part(positive) - part(negative);
  }
};

/// One number after the other: what has the larger real part plus log1p of the rest, whose angle never leaves (-pi/2,
/// pi/2).
Tensor complex_logcumsumexp(const Tensor& x, int64_t dim) {
  if (x.dim() == 0 || x.numel() == 0) return x.clone();
  std::vector<Tensor> sums{x.narrow(dim, 0, 1)};
  for (int64_t k = 1; k < x.size(dim); ++k) {
    const Tensor &sum = sums.back(), next = x.narrow(dim, k, 1), a = real(sum.detach()), b = real(next.detach());
    const Tensor keep = b < a, nothing = isneginf(a) & isneginf(b);
    const Tensor large = where(keep, sum, next),
                 rest = where(nothing, zeros({}, x.options()), where(keep, next, sum) - large);
    sums.push_back(where(nothing, next, large + log1p(exp(rest))));
  }
  return cat(sums, dim);
}

struct CumExtreme {
  static constexpr const char* name = "cummax";
  static constexpr unsigned reads[] = {kResult(1)};
  int64_t dim;
  bool largest;
  const char* op_name() const { return largest ? "cummax" : "cummin"; }
  const char* node_name() const { return largest ? "CummaxBackward0" : "CumminBackward0"; }
  CumExtreme moved(int64_t) const { return {dim + 1, largest}; }
  std::array<Tensor, 2> forward(const Tensor& x) const {
    Tensor values = make(x.sizes(), x.scalar_type(), name), indices = make(x.sizes(), kLong, name);
    if (x.dim() == 0) return {values.copy_(x), indices.zero_()};
    (largest ? kernels::cummax : kernels::cummin)(view_of(values), view_of(indices), view_of(x), static_cast<int>(dim));
    return {values, indices};
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    if (g.dim() == 0 || g.numel() == 0) return g;
    return zeros_for(s.sizes(0), g.scalar_type(), g, s.result(1)).scatter_add_(dim, s.result(1), g);
  }
};

}  // namespace

Tensor cumsum(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  check_defined(self, "cumsum");
  check_whole_result(self, dtype, "cumsum");
  return apply(Cumsum{wrap_dim(dim, self.dim(), "cumsum"), scan_dtype(self, dtype)},
               dtype ? self.to(*dtype) : as_signed(self));
}
Tensor cumprod(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  check_defined(self, "cumprod");
  check_whole_result(self, dtype, "cumprod");
  if (is_complex(dtype.value_or(self.scalar_type()))) {
    Tensor x = self.to(dtype.value_or(self.scalar_type())).clone();
    if (x.dim() == 0) return x;
    const int64_t d = wrap_dim(dim, x.dim(), "cumprod"), n = x.size(d);
    for (int64_t step = 1; step < n; step *= 2)  // products of twice as many each time
      x = cat({x.narrow(d, 0, step), x.narrow(d, step, n - step) * x.narrow(d, 0, n - step)}, d);
    return x;
  }
  return apply(Cumprod{wrap_dim(dim, self.dim(), "cumprod"), scan_dtype(self, dtype)},
               dtype ? self.to(*dtype) : as_signed(self));
}
Tensor& cumsum_(Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return in_place("cumsum_", self, [&](const Tensor& x) { return cumsum(x, dim, dtype ? dtype : x.scalar_type()); });
}
Tensor& cumprod_(Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return in_place("cumprod_", self, [&](const Tensor& x) { return cumprod(x, dim, dtype ? dtype : x.scalar_type()); });
}
Tensor logcumsumexp(const Tensor& self, int64_t dim) {
  check_defined(self, "logcumsumexp");
  if (self.is_complex()) return complex_logcumsumexp(self, wrap_dim(dim, self.dim(), "logcumsumexp"));
  check<TypeError>(self.is_floating_point(), "logcumsumexp: not implemented for '", self.scalar_type(),
                   "'. Convert first: x.to(taut::kFloat).");
  return apply(Logcumsumexp{wrap_dim(dim, self.dim(), "logcumsumexp")}, self);
}
std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim) {
  check_defined(self, "cummax");
  auto [values, indices] = apply(CumExtreme{wrap_dim(dim, self.dim(), "cummax"), true}, self);
  return {values, indices};
}
std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim) {
  check_defined(self, "cummin");
  auto [values, indices] = apply(CumExtreme{wrap_dim(dim, self.dim(), "cummin"), false}, self);
  return {values, indices};
}

Tensor diff(const Tensor& self, int64_t n, int64_t dim, OptionalTensor prepend, OptionalTensor append) {
  check_defined(self, "diff");
  check(self.dim() >= 1, "diff expects input to be at least one-dimensional");
  check(n >= 0, "diff: order must be non-negative but got ", n);
  const int64_t d = wrap_dim(dim, self.dim(), "diff");
  if (n == 0) return self.clone();
  std::vector<Tensor> parts;
  if (prepend) parts.push_back(*prepend);
  parts.push_back(self);
  if (append) parts.push_back(*append);
  Tensor x = parts.size() == 1 ? self : cat(parts, d);
  for (; n > 0 && x.size(d) > 0; --n) {
    const int64_t rest = x.size(d) - 1;
    const Tensor high = x.narrow(d, 1, rest), low = x.narrow(d, 0, rest);
    x = x.scalar_type() == kBool ? high.logical_xor(low) : high - low;
  }
  return x;
}

extern const OpEntry scan_ops[];
extern const size_t scan_ops_count;
const OpEntry scan_ops[] = {
    doc("The sums of all elements up to each along dim.",
        out_casts(
            op<cumsum, cumsum_>("cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
                                "z(2, 3), 1\nt(2, 3), 1\nt(2, 3), 0\nt(), 0\nt(0, 3), 1\ni(0, 9, 5), 0\nb(2, 3), -1"))),
    doc("The products of all elements up to each along dim.",
        out_casts(op<cumprod, cumprod_>("cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
                                        "z(2, 5), 1\nt(2, 3), 1\nt(2, 3), 0\nt(), 0\nt(0, 3), 1\nc([[1.5, 0.0, 2.0, "
                                        "0.0, 3.0]]), 1\nc([0.0, 2.0]), 0\ni(1, "
                                        "4, 5), 0"))),
    doc("The logarithms of the sums of exponentials up to each element along dim.",
        op<logcumsumexp>("logcumsumexp(Tensor self, int dim) -> Tensor",
                         "z(2, 3), 1\nt(2, 3), 1\nt(2, 3), 0\nt(), 0\nt(0, 3), 1")),
    doc("The largest element up to each along dim, and where it stands.",
        op<cummax>("cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
                   "t(2, 3), 1\nt(5, 3), 0\nt(), 0\nt(0, 3), 1\nc([1.0, 3.0, 3.0, 2.0]), 0\ni(0, 4, 6), 0")),
    doc("The smallest element up to each along dim, and where it stands.",
        op<cummin>("cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
                   "t(2, 3), 1\nt(5, 3), 0\nt(), 0\nt(0, 3), 1\nc([3.0, 1.0, 1.0, 2.0]), 0\ni(0, 4, 6), 0")),
    doc("The differences of neighbours along dim, n times.",
        out_casts(
            op<diff>("diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
                     "z(4)\nt(4)\nt(2, 5), 2\nt(3, 2), 1, 0\nt(2, 3), 1, 1, t(2, 1), t(2, 2)\nb(5)\nt(1), 3"))),
};
const size_t scan_ops_count = std::size(scan_ops);

}  // namespace taut
