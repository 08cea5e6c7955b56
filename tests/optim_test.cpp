// Optimisers: PyTorch's trajectories (tools/golden_optim.py), the fused kernels against plain loops, threads, layouts,
// groups, saving and loading, and what bad settings say.
#include "taut/optim.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "support/outcomes.h"
#include "support/paths.h"
#include "support/rounding.h"
#include "taut/taut.h"

namespace taut {
namespace {

using namespace optim;
using Params = std::vector<Tensor>;
using Make = std::function<std::unique_ptr<Optimizer>(Params)>;

template <class O, class Options>
Make make(Options options) {
  return [options](Params p) { return std::make_unique<O>(std::move(p), options); };
}

/// Python's text of each golden case, and its twin.
const std::map<std::string, Make>& cases() {
  // clang-format off
  static const std::map<std::string, Make> all = {
    {"SGD(lr=0.05)", make<SGD>(SGDOptions(0.05))},
    {"SGD(lr=0.05, momentum=0.9)", make<SGD>(SGDOptions(0.05).momentum(0.9))},
    {"SGD(lr=0.05, momentum=0.9, dampening=0.5, weight_decay=0.1)", make<SGD>(SGDOptions(0.05).momentum(0.9).dampening(0.5).weight_decay(0.1))},
    {"SGD(lr=0.05, momentum=0.8, nesterov=True, weight_decay=0.01)", make<SGD>(SGDOptions(0.05).momentum(0.8).nesterov(true).weight_decay(0.01))},
    {"SGD(lr=0.01, momentum=0.5, maximize=True, weight_decay=20.0)", make<SGD>(SGDOptions(0.01).momentum(0.5).maximize(true).weight_decay(20))},
    {"Adam(lr=0.01)", make<Adam>(AdamOptions(0.01))},
    {"Adam(lr=0.02, betas=(0.7, 0.95), eps=1e-6, weight_decay=0.1)", make<Adam>(AdamOptions(0.02).betas({0.7, 0.95}).eps(1e-6).weight_decay(0.1))},
    {"Adam(lr=0.01, amsgrad=True)", make<Adam>(AdamOptions(0.01).amsgrad(true))},
    {"Adam(lr=0.01, amsgrad=True, weight_decay=0.1, decoupled_weight_decay=True)", make<Adam>(AdamOptions(0.01).amsgrad(true).weight_decay(0.1).decoupled_weight_decay(true))},
    {"Adam(lr=0.001, maximize=True)", make<Adam>(AdamOptions(0.001).maximize(true))},
    {"AdamW(lr=0.01)", make<AdamW>(AdamWOptions(0.01))},
    {"AdamW(lr=0.02, betas=(0.8, 0.9), weight_decay=0.2, amsgrad=True)", make<AdamW>(AdamWOptions(0.02).betas({0.8, 0.9}).weight_decay(0.2).amsgrad(true))},
    {"AdamW(lr=0.001, maximize=True)", make<AdamW>(AdamWOptions(0.001).maximize(true))},
    {"RMSprop(lr=0.01)", make<RMSprop>(RMSpropOptions(0.01))},
    {"RMSprop(lr=0.01, alpha=0.9, centered=True)", make<RMSprop>(RMSpropOptions(0.01).alpha(0.9).centered(true))},
    {"RMSprop(lr=0.005, momentum=0.9, weight_decay=0.1)", make<RMSprop>(RMSpropOptions(0.005).momentum(0.9).weight_decay(0.1))},
    {"RMSprop(lr=0.005, momentum=0.5, centered=True, eps=1e-3)", make<RMSprop>(RMSpropOptions(0.005).momentum(0.5).centered(true).eps(1e-3))},
    {"RMSprop(lr=0.001, maximize=True)", make<RMSprop>(RMSpropOptions(0.001).maximize(true))},
    {"Adagrad(lr=0.1)", make<Adagrad>(AdagradOptions(0.1))},
    {"Adagrad(lr=0.1, lr_decay=0.01, weight_decay=0.1, initial_accumulator_value=0.5, eps=1e-6)", make<Adagrad>(AdagradOptions(0.1).lr_decay(0.01).weight_decay(0.1).initial_accumulator_value(0.5).eps(1e-6))},
    {"Adagrad(lr=0.01, maximize=True)", make<Adagrad>(AdagradOptions(0.01).maximize(true))},
    {"Adadelta()", make<Adadelta>(AdadeltaOptions())},
    {"Adadelta(lr=0.5, rho=0.8, eps=1e-4, weight_decay=0.1)", make<Adadelta>(AdadeltaOptions(0.5).rho(0.8).eps(1e-4).weight_decay(0.1))},
    {"Adadelta(lr=0.1, maximize=True)", make<Adadelta>(AdadeltaOptions(0.1).maximize(true))},
    {"Adamax(lr=0.01)", make<Adamax>(AdamaxOptions(0.01))},
    {"Adamax(lr=0.02, betas=(0.6, 0.9), eps=1e-3, weight_decay=0.1)", make<Adamax>(AdamaxOptions(0.02).betas({0.6, 0.9}).eps(1e-3).weight_decay(0.1))},
    {"Adamax(lr=0.001, maximize=True)", make<Adamax>(AdamaxOptions(0.001).maximize(true))},
    {"NAdam(lr=0.01)", make<NAdam>(NAdamOptions(0.01))},
    {"NAdam(lr=0.01, betas=(0.8, 0.99), weight_decay=0.1, momentum_decay=0.01)", make<NAdam>(NAdamOptions(0.01).betas({0.8, 0.99}).weight_decay(0.1).momentum_decay(0.01))},
    {"NAdam(lr=0.01, weight_decay=0.1, decoupled_weight_decay=True)", make<NAdam>(NAdamOptions(0.01).weight_decay(0.1).decoupled_weight_decay(true))},
    {"NAdam(lr=0.001, maximize=True)", make<NAdam>(NAdamOptions(0.001).maximize(true))},
    {"RAdam(lr=0.01)", make<RAdam>(RAdamOptions(0.01))},
    {"RAdam(lr=0.02, betas=(0.8, 0.95), weight_decay=0.1)", make<RAdam>(RAdamOptions(0.02).betas({0.8, 0.95}).weight_decay(0.1))},
    {"RAdam(lr=0.01, weight_decay=0.1, decoupled_weight_decay=True)", make<RAdam>(RAdamOptions(0.01).weight_decay(0.1).decoupled_weight_decay(true))},
    {"RAdam(lr=0.001, maximize=True)", make<RAdam>(RAdamOptions(0.001).maximize(true))},
    {"Rprop()", make<Rprop>(RpropOptions())},
    {"Rprop(lr=0.02, etas=(0.4, 1.3), step_sizes=(1e-4, 0.1))", make<Rprop>(RpropOptions(0.02).etas({0.4, 1.3}).step_sizes({1e-4, 0.1}))},
    {"Rprop(lr=0.001, etas=(0.5, 1.001), step_sizes=(1e-6, 0.002), maximize=True)", make<Rprop>(RpropOptions(0.001).etas({0.5, 1.001}).step_sizes({1e-6, 0.002}).maximize(true))},
    {"ASGD(lr=0.02)", make<ASGD>(ASGDOptions(0.02))},
    {"ASGD(lr=0.05, lambd=0.01, alpha=0.5, t0=20, weight_decay=0.1)", make<ASGD>(ASGDOptions(0.05).lambd(0.01).alpha(0.5).t0(20).weight_decay(0.1))},
    {"ASGD(lr=0.0001, maximize=True)", make<ASGD>(ASGDOptions(0.0001).maximize(true))},
    {"Adafactor()", make<Adafactor>(AdafactorOptions())},
    {"Adafactor(lr=0.05, beta2_decay=-0.5, eps=(1e-6, 1e-2), d=1.5, weight_decay=0.1)", make<Adafactor>(AdafactorOptions(0.05).beta2_decay(-0.5).eps({1e-6, 1e-2}).d(1.5).weight_decay(0.1))},
    {"Adafactor(lr=0.001, maximize=True)", make<Adafactor>(AdafactorOptions(0.001).maximize(true))},
    {"LBFGS(lr=0.5, max_iter=3)", make<LBFGS>(LBFGSOptions(0.5).max_iter(3))},
    {"LBFGS(lr=0.8, max_iter=6, history_size=3)", make<LBFGS>(LBFGSOptions(0.8).max_iter(6).history_size(3))},
    {"LBFGS(line_search_fn=\"strong_wolfe\")", make<LBFGS>(LBFGSOptions().line_search_fn("strong_wolfe"))},
    {"LBFGS(lr=0.1, max_iter=4, max_eval=9, history_size=2, line_search_fn=\"strong_wolfe\")", make<LBFGS>(LBFGSOptions(0.1).max_iter(4).max_eval(9).history_size(2).line_search_fn("strong_wolfe"))},
    {"Muon(lr=0.02)", make<Muon>(MuonOptions(0.02))},
    {"Muon(lr=0.02, momentum=0.8, nesterov=False, weight_decay=0.5, adjust_lr_fn=\"match_rms_adamw\")", make<Muon>(MuonOptions(0.02).momentum(0.8).nesterov(false).weight_decay(0.5).adjust_lr_fn("match_rms_adamw"))},
    {"Muon(lr=0.05, ns_steps=3, ns_coefficients=(3.0, -3.2, 1.2), weight_decay=0.0)", make<Muon>(MuonOptions(0.05).ns_steps(3).ns_coefficients({3.0, -3.2, 1.2}).weight_decay(0))},
  };
  // clang-format on
  return all;
}

/// The problem of the golden file.
struct Problem {
  Tensor x, y, k;
  bool fixed;
  Problem(ScalarType t, bool muon, bool is_fixed) : fixed(is_fixed) {
    x = tensor({{0.5, -1.25, 2.0}, {-0.75, 1.5, 0.25}}, t).requires_grad_();
    y = tensor({1.0, -2.0, 0.5, 3.0}, t);
    if (muon) y = y.reshape({1, 4}).clone();
    y.requires_grad_();
    k = tensor({{1.0, 0.5, 2.0}, {0.25, 1.5, 3.0}}, t);
  }
  void step(Optimizer& o, int step) const {
    const double a = fixed ? 0.25 : 0.25 * (step * 5 % 7 - 3), b = fixed ? 0.125 : 0.125 * (step * 3 % 11 - 5);
    o.step([&] {
      o.zero_grad();
      const Tensor loss = (k * (x - a).square()).sum() * 0.5 + (y - b).square().sum() + 0.05 * (y * y * y * y).sum();
      loss.backward();
      return loss;
    });
  }
  Tensor values() const { return cat({x.detach().reshape({-1}), y.detach().reshape({-1})}).to(kDouble); }
};

struct DefaultDtype {
  ScalarType before = get_default_dtype();
  ~DefaultDtype() { set_default_dtype(before); }
};

TEST(Optim, EveryOptimizerFollowsPyTorchFor1000Steps) {
  const DefaultDtype restored;  // the numbers that optimisers keep are rounded to it
  std::ifstream in(test::golden_path("optim.txt"));
  ASSERT_TRUE(in.good());
  std::map<std::string, int> seen;
  std::unique_ptr<Problem> problem;
  std::unique_ptr<Optimizer> optimizer;
  std::string head, line, running;
  int done = 0;
  while (std::getline(in, head) && std::getline(in, line)) {
    if (!head.starts_with("optim ")) continue;
    std::istringstream words(head);
    std::string kind, dtype, call;
    int step = 0;
    words >> kind >> dtype >> step;
    std::getline(words >> std::ws, call);
    ASSERT_TRUE(cases().count(call)) << call;
    if (running != dtype + call) {
      const ScalarType t = dtype == "float64" ? kDouble : kFloat;
      set_default_dtype(t);
      problem = std::make_unique<Problem>(t, call.starts_with("Muon"), call.starts_with("LBFGS"));
      optimizer = cases().at(call)({problem->x, problem->y});
      running = dtype + call, done = 0;
    }
    while (done < step) problem->step(*optimizer, ++done);
    const Tensor got = problem->values();
    const size_t mark = line.find('~');  // without it, the last digits are all that may differ
    const Tensor want = empty({got.numel()}, kDouble);
    std::istringstream numbers(line);
    for (int64_t i = 0; i < got.numel(); ++i) ASSERT_TRUE(numbers >> want.data_ptr<double>()[i]);
    const double unit =
        mark == line.npos ? 1e-11 * (1 + want.abs().max().item<double>()) : std::stod(line.substr(mark + 1));
    EXPECT_EQ(test::beyond_rounding(got, want, unit), "") << call << ' ' << dtype << " step " << step;
    ++seen[call];
  }
  EXPECT_EQ(seen.size(), cases().size());
  for (const auto& [call, n] : seen) EXPECT_GE(n, 5) << call;
}

// ---- The kernels against plain loops.

/// One element, in double: how each rule was written down in the first place.
struct Plain {
  const char* name;
  int states;
  std::function<void(FusedParams)> fused;
  std::function<void(double& p, double g, double* s)> step;
};
std::vector<Plain> plain_steps() {
  return {
      {"sgd", 0, [](FusedParams f) { _fused_sgd_(f, 0.1, 0, 0.05, 0, false, true); },
       [](double& p, double g, double*) { p -= 0.05 * (-g + 0.1 * p); }},
      {"sgd momentum", 1, [](FusedParams f) { _fused_sgd_(f, 0.1, 0.9, 0.05, 0.3, false, false); },
       [](double& p, double g, double* s) {
         s[0] = 0.9 * s[0] + 0.7 * (g + 0.1 * p);
         p -= 0.05 * s[0];
       }},
      {"sgd nesterov", 1, [](FusedParams f) { _fused_sgd_(f, 0, 0.9, 0.05, 0, true, false); },
       [](double& p, double g, double* s) {
         s[0] = 0.9 * s[0] + g;
         p -= 0.05 * (g + 0.9 * s[0]);
       }},
      {"adam", 2, [](FusedParams f) { _fused_adam_(f, 0.05, 0.9, 0.99, 0.1, 1e-3, false, false); },
       [](double& p, double g, double* s) {
         g += 0.1 * p;
         s[0] = 0.9 * s[0] + 0.1 * g, s[1] = 0.99 * s[1] + 0.01 * g * g;
         p -= 0.05 / (1 - std::pow(0.9, 5)) * s[0] / (std::sqrt(s[1]) / std::sqrt(1 - std::pow(0.99, 5)) + 1e-3);
       }},
      {"adamw amsgrad", 3, [](FusedParams f) { _fused_adamw_(f, 0.05, 0.9, 0.99, 0.1, 1e-3, true, true); },
       [](double& p, double g, double* s) {
         p *= 1 - 0.05 * 0.1;
         s[0] = 0.9 * s[0] - 0.1 * g, s[1] = 0.99 * s[1] + 0.01 * g * g, s[2] = std::max(s[2], s[1]);
         p -= 0.05 / (1 - std::pow(0.9, 5)) * s[0] / (std::sqrt(s[2]) / std::sqrt(1 - std::pow(0.99, 5)) + 1e-3);
       }},
      {"rmsprop", 1, [](FusedParams f) { _fused_rmsprop_(f, 0.05, 0.9, 1e-3, 0.1, 0, false, false); },
       [](double& p, double g, double* s) {
         g += 0.1 * p;
         s[0] = 0.9 * s[0] + 0.1 * g * g;
         p -= 0.05 * g / (std::sqrt(s[0]) + 1e-3);
       }},
      {"rmsprop centered", 2, [](FusedParams f) { _fused_rmsprop_(f, 0.05, 0.9, 1e-1, 0, 0, true, false); },
       [](double& p, double g, double* s) {
         s[0] = 0.9 * s[0] + 0.1 * g * g, s[1] = 0.9 * s[1] + 0.1 * g;
         p -= 0.05 * g / (std::sqrt(s[0] - s[1] * s[1]) + 1e-1);
       }},
      {"rmsprop momentum", 2, [](FusedParams f) { _fused_rmsprop_(f, 0.05, 0.9, 1e-3, 0, 0.5, false, false); },
       [](double& p, double g, double* s) {
         s[0] = 0.9 * s[0] + 0.1 * g * g, s[1] = 0.5 * s[1] + g / (std::sqrt(s[0]) + 1e-3);
         p -= 0.05 * s[1];
       }},
      {"rmsprop centered momentum", 3, [](FusedParams f) { _fused_rmsprop_(f, 0.05, 0.9, 1e-1, 0, 0.5, true, false); },
       [](double& p, double g, double* s) {
         s[0] = 0.9 * s[0] + 0.1 * g * g, s[1] = 0.9 * s[1] + 0.1 * g;
         s[2] = 0.5 * s[2] + g / (std::sqrt(s[0] - s[1] * s[1]) + 1e-1);
         p -= 0.05 * s[2];
       }},
      {"adagrad", 1, [](FusedParams f) { _fused_adagrad_(f, 0.05, 0.1, 0.1, 1e-3, false); },
       [](double& p, double g, double* s) {
         g += 0.1 * p;
         s[0] += g * g;
         p -= 0.05 / (1 + 4 * 0.1) * g / (std::sqrt(s[0]) + 1e-3);
       }},
      {"adadelta", 2, [](FusedParams f) { _fused_adadelta_(f, 0.5, 0.9, 1e-3, 0.1, false); },
       [](double& p, double g, double* s) {
         g += 0.1 * p;
         s[0] = 0.9 * s[0] + 0.1 * g * g;
         const double d = std::sqrt(s[1] + 1e-3) / std::sqrt(s[0] + 1e-3) * g;
         s[1] = 0.9 * s[1] + 0.1 * d * d;
         p -= 0.5 * d;
       }},
      {"adamax", 2, [](FusedParams f) { _fused_adamax_(f, 0.05, 0.9, 0.99, 1e-3, 0.1, false); },
       [](double& p, double g, double* s) {
         g += 0.1 * p;
         s[0] = 0.9 * s[0] + 0.1 * g, s[1] = std::max(0.99 * s[1], std::abs(g) + 1e-3);
         p -= 0.05 / (1 - std::pow(0.9, 5)) * s[0] / s[1];
       }},
      {"nadam", 2, [](FusedParams f) { _fused_nadam_(f, 0.05, 0.9, 0.99, 1e-3, 0.1, 0.01, true, false); },
       [](double& p, double g, double* s) {
         p *= 1 - 0.05 * 0.1;
         const double mu = 0.9 * (1 - 0.5 * std::pow(0.96, 5 * 0.01)),
                      next = 0.9 * (1 - 0.5 * std::pow(0.96, 6 * 0.01));
         s[0] = 0.9 * s[0] + 0.1 * g, s[1] = 0.99 * s[1] + 0.01 * g * g;
         const double denominator = std::sqrt(s[1] / (1 - std::pow(0.99, 5))) + 1e-3;
         p -= 0.05 * (1 - mu) / (1 - 0.5 * mu) * g / denominator +
              0.05 * next / (1 - 0.5 * mu * next) * s[0] / denominator;
       }},
      {"radam", 2, [](FusedParams f) { _fused_radam_(f, 0.05, 0.9, 0.8, 1e-3, 0.1, false, false); },
       [](double& p, double g, double* s) {
         g += 0.1 * p;
         s[0] = 0.9 * s[0] + 0.1 * g, s[1] = 0.8 * s[1] + 0.2 * g * g;
         const double inf = 2 / 0.2 - 1, b = std::pow(0.8, 5), t = inf - 2 * 5 * b / (1 - b);
         double size = 0.05 / (1 - std::pow(0.9, 5));
         if (t > 5)
           size *= std::sqrt((t - 4) * (t - 2) * inf / ((inf - 4) * (inf - 2) * t)) * std::sqrt(1 - b) /
                   (std::sqrt(s[1]) + 1e-3);
         p -= size * s[0];
       }},
      {"rprop", 2, [](FusedParams f) { _fused_rprop_(f, 0.5, 1.2, 0.1, 1.5, true); },
       [](double& p, double g, double* s) {
         g = -g;
         const double agree = g * s[0];
         s[1] = std::clamp(s[1] * (agree > 0 ? 1.2 : agree < 0 ? 0.5 : 1), 0.1, 1.5);
         if (agree < 0) g = 0;
         p -= (g > 0 ? 1 : g < 0 ? -1 : 0) * s[1];
         s[0] = g;
       }},
      {"asgd", 1, [](FusedParams f) { _fused_asgd_(f, 0.1, 0.1, false); },
       [](double& p, double g, double* s) {
         g += 0.1 * p;
         p = p * (1 - 0.1 * 0.2) - 0.2 * g;
         s[0] += (p - s[0]) * 0.5;
       }},
      {"lerp", 0,
       [](FusedParams f) {
         std::vector<Tensor> to, from;
         for (const FusedParam& p : f) to.push_back(*p.param), from.push_back(*p.grad);
         _foreach_lerp_(to, from, 0.8);
       },
       [](double& p, double g, double*) { p += 0.8 * (g - p); }},
  };
}

/// A parameter, gradient and state of n elements, in one of several layouts.
struct Operands {
  std::vector<Tensor> t;
  Operands(int64_t n, ScalarType dtype, int layout, int states) {
    for (int k = 0; k < 2 + states; ++k) {
      // The second state is small: it may be a mean whose square must not exceed the first, a mean square.
      Tensor v = (rand({n}, kDouble) + (k < 2 ? -0.5 : 0.6)).mul(k < 3 ? 1 : 0.4).to(dtype);
      if (layout == 1) v = stack({v, v}, 1).select(1, 0);            // every second element
      if (layout == 2 && n % 3 == 0) v = v.reshape({3, n / 3}).t();  // dense, but not row by row
      if (layout == 3 && n % 3 == 0 && k == 1) v = v.reshape({n / 3, 3}).t().contiguous().t();  // only the gradient
      if (layout == 3 && n % 3 == 0 && k != 1) v = v.reshape({n / 3, 3});
      t.push_back(v);
    }
  }
  FusedParam item() const {
    FusedParam f;
    f.param = &t[0], f.grad = &t[1], f.step = 5, f.mu = 0.5, f.eta = 0.2;
    for (size_t k = 2; k < t.size(); ++k) f.state[k - 2] = &t[k];
    return f;
  }
};

TEST(FusedStep, EqualsAPlainLoopForEverySizeLayoutAndDtype) {
  manual_seed(1);
  for (const Plain& plain : plain_steps()) {
    for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
      for (const int64_t n : {0, 1, 3, 7, 8, 15, 16, 17, 33, 63, 100, 129, 999, 40001, 60000}) {
        for (int layout = 0; layout < 4; ++layout) {
          if (n > 1000 && (layout == 1 || dtype == kHalf)) continue;
          const Operands operands(n, dtype, layout, plain.states);
          std::vector<Tensor> want;
          for (const Tensor& t : operands.t) want.push_back(t.to(kDouble).clone().reshape({-1}).contiguous());
          for (int64_t i = 0; i < n; ++i) {
            double s[3] = {};
            for (int k = 0; k < plain.states; ++k) s[k] = want[static_cast<size_t>(k) + 2].data_ptr<double>()[i];
            plain.step(want[0].data_ptr<double>()[i], want[1].data_ptr<double>()[i], s);
            for (int k = 0; k < plain.states; ++k) want[static_cast<size_t>(k) + 2].data_ptr<double>()[i] = s[k];
          }
          const uint32_t version = operands.t[0]._version();
          const FusedParam item = operands.item();
          plain.fused({&item, 1});
          EXPECT_GT(operands.t[0]._version(), version);
          const double tolerance = dtype == kDouble ? 1e-13 : dtype == kFloat ? 2e-5 : dtype == kHalf ? 5e-3 : 4e-2;
          for (size_t k = 0; k < want.size(); ++k)
            ASSERT_TRUE(allclose(operands.t[k].to(kDouble).reshape({-1}), want[k], tolerance, tolerance))
                << plain.name << ' ' << dtype << " n " << n << " layout " << layout << " operand " << k;
        }
      }
    }
  }
}

TEST(FusedStep, SameBitsForAnyNumberOfThreadsAndAnyCutOfTheList) {
  const int before = get_num_threads();
  for (const Plain& plain : plain_steps()) {
    std::vector<std::vector<Tensor>> results;
    for (const int threads : {1, 2, 3, 7}) {
      set_num_threads(threads);
      manual_seed(3);
      std::vector<Operands> list;
      for (const int64_t n : {5, 70001, 3, 16384, 40000, 1}) list.emplace_back(n, kFloat, 0, plain.states);
      list.emplace_back(30003, kFloat, 3, plain.states);
      list.emplace_back(20001, kBFloat16, 0, plain.states);
      std::vector<FusedParam> items;
      for (const Operands& o : list) items.push_back(o.item());
      if (threads == 3)  // one by one
        for (const FusedParam& item : items) plain.fused({&item, 1});
      else plain.fused(items);
      results.emplace_back();
      for (const Operands& o : list) results.back().insert(results.back().end(), o.t.begin(), o.t.end());
    }
    for (const auto& r : results)
      for (size_t i = 0; i < r.size(); ++i) ASSERT_TRUE(equal(r[i], results[0][i])) << plain.name << ' ' << i;
  }
  set_num_threads(before);
}

TEST(FusedStep, ATenListsGiveTheSameAsItems) {
  manual_seed(4);
  const Operands a(37, kFloat, 0, 3), b(37, kFloat, 0, 3);
  for (size_t k = 0; k < a.t.size(); ++k) b.t[k].copy_(a.t[k]);
  const FusedParam item = a.item();
  _fused_adam_({&item, 1}, 0.05, 0.9, 0.99, 0.1, 1e-3, true, false);
  const std::vector<Tensor> p{b.t[0]}, m{b.t[2]}, v{b.t[3]}, x{b.t[4]}, step{tensor(5.0)};
  const std::vector<Tensor> g{b.t[1] * 4};
  _fused_adam_(p, g, m, v, x, step, 0.05, 0.9, 0.99, 0.1, 1e-3, true, false, tensor(4.0), tensor(0.0));
  for (size_t k = 0; k < a.t.size(); ++k) EXPECT_TRUE(equal(a.t[k], k == 1 ? g[0] : b.t[k])) << k;
  _fused_adam_(p, g, m, v, x, step, 0.05, 0.9, 0.99, 0.1, 1e-3, true, false, std::nullopt, tensor(1.0));
  EXPECT_TRUE(equal(a.t[0], b.t[0])) << "found_inf: nothing happens";
}

TEST(FusedStep, RefusesWhatItCannotDoAndChangesNothing) {
  const Tensor p = ones({3}), q = ones({3}), g = ones({3}), wrong = ones({4}), wide = ones({3}, kDouble);
  const Tensor leaf = ones({3}).requires_grad_();
  const auto both = [&](const Tensor& second, const Tensor& grad) {
    _fused_sgd_({p, second}, {g, grad}, {}, 0, 0, 0.1, 0, false, false, true);
  };
  EXPECT_THROW(both(q, wrong), ValueError);
  EXPECT_THROW(both(q, wide), TypeError);
  EXPECT_THROW(both(q, Tensor()), Error);
  EXPECT_THROW(both(Tensor(), g), Error);
  EXPECT_THROW(both(ones({3}, kLong), ones({3}, kLong)), TypeError);
  EXPECT_THROW(both(ones({1}).expand({3}), g), Error);
  EXPECT_THROW(both(leaf, g), Error);
  EXPECT_THROW(_fused_sgd_({p, q}, {g}, {}, 0, 0, 0.1, 0, false, false, true), ValueError);
  EXPECT_THROW(_fused_sgd_({p}, {g}, {wrong}, 0, 0.9, 0.1, 0, false, false, true), ValueError);
  EXPECT_THROW(_fused_adam_({p}, {g}, {q}, {wide}, {}, {tensor(1.0)}, 0.1, 0.9, 0.9, 0, 0, false, false), TypeError);
  EXPECT_THROW(_foreach_lerp_({p, q}, {g}, 0.5), ValueError);
  EXPECT_TRUE(equal(p, ones({3})) && equal(q, ones({3})));
  EXPECT_EQ(p._version(), 0u);
}

// ---- The class Optimizer.

TEST(Optim, StepsOnlyParametersThatHaveAGradient) {
  Tensor a = ones({2}).requires_grad_(), b = ones({2}).requires_grad_();
  Adam o({a, b});
  a.sum().backward();
  o.step();
  EXPECT_NE(a[0].item<float>(), 1);
  EXPECT_EQ(b[0].item<float>(), 1);
  EXPECT_EQ(o.state().size(), 1u);
  EXPECT_EQ(o.size(), 2u);
}

TEST(Optim, StepBumpsTheVersionSoThatAnOldGraphNotices) {
  Tensor w = ones({3}).requires_grad_();
  const Tensor loss = (w * w).sum();
  w.mutable_grad() = ones({3});
  SGD(std::vector<Tensor>{w}, SGDOptions(0.1)).step();
  EXPECT_THROW(loss.backward(), Error);
}

TEST(Optim, ClosureRunsWithGradientsOnAndItsLossIsReturned) {
  Tensor w = ones({2}).requires_grad_();
  SGD o({w}, 0.5);
  NoGradGuard off;
  const Tensor loss = o.step([&] {
    EXPECT_TRUE(GradMode::is_enabled());
    const Tensor l = (w * 3).sum();
    l.backward();
    return l;
  });
  EXPECT_EQ(loss.item<float>(), 6);
  EXPECT_EQ(w[0].item<float>(), -0.5f);
  EXPECT_TRUE(w.requires_grad() && w.is_leaf());
}

TEST(Optim, ZeroGradDropsOrClears) {
  Tensor w = ones({2}).requires_grad_();
  SGD o({w});
  w.mutable_grad() = ones({2});
  o.zero_grad(false);
  EXPECT_TRUE(equal(w.grad(), zeros({2})));
  o.zero_grad();
  EXPECT_FALSE(w.grad().defined());
}

TEST(Optim, GroupsHaveTheirOwnOptionsAndInheritTheRest) {
  Tensor a = ones({2}).requires_grad_(), b = ones({2}).requires_grad_(), c = ones({2}).requires_grad_();
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a});
  groups.emplace_back(std::vector<Tensor>{b}, std::make_unique<SGDOptions>(SGDOptions().weight_decay(0.5)));
  SGD o(groups, SGDOptions(0.25).momentum(0.9));
  o.add_param_group({{c}, std::make_unique<SGDOptions>(1.0)});
  const auto options = [&](size_t i) { return static_cast<SGDOptions&>(o.param_groups()[i].options()); };
  EXPECT_EQ(options(0).lr(), 0.25);
  EXPECT_EQ(options(1).lr(), 0.25);
  EXPECT_EQ(options(1).weight_decay(), 0.5);
  EXPECT_EQ(options(1).momentum(), 0.9);
  EXPECT_EQ(options(2).lr(), 1.0);
  EXPECT_EQ(options(2).momentum(), 0.9);
  EXPECT_EQ(o.parameters().size(), 1u);
  EXPECT_TRUE(o.defaults() == SGDOptions(0.25).momentum(0.9));
  EXPECT_FALSE(o.defaults() == o.param_groups()[1].options());
  for (const Tensor& t : {a, b, c}) t.mutable_grad() = ones({2});
  o.step();
  EXPECT_EQ(a[0].item<float>(), 0.75f);
  EXPECT_EQ(b[0].item<float>(), 1 - 0.25f * 1.5f);
  EXPECT_EQ(c[0].item<float>(), 0);
}

