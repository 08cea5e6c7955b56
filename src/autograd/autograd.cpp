// The public face of autograd: backward and grad with their checks, modes, and a tensor's autograd methods.
#include "taut/autograd.h"

#include <algorithm>

#include "autograd/engine.h"
#include "autograd/meta.h"
#include "taut/core/runtime.h"

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

// Both in node.cpp.
unsigned next_hook_id();
/// Throws when no hook was ever given this handle.
void check_hook(unsigned handle);

bool AnomalyMode::is_enabled() { return global_state.anomaly; }
bool AnomalyMode::should_check_nan() { return global_state.check_nan; }
void AnomalyMode::set_enabled(bool on, bool check_nan) {
  global_state.anomaly = on;
  global_state.check_nan = check_nan;
}
DetectAnomalyGuard::DetectAnomalyGuard(bool check_nan)
    : before_(global_state.anomaly), check_before_(global_state.check_nan) {
  AnomalyMode::set_enabled(true, check_nan);
}
DetectAnomalyGuard::~DetectAnomalyGuard() { AnomalyMode::set_enabled(before_, check_before_); }

/// In words: what cut the graph off.
static std::string cut_in_words(Cut kind, const char* op, uint64_t step) {
  const std::string who = str("`", op, "` (step ", step, ")");
  switch (kind) {
    case Cut::Detach: return who + " cut it from the graph. Use the tensor from before it.";
    case Cut::NoGrad:
      return who +
             " ran while recording was off (a NoGradGuard block), so nothing was recorded. Compute it outside that "
             "block.";
    case Cut::NotDifferentiable:
      return who + " has no derivative, and the graph ends there. Use a differentiable op in its place.";
    case Cut::Inference: return who + " ran in InferenceMode, where nothing is recorded. Compute it outside.";
    case Cut::None: break;
  }
  return "no input required grad. Call requires_grad_() on the tensors you want gradients for, before you use them.";
}
static std::string why_no_graph(const Tensor& t) {
  return cut_in_words(t.impl()->cut, t.impl()->cut_by, t.impl()->cut_step);
}

static variable_list make_gradients(const variable_list& outputs, const variable_list& gradients) {
  check(gradients.empty() || gradients.size() == outputs.size(), "backward: got ", outputs.size(), " tensors and ",
        gradients.size(), " gradients");
  variable_list result;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& t = outputs[i];
    check(t.defined(), "backward: tensor ", i, " is undefined");
    if (!t.requires_grad())
      throw Error(str("element ", i, " of tensors does not require grad and does not have a grad_fn: the ", t.sizes(),
                      " ", t.scalar_type(), " tensor has no graph to go back through, because ", why_no_graph(t)));
    if (i < gradients.size() && gradients[i].defined()) {
      const Tensor& g = gradients[i];
      check(g.sizes() == t.sizes(), "Mismatch in shape: grad_output[", i, "] has a shape of ", g.sizes(),
            " and output[", i, "] has a shape of ", t.sizes(), ".");
      result.push_back(g.scalar_type() == t.scalar_type() ? g : provided::cast(g, t.scalar_type()));
      continue;
    }
    if (t.numel() != 1)
      throw Error(str(
          "grad can be implicitly created only for scalar outputs: tensor ", i, " has shape ", t.sizes(), " and is ",
          t.is_leaf() ? "a leaf"
                      : str("the result of `", op_name(*t.grad_fn()), "` (step ", t.grad_fn()->sequence_nr(), ")"),
          ". Reduce it first (.sum() or .mean()), or pass a gradient of that shape to backward."));
    check(!t.is_complex(), "grad can be implicitly created only for real scalar outputs but got torch.",
          dtype_name(t.scalar_type()), ". Pass a gradient to backward, or take the real part first.");
    NoGradGuard guard;
    result.push_back(provided::ones_like(t));
  }
  return result;
}

static void check_inputs(const variable_list& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    check(inputs[i].defined(), "grad: input ", i, " is undefined");
    if (!inputs[i].requires_grad())
      throw Error(str("One of the differentiated Tensors does not require grad: input ", i, " of shape ",
                      inputs[i].sizes(), ", because ", why_no_graph(inputs[i])));
  }
}

