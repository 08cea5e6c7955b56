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
#define OF_ONE(f, kind)                                                                                                \
  {                                                                                                                    \
#f, kind, kind, false,                                                                                             \
        [](const Tensor& x, const Tensor&) { return f(x); },                                                           \
                                                          [](Tensor & x, const Tensor&) -> Tensor& { return f##_(x); } \
  }
#define OF_TWO(f, a, b)                                                                                            \
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
    OF_ONE(neg, Kind::Any),
    OF_ONE(abs, Kind::Any),
    OF_ONE(sign, Kind::Any),
    OF_ONE(sgn, Kind::Any),
    OF_ONE(square, Kind::Any),
    OF_ONE(sqrt, Kind::Positive),
    OF_ONE(rsqrt, Kind::Positive),
    OF_ONE(reciprocal, Kind::Positive),
    OF_ONE(floor, Kind::Any),
    OF_ONE(ceil, Kind::Any),
    OF_ONE(round, Kind::Any),
    OF_ONE(trunc, Kind::Any),
    OF_ONE(frac, Kind::Any),
    OF_ONE(exp, Kind::Any),
    OF_ONE(exp2, Kind::Any),
    OF_ONE(expm1, Kind::Any),
    OF_ONE(log, Kind::Positive),
    OF_ONE(log2, Kind::Positive),
    OF_ONE(log10, Kind::Positive),
    OF_ONE(log1p, Kind::Positive),
    OF_ONE(sin, Kind::Any),
    OF_ONE(cos, Kind::Any),
    OF_ONE(tan, Kind::Any),
    OF_ONE(asin, Kind::Unit),
    OF_ONE(acos, Kind::Unit),
    OF_ONE(atan, Kind::Any),
    OF_ONE(sinh, Kind::Any),
    OF_ONE(cosh, Kind::Any),
    OF_ONE(tanh, Kind::Any),
    OF_ONE(asinh, Kind::Any),
    OF_ONE(atanh, Kind::Unit),
    OF_ONE(sigmoid, Kind::Any),
    OF_ONE(erf, Kind::Any),
    OF_ONE(erfc, Kind::Any),
    OF_ONE(erfinv, Kind::Unit),
    OF_ONE(lgamma, Kind::Positive),
    OF_ONE(digamma, Kind::Positive),
    OF_ONE(sinc, Kind::Any),
    OF_ONE(deg2rad, Kind::Any),
    OF_ONE(rad2deg, Kind::Any),
    OF_ONE(nan_to_num, Kind::Any),
    OF_ONE(relu, Kind::Any),
    OF_ONE(relu6, Kind::Any),
    OF_ONE(gelu, Kind::Any),
    OF_ONE(silu, Kind::Any),
    OF_ONE(mish, Kind::Any),
    OF_ONE(selu, Kind::Any),
    OF_ONE(hardsigmoid, Kind::Any),
    OF_ONE(hardswish, Kind::Any),
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
    OF_TWO(add, Kind::Any, Kind::Any),
    OF_TWO(sub, Kind::Any, Kind::Any),
    OF_TWO(mul, Kind::Any, Kind::Any),
    OF_TWO(div, Kind::Any, Kind::Positive),
    OF_TWO(pow, Kind::Positive, Kind::Any),
    OF_TWO(fmod, Kind::Any, Kind::Positive),
    OF_TWO(remainder, Kind::Any, Kind::Positive),
    OF_TWO(atan2, Kind::Any, Kind::Any),
    OF_TWO(hypot, Kind::Any, Kind::Any),
    OF_TWO(xlogy, Kind::Any, Kind::Positive),
    OF_TWO(copysign, Kind::Any, Kind::Any),
    OF_TWO(clamp_min, Kind::Any, Kind::Any),
    OF_TWO(clamp_max, Kind::Any, Kind::Any),
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