TEST(Optim, AGradientThatDoesNotFitChangesNothing) {
  Tensor a = ones({2}).requires_grad_(), b = ones({3}).requires_grad_();
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a});
  groups.emplace_back(std::vector<Tensor>{b});
  SGD o(groups, SGDOptions(0.1).momentum(0.5).dampening(0.5));
  a.mutable_grad() = ones({2});
  b.mutable_grad() = ones({3});
  o.step();
  const Tensor a1 = a.detach().clone();
  try {
    b.mutable_grad() = ones({4});
    o.step();
    ADD_FAILURE() << "no exception";
  } catch (const ValueError& e) {
    EXPECT_NE(std::string(e.what()).find("[4]"), std::string::npos) << e.what();
  }
  EXPECT_TRUE(equal(a1, a));
}

TEST(Optim, NonContiguousParametersTrainAsContiguousOnesDo) {
  for (const auto& [call, make_one] : cases()) {
    if (call.starts_with("LBFGS") || call.starts_with("Muon") || call.starts_with("Adafactor")) continue;
    manual_seed(5);
    Tensor a = randn({4, 3}).requires_grad_(), b = a.detach().t().contiguous().t().requires_grad_();
    Tensor wide = randn({4, 6});
    Tensor c = wide.slice(1, 0, 6, 2);
    c.copy_(a.detach());
    c.requires_grad_();
    ASSERT_FALSE(b.is_contiguous() || c.is_contiguous());
    const auto o = make_one({a}), p = make_one({b}), q = make_one({c});
    for (int i = 0; i < 3; ++i) {
      const Tensor g = randn({4, 3});
      a.mutable_grad() = g, b.mutable_grad() = g, c.mutable_grad() = g;
      o->step(), p->step(), q->step();
      EXPECT_TRUE(equal(a, b) && equal(a, c)) << call;
    }
  }
}

