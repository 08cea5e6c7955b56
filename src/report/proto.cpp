// Protocol Buffers: a message is keys, each a field number and a kind, and what belongs to them.
#include <array>
#include <bit>
#include <cstring>

#include "taut/event_writer.h"

namespace taut::report {

static_assert(std::endian::native == std::endian::little, "fixed numbers are written as they lie in memory");

namespace {
enum Kind : int { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
}  // namespace

void Proto::varint(uint64_t v) {
  for (; v >= 0x80; v >>= 7) bytes_.push_back(static_cast<char>(v | 0x80));
  bytes_.push_back(static_cast<char>(v));
}
void Proto::key(int field, int type) { varint(static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(type)); }

Proto& Proto::integer(int field, int64_t value) {
  key(field, kVarint);
  varint(static_cast<uint64_t>(value));
  return *this;
}
Proto& Proto::real(int field, double value) {
  key(field, kFixed64);
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}
Proto& Proto::single(int field, float value) {
  key(field, kFixed32);
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}
Proto& Proto::text(int field, std::string_view s) {
  key(field, kBytes);
  varint(s.size());
  bytes_.append(s);
  return *this;
}
Proto& Proto::reals(int field, const std::vector<double>& values) {
  return text(field, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}
Proto& Proto::singles(int field, const float* values, size_t n) {
  return text(field, {reinterpret_cast<const char*>(values), n * sizeof(float)});
}
Proto& Proto::integers(int field, const std::vector<int64_t>& values) {
  Proto packed;
  for (const int64_t v : values) packed.varint(static_cast<uint64_t>(v));
  return message(field, packed);
}

uint32_t crc32c(const void* data, size_t n) {
  constexpr uint32_t kReversed = 0x82f63b78;  // Castagnoli's polynomial, lowest power first
  static const auto table = [] {
    std::array<uint32_t, 256> t;
    for (uint32_t i = 0; i < t.size(); ++i) {
      uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ kReversed : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  uint32_t crc = ~uint32_t{0};
  const auto* bytes = static_cast<const uint8_t*>(data);
  for (size_t i = 0; i < n; ++i) crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
  return ~crc;
}

}  // namespace taut::report
