// Joining tensors, and repeating them.
#include <algorithm>

#include "kernels/copy.h"
#include "kernels/rearrange.h"
#include "ops/registry.h"
#include "ops/sparse.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

/// What lies at `start` along `dim` of a fresh result, with the sizes of `x`.
View place(const Tensor& y, int64_t dim, int64_t start, const Tensor& x) {
  const View v = view_of(y);
  return {v.ptr<char>() + start * v.strides[ix(dim)] * element_size(v.dtype), v.dtype, x.sizes(), v.strides};
}

/// Every tensor is there, and there is one.
ScalarType common_dtype(TensorList tensors, const char* op) {
  check<ValueError>(!tensors.empty(), op, " expects a non-empty TensorList");
  ScalarType type = ScalarType::Undefined;
  for (const Tensor& t : tensors) {
    check_defined(t, op, "tensors");
    type = type == ScalarType::Undefined ? t.scalar_type() : promote_types(type, t.scalar_type());
  }
  return type;
}

struct Cat {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "cat";
  static constexpr const char* node = "CatBackward0";
  int64_t dim;
  ScalarType dtype;
  Dims sizes;   // of the result
  Dims starts;  // where each input begins; -1: an empty vector among tensors of other shapes, which counts as nothing
  Tensor batch(const Batch& b, TensorList tensors) const {
    std::vector<Tensor> all;
    for (size_t i = 0; i < tensors.size(); ++i) all.push_back(b.all(i, tensors[i]));
    return apply_list(Cat{dim + 1, dtype, with_batch(b.size, sizes), starts}, all);
  }
  Tensor forward(TensorList tensors) const {
    const Tensor y = make(sizes, dtype, name);
    if (join_rows(y, tensors)) return y;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (starts[i] >= 0 && tensors[i].numel() > 0)
        kernels::copy(place(y, dim, starts[i], tensors[i]), view_of(tensors[i]));
    return y;
  }
  Tensor forward_sparse(TensorList tensors) const { return sparse::joined(tensors, dim, sizes, dtype); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const int64_t start = starts[ix(i)];
    return start < 0 ? zeros(s.sizes(i), s.dtype(i)) : g.narrow(dim, start, s.sizes(i)[ix(dim)]);
  }

 private:
  /// In one go over the result, if the inputs are contiguous and of its dtype, and rows of one follow those of another.
  bool join_rows(const Tensor& y, TensorList tensors) const {
    int64_t rows = 1;
    for (int64_t d = 0; d < dim; ++d) rows *= sizes[ix(d)];
    if (rows <= 1 || y.numel() == 0) return false;
    std::vector<kernels::JoinPiece> pieces;
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (starts[i] < 0 || tensors[i].numel() == 0) continue;
      if (tensors[i].scalar_type() != dtype || !tensors[i].is_contiguous()) return false;
      pieces.push_back({tensors[i].data_ptr(), tensors[i].numel() / rows * element_size(dtype)});
    }
    kernels::join_rows(y.data_ptr(), rows, pieces.data(), pieces.size());
    return true;
  }
};

struct Stack {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "stack";
  static constexpr const char* node = "StackBackward0";
  int64_t dim;
  ScalarType dtype;
  Tensor batch(const Batch& b, TensorList tensors) const {
    std::vector<Tensor> all;
    for (size_t i = 0; i < tensors.size(); ++i) all.push_back(b.all(i, tensors[i]));
    return apply_list(Stack{dim + 1, dtype}, all);
  }
  Tensor forward(TensorList tensors) const {
    Dims sizes(tensors[0].sizes());
    sizes.insert(ix(dim), static_cast<int64_t>(tensors.size()));
    const Tensor y = make(sizes, dtype, name);
    if (y.numel() == 0) return y;
    Dims strides(y.strides());
    const int64_t step = strides[ix(dim)] * element_size(dtype);
    strides.erase(ix(dim));
    for (size_t i = 0; i < tensors.size(); ++i)
      kernels::copy(
          {static_cast<char*>(y.data_ptr()) + static_cast<int64_t>(i) * step, dtype, tensors[i].sizes(), strides},
          view_of(tensors[i]));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved&) const { return g.select(dim, i); }
};

