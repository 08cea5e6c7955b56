// Solutions of equations as functions of what is in them: fixed points and roots, whose gradients come from the
// implicit function theorem, and ordinary differential equations, whose gradients go through the steps.
// docs/transforms.md has examples. Not part of taut/taut.h.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/func.h"
#include "taut/ops/linalg.h"

namespace taut::func {

/// Of x and of the tensors that gradients are wanted by.
using Equation = std::function<Tensor(const Tensor& x, const std::vector<Tensor>& params)>;

struct SolveOptions {
  std::optional<double> tol = std::nullopt;  // 1e-6 in float32 and 1e-12 in float64; ten times that for roots
  int64_t max_iter = 1000;
  size_t memory = 5;  // Anderson's iteration looks at so many last steps
};
inline Tensor fixed_point(const Equation& f, const Tensor& x0, const std::vector<Tensor>& params,
                          const SolveOptions& options = {});

namespace detail {

inline double tolerance(const SolveOptions& options, const Tensor& x, double times) {
  return options.tol.value_or((x.scalar_type() == kDouble ? 1e-12 : 1e-6) * times);
}
inline double norm_of(const Tensor& t) { return t.square().sum().sqrt().item<double>(); }

/// x with f(x) = x, by Anderson's iteration.
inline Tensor anderson(const std::function<Tensor(const Tensor&)>& f, Tensor x, const SolveOptions& options) {
  const double tol = tolerance(options, x, 1);
  std::deque<Tensor> results, gaps;
  double size = 0;
  for (int64_t i = 0; i < options.max_iter; ++i) {
    const Tensor y = f(x);
    check(y.sizes() == x.sizes(), "fixed_point: f must return what is like x, of shape ", x.sizes(), ", but got ",
          y.sizes());
    const Tensor gap = (y - x).reshape({-1});
    size = norm_of(gap);
    if (size <= tol * (1 + norm_of(y))) return y;
    if (!std::isfinite(size)) break;
    results.push_back(y.reshape({-1})), gaps.push_back(gap);
    if (gaps.size() > options.memory + 1) results.pop_front(), gaps.pop_front();
    const Tensor from = x;
    x = y;
    if (gaps.size() < 2) continue;
    // That mixture of the last results whose gap would be smallest were f linear.
    std::vector<Tensor> steps, moves;
    for (size_t k = 1; k < gaps.size(); ++k)
      steps.push_back(gaps[k] - gaps[k - 1]), moves.push_back(results[k] - results[k - 1]);
    const Tensor weights = std::get<0>(linalg_lstsq(stack(steps, 1), gap.unsqueeze(1)));
    const Tensor mixed = (results.back() - stack(moves, 1).matmul(weights).squeeze(1)).view(from.sizes());
    if (mixed.isfinite().all().item<bool>()) x = mixed;
  }
  throw Error(str("fixed_point: no fixed point was found in ", options.max_iter, " iterations: |f(x) - x| is ", size,
                  ". Start nearer to it, or allow more iterations by max_iter"));
}

/// x with f(x) = 0, by Newton's method, whose steps are halved while |f| grows.
inline Tensor newton(const std::function<Tensor(const Tensor&)>& f, Tensor x, const SolveOptions& options) {
  const double tol = tolerance(options, x, 10);
  const int64_t n = x.numel();
  Tensor y = f(x);
  check(y.numel() == n, "root: f must return as many numbers as x has, ", n, ", but got ", y.sizes());
  double size = norm_of(y);
  for (int64_t i = 0; i < options.max_iter && size > tol; ++i) {
    const Tensor move = linalg_solve(jacrev(f)(x).reshape({n, n}), y.reshape({n})).view(x.sizes());
    double rate = 1, next = size;
    Tensor tried;
    for (; rate > 1e-4; rate /= 2) {
      tried = x - move * rate;
      y = f(tried);
      next = norm_of(y);
      if (next < size) break;
    }
    if (!(next < size)) {
      if (norm_of(move) <= 1e-6 * (1 + norm_of(x))) return x;  // as near as rounding allows
      break;
    }
    x = tried, size = next;
  }
  if (size <= tol) return x;
  throw Error(str("root: no root was found in ", options.max_iter, " iterations: |f(x)| is ", size,
                  ". Start nearer to it, or allow more iterations by max_iter"));
}

/// How a solution of equation(x, params) = 0 is found, and u with (d equation/dx)' u = g there.
struct Problem {
  Equation equation;
  std::function<Tensor(const Tensor& x0, const std::vector<Tensor>& params)> solve;
  std::function<Tensor(const Tensor& x, const std::vector<Tensor>& params, const Tensor& g)> transposed;
};
struct Solution : autograd::Function<Solution> {
  static Tensor forward(autograd::AutogradContext* ctx, const Problem& problem, const Tensor& x0,
                        const std::vector<Tensor>& params) {
    const Tensor x = problem.solve(x0.detach(), params);
    std::vector<Tensor> saved = params;
    saved.push_back(x);
    ctx->save_for_backward(saved);
    ctx->saved_data["problem"] = std::make_shared<const Problem>(problem);
    return x;
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grads) {
    std::vector<Tensor> params = ctx->get_saved_variables();
    const Tensor x = params.back();
    params.pop_back();
    const auto problem = ctx->saved_data["problem"].to<std::shared_ptr<const Problem>>();
    const Tensor u = problem->transposed(x, params, grads[0]);
    const auto of_params = [&](const std::vector<Tensor>& p) { return problem->equation(x, p); };
    autograd::variable_list all{Tensor(), Tensor()};
    for (const Tensor& d : vjp(of_params, params).second(u)) all.push_back(d.neg());
    return all;
  }
};

}  // namespace detail

/// x with x = f(x, params), found from x0 on: it ends when |f(x) - x| is at most tol * (1 + |x|). Gradients by params
/// are those of the solution, not of the way to it, of which nothing is kept; they can be differentiated again.
inline Tensor fixed_point(const Equation& f, const Tensor& x0, const std::vector<Tensor>& params,
                          const SolveOptions& options) {
  detail::Problem problem;
  problem.equation = [f](const Tensor& x, const std::vector<Tensor>& p) { return f(x, p) - x; };
  problem.solve = [f, options](const Tensor& x, const std::vector<Tensor>& p) {
    return detail::anderson([&](const Tensor& at) { return f(at, p); }, x, options);
  };
  // u = J'u - g, a fixed point itself.
  problem.transposed = [f, options](const Tensor& x, const std::vector<Tensor>& p, const Tensor& g) {
    std::vector<Tensor> given{x, g};
    given.insert(given.end(), p.begin(), p.end());
    const auto pulled = [f](const Tensor& u, const std::vector<Tensor>& in) {
      const std::vector<Tensor> inner(in.begin() + 2, in.end());
      return vjp([&](const Tensor& at) { return f(at, inner); }, in[0]).second(u) - in[1];
    };
    return fixed_point(pulled, g.detach().neg(), given, options);
  };
  return detail::Solution::apply(problem, x0, params);
}

/// x with f(x, params) = 0, found from x0 on by Newton's method: it ends when |f(x)| is at most tol, or when a step is
/// lost in rounding. Gradients are those of the solution, as in fixed_point.
inline Tensor root(const Equation& f, const Tensor& x0, const std::vector<Tensor>& params,
                   const SolveOptions& options = {}) {
  detail::Problem problem;
  problem.equation = f;
  problem.solve = [f, options](const Tensor& x, const std::vector<Tensor>& p) {
    return detail::newton([&](const Tensor& at) { return f(at, p); }, x, options);
  };
  problem.transposed = [f](const Tensor& x, const std::vector<Tensor>& p, const Tensor& g) {
    const int64_t n = x.numel();
    const Tensor matrix = jacrev([&](const Tensor& at) { return f(at, p); })(x).reshape({n, n});
    return linalg_solve(matrix.t(), g.reshape({n})).view(g.sizes());
  };
  return detail::Solution::apply(problem, x0, params);
}

using OdeFunction = std::function<Tensor(double t, const Tensor& y, const std::vector<Tensor>& params)>;

struct OdeOptions {
  double rtol = 1e-6, atol = 1e-8;
  int64_t max_steps = 10000;
};

namespace detail {

/// Dormand and Prince's method of order 5 with an estimate of order 4, and Shampine's interpolation of order 4.
class DormandPrince {
 public:
  using Slope = std::function<Tensor(double t, const Tensor& y)>;
  DormandPrince(const Slope& f, const OdeOptions& options) : f_(f), options_(options) {}

