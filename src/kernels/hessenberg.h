// A matrix on its way to Hessenberg's form, which is 0 below the first diagonal under the main one: balanced, then by
// reflectors from both sides.
#pragma once
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/mat.h"
#include "kernels/reflector.h"
#include "kernels/reflectors.h"

namespace taut::kernels {

/// Permutes and scales a (LAPACK's gebal), so that [first, last] is what is not triangular already, and its rows are about
/// as long as its columns.
template <class T>
class Balance {
  using R = Real<T>;

 public:
  int64_t first = 0, last;
  explicit Balance(Mat<T> a) : last(a.rows - 1), n_(a.rows), a_(a), scale_(static_cast<size_t>(n_), R(1)) {
    if (n_ == 0) return;
    while (isolate_row()) {
    }
    while (first < last && isolate_column()) {
    }
    while (scale()) {
    }
  }
  /// What was done to a is undone to the columns of vt, a row of which is an eigenvector.
  void undo(Mat<R> vt) const {
    for (int64_t i = first; i <= last; ++i)
      for (int64_t k = 0; k < vt.rows; ++k) vt(k, i) *= at(i);
    for (auto step = swaps_.rbegin(); step != swaps_.rend(); ++step) swap_columns(vt, step->first, step->second);
  }

 private:
  R& at(int64_t i) { return scale_[static_cast<size_t>(i)]; }
  R at(int64_t i) const { return scale_[static_cast<size_t>(i)]; }
  template <class E>
  static void swap_columns(Mat<E> m, int64_t i, int64_t j) {
    for (int64_t k = 0; k < m.rows; ++k) std::swap(m(k, i), m(k, j));
  }
  void exchange(int64_t i, int64_t j) {
    if (i == j) return;
    swaps_.emplace_back(i, j);
    for (int64_t k = 0; k <= last; ++k) std::swap(a_(k, i), a_(k, j));
    for (int64_t k = first; k < n_; ++k) std::swap(a_(i, k), a_(j, k));
  }
  /// A row with nothing beside the diagonal goes to the end.
  bool isolate_row() {
    for (int64_t j = last; j >= 0 && last > 0; --j) {
      bool alone = true;
      for (int64_t i = 0; i <= last && alone; ++i) alone = i == j || a_(j, i) == T(0);
      if (!alone) continue;
      exchange(j, last);
      --last;
      return true;
    }
    return false;
  }
  bool isolate_column() {
    for (int64_t j = first; j <= last; ++j) {
      bool alone = true;
      for (int64_t i = first; i <= last && alone; ++i) alone = i == j || a_(i, j) == T(0);
      if (!alone) continue;
      exchange(j, first);
      ++first;
      return true;
    }
    return false;
  }
  /// One pass of scaling by powers of two; false when it changed nothing.
  bool scale() {
    constexpr R kRadix = 2, kLow = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon() * kRadix,
                kHigh = 1 / kLow;
    bool changed = false;
    for (int64_t i = first; i <= last && first < last; ++i) {
      const int64_t count = last - first + 1;
      R c = length(count, a_.at(first, i), a_.row), r = length(count, a_.at(i, first), a_.col), ca = 0, ra = 0;
      for (int64_t k = 0; k <= last; ++k) ca = std::max(ca, size_of(a_(k, i)));
      for (int64_t k = first; k < n_; ++k) ra = std::max(ra, size_of(a_(i, k)));
      if (c == 0 || r == 0) continue;
      R g = r / kRadix, f = 1;
      const R sum = c + r;
      while (c < g && std::max({f, c, ca}) < kHigh && std::min({r, g, ra}) > kLow)
        f *= kRadix, c *= kRadix, ca *= kRadix, r /= kRadix, g /= kRadix, ra /= kRadix;
      g = c / kRadix;
      while (g >= r && std::max(r, ra) < kHigh && std::min({f, c, g, ca}) > kLow)
        f /= kRadix, c /= kRadix, g /= kRadix, ca /= kRadix, r *= kRadix, ra *= kRadix;
      if (c + r >= static_cast<R>(0.95) * sum) continue;
      if ((f < 1 && at(i) < 1 && f * at(i) <= kLow) || (f > 1 && at(i) > 1 && at(i) >= kHigh / f)) continue;
      at(i) *= f;
      changed = true;
      for (int64_t k = first; k < n_; ++k) a_(i, k) *= 1 / f;
      for (int64_t k = 0; k <= last; ++k) a_(k, i) *= f;
    }
    return changed;
  }

  int64_t n_;
  Mat<T> a_;
  std::vector<R> scale_;
  std::vector<std::pair<int64_t, int64_t>> swaps_;
};

/// a = Q h Q' for its rows and columns [first, last]. The reflectors of Q stay below the places of h; tau has last - first
/// numbers. The columns are brought up to date a panel at a time: a - y v' from the right, where y = a v t.
template <class T>
class ToHessenberg {
 public:
  ToHessenberg(Mat<T> a, int64_t first, int64_t last, T* tau)
      : a_(a),
        n_(a.rows),
        last_(last),
        memory_(2 * n_ * kPanel + 2 * kPanel * kPanel + 2 * n_ + 2 * kPanel),
        v_{memory_.data(), n_, kPanel, kPanel},
        y_{v_.data + n_ * kPanel, n_, kPanel, kPanel},
        t_{y_.data + n_ * kPanel, kPanel, kPanel, kPanel},
        x_(t_.data + kPanel * kPanel),
        w_(x_ + n_),
        p_(w_ + n_),
        q_(p_ + kPanel) {
    for (int64_t j = first; j < last; j += kPanel) panel(j, std::min(kPanel, last - j), tau + j - first);
  }

