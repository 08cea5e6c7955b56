// The gates of recurrent cells and their derivatives: everything of a step that is not a matrix product, in one pass.
#include "kernels/isa/rnn.h"

#include "kernels/isa/vector.h"
#include "kernels/pack.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {

// Gates of float32 are as short as they can be: a few ulp. A NaN passes through limit.
HWY_INLINE Vec<float> limit(Vec<float> x, float bound) {
  const Tag<float> d;
  return smaller_of(hn::Set(d, bound), larger_of(hn::Set(d, -bound), x));
}
/// c[0] + c[1] z + c[2] z^2 + ...
template <size_t N>
HWY_INLINE Vec<float> polynomial(Vec<float> z, const float (&c)[N]) {
  const Tag<float> d;
  Vec<float> p = hn::Set(d, c[N - 1]);
  for (size_t i = N - 1; i-- > 0;) p = hn::MulAdd(p, z, hn::Set(d, c[i]));
  return p;
}
/// 1 / (1 + 2^(k + r)): a polynomial for 2^r, and k goes into its exponent. A gate that is shut is 0, so that it lets
/// nothing of an infinite or huge state pass.
HWY_INLINE Pack<float> gate_sigmoid(Pack<float> x) {
  const Tag<float> d;
  const Tag<int32_t> di;
  constexpr float kShut = 87;
  const Vec<float> y = limit(x.v, kShut), round = hn::Set(d, 12582912.f), base = hn::Set(d, -1.44269504f);
  const Vec<float> shifted = hn::MulAdd(y, base, round), k = hn::Sub(shifted, round);
  constexpr float c[] = {1.f, 0.693147f, 0.24022242f, 0.055507336f, 0.009671513f, 0.0013264727f};
  const auto power = hn::BitCast(di, polynomial(hn::MulSub(y, base, k), c));
  const auto scaled = hn::Add(power, hn::ShiftLeft<23>(hn::BitCast(di, shifted)));
  const Vec<float> one = hn::Set(d, 1.f);
  return hn::IfThenZeroElse(hn::Lt(x.v, hn::Set(d, -kShut)), hn::Div(one, hn::Add(hn::BitCast(d, scaled), one)));
}
/// A quotient of polynomials fitted to 2e-8 up to 9, where tanh is 1.
HWY_INLINE Pack<float> gate_tanh(Pack<float> x) {
  constexpr float p[] = {0.9999999796548878f, 0.13381038446093457f, 0.0034956027072437622f, 2.0609300953648347e-05f,
                         1.3354927268102322e-08f};
  constexpr float q[] = {1.f, 0.46714354102359085f, 0.02587703921121375f, 0.0003285657714754767f,
                         7.776674852123376e-07f};
  const Vec<float> y = limit(x.v, 9.f), z = hn::Mul(y, y);
  return limit(hn::Div(hn::Mul(y, polynomial(z, p)), polynomial(z, q)), 1.f);
}
HWY_INLINE Pack<double> gate_sigmoid(Pack<double> x) { return sigmoid(x); }
HWY_INLINE Pack<double> gate_tanh(Pack<double> x) { return tanh(x); }

/// Reads and writes a vector of a row, or the part of one that is left at its end.
template <class T, bool kPart>
struct At {
  int64_t column, left;
  HWY_INLINE Pack<T> operator()(const GateRows<const T>& x, int64_t gate = 0) const {
    const T* p = x.data + gate * x.gate + column;
    if constexpr (kPart) return Pack<T>(load_part(p, left, T(0)));
    else return Pack<T>::load(p);
  }
  HWY_INLINE Pack<T> operator()(const GateRows<T>& x) const { return (*this)(GateRows<const T>{x.data, 0, 0}); }
  HWY_INLINE Pack<T> or_zero(const GateRows<const T>& x, int64_t gate = 0) const {
    return x.data ? (*this)(x, gate) : Pack<T>(0);
  }
  HWY_INLINE void write(const GateRows<T>& x, int64_t gate, Pack<T> v) const {
    T* p = x.data + gate * x.gate + column;
    if constexpr (kPart) store_part(v.v, p, left);
    else v.store(p);
  }
  /// Of each vector of units four numbers are kept for backward, in the order in which it reads them.
  HWY_INLINE void keep(const GateRows<T>& act, Pack<T> a, Pack<T> b, Pack<T> c, Pack<T> d) const {
    const GateRows<T> to{act.data + 3 * column, 0, kPart ? left : kLanes<T>};
    write(to, 0, a);
    write(to, 1, b);
    write(to, 2, c);
    write(to, 3, d);
    for (int64_t k = 0; k < 4; ++k) __builtin_prefetch(to.data + act.gate + k * kLanes<T>);  // of the next tile
  }
  HWY_INLINE Pack<T> kept(const GateRows<const T>& act, int64_t k) const {
    return (*this)(GateRows<const T>{act.data + 3 * column, 0, kPart ? left : kLanes<T>}, k);
  }
};

