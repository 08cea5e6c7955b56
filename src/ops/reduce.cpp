// Reductions: sums, products, extremes, moments, norms, softmax.
#include "kernels/reduce.h"
#include "ops/autocast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/softmax.h"
#include "ops/loss.h"
#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/registry.h"
#include "ops/sparse.h"

namespace taut {

namespace {

/// The dimensions of a reduction and the shapes that follow.
struct Axes {
  Dims dims;  // sorted, without repetition
  bool keepdim = false;

  Dims kept(IntArrayRef sizes) const {
    Dims r(sizes);
    for (int64_t d : dims) r[static_cast<size_t>(d)] = 1;
    return r;
  }
  Dims result(IntArrayRef sizes) const {
    if (keepdim) return kept(sizes);
    Dims r;
    size_t next = 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (next < dims.size() && dims[next] == static_cast<int64_t>(d)) ++next;
      else r.push_back(sizes[d]);
    }
    return r;
  }
  int64_t count(IntArrayRef sizes) const {
    int64_t n = 1;
    for (int64_t d : dims) n *= sizes[static_cast<size_t>(d)];
    return n;
  }
  /// A result of the reduction, with the reduced dimensions back as 1.
  Tensor restore(const Tensor& r, IntArrayRef sizes) const {
    return keepdim || dims.empty() ? r : r.reshape(kept(sizes));
  }
  bool all(IntArrayRef sizes) const { return dims.size() == sizes.size(); }
  /// Of a tensor with one more dimension in front.
  Axes moved() const { return {moved_dims(dims), keepdim}; }
};

Axes axes_of(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, const char* op) {
  check_defined(x, op);
  return {wrap_dims(dims, x.dim(), op), keepdim};
}

/// Allocates the result, lets `run` fill it in its keepdim shape, and gives it the shape asked for.
template <class Run>
Tensor reduced(const Tensor& x, const Axes& axes, ScalarType dtype, const char* op, Run run) {
  const Dims kept = axes.kept(x.sizes());
  Tensor y = make(kept, dtype, op);
  run(view_of(y));
  if (axes.keepdim) return y;
  y.impl()->sizes = axes.result(x.sizes());
  set_contiguous_strides(*y.impl());
  return y;
}

ScalarType sum_dtype(const Tensor& x, std::optional<ScalarType> dtype) {
  return dtype ? *dtype : is_integral(x.scalar_type(), true) ? kLong : x.scalar_type();
}

struct Sum {
  static constexpr bool complex = true;
  static constexpr const char* name = "sum";
  static constexpr bool linear = true;
  Axes axes;
  ScalarType dtype;
  bool by_dim;
  const char* shown = nullptr;  // what PyTorch calls the op that ends in this sum
  const char* node_name() const { return shown ? shown : by_dim ? "SumBackward1" : "SumBackward0"; }
  Sum moved(int64_t) const { return {axes.moved(), dtype, by_dim}; }
  Tensor forward(const Tensor& x) const {
    if (x.is_complex())
      return from_parts(Sum{axes, value_type(dtype), by_dim}.forward(parts_of(x, Parts::Last)), Parts::Last,
                        x.dim() == 0);
    return reduced(x, axes, dtype, name,
                   [&](const View& y) { kernels::reduce(kernels::Reduction::Sum, y, view_of(x)); });
  }
  Tensor forward_sparse(const Tensor& x) const {
    return sparse::sum(x, by_dim ? IntArrayRef(axes.dims) : IntArrayRef(), axes.keepdim, dtype);
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return axes.restore(g, s.sizes(0)).expand(s.sizes(0)); }
};

struct Mean {
  static constexpr bool complex = true;
  static constexpr const char* name = "mean";
  static constexpr bool linear = true;
  Axes axes;
  ScalarType dtype;
  bool by_dim;
  const char* shown = nullptr;  // what PyTorch calls the op that ends in this mean
  const char* node_name() const { return shown ? shown : by_dim ? "MeanBackward1" : "MeanBackward0"; }
  Mean moved(int64_t) const { return {axes.moved(), dtype, by_dim}; }
  Tensor forward(const Tensor& x) const {
    if (x.is_complex())
      return from_parts(Mean{axes, value_type(dtype), by_dim}.forward(parts_of(x, Parts::Last)), Parts::Last,
                        x.dim() == 0);
    Tensor y = reduced(x, axes, wide_type(dtype), name,
                       [&](const View& v) { kernels::reduce(kernels::Reduction::Sum, v, view_of(x)); });
    const auto count = static_cast<double>(axes.count(x.sizes()));
    if (y.numel() != 1 || dtype != kFloat) return y.div_(count).to(dtype);
    if (!dry)
      *static_cast<float*>(y.impl()->data) /= static_cast<float>(count);  // the mean of everything is most common
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    return (axes.restore(g, s.sizes(0)) / Scalar(static_cast<double>(axes.count(s.sizes(0))))).expand(s.sizes(0));
  }
};

struct Prod {
  static constexpr const char* name = "prod";
  static constexpr unsigned reads[] = {kInput(0) | kResult()}, bends = kInput(0);
  Axes axes;
  ScalarType dtype;
  bool by_dim;
  const char* node_name() const { return by_dim ? "ProdBackward1" : "ProdBackward0"; }
  Prod moved(int64_t) const { return {axes.moved(), dtype, by_dim}; }
  Tensor forward(const Tensor& x) const {
    return reduced(x, axes, dtype, name,
                   [&](const View& y) { kernels::reduce(kernels::Reduction::Prod, y, view_of(x)); });
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0);
    if (x.numel() == 0) return zeros(x.sizes(), x.scalar_type());
    if (x.dim() == 0) return g;
    if (!by_dim) return others(x.reshape({-1}), 0).view(x.sizes()) * g;
    const Tensor gy = axes.restore(g, x.sizes());
    return others(x, axes.dims[0]) * gy;
  }
  /// The product of all the other elements along dim: right where some are zero, to any order.
  Tensor others(const Tensor& x, int64_t dim) const {
    const int64_t n = x.size(dim);
    Dims one(x.sizes());
    one[static_cast<size_t>(dim)] = 1;
    const Tensor ones = taut::ones(one, x.scalar_type());
    const Tensor before = cat({ones, x.narrow(dim, 0, n - 1)}, dim).cumprod(dim);
    const Tensor after = cat({ones, x.narrow(dim, 1, n - 1).flip(dim)}, dim).cumprod(dim).flip(dim);
    return before * after;
  }
};

