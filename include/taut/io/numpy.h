// NumPy's .npy (one array) and .npz (a zip of named ones).
#pragma once
#include <string>

#include "taut/io/file.h"
#include "taut/tensor.h"
#include "taut/tensor_dict.h"

namespace taut::io {

/// Format versions 1 to 3, both byte orders; an array in Fortran order keeps its strides.
Tensor load_npy(const std::string& path, LoadOptions options = {});
Tensor parse_npy(const void* data, size_t size, const std::string& name = "the buffer");
void save_npy(const Tensor& tensor, const std::string& path);

/// The arrays by the names np.load gives them, in the order of the names.
OrderedDict<std::string, Tensor> load_npz(const std::string& path, LoadOptions options = {});
OrderedDict<std::string, Tensor> parse_npz(const void* data, size_t size, const std::string& name = "the buffer");
void save_npz(const OrderedDict<std::string, Tensor>& tensors, const std::string& path, bool compressed = false);

}  // namespace taut::io