TEST(Optim, SavingAndLoadingInMidRunContinuesWithEqualBits) {
  for (const auto& [call, make_one] : cases()) {
    SCOPED_TRACE(call);
    const Problem first(kFloat, call.starts_with("Muon"), call.starts_with("LBFGS"));
    const auto a = make_one({first.x, first.y});
    for (int i = 1; i <= 7; ++i) first.step(*a, i);
    const StateDict saved = a->state_dict();
    Problem second = first;
    second.x = first.x.detach().clone().requires_grad_(), second.y = first.y.detach().clone().requires_grad_();
    const auto b = make_one({second.x, second.y});
    b->param_groups()[0].options().set_lr(77);
    b->load_state_dict(saved);
    EXPECT_TRUE(a->param_groups()[0].options() == b->param_groups()[0].options());
    for (int i = 8; i <= 15; ++i) first.step(*a, i), second.step(*b, i);
    EXPECT_TRUE(equal(first.x, second.x) && equal(first.y, second.y));
    const StateDict one = a->state_dict(), two = b->state_dict();
    ASSERT_EQ(one.size(), two.size());
    for (const auto& item : one) {
      ASSERT_TRUE(two.contains(item.key())) << item.key();
      EXPECT_TRUE(equal(item.value(), two[item.key()])) << item.key();
    }
  }
}

