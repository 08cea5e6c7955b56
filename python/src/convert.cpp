// Numbers, dtypes, sizes and lists between Python and C++; exceptions.
#include <cstring>
#include <new>

#include "object.h"
#include "taut/autograd/checkpoint.h"
#include "taut/core/assertion_error.h"
#include "taut/core/linalg_error.h"

namespace taut::python {

std::shared_ptr<PyObject> shared(PyObject* borrowed) {
  Py_XINCREF(borrowed);
  return {borrowed, [](PyObject* p) {
            if (!p || !Py_IsInitialized()) return;
            const WithGil gil;
            Py_DECREF(p);
          }};
}

PythonError::PythonError() : Error("an exception in Python") {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  type_ = shared(type), value_ = shared(value), traceback_ = shared(traceback);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}
void PythonError::restore() const {
  PyErr_Restore(Py_XNewRef(type_.get()), Py_XNewRef(value_.get()), Py_XNewRef(traceback_.get()));
}

namespace {
/// A message of the library with Python's names: torch.float32 for taut::kFloat.
std::string in_python(std::string text) {
  static const std::pair<const char*, const char*> names[] = {
      {"taut::kFloat", "torch.float32"},
      {"taut::kDouble", "torch.float64"},
      {"taut::kLong", "torch.int64"},
      {"taut::kByte", "torch.uint8"},
      {"taut::kBool", "torch.bool"},
      {"taut::pad", "torch.nn.functional.pad"},
      {"taut::", "torch."},
  };
  for (const auto& [cpp, python] : names)
    for (size_t at = text.find(cpp); at != text.npos; at = text.find(cpp, at))
      text.replace(at, std::strlen(cpp), python);
  return text;
}
/// Messages quote what stands in files, which need not be UTF-8.
void set_error(PyObject* type, const std::string& message) {
  const std::string text = in_python(message);
  const Object decoded =
      Object::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
  if (decoded) PyErr_SetObject(type, decoded.get());
}
// The library's errors are of finer classes than PyTorch's, which often are RuntimeErrors: these are both.
PyObject *index_error, *value_error, *type_error, *assertion_error, *linalg_error;
}  // namespace

void init_errors() {
  const auto make = [&](const char* name, PyObject* narrow, PyObject* wide) {
    const Object bases = Object::steal(checked(PyTuple_Pack(2, narrow, wide)));
    return checked(PyErr_NewException(name, bases.get(), nullptr));
  };
  index_error = make("taut.IndexError", PyExc_IndexError, PyExc_RuntimeError);
  value_error = make("taut.ValueError", PyExc_ValueError, PyExc_RuntimeError);
  type_error = make("taut.TypeError", PyExc_TypeError, PyExc_NotImplementedError);
  assertion_error = make("taut.AssertionError", PyExc_AssertionError, PyExc_RuntimeError);
  for (PyObject* e :
       {index_error, value_error, type_error, assertion_error}) {  // a traceback says IndexError, not taut.IndexError
    const Object builtins = Object::steal(checked(PyUnicode_FromString("builtins")));
    checked(PyObject_SetAttrString(e, "__module__", builtins.get()));
  }
  linalg_error = checked(PyErr_NewExceptionWithDoc(
      "torch._C._LinAlgError", "A matrix that is singular, not positive-definite, or whose eigenvalues were not found.",
      PyExc_RuntimeError, nullptr));
}

void set_exception() noexcept {
  try {
    throw;
  } catch (const PythonError& e) {
    e.restore();
  } catch (const utils::CheckpointError& e) {
    const Object module = Object::steal(PyImport_ImportModule("taut.utils.checkpoint"));
    const Object type = Object::steal(module ? PyObject_GetAttrString(module.get(), "CheckpointError") : nullptr);
    if (type) set_error(type.get(), e.what());
  } catch (const IndexError& e) {
    set_error(index_error, e.what());
  } catch (const AssertionError& e) {
    set_error(assertion_error, e.what());
  } catch (const LinAlgError& e) {
    set_error(linalg_error, e.what());
  } catch (const ValueError& e) {
    set_error(value_error, e.what());
  } catch (const TypeError& e) {
    set_error(type_error, e.what());
  } catch (const NotImplementedError& e) {
    set_error(PyExc_NotImplementedError, e.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyObject* const type = distributed_error(e);
    set_error(type ? type : PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an unknown exception in C++");
  }
}

std::string type_name(PyObject* o) { return Py_TYPE(o)->tp_name; }
std::string text_of(PyObject* text) {
  const char* utf8 = PyUnicode_AsUTF8(text);
  if (!utf8) throw PythonError();
  return utf8;
}

// dtypes

namespace {

struct DtypeObject {
  PyObject_HEAD ScalarType type;
};
PyTypeObject* dtype_type = nullptr;
PyObject* dtypes[kDtypeCount];

PyObject* dtype_repr(PyObject* self) {
  return PyUnicode_FromFormat("torch.%s", dtype_name(reinterpret_cast<DtypeObject*>(self)->type));
}
ScalarType type_in(PyObject* self) { return reinterpret_cast<DtypeObject*>(self)->type; }
PyObject* dtype_is_floating(PyObject* self, void*) { return PyBool_FromLong(is_floating_point(type_in(self))); }
PyObject* dtype_is_complex(PyObject* self, void*) { return PyBool_FromLong(is_complex(type_in(self))); }
PyObject* dtype_is_signed(PyObject* self, void*) {
  const ScalarType t = type_in(self);
  return PyBool_FromLong(t != kBool && !is_unsigned(t) && t != kFloat8_e8m0fnu);
}
PyObject* dtype_itemsize(PyObject* self, void*) { return PyLong_FromLongLong(element_size(type_in(self))); }
PyGetSetDef dtype_getters[] = {{"is_floating_point", dtype_is_floating, nullptr, nullptr, nullptr},
                               {"is_complex", dtype_is_complex, nullptr, nullptr, nullptr},
                               {"is_signed", dtype_is_signed, nullptr, nullptr, nullptr},
                               {"itemsize", dtype_itemsize, nullptr, nullptr, nullptr},
                               {}};
PyObject* dtype_to_real(PyObject* self, PyObject*) {
  const ScalarType t = type_in(self);
  return wrap_dtype(t == kComplexHalf ? kHalf : t == kComplexFloat ? kFloat : t == kComplexDouble ? kDouble : t);
}
PyObject* dtype_to_complex(PyObject* self, PyObject*) {
  return guarded([&] {
    const ScalarType t = type_in(self);
    check(is_complex(t) || t == kHalf || t == kBFloat16 || t == kFloat || t == kDouble,
          "Unknown Complex ScalarType for ", toString(t));
    return wrap_dtype(t == kHalf ? kComplexHalf : t == kDouble ? kComplexDouble : is_complex(t) ? t : kComplexFloat);
  });
}
PyMethodDef dtype_methods[] = {
    {"to_real", dtype_to_real, METH_NOARGS, "The dtype of the real part."},
    {"to_complex", dtype_to_complex, METH_NOARGS, "The dtype of complex numbers of such parts."},
    {}};

PyTypeObject* size_type = nullptr;

}  // namespace

PyObject* wrap_dtype(ScalarType t) { return Py_NewRef(dtypes[static_cast<int>(t)]); }
bool is_dtype(PyObject* o) { return Py_IS_TYPE(o, dtype_type); }
ScalarType to_dtype(PyObject* o, const char* what) {
  if (is_dtype(o)) return type_in(o);
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return kDouble;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return kLong;
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return kBool;
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type)) return kComplexDouble;
  throw TypeError(str(what, " must be a dtype such as torch.float32, not ", type_name(o)));
}

PyObject* wrap_size(IntArrayRef sizes) {
  // An instance of a subclass of tuple, filled as a tuple is.
  Object size = Object::steal(checked(size_type->tp_alloc(size_type, static_cast<Py_ssize_t>(sizes.size()))));
  for (size_t i = 0; i < sizes.size(); ++i)
    PyTuple_SET_ITEM(size.get(), static_cast<Py_ssize_t>(i), checked(PyLong_FromLongLong(sizes[i])));
  return size.release();
}

// Numbers

bool is_int(PyObject* o) {
  if (PyLong_CheckExact(o)) return true;
  if (PyBool_Check(o)) return false;
  if (is_tensor(o)) {
    const Tensor& t = tensor_of(o);
    return t.defined() && t.dim() == 0 && is_integral(t.scalar_type());
  }
  return PyIndex_Check(o);
}
bool is_number(PyObject* o) {
  if (PyFloat_Check(o) || PyLong_Check(o) || PyComplex_Check(o)) return true;
  if (is_tensor(o)) return tensor_of(o).defined() && tensor_of(o).dim() == 0 && !tensor_of(o).requires_grad();
  const PyNumberMethods* n = Py_TYPE(o)->tp_as_number;
  return n && (n->nb_float || n->nb_index) && !PyObject_HasAttrString(o, "__len__");
}
int64_t to_int(PyObject* o, const char* what) {
  if (is_tensor(o)) {
    if (!is_int(o)) throw TypeError(str(what, " must be an int, not a Tensor"));
    return tensor_of(o).item<int64_t>();
  }
  if (!PyIndex_Check(o)) throw TypeError(str(what, " must be an int, not ", type_name(o)));
  const Object index = Object::steal(checked(PyNumber_Index(o)));
  int overflow = 0;
  const long long v = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (overflow) {
    PyErr_SetString(PyExc_OverflowError, str(what, ": an int of more than 64 bits").c_str());
    throw PythonError();
  }
  if (v == -1 && PyErr_Occurred()) throw PythonError();
  return v;
}
double to_double(PyObject* o, const char* what) {
  if (PyFloat_Check(o)) return PyFloat_AS_DOUBLE(o);
  if (is_tensor(o)) return tensor_of(o).item<double>();
  if (!is_number(o)) throw TypeError(str(what, " must be a float, not ", type_name(o)));
  const double d = PyFloat_AsDouble(o);
  if (d == -1 && PyErr_Occurred()) throw PythonError();
  return d;
}
Scalar to_scalar(PyObject* o, const char* what) {
  if (PyFloat_Check(o)) return PyFloat_AS_DOUBLE(o);
  if (PyBool_Check(o)) return o == Py_True;
  if (PyLong_Check(o)) {
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return static_cast<int64_t>(v);
    if (const unsigned long long u = PyLong_AsUnsignedLongLong(o); !PyErr_Occurred()) return u;
    PyErr_Clear();
    PyErr_SetString(PyExc_OverflowError, str(what, ": an int of more than 64 bits").c_str());
    throw PythonError();
  }
  if (is_tensor(o)) return tensor_of(o).item();
  if (PyComplex_Check(o)) return Complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o));
  if (!is_number(o)) throw TypeError(str(what, " must be a number, not ", type_name(o)));
  if (PyIndex_Check(o)) return to_int(o, what);
  if (has_buffer(o)) return from_buffer(o).item();  // a number of numpy's, which may be complex
  return to_double(o, what);
}

