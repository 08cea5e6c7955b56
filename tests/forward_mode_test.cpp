// Forward mode: dual levels, tangents through ops, views, in-place writes and custom Functions, mixed with reverse
// mode.
#include "autograd_support.h"

#include <cmath>
#include <thread>

using namespace taut;
using namespace taut::testing;
using autograd::AutogradContext;
using autograd::Function;
using autograd::grad;
using autograd::jvp;
using autograd::variable_list;
namespace fw = taut::autograd::forward_ad;

namespace {

Values tangent(const Tensor& t) { return values(fw::unpack_dual(t).tangent); }

struct Square : Function<Square> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x * x;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    return {g[0] * 2 * ctx->get_saved_variables()[0]};
  }
};

/// x a and x + b, with a backward that is not the derivative of its forward: three times as much.
struct Tripled : Function<Tripled> {
  static variable_list forward(AutogradContext* ctx, Tensor x, double factor, Tensor a, Tensor b) {
    ctx->save_for_backward({x, a});
    ctx->saved_data["factor"] = factor;
    return {x * a * factor, x + b};
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    const variable_list s = ctx->get_saved_variables();
    const double f = 3 * ctx->saved_data["factor"].toDouble();
    return {g[0] * s[1] * f + g[1] * 3, Tensor(), ctx->needs_input_grad(1) ? g[0] * s[0] * f : Tensor(), g[1] * 3};
  }
};

}  // namespace

TEST(DualLevel, MakeAndUnpack) {
  Tensor x = constant({1, 2}), t = constant({3, 4});
  fw::DualLevel level;
  Tensor d = fw::make_dual(x, t);
  EXPECT_TRUE(d.is_view());
  EXPECT_EQ(d.data_ptr(), x.data_ptr());
  const auto [primal, tangent] = fw::unpack_dual(d);
  EXPECT_TRUE(tangent.is_same(t));
  EXPECT_EQ(values(primal), (Values{1, 2}));
  EXPECT_FALSE(fw::unpack_dual(primal).tangent.defined());
  EXPECT_FALSE(fw::unpack_dual(x).tangent.defined());
}

TEST(DualLevel, TangentsEndWithTheirLevel) {
  Tensor d;
  {
    fw::DualLevel level;
    d = fw::make_dual(constant({1}), constant({1}));
  }
  EXPECT_FALSE(fw::unpack_dual(d).tangent.defined());  // outside of any level: the tensor, and nothing
  EXPECT_TRUE(fw::unpack_dual(d).primal.is_same(d));
  fw::DualLevel level;
  EXPECT_FALSE(fw::unpack_dual(d).tangent.defined());
  EXPECT_FALSE(fw::unpack_dual(d * 2).tangent.defined());
}

TEST(DualLevel, Errors) {
  Tensor x = constant({1, 2});
  expect_says(message_of([&] { fw::make_dual(x, x); }),
              {"Trying to create a dual Tensor for forward AD but no level exists", "enter_dual_level()"});
  EXPECT_THROW(fw::exit_dual_level(0), Error);
  fw::DualLevel level;
  EXPECT_EQ(level.level(), 0);
  expect_says(message_of([] { fw::enter_dual_level(); }), {"Nested forward mode AD is not supported at the moment"});
  expect_says(
      message_of([&] {
        fw::make_dual(x, constant({1, 2, 3}));
      }),
      {"Trying to set a forward gradient that has a different size than that of the original Tensor", "[2]", "[3]"});
  expect_says(message_of<ValueError>([&] { fw::make_dual(taut::arange(2), taut::arange(2)); }),
              {"Expected primal to be floating point", "int64"});
  EXPECT_THROW(fw::make_dual(x, taut::arange(2)), ValueError);
  Tensor d = fw::make_dual(x, x);
  expect_says(message_of([&] { fw::make_dual(d, x); }), {"Making a dual Tensor based on a Tensor that already has a "
                                                         "forward gradient at the same level 0 is not supported."});
  EXPECT_THROW(fw::make_dual(Tensor(), x), Error);
  EXPECT_THROW(fw::make_dual(x, Tensor()), Error);
  EXPECT_THROW(fw::unpack_dual(Tensor()), Error);
  EXPECT_THROW(fw::make_dual(x, x, 1), Error);
  EXPECT_THROW(fw::unpack_dual(x, 7), Error);
}

TEST(DualLevel, IsOpenAgainAfterAnException) {
  EXPECT_THROW(jvp([](const variable_list&) -> variable_list { throw std::runtime_error("mine"); }, {constant({1})},
                   {constant({1})}),
               std::runtime_error);
  fw::DualLevel level;
}

