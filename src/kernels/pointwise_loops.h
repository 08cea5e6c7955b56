// The two loops of every pointwise op, and the macros that turn a list of formulas into tables of kernels. Only for
// src/kernels/isa/: include this, then the formulas inside `namespace taut::TAUT_ISA`.
#pragma once
#include "kernels/pack.h"

// No iteration reads what another writes. (Clang would warn of each loop that it cannot vectorise all the same.)
#ifdef __clang__
#define TAUT_INDEPENDENT
#else
#define TAUT_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace taut::TAUT_ISA {

template <class T>
HWY_INLINE Pack<T> as_number(Pack<T> x) {
  return x;
}
template <class Mask>
HWY_INLINE auto as_number(Mask m) {
  return where(m, 1, 0);
}

/// What a loop reads some steps later: a long formula leaves no room for processors to look that far ahead.
template <class T>
HWY_INLINE void prefetch(const T* p) {
  __builtin_prefetch(p + 2048 / sizeof(T));
}

template <int I, class P>
HWY_INLINE auto partial(const P& p) {
  if constexpr (I == 0) return p.a;
  else if constexpr (I == 1) return p.b;
  else return p.c;
}

template <class Op, class T, class Operands>
struct Loops;

/// Pointers and op are copied to locals, which vector stores cannot alias. The tail goes through the same loop body as
/// the rest, on a pack of its own filled up with ones, harmless in every formula: each formula is compiled once.
template <class Op, class T, size_t... I>
struct Loops<Op, T, std::index_sequence<I...>> {
  using P = Pack<T>;
  static constexpr int N = sizeof...(I);
  static constexpr int kLanes = P::kLanes;

  static void forward(const void* params, const void* const* in, void* const* out, int64_t n) {
    const Op op = *static_cast<const Op*>(params);
    const T* x[] = {static_cast<const T*>(in[I])...};
    T* y = static_cast<T*>(out[0]);
    alignas(64) T tail[N + 1][kLanes];
    const int64_t rest = n % kLanes;
    const FirstLanes<T> part(rest);
    int64_t whole = n - rest;
    for (bool last = rest == 0;; last = true) {
      for (int64_t i = 0; i < whole; i += kLanes) {
        (prefetch(x[I] + i), ...);
        as_number(op.value(P::load(x[I] + i)...)).store(y + i);
      }
      if (last) break;
      (P(part.load(x[I] + whole, T(1))).store(tail[I]), ...);
      ((x[I] = tail[I]), ...);
      y = tail[N], whole = kLanes;
    }
    if (rest) part.store(P::load(tail[N]).v, static_cast<T*>(out[0]) + (n - rest));
  }

  template <int K>
  static HWY_INLINE P operand(const T* const* x, int64_t i) {
    if constexpr (reads_any<Op, N> & 1u << K) return P::load(x[K] + i);
    else return 1;
  }
  template <class Partial>
  static HWY_INLINE void store(T* dx, int64_t i, P g, const Partial& p) {
    if constexpr (!std::is_same_v<Partial, None>)
      if (dx) times(g, p).store(dx + i);
  }
  static void backward(const void* params, const void* const* in, void* const* out, int64_t n) {
    const Op op = *static_cast<const Op*>(params);
    const T* g = static_cast<const T*>(in[0]);
    const T* x[] = {static_cast<const T*>(in[I + 1])..., static_cast<const T*>(in[N + 1])};
    T* dx[] = {static_cast<T*>(out[I])...};
    alignas(64) T tail[2 * N + 2][kLanes];
    const int64_t rest = n % kLanes;
    const FirstLanes<T> part(rest);
    int64_t whole = n - rest;
    for (bool last = rest == 0;; last = true) {
      for (int64_t i = 0; i < whole; i += kLanes) {
        const P gi = P::load(g + i);
        prefetch(g + i);
        const auto partials = op.partials(operand<I>(x, i)..., operand<N>(x, i));
        (store(dx[I], i, gi, partial<I>(partials)), ...);
      }
      if (last) break;
      P(part.load(g + whole, T(1))).store(tail[N + 1]);
      g = tail[N + 1];
      for (int k = 0; k <= N; ++k) {
        if (!(reads_any<Op, N> & 1u << k)) continue;
        P(part.load(x[k] + whole, T(1))).store(tail[k]);
        x[k] = tail[k];
      }
      for (int k = 0; k < N; ++k)
        if (dx[k]) dx[k] = tail[N + 2 + k];
      whole = kLanes;
    }
    if (rest == 0) return;
    for (int k = 0; k < N; ++k)
      if (out[k] && (gradient_mask<Op, N> & 1u << k))
        part.store(P::load(tail[N + 2 + k]).v, static_cast<T*>(out[k]) + (n - rest));
  }
};

