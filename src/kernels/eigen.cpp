#include "kernels/eigen.h"

#include <cmath>
#include <limits>

#include "kernels/hessenberg.h"
#include "kernels/schur.h"

namespace taut::kernels {
namespace {

template <class T>
void set_unit(Mat<T> a) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.cols; ++j) a(i, j) = i == j ? T(1) : T(0);
}

/// One eigenvector of a triangular (or, real, nearly triangular) matrix, given as its transpose tt, by substitution from its
/// last element on. As it grows it is kept far from overflow: its length does not matter.
template <class T>
class Substitution {
  using R = Real<T>;
  using C = Complex<R>;

 public:
  /// x has the parts of k + 1 numbers, beside each other, or those of real ones alone, where `im` is null.
  Substitution(Mat<const T> tt, int64_t count, C value, R* re, R* im)
      : tt_(tt), count_(count), value_(value), re_(re), im_(im) {
    least_ = std::max(kEps * size_of(value), std::numeric_limits<R>::min() * (static_cast<R>(tt.rows) / kEps));
  }
  /// Elements [0, k) from the right-hand sides that are there.
  void run(int64_t k) {
    for (int64_t j = k - 1; j >= 0; --j) {
      if (!kComplexField<T> && j > 0 && tt_(j - 1, j) != T(0)) two(--j);
      else one(j);
    }
  }
  /// Takes column j times x[j] from the elements [0, k).
  void take(int64_t j, int64_t k) {
    const R re = re_[j], im = im_ ? im_[j] : R(0);
    const T* column = tt_.at(j, 0);
    if constexpr (kComplexField<T>) {
      for (int64_t i = 0; i < k; ++i) {
        re_[i] -= re * column[i].real() - im * column[i].imag();
        im_[i] -= re * column[i].imag() + im * column[i].real();
      }
    } else {
      for (int64_t i = 0; i < k; ++i) re_[i] -= re * column[i];
      for (int64_t i = 0; im_ && i < k; ++i) im_[i] -= im * column[i];
    }
  }

 private:
  static constexpr R kEps = std::numeric_limits<R>::epsilon();
  static constexpr R kLarge = sizeof(R) == 4 ? R(1e15) : R(1e120);

  C at(int64_t j) const { return {re_[j], im_ ? im_[j] : R(0)}; }
  void set(int64_t j, C x) {
    re_[j] = x.real();
    if (im_) im_[j] = x.imag();
  }
  /// A diagonal element less the eigenvalue, no smaller than it can be told from 0.
  C gap(T diagonal) const {
    const C d = C(diagonal) - value_;
    return size_of(d) < least_ ? C(least_) : d;
  }
  void scale_by(R f) {
    for (int64_t i = 0; i < count_; ++i) re_[i] *= f;
    for (int64_t i = 0; im_ && i < count_; ++i) im_[i] *= f;
  }
  /// Before elements are divided by something of this size.
  void make_room(R most, R divisor) {
    if (divisor < 1 && most > kLarge * divisor) scale_by(divisor / most);
  }
  void after(R most) {
    if (most > kLarge) scale_by(1 / most);
  }
  void one(int64_t j) {
    const C d = gap(tt_(j, j));
    make_room(size_of(at(j)), size_of(d));
    set(j, at(j) / d);
    after(size_of(at(j)));
    take(j, j);
  }
  /// Rows j and j + 1 at once, by Cramer's rule of scaled numbers.
  void two(int64_t j) {
    const R scale = std::max({std::abs(real_of(tt_(j, j + 1))), std::abs(real_of(tt_(j + 1, j))), least_});
    const C a = (C(tt_(j, j)) - value_) / C(scale), d = (C(tt_(j + 1, j + 1)) - value_) / C(scale),
            b = C(tt_(j + 1, j)) / C(scale), c = C(tt_(j, j + 1)) / C(scale);
    const R most = std::max({size_of(a), size_of(d), R(1)});
    C det = (a / C(most)) * d - (b / C(most)) * c;
    if (size_of(det) < kEps) det = kEps;
    make_room(std::max(size_of(at(j)), size_of(at(j + 1))), size_of(det) * scale);
    const C p = at(j) / C(scale), q = at(j + 1) / C(scale), by = C(most) * det;
    set(j, (d * p - b * q) / by);
    set(j + 1, (a * q - c * p) / by);
    after(std::max(size_of(at(j)), size_of(at(j + 1))));
    take(j, j);
    take(j + 1, j);
  }

