// The three Fourier transforms that all others are made of, along one or more dimensions.
#pragma once
#include "ops/op.h"

namespace taut {

/// What the sums are divided by: nothing, the root of how many numbers are transformed, or that number.
enum class FftNorm : uint8_t { None, ByRoot, ByNumber };

/// Complex numbers to as many.
Tensor fft_c2c(const Tensor& x, const Dims& dims, FftNorm norm, bool forward);
/// Real ones to complex ones, of which along the last of the dimensions half are computed; and, where not `onesided`
/// (and there is one dimension), the others by symmetry.
Tensor fft_r2c(const Tensor& x, const Dims& dims, FftNorm norm, bool onesided);
/// Such a half to n real numbers along the last of the dimensions.
Tensor fft_c2r(const Tensor& x, const Dims& dims, FftNorm norm, int64_t n);

/// The sum of overlapping windows of `size` numbers, the last dimension of g, each `step` behind the one before, along
/// `dim` of a tensor of these sizes: what `unfold` takes apart.
Tensor unfold_sum(const Tensor& g, IntArrayRef sizes, int64_t dim, int64_t size, int64_t step);

}  // namespace taut
