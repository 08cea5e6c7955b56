// The schedulers of C++: what they keep, save and load, and when they set the rates of an optimiser. The rates
// themselves are in schedules.cpp.
#include "taut/optim/lr_scheduler.h"

#include <algorithm>
#include <cmath>

#include "taut/core/runtime.h"

namespace taut::optim {
namespace {

using schedules::Of;
using schedules::Rates;
using schedules::Schedule;
using schedules::Setting;

/// The momentum of a group, under whichever name its options have it: momentum, or the first of betas.
double* momentum_of(OptimizerOptions& options) {
  double* momentum = nullptr;
  for (const Field& f : options.fields()) {
    if (f.name == std::string_view("betas")) return &std::get<0>(*std::get<std::tuple<double, double>*>(f.value));
    if (f.name == std::string_view("momentum")) momentum = std::get<double*>(f.value);
  }
  return momentum;
}
void set_momentums(Optimizer& optimizer, const std::vector<double>& momentums) {
  for (size_t i = 0; i < momentums.size(); ++i) *momentum_of(optimizer.param_groups()[i].options()) = momentums[i];
}

template <class S>
std::unique_ptr<Schedule> erased(S schedule) {
  return std::make_unique<Of<S>>(std::move(schedule));
}
std::vector<double> sorted(const std::vector<int64_t>& milestones) {
  for (int64_t m : milestones) check<ValueError>(m >= 0, "MultiStepLR: a milestone is negative: ", m);
  std::vector<double> out(milestones.begin(), milestones.end());
  std::sort(out.begin(), out.end());
  return out;
}
double real(int64_t v) { return static_cast<double>(v); }
double real(const std::optional<int64_t>& v) { return v ? real(*v) : schedules::kUnset; }
/// Refuses at once what PyTorch's Python would run into at a later step, if at all.
void check_ranges(Schedule& schedule) {
  const char* who = schedule.name();
  const auto check_one = [&](const Setting& s, double v) {
    if (s.flags & Setting::kPositive)
      check<ValueError>(v > 0, who, ": Expected positive integer ", s.name, ", but got ", v);
    if (s.flags & Setting::kFinite)
      check<ValueError>(std::isfinite(v), who, ": ", s.argument, " should be finite, got ", v);
  };
  for (const Setting& s : schedule.settings()) {
    if (const auto* number = std::get_if<double*>(&s.value)) check_one(s, **number);
    if (const auto* rates = std::get_if<Rates*>(&s.value))
      for (const schedules::Rate& r : **rates) check_one(s, r.number());
  }
}
std::unique_ptr<Schedule> prepared(const Optimizer& optimizer, std::unique_ptr<Schedule> schedule) {
  check_ranges(*schedule);
  schedule->prepare(optimizer.param_groups().size());
  return schedule;
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
    take_loaded();
  });
}

// ---- Rows of the table.

Fields SavedSettings::fields(Schedule& schedule) {
  values_.clear();
  Fields fields;
  const auto add = [&](const char* name, auto v) {
    using T = decltype(v);
    fields.push_back({name, &std::get<T>(values_.emplace_back(std::move(v)))});
  };
  for (const Setting& s : schedule.settings()) {
    if (s.flags & Setting::kUnsaved) continue;
    const bool is_whole = s.flags & Setting::kWhole;
    if (const auto* number = std::get_if<double*>(&s.value)) {
      if (is_whole) add(s.name, whole(**number));
      else add(s.name, **number);
    } else if (const auto* flag = std::get_if<bool*>(&s.value)) {
      add(s.name, **flag);
    } else if (const auto* rates = std::get_if<Rates*>(&s.value)) {
      add(s.name, numbers(**rates));
    } else if (const auto* list = std::get_if<std::vector<double>*>(&s.value)) {
      add(s.name, std::vector<int64_t>((*list)->begin(), (*list)->end()));
    }
  }
  return fields;
}
std::unique_ptr<Schedule> SavedSettings::applied_to(const Schedule& schedule, size_t groups) const {
  std::unique_ptr<Schedule> out = schedule.clone();
  auto from = values_.begin();
  for (const Setting& s : out->settings()) {
    if (s.flags & Setting::kUnsaved) continue;
    const auto& v = *from++;
    if (const auto* number = std::get_if<double*>(&s.value)) {
      **number = s.flags & Setting::kWhole ? real(std::get<int64_t>(v)) : std::get<double>(v);
    } else if (const auto* flag = std::get_if<bool*>(&s.value)) {
      **flag = std::get<bool>(v);
    } else if (const auto* rates = std::get_if<Rates*>(&s.value)) {
      const auto& list = std::get<std::vector<double>>(v);
      (*rates)->assign(list.begin(), list.end());
    } else if (const auto* list = std::get_if<std::vector<double>*>(&s.value)) {
      const auto& whole_numbers = std::get<std::vector<int64_t>>(v);
      (*list)->assign(whole_numbers.begin(), whole_numbers.end());
    }
  }
  check_ranges(*out);
  out->prepare(groups);
  return out;
}

