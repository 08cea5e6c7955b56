// Norms, powers, exponentials and products of matrices; tensors as matrices; vectors.
#include <cmath>
#include <limits>

#include "ops/autocast.h"
#include "ops/matrix.h"
#include "ops/registry.h"

namespace taut {

Tensor linalg_svdvals(const Tensor& A, std::optional<std::string_view> driver);
Tensor matrix_exp(const Tensor& self);

namespace {

void check_floats(const Tensor& x, const char* op) {
  check(x.is_floating_point() || x.is_complex(), op, ": Expected a floating point or complex tensor as input. Got ",
        toString(x.scalar_type()));
}
/// May norms of x be computed in this dtype?
void check_norm_dtype(const Tensor& x, std::optional<ScalarType> dtype, const char* op) {
  if (!dtype) return;
  const ScalarType from = x.scalar_type();
  check(is_differentiable(*dtype), op, ": dtype should be floating point or complex, but got ", toString(*dtype));
  check(is_complex(from) == is_complex(*dtype), op, ": dtype should be ", is_complex(from) ? "complex" : "real",
        " for ", is_complex(from) ? "complex" : "real", " inputs, but got ", toString(*dtype));
  check(promote_types(from, *dtype) == *dtype, op, ": the dtype of the input (", toString(from),
        ") should be convertible without narrowing to the specified dtype (", toString(*dtype), ")");
}
/// All dimensions if none are named.
Dims dims_or_all(const Tensor& x, OptionalIntArrayRef dim) {
  Dims dims;
  if (dim && !(dim->empty())) return Dims(*dim);
  for (int64_t d = 0; d < x.dim(); ++d) dims.push_back(d);
  return dims;
}
/// The two dimensions of a matrix norm.
struct Plane {
  int64_t rows, columns;
};
Plane plane_of(const Tensor& a, IntArrayRef dim) {
  constexpr const char* op = "linalg.matrix_norm";
  check_defined(a, op, "A");
  check_floats(a, op);
  check(a.dim() >= 2, op, ": The input tensor A must have at least 2 dimensions.");
  std::string list;
  for (const int64_t d : dim) list += (list.empty() ? "" : " ") + std::to_string(d);
  check(dim.size() == 2, op, ": dim must be a 2-tuple. Got ", list);
  const Plane p{wrap_dim(dim[0], a.dim(), op), wrap_dim(dim[1], a.dim(), op)};
  check(p.rows != p.columns, op, ": dims must be different. Got (", dim[0], ", ", dim[1], ")");
  return p;
}
/// With or without the two dimensions, as keepdim says; `y` has lost them.
Tensor with_plane(const Tensor& y, Plane p, bool keepdim) {
  if (!keepdim) return y;
  const int64_t first = std::min(p.rows, p.columns), second = std::max(p.rows, p.columns);
  return y.unsqueeze(first).unsqueeze(second);
}
Tensor singular_values_in(const Tensor& a, Plane p) {
  return linalg_svdvals(a.movedim({p.rows, p.columns}, {-2, -1}), std::nullopt);
}

/// Of norms, which are 0 where there are none.
Tensor largest(const Tensor& x, int64_t dim, bool keepdim) {
  return x.size(dim) == 0 ? x.sum(dim, keepdim) : x.amax(dim, keepdim);
}

/// exp by its Taylor series, for matrices of 1-norm up to 1; larger ones are halved until they are, and the result
/// squared as often.
struct MatrixExp {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.matrix_exp";
  static constexpr const char* node = "LinalgMatrixExpBackward0";
  static constexpr unsigned reads[] = {kInput(0)};
  static constexpr int kDegree = 18, kStep = 3;  // 1 / 19! is beyond the digits of a double

