// Backward and grad: accumulation, retained graphs, chosen inputs, undefined gradients, modes.
#include "autograd_support.h"

#include <algorithm>
#include <cmath>

using namespace taut;
using namespace taut::testing;
using autograd::grad;
using autograd::variable_list;

// ---- .grad: accumulation and aliasing.

TEST(Accumulate, ScalarProductGivesTheOtherFactor) {
  Tensor x = leaf({2, 3}), w = leaf({5, 7});
  (x * w).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{5, 7}));
  EXPECT_EQ(values(w.grad()), (Values{2, 3}));
}

TEST(Accumulate, SecondBackwardAddsInPlaceAndKeepsTheTensor) {
  Tensor x = leaf({1, 2});
  (x * 3).sum().backward();
  const Tensor first = x.grad();
  const void* data = first.data_ptr();
  (x * 4).sum().backward();
  EXPECT_TRUE(first.is_same(x.grad()));
  EXPECT_EQ(x.grad().data_ptr(), data);
  EXPECT_EQ(values(first), (Values{7, 7}));
}

TEST(Accumulate, TakesAViewOfAGradientThatNobodyElseHas) {
  Tensor w = taut::ones({2, 3}, requires_grad()), b = leaf({1, 2});
  std::vector<const void*> seen;
  for (Tensor* t : {&w, &b}) t->register_hook([&](const Tensor& g) { seen.push_back(g.data_ptr()); });
  taut::linear(taut::ones({4, 3}), w, b).sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{4, 4, 4, 4, 4, 4}));
  EXPECT_FALSE(w.grad().is_view());
  ASSERT_EQ(seen.size(), 2u);
  for (Tensor* t : {&w, &b}) EXPECT_NE(std::find(seen.begin(), seen.end(), t->grad().data_ptr()), seen.end());
}

TEST(Accumulate, DoesNotTakeAViewOfAGradientThatSomebodyKept) {
  Tensor w = taut::ones({2, 3}, requires_grad()), turned = w.t(), kept;
  turned.register_hook([&](const Tensor& g) { kept = g; });
  turned.exp().sum().backward();
  const Values before = values(kept);
  w.grad().zero_();
  EXPECT_EQ(values(kept), before);
}

TEST(Accumulate, GradDoesNotAliasTheGradientTheUserPassed) {
  Tensor x = leaf({1, 2, 3}), g = constant({1, 1, 1});
  x.backward(g);
  EXPECT_NE(x.grad().data_ptr(), g.data_ptr());
  (x + 1).backward(g);
  EXPECT_EQ(values(x.grad()), (Values{2, 2, 2}));
  EXPECT_EQ(values(g), (Values{1, 1, 1}));
}

TEST(Accumulate, GradDoesNotAliasAGradientThatAHookKept) {
  Tensor x = leaf({1, 2}), kept;
  x.register_hook([&](const Tensor& g) { kept = g; });
  (x * 2).sum().backward();
  EXPECT_NE(x.grad().data_ptr(), kept.data_ptr());
}

TEST(Accumulate, TwoLeavesDoNotShareOneGradient) {
  Tensor x = leaf({1, 2}), y = leaf({3, 4});
  (x + y).sum().backward();
  EXPECT_NE(x.grad().data_ptr(), y.grad().data_ptr());
  x.mutable_grad().mul_(10);
  EXPECT_EQ(values(y.grad()), (Values{1, 1}));
}

TEST(Accumulate, ExpandedGradientBecomesDense) {
  Tensor x = taut::ones({3, 2}, requires_grad());
  x.sum().backward();
  EXPECT_EQ(x.grad().strides(), IntArrayRef({2, 1}));
  x.mutable_grad().index_put_({0, 0}, 5);
  EXPECT_EQ(values(x.grad()), (Values{5, 1, 1, 1, 1, 1}));
}

TEST(Accumulate, GradHasTheLayoutOfADenseLeaf) {
  Tensor x = taut::ones({3, 2}).t().requires_grad_();
  ASSERT_TRUE(x.is_leaf());
  (x * taut::ones({2, 3})).sum().backward();
  EXPECT_EQ(x.grad().strides(), IntArrayRef({1, 2}));
}

