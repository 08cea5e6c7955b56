// In-place writes under autograd: leaves, views, bases, saved values.
#include "autograd_support.h"

#include <cmath>
#include <sstream>

using namespace taut;
using namespace taut::testing;
using autograd::grad;
using autograd::variable_list;
using indexing::Slice;

namespace {
/// A tensor that is not a leaf, with these values, and the leaf it came from.
struct Computed {
  explicit Computed(const Values& v) : x(leaf(v)), y(x * 1) {}
  Tensor x, y;
  Values gradient() const { return values(x.grad()); }
};
}  // namespace

// ---- Leaves.

TEST(InPlaceLeaf, ThatRequiresGradIsRefusedAndUnchanged) {
  Tensor x = leaf({1, 2});
  expect_says(
      message_of([&] { x.mul_(2); }),
      {"a leaf Variable that requires grad is being used in an in-place operation", "mul_", "[2]", "NoGradGuard"});
  EXPECT_THROW(x.fill_(3), Error);
  EXPECT_THROW(x.zero_(), Error);
  EXPECT_THROW(x.copy_(constant({5, 5})), Error);
  EXPECT_THROW(x.index_put_({0}, 5), Error);
  EXPECT_THROW(x.uniform_(), Error);
  EXPECT_THROW(x += 1, Error);
  EXPECT_EQ(values(x), (Values{1, 2}));
  EXPECT_EQ(x._version(), 0u);
}

TEST(InPlaceLeaf, MayBeWrittenUnderNoGradAndStaysALeaf) {
  Tensor x = leaf({1, 2});
  (x * x).sum().backward();
  {
    NoGradGuard guard;
    x.sub_(x.grad() * 0.5);
  }
  EXPECT_EQ(values(x), (Values{0, 0}));
  EXPECT_TRUE(x.is_leaf());
  EXPECT_TRUE(x.requires_grad());
  EXPECT_EQ(x._version(), 1u);
}

TEST(InPlaceLeaf, ViewOfALeafIsRefused) {
  Tensor x = leaf({1, 2});
  expect_says(
      message_of([&] {
        x.view({2, 1}).mul_(2);
      }),
      {"a view of a leaf Variable that requires grad is being used in an in-place operation", "mul_", "[2, 1]"});
  EXPECT_THROW(x[0] = 5, Error);
  EXPECT_EQ(values(x), (Values{1, 2}));
}

TEST(InPlaceLeaf, AViewThatWasToldToRequireGradIsRefused) {
  Tensor base = taut::ones({4});
  Tensor v = base.view({2, 2});
  v.requires_grad_();
  EXPECT_THROW(v.mul_(2), Error);
  base.mul_(3);  // it is memory of a constant
  EXPECT_TRUE(v.is_leaf());
  EXPECT_TRUE(v.requires_grad());
}

TEST(InPlaceLeaf, AConstantBecomesAResult) {
  Tensor y = taut::ones({2}), w = leaf({3, 4});
  y.mul_(w);
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(y.is_leaf());
  y.sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{1, 1}));
}

TEST(InPlaceLeaf, IntegersAreFree) {
  Tensor i = taut::arange(3);
  i.add_(1);
  EXPECT_EQ(values(i), (Values{1, 2, 3}));
}

// ---- Results.

TEST(InPlace, GivesTheGradientOfTheOp) {
  Computed c({1, 2, 3});
  c.y.mul_(2).add_(1).exp_();
  EXPECT_STREQ(c.y.grad_fn()->name(), "ExpBackward0");
  c.y.sum().backward();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(c.gradient()[static_cast<size_t>(i)], 2 * std::exp(2 * (i + 1) + 1), 1e-2);
}

TEST(InPlace, ReturnsTheSameTensor) {
  Computed c({1, 2});
  Tensor& r = c.y.mul_(2);
  EXPECT_TRUE(r.is_same(c.y));
}

TEST(InPlace, ReadsItsOldValueWhenTheDerivativeNeedsIt) {
  Computed c({3, 4});
  Tensor w = leaf({5, 6});
  c.y.mul_(w);  // d/dw needs the old y
  c.y.sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{3, 4}));
  EXPECT_EQ(c.gradient(), (Values{5, 6}));
}

TEST(InPlace, OfATensorWithItself) {
  Computed c({3, 4});
  c.y.add_(c.y);
  c.y.sum().backward();
  EXPECT_EQ(c.gradient(), (Values{2, 2}));
  c.y.mul_(c.y);  // as in PyTorch: the second operand was saved, and overwritten
  EXPECT_THROW(c.y.sum().backward(), Error);
}

