// Devices, layouts, memory formats and options as text.
#include "taut/options.h"
#include "taut/core/style.h"

#include <algorithm>
#include <ostream>

#include "taut/core/style.h"

namespace taut {

namespace {
struct NamedDevice {
  DeviceType type;
  const char *small, *capital;
};
constexpr NamedDevice kDevices[] = {{kCPU, "cpu", "CPU"},    {kCUDA, "cuda", "CUDA"}, {kHIP, "hip", "HIP"},
                                    {kXLA, "xla", "XLA"},    {kXPU, "xpu", "XPU"},    {kMPS, "mps", "MPS"},
                                    {kMeta, "meta", "META"}, {kHPU, "hpu", "HPU"}};

template <class T>
void put(std::ostream& out, const char* name, const std::optional<T>& given, const T& value) {
  out << name << '=' << value << (given ? "" : " (default)") << ", ";
}
}  // namespace

std::string DeviceTypeName(DeviceType type, bool lower_case) {
  for (const NamedDevice& d : kDevices)
    if (d.type == type) return lower_case ? d.small : d.capital;
  throw ValueError(str("Unknown device: ", static_cast<int>(type)));
}
std::ostream& operator<<(std::ostream& out, DeviceType type) { return out << DeviceTypeName(type, true); }

Device::Device(const std::string& name) : type_(kCPU), index_(-1) {
  const size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon), number = colon == name.npos ? "" : name.substr(colon + 1);
  const auto* d =
      std::find_if(std::begin(kDevices), std::end(kDevices), [&](const auto& k) { return k.small == kind; });
  const bool digits = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  check(!name.empty() && (colon == name.npos || (!number.empty() && digits && (number == "0" || number[0] != '0'))),
        "Invalid device string: '", name, "'");
  check(d != std::end(kDevices),
        "Expected one of cpu, cuda, hip, xla, xpu, mps, meta, hpu device type at start of device string: ", kind);
  check(number.size() <= 3 && (number.empty() || std::stoi(number) <= 127), "Could not parse device index '", number,
        "' in device string '", name, "'");
  type_ = d->type;
  index_ = static_cast<DeviceIndex>(number.empty() ? -1 : std::stoi(number));
  validate();
}
void Device::validate() const {
  check(index_ >= -1, "Device index must be -1 or non-negative, got ", static_cast<int>(index_));
  check(!is_cpu() || index_ <= 0, "CPU device index must be -1 or zero, got ", static_cast<int>(index_));
}
void Device::refuse() const {
  throw Error(taut::str("PyTorch is not linked with support for ", type_,
                        " devices: Taut computes on the CPU only, and a tensor cannot be put on '", str(), "'"));
}
std::string Device::str() const {
  return DeviceTypeName(type_, true) + (has_index() ? ":" + std::to_string(index_) : "");
}
std::ostream& operator<<(std::ostream& out, const Device& device) { return out << device.str(); }
std::ostream& operator<<(std::ostream& out, Layout layout) {
  static constexpr const char* names[] = {"Strided", "Sparse", "SparseCsr", "SparseCsc", "SparseBsr", "SparseBsc"};
  return out << names[static_cast<int>(layout)];
}
std::ostream& operator<<(std::ostream& out, MemoryFormat format) {
  constexpr const char* names[] = {"Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
  return out << names[static_cast<int>(format)];
}

TensorOptions TensorOptions::merge_in(const TensorOptions& o) const {
  TensorOptions r = *this;
  if (o.dtype_) r.dtype_ = o.dtype_;
  if (o.device_) r.device_ = o.device_;
  if (o.layout_) r.layout_ = o.layout_;
  if (o.requires_grad_) r.requires_grad_ = o.requires_grad_;
  if (o.pinned_memory_) r.pinned_memory_ = o.pinned_memory_;
  if (o.memory_format_) r.memory_format_ = o.memory_format_;
  return r;
}
std::ostream& operator<<(std::ostream& out, const TensorOptions& o) {
  const auto flags = out.flags();
  out << "TensorOptions(" << std::boolalpha;
  put(out, "dtype", o.dtype_opt() ? std::optional(o.dtype()) : std::nullopt, o.dtype());
  put(out, "device", o.device_opt(), o.device());
  put(out, "layout", o.layout_opt(), o.layout());
  put(out, "requires_grad", o.requires_grad_opt(), o.requires_grad());
  put(out, "pinned_memory", o.pinned_memory_opt(), o.pinned_memory());
  if (!as_libtorch()) out.flags(flags);
  out << "memory_format=";
  if (o.memory_format_opt()) out << *o.memory_format_opt();
  else out << "(nullopt)";
  return out << ')';
}

}  // namespace taut