void backward(const variable_list& tensors, const variable_list& grad_tensors, std::optional<bool> retain_graph,
              bool create_graph, const variable_list& inputs) {
  const variable_list gradients = make_gradients(tensors, grad_tensors);
  check_inputs(inputs);
  if (create_graph)
    warn(
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
        "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If "
        "you have to use this function, make sure to reset the .grad fields of your parameters after use "
        "(x.mutable_grad().reset()) to break the cycle and avoid the leak.");
  for (const Tensor& t : inputs) t.retain_grad();
  run_backward(tensors, gradients, retain_graph.value_or(create_graph), create_graph, inputs, true);
}

variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs,
                   std::optional<bool> retain_graph, bool create_graph, bool allow_unused, bool materialize_grads) {
  check(!inputs.empty(), "grad requires non-empty inputs.");
  const variable_list gradients = make_gradients(outputs, grad_outputs);
  check_inputs(inputs);
  variable_list result =
      run_backward(outputs, gradients, retain_graph.value_or(create_graph), create_graph, inputs, false);
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i].defined()) continue;
    const DryScope scope(inputs[i].is_meta());
    if (materialize_grads)
      result[i] = provided::zeros(inputs[i].sizes(), inputs[i].scalar_type()).set_requires_grad(create_graph);
    else
      check(allow_unused, "The differentiated Tensor at index ", i,
            " appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior. It "
            "has shape ",
            inputs[i].sizes(), ", and none of the outputs was computed from it.");
  }
  return result;
}

namespace forward_ad {
int64_t enter_dual_level() {
  check(global_state.dual_level < 0,
        "Nested forward mode AD is not supported at the moment: exit the open dual level first. For higher "
        "derivatives combine forward mode with reverse mode.");
  ++global_state.dual_generation;
  return global_state.dual_level = 0;
}
void exit_dual_level(int64_t level) {
  check(global_state.dual_level == level, "exit_dual_level: trying to exit level ", level, " but the open one is ",
        global_state.dual_level);
  global_state.dual_level = -1;
  ++global_state.dual_generation;
  drop_saved_tangents();
}
DualLevel::~DualLevel() {
  if (global_state.dual_level == level_) exit_dual_level(level_);
}
static void check_level(int64_t level, const char* op) {
  check(level == -1 || level == global_state.dual_level, op, ": level ", level, " is not open");
}
Tensor make_dual(const Tensor& primal, const Tensor& tangent, int64_t level) {
  check(global_state.dual_level >= 0,
        "make_dual: Trying to create a dual Tensor for forward AD but no level exists, make sure to "
        "enter_dual_level() first (or make a DualLevel).");
  check_level(level, "make_dual");
  check(primal.defined() && tangent.defined(), "make_dual: the ", primal.defined() ? "tangent" : "primal",
        " is undefined");
  check<ValueError>(is_differentiable(primal.scalar_type()),
                    "make_dual: Expected primal to be floating point, but got: ", primal.scalar_type());
  check<ValueError>(is_differentiable(tangent.scalar_type()),
                    "make_dual: Expected tangent to be floating point, but got: ", tangent.scalar_type());
  check(tangent.sizes() == primal.sizes(),
        "make_dual: Trying to set a forward gradient that has a different size than that of the original Tensor, this "
        "is not supported. Tensor is of size ",
        primal.sizes(), " while the given forward gradient is of size ", tangent.sizes(), ".");
  check(!tangent_of(primal).defined(),
        "make_dual: Making a dual Tensor based on a Tensor that already has a forward gradient at the same level ",
        global_state.dual_level, " is not supported.");
  Tensor dual = provided::alias(primal);
  make_meta(dual.impl()).own_root = true;
  if (forward_mode())
    set_tangent(
        dual, tangent.scalar_type() == primal.scalar_type() ? tangent : provided::cast(tangent, primal.scalar_type()));
  return dual;
}
UnpackedDualTensor unpack_dual(const Tensor& dual, int64_t level) {
  check(dual.defined(), "unpack_dual: the tensor is undefined");
  if (global_state.dual_level < 0) return {dual, {}};
  check_level(level, "unpack_dual");
  Tensor tangent = tangent_of(dual);
  const bool before = std::exchange(thread_state.forward_off, true);
  Tensor primal = provided::alias(dual);
  thread_state.forward_off = before;
  make_meta(primal.impl()).own_root = true;
  return {primal, tangent};
}
}  // namespace forward_ad

