// The schedulers. The numbers are PyTorch's to the last bit, so the order of operations is its order too.
#include "taut/optim/lr_scheduler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "taut/core/maths.h"
#include "taut/core/runtime.h"

namespace taut::optim {
namespace {

constexpr double kPi = std::numbers::pi;

void check_finite(const char* scheduler, const char* name, double v) {
  check<ValueError>(std::isfinite(v), scheduler, ": ", name, " should be finite, got ", v);
}
void check_positive(const char* scheduler, const char* name, int64_t v) {
  check<ValueError>(v > 0, scheduler, ": Expected positive integer ", name, ", but got ", v);
}
std::vector<double> times(std::vector<double> v, double factor) {
  for (double& x : v) x = x * factor;
  return v;
}

/// The momentum of a group, under whichever name its options have it: momentum, or the first of betas.
double* momentum_of(OptimizerOptions& options) {
  double* momentum = nullptr;
  for (const Field& f : options.fields()) {
    if (f.name == std::string_view("betas")) return &std::get<0>(*std::get<std::tuple<double, double>*>(f.value));
    if (f.name == std::string_view("momentum")) momentum = std::get<double*>(f.value);
  }
  return momentum;
}
void check_momentum(Optimizer& optimizer) {
  check<ValueError>(momentum_of(optimizer.defaults()) != nullptr,
                    "optimizer must support momentum or beta1 with `cycle_momentum` option enabled");
}
void set_momentums(Optimizer& optimizer, const std::vector<double>& momentums) {
  for (size_t i = 0; i < momentums.size(); ++i) *momentum_of(optimizer.param_groups()[i].options()) = momentums[i];
}

}  // namespace

// ---- What all have in common.

LRScheduler::LRScheduler(Optimizer& optimizer, int64_t last_epoch) : optimizer_(&optimizer), last_epoch_(last_epoch) {
  check<ValueError>(last_epoch >= -1, "last_epoch should be -1 or more, got ", last_epoch);
  auto& groups = optimizer.param_groups();
  for (size_t i = 0; i < groups.size(); ++i) {
    if (last_epoch == -1) {
      if (!groups[i].initial_lr()) groups[i].set_initial_lr(groups[i].options().get_lr());
    } else {
      check<ValueError>(groups[i].initial_lr().has_value(), "param 'initial_lr' is not specified in param_groups[", i,
                        "] when resuming scheduler with last_epoch >= 0. Load the state of the optimizer first, or ",
                        "begin with last_epoch = -1");
    }
    base_lrs_.push_back(*groups[i].initial_lr());
  }
}

std::vector<double> LRScheduler::get_current_lrs() const {
  std::vector<double> lrs;
  for (const OptimizerParamGroup& g : optimizer_->param_groups()) lrs.push_back(g.options().get_lr());
  return lrs;
}
void LRScheduler::set_optimizer_lrs(const std::vector<double>& lrs) {
  auto& groups = optimizer_->param_groups();
  check<ValueError>(lrs.size() == groups.size(), "the scheduler gave ", lrs.size(),
                    " learning rates, the optimizer has ", groups.size(), " parameter groups");
  for (size_t i = 0; i < lrs.size(); ++i) groups[i].options().set_lr(lrs[i]);
  last_lr_ = get_current_lrs();
}

void LRScheduler::initial_step() {
  step_count_ = 0;
  ready_ = initial_ = true;
  try {
    step();
  } catch (...) {
    initial_ = false;
    throw;
  }
  initial_ = false;
}
void LRScheduler::step() {
  if (!ready_) initial_step();
  if (step_count_ == 1 && optimizer_->tracks_steps() && !optimizer_->has_stepped())
    warn(
        "Detected call of `lr_scheduler.step()` before `optimizer.step()`. You should call them in the opposite order: "
        "otherwise the first value of the learning rate schedule is skipped.");
  ++step_count_;
  update_lr();
}
void LRScheduler::check_groups() const {
  check<ValueError>(base_lrs_.empty() || base_lrs_.size() == optimizer_->param_groups().size(),
                    "the scheduler was made for ", base_lrs_.size(), " parameter groups, the optimizer has ",
                    optimizer_->param_groups().size(), ". Make a new scheduler after add_param_group()");
}
void LRScheduler::update_lr() {
  check_groups();
  ++last_epoch_;
  try {
    set_optimizer_lrs(get_lrs());
  } catch (...) {
    --last_epoch_;
    throw;
  }
}
void LRScheduler::update_lr(int64_t epoch) {
  check_groups();
  last_epoch_ = epoch;
  set_optimizer_lrs(closed_form_lrs());
}

Fields LRScheduler::all_fields() {
  Fields all = fields();
  all.insert(
      all.end(),
      {{"base_lrs", &base_lrs_}, {"last_epoch", &last_epoch_}, {"_step_count", &step_count_}, {"_last_lr", &last_lr_}});
  return all;
}
namespace {
/// Load `fields` and check them; when that fails all are as before.
template <class Check>
void load_all(const Fields& fields, const StateDict& dict, Check check_loaded,
              std::initializer_list<std::string> others = {}) {
  StateDict before;
  save_fields("", fields, before);
  std::vector<std::string> used, ignored;
  try {
    load_fields("", fields, dict, used);
    StateDict own;
    for (const auto& item : dict) {
      bool other = false;
      for (const std::string& prefix : others) other |= item.key().starts_with(prefix);
      if (!other) own.insert(item.key(), item.value());
    }
    check_all_used("", own, used, "the scheduler");
    check_loaded();
  } catch (...) {
    load_fields("", fields, before, ignored);
    throw;
  }
}
/// A list with one number for each group.
void check_list(const Optimizer& optimizer, const char* name, const std::vector<double>& list) {
  check<ValueError>(list.size() == optimizer.param_groups().size(), "'", name, "' is for ", list.size(),
                    " parameter groups, the optimizer has ", optimizer.param_groups().size());
}
}  // namespace
StateDict LRScheduler::state_dict() const {
  StateDict dict;
  save_fields("", const_cast<LRScheduler*>(this)->all_fields(), dict);
  return dict;
}
void LRScheduler::load_state_dict(const StateDict& dict) {
  load_all(all_fields(), dict, [&] {
    check_list(*optimizer_, "base_lrs", base_lrs_);
    check_list(*optimizer_, "_last_lr", last_lr_);
    check_settings();
  });
}

std::vector<double> LRScheduler::per_group(const char* name, const std::vector<double>& values) const {
  const size_t groups = optimizer_->param_groups().size();
  if (values.size() == 1) return std::vector<double>(groups, values[0]);
  check<ValueError>(values.size() == groups, name, " must have the same length as optimizer.param_groups. ", name,
                    " has ", values.size(), " values, param_groups has ", groups, ".");
  return values;
}

// ---- One factor.

StepLR::StepLR(Optimizer& optimizer, int64_t step_size, double gamma, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), step_size_(step_size), gamma_(gamma) {
  check_settings();
  initial_step();
}
void StepLR::check_settings() const {
  check_positive("StepLR", "step_size", step_size_);
  check_finite("StepLR", "gamma", gamma_);
}
std::vector<double> StepLR::get_lrs() {
  if (last_epoch_ == 0 || last_epoch_ % step_size_ != 0) return get_current_lrs();
  return times(get_current_lrs(), gamma_);
}
std::vector<double> StepLR::closed_form_lrs() {
  return times(base_lrs_, maths::pow(gamma_, static_cast<double>(last_epoch_ / step_size_)));
}

MultiStepLR::MultiStepLR(Optimizer& optimizer, std::vector<int64_t> milestones, double gamma, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), milestones_(std::move(milestones)), gamma_(gamma) {
  std::sort(milestones_.begin(), milestones_.end());
  check_settings();
  initial_step();
}
void MultiStepLR::check_settings() const {
  check_finite("MultiStepLR", "gamma", gamma_);
  for (int64_t m : milestones_) check<ValueError>(m >= 0, "MultiStepLR: a milestone is negative: ", m);
}
std::vector<double> MultiStepLR::get_lrs() {
  const auto n = std::count(milestones_.begin(), milestones_.end(), last_epoch_);
  return n == 0 ? get_current_lrs() : times(get_current_lrs(), maths::pow(gamma_, static_cast<double>(n)));
}
std::vector<double> MultiStepLR::closed_form_lrs() {
  const auto n = std::upper_bound(milestones_.begin(), milestones_.end(), last_epoch_) - milestones_.begin();
  return times(base_lrs_, maths::pow(gamma_, static_cast<double>(n)));
}

ConstantLR::ConstantLR(Optimizer& optimizer, double factor, int64_t total_iters, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), factor_(factor), total_iters_(total_iters) {
  check_settings();
  initial_step();
}
void ConstantLR::check_settings() const {
  check<ValueError>(factor_ >= 0 && factor_ <= 1,
                    "Constant multiplicative factor expected to be between 0 and 1., got ", factor_);
  check<ValueError>(total_iters_ >= 0, "ConstantLR: total_iters should not be negative, got ", total_iters_);
}
std::vector<double> ConstantLR::get_lrs() {
  if (last_epoch_ == 0) return times(get_current_lrs(), factor_);
  if (last_epoch_ != total_iters_) return get_current_lrs();
  return times(get_current_lrs(), 1 / factor_);
}
std::vector<double> ConstantLR::closed_form_lrs() {
  return times(base_lrs_, factor_ + (last_epoch_ >= total_iters_ ? 1 - factor_ : 0));
}

LinearLR::LinearLR(Optimizer& optimizer, double start_factor, double end_factor, int64_t total_iters,
                   int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch),
      start_factor_(start_factor),
      end_factor_(end_factor),
      total_iters_(total_iters) {
  check_settings();
  initial_step();
}
void LinearLR::check_settings() const {
  check<ValueError>(start_factor_ > 0 && start_factor_ <= 1,
                    "Starting multiplicative factor expected to be greater than 0 and less or equal to 1., got ",
                    start_factor_);
  check<ValueError>(end_factor_ >= 0 && end_factor_ <= 1,
                    "Ending multiplicative factor expected to be between 0 and 1., got ", end_factor_);
  check_positive("LinearLR", "total_iters", total_iters_);
}
std::vector<double> LinearLR::get_lrs() {
  if (last_epoch_ == 0) return times(get_current_lrs(), start_factor_);
  if (initial_ || last_epoch_ > total_iters_) return get_current_lrs();
  const double range = end_factor_ - start_factor_;
  return times(get_current_lrs(), 1 + range / (static_cast<double>(total_iters_) * start_factor_ +
                                               static_cast<double>(last_epoch_ - 1) * range));
}
std::vector<double> LinearLR::closed_form_lrs() {
  return times(base_lrs_, start_factor_ + (end_factor_ - start_factor_) *
                                              static_cast<double>(std::min(total_iters_, last_epoch_)) /
                                              static_cast<double>(total_iters_));
}

ExponentialLR::ExponentialLR(Optimizer& optimizer, double gamma, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), gamma_(gamma) {
  check_settings();
  initial_step();
}
void ExponentialLR::check_settings() const { check_finite("ExponentialLR", "gamma", gamma_); }
std::vector<double> ExponentialLR::get_lrs() { return initial_ ? get_current_lrs() : times(get_current_lrs(), gamma_); }
std::vector<double> ExponentialLR::closed_form_lrs() {
  return times(base_lrs_, maths::pow(gamma_, static_cast<double>(last_epoch_)));
}

PolynomialLR::PolynomialLR(Optimizer& optimizer, int64_t total_iters, double power, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), total_iters_(total_iters), power_(power) {
  check_settings();
  initial_step();
}
void PolynomialLR::check_settings() const {
  check_positive("PolynomialLR", "total_iters", total_iters_);
  check_finite("PolynomialLR", "power", power_);
}
std::vector<double> PolynomialLR::get_lrs() {
  if (initial_ || last_epoch_ > total_iters_) return get_current_lrs();
  const auto epoch = static_cast<double>(last_epoch_), total = static_cast<double>(total_iters_);
  return times(get_current_lrs(), maths::pow((1 - epoch / total) / (1 - (epoch - 1) / total), power_));
}
std::vector<double> PolynomialLR::closed_form_lrs() {
  return times(base_lrs_, maths::pow(1 - static_cast<double>(std::min(total_iters_, last_epoch_)) /
                                             static_cast<double>(total_iters_),
                                     power_));
}

// ---- Cosines.

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, int64_t T_max, double eta_min, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), T_max_(T_max), eta_min_(eta_min) {
  check_settings();
  initial_step();
}
void CosineAnnealingLR::check_settings() const {
  check_positive("CosineAnnealingLR", "T_max", T_max_);
  check_finite("CosineAnnealingLR", "eta_min", eta_min_);
}
std::vector<double> CosineAnnealingLR::get_lrs() {
  std::vector<double> lrs = get_current_lrs();
  if (initial_) return lrs;
  const auto epoch = static_cast<double>(last_epoch_), period = static_cast<double>(T_max_);
  if (step_count_ == 1 && last_epoch_ > 0) return closed_form_lrs();
  if ((last_epoch_ - 1 - T_max_) % (2 * T_max_) == 0) {
    for (size_t i = 0; i < lrs.size(); ++i) lrs[i] += (base_lrs_[i] - eta_min_) * (1 - maths::cos(kPi / period)) / 2;
    return lrs;
  }
  for (double& lr : lrs)
    lr = (1 + maths::cos(kPi * epoch / period)) / (1 + maths::cos(kPi * (epoch - 1) / period)) * (lr - eta_min_) +
         eta_min_;
  return lrs;
}
std::vector<double> CosineAnnealingLR::closed_form_lrs() {
  std::vector<double> lrs = base_lrs_;
  for (double& lr : lrs)
    lr = eta_min_ +
         (lr - eta_min_) * (1 + maths::cos(kPi * static_cast<double>(last_epoch_) / static_cast<double>(T_max_))) / 2;
  return lrs;
}

CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(Optimizer& optimizer, int64_t T_0, int64_t T_mult,
                                                         double eta_min, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch),
      T_0_(T_0),
      T_i_(T_0),
      T_mult_(T_mult),
      eta_min_(eta_min),
      T_cur_(static_cast<double>(last_epoch)) {
  check_settings();
  initial_step();
}
void CosineAnnealingWarmRestarts::check_settings() const {
  check<ValueError>(T_0_ > 0 && T_i_ > 0, "Expected positive integer T_0, but got ", std::min(T_0_, T_i_));
  check<ValueError>(T_mult_ >= 1, "Expected integer T_mult >= 1, but got ", T_mult_);
  check_finite("CosineAnnealingWarmRestarts", "eta_min", eta_min_);
}
std::vector<double> CosineAnnealingWarmRestarts::get_lrs() {
  std::vector<double> lrs = base_lrs_;
  for (double& lr : lrs)
    lr = eta_min_ + (lr - eta_min_) * (1 + maths::cos(kPi * T_cur_ / static_cast<double>(T_i_))) / 2;
  return lrs;
}
void CosineAnnealingWarmRestarts::set() {
  check_groups();
  set_optimizer_lrs(get_lrs());
}
void CosineAnnealingWarmRestarts::step() {
  if (last_epoch_ < 0) return step(0.0);
  T_cur_ += 1;
  if (T_cur_ >= static_cast<double>(T_i_)) {
    T_cur_ = std::fmod(T_cur_, static_cast<double>(T_i_));
    T_i_ *= T_mult_;
  }
  ++last_epoch_;
  set();
}
void CosineAnnealingWarmRestarts::step(double epoch) {
  check<ValueError>(epoch >= 0 && std::isfinite(epoch), "Expected non-negative epoch, but got ", epoch);
  const auto first = static_cast<double>(T_0_), factor = static_cast<double>(T_mult_);
  if (epoch < first) {
    T_i_ = T_0_;
    T_cur_ = epoch;
  } else if (T_mult_ == 1) {
    T_cur_ = std::fmod(epoch, first);
  } else {
    const double n = std::trunc(maths::log(epoch / first * (factor - 1) + 1) / maths::log(factor));
    T_cur_ = epoch - first * (maths::pow(factor, n) - 1) / (factor - 1);
    T_i_ = T_0_ * static_cast<int64_t>(maths::pow(factor, n));
  }
  last_epoch_ = static_cast<int64_t>(std::floor(epoch));
  set();
}

