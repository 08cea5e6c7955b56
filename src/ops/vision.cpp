// Grid sampling, affine grids, pixel and channel shuffles: composed of other ops, so that any derivative is there. Grid
// sampling has kernels beside.
#include "taut/ops/vision.h"
#include "ops/autocast.h"

#include <array>

#include "kernels/sample.h"
#include "ops/batch_rules.h"
#include "ops/op.h"
#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

enum Interpolation { kBilinearMode = 0, kNearestMode = 1, kBicubicMode = 2 };
enum Padding { kZerosMode = 0, kBorderMode = 1, kReflectionMode = 2 };

/// Positions along one dimension of the input: in pixels, and what is outside.
struct Axis {
  int64_t size;
  Padding padding;
  bool align, volume;

  /// From [-1, 1] to pixels.
  Tensor pixels(const Tensor& x) const {
    const auto n = static_cast<double>(size);
    return align ? (x + 1) * ((n - 1) / 2) : ((x + 1) * n - 1) / 2;
  }
  /// Positions outside moved inside, as the padding says.
  Tensor inside(const Tensor& x) const {
    if (padding == kZerosMode) return x;
    Tensor y = x;
    if (padding == kReflectionMode) {
      const double low = align ? 0 : -0.5, span = align ? static_cast<double>(size - 1) : static_cast<double>(size);
      if (span == 0) {
        y = x * 0;
      } else {
        const Tensor distance = (x - low).abs(), extra = distance.fmod(span);
        const Tensor odd = (distance.detach() / span).floor().remainder(2) > 0.5;
        y = where(odd, span - extra, extra) + low;
      }
    }
    const auto last = static_cast<double>(size - 1);
    if (volume) y = y.masked_fill(y.detach().isnan(), last);           // see the kernel
    return where((y > 0) & (y < last), y, y.detach().clamp(0, last));  // the limits stop the gradient
  }
  /// Is this whole position a pixel?
  Tensor within(const Tensor& x) const { return (x >= 0) & (x <= static_cast<double>(size - 1)); }
  /// As an index; where it is no pixel, some other one.
  Tensor index(const Tensor& x) const { return x.nan_to_num(0).clamp(0, static_cast<double>(size - 1)).to(kLong); }
};

/// A whole position along one axis, and the weight its pixel has.
struct Tap {
  Tensor at, weight;  // no weight: 1
};

