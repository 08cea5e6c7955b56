// A fingerprint of tensors: equal bits have equal ones, on every machine. docs/reproducibility.md says how to use it.
#pragma once
#include <string>
#include <vector>

#include "taut/serialize.h"

namespace taut {

/// 32 hexadecimal digits over dtype, shape and values (their bytes, in row-major order), whatever the strides: the
/// MurmurHash3_x64_128 of the values, seeded with that of a text such as "float32 [2, 3]". So -0.0 differs from 0.0,
/// and one NaN from another.
std::string fingerprint(const Tensor& tensor);
/// Over names and tensors, in the order of the names: the hash of the lines "<fingerprint> <name>\n".
std::string fingerprint(const OrderedDict<std::string, Tensor>& tensors);
/// A list: its names are "0", "1" and so on.
std::string fingerprint(const std::vector<Tensor>& tensors);
/// A module, by its state_dict; an optimiser, by its parameters and their state.
template <io::detail::Stateful T>
std::string fingerprint(const T& value) {
  const auto& from = io::detail::stateful(value);
  if constexpr (requires { from.parameters_and_state(); }) return fingerprint(from.parameters_and_state());
  else return fingerprint(io::detail::State(from.state_dict()));
}

/// Is TAUT_FINGERPRINT=<file> in the environment? Then a step of an optimiser ends with log_step, which appends the
/// line "<optimiser> <step> <fingerprint of its parameters>" to that file.
bool logs_steps();
void log_step(const std::string& optimizer, int64_t step, const std::vector<Tensor>& parameters);

}  // namespace taut
