// Checkpointing from C++: what is computed again is what was computed first, and nothing else is kept.
#include "autograd_support.h"
#include "taut/autograd/checkpoint.h"

using namespace taut;
using namespace taut::testing;
using autograd::grad;
using autograd::variable_list;
using utils::checkpoint;
using utils::CheckpointError;

namespace {

/// `first` when it is called, `later` when it is called again.
template <class F, class G>
auto changing(F first, G later) {
  return [=, calls = std::make_shared<int>(0)](const Tensor& x) { return (*calls)++ == 0 ? first(x) : later(x); };
}

}  // namespace

TEST(Checkpoint, GivesTheGradientsOfTheFunctionAndRunsItTwice) {
  int runs = 0;
  const auto f = [&](const Tensor& a, const Tensor& b) {
    ++runs;
    return ((a * b).exp().sin() * a).sum();
  };
  Tensor x = leaf({1, 2, 3}), y = leaf({0.5, 0.25, 1});
  const variable_list want = grad({f(x, y)}, {x, y});
  runs = 0;
  Tensor z = checkpoint(f, x, y);
  EXPECT_EQ(runs, 1);
  const variable_list got = grad({z}, {x, y});
  EXPECT_EQ(runs, 2);
  for (size_t i : {0u, 1u}) EXPECT_TRUE(equal(got[i], want[i]));
}

TEST(Checkpoint, DrawsTheSameRandomNumbersAgainAndLeavesTheStreamWhereItWas) {
  const auto f = [](const Tensor& x) { return dropout(x.exp(), 0.5, true).sin().sum(); };
  Tensor x = leaf(std::vector<double>(64, 1.0));
  manual_seed(0);
  const Tensor want = grad({f(x)}, {x})[0], next = rand({2});
  manual_seed(0);
  Tensor y = checkpoint(f, x);
  const Tensor after_forward = default_generator().get_state();
  EXPECT_TRUE(equal(grad({y}, {x})[0], want));
  EXPECT_TRUE(equal(default_generator().get_state(), after_forward));
  EXPECT_TRUE(equal(rand({2}), next));
}

TEST(Checkpoint, MayLeaveTheRandomStreamAlone) {
  const auto f = [](const Tensor& x) { return (x * rand({64})).sin().sum(); };
  Tensor x = leaf(std::vector<double>(64, 1.0));
  manual_seed(0);
  const Tensor other = (rand({64}), rand({64}));  // what the second run draws
  manual_seed(0);
  Tensor y =
      checkpoint([&](const variable_list& in) { return f(in[0]); }, variable_list{x}, {.preserve_rng_state = false});
  const Tensor got = grad({y}, {x})[0];
  manual_seed(0);
  const Tensor first = rand({64});
  EXPECT_FALSE(allclose(got, (x * first).cos().detach() * first));
  manual_seed(0);
  EXPECT_TRUE(equal(rand({64}), first) && equal(rand({64}), other));
}

TEST(Checkpoint, KeepsLittleMemory) {
  const auto deep = [](Tensor y) {
    for (int i = 0; i < 50; ++i) y = y.sin();
    return y;
  };
  Tensor x = ones({1 << 16}, requires_grad());
  const auto held = [&](const std::function<Tensor()>& f) {
    const int64_t before = memory_stats().allocated;
    const Tensor y = f();
    return memory_stats().allocated - before;
  };
  const int64_t plain = held([&] { return deep(x); });
  const int64_t spared = held([&] { return checkpoint(deep, x); });
  EXPECT_GT(plain, 40 * x.nbytes());
  EXPECT_LT(spared, 3 * static_cast<int64_t>(x.nbytes()));
}

TEST(Checkpoint, TakesAndReturnsLists) {
  Tensor x = leaf({1, 2}), y = leaf({3, 4});
  const auto f = [](const variable_list& t) { return variable_list{t[0].exp() * t[1], t[1].square(), Tensor()}; };
  const variable_list out = checkpoint(f, {x, y}, {.early_stop = false});
  ASSERT_EQ(out.size(), 3u);
  const variable_list got = grad({out[0].sum(), out[1].sum()}, {x, y}), made = f({x, y});
  const variable_list want = grad({made[0].sum(), made[1].sum()}, {x, y});
  for (size_t i : {0u, 1u}) EXPECT_TRUE(equal(got[i], want[i]));
}

