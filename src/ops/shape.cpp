// Elements in other places: flips, rolls, triangles, padding; and one_hot.
#include <algorithm>

#include "kernels/copy.h"
#include "kernels/index.h"
#include "kernels/rearrange.h"
#include "ops/autocast.h"
#include "ops/expanded.h"
#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

struct Flip {
  static constexpr Parts parts = Parts::Last;
  static constexpr const char* name = "flip";
  static constexpr const char* node = "FlipBackward0";
  static constexpr bool linear = true;
  Dims dims;
  Flip moved(int64_t) const { return {moved_dims(dims)}; }
  Tensor forward(const Tensor& x) const {
    const Tensor y = make(x.sizes(), x.scalar_type(), name);
    kernels::flip(view_of(y), view_of(x), dims);
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g.flip(dims); }
};

struct Roll {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "roll";
  static constexpr const char* node = "RollBackward0";
  static constexpr bool linear = true;
  Dims shifts, dims;  // no dims: the tensor is rolled as if it were flat
  Tensor batch(const Batch& b, const Tensor& x) const {
    if (!dims.empty()) return apply(Roll{shifts, moved_dims(dims)}, x);
    return apply(Roll{shifts, {1}}, x.reshape({b.size, b.size > 0 ? x.numel() / b.size : 1})).view(x.sizes());
  }
  Tensor forward(const Tensor& x) const {
    if (x.is_complex() && dims.empty()) return Roll{shifts, {0}}.forward(x.reshape({-1})).view(x.sizes());
    if (x.is_complex()) return from_parts(forward(parts_of(x, Parts::Last)), Parts::Last, x.dim() == 0);
    const Tensor y = make(x.sizes(), x.scalar_type(), name);
    if (dims.empty()) kernels::roll(view_of(y.view({-1})), view_of(x.reshape({-1})), shifts, {0});
    else kernels::roll(view_of(y), view_of(x), shifts, dims);
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    Dims back(shifts);
    for (int64_t& s : back) s = -s;
    return g.roll(back, dims);
  }
};

struct Rot90 {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "rot90";
  static constexpr const char* node = "Rot90Backward0";
  static constexpr bool linear = true;
  int64_t k, dim0, dim1;
  Rot90 moved(int64_t) const { return {k, dim0 + 1, dim1 + 1}; }
  Tensor forward(const Tensor& x) const {
    if (k == 0) return x.clone();
    if (k == 2) return x.flip({dim0, dim1});
    const Tensor y = x.flip(k == 1 ? dim1 : dim0).transpose(dim0, dim1);
    return alias(y, y.sizes(), y.strides());  // a result of its own, no view of the flipped copy
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g.rot90(4 - k, {dim0, dim1}); }
};

struct Triangle {
  static constexpr Parts parts = Parts::First;
  static constexpr const char* name = "tril";
  static constexpr bool linear = true;
  int64_t diagonal;
  bool lower;
  const char* node_name() const { return lower ? "TrilBackward0" : "TriuBackward0"; }
  static constexpr bool leading = true;
  Tensor forward(const Tensor& x) const {
    const Tensor y = make(x.sizes(), x.scalar_type(), lower ? "tril" : "triu");
    (lower ? kernels::tril : kernels::triu)(view_of(y), view_of(x), diagonal);
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return lower ? g.tril(diagonal) : g.triu(diagonal); }
};

Tensor triangle(const Tensor& x, int64_t diagonal, bool lower) {
  const char* op = lower ? "tril" : "triu";
  check_defined(x, op);
  check(x.dim() >= 2, op, ": input tensor must have at least 2 dimensions, got shape ", x.sizes());
  return apply(Triangle{diagonal, lower}, x);
}

// ---- Padding. pads[2 d] goes before dimension d and pads[2 d + 1] after it; a negative pad cuts.

/// Of a tensor with one more dimension in front.
Dims moved_pads(Dims pads) {
  pads.insert(0, 0), pads.insert(0, 0);
  return pads;
}

