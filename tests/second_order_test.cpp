// Second-order optimisers, implicit derivatives and differential equations, against SciPy (tools/golden_scipy.py). The
// problems are those of python/tests/test_second_order.py.
#include "taut/optim/second_order.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/paths.h"
#include "taut/func_solve.h"
#include "taut/taut.h"

namespace taut::test {
namespace {

Tensor doubles(const std::vector<double>& values) { return tensor(TensorData(values), kDouble); }

Tensor golden(const std::string& name) {
  std::ifstream file(golden_path("scipy.txt"));
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name + ":", 0) != 0) continue;
    std::istringstream numbers(line.substr(name.size() + 1));
    std::vector<double> values;
    for (double v; numbers >> v;) values.push_back(v);
    return doubles(values);
  }
  ADD_FAILURE() << name << " is not in tests/golden/scipy.txt";
  return {};
}
void expect_close(const Tensor& found, const std::string& name, double rtol = 1e-7, double atol = 1e-8) {
  const Tensor want = golden(name);
  EXPECT_TRUE(found.detach().reshape({-1}).allclose(want, rtol, atol)) << name << ": " << found << want;
}

Tensor curve(const Tensor& p, const Tensor& x) {
  return p[0] * (p[1].neg() * x).exp() * (p[2] * x + p[3]).sin() + p[4] * x + p[5];
}
struct Fit {
  Tensor x = linspace(0, 4, 200, TensorOptions(kDouble));
  Tensor y = curve(doubles({2, 0.7, 3, 0.3, 0.5, -0.2}), x) + (x * 37).cos() * 0.05;
};

TEST(LevenbergMarquardt, FindsTheFitAndNeverGoesUp) {
  const Fit fit;
  const Tensor p = doubles({1, 0.3, 2.5, 0, 0, 0}).requires_grad_();
  optim::LevenbergMarquardt optimizer([&] { return curve(p, fit.x) - fit.y; }, {p});
  double last = optimizer.step().item<double>();
  for (int i = 0; i < 11; ++i) {
    const double loss = optimizer.step().item<double>();
    EXPECT_LE(loss, last);
    last = loss;
  }
  expect_close(cat({p.detach(), doubles({last})}), "fit", 1e-6);
}
TEST(LevenbergMarquardt, GoesOnFromItsState) {
  const Fit fit;
  const Tensor p = doubles({1, 0.3, 2.5, 0, 0, 0}).requires_grad_(), q = p.detach().clone().requires_grad_();
  optim::LevenbergMarquardt one([&] { return curve(p, fit.x) - fit.y; }, {p});
  optim::LevenbergMarquardt other([&] { return curve(q, fit.x) - fit.y; }, {q});
  for (int i = 0; i < 3; ++i) one.step();
  other.load_state_dict(one.state_dict());
  {
    const NoGradGuard off;
    Tensor(q).copy_(p);
  }
  one.step(), other.step();
  EXPECT_TRUE(equal(p, q));
}
TEST(LevenbergMarquardt, SolvesForFewerResidualsThanParameters) {
  nn::Linear net(3, 2);
  net->to(kDouble);
  const Tensor x = doubles({1, 2, 3}), y = doubles({5, -1});
  optim::LevenbergMarquardt optimizer([&] { return net->forward(x) - y; }, net->parameters());
  for (int i = 0; i < 6; ++i) optimizer.step();
  EXPECT_TRUE(net->forward(x).allclose(y));
}
TEST(GaussNewton, FindsTheFitFromNear) {
  const Fit fit;
  const Tensor p = doubles({1.9, 0.6, 2.9, 0.2, 0.4, 0}).requires_grad_();
  optim::GaussNewton optimizer([&] { return curve(p, fit.x) - fit.y; }, {p});
  Tensor loss;
  for (int i = 0; i < 9; ++i) loss = optimizer.step();
  expect_close(cat({p.detach(), loss.reshape({1})}), "fit", 1e-6);
  EXPECT_THROW(optimizer.step([] { return Tensor(); }), TypeError);
  EXPECT_THROW(optim::GaussNewton([&] { return p; }, {p}, -1), ValueError);
  EXPECT_THROW(optim::GaussNewton([&] { return p.detach(); }, {p}).step(), Error);
}
TEST(NewtonCG, FindsTheMinimum) {
  const Tensor x = linspace(0.2, 0.8, 6, TensorOptions(kDouble)).requires_grad_();
  const auto loss = [&] {
    const Tensor a = x.narrow(0, 0, 5), b = x.narrow(0, 1, 5);
    return ((b - a.square()).square() * 100 + (1 - a).square()).sum() + x.cosh().sum() * 0.1;
  };
  optim::NewtonCG optimizer(loss, {x});
  for (int i = 0; i < 30; ++i) optimizer.step();
  expect_close(cat({x.detach(), loss().detach().reshape({1})}), "minimum", 1e-5);
}
TEST(NewtonCG, GoesDownWhereTheCurvatureIsNegative) {
  const Tensor x = doubles({0.1, -0.2}).requires_grad_();
  optim::NewtonCG optimizer([&] { return (x.pow(4) - x.square()).sum(); }, {x});
  for (int i = 0; i < 20; ++i) optimizer.step();
  EXPECT_TRUE(x.detach().allclose(doubles({std::sqrt(0.5), -std::sqrt(0.5)})));
}

