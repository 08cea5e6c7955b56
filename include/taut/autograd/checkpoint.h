// Checkpointing: the tensors within a function are computed again in backward instead of being kept.
#pragma once
#include <concepts>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "taut/core/error.h"
#include "taut/tensor.h"

namespace taut::utils {

/// The second run of a function did not do what the first one did.
class CheckpointError : public Error {
 public:
  using Error::Error;
};

struct CheckpointOptions {
  bool preserve_rng_state = true;  // does the second run draw the random numbers of the first one?
  bool determinism_check = true;   // must it save tensors of the same shapes and dtypes?
  bool early_stop = true;          // may it end with the last tensor that is needed?
};

namespace detail {
using TensorFunction = std::function<void(const std::vector<Tensor>&)>;
/// Runs `first` on the tensors, without keeping what its backward needs: for that `again` runs on copies of them, which
/// share their memory.
void run_checkpoint(const TensorFunction& first, TensorFunction again, const std::vector<Tensor>& tensors,
                    const CheckpointOptions& options);
}  // namespace detail

/// function(inputs), without keeping what its backward needs: it runs once more then, with the same random numbers.
template <class F>
requires std::invocable < F&, const std::vector<Tensor>
& > auto checkpoint(F function, const std::vector<Tensor>& inputs, const CheckpointOptions& options = {}) {
  std::optional<std::invoke_result_t<F&, const std::vector<Tensor>&>> result;
  detail::run_checkpoint([&](const std::vector<Tensor>& t) { result.emplace(function(t)); },
                         [function](const std::vector<Tensor>& t) mutable { function(t); }, inputs, options);
  return *std::move(result);
}
/// The same for a function of some tensors: `checkpoint([&](const Tensor& x) { return block->forward(x); }, x)`.
template <class F, std::convertible_to<Tensor>... Inputs>
requires(sizeof...(Inputs) > 0) auto checkpoint(F function, const Inputs&... inputs) {
  return checkpoint(
      [function](const std::vector<Tensor>& t) mutable {
        return [&]<size_t... I>(std::index_sequence<I...>) { return function(t[I]...); }
        (std::index_sequence_for<Inputs...>());
      },
      std::vector<Tensor>{inputs...});
}

/// Functions in turn, in segments, of which all but the last are checkpointed.
Tensor checkpoint_sequential(const std::vector<std::function<Tensor(const Tensor&)>>& functions, int64_t segments,
                             const Tensor& input, const CheckpointOptions& options = {});
/// The modules of a Sequential.
template <class Sequential>
requires requires(Sequential s) { s->begin()->template forward<Tensor>(Tensor()); }
Tensor checkpoint_sequential(Sequential modules, int64_t segments, const Tensor& input,
                             const CheckpointOptions& options = {}) {
  std::vector<std::function<Tensor(const Tensor&)>> functions;
  for (auto module : *modules)
    functions.push_back([module](const Tensor& x) mutable { return module.template forward<Tensor>(x); });
  return checkpoint_sequential(functions, segments, input, options);
}

}  // namespace taut::utils
