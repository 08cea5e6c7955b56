#include "ops/autocast.h"

#include <unordered_map>

#include "core/tensor_impl.h"
#include "taut/amp.h"
#include "taut/core/runtime.h"

namespace taut {

using autograd::autocast_state;

namespace {
/// Parameters already cast, so that one that is used twice is cast once; emptied when the outermost scope ends.
thread_local std::unordered_map<const TensorImpl*, std::pair<Tensor, Tensor>> cache;  // {the parameter, its short form}
thread_local int scopes = 0;

bool is_castable(const Tensor& t) { return t.defined() && t.is_floating_point() && t.scalar_type() != kDouble; }
}  // namespace

Tensor as_wide(const Tensor& t) { return is_castable(t) ? t.to(kFloat) : t; }
Tensor as_short(const Tensor& t) {
  const ScalarType dtype = autocast_state.dtype;
  if (!is_castable(t) || t.scalar_type() == dtype) return t;
  if (!autocast_state.cache || t.scalar_type() != kFloat || !t.is_leaf() || !t.requires_grad() || t.is_view())
    return t.to(dtype);
  auto& [parameter, cast] = cache[t.impl()];
  if (!cast.defined() || cast.scalar_type() != dtype) {
    parameter = t;
    cast = t.to(dtype);
  }
  return cast;
}

namespace amp {

bool is_autocast_enabled(DeviceType device) { return device == kCPU && autocast_state.enabled; }
void set_autocast_enabled(DeviceType device, bool enabled) {
  if (device == kCPU) autocast_state.enabled = enabled;
}
ScalarType get_autocast_dtype(DeviceType device) { return device == kCPU ? autocast_state.dtype : kHalf; }
void set_autocast_dtype(DeviceType device, ScalarType dtype) {
  if (device == kCPU) autocast_state.dtype = dtype;
}
bool is_autocast_cache_enabled() { return autocast_state.cache; }
void set_autocast_cache_enabled(bool enabled) { autocast_state.cache = enabled; }
void clear_autocast_cache() { cache.clear(); }
int autocast_increment_nesting() { return ++scopes; }
int autocast_decrement_nesting() { return --scopes; }

autocast::autocast(DeviceType device_type, ScalarType dtype, bool enabled, bool cache_enabled)
    : device_(device_type),
      enabled_(is_autocast_enabled(device_type)),
      cache_(is_autocast_cache_enabled()),
      dtype_(get_autocast_dtype(device_type)) {
  if (enabled && device_type != kCPU) {
    warn(str("autocast: there is no device '", device_type, "'. Disabling autocast."));
    enabled = false;
  } else if (enabled && dtype != kBFloat16 && dtype != kHalf) {
    warn(
        "In CPU autocast, but the target dtype is not supported. Disabling autocast.\nCPU Autocast only supports "
        "dtypes of "
        "torch.bfloat16, torch.float16 currently.");
    enabled = false;
  }
  set_autocast_enabled(device_, enabled);
  set_autocast_dtype(device_, dtype);
  set_autocast_cache_enabled(cache_enabled);
  autocast_increment_nesting();
}
autocast::~autocast() {
  if (autocast_decrement_nesting() == 0) clear_autocast_cache();
  if (device_ == kCPU) autocast_state = {enabled_, cache_, dtype_};
}

}  // namespace amp
}  // namespace taut
