// Factorisations of small matrices, and the loops that those of large ones are made of, for one instruction set. Every
// loop runs along contiguous rows with no sum across it, so any vector width gives the same bits; the few sums along a
// row run in lanes of constant number.
#include "kernels/isa/factor.h"

#include <cmath>
#include <type_traits>
#include <utility>

#include "kernels/reflector.h"

namespace taut::TAUT_ISA {
namespace {

/// y -= f x
template <class T>
inline void subtract(int64_t n, T f, const T* __restrict x, T* __restrict y) {
  for (int64_t j = 0; j < n; ++j) y[j] -= f * x[j];
}
template <class T>
inline void add(int64_t n, T f, const T* __restrict x, T* __restrict y) {
  for (int64_t j = 0; j < n; ++j) y[j] += f * x[j];
}
/// The sum of x[j] y[j], in sixteen lanes.
template <class T>
inline T dot(int64_t n, const T* __restrict x, const T* __restrict y) {
  constexpr int kLanes = 16;
  T lane[kLanes] = {};
  int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (int l = 0; l < kLanes; ++l) lane[l] += x[j + l] * y[j + l];
  for (int l = 0; j + l < n; ++l) lane[l] += x[j + l] * y[j + l];
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
  return lane[0];
}

constexpr int64_t kMost = 64;  // rows of what `cholesky` takes

template <class T>
int64_t cholesky(int64_t n, T* a, int64_t row) {
  T column[kMost];
  for (int64_t k = 0; k < n; ++k) {
    const T d = a[k * row + k];
    if (!(d > 0)) return k + 1;
    const T root = std::sqrt(d);
    a[k * row + k] = root;
    for (int64_t i = k + 1; i < n; ++i) column[i] = a[i * row + k] /= root;
    for (int64_t i = k + 1; i < n; ++i) subtract(i - k, column[i], column + k + 1, a + i * row + k + 1);
  }
  return 0;
}

template <class T>
int64_t lu(int64_t m, int64_t n, T* a, int64_t row, int32_t* pivots) {
  int64_t info = 0;
  for (int64_t k = 0; k < m && k < n; ++k) {
    int64_t best = k;
    T most = std::abs(a[k * row + k]);
    for (int64_t i = k + 1; i < m; ++i)
      if (const T v = std::abs(a[i * row + k]); v > most) most = v, best = i;
    pivots[k] = static_cast<int32_t>(best);
    if (best != k)
      for (int64_t j = 0; j < n; ++j) std::swap(a[k * row + j], a[best * row + j]);
    const T pivot = a[k * row + k];
    if (pivot == 0) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (int64_t i = k + 1; i < m; ++i) {
      T* y = a + i * row;
      y[k] /= pivot;
      subtract(n - k - 1, y[k], a + k * row + k + 1, y + k + 1);
    }
  }
  return info;
}

/// One row of a triangular solve for `Width` right-hand sides, which stay in registers.
template <int Width, class T>
inline void solve_row(int64_t i, int64_t begin, int64_t end, const T* t, int64_t t_row, int64_t t_col, bool unit, T* b,
                      int64_t b_row) {
  T sum[Width];
  for (int j = 0; j < Width; ++j) sum[j] = b[i * b_row + j];
  for (int64_t k = begin; k < end; ++k) {
    const T f = t[i * t_row + k * t_col];
    for (int j = 0; j < Width; ++j) sum[j] -= f * b[k * b_row + j];
  }
  if (!unit) {
    const T d = t[i * t_row + i * t_col];
    for (int j = 0; j < Width; ++j) sum[j] /= d;
  }
  for (int j = 0; j < Width; ++j) b[i * b_row + j] = sum[j];
}
template <int Width, class T>
void solve_columns(int64_t n, const T* t, int64_t t_row, int64_t t_col, bool upper, bool unit, T* b, int64_t b_row) {
  if (upper)
    for (int64_t i = n - 1; i >= 0; --i) solve_row<Width>(i, i + 1, n, t, t_row, t_col, unit, b, b_row);
  else
    for (int64_t i = 0; i < n; ++i) solve_row<Width>(i, 0, i, t, t_row, t_col, unit, b, b_row);
}
template <class T>
void solve(int64_t n, int64_t m, const T* t, int64_t t_row, int64_t t_col, bool upper, bool unit, T* b, int64_t b_row) {
  constexpr int kWide = 128 / sizeof(T), kNarrow = 32 / sizeof(T);
  int64_t j = 0;
  for (; j + kWide <= m; j += kWide) solve_columns<kWide>(n, t, t_row, t_col, upper, unit, b + j, b_row);
  for (; j + kNarrow <= m; j += kNarrow) solve_columns<kNarrow>(n, t, t_row, t_col, upper, unit, b + j, b_row);
  for (; j < m; ++j) solve_columns<1>(n, t, t_row, t_col, upper, unit, b + j, b_row);
}

template <class T>
void reflect(int64_t m, int64_t n, T* a, int64_t row, T* tau) {
  constexpr int64_t kMostColumns = 64;
  T w[kMostColumns];
  for (int64_t k = 0; k < m && k < n; ++k) {
    T* head = a + k * row + k;
    const T beta = make_reflector(m - k, head, row, tau[k]);
    if (tau[k] == 0) continue;
    const int64_t width = n - k - 1;
    for (int64_t j = 0; j < width; ++j) w[j] = head[1 + j];
    for (int64_t i = 1; i < m - k; ++i) add(width, head[i * row], head + i * row + 1, w);
    *head = beta;
    for (int64_t j = 0; j < width; ++j) w[j] *= tau[k];
    for (int64_t j = 0; j < width; ++j) head[1 + j] -= w[j];
    for (int64_t i = 1; i < m - k; ++i) subtract(width, head[i * row], w, head + i * row + 1);
  }
}

template <class T>
void symmetric_times(int64_t n, const T* a, int64_t row, const T* x, T* y) {
  for (int64_t i = 0; i < n; ++i) {
    const T* line = a + i * row;
    y[i] += dot(i, line, x) + line[i] * x[i];
    add(i, x[i], line, y);
  }
}
template <class T>
void vector_times(int64_t m, int64_t n, const T* x, const T* a, int64_t row, T* y) {
  for (int64_t i = 0; i < m; ++i) add(n, x[i], a + i * row, y);
}
template <class T>
void times_vector(int64_t m, int64_t n, const T* a, int64_t row, const T* x, T* y) {
  for (int64_t i = 0; i < m; ++i) y[i] = dot(n, a + i * row, x);
}
template <class T>
inline void rotate_pair(int64_t n, T c, T s, T* __restrict x, T* __restrict y) {
  for (int64_t j = 0; j < n; ++j) {
    const T p = x[j], q = y[j];
    x[j] = c * p + s * q;
    y[j] = c * q - s * p;
  }
}
template <class T>
void rotate(int64_t count, int64_t n, const T* c, const T* s, bool forward, T* a, int64_t row) {
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = forward ? k : count - 1 - k;
    rotate_pair(n, c[i], s[i], a + i * row, a + (i + 1) * row);
  }
}

// ---- a matrix in each lane

constexpr int64_t kLaneBytes = 64;
template <class T>
constexpr int kLanes = kLaneBytes / sizeof(T);
template <class T>
struct LaneTypes;
template <>
struct LaneTypes<float> {
  typedef float Number __attribute__((vector_size(kLaneBytes)));
  typedef int32_t Whole __attribute__((vector_size(kLaneBytes)));
};
template <>
struct LaneTypes<double> {
  typedef double Number __attribute__((vector_size(kLaneBytes)));
  typedef int64_t Whole __attribute__((vector_size(kLaneBytes)));
};
// Macros, since functions of such vectors have no ABI that all instruction sets share.
#define LANES_CHOOSE(mask, a, b) (Number)(((mask) & (Whole)(a)) | (~(mask) & (Whole)(b)))

/// room[element of a matrix][lane] from, and back to, matrices one after the other.
template <class T, class Strided>
inline void gather_lanes(int64_t rows, int64_t cols, const T* from, Strided s, T* room) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      for (int l = 0; l < kLanes<T>; ++l)
        room[(i * cols + j) * kLanes<T> + l] = from[l * s.batch + i * s.row + j * s.col];
}
template <class T, class Strided>
inline void scatter_lanes(int64_t rows, int64_t cols, const T* room, T* to, Strided s) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      for (int l = 0; l < kLanes<T>; ++l)
        to[l * s.batch + i * s.row + j * s.col] = room[(i * cols + j) * kLanes<T> + l];
}

