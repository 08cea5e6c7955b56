// Autograd where programs rarely look: what an op may read, values overwritten before backward, slopes exactly at
// kinks, gradients of nan.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ops/op.h"
#include "taut/out.h"
#include "taut/taut.h"

namespace taut {
namespace {

Tensor leaf(std::initializer_list<double> values) {
  return tensor(std::vector<double>(values), kDouble).requires_grad_();
}
std::vector<double> list(const Tensor& t) {
  const Tensor d = t.detach().to(kDouble).contiguous();
  return {d.data_ptr<double>(), d.data_ptr<double>() + d.numel()};
}
std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

struct Forgetful {
  static constexpr const char* name = "forgetful";
  static constexpr const char* node = "ForgetfulBackward0";
  static constexpr unsigned reads[] = {kInput(1), 0};  // and not kInput(0) for the gradient of input 1
  Tensor forward(const Tensor& a, const Tensor& b) const { return a * b; }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return g * s.input(1 - i); }
};

TEST(Saved, NothingIsLostWhereAnEmptyValueIsOverwritten) {
  const Tensor x = zeros({0, 2}).requires_grad_();
  const Tensor y = x.exp();
  y.detach().add_(1);
  y.sum().backward();
  EXPECT_EQ(x.grad().sizes(), IntArrayRef({0, 2}));
}

/// The gradient of a sum has all strides 0, and so may its leaf.
TEST(Leaves, AGradientHasMemoryOfItsOwnForEveryElement) {
  const Tensor wide = ones({1}).expand({3}).detach().requires_grad_(), plain = ones({3}).requires_grad_();
  wide.sum().backward(), plain.sum().backward();
  for (const Tensor& x : {wide, plain}) {
    EXPECT_EQ(x.grad().stride(0), 1);
    x.grad()[0].fill_(5);
    EXPECT_EQ(list(x.grad()), (std::vector<double>{5, 1, 1}));
  }
}

TEST(Backward, ComplexResultsNeedTheirGradient) {
  const Tensor z = tensor(2.0).to(kComplexFloat).requires_grad_();
  EXPECT_EQ(message([&] { (z * 2).backward(); }).find("grad can be implicitly created only for real scalar outputs"),
            0u);
  (z * 2).backward(ones({}).to(kComplexFloat));
  EXPECT_TRUE(z.grad().defined());
}

TEST(Reads, WhatAnOpDoesNotDeclareItMayNotReadEvenIfItWasSaved) {
  const Tensor a = leaf({2}), b = leaf({3});
  EXPECT_EQ(list(autograd::grad({apply(Forgetful{}, a, b)}, {a})[0]), std::vector<double>{3});
  const std::string text = message([&] { apply(Forgetful{}, a, b).backward(); });
  EXPECT_NE(text.find("forgetful"), text.npos) << text;
  EXPECT_NE(text.find("kInput(0)"), text.npos) << text;
  EXPECT_EQ(text.find("second time"), text.npos) << text;
}

TEST(Norms, TrainTheirWeightsWhenTheInputIsData) {
  nn::LayerNorm layer(nn::LayerNormOptions({4}));
  layer->forward(randn({2, 4})).sum().backward();
  EXPECT_EQ(list(layer->bias.grad()), (std::vector<double>{2, 2, 2, 2}));
  nn::BatchNorm1d batch(4);
  batch->forward(randn({2, 4})).sum().backward();
  EXPECT_TRUE(batch->weight.grad().defined());
  nn::GroupNorm group(nn::GroupNormOptions(2, 4));
  group->forward(randn({2, 4})).sum().backward();
  EXPECT_TRUE(group->weight.grad().defined());
}

// ---- Values overwritten before backward.

TEST(KeptValues, SurviveAWriteToTheTensorOrToAViewOfIt) {
  const Tensor x = leaf({1, 2, 3}), t = tensor({3.0, 1.0, 2.0});
  for (int part = 0; part < 3; ++part) {
    const Tensor input = x * 1;
    const Tensor loss = l1_loss(input, t);
    NoGradGuard guard;
    if (part == 0) input.zero_();
    else if (part == 1) input.narrow(0, 1, 1).fill_(-9);
    else input.mul_(-1);
    const Tensor g = autograd::grad({loss}, {x})[0];
    for (size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(list(g)[i], i == 0 ? -1.0 / 3 : 1.0 / 3);
  }
}

TEST(KeptValues, SurviveEveryKindOfWrite) {
  const std::vector<std::function<void(const Tensor&)>> writes = {
      [](const Tensor& w) { w.fill_(-9); },
      [](const Tensor& w) { w.copy_(-w.detach()); },
      [](const Tensor& w) {
        w.index_put_({tensor({0, 1})}, tensor({-9.0, 9.0}, kDouble));
      },
      [](const Tensor& w) { w.index_fill_(0, tensor({0}), -9); },
      [](const Tensor& w) { w.masked_fill_(w > 0, -9); },
      [](const Tensor& w) {
        w.scatter_(0, tensor({0, 2}), -9);
      },
      [](const Tensor& w) { w.index_add_(0, tensor({0}), tensor({-9.0}, kDouble)); },
      [](const Tensor& w) { w.uniform_(-9, -8); },
      [](const Tensor& w) { w.resize_({2}).fill_(-9); },
      [](const Tensor& w) { write_out(w, full({3}, -9, kDouble)); },
      [](const Tensor& w) {
        Tensor p = w;
        p.mutable_grad() = full({3}, 100, kDouble);
        optim::SGD({p}, optim::SGDOptions(1)).step();
      },
      [](const Tensor& w) {
        Tensor p = w;
        p.mutable_grad() = full({3}, 100, kDouble);
        optim::Adam({p}, optim::AdamOptions(100)).step();
      },
  };
  for (size_t i = 0; i < writes.size(); ++i) {
    const Tensor x = leaf({1, 2, 3}), w = x.detach() + 1, loss = l1_loss(x, w, Reduction::Sum);
    {
      NoGradGuard guard;
      writes[i](w);
    }
    EXPECT_EQ(list(autograd::grad({loss}, {x})[0]), (std::vector<double>{-1, -1, -1})) << "write " << i;
  }
}

TEST(KeptValues, OfSeveralGraphsKeepTheirOwnValues) {
  const Tensor x = leaf({1, -1}), zero = zeros({2}, kDouble), memory = x.detach().clone();
  std::vector<Tensor> losses;
  for (int i = 0; i < 3; ++i) {
    losses.push_back(l1_loss(memory * 1 + x * 0 + x, zero, Reduction::Sum));
    losses.push_back(kl_div(x, memory, Reduction::Sum, true));  // reads exp(memory)
    memory.add_(1);
  }
  for (int i = 0; i < 3; ++i) {
    const Tensor g = autograd::grad({losses[static_cast<size_t>(2 * i + 1)]}, {x})[0];
    EXPECT_NEAR(list(g)[0], -std::exp(1.0 + i), 1e-12);
    EXPECT_NEAR(list(g)[1], -std::exp(-1.0 + i), 1e-12);
  }
}

TEST(KeptValues, AreFreedWithTheirGraph) {
  const Tensor x = leaf({1, 2}), t = zeros({2}, kDouble);
  {
    const Tensor loss = l1_loss(x, t);
    loss.backward();
    EXPECT_NE(message([&] { loss.backward(); }).find("second time"), std::string::npos);
  }
  l1_loss(x, t);  // never used
  NoGradGuard guard;
  x.add_(1), t.add_(1);
  EXPECT_EQ(list(x), (std::vector<double>{2, 3}));
}

TEST(KeptValues, AreTheExceptionOthersRaise) {
  const Tensor x = leaf({1, 2});
  const Tensor h = x * 1, y = h * h;
  NoGradGuard guard;
  h.zero_();
  EXPECT_NE(message([&] { y.sum().backward(); }).find("does not require grad"), std::string::npos);
  AutoGradMode on(true);
  EXPECT_NE(message([&] { autograd::grad({y}, {x}, {ones({2}, kDouble)}); }).find("inplace operation"),
            std::string::npos);
}

TEST(Division, ItsResultMayBeOverwritten) {
  const Tensor a = leaf({6, 8}), b = leaf({2, 4});
  Tensor y = a / b;
  y += 1;
  y.sum().backward();
  EXPECT_EQ(list(a.grad()), (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(list(b.grad()), (std::vector<double>{-1.5, -0.5}));
}

// ---- Writes in place.

TEST(InPlace, ComparisonsLeaveNoGradient) {
  const Tensor x = leaf({1, 2, 3});
  const auto gradient = [&](auto write) {
    Tensor y = x * 2;
    write(y);
    EXPECT_TRUE(y.requires_grad());
    return list(autograd::grad({y.sum()}, {x})[0]);
  };
  const std::vector<double> none(3, 0.0);
  EXPECT_EQ(gradient([](Tensor& y) { y.eq_(4); }), none);
  EXPECT_EQ(gradient([](Tensor& y) { y.lt_(zeros_like(y)); }), none);
  EXPECT_EQ(gradient([](Tensor& y) { y.heaviside_(ones_like(y)); }), none);
  EXPECT_EQ(gradient([](Tensor& y) { y.narrow(0, 0, 1).ge_(0); }), (std::vector<double>{0, 2, 2}));
}

TEST(InPlace, EveryKindOfWriteIsANewVersion) {
  const Tensor x = zeros({4}, kDouble), index = tensor({1, 2}), mask = tensor({true, false, true, false});
  uint32_t version = x._version();
  const auto wrote = [&](const char* what) {
    EXPECT_GT(x._version(), version) << what;
    version = x._version();
  };
  x.index_put_({index}, ones({2}, kDouble)), wrote("index_put_");
  x.index_put_({mask}, 2), wrote("index_put_ by a mask");
  x.index_put_({indexing::Slice(1, 3)}, 2), wrote("index_put_ of a slice");
  x.scatter_(0, index, 1.0), wrote("scatter_");
  x.index_add_(0, index, ones({2}, kDouble)), wrote("index_add_");
  x.index_fill_(0, index, 3.0), wrote("index_fill_");
  x.masked_fill_(mask, 3.0), wrote("masked_fill_");
  x.copy_(ones({4}, kDouble)), wrote("copy_");
  x.resize_({6}), wrote("resize_, larger");
  x.resize_({2}), wrote("resize_, smaller");
  x.resize_({2});
  EXPECT_EQ(x._version(), version) << "resize_ to the shape it has";
}

TEST(InPlace, AWriteByAnIndexIsSeenBySavedValues) {
  const Tensor x = leaf({1, 2, 3});
  const Tensor h = x * 1, y = (h * h).sum();
  h.index_put_({tensor({0})}, 5.0);
  EXPECT_NE(message([&] { y.backward(); }).find("index_put_"), std::string::npos);
}

// ---- Exactly at an edge.

TEST(Kinks, TheSlopeHasNoSlopeThere) {
  const auto second = [](const std::function<Tensor(const Tensor&)>& f, double at) {
    const Tensor x = leaf({at});
    const Tensor g = autograd::grad({f(x).sum()}, {x}, {}, std::nullopt, true)[0];
    return list(autograd::grad({g.sum()}, {x})[0])[0];
  };
  EXPECT_EQ(second([](const Tensor& x) { return elu(x); }, 0), 0);
  EXPECT_EQ(second([](const Tensor& x) { return elu(x, 2); }, -0.0), 0);
  EXPECT_EQ(second([](const Tensor& x) { return selu(x); }, 0), 0);
  EXPECT_EQ(second([](const Tensor& x) { return celu(x); }, 0), 0);
  EXPECT_NEAR(second([](const Tensor& x) { return elu(x); }, -1), std::exp(-1), 1e-15);
  const auto huber = [](const Tensor& x) { return huber_loss(x, zeros({1}, kDouble)); };
  EXPECT_EQ(second(huber, 1), 0);
  EXPECT_EQ(second(huber, -1), 0);
  EXPECT_EQ(second(huber, 0.5), 1);
}

TEST(Nan, AnExtremeSpreadsItAndMaxFindsIt) {
  const double nan = std::nan("");
  const Tensor x = leaf({1, nan, 2});
  for (const Tensor& y : {x.amin(), x.amax()})
    for (double g : list(autograd::grad({y}, {x})[0])) EXPECT_TRUE(std::isnan(g));
  EXPECT_EQ(list(autograd::grad({x.min()}, {x})[0]), (std::vector<double>{0, 1, 0}));
  const Tensor base = leaf({5, nan, -1}), src = leaf({2, 1, 1});
  const auto g = autograd::grad({base.scatter_reduce(0, tensor({0, 0, 2}), src, "amin").sum()}, {base, src});
  EXPECT_EQ(list(g[0])[0], 0);
  EXPECT_TRUE(std::isnan(list(g[0])[1]));
  EXPECT_EQ(list(g[0])[2], 1);
  EXPECT_EQ(list(g[1]), (std::vector<double>{0, 1, 0}));
}

TEST(GridSample, GradientsAtTheBorderAreTheSameWhenTheyAreRecorded) {
  const Tensor image = arange(16, kDouble).square().view({1, 1, 4, 4}).requires_grad_();
  const Tensor grid = leaf({-1, -1, 1, 1, 1.5, -2, 0, 1, -1. / 3, 1}).detach().view({1, 1, 5, 2}).requires_grad_();
  for (int64_t padding : {0, 1, 2})
    for (bool align : {true, false}) {
      const auto gradient = [&](bool create_graph) {
        return list(autograd::grad({grid_sampler(image, grid, 0, padding, align).sum()}, {grid}, {}, std::nullopt,
                                   create_graph)[0]);
      };
      const std::vector<double> a = gradient(false), b = gradient(true);
      for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9) << padding << align << i;
    }
}

TEST(AffineGrid, KeepsNothingAndMayGoBackTwice) {
  const Tensor theta = rand({1, 2, 3}, kDouble).requires_grad_();
  const Tensor y = affine_grid_generator(theta, {1, 1, 2, 2}, false).sum();
  y.backward();
  const std::vector<double> once = list(theta.grad());
  autograd::backward({affine_grid_generator(theta, {1, 1, 2, 2}, false).sum()}, {});
  for (size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(list(theta.grad())[i], 2 * once[i], 1e-12);
  const Tensor grid = affine_grid_generator(theta, {1, 1, 2, 2}, false), seed = ones(grid.sizes(), kDouble);
  EXPECT_EQ(list(autograd::grad({grid}, {theta}, {seed})[0]), list(autograd::grad({grid}, {theta}, {seed})[0]));
}

TEST(Embedding, RenormLeavesTangentsAsTheyAre) {
  autograd::forward_ad::DualLevel level;
  const Tensor w = tensor(std::vector<double>{3, 4, 0.1, 0.2}, kDouble).view({2, 2}).clone();
  const Tensor t = tensor(std::vector<double>{1, 0, 0, 1}, kDouble).view({2, 2});
  Tensor dual = autograd::forward_ad::make_dual(w, t);
  embedding_renorm_(dual, tensor({0, 1}), 1.0, 2.0);
  EXPECT_EQ(list(autograd::forward_ad::unpack_dual(dual).tangent), list(t));
}

TEST(Products, OfAVectorAreNoViews) {
  const Tensor v = rand({3}, kDouble).requires_grad_(), m = rand({3, 2}, kDouble), b = rand({2, 3, 2}, kDouble);
  for (const Tensor& y : {matmul(v, m), matmul(v, b), matmul(b.mT(), v), kron(v, v)}) {
    EXPECT_FALSE(y.is_view());
    y.detach_();
    EXPECT_FALSE(y.requires_grad());
  }
}

TEST(Unique, ValuesPassTheirGradientToTheirFirstPlace) {
  const Tensor x = leaf({3, 1, 3, 2});
  const auto [values, inverse, counts] = _unique2(x, true, true, true);
  ASSERT_TRUE(values.requires_grad());
  EXPECT_FALSE(inverse.requires_grad() || counts.requires_grad());
  (values * tensor({1.0, 10.0, 100.0}, kDouble)).sum().backward();
  EXPECT_EQ(list(x.grad()), (std::vector<double>{100, 1, 0, 10}));
  EXPECT_TRUE(std::get<0>(unique_consecutive(x)).requires_grad());
  EXPECT_TRUE(std::get<0>(unique_dim(x.view({2, 2}), 0)).requires_grad());
}

TEST(Grad, ZerosMadeForUnusedInputsCanBeDifferentiatedAgain) {
  const Tensor x = leaf({1, 2}), y = leaf({3});
  const auto first = autograd::grad({(x * x).sum()}, {x, y}, {}, std::nullopt, true, false, true);
  ASSERT_TRUE(first[1].requires_grad());
  const auto second = autograd::grad({first[1].sum()}, {x, y}, {}, std::nullopt, false, false, true);
  EXPECT_EQ(list(second[0]), (std::vector<double>{0, 0}));
  EXPECT_EQ(list(second[1]), (std::vector<double>{0}));
}

}  // namespace
}  // namespace taut
