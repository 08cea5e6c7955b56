// Parts of a tensor, as views: slices, pieces, windows, diagonals; and copies with such a part replaced.
#include <algorithm>

#include "ops/complex.h"
#include "ops/fft.h"
#include "ops/registry.h"
#include "ops/sparse.h"
#include "ops/view_ops.h"
#include "taut/core/style.h"

namespace taut {

namespace {

constexpr int64_t kMaxPieces = int64_t{1} << 24;  // more pieces than this are a mistake, and would fill the memory

/// Where a part of x begins. Nothing begins nowhere: the strides of an empty tensor may be too large to multiply.
int64_t offset_in(const Tensor& x, int64_t at, int64_t stride) { return x.numel() == 0 ? 0 : at * stride; }

struct Select {
  static constexpr const char *name = "select", *scatter_name = "select_scatter";
  static constexpr const char *node = "SelectBackward0", *embed_node = "SelectBackwardBackward0",
                              *scatter_node = "SelectScatterBackward0";
  static constexpr bool linear = true, view = true;
  int64_t dim, at;
  Tensor forward(const Tensor& x) const {
    return alias(x, [&](Dims& sizes, Dims& strides) {
      const int64_t offset = offset_in(x, at, strides[ix(dim)]);
      sizes.erase(ix(dim));
      strides.erase(ix(dim));
      return offset;
    });
  }
  Tensor forward_sparse(const Tensor& x) const { return sparse::selected(x, dim, at); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return apply(Embed<Select>{*this, s.sizes(0)}, g); }
};

struct Slice {
  static constexpr const char *name = "slice", *scatter_name = "slice_scatter";
  static constexpr const char *node = "SliceBackward0", *embed_node = "SliceBackwardBackward0",
                              *scatter_node = "SliceScatterBackward0";
  static constexpr bool linear = true, view = true;
  int64_t dim, start, length, step;
  Tensor forward(const Tensor& x) const {
    return alias(x, [&](Dims& sizes, Dims& strides) {
      const int64_t offset = offset_in(x, start, strides[ix(dim)]);
      sizes[ix(dim)] = length;
      strides[ix(dim)] = multiply(strides[ix(dim)], step);
      return offset;
    });
  }
  Tensor forward_sparse(const Tensor& x) const {
    check<NotImplementedError>(step == 1, "slice: steps other than 1 are not supported for ", x.layout(),
                               " tensors. Use index_select, or .to_dense() first.");
    return sparse::narrowed(x, dim, start, length);
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return apply(Embed<Slice>{*this, s.sizes(0)}, g); }
};

/// The dimensions of x from the outermost in memory to the innermost; empty when that is their own order.
Dims memory_order(const Tensor& x) {
  Dims order;
  if (x.is_contiguous()) return order;
  for (int64_t d = 0; d < x.dim(); ++d) order.push_back(d);
  const IntArrayRef strides = x.strides();
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return strides[ix(a)] > strides[ix(b)]; });
  return order;
}
/// The tensor that these are the pieces of along `dim`, if they lie in memory as if they were cut from it.
Tensor uncut(const std::vector<Tensor>& pieces, int64_t dim) {
  const TensorImpl& first = *pieces[0].impl();
  Dims sizes(first.sizes), strides(first.strides);
  if (pieces.size() < 2 || first.numel == 0) return {};
  const int64_t step = (pieces[1].impl()->offset() - first.offset()) / sizes[ix(dim)];
  strides[ix(dim)] = step;
  sizes[ix(dim)] = 0;
  for (const Tensor& t : pieces) {
    const TensorImpl& piece = *t.impl();
    if (!(piece.storage == first.storage) || piece.dtype != first.dtype || step <= 0 ||
        piece.offset() != first.offset() + sizes[ix(dim)] * step)
      return {};
    for (size_t d = 0; d < sizes.size(); ++d)
      if ((d != ix(dim) && piece.sizes[d] != sizes[d]) || (piece.sizes[d] != 1 && piece.strides[d] != strides[d]))
        return {};
    sizes[ix(dim)] += piece.sizes[ix(dim)];
  }
  return alias(pieces[0], sizes, strides);
}
/// cat() along `dim` with a result that lies in memory in this order: what was permuted before it was cut into pieces
/// then gets a gradient that need not be copied.
Tensor cat_in_order(std::vector<Tensor> pieces, int64_t dim, const Dims& order) {
  if (!must_record())
    if (Tensor whole = uncut(pieces, dim); whole.defined()) return whole;
  if (order.empty()) return cat(pieces, dim);
  Dims back(order);
  for (size_t i = 0; i < order.size(); ++i) back[ix(order[i])] = static_cast<int64_t>(i);
  for (Tensor& piece : pieces) piece = piece.permute(order);
  return cat(pieces, back[ix(dim)]).permute(back);
}