// ---- Functions of the user.

namespace {
using Lambda = LambdaLR::Lambda;
void check_lambdas(const Optimizer& optimizer, const std::vector<Lambda>& lambdas) {
  check<ValueError>(lambdas.size() == optimizer.param_groups().size(), "Expected ", optimizer.param_groups().size(),
                    " lr_lambdas, but got ", lambdas.size());
  for (const Lambda& f : lambdas) check<TypeError>(f != nullptr, "lr_lambda should be a function, but got nothing");
}
std::vector<Lambda> for_all(const Optimizer& optimizer, const Lambda& lambda) {
  return std::vector<Lambda>(optimizer.param_groups().size(), lambda);
}
}  // namespace

LambdaLR::LambdaLR(Optimizer& optimizer, Lambda lr_lambda, int64_t last_epoch)
    : LambdaLR(optimizer, for_all(optimizer, lr_lambda), last_epoch) {}
LambdaLR::LambdaLR(Optimizer& optimizer, std::vector<Lambda> lr_lambdas, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), lambdas_(std::move(lr_lambdas)) {
  check_settings();
  initial_step();
}
void LambdaLR::check_settings() const { check_lambdas(*optimizer_, lambdas_); }
std::vector<double> LambdaLR::get_lrs() {
  std::vector<double> lrs = base_lrs_;
  for (size_t i = 0; i < lrs.size(); ++i) lrs[i] *= lambdas_[i](last_epoch_);
  return lrs;
}

