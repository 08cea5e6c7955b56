#include "taut/nn/functional/padding.h"

namespace taut::nn::functional {

Tensor pad(const Tensor& input, const PadFuncOptions& options) {
  const Keyword mode = options.mode();
  check<ValueError>(mode == kConstant || mode == kReflect || mode == kReplicate || mode == kCircular,
                    "pad: Unrecognised padding mode ", mode, "; use kConstant, kReflect, kReplicate or kCircular");
  if (mode == kConstant) return taut::pad(input, options.pad(), mode.name(), options.value());
  check<ValueError>(options.value() == 0, "pad: Padding mode \"", mode, "\" doesn't take in value argument, got ",
                    options.value());
  return taut::pad(input, options.pad(), mode.name());
}

}  // namespace taut::nn::functional
