// Images sampled at the points of a grid, and the gradients of both.
#pragma once
#include "kernels/isa/sample.h"
#include "taut/core/dtype.h"

namespace taut::kernels {

/// Images [batch, channels, ...], grids [batch, points, dims], results [batch, channels, points]: all contiguous, of
/// float32 or float64.
struct GridSample {
  SampleShape shape;
  int64_t batch, channels, points;
};
void grid_sample(ScalarType type, const GridSample& s, void* y, const void* image, const void* grid);
/// What is null is not computed.
void grid_sample_backward(ScalarType type, const GridSample& s, void* image_grad, void* grid_grad, const void* g,
                          const void* image, const void* grid);

}  // namespace taut::kernels
