#include "kernels/norm.h"

#include <hwy/cache_control.h>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/dry.h"
#include "core/parallel.h"
#include "kernels/isa/norm.h"
#include "kernels/slices.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 16384;     // elements that are worth a chunk of their own
constexpr int64_t kParts = 32;        // partial sums over rows; each costs a row of memory
constexpr int64_t kColumns = 64;      // columns that one chunk sums
constexpr int64_t kStream = 8 << 20;  // bytes of a result that no cache keeps: reading it before writing is lost time

const NormKernel& kernel(ScalarType t) { return norm_table().kernel[t == kDouble]; }
int64_t grain_of(int64_t elements) { return std::max<int64_t>(1, kGrain / std::max<int64_t>(1, elements)); }

/// An array of float32 or float64 (or none at all).
class Array {
 public:
  Array(ScalarType t, const void* p) : p_(static_cast<char*>(const_cast<void*>(p))), wide_(t == kDouble) {}
  double operator[](int64_t i) const {
    return wide_ ? reinterpret_cast<const double*>(p_)[i] : static_cast<double>(reinterpret_cast<const float*>(p_)[i]);
  }
  void set(int64_t i, double v) const {
    if (wide_) reinterpret_cast<double*>(p_)[i] = v;
    else reinterpret_cast<float*>(p_)[i] = static_cast<float>(v);
  }
  double or_else(int64_t i, double absent) const { return p_ ? (*this)[i] : absent; }
  /// The address of element i.
  char* at(int64_t i) const { return p_ ? p_ + i * (wide_ ? 8 : 4) : nullptr; }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  char* p_;
  bool wide_;
};

/// Memory for n numbers of a dtype, zeroed.
class Buffer {
 public:
  Buffer(ScalarType t, int64_t n) : memory_(n), array_(t, memory_.get()) { std::fill_n(memory_.get(), n, 0.0); }
  const Array* operator->() const { return &array_; }
  const Array& operator*() const { return array_; }

 private:
  Scratch<double> memory_;  // wide enough for both dtypes
  Array array_;
};

}  // namespace

// ---- Rows.

void LayerNorm::forward(void* y_, void* mean_, void* rstd_, const void* x_, const void* w, const void* b,
                        double eps) const {
  if (dry) return;
  const NormKernel& k = kernel(dtype);
  const Array y(dtype, y_), mean(dtype, mean_), rstd(dtype, rstd_), x(dtype, x_);
  const bool stream = rows * n * element_size(dtype) >= kStream && y_ != x_;
  parallel_for(rows, grain_of(n), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      double center = 0, spread = 0;
      if (mean) k.moments(x.at(r * n), n, &center, &spread);
      else spread = k.sum_of_squares(x.at(r * n), n);
      const double scale = 1 / std::sqrt(spread / static_cast<double>(std::max<int64_t>(n, 1)) + eps);
      k.normalize(y.at(r * n), x.at(r * n), n, center, scale, w, b, stream);
      if (mean) mean.set(r, center);
      rstd.set(r, scale);
    }
    if (stream) hwy::FlushStream();
  });
}

void LayerNorm::backward(void* dx_, void* dw_, void* db_, const void* g_, const void* x_, const void* mean_,
                         const void* rstd_, const void* w) const {
  if (dry) return;
  const NormKernel& k = kernel(dtype);
  const Array dx(dtype, dx_), dw(dtype, dw_), db(dtype, db_), g(dtype, g_), x(dtype, x_), mean(dtype, mean_),
      rstd(dtype, rstd_);
  const bool columns = dw || db;
  const int64_t grain = columns ? std::max(grain_of(n), (rows + kParts - 1) / kParts) : grain_of(n);
  const int64_t parts = columns ? (rows + grain - 1) / grain : 0;
  const Buffer sums(dtype, parts * 2 * n);
  const bool stream = rows * n * element_size(dtype) >= kStream;
  parallel_for(rows, grain, [&](int64_t begin, int64_t end) {
    char* const part_w = columns ? sums->at(begin / grain * 2 * n) : nullptr;
    char* const part_b = columns ? sums->at((begin / grain * 2 + 1) * n) : nullptr;
    for (int64_t r = begin; r < end; ++r) {
      const double center = mean.or_else(r, 0), scale = rstd[r], count = static_cast<double>(n);
      if (columns) k.accumulate(part_w, part_b, g.at(r * n), x.at(r * n), n, center, scale);
      if (!dx) continue;
      double s[2];
      k.sums(g.at(r * n), x.at(r * n), w, n, center, s);
      k.gradient(dx.at(r * n), g.at(r * n), x.at(r * n), w, n, center, scale, -scale * scale * scale * s[1] / count,
                 mean ? -scale * s[0] / count : 0, stream);
    }
    if (stream) hwy::FlushStream();
  });
  if (!columns) return;
  parallel_for(n, std::max<int64_t>(1, kGrain / (2 * std::max<int64_t>(parts, 1))), [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      double a = 0, b = 0;
      for (int64_t p = 0; p < parts; ++p) a += (*sums)[p * 2 * n + j], b += (*sums)[(p * 2 + 1) * n + j];
      if (dw) dw.set(j, a);
      if (db) db.set(j, b);
    }
  });
}