/// Consecutive pieces along a dimension, all from one node.
struct Split {
  static constexpr const char* name = "split";
  static constexpr bool linear = true, view = true, many = true;
  int64_t dim;
  Dims lengths, order;
  const char* label;
  const char* node_name() const { return label; }
  std::vector<Tensor> forward(const Tensor& x) const {
    std::vector<Tensor> pieces;
    pieces.reserve(lengths.size());
    int64_t start = 0;
    for (int64_t length : lengths) {
      pieces.push_back(Slice{dim, start, length, 1}.forward(x));
      start += length;
    }
    return pieces;
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    std::vector<Tensor> pieces;
    for (size_t k = 0; k < lengths.size(); ++k)
      pieces.push_back(g[k].defined() ? g[k] : zeros(s.result_sizes(static_cast<int>(k)), s.dtype(0)));
    return cat_in_order(std::move(pieces), dim, order);
  }
};

struct Unbind {
  static constexpr const char* name = "unbind";
  static constexpr const char* node = "UnbindBackward0";
  static constexpr bool linear = true, view = true, many = true;
  int64_t dim;
  Dims order;
  std::vector<Tensor> forward(const Tensor& x) const {
    std::vector<Tensor> slices;
    const int64_t n = x.sizes()[ix(dim)];
    slices.reserve(ix(n));
    for (int64_t i = 0; i < n; ++i) slices.push_back(Select{dim, i}.forward(x));
    return slices;
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    std::vector<Tensor> slices;
    for (int64_t i = 0; i < s.sizes(0)[ix(dim)]; ++i)
      slices.push_back((g[i].defined() ? g[i] : zeros(s.result_sizes(static_cast<int>(i)), s.dtype(0))).unsqueeze(dim));
    return cat_in_order(std::move(slices), dim, order);
  }
};

struct Diagonal {
  static constexpr const char *name = "diagonal", *scatter_name = "diagonal_scatter";
  static constexpr const char *node = "DiagonalBackward0", *embed_node = "DiagonalBackwardBackward0",
                              *scatter_node = "DiagonalScatterBackward0";
  static constexpr bool linear = true, view = true;
  int64_t offset, dim1, dim2;
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), strides(x.strides());
    const int64_t rows = sizes[ix(dim1)], columns = sizes[ix(dim2)];
    const int64_t down = strides[ix(dim1)], right = strides[ix(dim2)];
    const int64_t n =
        std::max<int64_t>(offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns), 0);
    for (int64_t d : {std::max(dim1, dim2), std::min(dim1, dim2)}) {
      sizes.erase(ix(d));
      strides.erase(ix(d));
    }
    sizes.push_back(n);
    strides.push_back(down + right);
    return alias(x, sizes, strides, n == 0 ? 0 : offset >= 0 ? offset * right : -offset * down);
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return apply(Embed<Diagonal>{*this, s.sizes(0)}, g); }
};

/// The diagonal of a matrix as a tensor of its own.
struct DiagonalCopy {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "diag";
  static constexpr const char* node = "DiagonalBackward0_copy";
  static constexpr bool linear = true;
  Diagonal of;
  static constexpr bool sees_levels = true;
  Tensor forward(const Tensor& x) const { return of.forward(x).clone(); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return of.vjp(i, g, s); }
};

struct DiagEmbed : Embed<Diagonal> {
  static constexpr const char* name = "diag_embed";
  static constexpr const char* node = "DiagEmbedBackward0";
};

