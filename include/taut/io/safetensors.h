// The safetensors format: named tensors and a map of texts, nothing that can run. What `safetensors` in Python reads
// and writes.
#pragma once
#include <map>
#include <string>

#include "taut/io/file.h"
#include "taut/tensor.h"
#include "taut/tensor_dict.h"

namespace taut::io {

using TensorDict = OrderedDict<std::string, Tensor>;
using Metadata = std::map<std::string, std::string>;

struct Safetensors {
  TensorDict tensors;  // in the order of the file's header
  Metadata metadata;
};

/// Reads a file. Everything the format demands is checked before the first tensor is made, and until then no more
/// memory than the header has is used, whatever it says.
Safetensors load_safetensors(const std::string& path, LoadOptions options = {});
/// The same from memory; the tensors are copies. `name` is how messages call it.
Safetensors parse_safetensors(const void* data, size_t size, const std::string& name = "the buffer");

/// Writes a file; the header keeps the order of `tensors`.
void save_safetensors(const TensorDict& tensors, const std::string& path, const Metadata& metadata = {});
/// The bytes of such a file.
std::string format_safetensors(const TensorDict& tensors, const Metadata& metadata = {});

/// What the format calls a dtype: "F32".
const char* safetensors_dtype(ScalarType t);

}  // namespace taut::io
