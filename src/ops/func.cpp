// The levels of vmap for those above.
#include "taut/func.h"

#include "core/lent.h"
#include "ops/batching.h"
#include "ops/op.h"

#include <algorithm>
#include <unordered_set>

namespace taut::func {

Randomness randomness_named(const std::string& name) {
  if (name == "error") return Randomness::Error;
  if (name == "same") return Randomness::Same;
  check(name == "different", "Only allowed values for randomness are 'error', 'different', or 'same'. Got ", name);
  return Randomness::Different;
}

Level::Level(int64_t size, Randomness randomness)
    : open_(std::make_unique<batching::OpenLevel>(size, static_cast<autograd::Level::Randomness>(randomness))) {}
Level::~Level() = default;
Level::Level(Level&&) noexcept = default;
int64_t Level::id() const { return open_->id(); }
int64_t Level::size() const { return open_->level().size; }
Randomness Level::randomness() const { return static_cast<Randomness>(open_->level().randomness); }

Tensor enter(const Tensor& x, int64_t dim, const Level& level) {
  check_defined(x, "vmap");
  dim = wrap_dim(dim, x.dim(), "vmap");
  check(x.dim() > 0 && x.sizes()[static_cast<size_t>(dim)] == level.size(),
        "vmap: Expected all tensors to have the same size in the mapped dimension");
  return batching::enter(x, dim, level.id());
}
Tensor leave(const Tensor& y, int64_t dim, const Level& level) {
  check_defined(y, "vmap");
  return batching::leave(y, wrap_dim(dim, y.dim() + 1, "vmap"), level.id(), level.size());
}
bool varies(const Tensor& t, const Level& level) { return t.defined() && batching::varies_at(t, level.id()); }
Tensor shared(const Tensor& t, const Level& level) {
  if (!hidden_of(*t.impl()).find(level.id())) return t;
  check(!varies(t, level), "vmap: a tensor that differs from item to item cannot be one for all");
  return level.size() > 0 ? leave(t, 0, level).select(0, 0) : leave(t, 0, level).sum(0);
}
struct Loan::Kept {
  Tensor own;
  Lent lent;
  ImplPtr before;  // what own was
};
namespace {
/// What makes a tensor what it is, but for its counts and its object in Python.
void exchange(TensorImpl& a, TensorImpl& b) {
  std::swap(a.dtype, b.dtype);
  std::swap(a.requires_grad, b.requires_grad);
  std::swap(a.inference, b.inference);
  std::swap(a.contiguous, b.contiguous);
  std::swap(a.conj, b.conj);
  std::swap(a.view_kind, b.view_kind);
  std::swap(a.cut, b.cut);
  std::swap(a.output_nr, b.output_nr);
  std::swap(a.attr_version, b.attr_version);
  std::swap(a.data, b.data);
  std::swap(a.numel, b.numel);
  std::swap(a.storage, b.storage);
  std::swap(a.sizes, b.sizes);
  std::swap(a.strides, b.strides);
  std::swap(a.grad_fn, b.grad_fn);
  std::swap(a.base, b.base);
  std::swap(a.cut_by, b.cut_by);
  std::swap(a.cut_step, b.cut_step);
  b.meta.store(a.meta.exchange(b.meta.load()));
}
}  // namespace
Loan::Loan(const Tensor& own, const Tensor& other) : kept_(std::make_unique<Kept>()) {
  check(own.defined() && other.defined() && own.sizes() == other.sizes(), "functional_call: a tensor of shape ",
        other.sizes(), " is lent to a parameter or buffer of shape ", own.sizes());
  const Tensor view = autograd::provided::alias(other);
  kept_->own = own;
  kept_->lent = {own.impl(), hidden_of(*view.impl()), lent};
  kept_->before = ImplPtr::adopt(new TensorImpl);
  const bool batched = taut::is_batched(view);
  exchange(*own.impl(), *kept_->before);
  exchange(*own.impl(), *view.impl());
  if (batched) own.impl()->layout = kBatched;
  lent = &kept_->lent;
}
Loan::~Loan() {
  TensorImpl& own = *kept_->own.impl();
  own.layout = kStrided;
  lent = kept_->lent.outer;
  exchange(own, *kept_->before);
}

Tensor lift(const Tensor& t) { return thread_state.level && t.defined() ? batching::lift(t) : t; }
bool any_level() { return thread_state.level != nullptr; }
bool is_batched(const Tensor& t) { return taut::is_batched(t); }
Tensor unwrapped(const Tensor& t, int64_t* level) {
  if (!taut::is_batched(t)) return t;
  const Tensor item = t.detach();
  const HiddenDims levels = batching::varying(item);
  if (levels.empty()) return batching::aligned(item, levels, item.sizes().size());
  const HiddenDim at = levels.back();
  if (level)
    for (const autograd::Level* l = thread_state.level; l; l = l->outer) *level += l->id <= at.level;
  return batching::leave(item, 0, at.level, at.size);
}
std::vector<std::string> ops_without_rule() { return batching::without_rule(); }

bool leads_out(const std::vector<Tensor>& tensors, const std::vector<const autograd::Node*>& own) {
  std::vector<autograd::Node*> open;
  std::unordered_set<autograd::Node*> seen;
  const auto visit = [&](autograd::Node* node) {
    if (node && seen.insert(node).second) open.push_back(node);
  };
  for (const Tensor& t : tensors)
    if (t.defined() && t.requires_grad()) visit(autograd::gradient_edge(t.impl()).function.get());
  while (!open.empty()) {
    autograd::Node* node = open.back();
    open.pop_back();
    if (dynamic_cast<autograd::AccumulateGrad*>(node)) {
      if (std::find(own.begin(), own.end(), node) == own.end()) return true;
      continue;
    }
    for (uint32_t j = 0; j < node->num_inputs(); ++j) visit(node->next_edge(j).function.get());
  }
  return false;
}

// ---- Derivatives.

namespace detail {

Transform::Transform() : tracked_(GradMode::is_enabled()) {}
void Transform::own(const Tensor& leaf) { own_.push_back(autograd::gradient_edge(leaf.impl()).function.get()); }

/// A tensor to differentiate by: connected to the given one if that is part of a graph, and with its tangent.
std::vector<Tensor> Transform::open(const std::vector<Tensor>& given) {
  std::vector<Tensor> result;
  for (const Tensor& outside : given) {
    check_defined(outside, "transform");
    check(is_differentiable(outside.scalar_type()),
          "func: only Tensors of floating point dtype can require gradients, got ", outside.scalar_type());
    const Tensor t = lift(outside);  // under vmap the derivatives are those of an item
    if (tracked_ && t.requires_grad()) {
      result.push_back(t.view_as(t));
      continue;
    }
    const Tensor tangent = autograd::forward_mode() ? autograd::tangent_of(t) : Tensor();
    Tensor made = t.detach();
    made.set_requires_grad(true);
    own(made);
    result.push_back(tangent.defined() ? autograd::forward_ad::make_dual(made, tangent) : made);
  }
  return result;
}

bool Transform::leads_out(const std::vector<Tensor>& tensors) const {
  return tracked_ && func::leads_out(tensors, own_);
}

std::vector<Tensor> Transform::close(std::vector<Tensor> tensors, bool keep) const {
  for (Tensor& t : tensors) {
    if (keep || !t.defined() || !t.requires_grad()) continue;
    const Tensor tangent = autograd::forward_mode() ? autograd::tangent_of(t) : Tensor();
    t = t.detach();
    if (tangent.defined()) t = autograd::forward_ad::make_dual(t, tangent);
  }
  return tensors;
}

std::vector<Tensor> Transform::gradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                                         const std::vector<Tensor>& seeds, bool create_graph) const {
  std::vector<Tensor> roots, starts, wanted;
  for (size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k].defined() && outputs[k].requires_grad()) roots.push_back(outputs[k]), starts.push_back(seeds[k]);
  for (const Tensor& x : inputs)
    if (x.requires_grad()) wanted.push_back(x);
  std::vector<Tensor> found(wanted.size());
  if (!roots.empty() && !wanted.empty()) found = autograd::grad(roots, wanted, starts, true, create_graph, true);
  std::vector<Tensor> result;
  size_t at = 0;
  for (const Tensor& x : inputs) {
    const Tensor g = x.requires_grad() ? found[at++] : Tensor();
    result.push_back(g.defined() ? g : zeros_like(x.detach()));
  }
  return result;
}

