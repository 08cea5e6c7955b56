// mt19937 and the transforms behind every random op. Where PyTorch's build fuses a multiply and an add, so does the
// code here, with an explicit fma: that is what makes the bits equal.
#include "core/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/cpu.h"
#include "core/maths.h"
#include "taut/core/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace taut {
namespace {

constexpr int kShift = 397;
constexpr int64_t kBlock = 512;  // draws (32 or 64 bits each) made at a time

inline uint32_t twist(uint32_t u, uint32_t v) {
  return (((u & 0x80000000u) | (v & 0x7fffffffu)) >> 1) ^ ((0u - (v & 1u)) & 0x9908b0dfu);
}
inline uint32_t temper(uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

// Offsets within PyTorch's state: a C struct of 64-bit words from the days of Lua, with two fields appended.
namespace layout {
constexpr size_t seed = 0, left = 8, seeded = 12, next = 16, words = 24;
constexpr size_t normal_y = 5024, normal_is_valid = 5040, float_sample = 5048, float_is_valid = 5052;
}  // namespace layout

template <class T>
T load(const uint8_t* bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}
template <class T>
void store(std::vector<uint8_t>& bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace

RandomEngine::RandomEngine(uint64_t seed) { this->seed(seed); }

void RandomEngine::seed(uint64_t seed) {
  seed_ = seed;
  left_ = 1;
  next_ = 0;
  words_[0] = static_cast<uint32_t>(seed);
  for (uint32_t j = 1; j < kWords; ++j) words_[j] = 1812433253u * (words_[j - 1] ^ (words_[j - 1] >> 30)) + j;
  next_float_normal_sample.reset();
  next_double_normal_sample.reset();
}

void RandomEngine::refill() {
  uint32_t* p = words_.data();
  for (int j = 0; j < kWords - kShift; ++j) p[j] = p[j + kShift] ^ twist(p[j], p[j + 1]);
  for (int j = kWords - kShift; j < kWords - 1; ++j) p[j] = p[j + kShift - kWords] ^ twist(p[j], p[j + 1]);
  p[kWords - 1] = p[kShift - 1] ^ twist(p[kWords - 1], p[0]);
  left_ = kWords + 1;
  next_ = 0;
}

uint32_t RandomEngine::random() {
  if (left_ == 1) refill();
  --left_;
  return temper(words_[next_++]);
}

uint64_t RandomEngine::random64() {
  const uint64_t high = random();
  return high << 32 | random();
}

void RandomEngine::random(uint32_t* out, int64_t n) {
  while (n > 0) {
    if (left_ == 1) refill();
    const int m = static_cast<int>(std::min<int64_t>(n, left_ - 1));
    const uint32_t* p = words_.data() + next_;
    for (int j = 0; j < m; ++j) out[j] = temper(p[j]);
    left_ -= m;
    next_ += static_cast<uint32_t>(m);
    out += m;
    n -= m;
  }
}

std::vector<uint8_t> RandomEngine::state() const {
  std::vector<uint8_t> bytes(kStateBytes, 0);
  store<uint64_t>(bytes, layout::seed, seed_);
  store<int32_t>(bytes, layout::left, left_);
  store<int32_t>(bytes, layout::seeded, 1);
  store<uint64_t>(bytes, layout::next, next_);
  for (size_t j = 0; j < kWords; ++j) store<uint64_t>(bytes, layout::words + 8 * j, words_[j]);
  if (next_double_normal_sample) {
    store<int32_t>(bytes, layout::normal_is_valid, 1);
    store<double>(bytes, layout::normal_y, *next_double_normal_sample);
  }
  if (next_float_normal_sample) {
    store<uint8_t>(bytes, layout::float_is_valid, 1);
    store<float>(bytes, layout::float_sample, *next_float_normal_sample);
  }
  return bytes;
}

void RandomEngine::set_state(const uint8_t* bytes, size_t size) {
  check<ValueError>(size == kStateBytes, "set_rng_state: expected ", kStateBytes, " bytes, got ", size);
  const auto left = load<int32_t>(bytes, layout::left);
  const auto next = load<uint64_t>(bytes, layout::next);
  check<ValueError>(load<int32_t>(bytes, layout::seeded) != 0, "set_rng_state: this generator was never seeded");
  // With left == 1 the next draw refills, so `next` is not used; otherwise left - 1 words follow it.
  check<ValueError>(left >= 1 && left <= kWords && next <= kWords && (left == 1 || left + next <= kWords + 1),
                    "set_rng_state: not a mt19937 state (left ", left, ", next ", next, " of ", kWords, " words)");
  seed_ = load<uint64_t>(bytes, layout::seed);
  left_ = left;
  next_ = static_cast<uint32_t>(next);
  for (size_t j = 0; j < kWords; ++j) words_[j] = static_cast<uint32_t>(load<uint64_t>(bytes, layout::words + 8 * j));
  next_double_normal_sample.reset();
  next_float_normal_sample.reset();
  if (load<int32_t>(bytes, layout::normal_is_valid)) {
    next_double_normal_sample = load<double>(bytes, layout::normal_y);
  }
  if (load<uint8_t>(bytes, layout::float_is_valid)) {
    next_float_normal_sample = load<float>(bytes, layout::float_sample);
  }
}

RandomEngine& default_engine() {
  static RandomEngine engine;
  return engine;
}

namespace {

template <class T>
constexpr bool is_reduced = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
/// The type PyTorch computes in: float for the 16-bit floats.
template <class T>
using Wide = std::conditional_t<is_reduced<T>, float, T>;

/// Bits of the significand: every integer up to 2^digits is exact.
template <class T>
constexpr int digits = std::numeric_limits<T>::digits;
template <>
constexpr int digits<Half> = 11;
template <>
constexpr int digits<BFloat16> = 8;

template <class T>
constexpr double largest = static_cast<double>(std::numeric_limits<T>::max());
template <>
constexpr double largest<Half> = 65504;
template <>
constexpr double largest<BFloat16> = 3.3895313892515355e38;

/// static_cast, with 16-bit floats rounded through float as PyTorch does.
template <class T, class V>
inline T to(V value) {
  if constexpr (is_reduced<T>) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
inline bool equal(T a, T b) {
  if constexpr (is_reduced<T>) {  // on the bits, without widening; the two zeros are equal, and there are no NaNs here
    return a.bits == b.bits || ((a.bits | b.bits) & 0x7fff) == 0;
  } else {
    return a == b;
  }
}

template <class F>
void visit_floating(const char* op, ScalarType dtype, F&& f) {
  switch (dtype) {
    case ScalarType::Half: return f(Half{});
    case ScalarType::BFloat16: return f(BFloat16{});
    case ScalarType::Float: return f(float{});
    case ScalarType::Double: return f(double{});
    default: throw TypeError(str(op, ": expected a floating dtype, got ", dtype_name(dtype)));
  }
}

/// f(i, 32 random bits) for i in [0, n).
template <class F>
void each32(RandomEngine& engine, int64_t n, F f) {
  uint32_t bits[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(kBlock, n - i);
    engine.random(bits, m);
    for (int64_t j = 0; j < m; ++j) f(i + j, bits[j]);
  }
}
/// f(i, 64 random bits) for i in [0, n).
template <class F>
void each64(RandomEngine& engine, int64_t n, F f) {
  uint32_t bits[2 * kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(kBlock, n - i);
    engine.random(bits, 2 * m);
    for (int64_t j = 0; j < m; ++j) f(i + j, static_cast<uint64_t>(bits[2 * j]) << 32 | bits[2 * j + 1]);
  }
}

inline float unit_float(uint32_t bits) { return static_cast<float>(static_cast<int32_t>(bits & 0xffffff)) * 0x1p-24f; }
inline double unit_double(uint64_t bits) {
  return static_cast<double>(static_cast<int64_t>(bits & ((uint64_t{1} << 53) - 1))) * 0x1p-53;
}

/// Uniform numbers in [0, 1): 24 bits of one draw for float, 53 bits of two for double.
void fill_unit(RandomEngine& engine, float* out, int64_t n) {
  each32(engine, n, [out](int64_t i, uint32_t bits) { out[i] = unit_float(bits); });
}
void fill_unit(RandomEngine& engine, double* out, int64_t n) {
  each64(engine, n, [out](int64_t i, uint64_t bits) { out[i] = unit_double(bits); });
}

/// out[i] = u < p ? yes : no, for n uniform doubles u = k / 2^53: no branch, and k is compared as the integer it is.
template <class T>
void fill_coin(RandomEngine& engine, T* out, int64_t n, double p, T yes, T no) {
  const auto threshold = static_cast<int64_t>(std::ceil(p * 0x1p53));
  const T choice[2] = {no, yes};
  each64(engine, n, [=](int64_t i, uint64_t bits) {
    out[i] = choice[static_cast<int64_t>(bits & ((uint64_t{1} << 53) - 1)) < threshold];
  });
}

/// f(begin, u, m) for the blocks of [0, n): u has the m uniform doubles of the block from `begin` on.
template <class F>
void each_unit_block(RandomEngine& engine, int64_t n, F f) {
  double u[kBlock];
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t m = std::min(kBlock, n - begin);
    fill_unit(engine, u, m);
    f(begin, u, m);
  }
}

// ---- loops that need fma: the same body for machines with the instruction and, by way of libm, without

#if defined(__x86_64__)
#define TAUT_WITH_FMA [[gnu::target("avx2,fma")]]
#else
#define TAUT_WITH_FMA
#endif
#define TAUT_INLINE [[gnu::always_inline]] inline

template <class T>
TAUT_INLINE void affine_body(T* x, int64_t n, T scale, T shift) {
  for (int64_t i = 0; i < n; ++i) x[i] = std::fma(x[i], scale, shift);
}
template <class T>
TAUT_WITH_FMA void affine_fma(T* x, int64_t n, T scale, T shift) {
  affine_body(x, n, scale, shift);
}
/// x = x * scale + shift, rounded once.
template <class T>
void affine(T* x, int64_t n, T scale, T shift) {
  if (isa_level >= 1) return affine_fma(x, n, scale, shift);
  affine_body(x, n, scale, shift);
}

/// log(x) for normal x in (0, 1], with Cephes' polynomial, as in PyTorch's AVX2 kernel.
TAUT_INLINE float cephes_log(float x) {
  const int32_t bits = std::bit_cast<int32_t>(x);
  const int32_t half = (bits & 0x007fffff) | 0x3f000000;  // the significand, in [0.5, 1)
  constexpr int32_t sqrt_half = std::bit_cast<int32_t>(0.707106781186547524f);
  const int32_t low = (half - sqrt_half) >> 31;  // all ones below sqrt(0.5); a mask, so that there is no branch
  const float e = static_cast<float>((bits >> 23) - 126 + low);
  const float m = (std::bit_cast<float>(half) - 1.0f) + std::bit_cast<float>(half & low);
  const float z = m * m;
  float y = 7.0376836292e-2f;
  y = std::fma(y, m, -1.1514610310e-1f);
  y = std::fma(y, m, 1.1676998740e-1f);
  y = std::fma(y, m, -1.2420140846e-1f);
  y = std::fma(y, m, 1.4249322787e-1f);
  y = std::fma(y, m, -1.6668057665e-1f);
  y = std::fma(y, m, 2.0000714765e-1f);
  y = std::fma(y, m, -2.4999993993e-1f);
  y = std::fma(y, m, 3.3333331174e-1f);
  y = std::fma(y * m, z, e * -2.12194440e-4f);
  y = std::fma(z, -0.5f, y);
  return std::fma(e, 0.693359375f, m + y);
}

/// sin and cos of x >= 0, likewise.
TAUT_INLINE void cephes_sincos(float x, float& sine, float& cosine) {
  const int32_t octant = (static_cast<int32_t>(x * 1.27323954473516f) + 1) & ~1;
  const float y = static_cast<float>(octant);
  x = std::fma(y, -0.78515625f, x);
  x = std::fma(y, -2.4187564849853515625e-4f, x);
  x = std::fma(y, -3.77489497744594108e-8f, x);
  const float z = x * x;
  float c = 2.443315711809948e-5f;
  c = std::fma(c, z, -1.388731625493765e-3f);
  c = std::fma(c, z, 4.166664568298827e-2f);
  c = std::fma(c * z, z, z * -0.5f) + 1.0f;
  float s = -1.9515295891e-4f;
  s = std::fma(s, z, 8.3321608736e-3f);
  s = std::fma(s, z, -1.6666654611e-1f);
  s = std::fma(s * z, x, x);
  const bool swap = (octant & 2) != 0;
  const int32_t sine_sign = (octant & 4) << 29, cosine_sign = (~(octant - 2) & 4) << 29;
  sine = std::bit_cast<float>(std::bit_cast<int32_t>(swap ? c : s) ^ sine_sign);
  cosine = std::bit_cast<float>(std::bit_cast<int32_t>(swap ? s : c) ^ cosine_sign);
}

/// Square roots; by intrinsic, because std::sqrt may set errno and so is never vectorised.
template <int n>
TAUT_INLINE void square_roots(float* x) {
#if defined(__x86_64__)
  for (int i = 0; i < n; i += 4) _mm_storeu_ps(x + i, _mm_sqrt_ps(_mm_loadu_ps(x + i)));
#else
  for (int i = 0; i < n; ++i) x[i] = std::sqrt(x[i]);
#endif
}

TAUT_INLINE void box_muller_body(float* x, int64_t blocks, float mean, float std) {
  constexpr float two_pi = static_cast<float>(2 * std::numbers::pi);
  // Strips of a constant length, zeros at the end of the last one: compilers vectorise these loops as they stand.
  constexpr int strip = 8, pairs = 8 * strip;
  for (; blocks > 0; blocks -= strip, x += 16 * strip) {
    float radius[pairs] = {}, angle[pairs] = {}, sine[pairs], cosine[pairs];
    const int count = static_cast<int>(std::min<int64_t>(blocks, strip));
    for (int b = 0; b < count; ++b) {
      std::memcpy(radius + 8 * b, x + 16 * b, 8 * sizeof(float));
      std::memcpy(angle + 8 * b, x + 16 * b + 8, 8 * sizeof(float));
    }
    for (int j = 0; j < pairs; ++j) radius[j] = -2.0f * cephes_log(1.0f - radius[j]);
    square_roots<pairs>(radius);
    for (int j = 0; j < pairs; ++j) cephes_sincos(two_pi * angle[j], sine[j], cosine[j]);
    for (int j = 0; j < pairs; ++j) {
      cosine[j] = std::fma(radius[j] * cosine[j], std, mean);
      sine[j] = std::fma(radius[j] * sine[j], std, mean);
    }
    for (int b = 0; b < count; ++b) {
      std::memcpy(x + 16 * b, cosine + 8 * b, 8 * sizeof(float));
      std::memcpy(x + 16 * b + 8, sine + 8 * b, 8 * sizeof(float));
    }
  }
}
TAUT_WITH_FMA void box_muller_fma(float* x, int64_t blocks, float mean, float std) {
  box_muller_body(x, blocks, mean, std);
}
/// Blocks of 16 uniform numbers become normal ones: the first 8 give radii, the last 8 angles.
void box_muller(float* x, int64_t blocks, float mean, float std) {
  if (isa_level >= 1) return box_muller_fma(x, blocks, mean, std);
  box_muller_body(x, blocks, mean, std);
}
void box_muller(double* x, int64_t blocks, double mean, double std) {
  const MathsTable& each = maths_table();
  for (; blocks > 0; --blocks, x += 16) {
    double radius[8], sine[8], cosine[8];
    for (int j = 0; j < 8; ++j) {
      radius[j] = 1 - x[j];
      sine[j] = cosine[j] = 2 * std::numbers::pi * x[j + 8];
    }
    each.log(radius, radius, 8);
    each.sin(sine, sine, 8);
    each.cos(cosine, cosine, 8);
    for (int j = 0; j < 8; ++j) {
      radius[j] = std::sqrt(-2 * radius[j]);
      x[j] = std::fma(radius[j] * cosine[j], std, mean);
      x[j + 8] = std::fma(radius[j] * sine[j], std, mean);
    }
  }
}

template <class T>
void narrow_plain(const float* x, T* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = T(x[i]);
}
void narrow(const float* x, BFloat16* out, int64_t n) { narrow_plain(x, out, n); }
#if defined(__x86_64__)
[[gnu::target("avx2,f16c")]] void narrow_f16c(const float* x, Half* out, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), halves);
  }
  narrow_plain(x + i, out + i, n - i);
}
#endif
void narrow(const float* x, Half* out, int64_t n) {
#if defined(__x86_64__)
  if (isa_level >= 1) return narrow_f16c(x, out, n);
#endif
  narrow_plain(x, out, n);
}

/// `n` numbers through `produce(buffer, m)`: in place for float and double, by way of a buffer for 16-bit floats.
template <class T, class F>
void in_wide(T* out, int64_t n, F produce) {
  if constexpr (is_reduced<T>) {
    float buffer[kBlock];
    for (int64_t i = 0; i < n; i += kBlock) {
      const int64_t m = std::min(kBlock, n - i);
      produce(buffer, m);
      narrow(buffer, out + i, m);
    }
  } else {
    // Pieces that stay in the nearest cache between the drawing and the transform.
    for (int64_t i = 0; i < n; i += kBlock) produce(out + i, std::min(kBlock, n - i));
  }
}

}  // namespace

