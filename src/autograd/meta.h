// What autograd keeps for one tensor, beside grad_fn.
#pragma once
#include <utility>
#include <vector>

#include "autograd/state.h"
#include "core/fork.h"
#include "core/tensor_impl.h"
#include "taut/autograd.h"
#include "taut/core/style.h"

namespace taut::autograd {

/// The end of the graph at a leaf: adds to .grad. It lives inside the leaf's meta and shares the leaf's count, so an
/// edge to it keeps the leaf alive.
class AccumulateGrad final : public Node {
 public:
  explicit AccumulateGrad(TensorImpl* leaf);
  const char* name() const override {
    return print_style() == PrintStyle::Cpp ? "torch::autograd::AccumulateGrad" : "AccumulateGrad";
  }
  void backward(Tensor* grads, Tensor* out) override;
  Tensor variable() const;
};

/// An owned pointer that is set once, while others may be looking.
template <class T>
class SetOnce {
 public:
  SetOnce() = default;
  ~SetOnce() { delete get(); }
  SetOnce(const SetOnce&) = delete;
  T* get() const { return p_.load(std::memory_order_acquire); }
  T* operator->() const { return get(); }
  explicit operator bool() const { return get() != nullptr; }
  void set(T* p) { p_.store(p, std::memory_order_release); }

