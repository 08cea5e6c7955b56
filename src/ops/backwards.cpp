// Gradients of single ops as functions: each runs its op anew and asks autograd.
#include "taut/ops/backwards.h"

#include <array>

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/ops.h"
#include "taut/ops/conv.h"
#include "taut/ops/embedding.h"
#include "taut/ops/loss.h"
#include "taut/ops/norm.h"
#include "taut/ops/pool.h"
#include "taut/ops/resample.h"

namespace taut {

namespace {

/// The gradients at `places` of what f makes of them, in a graph if somebody will differentiate again.
template <class F>
std::vector<Tensor> gradients_of(const F& f, const Tensor& grad, std::vector<Tensor> places) {
  bool again = grad.requires_grad();
  for (const Tensor& t : places) again |= t.requires_grad();
  again &= GradMode::is_enabled();
  const AutoGradMode recorded(true);
  for (Tensor& t : places)
    if (!again || !t.requires_grad()) t = t.detach().requires_grad_();
  return autograd::grad({f(places)}, places, {grad}, std::nullopt, again);
}
template <class F>
Tensor gradient_of(const F& f, const Tensor& grad, const Tensor& place) {
  return gradients_of([&](const std::vector<Tensor>& at) { return f(at[0]); }, grad, {place})[0];
}
/// The same where only the sizes of the place matter.
template <class F>
Tensor gradient_at(const F& f, const Tensor& grad, IntArrayRef sizes) {
  return gradient_of(f, grad, zeros(sizes, grad.options().requires_grad(false)));
}

}  // namespace

Tensor sigmoid_backward(const Tensor& g, const Tensor& y) {
  const Tensor slope = y * (1 - y);
  return g * (slope.is_complex() ? slope.conj() : slope);
}
Tensor tanh_backward(const Tensor& g, const Tensor& y) {
  const Tensor slope = 1 - y * y;
  return g * (slope.is_complex() ? slope.conj() : slope);
}
Tensor threshold_backward(const Tensor& g, const Tensor& x, const Scalar& threshold) {
  return where(x <= threshold, zeros_like(g), g);
}
Tensor elu_backward(const Tensor& g, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                    bool is_result, const Tensor& x) {
  if (!is_result) return gradient_of([&](const Tensor& at) { return elu(at, alpha, scale, input_scale); }, g, x);
  const double a = alpha.toDouble(), s = scale.toDouble(), k = input_scale.toDouble();
  check(a >= 0, "In-place elu backward calculation is triggered with a negative slope which is not supported.");
  return g * where(x <= 0, k * (x + a * s), Scalar(s));
}
Tensor gelu_backward(const Tensor& g, const Tensor& x, std::string_view approximate) {
  return gradient_of([&](const Tensor& at) { return gelu(at, approximate); }, g, x);
}
Tensor glu_backward(const Tensor& g, const Tensor& x, int64_t dim) {
  return gradient_of([&](const Tensor& at) { return glu(at, dim); }, g, x);
}
Tensor hardshrink_backward(const Tensor& g, const Tensor& x, const Scalar& lambd) {
  return gradient_of([&](const Tensor& at) { return hardshrink(at, lambd); }, g, x);
}
Tensor softshrink_backward(const Tensor& g, const Tensor& x, const Scalar& lambd) {
  return gradient_of([&](const Tensor& at) { return softshrink(at, lambd); }, g, x);
}
Tensor hardsigmoid_backward(const Tensor& g, const Tensor& x) {
  return gradient_of([](const Tensor& at) { return hardsigmoid(at); }, g, x);
}
Tensor hardswish_backward(const Tensor& g, const Tensor& x) {
  return gradient_of([](const Tensor& at) { return hardswish(at); }, g, x);
}
Tensor hardtanh_backward(const Tensor& g, const Tensor& x, const Scalar& min_val, const Scalar& max_val) {
  return gradient_of([&](const Tensor& at) { return hardtanh(at, min_val, max_val); }, g, x);
}
Tensor leaky_relu_backward(const Tensor& g, const Tensor& x, const Scalar& negative_slope, bool self_is_result) {
  check(!self_is_result || negative_slope.toDouble() >= 0,
        "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported.");
  return where(x > 0, g, g * negative_slope);
}
Tensor log_sigmoid_backward(const Tensor& g, const Tensor& x, const Tensor&) {
  return gradient_of([](const Tensor& at) { return log_sigmoid(at); }, g, x);
}
Tensor logit_backward(const Tensor& g, const Tensor& x, std::optional<double> eps) {
  return gradient_of([&](const Tensor& at) { return logit(at, eps); }, g, x);
}
Tensor mish_backward(const Tensor& g, const Tensor& x) {
  return gradient_of([](const Tensor& at) { return mish(at); }, g, x);
}
Tensor silu_backward(const Tensor& g, const Tensor& x) {
  return gradient_of([](const Tensor& at) { return silu(at); }, g, x);
}
Tensor softplus_backward(const Tensor& g, const Tensor& x, const Scalar& beta, const Scalar& threshold) {
  return gradient_of([&](const Tensor& at) { return softplus(at, beta, threshold); }, g, x);
}
Tensor _softmax_backward_data(const Tensor& g, const Tensor& y, int64_t dim, ScalarType input_dtype) {
  const Tensor weighted = g * y;
  return (weighted - y * weighted.sum(dim, /*keepdim=*/true)).to(input_dtype);
}
Tensor _log_softmax_backward_data(const Tensor& g, const Tensor& y, int64_t dim, ScalarType input_dtype) {
  return (g - y.exp() * g.sum(dim, /*keepdim=*/true)).to(input_dtype);
}
Tensor native_dropout_backward(const Tensor& g, const Tensor& mask, double scale) { return g * mask * scale; }

// ---- Losses.

Tensor mse_loss_backward(const Tensor& g, const Tensor& x, const Tensor& target, int64_t reduction) {
  return gradient_of([&](const Tensor& at) { return mse_loss(at, target, reduction); }, g, x);
}
Tensor smooth_l1_loss_backward(const Tensor& g, const Tensor& x, const Tensor& target, int64_t reduction, double beta) {
  return gradient_of([&](const Tensor& at) { return smooth_l1_loss(at, target, reduction, beta); }, g, x);
}
Tensor huber_loss_backward(const Tensor& g, const Tensor& x, const Tensor& target, int64_t reduction, double delta) {
  return gradient_of([&](const Tensor& at) { return huber_loss(at, target, reduction, delta); }, g, x);
}
Tensor soft_margin_loss_backward(const Tensor& g, const Tensor& x, const Tensor& target, int64_t reduction) {
  return gradient_of([&](const Tensor& at) { return soft_margin_loss(at, target, reduction); }, g, x);
}
Tensor binary_cross_entropy_backward(const Tensor& g, const Tensor& x, const Tensor& target, OptionalTensor weight,
                                     int64_t reduction) {
  return gradient_of([&](const Tensor& at) { return binary_cross_entropy(at, target, weight, reduction); }, g, x);
}
Tensor nll_loss_backward(const Tensor& g, const Tensor& x, const Tensor& target, OptionalTensor weight,
                         int64_t reduction, int64_t ignore_index, const Tensor&) {
  return gradient_of([&](const Tensor& at) { return nll_loss(at, target, weight, reduction, ignore_index); }, g, x);
}
Tensor nll_loss2d_backward(const Tensor& g, const Tensor& x, const Tensor& target, OptionalTensor weight,
                           int64_t reduction, int64_t ignore_index, const Tensor&) {
  return gradient_of([&](const Tensor& at) { return nll_loss_nd(at, target, weight, reduction, ignore_index); }, g, x);
}

// ---- Layers.

Tensor embedding_backward(const Tensor& g, const Tensor& indices, int64_t num_weights, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse) {
  const int64_t width = g.size(-1);
  return gradient_at([&](const Tensor& at) { return embedding(at, indices, padding_idx, scale_grad_by_freq, sparse); },
                     g, {num_weights, width});
}
#define AVG_POOL_BACKWARD(name)                                                                     \
  Tensor name##_backward(const Tensor& g, const Tensor& x, IntArrayRef kernel, IntArrayRef stride,  \
                         IntArrayRef padding, bool ceil_mode, bool count_include_pad,               \
                         std::optional<int64_t> divisor_override) {                                 \
    return gradient_of(                                                                             \
        [&](const Tensor& at) {                                                                     \
          return name(at, kernel, stride, padding, ceil_mode, count_include_pad, divisor_override); \
        },                                                                                          \
        g, x);                                                                                      \
  }