double draw_uniform(RandomEngine& engine) { return unit_double(engine.random64()); }
double draw_normal(RandomEngine& engine, double mean, double std) {
  double sample;
  if (engine.next_double_normal_sample) {
    sample = *std::exchange(engine.next_double_normal_sample, std::nullopt);
  } else {
    const double u1 = unit_double(engine.random64()), u2 = unit_double(engine.random64());
    const double radius = std::sqrt(-2 * maths::log1p(-u2)), theta = 2 * std::numbers::pi * u1;
    engine.next_double_normal_sample = radius * maths::sin(theta);
    sample = radius * maths::cos(theta);
  }
  return std::fma(sample, std, mean);
}

void fill_uniform(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double from, double to_) {
  visit_floating("uniform_", dtype, [&](auto tag) {
    using T = decltype(tag);
    using W = Wide<T>;
    check<ValueError>(std::abs(from) <= largest<T> && std::abs(to_) <= largest<T>, "uniform_: from ", from, " or to ",
                      to_, " is out of bounds for ", dtype_name(dtype));
    check<ValueError>(from <= to_, "uniform_: expected from <= to, got from ", from, " and to ", to_);
    check<ValueError>(to_ - from <= largest<T>, "uniform_: to - from overflows ", dtype_name(dtype), " for from ", from,
                      " and to ", to_);
    const W low = static_cast<W>(from), width = static_cast<W>(to_) - low;
    const bool unit = low == 0 && width == 1;
    in_wide(static_cast<T*>(out), n, [&](W* x, int64_t m) {
      fill_unit(engine, x, m);
      if (!unit) affine(x, m, width, low);
    });
    // The upper bound is excluded; where rounding reached it, PyTorch puts the lower one.
    if (unit && !is_reduced<T>) return;
    const T first = to<T>(from), last = to<T>(to_);
    T* x = static_cast<T*>(out);
    for (int64_t i = 0; i < n; ++i) x[i] = equal(x[i], last) ? first : x[i];
  });
}

