// Optimisers that use second derivatives: they compute the loss themselves, from a function that they are given.
//   taut::optim::LevenbergMarquardt optimizer([&] { return curve(t, p) - y; }, {p});
//   for (int i = 0; i < 20; ++i) optimizer.step();
// Not part of taut/taut.h: who fits curves includes it.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/func.h"
#include "taut/ops/linalg.h"
#include "taut/optim/optimizer.h"

namespace taut::optim {

namespace detail {

/// The parameters of an optimiser as one vector.
class Flat {
 public:
  explicit Flat(const std::vector<Tensor>& all) {
    for (const Tensor& p : all)
      if (p.requires_grad()) params_.push_back(p);
  }
  const std::vector<Tensor>& params() const { return params_; }
  int64_t numel() const {
    int64_t n = 0;
    for (const Tensor& p : params_) n += p.numel();
    return n;
  }
  /// Gradients as one vector, zeros where there is none.
  Tensor joined(const std::vector<Tensor>& grads) const {
    std::vector<Tensor> parts;
    for (size_t i = 0; i < params_.size(); ++i)
      parts.push_back((grads[i].defined() ? grads[i] : zeros_like(params_[i].detach())).reshape({-1}));
    return cat(parts);
  }
  Tensor gradient(const Tensor& of, const Tensor& seed, bool create_graph) const {
    return joined(autograd::grad({of}, params_, {seed}, true, create_graph, true));
  }
  std::vector<Tensor> values() const {
    std::vector<Tensor> all;
    for (const Tensor& p : params_) all.push_back(p.detach().clone());
    return all;
  }
  /// Parameters = start + move.
  void set(const std::vector<Tensor>& start, const Tensor& move) {
    const NoGradGuard off;
    int64_t at = 0;
    for (size_t i = 0; i < params_.size(); ++i) {
      params_[i].copy_(start[i] + move.narrow(0, at, start[i].numel()).view(start[i].sizes()));
      at += start[i].numel();
    }
  }

 private:
  std::vector<Tensor> params_;
};

/// The residuals near a point: half of the sum of their squares, what of it no step can change, R of J = QR, and -Q'r.
struct LinearModel {
  Tensor half, rest, upper, wanted;

  LinearModel(const std::function<Tensor()>& residuals, const Flat& flat) {
    Tensor r, jacobian;
    {
      const AutoGradMode on(true);
      r = residuals().reshape({-1});
      check<Error>(r.requires_grad(), "the residuals do not depend on any parameter that requires grad");
      const int64_t count = flat.numel();
      const auto units = [&](int64_t n) { return eye(n, TensorOptions(r.scalar_type())); };
      if (r.numel() <= count) {  // a backward for each residual, all at once
        jacobian = func::vmap([&](const Tensor& unit) { return flat.gradient(r, unit, false); })(units(r.numel()));
      } else {  // gradients are linear in what they start from: their derivative by it has the columns
        const Tensor seed = zeros_like(r.detach()).requires_grad_(), gradient = flat.gradient(r, seed, true);
        const auto column = [&](const Tensor& unit) { return autograd::grad({gradient}, {seed}, {unit}, true)[0]; };
        jacobian = func::vmap(column)(units(count)).t();
      }
    }
    r = r.detach();
    const auto [q, triangle] = linalg_qr(jacobian.detach());
    upper = triangle;
    wanted = q.t().mv(r).neg();
    half = r.square().sum() / 2;
    rest = half - wanted.square().sum() / 2;
  }
  /// Half of the sum of squares after a step, were the residuals linear.
  double foreseen(const Tensor& move) const {
    return ((upper.mv(move) - wanted).square().sum() / 2 + rest).item<double>();
  }
};
inline Tensor least_squares(const Tensor& rows, const Tensor& right) {
  return std::get<0>(linalg_lstsq(rows, right.unsqueeze(1))).squeeze(1);
}
inline void refuse_closure(const Optimizer::LossClosure& closure) {
  check<TypeError>(!closure, "step() takes no closure: it calls the function it was made with");
}

struct NoState : OptimizerCloneableParamState<NoState> {};

}  // namespace detail

struct GaussNewtonOptions : OptimizerCloneableOptions<GaussNewtonOptions> {
  GaussNewtonOptions(double lr = 1) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1;

