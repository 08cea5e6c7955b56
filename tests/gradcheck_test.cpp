// gradcheck and gradgradcheck find wrong derivatives and accept right ones; the sample language gives the numbers that
// tools/golden_ops.py gives.
#include <gtest/gtest.h>

#include <cmath>

#include "support/sample.h"

namespace taut {
namespace {

using autograd::AutogradContext;
using autograd::gradcheck;
using autograd::gradgradcheck;
using autograd::variable_list;

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

Tensor input(IntArrayRef sizes, int seed = 0) { return test::numbers(test::Kind::Any, seed, sizes).requires_grad_(); }

/// x * x with a derivative of 3 x.
struct WrongSquare : autograd::Function<WrongSquare> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x * x;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    return {g[0] * ctx->get_saved_variables()[0] * 3};
  }
};

/// x * x * x whose first derivative is right, and cut off from the graph.
struct CutCube : autograd::Function<CutCube> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x * x * x;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    const Tensor x = ctx->get_saved_variables()[0].detach();
    return {g[0] * x * x * 3};
  }
};

TEST(Gradcheck, AcceptsRightGradientsOfSeveralInputsAndOutputs) {
  const auto f = [](const variable_list& x) { return variable_list{x[0] * x[1], (x[0] + x[1]).tanh(), x[0] > 0}; };
  EXPECT_TRUE(gradcheck(f, {input({2, 3}), input({3}, 1)}));
  EXPECT_TRUE(gradgradcheck(f, {input({2, 3}), input({3}, 1)}));
}

TEST(Gradcheck, ShowsBothJacobiansWhenTheyDiffer) {
  const auto f = [](const variable_list& x) { return variable_list{x[0].sin(), WrongSquare::apply(x[1])}; };
  const std::string m = message([&] { gradcheck(f, {input({2}), input({2}, 1)}); });
  EXPECT_NE(m.find("Jacobian mismatch for output 1 with respect to input 1,\nnumerical:tensor([["), m.npos) << m;
  EXPECT_NE(m.find("\nanalytical:tensor([["), m.npos) << m;
  EXPECT_FALSE(gradcheck(f, {input({2}), input({2}, 1)}, 1e-6, 1e-5, 1e-3, false));
}

TEST(Gradcheck, LeavesTheInputsAsTheyWere) {
  const Tensor x = input({2, 3});
  const std::vector<double> before = test::values_of(x);
  EXPECT_TRUE(gradcheck([](const variable_list& v) { return variable_list{v[0].exp()}; }, {x}));
  EXPECT_EQ(test::values_of(x), before);
  EXPECT_EQ(x._version(), 0u);
}

TEST(Gradcheck, ReadsNonContiguousInputs) {
  const Tensor x = test::numbers(test::Kind::Any, 0, {3, 2}).transpose(0, 1).requires_grad_();
  EXPECT_TRUE(gradcheck([](const variable_list& v) { return variable_list{v[0] * v[0].exp()}; }, {x}));
}

TEST(Gradcheck, InputsWithoutGradientAreNotVaried) {
  EXPECT_TRUE(gradcheck([](const variable_list& v) { return variable_list{v[0] * WrongSquare::apply(v[1])}; },
                        {input({2}), test::numbers(test::Kind::Any, 1, {2})}));
}

TEST(Gradcheck, FindsAConstantThatIsNone) {
  const auto f = [](const variable_list& v) { return variable_list{(v[0] * 2).detach()}; };
  EXPECT_NE(message([&] { gradcheck(f, {input({2})}); }).find("expected to be zero"), std::string::npos);
}

