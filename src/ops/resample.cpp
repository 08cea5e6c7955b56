// Resizing: every kind is a weighted sum along one spatial dimension after the other, so all are one linear op whose
// derivative is its transpose. The positions are rounded as PyTorch rounds them.
#include "taut/ops/resample.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/resample.h"
#include "ops/batch_rules.h"
#include "ops/op.h"
#include "ops/registry.h"
#include "taut/ops/pool.h"

namespace taut {

namespace {

using kernels::Taps;

enum class Filter { Nearest, NearestExact, Linear, Cubic, LinearAntialias, CubicAntialias };

/// The steps of the input between two outputs.
template <class T>
T step_between(int64_t in, int64_t out, std::optional<double> scale) {
  return scale && *scale > 0 ? static_cast<T>(1.0 / *scale) : static_cast<T>(in) / static_cast<T>(out);
}
template <class T>
T aligned_step(int64_t in, int64_t out, bool align, std::optional<double> scale) {
  if (!align) return step_between<T>(in, out, scale);
  return out > 1 ? static_cast<T>(in - 1) / static_cast<T>(out - 1) : T(0);
}

/// The cubic convolution kernel at distance x.
template <class T>
T cubic(T x, T a) {
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : T(0);
}

/// Adds what output o reads, for each kind of filter. T is the type PyTorch computes positions in.
template <class T>
struct TapMaker {
  Taps& taps;
  int64_t in, out;
  bool align;
  std::optional<double> scale;

  T step() const { return aligned_step<T>(in, out, align, scale); }
  int64_t last() const { return in - 1; }

  /// `shift`: where in its step an output stands.
  void nearest(int64_t o, float shift) const {
    const float at = (static_cast<float>(o) + shift) * step_between<float>(in, out, scale);
    taps.add(std::min(static_cast<int64_t>(std::floor(at)), last()), 1);
  }
  void linear(int64_t o) const {
    if (out == in) return taps.add(o, 1);
    const T at = static_cast<T>(o), x = align ? step() * at : std::max(T(0), step() * (at + T(0.5)) - T(0.5));
    const int64_t i = std::min(static_cast<int64_t>(std::floor(x)), last()), next = i < last() ? i + 1 : i;
    const T part = std::min(std::max(x - static_cast<T>(i), T(0)), T(1));
    taps.add(i, T(1) - part);
    taps.add(next, part);
  }
  void bicubic(int64_t o) const {
    const T at = static_cast<T>(o), x = align ? step() * at : step() * (at + T(0.5)) - T(0.5), base = std::floor(x);
    const T part = std::min(std::max(x - base, T(0)), T(1));
    for (int64_t k = -1; k <= 2; ++k)
      taps.add(std::clamp(static_cast<int64_t>(base) + k, int64_t{0}, last()),
               cubic(static_cast<T>(k) - part, T(-0.75)));
  }
  /// `kernel(x)` for all inputs nearer than `radius` steps, made to sum to one.
  template <class F>
  void antialiased(int64_t o, T radius, F kernel) const {
    if (out == in) return taps.add(o, 1);  // whatever the scale
    const T wide = std::max(step(), T(1)), reach = radius * wide, center = step() * (static_cast<T>(o) + T(0.5));
    const auto low = std::max(static_cast<int64_t>(center - reach + T(0.5)), int64_t{0});
    const auto high = std::min(static_cast<int64_t>(center + reach + T(0.5)), in);
    const size_t first = taps.weight.size();
    T total = 0;
    for (int64_t i = low; i < high; ++i) {
      const T w = kernel((static_cast<T>(i) - center + T(0.5)) / wide);
      taps.add(i, w);
      total += w;
    }
    for (size_t k = first; k < taps.weight.size() && total != 0; ++k) taps.weight[k] /= total;
  }

