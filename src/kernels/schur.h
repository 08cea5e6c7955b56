// From Hessenberg's form to Schur's by QR iterations with implicit shifts: triangular for complex numbers, with blocks of two
// on the diagonal for pairs of conjugate eigenvalues of a real matrix.
#pragma once
#include <algorithm>
#include <vector>

#include "kernels/complex_number.h"
#include "kernels/mat.h"
#include "kernels/reflector.h"
#include "kernels/rotations.h"

namespace taut::kernels {

/// Rows k and the next of h, in columns [from, to), times the adjoint of I - tau v v', where v = (1, v[1], v[2]).
template <int Rows, class T>
void reflect_rows(const T* v, T tau, Mat<T> h, int64_t k, int64_t from, int64_t to) {
  T *__restrict x = h.at(k, 0), *__restrict y = h.at(k + 1, 0), *__restrict z = Rows == 3 ? h.at(k + 2, 0) : nullptr;
  const T v1 = v[1], v2 = v[Rows - 1], c0 = conj_of(tau), c1 = c0 * conj_of(v1), c2 = c0 * conj_of(v2);
  for (int64_t j = from; j < to; ++j) {
    T sum = c0 * x[j] + c1 * y[j];
    if constexpr (Rows == 3) sum += c2 * z[j];
    x[j] -= sum;
    y[j] -= sum * v1;
    if constexpr (Rows == 3) z[j] -= sum * v2;
  }
}
/// Columns k and the next of h, in rows [from, to), times I - tau v v'.
template <int Columns, class T>
void reflect_columns(const T* v, T tau, Mat<T> h, int64_t k, int64_t from, int64_t to) {
  const T v1 = v[1], v2 = v[Columns - 1], c1 = tau * v1, c2 = tau * v2, a1 = conj_of(v1), a2 = conj_of(v2);
  for (int64_t i = from; i < to; ++i) {
    T* x = h.at(i, k);
    T sum = tau * x[0] + c1 * x[1];
    if constexpr (Columns == 3) sum += c2 * x[2];
    x[0] -= sum;
    x[1] -= sum * a1;
    if constexpr (Columns == 3) x[2] -= sum * a2;
  }
}

/// What the iterations for real and for complex numbers share. The rows of zt, unless that is null, are turned along with
/// those of h: if they were the columns of Q in a = Q h Q', they are so in the end. Unless the `whole` of h is turned, only
/// its eigenvalues are right then.
template <class T>
class QrSteps {
 protected:
  using R = Real<T>;
  static constexpr R kEps = std::numeric_limits<R>::epsilon();
  QrSteps(Mat<T> h, Mat<T> zt, bool whole) : h_(h), zt_(zt), whole_(whole) {}

  /// Is what is below the diagonal at k as good as 0? (Ahues and Tisseur)
  bool negligible(int64_t k, int64_t first, int64_t last, R tiny) const {
    const R below = size_of(h_(k, k - 1));
    if (below <= tiny) return true;
    const T up = h_(k - 1, k - 1), down = h_(k, k);
    R sum = size_of(up) + size_of(down);
    if (sum == 0) {
      if (k - 2 >= first) sum += size_of(h_(k - 1, k - 2));
      if (k + 1 <= last) sum += size_of(h_(k + 1, k));
    }
    if (below > kEps * sum) return false;
    const R above = size_of(h_(k - 1, k)), own = size_of(down), gap = size_of(up - down);
    const R ab = std::max(below, above), ba = std::min(below, above), aa = std::max(own, gap), bb = std::min(own, gap);
    const R s = aa + ab;
    return ba * (ab / s) <= std::max(tiny, kEps * (bb * (aa / s)));
  }
  R tiny_for(int64_t count) const { return std::numeric_limits<R>::min() * (static_cast<R>(count) / kEps); }

