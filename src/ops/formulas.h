// The formulas of every pointwise op as the host sees them: `formula::exp_op` describes exp, `formula::Exp` is its
// struct.
#pragma once
#include "ops/pointwise.h"

namespace taut {

/// A PointwiseOp that knows the type of its formulas.
template <class Op, int N>
struct TypedOp : PointwiseOp {
  using Attributes = Op;
};

namespace detail {
template <class Op, int N>
constexpr TypedOp<Op, N> describe(const char* name, const char* node, const PointwiseKernels& (*kernels)(),
                                  const ComplexKernels& complex) {
  unsigned gradients = 0;
  if constexpr (differentiable<Op, N>) gradients = gradient_mask<Op, N>;
  if constexpr (requires { Op::node; }) node = Op::node;
  unsigned wide = 0;
  if constexpr (requires { Op::wide; }) wide = Op::wide;
  return {{name, node, N, Op::rule, wide, gradients, kernels, formula_takes_complex<Op> ? &complex : nullptr}};
}
}  // namespace detail

// FORMULA leaves namespace formula for a moment, because the tables live in taut::v2, v3 and v4.
#define FORMULA(name, Op, N)                                                            \
  }                                                                                     \
  TAUT_ISA_TABLE(PointwiseKernels, name##_kernels)                                      \
  extern const ComplexKernels name##_complex;                                           \
  namespace formula {                                                                   \
  inline constexpr TypedOp<Op, N> name##_op =                                           \
      detail::describe<Op, N>(#name, #Op "Backward0", &name##_kernels, name##_complex); \
  }                                                                                     \
  template <>                                                                           \
  inline constexpr const PointwiseOp* info_of<formula::Op> = &formula::name##_op;       \
  namespace formula {
namespace formula {
// clang-format off
#include "ops/formulas/arithmetic.inc"
#include "ops/formulas/compare.inc"
#include "ops/formulas/exponential.inc"
#include "ops/formulas/trigonometric.inc"
#include "ops/formulas/special.inc"
#include "ops/formulas/activation.inc"
#include "ops/formulas/loss.inc"
// clang-format on
}  // namespace formula
#undef FORMULA

/// With the default attributes.
template <class Op, int N, class... T>
[[gnu::visibility("hidden")]] Tensor pointwise(const TypedOp<Op, N>& info,
                                               const T&... inputs) requires(sizeof...(T) == N) {
  return pointwise(static_cast<const PointwiseOp&>(info), Op{}, inputs...);
}
template <class Op, int N, class... T>
[[gnu::visibility("hidden")]] Tensor& pointwise_(const char* name, const TypedOp<Op, N>& info, Tensor& self,
                                                 const T&... others) requires(sizeof...(T) + 1 == N) {
  return pointwise_(name, static_cast<const PointwiseOp&>(info), Op{}, self, others...);
}

}  // namespace taut
