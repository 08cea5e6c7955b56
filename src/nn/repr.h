// Values as Python prints them.
#pragma once
#include <charconv>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "taut/core/error.h"
#include "taut/nn/enums.h"
#include "taut/nn/expanding_array.h"

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

/// An option in the repr of a layer.
inline PythonFloat shown(double x) { return {x}; }
inline int64_t shown(int64_t x) { return x; }
inline const char* shown(bool b) { return b ? "True" : "False"; }
inline std::string shown(const std::string& text) { return str('\'', text, '\''); }
inline std::string shown(Keyword word) { return str('\'', word, '\''); }
template <size_t D, class T>
const ExpandingArray<D, T>& shown(const ExpandingArray<D, T>& list) {
  return list;
}
template <class T>
std::string shown(const std::vector<T>& list) {
  std::string text;
  for (const T& x : list) text += str(text.empty() ? "" : ", ", shown(x));
  return str('(', text, list.size() == 1 ? ",)" : ")");
}
template <class T>
std::string shown(const std::optional<T>& x) {
  return x ? str(shown(*x)) : "None";
}

/// One number where all are the same, as Python prints what it was given.
template <class Array>
std::string shortly(const Array& sizes) {
  for (size_t d = 1; d < sizes.size(); ++d)
    if (sizes[d] != sizes[0]) return str(sizes);
  return str(shown(sizes[0]));
}

}  // namespace taut::nn::detail