Linear::Linear(Transform transform, std::vector<Tensor> outputs, const std::vector<Tensor>& inputs)
    : transform_(std::move(transform)), outputs_(std::move(outputs)), grads_(inputs.size()) {
  for (const Tensor& o : outputs_) {
    Tensor seed = zeros_like(o.detach());
    if (is_differentiable(o.scalar_type())) {
      seed.set_requires_grad(true);
      transform_.own(seed);
    }
    seeds_.push_back(seed);
  }
  std::vector<Tensor> roots, starts, wanted;
  for (size_t k = 0; k < outputs_.size(); ++k)
    if (outputs_[k].requires_grad()) roots.push_back(outputs_[k]), starts.push_back(seeds_[k]);
  for (const Tensor& x : inputs)
    if (x.requires_grad()) wanted.push_back(x);
  if (roots.empty() || wanted.empty()) return;
  const std::vector<Tensor> found = autograd::grad(roots, wanted, starts, true, true, true);
  for (size_t i = 0, at = 0; i < inputs.size(); ++i)
    if (inputs[i].requires_grad()) grads_[i] = found[at++];
}
std::vector<Tensor> Linear::times(const std::vector<Tensor>& tangents) const {
  std::vector<Tensor> from, along, wanted, found(seeds_.size());
  bool keep = false;
  for (size_t i = 0; i < grads_.size(); ++i) {
    if (!grads_[i].defined() || !grads_[i].requires_grad() || !tangents[i].defined()) continue;
    check<ValueError>(tangents[i].sizes() == grads_[i].sizes(), "jvp: a tangent has shape ", tangents[i].sizes(),
                      ", its primal ", grads_[i].sizes());
    from.push_back(grads_[i]), along.push_back(tangents[i]);
    keep |= transform_.tracked() && tangents[i].requires_grad();
  }
  for (const Tensor& s : seeds_)
    if (s.requires_grad()) wanted.push_back(s);
  if (!from.empty() && !wanted.empty()) {
    const std::vector<Tensor> list =
        autograd::grad(from, wanted, along, true, keep || transform_.leads_out(from), true);
    for (size_t k = 0, at = 0; k < seeds_.size(); ++k)
      if (seeds_[k].requires_grad()) found[k] = list[at++];
  }
  for (size_t k = 0; k < found.size(); ++k)
    if (!found[k].defined()) found[k] = zeros_like(outputs_[k].detach());
  return found;
}