/// Windows of `size` along a dimension, one every `step`; the elements of a window are the last dimension.
struct Unfold {
  static constexpr const char* name = "unfold";
  static constexpr const char *node = "UnfoldBackward0", *embed_node = "UnfoldBackwardBackward0";
  static constexpr bool linear = true, view = true;
  int64_t dim, size, step;
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), strides(x.strides());
    const int64_t stride = x.dim() == 0 ? 1 : strides[ix(dim)];
    if (x.dim() > 0) {
      sizes[ix(dim)] = (sizes[ix(dim)] - size) / step + 1;
      strides[ix(dim)] = multiply(stride, step);
    }
    sizes.push_back(size);
    strides.push_back(stride);
    checked_numel(sizes, name);
    return alias(x, sizes, strides);
  }
  /// Windows overlap, so their gradients are added: one element of every window at a time, or one window at a time,
  /// whichever takes fewer rounds; within a round no two of them meet.
  void put(const Tensor& y, const Tensor& g) const {
    const Tensor windows = forward(y);
    if (step >= size) return write(windows, g);
    const int64_t last = windows.dim() - 1, along = size <= windows.sizes()[ix(dim)] ? last : dim;
    for (int64_t i = 0; i < windows.sizes()[ix(along)]; ++i)
      Select{along, i}.forward(windows).add_(Select{along, i}.forward(g));
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return apply(Embed<Unfold>{*this, s.sizes(0)}, g); }
};

// ---- Arguments, checked.

void check_nonempty_shape(const Tensor& x, const char* op) {
  check<IndexError>(!x.impl()->sizes.empty(), op, "() cannot be applied to a 0-dim tensor.");
}

Select make_select(const Tensor& x, int64_t dim, int64_t at, const char* op) {
  check_defined(x, op);
  check_nonempty_shape(x, op);
  const Dims& sizes = x.impl()->sizes;
  dim = wrap_dim(dim, static_cast<int64_t>(sizes.size()), op);
  const int64_t n = sizes[ix(dim)];
  check<IndexError>(at >= -n && at < n, op, "(): index ", at, " out of range for tensor of size ", IntArrayRef(sizes),
                    " at dimension ", dim);
  return {dim, at < 0 ? at + n : at};
}

/// Python's rules for x[start:end:step].
Slice make_slice(const Tensor& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step,
                 const char* op) {
  check_defined(x, op);
  check_nonempty_shape(x, op);
  const Dims& sizes = x.impl()->sizes;
  dim = wrap_dim(dim, static_cast<int64_t>(sizes.size()), op);
  check<ValueError>(step > 0, op, ": slice step must be positive, got ", step);
  const int64_t n = sizes[ix(dim)];
  const auto clamp = [n](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + n : i, 0, n); };
  const int64_t from = clamp(start.value_or(0)), to = std::max(clamp(end.value_or(n)), from);
  return {dim, from, to == from ? 0 : (to - from - 1) / step + 1, step};
}

Diagonal make_diagonal(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2, const char* op) {
  check_defined(x, op);
  const Diagonal d{offset, wrap_dim(dim1, x.dim(), op), wrap_dim(dim2, x.dim(), op)};
  check(d.dim1 != d.dim2, op, ": diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  return d;
}

std::vector<Tensor> split_even(const char* name, const Tensor& x, int64_t sections, int64_t dim) {
  const int64_t n = x.sizes()[ix(dim)];
  check(sections > 0 && n % sections == 0, "torch.", name, " attempted to split along dimension ", dim,
        ", but the size of the dimension ", n, " is not divisible by the split_size ", sections, "!");
  return tensor_split(x, sections, dim);
}
int64_t hsplit_dim(const Tensor& x) {
  check_defined(x, "hsplit");
  check(x.dim() >= 1, "torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with 0 dimensions!");
  return x.dim() == 1 ? 0 : 1;
}
void check_dsplit(const Tensor& x) {
  check_defined(x, "dsplit");
  check(x.dim() >= 3, "torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with ", x.dim(),
        " dimensions!");
}
void check_vsplit(const Tensor& x) {
  check_defined(x, "vsplit");
  check(x.dim() >= 2, "torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with ", x.dim(),
        " dimensions!");
}

}  // namespace

