// Nodes, saved values, and a tensor's place in the graph.
#include "taut/autograd/node.h"

#include <algorithm>

#include "autograd/engine.h"
#include "autograd/meta.h"
#include "autograd/state.h"

namespace taut::autograd {

constinit thread_local ThreadState thread_state;
GlobalState global_state;

Node::Node(uint32_t outputs, Edge* edges, uint32_t edge_count)
    : edge_count_(edge_count), edges_(edges), sequence_(thread_state.step), outputs_(outputs) {}
Node::~Node() { delete extra(); }
void* Node::operator new(size_t bytes) { return allocate(bytes); }
void Node::operator delete(void* p, size_t bytes) { deallocate(p, bytes); }

std::vector<std::pair<Ref<Node>, uint32_t>> Node::next_functions() const {
  std::vector<std::pair<Ref<Node>, uint32_t>> result;
  for (uint32_t j = 0; j < edge_count_; ++j) result.emplace_back(edges_[j].function, edges_[j].input_nr);
  return result;
}

void Node::set_output_info(uint32_t i, IntArrayRef sizes, ScalarType dtype) {
  if (i > 0 && !more_) more_ = std::make_unique<OutputInfo[]>(outputs_ - 1);
  (i == 0 ? sizes_ : more_[i - 1].sizes).assign(sizes);
  (i == 0 ? dtype_ : more_[i - 1].dtype) = dtype;
}

NodeExtra& Node::make_extra() {
  if (NodeExtra* e = extra()) return *e;
  auto made = std::make_unique<NodeExtra>();
  NodeExtra* expected = nullptr;
  return extra_.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel) ? *made.release() : *expected;
}

static unsigned next_hook_id() {
  static std::atomic<unsigned> id{0};
  return id++;
}
unsigned Node::add_pre_hook(std::function<void(std::vector<Tensor>&)> hook) {
  const unsigned id = next_hook_id();
  NodeExtra& extra = make_extra();
  std::lock_guard lock(extra.mutex);
  extra.pre.emplace_back(id, std::move(hook));
  return id;
}
unsigned Node::add_post_hook(std::function<void(std::vector<Tensor>&, const std::vector<Tensor>&)> hook) {
  const unsigned id = next_hook_id();
  NodeExtra& extra = make_extra();
  std::lock_guard lock(extra.mutex);
  extra.post.emplace_back(id, std::move(hook));
  return id;
}
unsigned Node::add_tensor_hook(uint32_t output, std::function<Tensor(const Tensor&)> hook) {
  check<IndexError>(output < outputs_, "add_tensor_hook: output ", output, " of ", name(), ", which has ", outputs_);
  const unsigned id = next_hook_id();
  NodeExtra& extra = make_extra();
  std::lock_guard lock(extra.mutex);
  extra.tensor_hooks.push_back({id, output, std::move(hook)});
  return id;
}
void Node::remove_hook(unsigned handle) {
  NodeExtra* extra = this->extra();
  if (!extra) return;
  std::lock_guard lock(extra->mutex);
  std::erase_if(extra->tensor_hooks, [&](auto& h) { return h.id == handle; });
  std::erase_if(extra->pre, [&](auto& h) { return h.first == handle; });
  std::erase_if(extra->post, [&](auto& h) { return h.first == handle; });
}

bool Node::wants(uint32_t j) const {
  const Ref<Node>& next = edges_[j].function;
  return next && (!thread_state.task || is_needed(*thread_state.task, next.get()));
}

// ---- Saved values.

SavedValue::SavedValue(const Tensor& t, bool is_output) : is_output_(is_output ? 1 : 0) {
  if (!t.defined()) return;
  TensorImpl* impl = t.impl();
  version_ = impl->storage->version();
  output_nr_ = impl->output_nr & 0x7fffffff;
  if (!is_output) {
    tensor_ = t;
    return;
  }
  tensor_ = Tensor::adopt(make_alias(*impl, impl->sizes, impl->strides, impl->data).detach());  // Note [No cycles]
  if (Tensor tangent = tangent_of(t); tangent.defined()) autograd::set_tangent(tensor_, tangent);
}

void SavedValue::set_tangent(const Tensor& tangent) {
  if (tensor_.defined() && is_output_) autograd::set_tangent(tensor_, tangent);
}

