// The Tensor type: its operators, properties and the methods that are not ops of the registry.
#include <sstream>

#include "overrides.h"
#include "taut/core/objects.h"
#include "taut/print.h"

namespace taut::python {

PyTypeObject* tensor_type = nullptr;
PyObject *cpu_device = nullptr, *meta_device = nullptr;

namespace {

/// What stays of a tensor's object when that goes before the tensor does: its class, its attributes and its hooks. The
/// next object of the tensor gets them back. It is kept in the object's place, marked by the lowest bit.
struct Remains {
  PyTypeObject* type;
  PyObject* dict;
  Hooks* hooks;
};
constexpr uintptr_t kRemains = 1;
Remains* remains_in(void* known) {
  const auto bits = reinterpret_cast<uintptr_t>(known);
  return bits & kRemains ? reinterpret_cast<Remains*>(bits - kRemains) : nullptr;  // NOLINT: a marked pointer
}
void leave_remains(TensorObject* o) {
  auto* remains = new Remains{Py_TYPE(reinterpret_cast<PyObject*>(o)), std::exchange(o->dict, nullptr),
                              std::exchange(o->hooks, nullptr)};
  Py_INCREF(remains->type);
  set_python_object(o->tensor, reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(remains) | kRemains));  // NOLINT
}
/// The tensor is no more either.
void drop(void* known) {
  Remains* remains = remains_in(known);
  if (!remains) return;
  if (Py_IsInitialized()) {
    const WithGil gil;
    Py_XDECREF(remains->dict);
    Py_DECREF(remains->type);
  }
  delete remains->hooks;
  delete remains;
}

PyObject* new_object(PyTypeObject* type, const Tensor& t) {
  auto* o = reinterpret_cast<TensorObject*>(checked(type->tp_alloc(type, 0)));
  new (&o->tensor) Tensor(t);
  set_python_object(t, o);
  return reinterpret_cast<PyObject*>(o);
}
PyObject* restored(Remains* remains, const Tensor& t) {
  auto* o = reinterpret_cast<TensorObject*>(new_object(remains->type, t));
  o->dict = remains->dict;
  o->hooks = remains->hooks;
  Py_DECREF(remains->type);
  delete remains;
  return reinterpret_cast<PyObject*>(o);
}

}  // namespace

PyObject* wrap_as(PyTypeObject* type, const Tensor& t) {
  drop(python_object(t));
  return new_object(type, t);
}
PyObject* wrap(const Tensor& t) {
  if (!t.defined()) return Py_NewRef(Py_None);
  if (void* known = python_object(t)) {
    if (Remains* remains = remains_in(known)) return restored(remains, t);
    return Py_NewRef(static_cast<PyObject*>(known));
  }
  return new_object(tensor_type, t);
}

void note_hook(PyObject* tensor, unsigned id, const std::shared_ptr<PyObject>& function) {
  auto* o = reinterpret_cast<TensorObject*>(tensor);
  if (!o->hooks) o->hooks = new Hooks;
  std::erase_if(o->hooks->list, [](const auto& h) { return h.second.expired(); });
  o->hooks->list.emplace_back(id, function);
}

namespace {

void dealloc(PyObject* self) {
  auto* o = reinterpret_cast<TensorObject*>(self);
  PyObject_GC_UnTrack(self);
  if (o->weak_references) PyObject_ClearWeakRefs(self);
  if (o->tensor.defined() && python_object(o->tensor) == o) {
    set_python_object(o->tensor, nullptr);
    const bool has_more = o->dict ? PyDict_GET_SIZE(o->dict) != 0 : Py_TYPE(self) != tensor_type;
    if (has_more && o->tensor.use_count() > 1) leave_remains(o);
  }
  Py_CLEAR(o->dict);
  delete o->hooks;
  o->tensor.~Tensor();
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}
/// What only this object keeps alive: its attributes, and if the tensor has no other owner, its hooks and its graph.
int traverse(PyObject* self, visitproc visit, void* arg) {
  auto* o = reinterpret_cast<TensorObject*>(self);
  Py_VISIT(o->dict);
  Py_VISIT(Py_TYPE(self));
  if (!o->tensor.defined() || o->tensor.use_count() != 1) return 0;
  if (o->hooks)
    for (const auto& [id, function] : o->hooks->list)
      if (const auto f = function.lock(); f && f.use_count() == 2) Py_VISIT(f.get());
  return visit_graph(o->tensor, visit, arg);
}
int clear(PyObject* self) {
  auto* o = reinterpret_cast<TensorObject*>(self);
  Py_CLEAR(o->dict);
  if (o->hooks) {
    const std::unique_ptr<Hooks> hooks(std::exchange(o->hooks, nullptr));
    for (const auto& [id, function] : hooks->list) o->tensor.remove_hook(id);
  }
  return 0;
}

// Operators. Both operands tensors, or one of them a number: anything else is for the other operand to handle.

/// How an operator is known to those who take calls over: as a method of its first operand, or of the second one.
struct Operator {
  const char *forward, *reversed, *op;  // and as an op
};
/// Has an operand, or a mode, taken it over?
bool operator_taken(const Operator& o, PyObject* a, PyObject* b, PyObject*& result) {
  PyObject* both[] = {a, b};
  if (!is_taken(both, 2)) return false;
  const bool forward = is_tensor(a);
  if (!forward) std::swap(both[0], both[1]);
  if (take_over({forward ? o.forward : o.reversed}, both, 2, nullptr, result)) {
    if (!result && PyErr_ExceptionMatches(PyExc_TypeError)) {  // then the other operand may know
      PyErr_Clear();
      result = Py_NewRef(Py_NotImplemented);
    }
    return true;
  }
  if (!is_dispatched(both, 2) || !is_tensor(both[0]) || (!is_tensor(both[1]) && !is_number(both[1]))) return false;
  result = guarded([&] { return through_ops(o.op, a, b); });
  return true;
}

template <class F>
PyObject* binary(const Operator& o, PyObject* a, PyObject* b, F f) {
  if (!is_plain(a) || !is_plain(b) || is_watched()) [[unlikely]]
    if (PyObject * result; operator_taken(o, a, b, result)) return result;
  return guarded([&]() -> PyObject* {
    if (is_tensor(a)) {
      const Tensor& x = tensor_of(a);
      if (is_tensor(b)) {
        const Tensor& y = tensor_of(b);
        Tensor z;
        if (x.numel() + y.numel() > kLargeForGil) {
          const WithoutGil without;
          z = f(x, y);
        } else {
          z = f(x, y);
        }
        return wrap(z);
      }
      if (!PyFloat_Check(b) && !PyLong_Check(b) && !is_number(b)) {
        if (has_buffer(b)) return wrap(f(x, from_buffer(b)));
        Py_RETURN_NOTIMPLEMENTED;
      }
      const Scalar s = to_scalar(b, "other");
      Tensor z;
      {
        const WithoutGil without(x.numel() > kLargeForGil);
        z = f(x, s);
      }
      return wrap(z);
    }
    if (!is_number(a)) Py_RETURN_NOTIMPLEMENTED;
    const Scalar s = to_scalar(a, "self");
    const Tensor& y = tensor_of(b);
    Tensor z;
    {
      const WithoutGil without(y.numel() > kLargeForGil);
      z = f(s, y);
    }
    return wrap(z);
  });
}
template <class F>
PyObject* assign(const Operator& o, PyObject* a, PyObject* b, F f) {
  if (!is_plain(a) || !is_plain(b) || is_watched()) [[unlikely]]
    if (PyObject * result; operator_taken(o, a, b, result)) return result;
  return guarded([&]() -> PyObject* {
    Tensor x = tensor_of(a);
    if (is_tensor(b)) {
      const Tensor& y = tensor_of(b);
      const WithoutGil without(x.numel() > kLargeForGil);
      f(x, y);
    } else if (is_number(b)) {
      const Scalar s = to_scalar(b, "other");
      const WithoutGil without(x.numel() > kLargeForGil);
      f(x, s);
    } else if (has_buffer(b)) {
      f(x, from_buffer(b));
    } else {
      Py_RETURN_NOTIMPLEMENTED;
    }
    return Py_NewRef(a);
  });
}

#define ARITHMETIC(name, forward, reversed, number_first)                        \
  struct name##_f {                                                              \
    Tensor operator()(const Tensor& x, const Tensor& y) { return name(x, y); }   \
    Tensor operator()(const Tensor& x, const Scalar& y) { return name(x, y); }   \
    Tensor operator()(const Scalar& x, const Tensor& y) { return number_first; } \
  };                                                                             \
  PyObject* nb_##name(PyObject* a, PyObject* b) { return binary({forward, reversed, #name}, a, b, name##_f()); }
