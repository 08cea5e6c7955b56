// The in-place twin of every pointwise op and activation: same values and gradients as the op, version counted, the
// same through a view; and what activations reject.
#include <gtest/gtest.h>

#include <limits>

#include "support/sweep.h"

namespace taut {
namespace {

using test::Kind;
using test::numbers;
using test::Tensors;

struct Twin {
  const char* name;
  Kind first, second;
  bool second_is_tensor;
  Tensor (*op)(const Tensor&, const Tensor&);
  Tensor& (*in_place)(Tensor&, const Tensor&);
};
#define UNARY(f, kind)                                                                                                 \
  {                                                                                                                    \
#f, kind, kind, false,                                                                                             \
        [](const Tensor& x, const Tensor&) { return f(x); },                                                           \
                                                          [](Tensor & x, const Tensor&) -> Tensor& { return f##_(x); } \
  }
#define BINARY(f, a, b)                                                                                            \
  {                                                                                                                \
#f, a, b, true,                                                                                                \
        [](const Tensor& x,                                                                                        \
           const Tensor& y) { return f(x, y); }, [](Tensor & x, const Tensor& y) -> Tensor& { return f##_(x, y); } \
  }
#define WITH(f, ...)                                                                                                   \
  {                                                                                                                    \
#f, Kind::Any, Kind::Any, false,                                                                                   \
        [](const Tensor& x,                                                                                            \
           const Tensor&) { return f(x, __VA_ARGS__); }, [](Tensor & x,                                                \
                                                            const Tensor&) -> Tensor& { return f##_(x, __VA_ARGS__); } \
  }
#define THREE(f, ...)                                                                                             \
  {                                                                                                               \
#f, Kind::Any, Kind::Positive, true,                                                                          \
        [](const Tensor& x,                                                                                       \
           const Tensor& y) { return f(x, y, __VA_ARGS__); }, [](Tensor & x, const Tensor& y)                     \
                                                                   -> Tensor& { return f##_(x, y, __VA_ARGS__); } \
  }

const Twin kTwins[] = {
    UNARY(neg, Kind::Any),
    UNARY(abs, Kind::Any),
    UNARY(sign, Kind::Any),
    UNARY(sgn, Kind::Any),
    UNARY(square, Kind::Any),
    UNARY(sqrt, Kind::Positive),
    UNARY(rsqrt, Kind::Positive),
    UNARY(reciprocal, Kind::Positive),
    UNARY(floor, Kind::Any),
    UNARY(ceil, Kind::Any),
    UNARY(round, Kind::Any),
    UNARY(trunc, Kind::Any),
    UNARY(frac, Kind::Any),
    UNARY(exp, Kind::Any),
    UNARY(exp2, Kind::Any),
    UNARY(expm1, Kind::Any),
    UNARY(log, Kind::Positive),
    UNARY(log2, Kind::Positive),
    UNARY(log10, Kind::Positive),
    UNARY(log1p, Kind::Positive),
    UNARY(sin, Kind::Any),
    UNARY(cos, Kind::Any),
    UNARY(tan, Kind::Any),
    UNARY(asin, Kind::Unit),
    UNARY(acos, Kind::Unit),
    UNARY(atan, Kind::Any),
    UNARY(sinh, Kind::Any),
    UNARY(cosh, Kind::Any),
    UNARY(tanh, Kind::Any),
    UNARY(asinh, Kind::Any),
    UNARY(atanh, Kind::Unit),
    UNARY(sigmoid, Kind::Any),
    UNARY(erf, Kind::Any),
    UNARY(erfc, Kind::Any),
    UNARY(erfinv, Kind::Unit),
    UNARY(lgamma, Kind::Positive),
    UNARY(digamma, Kind::Positive),
    UNARY(sinc, Kind::Any),
    UNARY(deg2rad, Kind::Any),
    UNARY(rad2deg, Kind::Any),
    UNARY(nan_to_num, Kind::Any),
    UNARY(relu, Kind::Any),
    UNARY(relu6, Kind::Any),
    UNARY(gelu, Kind::Any),
    UNARY(silu, Kind::Any),
    UNARY(mish, Kind::Any),
    UNARY(selu, Kind::Any),
    UNARY(hardsigmoid, Kind::Any),
    UNARY(hardswish, Kind::Any),
    WITH(gelu, "tanh"),
    WITH(elu, 0.5),
    WITH(elu, 1.5, 2.0, 0.5),
    WITH(celu, 0.5),
    WITH(leaky_relu, 0.2),
    WITH(hardtanh, -0.5, 0.75),
    WITH(threshold, 0.25, -1.0),
    WITH(add, Scalar(1.5)),
    WITH(sub, Scalar(1.5)),
    WITH(mul, Scalar(1.5)),
    WITH(div, Scalar(1.5)),
    WITH(div, Scalar(0.5), "floor"),
    WITH(pow, Scalar(3)),
    WITH(fmod, Scalar(0.75)),
    WITH(remainder, Scalar(0.75)),
    WITH(clamp, Scalar(-0.5), Scalar(0.5)),
    WITH(clamp_min, Scalar(0.25)),
    WITH(clamp_max, Scalar(0.25)),
    WITH(round, 1),
    BINARY(add, Kind::Any, Kind::Any),
    BINARY(sub, Kind::Any, Kind::Any),
    BINARY(mul, Kind::Any, Kind::Any),
    BINARY(div, Kind::Any, Kind::Positive),
    BINARY(pow, Kind::Positive, Kind::Any),
    BINARY(fmod, Kind::Any, Kind::Positive),
    BINARY(remainder, Kind::Any, Kind::Positive),
    BINARY(atan2, Kind::Any, Kind::Any),
    BINARY(hypot, Kind::Any, Kind::Any),
    BINARY(xlogy, Kind::Any, Kind::Positive),
    BINARY(copysign, Kind::Any, Kind::Any),
    BINARY(clamp_min, Kind::Any, Kind::Any),
    BINARY(clamp_max, Kind::Any, Kind::Any),
    THREE(lerp, Scalar(0.25)),
    THREE(addcmul, y, 0.5),
    THREE(addcdiv, y, 0.5),
};

class InPlace : public ::testing::TestWithParam<Twin> {};

/// The gradients of <w, f(x, y)>.
template <class F>
Tensors gradients(F&& f, const Tensor& x, const Tensor& y, const Tensor& w) {
  return autograd::grad({f(x, y)}, {x, y}, {w}, std::nullopt, false, true);
}

TEST_P(InPlace, GivesTheValuesAndGradientsOfTheOp) {
  const Twin& t = GetParam();
  const Tensor x = numbers(t.first, 0, {2, 3}).requires_grad_(), y = numbers(t.second, 1, {3}).requires_grad_();
  const Tensor w = numbers(Kind::Any, 2, {2, 3});
  const Tensor want = t.op(x, y);
  Tensor got = x.clone();
  const uint32_t version = got._version();
  EXPECT_TRUE(t.in_place(got, y).is_same(got));
  EXPECT_GT(got._version(), version);
  EXPECT_EQ(test::difference(got, want, {0, 0}), "");
  const auto by_twin = gradients(
      [&](const Tensor& a, const Tensor& b) {
        Tensor c = a.clone();
        return Tensor(t.in_place(c, b));
      },
      x, y, w);
  const auto by_op = gradients(t.op, x, y, w);
  EXPECT_EQ(test::difference(by_twin[0], by_op[0], {1e-12, 1e-13}), "");
  EXPECT_EQ(by_twin[1].defined(), by_op[1].defined());
  if (by_op[1].defined()) {
    EXPECT_EQ(test::difference(by_twin[1], by_op[1], {1e-12, 1e-13}), "");
  }
}

TEST_P(InPlace, WritesThroughAView) {
  const Twin& t = GetParam();
  const Tensor x = numbers(t.first, 0, {3, 4}).requires_grad_(), y = numbers(t.second, 1, {3}).requires_grad_();
  const Tensor base = x.clone();
  Tensor column = base.select(1, 2);
  t.in_place(column, y);
  const Tensor want = x.clone().detach();
  want.select(1, 2).copy_(t.op(x.detach().select(1, 2), y.detach()));
  EXPECT_EQ(test::difference(base, want, {0, 0}), "");
  const Tensor w = numbers(Kind::Any, 2, {3, 4});
  const Tensor got = autograd::grad({base}, {x}, {w})[0];
  const Tensor part = autograd::grad({t.op(x.select(1, 2), y)}, {x}, {w.select(1, 2)})[0];
  const Tensor expected = w.clone();
  expected.select(1, 2).copy_(part.select(1, 2));
  EXPECT_EQ(test::difference(got, expected, {1e-12, 1e-13}), "");
}

TEST_P(InPlace, OnNonContiguousMemoryWritesOnlyItsOwn) {
  const Twin& t = GetParam();
  const Tensor memory = numbers(t.first, 0, {4, 6}), y = numbers(t.second, 1, {3});
  const Tensor before = memory.clone();
  Tensor x = memory.as_strided({2, 3}, {12, 2}, 1);
  const Tensor want = t.op(x.contiguous(), y);
  t.in_place(x, y);
  EXPECT_EQ(test::difference(x, want, {1e-14, 1e-14}), "");
  x.copy_(before.as_strided({2, 3}, {12, 2}, 1));
  EXPECT_EQ(test::difference(memory, before, {0, 0}), "");
}

INSTANTIATE_TEST_SUITE_P(Twins, InPlace, ::testing::ValuesIn(kTwins),
                         [](const auto& p) { return std::string(p.param.name) + "_" + std::to_string(p.index); });

TEST(Activations, RejectBadCalls) {
  Tensor x = ones({2, 3}), whole = ones({2, 3}, kLong), mask = ones({2, 3}, kBool), none;
  EXPECT_THROW(gelu(x, "erf"), ValueError);
  EXPECT_THROW(gelu(none), Error);
  EXPECT_THROW(gelu(whole), Error);
  EXPECT_THROW(gelu_(whole), Error);
  EXPECT_THROW(celu(x, 0), ValueError);
  EXPECT_THROW(hardtanh(mask), Error);
  EXPECT_THROW(hardtanh(ones({2}, kByte)), Error);
  EXPECT_THROW(relu6(none), Error);
  EXPECT_THROW(relu6(mask), Error);
  EXPECT_THROW(softshrink(x, -0.5), ValueError);
  EXPECT_THROW(softshrink(x, std::numeric_limits<double>::quiet_NaN()), ValueError);
  EXPECT_THROW(threshold(mask, 0, 0), Error);
  EXPECT_THROW(prelu(x, none), Error);
  EXPECT_THROW(prelu(none, x), Error);
  EXPECT_THROW(prelu(x, ones({2})), Error);
  EXPECT_THROW(prelu(x, ones({3}, kDouble)), TypeError);
  EXPECT_THROW(prelu(ones({}), ones({3})), Error);
  EXPECT_THROW(prelu(x, ones({1, 3})), Error);
  EXPECT_THROW(glu(x), Error);
  EXPECT_THROW(glu(x, 2), IndexError);
  EXPECT_THROW(glu(x, INT64_MIN), IndexError);
  EXPECT_THROW(glu(x, INT64_MAX), IndexError);
  EXPECT_THROW(glu(ones({}), 0), Error);
  EXPECT_THROW(glu(whole, 0), Error);
  EXPECT_EQ(test::difference(x, ones({2, 3}), {0, 0}), "");
}

}  // namespace
}  // namespace taut