Tensor select(const Tensor& self, int64_t dim, int64_t at) { return apply(make_select(self, dim, at, "select"), self); }
Tensor Tensor::operator[](int64_t at) const {
  check_defined(*this, "operator[]", "self");
  const int64_t n = impl_->sizes.empty() ? 0 : impl_->sizes[0];
  if (at >= -n && at < n) [[likely]]
    return apply(Select{0, at < 0 ? at + n : at}, *this);
  if (as_libtorch()) return select(0, at);  // which says what libtorch says
  check<IndexError>(!impl_->sizes.empty(),
                    "invalid index of a 0-dim tensor. Use `tensor.item<T>()` to convert a 0-dim tensor to a number");
  throw IndexError(str("index ", at, " is out of bounds for dimension 0 with size ", n, ". The tensor has shape ",
                       IntArrayRef(impl_->sizes), "; an index runs from -size to size - 1."));
}
Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  return apply(make_slice(self, dim, start, end, step, "slice"), self);
}

Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  check_defined(self, "narrow");
  check(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  check(length >= 0, "narrow(): length must be non-negative, got ", length);
  dim = wrap_dim(dim, self.dim(), "narrow");
  const int64_t n = self.sizes()[ix(dim)];
  check<IndexError>(start >= -n && start <= n, "narrow: start out of range (expected to be in range of [", -n, ", ", n,
                    "], but got ", start, ")");
  if (start < 0) start += n;
  check(length <= n - start, "narrow: start (", start, ") + length (", length, ") exceeds dimension size (", n, ").");
  return apply(Slice{dim, start, length, 1}, self);
}
Tensor narrow(const Tensor& self, int64_t dim, const Tensor& start, int64_t length) {
  check_defined(start, "narrow", "start");
  check(start.dim() == 0 && is_integral(start.scalar_type()), "narrow: start must be an 0-dim integral Tensor, got ",
        start.scalar_type(), " ", start.sizes());
  return narrow(self, dim, start.item<int64_t>(), length);
}

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  check_defined(self, "split");
  check(self.dim() > 0, "split expects at least a 1-dimensional tensor");
  check(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  dim = wrap_dim(dim, self.dim(), "split");
  const int64_t n = self.sizes()[ix(dim)];
  check(split_size > 0 || n == 0, "split_size can only be 0 if dimension size is 0, but got dimension size of ", n);
  Split op{dim, {}, memory_order(self), "SplitBackward0"};
  int64_t left = n;
  do {
    op.lengths.push_back(std::min(split_size, left));
    left -= op.lengths.back();
  } while (left > 0);
  return apply(op, self);
}
std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  check_defined(self, "split_with_sizes");
  check(self.dim() > 0, "split_with_sizes: split expects at least a 1-dimensional tensor");
  dim = wrap_dim(dim, self.dim(), "split_with_sizes");
  const int64_t n = self.sizes()[ix(dim)];
  int64_t left = n;
  for (int64_t s : split_sizes) {
    check(s >= 0,
          "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=", split_sizes);
    if (s > left) left = -1;
    if (left >= 0) left -= s;
  }
  check(left == 0, "split_with_sizes expects split_sizes to sum exactly to ", n, " (input tensor's size at dimension ",
        dim, "), but got split_sizes=", split_sizes);
  return apply(Split{dim, split_sizes, memory_order(self), "SplitWithSizesBackward0"}, self);
}
std::vector<Tensor> split(const Tensor& self, IntArrayRef split_size, int64_t dim) {
  return split_with_sizes(self, split_size, dim);
}

