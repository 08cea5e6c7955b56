// The element types of a tensor, and how they combine.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iosfwd>

#include "taut/core/complex.h"

namespace taut {

/// Element type. The order is the order of promotion within a category.
enum class ScalarType : int8_t {
  Bool,
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  BFloat16,
  Float,
  Double,
  ComplexHalf,
  ComplexFloat,
  ComplexDouble,
  // Numbers that are kept, moved and converted; few ops compute with them: Note [Limited dtypes].
  Float8_e5m2,
  Float8_e4m3fn,
  Float8_e5m2fnuz,
  Float8_e4m3fnuz,
  Float8_e8m0fnu,
  UInt16,
  UInt32,
  UInt64,
  Undefined
};
using Dtype = ScalarType;
constexpr int kDtypeCount = 21;
constexpr int kRealCount = 10;  // those before the complex ones: what tables of kernels are indexed by

constexpr ScalarType kBool = ScalarType::Bool;
constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte;
constexpr ScalarType kChar = ScalarType::Char, kInt8 = kChar;
constexpr ScalarType kShort = ScalarType::Short, kInt16 = kShort;
constexpr ScalarType kInt = ScalarType::Int, kInt32 = kInt;
constexpr ScalarType kLong = ScalarType::Long, kInt64 = kLong;
constexpr ScalarType kHalf = ScalarType::Half, kFloat16 = kHalf;
constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
constexpr ScalarType kFloat = ScalarType::Float, kFloat32 = kFloat;
constexpr ScalarType kDouble = ScalarType::Double, kFloat64 = kDouble;
constexpr ScalarType kComplexHalf = ScalarType::ComplexHalf, kComplex32 = kComplexHalf;
constexpr ScalarType kComplexFloat = ScalarType::ComplexFloat, kComplex64 = kComplexFloat;
constexpr ScalarType kComplexDouble = ScalarType::ComplexDouble, kComplex128 = kComplexDouble;
constexpr ScalarType kFloat8_e5m2 = ScalarType::Float8_e5m2, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn,
                     kFloat8_e5m2fnuz = ScalarType::Float8_e5m2fnuz, kFloat8_e4m3fnuz = ScalarType::Float8_e4m3fnuz,
                     kFloat8_e8m0fnu = ScalarType::Float8_e8m0fnu;
constexpr ScalarType kUInt16 = ScalarType::UInt16, kUInt32 = ScalarType::UInt32, kUInt64 = ScalarType::UInt64;

constexpr int64_t element_size(ScalarType t) {
  constexpr int8_t sizes[] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 4, 8, 16, 1, 1, 1, 1, 1, 2, 4, 8, 0};
  return sizes[static_cast<int>(t)];
}
constexpr bool is_float8(ScalarType t) { return t >= kFloat8_e5m2 && t <= kFloat8_e8m0fnu; }
constexpr bool is_floating_point(ScalarType t) { return (t >= kHalf && t <= kDouble) || is_float8(t); }
constexpr bool is_complex(ScalarType t) { return t >= kComplexHalf && t <= kComplexDouble; }
/// May a tensor of this type have a gradient?
constexpr bool is_differentiable(ScalarType t) { return t >= kHalf && t <= kFloat8_e8m0fnu; }
/// A type that is kept, moved and converted, and computed with by few ops.
constexpr bool is_limited(ScalarType t) { return t >= kFloat8_e5m2 && t <= kUInt64; }
/// What holds the bits of a number of this type: for a limited type an integer of its size that all ops take.
constexpr ScalarType bits_type(ScalarType t) {
  return is_float8(t) ? kByte : t == kUInt16 ? kShort : t == kUInt32 ? kInt : t == kUInt64 ? kLong : t;
}
constexpr bool is_unsigned(ScalarType t) { return t == kByte || (t >= kUInt16 && t <= kUInt64); }
/// The type of the real and imaginary parts; a type that is not complex is its own.
constexpr ScalarType value_type(ScalarType t) {
  return t == kComplexHalf ? kHalf : t == kComplexFloat ? kFloat : t == kComplexDouble ? kDouble : t;
}
/// The complex type whose parts hold numbers of this one.
constexpr ScalarType complex_type(ScalarType t) {
  return is_complex(t) ? t : t == kHalf ? kComplexHalf : t == kDouble ? kComplexDouble : kComplexFloat;
}
constexpr bool is_integral(ScalarType t, bool include_bool = false) {
  return (t >= kByte && t <= kLong) || (t >= kUInt16 && t <= kUInt64) || (include_bool && t == kBool);
}
/// PyTorch's name: "float32", "int64", "bool", ...
const char* dtype_name(ScalarType t);
/// "Float", "Long", "Bool".
const char* toString(ScalarType t);
std::ostream& operator<<(std::ostream& out, ScalarType t);
/// The smallest type that holds both: PyTorch's table.
ScalarType promote_types(ScalarType a, ScalarType b);
/// May a result of type `from` be written into a tensor of type `to`?
bool can_cast(ScalarType from, ScalarType to);

