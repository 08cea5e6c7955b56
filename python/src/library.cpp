// What is no op of the registry: memory shared by tensors, random streams of threads, fingerprints.
#include "named.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "core/tensor_impl.h"
#include "taut/fingerprint.h"
#include "taut/random_scope.h"

namespace taut::python {
namespace {

namespace nb = nanobind;

// ---- Memory behind tensors.

/// Makes `t` a tensor over the memory of `source`, of this shape.
void set_storage(const Tensor& t, const Tensor& source, int64_t offset, const std::vector<int64_t>& sizes,
                 const std::vector<int64_t>& strides) {
  check<TypeError>(t.defined() && source.defined(), "set_: expected a tensor");
  check(!t.requires_grad() || !GradMode::is_enabled(),
        "set_: a tensor that requires grad may not change its memory; use "
        "torch.no_grad()");
  check(!t.impl()->base, "set_: a view may not change its memory; clone it first");
  check<TypeError>(t.scalar_type() == source.scalar_type(), "set_: the dtypes differ: ", t.scalar_type(), " and ",
                   source.scalar_type());
  check(sizes.size() == strides.size(), "set_: ", sizes.size(), " sizes and ", strides.size(), " strides");
  int64_t last = 0;
  bool empty = false, fits = offset >= 0;
  for (size_t d = 0; d < sizes.size() && fits; ++d) {
    int64_t reach = 0;
    empty = empty || sizes[d] == 0;
    fits = sizes[d] >= 0 && strides[d] >= 0 && !__builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) &&
           !__builtin_add_overflow(last, reach, &last);
  }
  Storage& s = *source.impl()->storage;
  const auto room = static_cast<int64_t>(s.nbytes()) / element_size(t.scalar_type());
  check(fits && (empty || (offset < room && last < room - offset)), "set_: sizes ", IntArrayRef(sizes),
        " with strides ", IntArrayRef(strides), " at ", offset, " do not fit a storage of ", room, " elements");
  TensorImpl& impl = *t.impl();
  impl.storage = source.impl()->storage;
  impl.data = static_cast<char*>(s.data()) + offset * element_size(impl.dtype);
  impl.sizes.assign(sizes);
  impl.strides.assign(strides);
  impl.refresh();
}

void init_storage(nb::module_& m) {
  m.def("_storage", [](const Tensor& t) {
    check<TypeError>(t.defined(), "_storage: expected a tensor");
    const Storage& s = *t.impl()->storage;
    return std::pair(reinterpret_cast<uintptr_t>(s.data()), static_cast<uint64_t>(s.nbytes()));
  });
  // Does nothing else stand over this memory: no view, no saved value?
  m.def("_storage_is_unique", [](const Tensor& t) {
    check<TypeError>(t.defined(), "_storage_is_unique: expected a tensor");
    return t.impl()->storage->unique();
  });
  m.def("_storage_elements", &storage_elements);
  m.def("_set_storage", &set_storage);
}

// ---- Random streams of threads.

void init_random(nb::module_& m) {
  static thread_local std::vector<std::unique_ptr<RandomScope>> scopes;
  m.def("_push_random_scope", [](uint64_t seed) { scopes.push_back(std::make_unique<RandomScope>(seed)); });
  m.def("_pop_random_scope", [] {
    check(!scopes.empty(), "_pop_random_scope: this thread has no scope");
    scopes.pop_back();
  });
}

// ---- Fingerprints.

void init_fingerprint(nb::module_& m) {
  using Free = nb::call_guard<nb::gil_scoped_release>;
  m.def(
      "_fingerprint", [](const Tensor& t) { return fingerprint(t); }, Free());
  m.def(
      "_fingerprint_named", [](const Named& tensors) { return fingerprint(dict_of(tensors)); }, Free());
  m.def("_logs_steps", [] { return logs_steps(); });
  m.def("_log_step", &log_step, Free());
}

}  // namespace

Tensor storage_elements(const Tensor& t, ScalarType dtype) {
  check<TypeError>(t.defined(), "_storage_elements: expected a tensor");
  const Storage& s = *t.impl()->storage;
  const ImplPtr y = make_alias(*t.impl(), {static_cast<int64_t>(s.nbytes()) / element_size(dtype)}, {1}, s.data());
  y->dtype = dtype;
  return Tensor::adopt(ImplPtr(y).detach());
}

void init_library(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error&) {
      set_exception();
    }
  });
  init_optim(module);
  init_storage(m);
  init_random(m);
  init_fingerprint(m);
  init_files(module);
  init_torch_files(module);
  init_samples(module);
}

}  // namespace taut::python
