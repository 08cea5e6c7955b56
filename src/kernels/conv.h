// Convolution and the two maps that are linear in its result: the gradients of the images and of the weight. All
// memory is contiguous: images [batch, groups * channels, depth, height, width], weight [groups * out_channels,
// in_channels, kernel...]. The bits of a result do not depend on the number of threads.
#pragma once
#include "kernels/slab.h"
#include "taut/core/dtype.h"

namespace taut::kernels {

struct Conv {
  int64_t batch, groups, in_channels, out_channels;  // channels of one group
  Windows windows;
};

// float32 and float64. `bias` has one number per channel of the result, or is null.

/// y from x and w.
void conv_forward(ScalarType type, const Conv& conv, void* y, const void* x, const void* w, const void* bias);
/// x from y and w: the gradient of the images, and the transposed convolution.
void conv_input(ScalarType type, const Conv& conv, void* x, const void* y, const void* w, const void* bias);
/// w from y and x: the gradient of the weight. Unless `bias` is null (and x or y
/// empty), that of the bias too: the sums of the channels of y.
void conv_weight(ScalarType type, const Conv& conv, void* w, const void* y, const void* x, void* bias = nullptr);

}  // namespace taut::kernels
