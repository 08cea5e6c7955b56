// The first convolution of many networks: wide windows over few channels, two columns apart. Along rows it takes 7
// multiplications for 4 results of 4 taps instead of 16, Winograd's way (src/kernels/isa/stem.cpp), and no patches are
// packed. A number that is not finite would spoil its whole tile, so such images are computed again.
#pragma once
#include <functional>

#include "kernels/conv.h"

namespace taut::kernels {

/// Is this way possible and worth it? It depends on one image alone, not on how many there are.
bool stem_fits(const Conv& conv);
/// conv_forward. Calls again(image) for each image whose result is not finite.
void stem_images(const Conv& conv, float* y, const float* x, const float* w, const float* bias,
                 const std::function<void(int64_t)>& again);
/// conv_weight, or false when the result is not finite.
bool stem_weight(const Conv& conv, float* w, const float* y, const float* x, float* bias);

}  // namespace taut::kernels
