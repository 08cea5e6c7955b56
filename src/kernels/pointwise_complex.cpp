// The loops of the pointwise ops on complex numbers, from the texts in src/ops/formulas: plain ones, for every
// processor.
#include "kernels/complex_number.h"

namespace taut {

namespace plain {

template <int I, class P>
auto partial(const P& p) {
  if constexpr (I == 0) return p.a;
  else if constexpr (I == 1) return p.b;
  else return p.c;
}

// Gradient times the conjugate of the partial.
template <class T>
ComplexNumber<T> pulled(ComplexNumber<T> g, ComplexNumber<T> p) {
  return g * conj(p);
}
template <class T>
ComplexNumber<T> pulled(ComplexNumber<T> g, std::type_identity_t<typename ComplexNumber<T>::Mask> pass) {
  return where(pass, g, 0);
}
template <class T>
ComplexNumber<T> pulled(ComplexNumber<T> g, double p) {
  return {Complex<T>(g.v.real() * static_cast<T>(p), g.v.imag() * static_cast<T>(p))};
}
template <class T>
ComplexNumber<T> pulled(ComplexNumber<T> g, One) {
  return g;
}
template <class T>
ComplexNumber<T> pulled(ComplexNumber<T> g, MinusOne) {
  return -g;
}
template <class T>
ComplexNumber<T> pulled(ComplexNumber<T>, Zero) {
  return 0;
}

template <class Op, class T, class Operands>
struct Loops;
template <class Op, class T, size_t... I>
struct Loops<Op, T, std::index_sequence<I...>> {
  using N = ComplexNumber<T>;
  using C = Complex<T>;
  static constexpr int kCount = sizeof...(I);

  static void forward(const void* params, const void* const* in, const int64_t* step, void* const* out, int64_t n) {
    const Op op = *static_cast<const Op*>(params);
    const C* const x[] = {static_cast<const C*>(in[I])...};
    using Result = decltype(op.value(N(x[I][0])...));
    for (int64_t i = 0; i < n; ++i) {
      const Result y = op.value(N(x[I][i * step[I]])...);
      if constexpr (std::is_same_v<Result, typename N::Mask>) static_cast<bool*>(out[0])[i] = y.m;
      else static_cast<C*>(out[0])[i] = y.v;
    }
  }

  template <int K>
  static N operand(const void* const* in, const int64_t* step, int64_t i) {
    if constexpr (reads_any<Op, kCount> & 1u << K) return static_cast<const C*>(in[K + 1])[i * step[K + 1]];
    else return 1;
  }
  template <class Partial>
  static void store(void* dx, int64_t i, N g, const Partial& p) {
    if constexpr (!std::is_same_v<Partial, None>)
      if (dx) static_cast<C*>(dx)[i] = pulled(g, p).v;
  }
  static void backward(const void* params, const void* const* in, const int64_t* step, void* const* out, int64_t n) {
    const Op op = *static_cast<const Op*>(params);
    for (int64_t i = 0; i < n; ++i) {
      const N g = static_cast<const C*>(in[0])[i * step[0]];
      const auto partials = op.partials(operand<I>(in, step, i)..., operand<kCount>(in, step, i));
      (store(out[I], i, g, partial<I>(partials)), ...);
    }
  }
};

template <class Op, int N>
constexpr ComplexKernels complex_kernels() {
  ComplexKernels k{};
  if constexpr (formula_takes_complex<Op>) {
    using Operands = std::make_index_sequence<N>;
    k.forward[0] = Loops<Op, float, Operands>::forward;
    k.forward[1] = Loops<Op, double, Operands>::forward;
    if constexpr (differentiable<Op, N>) {
      k.backward[0] = Loops<Op, float, Operands>::backward;
      k.backward[1] = Loops<Op, double, Operands>::backward;
    }
  }
  return k;
}

}  // namespace plain

// FORMULA leaves namespace plain for a moment: the host knows the tables as taut::add_complex.
#define FORMULA(name, Op, N)                                                        \
  }                                                                                 \
  extern const ComplexKernels name##_complex;                                       \
  constexpr ComplexKernels name##_complex = plain::complex_kernels<plain::Op, N>(); \
  namespace plain {
namespace plain {
// clang-format off
#include "ops/formulas/arithmetic.inc"
#include "ops/formulas/compare.inc"
#include "ops/formulas/exponential.inc"
#include "ops/formulas/trigonometric.inc"
#include "ops/formulas/special.inc"
#include "ops/formulas/activation.inc"
#include "ops/formulas/loss.inc"
// clang-format on
}  // namespace plain
#undef FORMULA

}  // namespace taut