  Mat<const T> tt_;
  int64_t count_;
  C value_;
  R *re_, *im_, least_;
};

/// The rows of x become the eigenvectors of the triangular matrix whose transpose is tt; of a real matrix the two parts of
/// one are rows k and k + 1, and the other one of the pair is its conjugate; of a complex one, rows 2 k and 2 k + 1.
template <class T>
void triangular_vectors(Mat<const T> tt, const Real<T>* re, const Real<T>* im, Mat<Real<T>> x) {
  using R = Real<T>;
  const int64_t n = tt.rows;
  parallel_for(n, 16, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      if constexpr (kComplexField<T>) {
        R *xr = x.at(2 * k, 0), *xi = x.at(2 * k + 1, 0);
        std::fill(xr, xr + n, R(0)), std::fill(xi, xi + n, R(0));
        Substitution<T> row(tt, k + 1, {re[k], im[k]}, xr, xi);
        xr[k] = 1;
        row.take(k, k);
        row.run(k);
      } else if (im[k] == 0) {
        R* xr = x.at(k, 0);
        std::fill(xr, xr + n, R(0));
        Substitution<T> row(tt, k + 1, {re[k], 0}, xr, nullptr);
        xr[k] = 1;
        row.take(k, k);
        row.run(k);
      } else if (im[k] > 0) {
        R *xr = x.at(k, 0), *xi = x.at(k + 1, 0);
        std::fill(xr, xr + n, R(0)), std::fill(xi, xi + n, R(0));
        Substitution<T> row(tt, k + 2, {re[k], im[k]}, xr, xi);
        const R above = tt(k + 1, k), below = tt(k, k + 1);
        if (std::abs(above) >= std::abs(below)) xr[k] = 1, xi[k + 1] = im[k] / above;
        else xr[k] = -im[k] / below, xi[k + 1] = 1;
        row.take(k, k);
        row.take(k + 1, k);
        row.run(k);
      }
    }
  });
}

/// Length 1, and the largest element of complex ones real.
template <class R>
void normalise(int64_t n, const R* re, const R* im, Complex<R>* to, int64_t stride, bool positive) {
  R most = 0;
  for (int64_t i = 0; i < n; ++i) most = std::max({most, std::abs(re[i]), im ? std::abs(im[i]) : R(0)});
  if (most == 0) most = 1;
  R sum = 0, best = -1;
  int64_t place = 0;
  for (int64_t i = 0; i < n; ++i) {
    const Complex<R> v(re[i] / most, im ? im[i] / most : R(0));
    to[i * stride] = v;
    sum += square_of(v);
    if (square_of(v) > best) best = square_of(v), place = i;
  }
  Complex<R> turn = 1 / std::sqrt(sum);
  const Complex<R> top = to[place * stride];
  if (im) {
    turn = turn * conj(top) / Complex<R>(std::sqrt(best));
    if (!positive && std::abs(top.real()) > std::abs(top.imag()) && top.real() < 0) turn = -turn;
  }
  for (int64_t i = 0; i < n; ++i) to[i * stride] *= turn;
  if (im) to[place * stride].imag(0);
}

template <class R>
bool in_range(R most) {
  const R small = std::sqrt(std::numeric_limits<R>::min()) / std::numeric_limits<R>::epsilon();
  return most == 0 || (most >= small && most <= 1 / small);
}

template <class T>
int64_t iterate(Mat<T> h, Mat<T> zt, int64_t first, int64_t last, Real<T>* re, Real<T>* im) {
  int64_t missing = 0;
  if constexpr (kComplexField<T>) missing = ComplexSchur(h, zt).run(first, last);
  else missing = RealSchur<T>(h, zt, zt.data != nullptr, re, im).run(first, last);
  for (int64_t i = 0; i < h.rows; ++i)
    if (kComplexField<T> || i < first || i > last) re[i] = real_of(h(i, i)), im[i] = imag_of(h(i, i));
  return missing;
}