/// All derivatives of f at p, a row for each number in p.
Tensor derivatives(const std::function<Tensor(const Tensor&)>& f, const Tensor& p) {
  const Tensor leaf = p.detach().requires_grad_(), y = f(leaf).reshape({-1});
  std::vector<Tensor> columns;
  for (int64_t i = 0; i < y.numel(); ++i) columns.push_back(autograd::grad({y[i]}, {leaf}, {}, true)[0]);
  return stack(columns, 1);
}
void expect_solution(const std::string& name, const std::function<Tensor(const Tensor&)>& f, const Tensor& p) {
  expect_close(f(p), name);
  expect_close(derivatives(f, p), name + ", derivatives");
  const auto listed = [&](const std::vector<Tensor>& in) { return std::vector<Tensor>{f(in[0])}; };
  EXPECT_TRUE(autograd::gradcheck(listed, {p.detach().requires_grad_()}));
  EXPECT_TRUE(autograd::gradgradcheck(listed, {p.detach().requires_grad_()}));
}
TEST(FixedPoint, HasTheDerivativesOfTheSolution) {
  const Tensor weights = doubles({0.4, -0.3, 0.1, 0.2, 0.5, -0.4, -0.1, 0.3, 0.2}).view({3, 3});
  const auto f = [&](const Tensor& x, const std::vector<Tensor>& p) {
    return (weights.mv(x) * p[0][0] + p[0].narrow(0, 1, 3)).tanh();
  };
  const auto solution = [&](const Tensor& p) { return func::fixed_point(f, zeros({3}, kDouble), {p}); };
  expect_solution("fixed point", solution, doubles({1.2, 0.3, -0.5, 0.1}));
  const auto away = [](const Tensor& x, const std::vector<Tensor>& p) { return x + p[0]; };
  EXPECT_THROW(func::fixed_point(away, zeros({2}), {ones({2})}), Error);
}
TEST(Root, HasTheDerivativesOfTheSolution) {
  const auto f = [](const Tensor& x, const std::vector<Tensor>& p) {
    return stack({x[0].square() + x[1] - p[0][0], x[0] + x[1].pow(3) - p[0][1]});
  };
  expect_solution(
      "root", [&](const Tensor& p) { return func::root(f, ones({2}, kDouble), {p}); }, doubles({2, 3}));
  const auto none = [](const Tensor& x, const std::vector<Tensor>& p) { return x * x + p[0]; };
  EXPECT_THROW(func::root(none, full({1}, 0.7), {ones({1})}), Error);
}

