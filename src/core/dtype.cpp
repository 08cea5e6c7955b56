#include "taut/core/dtype.h"

#include <algorithm>
#include <atomic>
#include <ostream>

#include "taut/core/array_ref.h"
#include "taut/core/error.h"
#include "taut/core/scalar.h"
#include "taut/core/style.h"

namespace taut {

const char* dtype_name(ScalarType t) {
  constexpr const char* names[] = {
      "bool",       "uint8",       "int8",          "int16",           "int32",           "int64",
      "float16",    "bfloat16",    "float32",       "float64",         "complex32",       "complex64",
      "complex128", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu",
      "uint16",     "uint32",      "uint64",        "undefined"};
  return names[static_cast<int>(t)];
}

ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == b) return a;
  check(!is_float8(a) && !is_float8(b), "Promotion for Float8 Types is not supported, attempted to promote ",
        toString(a), " and ", toString(b));
  if (is_limited(a) || is_limited(b)) {
    check(is_floating_point(a) || is_floating_point(b),
          "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ", toString(a), " and ",
          toString(b));
    return std::min(a, b);
  }
  if (a > b) std::swap(a, b);
  if (is_complex(b)) return is_floating_point(a) || is_complex(a) ? std::max(complex_type(a), b) : b;
  if (a == kHalf && b == kBFloat16) return kFloat;
  if (a == kByte && b >= kChar && b <= kLong) return b == kChar ? kShort : b;
  return b;
}

bool can_cast(ScalarType from, ScalarType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating_point(from) && !is_differentiable(to)) return false;
  return from == kBool || to != kBool;
}

static std::atomic<ScalarType> default_dtype{kFloat};
ScalarType get_default_dtype() { return default_dtype.load(std::memory_order_relaxed); }
void set_default_dtype(ScalarType t) {
  check<TypeError>(is_floating_point(t),
                   "set_default_dtype: only floating-point types are supported as the default type, got ", t);
  default_dtype.store(t, std::memory_order_relaxed);
}

void throw_no_kernel(ScalarType t) {
  throw NotImplementedError(str("not implemented for '", is_limited(t) ? toString(t) : dtype_name(t), "'"));
}

namespace {
struct Float8Format {
  int mantissa, bias;
  uint8_t nan, largest;  // the bits of what is no number, and of the greatest finite one
  bool infinite, signed_zero;
};
constexpr Float8Format kFloat8[] = {{2, 15, 0x7f, 0x7b, true, true},
                                    {3, 7, 0x7f, 0x7e, false, true},
                                    {2, 16, 0x80, 0x7f, false, false},
                                    {3, 8, 0x80, 0x7f, false, false}};
const Float8Format& format_of(ScalarType t) { return kFloat8[static_cast<int>(t) - static_cast<int>(kFloat8_e5m2)]; }
}  // namespace

