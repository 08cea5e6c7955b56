// Functions of ATen that are methods, or have other names, in taut::; made of its ops.
#pragma once
#include "taut-torch/names.h"
#include "taut/ops/backwards.h"
#include "taut/out.h"

namespace at {

using ITensorListRef = TensorList;

using ::taut::_log_softmax_backward_data;
using ::taut::_softmax_backward_data;
using ::taut::adaptive_max_pool2d_backward;
using ::taut::adaptive_max_pool3d_backward;
using ::taut::avg_pool2d_backward;
using ::taut::avg_pool3d_backward;
using ::taut::binary_cross_entropy_backward;
using ::taut::convolution_backward;
using ::taut::cumprod_backward;
using ::taut::diagonal_backward;
using ::taut::elu_backward;
using ::taut::embedding_backward;
using ::taut::embedding_dense_backward;
using ::taut::gather_backward;
using ::taut::gelu_backward;
using ::taut::glu_backward;
using ::taut::hardshrink_backward;
using ::taut::hardsigmoid_backward;
using ::taut::hardswish_backward;
using ::taut::hardtanh_backward;
using ::taut::huber_loss_backward;
using ::taut::index_select_backward;
using ::taut::leaky_relu_backward;
using ::taut::log_sigmoid_backward;
using ::taut::logit_backward;
using ::taut::masked_select_backward;
using ::taut::max_pool2d_with_indices_backward;
using ::taut::max_pool3d_with_indices_backward;
using ::taut::mish_backward;
using ::taut::mse_loss_backward;
using ::taut::native_dropout_backward;
using ::taut::native_group_norm_backward;
using ::taut::native_layer_norm_backward;
using ::taut::nll_loss2d_backward;
using ::taut::nll_loss_backward;
using ::taut::reflection_pad1d_backward;
using ::taut::reflection_pad2d_backward;
using ::taut::reflection_pad3d_backward;
using ::taut::replication_pad1d_backward;
using ::taut::replication_pad2d_backward;
using ::taut::replication_pad3d_backward;
using ::taut::select_backward;
using ::taut::sigmoid_backward;
using ::taut::silu_backward;
using ::taut::slice_backward;
using ::taut::smooth_l1_loss_backward;
using ::taut::soft_margin_loss_backward;
using ::taut::softplus_backward;
using ::taut::softshrink_backward;
using ::taut::tanh_backward;
using ::taut::threshold_backward;
using ::taut::trace_backward;
using ::taut::unfold_backward;

// What is a method of Tensor, as a function.
inline Tensor clone(const Tensor& self, std::optional<MemoryFormat> format = std::nullopt) {
  return self.clone(format);
}
inline Tensor detach(const Tensor& self) { return self.detach(); }
inline Tensor& detach_(Tensor& self) { return self.detach_(); }
inline Tensor alias(const Tensor& self) { return self.alias(); }
inline Tensor lift(const Tensor& self) { return self; }
inline Tensor lift_fresh(const Tensor& self) { return self; }
inline Tensor& fill_(Tensor& self, const Scalar& value) { return self.fill_(value); }
inline Tensor& fill_(Tensor& self, const Tensor& value) { return self.fill_(value); }
inline Tensor fill(const Tensor& self, const Scalar& value) { return self.clone().fill_(value); }
inline Tensor fill(const Tensor& self, const Tensor& value) { return self.clone().fill_(value); }
inline Tensor& zero_(Tensor& self) { return self.zero_(); }
inline Tensor zero(const Tensor& self) { return self.clone().zero_(); }
inline Tensor copy(const Tensor& self, const Tensor& src, bool non_blocking = false) {
  return self.clone().copy_(src, non_blocking);
}
inline const Tensor& resize_as_(const Tensor& self, const Tensor& like,
                                std::optional<MemoryFormat> format = std::nullopt) {
  return self.resize_as_(like, format);
}
inline const Tensor& as_strided_(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                                 std::optional<int64_t> offset = std::nullopt) {
  return self.set_data(self.as_strided(size, stride, offset));
}
namespace detail {
inline std::vector<taut::indexing::TensorIndex> indices_of(const c10::List<std::optional<Tensor>>& indices) {
  std::vector<taut::indexing::TensorIndex> list;
  for (const std::optional<Tensor>& i : indices.vec())
    list.push_back(i && i->defined() ? taut::indexing::TensorIndex(*i) : taut::indexing::TensorIndex(std::nullopt));
  return list;
}
}  // namespace detail
inline Tensor index(const Tensor& self, const c10::List<std::optional<Tensor>>& indices) {
  return self.index(detail::indices_of(indices));
}
inline Tensor index_put(const Tensor& self, const c10::List<std::optional<Tensor>>& indices, const Tensor& values,
                        bool accumulate = false) {
  return self.index_put(detail::indices_of(indices), values, accumulate);
}
inline Tensor& index_put_(Tensor& self, const c10::List<std::optional<Tensor>>& indices, const Tensor& values,
                          bool accumulate = false) {
  return self.index_put_(detail::indices_of(indices), values, accumulate);
}
#define TAUT_TORCH_FILLED(name)                                 \
  template <class... T>                                         \
  Tensor name(const Tensor& self, T&&... arguments) {           \
    return self.clone().name##_(std::forward<T>(arguments)...); \
  }
TAUT_TORCH_FILLED(cauchy)
TAUT_TORCH_FILLED(exponential)
TAUT_TORCH_FILLED(geometric)
TAUT_TORCH_FILLED(log_normal)
TAUT_TORCH_FILLED(uniform)
#undef TAUT_TORCH_FILLED
inline bool is_same_size(const Tensor& self, const Tensor& other) { return self.is_same_size(other); }
inline bool is_distributed(const Tensor&) { return false; }

// Overloads that take a list, a number or an absent value where taut:: has one for a tensor.
inline std::vector<Tensor> atleast_1d(TensorList tensors) {
  std::vector<Tensor> all;
  for (const Tensor& t : tensors) all.push_back(taut::atleast_1d(t));
  return all;
}
inline std::vector<Tensor> atleast_2d(TensorList tensors) {
  std::vector<Tensor> all;
  for (const Tensor& t : tensors) all.push_back(taut::atleast_2d(t));
  return all;
}
inline std::vector<Tensor> atleast_3d(TensorList tensors) {
  std::vector<Tensor> all;
  for (const Tensor& t : tensors) all.push_back(taut::atleast_3d(t));
  return all;
}
inline Tensor bernoulli(const Tensor& self, const Tensor& p, std::optional<Generator> generator = std::nullopt) {
  return taut::empty_like(self).bernoulli_(p, std::move(generator));
}
#define TAUT_TORCH_ENDS(name)                                                                                    \
  inline Tensor name(const Tensor& start, const Tensor& end, int64_t steps, const TensorOptions& options = {}) { \
    return taut::name(start.item(), end.item(), steps, options);                                                 \
  }                                                                                                              \
  inline Tensor name(const Tensor& start, const Scalar& end, int64_t steps, const TensorOptions& options = {}) { \
    return taut::name(start.item(), end, steps, options);                                                        \
  }                                                                                                              \
  inline Tensor name(const Scalar& start, const Tensor& end, int64_t steps, const TensorOptions& options = {}) { \
    return taut::name(start, end.item(), steps, options);                                                        \
  }
TAUT_TORCH_ENDS(linspace)
#undef TAUT_TORCH_ENDS
inline ScalarType result_type(const Scalar& a, const Tensor& b) { return taut::result_type(b, a); }
inline ScalarType result_type(const Scalar& a, const Scalar& b) { return c10::promoteTypes(a.type(), b.type()); }
inline Tensor trapz(const Tensor& y, const Tensor& x, int64_t dim = -1) { return taut::trapezoid(y, x, dim); }
inline Tensor trapz(const Tensor& y, double dx = 1, int64_t dim = -1) { return taut::trapezoid(y, dx, dim); }
inline std::tuple<Tensor, Tensor, Tensor> unique_dim_consecutive(const Tensor& self, int64_t dim,
                                                                 bool return_inverse = false,
                                                                 bool return_counts = false) {
  return taut::unique_consecutive(self, return_inverse, return_counts, dim);
}

inline Tensor count_nonzero(const Tensor& self, std::optional<int64_t> dim) {
  return dim ? taut::count_nonzero(self, IntArrayRef{*dim}) : taut::count_nonzero(self);
}
inline Tensor count_nonzero(const Tensor& self, int64_t dim) { return taut::count_nonzero(self, IntArrayRef{dim}); }
inline Tensor rand_like(const Tensor& self, std::optional<Generator> generator, const TensorOptions& options = {},
                        std::optional<MemoryFormat> format = std::nullopt) {
  return taut::empty_like(self, options, format).uniform_(0, 1, std::move(generator));
}
inline Tensor randn_like(const Tensor& self, std::optional<Generator> generator, const TensorOptions& options = {},
                         std::optional<MemoryFormat> format = std::nullopt) {
  return taut::empty_like(self, options, format).normal_(0, 1, std::move(generator));
}

// The size of an image as a list, or as factors of the one it has.
#define TAUT_TORCH_UPSAMPLE_NEAREST(name)                                                                           \
  inline Tensor name(const Tensor& input, taut::OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) { \
    return taut::name(input, detail::upsampled(input, size, scales));                                               \
  }
#define TAUT_TORCH_UPSAMPLE(name)                                                             \
  inline Tensor name(const Tensor& input, taut::OptionalIntArrayRef size, bool align_corners, \
                     std::optional<ArrayRef<double>> scales) {                                \
    return taut::name(input, detail::upsampled(input, size, scales), align_corners);          \
  }
namespace detail {
inline std::vector<int64_t> upsampled(const Tensor& input, taut::OptionalIntArrayRef size,
                                      std::optional<ArrayRef<double>> scales) {
  TORCH_CHECK(size.has_value() != scales.has_value(), "Must specify exactly one of output_size and scale_factors");
  if (size) return size->vec();
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < scales->size(); ++i)
    sizes.push_back(static_cast<int64_t>(static_cast<double>(input.size(static_cast<int64_t>(i) + 2)) * (*scales)[i]));
  return sizes;
}
}  // namespace detail
TAUT_TORCH_UPSAMPLE_NEAREST(upsample_nearest1d)
TAUT_TORCH_UPSAMPLE_NEAREST(upsample_nearest2d)
TAUT_TORCH_UPSAMPLE_NEAREST(upsample_nearest3d)
TAUT_TORCH_UPSAMPLE(upsample_linear1d)
TAUT_TORCH_UPSAMPLE(upsample_bilinear2d)
TAUT_TORCH_UPSAMPLE(upsample_bicubic2d)
TAUT_TORCH_UPSAMPLE(upsample_trilinear3d)
#undef TAUT_TORCH_UPSAMPLE_NEAREST
#undef TAUT_TORCH_UPSAMPLE

