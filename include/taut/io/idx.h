// The idx files of MNIST and its kin, and texts line by line.
#pragma once
#include <string>
#include <vector>

#include "taut/io/file.h"
#include "taut/tensor.h"

namespace taut::io {

/// An idx file, plain or compressed by gzip (whatever its name says).
Tensor read_idx(const std::string& path, LoadOptions options = {});
Tensor parse_idx(const void* data, size_t size, const std::string& name = "the buffer");

/// The lines of a text file (plain or gzip), without their ends ("\n" or "\r\n").
std::vector<std::string> read_lines(const std::string& path);

}  // namespace taut::io