void fill_normal(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double mean, double std) {
  if (n < 16) return fill_normal_elementwise(engine, dtype, out, n, mean, std);
  check<ValueError>(std >= 0, "normal_: expected std >= 0, got ", std);
  visit_floating("normal_", dtype, [&](auto tag) {
    using T = decltype(tag);
    using W = Wide<T>;
    static_assert(kBlock % 16 == 0);
    T* x = static_cast<T*>(out);
    const auto blocks_of_16 = [&](W* p, int64_t m) {
      fill_unit(engine, p, m);
      box_muller(p, m / 16, static_cast<W>(mean), static_cast<W>(std));
    };
    // A ragged end is drawn like the rest but thrown away: the last 16 elements are then drawn afresh. Only for 16-bit
    // floats PyTorch does not draw it at all.
    in_wide(x, n - n % 16, blocks_of_16);
    if (n % 16 == 0) return;
    W last[16];
    if (!is_reduced<T>) fill_unit(engine, last, n % 16);
    blocks_of_16(last, 16);
    for (int j = 0; j < 16; ++j) x[n - 16 + j] = to<T>(last[j]);
  });
}

void fill_normal_elementwise(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double mean, double std) {
  check<ValueError>(std >= 0, "normal_: expected std >= 0, got ", std);
  if (n == 0) return;
  visit_floating("normal_", dtype, [&](auto tag) {
    using T = decltype(tag);
    for (int64_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = to<T>(draw_normal(engine, mean, std));
  });
}

void fill_log_normal(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double mean, double std) {
  check<ValueError>(std > 0, "log_normal_: expected std > 0, got ", std);
  if (n == 0) return;  // of any dtype, as in PyTorch
  visit_floating("log_normal_", dtype, [&](auto tag) {
    using T = decltype(tag);
    for (int64_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = to<T>(maths::exp(draw_normal(engine, mean, std)));
  });
}

void fill_cauchy(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double median, double sigma) {
  check<ValueError>(sigma > 0, "cauchy_: expected sigma > 0, got ", sigma);
  visit_floating("cauchy_", dtype, [&](auto tag) {
    using T = decltype(tag);
    each_unit_block(engine, n, [&](int64_t begin, double* u, int64_t m) {
      for (int64_t i = 0; i < m; ++i) u[i] = std::numbers::pi * (u[i] - 0.5);
      maths_table().tan(u, u, m);
      for (int64_t i = 0; i < m; ++i) static_cast<T*>(out)[begin + i] = to<T>(std::fma(sigma, u[i], median));
    });
  });
}

void fill_exponential(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double lambda) {
  check<ValueError>(lambda > 0, "exponential_: expected lambda > 0, got ", lambda);
  if (n == 0) return;
  visit_floating("exponential_", dtype, [&](auto tag) {
    using T = decltype(tag);
    const double scale = -1 / lambda;
    each_unit_block(engine, n, [&](int64_t begin, double* u, int64_t m) {
      for (int64_t i = 0; i < m; ++i) u[i] = -u[i];
      maths_table().log1p(u, u, m);
      for (int64_t i = 0; i < m; ++i) static_cast<T*>(out)[begin + i] = to<T>(scale * u[i]);
    });
  });
}

namespace {

/// static_cast<T>(double), with the value x86 gives for a double that T does not hold: what PyTorch stores then.
template <class T>
T truncate(double value) {
  if constexpr (std::is_integral_v<T>) {
    using I = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
    constexpr double bound = sizeof(I) == 8 ? 0x1p63 : 0x1p31;
    return static_cast<T>(std::abs(value) < bound ? static_cast<I>(value) : std::numeric_limits<I>::min());
  } else {
    return to<T>(value);
  }
}

}  // namespace

void fill_geometric(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double p) {
  check<ValueError>(p > 0 && p < 1, "geometric_: expected p in (0, 1), got ", p);
  check<TypeError>(dtype != kBool, "geometric_: not defined for bool");
  visit_dtype(dtype, [&](auto tag) {
    using T = decltype(tag);
    const double log_failure = maths::log1p(-p);
    each_unit_block(engine, n, [&](int64_t begin, double* u, int64_t m) {
      maths_table().log(u, u, m);
      for (int64_t i = 0; i < m; ++i) static_cast<T*>(out)[begin + i] = truncate<T>(std::ceil(u[i] / log_failure));
    });
  });
}

void fill_random(RandomEngine& engine, ScalarType dtype, void* out, int64_t n) {
  visit_dtype(dtype, [&](auto tag) {
    using T = decltype(tag);
    T* x = static_cast<T*>(out);
    if constexpr (std::is_same_v<T, bool>) {
      each32(engine, n, [x](int64_t i, uint32_t bits) { x[i] = bits & 1; });
    } else if constexpr (std::is_integral_v<T>) {
      constexpr auto mask = static_cast<std::make_unsigned_t<T>>(std::numeric_limits<T>::max());
      const auto put = [x](int64_t i, auto bits) { x[i] = static_cast<T>(bits & mask); };
      if constexpr (sizeof(T) == 8) {
        each64(engine, n, put);
      } else {
        each32(engine, n, put);
      }
    } else if constexpr (std::is_same_v<T, double>) {
      constexpr uint64_t range = (uint64_t{1} << 53) + 1;
      each64(engine, n, [x](int64_t i, uint64_t bits) { x[i] = static_cast<double>(bits % range); });
    } else {
      constexpr uint32_t range = (uint32_t{1} << digits<T>)+1;
      each32(engine, n, [x](int64_t i, uint32_t bits) { x[i] = to<T>(bits % range); });
    }
  });
}

namespace {

/// The distance from a float near x to the next one, x being an integer beyond the consecutive ones.
template <class T>
int64_t spacing(int64_t x) {
  const auto magnitude = x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  const int exponent = std::bit_width(magnitude) - 1;
  return int64_t{1} << (exponent - digits<T> + 1);
}
template <class T>
int64_t round_trip(int64_t x) {
  return truncate<int64_t>(static_cast<double>(to<T>(x)));
}

/// The bounds moved inwards to values that T holds, so that rounding never leaves [from, to).
template <class T>
int64_t inward_from(int64_t from) {
  if (from == std::numeric_limits<int64_t>::max()) return from;
  const int64_t rounded = round_trip<T>(from + 1);
  return rounded < from ? rounded + spacing<T>(from + 1) : from;
}
template <class T>
int64_t inward_to(int64_t to_) {
  const int64_t rounded = round_trip<T>(to_ - 1);
  return rounded >= to_ ? rounded - spacing<T>(to_ - 1) : to_;
}

template <class T>
void fill_range(RandomEngine& engine, T* x, int64_t n, uint64_t range, int64_t from) {
  const auto value = [from](uint64_t r) { return static_cast<int64_t>(r + static_cast<uint64_t>(from)); };
  // From 2^28 on, 32 random bits would make some values visibly likelier than others.
  if (range >= uint64_t{1} << 28) {
    each64(engine, n, [&](int64_t i, uint64_t bits) { x[i] = to<T>(value(bits % range)); });
  } else {
    const auto small = static_cast<uint32_t>(range);
    each32(engine, n, [&](int64_t i, uint32_t bits) { x[i] = to<T>(value(bits % small)); });
  }
}

}  // namespace

void fill_random_from(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, int64_t from,
                      std::optional<int64_t> to_) {
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  check<ValueError>(!to_ || from < *to_, "random_: expected from < to, got from ", from, " and to ", to_.value_or(0));
  visit_dtype(dtype, [&](auto tag) {
    using T = decltype(tag);
    T* x = static_cast<T*>(out);
    if (!to_ && from == lowest) {
      if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, double> || std::is_same_v<T, float> ||
                    std::is_same_v<T, BFloat16>) {
        each64(engine, n, [x](int64_t i, uint64_t bits) { x[i] = to<T>(static_cast<int64_t>(bits)); });
        return;
      } else {
        throw TypeError(str("random_: all 64 bits do not fit ", dtype_name(dtype)));
      }
    }
    int64_t first = from, last;  // both included
    if constexpr (std::is_integral_v<T>) {
      last = to_ ? *to_ - 1 : static_cast<int64_t>(std::numeric_limits<T>::max());
      check<ValueError>(first >= static_cast<int64_t>(std::numeric_limits<T>::min()) &&
                            last <= static_cast<int64_t>(std::numeric_limits<T>::max()),
                        "random_: from ", first, " or to - 1 = ", last, " is out of bounds for ", dtype_name(dtype));
      check<ValueError>(first <= last, "random_: from ", from, " is out of bounds for ", dtype_name(dtype));
    } else {
      first = inward_from<T>(from);
      last = to_ ? inward_to<T>(*to_) - 1 : int64_t{1} << digits<T>;
      check<ValueError>(first <= last, "random_: no ", dtype_name(dtype), " between from ", from, " and to");
      check<ValueError>(
          std::abs(static_cast<double>(first)) <= largest<T> && std::abs(static_cast<double>(last)) <= largest<T>,
          "random_: from ", first, " or to - 1 = ", last, " is out of bounds for ", dtype_name(dtype));
    }
    fill_range(engine, x, n, static_cast<uint64_t>(last) - static_cast<uint64_t>(first) + 1, first);
  });
}

void fill_randperm(RandomEngine& engine, ScalarType dtype, void* out, int64_t n) {
  check<ValueError>(n >= 0, "randperm: expected n >= 0, got ", n);
  check<TypeError>(dtype != kBool, "randperm: not defined for bool");
  visit_dtype(dtype, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_integral_v<T>) {
      check<ValueError>(n == 0 || n - 1 <= static_cast<int64_t>(std::numeric_limits<T>::max()), "randperm: n = ", n,
                        " is too large for ", dtype_name(dtype));
    } else if constexpr (!std::is_same_v<T, BFloat16>) {  // PyTorch lets bfloat16 round
      check<ValueError>(n <= (int64_t{1} << digits<T>)+1, "randperm: n = ", n, " is too large for ", dtype_name(dtype));
    }
    T* x = static_cast<T*>(out);
    if (n < std::numeric_limits<uint32_t>::max() / 20) {
      for (int64_t i = 0; i < n; ++i) x[i] = to<T>(i);
      const auto count = static_cast<uint32_t>(n);
      each32(engine, n - 1,
             [&](int64_t i, uint32_t bits) { std::swap(x[i], x[i + bits % (count - static_cast<uint32_t>(i))]); });
    } else {  // 32 bits would no longer be even enough; shuffled inside out
      each64(engine, n, [&](int64_t i, uint64_t bits) {
        const auto j = static_cast<int64_t>(bits % static_cast<uint64_t>(i + 1));
        x[i] = to<T>(i);
        x[i] = x[j];
        x[j] = to<T>(i);
      });
    }
  });
}

