#include "overrides.h"

#include <string>
#include <vector>

#include "taut/alias.h"

namespace taut::python {

std::atomic<int> modes_on{0};
PyTypeObject* parameter_type = nullptr;

namespace {

PyObject *key_function = nullptr, *key_dispatch = nullptr;  // the names of the methods that are asked
PyObject* default_function = nullptr;   // Tensor's own __torch_function__, as it stands in the class
PyObject* disabled_function = nullptr;  // what says that a class takes over nothing
PyObject *default_dispatch = nullptr, *disabled_dispatch = nullptr;
PyObject* keeps_class[3] = {};       // getters whose result is as it is
PyObject* python_handler = nullptr;  // calls of functions that PyTorch has in Python

/// What a thread has said about it all.
struct State {
  bool subclasses = true, modes = true;
  std::vector<PyObject*> functions, dispatchers;  // modes, the innermost last
};
thread_local State state;

/// `type`'s attribute as it stands in the class or one of its bases, without binding it.
PyObject* raw(PyTypeObject* type, PyObject* name) { return _PyType_Lookup(type, name); }

bool is_overriding(PyObject* o) {
  if (is_plain(o)) return false;
  PyObject* found = raw(Py_TYPE(o), key_function);
  return found && found != disabled_function;
}
bool is_dispatching(PyObject* o) {
  if (is_plain(o) || !is_tensor(o)) return false;
  PyObject* found = raw(Py_TYPE(o), key_dispatch);
  return found && found != disabled_dispatch && found != default_dispatch && found != Py_None;
}

/// f(item) for an argument, or for what is in it.
template <class F>
bool any_of(PyObject* o, F f, int depth = 2) {
  if (!PyTuple_Check(o) && !PyList_Check(o)) return f(o);
  if (is_overriding(o)) return f(o);
  if (depth == 0) return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(o, i);
    if (!is_plain(item) && any_of(item, f, depth - 1)) return true;
  }
  return false;
}

/// The arguments to ask, each class once: a class before those it is derived from, otherwise in their order.
std::vector<PyObject*> those_to_ask(PyObject* const* args, Py_ssize_t n, bool (*counts)(PyObject*)) {
  std::vector<PyObject*> list;
  const auto add = [&](PyObject* o) {
    if (!counts(o)) return false;
    auto at = list.end();
    for (auto it = list.begin(); it != list.end(); ++it) {
      if (Py_TYPE(*it) == Py_TYPE(o)) return false;
      if (at == list.end() && PyType_IsSubtype(Py_TYPE(o), Py_TYPE(*it))) at = it;
    }
    list.insert(at, o);
    return false;
  };
  for (Py_ssize_t i = 0; i < n; ++i) any_of(args[i], add);
  return list;
}

/// Within it the innermost mode is off: what it calls is seen by the others alone.
class WithoutInnermost {
 public:
  explicit WithoutInnermost(std::vector<PyObject*>& modes) : modes_(modes), mode_(Object::steal(modes.back())) {
    modes_.pop_back();
    --modes_on;
  }
  ~WithoutInnermost() {
    modes_.push_back(mode_.release());
    ++modes_on;
  }
  WithoutInnermost(const WithoutInnermost&) = delete;
  PyObject* mode() const { return mode_.get(); }

 private:
  std::vector<PyObject*>& modes_;
  Object mode_;
};
class WithoutSubclasses {
 public:
  WithoutSubclasses() : before_(std::exchange(state.subclasses, false)) {}
  ~WithoutSubclasses() { state.subclasses = before_; }
  WithoutSubclasses(const WithoutSubclasses&) = delete;

 private:
  bool before_;
};

Object types_of(const std::vector<PyObject*>& list) {
  Object types = Object::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(list.size()))));
  for (size_t i = 0; i < list.size(); ++i)
    PyTuple_SET_ITEM(types.get(), static_cast<Py_ssize_t>(i), Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(list[i]))));
  return types;
}
Object tuple_of(PyObject* const* args, Py_ssize_t n) {
  Object tuple = Object::steal(checked(PyTuple_New(n)));
  for (Py_ssize_t i = 0; i < n; ++i) PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(args[i]));
  return tuple;
}
/// The named arguments of a vectorcall as a dict; nothing when there are none.
Object dict_of(PyObject* const* values, PyObject* keywords) {
  if (!keywords || PyTuple_GET_SIZE(keywords) == 0) return {};
  Object dict = Object::steal(checked(PyDict_New()));
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(keywords); ++k)
    checked(PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(keywords, k), values[k]));
  return dict;
}