Tensor SavedValue::unpack(Node* owner, const Edge* edge) const {
  if (!tensor_.defined()) {
    throw Error(str("Trying to backward through the graph a second time (or directly access saved tensors after they have "
                    "already been freed): what `", owner->name(), "` (step ", owner->sequence_nr(),
                    ") had saved was freed by the first backward. Specify retain_graph=true in the first call if you need "
                    "to backward twice, or compute the loss again."));
  }
  TensorImpl* impl = tensor_.impl();
  const Storage& storage = *impl->storage;
  if (storage.version() != version_) [[unlikely]] {
    std::string writer = storage.writer() ? str("; `", storage.writer(), "` (step ", storage.writer_step(), ") wrote it. Use `",
                                                std::string(storage.writer()).substr(0, std::string(storage.writer()).find_last_not_of('_') + 1),
                                                "` instead of `", storage.writer(), "`, or clone before writing.")
                                          : ". Clone before writing.";
    throw Error(str("one of the variables needed for gradient computation has been modified by an inplace operation: the ",
                    IntArrayRef(impl->sizes), " ", impl->dtype, is_output_ ? " result of `" : " input of `", owner->name(),
                    "` (step ", owner->sequence_nr(), ") was saved for backward at version ", version_, " and is at version ",
                    storage.version(), writer));
  }
  if (!thread_state.grad_mode && !is_output_) return tensor_;
  if (is_output_) {
    if (!thread_state.grad_mode && global_state.dual_level < 0) return tensor_;
    ImplPtr alias = make_alias(*impl, impl->sizes, impl->strides, impl->data);
    alias->grad_fn = Ref<GraphNode>::share(owner);
    alias->output_nr = output_nr_;
    Tensor t = Tensor::adopt(alias.detach());
    if (Tensor tangent = tangent_of(tensor_); tangent.defined()) autograd::set_tangent(t, tangent);
    return t;
  }
  // An input whose history was changed since without a write (detach_, requires_grad_): give it the one it had.
  if (edge && !(gradient_edge(impl) == *edge)) {
    ImplPtr alias = make_alias(*impl, impl->sizes, impl->strides, impl->data);
    if (edge->function) {
      alias->grad_fn = Ref<GraphNode>::share(edge->function.get());
      alias->output_nr = edge->input_nr;
    }
    return Tensor::adopt(alias.detach());
  }
  return tensor_;
}

// ---- A tensor's place in the graph.

AutogradMeta::~AutogradMeta() {
  if (retaining && retaining->extra()) {
    std::lock_guard lock(retaining->extra()->mutex);
    std::erase_if(retaining->extra()->retain, [&](auto& r) { return r.second == this; });
  }
}

