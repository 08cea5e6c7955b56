#include "taut/nn/modules/padding.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/nn/functional/padding.h"

namespace taut::nn {

namespace F = functional;
using detail::shown;

namespace {

/// The options of pad, which has a list for any number of dimensions.
template <size_t D>
F::PadFuncOptions around(const ExpandingArray<D>& padding, Keyword mode, double value = 0) {
  return F::PadFuncOptions({padding->begin(), padding->end()}).mode(mode).value(value);
}

}  // namespace

// Written by tools/layers.py from src/nn/layers/padding.txt; do not edit.
// clang-format off
Tensor ConstantPad1dImpl::forward(const Tensor& input) {
  return F::pad(input, around(options.padding(), kConstant, options.value()));
}
void ConstantPad1dImpl::pretty_print(std::ostream& stream) const {
  stream << "ConstantPad1d(padding=" << shown(options.padding()) << ", value=" << shown(options.value()) << ')';
}

Tensor ConstantPad2dImpl::forward(const Tensor& input) {
  return F::pad(input, around(options.padding(), kConstant, options.value()));
}
void ConstantPad2dImpl::pretty_print(std::ostream& stream) const {
  stream << "ConstantPad2d(padding=" << shown(options.padding()) << ", value=" << shown(options.value()) << ')';
}

Tensor ConstantPad3dImpl::forward(const Tensor& input) {
  return F::pad(input, around(options.padding(), kConstant, options.value()));
}
void ConstantPad3dImpl::pretty_print(std::ostream& stream) const {
  stream << "ConstantPad3d(padding=" << shown(options.padding()) << ", value=" << shown(options.value()) << ')';
}

Tensor ZeroPad1dImpl::forward(const Tensor& input) { return F::pad(input, around(options.padding(), kConstant)); }
void ZeroPad1dImpl::pretty_print(std::ostream& stream) const {
  stream << "ZeroPad1d(" << shown(options.padding()) << ')';
}

Tensor ZeroPad2dImpl::forward(const Tensor& input) { return F::pad(input, around(options.padding(), kConstant)); }
void ZeroPad2dImpl::pretty_print(std::ostream& stream) const {
  stream << "ZeroPad2d(" << shown(options.padding()) << ')';
}

Tensor ZeroPad3dImpl::forward(const Tensor& input) { return F::pad(input, around(options.padding(), kConstant)); }
void ZeroPad3dImpl::pretty_print(std::ostream& stream) const {
  stream << "ZeroPad3d(" << shown(options.padding()) << ')';
}

Tensor ReflectionPad1dImpl::forward(const Tensor& input) { return F::pad(input, around(options.padding(), kReflect)); }
void ReflectionPad1dImpl::pretty_print(std::ostream& stream) const {
  stream << "ReflectionPad1d(" << shown(options.padding()) << ')';
}

Tensor ReflectionPad2dImpl::forward(const Tensor& input) { return F::pad(input, around(options.padding(), kReflect)); }
void ReflectionPad2dImpl::pretty_print(std::ostream& stream) const {
  stream << "ReflectionPad2d(" << shown(options.padding()) << ')';
}

Tensor ReflectionPad3dImpl::forward(const Tensor& input) { return F::pad(input, around(options.padding(), kReflect)); }
void ReflectionPad3dImpl::pretty_print(std::ostream& stream) const {
  stream << "ReflectionPad3d(" << shown(options.padding()) << ')';
}

Tensor ReplicationPad1dImpl::forward(const Tensor& input) {
  return F::pad(input, around(options.padding(), kReplicate));
}
void ReplicationPad1dImpl::pretty_print(std::ostream& stream) const {
  stream << "ReplicationPad1d(" << shown(options.padding()) << ')';
}

Tensor ReplicationPad2dImpl::forward(const Tensor& input) {
  return F::pad(input, around(options.padding(), kReplicate));
}
void ReplicationPad2dImpl::pretty_print(std::ostream& stream) const {
  stream << "ReplicationPad2d(" << shown(options.padding()) << ')';
}

Tensor ReplicationPad3dImpl::forward(const Tensor& input) {
  return F::pad(input, around(options.padding(), kReplicate));
}
void ReplicationPad3dImpl::pretty_print(std::ostream& stream) const {
  stream << "ReplicationPad3d(" << shown(options.padding()) << ')';
}

Tensor CircularPad1dImpl::forward(const Tensor& input) {
  if (input.dim() != 2 && input.dim() != 3)
    throw ValueError(str("expected 2D or 3D input (got ", input.dim(), "D input)"));
  return F::pad(input, around(options.padding(), kCircular));
}
void CircularPad1dImpl::pretty_print(std::ostream& stream) const {
  stream << "CircularPad1d(" << shown(options.padding()) << ')';
}

Tensor CircularPad2dImpl::forward(const Tensor& input) {
  if (input.dim() != 3 && input.dim() != 4)
    throw ValueError(str("expected 3D or 4D input (got ", input.dim(), "D input)"));
  return F::pad(input, around(options.padding(), kCircular));
}
void CircularPad2dImpl::pretty_print(std::ostream& stream) const {
  stream << "CircularPad2d(" << shown(options.padding()) << ')';
}

Tensor CircularPad3dImpl::forward(const Tensor& input) {
  if (input.dim() != 4 && input.dim() != 5)
    throw ValueError(str("expected 4D or 5D input (got ", input.dim(), "D input)"));
  return F::pad(input, around(options.padding(), kCircular));
}
void CircularPad3dImpl::pretty_print(std::ostream& stream) const {
  stream << "CircularPad3d(" << shown(options.padding()) << ')';
}
// clang-format on

}  // namespace taut::nn
