// Pointwise kernels as the host sees them: the tables, the drivers that run a table over any layout and dtype, and the
// vocabulary that the formulas in src/ops/formulas share with every number type they are evaluated on.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/view.h"

namespace taut {

/// What a kernel computes in.
enum class Number : uint8_t { f32, f64, i64 };

/// What a kernel of this dtype computes in: half precision in f32, every integer and bool in i64.
constexpr Number number_of(ScalarType t) {
  return t == kDouble ? Number::f64 : is_floating_point(t) ? Number::f32 : Number::i64;
}

/// n contiguous elements of the number type per operand, any n; nothing outside of them is touched. An output may be
/// the very memory of an input.
using Loop = void (*)(const void* op, const void* const* in, void* const* out, int64_t n);

/// By Number; null where an op has no such kernel. Forward: x... -> y. Backward: g, x..., y -> dx...; an input that the
/// partials do not read may be null, and an output that is not wanted is null.
/// `native`, by ScalarType: forward on bool and the integers below int64 as they are, with the result that i64 would
/// give. Where `to_bool`, these write bool.
struct PointwiseKernels {
  Loop forward[3], backward[3], native[5];
  bool to_bool;
};

/// The loops of an op on complex numbers, by the size of their parts: complex64, complex128. Each input is contiguous,
/// or a single number (step 0). A forward that is a question writes bool. They are compiled once, for every processor.
struct ComplexKernels {
  using Loop = void (*)(const void* op, const void* const* in, const int64_t* step, void* const* out, int64_t n);
  Loop forward[2], backward[2];
};
/// `static constexpr bool complex = true` in a formula: its text serves complex numbers too.
template <class Op>
constexpr bool formula_takes_complex = requires {
  requires Op::complex;
};

/// y = op(x...). Inputs are broadcast against the sizes of `out`, from the right; dtypes are converted to and from
/// `number`; `out` may be exactly one of the inputs. Throws Error("ZeroDivisionError") for an integer divided by zero.
void pointwise_forward(const PointwiseKernels& kernels, const void* op, Number number, const View& out, const View* in,
                       int n_in);

/// dx[i] = g * partial i, each dx of the sizes of g; a dx without data is not wanted. An input or result that no
/// partial reads may be without data.
void pointwise_backward(const PointwiseKernels& kernels, const void* op, Number number, const View& g, const View* in,
                        const View& result, const View* dx, int n_in);

/// Throws Error("ZeroDivisionError") if an integer view holds a zero: to be asked before dividing in place, where the
/// kernel's own throw would come too late to leave everything as it was.
void check_divisor(const View& divisor);

/// How the dtype of a result follows from those of the operands.
enum class Rule : uint8_t {
  arithmetic,    // the promoted dtype; integers compute in i64
  floating,      // the promoted dtype; integers become the default float
  float_only,    // the promoted dtype; integers are an error
  compare,       // bool
  logical,       // bool, each operand taken as != 0
  integer_only,  // the promoted dtype, integers and bool only
};
constexpr bool has_float_kernel(Rule r) { return r != Rule::integer_only; }
constexpr bool has_integer_kernel(Rule r) { return r != Rule::floating && r != Rule::float_only; }

/// An attribute of a formula that runs on integers too: exact for 64 bits, where a double is not.
struct Attribute {
  double real;
  int64_t whole;
};

// Partials that are not numbers.
struct One {};
struct MinusOne {};
struct Zero {};
struct None {};
constexpr One one;
constexpr MinusOne minus_one;
constexpr Zero zero;
constexpr None none;

/// What `partials` returns: an aggregate, so that no function of it is shared between instruction sets.
template <class... P>
struct Partials;
template <class A>
struct Partials<A> {
  A a;
};
template <class A, class B>
struct Partials<A, B> {
  A a;
  B b;
};
template <class A, class B, class C>
struct Partials<A, B, C> {
  A a;
  B b;
  C c;
};
template <class... P>
Partials(P...) -> Partials<P...>;

/// Stands for a number in a formula; its type says which operands (one bit each) the formula has read.
template <unsigned M>
struct Probe {};
template <class T>
constexpr unsigned mask_of = 0;
template <unsigned M>
constexpr unsigned mask_of<Probe<M>> = M;

#define TAUT_PROBE1(f)  \
  template <unsigned A> \
  Probe<A> f(Probe<A>);
#define TAUT_PROBE2(f)                \
  template <unsigned A, unsigned B>   \
  Probe<A | B> f(Probe<A>, Probe<B>); \
  template <unsigned A>               \
  Probe<A> f(Probe<A>, double);       \
  template <unsigned A>               \
  Probe<A> f(double, Probe<A>);
TAUT_PROBE1(operator-)
TAUT_PROBE1(operator!)
TAUT_PROBE2(operator+)
TAUT_PROBE2(operator-)
TAUT_PROBE2(operator*)
TAUT_PROBE2(operator/)
TAUT_PROBE2(operator<)
TAUT_PROBE2(operator>)
TAUT_PROBE2(operator<=)
TAUT_PROBE2(operator>=)
TAUT_PROBE2(operator==)
TAUT_PROBE2(operator!=)
TAUT_PROBE2(operator&)
TAUT_PROBE2(operator|)
TAUT_PROBE1(abs)
TAUT_PROBE1(not_negative)
TAUT_PROBE1(sign)
TAUT_PROBE1(sqrt)
TAUT_PROBE1(trunc)
TAUT_PROBE1(exp)
TAUT_PROBE1(exp2)
TAUT_PROBE1(log)
TAUT_PROBE1(sin)
TAUT_PROBE1(cos)
TAUT_PROBE1(sinh)
TAUT_PROBE1(cosh)
TAUT_PROBE1(tanh)
TAUT_PROBE1(sigmoid)
TAUT_PROBE1(erf)
TAUT_PROBE1(digamma)
TAUT_PROBE2(max)
TAUT_PROBE2(min)
TAUT_PROBE2(pow)
TAUT_PROBE2(floor_div)
TAUT_PROBE2(polygamma)
#undef TAUT_PROBE1
#undef TAUT_PROBE2
template <unsigned C, class A, class B>
Probe<(C | mask_of<A> | mask_of<B>)> where(Probe<C>, A, B);

namespace detail {

template <class Op, size_t... I>
auto probe_partials(std::index_sequence<I...>)
    -> decltype(std::declval<const Op&>().partials(Probe<1u << I>()..., Probe<1u << sizeof...(I)>()));

template <class... P>
constexpr std::array<unsigned, sizeof...(P)> read_masks(std::type_identity<Partials<P...>>) {
  return {mask_of<P>...};
}
template <class... P>
constexpr unsigned differentiable_inputs(std::type_identity<Partials<P...>>) {
  unsigned mask = 0, bit = 1;
  ((mask |= std::is_same_v<P, None> ? 0 : bit, bit <<= 1), ...);
  return mask;
}

}  // namespace detail

/// Does the op of N operands have partials?
template <class Op, int N>
constexpr bool differentiable = requires {
  detail::probe_partials<Op>(std::make_index_sequence<N>());
};

/// Only for ops with partials. reads<Op, N>[i]: what partial i reads, one bit per operand; bit N is the result.
template <class Op, int N>
constexpr auto reads =
    detail::read_masks(std::type_identity<decltype(detail::probe_partials<Op>(std::make_index_sequence<N>()))>());

/// Bit i: operand i has a gradient (its partial is not `none`).
template <class Op, int N>
constexpr unsigned gradient_mask = detail::differentiable_inputs(
    std::type_identity<decltype(detail::probe_partials<Op>(std::make_index_sequence<N>()))>());

/// What any partial reads.
template <class Op, int N>
constexpr unsigned reads_any = [] {
  unsigned mask = 0;
  for (unsigned m : reads<Op, N>) mask |= m;
  return mask;
}();

}  // namespace taut
