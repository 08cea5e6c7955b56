// How a recurrent layer is cut into tiles: some sequences times some hidden units. A tile multiplies the hidden state
// with its columns of the packed weight, then one kernel computes the gates.
#include "kernels/rnn.h"

#include <algorithm>
#include <functional>
#include <type_traits>
#include <vector>

#include "core/parallel.h"
#include "kernels/isa/gemm.h"
#include "kernels/isa/rnn.h"
#include "kernels/workspace.h"

namespace taut::kernels {
namespace {

// Sequences do not depend on each other, so a thread takes its share of them through all steps, and multiplies as many
// at once as the nearest cache holds. None of these numbers changes a result.
constexpr int64_t kFewRows = 8, kManyRows = 32, kCachedWeight = 1 << 20;
constexpr int64_t kTileWork = int64_t{1} << 18;
constexpr int64_t kDepth = 256, kGroupRows = 256;  // of products; these do change results

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
bool cached(int64_t numbers, size_t size) { return numbers <= kCachedWeight / static_cast<int64_t>(size); }

template <class T>
class Layer {
 public:
  explicit Layer(const RnnLayer& l)
      : l_(l),
        gates_(rnn_gates(l.cell)),
        hidden_(l.weight.sizes[1]),
        batch_(l.h0.sizes[0]),
        steps_(static_cast<int64_t>(l.batch_sizes.size())),
        panels_(ceil_div(hidden_, gemm_.panel)) {
    offsets_.reserve(l.batch_sizes.size());
    int64_t at = 0;
    for (int64_t n : l.batch_sizes) offsets_.push_back(at), at += n;
    rows_ = kManyRows;
    if (cached(gates_ * hidden_ * hidden_, sizeof(T)))  // then a share may be small
      rows_ = std::clamp(ceil_div(batch_, get_num_threads() * kFewRows) * kFewRows, kFewRows, kManyRows);
  }

  void forward(const View& y, const View& h_last, const View& c_last, const View& act, const View& cells) const {
    const Forward pass(*this, y, act, cells);
    pass.run();
    for (int64_t s = 0; s < steps_; ++s)  // the rows that end here
      for (int64_t r = s + 1 < steps_ ? std::min(size(s), size(s + 1)) : 0; r < size(s); ++r) {
        std::copy_n(at(y, offset(s) + r, 0).data, hidden_, at(h_last, r, 0).data);
        for (int64_t p = 0; l_.cell == RnnCell::Lstm && p < panels_; ++p)
          std::copy_n(kept(cells, 1, s, r, p).data, width(p), at(c_last, r, p * gemm_.panel).data);
      }
  }

  void backward(const View& y, const View& act, const View& cells, const RnnGradients& d,
                const std::function<void(int64_t, int64_t)>& done) const {
    Backward(*this, y, act, cells, d).run(done);
  }

  int64_t group_rows() const {
    int64_t most = 0;
    for (int64_t last = steps_, first; last > 0; last = first) {
      first = group_before(last);
      int64_t rows = 0;
      for (int64_t s = first; s < last; ++s) rows += size(s);
      most = std::max(most, rows);
    }
    return most;
  }

