#include "kernels/spectral.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/bidiagonal.h"
#include "kernels/divide.h"
#include "kernels/factor.h"
#include "kernels/reflector.h"
#include "kernels/reflectors.h"
#include "kernels/tridiagonal.h"

namespace taut::kernels {
namespace {

/// The lower triangle of c loses that of a b'.
template <class T>
void subtract_lower(Mat<T> c, Mat<const T> a, Mat<const T> b) {
  constexpr int64_t kSmall = 64;
  if (c.rows <= kSmall) return multiply(c, a, b.transposed(), -1, 1);
  const int64_t h = c.rows / 2, r = c.rows - h, k = a.cols;
  subtract_lower(c.block(0, 0, h, h), a.block(0, 0, h, k), b.block(0, 0, h, k));
  multiply(c.block(h, 0, r, h), a.block(h, 0, r, k), b.block(0, 0, h, k).transposed(), -1, 1);
  subtract_lower(c.block(h, h, r, r), a.block(h, 0, r, k), b.block(h, 0, r, k));
}

template <class T>
T plain_dot(int64_t n, const T* x, const T* y) {
  T found = 0;
  factor_kernels<T>().times_vector(1, n, x, n, y, &found);
  return found;
}

/// a = Q t Q' with three diagonals, of which d and e are two. The reflectors of Q stay below e's place. The last
/// columns of a are brought up to date a panel at a time: a - v w' - w v', of complex numbers with the adjoints of w
/// and v, whose conjugates are what is kept.
template <class T>
class Tridiagonalise {
 public:
  Tridiagonalise(Mat<T> a, Real<T>* d, Real<T>* e, T* tau)
      : a_(a),
        n_(a.rows),
        panel_(std::min(kPanel, n_)),
        d_(d),
        e_(e),
        tau_(tau),
        memory_(n_ * 4 * panel_ + 3 * n_ + 2 * panel_),
        vw_{memory_.data(), n_, 2 * panel_, 2 * panel_},
        wv_{memory_.data() + n_ * 2 * panel_, n_, 2 * panel_, 2 * panel_},
        x_(memory_.data() + n_ * 4 * panel_),
        y_(x_ + n_),
        z_(y_ + n_),
        t_(z_ + n_) {}
  void run() {
    for (int64_t j = 0; j < n_; j += panel_) {
      const int64_t end = std::min(j + panel_, n_);
      std::fill(vw_.at(j, 0), vw_.at(n_, 0), T(0));
      std::fill(wv_.at(j, 0), wv_.at(n_, 0), T(0));
      for (int64_t i = j; i < end; ++i) column(i, i - j);
      subtract_lower<T>(a_.block(end, end, n_ - end, n_ - end), vw_.block(end, 0, n_ - end, 2 * panel_),
                        wv_.block(end, 0, n_ - end, 2 * panel_));
    }
  }

 private:
  /// Column i, number k of its panel: v and w are columns k of both.
  void column(int64_t i, int64_t k) {
    const auto& kernels = factor_kernels<T>();
    const int64_t rest = n_ - i - 1;
    if (k > 0) {
      kernels.times_vector(rest + 1, 2 * panel_, vw_.at(i, 0), vw_.row, wv_.at(i, 0), y_);
      for (int64_t r = 0; r <= rest; ++r) a_(i + r, i) -= y_[r];
    }
    d_[i] = real_of(a_(i, i));
    if (rest == 0) return;
    e_[i] = make_reflector(rest, a_.at(i + 1, i), a_.row, tau_[i]);
    a_(i + 1, i) = 1;
    for (int64_t r = 0; r < rest; ++r) x_[r] = a_(i + 1 + r, i);
    std::fill(y_, y_ + rest, T(0));
    kernels.symmetric_times(rest, a_.at(i + 1, i + 1), a_.row, x_, y_);
    std::fill(t_, t_ + 2 * panel_, T(0));
    kernels.vector_times(rest, 2 * panel_, x_, wv_.at(i + 1, 0), wv_.row, t_);
    kernels.times_vector(rest, 2 * panel_, vw_.at(i + 1, 0), vw_.row, t_, z_);
    for (int64_t r = 0; r < rest; ++r) y_[r] = (y_[r] - z_[r]) * tau_[i];
    for (int64_t r = 0; r < rest; ++r) z_[r] = conj_of(x_[r]);
    const T half = -conj_of(tau_[i]) * plain_dot(rest, z_, y_) / T(2);
    for (int64_t r = 0; r < rest; ++r) {
      const T w = y_[r] + half * x_[r];
      vw_(i + 1 + r, k) = x_[r];
      vw_(i + 1 + r, panel_ + k) = w;
      wv_(i + 1 + r, panel_ + k) = z_[r];
      wv_(i + 1 + r, k) = conj_of(w);
    }
  }