bool keeps_its_class(PyObject* function) {
  for (PyObject* f : keeps_class)
    if (f && f != Py_None && Py_IS_TYPE(function, Py_TYPE(f)) && PyObject_RichCompareBool(function, f, Py_EQ) == 1)
      return true;
  return false;
}

/// What Tensor itself says when it is asked: the function as it is, its results in the class that was asked.
PyObject* by_default(PyObject* cls, PyObject* function, PyObject* types, PyObject* args, PyObject* keywords) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(types); ++i) {
    const int derived = PyObject_IsSubclass(cls, PyTuple_GET_ITEM(types, i));
    checked(derived);
    if (!derived) Py_RETURN_NOTIMPLEMENTED;
  }
  PyObject* result = nullptr;
  {
    const WithoutSubclasses scope;
    result = checked(PyObject_Call(function, args, keywords));
  }
  if (keeps_its_class(function)) return result;
  return as_class(reinterpret_cast<PyTypeObject*>(cls), result);
}

PyObject* ask(PyObject* who, PyObject* how, PyObject* function, PyObject* types, PyObject* args, PyObject* keywords) {
  if (how == key_function && raw(Py_TYPE(who), how) == default_function)
    return by_default(reinterpret_cast<PyObject*>(Py_TYPE(who)), function, types, args, keywords);
  const Object method = Object::steal(checked(PyObject_GetAttr(who, how)));
  if (how == key_function && PyMethod_Check(method.get()) && PyMethod_GET_SELF(method.get()) == who)
    checked(PyErr_WarnEx(PyExc_UserWarning,
                         "Defining your `__torch_function__` as a plain method is deprecated and will be an error in "
                         "future, please define it as a classmethod.",
                         1));
  return checked(PyObject_CallFunctionObjArgs(method.get(), function, types, args, keywords, nullptr));
}
PyObject* ask_mode(PyObject* mode, PyObject* how, PyObject* function, PyObject* types, PyObject* args,
                   PyObject* keywords) {
  const Object method = Object::steal(checked(PyObject_GetAttr(mode, how)));
  return checked(PyObject_CallFunctionObjArgs(method.get(), function, types, args, keywords, nullptr));
}

std::string full_name(const Callee& callee, PyObject* function) {
  if (!callee.object) return str("torch.Tensor.", callee.name, callee.accessor ? str(".", callee.accessor) : "");
  const Object resolver = Object::steal(checked(PyImport_ImportModule("taut.overrides")));
  const Object name = Object::steal(checked(PyObject_CallMethod(resolver.get(), "resolve_name", "O", function)));
  if (name.get() != Py_None) return text_of(name.get());
  const Object own = Object::steal(checked(PyObject_GetAttrString(function, "__name__")));
  return "torch." + text_of(own.get());
}

[[noreturn]] void throw_nobody(const Callee& callee, PyObject* function, const std::vector<PyObject*>& asked,
                               const char* method, PyObject* mode) {
  std::string text = str("Multiple dispatch failed for '", full_name(callee, function), "'; all ", method,
                         " handlers returned NotImplemented:\n\n");
  const auto shown = [](PyObject* o) {
    const Object repr = Object::steal(checked(PyObject_Repr(o)));
    return text_of(repr.get());
  };
  if (mode) text += "  - mode object " + shown(mode) + "\n";
  for (PyObject* o : asked)
    text += (is_tensor(o) ? "  - tensor subclass " : "  - ") + shown(reinterpret_cast<PyObject*>(Py_TYPE(o))) + "\n";
  throw TypeError(text + "\nFor more information, try re-running with TORCH_LOGS=not_implemented");
}

}  // namespace

bool takes_over(PyObject* o) {
  return any_of(o, [](PyObject* x) { return (state.subclasses && is_overriding(x)) || is_dispatching(x); });
}

