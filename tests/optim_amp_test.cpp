// GradScaler: PyTorch's numbers, which it keeps in float32, its order of calls, and its messages.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "autograd_support.h"
#include "taut/core/assertion_error.h"
#include "taut/taut.h"

using namespace taut;
using amp::GradScaler;
using amp::GradScalerOptions;
using taut::testing::message_of;
using taut::testing::Values;
using taut::testing::values;

namespace {

struct Training {
  explicit Training(ScalarType dtype = kFloat) : p(ones({2}, TensorOptions().dtype(dtype).requires_grad(true))) {}
  /// One step on a loss whose gradient is `g`.
  void step(GradScaler& scaler, const Values& g) {
    sgd.zero_grad();
    scaler.scale((p * tensor(TensorData(g), p.scalar_type())).sum()).backward();
    scaler.step(sgd);
    scaler.update();
  }
  Tensor p;
  optim::SGD sgd{{p}, optim::SGDOptions(1.0)};
};

}  // namespace

// The numbers are PyTorch's.
TEST(GradScaler, KeepsTheScaleInFloat32) {
  for (const auto& [dtype, want] : {std::pair(kFloat, Values{0x1.99999cp-4, 0x1.666666p-1}),
                                    std::pair(kDouble, Values{0x1.99999a6666667p-4, 0x1.6666671999999p-1})}) {
    GradScaler scaler(GradScalerOptions().init_scale(3).growth_factor(1.1).growth_interval(1));
    Training t(dtype);
    const Tensor loss = scaler.scale((t.p * tensor({0.1, 0.7}, dtype)).sum());
    EXPECT_EQ(loss.scalar_type(), dtype);
    loss.backward();
    scaler.unscale_(t.sgd);
    EXPECT_EQ(values(t.p.grad()), want) << dtype;
    scaler.step(t.sgd);
    scaler.update();
    EXPECT_EQ(scaler.get_scale(), 0x1.a66666p+1);
    for (const double scale : {0x1.d0a3d6p+1, 0x1.ff1a9ep+1, 0x1.191b70p+2}) {
      t.step(scaler, {0.3, 0.3});
      EXPECT_EQ(scaler.get_scale(), scale);
    }
  }
}

