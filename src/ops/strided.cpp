// Views given by strides alone, and what autograd makes of them when a view or its base is written in place.
#include <algorithm>

#include "ops/complex.h"
#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

/// Where elements lie in a storage, counted in elements.
struct Geometry {
  Dims sizes, strides;
  int64_t offset = 0;

  bool empty() const { return std::find(sizes.begin(), sizes.end(), 0) != sizes.end(); }
  /// One past the last element.
  int64_t end() const {
    int64_t last = offset;
    for (size_t d = 0; d < sizes.size(); ++d) last += (sizes[d] - 1) * strides[d];
    return last + 1;
  }
  int64_t numel() const {
    int64_t n = 1;
    for (int64_t s : sizes) n *= s;
    return n;
  }
  /// Does it hold every element from its offset to its end once?
  bool dense() const { return !empty() && end() - offset == numel() && !may_overlap(sizes, strides); }
};

Geometry geometry_of(const TensorImpl& t) { return {t.sizes, t.strides, t.offset()}; }

/// A tensor and a view of it as places of one storage: counted in parts of complex numbers where only one of them is
/// complex.
struct Overlay {
  Geometry whole, part;
  HiddenDims items;                    // of the part alone: its first dimensions here
  bool whole_in_parts, part_in_parts;  // complex numbers, seen as pairs
  bool conjugated;                     // one is the conjugate of the other
  Overlay(const TensorImpl& w, const TensorImpl& p)
      : whole(geometry_of(w)),
        part(geometry_of(p)),
        whole_in_parts(is_complex(w.dtype) && !is_complex(p.dtype)),
        part_in_parts(is_complex(p.dtype) && !is_complex(w.dtype)),
        conjugated(is_complex(w.dtype) && is_complex(p.dtype) && w.conj != p.conj) {
    for (const HiddenDim& h : hidden_of(p))
      if (!hidden_of(w).find(h.level)) items.add(h);
    size_t d = 0;
    for (const HiddenDim& h : items) part.sizes.insert(d, h.size), part.strides.insert(d++, h.stride);
    if (whole_in_parts) count_parts(whole);
    if (part_in_parts) count_parts(part);
  }
  Tensor taken_whole(const Tensor& t) const { return whole_in_parts ? view_as_real(resolve_conj(t)) : t; }
  Tensor given_whole(const Tensor& t) const { return whole_in_parts ? view_as_complex(t.contiguous()) : t; }
  Tensor taken_part(const Tensor& t) const {
    Tensor all = t;
    for (const HiddenDim* h = items.end(); h-- != items.begin();) all = batching::leave(all, 0, h->level, h->size);
    return part_in_parts ? view_as_real(resolve_conj(all)) : conjugated ? all.conj() : all;
  }
  Tensor given_part(const Tensor& t) const {
    Tensor item = part_in_parts ? view_as_complex(t.contiguous()) : conjugated ? t.conj() : t;
    for (const HiddenDim& h : items) item = batching::enter(item, 0, h.level);
    return item;
  }

 private:
  static void count_parts(Geometry& g) {
    for (int64_t& s : g.strides) s *= 2;
    g.sizes.push_back(2), g.strides.push_back(1);
    g.offset *= 2;
  }
};

/// The piece of a storage that holds both.
struct Span {
  int64_t begin, end;
  Span(const Geometry& a, const Geometry& b)
      : begin(a.empty()   ? b.offset
              : b.empty() ? a.offset
                          : std::min(a.offset, b.offset)),
        end(a.empty()   ? (b.empty() ? begin : b.end())
            : b.empty() ? a.end()
                        : std::max(a.end(), b.end())) {}
  int64_t size() const { return end - begin; }
  Tensor part(const Tensor& buffer, const Geometry& g) const {
    return alias(buffer, g.sizes, g.strides, g.offset - begin);
  }
};

/// The elements of a buffer that nobody else sees; copied when some of them repeat, so that a writer does no harm.
Tensor read(const Tensor& buffer, const Span& span, const Geometry& g) {
  const Tensor part = span.part(buffer, g);
  return may_overlap(g.sizes, g.strides) ? part.clone(MemoryFormat::Contiguous) : part;
}