template <class T>
void lu_lanes(int64_t n, T* a, int32_t* pivots, int32_t* info, T* room) {
  using Number = typename LaneTypes<T>::Number;
  using Whole = typename LaneTypes<T>::Whole;
  using Index = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  const typename FactorKernels<T>::Strided packed{n, 1, n * n};
  gather_lanes(n, n, a, packed, room);
  auto* x = reinterpret_cast<Number*>(room);
  for (int l = 0; l < kLanes<T>; ++l) info[l] = 0;
  for (int64_t k = 0; k < n; ++k) {
    Number most = x[k * n + k];
    most = LANES_CHOOSE(most < 0, -most, most);
    Whole best = Whole{} + static_cast<Index>(k);
    for (int64_t i = k + 1; i < n; ++i) {
      Number v = x[i * n + k];
      v = LANES_CHOOSE(v < 0, -v, v);
      const Whole more = v > most;
      most = LANES_CHOOSE(more, v, most);
      best = (more & static_cast<Index>(i)) | (~more & best);
    }
    uint64_t rows = 0;
    for (int l = 0; l < kLanes<T>; ++l) {
      pivots[l * n + k] = static_cast<int32_t>(best[l]);
      rows |= uint64_t{1} << best[l];
    }
    for (int64_t i = k + 1; i < n; ++i) {
      if (!(rows >> i & 1)) continue;
      const Whole here = best == static_cast<Index>(i);
      for (int64_t j = 0; j < n; ++j) {
        const Number p = x[k * n + j], q = x[i * n + j];
        x[k * n + j] = LANES_CHOOSE(here, q, p);
        x[i * n + j] = LANES_CHOOSE(here, p, q);
      }
    }
    Number pivot = x[k * n + k];
    const Whole zero = pivot == 0;
    for (int l = 0; l < kLanes<T>; ++l)
      if (zero[l] && info[l] == 0) info[l] = static_cast<int32_t>(k + 1);
    pivot = LANES_CHOOSE(zero, Number{} + 1, pivot);
    for (int64_t i = k + 1; i < n; ++i) {
      const Number f = x[i * n + k] = x[i * n + k] / pivot;
      for (int64_t j = k + 1; j < n; ++j) x[i * n + j] -= f * x[k * n + j];
    }
  }
  scatter_lanes(n, n, room, a, packed);
}