TEST(Accumulate, GradOfAnExpandedLeafIsDense) {
  Tensor x = taut::ones({1}).expand({3}).detach().requires_grad_();
  x.sum().backward();
  EXPECT_EQ(x.grad().strides(), IntArrayRef({1}));
  EXPECT_EQ(values(x.grad()), (Values{1, 1, 1}));
}

TEST(Accumulate, AddsToAGradThatTheUserSetInAnotherLayout) {
  Tensor x = taut::zeros({2, 3}, requires_grad());
  x.mutable_grad() = taut::arange(6).to(kFloat).view({3, 2}).t();
  const Tensor mine = x.grad();
  (x * 2).sum().backward();
  EXPECT_TRUE(mine.is_same(x.grad()));
  EXPECT_EQ(values(x.grad()), (Values{2, 4, 6, 3, 5, 7}));
}

TEST(Accumulate, CreateGraphAddsOutOfPlace) {
  Tensor x = leaf({1, 1});
  set_warning_handler([](const std::string&) {});
  x.pow(2).sum().backward({}, {}, true);
  const Tensor first = x.grad();
  EXPECT_TRUE(first.requires_grad());
  x.pow(2).sum().backward({}, {}, true);
  EXPECT_FALSE(first.is_same(x.grad()));
  EXPECT_EQ(values(first), (Values{2, 2}));
  EXPECT_EQ(values(x.grad()), (Values{4, 4}));
  // A later backward without a graph adds in place again.
  const Tensor second = x.grad();
  x.pow(2).sum().backward();
  EXPECT_TRUE(second.is_same(x.grad()));
  EXPECT_EQ(values(second), (Values{6, 6}));
  x.mutable_grad().reset();
  set_warning_handler({});
}

TEST(Accumulate, CreateGraphWarnsOfTheCycle) {
  Tensor x = leaf({1});
  std::string text;
  set_warning_handler([&](const std::string& m) { text = m; });
  (x * x).backward({}, {}, true);
  set_warning_handler({});
  x.mutable_grad().reset();
  expect_says(text, {"reference cycle", "We recommend using autograd.grad"});
}

TEST(Accumulate, AfterResetTheNextBackwardStartsFromZero) {
  Tensor x = leaf({3});
  (x * x).backward();
  const Tensor old = x.grad();
  x.mutable_grad().reset();
  EXPECT_FALSE(x.grad().defined());
  (x * x * x).backward();
  EXPECT_EQ(values(x.grad()), (Values{27}));
  EXPECT_EQ(values(old), (Values{6}));
}

TEST(Accumulate, ZeroingInPlaceKeepsTheTensor) {
  Tensor x = leaf({3});
  (x * x).backward();
  const Tensor g = x.grad();
  x.mutable_grad().zero_();
  (x * x * x).backward();
  EXPECT_TRUE(g.is_same(x.grad()));
  EXPECT_EQ(values(g), (Values{27}));
}

TEST(Accumulate, GradOfAnotherShapeIsRefused) {
  Tensor x = leaf({1, 2, 3});
  x.mutable_grad() = taut::zeros({2, 3});
  expect_says(message_of([&] { x.sum().backward(); }), {"[3]", "[2, 3]"});
}

TEST(MutableGrad, IsKeptOnAnyTensor) {
  Tensor plain = taut::ones({2}), g = taut::ones({2});
  plain.mutable_grad() = g;
  EXPECT_TRUE(plain.grad().is_same(g));
  Tensor other = taut::ones({2});
  EXPECT_FALSE(other.grad().defined());
  other.mutable_grad() = g;
  EXPECT_TRUE(other.grad().is_same(g));
  EXPECT_TRUE(plain.grad().is_same(g));
  Tensor result = leaf({1, 2}) * 2;
  result.mutable_grad() = g;
  EXPECT_TRUE(result.grad().is_same(g));
  Tensor integers = taut::arange(3);
  integers.mutable_grad() = taut::arange(3);
  EXPECT_TRUE(integers.grad().defined());
}

TEST(MutableGrad, OfAnUndefinedTensorThrows) {
  EXPECT_THROW(Tensor().grad(), Error);
  EXPECT_THROW(Tensor().mutable_grad(), Error);
  EXPECT_THROW(Tensor().is_leaf(), Error);
  EXPECT_THROW(Tensor().grad_fn(), Error);
  EXPECT_THROW(Tensor().retain_grad(), Error);
  EXPECT_THROW(Tensor().backward(), Error);
  EXPECT_FALSE(Tensor().requires_grad());
}

