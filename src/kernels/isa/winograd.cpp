// Winograd's transforms for windows of 3 x 3 and tiles of 2 x 2 results (Lavin and Gray, 2015):
//   y = At ((G g Gt) (Bt d B)) A, and the gradient of the weights is its transposed, Gt ((A dy At) (Bt d B)) G.
#include "kernels/isa/winograd.h"

#include "kernels/isa/first_lanes.h"

namespace taut::TAUT_ISA {
namespace {

using F = Vec<float>;
constexpr Tag<float> d;
constexpr int64_t kPanel = kVectors * kLanes<float>;

HWY_INLINE void at_b(F a, F b, F c, F e, F (&to)[4]) {  // Bt
  to[0] = hn::Sub(a, c), to[1] = hn::Add(b, c), to[2] = hn::Sub(c, b), to[3] = hn::Sub(b, e);
}
HWY_INLINE void at_a(F a, F b, F (&to)[4]) {  // A
  to[0] = a, to[1] = hn::Add(a, b), to[2] = hn::Sub(a, b), to[3] = hn::Neg(b);
}
HWY_INLINE void back_a(F a, F b, F c, F e, F (&to)[2]) {  // At
  to[0] = hn::Add(hn::Add(a, b), c), to[1] = hn::Sub(hn::Sub(b, c), e);
}
HWY_INLINE void at_g(F a, F b, F c, F (&to)[4]) {  // G
  const F half = hn::Set(d, 0.5f), sum = hn::Mul(half, hn::Add(a, c)), mid = hn::Mul(half, b);
  to[0] = a, to[1] = hn::Add(sum, mid), to[2] = hn::Sub(sum, mid), to[3] = c;
}
HWY_INLINE void back_g(F a, F b, F c, F e, F (&to)[3]) {  // Gt
  const F half = hn::Set(d, 0.5f), sum = hn::Mul(half, hn::Add(b, c));
  to[0] = hn::Add(a, sum), to[1] = hn::Mul(half, hn::Sub(b, c)), to[2] = hn::Add(sum, e);
}
/// 0, or NaN when something was not finite.
HWY_INLINE F watch(F seen, F v) { return hn::MulAdd(hn::Zero(d), v, seen); }
HWY_INLINE bool all_finite(F seen) { return hn::AllTrue(d, hn::Eq(seen, hn::Zero(d))); }

void image(const float* const (&rows)[4], int64_t tiles, int64_t channels, float* to, int64_t next, int64_t plane) {
  const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
  for (int64_t t = 0; t < tiles; ++t, to += next) {
    for (int64_t c = 0; c < channels; c += kLanes<float>) {
      F v[4][4];  // [column][row]
#pragma GCC unroll 4
      for (int s = 0; s < 4; ++s) {
        const int64_t at = (2 * t + s) * channels + c;
        at_b(hn::LoadU(d, r0 + at), hn::LoadU(d, r1 + at), hn::LoadU(d, r2 + at), hn::LoadU(d, r3 + at), v[s]);
      }
      float* p = to + c;
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) {
        F u[4];
        at_b(v[0][r], v[1][r], v[2][r], v[3][r], u);
#pragma GCC unroll 4
        for (int s = 0; s < 4; ++s, p += plane) hn::StoreU(u[s], d, p);
      }
    }
  }
}

void gradient(const float* const (&rows)[2], int64_t tiles, int64_t channels, float* to, int64_t panels,
              int64_t plane) {
  const float *r0 = rows[0], *r1 = rows[1];
  for (int64_t t = 0; t < tiles; ++t, to += kPanel) {
    for (int64_t c = 0; c < channels; c += kLanes<float>) {
      const int64_t at = 2 * t * channels + c;
      F v[2][4];
      at_a(hn::LoadU(d, r0 + at), hn::LoadU(d, r1 + at), v[0]);
      at_a(hn::LoadU(d, r0 + at + channels), hn::LoadU(d, r1 + at + channels), v[1]);
      float* p = to + c / kPanel * panels + c % kPanel;
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) {
        F u[4];
        at_a(v[0][r], v[1][r], u);
#pragma GCC unroll 4
        for (int s = 0; s < 4; ++s, p += plane) hn::StoreU(u[s], d, p);
      }
    }
  }
}

bool result(const float* from, int64_t plane, int64_t tiles, int64_t channels, const float* bias, int64_t height,
            int64_t width, float* to) {
  F seen = hn::Zero(d);
  for (int64_t c = 0; c < channels; c += kLanes<float>) {
    const F b = bias ? hn::LoadU(d, bias + c) : hn::Zero(d);
    const float* tile = from + c;
    float* left = to + c;
    for (int64_t t = 0; t < tiles; ++t, tile += kPanel, left += 2 * kPanel) {
      F v[4][2];
      const float* p = tile;
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r, p += 4 * plane)
        back_a(hn::LoadU(d, p), hn::LoadU(d, p + plane), hn::LoadU(d, p + 2 * plane), hn::LoadU(d, p + 3 * plane),
               v[r]);
#pragma GCC unroll 2
      for (int s = 0; s < 2; ++s) {
        if (2 * t + s == width) break;
        F u[2];
        back_a(v[0][s], v[1][s], v[2][s], v[3][s], u);
        float* at = left + s * kPanel;
        hn::StoreU(hn::Add(u[0], b), d, at);
        seen = watch(seen, u[0]);
        if (height < 2) continue;
        hn::StoreU(hn::Add(u[1], b), d, at + width * kPanel);
        seen = watch(seen, u[1]);
      }
    }
  }
  return all_finite(seen);
}

void weight(const float* from, int64_t tap, int64_t channels, float* to, int64_t plane) {
  for (int64_t c = 0; c < channels; c += kLanes<float>) {
    F v[3][4];
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s)
      at_g(hn::LoadU(d, from + c + s * tap), hn::LoadU(d, from + c + (s + 3) * tap),
           hn::LoadU(d, from + c + (s + 6) * tap), v[s]);
    float* p = to + c;
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {
      F u[4];
      at_g(v[0][r], v[1][r], v[2][r], u);
#pragma GCC unroll 4
      for (int s = 0; s < 4; ++s, p += plane) hn::StoreU(u[s], d, p);
    }
  }
}

bool weight_gradient(const float* from, int64_t parts, int64_t part, int64_t plane, int64_t channels, float* to) {
  F seen = hn::Zero(d);
  for (int64_t c = 0; c < channels; c += kLanes<float>) {
    F v[4][3];
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {
      F sum[4];
#pragma GCC unroll 4
      for (int s = 0; s < 4; ++s) {
        const float* p = from + (4 * r + s) * plane + c;
        sum[s] = hn::LoadU(d, p);
        for (int64_t i = 1; i < parts; ++i) sum[s] = hn::Add(sum[s], hn::LoadU(d, p + i * part));
      }
      back_g(sum[0], sum[1], sum[2], sum[3], v[r]);
    }
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s) {
      F u[3];
      back_g(v[0][s], v[1][s], v[2][s], v[3][s], u);
#pragma GCC unroll 3
      for (int r = 0; r < 3; ++r) {
        hn::StoreU(u[r], d, to + (3 * r + s) * channels + c);
        seen = watch(seen, u[r]);
      }
    }
  }
  return all_finite(seen);
}

}  // namespace

extern const WinogradTable winograd_table;
const WinogradTable winograd_table = {image, gradient, result, weight, weight_gradient};

}  // namespace taut::TAUT_ISA
