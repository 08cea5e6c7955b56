// Learning rates as pure functions of time, one struct each: its settings with their defaults, checks, and rates(),
// which remembers nothing. What changes from step to step is a State, which next() takes and returns. The schedulers of
// C++ (taut/optim/lr_scheduler.h) and of Python are surfaces over these.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "taut/tensor.h"

namespace taut::optim::schedules {

/// A learning rate: a number, or a tensor of one number, which stays a tensor.
struct Rate {
  Rate(double v = 0) : value(v) {}
  Rate(Tensor t) : tensor(std::move(t)) {}
  double number() const { return tensor.defined() ? tensor.item<double>() : value; }
  double value = 0;
  bool is_int = false;  // in Python; what is computed is no int
  Tensor tensor = {};
};
Rate operator+(const Rate& a, const Rate& b);
Rate operator-(const Rate& a, const Rate& b);
Rate operator*(const Rate& a, const Rate& b);
Rate operator/(const Rate& a, const Rate& b);
/// One for each group of parameters.
using Rates = std::vector<Rate>;
std::vector<double> numbers(const Rates& rates);

/// What rates depend on besides the settings.
struct Moment {
  double epoch = 0;            // PyTorch's last_epoch
  double steps = 0;            // calls of step(), with this one and that of the constructor
  bool initial = false;        // is this the constructor's?
  Rates base = {}, last = {};  // the rates at the beginning, and those of now
};

/// A phase of OneCycleLR: until which step, and between which values of a group, by PyTorch's names.
struct Phase {
  double end_step;
  std::string start_lr, end_lr, start_momentum, end_momentum;
};

/// A number that was not given: a setting without a default, or None.
inline constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

/// A named setting. The list of them is all that saving, loading and Python need to know.
struct Setting {
  enum Flag : unsigned {
    kWhole = 1,     // saved as an int
    kPositive = 2,  // C++ refuses others at once; PyTorch's Python fails, if at all, when a step needs it
    kFinite = 4,    // likewise
    kDerived = 8,   // no argument: made by prepare()
    kState = 16,    // no argument: made by next()
    kUnsaved = 32,  // not in a state_dict of C++
  };
  const char* name;
  std::variant<double*, bool*, std::string*, std::vector<double>*, Rates*, std::vector<Phase>*,
               std::function<double(double)>*>
      value;
  unsigned flags = 0;
  const char* argument = name;  // what constructors call it
};
using Settings = std::vector<Setting>;

/// times gamma every step_size steps
struct StepLR {
  static constexpr const char* kName = "StepLR";
  double step_size = kUnset, gamma = 0.1;
  Settings settings();
  Rates rates(const Moment& m) const;
  Rates closed_form(const Moment& m) const;
};

/// times gamma at each milestone
struct MultiStepLR {
  static constexpr const char* kName = "MultiStepLR";
  std::vector<double> milestones;  // rising
  double gamma = 0.1;
  Settings settings();
  Rates rates(const Moment& m) const;
  Rates closed_form(const Moment& m) const;
};

/// times factor until total_iters
struct ConstantLR {
  static constexpr const char* kName = "ConstantLR";
  double factor = 1.0 / 3, total_iters = 5;
  Settings settings();
  void check(size_t groups) const;
  Rates rates(const Moment& m) const;
  Rates closed_form(const Moment& m) const;
};

/// times a factor that goes from start_factor to end_factor in total_iters steps
struct LinearLR {
  static constexpr const char* kName = "LinearLR";
  double start_factor = 1.0 / 3, end_factor = 1, total_iters = 5;
  Settings settings();
  void check(size_t groups) const;
  Rates rates(const Moment& m) const;
  Rates closed_form(const Moment& m) const;
};

/// times gamma every step
struct ExponentialLR {
  static constexpr const char* kName = "ExponentialLR";
  double gamma = kUnset;
  Settings settings();
  Rates rates(const Moment& m) const;
  Rates closed_form(const Moment& m) const;
};

/// to 0 in total_iters steps, as a power
struct PolynomialLR {
  static constexpr const char* kName = "PolynomialLR";
  double total_iters = 5, power = 1;
  Settings settings();
  Rates rates(const Moment& m) const;
  Rates closed_form(const Moment& m) const;
};

/// along a cosine to eta_min in T_max steps, and back
struct CosineAnnealingLR {
  static constexpr const char* kName = "CosineAnnealingLR";
  double T_max = kUnset, eta_min = 0;
  Settings settings();
  Rates rates(const Moment& m) const;
  Rates closed_form(const Moment& m) const;
};

/// along a cosine to eta_min in T_0 steps, then anew, each time T_mult times as long
struct CosineAnnealingWarmRestarts {
  static constexpr const char* kName = "CosineAnnealingWarmRestarts";
  double T_0 = kUnset, T_mult = 1, eta_min = 0;
  struct State {
    double T_i = kUnset, T_cur = -1, last_epoch = -1;  // this period, the time since it began, the time since the start
  } state = {};
  Settings settings();
  void prepare();
  void check(size_t groups) const;
  /// One epoch later, or at an epoch, which may be a fraction.
  State next(State s, std::optional<double> epoch) const;
  Rates rates(const Moment& m) const;
};

/// up and down between two rates, and the momentum the other way
struct CyclicLR {
  static constexpr const char* kName = "CyclicLR";
  Rates base_lrs = {}, max_lrs = {};
  double step_size_up = 2000, step_size_down = kUnset;
  std::string mode = "triangular";  // "triangular2", "exp_range"
  double gamma = 1;
  std::function<double(double)> scale_fn = nullptr;
  std::string scale_mode = "cycle";  // "iterations": what scale_fn is a function of
  bool cycle_momentum = true, has_momentum = true;
  Rates base_momentums = {0.8}, max_momentums = {0.9};
  double total_size = kUnset, step_ratio = kUnset;
  Settings settings();
  void prepare();
  void check(size_t groups) const;
  Rates rates(const Moment& m) const;
  Rates momentums(const Moment& m) const;
  /// How high a cycle (or an iteration) goes.
  double scale(double x) const;

