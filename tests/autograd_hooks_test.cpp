// Hooks on tensors, leaves and nodes, retain_grad, and backward inside a hook.
#include "autograd/meta.h"
#include "autograd_support.h"
#include "taut/autograd/graph.h"

using namespace taut;
using namespace taut::testing;
using autograd::grad;
using autograd::variable_list;

TEST(TensorHook, SeesTheGradient) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 3, seen;
  y.register_hook([&](const Tensor& g) { seen = g; });
  (y * 2).sum().backward();
  EXPECT_EQ(values(seen), (Values{2, 2}));
  EXPECT_EQ(values(x.grad()), (Values{6, 6}));
}

TEST(TensorHook, MayReplaceTheGradient) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 3;
  y.register_hook([](const Tensor& g) { return g * 10; });
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{30, 30}));
}

TEST(TensorHook, OnALeafRunsBeforeAccumulation) {
  Tensor x = leaf({1, 2});
  x.register_hook([](const Tensor& g) { return g * 10; });
  (x * 2).sum().backward();
  (x * 2).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{40, 40}));
}

TEST(TensorHook, RunsOnceWithTheSumOfAllUses) {
  Tensor x = leaf({1});
  Tensor y = x * 1;
  int calls = 0;
  y.register_hook([&](const Tensor& g) {
    ++calls;
    EXPECT_EQ(values(g), (Values{5}));
  });
  (y * 2 + y * 3).backward();
  EXPECT_EQ(calls, 1);
}

TEST(TensorHook, SeveralRunInOrderEachOnTheResultOfTheOneBefore) {
  Tensor x = leaf({1});
  x.register_hook([](const Tensor& g) { return g + 1; });
  x.register_hook([](const Tensor& g) { return g * 10; });
  (x * 2).backward();
  EXPECT_EQ(values(x.grad()), (Values{30}));
}

TEST(NodeHook, RemovingOneLeavesTheOthers) {
  for (int removed = 0; removed < 4; ++removed) {
    Tensor x = leaf({1});
    const Tensor y = x * 2;
    std::string ran;
    const auto pre = [&](const char* name) {
      return y.grad_fn()->add_pre_hook([&ran, name](variable_list&) { ran += name; });
    };
    const auto post = [&](const char* name) {
      return y.grad_fn()->add_post_hook([&ran, name](variable_list&, const variable_list&) { ran += name; });
    };
    const unsigned handles[] = {pre("a"), pre("b"), post("c"), post("d")};
    y.grad_fn()->remove_hook(handles[removed]);
    y.backward();
    std::string want = "abcd";
    want.erase(static_cast<size_t>(removed), 1);
    EXPECT_EQ(ran, want);
  }
}

TEST(TensorHook, AnUndefinedResultLeavesTheGradient) {
  Tensor x = leaf({1});
  x.register_hook([](const Tensor&) { return Tensor(); });
  (x * 2).backward();
  EXPECT_EQ(values(x.grad()), (Values{2}));
}

TEST(TensorHook, CanBeRemoved) {
  Tensor x = leaf({1});
  Tensor y = x * 1;
  const unsigned a = y.register_hook([](const Tensor& g) { return g * 10; });
  const unsigned b = x.register_hook([](const Tensor& g) { return g * 100; });
  EXPECT_NE(a, b);
  y.backward({}, true);
  y.remove_hook(a);
  y.backward({}, true);
  x.remove_hook(b);
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{1000 + 100 + 1}));
  x.remove_hook(b);                                   // once more: nothing happens
  EXPECT_THROW(x.remove_hook(12345678), IndexError);  // that no hook ever had
  constant({1}).remove_hook(0);
}

TEST(TensorHook, OneOfSeveralIsRemovedAndTheOthersCanBeLater) {
  Tensor x = leaf({1});
  Tensor y = x * 1;
  unsigned id[3];
  for (int i = 0; i < 3; ++i) id[i] = y.register_hook([](const Tensor& g) { return g * 10; });
  for (int i : {1, 0, 2}) {
    y.remove_hook(id[i]);
    y.backward({}, true);
  }
  EXPECT_EQ(values(x.grad()), (Values{100 + 10 + 1}));
}