// ---- retain_graph, create_graph.

TEST(RetainGraph, AllowsAnyNumberOfPasses) {
  Tensor x = leaf({3});
  Tensor y = x * x;
  for (int i = 0; i < 3; ++i) y.backward({}, true);
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{24}));
  EXPECT_THROW(y.backward(), Error);
}

TEST(RetainGraph, IsNotNeededWhereNothingWasSaved) {
  Tensor x = leaf({3});
  Tensor y = (x + x).sum();
  y.backward();
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{4}));
}

TEST(RetainGraph, FollowsCreateGraphUnlessSaid) {
  Tensor x = leaf({3});
  Tensor y = x * x;
  grad({y}, {x}, {}, {}, true);
  grad({y}, {x}, {}, false, true);
  EXPECT_THROW(grad({y}, {x}), Error);
}

TEST(RetainGraph, OnePartOfASharedGraphMayBeFreedByTheOther) {
  Tensor x = leaf({3});
  Tensor shared = x.exp();
  Tensor a = shared * 2, b = shared * 3;
  a.backward();
  EXPECT_THROW(b.backward(), Error);
}

TEST(RetainGraph, WithoutItTheInputOfAProductIsGoneBeforeItsGradientIsMade) {
  const Tensor x = rand({512, 1024}).requires_grad_(), w = rand({1024, 16}).requires_grad_();
  const int64_t bytes = x.numel() * 4;
  for (const bool keep : {false, true}) {
    x.mutable_grad().reset(), w.mutable_grad().reset();
    const Tensor loss = (x + 1).matmul(w).sum();
    const int64_t before = memory_stats().allocated;
    reset_peak_memory_stats();
    loss.backward({}, keep);
    const int64_t more = memory_stats().peak - before;
    if (keep) EXPECT_GT(more, bytes);
    else EXPECT_LT(more, bytes / 2);
    EXPECT_TRUE(allclose(w.grad(), (x + 1).sum(0).unsqueeze(1).expand({1024, 16})));
    EXPECT_TRUE(allclose(x.grad(), w.sum(1).expand({512, 1024})));
  }
}

TEST(CreateGraph, FourthDerivativeOfAPolynomialAndOfExp) {
  Tensor x = tensor(1.5, dtype(kDouble).requires_grad(true));
  Tensor y = x.pow(5) + (x * 2).exp();
  double factor = 1, power = 5;
  for (int order = 1; order <= 4; ++order) {
    y = grad({y}, {x}, {}, {}, true)[0];
    factor *= power--;
    const double expected = factor * std::pow(1.5, power) + std::pow(2, order) * std::exp(3);
    EXPECT_NEAR(y.item<double>(), expected, 1e-9 * expected) << order;
  }
}

TEST(CreateGraph, HessianVectorProduct) {
  Tensor x = leaf({1, 2, 3});
  Tensor y = (x * x * x).sum();
  Tensor g = grad({y}, {x}, {}, {}, true)[0];
  Tensor hv = grad({g}, {x}, {constant({1, 0, 2})})[0];
  EXPECT_EQ(values(hv), (Values{6, 0, 36}));
}

TEST(CreateGraph, WithoutItTheResultHasNoGraph) {
  Tensor x = leaf({2});
  Tensor g = grad({x * x}, {x})[0];
  EXPECT_FALSE(g.requires_grad());
}

TEST(CreateGraph, GradientPenaltyReachesTheWeights) {
  Tensor w = leaf({2, 3}), x = leaf({1, 1});
  Tensor y = (w * x * x).sum();
  Tensor g = grad({y}, {x}, {}, {}, true)[0];  // 2 w x
  (g * g).sum().backward();                    // 4 w^2 x^2
  EXPECT_EQ(values(w.grad()), (Values{16, 24}));
  EXPECT_EQ(values(x.grad()), (Values{32, 72}));
}

// ---- inputs.

TEST(Inputs, OnlyTheChosenLeavesAreFilled) {
  Tensor x = leaf({2}), w = leaf({3});
  (x * w).backward({}, {}, false, TensorList({x}));
  EXPECT_EQ(values(x.grad()), (Values{3}));
  EXPECT_FALSE(w.grad().defined());
}

