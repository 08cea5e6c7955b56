// What the files of the binding share: tensors as Python objects, conversions, exceptions.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <functional>
#include <string>
#include <utility>

#include "taut/registry.h"
#include "taut/taut.h"

#if PY_VERSION_HEX < 0x030A0000  // what Python 3.9 lacks
inline PyObject* Py_XNewRef(PyObject* o) {
  Py_XINCREF(o);
  return o;
}
inline PyObject* Py_NewRef(PyObject* o) { return Py_XNewRef(o); }
inline int PyModule_AddObjectRef(PyObject* module, const char* name, PyObject* o) {
  if (PyModule_AddObject(module, name, Py_XNewRef(o)) == 0) return 0;
  Py_XDECREF(o);
  return -1;
}
#define Py_TPFLAGS_DISALLOW_INSTANTIATION 0
#endif

namespace taut::python {

/// An owned reference.
class Object {
 public:
  Object() = default;
  static Object steal(PyObject* p) { return Object(p); }
  static Object borrow(PyObject* p) { return Object(Py_XNewRef(p)); }
  Object(const Object& o) : p_(Py_XNewRef(o.p_)) {}
  Object(Object&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Object& operator=(Object o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Object() { Py_XDECREF(p_); }
  PyObject* get() const { return p_; }
  PyObject* release() { return std::exchange(p_, nullptr); }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  explicit Object(PyObject* p) : p_(p) {}
  PyObject* p_ = nullptr;
};

/// A Python exception on its way through C++: thrown where a call into Python failed, set again where C++ returns to
/// Python. It may be copied and destroyed without the GIL.
class PythonError : public Error {
 public:
  PythonError();  // takes the exception that is set
  void restore() const;

 private:
  std::shared_ptr<PyObject> type_, value_, traceback_;
};
/// `p`, or PythonError when it is null.
inline PyObject* checked(PyObject* p) {
  if (!p) throw PythonError();
  return p;
}
inline void checked(int result) {
  if (result < 0) throw PythonError();
}

class WithGil {
 public:
  WithGil() : state_(PyGILState_Ensure()) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};
class WithoutGil {
 public:
  explicit WithoutGil(bool release = true) : state_(release ? PyEval_SaveThread() : nullptr) {}
  ~WithoutGil() {
    if (state_) PyEval_RestoreThread(state_);
  }
  WithoutGil(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};
/// Elements of a call beyond which it lets other threads of Python run: to take the GIL again costs more than few of
/// them.
constexpr int64_t kLargeForGil = 4096;
/// A reference that may be dropped in any thread, with or without the GIL.
std::shared_ptr<PyObject> shared(PyObject* borrowed);

/// Sets the Python exception for the C++ exception that is being handled.
void set_exception() noexcept;
/// f(), with C++ exceptions turned into Python's; `failed` is returned then.
template <class F, class R>
R guarded(R failed, F&& f) noexcept {
  try {
    return f();
  } catch (...) {
    set_exception();
    return failed;
  }
}
template <class F>
PyObject* guarded(F&& f) noexcept {
  return guarded(static_cast<PyObject*>(nullptr), std::forward<F>(f));
}

/// A tensor as a Python object. A TensorImpl knows its object while that lives, so `x.grad is x.grad`; then it keeps
/// what was set on it, and its class.
struct TensorObject {
  PyObject_HEAD Tensor tensor;
  PyObject* dict;
  PyObject* weak_references;
  struct Hooks* hooks;  // null until one is registered
};
/// The Python functions among a tensor's hooks, for the garbage collector: the library owns them.
struct Hooks {
  std::vector<std::pair<unsigned, std::weak_ptr<PyObject>>> list;
};
void note_hook(PyObject* tensor, unsigned id, const std::shared_ptr<PyObject>& function);
/// Visits what a tensor's graph keeps alive and nobody else does: `ctx` of Functions written in Python.
int visit_graph(const Tensor& t, visitproc visit, void* arg);
extern PyTypeObject* tensor_type;
inline bool is_tensor(PyObject* o) { return PyObject_TypeCheck(o, tensor_type); }
inline const Tensor& tensor_of(PyObject* o) { return reinterpret_cast<TensorObject*>(o)->tensor; }
/// A new reference; None for an undefined tensor.
PyObject* wrap(const Tensor& t);
PyObject* wrap_as(PyTypeObject* type, const Tensor& t);
PyObject* grad_fn_of(const Tensor& t);
extern PyObject *cpu_device, *meta_device;  // torch.device("cpu") and so on, once the Python package has set them
/// ops[name](a), or of a and b: boxed, by way of whoever watches ops.
PyObject* through_ops(const char* name, PyObject* a, PyObject* b);
/// A tensor of o, which must be one; `what` is named in the TypeError.
const Tensor& to_tensor(PyObject* o, const char* what);

// Conversions. Each throws TypeError naming `what` when o is of another type.
PyObject* to_python(const Value& v);
PyObject* to_python(const Scalar& s);
PyObject* wrap_dtype(ScalarType t);
bool is_dtype(PyObject* o);
ScalarType to_dtype(PyObject* o, const char* what);
PyObject* wrap_size(IntArrayRef sizes);
bool is_int(PyObject* o);     // an int, or something with __index__ (but no bool, no tensor of floats)
bool is_number(PyObject* o);  // what a Scalar can be made of
int64_t to_int(PyObject* o, const char* what);
double to_double(PyObject* o, const char* what);
Scalar to_scalar(PyObject* o, const char* what);
std::string type_name(PyObject* o);
std::string text_of(PyObject* text);
std::vector<Tensor> to_tensors(PyObject* o, const char* what);
PyObject* wrap_list(const std::vector<Tensor>& list);
PyObject* wrap_tuple(const std::vector<Tensor>& list);

// Parts of the module; each adds its names.
void init_errors();
void init_dtypes(PyObject* module);
void init_tensor(PyObject* module);
void init_ops(PyObject* module);
void init_overrides(PyObject* module);
void init_autograd(PyObject* module);
void init_data(PyObject* module);
void init_dlpack(PyObject* module);
void init_func(PyObject* module);
void init_library(PyObject* module);
void init_files(PyObject* module);
void init_torch_files(PyObject* module);
void init_samples(PyObject* module);
void init_schedulers(PyObject* module);
void init_nn(PyObject* module);
void init_lbfgs(PyObject* module);
void init_gradcheck(PyObject* module);
void init_amp(PyObject* module);
void init_events(PyObject* module);
void init_optim(PyObject* module);
void init_distributed(PyObject* module);
/// The Python class of an exception between processes; null for others.
PyObject* distributed_error(const std::exception& e);

PyObject* subscript(PyObject* self, PyObject* key);
int assign_subscript(PyObject* self, PyObject* key, PyObject* value);
PyObject* index_put_in_place(PyObject*, PyObject* arguments);
/// A tensor from numbers, nested lists, arrays or tensors, as torch.tensor makes it.
Tensor tensor_from(PyObject* data, std::optional<ScalarType> dtype);
// Buffers and random generators.
int get_buffer(PyObject* self, Py_buffer* view, int flags);
void release_buffer(PyObject* self, Py_buffer* view);
bool is_generator(PyObject* o);
std::optional<Generator> to_generator(PyObject* o);
/// All elements of the memory behind a tensor, in one dimension.
Tensor storage_elements(const Tensor& t, ScalarType dtype);
/// An array of another library, by the buffer protocol; shares memory.
Tensor from_buffer(PyObject* o);
bool has_buffer(PyObject* o);

}  // namespace taut::python
