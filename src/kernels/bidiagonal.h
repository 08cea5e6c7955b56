// The singular values of a matrix of two diagonals, by QR iterations with implicit shifts, or none where that keeps
// small values exact (Demmel and Kahan).
#pragma once
#include <algorithm>
#include <utility>

#include "kernels/mat.h"
#include "kernels/rotations.h"

namespace taut::kernels {

/// d, the diagonal, becomes the singular values in descending order; e, above it, is lost. The rows of ut and vt,
/// unless these are null, are rotated along. Returns how many values are missing.
template <class T>
class BidiagonalIteration {
 public:
  BidiagonalIteration(int64_t n, T* d, T* e, Mat<T> ut, Mat<T> vt)
      : n_(n), d_(d), e_(e), ut_(ut), vt_(vt), memory_(4 * n + 4) {}

  int64_t run() {
    set_threshold();
    int64_t budget = 6 * n_ * n_ + 100;
    int64_t last = n_ - 1, old_first = -1, old_last = -1;
    bool down = true;
    while (last > 0) {
      if (budget < 0) break;
      int64_t first = 0;
      if (find_block(first, last)) continue;
      if (first == last - 1) {
        solve_two(first);
        last -= 2;
        continue;
      }
      if (first > old_last || last < old_first) down = std::abs(d_[first]) >= std::abs(d_[last]);
      T least = 0;
      if (down ? converged_down(first, last, least) : converged_up(first, last, least)) continue;
      old_first = first;
      old_last = last;
      const T shift = shift_of(first, last, down, least);
      if (shift == 0) down ? plain_down(first, last) : plain_up(first, last);
      else down ? shifted_down(first, last, shift) : shifted_up(first, last, shift);
      budget -= last - first;
    }
    int64_t missing = 0;
    for (int64_t i = 0; i + 1 < n_; ++i) missing += e_[i] != 0;
    if (missing == 0) finish();
    return missing;
  }

 private:
  static constexpr T kEps = std::numeric_limits<T>::epsilon() / 2;

  void set_threshold() {
    // LAPACK's max(10, min(100, eps^(-1/8))).
    tolerance_ = (sizeof(T) == 4 ? T(10) : T(98.7012)) * kEps;
    T mu = n_ > 0 ? std::abs(d_[0]) : T(0), low = mu;
    for (int64_t i = 1; i < n_ && low > 0; ++i) {
      mu = std::abs(d_[i]) * (mu / (mu + std::abs(e_[i - 1])));
      low = std::min(low, mu);
    }
    const T n = static_cast<T>(n_);
    threshold_ = std::max(tolerance_ * (low / std::sqrt(n)), 6 * n * n * std::numeric_limits<T>::min());
  }
  /// The last block without a zero beside the diagonal, [first, last]. True if `last` was one of its own.
  bool find_block(int64_t& first, int64_t& last) {
    if (std::abs(d_[last]) <= threshold_) d_[last] = 0;
    most_ = std::abs(d_[last]);
    for (int64_t l = last - 1; l >= 0; --l) {
      const T diagonal = std::abs(d_[l]), beside = std::abs(e_[l]);
      if (diagonal <= threshold_) d_[l] = 0;
      if (beside <= threshold_) {
        e_[l] = 0;
        if (l == last - 1) {
          --last;
          return true;
        }
        first = l + 1;
        return false;
      }
      most_ = std::max({most_, diagonal, beside});
    }
    first = 0;
    return false;
  }
  void solve_two(int64_t i) {
    const Triangular2<T> two(d_[i], e_[i], d_[i + 1]);
    d_[i] = two.large;
    e_[i] = 0;
    d_[i + 1] = two.small;
    right()[0] = two.cos_right, right()[n_] = two.sin_right;
    left()[0] = two.cos_left, left()[n_] = two.sin_left;
    turn(i, 1, true);
  }
  bool converged_down(int64_t first, int64_t last, T& least) {
    if (std::abs(e_[last - 1]) <= tolerance_ * std::abs(d_[last])) {
      e_[last - 1] = 0;
      return true;
    }
    T mu = least = std::abs(d_[first]);
    for (int64_t l = first; l < last; ++l) {
      if (std::abs(e_[l]) <= tolerance_ * mu) {
        e_[l] = 0;
        return true;
      }
      mu = std::abs(d_[l + 1]) * (mu / (mu + std::abs(e_[l])));
      least = std::min(least, mu);
    }
    return false;
  }
  bool converged_up(int64_t first, int64_t last, T& least) {
    if (std::abs(e_[first]) <= tolerance_ * std::abs(d_[first])) {
      e_[first] = 0;
      return true;
    }
    T mu = least = std::abs(d_[last]);
    for (int64_t l = last - 1; l >= first; --l) {
      if (std::abs(e_[l]) <= tolerance_ * mu) {
        e_[l] = 0;
        return true;
      }
      mu = std::abs(d_[l]) * (mu / (mu + std::abs(e_[l])));
      least = std::min(least, mu);
    }
    return false;
  }
  T shift_of(int64_t first, int64_t last, bool down, T least) const {
    if (static_cast<T>(n_) * tolerance_ * (least / most_) <= std::max(kEps, tolerance_ / 100)) return 0;
    const T start = std::abs(down ? d_[first] : d_[last]);
    const T shift = down ? least_singular2(d_[last - 1], e_[last - 1], d_[last])
                         : least_singular2(d_[first], e_[first], d_[first + 1]);
    return start > 0 && (shift / start) * (shift / start) < kEps ? T(0) : shift;
  }

