// Learning rate schedulers: PyTorch's sequences (tools/golden_schedulers.py), saving and loading, bad settings.
#include "taut/optim/lr_scheduler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "support/paths.h"
#include "taut/taut.h"

namespace taut {
namespace {

using namespace optim;
using swa_utils::SWALR;

/// Optimisers of two groups, with rates 0.1 and 0.3.
struct Two {
  std::unique_ptr<SGD> o;
  std::unique_ptr<Adam> a;
  Two() {
    o = std::make_unique<SGD>(groups<SGDOptions>(), SGDOptions(0.1).momentum(0.9));
    a = std::make_unique<Adam>(groups<AdamOptions>(), AdamOptions(0.1));
  }
  template <class Options>
  static std::vector<OptimizerParamGroup> groups() {
    std::vector<OptimizerParamGroup> groups;
    groups.emplace_back(std::vector<Tensor>{zeros({2}).requires_grad_()});
    groups.emplace_back(std::vector<Tensor>{zeros({3}).requires_grad_()}, std::make_unique<Options>(0.3));
    return groups;
  }
};

/// A scheduler of either kind.
struct Any {
  std::shared_ptr<LRScheduler> plain;
  std::shared_ptr<ReduceLROnPlateau> plateau;
  void step(int i) const {
    constexpr double metrics[] = {5, 4, 4.5, 4.2, 4.4, 3, 3.5};
    if (plateau) plateau->step(metrics[i % 7] + i * 0.1);
    else plain->step();
  }
  StateDict state_dict() const { return plateau ? plateau->state_dict() : plain->state_dict(); }
  void load_state_dict(const StateDict& d) const { plateau ? plateau->load_state_dict(d) : plain->load_state_dict(d); }
  const std::vector<double>& get_last_lr() const { return plateau ? plateau->get_last_lr() : plain->get_last_lr(); }
};
using Make = std::function<Any(Optimizer& o, Optimizer& a)>;

/// What step(epoch) is in Python: the rates of any epoch.
struct Goes {
  virtual ~Goes() = default;
  virtual void go(int64_t epoch) = 0;
};
template <class S>
struct Open final : S, Goes {
  using S::S;
  void go(int64_t epoch) override {
    if constexpr (std::is_same_v<S, CosineAnnealingWarmRestarts>) this->step(static_cast<double>(epoch));
    else this->update_lr(epoch);
  }
};
template <class S, class... A>
std::shared_ptr<LRScheduler> sched(Optimizer& o, A... a) {
  return std::make_shared<Open<S>>(o, std::move(a)...);
}

/// A scheduler and the optimisers, of which it works on one.
struct Trial {
  Two two;
  Optimizer& optimizer;
  bool cycles;
  Any scheduler;
  Trial(const std::string& call, const Make& make)
      : optimizer(call.find("(a,") == std::string::npos ? static_cast<Optimizer&>(*two.o) : *two.a),
        cycles(call.find("Cycl") != std::string::npos),
        scheduler(make(*two.o, *two.a)) {}
  void step(int i) const {
    optimizer.step();
    scheduler.step(i);
  }
  /// The rates; with the momenta where they cycle.
  void append_to(std::vector<double>& rates) const {
    for (const OptimizerParamGroup& g : optimizer.param_groups()) {
      rates.push_back(g.options().get_lr());
      if (!cycles) continue;
      if (const auto* sgd = dynamic_cast<const SGDOptions*>(&g.options())) rates.push_back(sgd->momentum());
      else rates.push_back(std::get<0>(dynamic_cast<const AdamOptions&>(g.options()).betas()));
    }
  }
};

const std::map<std::string, Make>& cases() {
  using Lambda = LambdaLR::Lambda;
  // clang-format off
#define ONE(...) [](Optimizer& o, Optimizer&) { return Any{__VA_ARGS__, nullptr}; }
#define ADAM(...) [](Optimizer&, Optimizer& a) { return Any{__VA_ARGS__, nullptr}; }
  static const std::map<std::string, Make> all = {
    {"StepLR(o, 3)", ONE(sched<StepLR>(o, 3))},
    {"StepLR(o, step_size=2, gamma=0.7)", ONE(sched<StepLR>(o, 2, 0.7))},
    {"MultiStepLR(o, [2, 5, 5, 9], gamma=0.5)", ONE(sched<MultiStepLR>(o, std::vector<int64_t>{2, 5, 5, 9}, 0.5))},
    {"ConstantLR(o)", ONE(sched<ConstantLR>(o))},
    {"ConstantLR(o, factor=0.25, total_iters=3)", ONE(sched<ConstantLR>(o, 0.25, 3))},
    {"LinearLR(o)", ONE(sched<LinearLR>(o))},
    {"LinearLR(o, start_factor=0.1, end_factor=0.6, total_iters=7)", ONE(sched<LinearLR>(o, 0.1, 0.6, 7))},
    {"ExponentialLR(o, 0.9)", ONE(sched<ExponentialLR>(o, 0.9))},
    {"PolynomialLR(o)", ONE(sched<PolynomialLR>(o))},
    {"PolynomialLR(o, total_iters=8, power=2.5)", ONE(sched<PolynomialLR>(o, 8, 2.5))},
    {"CosineAnnealingLR(o, 6)", ONE(sched<CosineAnnealingLR>(o, 6))},
    {"CosineAnnealingLR(o, T_max=4, eta_min=0.01)", ONE(sched<CosineAnnealingLR>(o, 4, 0.01))},
    {"CosineAnnealingWarmRestarts(o, 4)", ONE(sched<CosineAnnealingWarmRestarts>(o, 4))},
    {"CosineAnnealingWarmRestarts(o, 3, T_mult=2, eta_min=0.02)", ONE(sched<CosineAnnealingWarmRestarts>(o, 3, 2, 0.02))},
    {"LambdaLR(o, lambda e: 0.95 ** e)", ONE(sched<LambdaLR>(o, Lambda([](int64_t e) { return std::pow(0.95, static_cast<double>(e)); })))},
    {"LambdaLR(o, [lambda e: 1 / (e + 1), lambda e: e * 0.5])", ONE(sched<LambdaLR>(o, std::vector<Lambda>{[](int64_t e) { return 1 / static_cast<double>(e + 1); }, [](int64_t e) { return static_cast<double>(e) * 0.5; }}))},
    {"MultiplicativeLR(o, lambda e: 0.9 if e % 2 else 1.05)", ONE(sched<MultiplicativeLR>(o, Lambda([](int64_t e) { return e % 2 ? 0.9 : 1.05; })))},
    {"CyclicLR(o, 0.1, 0.5, step_size_up=4, cycle_momentum=False)", ONE(sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5).step_size_up(4).cycle_momentum(false)))},
    {"CyclicLR(o, 0.1, 0.5, step_size_up=3, step_size_down=2, mode=\"triangular2\")", ONE(sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5).step_size_up(3).step_size_down(2).mode("triangular2")))},
    {"CyclicLR(o, [0.1, 0.01], [0.5, 0.3], step_size_up=3, mode=\"exp_range\", gamma=0.9, base_momentum=0.7, max_momentum=0.95)", ONE(sched<CyclicLR>(o, CyclicLROptions({0.1, 0.01}, {0.5, 0.3}).step_size_up(3).mode("exp_range").gamma(0.9).base_momentum({0.7}).max_momentum({0.95})))},
    {"CyclicLR(o, 0.1, 0.4, step_size_up=3, scale_fn=lambda x: 1 / x, scale_mode=\"cycle\")", ONE(sched<CyclicLR>(o, CyclicLROptions(0.1, 0.4).step_size_up(3).scale_fn([](double x) { return 1 / x; })))},
    {"OneCycleLR(o, 0.5, total_steps=60)", ONE(sched<OneCycleLR>(o, OneCycleLROptions(0.5).total_steps(60)))},
    {"OneCycleLR(o, [0.5, 0.2], epochs=20, steps_per_epoch=3, anneal_strategy=\"linear\", pct_start=0.4)", ONE(sched<OneCycleLR>(o, OneCycleLROptions(std::vector<double>{0.5, 0.2}).epochs(20).steps_per_epoch(3).anneal_strategy("linear").pct_start(0.4)))},
    {"OneCycleLR(o, 0.5, total_steps=61, three_phase=True, div_factor=10.0, final_div_factor=100.0, cycle_momentum=False)", ONE(sched<OneCycleLR>(o, OneCycleLROptions(0.5).total_steps(61).three_phase(true).div_factor(10).final_div_factor(100).cycle_momentum(false)))},
    {"SWALR(o, 0.05)", ONE(sched<SWALR>(o, 0.05))},
    {"SWALR(o, [0.05, 0.5], anneal_epochs=4, anneal_strategy=\"linear\")", ONE(sched<SWALR>(o, std::vector<double>{0.05, 0.5}, 4, "linear"))},
    {"SWALR(o, 0.05, anneal_epochs=0)", ONE(sched<SWALR>(o, 0.05, 0))},
    {"SequentialLR(o, [ConstantLR(o, 0.1, 2), ExponentialLR(o, 0.9)], [4])", [](Optimizer& o, Optimizer&) {
       const std::vector list{sched<ConstantLR>(o, 0.1, 2), sched<ExponentialLR>(o, 0.9)};
       return Any{sched<SequentialLR>(o, list, std::vector<int64_t>{4}), nullptr};
     }},
    {"SequentialLR(o, [LinearLR(o, 0.2, total_iters=4), CosineAnnealingLR(o, 8), StepLR(o, 2, 0.5)], [4, 10])", [](Optimizer& o, Optimizer&) {
       const std::vector list{sched<LinearLR>(o, 0.2, 1.0, 4), sched<CosineAnnealingLR>(o, 8), sched<StepLR>(o, 2, 0.5)};
       return Any{sched<SequentialLR>(o, list, std::vector<int64_t>{4, 10}), nullptr};
     }},
    {"SequentialLR(o, [ExponentialLR(o, 0.9), CosineAnnealingWarmRestarts(o, 3)], [5])", [](Optimizer& o, Optimizer&) {
       const std::vector list{sched<ExponentialLR>(o, 0.9), sched<CosineAnnealingWarmRestarts>(o, 3)};
       return Any{sched<SequentialLR>(o, list, std::vector<int64_t>{5}), nullptr};
     }},
    {"ChainedScheduler([ConstantLR(o, 0.1, 5), ExponentialLR(o, 0.9)])", [](Optimizer& o, Optimizer&) {
       const std::vector list{sched<ConstantLR>(o, 0.1, 5), sched<ExponentialLR>(o, 0.9)};
       return Any{std::make_shared<ChainedScheduler>(list), nullptr};
     }},
    {"SequentialLR(o, [ChainedScheduler([LinearLR(o, 0.5, total_iters=3), ExponentialLR(o, 0.9)]), StepLR(o, 3)], [6])", [](Optimizer& o, Optimizer&) {
       const std::vector inner{sched<LinearLR>(o, 0.5, 1.0, 3), sched<ExponentialLR>(o, 0.9)};
       const std::vector<std::shared_ptr<LRScheduler>> list{std::make_shared<ChainedScheduler>(inner), sched<StepLR>(o, 3)};
       return Any{sched<SequentialLR>(o, list, std::vector<int64_t>{6}), nullptr};
     }},
    {"ReduceLROnPlateau(o, patience=2)", [](Optimizer& o, Optimizer&) {
       return Any{nullptr, std::make_shared<ReduceLROnPlateau>(o, ReduceLROnPlateau::min, 0.1, 2)};
     }},
    {"ReduceLROnPlateau(o, \"max\", factor=0.5, patience=1, threshold=0.1, threshold_mode=\"abs\", cooldown=1, min_lr=0.02)", [](Optimizer& o, Optimizer&) {
       return Any{nullptr, std::make_shared<ReduceLROnPlateau>(o, ReduceLROnPlateau::max, 0.5, 1, 0.1, ReduceLROnPlateau::abs, 1, std::vector<double>{0.02})};
     }},
    {"StepLR(o, 7, gamma=1.1)", ONE(sched<StepLR>(o, 7, 1.1))},
    {"MultiStepLR(o, [1, 30, 30, 30, 59])", ONE(sched<MultiStepLR>(o, std::vector<int64_t>{59, 30, 1, 30, 30}))},
    {"ConstantLR(o, 0.7, 40)", ONE(sched<ConstantLR>(o, 0.7, 40))},
    {"LinearLR(o, 1.0, 0.0, total_iters=50)", ONE(sched<LinearLR>(o, 1.0, 0.0, 50))},
    {"ExponentialLR(o, 1.01)", ONE(sched<ExponentialLR>(o, 1.01))},
    {"PolynomialLR(o, 60, 0.5)", ONE(sched<PolynomialLR>(o, 60, 0.5))},
    {"CosineAnnealingLR(o, 50, 0.001)", ONE(sched<CosineAnnealingLR>(o, 50, 0.001))},
    {"CosineAnnealingWarmRestarts(o, 1, 3)", ONE(sched<CosineAnnealingWarmRestarts>(o, 1, 3))},
    {"CyclicLR(o, 0.1, 0.4, step_size_up=5, step_size_down=9, scale_fn=lambda x: 1 / (x + 1), scale_mode=\"iterations\")", ONE(sched<CyclicLR>(o, CyclicLROptions(0.1, 0.4).step_size_up(5).step_size_down(9).scale_fn([](double x) { return 1 / (x + 1); }).scale_mode("iterations")))},
    {"CyclicLR(a, 0.001, 0.01)", ADAM(sched<CyclicLR>(a, CyclicLROptions(0.001, 0.01)))},
    {"CyclicLR(a, 0.001, 0.01, step_size_up=7, base_momentum=[0.7, 0.8])", ADAM(sched<CyclicLR>(a, CyclicLROptions(0.001, 0.01).step_size_up(7).base_momentum({0.7, 0.8})))},
    {"OneCycleLR(a, 0.01, total_steps=75, three_phase=True)", ADAM(sched<OneCycleLR>(a, OneCycleLROptions(0.01).total_steps(75).three_phase(true)))},
    {"SWALR(o, 0.05, 45)", ONE(sched<SWALR>(o, 0.05, 45))},
    {"SequentialLR(o, [PolynomialLR(o, 9, 2.0), MultiStepLR(o, [3, 8]), LinearLR(o, 0.5)], [8, 40])", [](Optimizer& o, Optimizer&) {
       const std::vector list{sched<PolynomialLR>(o, 9, 2.0), sched<MultiStepLR>(o, std::vector<int64_t>{3, 8}), sched<LinearLR>(o, 0.5)};
       return Any{sched<SequentialLR>(o, list, std::vector<int64_t>{8, 40}), nullptr};
     }},
    {"ReduceLROnPlateau(o, \"min\", 0.9, 0, 0.2, \"abs\", 3, [0.01, 0.2])", [](Optimizer& o, Optimizer&) {
       return Any{nullptr, std::make_shared<ReduceLROnPlateau>(o, ReduceLROnPlateau::min, 0.9, 0, 0.2, ReduceLROnPlateau::abs, 3, std::vector<double>{0.01, 0.2})};
     }},
    {"ReduceLROnPlateau(o, \"max\", 0.8, 3, 0.05)", [](Optimizer& o, Optimizer&) {
       return Any{nullptr, std::make_shared<ReduceLROnPlateau>(o, ReduceLROnPlateau::max, 0.8, 3, 0.05)};
     }},
  };
