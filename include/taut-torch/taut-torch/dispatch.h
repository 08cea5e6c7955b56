// AT_DISPATCH_FLOATING_TYPES and its kin: a lambda with `scalar_t`, for the dtype that is asked for.
#pragma once
#include "taut-torch/check.h"

namespace at {
namespace detail {
template <class T>
constexpr bool is_reduced = sizeof(T) <= 2 && !std::is_arithmetic_v<T>;  // Half and its like
template <class T>
struct Accumulated {
  using type = std::conditional_t<
      std::is_floating_point_v<T>, double,
      std::conditional_t<std::is_same_v<T, bool>, bool, std::conditional_t<std::is_integral_v<T>, int64_t, float>>>;
};
template <class T>
struct Accumulated<c10::complex<T>> {
  using type = c10::complex<double>;
};
}  // namespace detail
/// What kernels compute with, and what they sum in.
template <class T>
using opmath_type = std::conditional_t<detail::is_reduced<T>, float, T>;
template <class T, bool is_cuda = false>
using acc_type = typename detail::Accumulated<T>::type;
}  // namespace at

namespace c10 {
template <class T>
constexpr bool is_negative(const T& x) {
  return x < T(0);
}
template <class T>
constexpr int signum(const T& x) {
  return (T(0) < x) - is_negative(x);
}
template <class T, class U>
constexpr bool signs_differ(const T& a, const U& b) {
  return is_negative(a) != is_negative(b);
}
}  // namespace c10

namespace c10 {
namespace impl {
template <taut::ScalarType T>
struct ScalarTypeToCPPType {
  using type = decltype([] {
    using taut::ScalarType;
    if constexpr (T == ScalarType::Bool) return bool{};
    else if constexpr (T == ScalarType::Byte) return uint8_t{};
    else if constexpr (T == ScalarType::Char) return int8_t{};
    else if constexpr (T == ScalarType::Short) return int16_t{};
    else if constexpr (T == ScalarType::Int) return int32_t{};
    else if constexpr (T == ScalarType::Long) return int64_t{};
    else if constexpr (T == ScalarType::Half) return taut::Half{};
    else if constexpr (T == ScalarType::BFloat16) return taut::BFloat16{};
    else if constexpr (T == ScalarType::Float) return float{};
    else if constexpr (T == ScalarType::ComplexHalf) return taut::Complex<taut::Half>{};
    else if constexpr (T == ScalarType::ComplexFloat) return taut::Complex<float>{};
    else if constexpr (T == ScalarType::ComplexDouble) return taut::Complex<double>{};
    else return double{};
  }());
};
template <taut::ScalarType T>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<T>::type;
}  // namespace impl
template <class T>
struct CppTypeToScalarType : std::integral_constant<taut::ScalarType, taut::dtype_of<T>> {};
}  // namespace c10

#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                              \
  [&] {                                                                                                  \
    const ::taut::ScalarType taut_torch_type = TYPE;                                                     \
    switch (taut_torch_type) {                                                                           \
      __VA_ARGS__                                                                                        \
      default:                                                                                           \
        ::c10::detail::fail<::c10::NotImplementedError>(                                                 \
            ::taut::str('"', NAME, "\" not implemented for '", ::taut::toString(taut_torch_type), "'")); \
    }                                                                                                    \
  }()
#define AT_PRIVATE_CASE_TYPE_USING_HINT(TYPE, HINT, ...)                   \
  case TYPE: {                                                             \
    using HINT [[maybe_unused]] = ::c10::impl::ScalarTypeToCPPTypeT<TYPE>; \
    return __VA_ARGS__();                                                  \
  }
