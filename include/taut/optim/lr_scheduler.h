// Learning rate schedulers. Each sets the first rate when it is made, and the next one at every step(), which comes
// after the optimiser's. The optimiser must outlive them.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <variant>

#include "taut/optim/optimizer.h"
#include "taut/optim/schedules.h"

namespace taut::optim {

/// A default of a schedule, whose numbers are all doubles, as an int.
inline int64_t whole(double v) { return static_cast<int64_t>(v); }

/// To write one: override get_lrs(), which gives the rates for last_epoch_, and call initial_step() at the end of the
/// constructor.
class LRScheduler {
 public:
  /// last_epoch: how many steps were done before; -1 to begin.
  explicit LRScheduler(Optimizer& optimizer, int64_t last_epoch = -1);
  LRScheduler(const LRScheduler&) = delete;
  LRScheduler& operator=(const LRScheduler&) = delete;
  virtual ~LRScheduler() = default;

  virtual void step();
  /// The rates set last, one per group.
  const std::vector<double>& get_last_lr() const { return last_lr_; }
  int64_t last_epoch() const { return last_epoch_; }
  Optimizer& optimizer() const { return *optimizer_; }

  virtual StateDict state_dict() const;
  /// Throws, and changes nothing, when the state is not one of this scheduler. The rates of the optimiser are its own
  /// state, and stay.
  virtual void load_state_dict(const StateDict& dict);

 protected:
  friend class SequentialLR;
  friend class ChainedScheduler;
  struct Unset {};
  /// Without looking at the optimiser's initial rates.
  LRScheduler(Optimizer& optimizer, int64_t last_epoch, Unset) : optimizer_(&optimizer), last_epoch_(last_epoch) {}

  virtual std::vector<double> get_lrs() = 0;
  /// The rates for last_epoch_ worked out from the start, where there is a formula; else as get_lrs().
  virtual std::vector<double> closed_form_lrs() { return get_lrs(); }
  std::vector<double> get_current_lrs() const;
  void set_optimizer_lrs(const std::vector<double>& lrs);
  void initial_step();
  void update_lr();
  void update_lr(int64_t epoch);
  virtual void undo_step() { --last_epoch_; }
  /// What is saved besides the counters.
  virtual Fields fields() { return {}; }
  /// Takes over what was loaded into fields(); throws, and changes nothing, when it makes no sense.
  virtual void take_loaded() {}
  /// Throws when groups were added to the optimiser since.
  void check_groups() const;
  Fields all_fields();

  Optimizer* optimizer_;
  std::vector<double> base_lrs_, last_lr_;
  int64_t last_epoch_ = -1, step_count_ = 0;
  bool initial_ = false, ready_ = false;
};

/// Settings as they are saved: whole numbers as ints, rates as plain numbers.
class SavedSettings {
 public:
  /// Copies the settings, for the caller to save, or to load others into.
  Fields fields(schedules::Schedule& schedule);
  /// The schedule with what is here now; throws when that makes no sense.
  std::unique_ptr<schedules::Schedule> applied_to(const schedules::Schedule& schedule, size_t groups) const;

 private:
  std::deque<std::variant<double, bool, int64_t, std::vector<double>, std::vector<int64_t>>> values_;
};

/// A scheduler whose rates are a row of the table of schedules.
class ScheduledLR : public LRScheduler {
 protected:
  using Pointer = std::unique_ptr<schedules::Schedule>;
  /// Checks the settings first.
  ScheduledLR(Optimizer& optimizer, Pointer schedule, int64_t last_epoch);
  /// Likewise, without looking at the optimiser's initial rates.
  ScheduledLR(Optimizer& optimizer, Pointer schedule, int64_t last_epoch, Unset);
  std::vector<double> get_lrs() override { return rates(false); }
  std::vector<double> closed_form_lrs() override { return rates(true); }
  Fields fields() override { return saved_.fields(*schedule_); }
  void take_loaded() override;
  /// One number for all groups, or one for each.
  static schedules::Rates per_group(const Optimizer& optimizer, const std::vector<double>& values);
  template <class S>
  S& schedule() {
    return static_cast<schedules::Of<S>&>(*schedule_).schedule;
  }

  Pointer schedule_;