TEST(InPlace, LeavesNoOtherNodeInTheGraph) {
  Computed c({3, 4});
  const auto before = c.y.grad_fn();
  c.y.mul_(c.x);
  EXPECT_EQ(c.y.grad_fn()->next_functions()[0].first, before);
  EXPECT_STREQ(c.y.grad_fn()->next_functions()[1].first->name(), "AccumulateGrad");
}

TEST(InPlace, EveryTwinOfAChain) {
  Tensor x = leaf({0.5, 1.5});
  const auto out_of_place = [](const Tensor& t) {
    return ((t * 2).pow(2) - 0.25).sin().clamp(-0.9, 5).abs().div(3).neg();
  };
  Tensor a = out_of_place(x);
  a.sum().backward();
  const Values expected = values(x.grad());
  x.mutable_grad().reset();
  Tensor b = x * 1;
  b.mul_(2).pow_(2).sub_(0.25).sin_().clamp_(-0.9, 5).abs_().div_(3).neg_();
  EXPECT_TRUE(b.allclose(a));
  b.sum().backward();
  for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(values(x.grad())[i], expected[i], 1e-6);
}

TEST(InPlace, FillCutsTheGradient) {
  Computed c({1, 2});
  c.y.fill_(7);
  EXPECT_TRUE(c.y.requires_grad());
  c.y.sum().backward();
  EXPECT_EQ(c.gradient(), (Values{0, 0}));
}

TEST(InPlace, CopyTakesTheHistoryOfTheSource) {
  Computed c({1, 2});
  Tensor w = leaf({5});
  c.y.copy_(w * 2);  // broadcast
  c.y.sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{4}));
  EXPECT_EQ(c.gradient(), (Values{0, 0}));
}

TEST(InPlace, CopyAcrossDtypes) {
  Tensor y = taut::zeros({2}, kDouble), w = leaf({5, 6});
  y.copy_(w);
  EXPECT_TRUE(y.requires_grad());
  (y * 3).sum().backward();
  EXPECT_EQ(w.grad().scalar_type(), kFloat);
  EXPECT_EQ(values(w.grad()), (Values{3, 3}));
}

TEST(InPlace, SecondDerivativeThroughInPlaceOps) {
  Tensor x = leaf({2, 3});
  Tensor y = x * 1;
  y.mul_(x).mul_(x);  // x^3
  Tensor g = grad({y.sum()}, {x}, {}, {}, true)[0];
  EXPECT_EQ(values(g), (Values{12, 27}));
  EXPECT_EQ(values(grad({g.sum()}, {x})[0]), (Values{12, 18}));
}

TEST(InPlace, MaskedFillAndIndexPut) {
  Computed c({1, 2, 3});
  c.y.masked_fill_(c.y > 2.5, 9);
  c.y.index_put_({0}, 4);
  EXPECT_EQ(values(c.y), (Values{4, 2, 9}));
  (c.y * 5).sum().backward();
  EXPECT_EQ(c.gradient(), (Values{0, 5, 0}));
}

TEST(InPlace, IndexAssignmentSendsGradientsBothWays) {
  Computed c({1, 2, 3});
  Tensor w = leaf({7});
  c.y[1] = w[0] * 2;
  (c.y * constant({10, 20, 30})).sum().backward();
  EXPECT_EQ(c.gradient(), (Values{10, 0, 30}));
  EXPECT_EQ(values(w.grad()), (Values{40}));
}

// ---- Saved values.

TEST(SavedValue, OverwrittenResultIsNoticed) {
  Tensor x = leaf({1, 2});
  Tensor y = x.exp();
  y.mul_(2);
  expect_says(
      message_of([&] { y.sum().backward(); }),
      {"one of the variables needed for gradient computation has been modified by an inplace operation",
       "[2] float32 result of `exp`", "at version 0 and is at version 1", "`mul_`", "Use `mul` instead of `mul_`"});
}

TEST(SavedValue, OverwrittenInputIsNoticed) {
  Computed c({1, 2});
  Tensor z = c.y * c.y;
  c.y.add_(1);
  expect_says(message_of([&] { z.sum().backward(); }),
              {"modified by an inplace operation", "input of `mul`", "`add_`"});
}

