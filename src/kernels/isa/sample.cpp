// Sampling an image at points: where the taps of a vector of points are, and sums over them.
#include "kernels/isa/sample.h"

#include "kernels/isa/vector.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {

template <class T>
using Offset = typename SampleTaps<T>::Offset;

/// The pixels along one dimension: whole positions (maybe outside), weights, and slopes of the weights.
template <class T, int K>
struct AxisTaps {
  Vec<T> at[K], weight[K], slope[K];
  hn::Mask<Tag<T>> inside[K];
};

/// A position moved into the image, as the padding says; a NaN becomes 0, in a volume the last pixel, as PyTorch has
/// it. `slope` is the derivative.
template <class T>
HWY_INLINE Vec<T> pad(const SampleShape& s, T n, Vec<T> x, Vec<T>& slope) {
  const Tag<T> d;
  const auto zero = hn::Zero(d), one = hn::Set(d, T(1)), last = hn::Set(d, n - 1);
  slope = one;
  if (s.padding == SamplePadding::Zeros) return x;
  if (s.padding == SamplePadding::Reflection) {
    const T low = s.align_corners ? T(0) : T(-0.5), span = s.align_corners ? n - 1 : n;
    if (span == 0) {
      slope = x = zero;
    } else {
      const auto from = hn::Sub(x, hn::Set(d, low)), twice = hn::Set(d, 2 * span);
      auto extra = hn::Abs(from);
      extra = hn::Sub(extra, hn::Mul(hn::Trunc(hn::Div(extra, twice)), twice));
      const auto back = hn::Gt(extra, hn::Set(d, span));
      slope = hn::IfThenElse(hn::Xor(hn::Lt(from, zero), back), hn::Neg(one), one);
      x = hn::Add(hn::Min(extra, hn::Sub(twice, extra)), hn::Set(d, low));
    }
  }
  slope = hn::IfThenElseZero(hn::And(hn::Gt(x, zero), hn::Lt(x, last)), slope);
  if (s.dims == 3) x = hn::IfThenElse(hn::IsNaN(x), last, x);
  x = hn::IfThenElseZero(hn::Gt(x, zero), x);
  return hn::Min(x, last);
}

template <class T, int K>
HWY_INLINE void along(const SampleShape& s, int dim, Vec<T> coordinate, AxisTaps<T, K>& to) {
  const Tag<T> d;
  const T n = static_cast<T>(s.size[dim]), half = (s.align_corners ? n - 1 : n) / 2;
  const auto one = hn::Set(d, T(1)), scale = hn::Set(d, half);
  auto x = hn::Mul(hn::Add(coordinate, one), scale);
  if (!s.align_corners) x = hn::Sub(x, hn::Set(d, T(0.5)));
  Vec<T> slope;
  if constexpr (K == 1) {
    to.at[0] = hn::Round(pad<T>(s, n, x, slope));
    to.weight[0] = one;
    to.slope[0] = hn::Zero(d);
  } else if constexpr (K == 2) {
    x = pad<T>(s, n, x, slope);
    slope = hn::Mul(slope, scale);
    to.at[0] = hn::Floor(x);
    to.at[1] = hn::Add(to.at[0], one);
    to.weight[1] = hn::Sub(x, to.at[0]);
    to.weight[0] = hn::Sub(one, to.weight[1]);
    to.slope[1] = slope;
    to.slope[0] = hn::Neg(slope);
  } else {  // the four pixels around the position as it is, each moved inside for itself
    const auto base = hn::Floor(x), t = hn::Sub(x, base), u = hn::Sub(one, t);
    const auto a = hn::Set(d, T(-0.75)), a2 = hn::Set(d, T(1.25)), a3 = hn::Set(d, T(2.25));  // a, a + 2, a + 3
    const auto near = [&](Vec<T> v) HWY_ATTR { return hn::MulAdd(hn::Mul(hn::MulSub(a2, v, a3), v), v, one); };
    const auto far = [&](Vec<T> v, Vec<T> w) HWY_ATTR { return hn::Mul(hn::Mul(a, v), hn::Mul(w, w)); };
    const auto near_slope = [&](Vec<T> v) HWY_ATTR {
      return hn::Mul(hn::Mul(hn::MulSub(hn::Mul(hn::Set(d, T(3)), a2), v, hn::Add(a3, a3)), v), scale);
    };
    const auto far_slope = [&](Vec<T> v, Vec<T> w)
                               HWY_ATTR { return hn::Mul(hn::Mul(hn::Mul(a, w), hn::Sub(w, hn::Add(v, v))), scale); };
    to.weight[0] = far(t, u), to.weight[1] = near(t), to.weight[2] = near(u), to.weight[3] = far(u, t);
    to.slope[0] = far_slope(t, u), to.slope[1] = near_slope(t);
    to.slope[2] = hn::Neg(near_slope(u)), to.slope[3] = hn::Neg(far_slope(u, t));
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) to.at[k] = pad<T>(s, n, hn::Add(base, hn::Set(d, T(k - 1))), slope);
  }
  const auto last = hn::Set(d, n - 1);
#pragma GCC unroll 4
  for (int k = 0; k < K; ++k) {
    to.inside[k] = hn::And(hn::Ge(to.at[k], hn::Zero(d)), hn::Le(to.at[k], last));
    to.at[k] = hn::IfThenElseZero(to.inside[k], to.at[k]);
    if (s.dims == 3) to.weight[k] = hn::IfThenElseZero(to.inside[k], to.weight[k]);  // it may be no number
  }
}

