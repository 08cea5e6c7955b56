// Averaged stochastic gradient descent.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct ASGDOptions : OptimizerCloneableOptions<ASGDOptions> {
  ASGDOptions(double lr = 1e-2) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(double, lambd) = 1e-4;
  TAUT_ARG(double, alpha) = 0.75;
  TAUT_ARG(double, t0) = 1e6;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, maximize) = false;

 public:
  void check() const override;
  Fields fields() override;
};

struct ASGDParamState : OptimizerCloneableParamState<ASGDParamState> {
  TAUT_ARG(int64_t, step) = 0;
  TAUT_ARG(double, eta) = 0;
  TAUT_ARG(double, mu) = 1;
  TAUT_ARG(Tensor, ax);

 public:
  Fields fields() override;
};

class ASGD : public OptimizerOf<ASGDOptions, ASGDParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace taut::optim
