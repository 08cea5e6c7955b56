// The algorithms XXH64 and MurmurHash3, after their specifications.
#include "io/hash.h"

#include <bit>

#include "io/bytes.h"

namespace taut::io {

namespace {
constexpr uint64_t k1 = 0x9e3779b185ebca87, k2 = 0xc2b2ae3d27d4eb4f, k3 = 0x165667b19e3779f9, k4 = 0x85ebca77c2b2ae63,
                   k5 = 0x27d4eb2f165667c5;
uint64_t round(uint64_t lane, uint64_t input) { return std::rotl(lane + input * k2, 31) * k1; }
uint64_t merge(uint64_t h, uint64_t lane) { return (h ^ round(0, lane)) * k1 + k4; }
}  // namespace

uint64_t xxh64(const void* data, uint64_t n, uint64_t seed) {
  const auto* p = static_cast<const uint8_t*>(data);
  const uint8_t* end = p + n;
  uint64_t h = seed + k5;
  if (n >= 32) {
    uint64_t a = seed + k1 + k2, b = seed + k2, c = seed, d = seed - k1;
    for (; end - p >= 32; p += 32) {
      a = round(a, load_little<uint64_t>(p));
      b = round(b, load_little<uint64_t>(p + 8));
      c = round(c, load_little<uint64_t>(p + 16));
      d = round(d, load_little<uint64_t>(p + 24));
    }
    h = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
    for (uint64_t lane : {a, b, c, d}) h = merge(h, lane);
  }
  h += n;
  for (; end - p >= 8; p += 8) h = std::rotl(h ^ round(0, load_little<uint64_t>(p)), 27) * k1 + k4;
  if (end - p >= 4) {
    h = std::rotl(h ^ load_little<uint32_t>(p) * k1, 23) * k2 + k3;
    p += 4;
  }
  for (; p < end; ++p) h = std::rotl(h ^ *p * k5, 11) * k1;
  h = (h ^ h >> 33) * k2;
  h = (h ^ h >> 29) * k3;
  return h ^ h >> 32;
}

namespace {
constexpr uint64_t m1 = 0x87c37b91114253d5, m2 = 0x4cf5ad432745937f;
uint64_t mixed_first(uint64_t k) { return std::rotl(k * m1, 31) * m2; }
uint64_t mixed_second(uint64_t k) { return std::rotl(k * m2, 33) * m1; }
uint64_t finished(uint64_t h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53;
  return h ^ h >> 33;
}
}  // namespace

Hash128 murmur128(const void* data, uint64_t n, Hash128 seed) {
  const auto* p = static_cast<const uint8_t*>(data);
  auto [a, b] = seed;
  for (uint64_t i = 0; i < n / 16; ++i, p += 16) {
    a = (std::rotl(a ^ mixed_first(load_little<uint64_t>(p)), 27) + b) * 5 + 0x52dce729;
    b = (std::rotl(b ^ mixed_second(load_little<uint64_t>(p + 8)), 31) + a) * 5 + 0x38495ab5;
  }
  uint8_t tail[16] = {};
  if (n % 16) std::memcpy(tail, p, n % 16);  // bytes that are not there count as zeros, which change nothing
  a ^= mixed_first(load_little<uint64_t>(tail)) ^ n;
  b ^= mixed_second(load_little<uint64_t>(tail + 8)) ^ n;
  a += b, b += a;
  a = finished(a), b = finished(b);
  a += b, b += a;
  return {a, b};
}

}  // namespace taut::io
