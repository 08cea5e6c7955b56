// Rows of a table, copied or summed. Tables and results are contiguous; indices are checked before anything is written.
#pragma once
#include <cstdint>

#include "taut/core/dtype.h"

namespace taut::kernels {

/// Throws IndexError unless all n indices are in [0, rows).
void check_rows(const int64_t* index, int64_t n, int64_t rows);
/// y[i] = table[index[i]], rows of that many bytes.
void copy_rows(void* y, const void* table, const int64_t* index, int64_t n, int64_t row_bytes);
/// y[b] = sum of scale[i] table[index[i]] for i in [bounds[b], bounds[b + 1]); rows of `width` float32 or float64.
/// scale may be null.
void sum_rows(ScalarType dtype, void* y, const void* table, const int64_t* index, const void* scale,
              const int64_t* bounds, int64_t bags, int64_t width);

}  // namespace taut::kernels