Object Callee::get() const {
  if (object) return Object::borrow(object);
  Object found = Object::steal(checked(PyObject_GetAttrString(reinterpret_cast<PyObject*>(tensor_type), name)));
  return accessor ? Object::steal(checked(PyObject_GetAttrString(found.get(), accessor))) : found;
}

bool take_over(const Callee& callee, PyObject* const* args, Py_ssize_t n, PyObject* keywords, PyObject*& result,
               bool modes_alone) {
  const bool by_mode = state.modes && !state.functions.empty();
  std::vector<PyObject*> asked;
  if (state.subclasses && !modes_alone)
    asked = those_to_ask(args, n + (keywords ? PyTuple_GET_SIZE(keywords) : 0), is_overriding);
  if (!by_mode && asked.empty()) return false;
  result = guarded([&]() -> PyObject* {
    // Who reads a property tells a mode what class it is of, whether or not that is to be asked.
    const bool plain_too = callee.accessor && asked.empty();
    const Object function = callee.get(), types = types_of(plain_too ? std::vector{args[0]} : asked),
                 positional = tuple_of(args, n), named = dict_of(args + n, keywords);
    PyObject* mode = nullptr;
    if (by_mode) {
      const WithoutInnermost scope(state.functions);
      mode = scope.mode();
      PyObject* answer = ask_mode(mode, key_function, function.get(), types.get(), positional.get(), named.get());
      if (answer != Py_NotImplemented) return answer;
      Py_DECREF(answer);
    }
    for (PyObject* o : asked) {
      PyObject* answer = ask(o, key_function, function.get(), types.get(), positional.get(), named.get());
      if (answer != Py_NotImplemented) return answer;
      Py_DECREF(answer);
    }
    throw_nobody(callee, function.get(), asked, "__torch_function__", mode);
  });
  return true;
}

bool method_watched(const char* name, PyObject* const* args, Py_ssize_t n, PyObject*& result) {
  if (!is_dispatched(args, n)) return false;
  result = guarded([&] {
    const Object module = Object::steal(checked(PyImport_ImportModule("taut._ops")));
    const Object all = tuple_of(args, n);
    return checked(PyObject_CallMethod(module.get(), "_watched_method", "sO", name, all.get()));
  });
  if (result != Py_NotImplemented) return true;
  Py_CLEAR(result);
  return false;
}
bool is_dispatched(PyObject* const* args, Py_ssize_t n) {
  if (!state.dispatchers.empty()) return true;
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!is_plain(args[i]) && any_of(args[i], is_dispatching)) return true;
  return false;
}

/// Asks the innermost mode that watches ops, then the arguments.
PyObject* dispatch_to_watchers(PyObject* op, PyObject* args, PyObject* keywords) {
  const std::vector<PyObject*> asked = those_to_ask(&PyTuple_GET_ITEM(args, 0), PyTuple_GET_SIZE(args), is_dispatching);
  const Object types = types_of(asked);
  PyObject* mode = nullptr;
  if (!state.dispatchers.empty()) {
    const WithoutInnermost scope(state.dispatchers);
    mode = scope.mode();
    PyObject* answer = ask_mode(mode, key_dispatch, op, types.get(), args, keywords);
    if (answer != Py_NotImplemented) return answer;
    Py_DECREF(answer);
  }
  for (PyObject* o : asked) {
    PyObject* answer = ask(o, key_dispatch, op, types.get(), args, keywords);
    if (answer != Py_NotImplemented) return answer;
    Py_DECREF(answer);
  }
  throw_nobody({nullptr, nullptr, op}, op, asked, "__torch_dispatch__", mode);
}

PyObject* as_class(PyTypeObject* type, PyObject* owned_result) {
  Object result = Object::steal(owned_result);
  if (type == tensor_type) return result.release();
  PyObject* o = result.get();
  if (is_tensor(o)) {
    if (PyType_IsSubtype(Py_TYPE(o), type)) return result.release();
    auto* t = reinterpret_cast<TensorObject*>(o);
    // Nobody else has seen what an op has just made, so it may simply become one of the class.
    const bool fresh = Py_REFCNT(o) == 1 && Py_IS_TYPE(o, tensor_type) && !t->dict && !t->weak_references;
    if (fresh && !t->tensor.requires_grad() && type->tp_basicsize == tensor_type->tp_basicsize) {
      Py_INCREF(type);
      Py_SET_TYPE(o, type);
      Py_DECREF(tensor_type);
      return result.release();
    }
    return wrap_as(type, alias_of(t->tensor));
  }
  if (!PyTuple_Check(o) && !PyList_Check(o)) return result.release();
  Object items = Object::steal(checked(PyList_New(0)));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); ++i) {
    // The list must not hold an item while that is looked at: it would not be fresh then.
    const Object item = Object::steal(as_class(type, Py_NewRef(PySequence_Fast_GET_ITEM(o, i))));
    checked(PyList_Append(items.get(), item.get()));
  }
  return checked(PyObject_CallOneArg(reinterpret_cast<PyObject*>(Py_TYPE(o)), items.get()));
}