struct Extreme {
  static constexpr const char* name = "amax";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  Axes axes;
  bool largest;
  const char *op, *node;
  bool finds_nan;  // the gradient of a nan goes to the nans; else all elements get a nan
  const char* op_name() const { return op; }
  const char* node_name() const { return node; }
  Extreme moved(int64_t) const { return {axes.moved(), largest, op, node, finds_nan}; }
  Tensor forward(const Tensor& x) const {
    return reduced(x, axes, x.scalar_type(), name, [&](const View& y) {
      kernels::reduce(largest ? kernels::Reduction::Max : kernels::Reduction::Min, y, view_of(x));
    });
  }
  /// Equal extremes share the gradient.
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0), best = axes.restore(s.result().detach(), x.sizes());
    Tensor mask = x.detach() == best;
    if (finds_nan) mask = mask | (x.detach().isnan() & best.isnan());
    const Tensor weight = mask.to(g.scalar_type());
    return axes.restore(g, x.sizes()) * (weight / weight.sum(axes.dims, true));
  }
};

/// max and min along one dimension, with where they are.
struct ExtremeIndex {
  static constexpr const char* name = "max";
  static constexpr unsigned reads[] = {kResult(1)};
  int64_t dim;
  bool keepdim, largest;
  const char* op_name() const { return largest ? "max" : "min"; }
  const char* node_name() const { return largest ? "MaxBackward0" : "MinBackward0"; }
  ExtremeIndex moved(int64_t) const { return {dim + 1, keepdim, largest}; }
  std::array<Tensor, 2> forward(const Tensor& x) const {
    const Axes axes{Dims({dim}), keepdim};
    if (x.dim() == 0) return {x.clone(), make({}, kLong).zero_()};
    Tensor indices = make(axes.kept(x.sizes()), kLong, name);
    Tensor values = make(axes.kept(x.sizes()), x.scalar_type(), name);
    kernels::reduce_index(largest, view_of(values), view_of(indices), view_of(x), static_cast<int>(dim));
    if (keepdim) return {values, indices};
    const Dims shape = axes.result(x.sizes());
    return {alias(values, shape, contiguous_strides(shape)), alias(indices, shape, contiguous_strides(shape))};
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    if (s.sizes(0).empty()) return g;
    const Tensor index = s.result(1);
    const bool squeezed = !keepdim;
    return zeros_for(s.sizes(0), g.scalar_type(), g, index)
        .scatter(dim, squeezed ? index.unsqueeze(dim) : index, squeezed ? g.unsqueeze(dim) : g);
  }
};

struct ArgExtreme {
  static constexpr const char* name = "argmax";
  int64_t dim;
  bool keepdim, largest;
  const char* op_name() const { return largest ? "argmax" : "argmin"; }
  ArgExtreme moved(int64_t) const { return {dim + 1, keepdim, largest}; }
  Tensor forward(const Tensor& x) const {
    if (x.dim() == 0) return make({}, kLong).zero_();
    return reduced(x, {Dims({dim}), keepdim}, kLong, name, [&](const View& y) {
      View none = y;
      none.data = nullptr;
      none.dtype = x.scalar_type();
      kernels::reduce_index(largest, none, y, view_of(x), static_cast<int>(dim));
    });
  }
};

struct Truth {
  static constexpr const char* name = "any";
  Axes axes;
  kernels::Reduction what;
  ScalarType dtype;
  const char* op;
  const char* op_name() const { return op; }
  Truth moved(int64_t) const { return {axes.moved(), what, dtype, op}; }
  Tensor forward(const Tensor& x) const {
    return reduced(x, axes, dtype, name, [&](const View& y) { kernels::reduce(what, y, view_of(x)); });
  }
};

struct Var {
  static constexpr const char* name = "var";
  static constexpr const char* node = "VarBackward0";
  static constexpr unsigned reads[] = {kInput(0)};
  Axes axes;
  double correction;
  bool whole;  // of all elements, not along dimensions
  Var moved(int64_t) const { return {axes.moved(), correction, whole}; }
  Tensor forward(const Tensor& x) const { return of(x, false); }
  /// The variance, or its root. What overflows is computed anew in float64: the root may fit.
  Tensor of(const Tensor& x, bool root) const {
    const ScalarType t = x.scalar_type();
    Tensor y = in(x, wide_type(t), root);
    if (t != kDouble && !dry &&
        !std::all_of(y.data_ptr<float>(), y.data_ptr<float>() + y.numel(), [](float v) { return std::isfinite(v); }))
      y = in(x, kDouble, root);
    return y.to(t);
  }
  Tensor in(const Tensor& x, ScalarType t, bool root) const {
    Tensor mean = make(axes.kept(x.sizes()), t, name);
    const double n = static_cast<double>(axes.count(x.sizes()));
    Tensor y = reduced(x, axes, t, name, [&](const View& v) { kernels::moments(view_of(mean), v, view_of(x)); });
    y.div_(std::max(0.0, n - correction));
    return root ? y.sqrt_() : y;
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return carry_back(g, s.input(0)); }
  Tensor carry_back(const Tensor& g, const Tensor& x) const {
    const double left = static_cast<double>(axes.count(x.sizes())) - correction;
    const Tensor spread = axes.restore(g, x.sizes()), off = x - x.mean(axes.dims, true);
    if (!whole || left > 0) return spread * (2.0 / left) * off;
    const double inf = std::numeric_limits<double>::infinity();  // as PyTorch has it, with either sign
    return spread * full(x.sizes(), inf, x.scalar_type()).masked_fill(off.detach() == 0, NAN);
  }
};

