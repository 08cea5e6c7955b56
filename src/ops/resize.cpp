// Resizing by a size or by factors, and reading at the positions of a grid: which op does it, and what may be asked
// for. Messages are PyTorch's.
#include <algorithm>
#include <cmath>

#include "ops/float_list.h"
#include "ops/op.h"
#include "ops/wording.h"
#include "taut/ops/resample.h"
#include "taut/ops/vision.h"

namespace taut {

namespace {

using Scales = std::array<std::optional<double>, 3>;
using Sizes = std::vector<int64_t>;

struct Mode {
  std::string_view name;
  int64_t dims;  // of the input; 0: any
  bool smooth, antialias;
  Tensor (*resize)(const Tensor& x, const Sizes& size, bool align, const Scales& s);
};

template <Tensor (*F1)(const Tensor&, IntArrayRef, std::optional<double>),
          Tensor (*F2)(const Tensor&, IntArrayRef, std::optional<double>, std::optional<double>),
          Tensor (*F3)(const Tensor&, IntArrayRef, std::optional<double>, std::optional<double>, std::optional<double>)>
Tensor nearest(const Tensor& x, const Sizes& size, bool, const Scales& s) {
  return x.dim() == 3 ? F1(x, size, s[0]) : x.dim() == 4 ? F2(x, size, s[0], s[1]) : F3(x, size, s[0], s[1], s[2]);
}
template <Tensor (*F)(const Tensor&, IntArrayRef, bool, std::optional<double>, std::optional<double>)>
Tensor smooth(const Tensor& x, const Sizes& size, bool align, const Scales& s) {
  return F(x, size, align, s[0], s[1]);
}

constexpr Mode kModes[] = {
    {"nearest", 0, false, false, nearest<upsample_nearest1d, upsample_nearest2d, upsample_nearest3d>},
    {"nearest-exact", 0, false, false,
     nearest<_upsample_nearest_exact1d, _upsample_nearest_exact2d, _upsample_nearest_exact3d>},
    {"area", 0, false, false,
     [](const Tensor& x, const Sizes& size, bool, const Scales&) { return _upsample_area(x, size); }},
    {"linear", 3, true, false,
     [](const Tensor& x, const Sizes& size, bool align, const Scales& s) {
       return upsample_linear1d(x, size, align, s[0]);
     }},
    {"bilinear", 4, true, false, smooth<upsample_bilinear2d>},
    {"bicubic", 4, true, false, smooth<upsample_bicubic2d>},
    {"trilinear", 5, true, false,
     [](const Tensor& x, const Sizes& size, bool align, const Scales& s) {
       return upsample_trilinear3d(x, size, align, s[0], s[1], s[2]);
     }},
    {"bilinear", 4, true, true, smooth<_upsample_bilinear2d_aa>},
    {"bicubic", 4, true, true, smooth<_upsample_bicubic2d_aa>},
};

/// The sizes that follow from the factors.
Sizes scaled(const Tensor& input, ArrayRef<double> factors) {
  Sizes size;
  for (size_t d = 0; d < factors.size(); ++d) {
    const double length = static_cast<double>(input.sizes()[d + 2]) * factors[d];
    check<ValueError>(std::isfinite(factors[d]) && factors[d] > 0,
                      "interpolate: a scale factor must be finite and positive, got ", factors[d]);
    check<ValueError>(length < 1e15, "interpolate: a scale factor of ", factors[d], " makes too large an output");
    size.push_back(static_cast<int64_t>(length));
  }
  return size;
}

}  // namespace

Tensor _interpolate(const Tensor& input, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scale_factor,
                    std::string_view mode, std::optional<bool> align_corners,
                    std::optional<bool> recompute_scale_factor, bool antialias) {
  check_defined(input, "interpolate", "input");
  const int64_t dims = input.dim();
  const size_t n = dims > 2 ? static_cast<size_t>(dims) - 2 : 0;
  const auto known = std::find_if(std::begin(kModes), std::end(kModes),
                                  [&](const Mode& m) { return m.name == mode && m.antialias == antialias; });
  const auto is_smooth = [&](const Mode& m) { return m.name == mode && m.smooth; };
  check<ValueError>(!align_corners || std::any_of(std::begin(kModes), std::end(kModes), is_smooth),
                    "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
                    "trilinear");
  check<ValueError>(!size || !scale_factor, "only one of size or scale_factor should be defined");
  check<ValueError>(size || scale_factor, "either size or scale_factor should be defined");
  const IntArrayRef spatial = input.sizes().slice(std::min<size_t>(2, input.sizes().size()), n);
  if (size)
    check<ValueError>(size->size() == n,
                      "Input and output must have the same number of spatial dimensions, but got input with spatial "
                      "dimensions of ",
                      spatial, " and output size of ", tuple(*size),
                      ". Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, "
                      "...,oK) format.");
  if (scale_factor)
    check<ValueError>(scale_factor->size() == n,
                      "Input and scale_factor must have the same number of spatial dimensions, but got input with "
                      "spatial dimensions of ",
                      spatial, " and scale_factor of shape ", tuple(*scale_factor),
                      ". Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, "
                      "...,sK) format.");
  const bool recompute = recompute_scale_factor.value_or(false);
  check<ValueError>(!size || !recompute, "recompute_scale_factor is not meaningful with an explicit size.");
  check<ValueError>(!antialias || ((mode == "bilinear" || mode == "bicubic" || mode == "lanczos") && dims == 4),
                    "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor "
                    "as input");
  check<NotImplementedError>(mode != "lanczos", "taut::nn.functional.interpolate: mode='lanczos' is not supported yet");
  check<NotImplementedError>(known != std::end(kModes) && dims >= 3 && dims <= 5,
                             "Input Error: Only 3D, 4D and 5D input Tensors supported (got ", dims,
                             "D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | "
                             "nearest-exact (got ",
                             mode, ")");
  check<NotImplementedError>(known->dims == 0 || known->dims == dims, "Got ", dims, "D input, but ", mode,
                             " mode needs ", known->dims, "D input");
  Scales scales;  // what positions are computed from; without them, the sizes
  if (scale_factor && !recompute && mode != "area")
    std::copy(scale_factor->begin(), scale_factor->end(), scales.begin());
  return known->resize(input, size ? size->vec() : scaled(input, *scale_factor), align_corners.value_or(false), scales);
}

Tensor _grid_sample(const Tensor& input, const Tensor& grid, std::string_view mode, std::string_view padding_mode,
                    bool align_corners) {
  const auto place = [](std::initializer_list<std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  const int64_t m = place({"bilinear", "nearest", "bicubic"}, mode),
                p = place({"zeros", "border", "reflection"}, padding_mode);
  check<ValueError>(m < 3, "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but ",
                    "got: '", mode, "'");
  check<ValueError>(p < 3, "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or ",
                    "'reflection', but got: '", padding_mode, "'");
  return grid_sampler(input, grid, m, p, align_corners);
}

extern const OpEntry resize_ops[];
extern const size_t resize_ops_count;
const OpEntry resize_ops[] = {
    doc("The input resized to a size, or by a scale factor.",
        op<_interpolate>(
            "_interpolate(Tensor input, int[]? size=None, float[]? scale_factor=None, str mode='nearest', bool? "
            "align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor",
            "t(1, 2, 3), [5]\nt(1, 1, 2, 3), None, [1.5, 2.0]\nt(1, 1, 1, 2, 2), [2, 3, 4], mode='nearest-exact'\n"
            "t(1, 1, 4, 3), None, [0.5, 1.4], 'area'\nt(1, 1, 3), None, [1.7], 'linear'\n"
            "t(1, 1, 3), None, [1.7], 'linear', None, True\nt(1, 1, 2, 3), [3, 5], None, 'bilinear', True\n"
            "t(1, 1, 2, 3), None, [1.3, 0.7], 'bicubic', False\nt(1, 1, 1, 2, 2), [2, 3, 3], None, 'trilinear'\n"
            "t(1, 1, 4, 5), [2, 3], None, 'bilinear', None, None, True\n"
            "t(1, 1, 4, 5), None, [0.5, 0.6], 'bicubic', antialias=True\nt(1, 2, 3), [5, 5]\nt(1, 2, 3)\n"
            "t(1, 2, 3), [5], None, 'bilinear'")),
    doc("The input read at the positions of grid, by the names of the modes.",
        op<_grid_sample>("_grid_sample(Tensor input, Tensor grid, str mode='bilinear', str padding_mode='zeros', bool "
                         "align_corners=False) -> Tensor",
                         "t(1, 2, 3, 3), u(1, 2, 2, 2)\nt(1, 1, 3, 2), u(1, 2, 2, 2), 'bicubic', 'border', True\n"
                         "t(1, 1, 3, 2), u(1, 2, 2, 2), 'bilinear', 'reflection'")),
};
const size_t resize_ops_count = std::size(resize_ops);

}  // namespace taut
