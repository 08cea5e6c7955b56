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

#endif

}  // namespace

uint32_t crc32(const void* data, uint64_t n, uint32_t crc) {
#ifdef __x86_64__
  static const bool fast = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  if (fast && n >= 64) return folded(static_cast<const uint8_t*>(data), n, crc);
#endif
  return plain(data, n, crc);
}

}  // namespace taut::io
