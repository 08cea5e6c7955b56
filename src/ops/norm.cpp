// Normalisation. First derivatives are fused kernels; where a derivative of the derivative may be asked for, the same
// formula is written in ops.
#include "taut/ops/norm.h"

#include <array>
#include <cmath>
#include <limits>

#include "kernels/norm.h"
#include "ops/batch_rules.h"
#include "ops/op.h"
#include "ops/registry.h"
#include "ops/wording.h"

namespace taut {

namespace {

/// Half types are computed in float32.
ScalarType compute_type(const Tensor& x) { return x.scalar_type() == kDouble ? kDouble : kFloat; }
/// As the kernels take it: contiguous, of this dtype; undefined stays undefined.
Tensor dense(const Tensor& t, ScalarType type) { return t.defined() ? t.to(type).contiguous() : t; }
void* data(const Tensor& t) { return t.defined() ? t.data_ptr() : nullptr; }
Tensor or_undefined(OptionalTensor t) { return t ? *t : Tensor(); }
/// Uninitialised memory for a gradient that is wanted.
Tensor gradient_for(const Saved& s, int i, ScalarType type, const char* name) {
  return s.wants(i) ? make(s.sizes(i), type, name) : Tensor();
}

/// The derivative of y = xhat w + b in ops: xhat is x less its mean, over its root mean square, along `dims`.
struct Derivative {
  Tensor xhat, rstd;
  bool centered;
  Derivative(const Tensor& x, IntArrayRef dims, double eps, bool centered_) : centered(centered_) {
    const Tensor c = centered ? x - x.mean(dims, true) : x;
    rstd = (c.square().mean(dims, true) + eps).rsqrt();
    xhat = c * rstd;
  }
  /// The gradient of x for the gradient of xhat.
  Tensor of_input(const Tensor& g, IntArrayRef dims) const {
    Tensor d = g - xhat * (g * xhat).mean(dims, true);
    if (centered) d = d - g.mean(dims, true);
    return d * rstd;
  }
};

/// The gradients of weight and bias are summed by the engine to their shapes (those of `w` broadcast).
struct RowNorm {
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kResult(0) | kResult(1),
                                       kInput(0) | kResult(0) | kResult(1), 0};
  static constexpr const char* name = "layer_norm";
  static constexpr unsigned bends = kInput(0) | kInput(1);
  int64_t axes;  // the last dimensions, which are normalised
  double eps;
  bool centered;  // layer norm; else RMS norm
  bool weighted;
  unsigned keeps = 0;
  const char* op_name() const { return centered ? "layer_norm" : "rms_norm"; }
  const char* node_name() const { return centered ? "NativeLayerNormBackward0" : "FusedRmsNormBackward0"; }