  Mat<T> a_;
  int64_t n_, panel_;  // columns of a panel
  Real<T>*d_, *e_;
  T* tau_;
  Workspace<T> memory_;
  Mat<T> vw_, wv_;  // [v w] and [w v]
  T *x_, *y_, *z_, *t_;
};

template <class T>
bool is_finite(int64_t n, const T* values) {
  return std::all_of(values, values + n, [](T v) { return std::isfinite(v); });
}

template <class T>
void set_unit(Mat<T> a) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.cols; ++j) a(i, j) = i == j ? T(1) : T(0);
}

/// Small ones by the iteration alone, which has LAPACK's signs.
template <class T>
int64_t tridiagonal_eigen(int64_t n, T* d, T* e, Mat<T> zt) {
  constexpr int64_t kIterate = 64;
  if (n > kIterate) return DivideAndConquer<T>(n, d, e, zt).run();
  set_unit(zt);
  return TridiagonalIteration<T>(n, d, e, zt).run();
}

template <class T>
int64_t eigen_one(Mat<T> a, bool vectors, Real<T>* values) {
  using R = Real<T>;
  const int64_t n = a.rows;
  if (n == 0) return 0;
  bool nan = false, diagonal = true;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j) nan |= a(i, j) != a(i, j), diagonal &= i == j || a(i, j) == T(0);
  if (nan && diagonal) {
    for (int64_t i = 0; i < n; ++i) values[i] = real_of(a(i, i));
    if (vectors) set_unit(a);
    return 0;
  }
  const Workspace<R> beside(n);
  const Workspace<T> tau(n);
  R* e = beside.data();
  Tridiagonalise<T>(a, values, e, tau.data()).run();
  if (!is_finite(n, values) || !is_finite(n - 1, e)) {
    std::fill(values, values + n, std::numeric_limits<R>::quiet_NaN());
    if (vectors) std::fill(a.data, a.data + n * n, T(std::numeric_limits<R>::quiet_NaN()));
    return nan && n > 2 ? n - 2 : 0;  // LAPACK's iterations fail for nan, and give nan for infinite numbers
  }
  if (!vectors) return TridiagonalIteration<R>(n, values, e, {nullptr, 0, 0, 0}).run();
  const Workspace<R> rows(n * n);
  const Mat<R> zt{rows.data(), n, n, n};
  if (const int64_t missing = tridiagonal_eigen(n, values, e, zt)) return missing;
  const Workspace<T> columns(n * n);
  const Mat<T> z{columns.data(), n, n, n};
  copy(z, zt.transposed());
  if (n > 1) multiply_reflectors_left<T>(a.block(1, 0, n - 1, n - 1), tau.data(), false, z.block(1, 0, n - 1, n));
  copy(a, z);
  return 0;
}

/// a [m, n] = Q b P' with two diagonals d and e, m >= n. The reflectors of Q stay below d's place, those of P beside
/// e's, conjugated. The rest of a is brought up to date a panel at a time: a - v y' - x u', of complex numbers with the
/// adjoints of y and u, whose conjugates are what is kept.
template <class T>
class Bidiagonalise {
 public:
  Bidiagonalise(Mat<T> a, Real<T>* d, Real<T>* e, T* tau_left, T* tau_right)
      : a_(a),
        m_(a.rows),
        n_(a.cols),
        panel_(std::min(kPanel, n_)),
        d_(d),
        e_(e),
        tau_left_(tau_left),
        tau_right_(tau_right),
        memory_((m_ + n_) * (2 * panel_ + 3) + 2 * panel_),
        vx_{memory_.data(), m_, 2 * panel_, 2 * panel_},
        yu_{memory_.data() + m_ * 2 * panel_, n_, 2 * panel_, 2 * panel_},
        p_(memory_.data() + (m_ + n_) * 2 * panel_),
        q_(p_ + m_ + n_),
        r_(q_ + m_ + n_),
        t_(r_ + m_ + n_) {}
  void run() {
    for (int64_t j = 0; j < n_; j += panel_) {
      const int64_t end = std::min(j + panel_, n_);
      std::fill(vx_.at(j, 0), vx_.at(m_, 0), T(0));
      std::fill(yu_.at(j, 0), yu_.at(n_, 0), T(0));
      for (int64_t i = j; i < end; ++i) step(i, i - j);
      multiply<T>(a_.block(end, end, m_ - end, n_ - end), vx_.block(end, 0, m_ - end, 2 * panel_),
                  yu_.block(end, 0, n_ - end, 2 * panel_).transposed(), -1, 1);
    }
  }