/// The elements of all tensors in one row, and the other way round.
inline Tensor flatten_dense_tensors(TensorList tensors) {
  std::vector<Tensor> rows;
  for (const Tensor& t : tensors) rows.push_back(t.contiguous().view({-1}));
  return taut::cat(rows);
}
inline std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, TensorList like) {
  std::vector<Tensor> all;
  int64_t at = 0;
  for (const Tensor& t : like) {
    all.push_back(flat.narrow(0, at, t.numel()).view(t.sizes()));
    at += t.numel();
  }
  return all;
}

// Destinations of what has none in Python: the result is copied there. The destination of name_outf is its last
// argument.
namespace detail {
inline Tensor& put_into(Tensor& out, const Tensor& result) {
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), "Expected out tensor to have dtype ", result.dtype(),
              ", but got ", out.dtype(), " instead");
  taut::write_out(out, result);
  return out;
}
template <class Op, class... T, size_t... I>
Tensor& into_last(Op op, std::tuple<const T&...> arguments, std::index_sequence<I...>) {
  return put_into(const_cast<Tensor&>(std::get<sizeof...(I)>(arguments)), op(std::get<I>(arguments)...));
}
}  // namespace detail
#define TAUT_TORCH_OUTF(name)                                                                                        \
  template <class... T>                                                                                              \
  requires(sizeof...(T) > 0) Tensor& name##_outf(const T&... arguments) {                                            \
    return detail::into_last([](const auto&... a) { return at::name(a...); }, std::tuple<const T&...>(arguments...), \
                             std::make_index_sequence<sizeof...(T) - 1>());                                          \
  }