  kernels::LayerNorm rows(const Tensor& x) const {
    kernels::LayerNorm k{compute_type(x), 1, 1};
    for (int64_t d = 0; d < x.dim(); ++d) (d < x.dim() - axes ? k.rows : k.n) *= x.size(d);
    return k;
  }
  std::array<Tensor, 3> batch(const Batch& b, const Tensor& x, const Tensor& w, const Tensor& bias) const {
    const bool apart = b.has(1) || b.has(2);
    auto r =
        apart ? apply(RowNorm{axes, eps, centered, false}, b.all(0, x), Tensor(), Tensor()) : apply(*this, x, w, bias);
    if (!centered) r[0] = r[0].expand({b.size, 0});
    if (apart && w.defined()) r[2] = r[2] * b.raised(1, w, x.dim() - (b.has(0) ? 1 : 0));
    if (apart && bias.defined()) r[2] = r[2] + b.raised(2, bias, x.dim() - (b.has(0) ? 1 : 0));
    r[2] = r[2].to(x.scalar_type());
    return r;
  }
  /// mean, rstd, y: statistics first, because only the first two results can be saved.
  std::array<Tensor, 3> forward(const Tensor& x, const Tensor& w, const Tensor& b) const {
    const ScalarType type = compute_type(x);
    Dims shape(x.sizes());
    for (size_t d = shape.size() - static_cast<size_t>(axes); d < shape.size(); ++d) shape[d] = 1;
    const Tensor in = dense(x, type), mean = make(centered ? shape : Dims{0}, type, name),
                 rstd = make(shape, type, name), y = make(x.sizes(), type, name);
    rows(x).forward(y.data_ptr(), centered ? mean.data_ptr() : nullptr, rstd.data_ptr(), in.data_ptr(),
                    data(dense(w, type)), data(dense(b, type)), eps);
    return {mean, rstd, y.to(x.scalar_type())};
  }
  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const {
    const Tensor& g = grads[2];
    if (!g.defined()) return;
    if (s.wants(2)) out[2] = g;
    if (!s.wants(0) && !s.wants(1)) return;
    const Tensor x = s.input(0), w = weighted && s.wants(0) ? s.input(1) : Tensor();
    const ScalarType type = compute_type(x);
    if (must_record()) {
      Dims dims;
      for (int64_t d = x.dim() - axes; d < x.dim(); ++d) dims.push_back(d);
      const Tensor wide = g.to(type);
      const Derivative d(x.to(type), dims, eps, centered);
      if (s.wants(0)) out[0] = d.of_input(w.defined() ? wide * w.to(type) : wide, dims).to(x.scalar_type());
      if (s.wants(1)) out[1] = wide * d.xhat;
      return;
    }
    const Tensor dx = gradient_for(s, 0, type, name), dw = gradient_for(s, 1, type, name),
                 db = gradient_for(s, 2, type, name);
    rows(x).backward(data(dx), data(dw), data(db), data(dense(g, type)), data(dense(x, type)),
                     data(centered ? s.result(0) : Tensor()), data(s.result(1)), data(dense(w, type)));
    if (dx.defined()) out[0] = dx.to(x.scalar_type());
    if (dw.defined()) out[1] = dw;
    if (db.defined()) out[2] = db;
  }
};

/// The same over channels: x is [batch, channels, ...].
struct ChannelNorm {
  static constexpr const char* name = "batch_norm";
  static constexpr unsigned bends = kInput(0) | kInput(1);
  static constexpr const char* node = "NativeBatchNormBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kResult(0) | kResult(1),
                                       kInput(0) | kResult(0) | kResult(1), 0};
  bool training, weighted;
  double eps;
  static kernels::BatchNorm shape(const Tensor& x) {
    kernels::BatchNorm k{compute_type(x), x.size(0), x.size(1), 1};
    for (int64_t d = 2; d < x.dim(); ++d) k.n *= x.size(d);
    return k;
  }
  /// A row of channels as it broadcasts with x.
  static Tensor along(const Tensor& t, const Tensor& x, ScalarType type) {
    Dims sizes(x.sizes().size(), 1);
    sizes[1] = x.size(1);
    return t.to(type).view(sizes);
  }
  static Dims others(const Tensor& x) {
    Dims dims{0};
    for (int64_t d = 2; d < x.dim(); ++d) dims.push_back(d);
    return dims;
  }

  /// Items are further channels; in front of the batch where they share all else.
  std::array<Tensor, 4> batch(const Batch& b, const Tensor& x, const Tensor& w, const Tensor& bias,
                              const Tensor& running_mean, const Tensor& running_var) const {
    const int64_t channels = x.size(b.has(0) ? 2 : 1);
    if (!training && !b.has(1) && !b.has(2) && !b.has(3) && !b.has(4)) {
      auto r = apply(*this, fold_items(x), w, bias, running_mean, running_var);
      for (int k : {0, 1, 3}) r[static_cast<size_t>(k)] = r[static_cast<size_t>(k)].expand({b.size, channels});
      r[2] = unfold_items(r[2], b.size, x.size(1));
      return r;
    }
    const auto row = [&](size_t i, const Tensor& t) {
      return t.defined() && t.numel() > 0 ? b.all(i, t).reshape({b.size * channels}) : t;
    };
    const Tensor all = b.all(0, x).movedim(0, 1);
    auto r = apply(*this, all.flatten(1, 2), row(1, w), row(2, bias), row(3, running_mean), row(4, running_var));
    for (int k : {0, 1, 3}) r[static_cast<size_t>(k)] = r[static_cast<size_t>(k)].view({b.size, channels});
    r[2] = r[2].view(all.sizes()).movedim(1, 0);
    return r;
  }
  /// mean, invstd, y, var; the running statistics are read when not training.
  std::array<Tensor, 4> forward(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& running_mean,
                                const Tensor& running_var) const {
    const kernels::BatchNorm k = shape(x);
    const ScalarType type = k.dtype;
    const Tensor in = dense(x, type), y = make(x.sizes(), type, name);
    Tensor mean, var;
    if (training) {
      mean = make({k.channels}, type, name), var = make({k.channels}, type, name);
      if (x.numel() > 0) k.statistics(mean.data_ptr(), var.data_ptr(), in.data_ptr());
      else mean.zero_(), var.zero_();
    } else {
      mean = running_mean.to(type, false, true).contiguous(), var = running_var.to(type, false, true).contiguous();
    }
    const Tensor invstd = (var + eps).rsqrt();
    k.apply(y.data_ptr(), in.data_ptr(), mean.data_ptr(), invstd.data_ptr(), data(dense(w, type)),
            data(dense(b, type)));
    return {mean, invstd, y.to(x.scalar_type()), var};
  }
  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const {
    const Tensor& g = grads[2];
    if (!g.defined()) return;
    if (!s.wants(0) && !s.wants(1)) {
      out[2] = g.sum(others(g));
      return;
    }
    const Tensor x = s.input(0), w = weighted && s.wants(0) ? s.input(1) : Tensor();
    const ScalarType type = compute_type(x);
    if (must_record()) {
      const Dims dims = others(x);
      const Tensor wide = g.to(type), scaled = w.defined() ? wide * along(w, x, type) : wide;
      Tensor dx, xhat;
      if (training) {
        const Derivative d(x.to(type), dims, eps, true);
        xhat = d.xhat;
        if (s.wants(0)) dx = d.of_input(scaled, dims);
      } else {
        const Tensor invstd = along(s.result(1).detach(), x, type);
        xhat = (x.to(type) - along(s.result(0).detach(), x, type)) * invstd;
        if (s.wants(0)) dx = scaled * invstd;
      }
      if (s.wants(0)) out[0] = dx.to(x.scalar_type());
      if (s.wants(1)) out[1] = (wide * xhat).sum(dims);
      if (s.wants(2)) out[2] = wide.sum(dims);
      return;
    }
    const Tensor dx = gradient_for(s, 0, type, name), dw = gradient_for(s, 1, type, name),
                 db = gradient_for(s, 2, type, name);
    shape(x).backward(data(dx), data(dw), data(db), data(dense(g, type)), data(dense(x, type)), data(s.result(0)),
                      data(s.result(1)), data(dense(w, type)), training);
    if (dx.defined()) out[0] = dx.to(x.scalar_type());
    if (dw.defined()) out[1] = dw;
    if (db.defined()) out[2] = db;
  }
};