/// Matrices along the diagonal of a larger one.
struct BlockDiag {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "block_diag";
  static constexpr const char* node = "BlockDiagBackward0";
  ScalarType dtype;
  Dims rows, columns;  // where each begins, and at the end where the last one ends
  Tensor batch(const Batch& b, TensorList tensors) const {
    std::vector<Tensor> lines;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const Tensor all =
          b.all(i, tensors[i]).to(dtype).view({b.size, rows[i + 1] - rows[i], columns[i + 1] - columns[i]});
      lines.push_back(pad(all, {columns[i], columns.back() - columns[i + 1]}));
    }
    return cat(lines, 1);
  }
  Tensor forward(TensorList tensors) const {
    const Tensor y = zeros({rows.back(), columns.back()}, dtype);
    for (size_t i = 0; i < tensors.size(); ++i) kernels::copy(view_of(block(y, i)), view_of(atleast_2d(tensors[i])));
    return y;
  }
  Tensor block(const Tensor& y, size_t i) const {
    return y.narrow(0, rows[i], rows[i + 1] - rows[i]).narrow(1, columns[i], columns[i + 1] - columns[i]);
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return block(g, ix(i)).reshape(s.sizes(i)); }
};

struct Repeat {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "repeat";
  static constexpr const char* node = "RepeatBackward0";
  static constexpr bool linear = true;
  Dims repeats;  // as many as the result has dimensions
  Tensor batch(const Batch& b, const Tensor& x) const {
    return apply(Repeat{with_batch(1, repeats)}, b.raised(0, x, static_cast<int64_t>(repeats.size())));
  }
  Tensor forward(const Tensor& x) const {
    const size_t fresh = repeats.size() - x.sizes().size();
    Dims sizes(repeats);
    for (size_t d = fresh; d < sizes.size(); ++d) sizes[d] *= x.sizes()[d - fresh];
    const Tensor y = make(sizes, x.scalar_type(), name);
    if (y.numel() == 0) return y;
    Dims block, from, to;  // the result as [repeat, size, repeat, size, ...], the input with stride 0 where it repeats
    for (size_t d = 0; d < sizes.size(); ++d) {
      const int64_t size = d < fresh ? 1 : x.sizes()[d - fresh];
      if (repeats[d] != 1) block.push_back(repeats[d]), from.push_back(0), to.push_back(size * y.strides()[d]);
      if (size != 1) block.push_back(size), from.push_back(x.strides()[d - fresh]), to.push_back(y.strides()[d]);
    }
    kernels::copy({y.data_ptr(), y.scalar_type(), block, to}, {x.data_ptr(), x.scalar_type(), block, from});
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const size_t fresh = repeats.size() - s.sizes(0).size();
    Dims block, sum;
    for (size_t d = 0; d < repeats.size(); ++d) {
      if (repeats[d] != 1) sum.push_back(static_cast<int64_t>(block.size())), block.push_back(repeats[d]);
      if (d >= fresh) block.push_back(s.sizes(0)[d - fresh]);
    }
    if (sum.empty()) return g.reshape(block);
    return g.reshape(block).sum(sum);
  }
};

/// Each tensor as a dimension of its own, expanded along those of the others.
std::vector<Tensor> grid(TensorList tensors) {
  Dims shape;
  for (const Tensor& t : tensors) shape.push_back(t.numel());
  checked_numel(shape, "meshgrid");
  std::vector<Tensor> result;
  for (size_t i = 0; i < tensors.size(); ++i) {
    Dims one(tensors.size(), 1);
    one[i] = shape[i];
    result.push_back(tensors[i].view(one).expand(shape));
  }
  return result;
}

}  // namespace

