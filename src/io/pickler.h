// Writes the pickle of a plain value, and collects the storages of its tensors.
#pragma once
#include "io/torch_archive.h"
#include "taut/io/object.h"

namespace taut::io {

Pickled pickle(const Object& object);

}  // namespace taut::io