/// The same over groups of channels: x has N C HxW elements in this order.
struct GroupedNorm {
  static constexpr const char* name = "group_norm";
  static constexpr const char* node = "NativeGroupNormBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kResult(0) | kResult(1),
                                       kInput(0) | kResult(0) | kResult(1), 0};
  int64_t batch_, channels, size, groups;
  bool weighted;
  double eps;
  kernels::GroupNorm shape(ScalarType type) const { return {type, batch_, groups, channels / groups, size}; }
  Dims sizes() const { return {batch_, groups, channels / groups, size}; }

  std::array<Tensor, 3> batch(const Batch& b, const Tensor& x, const Tensor& w, const Tensor& bias) const {
    const bool apart = b.has(1) || b.has(2);
    const Tensor all = b.all(0, x).contiguous();
    const GroupedNorm whole{batch_ * b.size, channels, size, groups, weighted && !apart, eps};
    auto r = apply(whole, all, apart ? Tensor() : w, apart ? Tensor() : bias);
    for (int k : {0, 1}) r[static_cast<size_t>(k)] = r[static_cast<size_t>(k)].view({b.size, batch_, groups});
    const auto along = [&](size_t i, const Tensor& t) { return b.all(i, t).view({b.size, 1, channels, 1}); };
    Tensor y = r[2].view({b.size, batch_, channels, size});
    if (apart && w.defined()) y = y * along(1, w);
    if (apart && bias.defined()) y = y + along(2, bias);
    r[2] = y.to(x.scalar_type()).view(all.sizes());
    return r;
  }
  std::array<Tensor, 3> forward(const Tensor& x, const Tensor& w, const Tensor& b) const {
    const ScalarType type = compute_type(x);
    const Tensor in = dense(x, type), mean = make({batch_, groups}, type, name),
                 rstd = make({batch_, groups}, type, name), y = make(x.sizes(), type, name);
    shape(type).forward(y.data_ptr(), mean.data_ptr(), rstd.data_ptr(), in.data_ptr(), data(dense(w, type)),
                        data(dense(b, type)), eps);
    return {mean, rstd, y.to(x.scalar_type())};
  }
  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const {
    const Tensor& g = grads[2];
    if (!g.defined()) return;
    const Dims outside{0, 3};
    if (!s.wants(0) && !s.wants(1)) {
      out[2] = g.reshape(sizes()).sum(outside).view({channels});
      return;
    }
    const Tensor x = s.input(0), w = weighted && s.wants(0) ? s.input(1) : Tensor();
    const ScalarType type = compute_type(x);
    if (must_record()) {
      const Dims dims{2, 3};
      const Tensor wide = g.to(type).reshape(sizes());
      const Derivative d(x.to(type).reshape(sizes()), dims, eps, true);
      if (s.wants(0)) {
        const Tensor scaled = w.defined() ? wide * w.to(type).view({1, groups, channels / groups, 1}) : wide;
        out[0] = d.of_input(scaled, dims).to(x.scalar_type()).view(x.sizes());
      }
      if (s.wants(1)) out[1] = (wide * d.xhat).sum(outside).view({channels});
      if (s.wants(2)) out[2] = wide.sum(outside).view({channels});
      return;
    }
    const Tensor dx = gradient_for(s, 0, type, name), dw = gradient_for(s, 1, type, name),
                 db = gradient_for(s, 2, type, name);
    shape(type).backward(data(dx), data(dw), data(db), data(dense(g, type)), data(dense(x, type)), data(s.result(0)),
                         data(s.result(1)), data(dense(w, type)));
    if (dx.defined()) out[0] = dx.to(x.scalar_type());
    if (dw.defined()) out[1] = dw;
    if (db.defined()) out[2] = db;
  }
};