#undef ONE
#undef ADAM
  // clang-format on
  return all;
}

/// Compares with every entry of a kind in the golden file; `run` gives the numbers of a call.
template <class F>
size_t compare_all(const std::string& kind, F run) {
  std::ifstream in(test::golden_path("schedulers.txt"));
  EXPECT_TRUE(in.good());
  std::string head, line;
  size_t seen = 0;
  while (std::getline(in, head) && std::getline(in, line)) {
    if (!head.starts_with(kind + " ")) continue;
    const std::string call = head.substr(kind.size() + 1);
    SCOPED_TRACE(call);
    ++seen;
    const auto found = cases().find(call);
    if (found == cases().end()) {
      ADD_FAILURE() << "there is no case for this call";
      continue;
    }
    const std::vector<double> got = run(call, found->second);
    std::istringstream numbers(line);
    std::vector<double> want;
    for (double v = 0; numbers >> v;) want.push_back(v);
    EXPECT_EQ(got.size(), want.size());
    // PyTorch's cosines and powers are libm's, ours our own: each may be an ulp off, and rates build on rates. Close to
    // zero, where a cosine ends, only the error counts that it had on its way there.
    for (size_t i = 0; i < std::min(got.size(), want.size()); ++i)
      EXPECT_NEAR(got[i], want[i], 1e-14 * std::abs(want[i]) + 1e-17) << "number " << i;
  }
  return seen;
}