ScheduledLR::ScheduledLR(Optimizer& optimizer, Pointer schedule, int64_t last_epoch)
    : LRScheduler((schedule = prepared(optimizer, std::move(schedule)), optimizer), last_epoch),
      schedule_(std::move(schedule)) {}
ScheduledLR::ScheduledLR(Optimizer& optimizer, Pointer schedule, int64_t last_epoch, Unset)
    : LRScheduler(optimizer, last_epoch, Unset{}), schedule_(prepared(optimizer, std::move(schedule))) {}
std::vector<double> ScheduledLR::rates(bool closed_form) {
  const std::vector<double> last = get_current_lrs();
  const schedules::Moment m = {real(last_epoch_), real(step_count_), initial_,
                               Rates(base_lrs_.begin(), base_lrs_.end()), Rates(last.begin(), last.end())};
  const Rates rates = closed_form ? schedule_->closed_form(m) : schedule_->rates(m);
  set_momentums(*optimizer_, numbers(schedule_->momentums(m)));
  return numbers(rates);
}
Rates ScheduledLR::per_group(const Optimizer& optimizer, const std::vector<double>& values) {
  if (values.size() == 1) return Rates(optimizer.param_groups().size(), values[0]);
  return Rates(values.begin(), values.end());
}
void ScheduledLR::take_loaded() { schedule_ = saved_.applied_to(*schedule_, optimizer_->param_groups().size()); }

StepLR::StepLR(Optimizer& optimizer, int64_t step_size, double gamma, int64_t last_epoch)
    : ScheduledLR(optimizer, erased(schedules::StepLR{real(step_size), gamma}), last_epoch) {
  initial_step();
}

MultiStepLR::MultiStepLR(Optimizer& optimizer, const std::vector<int64_t>& milestones, double gamma, int64_t last_epoch)
    : ScheduledLR(optimizer, erased(schedules::MultiStepLR{sorted(milestones), gamma}), last_epoch) {
  initial_step();
}

ConstantLR::ConstantLR(Optimizer& optimizer, double factor, int64_t total_iters, int64_t last_epoch)
    : ScheduledLR(optimizer, erased(Default{factor, real(total_iters)}), last_epoch) {
  initial_step();
}

LinearLR::LinearLR(Optimizer& optimizer, double start_factor, double end_factor, int64_t total_iters,
                   int64_t last_epoch)
    : ScheduledLR(optimizer, erased(Default{start_factor, end_factor, real(total_iters)}), last_epoch) {
  initial_step();
}

ExponentialLR::ExponentialLR(Optimizer& optimizer, double gamma, int64_t last_epoch)
    : ScheduledLR(optimizer, erased(schedules::ExponentialLR{gamma}), last_epoch) {
  initial_step();
}

PolynomialLR::PolynomialLR(Optimizer& optimizer, int64_t total_iters, double power, int64_t last_epoch)
    : ScheduledLR(optimizer, erased(Default{real(total_iters), power}), last_epoch) {
  initial_step();
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, int64_t T_max, double eta_min, int64_t last_epoch)
    : ScheduledLR(optimizer, erased(schedules::CosineAnnealingLR{real(T_max), eta_min}), last_epoch) {
  initial_step();
}

CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(Optimizer& optimizer, int64_t T_0, int64_t T_mult,
                                                         double eta_min, int64_t last_epoch)
    : ScheduledLR(optimizer,
                  erased(Default{.T_0 = real(T_0),
                                 .T_mult = real(T_mult),
                                 .eta_min = eta_min,
                                 .state = {.T_cur = real(last_epoch), .last_epoch = real(last_epoch)}}),
                  last_epoch) {
  initial_step();
}
void CosineAnnealingWarmRestarts::move(std::optional<double> epoch) {
  check_groups();
  auto& s = schedule<Default>();
  s.state.last_epoch = real(last_epoch_);
  s.state = s.next(s.state, epoch);
  last_epoch_ = whole(s.state.last_epoch);
  set_optimizer_lrs(get_lrs());
}

CyclicLR::CyclicLR(Optimizer& optimizer, const CyclicLROptions& o)
    : ScheduledLR(optimizer,
                  erased(schedules::CyclicLR{.base_lrs = per_group(optimizer, o.base_lr()),
                                             .max_lrs = per_group(optimizer, o.max_lr()),
                                             .step_size_up = real(o.step_size_up()),
                                             .step_size_down = real(o.step_size_down()),
                                             .mode = o.mode(),
                                             .gamma = o.gamma(),
                                             .scale_fn = o.scale_fn(),
                                             .scale_mode = o.scale_mode(),
                                             .cycle_momentum = o.cycle_momentum(),
                                             .has_momentum = momentum_of(optimizer.defaults()) != nullptr,
                                             .base_momentums = per_group(optimizer, o.base_momentum()),
                                             .max_momentums = per_group(optimizer, o.max_momentum())}),
                  o.last_epoch(), Unset{}) {
  const auto& s = schedule<schedules::CyclicLR>();
  base_lrs_ = numbers(s.base_lrs);
  if (last_epoch_ == -1) {
    auto& groups = optimizer.param_groups();
    for (size_t i = 0; i < groups.size(); ++i) {
      groups[i].options().set_lr(base_lrs_[i]);
      if (!groups[i].initial_lr()) groups[i].set_initial_lr(base_lrs_[i]);
    }
  }
  initial_step();
}

OneCycleLR::OneCycleLR(Optimizer& optimizer, const OneCycleLROptions& o)
    : ScheduledLR(optimizer,
                  erased(schedules::OneCycleLR{.max_lrs = per_group(optimizer, o.max_lr()),
                                               .total_steps = real(o.total_steps()),
                                               .epochs = real(o.epochs()),
                                               .steps_per_epoch = real(o.steps_per_epoch()),
                                               .pct_start = o.pct_start(),
                                               .anneal_strategy = o.anneal_strategy(),
                                               .cycle_momentum = o.cycle_momentum(),
                                               .has_momentum = momentum_of(optimizer.defaults()) != nullptr,
                                               .base_momentums = per_group(optimizer, o.base_momentum()),
                                               .max_momentums = per_group(optimizer, o.max_momentum()),
                                               .div_factor = o.div_factor(),
                                               .final_div_factor = o.final_div_factor(),
                                               .three_phase = o.three_phase()}),
                  o.last_epoch(), Unset{}) {
  base_lrs_ = numbers(schedule<schedules::OneCycleLR>().initial_lrs);
  if (last_epoch_ == -1)
    for (size_t i = 0; i < base_lrs_.size(); ++i) optimizer.param_groups()[i].set_initial_lr(base_lrs_[i]);
  initial_step();
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
  check_lambdas(optimizer, lambdas_);
  initial_step();
}
std::vector<double> LambdaLR::get_lrs() {
  std::vector<double> lrs = base_lrs_;
  for (size_t i = 0; i < lrs.size(); ++i) lrs[i] *= lambdas_[i](last_epoch_);
  return lrs;
}

MultiplicativeLR::MultiplicativeLR(Optimizer& optimizer, Lambda lr_lambda, int64_t last_epoch)
    : MultiplicativeLR(optimizer, for_all(optimizer, lr_lambda), last_epoch) {}