template <class T>
void cholesky_lanes(int64_t n, T* a, int32_t* info, T* room) {
  using Number = typename LaneTypes<T>::Number;
  using Whole = typename LaneTypes<T>::Whole;
  const typename FactorKernels<T>::Strided packed{n, 1, n * n};
  gather_lanes(n, n, a, packed, room);
  auto* x = reinterpret_cast<Number*>(room);
  Whole alive = ~Whole{};
  for (int l = 0; l < kLanes<T>; ++l) info[l] = 0;
  for (int64_t k = 0; k < n; ++k) {
    const Number d = x[k * n + k];
    alive &= d > 0;
    Number root = LANES_CHOOSE(alive, d, Number{} + 1);
    for (int l = 0; l < kLanes<T>; ++l) {
      root[l] = std::sqrt(root[l]);
      if (!alive[l] && info[l] == 0) info[l] = static_cast<int32_t>(k + 1);
    }
    x[k * n + k] = LANES_CHOOSE(alive, root, d);
    for (int64_t i = k + 1; i < n; ++i) x[i * n + k] /= root;
    for (int64_t i = k + 1; i < n; ++i) {
      const Number f = LANES_CHOOSE(alive, x[i * n + k], Number{});
      for (int64_t j = k + 1; j <= i; ++j) x[i * n + j] -= f * x[j * n + k];
    }
  }
  scatter_lanes(n, n, room, a, packed);
}

template <class T>
void solve_lanes(int64_t n, int64_t m, const T* t, typename FactorKernels<T>::Strided of_t, bool upper, bool unit, T* b,
                 typename FactorKernels<T>::Strided of_b, T* room) {
  using Number = typename LaneTypes<T>::Number;
  T* right = room + n * n * kLanes<T>;
  gather_lanes(n, n, t, of_t, room);
  gather_lanes(n, m, b, of_b, right);
  const auto* f = reinterpret_cast<const Number*>(room);
  auto* x = reinterpret_cast<Number*>(right);
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = upper ? n - 1 - step : step, begin = upper ? i + 1 : 0, end = upper ? n : i;
    for (int64_t j = 0; j < m; ++j) {
      Number sum = x[i * m + j];
      for (int64_t k = begin; k < end; ++k) sum -= f[i * n + k] * x[k * m + j];
      x[i * m + j] = unit ? sum : sum / f[i * n + i];
    }
  }
  scatter_lanes(n, m, right, b, of_b);
}

template <class T>
constexpr FactorKernels<T> kernels_of() {
  return {cholesky<T>,     lu<T>,     solve<T>,    reflect<T>,        symmetric_times<T>, vector_times<T>,
          times_vector<T>, rotate<T>, lu_lanes<T>, cholesky_lanes<T>, solve_lanes<T>};
}
}  // namespace

extern const FactorTable factor_table;
const FactorTable factor_table = {kernels_of<float>(), kernels_of<double>()};

}  // namespace taut::TAUT_ISA
