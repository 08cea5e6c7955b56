// Matrix products and what is built from them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/copy.h"
#include "kernels/distance.h"
#include "kernels/gemm.h"
#include "ops/autocast.h"
#include "ops/batch_rules.h"
#include "ops/linalg.h"
#include "ops/op.h"
#include "ops/registry.h"
#include "ops/sparse.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

kernels::ConstMatrix matrix_of(const Tensor& t) {
  const TensorImpl& i = *t.impl();
  const size_t n = i.sizes.size();
  return {i.data, i.sizes[n - 2], i.sizes[n - 1], i.strides[n - 2], i.strides[n - 1]};
}
kernels::Matrix output_matrix(const Tensor& t) {
  const kernels::ConstMatrix m = matrix_of(t);
  return {t.impl()->data, m.rows, m.cols, m.row_stride, m.col_stride};
}

/// The strides of t's batch dimensions, seen in a batch of the given sizes.
Dims batch_strides(const Tensor& t, IntArrayRef batch) {
  const TensorImpl& i = *t.impl();
  const size_t own = i.sizes.size() - 2;
  Dims strides(batch.size());
  for (size_t d = 0; d < own; ++d) {
    const size_t to = batch.size() - own + d;
    strides[to] = i.sizes[d] == 1 ? 0 : i.strides[d];
  }
  return strides;
}

/// y = beta y + alpha a b, for every matrix of y's batch.
void multiply_into(const Tensor& y, const Tensor& a, const Tensor& b, const Scalar& alpha = 1, const Scalar& beta = 0) {
  if (y.impl()->sizes.size() == 2)
    return kernels::gemm(y.impl()->dtype, output_matrix(y), matrix_of(a), matrix_of(b), alpha, beta);
  const IntArrayRef batch = y.sizes().slice(0, y.sizes().size() - 2);
  const Dims ys = batch_strides(y, batch), as = batch_strides(a, batch), bs = batch_strides(b, batch);
  kernels::batched_gemm(y.scalar_type(), {batch, ys, as, bs}, output_matrix(y), matrix_of(a), matrix_of(b), alpha,
                        beta);
}

/// y = t, which is broadcast to the shape of y.
void broadcast_into(const Tensor& y, const Tensor& t) {
  const TensorImpl &to = *y.impl(), &from = *t.impl();
  const size_t n = to.sizes.size(), own = from.sizes.size();
  Dims strides(n);
  for (size_t d = 0; d < own; ++d) strides[n - own + d] = from.sizes[d] == 1 ? 0 : from.strides[d];
  kernels::copy(to.view(), {from.data, from.dtype, to.sizes, strides});
}

/// Is t the transpose of a matrix that lies row by row, as a layer's weight is? Its gradient should be one, too: then
/// the weight's own gradient lies like the weight.
bool is_turned(const Tensor& t) {
  const Dims& strides = t.impl()->strides;
  return strides[strides.size() - 2] == 1 && strides.back() != 1;
}
Tensor product(const Tensor& a, const Tensor& b, bool turned) {
  return turned ? matmul(b.mT(), a.mT()).mT() : matmul(a, b);
}

/// a [..., m, k] times b [..., k, n], batches broadcast without being copied.
struct MatrixProduct {
  static constexpr bool complex = true;
  static constexpr const char* name = "matmul";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1), kInput(0)};
  const char *op, *node;
  bool turned[2];  // a and b
  unsigned keeps;  // PyTorch copies what it broadcasts
  const char* op_name() const { return op; }
  const char* node_name() const { return node; }
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const {
    const int64_t dx = b.dim(0, x), dy = b.dim(1, y);
    const MatrixProduct plain{op, node, {}, 0};
    if (!b.has(1) && dy == 2) {  // many rows, one matrix: a single large product
      Dims shape(x.sizes());
      shape.back() = y.size(1);
      int64_t rows = 1;
      for (size_t d = 0; d + 1 < shape.size(); ++d) rows *= shape[d];
      return apply(plain, x.reshape({rows, y.size(0)}), y).view(shape);
    }
    if (!b.has(0) && dx == 2 && dy == 2 && (y.stride(1) == 1 || y.size(2) == 1)) {  // or many columns
      const Tensor rows = y.mT().reshape({b.size * y.size(2), y.size(1)});
      return apply(plain, rows, x.mT()).view({b.size, y.size(2), x.size(0)}).mT();
    }
    const int64_t dims = std::max(dx, dy);
    return apply(plain, b.raised(0, x, dims), b.raised(1, y, dims));
  }
  Tensor forward(const Tensor& a, const Tensor& b) const {
    if (is_complex(a.impl()->dtype)) [[unlikely]]
      return from_parts(paired(forward(row_of_pairs(a), rows_of_pairs(b))), Parts::Last);
    const IntArrayRef as = a.impl()->sizes, bs = b.impl()->sizes;
    const size_t na = as.size() - 2, nb = bs.size() - 2;
    if (na + nb == 0) {
      const int64_t rows = as[0], columns = bs[1];
      Tensor y = make({rows, columns}, a.impl()->dtype, name);
      kernels::gemm(a.impl()->dtype, {y.impl()->data, rows, columns, columns, 1}, matrix_of(a), matrix_of(b));
      return y;
    }
    Dims shape = broadcast_shapes(as.slice(0, na), bs.slice(0, nb), name);
    shape.push_back(as[na]);
    shape.push_back(bs.back());
    Tensor y = make(shape, a.impl()->dtype, name);
    multiply_into(y, a, b);
    return y;
  }
  Tensor forward_sparse(const Tensor& a, const Tensor& b) const {
    const Tensor* const in[] = {&a, &b};
    if (a.dim() != b.dim() || a.dim() > (is_sparse(a) ? 3 : 2)) throw_no_sparse(op, in, 2);
    check(a.dense_dim() % 2 == 0, "addmm: matrices expected, got ", a.sparse_dim(), "D tensor");
    return sparse::product(a, b);
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? product(g, s.input(1).mH(), turned[0]) : product(s.input(0).mH(), g, turned[1]);
  }

 private:
  // A complex product as a real one of twice the size: a row of a is its pairs of parts one after the other, and a
  // number x + i y of b becomes the rows (x, y) and (-y, x).
  static Tensor row_of_pairs(const Tensor& a) { return view_as_real(a.contiguous()).flatten(-2); }
  static Tensor rows_of_pairs(const Tensor& b) {
    const Tensor turned = b * Scalar(Complex<double>(0, 1));
    const Tensor rows = stack({view_as_real(b), view_as_real(turned)}, -3);  // [..., k, 2, n, 2]
    return rows.flatten(-4, -3).flatten(-2);
  }
  static Tensor paired(const Tensor& y) { return y.unflatten(-1, {y.size(-1) / 2, 2}); }
};
Tensor multiply(const char* op, const char* node, const Tensor& a, const Tensor& b) {
  const IntArrayRef as = a.impl()->sizes, bs = b.impl()->sizes;
  const bool broadcast =
      as.size() != bs.size() || (as.size() > 2 && as.slice(0, as.size() - 2) != bs.slice(0, bs.size() - 2));
  return apply(MatrixProduct{op, node, {is_turned(a), is_turned(b)}, broadcast ? kEverything : 0}, a, b);
}

