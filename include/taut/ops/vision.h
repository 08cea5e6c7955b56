// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The input read at the positions of grid, in units where it reaches from -1 to 1.
Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners);
/// The image read at the positions of grid, in units where it reaches from -1 to 1.
Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners);
/// The volume read at the positions of grid, in units where it reaches from -1 to 1.
Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners);
/// The grid of positions that the affine map theta makes.
Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners);
/// Moves channels into space: [C r r, H, W] to [C, H r, W r].
Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor);
/// Moves space into channels: [C, H r, W r] to [C r r, H, W].
Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor);
/// Deals the channels of each group out in turn.
Tensor channel_shuffle(const Tensor& self, int64_t groups);

}  // namespace taut