ARITHMETIC(add, "add", "add", add(y, x))
ARITHMETIC(mul, "mul", "mul", mul(y, x))
ARITHMETIC(sub, "sub", "__rsub__", rsub(y, x))
ARITHMETIC(div, "div", "__rtruediv__", mul(reciprocal(y), x))
ARITHMETIC(floor_divide, "__floordiv__", "__rfloordiv__", floor_divide(number_tensor(x), y))
ARITHMETIC(remainder, "remainder", "__rmod__", remainder(x, y))
ARITHMETIC(bitwise_and, "__and__", "bitwise_and", bitwise_and(y, x))
ARITHMETIC(bitwise_or, "__or__", "bitwise_or", bitwise_or(y, x))
ARITHMETIC(bitwise_xor, "__xor__", "bitwise_xor", bitwise_xor(y, x))
ARITHMETIC(bitwise_left_shift, "__lshift__", "__rlshift__", bitwise_left_shift(x, y))
ARITHMETIC(bitwise_right_shift, "__rshift__", "__rrshift__", bitwise_right_shift(x, y))
#undef ARITHMETIC
struct pow_f {
  Tensor operator()(const Tensor& x, const Tensor& y) { return pow(x, y); }
  Tensor operator()(const Tensor& x, const Scalar& y) { return pow(x, y); }
  Tensor operator()(const Scalar& x, const Tensor& y) { return pow(x, y); }
};
PyObject* nb_pow(PyObject* a, PyObject* b, PyObject*) { return binary({"__pow__", "__rpow__", "pow"}, a, b, pow_f()); }
PyObject* nb_matmul(PyObject* a, PyObject* b) {
  if (!is_plain(a) || !is_plain(b) || is_watched()) [[unlikely]]
    if (PyObject * result; operator_taken({"matmul", "__rmatmul__", "matmul"}, a, b, result)) return result;
  if (!is_tensor(a) || !is_tensor(b)) Py_RETURN_NOTIMPLEMENTED;
  return guarded([&] {
    Tensor z;
    {
      const WithoutGil without(tensor_of(a).numel() + tensor_of(b).numel() > kLargeForGil);
      z = matmul(tensor_of(a), tensor_of(b));
    }
    return wrap(z);
  });
}
#define IN_PLACE(name, method)                                                                         \
  PyObject* nb_in_place_##name(PyObject* a, PyObject* b) {                                             \
    return assign({method, method, #name "_"}, a, b, [](Tensor& x, const auto& y) { name##_(x, y); }); \
  }
IN_PLACE(add, "add_")
IN_PLACE(sub, "sub_")
IN_PLACE(mul, "mul_")
IN_PLACE(div, "div_")
IN_PLACE(floor_divide, "floor_divide_")
IN_PLACE(remainder, "remainder_")
IN_PLACE(bitwise_and, "__iand__")
IN_PLACE(bitwise_or, "__ior__")
IN_PLACE(bitwise_xor, "__ixor__")
IN_PLACE(bitwise_left_shift, "__ilshift__")
IN_PLACE(bitwise_right_shift, "__irshift__")
#undef IN_PLACE
PyObject* nb_in_place_pow(PyObject* a, PyObject* b, PyObject*) {
  return assign({"__ipow__", "__ipow__", "pow_"}, a, b, [](Tensor& x, const auto& y) { pow_(x, y); });
}
/// The same of a method without arguments; `op` is its op, if it has one.
bool method_taken(const char* name, PyObject* self, PyObject*& result, const char* op = nullptr) {
  if (!is_taken(&self, 1)) return false;
  if (take_over({name}, &self, 1, nullptr, result)) return true;
  if (!op) return method_watched(name, &self, 1, result);
  if (!is_dispatched(&self, 1)) return false;
  result = guarded([&] { return through_ops(op, self, nullptr); });
  return true;
}

template <class F>
PyObject* unary(const char* name, const char* op, PyObject* a, F f) {
  if (!is_plain(a) || is_watched()) [[unlikely]]
    if (PyObject * result; method_taken(name, a, result, op)) return result;
  return guarded([&] {
    Tensor y;
    {
      const WithoutGil without(tensor_of(a).numel() > kLargeForGil);
      y = f(tensor_of(a));
    }
    return wrap(y);
  });
}
PyObject* nb_negative(PyObject* a) {
  return unary("neg", "neg", a, [](const Tensor& x) { return neg(x); });
}
PyObject* nb_positive(PyObject* a) {
  if (PyObject * result; method_taken("positive", a, result)) return result;
  return Py_NewRef(a);
}
PyObject* nb_absolute(PyObject* a) {
  return unary("abs", "abs", a, [](const Tensor& x) { return abs(x); });
}
PyObject* nb_invert(PyObject* a) {
  return unary("__invert__", "bitwise_not", a, [](const Tensor& x) { return bitwise_not(x); });
}
int nb_bool(PyObject* a) {
  if (!is_plain(a) || is_watched()) [[unlikely]]
    if (PyObject * result; method_taken("__bool__", a, result)) {
      const int truth = result ? PyObject_IsTrue(result) : -1;
      Py_XDECREF(result);
      return truth;
    }
  return guarded(-1, [&]() -> int { return tensor_of(a).is_nonzero(); });
}
PyObject* nb_int(PyObject* a) {
  if (PyObject * result; method_taken("__int__", a, result)) return result;
  return guarded([&]() -> PyObject* {
    const Scalar s = tensor_of(a).item();
    if (s.is_floating_point() || s.is_complex()) return checked(PyLong_FromDouble(s.toDouble()));
    return checked(PyLong_FromLongLong(s.toLong()));
  });
}
PyObject* nb_float(PyObject* a) {
  if (PyObject * result; method_taken("__float__", a, result)) return result;
  return guarded([&] { return checked(PyFloat_FromDouble(tensor_of(a).item<double>())); });
}
PyObject* nb_index(PyObject* a) {
  if (PyObject * result; method_taken("__index__", a, result)) return result;
  return guarded([&] {
    const Tensor& t = tensor_of(a);
    check<TypeError>(t.numel() == 1 && is_integral(t.scalar_type(), true),
                     "only integer tensors of a single element can be converted to an index");
    return checked(PyLong_FromLongLong(t.item<int64_t>()));
  });
}

PyObject* compare(PyObject* a, PyObject* b, int operation) {
  if (!is_plain(a) || !is_plain(b) || is_watched()) [[unlikely]] {
    static constexpr Operator operators[] = {{"lt", "lt", "lt"}, {"le", "le", "le"}, {"__eq__", "__eq__", "eq"},
                                             {"ne", "ne", "ne"}, {"gt", "gt", "gt"}, {"ge", "ge", "ge"}};  // Py_LT ..
    if (PyObject * result; operator_taken(operators[operation], a, b, result)) return result;
  }
  if (!is_tensor(b) && !is_number(b) && !has_buffer(b)) Py_RETURN_NOTIMPLEMENTED;
  const auto apply = [&](const Tensor& x, const auto& y) {
    switch (operation) {
      case Py_EQ: return eq(x, y);
      case Py_NE: return ne(x, y);
      case Py_LT: return lt(x, y);
      case Py_LE: return le(x, y);
      case Py_GT: return gt(x, y);
      default: return ge(x, y);
    }
  };
  return guarded([&] {
    const Tensor& x = tensor_of(a);
    if (is_tensor(b)) return wrap(apply(x, tensor_of(b)));
    if (is_number(b)) return wrap(apply(x, to_scalar(b, "other")));
    return wrap(apply(x, from_buffer(b)));
  });
}

Py_ssize_t length(PyObject* self) {
  if (PyObject * result; method_taken("__len__", self, result)) {
    const Py_ssize_t n = result ? PyNumber_AsSsize_t(result, PyExc_OverflowError) : -1;
    Py_XDECREF(result);
    return n;
  }
  return guarded(static_cast<Py_ssize_t>(-1), [&]() -> Py_ssize_t {
    check<TypeError>(tensor_of(self).dim() > 0, "len() of a 0-d tensor");
    return tensor_of(self).size(0);
  });
}
PyObject* iterate(PyObject* self) {
  return guarded([&] {
    if (is_taken(&self, 1)) {
      const Object dim = Object::steal(checked(PyObject_CallMethod(self, "dim", nullptr)));
      if (PyObject_RichCompareBool(dim.get(), Object::steal(PyLong_FromLong(0)).get(), Py_EQ) == 1)
        throw TypeError("iteration over a 0-d tensor");
      const Object parts = Object::steal(checked(PyObject_CallMethod(self, "unbind", "i", 0)));
      return checked(PyObject_GetIter(parts.get()));
    }
    check<TypeError>(tensor_of(self).dim() > 0, "iteration over a 0-d tensor");
    const Object list = Object::steal(wrap_list(tensor_of(self).unbind(0)));
    return checked(PyObject_GetIter(list.get()));
  });
}
/// As it prints, a subclass with its own name: what follows in other lines stands below what is in the first.
std::string text_as(PyTypeObject* type, std::string text) {
  const std::string name = type->tp_name, plain = "tensor";
  const std::string shown = name.substr(name.rfind('.') + 1);
  if (type == tensor_type || type == parameter_type || !text.starts_with(plain) || shown == plain) return text;
  std::istringstream lines(text.substr(plain.size()));
  std::string result = shown, line;
  std::getline(lines, line);
  result += line;
  while (std::getline(lines, line)) {
    const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const size_t wanted = blanks + shown.size() < plain.size() ? 0 : blanks + shown.size() - plain.size();
    result += "\n" + (line.empty() ? line : std::string(wanted, ' ') + line.substr(blanks));
  }
  return result;
}
PyObject* tensor_repr(PyObject* self) {
  if (PyObject * result; method_taken("__repr__", self, result)) return result;
  return guarded([&] { return checked(PyUnicode_FromString(text_as(Py_TYPE(self), repr(tensor_of(self))).c_str())); });
}
Py_hash_t hash(PyObject* self) { return _Py_HashPointer(self); }

// Properties.

/// A view of a tensor that requires grad says so too, even if it was made where nothing is recorded.
bool says_requires_grad(const Tensor& t) {
  return t.requires_grad() || (t.is_view() && is_differentiable(t.scalar_type()) && t._base().requires_grad());
}

PyObject* layout_objects = nullptr;  // set by the Python package

/// Has a class taken over that a property of its instance is read?
bool getter_taken(PyObject* self, void* attribute, PyObject*& result) {
  if (!is_taken(&self, 1)) return false;
  const auto* name = static_cast<const char*>(attribute);
  if (take_over({name, "__get__"}, &self, 1, nullptr, result)) return true;
  const std::string_view text = name;
  const bool is_op = text == "T" || text == "mT" || text == "H" || text == "mH" || text == "real" || text == "imag";
  return is_op && method_watched(name, &self, 1, result);
}
bool setter_taken(PyObject* self, PyObject* value, void* attribute, int& outcome) {
  PyObject* both[] = {self, value};
  const Py_ssize_t n = value ? 2 : 1;
  PyObject* result = nullptr;
  if (!is_taken(both, n) ||
      !take_over({static_cast<const char*>(attribute), value ? "__set__" : "__delete__"}, both, n, nullptr, result))
    return false;
  outcome = result ? 0 : -1;
  Py_XDECREF(result);
  return true;
}

#define GETTER(name, expression)                                                   \
  PyObject* get_##name(PyObject* self, void* attribute) {                          \
    if (!is_plain(self) || is_watched()) [[unlikely]]                              \
      if (PyObject * result; getter_taken(self, attribute, result)) return result; \
    return guarded([&]() -> PyObject* {                                            \
      [[maybe_unused]] const Tensor& t = tensor_of(self);                          \
      return expression;                                                           \
    });                                                                            \
  }