MultiplicativeLR::MultiplicativeLR(Optimizer& optimizer, std::vector<Lambda> lr_lambdas, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), lambdas_(std::move(lr_lambdas)) {
  check_lambdas(optimizer, lambdas_);
  initial_step();
}
std::vector<double> MultiplicativeLR::get_lrs() {
  std::vector<double> lrs = get_current_lrs();
  if (initial_) return lrs;
  for (size_t i = 0; i < lrs.size(); ++i) lrs[i] *= lambdas_[i](last_epoch_);
  return lrs;
}

// ---- By a metric.

namespace {
std::string mode_name(int64_t i, const char* first, const char* second) {
  return i == 0 ? first : i == 1 ? second : std::to_string(i);  // the last is refused by the schedule, with its name
}
Rates min_lrs(const Optimizer& optimizer, const std::vector<double>& given) {
  if (given.size() <= 1) return Rates(optimizer.param_groups().size(), given.empty() ? 0.0 : given[0]);
  return Rates(given.begin(), given.end());
}
}  // namespace
ReduceLROnPlateau::ReduceLROnPlateau(Optimizer& optimizer, SchedulerMode mode, double factor, int64_t patience,
                                     double threshold, ThresholdMode threshold_mode, int64_t cooldown,
                                     const std::vector<double>& min_lr, double eps, bool verbose)
    : optimizer_(&optimizer),
      schedule_(prepared(optimizer, erased(Default{.mode = mode_name(mode, "min", "max"),
                                                   .factor = factor,
                                                   .patience = real(patience),
                                                   .threshold = threshold,
                                                   .threshold_mode = mode_name(threshold_mode, "rel", "abs"),
                                                   .cooldown = real(cooldown),
                                                   .min_lrs = min_lrs(optimizer, min_lr),
                                                   .eps = eps}))),
      mode_(mode),
      threshold_mode_(threshold_mode),
      verbose_(verbose) {
  for (const OptimizerParamGroup& g : optimizer.param_groups()) last_lr_.push_back(g.options().get_lr());
}
schedules::ReduceLROnPlateau& ReduceLROnPlateau::schedule() { return static_cast<Of<Default>&>(*schedule_).schedule; }
void ReduceLROnPlateau::step(double metric) {
  auto& s = schedule();
  auto& groups = optimizer_->param_groups();
  const Default::State next = s.next(s.state, metric);
  std::vector<double> lrs;
  for (const OptimizerParamGroup& g : groups) lrs.push_back(g.options().get_lr());
  if (next.reduce) {
    const std::vector<double> reduced = numbers(s.rates({.last = Rates(lrs.begin(), lrs.end())}));
    for (size_t i = 0; i < groups.size(); ++i) {
      if (reduced[i] == lrs[i]) continue;
      groups[i].options().set_lr(reduced[i]);
      if (verbose_)
        warn(str("Epoch ", last_epoch_ + 1, ": reducing learning rate of group ", i, " to ", reduced[i], "."));
    }
    lrs = reduced;
  }
  ++last_epoch_;
  s.state = next;
  last_lr_ = lrs;
}
Fields ReduceLROnPlateau::fields() {
  Fields all = saved_.fields(*schedule_);
  all.insert(
      all.end(),
      {{"mode", &mode_}, {"threshold_mode", &threshold_mode_}, {"last_epoch", &last_epoch_}, {"_last_lr", &last_lr_}});
  return all;
}
StateDict ReduceLROnPlateau::state_dict() const {
  StateDict dict;
  save_fields("", const_cast<ReduceLROnPlateau*>(this)->fields(), dict);
  return dict;
}
void ReduceLROnPlateau::load_state_dict(const StateDict& dict) {
  load_all(fields(), dict, [&] {
    Of<Default> loaded(schedule());
    loaded.schedule.mode = mode_name(mode_, "min", "max");
    loaded.schedule.threshold_mode = mode_name(threshold_mode_, "rel", "abs");
    schedule_ = saved_.applied_to(loaded, optimizer_->param_groups().size());
  });
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