TEST(Inputs, ANonLeafKeepsItsGradientAndNothingBeyondIsComputed) {
  Tensor x = leaf({2, 2}), w = leaf({3, 3});
  Tensor y = x * w;
  y.sum().backward({}, {}, false, TensorList({y}));
  EXPECT_EQ(values(y.grad()), (Values{1, 1}));
  EXPECT_TRUE(y.retains_grad());
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(w.grad().defined());
}

TEST(Inputs, ALeafAndATensorComputedFromIt) {
  Tensor x = leaf({2});
  Tensor y = x * x;
  (y * 3).backward({}, {}, false, TensorList({x, y}));
  EXPECT_EQ(values(x.grad()), (Values{12}));
  EXPECT_EQ(values(y.grad()), (Values{3}));
}

TEST(Inputs, TheSameInputTwice) {
  Tensor x = leaf({2});
  const variable_list g = grad({x * x}, {x, x});
  EXPECT_EQ(values(g[0]), (Values{4}));
  EXPECT_EQ(values(g[1]), (Values{4}));
  (x * x).backward({}, {}, false, TensorList({x, x}));
  EXPECT_EQ(values(x.grad()), (Values{4}));
}

TEST(Inputs, EmptyListIsAnError) {
  Tensor x = leaf({2});
  expect_says(message_of([&] { (x * x).backward({}, {}, false, TensorList()); }),
              {"`inputs` argument to `backward()` cannot be empty"});
}

TEST(Inputs, BranchesThatLeadNowhereAreNotComputed) {
  Tensor x = leaf({2}), w = leaf({3});
  bool ran = false;
  Tensor branch = w * w;
  branch.grad_fn()->add_pre_hook([&](std::vector<Tensor>&) { ran = true; });
  grad({x * x + branch}, {x});
  EXPECT_FALSE(ran);
}

TEST(Inputs, TenThousandAtOnce) {
  std::vector<Tensor> inputs;
  Tensor sum = taut::zeros({});
  for (int i = 0; i < 10000; ++i) {
    inputs.push_back(tensor(static_cast<double>(i), dtype(kFloat).requires_grad(true)));
    sum = sum + inputs.back() * i;
  }
  const variable_list g = grad({sum}, inputs);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(g[static_cast<size_t>(i)].item<double>(), i);
}

TEST(Grad, AccumulatesNothing) {
  Tensor x = leaf({2}), w = leaf({3});
  grad({x * w}, {x});
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(w.grad().defined());
}

TEST(Grad, OfAnIntermediateTensor) {
  Tensor x = leaf({2});
  Tensor y = x * x, z = y * y;
  const variable_list g = grad({z}, {y, x});
  EXPECT_EQ(values(g[0]), (Values{8}));
  EXPECT_EQ(values(g[1]), (Values{32}));
}

TEST(Grad, OfATensorWithRespectToItself) {
  Tensor x = leaf({2, 3});
  EXPECT_EQ(values(grad({x}, {x}, {constant({4, 5})})[0]), (Values{4, 5}));
  Tensor y = x * 2;
  EXPECT_EQ(values(grad({y}, {y}, {constant({4, 5})})[0]), (Values{4, 5}));
}

TEST(Grad, UnusedInputIsUndefinedOnlyWhenAllowed) {
  Tensor x = leaf({2}), unused = leaf({1, 1});
  const auto y = [&] { return x * x; };
  EXPECT_THROW(grad({y()}, {x, unused}), Error);
  const variable_list g = grad({y()}, {x, unused}, {}, {}, false, true);
  EXPECT_EQ(values(g[0]), (Values{4}));
  EXPECT_FALSE(g[1].defined());
}

TEST(Grad, MaterializeGradsMakesZeros) {
  Tensor x = leaf({2}), unused = leaf({1, 1});
  const variable_list g = grad({x * x}, {x, unused}, {}, {}, false, true, true);
  EXPECT_EQ(values(g[1]), (Values{0, 0}));
  EXPECT_EQ(g[1].scalar_type(), kFloat);
}

TEST(Grad, NeedsInputs) {
  Tensor x = leaf({2});
  EXPECT_THROW(grad({x * x}, {}), Error);
  EXPECT_THROW(grad({x * x}, {Tensor()}), Error);
  EXPECT_THROW(grad({Tensor()}, {x}), Error);
}

