// The levels of vmap for those above.
#include "taut/func_levels.h"

#include "ops/batching.h"
#include "ops/op.h"

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
Tensor lift(const Tensor& t) { return thread_state.level && t.defined() ? batching::lift(t) : t; }
bool any_level() { return thread_state.level != nullptr; }
bool is_batched(const Tensor& t) { return taut::is_batched(t); }
Tensor unwrapped(const Tensor& t, int64_t* level) {
  if (!is_batched(t)) return t;
  const Tensor item = t.detach();
  const HiddenDims levels = batching::varying(item);
  if (levels.empty()) return batching::aligned(item, levels, item.sizes().size());
  const HiddenDim at = levels.back();
  if (level)
    for (const autograd::Level* l = thread_state.level; l; l = l->outer) *level += l->id <= at.level;
  return batching::leave(item, 0, at.level, at.size);
}
std::vector<std::string> ops_without_rule() { return batching::without_rule(); }

}  // namespace taut::func
