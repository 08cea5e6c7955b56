// Adadelta.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct AdadeltaOptions : OptimizerCloneableOptions<AdadeltaOptions> {
  AdadeltaOptions(double lr = 1.0) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1.0;
  TAUT_ARG(double, rho) = 0.9;
  TAUT_ARG(double, eps) = 1e-6;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, maximize) = false;

 public:
  void check() const override;
  Fields fields() override;
};

struct AdadeltaParamState : OptimizerCloneableParamState<AdadeltaParamState> {
  TAUT_ARG(int64_t, step) = 0;
  TAUT_ARG(Tensor, square_avg);
  TAUT_ARG(Tensor, acc_delta);

 public:
  Fields fields() override;
};

class Adadelta : public OptimizerOf<AdadeltaOptions, AdadeltaParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace taut::optim