  std::vector<Tensor> solve(Tensor y, const std::vector<double>& times) const {
    std::vector<Tensor> found{y};
    if (times.size() == 1 || y.numel() == 0) return found.resize(times.size(), y), found;
    const double sign = times[1] > times[0] ? 1 : -1;
    double now = times[0];
    Tensor k = slope(now, y);
    double h = first_step(now, y, k, sign);
    for (int64_t i = 0; i < options_.max_steps; ++i) {
      std::vector<Tensor> slopes{k};
      for (size_t s = 1; s < 6; ++s)
        slopes.push_back(slope(now + sign * h * kNodes[s], y + mixed(kA[s].data(), slopes) * (sign * h)));
      const Tensor next = y + mixed(kB.data(), slopes) * (sign * h);
      slopes.push_back(slope(now + sign * h, next));
      double error = size(mixed(kE.data(), slopes) * h, y, next);
      if (error <= 1) {
        while (sign * (times[found.size()] - now) <= h) {
          const double part = sign * (times[found.size()] - now) / h;
          std::array<double, 7> weights;
          for (size_t s = 0; s < 7; ++s)
            weights[s] = part * (kP[s][0] + part * (kP[s][1] + part * (kP[s][2] + part * kP[s][3])));
          found.push_back(part == 1 ? next : y + mixed(weights.data(), slopes) * (sign * h));
          if (found.size() == times.size()) return found;
        }
        now += sign * h, y = next, k = slopes.back();
      } else if (!std::isfinite(error)) {
        error = 1e10;  // not a number: a much shorter step
      }
      h *= error > 0 ? std::min(10.0, std::max(0.2, 0.9 * std::pow(error, -0.2))) : 10;
      check(now + sign * h != now, "odeint: the step became too short at t = ", now,
            ": the solution may not go on there, or the equation is stiff");
    }
    throw Error(str("odeint: ", options_.max_steps, " steps led to t = ", now,
                    " only; allow more by max_steps, or larger errors by rtol and atol"));
  }

