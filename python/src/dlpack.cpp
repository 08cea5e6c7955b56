// DLPack: tensors that share memory with numpy, jax, torch and others.
#include "core/view.h"
#include "object.h"

namespace taut::python {
namespace {

// The structs of DLPack's ABI, version 0.8 (unversioned capsules), which every library still understands.
struct DlDevice {
  int32_t type, id;
};
struct DlType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DlTensor {
  void* data;
  DlDevice device;
  int32_t ndim;
  DlType dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};
struct DlManaged {
  DlTensor tensor;
  void* context;
  void (*deleter)(DlManaged*);
};
constexpr int32_t kCpu = 1;
constexpr uint8_t kIntCode = 0, kUnsignedCode = 1, kFloatCode = 2, kBfloatCode = 4, kComplexCode = 5, kBoolCode = 6;

constexpr uint8_t kFloat8Codes[] = {12, 10, 13, 11, 14};  // in the order of their ScalarTypes

uint8_t code_of(ScalarType t) {
  if (t == kBool) return kBoolCode;
  if (is_unsigned(t)) return kUnsignedCode;
  if (is_float8(t)) return kFloat8Codes[static_cast<int>(t) - static_cast<int>(kFloat8_e5m2)];
  if (t == kBFloat16) return kBfloatCode;
  if (is_complex(t)) return kComplexCode;
  return is_floating_point(t) ? kFloatCode : kIntCode;
}
std::optional<ScalarType> dtype_of(DlType d) {
  for (int i = 0; i < kDtypeCount; ++i) {
    const auto t = static_cast<ScalarType>(i);
    if (d.lanes == 1 && d.code == code_of(t) && d.bits == 8 * element_size(t)) return t;
  }
  return std::nullopt;
}

/// A tensor lent to another library; it lives until that says otherwise.
struct Lent {
  DlManaged managed;
  Tensor tensor;
  std::vector<int64_t> sizes, strides;
};
void drop_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;  // taken over
  auto* managed = static_cast<DlManaged*>(PyCapsule_GetPointer(capsule, "dltensor"));
  managed->deleter(managed);
}
PyObject* to_dlpack(PyObject*, PyObject* object) {
  return guarded([&] {
    const Tensor& t = to_tensor(object, "tensor");
    if (t.requires_grad()) {
      PyErr_SetString(PyExc_BufferError, "Can't export tensors that require gradient, use tensor.detach()");
      throw PythonError();
    }
    if (t.is_meta()) {
      PyErr_SetString(PyExc_BufferError, "Cannot pack tensors on meta");
      throw PythonError();
    }
    if (t.is_conj()) {
      PyErr_SetString(PyExc_BufferError, "Can't export tensors with the conjugate bit set");
      throw PythonError();
    }
    auto lent = std::make_unique<Lent>();
    lent->tensor = t;
    lent->sizes.assign(t.sizes().begin(), t.sizes().end());
    lent->strides.assign(t.strides().begin(), t.strides().end());
    lent->managed.tensor = {t.data_ptr(),
                            {kCpu, 0},
                            static_cast<int32_t>(t.dim()),
                            {code_of(t.scalar_type()), static_cast<uint8_t>(8 * t.element_size()), 1},
                            lent->sizes.data(),
                            lent->strides.data(),
                            0};
    lent->managed.context = lent.get();
    lent->managed.deleter = [](DlManaged* m) { delete static_cast<Lent*>(m->context); };
    PyObject* capsule = checked(PyCapsule_New(&lent->managed, "dltensor", drop_capsule));
    lent.release();
    return capsule;
  });
}

PyObject* from_dlpack(PyObject*, PyObject* capsule) {
  return guarded([&] {
    check<TypeError>(PyCapsule_CheckExact(capsule), "from_dlpack: expected a DLPack capsule, not ", type_name(capsule));
    auto* managed = static_cast<DlManaged*>(PyCapsule_GetPointer(capsule, "dltensor"));
    if (!managed) {
      PyErr_Clear();
      throw Error(
          "from_dlpack: the capsule holds no tensor. A capsule can be used only once; it may have been taken already.");
    }
    const DlTensor& d = managed->tensor;
    check(d.device.type == kCpu, "from_dlpack: the tensor is on a device of type ", d.device.type,
          "; only the CPU is supported");
    const std::optional<ScalarType> type = dtype_of(d.dtype);
    check<TypeError>(type.has_value(), "from_dlpack: elements of type code ", static_cast<int>(d.dtype.code), " with ",
                     static_cast<int>(d.dtype.bits), " bits are not supported");
    check(d.ndim >= 0 && d.ndim <= kMaxDims, "from_dlpack: ", d.ndim, " dimensions");
    const std::vector<int64_t> sizes(d.shape, d.shape + d.ndim);
    void* data = static_cast<char*>(d.data) + d.byte_offset;
    std::vector<int64_t> strides;
    if (d.strides) strides.assign(d.strides, d.strides + d.ndim);
    for (const int64_t s : strides)
      check<ValueError>(s >= 0, "from_dlpack: negative strides are not supported; pass a copy");
    const auto release = [managed](void*) {
      if (!managed->deleter || !Py_IsInitialized()) return;
      const WithGil gil;
      managed->deleter(managed);
    };
    const Tensor t =
        d.strides ? from_blob(data, sizes, strides, release, *type) : from_blob(data, sizes, release, *type);
    checked(PyCapsule_SetName(capsule, "used_dltensor"));
    return wrap(t);
  });
}
PyMethodDef functions[] = {
    {"_to_dlpack", to_dlpack, METH_O, nullptr}, {"_from_dlpack", from_dlpack, METH_O, nullptr}, {}};

}  // namespace

void init_dlpack(PyObject* module) { checked(PyModule_AddFunctions(module, functions)); }

}  // namespace taut::python
