// What brings operands to a pointwise kernel: conversions between the dtypes of tensors and the number types that
// kernels compute in, and elements that are not side by side.
#pragma once
#include <cstdint>

#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

using ConvertLoop = void (*)(const void* from, void* to, int64_t n);

/// By ScalarType, then by Number: `load` into the number type, `store` out of it.
struct Conversions {
  ConvertLoop load[kRealCount][3], store[kRealCount][3];
  /// By the logarithm of the size of an element: rows of n elements, `stride` apart or all the same one, side by side.
  void (*gather[4])(const void* from, int64_t row_stride, int64_t stride, void* to, int64_t rows, int64_t n);
};
TAUT_ISA_TABLE(Conversions, conversions)

}  // namespace taut