#define AT_DISPATCH_CASE(TYPE, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(TYPE, scalar_t, __VA_ARGS__)

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                \
  AT_DISPATCH_CASE(::taut::ScalarType::Double, __VA_ARGS__) \
  AT_DISPATCH_CASE(::taut::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)      \
  AT_DISPATCH_CASE(::taut::ScalarType::Half, __VA_ARGS__) \
  AT_DISPATCH_CASE(::taut::ScalarType::BFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)              \
  AT_DISPATCH_CASE(::taut::ScalarType::Byte, __VA_ARGS__) \
  AT_DISPATCH_CASE(::taut::ScalarType::Char, __VA_ARGS__) \
  AT_DISPATCH_CASE(::taut::ScalarType::Int, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::taut::ScalarType::Long, __VA_ARGS__) \
  AT_DISPATCH_CASE(::taut::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)                        \
  AT_DISPATCH_CASE(::taut::ScalarType::ComplexDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(::taut::ScalarType::ComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)

#define AT_DISPATCH_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(T1, T2, TYPE, NAME, ...)                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                    \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...)                                \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                    \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...)                                              \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                      \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) AT_DISPATCH_CASE( \
                         T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__) AT_DISPATCH_CASE(T4, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                        \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(T1, T2, TYPE, NAME, ...)                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...)                                \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...)                            \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__)                    \
                             AT_DISPATCH_CASE(T4, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...)                        \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__)                    \
                             AT_DISPATCH_CASE(T4, __VA_ARGS__) AT_DISPATCH_CASE(T5, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...)                    \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__) AT_DISPATCH_CASE(  \
                             T4, __VA_ARGS__) AT_DISPATCH_CASE(T5, __VA_ARGS__) AT_DISPATCH_CASE(T6, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...)                \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__)                    \
                             AT_DISPATCH_CASE(T4, __VA_ARGS__) AT_DISPATCH_CASE(T5, __VA_ARGS__)                \
                                 AT_DISPATCH_CASE(T6, __VA_ARGS__) AT_DISPATCH_CASE(T7, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(T1, T2, TYPE, NAME, ...)                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...)                                \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...)                                              \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                 \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) AT_DISPATCH_CASE( \
                         T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__) AT_DISPATCH_CASE(T4, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...)                        \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__)   \
                             AT_DISPATCH_CASE(T4, __VA_ARGS__) AT_DISPATCH_CASE(T5, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...)                                      \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                 \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) AT_DISPATCH_CASE( \
                         T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__) AT_DISPATCH_CASE(T4, __VA_ARGS__)    \
                         AT_DISPATCH_CASE(T5, __VA_ARGS__) AT_DISPATCH_CASE(T6, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...)                  \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                 \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__)   \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__)     \
                             AT_DISPATCH_CASE(T4, __VA_ARGS__) AT_DISPATCH_CASE(T5, __VA_ARGS__) \
                                 AT_DISPATCH_CASE(T6, __VA_ARGS__) AT_DISPATCH_CASE(T7, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(T1, T2, TYPE, NAME, ...)                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                           \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(T1, T2, T3, TYPE, NAME, ...)                                \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                           \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(T1, T2, T3, T4, TYPE, NAME, ...)                            \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                           \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__)               \
                             AT_DISPATCH_CASE(T4, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...)                        \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                           \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__)               \
                             AT_DISPATCH_CASE(T4, __VA_ARGS__) AT_DISPATCH_CASE(T5, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...)                        \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                               \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__)     \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__) AT_DISPATCH_CASE( \
                             T4, __VA_ARGS__) AT_DISPATCH_CASE(T5, __VA_ARGS__) AT_DISPATCH_CASE(T6, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...)                \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                           \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__)               \
                             AT_DISPATCH_CASE(T4, __VA_ARGS__) AT_DISPATCH_CASE(T5, __VA_ARGS__)           \
                                 AT_DISPATCH_CASE(T6, __VA_ARGS__) AT_DISPATCH_CASE(T7, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_FLOATING_TYPES_AND(::taut::ScalarType::Half, TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                    \
                     AT_PRIVATE_CASE_TYPE_USING_HINT(::taut::ScalarType::Int, index_t, __VA_ARGS__) \
                         AT_PRIVATE_CASE_TYPE_USING_HINT(::taut::ScalarType::Long, index_t, __VA_ARGS__))
