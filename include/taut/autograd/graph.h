// Hooks on what is kept for backward: a program may keep tensors in a form of its own.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "taut/autograd/node.h"
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
/// Until it is called again: push_saved_hooks throws an error with this text. Returns the text of before.
std::optional<std::string> forbid_saved_hooks(std::optional<std::string> text);

/// Calls it when the backward that runs in this thread has run all its nodes.
void queue_callback(std::function<void()> callback);

namespace graph {

/// Where the gradient of a tensor goes, of a leaf too; empty when it needs none.
Edge get_gradient_edge(const Tensor& tensor);

/// Within its scope, what is kept for backward goes through two functions. pack(tensor) returns anything, which is kept
/// in the place of the tensor; unpack of that must give the tensor, or another one of its shape, back:
///   saved_tensors_hooks hooks([](const Tensor& t) { return t.to(kHalf); }, [](const Tensor& t) { return t.to(kFloat);
///   });
class saved_tensors_hooks {
 public:
  template <class Pack, class Unpack>
  saved_tensors_hooks(Pack pack, Unpack unpack) {
    using Packed = std::decay_t<std::invoke_result_t<Pack&, const Tensor&>>;
    auto hooks = std::make_shared<SavedHooks>();
    hooks->pack = [pack = std::move(pack)](const Tensor& t) mutable { return std::make_shared<Packed>(pack(t)); };
    hooks->unpack = [unpack = std::move(unpack)](const std::shared_ptr<void>& packed) mutable -> Tensor {
      return unpack(*static_cast<Packed*>(packed.get()));
    };
    push_saved_hooks(std::move(hooks));
  }
  explicit saved_tensors_hooks(std::shared_ptr<const SavedHooks> hooks) { push_saved_hooks(std::move(hooks)); }
  ~saved_tensors_hooks() { pop_saved_hooks(); }
  saved_tensors_hooks(const saved_tensors_hooks&) = delete;
};

/// Keeps what is saved on the CPU, where all tensors are: hooks that change nothing.
struct save_on_cpu : saved_tensors_hooks {
  explicit save_on_cpu(bool pin_memory = false);
};

/// Within its scope, saved_tensors_hooks throws an error with this message.
class disable_saved_tensors_hooks {
 public:
  explicit disable_saved_tensors_hooks(std::string error_message)
      : before_(forbid_saved_hooks(std::move(error_message))) {}
  ~disable_saved_tensors_hooks() { forbid_saved_hooks(std::move(before_)); }
  disable_saved_tensors_hooks(const disable_saved_tensors_hooks&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace graph
}  // namespace taut::autograd
