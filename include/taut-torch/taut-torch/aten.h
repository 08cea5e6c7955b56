// Names of ATen's and c10's that are spelt otherwise in taut::, and small functions made of its ops.
#pragma once
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "taut-torch/check.h"
#include "taut-torch/names.h"
#include "taut/core/style.h"

namespace caffe2 {
using taut::TypeMeta;
}

namespace taut {
inline std::ostream& operator<<(std::ostream& out, Half x) { return out << static_cast<float>(x); }
inline std::ostream& operator<<(std::ostream& out, BFloat16 x) { return out << static_cast<float>(x); }
}  // namespace taut

namespace c10 {
using Storage = taut::TensorStorage;
inline const char* toString(ScalarType t) { return taut::toString(t); }
inline size_t elementSize(ScalarType t) { return static_cast<size_t>(taut::element_size(t)); }
inline bool isFloatingType(ScalarType t) { return taut::is_floating_point(t); }
inline bool isIntegralType(ScalarType t, bool includeBool) { return taut::is_integral(t, includeBool); }
inline bool isSignedType(ScalarType t) {
  return t != ScalarType::Bool && t != ScalarType::Byte && t != ScalarType::UInt16 && t != ScalarType::UInt32 &&
         t != ScalarType::UInt64;
}
inline bool isComplexType(ScalarType t) { return taut::is_complex(t); }
inline ScalarType toComplexType(ScalarType t) { return taut::complex_type(t); }
inline ScalarType toRealValueType(ScalarType t) { return taut::value_type(t); }
inline ScalarType promoteTypes(ScalarType a, ScalarType b) { return taut::promote_types(a, b); }
inline bool canCast(ScalarType from, ScalarType to) { return taut::can_cast(from, to); }
inline ScalarType typeMetaToScalarType(caffe2::TypeMeta t) { return t; }
inline caffe2::TypeMeta scalarTypeToTypeMeta(ScalarType t) { return t; }
inline int64_t maybe_wrap_dim(int64_t dim, int64_t rank, bool wrap_scalar = true) {
  const int64_t n = rank == 0 && wrap_scalar ? 1 : rank;
  TORCH_CHECK_INDEX(dim >= -n && dim < n, "Dimension out of range (expected to be in range of [", -n, ", ", n - 1,
                    "], but got ", dim, ")");
  return dim < 0 ? dim + n : dim;
}
}  // namespace c10

namespace at {

using TensorBase = Tensor;
using c10::maybe_wrap_dim;
using OptionalTensorRef = std::optional<Tensor>;
struct CPUGeneratorImpl {};
// Within their scope nothing is recorded.
struct AutoNonVariableTypeMode : taut::AutoGradMode {
  explicit AutoNonVariableTypeMode(bool on = true) : AutoGradMode(!on && taut::GradMode::is_enabled()) {}
};
struct AutoDispatchBelowAutograd : taut::NoGradGuard {};
struct AutoDispatchBelowADInplaceOrView : taut::NoGradGuard {};
/// There is one device to be on.
struct DeviceGuard {
  explicit DeviceGuard(const Device& device) { device.require(); }
  void set_index(DeviceIndex) {}
  Device current_device() const { return {}; }
  Device original_device() const { return {}; }
};
struct OptionalDeviceGuard {
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(const std::optional<Device>& device) {
    if (device) device->require();
  }
  void reset_device(const Device& device) { device.require(); }
};
inline void init() {}
inline std::string show_config() { return std::string("Taut ") + taut::version() + "\n"; }
template <class Impl>
Generator make_generator(uint64_t seed = 67280421310721) {
  return Generator(seed);
}
namespace detail {
inline Generator createCPUGenerator(uint64_t seed = 67280421310721) { return Generator(seed); }
inline Generator& getDefaultCPUGenerator() { return default_generator(); }
}  // namespace detail

inline bool hasCUDA() { return false; }
inline bool hasMPS() { return false; }
inline bool hasXPU() { return false; }
struct Context {
  bool hasCUDA() const { return false; }
  bool hasMPS() const { return false; }
  bool hasCuDNN() const { return false; }
  // Results have the same bits in every run: there is nothing to choose.
  void setDeterministicAlgorithms(bool, bool = false) {}
  bool deterministicAlgorithms() const { return true; }
  void setBenchmarkCuDNN(bool) {}
  void setUserEnabledCuDNN(bool) {}
};
inline Context& globalContext() {
  static Context context;
  return context;
}

inline Tensor index(const Tensor& self, ArrayRef<taut::indexing::TensorIndex> indices) { return self.index(indices); }
inline Tensor index(const Tensor& self, std::initializer_list<taut::indexing::TensorIndex> indices) {
  return self.index(indices);
}
inline Tensor& index_put_(Tensor& self, ArrayRef<taut::indexing::TensorIndex> indices, const Tensor& values,
                          bool accumulate = false) {
  return self.index_put_(indices, values, accumulate);
}
inline Tensor& index_put_(Tensor& self, std::initializer_list<taut::indexing::TensorIndex> indices,
                          const Tensor& values, bool accumulate = false) {
  return self.index_put_(ArrayRef<taut::indexing::TensorIndex>(indices), values, accumulate);
}
inline Tensor index_put(const Tensor& self, std::initializer_list<taut::indexing::TensorIndex> indices,
                        const Tensor& values, bool accumulate = false) {
  return self.index_put(indices, values, accumulate);
}
inline Tensor index_put(const Tensor& self, ArrayRef<taut::indexing::TensorIndex> indices, const Tensor& values,
                        bool accumulate = false) {
  return self.index_put(indices, values, accumulate);
}

#define TAUT_TORCH_PAD(kind, mode, dims)                                                 \
  inline Tensor kind##_pad##dims##d(const Tensor& self, IntArrayRef padding) {           \
    TORCH_CHECK(padding.size() == 2 * dims, "padding size is expected to be ", 2 * dims, \
                ", but got: ", padding.size());                                          \
    return taut::pad(self, padding, mode);                                               \
  }