MultiplicativeLR::MultiplicativeLR(Optimizer& optimizer, Lambda lr_lambda, int64_t last_epoch)
    : MultiplicativeLR(optimizer, for_all(optimizer, lr_lambda), last_epoch) {}
MultiplicativeLR::MultiplicativeLR(Optimizer& optimizer, std::vector<Lambda> lr_lambdas, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), lambdas_(std::move(lr_lambdas)) {
  check_settings();
  initial_step();
}
void MultiplicativeLR::check_settings() const { check_lambdas(*optimizer_, lambdas_); }
std::vector<double> MultiplicativeLR::get_lrs() {
  std::vector<double> lrs = get_current_lrs();
  if (initial_) return lrs;
  for (size_t i = 0; i < lrs.size(); ++i) lrs[i] *= lambdas_[i](last_epoch_);
  return lrs;
}

// ---- Cycles.

CyclicLR::CyclicLR(Optimizer& optimizer, CyclicLROptions options)
    : LRScheduler(optimizer, options.last_epoch(), Unset{}), options_(std::move(options)) {
  const CyclicLROptions& o = options_;
  const std::vector<double> base = per_group("base_lr", o.base_lr());
  max_lrs_ = per_group("max_lr", o.max_lr());
  for (double lr : base) check_finite("CyclicLR", "base_lr", lr);
  for (double lr : max_lrs_) check_finite("CyclicLR", "max_lr", lr);
  check_positive("CyclicLR", "step_size_up", o.step_size_up());
  check_positive("CyclicLR", "step_size_down", o.step_size_down().value_or(o.step_size_up()));
  check_finite("CyclicLR", "gamma", o.gamma());
  check<ValueError>(o.scale_fn() || o.mode() == "triangular" || o.mode() == "triangular2" || o.mode() == "exp_range",
                    "mode is invalid and scale_fn is None: '", o.mode(),
                    "' is none of triangular, triangular2, exp_range");
  check<ValueError>(o.scale_mode() == "cycle" || o.scale_mode() == "iterations",
                    "CyclicLR: scale_mode must be one of 'cycle' or 'iterations', instead got ", o.scale_mode());
  const auto up = static_cast<double>(o.step_size_up());
  total_size_ = up + static_cast<double>(o.step_size_down().value_or(o.step_size_up()));
  step_ratio_ = up / total_size_;
  by_cycle_ = o.scale_fn() ? o.scale_mode() == "cycle" : o.mode() != "exp_range";
  if (o.cycle_momentum()) {
    check_momentum(optimizer);
    base_momentums_ = per_group("base_momentum", o.base_momentum());
    max_momentums_ = per_group("max_momentum", o.max_momentum());
  }
  auto& groups = optimizer.param_groups();
  for (size_t i = 0; i < groups.size(); ++i) {
    if (last_epoch_ != -1) continue;
    groups[i].options().set_lr(base[i]);
    if (!groups[i].initial_lr()) groups[i].set_initial_lr(base[i]);
  }
  base_lrs_ = base;
  if (o.cycle_momentum() && last_epoch_ == -1) set_momentums(optimizer, max_momentums_);
  initial_step();
}
void CyclicLR::check_settings() const {
  check_list(*optimizer_, "max_lrs", max_lrs_);
  check<ValueError>(total_size_ > 0 && std::isfinite(total_size_) && step_ratio_ > 0 && step_ratio_ < 1,
                    "CyclicLR: total_size should be positive and step_ratio between 0 and 1, got ", total_size_,
                    " and ", step_ratio_);
  if (!options_.cycle_momentum()) return;
  check_list(*optimizer_, "base_momentums", base_momentums_);
  check_list(*optimizer_, "max_momentums", max_momentums_);
}
std::vector<double> CyclicLR::get_lrs() {
  const auto epoch = static_cast<double>(last_epoch_);
  const double cycle = std::floor(1 + epoch / total_size_), x = 1.0 + epoch / total_size_ - cycle;
  const double height = x <= step_ratio_ ? x / step_ratio_ : (x - 1) / (step_ratio_ - 1);
  const double argument = by_cycle_ ? cycle : epoch;
  double scale = 1;
  if (options_.scale_fn()) scale = options_.scale_fn()(argument);
  else if (options_.mode() == "triangular2") scale = 1 / maths::pow(2.0, argument - 1);
  else if (options_.mode() == "exp_range") scale = maths::pow(options_.gamma(), argument);
  std::vector<double> lrs = base_lrs_;
  for (size_t i = 0; i < lrs.size(); ++i) lrs[i] += (max_lrs_[i] - base_lrs_[i]) * height * scale;
  if (options_.cycle_momentum()) {
    std::vector<double> momentums = max_momentums_;
    for (size_t i = 0; i < momentums.size(); ++i)
      momentums[i] -= (max_momentums_[i] - base_momentums_[i]) * height * scale;
    set_momentums(*optimizer_, momentums);
  }
  return lrs;
}
Fields CyclicLR::fields() {
  return {{"max_lrs", &max_lrs_},       {"total_size", &total_size_},         {"step_ratio", &step_ratio_},
          {"gamma", &options_.gamma()}, {"base_momentums", &base_momentums_}, {"max_momentums", &max_momentums_}};
}

