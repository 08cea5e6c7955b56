// Python's objects as a pickle with PyTorch's names, and the storages of their tensors.
#pragma once
#include "object.h"

#include "io/torch_archive.h"

namespace taut::python {

/// `rules` knows the classes: reduce(object) gives what pickle's __reduce_ex__ gives, or rules.Name(module, name) of a
/// global, or a list of one object to be written in its place. Within those, rules.Layout(tensor) stands for the
/// arguments of _rebuild_tensor_v2.
io::Pickled pickle(PyObject* object, PyObject* rules, int protocol);

}  // namespace taut::python