namespace {

// Functions written in Python that others may take over.

/// A function of Python that asks first. `style` says what those who are asked see.
struct OverridableObject {
  PyObject_HEAD vectorcallfunc call;
  Shortcut shortcut;  // or null
  PyObject *function, *dict, *weak_references;
  enum Style : int {
    AsCalled,    // the arguments as they were given
    AsInPython,  // what must be given by position, all else by name: a function that PyTorch has in Python
    ModesAlone,  // as they were given, and arguments are not asked
    AllByName,   // as AsInPython, but nothing by position
  } style;
};
PyTypeObject* overridable_type = nullptr;
OverridableObject* overridable(PyObject* o) { return reinterpret_cast<OverridableObject*>(o); }

PyObject* call_overridable(PyObject* self, PyObject* const* args, size_t flags, PyObject* keywords) {
  OverridableObject* o = overridable(self);
  const Py_ssize_t n = PyVectorcall_NARGS(flags), all = n + (keywords ? PyTuple_GET_SIZE(keywords) : 0);
  if (is_taken(args, o->style == OverridableObject::ModesAlone ? 0 : all)) {
    PyObject* result = nullptr;
    if (o->style == OverridableObject::AsInPython || o->style == OverridableObject::AllByName) {
      const bool by_mode = state.modes && !state.functions.empty();
      bool asked = by_mode;
      for (Py_ssize_t i = 0; i < all && !asked && state.subclasses; ++i) asked = any_of(args[i], is_overriding);
      if (asked)
        return guarded([&] {
          const Object positional = tuple_of(args, n), named = dict_of(args + n, keywords);
          return checked(PyObject_CallFunctionObjArgs(python_handler, self, positional.get(),
                                                      named ? named.get() : Py_None, nullptr));
        });
    } else if (take_over({nullptr, nullptr, self}, args, n, keywords, result,
                         o->style == OverridableObject::ModesAlone)) {
      return result;
    }
  }
  if (o->shortcut && !keywords && n <= 2) {
    PyObject* result = nullptr;
    if (o->shortcut(args, n, result)) return result;
  }
  return PyObject_Vectorcall(o->function, args, flags, keywords);
}

int overridable_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(overridable(self)->function);
  Py_VISIT(overridable(self)->dict);
  Py_VISIT(Py_TYPE(self));
  return 0;
}
int overridable_clear(PyObject* self) {
  Py_CLEAR(overridable(self)->function);
  Py_CLEAR(overridable(self)->dict);
  return 0;
}
void overridable_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (overridable(self)->weak_references) PyObject_ClearWeakRefs(self);
  overridable_clear(self);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}
PyObject* overridable_bind(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}
PyObject* overridable_repr(PyObject* self) { return PyObject_Repr(overridable(self)->function); }
/// All that it does not say itself is what the function says: its name, its code, its defaults.
PyObject* overridable_attribute(PyObject* self, PyObject* name) {
  PyObject* found = PyObject_GenericGetAttr(self, name);
  if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  PyErr_Clear();
  return PyObject_GetAttr(overridable(self)->function, name);
}
PyObject* overridable_class(PyObject* self, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(overridable(self)->function)));
}
PyObject* overridable_text(PyObject* self, void* name) {
  return PyObject_GetAttrString(overridable(self)->function, static_cast<const char*>(name));
}
int set_overridable_text(PyObject* self, PyObject* value, void* name) {
  return PyObject_SetAttrString(overridable(self)->function, static_cast<const char*>(name), value);
}
PyObject* overridable_reduce(PyObject* self, PyObject*) {
  return PyObject_GetAttrString(overridable(self)->function, "__qualname__");
}