/// to += from, where elements of `to` may repeat: a dimension at a time is walked until the rest does not.
void add_into(const Tensor& to, const Tensor& from) {
  if (to.numel() == 0) return;
  if (!may_overlap(to.sizes(), to.strides())) {
    to.add_(from);
    return;
  }
  size_t walk = 0;
  for (size_t d = 0; d < to.sizes().size(); ++d) {
    if (to.strides()[d] == 0 && to.sizes()[d] > 1)
      return add_into(to.select(static_cast<int64_t>(d), 0), from.sum(static_cast<int64_t>(d)));
    if (to.sizes()[d] > 1 && (to.sizes()[walk] <= 1 || to.sizes()[d] < to.sizes()[walk])) walk = d;
  }
  for (int64_t i = 0; i < to.sizes()[walk]; ++i)
    add_into(to.select(static_cast<int64_t>(walk), i), from.select(static_cast<int64_t>(walk), i));
}

/// Puts elements into a zeroed storage at one geometry and reads it at another: the gradient of as_strided, and its own
/// transpose. Where elements of the op's input repeat, they share what their storage element gets.
struct Restride {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "as_strided";
  static constexpr const char* node = "AsStridedBackwardBackward0";
  static constexpr bool sees_levels = true;
  static constexpr bool linear = true;
  Geometry from, to;
  bool from_is_input;

  Tensor forward(const Tensor& g) const {
    if (from.empty() || to.empty()) return zeros(to.sizes, g.scalar_type());
    const Span span(from, to);
    const bool covers = from.dense() && from.numel() == span.size();
    const Tensor buffer = make_for(g, {span.size()}, g.scalar_type(), name);
    if (!covers) buffer.zero_();
    const Tensor there = span.part(buffer, from);
    if (may_overlap(from.sizes, from.strides)) add_into(there, g);
    else write(there, g);
    const Geometry& input = from_is_input ? from : to;
    if (may_overlap(input.sizes, input.strides)) {
      const Tensor count = zeros({span.size()}, g.scalar_type());
      add_into(span.part(count, input), ones({}, g.scalar_type()).expand(input.sizes));
      buffer.div_(count.clamp_min(1));
    }
    return read(buffer, span, to);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(Restride{to, from, !from_is_input}, g); }
};

struct AsStrided {
  static constexpr const char* name = "as_strided";
  static constexpr const char *node = "AsStridedBackward0", *in_place_node = "AsStridedBackward1";
  static constexpr bool linear = true, view = true;
  Geometry input, result;
  Tensor forward(const Tensor& x) const {
    const TensorImpl& t = *x.impl();
    const int64_t offset = result.offset - input.offset, first = t.offset() + offset;
    const int64_t room = static_cast<int64_t>(t.storage->nbytes()) / element_size(t.dtype);
    if (t.sizes == input.sizes && t.strides == input.strides &&
        (result.empty() || (first >= 0 && result.end() - result.offset <= room - first)))
      return alias(x, result.sizes, result.strides, offset);
    RawScope raw;
    return apply(Restride{input, result, true}, x);  // a tangent that is laid out in another way than its primal
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(Restride{result, input, false}, g); }
};

/// Zero at one place of a storage, unchanged elsewhere.
struct ZeroPart {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "as_strided_scatter";
  static constexpr const char* node = "AsStridedScatterBackwardBackward0";
  static constexpr bool sees_levels = true;
  static constexpr bool linear = true;
  Geometry whole, part;
  Tensor forward(const Tensor& g) const {
    if (whole.empty()) return zeros(whole.sizes, g.scalar_type());
    const Span span(whole, part);
    const Tensor buffer = make_for(g, {span.size()}, g.scalar_type(), name);
    write(span.part(buffer, whole), g);
    if (!part.empty()) span.part(buffer, part).zero_();
    return read(buffer, span, whole);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(*this, g); }
};