// ---- Outputs.

TEST(Outputs, NonScalarWithAGradient) {
  Tensor x = leaf({1, 2, 3});
  (x * x).backward(constant({1, 10, 100}));
  EXPECT_EQ(values(x.grad()), (Values{2, 40, 600}));
}

TEST(Outputs, OneElementNeedsNoGradientWhateverItsShape) {
  Tensor x = taut::ones({1, 1, 1}, requires_grad());
  (x * 3).backward();
  EXPECT_EQ(values(x.grad()), (Values{3}));
}

TEST(Outputs, SeveralAtOnce) {
  Tensor x = leaf({2});
  Tensor a = x * 3, b = x * x;
  autograd::backward({a, b}, {constant({10}), Tensor()});
  EXPECT_EQ(values(x.grad()), (Values{34}));
}

TEST(Outputs, SumOverSeveralInGrad) {
  Tensor x = leaf({2, 5});
  const variable_list g = grad({x * 3, (x * x).sum()}, {x}, {constant({1, 2}), Tensor()});
  EXPECT_EQ(values(g[0]), (Values{7, 16}));
}

TEST(Outputs, TheSameRootTwiceCountsTwice) {
  Tensor x = leaf({2});
  Tensor y = x * x;
  autograd::backward({y, y});
  EXPECT_EQ(values(x.grad()), (Values{8}));
}

TEST(Outputs, ARootThatIsComputedFromAnother) {
  Tensor x = leaf({2});
  Tensor y = x * x, z = y * 10;
  autograd::backward({y, z});
  EXPECT_EQ(values(x.grad()), (Values{44}));
}

TEST(Outputs, ALeafAsRoot) {
  Tensor x = leaf({2, 3});
  x.backward(constant({1, 2}));
  x.backward(constant({1, 2}));
  EXPECT_EQ(values(x.grad()), (Values{2, 4}));
  Tensor s = leaf({5});
  s.backward();
  EXPECT_EQ(values(s.grad()), (Values{1}));
}

TEST(Outputs, GradientOfAnotherDtypeIsConverted) {
  Tensor x = leaf({1, 2});
  (x * 2).backward(taut::ones({2}, kDouble));
  EXPECT_EQ(x.grad().scalar_type(), kFloat);
  (x * 2).backward(taut::ones({2}, kLong));
  EXPECT_EQ(values(x.grad()), (Values{4, 4}));
}

TEST(Outputs, GradientOfAnotherShapeIsRefused) {
  Tensor x = leaf({1, 2});
  expect_says(message_of([&] { (x * 2).backward(taut::ones({1})); }),
              {"Mismatch in shape: grad_output[0] has a shape of [1] and output[0] has a shape of [2]"});
  EXPECT_THROW(autograd::backward({x * 2}, {taut::ones({2}), taut::ones({2})}), Error);
}

TEST(Outputs, NoElements) {
  Tensor x = taut::zeros({0, 3}, requires_grad());
  (x * 2).sum().backward();
  EXPECT_EQ(x.grad().sizes(), IntArrayRef({0, 3}));
  EXPECT_THROW((x * 2).backward(), Error);
  (x * 2).backward(taut::zeros({0, 3}));
}

TEST(Outputs, OfFloat16AndBfloat16) {
  for (const ScalarType t : {kHalf, kBFloat16}) {
    Tensor x = leaf({1, 2, 3}).detach().to(t).requires_grad_();
    (x * x).sum().backward();
    EXPECT_EQ(x.grad().scalar_type(), t);
    EXPECT_EQ(values(x.grad()), (Values{2, 4, 6}));
    Tensor w = leaf({1, 2, 3});
    x.mutable_grad().reset();
    (x * w).sum().backward();  // computed in float32
    EXPECT_EQ(x.grad().scalar_type(), t);
    EXPECT_EQ(w.grad().scalar_type(), kFloat);
    EXPECT_EQ(values(w.grad()), (Values{1, 2, 3}));
  }
}

// ---- The same tensor used twice, undefined gradients.

TEST(Graph, TheSameTensorAsBothOperands) {
  Tensor x = leaf({3});
  (x * x).backward();
  EXPECT_EQ(values(x.grad()), (Values{6}));
}

