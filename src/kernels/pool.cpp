// Windows of pooling are those of a convolution: they read slabs too.
#include "kernels/pool.h"

#include <cmath>
#include <limits>

#include "core/dry.h"
#include "core/parallel.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 1 << 15;  // window elements that are worth a task of their own

template <class F>
void each_plane(int64_t planes, int64_t work, F f) {
  parallel_for(planes, std::clamp<int64_t>(kGrain / std::max<int64_t>(work, 1), 1, std::max<int64_t>(planes, 1)), f);
}

template <class F>
void visit(ScalarType type, F f) {
  if (type == kDouble) f(double{});
  else f(float{});
}

template <class T>
bool above(T v, T best) {
  return v > best || v != v;
}

/// The part of a window that lies in the image, along one dimension.
struct Span {
  int64_t begin, end;
};
Span clipped(const Windows& w, int d, int64_t o) {
  int64_t begin = o * w.stride[d] - w.padding[d];
  const int64_t end = std::min(begin + (w.kernel[d] - 1) * w.dilation[d] + 1, w.in[d]);
  while (begin < 0) begin += w.dilation[d];
  return {begin, end};
}

/// One window of a plane, element by element.
template <class T>
void greatest_of(const Windows& w, int64_t z, int64_t y, int64_t x, const T* plane, T& best, int64_t& at) {
  const Span sz = clipped(w, 0, z), sy = clipped(w, 1, y), sx = clipped(w, 2, x);
  at = (sz.begin * w.in[1] + sy.begin) * w.in[2] + sx.begin;
  best = plane[at];
  for (int64_t i = sz.begin; i < sz.end; i += w.dilation[0])
    for (int64_t j = sy.begin; j < sy.end; j += w.dilation[1])
      for (int64_t k = sx.begin; k < sx.end; k += w.dilation[2]) {
        const int64_t here = (i * w.in[1] + j) * w.in[2] + k;
        if (above(plane[here], best)) best = plane[here], at = here;
      }
}

template <class T>
void plain_max_pool(int64_t planes, const Windows& w, T* y, int64_t* index, const T* x) {
  const int64_t outputs = w.outputs(), inputs = w.inputs();
  each_plane(planes, outputs * w.taps(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      for (int64_t p = 0; p < outputs; ++p) {
        int64_t at;
        greatest_of(w, p / w.out[2] / w.out[1], p / w.out[2] % w.out[1], p % w.out[2], x + i * inputs,
                    y[i * outputs + p], at);
        if (index) index[i * outputs + p] = at;
      }
  });
}

template <class T>
void slab_max_pool(int64_t planes, const Windows& w, T* y, int64_t* index, const T* x) {
  const auto& kernels = conv_kernels<T>();
  const int64_t outputs = w.outputs(), inputs = w.inputs(), taps = w.taps();
  const Slab slab(w);
  const SlabGrid grid = slab.grid();
  const Workspace<int64_t> offsets(taps);
  slab.taps(0, taps, offsets.data());
  const Workspace<int32_t> codes(taps);
  const auto place = [&](int64_t z, int64_t v, int64_t u) {
    return static_cast<int32_t>((z * w.in[1] + v) * w.in[2] + u);
  };
  for (int64_t k = 0; k < taps; ++k)
    codes.data()[k] = place(k / w.kernel[2] / w.kernel[1] * w.dilation[0],
                            k / w.kernel[2] % w.kernel[1] * w.dilation[1], k % w.kernel[2] * w.dilation[2]);
  constexpr T kLowest = -std::numeric_limits<T>::infinity();
  each_plane(planes, outputs * taps / 4 + inputs, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(1));
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t i = begin; i < end; ++i) {
      T* const to = y + i * outputs;
      int64_t* const where = index ? index + i * outputs : nullptr;
      slab.fill(room, x + i * inputs, 1, kLowest);
      kernels.greatest(grid, room, offsets.data(), taps, codes.data(),
                       place(-w.padding[0], -w.padding[1], -w.padding[2]), place(w.stride[0], 0, 0),
                       place(0, w.stride[1], 0), static_cast<int32_t>(w.stride[2]), to, where);
      // All are minus infinity: the padding may have been taken for one of them.
      for (int64_t p = 0; where && p < outputs; ++p)
        if (to[p] == kLowest)
          greatest_of(w, p / w.out[2] / w.out[1], p / w.out[2] % w.out[1], p % w.out[2], x + i * inputs, to[p],
                      where[p]);
    }
  });
}

