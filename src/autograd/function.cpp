// Custom Functions: wiring what the user's forward returned into the graph, and calling the user's backward.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "autograd/engine.h"
#include "autograd/meta.h"

namespace taut::autograd {

FunctionNode::FunctionNode(const char* type, variable_list (*backward)(AutogradContext*, variable_list))
    : Node(0, nullptr, 0), type_(type), backward_(backward) {
  ++thread_state.step;
  sequence_ = thread_state.step;
  context.node_ = this;
}
FunctionNode::~FunctionNode() = default;

const char* FunctionNode::name() const {
  if (name_.empty()) {
    int status = 0;
    char* readable = abi::__cxa_demangle(type_, nullptr, nullptr, &status);
    name_ = status == 0 ? readable : type_;
    std::free(readable);
    if (const size_t at = name_.rfind("::"); at != std::string::npos && name_.find('<') == std::string::npos) name_.erase(0, at + 2);
    name_ += "Backward";
  }
  return name_.c_str();
}

void FunctionNode::add_input(const Tensor& t, bool is_variable) {
  is_variable_.push_back(is_variable);
  if (is_variable) inputs_.push_back(t);
}

static bool contains(const variable_list& list, const Tensor& t) {
  return std::any_of(list.begin(), list.end(), [&](const Tensor& x) { return x.is_same(t); });
}

void FunctionNode::finish(variable_list& outputs) {
  bool tangents = false;
  for (const Tensor& t : inputs_) {
    if (!t.defined()) continue;
    recording_ |= GradMode::is_enabled() && t.requires_grad();
    tangents |= autograd::forward_mode() && tangent_of(t).defined();
  }
  const variable_list dirty = std::move(context.dirty_), constant = std::move(context.non_differentiable_);
  for (const Tensor& t : dirty) {
    check(contains(outputs, t), "Some elements marked as dirty during the forward method of ", name(),
          " were not returned as output. The inputs that are modified inplace must all be outputs of the Function.");
    check_inplace(t.impl(), name());
  }
  edges_store_.resize(inputs_.size());
  if (recording_)
    for (size_t j = 0; j < inputs_.size(); ++j)
      if (inputs_[j].defined()) edges_store_[j] = gradient_edge(inputs_[j].impl());
  edges_ = edges_store_.data();
  edge_count_ = static_cast<uint32_t>(edges_store_.size());
  outputs_ = static_cast<uint32_t>(outputs.size());
  const Ref<Node> self = Ref<Node>::share(this);

  variable_list originals = outputs;  // what forward may have asked to save
  for (uint32_t i = 0; i < outputs_; ++i) {
    Tensor& t = outputs[i];
    if (!t.defined()) continue;
    const bool differentiable = t.is_floating_point() && !contains(constant, t);
    if (contains(dirty, t)) {
      t.impl()->storage->bump(name(), sequence_);
      if (recording_ && differentiable) rebase_history(t.impl(), self, i, name());
      set_output_info(i, t.sizes(), t.scalar_type());
      continue;
    }
    if (contains(inputs_, t) || std::any_of(outputs.begin(), outputs.begin() + i, [&](const Tensor& o) { return o.is_same(t); })) {
      // An input returned as it is becomes an output of its own, over the same memory.
      ImplPtr alias = make_alias(*t.impl(), t.impl()->sizes, t.impl()->strides, t.impl()->data);
      alias->base = t.impl()->base ? t.impl()->base : ImplPtr::share(t.impl());
      alias->view_kind = ViewKind::Plain;
      alias->attr_version = alias->storage->version();
      t = Tensor::adopt(alias.detach());
    }
    set_output_info(i, t.sizes(), t.scalar_type());
    if (recording_ && differentiable) set_history(t.impl(), self, i);
    else if (recording_ && !differentiable) t.impl()->cut = Cut::NotDifferentiable, t.impl()->cut_by = "mark_non_differentiable";
  }
  if (recording_ || tangents) {
    for (const Tensor& t : context.to_save_) {
      size_t i = 0;
      while (i < originals.size() && !originals[i].is_same(t)) ++i;
      const bool is_output = i < originals.size() && !contains(inputs_, t);
      saved_.emplace_back(is_output ? outputs[i] : t, is_output && recording_ && outputs[i].requires_grad());
    }
  }
  context.to_save_.clear();
  if (tangents) forward_mode(outputs);
  inputs_.clear();
}

/// The tangent of the outputs from backward alone: backward is linear in its argument, so its transpose is forward mode.
void FunctionNode::forward_mode(variable_list& outputs) {
  variable_list tangents;
  std::vector<size_t> which;
  for (size_t j = 0; j < inputs_.size(); ++j) {
    if (!inputs_[j].defined()) continue;
    if (Tensor t = tangent_of(inputs_[j]); t.defined()) tangents.push_back(t), which.push_back(j);
  }
  const bool before = std::exchange(thread_state.forward_off, true);
  struct Restore {
    bool before;
    ~Restore() { thread_state.forward_off = before; }
  } restore{before};
  AutoGradMode record(true);
  variable_list u, dual;
  for (const Tensor& o : outputs) {
    u.push_back(o.defined() ? provided::zeros(o.sizes(), o.scalar_type()) : Tensor());
    if (o.defined() && o.is_floating_point()) u.back().set_requires_grad(true);
  }
  probing_ = true;
  variable_list v = call_backward(u);
  probing_ = false;
  variable_list from, directions, seeds;
  for (size_t k = 0; k < which.size(); ++k)
    if (which[k] < v.size() && v[which[k]].defined() && v[which[k]].requires_grad()) from.push_back(v[which[k]]), directions.push_back(tangents[k]);
  for (const Tensor& x : u)
    if (x.defined() && x.requires_grad()) seeds.push_back(x);
  if (from.empty() || seeds.empty()) return;
  variable_list result = grad(from, seeds, directions, true, true, true);
  size_t k = 0;
  thread_state.forward_off = before;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (u[i].defined() && u[i].requires_grad())
      if (Tensor t = result[k++]; t.defined()) set_tangent(outputs[i], t);
}

/// Runs the user's backward; one gradient per tensor argument comes back.
variable_list FunctionNode::call_backward(variable_list grads) {
  if (context.materialize_grads_)
    for (uint32_t i = 0; i < outputs_; ++i)
      if (!grads[i].defined()) grads[i] = provided::zeros(output_sizes(i), output_dtype(i));
  variable_list all = backward_(&context, std::move(grads));
  while (all.size() > is_variable_.size() && !all.back().defined()) all.pop_back();
  check(all.size() == is_variable_.size(), "function ", name(), " returned an incorrect number of gradients (expected ", is_variable_.size(),
        ", got ", all.size(), "): backward must return one for each argument of forward, an undefined Tensor for those that are not tensors");
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
  for (SavedValue& s : saved_) s.reset();
}

variable_list AutogradContext::get_saved_variables() const {
  variable_list result;
  for (const SavedValue& s : node_->saved_) result.push_back(s.unpack(node_, nullptr));
  return result;
}

bool AutogradContext::needs_input_grad(size_t index) const {
  if (node_->probing_) return index < node_->edge_count_;
  return index < node_->edge_count_ && node_->wants(static_cast<uint32_t>(index));
}

}  // namespace taut::autograd