TEST(LrScheduler, EveryOneGivesPyTorchsRates) {
  const size_t seen = compare_all("steps", [](const std::string& call, const Make& make) {
    const Trial run(call, make);
    std::vector<double> got;
    for (int i = 0; i < 60; ++i) run.append_to(got), run.step(i);
    run.append_to(got);
    const size_t width = run.cycles ? 2 : 1;
    EXPECT_EQ(run.scheduler.get_last_lr(), (std::vector<double>{got[got.size() - 2 * width], got[got.size() - width]}));
    return got;
  });
  EXPECT_EQ(seen, cases().size());
}

TEST(LrScheduler, TheClosedFormsArePyTorchs) {
  const size_t seen = compare_all("closed", [](const std::string& call, const Make& make) {
    const Trial run(call, make);
    auto& scheduler = dynamic_cast<Goes&>(*run.scheduler.plain);
    std::vector<double> got;
    for (int e = 0; e < 60; ++e) scheduler.go(e * 7 % 60), run.append_to(got);
    for (int64_t e : {120, 364, 1000}) scheduler.go(e), run.append_to(got);
    return got;
  });
  EXPECT_EQ(seen, 22u);
}

TEST(LrScheduler, SavingAndLoadingInMidRunContinuesWithEqualBits) {
  for (const auto& [call, make] : cases()) {
    SCOPED_TRACE(call);
    const Trial a(call, make), b(call, make);
    for (int i = 0; i < 8; ++i) a.step(i);
    b.optimizer.load_state_dict(a.optimizer.state_dict());
    b.scheduler.load_state_dict(a.scheduler.state_dict());
    for (int i = 8; i < 20; ++i) {
      a.step(i), b.step(i);
      std::vector<double> one, two;
      a.append_to(one), b.append_to(two);
      EXPECT_EQ(one, two) << "epoch " << i;
    }
  }
}