struct Std {
  static constexpr const char* name = "std";
  static constexpr const char* node = "StdBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  Axes axes;
  double correction;
  bool whole;
  Std moved(int64_t) const { return {axes.moved(), correction, whole}; }
  Tensor forward(const Tensor& x) const { return Var{axes, correction, whole}.of(x, true); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0), y = s.result();
    // Masked before too, so that forward mode, which transposes this, meets no 0 / 0.
    const Tensor none = y == 0, scaled = (g.masked_fill(none, 0) / (y * 2)).masked_fill(none, 0);
    return Var{axes, correction, whole}.carry_back(scaled, x);
  }
};

struct Norm {
  static constexpr const char* name = "norm";
  static constexpr const char* node = "LinalgVectorNormBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  Axes axes;
  double p;
  Norm moved(int64_t) const { return {axes.moved(), p}; }
  Tensor forward(const Tensor& x) const {
    // The power of a single number need not fit: its norm is its size.
    const double power = p != 0 && axes.count(x.sizes()) == 1 ? 1 : p;
    return reduced(x, axes, x.scalar_type(), name, [&](const View& y) { kernels::norm(y, view_of(x), power); });
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0), y = axes.restore(s.result(), x.sizes()), gy = axes.restore(g, x.sizes());
    if (p == 0) return {};
    if (p == 1) return x.sgn() * gy;
    if (p == 2) return gy * (x / y).masked_fill(y == 0, 0);
    if (std::isinf(p)) {
      const Tensor mask =
          (x.detach().abs() == y.detach()).logical_or(y.detach().isnan() & x.detach().isnan()).to(g.scalar_type());
      return x.sgn() * (gy / mask.sum(axes.dims, true) * mask);
    }
    if (p < 1) return x.sgn() * x.abs().pow(p - 1).masked_fill(x == 0, 0) * y.pow(1 - p) * gy;
    const Tensor none = y == 0;
    return x.sgn() * x.abs().pow(p - 1) * (gy.masked_fill(none, 0) / y.pow(p - 1)).masked_fill(none, 0);
  }
};

struct Logsumexp {
  static constexpr const char* name = "logsumexp";
  static constexpr const char* node = "LogsumexpBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  Axes axes;
  Tensor batch(const Batch&, const Tensor& x) const {
    return axes.dims.empty() ? x.clone() : apply(Logsumexp{axes.moved()}, x);  // one number: itself
  }
  Tensor forward(const Tensor& x) const {
    if (x.numel() == 0) return x.exp().sum(axes.dims, axes.keepdim).log();
    const ScalarType t = x.scalar_type();
    if (axes.dims.size() == 1 && axes.dims[0] == x.dim() - 1 && x.is_contiguous() && (t == kFloat || t == kDouble)) {
      Tensor y = make(axes.result(x.sizes()), t, name);
      kernels::logsumexp(view_of(y), view_of(x));
      return y;
    }
    const Tensor top = x.amax(axes.dims, true);
    const Tensor finite = top.masked_fill(top.isinf(), 0);
    const Tensor y = (x - finite).exp_().sum(axes.dims, true).log_().add_(finite);
    return axes.keepdim ? y : y.view(axes.result(x.sizes()));
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0);
    return axes.restore(g, x.sizes()) * (x - axes.restore(s.result(), x.sizes())).exp();
  }
};

template <bool kLog>
struct Softmax {
  static constexpr const char* name = kLog ? "log_softmax" : "softmax";
  static constexpr const char* node = kLog ? "LogSoftmaxBackward0" : "SoftmaxBackward0";
  static constexpr unsigned reads[] = {kResult()};
  int64_t dim;
  Softmax moved(int64_t) const { return {dim + 1}; }
  Tensor forward(const Tensor& x) const {
    Tensor y = make(x.sizes(), x.scalar_type(), name);
    if (x.numel() == 0) return y;
    if (x.dim() == 0) return kLog ? y.fill_(0) + x - x : y.fill_(1) + x - x;  // nan stays
    kernels::softmax(view_of(y), view_of(x), static_cast<int>(dim), kLog);
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor y = s.result();
    if (must_record() || y.dim() == 0) {
      const Tensor sum = [&] { return (kLog ? g : g * y).sum(dim, true); }();
      return kLog ? g - y.exp() * sum : (g - sum) * y;
    }
    Tensor dx = make(y.sizes(), y.scalar_type(), name);
    kernels::softmax_backward(view_of(dx), view_of(g), view_of(y), static_cast<int>(dim), kLog);
    return dx;
  }
};

