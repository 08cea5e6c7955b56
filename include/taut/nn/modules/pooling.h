// Pooling layers.
#pragma once
#include <tuple>

#include "taut/nn/modules/common.h"
#include "taut/nn/options/pooling.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/pooling.txt; do not edit.
// clang-format off
/// The largest element of each window of [N, C, L] or [C, L].
class MaxPool1dImpl : public detail::LayerImpl<MaxPool1dImpl, MaxPool1dOptions> {
 public:
  MaxPool1dImpl(ExpandingArray<1> kernel_size) : MaxPool1dImpl(MaxPool1dOptions(kernel_size)) {}
  explicit MaxPool1dImpl(MaxPool1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also where the values were.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
TAUT_MODULE(MaxPool1d);

/// The largest element of each window of [N, C, H, W] or [C, H, W].
class MaxPool2dImpl : public detail::LayerImpl<MaxPool2dImpl, MaxPool2dOptions> {
 public:
  MaxPool2dImpl(ExpandingArray<2> kernel_size) : MaxPool2dImpl(MaxPool2dOptions(kernel_size)) {}
  explicit MaxPool2dImpl(MaxPool2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also where the values were.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
TAUT_MODULE(MaxPool2d);

/// The largest element of each window of [N, C, D, H, W] or [C, D, H, W].
class MaxPool3dImpl : public detail::LayerImpl<MaxPool3dImpl, MaxPool3dOptions> {
 public:
  MaxPool3dImpl(ExpandingArray<3> kernel_size) : MaxPool3dImpl(MaxPool3dOptions(kernel_size)) {}
  explicit MaxPool3dImpl(MaxPool3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also where the values were.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
TAUT_MODULE(MaxPool3d);

/// The mean of each window of [N, C, H, W] or [C, H, W].
class AvgPool2dImpl : public detail::LayerImpl<AvgPool2dImpl, AvgPool2dOptions> {
 public:
  AvgPool2dImpl(ExpandingArray<2> kernel_size) : AvgPool2dImpl(AvgPool2dOptions(kernel_size)) {}
  explicit AvgPool2dImpl(AvgPool2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(AvgPool2d);

/// The mean of each window of [N, C, D, H, W] or [C, D, H, W].
class AvgPool3dImpl : public detail::LayerImpl<AvgPool3dImpl, AvgPool3dOptions> {
 public:
  AvgPool3dImpl(ExpandingArray<3> kernel_size) : AvgPool3dImpl(AvgPool3dOptions(kernel_size)) {}
  explicit AvgPool3dImpl(AvgPool3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(AvgPool3d);

/// The mean of each window of [N, C, L] or [C, L].
class AvgPool1dImpl : public detail::LayerImpl<AvgPool1dImpl, AvgPool1dOptions> {
 public:
  AvgPool1dImpl(ExpandingArray<1> kernel_size) : AvgPool1dImpl(AvgPool1dOptions(kernel_size)) {}
  explicit AvgPool1dImpl(AvgPool1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(AvgPool1d);

/// The p-th root of the sum of p-th powers in each window of sequences.
class LPPool1dImpl : public detail::LayerImpl<LPPool1dImpl, LPPool1dOptions> {
 public:
  LPPool1dImpl(double norm_type, ExpandingArray<1> kernel_size)
      : LPPool1dImpl(LPPool1dOptions(norm_type, kernel_size)) {}
  explicit LPPool1dImpl(LPPool1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(LPPool1d);

/// The p-th root of the sum of p-th powers in each window of images.
class LPPool2dImpl : public detail::LayerImpl<LPPool2dImpl, LPPool2dOptions> {
 public:
  LPPool2dImpl(double norm_type, ExpandingArray<2> kernel_size)
      : LPPool2dImpl(LPPool2dOptions(norm_type, kernel_size)) {}
  explicit LPPool2dImpl(LPPool2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(LPPool2d);

/// The p-th root of the sum of p-th powers in each window of volumes.
class LPPool3dImpl : public detail::LayerImpl<LPPool3dImpl, LPPool3dOptions> {
 public:
  LPPool3dImpl(double norm_type, ExpandingArray<3> kernel_size)
      : LPPool3dImpl(LPPool3dOptions(norm_type, kernel_size)) {}
  explicit LPPool3dImpl(LPPool3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(LPPool3d);

/// Means of as many windows of images as output_size says.
class AdaptiveAvgPool2dImpl : public detail::LayerImpl<AdaptiveAvgPool2dImpl, AdaptiveAvgPool2dOptions> {
 public:
  AdaptiveAvgPool2dImpl(ExpandingArrayWithOptionalElem<2> output_size)
      : AdaptiveAvgPool2dImpl(AdaptiveAvgPool2dOptions(output_size)) {}
  explicit AdaptiveAvgPool2dImpl(AdaptiveAvgPool2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(AdaptiveAvgPool2d);

/// Means of as many windows of volumes as output_size says.
class AdaptiveAvgPool3dImpl : public detail::LayerImpl<AdaptiveAvgPool3dImpl, AdaptiveAvgPool3dOptions> {
 public:
  AdaptiveAvgPool3dImpl(ExpandingArrayWithOptionalElem<3> output_size)
      : AdaptiveAvgPool3dImpl(AdaptiveAvgPool3dOptions(output_size)) {}
  explicit AdaptiveAvgPool3dImpl(AdaptiveAvgPool3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(AdaptiveAvgPool3d);

/// Means of as many windows of sequences as output_size says.
class AdaptiveAvgPool1dImpl : public detail::LayerImpl<AdaptiveAvgPool1dImpl, AdaptiveAvgPool1dOptions> {
 public:
  AdaptiveAvgPool1dImpl(ExpandingArray<1> output_size) : AdaptiveAvgPool1dImpl(AdaptiveAvgPool1dOptions(output_size)) {}
  explicit AdaptiveAvgPool1dImpl(AdaptiveAvgPool1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(AdaptiveAvgPool1d);

/// The largest elements of as many windows of images as output_size says.
class AdaptiveMaxPool2dImpl : public detail::LayerImpl<AdaptiveMaxPool2dImpl, AdaptiveMaxPool2dOptions> {
 public:
  AdaptiveMaxPool2dImpl(ExpandingArrayWithOptionalElem<2> output_size)
      : AdaptiveMaxPool2dImpl(AdaptiveMaxPool2dOptions(output_size)) {}
  explicit AdaptiveMaxPool2dImpl(AdaptiveMaxPool2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also where the values were.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
TAUT_MODULE(AdaptiveMaxPool2d);

/// The largest elements of as many windows of volumes as output_size says.
class AdaptiveMaxPool3dImpl : public detail::LayerImpl<AdaptiveMaxPool3dImpl, AdaptiveMaxPool3dOptions> {
 public:
  AdaptiveMaxPool3dImpl(ExpandingArrayWithOptionalElem<3> output_size)
      : AdaptiveMaxPool3dImpl(AdaptiveMaxPool3dOptions(output_size)) {}
  explicit AdaptiveMaxPool3dImpl(AdaptiveMaxPool3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also where the values were.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
TAUT_MODULE(AdaptiveMaxPool3d);

/// The largest elements of as many windows of sequences as output_size says.
class AdaptiveMaxPool1dImpl : public detail::LayerImpl<AdaptiveMaxPool1dImpl, AdaptiveMaxPool1dOptions> {
 public:
  AdaptiveMaxPool1dImpl(ExpandingArray<1> output_size) : AdaptiveMaxPool1dImpl(AdaptiveMaxPool1dOptions(output_size)) {}
  explicit AdaptiveMaxPool1dImpl(AdaptiveMaxPool1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also where the values were.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
TAUT_MODULE(AdaptiveMaxPool1d);
// clang-format on

template <size_t D, class Derived>
class MaxUnpoolImpl : public detail::LayerImpl<Derived, MaxUnpoolOptions<D>> {
 public:
  MaxUnpoolImpl(ExpandingArray<D> kernel_size) : MaxUnpoolImpl(MaxUnpoolOptions<D>(kernel_size)) {}
  explicit MaxUnpoolImpl(const MaxUnpoolOptions<D>& o) : detail::LayerImpl<Derived, MaxUnpoolOptions<D>>(o) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input, const Tensor& indices,
                 const std::optional<std::vector<int64_t>>& output_size = std::nullopt);

 protected:
  FORWARD_HAS_DEFAULT_ARGS({2, AnyValue(std::optional<std::vector<int64_t>>())})
};

template <size_t D, class Derived>
class FractionalMaxPoolImpl : public Cloneable<Derived> {
 public:
  FractionalMaxPoolImpl(ExpandingArray<D> kernel_size)
      : FractionalMaxPoolImpl(FractionalMaxPoolOptions<D>(kernel_size)) {}
  explicit FractionalMaxPoolImpl(const FractionalMaxPoolOptions<D>& o) : options(o) { FractionalMaxPoolImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
  FractionalMaxPoolOptions<D> options;
  Tensor _random_samples;
};

class MaxUnpool1dImpl : public MaxUnpoolImpl<1, MaxUnpool1dImpl> {
 public:
  using MaxUnpoolImpl<1, MaxUnpool1dImpl>::MaxUnpoolImpl;
};
TAUT_MODULE(MaxUnpool1d);
class MaxUnpool2dImpl : public MaxUnpoolImpl<2, MaxUnpool2dImpl> {
 public:
  using MaxUnpoolImpl<2, MaxUnpool2dImpl>::MaxUnpoolImpl;
};
TAUT_MODULE(MaxUnpool2d);
class MaxUnpool3dImpl : public MaxUnpoolImpl<3, MaxUnpool3dImpl> {
 public:
  using MaxUnpoolImpl<3, MaxUnpool3dImpl>::MaxUnpoolImpl;
};
TAUT_MODULE(MaxUnpool3d);
class FractionalMaxPool2dImpl : public FractionalMaxPoolImpl<2, FractionalMaxPool2dImpl> {
 public:
  using FractionalMaxPoolImpl<2, FractionalMaxPool2dImpl>::FractionalMaxPoolImpl;
};
TAUT_MODULE(FractionalMaxPool2d);
class FractionalMaxPool3dImpl : public FractionalMaxPoolImpl<3, FractionalMaxPool3dImpl> {
 public:
  using FractionalMaxPoolImpl<3, FractionalMaxPool3dImpl>::FractionalMaxPoolImpl;
};
TAUT_MODULE(FractionalMaxPool3d);

}  // namespace taut::nn