TEST(Optim, StateDictHasPyTorchsNames) {
  Tensor w = ones({2}).requires_grad_(), v = ones({1}).requires_grad_();
  Adam o({w, v}, AdamOptions(0.1).amsgrad(true));
  v.mutable_grad() = ones({1});
  o.step();
  std::vector<std::string> keys;
  for (const auto& item : o.state_dict()) keys.push_back(item.key());
  EXPECT_EQ(keys,
            (std::vector<std::string>{
                "state.1.step", "state.1.exp_avg", "state.1.exp_avg_sq", "state.1.max_exp_avg_sq", "param_groups.0.lr",
                "param_groups.0.betas", "param_groups.0.eps", "param_groups.0.weight_decay", "param_groups.0.amsgrad",
                "param_groups.0.maximize", "param_groups.0.decoupled_weight_decay", "param_groups.0.params"}));
  EXPECT_EQ(o.state_dict()["state.1.step"].item<int64_t>(), 1);
  EXPECT_EQ(o.state_dict()["param_groups.0.params"].numel(), 2);
}

/// Every value of a list of fields made another one, one after the other: f(name) sees the list with that one changed.
void with_each_changed(const Fields& fields, const std::function<void(const std::string&)>& f) {
  for (const Field& field : fields)
    std::visit(
        [&](auto* v) {
          const auto before = *v;
          using T = std::remove_cvref_t<decltype(*v)>;
          if constexpr (std::is_same_v<T, bool>) *v = !*v;
          else if constexpr (std::is_arithmetic_v<T>) *v += 1;
          else if constexpr (std::is_same_v<T, std::optional<int64_t>>) *v = before.value_or(0) + 1;
          else if constexpr (std::is_same_v<T, std::optional<std::string>>) *v = before.value_or("") + "x";
          else if constexpr (requires { std::get<0>(*v); }) std::get<std::tuple_size_v<T> - 1>(*v) += 1;
          else if constexpr (std::is_same_v<T, Tensor>) *v = before.defined() ? before + 1 : ones({1});
          else v->push_back({});
          f(field.name);
          *v = before;
        },
        field.value);
}

/// What an optimiser of class O saves after a step, as text; it is all there again in one that was made without
/// options.
template <class O, class Options, class State>
std::string saves_all(const Options& options) {
  const Tensor w = ones({2, 2}).requires_grad_(), v = ones({2, 2}).requires_grad_();
  O a({w}, options), b({v}, Options());
  const auto step = [](O& o, const Tensor& x, const Tensor& gradient) {
    x.mutable_grad() = gradient;
    o.step([&] { return x.detach().sum(); });
  };
  step(a, w, tensor({{0.5, -1.0}, {2.0, 0.25}})), step(a, w, tensor({{0.25, 1.0}, {1.5, -0.5}}));
  std::string text;
  for (const auto& item : a.state_dict()) {
    text += str(text.empty() ? "" : " ", item.key(), "=");
    const Tensor flat = item.value().to(kDouble).flatten();
    for (int64_t i = 0; i < flat.numel(); ++i) text += str(i ? "," : "", flat[i].item<float>());
  }
  b.load_state_dict(a.state_dict());
  v.detach().copy_(w.detach());
  EXPECT_TRUE(a.param_groups()[0].options() == b.param_groups()[0].options());
  EXPECT_TRUE(a.state().at(w.impl()) && b.state().size() == 1);
  step(a, w, ones({2, 2})), step(b, v, ones({2, 2}));
  EXPECT_TRUE(equal(w, v));

  // Alone, through an archive.
  const auto through = [](const auto& from, auto& to) {
    serialize::OutputArchive out;
    from.serialize(out);
    std::stringstream stream;
    out.save_to(stream);
    serialize::InputArchive in;
    in.load_from(stream);
    to.serialize(in);
  };
  auto& kept = static_cast<State&>(*a.state().begin()->second);
  Options same;
  State state;
  through(options, same), through(kept, state);
  EXPECT_TRUE(same == options && state == kept && *kept.clone() == kept && *options.clone() == options);
  with_each_changed(same.fields(), [&](const std::string& name) { EXPECT_FALSE(same == options) << name; });
  with_each_changed(state.fields(), [&](const std::string& name) { EXPECT_FALSE(state == kept) << name; });
  return text;
}