/// Reductions that have no value for nothing: every reduced dimension must have elements.
void check_not_empty(const Tensor& x, const Axes& axes, const char* op) {
  for (int64_t d : axes.dims)
    check<IndexError>(x.numel() > 0 || x.sizes()[static_cast<size_t>(d)] != 0, op, ": Expected reduction dim ", d,
                      " to have non-zero size, the input has shape ", x.sizes());
}
void check_dim_not_empty(const Tensor& x, int64_t dim, const char* op) {
  check<IndexError>(x.dim() == 0 || x.size(dim) != 0, op, ": Expected reduction dim ", dim,
                    " to have non-zero size, the input has shape ", x.sizes());
}
void check_floating(const Tensor& x, const char* op) {
  check<TypeError>(x.is_floating_point(), op, ": only supports floating point dtypes, got ", x.scalar_type(),
                   ". Convert first: x.to(taut::kFloat).");
}

}  // namespace

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) {
  Axes axes = axes_of(self, std::nullopt, false, "sum");
  check_whole_result(self, dtype, "sum");
  const Tensor x = dtype && *dtype != self.scalar_type() ? self.to(*dtype) : as_signed(self);
  return apply(Sum{axes, sum_dtype(self, dtype), false}, x);
}
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  Axes axes = axes_of(self, dim, keepdim, "sum");
  check_whole_result(self, dtype, "sum");
  const Tensor x = dtype && *dtype != self.scalar_type() ? self.to(*dtype) : as_signed(self);
  return apply(Sum{axes, sum_dtype(self, dtype), true}, x);
}
Tensor sum_as(const Tensor& self, const char* node) {
  return apply(Sum{axes_of(self, std::nullopt, false, "sum"), self.scalar_type(), false, node}, self);
}
Tensor mean_as(const Tensor& self, const char* node) {
  return apply(Mean{axes_of(self, std::nullopt, false, "mean"), self.scalar_type(), false, node}, self);
}
Tensor nansum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  check_defined(self, "nansum");
  check(!self.is_complex(), "nansum does not support complex inputs");
  if (!self.is_floating_point()) return sum(self, dim, keepdim, dtype);
  return sum(where(self.isnan(), full({}, 0, self.scalar_type()), self), dim, keepdim, dtype);
}

static Tensor mean_of(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
                      bool by_dim) {
  Axes axes = axes_of(self, dim, keepdim, "mean");
  const ScalarType t = dtype.value_or(self.scalar_type());
  check(is_differentiable(t),
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ", t,
        ". Convert first: x.to(taut::kFloat).");
  return apply(Mean{axes, t, by_dim}, t != self.scalar_type() ? self.to(t) : self);
}
Tensor mean(const Tensor& self, std::optional<ScalarType> dtype) {
  return mean_of(self, std::nullopt, false, dtype, false);
}
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  return mean_of(self, dim, keepdim, dtype, true);
}
Tensor nanmean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  check_defined(self, "nanmean");
  check_floating(self, "nanmean");
  return nansum(self, dim, keepdim, dtype) / self.detach().isnan().logical_not().sum(dim, keepdim);
}

/// The product along dim: the first half times the second, again and again.
static Tensor complex_prod(Tensor x, int64_t dim, bool keepdim) {
  if (x.size(dim) == 0) {
    Dims shape(x.sizes());
    shape[static_cast<size_t>(dim)] = 1;
    x = cat({x, ones(shape, x.options())}, dim);  // so that it stays what the product depends on
  }
  for (int64_t n = x.size(dim); n > 1; n = x.size(dim)) {
    const Tensor pairs = x.narrow(dim, 0, n / 2) * x.narrow(dim, n / 2, n / 2);
    x = n % 2 ? cat({pairs, x.narrow(dim, n - 1, 1)}, dim) : pairs;
  }
  return keepdim ? x.clone() : x.select(dim, 0).clone();
}
Tensor prod(const Tensor& self, std::optional<ScalarType> dtype) {
  AUTOCAST(prod, as_wide(self), dtype);
  check_defined(self, "prod");
  if (is_complex(dtype.value_or(self.scalar_type())))
    return complex_prod(self.to(dtype.value_or(self.scalar_type())).reshape({-1}), 0, false);
  Axes axes = axes_of(self, std::nullopt, false, "prod");
  check_whole_result(self, dtype, "prod");
  return apply(Prod{axes, sum_dtype(self, dtype), false}, dtype ? self.to(*dtype) : as_signed(self));
}
Tensor prod(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  AUTOCAST(prod, as_wide(self), dim, keepdim, dtype);
  Axes axes = axes_of(self, {dim}, keepdim, "prod");
  if (is_complex(dtype.value_or(self.scalar_type()))) {
    const Tensor x = self.to(dtype.value_or(self.scalar_type()));
    return x.dim() == 0 ? x.clone() : complex_prod(x, axes.dims[0], keepdim);
  }
  check_whole_result(self, dtype, "prod");
  return apply(Prod{axes, sum_dtype(self, dtype), true}, dtype ? self.to(*dtype) : as_signed(self));
}