Tensor cat(TensorList tensors, int64_t dim) {
  check<ValueError>(!tensors.empty(), "cat(): expected a non-empty list of Tensors");
  Cat op{0, common_dtype(tensors, "cat"), {}, {}};
  const auto counts = [](const Tensor& t) { return t.dim() != 1 || t.numel() != 0; };
  const Tensor* like = nullptr;  // the first that decides the shape
  for (size_t i = 0; i < tensors.size(); ++i) {
    check(tensors[i].dim() > 0, "cat: zero-dimensional tensor (at position ", i,
          ") cannot be concatenated. Use stack instead.");
    if (!like && counts(tensors[i])) like = &tensors[i];
  }
  if (!like) {
    op.sizes.push_back(0);
    op.starts = Dims(tensors.size(), -1);
    return apply_list(op, tensors);
  }
  op.dim = wrap_dim(dim, like->dim(), "cat");
  op.sizes.assign(like->sizes());
  int64_t& length = op.sizes[ix(op.dim)];
  length = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    if (!counts(t)) {
      op.starts.push_back(-1);
      continue;
    }
    check(t.dim() == like->dim(), "Tensors must have same number of dimensions: got ", like->dim(), " and ", t.dim(),
          ": the shapes are ", like->sizes(), " and ", t.sizes(), " (tensor number ", i, " of cat)");
    for (int64_t d = 0; d < t.dim(); ++d)
      check(d == op.dim || t.sizes()[ix(d)] == like->sizes()[ix(d)], "Sizes of tensors must match except in dimension ",
            op.dim, ". Expected size ", like->sizes()[ix(d)], " but got size ", t.sizes()[ix(d)], " for tensor number ",
            i, " in the list of cat: the shapes are ", like->sizes(), " and ", t.sizes());
    op.starts.push_back(length);
    check(!__builtin_add_overflow(length, t.sizes()[ix(op.dim)], &length), "cat: the size of the result overflows");
  }
  checked_numel(op.sizes, "cat");
  return apply_list(op, tensors);
}
Tensor concat(TensorList tensors, int64_t dim) { return cat(tensors, dim); }

Tensor stack(TensorList tensors, int64_t dim) {
  Stack op{0, common_dtype(tensors, "stack")};
  op.dim = wrap_dim(dim, tensors[0].dim() + 1, "stack");
  for (size_t i = 1; i < tensors.size(); ++i)
    check(tensors[i].sizes() == tensors[0].sizes(), "stack expects each tensor to be equal size, but got ",
          tensors[0].sizes(), " at entry 0 and ", tensors[i].sizes(), " at entry ", i);
  if (is_sparse(tensors[0])) {
    std::vector<Tensor> slices;
    for (const Tensor& t : tensors) slices.push_back(t.unsqueeze(op.dim));
    return cat(slices, op.dim);
  }
  return apply_list(op, tensors);
}

template <class F>
static std::vector<Tensor> each(TensorList tensors, const char* op, F f) {
  common_dtype(tensors, op);
  std::vector<Tensor> result;
  for (const Tensor& t : tensors) result.push_back(f(t));
  return result;
}
Tensor hstack(TensorList tensors) {
  const std::vector<Tensor> list = each(tensors, "hstack", atleast_1d);
  return cat(list, list[0].dim() == 1 ? 0 : 1);
}
Tensor vstack(TensorList tensors) { return cat(each(tensors, "vstack", atleast_2d), 0); }
Tensor dstack(TensorList tensors) { return cat(each(tensors, "dstack", atleast_3d), 2); }

Tensor block_diag(TensorList tensors) {
  if (tensors.empty()) return empty({1, 0});
  BlockDiag op{common_dtype(tensors, "block_diag"), {0}, {0}};
  for (size_t i = 0; i < tensors.size(); ++i) {
    const IntArrayRef sizes = tensors[i].sizes();
    check(sizes.size() <= 2, "block_diag: Input tensors must have 2 or fewer dimensions. Input ", i, " has ",
          sizes.size(), " dimensions: ", sizes);
    op.rows.push_back(op.rows.back() + (sizes.size() == 2 ? sizes[0] : 1));
    op.columns.push_back(op.columns.back() + (sizes.empty() ? 1 : sizes.back()));
  }
  checked_numel({op.rows.back(), op.columns.back()}, "block_diag");
  return apply_list(op, tensors);
}

