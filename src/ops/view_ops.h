// What view ops share: the transpose of a view op, writing through it, and changing a tensor's own shape.
#pragma once
#include "kernels/copy.h"
#include "ops/op.h"

namespace taut {

/// A dimension as an index into sizes and strides.
inline size_t ix(int64_t d) { return static_cast<size_t>(d); }
/// For the stride of a dimension with one element, which may be anything: a huge step must not be undefined behaviour.
inline int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

inline void check_room_for_dim(const Tensor& x, const char* op) {
  check(x.impl()->sizes.size() < kMaxDims, op, ": a tensor has at most ", kMaxDims,
        " dimensions, and this one has as many already");
}

/// A result that nobody else has seen, in another shape; no view of it. `node` is its name in the graph.
Tensor unsafe_view(const Tensor& self, IntArrayRef shape, const char* node = "UnsafeViewBackward0");

/// Can two indices reach the same element? Says yes when in doubt.
bool may_overlap(IntArrayRef sizes, IntArrayRef strides);

/// The transpose of a view op: zeros of shape `sizes` with the argument where the view looks. A view whose elements
/// repeat brings its own `put`, which sums.
template <class V>
struct Embed {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = V::name;
  static constexpr const char* node = V::embed_node;
  static constexpr bool linear = true;
  V of;
  Dims sizes;
  static constexpr bool sees_levels = true;
  Tensor forward(const Tensor& g) const {
    const Tensor y = zeros_for(sizes, g.scalar_type(), g);
    if constexpr (requires { of.put(y, g); }) of.put(y, g);
    else if (is_batched(g)) batching::write(of.forward(y), g);
    else kernels::copy(view_of(of.forward(y)), view_of(g));
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(of, g); }
};

/// A copy of the first argument in which the second is written where the view looks.
template <class V>
struct Scatter {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = V::scatter_name;
  static constexpr const char* node = V::scatter_node;
  static constexpr bool sees_levels = true;
  V of;
  Tensor forward(const Tensor& x, const Tensor& src) const {
    if (is_batched(x) || is_batched(src)) [[unlikely]] {
      const Tensor* const in[] = {&x, &src};
      const Tensor y = batching::fresh(batching::varying(in, 2), x.sizes(), x.scalar_type(), name);
      batching::write(y, x);
      batching::write(of.forward(y), src);
      return y;
    }
    const Tensor y = make(x.sizes(), x.scalar_type(), name);
    kernels::copy(view_of(y), view_of(x));
    kernels::copy(view_of(of.forward(y)), view_of(src));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved&) const {
    if (i == 1) return apply(of, g);
    return apply(*this, g, zeros({}, g.scalar_type()).expand(of.forward(g).sizes()));
  }
};

template <class V>
Tensor scatter_through(const V& of, const Tensor& x, const Tensor& src) {
  const Tensor part = of.forward(x);
  check(src.sizes() == part.sizes(), V::scatter_name,
        ": expected src to have a size equal to the slice of self. src size = ", src.sizes(),
        ", slice size = ", part.sizes());
  return apply(Scatter<V>{of}, x, src);
}

/// The same view op under the node name of its in-place twin.
template <class V>
struct InPlace : V {
  static constexpr const char* node = V::in_place_node;
};

/// `self`, which autograd allows to be written, takes the shape and the history of its view `y`.
Tensor& take_shape(const char* op, const Tensor& self, const Tensor& y);

/// transpose_ and the like: `self` itself gets the shape that the view op gives.
template <class V>
Tensor& change_shape(const char* op, const Tensor& self, const V& view) {
  autograd::check_inplace(self.impl(), op);
  return take_shape(op, self, apply(view, self));
}

}  // namespace taut
