// What one op costs beside its arithmetic: the same source compiled against Taut and against libtorch. Prints one line
// per row: a name, a tab, nanoseconds per op (best of several repetitions); bench/run.py puts both side by side.
#ifdef BENCH_LIBTORCH
#include <torch/torch.h>
namespace lib = torch;
#else
#include <taut/taut.h>
namespace lib = taut;
#endif
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace {

/// The least time of one call of f, in nanoseconds, divided by `ops`.
template <class F>
double best(int repetitions, double ops, F&& f) {
  double least = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repetitions; ++r) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / ops);
  }
  return least;
}

void row(const char* name, double nanoseconds) { std::printf("%s\t%.2f\n", name, nanoseconds); }

/// x = x * w, n times, then backward.
void chain(int n, const lib::Tensor& leaf, const lib::Tensor& w) {
  lib::Tensor x = leaf;
  for (int i = 0; i < n; ++i) x = x * w;
  x.backward();
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 30;
  lib::set_num_threads(1);
  const lib::Tensor a = lib::ones({1}), b = lib::ones({1});
  constexpr int kCalls = 10000;
  row("add, 1 element, no grad", best(repetitions, kCalls, [&] {
        lib::NoGradGuard guard;
        for (int i = 0; i < kCalls; ++i) {
          lib::Tensor c = a + b;
          (void)c;
        }
      }));
  const lib::Tensor x = lib::ones({1}, lib::requires_grad()), w = lib::ones({1}, lib::requires_grad());
  row("add, 1 element, grad recorded", best(repetitions, kCalls, [&] {
        for (int i = 0; i < kCalls; ++i) {
          lib::Tensor c = x + w;
          (void)c;
        }
      }));
  row("add_, 1 element, no grad", best(repetitions, kCalls, [&] {
        lib::NoGradGuard guard;
        lib::Tensor c = lib::ones({1});
        for (int i = 0; i < kCalls; ++i) c.add_(b);
      }));
  row("mul, 1 element, grad recorded", best(repetitions, kCalls, [&] {
        for (int i = 0; i < kCalls; ++i) {
          lib::Tensor c = x * w;
          (void)c;
        }
      }));
  row("view, 1 element, no grad", best(repetitions, kCalls, [&] {
        lib::NoGradGuard guard;
        for (int i = 0; i < kCalls; ++i) {
          lib::Tensor c = a.view({1, 1});
          (void)c;
        }
      }));
  const lib::Tensor c = lib::ones({1}), leaf = lib::ones({1}, lib::requires_grad());
  row("100-op chain, forward and backward", best(repetitions * 20, 100, [&] { chain(100, leaf, c); }));
  row("1000-op chain, forward and backward", best(repetitions * 2, 1000, [&] { chain(1000, leaf, c); }));
  row("1000000-op chain, forward and backward", best(3, 1e6, [&] { chain(1000000, leaf, c); }));
#ifndef BENCH_LIBTORCH
  {
    lib::Tensor y = leaf;
    const int64_t before = lib::memory_stats().allocated;
    for (int i = 0; i < 100000; ++i) y = y + c;
    row("bytes per recorded op (add)", static_cast<double>(lib::memory_stats().allocated - before) / 1e5);
  }
  {
    lib::Tensor y = leaf;
    const int64_t before = lib::memory_stats().allocated;
    for (int i = 0; i < 100000; ++i) y = y * x;
    row("bytes per recorded op (mul, both saved)", static_cast<double>(lib::memory_stats().allocated - before) / 1e5);
  }
#endif
  return 0;
}
