#include "taut/optim/lbfgs.h"

#include <algorithm>
#include <cmath>

#include "optim/checks.h"
#include "taut/autograd.h"
#include "taut/factories.h"

namespace taut::optim {

template class OptimizerCloneableOptions<LBFGSOptions>;
template class OptimizerCloneableParamState<LBFGSParamState>;
template class OptimizerOf<LBFGSOptions, LBFGSParamState>;

void LBFGSOptions::check() const {
  check_lr(lr_);
  taut::check<ValueError>(max_iter_ > 0, "Invalid max_iter value: ", max_iter_);
  taut::check<ValueError>(!max_eval_ || *max_eval_ > 0, "Invalid max_eval value: ", max_eval_.value_or(0));
  taut::check<ValueError>(history_size_ > 0, "Invalid history_size value: ", history_size_);
  check_value("tolerance_grad", tolerance_grad_);
  check_value("tolerance_change", tolerance_change_);
  taut::check<ValueError>(!line_search_fn_ || *line_search_fn_ == "strong_wolfe",
                          "only 'strong_wolfe' is supported as line_search_fn, got '", line_search_fn_.value_or(""),
                          "'");
}
Fields LBFGSOptions::fields() {
  return {{"lr", &lr_},
          {"max_iter", &max_iter_},
          {"max_eval", &max_eval_},
          {"tolerance_grad", &tolerance_grad_},
          {"tolerance_change", &tolerance_change_},
          {"history_size", &history_size_},
          {"line_search_fn", &line_search_fn_}};
}
Fields LBFGSParamState::fields() {
  return {{"func_evals", &func_evals_},
          {"n_iter", &n_iter_},
          {"t", &t_},
          {"prev_loss", &prev_loss_},
          {"d", &d_, false, false},
          {"H_diag", &H_diag_, false, false},
          {"prev_flat_grad", &prev_flat_grad_, false, false},
          {"old_dirs", &old_dirs_, false, false},
          {"old_stps", &old_stps_, false, false},
          {"ro", &ro_, false, false}};
}
void LBFGSParamState::check_loaded(const OptimizerParamGroup& group) const {
  int64_t total = 0;
  for (const Tensor& p : group.params()) total += p.numel() * (p.is_complex() ? 2 : 1);
  const auto flat = [&](const char* name, const Tensor& t, int64_t numel) {
    check<ValueError>(t.defined() && t.numel() == numel && t.dim() <= 1, "load_state_dict: LBFGS expects ", numel,
                      " elements in ", name, ", got ", t.defined() ? str("shape ", t.sizes()) : str("none"));
  };
  check<ValueError>(old_dirs_.size() == old_stps_.size() && old_dirs_.size() == ro_.size(),
                    "load_state_dict: LBFGS has ", old_dirs_.size(), " old_dirs, ", old_stps_.size(), " old_stps and ",
                    ro_.size(), " ro");
  for (const Tensor& t : old_dirs_) flat("old_dirs", t, total);
  for (const Tensor& t : old_stps_) flat("old_stps", t, total);
  for (const Tensor& t : ro_) flat("ro", t, 1);
  check<ValueError>(n_iter_ >= 0, "load_state_dict: LBFGS n_iter is negative: ", n_iter_);
  if (n_iter_ == 0) return;
  flat("d", d_, total);
  flat("prev_flat_grad", prev_flat_grad_, total);
  flat("H_diag", H_diag_, 1);
}

LBFGS::LBFGS(const std::vector<OptimizerParamGroup>& param_groups, LBFGSOptions defaults)
    : OptimizerOf(param_groups, std::move(defaults)) {
  check<ValueError>(param_groups_.size() == 1, "LBFGS doesn't support per-parameter options (parameter groups)");
  for (OptimizerOptions* o : {&param_groups_[0].options(), defaults_.get()}) {
    auto& options = static_cast<LBFGSOptions&>(*o);
    if (!options.max_eval()) options.max_eval(options.max_iter() * 5 / 4);
  }
}

/// Complex parameters are optimised as their parts.
static Tensor in_parts(const Tensor& t) { return t.is_complex() ? view_as_real(t.resolve_conj()) : t; }

Tensor LBFGS::flat_grad() const {
  std::vector<Tensor> parts;
  for (const Tensor& p : parameters())
    parts.push_back(
        (p.grad().defined() ? in_parts(to_dense(p.grad().detach())) : zeros_like(in_parts(p.detach()))).reshape({-1}));
  return cat(parts);
}

void LBFGS::move(double step_size, const Tensor& direction) const {
  int64_t offset = 0;
  for (const Tensor& parameter : parameters()) {
    const Tensor p = in_parts(parameter);
    p.add_(direction.narrow(0, offset, p.numel()).view_as(p), step_size);
    offset += p.numel();
  }
}

std::pair<double, Tensor> LBFGS::probe(const LossClosure& closure, const std::vector<Tensor>& from, double t,
                                       const Tensor& direction) {
  struct Restore {
    const std::vector<Tensor>&params, &from;
    ~Restore() {
      for (size_t i = 0; i < params.size(); ++i) params[i].copy_(from[i]);
    }
  } restore{parameters(), from};
  move(t, direction);
  const double loss = evaluate(closure).item<double>();
  return {loss, flat_grad()};
}

namespace {

/// The minimum of the cubic through two points with given values and slopes, kept within [low, high].
double interpolate(double x1, double f1, double g1, double x2, double f2, double g2, double low, double high) {
  const double d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2), square = d1 * d1 - g1 * g2;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::sqrt(square);
  const double at = x1 <= x2 ? x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
                             : x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2));
  return std::min(std::max(at, low), high);
}

