// Slices along a dimension that an index names.
#include "kernels/index.h"
#include "ops/batch_rules.h"
#include "ops/expanded.h"
#include "ops/indexing.h"
#include "ops/registry.h"
#include "ops/sparse.h"

namespace taut {

namespace {

/// All items of an input, which have one dimension at least.
Tensor items(const Batch& b, size_t i, const Tensor& t) {
  const Tensor all = b.all(i, t);
  return all.dim() == 1 ? all.unsqueeze(1) : all;
}
/// The items one after the other along one dimension, so that each has indices of its own.
class InRows {
 public:
  InRows(const Batch& b, int64_t dim, const Tensor& x) : b_(b), dim_(dim + 1), shape_(x.movedim(dim + 1, 1).sizes()) {}
  Tensor rows(const Tensor& x) const { return fold_items(x.movedim(dim_, 1)); }
  /// An index of each item as one into all rows.
  Tensor index(const Tensor& index, bool from_end = false) const {
    Tensor all = index.dim() == 1 ? index.unsqueeze(1) : index;
    if (from_end) all = where(all < Scalar(0), all + shape_[1], all);
    check_items(all, shape_[1]);
    return (all + arange(b_.size, kLong).unsqueeze(1) * shape_[1]).reshape({-1});
  }
  Tensor back(const Tensor& rows, int64_t length) const { return unfold_items(rows, b_.size, length).movedim(1, dim_); }
  int64_t length() const { return shape_[1]; }

 private:
  const Batch& b_;
  int64_t dim_;
  Dims shape_;
};

struct IndexSelect {
  static constexpr bool moves = true;
  static constexpr Parts parts = Parts::Last;
  static constexpr const char* name = "index_select";
  static constexpr const char* node = "IndexSelectBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  int64_t dim;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index) const {
    const bool single = b.dim(0, x) == 0;
    Tensor y;
    if (!b.has(1)) {
      y = apply(IndexSelect{dim + 1}, items(b, 0, x), index);
    } else if (!b.has(0) && !single) {
      const int64_t n = index.dim() == 1 ? 1 : index.size(1);
      return apply(*this, x, index.reshape({-1})).unflatten(dim, {b.size, n}).movedim(dim, 0);
    } else {
      const Tensor all = items(b, 0, x);
      const InRows in(b, dim, all);
      y = in.back(apply(IndexSelect{0}, in.rows(all), in.index(index)), index.dim() == 1 ? 1 : index.size(1));
    }
    return single ? y.squeeze(1) : y;
  }
  Tensor forward(const Tensor& x, const Tensor& index) const {
    Dims shape(x.sizes());
    if (x.dim() > 0) shape[static_cast<size_t>(dim)] = index.numel();
    Tensor y = make(shape, x.scalar_type(), name);
    kernels::index_select(view_1d(y), view_1d(x), static_cast<int>(dim), view_1d(index));
    return y;
  }
  Tensor forward_sparse(const Tensor& x, const Tensor& index) const {
    if (is_sparse(index)) index.impl()->throw_no_memory();
    return sparse::index_selected(x, dim, index);
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? zeros_for(s.sizes(0), g.scalar_type(), g, s.input(1)).index_add_(dim, s.input(1), g) : Tensor();
  }
};

struct IndexAdd {
  static constexpr Parts parts = Parts::Last;
  static constexpr const char* name = "index_add";
  static constexpr const char* node = "IndexAddBackward0";
  static constexpr unsigned reads[] = {0, 0, kInput(1)};
  int64_t dim;
  Scalar alpha;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index, const Tensor& source) const {
    const Tensor all = items(b, 0, x);
    Tensor from = items(b, 2, source);
    while (from.dim() < all.dim()) from = from.unsqueeze(1);
    const InRows in(b, dim, all);
    const Tensor y = b.has(1)
                         ? in.back(apply(IndexAdd{0, alpha}, in.rows(all), in.index(index), in.rows(from)), in.length())
                         : apply(IndexAdd{dim + 1, alpha}, all, index, from);
    return b.dim(0, x) == 0 ? y.squeeze(1) : y;
  }
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& source) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    kernels::index_add(view_1d(y), static_cast<int>(dim), view_1d(index), view_1d(source), alpha);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 0) return g;
    if (i == 1) return {};
    const Tensor part = g.index_select(dim, s.input(1)).reshape(s.sizes(2));
    return alpha.equal(1) ? part : part * alpha;
  }
};

