// What the batching rules of several ops share. Note [Batching].
#pragma once
#include <algorithm>

#include "ops/op.h"

namespace taut {

namespace batching {
/// Calls an op for one item after the other. A name goes into a warning.
std::vector<Tensor> one_by_one(const Callee& callee, const Batch& batch, const Tensor* in, size_t n);
}  // namespace batching

/// The items as part of the first dimension of each of them.
inline Tensor fold_items(const Tensor& all) {
  Dims sizes(all.sizes());
  sizes[1] *= sizes[0];
  sizes.erase(0);
  return all.reshape(sizes);
}
/// The other way: `first` is what an item has along that dimension.
inline Tensor unfold_items(const Tensor& t, int64_t items, int64_t first) {
  Dims sizes(t.sizes());
  sizes[0] = first;
  sizes.insert(0, items);
  return t.reshape(sizes);
}
/// Indices that all items have among themselves must be in range for each.
void check_items(const Tensor& index, int64_t n);
/// Two operands that broadcast, as they do for an item.
template <class Op>
Tensor broadcast_items(const Op& op, const Batch& b, const Tensor& x, const Tensor& y) {
  const int64_t dims = std::max(b.dim(0, x), b.dim(1, y));
  return apply(op, b.raised(0, x, dims), b.raised(1, y, dims));
}

/// For one item after the other, where that is rare enough.
template <class Op, class... T>
auto each_item(const Op& op, const Batch& b, const T&... inputs) {
  const Tensor in[] = {inputs...};
  return detail::from_list<decltype(op.forward(inputs...))>(
      batching::one_by_one({nullptr, &op, detail::call_on<Op, sizeof...(T)>, nullptr}, b, in, sizeof...(T)));
}

}  // namespace taut
