#include "distributed/reduce.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "taut/core/complex.h"
#include "taut/core/dtype.h"

namespace taut::distributed {

const char* name_of(ReduceOp op) {
  static constexpr const char* names[] = {"SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR"};
  return names[static_cast<int>(op)];
}

void check_reduction(ScalarType dtype, ReduceOp op, const char* what) {
  const bool bits = op >= ReduceOp::BAND, order = op == ReduceOp::MIN || op == ReduceOp::MAX;
  check<ValueError>(!(bits && (is_floating_point(dtype) || is_complex(dtype))), what, ": Cannot use ReduceOp.",
                    name_of(op), " with non-integral dtype: got ", dtype);
  check<ValueError>(!(order && is_complex(dtype)), what, " does not support ReduceOp.", name_of(op),
                    " on complex tensors");
  check<ValueError>(op != ReduceOp::AVG || is_floating_point(dtype) || is_complex(dtype), what, ": a mean of ", dtype,
                    " is not defined: use SUM");
}

namespace {
template <class T, class F>
void each(void* into, const void* from, int64_t n, F f) {
  auto* a = static_cast<T*>(into);
  const auto* b = static_cast<const T*>(from);
  for (int64_t i = 0; i < n; ++i) a[i] = static_cast<T>(f(a[i], b[i]));
}
template <class T>
void reduce_as(void* into, const void* from, int64_t n, ReduceOp op) {
  constexpr bool ordered = !std::is_same_v<T, Complex<float>> && !std::is_same_v<T, Complex<double>>;
  switch (op) {
    case ReduceOp::SUM:
    case ReduceOp::AVG: return each<T>(into, from, n, [](T a, T b) { return a + b; });
    case ReduceOp::PRODUCT: return each<T>(into, from, n, [](T a, T b) { return a * b; });
    case ReduceOp::MIN:
      if constexpr (ordered) each<T>(into, from, n, [](T a, T b) { return b < a ? b : a; });
      return;
    case ReduceOp::MAX:
      if constexpr (ordered) each<T>(into, from, n, [](T a, T b) { return a < b ? b : a; });
      return;
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (op == ReduceOp::BAND) each<T>(into, from, n, [](T a, T b) { return a & b; });
    else if (op == ReduceOp::BOR) each<T>(into, from, n, [](T a, T b) { return a | b; });
    else each<T>(into, from, n, [](T a, T b) { return a ^ b; });
  }
}
}  // namespace

void reduce_into(void* into, const void* from, int64_t n, ScalarType dtype, ReduceOp op) {
  switch (dtype) {
    case kFloat: return reduce_as<float>(into, from, n, op);
    case kDouble: return reduce_as<double>(into, from, n, op);
    case kLong: return reduce_as<int64_t>(into, from, n, op);
    case kInt: return reduce_as<int32_t>(into, from, n, op);
    case kShort: return reduce_as<int16_t>(into, from, n, op);
    case kChar: return reduce_as<int8_t>(into, from, n, op);
    case kByte: return reduce_as<uint8_t>(into, from, n, op);
    case kBool:  // a sum is "any", a product "all"
      return reduce_as<uint8_t>(into, from, n,
                                op == ReduceOp::SUM || op == ReduceOp::MAX ? ReduceOp::BOR
                                : op == ReduceOp::BXOR                     ? op
                                : op == ReduceOp::BOR                      ? op
                                                                           : ReduceOp::BAND);
    case kHalf: return reduce_as<Half>(into, from, n, op);
    case kBFloat16: return reduce_as<BFloat16>(into, from, n, op);
    case kComplexFloat: return reduce_as<Complex<float>>(into, from, n, op);
    case kComplexDouble: return reduce_as<Complex<double>>(into, from, n, op);
    default: throw TypeError(str("tensors of ", dtype, " cannot be reduced across processes: convert them first"));
  }
}

}  // namespace taut::distributed