/// beta self + alpha a b, matrices or batches of them. Where nothing is recorded, b may be given transposed.
struct AddProduct {
  static constexpr const char* name = "addmm";
  static constexpr unsigned reads[] = {0, kInput(2), kInput(1)};
  Scalar beta, alpha;
  const char *op, *node;
  bool turned[2];  // a and b
  bool transposed = false;
  const char* op_name() const { return op; }
  const char* node_name() const { return node; }
  Tensor batch(const Batch& b, const Tensor& self, const Tensor& x, const Tensor& y) const {
    const Tensor factor = transposed ? y.mT() : y;
    if (b.has(1) && !b.has(2) && !b.has(0) && x.dim() == 3 && b.dim(0, self) <= 1) {
      const Tensor rows = x.reshape({x.size(0) * x.size(1), x.size(2)});
      return apply(AddProduct{beta, alpha, op, node, {}}, self, rows, factor)
          .view({x.size(0), x.size(1), factor.size(-1)});
    }
    const auto scaled = [](const Tensor& t, const Scalar& by) { return by.equal(1) ? t : t * by; };
    const bool vary[] = {b.has(1), b.has(2)};
    Tensor product = b.has(1) || b.has(2) ? MatrixProduct{op, node, {}, 0}.batch(Batch(b.size, vary), x, factor)
                                          : apply(MatrixProduct{op, node, {}, 0}, x, factor).unsqueeze(0);
    product = scaled(product, alpha);
    if (beta.equal(0)) return product.expand(with_batch(b.size, product.sizes().slice(1, product.sizes().size() - 1)));
    return product + scaled(b.raised(0, self, product.dim() - 1), beta);
  }
  Tensor forward(const Tensor& self, const Tensor& a, const Tensor& b) const {
    Dims shape = a.impl()->sizes;
    shape.back() = transposed ? b.impl()->sizes[0] : b.impl()->sizes.back();
    Tensor y = make(shape, a.impl()->dtype, name);
    const bool add = !beta.equal(0);
    const TensorImpl &from = *self.impl(), &to = *y.impl();
    const bool bias = add && to.sizes.size() == 2 && from.sizes.size() == 1 && from.sizes[0] == to.sizes[1] &&
                      from.contiguous && (to.dtype == kFloat || to.dtype == kDouble);
    if (add && !bias) broadcast_into(y, self);
    if (!bias && !transposed) {
      multiply_into(y, a, b, alpha, add ? beta : Scalar(0));
      return y;
    }
    const kernels::ConstMatrix factor = matrix_of(b);
    kernels::gemm(to.dtype, output_matrix(y), matrix_of(a), transposed ? factor.transposed() : factor, alpha, beta,
                  bias ? from.data : nullptr);
    return y;
  }
  Tensor forward_sparse(const Tensor& self, const Tensor& a, const Tensor& b) const {
    const Tensor* const in[] = {&self, &a, &b};
    if (a.dim() != 2) throw_no_sparse(op, in, 3);
    return sparse::add_product(self, a, transposed ? b.t() : b, beta, alpha);
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const auto scaled = [&](const Tensor& t, const Scalar& by) { return by.equal(1) ? t : t * by; };
    if (i == 0) return scaled(g, beta);
    return scaled(i == 1 ? product(g, s.input(2).mT(), turned[0]) : product(s.input(1).mT(), g, turned[1]), alpha);
  }
};

struct Dot {
  static constexpr const char* name = "dot";
  static constexpr const char* node = "DotBackward0";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1), kInput(0)};
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const {
    if (!b.has(1)) return mv(x, y);
    if (!b.has(0)) return mv(y, x);
    return matmul(x.unsqueeze(1), y.unsqueeze(2)).reshape({b.size});
  }
  Tensor forward(const Tensor& a, const Tensor& b) const {
    Tensor y = make({}, a.scalar_type(), name);
    kernels::dot(a.scalar_type(), a.numel(), a.data_ptr(), a.stride(0), b.data_ptr(), b.stride(0), y.data_ptr());
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return g * s.input(1 - i); }
};