TEST(LrScheduler, ResumesFromLastEpochWhenTheOptimizerWasLoaded) {
  const Two a, b;
  StepLR s(*a.o, 3, 0.5);
  for (int i = 0; i < 4; ++i) a.o->step(), s.step();
  b.o->load_state_dict(a.o->state_dict());
  StepLR t(*b.o, 3, 0.5, 3);
  EXPECT_EQ(t.last_epoch(), s.last_epoch());
  for (int i = 0; i < 5; ++i) {
    a.o->step(), b.o->step(), s.step(), t.step();
    EXPECT_EQ(s.get_last_lr(), t.get_last_lr());
  }
}

TEST(LrScheduler, OneCycleStartsFromItsOwnInitialRate) {
  const Two a;
  OneCycleLR s(*a.o, OneCycleLROptions(0.5).total_steps(10).div_factor(4));
  EXPECT_EQ(a.o->param_groups()[0].initial_lr(), 0.125);
  for (int i = 0; i < 3; ++i) a.o->step(), s.step();
  const Two b;
  b.o->load_state_dict(a.o->state_dict());
  OneCycleLR t(*b.o, OneCycleLROptions(0.5).total_steps(10).div_factor(4).last_epoch(2));
  EXPECT_EQ(t.last_epoch(), s.last_epoch());
  for (int i = 0; i < 4; ++i) {
    a.o->step(), b.o->step(), s.step(), t.step();
    EXPECT_EQ(s.get_last_lr(), t.get_last_lr());
  }
}