/// A point on the line.
struct Point {
  double t, f;
  Tensor g;
  double slope;
};
struct Found {
  Point point;
  int64_t evals;
};

/// A step that fulfils the strong Wolfe conditions: walk outwards until such a point is bracketed, then narrow the
/// bracket. `probe(t)` gives loss and gradient at t.
template <class Probe>
struct StrongWolfe {
  static constexpr double c1 = 1e-4, c2 = 0.9;
  Probe probe;
  const Tensor& d;
  double f, slope;  // where the line begins
  double tolerance_change;
  int64_t max_steps, steps = 0, evals = 0;
  Point bracket[2] = {};
  bool done = false, slow = false;

  Point at(double t) {
    auto [loss, grad] = probe(t);
    const double s = grad.dot(d).template item<double>();
    ++evals;
    return {t, loss, std::move(grad), s};
  }
  bool falls_too_little(const Point& p) const { return p.f > f + c1 * p.t * slope; }
  bool is_flat(const Point& p) const { return std::abs(p.slope) <= -c2 * slope; }
  int lower() const { return bracket[0].f <= bracket[1].f ? 0 : 1; }

  void walk_outwards(double t, const Tensor& g) {
    const Point origin{0, f, g.clone(), slope};
    Point now = at(t), before = origin;
    for (; steps < max_steps; ++steps) {
      const bool too_far = falls_too_little(now) || (steps > 1 && now.f >= before.f);
      done = !too_far && is_flat(now);
      if (too_far || done || now.slope >= 0) {
        bracket[0] = done ? now : before, bracket[1] = now;
        return;
      }
      const double next = interpolate(before.t, before.f, before.slope, now.t, now.f, now.slope,
                                      now.t + 0.01 * (now.t - before.t), now.t * 10);
      before = std::move(now);
      now = at(next);
    }
    bracket[0] = origin, bracket[1] = now;
  }
  /// Where to look within the bracket.
  double inside() {
    const auto& [a, b] = bracket;
    const double left = std::min(a.t, b.t), right = std::max(a.t, b.t), margin = 0.1 * (right - left);
    const double t = interpolate(a.t, a.f, a.slope, b.t, b.f, b.slope, left, right);
    const bool near_end = std::min(right - t, t - left) < margin;
    // Too near an end, twice in a row or beyond it: move a tenth of the way inwards instead.
    const bool move = near_end && (slow || t >= right || t <= left);
    slow = near_end && !move;
    if (!move) return t;
    return std::abs(t - right) < std::abs(t - left) ? right - margin : left + margin;
  }
  Found search(double t, const Tensor& g) {
    walk_outwards(t, g);
    const double d_norm = d.abs().max().template item<double>();
    int low = lower();
    for (; !done && steps < max_steps; ++steps) {
      if (std::abs(bracket[1].t - bracket[0].t) * d_norm < tolerance_change) break;
      Point now = at(inside());
      Point &best = bracket[low], &other = bracket[1 - low];
      if (falls_too_little(now) || now.f >= best.f) {
        other = std::move(now);
        low = lower();
      } else {
        done = is_flat(now);
        if (!done && now.slope * (other.t - best.t) >= 0) other = best;
        best = std::move(now);
      }
    }
    return {bracket[low], evals};
  }
};

