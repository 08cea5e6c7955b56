// Resilient backpropagation: only the sign of the gradient counts.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct RpropOptions : OptimizerCloneableOptions<RpropOptions> {
  RpropOptions(double lr = 1e-2) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(betas_t, etas) = {0.5, 1.2};
  TAUT_ARG(betas_t, step_sizes) = {1e-6, 50};
  TAUT_ARG(bool, maximize) = false;

 public:
  void check() const override;
  Fields fields() override;
};

struct RpropParamState : OptimizerCloneableParamState<RpropParamState> {
  TAUT_ARG(int64_t, step) = 0;
  TAUT_ARG(Tensor, prev);
  TAUT_ARG(Tensor, step_size);

 public:
  Fields fields() override;
};

class Rprop : public OptimizerOf<RpropOptions, RpropParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace taut::optim
