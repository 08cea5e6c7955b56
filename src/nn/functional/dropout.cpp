#include "taut/nn/functional/dropout.h"

#include "nn/repr.h"
#include "taut/core/runtime.h"
#include "taut/factories.h"
#include "taut/ops/dropout.h"

namespace taut::nn::functional {

namespace {

void check_input(const Tensor& input, const char* op) {
  check(input.defined(), op, ": expected a tensor, got an undefined one");
}
template <class Options>
Tensor features(Tensor& input, const Options& options) {
  return options.inplace() ? feature_dropout_(input, options.p(), options.training())
                           : feature_dropout(input, options.p(), options.training());
}

}  // namespace

using detail::shown;

// Written by tools/layers.py from src/nn/layers/dropout.txt; do not edit.
// clang-format off
Tensor dropout(Tensor input, const DropoutFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  return options.inplace() ? taut::dropout_(input, options.p(), options.training())
                           : taut::dropout(input, options.p(), options.training());
}
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  return options.inplace() ? taut::alpha_dropout_(input, options.p(), options.training())
                           : taut::alpha_dropout(input, options.p(), options.training());
}
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  return options.inplace() ? taut::feature_alpha_dropout_(input, options.p(), options.training())
                           : taut::feature_alpha_dropout(input, options.p(), options.training());
}
// clang-format on

Tensor dropout1d(Tensor input, const Dropout1dFuncOptions& options) {
  check_input(input, "dropout1d");
  check(input.dim() == 2 || input.dim() == 3, "dropout1d: Expected 2D or 3D input, but received a ", input.dim(),
        "D input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a "
        "channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).");
  if (input.dim() == 3) return features(input, options);
  Tensor batch = options.inplace() ? input.unsqueeze_(0) : input.unsqueeze(0);
  Tensor result = features(batch, options);
  return options.inplace() ? result.squeeze_(0) : result.squeeze(0);
}
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options) {
  check_input(input, "dropout2d");
  if (input.dim() != 3 && input.dim() != 4)
    warn(str("dropout2d: Received a ", input.dim(),
             "-D input to dropout2d, which is deprecated: it takes [batch, "
             "channels, height, width]."));
  return features(input, options);
}
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options) {
  check_input(input, "dropout3d");
  if (input.dim() != 4 && input.dim() != 5)
    warn(str("dropout3d: Received a ", input.dim(),
             "-D input to dropout3d, which is deprecated: it takes [batch, "
             "channels, depth, height, width], the batch being optional."));
  if (input.dim() == 5) return features(input, options);
  Tensor batch = options.inplace() ? input.unsqueeze_(0) : input.unsqueeze(0);
  Tensor result = features(batch, options);
  return options.inplace() ? result.squeeze_(0) : result.squeeze(0);
}

}  // namespace taut::nn::functional
