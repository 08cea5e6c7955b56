// The views as results of their own: what they show, copied.
#include "ops/op.h"
#include "ops/registry.h"

namespace taut {

static std::vector<Tensor> copies(const std::vector<Tensor>& views) {
  std::vector<Tensor> made;
  for (const Tensor& v : views) made.push_back(v.clone(MemoryFormat::Contiguous));
  return made;
}
static Tensor copy_of(const Tensor& view) { return view.clone(MemoryFormat::Contiguous); }

Tensor alias_copy(const Tensor& self) {
  check_defined(self, "alias_copy");
  return self.clone();
}
Tensor detach_copy(const Tensor& self) {
  check_defined(self, "detach_copy");
  return self.detach().clone();
}
Tensor as_strided_copy(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                       std::optional<int64_t> storage_offset) {
  return copy_of(as_strided(self, size, stride, storage_offset));
}
Tensor diagonal_copy(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  return copy_of(diagonal(self, offset, dim1, dim2));
}
Tensor expand_copy(const Tensor& self, IntArrayRef size, bool) { return copy_of(expand(self, size)); }
Tensor narrow_copy(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  const Tensor part = narrow(self, dim, start, length);
  return is_sparse(part) ? part : copy_of(part);
}
Tensor permute_copy(const Tensor& self, IntArrayRef dims) { return copy_of(permute(self, dims)); }
Tensor select_copy(const Tensor& self, int64_t dim, int64_t index) { return copy_of(select(self, dim, index)); }
Tensor slice_copy(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                  int64_t step) {
  return copy_of(slice(self, dim, start, end, step));
}
std::vector<Tensor> split_copy(const Tensor& self, int64_t split_size, int64_t dim) {
  return copies(split(self, split_size, dim));
}
std::vector<Tensor> split_with_sizes_copy(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  return copies(split_with_sizes(self, split_sizes, dim));
}
Tensor squeeze_copy(const Tensor& self) { return copy_of(squeeze(self)); }
Tensor squeeze_copy(const Tensor& self, int64_t dim) { return copy_of(squeeze(self, dim)); }
Tensor squeeze_copy(const Tensor& self, IntArrayRef dim) { return copy_of(squeeze(self, dim)); }
Tensor t_copy(const Tensor& self) { return copy_of(t(self)); }
Tensor transpose_copy(const Tensor& self, int64_t dim0, int64_t dim1) { return copy_of(transpose(self, dim0, dim1)); }
std::vector<Tensor> unbind_copy(const Tensor& self, int64_t dim) { return copies(unbind(self, dim)); }
Tensor unfold_copy(const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  check_defined(self, "unfold_copy");
  return copy_of(self.unfold(dimension, size, step));
}
Tensor unsqueeze_copy(const Tensor& self, int64_t dim) { return copy_of(unsqueeze(self, dim)); }
Tensor view_copy(const Tensor& self, IntArrayRef size) {
  check_defined(self, "view_copy");
  return copy_of(self.reshape(size));
}
Tensor view_copy(const Tensor& self, ScalarType dtype) {
  check_defined(self, "view_copy");
  return copy_of(self.view(dtype));
}

Tensor view_as_real_copy(const Tensor& self) { return copy_of(view_as_real(self)); }
Tensor view_as_complex_copy(const Tensor& self) {
  return copy_of(view_as_complex(self.defined() ? self.contiguous() : self));
}

extern const OpEntry view_copy_ops[];
extern const size_t view_copy_ops_count;
const OpEntry view_copy_ops[] = {
    doc("A copy.", op<alias_copy>("alias_copy(Tensor self) -> Tensor", "t(2, 3)\nt()\ni(0, 5, 3)")),
    doc("A copy that is not part of the graph.", op<detach_copy>("detach_copy(Tensor self) -> Tensor", "t(2, 3)\nt()")),
    doc("as_strided, copied.",
        op<as_strided_copy>(
            "as_strided_copy(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
            "t(6), [2, 2], [3, 1]\nt(6), [2, 2], [1, 1], 1")),
    doc("diagonal, copied.",
        op<diagonal_copy>("diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
                          "t(3, 3)\nt(2, 3, 4), 1, 1, 2")),
    doc("expand, copied.", op<expand_copy>("expand_copy(Tensor self, int[] size, *, bool implicit=False) -> Tensor",
                                           "t(3, 1), [3, 2]\nt(), [2]")),
    doc("narrow, copied.", method(op<narrow_copy>("narrow_copy(Tensor self, int dim, int start, int length) -> Tensor",
                                                  "t(4, 2), 0, 1, 2\nt(4), -1, 0, 0"))),
    doc("permute, copied.",
        op<permute_copy>("permute_copy(Tensor self, int[] dims) -> Tensor", "t(2, 3, 4), [2, 0, 1]")),
    doc("select, copied.",
        op<select_copy>("select_copy.int(Tensor self, int dim, int index) -> Tensor", "t(2, 3), 1, 0\nt(2, 3), 0, -1")),
    doc("A slice along dim, copied.",
        op<slice_copy>(
            "slice_copy.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
            "t(5, 2)\nt(5, 2), 0, 1, 4, 2\nt(5), 0, -2")),
    doc("split, copied.", no_out(op<split_copy>("split_copy.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]",
                                                "t(5, 2), 2\nt(2, 4), 2, 1"))),
    doc("split_with_sizes, copied.",
        no_out(op<split_with_sizes_copy>("split_with_sizes_copy(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
                                         "t(5, 2), [2, 3]"))),
    doc("squeeze, copied.",
        op("squeeze_copy(Tensor self) -> Tensor", "t(1, 3, 1)\nt(2)", [](const Tensor& x) { return squeeze_copy(x); })),
    op("squeeze_copy.dim(Tensor self, int dim) -> Tensor", "t(1, 3, 1), 0\nt(2), 0",
       [](const Tensor& x, int64_t dim) { return squeeze_copy(x, dim); }),
    op("squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", "t(1, 3, 1), [0, 2]",
       [](const Tensor& x, IntArrayRef dim) { return squeeze_copy(x, dim); }),
    doc("t, copied.", op<t_copy>("t_copy(Tensor self) -> Tensor", "t(2, 3)\nt(3)")),
    doc("transpose, copied.",
        op<transpose_copy>("transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor", "t(2, 3, 4), 0, 2")),
    doc("unbind, copied.",
        no_out(op<unbind_copy>("unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", "t(2, 3)\nt(2, 3), 1"))),
    doc("Tensor.unfold, copied.",
        op<unfold_copy>("unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor", "t(6), 0, 3, 2")),
    doc("unsqueeze, copied.",
        op<unsqueeze_copy>("unsqueeze_copy(Tensor self, int dim) -> Tensor", "t(2, 3), 1\nt(), 0")),
    doc("Tensor.view, copied.", op("view_copy(Tensor self, int[] size) -> Tensor", "t(2, 3), [3, 2]\nt(4), [2, -1]",
                                   [](const Tensor& x, IntArrayRef size) { return view_copy(x, size); })),
    doc("view_as_real, copied.", op<view_as_real_copy>("view_as_real_copy(Tensor self) -> Tensor", "z(2, 3)\nz()")),
    doc("view_as_complex, copied.",
        op<view_as_complex_copy>("view_as_complex_copy(Tensor self) -> Tensor", "t(3, 2)\nt(2)")),
    op("view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor", "i(0, 5, 4), int32",
       [](const Tensor& x, ScalarType dtype) { return view_copy(x, dtype); }),
};
const size_t view_copy_ops_count = std::size(view_copy_ops);

}  // namespace taut
