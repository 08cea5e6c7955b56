// The gates of recurrent cells and their derivatives: everything of a step that is not a matrix product, in one pass.
#include "kernels/isa/rnn.h"

#include "kernels/isa/vector.h"
#include "kernels/pack.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {

/// Reads and writes a vector of the tile, or the part of one that is left at its right edge.
template <class T, bool kPart>
struct At {
  int64_t row, column, left;
  HWY_INLINE Pack<T> operator()(const GateRows<const T>& x, int64_t gate = 0) const {
    const T* p = x.data + row * x.row + gate * x.gate + column;
    if constexpr (kPart) return Pack<T>(load_part(p, left, T(0)));
    else return Pack<T>::load(p);
  }
  HWY_INLINE Pack<T> operator()(const GateRows<T>& x) const {
    return (*this)(GateRows<const T>{x.data, x.row, x.gate});
  }
  HWY_INLINE Pack<T> or_zero(const GateRows<const T>& x, int64_t gate = 0) const {
    return x.data ? (*this)(x, gate) : Pack<T>(0);
  }
  HWY_INLINE void write(const GateRows<T>& x, int64_t gate, Pack<T> v) const {
    T* p = x.data + row * x.row + gate * x.gate + column;
    if constexpr (kPart) store_part(v.v, p, left);
    else v.store(p);
  }
};

struct Tanh {
  template <class T, bool kPart>
  static HWY_INLINE void forward(const RnnTile<T>& t, const At<T, kPart>& at) {
    at.write(t.y, 0, tanh(at(t.x) + at(t.hw) + at.or_zero(t.bias)));
  }
  template <class T, bool kPart>
  static HWY_INLINE void backward(const RnnBackwardTile<T>& t, const At<T, kPart>& at) {
    const Pack<T> y = at(t.y);
    at.write(t.dx, 0, (at.or_zero(t.g) + at.or_zero(t.later)) * (1 - y * y));
  }
};

struct Relu {
  template <class T, bool kPart>
  static HWY_INLINE void forward(const RnnTile<T>& t, const At<T, kPart>& at) {
    at.write(t.y, 0, max(at(t.x) + at(t.hw) + at.or_zero(t.bias), Pack<T>(0)));
  }
  template <class T, bool kPart>
  static HWY_INLINE void backward(const RnnBackwardTile<T>& t, const At<T, kPart>& at) {
    at.write(t.dx, 0, where(at(t.y) > 0, at.or_zero(t.g) + at.or_zero(t.later), 0));
  }
};

struct Lstm {
  template <class T, bool kPart>
  static HWY_INLINE void forward(const RnnTile<T>& t, const At<T, kPart>& at) {
    const auto gate = [&](int64_t k) HWY_ATTR { return at(t.x, k) + at(t.hw, k) + at.or_zero(t.bias, k); };
    const Pack<T> i = sigmoid(gate(0)), f = sigmoid(gate(1)), g = tanh(gate(2)), o = sigmoid(gate(3));
    const Pack<T> c = f * at(t.c) + i * g;
    at.write(t.act, 0, i);
    at.write(t.act, 1, f);
    at.write(t.act, 2, g);
    at.write(t.act, 3, o);
    at.write(t.cell, 0, c);
    at.write(t.y, 0, o * tanh(c));
  }
  template <class T, bool kPart>
  static HWY_INLINE void backward(const RnnBackwardTile<T>& t, const At<T, kPart>& at) {
    const Pack<T> i = at(t.act, 0), f = at(t.act, 1), g = at(t.act, 2), o = at(t.act, 3), c = tanh(at(t.cell));
    const Pack<T> dh = at.or_zero(t.g) + at.or_zero(t.later);
    const Pack<T> dc = at(t.carry) + dh * o * (1 - c * c);
    at.write(t.dx, 0, dc * g * (i * (1 - i)));
    at.write(t.dx, 1, dc * at(t.c) * (f * (1 - f)));
    at.write(t.dx, 2, dc * i * (1 - g * g));
    at.write(t.dx, 3, dh * c * (o * (1 - o)));
    at.write(t.carry, 0, dc * f);
  }
};

struct Gru {
  template <class T, bool kPart>
  static HWY_INLINE void forward(const RnnTile<T>& t, const At<T, kPart>& at) {
    const auto hidden = [&](int64_t k) HWY_ATTR { return at(t.hw, k) + at.or_zero(t.bias, k); };
    const Pack<T> r = sigmoid(at(t.x, 0) + hidden(0)), z = sigmoid(at(t.x, 1) + hidden(1)), hn = hidden(2);
    const Pack<T> n = tanh(at(t.x, 2) + r * hn);
    at.write(t.act, 0, r);
    at.write(t.act, 1, z);
    at.write(t.act, 2, n);
    at.write(t.act, 3, hn);
    at.write(t.y, 0, n + z * (at(t.h) - n));
  }
  template <class T, bool kPart>
  static HWY_INLINE void backward(const RnnBackwardTile<T>& t, const At<T, kPart>& at) {
    const Pack<T> r = at(t.act, 0), z = at(t.act, 1), n = at(t.act, 2), hn = at(t.act, 3);
    const Pack<T> dh = at.or_zero(t.g) + at.or_zero(t.later) + at(t.carry);
    const Pack<T> dn = dh * (1 - z) * (1 - n * n), dr = dn * hn * (r * (1 - r));
    const Pack<T> dz = dh * (at(t.h) - n) * (z * (1 - z));
    at.write(t.dx, 0, dr);
    at.write(t.dx, 1, dz);
    at.write(t.dx, 2, dn);
    at.write(t.dhw, 0, dr);
    at.write(t.dhw, 1, dz);
    at.write(t.dhw, 2, dn * r);
    at.write(t.carry, 0, dh * z);
  }
};

template <class Cell, class T>
void forward(const RnnTile<T>& t) {
  for (int64_t r = 0; r < t.rows; ++r) {
    int64_t j = 0;
    for (; j + kLanes<T> <= t.width; j += kLanes<T>) Cell::forward(t, At<T, false>{r, j, 0});
    if (j < t.width) Cell::forward(t, At<T, true>{r, j, t.width - j});
  }
}
template <class Cell, class T>
void backward(const RnnBackwardTile<T>& t) {
  for (int64_t r = 0; r < t.rows; ++r) {
    int64_t j = 0;
    for (; j + kLanes<T> <= t.width; j += kLanes<T>) Cell::backward(t, At<T, false>{r, j, 0});
    if (j < t.width) Cell::backward(t, At<T, true>{r, j, t.width - j});
  }
}

}  // namespace

#define K(Cell, T) \
  { forward<Cell, T>, backward<Cell, T> }
extern const RnnTable rnn_table;
const RnnTable rnn_table = {{K(Tanh, float), K(Relu, float), K(Lstm, float), K(Gru, float)},
                            {K(Tanh, double), K(Relu, double), K(Lstm, double), K(Gru, double)}};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
