// How attention is cut into tiles. Products are those of src/kernels/isa/gemm.cpp; tiles of scores have the keys below
// each other and the queries side by side.
#include "kernels/attention.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/parallel.h"
#include "kernels/isa/attention.h"
#include "kernels/isa/gemm.h"
#include "kernels/workspace.h"

namespace taut::kernels {
namespace {

constexpr int64_t kQueries = 64, kKeys = 64;    // of a tile; kQueries is a multiple of every panel
constexpr int64_t kGradQueries = 256;           // of a tile in backward, which reads all keys for each of them
constexpr int64_t kStride = kGradQueries + 16;  // of its rows: not a power of 2, which few sets of the cache would hold
constexpr int64_t kChunkWork = int64_t{1} << 18;  // multiply-adds that are worth a chunk of their own
constexpr int64_t kUnits = 8, kPartKeys = 256;    // with fewer heads, backward cuts the keys into parts

constexpr double kLog2E = 1.4426950408889634;  // scores are logarithms to base 2

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

template <class T>
const GemmKernels<T>& gemm_for() {
  if constexpr (std::is_same_v<T, float>) return gemm_table().f32;
  else return gemm_table().f64;
}
template <class T>
const AttentionKernels<T>& kernels_for() {
  if constexpr (std::is_same_v<T, float>) return attention_table().f32;
  else return attention_table().f64;
}

/// One head of a view: rows of contiguous features.
template <class T>
struct Rows {
  T* data;
  int64_t stride;
  T* operator[](int64_t i) const { return data + i * stride; }
};
template <class T>
Rows<T> head_of(const View& x, int64_t b, int64_t h) {
  return {x.ptr<T>() + b * x.strides[0] + h * x.strides[1], x.strides[2]};
}

/// A row that will be written soon.
template <class T>
void prefetch(const T* row, int64_t n) {
  for (int64_t i = 0; i < n; i += 64 / static_cast<int64_t>(sizeof(T))) __builtin_prefetch(row + i, 1);
}

struct Shape {
  int64_t batch, heads, key_heads, group, queries, keys, features, value_features;
  explicit Shape(const Attention& x)
      : batch(x.query.sizes[0]),
        heads(x.query.sizes[1]),
        key_heads(x.key.sizes[1]),
        group(key_heads == 0 ? 1 : heads / key_heads),
        queries(x.query.sizes[2]),
        keys(x.key.sizes[2]),
        features(x.query.sizes[3]),
        value_features(x.value.sizes[3]) {}
};

/// The mask of `queries` queries from q0 on for `keys` keys from k0 on, as one panel of scores.
template <class T>
void pack_mask(const View& mask, int64_t b, int64_t h, int64_t q0, int64_t queries, int64_t k0, int64_t keys, T* tile) {
  const auto& gemm = gemm_for<T>();
  if (queries < gemm.panel) std::fill_n(tile, keys * gemm.panel, T(0));
  const auto& s = mask.strides;
  gemm.pack(keys, queries, mask.ptr<T>() + b * s[0] + h * s[1] + q0 * s[2] + k0 * s[3], s[3], s[2], tile);
}

/// Rows times `factor` as columns: features below each other, `count` rows side by side in panels, the last one filled
/// up with zeros.
template <class T>
void pack_columns(Rows<T> x, int64_t count, int64_t features, double factor, T* packed) {
  const auto& gemm = gemm_for<T>();
  if (const int64_t whole = count / gemm.panel; whole * gemm.panel < count)
    std::fill_n(packed + whole * gemm.panel * features, gemm.panel * features, T(0));
  gemm.pack(features, count, x.data, 1, x.stride, packed);
  kernels_for<T>().scale(packed, ceil_div(count, gemm.panel) * gemm.panel * features, static_cast<T>(factor));
}

template <class T>
class Forward {
 public:
  Forward(const Attention& x, const View& out, const View& lse) : x_(x), s_(x), out_(out), lse_(lse) {}
  void run() {
    const int64_t blocks = ceil_div(s_.queries, kQueries), units = s_.batch * s_.heads * blocks;
    const int64_t work = std::min(kQueries, s_.queries) * s_.keys * (s_.features + s_.value_features);
    parallel_for(units, std::max<int64_t>(1, kChunkWork / std::max<int64_t>(1, work)), [&](int64_t begin, int64_t end) {
      const int64_t wide = ceil_div(std::min(kQueries, s_.queries), gemm_.panel) * gemm_.panel;
      Workspace<T> memory((s_.features + s_.value_features + 3) * wide + kKeys * gemm_.panel);
      Room room;
      room.q = memory.data();
      room.o = room.q + s_.features * wide;
      room.top = room.o + s_.value_features * wide;
      room.sum = room.top + wide;
      room.lse = room.sum + wide;
      room.scores = room.lse + wide;
      for (int64_t u = begin; u < end; ++u) {
        const int64_t head = u / blocks, block = blocks - 1 - u % blocks;  // the longest first
        tile(room, head / s_.heads, head % s_.heads, block * kQueries);
      }
    });
  }

