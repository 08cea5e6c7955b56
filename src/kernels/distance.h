// Distances between all pairs of two sets of points.
#pragma once
#include "core/view.h"

namespace taut::kernels {

/// out[b][i][j] = the p-norm of x[b][i] - y[b][j]; x is [B, P, M], y [B, R, M], out [B, P, R], all float32 or float64.
/// p is 0 (how many coordinates differ) up to infinity (the greatest difference).
void cdist(View out, View x, View y, double p);
/// The gradient for x, given that of the distances and the distances; 0 where the distance is 0. For y's, transpose:
/// cdist_backward(grad_y, grad.mT, y, x, distances.mT, p).
void cdist_backward(View grad_x, View grad, View x, View y, View distances, double p);

}  // namespace taut::kernels