std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing) {
  common_dtype(tensors, "meshgrid");
  check<ValueError>(indexing == "ij" || indexing == "xy",
                    "meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  for (const Tensor& t : tensors) {
    check(t.dim() <= 1, "meshgrid: Expected 0D or 1D tensor in the tensor list but got shape: ", t.sizes());
    check<TypeError>(t.scalar_type() == tensors[0].scalar_type(),
                     "meshgrid expects all tensors to have the same dtype, got ", tensors[0].scalar_type(), " and ",
                     t.scalar_type());
  }
  if (indexing == "ij" || tensors.size() < 2) return grid(tensors);
  std::vector<Tensor> swapped = tensors.vec();
  std::swap(swapped[0], swapped[1]);
  std::vector<Tensor> result = grid(swapped);
  std::swap(result[0], result[1]);
  return result;
}
std::vector<Tensor> meshgrid(TensorList tensors) { return meshgrid(tensors, "ij"); }

Tensor cartesian_prod(TensorList tensors) {
  common_dtype(tensors, "cartesian_prod");
  for (const Tensor& t : tensors) check(t.dim() == 1, "cartesian_prod: Expect a 1D vector, but got shape ", t.sizes());
  if (tensors.size() == 1) return tensors[0];
  std::vector<Tensor> columns = meshgrid(tensors, "ij");
  for (Tensor& t : columns) t = t.flatten();
  return stack(columns, 1);
}

Tensor repeat(const Tensor& self, IntArrayRef repeats) {
  check_defined(self, "repeat");
  check(repeats.size() >= self.sizes().size(),
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: repeat of ",
        repeats, " for shape ", self.sizes());
  Dims sizes(repeats);
  const size_t fresh = repeats.size() - self.sizes().size();
  for (size_t d = 0; d < repeats.size(); ++d) {
    check(repeats[d] >= 0, "repeat: Trying to create tensor with negative dimension: the repeats are ", repeats);
    if (d >= fresh)
      check(!__builtin_mul_overflow(repeats[d], self.sizes()[d - fresh], &sizes[d]),
            "repeat: the size of the result overflows: shape ", self.sizes(), " repeated ", repeats, " times");
  }
  checked_numel(sizes, "repeat");
  return apply(Repeat{repeats}, self);
}
Tensor tile(const Tensor& self, IntArrayRef dims) {
  check_defined(self, "tile");
  Dims repeats(dims);
  while (repeats.size() < self.sizes().size()) repeats.insert(0, 1);
  return repeat(self, repeats);
}

Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size) {
  check_defined(repeats, "repeat_interleave", "repeats");
  check(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat, got shape ", repeats.sizes());
  check<TypeError>(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt,
                   "repeat_interleave: repeats has to be Long or Int tensor, got ", repeats.scalar_type());
  int64_t total = 0;
  const auto count = [&](const auto* p) {
    for (int64_t i = 0; i < repeats.numel(); ++i) {
      const int64_t n = p[i * repeats.stride(0)];
      check(n >= 0, "repeat_interleave: repeats can not be negative, got ", n);
      check(!__builtin_add_overflow(total, n, &total), "repeat_interleave: the sum of the repeats overflows");
    }
  };
  if (repeats.is_meta()) {
    check(output_size.has_value(), "cannot repeat_interleave a meta tensor without output_size");
    return make_dry({*output_size}, repeats.scalar_type());
  }
  if (repeats.scalar_type() == kLong) count(static_cast<int64_t*>(repeats.data_ptr()));
  else count(static_cast<int32_t*>(repeats.data_ptr()));
  check(!output_size || *output_size == total || repeats.numel() == 0,
        "repeat_interleave: allocated size does not match required size: output_size is ", output_size.value_or(0),
        " and the repeats sum to ", total);
  const Tensor y = make({total}, kLong, "repeat_interleave");
  kernels::repeat_interleave(view_of(y), view_of(repeats));
  return y.to(repeats.scalar_type());
}

Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim,
                         std::optional<int64_t> output_size) {
  check_defined(self, "repeat_interleave");
  check_defined(repeats, "repeat_interleave", "repeats");
  const Tensor x = dim && self.dim() > 0 ? self : self.flatten();
  const int64_t along = wrap_dim(dim.value_or(0), x.dim(), "repeat_interleave"), n = x.size(along);
  check(repeats.dim() <= 1, "repeat_interleave: repeats must be 0-dim or 1-dim tensor, got shape ", repeats.sizes());
  const bool one = repeats.dim() == 0 || repeats.numel() == 1;
  check(one || repeats.numel() == n,
        "repeat_interleave: repeats must have the same size as input along dim, but got repeats.size(0) = ",
        repeats.numel(), " and input.size(", along, ") = ", n);
  return x.index_select(along, repeat_interleave(one ? repeats.reshape({1}).expand({n}) : repeats, output_size));
}

