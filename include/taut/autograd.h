// Gradients: the graph, backward, modes, hooks, custom Functions, forward mode.
#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "taut/autograd/containers.h"
#include "taut/autograd/node.h"
#include "taut/tensor.h"

namespace taut {

/// Is the graph being recorded in this thread?
struct GradMode {
  static bool is_enabled();
  static void set_enabled(bool on);
};
/// Within its scope recording is on or off.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool on) : before_(GradMode::is_enabled()) { GradMode::set_enabled(on); }
  ~AutoGradMode() { GradMode::set_enabled(before_); }
  AutoGradMode(const AutoGradMode&) = delete;

 private:
  bool before_;
};
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};
struct EnableGradGuard : AutoGradMode {
  EnableGradGuard() : AutoGradMode(true) {}
};

/// No graph, no version counters: tensors made here can never take part in autograd.
class InferenceMode {
 public:
  explicit InferenceMode(bool on = true);
  ~InferenceMode();
  InferenceMode(const InferenceMode&) = delete;
  static bool is_enabled();

 private:
  bool before_, grad_before_;
};

namespace autograd {

using Variable = Tensor;
using variable_list = std::vector<Tensor>;
using tensor_list = variable_list;

/// Sums gradients of `tensors` into the leaves. `grad_tensors` may be left out for tensors with one element.
void backward(const variable_list& tensors, const variable_list& grad_tensors = {},
              std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
              const variable_list& inputs = {});
/// The gradients of `outputs` with respect to `inputs`; nothing is accumulated.
variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs = {},
                   std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                   bool allow_unused = false, bool materialize_grads = false);

/// While it lives, the first op that makes a NaN or an infinity throws, forward or backward.
class DetectAnomalyGuard {
 public:
  explicit DetectAnomalyGuard(bool check_nan = true);
  ~DetectAnomalyGuard();
  DetectAnomalyGuard(const DetectAnomalyGuard&) = delete;

 private:
  bool before_, check_before_;
};
struct AnomalyMode {
  static bool is_enabled();
  static bool should_check_nan();
  static void set_enabled(bool on, bool check_nan = true);
};

using taut::IValue;

/// What a custom Function keeps between forward and backward.
class AutogradContext {
 public:
  void save_for_backward(variable_list to_save) { to_save_ = std::move(to_save); }
  /// For jvp, where they are the saved tensors.
  void save_for_forward(variable_list to_save) { for_forward_ = std::move(to_save); }
  /// The saved tensors; throws when one was overwritten since, or when the graph was freed.
  variable_list get_saved_variables() const;
  void mark_dirty(const variable_list& inputs) { dirty_ = inputs; }
  void mark_non_differentiable(const variable_list& outputs) { non_differentiable_ = outputs; }
  void set_materialize_grads(bool value) { materialize_grads_ = value; }
  /// Is the gradient of this input wanted? Inputs are the tensor arguments of forward, counted from 0.
  bool needs_input_grad(size_t index) const;
  /// Of any input in one of the ranges [first, second)?
  bool needs_input_grad(std::initializer_list<std::pair<size_t, size_t>> ranges) const;
  /// Anything that is not a tensor, by name.
  std::unordered_map<std::string, IValue> saved_data;

 private:
  friend struct FunctionNode;
  variable_list to_save_, for_forward_, dirty_, non_differentiable_;
  struct FunctionNode* node_ = nullptr;
  bool materialize_grads_ = true, in_jvp_ = false;
};

/// The graph node of a custom Function; `Function<T>::apply` makes it.
struct FunctionNode : Node {
  using Derivative = variable_list (*)(AutogradContext*, variable_list);
  FunctionNode(const char* type, Derivative backward, Derivative jvp = nullptr);
  ~FunctionNode() override;
  const char* name() const override;
  void backward(Tensor* grads, Tensor* out) override;
  void release_variables() override;
  /// While forward runs, what it does is not recorded.
  class Forward {
   public:
    Forward();
    ~Forward();
    Forward(const Forward&) = delete;

   private:
    bool grad_mode_, forward_off_;
  };
  /// Collects the inputs that forward is about to see.
  void add_input(const Tensor& t, bool is_variable);
  /// Wires outputs to the graph after forward ran.
  void finish(variable_list& outputs);
  AutogradContext context;