  static constexpr bool leading = true;
  Tensor forward(const Tensor& a) const {
    const int64_t n = a.size(-1);
    if (a.numel() == 0) return make(a.sizes(), a.scalar_type(), name);
    const Tensor sizes = a.abs().sum(-2).amax(-1).to(kDouble).contiguous();
    Tensor factors = make(sizes.sizes(), kDouble, name), halvings = make(sizes.sizes(), kLong, name);
    int64_t most = 0;
    for (int64_t k = 0; k < sizes.numel() && !dry; ++k) {
      int exponent = 0;
      const double size = sizes.data_ptr<double>()[k];
      if (std::isfinite(size) && size > 1) std::frexp(size, &exponent);
      halvings.data_ptr<int64_t>()[k] = exponent;
      factors.data_ptr<double>()[k] = std::ldexp(1, -exponent);
      most = std::max<int64_t>(most, exponent);
    }
    const Tensor x = a * factors.to(a.scalar_type()).unsqueeze(-1).unsqueeze(-1), unit = unit_like(a, n);
    const Tensor x2 = x.matmul(x), x3 = x2.matmul(x);
    double inverse = 1;  // of the factorial
    std::vector<double> c{1};
    for (int k = 1; k <= kDegree; ++k) c.push_back(inverse /= k);
    const auto coefficient = [&](int k) { return c[static_cast<size_t>(k)]; };
    Tensor y = unit * coefficient(kDegree);
    for (int k = kDegree - kStep; k >= 0; k -= kStep)
      y = y.matmul(x3) + x2 * coefficient(k + 2) + x * coefficient(k + 1) + unit * coefficient(k);
    const Tensor left = halvings.unsqueeze(-1).unsqueeze(-1);
    for (int64_t k = 0; k < most; ++k) y = where(left > k, y.matmul(y), y);
    return y;
  }
  /// The corner of exp [a' g; 0 a'], where a' is the adjoint.
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor at = s.input(0).mH();
    const int64_t n = at.size(-1);
    const Tensor top = cat({at, g}, -1), bottom = cat({zeros_like(at), at}, -1);
    return matrix_exp(cat({top, bottom}, -2)).narrow(-2, 0, n).narrow(-1, n, n);
  }
};

/// The product of the matrices first..last in the order that takes the fewest multiplications.
struct Chain {
  std::vector<Tensor> list;
  std::vector<std::vector<size_t>> split;
  explicit Chain(std::vector<Tensor> tensors) : list(std::move(tensors)) {
    const size_t n = list.size();
    std::vector<std::vector<double>> cost(n, std::vector<double>(n));
    split.assign(n, std::vector<size_t>(n));
    const auto rows = [&](size_t i) { return static_cast<double>(list[i].size(0)); };
    for (size_t length = 2; length <= n; ++length)
      for (size_t i = 0; i + length <= n; ++i) {
        const size_t j = i + length - 1;
        cost[i][j] = std::numeric_limits<double>::infinity();
        for (size_t k = i; k < j; ++k) {
          const double found =
              cost[i][k] + cost[k + 1][j] + rows(i) * rows(k + 1) * static_cast<double>(list[j].size(1));
          if (found < cost[i][j]) cost[i][j] = found, split[i][j] = k;
        }
      }
  }
  Tensor product(size_t i, size_t j) const {
    return i == j ? list[i] : product(i, split[i][j]).matmul(product(split[i][j] + 1, j));
  }
};

}  // namespace

