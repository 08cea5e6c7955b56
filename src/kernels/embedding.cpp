#include "kernels/embedding.h"

#include <algorithm>
#include <cstring>

#include "core/dry.h"
#include "core/parallel.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 32768;  // bytes, or elements, that are worth a chunk of their own

template <class T>
void sum(T* y, const T* table, const int64_t* index, const T* scale, const int64_t* bounds, int64_t bags,
         int64_t width) {
  const int64_t rows = bags ? bounds[bags] / bags + 1 : 1;  // in a bag, on average
  parallel_for(bags, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, rows * width)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t b = begin; b < end; ++b) {
                   T* const to = y + b * width;
                   std::fill_n(to, width, T(0));
                   for (int64_t i = bounds[b]; i < bounds[b + 1]; ++i) {
                     const T* const row = table + index[i] * width;
                     const T s = scale ? scale[i] : T(1);
                     for (int64_t j = 0; j < width; ++j) to[j] += s * row[j];
                   }
                 }
               });
}

}  // namespace

void check_rows(const int64_t* index, int64_t n, int64_t rows) {
  if (dry) return;
  uint64_t greatest = 0;  // a negative index is a large one
  for (int64_t i = 0; i < n; ++i) greatest = std::max(greatest, static_cast<uint64_t>(index[i]));
  if (n == 0 || greatest < static_cast<uint64_t>(rows)) return;
  for (int64_t i = 0; i < n; ++i)
    check<IndexError>(index[i] >= 0 && index[i] < rows, "index out of range in self: index ", index[i], " at position ",
                      i, ", but the table has ", rows, " rows");
}

void copy_rows(void* y, const void* table, const int64_t* index, int64_t n, int64_t row_bytes) {
  if (dry) return;
  if (row_bytes == 0) return;
  char* const to = static_cast<char*>(y);
  const char* const from = static_cast<const char*>(table);
  parallel_for(n, std::max<int64_t>(1, kGrain / row_bytes), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::memcpy(to + i * row_bytes, from + index[i] * row_bytes, static_cast<size_t>(row_bytes));
  });
}

void sum_rows(ScalarType dtype, void* y, const void* table, const int64_t* index, const void* scale,
              const int64_t* bounds, int64_t bags, int64_t width) {
  if (dry) return;
  if (dtype == kDouble)
    sum(static_cast<double*>(y), static_cast<const double*>(table), index, static_cast<const double*>(scale), bounds,
        bags, width);
  else
    sum(static_cast<float*>(y), static_cast<const float*>(table), index, static_cast<const float*>(scale), bounds, bags,
        width);
}

}  // namespace taut::kernels
