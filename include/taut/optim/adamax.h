// Adamax: Adam with the infinity norm.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct AdamaxOptions : OptimizerCloneableOptions<AdamaxOptions> {
  AdamaxOptions(double lr = 2e-3) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 2e-3;
  TAUT_ARG(betas_t, betas) = {0.9, 0.999};
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, maximize) = false;

 public:
  void check() const override;
  Fields fields() override;
};

struct AdamaxParamState : OptimizerCloneableParamState<AdamaxParamState> {
  TAUT_ARG(int64_t, step) = 0;
  TAUT_ARG(Tensor, exp_avg);
  TAUT_ARG(Tensor, exp_inf);

 public:
  Fields fields() override;
};

class Adamax : public OptimizerOf<AdamaxOptions, AdamaxParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace taut::optim
