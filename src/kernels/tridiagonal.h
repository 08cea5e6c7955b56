// The eigenvalues of a symmetric matrix of three diagonals, by QL and QR iterations with implicit shifts.
#pragma once
#include <utility>

#include "kernels/mat.h"
#include "kernels/rotations.h"

namespace taut::kernels {

/// d, the diagonal, becomes the eigenvalues in ascending order; e, beside it, is lost. The rows of zt [n, any], unless
/// that is null, are rotated along: a unit matrix becomes the eigenvectors, a row each. Returns how many are missing.
template <class T>
class TridiagonalIteration {
 public:
  TridiagonalIteration(int64_t n, T* d, T* e, Mat<T> zt) : n_(n), d_(d), e_(e), zt_(zt), memory_(2 * n + 2) {}

  int64_t run() {
    budget_ = 30 * n_;
    for (int64_t first = 0; first < n_;) {
      if (first > 0) e_[first - 1] = 0;
      int64_t m = first;
      for (; m < n_ - 1; ++m) {
        const T off = std::abs(e_[m]);
        if (off == 0) break;
        if (off <= std::sqrt(std::abs(d_[m])) * std::sqrt(std::abs(d_[m + 1])) * kEps) {
          e_[m] = 0;
          break;
        }
      }
      solve_part(first, m);
      first = m + 1;
    }
    int64_t missing = 0;
    for (int64_t i = 0; i + 1 < n_; ++i) missing += e_[i] != 0;
    if (missing == 0) sort();
    return missing;
  }

 private:
  static constexpr T kEps = std::numeric_limits<T>::epsilon() / 2, kEps2 = kEps * kEps,
                     kTiny = std::numeric_limits<T>::min();

  /// From the end with the smaller element; the other way round that is QR instead of QL.
  void solve_part(int64_t first, int64_t last) {
    if (first == last) return;
    if (std::abs(d_[last]) < std::abs(d_[first])) up(last, first);
    else down(first, last);
  }
  void rotate(int64_t first, int64_t count, bool forward) {
    if (zt_.data)
      factor_kernels<T>().rotate(count, zt_.cols, cosines() + first, sines() + first, forward, zt_.at(first, 0),
                                 zt_.row);
  }
  T* cosines() { return memory_.data(); }
  T* sines() { return memory_.data() + n_; }

  void down(int64_t l, int64_t end) {
    while (l <= end) {
      int64_t m = l;
      for (; m < end; ++m)
        if (e_[m] * e_[m] <= kEps2 * std::abs(d_[m]) * std::abs(d_[m + 1]) + kTiny) break;
      if (m < end) e_[m] = 0;
      if (m == l) {
        ++l;
      } else if (m == l + 1) {
        const Symmetric2<T> two(d_[l], e_[l], d_[l + 1]);
        cosines()[l] = two.cs;
        sines()[l] = two.sn;
        rotate(l, 1, false);
        d_[l] = two.first;
        d_[l + 1] = two.second;
        e_[l] = 0;
        l += 2;
      } else {
        if (budget_-- == 0) return;
        T p = d_[l], g = (d_[l + 1] - p) / (2 * e_[l]), r = hypotenuse(g, T(1));
        g = d_[m] - p + e_[l] / (g + std::copysign(r, g));
        T s = 1, c = 1;
        p = 0;
        for (int64_t i = m - 1; i >= l; --i) {
          const T f = s * e_[i], b = c * e_[i];
          const Rotation<T> turn(g, f);
          c = turn.c, s = turn.s;
          if (i != m - 1) e_[i + 1] = turn.r;
          g = d_[i + 1] - p;
          r = (d_[i] - g) * s + 2 * c * b;
          p = s * r;
          d_[i + 1] = g + p;
          g = c * r - b;
          cosines()[i] = c;
          sines()[i] = -s;
        }
        rotate(l, m - l, false);
        d_[l] -= p;
        e_[l] = g;
      }
    }
  }
  void up(int64_t l, int64_t end) {
    while (l >= end) {
      int64_t m = l;
      for (; m > end; --m)
        if (e_[m - 1] * e_[m - 1] <= kEps2 * std::abs(d_[m]) * std::abs(d_[m - 1]) + kTiny) break;
      if (m > end) e_[m - 1] = 0;
      if (m == l) {
        --l;
      } else if (m == l - 1) {
        const Symmetric2<T> two(d_[l - 1], e_[l - 1], d_[l]);
        cosines()[m] = two.cs;
        sines()[m] = two.sn;
        rotate(m, 1, true);
        d_[l - 1] = two.first;
        d_[l] = two.second;
        e_[l - 1] = 0;
        l -= 2;
      } else {
        if (budget_-- == 0) return;
        T p = d_[l], g = (d_[l - 1] - p) / (2 * e_[l - 1]), r = hypotenuse(g, T(1));
        g = d_[m] - p + e_[l - 1] / (g + std::copysign(r, g));
        T s = 1, c = 1;
        p = 0;
        for (int64_t i = m; i < l; ++i) {
          const T f = s * e_[i], b = c * e_[i];
          const Rotation<T> turn(g, f);
          c = turn.c, s = turn.s;
          if (i != m) e_[i - 1] = turn.r;
          g = d_[i] - p;
          r = (d_[i + 1] - g) * s + 2 * c * b;
          p = s * r;
          d_[i] = g + p;
          g = c * r - b;
          cosines()[i] = c;
          sines()[i] = s;
        }
        rotate(m, l - m, true);
        d_[l] -= p;
        e_[l - 1] = g;
      }
    }
  }
  void sort() {
    if (!zt_.data) return std::sort(d_, d_ + n_);
    for (int64_t i = 0; i + 1 < n_; ++i) {
      const int64_t k = std::min_element(d_ + i, d_ + n_) - d_;
      if (k == i) continue;
      std::swap(d_[i], d_[k]);
      std::swap_ranges(zt_.at(i, 0), zt_.at(i, zt_.cols), zt_.at(k, 0));
    }
  }

  int64_t n_;
  T *d_, *e_;
  Mat<T> zt_;
  Workspace<T> memory_;
  int64_t budget_ = 0;
};

}  // namespace taut::kernels