/// The number of elements of each window along one dimension, as PyTorch counts them.
std::vector<int64_t> counts(const AveragePool& pool, int d) {
  const Windows& w = pool.windows;
  std::vector<int64_t> n;
  for (int64_t o = 0; o < w.out[d]; ++o) {
    const int64_t begin = o * w.stride[d] - w.padding[d];
    const int64_t end = std::min(begin + w.kernel[d], w.in[d] + pool.padding_behind[d]);
    n.push_back(pool.count_padding ? end - begin : std::min(end, w.in[d]) - std::max<int64_t>(begin, 0));
  }
  return n;
}

/// to = from divided by the size of each window.
template <class T>
class Divide {
 public:
  explicit Divide(const AveragePool& pool) : pool_(pool) {
    for (int d = 0; d < 3; ++d) counts_[d] = counts(pool, d);
  }
  void operator()(T* to, const T* from) const {
    const Windows& w = pool_.windows;
    const int64_t width = w.out[2];
    for (size_t z = 0; z < counts_[0].size(); ++z)
      for (size_t y = 0; y < counts_[1].size(); ++y, to += width, from += width) {
        const int64_t rows = counts_[0][z] * counts_[1][y];
        if (pool_.divisor) {
          const T by = static_cast<T>(pool_.divisor);
          for (int64_t x = 0; x < width; ++x) to[x] = from[x] / by;
        } else {
          for (int64_t x = 0; x < width; ++x) to[x] = from[x] / static_cast<T>(rows * counts_[2][x]);
        }
      }
  }

 private:
  const AveragePool& pool_;
  std::vector<int64_t> counts_[3];
};

Span part(int64_t o, int64_t in, int64_t out) { return {o * in / out, (o * in + in + out - 1) / out}; }

/// f(position of the output, its box) for all parts of a plane.
template <class F>
void each_part(const AdaptivePool& p, F f) {
  int64_t at = 0;
  for (int64_t z = 0; z < p.out[0]; ++z)
    for (int64_t y = 0; y < p.out[1]; ++y)
      for (int64_t x = 0; x < p.out[2]; ++x, ++at)
        f(at, part(z, p.in[0], p.out[0]), part(y, p.in[1], p.out[1]), part(x, p.in[2], p.out[2]));
}

int64_t product(const int64_t (&sizes)[3]) { return sizes[0] * sizes[1] * sizes[2]; }

/// Where windows begin: as PyTorch's generate_intervals, in the precision of the samples.
template <class T>
void intervals(T sample, int64_t in, int64_t out, int64_t kernel, int64_t* to) {
  if (out > 1) {
    const T alpha = static_cast<T>(in - kernel) / static_cast<T>(out - 1);
    for (int64_t i = 0; i < out - 1; ++i)
      to[i] = static_cast<int64_t>((static_cast<T>(i) + sample) * alpha) - static_cast<int64_t>(sample * alpha);
  }
  if (out > 0) to[out - 1] = in - kernel;
}

}  // namespace

void max_pool(ScalarType type, int64_t planes, const Windows& w, void* y, int64_t* index, const void* x) {
  if (dry) return;
  if (planes == 0 || w.outputs() == 0) return;
  if (type == kLong) return plain_max_pool(planes, w, static_cast<int64_t*>(y), index, static_cast<const int64_t*>(x));
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    // Positions within a plane are counted in 32 bits by the vector code.
    const bool fits = w.inputs() < (int64_t{1} << 30) && (w.taps() < (int64_t{1} << 20));
    if (fits) slab_max_pool(planes, w, static_cast<T*>(y), index, static_cast<const T*>(x));
    else plain_max_pool(planes, w, static_cast<T*>(y), index, static_cast<const T*>(x));
  });
}

void avg_pool(ScalarType type, int64_t planes, const AveragePool& pool, void* y, const void* x) {
  if (dry) return;
  const Windows& w = pool.windows;
  if (planes == 0 || w.outputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const int64_t outputs = w.outputs(), inputs = w.inputs(), taps = w.taps();
    const Slab slab(w);
    const Workspace<int64_t> offsets(taps);
    slab.taps(0, taps, offsets.data());
    const Divide<T> divide(pool);
    const Workspace<T> ones(taps);
    std::fill_n(ones.data(), taps, T(1));
    each_plane(planes, outputs * taps / 4 + inputs, [&](int64_t begin, int64_t end) {
      const Workspace<T> buffer(slab.room(1));
      T* const room = buffer.data() + kSlabSlack;
      for (int64_t i = begin; i < end; ++i) {
        T* const to = static_cast<T*>(y) + i * outputs;
        slab.fill(room, static_cast<const T*>(x) + i * inputs, 1);
        conv_kernels<T>().filter(slab.grid(), room, offsets.data(), taps, ones.data(), T(0), to);
        divide(to, to);
      }
    });
  });
}