TEST(Optim, EveryClassSavesAllItsOptionsAndState) {
  // clang-format off
  test::expect_outcomes({
      SHOWN(saves_all<Adadelta, AdadeltaOptions, AdadeltaParamState>(AdadeltaOptions(0.5).rho(0.8).eps(1e-3).weight_decay(0.1).maximize(true))),
      SHOWN(saves_all<Adafactor, AdafactorOptions, AdafactorParamState>(AdafactorOptions(0.5).beta2_decay(-0.5).eps({1e-6, 1e-2}).d(1.5).weight_decay(0.1).maximize(true))),
      SHOWN(saves_all<Adagrad, AdagradOptions, AdagradParamState>(AdagradOptions(0.5).lr_decay(0.1).weight_decay(0.2).initial_accumulator_value(0.3).eps(1e-3).maximize(true))),
      SHOWN(saves_all<Adam, AdamOptions, AdamParamState>(AdamOptions(0.5).betas({0.7, 0.8}).eps(1e-3).weight_decay(0.1).amsgrad(true).maximize(true).decoupled_weight_decay(true))),
      SHOWN(saves_all<Adamax, AdamaxOptions, AdamaxParamState>(AdamaxOptions(0.5).betas({0.7, 0.8}).eps(1e-3).weight_decay(0.1).maximize(true))),
      SHOWN(saves_all<AdamW, AdamWOptions, AdamWParamState>(AdamWOptions(0.5).betas({0.7, 0.8}).eps(1e-3).weight_decay(0.1).amsgrad(true).maximize(true))),
      SHOWN(saves_all<Adan, AdanOptions, AdanParamState>(AdanOptions(0.5).betas({0.7, 0.8, 0.6}).eps(1e-3).weight_decay(0.1).maximize(true))),
      SHOWN(saves_all<ASGD, ASGDOptions, ASGDParamState>(ASGDOptions(0.5).lambd(0.1).alpha(0.6).t0(1).weight_decay(0.2).maximize(true))),
      SHOWN(saves_all<LBFGS, LBFGSOptions, LBFGSParamState>(LBFGSOptions(0.5).max_iter(3).max_eval(7).tolerance_grad(1e-3).tolerance_change(1e-4).history_size(5).line_search_fn("strong_wolfe"))),
      SHOWN(saves_all<Lion, LionOptions, LionParamState>(LionOptions(0.5).betas({0.7, 0.8}).weight_decay(0.1).maximize(true))),
      SHOWN(saves_all<Muon, MuonOptions, MuonParamState>(MuonOptions(0.5).weight_decay(0.2).momentum(0.3).nesterov(false).ns_coefficients({3, -4, 2}).eps(1e-3).ns_steps(3).adjust_lr_fn("original"))),
      SHOWN(saves_all<NAdam, NAdamOptions, NAdamParamState>(NAdamOptions(0.5).betas({0.7, 0.8}).eps(1e-3).weight_decay(0.1).momentum_decay(0.2).decoupled_weight_decay(true).maximize(true))),
      SHOWN(saves_all<RAdam, RAdamOptions, RAdamParamState>(RAdamOptions(0.5).betas({0.7, 0.8}).eps(1e-3).weight_decay(0.1).decoupled_weight_decay(true).maximize(true))),
      SHOWN(saves_all<RMSprop, RMSpropOptions, RMSpropParamState>(RMSpropOptions(0.5).alpha(0.7).eps(1e-3).weight_decay(0.1).momentum(0.2).centered(true).maximize(true))),
      SHOWN(saves_all<Rprop, RpropOptions, RpropParamState>(RpropOptions(0.5).etas({0.6, 1.3}).step_sizes({1e-3, 7}).maximize(true))),
      SHOWN(saves_all<SGD, SGDOptions, SGDParamState>(SGDOptions(0.5).momentum(0.6).dampening(0.1).weight_decay(0.2).maximize(true))),
  });
  // clang-format on
  serialize::OutputArchive out;
  serialize::InputArchive in;
  EXPECT_THROW(OptimizerParamState().clone(), NotImplementedError);
  EXPECT_THROW(OptimizerParamState().serialize(out), NotImplementedError);
  EXPECT_THROW(OptimizerParamState().serialize(in), NotImplementedError);
  EXPECT_THROW(OptimizerOptions().serialize(out), NotImplementedError);
  EXPECT_THROW(OptimizerOptions().serialize(in), NotImplementedError);
}

TEST(Optim, LoadingAWrongStateSaysWhichAndChangesNothing) {
  const auto fresh = [](Tensor& w) {
    w = ones({2, 3}).requires_grad_();
    auto o = std::make_unique<Adam>(std::vector<Tensor>{w}, AdamOptions(0.1));
    w.mutable_grad() = full({2, 3}, 0.5);
    o->step();
    return o;
  };
  Tensor w;
  const auto good = fresh(w)->state_dict();
  struct Wrong {
    const char* says;
    std::function<void(StateDict&)> spoil;
  };
  const auto set = [](StateDict& d, const char* key, Tensor t) { d[std::string(key)] = std::move(t); };
  const Wrong wrongs[] = {
      {"'param_groups.0.lr' is missing", [](StateDict& d) { d.erase("param_groups.0.lr"); }},
      {"'param_groups.0.params' is missing", [](StateDict& d) { d.erase("param_groups.0.params"); }},
      {"'state.0.exp_avg' is missing", [](StateDict& d) { d.erase("state.0.exp_avg"); }},
      {"'state.0.step' is missing", [](StateDict& d) { d.erase("state.0.step"); }},
      {"'state.0.exp_avg' has shape [3] but its parameter has shape [2, 3]",
       [&](StateDict& d) { set(d, "state.0.exp_avg", zeros({3})); }},
      {"expected floating point",
       [&](StateDict& d) {
         set(d, "state.0.exp_avg", zeros({2, 3}, kLong));
       }},
      {"unexpected key 'state.0.momentum_buffer'",
       [](StateDict& d) {
         d.insert("state.0.momentum_buffer", zeros({2, 3}));
       }},
      {"unexpected key 'state.1.step'", [](StateDict& d) { d.insert("state.1.step", tensor(1)); }},
      {"unexpected key 'weights'", [](StateDict& d) { d.insert("weights", tensor(1)); }},
      {"different number of parameter groups", [](StateDict& d) { d.insert("param_groups.1.lr", tensor(1.0)); }},
      {"doesn't match the size of optimizer's group",
       [&](StateDict& d) {
         set(d, "param_groups.0.params", tensor({0, 1}));
       }},
      {"should be one number", [&](StateDict& d) { set(d, "param_groups.0.lr", zeros({2})); }},
      {"should be a whole number", [&](StateDict& d) { set(d, "state.0.step", tensor(1.5)); }},
      {"should be a list of 2 of numbers", [&](StateDict& d) { set(d, "param_groups.0.betas", zeros({3})); }},
      {"Invalid learning rate: -1", [&](StateDict& d) { set(d, "param_groups.0.lr", tensor(-1.0)); }},
  };
  for (const Wrong& wrong : wrongs) {
    SCOPED_TRACE(wrong.says);
    Tensor v;
    const auto o = fresh(v);
    StateDict bad = good;
    wrong.spoil(bad);
    try {
      o->load_state_dict(bad);
      ADD_FAILURE() << "no exception";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(wrong.says), std::string::npos) << e.what();
    }
    const StateDict now = o->state_dict();
    ASSERT_EQ(now.size(), good.size());
    for (const auto& item : good) EXPECT_TRUE(equal(item.value(), now[item.key()])) << item.key();
  }
  Tensor u = ones({2, 3}).requires_grad_();
  SGD other({u});
  EXPECT_THROW(other.load_state_dict(good), Error);
}

TEST(Optim, LbfgsRefusesAStateThatDoesNotHangTogether) {
  const Problem problem(kDouble, false, true);
  LBFGS o({problem.x, problem.y}, LBFGSOptions().max_iter(3));
  problem.step(o, 1);
  const StateDict good = o.state_dict();
  const auto refuses = [&](const std::function<void(StateDict&)>& spoil) {
    StateDict bad = good;
    spoil(bad);
    EXPECT_THROW(o.load_state_dict(bad), ValueError);
  };
  refuses([](StateDict& d) { d.erase("state.0.ro.0"); });
  refuses([](StateDict& d) { d.erase("state.0.d"); });
  refuses([](StateDict& d) { d[std::string("state.0.old_dirs.0")] = zeros({3}); });
  refuses([](StateDict& d) { d[std::string("state.0.prev_flat_grad")] = zeros({2, 5}); });
  refuses([](StateDict& d) { d[std::string("state.0.n_iter")] = tensor(-1); });
  // Each of the lists and of what an iteration leaves, missing, too long or of two dimensions.
  const int64_t total = problem.x.numel() + problem.y.numel();
  for (const char* name : {"d", "prev_flat_grad", "H_diag", "old_dirs.0", "old_stps.0", "ro.0"}) {
    const std::string key = str("state.0.", name);
    const int64_t n = good[key].numel();
    EXPECT_EQ(n, key.ends_with("H_diag") || key.ends_with("ro.0") ? 1 : total);
    refuses([&](StateDict& d) { d[key] = zeros({n + 1}, kDouble); });
    refuses([&](StateDict& d) { d[key] = zeros({1, n}, kDouble); });
    refuses([&](StateDict& d) { d.erase(key); });
  }
  o.load_state_dict(good);
  problem.step(o, 2);
}

TEST(Optim, LoadedStateIsACopyInTheDtypeOfTheParameter) {
  Tensor a = ones({2}).requires_grad_(), b = ones({2}, kDouble).requires_grad_();
  Adam o({a}), p({b});
  a.mutable_grad() = ones({2});
  o.step();
  p.load_state_dict(o.state_dict());
  const auto& s = static_cast<AdamParamState&>(*p.state().at(b.impl()));
  EXPECT_EQ(s.exp_avg().scalar_type(), kDouble);
  EXPECT_EQ(s.step(), 1);
  o.step();
  EXPECT_NEAR(s.exp_avg()[0].item<double>(), 0.1, 1e-7);
}

TEST(Optim, LbfgsRestoresTheParametersWhenAClosureThrowsInTheLineSearch) {
  Tensor w = tensor({3.0, -2.0}).requires_grad_();
  LBFGS o({w}, LBFGSOptions().line_search_fn("strong_wolfe"));
  int calls = 0;
  EXPECT_THROW(o.step([&]() -> Tensor {
    if (++calls == 2) throw Error("enough");
    o.zero_grad();
    const Tensor l = w.square().sum();
    l.backward();
    return l;
  }),
               Error);
  EXPECT_TRUE(equal(w, tensor({3.0, -2.0})));
}

