// What one op costs beside its arithmetic: the same source compiled against Taut and against libtorch.
//   overhead [milliseconds per row] [threads] [part of a name]
//       prints a name, a tab, nanoseconds per op; for rows that compute something also "check of <name>" and a number
//       that both sides must agree on
//   overhead count
//       prints a name, a tab, ops; each row runs inside `measured`, where callgrind counts
// bench/run.py puts both side by side, bench/instructions.py counts instructions.
#ifdef BENCH_LIBTORCH
#include <torch/torch.h>
namespace lib = torch;
#else
#include <taut/taut.h>
namespace lib = taut;
#endif
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using lib::Tensor;

namespace {

/// A row: `body(n)` does n calls of `ops` ops each, and gives a number that depends on what was computed, or 0.
struct Row {
  std::string name;
  double ops;
  int calls;
  std::function<double(int)> body;
};

/// x = x * w, n times, then backward.
double chain(int n, const Tensor& leaf, const Tensor& w) {
  leaf.mutable_grad() = Tensor();
  Tensor x = leaf;
  for (int i = 0; i < n; ++i) x = x * w;
  x.backward();
  return leaf.grad().item<double>();
}

/// Numbers that are the same on both sides, whatever their generators do.
Tensor numbers(const std::vector<int64_t>& sizes, double scale = 1) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return ((lib::arange(n) * 0.7 + 1).sin() * scale).view(sizes);
}

/// 16-32-32-1 with tanh.
struct TinyMlp {
  lib::nn::Linear a{16, 32}, b{32, 32}, c{32, 1};
  std::vector<Tensor> parameters;
  TinyMlp() {
    for (auto* layer : {&a, &b, &c})
      for (auto& p : (*layer)->parameters()) {
        lib::NoGradGuard guard;
        p.copy_(numbers(p.sizes().vec(), 0.3));
        parameters.push_back(p);
      }
  }
  Tensor forward(const Tensor& x) { return c(lib::tanh(b(lib::tanh(a(x))))); }
  void zero_grad() {
    for (Tensor& p : parameters) p.mutable_grad() = Tensor();
  }
};

/// 200 parameters of four numbers each, with gradients.
template <class Optimizer, class Options>
std::function<double(int)> optimizer_steps(const Options& options) {
  std::vector<Tensor> parameters;
  for (int i = 0; i < 200; ++i) {
    parameters.push_back(numbers({4}).requires_grad_());
    parameters.back().mutable_grad() = numbers({4}, 0.1);
  }
  auto optimizer = std::make_shared<Optimizer>(parameters, options);
  return [=](int n) {
    for (int i = 0; i < n; ++i) optimizer->step();
    return 0.0;
  };
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  /// One op per call; its result is dropped at once.
  auto op = [&](const char* name, bool grad, auto f) {
    rows.push_back({name, 1, 10000, [=](int n) {
                      lib::AutoGradMode mode(grad);
                      for (int i = 0; i < n; ++i) {
                        auto result = f();
                        (void)result;
                      }
                      return 0.0;
                    }});
  };
  const Tensor a = lib::ones({1}), b = lib::ones({1}), m = lib::ones({4, 4}), index = lib::arange(4);
  const Tensor x = lib::ones({1}, lib::requires_grad()), w = lib::ones({1}, lib::requires_grad());
  op("empty, 1 element", false, [=] { return lib::empty({1}); });
  op("add, 1 element, no grad", false, [=] { return a + b; });
  op("add, 1 element, grad recorded", true, [=] { return x + w; });
  op("add_, 1 element, no grad", false, [=, c = lib::ones({1})] { return c.add_(b); });
  op("mul, 1 element, grad recorded", true, [=] { return x * w; });
  rows.push_back({"add_, 1 element, grad recorded, and backward", 1, 2000, [=](int n) {
                    for (int i = 0; i < n; ++i) {
                      x.mutable_grad() = Tensor();
                      Tensor y = x * b;
                      y.add_(w).backward();
                    }
                    return x.grad().item<double>();
                  }});
  op("view, 1 element, no grad", false, [=] { return a.view({1, 1}); });
  op("view, 1 element, grad recorded", true, [=] { return x.view({1, 1}); });
  op("transpose, 4x4", false, [=] { return m.t(); });
  op("unsqueeze, 4x4", false, [=] { return m.unsqueeze(0); });
  op("index by an int, 4x4", false, [=] { return m[1]; });
  op("index by a slice, 4x4", false, [=] { return m.index({lib::indexing::Slice(1, 3)}); });
  op("index by a tensor, 4x4", false, [=] { return m.index({index}); });
  const Tensor c = lib::ones({1}), leaf = lib::ones({1}, lib::requires_grad());
  std::vector<int> lengths = {100, 1000};
#ifndef BENCH_LIBTORCH
  lengths.push_back(1000000);  // that the cost per op does not grow
#endif
  for (const int length : lengths)
    rows.push_back(
        {std::to_string(length) + "-op chain, forward and backward", 1.0 * length, length < 1000 ? 20 : 1, [=](int n) {
           double sum = 0;
           for (int i = 0; i < n; ++i) sum = chain(length, leaf, c);
           return sum;
         }});
  auto momentum = lib::optim::SGDOptions(1e-6).momentum(0.9);
  rows.push_back(
      {"SGD step, 200 tiny parameters", 1, 20, optimizer_steps<lib::optim::SGD>(lib::optim::SGDOptions(1e-6))});
  rows.push_back({"SGD step with momentum, 200 tiny parameters", 1, 20, optimizer_steps<lib::optim::SGD>(momentum)});
  rows.push_back(
      {"Adam step, 200 tiny parameters", 1, 20, optimizer_steps<lib::optim::Adam>(lib::optim::AdamOptions(1e-6))});
  auto mlp = std::make_shared<TinyMlp>();
  const Tensor input = numbers({32, 16}).requires_grad_(), plain = input.detach();
  rows.push_back({"tiny MLP 16-32-32-1, batch 32, forward", 1, 50, [=](int n) {
                    lib::NoGradGuard guard;
                    double value = 0;
                    for (int i = 0; i < n; ++i) value = mlp->forward(plain).mean().item<double>();
                    return value;
                  }});
  rows.push_back({"tiny MLP 16-32-32-1, batch 32, first order", 1, 50, [=](int n) {
                    for (int i = 0; i < n; ++i) {
                      mlp->zero_grad();
                      mlp->forward(plain).pow(2).mean().backward();
                    }
                    return mlp->parameters[0].grad().sum().item<double>();
                  }});
  rows.push_back({"tiny MLP 16-32-32-1, batch 32, second order", 1, 50, [=](int n) {
                    for (int i = 0; i < n; ++i) {
                      mlp->zero_grad();
                      const Tensor slope =
                          lib::autograd::grad({mlp->forward(input).sum()}, {input}, {}, std::nullopt, true)[0];
                      slope.pow(2).mean().backward();
                    }
                    return mlp->parameters[0].grad().sum().item<double>();
                  }});
  return rows;
}