TEST(Gradcheck, RejectsWhatItCannotCheck) {
  const auto f = [](const variable_list& v) { return variable_list{v[0] * 2}; };
  EXPECT_THROW(gradcheck(f, {}), ValueError);
  EXPECT_THROW(gradcheck(f, {test::numbers(test::Kind::Any, 0, {2})}), ValueError);
  EXPECT_THROW(gradcheck(f, {test::numbers(test::Kind::Any, 0, {2}, kFloat).requires_grad_()}), TypeError);
  const Tensor expanded = test::numbers(test::Kind::Any, 0, {1}).expand({3}).requires_grad_();
  EXPECT_NE(message([&] { gradcheck(f, {expanded}); }).find("dimension with stride 0"), std::string::npos);
}

TEST(Gradgradcheck, FindsADerivativeThatIsCutOff) {
  const auto f = [](const variable_list& v) { return variable_list{CutCube::apply(v[0])}; };
  EXPECT_TRUE(gradcheck(f, {input({2})}));
  EXPECT_NE(
      message([&] { gradgradcheck(f, {input({2})}); }).find("Jacobian mismatch for output 0 with respect to input 0"),
      std::string::npos);
}

TEST(Gradgradcheck, TakesGradOutputs) {
  const auto f = [](const variable_list& v) { return variable_list{v[0].pow(3)}; };
  EXPECT_TRUE(gradgradcheck(f, {input({2})}, {input({2}, 7)}));
}

TEST(Samples, NumbersAreTheOnesOfTheGoldenData) {
  EXPECT_EQ(test::number(test::Kind::Any, 0, 0), 1.607603);
  EXPECT_EQ(test::number(test::Kind::Any, 0, 1), -0.512975);
  EXPECT_EQ(test::number(test::Kind::Any, 100, 0), -1.326046);
  for (int64_t k = 0; k < 1000; ++k) {
    const double t = test::number(test::Kind::Any, 3, k), p = test::number(test::Kind::Positive, 3, k),
                 u = test::number(test::Kind::Unit, 3, k);
    EXPECT_TRUE(t > -2 && t < 2 && std::abs(t - std::round(t)) > 0.09) << t;
    EXPECT_TRUE(p >= 0.2 && p <= 2.2) << p;
    EXPECT_TRUE(u >= -0.9 && u <= 0.9) << u;
  }
}

Value echo(const Value* args, size_t n) { return Value::List(args, args + n); }

TEST(Samples, AreReadLikePython) {
  const OpEntry op{"f(Tensor a, int b=3, *, str? c=None, int[] d=[1, 2], float e=0.5, Index[] f=[]) -> Tensor", "",
                   echo};
  const test::Sample s(&op, "t(2, 3), 7, e=-1e-3, c='x', f=[slice(1, None, 2), None, ..., True, c([[1, 2], [3, 4]])]");
  const std::vector<Value> a = s.arguments();
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(a[0].to_tensor().sizes(), IntArrayRef({2, 3}));
  EXPECT_EQ(a[0].to_tensor().scalar_type(), kDouble);
  EXPECT_EQ(a[1].to_int(), 7);
  EXPECT_EQ(a[2].to_string(), "x");
  EXPECT_EQ(a[3].to_ints(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(a[4].to_double(), -1e-3);
  const Value::List& f = a[5].to_list();
  ASSERT_EQ(f.size(), 5u);
  EXPECT_EQ(f[0].to_list()[2].to_int(), 2);
  EXPECT_TRUE(f[1].is_none());
  EXPECT_EQ(f[2].to_string(), "...");
  EXPECT_TRUE(f[3].to_bool());
  EXPECT_EQ(f[4].to_tensor().scalar_type(), kLong);
  EXPECT_EQ(test::tensors_in(a).size(), 2u);
}

TEST(Samples, BadTextIsAnError) {
  const OpEntry op{"f(Tensor a, int b=3) -> Tensor", "", echo};
  for (const char* text :
       {"t(2, 3), 1, 2", "t(2), c=1", "t(2", "q(2)", "t(2) 3", "b=1", "t(2), b=", "[1", "'x", "t(2), 1, b=1"})
    EXPECT_THROW(test::Sample(&op, text).arguments(), Error) << text;
}

}  // namespace
}  // namespace taut
