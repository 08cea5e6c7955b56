// Winograd's transforms for windows of 3 x 3 and tiles of 2 x 2 results (Lavin and Gray, 2015):
//   y = At ((G g Gt) (Bt d B)) A, and the gradient of the weights is its transposed, Gt ((A dy At) (Bt d B)) G.
#include "kernels/isa/winograd.h"

#include "kernels/isa/vector.h"

namespace taut::TAUT_ISA {
namespace {

using F = Vec<float>;
constexpr Tag<float> d;
constexpr int64_t kPanel = kVectors * kLanes<float>;
constexpr int kWeights = kWinogradWeights;

HWY_INLINE F add(F a, F b) { return hn::Add(a, b); }
HWY_INLINE F sub(F a, F b) { return hn::Sub(a, b); }
HWY_INLINE F half(F a) { return hn::Mul(hn::Set(d, 0.5f), a); }

/// F(2, 3): 4 multiplications instead of 6.
struct Same {
  static constexpr int kIn = 4, kStep = 2, kPoints = 4, kOut = 2;
  static constexpr int64_t kWeight[5] = {0, 1, 2, 3, 0};
  static HWY_INLINE void image(const F (&x)[4], F (&to)[4]) {  // Bt
    to[0] = sub(x[0], x[2]), to[1] = add(x[1], x[2]), to[2] = sub(x[2], x[1]), to[3] = sub(x[1], x[3]);
  }
  static HWY_INLINE void result(const F (&m)[4], F (&to)[2]) {  // At
    to[0] = add(add(m[0], m[1]), m[2]), to[1] = sub(sub(m[1], m[2]), m[3]);
  }
  static HWY_INLINE void gradient(const F (&y)[2], F (&to)[4]) {  // A
    to[0] = y[0], to[1] = add(y[0], y[1]), to[2] = sub(y[0], y[1]), to[3] = hn::Neg(y[1]);
  }
  static HWY_INLINE void weights(const F (&w)[3], F (&to)[4]) {  // G
    const F sum = half(add(w[0], w[2])), mid = half(w[1]);
    to[0] = w[0], to[1] = add(sum, mid), to[2] = sub(sum, mid), to[3] = w[2];
  }
  static HWY_INLINE void weight_gradient(const F (&s)[4], F (&to)[3]) {  // Gt
    const F sum = half(add(s[1], s[2]));
    to[0] = add(s[0], sum), to[1] = half(sub(s[1], s[2])), to[2] = add(sum, s[3]);
  }
};

/// With stride 2 the outer taps see every other element: F(2, 2), 3 multiplications instead of 4; the middle one
/// takes 2.
struct Down {
  static constexpr int kIn = 5, kStep = 4, kPoints = 5, kOut = 2;
  static constexpr int64_t kWeight[5] = {0, 1, 2, 3, 3};
  static HWY_INLINE void image(const F (&x)[5], F (&to)[5]) {
    to[0] = sub(x[0], x[2]), to[1] = x[2], to[2] = sub(x[2], x[4]), to[3] = x[1], to[4] = x[3];
  }
  static HWY_INLINE void result(const F (&m)[5], F (&to)[2]) {
    to[0] = add(add(m[0], m[1]), m[3]), to[1] = add(sub(m[1], m[2]), m[4]);
  }
  static HWY_INLINE void gradient(const F (&y)[2], F (&to)[5]) {
    to[0] = y[0], to[1] = add(y[0], y[1]), to[2] = hn::Neg(y[1]), to[3] = y[0], to[4] = y[1];
  }
  static HWY_INLINE void weights(const F (&w)[3], F (&to)[4]) {
    to[0] = w[0], to[1] = add(w[0], w[2]), to[2] = w[2], to[3] = w[1];
  }
  static HWY_INLINE void weight_gradient(const F (&s)[4], F (&to)[3]) {
    to[0] = add(s[0], s[1]), to[1] = s[3], to[2] = add(s[1], s[2]);
  }
};

/// The way back of the same: of 4 results, every other one is seen by the outer taps.
struct Up : Down {
  static constexpr int kIn = 3, kStep = 2, kPoints = 5, kOut = 4;
  static constexpr int64_t kWeight[5] = {2, 1, 0, 3, 3};
  static HWY_INLINE void image(const F (&x)[3], F (&to)[5]) {
    to[0] = sub(x[0], x[1]), to[1] = x[1], to[2] = sub(x[1], x[2]), to[3] = x[0], to[4] = x[1];
  }
  static HWY_INLINE void result(const F (&m)[5], F (&to)[4]) {
    to[0] = m[3], to[1] = add(m[0], m[1]), to[2] = m[4], to[3] = sub(m[1], m[2]);
  }
};

/// 0, or NaN when something was not finite.
HWY_INLINE F watch(F seen, F v) { return hn::MulAdd(hn::Zero(d), v, seen); }
HWY_INLINE bool all_finite(F seen) { return hn::AllTrue(d, hn::Eq(seen, hn::Zero(d))); }

/// f(v[0][r], v[1][r], ...) to u.
template <int N, int M, int P, class Function>
HWY_INLINE void across(const F (&v)[N][M], int r, F (&u)[P], Function f) {
  F x[N];
#pragma GCC unroll 8
  for (int s = 0; s < N; ++s) x[s] = v[s][r];
  f(x, u);
}

/// f across each row of v, every point to a plane of its own.
template <int N, int P, class Function>
HWY_INLINE void store_planes(const F (&v)[N][P], float* to, int64_t plane, Function f) {
#pragma GCC unroll 8
  for (int r = 0; r < P; ++r) {
    F u[P];
    across(v, r, u, f);
#pragma GCC unroll 8
    for (int s = 0; s < P; ++s, to += plane) hn::StoreU(u[s], d, to);
  }
}

template <class S>
void image(const float* const* rows, int64_t tiles, int64_t channels, float* to, int64_t next, int64_t plane) {
  for (int64_t t = 0; t < tiles; ++t, to += next) {
    for (int64_t c = 0; c < channels; c += kLanes<float>) {
      F v[S::kIn][S::kPoints];  // [column][point]
#pragma GCC unroll 8
      for (int s = 0; s < S::kIn; ++s) {
        F x[S::kIn];
#pragma GCC unroll 8
        for (int r = 0; r < S::kIn; ++r) x[r] = hn::LoadU(d, rows[r] + (S::kStep * t + s) * channels + c);
        S::image(x, v[s]);
      }
      store_planes(v, to + c, plane, [](const auto& a, auto& b) HWY_ATTR { S::image(a, b); });
    }
  }
}

template <class S>
void gradient(const float* const* rows, int64_t tiles, int64_t channels, float* to, int64_t panels, int64_t plane) {
  for (int64_t t = 0; t < tiles; ++t, to += kPanel) {
    for (int64_t c = 0; c < channels; c += kLanes<float>) {
      F v[2][S::kPoints];
#pragma GCC unroll 2
      for (int s = 0; s < 2; ++s) {
        const int64_t at = (2 * t + s) * channels + c;
        const F y[2] = {hn::LoadU(d, rows[0] + at), hn::LoadU(d, rows[1] + at)};
        S::gradient(y, v[s]);
      }
      store_planes(v, to + c / kPanel * panels + c % kPanel, plane,
                   [](const auto& a, auto& b) HWY_ATTR { S::gradient(a, b); });
    }
  }
}

template <class S>
bool result(const float* from, int64_t plane, int64_t tiles, int64_t channels, const float* bias, int64_t height,
            int64_t width, float* to) {
  F seen = hn::Zero(d);
  for (int64_t c = 0; c < channels; c += kLanes<float>) {
    const F b = bias ? hn::LoadU(d, bias + c) : hn::Zero(d);
    const float* tile = from + c;
    for (int64_t t = 0; t < tiles; ++t, tile += kPanel) {
      F v[S::kPoints][S::kOut];
      const float* p = tile;
#pragma GCC unroll 8
      for (int r = 0; r < S::kPoints; ++r) {
        F m[S::kPoints];
#pragma GCC unroll 8
        for (int s = 0; s < S::kPoints; ++s, p += plane) m[s] = hn::LoadU(d, p);
        S::result(m, v[r]);
      }
#pragma GCC unroll 4
      for (int s = 0; s < S::kOut; ++s) {
        if (S::kOut * t + s == width) break;
        F u[S::kOut];
        across(v, s, u, [](const auto& a, auto& e) HWY_ATTR { S::result(a, e); });
        float* at = to + (S::kOut * t + s) * kPanel + c;
#pragma GCC unroll 4
        for (int r = 0; r < S::kOut; ++r, at += width * kPanel) {
          if (r == height) break;
          hn::StoreU(add(u[r], b), d, at);
          seen = watch(seen, u[r]);
        }
      }
    }
  }
  return all_finite(seen);
}

template <class S>
void weights(const float* from, int64_t tap, int64_t channels, float* to, int64_t plane) {
  for (int64_t c = 0; c < channels; c += kLanes<float>) {
    F v[3][kWeights];
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s) {
      const float* p = from + c + s * tap;
      const F w[3] = {hn::LoadU(d, p), hn::LoadU(d, p + 3 * tap), hn::LoadU(d, p + 6 * tap)};
      S::weights(w, v[s]);
    }
    store_planes(v, to + c, plane, [](const auto& a, auto& b) HWY_ATTR { S::weights(a, b); });
  }
}

template <class S>
bool weight_gradient(const float* from, int64_t parts, int64_t part, int64_t plane, int64_t channels, float* to) {
  F seen = hn::Zero(d);
  for (int64_t c = 0; c < channels; c += kLanes<float>) {
    F v[kWeights][3];
#pragma GCC unroll 4
    for (int r = 0; r < kWeights; ++r) {
      F sum[kWeights];
#pragma GCC unroll 4
      for (int s = 0; s < kWeights; ++s) {
        const float* p = from + (kWeights * r + s) * plane + c;
        sum[s] = hn::LoadU(d, p);
        for (int64_t i = 1; i < parts; ++i) sum[s] = add(sum[s], hn::LoadU(d, p + i * part));
      }
      S::weight_gradient(sum, v[r]);
    }
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s) {
      F u[3];
      across(v, s, u, [](const auto& a, auto& b) HWY_ATTR { S::weight_gradient(a, b); });
#pragma GCC unroll 3
      for (int r = 0; r < 3; ++r) {
        hn::StoreU(u[r], d, to + (3 * r + s) * channels + c);
        seen = watch(seen, u[r]);
      }
    }
  }
  return all_finite(seen);
}

template <class S, class G = S>
constexpr WinogradScheme scheme = {S::kIn,
                                   S::kStep,
                                   S::kPoints,
                                   S::kOut,
                                   {S::kWeight[0], S::kWeight[1], S::kWeight[2], S::kWeight[3], S::kWeight[4]},
                                   image<S>,
                                   result<S>,
                                   gradient<G>,
                                   weights<G>,
                                   weight_gradient<G>};

}  // namespace

extern const WinogradTable winograd_table;
const WinogradTable winograd_table = {scheme<Same>, scheme<Down>, scheme<Up, Down>};

}  // namespace taut::TAUT_ISA