 public:
  void check() const override { taut::check<ValueError>(lr_ > 0, "Invalid learning rate: ", lr_); }
  Fields fields() override { return {{"lr", &lr_}}; }
};

/// Makes the sum of the squares of residuals() small, a tensor that is computed from the parameters. A step goes lr of
/// the way to where it would be smallest were the residuals linear; it is not checked. step() returns half of the sum
/// before it.
class GaussNewton : public OptimizerOf<GaussNewtonOptions, detail::NoState> {
 public:
  GaussNewton(std::function<Tensor()> residuals, std::vector<Tensor> params, GaussNewtonOptions defaults = {})
      : OptimizerOf(std::move(params), std::move(defaults)), residuals_(std::move(residuals)) {}
  Tensor step(LossClosure closure = nullptr) override {
    detail::refuse_closure(closure);
    const NoGradGuard off;
    detail::Flat flat(parameters());
    const detail::LinearModel model(residuals_, flat);
    flat.set(flat.values(), detail::least_squares(model.upper, model.wanted) * options(param_groups_[0]).lr());
    stepped_ = true;
    end_step();
    return model.half;
  }

 private:
  std::function<Tensor()> residuals_;
};

struct LevenbergMarquardtOptions : OptimizerCloneableOptions<LevenbergMarquardtOptions> {
  LevenbergMarquardtOptions(double damping = 1e-3) : damping_(damping) {}
  TAUT_ARG(double, damping) = 1e-3;  // changes from step to step
  TAUT_ARG(int64_t, max_tries) = 12;

 public:
  void check() const override {
    taut::check<ValueError>(damping_ > 0, "Invalid damping: ", damping_);
    taut::check<ValueError>(max_tries_ > 0, "Invalid max_tries: ", max_tries_);
  }
  Fields fields() override { return {{"damping", &damping_}, {"max_tries", &max_tries_}}; }
};
/// Kept with the first parameter, for all of them.
struct LevenbergMarquardtParamState : OptimizerCloneableParamState<LevenbergMarquardtParamState> {
  TAUT_ARG(Tensor, largest);

 public:
  Fields fields() override { return {{"largest", &largest_, false, false}}; }
};

/// Makes the sum of the squares of residuals() small, a tensor that is computed from the parameters. A step d solves
/// (J'J + damping * D) d = -J'r, where D are the largest diagonals of J'J so far, by a QR factorisation of J. It is
/// taken if it makes the sum smaller, and the damping falls by how well that was foreseen; else the damping grows and
/// the step is tried again, up to max_tries times. step() returns half of the sum before it.
class LevenbergMarquardt : public OptimizerOf<LevenbergMarquardtOptions, LevenbergMarquardtParamState> {
 public:
  LevenbergMarquardt(std::function<Tensor()> residuals, std::vector<Tensor> params,
                     LevenbergMarquardtOptions defaults = {})
      : OptimizerOf(std::move(params), std::move(defaults)), residuals_(std::move(residuals)) {}
  Tensor step(LossClosure closure = nullptr) override {
    detail::refuse_closure(closure);
    const NoGradGuard off;
    detail::Flat flat(parameters());
    const detail::LinearModel model(residuals_, flat);
    auto& settings = static_cast<LevenbergMarquardtOptions&>(param_groups_[0].options());
    Tensor& largest = state_of(parameters()[0]).largest();
    const Tensor diagonal = model.upper.square().sum(0);
    largest = largest.defined() ? maximum(largest, diagonal) : diagonal;
    const Tensor scale = largest.masked_fill(largest <= 0, 1).sqrt();
    const std::vector<Tensor> start = flat.values();
    const double before = model.half.item<double>();
    double damping = settings.damping(), growth = 2;
    bool done = false;
    for (int64_t i = 0; i < settings.max_tries() && !done; ++i) {
      const Tensor move = detail::least_squares(cat({model.upper, diag(scale * std::sqrt(damping))}),
                                                cat({model.wanted, zeros_like(scale)}));
      flat.set(start, move);
      const double after = residuals_().square().sum().item<double>() / 2;
      done = after < before;  // not so where it is NaN
      if (done) {
        const double foreseen = before - model.foreseen(move);
        const double ratio = foreseen > 0 ? std::min((before - after) / foreseen, 1.0) : 1;
        settings.damping(std::max(damping * std::max(1.0 / 3, 1 - std::pow(2 * ratio - 1, 3)), 1e-15));
      }
      damping *= growth;
      growth *= 2;
    }
    if (!done) flat.set(start, zeros_like(scale));  // it is at a minimum, as far as numbers tell
    stepped_ = true;
    end_step();
    return model.half;
  }

