// Gradients of single ops as functions of their own, with ATen's names and arguments. Each is what autograd finds for
// the op, and can be differentiated again.
#pragma once
#include <array>

#include "taut/ops/types.h"

namespace taut {

// Of activations: `grad_output` is the gradient of the result.
Tensor sigmoid_backward(const Tensor& grad_output, const Tensor& output);
Tensor tanh_backward(const Tensor& grad_output, const Tensor& output);
Tensor threshold_backward(const Tensor& grad_output, const Tensor& self, const Scalar& threshold);
Tensor elu_backward(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                    bool is_result, const Tensor& self_or_result);
Tensor gelu_backward(const Tensor& grad_output, const Tensor& self, std::string_view approximate = "none");
Tensor glu_backward(const Tensor& grad_output, const Tensor& self, int64_t dim);
Tensor hardshrink_backward(const Tensor& grad_output, const Tensor& self, const Scalar& lambd);
Tensor softshrink_backward(const Tensor& grad_output, const Tensor& self, const Scalar& lambd);
Tensor hardsigmoid_backward(const Tensor& grad_output, const Tensor& self);
Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self);
Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, const Scalar& min_val, const Scalar& max_val);
Tensor leaky_relu_backward(const Tensor& grad_output, const Tensor& self, const Scalar& negative_slope,
                           bool self_is_result);
Tensor log_sigmoid_backward(const Tensor& grad_output, const Tensor& self, const Tensor& buffer);
Tensor logit_backward(const Tensor& grad_output, const Tensor& self, std::optional<double> eps = std::nullopt);
Tensor mish_backward(const Tensor& grad_output, const Tensor& self);
Tensor silu_backward(const Tensor& grad_output, const Tensor& self);
Tensor softplus_backward(const Tensor& grad_output, const Tensor& self, const Scalar& beta, const Scalar& threshold);
Tensor _softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim, ScalarType input_dtype);
Tensor _log_softmax_backward_data(const Tensor& grad_output, const Tensor& output, int64_t dim, ScalarType input_dtype);
Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale);

// Of losses.
Tensor mse_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction);
Tensor smooth_l1_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                               double beta);
Tensor huber_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                           double delta);
Tensor soft_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                 int64_t reduction);
Tensor binary_cross_entropy_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                                     OptionalTensor weight = std::nullopt, int64_t reduction = Reduction::Mean);
Tensor nll_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensor weight,
                         int64_t reduction, int64_t ignore_index, const Tensor& total_weight);
Tensor nll_loss2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensor weight,
                           int64_t reduction, int64_t ignore_index, const Tensor& total_weight);

// Of layers.
Tensor embedding_backward(const Tensor& grad, const Tensor& indices, int64_t num_weights, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse);
Tensor avg_pool2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                           IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                           std::optional<int64_t> divisor_override);
Tensor avg_pool3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                           IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                           std::optional<int64_t> divisor_override);
Tensor max_pool2d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                        const Tensor& indices);
Tensor max_pool3d_with_indices_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel_size,
                                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                        const Tensor& indices);
Tensor adaptive_max_pool2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices);
Tensor adaptive_max_pool3d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices);
/// Gradients of the images, the weight and the bias; those that the mask leaves out are undefined.
std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad_output, const Tensor& input,
                                                        const Tensor& weight, OptionalIntArrayRef bias_sizes,
                                                        IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                                        bool transposed, IntArrayRef output_padding, int64_t groups,
                                                        std::array<bool, 3> output_mask);
std::tuple<Tensor, Tensor, Tensor> native_layer_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                              IntArrayRef normalized_shape, const Tensor& mean,
                                                              const Tensor& rstd, OptionalTensor weight,
                                                              OptionalTensor bias, std::array<bool, 3> output_mask);
std::tuple<Tensor, Tensor, Tensor> native_group_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                              const Tensor& mean, const Tensor& rstd,
                                                              OptionalTensor weight, int64_t N, int64_t C, int64_t HxW,
                                                              int64_t group, std::array<bool, 3> output_mask);

// Of padding: {left, right, top, bottom, ...}.
Tensor reflection_pad1d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor reflection_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor reflection_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor replication_pad1d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor replication_pad2d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);
Tensor replication_pad3d_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding);

// Of views and of what picks elements: the gradient of the whole, of these sizes.
Tensor select_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim, int64_t index);
Tensor slice_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim, int64_t start, int64_t end,
                      int64_t step);
Tensor diagonal_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t offset, int64_t dim1,
                         int64_t dim2);
Tensor unfold_backward(const Tensor& grad_in, IntArrayRef input_sizes, int64_t dim, int64_t size, int64_t step);
Tensor index_select_backward(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index);
Tensor trace_backward(const Tensor& grad, IntArrayRef sizes);
Tensor gather_backward(const Tensor& grad, const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad);
Tensor cumprod_backward(const Tensor& grad, const Tensor& input, int64_t dim, const Tensor& output);
Tensor masked_select_backward(const Tensor& grad, const Tensor& input, const Tensor& mask);

}  // namespace taut
