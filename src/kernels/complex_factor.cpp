// What the factorisations of complex matrices need beside the texts they share with real ones.
#include "kernels/isa/factor_loops.h"
#include "kernels/mat.h"

namespace taut {

const FactorKernels<Complex<double>> complex_factor_kernels = {loops::cholesky<Complex<double>>,
                                                               loops::lu<Complex<double>>,
                                                               loops::solve<Complex<double>>,
                                                               loops::reflect<Complex<double>>,
                                                               loops::symmetric_times<Complex<double>>,
                                                               loops::vector_times<Complex<double>>,
                                                               loops::times_vector<Complex<double>>,
                                                               nullptr,
                                                               nullptr,
                                                               nullptr,
                                                               nullptr,
                                                               nullptr,
                                                               nullptr};

namespace kernels {

/// As a real product of twice the size: a row of a is its pairs of parts one after the other, and a number x + i y of b
/// becomes the rows (x, y) and (-y, x).
void multiply_complex(Mat<Z> c, Operand<Z> a, Operand<Z> b, double alpha, double beta) {
  if (c.col != 1)
    return multiply_complex(c.transposed(), {b.mat.transposed(), b.conj}, {a.mat.transposed(), a.conj}, alpha, beta);
  const int64_t m = c.rows, n = c.cols, k = a.mat.cols;
  const bool packed = a.mat.col == 1 && !a.conj;
  const Workspace<double> memory(4 * k * n + (packed ? 0 : 2 * m * k));
  double *pairs = memory.data(), *rows = pairs + 4 * k * n;
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j) {
      const Z v = b.conj ? conj(b.mat(i, j)) : b.mat(i, j);
      double* to = pairs + 4 * i * n + 2 * j;
      to[0] = v.real(), to[1] = v.imag(), to[2 * n] = -v.imag(), to[2 * n + 1] = v.real();
    }
  const auto* left = reinterpret_cast<const double*>(a.mat.data);
  int64_t left_row = 2 * a.mat.row;
  if (!packed) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < k; ++j)
        *reinterpret_cast<Z*>(rows + 2 * (i * k + j)) = a.conj ? conj(a.mat(i, j)) : a.mat(i, j);
    left = rows, left_row = 2 * k;
  }
  gemm(kDouble, {c.data, m, 2 * n, 2 * c.row, 1}, {left, m, 2 * k, left_row, 1}, {pairs, 2 * k, 2 * n, 2 * n, 1}, alpha,
       beta);
}

Doubles::Doubles(const void* floats, int64_t count) : count_(count), memory_(count) {
  for (int64_t i = 0; i < count; ++i) data()[i] = static_cast<const float*>(floats)[i];
}
Doubles::~Doubles() {
  for (int64_t i = 0; to_ && i < count_; ++i) to_[i] = static_cast<float>(data()[i]);
}

}  // namespace kernels
}  // namespace taut