ScalarType get_default_dtype();
void set_default_dtype(ScalarType t);

/// bfloat16: the upper half of a float.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  BFloat16(float f) {
    const uint32_t u = std::bit_cast<uint32_t>(f);
    bits = f != f ? 0x7fc0 : static_cast<uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

/// IEEE half precision.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  Half(float f) : bits(from_float(f)) {}
  operator float() const { return to_float(bits); }
  static uint16_t from_float(float f);
  static float to_float(uint16_t h);
};

/// Floats of eight bits, by the names of their types: e5m2 has five bits of exponent and two of mantissa; fn: without
/// infinities; fnuz: nor a negative zero; e8m0fnu: an exponent alone.
uint8_t float8_from_float(float f, ScalarType type);
float float8_to_float(uint8_t bits, ScalarType type);
template <ScalarType Type>
struct Float8 {
  uint8_t bits = 0;
  Float8() = default;
  Float8(float f) : bits(float8_from_float(f, Type)) {}
  operator float() const { return float8_to_float(bits, Type); }
};
using Float8_e5m2 = Float8<kFloat8_e5m2>;
using Float8_e4m3fn = Float8<kFloat8_e4m3fn>;
using Float8_e5m2fnuz = Float8<kFloat8_e5m2fnuz>;
using Float8_e4m3fnuz = Float8<kFloat8_e4m3fnuz>;
using Float8_e8m0fnu = Float8<kFloat8_e8m0fnu>;

/// The ScalarType of a C++ type.
template <class T>
constexpr ScalarType dtype_of = ScalarType::Undefined;
// clang-format off
template <> inline constexpr ScalarType dtype_of<bool> = kBool;
template <> inline constexpr ScalarType dtype_of<uint8_t> = kByte;
template <> inline constexpr ScalarType dtype_of<int8_t> = kChar;
template <> inline constexpr ScalarType dtype_of<int16_t> = kShort;
template <> inline constexpr ScalarType dtype_of<int32_t> = kInt;
template <> inline constexpr ScalarType dtype_of<int64_t> = kLong;
template <> inline constexpr ScalarType dtype_of<long long> = kLong;
template <> inline constexpr ScalarType dtype_of<Half> = kHalf;
template <> inline constexpr ScalarType dtype_of<BFloat16> = kBFloat16;
template <> inline constexpr ScalarType dtype_of<float> = kFloat;
template <> inline constexpr ScalarType dtype_of<double> = kDouble;
template <> inline constexpr ScalarType dtype_of<uint16_t> = kUInt16;
template <> inline constexpr ScalarType dtype_of<uint32_t> = kUInt32;
template <> inline constexpr ScalarType dtype_of<uint64_t> = kUInt64;
template <> inline constexpr ScalarType dtype_of<unsigned long long> = kUInt64;
template <ScalarType Type> inline constexpr ScalarType dtype_of<Float8<Type>> = Type;
template <> inline constexpr ScalarType dtype_of<Complex<Half>> = kComplexHalf;
template <> inline constexpr ScalarType dtype_of<Complex<float>> = kComplexFloat;
template <> inline constexpr ScalarType dtype_of<Complex<double>> = kComplexDouble;
/// std::complex has the layout of ours.
template <class C>
requires(is_complex_number<C>) inline constexpr ScalarType dtype_of<C> = dtype_of<Complex<typename C::value_type>>;
// clang-format on

/// What dtype() gives: a ScalarType that libtorch prints as the type of C++ it stands for.
class TypeMeta {
 public:
  constexpr TypeMeta(ScalarType t = ScalarType::Undefined) : type_(t) {}
  constexpr operator ScalarType() const { return type_; }
  constexpr ScalarType toScalarType() const { return type_; }
  /// "float", "long int".
  const char* name() const;
  constexpr size_t itemsize() const { return static_cast<size_t>(element_size(type_)); }
  template <class T>
  static constexpr TypeMeta Make() {
    return dtype_of<T>;
  }
  template <class T>
  constexpr bool Match() const {
    return type_ == dtype_of<T>;
  }

 private:
  ScalarType type_;
};
std::ostream& operator<<(std::ostream& out, TypeMeta t);

/// A kernel was asked for a dtype that it does not take.
[[noreturn]] void throw_no_kernel(ScalarType t);
/// Call `f` with a value-initialised element of the C++ type of `t`, which is neither complex nor limited: the switch
/// over dtypes, once.
template <class F>
decltype(auto) visit_dtype(ScalarType t, F&& f) {
  switch (t) {
    case ScalarType::Bool: return f(bool{});
    case ScalarType::Byte: return f(uint8_t{});
    case ScalarType::Char: return f(int8_t{});
    case ScalarType::Short: return f(int16_t{});
    case ScalarType::Int: return f(int32_t{});
    case ScalarType::Long: return f(int64_t{});
    case ScalarType::Half: return f(Half{});
    case ScalarType::BFloat16: return f(BFloat16{});
    case ScalarType::Float: return f(float{});
    case ScalarType::Double: return f(double{});
    default: throw_no_kernel(t);
  }
}

}  // namespace taut
