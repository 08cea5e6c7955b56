// A matrix of numbers to work on in place, and its products by gemm: what factorisations are written in.
#pragma once
#include <cstdint>
#include <type_traits>

#include "core/parallel.h"
#include "kernels/field.h"
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
  else if constexpr (std::is_same_v<T, double>) return factor_table().f64;
  else return complex_factor_kernels;
}

/// A matrix in a product, or its conjugate.
template <class T>
struct Operand {
  Mat<const T> mat;
  bool conj = false;
  Operand(Mat<const T> m, bool c = false) : mat(m), conj(c) {}
  Operand(Mat<T> m) : mat(m) {}
};
template <class T>
Operand<std::remove_const_t<T>> adjoint(Mat<T> a) {
  return {Mat<const std::remove_const_t<T>>(a.transposed()), kComplexField<T>};
}

using Z = Complex<double>;
void multiply_complex(Mat<Z> c, Operand<Z> a, Operand<Z> b, double alpha, double beta);

/// c = alpha a b + beta c. The rows or the columns of a complex c are contiguous.
template <class T>
void multiply(Mat<T> c, std::type_identity_t<Operand<T>> a, std::type_identity_t<Operand<T>> b, double alpha = 1,
              double beta = 0) {
  if (c.rows == 0 || c.cols == 0) return;
  if constexpr (kComplexField<T>) multiply_complex(c, a, b, alpha, beta);
  else
    gemm(dtype_of<T>, {c.data, c.rows, c.cols, c.row, c.col},
         {a.mat.data, a.mat.rows, a.mat.cols, a.mat.row, a.mat.col},
         {b.mat.data, b.mat.rows, b.mat.cols, b.mat.row, b.mat.col}, alpha, beta);
}

template <class T, class F>
void copy(Mat<T> to, Mat<F> from) {
  for (int64_t i = 0; i < to.rows; ++i)
    for (int64_t j = 0; j < to.cols; ++j) to(i, j) = from(i, j);
}
/// a = conj(a), which says nothing to real numbers.
template <class T>
void conjugate(Mat<T> a) {
  if constexpr (kComplexField<T>)
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t j = 0; j < a.cols; ++j) a(i, j) = conj(a(i, j));
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

/// f(float()), f(double()) or f(Z()).
template <class F>
void visit_number(ScalarType type, F&& f) {
  if (type == kFloat) f(float());
  else if (type == kDouble) f(double());
  else f(Z());
}

/// Floats as doubles for the length of a call, at whose end they are written back unless they are constant: complex64 is
/// computed in complex128.
class Doubles {
 public:
  Doubles(const void* floats, int64_t count);
  Doubles(void* floats, int64_t count) : Doubles(static_cast<const void*>(floats), count) {
    to_ = static_cast<float*>(floats);
  }
  ~Doubles();
  Doubles(const Doubles&) = delete;
  double* data() const { return memory_.data(); }

 private:
  float* to_ = nullptr;
  int64_t count_;
  Workspace<double> memory_;
};

}  // namespace taut::kernels