TEST(SavedValue, OverwrittenThroughAViewOrADetachedTensorOrUnderNoGradIsNoticed) {
  for (int how = 0; how < 3; ++how) {
    Tensor x = leaf({1, 2});
    Tensor y = x.exp();
    if (how == 0) y[0].mul_(2);
    if (how == 1) y.detach().mul_(2);
    if (how == 2) {
      NoGradGuard guard;
      y.mul_(2);
    }
    EXPECT_THROW(y.sum().backward(), Error) << how;
  }
}

TEST(SavedValue, WhatIsNotReadMayBeOverwritten) {
  Tensor x = leaf({1, 2});
  Tensor y = x + 1, z = y * 3;  // neither reads y
  y.mul_(2);
  (y + z).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{5, 5}));
}

TEST(SavedValue, OnlyWhatTheWantedGradientReadsCounts) {
  Tensor x = leaf({2, 3}), buffer = taut::ones({2});
  Tensor y = x * buffer, z = y * 1;
  {
    NoGradGuard guard;
    x.add_(1);  // only d/dbuffer would read x, and nobody wants it
  }
  z.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{1, 1}));
}

TEST(SavedValue, AnErrorLeavesTheGradsAsTheyWere) {
  Tensor x = leaf({1, 2});
  (x * 2).sum().backward();
  Tensor y = x.exp();
  y.mul_(2);
  EXPECT_THROW(y.sum().backward(), Error);
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
}

// ---- Views and their base.

TEST(ViewInPlace, WriteThroughAViewReachesTheBase) {
  Computed c({1, 2, 3, 4});
  Tensor v = c.y.view({2, 2});
  v[0].mul_(10);
  EXPECT_EQ(values(c.y), (Values{10, 20, 3, 4}));
  EXPECT_STREQ(c.y.grad_fn()->name(), "CopySlices");
  (c.y * constant({1, 2, 3, 4})).sum().backward();
  EXPECT_EQ(c.gradient(), (Values{10, 20, 3, 4}));
}

TEST(ViewInPlace, WriteToTheBaseReachesTheView) {
  Computed c({1, 2, 3, 4});
  Tensor v = c.y.slice(0, 1, 3);
  c.y.pow_(2);
  EXPECT_TRUE(v.requires_grad());
  EXPECT_STREQ(v.grad_fn()->name(), "AsStridedBackward0");
  v.sum().backward();
  EXPECT_EQ(c.gradient(), (Values{0, 4, 6, 0}));
}

TEST(ViewInPlace, TheViewItselfAfterItWasWritten) {
  Computed c({1, 2, 3, 4});
  Tensor v = c.y.slice(0, 1, 3);
  v.mul_(10);
  (v * constant({1, 2})).sum().backward();
  EXPECT_EQ(c.gradient(), (Values{0, 10, 20, 0}));
}

TEST(ViewInPlace, AnotherViewSeesTheWrite) {
  Computed c({1, 2, 3, 4});
  Tensor a = c.y.slice(0, 0, 3), b = c.y.slice(0, 2, 4);
  a.mul_(10);
  (b * constant({5, 7})).sum().backward();
  EXPECT_EQ(c.gradient(), (Values{0, 0, 50, 7}));
}

TEST(ViewInPlace, SeveralWritesOneAfterTheOther) {
  Computed c({1, 2, 3, 4});
  Tensor v = c.y.view({2, 2});
  v[0].mul_(2);
  v.select(1, 0).mul_(3);
  c.y.add_(1);
  v[1][1].fill_(0);
  EXPECT_EQ(values(c.y), (Values{7, 5, 10, 0}));
  c.y.sum().backward();
  EXPECT_EQ(c.gradient(), (Values{6, 2, 3, 0}));
}

TEST(ViewInPlace, AConstantBaseTakesPartAfterAWriteThroughAView) {
  Tensor base = taut::zeros({3}), w = leaf({5});
  Tensor v = base.slice(0, 1, 2);
  v.copy_(w);
  EXPECT_TRUE(base.requires_grad());
  EXPECT_TRUE(v.requires_grad());
  (base * constant({1, 2, 3})).sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{2}));
}

TEST(ViewInPlace, OfATransposedBase) {
  Computed c({1, 2, 3, 4, 5, 6});
  Tensor m = c.y.view({2, 3}).t();
  m[1].mul_(10);
  (c.y * constant({1, 2, 3, 4, 5, 6})).sum().backward();
  EXPECT_EQ(c.gradient(), (Values{1, 20, 3, 4, 50, 6}));
}