 private:
  struct Room {
    T *q, *o, *top, *sum, *lse, *scores;
  };

  void tile(const Room& room, int64_t b, int64_t h, int64_t q0) const {
    const Rows<T> q = head_of<T>(x_.query, b, h), k = head_of<T>(x_.key, b, h / s_.group);
    const Rows<T> v = head_of<T>(x_.value, b, h / s_.group);
    const int64_t count = std::min(kQueries, s_.queries - q0), panel = gemm_.panel;
    const int64_t panels = ceil_div(count, panel), dk = s_.features, dv = s_.value_features;
    const int64_t keys = x_.causal ? std::min(s_.keys, q0 + count) : s_.keys;
    pack_columns<T>({q[q0], q.stride}, count, dk, x_.scale * kLog2E, room.q);
    std::fill_n(room.top, panels * panel, -std::numeric_limits<T>::infinity());
    std::fill_n(room.sum, panels * panel, T(0));
    const Rows<T> out = head_of<T>(out_, b, h);
    for (int64_t k0 = 0; k0 < keys; k0 += kKeys) {
      // What is written at last is fetched a few rows with each tile of keys.
      for (int64_t i = count * k0 / keys; i < count * std::min(keys, k0 + kKeys) / keys; ++i) prefetch(out[q0 + i], dv);
      for (int64_t p = 0; p < panels; ++p) {
        const int64_t first = q0 + p * panel, diagonal = x_.causal ? first - k0 : kKeys;
        int64_t rows = std::min(kKeys, keys - k0);
        if (x_.causal) rows = std::min(rows, first + panel - k0);
        if (rows <= 0) continue;
        T* const o = room.o + p * dv * panel;
        const bool masked = x_.mask.data != nullptr;
        if (masked) pack_mask(x_.mask, b, h, first, std::min(panel, count - p * panel), k0, rows, room.scores);
        gemm_.block({rows, panel, dk, k[k0], k.stride, 1, room.q + p * dk * panel, panel, 1, room.scores, panel, T(1),
                     T(masked ? kLog2E : 0)});
        kernels_.softmax_step(room.scores, rows, diagonal, room.top + p * panel, room.sum + p * panel, o,
                              k0 == 0 ? 0 : dv);
        gemm_.block({dv, panel, rows, v[k0], 1, v.stride, room.scores, panel, 1, o, panel, T(1), T(k0 == 0 ? 0 : 1)});
      }
    }
    for (int64_t p = 0; p < panels; ++p) {
      T* const o = room.o + p * dv * panel;
      kernels_.softmax_end(room.top + p * panel, room.sum + p * panel, room.lse + p * panel, o, dv);
      gemm_.transpose(dv, std::min(panel, count - p * panel), o, panel, out[q0 + p * panel], out.stride);
    }
    std::copy_n(room.lse, count, lse_.ptr<T>() + (b * s_.heads + h) * s_.queries + q0);
  }

