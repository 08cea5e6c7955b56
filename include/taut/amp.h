// Mixed precision: ops in a short dtype, and losses scaled up so that small gradients survive it.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "taut/nn/arg.h"
#include "taut/optim/optimizer.h"
#include "taut/tensor.h"

namespace taut::amp {

struct GradScalerOptions {
  TAUT_ARG(double, init_scale) = 65536;
  TAUT_ARG(double, growth_factor) = 2;
  TAUT_ARG(double, backoff_factor) = 0.5;
  TAUT_ARG(int64_t, growth_interval) = 2000;
  TAUT_ARG(bool, enabled) = true;
};

/// Scales losses up and gradients down again; skips steps whose gradients are not finite:
///   scaler.scale(loss).backward();
///   scaler.step(optimizer);
///   scaler.update();
class GradScaler {
 public:
  explicit GradScaler(const GradScalerOptions& options = {});

  /// The loss (or several) times the scale.
  Tensor scale(const Tensor& outputs);
  std::vector<Tensor> scale(const std::vector<Tensor>& outputs);
  /// Divides the gradients of an optimiser by the scale, in place; for clipping before step.
  void unscale_(optim::Optimizer& optimizer);
  /// A step of the optimiser, unless a gradient is infinite or NaN.
  void step(optim::Optimizer& optimizer);
  /// After the steps: a smaller scale if one was skipped, a larger one after many that were not.
  void update();
  void update(double new_scale);

  double get_scale() const { return options_.enabled() ? static_cast<double>(scale_) : 1.0; }
  double get_growth_factor() const { return options_.growth_factor(); }
  void set_growth_factor(double factor) { options_.growth_factor(factor); }
  double get_backoff_factor() const { return options_.backoff_factor(); }
  void set_backoff_factor(double factor) { options_.backoff_factor(factor); }
  int64_t get_growth_interval() const { return options_.growth_interval(); }
  void set_growth_interval(int64_t interval) { options_.growth_interval(interval); }
  int64_t get_growth_tracker() const { return growth_tracker_; }
  bool is_enabled() const { return options_.enabled(); }

  /// What is saved, under Python's names; empty when it is switched off.
  optim::StateDict state_dict() const;
  void load_state_dict(const optim::StateDict& dict);
  void load(double scale, double growth_factor, double backoff_factor, int64_t growth_interval, int64_t growth_tracker);

  // For optimisers that are not an optim::Optimizer: `key` stands for one, `grads` are those of its parameters.
  void unscale_(uintptr_t key, const std::vector<Tensor>& grads);
  /// Unscales unless that is done; may the step be taken?
  bool begin_step(uintptr_t key, const std::vector<Tensor>& grads);
  /// Has nothing happened since the last update()?
  bool is_between_steps() const { return optimizers_.empty(); }

 private:
  /// Of an optimiser since the last update.
  struct Seen {
    bool unscaled = false, stepped = false;
    std::optional<bool> found_inf;  // none: it has no gradients
  };
  void check_scaled(const char* method) const;

  GradScalerOptions options_;
  float scale_;           // as PyTorch keeps it
  bool started_ = false;  // was anything scaled?
  int64_t growth_tracker_ = 0;
  std::map<uintptr_t, Seen> optimizers_;
};

/// Within its scope (of this thread) products, convolutions and attention compute in a shorter dtype, losses and long
/// sums in float32, whatever float tensors they get:
///   const taut::amp::autocast scope(taut::kCPU, taut::kBFloat16);
class autocast {
 public:
  explicit autocast(DeviceType device_type = kCPU, ScalarType dtype = kBFloat16, bool enabled = true,
                    bool cache_enabled = true);
  ~autocast();
  autocast(const autocast&) = delete;

 private:
  DeviceType device_;
  bool enabled_, cache_;  // what was before
  ScalarType dtype_;
};

// Its parts, as PyTorch has them.
bool is_autocast_enabled(DeviceType device = kCPU);
void set_autocast_enabled(DeviceType device, bool enabled);
ScalarType get_autocast_dtype(DeviceType device = kCPU);
void set_autocast_dtype(DeviceType device, ScalarType dtype);
/// Are parameters cast once per outermost scope?
bool is_autocast_cache_enabled();
void set_autocast_cache_enabled(bool enabled);
void clear_autocast_cache();
int autocast_increment_nesting();
int autocast_decrement_nesting();

}  // namespace taut::amp