AutogradMeta& make_meta(TensorImpl* t) {
  if (AutogradMeta* m = find_meta(t)) return *m;
  auto* made = new AutogradMeta;
  made->self = t;
  made->born = backward_count();
  AutogradMetaBase* expected = nullptr;
  if (t->meta.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *static_cast<AutogradMeta*>(expected);
}

const Ref<GraphNode>& current_grad_fn(TensorImpl* t) {
  if (t->base && t->attr_version != t->storage->version()) [[unlikely]] {
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    const uint32_t version = t->storage->version();
    if (t->attr_version != version) {
      if (requires_grad(t->base.get()) && is_floating_point(t->dtype)) {
        Ref<Node> node = provided::view_node(t);
        t->grad_fn = Ref<GraphNode>::adopt(node.detach());
        t->output_nr = 0;
      }
      t->attr_version = version;
    }
  }
  return t->grad_fn;
}

bool requires_grad(const TensorImpl* t) {
  return t->requires_grad || current_grad_fn(const_cast<TensorImpl*>(t));
}

Edge gradient_edge(TensorImpl* t) {
  if (const Ref<GraphNode>& fn = current_grad_fn(t)) return {Ref<Node>::share(static_cast<Node*>(fn.get())), t->output_nr};
  if (!t->requires_grad) return {};
  AutogradMeta& m = make_meta(t);
  if (!m.accumulator) {
    std::lock_guard lock(m.mutex);
    if (!m.accumulator) m.accumulator = std::make_unique<AccumulateGrad>(t);
  }
  return {Ref<Node>::share(m.accumulator.get()), 0};
}

void set_history(TensorImpl* t, const Ref<Node>& node, uint32_t nr) {
  node->set_output_info(nr, t->sizes, t->dtype);
  t->grad_fn = Ref<GraphNode>::share(node.get());
  t->output_nr = nr;
}

void check_inplace(TensorImpl* t, const char* op) {
  if (t->inference && !thread_state.inference)
    throw Error(str(op, ": Inplace update to inference tensor outside InferenceMode is not allowed. You can make a clone to get "
                        "a normal tensor before doing inplace update."));
  if (!thread_state.grad_mode) return;
  const bool view = static_cast<bool>(t->base);
  if (view && requires_grad(t)) {
    if (t->base->requires_grad && !t->base->grad_fn)
      throw Error(str("a view of a leaf Variable that requires grad is being used in an in-place operation: `", op,
                      "` on a view of shape ", IntArrayRef(t->sizes), " of a leaf of shape ", IntArrayRef(t->base->sizes),
                      ". Do it inside a NoGradGuard block, or on a clone()."));
    if (t->view_kind == ViewKind::MultiOutput)
      throw Error(str(op, ": Output ", t->output_nr, " of ", static_cast<Node*>(t->grad_fn.get())->name(),
                      " is a view and is being modified inplace. This view is the output of a function that returns multiple "
                      "views. Such functions do not allow the output views to be modified inplace. You should replace the "
                      "inplace operation by an out-of-place one."));
    if (t->view_kind == ViewKind::NoGradMade)
      throw Error(str(op, ": A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that "
                          "this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
                          "the view and the inplace either both inside the no_grad block (if you don't want the inplace to be "
                          "tracked) or both outside (if you want the inplace to be tracked)."));
    return;
  }
  if (t->requires_grad && !t->grad_fn)
    throw Error(str("a leaf Variable that requires grad is being used in an in-place operation: `", op, "` would overwrite a leaf of shape ",
                    IntArrayRef(t->sizes), " whose gradient you asked for. Do it inside a NoGradGuard block (as optimisers do), "
                    "or use the op without the underscore."));
}

void rebase_history(TensorImpl* t, const Ref<Node>& node, uint32_t nr, const char* op) {
  (void)op;
  if (t->base) {
    if (node) {
      TensorImpl* base = t->base.get();
      Ref<Node> slices = provided::copy_slices(t, node, nr);
      set_history(base, slices, 0);
    }
    return;  // attr_version is behind now: the view's own grad_fn is made when somebody asks
  }
  if (!node) return;
  // retain_grad follows the tensor to its new node.
  if (AutogradMeta* m = find_meta(t); m && m->retaining) {
    {
      std::lock_guard lock(m->retaining->extra()->mutex);
      std::erase_if(m->retaining->extra()->retain, [&](auto& r) { return r.second == m; });
    }
    NodeExtra& extra = node->make_extra();
    extra.retain.emplace_back(nr, m);
    m->retaining = node;
  }
  set_history(t, node, nr);
}

// ---- Forward mode.

Tensor tangent_of(const Tensor& t) {
  if (global_state.dual_level < 0 || thread_state.forward_off) return {};
  AutogradMeta* m = find_meta(t.impl());
  return m && m->tangent_generation == global_state.dual_generation ? m->tangent : Tensor();
}
void set_tangent(const Tensor& t, Tensor tangent) {
  AutogradMeta& m = make_meta(t.impl());
  m.tangent = std::move(tangent);
  m.tangent_generation = global_state.dual_generation;
}

// ---- The leaf.

AccumulateGrad::AccumulateGrad(TensorImpl* leaf) : Node(1, nullptr, 0) {
  owner_ = leaf;
  sequence_ = UINT64_MAX;  // leaves first, as in PyTorch
  set_output_info(0, leaf->sizes, leaf->dtype);
}

Tensor AccumulateGrad::variable() const {
  owner_->retain();
  return Tensor::adopt(owner_);
}

/// May `grad` become .grad of `variable` as it is: dense, and laid out like it?
static bool same_layout(const TensorImpl& grad, const TensorImpl& variable) {
  for (size_t d = 0; d < grad.sizes.size(); ++d)
    if (grad.sizes[d] != 1 && grad.strides[d] != variable.strides[d]) return false;
  return true;
}

void AccumulateGrad::backward(Tensor* grads, Tensor*) {
  if (!grads[0].defined() || !owner_->requires_grad) return;
  AutogradMeta& m = *find_meta(owner_);
  Tensor g = std::move(grads[0]);
  {
    std::lock_guard lock(m.mutex);
    m.reached = backward_count();
    if (!m.grad.defined()) {
      if (!thread_state.grad_mode && g.impl()->refs.count() == 1 && g.impl()->storage->unique() && !g.impl()->base &&
          same_layout(*g.impl(), *owner_))
        m.grad = g.requires_grad() ? provided::detach(g) : std::move(g);
      else m.grad = provided::dense_copy(g, variable());
    } else if (!thread_state.grad_mode) {
      provided::add_into(m.grad, g);
    } else {
      m.grad = provided::add(m.grad, g);
    }
  }
  for (auto& hook : std::vector(m.post_accumulate)) hook.second(variable());
}

}  // namespace taut::autograd
