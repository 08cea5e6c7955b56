// What the ops have in common that read and write elements by an index.
#pragma once
#include "ops/op.h"
#include "taut/registry.h"

namespace taut {

/// Kernels want a dimension to index along: a 0-d tensor is seen as one of one element.
inline Tensor at_least_1d(const Tensor& t) { return t.dim() == 0 ? alias(t, {1}, {1}) : t; }
inline View view_1d(const Tensor& t) {
  static constexpr int64_t kOne[] = {1};
  View v = view_of(t);
  if (t.dim() == 0) v.sizes = v.strides = kOne;
  return v;
}

inline void check_index(const Tensor& index, const char* op) {
  check_defined(index, op, "index");
  check<IndexError>(index.scalar_type() == kLong || index.scalar_type() == kInt, op,
                    ": Expected dtype int32/int64 for index, got ", index.scalar_type());
}
inline void check_dtypes(const Tensor& self, const Tensor& other, const char* op) {
  check_defined(self, op, "self");
  check_defined(other, op, "src");
  check(self.scalar_type() == other.scalar_type(), op, "(): Expected self.dtype to be equal to src.dtype, got ",
        self.scalar_type(), " and ", other.scalar_type());
}
inline bool untracked(const Tensor& t) { return !t.defined() || !thread_state.grad_mode || !tracked(t.impl()); }

/// What reads by an index while it writes: throws where the tensor written to shares memory with one that is read.
void check_apart(const Tensor& written, std::initializer_list<const Tensor*> read, const char* op);

/// Write through a kernel in the memory of self where autograd need not know; else through the out-of-place op.
template <class Kernel, class Op>
Tensor& write_(const char* name, const Tensor& self, std::initializer_list<const Tensor*> others, Kernel kernel, Op op,
               bool expanded_too = false) {
  bool plain = untracked(self) && !autograd::forward_mode() && !self.is_complex() && !is_batched(self);
  for (const Tensor* t : others) plain = plain && untracked(*t) && !is_batched(*t);
  check_apart(self, others, name);
  const std::vector<const Tensor*> list(others);
  if (!plain || shares_memory(self, list.data(), list.size(), name)) return in_place(name, self, op);
  if (expanded_too) autograd::check_inplace(self.impl(), name);
  else check_writable(self, name);
  ++thread_state.step;
  RawScope raw;
  kernel(self);
  self.impl()->storage->bump(name, thread_state.step);
  return const_cast<Tensor&>(self);
}

inline Tensor number_for(const char* op, const Tensor& self, const Scalar& value) {
  check_defined(self, op, "self");
  check_converts(value, self.scalar_type(), op);
  return full({}, value, self.scalar_type());
}

}  // namespace taut