 private:
  double height(double epoch) const;
};

/// up to the largest rate, then far down, once
struct OneCycleLR {
  static constexpr const char* kName = "OneCycleLR";
  Rates max_lrs = {};
  double total_steps = kUnset, epochs = kUnset, steps_per_epoch = kUnset, pct_start = 0.3;
  std::string anneal_strategy = "cos";  // "linear"
  bool cycle_momentum = true, has_momentum = true;
  Rates base_momentums = {0.85}, max_momentums = {0.95};
  double div_factor = 25, final_div_factor = 1e4;
  bool three_phase = false;
  std::vector<Phase> phases = {};
  Rates initial_lrs = {}, min_lrs = {};
  Settings settings();
  void prepare();
  void check(size_t groups) const;
  Rates rates(const Moment& m) const;
  Rates momentums(const Moment& m) const;

 private:
  const Rates& values(const std::string& name) const;
  Rates anneal(double epoch, std::string Phase::*from, std::string Phase::*to) const;
};

/// from the present rate to swa_lr in anneal_epochs steps, and then constant
struct SWALR {
  static constexpr const char* kName = "SWALR";
  Rates swa_lrs = {};
  double anneal_epochs = 10;
  std::string anneal_strategy = "cos";  // "linear"
  Settings settings();
  void check(size_t groups) const;
  Rates rates(const Moment& m) const;
};

/// times factor when a metric has not got better for a while
struct ReduceLROnPlateau {
  static constexpr const char* kName = "ReduceLROnPlateau";
  std::string mode = "min";  // "max"
  double factor = 0.1, patience = 10, threshold = 1e-4;
  std::string threshold_mode = "rel";  // "abs"
  double cooldown = 0;
  Rates min_lrs = {};
  double eps = 1e-8, mode_worse = kUnset;
  struct State {
    double best = kUnset, num_bad_epochs = 0, cooldown_counter = 0;
    bool improved = false, reduce = false;  // what the metric seen last was, and calls for
  } state = {};
  Settings settings();
  void prepare();
  void check(size_t groups) const;
  State next(State s, double metric) const;
  /// The reduced rates.
  Rates rates(const Moment& m) const;
};

/// Any of them.
class Schedule {
 public:
  virtual ~Schedule() = default;
  virtual std::unique_ptr<Schedule> clone() const = 0;
  virtual const char* name() const = 0;
  virtual Settings settings() = 0;
  /// Works out what follows from the arguments, and checks all: throws when it makes no sense for that many groups.
  virtual void prepare(size_t groups) = 0;
  virtual Rates rates(const Moment& m) const = 0;
  /// The rates worked out from the beginning, where there is a formula; else as rates().
  virtual Rates closed_form(const Moment& m) const = 0;
  /// None where they stay as they are.
  virtual Rates momentums(const Moment& m) const = 0;
  /// The next state, by an epoch or a metric.
  virtual void next(std::optional<double> input) = 0;
};

template <class S>
class Of final : public Schedule {
 public:
  explicit Of(S s = {}) : schedule(std::move(s)) {}
  std::unique_ptr<Schedule> clone() const override { return std::make_unique<Of>(*this); }
  const char* name() const override { return S::kName; }
  Settings settings() override { return schedule.settings(); }
  void prepare(size_t groups) override {
    if constexpr (requires { schedule.prepare(); }) schedule.prepare();
    if constexpr (requires { schedule.check(groups); }) schedule.check(groups);
  }
  Rates rates(const Moment& m) const override { return schedule.rates(m); }
  Rates closed_form(const Moment& m) const override {
    if constexpr (requires { schedule.closed_form(m); }) return schedule.closed_form(m);
    else return schedule.rates(m);
  }
  Rates momentums(const Moment& m) const override {
    if constexpr (requires { schedule.momentums(m); }) return schedule.momentums(m);
    else return {};
  }
  void next([[maybe_unused]] std::optional<double> input) override {
    if constexpr (requires { schedule.next(schedule.state, input); })
      schedule.state = schedule.next(schedule.state, input);
    else if constexpr (requires { schedule.next(schedule.state, *input); })
      schedule.state = schedule.next(schedule.state, input.value());
  }
  S schedule;
};

/// The one with that name, with its defaults; throws ValueError when there is none.
std::unique_ptr<Schedule> make(std::string_view name);
std::vector<std::string> names();

}  // namespace taut::optim::schedules
