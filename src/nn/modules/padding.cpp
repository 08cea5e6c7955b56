#include "taut/nn/modules/padding.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/nn/functional/padding.h"

namespace taut::nn {
namespace detail {
namespace {

// How each kind of layer pads.
template <size_t D>
Keyword mode_of(const ReflectionPadOptions<D>&) {
  return kReflect;
}
template <size_t D>
Keyword mode_of(const ReplicationPadOptions<D>&) {
  return kReplicate;
}
template <size_t D>
Keyword mode_of(const CircularPadOptions<D>&) {
  return kCircular;
}
template <class Options>
Keyword mode_of(const Options&) {
  return kConstant;
}

/// All but zeros and constants take one dimension for the channels and maybe one for the batch.
void check_dims(const std::string& name, const Tensor& input, int64_t dims) {
  check<ValueError>(input.defined() && (input.dim() == dims + 1 || input.dim() == dims + 2), name, ": expected ",
                    dims + 1, "D or ", dims + 2, "D input (got ", input.defined() ? input.dim() : 0, "D input)");
}

}  // namespace

template <size_t D, class Impl, class Options>
void PadImpl<D, Impl, Options>::pretty_print(std::ostream& stream) const {
  stream << this->name() << '(';
  if constexpr (requires { options.value(); })
    stream << "padding=" << options.padding() << ", value=" << PythonFloat{options.value()};
  else stream << options.padding();
  stream << ')';
}

template <size_t D, class Impl, class Options>
Tensor PadImpl<D, Impl, Options>::forward(const Tensor& input) {
  const Keyword mode = mode_of(options);
  if (mode != kConstant) check_dims(this->name(), input, static_cast<int64_t>(D));
  const auto& padding = *options.padding();
  functional::PadFuncOptions how({padding.begin(), padding.end()});
  how.mode(mode);
  if constexpr (requires { options.value(); }) how.value(options.value());
  return functional::pad(input, how);
}

#define TAUT_PAD(Kind)                                            \
  template class PadImpl<1, Kind##Pad1dImpl, Kind##Pad1dOptions>; \
  template class PadImpl<2, Kind##Pad2dImpl, Kind##Pad2dOptions>; \
  template class PadImpl<3, Kind##Pad3dImpl, Kind##Pad3dOptions>;
TAUT_PAD(Reflection)
TAUT_PAD(Replication)
TAUT_PAD(Circular)
TAUT_PAD(Zero)
TAUT_PAD(Constant)
#undef TAUT_PAD

}  // namespace detail
}  // namespace taut::nn
