// The schedules. The numbers are PyTorch's to the last bit, so the order of operations is its order too.
#include "taut/optim/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/core/maths.h"

namespace taut::optim::schedules {
namespace {

constexpr double kPi = std::numbers::pi;
using enum Setting::Flag;

Rates times(Rates rates, double factor) {
  for (Rate& r : rates) r = r * factor;
  return rates;
}
/// How many groups two lists are for.
size_t both(const char* schedule, const Rates& a, const Rates& b) {
  check<ValueError>(a.size() == b.size(), schedule, ": made for ", a.size(), " param_groups, got ", b.size());
  return a.size();
}
/// f(i) for each group.
template <class F>
Rates each(size_t groups, F f) {
  Rates out;
  out.reserve(groups);
  for (size_t i = 0; i < groups; ++i) out.push_back(f(i));
  return out;
}
double cosine(double turns) { return maths::cos(kPi * turns); }
/// What is about to be divided by.
double nonzero(const char* schedule, const char* name, double v) {
  check<ValueError>(v != 0, schedule, ": ", name, " should not be 0");
  return v;
}
bool is_whole(double v) { return std::floor(v) == v; }
void check_positive(const char* name, double v) {
  check<ValueError>(v > 0 && is_whole(v), "Expected positive integer ", name, ", but got ", v);
}
void check_strategy(const std::string& anneal_strategy) {
  check<ValueError>(anneal_strategy == "cos" || anneal_strategy == "linear",
                    "anneal_strategy must be one of 'cos' or 'linear', instead got ", anneal_strategy);
}
void check_per_group(const char* name, const Rates& values, size_t groups) {
  check<ValueError>(values.size() == groups, name, " must have the same length as optimizer.param_groups. ", name,
                    " has ", values.size(), " values, param_groups has ", groups, ".");
}
template <class S>
void check_momentum(const S& s, size_t groups) {
  if (!s.cycle_momentum) return;
  check<ValueError>(s.has_momentum, "optimizer must support momentum or beta1 with `cycle_momentum` option enabled");
  check_per_group("base_momentum", s.base_momentums, groups);
  check_per_group("max_momentum", s.max_momentums, groups);
}

template <class Op>
Rate combined(const Rate& a, const Rate& b, Op op) {
  if (a.tensor.defined()) return b.tensor.defined() ? op(a.tensor, b.tensor) : op(a.tensor, Scalar(b.value));
  return b.tensor.defined() ? Rate(op(Scalar(a.value), b.tensor)) : Rate(op(a.value, b.value));
}

}  // namespace

Rate operator+(const Rate& a, const Rate& b) {
  return combined(a, b, [](const auto& x, const auto& y) { return x + y; });
}
Rate operator-(const Rate& a, const Rate& b) {
  return combined(a, b, [](const auto& x, const auto& y) { return x - y; });
}
Rate operator*(const Rate& a, const Rate& b) {
  return combined(a, b, [](const auto& x, const auto& y) { return x * y; });
}
Rate operator/(const Rate& a, const Rate& b) {
  return combined(a, b, [](const auto& x, const auto& y) { return x / y; });
}
std::vector<double> numbers(const Rates& rates) {
  std::vector<double> out;
  for (const Rate& r : rates) out.push_back(r.number());
  return out;
}

// ---- One factor.

Settings StepLR::settings() { return {{"step_size", &step_size, kWhole | kPositive}, {"gamma", &gamma, kFinite}}; }
Rates StepLR::rates(const Moment& m) const {
  if (m.epoch == 0 || std::fmod(m.epoch, nonzero(kName, "step_size", step_size)) != 0) return m.last;
  return times(m.last, gamma);
}
Rates StepLR::closed_form(const Moment& m) const {
  return times(m.base, maths::pow(gamma, std::floor(m.epoch / nonzero(kName, "step_size", step_size))));
}

Settings MultiStepLR::settings() { return {{"milestones", &milestones, kWhole}, {"gamma", &gamma, kFinite}}; }
Rates MultiStepLR::rates(const Moment& m) const {
  const auto n = std::count(milestones.begin(), milestones.end(), m.epoch);
  return n == 0 ? m.last : times(m.last, maths::pow(gamma, static_cast<double>(n)));
}
Rates MultiStepLR::closed_form(const Moment& m) const {
  const auto n = std::upper_bound(milestones.begin(), milestones.end(), m.epoch) - milestones.begin();
  return times(m.base, maths::pow(gamma, static_cast<double>(n)));
}

Settings ConstantLR::settings() { return {{"factor", &factor}, {"total_iters", &total_iters, kWhole}}; }
void ConstantLR::check(size_t) const {
  taut::check<ValueError>(factor >= 0 && factor <= 1,
                          "Constant multiplicative factor expected to be between 0 and 1., got ", factor);
}
Rates ConstantLR::rates(const Moment& m) const {
  if (m.epoch == 0) return times(m.last, factor);
  return m.epoch == total_iters ? times(m.last, 1 / nonzero(kName, "factor", factor)) : m.last;
}
Rates ConstantLR::closed_form(const Moment& m) const {
  return times(m.base, factor + (m.epoch >= total_iters ? 1 - factor : 0));
}

Settings LinearLR::settings() {
  return {
      {"start_factor", &start_factor}, {"end_factor", &end_factor}, {"total_iters", &total_iters, kWhole | kPositive}};
}
void LinearLR::check(size_t) const {
  taut::check<ValueError>(start_factor > 0 && start_factor <= 1,
                          "Starting multiplicative factor expected to be greater than 0 and less or equal to 1., got ",
                          start_factor);
  taut::check<ValueError>(end_factor >= 0 && end_factor <= 1,
                          "Ending multiplicative factor expected to be between 0 and 1., got ", end_factor);
}
Rates LinearLR::rates(const Moment& m) const {
  if (m.epoch == 0) return times(m.last, start_factor);
  if (m.initial || m.epoch > total_iters) return m.last;
  const double range = end_factor - start_factor;
  return times(m.last, 1 + range / (total_iters * start_factor + (m.epoch - 1) * range));
}
Rates LinearLR::closed_form(const Moment& m) const {
  return times(m.base, start_factor + (end_factor - start_factor) * std::min(total_iters, m.epoch) /
                                          nonzero(kName, "total_iters", total_iters));
}

Settings ExponentialLR::settings() { return {{"gamma", &gamma, kFinite}}; }
Rates ExponentialLR::rates(const Moment& m) const { return m.initial ? m.last : times(m.last, gamma); }
Rates ExponentialLR::closed_form(const Moment& m) const { return times(m.base, maths::pow(gamma, m.epoch)); }

Settings PolynomialLR::settings() {
  return {{"total_iters", &total_iters, kWhole | kPositive}, {"power", &power, kFinite}};
}
Rates PolynomialLR::rates(const Moment& m) const {
  if (m.initial || m.epoch > total_iters) return m.last;
  const double total = nonzero(kName, "total_iters", total_iters);
  return times(m.last, maths::pow((1 - m.epoch / total) / (1 - (m.epoch - 1) / total), power));
}
Rates PolynomialLR::closed_form(const Moment& m) const {
  const double total = nonzero(kName, "total_iters", total_iters);
  return times(m.base, maths::pow(1 - std::min(total, m.epoch) / total, power));
}

// ---- Cosines.

Settings CosineAnnealingLR::settings() {
  return {{"T_max", &T_max, kWhole | kPositive}, {"eta_min", &eta_min, kFinite}};
}
Rates CosineAnnealingLR::rates(const Moment& m) const {
  if (m.initial) return m.last;
  if (m.steps == 1 && m.epoch > 0) return closed_form(m);
  const double period = nonzero(kName, "T_max", T_max);
  if (std::fmod(m.epoch - 1 - period, 2 * period) == 0) {
    const double rise = 1 - maths::cos(kPi / period);
    return each(both(kName, m.base, m.last), [&](size_t i) { return m.last[i] + (m.base[i] - eta_min) * rise / 2; });
  }
  const double factor = (1 + maths::cos(kPi * m.epoch / period)) / (1 + maths::cos(kPi * (m.epoch - 1) / period));
  return each(m.last.size(), [&](size_t i) { return factor * (m.last[i] - eta_min) + eta_min; });
}
Rates CosineAnnealingLR::closed_form(const Moment& m) const {
  const double height = 1 + maths::cos(kPi * m.epoch / nonzero(kName, "T_max", T_max));
  return each(m.base.size(), [&](size_t i) { return eta_min + (m.base[i] - eta_min) * height / 2; });
}

Settings CosineAnnealingWarmRestarts::settings() {
  return {{"T_0", &T_0, kWhole},           {"T_i", &state.T_i, kWhole | kState},
          {"T_mult", &T_mult, kWhole},     {"eta_min", &eta_min, kFinite},
          {"T_cur", &state.T_cur, kState}, {"last_epoch", &state.last_epoch, kWhole | kState | kUnsaved}};
}
void CosineAnnealingWarmRestarts::prepare() {
  if (std::isnan(state.T_i)) state.T_i = T_0;
}
void CosineAnnealingWarmRestarts::check(size_t) const {
  check_positive("T_0", T_0);
  check_positive("T_0", state.T_i);
  taut::check<ValueError>(T_mult >= 1 && is_whole(T_mult), "Expected integer T_mult >= 1, but got ", T_mult);
}
CosineAnnealingWarmRestarts::State CosineAnnealingWarmRestarts::next(State s, std::optional<double> epoch) const {
  if (!epoch && s.last_epoch >= 0) {
    s.T_cur += 1;
    if (s.T_cur >= s.T_i) {
      s.T_cur = std::fmod(s.T_cur, s.T_i);
      s.T_i *= T_mult;
    }
    s.last_epoch += 1;
    return s;
  }
  const double at = epoch.value_or(0);
  taut::check<ValueError>(at >= 0 && std::isfinite(at), "Expected non-negative epoch, but got ", at);
  s.last_epoch = std::floor(at);
  if (at < T_0) {
    s.T_i = T_0;
    s.T_cur = at;
  } else if (T_mult == 1) {
    s.T_cur = std::fmod(at, T_0);
  } else {
    // By multiplication: a quotient of logarithms, as PyTorch has it, misses some restarts by an ulp.
    double growth = 1;
    while (T_0 * growth * T_mult <= at * (T_mult - 1) + T_0) growth *= T_mult;
    s.T_cur = at - T_0 * (growth - 1) / (T_mult - 1);
    s.T_i = T_0 * growth;
  }
  return s;
}
Rates CosineAnnealingWarmRestarts::rates(const Moment& m) const {
  const double height = 1 + maths::cos(kPi * state.T_cur / state.T_i);
  return each(m.base.size(), [&](size_t i) { return eta_min + (m.base[i] - eta_min) * height / 2; });
}

// ---- Cycles.

Settings CyclicLR::settings() {
  return {{"base_lrs", &base_lrs, kFinite | kUnsaved, "base_lr"},
          {"max_lrs", &max_lrs, kFinite, "max_lr"},
          {"total_size", &total_size, kDerived},
          {"step_ratio", &step_ratio, kDerived},
          {"step_size_up", &step_size_up, kWhole | kPositive | kUnsaved},
          {"step_size_down", &step_size_down, kWhole | kUnsaved},
          {"mode", &mode, kUnsaved},
          {"gamma", &gamma, kFinite},
          {"scale_fn", &scale_fn, kUnsaved},
          {"scale_mode", &scale_mode, kUnsaved},
          {"cycle_momentum", &cycle_momentum, kUnsaved},
          {"has_momentum", &has_momentum, kUnsaved},
          {"base_momentums", &base_momentums, 0, "base_momentum"},
          {"max_momentums", &max_momentums, 0, "max_momentum"}};
}
void CyclicLR::prepare() {
  if (!scale_fn) scale_mode = mode == "exp_range" ? "iterations" : "cycle";
  if (!std::isnan(total_size)) return;
  total_size = step_size_up + (std::isnan(step_size_down) ? step_size_up : step_size_down);
  step_ratio = step_size_up / total_size;
}
void CyclicLR::check(size_t groups) const {
  check_per_group("base_lr", base_lrs, groups);
  check_per_group("max_lr", max_lrs, groups);
  taut::check<ValueError>(total_size > 0 && std::isfinite(total_size) && step_ratio > 0 && step_ratio <= 1,
                          "CyclicLR: Expected positive step_size_up, but got ", step_size_up, ": a cycle of ",
                          total_size, " steps, a share of ", step_ratio, " of them upwards");
  taut::check<ValueError>(scale_fn || mode == "triangular" || mode == "triangular2" || mode == "exp_range",
                          "mode is invalid and scale_fn is None: '", mode,
                          "' is none of triangular, triangular2, exp_range");
  taut::check<ValueError>(scale_mode == "cycle" || scale_mode == "iterations",
                          "CyclicLR: scale_mode must be one of 'cycle' or 'iterations', instead got ", scale_mode);
  check_momentum(*this, groups);
}
double CyclicLR::scale(double x) const {
  if (scale_fn) return scale_fn(x);
  if (mode == "triangular2") return 1 / maths::pow(2.0, x - 1);
  return mode == "exp_range" ? maths::pow(gamma, x) : 1;
}
/// Where in its cycle an epoch is: from 0 to 1 and back.
double CyclicLR::height(double epoch) const {
  const double x = 1.0 + epoch / total_size - std::floor(1 + epoch / total_size);
  return x <= step_ratio ? x / step_ratio : (x - 1) / (step_ratio - 1);
}
Rates CyclicLR::rates(const Moment& m) const {
  const double h = height(m.epoch), s = scale(scale_mode == "cycle" ? std::floor(1 + m.epoch / total_size) : m.epoch);
  return each(both(kName, max_lrs, m.base), [&](size_t i) { return m.base[i] + (max_lrs[i] - m.base[i]) * h * s; });
}
Rates CyclicLR::momentums(const Moment& m) const {
  if (!cycle_momentum) return {};
  const double h = height(m.epoch), s = scale(scale_mode == "cycle" ? std::floor(1 + m.epoch / total_size) : m.epoch);
  return each(both(kName, base_momentums, max_momentums),
              [&](size_t i) { return max_momentums[i] - (max_momentums[i] - base_momentums[i]) * h * s; });
}

Settings OneCycleLR::settings() {
  return {{"max_lrs", &max_lrs, kFinite, "max_lr"},
          {"total_steps", &total_steps, kWhole},
          {"epochs", &epochs, kWhole | kUnsaved},
          {"steps_per_epoch", &steps_per_epoch, kWhole | kUnsaved},
          {"pct_start", &pct_start},
          {"anneal_strategy", &anneal_strategy, kUnsaved},
          {"cycle_momentum", &cycle_momentum, kUnsaved},
          {"has_momentum", &has_momentum, kUnsaved},
          {"base_momentums", &base_momentums, 0, "base_momentum"},
          {"max_momentums", &max_momentums, 0, "max_momentum"},
          {"div_factor", &div_factor, kFinite | kUnsaved},
          {"final_div_factor", &final_div_factor, kFinite | kUnsaved},
          {"three_phase", &three_phase},
          {"_schedule_phases", &phases, kDerived | kUnsaved},
          {"initial_lrs", &initial_lrs, kDerived | kUnsaved},
          {"min_lrs", &min_lrs, kDerived | kUnsaved}};
}
void OneCycleLR::prepare() {
  if (std::isnan(total_steps)) {
    taut::check<ValueError>(!std::isnan(epochs) && !std::isnan(steps_per_epoch),
                            "You must define either total_steps OR (epochs AND steps_per_epoch)");
    check_positive("epochs", epochs);
    check_positive("steps_per_epoch", steps_per_epoch);
    total_steps = epochs * steps_per_epoch;
  }
  phases = {{pct_start * total_steps - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum"}};
  if (three_phase) {
    phases.push_back({2 * pct_start * total_steps - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"});
    phases.push_back({total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"});
  } else {
    phases.push_back({total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum"});
  }
  initial_lrs = each(max_lrs.size(), [&](size_t i) { return max_lrs[i] / div_factor; });
  min_lrs = each(max_lrs.size(), [&](size_t i) { return initial_lrs[i] / final_div_factor; });
}
void OneCycleLR::check(size_t groups) const {
  check_positive("total_steps", total_steps);
  taut::check<ValueError>(pct_start >= 0 && pct_start <= 1, "Expected float between 0 and 1 pct_start, but got ",
                          pct_start);
  taut::check<ValueError>(phases[0].end_step != 0, "OneCycleLR: the first phase has no length: pct_start is ",
                          pct_start, " of ", total_steps, " steps");
  check_strategy(anneal_strategy);
  taut::check<ValueError>(div_factor > 0 && final_div_factor > 0,
                          "OneCycleLR: Expected positive div_factor and final_div_factor, but got ", div_factor,
                          " and ", final_div_factor);
  check_per_group("max_lr", max_lrs, groups);
  check_momentum(*this, groups);
}
const Rates& OneCycleLR::values(const std::string& name) const {
  if (name == "initial_lr") return initial_lrs;
  if (name == "max_lr") return max_lrs;
  if (name == "min_lr") return min_lrs;
  if (name == "base_momentum") return base_momentums;
  taut::check<ValueError>(name == "max_momentum", "OneCycleLR: a phase has no values of the name ", name);
  return max_momentums;
}
Rates OneCycleLR::anneal(double epoch, std::string Phase::*from, std::string Phase::*to) const {
  taut::check<ValueError>(epoch <= total_steps, "Tried to step ", epoch,
                          " times. The specified number of total steps is ", total_steps);
  taut::check<ValueError>(!phases.empty(), "OneCycleLR: there are no phases");
  double begin = 0;
  auto phase = phases.begin();
  for (; phase + 1 != phases.end() && epoch > phase->end_step; ++phase) begin = phase->end_step;
  const double done = (epoch - begin) / nonzero(kName, "the length of a phase", phase->end_step - begin);
  const Rates &a = values((*phase).*from), &b = values((*phase).*to);
  const size_t groups = both(kName, a, b);
  if (anneal_strategy == "linear") return each(groups, [&](size_t i) { return (b[i] - a[i]) * done + a[i]; });
  const double left = cosine(done) + 1;
  return each(groups, [&](size_t i) { return b[i] + (a[i] - b[i]) / 2.0 * left; });
}
Rates OneCycleLR::rates(const Moment& m) const { return anneal(m.epoch, &Phase::start_lr, &Phase::end_lr); }
Rates OneCycleLR::momentums(const Moment& m) const {
  return cycle_momentum ? anneal(m.epoch, &Phase::start_momentum, &Phase::end_momentum) : Rates();
}

// ---- Averages.

Settings SWALR::settings() {
  return {{"swa_lrs", &swa_lrs, kFinite, "swa_lr"},
          {"anneal_epochs", &anneal_epochs, kWhole},
          {"anneal_strategy", &anneal_strategy, kUnsaved}};
}
void SWALR::check(size_t groups) const {
  check_per_group("swa_lr", swa_lrs, groups);
  check_strategy(anneal_strategy);
  taut::check<ValueError>(anneal_epochs >= 0 && is_whole(anneal_epochs),
                          "anneal_epochs must be equal or greater than 0, got ", anneal_epochs);
}
Rates SWALR::rates(const Moment& m) const {
  const double step = anneal_epochs == 0 ? std::max(1.0, m.steps - 1) : m.steps - 1;
  const auto share = [&](double at) {
    const double t = std::clamp(at / std::max(1.0, anneal_epochs), 0.0, 1.0);
    return anneal_strategy == "cos" ? (1 - cosine(t)) / 2 : t;
  };
  const double before = share(step - 1), now = share(step);
  return each(both(kName, swa_lrs, m.last), [&](size_t i) {
    const Rate start = before == 1 ? swa_lrs[i] : (m.last[i] - before * swa_lrs[i]) / (1 - before);
    return swa_lrs[i] * now + start * (1 - now);
  });
}

// ---- By a metric.

Settings ReduceLROnPlateau::settings() {
  return {{"mode", &mode, kUnsaved},
          {"factor", &factor},
          {"patience", &patience, kWhole},
          {"threshold", &threshold, kFinite},
          {"threshold_mode", &threshold_mode, kUnsaved},
          {"cooldown", &cooldown, kWhole},
          {"cooldown_counter", &state.cooldown_counter, kWhole | kState},
          {"num_bad_epochs", &state.num_bad_epochs, kWhole | kState},
          {"eps", &eps, kFinite},
          {"best", &state.best, kState},
          {"min_lrs", &min_lrs, 0, "min_lr"},
          {"mode_worse", &mode_worse, kDerived | kUnsaved},
          {"improved", &state.improved, kState | kUnsaved},
          {"reduce", &state.reduce, kState | kUnsaved}};
}
void ReduceLROnPlateau::prepare() {
  mode_worse = (mode == "min" ? 1 : -1) * std::numeric_limits<double>::infinity();
  if (std::isnan(state.best)) state.best = mode_worse;
}
void ReduceLROnPlateau::check(size_t groups) const {
  taut::check<ValueError>(factor < 1, "Factor should be < 1.0., got ", factor);
  taut::check<ValueError>(mode == "min" || mode == "max", "mode ", mode, " is unknown!");
  taut::check<ValueError>(threshold_mode == "rel" || threshold_mode == "abs", "threshold mode ", threshold_mode,
                          " is unknown!");
  taut::check<ValueError>(min_lrs.size() == groups, "expected ", groups, " min_lrs, got ", min_lrs.size());
}
ReduceLROnPlateau::State ReduceLROnPlateau::next(State s, double metric) const {
  const bool relative = threshold_mode == "rel";
  s.improved = mode == "min" ? metric < (relative ? s.best * (1 - threshold) : s.best - threshold)
                             : metric > (relative ? s.best * (threshold + 1) : s.best + threshold);
  if (s.improved) s.best = metric;
  s.num_bad_epochs = s.improved ? 0 : s.num_bad_epochs + 1;
  if (s.cooldown_counter > 0) {
    s.cooldown_counter -= 1;
    s.num_bad_epochs = 0;
  }
  s.reduce = s.num_bad_epochs > patience;
  if (s.reduce) {
    s.cooldown_counter = cooldown;
    s.num_bad_epochs = 0;
  }
  return s;
}
Rates ReduceLROnPlateau::rates(const Moment& m) const {
  taut::check(m.last.size() == min_lrs.size(), "The number of param groups in the `optimizer` (", m.last.size(),
              ") differs from when `ReduceLROnPlateau` was initialized (", min_lrs.size(),
              "), usually due to a new param group being added to the optimizer. Please modify the `min_lrs` field to "
              "match the length of the `optimizer` param groups.");
  return each(m.last.size(), [&](size_t i) {
    const double before = m.last[i].number(), after = std::max(before * factor, min_lrs[i].number());
    return before - after > eps ? Rate(after) : m.last[i];
  });
}

// ---- The table.

namespace {
struct Row {
  std::string_view name;
  std::unique_ptr<Schedule> (*make)();
};
template <class S>
constexpr Row row = {S::kName, []() -> std::unique_ptr<Schedule> { return std::make_unique<Of<S>>(); }};
constexpr Row kTable[] = {row<StepLR>,
                          row<MultiStepLR>,
                          row<ConstantLR>,
                          row<LinearLR>,
                          row<ExponentialLR>,
                          row<PolynomialLR>,
                          row<CosineAnnealingLR>,
                          row<CosineAnnealingWarmRestarts>,
                          row<CyclicLR>,
                          row<OneCycleLR>,
                          row<SWALR>,
                          row<ReduceLROnPlateau>};
}  // namespace

std::unique_ptr<Schedule> make(std::string_view name) {
  for (const Row& r : kTable)
    if (r.name == name) return r.make();
  throw ValueError(str("there is no schedule ", name));
}
std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const Row& r : kTable) out.emplace_back(r.name);
  return out;
}

}  // namespace taut::optim::schedules
