// Backward from several threads at once: on one graph, on graphs that share leaves, with hooks and errors.
#include <thread>

#include "autograd_support.h"

using namespace taut;
using namespace taut::testing;
using autograd::AutogradContext;
using autograd::Function;
using autograd::grad;
using autograd::variable_list;

namespace {

constexpr int kThreads = 8;

void in_threads(const std::function<void(int)>& f, int n = kThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back(f, i);
  for (std::thread& t : threads) t.join();
}

}  // namespace

TEST(BackwardInThreads, OnOneGraphSumsExactly) {
  Tensor x = leaf({1, 2, 3}), w = leaf({2, 3, 4});
  Tensor y = x;
  for (int i = 0; i < 20; ++i) y = (y * w).detach() * 0 + x * w + y * 0;
  Tensor z = (y * y).sum();  // (x w)^2
  constexpr int kPasses = 25;
  in_threads([&](int) {
    for (int i = 0; i < kPasses; ++i) z.backward({}, true);
  });
  const double n = kThreads * kPasses;
  EXPECT_EQ(values(x.grad()), (Values{n * 2 * 1 * 4, n * 2 * 2 * 9, n * 2 * 3 * 16}));
  EXPECT_EQ(values(w.grad()), (Values{n * 2 * 2 * 1, n * 2 * 3 * 4, n * 2 * 4 * 9}));
}

TEST(BackwardInThreads, OnGraphsThatShareLeaves) {
  Tensor x = leaf({1, 2, 3});
  constexpr int kPasses = 200;
  in_threads([&](int t) {
    for (int i = 0; i < kPasses; ++i) (x * (t + 1) + x * x).sum().backward();
  });
  const double sum = kPasses * 36, n = kThreads * kPasses;
  EXPECT_EQ(values(x.grad()), (Values{sum + 2 * n, sum + 4 * n, sum + 6 * n}));
}

TEST(BackwardInThreads, GradsOfOneGraphAreIndependent) {
  Tensor x = leaf({2, 3});
  Tensor y = x * x * x;
  in_threads([&](int t) {
    for (int i = 0; i < 100; ++i) {
      const double f = t * 100 + i;
      const Tensor g = grad({y}, {x}, {constant({f, f})}, true)[0];
      ASSERT_EQ(values(g), (Values{12 * f, 27 * f}));
    }
  });
  EXPECT_FALSE(x.grad().defined());
}

TEST(BackwardInThreads, WithACreatedGraph) {
  Tensor x = leaf({2, 3});
  Tensor y = (x * x * x).sum();
  in_threads([&](int) {
    for (int i = 0; i < 50; ++i) {
      const Tensor g = grad({y}, {x}, {}, true, true)[0];
      ASSERT_EQ(values(grad({g.sum()}, {x}, {}, true)[0]), (Values{12, 18}));
    }
  });
}

TEST(BackwardInThreads, WithoutRetainingTheOthersGetAnErrorNotACrash) {
  for (int round = 0; round < 50; ++round) {
    Tensor x = leaf({1, 2, 3});
    Tensor y = x;
    for (int i = 0; i < 30; ++i) y = y.exp().log() * x;
    Tensor z = y.sum();
    std::atomic<int> done = 0, refused = 0;
    in_threads(
        [&](int) {
          try {
            z.backward();
            ++done;
          } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("backward through the graph a second time"), std::string::npos)
                << e.what();
            ++refused;
          }
        },
        4);
    EXPECT_EQ(done + refused, 4);
  }
}

