// What the headers of modules include.
#pragma once
#include <type_traits>

#include "taut/nn/any.h"
#include "taut/nn/arg.h"
#include "taut/nn/cloneable.h"
#include "taut/nn/enums.h"
#include "taut/nn/expanding_array.h"
#include "taut/nn/module.h"
#include "taut/nn/pimpl.h"

namespace taut::nn::detail {
/// A layer with options and without parameters.
template <class Impl, class Options>
class LayerImpl : public Cloneable<Impl> {
 public:
  LayerImpl() requires std::is_default_constructible_v<Options> {}
  explicit LayerImpl(Options options) : options(std::move(options)) {}
  void reset() override {}
  Options options;
};
}  // namespace taut::nn::detail