TEST(Graph, ADiamondSumsItsBranches) {
  Tensor x = leaf({3});
  Tensor y = x * 2;
  Tensor a = y * y, b = y.exp() * 0, c = y;
  (a + b + c).backward();
  EXPECT_EQ(values(x.grad()), (Values{26}));
}

TEST(Graph, AWideFanInIsSummed) {
  Tensor x = leaf({1, 1});
  Tensor sum = x * 0;
  for (int i = 1; i <= 100; ++i) sum = sum + x * i;
  sum.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{5050, 5050}));
}

TEST(Graph, BroadcastingIsUndone) {
  Tensor row = leaf({1, 2, 3}), column = taut::ones({2, 1}, requires_grad()), number = tensor(2.0, requires_grad());
  (row * column * number).sum().backward();
  EXPECT_EQ(values(row.grad()), (Values{4, 4, 4}));
  EXPECT_EQ(column.grad().sizes(), IntArrayRef({2, 1}));
  EXPECT_EQ(values(column.grad()), (Values{12, 12}));
  EXPECT_EQ(number.grad().dim(), 0);
  EXPECT_EQ(values(number.grad()), (Values{12}));
}

TEST(UndefinedGradients, OfUnbindsUnusedOutputsAreZero) {
  Tensor x = leaf({1, 2, 3});
  const std::vector<Tensor> parts = x.unbind();
  (parts[1] * 5).backward();
  EXPECT_EQ(values(x.grad()), (Values{0, 5, 0}));
}

TEST(UndefinedGradients, OfSplitAndChunk) {
  Tensor x = leaf({1, 2, 3, 4, 5});
  const std::vector<Tensor> parts = x.split(2);
  (parts[0].sum() * 2 + parts[2].sum() * 3).backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 2, 0, 0, 3}));
  x.mutable_grad().reset();
  x.chunk(2)[1].sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{0, 0, 0, 1, 1}));
}

TEST(UndefinedGradients, MaxWithIndices) {
  Tensor x = leaf({3, 1, 2});
  auto [value, index] = x.max(0);
  EXPECT_TRUE(value.requires_grad());
  EXPECT_FALSE(index.requires_grad());
  EXPECT_TRUE(index.is_leaf());
  (value * 4).backward();
  EXPECT_EQ(values(x.grad()), (Values{4, 0, 0}));
}

TEST(UndefinedGradients, ThroughAChainOfMultiOutputOps) {
  Tensor x = taut::arange(4, dtype(kFloat).requires_grad(true));
  auto sorted = x.sort(0, true);
  const std::vector<Tensor> parts = std::get<0>(sorted).split(1);
  parts[0].sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{0, 0, 0, 1}));
}

TEST(UndefinedGradients, GradOfAnUnusedOutputOfAMultiOutputOp) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 1;
  const std::vector<Tensor> parts = y.unbind();
  const variable_list g = grad({parts[0]}, {parts[0], parts[1]}, {}, {}, false, true);
  EXPECT_EQ(values(g[0]), (Values{1}));
  EXPECT_FALSE(g[1].defined());
}

TEST(Graph, IntegerTensorsNeverTakePart) {
  Tensor x = leaf({1, 2});
  Tensor i = x.to(kLong);
  EXPECT_FALSE(i.requires_grad());
  EXPECT_FALSE((x > 1).requires_grad());
  EXPECT_FALSE(x.argmax().requires_grad());
}

TEST(Graph, NamesAndNextFunctions) {
  Tensor x = leaf({1, 2}), w = leaf({3, 4}), c = constant({1, 1});
  Tensor y = x * w, z = (y + c).sum();
  EXPECT_STREQ(y.grad_fn()->name(), "MulBackward0");
  EXPECT_STREQ(z.grad_fn()->name(), "SumBackward0");
  auto next = z.grad_fn()->next_functions();
  ASSERT_EQ(next.size(), 1u);
  EXPECT_STREQ(next[0].first->name(), "AddBackward0");
  next = next[0].first->next_functions();
  ASSERT_EQ(next.size(), 2u);
  EXPECT_EQ(next[0].first, y.grad_fn());
  EXPECT_FALSE(next[1].first);  // the constant
  next = y.grad_fn()->next_functions();
  EXPECT_STREQ(next[0].first->name(), "AccumulateGrad");
  EXPECT_STREQ(next[1].first->name(), "AccumulateGrad");
  auto* end = static_cast<autograd::Node*>(next[1].first.get());
  EXPECT_EQ(end->num_inputs(), 0u);
  EXPECT_FALSE(x.grad_fn());
  EXPECT_TRUE(x.is_leaf());
  EXPECT_FALSE(y.is_leaf());
  EXPECT_GT(z.grad_fn()->sequence_nr(), y.grad_fn()->sequence_nr());
  const std::vector<Tensor> parts = y.unbind();
  EXPECT_EQ(parts[1].output_nr(), 1);
  EXPECT_EQ(z.grad_fn()->output_sizes().size(), 0u);
}

