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
  constexpr const char* names[] = {"bool",      "uint8",     "int8",       "int16",    "int32",
                                   "int64",     "float16",   "bfloat16",   "float32",  "float64",
                                   "complex32", "complex64", "complex128", "undefined"};
  return names[static_cast<int>(t)];
}

ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == b) return a;
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

void throw_no_kernel(ScalarType t) { throw NotImplementedError(str("not implemented for '", t, "'")); }

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
  return out << s.toLong();
}

}  // namespace taut
