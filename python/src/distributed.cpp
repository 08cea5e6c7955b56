// Several processes: stores, groups and the averaging of gradients, for taut.distributed. The classes are made when
// that is first imported.
#include <nanobind/stl/shared_ptr.h>

#include <chrono>

#include "caster.h"
#include "core/interrupt.h"
#include "taut/distributed.h"

namespace taut::python {
namespace {

namespace nb = nanobind;
namespace d = distributed;

/// Lets signals end what waits.
void check_signals() {
  const WithGil gil;
  if (PyErr_CheckSignals() < 0) throw PythonError();
}
template <class F>
auto waiting(F f) {
  const WithoutGil without;
  const Interruptible by_signals(check_signals);
  return f();
}

d::Milliseconds milliseconds(double seconds) { return d::Milliseconds(static_cast<int64_t>(seconds * 1000)); }
std::string text(const nb::object& o) {
  if (nb::isinstance<nb::str>(o)) return nb::cast<std::string>(o);
  nb::bytes b = nb::cast<nb::bytes>(o);
  return std::string(b.c_str(), b.size());
}
nb::bytes bytes(const std::string& s) { return nb::bytes(s.data(), s.size()); }

void bind_stores(nb::module_& m) {
  nb::class_<d::Store>(m, "Store")
      .def("set",
           [](d::Store& s, const std::string& key, const nb::object& value) {
             const std::string v = text(value);
             waiting([&] { s.set(key, v); });
           })
      .def("get", [](d::Store& s, const std::string& key) { return bytes(waiting([&] { return s.get(key); })); })
      .def("add", [](d::Store& s, const std::string& key, int64_t n) { return waiting([&] { return s.add(key, n); }); })
      .def("append",
           [](d::Store& s, const std::string& key, const nb::object& value) {
             const std::string v = text(value);
             waiting([&] { s.append(key, v); });
           })
      .def("compare_set",
           [](d::Store& s, const std::string& key, const nb::object& expected, const nb::object& desired) {
             const std::string e = text(expected), w = text(desired);
             return bytes(waiting([&] { return s.compare_set(key, e, w); }));
           })
      .def("check",
           [](d::Store& s, const std::vector<std::string>& keys) { return waiting([&] { return s.check(keys); }); })
      .def("delete_key", [](d::Store& s, const std::string& key) { return waiting([&] { return s.delete_key(key); }); })
      .def("num_keys", [](d::Store& s) { return waiting([&] { return s.num_keys(); }); })
      .def("_wait",
           [](d::Store& s, const std::vector<std::string>& keys, double seconds) {
             waiting([&] { s.wait(keys, seconds < 0 ? s.timeout() : milliseconds(seconds)); });
           })
      .def("_timeout", [](d::Store& s) { return static_cast<double>(s.timeout().count()) / 1000; })
      .def("_set_timeout", [](d::Store& s, double seconds) { s.set_timeout(milliseconds(seconds)); })
      .def("multi_get",
           [](d::Store& s, const std::vector<std::string>& keys) {
             nb::list values;
             for (const std::string& key : keys) values.append(bytes(waiting([&] { return s.get(key); })));
             return values;
           })
      .def("multi_set",
           [](d::Store& s, const std::vector<std::string>& keys, const nb::list& values) {
             check<ValueError>(keys.size() == values.size(), "multi_set: ", keys.size(), " keys and ", values.size(),
                               " values");
             for (size_t i = 0; i < keys.size(); ++i) {
               const std::string v = text(values[i]);
               waiting([&] { s.set(keys[i], v); });
             }
           })
      .def("has_extended_api", [](d::Store&) { return true; })
      .def("__repr__", [](d::Store& s) { return "<" + s.description() + ">"; });
  nb::class_<d::HashStore, d::Store>(m, "HashStore").def(nb::init<>());
  nb::class_<d::FileStore, d::Store>(m, "_FileStore")
      .def("__init__",
           [](d::FileStore* self, const std::string& path, int64_t world, double timeout) {
             waiting([&] { new (self) d::FileStore(path, world, milliseconds(timeout)); });
           })
      .def_prop_ro("path", &d::FileStore::path);
  nb::class_<d::TCPStore, d::Store>(m, "_TCPStore")
      .def("__init__",
           [](d::TCPStore* self, const std::string& host, int64_t port, int64_t world, bool master, double timeout,
              bool wait) {
             check<ValueError>(port >= 0 && port < 65536, "TCPStore: ", port, " is no port");
             waiting([&] {
               new (self) d::TCPStore(host, static_cast<uint16_t>(port), world, master, milliseconds(timeout), wait);
             });
           })
      .def_prop_ro("host", &d::TCPStore::host)
      .def_prop_ro("port", &d::TCPStore::port);
  nb::class_<d::PrefixStore, d::Store>(m, "PrefixStore")
      .def(nb::init<std::string, std::shared_ptr<d::Store>>())
      .def_prop_ro("prefix", &d::PrefixStore::prefix)
      .def_prop_ro("underlying_store", &d::PrefixStore::underlying_store);
  m.def("_rendezvous", [](const std::string& method, int rank, int world, double timeout) {
    auto store = waiting([&] { return d::rendezvous(method, rank, world, milliseconds(timeout)); });
    return nb::make_tuple(store, rank, world);
  });
}

using Tensors = std::vector<Tensor>;
constexpr const char* kReductions[] = {"SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR"};
d::ReduceOp reduction(const std::string& name) {
  for (int i = 0; i < 8; ++i)
    if (name == kReductions[i]) return static_cast<d::ReduceOp>(i);
  throw ValueError(str("Cannot use ReduceOp.", name, ": there are SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR and BXOR"));
}

void bind_groups(nb::module_& m) {
  nb::class_<d::Work>(m, "Work")
      .def("_wait", [](d::Work& w, double timeout) { waiting([&] { w.wait(milliseconds(timeout)); }); })
      .def("is_completed", &d::Work::is_completed)
      .def("is_success", &d::Work::is_success)
      .def("exception",
           [](d::Work& w) {
             nb::object error = nb::none();
             if (w.exception()) {
               try {
                 std::rethrow_exception(w.exception());
               } catch (...) {
                 set_exception();
                 PyObject *type, *value, *trace;
                 PyErr_Fetch(&type, &value, &trace);
                 PyErr_NormalizeException(&type, &value, &trace);
                 error = nb::steal(value);
                 Py_XDECREF(type);
                 Py_XDECREF(trace);
               }
             }
             return error;
           })
      .def("source_rank", &d::Work::source_rank)
      .def("_source_rank", &d::Work::source_rank)
      .def("result", [](d::Work& w) { return w.result(); });
  using G = d::ProcessGroup;
  nb::class_<G>(m, "ProcessGroup", nb::is_weak_referenceable(), nb::dynamic_attr())
      .def("__init__",
           [](G* self, const std::string& backend, std::shared_ptr<d::Store> store, int rank, int size, double timeout,
              const std::string& name) {
             waiting([&] { new (self) G(backend, std::move(store), rank, size, milliseconds(timeout), name); });
           })
      .def("rank", &G::rank)
      .def("size", &G::size)
      .def_prop_ro("group_name", &G::name)
      .def("_backend", &G::backend)
      .def("_set_timeout", [](G& g, double seconds) { g.set_timeout(milliseconds(seconds)); })
      .def("_allreduce", [](G& g, const Tensor& t, const std::string& op) { return g.allreduce(t, reduction(op)); })
      .def("_allreduce_coalesced",
           [](G& g, const Tensors& t, const std::string& op) { return g.allreduce_coalesced(t, reduction(op)); })
      .def("_reduce",
           [](G& g, const Tensor& t, int root, const std::string& op) { return g.reduce(t, root, reduction(op)); })
      .def("_broadcast", &G::broadcast)
      .def("_allgather", &G::allgather)
      .def("_all_gather_into", &G::all_gather_into)
      .def("_gather", &G::gather)
      .def("_scatter", &G::scatter)
      .def("_reduce_scatter", [](G& g, const Tensor& o, const Tensors& i,
                                 const std::string& op) { return g.reduce_scatter(o, i, reduction(op)); })
      .def("_reduce_scatter_into", [](G& g, const Tensor& o, const Tensor& i,
                                      const std::string& op) { return g.reduce_scatter_into(o, i, reduction(op)); })
      .def("_alltoall", &G::alltoall)
      .def("_barrier", &G::barrier)
      .def("_send", &G::send)
      .def("_recv", &G::recv)
      .def("_monitored_barrier",
           [](G& g, double timeout, bool all) { waiting([&] { g.monitored_barrier(milliseconds(timeout), all); }); })
      .def("abort", &G::abort)
      .def("_close", [](G& g) { waiting([&] { g.close(); }); });
  nb::class_<d::Reducer>(m, "Reducer")
      .def("_prepare", &d::Reducer::prepare)
      .def("_set_sync", &d::Reducer::set_sync)
      .def("_buckets", &d::Reducer::buckets)
      .def("_set_divisor", &d::Reducer::set_divisor)
      .def("_shadow", [](d::Reducer& r) { waiting([&] { r.shadow(); }); })
      .def("_set_hook", [](d::Reducer& r, const nb::object& hook) {
        r.set_hook([f = shared(hook.ptr())](const Tensor& flat, int64_t bucket, bool last,
                                            const Tensors& parameters) -> std::function<void()> {
          const WithGil gil;
          const nb::object wait = nb::steal(
              checked(PyObject_CallFunctionObjArgs(f.get(), nb::cast(flat).ptr(), nb::cast(bucket).ptr(),
                                                   last ? Py_True : Py_False, nb::cast(parameters).ptr(), nullptr)));
          return [flat, w = shared(wait.ptr())] {
            const WithGil inner;
            const nb::object result = nb::steal(checked(PyObject_CallNoArgs(w.get())));
            if (is_tensor(result.ptr()) && !tensor_of(result.ptr()).is_same(flat))
              flat.copy_(tensor_of(result.ptr()).reshape(flat.sizes()));
          };
        });
      });
  m.def("_reducer", [](const Tensors& parameters, std::shared_ptr<G> group, int64_t bytes, int64_t first, bool unused) {
    return d::Reducer::make(parameters, std::move(group), {bytes, first, unused, false});
  });
  m.def("_is_available", &d::is_backend_available);
}

PyObject* store_error = nullptr;
PyObject *dist_error = nullptr, *backend_error = nullptr, *network_error = nullptr;

}  // namespace

PyObject* distributed_error(const std::exception& e) {
  if (dynamic_cast<const d::DistStoreError*>(&e)) return store_error;
  if (dynamic_cast<const d::DistNetworkError*>(&e)) return network_error;
  if (dynamic_cast<const d::DistBackendError*>(&e)) return backend_error;
  return dynamic_cast<const d::DistError*>(&e) ? dist_error : nullptr;
}

void init_distributed(PyObject* object) {
  nb::borrow<nb::module_>(object).def("_distributed", [] {
    static nb::object made;
    if (made.is_valid()) return made;
    nb::module_ m = nb::steal<nb::module_>(checked(PyModule_New("taut._C._distributed_c10d")));
    const auto error = [&](const char* name, PyObject* base) {
      PyObject* e = checked(PyErr_NewException(str("torch.distributed.", name).c_str(), base, nullptr));
      m.attr(name) = nb::borrow(e);
      return e;
    };
    dist_error = error("DistError", PyExc_RuntimeError);
    backend_error = error("DistBackendError", dist_error);
    network_error = error("DistNetworkError", dist_error);
    store_error = error("DistStoreError", dist_error);
    bind_stores(m);
    bind_groups(m);
    return made = m;
  });
}

}  // namespace taut::python