OneCycleLR::OneCycleLR(Optimizer& optimizer, OneCycleLROptions options)
    : LRScheduler(optimizer, options.last_epoch(), Unset{}), options_(std::move(options)) {
  const OneCycleLROptions& o = options_;
  if (o.total_steps()) {
    check<ValueError>(*o.total_steps() > 0, "Expected positive integer total_steps, but got ", *o.total_steps());
    total_steps_ = *o.total_steps();
  } else {
    check<ValueError>(o.epochs() && o.steps_per_epoch(),
                      "You must define either total_steps OR (epochs AND steps_per_epoch)");
    check<ValueError>(*o.epochs() > 0, "Expected positive integer epochs, but got ", *o.epochs());
    check<ValueError>(*o.steps_per_epoch() > 0, "Expected positive integer steps_per_epoch, but got ",
                      *o.steps_per_epoch());
    total_steps_ = *o.epochs() * *o.steps_per_epoch();
  }
  check<ValueError>(o.pct_start() >= 0 && o.pct_start() <= 1, "Expected float between 0 and 1 pct_start, but got ",
                    o.pct_start());
  check<ValueError>(o.anneal_strategy() == "cos" || o.anneal_strategy() == "linear",
                    "anneal_strategy must be one of 'cos' or 'linear', instead got ", o.anneal_strategy());
  check<ValueError>(o.div_factor() > 0 && std::isfinite(o.div_factor()) && o.final_div_factor() > 0 &&
                        std::isfinite(o.final_div_factor()),
                    "OneCycleLR: Expected positive div_factor and final_div_factor, but got ", o.div_factor(), " and ",
                    o.final_div_factor());
  max_lrs_ = per_group("max_lr", o.max_lr());
  for (double lr : max_lrs_) check_finite("OneCycleLR", "max_lr", lr);
  if (o.cycle_momentum()) {
    check_momentum(optimizer);
    base_momentums_ = per_group("base_momentum", o.base_momentum());
    max_momentums_ = per_group("max_momentum", o.max_momentum());
  }
  auto& groups = optimizer.param_groups();
  for (size_t i = 0; i < groups.size(); ++i) {
    base_lrs_.push_back(max_lrs_[i] / o.div_factor());
    if (last_epoch_ == -1) groups[i].set_initial_lr(base_lrs_[i]);
  }
  if (o.cycle_momentum() && last_epoch_ == -1) set_momentums(optimizer, max_momentums_);
  initial_step();
}
void OneCycleLR::check_settings() const {
  check<ValueError>(total_steps_ > 0, "Expected positive integer total_steps, but got ", total_steps_);
  check_list(*optimizer_, "max_lrs", max_lrs_);
  if (!options_.cycle_momentum()) return;
  check_list(*optimizer_, "base_momentums", base_momentums_);
  check_list(*optimizer_, "max_momentums", max_momentums_);
}
std::vector<double> OneCycleLR::get_lrs() {
  check<ValueError>(last_epoch_ <= total_steps_, "Tried to step ", last_epoch_,
                    " times. The specified number of total steps is ", total_steps_);
  enum { kInitial, kMax, kMin };
  struct Phase {
    double end;
    int from, to;
  };
  const auto total = static_cast<double>(total_steps_), step = static_cast<double>(last_epoch_);
  const double start = options_.pct_start();
  std::vector<Phase> phases{{start * total - 1, kInitial, kMax}, {total - 1, kMax, kMin}};
  if (options_.three_phase())
    phases = {
        {start * total - 1, kInitial, kMax}, {2 * start * total - 2, kMax, kInitial}, {total - 1, kInitial, kMin}};
  size_t phase = 0;
  double begin = 0;
  while (phase + 1 < phases.size() && step > phases[phase].end) begin = phases[phase++].end;
  const double done = (step - begin) / (phases[phase].end - begin);
  const auto anneal = [&](double from, double to) {
    if (options_.anneal_strategy() == "linear") return (to - from) * done + from;
    return to + (from - to) / 2.0 * (maths::cos(kPi * done) + 1);
  };
  std::vector<double> lrs, momentums;
  for (size_t i = 0; i < max_lrs_.size(); ++i) {
    const double initial = max_lrs_[i] / options_.div_factor();
    const double values[] = {initial, max_lrs_[i], initial / options_.final_div_factor()};
    lrs.push_back(anneal(values[phases[phase].from], values[phases[phase].to]));
    if (!options_.cycle_momentum()) continue;
    const auto momentum = [&](int at) { return at == kMax ? base_momentums_[i] : max_momentums_[i]; };
    momentums.push_back(anneal(momentum(phases[phase].from), momentum(phases[phase].to)));
  }
  set_momentums(*optimizer_, momentums);
  return lrs;
}
Fields OneCycleLR::fields() {
  return {{"total_steps", &total_steps_},           {"pct_start", &options_.pct_start()},
          {"three_phase", &options_.three_phase()}, {"max_lrs", &max_lrs_},
          {"base_momentums", &base_momentums_},     {"max_momentums", &max_momentums_}};
}