// ---- norms

Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  check_defined(self, "linalg.vector_norm", "x");
  check_floats(self, "linalg.vector_norm");
  check_norm_dtype(self, dtype, "linalg.vector_norm");
  return norm(dtype ? self.to(*dtype) : self, ord, dims_or_all(self, dim), keepdim);
}
Tensor linalg_matrix_norm(const Tensor& self, const Scalar& ord, IntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  const double order = ord.toDouble(), size = std::abs(order);
  check(size == 1 || size == 2 || std::isinf(order), "linalg.matrix_norm: Order ", ord, " not supported.");
  const Plane p = plane_of(self, dim);
  check_norm_dtype(self, dtype, "linalg.matrix_norm");
  const Tensor a = dtype ? self.to(*dtype) : self;
  if (size == 2) {
    const Tensor s = singular_values_in(a, p);
    return with_plane(order > 0 ? largest(s, -1, false) : s.amin(-1), p, keepdim);
  }
  const int64_t inner = size == 1 ? p.rows : p.columns, outer = size == 1 ? p.columns : p.rows;
  const Tensor sums = norm(a, 1, {inner}, true);
  const Tensor found = order > 0 ? largest(sums, outer, true) : sums.amin(outer, true);
  return keepdim ? found : own_result(found.squeeze({p.rows, p.columns}), self);
}
Tensor linalg_matrix_norm(const Tensor& self, std::string_view ord, IntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  check(ord == "fro" || ord == "nuc", "linalg.matrix_norm: Order ", ord, " not supported.");
  const Plane p = plane_of(self, dim);
  check_norm_dtype(self, dtype, "linalg.matrix_norm");
  const Tensor a = dtype ? self.to(*dtype) : self;
  if (ord == "nuc") return with_plane(singular_values_in(a, p).sum(-1), p, keepdim);
  return norm(a, 2, {p.rows, p.columns}, keepdim);
}
static Tensor nuclear_norm_along(const Tensor& self, IntArrayRef dim, bool keepdim) {
  check_defined(self, "nuclear_norm");
  check(dim.size() == 2, "nuclear_norm requires a 'dim' argument of size 2");
  return linalg_matrix_norm(self, "nuc", dim, keepdim, std::nullopt);
}
Tensor nuclear_norm(const Tensor& self, bool keepdim) {
  check_defined(self, "nuclear_norm");
  return nuclear_norm_along(self, {-2, -1}, keepdim);
}
Tensor nuclear_norm(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return nuclear_norm_along(self, dim, keepdim);
}
Tensor frobenius_norm(const Tensor& self, IntArrayRef dim, bool keepdim) {
  check_defined(self, "frobenius_norm");
  check(dim.size() <= 2, "Expected at most 2 dimensions, but got ", dim.size(), " dimensions instead.");
  return norm(self, 2, dims_or_all(self, dim), keepdim);
}
static void check_norm_dims(const Tensor& self, bool has_order, OptionalIntArrayRef dim) {
  check_defined(self, "linalg.norm", "A");
  if (dim)
    check(dim->size() == 1 || dim->size() == 2, "linalg.norm: If dim is specified, it must be of length 1 or 2. Got [",
          *dim, "]");
  else if (has_order)
    check(self.dim() == 1 || self.dim() == 2,
          "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", self.dim(), "D.");
}
Tensor linalg_norm(const Tensor& self, const std::optional<Scalar>& ord, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> dtype) {
  check_norm_dims(self, ord.has_value(), dim);
  if (ord && (dim ? dim->size() == 2 : self.dim() == 2))
    return linalg_matrix_norm(self, *ord, dim ? Dims(*dim) : Dims({0, 1}), keepdim, dtype);
  return linalg_vector_norm(self, ord.value_or(2), dim, keepdim, dtype);
}
Tensor linalg_norm(const Tensor& self, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> dtype) {
  check_norm_dims(self, true, dim);
  return linalg_matrix_norm(self, ord, dim ? Dims(*dim) : Dims({-2, -1}), keepdim, dtype);
}
/// The norm of a matrix times that of its inverse; infinite if there is none.
template <class Order>
static Tensor condition(const Tensor& a, const Order& p, const std::string& shown) {
  check(a.dim() >= 2, "linalg.cond(ord=", shown, "): The input tensor A must have at least 2 dimensions.");
  check(a.size(-1) == a.size(-2), "linalg.cond(ord=", shown, "): A must be batches of square matrices, but they are ",
        a.size(-2), " by ", a.size(-1), " matrices");
  const ScalarType real = value_type(a.scalar_type());
  if (a.numel() == 0) return zeros(batch_of(a), real);
  const auto [inverse, info] = linalg_inv_ex(a, false);
  const Tensor safe = inverse.masked_fill((info != 0).unsqueeze(-1).unsqueeze(-1), 0);
  const Tensor found = linalg_matrix_norm(a, p, {-2, -1}, false, std::nullopt) *
                       linalg_matrix_norm(safe, p, {-2, -1}, false, std::nullopt);
  return where(info == 0, found, full({}, std::numeric_limits<double>::infinity(), real));
}
Tensor linalg_cond(const Tensor& self, const std::optional<Scalar>& p) {
  AUTOCAST(linalg_cond, as_wide(self), p);
  check_defined(self, "linalg.cond");
  check(self.dim() >= 2, "linalg.cond: The input tensor must have at least 2 dimensions.");
  const double order = p ? p->toDouble() : 2, size = std::abs(order);
  check(size == 1 || size == 2 || std::isinf(order), "linalg.cond got an invalid norm type: ", p.value_or(2));
  if (size != 2) return condition(self, *p, str(*p));
  const Tensor s = linalg_svdvals(self, std::nullopt);
  if (self.numel() == 0) return zeros(batch_of(self), s.scalar_type());
  const Tensor large = s.select(-1, 0), small = s.select(-1, -1);
  return order > 0 ? large / small : small / large;
}
Tensor linalg_cond(const Tensor& self, std::string_view p) {
  AUTOCAST(linalg_cond, as_wide(self), p);
  check_defined(self, "linalg.cond");
  check(p == "fro" || p == "nuc", "linalg.cond got an invalid norm type: ", p);
  return condition(self, p, std::string(p));
}

