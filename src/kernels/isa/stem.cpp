// Winograd's transforms along rows for 4 results of 4 taps (Toom and Cook's F(4, 4) with the points 0, 1, -1, 1/2,
// -1/2, infinity, 2) or of 3 taps (without the last point). The fractions of Bt are in the weights, see
// src/kernels/stem.cpp.
#include "kernels/isa/stem.h"

#include "kernels/isa/vector.h"

namespace taut::TAUT_ISA {
namespace {

using F = Vec<float>;
constexpr Tag<float> d;
constexpr int64_t kPanel = kVectors * kLanes<float>;
constexpr int kRows = HWY_MAX_BYTES == 64 ? 7 : 6;
constexpr int kVectorsAtOnce = HWY_MAX_BYTES == 64 ? 3 : 1;  // times kStemChannels: what fits into the registers

HWY_INLINE F add(F a, F b) { return hn::Add(a, b); }
HWY_INLINE F sub(F a, F b) { return hn::Sub(a, b); }
/// a + factor * b.
HWY_INLINE F plus(F a, float factor, F b) { return hn::MulAdd(hn::Set(d, factor), b, a); }

/// The points of 3 taps.
HWY_INLINE void points(const F* x, F* to) {
  const F even = plus(x[4], -0.25f, x[2]), odd = plus(x[3], -0.25f, x[1]);
  const F even2 = sub(x[4], x[2]), odd2 = sub(x[3], x[1]);
  to[0] = plus(plus(x[4], -1.25f, x[2]), 0.25f, x[0]);
  to[1] = add(even, odd), to[2] = sub(even, odd);
  to[3] = plus(even2, 0.5f, odd2), to[4] = plus(even2, -0.5f, odd2);
  to[5] = plus(plus(x[5], -1.25f, x[3]), 0.25f, x[1]);
}

void row(const float* row, int64_t tiles, const bool (&four)[2], float* room, float* to, int64_t plane) {
  constexpr int64_t L = kLanes<float>;
  const int64_t pitch = (tiles + L) / L * L;
  for (int64_t t = 0; t < pitch; t += L) {  // room[j][t] = row[8 t + j]
    F v[8], u[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) v[i] = hn::LoadU(d, row + 8 * t + i * L);
    const auto halve = [](const F* from, F* even, F* odd, int n) HWY_ATTR {
#pragma GCC unroll 4
      for (int i = 0; i < n; ++i) {
        even[i] = hn::ConcatEven(d, from[2 * i + 1], from[2 * i]);
        odd[i] = hn::ConcatOdd(d, from[2 * i + 1], from[2 * i]);
      }
    };
    halve(v, u, u + 4, 4);          // columns 0, 2, 4, 6 and 1, 3, 5, 7
    halve(u, v, v + 2, 2);          // 0, 4 and 2, 6
    halve(u + 4, v + 4, v + 6, 2);  // 1, 5 and 3, 7
    halve(v, u, u + 4, 1), halve(v + 2, u + 2, u + 6, 1);
    halve(v + 4, u + 1, u + 5, 1), halve(v + 6, u + 3, u + 7, 1);
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) hn::StoreU(u[j], d, room + j * pitch + t);
  }
  for (int phase = 0; phase < 2; ++phase, room += pitch) {
    for (int64_t t = 0; t < tiles; t += L) {
      F x[kStemPoints], p[kStemPoints];
#pragma GCC unroll 7
      for (int i = 0; i < kStemPoints; ++i) x[i] = hn::LoadU(d, room + i % 4 * 2 * pitch + i / 4 + t);
      const int count = four[phase] ? 7 : 6;
      if (four[phase]) {
        p[6] = plus(plus(x[5], -1.25f, x[3]), 0.25f, x[1]);
#pragma GCC unroll 6
        for (int i = 0; i < 6; ++i) x[i] = plus(x[i + 1], -2, x[i]);
      }
      points(x, p);
      for (int i = 0; i < count; ++i) hn::StoreU(p[i], d, to + i * plane + t);
    }
    to += (four[phase] ? 7 : 6) * plane;
  }
}

bool product(const float* image, const int64_t* offsets, const int64_t (&counts)[kStemPoints], const float* weights,
             const float* bias, int64_t channels, float* to, int64_t step) {
  constexpr int R = kStemChannels, V = kVectorsAtOnce, L = kLanes<float>;
  alignas(64) float sums[kStemPoints][R][V * L];
  for (int p = 0; p < kStemPoints; ++p) {
    F acc[R][V];
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) acc[r][v] = hn::Zero(d);
    for (int64_t k = 0; k < counts[p]; ++k, weights += R) {
      const float* from = image + *offsets++;
      F x[V];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) x[v] = hn::LoadU(d, from + v * L);
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r) {
        const F w = hn::Set(d, weights[r]);
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) acc[r][v] = hn::MulAdd(w, x[v], acc[r][v]);
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) hn::Store(acc[r][v], d, sums[p][r] + v * L);
  }
  F seen = hn::Zero(d);  // NaN when something is not finite
  for (int64_t r = 0; r < channels; ++r, to += step) {
    const F b = hn::Set(d, bias ? bias[r] : 0.f);
    for (int v = 0; v < V; ++v) {
      F m[kStemPoints];
#pragma GCC unroll 7
      for (int p = 0; p < kStemPoints; ++p) m[p] = hn::Load(d, sums[p][r] + v * L);
      const F even = add(b, add(m[1], m[2])), odd = add(b, sub(m[1], m[2]));
      const F even2 = add(m[3], m[4]), odd2 = sub(m[3], m[4]);
      const F y0 = add(add(m[0], m[6]), add(even, even2)), y1 = plus(plus(odd, 0.5f, odd2), 2, m[6]);
      const F y2 = plus(plus(even, 0.25f, even2), 4, m[6]), y3 = plus(plus(add(odd, m[5]), 0.125f, odd2), 8, m[6]);
      seen = hn::MulAdd(hn::Zero(d), add(y0, y3), seen);  // together they have all of m
      hn::StoreInterleaved4(y0, y1, y2, y3, d, to + v * L * kStemTile);
    }
  }
  return hn::AllTrue(d, hn::Eq(seen, hn::Zero(d)));
}