// ---- By a metric.

ReduceLROnPlateau::ReduceLROnPlateau(Optimizer& optimizer, SchedulerMode mode, double factor, int64_t patience,
                                     double threshold, ThresholdMode threshold_mode, int64_t cooldown,
                                     std::vector<double> min_lr, double eps, bool verbose)
    : optimizer_(&optimizer),
      mode_(mode),
      threshold_mode_(threshold_mode),
      patience_(patience),
      cooldown_(cooldown),
      factor_(factor),
      threshold_(threshold),
      eps_(eps),
      best_(mode == min ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity()),
      min_lrs_(std::move(min_lr)),
      verbose_(verbose) {
  const size_t groups = optimizer.param_groups().size();
  if (min_lrs_.size() <= 1) min_lrs_.assign(groups, min_lrs_.empty() ? 0.0 : min_lrs_[0]);
  for (const OptimizerParamGroup& g : optimizer.param_groups()) last_lr_.push_back(g.options().get_lr());
  check_settings();
}
void ReduceLROnPlateau::check_settings() const {
  const size_t groups = optimizer_->param_groups().size();
  check<ValueError>(factor_ < 1.0 && factor_ >= 0, "Factor should be < 1.0., and not negative, got ", factor_);
  check<ValueError>(mode_ == min || mode_ == max, "mode ", mode_, " is unknown!");
  check<ValueError>(threshold_mode_ == rel || threshold_mode_ == abs, "threshold mode ", threshold_mode_,
                    " is unknown!");
  check<ValueError>(patience_ >= 0 && cooldown_ >= 0,
                    "ReduceLROnPlateau: patience and cooldown should not be negative, ", "got ", patience_, " and ",
                    cooldown_);
  check_finite("ReduceLROnPlateau", "threshold", threshold_);
  check_finite("ReduceLROnPlateau", "eps", eps_);
  check<ValueError>(min_lrs_.size() == groups, "expected ", groups, " min_lrs, got ", min_lrs_.size());
}
bool ReduceLROnPlateau::is_better(double metric) const {
  if (mode_ == min) return metric < (threshold_mode_ == rel ? best_ * (1 - threshold_) : best_ - threshold_);
  return metric > (threshold_mode_ == rel ? best_ * (threshold_ + 1) : best_ + threshold_);
}
void ReduceLROnPlateau::reduce_lr() {
  auto& groups = optimizer_->param_groups();
  check(groups.size() == min_lrs_.size(), "The number of param groups in the `optimizer` (", groups.size(),
        ") differs from when `ReduceLROnPlateau` was initialized (", min_lrs_.size(),
        "), usually due to a new param group being added to the optimizer");
  for (size_t i = 0; i < groups.size(); ++i) {
    const double before = groups[i].options().get_lr(), after = std::max(before * factor_, min_lrs_[i]);
    if (before - after <= eps_) continue;
    groups[i].options().set_lr(after);
    if (verbose_) warn(str("Epoch ", last_epoch_, ": reducing learning rate of group ", i, " to ", after, "."));
  }
}
void ReduceLROnPlateau::step(double metric) {
  ++last_epoch_;
  if (is_better(metric)) {
    best_ = metric;
    num_bad_epochs_ = 0;
  } else {
    ++num_bad_epochs_;
  }
  if (cooldown_counter_ > 0) {
    --cooldown_counter_;
    num_bad_epochs_ = 0;
  }
  if (num_bad_epochs_ > patience_) {
    reduce_lr();
    cooldown_counter_ = cooldown_;
    num_bad_epochs_ = 0;
  }
  last_lr_.clear();
  for (const OptimizerParamGroup& g : optimizer_->param_groups()) last_lr_.push_back(g.options().get_lr());
}
Fields ReduceLROnPlateau::fields() {
  return {{"mode", &mode_},
          {"factor", &factor_},
          {"patience", &patience_},
          {"threshold", &threshold_},
          {"threshold_mode", &threshold_mode_},
          {"cooldown", &cooldown_},
          {"cooldown_counter", &cooldown_counter_},
          {"num_bad_epochs", &num_bad_epochs_},
          {"last_epoch", &last_epoch_},
          {"eps", &eps_},
          {"best", &best_},
          {"min_lrs", &min_lrs_},
          {"_last_lr", &last_lr_}};
}
StateDict ReduceLROnPlateau::state_dict() const {
  StateDict dict;
  save_fields("", const_cast<ReduceLROnPlateau*>(this)->fields(), dict);
  return dict;
}
void ReduceLROnPlateau::load_state_dict(const StateDict& dict) {
  load_all(fields(), dict, [&] { check_settings(); });
}