 private:
  std::function<Tensor()> residuals_;
};

struct NewtonCGOptions : OptimizerCloneableOptions<NewtonCGOptions> {
  NewtonCGOptions(double lr = 1) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1;
  TAUT_ARG(int64_t, max_iter) = 50;
  TAUT_ARG(double, tolerance) = 1e-2;
  TAUT_ARG(int64_t, max_tries) = 25;

 public:
  void check() const override {
    taut::check<ValueError>(lr_ > 0, "Invalid learning rate: ", lr_);
    taut::check<ValueError>(max_iter_ > 0, "Invalid max_iter: ", max_iter_);
    taut::check<ValueError>(max_tries_ > 0, "Invalid max_tries: ", max_tries_);
    taut::check<ValueError>(tolerance_ >= 0, "Invalid tolerance: ", tolerance_);
  }
  Fields fields() override {
    return {{"lr", &lr_}, {"max_iter", &max_iter_}, {"tolerance", &tolerance_}, {"max_tries", &max_tries_}};
  }
};

/// Makes loss() small, a number that is computed from the parameters. The direction comes from conjugate gradients, at
/// most max_iter products of the second derivatives with a vector, which no matrix is made for; they end where the
/// curvature is not positive. The step is halved until the loss falls enough (Armijo's rule), at most max_tries times.
/// step() returns the loss before it.
class NewtonCG : public OptimizerOf<NewtonCGOptions, detail::NoState> {
 public:
  NewtonCG(std::function<Tensor()> loss, std::vector<Tensor> params, NewtonCGOptions defaults = {})
      : OptimizerOf(std::move(params), std::move(defaults)), loss_(std::move(loss)) {}
  Tensor step(LossClosure closure = nullptr) override {
    detail::refuse_closure(closure);
    detail::Flat flat(parameters());
    Tensor loss, gradient;
    {
      const AutoGradMode on(true);
      loss = loss_();
      gradient = flat.gradient(loss, {}, true);
    }
    const NoGradGuard off;
    const NewtonCGOptions& settings = options(param_groups_[0]);
    const Tensor g = gradient.detach(), way = direction(flat, gradient, settings);
    const std::vector<Tensor> start = flat.values();
    const double before = loss.item<double>(), slope = g.dot(way).item<double>();
    double rate = settings.lr();
    bool done = false;
    for (int64_t i = 0; i < settings.max_tries() && slope < 0 && !done; ++i, rate /= 2) {
      flat.set(start, way * rate);
      done = loss_().item<double>() <= before + 1e-4 * rate * slope;
    }
    if (!done) flat.set(start, zeros_like(g));
    stepped_ = true;
    end_step();
    return loss.detach();
  }

 private:
  /// Nearly the negative gradient divided by the second derivatives.
  static Tensor direction(const detail::Flat& flat, const Tensor& gradient, const NewtonCGOptions& settings) {
    const Tensor g = gradient.detach();
    Tensor x = zeros_like(g), residual = g.neg(), p = residual;
    double size = g.square().sum().item<double>();
    const double enough = size * std::pow(std::min(settings.tolerance(), std::pow(size, 0.25)), 2);
    for (int64_t i = 0; i < settings.max_iter() && size > enough && size != 0; ++i) {
      const Tensor along = gradient.requires_grad() ? flat.gradient(gradient, p, false) : zeros_like(p);
      const double curvature = p.dot(along).item<double>();
      if (!(curvature > 1e-14 * p.square().sum().item<double>())) return i == 0 ? p : x;
      x = x + p * (size / curvature);
      residual = residual - along * (size / curvature);
      const double last = std::exchange(size, residual.square().sum().item<double>());
      p = residual + p * (size / last);
    }
    return x;
  }
  std::function<Tensor()> loss_;
};

}  // namespace taut::optim