struct IndexCopy {
  static constexpr Parts parts = Parts::Last;
  static constexpr const char* name = "index_copy";
  static constexpr const char* node = "IndexCopyBackward0";
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  int64_t dim;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index, const Tensor& source) const {
    const Tensor all = items(b, 0, x);
    Tensor from = items(b, 2, source);
    while (from.dim() < all.dim()) from = from.unsqueeze(1);
    const InRows in(b, dim, all);
    const Tensor y = b.has(1) ? in.back(apply(IndexCopy{0}, in.rows(all), in.index(index), in.rows(from)), in.length())
                              : apply(IndexCopy{dim + 1}, all, index, from);
    return b.dim(0, x) == 0 ? y.squeeze(1) : y;
  }
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& source) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    kernels::index_copy(view_1d(y), static_cast<int>(dim), view_1d(index), view_1d(source));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 0) return g.index_fill(dim, s.input(1), Scalar(0));
    return i == 1 ? Tensor() : g.index_select(dim, s.input(1)).reshape(s.sizes(2));
  }
};

struct IndexFill {
  static constexpr const char* name = "index_fill";
  static constexpr const char* node = "IndexFillBackward0";
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  int64_t dim;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index, const Tensor& value) const {
    const Tensor all = items(b, 0, x);
    const InRows in(b, dim, all);
    Tensor y;
    if (b.has(2)) {
      Dims sizes(all.sizes());
      sizes[static_cast<size_t>(dim) + 1] = index.numel() / (b.has(1) ? std::max<int64_t>(b.size, 1) : 1);
      Dims one(sizes.size(), 1);
      one[0] = b.size;
      const Tensor source = value.view(one).expand(sizes);
      y = b.has(1) ? in.back(apply(IndexCopy{0}, in.rows(all), in.index(index, true), in.rows(source)), in.length())
                   : apply(IndexCopy{dim + 1}, all, where(index < Scalar(0), index + in.length(), index), source);
    } else {
      y = b.has(1) ? in.back(apply(IndexFill{0}, in.rows(all), in.index(index, true), value), in.length())
                   : apply(IndexFill{dim + 1}, all, index, value);
    }
    return b.dim(0, x) == 0 ? y.squeeze(1) : y;
  }
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& value) const {
    Tensor y = x.clone();
    kernels::index_fill(view_1d(y), static_cast<int>(dim), view_1d(index), view_of(value));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 0) return g.index_fill(dim, s.input(1), Scalar(0));
    return i == 1 ? Tensor() : (g - g.index_fill(dim, s.input(1), Scalar(0))).sum();  // an index may come twice
  }
};