struct Mv {
  static constexpr const char* name = "mv";
  static constexpr const char* node = "MvBackward0";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1), kInput(0)};
  Tensor batch(const Batch& b, const Tensor& a, const Tensor& v) const {
    if (!b.has(0)) return mm(v, a.t());
    if (!b.has(1)) return mv(a.reshape({a.size(0) * a.size(1), a.size(2)}), v).view({a.size(0), a.size(1)});
    return matmul(a, v.unsqueeze(2)).squeeze(2);
  }
  Tensor forward(const Tensor& a, const Tensor& v) const {
    Tensor y = make({a.size(0)}, a.scalar_type(), name);
    kernels::gemm(a.scalar_type(), {y.data_ptr(), a.size(0), 1, 1, 1}, matrix_of(a),
                  {v.data_ptr(), a.size(1), 1, v.stride(0), 1});
    return y;
  }
  Tensor forward_sparse(const Tensor& a, const Tensor& v) const {
    const Tensor* const in[] = {&v};
    if (is_sparse(v)) throw_no_sparse(name, in, 1);
    return sparse::product(a, v.unsqueeze(1)).squeeze(1);
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 1) return mv(s.input(0).t(), g);
    // Of many items a product is faster: its kernel reads rows and columns as they lie.
    return is_batched(g) ? matmul(g.unsqueeze(1), s.input(1).unsqueeze(0)) : outer(g, s.input(1));
  }
};

/// x [..., P, M] and y [..., R, M] with equal batches.
struct Cdist {
  static constexpr const char* name = "cdist";
  static constexpr const char* node = "CdistBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kResult(), kInput(0) | kInput(1) | kResult()};
  double p;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const {
    const Tensor first = b.all(0, x), d = apply(*this, fold_items(first), fold_items(b.all(1, y)));
    return unfold_items(d, b.size, first.size(1));
  }
  Tensor forward(const Tensor& x, const Tensor& y) const {
    Tensor d = make({x.size(0), x.size(1), y.size(1)}, x.scalar_type(), name);
    kernels::cdist(view_of(d), view_of(x), view_of(y), p);
    return d;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0), y = s.input(1), d = s.result();
    if (!must_record()) {
      const Tensor& of = i == 0 ? x : y;
      Tensor dx = make(of.sizes(), of.scalar_type(), name);
      if (i == 0) kernels::cdist_backward(view_of(dx), view_of(g), view_of(x), view_of(y), view_of(d), p);
      else kernels::cdist_backward(view_of(dx), view_of(g.mT()), view_of(y), view_of(x), view_of(d.mT()), p);
      return dx;
    }
    // The same in differentiable ops: the derivative of a norm of differences.
    const Tensor difference = x.unsqueeze(2) - y.unsqueeze(1), gd = g.unsqueeze(3), dd = d.unsqueeze(3);
    Tensor part;
    if (p == 0) part = difference * 0;
    else if (p == 1) part = difference.sgn() * gd;
    else if (p == 2) part = gd * (difference / dd).masked_fill(dd == 0, 0);
    else if (std::isinf(p))
      part = gd * difference.sgn() * (difference.detach().abs() == dd.detach()).to(g.scalar_type());
    else
      part = gd * (difference.sgn() * difference.abs().pow(p - 1) * dd.pow(1 - p))
                      .masked_fill((dd == 0) | (difference == 0), 0);
    return i == 0 ? part.sum(2) : -part.sum(1);
  }
};

/// The same for p = 2 by a matrix product, |x|^2 + |y|^2 - 2xy: much faster, and close points lose digits.
struct EuclideanDist {
  static constexpr const char* name = "cdist";
  static constexpr const char* node = "EuclideanDistBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kResult(), kInput(0) | kInput(1) | kResult()};
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const {
    const Tensor first = b.all(0, x), d = apply(*this, fold_items(first), fold_items(b.all(1, y)));
    return unfold_items(d, b.size, first.size(1));
  }
  Tensor forward(const Tensor& x, const Tensor& y) const {
    NoGradGuard guard;
    const Tensor xx = (x * x).sum(-1, true), yy = (y * y).sum(-1, true);
    const Tensor left = cat({x * -2, xx, ones_like(xx)}, -1), right = cat({y, ones_like(yy), yy}, -1);
    return left.matmul(right.mT()).clamp_min_(0).sqrt_();
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0), y = s.input(1), d = s.result();
    const Tensor ratio = g * d.reciprocal().masked_fill(d == 0, 0);
    return i == 0 ? x * ratio.sum(-1, true) - ratio.matmul(y) : y * ratio.sum(-2).unsqueeze(-1) - ratio.mT().matmul(x);
  }
};

