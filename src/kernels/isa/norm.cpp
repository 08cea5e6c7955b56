// The loops of layer, batch, group and RMS normalisation, forward and backward, for one instruction set.
#include "kernels/isa/norm.h"

#include "kernels/isa/wide.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {
namespace wide {
constexpr int64_t kBlock = 4096;  // elements that stay in the first cache between two passes
constexpr int64_t kNear = 16384;  // bytes of a row that may be fetched before its time
constexpr int64_t kRows = 32;     // rows summed before their sum joins the total

/// A whole vector, one that is written past the caches, or the first n lanes of one.
struct Full {};
struct Streamed : Full {};
struct Part {
  int64_t n;
};
template <class T>
HWY_INLINE Vec<T> load(const T* x, Full, T) {
  return hn::LoadU(Tag<T>(), x);
}
template <class T>
HWY_INLINE Vec<T> load(const T* x, Part part, T rest) {
  return load_part(x, part.n, rest);
}
template <class T>
HWY_INLINE void store(Vec<T> v, T* x, Full) {
  hn::StoreU(v, Tag<T>(), x);
}
template <class T>
HWY_INLINE void store(Vec<T> v, T* x, Streamed) {
  hn::Stream(v, Tag<T>(), x);
}
template <class T>
HWY_INLINE void store(Vec<T> v, T* x, Part part) {
  store_part(v, x, part.n);
}

/// f(i, lanes) for each vector of a row of n.
template <class T, class F>
HWY_INLINE void each(int64_t n, F f) {
  constexpr int64_t N = kLanes<T>;
  int64_t i = 0;
  for (; i + N <= n; i += N) f(i, Full());
  if (i < n) f(i, Part{n - i});
}

/// The same; if `stream` and all vectors lie on their boundaries, f writes to `to` past the caches.
template <class T, class F>
HWY_INLINE void each(int64_t n, const T* to, bool stream, F f) {
  constexpr int64_t N = kLanes<T>;
  if (!stream || n % N != 0 || reinterpret_cast<uintptr_t>(to) % (N * sizeof(T)) != 0) return each<T>(n, f);
  for (int64_t i = 0; i < n; i += N) f(i, Streamed());
}

/// The sum of term(i, lanes) over at most kBlock elements; lanes that are not there must be 0.
template <class T, class Term>
HWY_INLINE double sum_block(int64_t begin, int64_t end, Term term) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  Vec<T> a = hn::Zero(d), b = a, c = a, e = a;
  int64_t i = begin;
  for (; i + 4 * N <= end; i += 4 * N) {
    a = hn::Add(a, term(i, Full()));
    b = hn::Add(b, term(i + N, Full()));
    c = hn::Add(c, term(i + 2 * N, Full()));
    e = hn::Add(e, term(i + 3 * N, Full()));
  }
  for (; i + N <= end; i += N) a = hn::Add(a, term(i, Full()));
  if (i < end) b = hn::Add(b, term(i, Part{end - i}));
  return static_cast<double>(sum_of_lanes<T>(hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

template <class T>
void moments(const void* from, int64_t n, double* mean, double* deviations) {
  const Tag<T> d;
  const T* const x = static_cast<const T*>(from);
  double center = 0, spread = 0;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = n - begin < kBlock ? n : begin + kBlock, size = end - begin;
    const double m =
        sum_block<T>(begin, end, [&](int64_t i, auto lanes) HWY_ATTR { return load(x + i, lanes, T(0)); }) /
        static_cast<double>(size);
    const auto middle = hn::Set(d, static_cast<T>(m));
    const double s = sum_block<T>(begin, end, [&](int64_t i, auto lanes) HWY_ATTR {
      const auto v = hn::Sub(load(x + i, lanes, static_cast<T>(m)), middle);
      return hn::Mul(v, v);
    });
    // Two sets of numbers as one: the distance of their means adds to the deviations.
    const double share = static_cast<double>(size) / static_cast<double>(end), delta = m - center;
    spread += s + delta * delta * static_cast<double>(begin) * share;
    center += delta * share;
  }
  *mean = center;
  *deviations = spread;
}

template <class T>
double sum_of_squares(const void* from, int64_t n) {
  const T* const x = static_cast<const T*>(from);
  double total = 0;
  for (int64_t begin = 0; begin < n; begin += kBlock)
    total += sum_block<T>(begin, n - begin < kBlock ? n : begin + kBlock, [&](int64_t i, auto lanes) HWY_ATTR {
      const auto v = load(x + i, lanes, T(0));
      return hn::Mul(v, v);
    });
  return total;
}

template <class T>
void normalize(void* to, const void* from, int64_t n, double mean, double scale, const void* weight, const void* bias,
               bool stream) {
  const Tag<T> d;
  T* const y = static_cast<T*>(to);
  const T *const x = static_cast<const T*>(from), *const w = static_cast<const T*>(weight),
                 *const b = static_cast<const T*>(bias);
  const auto m = hn::Set(d, static_cast<T>(mean)), s = hn::Set(d, static_cast<T>(scale));
  // The next row comes while this one is written: processors do not foresee it beyond a page.
  const T* const next = n * static_cast<int64_t>(sizeof(T)) <= kNear ? x + n : x;
  const auto unit = [&](int64_t i, auto lanes) HWY_ATTR {
    __builtin_prefetch(next + i);
    return hn::Mul(hn::Sub(load(x + i, lanes, T(0)), m), s);
  };
  if (w && b)
    each<T>(n, y, stream, [&](int64_t i, auto lanes) HWY_ATTR {
      store<T>(hn::MulAdd(unit(i, lanes), load(w + i, lanes, T(0)), load(b + i, lanes, T(0))), y + i, lanes);
    });
  else if (w)
    each<T>(n, [&](int64_t i, auto lanes)
                   HWY_ATTR { store<T>(hn::Mul(unit(i, lanes), load(w + i, lanes, T(0))), y + i, lanes); });
  else if (b)
    each<T>(n, [&](int64_t i, auto lanes)
                   HWY_ATTR { store<T>(hn::Add(unit(i, lanes), load(b + i, lanes, T(0))), y + i, lanes); });
  else each<T>(n, [&](int64_t i, auto lanes) HWY_ATTR { store<T>(unit(i, lanes), y + i, lanes); });
}

template <class T>
void affine(void* to, const void* from, int64_t n, double mean, double scale, double shift) {
  const Tag<T> d;
  T* const y = static_cast<T*>(to);
  const T* const x = static_cast<const T*>(from);
  const auto m = hn::Set(d, static_cast<T>(mean)), s = hn::Set(d, static_cast<T>(scale)),
             b = hn::Set(d, static_cast<T>(shift));
  each<T>(n, [&](int64_t i, auto lanes)
                 HWY_ATTR { store<T>(hn::MulAdd(hn::Sub(load(x + i, lanes, T(0)), m), s, b), y + i, lanes); });
}
template <class T>
void affine_columns(void* to, const void* from, int64_t n, const void* mean, const void* scale, const void* shift) {
  T* const y = static_cast<T*>(to);
  const T *const x = static_cast<const T*>(from), *const m = static_cast<const T*>(mean),
                 *const s = static_cast<const T*>(scale), *const b = static_cast<const T*>(shift);
  each<T>(n, [&](int64_t i, auto lanes) HWY_ATTR {
    const auto v = hn::Sub(load(x + i, lanes, T(0)), load(m + i, lanes, T(0)));
    store<T>(hn::MulAdd(v, load(s + i, lanes, T(0)), load(b + i, lanes, T(0))), y + i, lanes);
  });
}

struct Yes {
  static constexpr bool value = true;
};
struct No {
  static constexpr bool value = false;
};
template <class T>
void sums(const void* grad, const void* from, const void* weight, int64_t n, double mean, double* out) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  const T *const g = static_cast<const T*>(grad), *const x = static_cast<const T*>(from),
                 *const w = static_cast<const T*>(weight);
  const auto m = hn::Set(d, static_cast<T>(mean));
  const auto run = [&](auto weighted) HWY_ATTR {
    double first = 0, second = 0;
    for (int64_t begin = 0; begin < n; begin += kBlock) {
      const int64_t end = n - begin < kBlock ? n : begin + kBlock;
      Vec<T> a = hn::Zero(d), b = a, p = a, q = a;
      const auto step = [&](int64_t i, auto lanes, Vec<T>& s, Vec<T>& t) HWY_ATTR {
        auto v = load(g + i, lanes, T(0));
        if constexpr (decltype(weighted)::value) v = hn::Mul(v, load(w + i, lanes, T(0)));
        s = hn::Add(s, v);
        t = hn::MulAdd(v, hn::Sub(load(x + i, lanes, T(0)), m), t);
      };
      int64_t i = begin;
      for (; i + 2 * N <= end; i += 2 * N) {
        step(i, Full(), a, p);
        step(i + N, Full(), b, q);
      }
      for (; i + N <= end; i += N) step(i, Full(), a, p);
      if (i < end) step(i, Part{end - i}, b, q);
      first += static_cast<double>(sum_of_lanes<T>(hn::Add(a, b)));
      second += static_cast<double>(sum_of_lanes<T>(hn::Add(p, q)));
    }
    out[0] = first;
    out[1] = second;
  };
  w ? run(Yes()) : run(No());
}

template <class T>
void gradient(void* to, const void* grad, const void* from, const void* weight, int64_t n, double mean, double a,
              double b, double c, bool stream) {
  const Tag<T> d;
  T* const dx = static_cast<T*>(to);
  const T *const g = static_cast<const T*>(grad), *const x = static_cast<const T*>(from),
                 *const w = static_cast<const T*>(weight);
  const auto m = hn::Set(d, static_cast<T>(mean)), va = hn::Set(d, static_cast<T>(a)),
             vb = hn::Set(d, static_cast<T>(b)), vc = hn::Set(d, static_cast<T>(c));
  const auto rest = [&](int64_t i, auto lanes)
                        HWY_ATTR { return hn::MulAdd(vb, hn::Sub(load(x + i, lanes, T(0)), m), vc); };
  if (w)
    each<T>(n, dx, stream, [&](int64_t i, auto lanes) HWY_ATTR {
      const auto v = hn::Mul(load(g + i, lanes, T(0)), load(w + i, lanes, T(0)));
      store<T>(hn::MulAdd(va, v, rest(i, lanes)), dx + i, lanes);
    });
  else
    each<T>(n, [&](int64_t i, auto lanes)
                   HWY_ATTR { store<T>(hn::MulAdd(va, load(g + i, lanes, T(0)), rest(i, lanes)), dx + i, lanes); });
}
template <class T>
void gradient_columns(void* to, const void* grad, const void* from, int64_t n, const void* mean, const void* fa,
                      const void* fb, const void* fc) {
  T* const dx = static_cast<T*>(to);
  const T *const g = static_cast<const T*>(grad), *const x = static_cast<const T*>(from),
                 *const m = static_cast<const T*>(mean), *const a = static_cast<const T*>(fa),
                 *const b = static_cast<const T*>(fb), *const c = static_cast<const T*>(fc);
  each<T>(n, [&](int64_t i, auto lanes) HWY_ATTR {
    const auto v = hn::Sub(load(x + i, lanes, T(0)), load(m + i, lanes, T(0)));
    const auto rest = hn::MulAdd(load(b + i, lanes, T(0)), v, load(c + i, lanes, T(0)));
    store<T>(hn::MulAdd(load(a + i, lanes, T(0)), load(g + i, lanes, T(0)), rest), dx + i, lanes);
  });
}

template <class T>
void accumulate(void* weight, void* bias, const void* grad, const void* from, int64_t n, double mean, double scale) {
  const Tag<T> d;
  T *const dw = static_cast<T*>(weight), *const db = static_cast<T*>(bias);
  const T *const g = static_cast<const T*>(grad), *const x = static_cast<const T*>(from);
  const auto m = hn::Set(d, static_cast<T>(mean)), s = hn::Set(d, static_cast<T>(scale));
  each<T>(n, [&](int64_t i, auto lanes) HWY_ATTR {
    const auto v = load(g + i, lanes, T(0));
    const auto unit = hn::Mul(hn::Sub(load(x + i, lanes, T(0)), m), s);
    store<T>(hn::MulAdd(v, unit, load(dw + i, lanes, T(0))), dw + i, lanes);
    store<T>(hn::Add(load(db + i, lanes, T(0)), v), db + i, lanes);
  });
}

/// For each vector of columns the sum of term(row) over n rows, kRows at a time.
template <class T, class Term>
HWY_INLINE Vec<T> sum_rows(int64_t n, Term term) {
  const Tag<T> d;
  Vec<T> total = hn::Zero(d);
  for (int64_t begin = 0; begin < n; begin += kRows) {
    const int64_t end = n - begin < kRows ? n : begin + kRows;
    Vec<T> a = hn::Zero(d), b = a;
    int64_t r = begin;
    for (; r + 2 <= end; r += 2) {
      a = hn::Add(a, term(r));
      b = hn::Add(b, term(r + 1));
    }
    if (r < end) a = hn::Add(a, term(r));
    total = hn::Add(total, hn::Add(a, b));
  }
  return total;
}
template <class T>
void column_moments(const void* from, int64_t stride, int64_t n, int64_t width, void* mean, void* deviations) {
  const Tag<T> d;
  const T* const x = static_cast<const T*>(from);
  T *const m = static_cast<T*>(mean), *const s = static_cast<T*>(deviations);
  const auto count = hn::Set(d, static_cast<T>(n));
  each<T>(width, [&](int64_t j, auto lanes) HWY_ATTR {
    const auto at = [&](int64_t r) HWY_ATTR { return load(x + r * stride + j, lanes, T(0)); };
    const auto middle = hn::Div(sum_rows<T>(n, at), count);
    const auto spread = sum_rows<T>(n, [&](int64_t r) HWY_ATTR {
      const auto v = hn::Sub(at(r), middle);
      return hn::Mul(v, v);
    });
    store<T>(middle, m + j, lanes);
    store<T>(spread, s + j, lanes);
  });
}
template <class T>
void column_sums(const void* grad, const void* from, int64_t stride, int64_t n, int64_t width, const void* mean,
                 void* sum_g, void* sum_gx) {
  const T *const g = static_cast<const T*>(grad), *const x = static_cast<const T*>(from),
                 *const m = static_cast<const T*>(mean);
  T *const first = static_cast<T*>(sum_g), *const second = static_cast<T*>(sum_gx);
  each<T>(width, [&](int64_t j, auto lanes) HWY_ATTR {
    const auto middle = load(m + j, lanes, T(0));
    const auto at = [&](int64_t r) HWY_ATTR { return load(g + r * stride + j, lanes, T(0)); };
    store<T>(sum_rows<T>(n, at), first + j, lanes);
    store<T>(
        sum_rows<T>(n, [&](int64_t r)
                           HWY_ATTR { return hn::Mul(at(r), hn::Sub(load(x + r * stride + j, lanes, T(0)), middle)); }),
        second + j, lanes);
  });
}
}  // namespace wide
}  // namespace

#define K(T)                                                                                                       \
  {                                                                                                                \
    wide::moments<T>, wide::sum_of_squares<T>, wide::normalize<T>, wide::affine<T>, wide::affine_columns<T>,       \
        wide::sums<T>, wide::gradient<T>, wide::gradient_columns<T>, wide::accumulate<T>, wide::column_moments<T>, \
        wide::column_sums<T>                                                                                       \
  }
extern const NormTable norm_table;
const NormTable norm_table = {{K(float), K(double)}};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
