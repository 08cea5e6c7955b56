// Stochastic gradient descent, with momentum.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct SGDOptions : OptimizerCloneableOptions<SGDOptions> {
  SGDOptions(double lr = 1e-3) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-3;
  TAUT_ARG(double, momentum) = 0;
  TAUT_ARG(double, dampening) = 0;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, nesterov) = false;
  TAUT_ARG(bool, maximize) = false;

 public:
  void check() const override;
  Fields fields() override;
};

struct SGDParamState : OptimizerCloneableParamState<SGDParamState> {
  TAUT_ARG(Tensor, momentum_buffer);

 public:
  Fields fields() override;
};

class SGD : public OptimizerOf<SGDOptions, SGDParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace taut::optim