TEST(ViewInPlace, OfABaseThatIsNotContiguous) {
  Tensor x = taut::arange(6, dtype(kFloat)).view({2, 3}).requires_grad_();
  Tensor y = x.t().clone();  // keeps the strides of the transpose
  Tensor v = y[1];
  v.mul_(10);
  (y * 2).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 20, 2, 2, 20, 2}));
}

TEST(ViewInPlace, SecondDerivativeThroughAWriteToAView) {
  Tensor x = leaf({2, 3, 4});
  Tensor y = x * x;
  y[0].mul_(x[0]);  // x0^3, x1^2, x2^2
  Tensor g = grad({y.sum()}, {x}, {}, {}, true)[0];
  EXPECT_EQ(values(g), (Values{12, 6, 8}));
  EXPECT_EQ(values(grad({g.sum()}, {x})[0]), (Values{12, 2, 2}));
}

TEST(ViewInPlace, BackwardWithRespectToTheViewAfterTheWrite) {
  Computed c({1, 2, 3});
  Tensor v = c.y.slice(0, 0, 2);
  c.y.mul_(2);
  const variable_list g = grad({(v * v).sum()}, {v, c.x});
  EXPECT_EQ(values(g[0]), (Values{4, 8}));
  EXPECT_EQ(values(g[1]), (Values{8, 16, 0}));
}

TEST(ViewInPlace, AViewTakenBeforeKeepsItsEarlierUses) {
  Computed c({1, 2});
  Tensor v = c.y[0];
  Tensor before = v * 3;
  c.y.mul_(10);
  (before + v).backward();
  EXPECT_EQ(c.gradient(), (Values{13, 0}));
}

TEST(ViewInPlace, ExpandedTensorsAreRefused) {
  Computed c({1});
  expect_says(message_of([&] { c.y.expand({3}).mul_(2); }),
              {"more than one element of the written-to tensor refers to a single memory location", "clone()"});
}

TEST(ViewInPlace, ExpandedTensorsMayBeFilled) {
  Computed c({1, 2});
  Tensor wide = c.y.expand({3, 2});
  wide.zero_();  // the same value everywhere
  EXPECT_EQ(values(c.y), (Values{0, 0}));
  EXPECT_STREQ(c.y.grad_fn()->name(), "CopySlices");
  (c.y * 5 + wide.sum()).sum().backward();
  EXPECT_EQ(c.gradient(), (Values{0, 0}));
  Tensor plain = taut::ones({2});
  plain.expand({3, 2}).fill_(4);
  EXPECT_EQ(values(plain), (Values{4, 4}));
}

TEST(InPlace, PartlyOverlappingOperandsAreRefused) {
  const std::string text =
      "some elements of the input tensor and the written-to tensor refer to a single memory location";
  Computed c({1, 2, 3, 4});
  expect_says(message_of([&] { c.y.mul_(c.y[0]); }), {"mul_", text, "clone()"});
  expect_says(message_of([&] { c.y.copy_(c.y[0]); }), {"copy_", text});
  Tensor m = c.y.detach().view({2, 2});
  expect_says(message_of([&] { m.t().mul_(m[0]); }), {"mul_", text});
  EXPECT_EQ(values(c.y), (Values{1, 2, 3, 4}));
  m.mul_(m);
  EXPECT_EQ(values(c.y), (Values{1, 4, 9, 16}));
}

TEST(InPlace, EveryWriteCounts) {
  Tensor x = taut::ones({2});
  x.add_(1).copy_(x).zero_().fill_(2);
  EXPECT_EQ(x._version(), 4u);
  Computed c({1, 2});
  c.y.zero_();
  EXPECT_STREQ(c.y.grad_fn()->name(), "ZeroBackward0");
  c.y.fill_(1);
  EXPECT_STREQ(c.y.grad_fn()->name(), "FillBackward0");
}

TEST(ViewInPlace, OutputsOfSplitUnbindAndChunkAreRefused) {
  Computed c({1, 2, 3, 4});
  const std::string text = "This view is the output of a function that returns multiple views";
  expect_says(message_of([&] { c.y.split(2)[1].mul_(2); }),
              {"Output 1 of Split is a view and is being modified inplace.", text, "mul_"});
  expect_says(message_of([&] { c.y.unbind()[0].mul_(2); }), {"Output 0 of Unbind is a view", text});
  EXPECT_THROW(c.y.chunk(2)[0].mul_(2), Error);
  EXPECT_THROW(c.y.split(2)[0][0].mul_(2), Error);  // nor through a view of one
  EXPECT_EQ(values(c.y), (Values{1, 2, 3, 4}));
  // Reading them after their base was written is refused too.
  Tensor part = c.y.split(2)[0];
  c.y.mul_(2);
  expect_says(message_of([&] { part * 2; }),
              {"its base or another view of its base has been modified inplace", text, "mul_"});
}