 private:
  std::vector<double> rates(bool closed_form);
  SavedSettings saved_;
};

/// times gamma every step_size steps
class StepLR : public ScheduledLR {
 public:
  StepLR(Optimizer& optimizer, int64_t step_size, double gamma = schedules::StepLR().gamma, int64_t last_epoch = -1);
};

/// times gamma at each milestone
class MultiStepLR : public ScheduledLR {
 public:
  MultiStepLR(Optimizer& optimizer, const std::vector<int64_t>& milestones,
              double gamma = schedules::MultiStepLR().gamma, int64_t last_epoch = -1);
};

/// times factor until total_iters
class ConstantLR : public ScheduledLR {
 public:
  using Default = schedules::ConstantLR;
  explicit ConstantLR(Optimizer& optimizer, double factor = Default().factor,
                      int64_t total_iters = whole(Default().total_iters), int64_t last_epoch = -1);
};

/// times a factor that goes from start_factor to end_factor in total_iters steps
class LinearLR : public ScheduledLR {
 public:
  using Default = schedules::LinearLR;
  explicit LinearLR(Optimizer& optimizer, double start_factor = Default().start_factor,
                    double end_factor = Default().end_factor, int64_t total_iters = whole(Default().total_iters),
                    int64_t last_epoch = -1);
};

/// times gamma every step
class ExponentialLR : public ScheduledLR {
 public:
  ExponentialLR(Optimizer& optimizer, double gamma, int64_t last_epoch = -1);
};

/// to 0 in total_iters steps, as a power
class PolynomialLR : public ScheduledLR {
 public:
  using Default = schedules::PolynomialLR;
  explicit PolynomialLR(Optimizer& optimizer, int64_t total_iters = whole(Default().total_iters),
                        double power = Default().power, int64_t last_epoch = -1);
};

/// along a cosine to eta_min in T_max steps, and back
class CosineAnnealingLR : public ScheduledLR {
 public:
  CosineAnnealingLR(Optimizer& optimizer, int64_t T_max, double eta_min = schedules::CosineAnnealingLR().eta_min,
                    int64_t last_epoch = -1);
};

/// along a cosine to eta_min in T_0 steps, then anew, each time T_mult times as long
class CosineAnnealingWarmRestarts : public ScheduledLR {
 public:
  using Default = schedules::CosineAnnealingWarmRestarts;
  CosineAnnealingWarmRestarts(Optimizer& optimizer, int64_t T_0, int64_t T_mult = whole(Default().T_mult),
                              double eta_min = Default().eta_min, int64_t last_epoch = -1);
  void step() override { move(std::nullopt); }
  /// To any point of the schedule, also between two epochs.
  void step(double epoch) { move(epoch); }