uint8_t float8_from_float(float f, ScalarType type) {
  const uint32_t u = std::bit_cast<uint32_t>(f), size = u & 0x7fffffff;
  if (type == kFloat8_e8m0fnu) {  // the exponent of the nearest power of two, of two as near the greater one
    const uint32_t exponent = size >> 23, rest = size & 0x7fffff;
    return static_cast<uint8_t>(exponent + (exponent < 255 && (rest > 0x400000 || (rest == 0x400000 && exponent > 0))));
  }
  const Float8Format& format = format_of(type);
  const auto sign = static_cast<uint8_t>(u >> 24 & 0x80);
  const auto signed_nan = static_cast<uint8_t>(format.nan | sign);
  if (f != f) return signed_nan;
  const int shift = 23 - format.mantissa, least = 1 - format.bias;  // the exponent of the smallest normal number
  uint32_t bits;
  if (size < static_cast<uint32_t>(least + 127) << 23) {
    // Subnormal: the adder rounds at the place of the last bit, and leaves the bits at the end.
    const float magic = std::bit_cast<float>(static_cast<uint32_t>(least + 127 + shift) << 23);
    bits = std::bit_cast<uint32_t>(std::bit_cast<float>(size) + magic) - std::bit_cast<uint32_t>(magic);
  } else {
    const uint32_t odd = size >> shift & 1, half = (1u << (shift - 1)) - 1;
    bits = (size + half + odd - (static_cast<uint32_t>(127 - format.bias) << 23)) >> shift;
  }
  if (bits > format.largest) {
    if (type == kFloat8_e4m3fn) return static_cast<uint8_t>(format.largest | sign);  // saturates, as in PyTorch
    return format.infinite ? static_cast<uint8_t>(0x7c | sign) : signed_nan;
  }
  return static_cast<uint8_t>(bits | (bits || format.signed_zero ? sign : 0));
}
float float8_to_float(uint8_t bits, ScalarType type) {
  if (type == kFloat8_e8m0fnu) {
    if (bits == 0xff) return std::bit_cast<float>(0x7fc00000u);
    return std::bit_cast<float>(bits ? static_cast<uint32_t>(bits) << 23 : 0x400000u);
  }
  const Float8Format& format = format_of(type);
  const int size = bits & 0x7f, exponent = size >> format.mantissa, rest = size & ((1 << format.mantissa) - 1);
  const uint32_t sign = static_cast<uint32_t>(bits & 0x80) << 24;
  if (format.signed_zero ? size > format.largest : bits == format.nan)
    return std::bit_cast<float>(sign | (format.infinite && rest == 0 ? 0x7f800000 : 0x7fc00000));
  const float scale = std::bit_cast<float>(static_cast<uint32_t>(std::max(exponent, 1) - format.bias + 127) << 23);
  const float part = static_cast<float>(rest) / static_cast<float>(1 << format.mantissa);
  const float value = scale * (exponent ? 1 + part : part);
  return sign ? -value : value;
}

float Half::to_float(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16, exponent = h >> 10 & 31;
  uint32_t mantissa = h & 1023;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float f = static_cast<float>(mantissa) * 0x1p-24f;  // zero and subnormals are exact in float
  return sign ? -f : f;
}
uint16_t Half::from_float(float f) {
  const uint32_t u = std::bit_cast<uint32_t>(f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
  if (a > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00);
  if (a >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);  // rounds to 65536 or more
  if (a < 0x38800000) {                                              // subnormal half: let the float adder round
    const float r = std::bit_cast<float>(a) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(r) - 0x3f000000));
  }
  return static_cast<uint16_t>(sign | (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13);
}

void throw_no_element(size_t index, size_t size) {
  throw Error(str("ArrayRef: invalid index Index = ", index, "; Length = ", size));
}
void throw_no_slice(size_t start, size_t count, size_t size) {
  throw Error(str("ArrayRef: invalid slice, N = ", start, "; M = ", count, "; size = ", size));
}
std::ostream& operator<<(std::ostream& out, IntArrayRef list) {
  out << '[';
  for (size_t i = 0; i < list.size(); ++i) out << (i ? ", " : "") << list[i];
  return out << ']';
}
void Scalar::throw_not_real() {
  throw Error("value cannot be converted to type double without overflow: it is a complex number");
}
int64_t Scalar::within(int64_t low, int64_t high, const char* type) const {
  const bool fits =
      has_fraction() ? d_ >= static_cast<double>(low) && d_ <= static_cast<double>(high) : i_ >= low && i_ <= high;
  check(fits, "value cannot be converted to type ", type, " without overflow");
  return toLong();
}
std::ostream& operator<<(std::ostream& out, const Scalar& s) {
  if (s.is_bool()) {
    const bool cpp = print_style() == PrintStyle::Cpp;
    return out << (s.toBool() ? (cpp ? "true" : "True") : (cpp ? "false" : "False"));
  }
  if (s.is_complex()) {
    const Complex<double> z = s.toComplexDouble();
    return out << '(' << z.real() << ',' << z.imag() << ')';
  }
  if (s.is_floating_point()) return out << s.toDouble();
  if (s.type() == kUInt64) return out << static_cast<uint64_t>(s.toLong());
  return out << s.toLong();
}

}  // namespace taut
