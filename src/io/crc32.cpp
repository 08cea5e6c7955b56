// The checksum of zip files.
#include <zlib.h>

#include "taut/io/file.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace taut::io {

namespace {

uint32_t plain(const void* data, uint64_t n, uint32_t crc) {
  return static_cast<uint32_t>(crc32_z(crc, static_cast<const uint8_t*>(data), n));
}

#ifdef __x86_64__

#define TAUT_PCLMUL __attribute__((target("pclmul,sse4.1")))

/// What x is worth `k`'s distance further on (Gopal and others: Fast CRC Computation Using PCLMULQDQ, 2009).
TAUT_PCLMUL inline __m128i fold(__m128i x, __m128i k, __m128i there) {
  return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x00), _mm_clmulepi64_si128(x, k, 0x11)), there);
}

TAUT_PCLMUL inline __m128i at(const uint8_t* p, int i) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p) + i);
}

/// n >= 64. Four sums of every fourth 16 bytes, which end as 16 bytes of the same checksum.
TAUT_PCLMUL uint32_t folded(const uint8_t* p, uint64_t n, uint32_t crc) {
  const __m128i by_64 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4), by_16 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  __m128i a = _mm_xor_si128(at(p, 0), _mm_cvtsi32_si128(static_cast<int>(~crc)));
  __m128i b = at(p, 1), c = at(p, 2), d = at(p, 3);
  for (p += 64, n -= 64; n >= 64; p += 64, n -= 64) {
    a = fold(a, by_64, at(p, 0));
    b = fold(b, by_64, at(p, 1));
    c = fold(c, by_64, at(p, 2));
    d = fold(d, by_64, at(p, 3));
  }
  a = fold(fold(fold(a, by_16, b), by_16, c), by_16, d);
  return plain(p, n, plain(&a, sizeof a, ~0u));  // from ~0u, which is inverted to nothing
}

#define TAUT_WIDE __attribute__((target("vpclmulqdq,avx512f,pclmul,sse4.1")))

TAUT_WIDE inline __m512i fold(__m512i x, __m512i k, const uint8_t* there) {
  constexpr int kXor3 = 0x96;
  return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(x, k, 0x00), _mm512_clmulepi64_epi128(x, k, 0x11),
                                   _mm512_loadu_si512(there), kXor3);
}

/// The same for n >= 256 with sixteen sums, which end as 256 bytes of the same checksum.
TAUT_WIDE uint32_t folded_wide(const uint8_t* p, uint64_t n, uint32_t crc) {
  constexpr int64_t kLow = 0x11542778a, kHigh = 0x1322d1430;
  const __m512i by_256 = _mm512_set_epi64(kHigh, kLow, kHigh, kLow, kHigh, kLow, kHigh, kLow);
  __m512i a =
      _mm512_xor_si512(_mm512_loadu_si512(p), _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(~crc))));
  __m512i b = _mm512_loadu_si512(p + 64), c = _mm512_loadu_si512(p + 128), d = _mm512_loadu_si512(p + 192);
  for (p += 256, n -= 256; n >= 256; p += 256, n -= 256) {
    a = fold(a, by_256, p);
    b = fold(b, by_256, p + 64);
    c = fold(c, by_256, p + 128);
    d = fold(d, by_256, p + 192);
  }
  const __m512i sums[4] = {a, b, c, d};
  const uint32_t before = folded(reinterpret_cast<const uint8_t*>(sums), sizeof sums, ~0u);
  return n >= 64 ? folded(p, n, before) : plain(p, n, before);
}

#endif

}  // namespace

uint32_t crc32(const void* data, uint64_t n, uint32_t crc) {
#ifdef __x86_64__
  static const bool fast = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  static const bool wide = fast && __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f");
  if (wide && n >= 256) return folded_wide(static_cast<const uint8_t*>(data), n, crc);
  if (fast && n >= 64) return folded(static_cast<const uint8_t*>(data), n, crc);
#endif
  return plain(data, n, crc);
}

}  // namespace taut::io
