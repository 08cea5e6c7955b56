#include "taut/nn/functional/dropout.h"

#include "nn/repr.h"
#include "taut/factories.h"
#include "taut/ops/dropout.h"

namespace taut::nn::functional {

using detail::shown;

// Written by tools/layers.py from src/nn/layers/dropout.txt; do not edit.
// clang-format off
Tensor dropout(Tensor input, const DropoutFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  return options.inplace() ? taut::dropout_(input, options.p(), options.training())
                           : taut::dropout(input, options.p(), options.training());
}
Tensor dropout1d(Tensor input, const Dropout1dFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("dropout1d: dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  return taut::_channel_dropout(input, options.p(), options.training(), options.inplace(), 1);
}
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("dropout2d: dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  return taut::_channel_dropout(input, options.p(), options.training(), options.inplace(), 2);
}
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("dropout3d: dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  return taut::_channel_dropout(input, options.p(), options.training(), options.inplace(), 3);
}
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("alpha_dropout: dropout probability has to be between 0 and 1, but got ", shown(options.p())));
  return options.inplace() ? taut::alpha_dropout_(input, options.p(), options.training())
                           : taut::alpha_dropout(input, options.p(), options.training());
}
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options) {
  if (options.p() < 0.0 || options.p() > 1.0)
    throw ValueError(str("feature_alpha_dropout: dropout probability has to be between 0 and 1, but got ",
                         shown(options.p())));
  return options.inplace() ? taut::feature_alpha_dropout_(input, options.p(), options.training())
                           : taut::feature_alpha_dropout(input, options.p(), options.training());
}
// clang-format on

}  // namespace taut::nn::functional