PyObject* make_overridable(PyObject*, PyObject* arguments) {
  PyObject* function = nullptr;
  int style = 0;
  const char* name = "";
  if (!PyArg_ParseTuple(arguments, "O|is", &function, &style, &name)) return nullptr;
  auto* o = reinterpret_cast<OverridableObject*>(overridable_type->tp_alloc(overridable_type, 0));
  if (!o) return nullptr;
  o->call = call_overridable;
  o->shortcut = shortcut_of(name);
  o->function = Py_NewRef(function);
  o->style = static_cast<OverridableObject::Style>(style);
  return reinterpret_cast<PyObject*>(o);
}

PyTypeObject* make_overridable_type() {
  static char name[] = "__name__", qualified[] = "__qualname__", module[] = "__module__", doc[] = "__doc__";
  static PyGetSetDef getters[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
                                  {"__class__", overridable_class, nullptr, nullptr, nullptr},
                                  {name, overridable_text, set_overridable_text, nullptr, name},
                                  {qualified, overridable_text, set_overridable_text, nullptr, qualified},
                                  {module, overridable_text, set_overridable_text, nullptr, module},
                                  {doc, overridable_text, set_overridable_text, nullptr, doc},
                                  {}};
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(OverridableObject, call), READONLY, nullptr},
      {"__dictoffset__", T_PYSSIZET, offsetof(OverridableObject, dict), READONLY, nullptr},
      {"__weaklistoffset__", T_PYSSIZET, offsetof(OverridableObject, weak_references), READONLY, nullptr},
      {"__wrapped__", T_OBJECT, offsetof(OverridableObject, function), READONLY, nullptr},
      {"_style", T_INT, offsetof(OverridableObject, style), READONLY, nullptr},
      {}};
  static PyMethodDef methods[] = {{"__reduce__", overridable_reduce, METH_NOARGS, nullptr}, {}};
  PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(overridable_bind)},
                         {Py_tp_repr, reinterpret_cast<void*>(overridable_repr)},
                         {Py_tp_getattro, reinterpret_cast<void*>(overridable_attribute)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(overridable_dealloc)},
                         {Py_tp_traverse, reinterpret_cast<void*>(overridable_traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(overridable_clear)},
                         {Py_tp_getset, getters},
                         {Py_tp_members, members},
                         {Py_tp_methods, methods},
                         {0, nullptr}};
  PyType_Spec spec = {"taut._C.Overridable", sizeof(OverridableObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                          Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  return reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)));
}

// What the Python package sets and asks.

PyObject* set_parameter_class(PyObject*, PyObject* type) {
  parameter_type = reinterpret_cast<PyTypeObject*>(Py_NewRef(type));
  Py_RETURN_NONE;
}
/// _set_override_defaults(handler, getters...): after Tensor has all its attributes.
PyObject* set_defaults(PyObject*, PyObject* arguments) {
  PyObject* getters[3] = {};
  PyObject* handler = nullptr;
  if (!PyArg_ParseTuple(arguments, "OOOO", &handler, getters, getters + 1, getters + 2)) return nullptr;
  python_handler = Py_NewRef(handler);
  for (int i = 0; i < 3; ++i) keeps_class[i] = Py_NewRef(getters[i]);
  Py_RETURN_NONE;
}

PyObject* tensor_function(PyObject* cls, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"func", "types", "args", "kwargs", nullptr};
  PyObject *function, *types, *args = nullptr, *named = nullptr;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|OO:__torch_function__", const_cast<char**>(names),
                                   &function, &types, &args, &named))
    return nullptr;
  return guarded([&] {
    const Object type_tuple = Object::steal(checked(PySequence_Tuple(types)));
    const Object positional = Object::steal(args ? checked(PySequence_Tuple(args)) : checked(PyTuple_New(0)));
    return by_default(cls, function, type_tuple.get(), positional.get(), named == Py_None ? nullptr : named);
  });
}
PyObject* no_function(PyObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"func", "types", "args", "kwargs", nullptr};
  PyObject *function, *types, *args = nullptr, *named = nullptr;
  // It is called with or without the class before these.
  const Py_ssize_t n = PyTuple_GET_SIZE(arguments);
  Object shifted = Object::borrow(arguments);
  if (n > 2 && PyTuple_Check(PyTuple_GET_ITEM(arguments, 2)) && !PyTuple_Check(PyTuple_GET_ITEM(arguments, 1)))
    shifted = Object::steal(PyTuple_GetSlice(arguments, 1, n));
  if (!PyArg_ParseTupleAndKeywords(shifted.get(), keywords, "OO|OO", const_cast<char**>(names), &function, &types,
                                   &args, &named))
    return nullptr;
  return guarded([&] {
    const Object positional = Object::steal(args ? checked(PySequence_Tuple(args)) : checked(PyTuple_New(0)));
    const WithoutSubclasses scope;
    return checked(PyObject_Call(function, positional.get(), named == Py_None ? nullptr : named));
  });
}

