// What src/kernels/fft.cpp and its loops agree on. A row is a complex number in each of sixteen lanes (eight, of
// doubles): their real parts, then their imaginary parts. Lanes are independent of each other, so any width of a vector
// gives the same bits.
#pragma once
#include <cstdint>

#include "core/cpu.h"

namespace taut {

template <class T>
constexpr int64_t kFftLanes = 64 / sizeof(T);
template <class T>
constexpr int64_t kFftRow = 2 * kFftLanes<T>;  // numbers in a row

constexpr int64_t kFftLeaf = 64;  // lengths up to this are done in passes
constexpr int kFftPasses = 6;     // at most, for those

/// How transforms of length n are computed: in passes, one for each factor; or as `rows` transforms of columns->n
/// numbers, a multiplication with powers of the root of unity, and as many of rows->n. Tables are in host order: (real,
/// imaginary) one after the other.
template <class T>
struct FftPlan {
  int64_t n = 0;
  int radix[kFftPasses] = {}, passes = 0;
  const T* turns[kFftPasses] = {};   // [p][radix - 1]: what the results of a butterfly are multiplied by
  const T* circle[kFftPasses] = {};  // the powers of the root of unity of a radix that has no code of its own
  const FftPlan *columns = nullptr, *rows = nullptr;
  const T* twiddles = nullptr;  // [group of columns][columns->n] rows; the first group only where there are steps,
  const T* steps = nullptr;     // [group of columns][columns->n], to be multiplied with it
  int64_t room = 0;             // numbers that a transform of all lanes needs
};

/// Real numbers on one side, transformed as half as many complex ones, and half a spectrum on the other.
enum class FftEnds : uint8_t { Complex, ToHalf, FromHalf };

template <class T>
struct FftKernels {
  // Inverse transforms see real and imaginary parts exchanged.

  /// `count` transforms, at most one for each lane, the numbers of each one after the other. `x` may be `y`. A half
  /// spectrum has plan.n + 1 numbers, and is made with the table `mirror`. Room for two times plan.n + 1 rows and
  /// plan.room.
  void (*lines)(const FftPlan<T>& plan, FftEnds ends, const T* mirror, int64_t count, const T* x, int64_t x_line, T* y,
                int64_t y_line, bool inverse, T scale, T* room);
  /// Complex ones whose numbers are `step` apart, those of the next one beside them. Room for plan.n rows and
  /// plan.room.
  void (*beside)(const FftPlan<T>& plan, int64_t count, const T* x, T* y, int64_t step, bool inverse, T scale, T* room);
  /// One transform in two steps: a group of as many columns as there are lanes, into `between`, and a group of rows
  /// from there. Room for two times the rows and columns->room, or rows->room.
  void (*columns)(const FftPlan<T>& plan, int64_t group, const T* x, T* between, bool inverse, T* room);
  void (*rows)(const FftPlan<T>& plan, int64_t group, T* between, T* y, bool inverse, T scale, T* room);

  /// y[k] = scale (a + u[k] b), where a and b are the sum and the difference of x[k] and the conjugate of x[m - k], for
  /// 0 < k < m; with the conjugates of u where `conjugate`.
  void (*mirror)(int64_t m, const T* x, const T* u, bool conjugate, T* y, T scale);
  /// y[i] = scale x[i] w[i], with the parts of x, and of y, exchanged.
  void (*multiply)(int64_t n, const T* x, bool swap_x, const T* w, T* y, bool swap_y, T scale);
};
struct FftTable {
  FftKernels<float> f32;
  FftKernels<double> f64;
};
TAUT_ISA_TABLE(FftTable, fft_table)

}  // namespace taut