// ---- Several.

namespace {
using Schedulers = std::vector<std::shared_ptr<LRScheduler>>;
void check_schedulers(const char* name, const Optimizer* optimizer, const Schedulers& schedulers) {
  for (size_t i = 0; i < schedulers.size(); ++i) {
    check<TypeError>(schedulers[i] != nullptr, name, ": the scheduler at index ", i, " is null");
    check<ValueError>(&schedulers[i]->optimizer() == optimizer, name,
                      " expects all schedulers to belong to the same optimizer, but the scheduler at index ", i,
                      " has another one");
  }
}
void save_schedulers(const Schedulers& schedulers, StateDict& dict) {
  for (size_t i = 0; i < schedulers.size(); ++i)
    for (const auto& item : schedulers[i]->state_dict())
      dict.insert(str("_schedulers.", i, ".", item.key()), item.value());
}
/// Loads all of them, or none.
void load_schedulers(const Schedulers& schedulers, const StateDict& dict) {
  std::vector<StateDict> before;
  size_t seen = 0;
  try {
    for (size_t i = 0; i < schedulers.size(); ++i) {
      StateDict own;
      const std::string prefix = str("_schedulers.", i, ".");
      for (const auto& item : dict)
        if (item.key().starts_with(prefix)) own.insert(item.key().substr(prefix.size()), item.value()), ++seen;
      before.push_back(schedulers[i]->state_dict());
      schedulers[i]->load_state_dict(own);
    }
    size_t all = 0;
    for (const auto& item : dict) all += item.key().starts_with("_schedulers.");
    check<ValueError>(all == seen, "load_state_dict: the state is for more schedulers than the ", schedulers.size(),
                      " that are here");
  } catch (...) {
    for (size_t i = 0; i < before.size(); ++i) schedulers[i]->load_state_dict(before[i]);
    throw;
  }
}
}  // namespace