// ---- requires_grad, detach, modes.

TEST(RequiresGrad, OnlyFloatingPointAndOnlyLeaves) {
  expect_says(message_of([] { taut::arange(3).requires_grad_(); }),
              {"only Tensors of floating point and complex dtype can require gradients", "int64"});
  Tensor y = leaf({1}) * 2;
  y.requires_grad_();  // it does already
  expect_says(message_of([&] { y.requires_grad_(false); }),
              {"you can only change requires_grad flags of leaf variables", "detach()"});
  Tensor x = leaf({1});
  x.requires_grad_(false);
  EXPECT_FALSE((x * 2).requires_grad());
  taut::arange(3).requires_grad_(false);
}

TEST(RequiresGrad, SwitchedOffBeforeBackwardGetsNoGrad) {
  Tensor x = leaf({2}), w = leaf({3});
  Tensor y = x * w;
  x.requires_grad_(false);
  y.backward();
  EXPECT_FALSE(x.grad().defined());
  EXPECT_EQ(values(w.grad()), (Values{2}));
}

TEST(RequiresGrad, HistoryIsTheOneAtTheTimeOfTheOp) {
  Tensor x = leaf({2}), w = constant({3});
  Tensor y = x * w;
  w.requires_grad_();
  y.backward({}, true);
  EXPECT_FALSE(w.grad().defined());
  Tensor g = grad({y}, {x}, {}, {}, true)[0];  // w, as the constant it was
  EXPECT_FALSE(g.requires_grad());
}

TEST(Detach, SharesMemoryAndCutsTheGraph) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2, d = y.detach();
  EXPECT_FALSE(d.requires_grad());
  EXPECT_TRUE(d.is_leaf());
  EXPECT_EQ(d.data_ptr(), y.data_ptr());
  (y * d).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{4, 8}));
}

TEST(Detach, InPlaceMakesALeafAndLeavesEarlierUsesAlone) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2, z = y * y;
  y.detach_();
  EXPECT_TRUE(y.is_leaf());
  EXPECT_FALSE(y.requires_grad());
  z.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{8, 16}));
}

TEST(Detach, EarlierUsesStillHaveSecondDerivatives) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2, z = y * y;  // 4 x^2
  y.detach_();
  Tensor g = grad({z.sum()}, {x}, {}, {}, true)[0];
  EXPECT_EQ(values(grad({g.sum()}, {x})[0]), (Values{8, 8}));
}

TEST(Detach, InPlaceOnAViewIsRefused) {
  Tensor x = leaf({1, 2});
  expect_says(message_of([&] {
                (x * 2).view({2, 1}).detach_();
              }),
              {"Can't detach views in-place. Use detach() instead."});
}

TEST(Modes, NoGradRecordsNothing) {
  Tensor x = leaf({1, 2});
  {
    NoGradGuard guard;
    EXPECT_FALSE(GradMode::is_enabled());
    EXPECT_FALSE((x * 2).requires_grad());
    {
      EnableGradGuard on;
      EXPECT_TRUE((x * 2).requires_grad());
    }
    EXPECT_FALSE((x * 2).requires_grad());
  }
  EXPECT_TRUE((x * 2).requires_grad());
  {
    AutoGradMode off(false);
    EXPECT_FALSE((x * 2).requires_grad());
  }
}

TEST(Modes, ALeafMadeUnderNoGradMayRequireGrad) {
  NoGradGuard guard;
  Tensor x = leaf({1});
  EXPECT_TRUE(x.requires_grad());
}