Tensor hunt(const Tensor& y, const Tensor& p) {
  const Tensor a = y.select(-1, 0), b = y.select(-1, 1);
  return stack({a * (p[0] - p[1] * b), b * (p[2] * a - p[3])}, -1);
}
TEST(Odeint, GivesSolutionsAndDerivatives) {
  const func::OdeOptions exact{1e-9, 1e-10};
  const auto hunted = [&](const Tensor& p) {
    return func::odeint([&](double, const Tensor& y) { return hunt(y, p); }, p.narrow(0, 4, 2), {0, 0.5, 1.25, 2, 4},
                        exact);
  };
  const auto swung = [&](const Tensor& p) {
    const auto slope = [&](double t, const Tensor& y) {
      return stack({y[1], p[2] * std::cos(2 * t) - p[0] * y[0].sin() - p[1] * y[1]});
    };
    return func::odeint(slope, doubles({0.5, -0.2}), {3, 1.5, 0}, exact);
  };
  const Tensor p = doubles({1.5, 1, 1, 3, 1, 1}), q = doubles({4, 0.3, 0.8});
  expect_close(hunted(p), "lotka volterra", 1e-6, 1e-7);
  expect_close(derivatives(hunted, p), "lotka volterra, derivatives", 1e-5, 1e-6);
  expect_close(swung(q), "pendulum", 1e-6, 1e-7);
  expect_close(derivatives(swung, q), "pendulum, derivatives", 1e-5, 1e-6);
}
TEST(Odeint, TheAdjointEquationGivesTheSameDerivatives) {
  const func::OdeOptions exact{1e-9, 1e-10};
  const auto hunted = [&](const Tensor& p) {
    const auto slope = [](double, const Tensor& y, const std::vector<Tensor>& in) { return hunt(y, in[0]); };
    return func::odeint_adjoint(slope, p.narrow(0, 4, 2), {0, 0.5, 1.25, 2, 4}, {p.narrow(0, 0, 4)}, exact);
  };
  const Tensor p = doubles({1.5, 1, 1, 3, 1, 1});
  expect_close(hunted(p), "lotka volterra", 1e-6, 1e-7);
  expect_close(derivatives(hunted, p), "lotka volterra, derivatives", 1e-5, 1e-6);
  const Tensor leaf = p.detach().requires_grad_();
  EXPECT_THROW(autograd::grad({hunted(leaf).sum()}, {leaf}, {}, std::nullopt, /*create_graph=*/true), Error);
}
TEST(Odeint, ProblemsOfABatchAreEachAsExactAsAlone) {
  const Tensor start = doubles({1, 1, 3, 0.2, 0.1, 4}).view({3, 2}), p = doubles({1.5, 1, 1, 3});
  const auto slope = [&](double, const Tensor& y) { return hunt(y, p); };
  const Tensor all = func::odeint(slope, start, {0, 1, 3}, {1e-8, 1e-10});
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_TRUE(all.select(1, i).allclose(func::odeint(slope, start[i], {0, 1, 3}, {1e-10, 1e-12}), 1e-6, 1e-7));
}
TEST(Odeint, RefusesWhatCannotBeSolved) {
  const auto fall = [](double, const Tensor& y) { return y.neg(); };
  EXPECT_THROW(func::odeint(fall, ones({1}), {0, 0}), ValueError);
  EXPECT_THROW(func::odeint(fall, ones({1}), {0, 100}, {1e-6, 1e-8, 3}), Error);
  EXPECT_THROW(func::odeint([](double, const Tensor& y) { return y * y; }, ones({1}, kDouble), {0, 2}), Error);
}

std::string printed(const Tensor& t) { return (std::ostringstream() << t).str(); }
TEST(TransformsPage, PrintsWhatItSays) {
  {
    const Tensor t = linspace(0, 4, 50, dtype(kDouble)), truth = tensor({2.0, 0.5, 5.0, 0.3}, kDouble);
    const auto curve = [&](const Tensor& p) { return p[0] * (-p[1] * t).exp() * (p[2] * t + p[3]).cos(); };
    const Tensor p = tensor({1.5, 0.3, 4.6, 0.0}, kDouble).requires_grad_();
    optim::LevenbergMarquardt optimizer([&] { return curve(p) - curve(truth); }, {p});
    for (int i = 0; i < 8; ++i) optimizer.step();
    EXPECT_EQ(printed(p.detach()), "tensor([2.0000, 0.5000, 5.0000, 0.3000], dtype=torch.float64)");
  }
  {
    const Tensor a = tensor({2.0}, kDouble).requires_grad_();
    const auto mean = [](const Tensor& x, const std::vector<Tensor>& p) { return (x + p[0] / x) / 2; };
    const Tensor x = func::fixed_point(mean, ones({1}, kDouble), {a});
    EXPECT_EQ(printed(autograd::grad({x.sum()}, {a})[0]), "tensor([0.3536], dtype=torch.float64)");
  }
  {
    const Tensor rate = tensor(0.5, kDouble).requires_grad_();
    const auto slope = [&](double, const Tensor& y) { return -rate * y; };
    const Tensor y = func::odeint(slope, ones({1}, kDouble), {0, 1, 2});
    EXPECT_EQ(printed(autograd::grad({y[2].sum()}, {rate})[0]), "tensor(-0.7358, dtype=torch.float64)");
  }
}

}  // namespace
}  // namespace taut::test