struct AsStridedScatter {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "as_strided_scatter";
  static constexpr const char* node = "AsStridedScatterBackward0";
  static constexpr bool sees_levels = true;
  Geometry whole, part;
  Tensor forward(const Tensor& x, const Tensor& src) const {
    if (whole.empty()) return make(whole.sizes, x.scalar_type(), name);
    const Span span(whole, part);
    const Tensor* const in[] = {&x, &src};
    const HiddenDims levels = batching::varying(in, 2);
    const Tensor buffer = levels.empty() ? make({span.size()}, x.scalar_type(), name)
                                         : batching::fresh(levels, {span.size()}, x.scalar_type(), name);
    write(span.part(buffer, whole), x);
    if (!part.empty()) write(span.part(buffer, part), src);
    return span.part(buffer, whole);
  }
  Tensor vjp(int i, const Tensor& g, const Saved&) const {
    return i == 0 ? apply(ZeroPart{whole, part}, g) : apply(Restride{whole, part, true}, g);
  }
};

/// Sizes, strides and offset of as_strided, checked against the storage.
Geometry checked_geometry(const Tensor& x, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> offset,
                          const char* op) {
  check_defined(x, op);
  check(size.size() == stride.size(), op, ": mismatch in length of strides and shape: ", stride, " and ", size);
  for (int64_t s : stride)
    check(s >= 0, op, ": Negative strides are not supported at the moment, got strides: ", stride);
  Geometry g{size, stride, offset.value_or(x.storage_offset())};
  check(g.offset >= 0, op, ": invalid storage offset ", g.offset);
  checked_numel(size, op);
  if (g.empty()) {  // it may point anywhere: let it point to the start
    g.offset = std::min(g.offset, static_cast<int64_t>(x.impl()->storage->nbytes()) / element_size(x.scalar_type()));
    return g;
  }
  int64_t end = g.offset;
  bool fits = true;
  for (size_t d = 0; d < size.size() && fits; ++d) {
    int64_t reach;
    fits = !__builtin_mul_overflow(size[d] - 1, stride[d], &reach) && !__builtin_add_overflow(end, reach, &end);
  }
  const auto bytes = static_cast<int64_t>(x.impl()->storage->nbytes());
  check(fits && end < bytes / element_size(x.scalar_type()), op, ": setStorage: sizes ", size, ", strides ", stride,
        ", storage offset ", g.offset, ", and itemsize ", element_size(x.scalar_type()),
        " are out of bounds for storage of size ", bytes);
  return g;
}

}  // namespace

Tensor as_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset) {
  Geometry result = checked_geometry(self, size, stride, storage_offset, "as_strided");
  return apply(AsStrided{geometry_of(*self.impl()), std::move(result)}, self);
}
Tensor& as_strided_(Tensor& self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset) {
  Geometry result = checked_geometry(self, size, stride, storage_offset, "as_strided_");
  return change_shape("as_strided_", self, InPlace<AsStrided>{{geometry_of(*self.impl()), std::move(result)}});
}

Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntArrayRef size, IntArrayRef stride,
                          std::optional<int64_t> storage_offset) {
  check_defined(self, "as_strided_scatter");
  check_defined(src, "as_strided_scatter", "src");
  const Tensor x = may_overlap(self.sizes(), self.strides()) ? self.clone(MemoryFormat::Contiguous) : self;
  Geometry part = checked_geometry(x, size, stride, storage_offset, "as_strided_scatter");
  check(src.sizes() == size,
        "as_strided_scatter: expected src to have a size equal to the slice of self. src size = ", src.sizes(),
        ", slice size = ", size);
  check(!may_overlap(size, stride),
        "as_strided_scatter: unsupported operation: more than one element of the written-to tensor refers to a single "
        "memory location: size ",
        size, " with strides ", stride);
  return apply(AsStridedScatter{geometry_of(*x.impl()), std::move(part)}, x, src);
}

// ---- In-place writes to views.

namespace {

/// Takes the gradient of a view to its base, whatever chain of ops made the view.
class ViewNode final : public Node {
 public:
  explicit ViewNode(const TensorImpl& view)
      : Node(1, &edge_, 1), edge_(autograd::gradient_edge(view.base.get())), at_(*view.base, view) {
    autograd::set_output(*this, 0, &view);
  }
  const char* name() const override { return "AsStridedBackward0"; }
  void backward(Tensor* grads, Tensor* out) override {
    if (grads[0].defined() && wants(0))
      out[0] = at_.given_whole(apply(Restride{at_.part, at_.whole, false}, at_.taken_part(grads[0])));
  }

