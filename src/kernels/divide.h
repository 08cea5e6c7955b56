// The eigenvectors of a large symmetric matrix of three diagonals, by dividing it in two (Cuppen; Gu and Eisenstat):
// the work is in products of matrices.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/secular.h"
#include "kernels/tridiagonal.h"

namespace taut::kernels {

template <class T>
class DivideAndConquer {
 public:
  /// As TridiagonalIteration, with zt [n, n] for the eigenvectors, whatever it held.
  DivideAndConquer(int64_t n, T* d, T* e, Mat<T> zt) : n_(n), d_(d), e_(e), zt_(zt), memory_(2 * n * n + 4 * n) {}
  int64_t run() {
    for (int64_t i = 0; i < n_; ++i) std::fill(zt_.at(i, 0), zt_.at(i, n_), T(0));
    return solve(0, n_);
  }

 private:
  static constexpr int64_t kSmall = 48;
  static constexpr T kEps = std::numeric_limits<T>::epsilon() / 2;

  int64_t solve(int64_t begin, int64_t end) {
    const int64_t n = end - begin;
    if (n <= kSmall) {
      const Mat<T> own = zt_.block(begin, begin, n, n);
      for (int64_t i = 0; i < n; ++i) own(i, i) = 1;
      return TridiagonalIteration<T>(n, d_ + begin, e_ + begin, own).run();
    }
    const int64_t middle = begin + n / 2;
    const T beside = e_[middle - 1], size = std::abs(beside);
    d_[middle - 1] -= size;
    d_[middle] -= size;
    if (const int64_t missing = solve(begin, middle)) return missing;
    if (const int64_t missing = solve(middle, end)) return missing;
    join(begin, middle, end, std::signbit(beside) ? T(-1) : T(1), size);
    return 0;
  }

  /// Which half of its columns a row of zt has numbers in.
  enum Place : uint8_t { kFirst, kBoth, kSecond };

  /// diag(d) + rho z z' in the basis of the rows found so far.
  void join(int64_t begin, int64_t middle, int64_t end, T sign, T rho) {
    const int64_t n = end - begin;
    T* z = memory_.data() + 2 * n_ * n_;
    const T scale = 1 / std::sqrt(T(2));
    for (int64_t i = begin; i < end; ++i)
      z[i - begin] = scale * (i < middle ? zt_(i, middle - 1) : sign * zt_(i, middle));
    rho *= 2;
    std::vector<Place> place(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) place[static_cast<size_t>(i)] = begin + i < middle ? kFirst : kSecond;
    std::vector<int64_t> kept = deflate(begin, n, z, rho, place);
    if (!kept.empty()) merge(begin, middle, end, z, rho, place, kept);
    sort(begin, n);
  }

