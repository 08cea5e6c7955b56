// Numbers that a dtype cannot hold, attributes of 64 bits, half-precision sums: the values PyTorch gives.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "taut/taut.h"

namespace taut {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
Tensor bytes(int v) { return tensor({v}, kByte); }
Tensor half(double v) { return tensor({v}, kHalf); }
double only(const Tensor& t) { return t.item<double>(); }

TEST(Numbers, AnIntegerOutsideTheDtypeDividesAsItIs) {
  EXPECT_EQ(only(bytes(200) / 256), 0.78125);
  EXPECT_EQ(only(bytes(200) / -1), -200);
  EXPECT_EQ(only(tensor({100}, kChar) / 200), 0.5);
  EXPECT_EQ(only(256 / bytes(200)), only(tensor(1.28f)));
  EXPECT_EQ(only(div(bytes(200), tensor(300, kShort))), only(tensor(200.f / 300)));
  EXPECT_EQ(only(copysign(bytes(200), -1)), -200);
  EXPECT_NEAR(only(xlogy(bytes(200), 300)), 200 * std::log(300), 1e-3);
}
TEST(Numbers, ExtremesOfADtypeAreFoundAmongTheirLike) {
  const auto check = [](ScalarType dtype, const Scalar& low, const Scalar& high) {
    for (const int64_t n : {1, 3, 16, 64, 100, 5000}) {
      const Tensor lows = full({n}, low, dtype), highs = full({n}, high, dtype);
      EXPECT_TRUE(lows.max().equal(full({}, low, dtype)) && lows.amax(0).equal(full({}, low, dtype))) << dtype << n;
      EXPECT_TRUE(highs.min().equal(full({}, high, dtype)) && highs.amin(0).equal(full({}, high, dtype))) << dtype << n;
      const Tensor columns = lows.unsqueeze(1).expand({n, 3}), rows = highs.unsqueeze(1).expand({n, 3});
      EXPECT_TRUE(columns.amax(0).equal(full({3}, low, dtype)) && rows.amin(0).equal(full({3}, high, dtype)))
          << dtype << n;
      EXPECT_TRUE(columns.amax(1).equal(lows) && rows.amin(1).equal(highs)) << dtype << n;
      EXPECT_EQ(lows.argmax().item<int64_t>(), 0) << dtype << n;
      EXPECT_TRUE(std::get<0>(lows.cummax(0)).equal(lows) && std::get<0>(highs.cummin(0)).equal(highs)) << dtype << n;
      EXPECT_TRUE(std::get<0>(lows.sort(0, true)).equal(lows) && std::get<0>(lows.topk(1)).equal(lows.slice(0, 0, 1)))
          << dtype << n;
    }
  };
  check(kByte, 0, 255);
  check(kChar, -128, 127);
  check(kShort, -32768, 32767);
  check(kInt, INT32_MIN, INT32_MAX);
  check(kLong, INT64_MIN, INT64_MAX);
  for (const ScalarType dtype : {kHalf, kBFloat16, kFloat, kDouble}) check(dtype, -kInf, kInf);
}
TEST(Numbers, AmongIntegersItTakesTheirDtype) {
  EXPECT_EQ(only(bytes(200) + 300), 244);
  EXPECT_EQ(only(floor_divide(bytes(200), 300)), 4);
  EXPECT_EQ(only(floor_divide(bytes(200), tensor(300, kShort))), 4);  // 300 is 44
  EXPECT_TRUE((bytes(44) == 300).item<bool>());
  EXPECT_EQ(only(clamp(bytes(200), OptionalTensor(), tensor(300))), 44);
  EXPECT_EQ((bytes(200) + tensor(300)).scalar_type(), kByte);
}
TEST(Numbers, AnAttributeThatOverflowsTheDtypeIsAnError) {
  EXPECT_THROW(clamp(bytes(200), std::nullopt, 300), Error);
  EXPECT_THROW(bytes(200).clamp_(std::nullopt, 300), Error);
  EXPECT_THROW(clamp_max(bytes(200), 300), Error);
  EXPECT_THROW(pow(bytes(2), 300), Error);
  EXPECT_THROW(add(bytes(1), bytes(1), 300), Error);
  EXPECT_THROW(where(tensor({true}), bytes(1), 300), Error);
  EXPECT_THROW(masked_fill(half(1), tensor({true}), 65536), Error);
  EXPECT_EQ(only(full({1}, 65536, kHalf)), kInf);
}
TEST(Numbers, AttributesHaveAllBitsOfInt64) {
  const int64_t odd = (int64_t{1} << 53) + 1;
  const Tensor one = tensor({1});
  EXPECT_EQ(add(one, one, odd).item<int64_t>(), odd + 1);
  EXPECT_EQ(sub(one, one, odd).item<int64_t>(), 1 - odd);
  EXPECT_EQ(addcmul(one, one, one, odd).item<int64_t>(), odd + 1);
  EXPECT_EQ(pow(-one, odd).item<int64_t>(), -1);
  EXPECT_EQ(threshold(one, odd, odd).item<int64_t>(), odd);
  EXPECT_EQ(hardtanh(one, odd, odd).item<int64_t>(), odd);
}
TEST(Numbers, ABoolToABoolIsABool) {
  EXPECT_EQ(pow(tensor(true), true).scalar_type(), kBool);
  EXPECT_TRUE(pow(tensor(false), false).item<bool>());
  EXPECT_EQ(pow(tensor(true), 2).scalar_type(), kLong);
}
TEST(Numbers, HalfPrecisionTimesANumberOutsideItsRange) {
  EXPECT_EQ(only(half(.001) * 65536), 65.5625);
  EXPECT_EQ(only(65536 * half(.001)), 65.5625);
  EXPECT_EQ(only(half(.001).mul_(65536)), 65.5625);
  EXPECT_NEAR(only(half(60000) / 65536.), .91553, 1e-5);
  EXPECT_EQ(only(65536. / half(60000)), 1.09375);
  EXPECT_EQ(only(half(.001) * tensor(65536.)), 65.5625);
  EXPECT_EQ(only(lerp(half(1), half(1.001), 100000)), only(half(1 + 100000 * (only(half(1.001)) - 1))));
  EXPECT_EQ(only(hardshrink(tensor({.3}, kBFloat16), .3)), 0);
  EXPECT_TRUE((half(.3) == .3).item<bool>());
  EXPECT_EQ(only(half(1) + tensor({70000})), kInf);
  EXPECT_EQ(only(round(half(2), 6)), 2);
}
TEST(Numbers, TheGradientKeepsTheRangeOfTheNumber) {
  for (const bool create_graph : {false, true}) {
    const Tensor x = half(.001).requires_grad_();
    const Tensor g = autograd::grad({(x * 65536).sum()}, {x}, {half(.001).squeeze()}, {}, create_graph)[0];
    EXPECT_EQ(only(g), 65.5625) << create_graph;
  }
}
TEST(Numbers, HalfPrecisionSumsInFloat32) {
  const Tensor x = ones({100000}, kHalf);
  EXPECT_EQ(only(x.mean()), 1);
  EXPECT_EQ(only(x.view({-1, 2}).mean(0)[1]), 1);
  EXPECT_EQ(only(mse_loss(x, x * 3)), 4);
  EXPECT_EQ(only(l1_loss(x, x * 3)), 2);
  EXPECT_EQ(only(adaptive_avg_pool1d(x.view({1, 1, -1}), 1)), 1);
  EXPECT_NEAR(only((x.cumsum(0) > 50000).to(kHalf).std()), .5, 1e-3);
  EXPECT_EQ(only(zeros({1}, kHalf).scatter_add(0, zeros({100000}, kLong), x / 2)), only(half(50000)));
}
TEST(Var, FewerElementsThanTheCorrectionDivideByZeroNotByLess) {
  EXPECT_TRUE(std::isnan(only(tensor({3.0}).var())));
  EXPECT_EQ(only(tensor({1.0, 2.0}).var(std::nullopt, std::optional<Scalar>(5))), kInf);
  EXPECT_EQ(only(tensor({1.0, 2.0}).std(std::nullopt, std::optional<Scalar>(5))), kInf);
  EXPECT_EQ(only(tensor({1.0, 2.0}).var(std::nullopt, std::optional<Scalar>(2))), kInf);
}
TEST(Var, WhatOverflowsFloat32IsInfiniteNotNan) {
  EXPECT_EQ(only(tensor({1e38, 3e38}).var()), kInf);
  EXPECT_NEAR(only(tensor({1e38, 3e38}).std()), 1.41421e38, 1e34);
}
TEST(Clone, KeepsTheStridesOrMakesThemContiguous) {
  const Tensor x = arange(6).view({2, 3}).t();
  EXPECT_EQ(x.clone().strides(), x.strides());
  EXPECT_TRUE(x.clone(MemoryFormat::Contiguous).is_contiguous());
  EXPECT_TRUE(equal(x.clone(MemoryFormat::Contiguous), x));
}
TEST(Smallest, InputsThatAreStillTaken) {
  const auto [least, most] = tensor({3.0}).aminmax();
  EXPECT_TRUE(least.item<double>() == 3 && most.item<double>() == 3);
  EXPECT_TRUE(equal(std::get<0>(unique_dim(tensor({2, 1, 2}), 0)), tensor({1, 2})));
  EXPECT_EQ(multi_margin_loss(tensor(2.0), tensor(0)).item<double>(), 0);
  EXPECT_EQ(multi_margin_loss(ones({0, 3}), zeros({0}, kLong), 1, 1, std::nullopt, 0).numel(), 0);
  // No channels: nothing is summed.
  EXPECT_TRUE(equal(conv2d(ones({2, 0, 6, 5}), ones({3, 0, 3, 3})), zeros({2, 3, 4, 3})));
  EXPECT_TRUE(equal(conv2d(ones({2, 0, 6, 5}), ones({3, 0, 3, 3}), ones({3})), ones({2, 3, 4, 3})));
  namespace F = nn::functional;
  const auto area = [](const Tensor& x, std::vector<int64_t> size) {
    return F::interpolate(x, F::InterpolateFuncOptions().size(size).mode(kArea)).sizes().vec();
  };
  EXPECT_EQ(area(ones({1, 2, 4}), {0}), (std::vector<int64_t>{1, 2, 0}));
  EXPECT_EQ(area(ones({1, 2, 4, 4}), {0, 3}), (std::vector<int64_t>{1, 2, 0, 3}));
  EXPECT_EQ(area(ones({1, 2, 4, 4, 4}), {2, 0, 3}), (std::vector<int64_t>{1, 2, 2, 0, 3}));
}
TEST(Zeros, KeepTheirSign) {
  const Tensor zero = tensor({-0.0});
  for (const Tensor& y : {sin(zero), tan(zero), relu(zero), relu6(zero), clamp(zero, 0), clamp(zero, std::nullopt, 0)})
    EXPECT_TRUE(std::signbit(only(y)));
  EXPECT_TRUE(std::isnan(only(pow(tensor({-kInf}), .5))));
  EXPECT_NEAR(only(digamma(tensor({-1e-10}, kDouble))), 9999999999.422785, 1e-3);
}
TEST(IndexFill, ARepeatedIndexCountsOnceInTheGradientOfTheValue) {
  const Tensor x = zeros({3}), v = tensor(2., requires_grad());
  x.index_fill(0, tensor({0, 0, 1}), v).backward(full({3}, 3.));
  EXPECT_EQ(only(v.grad()), 6);
}
TEST(BinaryCrossEntropy, RefusesATargetOfAnotherShape) {
  EXPECT_THROW(binary_cross_entropy(full({4, 1}, .5), full({4}, .5)), ValueError);
}
TEST(Isclose, DoesNotWrapIntegers) { EXPECT_FALSE(isclose(tensor({-128}, kChar), tensor({0}, kChar)).item<bool>()); }
TEST(MarginRankingLoss, WrapsWhereIntegersDo) {
  EXPECT_EQ(only(margin_ranking_loss(bytes(0), bytes(255), bytes(3))), 253);
}
TEST(Histc, AConstantFallsIntoTheMiddleHoweverLarge) { EXPECT_EQ(histc(full({4}, 1e30), 4)[2].item<double>(), 4); }
TEST(Diff, OfOrderZeroIsTheInput) { EXPECT_EQ(diff(tensor({1., 2.}), 0, -1, tensor({0.})).numel(), 2); }
TEST(Pad, CircularDoesNotBringBackWhatItCutsAway) {
  const Tensor y = pad(arange(4.).view({1, 1, 4}), {-1, 2}, "circular");
  EXPECT_TRUE(y.flatten().equal(tensor({1., 2., 3., 1., 2.})));
}
TEST(To, RefusesOptionsThatRequireGrad) { EXPECT_THROW(ones({2}).to(TensorOptions().requires_grad(true)), Error); }
TEST(Index, RefusesAnEmptyList) { EXPECT_THROW(ones({2}).index({}), Error); }

TEST(MultiheadAttention, CausalWithABiasKeyAndNoWeightsIsPyTorchs) {
  const auto w = [](IntArrayRef sizes) {
    int64_t n = 1;
    for (int64_t s : sizes) n *= s;
    return ((arange(n) * 37 % 19).to(kFloat) / 19 - .5).reshape(sizes);
  };
  namespace F = nn::functional;
  const Tensor q = w({3, 1, 4});
  const auto options = F::MultiheadAttentionForwardFuncOptions(4, 2, w({12, 4}), w({12}), w({1, 1, 4}),
                                                               w({1, 1, 4}) * 2, false, 0, w({4, 4}), w({4}))
                           .training(false)
                           .need_weights(false)
                           .is_causal(true)
                           .attn_mask(triu(full({3, 3}, -kInf), 1));
  const Tensor y = std::get<0>(F::multi_head_attention_forward(q, q, q, options));
  const Tensor want = tensor({-0.40162557, 0.40782186, 0.38347426, 0.35912669, -0.41616839, 0.40674695, 0.37662527,
                              0.34650362, -0.47002885, 0.41847274, 0.38555968, 0.35264671});
  EXPECT_TRUE(allclose(y.flatten(), want, 1e-5, 1e-6)) << y;
}

}  // namespace
}  // namespace taut