TEST(TensorHook, AfterAnInPlaceOpStaysWithTheOldValue) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2;
  std::vector<std::string> order;
  const unsigned old = y.register_hook([&](const Tensor& g) {
    order.push_back("old");
    EXPECT_EQ(values(g), (Values{3, 3}));
  });
  y.mul_(3);
  y.register_hook([&](const Tensor& g) {
    order.push_back("new");
    EXPECT_EQ(values(g), (Values{1, 1}));
  });
  y.sum().backward({}, true);
  EXPECT_EQ(order, (std::vector<std::string>{"new", "old"}));
  y.remove_hook(old);  // still found
  y.sum().backward();
  EXPECT_EQ(order.size(), 3u);
}

TEST(TensorHook, OfOneOutputOfSeveral) {
  Tensor x = leaf({1, 2, 3});
  const std::vector<Tensor> parts = x.unbind();
  parts[1].register_hook([](const Tensor& g) { return g * 10; });
  int calls = 0;
  parts[2].register_hook([&](const Tensor&) { ++calls; });
  (parts[0] + parts[1]).backward();
  EXPECT_EQ(values(x.grad()), (Values{1, 10, 0}));
  EXPECT_EQ(calls, 0);  // no gradient came
}

TEST(TensorHook, MustKeepShapeAndDtype) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2;
  const unsigned h = y.register_hook([](const Tensor& g) { return g.slice(0, 0, 1); });
  expect_says(message_of([&] { y.sum().backward({}, true); }), {"hook", "changed the size", "[2]", "[1]"});
  y.remove_hook(h);
  y.register_hook([](const Tensor& g) { return g.to(kDouble); });
  expect_says(message_of([&] { y.sum().backward(); }), {"hook", "type", "float32", "float64"});
}

TEST(TensorHook, NeedsATensorThatRequiresGrad) {
  expect_says(message_of([] { constant({1}).register_hook([](const Tensor& g) { return g; }); }),
              {"cannot register a hook on a tensor that doesn't require gradient"});
}

TEST(TensorHook, IsRecordedUnderCreateGraph) {
  Tensor x = leaf({3});
  Tensor y = x * x;
  y.register_hook([&](const Tensor& g) { return g * x; });
  Tensor g = grad({y}, {x}, {}, {}, true)[0];  // 2 x * x
  EXPECT_EQ(values(g), (Values{18}));
  EXPECT_EQ(values(grad({g}, {x})[0]), (Values{12}));
}

TEST(TensorHook, RunsForGradOfALeafAndOfWhatIsAskedFor) {
  Tensor x = leaf({1, 1});
  x.register_hook([](const Tensor& g) { return g * 3; });
  Tensor y = x * 2;
  y.register_hook([](const Tensor& g) { return g * 10; });
  EXPECT_EQ(values(grad({(y * y).sum()}, {x}, {}, true)[0]), (Values{240, 240}));
  EXPECT_EQ(values(grad({(y * y).sum()}, {y}, {}, true)[0]), (Values{40, 40}));
  // As in PyTorch: when the pass goes on through y, its own result is taken before the hook.
  EXPECT_EQ(values(grad({(y * y).sum()}, {y, x})[0]), (Values{4, 4}));
}

TEST(TensorHook, MayRegisterAndRemoveHooksWhileItRuns) {
  Tensor x = leaf({1});
  Tensor y = x * 1;
  int added = 0;
  unsigned self = 0;
  self = y.register_hook([&](const Tensor&) {
    y.remove_hook(self);
    y.register_hook([&](const Tensor&) { ++added; });
  });
  y.backward({}, true);
  EXPECT_EQ(added, 0);
  y.backward({}, true);
  EXPECT_EQ(added, 1);
}

TEST(TensorHook, MayCallBackward) {
  Tensor x = leaf({2}), w = leaf({3});
  Tensor y = x * x;
  y.register_hook([&](const Tensor&) {
    EnableGradGuard on;
    (w * w).backward();
  });
  y.backward();
  EXPECT_EQ(values(w.grad()), (Values{6}));
  EXPECT_EQ(values(x.grad()), (Values{4}));
}

TEST(TensorHook, MayCallBackwardOnTheGraphThatIsRunning) {
  Tensor x = leaf({2});
  Tensor y = x * x, z = y * 3;
  bool inside = false;
  y.register_hook([&](const Tensor&) {
    if (std::exchange(inside, true)) return;
    z.backward({}, true);
  });
  z.backward({}, true);
  EXPECT_EQ(values(x.grad()), (Values{24}));
}