Tensor repeat_interleave(const Tensor& self, int64_t repeats, std::optional<int64_t> dim,
                         std::optional<int64_t> output_size) {
  check_defined(self, "repeat_interleave");
  check(repeats >= 0, "repeat_interleave: Repeats must be non-negative, got ", repeats);
  const Tensor x = dim && self.dim() > 0 ? self : self.flatten();
  const int64_t along = wrap_dim(dim.value_or(0), x.dim(), "repeat_interleave");
  int64_t length;
  check(!__builtin_mul_overflow(x.size(along), repeats, &length),
        "repeat_interleave: the size of the result overflows: shape ", x.sizes(), " repeated ", repeats, " times");
  check(!output_size || *output_size == length, "repeat_interleave: Invalid output_size, expected ", length,
        " but got ", output_size.value_or(0));
  Dims shape(x.sizes());
  shape.insert(ix(along) + 1, repeats);
  checked_numel(shape, "repeat_interleave");
  return x.unsqueeze(along + 1).expand(shape).clone(MemoryFormat::Contiguous).flatten(along, along + 1);
}

extern const OpEntry join_ops[];
extern const size_t join_ops_count;
const OpEntry join_ops[] = {
    doc("Tensors joined along a dimension.",
        alias("concatenate",
              out_apart(
                  op<cat>("cat(Tensor[] tensors, int dim=0) -> Tensor",
                          "[z(2, 3), z(1, 3)]\n[z(2, 3), t(2, 3)]\n[t(2, 3), t(1, 3)]\n[t(2, 3), t(2, 2)], -1\n[t(2), "
                          "t(3), t(1)]\n[t(2, 3)], 1\n[t(0), t(2, 2), t(0, "
                          "2)]\n[t(2), i(0, 5, 2)]\n[b(2), i(0, 5, 2)]\n[t(0), t(0)]\n[t(2, 1, 2), t(2, 3, 2)], 1")))),
    doc("Tensors joined along a dimension.", out_apart(op<concat>("concat(Tensor[] tensors, int dim=0) -> Tensor",
                                                                  "[t(2, 3), t(1, 3)]\n[t(2, 3), t(2, 2)], -1"))),
    doc("Tensors of one shape joined along a new dimension.",
        out_apart(op<stack>("stack(Tensor[] tensors, int dim=0) -> Tensor",
                            "[z(2), z(2)], 1\n[t(2, 3), t(2, 3)]\n[t(2, 3), t(2, 3)], -1\n[t(2, 3), t(2, 3), t(2, 3)], "
                            "1\n[t(), t()]\n[t(2), i(0, 5, "
                            "2)]\n[t(0, 2), t(0, 2)]"))),
    doc("Tensors joined side by side.",
        out_apart(op<hstack>("hstack(Tensor[] tensors) -> Tensor", "[t(2), t(3)]\n[t(2, 1), t(2, 3)]\n[t(), t(2)]"))),
    doc("Tensors joined above each other.",
        alias("row_stack", out_apart(op<vstack>("vstack(Tensor[] tensors) -> Tensor",
                                                "[t(3), t(3)]\n[t(3), t(2, 3)]\n[t(), t()]")))),
    doc("Tensors joined along the third dimension.",
        out_apart(op<dstack>("dstack(Tensor[] tensors) -> Tensor", "[t(3), t(3)]\n[t(2, 3), t(2, 3, 2)]\n[t(), t()]"))),
    doc("Matrices along the diagonal of a larger one.",
        no_out(op<block_diag>("block_diag(Tensor[] tensors) -> Tensor",
                              "[t(2, 3), t(2), t()]\n[t(2, 2)]\n[t(2, 0), t(1, 2)]\n[t(2), i(0, 5, 2, 2)]"))),
    doc("Coordinates of the grid that vectors span.",
        op("meshgrid(Tensor[] tensors) -> Tensor[]", "[t(2), t(3)]\n[t(2), t(), t(3)]\n[t(3)]",
           [](TensorList x) { return meshgrid(x); })),
    op("meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]",
       "[t(2), t(3)], indexing='xy'\n[t(2), t(3), t(4)], indexing='xy'\n[t(2), t(3)], indexing='ij'\n[t(2)], "
       "indexing='xy'\n[t(0), t(2)], indexing='xy'",
       [](TensorList x, std::string_view indexing) { return meshgrid(x, indexing); }),
    doc("All combinations of the vectors' elements, one row each.",
        no_out(op<cartesian_prod>("cartesian_prod(Tensor[] tensors) -> Tensor",
                                  "[t(2), t(3)]\n[t(2), t(1), t(2)]\n[t(3)]"))),
    doc("Copies side by side, that many along each dimension.",
        no_out(op<repeat>("repeat(Tensor self, int[] repeats) -> Tensor",
                          "z(2, 3), [2, 1]\nt(2, 3), [2, 3]\nt(3), [2, 1, 2]\nt(2, 3), [1, 1]\nt(), [2, 2]\nt(2, 3), "
                          "[0, 2]\nt(), []\nt(2, 1), "
                          "[1, 3]"))),
    doc("Copies side by side, that many along the last dimensions.",
        no_out(op<tile>("tile(Tensor self, int[] dims) -> Tensor",
                        "z(2), [2]\nt(2, 3), [2, 3]\nt(2, 3), [2]\nt(3), [2, 1, 2]\nt(), []"))),
    doc("Each element several times.",
        no_out(
            op("repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor",
               "c([1, 0, 3])\nc([2, 2]), output_size=4\ni(0, 4, 5)",
               [](const Tensor& repeats, std::optional<int64_t> size) { return repeat_interleave(repeats, size); }))),
    no_out(op(
        "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor",
        "t(3, 2), c([1, 0, 2]), 0\nt(2, 3), c([2, 1, 1]), -1\nt(2, 2), c([1, 2, 0, 1])\nt(2, 2), c([2]), 1\nt(3), "
        "c(2), "
        "0, output_size=6",
        [](const Tensor& x, const Tensor& repeats, std::optional<int64_t> dim, std::optional<int64_t> size) {
          return repeat_interleave(x, repeats, dim, size);
        })),
    no_out(op("repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor",
              "t(2, 3), 2\nt(2, 3), 2, 0\nt(2, 3), 3, -1, output_size=9\nt(), 3\nt(2, 3), 0, 1",
              [](const Tensor& x, int64_t repeats, std::optional<int64_t> dim, std::optional<int64_t> size) {
                return repeat_interleave(x, repeats, dim, size);
              })),
};
const size_t join_ops_count = std::size(join_ops);

}  // namespace taut