TEST(Checkpoint, WorksInsideACheckpointAndForSecondDerivatives) {
  const auto inner = [](const Tensor& z) { return z.sin().exp(); };
  const auto outer = [&](const Tensor& z) { return checkpoint(inner, checkpoint(inner, z * 2).cos()) * z; };
  Tensor x = leaf({0.5, 1.5});
  const Tensor plain = inner(inner(x * 2).cos()) * x;
  const Tensor y = checkpoint(outer, x);
  const Tensor g = grad({y.sum()}, {x}, {}, true, true)[0], h = grad({plain.sum()}, {x}, {}, true, true)[0];
  EXPECT_TRUE(equal(g, h));
  EXPECT_TRUE(allclose(grad({g.sum()}, {x})[0], grad({h.sum()}, {x})[0]));
}

TEST(Checkpoint, WithoutRecordingRunsOnceAndKeepsNothing) {
  int runs = 0;
  const NoGradGuard off;
  const Tensor y = checkpoint(
      [&](const Tensor& x) {
        ++runs;
        return x.exp();
      },
      leaf({1}));
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(y.requires_grad());
}

TEST(Checkpoint, ARunThatDiffersIsAnError) {
  const auto exp = [](const Tensor& x) { return x.exp(); };
  const auto chain = [](const Tensor& x) { return x.exp().sin().cos(); };
  const Tensor x = leaf({1, 2});
  EXPECT_NE(message_of<CheckpointError>([&] {
              checkpoint(changing(chain, exp), x).sum().backward();
            }).find("A different number of tensors was saved"),
            std::string::npos);
  const auto more = [f = changing(exp, chain)](const variable_list& t) { return f(t[0]); };
  EXPECT_NE(message_of<CheckpointError>([&] {
              checkpoint(more, {x}, {.early_stop = false}).sum().backward();
            }).find("trying to save more tensors"),
            std::string::npos);
  const auto shorter = [](const Tensor& t) { return t.slice(0, 0, 1).exp().sin(); };
  expect_says(message_of<CheckpointError>([&] {
                checkpoint(changing([](const Tensor& t) { return t.exp().sin(); }, shorter), x).sum().backward();
              }),
              {"different metadata", "saved metadata: {'shape': torch.Size([2]), 'dtype': torch.float32"});
}

TEST(Checkpoint, AnExceptionOfTheFunctionComesThrough) {
  const auto f = changing([](const Tensor& x) { return x.exp().sin(); },
                          [](const Tensor&) -> Tensor { throw ValueError("the second run"); });
  const Tensor x = leaf({1});
  EXPECT_EQ(message_of<ValueError>([&] { checkpoint(f, x).sum().backward(); }), "the second run");
  EXPECT_EQ(autograd::saved_hooks_open(), 0u);
  EXPECT_TRUE(GradMode::is_enabled());
}

TEST(Checkpoint, OfASequenceRunsAllSegmentsButTheLastTwice) {
  nn::Sequential net{nn::Linear(3, 4), nn::Tanh(), nn::Linear(4, 4), nn::Tanh(), nn::Linear(4, 1)};
  const Tensor x = randn({2, 3}, requires_grad());
  const Tensor want = grad({net->forward(x).sum()}, {x})[0];
  int calls = 0;
  net[0]->register_forward_hook([&](nn::Module&, const variable_list&, const variable_list&) { ++calls; });
  net[4]->register_forward_hook([&](nn::Module&, const variable_list&, const variable_list&) { calls += 10; });
  const Tensor y = utils::checkpoint_sequential(net, 2, x);
  EXPECT_EQ(calls, 11);
  EXPECT_TRUE(equal(grad({y.sum()}, {x})[0], want));
  EXPECT_EQ(calls, 12);
  EXPECT_THROW(utils::checkpoint_sequential(net, 6, x), ValueError);
}
