#include "taut/nn/functional/upsampling.h"

#include <cmath>
#include <limits>

#include "taut/ops/resample.h"

namespace taut::nn::functional {

namespace {

/// The sizes asked for; where they follow from the scale factors, those are left for computing positions.
std::vector<int64_t> output_size(const Tensor& input, const InterpolateFuncOptions& o,
                                 std::vector<std::optional<double>>& scales) {
  const auto n = static_cast<size_t>(input.dim() - 2);
  const bool recompute = o.recompute_scale_factor().value_or(false);
  check<ValueError>(!o.size() || !o.scale_factor(), "interpolate: only one of size or scale_factor should be defined");
  check<ValueError>(o.size() || o.scale_factor(), "interpolate: either size or scale_factor should be defined");
  scales.assign(n, std::nullopt);
  if (o.size()) {
    check<ValueError>(o.size()->size() == n,
                      "interpolate: Input and output must have the same number of spatial dimensions, but got input of "
                      "shape ",
                      input.sizes(), " and output size of ", IntArrayRef(*o.size()),
                      ". Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, "
                      "...,oK) format.");
    check<ValueError>(!recompute, "interpolate: recompute_scale_factor is not meaningful with an explicit size.");
    return *o.size();
  }
  check<ValueError>(
      o.scale_factor()->size() == n,
      "interpolate: Input and scale_factor must have the same number of spatial dimensions, but got input "
      "of shape ",
      input.sizes(), " and ", o.scale_factor()->size(), " scale factors");
  std::vector<int64_t> size;
  for (size_t d = 0; d < n; ++d) {
    const double scale = (*o.scale_factor())[d], length = static_cast<double>(input.sizes()[d + 2]) * scale;
    check<ValueError>(std::isfinite(scale) && scale > 0,
                      "interpolate: a scale factor must be finite and positive, got ", scale);
    check<ValueError>(length < 1e15, "interpolate: a scale factor of ", scale, " makes too large an output");
    size.push_back(static_cast<int64_t>(length));
    if (!recompute && !(o.mode() == kArea)) scales[d] = scale;
  }
  return size;
}

}  // namespace

Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& options) {
  check(input.defined(), "interpolate: expected a tensor, got an undefined one");
  const int64_t dim = input.dim();
  check<NotImplementedError>(dim >= 3 && dim <= 5,
                             "interpolate: Input Error: Only 3D, 4D and 5D input Tensors supported (got ", dim,
                             "D) for the modes: nearest | linear | bilinear | bicubic | trilinear | area | "
                             "nearest-exact (got ",
                             options.mode(), ")");
  const Keyword mode = options.mode();
  const bool interpolating = mode == kLinear || mode == kBilinear || mode == kBicubic || mode == kTrilinear;
  check<ValueError>(interpolating || mode == kNearest || mode == kNearestExact || mode == kArea,
                    "interpolate: unknown mode ", mode,
                    ": one of nearest, nearest-exact, linear, bilinear, bicubic, trilinear or area");
  check<ValueError>(interpolating || !options.align_corners(),
                    "interpolate: align_corners option can only be set with the interpolating modes: linear | bilinear "
                    "| bicubic | trilinear");
  std::vector<std::optional<double>> s;
  const std::vector<int64_t> size = output_size(input, options, s);
  const bool align = options.align_corners().value_or(false);
  check<ValueError>(!options.antialias() || ((mode == kBilinear || mode == kBicubic) && dim == 4),
                    "interpolate: Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D "
                    "tensor as input");
  if (mode == kArea) return _upsample_area(input, size);
  if (mode == kNearest)
    return dim == 3   ? upsample_nearest1d(input, size, s[0])
           : dim == 4 ? upsample_nearest2d(input, size, s[0], s[1])
                      : upsample_nearest3d(input, size, s[0], s[1], s[2]);
  if (mode == kNearestExact)
    return dim == 3   ? _upsample_nearest_exact1d(input, size, s[0])
           : dim == 4 ? _upsample_nearest_exact2d(input, size, s[0], s[1])
                      : _upsample_nearest_exact3d(input, size, s[0], s[1], s[2]);
  const int64_t needed = mode == kLinear ? 3 : mode == kTrilinear ? 5 : 4;
  check<NotImplementedError>(dim == needed, "interpolate: Got ", dim, "D input, but ", mode, " mode needs ", needed,
                             "D input");
  if (mode == kLinear) return upsample_linear1d(input, size, align, s[0]);
  if (mode == kTrilinear) return upsample_trilinear3d(input, size, align, s[0], s[1], s[2]);
  if (mode == kBilinear)
    return options.antialias() ? _upsample_bilinear2d_aa(input, size, align, s[0], s[1])
                               : upsample_bilinear2d(input, size, align, s[0], s[1]);
  return options.antialias() ? _upsample_bicubic2d_aa(input, size, align, s[0], s[1])
                             : upsample_bicubic2d(input, size, align, s[0], s[1]);
}

}  // namespace taut::nn::functional