TEST(TensorHook, AnExceptionComesOutUnchangedAndTheGraphCanRunAgain) {
  struct Mine : std::exception {};
  Tensor x = leaf({2});
  Tensor y = x * x;
  bool fail = true;
  y.register_hook([&](const Tensor&) {
    if (fail) throw Mine();
  });
  EXPECT_THROW(y.backward({}, true), Mine);
  EXPECT_FALSE(x.grad().defined());
  EXPECT_TRUE(GradMode::is_enabled());
  fail = false;
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{4}));
}

TEST(TensorHook, MayDropTheLastTensorOfTheGraph) {
  Tensor x = leaf({2});
  Tensor y = x * x;
  auto* z = new Tensor(y * 3);
  y.register_hook([&](const Tensor&) { y.reset(); });
  z->register_hook([&](const Tensor&) { z->mul_(2); });
  autograd::backward({*z});
  delete z;
  EXPECT_EQ(values(x.grad()), (Values{12}));
}

// ---- After accumulation.

TEST(PostAccumulateHook, SeesTheLeafWithItsGrad) {
  Tensor x = leaf({1, 2});
  std::vector<Values> seen;
  const unsigned h = x.register_post_accumulate_grad_hook([&](const Tensor& t) {
    EXPECT_TRUE(t.is_same(x));
    seen.push_back(values(t.grad()));
  });
  (x * 2).sum().backward();
  (x * 2).sum().backward();
  EXPECT_EQ(seen, (std::vector<Values>{{2, 2}, {4, 4}}));
  x.remove_hook(h);
  (x * 2).sum().backward();
  EXPECT_EQ(seen.size(), 2u);
}

TEST(PostAccumulateHook, MayStepAndClear) {
  Tensor x = leaf({1, 2});
  x.register_post_accumulate_grad_hook([](const Tensor& t) {
    NoGradGuard guard;
    t.sub_(t.grad());
    t.mutable_grad().reset();
  });
  (x * 1).sum().backward();
  EXPECT_EQ(values(x), (Values{0, 1}));
  EXPECT_FALSE(x.grad().defined());
}

TEST(PostAccumulateHook, IsForLeavesThatRequireGrad) {
  Tensor x = leaf({1});
  expect_says(message_of([&] { (x * 2).register_post_accumulate_grad_hook([](const Tensor&) {}); }),
              {"post accumulate grad hooks cannot be registered on non-leaf tensors"});
  EXPECT_THROW(constant({1}).register_post_accumulate_grad_hook([](const Tensor&) {}), Error);
}

TEST(PostAccumulateHook, DoesNotRunForGrad) {
  Tensor x = leaf({1});
  int calls = 0;
  x.register_post_accumulate_grad_hook([&](const Tensor&) { ++calls; });
  grad({x * 2}, {x});
  EXPECT_EQ(calls, 0);
}

// ---- Nodes.

TEST(NodeHook, PreAndPostSeeAndReplaceGradients) {
  Tensor x = leaf({1, 2}), w = leaf({3, 4});
  Tensor y = x * w;
  const unsigned pre = y.grad_fn()->add_pre_hook([](std::vector<Tensor>& g) {
    ASSERT_EQ(g.size(), 1u);
    g[0] = g[0] * 10;
  });
  const unsigned post = y.grad_fn()->add_post_hook([](std::vector<Tensor>& in, const std::vector<Tensor>& out) {
    ASSERT_EQ(in.size(), 2u);
    EXPECT_EQ(values(in[0]), (Values{30, 40}));
    EXPECT_EQ(values(out[0]), (Values{10, 10}));
    in[1] = Tensor();
  });
  y.sum().backward({}, true);
  EXPECT_EQ(values(x.grad()), (Values{30, 40}));
  EXPECT_FALSE(w.grad().defined());
  y.grad_fn()->remove_hook(pre);
  y.grad_fn()->remove_hook(post);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{33, 44}));
  EXPECT_EQ(values(w.grad()), (Values{1, 2}));
}

TEST(NodeHook, OrderIsTensorThenPreThenBackwardThenPost) {
  Tensor x = leaf({1});
  Tensor y = x * 2;
  std::string order;
  y.grad_fn()->add_post_hook([&](std::vector<Tensor>&, const std::vector<Tensor>&) { order += "post "; });
  y.grad_fn()->add_pre_hook([&](std::vector<Tensor>&) { order += "pre "; });
  y.register_hook([&](const Tensor&) { order += "tensor "; });
  x.register_hook([&](const Tensor&) { order += "leaf"; });
  y.backward();
  EXPECT_EQ(order, "tensor pre post leaf");
}

