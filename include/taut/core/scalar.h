// One number of any type, as an argument.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <type_traits>

#include "taut/core/dtype.h"

namespace taut {

/// A bool, an integer or a floating-point number.
class Scalar {
 public:
  Scalar() : Scalar(int64_t{0}) {}
  template <class T>
  requires std::is_arithmetic_v<T> Scalar(T v) {
    if constexpr (std::is_same_v<T, bool>) kind_ = Kind::Bool, i_ = v;
    else if constexpr (std::is_integral_v<T>) kind_ = Kind::Int, i_ = static_cast<int64_t>(v);
    else kind_ = Kind::Float, d_ = static_cast<double>(v);
  }
  Scalar(Half v) : Scalar(static_cast<float>(v)) {}
  Scalar(BFloat16 v) : Scalar(static_cast<float>(v)) {}

  bool is_floating_point() const { return kind_ == Kind::Float; }
  bool is_integral(bool include_bool) const { return kind_ == Kind::Int || (include_bool && is_bool()); }
  bool is_bool() const { return kind_ == Kind::Bool; }
  // libtorch's names.
  bool isFloatingPoint() const { return is_floating_point(); }
  bool isIntegral(bool include_bool) const { return is_integral(include_bool); }
  bool isBoolean() const { return is_bool(); }
  bool isComplex() const { return false; }
  /// Bool, Long or Double.
  ScalarType type() const { return is_floating_point() ? kDouble : is_bool() ? kBool : kLong; }
  template <class T>
  T to() const {
    if constexpr (std::is_same_v<T, bool>) return is_floating_point() ? d_ != 0 : i_ != 0;
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(is_floating_point() ? to_int(d_) : i_);
    else return static_cast<T>(is_floating_point() ? d_ : static_cast<double>(i_));
  }
  double toDouble() const { return to<double>(); }
  int64_t toLong() const { return to<int64_t>(); }
  bool toBool() const { return to<bool>(); }
  float toFloat() const { return to<float>(); }
  Half toHalf() const { return to<float>(); }
  BFloat16 toBFloat16() const { return to<float>(); }
  // Throw when the number does not fit.
  int32_t toInt() const { return static_cast<int32_t>(within(INT32_MIN, INT32_MAX, "int")); }
  int16_t toShort() const { return static_cast<int16_t>(within(INT16_MIN, INT16_MAX, "int16_t")); }
  int8_t toChar() const { return static_cast<int8_t>(within(INT8_MIN, INT8_MAX, "int8_t")); }
  uint8_t toByte() const { return static_cast<uint8_t>(within(-UINT8_MAX, UINT8_MAX, "uint8_t")); }
  Scalar operator-() const {
    return is_floating_point() ? Scalar(-d_) : Scalar(static_cast<int64_t>(0 - static_cast<uint64_t>(i_)));
  }
  bool equal(const Scalar& o) const {
    return is_floating_point() || o.is_floating_point() ? toDouble() == o.toDouble() : i_ == o.i_;
  }

 private:
  int64_t within(int64_t low, int64_t high, const char* type) const;
  static int64_t to_int(double d) {  // never undefined: what x86 gives
    return d >= -9223372036854775808.0 && d < 9223372036854775808.0 ? static_cast<int64_t>(d) : INT64_MIN;
  }
  enum class Kind : uint8_t { Bool, Int, Float } kind_;
  union {
    int64_t i_;
    double d_;
  };
};
std::ostream& operator<<(std::ostream& out, const Scalar& s);

}  // namespace taut
