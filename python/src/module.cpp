// The extension module taut._C. Tensors and ops are written against Python's own API, since a call of a small op must
// cost next to nothing; everything else is bound by nanobind (library.cpp).
#include <nanobind/nanobind.h>

#include "object.h"
#include "taut/core/version.h"

NB_MODULE(_C, module) {
  using namespace taut::python;        // NOLINT
  nanobind::set_leak_warnings(false);  // ops and types live as long as the process
  nanobind::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const taut::Error&) {
      set_exception();
    }
  });
  module.attr("_version") = taut::version();
  try {
    init_errors();
    init_dtypes(module.ptr());
    init_tensor(module.ptr());
    init_overrides(module.ptr());
    init_ops(module.ptr());
    init_autograd(module.ptr());
    init_data(module.ptr());
    init_dlpack(module.ptr());
    init_func(module.ptr());
    init_library(module.ptr());
    init_schedulers(module.ptr());
    init_nn(module.ptr());
    init_lbfgs(module.ptr());
    init_gradcheck(module.ptr());
    init_amp(module.ptr());
    init_distributed(module.ptr());
    init_events(module.ptr());
  } catch (const PythonError& e) {
    e.restore();
    throw nanobind::python_error();
  }
}
