// Where and how a tensor is stored: what factories take, spelt as libtorch spells it.
#pragma once
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "taut/core/dtype.h"
#include "taut/core/error.h"
#include "taut/core/layout.h"

namespace taut {

/// Devices that programs name. Taut computes on the CPU.
enum class DeviceType : int8_t { CPU = 0, CUDA = 1, HIP = 6, XLA = 9, XPU = 12, MPS = 13, Meta = 14, HPU = 15 };
using DeviceIndex = int8_t;
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kHIP = DeviceType::HIP, kXLA = DeviceType::XLA,
                     kXPU = DeviceType::XPU, kMPS = DeviceType::MPS, kMeta = DeviceType::Meta, kHPU = DeviceType::HPU;
/// "cpu", "cuda"; in capitals "CPU", "CUDA".
std::string DeviceTypeName(DeviceType type, bool lower_case = false);
std::ostream& operator<<(std::ostream& out, DeviceType type);

/// A device by its name. Any may be named and compared; putting a tensor there is an error unless it is the CPU.
class Device {
 public:
  Device(DeviceType type = kCPU, DeviceIndex index = -1) : type_(type), index_(index) {
    if (index != -1) [[unlikely]]
      validate();
  }
  Device(const char* name) : Device(std::string(name)) {}
  /// "cpu", "cuda", "cuda:1".
  Device(const std::string& name);
  DeviceType type() const { return type_; }
  DeviceIndex index() const { return index_; }
  bool has_index() const { return index_ != -1; }
  void set_index(DeviceIndex index) { index_ = index; }
  bool is_cpu() const { return type_ == kCPU; }
  bool is_cuda() const { return type_ == kCUDA; }
  bool is_mps() const { return type_ == kMPS; }
  bool is_xpu() const { return type_ == kXPU; }
  bool is_hip() const { return type_ == kHIP; }
  bool is_meta() const { return type_ == kMeta; }
  std::string str() const;
  friend bool operator==(const Device& a, const Device& b) { return a.type_ == b.type_ && a.index_ == b.index_; }
  /// Throws unless tensors can be there.
  void require() const {
    if (!is_cpu()) [[unlikely]]
      refuse();
  }

 private:
  void validate() const;
  [[noreturn]] void refuse() const;
  DeviceType type_;
  DeviceIndex index_;
};
std::ostream& operator<<(std::ostream& out, const Device& device);

std::ostream& operator<<(std::ostream& out, Layout layout);

/// The order of elements in memory. ChannelsLast: of a tensor (N, C, H, W) as if it were (N, H, W, C).
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
std::ostream& operator<<(std::ostream& out, MemoryFormat format);

/// dtype, device, layout, requires_grad, pinned memory and memory format, each of which may be left to the default.
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType t) : dtype_(t) {}
  TensorOptions(TypeMeta t) : dtype_(t) {}
  TensorOptions(Device d) : device_(d) {}
  TensorOptions(DeviceType t) : device_(t) {}
  explicit TensorOptions(const std::string& device) : device_(device) {}
  explicit TensorOptions(const char* device) : device_(device) {}
  TensorOptions(Layout l) : layout_(l) {}
  TensorOptions(MemoryFormat f) : memory_format_(f) {}

  TensorOptions dtype(std::optional<ScalarType> t) const {
    return with([&](auto& o) { o.dtype_ = t; });
  }
  template <class T>
  TensorOptions& dtype() {
    dtype_ = dtype_of<T>;
    return *this;
  }
  TensorOptions device(std::optional<Device> d) const {
    return with([&](auto& o) { o.device_ = d; });
  }
  TensorOptions device(DeviceType t, DeviceIndex index = -1) const { return device(Device(t, index)); }
  TensorOptions device_index(DeviceIndex index) const { return device(Device(kCUDA, index)); }
  TensorOptions layout(std::optional<Layout> l) const {
    return with([&](auto& o) { o.layout_ = l; });
  }
  TensorOptions pinned_memory(std::optional<bool> p) const {
    return with([&](auto& o) { o.pinned_memory_ = p; });
  }
  TensorOptions requires_grad(std::optional<bool> r) const {
    return with([&](auto& o) { o.requires_grad_ = r; });
  }
  TensorOptions memory_format(std::optional<MemoryFormat> f) const {
    return with([&](auto& o) { o.memory_format_ = f; });
  }
  /// These options, but where the others say something, theirs.
  TensorOptions merge_in(const TensorOptions& o) const;
  TensorOptions merge_memory_format(std::optional<MemoryFormat> f) const { return f ? memory_format(f) : *this; }

  TypeMeta dtype() const { return dtype_.value_or(get_default_dtype()); }
  std::optional<ScalarType> dtype_opt() const { return dtype_; }
  bool has_dtype() const { return dtype_.has_value(); }
  Device device() const { return device_.value_or(Device()); }
  std::optional<Device> device_opt() const { return device_; }
  bool has_device() const { return device_.has_value(); }
  DeviceIndex device_index() const { return device().index(); }
  Layout layout() const { return layout_.value_or(kStrided); }
  std::optional<Layout> layout_opt() const { return layout_; }
  bool has_layout() const { return layout_.has_value(); }
  bool requires_grad() const { return requires_grad_.value_or(false); }
  std::optional<bool> requires_grad_opt() const { return requires_grad_; }
  bool has_requires_grad() const { return requires_grad_.has_value(); }
  bool pinned_memory() const { return pinned_memory_.value_or(false); }
  std::optional<bool> pinned_memory_opt() const { return pinned_memory_; }
  bool has_pinned_memory() const { return pinned_memory_.has_value(); }
  std::optional<MemoryFormat> memory_format_opt() const { return memory_format_; }
  bool has_memory_format() const { return memory_format_.has_value(); }
  bool is_sparse() const { return layout() == kSparse; }
  bool is_sparse_csr() const { return layout() == kSparseCsr; }
  bool type_equal(const TensorOptions& o) const { return dtype() == o.dtype() && device() == o.device(); }

 private:
  template <class F>
  TensorOptions with(F&& change) const {
    TensorOptions o = *this;
    change(o);
    return o;
  }
  std::optional<ScalarType> dtype_;
  std::optional<Device> device_;
  std::optional<Layout> layout_;
  std::optional<bool> requires_grad_, pinned_memory_;
  std::optional<MemoryFormat> memory_format_;
};
/// "TensorOptions(dtype=float (default), device=cpu (default), ...)"
std::ostream& operator<<(std::ostream& out, const TensorOptions& options);

inline TensorOptions dtype(ScalarType t) { return TensorOptions(t); }
template <class T>
TensorOptions dtype() {
  return TensorOptions(dtype_of<T>);
}
inline TensorOptions device(Device d) { return TensorOptions(d); }
inline TensorOptions device_index(DeviceIndex index) { return TensorOptions().device_index(index); }
inline TensorOptions layout(Layout l) { return TensorOptions(l); }
inline TensorOptions memory_format(MemoryFormat f) { return TensorOptions(f); }
inline TensorOptions requires_grad(bool r = true) { return TensorOptions().requires_grad(r); }

}  // namespace taut

template <>
struct std::hash<taut::Device> {
  size_t operator()(const taut::Device& d) const noexcept {
    return static_cast<size_t>(d.type()) << 8 | static_cast<uint8_t>(d.index());
  }
};