GETTER(shape, wrap_size(t.sizes()))
GETTER(dtype, wrap_dtype(t.scalar_type()))
GETTER(requires_grad, PyBool_FromLong(says_requires_grad(t)))
GETTER(is_leaf, PyBool_FromLong(t.is_leaf()))
GETTER(grad, wrap(t.grad()))
GETTER(data, wrap(t.data()))
GETTER(ndim, PyLong_FromLongLong(t.dim()))
GETTER(itemsize, PyLong_FromLongLong(t.element_size()))
GETTER(nbytes, PyLong_FromSize_t(t.nbytes()))
GETTER(T, wrap(t.T()))
GETTER(mT, wrap(t.mT()))
GETTER(mH, wrap(t.mH()))
GETTER(H, wrap(t.H()))
GETTER(real, wrap(real(t)))
GETTER(imag, wrap(imag(t)))
GETTER(version, PyLong_FromUnsignedLong(t._version()))
GETTER(base, wrap(t._base()))
GETTER(output_nr, PyLong_FromLongLong(t.output_nr()))
GETTER(retains_grad, PyBool_FromLong(t.retains_grad()))
GETTER(false, Py_NewRef(Py_False))
GETTER(is_cpu, PyBool_FromLong(t.is_cpu()))
GETTER(is_sparse, PyBool_FromLong(t.is_sparse()))
GETTER(is_sparse_csr, PyBool_FromLong(t.is_sparse_csr()))
GETTER(grad_fn, grad_fn_of(t))
GETTER(device, Py_NewRef(t.is_meta() ? meta_device : cpu_device))
GETTER(layout, Py_NewRef(PyTuple_GET_ITEM(layout_objects, static_cast<Py_ssize_t>(t.layout()))))
GETTER(is_meta, PyBool_FromLong(t.is_meta()))
#undef GETTER