  Mat<T> h_, zt_;
  bool whole_;  // all of h is turned, or only the block that is worked on
};

/// Complex numbers: one shift at a time.
class ComplexSchur : QrSteps<Z> {
 public:
  ComplexSchur(Mat<Z> h, Mat<Z> zt) : QrSteps(h, zt, zt.data != nullptr) {}
  /// Returns how many eigenvalues of rows [first, last] are missing; those found are on the diagonal.
  int64_t run(int64_t first, int64_t last) {
    const double tiny = tiny_for(last - first + 1);
    int64_t tries = 0, budget = 30 * std::max<int64_t>(10, last - first + 1);
    while (last >= first) {
      int64_t l = last;
      while (l > first && !negligible(l, first, last, tiny)) --l;
      if (l > first) h_(l, l - 1) = 0.0;
      if (l == last) {
        --last;
        tries = 0;
        budget = 30 * std::max<int64_t>(10, last - first + 1);
      } else if (budget-- == 0) {
        return last - first + 1;
      } else {
        step(l, last, shift_of(l, last, ++tries));
      }
    }
    return 0;
  }

 private:
  Z shift_of(int64_t l, int64_t i, int64_t tries) const {
    if (tries % 20 == 0) return h_(i, i) + Z(0.75 * plain::functions::abs(h_(i, i - 1)));
    if (tries % 10 == 0) return h_(l, l) + Z(0.75 * plain::functions::abs(h_(l + 1, l)));
    const auto root = plain::functions::sqrt;
    const Z own = h_(i, i), u = root(h_(i - 1, i)) * root(h_(i, i - 1));
    double s = size_of(u);
    if (s == 0) return own;
    const Z x = (h_(i - 1, i - 1) - own) * Z(0.5);
    s = std::max(s, size_of(x));
    const Z xs = x / s, us = u / s;
    Z y = root(xs * xs + us * us) * Z(s);
    if (x.real() * y.real() + x.imag() * y.imag() < 0) y = -y;
    return own - u * (u / (x + y));
  }
  void step(int64_t l, int64_t i, Z shift) {
    Z v[2];
    int64_t m = i - 1;
    for (;; --m) {
      const Z own = h_(m, m), below = h_(m + 1, m);
      const double s = size_of(own - shift) + size_of(below);
      v[0] = (own - shift) / s, v[1] = below / s;
      if (m == l || size_of(h_(m, m - 1)) * size_of(v[1]) <=
                        kEps * (size_of(v[0]) * (size_of(own) + size_of(h_(m + 1, m + 1)))))
        break;
    }
    const int64_t to = whole_ ? h_.cols : i + 1, from = whole_ ? 0 : l;
    for (int64_t k = m; k < i; ++k) {
      if (k > m) v[0] = h_(k, k - 1), v[1] = h_(k + 1, k - 1);
      Z tau;
      const double beta = make_reflector(2, v, 1, tau);
      if (k > m) h_(k, k - 1) = beta, h_(k + 1, k - 1) = 0.0;
      else if (m > l) h_(k, k - 1) *= Z(1) - conj(tau);
      reflect_rows<2>(v, tau, h_, k, k, to);
      reflect_columns<2>(v, tau, h_, k, from, std::min(k + 3, i + 1));
      const Z turned[2] = {v[0], conj(v[1])};
      if (zt_.data) reflect_rows<2>(turned, conj(tau), zt_, k, 0, zt_.cols);
    }
  }
};

/// The Schur form of [a b; c d] by the rotation (cs, sn): c is 0, or a = d and b c < 0. LAPACK's lanv2.
template <class T>
struct RealSchur2 {
  T a, b, c, d, cs = 1, sn = 0;
  RealSchur2(T a_in, T b_in, T c_in, T d_in) : a(a_in), b(b_in), c(c_in), d(d_in) {
    constexpr T kEps = std::numeric_limits<T>::epsilon();
    if (c == 0) return;
    if (b == 0) {
      cs = 0, sn = 1;
      std::swap(a, d);
      b = -c, c = 0;
      return;
    }
    if (a == d && std::signbit(b) != std::signbit(c)) return;
    const T difference = a - d, p = difference / 2, most = std::max(std::abs(b), std::abs(c)),
            sign = std::signbit(b) != std::signbit(c) ? T(-1) : T(1),
            least = std::min(std::abs(b), std::abs(c)) * sign,
            scale = std::max(std::abs(p), most);
    T z = (p / scale) * p + (most / scale) * least;
    if (z >= 4 * kEps) {  // real eigenvalues
      z = p + std::copysign(std::sqrt(scale) * std::sqrt(z), p);
      a = d + z;
      d -= (most / z) * least;
      const T tau = hypotenuse(c, z);
      cs = z / tau, sn = c / tau;
      b -= c, c = 0;
      return;
    }
    const T sigma = b + c, tau = hypotenuse(sigma, difference);
    cs = std::sqrt((1 + std::abs(sigma) / tau) / 2);
    sn = -(p / (tau * cs)) * std::copysign(T(1), sigma);
    const T aa = a * cs + b * sn, bb = -a * sn + b * cs, cc = c * cs + d * sn, dd = -c * sn + d * cs;
    a = aa * cs + cc * sn, b = bb * cs + dd * sn, c = -aa * sn + cc * cs, d = -bb * sn + dd * cs;
    a = d = (a + d) / 2;
    if (c == 0) return;
    if (b == 0) {
      b = -c, c = 0;
      const T t = cs;
      cs = -sn, sn = t;
    } else if (std::signbit(b) == std::signbit(c)) {  // real after all
      const T root_b = std::sqrt(std::abs(b)), root_c = std::sqrt(std::abs(c)), off = std::copysign(root_b * root_c, c),
              t = 1 / std::sqrt(std::abs(b + c)), cs1 = root_b * t, sn1 = root_c * t, turned = cs * cs1 - sn * sn1;
      a += off, d -= off;
      b -= c, c = 0;
      sn = cs * sn1 + sn * cs1;
      cs = turned;
    }
  }
};

/// Real numbers: a pair of shifts at a time.
template <class T>
class RealSchur : QrSteps<T> {
  using Base = QrSteps<T>;
  using Base::h_, Base::zt_, Base::whole_, Base::kEps;

