// The public face of autograd: backward and grad with their checks, modes, and a tensor's autograd methods.
#include "taut/autograd.h"

#include <algorithm>

#include "autograd/engine.h"
#include "autograd/meta.h"

namespace taut {
using namespace autograd;

bool GradMode::is_enabled() { return thread_state.grad_mode; }
void GradMode::set_enabled(bool on) { thread_state.grad_mode = on; }

InferenceMode::InferenceMode(bool on) : before_(thread_state.inference), grad_before_(thread_state.grad_mode) {
  thread_state.inference = on;
  thread_state.grad_mode = !on;
}
InferenceMode::~InferenceMode() {
  thread_state.inference = before_;
  thread_state.grad_mode = grad_before_;
}
bool InferenceMode::is_enabled() { return thread_state.inference; }

namespace autograd {

bool AnomalyMode::is_enabled() { return global_state.anomaly; }
bool AnomalyMode::should_check_nan() { return global_state.check_nan; }
void AnomalyMode::set_enabled(bool on, bool check_nan) {
  global_state.anomaly = on;
  global_state.check_nan = check_nan;
}
DetectAnomalyGuard::DetectAnomalyGuard(bool check_nan) : before_(global_state.anomaly), check_before_(global_state.check_nan) {
  AnomalyMode::set_enabled(true, check_nan);
}
DetectAnomalyGuard::~DetectAnomalyGuard() { AnomalyMode::set_enabled(before_, check_before_); }

/// In words: why `t` has no graph.
static std::string why_no_graph(const Tensor& t) {
  const TensorImpl& i = *t.impl();
  switch (i.cut) {
    case Cut::Detach: return "`detach` cut it from the graph. Use the tensor from before detach().";
    case Cut::NoGrad:
      return str("`", i.cut_by, "` ran while recording was off (a NoGradGuard block), so nothing was recorded. Compute it outside that block.");
    case Cut::NotDifferentiable:
      return str("`", i.cut_by, "` has no derivative, and the graph ends there. Use a differentiable op in its place.");
    case Cut::Inference: return str("`", i.cut_by, "` ran in InferenceMode, where nothing is recorded. Compute it outside.");
    default: return "no input required grad. Call requires_grad_() on the tensors you want gradients for, before you use them.";
  }
}

static variable_list make_gradients(const variable_list& outputs, const variable_list& gradients) {
  check(gradients.empty() || gradients.size() == outputs.size(), "backward: got ", outputs.size(), " tensors and ", gradients.size(),
        " gradients");
  variable_list result;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& t = outputs[i];
    check(t.defined(), "backward: tensor ", i, " is undefined");
    if (!t.requires_grad())
      throw Error(str("element ", i, " of tensors does not require grad and does not have a grad_fn: the ", t.sizes(), " ", t.scalar_type(),
                      " tensor has no graph to go back through, because ", why_no_graph(t)));
    if (i < gradients.size() && gradients[i].defined()) {
      const Tensor& g = gradients[i];
      check(g.sizes() == t.sizes(), "Mismatch in shape: grad_output[", i, "] has a shape of ", g.sizes(), " and output[", i,
            "] has a shape of ", t.sizes(), ".");
      check(g.scalar_type() == t.scalar_type() || is_floating_point(g.scalar_type()), "Mismatch in dtype: grad_output[", i, "] is ", g.scalar_type(), " and output[", i, "] is ", t.scalar_type());
      result.push_back(g.scalar_type() == t.scalar_type() ? g : provided::cast(g, t.scalar_type()));
      continue;
    }
    if (t.numel() != 1)
      throw Error(str("grad can be implicitly created only for scalar outputs: tensor ", i, " has shape ", t.sizes(), " (made by ",
                      t.grad_fn() ? t.grad_fn()->name() : "a leaf",
                      "). Reduce it first (.sum() or .mean()), or pass a gradient of that shape to backward."));
    NoGradGuard guard;
    result.push_back(provided::ones_like(t));
  }
  return result;
}

static void check_inputs(const variable_list& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    check(inputs[i].defined(), "grad: input ", i, " is undefined");
    if (!inputs[i].requires_grad())
      throw Error(str("One of the differentiated Tensors does not require grad: input ", i, " of shape ", inputs[i].sizes(), ", because ",
                      why_no_graph(inputs[i])));
  }
}

void backward(const variable_list& tensors, const variable_list& grad_tensors, std::optional<bool> retain_graph, bool create_graph,
              const variable_list& inputs) {
  const variable_list gradients = make_gradients(tensors, grad_tensors);
  check_inputs(inputs);
  for (const Tensor& t : inputs) t.retain_grad();
  run_backward(tensors, gradients, retain_graph.value_or(create_graph), create_graph, inputs, true);
}

variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs,
                   std::optional<bool> retain_graph, bool create_graph, bool allow_unused, bool materialize_grads) {
  check(!inputs.empty(), "grad requires non-empty inputs.");
  const variable_list gradients = make_gradients(outputs, grad_outputs);
  check_inputs(inputs);
  variable_list result = run_backward(outputs, gradients, retain_graph.value_or(create_graph), create_graph, inputs, false);
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i].defined()) continue;
    if (materialize_grads) result[i] = provided::zeros(inputs[i].sizes(), inputs[i].scalar_type());
    else
      check(allow_unused, "One of the differentiated Tensors appears to not have been used in the graph: input ", i, " of shape ",
            inputs[i].sizes(), ". Set allow_unused=true if this is the desired behavior.");
  }
  return result;
}

namespace forward_ad {
int64_t enter_dual_level() {
  check(global_state.dual_level < 0, "Nested forward mode AD is not supported at the moment: exit the open dual level first. For higher "
                                     "derivatives combine forward mode with reverse mode.");
  ++global_state.dual_generation;
  return global_state.dual_level = 0;
}
void exit_dual_level(int64_t level) {
  check(global_state.dual_level == level, "exit_dual_level: trying to exit level ", level, " but the open one is ", global_state.dual_level);
  global_state.dual_level = -1;
  ++global_state.dual_generation;
}
static void check_level(int64_t level, const char* op) {
  check(global_state.dual_level >= 0, op, ": Trying to use forward AD outside of a dual level. Make a DualLevel first.");
  check(level == -1 || level == global_state.dual_level, op, ": level ", level, " is not open");
}
Tensor make_dual(const Tensor& primal, const Tensor& tangent, int64_t level) {
  check_level(level, "make_dual");
  check<TypeError>(primal.is_floating_point(), "make_dual: Expected primal to be floating point, got ", primal.scalar_type());
  check(tangent.sizes() == primal.sizes(), "make_dual: the tangent has shape ", tangent.sizes(), " and the primal ", primal.sizes());
  check(tangent.scalar_type() == primal.scalar_type(), "make_dual: the tangent is ", tangent.scalar_type(), " and the primal ", primal.scalar_type());
  check(!tangent_of(primal).defined(), "make_dual: the primal already carries a tangent");
  Tensor dual = provided::alias(primal);
  set_tangent(dual, tangent);
  return dual;
}
UnpackedDualTensor unpack_dual(const Tensor& dual, int64_t level) {
  check_level(level, "unpack_dual");
  Tensor tangent = tangent_of(dual);
  const bool before = std::exchange(thread_state.forward_off, true);
  Tensor primal = provided::alias(dual);
  thread_state.forward_off = before;
  return {primal, tangent};
}
}  // namespace forward_ad

std::pair<variable_list, variable_list> jvp(const std::function<variable_list(const variable_list&)>& f, const variable_list& inputs,
                                            const variable_list& tangents) {
  check(inputs.size() == tangents.size(), "jvp: got ", inputs.size(), " inputs and ", tangents.size(), " tangents");
  forward_ad::DualLevel level;
  variable_list duals;
  for (size_t i = 0; i < inputs.size(); ++i) duals.push_back(tangents[i].defined() ? forward_ad::make_dual(inputs[i], tangents[i]) : inputs[i]);
  std::pair<variable_list, variable_list> result;
  for (const Tensor& y : f(duals)) {
    auto [primal, tangent] = forward_ad::unpack_dual(y);
    result.first.push_back(primal);
    result.second.push_back(tangent.defined() ? tangent : provided::zeros(y.sizes(), y.scalar_type()));
  }
  return result;
}

}  // namespace autograd

// ---- Methods of Tensor.

bool Tensor::requires_grad() const { return impl_ && autograd::requires_grad(impl_); }
bool Tensor::is_leaf() const { return !current_grad_fn(impl_); }
Ref<Node> Tensor::grad_fn() const { return Ref<Node>::share(static_cast<Node*>(current_grad_fn(impl_).get())); }
int64_t Tensor::output_nr() const { return impl_->output_nr; }
bool Tensor::is_view() const { return static_cast<bool>(impl_->base); }
Tensor Tensor::_base() const {
  check(is_view(), "Can't get base of non-view Variable");
  impl_->base->retain();
  return Tensor::adopt(impl_->base.get());
}
uint32_t Tensor::_version() const {
  check(!impl_->inference, "Inference tensors do not track version counter.");
  return impl_->storage->version();
}
bool Tensor::is_inference() const { return impl_->inference; }

