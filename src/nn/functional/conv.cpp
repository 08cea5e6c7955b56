#include "taut/nn/functional/conv.h"

#include "taut/ops/conv.h"

namespace taut::nn::functional {
namespace {

/// f(padding) with numbers or a name.
template <size_t D, class F>
Tensor with_padding(const nn::detail::conv_padding_t<D>& padding, F f) {
  if (const auto* name = std::get_if<Keyword>(&padding)) return f(PaddingName(name->name()));
  return f(IntArrayRef(std::get<ExpandingArray<D>>(padding)));
}

}  // namespace

Tensor conv1d(const Tensor& input, const Tensor& weight, const Conv1dFuncOptions& o) {
  return with_padding<1>(o.padding(), [&](auto padding) {
    return taut::conv1d(input, weight, o.bias(), o.stride(), padding, o.dilation(), o.groups());
  });
}
Tensor conv2d(const Tensor& input, const Tensor& weight, const Conv2dFuncOptions& o) {
  return with_padding<2>(o.padding(), [&](auto padding) {
    return taut::conv2d(input, weight, o.bias(), o.stride(), padding, o.dilation(), o.groups());
  });
}
Tensor conv3d(const Tensor& input, const Tensor& weight, const Conv3dFuncOptions& o) {
  return with_padding<3>(o.padding(), [&](auto padding) {
    return taut::conv3d(input, weight, o.bias(), o.stride(), padding, o.dilation(), o.groups());
  });
}
Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const ConvTranspose1dFuncOptions& o) {
  return taut::conv_transpose1d(input, weight, o.bias(), o.stride(), o.padding(), o.output_padding(), o.groups(),
                                o.dilation());
}
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const ConvTranspose2dFuncOptions& o) {
  return taut::conv_transpose2d(input, weight, o.bias(), o.stride(), o.padding(), o.output_padding(), o.groups(),
                                o.dilation());
}
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const ConvTranspose3dFuncOptions& o) {
  return taut::conv_transpose3d(input, weight, o.bias(), o.stride(), o.padding(), o.output_padding(), o.groups(),
                                o.dilation());
}

}  // namespace taut::nn::functional
