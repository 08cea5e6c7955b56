// The loops of factor_loops.h for one instruction set, and factorisations of many small matrices at once.
#include "kernels/isa/factor.h"

#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/isa/factor_loops.h"

namespace taut::TAUT_ISA {
namespace {

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

/// Rows and columns of a square of lanes changed over: single ones, then pairs, and so on.
template <class T, int kStep = 1, int... L>
inline void turn_lanes(typename LaneTypes<T>::Number* x, std::integer_sequence<int, L...> lanes) {
  for (int i = 0; i < kLanes<T>; ++i) {
    if (i & kStep) continue;
    const auto a = x[i], b = x[i + kStep];
    x[i] = __builtin_shufflevector(a, b, (L & kStep ? kLanes<T> + L - kStep : L)...);
    x[i + kStep] = __builtin_shufflevector(a, b, (L & kStep ? kLanes<T> + L : L + kStep)...);
  }
  if constexpr (2 * kStep < kLanes<T>) turn_lanes<T, 2 * kStep>(x, lanes);
}

/// room[element of a matrix][lane] from, and back to, matrices one after the other.
template <class T, class Strided>
inline void gather_lanes(int64_t rows, int64_t cols, const T* from, Strided s, T* room) {
  int64_t done = 0;
  if (s.row == cols && s.col == 1)
    for (typename LaneTypes<T>::Number square[kLanes<T>]; done + kLanes<T> <= rows * cols; done += kLanes<T>) {
      for (int l = 0; l < kLanes<T>; ++l) std::memcpy(&square[l], from + l * s.batch + done, kLaneBytes);
      turn_lanes<T>(square, std::make_integer_sequence<int, kLanes<T>>());
      std::memcpy(room + done * kLanes<T>, square, sizeof(square));
    }
  for (; done < rows * cols; ++done)
    for (int l = 0; l < kLanes<T>; ++l)
      room[done * kLanes<T> + l] = from[l * s.batch + done / cols * s.row + done % cols * s.col];
}
template <class T, class Strided>
inline void scatter_lanes(int64_t rows, int64_t cols, const T* room, T* to, Strided s) {
  int64_t done = 0;
  if (s.row == cols && s.col == 1)
    for (typename LaneTypes<T>::Number square[kLanes<T>]; done + kLanes<T> <= rows * cols; done += kLanes<T>) {
      std::memcpy(square, room + done * kLanes<T>, sizeof(square));
      turn_lanes<T>(square, std::make_integer_sequence<int, kLanes<T>>());
      for (int l = 0; l < kLanes<T>; ++l) std::memcpy(to + l * s.batch + done, &square[l], kLaneBytes);
    }
  for (; done < rows * cols; ++done)
    for (int l = 0; l < kLanes<T>; ++l)
      to[l * s.batch + done / cols * s.row + done % cols * s.col] = room[done * kLanes<T> + l];
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
  const bool turned = of_t.row == 1 && of_t.col == n;
  gather_lanes(n, n, t, turned ? typename FactorKernels<T>::Strided{n, 1, of_t.batch} : of_t, room);
  gather_lanes(n, m, b, of_b, right);
  const int64_t row = turned ? 1 : n, col = turned ? n : 1;
  const auto* f = reinterpret_cast<const Number*>(room);
  auto* x = reinterpret_cast<Number*>(right);
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = upper ? n - 1 - step : step, begin = upper ? i + 1 : 0, end = upper ? n : i;
    for (int64_t j = 0; j < m; ++j) {
      Number sum = x[i * m + j];
      for (int64_t k = begin; k < end; ++k) sum -= f[i * row + k * col] * x[k * m + j];
      x[i * m + j] = unit ? sum : sum / f[i * row + i * col];
    }
  }
  scatter_lanes(n, m, right, b, of_b);
}

template <class T>
void reflect_lanes(int64_t m, int64_t n, T* a, T* tau, T* room) {
  using Number = typename LaneTypes<T>::Number;
  using Whole = typename LaneTypes<T>::Whole;
  const typename FactorKernels<T>::Strided packed{n, 1, m * n};
  gather_lanes(m, n, a, packed, room);
  for (int64_t k = 0; k < n; ++k) {
    auto* head = reinterpret_cast<Number*>(room) + k * n + k;
    const Number alpha = *head;
    Number rest, size;
    for (int l = 0; l < kLanes<T>; ++l) {
      rest[l] = length(m - k - 1, room + ((k + 1) * n + k) * kLanes<T> + l, n * kLanes<T>);
      const T both[] = {alpha[l], rest[l]};
      size[l] = length(2, both, 1);
    }
    const Whole idle = rest == 0;
    const Number signed_size = LANES_CHOOSE(alpha < 0, size, -size), beta = LANES_CHOOSE(idle, alpha, signed_size);
    const Number quotient = (beta - alpha) / beta, inverse = 1 / (alpha - beta);
    const Number factor = LANES_CHOOSE(idle, Number{}, quotient), scale = LANES_CHOOSE(idle, Number{} + 1, inverse);
    for (int64_t i = 1; i < m - k; ++i) head[i * n] *= scale;
    for (int l = 0; l < kLanes<T>; ++l) tau[l * n + k] = factor[l];
    for (int64_t j = 1; j < n - k; ++j) {
      Number w = head[j];
      for (int64_t i = 1; i < m - k; ++i) w += head[i * n] * head[i * n + j];
      w = LANES_CHOOSE(idle, Number{}, w * factor);
      head[j] -= w;
      for (int64_t i = 1; i < m - k; ++i) head[i * n + j] -= head[i * n] * w;
    }
    *head = beta;
  }
  scatter_lanes(m, n, room, a, packed);
}

template <class T>
void multiply_reflectors_lanes(int64_t m, int64_t reflectors, int64_t n, const T* v, int64_t v_row, const T* tau,
                               bool transposed, T* c, T* room) {
  using Number = typename LaneTypes<T>::Number;
  using Strided = typename FactorKernels<T>::Strided;
  T* own = room + m * n * kLanes<T>;
  gather_lanes(m, n, c, Strided{n, 1, m * n}, room);
  gather_lanes(m, reflectors, v, Strided{v_row, 1, m * v_row}, own);
  auto* x = reinterpret_cast<Number*>(room);
  const auto* of = reinterpret_cast<const Number*>(own);
  for (int64_t k = 0; k < reflectors; ++k) {
    const int64_t r = transposed ? k : reflectors - 1 - k;
    Number factor;
    for (int l = 0; l < kLanes<T>; ++l) factor[l] = tau[l * reflectors + r];
    for (int64_t j = 0; j < n; ++j) {
      Number w = x[r * n + j];
      for (int64_t i = r + 1; i < m; ++i) w += of[i * reflectors + r] * x[i * n + j];
      w *= factor;
      x[r * n + j] -= w;
      for (int64_t i = r + 1; i < m; ++i) x[i * n + j] -= of[i * reflectors + r] * w;
    }
  }
  scatter_lanes(m, n, room, c, Strided{n, 1, m * n});
}

template <class T>
constexpr FactorKernels<T> kernels_of() {
  return {loops::cholesky<T>,
          loops::lu<T>,
          loops::solve<T>,
          loops::reflect<T>,
          loops::symmetric_times<T>,
          loops::vector_times<T>,
          loops::times_vector<T>,
          loops::rotate<T>,
          lu_lanes<T>,
          cholesky_lanes<T>,
          solve_lanes<T>,
          reflect_lanes<T>,
          multiply_reflectors_lanes<T>};
}
}  // namespace

extern const FactorTable factor_table;
const FactorTable factor_table = {kernels_of<float>(), kernels_of<double>()};

}  // namespace taut::TAUT_ISA