/// The pixels that contribute along one axis.
std::vector<Tap> taps_along(const Axis& axis, const Tensor& coordinate, int64_t mode) {
  const Tensor x = axis.pixels(coordinate);
  if (mode == kNearestMode) return {{axis.inside(x).detach().round(), {}}};
  if (mode == kBilinearMode) {
    const Tensor y = axis.inside(x), base = y.detach().floor(), part = y - base;
    return {{base, 1 - part}, {base + 1, part}};
  }
  // Bicubic: the four pixels around the position as it is, each moved inside for itself.
  const Tensor base = x.detach().floor(), t = x - base;
  constexpr double a = -0.75;
  const auto near = [&](const Tensor& d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [&](const Tensor& d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  const std::array<Tensor, 4> weights = {far(t + 1), near(t), near(1 - t), far(2 - t)};
  std::vector<Tap> taps;
  for (int k = 0; k < 4; ++k) taps.push_back({axis.inside(base + (k - 1)), weights[static_cast<size_t>(k)]});
  return taps;
}

void check_grid(const Tensor& input, const Tensor& grid, int64_t mode, int64_t padding, int64_t spatial,
                const char* op) {
  check_defined(input, op);
  check_defined(grid, op, "grid");
  check<TypeError>(input.is_floating_point() && input.scalar_type() == grid.scalar_type(), op,
                   ": expected input and grid to have the same floating dtype, but input has ", input.scalar_type(),
                   " and grid has ", grid.scalar_type());
  check<ValueError>(input.dim() == spatial + 2 && grid.dim() == input.dim(), op, ": expected ", spatial + 2,
                    "D input and grid with same number of dimensions, but got input with sizes ", input.sizes(),
                    " and grid with sizes ", grid.sizes());
  check<ValueError>(input.size(0) == grid.size(0), op,
                    ": expected grid and input to have same batch size, but got input with sizes ", input.sizes(),
                    " and grid with sizes ", grid.sizes());
  check<ValueError>(grid.size(-1) == spatial, op, ": expected grid to have size ", spatial,
                    " in last dimension, but got grid with sizes ", grid.sizes());
  for (int64_t d = 2; d < input.dim(); ++d)
    check<ValueError>(input.size(d) > 0, op,
                      ": expected input to have non-empty spatial dimensions, but input has sizes ", input.sizes());
  check<ValueError>(mode >= kBilinearMode && mode <= kBicubicMode, op,
                    ": interpolation_mode must be 0 (bilinear), 1 (nearest) or 2 (bicubic), got ", mode);
  check<ValueError>(padding >= kZerosMode && padding <= kReflectionMode, op,
                    ": padding_mode must be 0 (zeros), 1 (border) or 2 (reflection), got ", padding);
  check<ValueError>(spatial == 2 || mode != kBicubicMode, op, ": bicubic interpolation only supports 4D input");
}

Tensor sample_in_ops(const Tensor& input, const Tensor& grid, int64_t mode, int64_t padding, bool align) {
  const int64_t spatial = input.dim() - 2, batch = input.size(0), channels = input.size(1);
  Dims shape{batch, channels};
  int64_t points = 1;
  for (int64_t d = 1; d <= spatial; ++d) shape.push_back(grid.size(d)), points *= grid.size(d);
  const Tensor image = input.reshape({batch, channels, input.numel() == 0 ? 1 : -1});
  const Tensor flat = grid.reshape({batch, points, spatial});
  if (input.numel() == 0 || points == 0) return (flat.sum() * 0 + input.sum() * 0).expand(shape);

  std::vector<Axis> axes;
  std::vector<std::vector<Tap>> taps;  // by dimension; the last one is x, which comes first in the grid
  for (int64_t d = 0; d < spatial; ++d) {
    axes.push_back({input.size(d + 2), static_cast<Padding>(padding), align, spatial == 3});
    taps.push_back(taps_along(axes.back(), flat.select(2, spatial - 1 - d), mode));
  }
  Tensor sum;
  std::vector<size_t> choice(axes.size());
  for (;;) {
    Tensor index, weight, inside;
    for (size_t d = 0; d < axes.size(); ++d) {
      const Tap& tap = taps[d][choice[d]];
      const Tensor i = axes[d].index(tap.at), ok = axes[d].within(tap.at);
      index = index.defined() ? index * axes[d].size + i : i;
      inside = inside.defined() ? inside & ok : ok;
      if (tap.weight.defined()) weight = weight.defined() ? weight * tap.weight : tap.weight;
    }
    const Tensor pixels = image.gather(2, index.unsqueeze(1).expand({batch, channels, points}));
    const Tensor outside = inside.logical_not().unsqueeze(1);
    const Tensor part =
        weight.defined() ? pixels * weight.unsqueeze(1).masked_fill(outside, 0) : pixels.masked_fill(outside, 0);
    sum = sum.defined() ? sum + part : part;
    size_t d = 0;
    while (d < choice.size() && ++choice[d] == taps[d].size()) choice[d++] = 0;
    if (d == choice.size()) break;
  }
  // The nearest pixel does not move with the position: a gradient of zeros, not none.
  if (mode == kNearestMode && grid.requires_grad()) {
    const Tensor all = ones({batch, 1, points}, kBool);
    sum = sum + flat.select(2, 0).unsqueeze(1).masked_fill(all, 0);
  }
  return own_result(sum.view(shape), input, grid);
}

/// The same by kernels, for float32 and float64.
template <int D>
struct GridSampler {
  static constexpr const char* name = "grid_sampler";
  static constexpr const char* node = D == 2 ? "GridSampler2DBackward0" : "GridSampler3DBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1), kInput(0) | kInput(1)}, bends = kInput(1);
  int64_t mode, padding;
  bool align;

  kernels::GridSample plan(const Tensor& input, const Tensor& grid) const {
    kernels::GridSample s = {};
    s.shape.dims = D;
    for (int d = 0; d < D; ++d) s.shape.size[d] = input.size(-1 - d);
    s.shape.mode = static_cast<SampleMode>(mode);
    s.shape.padding = static_cast<SamplePadding>(padding);
    s.shape.align_corners = align;
    s.shape.along = mode == kNearestMode ? 1 : mode == kBilinearMode ? 2 : 4;
    s.shape.taps = s.shape.along * s.shape.along * (D == 3 ? s.shape.along : 1);
    s.batch = input.size(0), s.channels = input.size(1), s.points = grid.numel() / (s.batch * D);
    return s;
  }
  Tensor batch(const Batch& b, const Tensor& input, const Tensor& grid) const {
    const Tensor all = b.all(0, input), y = apply(*this, fold_items(all), fold_items(b.all(1, grid)));
    return unfold_items(y, b.size, all.size(1));
  }
  Tensor forward(const Tensor& input, const Tensor& grid) const {
    NoGradGuard guard;
    Dims shape(grid.sizes().slice(0, grid.sizes().size() - 1));
    shape.insert(1, input.size(1));
    const Tensor y = make(shape, input.scalar_type(), name), x = input.contiguous(), g = grid.contiguous();
    kernels::grid_sample(x.scalar_type(), plan(x, g), y.data_ptr(), x.data_ptr(), g.data_ptr());
    return y;
  }
  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const {
    const Tensor input = s.input(0), grid = s.input(1);
    if (must_record())
      return vjps_of(
          [&](const std::vector<Tensor>& in) {
            return std::vector<Tensor>{sample_in_ops(in[0], in[1], mode, padding, align)};
          },
          {input, grid}, grads, s, out);
    const Tensor x = input.contiguous(), at = grid.contiguous(), g = grads[0].contiguous();
    if (s.wants(0)) out[0] = make(x.sizes(), x.scalar_type(), name);
    if (s.wants(1)) out[1] = make(at.sizes(), at.scalar_type(), name);
    kernels::grid_sample_backward(x.scalar_type(), plan(x, at), s.wants(0) ? out[0].data_ptr() : nullptr,
                                  s.wants(1) ? out[1].data_ptr() : nullptr, g.data_ptr(), x.data_ptr(), at.data_ptr());
  }
};

/// The points of a grid, mapped by the matrices theta. The grid is made again for the gradient: nothing is kept.
struct AffineGrid {
  static constexpr const char* name = "affine_grid";
  static constexpr const char* node = "AffineGridGeneratorBackward0";
  static constexpr bool linear = true;
  Dims shape;
  bool align_corners;
  /// [points, x y (z) 1]
  Tensor points(ScalarType type) const {
    std::vector<Tensor> base;
    for (size_t d = shape.size(); d-- > 0;) {
      const int64_t n = shape[d];
      Tensor line = n > 1 ? linspace(-1, 1, n, type) : zeros({1}, type);
      if (!align_corners) line = (line * (n - 1) / n).to(type);
      Dims along(shape.size(), 1);
      along[d] = n;
      base.push_back(line.view(along).expand(shape).reshape({-1}));
    }
    base.push_back(ones_like(base[0]));
    return stack(base, 1);
  }
  Tensor batch(const Batch& b, const Tensor& theta) const {
    return unfold_items(apply(*this, fold_items(theta)), b.size, theta.size(1));
  }
  Tensor forward(const Tensor& theta) const {
    Dims result{theta.size(0)};
    for (int64_t n : shape) result.push_back(n);
    result.push_back(static_cast<int64_t>(shape.size()));
    return matmul(points(theta.scalar_type()), theta.transpose(1, 2)).view(result);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    return matmul(g.reshape({g.size(0), -1, g.size(-1)}).transpose(1, 2), points(g.scalar_type()));
  }
};

Tensor sample(const Tensor& input, const Tensor& grid, int64_t mode, int64_t padding, bool align, int64_t spatial,
              const char* op) {
  check_grid(input, grid, mode, padding, spatial, op);
  const bool wide = input.scalar_type() == kFloat || input.scalar_type() == kDouble;
  if (!wide || input.numel() == 0 || grid.numel() == 0 || input.numel() > INT32_MAX)
    return sample_in_ops(input, grid, mode, padding, align);
  if (spatial == 2) return apply(GridSampler<2>{mode, padding, align}, input, grid);
  return apply(GridSampler<3>{mode, padding, align}, input, grid);
}

}  // namespace

Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners) {
  AUTOCAST(grid_sampler_2d, as_wide(input), as_wide(grid), interpolation_mode, padding_mode, align_corners);
  return sample(input, grid, interpolation_mode, padding_mode, align_corners, 2, "grid_sampler_2d");
}
Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners) {
  AUTOCAST(grid_sampler_3d, as_wide(input), as_wide(grid), interpolation_mode, padding_mode, align_corners);
  return sample(input, grid, interpolation_mode, padding_mode, align_corners, 3, "grid_sampler_3d");
}
Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners) {
  AUTOCAST(grid_sampler, as_wide(input), as_wide(grid), interpolation_mode, padding_mode, align_corners);
  check_defined(input, "grid_sampler");
  check<ValueError>(input.dim() == 4 || input.dim() == 5,
                    "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input "
                    "with sizes ",
                    input.sizes());
  return sample(input, grid, interpolation_mode, padding_mode, align_corners, input.dim() - 2, "grid_sampler");
}

Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners) {
  check_defined(theta, "affine_grid", "theta");
  check<ValueError>(size.size() == 4 || size.size() == 5,
                    "affine_grid: AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs, got size ", size);
  for (int64_t s : size) check<ValueError>(s > 0, "affine_grid: Expected non-zero, positive output size. Got ", size);
  const auto spatial = static_cast<int64_t>(size.size()) - 2;
  check<ValueError>(
      theta.dim() == 3 && theta.size(0) == size[0] && theta.size(1) == spatial && theta.size(2) == spatial + 1,
      "affine_grid: Expected a batch of ", size[0], " affine matrices of shape ", spatial, "x", spatial + 1,
      " for size ", size, ", got theta of shape ", theta.sizes());
  return apply(AffineGrid{Dims(size.slice(2, size.size() - 2)), align_corners}, theta);
}

