// The elements where a mask is true, or a number not 0.
#include "kernels/masked.h"
#include "ops/indexing.h"
#include "ops/registry.h"

namespace taut {

namespace {

struct MaskedSelect {
  static constexpr bool moves = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "masked_select";
  static constexpr const char* node = "MaskedSelectBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& mask) const {
    check(!b.has(1),
          "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this because for "
          "each batch this would return a differently shaped Tensor. Please file an issue at "
          "https://github.com/pytorch/pytorch/issues if you need this feature.");
    const Tensor places = mask.reshape({-1}).nonzero().squeeze(1);
    return x.reshape({b.size, mask.numel()}).index_select(1, places);
  }
  Tensor forward(const Tensor& x, const Tensor& mask) const {
    if (x.is_complex())
      return from_parts(forward(parts_of(x, Parts::Last), parts_of(mask, Parts::Aligned)).view({-1, 2}), Parts::Last);
    Tensor y = make({kernels::count_nonzero(view_of(mask))}, x.scalar_type(), name);
    kernels::masked_select(view_of(y), view_of(x), view_of(mask));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? zeros(s.sizes(0), g.scalar_type()).masked_scatter(s.input(1), g) : Tensor();
  }
};

struct MaskedScatter {
  static constexpr Parts parts = Parts::Aligned;
  static constexpr const char* name = "masked_scatter";
  static constexpr const char* node = "MaskedScatterBackward0";
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  /// The k-th place of the mask takes the k-th element.
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& mask, const Tensor& source) const {
    const Tensor all = b.all(0, x), masks = b.all(1, mask), from = b.all(2, source);
    const Tensor rows = masks.reshape({b.size, b.size > 0 ? masks.numel() / b.size : 0}), counted = rows.cumsum(1);
    const int64_t have = b.size > 0 ? from.numel() / b.size : 0;
    if (have == 0 || rows.numel() == 0) return all.clone();
    const Tensor picked = from.reshape({b.size, have}).gather(1, (counted - 1).clamp(0, have - 1));
    return where(masks, picked.view(masks.sizes()), all);
  }
  Tensor forward(const Tensor& x, const Tensor& mask, const Tensor& source) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    const int64_t n = dry ? 0 : kernels::count_nonzero(view_of(mask));
    check(source.numel() >= n,
          "masked_scatter: expected the source to have at least as many elements as the mask has ones (", n, "), got ",
          source.numel());
    kernels::masked_scatter(view_of(y), view_of(mask), view_of(source.contiguous()));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const Tensor mask = s.input(1);
    if (i == 0) return g.masked_fill(mask, Scalar(0));
    if (i == 1) return {};
    if (no_data(g)) return make(s.sizes(2), g.scalar_type());
    Tensor part = g.masked_select(mask);
    const int64_t n = checked_numel(s.sizes(2), name);
    if (part.numel() < n) part = cat({part, zeros({n - part.numel()}, g.scalar_type())});
    return part.view(s.sizes(2));
  }
};

struct Nonzero {
  static constexpr const char* name = "nonzero";
  Tensor batch(const Batch&, const Tensor&) const {
    throw Error(
        "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over "
        "aten::nonzero. Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature.");
  }
  Tensor forward(const Tensor& x) const {
    Tensor y = make({kernels::count_nonzero(view_of(x)), x.dim()}, kLong, name);
    kernels::nonzero(view_of(y), view_of(x));
    return y;
  }
};

}  // namespace

static void check_mask(const Tensor& self, const Tensor& mask, const char* op) {
  check_defined(self, op, "self");
  check_defined(mask, op, "mask");
  check(mask.scalar_type() == kBool, op, ": expected BoolTensor for mask, got ", mask.scalar_type());
}
Tensor masked_select(const Tensor& self, const Tensor& mask) {
  check_mask(self, mask, "masked_select");
  const Dims shape = broadcast_shapes(self.sizes(), mask.sizes(), "masked_select");
  return apply(MaskedSelect{}, self.expand(shape), mask.expand(shape));
}
Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  check_mask(self, mask, "masked_scatter");
  check_dtypes(self, source, "masked_scatter");
  const Dims shape = broadcast_shapes(self.sizes(), mask.sizes(), "masked_scatter");
  return apply(MaskedScatter{}, self.expand(shape), mask.expand(shape), source);
}
Tensor& masked_scatter_(Tensor& self, const Tensor& mask, const Tensor& source) {
  return in_place("masked_scatter_", self, [&](const Tensor& x) { return masked_scatter(x, mask, source); });
}
Tensor nonzero(const Tensor& self) {
  check_defined(self, "nonzero", "self");
  return apply(Nonzero{}, self.is_complex() ? self != 0 : self);
}
Tensor nonzero_static(const Tensor& self, int64_t size, int64_t fill_value) {
  check_defined(self, "nonzero_static", "self");
  check(size >= 0, "nonzero_static: 'size' must be an non-negative integer, got ", size);
  if (no_data(self)) return make_dry({size, self.dim()}, kLong);
  const Tensor found = nonzero(self);
  const int64_t n = std::min(size, found.size(0));
  return cat({found.narrow(0, 0, n), full({size - n, self.dim()}, fill_value, kLong)});
}
std::vector<Tensor> where(const Tensor& condition) {
  check_defined(condition, "where", "condition");
  return (condition.dim() == 0 ? condition.unsqueeze(0) : condition).nonzero().unbind(1);
}

extern const OpEntry masked_ops[];
extern const size_t masked_ops_count;
const OpEntry masked_ops[] = {
    doc("The elements where mask is true, in one dimension.",
        out_apart(op<masked_select>(
            "masked_select(Tensor self, Tensor mask) -> Tensor",
            "z(2, 3), b(2, 3)\nt(2, 3), b(2, 3)\nt(2, 3), b(3)\nt(3), b(2, 3)\nt(0), b(0)\nt(), c(True)"))),
    doc("self with the elements of source, in their order, wherever mask is true.",
        no_out(op<masked_scatter, masked_scatter_>("masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
                                                   "z(2, 3), b(2, 3), z(6)\nt(2, 3), b(2, 3), t(6)\nt(2, 3), b(3), "
                                                   "t(2, 4)\nt(3), c([False, False, False]), t(2)"))),
    doc("The indices of all elements that are not 0, one row each.",
        out_apart(op<nonzero>("nonzero(Tensor self) -> Tensor", "z(2, 3)\ni(0, 2, 3, 4)\nb(5)\nt(0, 3)\nc(1)\nc(0)"))),
    doc("The first `size` rows of nonzero; rows of fill_value where there are fewer.",
        op<nonzero_static>(
            "nonzero_static(Tensor self, *, int size, int fill_value=-1) -> Tensor",
            "i(0, 2, 3, 4), size=3\nb(5), size=9\nc([0, 1, 1]), size=3, fill_value=7\nb(4), size=0\nb(2), "
            "size=-1")),
};
const size_t masked_ops_count = std::size(masked_ops);

}  // namespace taut