struct ConstantPad {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "pad";
  static constexpr const char* node = "ConstantPadNdBackward0";
  Dims pads;
  Scalar value;
  ConstantPad moved(int64_t) const { return {moved_pads(pads), value}; }
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), kept(x.sizes());
    for (size_t d = 0; d < sizes.size(); ++d) sizes[d] += pads[2 * d] + pads[2 * d + 1];
    const Tensor y = make(sizes, x.scalar_type(), name);
    if (std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p > 0; })) kernels::fill(view_of(y), value);
    int64_t from = 0, to = 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      const int64_t before = pads[2 * d], after = pads[2 * d + 1];
      kept[d] += std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
      (before < 0 ? from : to) += before < 0 ? -before * x.strides()[d] : before * y.strides()[d];
    }
    if (std::all_of(kept.begin(), kept.end(), [](int64_t n) { return n > 0; }))
      kernels::copy(view_of(alias(y, kept, y.strides(), to)), view_of(alias(x, kept, x.strides(), from)));
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    ConstantPad back{pads, 0};
    for (int64_t& p : back.pads) p = -p;
    return apply(back, g);
  }
};

enum class Border { Reflect, Replicate, Circular };

/// Which of n elements stands at i after `before` more were put in front.
Tensor border_indices(Border border, int64_t n, int64_t before, int64_t after) {
  const DryScope computed(false);
  const Tensor indices = make({n + before + after}, kLong, "pad");
  auto* p = indices.data_ptr<int64_t>();
  for (int64_t i = 0; i < indices.numel(); ++i) {
    const int64_t at = i - before;
    if (border == Border::Reflect) p[i] = at < 0 ? -at : at >= n ? 2 * (n - 1) - at : at;
    else if (border == Border::Replicate) p[i] = std::clamp<int64_t>(at, 0, n - 1);
    else p[i] = ((at % n) + n) % n;
  }
  return indices;
}

/// Padding with elements of the tensor itself, one dimension after the other.
struct BorderPad {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "pad";
  static constexpr unsigned bends = kInput(0);
  static constexpr bool linear = true;
  Border border;
  Dims pads;
  int64_t spatial;  // how many of the last dimensions are padded
  const char* node_name() const {
    constexpr const char* names[2][3] = {
        {"ReflectionPad1DBackward0", "ReflectionPad2DBackward0", "ReflectionPad3DBackward0"},
        {"ReplicationPad1DBackward0", "ReplicationPad2DBackward0", "ReplicationPad3DBackward0"}};
    return border == Border::Circular ? "CircularPadBackward0" : names[border == Border::Replicate][spatial - 1];
  }
  BorderPad moved(int64_t) const { return {border, moved_pads(pads), spatial}; }
  Tensor forward(const Tensor& x) const {
    if (x.is_complex()) {
      BorderPad pairs = *this;
      pairs.pads.push_back(0), pairs.pads.push_back(0);
      return from_parts(pairs.forward(parts_of(x, Parts::Last)), Parts::Last);
    }
    return std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p < 0; }) ? gathered(x) : grown(x);
  }
  /// The tensor in the middle; then, from the last dimension on, every border slice from the slice it repeats.
  Tensor grown(const Tensor& x) const {
    Dims sizes(x.sizes()), done(x.sizes());
    for (size_t d = 0; d < sizes.size(); ++d) sizes[d] += pads[2 * d] + pads[2 * d + 1];
    const Tensor y = make(sizes, x.scalar_type(), name);
    if (y.numel() == 0) return y;
    int64_t offset = 0;
    for (size_t d = 0; d < sizes.size(); ++d) offset += pads[2 * d] * y.strides()[d];
    kernels::copy(view_of(alias(y, done, y.strides(), offset)), view_of(x));
    for (size_t d = sizes.size(); d-- > 0;) {
      const Tensor indices = border_indices(border, x.sizes()[d], pads[2 * d], pads[2 * d + 1]);
      const auto* from = indices.data_ptr<int64_t>();
      const int64_t step = y.strides()[d], before = pads[2 * d];
      offset -= before * step;
      done[d] = 1;
      for (int64_t i = 0; i < sizes[d]; ++i)
        if (i < before || i >= before + x.sizes()[d])
          kernels::copy(view_of(alias(y, done, y.strides(), offset + i * step)),
                        view_of(alias(y, done, y.strides(), offset + (before + from[i]) * step)));
      done[d] = sizes[d];
    }
    return y;
  }
  /// Also right when a dimension is cut on one side.
  Tensor gathered(const Tensor& x) const {
    Tensor y = x;
    for (size_t d = 0; d < x.sizes().size(); ++d) {
      if (pads[2 * d] == 0 && pads[2 * d + 1] == 0) continue;
      const Tensor indices = border_indices(border, x.sizes()[d], pads[2 * d], pads[2 * d + 1]);
      Dims sizes(y.sizes());
      sizes[d] = indices.numel();
      const Tensor padded = make(sizes, x.scalar_type(), name);
      kernels::index_select(view_of(padded), view_of(y), static_cast<int>(d), view_of(indices));
      y = padded;
    }
    return y.is_same(x) ? x.clone() : y;
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const;
};