/// `y`, which has the elements of `self` in another order; where that order is the same, a copy of it, never a view.
static Tensor rearranged(const Tensor& self, const Tensor& y) {
  return y.is_view() && y.impl()->storage == self.impl()->storage ? y.clone() : y;
}
Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor) {
  check_defined(self, "pixel_shuffle");
  check<ValueError>(self.dim() >= 3, "pixel_shuffle expects input to have at least 3 dimensions, but got input with ",
                    self.dim(), " dimension(s)");
  const int64_t r = upscale_factor, c = self.size(-3), h = self.size(-2), w = self.size(-1);
  check<ValueError>(r > 0 && r < (1 << 20), "pixel_shuffle expects a positive upscale_factor, but got ", r);
  check<ValueError>(c % (r * r) == 0,
                    "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
                    "upscale_factor, but input.size(-3)=",
                    c, " is not divisible by ", r * r);
  const auto lead = self.sizes().slice(0, self.sizes().size() - 3);
  Dims split(lead), order, shape(lead);
  for (size_t d = 0; d < lead.size(); ++d) order.push_back(static_cast<int64_t>(d));
  const auto n = static_cast<int64_t>(lead.size());
  for (int64_t s : {c / (r * r), r, r, h, w}) split.push_back(s);
  for (int64_t d : {n, n + 3, n + 1, n + 4, n + 2}) order.push_back(d);
  for (int64_t s : {c / (r * r), h * r, w * r}) shape.push_back(s);
  return rearranged(self, self.reshape(split).permute(order).reshape(shape));
}
Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor) {
  check_defined(self, "pixel_unshuffle");
  check<ValueError>(self.dim() >= 3, "pixel_unshuffle expects input to have at least 3 dimensions, but got input with ",
                    self.dim(), " dimension(s)");
  const int64_t r = downscale_factor, c = self.size(-3), h = self.size(-2), w = self.size(-1);
  check<ValueError>(r > 0 && r < (1 << 20), "pixel_unshuffle expects a positive downscale_factor, but got ", r);
  check<ValueError>(h % r == 0 && w % r == 0,
                    "pixel_unshuffle expects height and width to be divisible by downscale_factor, but ", h, " x ", w,
                    " is not divisible by ", r);
  const auto lead = self.sizes().slice(0, self.sizes().size() - 3);
  Dims split(lead), order, shape(lead);
  for (size_t d = 0; d < lead.size(); ++d) order.push_back(static_cast<int64_t>(d));
  const auto n = static_cast<int64_t>(lead.size());
  for (int64_t s : {c, h / r, r, w / r, r}) split.push_back(s);
  for (int64_t d : {n, n + 2, n + 4, n + 1, n + 3}) order.push_back(d);
  for (int64_t s : {c * r * r, h / r, w / r}) shape.push_back(s);
  return rearranged(self, self.reshape(split).permute(order).reshape(shape));
}
Tensor channel_shuffle(const Tensor& self, int64_t groups) {
  check_defined(self, "channel_shuffle");
  check<ValueError>(self.dim() > 2, "channel_shuffle expects input with > 2 dims, but got input with sizes ",
                    self.sizes());
  check<ValueError>(groups > 0, "Number of groups to divide channels in must be positive. Value of groups:", groups);
  check<ValueError>(self.size(1) % groups == 0, "channel_shuffle: Number of channels must be divisible by groups. Got ",
                    self.size(1), " channels and ", groups, " groups.");
  Dims split(self.sizes());
  split[1] = groups;
  split.insert(2, self.size(1) / groups);
  return rearranged(self, self.reshape(split).transpose(1, 2).reshape(self.sizes()));
}

