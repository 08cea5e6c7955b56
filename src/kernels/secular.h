// The roots of 1 / rho + sum z_i^2 / (d_i - x) = 0: the eigenvalues of diag(d) + rho z z'.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace taut::kernels {

/// Root j lies between d[j] and d[j + 1], the last one above. It is found as its distance from the nearer of the two,
/// so that differences to all d are exact to the last digits: gaps[i] = d[i] - root. Returns the root.
template <class T>
class SecularRoot {
 public:
  SecularRoot(int64_t k, const T* d, const T* z, T rho, int64_t j, T* gaps)
      : k_(k), j_(j), z_(z), constant_(1 / rho), gaps_(gaps) {
    last_ = j == k - 1;
    T total = 0;
    for (int64_t i = 0; i < k; ++i) total += z[i] * z[i];
    width_ = last_ ? rho * total : d[j + 1] - d[j];
    const T* from = d + j;
    for (int64_t i = 0; i < k; ++i) gaps_[i] = d[i] - *from;
    low_ = 0;
    high_ = width_;
    if (!last_ && value(width_ / 2) < 0) {
      from = d + j + 1;
      for (int64_t i = 0; i < k; ++i) gaps_[i] = d[i] - *from;
      low_ = -width_ / 2;
      high_ = 0;
    } else if (!last_) {
      high_ = width_ / 2;
    }
    const T x = solve();
    for (int64_t i = 0; i < k; ++i) gaps_[i] -= x;
    root_ = *from + x;
  }
  T root() const { return root_; }

 private:
  /// The sums over the poles up to j, and beyond, with their derivatives.
  T value(T x) {
    below_ = slope_below_ = above_ = slope_above_ = 0;
    for (int64_t i = 0; i <= j_; ++i) {
      const T t = z_[i] / (gaps_[i] - x);
      below_ += z_[i] * t;
      slope_below_ += t * t;
    }
    for (int64_t i = j_ + 1; i < k_; ++i) {
      const T t = z_[i] / (gaps_[i] - x);
      above_ += z_[i] * t;
      slope_above_ += t * t;
    }
    return constant_ + below_ + above_;
  }
  /// How far the root is by a function of two poles that has the sums' values and slopes.
  T step(T x, T f) const {
    const T a = gaps_[j_] - x, s = slope_below_ * a * a;
    if (last_) {
      const T c = constant_ + below_ - slope_below_ * a;
      return a + s / c;
    }
    const T b = gaps_[j_ + 1] - x, big = slope_above_ * b * b;
    const T c = constant_ + below_ - slope_below_ * a + above_ - slope_above_ * b;
    const T half = c * (a + b) + s + big, product = a * b * f;
    const T root = std::sqrt(std::max(half * half - 4 * c * product, T(0)));
    return half <= 0 ? (half - root) / (2 * c) : 2 * product / (half + root);
  }
  T solve() {
    constexpr T kEps = std::numeric_limits<T>::epsilon() / 2;
    constexpr int kMost = 200;
    T x = (low_ + high_) / 2;
    for (int round = 0; round < kMost; ++round) {
      const T f = value(x);
      if (std::abs(f) <= kEps * static_cast<T>(8) * (constant_ + above_ - below_)) break;
      (f < 0 ? low_ : high_) = x;
      T next = x + step(x, f);
      if (!(next > low_ && next < high_)) next = (low_ + high_) / 2;
      if (next == x || std::abs(next - x) <= kEps * std::abs(next) / 4) {
        x = next;
        break;
      }
      x = next;
    }
    return x;
  }

  int64_t k_, j_;
  const T* z_;
  T constant_;
  T* gaps_;
  bool last_;
  T width_, low_, high_, root_;
  T below_ = 0, slope_below_ = 0, above_ = 0, slope_above_ = 0;
};

}  // namespace taut::kernels