void fill_bernoulli(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double p) {
  check<ValueError>(p >= 0 && p <= 1, "bernoulli_: expected p in [0, 1], got ", p);
  visit_dtype(dtype, [&](auto tag) {
    using T = decltype(tag);
    fill_coin(engine, static_cast<T*>(out), n, p, to<T>(1), to<T>(0));
  });
}

void fill_bernoulli(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, ScalarType p_dtype, const void* p) {
  visit_floating("bernoulli", p_dtype, [&](auto p_tag) {
    using P = decltype(p_tag);
    const P* probability = static_cast<const P*>(p);
    for (int64_t i = 0; i < n; ++i) {
      const auto value = static_cast<Wide<P>>(probability[i]);
      check<ValueError>(value >= 0 && value <= 1, "bernoulli: expected p in [0, 1], got ", value, " at ", i);
    }
    visit_dtype(dtype, [&](auto tag) {
      using T = decltype(tag);
      T* x = static_cast<T*>(out);
      const T one = to<T>(1), zero = to<T>(0);
      if constexpr (std::is_same_v<P, double>) {
        each64(engine, n, [&](int64_t i, uint64_t b) { x[i] = unit_double(b) < probability[i] ? one : zero; });
      } else {
        each32(engine, n,
               [&](int64_t i, uint32_t b) { x[i] = unit_float(b) < static_cast<float>(probability[i]) ? one : zero; });
      }
    });
  });
}