TEST(Optim, ACustomOptimizerNeedsOnlyAStep) {
  struct Sign : Optimizer {
    explicit Sign(Params p) : Optimizer(std::move(p), std::make_unique<SGDOptions>(0.5)) {}
    Tensor step(LossClosure closure) override {
      Tensor loss = evaluate(closure);
      NoGradGuard off;
      for (auto& group : param_groups_)
        for (const Tensor& p : group.params()) p.sub_(p.grad().sign(), group.options().get_lr());
      return loss;
    }
  };
  Tensor w = ones({2}).requires_grad_();
  Sign o({w});
  w.mutable_grad() = tensor({3.0, -4.0});
  o.step(nullptr);
  EXPECT_TRUE(equal(w, tensor({0.5, 1.5})));
  EXPECT_THROW(OptimizerOptions().clone(), NotImplementedError);
  EXPECT_THROW(OptimizerOptions().get_lr(), NotImplementedError);
}

// ---- Bad settings.

TEST(Optim, SettingsAreTakenAtTheirBoundsAndRefusedBeyond) {
  Tensor w = ones({2, 2}).requires_grad_();
  // clang-format off
  const std::vector<std::function<void()>> taken = {
    [&] { SGD o({w}, SGDOptions(0).momentum(0).weight_decay(0).dampening(-1)); }, [&] { SGD o({w}, SGDOptions(1).momentum(1e-9).nesterov(true)); },
    [&] { Adam o({w}, AdamOptions(0).eps(0).betas({0, 0}).weight_decay(0)); }, [&] { AdamW o({w}, AdamWOptions(0).eps(0).betas({0, 0}).weight_decay(0)); },
    [&] { RMSprop o({w}, RMSpropOptions(0).alpha(0).momentum(0).eps(0).weight_decay(0)); },
    [&] { Adagrad o({w}, AdagradOptions(0).lr_decay(0).weight_decay(0).eps(0).initial_accumulator_value(0)); },
    [&] { Adadelta o({w}, AdadeltaOptions(0).rho(0).eps(0).weight_decay(0)); }, [&] { Adadelta o({w}, AdadeltaOptions().rho(1)); },
    [&] { Adamax o({w}, AdamaxOptions(0).betas({0, 0}).eps(0).weight_decay(0)); }, [&] { NAdam o({w}, NAdamOptions(0).betas({0, 0}).eps(0).weight_decay(0).momentum_decay(0)); },
    [&] { RAdam o({w}, RAdamOptions(0).betas({0, 0}).eps(0).weight_decay(0)); }, [&] { Rprop o({w}, RpropOptions(0).etas({1e-9, 1.000001}).step_sizes({0, 0})); },
    [&] { ASGD o({w}, ASGDOptions(0).weight_decay(0).lambd(-1).alpha(-1).t0(std::numeric_limits<double>::infinity())); },
    [&] { LBFGS o({w}, LBFGSOptions(0).max_iter(1).max_eval(1).history_size(1).tolerance_grad(0).tolerance_change(0)); },
    [&] { Muon o({w}, MuonOptions(0).momentum(0).weight_decay(0).eps(0).ns_steps(0)); }, [&] { Muon o({w}, MuonOptions().ns_steps(99)); },
    [&] { swa_utils::get_ema_multi_avg_fn(0); }, [&] { swa_utils::get_ema_multi_avg_fn(1); },
  };
  for (size_t i = 0; i < taken.size(); ++i) EXPECT_NO_THROW(taken[i]()) << i;

  for (const double bad : {-1e-9, std::nan("")}) {
    SCOPED_TRACE(bad);
    const std::vector<std::function<void()>> refused = {
      [&] { SGD o({w}, SGDOptions(bad)); }, [&] { SGD o({w}, SGDOptions(1).momentum(bad)); }, [&] { SGD o({w}, SGDOptions(1).weight_decay(bad)); },
      [&] { Adam o({w}, AdamOptions(bad)); }, [&] { Adam o({w}, AdamOptions().eps(bad)); }, [&] { Adam o({w}, AdamOptions().weight_decay(bad)); },
      [&] { Adam o({w}, AdamOptions().betas({bad, 0.5})); }, [&] { Adam o({w}, AdamOptions().betas({0.5, bad})); }, [&] { AdamW o({w}, AdamWOptions(bad)); },
      [&] { AdamW o({w}, AdamWOptions().eps(bad)); }, [&] { AdamW o({w}, AdamWOptions().weight_decay(bad)); }, [&] { AdamW o({w}, AdamWOptions().betas({bad, 0.5})); },
      [&] { RMSprop o({w}, RMSpropOptions(bad)); }, [&] { RMSprop o({w}, RMSpropOptions().alpha(bad)); }, [&] { RMSprop o({w}, RMSpropOptions().momentum(bad)); },
      [&] { RMSprop o({w}, RMSpropOptions().eps(bad)); }, [&] { RMSprop o({w}, RMSpropOptions().weight_decay(bad)); },
      [&] { Adagrad o({w}, AdagradOptions(bad)); }, [&] { Adagrad o({w}, AdagradOptions().lr_decay(bad)); }, [&] { Adagrad o({w}, AdagradOptions().weight_decay(bad)); },
      [&] { Adagrad o({w}, AdagradOptions().eps(bad)); }, [&] { Adagrad o({w}, AdagradOptions().initial_accumulator_value(bad)); },
      [&] { Adadelta o({w}, AdadeltaOptions(bad)); }, [&] { Adadelta o({w}, AdadeltaOptions().rho(bad)); }, [&] { Adadelta o({w}, AdadeltaOptions().rho(1 - bad)); },
      [&] { Adadelta o({w}, AdadeltaOptions().eps(bad)); }, [&] { Adadelta o({w}, AdadeltaOptions().weight_decay(bad)); },
      [&] { Adamax o({w}, AdamaxOptions(bad)); }, [&] { Adamax o({w}, AdamaxOptions().eps(bad)); }, [&] { Adamax o({w}, AdamaxOptions().weight_decay(bad)); },
      [&] { Adamax o({w}, AdamaxOptions().betas({bad, 0.5})); }, [&] { Adamax o({w}, AdamaxOptions().betas({0.5, 1 - bad})); },
      [&] { NAdam o({w}, NAdamOptions(bad)); }, [&] { NAdam o({w}, NAdamOptions().eps(bad)); }, [&] { NAdam o({w}, NAdamOptions().weight_decay(bad)); },
      [&] { NAdam o({w}, NAdamOptions().momentum_decay(bad)); }, [&] { NAdam o({w}, NAdamOptions().betas({bad, 0.5})); },
      [&] { RAdam o({w}, RAdamOptions(bad)); }, [&] { RAdam o({w}, RAdamOptions().eps(bad)); }, [&] { RAdam o({w}, RAdamOptions().weight_decay(bad)); },
      [&] { RAdam o({w}, RAdamOptions().betas({bad, 0.5})); }, [&] { Rprop o({w}, RpropOptions(bad)); }, [&] { Rprop o({w}, RpropOptions().etas({bad, 1.2})); },
      [&] { Rprop o({w}, RpropOptions().etas({0, 1.2})); }, [&] { Rprop o({w}, RpropOptions().etas({0.5, 1 + bad})); }, [&] { Rprop o({w}, RpropOptions().etas({0.5, 1})); },
      [&] { Rprop o({w}, RpropOptions().step_sizes({bad, 1})); }, [&] { Rprop o({w}, RpropOptions().step_sizes({1, 1 + bad})); },
      [&] { ASGD o({w}, ASGDOptions(bad)); }, [&] { ASGD o({w}, ASGDOptions().weight_decay(bad)); },
      [&] { LBFGS o({w}, LBFGSOptions(bad)); }, [&] { LBFGS o({w}, LBFGSOptions().max_eval(0)); }, [&] { LBFGS o({w}, LBFGSOptions().tolerance_grad(bad)); },
      [&] { LBFGS o({w}, LBFGSOptions().tolerance_change(bad)); }, [&] { Muon o({w}, MuonOptions(bad)); }, [&] { Muon o({w}, MuonOptions().momentum(bad)); },
      [&] { Muon o({w}, MuonOptions().weight_decay(bad)); }, [&] { Muon o({w}, MuonOptions().eps(bad)); }, [&] { Muon o({w}, MuonOptions().ns_steps(-1)); },
      [&] { swa_utils::get_ema_multi_avg_fn(bad); }, [&] { swa_utils::get_ema_multi_avg_fn(1 - bad); },
    };
    for (size_t i = 0; i < refused.size(); ++i) EXPECT_THROW(refused[i](), ValueError) << i;
  }
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_THROW(ASGD({w}, ASGDOptions().lambd(inf)), ValueError);
  EXPECT_THROW(ASGD({w}, ASGDOptions().alpha(nan)), ValueError);
  EXPECT_THROW(ASGD({w}, ASGDOptions().t0(nan)), ValueError);
  EXPECT_THROW(SGD({w}, SGDOptions(1).dampening(inf)), ValueError);
  EXPECT_THROW(Rprop({w}, RpropOptions().etas({0.5, inf})), ValueError);
  EXPECT_THROW(Muon({w}, MuonOptions(inf)), ValueError);
  // clang-format on
}

