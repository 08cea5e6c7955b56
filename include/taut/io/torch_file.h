// PyTorch's own files, as torch.save writes them since 1.6: .pt and .pth.
#pragma once
#include <string>

#include "taut/io/file.h"
#include "taut/io/object.h"

namespace taut::io {

/// Reads a file as torch.load(weights_only=True) does: the pickle in it may only build plain values and tensors, and
/// nothing in it is run. Tensors that share memory share it here too, and strides are kept.
Object load_torch(const std::string& path, LoadOptions options = {});
Object parse_torch(const void* data, size_t size, const std::string& name = "the buffer");
/// Writes a file that torch.load(weights_only=True) opens.
void save_torch(const Object& object, const std::string& path);
/// The bytes of such a file.
std::string format_torch(const Object& object);
/// Does the file begin as such a file does?
bool is_torch_file(const std::string& path);

}  // namespace taut::io