double largest(const Tensor& x) { return x.abs().max().item<double>(); }

}  // namespace

/// The direction of the first step, or by the two loops of L-BFGS: minus the inverse Hessian times the gradient.
static Tensor direction(LBFGSParamState& s, const Tensor& grad, const Tensor& last, double t, int64_t history_size) {
  if (s.n_iter() == 1) {
    s.old_dirs().clear(), s.old_stps().clear(), s.ro().clear();
    s.H_diag(ones({}, grad.scalar_type()));
    return grad.neg();
  }
  const Tensor y = grad.sub(s.prev_flat_grad()), step = last.mul(t), ys = y.dot(step);
  if (ys.item<double>() > 1e-10) {
    if (static_cast<int64_t>(s.old_dirs().size()) == history_size)
      s.old_dirs().pop_front(), s.old_stps().pop_front(), s.ro().pop_front();
    s.old_dirs().push_back(y);
    s.old_stps().push_back(step);
    s.ro().push_back(ys.reciprocal());
    s.H_diag(ys / y.dot(y));
  }
  const size_t n = s.old_dirs().size();
  std::vector<Tensor> al(n);
  Tensor d = grad.neg();
  for (size_t i = n; i-- > 0;) {
    al[i] = s.old_stps()[i].dot(d) * s.ro()[i];
    d.add_(s.old_dirs()[i], -al[i].item<double>());
  }
  d = d.mul(s.H_diag());
  for (size_t i = 0; i < n; ++i) d.add_(s.old_stps()[i], (al[i] - s.old_dirs()[i].dot(d) * s.ro()[i]).item<double>());
  return d;
}

Tensor LBFGS::step(LossClosure closure) {
  const Tensor first_loss = iterate(closure);
  end_step();
  return first_loss;
}

Tensor LBFGS::iterate(const LossClosure& closure) {
  check<TypeError>(closure != nullptr, "LBFGS.step: missing the closure, which computes the loss anew");
  check<ValueError>(param_groups_.size() == 1, "LBFGS expects exactly one parameter group, but got ",
                    param_groups_.size());
  NoGradGuard no_grad;
  if (parameters().empty()) return evaluate(closure);
  const LBFGSOptions& o = options(param_groups_[0]);
  LBFGSParamState& s = state_of(parameters().at(0));
  const int64_t max_eval = o.max_eval().value_or(o.max_iter() * 5 / 4);

  const Tensor first_loss = evaluate(closure);
  double loss = first_loss.item<double>();
  int64_t evals = 1;
  ++s.func_evals();
  Tensor grad = flat_grad();
  bool optimal = largest(grad) <= o.tolerance_grad();
  if (optimal) return first_loss;

  Tensor d = s.d();
  double t = s.t();
  for (int64_t iteration = 1; iteration <= o.max_iter(); ++iteration) {
    ++s.n_iter();
    d = direction(s, grad, d, t, o.history_size());
    s.prev_flat_grad(grad.clone());
    s.prev_loss(loss);
    t = s.n_iter() == 1 ? std::min(1.0, 1 / grad.abs().sum().item<double>()) * o.lr() : o.lr();
    const double slope = grad.dot(d).item<double>();
    s.d(d), s.t(t);
    if (slope > -o.tolerance_change()) break;

    int64_t more = 0;
    if (o.line_search_fn()) {
      std::vector<Tensor> from;
      for (const Tensor& p : parameters()) from.push_back(p.detach().clone());
      const auto on_line = [&](double x) { return probe(closure, from, x, d); };
      const Found found =
          StrongWolfe<decltype(on_line)>{on_line, d, loss, slope, 1e-9, max_eval - evals}.search(t, grad);
      loss = found.point.f, grad = found.point.g, t = found.point.t, more = found.evals;
      s.t(t);
      move(t, d);
      optimal = largest(grad) <= o.tolerance_grad();
    } else {
      move(t, d);
      if (iteration != o.max_iter()) {  // after the last one nobody would look
        loss = evaluate(closure).item<double>();
        grad = flat_grad();
        optimal = largest(grad) <= o.tolerance_grad();
        more = 1;
      }
    }
    evals += more;
    s.func_evals() += more;
    if (iteration == o.max_iter() || evals >= max_eval || optimal) break;
    if (largest(d.mul(t)) <= o.tolerance_change() || std::abs(loss - s.prev_loss()) < o.tolerance_change()) break;
  }
  return first_loss;
}

}  // namespace taut::optim
