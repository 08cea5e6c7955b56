// Real and complex numbers under the same names, for loops that serve both. Of internal linkage, as some are compiled for
// several instruction sets.
#pragma once
#include <cmath>
#include <type_traits>

#include "taut/core/complex.h"

namespace taut {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<Complex<T>> {
  using type = T;
};
/// The type of a number's parts.
template <class T>
using Real = typename RealOf<std::remove_const_t<T>>::type;
template <class T>
constexpr bool kComplexField = !std::is_same_v<Real<T>, std::remove_const_t<T>>;

template <class T>
static inline T conj_of(T x) {
  if constexpr (kComplexField<T>) return conj(x);
  else return x;
}
template <class T>
static inline Real<T> real_of(T x) {
  if constexpr (kComplexField<T>) return x.real();
  else return x;
}
template <class T>
static inline Real<T> imag_of(T x) {
  if constexpr (kComplexField<T>) return x.imag();
  else return 0;
}
/// |x|^2
template <class T>
static inline Real<T> square_of(T x) {
  if constexpr (kComplexField<T>) return x.real() * x.real() + x.imag() * x.imag();
  else return x * x;
}
/// |x|; of a complex number the sum of its parts' sizes, by which LAPACK chooses pivots.
template <class T>
static inline Real<T> size_of(T x) {
  if constexpr (kComplexField<T>) return std::abs(x.real()) + std::abs(x.imag());
  else return std::abs(x);
}

}  // namespace taut