void avg_pool_backward(ScalarType type, int64_t planes, const AveragePool& pool, void* dx, const void* dy) {
  if (dry) return;
  const Windows& w = pool.windows;
  if (planes == 0 || w.inputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const int64_t outputs = w.outputs(), inputs = w.inputs(), taps = w.taps();
    const Slab slab(w);
    const Workspace<int64_t> offsets(taps);
    slab.taps(0, taps, offsets.data());
    const Divide<T> divide(pool);
    const Workspace<T> ones(taps);
    std::fill_n(ones.data(), taps, T(1));
    each_plane(planes, outputs * taps / 4 + inputs, [&](int64_t begin, int64_t end) {
      const Workspace<T> buffer(slab.room(1)), shares(outputs);
      T* const room = buffer.data() + kSlabSlack;
      for (int64_t i = begin; i < end; ++i) {
        divide(shares.data(), static_cast<const T*>(dy) + i * outputs);
        std::fill_n(room, slab.channel(), T(0));
        conv_kernels<T>().add_filter(slab.grid(), room, offsets.data(), taps, ones.data(), shares.data());
        slab.read(static_cast<T*>(dx) + i * inputs, room, 1);
      }
    });
  });
}

void adaptive_avg_pool(ScalarType type, int64_t planes, const AdaptivePool& pool, void* y, const void* x) {
  if (dry) return;
  const int64_t inputs = product(pool.in), outputs = product(pool.out), plane = pool.in[1] * pool.in[2];
  if (planes == 0 || outputs == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    each_plane(planes, inputs + outputs, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* from = static_cast<const T*>(x) + i * inputs;
        T* to = static_cast<T*>(y) + i * outputs;
        each_part(pool, [&](int64_t at, Span z, Span v, Span u) {
          T sum = 0;
          for (int64_t a = z.begin; a < z.end; ++a)
            for (int64_t b = v.begin; b < v.end; ++b) {
              T row = 0;
              for (int64_t c = u.begin; c < u.end; ++c) row += from[a * plane + b * pool.in[2] + c];
              sum += row;
            }
          to[at] = sum / static_cast<T>((z.end - z.begin) * (v.end - v.begin) * (u.end - u.begin));
        });
      }
    });
  });
}

void adaptive_avg_pool_backward(ScalarType type, int64_t planes, const AdaptivePool& pool, void* dx, const void* dy) {
  if (dry) return;
  const int64_t inputs = product(pool.in), outputs = product(pool.out), plane = pool.in[1] * pool.in[2];
  if (planes == 0 || inputs == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    each_plane(planes, inputs + outputs, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* to = static_cast<T*>(dx) + i * inputs;
        const T* from = static_cast<const T*>(dy) + i * outputs;
        std::fill_n(to, inputs, T(0));
        each_part(pool, [&](int64_t at, Span z, Span v, Span u) {
          const T share = from[at] / static_cast<T>((z.end - z.begin) * (v.end - v.begin) * (u.end - u.begin));
          for (int64_t a = z.begin; a < z.end; ++a)
            for (int64_t b = v.begin; b < v.end; ++b)
              for (int64_t c = u.begin; c < u.end; ++c) to[a * plane + b * pool.in[2] + c] += share;
        });
      }
    });
  });
}

void adaptive_max_pool(ScalarType type, int64_t planes, const AdaptivePool& pool, void* y, int64_t* index,
                       const void* x) {
  if (dry) return;
  const int64_t inputs = product(pool.in), outputs = product(pool.out), plane = pool.in[1] * pool.in[2];
  if (planes == 0 || outputs == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    each_plane(planes, inputs + outputs, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* from = static_cast<const T*>(x) + i * inputs;
        each_part(pool, [&](int64_t at, Span z, Span v, Span u) {
          int64_t best = z.begin * plane + v.begin * pool.in[2] + u.begin;
          for (int64_t a = z.begin; a < z.end; ++a)
            for (int64_t b = v.begin; b < v.end; ++b)
              for (int64_t c = u.begin; c < u.end; ++c) {
                const int64_t here = a * plane + b * pool.in[2] + c;
                if (above(from[here], from[best])) best = here;
              }
          static_cast<T*>(y)[i * outputs + at] = from[best];
          index[i * outputs + at] = best;
        });
      }
    });
  });
}