SequentialLR::SequentialLR(Optimizer& optimizer, Schedulers schedulers, std::vector<int64_t> milestones,
                           int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch + 1, Unset{}),
      schedulers_(std::move(schedulers)),
      milestones_(std::move(milestones)) {
  check<ValueError>(!schedulers_.empty(), "SequentialLR expects at least one scheduler, but got no scheduler.");
  check_schedulers("SequentialLR", &optimizer, schedulers_);
  check<ValueError>(milestones_.size() == schedulers_.size() - 1,
                    "Sequential Schedulers expects number of schedulers provided to be one more than the number of ",
                    "milestone points, but got number of schedulers ", schedulers_.size(),
                    " and the number of milestones to be equal to ", milestones_.size());
  check<ValueError>(std::is_sorted(milestones_.begin(), milestones_.end()),
                    "SequentialLR: the milestones should be in rising order");
  for (OptimizerParamGroup& g : optimizer.param_groups())
    if (g.initial_lr()) g.options().set_lr(*g.initial_lr());
  // Every scheduler took a first step when it was made; only the one that begins may have done so.
  for (const auto& s : schedulers_) s->undo_step();
  const auto& first = schedulers_[current(0)];
  first->initial_step();
  last_lr_ = first->get_last_lr();
  ready_ = true;
}
size_t SequentialLR::current(int64_t epoch) const {
  return static_cast<size_t>(std::upper_bound(milestones_.begin(), milestones_.end(), epoch) - milestones_.begin());
}
void SequentialLR::step() {
  ++last_epoch_;
  const size_t i = current(last_epoch_);
  if (i > 0 && milestones_[i - 1] == last_epoch_) schedulers_[i]->update_lr(0);
  else schedulers_[i]->step();
  last_lr_ = schedulers_[i]->get_last_lr();
}
void SequentialLR::undo_step() {
  for (const auto& s : schedulers_) s->undo_step();
}
StateDict SequentialLR::state_dict() const {
  auto* self = const_cast<SequentialLR*>(this);
  StateDict dict;
  save_fields("",
              {{"last_epoch", &self->last_epoch_}, {"_milestones", &self->milestones_}, {"_last_lr", &self->last_lr_}},
              dict);
  save_schedulers(schedulers_, dict);
  return dict;
}
void SequentialLR::load_state_dict(const StateDict& dict) {
  const Fields own = {{"last_epoch", &last_epoch_}, {"_milestones", &milestones_}, {"_last_lr", &last_lr_}};
  const Tensor* m = dict.find("_milestones");
  check<ValueError>(m && m->defined() && m->numel() == static_cast<int64_t>(milestones_.size()),
                    "load_state_dict: '_milestones' should be ", milestones_.size(), " numbers");
  StateDict before;
  save_fields("", own, before);
  load_all(own, dict, [&] { check_list(*optimizer_, "_last_lr", last_lr_); }, {"_schedulers."});
  try {
    load_schedulers(schedulers_, dict);
  } catch (...) {
    load_all(own, before, [] {});
    throw;
  }
}

namespace {
Optimizer& optimizer_of(const Schedulers& schedulers) {
  check<ValueError>(!schedulers.empty(),
                    "ChainedScheduler expects at least one scheduler to be chained, but got no scheduler.");
  check<TypeError>(schedulers[0] != nullptr, "ChainedScheduler: the scheduler at index 0 is null");
  return schedulers[0]->optimizer();
}
}  // namespace
ChainedScheduler::ChainedScheduler(Schedulers schedulers)
    : LRScheduler(optimizer_of(schedulers), -1, Unset{}), schedulers_(std::move(schedulers)) {
  check_schedulers("ChainedScheduler", optimizer_, schedulers_);
  last_lr_ = get_current_lrs();
  ready_ = true;
}
void ChainedScheduler::step() {
  for (const auto& s : schedulers_) s->step();
  last_lr_ = get_current_lrs();
}
void ChainedScheduler::undo_step() {
  for (const auto& s : schedulers_) s->undo_step();
}
StateDict ChainedScheduler::state_dict() const {
  StateDict dict;
  save_fields("", {{"_last_lr", &const_cast<ChainedScheduler*>(this)->last_lr_}}, dict);
  save_schedulers(schedulers_, dict);
  return dict;
}
void ChainedScheduler::load_state_dict(const StateDict& dict) {
  const std::vector<double> before = last_lr_;
  load_all({{"_last_lr", &last_lr_}}, dict, [&] { check_list(*optimizer_, "_last_lr", last_lr_); }, {"_schedulers."});
  try {
    load_schedulers(schedulers_, dict);
  } catch (...) {
    last_lr_ = before;
    throw;
  }
}

}  // namespace taut::optim