void gradient(const float* from, int64_t tiles, float* to, int64_t plane) {
  for (int64_t t = 0; t < tiles; ++t, from += kStemTile * kPanel, to += kPanel)
    for (int64_t v = 0; v < kPanel; v += kLanes<float>) {
      F g[kStemTile];
#pragma GCC unroll 4
      for (int i = 0; i < kStemTile; ++i) g[i] = hn::LoadU(d, from + i * kPanel + v);
      const F even = add(g[0], g[2]), odd = add(g[1], g[3]);
      const F even2 = plus(g[0], 0.25f, g[2]), odd2 = plus(g[1], 0.25f, g[3]);
      const F all[kStemPoints] = {g[0],
                                  add(even, odd),
                                  sub(even, odd),
                                  plus(even2, 0.5f, odd2),
                                  plus(even2, -0.5f, odd2),
                                  g[3],
                                  plus(plus(g[0], 4, g[2]), 2, plus(g[1], 4, g[3]))};
#pragma GCC unroll 7
      for (int p = 0; p < kStemPoints; ++p) hn::StoreU(all[p], d, to + p * plane + v);
    }
}

void correlate(const float* image, const int64_t* offsets, int64_t tiles, const float* gradient, float* sums,
               int64_t step) {
  constexpr int R = kRows, V = kVectors, L = kLanes<float>;
  const float* from[R];
  F acc[R][V];
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    from[r] = image + offsets[r];
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) acc[r][v] = hn::Zero(d);
  }
  for (int64_t t = 0; t < tiles; ++t, gradient += kPanel) {
    F g[V];
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) g[v] = hn::LoadU(d, gradient + v * L);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const F x = hn::Set(d, from[r][t]);
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) acc[r][v] = hn::MulAdd(x, g[v], acc[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r, sums += step)
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) hn::StoreU(add(hn::LoadU(d, sums + v * L), acc[r][v]), d, sums + v * L);
}

}  // namespace

extern const StemTable stem_table;
const StemTable stem_table = {
    kVectorsAtOnce * kLanes<float>, kLanes<float>, kRows, kPanel, row, product, gradient, correlate};

}  // namespace taut::TAUT_ISA