// ---- What is refused.

void check_input(const Tensor& x, const char* op) {
  check_defined(x, op);
  check<TypeError>(x.is_floating_point(), op, ": not implemented for ", x.scalar_type(),
                   ". Convert the input first: x.to(taut::kFloat).");
}
void check_eps(double eps, const char* op) {
  check<ValueError>(std::isfinite(eps), op, ": eps must be finite, got ", eps);
}
void check_parameter(const Tensor& t, const Tensor& x, const char* op, const char* what) {
  if (!t.defined()) return;
  const bool half = x.scalar_type() == kHalf || x.scalar_type() == kBFloat16;
  check<TypeError>(t.scalar_type() == x.scalar_type() || (half && t.scalar_type() == kFloat), op,
                   ": mixed dtype (CPU): expect parameter to have scalar type of ", x.scalar_type(),
                   half ? " or float32" : "", ", but ", what, " is ", t.scalar_type());
}
void check_channels(const Tensor& t, const Tensor& x, const char* op, const char* what) {
  if (!t.defined()) return;
  check(t.dim() == 1 && t.numel() == x.size(1), op, ": ", what, " should contain ", x.size(1), " elements not ",
        t.numel(), ": it has shape ", t.sizes(), ", the input ", x.sizes());
}
void check_rows(const Tensor& x, IntArrayRef shape, const Tensor& w, const Tensor& b, const char* op) {
  check_input(x, op);
  check<ValueError>(!shape.empty(), op,
                    ": Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, "
                    "but got normalized_shape = []");
  const auto n = shape.size(), dims = x.sizes().size();
  check<ValueError>(dims >= n && x.sizes().slice(dims - std::min(n, dims), std::min(n, dims)) == shape, op,
                    ": Given normalized_shape=", shape, ", expected input with shape [*, ", str(shape).substr(1),
                    ", but got input of size", x.sizes());
  check(!w.defined() || w.sizes() == shape, op,
        ": Expected weight to be of same shape as normalized_shape, but got weight of shape ",
        w.defined() ? w.sizes() : IntArrayRef(), " and normalized_shape = ", shape);
  check(!b.defined() || b.sizes() == shape, op,
        ": Expected bias to be of same shape as normalized_shape, but got bias of shape ",
        b.defined() ? b.sizes() : IntArrayRef(), " and normalized_shape = ", shape);
  check_parameter(w, x, op, "weight");
  check_parameter(b, x, op, "bias");
  check<TypeError>(!w.defined() || !b.defined() || w.scalar_type() == b.scalar_type(), op, ": weight is ",
                   w.defined() ? w.scalar_type() : kFloat, " and bias ", b.defined() ? b.scalar_type() : kFloat,
                   ". Convert one of them with .to().");
}
/// Statistics as they are given out: of the dtype of the parameters, outside the graph.
Tensor statistic(const Tensor& t, const Tensor& x, const Tensor& w) {
  return t.detach().to(w.defined() ? w.scalar_type() : x.scalar_type());
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                                                     OptionalTensor weight, OptionalTensor bias, double eps) {
  const Tensor w = or_undefined(weight), b = or_undefined(bias);
  check_rows(input, normalized_shape, w, b, "layer_norm");
  check_eps(eps, "layer_norm");
  const auto r = apply(RowNorm{static_cast<int64_t>(normalized_shape.size()), eps, true, w.defined()}, input, w, b);
  return {r[2], statistic(r[0], input, w), statistic(r[1], input, w)};
}
Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight, OptionalTensor bias,
                  double eps, bool) {
  const Tensor w = or_undefined(weight), b = or_undefined(bias);
  check_rows(input, normalized_shape, w, b, "layer_norm");
  check_eps(eps, "layer_norm");
  return apply(RowNorm{static_cast<int64_t>(normalized_shape.size()), eps, true, w.defined()}, input, w, b)[2];
}
Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight, std::optional<double> eps) {
  Tensor w = or_undefined(weight);
  if (input.defined() && input.is_complex()) {  // by the squares themselves, not by those of the sizes
    check_rows(real(input), normalized_shape, w.defined() && w.is_complex() ? real(w) : w, Tensor(), "rms_norm");
    Dims dims;
    for (auto d = -static_cast<int64_t>(normalized_shape.size()); d < 0; ++d) dims.push_back(d);
    const bool wide = input.scalar_type() == kComplexDouble;
    const double least = wide ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
    const Tensor y = input * (input.pow(2).mean(dims, true) + eps.value_or(least)).rsqrt();
    return w.defined() ? y * w : y;
  }
  check_input(input, "rms_norm");
  // A last product, and so of any dtype.
  if (w.defined() && w.scalar_type() != input.scalar_type()) w = w.to(wide_type(input.scalar_type()));
  check_rows(input, normalized_shape, w, Tensor(), "rms_norm");
  // Of the dtype that is computed in: float32 for half precision.
  const double least =
      input.scalar_type() == kDouble ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  check_eps(eps.value_or(least), "rms_norm");
  return apply(RowNorm{static_cast<int64_t>(normalized_shape.size()), eps.value_or(least), false, w.defined(),
                       tracked(input.impl()) ? 0 : kInput(0)},
               input, w, Tensor())[2];
}

