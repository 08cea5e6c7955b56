// L-BFGS: a quasi-Newton method over the whole gradient, with an optional line search.
#pragma once
#include "taut/optim/optimizer.h"

namespace taut::optim {

struct LBFGSOptions : OptimizerCloneableOptions<LBFGSOptions> {
  LBFGSOptions(double lr = 1) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1;
  TAUT_ARG(int64_t, max_iter) = 20;
  TAUT_ARG(std::optional<int64_t>, max_eval) = std::nullopt;  // max_iter * 5 / 4
  TAUT_ARG(double, tolerance_grad) = 1e-7;
  TAUT_ARG(double, tolerance_change) = 1e-9;
  TAUT_ARG(int64_t, history_size) = 100;
  TAUT_ARG(std::optional<std::string>, line_search_fn) = std::nullopt;  // or "strong_wolfe"

 public:
  void check() const override;
  Fields fields() override;
};

/// Kept with the first parameter, for all of them.
struct LBFGSParamState : OptimizerCloneableParamState<LBFGSParamState> {
  TAUT_ARG(int64_t, func_evals) = 0;
  TAUT_ARG(int64_t, n_iter) = 0;
  TAUT_ARG(double, t) = 0;
  TAUT_ARG(double, prev_loss) = 0;
  TAUT_ARG(Tensor, d);
  TAUT_ARG(Tensor, H_diag);
  TAUT_ARG(Tensor, prev_flat_grad);
  TAUT_ARG(std::deque<Tensor>, old_dirs);
  TAUT_ARG(std::deque<Tensor>, old_stps);
  TAUT_ARG(std::deque<Tensor>, ro);

 public:
  Fields fields() override;
  void check_loaded(const OptimizerParamGroup& group) const override;
};

/// One group only. step() needs a closure and calls it several times.
class LBFGS : public OptimizerOf<LBFGSOptions, LBFGSParamState> {
 public:
  explicit LBFGS(const std::vector<OptimizerParamGroup>& param_groups, LBFGSOptions defaults = {});
  explicit LBFGS(std::vector<Tensor> params, LBFGSOptions defaults = {})
      : LBFGS(std::vector<OptimizerParamGroup>(1, OptimizerParamGroup(std::move(params))), std::move(defaults)) {}
  Tensor step(LossClosure closure) override;
  /// What step does, but for its log.
  Tensor iterate(const LossClosure& closure);

 protected:
  /// All gradients in one row; and a step along a direction of that length.
  virtual Tensor flat_grad() const;
  virtual void move(double step_size, const Tensor& direction) const;

 private:
  /// Loss and gradient at `t` along `direction`; the parameters come back to `from`, also when the closure throws.
  std::pair<double, Tensor> probe(const LossClosure& closure, const std::vector<Tensor>& from, double t,
                                  const Tensor& direction);
};

extern template class OptimizerCloneableOptions<LBFGSOptions>;
extern template class OptimizerCloneableParamState<LBFGSParamState>;
extern template class OptimizerOf<LBFGSOptions, LBFGSParamState>;

}  // namespace taut::optim
