// Custom Functions: wiring what the user's forward returned into the graph, and calling the user's backward.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "autograd/engine.h"
#include "autograd/meta.h"

namespace taut::autograd {

FunctionNode::FunctionNode(const char* type, Derivative backward, Derivative jvp)
    : Node(0, nullptr, 0), type_(type), backward_(backward), jvp_(jvp) {
  ++thread_state.step;
  sequence_ = thread_state.step;
  context.node_ = this;
}
FunctionNode::~FunctionNode() = default;

// Names are kept for good: a storage remembers by name who wrote it last.
const char* FunctionNode::name() const {
  static ForkSafeMutex mutex;
  static auto* names = new std::unordered_map<const char*, std::string>;
  std::lock_guard lock(mutex);
  std::string& name = (*names)[type_];
  if (name.empty()) {
    int status = 0;
    char* readable = abi::__cxa_demangle(type_, nullptr, nullptr, &status);
    name = status == 0 ? readable : type_;
    std::free(readable);
    if (const size_t at = name.rfind("::"); at != std::string::npos && name.find('<') == std::string::npos)
      name.erase(0, at + 2);
    name += "Backward";
  }
  return name.c_str();
}

FunctionNode::Forward::Forward() : grad_mode_(thread_state.grad_mode), forward_off_(thread_state.forward_off) {
  thread_state.grad_mode = false;
  thread_state.forward_off = true;
}
FunctionNode::Forward::~Forward() {
  thread_state.grad_mode = grad_mode_;
  thread_state.forward_off = forward_off_;
}

// The edges are taken before forward runs, which may write its inputs.
void FunctionNode::add_input(const Tensor& t, bool is_variable) {
  is_variable_.push_back(is_variable);
  if (!is_variable) return;
  inputs_.push_back(t);
  edges_store_.push_back(GradMode::is_enabled() && t.requires_grad() ? gradient_edge(t.impl()) : Edge());
  recording_ |= edges_store_.back().is_valid();
  edges_ = edges_store_.data();
  edge_count_ = static_cast<uint32_t>(edges_store_.size());
}

static size_t position(const variable_list& list, const Tensor& t) {
  const auto same = [&](const Tensor& x) { return x.is_same(t); };
  return static_cast<size_t>(std::find_if(list.begin(), list.end(), same) - list.begin());
}
static bool contains(const variable_list& list, const Tensor& t) { return position(list, t) < list.size(); }

/// A tensor that forward says it has written must be one it may write, and be returned.
void FunctionNode::check_dirty(const Tensor& t, const variable_list& outputs) const {
  check(contains(outputs, t), "Some elements marked as dirty during the forward method of ", name(),
        " were not returned as output. The inputs that are modified inplace must all be outputs of the Function.");
  if (!recording_) return;
  check(!t.is_leaf() || !t.requires_grad(),
        "a leaf Variable that requires grad has been used in an in-place operation: ", name(),
        " marked a leaf of shape ", t.sizes(), " as dirty. Pass a clone() of it.");
  check(!t.is_view() || outputs.size() == 1,
        "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return "
        "more than one Tensor: ",
        name(), " returned ", outputs.size(),
        ". Make sure the input is not a view (using .clone() for example), or split the Function in two.");
}

/// An input that is returned as it is becomes an output of its own, over the same memory.
static Tensor over_same_memory(const Tensor& t) {
  ImplPtr alias = make_alias(*t.impl());
  alias->base = t.impl()->base ? t.impl()->base : ImplPtr::share(t.impl());
  return Tensor::adopt(alias.detach());
}

void FunctionNode::finish(variable_list& outputs) {
  finished_ = true;
  outputs_ = static_cast<uint32_t>(outputs.size());
  const variable_list dirty = std::move(context.dirty_), constant = std::move(context.non_differentiable_);
  const variable_list returned = outputs;
  const auto differentiable = [&](const Tensor& t) {
    return t.defined() && is_differentiable(t.scalar_type()) && !contains(constant, t);
  };
  const bool several = std::count_if(returned.begin(), returned.end(), differentiable) > 1;
  for (const Tensor& t : dirty) {
    check_dirty(t, outputs);
    check_inplace(t.impl(), name());
    t.impl()->storage->bump(name(), sequence_);
  }
  const Ref<Node> self = Ref<Node>::share(this);
  for (uint32_t i = 0; i < outputs_; ++i) {
    Tensor& t = outputs[i];
    if (!t.defined()) {
      set_output_info(i, {}, ScalarType::Undefined);
      continue;
    }
    const bool record = recording_ && differentiable(t);
    set_output(*this, i, t.impl());
    if (contains(dirty, t)) {
      if (record) rebase_history(t.impl(), self, i);
      continue;
    }
    if (contains(inputs_, t) || position(returned, t) < i) t = over_same_memory(t);
    TensorImpl& y = *t.impl();
    if (record) set_history(&y, self, i);
    else if (recording_) y.cut = Cut::NotDifferentiable, y.cut_by = "mark_non_differentiable", y.cut_step = sequence_;
    if (y.base) {
      y.view_kind = several ? ViewKind::MultiOutput : ViewKind::CustomFunction;
      y.attr_version = y.storage->version();
    }
  }
  const auto has_tangent = [](const Tensor& t) { return t.defined() && tangent_of(t).defined(); };
  const bool tangents = autograd::forward_mode() && std::any_of(inputs_.begin(), inputs_.end(), has_tangent);
  if (recording_ || tangents) {
    for (const Tensor& t : context.to_save_) {
      const bool is_output = contains(returned, t) && (contains(dirty, t) || !contains(inputs_, t));
      if (is_output && recording_ && differentiable(t))
        saved_.push_back(SavedValue::output(t, static_cast<uint32_t>(position(returned, t))));
      else saved_.emplace_back(t, false);
    }
  }
  context.to_save_.clear();
  if (tangents) jvp_ ? forward_mode_by_jvp(outputs) : forward_mode(outputs);
  inputs_.clear();
}

/// The tangent of the outputs from backward alone: backward is linear in its argument, so its transpose is forward
/// mode.
void FunctionNode::forward_mode(variable_list& outputs) {
  variable_list tangents;
  std::vector<size_t> which;
  for (size_t j = 0; j < inputs_.size(); ++j) {
    if (!inputs_[j].defined()) continue;
    if (Tensor t = tangent_of(inputs_[j]); t.defined()) tangents.push_back(t), which.push_back(j);
  }
  variable_list result, u;
  {
    const bool outer = GradMode::is_enabled();
    Forward off;  // no tangents of tangents
    AutoGradMode record(true);
    for (const Tensor& o : outputs) {
      u.push_back(o.defined() ? provided::zeros(o.sizes(), o.scalar_type()) : Tensor());
      if (o.defined() && is_differentiable(o.scalar_type())) u.back().set_requires_grad(true);
    }
    probing_ = true;
    const variable_list v = call_backward(u);
    probing_ = false;
    variable_list from, directions, seeds;
    for (size_t k = 0; k < which.size(); ++k)
      if (v[which[k]].requires_grad()) from.push_back(v[which[k]]), directions.push_back(tangents[k]);
    for (const Tensor& x : u)
      if (x.requires_grad()) seeds.push_back(x);
    if (from.empty() || seeds.empty()) return;
    result = grad(from, seeds, directions, true, outer, true);
  }
  for (size_t i = 0, k = 0; i < outputs.size(); ++i)
    if (u[i].requires_grad())
      if (Tensor t = result[k++]; t.defined()) set_tangent(outputs[i], t);
}

/// The tangents of the outputs as the Function's own jvp gives them.
void FunctionNode::forward_mode_by_jvp(variable_list& outputs) {
  variable_list given(is_variable_.size());
  for (size_t i = 0, k = 0; i < given.size(); ++i) {
    if (!is_variable_[i]) continue;
    const Tensor& x = inputs_[k++];
    if (!x.defined() || !is_differentiable(x.scalar_type())) continue;
    given[i] = tangent_of(x);
    if (!given[i].defined() && context.materialize_grads_) given[i] = provided::zeros(x.sizes(), x.scalar_type());
  }
  variable_list tangents;
  {
    const bool record = GradMode::is_enabled();
    const Forward off;  // no tangents of tangents
    const AutoGradMode mode(record);
    context.in_jvp_ = true;
    tangents = jvp_(&context, std::move(given));
    context.in_jvp_ = false;
  }
  check(tangents.size() == outputs.size(), "Function's jvp returned an invalid number of forward gradients (expected ",
        outputs.size(), " but got ", tangents.size(), ")");
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!tangents[i].defined()) continue;
    check(outputs[i].defined() && is_differentiable(outputs[i].scalar_type()) &&
              is_differentiable(tangents[i].scalar_type()),
          "jvp of ", name(), ": Expected both tensor and its forward grad to be floating point or complex");
    check(tangents[i].sizes() == outputs[i].sizes(),
          "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
          "supported. Tensor is of size ",
          outputs[i].sizes(), " while the given forward gradient is of size ", tangents[i].sizes(), ".");
    if (outputs[i].is_view()) make_meta(outputs[i].impl()).own_root = true;  // what jvp says, not a part of its base's
    set_tangent(outputs[i], tangents[i]);
  }
}