  const Attention& x_;
  const Shape s_;
  const View &out_, &lse_;
  const GemmKernels<T>& gemm_ = gemm_for<T>();
  const AttentionKernels<T>& kernels_ = kernels_for<T>();
};

template <class T>
class Backward {
 public:
  Backward(const Attention& x, const View& out, const View& lse, const View& grad, const View& dq, const View& dk,
           const View& dv)
      : x_(x), s_(x), out_(out), lse_(lse), grad_(grad), dq_(dq), dk_(dk), dv_(dv) {}
  void run() {
    const int64_t heads = s_.batch * s_.key_heads;
    // Parts of the keys side by side where heads alone would leave threads idle. The shape decides, never the threads.
    // The gradients of the query from the parts are added in order.
    parts_ = std::clamp<int64_t>(kUnits / std::max<int64_t>(1, heads), 1, std::max<int64_t>(1, s_.keys / kPartKeys));
    part_keys_ = ceil_div(ceil_div(s_.keys, parts_), kKeys) * kKeys;
    const int64_t size = s_.batch * s_.heads * s_.queries * s_.features;
    Workspace<T> partial(parts_ > 1 ? parts_ * size : 0);
    partial_ = partial.data();
    const int64_t work = s_.group * s_.queries * std::min(part_keys_, s_.keys) * (s_.features + s_.value_features) * 2;
    parallel_for(heads * parts_, std::max<int64_t>(1, kChunkWork / std::max<int64_t>(1, work)),
                 [&](int64_t begin, int64_t end) {
                   const int64_t features = s_.features + s_.value_features;
                   Workspace<T> memory(features * kGradQueries + 2 * kGradQueries + 2 * kKeys * kStride);
                   Room room;
                   room.q = memory.data();
                   room.g = room.q + s_.features * kGradQueries;
                   room.lse = room.g + s_.value_features * kGradQueries;
                   room.delta = room.lse + kGradQueries;
                   room.scores = room.delta + kGradQueries;
                   room.dp = room.scores + kKeys * kStride;
                   for (int64_t u = begin; u < end; ++u) {
                     const int64_t head = u / parts_;
                     unit(room, head / s_.key_heads, head % s_.key_heads, u % parts_);
                   }
                 });
    if (parts_ > 1) add_parts();
  }

 private:
  struct Room {
    T *q, *g, *lse, *delta, *scores, *dp;
  };

  /// The gradient of the query that part `part` adds to: the result, or a buffer of the part.
  Rows<T> query_gradient(int64_t b, int64_t h, int64_t part) const {
    if (parts_ == 1) return head_of<T>(dq_, b, h);
    return {partial_ + ((part * s_.batch + b) * s_.heads + h) * s_.queries * s_.features, s_.features};
  }

  void unit(const Room& room, int64_t b, int64_t key_head, int64_t part) const {
    const int64_t first_key = part * part_keys_, last_key = std::min(s_.keys, first_key + part_keys_);
    const Rows<T> dk = head_of<T>(dk_, b, key_head), dv = head_of<T>(dv_, b, key_head);
    for (int64_t k = x_.causal || s_.queries == 0 ? std::max(first_key, s_.queries) : last_key; k < last_key; ++k) {
      std::fill_n(dk[k], s_.features, T(0));  // no query sees these
      std::fill_n(dv[k], s_.value_features, T(0));
    }
    for (int64_t h = key_head * s_.group; h < (key_head + 1) * s_.group; ++h)
      for (int64_t q0 = 0; q0 < s_.queries; q0 += kGradQueries)
        queries(room, b, h, q0, first_key, last_key, query_gradient(b, h, part), dk, dv);
  }