std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  check_defined(self, "chunk");
  check(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  check(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  dim = wrap_dim(dim, self.dim(), "chunk");
  const int64_t n = self.sizes()[ix(dim)];
  if (n > 0) return split(self, (n - 1) / chunks + 1, dim);
  check<ValueError>(chunks <= kMaxPieces, "chunk: ", chunks, " chunks are too many");
  return split_with_sizes(self, Dims(ix(chunks)), dim);
}

std::vector<Tensor> tensor_split(const Tensor& self, int64_t sections, int64_t dim) {
  check_defined(self, "tensor_split");
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  check(sections > 0, "tensor_split: number of sections must be larger than 0, got ", sections);
  check<ValueError>(sections <= kMaxPieces, "tensor_split: ", sections, " sections are too many");
  dim = wrap_dim(dim, self.dim(), "tensor_split");
  const int64_t n = self.sizes()[ix(dim)];
  std::vector<Tensor> pieces;
  int64_t start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const int64_t length = n / sections + (i < n % sections);
    pieces.push_back(apply(Slice{dim, start, length, 1}, self));
    start += length;
  }
  return pieces;
}
std::vector<Tensor> tensor_split(const Tensor& self, IntArrayRef indices, int64_t dim) {
  check_defined(self, "tensor_split");
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  std::vector<Tensor> pieces;
  int64_t start = 0;
  for (int64_t end : indices) {
    pieces.push_back(slice(self, dim, start, end));
    start = end;
  }
  pieces.push_back(slice(self, dim, start));
  return pieces;
}
std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& indices_or_sections, int64_t dim) {
  check_defined(self, "tensor_split");
  check_defined(indices_or_sections, "tensor_split", "tensor_indices_or_sections");
  check<TypeError>(indices_or_sections.scalar_type() == kLong,
                   "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ",
                   indices_or_sections.scalar_type());
  check(indices_or_sections.dim() <= 1,
        "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got "
        "a tensor with ",
        indices_or_sections.dim(), " dims");
  if (indices_or_sections.dim() == 0) return tensor_split(self, indices_or_sections.item<int64_t>(), dim);
  const Tensor dense = indices_or_sections.contiguous();
  return tensor_split(self, IntArrayRef(dense.data_ptr<int64_t>(), ix(dense.numel())), dim);
}
std::vector<Tensor> hsplit(const Tensor& self, int64_t sections) {
  return split_even("hsplit", self, sections, hsplit_dim(self));
}
std::vector<Tensor> hsplit(const Tensor& self, IntArrayRef indices) {
  return tensor_split(self, indices, hsplit_dim(self));
}
std::vector<Tensor> dsplit(const Tensor& self, int64_t sections) {
  check_dsplit(self);
  return split_even("dsplit", self, sections, 2);
}
std::vector<Tensor> dsplit(const Tensor& self, IntArrayRef indices) {
  check_dsplit(self);
  return tensor_split(self, indices, 2);
}
std::vector<Tensor> vsplit(const Tensor& self, int64_t sections) {
  check_vsplit(self);
  return split_even("vsplit", self, sections, 0);
}
std::vector<Tensor> vsplit(const Tensor& self, IntArrayRef indices) {
  check_vsplit(self);
  return tensor_split(self, indices, 0);
}

std::vector<Tensor> unbind(const Tensor& self, int64_t dim) {
  check_defined(self, "unbind");
  check<IndexError>(self.dim() > 0, "unbind: Dimension specified as ", dim, " but tensor has no dimensions");
  const Unbind op{wrap_dim(dim, self.dim(), "unbind"), memory_order(self)};
  if (self.sizes()[ix(op.dim)] == 0) return {};
  if (is_sparse(self)) {
    std::vector<Tensor> slices;
    for (int64_t i = 0; i < self.size(op.dim); ++i) slices.push_back(self.select(op.dim, i));
    return slices;
  }
  return apply(op, self);
}

Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  check_defined(self, "unfold");
  check_room_for_dim(self, "unfold");
  const Unfold op{wrap_dim(dimension, self.dim(), "unfold"), size, step};
  const int64_t n = self.dim() == 0 ? 1 : self.sizes()[ix(op.dim)];
  check(size >= 0, "unfold: size is ", size, " but must be >= 0");
  check(size <= n, "unfold: maximum size for tensor at dimension ", op.dim, " is ", n, " but size is ", size);
  check(step > 0, "unfold: step is ", step, " but must be > 0");
  return apply(op, self);
}

Tensor unfold_sum(const Tensor& g, IntArrayRef sizes, int64_t dim, int64_t size, int64_t step) {
  return apply(Embed<Unfold>{{dim, size, step}, sizes}, g);
}

// ---- Diagonals.

Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  return apply(make_diagonal(self, offset, dim1, dim2, "diagonal"), self);
}
Tensor diag(const Tensor& self, int64_t diagonal) {
  check_defined(self, "diag");
  check(self.dim() == 1 || self.dim() == 2, "diag(): Supports 1D or 2D tensors. Got ", self.dim(), "D of shape ",
        self.sizes());
  if (self.dim() == 1) return diag_embed(self, diagonal);
  return apply(DiagonalCopy{make_diagonal(self, diagonal, 0, 1, "diag")}, self);
}
Tensor diag_embed(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  check_defined(self, "diag_embed");
  check_room_for_dim(self, "diag_embed");
  const int64_t dims = self.dim() + 1;
  const int64_t first = wrap_dim(dim1, dims, "diag_embed"), second = wrap_dim(dim2, dims, "diag_embed");
  check(first != second, "diag_embed: diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  constexpr int64_t kFar = int64_t{1} << 60;
  check(offset > -kFar && offset < kFar, "diag_embed: a matrix with a diagonal at offset ", offset, " overflows");
  const int64_t n = self.sizes().back() + (offset < 0 ? -offset : offset);
  DiagEmbed op{{{offset, first, second}, {}}};
  for (int64_t d = 0, from = 0; d < dims; ++d)
    op.sizes.push_back(d == first || d == second ? n : self.sizes()[ix(from++)]);
  checked_numel(op.sizes, "diag_embed");
  return apply(op, self);
}

// ---- Copies with one part replaced.

Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t at) {
  check_defined(src, "select_scatter", "src");
  return scatter_through(make_select(self, dim, at, "select_scatter"), self, src);
}
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim, std::optional<int64_t> start,
                     std::optional<int64_t> end, int64_t step) {
  check_defined(src, "slice_scatter", "src");
  return scatter_through(make_slice(self, dim, start, end, step, "slice_scatter"), self, src);
}
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1, int64_t dim2) {
  check_defined(src, "diagonal_scatter", "src");
  return scatter_through(make_diagonal(self, offset, dim1, dim2, "diagonal_scatter"), self, src);
}