int set_requires_grad(PyObject* self, PyObject* value, void* attribute) {
  if (int outcome; setter_taken(self, value, attribute, outcome)) return outcome;
  return guarded(-1, [&] {
    check<TypeError>(value && PyBool_Check(value), "requires_grad must be a bool");
    tensor_of(self).requires_grad_(value == Py_True);
    return 0;
  });
}
int set_grad(PyObject* self, PyObject* value, void* attribute) {
  if (int outcome; setter_taken(self, value, attribute, outcome)) return outcome;
  return guarded(-1, [&] {
    const Tensor& t = tensor_of(self);
    if (!value || value == Py_None) {
      t.mutable_grad().reset();
      return 0;
    }
    check<TypeError>(is_tensor(value), "assigned grad expected to be a Tensor or None but got grad of type ",
                     type_name(value));
    const Tensor& g = tensor_of(value);
    check(!g.is_same(t), "can't assign Variable as its own grad");
    check(g.scalar_type() == t.scalar_type(),
          "assigned grad has data of a different type: ", dtype_name(g.scalar_type()), " for a tensor of ",
          dtype_name(t.scalar_type()));
    check(g.sizes() == t.sizes(), "assigned grad has data of a different size: ", g.sizes(), " for a tensor of ",
          t.sizes());
    t.mutable_grad() = g;
    return 0;
  });
}
int set_data(PyObject* self, PyObject* value, void* attribute) {
  if (int outcome; setter_taken(self, value, attribute, outcome)) return outcome;
  return guarded(-1, [&] {
    check<TypeError>(value, "data cannot be deleted");
    tensor_of(self).set_data(to_tensor(value, "data"));
    return 0;
  });
}

// z.real = x writes into the view.
int set_part(PyObject* self, PyObject* value, Tensor (*part)(const Tensor&), void* attribute) {
  if (int outcome; setter_taken(self, value, attribute, outcome)) return outcome;
  return guarded(-1, [&] {
    check<TypeError>(value != nullptr, "a part of a complex number cannot be deleted");
    const Tensor to = part(tensor_of(self));
    to.copy_(is_tensor(value) ? tensor_of(value) : number_tensor(to_scalar(value, "value")));
    return 0;
  });
}
int set_real(PyObject* self, PyObject* value, void* attribute) { return set_part(self, value, real, attribute); }
int set_imag(PyObject* self, PyObject* value, void* attribute) { return set_part(self, value, imag, attribute); }

PyObject* get_layout_number(PyObject* self, void*) {
  return PyLong_FromLong(static_cast<long>(tensor_of(self).layout()));
}

/// What a getter is told: the name under which it was found.
void* attribute(const char* name) { return const_cast<char*>(name); }

