#include "kernels/softmax.h"

#include <cmath>
#include <memory>

#include "core/maths.h"
#include "core/parallel.h"
#include "kernels/copy.h"
#include "kernels/isa/softmax.h"
#include "kernels/nest.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kWidth = 64;     // lines side by side
constexpr int64_t kGrain = 16384;  // elements that are worth a chunk of their own

/// Views of the same sizes, the first written, walked line by line along one dimension. A kernel sees contiguous lines,
/// or groups of lines side by side, of float32 or float64; operands that are not so pass through buffers.
template <int K>
class Lines {
 public:
  Lines(const char* name, const View (&views)[K], int dim) : views_(views) {
    const View& y = views[0];
    rank_ = y.dim();
    check<IndexError>(rank_ == 0 || (dim >= 0 && dim < rank_), name, ": dimension ", dim, " of ", y.sizes);
    type_ = y.dtype == kDouble ? kDouble : kFloat;
    for (const View& v : views) {
      check(v.sizes == y.sizes, name, ": the sizes differ: ", v.sizes, " and ", y.sizes);
      check<TypeError>(is_floating_point(v.dtype) && (v.dtype == kDouble) == (type_ == kDouble), name, ": ", v.dtype,
                       " with a result of ", y.dtype);
    }
    n_ = rank_ ? y.sizes[dim] : 1;
    for (int k = 0; k < K; ++k) step_[k] = rank_ ? views[k].strides[dim] : 1;
    for (int d = 0; d < rank_; ++d) {
      if (d == dim) continue;
      [&]<int... k>(std::integer_sequence<int, k...>) { outer_.add(y.sizes[d], views[k].strides[d]...); }
      (std::make_integer_sequence<int, K>());
    }
    outer_.normalize(K - 1);
  }

  /// rows(pointers, strides, n, count) for lines, or columns(pointers, strides, n, width) for groups side by side.
  template <class Rows, class Columns>
  void run(Rows&& rows, Columns&& columns) const {
    if (n_ == 0 || outer_.numel() == 0) return;
    bool side_by_side = outer_.dims > 0;
    for (int k = 0; k < K && side_by_side; ++k) side_by_side = step_[k] != 1 && outer_.stride[outer_.dims - 1][k] == 1;
    if (side_by_side) by_column(columns);
    else by_row(rows);
  }

 private:
  int64_t size(int k) const { return element_size(views_[k].dtype); }
  /// n elements of the operand k from `offset` on, `step` apart, to or from a contiguous buffer.
  void read(int k, int64_t offset, int64_t step, char* buffer, int64_t n) const {
    copy_row(type_, buffer, 1, views_[k].dtype, views_[k].template ptr<char>() + offset * size(k), step, n);
  }
  void write(int64_t offset, int64_t step, const char* buffer, int64_t n) const {
    copy_row(views_[0].dtype, views_[0].template ptr<char>() + offset * size(0), step, type_, buffer, 1, n);
  }

  template <class Rows>
  void by_row(Rows&& rows) const {
    const int64_t wide = element_size(type_);
    bool staged[K], any = false;
    for (int k = 0; k < K; ++k) any |= staged[k] = views_[k].dtype != type_ || (step_[k] != 1 && n_ > 1);
    parallel_for(outer_.numel(), std::max<int64_t>(1, kGrain / n_), [&](int64_t begin, int64_t end) {
      std::unique_ptr<char[]> buffer(any ? new char[static_cast<size_t>(K * n_ * wide)] : nullptr);
      Cursor<K> line(outer_, begin);
      char* p[K];
      int64_t strides[K] = {};
      if (!any && outer_.dims <= 1) {
        for (int k = 0; k < K; ++k) {
          p[k] = views_[k].template ptr<char>() + line.offset[k] * wide;
          strides[k] = outer_.dims ? outer_.stride[0][k] : 0;
        }
        rows(p, strides, n_, end - begin);
        return;
      }
      for (int64_t l = begin; l < end; ++l, line.advance()) {
        for (int k = 0; k < K; ++k) {
          p[k] = staged[k] ? buffer.get() + k * n_ * wide : views_[k].template ptr<char>() + line.offset[k] * wide;
          if (staged[k] && k > 0) read(k, line.offset[k], step_[k], p[k], n_);
        }
        rows(p, strides, n_, int64_t{1});
        if (staged[0]) write(line.offset[0], step_[0], p[0], n_);
      }
    });
  }