/// Where the closure was asked for the loss: every branch of the line search shows in that.
TEST(Optim, LbfgsSearchesLinesWherePyTorchSearches) {
  const std::map<std::string, std::function<Tensor(const Tensor&)>> functions = {
      {"quartic", [](const Tensor& x) { return (x * x * x * x).sum() - x.sum(); }},
      {"waves", [](const Tensor& x) { return (x * 3).sin().sum() + 0.1 * (x * x).sum(); }},
      {"cliff", [](const Tensor& x) { return (x.exp() - x * 2).sum(); }},
      {"valley", [](const Tensor& x) { return (1 - x[0]).square() + 100 * (x[1] - x[0] * x[0]).square(); }},
      {"kink", [](const Tensor& x) { return (x.abs() + 0.01 * x * x).sum(); }},
      {"slope", [](const Tensor& x) { return (x.square() + 1).log().sum() - 0.3 * x[0]; }},
  };
  std::ifstream in(test::golden_path("optim.txt"));
  std::string head, line;
  int seen = 0;
  while (std::getline(in, head) && std::getline(in, line)) {
    if (!head.starts_with("search ")) continue;
    std::istringstream words(head), numbers(line);
    std::string kind, name;
    double lr = 0, a = 0, b = 0;
    words >> kind >> name >> lr >> a >> b;
    SCOPED_TRACE(head);
    Tensor x = tensor({a, b}, kDouble).requires_grad_();
    LBFGS o({x}, LBFGSOptions(lr).max_iter(20).line_search_fn("strong_wolfe"));
    std::vector<double> got;
    o.step([&] {
      o.zero_grad();
      const Tensor loss = functions.at(name)(x);
      loss.backward();
      for (int i = 0; i < 2; ++i) got.push_back(x[i].item<double>());
      return loss;
    });
    for (int i = 0; i < 2; ++i) got.push_back(x[i].item<double>());
    const std::vector<double> want{std::istream_iterator<double>(numbers), {}};
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-7 * (1 + std::abs(want[i]))) << i;
    ++seen;
  }
  EXPECT_GE(seen, 20);
}

TEST(Optim, BadSettingsThrowPyTorchsWords) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  Tensor w = ones({2}).requires_grad_(), v = ones({2}).requires_grad_(), m = ones({2, 2}).requires_grad_();
  const Tensor product = w * 2;
  struct Bad {
    const char* says;
    std::function<void()> run;
  };
  // clang-format off
  const std::vector<Bad> bads = {
    {"Invalid learning rate: -0.1", [&] { SGD o({w}, SGDOptions(-0.1)); }},
    {"Invalid learning rate: nan", [&] { SGD o({w}, SGDOptions(nan)); }},
    {"Invalid learning rate: inf", [&] { SGD o({w}, SGDOptions(inf)); }},
    {"Invalid momentum value: -1", [&] { SGD o({w}, SGDOptions(0.1).momentum(-1)); }},
    {"Invalid weight_decay value: -2", [&] { SGD o({w}, SGDOptions(0.1).weight_decay(-2)); }},
    {"Invalid dampening value: nan", [&] { SGD o({w}, SGDOptions(0.1).dampening(nan)); }},
    {"Nesterov momentum requires a momentum and zero dampening", [&] { SGD o({w}, SGDOptions(0.1).nesterov(true)); }},
    {"Nesterov momentum requires a momentum and zero dampening", [&] { SGD o({w}, SGDOptions(0.1).momentum(0.9).dampening(0.1).nesterov(true)); }},
    {"Invalid learning rate: -1", [&] { Adam o({w}, AdamOptions(-1)); }},
    {"Invalid epsilon value: -1", [&] { Adam o({w}, AdamOptions().eps(-1)); }},
    {"Invalid beta parameter at index 0: 1", [&] { Adam o({w}, AdamOptions().betas({1.0, 0.9})); }},
    {"Invalid beta parameter at index 1: -0.5", [&] { Adam o({w}, AdamOptions().betas({0.9, -0.5})); }},
    {"Invalid beta parameter at index 0: nan", [&] { Adam o({w}, AdamOptions().betas({nan, 0.5})); }},
    {"Invalid weight_decay value: nan", [&] { Adam o({w}, AdamOptions().weight_decay(nan)); }},
    {"Invalid learning rate: -1", [&] { AdamW o({w}, AdamWOptions(-1)); }},
    {"Invalid beta parameter at index 1: 1", [&] { AdamW o({w}, AdamWOptions().betas({0.9, 1.0})); }},
    {"Invalid alpha value: -1", [&] { RMSprop o({w}, RMSpropOptions().alpha(-1)); }},
    {"Invalid momentum value: -1", [&] { RMSprop o({w}, RMSpropOptions().momentum(-1)); }},
    {"Invalid epsilon value: nan", [&] { RMSprop o({w}, RMSpropOptions().eps(nan)); }},
    {"Invalid lr_decay value: -1", [&] { Adagrad o({w}, AdagradOptions().lr_decay(-1)); }},
    {"Invalid initial_accumulator_value value: -1", [&] { Adagrad o({w}, AdagradOptions().initial_accumulator_value(-1)); }},
    {"Invalid rho value: 1.5", [&] { Adadelta o({w}, AdadeltaOptions().rho(1.5)); }},
    {"Invalid epsilon value: -1", [&] { Adadelta o({w}, AdadeltaOptions().eps(-1)); }},
    {"Invalid beta parameter at index 0: 2", [&] { Adamax o({w}, AdamaxOptions().betas({2.0, 0.9})); }},
    {"Invalid momentum_decay value: -1", [&] { NAdam o({w}, NAdamOptions().momentum_decay(-1)); }},
    {"Invalid beta parameter at index 1: 1", [&] { NAdam o({w}, NAdamOptions().betas({0.9, 1.0})); }},
    {"Invalid beta parameter at index 1: 1", [&] { RAdam o({w}, RAdamOptions().betas({0.9, 1.0})); }},
    {"Invalid eta values: 1, 1.2", [&] { Rprop o({w}, RpropOptions().etas({1.0, 1.2})); }},
    {"Invalid eta values: 0.5, 0.9", [&] { Rprop o({w}, RpropOptions().etas({0.5, 0.9})); }},
    {"Invalid step sizes: 2, 1", [&] { Rprop o({w}, RpropOptions().step_sizes({2.0, 1.0})); }},
    {"Invalid weight_decay value: -1", [&] { ASGD o({w}, ASGDOptions().weight_decay(-1)); }},
    {"Invalid lambd value: nan", [&] { ASGD o({w}, ASGDOptions().lambd(nan)); }},
    {"Invalid learning rate: -1", [&] { LBFGS o({w}, LBFGSOptions(-1)); }},
    {"Invalid max_iter value: 0", [&] { LBFGS o({w}, LBFGSOptions().max_iter(0)); }},
    {"Invalid history_size value: 0", [&] { LBFGS o({w}, LBFGSOptions().history_size(0)); }},
    {"only 'strong_wolfe' is supported", [&] { LBFGS o({w}, LBFGSOptions().line_search_fn("armijo")); }},
    {"LBFGS doesn't support per-parameter options (parameter groups)", [&] { LBFGS o(std::vector<OptimizerParamGroup>{{{w}}, {{v}}}); }},
    {"missing the closure", [&] { LBFGS o({w}); o.step(nullptr); }},
    {"Learning rate should be >= 0 but is: -1", [&] { Adafactor o({w}, AdafactorOptions(-1)); }},
    {"beta2_decay should be <= 0 but is: 1", [&] { Adafactor o({w}, AdafactorOptions().beta2_decay(1)); }},
    {"epsilon1 should be >= 0 but is: -1", [&] { Adafactor o({w}, AdafactorOptions().eps({-1, 1})); }},
    {"epsilon2 should be >= 0 but is: -2", [&] { Adafactor o({w}, AdafactorOptions().eps({1, -2})); }},
    {"Clipping threshold d should be >= 1 but is: 0.5", [&] { Adafactor o({w}, AdafactorOptions().d(0.5)); }},
    {"Learning rate should be >= 0 but is: -1", [&] { Muon o({m}, MuonOptions(-1)); }},
    {"momentum should be >= 0 but is: -1", [&] { Muon o({m}, MuonOptions().momentum(-1)); }},
    {"weight decay should be >= 0 but is: -1", [&] { Muon o({m}, MuonOptions().weight_decay(-1)); }},
    {"Adjust learning rate function foo is not supported", [&] { Muon o({m}, MuonOptions().adjust_lr_fn("foo")); }},
    {"Number of steps must be less than 100", [&] { Muon o({m}, MuonOptions().ns_steps(100)); }},
    {"Muon only supports 2D parameters whereas we found a parameter with size: [2]", [&] { Muon o({w}); }},
    {"duplicate parameters", [&] { SGD o({w, w}); }},
    {"some parameters appear in more than one parameter group", [&] { SGD o(std::vector<OptimizerParamGroup>{{{w}}, {{v, w}}}); }},
    {"can't optimize a non-leaf Tensor", [&] { SGD o({product}); }},
    {"optimizer can only optimize Tensors", [&] { SGD o({w, Tensor()}); }},
    {"the options of another optimizer", [&] { SGD o({w}); o.add_param_group({{v}, std::make_unique<AdamOptions>()}); }},
    {"Invalid learning rate: -3", [&] { SGD o({w}); o.add_param_group({{v}, std::make_unique<SGDOptions>(-3)}); }},
    {"some parameters appear in more than one parameter group", [&] { SGD o({w}); o.add_param_group(OptimizerParamGroup({w})); }},
    {"this parameter group has no options", [&] { OptimizerParamGroup g({w}); g.options(); }},
    {"Invalid decay value 1.5", [&] { swa_utils::get_ema_multi_avg_fn(1.5); }},
    {"made for 1 parameters, got 2", [&] { swa_utils::AveragedModel a({w}); a.update_parameters({w, v}); }},
  };
  // clang-format on
  EXPECT_GE(bads.size(), 40u);
  for (const Bad& bad : bads) {
    SCOPED_TRACE(bad.says);
    try {
      bad.run();
      ADD_FAILURE() << "no exception";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(bad.says), std::string::npos) << e.what();
    }
    EXPECT_TRUE(equal(w, ones({2})) && equal(v, ones({2})));
  }
}

// ---- Averages.

