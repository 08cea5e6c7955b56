// Dropout: in training elements, or whole channels, become zero at random; in evaluation the input passes unchanged.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/dropout.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/dropout.txt; do not edit.
// clang-format off
/// Makes elements zero with probability p while training, and scales the others by 1 / (1 - p).
class DropoutImpl : public detail::LayerImpl<DropoutImpl, DropoutOptions> {
 public:
  DropoutImpl(double p) : DropoutImpl(DropoutOptions(p)) {}
  explicit DropoutImpl(DropoutOptions options_ = {}) : LayerImpl(std::move(options_)) { DropoutImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Dropout);

/// Dropout of whole channels of [N, C, L] or [C, L].
class Dropout1dImpl : public detail::LayerImpl<Dropout1dImpl, Dropout1dOptions> {
 public:
  Dropout1dImpl(double p) : Dropout1dImpl(Dropout1dOptions(p)) {}
  explicit Dropout1dImpl(Dropout1dOptions options_ = {}) : LayerImpl(std::move(options_)) { Dropout1dImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Dropout1d);

/// Dropout of whole channels of [N, C, H, W] or [C, H, W].
class Dropout2dImpl : public detail::LayerImpl<Dropout2dImpl, Dropout2dOptions> {
 public:
  Dropout2dImpl(double p) : Dropout2dImpl(Dropout2dOptions(p)) {}
  explicit Dropout2dImpl(Dropout2dOptions options_ = {}) : LayerImpl(std::move(options_)) { Dropout2dImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Dropout2d);

/// Dropout of whole channels of [N, C, D, H, W] or [C, D, H, W].
class Dropout3dImpl : public detail::LayerImpl<Dropout3dImpl, Dropout3dOptions> {
 public:
  Dropout3dImpl(double p) : Dropout3dImpl(Dropout3dOptions(p)) {}
  explicit Dropout3dImpl(Dropout3dOptions options_ = {}) : LayerImpl(std::move(options_)) { Dropout3dImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Dropout3d);

/// Dropout that keeps mean and variance of what SELU gives.
class AlphaDropoutImpl : public detail::LayerImpl<AlphaDropoutImpl, AlphaDropoutOptions> {
 public:
  AlphaDropoutImpl(double p) : AlphaDropoutImpl(AlphaDropoutOptions(p)) {}
  explicit AlphaDropoutImpl(AlphaDropoutOptions options_ = {})
      : LayerImpl(std::move(options_)) { AlphaDropoutImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(AlphaDropout);

/// AlphaDropout of whole channels.
class FeatureAlphaDropoutImpl : public detail::LayerImpl<FeatureAlphaDropoutImpl, FeatureAlphaDropoutOptions> {
 public:
  FeatureAlphaDropoutImpl(double p) : FeatureAlphaDropoutImpl(FeatureAlphaDropoutOptions(p)) {}
  explicit FeatureAlphaDropoutImpl(FeatureAlphaDropoutOptions options_ = {})
      : LayerImpl(std::move(options_)) { FeatureAlphaDropoutImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(FeatureAlphaDropout);
// clang-format on

}  // namespace taut::nn