 private:
  std::atomic<T*> p_{nullptr};
};

struct AutogradMeta final : AutogradMetaBase {
  ~AutogradMeta() override;
  Tensor grad;
  ObjectMutex mutex;  // guards grad and accumulator while several threads run backward
  SetOnce<AccumulateGrad> accumulator;
  std::vector<std::pair<unsigned, std::function<void(const Tensor&)>>> post_accumulate;
  std::vector<std::pair<unsigned, Ref<Node>>> hooked;  // hooks of a tensor that is no leaf, and where they sit
  Tensor tangent;                   // of a view: a copy of what the root says, see Note [Tangents of views]
  uint64_t tangent_generation = 0;  // the level it belongs to
  uint64_t tangent_version = 0;     // counts changes
  uint64_t root_version = 0;        // of a view: the root's tangent_version when this one was set
  Ref<TensorImpl> root;             // of a view of a dual tensor: that dual tensor
  bool own_root = false;            // a dual tensor, or a primal unpacked from one: a view, but its tangent is its own
  Ref<Node> retaining;              // the node whose gradient for this tensor goes into grad (retain_grad)
  TensorImpl* self = nullptr;
  uint64_t reached = 0;                   // the last backward that reached it
  uint64_t born = 0;                      // backward calls that had been made when the meta was made
  std::atomic<const char*> cut{nullptr};  // an op that used it and dropped its graph
  std::atomic<Cut> cut_kind{Cut::None};
  std::atomic<uint64_t> cut_step{0};
  void note_cut(Cut kind, const char* op) {
    if (cut.load(std::memory_order_relaxed) == op) return;  // no write to memory that other threads read
    cut_step.store(thread_state.step, std::memory_order_relaxed);
    cut_kind.store(kind, std::memory_order_relaxed);
    cut.store(op, std::memory_order_relaxed);
  }
};

/// The meta of a tensor, or null.
inline AutogradMeta* find_meta(const TensorImpl* t) {
  return static_cast<AutogradMeta*>(t->meta.load(std::memory_order_acquire));
}
/// The meta of a tensor, made on first use; safe when two threads come at once.
AutogradMeta& make_meta(TensorImpl* t);

/// Does it require grad: a leaf that was told to, or anything with a grad_fn.
bool requires_grad(const TensorImpl* t);
bool is_leaf(const TensorImpl* t);
/// "mul" for MulBackward0, "Square" for a custom Function of that name.
std::string op_name(const Node& node);
/// grad_fn; for a view whose base was written in place since, made anew. Throws when such a write was forbidden.
const Ref<GraphNode>& current_grad_fn(TensorImpl* t);
/// Where the gradient of `t` goes; empty when it needs none.
Edge gradient_edge(TensorImpl* t);
/// Gradients of output `nr` of `node` are to be like `t`.
void set_output(Node& node, uint32_t nr, const TensorImpl* t);
/// Makes `t` output `nr` of `node`.
void set_history(TensorImpl* t, const Ref<Node>& node, uint32_t nr);

/// To be called before `storage` is written: saved values that were promised to survive it get a copy.
void leave_copies_slowly(Storage& storage);
inline void leave_copies(Storage& storage) {
  if (storage.kept()) [[unlikely]]
    leave_copies_slowly(storage);
}
/// To be called before `t` is written: throws when autograd forbids it (a leaf that requires grad, a view made by
/// split, ...), then lets kept values leave copies.
void check_inplace(TensorImpl* t, const char* op);
/// Throws when `t` is a view of a kind that may not take part in the graph by a write: made under no_grad, by split,
/// ...
void check_rebase(TensorImpl* t, const char* op);
/// `t` was written in place and is now output `nr` of `node` (or constant when node is null).
void rebase_history(TensorImpl* t, const Ref<Node>& node, uint32_t nr);

/// The tangent of `t` at the open level; undefined when there is none.
Tensor tangent_of(const Tensor& t);
/// Is forward mode at work here? When not, nothing has a tangent.
inline bool forward_mode() {
  return global_state.dual_level >= 0 && !thread_state.forward_off && !thread_state.inference;
}
void set_tangent(const Tensor& t, Tensor tangent);
/// The tangent of `t` goes when the level is left.
void drop_tangent_at_exit(const Tensor& t);
void drop_saved_tangents();
/// The tensor whose tangent decides that of the view `t`; null when `t` has a tangent of its own.
TensorImpl* forward_root(const TensorImpl* t);
/// `view` was made from `t` while a level is open.
void set_forward_root(const TensorImpl* t, TensorImpl* view);

/// Hooks and names that few nodes have.
struct NodeExtra {
  struct TensorHook {
    unsigned id;
    uint32_t output;
    std::function<Tensor(const Tensor&)> call;
  };
  ObjectMutex mutex;
  std::vector<TensorHook> tensor_hooks;
  std::vector<std::pair<uint32_t, AutogradMeta*>> retain;  // outputs that keep their gradient
  std::vector<std::pair<uint32_t, HiddenDims>> hidden;     // of outputs that are batched
  std::vector<std::pair<unsigned, std::function<void(std::vector<Tensor>&)>>> pre;
  std::vector<std::pair<unsigned, std::function<void(std::vector<Tensor>&, const std::vector<Tensor>&)>>> post;
};

// What autograd needs of the ops above it, by contract rather than by name of a particular op; src/ops defines these.
namespace provided {
Tensor add(const Tensor& a, const Tensor& b);
/// a += b; both of one shape and dtype.
void add_into(const Tensor& a, const Tensor& b);
Tensor sum_to(const Tensor& t, IntArrayRef sizes);
/// Summed over the levels of vmap that `hidden` does not have: `all` of them, or those that are not at work any more.
Tensor sum_levels(const Tensor& t, const HiddenDims& hidden, bool all);
Tensor cast(const Tensor& t, ScalarType dtype);
Tensor ones_like(const Tensor& t);
Tensor zeros(IntArrayRef sizes, ScalarType dtype);
/// A dense copy, laid out like `like` where that is possible.
Tensor dense_copy(const Tensor& t, const Tensor& like);
Tensor detach(const Tensor& t);
/// A differentiable view of the whole of `t`.
Tensor alias(const Tensor& t);
/// How many elements are NaN or infinite.
int64_t count_non_finite(const Tensor& t, bool& has_nan);
/// `t` has the shape of `whole`: what it holds where `part`, a view of the same memory, lies.
Tensor part_of(const Tensor& t, const TensorImpl* whole, const TensorImpl* part);
/// A copy of `t` with `value` there.
Tensor with_part(const Tensor& t, const Tensor& value, const TensorImpl* whole, const TensorImpl* part);
/// The node that takes the gradient of `view` to its base.
Ref<Node> view_node(const TensorImpl* view);
/// The node of a base whose part seen by `view` was overwritten by output `nr` of `writer`.
Ref<Node> copy_slices(const TensorImpl* view, const Ref<Node>& writer, uint32_t nr);
}  // namespace provided

}  // namespace taut::autograd