  void add(Filter filter, int64_t o) const {
    switch (filter) {
      case Filter::Nearest: return nearest(o, 0);
      case Filter::NearestExact: return nearest(o, 0.5f);
      case Filter::Linear: return linear(o);
      case Filter::Cubic: return bicubic(o);
      case Filter::LinearAntialias: return antialiased(o, 1, [](T x) { return std::max(T(0), 1 - std::abs(x)); });
      case Filter::CubicAntialias: return antialiased(o, 2, [](T x) { return cubic(x, T(-0.5)); });
    }
  }
};

template <class T>
Taps make_taps(Filter filter, int64_t in, int64_t out, bool align, std::optional<double> scale) {
  Taps taps;
  taps.inputs = in;
  taps.start.reserve(static_cast<size_t>(out) + 1);
  const TapMaker<T> maker{taps, in, out, align, scale};
  for (int64_t o = 0; o < out; ++o) {
    maker.add(filter, o);
    taps.close();
  }
  return taps;
}

/// PyTorch sums the bytes of images in integers: weights of as many bits as 16 have room for. As fractions of that
/// power of two they sum without rounding in float32 too.
Taps rounded_weights(const Taps& taps) {
  Taps r;
  r.inputs = taps.inputs;
  for (size_t o = 0; o + 1 < taps.start.size(); ++o) {
    const auto begin = static_cast<size_t>(taps.start[o]), end = static_cast<size_t>(taps.start[o + 1]);
    for (size_t k = begin; k < end; ++k) {
      if (k > begin && taps.index[k] == taps.index[k - 1]) r.weight.back() += taps.weight[k];  // at a border
      else r.add(taps.index[k], taps.weight[k]);
    }
    r.close();
  }
  const double most = r.weight.empty() ? 0 : *std::max_element(r.weight.begin(), r.weight.end());
  double unit = 1;
  while (unit < 0x1p22 && std::floor(0.5 + most * unit * 2) < 0x1p15) unit *= 2;
  for (double& w : r.weight) w = std::trunc(w * unit + std::copysign(0.5, w)) / unit;
  return r;
}

/// One list of taps for each spatial dimension; transposed, it maps gradients back.
struct Resample {
  static constexpr bool linear = true;
  const char *op, *node;
  std::shared_ptr<const std::vector<Taps>> taps, back;
  const char* op_name() const { return op; }
  const char* node_name() const { return node; }
  Tensor batch(const Batch& b, const Tensor& x) const {
    return unfold_items(apply(*this, fold_items(x)), b.size, x.size(1));
  }
  Tensor forward(const Tensor& x) const {
    const ScalarType type = x.scalar_type() == kDouble ? kDouble : kFloat;
    Tensor from = x.to(type).contiguous();
    Dims shape(x.sizes());
    for (size_t d = taps->size(); d-- > 0;) {
      const Taps& t = (*taps)[d];
      int64_t outer = 1, inner = 1;
      for (size_t e = 0; e < d + 2; ++e) outer *= shape[e];
      for (size_t e = d + 3; e < shape.size(); ++e) inner *= shape[e];
      shape[d + 2] = t.outputs();
      const Tensor to = make(shape, type, op);
      kernels::resample(type, to.data_ptr(), from.data_ptr(), outer, inner, t);
      // PyTorch keeps the bytes between two dimensions as bytes.
      from = x.scalar_type() == kByte ? (to + 0.5).floor().clamp(0, 255) : to;
    }
    return from.to(x.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(Resample{op, node, back, taps}, g); }
};

Tensor resized(const char* op, const char* node, Filter filter, const Tensor& x, IntArrayRef size, bool align,
               const std::vector<std::optional<double>>& scales) {
  check_defined(x, op);
  const size_t n = scales.size();
  check<ValueError>(x.dim() == static_cast<int64_t>(n) + 2, op, ": Expected a ", n + 2,
                    "-D input (batch, channels, and ", n, " spatial dimensions), got shape ", x.sizes());
  check<ValueError>(size.size() == n, op, ": It is expected output_size equals to ", n, ", but got size ", size.size());
  const bool bytes = x.scalar_type() == kByte;
  check<TypeError>(x.is_floating_point() || bytes, op, ": not implemented for ", x.scalar_type(),
                   ". Convert the input first: x.to(taut::kFloat).");
  for (size_t d = 0; d < n; ++d) {
    check<ValueError>(x.sizes()[d + 2] > 0 && size[d] > 0, op,
                      ": Input and output sizes should be greater than 0, but got input ", x.sizes(), " and output ",
                      size);
    check<ValueError>(!scales[d] || std::isfinite(*scales[d]), op, ": a scale factor must be finite, got ",
                      scales[d].value_or(0));
  }
  check(x.size(1) > 0, op, ": Non-empty ", n + 2, "D data tensor expected but got a tensor with sizes ", x.sizes());
  Dims shape(x.sizes());
  for (size_t d = 0; d < n; ++d) shape[d + 2] = size[d];
  shape[0] = std::max<int64_t>(shape[0], 1);
  make(shape, x.scalar_type(), op);  // is there room for the result? The taps would need as much, even for no images
  auto taps = std::make_shared<std::vector<Taps>>(), back = std::make_shared<std::vector<Taps>>();
  for (size_t d = 0; d < n; ++d) {
    const int64_t in = x.sizes()[d + 2];
    const bool image = bytes && n == 2 && filter >= Filter::Linear;
    taps->push_back(x.scalar_type() == kDouble || image ? make_taps<double>(filter, in, size[d], align, scales[d])
                                                        : make_taps<float>(filter, in, size[d], align, scales[d]));
    if (image) taps->back() = rounded_weights(taps->back());
    back->push_back(taps->back().transposed());
  }
  return apply(Resample{op, node, taps, back}, x);
}

}  // namespace

Tensor upsample_nearest1d(const Tensor& self, IntArrayRef output_size, std::optional<double> scales) {
  return resized("upsample_nearest1d", "UpsampleNearest1DBackward0", Filter::Nearest, self, output_size, false,
                 {scales});
}
Tensor upsample_nearest2d(const Tensor& self, IntArrayRef output_size, std::optional<double> h,
                          std::optional<double> w) {
  check_defined(self, "upsample_nearest2d");
  // As in PyTorch, a side that stays or doubles does so whatever the scale says.
  const auto scale = [&](size_t d, std::optional<double> given) -> std::optional<double> {
    if (self.dim() != 4 || output_size.size() != 2) return given;  // refused below
    const int64_t in = self.sizes()[d + 2], out = output_size[d];
    return out == in || (out % 2 == 0 && out / 2 == in) ? std::nullopt : given;
  };
  return resized("upsample_nearest2d", "UpsampleNearest2DBackward0", Filter::Nearest, self, output_size, false,
                 {scale(0, h), scale(1, w)});
}
Tensor upsample_nearest3d(const Tensor& self, IntArrayRef output_size, std::optional<double> d, std::optional<double> h,
                          std::optional<double> w) {
  return resized("upsample_nearest3d", "UpsampleNearest3DBackward0", Filter::Nearest, self, output_size, false,
                 {d, h, w});
}
Tensor _upsample_nearest_exact1d(const Tensor& self, IntArrayRef output_size, std::optional<double> scales) {
  return resized("_upsample_nearest_exact1d", "UpsampleNearestExact1DBackward0", Filter::NearestExact, self,
                 output_size, false, {scales});
}
Tensor _upsample_nearest_exact2d(const Tensor& self, IntArrayRef output_size, std::optional<double> h,
                                 std::optional<double> w) {
  return resized("_upsample_nearest_exact2d", "UpsampleNearestExact2DBackward0", Filter::NearestExact, self,
                 output_size, false, {h, w});
}
Tensor _upsample_nearest_exact3d(const Tensor& self, IntArrayRef output_size, std::optional<double> d,
                                 std::optional<double> h, std::optional<double> w) {
  return resized("_upsample_nearest_exact3d", "UpsampleNearestExact3DBackward0", Filter::NearestExact, self,
                 output_size, false, {d, h, w});
}
Tensor upsample_linear1d(const Tensor& self, IntArrayRef output_size, bool align_corners,
                         std::optional<double> scales) {
  return resized("upsample_linear1d", "UpsampleLinear1DBackward0", Filter::Linear, self, output_size, align_corners,
                 {scales});
}
Tensor upsample_bilinear2d(const Tensor& self, IntArrayRef output_size, bool align_corners, std::optional<double> h,
                           std::optional<double> w) {
  return resized("upsample_bilinear2d", "UpsampleBilinear2DBackward0", Filter::Linear, self, output_size, align_corners,
                 {h, w});
}
Tensor upsample_trilinear3d(const Tensor& self, IntArrayRef output_size, bool align_corners, std::optional<double> d,
                            std::optional<double> h, std::optional<double> w) {
  return resized("upsample_trilinear3d", "UpsampleTrilinear3DBackward0", Filter::Linear, self, output_size,
                 align_corners, {d, h, w});
}
Tensor upsample_bicubic2d(const Tensor& self, IntArrayRef output_size, bool align_corners, std::optional<double> h,
                          std::optional<double> w) {
  return resized("upsample_bicubic2d", "UpsampleBicubic2DBackward0", Filter::Cubic, self, output_size, align_corners,
                 {h, w});
}
Tensor _upsample_bilinear2d_aa(const Tensor& self, IntArrayRef output_size, bool align_corners, std::optional<double> h,
                               std::optional<double> w) {
  return resized("_upsample_bilinear2d_aa", "UpsampleBilinear2DAaBackward0", Filter::LinearAntialias, self, output_size,
                 align_corners, {h, w});
}
Tensor _upsample_bicubic2d_aa(const Tensor& self, IntArrayRef output_size, bool align_corners, std::optional<double> h,
                              std::optional<double> w) {
  return resized("_upsample_bicubic2d_aa", "UpsampleBicubic2DAaBackward0", Filter::CubicAntialias, self, output_size,
                 align_corners, {h, w});
}
Tensor _upsample_area(const Tensor& self, IntArrayRef output_size) {
  check<ValueError>(output_size.size() >= 1 && output_size.size() <= 3,
                    "area interpolation: expected one to three output sizes, got ", output_size);
  check_defined(self, "_upsample_area");
  check<ValueError>(self.dim() == static_cast<int64_t>(output_size.size()) + 2,
                    "area interpolation: expected an input with ", output_size.size(),
                    " spatial dimensions after batch and channels, got shape ", self.sizes());
  return output_size.size() == 1   ? adaptive_avg_pool1d(self, output_size)
         : output_size.size() == 2 ? adaptive_avg_pool2d(self, output_size)
                                   : adaptive_avg_pool3d(self, output_size);
}

// ---- The registry.

extern const OpEntry resample_ops[];
extern const size_t resample_ops_count;
const OpEntry resample_ops[] = {
    doc("Resizes rows, taking the nearest value.",
        op<upsample_nearest1d>(
            "upsample_nearest1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor",
            "t(2, 2, 3), [7]\nt(1, 2, 5), [2]\nt(1, 1, 4), [6], 1.6\nt(2, 2, 3), [6]\nt(0, 2, 3), [5]")),
    doc("Resizes images, taking the nearest pixel.",
        op<upsample_nearest2d>("upsample_nearest2d(Tensor self, int[2] output_size, float? scales_h=None, float? "
                               "scales_w=None) -> Tensor",
                               "t(2, 2, 3, 2), [5, 3]\nt(1, 1, 2, 3), [4, 6]\nt(1, 2, 4, 4), [2, 3], 0.6, 0.8")),
    doc("Resizes volumes, taking the nearest voxel.",
        op<upsample_nearest3d>("upsample_nearest3d(Tensor self, int[3] output_size, float? scales_d=None, float? "
                               "scales_h=None, float? scales_w=None) -> Tensor",
                               "t(1, 2, 2, 2, 3), [3, 2, 5]\nt(1, 1, 2, 3, 2), [4, 6, 4], 2.0, 2.0, 2.0")),
    doc("Resizes rows, taking the value nearest to the centre.",
        op<_upsample_nearest_exact1d>(
            "_upsample_nearest_exact1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor",
            "t(2, 2, 3), [7]\nt(1, 2, 5), [2]\nt(1, 1, 4), [6], 1.6")),
    doc("Resizes images, taking the pixel nearest to the centre.",
        op<_upsample_nearest_exact2d>(
            "_upsample_nearest_exact2d(Tensor self, int[2] output_size, float? scales_h=None, "
            "float? scales_w=None) -> Tensor",
            "t(2, 2, 3, 2), [5, 3]\nt(1, 2, 4, 4), [2, 3], 0.6, 0.8")),
    doc("Resizes volumes, taking the voxel nearest to the centre.",
        op<_upsample_nearest_exact3d>(
            "_upsample_nearest_exact3d(Tensor self, int[3] output_size, float? scales_d=None, "
            "float? scales_h=None, float? scales_w=None) -> Tensor",
            "t(1, 2, 2, 2, 3), [3, 2, 5]")),
    doc("Resizes rows linearly.",
        op<upsample_linear1d>(
            "upsample_linear1d(Tensor self, int[1] output_size, bool align_corners, float? scales=None) "
            "-> Tensor",
            "t(2, 2, 3), [7], False\nt(1, 2, 5), [3], True\nt(1, 1, 4), [6], False, 1.6\nt(1, 1, 3), [1], "
            "True\nt(1, 2, 4), [4], False")),
    doc("Resizes images linearly in both directions.",
        op<upsample_bilinear2d>(
            "upsample_bilinear2d(Tensor self, int[2] output_size, bool align_corners, float? "
            "scales_h=None, float? scales_w=None) -> Tensor",
            "t(2, 2, 3, 2), [5, 3], False\nt(1, 2, 2, 3), [4, 6], True\nt(1, 1, 4, 4), [2, 3], False, "
            "0.6, 0.8\nt(0, 1, 2, 2), [3, 3], False")),
    doc("Resizes volumes linearly in all three directions.",
        op<upsample_trilinear3d>("upsample_trilinear3d(Tensor self, int[3] output_size, bool align_corners, float? "
                                 "scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
                                 "t(1, 2, 2, 2, 3), [3, 2, 5], False\nt(1, 1, 2, 3, 2), [3, 3, 3], True")),
    doc("Resizes images by cubic splines.",
        op<upsample_bicubic2d>(
            "upsample_bicubic2d(Tensor self, int[2] output_size, bool align_corners, float? "
            "scales_h=None, float? scales_w=None) -> Tensor",
            "t(2, 1, 3, 2), [5, 3], False\nt(1, 2, 4, 3), [6, 6], True\nt(1, 1, 5, 5), [2, 3], False, "
            "0.5, 0.7")),
    doc("Resizes images linearly, averaging over what each new pixel covers.",
        op<_upsample_bilinear2d_aa>(
            "_upsample_bilinear2d_aa(Tensor self, int[2] output_size, bool align_corners, float? "
            "scales_h=None, float? scales_w=None) -> Tensor",
            "t(1, 2, 5, 6), [2, 3], False\nt(1, 1, 3, 3), [5, 2], True\nt(1, 1, 7, 4), [3, 2], "
            "False, 0.5, 0.5")),
    doc("Resizes images by cubic splines, averaging over what each new pixel covers.",
        op<_upsample_bicubic2d_aa>("_upsample_bicubic2d_aa(Tensor self, int[2] output_size, bool align_corners, float? "
                                   "scales_h=None, float? scales_w=None) -> Tensor",
                                   "t(1, 2, 5, 6), [2, 3], False\nt(1, 1, 3, 3), [5, 2], True")),
    doc("Resizes by averaging over what each new pixel covers.",
        no_out(op<_upsample_area>("_upsample_area(Tensor self, int[] output_size) -> Tensor",
                                  "t(2, 2, 5), [3]\nt(1, 2, 3, 5), [2, 7]\nt(1, 1, 3, 2, 4), [2, 2, 2]"))),
};
const size_t resample_ops_count = std::size(resample_ops);

}  // namespace taut