TEST(NodeHook, OnTheEndOfTheGraph) {
  Tensor x = leaf({1});
  Tensor y = x * 2;
  const auto end = y.grad_fn()->next_functions()[0].first;
  end->add_pre_hook([](std::vector<Tensor>& g) { g[0] = g[0] * 5; });
  int calls = 0;
  end->add_post_hook([&](std::vector<Tensor>& in, const std::vector<Tensor>&) {
    EXPECT_TRUE(in.empty());
    ++calls;
    EXPECT_EQ(values(x.grad()), (Values{10}));
  });
  y.backward();
  EXPECT_EQ(calls, 1);
}

TEST(NodeHook, WrongCountIsAnError) {
  Tensor x = leaf({1});
  Tensor y = x * 2;
  y.grad_fn()->add_pre_hook([](std::vector<Tensor>& g) { g.clear(); });
  EXPECT_THROW(y.backward(), Error);
  y = x * 2;
  y.grad_fn()->add_post_hook([](std::vector<Tensor>& in, const std::vector<Tensor>&) { in.clear(); });
  EXPECT_THROW(y.backward(), Error);
}

// ---- retain_grad.

TEST(RetainGrad, KeepsTheGradientOfAResult) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 3;
  EXPECT_FALSE(y.retains_grad());
  y.retain_grad();
  y.retain_grad();  // a second call changes nothing
  EXPECT_TRUE(y.retains_grad());
  (y * y).sum().backward();
  EXPECT_EQ(values(y.grad()), (Values{6, 12}));
  EXPECT_TRUE(y.grad().is_contiguous());
}

TEST(RetainGrad, AccumulatesOutOfPlace) {
  Tensor x = leaf({1});
  Tensor y = x * 3;
  y.retain_grad();
  y.backward({}, true);
  const Tensor first = y.grad();
  y.backward();
  EXPECT_EQ(values(first), (Values{1}));
  EXPECT_EQ(values(y.grad()), (Values{2}));
}

TEST(RetainGrad, KeepsWhatTheHooksMadeOfItWhateverTheOrder) {
  Tensor x = leaf({1});
  Tensor y = x * 3;
  y.retain_grad();
  y.register_hook([](const Tensor& g) { return g * 10; });
  y.backward();
  EXPECT_EQ(values(y.grad()), (Values{10}));
  EXPECT_EQ(values(x.grad()), (Values{30}));
}

TEST(RetainGrad, ALeafNeedsNone) {
  Tensor x = leaf({1});
  x.retain_grad();
  EXPECT_FALSE(x.retains_grad());
  (x * 2).backward();
  EXPECT_EQ(values(x.grad()), (Values{2}));
}

TEST(RetainGrad, NeedsATensorThatRequiresGrad) {
  expect_says(message_of([] { constant({1}).retain_grad(); }),
              {"can't retain_grad on Tensor that has requires_grad=False"});
}

TEST(RetainGrad, FollowsTheTensorThroughInPlaceOps) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2;
  y.retain_grad();
  y.mul_(3);
  EXPECT_TRUE(y.retains_grad());
  y.sum().backward();
  EXPECT_EQ(values(y.grad()), (Values{1, 1}));
}

TEST(RetainGrad, OfABaseWrittenThroughAView) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2;
  y.retain_grad();
  y[0].mul_(3);
  (y * 5).sum().backward();
  EXPECT_EQ(values(y.grad()), (Values{5, 5}));
}

TEST(RetainGrad, OfAViewWhoseBaseWasWritten) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2, v = y[0];
  v.retain_grad();
  y.mul_(3);
  (v * 5).backward();
  EXPECT_EQ(values(v.grad()), (Values{5}));
}

TEST(RetainGrad, OfAViewThatWasWritten) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2, v = y[0];
  v.retain_grad();
  v.mul_(3);
  (y * 5).sum().backward({}, true);
  set_warning_handler([](const std::string&) {});
  EXPECT_FALSE(v.grad().defined());  // as in PyTorch: the pass went through the base
  set_warning_handler({});
  (v * 5).backward();
  EXPECT_EQ(values(v.grad()), (Values{5}));
}