 private:
  void step(int64_t i, int64_t k) {
    const auto& kernels = factor_kernels<T>();
    const int64_t down = m_ - i, across = n_ - i - 1, both = 2 * panel_;
    if (k > 0) {
      kernels.times_vector(down, both, vx_.at(i, 0), both, yu_.at(i, 0), p_);
      for (int64_t r = 0; r < down; ++r) a_(i + r, i) -= p_[r];
    }
    d_[i] = make_reflector(down, a_.at(i, i), a_.row, tau_left_[i]);
    a_(i, i) = 1;
    for (int64_t r = 0; r < down; ++r) {
      vx_(i + r, k) = a_(i + r, i);
      p_[r] = conj_of(a_(i + r, i));
    }
    if (across == 0) return;
    // y = tau (a' v - [y u] [v x]' v), where this v has no y yet.
    std::fill(q_, q_ + across, T(0));
    kernels.vector_times(down, across, p_, a_.at(i, i + 1), a_.row, q_);
    std::fill(t_, t_ + both, T(0));
    kernels.vector_times(down, both, p_, vx_.at(i, 0), both, t_);
    kernels.times_vector(across, both, yu_.at(i + 1, 0), both, t_, p_);
    for (int64_t c = 0; c < across; ++c) yu_(i + 1 + c, k) = conj_of(tau_left_[i]) * (q_[c] - p_[c]);
    // Row i, with that y.
    kernels.times_vector(across, both, yu_.at(i + 1, 0), both, vx_.at(i, 0), p_);
    for (int64_t c = 0; c < across; ++c) a_(i, i + 1 + c) -= p_[c];
    e_[i] = make_reflector(across, a_.at(i, i + 1), 1, tau_right_[i]);
    a_(i, i + 1) = 1;
    for (int64_t c = 0; c < across; ++c) r_[c] = conj_of(a_(i, i + 1 + c));
    // x = tau (a u - [v x] [y u]' u), where this u has no x yet.
    std::fill(t_, t_ + both, T(0));
    kernels.vector_times(across, both, r_, yu_.at(i + 1, 0), both, t_);
    kernels.times_vector(down - 1, across, a_.at(i + 1, i + 1), a_.row, r_, p_);
    kernels.times_vector(down - 1, both, vx_.at(i + 1, 0), both, t_, q_);
    for (int64_t r = 0; r + 1 < down; ++r) vx_(i + 1 + r, panel_ + k) = conj_of(tau_right_[i]) * (p_[r] - q_[r]);
    for (int64_t c = 0; c < across; ++c) yu_(i + 1 + c, panel_ + k) = a_(i, i + 1 + c);
  }

  Mat<T> a_;
  int64_t m_, n_, panel_;  // columns of a panel
  Real<T>*d_, *e_;
  T *tau_left_, *tau_right_;
  Workspace<T> memory_;
  Mat<T> vx_, yu_;  // [v x] and [y u]
  T *p_, *q_, *r_, *t_;
};

/// The singular vectors from the eigenvectors of the matrix of three diagonals 0, and d and e in turn, which has them
/// in turn, too, for plus and minus each value. False, and nothing is changed, where a value is so small that its plus
/// and minus have mixed.
template <class T>
bool singular_by_halves(int64_t n, T* d, const T* e, Mat<T> ut, Mat<T> vt) {
  const int64_t both = 2 * n;
  const Workspace<T> memory(2 * both + both * both);
  T *values = memory.data(), *beside = values + both;
  const Mat<T> zt{beside + both, both, both, both};
  std::fill(values, values + both, T(0));
  for (int64_t i = 0; i < n; ++i) {
    beside[2 * i] = d[i];
    beside[2 * i + 1] = i + 1 < n ? e[i] : T(0);
  }
  if (DivideAndConquer<T>(both, values, beside, zt).run() != 0) return false;
  const T tolerance = 64 * static_cast<T>(n) * std::numeric_limits<T>::epsilon();
  const auto& dot = factor_kernels<T>().times_vector;
  for (int64_t i = 0; i < n; ++i) {
    const T* row = zt.at(both - 1 - i, 0);
    T *v = vt.at(i, 0), *u = ut.at(i, 0), of_v = 0, of_u = 0;
    for (int64_t j = 0; j < n; ++j) v[j] = row[2 * j], u[j] = row[2 * j + 1];
    dot(1, n, v, n, v, &of_v);
    dot(1, n, u, n, u, &of_u);
    if (!(std::abs(2 * of_v - 1) <= tolerance && std::abs(2 * of_u - 1) <= tolerance)) return false;
    const T scale_v = 1 / std::sqrt(of_v), scale_u = 1 / std::sqrt(of_u);
    for (int64_t j = 0; j < n; ++j) v[j] *= scale_v, u[j] *= scale_u;
  }
  for (int64_t i = 0; i < n; ++i) d[i] = std::max(values[both - 1 - i], T(0));
  return true;
}
template <class T>
int64_t bidiagonal_vectors(int64_t n, T* d, T* e, Mat<T> ut, Mat<T> vt) {
  constexpr int64_t kIterate = 64;
  if (n > kIterate && singular_by_halves<T>(n, d, e, ut, vt)) return 0;
  set_unit(ut);
  set_unit(vt);
  return BidiagonalIteration<T>(n, d, e, ut, vt).run();
}

