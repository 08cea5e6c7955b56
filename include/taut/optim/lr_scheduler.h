// Learning rate schedulers. Each sets the first rate when it is made, and the next one at every step(), which comes
// after the optimiser's. The optimiser must outlive them.
#pragma once
#include <functional>
#include <memory>

#include "taut/optim/optimizer.h"

namespace taut::optim {

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
  /// Throws when a setting makes no sense; called by constructors, and when settings were loaded.
  virtual void check_settings() const {}
  /// Throws when groups were added to the optimiser since.
  void check_groups() const;
  Fields all_fields();
  /// One number for all groups, or one for each.
  std::vector<double> per_group(const char* name, const std::vector<double>& values) const;

  Optimizer* optimizer_;
  std::vector<double> base_lrs_, last_lr_;
  int64_t last_epoch_ = -1, step_count_ = 0;
  bool initial_ = false, ready_ = false;
};

/// times gamma every step_size steps
class StepLR : public LRScheduler {
 public:
  StepLR(Optimizer& optimizer, int64_t step_size, double gamma = 0.1, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;
  std::vector<double> closed_form_lrs() override;
  void check_settings() const override;
  Fields fields() override { return {{"step_size", &step_size_}, {"gamma", &gamma_}}; }

 private:
  int64_t step_size_;
  double gamma_;
};

/// times gamma at each milestone
class MultiStepLR : public LRScheduler {
 public:
  MultiStepLR(Optimizer& optimizer, std::vector<int64_t> milestones, double gamma = 0.1, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;
  std::vector<double> closed_form_lrs() override;
  void check_settings() const override;
  Fields fields() override { return {{"milestones", &milestones_}, {"gamma", &gamma_}}; }

 private:
  std::vector<int64_t> milestones_;  // sorted
  double gamma_;
};

/// times factor until total_iters
class ConstantLR : public LRScheduler {
 public:
  explicit ConstantLR(Optimizer& optimizer, double factor = 1.0 / 3, int64_t total_iters = 5, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;
  std::vector<double> closed_form_lrs() override;
  void check_settings() const override;
  Fields fields() override { return {{"factor", &factor_}, {"total_iters", &total_iters_}}; }

 private:
  double factor_;
  int64_t total_iters_;
};

/// times a factor that goes from start_factor to end_factor in total_iters steps
class LinearLR : public LRScheduler {
 public:
  explicit LinearLR(Optimizer& optimizer, double start_factor = 1.0 / 3, double end_factor = 1, int64_t total_iters = 5,
                    int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;
  std::vector<double> closed_form_lrs() override;
  void check_settings() const override;
  Fields fields() override {
    return {{"start_factor", &start_factor_}, {"end_factor", &end_factor_}, {"total_iters", &total_iters_}};
  }

 private:
  double start_factor_, end_factor_;
  int64_t total_iters_;
};

/// times gamma every step
class ExponentialLR : public LRScheduler {
 public:
  ExponentialLR(Optimizer& optimizer, double gamma, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;
  std::vector<double> closed_form_lrs() override;
  void check_settings() const override;
  Fields fields() override { return {{"gamma", &gamma_}}; }

 private:
  double gamma_;
};

/// to 0 in total_iters steps, as a power
class PolynomialLR : public LRScheduler {
 public:
  explicit PolynomialLR(Optimizer& optimizer, int64_t total_iters = 5, double power = 1, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;
  std::vector<double> closed_form_lrs() override;
  void check_settings() const override;
  Fields fields() override { return {{"total_iters", &total_iters_}, {"power", &power_}}; }

 private:
  int64_t total_iters_;
  double power_;
};

/// along a cosine to eta_min in T_max steps, and back
class CosineAnnealingLR : public LRScheduler {
 public:
  CosineAnnealingLR(Optimizer& optimizer, int64_t T_max, double eta_min = 0, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;
  std::vector<double> closed_form_lrs() override;
  void check_settings() const override;
  Fields fields() override { return {{"T_max", &T_max_}, {"eta_min", &eta_min_}}; }

 private:
  int64_t T_max_;
  double eta_min_;
};

/// along a cosine to eta_min in T_0 steps, then anew, each time T_mult times as long
class CosineAnnealingWarmRestarts : public LRScheduler {
 public:
  CosineAnnealingWarmRestarts(Optimizer& optimizer, int64_t T_0, int64_t T_mult = 1, double eta_min = 0,
                              int64_t last_epoch = -1);
  void step() override;
  /// To any point of the schedule, also between two epochs.
  void step(double epoch);

 protected:
  std::vector<double> get_lrs() override;
  void check_settings() const override;
  Fields fields() override {
    return {{"T_0", &T_0_}, {"T_i", &T_i_}, {"T_mult", &T_mult_}, {"eta_min", &eta_min_}, {"T_cur", &T_cur_}};
  }