PyObject* has_function(PyObject*, PyObject* const* args, Py_ssize_t n) {
  const bool by_mode = state.modes && !state.functions.empty();
  bool found = by_mode;
  for (Py_ssize_t i = 0; i < n && !found; ++i) found = state.subclasses && is_overriding(args[i]);
  return PyBool_FromLong(found);
}
PyObject* has_function_in(PyObject*, PyObject* list) {
  return guarded([&] {
    const Object items = Object::steal(checked(PySequence_Tuple(list)));
    return has_function(nullptr, &PyTuple_GET_ITEM(items.get(), 0), PyTuple_GET_SIZE(items.get()));
  });
}
PyObject* has_function_of(PyObject*, PyObject* o) { return has_function(nullptr, &o, 1); }
/// _set_overriding(subclasses, modes): both as they were before.
PyObject* set_overriding(PyObject*, PyObject* arguments) {
  int subclasses = 1, modes = 1;
  if (!PyArg_ParseTuple(arguments, "pp", &subclasses, &modes)) return nullptr;
  const bool a = std::exchange(state.subclasses, subclasses != 0), b = std::exchange(state.modes, modes != 0);
  return Py_BuildValue("(NN)", PyBool_FromLong(a), PyBool_FromLong(b));
}
PyObject* get_overriding(PyObject*, PyObject*) {
  return Py_BuildValue("(NN)", PyBool_FromLong(state.subclasses), PyBool_FromLong(state.modes));
}

PyObject* push(std::vector<PyObject*>& modes, PyObject* mode) {
  modes.push_back(Py_NewRef(mode));
  ++modes_on;
  Py_RETURN_NONE;
}
PyObject* pop(std::vector<PyObject*>& modes) {
  if (modes.empty()) {
    PyErr_SetString(PyExc_RuntimeError, "there is no mode to leave");
    return nullptr;
  }
  PyObject* mode = modes.back();
  modes.pop_back();
  --modes_on;
  return mode;
}
PyObject* at(const std::vector<PyObject*>& modes, PyObject* place) {
  const Py_ssize_t i = PyNumber_AsSsize_t(place, PyExc_IndexError);
  if (i == -1 && PyErr_Occurred()) return nullptr;
  if (i < 0 || static_cast<size_t>(i) >= modes.size()) {
    PyErr_SetString(PyExc_IndexError, "there are fewer modes");
    return nullptr;
  }
  return Py_NewRef(modes[static_cast<size_t>(i)]);
}
PyObject* push_function(PyObject*, PyObject* mode) { return push(state.functions, mode); }
PyObject* pop_function(PyObject*, PyObject*) { return pop(state.functions); }
PyObject* function_at(PyObject*, PyObject* i) { return at(state.functions, i); }
PyObject* function_count(PyObject*, PyObject*) { return PyLong_FromSize_t(state.functions.size()); }
PyObject* push_dispatch(PyObject*, PyObject* mode) { return push(state.dispatchers, mode); }
PyObject* pop_dispatch(PyObject*, PyObject*) { return pop(state.dispatchers); }
PyObject* dispatch_at(PyObject*, PyObject* i) { return at(state.dispatchers, i); }
PyObject* dispatch_count(PyObject*, PyObject*) { return PyLong_FromSize_t(state.dispatchers.size()); }

