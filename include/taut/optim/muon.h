// Muon: momentum whose update is made nearly orthogonal. For matrices only.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct MuonOptions : OptimizerCloneableOptions<MuonOptions> {
  MuonOptions(double lr = 1e-3) : lr_(lr) {}
  using ns_coefficients_t = std::tuple<double, double, double>;
  TAUT_ARG(double, lr) = 1e-3;
  TAUT_ARG(double, weight_decay) = 0.1;
  TAUT_ARG(double, momentum) = 0.95;
  TAUT_ARG(bool, nesterov) = true;
  TAUT_ARG(ns_coefficients_t, ns_coefficients) = {3.4445, -4.7750, 2.0315};  // of the Newton-Schulz polynomial
  TAUT_ARG(double, eps) = 1e-7;
  TAUT_ARG(int64_t, ns_steps) = 5;
  TAUT_ARG(std::optional<std::string>, adjust_lr_fn) = std::nullopt;  // "original" (the default), "match_rms_adamw"

 public:
  void check() const override;
  void check_params(const std::vector<Tensor>& params) const override;
  Fields fields() override;
};

struct MuonParamState : OptimizerCloneableParamState<MuonParamState> {
  TAUT_ARG(Tensor, momentum_buffer);

 public:
  Fields fields() override;
};

/// One step of a matrix, in place: what class Muon does for each of its parameters, with gradients off.
void muon_step(const MuonOptions& options, const Tensor& param, const Tensor& grad, const Tensor& momentum_buffer);

class Muon : public OptimizerOf<MuonOptions, MuonParamState> {
 public:
  using OptimizerOf::OptimizerOf;
  Tensor step(LossClosure closure = nullptr) override;
};

extern template class OptimizerCloneableOptions<MuonOptions>;
extern template class OptimizerCloneableParamState<MuonParamState>;
extern template class OptimizerOf<MuonOptions, MuonParamState>;

}  // namespace taut::optim
