// Every optimiser as data: its options with their defaults and ranges, what it keeps for a parameter, and its step. The
// classes of C++ and of Python, what they check and save, and the tests come from it; each row is one file of
// src/ops/formulas/optim/.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "taut/tensor.h"

namespace taut {
struct OptimizerRow;
}
namespace taut::optim {

constexpr size_t kMaxStates = 4, kMaxScalars = 2, kMaxOptions = 12;

/// The numbers of all options in the order of the signature: a pair is two, a flag 0 or 1, None -inf.
using OptionValues = std::array<double, kMaxOptions>;
/// A number that may be a tensor, for steps that are recorded.
using Number = std::variant<double, Tensor>;

struct OptionInfo {
  enum class Kind : uint8_t { Number, Flag, Numbers, Switch };  // Switch: how to run it (foreach, fused, ...); no value
  std::string name, text;                                       // "betas", "(0.9, 0.999)"
  Kind kind;
  std::vector<double> defaults;
  size_t at = 0;       // where its values begin
  bool fixed = false;  // nobody can choose it
};
/// A tensor like the parameter, or a number, that is kept for each parameter.
struct StateInfo {
  std::string name;
  int condition = -1;  // the value that must not be 0 for it to be there
  int initial = -1;    // the value it begins with, or
  double constant = 0;
};
struct RangeInfo {
  size_t option;
  double low, high;
  bool low_in, high_in;  // are the ends allowed?
  std::string message;
};

class OptimizerInfo {
 public:
  explicit OptimizerInfo(const OptimizerRow& row);
  std::string name, op;   // "Adam", "_fused_adam_"
  std::string doc, base;  // base: the optimiser it is a special case of
  std::string signature;  // Python's
  std::vector<OptionInfo> options;
  std::vector<std::string> order;  // in which Python saves the options
  std::vector<RangeInfo> ranges;
  bool counts = false;  // does it keep the number of steps?
  std::vector<StateInfo> scalars, states;
  bool eager = false;       // Python makes the state at once
  bool elementwise = true;  // else states have shapes of their own, and steps are not recorded

  OptionValues defaults() const;
  /// What is wrong with these values: "Invalid learning rate: {lr}". A name in braces stands for the value.
  std::optional<std::string> wrong(const OptionValues& values) const;
  /// The same with values in it.
  std::optional<std::string> wrong_text(const OptionValues& values) const;
  /// The states that these options ask for, as bits.
  unsigned states_for(const OptionValues& values) const {
    unsigned mask = 0;
    for (size_t i = 0; i < states.size(); ++i)
      mask |= (states[i].condition < 0 || values[static_cast<size_t>(states[i].condition)] != 0 ? 1u : 0u) << i;
    return mask;
  }
  /// A state before the first step; undefined for a parameter that has none of this name.
  Tensor fresh_state(size_t i, const OptionValues& values, const Tensor& param) const;
  double fresh_scalar(size_t i, const OptionValues& values) const;
  const OptimizerRow& row() const { return *row_; }

 private:
  double initial(const StateInfo& s, const OptionValues& values) const {
    return s.initial < 0 ? s.constant : values[static_cast<size_t>(s.initial)];
  }
  const OptimizerRow* row_;
};

/// The names of all rows, sorted.
std::vector<std::string_view> optimizer_names();
/// Throws ValueError if there is none.
const OptimizerInfo& find_optimizer(std::string_view name);

/// One parameter in a step. The tensors are borrowed, all of one shape and dtype.
struct StepParam {
  const Tensor* param = nullptr;
  const Tensor* grad = nullptr;
  std::array<const Tensor*, kMaxStates> state = {};  // those the options ask for
  int64_t step = 1;                                  // counted from 1
  bool first = false;                                // was the state made just now?
  std::array<double, kMaxScalars> scalars = {};      // as they are; run_step writes what becomes of them
};

/// One step of all these parameters: one pass over memory, in place, with gradients off. No two tensors may share
/// memory. Everything is checked before anything is written.
void run_step(const OptimizerInfo& info, const OptionValues& values, StepParam* params, size_t count);
/// One step of one parameter by ops that autograd records, in place; options and scalars may be tensors.
void record_step(const OptimizerInfo& info, const std::array<Number, kMaxOptions>& values, const StepParam& param,
                 std::array<Number, kMaxScalars>& scalars);

}  // namespace taut::optim
