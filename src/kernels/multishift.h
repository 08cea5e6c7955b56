// QR iterations of large real matrices with many shifts at a time (Braman, Byers and Mathias): what they do near the
// diagonal is gathered, and done to the rest of the matrix by products; and the last rows are looked at as a window of
// their own, in which eigenvalues are found long before they stand alone.
#pragma once
#include <vector>

#include "kernels/hessenberg.h"
#include "kernels/schur.h"

namespace taut::kernels {

template <class T>
class MultiShift : QrSteps<T> {
  using Base = QrSteps<T>;
  using Base::h_, Base::zt_, Base::whole_, Base::kEps;

 public:
  static constexpr int64_t kSmall = 75;  // rows that go to RealSchur

  MultiShift(Mat<T> h, Mat<T> zt, bool whole, T* re, T* im)
      : Base(h, zt, whole), re_(re), im_(im), room_(h.rows * (kMostWindow + 1)) {}
  /// As RealSchur's.
  int64_t run(int64_t first, int64_t last) {
    tiny_ = this->tiny_for(last - first + 1);
    int64_t fruitless = 0, budget = 30 * std::max<int64_t>(10, last - first + 1);
    while (last >= first) {
      int64_t l = last;
      while (l > first && !this->negligible(l, first, last, tiny_)) --l;
      if (l > first) h_(l, l - 1) = 0;
      const int64_t count = last - l + 1;
      if (count <= kSmall) {
        if (const int64_t missing = small(l, last)) return missing + l - first;
        last = l - 1;
        fruitless = 0;
        continue;
      }
      if (budget-- == 0) return last - first + 1;
      const int64_t shifts = shifts_for(count), width = std::min(count, count <= 500 ? shifts : 3 * shifts / 2);
      const int64_t found = deflate(l, last, width);
      last -= found;
      fruitless = found > 0 ? 0 : fruitless + 1;
      if (100 * found > 14 * width || last - l + 1 <= kSmall) continue;
      sweep(l, last, pairs_for(last, shifts / 2, fruitless));
    }
    return 0;
  }

 private:
  static constexpr int64_t kMostWindow = 6 * 32 + 8;
  struct Pair {
    T re1, im1, re2, im2;
  };

  static int64_t shifts_for(int64_t count) {
    if (count >= 590) return 64;
    if (count < 150) return 10;
    return std::max<int64_t>(10, count / (count < 182 ? 7 : count < 363 ? 8 : 9)) / 2 * 2;  // its logarithm, to base 2
  }
  static void set_unit(Mat<T> a) {
    for (int64_t i = 0; i < a.rows; ++i) {
      std::fill(a.at(i, 0), a.at(i, a.cols), T(0));
      a(i, i) = 1;
    }
  }
  void replace(Mat<T> part, Operand<T> a, Operand<T> b) {
    if (part.rows == 0 || part.cols == 0) return;
    const Mat<T> found{room_.data(), part.rows, part.cols, part.cols};
    multiply(found, a, b);
    for (int64_t i = 0; i < part.rows; ++i) std::copy(found.at(i, 0), found.at(i, part.cols), part.at(i, 0));
  }
  /// What was done to the block at `from` of the rows [first, last] as u h u', done to what is beside and above it.
  void turn_rest(Mat<T> u, int64_t from, int64_t first, int64_t last) {
    const int64_t width = u.rows, end = from + width, right = (whole_ ? h_.cols : last + 1) - end,
                  top = whole_ ? 0 : first;
    const Mat<T> beside = h_.block(from, end, width, right), above = h_.block(top, from, from - top, width);
    replace(beside, u, beside);
    replace(above, above, u.transposed());
    if (zt_.data) replace(zt_.block(from, 0, width, zt_.cols), u, zt_.block(from, 0, width, zt_.cols));
  }
  int64_t small(int64_t first, int64_t last) {
    const int64_t count = last - first + 1;
    const Workspace<T> memory(count * count);
    const Mat<T> u{memory.data(), count, count, count};
    set_unit(u);
    const int64_t missing =
        RealSchur<T>(h_.block(first, first, count, count), u, true, re_ + first, im_ + first).run(0, count - 1);
    turn_rest(u, first, first, last);
    return missing;
  }

  /// How many of the last eigenvalues stand alone already, seen from a window of the last rows.
  int64_t deflate(int64_t first, int64_t last, int64_t width) {
    const int64_t top = last - width + 1;
    const T outside = top == first ? T(0) : h_(top, top - 1);
    const Workspace<T> memory(2 * width * width + 2 * width);
    const Mat<T> w{memory.data(), width, width, width}, u{w.data + width * width, width, width, width};
    T *x = u.data + width * width, *tau = x + width;
    copy(w, h_.block(top, top, width, width));
    set_unit(u);
    candidates_ = top;
    kept_ = width;
    if (RealSchur<T>(w, u, true, re_ + top, im_ + top).run(0, width - 1) != 0) return kept_ = 0;
    int64_t k = width;
    while (k > 0) {
      const bool two = k > 1 && w(k - 1, k - 2) != 0;
      T size = std::abs(w(k - 1, k - 1));
      if (two) size += std::sqrt(std::abs(w(k - 1, k - 2))) * std::sqrt(std::abs(w(k - 2, k - 1)));
      if (size == 0) size = std::abs(outside);
      const T spike = std::max(std::abs(outside * u(k - 1, 0)), two ? std::abs(outside * u(k - 2, 0)) : T(0));
      if (spike > std::max(tiny_, kEps * size)) break;
      k -= two ? 2 : 1;
    }
    kept_ = k;
    if (k == width) return 0;
    if (k > 0) {
      for (int64_t i = 0; i < k; ++i) x[i] = u(i, 0);
      T own;
      const T beta = make_reflector(k, x, 1, own);
      x[0] = 1;
      reflect_all(x, own, w.block(0, 0, k, width));
      reflect_all(x, own, w.block(0, 0, k, k).transposed());
      reflect_all(x, own, u.block(0, 0, k, width));
      ToHessenberg<T>(w, 0, k - 1, tau);
      if (k > 1) multiply_reflectors_left<T>(w.block(1, 0, k - 1, k - 1), tau, true, u.block(1, 0, k - 1, width));
      for (int64_t i = 2; i < k; ++i) std::fill(w.at(i, 0), w.at(i, i - 1), T(0));
      h_(top, top - 1) = outside * beta;
    } else if (top > first) {
      h_(top, top - 1) = 0;
    }
    copy(h_.block(top, top, width, width), w);
    turn_rest(u, top, first, last);
    return width - k;
  }
  /// a = (I - tau x x') a
  static void reflect_all(const T* x, T tau, Mat<T> a) {
    for (int64_t j = 0; j < a.cols; ++j) {
      T sum = 0;
      for (int64_t i = 0; i < a.rows; ++i) sum += x[i] * a(i, j);
      sum *= tau;
      for (int64_t i = 0; i < a.rows; ++i) a(i, j) -= x[i] * sum;
    }
  }