/// Of nothing; PyTorch looks at nothing else then. It has a graph with the parameters all the same.
static Tensor norm_of_nothing(const Tensor& input, const Tensor& w, const Tensor& b) {
  Tensor y = input.clone();
  if (w.defined()) y = y * w.select(0, 0);
  if (b.defined()) y = y + b.select(0, 0);
  return y;
}

static std::array<Tensor, 4> channel_norm(const char* op, const Tensor& input, const Tensor& w, const Tensor& b,
                                          const Tensor& mean, const Tensor& var, bool training, double momentum,
                                          double eps) {
  check_input(input, op);
  check<IndexError>(input.dim() >= 2, op, ": expected an input of at least 2 dimensions (batch, channels), got shape ",
                    input.sizes());
  check<ValueError>(mean.defined() == var.defined(), op,
                    ": running_mean and running_var must either both be None or neither be None");
  check(training || mean.defined(), op, ": running_mean must be defined in evaluation mode");
  check_eps(eps, op);
  check<ValueError>(std::isfinite(momentum), op, ": momentum must be finite, got ", momentum);
  check_channels(w, input, op, "weight");
  check_channels(b, input, op, "bias");
  check_channels(mean, input, op, "running_mean");
  check_channels(var, input, op, "running_var");
  check_parameter(w, input, op, "weight");
  check_parameter(b, input, op, "bias");
  check_parameter(mean, input, op, "running_mean");
  check_parameter(var, input, op, "running_var");
  const Tensor no_graph = mean.defined() ? mean.detach() : mean, no_graph_var = var.defined() ? var.detach() : var;
  auto r = apply(ChannelNorm{training, w.defined(), eps}, input, w, b, no_graph, no_graph_var);
  if (training && mean.defined() && input.numel() > 0) {
    NoGradGuard guard;
    const auto n = static_cast<double>(input.numel() / input.size(1));
    const Tensor batch_mean = r[0].detach().to(mean.scalar_type()),
                 batch_var = (r[3].detach() * (n / (n - 1))).to(var.scalar_type());
    mean.mul_(1 - momentum).add_(batch_mean, momentum);
    var.mul_(1 - momentum).add_(batch_var, momentum);
  }
  return r;
}
Tensor batch_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias, OptionalTensor running_mean,
                  OptionalTensor running_var, bool training, double momentum, double eps, bool) {
  check_defined(input, "batch_norm");
  if (input.numel() == 0) return norm_of_nothing(input, or_undefined(weight), or_undefined(bias));
  check<ValueError>(eps >= 0, "batch_norm: eps must not be negative, got ", eps);
  return channel_norm("batch_norm", input, or_undefined(weight), or_undefined(bias), or_undefined(running_mean),
                      or_undefined(running_var), training, momentum, eps)[2];
}
std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias,
                                                     OptionalTensor running_mean, OptionalTensor running_var,
                                                     bool training, double momentum, double eps) {
  const AsDry as(input);
  check_defined(input, "native_batch_norm");
  check<ValueError>(
      input.numel() > 0 || !training,
      "native_batch_norm: input tensor must have at least one element, but got input_sizes = ", input.sizes());
  const Tensor w = or_undefined(weight), none = empty({0}, input.scalar_type());
  if (input.numel() == 0) return {norm_of_nothing(input, w, or_undefined(bias)), none, none};
  const auto r = channel_norm("batch_norm", input, w, or_undefined(bias), or_undefined(running_mean),
                              or_undefined(running_var), training, momentum, eps);
  if (!training) return {r[2], none, none};
  return {r[2], statistic(r[0], input, w), statistic(r[1], input, w)};
}
Tensor instance_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias, OptionalTensor running_mean,
                     OptionalTensor running_var, bool use_input_stats, double momentum, double eps, bool) {
  check_input(input, "instance_norm");
  check<IndexError>(input.dim() >= 2, "instance_norm: expected an input of at least 2 dimensions, got shape ",
                    input.sizes());
  const Tensor mean = or_undefined(running_mean), var = or_undefined(running_var);
  check(use_input_stats || (mean.defined() && var.defined()),
        "instance_norm: Expected running_mean and running_var to be defined when use_input_stats is false");
  if (input.numel() == 0) {
    // PyTorch repeats weight, bias and statistics for each image, and finds none.
    const bool none = input.size(0) == 0;
    check<IndexError>(!none || (!weight && !bias),
                      "select(): index 0 out of range for tensor of size [0] at dimension 0");
    for (const auto& [t, what] : {std::pair<const Tensor&, const char*>{mean, "running_mean"}, {var, "running_var"}})
      if (!none && use_input_stats && t.defined()) check_channels(t, input, "instance_norm", what);
    if (none && use_input_stats) {
      NoGradGuard guard;
      for (const Tensor* t : {&mean, &var})
        if (t->defined()) Tensor(*t).fill_(NAN);
    }
    return norm_of_nothing(input, or_undefined(weight), or_undefined(bias));
  }
  const int64_t batch = input.size(0), channels = input.size(1);
  for (const auto& [t, what] : {std::pair<OptionalTensor, const char*>{weight, "weight"},
                                {bias, "bias"},
                                {running_mean, "running_mean"},
                                {running_var, "running_var"}})
    if (t) check_channels(*t, input, "instance_norm", what);
  Dims shape(input.sizes());
  shape[0] = 1;
  shape[1] = batch * channels;
  const auto repeated = [&](const Tensor& t) { return t.defined() ? t.repeat({batch}) : t; };
  // Statistics of any dtype, unlike batch_norm.
  const auto statistics = [&](const Tensor& t) { return t.defined() ? repeated(t.to(compute_type(input))) : t; };
  const Tensor all_means = statistics(mean), all_vars = statistics(var);
  const Tensor y = channel_norm("instance_norm", input.reshape(shape), repeated(or_undefined(weight)),
                                repeated(or_undefined(bias)), all_means, all_vars, use_input_stats, momentum, eps)[2];
  if (use_input_stats && batch > 0) {
    NoGradGuard guard;
    if (mean.defined()) mean.copy_(all_means.view({batch, channels}).mean(0));
    if (var.defined()) var.copy_(all_vars.view({batch, channels}).mean(0));
  }
  return y.view(input.sizes());
}