Tensor& Tensor::set_requires_grad(bool on) const {
  check(defined(), "requires_grad_: the tensor is undefined");
  check(is_floating_point() || !on, "only Tensors of floating point dtype can require gradients, this one is ", scalar_type(),
        ". Convert it first: x.to(taut::kFloat).");
  check(on || is_leaf(), "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph "
                         "that doesn't require differentiation use var_no_grad = var.detach().");
  check(!impl_->inference || !on || thread_state.inference, "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (is_leaf()) impl_->requires_grad = on;
  if (on) make_meta(impl_);
  return self();
}
const Tensor& Tensor::requires_grad_(bool on) const { return set_requires_grad(on); }

const Tensor& Tensor::grad() const { return mutable_grad(); }
Tensor& Tensor::mutable_grad() const {
  static thread_local Tensor none;
  AutogradMeta* m = impl_ ? find_meta(impl_) : nullptr;
  if (m) return m->grad;
  if (impl_ && !requires_grad()) {
    none.reset();
    return none;
  }
  check(defined(), "grad: the tensor is undefined");
  return make_meta(impl_).grad;
}

void Tensor::backward(OptionalTensor gradient, std::optional<bool> retain_graph, bool create_graph, std::optional<TensorList> inputs) const {
  autograd::backward({*this}, {gradient ? *gradient : Tensor()}, retain_graph, create_graph,
                     inputs ? inputs->vec() : variable_list());
}

void Tensor::retain_grad() const {
  check(requires_grad(), "can't retain_grad on Tensor that has requires_grad=False");
  if (is_leaf()) return;
  AutogradMeta& m = make_meta(impl_);
  if (m.retaining) return;
  Ref<Node> node = grad_fn();
  NodeExtra& extra = node->make_extra();
  std::lock_guard lock(extra.mutex);
  extra.retain.emplace_back(impl_->output_nr, &m);
  m.retaining = std::move(node);
}
bool Tensor::retains_grad() const {
  AutogradMeta* m = find_meta(impl_);
  return m && m->retaining;
}

unsigned Tensor::add_hook(std::function<Tensor(const Tensor&)> hook) const {
  check(requires_grad(), "cannot register a hook on a tensor that doesn't require gradient: ", sizes(), ", because ", autograd::why_no_graph(*this));
  Edge edge = gradient_edge(impl_);
  return edge.function->add_tensor_hook(edge.input_nr, std::move(hook));
}
unsigned Tensor::register_post_accumulate_grad_hook(std::function<void(const Tensor&)> hook) const {
  check(requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  check(is_leaf(), "post accumulate grad hooks cannot be registered on non-leaf tensors");
  AutogradMeta& m = make_meta(impl_);
  std::lock_guard lock(m.mutex);
  static std::atomic<unsigned> id{1u << 30};
  m.post_accumulate.emplace_back(id++, std::move(hook));
  return m.post_accumulate.back().first;
}
void Tensor::remove_hook(unsigned handle) const {
  Edge edge = gradient_edge(impl_);
  if (edge.function) edge.function->remove_hook(handle);
  if (AutogradMeta* m = find_meta(impl_)) std::erase_if(m->post_accumulate, [&](auto& h) { return h.first == handle; });
}

std::string explain_grad(const Tensor& x) {
  if (!x.defined()) return "the tensor is undefined, so it has no grad";
  const TensorImpl* impl = x.impl();
  AutogradMeta* m = find_meta(impl);
  if (m && m->grad.defined()) {
    return str("grad is defined: a ", m->grad.sizes(), " tensor",
               m->reached ? str(", last added to by backward call ", m->reached, " of ", backward_count()) : std::string(", set by hand"));
  }
  if (!x.requires_grad()) return str("grad is undefined: the tensor does not require grad, because ", autograd::why_no_graph(x));
  if (!x.is_leaf())
    return str("grad is undefined: the tensor is not a leaf (it was made by ", x.grad_fn()->name(), ", step ", x.grad_fn()->sequence_nr(),
               "), and backward fills the grad of leaves only. Call retain_grad() on it before backward.");
  const uint64_t since = m ? m->born : 0;
  if (backward_count() == since) return "grad is undefined: backward was not called since the tensor was made. Call backward() on the loss.";
  if (m && m->reached)
    return str("grad is undefined: backward reached the tensor (call ", m->reached, "), and its grad was reset since.");
  if (const char* op = m ? m->cut.load(std::memory_order_relaxed) : nullptr; op)
    return str("grad is undefined: the tensor went into `", op, "`, which cut the graph there (",
               std::string_view(op) == "detach" ? "detach drops the history" : "it ran under no_grad, or has no derivative",
               "), and the last backward did not reach it another way.");
  if (const char* op = last_cut())
    return str("grad is undefined: the last backward did not reach the tensor; its graph was cut at `", op, "`.");
  return "grad is undefined: the last backward did not reach the tensor: the loss was not computed from it.";
}

}  // namespace taut
