// taut::func: vmap and derivatives as functions of functions. The pieces of docs/transforms.md are among these.
#include "taut/func.h"

#include <gtest/gtest.h>

#include "taut/taut.h"

namespace {

using namespace taut;  // NOLINT
using func::grad;
using func::hessian;
using func::jacfwd;
using func::jacrev;
using func::vmap;

bool close(const Tensor& a, const Tensor& b) { return a.sizes() == b.sizes() && a.allclose(b, 1e-5, 1e-6); }
Tensor f(const Tensor& x) { return (x.sin() * x * x).sum() + x.prod(); }

TEST(Vmap, CallsTheFunctionOnceOnItems) {
  const Tensor x = arange(6.0).view({3, 2});
  int calls = 0;
  const auto mapped = vmap([&](const Tensor& a) {
    ++calls;
    EXPECT_EQ(a.sizes(), IntArrayRef({2}));
    return a * 2;
  });
  EXPECT_TRUE(equal(mapped(x), x * 2));
  EXPECT_EQ(calls, 1);
}

TEST(Vmap, TakesSeveralTensorsAndGivesSeveralResults) {
  manual_seed(0);
  const Tensor x = randn({3, 4}), w = randn({4}), m = randn({4, 5, 3});
  const auto dots = vmap([](const Tensor& a, const Tensor& b) { return dot(a, b); }, {0, std::nullopt});
  EXPECT_TRUE(close(dots(x, w), x.mv(w)));
  const auto both =
      vmap([](const Tensor& a, const Tensor& b) { return std::tuple(a.sum(), b.matmul(a.narrow(0, 0, 3)).sum(), a); },
           {0, 2}, {0, 0, 1});
  const auto [total, sums, same] =
      both(x, m.permute({1, 2, 0}).contiguous().permute({1, 0, 2}).transpose(0, 1).contiguous().narrow(2, 0, 3));
  EXPECT_TRUE(close(total, x.sum(1)));
  EXPECT_TRUE(equal(same, x.t()));
  EXPECT_EQ(sums.sizes(), IntArrayRef({3}));
  const std::vector<Tensor> list{x, x * 2};
  EXPECT_TRUE(close(vmap([](const std::vector<Tensor>& l) { return l[0] + l[1]; })(list), x * 3));
}

TEST(Hessian, IsTheSameByRowsAndByColumns) {
  const auto one = [](const Tensor& a, const Tensor& b) { return a.prod() * b.exp().sum(); };
  const auto several = [](const Tensor& a, const Tensor& b) { return outer(a, b).sin(); };  // more rows than columns
  const Tensor a = tensor({0.5, -1.0, 2.0}), b = tensor({0.3, 0.7});
  EXPECT_TRUE(close(hessian(one)(a, b), jacfwd(jacrev(one))(a, b)));
  EXPECT_TRUE(close(hessian(several)(a, b), jacrev(jacrev(several))(a, b)));
  const auto both = hessian<0, 1>(one)(a, b), want = jacfwd<0, 1>(jacrev<0, 1>(one))(a, b);
  EXPECT_TRUE(close(std::get<1>(std::get<0>(both)), std::get<1>(std::get<0>(want))));
}

TEST(Vmap, NestsWithItselfAndWithDerivatives) {
  manual_seed(0);
  const Tensor x = randn({5, 3}, kDouble);
  const auto rows = [&](auto g) {
    std::vector<Tensor> all;
    for (int64_t i = 0; i < x.size(0); ++i) all.push_back(g(x[i]));
    return stack(all);
  };
  const auto number = [](const Tensor& a) { return f(a); };
  EXPECT_TRUE(close(vmap(vmap([](const Tensor& a) { return a.sin(); }))(x), x.sin()));
  EXPECT_TRUE(close(vmap(grad(number))(x), rows(grad(number))));
  EXPECT_TRUE(close(vmap(hessian(number))(x), rows(hessian(number))));
  EXPECT_TRUE(close(grad([&](const Tensor& a) { return vmap(number)(a).sum(); })(x), rows(grad(number))));
  EXPECT_TRUE(close(vmap([&](const Tensor& a) { return func::jvp(number, a, a).second; })(x),
                    rows([&](const Tensor& a) { return func::jvp(number, a, a).second; })));
  EXPECT_TRUE(close(jacfwd(jacrev(number))(x[0]), jacrev(jacfwd(number))(x[0])));
}

TEST(Vmap, OptionsAndRefusals) {
  const Tensor x = ones({4, 2});
  int calls = 0;
  const auto counted = vmap([&](const Tensor& a) { return ++calls, a.sum(); }, 0, 0, {.chunk_size = 3});
  EXPECT_TRUE(equal(counted(x), x.sum(1)));
  EXPECT_EQ(calls, 2);
  const auto drawn = [](const Tensor& a) { return a + rand({2}); };
  EXPECT_THROW(vmap(drawn)(x), Error);
  const Tensor same = vmap(drawn, 0, 0, {func::Randomness::Same})(x);
  EXPECT_TRUE(equal(same[0], same[1]));
  const Tensor different = vmap(drawn, 0, 0, {func::Randomness::Different})(x);
  EXPECT_FALSE(equal(different[0], different[1]));
  EXPECT_THROW(vmap([](const Tensor& a) { return a.sum().item<double>() > 0 ? a : -a; })(x), Error);
  EXPECT_THROW(vmap([](const Tensor& a) { return zeros({2}).add_(a); })(x), Error);
  EXPECT_THROW(vmap([](const Tensor& a) { return a; }, 0, std::nullopt)(x), ValueError);
}

TEST(Func, GradOfSeveralArguments) {
  const Tensor a = tensor({1.0, 2.0}), b = tensor({3.0, 4.0});
  const auto product = [](const Tensor& x, const Tensor& y) { return (x * y).sum(); };
  EXPECT_TRUE(equal(grad(product)(a, b), b));
  EXPECT_TRUE(equal(grad<1>(product)(a, b), a));
  const auto [ga, gb] = grad<0, 1>(product)(a, b);
  EXPECT_TRUE(equal(ga, b) && equal(gb, a));
  const auto [g, value] = func::grad_and_value(product)(a, b);
  EXPECT_DOUBLE_EQ(value.item<double>(), 11);
  EXPECT_TRUE(equal(g, b));
}

TEST(Func, JacobiansAndProducts) {
  manual_seed(0);
  const Tensor x = randn({3}, kDouble);
  const auto g = [](const Tensor& a) { return stack({a.sin().sum(), a.prod()}); };
  const Tensor want = stack({x.cos(), x.prod() / x});
  EXPECT_TRUE(close(jacrev(g)(x), want));
  EXPECT_TRUE(close(jacrev(g, 1)(x), want));
  EXPECT_TRUE(close(jacfwd(g)(x), want));
  const auto [value, back] = func::vjp(g, x);
  const Tensor v = randn({2}, kDouble);
  EXPECT_TRUE(close(std::get<0>(std::tuple(back(v))), v.matmul(want)));
  const auto [same, forward] = func::linearize(g, x);
  EXPECT_TRUE(close(forward(x), want.mv(x)));
  const auto two = [](const Tensor& a) { return std::pair(a * 2, a.sum()); };
  const auto [first, second] = jacrev(two)(x);
  EXPECT_TRUE(close(first, eye(3, kDouble) * 2) && close(second, ones({3}, kDouble)));
}

TEST(Func, ModulesAsFunctionsOfTheirParameters) {
  manual_seed(0);
  nn::Sequential net(nn::Linear(4, 8), nn::Tanh(), nn::Linear(8, 3));
  const Tensor x = randn({6, 4}), y = randint(0, 3, {6});
  func::State other;
  for (const auto& item : net->named_parameters()) other.insert(item.key(), item.value().detach() * 2);
  const Tensor before = net->forward(x), with = func::functional_call(net, other, x);
  EXPECT_FALSE(with.allclose(before));
  EXPECT_TRUE(equal(net->forward(x), before));
  for (const Tensor& p : net->parameters()) EXPECT_TRUE(p.is_leaf() && p.requires_grad());

  // A gradient for each sample.
  const auto loss = [&](const func::State& p, const Tensor& sample, const Tensor& target) {
    return nn::functional::cross_entropy(func::functional_call(net, p, sample.unsqueeze(0)), target.unsqueeze(0));
  };
  const func::State grads = vmap(grad(loss), {std::nullopt, 0, 0})(other, x, y);
  for (int64_t i = 0; i < 6; ++i) {
    const func::State one = grad(loss)(other, x[i], y[i]);
    for (const auto& item : one) EXPECT_TRUE(close(grads[item.key()][i], item.value())) << item.key();
  }
}

TEST(Func, GradientsOfEachSample) {
  manual_seed(0);
  nn::Linear net(4, 3);
  const Tensor x = randn({6, 4}), y = randint(0, 3, {6});
  const auto loss = [](const Tensor& out, const Tensor& target) { return nn::functional::cross_entropy(out, target); };
  const func::State grads = nn::per_sample_grad(net, loss)(x, y);
  EXPECT_EQ(grads["weight"].sizes(), IntArrayRef({6, 3, 4}));
  loss(net(x), y).backward();
  EXPECT_TRUE(close(grads["weight"].mean(0), net->weight.grad()));
  EXPECT_TRUE(close(grads["bias"].mean(0), net->bias.grad()));
}

TEST(Func, AnEnsembleOfModules) {
  manual_seed(0);
  std::vector<std::shared_ptr<nn::Module>> models;
  std::vector<nn::Sequential> nets;
  for (int i = 0; i < 3; ++i) {
    nets.emplace_back(nn::Linear(4, 8), nn::ReLU(), nn::Linear(8, 2));
    models.push_back(nets.back().ptr());
  }
  const auto [parameters, buffers] = func::stack_module_state(models);
  const Tensor x = randn({5, 4});
  const Tensor all = vmap([&](const func::State& p, const Tensor& a) { return func::functional_call(nets[0], p, a); },
                          {0, std::nullopt})(parameters, x);
  for (int64_t i = 0; i < 3; ++i) EXPECT_TRUE(close(all[i], nets[static_cast<size_t>(i)]->forward(x)));
}

TEST(Func, GradientsThroughLentParametersReachTheLender) {
  nn::Linear net(2, 1);
  const Tensor w = tensor({{1.0, 2.0}}).to(kFloat).requires_grad_();
  func::functional_call(net, func::State{{"weight", w}}, ones({1, 2})).sum().backward();
  EXPECT_TRUE(equal(w.grad(), ones({1, 2})));
  EXPECT_FALSE(net->weight.grad().defined());
}

TEST(Func, DerivativesAreOfNumbersThatVaryAndJacobiansOfRealOnes) {
  const auto twice = [](const Tensor& x) { return x * 2; };
  const Tensor whole = arange(3), complex = ones({2}, kComplexFloat), x = ones({2});
  EXPECT_THROW(grad([](const Tensor& a) { return a.sum(); })(whole), Error);
  EXPECT_THROW(jacrev(twice)(whole), Error);
  EXPECT_THROW(jacfwd(twice)(whole), Error);
  EXPECT_THROW(jacrev(twice)(complex), Error);
  EXPECT_THROW(jacfwd(twice)(complex), Error);
  EXPECT_THROW(jacrev([](const Tensor& a) { return a.to(kComplexFloat); })(x), Error);
  EXPECT_TRUE(equal(grad([](const Tensor& a) { return a.abs().sum(); })(complex), complex));
}

}  // namespace
