// Complex numbers, with the memory layout of std::complex.
#pragma once
#include <type_traits>

namespace taut {

/// A number with a real and an imaginary part of another type: std::complex, or Complex below.
template <class C>
concept is_complex_number = requires(const C& c) {
  typename C::value_type;
  c.real();
  c.imag();
};

template <class T>
class Complex {
 public:
  using value_type = T;
  constexpr Complex() = default;
  constexpr Complex(T re, T im = T()) : real_(re), imag_(im) {}
  template <is_complex_number C>
  constexpr Complex(const C& c) : real_(static_cast<T>(c.real())), imag_(static_cast<T>(c.imag())) {}
  constexpr T real() const { return real_; }
  constexpr T imag() const { return imag_; }
  constexpr void real(T x) { real_ = x; }
  constexpr void imag(T x) { imag_ = x; }
  /// To std::complex<T>, which need not be known here.
  template <template <class> class C>
  requires(!std::is_same_v<C<T>, Complex>) constexpr operator C<T>() const { return C<T>(real_, imag_); }

  friend constexpr Complex operator+(Complex a, Complex b) { return {T(a.real_ + b.real_), T(a.imag_ + b.imag_)}; }
  friend constexpr Complex operator-(Complex a, Complex b) { return {T(a.real_ - b.real_), T(a.imag_ - b.imag_)}; }
  friend constexpr Complex operator-(Complex a) { return {T(-a.real_), T(-a.imag_)}; }
  friend constexpr Complex operator*(Complex a, Complex b) {
    return {T(a.real_ * b.real_ - a.imag_ * b.imag_), T(a.real_ * b.imag_ + a.imag_ * b.real_)};
  }
  /// By the larger part of b, so that its square cannot overflow.
  friend constexpr Complex operator/(Complex a, Complex b) {
    const T c = b.real_ < 0 ? -b.real_ : b.real_, d = b.imag_ < 0 ? -b.imag_ : b.imag_;
    if (c >= d) {
      if (c == 0) return {T(a.real_ / c), T(a.imag_ / d)};
      const T ratio = b.imag_ / b.real_, scale = T(1) / (b.real_ + b.imag_ * ratio);
      return {T((a.real_ + a.imag_ * ratio) * scale), T((a.imag_ - a.real_ * ratio) * scale)};
    }
    const T ratio = b.real_ / b.imag_, scale = T(1) / (b.real_ * ratio + b.imag_);
    return {T((a.real_ * ratio + a.imag_) * scale), T((a.imag_ * ratio - a.real_) * scale)};
  }
  friend constexpr Complex conj(Complex a) { return {a.real_, T(-a.imag_)}; }
  constexpr Complex& operator+=(Complex o) { return *this = *this + o; }
  constexpr Complex& operator-=(Complex o) { return *this = *this - o; }
  constexpr Complex& operator*=(Complex o) { return *this = *this * o; }
  constexpr Complex& operator/=(Complex o) { return *this = *this / o; }
  friend constexpr bool operator==(Complex a, Complex b) { return a.real_ == b.real_ && a.imag_ == b.imag_; }

 private:
  T real_ = T(), imag_ = T();
};
}  // namespace taut
