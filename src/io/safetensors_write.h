// Writing a safetensors file to anywhere.
#pragma once
#include "io/output.h"
#include "taut/io/safetensors.h"

namespace taut::io {

void write_safetensors(Output& out, const TensorDict& tensors, const Metadata& metadata);

}  // namespace taut::io