// ---- powers and exponentials

Tensor linalg_matrix_power(const Tensor& self, int64_t n) {
  const AsDry as(self);
  constexpr const char* op = "linalg.matrix_power";
  check_defined(self, op, "A");
  check(self.dim() >= 2, op, ": The input tensor A must have at least 2 dimensions.");
  check(self.size(-1) == self.size(-2), op, ": A must be batches of square matrices, but they are ", self.size(-2),
        " by ", self.size(-1), " matrices");
  if (n == 0)
    return apply(Overwritten{"LinalgMatrixPowerBackward0"},
                 eye(self.size(-1), self.scalar_type()).expand(self.sizes()).clone(), self);
  const Tensor base = n < 0 ? linalg_inv(self) : self;
  auto left = n < 0 ? -static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  if (left == 1) return n < 0 ? base : base.clone();
  if (left == 3) return base.matmul(base).matmul(base);
  Tensor result, square = base;
  for (; left > 0; left /= 2) {
    if (left % 2) result = result.defined() ? result.matmul(square) : square;
    if (left > 1) square = square.matmul(square);
  }
  return result;
}
Tensor matrix_power(const Tensor& self, int64_t n) { return linalg_matrix_power(self, n); }
Tensor linalg_matrix_exp(const Tensor& self) {
  check_defined(self, "linalg.matrix_exp", "A");
  if (wide_type(self.scalar_type()) != self.scalar_type())
    return linalg_matrix_exp(self.to(kFloat)).to(self.scalar_type());
  check_square(self, "linalg.matrix_exp");
  return apply(MatrixExp{}, self);
}
Tensor matrix_exp(const Tensor& self) { return linalg_matrix_exp(self); }

