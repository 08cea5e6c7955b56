// Values as Python prints them.
#pragma once
#include <charconv>
#include <cmath>
#include <ostream>
#include <string>

namespace taut::nn::detail {

/// repr(x) of a float: the shortest digits that say which number it is, and always a point or an exponent.
struct PythonFloat {
  double value;
};
inline std::ostream& operator<<(std::ostream& out, PythonFloat f) {
  if (!std::isfinite(f.value)) return out << (std::isnan(f.value) ? "nan" : f.value > 0 ? "inf" : "-inf");
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, std::abs(f.value), std::chars_format::scientific).ptr;
  const std::string all(text, end);
  const size_t e = all.find('e');
  const int exponent = std::stoi(all.substr(e + 1));
  std::string digits = all.substr(0, e);
  if (std::signbit(f.value)) out << '-';
  if (exponent < -4 || exponent >= 16) return out << all;
  if (digits.size() > 1) digits.erase(1, 1);  // the point
  if (exponent < 0) return out << "0." << std::string(static_cast<size_t>(-exponent - 1), '0') << digits;
  const size_t whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) return out << digits << std::string(whole - digits.size(), '0') << ".0";
  return out << digits.substr(0, whole) << '.' << digits.substr(whole);
}

}  // namespace taut::nn::detail