TEST(BackwardInThreads, HooksMayBeRegisteredMeanwhile) {
  Tensor x = leaf({1, 2});
  Tensor y = x * x, z = y.sum();
  std::atomic<int> calls = 0;
  in_threads([&](int t) {
    for (int i = 0; i < 50; ++i) {
      if (t % 2 == 0) {
        z.backward({}, true);
      } else {
        const unsigned a = y.register_hook([&](const Tensor&) { ++calls; });
        const unsigned b = x.register_hook([&](const Tensor&) { ++calls; });
        const unsigned c =
            y.grad_fn()->add_post_hook([&](std::vector<Tensor>&, const std::vector<Tensor>&) { ++calls; });
        y.remove_hook(a);
        x.remove_hook(b);
        y.grad_fn()->remove_hook(c);
      }
    }
  });
  EXPECT_EQ(values(x.grad()), (Values{400, 800}));
}

TEST(BackwardInThreads, RetainGradOfTensorsThatComeAndGo) {
  Tensor x = leaf({1, 2});
  in_threads([&](int) {
    for (int i = 0; i < 100; ++i) {
      Tensor y = x * 2;
      y.retain_grad();
      (y * 3).sum().backward();
      ASSERT_EQ(values(y.grad()), (Values{3, 3}));
    }
  });
}

TEST(BackwardInThreads, AnExceptionInOneLeavesTheOthersAlone) {
  struct Throws : Function<Throws> {
    static Tensor forward(AutogradContext*, Tensor t) { return t * 1; }
    static variable_list backward(AutogradContext*, variable_list) { throw std::runtime_error("user"); }
  };
  Tensor x = leaf({1, 2});
  std::atomic<int> thrown = 0;
  in_threads([&](int t) {
    for (int i = 0; i < 50; ++i) {
      try {
        if (t % 2) Throws::apply(x).sum().backward();
        else (x * 2).sum().backward();
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "user");
        ++thrown;
      }
    }
  });
  EXPECT_EQ(thrown, 200);
  EXPECT_EQ(values(x.grad()), (Values{400, 400}));
}

TEST(BackwardInThreads, ModesBelongToTheThread) {
  Tensor x = leaf({1});
  NoGradGuard guard;
  InferenceMode inference;
  std::thread([&] {
    EXPECT_TRUE(GradMode::is_enabled());
    EXPECT_FALSE(InferenceMode::is_enabled());
    (x * 3).backward();
  }).join();
  EXPECT_EQ(values(x.grad()), (Values{3}));
}

TEST(BackwardInThreads, AGraphMadeInOneThreadRunsInAnother) {
  Tensor x = leaf({3}), y;
  std::thread([&] { y = x * x; }).join();
  std::thread([&] { y.backward(); }).join();
  EXPECT_EQ(values(x.grad()), (Values{6}));
}

TEST(BackwardInThreads, AViewOutOfDateIsRenewedOnce) {
  for (int round = 0; round < 50; ++round) {
    Tensor x = leaf({1, 2, 3});
    Tensor y = x * 1, v = y.slice(0, 0, 2);
    y.mul_(2);
    in_threads(
        [&](int) {
          const Tensor g = grad({(v * v).sum()}, {x}, {}, true)[0];
          ASSERT_EQ(values(g), (Values{8, 16, 0}));
        },
        4);
  }
}

TEST(BackwardInThreads, NestedCallsInEachThread) {
  struct Nested : Function<Nested> {
    static Tensor forward(AutogradContext* ctx, Tensor t, int64_t depth) {
      ctx->saved_data["depth"] = depth;
      return t.clone();
    }
    static variable_list backward(AutogradContext* ctx, variable_list g) {
      const int64_t depth = ctx->saved_data["depth"].toInt();
      if (depth == 0) return {g[0], Tensor()};
      AutoGradMode on(true);
      Tensor inner = g[0].detach().requires_grad_();
      Nested::apply(inner, depth - 1).sum().backward();
      return {g[0] + inner.grad(), Tensor()};
    }
  };
  Tensor x = leaf({1, 2});
  in_threads(
      [&](int) {
        for (int i = 0; i < 3; ++i) Nested::apply(x, 120).sum().backward();
      },
      4);
  EXPECT_EQ(values(x.grad()), (Values{12 * 121, 12 * 121}));
}