AVG_POOL_BACKWARD(avg_pool2d)
AVG_POOL_BACKWARD(avg_pool3d)
#undef AVG_POOL_BACKWARD
/// The gradients put where the indices say, `dims` last dimensions taken as one.
static Tensor back_to(const Tensor& g, const Tensor& x, const Tensor& indices, int64_t dims) {
  const int64_t from = x.dim() - dims;
  const Tensor flat = zeros_like(x).flatten(from);
  return flat.scatter_add(from, indices.flatten(from), g.flatten(from)).view(x.sizes());
}
Tensor max_pool2d_with_indices_backward(const Tensor& g, const Tensor& x, IntArrayRef, IntArrayRef, IntArrayRef,
                                        IntArrayRef, bool, const Tensor& indices) {
  return back_to(g, x, indices, 2);
}
Tensor max_pool3d_with_indices_backward(const Tensor& g, const Tensor& x, IntArrayRef, IntArrayRef, IntArrayRef,
                                        IntArrayRef, bool, const Tensor& indices) {
  return back_to(g, x, indices, 3);
}
Tensor adaptive_max_pool2d_backward(const Tensor& g, const Tensor& x, const Tensor& i) { return back_to(g, x, i, 2); }
Tensor adaptive_max_pool3d_backward(const Tensor& g, const Tensor& x, const Tensor& i) { return back_to(g, x, i, 3); }