void fractional_max_pool(ScalarType type, int64_t planes, const FractionalPool& pool, void* y, int64_t* index,
                         const void* x, const void* samples) {
  if (dry) return;
  const int64_t inputs = product(pool.in), outputs = product(pool.out), plane = pool.in[1] * pool.in[2];
  if (planes == 0 || outputs == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    each_plane(planes, outputs * product(pool.kernel), [&](int64_t begin, int64_t end) {
      std::vector<int64_t> starts[3];
      for (int d = 0; d < 3; ++d) starts[d].resize(static_cast<size_t>(pool.out[d]));
      for (int64_t i = begin; i < end; ++i) {
        for (int d = 0; d < 3; ++d)
          intervals(static_cast<const T*>(samples)[3 * i + d], pool.in[d], pool.out[d], pool.kernel[d],
                    starts[d].data());
        const T* from = static_cast<const T*>(x) + i * inputs;
        int64_t at = i * outputs;
        for (int64_t z : starts[0])
          for (int64_t v : starts[1])
            for (int64_t u : starts[2]) {
              int64_t best = z * plane + v * pool.in[2] + u;
              for (int64_t a = z; a < z + pool.kernel[0]; ++a)
                for (int64_t b = v; b < v + pool.kernel[1]; ++b)
                  for (int64_t c = u; c < u + pool.kernel[2]; ++c) {
                    const int64_t here = a * plane + b * pool.in[2] + c;
                    if (above(from[here], from[best])) best = here;
                  }
              static_cast<T*>(y)[at] = from[best];
              index[at++] = best;
            }
      }
    });
  });
}

void scatter_planes(ScalarType type, int64_t planes, int64_t size, int64_t n, void* to, const void* from,
                    const int64_t* index, bool add) {
  if (dry) return;
  for (int64_t i = 0; i < planes * n; ++i)
    check<IndexError>(index[i] >= 0 && index[i] < size, "Found an invalid max index: ", index[i],
                      " (output volumes have ", size, " elements)");
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    each_plane(planes, size + n, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        T* out = static_cast<T*>(to) + p * size;
        const T* in = static_cast<const T*>(from) + p * n;
        const int64_t* at = index + p * n;
        std::fill_n(out, size, T(0));
        if (add)
          for (int64_t i = 0; i < n; ++i) out[at[i]] += in[i];
        else
          for (int64_t i = 0; i < n; ++i) out[at[i]] = in[i];
      }
    });
  });
}

void gather_planes(ScalarType type, int64_t planes, int64_t size, int64_t n, void* to, const void* from,
                   const int64_t* index) {
  if (dry) return;
  for (int64_t i = 0; i < planes * n; ++i)
    check<IndexError>(index[i] >= 0 && index[i] < size, "Found an invalid max index: ", index[i],
                      " (input volumes have ", size, " elements)");
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    each_plane(planes, n, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p)
        for (int64_t i = p * n; i < (p + 1) * n; ++i)
          static_cast<T*>(to)[i] = static_cast<const T*>(from)[p * size + index[i]];
    });
  });
}

void im2col(ScalarType type, int64_t planes, const Windows& w, void* columns, const void* x) {
  if (dry) return;
  if (planes == 0 || w.outputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const int64_t outputs = w.outputs(), inputs = w.inputs(), taps = w.taps();
    const Slab slab(w);
    const Workspace<int64_t> offsets(taps);
    slab.taps(0, taps, offsets.data());
    const Workspace<SlabSegment> segments(slab.most_segments(outputs));
    const int64_t count = slab.segments(0, outputs, segments.data());
    each_plane(planes, outputs * taps, [&](int64_t begin, int64_t end) {
      const Workspace<T> buffer(slab.room(1));
      T* const room = buffer.data() + kSlabSlack;
      for (int64_t i = begin; i < end; ++i) {
        slab.fill(room, static_cast<const T*>(x) + i * inputs, 1);
        conv_kernels<T>().rows(room, offsets.data(), taps, segments.data(), count, outputs,
                               static_cast<T*>(columns) + i * taps * outputs);
      }
    });
  });
}

void col2im(ScalarType type, int64_t planes, const Windows& w, void* x, const void* columns) {
  if (dry) return;
  if (planes == 0 || w.inputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const int64_t outputs = w.outputs(), inputs = w.inputs(), taps = w.taps();
    const Slab slab(w);
    const Workspace<int64_t> offsets(taps);
    slab.taps(0, taps, offsets.data());
    const Workspace<SlabSegment> segments(slab.most_segments(outputs));
    const int64_t count = slab.segments(0, outputs, segments.data());
    each_plane(planes, outputs * taps, [&](int64_t begin, int64_t end) {
      const Workspace<T> buffer(slab.room(1));
      T* const room = buffer.data() + kSlabSlack;
      for (int64_t i = begin; i < end; ++i) {
        std::fill_n(room, slab.channel(), T(0));
        conv_kernels<T>().add_rows(room, offsets.data(), taps, segments.data(), count, outputs,
                                   static_cast<const T*>(columns) + i * taps * outputs);
        slab.read(static_cast<T*>(x) + i * inputs, room, 1);
      }
    });
  });
}

}  // namespace taut::kernels
