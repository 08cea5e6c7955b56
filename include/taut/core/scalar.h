// One number of any type, as an argument.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <type_traits>

#include "taut/core/dtype.h"

namespace taut {

/// A bool, an integer, a floating-point or a complex number.
class Scalar {
 public:
  Scalar() : Scalar(int64_t{0}) {}
  template <class T>
  requires std::is_arithmetic_v<T> Scalar(T v) {
    if constexpr (std::is_same_v<T, bool>) kind_ = Kind::Bool, i_ = v;
    else if constexpr (std::is_integral_v<T>)
      kind_ = static_cast<uint64_t>(v) > INT64_MAX && v > 0 ? Kind::Large : Kind::Int, i_ = static_cast<int64_t>(v);
    else kind_ = Kind::Float, d_ = static_cast<double>(v);
  }
  Scalar(Half v) : Scalar(static_cast<float>(v)) {}
  Scalar(BFloat16 v) : Scalar(static_cast<float>(v)) {}
  template <ScalarType Type>
  Scalar(Float8<Type> v) : Scalar(static_cast<float>(v)) {}

  template <is_complex_number C>
  Scalar(const C& v) : kind_(Kind::Complex), d_(static_cast<double>(v.real())), imag_(static_cast<double>(v.imag())) {}

  bool is_floating_point() const { return kind_ == Kind::Float; }
  bool is_integral(bool include_bool) const { return !has_fraction() && (include_bool || !is_bool()); }
  bool is_bool() const { return kind_ == Kind::Bool; }
  // libtorch's names.
  bool isFloatingPoint() const { return is_floating_point(); }
  bool isIntegral(bool include_bool) const { return is_integral(include_bool); }
  bool isBoolean() const { return is_bool(); }
  bool is_complex() const { return kind_ == Kind::Complex; }
  bool isComplex() const { return is_complex(); }
  /// Bool, Long, Double or ComplexDouble; UInt64 for an integer that only this type holds.
  ScalarType type() const {
    constexpr ScalarType types[] = {kBool, kLong, kUInt64, kDouble, kComplexDouble};
    return types[static_cast<int>(kind_)];
  }
  /// Throws where a complex number is to become one that is not.
  template <class T>
  T to() const {
    if constexpr (is_complex_number<T>) {
      using V = typename T::value_type;
      return T(static_cast<V>(real()), static_cast<V>(imag_));
    } else if constexpr (std::is_same_v<T, bool>) {
      return has_fraction() ? d_ != 0 || imag_ != 0 : i_ != 0;
    } else {
      if (imag_ != 0) [[unlikely]]
        throw_not_real();
      if constexpr (std::is_integral_v<T>) return static_cast<T>(has_fraction() ? to_int(d_) : i_);
      else return static_cast<T>(real());
    }
  }
  Complex<double> toComplexDouble() const { return to<Complex<double>>(); }
  Complex<float> toComplexFloat() const { return to<Complex<float>>(); }
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
    if (is_complex()) return -toComplexDouble();
    return is_floating_point() ? Scalar(-d_) : Scalar(static_cast<int64_t>(0 - static_cast<uint64_t>(i_)));
  }
  bool equal(const Scalar& o) const {
    if (!has_fraction() && !o.has_fraction()) return i_ == o.i_ && (kind_ == Kind::Large) == (o.kind_ == Kind::Large);
    return toComplexDouble() == o.toComplexDouble();
  }
  Scalar conj() const { return is_complex() ? Scalar(Complex<double>(d_, -imag_)) : *this; }

 private:
  int64_t within(int64_t low, int64_t high, const char* type) const;
  static int64_t to_int(double d) {  // never undefined: what x86 gives
    return d >= -9223372036854775808.0 && d < 9223372036854775808.0 ? static_cast<int64_t>(d) : INT64_MIN;
  }
  [[noreturn]] static void throw_not_real();
  bool has_fraction() const { return kind_ >= Kind::Float; }
  double real() const {
    if (has_fraction()) return d_;
    return kind_ == Kind::Large ? static_cast<double>(static_cast<uint64_t>(i_)) : static_cast<double>(i_);
  }
  // Large: an integer beyond int64, as the uint64 of the same bits.
  enum class Kind : uint8_t { Bool, Int, Large, Float, Complex } kind_;
  union {
    int64_t i_;
    double d_;
  };
  double imag_ = 0;
};
std::ostream& operator<<(std::ostream& out, const Scalar& s);

}  // namespace taut