PyObject* to_python(const Scalar& s) {
  if (s.is_bool()) return PyBool_FromLong(s.toBool());
  if (s.is_floating_point()) return checked(PyFloat_FromDouble(s.toDouble()));
  if (s.is_complex()) {
    const Complex<double> z = s.toComplexDouble();
    return checked(PyComplex_FromDoubles(z.real(), z.imag()));
  }
  if (s.type() == kUInt64) return checked(PyLong_FromUnsignedLongLong(static_cast<uint64_t>(s.toLong())));
  return checked(PyLong_FromLongLong(s.toLong()));
}
PyObject* to_python(const Value& v) {
  if (auto* t = v.get<Tensor>()) return wrap(*t);
  if (v.is_none()) return Py_NewRef(Py_None);
  if (auto* b = v.get<bool>()) return PyBool_FromLong(*b);
  if (auto* i = v.get<int64_t>()) return checked(PyLong_FromLongLong(*i));
  if (auto* d = v.get<double>()) return checked(PyFloat_FromDouble(*d));
  if (auto* s = v.get<std::string>())
    return checked(PyUnicode_FromStringAndSize(s->data(), static_cast<Py_ssize_t>(s->size())));
  if (auto* t = v.get<ScalarType>()) return wrap_dtype(*t);
  if (v.get<Value::Ints>()) {
    const Value::Ints ints = v.to_ints();
    Object tuple = Object::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(ints.size()))));
    for (size_t i = 0; i < ints.size(); ++i)
      PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), checked(PyLong_FromLongLong(ints[i])));
    return tuple.release();
  }
  const Value::List& list = v.to_list();
  Object tuple = Object::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(list.size()))));
  for (size_t i = 0; i < list.size(); ++i)
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), to_python(list[i]));
  return tuple.release();
}

