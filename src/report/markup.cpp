// Escaping, numbers, and files within the page.
#include "report/markup.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

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

std::string data_address(std::string_view type, std::string_view data) {
  static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string s = "data:" + std::string(type) + ";base64,";
  for (size_t i = 0; i < data.size(); i += 3) {
    uint32_t v = 0;
    const size_t n = std::min<size_t>(3, data.size() - i);
    for (size_t k = 0; k < 3; ++k) v = v << 8 | (k < n ? static_cast<unsigned char>(data[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) s += k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
  }
  return s;
}

}  // namespace taut::report