void check_slices(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const char* op) {
  check_defined(self, op, "self");
  check_index(index, op);
  check_dtypes(self, source, op);
  check<IndexError>(index.dim() <= 1, op, "(): Index is supposed to be a vector, but got dim: ", index.dim());
  check(source.dim() == self.dim() || source.dim() == 0 || self.dim() == 0, op, "(): Source has shape ", source.sizes(),
        " and self ", self.sizes(), ": they must have as many dimensions");
  const int64_t n = source.dim() == 0 ? 1 : source.size(std::min(dim, source.dim() - 1));
  check<IndexError>(index.numel() == n, op, "(): Number of indices (", index.numel(),
                    ") should be equal to source.size(dim) (", n, ")");
  for (int64_t d = 0; d < self.dim() && source.dim() == self.dim(); ++d)
    check(d == dim || self.size(d) == source.size(d), op,
          "(): source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ",
          self.sizes(), " source.shape = ", source.sizes());
}

}  // namespace

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  check_defined(self, "index_select", "self");
  check_index(index, "index_select");
  check<IndexError>(index.dim() <= 1, "index_select(): Index is supposed to be a vector, got shape ", index.sizes());
  check(self.dim() > 0 || index.numel() == 1, "index_select(): Index to scalar can have only 1 value, got ",
        index.numel(), " value(s)");
  return apply(IndexSelect{wrap_dim(dim, self.dim(), "index_select")}, self, index);
}
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  check_defined(self, "index_add", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "index_add");
  check_slices(self, d, index, source, "index_add");
  check_converts(alpha, self.scalar_type(), "index_add");
  return apply(IndexAdd{d, alpha}, self, index, source);
}
Tensor& index_add_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  check_defined(self, "index_add_", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "index_add_");
  check_slices(self, d, index, source, "index_add_");
  check_converts(alpha, self.scalar_type(), "index_add_");
  return write_(
      "index_add_", self, {&source, &index},
      [&](const Tensor& y) {
        kernels::index_add(view_1d(y), static_cast<int>(d), view_1d(index), view_1d(source), alpha);
      },
      [&](const Tensor& x) { return index_add(x, d, index, source, alpha); });
}
Tensor index_copy(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  check_defined(self, "index_copy", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "index_copy");
  check_slices(self, d, index, source, "index_copy");
  return apply(IndexCopy{d}, self, index, source);
}
Tensor& index_copy_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  check_defined(self, "index_copy_", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "index_copy_");
  check_slices(self, d, index, source, "index_copy_");
  return write_(
      "index_copy_", self, {&source, &index},
      [&](const Tensor& y) { kernels::index_copy(view_1d(y), static_cast<int>(d), view_1d(index), view_1d(source)); },
      [&](const Tensor& x) { return index_copy(x, d, index, source); });
}
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  const AsDry as(self);
  check_defined(self, "index_fill", "self");
  check_defined(value, "index_fill", "value");
  check_index(index, "index_fill");
  check<IndexError>(index.dim() <= 1, "index_fill(): Index has to be a vector/scalar, got shape ", index.sizes());
  check(value.dim() == 0, "index_fill(): Only supports 0-dimensional value tensor, but got tensor with ", value.dim(),
        " dimension(s).");
  check(self.is_complex() || !value.is_complex(),
        "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  if (!value.requires_grad() && !no_data(value) && !is_batched(value))
    check_converts(value.item(), self.scalar_type(), "index_fill");
  const int64_t d = wrap_dim(dim, self.dim(), "index_fill");
  if (self.is_complex()) {
    if (self.dim() == 0) return index_fill(self.unsqueeze(0), 0, index, value).squeeze(0);
    Dims shape(static_cast<size_t>(self.dim()), 1);
    shape[static_cast<size_t>(d)] = self.size(d);
    return where(index_fill(zeros(shape, kBool), d, index, true), value.to(self.scalar_type()), self);
  }
  return apply(IndexFill{d}, self, index, value.to(self.scalar_type()));
}
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  const AsDry as(self);
  return index_fill(self, dim, index, number_for("index_fill", self, value));
}
Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  check_apart(self, {&index}, "index_fill_");
  if (is_expanded(self)) {
    const Tensor picked = index_fill(zeros(self.sizes(), kBool), dim, index, true);
    return fill_expanded_(self, picked, value);
  }
  return in_place("index_fill_", self, [&](const Tensor& x) { return index_fill(x, dim, index, value); });
}
Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return index_fill_(self, dim, index, number_for("index_fill_", self, value));
}

extern const OpEntry index_along_ops[];
extern const size_t index_along_ops_count;
const OpEntry index_along_ops[] = {
    doc("The slices along dim that index names.",
        out_apart(op<index_select>("index_select(Tensor self, int dim, Tensor index) -> Tensor",
                                   "z(3, 2), 0, i(0, 3, 4)\nt(3, 4), 0, c([0, 2, 2])\nt(3, 4), 1, c([1])\nt(3, 4), -1, "
                                   "i(0, 4, 5)\nt(), 0, c([0])\nt(0, "
                                   "3), 1, c([0, 1])"))),
    doc("self with alpha * source added to the slices along dim that index names.",
        op<index_add, index_add_>(
            "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
            "z(3, 2), 0, i(0, 3, 2), z(2, 2)\nt(3, 4), 0, c([0, 0]), t(2, 4)\nt(3, 4), 1, c([1, 3, 1]), t(3, 3), "
            "alpha=2.0\nt(3), 0, c([2]), t(1)")),
    doc("self with the slices along dim that index names replaced by those of source.",
        op<index_copy, index_copy_>(
            "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
            "z(3, 2), 0, c([2, 0]), z(2, 2)\nt(3, 4), 0, c([0, 2]), t(2, 4)\nt(3, 4), 1, c([3]), t(3, 1)")),
    doc("self with the slices along dim that index names filled with value.",
        no_out(op(
            "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
            "z(3, 2), 0, c([2, 0]), 1.5\nt(3, 4), 0, c([0, 2]), 1.5\nt(3, 4), -1, c([-1, 0]), 0",
            [](const Tensor& x, int64_t d, const Tensor& i, const Scalar& s) { return index_fill(x, d, i, s); },
            [](Tensor& x, int64_t d, const Tensor& i, const Scalar& s) -> Tensor& {
              return index_fill_(x, d, i, s);
            }))),
    no_out(op(
        "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
        "t(3, 4), 0, c([0, 2]), t()\nz(3, 4), 1, c([1, 1, 3]), z()",
        [](const Tensor& x, int64_t d, const Tensor& i, const Tensor& s) { return index_fill(x, d, i, s); },
        [](Tensor& x, int64_t d, const Tensor& i, const Tensor& s) -> Tensor& { return index_fill_(x, d, i, s); })),
};
const size_t index_along_ops_count = std::size(index_along_ops);

}  // namespace taut