void fill_dropout(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double p) {
  check<ValueError>(p >= 0 && p <= 1, "dropout: expected p in [0, 1], got ", p);
  visit_floating("dropout", dtype, [&](auto tag) {
    using T = decltype(tag);
    using W = Wide<T>;
    T* x = static_cast<T*>(out);
    const double keep = 1 - p;
    if (p == 0 || p == 1) return void(std::fill(x, x + n, to<T>(keep)));
    fill_coin(engine, x, n, keep, to<T>(W(1) / static_cast<W>(keep)), to<T>(0));
  });
}

namespace {

/// Indices of the `samples` largest values of a row, largest first. PyTorch's choice among equals is that of the
/// standard library's algorithms on (value, index) pairs, so those are used as it uses them.
template <class W>
void largest_indices(const W* values, int64_t n, int64_t samples, std::vector<std::pair<W, int64_t>>& queue,
                     int64_t* out) {
  queue.resize(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) queue[static_cast<size_t>(i)] = {values[i], i};
  const auto before = [](const auto& a, const auto& b) {
    return (std::isnan(a.first) && !std::isnan(b.first)) || a.first > b.first;
  };
  const auto begin = queue.begin();
  if (samples * 64 <= n) {
    std::partial_sort(begin, begin + samples, queue.end(), before);
  } else {
    std::nth_element(begin, begin + samples - 1, queue.end(), before);
    std::sort(begin, begin + samples - 1, before);
  }
  for (int64_t j = 0; j < samples; ++j) out[j] = queue[static_cast<size_t>(j)].second;
}

/// The first of the largest values; NaN counts as the largest.
template <class W>
int64_t first_largest(const W* values, int64_t n) {
  int64_t best = 0;
  for (int64_t i = 1; i < n; ++i) {
    if (std::isnan(values[best])) break;
    if (values[i] > values[best] || std::isnan(values[i])) best = i;
  }
  return best;
}

/// The race: weight / Exp(1) of every category, the largest ones win.
template <class T>
void multinomial_race(RandomEngine& engine, const T* weights, int64_t rows, int64_t categories, int64_t samples,
                      int64_t* out) {
  using W = Wide<T>;
  std::vector<T> race(static_cast<size_t>(categories));
  std::vector<W> score(static_cast<size_t>(categories));
  std::vector<std::pair<W, int64_t>> queue;
  for (int64_t r = 0; r < rows; ++r, weights += categories, out += samples) {
    fill_exponential(engine, dtype_of<T>, race.data(), categories, 1);
    for (size_t j = 0; j < race.size(); ++j) {
      score[j] = static_cast<W>(to<T>(static_cast<W>(weights[j]) / static_cast<W>(race[j])));
    }
    if (samples == 1) {
      *out = first_largest(score.data(), categories);
    } else {
      largest_indices(score.data(), categories, samples, queue, out);
    }
  }
}

/// Binary search in the cumulative weights, in the precision of the weights.
template <class T>
void multinomial_search(RandomEngine& engine, const T* weights, int64_t rows, int64_t categories, int64_t samples,
                        int64_t* out) {
  using W = Wide<T>;
  std::vector<W> cumulative(static_cast<size_t>(categories));
  for (int64_t r = 0; r < rows; ++r, weights += categories, out += samples) {
    W sum = 0;
    for (size_t j = 0; j < cumulative.size(); ++j) cumulative[j] = sum += static_cast<W>(weights[j]);
    for (W& c : cumulative) c /= sum;
    cumulative.back() = 1;
    each_unit_block(engine, samples, [&](int64_t begin, const double* u, int64_t m) {
      for (int64_t i = 0; i < m; ++i) {
        const auto found = std::partition_point(cumulative.begin(), cumulative.end(), [&](W c) { return c < u[i]; });
        out[begin + i] = found - cumulative.begin();
      }
    });
  }
}

}  // namespace