Tensor var(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction, bool keepdim) {
  Axes axes = axes_of(self, dim, keepdim, "var");
  if (self.is_complex()) return var(real(self), dim, correction, keepdim) + var(imag(self), dim, correction, keepdim);
  check_floating(self, "var");
  return apply(Var{axes, correction.value_or(1).toDouble(), !dim || self.dim() == 0}, self);
}
Tensor std(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction, bool keepdim) {
  Axes axes = axes_of(self, dim, keepdim, "std");
  if (self.is_complex()) {  // where all numbers are equal the gradient is 0
    const Tensor v = var(self, dim, correction, keepdim), none = v.detach() == 0;
    return v.masked_fill(none, 1).sqrt().masked_fill(none, 0);
  }
  check_floating(self, "std");
  return apply(Std{axes, correction.value_or(1).toDouble(), !dim || self.dim() == 0}, self);
}
Tensor var(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return var(self, dim, std::optional<Scalar>(unbiased ? 1 : 0), keepdim);
}
Tensor std(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return taut::std(self, dim, std::optional<Scalar>(unbiased ? 1 : 0), keepdim);
}
/// The mean beside a variance: unlike mean() alone it fits wherever the numbers do.
static Tensor mean_beside(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  const Tensor m = mean(self, dim, keepdim);
  if (self.scalar_type() == kDouble || self.is_complex() || no_data(self) || m.detach().isfinite().all().item<bool>())
    return m;
  return mean(self.to(kDouble), dim, keepdim).to(self.scalar_type());
}
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArrayRef dim,
                                    const std::optional<Scalar>& correction, bool keepdim) {
  return {var(self, dim, correction, keepdim), mean_beside(self, dim, keepdim)};
}
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArrayRef dim,
                                    const std::optional<Scalar>& correction, bool keepdim) {
  return {taut::std(self, dim, correction, keepdim), mean_beside(self, dim, keepdim)};
}
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return var_mean(self, dim, std::optional<Scalar>(unbiased ? 1 : 0), keepdim);
}
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return std_mean(self, dim, std::optional<Scalar>(unbiased ? 1 : 0), keepdim);
}

static Tensor whole_extreme(const Tensor& self, bool largest) {
  const char* op = largest ? "max" : "min";
  Axes axes = axes_of(self, std::nullopt, false, op);
  check(self.numel() > 0, op,
        "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' "
        "argument.");
  return apply(Extreme{axes, largest, op, largest ? "MaxBackward1" : "MinBackward1", true}, self);
}
Tensor max(const Tensor& self) { return whole_extreme(self, true); }
Tensor min(const Tensor& self) { return whole_extreme(self, false); }
Tensor max(const Tensor& self, const Tensor& other) { return maximum(self, other); }
Tensor min(const Tensor& self, const Tensor& other) { return minimum(self, other); }
static std::tuple<Tensor, Tensor> extreme_along(const Tensor& self, int64_t dim, bool keepdim, bool largest) {
  const char* op = largest ? "max" : "min";
  check_defined(self, op);
  const int64_t d = wrap_dim(dim, self.dim(), op);
  check_dim_not_empty(self, d, op);
  auto [values, indices] = apply(ExtremeIndex{d, keepdim, largest}, self);
  return {values, indices};
}
std::tuple<Tensor, Tensor> max(const Tensor& self, int64_t dim, bool keepdim) {
  return extreme_along(self, dim, keepdim, true);
}
std::tuple<Tensor, Tensor> min(const Tensor& self, int64_t dim, bool keepdim) {
  return extreme_along(self, dim, keepdim, false);
}
Tensor amax(const Tensor& self, IntArrayRef dim, bool keepdim) {
  Axes axes = axes_of(self, dim, keepdim, "amax");
  check_not_empty(self, axes, "amax");
  return apply(Extreme{axes, true, "amax", "AmaxBackward0", false}, self);
}
Tensor amin(const Tensor& self, IntArrayRef dim, bool keepdim) {
  Axes axes = axes_of(self, dim, keepdim, "amin");
  check_not_empty(self, axes, "amin");
  return apply(Extreme{axes, false, "amin", "AminBackward0", false}, self);
}
std::tuple<Tensor, Tensor> aminmax(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  check_defined(self, "aminmax", "self");
  const std::vector<int64_t> dims = dim ? std::vector<int64_t>{*dim} : std::vector<int64_t>{};
  check(self.numel() > 0 || dim,
        "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  Tensor low = amin(self, dims, keepdim);
  return {low, amax(self, dims, keepdim)};
}
static Tensor arg_extreme(const Tensor& self, std::optional<int64_t> dim, bool keepdim, bool largest) {
  const char* op = largest ? "argmax" : "argmin";
  check_defined(self, op);
  check<TypeError>(self.scalar_type() != kBool, op, ": not implemented for 'bool'. Convert first: x.to(taut::kByte).");
  if (dim) {
    const int64_t d = wrap_dim(*dim, self.dim(), op);
    check_dim_not_empty(self, d, op);
    return apply(ArgExtreme{d, keepdim, largest}, self);
  }
  check<IndexError>(self.numel() > 0, op,
                    "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
                    "the 'dim' argument.");
  Tensor r = apply(ArgExtreme{0, false, largest}, self.reshape({-1}));
  return keepdim ? r.reshape(std::vector<int64_t>(static_cast<size_t>(self.dim()), 1)) : r;
}
Tensor argmax(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  return arg_extreme(self, dim, keepdim, true);
}
Tensor argmin(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  return arg_extreme(self, dim, keepdim, false);
}

static Tensor truth(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, kernels::Reduction what,
                    const char* op) {
  Axes axes = axes_of(self, dim, keepdim, op);
  if (dim && dim->empty()) axes.dims.resize(0);
  Tensor r = apply(Truth{axes, what, kBool, op}, self.scalar_type() >= kComplexHalf ? self != 0 : self);
  return self.scalar_type() == kByte ? r.to(kByte) : r;
}
Tensor any(const Tensor& self) {
  if (self.defined() && is_sparse(self)) return any(sparse::value_part(self));
  return truth(self, std::nullopt, false, kernels::Reduction::Any, "any");
}
Tensor all(const Tensor& self) { return truth(self, std::nullopt, false, kernels::Reduction::All, "all"); }
Tensor any(const Tensor& self, int64_t dim, bool keepdim) {
  return truth(self, {dim}, keepdim, kernels::Reduction::Any, "any");
}
Tensor all(const Tensor& self, int64_t dim, bool keepdim) {
  return truth(self, {dim}, keepdim, kernels::Reduction::All, "all");
}
Tensor any(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return truth(self, dim, keepdim, kernels::Reduction::Any, "any");
}
Tensor all(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return truth(self, dim, keepdim, kernels::Reduction::All, "all");
}
Tensor count_nonzero(const Tensor& self, OptionalIntArrayRef dim) {
  check_defined(self, "count_nonzero");
  return apply(
      Truth{axes_of(self, dim, false, "count_nonzero"), kernels::Reduction::CountNonzero, kLong, "count_nonzero"},
      self.is_complex() ? self != 0 : self);
}

static Tensor norm_of(const Tensor& self, const std::optional<Scalar>& p, OptionalIntArrayRef dim, bool keepdim,
                      std::optional<ScalarType> dtype) {
  Axes axes = axes_of(self, dim, keepdim, "norm");
  const ScalarType t = dtype.value_or(self.scalar_type());
  if (is_complex(t)) return norm_of(abs(self.to(t)), p, dim, keepdim, std::nullopt);
  check(is_floating_point(t), "norm: input dtype should be either floating point or complex. Got ", t,
        " instead. Convert first: x.to(taut::kFloat).");
  const double power = p.value_or(2).toDouble();
  if (power < 0 || (std::isinf(power) && power > 0)) {
    const bool empty = self.numel() == 0 && axes.count(self.sizes()) == 0;
    check(!empty, "linalg.vector_norm cannot compute the ", power,
          " norm on an empty tensor because the operation does not have an identity");
  }
  return apply(Norm{axes, power}, t != self.scalar_type() ? self.to(t) : self);
}
Tensor norm(const Tensor& self, const Scalar& p) {
  if (self.defined() && self.is_sparse()) return norm(sparse::values_of(coalesce(self)), p);
  return norm_of(self, p, std::nullopt, false, std::nullopt);
}
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, ScalarType dtype) {
  return norm_of(self, p, std::nullopt, false, dtype);
}
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim) {
  return norm_of(self, p, dim, keepdim, std::nullopt);
}
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype) {
  return norm_of(self, p, dim, keepdim, dtype);
}
Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p) { return norm(self - other, p); }
Tensor trace(const Tensor& self) {
  AUTOCAST(trace, as_wide(self));
  check_defined(self, "trace");
  check(self.dim() == 2, "trace: expected a matrix, but got tensor with dim ", self.dim());
  return is_differentiable(self.scalar_type()) ? sum_as(self.diagonal(), "TraceBackward0") : self.diagonal().sum();
}

