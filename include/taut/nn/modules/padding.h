// Padding as modules.
#pragma once
#include <type_traits>

#include "taut/nn/modules/common.h"
#include "taut/nn/options/padding.h"

namespace taut::nn {

namespace detail {
/// Pads the last D dimensions; Options say by how much, the class how.
template <size_t D, class Impl, class Options>
class PadImpl : public Cloneable<Impl> {
 public:
  template <class O = Options>
  requires std::is_constructible_v<O, ExpandingArray<D * 2>> PadImpl(ExpandingArray<D * 2> padding)
      : options(padding) {}
  explicit PadImpl(const Options& options) : options(options) {}
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  Options options;
};
}  // namespace detail

/// Mirrors what is inside, without repeating the edge.
class ReflectionPad1dImpl : public detail::PadImpl<1, ReflectionPad1dImpl, ReflectionPad1dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ReflectionPad1d);
class ReflectionPad2dImpl : public detail::PadImpl<2, ReflectionPad2dImpl, ReflectionPad2dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ReflectionPad2d);
class ReflectionPad3dImpl : public detail::PadImpl<3, ReflectionPad3dImpl, ReflectionPad3dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ReflectionPad3d);

/// Repeats the edge.
class ReplicationPad1dImpl : public detail::PadImpl<1, ReplicationPad1dImpl, ReplicationPad1dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ReplicationPad1d);
class ReplicationPad2dImpl : public detail::PadImpl<2, ReplicationPad2dImpl, ReplicationPad2dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ReplicationPad2d);
class ReplicationPad3dImpl : public detail::PadImpl<3, ReplicationPad3dImpl, ReplicationPad3dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ReplicationPad3d);

/// Goes on at the other side.
class CircularPad1dImpl : public detail::PadImpl<1, CircularPad1dImpl, CircularPad1dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(CircularPad1d);
class CircularPad2dImpl : public detail::PadImpl<2, CircularPad2dImpl, CircularPad2dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(CircularPad2d);
class CircularPad3dImpl : public detail::PadImpl<3, CircularPad3dImpl, CircularPad3dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(CircularPad3d);

/// Adds zeros.
class ZeroPad1dImpl : public detail::PadImpl<1, ZeroPad1dImpl, ZeroPad1dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ZeroPad1d);
class ZeroPad2dImpl : public detail::PadImpl<2, ZeroPad2dImpl, ZeroPad2dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ZeroPad2d);
class ZeroPad3dImpl : public detail::PadImpl<3, ZeroPad3dImpl, ZeroPad3dOptions> {
 public:
  using PadImpl::PadImpl;
};
TAUT_MODULE(ZeroPad3d);

/// Adds a number.
class ConstantPad1dImpl : public detail::PadImpl<1, ConstantPad1dImpl, ConstantPad1dOptions> {
 public:
  using PadImpl::PadImpl;
  ConstantPad1dImpl(ExpandingArray<2> padding, double value) : PadImpl(ConstantPad1dOptions(padding, value)) {}
};
TAUT_MODULE(ConstantPad1d);
class ConstantPad2dImpl : public detail::PadImpl<2, ConstantPad2dImpl, ConstantPad2dOptions> {
 public:
  using PadImpl::PadImpl;
  ConstantPad2dImpl(ExpandingArray<4> padding, double value) : PadImpl(ConstantPad2dOptions(padding, value)) {}
};
TAUT_MODULE(ConstantPad2d);
class ConstantPad3dImpl : public detail::PadImpl<3, ConstantPad3dImpl, ConstantPad3dOptions> {
 public:
  using PadImpl::PadImpl;
  ConstantPad3dImpl(ExpandingArray<6> padding, double value) : PadImpl(ConstantPad3dOptions(padding, value)) {}
};
TAUT_MODULE(ConstantPad3d);

}  // namespace taut::nn