/// The transpose of BorderPad: what was copied to the border comes back.
struct BorderFold {
  static constexpr Parts parts = Parts::Last;
  static constexpr const char* name = "pad";
  static constexpr const char* node = "PadBackwardBackward0";
  static constexpr bool linear = true;
  BorderPad pad;
  Dims sizes;
  BorderFold moved(int64_t items) const { return {pad.moved(items), with_batch(items, sizes)}; }
  Tensor forward(const Tensor& g) const {
    Tensor y = g;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (pad.pads[2 * d] == 0 && pad.pads[2 * d + 1] == 0) continue;
      const Tensor indices = border_indices(pad.border, sizes[d], pad.pads[2 * d], pad.pads[2 * d + 1]);
      Dims folded(y.sizes());
      folded[d] = sizes[d];
      const Tensor sum = zeros(folded, g.scalar_type());
      kernels::index_add(view_of(sum), static_cast<int>(d), view_of(indices), view_of(y));
      y = sum;
    }
    return y.is_same(g) ? g.clone() : y;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(pad, g); }
};
Tensor BorderPad::vjp(int, const Tensor& g, const Saved& s) const { return apply(BorderFold{*this, s.sizes(0)}, g); }

/// The amounts below or above zero alone.
Dims only(Dims pads, bool positive) {
  for (int64_t& p : pads) p = positive ? std::max<int64_t>(p, 0) : std::min<int64_t>(p, 0);
  return pads;
}

Tensor pad_border(const Tensor& x, IntArrayRef pad, const Dims& pads, Border border) {
  const int64_t spatial = static_cast<int64_t>(pad.size()) / 2, dims = x.dim();
  check<NotImplementedError>(spatial >= 1 && spatial <= 3 && (dims == spatial + 1 || dims == spatial + 2),
                             "pad: Padding size ", pad.size(), " is not supported for ", dims,
                             "D input tensor. Only 2D, 3D, 4D, 5D padding with non-constant padding are supported");
  bool some = false, empty = false;  // padded dimensions of which something is left, or nothing
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t n = x.sizes()[ix(d)], before = pads[ix(2 * d)], after = pads[ix(2 * d + 1)],
                  left = n + before + after;
    check(n > 0 || (d == 0 && dims == spatial + 2), "pad: Expected ", spatial + 1, "D or ", spatial + 2,
          "D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ",
          x.sizes());
    if (d < dims - spatial) continue;
    if (border == Border::Reflect)
      check(before < n && after < n,
            "pad: Padding size should be less than the corresponding input dimension, but got: padding (", before, ", ",
            after, ") at dimension ", d, " of input ", x.sizes());
    if (border == Border::Circular) {
      // PyTorch copies within the result, and sees where that overlaps only if there is one row.
      const bool one = std::all_of(x.sizes().begin(), x.sizes().begin() + d, [](int64_t s) { return s == 1; });
      const int64_t most = n + (one ? std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0) : 0);
      check(left == 0 || (before <= most && after <= most),
            "pad: Padding value causes wrapping around more than once: padding (", before, ", ", after,
            ") at dimension ", d, " of input ", x.sizes());
      check(left == 0 || (before > -n && after > -n), "pad: negative padding (", before, ", ", after,
            ") leaves nothing of dimension ", d, " of input ", x.sizes());
    }
    check(left >= 0, "pad: input of shape ", x.sizes(),
          " is too small: Negative padding value is resulting in an empty dimension: ", left, " at dimension ", d);
    (left > 0 ? some : empty) = true;
  }
  check(some || border == Border::Circular, "pad: input of shape ", x.sizes(),
        " is too small: Negative padding value is resulting in an empty dimension");
  if (empty) return apply(ConstantPad{pads, 0}, x);  // which has no elements
  if (border == Border::Circular && std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p < 0; })) {
    const Tensor kept = apply(ConstantPad{only(pads, false), 0}, x);  // what is cut away does not come round again
    return apply(BorderPad{border, only(pads, true), spatial}, kept);
  }
  return apply(BorderPad{border, pads, spatial}, x);
}

}  // namespace