TEST(RetainGrad, OfATensorThatDiedIsForgotten) {
  Tensor x = leaf({1});
  Tensor z;
  {
    Tensor y = x * 2;
    y.retain_grad();
    z = y * 3;
  }
  z.backward();
  EXPECT_EQ(values(x.grad()), (Values{6}));
}

TEST(RetainGrad, UnderCreateGraphTheGradHasAGraph) {
  Tensor x = leaf({3});
  Tensor y = x * x;
  y.retain_grad();
  Tensor z = y * y;
  grad({z}, {x}, {}, {}, true);
  EXPECT_TRUE(y.grad().requires_grad());
  EXPECT_EQ(values(grad({y.grad()}, {x})[0]), (Values{12}));  // 2 x^2 by x
  y.mutable_grad().reset();
}

TEST(GradientMemory, IsReusedOnlyWhenNobodySeesIt) {
  Tensor x = leaf({1, 2}), given = tensor({1.0, 10.0}, kFloat), seen;
  Tensor a = x * 3, b = a * 5, c = b * 7, d = c * 2;
  b.retain_grad();
  c.register_hook([&](const Tensor& g) { seen = g; });
  variable_list before;
  a.grad_fn()->add_post_hook([&](const variable_list& out, const variable_list& in) {
    before = in;
    return out;
  });
  (d + d * 4).backward(given);  // one gradient for two: the first must not spoil the second
  EXPECT_EQ(values(given), (Values{1, 10}));
  EXPECT_EQ(values(seen), (Values{10, 100}));
  EXPECT_EQ(values(b.grad()), (Values{70, 700}));
  ASSERT_EQ(before.size(), 1u);
  EXPECT_EQ(values(before[0]), (Values{350, 3500}));
  EXPECT_EQ(values(x.grad()), (Values{1050, 10500}));
}

TEST(GradientMemory, OfTwoOperandsMayBeTheirs) {
  Tensor x = leaf({1, 2, 3}), y = leaf({4, 5, 6});
  ((x * 1) * (y * 1) * 2).sum().backward();  // the gradients of a product, one of them in the memory of its own
  EXPECT_EQ(values(x.grad()), (Values{8, 10, 12}));
  EXPECT_EQ(values(y.grad()), (Values{2, 4, 6}));
}

// ---- Hooks on what is kept for backward.

namespace {

/// Keeps a clone of each tensor, and counts.
struct Counting {
  int packed = 0, unpacked = 0;
  std::shared_ptr<autograd::SavedHooks> hooks =
      std::make_shared<autograd::SavedHooks>(autograd::SavedHooks{[this](const Tensor& t) {
                                                                    ++packed;
                                                                    return std::make_shared<Tensor>(t.clone());
                                                                  },
                                                                  [this](const std::shared_ptr<void>& kept) {
                                                                    ++unpacked;
                                                                    return *std::static_pointer_cast<Tensor>(kept);
                                                                  }});
};

}  // namespace

TEST(SavedHooks, TheInnermostCountUntilTheyAreTakenOff) {
  Counting outer, inner;
  Tensor x = leaf({2, 3});
  EXPECT_EQ(autograd::saved_hooks_open(), 0u);
  autograd::push_saved_hooks(outer.hooks);
  Tensor y = x.exp();
  autograd::push_saved_hooks(inner.hooks);
  EXPECT_EQ(autograd::saved_hooks_open(), 2u);
  Tensor z = x.square();
  autograd::pop_saved_hooks();
  EXPECT_EQ(autograd::saved_hooks_open(), 1u);
  Tensor w = x.sin();
  autograd::pop_saved_hooks();
  EXPECT_EQ(autograd::saved_hooks_open(), 0u);
  Tensor v = x.cos();
  EXPECT_EQ(outer.packed, 2);
  EXPECT_EQ(inner.packed, 1);
  {
    NoGradGuard off;
    x.zero_();  // what is packed is out of reach; what is not is noticed
  }
  EXPECT_NE(message_of([&] { v.sum().backward(); }).find("modified by an inplace operation"), std::string::npos);
  (y + z + w).sum().backward();
  EXPECT_EQ(outer.unpacked, 2);
  EXPECT_EQ(inner.unpacked, 1);
  const Tensor want = tensor({2.0, 3.0}).exp() + 2 * tensor({2.0, 3.0}) + tensor({2.0, 3.0}).cos();
  EXPECT_TRUE(allclose(x.grad(), want));
  EXPECT_NE(message_of([] { autograd::pop_saved_hooks(); }).find("there are none"), std::string::npos);
  EXPECT_EQ(autograd::saved_hooks_open(), 0u);
}

