// The extension module taut._C.
#include "object.h"

PyMODINIT_FUNC PyInit__C() {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "taut._C", "Taut's C++ library.", -1, nullptr, nullptr, nullptr, nullptr, nullptr};
  return taut::python::guarded([]() -> PyObject* {
    using namespace taut::python;  // NOLINT
    Object module = Object::steal(checked(PyModule_Create(&definition)));
    init_dtypes(module.get());
    init_tensor(module.get());
    init_ops(module.get());
    init_autograd(module.get());
    init_data(module.get());
    return module.release();
  });
}