Tensor flip(const Tensor& self, IntArrayRef dims) {
  check_defined(self, "flip");
  Flip op;
  for (int64_t d : dims) {
    const int64_t wrapped = wrap_dim(d, self.dim(), "flip");
    check(std::find(op.dims.begin(), op.dims.end(), wrapped) == op.dims.end(), "flip: dim ", wrapped,
          " appears multiple times in the list of dims");
    op.dims.push_back(wrapped);
  }
  return apply(op, self);
}
Tensor fliplr(const Tensor& self) {
  check_defined(self, "fliplr");
  check(self.dim() >= 2, "fliplr: Input must be >= 2-d, got shape ", self.sizes());
  return flip(self, {1});
}
Tensor flipud(const Tensor& self) {
  check_defined(self, "flipud");
  check(self.dim() >= 1, "flipud: Input must be >= 1-d.");
  return flip(self, {0});
}

Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims) {
  check_defined(self, "roll");
  check(!shifts.empty(), "roll: `shifts` required");
  check(shifts.size() == dims.size() || (shifts.size() == 1 && dims.empty()),
        "roll: shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
  check<IndexError>(dims.empty() || self.dim() > 0, "roll: Dimension specified as ", dims.empty() ? 0 : dims[0],
                    " but tensor has no dimensions");
  Roll op{shifts, dims};
  for (size_t i = 0; i < dims.size(); ++i) op.dims[i] = wrap_dim(dims[i], self.dim(), "roll");
  for (size_t i = 0; i < shifts.size(); ++i) {
    const int64_t n = dims.empty() ? self.numel() : self.sizes()[ix(op.dims[i])];
    op.shifts[i] = n == 0 ? 0 : shifts[i] % n;
  }
  return apply(op, self);
}

Tensor rot90(const Tensor& self, int64_t k, IntArrayRef dims) {
  check_defined(self, "rot90");
  check(dims.size() == 2, "rot90: expected total rotation dims == 2, but got dims = ", dims.size());
  check(self.dim() >= 2, "rot90: expected total dims >= 2, but got total dims = ", self.dim());
  const int64_t dim0 = wrap_dim(dims[0], self.dim(), "rot90"), dim1 = wrap_dim(dims[1], self.dim(), "rot90");
  check(dim0 != dim1, "rot90: expected rotation dims to be different, but got dim0 = ", dims[0],
        " and dim1 = ", dims[1]);
  return apply(Rot90{(k % 4 + 4) % 4, dim0, dim1}, self);
}

Tensor tril(const Tensor& self, int64_t diagonal) { return triangle(self, diagonal, true); }
Tensor triu(const Tensor& self, int64_t diagonal) { return triangle(self, diagonal, false); }
/// Zeros in an expanded tensor where an element is not kept.
static Tensor& clear_expanded_(Tensor& self, const Tensor& kept) {
  return fill_expanded_(self, kept.logical_not(), zeros({}, self.scalar_type()));
}
Tensor& tril_(Tensor& self, int64_t diagonal) {
  if (is_expanded(self)) return clear_expanded_(self, tril(ones(self.sizes(), kBool), diagonal));
  return in_place("tril_", self, [&](const Tensor& x) { return tril(x, diagonal); });
}
Tensor& triu_(Tensor& self, int64_t diagonal) {
  if (is_expanded(self)) return clear_expanded_(self, triu(ones(self.sizes(), kBool), diagonal));
  return in_place("triu_", self, [&](const Tensor& x) { return triu(x, diagonal); });
}

Tensor constant_pad_nd(const Tensor& self, IntArrayRef pad, const Scalar& value) {
  return taut::pad(self, pad, "constant", value.toDouble());
}
Tensor pad(const Tensor& self, IntArrayRef pad, std::string_view mode, std::optional<double> value) {
  if (mode == "replicate" || (mode == "reflect" && pad.size() < 6))
    AUTOCAST(taut::pad, as_wide(self), pad, mode, value);
  check_defined(self, "pad");
  check(pad.size() % 2 == 0, "pad: Padding length must be divisible by 2, got ", pad.size());
  check(pad.size() <= 2 * self.sizes().size(),
        "pad: Padding length should be less than or equal to two times the input dimension but got padding length ",
        pad.size(), " and input of dimension ", self.dim());
  Dims pads(2 * self.sizes().size());  // the last dimension comes first in `pad`
  for (size_t i = 0; i < pad.size(); ++i) {
    constexpr int64_t kFar = int64_t{1} << 60;
    check(pad[i] > -kFar && pad[i] < kFar, "pad: a padding of ", pad[i], " overflows");
    pads[2 * (self.sizes().size() - 1 - i / 2) + i % 2] = pad[i];
  }
  if (mode == "constant") {
    Dims sizes(self.sizes());
    for (size_t d = 0; d < sizes.size(); ++d) {
      const int64_t before = pads[2 * d], after = pads[2 * d + 1],
                    cut = std::max<int64_t>(-before, 0) + std::max<int64_t>(-after, 0);
      check(cut <= sizes[d], "pad: The input size ", sizes[d], ", plus negative padding ", before, " and ", after,
            " resulted in a negative output size, which is invalid. Check dimension ", d, " of your input of shape ",
            self.sizes());
      sizes[d] += before + after;
    }
    checked_numel(sizes, "pad");
    if (std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p > 0; }))
      check_converts(value.value_or(0.0), self.scalar_type(), "pad");
    return apply(ConstantPad{pads, value.value_or(0.0)}, self);
  }
  check(!value || *value == 0, "pad: Padding mode \"", mode, "\" doesn't take in value argument");
  if (mode == "reflect") return pad_border(self, pad, pads, Border::Reflect);
  if (mode == "replicate") return pad_border(self, pad, pads, Border::Replicate);
  check<NotImplementedError>(mode == "circular", "pad: Unrecognised padding mode ", mode);
  return pad_border(self, pad, pads, Border::Circular);
}