TEST(Averages, AreTheMeanOfAllOrDecayExponentially) {
  Tensor w = full({3}, 2.0).requires_grad_(), steps = tensor(5);
  swa_utils::AveragedModel mean({w}, swa_utils::get_swa_multi_avg_fn(), {steps});
  swa_utils::AveragedModel ema({w}, swa_utils::get_ema_multi_avg_fn(0.75));
  for (const double value : {2.0, 4.0, 9.0}) {
    w.detach().fill_(value);
    steps.add_(1);
    mean.update_parameters({w}, {steps});
    ema.update_parameters({w});
  }
  EXPECT_NEAR(mean.parameters()[0][1].item<double>(), 5, 1e-6);
  EXPECT_NEAR(ema.parameters()[0][1].item<double>(), (2 * 0.75 + 4 * 0.25) * 0.75 + 9 * 0.25, 1e-6);
  EXPECT_EQ(mean.n_averaged(), 3);
  EXPECT_EQ(mean.buffers()[0].item<int64_t>(), 8);
  EXPECT_FALSE(mean.parameters()[0].requires_grad());

  swa_utils::AveragedModel whole({tensor({100, -8})}, swa_utils::get_ema_multi_avg_fn(0.75));
  whole.update_parameters({tensor({100, -8})});
  whole.update_parameters({tensor({200, 8})});
  EXPECT_TRUE(equal(whole.parameters()[0], tensor({125, -4})));

  swa_utils::AveragedModel whole_mean({tensor({0})});
  for (const int64_t value : {3, 6, 12}) whole_mean.update_parameters({tensor({value})});
  EXPECT_EQ(whole_mean.parameters()[0].item<int64_t>(), 6);  // 3, then 3 + 3 / 2, then 4 + 8 / 3, cut off each time

  swa_utils::AveragedModel other({w}, swa_utils::get_swa_multi_avg_fn(), {steps});
  StateDict count = other.state_dict();
  other.load_state_dict(count);  // of none
  count[std::string("n_averaged")] = scalar_tensor(-1, kLong);
  EXPECT_THROW(other.load_state_dict(count), ValueError);
  for (const double decay : {0.0, 1.0}) swa_utils::get_ema_multi_avg_fn(decay);
  for (const double decay : {-0.01, 1.01}) EXPECT_THROW(swa_utils::get_ema_multi_avg_fn(decay), ValueError);
  other.load_state_dict(mean.state_dict());
  EXPECT_EQ(other.n_averaged(), 3);
  EXPECT_TRUE(equal(other.parameters()[0], mean.parameters()[0]));
  StateDict bad = mean.state_dict();
  bad[std::string("parameters.0")] = zeros({4});
  EXPECT_THROW(other.load_state_dict(bad), ValueError);
  EXPECT_TRUE(equal(other.parameters()[0], mean.parameters()[0]));
  other.copy_to({w}, {steps});
  EXPECT_NEAR(w[0].item<double>(), 5, 1e-6);
  EXPECT_TRUE(w.requires_grad() && w.is_leaf());
}

TEST(Averages, TakeBuffersInWhereTheyAreToldTo) {
  for (const bool use_buffers : {true, false}) {
    Tensor w = zeros({2}), mean = zeros({2});
    swa_utils::AveragedModel average({w}, swa_utils::get_swa_multi_avg_fn(), {mean}, use_buffers);
    for (const double value : {2.0, 4.0}) average.update_parameters({w.fill_(value)}, {mean.fill_(10 * value)});
    EXPECT_TRUE(equal(average.parameters()[0], full({2}, 3.0)));
    EXPECT_TRUE(equal(average.buffers()[0], full({2}, use_buffers ? 30.0 : 40.0)));
  }
}

struct NetImpl : nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    weight = register_parameter("weight", ones({2}));
    count = register_buffer("count", zeros({}, kLong));
  }
  Tensor forward(const Tensor& x) { return x * weight; }
  Tensor weight, count;
};
TAUT_MODULE(Net);

TEST(Averages, OfAModuleAreACopyThatCanBeCalled) {
  Net net;
  swa_utils::AveragedModel average(net);
  for (const double value : {1.0, 3.0}) {
    NoGradGuard no_grad;
    net->weight.fill_(value);
    net->count.add_(1);
    average.update_parameters(net);
  }
  EXPECT_TRUE(equal(average.module<Net>()->forward(tensor({1.0, 2.0})), tensor({2.0, 4.0})));
  EXPECT_EQ(average.module<Net>()->count.item<int64_t>(), 2);
  EXPECT_TRUE(equal(net->weight, tensor({3.0, 3.0})));
  Net other;
  swa_utils::AveragedModel loaded(other.ptr());
  loaded.load_state_dict(average.state_dict());
  EXPECT_TRUE(equal(loaded.module<NetImpl>()->weight, tensor({2.0, 2.0})));
  EXPECT_EQ(average.state_dict()[1].key(), "module.weight");
  EXPECT_EQ(loaded.n_averaged(), 2);
}

TEST(Averages, UpdateBnTakesTheMeanOverAllBatches) {
  nn::Sequential model(nn::BatchNorm1d(2), nn::BatchNorm1d(nn::BatchNormOptions(2).momentum(0.3)));
  manual_seed(2);
  model->eval();
  const std::vector<Tensor> batches{randn({8, 2}) * 3 + 1, randn({8, 2}) - 2};
  swa_utils::update_bn(batches, model);
  auto* first = model->ptr(0)->as<nn::BatchNorm1d>();
  auto* second = model->ptr(1)->as<nn::BatchNorm1d>();
  EXPECT_TRUE(allclose(first->running_mean, (batches[0].mean(0) + batches[1].mean(0)) / 2, 1e-5, 1e-6));
  EXPECT_TRUE(allclose(first->running_var, (batches[0].var(0) + batches[1].var(0)) / 2, 1e-5, 1e-6));
  EXPECT_EQ(first->num_batches_tracked.item<int64_t>(), 2);
  EXPECT_EQ(first->options.momentum(), 0.1);
  EXPECT_EQ(second->options.momentum(), 0.3);
  EXPECT_FALSE(model->is_training());
  model->train();
  swa_utils::update_bn(batches, model);
  EXPECT_TRUE(model->is_training());
  nn::Sequential plain(nn::Linear(2, 2));
  plain->eval();
  swa_utils::update_bn(batches, plain);
  EXPECT_FALSE(plain->is_training());
  nn::Sequential image(nn::BatchNorm2d(1), nn::Flatten(), nn::Unflatten(1, std::vector<int64_t>{1, 1, 1, 4}),
                       nn::BatchNorm3d(1));
  swa_utils::update_bn(std::vector<Tensor>{full({2, 1, 2, 2}, 3.0)}, image);
  EXPECT_EQ(image->ptr(0)->as<nn::BatchNorm2d>()->running_mean.item<double>(), 3);
  EXPECT_EQ(image->ptr(3)->as<nn::BatchNorm3d>()->running_mean.item<double>(), 0);
  const std::vector<std::tuple<Tensor, Tensor>> pairs{{batches[0], zeros({8})}};
  swa_utils::update_bn(pairs, model);
  EXPECT_TRUE(allclose(first->running_mean, batches[0].mean(0), 1e-5, 1e-6));
}

TEST(Optim, TrainsAModule) {
  Net net;
  Adam o(net->parameters(), AdamOptions(0.1));
  double loss = 0;
  for (int i = 0; i < 200; ++i) {
    o.zero_grad();
    const Tensor l = (net(tensor({1.0, -1.0})) - tensor({3.0, 2.0})).square().sum();
    l.backward();
    o.step();
    loss = l.item<double>();
  }
  EXPECT_LT(loss, 1e-3);
}

/// What PyTorch's line search does where it comes near an end of its bracket again and again, from either side: the
/// number of points it looks at, their sum, and where it ends.
TEST(LBFGS, LooksAtThePointsThatPyTorchLooksAt) {
  const struct {
    double power, waves, frequency, lr, from;
    int points;
    double sum, end;
  } cases[] = {
      {2, 1.1, 4.3, 8, 0.4, 7, -1.53285243, -0.332497331},     {6, -2.2, 3.9, 8, -0.4, 8, 2.8125846, 0.400911576},
      {1.5, -2.5, 2.5, 1, -3.3, 8, -16.337298, -1.81380422},   {1.2, 2.9, 8.8, 8, 1.6, 8, -5.27076917, 1.25141973},
      {1.5, -2.1, 8.2, 3, 2.8, 8, -0.798952163, -0.566679112}, {2, -1.3, 6.4, 8, 2.8, 8, -6.07220566, -0.709529797},
      {8, 0, 1, 8, 1.9, 8, -9.43154312, -0.240010433},         {1.5, 0, 1, 8, 1.0, 7, -4.427571, -0.022428961},
  };
  for (const auto& c : cases) {
    const Tensor x = full({1}, c.from, kDouble).requires_grad_();
    LBFGS optimizer({x}, LBFGSOptions(c.lr).max_iter(6).line_search_fn("strong_wolfe"));
    int points = 0;
    double sum = 0;
    optimizer.step([&] {
      optimizer.zero_grad();
      const Tensor loss = x.abs().pow(c.power).sum() + c.waves * (c.frequency * x).sin().sum();
      loss.backward();
      ++points, sum += x.item<double>();
      return loss;
    });
    EXPECT_EQ(points, c.points) << "from " << c.from;
    EXPECT_NEAR(sum, c.sum, 1e-6) << "from " << c.from;
    EXPECT_NEAR(x.item<double>(), c.end, 1e-7) << "from " << c.from;
  }
}

TEST(ASGD, AveragesFromItsBeginningOn) {
  const Tensor w = full({2}, 1.5, kDouble).requires_grad_();
  const double t0 = 2;
  ASGD optimizer({w}, ASGDOptions(0.1).t0(t0).lambd(0.01));
  Tensor average;
  double share = 1;
  for (int step = 1; step <= 7; ++step) {
    optimizer.zero_grad();
    (w * w * step).sum().backward();
    optimizer.step();
    const Tensor now = w.detach().clone();
    average = share == 1 ? now : average + (now - average) * share;
    share = 1 / std::max(1.0, step - t0);
    const auto& state = static_cast<ASGDParamState&>(*optimizer.state().at(w.impl()));
    EXPECT_TRUE(allclose(state.ax(), average)) << "step " << step;
    EXPECT_FLOAT_EQ(static_cast<float>(state.mu()), static_cast<float>(share)) << "step " << step;
  }
}

}  // namespace
}  // namespace taut
