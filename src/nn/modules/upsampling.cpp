#include "taut/nn/modules/upsampling.h"

#include <ostream>

#include "nn/repr.h"
#include "nn/tuple.h"
#include "taut/nn/functional/upsampling.h"

namespace taut::nn {

namespace F = functional;

void UpsampleImpl::pretty_print(std::ostream& stream) const {
  stream << name() << '(';
  if (options.scale_factor()) {
    std::vector<detail::PythonFloat> factors;
    for (double s : *options.scale_factor()) factors.push_back({s});
    detail::print_tuple(stream << "scale_factor=", factors);
  } else if (options.size()) {
    detail::print_tuple(stream << "size=", *options.size());
  } else {
    stream << "size=None";
  }
  stream << ", mode='" << options.mode() << "')";
}
Tensor UpsampleImpl::forward(const Tensor& input) {
  return F::interpolate(input, F::InterpolateFuncOptions()
                                   .size(options.size())
                                   .scale_factor(options.scale_factor())
                                   .mode(options.mode())
                                   .align_corners(options.align_corners())
                                   .recompute_scale_factor(options.recompute_scale_factor()));
}

UpsamplingNearest2dImpl::UpsamplingNearest2dImpl(UpsampleOptions options_)
    : UpsampleImpl(std::move(options_.mode(kNearest))) {}
std::shared_ptr<Module> UpsamplingNearest2dImpl::clone(const std::optional<Device>&) const {
  return std::make_shared<UpsamplingNearest2dImpl>(*this);
}
UpsamplingBilinear2dImpl::UpsamplingBilinear2dImpl(UpsampleOptions options_)
    : UpsampleImpl(std::move(options_.mode(kBilinear).align_corners(true))) {}
std::shared_ptr<Module> UpsamplingBilinear2dImpl::clone(const std::optional<Device>&) const {
  return std::make_shared<UpsamplingBilinear2dImpl>(*this);
}

}  // namespace taut::nn