TEST(LrScheduler, APlateauEndsWhenTheMetricIsBetterByMoreThanTheThreshold) {
  using P = ReduceLROnPlateau;
  struct Case {
    P::SchedulerMode mode;
    P::ThresholdMode threshold;
    double worse, better;  // than 10 by a threshold of 0.5
  };
  for (const Case& c : {Case{P::min, P::abs, 9.5, 9.4},
                        {P::max, P::abs, 10.5, 10.6},
                        {P::min, P::rel, 5, 4.9},
                        {P::max, P::rel, 15, 15.1}})
    for (const bool improves : {false, true}) {
      const Two two;
      P s(*two.o, c.mode, 0.5, 0, 0.5, c.threshold);
      s.step(10);
      const double before = s.get_last_lr()[0];
      s.step(improves ? c.better : c.worse);
      EXPECT_EQ(s.get_last_lr()[0], improves ? before : before / 2) << c.worse;
    }
}

TEST(LrScheduler, OneCycleSavesWhatItCannotWorkOut) {
  const Two two;
  OneCycleLR s(*two.o, OneCycleLROptions(0.5).total_steps(10));
  for (const auto& item : s.state_dict())
    for (const char* derived : {"initial_lrs", "min_lrs", "_schedule_phases"}) EXPECT_NE(item.key(), derived);
}

TEST(LrScheduler, WarnsWhenItStepsBeforeTheOptimizer) {
  std::vector<std::string> heard;
  set_warning_handler([&](const std::string& w) { heard.push_back(w); });
  const Two two;
  StepLR s(*two.o, 3);
  s.step();
  EXPECT_EQ(heard.size(), 1u);
  EXPECT_TRUE(!heard.empty() && heard[0].find("before `optimizer.step()`") != std::string::npos);
  const Two other;
  StepLR t(*other.o, 3);
  other.o->step();
  t.step();
  EXPECT_EQ(heard.size(), 1u);
  set_warning_handler({});
}

TEST(LrScheduler, WarmRestartsTakeAnyPointOfTheSchedule) {
  const Two two;
  CosineAnnealingWarmRestarts s(*two.o, 4, 2);
  s.step(2.0);
  EXPECT_NEAR(s.get_last_lr()[0], 0.05, 1e-15);
  s.step(4.0 + 4.0);  // halfway through the second period, of 8
  EXPECT_NEAR(s.get_last_lr()[0], 0.05, 1e-15);
  CosineAnnealingWarmRestarts thrice(*two.o, 1, 3);
  thrice.step(121.0);  // 1 + 3 + 9 + 27 + 81: a period begins
  EXPECT_EQ(thrice.get_last_lr()[0], 0.1);
  s.step(0.5);
  EXPECT_NEAR(s.get_last_lr()[0], 0.1 * (1 + std::cos(std::acos(-1.0) / 8)) / 2, 1e-15);
}

TEST(LrScheduler, ACustomOneOverridesOneFunction) {
  struct Halve : LRScheduler {
    explicit Halve(Optimizer& o) : LRScheduler(o) { initial_step(); }
    std::vector<double> get_lrs() override {
      std::vector<double> lrs = get_current_lrs();
      if (!initial_)
        for (double& lr : lrs) lr /= 2;
      return lrs;
    }
  };
  const Two two;
  Halve s(*two.o);
  EXPECT_EQ(s.get_last_lr()[0], 0.1);
  two.o->step();
  s.step();
  EXPECT_EQ(s.get_last_lr(), (std::vector<double>{0.05, 0.15}));
}

TEST(LrScheduler, AWrongStateChangesNothing) {
  const Two two;
  const auto a = sched<StepLR>(*two.o, 3, 0.5);
  const std::vector list{sched<ConstantLR>(*two.o, 0.1, 2), sched<ExponentialLR>(*two.o, 0.9)};
  const auto b = sched<SequentialLR>(*two.o, list, std::vector<int64_t>{4});
  for (const auto& s : {a, b}) {
    const StateDict before = s->state_dict();
    const auto refuses = [&](const StateDict& bad, const char* says) {
      try {
        s->load_state_dict(bad);
        ADD_FAILURE() << "no exception: " << says;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
      }
      for (const auto& item : before) EXPECT_TRUE(equal(item.value(), s->state_dict()[item.key()])) << item.key();
    };
    StateDict bad = before;
    bad.erase("last_epoch");
    refuses(bad, "'last_epoch' is missing");
    bad = before;
    bad.insert("T_cur", tensor(1));
    refuses(bad, "unexpected key 'T_cur'");
    bad = before;
    bad[std::string("last_epoch")] = tensor(0.5);
    refuses(bad, "whole number");
  }
  StateDict bad = b->state_dict();
  bad[std::string("_schedulers.1.base_lrs")] = zeros({3});
  bad[std::string("last_epoch")] = tensor(9);
  EXPECT_THROW(b->load_state_dict(bad), ValueError);
  EXPECT_EQ(b->last_epoch(), 0);
  bad = b->state_dict();
  bad.insert("_schedulers.2.gamma", tensor(1.0));
  EXPECT_THROW(b->load_state_dict(bad), ValueError);
}

