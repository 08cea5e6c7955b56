#include "taut/nn/functional/upsampling.h"

#include "taut/ops/resample.h"

namespace taut::nn::functional {

Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& o) {
  return _interpolate(input, o.size() ? OptionalIntArrayRef(*o.size()) : OptionalIntArrayRef(), o.scale_factor(),
                      o.mode().name(), o.align_corners(), o.recompute_scale_factor(), o.antialias());
}

}  // namespace taut::nn::functional
