// Who takes over a call of one of Taut's functions: objects whose class has __torch_function__, and modes.
#pragma once
#include <atomic>
#include <string_view>

#include "object.h"

namespace taut::python {

/// How many modes are on in all threads together. While there is none, only the classes of arguments count.
extern std::atomic<int> modes_on;
inline bool is_watched() { return modes_on.load(std::memory_order_relaxed) != 0; }
/// Parameter, which never takes over a call; set by the Python package.
extern PyTypeObject* parameter_type;

/// Is it of a class of which it is known without a look that it takes over nothing?
inline bool is_plain(PyObject* o) {
  const PyTypeObject* t = Py_TYPE(o);
  return t == tensor_type || t == parameter_type || t == &PyLong_Type || t == &PyFloat_Type || t == &PyBool_Type ||
         o == Py_None;
}
bool takes_over(PyObject* o);  // looks into tuples and lists
inline bool is_taken(PyObject* const* args, Py_ssize_t n) {
  if (is_watched()) return true;
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!is_plain(args[i]) && takes_over(args[i])) return true;
  return false;
}

/// The function that was called, in the way in which those who take a call over are told of it.
struct Callee {
  const char* name = nullptr;      // of an attribute of Tensor
  const char* accessor = nullptr;  // of a property: __get__, __set__, __delete__
  PyObject* object = nullptr;      // or the function itself
  Object get() const;
};
/// Asks the innermost mode, then the arguments. False if there is nobody to ask; otherwise `result` is what was
/// returned, null with an exception set.
bool take_over(const Callee& callee, PyObject* const* args, Py_ssize_t n, PyObject* keywords, PyObject*& result,
               bool modes_alone = false);

/// What the call of an op is to a mode that watches ops, below autograd's functions: __torch_dispatch__.
bool is_dispatched(PyObject* const* args, Py_ssize_t n);
/// Of a method that is no op: has a watcher seen ops in its place?
bool method_watched(const char* name, PyObject* const* args, Py_ssize_t n, PyObject*& result);
PyObject* dispatch_to_watchers(PyObject* op, PyObject* args, PyObject* keywords);
/// The most common calls of a method that is written in Python, without it: `args` begins with self. False where the
/// call is another one.
using Shortcut = bool (*)(PyObject* const* args, Py_ssize_t n, PyObject*& result);
Shortcut shortcut_of(std::string_view method);  // null for most
/// The result for a tensor of class `type`: tensors in it become instances of that class.
PyObject* as_class(PyTypeObject* type, PyObject* owned_result);

}  // namespace taut::python