// ---- products

Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return matmul(self, other); }
Tensor linalg_multi_dot(TensorList tensors) {
  const size_t n = tensors.size();
  check(n >= 2, "multi_dot(): expected at least 2 tensors but got ", n);
  std::vector<Tensor> list(tensors.begin(), tensors.end());
  for (size_t i = 0; i < n; ++i) check_defined(list[i], "multi_dot", "tensors");
  for (size_t i = 0; i < n; ++i) {
    const bool end = i == 0 || i + 1 == n;
    check(list[i].dim() == 2 || (end && list[i].dim() == 1), "multi_dot(): ",
          i == 0       ? std::string("the first tensor must be 1D or 2D")
          : i + 1 == n ? std::string("the last tensor must be 1D or 2D")
                       : str("tensor ", i, " must be 2D"),
          " but got ", list[i].dim(), "D");
  }
  const bool row = list[0].dim() == 1, column = list.back().dim() == 1;
  if (row) list[0] = list[0].unsqueeze(0);
  if (column) list.back() = list.back().unsqueeze(1);
  for (size_t i = 0; i + 1 < n; ++i) {
    check(list[i].scalar_type() == list[i + 1].scalar_type(),
          "multi_dot(): all tensors must have be the same dtype but tensor ", 0, " is ",
          toString(list[0].scalar_type()), " and tensor ", i + 1, " ", toString(list[i + 1].scalar_type()));
    check(list[i].size(1) == list[i + 1].size(0), "multi_dot(): tensors ", i, " and ", i + 1, " with shapes [",
          list[i].sizes(), "] and [", list[i + 1].sizes(), "] cannot be multiplied");
  }
  Tensor y = Chain(std::move(list)).product(0, n - 1);
  if (row) y = y.squeeze(0);
  return own_result(column ? y.squeeze(-1) : y);
}
Tensor chain_matmul(TensorList matrices) {
  check(!matrices.empty(), "chain_matmul(): Expected one or more matrices");
  for (const Tensor& t : matrices) {
    check_defined(t, "chain_matmul", "matrices");
    check(t.dim() == 2, "chain_matmul(): expected matrices, got a tensor of shape ", t.sizes());
  }
  return matrices.size() == 1 ? matrices[0].clone() : linalg_multi_dot(matrices);
}
Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim) {
  AUTOCAST(linalg_vecdot, as_short(x), as_short(y), dim);
  check_defined(x, "linalg.vecdot", "x");
  check_defined(y, "linalg.vecdot", "y");
  check_floats(x, "linalg.vecdot");
  check(x.scalar_type() == y.scalar_type(),
        "linalg.vecdot: Expected x and y to have the same dtype, but found x of type ", toString(x.scalar_type()),
        " and y of type ", toString(y.scalar_type()), " instead");
  return (x.conj() * y).sum(dim);
}
Tensor linalg_cross(const Tensor& self, const Tensor& other, int64_t dim) {
  check_defined(self, "linalg.cross");
  check_defined(other, "linalg.cross", "other");
  check(self.dim() == other.dim(), "linalg.cross: inputs must have the same number of dimensions.");
  check(self.scalar_type() == other.scalar_type(), "expected scalar type ", toString(self.scalar_type()), " but found ",
        toString(other.scalar_type()));
  const int64_t d = wrap_dim(dim, self.dim(), "linalg.cross");
  check(self.dim() > 0 && self.size(d) == 3 && other.size(d) == 3, "linalg.cross: inputs dimension ", dim,
        " must have length 3. Got ", self.dim() ? self.size(d) : 1, " and ", other.dim() ? other.size(d) : 1);
  return roll(self, -1, d) * roll(other, -2, d) - roll(self, -2, d) * roll(other, -1, d);
}
Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim) {
  check_defined(self, "cross");
  if (!dim)
    for (int64_t d = 0; d < self.dim() && !dim; ++d)
      if (self.size(d) == 3) dim = d;
  check(dim.has_value(), "no dimension of size 3 in input");
  return linalg_cross(self, other, *dim);
}
Tensor linalg_vander(const Tensor& self, std::optional<int64_t> N) {
  const AsDry as(self);
  check_defined(self, "linalg.vander", "x");
  const Tensor x = self.dim() ? self : self.unsqueeze(0);
  check(x.scalar_type() != kBool, "linalg.vander supports floating point, complex, and integer tensors, but got ",
        toString(x.scalar_type()));
  const int64_t n = N.value_or(x.size(-1));
  check(n > 1, "N must be greater than 1.");
  Dims shape(x.sizes());
  shape.push_back(n - 1);
  const Tensor powers = x.unsqueeze(-1).expand(shape).cumprod(-1);
  shape.back() = 1;
  return cat({ones(shape, powers.scalar_type()), powers}, -1);
}
Tensor linalg_diagonal(const Tensor& A, int64_t offset, int64_t dim1, int64_t dim2) {
  return diagonal(A, offset, dim1, dim2);
}

// ---- tensors as matrices

Tensor linalg_tensorinv(const Tensor& self, int64_t ind) {
  AUTOCAST(linalg_tensorinv, as_wide(self), ind);
  check_defined(self, "linalg_tensorinv");
  check(ind > 0, "Expected a strictly positive integer for 'ind', but got ", ind);
  const IntArrayRef all = self.sizes();
  const auto cut = std::min(static_cast<size_t>(ind), all.size());
  const IntArrayRef first = all.slice(0, cut), second = all.slice(cut, all.size() - cut);
  const int64_t m = count_of(first), n = count_of(second);
  check(m == n, "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ",
        n, " != ", m);
  Dims shape(second);
  for (const int64_t s : first) shape.push_back(s);
  return linalg_inv(self.reshape({m, n})).reshape(shape);
}
Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims) {
  AUTOCAST(linalg_tensorsolve, as_wide(self), as_wide(other), dims);
  check_defined(self, "linalg_tensorsolve");
  check_defined(other, "linalg_tensorsolve", "other");
  Tensor a = self;
  if (dims) {
    std::vector<int64_t> to;
    for (size_t k = 0; k < dims->size(); ++k)
      to.push_back(self.dim() - static_cast<int64_t>(dims->size()) + static_cast<int64_t>(k));
    a = self.movedim(*dims, to);
  }
  const IntArrayRef all = a.sizes();
  const auto cut = std::min(static_cast<size_t>(other.dim()), all.size());
  const int64_t m = other.numel(), n = count_of(all.slice(cut, all.size() - cut));
  check(m == n && count_of(all.slice(0, cut)) == n,
        "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but "
        "got ",
        n, " != ", m);
  const Dims shape(all.slice(cut, all.size() - cut));
  return linalg_solve(a.reshape({m, n}), other.reshape({m}), true).reshape(shape);
}