namespace {
/// Those of three gradients that are wanted; a place that is undefined has none.
template <class F>
std::tuple<Tensor, Tensor, Tensor> wanted_of(const F& f, const Tensor& g, const std::array<Tensor, 3>& all,
                                             const std::array<bool, 3>& wanted) {
  std::vector<Tensor> places;
  for (size_t i = 0; i < all.size(); ++i)
    if (wanted[i] && all[i].defined()) places.push_back(all[i]);
  if (places.empty()) return {};
  const std::vector<Tensor> found = gradients_of(
      [&](const std::vector<Tensor>& at) {
        std::array<Tensor, 3> given = all;
        size_t next = 0;
        for (size_t i = 0; i < all.size(); ++i)
          if (wanted[i] && all[i].defined()) given[i] = at[next++];
        return f(given);
      },
      g, places);
  std::array<Tensor, 3> result;
  size_t next = 0;
  for (size_t i = 0; i < all.size(); ++i)
    if (wanted[i] && all[i].defined()) result[i] = found[next++];
  return {result[0], result[1], result[2]};
}
Tensor given(OptionalTensor t) { return t ? *t : Tensor(); }
}  // namespace

std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& g, const Tensor& input, const Tensor& weight,
                                                        OptionalIntArrayRef bias_sizes, IntArrayRef stride,
                                                        IntArrayRef padding, IntArrayRef dilation, bool transposed,
                                                        IntArrayRef output_padding, int64_t groups,
                                                        std::array<bool, 3> mask) {
  Tensor bias;
  if (mask[2]) bias = zeros(bias_sizes ? *bias_sizes : IntArrayRef{g.size(1)}, weight.options().requires_grad(false));
  return wanted_of(
      [&](const std::array<Tensor, 3>& at) {
        return convolution(at[0], at[1], at[2], stride, padding, dilation, transposed, output_padding, groups);
      },
      g, {input, weight, bias}, mask);
}
std::tuple<Tensor, Tensor, Tensor> native_layer_norm_backward(const Tensor& g, const Tensor& input,
                                                              IntArrayRef normalized_shape, const Tensor& mean,
                                                              const Tensor& rstd, OptionalTensor weight,
                                                              OptionalTensor bias, std::array<bool, 3> mask) {
  const auto n = static_cast<int64_t>(normalized_shape.size());
  std::vector<int64_t> inner, outer;
  for (int64_t d = 0; d < input.dim(); ++d) (d < input.dim() - n ? outer : inner).push_back(d);
  const Tensor x = (input - mean) * rstd, factor = given(weight);
  Tensor of_input, of_weight, of_bias;
  if (mask[0]) {
    const Tensor h = factor.defined() ? g * factor : g;
    of_input = rstd * (h - h.mean(inner, true) - x * (h * x).mean(inner, true));
  }
  const auto over = [&](const Tensor& t) { return outer.empty() ? t : t.sum(outer); };
  if (mask[1] && factor.defined()) of_weight = over(g * x);
  if (mask[2] && given(bias).defined()) of_bias = over(g);
  return {of_input, of_weight, of_bias};
}
std::tuple<Tensor, Tensor, Tensor> native_group_norm_backward(const Tensor& g, const Tensor& input, const Tensor& mean,
                                                              const Tensor& rstd, OptionalTensor weight, int64_t N,
                                                              int64_t C, int64_t HxW, int64_t group,
                                                              std::array<bool, 3> mask) {
  const Tensor factor = given(weight), scale = rstd.view({N, group, 1});
  const Tensor x = (input.reshape({N, group, -1}) - mean.view({N, group, 1})) * scale;
  const Tensor rows = g.reshape({N, C, HxW});
  Tensor of_input, of_weight, of_bias;
  if (mask[0]) {
    const Tensor h = (factor.defined() ? rows * factor.view({1, C, 1}) : rows).reshape({N, group, -1});
    of_input = (scale * (h - h.mean(-1, true) - x * (h * x).mean(-1, true))).view(input.sizes());
  }
  if (mask[1]) of_weight = (rows * x.reshape({N, C, HxW})).sum({0, 2});
  if (mask[2]) of_bias = rows.sum({0, 2});
  return {of_input, of_weight, of_bias};
}

