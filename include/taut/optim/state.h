// What optimisers and schedulers save: a flat list of names and tensors, ready for any file format.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "taut/tensor.h"
#include "taut/tensor_dict.h"

namespace taut::optim {

/// Names and tensors in a fixed order: "state.0.exp_avg", "param_groups.0.lr". A number is a 0-d tensor (float64, int64
/// or bool), a list of numbers has one dimension, a text is its bytes (uint8). What is absent is not in the list. The
/// tensors of a parameter's state are shared with the optimiser, as PyTorch's are: clone() what is to outlive a step.
using StateDict = OrderedDict<std::string, Tensor>;

/// One named value of options, of a parameter's state or of a scheduler. The list of them is all that saving, loading
/// and comparing need to know.
struct Field {
  using Value = std::variant<double*, bool*, int64_t*, std::optional<int64_t>*, std::optional<std::string>*,
                             std::tuple<double, double>*, std::tuple<double, double, double>*, std::vector<double>*,
                             std::vector<int64_t>*, Tensor*, std::deque<Tensor>*>;
  const char* name;
  Value value;
  bool required = true;    // a tensor: may it be undefined?
  bool like_param = true;  // a tensor: has it the shape of its parameter?
  bool saved = true;
};
using Fields = std::vector<Field>;

/// Adds the values under prefix + name.
void save_fields(const std::string& prefix, const Fields& fields, StateDict& dict);
/// Reads what save_fields wrote; throws, naming the key, when one is missing or of the wrong kind. Keys that were read
/// are added to `used`. Tensors are copied.
void load_fields(const std::string& prefix, const Fields& fields, const StateDict& dict,
                 std::vector<std::string>& used);
/// Throws unless every key of `dict` that starts with `prefix` is in `used`.
void check_all_used(const std::string& prefix, const StateDict& dict, std::vector<std::string> used, const char* who);

}  // namespace taut::optim
