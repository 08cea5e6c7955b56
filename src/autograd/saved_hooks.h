// Hooks on what is kept for backward: a program may keep tensors in a form of its own.
#pragma once
#include <functional>
#include <memory>

#include "taut/tensor.h"

namespace taut::autograd {

struct SavedHooks {
  /// Takes a tensor that is to be kept, and returns what to keep in its place.
  std::function<std::shared_ptr<void>(const Tensor&)> pack;
  /// The tensor again.
  std::function<Tensor(const std::shared_ptr<void>&)> unpack;
};

/// Until pop_saved_hooks, what the ops of this thread keep goes through these hooks. The innermost hooks count.
void push_saved_hooks(std::shared_ptr<const SavedHooks> hooks);
void pop_saved_hooks();
/// How many are open in this thread.
size_t saved_hooks_open();

}  // namespace taut::autograd