TEST(SavedHooks, KeepTheGraphOfInputsAndOutputs) {
  Counting kept;
  Tensor x = leaf({0.5, 2});
  autograd::push_saved_hooks(kept.hooks);
  const Tensor y = (x * 2).exp();   // keeps its output
  const Tensor z = (y * 1).pow(3);  // keeps its input
  autograd::pop_saved_hooks();
  const Tensor first = grad({z.sum()}, {x}, {}, true, true)[0];  // 6 exp(6 x)
  const Tensor second = grad({first.sum()}, {x})[0];
  EXPECT_TRUE(allclose(first, 6 * (6 * x).exp(), 1e-4));
  EXPECT_TRUE(allclose(second, 36 * (6 * x).exp(), 1e-4));
}

TEST(SavedHooks, MayNotWriteWhatTheyAreGiven) {
  const auto hooks = std::make_shared<autograd::SavedHooks>(
      autograd::SavedHooks{[](const Tensor& t) {
                             t.detach().add_(1);
                             return std::make_shared<Tensor>(t);
                           },
                           [](const std::shared_ptr<void>& kept) { return *std::static_pointer_cast<Tensor>(kept); }});
  Tensor x = leaf({2, 3});
  autograd::push_saved_hooks(hooks);
  const std::string said = message_of([&] { x.square(); });
  autograd::pop_saved_hooks();
  EXPECT_NE(said.find("A saved tensor pack hook is modifying its input in place"), std::string::npos) << said;
}

TEST(Leaves, AreFoundFromTheirAccumulators) {
  Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  auto* node = dynamic_cast<autograd::AccumulateGrad*>(y.grad_fn()->next_functions()[0].first.get());
  ASSERT_NE(node, nullptr);
  const auto users = x.use_count();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(node->variable().is_same(x));
  EXPECT_EQ(x.use_count(), users);
}

TEST(SavedHooks, AsAGuardMayKeepAnything) {
  Tensor x = leaf({2, 3});
  Tensor y;
  int packed = 0;
  {
    const autograd::graph::saved_tensors_hooks half(
        [&](const Tensor& t) {
          ++packed;
          return std::pair(t.to(kHalf), t.scalar_type());
        },
        [](const std::pair<Tensor, ScalarType>& kept) { return kept.first.to(kept.second); });
    y = (x / 3).square();
  }
  const Tensor z = x.square();  // outside
  EXPECT_EQ(packed, 1);         // no hook gets the number 3
  const Tensor got = grad({y.sum()}, {x})[0];
  EXPECT_TRUE(equal(got, (x.detach() / 3).to(kHalf).to(kFloat) * 2 / 3));
  EXPECT_FALSE(equal(got, x.detach() / 3 * 2 / 3));
}

TEST(SavedHooks, SaveOnCpuTakesThePlaceOfHooksAroundIt) {
  Counting outer;
  Tensor x = leaf({2, 3});
  const autograd::graph::saved_tensors_hooks around(outer.hooks);
  const autograd::graph::save_on_cpu inside;
  x.exp().sum().backward();
  EXPECT_EQ(outer.packed, 0);
  EXPECT_TRUE(allclose(x.grad(), x.detach().exp()));
}

TEST(SavedHooks, CanBeForbidden) {
  const auto guard = [] { autograd::graph::save_on_cpu(); };
  {
    const autograd::graph::disable_saved_tensors_hooks outer("no hooks here");
    EXPECT_EQ(message_of(guard), "no hooks here");
    {
      const autograd::graph::disable_saved_tensors_hooks inner("none here either");
      EXPECT_EQ(message_of(guard), "none here either");
    }
    EXPECT_EQ(message_of(guard), "no hooks here");
  }
  guard();
  const autograd::graph::save_on_cpu open;
  EXPECT_EQ(message_of([] { autograd::graph::disable_saved_tensors_hooks("too late"); }), "too late");
  EXPECT_EQ(autograd::saved_hooks_open(), 1u);
}