Tensor one_hot(const Tensor& self, int64_t num_classes) {
  check_defined(self, "one_hot");
  check<TypeError>(self.scalar_type() == kLong, "one_hot is only applicable to index tensor of type LongTensor, got ",
                   self.scalar_type());
  check<ValueError>(self.numel() > 0 || num_classes > 0,
                    "one_hot: Can not infer total number of classes from empty tensor.");
  if (self.is_meta() && num_classes >= 0) {
    Dims sizes(self.sizes());
    sizes.push_back(num_classes);
    return make_dry(sizes, kLong);
  }
  check(!self.is_meta(), "Tensor.item() cannot be called on meta tensors");
  if (is_batched(self)) {
    check<ValueError>(num_classes > 0,
                      "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes "
                      "argument.");
    const HiddenDims levels = hidden_of(*self.impl());
    return batching::hide(one_hot(batching::whole(self), num_classes), levels, {});
  }
  const Tensor classes = self.contiguous();
  const auto* c = classes.data_ptr<int64_t>();
  const int64_t n = classes.numel(), largest = n == 0 ? -1 : *std::max_element(c, c + n);
  check<ValueError>(n == 0 || *std::min_element(c, c + n) >= 0, "one_hot: Class values must be non-negative.");
  check<ValueError>(num_classes >= -1, "one_hot: num_classes should be positive, got ", num_classes);
  check<ValueError>(num_classes == -1 || largest < num_classes,
                    "one_hot: Class values must be smaller than num_classes: got ", largest, " and ", num_classes,
                    " classes");
  check(largest < INT64_MAX, "one_hot: the number of classes overflows");
  const int64_t width = num_classes == -1 ? largest + 1 : num_classes;
  Dims sizes(self.sizes());
  sizes.push_back(width);
  const Tensor y = zeros(sizes, kLong);
  auto* p = y.data_ptr<int64_t>();
  for (int64_t i = 0; i < n; ++i) p[i * width + c[i]] = 1;
  return y;
}

