// Each norm says what one difference adds to the sum; the loops are shared. Sums run in eight lanes in a fixed order.
#include "kernels/distance.h"

#include <cmath>
#include <limits>

#include "core/maths.h"
#include "core/parallel.h"
#include "kernels/slices.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 1 << 14;

// add: the sum with one more |difference|. finish: from the sum to the distance.
// slope: the derivative of the distance, at a difference d that is not 0.
template <class T>
struct Zero {
  explicit Zero(double) {}
  T add(T sum, T d) const { return sum + (d == 0 ? T(0) : d > 0 ? T(1) : d); }  // NaN stays NaN
  static T join(T a, T b) { return a + b; }
  T finish(T sum) const { return sum; }
  T slope(T, T) const { return 0; }
};
template <class T>
struct One {
  explicit One(double) {}
  T add(T sum, T d) const { return sum + d; }
  static T join(T a, T b) { return a + b; }
  T finish(T sum) const { return sum; }
  T slope(T d, T) const { return std::copysign(T(1), d); }
};
template <class T>
struct Two {
  explicit Two(double) {}
  T add(T sum, T d) const { return sum + d * d; }
  static T join(T a, T b) { return a + b; }
  T finish(T sum) const { return std::sqrt(sum); }
  T slope(T d, T distance) const { return d / distance; }
};
template <class T>
struct Infinity {
  explicit Infinity(double) {}
  T add(T sum, T d) const { return join(sum, d); }
  static T join(T a, T b) { return b > a || b != b ? b : a; }
  T finish(T sum) const { return sum; }
  T slope(T d, T distance) const { return std::abs(d) == distance ? std::copysign(T(1), d) : T(0); }
};
template <class T>
struct Power {
  explicit Power(double p) : p(static_cast<T>(p)) {}
  T p;
  static T power(T x, T e) { return static_cast<T>(maths::pow(x, e)); }
  T add(T sum, T d) const { return sum + power(d, p); }
  static T join(T a, T b) { return a + b; }
  T finish(T sum) const { return power(sum, 1 / p); }
  T slope(T d, T distance) const { return std::copysign(power(std::abs(d) / distance, p - 1), d); }
};

// Points whose coordinates lie next to each other: the view itself or a copy.
template <class T>
struct Points {
  explicit Points(const View& v) : data(v.ptr<T>()), batch(v.strides[0]), point(v.strides[1]) {
    const int64_t width = v.sizes[2], n = v.numel();
    if (width <= 1 || v.strides[2] == 1 || n == 0) return;
    own = Scratch<T>(n);
    T* to = own.get();
    for (int64_t b = 0; b < v.sizes[0]; ++b)
      for (int64_t i = 0; i < v.sizes[1]; ++i)
        for (int64_t k = 0; k < width; ++k) *to++ = data[b * batch + i * point + k * v.strides[2]];
    data = own.get();
    point = width;
    batch = width * v.sizes[1];
  }
  const T* at(int64_t b, int64_t i) const { return data + b * batch + i * point; }

  const T* data;
  int64_t batch, point;
  Scratch<T> own;
};

template <class T, class Norm>
T distance(const Norm& norm, const T* x, const T* y, int64_t n) {
  T lane[8] = {};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l) lane[l] = norm.add(lane[l], std::abs(x[i + l] - y[i + l]));
  for (int l = 0; i < n; ++i, ++l) lane[l] = norm.add(lane[l], std::abs(x[i] - y[i]));
  for (int half = 4; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] = Norm::join(lane[l], lane[l + half]);
  return norm.finish(lane[0]);
}

template <class T, class F>
void visit_norm(double p, F&& f) {
  if (p == 0) f(Zero<T>(p));
  else if (p == 1) f(One<T>(p));
  else if (p == 2) f(Two<T>(p));
  else if (p == std::numeric_limits<double>::infinity()) f(Infinity<T>(p));
  else f(Power<T>(p));
}