// ---- Channels.

void BatchNorm::statistics(void* mean_, void* var_, const void* x_) const {
  if (dry) return;
  const NormKernel& k = kernel(dtype);
  const Array mean(dtype, mean_), var(dtype, var_), x(dtype, x_);
  const auto count = static_cast<double>(batch * n);
  if (n == 1) {  // the channels are columns
    parallel_for(channels, std::max(kColumns, kColumns * grain_of(batch * kColumns)), [&](int64_t begin, int64_t end) {
      k.column_moments(x.at(begin), channels, batch, end - begin, mean.at(begin), var.at(begin));
      for (int64_t c = begin; c < end; ++c) var.set(c, var[c] / count);
    });
    return;
  }
  parallel_for(channels, grain_of(batch * n), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      double center = 0, spread = 0;
      for (int64_t i = 0; i < batch; ++i) {
        double m, s;
        k.moments(x.at((i * channels + c) * n), n, &m, &s);
        const double share = 1 / static_cast<double>(i + 1), delta = m - center;  // see moments
        spread += s + delta * delta * static_cast<double>(i * n) * share;
        center += delta * share;
      }
      mean.set(c, center);
      var.set(c, spread / count);
    }
  });
}

void BatchNorm::apply(void* y_, const void* x_, const void* mean_, const void* invstd_, const void* w_,
                      const void* b_) const {
  if (dry) return;
  const NormKernel& k = kernel(dtype);
  const Array y(dtype, y_), x(dtype, x_), mean(dtype, mean_), invstd(dtype, invstd_), w(dtype, w_), b(dtype, b_);
  if (n == 1) {
    const Buffer scale(dtype, channels), shift(dtype, channels);
    for (int64_t c = 0; c < channels; ++c) scale->set(c, invstd[c] * w.or_else(c, 1)), shift->set(c, b.or_else(c, 0));
    return parallel_for(batch, grain_of(channels), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        k.affine_columns(y.at(i * channels), x.at(i * channels), channels, mean.at(0), scale->at(0), shift->at(0));
    });
  }
  parallel_for(batch * channels, grain_of(n), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const int64_t c = r % channels;
      k.affine(y.at(r * n), x.at(r * n), n, mean[c], invstd[c] * w.or_else(c, 1), b.or_else(c, 0));
    }
  });
}

void BatchNorm::backward(void* dx_, void* dw_, void* db_, const void* g_, const void* x_, const void* mean_,
                         const void* invstd_, const void* w_, bool training) const {
  if (dry) return;
  const NormKernel& k = kernel(dtype);
  const Array dx(dtype, dx_), dw(dtype, dw_), db(dtype, db_), g(dtype, g_), x(dtype, x_), mean(dtype, mean_),
      invstd(dtype, invstd_), w(dtype, w_);
  const auto count = static_cast<double>(batch * n);
  // dx = a g + b (x - mean) + c
  const Buffer a(dtype, channels), b(dtype, channels), c(dtype, channels);
  const auto factors = [&](int64_t j, double sum_g, double sum_gx) {
    const double s = invstd[j], scale = s * w.or_else(j, 1);
    if (dw) dw.set(j, sum_gx * s);
    if (db) db.set(j, sum_g);
    a->set(j, scale);
    if (!training) return;
    b->set(j, -scale * s * s * sum_gx / count);
    c->set(j, -scale * sum_g / count);
  };
  const bool sums = training || dw || db;
  if (!sums) {
    for (int64_t j = 0; j < channels; ++j) factors(j, 0, 0);
  } else if (n == 1) {
    const Buffer first(dtype, channels), second(dtype, channels);
    parallel_for(channels, std::max(kColumns, kColumns * grain_of(batch * kColumns)), [&](int64_t begin, int64_t end) {
      k.column_sums(g.at(begin), x.at(begin), channels, batch, end - begin, mean.at(begin), first->at(begin),
                    second->at(begin));
      for (int64_t j = begin; j < end; ++j) factors(j, (*first)[j], (*second)[j]);
    });
  } else {
    parallel_for(channels, grain_of(batch * n), [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
        double first = 0, second = 0, s[2];
        for (int64_t i = 0; i < batch; ++i) {
          const int64_t at = (i * channels + j) * n;
          k.sums(g.at(at), x.at(at), nullptr, n, mean[j], s);
          first += s[0], second += s[1];
        }
        factors(j, first, second);
      }
    });
  }
  if (!dx) return;
  // Given statistics do not depend on x: then dx = a g, even where x is infinite.
  if (n == 1)
    return parallel_for(batch, grain_of(channels), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t at = i * channels;
        if (training)
          k.gradient_columns(dx.at(at), g.at(at), x.at(at), channels, mean.at(0), a->at(0), b->at(0), c->at(0));
        else k.affine_columns(dx.at(at), g.at(at), channels, b->at(0), a->at(0), c->at(0));
      }
    });
  parallel_for(batch * channels, grain_of(n), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const int64_t j = r % channels, at = r * n;
      if (training) k.gradient(dx.at(at), g.at(at), x.at(at), nullptr, n, mean[j], (*a)[j], (*b)[j], (*c)[j], false);
      else k.affine(dx.at(at), g.at(at), n, 0, (*a)[j], 0);
    }
  });
}