/// What input and hidden state add to gate k, apart and together.
template <class T, bool kPart>
HWY_INLINE Pack<T> input(const RnnTile<T>& t, const At<T, kPart>& at, int64_t k) {
  return at(t.x, k) + at(t.x_bias, k);
}
template <class T, bool kPart>
HWY_INLINE Pack<T> hidden(const RnnTile<T>& t, const At<T, kPart>& at, int64_t k) {
  return at(t.hw, k) + at(t.bias, k);
}
template <class T, bool kPart>
HWY_INLINE Pack<T> both(const RnnTile<T>& t, const At<T, kPart>& at, int64_t k) {
  return hidden(t, at, k) + at.or_zero(t.x, k);
}

struct Tanh {
  template <class T, bool kPart>
  static HWY_INLINE void forward(const RnnTile<T>& t, const At<T, kPart>& at) {
    at.write(t.y, 0, gate_tanh(both(t, at, 0)));
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
    at.write(t.y, 0, max(both(t, at, 0), Pack<T>(0)));
  }
  template <class T, bool kPart>
  static HWY_INLINE void backward(const RnnBackwardTile<T>& t, const At<T, kPart>& at) {
    at.write(t.dx, 0, where(at(t.y) <= 0, 0, at.or_zero(t.g) + at.or_zero(t.later)));  // nan lets it pass
  }
};

struct Lstm {
  template <class T, bool kPart>
  static HWY_INLINE void forward(const RnnTile<T>& t, const At<T, kPart>& at) {
    const Pack<T> i = gate_sigmoid(both(t, at, 0)), f = gate_sigmoid(both(t, at, 1)), g = gate_tanh(both(t, at, 2)),
                  o = gate_sigmoid(both(t, at, 3));
    const Pack<T> c = f * at(t.c) + i * g;
    if (t.act.data) at.keep(t.act, i, f, g, o);
    at.write(t.cell, 0, c);
    __builtin_prefetch(t.cell.data + at.column + t.cell.gate);
    at.write(t.y, 0, o * gate_tanh(c));
  }
  template <class T, bool kPart>
  static HWY_INLINE void backward(const RnnBackwardTile<T>& t, const At<T, kPart>& at) {
    const Pack<T> i = at.kept(t.act, 0), f = at.kept(t.act, 1), g = at.kept(t.act, 2), o = at.kept(t.act, 3),
                  c = gate_tanh(at(t.cell));
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
    const Pack<T> r = gate_sigmoid(input(t, at, 0) + hidden(t, at, 0)), hn = hidden(t, at, 2);
    const Pack<T> z = gate_sigmoid(input(t, at, 1) + hidden(t, at, 1)), n = gate_tanh(input(t, at, 2) + r * hn);
    if (t.act.data) at.keep(t.act, r, z, n, hn);
    at.write(t.y, 0, n + z * (at(t.h) - n));
  }
  template <class T, bool kPart>
  static HWY_INLINE void backward(const RnnBackwardTile<T>& t, const At<T, kPart>& at) {
    const Pack<T> r = at.kept(t.act, 0), z = at.kept(t.act, 1), n = at.kept(t.act, 2), hn = at.kept(t.act, 3);
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

template <class... R>
HWY_INLINE void next_row(R&... rows) {
  ((rows.data += rows.row), ...);  // what is null has rows of 0
}
/// f(At) for each vector of units.
template <class T, class F>
HWY_INLINE void for_units(int64_t width, F f) {
  int64_t j = 0;
  for (; j + kLanes<T> <= width; j += kLanes<T>) f(At<T, false>{j, 0});
  if (j < width) f(At<T, true>{j, width - j});
}
template <class Cell, class T>
void forward(const RnnTile<T>& tile) {
  for_units<T>(tile.width, [&](auto at) HWY_ATTR {
    RnnTile<T> t = tile;
    for (int64_t r = 0; r < tile.rows; ++r) {
      Cell::forward(t, at);
      next_row(t.x, t.hw, t.h, t.c, t.act, t.cell, t.y);
    }
  });
}
template <class Cell, class T>
void backward(const RnnBackwardTile<T>& tile) {
  for_units<T>(tile.width, [&](auto at) HWY_ATTR {
    RnnBackwardTile<T> t = tile;
    for (int64_t r = 0; r < tile.rows; ++r) {
      Cell::backward(t, at);
      next_row(t.g, t.later, t.carry, t.y, t.act, t.cell, t.h, t.c, t.dx, t.dhw);
    }
  });
}

}  // namespace

#define K(Cell, T) \
  { forward<Cell, T>, backward<Cell, T> }
extern const RnnTable rnn_table;
const RnnTable rnn_table = {{K(Tanh, float), K(Relu, float), K(Lstm, float), K(Gru, float)},
                            {K(Tanh, double), K(Relu, double), K(Lstm, double), K(Gru, double)}};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