std::pair<variable_list, variable_list> jvp(const std::function<variable_list(const variable_list&)>& f,
                                            const variable_list& inputs, const variable_list& tangents) {
  check(inputs.size() == tangents.size(), "jvp: got ", inputs.size(), " inputs and ", tangents.size(), " tangents");
  forward_ad::DualLevel level;
  variable_list duals;
  for (size_t i = 0; i < inputs.size(); ++i)
    duals.push_back(tangents[i].defined() ? forward_ad::make_dual(inputs[i], tangents[i]) : inputs[i]);
  std::pair<variable_list, variable_list> result;
  for (const Tensor& y : f(duals)) {
    if (!y.defined()) {
      result.first.emplace_back(), result.second.emplace_back();
      continue;
    }
    auto [primal, tangent] = forward_ad::unpack_dual(y);
    result.first.push_back(primal);
    result.second.push_back(tangent.defined() ? tangent : provided::zeros(y.sizes(), y.scalar_type()));
  }
  return result;
}

}  // namespace autograd

// ---- Methods of Tensor.

bool Tensor::requires_grad() const { return impl_ && autograd::requires_grad(impl_); }
static TensorImpl* defined_impl(const Tensor& t, const char* what) {
  check(t.defined(), what, ": the tensor is undefined");
  return t.impl();
}
bool Tensor::is_leaf() const { return autograd::is_leaf(defined_impl(*this, "is_leaf")); }
Ref<Node> Tensor::grad_fn() const {
  return Ref<Node>::share(static_cast<Node*>(current_grad_fn(defined_impl(*this, "grad_fn")).get()));
}
int64_t Tensor::output_nr() const { return current_grad_fn(defined_impl(*this, "output_nr")) ? impl_->output_nr : 0; }
bool Tensor::is_view() const { return static_cast<bool>(defined_impl(*this, "is_view")->base); }
Tensor Tensor::_base() const {
  check(is_view(), "Can't get base of non-view Variable");
  impl_->base->retain();
  return Tensor::adopt(impl_->base.get());
}
uint32_t Tensor::_version() const {
  check(!defined_impl(*this, "_version")->inference, "Inference tensors do not track version counter.");
  return impl_->storage->version();
}
bool Tensor::is_inference() const { return defined_impl(*this, "is_inference")->inference; }