 private:
  void move(std::optional<double> epoch);
};

/// times a function of the epoch
class LambdaLR : public LRScheduler {
 public:
  using Lambda = std::function<double(int64_t epoch)>;
  LambdaLR(Optimizer& optimizer, Lambda lr_lambda, int64_t last_epoch = -1);
  LambdaLR(Optimizer& optimizer, std::vector<Lambda> lr_lambdas, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;

 private:
  std::vector<Lambda> lambdas_;
};

/// every step times a function of the epoch
class MultiplicativeLR : public LRScheduler {
 public:
  using Lambda = LambdaLR::Lambda;
  MultiplicativeLR(Optimizer& optimizer, Lambda lr_lambda, int64_t last_epoch = -1);
  MultiplicativeLR(Optimizer& optimizer, std::vector<Lambda> lr_lambdas, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;

 private:
  std::vector<Lambda> lambdas_;
};

struct CyclicLROptions {
  using Default = schedules::CyclicLR;
  CyclicLROptions(double base_lr, double max_lr) : base_lr_{base_lr}, max_lr_{max_lr} {}
  CyclicLROptions(std::vector<double> base_lr, std::vector<double> max_lr)
      : base_lr_(std::move(base_lr)), max_lr_(std::move(max_lr)) {}
  using scale_fn_t = std::function<double(double)>;
  TAUT_ARG(std::vector<double>, base_lr);  // one for all groups, or one for each
  TAUT_ARG(std::vector<double>, max_lr);
  TAUT_ARG(int64_t, step_size_up) = whole(Default().step_size_up);
  TAUT_ARG(std::optional<int64_t>, step_size_down) = std::nullopt;
  TAUT_ARG(std::string, mode) = Default().mode;  // "triangular2", "exp_range"
  TAUT_ARG(double, gamma) = Default().gamma;
  TAUT_ARG(scale_fn_t, scale_fn) = nullptr;
  TAUT_ARG(std::string, scale_mode) = Default().scale_mode;  // "iterations": what scale_fn is a function of
  TAUT_ARG(bool, cycle_momentum) = Default().cycle_momentum;
  TAUT_ARG(std::vector<double>, base_momentum) = numbers(Default().base_momentums);
  TAUT_ARG(std::vector<double>, max_momentum) = numbers(Default().max_momentums);
  TAUT_ARG(int64_t, last_epoch) = -1;
};

/// up and down between two rates, and the momentum the other way
class CyclicLR : public ScheduledLR {
 public:
  CyclicLR(Optimizer& optimizer, const CyclicLROptions& options);
};

struct OneCycleLROptions {
  using Default = schedules::OneCycleLR;
  explicit OneCycleLROptions(double max_lr) : max_lr_{max_lr} {}
  explicit OneCycleLROptions(std::vector<double> max_lr) : max_lr_(std::move(max_lr)) {}
  TAUT_ARG(std::vector<double>, max_lr);  // one for all groups, or one for each
  TAUT_ARG(std::optional<int64_t>, total_steps) = std::nullopt;
  TAUT_ARG(std::optional<int64_t>, epochs) = std::nullopt;
  TAUT_ARG(std::optional<int64_t>, steps_per_epoch) = std::nullopt;
  TAUT_ARG(double, pct_start) = Default().pct_start;
  TAUT_ARG(std::string, anneal_strategy) = Default().anneal_strategy;  // "linear"
  TAUT_ARG(bool, cycle_momentum) = Default().cycle_momentum;
  TAUT_ARG(std::vector<double>, base_momentum) = numbers(Default().base_momentums);
  TAUT_ARG(std::vector<double>, max_momentum) = numbers(Default().max_momentums);
  TAUT_ARG(double, div_factor) = Default().div_factor;
  TAUT_ARG(double, final_div_factor) = Default().final_div_factor;
  TAUT_ARG(bool, three_phase) = Default().three_phase;
  TAUT_ARG(int64_t, last_epoch) = -1;
};

/// up to the largest rate, then far down, once
class OneCycleLR : public ScheduledLR {
 public:
  OneCycleLR(Optimizer& optimizer, const OneCycleLROptions& options);
};

/// times factor when a metric has not got better for a while
class ReduceLROnPlateau {
 public:
  using Default = schedules::ReduceLROnPlateau;
  enum SchedulerMode { min, max };
  enum ThresholdMode { rel, abs };
  explicit ReduceLROnPlateau(Optimizer& optimizer, SchedulerMode mode = min, double factor = Default().factor,
                             int64_t patience = whole(Default().patience), double threshold = Default().threshold,
                             ThresholdMode threshold_mode = rel, int64_t cooldown = whole(Default().cooldown),
                             const std::vector<double>& min_lr = {}, double eps = Default().eps, bool verbose = false);
  void step(double metric);
  const std::vector<double>& get_last_lr() const { return last_lr_; }
  StateDict state_dict() const;
  void load_state_dict(const StateDict& dict);

 private:
  Fields fields();
  schedules::ReduceLROnPlateau& schedule();
  Optimizer* optimizer_;
  std::unique_ptr<schedules::Schedule> schedule_;
  SavedSettings saved_;
  int64_t mode_, threshold_mode_, last_epoch_ = 0;
  std::vector<double> last_lr_;
  bool verbose_;
};
using ReduceLROnPlateauScheduler = ReduceLROnPlateau;

/// one scheduler after the other: the next begins at each milestone
class SequentialLR : public LRScheduler {
 public:
  SequentialLR(Optimizer& optimizer, std::vector<std::shared_ptr<LRScheduler>> schedulers,
               std::vector<int64_t> milestones, int64_t last_epoch = -1);
  void step() override;
  StateDict state_dict() const override;
  void load_state_dict(const StateDict& dict) override;

 protected:
  std::vector<double> get_lrs() override { return get_current_lrs(); }
  void undo_step() override;

 private:
  size_t current(int64_t epoch) const;
  std::vector<std::shared_ptr<LRScheduler>> schedulers_;
  std::vector<int64_t> milestones_;
};

/// several schedulers at once, each changing what the one before it made
class ChainedScheduler : public LRScheduler {
 public:
  explicit ChainedScheduler(std::vector<std::shared_ptr<LRScheduler>> schedulers);
  void step() override;
  StateDict state_dict() const override;
  void load_state_dict(const StateDict& dict) override;

 protected:
  std::vector<double> get_lrs() override { return get_current_lrs(); }
  void undo_step() override;

 private:
  std::vector<std::shared_ptr<LRScheduler>> schedulers_;
};

}  // namespace taut::optim