TEST(GradScaler, SkipsStepsThatAreNotFiniteAndGrowsAfterManyThatAre) {
  GradScaler scaler(GradScalerOptions().growth_interval(2));
  Training t;
  t.step(scaler, {0.25, 0.5});
  EXPECT_EQ(values(t.p), (Values{0.75, 0.5}));
  EXPECT_EQ(scaler.get_scale(), 65536);
  EXPECT_EQ(scaler.get_growth_tracker(), 1);
  t.step(scaler, {0, 0});
  EXPECT_EQ(scaler.get_scale(), 131072);
  t.step(scaler, {0, 0});
  t.step(scaler, {1, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(values(t.p), (Values{0.75, 0.5}));
  EXPECT_EQ(scaler.get_scale(), 65536);
  EXPECT_EQ(scaler.get_growth_tracker(), 0);
}

TEST(GradScaler, NeverGrowsBeyondFloat32) {
  GradScaler scaler(GradScalerOptions().init_scale(1e38).growth_factor(1e3).growth_interval(1));
  Training t;
  t.step(scaler, {0, 0});
  EXPECT_EQ(scaler.get_scale(), static_cast<double>(1e38f));
}

TEST(GradScaler, SaysWhatIsCalledOutOfOrder) {
  Training t;
  GradScaler scaler;
  for (const char* method : {"unscale_", "step", "update"})
    EXPECT_EQ(message_of<AssertionError>([&] {
                if (method[1] == 'n') scaler.unscale_(t.sgd);
                else if (method[0] == 's') scaler.step(t.sgd);
                else scaler.update();
              }),
              str("Attempted ", method,
                  " but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) "
                  "earlier in the iteration."));
  const Tensor loss = scaler.scale(t.p.sum());
  EXPECT_EQ(message_of<AssertionError>([&] { scaler.update(); }), "No inf checks were recorded prior to update.");
  EXPECT_EQ(message_of<AssertionError>([&] { scaler.step(t.sgd); }), "No inf checks were recorded for this optimizer.");
  scaler.update(8);
  EXPECT_EQ(scaler.get_scale(), 8);
  loss.backward();
  scaler.unscale_(t.sgd);
  EXPECT_EQ(message_of([&] { scaler.unscale_(t.sgd); }),
            "unscale_() has already been called on this optimizer since the last update().");
  scaler.step(t.sgd);
  EXPECT_EQ(message_of([&] { scaler.step(t.sgd); }), "step() has already been called since the last update().");
  EXPECT_EQ(message_of([&] { scaler.unscale_(t.sgd); }), "unscale_() is being called after step().");
  scaler.update();

  Training half(kHalf);
  scaler.scale(half.p.sum()).backward();
  EXPECT_EQ(message_of<ValueError>([&] { scaler.unscale_(half.sgd); }), "Attempting to unscale FP16 gradients.");
  EXPECT_THROW(GradScaler(GradScalerOptions().growth_factor(1)), AssertionError);
  EXPECT_THROW(GradScaler(GradScalerOptions().backoff_factor(1)), AssertionError);
}

TEST(GradScaler, SwitchedOffPassesEverythingThrough) {
  GradScaler scaler(GradScalerOptions().enabled(false));
  Training t;
  t.step(scaler, {0.5, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(values(t.p), (Values{0.5, -std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(scaler.get_scale(), 1);
  EXPECT_TRUE(scaler.state_dict().empty());
  GradScaler on;
  EXPECT_THROW(on.load_state_dict(scaler.state_dict()), Error);
}

TEST(GradScaler, GoesOnFromItsStateDict) {
  GradScaler a(GradScalerOptions().growth_interval(3)), b;
  Training t;
  t.step(a, {0, 0});
  t.step(a, {0, std::nan("")});
  t.step(a, {0, 0});
  b.load_state_dict(a.state_dict());
  EXPECT_EQ(b.get_scale(), 32768);
  EXPECT_EQ(b.get_growth_interval(), 3);
  for (GradScaler* s : {&a, &b}) t.step(*s, {0, 0}), t.step(*s, {0, 0});
  EXPECT_EQ(a.get_scale(), 65536);
  EXPECT_EQ(b.get_scale(), 65536);
}

TEST(Autocast, CastsWhatProductsAndLossesGetAndNothingOutsideOfItsScope) {
  const Tensor x = ones({2, 3}), w = full({3, 4}, 1.00390625, requires_grad());  // not a bfloat16
  {
    const amp::autocast scope(kCPU, kBFloat16);
    EXPECT_TRUE(amp::is_autocast_enabled());
    const Tensor y = matmul(x, w);
    EXPECT_EQ(y.scalar_type(), kBFloat16);
    EXPECT_EQ(y[0][0].item<double>(), 3);
    EXPECT_EQ((y + x.sum()).scalar_type(), kBFloat16);
    EXPECT_EQ(mse_loss(y, zeros_like(y)).scalar_type(), kFloat);
    EXPECT_EQ(matmul(x.to(kDouble), w.to(kDouble)).scalar_type(), kDouble);
    EXPECT_EQ(nn::functional::conv1d(ones({1, 2, 5}), ones({3, 2, 2})).scalar_type(), kBFloat16);
    {
      const amp::autocast off(kCPU, kBFloat16, false);
      EXPECT_EQ(matmul(x, w).scalar_type(), kFloat);
      const amp::autocast half(kCPU, kHalf);
      EXPECT_EQ(matmul(x, w).scalar_type(), kHalf);
    }
    EXPECT_EQ(amp::get_autocast_dtype(), kBFloat16);
    y.sum().backward();
  }
  EXPECT_FALSE(amp::is_autocast_enabled());
  EXPECT_EQ(matmul(x, w).scalar_type(), kFloat);
  EXPECT_EQ(w.grad().scalar_type(), kFloat);
  EXPECT_EQ(w.grad().sum().item<double>(), 24);
}
TEST(Autocast, CastsAParameterOncePerScopeAndForgetsIt) {
  const Tensor x = ones({2, 3});
  const Tensor w = ones({3, 4}, requires_grad());
  const auto cast_of = [](const Tensor& y) { return y.grad_fn()->next_edge(1).function.get(); };
  const amp::autocast scope;
  const Tensor a = matmul(x, w), b = matmul(x, w);
  EXPECT_EQ(cast_of(a), cast_of(b));
  amp::clear_autocast_cache();
  EXPECT_NE(cast_of(a), cast_of(matmul(x, w)));
}
TEST(Autocast, IsSwitchedOffForADtypeThatIsNotShort) {
  const amp::autocast scope(kCPU, kDouble);
  EXPECT_FALSE(amp::is_autocast_enabled());
  EXPECT_EQ(matmul(ones({2, 2}), ones({2, 2})).scalar_type(), kFloat);
}
TEST(Autocast, HoldsInTheSecondRunOfACheckpoint) {
  const Tensor w = ones({3, 3}, requires_grad());
  std::vector<ScalarType> seen;
  Tensor y;
  {
    const amp::autocast scope;
    y = utils::checkpoint(
        [&](const Tensor& x) {
          const Tensor product = matmul(x, w);
          seen.push_back(product.scalar_type());
          return product.relu();
        },
        ones({2, 3}, requires_grad()));
  }
  y.to(kFloat).sum().backward();
  EXPECT_EQ(seen, (std::vector{kBFloat16, kBFloat16}));
}
