// Numbers taken apart: common divisors and multiples, mantissas and exponents, the next number.
#include <bit>
#include <cmath>

#include "ops/batch_rules.h"
#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/registry.h"

namespace taut {

namespace {

template <class T>
T greatest_divisor(T a, T b) {
  while (b != 0) {
    const T rest = b == static_cast<T>(-1) ? T(0) : static_cast<T>(a % b);  // the least number by -1 would overflow
    a = b;
    b = rest;
  }
  return a < 0 ? static_cast<T>(T(0) - static_cast<std::make_unsigned_t<T>>(a)) : a;
}
template <class T>
T least_multiple(T a, T b) {
  const T divisor = greatest_divisor(a, b);
  if (divisor == 0) return 0;
  using Bits = std::make_unsigned_t<T>;
  const auto product = static_cast<T>(static_cast<Bits>(a / divisor) * static_cast<Bits>(b));
  return product < 0 ? static_cast<T>(Bits(0) - static_cast<Bits>(product)) : product;
}

/// The number after x on the way to `to`, by its bits.
template <class T, class Bits>
T next_number(T x, T to) {
  if (std::isnan(static_cast<float>(x)) || std::isnan(static_cast<float>(to))) return x != x ? x : to;
  if (x == to) return to;
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  const Bits bits = std::bit_cast<Bits>(x);
  if ((bits & ~sign) == 0) return std::bit_cast<T>(static_cast<Bits>(1 | (to < x ? sign : Bits{0})));
  const bool away = (to > x) == ((bits & sign) == 0);  // from zero
  return std::bit_cast<T>(static_cast<Bits>(away ? bits + 1 : bits - 1));
}

/// `t` as a dense tensor of this dtype and shape.
Tensor operand(const Tensor& t, ScalarType dtype, IntArrayRef shape) { return t.to(dtype).expand(shape).contiguous(); }

/// f(T a, T b) for each pair of elements; f must take a value of T.
template <class T, class F>
Tensor each_pair(const Tensor& a, const Tensor& b, const char* op, F f) {
  const Dims shape = broadcast_shapes(a.sizes(), b.sizes(), op);
  const Tensor left = operand(a, dtype_of<T>, shape), right = operand(b, dtype_of<T>, shape),
               y = make(shape, dtype_of<T>, op);
  const T *x = static_cast<const T*>(left.data_ptr()), *z = static_cast<const T*>(right.data_ptr());
  T* out = static_cast<T*>(y.data_ptr());
  for (int64_t i = 0; i < y.numel() && !dry; ++i) out[i] = f(x[i], z[i]);
  return y;
}

struct Whole {
  const char* name;
  bool multiple;
  const char* op_name() const { return name; }
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const { return broadcast_items(*this, b, x, y); }
  Tensor forward(const Tensor& a, const Tensor& b) const {
    return visit_dtype(result_type(a, b), [&]<class T>(T) -> Tensor {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        return each_pair<T>(a, b, name, multiple ? least_multiple<T> : greatest_divisor<T>);
      else throw TypeError(str(name, ": not implemented for '", dtype_of<T>, "': it takes whole numbers"));
    });
  }
};

struct Nextafter {
  static constexpr const char* name = "nextafter";
  static constexpr const char* node = "NextafterBackward0";
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const { return broadcast_items(*this, b, x, y); }
  Tensor forward(const Tensor& a, const Tensor& b) const {
    switch (const ScalarType t = result_type(a, b)) {
      case kFloat: return each_pair<float>(a, b, name, next_number<float, uint32_t>);
      case kDouble: return each_pair<double>(a, b, name, next_number<double, uint64_t>);
      case kBFloat16: return each_pair<BFloat16>(a, b, name, next_number<BFloat16, uint16_t>);
      case kHalf: return each_pair<Half>(a, b, name, next_number<Half, uint16_t>);
      default: throw TypeError(str(name, ": not implemented for '", t, "': it takes floats"));
    }
  }
  static constexpr unsigned reads[] = {kInput(0) | kInput(1), 0};
  /// As PyTorch has it: where there is a next number it moves with self.
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 1) return zeros(s.sizes(1), s.dtype(1));
    return where(s.input(0) != s.input(1), g, zeros({}, g.scalar_type()));
  }
};