Tensor& Tensor::set_requires_grad(bool on) const {
  defined_impl(*this, "requires_grad_");
  check(is_differentiable(scalar_type()) || !on,
        "only Tensors of floating point and complex dtype can require gradients, this one is ", scalar_type(),
        ". Convert it first: x.to(taut::kFloat).");
  check(on || is_leaf(),
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
        "subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  check(!impl_->inference || !on || thread_state.inference,
        "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (is_leaf()) impl_->requires_grad = on;
  if (on) make_meta(impl_);
  return self();
}
const Tensor& Tensor::requires_grad_(bool on) const { return set_requires_grad(on); }

const Tensor& Tensor::grad() const {
  static const Tensor none;
  AutogradMeta* m = find_meta(defined_impl(*this, "grad"));
  if (m && m->grad.defined()) return m->grad;
  if (!is_leaf() && !retains_grad())
    warn(
        str("The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't "
            "be populated during autograd.backward(). If you indeed want the .grad field to be populated for a "
            "non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by "
            "mistake, make sure you access the leaf Tensor instead. This one has shape ",
            sizes(), " and is the result of `", op_name(*grad_fn()), "` (step ", grad_fn()->sequence_nr(), ")."));
  return m ? m->grad : none;
}
Tensor& Tensor::mutable_grad() const { return make_meta(defined_impl(*this, "mutable_grad")).grad; }

void Tensor::backward(OptionalTensor gradient, std::optional<bool> retain_graph, bool create_graph,
                      std::optional<TensorList> inputs) const {
  check(!inputs || !inputs->empty(), "`inputs` argument to `backward()` cannot be empty.");
  autograd::backward({*this}, {gradient ? *gradient : Tensor()}, retain_graph, create_graph,
                     inputs ? inputs->vec() : variable_list());
}

void Tensor::retain_grad() const {
  check(requires_grad(), "can't retain_grad on Tensor that has requires_grad=False");
  if (is_leaf()) return;
  Ref<Node> node = grad_fn();
  AutogradMeta& m = make_meta(impl_);
  if (m.retaining) return;
  NodeExtra& extra = node->make_extra();
  std::lock_guard lock(extra.mutex);
  extra.retain.emplace_back(impl_->output_nr, &m);
  m.retaining = std::move(node);
}
bool Tensor::retains_grad() const {
  AutogradMeta* m = find_meta(defined_impl(*this, "retains_grad"));
  return m && m->retaining;
}

unsigned Tensor::add_hook(std::function<Tensor(const Tensor&)> hook) const {
  check(requires_grad(), "cannot register a hook on a tensor that doesn't require gradient: ", sizes(), ", because ",
        autograd::why_no_graph(*this));
  Edge edge = gradient_edge(impl_);
  const unsigned id = edge.function->add_tensor_hook(edge.input_nr, std::move(hook));
  if (!is_leaf()) {  // remove_hook must find it after an in-place op, when grad_fn is another
    AutogradMeta& m = make_meta(impl_);
    std::lock_guard lock(m.mutex);
    m.hooked.emplace_back(id, std::move(edge.function));
  }
  return id;
}
unsigned Tensor::register_post_accumulate_grad_hook(std::function<void(const Tensor&)> hook) const {
  check(requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  check(is_leaf(), "post accumulate grad hooks cannot be registered on non-leaf tensors");
  AutogradMeta& m = make_meta(impl_);
  std::lock_guard lock(m.mutex);
  m.post_accumulate.emplace_back(autograd::next_hook_id(), std::move(hook));
  return m.post_accumulate.back().first;
}
void Tensor::remove_hook(unsigned handle) const {
  autograd::check_hook(handle);
  AutogradMeta* m = find_meta(defined_impl(*this, "remove_hook"));
  if (!m) return;
  if (m->accumulator) m->accumulator->remove_hook(handle);
  std::lock_guard lock(m->mutex);
  for (auto& [id, node] : m->hooked)
    if (id == handle) node->remove_hook(handle);
  std::erase_if(m->hooked, [&](auto& h) { return h.first == handle; });
  std::erase_if(m->post_accumulate, [&](auto& h) { return h.first == handle; });
}

std::string explain_grad(const Tensor& x) {
  if (!x.defined()) return "the tensor is undefined, so it has no grad";
  AutogradMeta* m = find_meta(x.impl());
  if (m && m->grad.defined()) {
    return str("grad is defined: a ", m->grad.sizes(), " tensor",
               m->reached ? str(", last added to by backward call ", m->reached, " of ", backward_count())
                          : std::string(", set by hand"));
  }
  const std::string start = "grad is undefined: ";
  if (!x.requires_grad())
    return str(start, "the ", x.sizes(), " tensor does not require grad, because ", autograd::why_no_graph(x));
  if (!x.is_leaf() && !x.retains_grad())
    return str(start, "the ", x.sizes(), " tensor is not a leaf (it is the result of `", op_name(*x.grad_fn()),
               "`, step ", x.grad_fn()->sequence_nr(),
               "), and backward fills the grad of leaves only. Call retain_grad() on it before backward.");
  if (backward_count() == (m ? m->born : 0))
    return start + "backward was not called since the tensor was made. Call backward() on the loss.";
  if (m && m->reached)
    return str(start, "backward reached the tensor (call ", m->reached, "), and its grad was reset since.");
  const std::string missed = start + "the last backward did not reach the tensor";
  if (const char* op = m ? m->cut.load(std::memory_order_relaxed) : nullptr)
    return str(missed, ". It went into `", op, "`, and ", autograd::cut_in_words(m->cut_kind, op, m->cut_step));
  if (const char* op = last_cut()) return str(missed, ": the graph that was run is cut at `", op, "`.");
  return missed + ": the loss was not computed from it.";
}

}  // namespace taut