// ---- Padding.

#define PAD_BACKWARD(kind, mode, dims)                                                                             \
  Tensor kind##_pad##dims##d_backward(const Tensor& g, const Tensor& x, IntArrayRef padding) {                     \
    check(padding.size() == 2 * dims, "padding size is expected to be ", 2 * dims, ", but got: ", padding.size()); \
    return gradient_of([&](const Tensor& at) { return pad(at, padding, mode); }, g, x);                            \
  }
PAD_BACKWARD(reflection, "reflect", 1)
PAD_BACKWARD(reflection, "reflect", 2)
PAD_BACKWARD(reflection, "reflect", 3)
PAD_BACKWARD(replication, "replicate", 1)
PAD_BACKWARD(replication, "replicate", 2)
PAD_BACKWARD(replication, "replicate", 3)
#undef PAD_BACKWARD

// ---- Views and picks.

Tensor select_backward(const Tensor& g, IntArrayRef sizes, int64_t dim, int64_t index) {
  return gradient_at([&](const Tensor& at) { return at.select(dim, index); }, g, sizes);
}
Tensor slice_backward(const Tensor& g, IntArrayRef sizes, int64_t dim, int64_t start, int64_t end, int64_t step) {
  return gradient_at([&](const Tensor& at) { return at.slice(dim, start, end, step); }, g, sizes);
}
Tensor diagonal_backward(const Tensor& g, IntArrayRef sizes, int64_t offset, int64_t dim1, int64_t dim2) {
  return gradient_at([&](const Tensor& at) { return at.diagonal(offset, dim1, dim2); }, g, sizes);
}
Tensor unfold_backward(const Tensor& g, IntArrayRef sizes, int64_t dim, int64_t size, int64_t step) {
  return gradient_at([&](const Tensor& at) { return at.unfold(dim, size, step); }, g, sizes);
}
Tensor index_select_backward(const Tensor& g, IntArrayRef sizes, int64_t dim, const Tensor& index) {
  return gradient_at([&](const Tensor& at) { return at.index_select(dim, index); }, g, sizes);
}
Tensor trace_backward(const Tensor& g, IntArrayRef sizes) {
  return gradient_at([](const Tensor& at) { return at.trace(); }, g, sizes);
}
Tensor gather_backward(const Tensor& g, const Tensor& x, int64_t dim, const Tensor& index, bool sparse_grad) {
  return gradient_of([&](const Tensor& at) { return at.gather(dim, index, sparse_grad); }, g, x);
}
Tensor cumprod_backward(const Tensor& g, const Tensor& x, int64_t dim, const Tensor&) {
  return gradient_of([&](const Tensor& at) { return at.cumprod(dim); }, g, x);
}
Tensor masked_select_backward(const Tensor& g, const Tensor& x, const Tensor& mask) {
  return gradient_of([&](const Tensor& at) { return at.masked_select(mask); }, g, x);
}

}  // namespace taut