/// The least time of one op in nanoseconds, of repetitions for so long.
double best(const Row& row, double milliseconds) {
  using Clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::infinity();
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    row.body(row.calls);
    const std::chrono::duration<double, std::nano> time = Clock::now() - start;
    least = std::min(least, time.count() / row.calls / row.ops);
  } while (Clock::now() - begin < std::chrono::duration<double, std::milli>(milliseconds));
  return least;
}

#ifndef BENCH_LIBTORCH
void bytes_per_op(const char* name, const std::function<Tensor(const Tensor&)>& f) {
  Tensor y = lib::ones({1}, lib::requires_grad());
  const int64_t before = lib::memory_stats().allocated;
  for (int i = 0; i < 100000; ++i) y = f(y);
  std::printf("%s\t%.2f\n", name, static_cast<double>(lib::memory_stats().allocated - before) / 1e5);
}
#endif

}  // namespace

/// What callgrind counts; it starts a new count after each call.
extern "C" __attribute__((noinline)) void measured(const std::function<double(int)>& body, int n) {
  body(n);
  std::fflush(stdout);
}

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "count") {
    lib::set_num_threads(1);
    for (const Row& row : all_rows()) {
      if (row.ops > 1e5) continue;
      const int calls = row.ops == 1 && row.calls > 1000 ? 1000 : 5;
      for (int warm = 0; warm < 3; ++warm) row.body(calls);
      std::printf("%s\t%.0f\n", row.name.c_str(), calls * row.ops);
      measured(row.body, calls);
    }
    return 0;
  }
  const double milliseconds = argc > 1 ? std::atof(argv[1]) : 30;
  lib::set_num_threads(argc > 2 ? std::atoi(argv[2]) : 1);
  const std::string part = argc > 3 ? argv[3] : "";
  for (const Row& row : all_rows()) {
    if (row.name.find(part) == std::string::npos) continue;
    const double check = row.body(row.calls);
    std::printf("%s\t%.2f\n", row.name.c_str(), best(row, milliseconds));
    if (check != 0) std::printf("check of %s\t%.9g\n", row.name.c_str(), check);
  }
#ifndef BENCH_LIBTORCH
  const Tensor one = lib::ones({1}), w = lib::ones({1}, lib::requires_grad());
  if (std::string("bytes per recorded op").find(part) != std::string::npos) {
    bytes_per_op("bytes per recorded op (add)", [&](const Tensor& y) { return y + one; });
    bytes_per_op("bytes per recorded op (mul, both saved)", [&](const Tensor& y) { return y * w; });
  }
#endif
  return 0;
}