  template <class Columns>
  void by_column(Columns&& columns) const {
    const int inner = outer_.dims - 1;
    const int64_t wide = element_size(type_), count = outer_.size[inner], groups = (count + kWidth - 1) / kWidth;
    Nest<K> outer = outer_;
    outer.erase(inner);
    bool staged[K], any = false;
    for (int k = 0; k < K; ++k) any |= staged[k] = views_[k].dtype != type_;
    const int64_t grain = std::max<int64_t>(1, kGrain / (n_ * std::min(count, kWidth)));
    parallel_for(outer.numel() * groups, grain, [&](int64_t begin, int64_t end) {
      std::unique_ptr<char[]> buffer(any ? new char[static_cast<size_t>(K * n_ * kWidth * wide)] : nullptr);
      for (int64_t item = begin; item < end; ++item) {
        const Cursor<K> group(outer, item / groups);
        const int64_t j = item % groups * kWidth, w = std::min(kWidth, count - j);
        char* p[K];
        int64_t strides[K];
        for (int k = 0; k < K; ++k) {
          p[k] = staged[k] ? buffer.get() + k * n_ * kWidth * wide
                           : views_[k].template ptr<char>() + (group.offset[k] + j) * wide;
          strides[k] = staged[k] ? kWidth : step_[k];
          for (int64_t i = 0; i < n_ && staged[k] && k > 0; ++i)
            read(k, group.offset[k] + j + i * step_[k], 1, p[k] + i * kWidth * wide, w);
        }
        columns(p, strides, n_, w);
        for (int64_t i = 0; i < n_ && staged[0]; ++i)
          write(group.offset[0] + j + i * step_[0], 1, p[0] + i * kWidth * wide, w);
      }
    });
  }

  const View (&views_)[K];
  int rank_;
  ScalarType type_;
  int64_t n_;
  int64_t step_[K];
  Nest<K> outer_;
};

const SoftmaxKernel& kernel(bool log, ScalarType t) { return softmax_table().kernel[log][t == kDouble]; }

}  // namespace

void softmax(const View& y, const View& x, int dim, bool log) {
  if (dry) return;
  const View views[] = {y, x};
  const SoftmaxKernel& k = kernel(log, y.dtype);
  Lines<2>(log ? "log_softmax" : "softmax", views, dim)
      .run([&](char** p, const int64_t* s, int64_t n, int64_t c) { k.rows(p[0], s[0], p[1], s[1], n, c); },
           [&](char** p, const int64_t* s, int64_t n, int64_t w) { k.columns(p[0], s[0], p[1], s[1], n, w); });
}

void logsumexp(const View& y, const View& x) {
  if (dry) return;
  const int64_t n = x.sizes.back(), bytes = element_size(x.dtype);
  check(x.dtype == y.dtype && y.numel() * n == x.numel(), "logsumexp: ", x.sizes, " to ", y.sizes);
  const auto sums = softmax_table().cross_entropy[x.dtype == kDouble].sums;
  parallel_for(y.numel(), std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      double top, sum;
      sums(x.ptr<char>() + i * n * bytes, n, &top, &sum);
      const double result = sum >= 1 ? top + maths::log(sum) : top;  // less only where top is infinite or a NaN
      if (bytes == 8) y.ptr<double>()[i] = result;
      else y.ptr<float>()[i] = static_cast<float>(result);
    }
  });
}

void softmax_backward(const View& dx, const View& g, const View& y, int dim, bool log) {
  if (dry) return;
  const View views[] = {dx, g, y};
  const SoftmaxKernel& k = kernel(log, dx.dtype);
  Lines<3>(log ? "log_softmax_backward" : "softmax_backward", views, dim)
      .run([&](char** p, const int64_t* s, int64_t n,
               int64_t c) { k.backward_rows(p[0], s[0], p[1], s[1], p[2], s[2], n, c); },
           [&](char** p, const int64_t* s, int64_t n, int64_t w) {
             k.backward_columns(p[0], s[0], p[1], s[1], p[2], s[2], n, w);
           });
}

}  // namespace taut::kernels