struct Frexp {
  static constexpr const char* name = "frexp";
  static constexpr const char* node = "FrexpBackward0";
  static constexpr unsigned reads[] = {kResult(1)};
  static constexpr bool leading = true;
  std::array<Tensor, 2> forward(const Tensor& x) const {
    const Tensor wide = x.to(kDouble).contiguous(), mantissa = make(x.sizes(), kDouble, name),
                 exponent = make(x.sizes(), kInt, name);
    const auto* in = static_cast<const double*>(wide.data_ptr());
    auto* m = static_cast<double*>(mantissa.data_ptr());
    auto* e = static_cast<int32_t*>(exponent.data_ptr());
    for (int64_t i = 0; i < x.numel() && !dry; ++i) {
      int power = 0;
      m[i] = std::frexp(in[i], &power);
      e[i] = std::isfinite(in[i]) ? power : 0;
    }
    return {mantissa.to(x.scalar_type()), exponent};
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const { return g[0] / s.result(1).to(g[0].scalar_type()).exp2(); }
};

struct Ldexp {
  static constexpr const char* name = "ldexp";
  static constexpr const char* node = "LdexpBackward0";
  static constexpr unsigned reads[] = {kInput(1), kResult()};
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const { return broadcast_items(*this, b, x, y); }
  Tensor forward(const Tensor& x, const Tensor& exponent) const {
    const ScalarType t = result_type(x, exponent);
    return (x.to(kDouble) * exponent.to(kDouble).exp2()).to(is_floating_point(t) ? t : get_default_dtype());
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? g * s.input(1).to(g.scalar_type()).exp2() : g * s.result() * 0.69314718055994530942;
  }
};

void check_pair(const Tensor& a, const Tensor& b, const char* op) {
  check_defined(a, op, "self");
  check_defined(b, op, "other");
}

}  // namespace

Tensor gcd(const Tensor& self, const Tensor& other) {
  check_pair(self, other, "gcd");
  return apply(Whole{"gcd", false}, self, other);
}
Tensor& gcd_(Tensor& self, const Tensor& other) {
  return in_place("gcd_", self, [&](const Tensor& x) { return gcd(x, other); });
}
Tensor lcm(const Tensor& self, const Tensor& other) {
  check_pair(self, other, "lcm");
  return apply(Whole{"lcm", true}, self, other);
}
Tensor& lcm_(Tensor& self, const Tensor& other) {
  return in_place("lcm_", self, [&](const Tensor& x) { return lcm(x, other); });
}
Tensor nextafter(const Tensor& self, const Tensor& other) {
  check_pair(self, other, "nextafter");
  return apply(Nextafter{}, self, other);
}
Tensor& nextafter_(Tensor& self, const Tensor& other) {
  return in_place("nextafter_", self, [&](const Tensor& x) { return nextafter(x, other); });
}
std::tuple<Tensor, Tensor> frexp(const Tensor& self) {
  check_defined(self, "frexp");
  check<TypeError>(self.is_floating_point(), "torch.frexp() only supports floating-point dtypes, got ",
                   self.scalar_type());
  auto [mantissa, exponent] = apply(Frexp{}, self);
  return {mantissa, exponent};
}
Tensor ldexp(const Tensor& self, const Tensor& other) {
  check_pair(self, other, "ldexp");
  if (self.is_complex() || other.is_complex()) return self * pow(2.0, other);
  return apply(Ldexp{}, self, other);
}
Tensor& ldexp_(Tensor& self, const Tensor& other) {
  return in_place("ldexp_", self, [&](const Tensor& x) { return ldexp(x, other); });
}

#define WHOLE                                                                                                        \
  "i(-20, 20, 2, 3), i(1, 30, 3)\ni(0, 9, 2, 1), i(0, 9, 3)\ni(4, 9), i(4, 9)\ni(0, 5, 0), i(0, 5)\nc([0, 0, -128, " \
  "12]), "                                                                                                           \
  "c([0, 5, -1, -18])\nb(2), b(2)\nt(2), t(2)"

extern const OpEntry numbers_ops[];
extern const size_t numbers_ops_count;
const OpEntry numbers_ops[] = {
    doc("The greatest common divisor.", op<gcd, gcd_>("gcd(Tensor self, Tensor other) -> Tensor", WHOLE)),
    doc("The least common multiple.", op<lcm, lcm_>("lcm(Tensor self, Tensor other) -> Tensor", WHOLE)),
    doc("The number next to self in the direction of other.",
        op<nextafter, nextafter_>(
            "nextafter(Tensor self, Tensor other) -> Tensor",
            "c([1.0, 1.0, 1.0, 0.0, 0.0, -0.0]), c([2.0, 0.0, 1.0, 1.0, -1.0, 0.0])\nc([3.0, 1.0, "
            "nan, -2.5]), c([0.0, nan, 1.0, -inf])\ni(0, 3, 2), i(0, 3, 2)")),
    doc("Numbers as mantissa * 2^exponent, with a mantissa in [1/2, 1).",
        op<frexp>("frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
                  "t(2, 3)\nt()\nt(0, 3)\nc([0.0, -0.0, 1.0, 8.0, -0.75, 1e30])\ni(0, 3, 2)")),
    doc("self * 2^other.", op<ldexp, ldexp_>("ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
                                             "t(2, 3), i(0, 4, 3)\nt(), i(0, 4)\nt(0, 3), i(0, 4, 3)\ni(0, 5, 3), i(0, "
                                             "4, 3)\ni(0, 5, 3), i(-3, 2, 3)\nt(3), t(3)")),
};
const size_t numbers_ops_count = std::size(numbers_ops);

}  // namespace taut
