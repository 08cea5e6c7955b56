// Tensors from and to other data: nested lists, the buffer protocol, DLPack; random generators; settings.
#include <cstring>

#include "object.h"

#include "taut/core/runtime.h"
#include "taut/print.h"
#include "taut/registry.h"

namespace taut::python {
namespace {

const char* format_of(ScalarType t) {
  switch (t) {
    case kBool: return "?";
    case kByte: return "B";
    case kChar: return "b";
    case kShort: return "h";
    case kInt: return "i";
    case kLong: return sizeof(long) == 8 ? "l" : "q";  // numpy's int64 is the long where that has 64 bits
    case kHalf: return "e";
    case kFloat: return "f";
    case kDouble: return "d";
    case kUInt16: return "H";
    case kUInt32: return "I";
    case kUInt64: return sizeof(long) == 8 ? "L" : "Q";
    case kComplexFloat: return "Zf";
    case kComplexDouble: return "Zd";
    default: return nullptr;
  }
}
std::optional<ScalarType> dtype_of_format(const char* format, Py_ssize_t item) {
  if (!format) format = "B";
  if (*format == '@' || *format == '=' || (*format == '<')) ++format;
  if (!std::strcmp(format, "Zf")) return kComplexFloat;
  if (!std::strcmp(format, "Zd")) return kComplexDouble;
  if (!*format || format[1]) return std::nullopt;
  switch (*format) {
    case '?': return kBool;
    case 'B': return kByte;
    case 'b': return kChar;
    case 'h': return kShort;
    case 'i': return kInt;
    case 'l': return item == 8 ? kLong : kInt;
    case 'q': return kLong;
    case 'H': return kUInt16;
    case 'I': return kUInt32;
    case 'L': return item == 8 ? kUInt64 : kUInt32;
    case 'Q': return kUInt64;
    case 'e': return kHalf;
    case 'f': return kFloat;
    case 'd': return kDouble;
    default: return std::nullopt;
  }
}

}  // namespace

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  return guarded(-1, [&] {
    const Tensor& t = tensor_of(self);
    const char* format = format_of(t.scalar_type());
    if (t.is_conj()) {
      PyErr_SetString(PyExc_RuntimeError,
                      "Can't call numpy() on Tensor that has conjugate bit set. Use "
                      "tensor.resolve_conj().numpy() instead.");
      throw PythonError();
    }
    if (t.is_meta()) {
      PyErr_SetString(PyExc_TypeError,
                      "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
                      "memory first.");
      throw PythonError();
    }
    if (!format) {
      PyErr_SetString(PyExc_TypeError, str("Got unsupported ScalarType ", toString(t.scalar_type())).c_str());
      throw PythonError();
    }
    if (!t.is_contiguous() && (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
      PyErr_SetString(PyExc_BufferError, "the tensor is not contiguous");
      throw PythonError();
    }
    const auto n = static_cast<size_t>(t.dim());
    auto* numbers = new Py_ssize_t[2 * n + 1];
    for (size_t d = 0; d < n; ++d) {
      numbers[d] = t.sizes()[d];
      numbers[n + d] = t.strides()[d] * t.element_size();
    }
    view->buf = t.data_ptr();
    view->obj = Py_NewRef(self);
    view->len = static_cast<Py_ssize_t>(t.nbytes());
    view->readonly = 0;
    view->itemsize = t.element_size();
    view->format = flags & PyBUF_FORMAT ? const_cast<char*>(format) : nullptr;
    view->ndim = static_cast<int>(n);
    view->shape = numbers;
    view->strides = numbers + n;
    view->suboffsets = nullptr;
    view->internal = numbers;
    return 0;
  });
}
void release_buffer(PyObject*, Py_buffer* view) { delete[] static_cast<Py_ssize_t*>(view->internal); }

bool has_buffer(PyObject* o) {
  return PyObject_CheckBuffer(o) && !PyBytes_Check(o) && !is_tensor(o) && !PyType_Check(o);
}

Tensor from_buffer(PyObject* o) {
  auto view = std::make_shared<Py_buffer>();
  if (PyObject_GetBuffer(o, view.get(), PyBUF_FULL_RO) < 0) throw PythonError();
  const auto release = [view](void*) {
    if (!Py_IsInitialized()) return;
    const WithGil gil;
    PyBuffer_Release(view.get());
  };
  const std::optional<ScalarType> type = dtype_of_format(view->format, view->itemsize);
  std::vector<int64_t> sizes, strides;
  bool whole = true;
  for (int d = 0; d < view->ndim; ++d) {
    sizes.push_back(view->shape[d]);
    const Py_ssize_t stride = view->strides ? view->strides[d] : view->itemsize;
    whole &= stride % view->itemsize == 0;
    strides.push_back(stride / view->itemsize);
  }
  bool negative = false;
  for (const int64_t s : strides) negative |= s < 0;
  if (!type || !whole || negative) {
    const std::string format = view->format ? view->format : "B";
    PyBuffer_Release(view.get());
    check<TypeError>(type.has_value(), "can't convert a buffer of format '", format,
                     "' to a tensor. The only supported types are: complex128, complex64, float64, float32, float16, "
                     "int64, int32, int16, "
                     "int8, uint8, and bool.");
    throw ValueError(
        "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
        "supported. (You can probably work around this by making a copy of your array with array.copy().)");
  }
  if (!view->strides) return from_blob(view->buf, sizes, release, *type);
  return from_blob(view->buf, sizes, strides, release, *type);
}

// Nested lists.

namespace {

struct Shape {
  std::vector<int64_t> sizes;
  ScalarType type = ScalarType::Undefined;  // of the numbers seen so far
};

void look(PyObject* o, size_t depth, Shape& shape, bool first) {
  check<ValueError>(depth < 64, "too many dimensions: the list is nested more than 64 deep");
  const auto note = [&](ScalarType t) {
    if (shape.type == ScalarType::Undefined) shape.type = t;
    else if (shape.type != t && (shape.type == kUInt64 || t == kUInt64) && is_integral(shape.type) && is_integral(t))
      shape.type = kUInt64;  // a large integer among others
    else if (shape.type != t) shape.type = promote_types(shape.type, t);
  };
  const auto leaf = [&](ScalarType t, IntArrayRef sizes) {
    if (first)
      for (const int64_t s : sizes) shape.sizes.push_back(s);
    else {
      check<ValueError>(shape.sizes.size() == depth + sizes.size(), "expected sequence of length ",
                        depth < shape.sizes.size() ? shape.sizes[depth] : 0, " at dim ", depth, " (got a number)");
    }
    note(t);
  };
  if (PyBool_Check(o)) return leaf(kBool, {});
  if (PyLong_Check(o)) {
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(o, &overflow);
    return leaf(overflow > 0 ? kUInt64 : kLong, {});
  }
  if (PyFloat_Check(o)) return leaf(get_default_dtype(), {});
  if (PyComplex_Check(o) && !has_buffer(o)) return leaf(complex_type(get_default_dtype()), {});
  if (is_tensor(o)) {
    check<ValueError>(tensor_of(o).numel() == 1, "only one element tensors can be converted to Python scalars");
    return leaf(tensor_of(o).scalar_type(), {});
  }
  if (PyUnicode_Check(o) || PyBytes_Check(o)) throw TypeError(str("new(): invalid data type '", type_name(o), "'"));
  if (PySequence_Check(o) && !has_buffer(o)) {
    const Object list = Object::steal(PySequence_Tuple(o));
    if (!list) throw PythonError();
    const Py_ssize_t n = PyTuple_GET_SIZE(list.get());
    if (first) shape.sizes.push_back(n);
    else
      check<ValueError>(depth < shape.sizes.size() && shape.sizes[depth] == n, "expected sequence of length ",
                        depth < shape.sizes.size() ? shape.sizes[depth] : 0, " at dim ", depth, " (got ", n, ")");
    for (Py_ssize_t i = 0; i < n; ++i) look(PyTuple_GET_ITEM(list.get(), i), depth + 1, shape, first && i == 0);
    return;
  }
  if (has_buffer(o)) {  // an array or an array's scalar inside of a list
    const Tensor t = from_buffer(o);
    if (first)
      for (const int64_t s : t.sizes()) shape.sizes.push_back(s);
    return note(t.scalar_type());
  }
  if (is_number(o)) return leaf(PyIndex_Check(o) ? kLong : get_default_dtype(), {});
  throw Error(str("Could not infer dtype of ", type_name(o)));
}

void fill(PyObject* o, const Tensor& into, size_t depth, const Shape& shape, int64_t& at) {
  if (depth < shape.sizes.size() && PySequence_Check(o) && !has_buffer(o) && !is_tensor(o)) {
    const Object list = Object::steal(checked(PySequence_Tuple(o)));
    const Py_ssize_t n = PyTuple_GET_SIZE(list.get());
    for (Py_ssize_t i = 0; i < n; ++i) fill(PyTuple_GET_ITEM(list.get(), i), into, depth + 1, shape, at);
    return;
  }
  if (has_buffer(o)) {
    const Tensor t = from_buffer(o);
    check<ValueError>(at + t.numel() <= into.numel(), "expected arrays of equal shapes in the list");
    if (t.numel()) into.view({-1}).slice(0, at, at + t.numel()).copy_(t.reshape({-1}));
    at += t.numel();
    return;
  }
  const Scalar s = to_scalar(o, "an element");
  check<ValueError>(at < into.numel(), "the list changed while it was read");
  if (into.is_complex() || is_limited(into.scalar_type())) {
    into.view({-1}).select(0, at++).fill_(s);
    return;
  }
  visit_dtype(into.scalar_type(), [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) check_converts(s, into.scalar_type(), "tensor");
    static_cast<T*>(into.data_ptr())[at] = s.to<T>();
  });
  ++at;
}

}  // namespace