 private:
  static constexpr std::array<double, 6> kNodes = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1};
  static constexpr std::array<std::array<double, 7>, 6> kA = {
      {{},
       {1. / 5},
       {3. / 40, 9. / 40},
       {44. / 45, -56. / 15, 32. / 9},
       {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
       {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}}};
  static constexpr std::array<double, 7> kB = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84, 0};
  static constexpr std::array<double, 7> kE = {-71. / 57600,    0,          71. / 16695, -71. / 1920,
                                               17253. / 339200, -22. / 525, 1. / 40};
  static constexpr double kP[7][4] = {
      {1, -8048581381. / 2820520608, 8663915743. / 2820520608, -12715105075. / 11282082432},
      {0, 0, 0, 0},
      {0, 131558114200. / 32700410799, -68118460800. / 10900136933, 87487479700. / 32700410799},
      {0, -1754552775. / 470086768, 14199869525. / 1410260304, -10690763975. / 1880347072},
      {0, 127303824393. / 49829197408, -318862633887. / 49829197408, 701980252875. / 199316789632},
      {0, -282668133. / 205662961, 2019193451. / 616988883, -1453857185. / 822651844},
      {0, 40617522. / 29380423, -110615467. / 29380423, 69997945. / 29380423}};

  Tensor slope(double t, const Tensor& y) const {
    const Tensor k = f_(t, y);
    check(k.sizes() == y.sizes(), "odeint: f must return what is like y, of shape ", y.sizes(), ", but got ",
          k.sizes());
    return k;
  }
  static Tensor mixed(const double* weights, const std::vector<Tensor>& slopes) {
    Tensor total;
    for (size_t s = 0; s < slopes.size(); ++s)
      if (weights[s] != 0) total = total.defined() ? total + slopes[s] * weights[s] : slopes[s] * weights[s];
    return total;
  }
  /// The mean size of the worst problem, in parts of what is allowed.
  double size(const Tensor& t, const Tensor& a, const Tensor& b) const {
    const NoGradGuard off;
    const Tensor ratio = (t / (maximum(a.abs(), b.abs()) * options_.rtol + options_.atol)).square();
    return (ratio.dim() ? ratio.mean(-1) : ratio).max().sqrt().item<double>();
  }
  /// Hairer, Norsett and Wanner's choice.
  double first_step(double now, const Tensor& y, const Tensor& k, double sign) const {
    const NoGradGuard off;
    const double d0 = size(y, y, y), d1 = size(k, y, y), h = d0 > 1e-5 && d1 > 1e-5 ? 0.01 * d0 / d1 : 1e-6;
    const double d2 = size(slope(now + sign * h, y + k * (sign * h)) - k, y, y) / h;
    const double most = std::max(d1, d2);
    return std::min(100 * h, most <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / most, 0.2));
  }

  const Slope& f_;
  const OdeOptions& options_;
};