TEST(Modes, BackwardWorksUnderNoGrad) {
  Tensor x = leaf({3});
  Tensor y = x * x;
  NoGradGuard guard;
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{6}));
  EXPECT_FALSE(GradMode::is_enabled());
}

TEST(Modes, BackwardRecordsOnlyWithCreateGraph) {
  Tensor x = leaf({3});
  bool mode = true;
  Tensor y = x * x;
  y.register_hook([&](const Tensor&) { mode = GradMode::is_enabled(); });
  y.backward({}, true);
  EXPECT_FALSE(mode);
  grad({y}, {x}, {}, {}, true);
  EXPECT_TRUE(mode);
}

TEST(Inference, TensorsMadeThereAreMarked) {
  Tensor w = leaf({1, 2}), made, computed, view_of_normal, detached;
  {
    InferenceMode guard;
    EXPECT_TRUE(InferenceMode::is_enabled());
    EXPECT_FALSE(GradMode::is_enabled());
    made = taut::ones({2});
    computed = w + 1;
    view_of_normal = w.view({2, 1});
    detached = w.detach();
  }
  EXPECT_FALSE(InferenceMode::is_enabled());
  EXPECT_TRUE(made.is_inference());
  EXPECT_TRUE(computed.is_inference());
  EXPECT_FALSE(view_of_normal.is_inference());
  EXPECT_FALSE(detached.is_inference());
  EXPECT_TRUE(made.view({2, 1}).is_inference());
  EXPECT_TRUE(made.detach().is_inference());
  EXPECT_FALSE((made + 1).is_inference());
  EXPECT_FALSE(made.clone().is_inference());
}

TEST(Inference, TensorsCannotBeSavedButMayBeUsed) {
  Tensor w = leaf({1, 2}), made;
  {
    InferenceMode guard;
    made = taut::ones({2});
  }
  Tensor sum = w + made;  // saves nothing
  sum.sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{1, 1}));
  expect_says(message_of([&] { w* made; }), {"Inference tensors cannot be saved for backward", "clone"});
  (w * made.clone()).sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{2, 2}));
}

TEST(Inference, WritesOutsideAreRefused) {
  Tensor made;
  {
    InferenceMode guard;
    made = taut::ones({2});
    made.add_(1);
  }
  expect_says(message_of([&] { made.add_(1); }),
              {"Inplace update to inference tensor outside InferenceMode is not allowed", "add_", "clone"});
  EXPECT_EQ(values(made), (Values{2, 2}));
  expect_says(message_of([&] { made._version(); }), {"Inference tensors do not track version counter."});
  expect_says(message_of([&] { made.requires_grad_(); }),
              {"Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."});
}

TEST(Inference, ANormalTensorMayBeWrittenInsideAndItsVersionCounts) {
  Tensor x = leaf({1, 2});
  Tensor y = x.exp();
  {
    InferenceMode guard;
    y.add_(1);
  }
  EXPECT_EQ(y._version(), 1u);
  EXPECT_THROW(y.sum().backward(), Error);
}

TEST(Inference, AViewMadeInsideMayNotBeWrittenOutside) {
  Tensor y = leaf({1, 2}) * 1, v;
  {
    InferenceMode guard;
    v = y.view({2, 1});
  }
  expect_says(message_of([&] { v.mul_(2); }),
              {"A view was created in inference mode and is being modified inplace in normal mode.", "mul_", "[2, 1]"});
}

TEST(Inference, MayBeSwitchedOffInside) {
  InferenceMode outer;
  Tensor a = taut::ones({2});
  InferenceMode inner(false);
  Tensor b = taut::ones({2}, requires_grad());
  EXPECT_TRUE((b * 2).requires_grad());
  EXPECT_FALSE(b.is_inference());
  EXPECT_THROW(a.add_(1), Error);
}

TEST(Data, WritesThroughItAreNotNoticed) {
  Tensor x = leaf({1, 1});
  Tensor y = x.exp();
  y.data().mul_(2);
  EXPECT_EQ(y._version(), 0u);
  y.sum().backward();
  EXPECT_NEAR(values(x.grad())[0], 2 * std::exp(1), 1e-5);
  x.data().fill_(7);
  EXPECT_EQ(values(x), (Values{7, 7}));
}