/// Runs the user's backward; one gradient per tensor argument comes back.
variable_list FunctionNode::call_backward(variable_list grads) {
  if (context.materialize_grads_)
    for (uint32_t i = 0; i < outputs_; ++i)
      if (!grads[i].defined() && output_dtype(i) != ScalarType::Undefined)
        grads[i] = provided::zeros(output_sizes(i), output_dtype(i));
  variable_list all = [&] {
    const DryScope computed(false);  // a program's own code: it says itself where its tensors are
    return backward_(&context, std::move(grads));
  }();
  while (all.size() > is_variable_.size() && !all.back().defined()) all.pop_back();
  check(all.size() == is_variable_.size(), "function ", name(), " returned an incorrect number of gradients (expected ",
        is_variable_.size(), ", got ", all.size(),
        "): backward must return one for each argument of forward, an undefined Tensor for those that are not tensors");
  variable_list result;
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_variable_[i]) result.push_back(std::move(all[i]));
    else
      check(!all[i].defined(), "function ", name(), " returned a gradient different from None at position ", i + 1,
            ", but the corresponding forward input was not a Variable");
  }
  return result;
}

void FunctionNode::backward(Tensor* grads, Tensor* out) {
  variable_list result = call_backward(variable_list(grads, grads + outputs_));
  for (uint32_t j = 0; j < edge_count_; ++j)
    if (wants(j)) out[j] = std::move(result[j]);
}

void FunctionNode::release_variables() {
  freed_ = true;
  for (SavedValue& s : saved_) s.reset();
}

variable_list AutogradContext::get_saved_variables() const {
  if (in_jvp_) return for_forward_;
  variable_list result;
  for (const SavedValue& s : node_->saved_)
    result.push_back(s.defined() || node_->freed_ ? s.unpack(node_, nullptr) : Tensor());
  return result;
}

bool AutogradContext::needs_input_grad(size_t index) const {
  check<IndexError>(index < node_->edge_count_, "needs_input_grad: input ", index, " of ", node_->name(),
                    ", which has ", node_->edge_count_, " tensor inputs");
  if (node_->probing_) return true;
  const auto j = static_cast<uint32_t>(index);
  return node_->finished_ && thread_state.task ? node_->wants(j) : node_->next_edge(j).is_valid();
}
bool AutogradContext::needs_input_grad(std::initializer_list<std::pair<size_t, size_t>> ranges) const {
  for (auto [first, last] : ranges)
    for (size_t i = first; i < last; ++i)
      if (needs_input_grad(i)) return true;
  return false;
}

}  // namespace taut::autograd