std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias,
                                                     int64_t N, int64_t C, int64_t HxW, int64_t group, double eps) {
  const Tensor w = or_undefined(weight), b = or_undefined(bias);
  check_input(input, "group_norm");
  check<ValueError>(group > 0, "group_norm: Expected num groups to be greater than 0, got ", group);
  check<ValueError>(N >= 0 && C >= 0 && HxW >= 0 && input.numel() == checked_numel({N, C, HxW}, "group_norm"),
                    "group_norm: an input of shape ", input.sizes(), " does not hold ", N, " x ", C, " x ", HxW,
                    " numbers");
  check<ValueError>(C % group == 0,
                    "group_norm: Expected number of channels in input to be divisible by num_groups, but got input of "
                    "shape ",
                    input.sizes(), " and num_groups=", group);
  check_eps(eps, "group_norm");
  for (const auto& [t, what] : {std::pair<const Tensor&, const char*>{w, "weight"}, {b, "bias"}}) {
    check(!t.defined() || (t.dim() == 1 && t.numel() == C), "group_norm: Expected ", what,
          " to be a vector of size equal to the number of channels in input, but got ", what, " of shape ",
          t.defined() ? t.sizes() : IntArrayRef(), " and input of shape ", input.sizes());
    check_parameter(t, input, "group_norm", what);
  }
  const auto r = apply(GroupedNorm{N, C, HxW, group, w.defined(), eps}, input.contiguous(), w, b);
  return {r[2], statistic(r[0], input, w), statistic(r[1], input, w)};
}
Tensor group_norm(const Tensor& input, int64_t num_groups, OptionalTensor weight, OptionalTensor bias, double eps,
                  bool) {
  check_defined(input, "group_norm");
  check<IndexError>(input.dim() >= 2, "group_norm: expected an input of at least 2 dimensions, got shape ",
                    input.sizes());
  int64_t size = 1;
  for (int64_t d = 2; d < input.dim(); ++d) size *= input.size(d);
  return std::get<0>(native_group_norm(input, weight, bias, input.size(0), input.size(1), size, num_groups, eps));
}

