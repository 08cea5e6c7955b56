// The formulas of every optimiser as the host sees them: one OptimizerRow each.
#pragma once
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/optim.h"
#include "ops/expr.h"
#include "taut/core/maths.h"
#include "taut/optim/table.h"

namespace taut {

struct OptimizerRow {
  const char *name, *doc, *base, *signature, *order, *ranges, *scalars, *states;
  bool eager;
  const char* (*wrong)(const double* values);
  /// The numbers of a step; also changes the scalars of `item`.
  void (*numbers)(const double* values, optim::StepParam& item, void* numbers);
  const StepKernels& (*kernels)();
  void (*record)(const optim::Number* values, const optim::StepParam& item, optim::Number* scalars);
  // Of those that are not elementwise:
  Tensor (*fresh)(int i, const Tensor& param);
  void (*whole)(const double* values, const optim::StepParam& item);
};

constexpr size_t kStepBytes = 128;  // room for the numbers of a step

namespace steps {

// What a formula says of plain numbers.
inline double value(double x) { return x; }
inline double sqrt(double x) { return std::sqrt(x); }
inline double pow(double x, double y) { return maths::pow(x, y); }
inline double max(double a, double b) { return std::max(a, b); }
inline double min(double a, double b) { return std::min(a, b); }
inline double epsilon_of(ScalarType t) {
  return t == kDouble ? 0x1p-52 : t == kHalf ? 0x1p-10 : t == kBFloat16 ? 0x1p-7 : 0x1p-23;
}

#include "ops/formulas/optim/common.inc"
#include "ops/formulas/optim/lerp.inc"

/// One option as a rule wants it.
template <class N>
struct AnyOption {
  const N& n;
  operator N() const { return n; }
  operator Flag() const { return value(n) != 0; }
};

/// How many numbers the options of a signature are.
constexpr size_t count_values(const char* s) {
  size_t n = 0;
  while (*s) {
    while (*s == ' ' || *s == ',' || *s == ';' || *s == '*') ++s;
    bool is_switch = false;
    for (const char* name : {"foreach=", "capturable=", "differentiable=", "fused="}) {
      const char* a = s;
      const char* b = name;
      while (*b && *a == *b) ++a, ++b;
      is_switch |= !*b;
    }
    if (!is_switch && *s) ++n;
    for (int depth = 0; *s && (depth || (*s != ',' && *s != ';')); ++s) {
      depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
      n += *s == ',' && !is_switch;
    }
  }
  return n;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"  // AdamW holds an Adam
template <class Rule, class N, size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires(const N& n) { Rule{(void(I), AnyOption<N>{n})...}; };
}
template <class Rule, class N, size_t... I>
Rule make_rule(const N* values, std::index_sequence<I...>) {
  static_assert(takes<Rule, N>(std::make_index_sequence<sizeof...(I)>()) &&
                    !takes<Rule, N>(std::make_index_sequence<sizeof...(I) + 1>()),
                "the members of an optimiser are the options of its signature, in this order");
  return Rule{AnyOption<N>{values[I]}...};
}
#pragma GCC diagnostic pop
template <class Rule, class N>
Rule rule_of(const N* values) {
  return make_rule<Rule>(values, std::make_index_sequence<count_values(Rule::signature)>());
}

template <class N, class Rule>
auto step_of(const Rule& rule, N step, bool first, N* scalars) {
  constexpr int n = count_items(Rule::scalars);
  if constexpr (n == 0) return rule.at(first);
  else if constexpr (n == 1) return rule.at(step);
  else if constexpr (n == 2) return rule.at(step, scalars[0]);
  else return rule.at(step, scalars[0], scalars[1]);
}

template <class Rule>
const char* wrong_of(const double* values) {
  if constexpr (requires(const Rule& r) { r.wrong(); }) return rule_of<Rule>(values).wrong();
  else return nullptr;
}

template <class Rule>
void numbers_of(const double* values, optim::StepParam& item, void* numbers) {
  const auto step = step_of(rule_of<Rule>(values), static_cast<double>(item.step), item.first, item.scalars.data());
  static_assert(sizeof(step) <= kStepBytes && sizeof(step) % sizeof(double) == 0);
  std::memcpy(numbers, &step, sizeof(step));
}

inline Expr expr_of(const optim::Number& n) {
  if (const Tensor* t = std::get_if<Tensor>(&n)) return Expr(*t);
  return Expr(std::get<double>(n));
}
inline optim::Number number_of(const Expr& e) {
  if (e.is_tensor()) return e.tensor();
  return e.number();
}

template <class Rule, size_t... I>
void record_of(const optim::Number* options, const optim::StepParam& item, optim::Number* scalars,
               std::index_sequence<I...>) {
  std::vector<Expr> values;
  for (size_t i = 0; i < optim::kMaxOptions; ++i) values.push_back(expr_of(options[i]));
  Expr numbers[] = {expr_of(scalars[0]), expr_of(scalars[1])};
  const auto step = step_of(rule_of<Rule>(values.data()), Expr(static_cast<double>(item.step)), item.first, numbers);
  // What is saved for the derivatives are copies, since parameter and state are about to be written.
  Expr p(item.param->clone());
  Expr s[] = {(item.state[I] ? Expr(item.state[I]->clone()) : Expr::nothing())..., Expr::nothing()};
  const auto argument = [&]<size_t i>(std::integral_constant<size_t, i>) -> decltype(auto) {
    if constexpr (is_conditional(Rule::states, i)) return item.state[i] ? &s[i] : static_cast<Expr*>(nullptr);
    else return (s[i]);
  };
  step(p, Expr(*item.grad), argument(std::integral_constant<size_t, I>())...);
  item.param->copy_(p.tensor());
  ((item.state[I] ? void(item.state[I]->copy_(s[I].tensor())) : void()), ...);
  for (size_t i = 0; i < optim::kMaxScalars; ++i) scalars[i] = number_of(numbers[i]);
}
template <class Rule>
void record_of(const optim::Number* options, const optim::StepParam& item, optim::Number* scalars) {
  record_of<Rule>(options, item, scalars, std::make_index_sequence<count_items(Rule::states)>());
}

template <class Rule>
void whole_of(const double* values, const optim::StepParam& item) {
  static const Tensor none;
  const auto state = [&](size_t i) -> const Tensor& { return item.state[i] ? *item.state[i] : none; };
  rule_of<Rule>(values).whole(*item.param, *item.grad, static_cast<double>(item.step), state(0), state(1), state(2));
}

template <class Rule>
constexpr OptimizerRow describe(const char* name) {
  OptimizerRow row{};
  row.name = name, row.doc = Rule::doc, row.signature = Rule::signature, row.ranges = Rule::ranges;
  row.scalars = Rule::scalars, row.states = Rule::states;
  if constexpr (requires { Rule::base; }) row.base = Rule::base;
  if constexpr (requires { Rule::order; }) row.order = Rule::order;
  if constexpr (requires { Rule::eager; }) row.eager = Rule::eager;
  row.wrong = wrong_of<Rule>;
  return row;
}
template <template <class> class Rule>
constexpr OptimizerRow elementwise(const char* name, const StepKernels& (*kernels)()) {
  OptimizerRow row = describe<Rule<double>>(name);
  row.numbers = numbers_of<Rule<double>>, row.record = record_of<Rule<Expr>>, row.kernels = kernels;
  return row;
}
template <class Rule>
constexpr OptimizerRow on_tensors(const char* name) {
  OptimizerRow row = describe<Rule>(name);
  row.fresh = [](int i, const Tensor& p) { return Rule::fresh(i, p); };
  row.whole = whole_of<Rule>;
  return row;
}

template <int>
inline constexpr OptimizerRow row_at = {};
inline constexpr int kBefore = __COUNTER__;
// The macro leaves the namespace for a moment, because the tables live in taut::v2, v3 and v4.
#define OPTIMIZER(Name)                       \
  }                                           \
  TAUT_ISA_TABLE(StepKernels, Name##_kernels) \
  namespace steps {                           \
  template <>                                 \
  inline constexpr OptimizerRow row_at<__COUNTER__> = elementwise<Name>(#Name, Name##_kernels);
#define OPTIMIZER_ON_TENSORS(Name) \
  template <>                      \
  inline constexpr OptimizerRow row_at<__COUNTER__> = on_tensors<Name<double>>(#Name);
#include "ops/formulas/optim/all.inc"
#undef OPTIMIZER
#undef OPTIMIZER_ON_TENSORS
inline constexpr int kRows = __COUNTER__ - kBefore - 1;

}  // namespace steps
TAUT_ISA_TABLE(StepKernels, Lerp_kernels)
}  // namespace taut
