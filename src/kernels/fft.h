// Discrete Fourier transforms of any length.
#pragma once
#include <cstdint>

#include "taut/core/dtype.h"

namespace taut::kernels {

enum class Fft : uint8_t {
  Complex,  // n numbers from n
  ToHalf,   // n / 2 + 1 complex ones, the first half of the spectrum, from n real ones; never inverse
  FromHalf  // and back; always inverse
};

/// x and y [outer, n, inner], contiguous, as complex numbers: x may be y. For the two others `inner` must be 1, and x
/// and y be apart. `type` is that of the parts; `scale` a factor of all results.
void fft(Fft kind, ScalarType type, int64_t outer, int64_t n, int64_t inner, const void* x, void* y, bool inverse,
         double scale);

}  // namespace taut::kernels
