// The levels of vmap for python/taut/func.
#include <algorithm>

#include "object.h"
#include "taut/func_levels.h"

namespace taut::python {
namespace {

/// Levels that Python has opened in this thread.
std::vector<func::Level>& levels() {
  static thread_local std::vector<func::Level> open;
  return open;
}
const func::Level& level_of(PyObject* number) {
  const int64_t id = to_int(number, "level");
  for (const func::Level& l : levels())
    if (l.id() == id) return l;
  throw Error(str("vmap: level ", id, " is not open"));
}

PyObject* open_level(PyObject*, PyObject* args) {
  return guarded([&] {
    Py_ssize_t size;
    const char* randomness;
    if (!PyArg_ParseTuple(args, "ns", &size, &randomness)) throw PythonError();
    levels().emplace_back(static_cast<int64_t>(size), func::randomness_named(randomness));
    return PyLong_FromLongLong(levels().back().id());
  });
}
PyObject* close_level(PyObject*, PyObject* number) {
  return guarded([&] {
    check(&level_of(number) == &levels().back(), "vmap: levels are closed in the reverse order");
    levels().pop_back();
    return Py_NewRef(Py_None);
  });
}
PyObject* enter(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *t, *level;
    Py_ssize_t dim;
    if (!PyArg_ParseTuple(args, "OnO", &t, &dim, &level)) throw PythonError();
    return wrap(func::enter(to_tensor(t, "x"), dim, level_of(level)));
  });
}
PyObject* leave(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *t, *level;
    Py_ssize_t dim;
    if (!PyArg_ParseTuple(args, "OnO", &t, &dim, &level)) throw PythonError();
    return wrap(func::leave(to_tensor(t, "y"), dim, level_of(level)));
  });
}
PyObject* varies(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *t, *level;
    if (!PyArg_ParseTuple(args, "OO", &t, &level)) throw PythonError();
    return PyBool_FromLong(func::varies(to_tensor(t, "t"), level_of(level)));
  });
}
PyObject* shared_tensor(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *t, *level;
    if (!PyArg_ParseTuple(args, "OO", &t, &level)) throw PythonError();
    return wrap(func::shared(to_tensor(t, "t"), level_of(level)));
  });
}
PyObject* lift(PyObject*, PyObject* t) {
  return guarded([&] {
    if (!func::any_level()) return Py_NewRef(t);
    const Tensor& given = to_tensor(t, "t");
    const Tensor lifted = func::lift(given);
    return lifted.impl() == given.impl() ? Py_NewRef(t) : wrap(lifted);
  });
}
PyObject* any_level(PyObject*, PyObject*) { return PyBool_FromLong(func::any_level()); }
PyObject* is_batched(PyObject*, PyObject* t) {
  return guarded([&] { return PyBool_FromLong(is_tensor(t) && func::is_batched(tensor_of(t))); });
}
PyObject* innermost(PyObject*, PyObject* tensors) {
  return guarded([&]() -> PyObject* {
    if (levels().empty()) return Py_NewRef(Py_None);
    std::vector<Tensor> given;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors); ++i)
      if (is_tensor(PyTuple_GET_ITEM(tensors, i))) given.push_back(tensor_of(PyTuple_GET_ITEM(tensors, i)));
    for (size_t l = levels().size(); l-- > 0;) {
      const func::Level& level = levels()[l];
      if (std::none_of(given.begin(), given.end(), [&](const Tensor& t) { return func::varies(t, level); })) continue;
      constexpr const char* names[] = {"error", "same", "different"};
      return Py_BuildValue("(LLs)", static_cast<long long>(level.id()), static_cast<long long>(level.size()),
                           names[static_cast<int>(level.randomness())]);
    }
    return Py_NewRef(Py_None);
  });
}
PyObject* without_rule(PyObject*, PyObject*) {
  return guarded([&] {
    const std::vector<std::string> names = func::ops_without_rule();
    const Object list = Object::steal(checked(PyList_New(0)));
    for (const std::string& name : names) {
      const Object text = Object::steal(checked(PyUnicode_FromString(name.c_str())));
      if (PyList_Append(list.get(), text.get()) < 0) throw PythonError();
    }
    return Py_NewRef(list.get());
  });
}

PyMethodDef functions[] = {
    {"_vmap_open", open_level, METH_VARARGS, "Opens a level: how many items, and what random ops do."},
    {"_vmap_close", close_level, METH_O, "Closes it."},
    {"_vmap_enter", enter, METH_VARARGS, "The items along a dimension, as one."},
    {"_vmap_leave", leave, METH_VARARGS, "All items, along a dimension."},
    {"_vmap_varies", varies, METH_VARARGS, "Does a tensor differ from item to item?"},
    {"_vmap_shared", shared_tensor, METH_VARARGS, "A tensor that does not, as it is outside."},
    {"_vmap_lift", lift, METH_O, "As one of many at every level that is open."},
    {"_vmap_any", any_level, METH_NOARGS, "Is a level open in this thread?"},
    {"_vmap_is_batched", is_batched, METH_O, "Is it an item of many?"},
    {"_vmap_innermost", innermost, METH_VARARGS, "The innermost level at which one of the tensors differs."},
    {"_vmap_without_rule", without_rule, METH_NOARGS, "The ops that ran for one item after the other so far."},
    {}};

}  // namespace

void init_func(PyObject* module) { checked(PyModule_AddFunctions(module, functions)); }

}  // namespace taut::python