// What throws is kept apart, so that the checks themselves are inlined.
[[noreturn, gnu::noinline]] void throw_dtypes(const Tensor& a, const Tensor& b, const char* op) {
  throw Error(str(op, ": expected m1 and m2 to have the same dtype, but got: ", a.scalar_type(),
                  " != ", b.scalar_type(),
                  ". Convert one of them: x.to(taut::", b.scalar_type() == kDouble ? "kDouble" : "kFloat", ")."));
}
[[noreturn, gnu::noinline]] void throw_inner(const Tensor& a, const Tensor& b, const char* op) {
  throw Error(str("mat1 and mat2 shapes cannot be multiplied (", a.size(-2), "x", a.size(-1), " and ", b.size(-2), "x",
                  b.size(-1), ") in ", op,
                  ": the columns of the first must equal the rows of the second. Is a transpose missing?"));
}
void check_same_dtype(const Tensor& a, const Tensor& b, const char* op) {
  check_defined(a, op);
  check_defined(b, op, "mat2");
  if (a.impl()->dtype != b.impl()->dtype) throw_dtypes(a, b, op);
}
void check_inner(const Tensor& a, const Tensor& b, const char* op) {
  const Dims& rows = b.impl()->sizes;
  if (a.impl()->sizes.back() != rows[rows.size() - 2]) throw_inner(a, b, op);
}
void check_dims(const Tensor& t, size_t dim, const char* op, const char* what) {
  check_defined(t, op, what);
  if (t.impl()->sizes.size() != dim)
    throw Error(str(op, ": ", what, " must be a ", dim, "-D tensor, got shape ", t.sizes()));
}

}  // namespace

Tensor mm(const Tensor& self, const Tensor& mat2) {
  AUTOCAST(mm, as_short(self), as_short(mat2));
  check_dims(self, 2, "mm", "self");
  check_dims(mat2, 2, "mm", "mat2");
  check_same_dtype(self, mat2, "mm");
  check_inner(self, mat2, "mm");
  return multiply("mm", "MmBackward0", self, mat2);
}
Tensor bmm(const Tensor& self, const Tensor& mat2) {
  AUTOCAST(bmm, as_short(self), as_short(mat2));
  check_dims(self, 3, "bmm", "batch1");
  check_dims(mat2, 3, "bmm", "batch2");
  check_same_dtype(self, mat2, "bmm");
  check(self.size(0) == mat2.size(0) && self.size(2) == mat2.size(1),
        "Expected size for first two dimensions of batch2 tensor to be: [", self.size(0), ", ", self.size(2),
        "] but got: [", mat2.size(0), ", ", mat2.size(1), "].");
  return multiply("bmm", "BmmBackward0", self, mat2);
}
Tensor mv(const Tensor& self, const Tensor& vec) {
  check_dims(self, 2, "mv", "self");
  check_dims(vec, 1, "mv", "vec");
  check_same_dtype(self, vec, "mv");
  check(self.size(1) == vec.size(0), "size mismatch, got input (", self.size(0), "), mat (", self.size(0), "x",
        self.size(1), "), vec (", vec.size(0), ") in mv");
  if (self.is_complex()) return matmul(self, vec.unsqueeze(1)).squeeze(1);
  return apply(Mv{}, self, vec);
}
Tensor dot(const Tensor& self, const Tensor& tensor) {
  check_defined(self, "dot");
  check_defined(tensor, "dot", "tensor");
  check(self.dim() == 1 && tensor.dim() == 1, "dot: 1D tensors expected, but got ", self.dim(), "D and ", tensor.dim(),
        "D tensors");
  check(self.scalar_type() == tensor.scalar_type(), "dot: expected both vectors to have same dtype, but found ",
        self.scalar_type(), " and ", tensor.scalar_type());
  check(self.numel() == tensor.numel(), "inconsistent tensor size, expected tensor ", self.sizes(), " and src ",
        tensor.sizes(), " to have the same number of elements, but got ", self.numel(), " and ", tensor.numel(),
        " elements respectively in dot");
  if (self.is_complex()) return matmul(self.unsqueeze(0), tensor.unsqueeze(1)).reshape({});
  return apply(Dot{}, self, tensor);
}
Tensor vdot(const Tensor& self, const Tensor& other) {
  check_defined(self, "vdot");
  return dot(self.conj(), other);
}
Tensor outer(const Tensor& self, const Tensor& vec2) {
  check_dims(self, 1, "outer", "self");
  check_dims(vec2, 1, "outer", "vec2");
  return self.unsqueeze(1) * vec2;
}
Tensor ger(const Tensor& self, const Tensor& vec2) { return outer(self, vec2); }

Tensor matmul(const Tensor& self, const Tensor& other) {
  AUTOCAST(matmul, as_short(self), as_short(other));
  check_same_dtype(self, other, "matmul");
  const size_t a = self.impl()->sizes.size(), b = other.impl()->sizes.size();
  if (a == 2 && b == 2) {
    check_inner(self, other, "mm");
    return multiply("mm", "MmBackward0", self, other);
  }
  check(a > 0 && b > 0, "matmul: both arguments to matmul need to be at least 1D, but they are ", a, "D and ", b, "D");
  if (a == 1 && b == 1) return dot(self, other);
  if (a == 2 && b == 1) return mv(self, other);
  if (a == 1) {
    check(self.size(0) == other.size(-2), "mat1 and mat2 shapes cannot be multiplied (1x", self.size(0), " and ",
          other.size(-2), "x", other.size(-1), ") in matmul");
    Dims shape(other.sizes());
    shape.erase(shape.size() - 2);
    return unsafe_view(matmul(self.unsqueeze(0), other), shape, b == 2 ? "SqueezeBackward4" : "UnsafeViewBackward0");
  }
  if (b == 1) {
    check(self.size(-1) == other.size(0), "mat1 and mat2 shapes cannot be multiplied (", self.size(-2), "x",
          self.size(-1), " and ", other.size(0), "x1) in matmul");
    return unsafe_view(matmul(self, other.unsqueeze(1)), self.sizes().slice(0, self.sizes().size() - 1));
  }
  check_inner(self, other, "matmul");
  if (b == 2 && self.numel() > 0) {  // many rows, one matrix: a single large product
    Dims shape(self.sizes());
    shape.back() = other.size(1);
    return unsafe_view(mm(self.reshape({-1, self.size(-1)}), other), shape);
  }
  return multiply("matmul", "UnsafeViewBackward0", self, other);
}