extern const OpEntry matrices_ops[];
extern const size_t matrices_ops_count;
const OpEntry matrices_ops[] = {
    doc("The norm of all elements, or of the vectors along dimensions.",
        op<linalg_vector_norm>("linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
                               "ScalarType? dtype=None) -> Tensor",
                               "t(3)\nt(2, 3), 1, [1]\nt(2, 3), float('inf'), [0], True\nt(2, 3), 0.5\nt(2, 3), 3, [0, "
                               "1], dtype=torch.float64\nz(2, 3), 3, [1]")),
    doc("The norm of matrices: 1, -1, 2, -2, inf, -inf, 'fro' or 'nuc'.",
        op("linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2, -1], bool keepdim=False, *, "
           "ScalarType? dtype=None) -> Tensor",
           "t(2, 3)\nt(2, 2, 3), 'nuc'\nt(2, 3, 2), 'nuc', [0, 2], True\nt(2, 2), 'max'",
           [](const Tensor& a, std::string_view ord, IntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
             return linalg_matrix_norm(a, ord, dim, keepdim, dtype);
           })),
    op("linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) "
       "-> Tensor",
       "t(2, 3), 1\nt(2, 3), -1\nt(2, 2, 3), 2\nt(2, 3), -2, [1, 0], True\nt(2, 3), float('inf')\nt(2, 3), "
       "float('-inf')\nt(2, 3), 3",
       [](const Tensor& a, const Scalar& ord, IntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
         return linalg_matrix_norm(a, ord, dim, keepdim, dtype);
       }),
    doc("The norm of a vector or matrix; of all elements if nothing else is said.",
        op("linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
           "dtype=None) "
           "-> Tensor",
           "t(2, 3)\nt(2, 3), 1\nt(3), 3\nt(2, 3), 2, [1]\nt(2, 3), 2\nt(2, 2, 2), 1",
           [](const Tensor& a, const std::optional<Scalar>& ord, OptionalIntArrayRef dim, bool keepdim,
              std::optional<ScalarType> dtype) { return linalg_norm(a, ord, dim, keepdim, dtype); })),
    op("linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> "
       "Tensor",
       "t(2, 3), 'nuc'\nt(2, 2, 3), 'fro', [0, 1]",
       [](const Tensor& a, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
          std::optional<ScalarType> dtype) { return linalg_norm(a, ord, dim, keepdim, dtype); }),
    doc("The sum of the singular values of a matrix.",
        op("nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", "t(2, 3)\nt(3, 2), True\nt(2, 2, 2)",
           [](const Tensor& a, bool keepdim) { return nuclear_norm(a, keepdim); })),
    op("nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor", "t(2, 3, 2), [0, 2]\nt(2, 2), [0]",
       [](const Tensor& a, IntArrayRef dim, bool keepdim) { return nuclear_norm(a, dim, keepdim); }),
    doc("The root of the sum of squares.",
        op("frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
           "t(2, 3), [1]\nt(2, 3), [0, 1], True",
           [](const Tensor& a, IntArrayRef dim, bool keepdim) { return frobenius_norm(a, dim, keepdim); })),
    doc("The condition number of a matrix.",
        out_casts(op("linalg_cond(Tensor self, Scalar? p=None) -> Tensor",
                     "t(3, 3)\nt(2, 2, 3), -2\nt(2, 2, 2), 1\nt(2, 2), float('inf')\nt(2, 2), 3",
                     [](const Tensor& a, const std::optional<Scalar>& p) { return linalg_cond(a, p); }))),
    out_casts(op("linalg_cond.p_str(Tensor self, str p) -> Tensor", "t(2, 2), 'fro'\nt(2, 2), 'nuc'\nt(2, 3), 'fro'",
                 [](const Tensor& a, std::string_view p) { return linalg_cond(a, p); })),
    doc("The product of n times the same matrix; of its inverse if n is negative.",
        op<linalg_matrix_power>("linalg_matrix_power(Tensor self, int n) -> Tensor",
                                "t(2, 2), 2\nt(2, 2, 2), 3\nt(2, 2), 0\nt(2, 2), 1\nt(2, 2), -1\nt(2, 2), -2\nt(2, 2), "
                                "6\nt(2, 3), 2\nz(2, 2), -2")),
    doc("The product of n times the same matrix; of its inverse if n is negative.",
        method(op<matrix_power>("matrix_power(Tensor self, int n) -> Tensor", "t(2, 2), 2\nt(2, 2), -3"))),
    doc("The exponential of a matrix.",
        no_out(op<linalg_matrix_exp>("linalg_matrix_exp(Tensor self) -> Tensor",
                                     "t(3, 3)\nt(2, 2, 2)\nt(0, 0)\nc([[1.3, 4.1], [-4.6, 0.7]])\nz(2, 2)"))),
    doc("The exponential of a matrix.", method(no_out(op<matrix_exp>("matrix_exp(Tensor self) -> Tensor", "t(2, 2)")))),
    doc("The product of matrices.",
        op<linalg_matmul>("linalg_matmul(Tensor self, Tensor other) -> Tensor", "t(2, 3), t(3, 2)\nt(3), t(3)")),
    doc("The product of several matrices, in the order that takes the fewest multiplications.",
        op<linalg_multi_dot>("linalg_multi_dot(Tensor[] tensors) -> Tensor",
                             "[t(2, 3), t(3, 4), t(4, 2)]\n[t(3), t(3, 2), t(2)]\n[t(2, 2)]\n[t(2, 3), t(2, 3)]\n[z(2, "
                             "3), z(3, 2), z(2)]")),
    doc("The product of several matrices, in the order that takes the fewest multiplications.",
        op<chain_matmul>("chain_matmul(Tensor[] matrices) -> Tensor", "[t(2, 3), t(3, 4), t(4, 2)]")),
    doc("The inner products of vectors along a dimension.",
        op<linalg_vecdot>("linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor",
                          "t(3), t(3)\nt(2, 3), t(3)\nt(2, 3), t(2, 3), dim=0\nz(2, 3), z(3)")),
    doc("The cross product of vectors of three elements.",
        out_apart(out_same(
            op<linalg_cross>("linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
                             "t(3), t(3)\nt(2, 3), t(1, 3)\nt(3, 2), t(3, 2), dim=0\nt(2), t(2)\nz(2, 3), z(2, 3)")))),
    doc("The cross product of vectors of three elements, along the first dimension that has three if none is named.",
        method(out_apart(out_same(op<cross>("cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
                                            "t(3, 2), t(3, 2)\nt(2, 3), t(2, 3), 1\nt(2, 2), t(2, 2)"))))),
    doc("The matrix whose columns are the powers of x, from 0 on.",
        no_out(op<linalg_vander>("linalg_vander(Tensor x, *, int? N=None) -> Tensor",
                                 "t(3)\nt(2, 3), N=2\nt(1)\ni(-2, 3, 4)\nz(3)\nt(), N=3"))),
    doc("The diagonals of matrices.",
        no_out(op<linalg_diagonal>("linalg_diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
                                   "t(2, 3)\nt(2, 2, 3), offset=1"))),
    doc("The inverse of a tensor, which counts as a matrix: the first ind dimensions are its rows.",
        out_casts(op<linalg_tensorinv>("linalg_tensorinv(Tensor self, int ind=2) -> Tensor",
                                       "t(2, 2, 4)\nt(2, 1, 2), 1\nt(2, 3), 1\nt(2, 2), 0\nz(2, 1, 2), 1"))),
    doc("The solution of a system whose matrix is a tensor.",
        out_casts(op<linalg_tensorsolve>(
            "linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor",
            "t(2, 2, 4), t(2, 2)\nt(4, 2, 2), t(2, 2), [0]\nt(2, 3), t(2)\nz(2, 2, 4), z(2, 2)"))),
};
const size_t matrices_ops_count = std::size(matrices_ops);

}  // namespace taut