 private:
  void panel(int64_t from, int64_t width, T* tau) {
    std::fill(v_.data, v_.data + n_ * kPanel, T(0));
    std::fill(y_.data, y_.data + n_ * kPanel, T(0));
    std::fill(t_.data, t_.data + kPanel * kPanel, T(0));
    for (int64_t i = 0; i < width; ++i) column(from, i, tau[i]);
    const int64_t down = last_ - from, end = from + width, above = from + 1;
    const Mat<T> v = v_.block(from + 1, 0, down, width), t = t_.block(0, 0, width, width),
                 top = y_.block(0, 0, above, width);
    const Workspace<T> room(above * width);
    const Mat<T> av{room.data(), above, width, width};
    multiply(av, a_.block(0, from + 1, above, down), v);
    multiply(top, av, t);
    multiply(a_.block(0, from + 1, above, width - 1), top, adjoint(v.block(0, 0, width - 1, width)), -1, 1);
    const int64_t right = last_ + 1 - end;
    multiply(a_.block(0, end, last_ + 1, right), y_.block(0, 0, last_ + 1, width),
             adjoint(v_.block(end, 0, right, width)), -1, 1);
    const int64_t beside = n_ - end;
    const Workspace<T> more(2 * width * beside);
    const Mat<T> w{more.data(), width, beside, beside}, tw{more.data() + width * beside, width, beside, beside},
        rest = a_.block(from + 1, end, down, beside);
    multiply(w, adjoint(v), rest);
    multiply(tw, adjoint(t), w);
    multiply(rest, v, tw, -1, 1);
  }
  /// Column number i of a panel: row and column from + i of a.
  void column(int64_t from, int64_t i, T& tau) {
    const auto& kernels = factor_kernels<T>();
    const int64_t j = from + i, start = from + 1, down = last_ - from;
    for (int64_t r = 0; r < down; ++r) x_[r] = a_(start + r, j);
    if (i > 0) {
      for (int64_t c = 0; c < kPanel; ++c) p_[c] = conj_of(v_(j, c));
      kernels.times_vector(down, kPanel, y_.at(start, 0), kPanel, p_, w_);
      for (int64_t r = 0; r < down; ++r) x_[r] -= w_[r];
      into_basis(start, down, p_);
      std::fill(q_, q_ + kPanel, T(0));
      for (int64_t k = 0; k < i; ++k)
        for (int64_t c = 0; c <= k; ++c) q_[k] += conj_of(t_(c, k)) * p_[c];
      kernels.times_vector(down, kPanel, v_.at(start, 0), kPanel, q_, w_);
      for (int64_t r = 0; r < down; ++r) x_[r] -= w_[r];
    }
    const int64_t rest = last_ - j;
    const Real<T> beta = make_reflector(rest, x_ + i, 1, tau);
    for (int64_t r = 0; r < down; ++r) a_(start + r, j) = x_[r];
    a_(j + 1, j) = beta;
    x_[i] = 1;
    std::fill(x_, x_ + i, T(0));
    // y = tau (a v - y v' v), t = [t -tau t v' v; 0 tau]
    into_basis(start, down, p_);
    for (int64_t r = 0; r < rest; ++r) v_(j + 1 + r, i) = x_[i + r];
    kernels.times_vector(down, rest, a_.at(start, j + 1), a_.row, x_ + i, w_);
    for (int64_t r = 0; r < down; ++r) {
      T sum = 0;
      for (int64_t c = 0; c < i; ++c) sum += y_(start + r, c) * p_[c];
      y_(start + r, i) = tau * (w_[r] - sum);
    }
    for (int64_t k = 0; k < i; ++k) {
      T sum = 0;
      for (int64_t c = k; c < i; ++c) sum += t_(k, c) * p_[c];
      t_(k, i) = -tau * sum;
    }
    t_(i, i) = tau;
  }
  /// p = v' x
  void into_basis(int64_t start, int64_t down, T* p) {
    for (int64_t r = 0; r < down; ++r) w_[r] = conj_of(x_[r]);
    std::fill(p, p + kPanel, T(0));
    factor_kernels<T>().vector_times(down, kPanel, w_, v_.at(start, 0), kPanel, p);
    for (int64_t c = 0; c < kPanel; ++c) p[c] = conj_of(p[c]);
  }

  Mat<T> a_;
  int64_t n_, last_;
  Workspace<T> memory_;
  Mat<T> v_, y_, t_;
  T *x_, *w_, *p_, *q_;
};

}  // namespace taut::kernels