 public:
  RealSchur(Mat<T> h, Mat<T> zt, bool whole, T* re, T* im) : Base(h, zt, whole), re_(re), im_(im) {}
  /// Returns how many eigenvalues of rows [first, last] are missing. The others are re and im.
  int64_t run(int64_t first, int64_t last) {
    for (int64_t j = first; j + 2 <= last; ++j) {
      h_(j + 2, j) = 0;
      if (j + 3 <= last) h_(j + 3, j) = 0;
    }
    const int64_t count = last - first + 1;
    const T tiny = this->tiny_for(count);
    int64_t tries = 0, budget = 30 * std::max<int64_t>(10, count);
    while (last >= first) {
      int64_t l = last;
      while (l > first && !this->negligible(l, first, last, tiny)) --l;
      if (l > first) h_(l, l - 1) = 0;
      if (l >= last - 1) {
        if (l == last) re_[l] = h_(l, l), im_[l] = 0;
        else split(l);
        last = l - 1;
        tries = 0;
        budget = 30 * std::max<int64_t>(10, count);
      } else if (budget-- == 0) {
        return last - first + 1;
      } else {
        step(l, last, ++tries);
      }
    }
    return 0;
  }

 private:
  /// The block of two at l.
  void split(int64_t l) {
    const RealSchur2<T> two(h_(l, l), h_(l, l + 1), h_(l + 1, l), h_(l + 1, l + 1));
    h_(l, l) = two.a, h_(l, l + 1) = two.b, h_(l + 1, l) = two.c, h_(l + 1, l + 1) = two.d;
    re_[l] = two.a, re_[l + 1] = two.d;
    im_[l] = two.c == 0 ? T(0) : std::sqrt(std::abs(two.b)) * std::sqrt(std::abs(two.c));
    im_[l + 1] = -im_[l];
    if (two.c == 0) im_[l + 1] = 0;
    const auto& rotate = factor_kernels<T>().rotate;
    if (whole_) {
      if (l + 2 < h_.cols) rotate(1, h_.cols - l - 2, &two.cs, &two.sn, true, h_.at(l, l + 2), h_.row);
      for (int64_t i = 0; i < l; ++i) {
        const T x = h_(i, l), y = h_(i, l + 1);
        h_(i, l) = two.cs * x + two.sn * y;
        h_(i, l + 1) = two.cs * y - two.sn * x;
      }
    }
    if (zt_.data) rotate(1, zt_.cols, &two.cs, &two.sn, true, zt_.at(l, 0), zt_.row);
  }
  /// The two shifts, of which the first is the one with the positive imaginary part.
  struct Shifts {
    T re1, im1, re2, im2;
  };
  Shifts shifts_of(int64_t l, int64_t i, int64_t tries) const {
    T a = h_(i - 1, i - 1), b = h_(i - 1, i), c = h_(i, i - 1), d = h_(i, i);
    if (tries % 10 == 0) {
      const bool bottom = tries % 20 == 0;
      const T s = bottom ? std::abs(h_(i, i - 1)) + std::abs(h_(i - 1, i - 2)) : std::abs(h_(l + 1, l)) + std::abs(h_(l + 2, l + 1));
      a = d = T(0.75) * s + (bottom ? h_(i, i) : h_(l, l));
      b = T(-0.4375) * s, c = s;
    }
    const T s = std::abs(a) + std::abs(b) + std::abs(c) + std::abs(d);
    if (s == 0) return {0, 0, 0, 0};
    a /= s, b /= s, c /= s, d /= s;
    const T middle = (a + d) / 2, det = (a - middle) * (d - middle) - b * c, root = std::sqrt(std::abs(det));
    if (det >= 0) return {middle * s, root * s, middle * s, -root * s};
    const T high = middle + root, low = middle - root, nearer = (std::abs(high - d) <= std::abs(low - d) ? high : low) * s;
    return {nearer, 0, nearer, 0};
  }
  void step(int64_t l, int64_t i, int64_t tries) {
    const Shifts shift = shifts_of(l, i, tries);
    T v[3];
    int64_t m = i - 2;
    for (;; --m) {
      const T own = h_(m, m);
      T below = std::abs(h_(m + 1, m));
      const T s = std::abs(own - shift.re2) + std::abs(shift.im2) + below;
      below = h_(m + 1, m) / s;
      v[0] = below * h_(m, m + 1) + (own - shift.re1) * ((own - shift.re2) / s) - shift.im1 * (shift.im2 / s);
      v[1] = below * (own + h_(m + 1, m + 1) - shift.re1 - shift.re2);
      v[2] = below * h_(m + 2, m + 1);
      const T sum = std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]);
      for (T& x : v) x /= sum;
      if (m == l || std::abs(h_(m, m - 1)) * (std::abs(v[1]) + std::abs(v[2])) <=
                        kEps * std::abs(v[0]) * (std::abs(h_(m - 1, m - 1)) + std::abs(own) + std::abs(h_(m + 1, m + 1))))
        break;
    }
    const int64_t to = whole_ ? h_.cols : i + 1, from = whole_ ? 0 : l;
    for (int64_t k = m; k < i; ++k) {
      const bool three = k + 1 < i;
      if (k > m)
        for (int64_t r = 0; r < (three ? 3 : 2); ++r) v[r] = h_(k + r, k - 1);
      T tau;
      const T beta = make_reflector(three ? 3 : 2, v, 1, tau);
      if (k > m) {
        h_(k, k - 1) = beta, h_(k + 1, k - 1) = 0;
        if (three) h_(k + 2, k - 1) = 0;
      } else if (m > l) {
        h_(k, k - 1) *= 1 - tau;
      }
      apply(three, v, tau, k, to, from, std::min(k + 4, i + 1));
    }
  }
  void apply(bool three, const T* v, T tau, int64_t k, int64_t to, int64_t from, int64_t rows) {
    if (three) {
      reflect_rows<3>(v, tau, h_, k, k, to);
      reflect_columns<3>(v, tau, h_, k, from, rows);
      if (zt_.data) reflect_rows<3>(v, tau, zt_, k, 0, zt_.cols);
    } else {
      reflect_rows<2>(v, tau, h_, k, k, to);
      reflect_columns<2>(v, tau, h_, k, from, rows);
      if (zt_.data) reflect_rows<2>(v, tau, zt_, k, 0, zt_.cols);
    }
  }

  T *re_, *im_;
};

}  // namespace taut::kernels