TEST(LrScheduler, SettingsThatWereLoadedAreCheckedToo) {
  struct Wrong {
    std::function<std::shared_ptr<LRScheduler>(Optimizer&)> make;
    const char* key;
    Tensor value;
  };
  const Wrong wrongs[] = {
      {[](Optimizer& o) { return sched<StepLR>(o, 3); }, "step_size", tensor(0)},
      {[](Optimizer& o) { return sched<CosineAnnealingLR>(o, 3); }, "T_max", tensor(0)},
      {[](Optimizer& o) { return sched<CosineAnnealingLR>(o, 3); }, "base_lrs", zeros({5})},
      {[](Optimizer& o) { return sched<LinearLR>(o); }, "total_iters", tensor(-1)},
      {[](Optimizer& o) { return sched<CosineAnnealingWarmRestarts>(o, 3); }, "T_i", tensor(0)},
      {[](Optimizer& o) { return sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5)); }, "max_lrs", zeros({1})},
      {[](Optimizer& o) { return sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5)); }, "base_momentums", zeros({0})},
      {[](Optimizer& o) { return sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5)); }, "max_momentums", zeros({0})},
      {[](Optimizer& o) { return sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5)); }, "total_size", tensor(0.0)},
      {[](Optimizer& o) { return sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5)); }, "total_size", tensor(INFINITY)},
      {[](Optimizer& o) { return sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5)); }, "step_ratio", tensor(0.0)},
      {[](Optimizer& o) { return sched<CyclicLR>(o, CyclicLROptions(0.1, 0.5)); }, "step_ratio", tensor(1.01)},
      {[](Optimizer& o) { return sched<OneCycleLR>(o, OneCycleLROptions(0.5).total_steps(9)); }, "max_lrs", zeros({3})},
      {[](Optimizer& o) { return sched<SWALR>(o, 0.1); }, "swa_lrs", zeros({1})},
  };
  for (const Wrong& wrong : wrongs) {
    SCOPED_TRACE(wrong.key);
    const Two two;
    const auto s = wrong.make(*two.o);
    const StateDict before = s->state_dict();
    StateDict bad = before;
    bad[std::string(wrong.key)] = wrong.value;
    EXPECT_THROW(s->load_state_dict(bad), ValueError);
    for (const auto& item : before) EXPECT_TRUE(equal(item.value(), s->state_dict()[item.key()])) << item.key();
  }
  const Two two;
  ReduceLROnPlateau s(*two.o);
  StateDict bad = s.state_dict();
  bad[std::string("mode")] = tensor(7);
  EXPECT_THROW(s.load_state_dict(bad), ValueError);
}

TEST(LrScheduler, AGroupAddedLaterIsAnError) {
  for (const auto& [call, make] : cases()) {
    if (call.find("Plateau") != std::string::npos || call.find("Chained") == 0) continue;
    SCOPED_TRACE(call);
    const Trial run(call, make);
    run.optimizer.step();
    run.optimizer.add_param_group(OptimizerParamGroup({ones({1}).requires_grad_()}));
    EXPECT_THROW(run.scheduler.step(0), ValueError);
  }
}

TEST(LrScheduler, SettingsAreTakenAtTheirBounds) {
  // clang-format off
  const std::vector<std::function<void(Optimizer&)>> taken = {
    [](Optimizer& o) { StepLR s(o, 1); }, [](Optimizer& o) { MultiStepLR s(o, {0}); }, [](Optimizer& o) { ConstantLR s(o, 0, 0); }, [](Optimizer& o) { ConstantLR s(o, 1, 1); },
    [](Optimizer& o) { LinearLR s(o, 1e-9, 0, 1); }, [](Optimizer& o) { LinearLR s(o, 1, 1); }, [](Optimizer& o) { PolynomialLR s(o, 1, -2); }, [](Optimizer& o) { CosineAnnealingLR s(o, 1); },
    [](Optimizer& o) { CosineAnnealingWarmRestarts s(o, 1, 1); s.step(0.0); }, [](Optimizer& o) { CyclicLR s(o, CyclicLROptions(0.1, 0.5).step_size_up(1).step_size_down(1)); },
    [](Optimizer& o) { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(1)); }, [](Optimizer& o) { OneCycleLR s(o, OneCycleLROptions(0.1).epochs(1).steps_per_epoch(1)); },
    [](Optimizer& o) { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(4).pct_start(0)); }, [](Optimizer& o) { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(4).pct_start(1)); },
    [](Optimizer& o) { ReduceLROnPlateau s(o, ReduceLROnPlateau::min, 0, 0); }, [](Optimizer& o) { SequentialLR s(o, {sched<StepLR>(o, 1), sched<StepLR>(o, 2), sched<StepLR>(o, 3)}, {2, 2}); },
    [](Optimizer& o) { SWALR s(o, 0.1, 0); },
  };
  // clang-format on
  for (size_t i = 0; i < taken.size(); ++i) EXPECT_NO_THROW(taken[i](*Two().o)) << i;
}

TEST(LrScheduler, AStateForOtherGroupsIsRefused) {
  const Two one, two;
  SWALR s(*one.o, std::vector<double>{0.1, 0.2}), t(*two.o, std::vector<double>{0.1, 0.2});
  StateDict state = s.state_dict();
  for (const auto& item : state)
    if (item.key().find("swa_lrs") != std::string::npos) state[item.key()] = tensor({0.1, 0.2, 0.3}, kDouble);
  try {
    t.load_state_dict(state);
    ADD_FAILURE() << "no exception";
  } catch (const ValueError& e) {
    EXPECT_NE(std::string(e.what()).find("swa_lr has 3 values, param_groups has 2."), std::string::npos) << e.what();
  }
}