Tensor inner(const Tensor& self, const Tensor& other) {
  check_defined(self, "inner");
  check_defined(other, "inner", "other");
  if (self.dim() == 0 || other.dim() == 0) return self * other;
  check(self.size(-1) == other.size(-1), "inner() the last dimension must match on both input tensors but got shapes ",
        self.sizes(), " and ", other.sizes());
  return tensordot(self, other, {-1}, {-1});
}

static Tensor add_product(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha,
                          const char* op, const char* node) {
  check_same_dtype(a, b, op);
  check_defined(self, op);
  check_inner(a, b, op);
  check(self.scalar_type() == a.scalar_type(), op, ": self and mat1 must have the same dtype, but got ",
        self.scalar_type(), " and ", a.scalar_type());
  Dims shape(a.sizes());
  shape.back() = b.size(-1);
  check(IntArrayRef(broadcast_shapes(self.sizes(), shape, op)) == IntArrayRef(shape), op, ": the input of shape ",
        self.sizes(), " cannot be expanded to ", IntArrayRef(shape));
  if (a.is_complex()) {
    const Tensor y = alpha.equal(1) ? matmul(a, b) : matmul(a, b) * alpha;
    return beta.equal(0) ? y : y + (beta.equal(1) ? self : self * beta);
  }
  const bool whole = !is_floating_point(a.scalar_type());
  for (const Scalar* factor : {&beta, &alpha}) check_converts(*factor, wide_type(a.scalar_type()), op);
  return apply(AddProduct{whole ? Scalar(beta.toLong()) : beta,
                          whole ? Scalar(alpha.toLong()) : alpha,
                          op,
                          node,
                          {is_turned(a), is_turned(b)}},
               self, a, b);
}
Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) {
  AUTOCAST(addmm, as_short(self), as_short(mat1), as_short(mat2), beta, alpha);
  check_dims(mat1, 2, "addmm", "mat1");
  check_dims(mat2, 2, "addmm", "mat2");
  return add_product(self, mat1, mat2, beta, alpha, "addmm", "AddmmBackward0");
}
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
               const Scalar& alpha) {
  AUTOCAST(baddbmm, as_short(self), as_short(batch1), as_short(batch2), beta, alpha);
  check_dims(batch1, 3, "baddbmm", "batch1");
  check_dims(batch2, 3, "baddbmm", "batch2");
  check(batch1.size(0) == batch2.size(0), "baddbmm: the batches have ", batch1.size(0), " and ", batch2.size(0),
        " matrices");
  return add_product(self, batch1, batch2, beta, alpha, "baddbmm", "BaddbmmBackward0");
}
Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  AUTOCAST(addbmm, as_short(self), as_short(batch1), as_short(batch2), beta, alpha);
  check_dims(batch1, 3, "addbmm", "batch1");
  check_dims(batch2, 3, "addbmm", "batch2");
  check(batch1.size(0) == batch2.size(0), "addbmm: the batches have ", batch1.size(0), " and ", batch2.size(0),
        " matrices");
  check_inner(batch1, batch2, "addbmm");
  const int64_t k = batch1.size(0) * batch1.size(2);  // side by side they are one product
  return add_product(self, batch1.permute({1, 0, 2}).reshape({batch1.size(1), k}), batch2.reshape({k, batch2.size(2)}),
                     beta, alpha, "addbmm", "AddbmmBackward0");
}
Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha) {
  check_dims(mat, 2, "addmv", "mat");
  check_dims(vec, 1, "addmv", "vec");
  check_defined(self, "addmv");
  check(mat.size(1) == vec.size(0), "size mismatch, got input (", self.sizes(), "), mat (", mat.size(0), "x",
        mat.size(1), "), vec (", vec.size(0), ") in addmv");
  check_defined(vec, "addmv", "vec");
  for (const Scalar* factor : {&beta, &alpha}) check_converts(*factor, self.scalar_type(), "addmv");
  const Tensor column = add_product(self.dim() == 0 ? self : self.unsqueeze(-1), mat, vec.unsqueeze(1), beta, alpha,
                                    "addmv", "AddmvBackward0");
  return unsafe_view(column, {column.size(0)}, "AddmvBackward0");
}
Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta, const Scalar& alpha) {
  check_dims(vec1, 1, "addr", "vec1");
  check_dims(vec2, 1, "addr", "vec2");
  check_defined(self, "addr");
  const ScalarType t = promote_types(promote_types(self.scalar_type(), vec1.scalar_type()), vec2.scalar_type());
  for (const Scalar* factor : {&beta, &alpha}) {
    check(is_differentiable(t) || !factor->is_floating_point(),
          "addr: For integral input tensors, arguments alpha and beta must not be floating point numbers.");
    check(t == kBool || !factor->is_bool(), "addr: Boolean factors are only supported for Boolean results.");
    check_converts(*factor, t, "addr");
  }
  const DryScope computed(false);
  const Tensor first = full({}, beta, t), second = full({}, alpha, t);  // of the dtype of the result, with its rounding
  const Tensor product = outer(alpha.equal(1) ? vec1.to(t) : vec1.to(t) * second, vec2.to(t));
  check(IntArrayRef(broadcast_shapes(self.sizes(), product.sizes(), "addr")) == product.sizes(),
        "addr: the input of shape ", self.sizes(), " cannot be expanded to ", product.sizes());
  if (first.item().equal(0)) return product;
  return (beta.equal(1) ? self : self.to(t) * first) + product;
}
#define TAUT_ADD_INPLACE(f, A, B)                                                                         \
  Tensor& f##_(Tensor& self, const Tensor& A, const Tensor& B, const Scalar& beta, const Scalar& alpha) { \
    return in_place(#f "_", self, [&](const Tensor& x) { return f(x, A, B, beta, alpha); });              \
  }
