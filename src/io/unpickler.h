// Python's pickle format, restricted to what builds plain values and tensors.
#pragma once
#include <functional>
#include <string>

#include "io/input.h"
#include "taut/io/object.h"

namespace taut::io {

/// Loads the elements of a storage as a tensor of one dimension.
using StorageLoader = std::function<Tensor(const std::string& key, ScalarType dtype, int64_t numel)>;

/// The value that the pickle `text` builds; throws FormatError for anything but the opcodes and globals of plain data.
Object unpickle(const Input& in, const std::string& text, const StorageLoader& load_storage);

/// The name of the storage class: "FloatStorage".
const char* storage_name(ScalarType dtype);
/// "torch.sparse_coo"
std::string layout_name(Layout layout);

/// Why no tensor of this layout can lie over the elements of a storage; "" when it can.
std::string misfit(const Tensor& storage, IntArrayRef size, IntArrayRef stride, int64_t offset);
/// Bytes as elements of this dtype.
Tensor elements_of(const Tensor& bytes, ScalarType dtype);
/// That tensor, which is no view.
Tensor over_storage(const Tensor& storage, IntArrayRef size, IntArrayRef stride, int64_t offset);

}  // namespace taut::io
