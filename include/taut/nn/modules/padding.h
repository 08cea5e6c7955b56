// Padding as modules.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/padding.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/padding.txt; do not edit.
// clang-format off
/// Adds a constant at both ends of the last dimension.
class ConstantPad1dImpl : public detail::LayerImpl<ConstantPad1dImpl, ConstantPad1dOptions> {
 public:
  ConstantPad1dImpl(ExpandingArray<1 * 2> padding, double value)
      : ConstantPad1dImpl(ConstantPad1dOptions(padding, value)) {}
  explicit ConstantPad1dImpl(ConstantPad1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ConstantPad1d);

/// Adds a constant at both ends of the last two dimensions.
class ConstantPad2dImpl : public detail::LayerImpl<ConstantPad2dImpl, ConstantPad2dOptions> {
 public:
  ConstantPad2dImpl(ExpandingArray<2 * 2> padding, double value)
      : ConstantPad2dImpl(ConstantPad2dOptions(padding, value)) {}
  explicit ConstantPad2dImpl(ConstantPad2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ConstantPad2d);

/// Adds a constant at both ends of the last three dimensions.
class ConstantPad3dImpl : public detail::LayerImpl<ConstantPad3dImpl, ConstantPad3dOptions> {
 public:
  ConstantPad3dImpl(ExpandingArray<3 * 2> padding, double value)
      : ConstantPad3dImpl(ConstantPad3dOptions(padding, value)) {}
  explicit ConstantPad3dImpl(ConstantPad3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ConstantPad3d);

/// Adds zeros at both ends of the last dimension.
class ZeroPad1dImpl : public detail::LayerImpl<ZeroPad1dImpl, ZeroPad1dOptions> {
 public:
  ZeroPad1dImpl(ExpandingArray<1 * 2> padding) : ZeroPad1dImpl(ZeroPad1dOptions(padding)) {}
  explicit ZeroPad1dImpl(ZeroPad1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ZeroPad1d);

/// Adds zeros at both ends of the last two dimensions.
class ZeroPad2dImpl : public detail::LayerImpl<ZeroPad2dImpl, ZeroPad2dOptions> {
 public:
  ZeroPad2dImpl(ExpandingArray<2 * 2> padding) : ZeroPad2dImpl(ZeroPad2dOptions(padding)) {}
  explicit ZeroPad2dImpl(ZeroPad2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ZeroPad2d);

/// Adds zeros at both ends of the last three dimensions.
class ZeroPad3dImpl : public detail::LayerImpl<ZeroPad3dImpl, ZeroPad3dOptions> {
 public:
  ZeroPad3dImpl(ExpandingArray<3 * 2> padding) : ZeroPad3dImpl(ZeroPad3dOptions(padding)) {}
  explicit ZeroPad3dImpl(ZeroPad3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ZeroPad3d);

/// Adds the mirror image at both ends of the last dimension.
class ReflectionPad1dImpl : public detail::LayerImpl<ReflectionPad1dImpl, ReflectionPad1dOptions> {
 public:
  ReflectionPad1dImpl(ExpandingArray<1 * 2> padding) : ReflectionPad1dImpl(ReflectionPad1dOptions(padding)) {}
  explicit ReflectionPad1dImpl(ReflectionPad1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ReflectionPad1d);

/// Adds the mirror image at both ends of the last two dimensions.
class ReflectionPad2dImpl : public detail::LayerImpl<ReflectionPad2dImpl, ReflectionPad2dOptions> {
 public:
  ReflectionPad2dImpl(ExpandingArray<2 * 2> padding) : ReflectionPad2dImpl(ReflectionPad2dOptions(padding)) {}
  explicit ReflectionPad2dImpl(ReflectionPad2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ReflectionPad2d);

/// Adds the mirror image at both ends of the last three dimensions.
class ReflectionPad3dImpl : public detail::LayerImpl<ReflectionPad3dImpl, ReflectionPad3dOptions> {
 public:
  ReflectionPad3dImpl(ExpandingArray<3 * 2> padding) : ReflectionPad3dImpl(ReflectionPad3dOptions(padding)) {}
  explicit ReflectionPad3dImpl(ReflectionPad3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ReflectionPad3d);

/// Repeats the outermost elements of the last dimension.
class ReplicationPad1dImpl : public detail::LayerImpl<ReplicationPad1dImpl, ReplicationPad1dOptions> {
 public:
  ReplicationPad1dImpl(ExpandingArray<1 * 2> padding) : ReplicationPad1dImpl(ReplicationPad1dOptions(padding)) {}
  explicit ReplicationPad1dImpl(ReplicationPad1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ReplicationPad1d);

/// Repeats the outermost elements of the last two dimensions.
class ReplicationPad2dImpl : public detail::LayerImpl<ReplicationPad2dImpl, ReplicationPad2dOptions> {
 public:
  ReplicationPad2dImpl(ExpandingArray<2 * 2> padding) : ReplicationPad2dImpl(ReplicationPad2dOptions(padding)) {}
  explicit ReplicationPad2dImpl(ReplicationPad2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ReplicationPad2d);

/// Repeats the outermost elements of the last three dimensions.
class ReplicationPad3dImpl : public detail::LayerImpl<ReplicationPad3dImpl, ReplicationPad3dOptions> {
 public:
  ReplicationPad3dImpl(ExpandingArray<3 * 2> padding) : ReplicationPad3dImpl(ReplicationPad3dOptions(padding)) {}
  explicit ReplicationPad3dImpl(ReplicationPad3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ReplicationPad3d);

/// Adds what stands at the other end of the last dimension.
class CircularPad1dImpl : public detail::LayerImpl<CircularPad1dImpl, CircularPad1dOptions> {
 public:
  CircularPad1dImpl(ExpandingArray<1 * 2> padding) : CircularPad1dImpl(CircularPad1dOptions(padding)) {}
  explicit CircularPad1dImpl(CircularPad1dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(CircularPad1d);

/// Adds what stands at the other end of the last two dimensions.
class CircularPad2dImpl : public detail::LayerImpl<CircularPad2dImpl, CircularPad2dOptions> {
 public:
  CircularPad2dImpl(ExpandingArray<2 * 2> padding) : CircularPad2dImpl(CircularPad2dOptions(padding)) {}
  explicit CircularPad2dImpl(CircularPad2dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(CircularPad2d);

/// Adds what stands at the other end of the last three dimensions.
class CircularPad3dImpl : public detail::LayerImpl<CircularPad3dImpl, CircularPad3dOptions> {
 public:
  CircularPad3dImpl(ExpandingArray<3 * 2> padding) : CircularPad3dImpl(CircularPad3dOptions(padding)) {}
  explicit CircularPad3dImpl(CircularPad3dOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(CircularPad3d);
// clang-format on

}  // namespace taut::nn
