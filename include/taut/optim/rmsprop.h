// RMSprop.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct RMSpropOptions : OptimizerCloneableOptions<RMSpropOptions> {
  RMSpropOptions(double lr = 1e-2) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(double, alpha) = 0.99;
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(double, momentum) = 0;
  TAUT_ARG(bool, centered) = false;
  TAUT_ARG(bool, maximize) = false;

 public:
  void check() const override;
  Fields fields() override;
};

struct RMSpropParamState : OptimizerCloneableParamState<RMSpropParamState> {
  TAUT_ARG(int64_t, step) = 0;
  TAUT_ARG(Tensor, square_avg);
  TAUT_ARG(Tensor, momentum_buffer);
  TAUT_ARG(Tensor, grad_avg);

 public:
  Fields fields() override;
};

class RMSprop : public OptimizerOf<RMSpropOptions, RMSpropParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace taut::optim