PyGetSetDef getters[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {"shape", get_shape, nullptr, "The sizes.", attribute("shape")},
    {"dtype", get_dtype, nullptr, "The type of the elements.", attribute("dtype")},
    {"requires_grad", get_requires_grad, set_requires_grad, "Does autograd follow this tensor?",
     attribute("requires_grad")},
    {"is_leaf", get_is_leaf, nullptr, "Was it made by the user rather than by a recorded op?", attribute("is_leaf")},
    {"grad", get_grad, set_grad, "The gradient accumulated by backward(), or None.", attribute("grad")},
    {"_grad", get_grad, set_grad, "The same as grad.", attribute("_grad")},
    {"data", get_data, set_data, "The same memory outside autograd.", attribute("data")},
    {"ndim", get_ndim, nullptr, "The number of dimensions.", attribute("ndim")},
    {"itemsize", get_itemsize, nullptr, "Bytes of one element.", attribute("itemsize")},
    {"nbytes", get_nbytes, nullptr, "Bytes of all elements.", attribute("nbytes")},
    {"T", get_T, nullptr, "Dimensions in reverse order.", attribute("T")},
    {"mT", get_mT, nullptr, "The last two dimensions swapped.", attribute("mT")},
    {"mH", get_mH, nullptr, "The last two dimensions swapped, and conjugated.", attribute("mH")},
    {"H", get_H, nullptr, "The conjugate transpose of a matrix.", attribute("H")},
    {"real", get_real, set_real, "The real parts, sharing memory.", attribute("real")},
    {"imag", get_imag, set_imag, "The imaginary parts, sharing memory.", attribute("imag")},
    {"_version", get_version, nullptr, "How often it was written in place.", attribute("_version")},
    {"_base", get_base, nullptr, "Of a view: the tensor it looks into.", attribute("_base")},
    {"output_nr", get_output_nr, nullptr, "Which output of its grad_fn it is.", attribute("output_nr")},
    {"retains_grad", get_retains_grad, nullptr, "Is .grad kept although this is no leaf?", attribute("retains_grad")},
    {"is_cpu", get_is_cpu, nullptr, "Is it in memory?", attribute("is_cpu")},
    {"is_cuda", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_cuda")},
    {"is_sparse", get_is_sparse, nullptr, "Does it keep only some elements, by their coordinates?",
     attribute("is_sparse")},
    {"is_sparse_csr", get_is_sparse_csr, nullptr, "Does it keep only some elements, row by row?",
     attribute("is_sparse_csr")},
    {"_layout", get_layout_number, nullptr, "Which layout: 0 is strided, then COO, CSR, CSC, BSR and BSC.", nullptr},
    {"layout", get_layout, nullptr, "How the elements are kept.", attribute("layout")},
    {"device", get_device, nullptr, "Where the elements are: on the CPU, or meta, nowhere.", attribute("device")},
    {"grad_fn", get_grad_fn, nullptr, "The node that made this tensor; None for a leaf.", attribute("grad_fn")},
    {"is_quantized", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_quantized")},
    {"is_meta", get_is_meta, nullptr, "Has it a shape and a dtype but no memory?", attribute("is_meta")},
    {"is_mps", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_mps")},
    {"is_nested", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_nested")},
    {"is_xpu", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_xpu")},
    {"is_xla", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_xla")},
    {"is_mkldnn", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_mkldnn")},
    {"is_vulkan", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_vulkan")},
    {"is_mtia", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_mtia")},
    {"is_ipu", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_ipu")},
    {"is_maia", get_false, nullptr, "False: Taut has no such tensors.", attribute("is_maia")},
    {}};
PyMemberDef members[] = {{"__dictoffset__", T_PYSSIZET, offsetof(TensorObject, dict), READONLY, nullptr},
                         {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weak_references), READONLY, nullptr},
                         {}};

// Methods. Those with several or keyword arguments are written in Python, over these.

/// Has a class taken over a method with one argument, or with several?
bool with_taken(const char* name, PyObject* self, PyObject* other, PyObject*& result) {
  PyObject* both[] = {self, other};
  return is_taken(both, 2) && (take_over({name}, both, 2, nullptr, result) || method_watched(name, both, 2, result));
}
bool call_taken(const char* name, PyObject* self, PyObject* args, PyObject* keywords, PyObject*& result) {
  std::vector<PyObject*> list{self};
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i) list.push_back(PyTuple_GET_ITEM(args, i));
  const auto n = static_cast<Py_ssize_t>(list.size());
  Object names;
  if (keywords) {
    const Object values = Object::steal(PyDict_Values(keywords)), keys = Object::steal(PyDict_Keys(keywords));
    names = Object::steal(PyList_AsTuple(keys.get()));
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(values.get()); ++k) list.push_back(PyList_GET_ITEM(values.get(), k));
  }
  return is_taken(list.data(), static_cast<Py_ssize_t>(list.size())) &&
         (take_over({name}, list.data(), n, names.get(), result) || method_watched(name, list.data(), n, result));
}

#define METHOD(name, expression)                                               \
  PyObject* do_##name(PyObject* self, PyObject*) {                             \
    if (!is_plain(self) || is_watched()) [[unlikely]]                          \
      if (PyObject * result; method_taken(#name, self, result)) return result; \
    return guarded([&]() -> PyObject* {                                        \
      [[maybe_unused]] const Tensor& t = tensor_of(self);                      \
      return expression;                                                       \
    });                                                                        \
  }
#define PRIVATE_METHOD(name, expression)                                             \
  PyObject* do_##name(PyObject* self, PyObject*) {                                   \
    if (!is_plain(self) || is_watched()) [[unlikely]]                                \
      if (PyObject * result; method_watched(#name, &self, 1, result)) return result; \
    return guarded([&]() -> PyObject* {                                              \
      [[maybe_unused]] const Tensor& t = tensor_of(self);                            \
      return expression;                                                             \
    });                                                                              \
  }
METHOD(item, to_python(t.item()))
METHOD(numel, PyLong_FromLongLong(t.numel()))
METHOD(dim, PyLong_FromLongLong(t.dim()))
METHOD(storage_offset, PyLong_FromLongLong(t.storage_offset()))
METHOD(data_ptr, PyLong_FromVoidPtr(t.data_ptr()))
METHOD(sparse_dim, PyLong_FromLongLong(t.sparse_dim()))
METHOD(dense_dim, PyLong_FromLongLong(t.dense_dim()))
METHOD(_nnz, PyLong_FromLongLong(t._nnz()))
METHOD(is_coalesced, PyBool_FromLong(t.is_coalesced()))
METHOD(element_size, PyLong_FromLongLong(t.element_size()))
PRIVATE_METHOD(_is_contiguous, PyBool_FromLong(t.is_contiguous()))
METHOD(is_floating_point, PyBool_FromLong(t.is_floating_point()))
METHOD(is_complex, PyBool_FromLong(t.is_complex()))
METHOD(is_conj, PyBool_FromLong(t.is_conj()))
METHOD(is_signed, PyBool_FromLong(t.is_signed()))
METHOD(is_inference, PyBool_FromLong(t.is_inference()))
PRIVATE_METHOD(_is_view, PyBool_FromLong(t.is_view()))
METHOD(detach_, (t.detach_(), Py_NewRef(self)))
METHOD(zero_, (t.zero_(), Py_NewRef(self)))
PRIVATE_METHOD(_contiguous, wrap(t.contiguous()))
PRIVATE_METHOD(_clone, wrap(t.clone()))
METHOD(retain_grad, (t.retain_grad(), Py_NewRef(Py_None)))
PRIVATE_METHOD(_strides, wrap_size(t.strides()))
#undef METHOD
#undef PRIVATE_METHOD

Scalar limited_at(const char* data, ScalarType type) {
  if (is_float8(type)) return float8_to_float(*reinterpret_cast<const uint8_t*>(data), type);
  if (type == kUInt16) return *reinterpret_cast<const uint16_t*>(data);
  return type == kUInt32 ? Scalar(*reinterpret_cast<const uint32_t*>(data))
                         : Scalar(*reinterpret_cast<const uint64_t*>(data));
}
PyObject* nested(const Tensor& t, const char* data, int64_t dim) {
  if (dim == t.dim() && t.scalar_type() == kComplexDouble)
    return to_python(Scalar(*reinterpret_cast<const Complex<double>*>(data)));
  if (dim == t.dim() && is_limited(t.scalar_type())) return to_python(limited_at(data, t.scalar_type()));
  if (dim == t.dim())
    return visit_dtype(t.scalar_type(),
                       [&](auto zero) { return to_python(Scalar(*reinterpret_cast<const decltype(zero)*>(data))); });
  Object list = Object::steal(checked(PyList_New(t.size(dim))));
  for (int64_t i = 0; i < t.size(dim); ++i)
    PyList_SET_ITEM(list.get(), i, nested(t, data + i * t.stride(dim) * t.element_size(), dim + 1));
  return list.release();
}
PyObject* tolist(PyObject* self, PyObject*) {
  if (PyObject * result; method_taken("tolist", self, result)) return result;
  return guarded([&] {
    Tensor t = tensor_of(self);
    check<NotImplementedError>(!t.is_meta(), "Cannot copy out of meta tensor; no data!");
    if (t.is_complex()) t = t.detach().resolve_conj().to(kComplexDouble);
    return nested(t, static_cast<const char*>(t.data_ptr()), 0);
  });
}
PyObject* copy_(PyObject* self, PyObject* args, PyObject* keywords) {
  if (PyObject * result; call_taken("copy_", self, args, keywords, result)) return result;
  static const char* names[] = {"other", "non_blocking", nullptr};
  PyObject* other = nullptr;
  int non_blocking = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|p:copy_", const_cast<char**>(names), &other, &non_blocking))
    return nullptr;
  return guarded([&] {
    const Tensor from = !is_tensor(other) && is_number(other) ? number_tensor(to_scalar(other, "other"))
                                                              : to_tensor(other, "copy_(): argument 'other'");
    {
      const WithoutGil without(from.numel() > kLargeForGil);
      tensor_of(self).copy_(from);
    }
    return Py_NewRef(self);
  });
}
PyObject* coalesced_(PyObject* self, PyObject* on) {
  return guarded([&] {
    tensor_of(self)._coalesced_(on == Py_True);
    return Py_NewRef(self);
  });
}
PyObject* sparse_resize_(PyObject* self, PyObject* args) {
  PyObject* size = nullptr;
  long long sparse_dim = 0, dense_dim = 0;
  int clear = 0;
  if (!PyArg_ParseTuple(args, "OLLp:sparse_resize_", &size, &sparse_dim, &dense_dim, &clear)) return nullptr;
  return guarded([&] {
    const Object items = Object::steal(checked(PySequence_Tuple(size)));
    std::vector<int64_t> sizes;
    for (Py_ssize_t d = 0; d < PyTuple_GET_SIZE(items.get()); ++d)
      sizes.push_back(PyLong_AsLongLong(PyTuple_GET_ITEM(items.get(), d)));
    if (PyErr_Occurred()) throw PythonError();
    const Tensor& t = tensor_of(self);
    if (clear) t.sparse_resize_and_clear_(sizes, sparse_dim, dense_dim);
    else t.sparse_resize_(sizes, sparse_dim, dense_dim);
    return Py_NewRef(self);
  });
}
PyObject* fill_(PyObject* self, PyObject* value) {
  if (PyObject * result; with_taken("fill_", self, value, result)) return result;
  return guarded([&] {
    if (is_tensor(value)) tensor_of(self).fill_(tensor_of(value));
    else tensor_of(self).fill_(to_scalar(value, "value"));
    return Py_NewRef(self);
  });
}
PyObject* fill_diagonal_(PyObject* self, PyObject* args, PyObject* keywords) {
  if (PyObject * result; call_taken("fill_diagonal_", self, args, keywords, result)) return result;
  static const char* names[] = {"fill_value", "wrap", nullptr};
  PyObject* value = nullptr;
  int wrap = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|p:fill_diagonal_", const_cast<char**>(names), &value, &wrap))
    return nullptr;
  return guarded([&] {
    tensor_of(self).fill_diagonal_(to_scalar(value, "fill_value"), wrap != 0);
    return Py_NewRef(self);
  });
}
PyObject* to_dtype_method(PyObject* self, PyObject* const* args, Py_ssize_t n) {
  if ((!is_plain(self) || is_watched()) && n >= 2) [[unlikely]] {
    PyObject* all[] = {self, args[0], args[1], n > 2 ? args[2] : Py_None};
    if (PyObject * result; method_watched("_to", all, 4, result)) return result;
  }
  return guarded([&] {
    check<TypeError>(n == 2 || n == 3, "_to(dtype, copy, meta)");
    const Tensor& t = tensor_of(self);
    const ScalarType type = args[0] == Py_None ? t.scalar_type() : to_dtype(args[0], "dtype");
    const bool meta = n == 3 && args[2] != Py_None ? args[2] == Py_True : t.is_meta();
    if (type == t.scalar_type() && args[1] != Py_True && meta == t.is_meta()) return Py_NewRef(self);
    const WithoutGil without(false);
    if (meta != t.is_meta()) return wrap(t.to(Device(meta ? kMeta : kCPU), type));
    return wrap(t.to(type, false, args[1] == Py_True));
  });
}
PyObject* resize_(PyObject* self, PyObject* sizes) {
  return guarded([&] {
    std::vector<int64_t> list;
    const Object items = Object::steal(checked(PySequence_Tuple(sizes)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.get()); ++i)
      list.push_back(to_int(PyTuple_GET_ITEM(items.get(), i), "size"));
    tensor_of(self).resize_(list);
    return Py_NewRef(self);
  });
}
/// size() and size(dim), stride(), contiguous(), is_contiguous(), clone() and to(dtype) of plain tensors.
bool shape_shortcut(PyObject* const* args, Py_ssize_t n, PyObject*& result) {
  const Tensor& t = tensor_of(args[0]);
  if (n == 1) {
    result = guarded([&] { return wrap_size(t.sizes()); });
    return true;
  }
  if (!PyLong_CheckExact(args[1])) return false;
  const long dim = PyLong_AsLong(args[1]);
  if (PyErr_Occurred()) PyErr_Clear();
  if (dim < -t.dim() || dim >= t.dim()) return false;
  result = PyLong_FromLongLong(t.size(dim));
  return true;
}
bool stride_shortcut(PyObject* const* args, Py_ssize_t n, PyObject*& result) {
  const Tensor& t = tensor_of(args[0]);
  if (t.layout() != kStrided) return false;
  if (n == 2) {
    if (!PyLong_CheckExact(args[1])) return false;
    const long dim = PyLong_AsLong(args[1]);
    if (PyErr_Occurred()) PyErr_Clear();
    if (dim < -t.dim() || dim >= t.dim()) return false;
    result = PyLong_FromLongLong(t.stride(dim));
    return true;
  }
  result = PyTuple_New(t.dim());
  for (int64_t d = 0; result && d < t.dim(); ++d) PyTuple_SET_ITEM(result, d, PyLong_FromLongLong(t.stride(d)));
  return true;
}
bool contiguous_shortcut(PyObject* const* args, Py_ssize_t n, PyObject*& result) {
  const Tensor& t = tensor_of(args[0]);
  if (n != 1 || t.layout() != kStrided || !t.is_contiguous()) return false;
  result = Py_NewRef(args[0]);
  return true;
}
bool is_contiguous_shortcut(PyObject* const* args, Py_ssize_t n, PyObject*& result) {
  const Tensor& t = tensor_of(args[0]);
  if (n != 1 || t.layout() != kStrided) return false;
  result = PyBool_FromLong(t.is_contiguous());
  return true;
}
bool clone_shortcut(PyObject* const* args, Py_ssize_t n, PyObject*& result) {
  if (n != 1) return false;
  result = do__clone(args[0], nullptr);
  return true;
}
bool to_shortcut(PyObject* const* args, Py_ssize_t n, PyObject*& result) {
  if (n != 2 || !is_dtype(args[1])) return false;
  PyObject* rest[] = {args[1], Py_False};
  result = to_dtype_method(args[0], rest, 2);
  return true;
}
PyObject* equal_method(PyObject* self, PyObject* other) {
  if (PyObject * result; with_taken("equal", self, other, result)) return result;
  return guarded([&] { return PyBool_FromLong(tensor_of(self).equal(to_tensor(other, "other"))); });
}
PyObject* make_subclass(PyObject*, PyObject* args) {
  PyObject *type = nullptr, *data = nullptr;
  int requires_grad = 0;
  if (!PyArg_ParseTuple(args, "O!O|p", &PyType_Type, &type, &data, &requires_grad)) return nullptr;
  return guarded([&] {
    check<TypeError>(PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type), tensor_type),
                     "_make_subclass: not a subclass of Tensor");
    const Tensor t = to_tensor(data, "data").detach();
    t.requires_grad_(requires_grad != 0);
    return wrap_as(reinterpret_cast<PyTypeObject*>(type), t);
  });
}

PyMethodDef methods[] = {
    {"sparse_dim", do_sparse_dim, METH_NOARGS, "How many dimensions have indices."},
    {"dense_dim", do_dense_dim, METH_NOARGS, "How many dimensions a value has."},
    {"_nnz", do__nnz, METH_NOARGS, "How many values a sparse tensor has."},
    {"is_coalesced", do_is_coalesced, METH_NOARGS, "Are they sorted, and no index there twice?"},
    {"_sparse_resize_", sparse_resize_, METH_VARARGS, "Another size, with or without the elements."},
    {"_coalesced_", coalesced_, METH_O, "Says that they are, or are not."},
    {"item", do_item, METH_NOARGS, "The value of a tensor with one element."},
    {"numel", do_numel, METH_NOARGS, "The number of elements."},
    {"nelement", do_numel, METH_NOARGS, "The number of elements."},
    {"dim", do_dim, METH_NOARGS, "The number of dimensions."},
    {"ndimension", do_dim, METH_NOARGS, "The number of dimensions."},
    {"storage_offset", do_storage_offset, METH_NOARGS, "Where in its memory the tensor starts, in elements."},
    {"data_ptr", do_data_ptr, METH_NOARGS, "The address of the first element."},
    {"element_size", do_element_size, METH_NOARGS, "Bytes of one element."},
    {"_is_contiguous", do__is_contiguous, METH_NOARGS, nullptr},
    {"is_floating_point", do_is_floating_point, METH_NOARGS, "Are the elements floats?"},
    {"is_complex", do_is_complex, METH_NOARGS, "Are the elements complex numbers?"},
    {"is_conj", do_is_conj, METH_NOARGS, "Is it a view of numbers whose conjugates it stands for?"},
    {"is_signed", do_is_signed, METH_NOARGS, "Can the elements be negative?"},
    {"is_inference", do_is_inference, METH_NOARGS, "Was it made in inference mode?"},
    {"_is_view", do__is_view, METH_NOARGS, nullptr},
    {"detach_", do_detach_, METH_NOARGS, "Cuts the tensor off its graph, in place."},
    {"zero_", do_zero_, METH_NOARGS, "Fills with zeros."},
    {"_contiguous", do__contiguous, METH_NOARGS, nullptr},
    {"_clone", do__clone, METH_NOARGS, nullptr},
    {"retain_grad", do_retain_grad, METH_NOARGS, "Keeps .grad of this tensor although it is no leaf."},
    {"_strides", do__strides, METH_NOARGS, nullptr},
    {"tolist", tolist, METH_NOARGS, "The elements as nested lists."},
    {"copy_", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(copy_)), METH_VARARGS | METH_KEYWORDS,
     "Copies the values of another tensor in."},
    {"fill_", fill_, METH_O, "Fills with one value."},
    {"fill_diagonal_", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(fill_diagonal_)),
     METH_VARARGS | METH_KEYWORDS, "Fills the main diagonal; with wrap also where it would go on below."},
    {"_to", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(to_dtype_method)), METH_FASTCALL, nullptr},
    {"_resize_", resize_, METH_O, nullptr},
    {"equal", equal_method, METH_O, "Do both have the same shape and elements?"},
    {"_make_subclass", make_subclass, METH_VARARGS | METH_STATIC, nullptr},
    {}};

#define SLOT(id, f) \
  { id, reinterpret_cast<void*>(f) }
PyType_Slot slots[] = {SLOT(Py_tp_dealloc, dealloc),
                       SLOT(Py_tp_traverse, traverse),
                       SLOT(Py_tp_clear, clear),
                       SLOT(Py_tp_repr, tensor_repr),
                       SLOT(Py_tp_hash, hash),
                       SLOT(Py_tp_richcompare, compare),
                       SLOT(Py_tp_iter, iterate),
                       SLOT(Py_tp_getset, getters),
                       SLOT(Py_tp_members, members),
                       SLOT(Py_tp_methods, methods),
                       SLOT(Py_mp_length, length),
                       SLOT(Py_mp_subscript, subscript),
                       SLOT(Py_mp_ass_subscript, assign_subscript),
                       SLOT(Py_nb_add, nb_add),
                       SLOT(Py_nb_subtract, nb_sub),
                       SLOT(Py_nb_multiply, nb_mul),
                       SLOT(Py_nb_true_divide, nb_div),
                       SLOT(Py_nb_floor_divide, nb_floor_divide),
                       SLOT(Py_nb_remainder, nb_remainder),
                       SLOT(Py_nb_power, nb_pow),
                       SLOT(Py_nb_matrix_multiply, nb_matmul),
                       SLOT(Py_nb_and, nb_bitwise_and),
                       SLOT(Py_nb_or, nb_bitwise_or),
                       SLOT(Py_nb_xor, nb_bitwise_xor),
                       SLOT(Py_nb_lshift, nb_bitwise_left_shift),
                       SLOT(Py_nb_rshift, nb_bitwise_right_shift),
                       SLOT(Py_nb_inplace_add, nb_in_place_add),
                       SLOT(Py_nb_inplace_subtract, nb_in_place_sub),
                       SLOT(Py_nb_inplace_multiply, nb_in_place_mul),
                       SLOT(Py_nb_inplace_true_divide, nb_in_place_div),
                       SLOT(Py_nb_inplace_floor_divide, nb_in_place_floor_divide),
                       SLOT(Py_nb_inplace_remainder, nb_in_place_remainder),
                       SLOT(Py_nb_inplace_and, nb_in_place_bitwise_and),
                       SLOT(Py_nb_inplace_or, nb_in_place_bitwise_or),
                       SLOT(Py_nb_inplace_xor, nb_in_place_bitwise_xor),
                       SLOT(Py_nb_inplace_lshift, nb_in_place_bitwise_left_shift),
                       SLOT(Py_nb_inplace_rshift, nb_in_place_bitwise_right_shift),
                       SLOT(Py_nb_inplace_power, nb_in_place_pow),
                       SLOT(Py_nb_negative, nb_negative),
                       SLOT(Py_nb_positive, nb_positive),
                       SLOT(Py_nb_absolute, nb_absolute),
                       SLOT(Py_nb_invert, nb_invert),
                       SLOT(Py_nb_bool, nb_bool),
                       SLOT(Py_nb_int, nb_int),
                       SLOT(Py_nb_float, nb_float),
                       SLOT(Py_nb_index, nb_index),
                       SLOT(Py_bf_getbuffer, get_buffer),
                       SLOT(Py_bf_releasebuffer, release_buffer),
                       {Py_tp_doc, const_cast<char*>("A multi-dimensional array that autograd can follow.")},
                       {0, nullptr}};
#undef SLOT

}  // namespace

Shortcut shortcut_of(std::string_view method) {
  static constexpr std::pair<std::string_view, Shortcut> all[] = {
      {"size", shape_shortcut},
      {"stride", stride_shortcut},
      {"contiguous", contiguous_shortcut},
      {"is_contiguous", is_contiguous_shortcut},
      {"clone", clone_shortcut},
      {"to", to_shortcut},
  };
  for (const auto& [name, shortcut] : all)
    if (name == method) return shortcut;
  return nullptr;
}

namespace {
PyObject* set_places(PyObject*, PyObject* arguments) {
  if (!PyArg_ParseTuple(arguments, "OOO!", &cpu_device, &meta_device, &PyTuple_Type, &layout_objects)) return nullptr;
  for (PyObject* o : {cpu_device, meta_device, layout_objects}) Py_INCREF(o);
  Py_RETURN_NONE;
}
PyMethodDef functions[] = {{"_set_places", set_places, METH_VARARGS, "What Tensor.device and Tensor.layout give."}, {}};
}  // namespace

void init_tensor(PyObject* module) {
  set_object_dropper(drop);
  PyType_Spec spec = {"torch.Tensor", sizeof(TensorObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  tensor_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)));
  checked(PyModule_AddObjectRef(module, "Tensor", reinterpret_cast<PyObject*>(tensor_type)));
  checked(PyModule_AddFunctions(module, functions));
}

}  // namespace taut::python