  void states_before(const View& y, int64_t first, int64_t last, const View& before) const {
    parallel_for(steps_, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, batch_ * hidden_)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t s = begin; s < end; ++s)
                     for (int64_t r = 0; r < size(s) && offset(s) >= first && offset(s) < last; ++r)
                       std::copy_n(s == 0 || r >= size(s - 1) ? at(l_.h0, r, 0).data : at(y, offset(s - 1) + r, 0).data,
                                   hidden_, at(before, offset(s) - first + r, 0).data);
                 });
  }

 private:
  // Step s of the direction is step time(s) of the sequences.
  size_t time(int64_t s) const { return static_cast<size_t>(l_.reverse ? steps_ - 1 - s : s); }
  int64_t size(int64_t s) const { return l_.batch_sizes[time(s)]; }
  int64_t offset(int64_t s) const { return offsets_[time(s)]; }
  int64_t width(int64_t p) const { return std::min(gemm_.panel, hidden_ - p * gemm_.panel); }
  /// The first of the steps whose gates are multiplied together, ending before `last`: so few that their gradients are
  /// still in the cache, unless reading the gradient of the weight again would cost more.
  int64_t group_before(int64_t last) const {
    if (!cached(gates_ * hidden_ * hidden_, sizeof(T))) return 0;
    int64_t rows = 0;
    while (last > 0 && rows < kGroupRows) rows += size(--last);
    return last;
  }
  static int64_t grain(int64_t work) { return std::max<int64_t>(1, kTileWork / std::max<int64_t>(1, work)); }

  static const T* element(const View& x, int64_t i, int64_t j) {
    return x.ptr<T>() + i * x.strides[0] + j * x.strides[1];
  }
  GateRows<T> at(const View& x, int64_t row, int64_t column) const {
    return {x.ptr<T>() + row * x.strides[0] + column, x.strides[0], hidden_};
  }
  static GateRows<const T> read_only(const GateRows<T>& r) { return {r.data, r.row, r.gate}; }
  GateRows<const T> read(const View& x, int64_t row, int64_t column) const { return read_only(at(x, row, column)); }
  /// What backward reads lies tile by tile (steps, panels, rows, units), so that it is fetched ahead.
  GateRows<T> kept(const View& x, int64_t each, int64_t s, int64_t row, int64_t p) const {
    const int64_t w = width(p);
    return {x.ptr<T>() + each * (offset(s) * hidden_ + size(s) * p * gemm_.panel + row * w), each * w,
            each * size(s) * w};
  }

  /// A panel of the weight for the hidden units of panel p, filled up with zeros.
  void pack(int64_t depth, int64_t p, const T* from, int64_t row, int64_t column, T* to) const {
    if (width(p) < gemm_.panel) std::fill_n(to, depth * gemm_.panel, T(0));
    gemm_.pack(depth, width(p), from, row, column, to);
  }
  /// `count` numbers of each of some rows.
  struct Ahead {
    GateRows<const T> rows;
    int64_t count;
  };
  /// to [rows, columns] = a [rows, depth] times a packed panel (or several, one after the other) + beta * to. Meanwhile
  /// fetches what is needed after it, which has as many rows, a little at a time.
  void multiply(int64_t rows, int64_t columns, int64_t depth, GateRows<T> a, const T* packed, T* to, T beta,
                std::initializer_list<Ahead> ahead = {}) const {
    const int64_t strips = ahead.size() == 0 ? 1 : ceil_div(rows, gemm_.rows);
    const int64_t parts = ceil_div(depth, kDepth) * columns / gemm_.panel * strips;
    int64_t part = 0;
    for (int64_t k = 0; k < depth; k += kDepth)
      for (int64_t j = 0; j < columns; j += gemm_.panel)
        for (int64_t s = 0; s < strips; ++s, ++part) {
          for (const Ahead& x : ahead)
            for (int64_t r = rows * part / parts; x.rows.data && r < rows * (part + 1) / parts; ++r)
              for (int64_t i = 0; i < x.count; i += 64 / static_cast<int64_t>(sizeof(T)))
                __builtin_prefetch(x.rows.data + r * x.rows.row + i, 0, 2);
          const int64_t i = rows * s / strips;
          gemm_.block({rows * (s + 1) / strips - i, gemm_.panel, std::min(kDepth, depth - k), a.data + i * a.row + k,
                       a.row, 1, packed + j * depth + k * gemm_.panel, gemm_.panel, 1, to + i * columns + j, columns,
                       T(1), k == 0 ? beta : 1});
        }
  }

  /// The rows [from, to) of step s that step `other` has too, and those it has not: they are at an end of theirs.
  template <class F>
  void each_part(int64_t s, int64_t other, int64_t from, int64_t to, F f) const {
    to = std::min(to, size(s));
    const int64_t both = other < 0 || other >= steps_ ? from : std::clamp(size(other), from, std::max(from, to));
    if (from < both) f(from, both, false);
    if (both < to) f(both, to, true);
  }

  /// f(step, first row, last row, panel of hidden units, scratch) for all tiles of the steps [first, last), `room`
  /// numbers per row.
  template <class F>
  void for_tiles(int64_t room, int64_t first, int64_t last, bool backwards, F f) const {
    const int64_t blocks = ceil_div(batch_, rows_), tile = rows_ * gates_ * gemm_.panel * hidden_, steps = last - first;
    const auto step = [&](int64_t s) { return backwards ? last - 1 - s : first + s; };
    if (blocks < get_num_threads() && blocks * panels_ * tile >= 4 * kTileWork && panels_ > 1) {  // units side by side
      for (int64_t s = 0; s < steps; ++s)
        parallel_for(blocks * panels_, grain(tile), [&](int64_t begin, int64_t end) {
          Workspace<T> memory(rows_ * room);
          for (int64_t u = begin; u < end; ++u) {
            const int64_t from = u / panels_ * rows_;
            f(step(s), from, std::min(batch_, from + rows_), u % panels_, memory.data());
          }
        });
      return;
    }
    parallel_for(blocks, grain(steps * panels_ * tile), [&](int64_t begin, int64_t end) {
      Workspace<T> memory(rows_ * room);
      for (int64_t b = begin; b < end; ++b)
        for (int64_t s = 0; s < steps; ++s)
          for (int64_t p = 0; p < panels_; ++p)
            f(step(s), b * rows_, std::min(batch_, (b + 1) * rows_), p, memory.data());
    });
  }

  /// Rows [begin, end) of step s and the hidden units of panel p. `starts`: they have no earlier step; `ends`: no
  /// later.
  struct Tile {
    int64_t s, begin, end, p;
    bool starts, ends;
    int64_t rows() const { return end - begin; }
  };

  struct Forward {
    const Layer& l;
    const View &y, &act, &cells;
    const int64_t features = l.l_.input.data ? l.l_.input.sizes[1] : 0, columns = l.gates_ * l.gemm_.panel;
    const bool apart = l.l_.cell == RnnCell::Gru;  // what input and hidden state add
    Workspace<T> weight, input_weight, biases;

    Forward(const Layer& l, const View& y, const View& act, const View& cells)
        : l(l),
          y(y),
          act(act),
          cells(cells),
          weight(l.panels_ * columns * l.hidden_),
          input_weight(l.panels_ * columns * features),
          biases(2 * l.gates_ * l.hidden_) {
      parallel_for(l.panels_, grain((l.hidden_ + features) * columns * 8), [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p)
          for (int64_t g = 0; g < l.gates_; ++g) pack_gate(p, g);
      });
      const RnnLayer& from = l.l_;
      for (int64_t i = 0; i < l.gates_ * l.hidden_; ++i) {
        x_bias()[i] = from.x_bias.data ? from.x_bias.ptr<T>()[i] : T(0);
        bias()[i] = (from.bias.data ? from.bias.ptr<T>()[i] : T(0)) + (apart ? T(0) : x_bias()[i]);
      }
    }
    T* bias() const { return biases.data(); }
    T* x_bias() const { return biases.data() + l.gates_ * l.hidden_; }
    void pack_gate(int64_t p, int64_t g) const {
      const int64_t panel = l.gemm_.panel, first = g * l.hidden_ + p * panel, to = (p * l.gates_ + g) * panel;
      const View &w = l.l_.weight, &from = l.l_.input_weight;
      l.pack(l.hidden_, p, element(w, first, 0), w.strides[1], w.strides[0], weight.data() + to * l.hidden_);
      if (features)
        l.pack(features, p, element(from, first, 0), from.strides[1], from.strides[0],
               input_weight.data() + to * features);
    }

    void run() const {
      l.for_tiles(features && apart ? 2 * columns : columns, 0, l.steps_, false,
                  [&](int64_t s, int64_t from, int64_t to, int64_t p, T* room) {
                    l.each_part(s, s - 1, from, to, [&](int64_t begin, int64_t end, bool starts) {
                      run_tile({s, begin, end, p, starts, false}, room);
                    });
                  });
    }
    void run_tile(const Tile& at, T* room) const {
      const int64_t j = at.p * l.gemm_.panel, row = l.offset(at.s) + at.begin, r = at.begin;
      RnnTile<T> t{at.rows(), l.width(at.p), {}, {}, {}, {}, {}, {}, {}, {}, {}};
      const GateRows<T> h = at.starts ? l.at(l.l_.h0, r, 0) : l.at(y, l.offset(at.s - 1) + r, 0);
      t.x_bias = {x_bias() + j, 0, l.hidden_};
      t.bias = {bias() + j, 0, l.hidden_};
      t.h = {h.data + j, h.row, 0};
      if (l.l_.cell == RnnCell::Lstm) {
        t.c = at.starts ? l.read(l.l_.c0, r, j) : read_only(l.kept(cells, 1, at.s - 1, r, at.p));
        t.cell = l.kept(cells, 1, at.s, r, at.p);
      }
      if (act.data) t.act = l.kept(act, rnn_kept(l.l_.cell), at.s, r, at.p);
      t.y = l.at(y, row, j);
      l.multiply(at.rows(), columns, l.hidden_, h, weight.data() + at.p * columns * l.hidden_, room, 0);
      t.hw = {room, columns, l.gemm_.panel};
      if (features) {
        T* const products = apart ? room + l.rows_ * columns : room;
        l.multiply(at.rows(), columns, features, l.at(l.l_.input, row, 0),
                   input_weight.data() + at.p * columns * features, products, apart ? 0 : 1);
        if (apart) t.x = {products, columns, l.gemm_.panel};
      } else {
        t.x = l.read(l.l_.x, row, j);
      }
      l.kernels_.forward(t);
    }
  };

  /// From the last step to the first, in groups of steps whose gradients are handed on together.
  struct Backward {
    const Layer& l;
    const View &y, &act, &cells;
    const RnnGradients& d;
    const int64_t depth = l.gates_ * l.hidden_;
    const RnnCell cell = l.l_.cell;
    Workspace<T> weight, carry, later;                     // later: the gates' gradients in the step after the group
    int64_t first_step = 0, last_step = 0, first_row = 0;  // of the group; its first row in dx and dhw

    Backward(const Layer& l, const View& y, const View& act, const View& cells, const RnnGradients& d)
        : l(l),
          y(y),
          act(act),
          cells(cells),
          d(d),
          weight(l.panels_ * l.gemm_.panel * depth),
          carry(l.batch_ * l.hidden_),
          later(l.batch_ * depth) {
      const View& w = l.l_.weight;
      parallel_for(l.panels_, grain(depth * l.gemm_.panel * 8), [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p)
          l.pack(depth, p, element(w, 0, p * l.gemm_.panel), w.strides[0], w.strides[1], packed(p));
      });
      for (int64_t r = 0; r < l.batch_; ++r)
        if (d.c_last.data) std::copy_n(l.at(d.c_last, r, 0).data, l.hidden_, carried(r, 0).data);
        else std::fill_n(carried(r, 0).data, l.hidden_, T(0));
    }
    T* packed(int64_t p) const { return weight.data() + p * l.gemm_.panel * depth; }
    GateRows<T> carried(int64_t r, int64_t j) const { return {carry.data() + r * l.hidden_ + j, l.hidden_, 0}; }
    /// The gates' gradients of step s, which is one of the group.
    GateRows<T> gates(int64_t s, int64_t r) const { return l.at(d.dhw, l.offset(s) - first_row + r, 0); }

    void run(const std::function<void(int64_t, int64_t)>& done) {
      for (last_step = l.steps_; last_step > 0; last_step = first_step) {
        first_step = l.group_before(last_step);
        first_row = l.offset(l.l_.reverse ? last_step - 1 : first_step);
        l.for_tiles(l.gemm_.panel, first_step, last_step, true,
                    [&](int64_t s, int64_t from, int64_t to, int64_t p, T* room) {
                      l.each_part(s, s + 1, from, to, [&](int64_t a, int64_t b, bool ends) {
                        l.each_part(s, s - 1, a, b, [&](int64_t begin, int64_t end, bool starts) {
                          run_tile({s, begin, end, p, starts, ends}, room);
                        });
                      });
                    });
        for (int64_t s = first_step; s < last_step; ++s) first_states(s);
        for (int64_t r = 0; first_step > 0 && r < l.size(first_step); ++r)
          std::copy_n(gates(first_step, r).data, depth, later.data() + r * depth);
        const int64_t end = l.l_.reverse ? first_step : last_step - 1;
        done(first_row, l.offset(end) + l.size(end));
      }
    }

    void run_tile(const Tile& at, T* room) const {
      const int64_t j = at.p * l.gemm_.panel, row = l.offset(at.s) + at.begin, r = at.begin;
      RnnBackwardTile<T> t{at.rows(), l.width(at.p), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
      if (d.y.data) t.g = l.read(d.y, row, j);
      t.carry = carried(r, j);
      t.y = l.read(y, row, j);
      if (rnn_kept(cell)) t.act = read_only(l.kept(act, rnn_kept(cell), at.s, r, at.p));
      if (cell == RnnCell::Lstm) {
        t.cell = read_only(l.kept(cells, 1, at.s, r, at.p));
        t.c = at.starts ? l.read(l.l_.c0, r, j) : read_only(l.kept(cells, 1, at.s - 1, r, at.p));
      }
      if (cell == RnnCell::Gru) t.h = at.starts ? l.read(l.l_.h0, r, j) : l.read(y, l.offset(at.s - 1) + r, j);
      t.dx = l.at(d.dx, row - first_row, j);
      t.dhw = l.at(d.dhw, row - first_row, j);
      if (!at.ends) {
        const GateRows<T> next =
            at.s + 1 < last_step ? gates(at.s + 1, r) : GateRows<T>{later.data() + r * depth, depth, 0};
        l.multiply(at.rows(), l.gemm_.panel, depth, next, packed(at.p), room, 0,
                   {{t.act, t.act.row}, {t.c, t.width}, {t.g, t.width}});
        t.later = {room, l.gemm_.panel, 0};
      } else if (d.h_last.data) {
        t.later = l.read(d.h_last, r, j);
      }
      l.kernels_.backward(t);
    }

    /// The gradients of the first states of the rows that begin in step s.
    void first_states(int64_t s) const {
      const int64_t a = s == 0 ? 0 : std::min(l.size(s - 1), l.size(s)), b = l.size(s), panel = l.gemm_.panel;
      if (a >= b || !d.dh0.data) return;
      parallel_for(l.panels_, grain((b - a) * depth * panel), [&](int64_t begin, int64_t end) {
        Workspace<T> room((b - a) * panel);
        for (int64_t p = begin; p < end; ++p) {
          const int64_t j = p * panel;
          l.multiply(b - a, panel, depth, gates(s, a), packed(p), room.data(), 0);
          for (int64_t r = a; r < b; ++r) {
            const T* const product = room.data() + (r - a) * panel;
            const T* const past = carried(r, j).data;
            T* const dh0 = l.at(d.dh0, r, j).data;
            for (int64_t i = 0; i < l.width(p); ++i) dh0[i] = cell == RnnCell::Gru ? product[i] + past[i] : product[i];
            if (cell == RnnCell::Lstm) std::copy_n(past, l.width(p), l.at(d.dc0, r, j).data);
          }
        }
      });
    }
  };

  static const GemmKernels<T>& gemm_table_for() {
    if constexpr (std::is_same_v<T, float>) return gemm_table().f32;
    else return gemm_table().f64;
  }
  static const RnnKernels<T>& rnn_table_for(RnnCell c) {
    if constexpr (std::is_same_v<T, float>) return rnn_table().f32[static_cast<int>(c)];
    else return rnn_table().f64[static_cast<int>(c)];
  }

  const RnnLayer& l_;
  const GemmKernels<T>& gemm_ = gemm_table_for();
  const RnnKernels<T>& kernels_ = rnn_table_for(l_.cell);
  int64_t gates_, hidden_, batch_, steps_, panels_, rows_;
  std::vector<int64_t> offsets_;
};