/// vectors may be null.
template <class T>
int64_t eigen_one(Mat<T> a, Complex<Real<T>>* values, Complex<Real<T>>* vectors) {
  using R = Real<T>;
  const int64_t n = a.rows;
  if (n == 0) return 0;
  R most = 0;
  for (int64_t i = 0; i < n * n; ++i) most = std::max(most, size_of(a.data[i]));
  const R scale = in_range(most) ? R(1) : most;
  if (scale != 1)
    for (int64_t i = 0; i < n * n; ++i) a.data[i] = a.data[i] / T(scale);
  const Balance<T> balance(a);
  const int64_t first = balance.first, last = balance.last;
  const Workspace<T> tau(n);
  ToHessenberg<T>(a, first, last, tau.data());
  Workspace<T> room(vectors ? n * n : 0);
  const Mat<T> zt{vectors ? room.data() : nullptr, n, n, n};
  if (vectors) {
    const Workspace<T> unit(n * n);
    const Mat<T> q{unit.data(), n, n, n};
    set_unit(q);
    const int64_t count = last - first;
    if (count > 0)
      multiply_reflectors_left<T>(a.block(first + 1, first, count, count), tau.data(), false,
                                  q.block(first + 1, first + 1, count, count));
    copy(zt, q.transposed());
  }
  for (int64_t i = 2; i < n; ++i) std::fill(a.at(i, 0), a.at(i, i - 1), T(0));
  const Workspace<R> parts(2 * n);
  R *re = parts.data(), *im = re + n;
  const int64_t missing = iterate(a, zt, first, last, re, im);
  for (int64_t i = 0; i < n; ++i) values[i] = {re[i] * scale, im[i] * scale};
  if (missing || !vectors) return missing;

  constexpr int64_t kPlanes = kComplexField<T> ? 2 : 1;
  const Workspace<T> turned(n * n);
  const Mat<T> tt{turned.data(), n, n, n};
  copy(tt, a.transposed());
  const Workspace<R> rows(2 * kPlanes * kPlanes * n * n);
  const Mat<R> x{rows.data(), kPlanes * n, n, n}, vt{rows.data() + kPlanes * n * n, kPlanes * n, n, n};
  triangular_vectors<T>(tt, re, im, x);
  if constexpr (kComplexField<T>) {
    for (int64_t k = 0; k < n; ++k)
      for (int64_t i = 0; i < n; ++i) tt(k, i) = {x(2 * k, i), x(2 * k + 1, i)};
    multiply(a, tt, zt);
    for (int64_t k = 0; k < n; ++k)
      for (int64_t i = 0; i < n; ++i) vt(2 * k, i) = a(k, i).real(), vt(2 * k + 1, i) = a(k, i).imag();
  } else {
    constexpr int64_t kRows = 64;  // x is triangular
    for (int64_t k = 0; k < n; k += kRows) {
      const int64_t height = std::min(kRows, n - k), width = std::min(k + height + 1, n);
      multiply(vt.block(k, 0, height, n), x.block(k, 0, height, width), zt.block(0, 0, width, n));
    }
  }
  balance.undo(vt);
  for (int64_t k = 0; k < n; ++k) {
    const bool pair = !kComplexField<T> && im[k] != 0;
    const R* own = vt.at(kPlanes * k, 0);
    normalise(n, own, kComplexField<T> || pair ? own + n : nullptr, vectors + k, n, kComplexField<T>);
    if (!pair) continue;
    for (int64_t i = 0; i < n; ++i) vectors[i * n + k + 1] = conj(vectors[i * n + k]);
    ++k;
  }
  return 0;
}

}  // namespace

void eigen_general(ScalarType type, int64_t count, int64_t n, void* a, void* values, void* vectors, int32_t* info) {
  if (type == kComplexFloat) {
    const Doubles own_a(a, 2 * count * n * n), own_values(values, 2 * count * n);
    if (!vectors) return eigen_general(kComplexDouble, count, n, own_a.data(), own_values.data(), nullptr, info);
    return eigen_general(kComplexDouble, count, n, own_a.data(), own_values.data(),
                         Doubles(vectors, 2 * count * n * n).data(), info);
  }
  visit_number(type, [&]<class T>(T) {
    using C = Complex<Real<T>>;
    for_batch(count, 25 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n), [&](int64_t k) {
      info[k] = static_cast<int32_t>(eigen_one(Mat<T>{static_cast<T*>(a) + k * n * n, n, n, n},
                                               static_cast<C*>(values) + k * n,
                                               vectors ? static_cast<C*>(vectors) + k * n * n : nullptr));
    });
  });
}

}  // namespace taut::kernels
