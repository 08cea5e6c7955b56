// vmap: an op on batched tensors becomes an op on the tensors that hold all items. Note [Batching].
#pragma once
#include <vector>

#include "autograd/state.h"
#include "core/tensor_impl.h"
#include "taut/tensor.h"

namespace taut {

inline bool is_batched(const Tensor& t) { return t.impl() && is_batched(t.impl()); }
bool any_batched(const Tensor* const* in, size_t n);

/// What the batching rule of an op is told. Its inputs are whole: those that vary from item to item have the items
/// along dimension 0, the others are as they are; both may be batched by vmaps further out. So has what it returns.
class Batch {
 public:
  Batch(int64_t size, const bool* varies) : size(size), varies_(varies) {}
  const int64_t size;  // how many items
  bool has(size_t i) const { return varies_[i]; }
  /// Input i with the items along dimension 0 in any case.
  Tensor all(size_t i, const Tensor& x) const;
  /// How many dimensions an item has.
  int64_t dim(size_t i, const Tensor& x) const { return x.dim() - (has(i) ? 1 : 0); }
  /// Input i with dimensions of size 1 behind that of the items, until items have `dims`.
  Tensor raised(size_t i, const Tensor& x, int64_t dims) const;

 private:
  const bool* varies_;
};
/// `dims` of a tensor that has one more in front.
inline Dims moved_dims(Dims dims) {
  for (int64_t& d : dims) ++d;
  return dims;
}
/// `sizes` with `size` in front.
inline Dims with_batch(int64_t size, IntArrayRef sizes) {
  Dims all(sizes);
  all.insert(0, size);
  return all;
}

namespace batching {

/// An op, called with inputs of one kind or another.
struct Callee {
  using Call = std::vector<Tensor> (*)(const void* op, const Tensor* in, size_t n);
  using Rule = std::vector<Tensor> (*)(const void* op, const Batch& batch, const Tensor* in, size_t n);
  const char* name;
  const void* op;
  Call call;
  Rule rule;  // null: the op is called for one item after the other
};
/// Calls an op some of whose inputs are batched.
std::vector<Tensor> run(const Callee& callee, const Tensor* const* in, size_t n);

/// The inputs of an op whose dimensions have moved: all with the items along dimension 0. Returns whether items
/// without dimensions got one.
bool raise(const Batch& batch, const Tensor* in, size_t n, std::vector<Tensor>& out);
/// Takes that dimension from results that still have it.
void lower(std::vector<Tensor>& out);

/// The ops that were called for one item after the other so far, by name.
std::vector<std::string> without_rule();

/// The tensor that holds all items, with all hidden dimensions in front.
Tensor whole(const Tensor& t);
/// Those at which something varies, of all of the tensors; `same`, if given, gets those at which nothing does.
HiddenDims varying(const Tensor* const* in, size_t n, HiddenDims* same = nullptr);
/// The levels at which `t` varies.
HiddenDims varying(const Tensor& t);
/// A new tensor that varies at these levels, of items with these sizes; its numbers are not set.
Tensor fresh(const HiddenDims& levels, IntArrayRef sizes, ScalarType dtype, const char* op);
Tensor zeros(const HiddenDims& levels, IntArrayRef sizes, ScalarType dtype);
/// `t` with dimensions for these levels in front, of size 1 where it does not vary, then `dims` of its own.
Tensor aligned(const Tensor& t, const HiddenDims& levels, size_t dims);
/// The other way: the first dimensions of t become hidden ones at these levels.
Tensor hide(const Tensor& t, const HiddenDims& levels, const HiddenDims& same);
/// `t` as one of many at each of these levels: all items the same where it was none. Outside of the graph.
Tensor lifted(const Tensor& t, const HiddenDims& levels);
/// The same, recorded.
Tensor lifted_in_graph(const Tensor& t, const HiddenDims& levels);
/// Throws unless `self` can hold what varies at these levels.
void check_holds(const char* op, const Tensor& self, const HiddenDims& levels);
/// to = from, where one of them is batched.
void write(const Tensor& to, const Tensor& from);
/// The hidden dimensions with strides for elements of another size: times `by`, divided by `per`.
void rescale(TensorImpl& t, int64_t by, int64_t per);
/// Do all of them allow strides to be divided?
bool divides(const TensorImpl& t, int64_t per);

// ---- Levels.

/// Is this vmap still at work in this thread?
bool is_open(int64_t level);
/// The levels that are open, as hidden dimensions of a tensor that does not vary.
HiddenDims open_levels();
/// A vmap at work, until it goes.
class OpenLevel {
 public:
  OpenLevel(int64_t size, autograd::Level::Randomness randomness);
  ~OpenLevel();
  OpenLevel(const OpenLevel&) = delete;
  int64_t id() const { return level_.id; }
  const autograd::Level& level() const { return level_; }

 private:
  autograd::Level level_;
};

/// The items of `x` along `dim`, as one: recorded.
Tensor enter(const Tensor& x, int64_t dim, int64_t level);
/// All items of `y`, along `dim`: recorded. Of a tensor that is not batched `size` times the same.
Tensor leave(const Tensor& y, int64_t dim, int64_t level, int64_t size);
/// One of many at every level that is open, recorded: so gradients by it are those of an item, and are not summed.
Tensor lift(const Tensor& t);
/// Does it vary from item to item at this level?
bool varies_at(const Tensor& t, int64_t level);

// ---- Random numbers.

/// Throws if a vmap that is open forbids them; else the levels at which each item draws its own.
HiddenDims drawn_levels(const char* op);

}  // namespace batching
}  // namespace taut
