// Reductions over any set of dimensions of any view. Each call cuts its work in the same pieces for any number of
// threads and merges them in a fixed order, so the bits never depend on it.
#pragma once
#include "core/view.h"

namespace taut::kernels {

enum class Reduction : uint8_t { Sum, NanSum, Prod, Max, Min, Any, All, CountNonzero };

/// `out` has as many dimensions as `in`, of size 1 where `in` is reduced.
/// Sum, NanSum, Prod compute in float64, in float32 (also for the half types) or in int64 modulo 2^64, as the type of
/// `out` says; Max and Min keep the type, and a NaN wins. An empty sum is 0, product 1, Any false, All true; an empty
/// Max or Min throws.
void reduce(Reduction what, const View& out, const View& in);

/// Max or min along `dim`, where `values` and `indices` have size 1, and the place of its first occurrence; the first
/// NaN wins. Either output may have null data.
void reduce_index(bool largest, const View& values, const View& indices, const View& in, int dim);

/// Mean, and sum of squared differences from it, as `reduce` does it. The mean of nothing is NaN.
void moments(const View& mean, const View& m2, const View& in);

/// (sum |x|^p)^(1/p), the number of non-zeros for p = 0, the largest or smallest |x| for p = inf or -inf.
void norm(const View& out, const View& in, double p);

}  // namespace taut::kernels
