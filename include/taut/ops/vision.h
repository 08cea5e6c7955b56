// Sampling images at given positions, and moving pixels between space and channels.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// The input [N, C, H, W] (or [N, C, D, H, W]) read at the positions `grid` [N, ..., 2 (or 3)], in units where the
/// image reaches from -1 to 1; x comes first. interpolation_mode: 0 bilinear, 1 nearest, 2 bicubic. padding_mode: 0
/// zeros, 1 border, 2 reflection.
Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners);
Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners);
Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners);
/// The grid that the affine map `theta` [N, 2, 3] (or [N, 3, 4]) makes for an output of `size` [N, C, (D,) H, W].
Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners);

/// [..., C r r, H, W] to [..., C, H r, W r], and back.
Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor);
Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor);
/// Channel i of every group first, then channel i + 1.
Tensor channel_shuffle(const Tensor& self, int64_t groups);

}  // namespace taut
