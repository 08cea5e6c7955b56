// Loops over the elements of sparse matrices.
#pragma once
#include "core/view.h"

namespace taut::kernels {

/// Sorts `n` keys in [0, m) by counting: begins[k] up to begins[k + 1] are where the elements of key k stand in
/// `order`, in the order they had.
void bucket(const int64_t* keys, int64_t n, int64_t m, int64_t* begins, int64_t* order);

/// Where the elements of two lists go in one that has both, walking along both with the lesser key first and equal ones
/// together. Gives its length.
int64_t merge(const int64_t* a, int64_t n_a, const int64_t* b, int64_t n_b, int64_t* to_a, int64_t* to_b);

/// y = A b, contiguous views of float32 or float64. A is given by rows: begins, and the column and value of each
/// element.
void sparse_product(const View& y, const int64_t* begins, const int64_t* columns, const void* values, const View& b);

}  // namespace taut::kernels
