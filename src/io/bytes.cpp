// Byte orders and UTF-8.
#include "io/bytes.h"

#include "taut/core/error.h"

namespace taut::io {

template <class T, class Swap>
static void swap_all(void* data, uint64_t n, Swap swap) {
  auto* p = static_cast<uint8_t*>(data);
  for (uint64_t i = 0; i < n; ++i, p += sizeof(T)) {
    const T v = swap(load_little<T>(p));
    std::memcpy(p, &v, sizeof v);
  }
}

void swap_bytes(void* data, uint64_t bytes, ScalarType dtype) {
  const auto size = static_cast<uint64_t>(element_size(value_type(dtype))),
             n = bytes / size;  // each part of a complex number
  if (size == 2) swap_all<uint16_t>(data, n, [](uint16_t v) { return __builtin_bswap16(v); });
  if (size == 4) swap_all<uint32_t>(data, n, [](uint32_t v) { return __builtin_bswap32(v); });
  if (size == 8) swap_all<uint64_t>(data, n, [](uint64_t v) { return __builtin_bswap64(v); });
}

void check_path(const std::string& path) {
  check<ValueError>(path.find('\0') == path.npos, "embedded null byte in the path '", path.c_str(), "\\0...'");
}

bool is_utf8(const char* text, size_t n) {
  Utf8Check check;
  for (size_t i = 0; i < n; ++i)
    if (!check.feed(static_cast<uint8_t>(text[i]))) return false;
  return check.complete();
}

}  // namespace taut::io
