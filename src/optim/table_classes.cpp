// The options and states of the optimisers of the table. Written by tools/optimizers.py.
// clang-format off
#include "taut/optim/adadelta.h"
#include "taut/optim/adafactor.h"
#include "taut/optim/adagrad.h"
#include "taut/optim/adam.h"
#include "taut/optim/adamax.h"
#include "taut/optim/adamw.h"
#include "taut/optim/adan.h"
#include "taut/optim/asgd.h"
#include "taut/optim/lion.h"
#include "taut/optim/nadam.h"
#include "taut/optim/radam.h"
#include "taut/optim/rmsprop.h"
#include "taut/optim/rprop.h"
#include "taut/optim/sgd.h"

namespace taut::optim {

Fields AdadeltaOptions::fields() {
  return {{"lr", &lr_},
          {"rho", &rho_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues AdadeltaOptions::values() const { return {lr_, rho_, eps_, weight_decay_, maximize_ ? 1.0 : 0.0}; }
const OptimizerInfo& AdadeltaOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("Adadelta");
  return row;
}
Fields AdadeltaParamState::fields() {
  return {{"step", &step_},
          {"square_avg", &states_[0]},
          {"acc_delta", &states_[1]}};
}

template class OptimizerCloneableOptions<AdadeltaOptions, TableOptions>;
template class OptimizerCloneableParamState<AdadeltaParamState, TableState>;
template class TableOptimizerOf<AdadeltaOptions, AdadeltaParamState>;

Fields AdafactorOptions::fields() {
  return {{"lr", &lr_},
          {"beta2_decay", &beta2_decay_},
          {"eps", &eps_},
          {"d", &d_},
          {"weight_decay", &weight_decay_},
          {"maximize", &maximize_}};
}
OptionValues AdafactorOptions::values() const {
  return {lr_,
          beta2_decay_,
          std::get<0>(eps_),
          std::get<1>(eps_),
          d_,
          weight_decay_,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& AdafactorOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("Adafactor");
  return row;
}
Fields AdafactorParamState::fields() {
  return {{"step", &step_},
          {"row_var", &states_[0], false, false},
          {"col_var", &states_[1], false, false},
          {"variance", &states_[2], false, false}};
}

template class OptimizerCloneableOptions<AdafactorOptions, TableOptions>;
template class OptimizerCloneableParamState<AdafactorParamState, TableState>;
template class TableOptimizerOf<AdafactorOptions, AdafactorParamState>;

Fields AdagradOptions::fields() {
  return {{"lr", &lr_},
          {"lr_decay", &lr_decay_},
          {"weight_decay", &weight_decay_},
          {"initial_accumulator_value", &initial_accumulator_value_},
          {"eps", &eps_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues AdagradOptions::values() const {
  return {lr_,
          lr_decay_,
          weight_decay_,
          initial_accumulator_value_,
          eps_,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& AdagradOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("Adagrad");
  return row;
}
Fields AdagradParamState::fields() { return {{"step", &step_}, {"sum", &states_[0]}}; }

template class OptimizerCloneableOptions<AdagradOptions, TableOptions>;
template class OptimizerCloneableParamState<AdagradParamState, TableState>;
template class TableOptimizerOf<AdagradOptions, AdagradParamState>;

Fields AdamOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"amsgrad", &amsgrad_},
          {"maximize", &maximize_},
          {"decoupled_weight_decay", &decoupled_weight_decay_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues AdamOptions::values() const {
  return {lr_,
          std::get<0>(betas_),
          std::get<1>(betas_),
          eps_,
          weight_decay_,
          amsgrad_ ? 1.0 : 0.0,
          maximize_ ? 1.0 : 0.0,
          decoupled_weight_decay_ ? 1.0 : 0.0};
}
const OptimizerInfo& AdamOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("Adam");
  return row;
}
Fields AdamParamState::fields() {
  return {{"step", &step_},
          {"exp_avg", &states_[0]},
          {"exp_avg_sq", &states_[1]},
          {"max_exp_avg_sq", &states_[2], false}};
}

template class OptimizerCloneableOptions<AdamOptions, TableOptions>;
template class OptimizerCloneableParamState<AdamParamState, TableState>;
template class TableOptimizerOf<AdamOptions, AdamParamState>;

Fields AdamaxOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues AdamaxOptions::values() const {
  return {lr_,
          std::get<0>(betas_),
          std::get<1>(betas_),
          eps_,
          weight_decay_,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& AdamaxOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("Adamax");
  return row;
}
Fields AdamaxParamState::fields() { return {{"step", &step_}, {"exp_avg", &states_[0]}, {"exp_inf", &states_[1]}}; }

template class OptimizerCloneableOptions<AdamaxOptions, TableOptions>;
template class OptimizerCloneableParamState<AdamaxParamState, TableState>;
template class TableOptimizerOf<AdamaxOptions, AdamaxParamState>;

Fields AdamWOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"amsgrad", &amsgrad_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues AdamWOptions::values() const {
  return {lr_,
          std::get<0>(betas_),
          std::get<1>(betas_),
          eps_,
          weight_decay_,
          amsgrad_ ? 1.0 : 0.0,
          maximize_ ? 1.0 : 0.0,
          1.0};
}
const OptimizerInfo& AdamWOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("AdamW");
  return row;
}
Fields AdamWParamState::fields() {
  return {{"step", &step_},
          {"exp_avg", &states_[0]},
          {"exp_avg_sq", &states_[1]},
          {"max_exp_avg_sq", &states_[2], false}};
}

template class OptimizerCloneableOptions<AdamWOptions, TableOptions>;
template class OptimizerCloneableParamState<AdamWParamState, TableState>;
template class TableOptimizerOf<AdamWOptions, AdamWParamState>;

Fields AdanOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues AdanOptions::values() const {
  return {lr_,
          std::get<0>(betas_),
          std::get<1>(betas_),
          std::get<2>(betas_),
          eps_,
          weight_decay_,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& AdanOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("Adan");
  return row;
}
Fields AdanParamState::fields() {
  return {{"step", &step_},
          {"exp_avg", &states_[0]},
          {"exp_avg_diff", &states_[1]},
          {"exp_avg_sq", &states_[2]},
          {"prev", &states_[3]}};
}

template class OptimizerCloneableOptions<AdanOptions, TableOptions>;
template class OptimizerCloneableParamState<AdanParamState, TableState>;
template class TableOptimizerOf<AdanOptions, AdanParamState>;

Fields ASGDOptions::fields() {
  return {{"lr", &lr_},
          {"lambd", &lambd_},
          {"alpha", &alpha_},
          {"t0", &t0_},
          {"weight_decay", &weight_decay_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues ASGDOptions::values() const { return {lr_, lambd_, alpha_, t0_, weight_decay_, maximize_ ? 1.0 : 0.0}; }
const OptimizerInfo& ASGDOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("ASGD");
  return row;
}
Fields ASGDParamState::fields() {
  return {{"step", &step_},
          {"eta", &scalars_[0]},
          {"mu", &scalars_[1]},
          {"ax", &states_[0]}};
}

template class OptimizerCloneableOptions<ASGDOptions, TableOptions>;
template class OptimizerCloneableParamState<ASGDParamState, TableState>;
template class TableOptimizerOf<ASGDOptions, ASGDParamState>;

Fields LionOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"weight_decay", &weight_decay_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues LionOptions::values() const {
  return {lr_,
          std::get<0>(betas_),
          std::get<1>(betas_),
          weight_decay_,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& LionOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("Lion");
  return row;
}
Fields LionParamState::fields() { return {{"step", &step_}, {"exp_avg", &states_[0]}}; }

template class OptimizerCloneableOptions<LionOptions, TableOptions>;
template class OptimizerCloneableParamState<LionParamState, TableState>;
template class TableOptimizerOf<LionOptions, LionParamState>;

Fields NAdamOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"momentum_decay", &momentum_decay_},
          {"decoupled_weight_decay", &decoupled_weight_decay_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues NAdamOptions::values() const {
  return {lr_,
          std::get<0>(betas_),
          std::get<1>(betas_),
          eps_,
          weight_decay_,
          momentum_decay_,
          decoupled_weight_decay_ ? 1.0 : 0.0,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& NAdamOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("NAdam");
  return row;
}
Fields NAdamParamState::fields() {
  return {{"step", &step_},
          {"mu_product", &scalars_[0]},
          {"exp_avg", &states_[0]},
          {"exp_avg_sq", &states_[1]}};
}

template class OptimizerCloneableOptions<NAdamOptions, TableOptions>;
template class OptimizerCloneableParamState<NAdamParamState, TableState>;
template class TableOptimizerOf<NAdamOptions, NAdamParamState>;

Fields RAdamOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"decoupled_weight_decay", &decoupled_weight_decay_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues RAdamOptions::values() const {
  return {lr_,
          std::get<0>(betas_),
          std::get<1>(betas_),
          eps_,
          weight_decay_,
          decoupled_weight_decay_ ? 1.0 : 0.0,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& RAdamOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("RAdam");
  return row;
}
Fields RAdamParamState::fields() { return {{"step", &step_}, {"exp_avg", &states_[0]}, {"exp_avg_sq", &states_[1]}}; }

template class OptimizerCloneableOptions<RAdamOptions, TableOptions>;
template class OptimizerCloneableParamState<RAdamParamState, TableState>;
template class TableOptimizerOf<RAdamOptions, RAdamParamState>;

Fields RMSpropOptions::fields() {
  return {{"lr", &lr_},
          {"alpha", &alpha_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"momentum", &momentum_},
          {"centered", &centered_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues RMSpropOptions::values() const {
  return {lr_,
          alpha_,
          eps_,
          weight_decay_,
          momentum_,
          centered_ ? 1.0 : 0.0,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& RMSpropOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("RMSprop");
  return row;
}
Fields RMSpropParamState::fields() {
  return {{"step", &step_},
          {"square_avg", &states_[0]},
          {"momentum_buffer", &states_[1], false},
          {"grad_avg", &states_[2], false}};
}

template class OptimizerCloneableOptions<RMSpropOptions, TableOptions>;
template class OptimizerCloneableParamState<RMSpropParamState, TableState>;
template class TableOptimizerOf<RMSpropOptions, RMSpropParamState>;

Fields RpropOptions::fields() {
  return {{"lr", &lr_},
          {"etas", &etas_},
          {"step_sizes", &step_sizes_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues RpropOptions::values() const {
  return {lr_,
          std::get<0>(etas_),
          std::get<1>(etas_),
          std::get<0>(step_sizes_),
          std::get<1>(step_sizes_),
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& RpropOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("Rprop");
  return row;
}
Fields RpropParamState::fields() { return {{"step", &step_}, {"prev", &states_[0]}, {"step_size", &states_[1]}}; }

template class OptimizerCloneableOptions<RpropOptions, TableOptions>;
template class OptimizerCloneableParamState<RpropParamState, TableState>;
template class TableOptimizerOf<RpropOptions, RpropParamState>;

Fields SGDOptions::fields() {
  return {{"lr", &lr_},
          {"momentum", &momentum_},
          {"dampening", &dampening_},
          {"weight_decay", &weight_decay_},
          {"nesterov", &nesterov_},
          {"maximize", &maximize_},
          {.name = "differentiable", .value = &differentiable_, .saved = false}};
}
OptionValues SGDOptions::values() const {
  return {lr_,
          momentum_,
          dampening_,
          weight_decay_,
          nesterov_ ? 1.0 : 0.0,
          maximize_ ? 1.0 : 0.0};
}
const OptimizerInfo& SGDOptions::info() const {
  static const OptimizerInfo& row = find_optimizer("SGD");
  return row;
}
Fields SGDParamState::fields() { return {{"momentum_buffer", &states_[0], false}}; }

template class OptimizerCloneableOptions<SGDOptions, TableOptions>;
template class OptimizerCloneableParamState<SGDParamState, TableState>;
template class TableOptimizerOf<SGDOptions, SGDParamState>;

}  // namespace taut::optim