TEST(LrScheduler, BadSettingsThrowPyTorchsWords) {
  const double nan = std::nan("");
  struct Bad {
    const char* says;
    std::function<void(Optimizer& o, Optimizer& other, Optimizer& plain)> run;
  };
#define RUN [=]([[maybe_unused]] Optimizer & o, [[maybe_unused]] Optimizer & other, [[maybe_unused]] Optimizer & plain)
  // clang-format off
  const std::vector<Bad> bads = {
    {"Expected positive integer step_size, but got 0", RUN { StepLR s(o, 0); }},
    {"gamma should be finite, got nan", RUN { StepLR s(o, 3, nan); }},
    {"param 'initial_lr' is not specified in param_groups[0] when resuming scheduler", RUN { StepLR s(o, 3, 0.1, 5); }},
    {"last_epoch should be -1 or more", RUN { StepLR s(o, 3, 0.1, -2); }},
    {"MultiStepLR: gamma should be finite", RUN { MultiStepLR s(o, {3}, nan); }},
    {"Constant multiplicative factor expected to be between 0 and 1.", RUN { ConstantLR s(o, -1e-9); }},
    {"Starting multiplicative factor", RUN { LinearLR s(o, 1 + 1e-9); }},
    {"Ending multiplicative factor", RUN { LinearLR s(o, 0.5, 1 + 1e-9); }},
    {"PolynomialLR: power should be finite", RUN { PolynomialLR s(o, 5, nan); }},
    {"CosineAnnealingLR: eta_min should be finite", RUN { CosineAnnealingLR s(o, 5, nan); }},
    {"CosineAnnealingWarmRestarts: eta_min should be finite", RUN { CosineAnnealingWarmRestarts s(o, 5, 1, nan); }},
    {"Expected non-negative epoch, but got nan", RUN { CosineAnnealingWarmRestarts s(o, 2); s.step(nan); }},
    {"CyclicLR: base_lr should be finite", RUN { CyclicLR s(o, CyclicLROptions(nan, 0.5)); }},
    {"CyclicLR: max_lr should be finite", RUN { CyclicLR s(o, CyclicLROptions(0.1, nan)); }},
    {"CyclicLR: gamma should be finite", RUN { CyclicLR s(o, CyclicLROptions(0.1, 0.5).gamma(nan)); }},
    {"scale_mode must be one of 'cycle' or 'iterations', instead got day", RUN { CyclicLR s(o, CyclicLROptions(0.1, 0.5).scale_fn([](double x) { return x; }).scale_mode("day")); }},
    {"OneCycleLR: max_lr should be finite", RUN { OneCycleLR s(o, OneCycleLROptions(nan).total_steps(5)); }},
    {"Expected positive div_factor and final_div_factor, but got 0 and", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(5).div_factor(0)); }},
    {"Expected positive div_factor and final_div_factor", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(5).final_div_factor(0)); }},
    {"OneCycleLR: final_div_factor should be finite", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(5).final_div_factor(1 / 0.0)); }},
    {"Expected float between 0 and 1 pct_start", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(5).pct_start(-1e-9)); }},
    {"ReduceLROnPlateau: threshold should be finite", RUN { ReduceLROnPlateau s(o, ReduceLROnPlateau::min, 0.1, 10, nan); }},
    {"the milestones should be in rising order", RUN { SequentialLR s(o, {sched<StepLR>(o, 1), sched<StepLR>(o, 2), sched<StepLR>(o, 3)}, {3, 2}); }},
    {"ChainedScheduler: the scheduler at index 0 is null", RUN { ChainedScheduler s({nullptr}); }},
    {"swa_lr should be finite", RUN { SWALR s(o, nan); }},
    {"a milestone is negative", RUN { MultiStepLR s(o, {3, -1}); }},
    {"Constant multiplicative factor expected to be between 0 and 1.", RUN { ConstantLR s(o, 1.5); }},
    {"Constant multiplicative factor expected to be between 0 and 1.", RUN { ConstantLR s(o, nan); }},
    {"Starting multiplicative factor expected to be greater than 0 and less or equal to 1.", RUN { LinearLR s(o, 0); }},
    {"Ending multiplicative factor expected to be between 0 and 1.", RUN { LinearLR s(o, 0.5, -1); }},
    {"Expected positive integer total_iters, but got 0", RUN { LinearLR s(o, 0.5, 1, 0); }},
    {"gamma should be finite", RUN { ExponentialLR s(o, nan); }},
    {"Expected positive integer total_iters, but got -1", RUN { PolynomialLR s(o, -1); }},
    {"Expected positive integer T_max, but got 0", RUN { CosineAnnealingLR s(o, 0); }},
    {"Expected positive integer T_0, but got 0", RUN { CosineAnnealingWarmRestarts s(o, 0); }},
    {"Expected integer T_mult >= 1, but got 0", RUN { CosineAnnealingWarmRestarts s(o, 2, 0); }},
    {"Expected non-negative epoch, but got -1", RUN { CosineAnnealingWarmRestarts s(o, 2); s.step(-1.0); }},
    {"Expected 2 lr_lambdas, but got 1", RUN { LambdaLR s(o, std::vector<LambdaLR::Lambda>{[](int64_t) { return 1.0; }}); }},
    {"lr_lambda should be a function", RUN { MultiplicativeLR s(o, LambdaLR::Lambda()); }},
    {"mode is invalid and scale_fn is None", RUN { CyclicLR s(o, CyclicLROptions(0.1, 0.5).mode("square")); }},
    {"base_lr must have the same length as optimizer.param_groups. base_lr has 3 values, param_groups has 2.", RUN { CyclicLR s(o, CyclicLROptions({1, 2, 3}, {1, 2})); }},
    {"max_lr must have the same length as optimizer.param_groups. max_lr has 3 values", RUN { CyclicLR s(o, CyclicLROptions({1, 2}, {1, 2, 3})); }},
    {"base_momentum must have the same length as optimizer.param_groups. base_momentum has 3 values, param_groups has 2.", RUN { CyclicLR s(o, CyclicLROptions(0.1, 0.5).base_momentum({1, 2, 3})); }},
    {"max_momentum must have the same length as optimizer.param_groups. max_momentum has 3 values, param_groups has 2.", RUN { CyclicLR s(o, CyclicLROptions(0.1, 0.5).max_momentum({1, 2, 3})); }},
    {"base_momentum must have the same length as optimizer.param_groups. base_momentum has 3 values", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(5).base_momentum({1, 2, 3})); }},
    {"max_momentum must have the same length as optimizer.param_groups. max_momentum has 3 values", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(5).max_momentum({1, 2, 3})); }},
    {"Expected positive integer step_size_up, but got 0", RUN { CyclicLR s(o, CyclicLROptions(0.1, 0.5).step_size_up(0)); }},
    {"optimizer must support momentum or beta1 with `cycle_momentum` option enabled", RUN { CyclicLR s(plain, CyclicLROptions(0.1, 0.5)); }},
    {"You must define either total_steps OR (epochs AND steps_per_epoch)", RUN { OneCycleLR s(o, OneCycleLROptions(0.1)); }},
    {"Expected positive integer total_steps, but got 0", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(0)); }},
    {"Expected positive integer epochs, but got -1", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).epochs(-1).steps_per_epoch(3)); }},
    {"Expected positive integer steps_per_epoch, but got 0", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).epochs(1).steps_per_epoch(0)); }},
    {"Expected float between 0 and 1 pct_start, but got 1.5", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(5).pct_start(1.5)); }},
    {"anneal_strategy must be one of 'cos' or 'linear', instead got square", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(5).anneal_strategy("square")); }},
    {"Tried to step 4 times. The specified number of total steps is 3", RUN { OneCycleLR s(o, OneCycleLROptions(0.1).total_steps(3)); o.step(); for (int i = 0; i < 9; ++i) s.step(); }},
    {"optimizer must support momentum or beta1", RUN { OneCycleLR s(plain, OneCycleLROptions(0.1).total_steps(5)); }},
    {"Factor should be < 1.0.", RUN { ReduceLROnPlateau s(o, ReduceLROnPlateau::min, 1.0); }},
    {"expected 2 min_lrs, got 3", RUN { ReduceLROnPlateau s(o, ReduceLROnPlateau::min, 0.1, 10, 1e-4, ReduceLROnPlateau::rel, 0, {1, 2, 3}); }},
    {"SequentialLR expects at least one scheduler, but got no scheduler.", RUN { SequentialLR s(o, {}, {}); }},
    {"number of schedulers 1 and the number of milestones to be equal to 1", RUN { SequentialLR s(o, {sched<StepLR>(o, 1)}, {3}); }},
    {"SequentialLR expects all schedulers to belong to the same optimizer", RUN { SequentialLR s(o, {sched<StepLR>(o, 1), sched<StepLR>(other, 1)}, {3}); }},
    {"ChainedScheduler expects at least one scheduler to be chained, but got no scheduler.", RUN { ChainedScheduler s({}); }},
    {"ChainedScheduler expects all schedulers to belong to the same optimizer", RUN { ChainedScheduler s({sched<StepLR>(o, 1), sched<StepLR>(other, 1)}); }},
    {"the scheduler at index 1 is null", RUN { ChainedScheduler s({sched<StepLR>(o, 1), nullptr}); }},
    {"anneal_strategy must be one of 'cos' or 'linear', instead got foo", RUN { SWALR s(o, 0.1, 10, "foo"); }},
    {"anneal_epochs must be equal or greater than 0, got -1", RUN { SWALR s(o, 0.1, -1); }},
  };
#undef RUN
// clang-format on
EXPECT_GE(bads.size(), 40u);
for (const Bad& bad : bads) {
  SCOPED_TRACE(bad.says);
  const Two one, two;
  Tensor w = ones({1}).requires_grad_();
  Adagrad plain({w});
  try {
    bad.run(*one.o, *two.o, plain);
    ADD_FAILURE() << "no exception";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(bad.says), std::string::npos) << e.what();
  }
}
}

}  // namespace
}  // namespace taut