TEST(ViewInPlace, OutputsOfSplitOfAConstantMayBeWrittenWithConstants) {
  Tensor x = taut::ones({4}), w = leaf({1, 1});
  x.split(2)[0].mul_(3);
  EXPECT_EQ(values(x), (Values{3, 3, 1, 1}));
  EXPECT_THROW(x.split(2)[0].mul_(w), Error);
  EXPECT_EQ(values(x), (Values{3, 3, 1, 1}));
}

TEST(ViewInPlace, ViewsMadeUnderNoGradAreRefusedOutside) {
  Computed c({1, 2});
  Tensor v, constant_view, base = taut::ones({2});
  {
    NoGradGuard guard;
    v = c.y.view({2, 1});
    constant_view = base.view({2, 1});
  }
  const std::string text = "A view was created in no_grad mode and is being modified inplace with grad mode enabled.";
  expect_says(message_of([&] { v.mul_(2); }), {text, "moving both the view and the inplace", "mul_"});
  EXPECT_THROW(v.view({2}).mul_(2), Error);
  constant_view.mul_(2);  // nothing to record
  expect_says(message_of([&] { constant_view.mul_(leaf({1, 1}).view({2, 1})); }), {text});
  EXPECT_EQ(values(base), (Values{2, 2}));
}

TEST(ViewInPlace, AViewMadeAndWrittenUnderNoGradMayNotBeUsedInTheGraphAfterwards) {
  Tensor x = leaf({1, 2}), v;
  {
    NoGradGuard guard;
    v = x.view({2, 1});
    v.mul_(3);
    EXPECT_EQ(values(v + 1), (Values{4, 7}));
  }
  EXPECT_EQ(values(x), (Values{3, 6}));
  expect_says(
      message_of([&] { v * 2; }),
      {"A view was created in no_grad mode and its base or another view of its base has been modified inplace"});
  EXPECT_EQ(values(v.detach() * 2), (Values{6, 12}));
  std::ostringstream out;
  out << v;
  expect_says(out.str(), {"grad_fn=<Invalid>"});
}

TEST(ViewInPlace, AViewMadeUnderNoGradHasNoGraph) {
  Tensor x = leaf({1, 2}), v;
  {
    NoGradGuard guard;
    v = x.view({2, 1});
  }
  EXPECT_FALSE(v.requires_grad());
  EXPECT_TRUE(v.is_view());
  EXPECT_FALSE((v * 2).requires_grad());
}

TEST(ViewInPlace, WritesUnderNoGradLeaveTheHistoryAndCount) {
  Computed c({1, 2});
  Tensor v = c.y.view({2, 1});
  {
    NoGradGuard guard;
    v.mul_(5);
  }
  EXPECT_EQ(c.y._version(), 1u);
  EXPECT_EQ(v._version(), 1u);
  (c.y.sum() + v.sum()).backward();
  EXPECT_EQ(c.gradient(), (Values{2, 2}));
}

TEST(ViewInPlace, BaseAndIsView) {
  Computed c({1, 2});
  Tensor v = c.y.view({2, 1})[0];
  EXPECT_TRUE(v.is_view());
  EXPECT_TRUE(v._base().is_same(c.y));
  EXPECT_FALSE(c.y.is_view());
  expect_says(message_of([&] { c.y._base(); }), {"Can't get base of non-view"});
  EXPECT_FALSE(v.detach().is_same(v));
  EXPECT_FALSE(c.y.clone().is_view());
}

TEST(ViewInPlace, TheBaseOutlivesItsHandle) {
  Tensor x = leaf({1, 2});
  Tensor v = (x * 1)[1];
  v.mul_(7);
  v.backward();
  EXPECT_EQ(values(x.grad()), (Values{0, 7}));
}

TEST(ViewInPlace, TransposeInPlaceChangesTheShapeOnly) {
  Computed c({1, 2, 3, 4, 5, 6});
  Tensor m = c.y.view({2, 3}).clone();
  m.t_();
  EXPECT_EQ(m.sizes(), IntArrayRef({3, 2}));
  (m * taut::arange(6, kFloat).view({3, 2})).sum().backward();
  EXPECT_EQ(c.gradient(), (Values{0, 2, 4, 1, 3, 5}));
}
