#include "kernels/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/maths.h"
#include "core/parallel.h"
#include "kernels/isa/softmax.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 16384;  // elements that are worth a chunk of their own

int64_t rows_per_chunk(int64_t classes) { return std::max<int64_t>(1, kGrain / std::max<int64_t>(1, classes)); }

template <class T>
struct Rows {
  const Classes& c;
  const CrossEntropyKernel& kernel = softmax_table().cross_entropy[std::is_same_v<T, double>];
  int64_t classes = c.x.sizes[1];
  const T *x = c.x.ptr<T>(), *w = c.weight.ptr<T>();
  const int64_t* target = c.target.ptr<int64_t>();
  double all = w ? kernel.weighted(w, nullptr, classes) : static_cast<double>(classes);  // of all weights
  double part = c.smoothing / static_cast<double>(classes);                              // of each class

  double weight(int64_t y) const { return w ? static_cast<double>(w[y]) : 1.0; }

  void loss(T* to, double* lse) const {
    parallel_for(c.x.sizes[0], rows_per_chunk(classes), [&](int64_t begin, int64_t end) {
      constexpr int64_t kBlock = 64;  // rows whose logarithms are taken together
      double top[kBlock], sum[kBlock];
      for (; begin < end; begin += kBlock) {
        const int64_t n = std::min(kBlock, end - begin);
        for (int64_t k = 0; k < n; ++k) {
          if (target[begin + k] == c.ignore) sum[k] = 1;
          else kernel.sums(x + (begin + k) * classes, classes, &top[k], &sum[k]);
          if (!(sum[k] >= 1)) sum[k] = std::numeric_limits<double>::quiet_NaN();
        }
        maths_table().log(sum, sum, n);
        for (int64_t k = 0; k < n; ++k) finish(to, lse, begin + k, top[k], sum[k]);
      }
    });
  }
  void finish(T* to, double* lse, int64_t i, double top, double log_sum) const {
    const int64_t y = target[i];
    if (y == c.ignore) {
      to[i] = 0, lse[i] = 0;
      return;
    }
    const T* row = x + i * classes;
    lse[i] = top + log_sum;
    double l = weight(y) * ((top - static_cast<double>(row[y])) + log_sum);
    if (part > 0) l = (1 - c.smoothing) * l + part * (all * lse[i] - kernel.weighted(row, w, classes));
    to[i] = static_cast<T>(l);
  }

  void gradient(T* dx, const double* g, bool one, const double* lse) const {
    parallel_for(c.x.sizes[0], rows_per_chunk(classes), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t y = target[i];
        T* to = dx + i * classes;
        if (y == c.ignore) {
          std::fill(to, to + classes, T(0));
          continue;
        }
        const double gi = g[one ? 0 : i], picked = gi * (1 - c.smoothing) * weight(y), share = gi * part;
        if (std::isnan(lse[i])) {
          std::fill(to, to + classes, std::numeric_limits<T>::quiet_NaN());
          continue;
        }
        kernel.gradient(to, x + i * classes, lse[i], picked + share * all, share, share != 0 ? w : nullptr, classes);
        to[y] = static_cast<T>(static_cast<double>(to[y]) - picked);
      }
    });
  }
};

template <class F>
auto by_type(const View& v, F f) {
  return v.dtype == kDouble ? f(double()) : f(float());
}

}  // namespace

void check_targets(const char* op, const View& target, IntArrayRef shape, int64_t classes, int64_t ignore) {
  if (dry) return;
  const int64_t* y = target.ptr<int64_t>();
  const int64_t n = target.numel();
  for (int64_t i = 0; i < n; ++i) {
    if ((y[i] >= 0 && y[i] < classes) || y[i] == ignore) [[likely]]
      continue;
    std::vector<int64_t> at(shape.size());
    for (size_t d = shape.size(), k = static_cast<size_t>(i); d-- > 0; k /= static_cast<size_t>(shape[d]))
      at[d] = static_cast<int64_t>(k % static_cast<size_t>(shape[d]));
    throw IndexError(str("Target ", y[i], " is out of bounds. It stands at ", IntArrayRef(at), " of the target of ", op,
                         ", and ", classes, " classes run from 0 to ", classes - 1));
  }
}

double total_weight(const View& target, const View& weight, int64_t ignore) {
  if (dry) return 0;
  const int64_t* y = target.ptr<int64_t>();
  const int64_t n = target.numel();
  return by_type(weight, [&]<class T>(T) {
    const T* w = weight.ptr<T>();
    double total = 0;
    for (int64_t i = 0; i < n; ++i)
      if (y[i] != ignore) total += w ? static_cast<double>(w[y[i]]) : 1.0;
    return total;
  });
}

void cross_entropy(const View& loss, const View& lse, const Classes& c) {
  if (dry) return;
  by_type(c.x, [&]<class T>(T) { Rows<T>{c}.loss(loss.ptr<T>(), lse.ptr<double>()); });
}

void cross_entropy_backward(const View& dx, const View& g, const View& lse, const Classes& c) {
  if (dry) return;
  by_type(c.x,
          [&]<class T>(T) { Rows<T>{c}.gradient(dx.ptr<T>(), g.ptr<double>(), g.numel() == 1, lse.ptr<double>()); });
}

void nll(const View& loss, const Classes& c) {
  if (dry) return;
  const int64_t classes = c.x.sizes[1], inner = c.x.sizes[2], n = c.x.sizes[0] * inner;
  const int64_t* y = c.target.ptr<int64_t>();
  by_type(c.x, [&]<class T>(T) {
    const T *x = c.x.ptr<T>(), *w = c.weight.ptr<T>();
    T* to = loss.ptr<T>();
    parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (y[i] == c.ignore) to[i] = 0;
        else to[i] = -(w ? w[y[i]] : T(1)) * x[(i / inner * classes + y[i]) * inner + i % inner];
      }
    });
  });
}

double sum_in_order(const View& x) {
  if (dry) return 0;
  return by_type(x, [&]<class T>(T) {
    double sum = 0;
    for (int64_t i = 0, n = x.numel(); i < n; ++i) sum += static_cast<double>(x.ptr<T>()[i]);
    return sum;
  });
}

}  // namespace taut::kernels
