// What ops do with sparse tensors: Note [Sparse tensors]. All of it computes only; the graph is the business of the
// ops.
#pragma once
#include "ops/pointwise.h"

namespace taut::sparse {

inline SparseImpl& impl(const Tensor& x) { return *static_cast<SparseImpl*>(x.impl()); }
inline bool is_coo(const Tensor& x) { return x.impl()->layout == Layout::Sparse; }
inline bool is_compressed(const Tensor& x) { return is_sparse(x) && !is_coo(x); }
/// Of a compressed layout: are its lines rows, and are its elements blocks?
inline bool by_rows(Layout layout) { return layout == Layout::SparseCsr || layout == Layout::SparseBsr; }
inline bool of_blocks(Layout layout) { return layout == Layout::SparseBsr || layout == Layout::SparseBsc; }
/// "csr"
std::string short_name(Layout layout);
/// Its parts, outside the graph. `others` is undefined for COO.
Tensor index_part(const Tensor& x);
Tensor other_part(const Tensor& x);
Tensor value_part(const Tensor& x);

/// Where elements are, and of which shape: everything but the values.
struct Pattern {
  Layout layout;
  Tensor indices, others;
  Dims sizes;
  bool coalesced = false;
  Dims block = {};  // the size of a block, where elements are blocks
  static Pattern of(const Tensor& x);
  Tensor with(const Tensor& values) const;
  int64_t batch() const { return layout == Layout::Sparse || !indices.defined() ? 0 : indices.dim() - 1; }
  /// The dimensions before those of a value: those that have indices, and those of a batch.
  int64_t dims() const { return layout == Layout::Sparse ? indices.size(0) : batch() + 2; }
  /// Numbers given one by one, [n, ...] in the order of coordinates(), in the shape of the values.
  Tensor shaped(const Tensor& numbers) const;
  Tensor with_numbers(const Tensor& numbers) const { return with(shaped(numbers)); }
};
/// The values number by number, [n, ...]: batches and blocks opened.
Tensor numbers_of(const Tensor& x);
inline Tensor with_values(const Tensor& x, const Tensor& values) { return Pattern::of(x).with(values); }
/// COO with no elements.
Tensor nothing(IntArrayRef sizes, ScalarType dtype, int64_t sparse_dim);
/// The same for any layout, all dimensions of it being sparse.
Tensor nothing(IntArrayRef sizes, ScalarType dtype, Layout layout, const char* op);

/// The same layout as a pattern, with no elements.
Tensor nothing(const Pattern& like, ScalarType dtype);

/// A key for each number, in row-major order of the dimensions before those of a value.
Tensor keys(const Pattern& at);
Tensor coalesced(const Tensor& x);
/// Each place once, for values without dimensions of their own.
Pattern distinct(const Pattern& at);
Tensor dense(const Tensor& x);
/// What a compressed tensor is to look like: the size of its blocks, and how many dimensions a value has.
struct Shape {
  Dims block = {};
  std::optional<int64_t> dense_dim = {};
};
/// Dense or sparse, from dense or sparse.
Tensor converted(const Tensor& x, Layout to, std::optional<int64_t> sparse_dim, const char* op,
                 const Shape& shape = {});
/// The same layout, blocks and batches as the pattern.
Tensor converted_like(const Tensor& x, const Pattern& like, const char* op);
/// The numbers of `t`, dense or sparse, at the places of a pattern, as numbers_of() has them.
Tensor values_at(const Tensor& t, const Pattern& at);
/// The same as values of a tensor of that pattern; recorded, as is what comes next.
Tensor masked(const Tensor& t, const Pattern& at);
Tensor made(const Pattern& at, const Tensor& values);
/// The values of `x` as part of the graph.
Tensor values_of(const Tensor& x);

/// self takes the elements of `from`, in place where their places are the same.
void assign(const Tensor& self, const Tensor& from);

/// The coordinates of the numbers, [dimensions, n], whatever the layout.
Tensor coordinates(const Pattern& at);
/// a b, one of them or both sparse; both give a sparse product. `beta` c + `alpha` a b.
Tensor product(const Tensor& a, const Tensor& b);
Tensor add_product(const Tensor& c, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha);
Tensor sum(const Tensor& x, IntArrayRef dims, bool keepdim, ScalarType dtype);
Tensor permuted(const Tensor& x, IntArrayRef dims);
Tensor selected(const Tensor& x, int64_t dim, int64_t at);
Tensor index_selected(const Tensor& x, int64_t dim, const Tensor& index);
Tensor narrowed(const Tensor& x, int64_t dim, int64_t start, int64_t length);
Tensor unsqueezed(const Tensor& x, int64_t dim);
Tensor joined(TensorList tensors, int64_t dim, IntArrayRef sizes, ScalarType dtype);

/// A pointwise op where an operand is sparse, and its derivative where anything is.
Tensor pointwise(const PointwiseOp& info, const void* op, const Tensor* const* in);
void pointwise_into(const PointwiseOp& info, const void* op, const Tensor* const* in, const Tensor& out);
void pointwise_backward(const PointwiseOp& info, const void* op, const Tensor& g, const Tensor* in,
                        const Tensor& result, unsigned wanted, Tensor* dx);

}  // namespace taut::sparse