Tensor logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim) {
  Axes axes = axes_of(self, dim, keepdim, "logsumexp");
  if (self.is_complex()) {
    if (self.numel() == 0) return self.exp().sum(axes.dims, keepdim).log();
    const Tensor top = real(self.detach()).amax(axes.dims, true), finite = top.masked_fill(top.isinf(), 0);
    const Tensor y = (self - finite).exp().sum(axes.dims, true).log() + finite;
    return keepdim ? y : y.view(axes.result(self.sizes()));
  }
  return apply(Logsumexp{axes}, self.is_floating_point() ? self : self.to(get_default_dtype()));
}
template <bool kLog>
static Tensor softmax_of(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  using Op = Softmax<kLog>;
  check_defined(self, Op::name);
  const Tensor x = dtype ? self.to(*dtype) : self;
  check<TypeError>(x.is_floating_point() || x.numel() == 0, Op::name, ": not implemented for '", x.scalar_type(),
                   "'. Pass dtype=taut::kFloat, or convert first.");
  return apply(Op{wrap_dim(dim, x.dim(), Op::name)}, x);
}
Tensor softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return softmax_of<false>(self, dim, dtype);
}
Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return softmax_of<true>(self, dim, dtype);
}

extern const OpEntry reduce_ops[];
extern const size_t reduce_ops_count;
const OpEntry reduce_ops[] = {
    doc("The sum of the elements, of all or along dim.",
        no_out(op("sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
                  "z(2, 3)\nz()\nt(2, 3)\nt()\nt(0, 3)\ni(-5, 5, 4)\nb(5)",
                  [](const Tensor& x, std::optional<ScalarType> t) { return sum(x, t); }))),
    out_casts(op(
        "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        "z(2, 3), [1]\nz(2, 3), [0], True\nz(2, 3), [-1]\nt(2, 3), 1\nt(2, 3, 4), [0, 2], keepdim=True\nt(2, 3), "
        "[]\nt(2, 3), None\nt(), 0\nt(2, 0), 1\nt(0, 3), "
        "-1\ni(-5, 5, 3, 2), 0",
        [](const Tensor& x, OptionalIntArrayRef d, bool k, std::optional<ScalarType> t) { return sum(x, d, k, t); })),
    doc("The sum of the elements that are not nan.",
        out_casts(
            op<nansum>("nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                       "t(2, 3)\nt(2, 3), 1, True\nc([1.5, float('nan'), 2.0])"))),
    doc("The mean of the elements, of all or along dim.",
        out_casts(op("mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", "t(2, 3)\nt()\nt(0, 3)",
                     [](const Tensor& x, std::optional<ScalarType> t) { return mean(x, t); }))),
    out_casts(op(
        "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        "z(2, 3), [1]\nt(2, 3), 1\nt(2, 3, 4), [0, -1], True\nt(), 0\nt(2, 0), 1\nt(3, 0), 0",
        [](const Tensor& x, OptionalIntArrayRef d, bool k, std::optional<ScalarType> t) { return mean(x, d, k, t); })),
    doc("The mean of the elements that are not nan.",
        out_casts(op<nanmean>(
            "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
            "t(2, 3)\nt(2, 3), 1, True\nc([1.5, float('nan'), 2.0])"))),
    doc("The product of the elements, of all or along dim.",
        no_out(op("prod(Tensor self, *, ScalarType? dtype=None) -> Tensor",
                  "z(2, 3)\nz()\nt(2, 3)\nt()\nt(0, 3)\nc([1.5, 0.0, 2.0])\nc([0.0, 0.0, 2.0])\ni(1, 4, 4)",
                  [](const Tensor& x, std::optional<ScalarType> t) { return prod(x, t); }))),
    out_casts(op("prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                 "z(2, 3), 1\nz(5, 2), 0, True\nz(0, 2), 0\nt(2, 3), 1\nt(2, 3), 0, True\nc([[1.5, 0.0, 2.0], [0.0, "
                 "3.0, 0.0]]), "
                 "1\nt(), 0\nt(2, 0), 1\nt(2, 1), 1",
                 [](const Tensor& x, int64_t d, bool k, std::optional<ScalarType> t) { return prod(x, d, k, t); })),
    doc("The variance: squared distances from the mean, divided by the count less correction (1).",
        out_casts(op(
            "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
            "z(2, 3)\nt(2, 3)\nt(2, 3), 1\nt(4, 3), [0, 1], correction=0, keepdim=True\nt(2, 3, 4), -1, correction=2",
            [](const Tensor& x, OptionalIntArrayRef d, const std::optional<Scalar>& c, bool k) {
              return var(x, d, c, k);
            }))),
    doc("The standard deviation, the root of var.",
        out_casts(op(
            "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
            "z(2, 3)\nt(2, 3)\nt(2, 3), 1\nt(4, 3), [0, 1], correction=0, keepdim=True\nt(2, 3, 4), -1, correction=2",
            [](const Tensor& x, OptionalIntArrayRef d, const std::optional<Scalar>& c, bool k) {
              return taut::std(x, d, c, k);
            }))),
    doc("Variance and mean.",
        function(no_out(op("var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? "
                           "correction=None, bool keepdim=False) -> (Tensor, "
                           "Tensor)",
                           "t(2, 3)\nt(2, 3), 1, keepdim=True",
                           [](const Tensor& x, OptionalIntArrayRef d, const std::optional<Scalar>& c, bool k) {
                             return var_mean(x, d, c, k);
                           })))),
    doc("Standard deviation and mean.",
        function(no_out(op("std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
                           "keepdim=False) -> (Tensor, "
                           "Tensor)",
                           "t(2, 3)\nt(2, 3), 1, keepdim=True",
                           [](const Tensor& x, OptionalIntArrayRef d, const std::optional<Scalar>& c, bool k) {
                             return std_mean(x, d, c, k);
                           })))),
    out_casts(op("var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
                 "t(2, 3), 1\nt(2, 3), [0], False, True\nt(3), None, False",
                 [](const Tensor& x, OptionalIntArrayRef d, bool u, bool k) { return var(x, d, u, k); })),
    out_casts(op("std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
                 "t(2, 3), 1\nt(2, 3), [0], False, True\nt(3), None, False",
                 [](const Tensor& x, OptionalIntArrayRef d, bool u, bool k) { return taut::std(x, d, u, k); })),
    function(
        no_out(op("var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
                  "t(2, 3), 1\nt(2, 3), [0], False, True",
                  [](const Tensor& x, OptionalIntArrayRef d, bool u, bool k) { return var_mean(x, d, u, k); }))),
    function(
        no_out(op("std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
                  "t(2, 3), 1\nt(2, 3), [0], False, True",
                  [](const Tensor& x, OptionalIntArrayRef d, bool u, bool k) { return std_mean(x, d, u, k); }))),
    no_out(op("var(Tensor self, bool unbiased=True) -> Tensor", "t(2, 3), False\nt(3), True",
              [](const Tensor& x, bool u) { return var(x, std::nullopt, u); })),
    no_out(op("std(Tensor self, bool unbiased=True) -> Tensor", "t(2, 3), False\nt(3), True",
              [](const Tensor& x, bool u) { return taut::std(x, std::nullopt, u); })),
    function(no_out(op("var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", "t(2, 3), False\nt(3), True",
                       [](const Tensor& x, bool u) { return var_mean(x, std::nullopt, u); }))),
    function(no_out(op("std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", "t(2, 3), False\nt(3), True",
                       [](const Tensor& x, bool u) { return std_mean(x, std::nullopt, u); }))),
    doc("The largest element; along dim also where it stands; or the larger of two tensors' elements.",
        out_casts(op("max(Tensor self) -> Tensor",
                     "t(2, 3)\nt()\nc([1.0, 3.0, 3.0])\nc([1.0, float('nan'), 3.0])\ni(0, 9, 5)",
                     [](const Tensor& x) { return max(x); }))),
    doc("The smallest element; along dim also where it stands; or the smaller of two tensors' elements.",
        out_casts(op("min(Tensor self) -> Tensor",
                     "t(2, 3)\nt()\nc([1.0, 1.0, 3.0])\nc([1.0, float('nan'), 3.0])\ni(0, 9, 5)",
                     [](const Tensor& x) { return min(x); }))),
    out_casts(op("max.other(Tensor self, Tensor other) -> Tensor", "t(2, 3), t(3)",
                 [](const Tensor& x, const Tensor& y) { return max(x, y); })),
    out_casts(op("min.other(Tensor self, Tensor other) -> Tensor", "t(2, 3), t(3)",
                 [](const Tensor& x, const Tensor& y) { return min(x, y); })),
    out_apart(op(
        "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        "t(2, 3), 1\nt(2, 3), 0, True\nt(), 0\nt(0, 3), 1\nc([[1.0, 3.0, 3.0], [2.0, 2.0, 1.0]]), 1\nb(2, 3), 1\ni(0, "
        "3, 4, 3), 0",
        [](const Tensor& x, int64_t d, bool k) { return max(x, d, k); })),
    out_apart(op("min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
                 "t(2, 3), 1\nt(2, 3), 0, True\nt(), 0\nt(0, 3), 1\nc([[1.0, 1.0, 3.0], [2.0, 2.0, 2.0]]), 1",
                 [](const Tensor& x, int64_t d, bool k) { return min(x, d, k); })),
    doc("The largest element along dims; equal ones share the gradient.",
        op<amax>("amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                 "t(2, 3)\nt(2, 3), 1\nt(2, 3, 4), [0, 2], True\nt()\nc([[1.0, 3.0, 3.0]]), 1")),
    doc("The smallest element along dims; equal ones share the gradient.",
        op<amin>("amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                 "t(2, 3)\nt(2, 3), 1\nt(2, 3, 4), [0, 2], True\nt()\nc([[1.0, 1.0, 3.0]]), 1")),
    doc("The smallest and the largest element.",
        op<aminmax>("aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
                    "t(2, 3)\nt(2, 3), dim=1\nt(2, 3), dim=0, keepdim=True")),
    doc("Where the largest element stands.",
        op<argmax>(
            "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
            "z(3)\nt(2, 3)\nt(2, 3), 1\nt(2, 3), 0, True\nt()\nc([1.0, 3.0, 3.0])\nc([1.0, float('nan'), 3.0])")),
    doc("Where the smallest element stands.",
        op<argmin>("argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
                   "t(2, 3)\nt(2, 3), 1\nt(2, 3), 0, True\nt()\nc([1.0, 1.0, 3.0])")),
    doc("The p-norm: the p-th root of the sum of p-th powers; inf for the largest, 0 for the count of non-zeros.",
        op("norm.Scalar(Tensor self, Scalar p=2) -> Tensor",
           "z(2, 3), 2\nz(3), 1\nt(2, 3)\nt(2, 3), 1\nt(4), 3\nt(4), 0\nt(4), float('inf')\nt(4), 0.5\nt()\nt(0)",
           [](const Tensor& x, const Scalar& p) { return norm(x, p); })),
    op("norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
       "t(2, 3), 2, 1\nt(2, 3), 1, [0], True\nt(2, 3, 2), 3, [0, 2]\nt(2, 3), float('inf'), 1\nt(2, 3), float('-inf'), "
       "1\nc([[0.0, 0.0], [3.0, 4.0]]), 2, 1",
       [](const Tensor& x, const std::optional<Scalar>& p, IntArrayRef d, bool k) { return norm(x, p, d, k); }),
    doc("Whether any element is true (not 0).",
        out<Out::OrByte>(op("any(Tensor self) -> Tensor", "z(2, 3)\nb(2, 3)\nt(3)\nt(0)\nc([0, 0])",
                            [](const Tensor& x) { return any(x); }))),
    doc("Whether all elements are true (not 0).",
        out<Out::OrByte>(op("all(Tensor self) -> Tensor", "z(2, 3)\nb(2, 3)\nt(3)\nt(0)\nc([0, 1])",
                            [](const Tensor& x) { return all(x); }))),
    out<Out::OrByte>(op("any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                        "z(2, 3), 1\nb(2, 3), 1\nb(2, 3), 0, True\nt(0, 3), 0",
                        [](const Tensor& x, int64_t d, bool k) { return any(x, d, k); })),
    out<Out::OrByte>(op("all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                        "b(2, 3), 1\nb(2, 3), 0, True\nt(0, 3), 0",
                        [](const Tensor& x, int64_t d, bool k) { return all(x, d, k); })),
    out<Out::OrByte>(op("any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
                        "b(2, 3, 2), [0, 2]\nb(2, 3), None, True",
                        [](const Tensor& x, OptionalIntArrayRef d, bool k) { return any(x, d, k); })),
    out<Out::OrByte>(op("all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
                        "b(2, 3, 2), [0, 2]\nb(2, 3), None, True",
                        [](const Tensor& x, OptionalIntArrayRef d, bool k) { return all(x, d, k); })),
    doc("How many elements are not 0.",
        no_out(op<count_nonzero>("count_nonzero(Tensor self, int[]? dim=None) -> Tensor",
                                 "z(2, 3)\ni(0, 3, 3, 4)\ni(0, 3, 3, 4), 1\ni(0, 2, 2, 3, 2), [0, 2]"))),
    doc("log(sum(exp(x))) along dim, without overflow.",
        out_casts(op<logsumexp>("logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
                                "t(2, 3), 1\nt(2, 3), [0, 1], True\nt(), 0\nc([[float('-inf'), float('-inf')], [1.0, "
                                "float('inf')]]), 1\nt(0, 3), 0\nz(2, 3), 1"))),
    doc("exp(x) divided by its sum along dim.",
        op<softmax>("softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                    "z(3), 0\nt(2, 3), 1\nt(2, 3), 0\nt(2, 3, 4), -2\nt(), 0\nt(0, 3), 1")),
    doc("The logarithm of softmax, without overflow.",
        op<log_softmax>("log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                        "t(2, 3), 1\nt(2, 3), 0\nt(2, 3, 4), -2\nt(), 0\nt(0, 3), 1")),
    doc("The sum of the diagonal.",
        no_out(op<trace>("trace(Tensor self) -> Tensor", "z(3, 3)\nt(3, 3)\nt(2, 4)\nt(0, 0)"))),
    doc("The p-norm of self - other.", no_out(op<dist>("dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
                                                       "t(3), t(3)\nt(2, 3), t(3), 1\nt(2), t(2), float('inf')"))),
};
const size_t reduce_ops_count = std::size(reduce_ops);

}  // namespace taut