TAUT_ADD_INPLACE(addmm, mat1, mat2)
TAUT_ADD_INPLACE(addmv, mat, vec)
TAUT_ADD_INPLACE(addr, vec1, vec2)
TAUT_ADD_INPLACE(addbmm, batch1, batch2)
TAUT_ADD_INPLACE(baddbmm, batch1, batch2)
#undef TAUT_ADD_INPLACE

Tensor linear(const Tensor& input, const Tensor& weight, OptionalTensor bias) {
  AUTOCAST(linear, as_short(input), as_short(weight), as_short(bias));
  check_defined(input, "linear");
  check_defined(weight, "linear", "weight");
  const Dims &in = input.impl()->sizes, &w = weight.impl()->sizes;
  check(w.size() == 1 || w.size() == 2, "linear: weight must be 1-D or 2-D, got shape ", IntArrayRef(w));
  if (in.empty() || in.back() != w.back())
    throw Error(str("mat1 and mat2 shapes cannot be multiplied (",
                    in.empty() ? 1 : input.numel() / std::max<int64_t>(in.back(), 1), "x", in.empty() ? 1 : in.back(),
                    " and ", w.back(), "x", w.size() == 2 ? w[0] : 1, ") in linear: the input of shape ", input.sizes(),
                    " has rows of another length than the weight of shape ", weight.sizes(),
                    " (out_features x in_features) takes"));
  if (in.size() == 2 && w.size() == 2 && bias && bias->defined()) {  // what add_product checks, in short
    const TensorImpl &b = *bias->impl(), &x = *input.impl();
    if (b.sizes.size() == 1 && b.sizes[0] == w[0] && b.dtype == x.dtype && weight.impl()->dtype == x.dtype &&
        x.contiguous && weight.impl()->contiguous && !is_complex(x.dtype)) {
      // Made once: a processor stalls where it reads as a whole what it has just written in parts, as a Scalar is.
      static const AddProduct plain{1, 1, "addmm", "AddmmBackward0", {false, true}},
          flipped{1, 1, "addmm", "AddmmBackward0", {}, true};
      const Tensor* const all[] = {&*bias, &input, &weight};
      if (!should_record(all, 3) && !autograd::forward_mode()) return apply(flipped, *bias, input, weight);
      return apply(plain, *bias, input, weight.t());
    }
  }
  if (!bias) return weight.dim() == 1 ? matmul(input, weight) : matmul(input, weight.t());
  check(weight.dim() == 2 || (bias->dim() == 0 && input.dim() != 2),
        "linear: mat2 must be a matrix, got 1-D tensor: there is a bias, and the weight has shape ", weight.sizes());
  // One number, or a bias where that or the input is not dense, is added in place: its dtype does not matter.
  const bool dense = bias->dim() > 0 && bias->is_contiguous() && input.is_contiguous();
  const bool apart = weight.dim() == 1 || (input.dim() != 2 && !dense);
  const Tensor added = apart ? bias->to(input.scalar_type()) : *bias;
  if (weight.dim() == 1) return matmul(input, weight) + added;
  if (input.dim() == 2) return addmm(added, input, weight.t());
  Dims shape(input.sizes());
  shape.back() = weight.size(0);
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < in.size(); ++d) rows *= in[d];
  return addmm(added, input.reshape({rows, input.size(-1)}), weight.t()).view(shape);
}

Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other) {
  check_defined(self, "tensordot");
  check_defined(other, "tensordot", "other");
  check(dims_self.size() == dims_other.size(), "tensordot: both dimension lists should have same length, got ",
        dims_self, " and ", dims_other);
  Tensor a = self, b = other;
  std::vector<bool> summed_a(self.sizes().size()), summed_b(other.sizes().size());
  Dims order_a, order_b, shape;
  int64_t k = 1, rows = 1, cols = 1;
  Dims da, db;
  for (size_t i = 0; i < dims_self.size(); ++i) {
    check<IndexError>(a.dim() && b.dim(), "tensordot: dimension specified as ", dims_self[i], " and ", dims_other[i],
                      " but one of the tensors has no dimensions: shapes ", a.sizes(), " and ", b.sizes());
    da.push_back(wrap_dim(dims_self[i], a.dim(), "tensordot"));
    db.push_back(wrap_dim(dims_other[i], b.dim(), "tensordot"));
    const auto x = static_cast<size_t>(da[i]), y = static_cast<size_t>(db[i]);
    check(!summed_a[x] && !summed_b[y], "tensordot: a dimension appears multiple times in the list of dims");
    summed_a[x] = summed_b[y] = true;
    const int64_t m = a.sizes()[x], n = b.sizes()[y];
    check(m == n || m == 1 || n == 1, "tensordot: contracted dimensions need to match, but first has size ", m,
          " in dim ", da[i], " and second has size ", n, " in dim ", db[i]);
    if (m == 1 && n != 1) b = b.sum(db[i], true, b.scalar_type());
    if (n == 1 && m != 1) a = a.sum(da[i], true, a.scalar_type());
    k *= m == 1 || n == 1 ? 1 : m;
  }
  for (int64_t d = 0; d < a.dim(); ++d)
    if (!summed_a[static_cast<size_t>(d)]) order_a.push_back(d), shape.push_back(a.size(d)), rows *= a.size(d);
  for (int64_t d : da) order_a.push_back(d);
  for (int64_t d : db) order_b.push_back(d);
  for (int64_t d = 0; d < b.dim(); ++d)
    if (!summed_b[static_cast<size_t>(d)]) order_b.push_back(d), shape.push_back(b.size(d)), cols *= b.size(d);
  return mm(a.permute(order_a).reshape({rows, k}), b.permute(order_b).reshape({k, cols})).reshape(shape);
}