 private:
  Edge edge_;
  Overlay at_;
};

/// A base after a write through one of its views: what was there before, except in the view, where the writer decides.
class CopySlices final : public Node {
 public:
  CopySlices(const TensorImpl& view, const Ref<Node>& writer, uint32_t nr)
      : Node(1, edge_, 2), edge_{autograd::gradient_edge(view.base.get()), {writer, nr}}, at_(*view.base, view) {
    autograd::set_output(*this, 0, view.base.get());
    inside_ = view.base->contiguous && !at_.whole.empty() &&
              (at_.part.empty() || (at_.part.offset >= at_.whole.offset && at_.part.end() <= at_.whole.end()));
  }
  const char* name() const override { return "CopySlices"; }
  void backward(Tensor* grads, Tensor* out) override {
    if (!grads[0].defined()) return;
    const Tensor g = at_.taken_whole(grads[0]);
    const Geometry &base = at_.whole, &view = at_.part;
    if (wants(0)) out[0] = at_.given_whole(apply(ZeroPart{base, view}, g));
    if (!wants(1)) return;
    if (!inside_) {
      out[1] = at_.given_part(apply(Restride{base, view, true}, g));
    } else {
      const Tensor rows = g.contiguous();
      const Geometry have = geometry_of(*rows.impl());
      out[1] = at_.given_part(
          apply(AsStrided{have, {view.sizes, view.strides, view.offset - base.offset + have.offset}}, rows));
    }
  }

 private:
  Edge edge_[2];
  Overlay at_;
  bool inside_;  // the view lies within a contiguous base
};

}  // namespace

Ref<Node> autograd::provided::view_node(const TensorImpl* view) { return Ref<Node>::adopt(new ViewNode(*view)); }
Ref<Node> autograd::provided::copy_slices(const TensorImpl* view, const Ref<Node>& writer, uint32_t nr) {
  return Ref<Node>::adopt(new CopySlices(*view, writer, nr));
}

Tensor autograd::provided::part_of(const Tensor& t, const TensorImpl* whole, const TensorImpl* part) {
  const Overlay at(*whole, *part);
  return at.given_part(apply(AsStrided{at.whole, at.part}, at.taken_whole(t)));
}
Tensor autograd::provided::with_part(const Tensor& t, const Tensor& value, const TensorImpl* whole,
                                     const TensorImpl* part) {
  const Overlay at(*whole, *part);
  return at.given_whole(apply(AsStridedScatter{at.whole, at.part}, at.taken_whole(t), at.taken_part(value)));
}

extern const OpEntry strided_ops[];
extern const size_t strided_ops_count;
const OpEntry strided_ops[] = {
    doc("The same memory read with these sizes, strides and offset.",
        op<as_strided, as_strided_>(
            "as_strided(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
            "z(2, 3), [3, 2], [1, 3]\nt(2, 3), [3, 2], [1, 3]\nt(9), [2, 2], [1, 1], 3\nt(6), [4, 3], [1, 1]\nt(4), "
            "[2, 3], [1, 0], "
            "1\nt(3, 3), [2], [2], 1\nt(), [3], [0]\nt(4), [0], [1]\nt(8), [3, 2, 2], [2, 1, 1]")),
    doc("self with the places of these sizes, strides and offset replaced by src.",
        op<as_strided_scatter>(
            "as_strided_scatter(Tensor self, Tensor src, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
            "z(2, 3), z(2, 2), [2, 2], [1, 3]\nt(2, 3), t(2, 2), [2, 2], [1, 3]\nt(9), t(2, 2), [2, 2], [4, 1], "
            "3\nt(4), t(), [], [], 2\nt(4), t(0), "
            "[0], "
            "[1]")),
};
const size_t strided_ops_count = std::size(strided_ops);

}  // namespace taut
