// Products with many of Householder's reflectors, a few at a time as one block (the compact WY form).
#pragma once
#include <algorithm>

#include "kernels/mat.h"

namespace taut::kernels {

constexpr int64_t kPanel = 32;  // reflectors that are applied together

/// A few reflectors as one: I - v t v', with v written out.
template <class T>
class ReflectorBlock {
 public:
  ReflectorBlock(Mat<const T> reflectors, const T* tau)
      : n_(reflectors.cols),
        memory_(reflectors.rows * n_ + 2 * n_ * n_),
        v_{memory_.data(), reflectors.rows, n_, n_},
        t_{memory_.data() + reflectors.rows * n_, n_, n_, n_} {
    for (int64_t i = 0; i < v_.rows; ++i)
      for (int64_t j = 0; j < n_; ++j) v_(i, j) = i == j ? T(1) : i < j ? T(0) : reflectors(i, j);
    const Mat<T> products{t_.data + n_ * n_, n_, n_, n_};
    multiply(products, adjoint(v_), v_);
    for (int64_t j = 0; j < n_; ++j) {
      for (int64_t i = 0; i < n_; ++i) t_(i, j) = 0;
      for (int64_t i = 0; i < j; ++i) {
        T sum = 0;
        for (int64_t k = i; k < j; ++k) sum += t_(i, k) * products(k, j);
        t_(i, j) = -tau[j] * sum;
      }
      t_(j, j) = tau[j];
    }
  }
  /// c = (I - v t v') c, or with t', the adjoint.
  void apply(Mat<T> c, bool transposed) const {
    if (c.cols == 0) return;
    const Workspace<T> memory(2 * n_ * c.cols);
    const Mat<T> w{memory.data(), n_, c.cols, c.cols}, tw{memory.data() + n_ * c.cols, n_, c.cols, c.cols};
    multiply(w, adjoint(v_), c);
    multiply(tw, transposed ? adjoint(t_) : Operand<T>(t_), w);
    multiply(c, v_, tw, -1, 1);
  }

 private:
  int64_t n_;
  Workspace<T> memory_;
  Mat<T> v_, t_;
};

/// c loses tau v (v' c), where v is column j of the reflectors.
template <class T>
void apply_reflector(Mat<const T> v, int64_t j, T tau, Mat<T> c) {
  constexpr int64_t kColumns = 64;
  for (int64_t begin = 0; begin < c.cols; begin += kColumns) {
    const int64_t width = std::min(kColumns, c.cols - begin);
    const Mat<T> part = c.block(0, begin, c.rows, width);
    T w[kColumns];
    for (int64_t x = 0; x < width; ++x) w[x] = part(j, x);
    for (int64_t i = j + 1; i < c.rows; ++i)
      for (int64_t x = 0; x < width; ++x) w[x] += conj_of(v(i, j)) * part(i, x);
    for (int64_t x = 0; x < width; ++x) w[x] *= tau;
    for (int64_t x = 0; x < width; ++x) part(j, x) -= w[x];
    for (int64_t i = j + 1; i < c.rows; ++i)
      for (int64_t x = 0; x < width; ++x) part(i, x) -= v(i, j) * w[x];
  }
}

/// c = Q c, or Q' c. Few and short reflectors go one by one.
template <class T>
void multiply_reflectors_left(Mat<const T> v, const T* tau, bool transposed, Mat<T> c) {
  constexpr int64_t kFew = 32;
  if (v.rows <= kFew) {
    const int64_t n = v.cols;
    for (int64_t k = 0; k < n; ++k) {
      const int64_t j = transposed ? k : n - 1 - k;
      apply_reflector(v, j, transposed ? conj_of(tau[j]) : tau[j], c);
    }
    return;
  }
  const int64_t k = v.cols, blocks = (k + kPanel - 1) / kPanel;
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t j = (transposed ? b : blocks - 1 - b) * kPanel, width = std::min(kPanel, k - j);
    ReflectorBlock<T>(v.block(j, j, v.rows - j, width), tau + j).apply(c.block(j, 0, c.rows - j, c.cols), transposed);
  }
}

}  // namespace taut::kernels
