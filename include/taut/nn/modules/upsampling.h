// Resizing.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/upsampling.h"

namespace taut::nn {

class UpsampleImpl : public Cloneable<UpsampleImpl> {
 public:
  explicit UpsampleImpl(UpsampleOptions options_ = {}) : options(std::move(options_)) {}
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  UpsampleOptions options;
};
TAUT_MODULE(Upsample);

/// Upsample of images by the nearest pixel.
class UpsamplingNearest2dImpl : public UpsampleImpl {
 public:
  explicit UpsamplingNearest2dImpl(UpsampleOptions options_ = {});
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
};
TAUT_MODULE(UpsamplingNearest2d);

/// Upsample of images by linear interpolation, corners aligned.
class UpsamplingBilinear2dImpl : public UpsampleImpl {
 public:
  explicit UpsamplingBilinear2dImpl(UpsampleOptions options_ = {});
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
};
TAUT_MODULE(UpsamplingBilinear2d);

}  // namespace taut::nn