const Tensor& to_tensor(PyObject* o, const char* what) {
  if (!is_tensor(o)) throw TypeError(str(what, " must be Tensor, not ", type_name(o)));
  return tensor_of(o);
}
std::vector<Tensor> to_tensors(PyObject* o, const char* what) {
  if (is_tensor(o)) return {tensor_of(o)};
  const Object list = Object::steal(PySequence_Tuple(o));
  if (!list) {
    PyErr_Clear();
    throw TypeError(str(what, " must be a tuple or list of Tensors, not ", type_name(o)));
  }
  std::vector<Tensor> result;
  const Py_ssize_t n = PyTuple_GET_SIZE(list.get());
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = PyTuple_GET_ITEM(list.get(), i);
    if (item == Py_None) result.emplace_back();
    else if (is_tensor(item)) result.push_back(tensor_of(item));
    else throw TypeError(str("expected Tensor as element ", i, " in ", what, ", but got ", type_name(item)));
  }
  return result;
}
PyObject* wrap_list(const std::vector<Tensor>& list) {
  Object result = Object::steal(checked(PyList_New(static_cast<Py_ssize_t>(list.size()))));
  for (size_t i = 0; i < list.size(); ++i) PyList_SET_ITEM(result.get(), static_cast<Py_ssize_t>(i), wrap(list[i]));
  return result.release();
}
PyObject* wrap_tuple(const std::vector<Tensor>& list) {
  Object result = Object::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(list.size()))));
  for (size_t i = 0; i < list.size(); ++i) PyTuple_SET_ITEM(result.get(), static_cast<Py_ssize_t>(i), wrap(list[i]));
  return result.release();
}

