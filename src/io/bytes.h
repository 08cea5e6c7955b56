// Numbers in byte strings, and sizes that must not overflow.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "taut/core/array_ref.h"
#include "taut/core/dtype.h"

namespace taut::io {

constexpr size_t kMaxDims = 64;  // of a tensor in a file

static_assert(std::endian::native == std::endian::little, "the readers assume a little-endian processor");

template <class T>
T load_little(const void* from) {
  T v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class T>
T load_big(const void* from) {
  T v = 0;
  for (size_t i = 0; i < sizeof v; ++i) v = static_cast<T>(v << 8 | static_cast<const uint8_t*>(from)[i]);
  return v;
}

/// a * b, or nothing when it does not fit.
inline std::optional<uint64_t> times(std::optional<uint64_t> a, uint64_t b) {
  uint64_t r = 0;
  if (!a || __builtin_mul_overflow(*a, b, &r)) return std::nullopt;
  return r;
}
/// The bytes of a tensor, or nothing when their number does not fit into an int64.
inline std::optional<uint64_t> checked_bytes(IntArrayRef sizes, ScalarType dtype) {
  // A zero anywhere makes the tensor empty, but the other sizes must not overflow either: strides are made of them.
  std::optional<uint64_t> n = static_cast<uint64_t>(element_size(dtype));
  bool empty = false;
  for (int64_t s : sizes) {
    if (s < 0) return std::nullopt;
    if (s == 0) empty = true;
    else n = times(n, static_cast<uint64_t>(s));
  }
  if (!n || *n > INT64_MAX) return std::nullopt;
  return empty ? 0 : *n;
}

/// Turns elements that take `bytes` bytes from one byte order to the other.
void swap_bytes(void* data, uint64_t bytes, ScalarType dtype);
/// The system would take a name with a zero byte for a shorter one.
void check_path(const std::string& path);
/// Does the text consist of well-formed UTF-8 only?
bool is_utf8(const char* text, size_t n);
/// Appends the code point; it must be at most U+10FFFF.
template <class Sink>
void put_utf8(uint32_t c, Sink&& put) {
  if (c < 0x80) return put(static_cast<char>(c));
  if (c < 0x800) {
    put(static_cast<char>(0xc0 | c >> 6));
  } else {
    if (c < 0x10000) {
      put(static_cast<char>(0xe0 | c >> 12));
    } else {
      put(static_cast<char>(0xf0 | c >> 18));
      put(static_cast<char>(0x80 | (c >> 12 & 0x3f)));
    }
    put(static_cast<char>(0x80 | (c >> 6 & 0x3f)));
  }
  put(static_cast<char>(0x80 | (c & 0x3f)));
}

/// Feeds on bytes and says whether they are UTF-8 so far.
class Utf8Check {
 public:
  /// False once a byte cannot follow.
  bool feed(uint8_t c) {
    if (left_ > 0) {
      if (c < low_ || c > high_) return false;
      low_ = 0x80, high_ = 0xbf;
      --left_;
      return true;
    }
    if (c < 0x80) return true;
    if (c < 0xc2 || c > 0xf4) return false;
    left_ = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    low_ = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;   // no overlong forms
    high_ = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;  // no surrogates, nothing above U+10FFFF
    return true;
  }
  bool complete() const { return left_ == 0; }

 private:
  int left_ = 0;
  uint8_t low_ = 0x80, high_ = 0xbf;
};

}  // namespace taut::io
