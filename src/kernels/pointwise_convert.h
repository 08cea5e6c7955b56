// Contiguous conversions between the dtypes of tensors and the number types that kernels compute in.
#pragma once
#include <cstdint>

namespace taut {

using ConvertLoop = void (*)(const void* from, void* to, int64_t n);

/// By ScalarType, then by Number: `load` into the number type, `store` out of it.
struct Conversions {
  ConvertLoop load[10][3], store[10][3];
};

}  // namespace taut