namespace {
PyObject* set_size_class(PyObject*, PyObject* type) {
  size_type = reinterpret_cast<PyTypeObject*>(Py_NewRef(type));
  Py_RETURN_NONE;
}
PyMethodDef functions[] = {{"_set_size_class", set_size_class, METH_O, nullptr}, {}};
}  // namespace

void init_dtypes(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_repr, reinterpret_cast<void*>(dtype_repr)},
                         {Py_tp_getset, dtype_getters},
                         {Py_tp_methods, dtype_methods},
                         {Py_tp_doc, const_cast<char*>("The type of a tensor's elements.")},
                         {0, nullptr}};
  PyType_Spec spec = {"torch.dtype", sizeof(DtypeObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  dtype_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)));
  checked(PyModule_AddObjectRef(module, "_LinAlgError", linalg_error));
  checked(PyModule_AddObjectRef(module, "dtype", reinterpret_cast<PyObject*>(dtype_type)));
  for (int t = 0; t < kDtypeCount; ++t) {
    auto* o = PyObject_New(DtypeObject, dtype_type);
    checked(reinterpret_cast<PyObject*>(o));
    o->type = static_cast<ScalarType>(t);
    dtypes[t] = reinterpret_cast<PyObject*>(o);
    checked(PyModule_AddObjectRef(module, dtype_name(o->type), dtypes[t]));
  }
  checked(PyModule_AddFunctions(module, functions));
}

}  // namespace taut::python
