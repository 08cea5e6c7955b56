// Adagrad.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct AdagradOptions : OptimizerCloneableOptions<AdagradOptions> {
  AdagradOptions(double lr = 1e-2) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(double, lr_decay) = 0;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(double, initial_accumulator_value) = 0;
  TAUT_ARG(double, eps) = 1e-10;
  TAUT_ARG(bool, maximize) = false;

 public:
  void check() const override;
  Fields fields() override;
};

struct AdagradParamState : OptimizerCloneableParamState<AdagradParamState> {
  TAUT_ARG(int64_t, step) = 0;
  TAUT_ARG(Tensor, sum);

 public:
  Fields fields() override;
};

class Adagrad : public OptimizerOf<AdagradOptions, AdagradParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace taut::optim