void multinomial(RandomEngine& engine, ScalarType dtype, const void* weights, int64_t rows, int64_t categories,
                 int64_t samples, bool replacement, int64_t* out) {
  check<ValueError>(samples > 0, "multinomial: expected num_samples > 0, got ", samples);
  check<ValueError>(replacement || samples <= categories, "multinomial: cannot draw ", samples, " of ", categories,
                    " categories without replacement");
  check<ValueError>(categories <= int64_t{1} << 24, "multinomial: more than 2^24 categories: ", categories);
  visit_floating("multinomial", dtype, [&](auto tag) {
    using T = decltype(tag);
    using W = Wide<T>;
    const T* w = static_cast<const T*>(weights);
    for (int64_t r = 0; r < rows; ++r) {
      W sum = 0;
      for (int64_t j = 0; j < categories; ++j) {
        const auto value = static_cast<W>(w[r * categories + j]);
        check<ValueError>(value >= 0 && std::isfinite(value), "multinomial: expected finite weights >= 0, got ", value,
                          " at row ", r, ", category ", j);
        sum += value;
      }
      check<ValueError>(sum > 0, "multinomial: the weights of row ", r, " sum to 0");
    }
    if (replacement && samples > 1) {
      multinomial_search(engine, w, rows, categories, samples, out);
    } else {
      multinomial_race(engine, w, rows, categories, samples, out);
    }
  });
}

}  // namespace taut