Tensor matmul_keeping(const Tensor& a, const Tensor& b) {
  return apply(MatrixProduct{"matmul", "UnsafeViewBackward0", {is_turned(a), is_turned(b)}, kEverything}, a, b);
}

Tensor kron(const Tensor& self, const Tensor& other) {
  check_defined(self, "kron");
  check_defined(other, "kron", "other");
  const auto n = static_cast<size_t>(std::max(self.dim(), other.dim()));
  Dims a, b, shape;
  for (size_t d = 0; d < n; ++d) {
    const auto size = [&](const Tensor& t) {
      return d + t.sizes().size() < n ? 1 : t.sizes()[d + t.sizes().size() - n];
    };
    a.push_back(size(self));
    a.push_back(1);
    b.push_back(1);
    b.push_back(size(other));
    shape.push_back(size(self) * size(other));
  }
  return unsafe_view((self.clone().view(a) * other.clone().view(b)).contiguous(), shape);
}

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  AUTOCAST(cdist, as_wide(x1), as_wide(x2), p, compute_mode);
  check_defined(x1, "cdist", "x1");
  check_defined(x2, "cdist", "x2");
  check<TypeError>(x1.is_floating_point() && x2.is_floating_point(), "cdist only supports floating-point dtypes, got ",
                   x1.scalar_type(), " and ", x2.scalar_type());
  check(x1.dim() >= 2 && x2.dim() >= 2, "cdist only supports at least 2D tensors, got ", x1.dim(), "D and ", x2.dim(),
        "D");
  check(x1.size(-1) == x2.size(-1), "cdist: X1 and X2 must have the same number of columns. X1: ", x1.size(-1),
        " X2: ", x2.size(-1));
  check(p >= 0, "cdist only supports non-negative p values, got ", p);
  check(compute_mode.value_or(0) >= 0 && compute_mode.value_or(0) <= 2,
        "cdist: compute_mode must be 0 (a matrix product for many points), 1 (always) or 2 (never), got ",
        *compute_mode);
  check<TypeError>(x1.scalar_type() == x2.scalar_type(), "cdist: expected X1 and X2 to have the same dtype, but got ",
                   x1.scalar_type(), " and ", x2.scalar_type());
  const ScalarType t = x1.scalar_type();
  if (wide_type(t) != t) return cdist(x1.to(kFloat), x2.to(kFloat), p, compute_mode).to(t);
  const size_t na = x1.sizes().size() - 2, nb = x2.sizes().size() - 2;
  const Dims batch = broadcast_shapes(x1.sizes().slice(0, na), x2.sizes().slice(0, nb), "cdist");
  const int64_t count = std::accumulate(batch.begin(), batch.end(), int64_t{1}, std::multiplies<>());
  const auto flat = [&](const Tensor& x) {
    Dims full(batch);
    full.push_back(x.size(-2));
    full.push_back(x.size(-1));
    return x.expand(full).reshape({count, x.size(-2), x.size(-1)});
  };
  Dims shape(batch);
  shape.push_back(x1.size(-2));
  shape.push_back(x2.size(-2));
  const bool many = x1.size(-2) > 25 || x2.size(-2) > 25;
  if (p == 2 && (compute_mode.value_or(0) == 1 || (compute_mode.value_or(0) == 0 && many)))
    return unsafe_view(apply(EuclideanDist{}, flat(x1), flat(x2)), shape, "CdistBackward0");
  return unsafe_view(apply(Cdist{p}, flat(x1), flat(x2)), shape, "CdistBackward0");
}