// ---- The registry.

extern const OpEntry vision_ops[];
extern const size_t vision_ops_count;
constexpr const char* kGrids =
    "t(2, 2, 3, 4), u(2, 3, 2, 2), 0, 0, False\nt(1, 2, 3, 4), t(1, 3, 3, 2), 0, 0, True\nt(1, 2, 3, 4), t(1, 3, 3, "
    "2), "
    "0, 1, False\nt(1, 1, 3, 4), t(1, 3, 3, 2), 0, 2, False\nt(1, 1, 3, 4), t(1, 3, 3, 2), 0, 2, True\nt(1, 2, 3, 4), "
    "t(1, 2, 3, 2), 1, 0, False\nt(1, 2, 3, 4), t(1, 2, 3, 2), 1, 1, True\nt(1, 2, 3, 4), t(1, 2, 3, 2), 1, 2, False\n"
    "t(1, 1, 4, 4), u(1, 2, 3, 2), 2, 0, False\nt(1, 1, 4, 3), t(1, 2, 3, 2), 2, 1, True\nt(1, 1, 4, 3), t(1, 2, 3, "
    "2), "
    "2, 2, False";
const OpEntry vision_ops[] = {
    doc("The input read at the positions of grid, in units where it reaches from -1 to 1.",
        op<grid_sampler>("grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
                         "align_corners) -> Tensor",
                         "t(1, 2, 3, 2), u(1, 2, 2, 2), 0, 0, False\nt(1, 1, 2, 3, 2), t(1, 2, 2, 2, 3), 0, 1, True")),
    doc("The image read at the positions of grid, in units where it reaches from -1 to 1.",
        op<grid_sampler_2d>("grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
                            "align_corners) -> Tensor",
                            kGrids)),
    doc("The volume read at the positions of grid, in units where it reaches from -1 to 1.",
        op<grid_sampler_3d>(
            "grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
            "align_corners) -> Tensor",
            "t(1, 2, 3, 2, 3), u(1, 2, 2, 1, 3), 0, 0, False\nt(1, 1, 2, 3, 2), t(1, 2, 2, 2, 3), 0, 2, "
            "False\nt(1, 1, 2, 3, 2), t(1, 2, 2, 2, 3), 1, 1, True")),
    doc("The grid of positions that the affine map theta makes.",
        op<affine_grid_generator>(
            "affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor",
            "t(2, 2, 3), [2, 3, 4, 5], False\nt(1, 2, 3), [1, 1, 2, 1], True\nt(1, 3, 4), [1, 2, 2, 3, "
            "2], False\nt(1, 3, 4), [1, 2, 2, 3, 2], True")),
    doc("Moves channels into space: [C r r, H, W] to [C, H r, W r].",
        op<pixel_shuffle>("pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
                          "t(2, 8, 2, 3), 2\nt(4, 1, 2), 2\nt(2, 1, 9, 1, 2), 3\nt(0, 4, 2, 2), 2")),
    doc("Moves space into channels: [C, H r, W r] to [C r r, H, W].",
        op<pixel_unshuffle>("pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
                            "t(2, 2, 4, 6), 2\nt(1, 2, 4), 2\nt(2, 1, 1, 3, 6), 3")),
    doc("Deals the channels of each group out in turn.",
        op<channel_shuffle>("channel_shuffle(Tensor self, int groups) -> Tensor", "t(2, 6, 3), 3\nt(1, 4, 2, 2), 2")),
};
const size_t vision_ops_count = std::size(vision_ops);

}  // namespace taut
