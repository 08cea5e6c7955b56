// Resizing images, sequences and volumes: x is [batch, channels, spatial dimensions...]. A scale, where given, replaces
// the ratio of the sizes when positions are computed.
#pragma once
#include "taut/tensor.h"

namespace taut {

using OptionalScale = std::optional<double>;

Tensor upsample_nearest1d(const Tensor& self, IntArrayRef output_size, OptionalScale scales = std::nullopt);
Tensor upsample_nearest2d(const Tensor& self, IntArrayRef output_size, OptionalScale scales_h = std::nullopt,
                          OptionalScale scales_w = std::nullopt);
Tensor upsample_nearest3d(const Tensor& self, IntArrayRef output_size, OptionalScale scales_d = std::nullopt,
                          OptionalScale scales_h = std::nullopt, OptionalScale scales_w = std::nullopt);
Tensor _upsample_nearest_exact1d(const Tensor& self, IntArrayRef output_size, OptionalScale scales = std::nullopt);
Tensor _upsample_nearest_exact2d(const Tensor& self, IntArrayRef output_size, OptionalScale scales_h = std::nullopt,
                                 OptionalScale scales_w = std::nullopt);
Tensor _upsample_nearest_exact3d(const Tensor& self, IntArrayRef output_size, OptionalScale scales_d = std::nullopt,
                                 OptionalScale scales_h = std::nullopt, OptionalScale scales_w = std::nullopt);
Tensor upsample_linear1d(const Tensor& self, IntArrayRef output_size, bool align_corners,
                         OptionalScale scales = std::nullopt);
Tensor upsample_bilinear2d(const Tensor& self, IntArrayRef output_size, bool align_corners,
                           OptionalScale scales_h = std::nullopt, OptionalScale scales_w = std::nullopt);
Tensor upsample_trilinear3d(const Tensor& self, IntArrayRef output_size, bool align_corners,
                            OptionalScale scales_d = std::nullopt, OptionalScale scales_h = std::nullopt,
                            OptionalScale scales_w = std::nullopt);
Tensor upsample_bicubic2d(const Tensor& self, IntArrayRef output_size, bool align_corners,
                          OptionalScale scales_h = std::nullopt, OptionalScale scales_w = std::nullopt);
/// With a filter as wide as the step between samples, so that shrinking averages.
Tensor _upsample_bilinear2d_aa(const Tensor& self, IntArrayRef output_size, bool align_corners,
                               OptionalScale scales_h = std::nullopt, OptionalScale scales_w = std::nullopt);
Tensor _upsample_bicubic2d_aa(const Tensor& self, IntArrayRef output_size, bool align_corners,
                              OptionalScale scales_h = std::nullopt, OptionalScale scales_w = std::nullopt);
/// The mean over the part of the input that each output covers, for one to three spatial dimensions.
Tensor _upsample_area(const Tensor& self, IntArrayRef output_size);

}  // namespace taut