template <class F>
void with_layer(const RnnLayer& l, F f) {
  if (l.weight.dtype == kDouble) f(Layer<double>(l));
  else f(Layer<float>(l));
}

}  // namespace

int64_t rnn_group_rows(const RnnLayer& layer) {
  int64_t rows = 0;
  with_layer(layer, [&](auto l) { rows = l.group_rows(); });
  return rows;
}
bool rnn_takes_inputs(RnnCell cell, int64_t batch, int64_t features, int64_t hidden, ScalarType dtype) {
  return batch >= kFewRows && features > 0 &&
         cached(rnn_gates(cell) * hidden * (hidden + features), static_cast<size_t>(element_size(dtype)));
}

void rnn_forward(const RnnLayer& layer, const View& y, const View& h_last, const View& c_last, const View& act,
                 const View& cells) {
  if (dry) return;
  with_layer(layer, [&](auto l) { l.forward(y, h_last, c_last, act, cells); });
}
void rnn_backward(const RnnLayer& layer, const View& y, const View& act, const View& cells, const RnnGradients& grads,
                  const std::function<void(int64_t, int64_t)>& done) {
  if (dry) return;
  with_layer(layer, [&](auto l) { l.backward(y, act, cells, grads, done); });
}
void rnn_states_before(const RnnLayer& layer, const View& y, int64_t first, int64_t last, const View& before) {
  if (dry) return;
  with_layer(layer, [&](auto l) { l.states_before(y, first, last, before); });
}

}  // namespace taut::kernels