inline void check_problem(const Tensor& y0, const std::vector<double>& times) {
  check<ValueError>(!times.empty(), "odeint: there must be at least one time");
  const bool up = times.size() < 2 || times[1] > times[0];
  for (size_t i = 1; i < times.size(); ++i)
    check<ValueError>(up ? times[i] > times[i - 1] : times[i] < times[i - 1],
                      "odeint: times must be strictly increasing or decreasing");
  check<TypeError>(y0.is_floating_point(), "odeint: y0 must be a tensor of floating point numbers");
}

struct AdjointProblem {
  OdeFunction f;
  std::vector<double> times;
  OdeOptions options;
};
struct Adjoint : autograd::Function<Adjoint> {
  static Tensor forward(autograd::AutogradContext* ctx, const AdjointProblem& problem, const Tensor& y0,
                        const std::vector<Tensor>& params) {
    const auto slope = [&](double t, const Tensor& y) { return problem.f(t, y, params); };
    const Tensor y = stack(DormandPrince(slope, problem.options).solve(y0, problem.times));
    std::vector<Tensor> saved = params;
    saved.push_back(y);
    ctx->save_for_backward(saved);
    ctx->saved_data["problem"] = std::make_shared<const AdjointProblem>(problem);
    return y;
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grads) {
    check(!GradMode::is_enabled(),
          "odeint: gradients by the adjoint equation cannot be differentiated again; use odeint");
    std::vector<Tensor> params = ctx->get_saved_variables();
    const Tensor y = params.back();
    params.pop_back();
    const auto problem = ctx->saved_data["problem"].to<std::shared_ptr<const AdjointProblem>>();
    const auto joined = [](const std::vector<Tensor>& list) {
      std::vector<Tensor> flat;
      for (const Tensor& t : list) flat.push_back(t.reshape({-1}));
      return cat(flat);
    };
    // y, its adjoint, and the gradients by params so far.
    std::vector<Tensor> like{y[0], y[0]};
    like.insert(like.end(), params.begin(), params.end());
    const auto apart = [&](const Tensor& state) {
      std::vector<Tensor> parts;
      int64_t at = 0;
      for (const Tensor& t : like) {
        parts.push_back(state.narrow(0, at, t.numel()).view(t.sizes()));
        at += t.numel();
      }
      return parts;
    };
    const auto backwards = [&](double t, const Tensor& state) {
      const std::vector<Tensor> parts = apart(state);
      const auto f = [&](const Tensor& at, const std::vector<Tensor>& p) { return problem->f(t, at, p); };
      const auto [slope, pull] = vjp(f, parts[0], params);
      const auto [by_y, by_params] = pull(parts[1]);
      std::vector<Tensor> all{slope, by_y.neg()};
      for (const Tensor& d : by_params) all.push_back(d.neg());
      return joined(all);
    };
    std::vector<Tensor> now;
    for (const Tensor& t : like) now.push_back(zeros_like(t.detach()));
    for (auto i = static_cast<int64_t>(problem->times.size()); i-- > 0;) {
      now[0] = y[i], now[1] = now[1] + grads[0][i];
      const auto k = static_cast<size_t>(i);
      if (i > 0)
        now = apart(DormandPrince(backwards, problem->options)
                        .solve(joined(now), {problem->times[k], problem->times[k - 1]})
                        .back());
    }
    autograd::variable_list all{Tensor()};
    all.insert(all.end(), now.begin() + 1, now.end());
    return all;
  }
};

}  // namespace detail

/// The solution of dy/dt = f(t, y) with y(times[0]) = y0, at the times: they are its first dimension. y0 may have any
/// shape: the last dimension is one problem, those before are a batch, all of whose problems must be as exact.
/// Gradients by whatever f and y0 are made of go through the steps.
inline Tensor odeint(const std::function<Tensor(double t, const Tensor& y)>& f, const Tensor& y0,
                     const std::vector<double>& times, const OdeOptions& options = {}) {
  detail::check_problem(y0, times);
  return stack(detail::DormandPrince(f, options).solve(y0, times));
}
/// The same where f takes params. Gradients by y0 and by params come from the adjoint equation, solved backwards: that
/// keeps nothing but the solution at the times. They cannot be differentiated again.
inline Tensor odeint_adjoint(const OdeFunction& f, const Tensor& y0, const std::vector<double>& times,
                             const std::vector<Tensor>& params, const OdeOptions& options = {}) {
  detail::check_problem(y0, times);
  return detail::Adjoint::apply(detail::AdjointProblem{f, times, options}, y0, params);
}

}  // namespace taut::func
