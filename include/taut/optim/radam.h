// RAdam: Adam with a rectified step size.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct RAdamOptions : OptimizerCloneableOptions<RAdamOptions> {
  RAdamOptions(double lr = 1e-3) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 1e-3;
  TAUT_ARG(betas_t, betas) = {0.9, 0.999};
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, decoupled_weight_decay) = false;
  TAUT_ARG(bool, maximize) = false;

 public:
  void check() const override;
  Fields fields() override;
};

struct RAdamParamState : OptimizerCloneableParamState<RAdamParamState> {
  TAUT_ARG(int64_t, step) = 0;
  TAUT_ARG(Tensor, exp_avg);
  TAUT_ARG(Tensor, exp_avg_sq);

 public:
  Fields fields() override;
};

class RAdam : public OptimizerOf<RAdamOptions, RAdamParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace taut::optim