// ---- Groups of channels.

void GroupNorm::forward(void* y_, void* mean_, void* rstd_, const void* x_, const void* w_, const void* b_,
                        double eps) const {
  if (dry) return;
  const NormKernel& k = kernel(dtype);
  const Array y(dtype, y_), mean(dtype, mean_), rstd(dtype, rstd_), x(dtype, x_), w(dtype, w_), b(dtype, b_);
  const int64_t size = channels * n;
  parallel_for(batch * groups, grain_of(size), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      double center = 0, spread = 0;
      k.moments(x.at(r * size), size, &center, &spread);
      const double scale = 1 / std::sqrt(spread / static_cast<double>(std::max<int64_t>(size, 1)) + eps);
      const int64_t first = r % groups * channels;
      if (n == 1) k.normalize(y.at(r * size), x.at(r * size), size, center, scale, w.at(first), b.at(first), false);
      else
        for (int64_t c = 0; c < channels; ++c) {
          const int64_t at = r * size + c * n;
          k.affine(y.at(at), x.at(at), n, center, scale * w.or_else(first + c, 1), b.or_else(first + c, 0));
        }
      mean.set(r, center);
      rstd.set(r, scale);
    }
  });
}

void GroupNorm::backward(void* dx_, void* dw_, void* db_, const void* g_, const void* x_, const void* mean_,
                         const void* rstd_, const void* w_) const {
  if (dry) return;
  const NormKernel& k = kernel(dtype);
  const Array dx(dtype, dx_), dw(dtype, dw_), db(dtype, db_), g(dtype, g_), x(dtype, x_), mean(dtype, mean_),
      rstd(dtype, rstd_), w(dtype, w_);
  const int64_t size = channels * n, all = groups * channels;
  const Scratch<double> sums(batch * all * 2);  // of g and g (x - mean), for each channel of each sample
  parallel_for(batch * groups, grain_of(size), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const double center = mean[r], scale = rstd[r], count = static_cast<double>(size);
      const int64_t first = r % groups * channels;
      double sum_g = 0, sum_gx = 0;
      for (int64_t c = 0; c < channels; ++c) {
        double* const s = sums.get() + (r * channels + c) * 2;
        const int64_t at = r * size + c * n;
        k.sums(g.at(at), x.at(at), nullptr, n, center, s);
        const double weight = w.or_else(first + c, 1);
        sum_g += weight * s[0], sum_gx += weight * s[1];
      }
      for (int64_t c = 0; dx && c < channels; ++c) {
        const int64_t at = r * size + c * n;
        k.gradient(dx.at(at), g.at(at), x.at(at), nullptr, n, center, scale * w.or_else(first + c, 1),
                   -scale * scale * scale * sum_gx / count, -scale * sum_g / count, false);
      }
    }
  });
  if (!dw && !db) return;
  parallel_for(all, grain_of(batch * 2), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      double weight = 0, bias = 0;
      for (int64_t i = 0; i < batch; ++i) {
        const double* const s = sums.get() + (i * all + c) * 2;
        bias += s[0];
        weight += s[1] * rstd[i * groups + c / channels];
      }
      if (dw) dw.set(c, weight);
      if (db) db.set(c, bias);
    }
  });
}

}  // namespace taut::kernels
