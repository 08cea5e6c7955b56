// Attention in tiles against the plain formula: lengths around the tile sizes, head sizes, causal with unequal lengths,
// shared key heads, layouts, gradients of first and second order, thread counts, wrong arguments.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "taut/taut.h"

namespace taut {
namespace {

using autograd::variable_list;

/// The formula, written anew.
Tensor reference(const Tensor& q, const Tensor& k, const Tensor& v, bool causal, double scale) {
  Tensor scores = matmul(q, k.transpose(-2, -1)) * scale;
  if (causal) {
    const Tensor rows = arange(q.size(-2)).unsqueeze(1), columns = arange(k.size(-2)).unsqueeze(0);
    scores = scores.masked_fill(columns > rows, -INFINITY);
  }
  return matmul(softmax(scores, -1), v);
}
double default_scale(const Tensor& q) { return 1 / std::sqrt(static_cast<double>(q.size(-1))); }

double greatest_difference(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  return a.numel() == 0 ? 0 : (a - b).abs().max().item<double>();
}

bool same_bits(const Tensor& a, const Tensor& b) {
  const Tensor x = a.contiguous(), y = b.contiguous();
  return x.nbytes() == y.nbytes() && std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) == 0;
}

struct Case {
  int64_t queries, keys, features, value_features;
};
constexpr Case kCases[] = {{1, 1, 1, 1},     {2, 3, 4, 5},       {7, 31, 8, 8},      {31, 7, 16, 16}, {32, 32, 3, 40},
                           {33, 65, 64, 1},  {63, 64, 17, 33},   {64, 63, 64, 64},   {65, 66, 32, 7}, {96, 100, 5, 64},
                           {127, 128, 8, 8}, {130, 200, 80, 16}, {200, 130, 16, 80}, {257, 40, 2, 2}, {40, 600, 4, 4}};

void compare(const Case& c, ScalarType dtype, bool causal, double tolerance) {
  manual_seed(1);
  const Tensor q = randn({2, 3, c.queries, c.features}, dtype).requires_grad_();
  const Tensor k = randn({2, 3, c.keys, c.features}, dtype).requires_grad_();
  const Tensor v = randn({2, 3, c.keys, c.value_features}, dtype).requires_grad_();
  const Tensor g = randn({2, 3, c.queries, c.value_features}, dtype);
  const Tensor y = scaled_dot_product_attention(q, k, v, {}, 0, causal);
  const Tensor want = reference(q, k, v, causal, default_scale(q));
  EXPECT_LT(greatest_difference(y, want), tolerance);
  const variable_list got = autograd::grad({y}, {q, k, v}, {g}), expected = autograd::grad({want}, {q, k, v}, {g});
  for (size_t i = 0; i < 3; ++i)
    EXPECT_LT(greatest_difference(got[i], expected[i]), 30 * tolerance) << "gradient of input " << i;
}

TEST(Attention, InTilesEqualsTheFormulaForLengthsAroundTheTiles) {
  for (const Case& c : kCases)
    for (bool causal : {false, true}) {
      SCOPED_TRACE(str(c.queries, " queries, ", c.keys, " keys, ", c.features, " and ", c.value_features, " features",
                       causal ? ", causal" : ""));
      compare(c, kDouble, causal, 1e-13);
      compare(c, kFloat, causal, 2e-6);
    }
}

TEST(Attention, MasksAreAddedInTilesInAnyLayout) {
  manual_seed(8);
  for (const auto& [queries, keys] : {std::pair<int64_t, int64_t>{5, 3}, {70, 130}, {33, 64}, {128, 65}}) {
    SCOPED_TRACE(str(queries, " queries, ", keys, " keys"));
    const variable_list x = {randn({2, 3, queries, 8}, kDouble).requires_grad_(),
                             randn({2, 3, keys, 8}, kDouble).requires_grad_(),
                             randn({2, 3, keys, 5}, kDouble).requires_grad_()};
    const Tensor g = randn({2, 3, queries, 5}, kDouble), full = randn({2, 3, queries, keys}, kDouble);
    const Tensor padding = zeros({2, 1, 1, keys}, kDouble);
    padding.index_put_({1, 0, 0, indexing::Slice(keys - 2, indexing::None)}, -INFINITY);
    const Tensor masks[] = {full,
                            full[0][0],
                            full[0][0].select(0, 0),
                            padding,
                            randn({keys, queries}, kDouble).t(),
                            randn({queries, 1}, kDouble)};
    for (const Tensor& mask : masks) {
      const Tensor y = scaled_dot_product_attention(x[0], x[1], x[2], mask);
      const Tensor want = matmul(softmax(matmul(x[0], x[1].mT()) * default_scale(x[0]) + mask, -1), x[2]);
      EXPECT_LT(greatest_difference(y, want), 1e-13) << mask.sizes();
      const variable_list got = autograd::grad({y}, x, {g}), expected = autograd::grad({want}, x, {g});
      for (size_t i = 0; i < 3; ++i) EXPECT_LT(greatest_difference(got[i], expected[i]), 1e-12) << mask.sizes();
    }
    const Tensor seen = full > 0;
    EXPECT_LT(greatest_difference(scaled_dot_product_attention(x[0], x[1], x[2], seen),
                                  scaled_dot_product_attention(x[0], x[1], x[2], where(seen, 0.0, -INFINITY))),
              1e-15);
  }
}

TEST(Attention, QueriesThatSeeNothingGetZerosAndGiveNoGradient) {
  manual_seed(9);
  const variable_list x = {randn({1, 1, 40, 4}).requires_grad_(), randn({1, 1, 100, 4}).requires_grad_(),
                           randn({1, 1, 100, 4}).requires_grad_()};
  const Tensor mask = ones({40, 100}, kBool);
  mask[7].zero_();
  const Tensor y = scaled_dot_product_attention(x[0], x[1], x[2], mask);
  EXPECT_EQ(y[0][0][7].abs().sum().item<float>(), 0);
  EXPECT_NE(y[0][0][8].abs().sum().item<float>(), 0);
  const variable_list g = autograd::grad({y.sum()}, x);
  EXPECT_EQ(g[0][0][0][7].abs().sum().item<float>(), 0);
  for (const Tensor& t : g) EXPECT_TRUE(t.isfinite().all().item<bool>());
}

TEST(Attention, AMaskMayWantAGradient) {
  manual_seed(10);
  const Tensor q = randn({2, 5, 3}, kDouble), mask = randn({5, 5}, kDouble).requires_grad_();
  EXPECT_TRUE(autograd::gradcheck(
      [&](const variable_list& in) { return variable_list{scaled_dot_product_attention(q, q, q, in[0])}; }, {mask}));
}

TEST(Attention, CutsKeysIntoPartsWhenThereAreFewHeads) {
  for (bool causal : {false, true}) {
    manual_seed(2);
    variable_list x;
    for (int64_t length : {150, 700, 700}) x.push_back(randn({1, length, 8}, kDouble).requires_grad_());
    const Tensor g = randn({1, 150, 8}, kDouble);
    const variable_list got = autograd::grad({scaled_dot_product_attention(x[0], x[1], x[2], {}, 0, causal)}, x, {g});
    const variable_list want = autograd::grad({reference(x[0], x[1], x[2], causal, default_scale(x[0]))}, x, {g});
    for (size_t i = 0; i < 3; ++i) EXPECT_LT(greatest_difference(got[i], want[i]), 1e-12) << i;
  }
}

TEST(Attention, KeyHeadsServeAsManyQueryHeadsAsFollowEachOther) {
  manual_seed(3);
  const variable_list x = {randn({2, 6, 70, 8}, kDouble).requires_grad_(),
                           randn({2, 2, 90, 8}, kDouble).requires_grad_(),
                           randn({2, 2, 90, 5}, kDouble).requires_grad_()};
  for (bool causal : {false, true}) {
    const Tensor y = scaled_dot_product_attention(x[0], x[1], x[2], {}, 0, causal, std::nullopt, true);
    const Tensor want =
        reference(x[0], x[1].repeat_interleave(3, 1), x[2].repeat_interleave(3, 1), causal, default_scale(x[0]));
    EXPECT_LT(greatest_difference(y, want), 1e-13);
    const Tensor g = randn(y.sizes(), kDouble);
    const variable_list got = autograd::grad({y}, x, {g}), expected = autograd::grad({want}, x, {g});
    for (size_t i = 0; i < 3; ++i) EXPECT_LT(greatest_difference(got[i], expected[i]), 1e-12) << i;
  }
}

TEST(Attention, TakesAnyLayoutAndKeepsHeadsWhereTheQueryHasThem) {
  manual_seed(4);
  const Tensor qkv = randn({2, 70, 3, 4, 16}, kDouble).requires_grad_();  // batch, length, which, heads, features
  const auto part = [&](int64_t i) { return qkv.select(2, i).transpose(1, 2); };
  const Tensor y = scaled_dot_product_attention(part(0), part(1), part(2), {}, 0, true);
  EXPECT_TRUE(y.transpose(1, 2).is_contiguous());
  const Tensor want = reference(part(0), part(1), part(2), true, 0.25);
  EXPECT_LT(greatest_difference(y, want), 1e-13);
  const Tensor g = randn({2, 4, 16, 70}, kDouble).transpose(2, 3);
  EXPECT_LT(greatest_difference(autograd::grad({y}, {qkv}, {g})[0], autograd::grad({want}, {qkv}, {g})[0]), 1e-12);
  const auto by_step = [&](int64_t i) { return qkv.select(2, i).permute({0, 2, 1, 3}).transpose(0, 2); };
  const Tensor steps = scaled_dot_product_attention(by_step(0), by_step(1), by_step(2));  // lengths before the batch
  EXPECT_TRUE(steps.permute({2, 0, 1, 3}).is_contiguous());
  EXPECT_LT(greatest_difference(steps, reference(by_step(0), by_step(1), by_step(2), false, 0.25)), 1e-13);
  const Tensor columns = randn({2, 3, 16, 70}, kDouble).transpose(2, 3);  // features are not contiguous
  EXPECT_LT(greatest_difference(scaled_dot_product_attention(columns, columns, columns),
                                reference(columns, columns, columns, false, 0.25)),
            1e-13);
}

TEST(Attention, PutsGradientsOfPartsOfOneTensorBesideEachOther) {
  manual_seed(6);
  const Tensor x = randn({2, 20, 3 * 4 * 8}, kDouble).requires_grad_();
  const auto gradient = [&](std::vector<Tensor> qkv, bool apart) {
    const void* first = nullptr;
    for (Tensor& t : qkv) {
      if (t.dim() == 3) t = t.view({2, 20, 4, 8}).transpose(1, 2);
      if (apart) t = t.clone();
    }
    qkv[0].register_hook([&](const Tensor& g) { first = g.data_ptr(); });
    const Tensor g = autograd::grad({scaled_dot_product_attention(qkv[0], qkv[1], qkv[2]).sin().sum()}, {x})[0];
    EXPECT_EQ(g.data_ptr() == first, !apart);
    return g;
  };
  const Tensor want = gradient(x.chunk(3, -1), true);
  EXPECT_TRUE(equal(gradient(x.chunk(3, -1), false), want));
  EXPECT_TRUE(equal(gradient(x.split({32, 32, 32}, -1), false), want));
  EXPECT_TRUE(equal(gradient(x.view({2, 20, 3, 4, 8}).permute({2, 0, 3, 1, 4}).unbind(0), false), want));
  // Three parts that do not fill a tensor: the gradients are joined.
  const Tensor wide = randn({2, 20, 4 * 4 * 8}, kDouble).requires_grad_();
  const std::vector<Tensor> four = wide.chunk(4, -1);
  const auto heads = [&](size_t i) { return four[i].view({2, 20, 4, 8}).transpose(1, 2); };
  const Tensor y = scaled_dot_product_attention(heads(0), heads(1), heads(2));
  const Tensor plain = reference(heads(0), heads(1), heads(2), false, 1 / std::sqrt(8.0));
  EXPECT_LT(
      greatest_difference(autograd::grad({y.sin().sum()}, {wide})[0], autograd::grad({plain.sin().sum()}, {wide})[0]),
      1e-12);
}

TEST(Attention, HasTheSameBitsForAnyNumberOfThreads) {
  const int before = get_num_threads();
  for (int64_t heads : {1, 20}) {  // few heads: keys in parts
    manual_seed(5);
    const variable_list x = {randn({1, heads, 300, 24}).requires_grad_(), randn({1, heads, 600, 24}).requires_grad_(),
                             randn({1, heads, 600, 40}).requires_grad_()};
    const Tensor g = randn({1, heads, 300, 40});
    variable_list first;
    for (int threads : {1, 2, 3, 7}) {
      set_num_threads(threads);
      const Tensor y = scaled_dot_product_attention(x[0], x[1], x[2], {}, 0, true);
      variable_list all = autograd::grad({y}, x, {g});
      all.push_back(y);
      if (first.empty()) first = all;
      for (size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(same_bits(all[i], first[i])) << threads << " threads, " << i;
    }
  }
  set_num_threads(before);
}

TEST(Attention, CanBeDifferentiatedTwiceAndForward) {
  manual_seed(6);
  const variable_list x = {randn({1, 2, 5, 3}, kDouble).requires_grad_(), randn({1, 2, 4, 3}, kDouble).requires_grad_(),
                           randn({1, 2, 4, 2}, kDouble).requires_grad_()};
  const auto f = [](const variable_list& in) {
    return variable_list{scaled_dot_product_attention(in[0], in[1], in[2], {}, 0, true)};
  };
  EXPECT_TRUE(autograd::gradcheck(f, x));
  EXPECT_TRUE(autograd::gradgradcheck(f, x));
  const Tensor mask = randn({5, 4}, kDouble);
  EXPECT_TRUE(autograd::gradgradcheck(
      [&](const variable_list& in) { return variable_list{scaled_dot_product_attention(in[0], in[1], in[2], mask)}; },
      x));
  const variable_list t = {randn({1, 2, 5, 3}, kDouble), randn({1, 2, 4, 3}, kDouble), randn({1, 2, 4, 2}, kDouble)};
  const auto plain = [](const variable_list& in) {
    return variable_list{reference(in[0], in[1], in[2], true, default_scale(in[0]))};
  };
  EXPECT_LT(greatest_difference(autograd::jvp(f, x, t).second[0], autograd::jvp(plain, x, t).second[0]), 1e-13);
}

TEST(Attention, GradientsOfInputsComputedFromEachOtherAreNotCountedTwice) {
  manual_seed(7);
  const Tensor q = randn({1, 1, 4, 3}, kDouble).requires_grad_();
  const auto once = [&](bool tiled, bool create_graph) {
    const Tensor k = q * 2, v = k.sin();
    const Tensor y = tiled ? scaled_dot_product_attention(q, k, v) : reference(q, k, v, false, default_scale(q));
    return autograd::grad({y.square().sum()}, {q}, {}, std::nullopt, create_graph)[0];
  };
  EXPECT_LT(greatest_difference(once(true, true), once(false, true)), 1e-12);
  EXPECT_LT(greatest_difference(once(true, false), once(true, true)), 1e-12);
}

TEST(Attention, OfEmptyLengthsIsEmptyOrZero) {
  const Tensor none = zeros({2, 0, 4}), some = ones({2, 3, 4}).requires_grad_();
  EXPECT_EQ(scaled_dot_product_attention(none, some, some).sizes(), IntArrayRef({2, 0, 4}));
  const Tensor y = scaled_dot_product_attention(some, none, zeros({2, 0, 5}));
  EXPECT_EQ(y.sizes(), IntArrayRef({2, 3, 5}));
  EXPECT_EQ(y.abs().sum().item<float>(), 0);
  EXPECT_EQ(autograd::grad({y.sum()}, {some}, {}, std::nullopt, false, true, true)[0].abs().sum().item<float>(), 0);
  EXPECT_EQ(scaled_dot_product_attention(zeros({0, 3, 4}), zeros({0, 3, 4}), zeros({0, 3, 4})).numel(), 0);
}

TEST(Attention, NanStaysInItsRow) {
  const Tensor q = randn({1, 1, 40, 8}), k = randn({1, 1, 200, 8});
  q.index_put_({0, 0, 5}, NAN);
  q.index_put_({0, 0, 6, 0}, INFINITY);
  const Tensor bad = scaled_dot_product_attention(q, k, k).isnan().all(-1).flatten();
  EXPECT_TRUE(bad[5].item<bool>());
  EXPECT_TRUE(bad[6].item<bool>());
  EXPECT_EQ(bad.sum().item<int64_t>(), 2);
  const Tensor late = k.clone();
  late.index_put_({0, 0, 150}, NAN);  // in a later tile: every query sees it
  EXPECT_TRUE(scaled_dot_product_attention(randn({1, 1, 40, 8}), late, k).isnan().all().item<bool>());
  const Tensor mask = full({40, 200}, -INFINITY);  // a masked NaN is one too
  EXPECT_TRUE(scaled_dot_product_attention(randn({1, 1, 40, 8}), late, k, mask).isnan().all().item<bool>());
}

TEST(Attention, ScoresMayRiseFromTileToTile) {  // by less and by more than the sums are allowed to grow
  manual_seed(10);
  for (double slope : {0.02, 0.2, 2.0, -2.0}) {
    SCOPED_TRACE(str("by ", slope, " with each key"));
    const Tensor v = randn({1, 1, 300, 4}, kDouble), ramp = (arange(300, kDouble) * slope).view({1, 1, 300, 1});
    const Tensor q = rand({1, 1, 70, 1}, kDouble).requires_grad_(), k = ramp.requires_grad_();
    const Tensor y = scaled_dot_product_attention(q, k, v, {}, 0, false, 1.0), want = reference(q, k, v, false, 1);
    EXPECT_LT(greatest_difference(y, want), 1e-13);
    const variable_list got = autograd::grad({y.sum()}, {q, k}), expected = autograd::grad({want.sum()}, {q, k});
    for (size_t i = 0; i < 2; ++i) EXPECT_LT(greatest_difference(got[i], expected[i]), 1e-10) << "input " << i;
    EXPECT_LT(greatest_difference(
                  scaled_dot_product_attention(q.to(kFloat), k.to(kFloat), v.to(kFloat), {}, 0, false, 1.0), want),
              1e-4);
  }
}

TEST(Attention, LargeScoresDoNotOverflow) {
  const Tensor q = randn({1, 1, 70, 16}, kDouble) * 100, k = randn({1, 1, 130, 16}, kDouble) * 100;
  const Tensor want = scaled_dot_product_attention(q, k, k);
  const Tensor got = scaled_dot_product_attention(q.to(kFloat), k.to(kFloat), k.to(kFloat)).to(kDouble);
  EXPECT_LT(greatest_difference(got, want), 1);  // of 100; scores of 1e5 have 8 digits
  EXPECT_TRUE(got.isfinite().all().item<bool>());
}

TEST(Attention, DropoutDrawsWhatPyTorchsFormulaDraws) {
  manual_seed(9);
  const Tensor q = randn({2, 4, 3}), k = randn({2, 5, 3}), v = randn({2, 5, 2});
  manual_seed(10);
  const Tensor got = scaled_dot_product_attention(q, k, v, {}, 0.4);
  manual_seed(10);
  const Tensor weights = dropout(softmax(matmul(q * default_scale(q), k.mT()), -1), 0.4, true);
  EXPECT_TRUE(got.allclose(matmul(weights, v)));
}

template <class E>
void expect_error(const char* part, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no exception, expected one about: " << part;
  } catch (const E& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(Attention, SaysWhatIsWrongWithItsArguments) {
  const Tensor x = ones({2, 3, 4}), heads = ones({2, 6, 3, 4});
  const auto sdpa = [](auto&&... a) { return [=] { scaled_dot_product_attention(a...); }; };
  using Mask = std::optional<Tensor>;
  const std::optional<double> scale;
  expect_error<Error>("undefined", sdpa(x, Tensor(), x));
  expect_error<Error>("at least 2 dimensional", sdpa(ones({4}), x, x));
  expect_error<TypeError>("same dtype", sdpa(x, x.to(kDouble), x));
  expect_error<TypeError>("floating point", sdpa(x.to(kLong), x.to(kLong), x.to(kLong)));
  expect_error<Error>("same number of features", sdpa(x, ones({2, 3, 5}), x));
  expect_error<Error>("same length", sdpa(x, x, ones({2, 5, 4})));
  expect_error<Error>("must match the size", [&] {
    scaled_dot_product_attention(x, ones({3, 3, 4}), ones({3, 3, 4}));
  });
  expect_error<ValueError>("between 0 and 1", sdpa(x, x, x, Mask(), 1.5));
  expect_error<ValueError>("between 0 and 1", sdpa(x, x, x, Mask(), -0.5));
  expect_error<ValueError>("between 0 and 1", sdpa(x, x, x, Mask(), double(NAN)));
  expect_error<ValueError>("finite", sdpa(x, x, x, Mask(), 0.0, false, std::optional<double>(INFINITY)));
  expect_error<Error>("is_causal", sdpa(x, x, x, Mask(ones({3, 3})), 0.0, true));
  expect_error<TypeError>("attn_mask", sdpa(x, x, x, Mask(ones({3, 3}, kLong))));
  expect_error<Error>("attn_mask", sdpa(x, x, x, Mask(ones({5, 2, 3, 3}))));
  expect_error<Error>("heads", sdpa(heads, ones({2, 4, 3, 4}), ones({2, 4, 3, 4}), Mask(), 0.0, false, scale, true));
  EXPECT_EQ(scaled_dot_product_attention(heads, ones({2, 2, 3, 4}), ones({2, 3, 3, 4}), Mask(), 0.0, false, scale, true)
                .sizes(),
            heads.sizes());  // each divides the number of heads
  expect_error<Error>("heads", sdpa(ones({3, 4}), ones({3, 4}), ones({3, 4}), Mask(), 0.0, false, scale, true));
}

}  // namespace
}  // namespace taut