/// What torch.nn.functional asks before it calls batch_norm, instance_norm and group_norm: is there a variance?
static void check_values(bool training, bool of_batch, const Tensor& input, const char* op, const char* of_what) {
  check_defined(input, op);
  check<IndexError>(input.dim() >= 2, op, ": expected an input of at least 2 dimensions, got shape ", input.sizes());
  int64_t count = of_batch ? input.size(0) : 1;
  for (int64_t d = 2; d < input.dim(); ++d) count *= input.size(d);
  check<ValueError>(!training || count != 1, "Expected more than 1 ", of_what, " when training, got input size ",
                    shown(input.sizes()));
}
Tensor _batch_norm(const Tensor& input, OptionalTensor running_mean, OptionalTensor running_var, OptionalTensor weight,
                   OptionalTensor bias, bool training, double momentum, double eps) {
  check_values(training, true, input, "batch_norm", "value per channel");
  check<ValueError>(eps > 0 || !training, "batch_norm eps must be positive during training, but got ", eps);
  check<ValueError>(!(eps < 0), "batch_norm eps must be non-negative, but got ", eps);
  return batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
}
Tensor _instance_norm(const Tensor& input, OptionalTensor running_mean, OptionalTensor running_var,
                      OptionalTensor weight, OptionalTensor bias, bool use_input_stats, double momentum, double eps) {
  check_values(use_input_stats, false, input, "instance_norm", "spatial element");
  return instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps);
}
Tensor _group_norm(const Tensor& input, int64_t num_groups, OptionalTensor weight, OptionalTensor bias, double eps) {
  check_defined(input, "group_norm");
  check(input.dim() >= 2, "Expected at least 2 dimensions for input tensor but received ", input.dim());
  check<ValueError>(num_groups > 0, "group_norm: Expected num groups to be greater than 0, got ", num_groups);
  Dims sizes(input.sizes());
  sizes[0] = input.size(0) * input.size(1) / num_groups, sizes[1] = num_groups;
  int64_t count = sizes[0];
  for (size_t d = 2; d < sizes.size(); ++d) count *= sizes[d];
  check<ValueError>(count != 1, "Expected more than 1 value per channel when training, got input size ", sizes);
  return group_norm(input, num_groups, weight, bias, eps);
}

Tensor local_response_norm(const Tensor& input, int64_t size, double alpha, double beta, double k) {
  check_defined(input, "local_response_norm");
  check<ValueError>(input.dim() >= 3, "local_response_norm: Expected 3D or higher dimensionality input, got shape ",
                    input.sizes());
  check<ValueError>(size > 0, "local_response_norm: size must be positive, got ", size);
  check<ValueError>(std::isfinite(alpha) && std::isfinite(beta) && std::isfinite(k),
                    "local_response_norm: alpha, beta and k must be finite, got ", alpha, ", ", beta, " and ", k);
  if (input.numel() == 0) return input;
  const int64_t channels = input.size(1), before = size / 2;
  const Tensor square = input * input;
  // The window of channel c is [c - before, c - before + size), cut off at both ends.
  Tensor sum = zeros_like(square);
  for (int64_t i = std::max(-before, 1 - channels); i < size - before && i < channels; ++i) {
    Dims pad(static_cast<size_t>(2 * (input.dim() - 1)));
    pad[pad.size() - 2] = std::max<int64_t>(0, -i);
    pad[pad.size() - 1] = std::max<int64_t>(0, i);
    sum = sum + taut::pad(square.narrow(1, std::max<int64_t>(0, i), channels - std::abs(i)), pad);
  }
  // The mean of whole numbers is one too, as in PyTorch's pooling.
  const Tensor mean = input.is_floating_point() ? sum / size : sum.div(size, "trunc");
  return input / (mean * alpha + k).pow(beta);
}

Tensor normalize(const Tensor& input, double p, int64_t dim, double eps) {
  check_defined(input, "normalize");
  if (!input.is_complex()) check_input(input, "normalize");
  const Tensor sizes = input.is_complex() ? input.abs() : input;
  return input / sizes.norm(Scalar(p), IntArrayRef(dim), true).clamp_min(eps);
}

// ---- The registry.

