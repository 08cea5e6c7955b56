// vmap from below: levels, and tensors that are one of many at them. taut/func.h is what programs use.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "taut/tensor.h"

namespace taut::batching {
class OpenLevel;
}

namespace taut::func {

/// What random ops do under vmap: throw, draw once for all items, or draw for each.
enum class Randomness : uint8_t { Error, Same, Different };
/// "error", "same" or "different"; throws PyTorch's message otherwise.
Randomness randomness_named(const std::string& name);

/// A vmap at work, until it goes. Levels of a thread go in the reverse order.
class Level {
 public:
  Level(int64_t size, Randomness randomness);
  ~Level();
  Level(Level&&) noexcept;
  int64_t id() const;
  int64_t size() const;
  Randomness randomness() const;

 private:
  std::unique_ptr<batching::OpenLevel> open_;
};

/// The items of `x` along `dim`, as one.
Tensor enter(const Tensor& x, int64_t dim, const Level& level);
/// All items of `y`, along `dim` of the result. Of a tensor that is the same for all, as often as there are items.
Tensor leave(const Tensor& y, int64_t dim, const Level& level);
/// Does `t` differ from item to item?
bool varies(const Tensor& t, const Level& level);
/// `t`, which does not, as it is outside.
Tensor shared(const Tensor& t, const Level& level);
/// As one of many at all levels that are open: what it is the gradient of, and so its gradient, is that of an item.
Tensor lift(const Tensor& t);
/// While it lives, `own` is `other` in every respect, and part of its graph; then it is what it was. Note [Lent
/// parameters].
class Loan {
 public:
  Loan(const Tensor& own, const Tensor& other);
  ~Loan();
  Loan(const Loan&) = delete;

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};
/// Is any vmap at work in this thread?
bool any_level();
/// Is `t` an item of many?
bool is_batched(const Tensor& t);
/// The tensor that holds all items along its first dimension, at the innermost level at which `t` varies; `level` is
/// raised by how many are open up to that one.
Tensor unwrapped(const Tensor& t, int64_t* level = nullptr);
/// The ops that have run for one item after the other so far, since they have no batching rule.
std::vector<std::string> ops_without_rule();

}  // namespace taut::func