extern const OpEntry shape_ops[];
extern const size_t shape_ops_count;
const OpEntry shape_ops[] = {
    doc("The elements in reverse order along dims.",
        op<flip>("flip(Tensor self, int[] dims) -> Tensor",
                 "z(2, 3), [1]\nt(2, 3), [0]\nt(2, 3), [0, -1]\nt(2, 3), []\nt(), [0]\nt(0, 3), [1]\nt(2, 3, 4), [1]")),
    doc("Columns in reverse order.", op<fliplr>("fliplr(Tensor self) -> Tensor", "t(2, 3)\nt(2, 3, 2)")),
    doc("Rows in reverse order.", op<flipud>("flipud(Tensor self) -> Tensor", "t(3)\nt(2, 3)")),
    doc("Moved along dims; what leaves at one end comes in at the other.",
        op<roll>("roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor",
                 "z(2, 3), [1], [1]\nz(2, 3), [1]\nt(2, 3), [1]\nt(2, 3), [1], [1]\nt(3, 4), [-1, 5], [0, -1]\nt(3, "
                 "4), [1, 1], [0, 0]\nt(), [2]\nt(0, 3), "
                 "[1], [1]")),
    doc("Turned by 90 degrees, k times.",
        op<rot90>("rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor",
                  "z(2, 3)\nt(2, 3)\nt(2, 3), 2\nt(2, 3), -1\nt(2, 3), 4\nt(2, 3, 2), 3, [1, -1]")),
    doc("Zeros above a diagonal.",
        out_same(op<tril, tril_>("tril(Tensor self, int diagonal=0) -> Tensor",
                                 "z(3, 3)\nt(3, 3)\nt(3, 4), 1\nt(2, 3, 2), -1\nt(2, 3), 99\nt(0, 3)"))),
    doc("Zeros below a diagonal.",
        out_same(op<triu, triu_>("triu(Tensor self, int diagonal=0) -> Tensor",
                                 "z(2, 3, 3), 1\nt(3, 3)\nt(3, 4), 1\nt(2, 3, 2), -1\nt(2, 3), -99\nt(0, 3)"))),
    doc("Wider at both ends of the last dimensions: constant, reflect, replicate or circular.",
        function(
            op<pad>("pad(Tensor self, int[] pad, str mode=\"constant\", float? value=None) -> Tensor",
                    "z(2, 3), [1, 1]\nz(1, 2, 3), [1, 1], 'reflect'\nt(2, 3), [1, 2]\nt(2, 3), [1, 0, 0, 2], "
                    "value=1.5\nt(2, 4), [-1, 2]\nt(3), [-1, -1]\nt(2, 3), []\nt(0), "
                    "[1, 1]\nt(2, 4), [2, 1], 'reflect'\nt(2, 3, 4), [1, 2, 2, 0], 'reflect'\nt(2, 4), [3, -2], "
                    "'reflect'\nt(2, 3), [4, 5], 'replicate'\nt(1, 2, 3), [1, 1, 2, -1], 'replicate'\nt(2, 3), [3, 2], "
                    "'circular'\nt(1, 2, 3), [1, 0, 2, 1], 'circular'\nt(1, 2, 2, 2), [1, 1, 1, 0, 0, 1], 'reflect'"))),
    doc("Wider at both ends of the last dimensions, by a constant.",
        function(out_same(op<constant_pad_nd>(
            "constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor",
            "t(2, 3), [1, 2]\nt(2, 3), [1, 0, 0, 2], 1.5\nt(2, 4), [-1, 2]\ni(0, 5, 3), [1, 1], 7")))),
    doc("A 1 at the place each number names, among zeros.",
        function(op<one_hot>("one_hot(Tensor self, int num_classes=-1) -> Tensor",
                             "i(0, 4, 2, 3)\ni(0, 4, 5), 6\nc(2)\nc([0, 0]), 1"))),
};
const size_t shape_ops_count = std::size(shape_ops);

}  // namespace taut
