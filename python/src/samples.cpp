// Orders of samples and batches of rows, for the samplers and loaders of Python.
#include "caster.h"

#include "taut/data/orders.h"

namespace taut::python {
namespace {

namespace nb = nanobind;
namespace orders = data::orders;

nb::list list_of(const Tensor& indices) {
  const Tensor dense = indices.contiguous();
  const int64_t* p = dense.data_ptr<int64_t>();
  nb::list list = nb::steal<nb::list>(checked(PyList_New(dense.numel())));
  for (Py_ssize_t i = 0; i < dense.numel(); ++i) PyList_SET_ITEM(list.ptr(), i, checked(PyLong_FromLongLong(p[i])));
  return list;
}

/// The rows of tensors that stacking the samples of these indices would give, at once; None where only samples will do:
/// indices that are no ints, tensors with a history.
nb::object rows_at(const nb::tuple& tensors, const nb::list& indices) {
  std::vector<Tensor> from;
  for (const nb::handle t : tensors) {
    if (!is_tensor(t.ptr()) || tensor_of(t.ptr()).requires_grad()) return nb::none();
    from.push_back(tensor_of(t.ptr()));
  }
  const auto n = static_cast<Py_ssize_t>(indices.size());
  if (n == 0) return nb::none();
  const Tensor which = empty({n}, kLong);
  int64_t* p = which.data_ptr<int64_t>();
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* index = PyList_GET_ITEM(indices.ptr(), i);
    if (!PyLong_CheckExact(index)) return nb::none();
    p[i] = PyLong_AsLongLong(index);
    if (p[i] == -1 && PyErr_Occurred()) throw PythonError();
  }
  std::vector<Tensor> found;
  {
    const WithoutGil without;
    found = orders::rows(from, which);
  }
  return nb::steal(checked(wrap_list(found)));
}

}  // namespace

void init_samples(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  m.def(
      "_draw_seed", [](nb::handle generator) { return orders::draw_seed(to_generator(generator.ptr())); },
      nb::arg() = nb::none());
  nb::class_<orders::RandomOrder>(m, "_RandomOrder")
      .def(
          "__init__",
          [](orders::RandomOrder* self, int64_t n, int64_t wanted, bool replacement, nb::handle generator) {
            new (self) orders::RandomOrder(n, wanted, replacement, to_generator(generator.ptr()));
          },
          nb::arg(), nb::arg(), nb::arg(), nb::arg().none())
      .def("next", [](orders::RandomOrder& order) -> nb::object {
        const Tensor piece = order.next();
        return piece.defined() ? nb::object(list_of(piece)) : nb::none();
      });
  m.def("_replica_size", &orders::replica_size);
  m.def(
      "_of_replica",
      [](int64_t n, int64_t replicas, int64_t rank, std::optional<uint64_t> seed, bool drop_last) {
        return list_of(orders::of_replica(n, replicas, rank, seed, drop_last));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  m.def("_lengths_of_shares",
        [](int64_t n, const std::vector<double>& shares) { return orders::lengths_of_shares(n, shares); });
  m.def(
      "_split",
      [](const std::vector<int64_t>& lengths, nb::handle generator) {
        nb::list parts;
        for (const Tensor& part : orders::split(lengths, to_generator(generator.ptr()))) parts.append(list_of(part));
        return parts;
      },
      nb::arg(), nb::arg().none());
  m.def("_rows_at", &rows_at);
}

}  // namespace taut::python