template <class T>
void forward(const View& out, const View& x, const View& y, double p) {
  const Points<T> from(x), to(y);
  const int64_t rows = x.sizes[1], columns = y.sizes[1], width = x.sizes[2];
  const int64_t work = std::max<int64_t>(columns * std::max<int64_t>(width, 1), 1);
  visit_norm<T>(p, [&](const auto& norm) {
    parallel_for(x.sizes[0] * rows, std::max<int64_t>(kGrain / work, 1), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const int64_t b = r / rows, i = r % rows;
        T* o = out.ptr<T>() + b * out.strides[0] + i * out.strides[1];
        for (int64_t j = 0; j < columns; ++j)
          o[j * out.strides[2]] = distance<T>(norm, from.at(b, i), to.at(b, j), width);
      }
    });
  });
}

template <class T>
void backward(const View& out, const View& grad, const View& x, const View& y, const View& distances, double p) {
  const Points<T> from(x), to(y);
  const int64_t rows = x.sizes[1], columns = y.sizes[1], width = x.sizes[2];
  const int64_t work = std::max<int64_t>(columns * std::max<int64_t>(width, 1), 1);
  visit_norm<T>(p, [&](const auto& norm) {
    parallel_for(x.sizes[0] * rows, std::max<int64_t>(kGrain / work, 1), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const int64_t b = r / rows, i = r % rows, step = out.strides[2];
        T* o = out.ptr<T>() + b * out.strides[0] + i * out.strides[1];
        const T* g = grad.ptr<T>() + b * grad.strides[0] + i * grad.strides[1];
        const T* d = distances.ptr<T>() + b * distances.strides[0] + i * distances.strides[1];
        const T* a = from.at(b, i);
        for (int64_t k = 0; k < width; ++k) o[k * step] = 0;
        for (int64_t j = 0; j < columns; ++j) {
          const T far = d[j * distances.strides[2]], scale = g[j * grad.strides[2]];
          if (far == 0) continue;
          const T* c = to.at(b, j);
          for (int64_t k = 0; k < width; ++k) {
            const T difference = a[k] - c[k];
            if (difference != 0) o[k * step] += scale * norm.slope(difference, far);
          }
        }
      }
    });
  });
}

void check_points(const View& x, const View& y, const View& pairs, double p) {
  check<TypeError>((x.dtype == kFloat || x.dtype == kDouble) && x.dtype == y.dtype && x.dtype == pairs.dtype,
                   "cdist: expected float32 or float64 throughout, got ", x.dtype, ", ", y.dtype, " and ", pairs.dtype);
  check(x.dim() == 3 && y.dim() == 3 && pairs.dim() == 3 && x.sizes[0] == y.sizes[0] && x.sizes[2] == y.sizes[2] &&
            pairs.sizes[0] == x.sizes[0] && pairs.sizes[1] == x.sizes[1] && pairs.sizes[2] == y.sizes[1],
        "cdist: points of shape ", x.sizes, " and ", y.sizes, " do not go with distances of shape ", pairs.sizes);
  check(p >= 0, "cdist only supports non-negative p values, got ", p);
}

}  // namespace

void cdist(View out, View x, View y, double p) {
  if (dry) return;
  check_points(x, y, out, p);
  if (x.dtype == kFloat) forward<float>(out, x, y, p);
  else forward<double>(out, x, y, p);
}

void cdist_backward(View grad_x, View grad, View x, View y, View distances, double p) {
  if (dry) return;
  check_points(x, y, grad, p);
  check_points(x, y, distances, p);
  check(grad_x.sizes == x.sizes && grad_x.dtype == x.dtype, "cdist: expected a gradient of shape ", x.sizes, ", got ",
        grad_x.sizes);
  if (x.dtype == kFloat) backward<float>(grad_x, grad, x, y, distances, p);
  else backward<double>(grad_x, grad, x, y, distances, p);
}

}  // namespace taut::kernels