  void queries(const Room& room, int64_t b, int64_t h, int64_t q0, int64_t first_key, int64_t last_key, Rows<T> dq,
               Rows<T> dk, Rows<T> dv) const {
    const int64_t count = std::min(kGradQueries, s_.queries - q0), panel = gemm_.panel;
    const int64_t ek = s_.features, ev = s_.value_features, wide = ceil_div(count, panel) * panel;
    if (x_.causal) last_key = std::min(last_key, q0 + count);
    if (first_key >= last_key) {
      for (int64_t i = 0; i < count; ++i) std::fill_n(dq[q0 + i], ek, T(0));
      return;
    }
    const Rows<T> q = head_of<T>(x_.query, b, h), g = head_of<T>(grad_, b, h), out = head_of<T>(out_, b, h);
    const Rows<T> k = head_of<T>(x_.key, b, h / s_.group), v = head_of<T>(x_.value, b, h / s_.group);
    const T* lse = lse_.ptr<T>() + (b * s_.heads + h) * s_.queries + q0;
    // The scale is in the factors of the products and in delta: with it, dp is the gradient of query key^T.
    pack_columns<T>({q[q0], q.stride}, count, ek, x_.scale * kLog2E, room.q);
    pack_columns<T>({g[q0], g.stride}, count, ev, x_.scale, room.g);
    for (int64_t i = 0; i < wide; ++i) {
      room.lse[i] = i < count ? lse[i] * static_cast<T>(kLog2E) : T(0);
      room.delta[i] = i < count ? gemm_.dot(ev, g[q0 + i], out[q0 + i]) * static_cast<T>(x_.scale) : T(0);
    }
    bool first = true;
    for (int64_t k0 = first_key, rows; k0 < last_key; k0 += rows, first = false) {
      // At the diagonal, half tiles: the lower one needs only the later queries.
      const bool diagonal = x_.causal && k0 + kKeys > q0;
      rows = std::min(diagonal ? kKeys / 2 : kKeys, last_key - k0);
      const int64_t skip = diagonal && k0 > q0 ? (k0 - q0) / panel * panel : 0;  // queries that see none of these keys
      const int64_t n = count - skip, p = wide - skip;
      T *const scores = room.scores, *const dp = room.dp;
      // Panels side by side in one tile: column c of the tile is query q0 + skip + c.
      const bool masked = x_.mask.data != nullptr;
      for (int64_t c = 0; masked && c < p; c += panel) {  // by way of dp, which is free until the next product
        pack_mask(x_.mask, b, h, q0 + skip + c, std::min(panel, n - c), k0, rows, dp);
        for (int64_t r = 0; r < rows; ++r) std::copy_n(dp + r * panel, panel, scores + r * kStride + c);
      }
      const T old = h % s_.group == 0 && (x_.causal ? k0 >= q0 : q0 == 0) ? 0 : 1;  // of dk and dv: 0 the first time
      gemm_.block({rows, p, ek, k[k0], k.stride, 1, room.q + skip * ek, panel, ek, scores, kStride, T(1),
                   T(masked ? kLog2E : 0)});
      gemm_.block({rows, p, ev, v[k0], v.stride, 1, room.g + skip * ev, panel, ev, dp, kStride, T(1), T(0)});
      kernels_.backward_tile(scores, dp, kStride, rows, p, x_.causal ? q0 + skip - k0 : kKeys, room.lse + skip,
                             room.delta + skip);
      gemm_.block({rows, ev, n, scores, kStride, 1, g[q0 + skip], g.stride, 1, dv[k0], dv.stride, T(1), old});
      gemm_.block({rows, ek, n, dp, kStride, 1, q[q0 + skip], q.stride, 1, dk[k0], dk.stride, T(1), old});
      gemm_.block({n, ek, rows, dp, 1, kStride, k[k0], k.stride, 1, dq[q0 + skip], dq.stride, T(1), T(first ? 0 : 1)});
    }
  }

  /// The parts of the query's gradient, in order.
  void add_parts() const {
    const int64_t rows = s_.batch * s_.heads * s_.queries, e = s_.features, size = rows * e;
    parallel_for(rows, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, e)), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        T* const to = head_of<T>(dq_, r / s_.queries / s_.heads, r / s_.queries % s_.heads)[r % s_.queries];
        std::copy_n(partial_ + r * e, e, to);
        for (int64_t part = 1; part < parts_; ++part)
          for (int64_t i = 0; i < e; ++i) to[i] += partial_[part * size + r * e + i];
      }
    });
  }

  const Attention& x_;
  const Shape s_;
  const View &out_, &lse_, &grad_, &dq_, &dk_, &dv_;
  int64_t parts_ = 1, part_keys_ = 0;
  T* partial_ = nullptr;
  const GemmKernels<T>& gemm_ = gemm_for<T>();
  const AttentionKernels<T>& kernels_ = kernels_for<T>();
};

}  // namespace

void attention(const Attention& x, const View& out, const View& lse) {
  if (dry) return;
  if (x.query.dtype == kDouble) Forward<double>(x, out, lse).run();
  else Forward<float>(x, out, lse).run();
}

void attention_backward(const Attention& x, const View& out, const View& lse, const View& grad, const View& d_query,
                        const View& d_key, const View& d_value) {
  if (dry) return;
  if (x.query.dtype == kDouble) Backward<double>(x, out, lse, grad, d_query, d_key, d_value).run();
  else Backward<float>(x, out, lse, grad, d_query, d_key, d_value).run();
}

}  // namespace taut::kernels