  /// Pairs of shifts: conjugates, or real ones, from what is left of the window, its last ones first.
  std::vector<Pair> pairs_for(int64_t last, int64_t most, int64_t fruitless) {
    std::vector<Pair> found;
    if (kept_ < 2 || fruitless % 6 == 5) {  // the usual ones do not help
      for (int64_t i = last; i > last - 2 * most && i >= candidates_ + 2; i -= 2) {
        const T size = std::abs(h_(i, i - 1)) + std::abs(h_(i - 1, i - 2)), re = h_(i, i) + T(0.75) * size,
                im = T(0.6614378277661477) * size;
        found.push_back({re, im, re, -im});
      }
      return found;
    }
    std::vector<T> alone;
    for (int64_t i = candidates_ + kept_ - 1; i >= candidates_ && static_cast<int64_t>(found.size()) < most; --i) {
      if (im_[i] != 0) {
        found.push_back({re_[i], std::abs(im_[i]), re_[i], -std::abs(im_[i])});
        --i;
      } else {
        alone.push_back(re_[i]);
        if (alone.size() % 2 == 0) found.push_back({alone[alone.size() - 2], 0, alone.back(), 0});
      }
    }
    if (found.empty()) found.push_back({alone[0], 0, alone[0], 0});
    return found;
  }

  /// One pass of all pairs through the rows [first, last], each three rows behind the one before it. Step k of a pair
  /// turns rows k + 1 to k + 3.
  void sweep(int64_t first, int64_t last, const std::vector<Pair>& pairs) {
    const auto count = static_cast<int64_t>(pairs.size());
    const int64_t size = 6 * count + 8, end = last - 2;
    std::vector<int64_t> next(pairs.size(), first - 1);
    const Workspace<T> memory(size * size);
    while (next.back() <= end) {
      const int64_t from = std::max(first, next.back()), to = std::min(last + 1, from + size), width = to - from;
      const Mat<T> u{memory.data(), width, width, width};
      set_unit(u);
      for (size_t b = 0; b < pairs.size(); ++b) {
        int64_t most = to > last ? end : to - 5;
        if (b > 0 && next[b - 1] <= end) most = std::min(most, next[b - 1] - 4);
        for (int64_t& k = next[b]; k <= most; ++k) step(k, first, last, pairs[b], from, to, u);
      }
      turn_rest(u, from, first, last);
    }
  }
  void step(int64_t k, int64_t first, int64_t last, const Pair& shift, int64_t from, int64_t to, Mat<T> u) {
    const bool three = k + 3 <= last, begins = k < first;
    T v[3];
    if (begins) {
      const T own = h_(first, first), below = h_(first + 1, first),
              s = std::abs(own - shift.re2) + std::abs(shift.im2) + std::abs(below), ratio = below / s;
      v[0] = ratio * h_(first, first + 1) + (own - shift.re1) * ((own - shift.re2) / s) - shift.im1 * (shift.im2 / s);
      v[1] = ratio * (own + h_(first + 1, first + 1) - shift.re1 - shift.re2);
      v[2] = ratio * h_(first + 2, first + 1);
    } else {
      for (int64_t r = 0; r < (three ? 3 : 2); ++r) v[r] = h_(k + 1 + r, k);
    }
    T tau;
    const T beta = make_reflector(three ? 3 : 2, v, 1, tau);
    if (!begins) {
      h_(k + 1, k) = beta, h_(k + 2, k) = 0;
      if (three) h_(k + 3, k) = 0;
    }
    const int64_t rows = std::min(k + 5, last + 1);
    if (three) {
      reflect_rows<3>(v, tau, h_, k + 1, k + 1, to);
      reflect_columns<3>(v, tau, h_, k + 1, from, rows);
      reflect_rows<3>(v, tau, u, k + 1 - from, 0, u.cols);
    } else {
      reflect_rows<2>(v, tau, h_, k + 1, k + 1, to);
      reflect_columns<2>(v, tau, h_, k + 1, from, rows);
      reflect_rows<2>(v, tau, u, k + 1 - from, 0, u.cols);
    }
  }

  T *re_, *im_, tiny_ = 0;
  Workspace<T> room_;
  int64_t candidates_ = 0, kept_ = 0;  // the eigenvalues of the last window that do not stand alone
};

}  // namespace taut::kernels
