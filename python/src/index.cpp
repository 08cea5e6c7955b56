// x[...] and x[...] = y, with everything that may stand between the brackets.
#include "overrides.h"

#include "taut/indexing.h"

namespace taut::python {
namespace {

using indexing::Slice;
using indexing::TensorIndex;

std::optional<int64_t> bound(PyObject* o) {
  if (o == Py_None) return std::nullopt;
  return to_int(o, "slice indices");
}

/// A list of numbers: bools are a mask, all else becomes int64.
Tensor from_sequence(PyObject* o) {
  const Tensor t = tensor_from(o, std::nullopt);
  return t.scalar_type() == kBool ? t : t.to(kLong);
}

TensorIndex one(PyObject* o) {
  if (PyLong_CheckExact(o)) return to_int(o, "an index");
  if (PySlice_Check(o)) {
    auto* s = reinterpret_cast<PySliceObject*>(o);
    return Slice(bound(s->start), bound(s->stop), bound(s->step));
  }
  if (o == Py_None) return std::nullopt;
  if (o == Py_Ellipsis) return indexing::Ellipsis;
  if (PyBool_Check(o)) return o == Py_True;
  if (is_tensor(o)) return tensor_of(o);
  if (PyUnicode_Check(o)) throw TypeError("new(): invalid data type 'str'");
  if (has_buffer(o)) return from_buffer(o);  // an array, or a number of numpy's
  if (PySequence_Check(o)) return from_sequence(o);
  if (PyIndex_Check(o)) return to_int(o, "an index");
  throw IndexError(
      str("only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got ",
          type_name(o), ")"));
}

constexpr Py_ssize_t kLongSequence = 32;  // as in numpy

/// A short sequence such as [0, slice(1, 2)] or [[0, 1], [1, 2]] means the same as a tuple, as in numpy of old; one of
/// numbers is an index tensor.
bool counts_as_tuple(PyObject* key) {
  if (PyTuple_Check(key)) return true;
  if (is_tensor(key) || PyUnicode_Check(key) || has_buffer(key) || !PySequence_Check(key)) return false;
  const Py_ssize_t n = PySequence_Size(key);
  for (Py_ssize_t i = 0; i < n && n < kLongSequence; ++i) {
    const Object o = Object::steal(PySequence_GetItem(key, i));
    if (!o) break;
    if (is_tensor(o.get()) || PySequence_Check(o.get()) || PySlice_Check(o.get()) || o.get() == Py_None ||
        o.get() == Py_Ellipsis)
      return true;
  }
  PyErr_Clear();
  return false;
}

std::vector<TensorIndex> all(PyObject* key) {
  std::vector<TensorIndex> list;
  if (!counts_as_tuple(key)) {
    list.push_back(one(key));
    return list;
  }
  const Object items = Object::steal(checked(PySequence_Tuple(key)));
  const Py_ssize_t n = PyTuple_GET_SIZE(items.get());
  list.reserve(static_cast<size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i) list.push_back(one(PyTuple_GET_ITEM(items.get(), i)));
  return list;
}

}  // namespace

PyObject* subscript(PyObject* self, PyObject* key) {
  if (!is_plain(self) || !is_plain(key) || is_watched()) [[unlikely]] {
    PyObject* both[] = {self, key};
    if (PyObject * result; is_taken(both, 2) && (take_over({"__getitem__"}, both, 2, nullptr, result) ||
                                                 method_watched("__getitem__", both, 2, result)))
      return result;
  }
  return guarded([&] {
    const Tensor& t = tensor_of(self);
    if (PyLong_CheckExact(key)) return wrap(t[to_int(key, "an index")]);
    return wrap(t.index(all(key)));
  });
}

PyObject* index_put_in_place(PyObject*, PyObject* arguments) {
  PyObject *self, *key, *values;
  int accumulate = 0;
  if (!PyArg_ParseTuple(arguments, "OO!Op", &self, &PyTuple_Type, &key, &values, &accumulate)) return nullptr;
  return guarded([&] {
    to_tensor(self, "self").index_put_(all(key), to_tensor(values, "values"), accumulate != 0);
    return Py_NewRef(self);
  });
}

int assign_subscript(PyObject* self, PyObject* key, PyObject* value) {
  if (value) {
    PyObject* all[] = {self, key, value};
    if (PyObject * result; is_taken(all, 3) && (take_over({"__setitem__"}, all, 3, nullptr, result) ||
                                                method_watched("__setitem__", all, 3, result))) {
      Py_XDECREF(result);
      return result ? 0 : -1;
    }
  }
  return guarded(-1, [&] {
    check<TypeError>(value != nullptr, "Tensor does not support deleting items");
    const Tensor& t = tensor_of(self);
    const std::vector<TensorIndex> indices = all(key);
    check<TypeError>(t.layout() == kStrided, "Cannot assign to a sparse tensor");
    if (is_tensor(value)) t.index_put_(indices, tensor_of(value));
    else if (is_number(value)) t.index_put_(indices, to_scalar(value, "value"));
    else t.index_put_(indices, tensor_from(value, t.scalar_type()));
    return 0;
  });
}

}  // namespace taut::python