Tensor tensor_from(PyObject* data, std::optional<ScalarType> dtype) {
  if (is_tensor(data))
    return dtype ? tensor_of(data).detach().to(*dtype, false, true) : tensor_of(data).detach().clone();
  if (has_buffer(data)) {
    const Tensor t = from_buffer(data);
    return dtype ? t.to(*dtype, false, true) : t.clone();
  }
  Shape shape;
  look(data, 0, shape, true);
  check<ValueError>(dtype || shape.type != kUInt64, "Overflow when unpacking long long");
  const ScalarType type = dtype ? *dtype : shape.type == ScalarType::Undefined ? get_default_dtype() : shape.type;
  const Tensor t = empty(shape.sizes, type);
  int64_t at = 0;
  fill(data, t, 0, shape, at);
  check<ValueError>(at == t.numel(), "the elements of the list have different lengths");
  return t;
}

// Generators.

namespace {

struct GeneratorObject {
  PyObject_HEAD Generator* generator;
};
PyTypeObject* generator_type = nullptr;
Generator& generator_of(PyObject* o) { return *reinterpret_cast<GeneratorObject*>(o)->generator; }
PyObject* wrap_generator(const Generator& g) {
  auto* o = reinterpret_cast<GeneratorObject*>(checked(generator_type->tp_alloc(generator_type, 0)));
  o->generator = new Generator(g);
  return reinterpret_cast<PyObject*>(o);
}
PyObject* generator_new(PyTypeObject*, PyObject*, PyObject*) {
  return guarded([] { return wrap_generator(Generator(67280421310721u)); });  // PyTorch's default seed
}
void generator_dealloc(PyObject* self) {
  delete reinterpret_cast<GeneratorObject*>(self)->generator;
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}
uint64_t to_seed(PyObject* o) {
  const Object index = Object::steal(checked(PyNumber_Index(o)));
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (overflow == 0) return static_cast<uint64_t>(small);
  const uint64_t v = PyLong_AsUnsignedLongLong(index.get());
  if (v == static_cast<uint64_t>(-1) && PyErr_Occurred()) {
    PyErr_Clear();
    throw ValueError("Overflow when unpacking long long");
  }
  return v;
}
PyObject* generator_manual_seed(PyObject* self, PyObject* seed) {
  return guarded([&] {
    generator_of(self).set_current_seed(to_seed(seed));
    return Py_NewRef(self);
  });
}
PyObject* generator_seed(PyObject* self, PyObject*) {
  return guarded([&] { return PyLong_FromUnsignedLongLong(generator_of(self).seed()); });
}
PyObject* generator_initial_seed(PyObject* self, PyObject*) {
  return guarded([&] { return PyLong_FromUnsignedLongLong(generator_of(self).current_seed()); });
}
PyObject* generator_get_state(PyObject* self, PyObject*) {
  return guarded([&] { return wrap(generator_of(self).get_state()); });
}
PyObject* generator_set_state(PyObject* self, PyObject* state) {
  return guarded([&] {
    generator_of(self).set_state(to_tensor(state, "new_state"));
    return Py_NewRef(self);
  });
}
PyObject* generator_clone_state(PyObject* self, PyObject*) {
  return guarded([&] { return wrap_generator(generator_of(self).clone()); });
}
PyMethodDef generator_methods[] = {
    {"manual_seed", generator_manual_seed, METH_O, "Starts anew from this seed."},
    {"seed", generator_seed, METH_NOARGS, "Starts anew from a seed the system draws; returns it."},
    {"initial_seed", generator_initial_seed, METH_NOARGS, "The seed it started from."},
    {"get_state", generator_get_state, METH_NOARGS, "Its whole state, as a uint8 tensor."},
    {"set_state", generator_set_state, METH_O, "Puts it into a state get_state() gave."},
    {"clone_state", generator_clone_state, METH_NOARGS, "Another generator in the same state."},
    {}};
PyObject* generator_device(PyObject*, void*) { return Py_NewRef(cpu_device); }
PyGetSetDef generator_getters[] = {{"device", generator_device, nullptr, "The CPU.", nullptr}, {}};

PyObject* make_tensor(PyObject*, PyObject* const* args, Py_ssize_t n) {
  return guarded([&] {
    check<TypeError>(n == 2, "_tensor(data, dtype)");
    return wrap(tensor_from(args[0], args[1] == Py_None ? std::nullopt : std::optional(to_dtype(args[1], "dtype"))));
  });
}
PyObject* make_from_buffer(PyObject*, PyObject* o) {
  return guarded([&] { return wrap(from_buffer(o)); });
}
PyObject* make_empty(PyObject*, PyObject* const* args, Py_ssize_t n) {
  return guarded([&] {
    check<TypeError>(n == 3, "_empty(size, stride, dtype)");
    const auto ints = [](PyObject* o) {
      std::vector<int64_t> list;
      const Object items = Object::steal(checked(PySequence_Tuple(o)));
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.get()); ++i)
        list.push_back(to_int(PyTuple_GET_ITEM(items.get(), i), "size"));
      return list;
    };
    const ScalarType type = args[2] == Py_None ? get_default_dtype() : to_dtype(args[2], "dtype");
    return wrap(args[1] == Py_None ? empty(ints(args[0]), type) : empty_strided(ints(args[0]), ints(args[1]), type));
  });
}
PyObject* promote(PyObject*, PyObject* const* args, Py_ssize_t n) {
  return guarded([&] {
    const auto type = [&](int i) {
      if (!is_dtype(args[i]))
        throw TypeError(str("promote_types(): argument 'type", i + 1, "' (position ", i + 1,
                            ") must be torch.dtype, not ", type_name(args[i])));
      return to_dtype(args[i], "type");
    };
    check<TypeError>(n == 2, "promote_types() takes 2 dtypes");
    return wrap_dtype(promote_types(type(0), type(1)));
  });
}
PyObject* result_of(PyObject*, PyObject* const* args, Py_ssize_t n) {
  return guarded([&] {
    check<TypeError>(n == 2, "_result_type(tensor, tensor)");
    return wrap_dtype(result_type(to_tensor(args[0], "tensor1"), to_tensor(args[1], "tensor2")));
  });
}
PyObject* seed_all(PyObject*, PyObject* seed) {
  return guarded([&] {
    manual_seed(to_seed(seed));
    return wrap_generator(default_generator());
  });
}
PyObject* get_default_generator(PyObject*, PyObject*) {
  return guarded([] { return wrap_generator(default_generator()); });
}
PyObject* get_dtype(PyObject*, PyObject*) { return wrap_dtype(get_default_dtype()); }
PyObject* set_dtype(PyObject*, PyObject* d) {
  return guarded([&] {
    set_default_dtype(to_dtype(d, "d"));
    return Py_NewRef(Py_None);
  });
}
PyObject* get_threads(PyObject*, PyObject*) { return PyLong_FromLong(get_num_threads()); }
PyObject* set_threads(PyObject*, PyObject* n) {
  return guarded([&] {
    const int64_t count = to_int(n, "set_num_threads: the number of threads");
    check(count > 0 && count < 1 << 16, "set_num_threads expects a positive integer");
    set_num_threads(static_cast<int>(count));
    return Py_NewRef(Py_None);
  });
}
PyObject* print_options(PyObject*, PyObject* args) {
  PrintOptions o;
  long long threshold = 0, edge = 0;
  PyObject* scientific = nullptr;
  if (!PyArg_ParseTuple(args, "iLLiO", &o.precision, &threshold, &edge, &o.linewidth, &scientific)) return nullptr;
  o.threshold = threshold, o.edgeitems = edge;
  if (scientific != Py_None) o.sci_mode = PyObject_IsTrue(scientific) == 1;
  return guarded([&] {
    set_printoptions(o);
    return Py_NewRef(Py_None);
  });
}
PyObject* memory(PyObject*, PyObject*) {
  const MemoryStats s = memory_stats();
  return Py_BuildValue("{s:L,s:L,s:L,s:L}", "allocated", static_cast<long long>(s.allocated), "peak",
                       static_cast<long long>(s.peak), "cached", static_cast<long long>(s.cached), "system_calls",
                       static_cast<long long>(s.system_calls));
}
PyMethodDef functions[] = {
    {"_tensor", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(make_tensor)), METH_FASTCALL, nullptr},
    {"_from_buffer", make_from_buffer, METH_O, nullptr},
    {"_index_put_", index_put_in_place, METH_VARARGS, nullptr},
    {"_empty", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(make_empty)), METH_FASTCALL, nullptr},
    {"_promote_types", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(promote)), METH_FASTCALL, nullptr},
    {"_result_type", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(result_of)), METH_FASTCALL, nullptr},
    {"_manual_seed", seed_all, METH_O, nullptr},
    {"_default_generator", get_default_generator, METH_NOARGS, nullptr},
    {"get_default_dtype", get_dtype, METH_NOARGS, "The dtype of floats when none is given."},
    {"set_default_dtype", set_dtype, METH_O, "Sets the dtype of floats when none is given."},
    {"get_num_threads", get_threads, METH_NOARGS, "How many threads ops use."},
    {"set_num_threads", set_threads, METH_O, "Sets how many threads ops use."},
    {"_set_printoptions", print_options, METH_VARARGS, nullptr},
    {"memory_stats", memory, METH_NOARGS, "Bytes in use, at most in use, and kept for reuse."},
    {}};

}  // namespace

bool is_generator(PyObject* o) { return Py_IS_TYPE(o, generator_type); }
std::optional<Generator> to_generator(PyObject* o) {
  if (!o || o == Py_None) return std::nullopt;
  check<TypeError>(Py_IS_TYPE(o, generator_type), "generator must be a torch.Generator, not ", type_name(o));
  return generator_of(o);
}

void init_data(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(generator_new)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(generator_dealloc)},
                         {Py_tp_methods, generator_methods},
                         {Py_tp_getset, generator_getters},
                         {Py_tp_doc, const_cast<char*>("A source of random numbers.")},
                         {0, nullptr}};
  PyType_Spec spec = {"torch.Generator", sizeof(GeneratorObject), 0, Py_TPFLAGS_DEFAULT, slots};
  generator_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)));
  checked(PyModule_AddObjectRef(module, "Generator", reinterpret_cast<PyObject*>(generator_type)));
  checked(PyModule_AddFunctions(module, functions));
}

}  // namespace taut::python