 private:
  void set();
  int64_t T_0_, T_i_, T_mult_;
  double eta_min_, T_cur_;
};

/// times a function of the epoch
class LambdaLR : public LRScheduler {
 public:
  using Lambda = std::function<double(int64_t epoch)>;
  LambdaLR(Optimizer& optimizer, Lambda lr_lambda, int64_t last_epoch = -1);
  LambdaLR(Optimizer& optimizer, std::vector<Lambda> lr_lambdas, int64_t last_epoch = -1);

 protected:
  std::vector<double> get_lrs() override;
  void check_settings() const override;

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
  void check_settings() const override;

 private:
  std::vector<Lambda> lambdas_;
};

struct CyclicLROptions {
  CyclicLROptions(double base_lr, double max_lr) : base_lr_{base_lr}, max_lr_{max_lr} {}
  CyclicLROptions(std::vector<double> base_lr, std::vector<double> max_lr)
      : base_lr_(std::move(base_lr)), max_lr_(std::move(max_lr)) {}
  using scale_fn_t = std::function<double(double)>;
  TAUT_ARG(std::vector<double>, base_lr);  // one for all groups, or one for each
  TAUT_ARG(std::vector<double>, max_lr);
  TAUT_ARG(int64_t, step_size_up) = 2000;
  TAUT_ARG(std::optional<int64_t>, step_size_down) = std::nullopt;
  TAUT_ARG(std::string, mode) = "triangular";  // "triangular2", "exp_range"
  TAUT_ARG(double, gamma) = 1;
  TAUT_ARG(scale_fn_t, scale_fn) = nullptr;
  TAUT_ARG(std::string, scale_mode) = "cycle";  // "iterations": what scale_fn is a function of
  TAUT_ARG(bool, cycle_momentum) = true;
  TAUT_ARG(std::vector<double>, base_momentum) = {0.8};
  TAUT_ARG(std::vector<double>, max_momentum) = {0.9};
  TAUT_ARG(int64_t, last_epoch) = -1;
};

/// up and down between two rates, and the momentum the other way
class CyclicLR : public LRScheduler {
 public:
  CyclicLR(Optimizer& optimizer, CyclicLROptions options);

 protected:
  std::vector<double> get_lrs() override;
  void check_settings() const override;
  Fields fields() override;

 private:
  CyclicLROptions options_;
  std::vector<double> max_lrs_, base_momentums_, max_momentums_;
  double total_size_ = 0, step_ratio_ = 0;
  bool by_cycle_ = true;
};

struct OneCycleLROptions {
  explicit OneCycleLROptions(double max_lr) : max_lr_{max_lr} {}
  explicit OneCycleLROptions(std::vector<double> max_lr) : max_lr_(std::move(max_lr)) {}
  TAUT_ARG(std::vector<double>, max_lr);  // one for all groups, or one for each
  TAUT_ARG(std::optional<int64_t>, total_steps) = std::nullopt;
  TAUT_ARG(std::optional<int64_t>, epochs) = std::nullopt;
  TAUT_ARG(std::optional<int64_t>, steps_per_epoch) = std::nullopt;
  TAUT_ARG(double, pct_start) = 0.3;
  TAUT_ARG(std::string, anneal_strategy) = "cos";  // "linear"
  TAUT_ARG(bool, cycle_momentum) = true;
  TAUT_ARG(std::vector<double>, base_momentum) = {0.85};
  TAUT_ARG(std::vector<double>, max_momentum) = {0.95};
  TAUT_ARG(double, div_factor) = 25;
  TAUT_ARG(double, final_div_factor) = 1e4;
  TAUT_ARG(bool, three_phase) = false;
  TAUT_ARG(int64_t, last_epoch) = -1;
};

/// up to the largest rate, then far down, once
class OneCycleLR : public LRScheduler {
 public:
  OneCycleLR(Optimizer& optimizer, OneCycleLROptions options);

 protected:
  std::vector<double> get_lrs() override;
  void check_settings() const override;
  Fields fields() override;

 private:
  OneCycleLROptions options_;
  int64_t total_steps_ = 0;
  std::vector<double> max_lrs_, base_momentums_, max_momentums_;
};

/// times factor when a metric has not got better for a while
class ReduceLROnPlateau {
 public:
  enum SchedulerMode { min, max };
  enum ThresholdMode { rel, abs };
  explicit ReduceLROnPlateau(Optimizer& optimizer, SchedulerMode mode = min, double factor = 0.1, int64_t patience = 10,
                             double threshold = 1e-4, ThresholdMode threshold_mode = rel, int64_t cooldown = 0,
                             std::vector<double> min_lr = {}, double eps = 1e-8, bool verbose = false);
  void step(double metric);
  const std::vector<double>& get_last_lr() const { return last_lr_; }
  StateDict state_dict() const;
  void load_state_dict(const StateDict& dict);

 private:
  Fields fields();
  void check_settings() const;
  bool is_better(double metric) const;
  void reduce_lr();
  Optimizer* optimizer_;
  int64_t mode_, threshold_mode_, patience_, cooldown_, cooldown_counter_ = 0, num_bad_epochs_ = 0, last_epoch_ = 0;
  double factor_, threshold_, eps_, best_;
  std::vector<double> min_lrs_, last_lr_;
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
