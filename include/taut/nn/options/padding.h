// Options of the padding layers: how many elements to add before and after, the last dimension first.
#pragma once
#include <vector>

#include "taut/nn/arg.h"
#include "taut/nn/enums.h"
#include "taut/nn/expanding_array.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/padding.txt; do not edit.
// clang-format off
template <size_t D>
struct ConstantPadOptions {
  ConstantPadOptions(ExpandingArray<D * 2> padding, double value) : padding_(padding), value_(value) {}
  TAUT_ARG(ExpandingArray<D * 2>, padding);
  TAUT_ARG(double, value);
};
using ConstantPad1dOptions = ConstantPadOptions<1>;
using ConstantPad2dOptions = ConstantPadOptions<2>;
using ConstantPad3dOptions = ConstantPadOptions<3>;
template <size_t D>
struct ZeroPadOptions {
  ZeroPadOptions(ExpandingArray<D * 2> padding) : padding_(padding) {}
  TAUT_ARG(ExpandingArray<D * 2>, padding);
};
using ZeroPad1dOptions = ZeroPadOptions<1>;
using ZeroPad2dOptions = ZeroPadOptions<2>;
using ZeroPad3dOptions = ZeroPadOptions<3>;
template <size_t D>
struct ReflectionPadOptions {
  ReflectionPadOptions(ExpandingArray<D * 2> padding) : padding_(padding) {}
  TAUT_ARG(ExpandingArray<D * 2>, padding);
};
using ReflectionPad1dOptions = ReflectionPadOptions<1>;
using ReflectionPad2dOptions = ReflectionPadOptions<2>;
using ReflectionPad3dOptions = ReflectionPadOptions<3>;
template <size_t D>
struct ReplicationPadOptions {
  ReplicationPadOptions(ExpandingArray<D * 2> padding) : padding_(padding) {}
  TAUT_ARG(ExpandingArray<D * 2>, padding);
};
using ReplicationPad1dOptions = ReplicationPadOptions<1>;
using ReplicationPad2dOptions = ReplicationPadOptions<2>;
using ReplicationPad3dOptions = ReplicationPadOptions<3>;
template <size_t D>
struct CircularPadOptions {
  CircularPadOptions(ExpandingArray<D * 2> padding) : padding_(padding) {}
  TAUT_ARG(ExpandingArray<D * 2>, padding);
};
using CircularPad1dOptions = CircularPadOptions<1>;
using CircularPad2dOptions = CircularPadOptions<2>;
using CircularPad3dOptions = CircularPadOptions<3>;
// clang-format on

namespace functional {
/// `mode` is kConstant, kReflect, kReplicate or kCircular; `value` is for the first.
struct PadFuncOptions {
  PadFuncOptions(std::vector<int64_t> pad) : pad_(std::move(pad)) {}
  TAUT_ARG(std::vector<int64_t>, pad);
  TAUT_ARG(Keyword, mode) = kConstant;
  TAUT_ARG(double, value) = 0;
};
}  // namespace functional

}  // namespace taut::nn