  T* right() { return memory_.data(); }          // cosines, then sines, of what turns vt
  T* left() { return memory_.data() + 2 * n_; }  // and ut
  void turn(int64_t first, int64_t count, bool forward) {
    const auto& rotate = factor_kernels<T>().rotate;
    if (vt_.data) rotate(count, vt_.cols, right(), right() + n_, forward, vt_.at(first, 0), vt_.row);
    if (ut_.data) rotate(count, ut_.cols, left(), left() + n_, forward, ut_.at(first, 0), ut_.row);
  }

  void plain_down(int64_t first, int64_t last) {
    T cs = 1, old_cs = 1, old_sn = 0;
    for (int64_t i = first; i < last; ++i) {
      const Rotation<T> a(d_[i] * cs, e_[i]);
      cs = a.c;
      if (i > first) e_[i - 1] = old_sn * a.r;
      const Rotation<T> b(old_cs * a.r, d_[i + 1] * a.s);
      old_cs = b.c, old_sn = b.s, d_[i] = b.r;
      right()[i - first] = a.c, right()[n_ + i - first] = a.s;
      left()[i - first] = b.c, left()[n_ + i - first] = b.s;
    }
    const T h = d_[last] * cs;
    d_[last] = h * old_cs;
    e_[last - 1] = h * old_sn;
    turn(first, last - first, true);
    if (std::abs(e_[last - 1]) <= threshold_) e_[last - 1] = 0;
  }
  void plain_up(int64_t first, int64_t last) {
    T cs = 1, old_cs = 1, old_sn = 0;
    for (int64_t i = last; i > first; --i) {
      const Rotation<T> a(d_[i] * cs, e_[i - 1]);
      cs = a.c;
      if (i < last) e_[i] = old_sn * a.r;
      const Rotation<T> b(old_cs * a.r, d_[i - 1] * a.s);
      old_cs = b.c, old_sn = b.s, d_[i] = b.r;
      const int64_t k = i - first - 1;
      left()[k] = a.c, left()[n_ + k] = -a.s;
      right()[k] = b.c, right()[n_ + k] = -b.s;
    }
    const T h = d_[first] * cs;
    d_[first] = h * old_cs;
    e_[first] = h * old_sn;
    turn(first, last - first, false);
    if (std::abs(e_[first]) <= threshold_) e_[first] = 0;
  }
  void shifted_down(int64_t first, int64_t last, T shift) {
    T f = (std::abs(d_[first]) - shift) * (std::copysign(T(1), d_[first]) + shift / d_[first]), g = e_[first];
    for (int64_t i = first; i < last; ++i) {
      const Rotation<T> a(f, g);
      if (i > first) e_[i - 1] = a.r;
      f = a.c * d_[i] + a.s * e_[i];
      e_[i] = a.c * e_[i] - a.s * d_[i];
      g = a.s * d_[i + 1];
      d_[i + 1] = a.c * d_[i + 1];
      const Rotation<T> b(f, g);
      d_[i] = b.r;
      f = b.c * e_[i] + b.s * d_[i + 1];
      d_[i + 1] = b.c * d_[i + 1] - b.s * e_[i];
      if (i < last - 1) {
        g = b.s * e_[i + 1];
        e_[i + 1] = b.c * e_[i + 1];
      }
      right()[i - first] = a.c, right()[n_ + i - first] = a.s;
      left()[i - first] = b.c, left()[n_ + i - first] = b.s;
    }
    e_[last - 1] = f;
    turn(first, last - first, true);
    if (std::abs(e_[last - 1]) <= threshold_) e_[last - 1] = 0;
  }
  void shifted_up(int64_t first, int64_t last, T shift) {
    T f = (std::abs(d_[last]) - shift) * (std::copysign(T(1), d_[last]) + shift / d_[last]), g = e_[last - 1];
    for (int64_t i = last; i > first; --i) {
      const Rotation<T> a(f, g);
      if (i < last) e_[i] = a.r;
      f = a.c * d_[i] + a.s * e_[i - 1];
      e_[i - 1] = a.c * e_[i - 1] - a.s * d_[i];
      g = a.s * d_[i - 1];
      d_[i - 1] = a.c * d_[i - 1];
      const Rotation<T> b(f, g);
      d_[i] = b.r;
      f = b.c * e_[i - 1] + b.s * d_[i - 1];
      d_[i - 1] = b.c * d_[i - 1] - b.s * e_[i - 1];
      if (i > first + 1) {
        g = b.s * e_[i - 2];
        e_[i - 2] = b.c * e_[i - 2];
      }
      const int64_t k = i - first - 1;
      left()[k] = a.c, left()[n_ + k] = -a.s;
      right()[k] = b.c, right()[n_ + k] = -b.s;
    }
    e_[first] = f;
    turn(first, last - first, false);
    if (std::abs(e_[first]) <= threshold_) e_[first] = 0;
  }

  /// Positive values, in order.
  void finish() {
    for (int64_t i = 0; i < n_; ++i) {
      if (!std::signbit(d_[i])) continue;
      d_[i] = -d_[i];
      if (vt_.data)
        for (int64_t j = 0; j < vt_.cols; ++j) vt_(i, j) = -vt_(i, j);
    }
    for (int64_t i = 0; i + 1 < n_; ++i) {
      const int64_t k = std::max_element(d_ + i, d_ + n_) - d_;
      if (k == i) continue;
      std::swap(d_[i], d_[k]);
      if (vt_.data) std::swap_ranges(vt_.at(i, 0), vt_.at(i, vt_.cols), vt_.at(k, 0));
      if (ut_.data) std::swap_ranges(ut_.at(i, 0), ut_.at(i, ut_.cols), ut_.at(k, 0));
    }
  }

  int64_t n_;
  T *d_, *e_;
  Mat<T> ut_, vt_;
  Workspace<T> memory_;
  T tolerance_ = 0, threshold_ = 0, most_ = 0;
};

}  // namespace taut::kernels