extern const OpEntry linalg_ops[];
extern const size_t linalg_ops_count;
const OpEntry linalg_ops[] = {
    doc("The matrix product; vectors are rows or columns, further dimensions are batches and broadcast.",
        op<matmul>("matmul(Tensor self, Tensor other) -> Tensor",
                   "z(2, 3), z(3, 4)\nz(3), z(3)\nz(2, 2, 3), z(3, 2)\nz(2, 3), z(3)\nz(2, 2, 3), z(2, 3, 2)\nt(3), "
                   "t(3)\nt(2, 3), t(3)\nt(3), t(3, 2)\nt(2, 3), t(3, 4)\nt(2, 2, 3), t(3, 4)\nt(2, 3), t(2, 3, "
                   "2)\nt(2, 1, 2, 3), t(3, 3, 2)\nt(3), t(2, 3, 2)\nt(2, 2, 3), t(3)\nt(0, 3), t(3, 2)\nt(2, 0), t(0, "
                   "3)\nt(2, 0, 3), t(3, 2)\ni(-3, 3, 2, 3), i(-3, 3, 3, 2)")),
    doc("The product of two matrices.", op<mm>("mm(Tensor self, Tensor mat2) -> Tensor",
                                               "z(2, 3), z(3, 4)\nt(2, 3), t(3, 4)\nt(1, 1), t(1, 1)\nt(0, 3), t(3, "
                                               "2)\nt(2, 0), t(0, 2)\nt(5, 7), t(7, 5)")),
    doc("The products of two batches of matrices.",
        op<bmm>("bmm(Tensor self, Tensor mat2) -> Tensor",
                "z(2, 2, 3), z(2, 3, 2)\nt(2, 2, 3), t(2, 3, 2)\nt(0, 2, 3), t(0, 3, 2)\nt(2, 2, 0), t(2, 0, 3)")),
    doc("A matrix times a vector.",
        op<mv>("mv(Tensor self, Tensor vec) -> Tensor", "z(2, 3), z(3)\nt(2, 3), t(3)\nt(0, 3), t(3)\nt(3, 0), t(0)")),
    doc("The sum of the products of two vectors' elements.",
        op<dot>("dot(Tensor self, Tensor tensor) -> Tensor",
                "z(3), z(3)\nt(4), t(4)\nt(0), t(0)\nt(1), t(1)\ni(-3, 4, 5), i(-3, 4, 5)")),
    doc("The sum of the products of two vectors' elements.",
        op<vdot>("vdot(Tensor self, Tensor other) -> Tensor", "z(3), z(3)\nt(4), t(4)")),
    doc("The sums of products along the last dimension of both.",
        op<inner>("inner(Tensor self, Tensor other) -> Tensor", "t(3), t(3)\nt(2, 3), t(4, 3)\nt(), t(3)")),
    doc("Every element of self times every element of vec2.",
        out_casts(op<outer>("outer(Tensor self, Tensor vec2) -> Tensor", "z(3), z(2)\nt(2), t(3)\nt(0), t(3)"))),
    doc("Every element of self times every element of vec2.",
        out_casts(op<ger>("ger(Tensor self, Tensor vec2) -> Tensor", "t(2), t(3)"))),
    doc("beta * self + alpha * (mat1 @ mat2).",
        op<addmm, addmm_>("addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
                          "z(2, 4), z(2, 3), z(3, 4)\nz(4), z(2, 3), z(3, 4), beta=0.5, alpha=2\nt(2, 4), t(2, 3), "
                          "t(3, 4)\nt(4), t(2, 3), t(3, 4)\nt(2, 1), t(2, 3), t(3, 4), beta=0.5, alpha=2.0\nt(2, "
                          "4), t(2, 3), t(3, 4), beta=0\nt(2, 2), t(2, 0), t(0, 2)\nt(), t(2, 3), t(3, 4)")),
    doc("beta * self + alpha * (mat @ vec).",
        op<addmv, addmv_>("addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
                          "z(2), z(2, 3), z(3)\nt(2), t(2, 3), t(3)\nt(1), t(2, 3), t(3), beta=0.5, alpha=2.0")),
    doc("beta * self + alpha * outer(vec1, vec2).",
        out_casts(op<addr, addr_>(
            "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
            "t(2, 3), t(2), t(3)\nt(3), t(2), t(3), beta=0.5, alpha=2.0\nt(2, 3), t(2), t(3), beta=0"))),
    doc("beta * self + alpha * the sum of all products of a batch.",
        op<addbmm, addbmm_>(
            "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
            "t(2, 4), t(3, 2, 3), t(3, 3, 4)\nt(4), t(3, 2, 3), t(3, 3, 4), beta=0.5, alpha=2.0")),
    doc("beta * self + alpha * (batch1 @ batch2), for each of a batch.",
        op<baddbmm, baddbmm_>(
            "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
            "z(2, 2, 2), z(2, 2, 3), z(2, 3, 2)\nt(3, 2, 4), t(3, 2, 3), t(3, 3, 4)\nt(4), t(3, 2, 3), t(3, 3, 4), "
            "beta=0.5, alpha=2.0\nt(3, 2, 4), "
            "t(3, 2, 3), t(3, 3, 4), beta=0")),
    doc("The sums of products along the dimensions named.",
        function(op<tensordot>("tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
                               "z(2, 3), z(3, 2), [1], [0]\nt(2, 3, 4), t(4, 3, 2), [1, 2], [1, 0]\nt(2, 3), t(3, 4), "
                               "[1], [0]\nt(2), t(3), [], []"))),
    doc("The Kronecker product: other times each element of self.",
        out_casts(op<kron>("kron(Tensor self, Tensor other) -> Tensor",
                           "z(2, 2), z(2, 2)\nt(2, 2), t(2, 3)\nt(2), t(3)\nt(2), t(2, 2)\nt(), t(2)"))),
    doc("The p-norm distances between the rows of x1 and those of x2.",
        no_out(op<cdist>(
            "cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor",
            "t(3, 2), t(4, 2)\nt(3, 2), t(2, 2), 1.0\nt(2, 3, 2), t(2, 2, 2), 3.0\nt(3, 2), t(2, 2), "
            "float('inf')\nt(1, 3, 2), t(2, 2, 2)\nt(3, 0), t(2, 0)\nt(3, 2), t(2, 2), compute_mode=1\nt(2, 3), t(26, "
            "3)"))),
    doc("input @ weight.T + bias.", op<linear>("linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
                                               "z(2, 3), z(4, 3), z(4)\nt(2, 3), t(4, 3), t(4)\nt(2, 3), t(4, "
                                               "3)\nt(3), t(4, 3), t(4)\nt(2, 2, 3), t(4, 3), t(4)\nt(0, 3), "
                                               "t(4, 3), t(4)")),
};
const size_t linalg_ops_count = std::size(linalg_ops);

}  // namespace taut
