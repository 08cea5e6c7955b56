// Convolutions with windows of 3 x 3 in fewer multiplications, Winograd's way: each tile of 2 x 2 results takes 16
// instead of 36 (F(2x2, 3x3)), and with stride 2, where only every other element meets the outer taps, 25. Rounding is
// like that of a direct convolution relative to the largest numbers of a tile; whole numbers stay exact. A number that
// is not finite would spoil its whole tile, so then the functions say so.
#pragma once
#include <functional>

#include "kernels/conv.h"

namespace taut::kernels {

/// Is this way possible and worth it, for conv_input when `turned`? It depends on one image alone, not on how many
/// there are.
bool winograd_fits(const Conv& conv, bool turned = false);

/// conv_forward, or conv_input when `turned`. Calls again(image) for each image whose result is not finite.
void winograd_images(const Conv& conv, bool turned, float* to, const float* from, const float* w, const float* bias,
                     const std::function<void(int64_t)>& again);
/// conv_weight, or false when the result is not finite, or too large for this way to be worth it.
bool winograd_weight(const Conv& conv, float* w, const float* y, const float* x, float* bias);

}  // namespace taut::kernels