#define TAUT_TORCH_OUT(name)                                                                                       \
  template <class... T>                                                                                            \
  requires requires(const T&... a) { at::name(a...); }                                                             \
  Tensor& name##_out(Tensor& out, const T&... arguments) { return detail::put_into(out, at::name(arguments...)); } \
  TAUT_TORCH_OUTF(name)
TAUT_TORCH_OUT(adaptive_avg_pool1d)
TAUT_TORCH_OUT(adaptive_max_pool2d_backward)
TAUT_TORCH_OUT(adaptive_max_pool3d_backward)
TAUT_TORCH_OUT(affine_grid_generator)
TAUT_TORCH_OUT(as_strided_scatter)
TAUT_TORCH_OUT(avg_pool1d)
TAUT_TORCH_OUT(avg_pool2d_backward)
TAUT_TORCH_OUT(avg_pool3d_backward)
TAUT_TORCH_OUT(binary_cross_entropy_backward)
TAUT_TORCH_OUT(binary_cross_entropy_with_logits)
TAUT_TORCH_OUT(bincount)
TAUT_TORCH_OUT(binomial)
TAUT_TORCH_OUT(block_diag)
TAUT_TORCH_OUT(celu)
TAUT_TORCH_OUT(channel_shuffle)
TAUT_TORCH_OUT(clone)
TAUT_TORCH_OUT(convolution)
TAUT_TORCH_OUT(copy)
TAUT_TORCH_OUT(diag_embed)
TAUT_TORCH_OUT(diagonal_backward)
TAUT_TORCH_OUT(diagonal_scatter)
TAUT_TORCH_OUT(dist)
TAUT_TORCH_OUT(elu_backward)
TAUT_TORCH_OUT(embedding)
TAUT_TORCH_OUT(embedding_dense_backward)
TAUT_TORCH_OUT(empty_like)
TAUT_TORCH_OUT(empty_permuted)
TAUT_TORCH_OUT(empty_strided)
TAUT_TORCH_OUT(fill)
TAUT_TORCH_OUT(flip)
TAUT_TORCH_OUT(full_like)
TAUT_TORCH_OUT(gelu_backward)
TAUT_TORCH_OUT(glu_backward)
TAUT_TORCH_OUT(grid_sampler_2d)
TAUT_TORCH_OUT(grid_sampler_3d)
TAUT_TORCH_OUT(hardshrink_backward)
TAUT_TORCH_OUT(hardsigmoid_backward)
TAUT_TORCH_OUT(hardswish_backward)
TAUT_TORCH_OUT(hardtanh_backward)
TAUT_TORCH_OUT(hspmm)
TAUT_TORCH_OUT(huber_loss_backward)
TAUT_TORCH_OUT(index)
TAUT_TORCH_OUT(index_fill)
TAUT_TORCH_OUT(index_put)
TAUT_TORCH_OUT(isinf)
TAUT_TORCH_OUT(isnan)
TAUT_TORCH_OUT(leaky_relu_backward)
TAUT_TORCH_OUT(lift)
TAUT_TORCH_OUT(linalg_matrix_exp)
TAUT_TORCH_OUT(log_sigmoid_backward)
TAUT_TORCH_OUT(logit_backward)
TAUT_TORCH_OUT(masked_fill)
TAUT_TORCH_OUT(masked_scatter)
TAUT_TORCH_OUT(max_pool2d_with_indices_backward)
TAUT_TORCH_OUT(max_pool3d_with_indices_backward)
TAUT_TORCH_OUT(mse_loss_backward)
TAUT_TORCH_OUT(native_dropout_backward)
TAUT_TORCH_OUT(nll_loss2d_backward)
TAUT_TORCH_OUT(nll_loss_backward)
TAUT_TORCH_OUT(ones_like)
TAUT_TORCH_OUT(pixel_shuffle)
TAUT_TORCH_OUT(pixel_unshuffle)
TAUT_TORCH_OUT(poisson)
TAUT_TORCH_OUT(put)
TAUT_TORCH_OUT(rand_like)
TAUT_TORCH_OUT(randint_like)
TAUT_TORCH_OUT(randn_like)
TAUT_TORCH_OUT(reflection_pad1d)
TAUT_TORCH_OUT(reflection_pad1d_backward)
TAUT_TORCH_OUT(reflection_pad2d)
TAUT_TORCH_OUT(reflection_pad2d_backward)
TAUT_TORCH_OUT(reflection_pad3d)
TAUT_TORCH_OUT(reflection_pad3d_backward)
TAUT_TORCH_OUT(relu)
TAUT_TORCH_OUT(repeat)
TAUT_TORCH_OUT(repeat_interleave)
TAUT_TORCH_OUT(replication_pad1d)
TAUT_TORCH_OUT(replication_pad1d_backward)
TAUT_TORCH_OUT(replication_pad2d)
TAUT_TORCH_OUT(replication_pad2d_backward)
TAUT_TORCH_OUT(replication_pad3d)
TAUT_TORCH_OUT(replication_pad3d_backward)
TAUT_TORCH_OUT(roll)
TAUT_TORCH_OUT(rot90)
TAUT_TORCH_OUT(rsub)
TAUT_TORCH_OUT(scalar_tensor)
TAUT_TORCH_OUT(segment_reduce)
TAUT_TORCH_OUT(select_backward)
TAUT_TORCH_OUT(select_scatter)
TAUT_TORCH_OUT(sigmoid_backward)
TAUT_TORCH_OUT(silu_backward)
TAUT_TORCH_OUT(slice_backward)
TAUT_TORCH_OUT(slice_scatter)
TAUT_TORCH_OUT(smooth_l1_loss_backward)
TAUT_TORCH_OUT(soft_margin_loss_backward)
TAUT_TORCH_OUT(softplus_backward)
TAUT_TORCH_OUT(softshrink_backward)
TAUT_TORCH_OUT(sparse_coo_tensor)
TAUT_TORCH_OUT(sparse_mask)
TAUT_TORCH_OUT(sparse_sampled_addmm)
TAUT_TORCH_OUT(sspaddmm)
TAUT_TORCH_OUT(tanh_backward)
TAUT_TORCH_OUT(threshold_backward)
TAUT_TORCH_OUT(trace)
TAUT_TORCH_OUT(tril_indices)
TAUT_TORCH_OUT(triu_indices)
TAUT_TORCH_OUT(unfold_backward)
TAUT_TORCH_OUT(zero)
TAUT_TORCH_OUT(zeros_like)
#undef TAUT_TORCH_OUT

}  // namespace at
