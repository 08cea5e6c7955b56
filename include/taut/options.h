// Where and how a tensor is stored: what factories take, spelt as libtorch spells it.
#pragma once
#include <optional>

#include "taut/core/dtype.h"
#include "taut/core/error.h"

namespace taut {

enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;

/// Taut computes on the CPU; asking for anything else is an error.
class Device {
 public:
  Device(DeviceType type = kCPU, int8_t index = -1) : index_(index) {
    check(type == kCPU && index <= 0, "Taut was built for the CPU only: a tensor cannot be put on another device");
  }
  Device(const char* name) : Device(std::string(name)) {}
  Device(const std::string& name) {
    check(name == "cpu" || name == "cpu:0", "Taut was built for the CPU only: a tensor cannot be put on '", name, "'");
  }
  DeviceType type() const { return kCPU; }
  int8_t index() const { return index_; }
  bool is_cpu() const { return true; }
  bool is_cuda() const { return false; }
  std::string str() const { return "cpu"; }
  friend bool operator==(const Device&, const Device&) { return true; }

 private:
  int8_t index_ = -1;
};

enum class Layout : int8_t { Strided };
constexpr Layout kStrided = Layout::Strided;

enum class MemoryFormat : int8_t { Contiguous, Preserve };

/// dtype, device, layout and requires_grad, each of which may be left to the default.
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType t) : dtype_(t) {}
  TensorOptions(Device) {}
  TensorOptions(DeviceType t) : TensorOptions(Device(t)) {}
  TensorOptions(Layout) {}

  TensorOptions dtype(std::optional<ScalarType> t) const {
    TensorOptions o = *this;
    if (t) o.dtype_ = t;
    return o;
  }
  TensorOptions device(Device) const { return *this; }
  TensorOptions layout(Layout) const { return *this; }
  TensorOptions pinned_memory(bool) const { return *this; }
  TensorOptions requires_grad(std::optional<bool> r) const {
    TensorOptions o = *this;
    o.requires_grad_ = r.value_or(false);
    return o;
  }
  ScalarType dtype() const { return dtype_.value_or(get_default_dtype()); }
  std::optional<ScalarType> dtype_opt() const { return dtype_; }
  bool has_dtype() const { return dtype_.has_value(); }
  Device device() const { return {}; }
  Layout layout() const { return kStrided; }
  bool requires_grad() const { return requires_grad_; }

 private:
  std::optional<ScalarType> dtype_;
  bool requires_grad_ = false;
};

inline TensorOptions dtype(ScalarType t) { return TensorOptions(t); }
inline TensorOptions device(Device d) { return TensorOptions(d); }
inline TensorOptions layout(Layout l) { return TensorOptions(l); }
inline TensorOptions requires_grad(bool r = true) { return TensorOptions().requires_grad(r); }

}  // namespace taut
