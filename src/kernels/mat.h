// A matrix of numbers to work on in place, and its products by gemm: what factorisations are written in.
#pragma once
#include <cstdint>
#include <type_traits>

#include "core/parallel.h"
#include "kernels/gemm.h"
#include "kernels/isa/factor.h"
#include "kernels/workspace.h"
#include "taut/core/dtype.h"

namespace taut::kernels {

template <class T>
struct Mat {
  T* data;
  int64_t rows, cols, row, col = 1;  // the distances between rows and between columns
  T& operator()(int64_t i, int64_t j) const { return data[i * row + j * col]; }
  T* at(int64_t i, int64_t j) const { return data + i * row + j * col; }
  Mat block(int64_t i, int64_t j, int64_t m, int64_t n) const { return {at(i, j), m, n, row, col}; }
  Mat transposed() const { return {data, cols, rows, col, row}; }
  operator Mat<const T>() const { return {data, rows, cols, row, col}; }
};

template <class T>
const FactorKernels<T>& factor_kernels() {
  if constexpr (std::is_same_v<T, float>) return factor_table().f32;
  else return factor_table().f64;
}

/// c = alpha a b + beta c.
template <class T>
void multiply(Mat<T> c, std::type_identity_t<Mat<const T>> a, std::type_identity_t<Mat<const T>> b, double alpha = 1,
              double beta = 0) {
  if (c.rows == 0 || c.cols == 0) return;
  gemm(dtype_of<T>, {c.data, c.rows, c.cols, c.row, c.col}, {a.data, a.rows, a.cols, a.row, a.col},
       {b.data, b.rows, b.cols, b.row, b.col}, alpha, beta);
}

template <class T>
void copy(Mat<T> to, std::type_identity_t<Mat<const T>> from) {
  for (int64_t i = 0; i < to.rows; ++i)
    for (int64_t j = 0; j < to.cols; ++j) to(i, j) = from(i, j);
}

/// f(k) for each matrix of a batch, of about `work` multiplications: small ones side by side, large ones one after the
/// other, as their products use all threads.
template <class F>
void for_batch(int64_t count, double work, F&& f) {
  constexpr double kLarge = 2e6, kChunk = 2e4;
  if (work > kLarge) {
    for (int64_t k = 0; k < count; ++k) f(k);
    return;
  }
  const auto grain = static_cast<int64_t>(kChunk / (work + 1)) + 1;
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) f(k);
  });
}

/// f(float()) or f(double()).
template <class F>
void visit_float(ScalarType type, F&& f) {
  if (type == kFloat) f(float());
  else f(double());
}

}  // namespace taut::kernels