inline Num<int64_t> as_number(Num<int64_t> x) { return x; }

/// Integers have no derivatives, and a plain loop.
template <class Op, size_t... I>
struct Loops<Op, int64_t, std::index_sequence<I...>> {
  static void forward(const void* params, const void* const* in, void* const* out, int64_t n) {
    const Op op = *static_cast<const Op*>(params);
    const int64_t* const x[] = {static_cast<const int64_t*>(in[I])...};
    int64_t* const y = static_cast<int64_t*>(out[0]);
    TAUT_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) y[i] = as_number(op.value(Num<int64_t>::of(x[I][i])...)).v;
  }

  template <class T>
  using N = Num<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>;
  template <class T>
  static constexpr bool makes_mask =
      std::is_same_v<decltype(std::declval<const Op&>().value((void(I), std::declval<N<T>>())...)),
                     typename N<T>::Mask>;
  template <class T>
  static void native(const void* params, const void* const* in, void* const* out, int64_t n) {
    using X = decltype(N<T>::v);
    using Y = std::conditional_t<makes_mask<T>, uint8_t, X>;
    const Op op = *static_cast<const Op*>(params);
    const X* const x[] = {static_cast<const X*>(in[I])...};
    Y* const y = static_cast<Y*>(out[0]);
    TAUT_INDEPENDENT
    for (int64_t i = 0; i < n; ++i) {
      const auto r = op.value(N<T>::of(x[I][i])...);
      if constexpr (makes_mask<T>) y[i] = static_cast<Y>(where(r, 1, 0).v);
      else if constexpr (std::is_same_v<T, bool>) y[i] = r.v != 0 ? 1 : 0;
      else y[i] = r.v;
    }
  }
};

template <class Op, int N>
constexpr PointwiseKernels pointwise_kernels() {
  using Operands = std::make_index_sequence<N>;
  PointwiseKernels k{};
  if constexpr (has_float_kernel(Op::rule)) {
    k.forward[0] = Loops<Op, float, Operands>::forward;
    k.forward[1] = Loops<Op, double, Operands>::forward;
    if constexpr (differentiable<Op, N>) {
      k.backward[0] = Loops<Op, float, Operands>::backward;
      k.backward[1] = Loops<Op, double, Operands>::backward;
    }
  }
  if constexpr (has_integer_kernel(Op::rule)) {
    using Integer = Loops<Op, int64_t, Operands>;
    k.forward[2] = Integer::forward;
    if constexpr (std::is_empty_v<Op>) {  // an attribute need not fit a small integer
      k.to_bool = Integer::template makes_mask<int32_t>;
      k.native[0] = Integer::template native<bool>;
      k.native[1] = Integer::template native<uint8_t>;
      k.native[2] = Integer::template native<int8_t>;
      k.native[3] = Integer::template native<int16_t>;
      k.native[4] = Integer::template native<int32_t>;
    }
  }
  return k;
}

// The kernels of a formula (src/ops/formulas/*.inc) of N operands.
#define FORMULA(name, Op, N)                    \
  extern const PointwiseKernels name##_kernels; \
  constexpr PointwiseKernels name##_kernels = pointwise_kernels<Op, N>();

}  // namespace taut::TAUT_ISA
