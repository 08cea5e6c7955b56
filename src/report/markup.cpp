// Escaping, numbers, and pictures small enough to be stored without compression.
#include "report/markup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace taut::report {

std::string escape(std::string_view text) {
  std::string s;
  s.reserve(text.size());
  for (char c : text) {
    switch (c) {
      case '<': s += "&lt;"; break;
      case '>': s += "&gt;"; break;
      case '&': s += "&amp;"; break;
      case '"': s += "&quot;"; break;
      case '\'': s += "&#39;"; break;
      case '\n': s += c; break;
      default: s += static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
    }
  }
  return s;
}

std::string format(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[40];
  if (std::abs(value) < 1e15 && value == std::round(value) && std::abs(value) >= 1000)
    std::snprintf(text, sizeof text, "%.0f", value);
  else std::snprintf(text, sizeof text, "%.4g", value == 0 ? 0.0 : value);
  return text;
}

std::string coordinate(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string s = text;
  s.erase(s.find_last_not_of('0') + 1);
  if (s.back() == '.') s.pop_back();
  return s;
}

namespace {

void put32(std::string& s, uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) s += static_cast<char>(v >> shift & 255);
}

uint32_t crc32(std::string_view data) {
  static const auto table = [] {
    std::array<uint32_t, 256> t{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  uint32_t c = ~0u;
  for (char ch : data) c = table[(c ^ static_cast<unsigned char>(ch)) & 255] ^ (c >> 8);
  return ~c;
}

void chunk(std::string& png, std::string_view type, const std::string& data) {
  put32(png, static_cast<uint32_t>(data.size()));
  const std::string body = std::string(type) + data;
  png += body;
  put32(png, crc32(body));
}

/// A zlib stream of stored blocks.
std::string stored(const std::string& raw) {
  std::string z = "\x78\x01";
  for (size_t at = 0; at < raw.size() || at == 0; at += 65535) {
    const size_t n = std::min<size_t>(65535, raw.size() - at);
    z += static_cast<char>(at + n >= raw.size());
    z += static_cast<char>(n & 255);
    z += static_cast<char>(n >> 8);
    z += static_cast<char>(~n & 255);
    z += static_cast<char>(~n >> 8 & 255);
    z.append(raw, at, n);
  }
  uint32_t a = 1, b = 0;
  for (char c : raw) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  put32(z, b << 16 | a);
  return z;
}

std::string base64(const std::string& data) {
  static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string s;
  for (size_t i = 0; i < data.size(); i += 3) {
    uint32_t v = 0;
    const size_t n = std::min<size_t>(3, data.size() - i);
    for (size_t k = 0; k < 3; ++k) v = v << 8 | (k < n ? static_cast<unsigned char>(data[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) s += k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
  }
  return s;
}

}  // namespace

std::string png_address(const unsigned char* pixels, int64_t height, int64_t width, int channels) {
  std::string header;
  put32(header, static_cast<uint32_t>(width));
  put32(header, static_cast<uint32_t>(height));
  header += '\x08';
  header += static_cast<char>(channels == 3 ? 2 : 0);
  header.append(3, '\0');
  std::string rows;
  for (int64_t y = 0; y < height; ++y) {
    rows += '\0';  // no filter
    rows.append(reinterpret_cast<const char*>(pixels + y * width * channels), static_cast<size_t>(width * channels));
  }
  std::string png = "\x89PNG\r\n\x1a\n";
  chunk(png, "IHDR", header);
  chunk(png, "IDAT", stored(rows));
  chunk(png, "IEND", "");
  return "data:image/png;base64," + base64(png);
}

}  // namespace taut::report
