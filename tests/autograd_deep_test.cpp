// Long and nested graphs on a small stack: nothing recurses in forward, backward or destruction.
#include <pthread.h>

#include "autograd_support.h"

using namespace taut;
using namespace taut::testing;
using autograd::AutogradContext;
using autograd::Function;
using autograd::grad;
using autograd::variable_list;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kStack = size_t{2} << 20;  // a sanitizer's frames are larger
constexpr int kChain = 100'000, kNested = 500;
#else
constexpr size_t kStack = size_t{256} << 10;
constexpr int kChain = 5'000'000, kNested = 10'000;
#endif

/// Runs f on a thread with that much stack.
void on_small_stack(std::function<void()> f) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStack), 0);
  pthread_t thread;
  const auto call = [](void* p) -> void* {
    (*static_cast<std::function<void()>*>(p))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &f), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// Its backward runs a backward of its own, on a graph that holds the next one.
struct Nested : Function<Nested> {
  static Tensor forward(AutogradContext* ctx, Tensor x, int64_t depth) {
    ctx->saved_data["depth"] = depth;
    return x * 1;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    const int64_t depth = ctx->saved_data["depth"].toInt();
    if (depth == 0) {
      if (fail) throw std::out_of_range("at the bottom");
      return {g[0] + 1, Tensor()};
    }
    EnableGradGuard on;
    Tensor inner = g[0].detach().requires_grad_();
    Nested::apply(inner, depth - 1).sum().backward();
    return {inner.grad() + 1, Tensor()};
  }
  static inline bool fail = false;
};

struct Identity : Function<Identity> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x * 1;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    ctx->get_saved_variables();
    return g;
  }
};

}  // namespace

TEST(DeepGraph, AChainOfMillionsRunsAndIsFreedOnASmallStack) {
  on_small_stack([] {
    const int64_t before = memory_stats().allocated;
    {
      Tensor x = leaf({1}), w = leaf({0});
      Tensor y = x;
      for (int i = 0; i < kChain; ++i) y = y + w;
      y.backward();
      EXPECT_EQ(values(x.grad()), (Values{1}));
      EXPECT_EQ(values(w.grad()), (Values{static_cast<double>(kChain)}));
    }
    EXPECT_EQ(memory_stats().allocated, before);
    trim();
  });
}

TEST(DeepGraph, AChainOfSavedInputs) {
  on_small_stack([] {
    const int64_t before = memory_stats().allocated;
    {
      Tensor x = leaf({1}), w = leaf({1});
      Tensor y = x;
      for (int i = 0; i < kChain / 5; ++i) y = y * w;
      y.backward();
      EXPECT_EQ(values(w.grad()), (Values{kChain / 5}));
    }
    EXPECT_EQ(memory_stats().allocated, before);
    trim();
  });
}

TEST(DeepGraph, AChainOfSavedResultsThatWasNeverRun) {
  on_small_stack([] {
    const int64_t before = memory_stats().allocated;
    {
      Tensor x = leaf({1});
      Tensor y = x;
      for (int i = 0; i < kChain / 5; ++i) y = y.tanh();
    }
    EXPECT_EQ(memory_stats().allocated, before);
    trim();
  });
}

TEST(DeepGraph, AChainOfCustomFunctionsAndViews) {
  on_small_stack([] {
    Tensor x = leaf({1});
    Tensor y = x;
    for (int i = 0; i < kChain / 50; ++i) y = Identity::apply(y.view({1, 1}).view({1}));
    y.backward();
    EXPECT_EQ(values(x.grad()), (Values{1}));
  });
}

TEST(DeepGraph, AChainOfInPlaceOps) {
  on_small_stack([] {
    Tensor x = leaf({1, 1});
    Tensor y = x * 1;
    for (int i = 0; i < kChain / 50; ++i) y[i % 2].add_(1);
    y.sum().backward();
    EXPECT_EQ(values(x.grad()), (Values{1, 1}));
  });
}

TEST(DeepGraph, GradAndSecondDerivativeOfALongChain) {
  on_small_stack([] {
    Tensor x = leaf({1});
    Tensor y = x;
    for (int i = 0; i < kChain / 50; ++i) y = y * x;
    Tensor g = grad({y}, {x}, {}, {}, true)[0];
    const double n = kChain / 50 + 1;
    EXPECT_NEAR(g.item<double>(), n, 1e-6 * n);
    EXPECT_NEAR(grad({g}, {x})[0].item<double>(), n * (n - 1), 1e-3 * n * n);
  });
}

TEST(DeepGraph, AWideGraph) {
  Tensor x = leaf({1});
  std::vector<Tensor> parts;
  for (int i = 0; i < kChain / 50; ++i) parts.push_back(x * 1);
  taut::stack(parts).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{kChain / 50}));
}

TEST(NestedBackward, TenThousandDeep) {
  Tensor x = leaf({1});
  Nested::apply(x, kNested).backward();
  EXPECT_EQ(values(x.grad()), (Values{kNested + 2.0}));
}

TEST(NestedBackward, OnASmallStack) {
  on_small_stack([] {
    Tensor x = leaf({1});
    Nested::apply(x, 1000).backward();
    EXPECT_EQ(values(x.grad()), (Values{1002}));
  });
}

TEST(NestedBackward, AnExceptionFromTheBottomComesOutUnchanged) {
  Tensor x = leaf({1});
  Nested::fail = true;
  try {
    Nested::apply(x, 200).backward();
    ADD_FAILURE();
  } catch (const std::out_of_range& e) {
    EXPECT_STREQ(e.what(), "at the bottom");
  }
  Nested::fail = false;
  EXPECT_FALSE(x.grad().defined());
  EXPECT_TRUE(GradMode::is_enabled());
  Nested::apply(x, 200).backward();
  EXPECT_EQ(values(x.grad()), (Values{202}));
}

TEST(NestedBackward, StepsGoOnCounting) {
  Tensor x = leaf({1});
  Tensor y = Nested::apply(x, 100);
  const uint64_t before = y.grad_fn()->sequence_nr();
  y.backward();
  EXPECT_GT((x * 2).grad_fn()->sequence_nr(), before + 100);
}