/// _as_subclass(tensor, class): the same tensor, with its history, as one of the class.
PyObject* as_subclass(PyObject*, PyObject* arguments) {
  PyObject *o = nullptr, *type = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO!", &o, &PyType_Type, &type)) return nullptr;
  return guarded([&] {
    auto* cls = reinterpret_cast<PyTypeObject*>(type);
    check<TypeError>(PyType_IsSubtype(cls, tensor_type), "cls must be a type (got ", cls->tp_name, ")");
    return wrap_as(cls, alias_of(to_tensor(o, "self")));
  });
}

/// _dispatch(op, args, keywords)
PyObject* dispatch(PyObject*, PyObject* arguments) {
  PyObject *op, *args, *named;
  if (!PyArg_ParseTuple(arguments, "OO!O", &op, &PyTuple_Type, &args, &named)) return nullptr;
  return guarded([&] { return dispatch_to_watchers(op, args, named); });
}
PyObject* is_dispatched_call(PyObject*, PyObject* const* args, Py_ssize_t n) {
  return PyBool_FromLong(is_dispatched(args, n));
}

PyCFunction fast(PyObject* (*f)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}
PyCFunction named(PyObject* (*f)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}
PyMethodDef functions[] = {
    {"_overridable", make_overridable, METH_VARARGS, "A function that objects with __torch_function__ may take over."},
    {"_set_parameter_class", set_parameter_class, METH_O, nullptr},
    {"_set_override_defaults", set_defaults, METH_VARARGS, nullptr},
    {"_disabled_torch_function_impl", named(no_function), METH_VARARGS | METH_KEYWORDS,
     "Calls the function without asking subclasses."},
    {"_disabled_torch_dispatch_impl", named(no_function), METH_VARARGS | METH_KEYWORDS, "Calls the op as it is."},
    {"_has_torch_function", has_function_in, METH_O, "Is one of these to be asked?"},
    {"_has_torch_function_unary", has_function_of, METH_O, "Is this to be asked?"},
    {"_has_torch_function_variadic", fast(has_function), METH_FASTCALL, "Is one of the arguments to be asked?"},
    {"_set_overriding", set_overriding, METH_VARARGS, nullptr},
    {"_overriding", get_overriding, METH_NOARGS, nullptr},
    {"_push_on_torch_function_stack", push_function, METH_O, nullptr},
    {"_pop_torch_function_stack", pop_function, METH_NOARGS, nullptr},
    {"_get_function_stack_at", function_at, METH_O, nullptr},
    {"_len_torch_function_stack", function_count, METH_NOARGS, nullptr},
    {"_push_on_torch_dispatch_stack", push_dispatch, METH_O, nullptr},
    {"_pop_torch_dispatch_stack", pop_dispatch, METH_NOARGS, nullptr},
    {"_get_dispatch_stack_at", dispatch_at, METH_O, nullptr},
    {"_len_torch_dispatch_stack", dispatch_count, METH_NOARGS, nullptr},
    {"_as_subclass", as_subclass, METH_VARARGS, nullptr},
    {"_dispatch", dispatch, METH_VARARGS, nullptr},
    {"_is_dispatched", fast(is_dispatched_call), METH_FASTCALL, nullptr},
    {}};

}  // namespace

void init_overrides(PyObject* module) {
  key_function = checked(PyUnicode_InternFromString("__torch_function__"));
  key_dispatch = checked(PyUnicode_InternFromString("__torch_dispatch__"));
  static PyMethodDef own = {"__torch_function__", named(tensor_function), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
                            "Calls a function of Taut for a subclass: its results become instances of that."};
  const Object method = Object::steal(checked(PyDescr_NewClassMethod(tensor_type, &own)));
  checked(PyObject_SetAttrString(reinterpret_cast<PyObject*>(tensor_type), "__torch_function__", method.get()));
  default_function = raw(tensor_type, key_function);
  overridable_type = make_overridable_type();
  checked(PyModule_AddFunctions(module, functions));
  disabled_function = checked(PyObject_GetAttrString(module, "_disabled_torch_function_impl"));
  disabled_dispatch = checked(PyObject_GetAttrString(module, "_disabled_torch_dispatch_impl"));
  checked(PyObject_SetAttrString(reinterpret_cast<PyObject*>(tensor_type), "__torch_dispatch__", disabled_dispatch));
  default_dispatch = disabled_dispatch;
}

}  // namespace taut::python