/// u, unless its data are null, is [m, columns].
template <class T>
int64_t singular_one(Mat<T> a, Real<T>* values, Mat<T> u, Mat<T> vt) {
  using R = Real<T>;
  const int64_t m = a.rows, n = a.cols;
  if (u.data) set_unit(u);
  if (n == 0) return 0;
  const bool tall = m > n && m >= (kComplexField<T> ? 17 * n / 9 : 11 * n / 6);  // as LAPACK chooses
  const Workspace<R> beside(n);
  const Workspace<T> memory(3 * n + (tall ? n * n : 0));
  R* e = beside.data();
  T *left = memory.data(), *right = left + n, *outer = right + n;
  Mat<T> core = a;
  if (tall) {  // reflectors to a square first
    reflect(dtype_of<T>, 1, m, n, a.data, outer);
    core = {outer + n, n, n, n};
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) core(i, j) = j < i ? T(0) : a(i, j);
  }
  Bidiagonalise<T>(core, values, e, left, right).run();
  if (!is_finite(n, values) || !is_finite(n - 1, e)) return n;
  if (!u.data) return BidiagonalIteration<R>(n, values, e, {nullptr, 0, 0, 0}, {nullptr, 0, 0, 0}).run();
  const Workspace<R> square(2 * n * n);
  const Mat<R> ut{square.data(), n, n, n}, inner{square.data() + n * n, n, n, n};
  if (const int64_t missing = bidiagonal_vectors(n, values, e, ut, inner)) return missing;
  copy(u.block(0, 0, n, n), ut.transposed());
  multiply_reflectors_left<T>(core, left, false, u.block(0, 0, core.rows, u.cols));
  if (tall) multiply_reflectors_left<T>(a, outer, false, u);
  if (n == 1) return copy(vt, inner), 0;
  const Workspace<T> columns(n * n);
  const Mat<T> v{columns.data(), n, n, n};
  copy(v, inner.transposed());
  multiply_reflectors_left<T>(core.block(0, 1, n - 1, n - 1).transposed(), right, false, v.block(1, 0, n - 1, n));
  copy(vt, v.transposed());
  return 0;
}

double cube(int64_t m, int64_t n) {
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(n) * 8;
}

}  // namespace

void eigen_symmetric(ScalarType type, int64_t count, int64_t n, void* a, bool vectors, void* values, int32_t* info) {
  if (type == kComplexFloat)
    return eigen_symmetric(kComplexDouble, count, n, Doubles(a, 2 * count * n * n).data(), vectors,
                           Doubles(values, count * n).data(), info);
  visit_number(type, [&]<class T>(T) {
    for_batch(count, cube(n, n), [&](int64_t k) {
      info[k] = static_cast<int32_t>(
          eigen_one(Mat<T>{static_cast<T*>(a) + k * n * n, n, n, n}, vectors, static_cast<Real<T>*>(values) + k * n));
    });
  });
}

void singular_values(ScalarType type, int64_t count, int64_t m, int64_t n, void* a, void* values, void* u,
                     int64_t u_columns, void* vt, int32_t* info) {
  if (type == kComplexFloat) {
    const Doubles own_a(a, 2 * count * m * n), own_values(values, count * n);
    if (!u) return singular_values(kComplexDouble, count, m, n, own_a.data(), own_values.data(), u, 0, vt, info);
    return singular_values(kComplexDouble, count, m, n, own_a.data(), own_values.data(),
                           Doubles(u, 2 * count * m * u_columns).data(), u_columns,
                           Doubles(vt, 2 * count * n * n).data(), info);
  }
  visit_number(type, [&]<class T>(T) {
    for_batch(count, cube(m, n), [&](int64_t k) {
      const Mat<T> own_u{u ? static_cast<T*>(u) + k * m * u_columns : nullptr, m, u_columns, u_columns};
      const Mat<T> own_vt{vt ? static_cast<T*>(vt) + k * n * n : nullptr, n, n, n};
      info[k] = static_cast<int32_t>(singular_one(Mat<T>{static_cast<T*>(a) + k * m * n, m, n, n},
                                                  static_cast<Real<T>*>(values) + k * n, own_u, own_vt));
    });
  });
}

}  // namespace taut::kernels