extern const OpEntry norm_ops[];
extern const size_t norm_ops_count;
const OpEntry norm_ops[] = {
    doc("Shifts and scales the last dimensions to mean 0 and variance 1, then by weight and bias.",
        op<layer_norm>(
            "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float "
            "eps=1e-05, bool cudnn_enable=True) -> Tensor",
            "t(4, 5), [5], t(5), t(5)\nt(2, 3, 4), [3, 4], t(3, 4), t(3, 4)\nt(2, 3), [3]\nt(2, 3), [3], t(3)\n"
            "t(2, 3), [3], None, t(3), 0.1\nt(0, 3), [3], t(3), t(3)\nt(3), [3]\nt(2, 37), [37], t(37), t(37)")),
    doc("layer_norm, and the mean and reciprocal deviation it used.",
        op<native_layer_norm>(
            "native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float "
            "eps) -> (Tensor, Tensor, Tensor)",
            "t(4, 5), [5], t(5), t(5), 1e-05\nt(2, 3, 4), [3, 4], None, None, 0.01")),
    doc("Divides the last dimensions by the root of their mean square, then scales by weight.",
        op<rms_norm>("rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor",
                     "t(4, 5), [5], t(5)\nt(2, 3, 4), [3, 4], t(3, 4), 0.01\nt(2, 3), [3]\nt(0, 3), [3], t(3)")),
    doc("Shifts and scales each channel to mean 0 and variance 1 over the batch, or by the running values.",
        op<batch_norm>(
            "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, "
            "bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
            "t(5, 3), t(3), t(3), None, None, True, 0.1, 1e-05, False\nt(2, 3, 4), t(3), t(3), None, None, True, "
            "0.1, 1e-05, False\nt(2, 3, 2, 2), None, None, None, None, True, 0.1, 0.01, False\nt(2, 2, 2, 1, 3), "
            "t(2), None, None, None, True, 0.1, 1e-05, False\nt(2, 2, 3), t(2), t(2), c([0.5, -1.5]), c([2.5, "
            "0.75]), False, 0.1, 1e-05, False\nt(3, 2), t(2), t(2), c([0.5, -1.5]), c([2.5, 0.75]), False, 0.1, "
            "1e-05, False\nt(0, 3, 2), t(3), t(3), None, None, True, 0.1, 1e-05, False\nt(3, 37), t(37), t(37), "
            "None, None, True, 0.1, 1e-05, False")),
    doc("batch_norm, and the mean and reciprocal deviation it used.",
        out_same(op<native_batch_norm>(
            "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
            "running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
            "t(4, 3), t(3), t(3), None, None, True, 0.1, 1e-05\nt(2, 2, 3), t(2), t(2), c([0.5, -1.5]), "
            "c([2.5, 0.75]), False, 0.1, 1e-05"))),
    doc("Shifts and scales each channel of each sample to mean 0 and variance 1.",
        op<instance_norm>(
            "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
            "running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
            "t(2, 3, 4), t(3), t(3), None, None, True, 0.1, 1e-05, False\nt(2, 2, 2, 3), None, None, None, "
            "None, True, 0.1, 1e-05, False\nt(2, 2, 3), t(2), t(2), c([0.5, -1.5]), c([2.5, 0.75]), False, "
            "0.1, 1e-05, False")),
    doc("Shifts and scales each group of channels of each sample to mean 0 and variance 1.",
        op<group_norm>(
            "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, "
            "bool cudnn_enabled=True) -> Tensor",
            "t(2, 4, 3), 2, t(4), t(4)\nt(2, 6), 3, t(6), t(6)\nt(1, 4, 2, 2), 1\nt(2, 4, 3), 4, t(4), None, "
            "0.1\nt(0, 4, 3), 2, t(4), t(4)")),
    doc("batch_norm where one value per channel is no batch to train on.",
        op<_batch_norm>("_batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, "
                        "Tensor? bias=None, bool training=False, float momentum=0.1, float eps=1e-05) -> Tensor",
                        "t(5, 3), None, None, t(3), t(3), True\nt(2, 2, 3), c([0.5, -1.5]), c([2.5, 0.75])\n"
                        "t(1, 3), None, None, None, None, True")),
    doc("instance_norm where one element is nothing to take the variance of.",
        op<_instance_norm>("_instance_norm(Tensor input, Tensor? running_mean=None, Tensor? running_var=None, Tensor? "
                           "weight=None, Tensor? bias=None, bool use_input_stats=True, float momentum=0.1, float "
                           "eps=1e-05) -> Tensor",
                           "t(2, 3, 4)\nt(2, 2, 3), c([0.5, -1.5]), c([2.5, 0.75]), t(2), t(2), False\nt(2, 3, 1)")),
    doc("group_norm where one value per group is nothing to take the variance of.",
        op<_group_norm>("_group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float "
                        "eps=1e-05) -> Tensor",
                        "t(2, 4, 3), 2, t(4), t(4)\nt(2, 6), 3\nt(1, 4), 4\nt(4), 2")),
    doc("group_norm, and the mean and reciprocal deviation it used.",
        op<native_group_norm>(
            "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int "
            "group, float eps) -> (Tensor, Tensor, Tensor)",
            "t(2, 4, 3), t(4), t(4), 2, 4, 3, 2, 1e-05")),
    doc("Divides by a power of the squares summed over neighbouring channels.",
        op<local_response_norm>(
            "local_response_norm(Tensor input, int size, float alpha=0.0001, float beta=0.75, float "
            "k=1.0) -> Tensor",
            "t(2, 5, 3), 3, 0.5\nt(2, 4, 2, 2), 2, 0.3, 0.5, 2.0\nt(1, 3, 2), 9, 0.2")),
    doc("Divides by the p-norm along dim, at least eps.",
        out_casts(op<normalize>("normalize(Tensor input, float p=2.0, int dim=1, float eps=1e-12) -> Tensor",
                                "t(2, 3)\nt(2, 3), 1.0, 0\nt(2, 3, 2), 3.0, -1\nt(3, 2), 2.0, 1, 5.0\nz(2, 3)"))),
};
const size_t norm_ops_count = std::size(norm_ops);

}  // namespace taut