/// K pixels along each of D dimensions.
template <class T, int D, int K>
void find_taps(const SampleShape& s, const T (*coordinate)[kSampleChunk], int64_t n, bool slopes, SampleTaps<T>& to) {
  const Tag<T> d;
  const Tag<Offset<T>> di;
  AxisTaps<T, K> axis[D];
  // Offsets are counted in int32 or in double, which hold them exactly and can be multiplied.
  const auto size = [&](int k) HWY_ATTR {
    if constexpr (sizeof(T) == 4) return hn::Set(di, static_cast<Offset<T>>(s.size[k]));
    else return hn::Set(d, static_cast<T>(s.size[k]));
  };
  const auto whole = [&](Vec<T> at) HWY_ATTR {
    if constexpr (sizeof(T) == 4) return hn::ConvertTo(di, at);
    else return at;
  };
  const auto as_offset = [&](auto at) HWY_ATTR {
    if constexpr (sizeof(T) == 4) return at;
    else return hn::ConvertTo(di, at);
  };
  for (int64_t i = 0; i < n; i += kLanes<T>) {
#pragma GCC unroll 3
    for (int k = 0; k < D; ++k) along<T, K>(s, k, hn::Load(d, coordinate[k] + i), axis[k]);
    int t = 0;
#pragma GCC unroll 2
    for (int z = 0; z < (D == 3 ? K : 1); ++z)
#pragma GCC unroll 2
      for (int y = 0; y < K; ++y) {
        auto weight = axis[1].weight[y];
        auto row_inside = axis[1].inside[y];
        auto row = whole(axis[1].at[y]);
        if constexpr (D == 3) {
          weight = hn::Mul(weight, axis[2].weight[z]);
          row_inside = hn::And(row_inside, axis[2].inside[z]);
          row = hn::Add(hn::Mul(whole(axis[2].at[z]), size(1)), row);
        }
        row = hn::Mul(row, size(0));
#pragma GCC unroll 2
        for (int x = 0; x < K; ++x, ++t) {
          const auto offset = as_offset(hn::Add(row, whole(axis[0].at[x])));
          const auto inside = hn::RebindMask(di, hn::And(row_inside, axis[0].inside[x]));
          hn::Store(hn::IfThenElse(inside, offset, hn::Set(di, -1)), di, to.offset[t] + i);
          hn::Store(hn::Mul(axis[0].weight[x], weight), d, to.weight[t] + i);
          if (!slopes) continue;
          hn::Store(hn::Mul(axis[0].slope[x], weight), d, to.slope[0][t] + i);
          auto along_y = hn::Mul(axis[0].weight[x], axis[1].slope[y]);
          if constexpr (D == 3) {
            along_y = hn::Mul(along_y, axis[2].weight[z]);
            const auto xy = hn::Mul(axis[0].weight[x], axis[1].weight[y]);
            hn::Store(hn::Mul(xy, axis[2].slope[z]), d, to.slope[2][t] + i);
          }
          hn::Store(along_y, d, to.slope[1][t] + i);
        }
      }
  }
}

template <class T>
void taps(const SampleShape& s, const T (*coordinate)[kSampleChunk], int64_t n, bool slopes, SampleTaps<T>& to) {
  const auto find = s.dims == 3    ? s.along == 1 ? find_taps<T, 3, 1> : find_taps<T, 3, 2>
                       : s.along == 1 ? find_taps<T, 2, 1>
                    : s.along == 2 ? find_taps<T, 2, 2>
                                   : find_taps<T, 2, 4>;
  find(s, coordinate, n, slopes, to);
}

template <class T>
HWY_INLINE Vec<T> pixels(const T* image, const Offset<T>* offset) {
  const Tag<T> d;
  const Tag<Offset<T>> di;
  const auto at = hn::Load(di, offset);
  const auto inside = hn::Gt(at, hn::Set(di, -1));
  return hn::IfThenElseZero(hn::RebindMask(d, inside), hn::GatherIndex(d, image, hn::IfThenElseZero(inside, at)));
}

template <class T>
void sum(const SampleTaps<T>& taps, int count, int64_t n, const T* image, T* y) {
  const Tag<T> d;
  for (int64_t i = 0; i < n; i += kLanes<T>) {
    auto acc = hn::Mul(hn::Load(d, taps.weight[0] + i), pixels<T>(image, taps.offset[0] + i));
    for (int t = 1; t < count; ++t)
      acc = hn::MulAdd(hn::Load(d, taps.weight[t] + i), pixels<T>(image, taps.offset[t] + i), acc);
    if (i + kLanes<T> <= n) hn::StoreU(acc, d, y + i);
    else store_part(acc, y + i, n - i);
  }
}

template <class T>
void dots(const SampleTaps<T>& taps, int count, int64_t n, const T* image, const T* g, T (*sums)[kSampleChunk]) {
  const Tag<T> d;
  for (int64_t i = 0; i < n; i += kLanes<T>) {
    const auto gv = i + kLanes<T> <= n ? hn::LoadU(d, g + i) : load_part(g + i, n - i, T(0));
    for (int t = 0; t < count; ++t)
      hn::Store(hn::MulAdd(gv, pixels<T>(image, taps.offset[t] + i), hn::Load(d, sums[t] + i)), d, sums[t] + i);
  }
}

template <class T>
constexpr SampleKernels<T> kernels = {taps<T>, sum<T>, dots<T>};

}  // namespace

extern const SampleTable sample_table;
const SampleTable sample_table = {kernels<float>, kernels<double>};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