std::vector<Tensor> all_units(const Tensor& t, const Product& product, int64_t dim, std::optional<int64_t> chunk_size) {
  const int64_t count = t.numel(), chunk = chunk_size.value_or(std::max<int64_t>(count, 1));
  check<ValueError>(chunk > 0, "`chunk_size` should be greater than 0.");
  std::vector<std::vector<Tensor>> columns;
  const Tensor units = eye(count, t.scalar_type());
  for (int64_t start = 0; start == 0 || start < count; start += chunk) {
    const int64_t size = std::min(chunk, count - start);
    std::vector<Tensor> part;
    if (count == 1) {
      for (const Tensor& made : product(ones(t.sizes(), t.scalar_type()))) part.push_back(made.unsqueeze(dim));
    } else {
      const Level level(size, Randomness::Error);
      for (const Tensor& made : product(enter(units.narrow(0, start, size), 0, level).view(t.sizes())))
        part.push_back(leave(made, dim, level));
    }
    columns.resize(part.size());
    for (size_t i = 0; i < part.size(); ++i) columns[i].push_back(part[i]);
  }
  std::vector<Tensor> result;
  for (const std::vector<Tensor>& column : columns) result.push_back(column.size() == 1 ? column[0] : cat(column, dim));
  return result;
}

void check_number(const Tensor& output) {
  check_defined(output, "grad_and_value");
  check(output.dim() == 0, "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with ",
        output.dim(), " dims. Maybe you wanted to use the vjp or jacrev APIs instead?");
}
Tensor jacobian(const Tensor& rows, const Tensor& output, const Tensor& input) {
  check(!output.is_complex() && !input.is_complex(),
        "func: a Jacobian is one of real numbers, by real numbers, but the output is of ", output.scalar_type(),
        " and the input of ", input.scalar_type());
  taut::Dims sizes(output.sizes());
  for (int64_t s : input.sizes()) sizes.push_back(s);
  return rows.reshape(sizes);
}

int64_t items_along(const std::vector<std::pair<Tensor, std::optional<int64_t>>>& inputs) {
  std::optional<int64_t> count;
  for (const auto& [t, dim] : inputs) {
    if (!dim) continue;
    check_defined(t, "vmap");
    check<ValueError>(*dim >= -t.dim() && *dim < t.dim(), "vmap: Got in_dim=", *dim,
                      " for some input, but that input is a Tensor of dimensionality ", t.dim(),
                      " so expected in_dim to satisfy -", t.dim(), " <= in_dim < ", t.dim(), ".");
    const int64_t size = t.size(*dim);
    check<ValueError>(!count || *count == size,
                      "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes ",
                      count.value_or(0), " and ", size, " for the mapped dimension");
    count = size;
  }
  check<ValueError>(count.has_value(), "vmap: Expected at least one Tensor to vmap over");
  return *count;
}
Tensor joined(const std::vector<Tensor>& parts, std::optional<int64_t> dim) {
  return dim ? cat(parts, *dim) : parts[0];
}

}  // namespace detail

}  // namespace taut::func