  /// Leaves out what is an eigenvector already: z is 0 there, or can be made so by a rotation among equal d.
  std::vector<int64_t> deflate(int64_t begin, int64_t n, T* z, T rho, std::vector<Place>& place) {
    T* d = d_ + begin;
    std::vector<int64_t> order(static_cast<size_t>(n)), kept;
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return d[a] < d[b]; });
    T most = 0;
    for (int64_t i = 0; i < n; ++i) most = std::max({most, std::abs(d[i]), std::abs(z[i])});
    const T tolerance = 8 * kEps * most;
    int64_t held = -1;
    for (const int64_t i : order) {
      if (rho * std::abs(z[i]) <= tolerance) continue;
      if (held >= 0) {
        const T length = hypotenuse(z[i], z[held]), c = z[i] / length, s = -z[held] / length;
        if (std::abs((d[i] - d[held]) * c * s) <= tolerance) {
          z[i] = length;
          z[held] = 0;
          const auto at = [&](int64_t k) -> Place& { return place[static_cast<size_t>(k)]; };
          if (at(i) != at(held)) at(i) = at(held) = kBoth;
          T *x = zt_.at(begin + held, begin), *y = zt_.at(begin + i, begin);
          for (int64_t j = 0; j < n; ++j) {
            const T p = x[j], q = y[j];
            x[j] = c * p + s * q;
            y[j] = c * q - s * p;
          }
          const T first = d[held] * c * c + d[i] * s * s;
          d[i] = d[held] * s * s + d[i] * c * c;
          d[held] = first;
        } else {
          kept.push_back(held);
        }
      }
      held = i;
    }
    if (held >= 0) kept.push_back(held);
    return kept;
  }

  /// The rows kept, mixed to eigenvectors.
  void merge(int64_t begin, int64_t middle, int64_t end, const T* z, T rho, const std::vector<Place>& place,
             const std::vector<int64_t>& kept) {
    const auto k = static_cast<int64_t>(kept.size());
    const int64_t n = end - begin;
    T *poles = memory_.data() + 2 * n_ * n_ + n_, *weights = poles + n_, *roots = weights + n_;
    const Mat<T> gaps{memory_.data(), k, k, k};
    for (int64_t i = 0; i < k; ++i) {
      poles[i] = d_[begin + kept[static_cast<size_t>(i)]];
      weights[i] = z[kept[static_cast<size_t>(i)]];
    }
    parallel_for(k, 16, [&](int64_t from, int64_t to) {
      for (int64_t j = from; j < to; ++j) roots[j] = SecularRoot<T>(k, poles, weights, rho, j, gaps.at(j, 0)).root();
    });
    // The z for which the roots are exact; with it the vectors are orthogonal.
    std::vector<T> exact(static_cast<size_t>(k), T(1));
    for (int64_t j = 0; j < k; ++j) {
      const T* row = gaps.at(j, 0);
      for (int64_t i = 0; i < k; ++i) exact[static_cast<size_t>(i)] *= i == j ? row[i] : row[i] / (poles[i] - poles[j]);
    }
    for (int64_t i = 0; i < k; ++i)
      exact[static_cast<size_t>(i)] = std::copysign(std::sqrt(std::abs(exact[static_cast<size_t>(i)])), weights[i]);

    // Rows in the order of their places: those with numbers in the first half of the columns, then those in the second.
    std::vector<int64_t> order(static_cast<size_t>(k));
    std::iota(order.begin(), order.end(), int64_t{0});
    const auto place_of = [&](int64_t i) { return place[static_cast<size_t>(kept[static_cast<size_t>(i)])]; };
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return place_of(a) < place_of(b); });
    int64_t first = 0, only_first = 0;
    for (int64_t i = 0; i < k; ++i) first += place_of(i) != kSecond, only_first += place_of(i) == kFirst;

    const Workspace<T> room(k * k);
    const Mat<T> v{room.data(), k, k, k};
    parallel_for(k, 16, [&](int64_t from, int64_t to) {
      for (int64_t j = from; j < to; ++j) {
        T *out = v.at(j, 0), sum = 0;
        const T* row = gaps.at(j, 0);
        for (int64_t i = 0; i < k; ++i) {
          const auto source = static_cast<size_t>(order[static_cast<size_t>(i)]);
          out[i] = exact[source] / row[source];
          sum += out[i] * out[i];
        }
        const T inverse = 1 / std::sqrt(sum);
        for (int64_t i = 0; i < k; ++i) out[i] *= inverse;
      }
    });
    // The gaps are done with: their memory takes the rows as they are now.
    const int64_t m = middle - begin;
    const Mat<T> rows{memory_.data(), k, n, n}, result{memory_.data() + n_ * n_, k, n, n};
    for (int64_t i = 0; i < k; ++i) {
      const T* from = zt_.at(begin + kept[static_cast<size_t>(order[static_cast<size_t>(i)])], begin);
      std::copy(from, from + n, rows.at(i, 0));
    }
    multiply<T>(result.block(0, 0, k, m), v.block(0, 0, k, first), rows.block(0, 0, first, m));
    multiply<T>(result.block(0, m, k, n - m), v.block(0, only_first, k, k - only_first),
                rows.block(only_first, m, k - only_first, n - m));
    for (int64_t i = 0; i < k; ++i) {
      const int64_t to = begin + kept[static_cast<size_t>(i)];
      std::copy(result.at(i, 0), result.at(i, n), zt_.at(to, begin));
      d_[to] = roots[i];
    }
  }

  void sort(int64_t begin, int64_t n) {
    std::vector<int64_t> order(static_cast<size_t>(n));
    std::iota(order.begin(), order.end(), int64_t{0});
    const T* d = d_ + begin;
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return d[a] < d[b]; });
    const Mat<T> rows{memory_.data(), n, n, n};
    T* values = memory_.data() + 2 * n_ * n_;
    for (int64_t i = 0; i < n; ++i) {
      const int64_t from = order[static_cast<size_t>(i)];
      values[i] = d[from];
      std::copy(zt_.at(begin + from, begin), zt_.at(begin + from, begin + n), rows.at(i, 0));
    }
    for (int64_t i = 0; i < n; ++i) {
      d_[begin + i] = values[i];
      std::copy(rows.at(i, 0), rows.at(i, n), zt_.at(begin + i, begin));
    }
  }

  int64_t n_;
  T *d_, *e_;
  Mat<T> zt_;
  Workspace<T> memory_;  // two matrices, and four vectors
};

}  // namespace taut::kernels
