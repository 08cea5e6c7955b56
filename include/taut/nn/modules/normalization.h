// Layer, RMS, group and response normalisation.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/normalization.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/normalization.txt; do not edit.
// clang-format off
/// Each element divided by a power of the mean square of its neighbour channels.
class LocalResponseNormImpl : public detail::LayerImpl<LocalResponseNormImpl, LocalResponseNormOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(LocalResponseNorm);

/// The last dimensions with mean 0 and variance 1, then scaled and shifted.
class LayerNormImpl : public detail::LayerImpl<LayerNormImpl, LayerNormOptions> {
 public:
  LayerNormImpl(std::vector<int64_t> normalized_shape) : LayerNormImpl(LayerNormOptions(normalized_shape)) {}
  explicit LayerNormImpl(LayerNormOptions options_) : LayerImpl(std::move(options_)) { LayerNormImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  Tensor weight, bias;
};
TAUT_MODULE(LayerNorm);

/// The last dimensions divided by the root of their mean square, then scaled.
class RMSNormImpl : public detail::LayerImpl<RMSNormImpl, RMSNormOptions> {
 public:
  RMSNormImpl(std::vector<int64_t> normalized_shape) : RMSNormImpl(RMSNormOptions(normalized_shape)) {}
  explicit RMSNormImpl(RMSNormOptions options_) : LayerImpl(std::move(options_)) { RMSNormImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& x);
  Tensor weight;
};
TAUT_MODULE(RMSNorm);

/// Each group of channels with mean 0 and variance 1, then scaled and shifted.
class GroupNormImpl : public detail::LayerImpl<GroupNormImpl, GroupNormOptions> {
 public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels) : GroupNormImpl(GroupNormOptions(num_groups, num_channels)) {}
  explicit GroupNormImpl(GroupNormOptions options_) : LayerImpl(std::move(options_)) { GroupNormImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  Tensor weight, bias;
};
TAUT_MODULE(GroupNorm);
// clang-format on

/// input / (k + alpha / size sum(input^2 over the channels around))^beta. From channel (size + 1) / 2 on, the sum still
/// has the first channel in it: PyTorch's does.
class CrossMapLRN2dImpl : public Cloneable<CrossMapLRN2dImpl> {
 public:
  CrossMapLRN2dImpl(int64_t size) : CrossMapLRN2dImpl(CrossMapLRN2dOptions(size)) {}
  explicit CrossMapLRN2dImpl(const CrossMapLRN2dOptions& options_) : options(options_) {}
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  CrossMapLRN2dOptions options;
};
TAUT_MODULE(CrossMapLRN2d);

}  // namespace taut::nn