extern const OpEntry part_ops[];
extern const size_t part_ops_count;
const OpEntry part_ops[] = {
    doc("`length` slices along dim, from start on.",
        op("narrow(Tensor self, int dim, int start, int length) -> Tensor",
           "z(4), 0, 1, 2\nt(4, 3), 0, 1, 2\nt(4, 3), -1, -2, 1\nt(4), 0, 4, 0\nt(2, 3), 1, 0, 3",
           [](const Tensor& x, int64_t dim, int64_t start, int64_t length) { return narrow(x, dim, start, length); })),
    op("narrow.Tensor(Tensor self, int dim, Tensor start, int length) -> Tensor",
       "t(4, 3), 0, c(1), 2\nt(4, 3), 1, c(-1), 1",
       [](const Tensor& x, int64_t dim, const Tensor& start, int64_t length) { return narrow(x, dim, start, length); }),
    doc("One slice along dim.",
        op<select>("select.int(Tensor self, int dim, int index) -> Tensor",
                   "z(2, 3), 0, 1\nt(2, 3), 0, 1\nt(2, 3), -1, -2\nt(3), 0, 2\nt(2, 3, 4), 1, 0\nt(2, 0), 0, 1")),
    doc("The slices along dim from start to end, step apart.",
        function(op<slice>("slice.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
                           "z(4), 0, 1, 3\nt(5, 3)\nt(5, 3), 0, 1, 4\nt(5, 3), 0, 1, None, 2\nt(2, 7), -1, -6, -1, "
                           "3\nt(5), 0, 3, 2\nt(5), 0, -9, "
                           "99\nt(0, 3), 1, 0, 2"))),
    doc("Pieces along dim of this size (the last may be smaller) or these sizes.",
        alias("unsafe_split", op("split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]",
                                 "z(4), 2\nt(5, 3), 2\nt(2, 4), 2, -1\nt(3), 7\nt(0), 0\nt(0, 2), 3",
                                 [](const Tensor& x, int64_t size, int64_t dim) { return split(x, size, dim); }))),
    op("split.sizes(Tensor self, int[] split_size, int dim=0) -> Tensor[]",
       "t(5, 3), [2, 3]\nt(2, 4), [1, 0, 3], -1\nt(0), [0, 0]",
       [](const Tensor& x, IntArrayRef sizes, int64_t dim) { return split(x, sizes, dim); }),
    doc("Pieces along dim of these sizes.",
        alias("unsafe_split_with_sizes",
              op<split_with_sizes>("split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
                                   "t(5, 3), [2, 3]\nt(2, 4), [1, 0, 3], -1\nt(3), [3]"))),
    doc("At most that many pieces along dim, of equal size but for the last.",
        alias("unsafe_chunk", op<chunk>("chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
                                        "z(4), 2\nt(5, 3), 2\nt(2, 4), 3, -1\nt(2), 5\nt(0), 3"))),
    doc("That many pieces along dim, or pieces ending at these indices.",
        op("tensor_split.sections(Tensor self, int sections, int dim=0) -> Tensor[]",
           "t(5, 3), 2\nt(2, 4), 3, -1\nt(2), 4",
           [](const Tensor& x, int64_t sections, int64_t dim) { return tensor_split(x, sections, dim); })),
    op("tensor_split.indices(Tensor self, int[] indices, int dim=0) -> Tensor[]",
       "t(5, 3), [1, 3]\nt(2, 4), [1, 10, -1], -1\nt(3), []\nt(5), [3, 1]",
       [](const Tensor& x, IntArrayRef indices, int64_t dim) { return tensor_split(x, indices, dim); }),
    op("tensor_split.tensor_indices_or_sections(Tensor self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor[]",
       "t(5, 3), c(2)\nt(2, 4), c([1, 3]), 1",
       [](const Tensor& x, const Tensor& indices, int64_t dim) { return tensor_split(x, indices, dim); }),
    doc("Pieces side by side: along the second dimension, or the only one.",
        op("hsplit.int(Tensor self, int sections) -> Tensor[]", "t(2, 4), 2\nt(4), 2",
           [](const Tensor& x, int64_t sections) { return hsplit(x, sections); })),
    op("hsplit.array(Tensor self, int[] indices) -> Tensor[]", "t(2, 4), [1, 3]\nt(4), [1]",
       [](const Tensor& x, IntArrayRef indices) { return hsplit(x, indices); }),
    doc("Pieces above each other: along the first dimension.",
        op("vsplit.int(Tensor self, int sections) -> Tensor[]", "t(4, 2), 2",
           [](const Tensor& x, int64_t sections) { return vsplit(x, sections); })),
    op("vsplit.array(Tensor self, int[] indices) -> Tensor[]", "t(4, 2), [1, 3]",
       [](const Tensor& x, IntArrayRef indices) { return vsplit(x, indices); }),
    doc("Parts along the third dimension.",
        op("dsplit.int(Tensor self, int sections) -> Tensor[]", "t(2, 1, 4), 2\nt(2, 1, 4), 3\nt(2, 4), 2",
           [](const Tensor& x, int64_t sections) { return dsplit(x, sections); })),
    op("dsplit.array(Tensor self, int[] indices) -> Tensor[]", "t(2, 1, 4), [1, 3]",
       [](const Tensor& x, IntArrayRef indices) { return dsplit(x, indices); }),
    doc("All slices along dim.", op<unbind>("unbind.int(Tensor self, int dim=0) -> Tensor[]",
                                            "z(2, 3)\nt(3, 2)\nt(2, 3), -1\nt(3)\nt(2, 0)\nt(0, 2)")),
    doc("Windows of a size along a dimension, step apart, as a new last dimension.",
        op<unfold>("unfold(Tensor self, int dimension, int size, int step) -> Tensor",
                   "z(5), 0, 2, 1\nt(7), 0, 3, 2\nt(7), 0, 3, 1\nt(2, 5), -1, 4, 1\nt(5, 2), 0, 2, 3\nt(6), 0, 5, "
                   "1\nt(), 0, 1, 1\nt(2, "
                   "3), 1, 0, 1")),
    doc("The diagonal of two dimensions, as the last dimension.",
        op<diagonal>("diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
                     "z(3, 3)\nt(3, 4)\nt(3, 4), 1\nt(3, 4), -2\nt(2, 3, 4), 0, 2, 0\nt(2, 3, 4), 1, -1, 1\nt(2, 2), "
                     "7\nt(0, 3)")),
    doc("The diagonal of a matrix, or a matrix with this diagonal.",
        out_same(op<diag>("diag(Tensor self, int diagonal=0) -> Tensor",
                          "z(3)\nz(3, 3)\nt(3)\nt(3), 1\nt(2), -2\nt(3, 4)\nt(3, 4), -1\nt(2, 2), 5\nt(0)"))),
    doc("Matrices with these diagonals.",
        op<diag_embed>("diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
                       "z(3)\nt(3)\nt(2, 3)\nt(2, 3), 1\nt(2, 3), -1, 0, 2\nt(0)")),
    doc("self with one slice along dim replaced by src.",
        op<select_scatter>("select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor",
                           "t(2, 3), t(3), 0, 1\nt(2, 3), t(2), -1, -3\nt(3), t(), 0, 1")),
    doc("self with the slices from start to end along dim replaced by src.",
        out_same(op<slice_scatter>(
            "slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
            "t(4, 3), t(4, 3)\nt(4, 3), t(2, 3), 0, 1, 3\nt(2, 5), t(2, 2), 1, 0, -1, 2\nt(3), t(0), 0, 2, 1"))),
    doc("self with a diagonal replaced by src.",
        op<diagonal_scatter>(
            "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
            "t(3, 3), t(3)\nt(3, 4), t(3), 1\nt(2, 3, 2), t(3, 1), -1, 0, 2")),
};
const size_t part_ops_count = std::size(part_ops);

}  // namespace taut