TAUT_TORCH_PAD(reflection, "reflect", 1)
TAUT_TORCH_PAD(reflection, "reflect", 2)
TAUT_TORCH_PAD(reflection, "reflect", 3)
TAUT_TORCH_PAD(replication, "replicate", 1)
TAUT_TORCH_PAD(replication, "replicate", 2)
TAUT_TORCH_PAD(replication, "replicate", 3)
#undef TAUT_TORCH_PAD

inline std::ostream& print(std::ostream& out, const Tensor& t, int64_t linesize) {
  return taut::print_cpp(out, t, linesize);
}
inline void print(const Tensor& t, int64_t linesize = 80) { taut::print_cpp(std::cout, t, linesize); }

}  // namespace at

namespace torch {

using taut::kByte;
inline constexpr auto kU8 = taut::kByte;
inline constexpr auto kI8 = taut::kChar;
inline constexpr auto kI16 = taut::kShort;
inline constexpr auto kI32 = taut::kInt;
inline constexpr auto kI64 = taut::kLong;
inline constexpr auto kF16 = taut::kHalf;
inline constexpr auto kF32 = taut::kFloat;
inline constexpr auto kF64 = taut::kDouble;

/// Are both undefined, or both defined and equal?
inline bool equal_if_defined(const taut::Tensor& a, const taut::Tensor& b) {
  return a.defined() == b.defined() && (!a.defined() || taut::equal(a, b));
}

namespace detail {
/// The program that includes this prints as libtorch does.
inline const bool prints_as_cpp = (taut::set_print_style(taut::PrintStyle::Cpp), true);
}  // namespace detail

namespace nn::parallel {
/// The module's result. There is one device, the CPU, whose threads the ops share.
template <class M>
taut::Tensor data_parallel(M module, taut::Tensor input,
                           const std::optional<std::vector<taut::Device>>& devices = std::nullopt,
                           const std::optional<taut::Device>& output_device = std::nullopt, int64_t dim = 0) {
  (void)dim;
  for (const taut::Device& d : devices.value_or(std::vector<taut::Device>())) d.require();
  if (output_device) output_device->require();
  return module->forward(std::move(input));
}
}  // namespace nn::parallel

}  // namespace torch

namespace taut::autograd {
/// The address of the node, as libtorch prints one.
inline std::ostream& operator<<(std::ostream& out, const Ref<Node>& node) { return out << node.get(); }
}  // namespace taut::autograd

namespace at::autocast {
using ::taut::amp::get_autocast_dtype;
using ::taut::amp::is_autocast_cache_enabled;
using ::taut::amp::is_autocast_enabled;
using ::taut::amp::set_autocast_cache_enabled;
using ::taut::amp::set_autocast_dtype;
using ::taut::amp::set_autocast_enabled;
inline void clear_cache() { ::taut::amp::clear_autocast_cache(); }
inline int increment_nesting() { return ::taut::amp::autocast_increment_nesting(); }
inline int decrement_nesting() { return ::taut::amp::autocast_decrement_nesting(); }
}  // namespace at::autocast
