// What is no op of the registry: fused optimiser steps, files.
#include "caster.h"

namespace taut::python {

void init_library(PyObject* module) { [[maybe_unused]] nanobind::module_ m = nanobind::borrow<nanobind::module_>(module); }

}  // namespace taut::python