 private:
  friend class AutogradContext;
  const char* type_;
  Derivative backward_, jvp_;
  variable_list inputs_;
  std::vector<bool> is_variable_;
  std::vector<SavedValue> saved_;
  std::vector<Edge> edges_store_;
  bool recording_ = false, finished_ = false, probing_ = false;
  std::atomic<bool> freed_{false};
  void check_dirty(const Tensor& t, const variable_list& outputs) const;
  void forward_mode(variable_list& outputs);
  void forward_mode_by_jvp(variable_list& outputs);
  variable_list call_backward(variable_list grads);
};

/// A user-defined op:
///   struct Square : taut::autograd::Function<Square> {
///     static Tensor forward(AutogradContext* ctx, Tensor x) { ctx->save_for_backward({x}); return x * x; }
///     static variable_list backward(AutogradContext* ctx, variable_list g) {
///       return {g[0] * 2 * ctx->get_saved_variables()[0]};
///     }
///   };
///   Tensor y = Square::apply(x);
/// Forward mode follows from backward. A Function that computes it otherwise has a `jvp` too, which gets the tangents
/// of the arguments of forward and returns those of its results.
template <class T>
struct Function {
  template <class X = T, class... Args>
  static auto apply(Args&&... args) {
    using Result = decltype(X::forward(static_cast<AutogradContext*>(nullptr), std::forward<Args>(args)...));
    FunctionNode::Derivative jvp = nullptr;
    if constexpr (requires { &X::jvp; }) jvp = &X::jvp;
    auto node = Ref<FunctionNode>::adopt(new FunctionNode(typeid(X).name(), &X::backward, jvp));
    (collect(*node, args), ...);
    Result result;
    {
      FunctionNode::Forward scope;
      result = X::forward(&node->context, std::forward<Args>(args)...);
    }
    if constexpr (std::is_same_v<Result, Tensor>) {
      variable_list outputs{std::move(result)};
      node->finish(outputs);
      return Tensor(outputs[0]);
    } else {
      node->finish(result);
      return result;
    }
  }

 private:
  template <class A>
  static void collect(FunctionNode& node, const A& arg) {
    if constexpr (std::is_convertible_v<const A&, const Tensor&>) node.add_input(arg, true);
    else if constexpr (std::is_same_v<A, std::optional<Tensor>>)
      node.add_input(arg.value_or(Tensor()), arg && arg->defined());
    else if constexpr (std::is_convertible_v<const A&, TensorList>)
      for (const Tensor& t : TensorList(arg)) node.add_input(t, true);
    else node.add_input({}, false);
  }
};

/// Compares the gradients of `f` with finite differences, in float64; throws with both values when they differ.
bool gradcheck(const std::function<variable_list(const variable_list&)>& f, const variable_list& inputs,
               double eps = 1e-6, double atol = 1e-5, double rtol = 1e-3, bool raise_exception = true);
/// The same for second derivatives.
bool gradgradcheck(const std::function<variable_list(const variable_list&)>& f, const variable_list& inputs,
                   const variable_list& grad_outputs = {}, double eps = 1e-6, double atol = 1e-5, double rtol = 1e-3,
                   bool raise_exception = true);

/// Forward mode: a level within which tensors may carry a tangent.
namespace forward_ad {
int64_t enter_dual_level();
void exit_dual_level(int64_t level);
class DualLevel {
 public:
  DualLevel() : level_(enter_dual_level()) {}
  ~DualLevel();
  DualLevel(const DualLevel&) = delete;
  int64_t level() const { return level_; }

 private:
  int64_t level_;
};
/// `primal` carrying `tangent` at the innermost level (or at `level`).
Tensor make_dual(const Tensor& primal, const Tensor& tangent, int64_t level = -1);
struct UnpackedDualTensor {
  Tensor primal, tangent;  // tangent is undefined when there is none
};
UnpackedDualTensor unpack_dual(const Tensor& dual, int64_t level = -1);
}  // namespace forward_ad

/// f(inputs) and its derivative in the direction `tangents`.
std::pair<variable_list, variable_list> jvp(const std::function<variable_list(const variable_list&)>& f,
                                            const variable_list& inputs, const variable_list& tangents);

}  // namespace autograd

/// In words: why x.grad() is what it is.
std::string explain_grad(const Tensor& x);

}  // namespace taut