TEST(Tangents, GoThroughArithmetic) {
  fw::DualLevel level;
  Tensor a = fw::make_dual(constant({2, 3}), constant({1, 0})), b = fw::make_dual(constant({5, 7}), constant({0, 1}));
  EXPECT_EQ(tangent(a * b), (Values{5, 3}));
  EXPECT_EQ(tangent(a + b), (Values{1, 1}));
  EXPECT_EQ(tangent(a - b * 2), (Values{1, -2}));
  EXPECT_EQ(tangent((a * a * a).sum()), (Values{12}));
  EXPECT_NEAR(tangent(a.exp())[0], std::exp(2), 1e-5);
  EXPECT_NEAR(tangent(a / b)[1], -3.0 / 49, 1e-6);
  EXPECT_EQ(tangent(a + constant({1, 1})), (Values{1, 0}));
}

TEST(Tangents, GoThroughStructuredOps) {
  fw::DualLevel level;
  Tensor m = fw::make_dual(taut::arange(6, kFloat).view({2, 3}), taut::ones({2, 3}));
  EXPECT_EQ(tangent(m.matmul(taut::ones({3, 1}))), (Values{3, 3}));
  EXPECT_EQ(tangent(m.cumsum(1)), (Values{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(tangent(m.prod(1)), (Values{2, 47}));
  EXPECT_EQ(tangent(taut::cat({m, m * 2})), (Values{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
  auto [top, index] = m.max(1);
  EXPECT_EQ(tangent(top), (Values{1, 1}));
  EXPECT_FALSE(fw::unpack_dual(index).tangent.defined());
  const Values softmax = tangent(m.softmax(1));
  for (const double v : softmax) EXPECT_NEAR(v, 0, 1e-6);
}

TEST(Tangents, BroadcastAndChangeDtype) {
  fw::DualLevel level;
  Tensor row = fw::make_dual(constant({1, 2}), constant({1, 10}));
  const Tensor y = row + taut::zeros({3, 2});
  EXPECT_EQ(fw::unpack_dual(y).tangent.sizes(), IntArrayRef({3, 2}));
  EXPECT_EQ(tangent(y), (Values{1, 10, 1, 10, 1, 10}));
  EXPECT_EQ(fw::unpack_dual(row.to(kDouble)).tangent.scalar_type(), kDouble);
  EXPECT_FALSE(fw::unpack_dual(row > 1).tangent.defined());
  EXPECT_FALSE(fw::unpack_dual(row.detach()).tangent.defined());
}

TEST(Tangents, DoNotDependOnRecordingButOnInferenceMode) {
  fw::DualLevel level;
  Tensor d = fw::make_dual(constant({1}), constant({1}));
  {
    NoGradGuard guard;
    EXPECT_EQ(tangent(d * 3), (Values{3}));
  }
  InferenceMode guard;
  EXPECT_FALSE(fw::unpack_dual(d * 3).tangent.defined());
}

TEST(Tangents, GoThroughViews) {
  fw::DualLevel level;
  Tensor d = fw::make_dual(taut::zeros({4}), taut::arange(4, kFloat));
  EXPECT_EQ(tangent(d.view({2, 2}).t()), (Values{0, 2, 1, 3}));
  EXPECT_EQ(tangent(d[2]), (Values{2}));
  EXPECT_EQ(tangent(d.split(2)[1]), (Values{2, 3}));
  EXPECT_EQ(tangent(d.view({4, 1}).expand({4, 2})), (Values{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(Tangents, GoThroughInPlaceWrites) {
  fw::DualLevel level;
  Tensor d = fw::make_dual(taut::ones({2}), constant({1, 2}));
  d.mul_(3);
  EXPECT_EQ(tangent(d), (Values{3, 6}));
  d.mul_(d);
  EXPECT_EQ(tangent(d), (Values{18, 36}));
  d.fill_(5);
  EXPECT_EQ(tangent(d), (Values{0, 0}));
  Tensor plain = taut::ones({2});
  plain.add_(fw::make_dual(constant({1, 1}), constant({7, 8})));
  EXPECT_EQ(tangent(plain), (Values{7, 8}));
}

TEST(Tangents, OfABaseWrittenThroughAView) {
  fw::DualLevel level;
  Tensor d = fw::make_dual(taut::ones({4}), taut::arange(4, kFloat));
  Tensor v = d.view({2, 2});
  v[0].mul_(10);
  EXPECT_EQ(values(d), (Values{10, 10, 1, 1}));
  EXPECT_EQ(tangent(d), (Values{0, 10, 2, 3}));
  EXPECT_EQ(tangent(v), (Values{0, 10, 2, 3}));
}

TEST(Tangents, OfAConstantBaseWrittenThroughAView) {
  fw::DualLevel level;
  Tensor base = taut::zeros({4}), v = base.view({2, 2});
  v[0].copy_(fw::make_dual(constant({1, 1}), constant({5, 5})));
  EXPECT_EQ(tangent(base), (Values{5, 5, 0, 0}));
  EXPECT_EQ(tangent(v), (Values{5, 5, 0, 0}));
}

TEST(Tangents, OfAViewWhoseBaseWasWritten) {
  fw::DualLevel level;
  Tensor base = taut::zeros({4}), v = base.view({2, 2});
  base.copy_(fw::make_dual(taut::ones({4}), taut::full({4}, 5.0)));
  EXPECT_EQ(tangent(base), (Values{5, 5, 5, 5}));
  EXPECT_EQ(tangent(v), (Values{5, 5, 5, 5}));
  EXPECT_EQ(tangent(v * 2), (Values{10, 10, 10, 10}));
}

TEST(Tangents, GoThroughCustomFunctionsByTheirBackward) {
  fw::DualLevel level;
  Tensor d = fw::make_dual(constant({2, 3}), constant({1, 10}));
  EXPECT_EQ(tangent(Square::apply(d)), (Values{4, 60}));
  EXPECT_EQ(tangent(Square::apply(Square::apply(d))), (Values{32, 1080}));
  Tensor a = constant({5, 7}), b = fw::make_dual(constant({1, 1}), constant({100, 100}));
  variable_list y = Tripled::apply(d, 2.0, a, b);
  EXPECT_EQ(tangent(y[0]), (Values{30, 420}));
  EXPECT_EQ(tangent(y[1]), (Values{303, 330}));
}

TEST(Tangents, GoThroughCustomFunctionsUnderNoGrad) {
  fw::DualLevel level;
  NoGradGuard guard;
  const Tensor y = Square::apply(fw::make_dual(constant({2}), constant({1})));
  EXPECT_EQ(tangent(y), (Values{4}));
  EXPECT_FALSE(fw::unpack_dual(y).tangent.requires_grad());
}

TEST(Jvp, ValueAndDirectionalDerivative) {
  const auto f = [](const variable_list& in) { return variable_list{in[0] * in[1], in[0].sum(), in[1].detach()}; };
  auto [y, t] = jvp(f, {constant({2, 3}), constant({5, 7})}, {constant({1, 1}), constant({0, 1})});
  EXPECT_EQ(values(y[0]), (Values{10, 21}));
  EXPECT_EQ(values(t[0]), (Values{5, 10}));
  EXPECT_EQ(values(t[1]), (Values{2}));
  EXPECT_EQ(values(t[2]), (Values{0, 0}));  // zeros where nothing arrives
}

TEST(Jvp, AnUndefinedTangentMeansAConstant) {
  auto [y, t] = jvp([](const variable_list& in) { return variable_list{in[0] * in[1]}; },
                    {constant({2}), constant({5})}, {constant({1}), Tensor()});
  EXPECT_EQ(values(t[0]), (Values{5}));
  EXPECT_THROW(jvp([](const variable_list& in) { return in; }, {constant({1})}, {}), Error);
}

TEST(ForwardOverReverse, HessianVectorProduct) {
  fw::DualLevel level;
  Tensor x = leaf({1, 2, 3});
  Tensor d = fw::make_dual(x, constant({1, 0, 2}));
  Tensor y = (d * d * d).sum();
  Tensor g = grad({y}, {d})[0];
  EXPECT_EQ(values(g), (Values{3, 12, 27}));
  EXPECT_EQ(tangent(g), (Values{6, 0, 36}));
}

TEST(ForwardOverReverse, ThroughSavedResultsAndStructuredOps) {
  fw::DualLevel level;
  Tensor x = tensor({0.5, -0.3}, dtype(kDouble).requires_grad(true));
  const Tensor v = tensor({1.0, 2.0}, kDouble);
  Tensor d = fw::make_dual(x, v);
  const auto f = [](const Tensor& t) {
    return (t.tanh().exp() * t.softmax(0)).sum() + t.cumsum(0).prod() + t.matmul(t).sqrt();
  };
  Tensor g = grad({f(d)}, {d})[0];
  const Values forward_over_reverse = tangent(g);
  Tensor g2 = grad({f(x)}, {x}, {}, {}, true)[0];
  const Values reverse_over_reverse = values(grad({g2}, {x}, {v})[0]);
  ASSERT_EQ(forward_over_reverse.size(), 2u);
  for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(forward_over_reverse[i], reverse_over_reverse[i], 1e-9);
}

TEST(ForwardOverReverse, GradOfALeafCarriesATangent) {
  fw::DualLevel level;
  Tensor x = leaf({2});
  Tensor d = fw::make_dual(x, constant({1}));
  (d * d * d).backward();
  EXPECT_EQ(values(x.grad()), (Values{12}));
  EXPECT_EQ(tangent(x.grad()), (Values{12}));
}

TEST(ReverseOverForward, TheTangentHasAGraph) {
  fw::DualLevel level;
  Tensor x = leaf({1, 2, 3}), v = leaf({1, 0, 2});
  Tensor d = fw::make_dual(x, v);
  Tensor t = fw::unpack_dual((d * d * d).sum()).tangent;  // 3 x^2 v
  EXPECT_EQ(values(t), (Values{57}));
  const variable_list g = grad({t}, {x, v});
  EXPECT_EQ(values(g[0]), (Values{6, 0, 36}));
  EXPECT_EQ(values(g[1]), (Values{3, 12, 27}));
}

TEST(ReverseOverForward, ThroughStructuredOpsAndCustomFunctions) {
  Tensor x = tensor({0.5, 1.5}, dtype(kDouble).requires_grad(true));
  const Tensor v = tensor({1.0, 2.0}, kDouble);
  const auto f = [](const Tensor& t) { return (Square::apply(t) * t.softmax(0)).sum() + t.cumsum(0).prod(); };
  Tensor g = grad({f(x)}, {x}, {}, {}, true)[0];
  const Values expected = values(grad({g}, {x}, {v})[0]);
  fw::DualLevel level;
  Tensor t = fw::unpack_dual(f(fw::make_dual(x, v))).tangent;
  EXPECT_NEAR(values(t)[0], values((g * v).sum())[0], 1e-9);
  const Values mixed = values(grad({t}, {x})[0]);
  for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(mixed[i], expected[i], 1e-9);
}

TEST(ReverseOverForward, WhatALevelHeldIsFreedWithIt) {
  // The result is saved by its node, its tangent is computed from that node: a ring until the level ends.
  const Tensor x = leaf({1, 2}), v = leaf({1, 0});
  int64_t before = 0;
  for (int i = 0; i < 3; ++i) {
    {
      fw::DualLevel level;
      EXPECT_TRUE(fw::unpack_dual(fw::make_dual(x, v).exp().exp()).tangent.requires_grad());
    }
    if (i == 0) before = memory_stats().allocated;  // now the leaves have what they keep
    EXPECT_EQ(memory_stats().allocated, before);
  }
}

TEST(ReverseOverForward, AnInputMadeFromAnotherCountsOnce) {
  const Tensor x = tensor({1.0, 2.0}).requires_grad_();
  const auto [y, t] = jvp(
      [](const variable_list& in) {
        return variable_list{stack({in[0], in[0] * 3})};
      },
      {x}, {tensor({1.0, 1.0})});
  EXPECT_EQ(values(t[0]), (Values{1, 1, 3, 3}));
}

TEST(ReverseOverForward, ThirdDerivative) {
  fw::DualLevel level;
  Tensor x = leaf({2});
  Tensor d = fw::make_dual(x, constant({1}));
  Tensor g = grad({d * d * d * d}, {d}, {}, {}, true)[0];  // 4 x^3, tangent 12 x^2
  Tensor t = fw::unpack_dual(g).tangent;
  EXPECT_EQ(values(t), (Values{48}));
  EXPECT_EQ(values(grad({t}, {x})[0]), (Values{48}));
}

TEST(ForwardMode, WorksInOtherThreadsWhileALevelIsOpen) {
  fw::DualLevel level;
  Tensor d = fw::make_dual(constant({2}), constant({1}));
  std::thread([&] { EXPECT_EQ(tangent(d * d), (Values{4})); }).join();
}

TEST(Jvp, WhatIsUndefinedStaysInItsPlace) {
  const auto [values_of, tangents] = jvp(
      [](const variable_list& v) {
        return variable_list{v[0] * 2, Tensor(), v[0] * 3};
      },
      {leaf({1, 2})}, {leaf({5, 6})});
  ASSERT_EQ(values_of.size(), 3u);
  ASSERT_EQ(tangents.size(), 3u);
  EXPECT_FALSE(values_of[1].defined() || tangents[1].defined());
  EXPECT_EQ(values(values_of[2]), (Values{3, 6}));
  EXPECT_EQ(values(tangents[2]), (Values{15, 18}));
}
