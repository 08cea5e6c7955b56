// Convolutions with one filter per channel take windows directly from slabs (kernels/slab.h).
#include "kernels/conv_parts.h"

namespace taut::kernels {

template <class T>
void depthwise_forward(const Conv& c, T* y, const T* x, const T* w, const T* bias) {
  const auto& kernels = conv_kernels<T>();
  const Slab slab(c.windows);
  const int64_t taps = c.windows.taps(), outputs = c.windows.outputs(), inputs = c.windows.inputs();
  const SlabGrid grid = slab.grid();
  const Offsets offsets(taps);
  slab.taps(0, taps, offsets.data());
  run_tasks(c.batch * c.groups, outputs * (taps + 8) * c.out_channels / 4, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(1));
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t i = begin; i < end; ++i) {
      slab.fill(room, x + i * inputs, 1);
      for (int64_t m = 0; m < c.out_channels; ++m) {
        const int64_t channel = i % c.groups * c.out_channels + m;
        kernels.filter(grid, room, offsets.data(), taps, w + channel * taps, bias ? bias[channel] : T(0),
                       y + (i * c.out_channels + m) * outputs);
      }
    }
  });
}

namespace {

/// The elements i = first + q * stride of an image along one dimension, q < count, and the taps that reach them from
/// result q + shift.
struct Phase {
  int64_t first, count;
  std::vector<int64_t> tap, shift;
};
std::vector<Phase> phases_of(const Windows& w, int d) {
  std::vector<Phase> list;
  for (int64_t r = 0; r < std::min(w.stride[d], w.in[d]); ++r) {
    Phase p{r, (w.in[d] - r + w.stride[d] - 1) / w.stride[d], {}, {}};
    for (int64_t k = 0; k < w.kernel[d]; ++k) {
      const int64_t distance = r + w.padding[d] - k * w.dilation[d];
      if (distance % w.stride[d] == 0) p.tap.push_back(k), p.shift.push_back(distance / w.stride[d]);
    }
    list.push_back(p);
  }
  return list;
}

/// A window around an element that covers all results from which taps reach it.
Windows around(const Windows& win, const std::vector<Phase> (&phases)[3]) {
  Windows around = {};
  for (int d = 0; d < 3; ++d) {
    int64_t least = 0, most = 0, count = 1;
    for (const Phase& p : phases[d]) {
      count = std::max(count, p.count);
      for (int64_t s : p.shift) least = std::min(least, s), most = std::max(most, s);
    }
    around.in[d] = win.out[d];
    around.out[d] = count;
    around.kernel[d] = most - least + 1;
    around.stride[d] = around.dilation[d] = 1;
    around.padding[d] = -least;
  }
  return around;
}

/// The elements of one phase in every dimension, and the taps that reach them: in the weight, and in the slab of y.
struct Kind {
  int64_t first;
  SlabGrid grid;
  std::vector<int64_t> tap, offset;
};
std::vector<Kind> kinds_of(const Windows& win, const std::vector<Phase> (&phases)[3], const Windows& around,
                           const Slab& slab) {
  const Offsets places(around.taps());
  slab.taps(0, around.taps(), places.data());
  const auto index = [](const Windows& w, int64_t z, int64_t v, int64_t u) {
    return (z * w.kernel[1] + v) * w.kernel[2] + u;
  };
  std::vector<Kind> kinds;
  for (const Phase& z : phases[0])
    for (const Phase& v : phases[1])
      for (const Phase& u : phases[2]) {
        Kind kind{(z.first * win.in[1] + v.first) * win.in[2] + u.first, slab.grid(), {}, {}};
        kind.grid.depth = z.count, kind.grid.height = v.count, kind.grid.width = u.count;
        for (size_t i = 0; i < z.tap.size(); ++i)
          for (size_t j = 0; j < v.tap.size(); ++j)
            for (size_t k = 0; k < u.tap.size(); ++k) {
              kind.tap.push_back(index(win, z.tap[i], v.tap[j], u.tap[k]));
              kind.offset.push_back(
                  places.data()[index(around, z.shift[i] + around.padding[0], v.shift[j] + around.padding[1],
                                      u.shift[k] + around.padding[2])]);
            }
        kinds.push_back(kind);
      }
  return kinds;
}

/// Sends the elements of a kind, which lie one after the other, to their places in an image.
template <class T>
void distribute(const Windows& win, const Kind& kind, T* image, const T* from) {
  for (int64_t z = 0; z < kind.grid.depth; ++z)
    for (int64_t v = 0; v < kind.grid.height; ++v, from += kind.grid.width) {
      T* row = image + kind.first + (z * win.stride[0] * win.in[1] + v * win.stride[1]) * win.in[2];
      if (win.stride[2] == 2)
        for (int64_t u = 0; u < kind.grid.width; ++u) row[2 * u] = from[u];
      else
        for (int64_t u = 0; u < kind.grid.width; ++u) row[u * win.stride[2]] = from[u];
    }
}

}  // namespace

/// Elements with the same remainder modulo the stride are reached by the same taps: each kind is a filter of stride 1.
template <class T>
void depthwise_input(const Conv& c, T* x, const T* y, const T* w, const T* bias) {
  const Windows& win = c.windows;
  const int64_t taps = win.taps(), outputs = win.outputs(), inputs = win.inputs();
  const std::vector<Phase> phases[3] = {phases_of(win, 0), phases_of(win, 1), phases_of(win, 2)};
  const Windows window = around(win, phases);
  const Slab slab(window);
  const std::vector<Kind> kinds = kinds_of(win, phases, window, slab);
  const bool whole = kinds.size() == 1 && c.out_channels == 1;  // then the filter writes the image itself
  run_tasks(c.batch * c.groups, outputs * (taps + 8) * c.out_channels / 4, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(c.out_channels)), weights(taps * c.out_channels), part(inputs);
    const Offsets offsets(taps * c.out_channels);
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t g = i % c.groups;
      T* const image = x + i * inputs;
      slab.fill(room, y + i * c.out_channels * outputs, c.out_channels);
      for (const Kind& kind : kinds) {
        int64_t n = 0;
        for (int64_t m = 0; m < c.out_channels; ++m)
          for (size_t k = 0; k < kind.tap.size(); ++k, ++n) {
            weights.data()[n] = w[(g * c.out_channels + m) * taps + kind.tap[k]];
            offsets.data()[n] = m * slab.channel() + kind.offset[k];
          }
        conv_kernels<T>().filter(kind.grid, room, offsets.data(), n, weights.data(), bias ? bias[g] : T(0),
                                 whole ? image : part.data());
        if (!whole) distribute(win, kind, image, part.data());
      }
    }
  });
}

template <class T>
void depthwise_weight(const Conv& c, T* w, const T* y, const T* x, T* bias) {
  const auto& kernels = conv_kernels<T>();
  const Slab slab(c.windows);
  const int64_t taps = c.windows.taps(), outputs = c.windows.outputs(), inputs = c.windows.inputs();
  const SlabGrid grid = slab.grid();
  const Offsets offsets(taps);
  slab.taps(0, taps, offsets.data());
  std::fill_n(w, c.groups * c.out_channels * taps, T(0));
  if (bias) std::fill_n(bias, c.groups * c.out_channels, T(0));
  const Workspace<T> ones(bias ? outputs : 0);
  if (bias) std::fill_n(ones.data(), outputs, T(1));
  run_tasks(c.groups, c.batch * outputs * (taps + 8) * c.out_channels / 4, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(1));
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t g = begin; g < end; ++g)
      for (int64_t n = 0; n < c.batch; ++n) {
        slab.fill(room, x + (n * c.groups + g) * inputs, 1);
        for (int64_t m = 0; m < c.out_channels; ++m) {
          const int64_t channel = g * c.out_channels + m;
          const T* const of = y + (n * c.groups * c.out_channels + channel) * outputs;
          kernels.correlate(grid, room, offsets.data(), taps, of, w + channel * taps);
          if (bias) bias[channel] += gemm_kernels<T>().dot(outputs, of, ones.data());
        }
      }
  });
}

template void depthwise_forward(const Conv&, float*, const float*, const float*, const float*);
template void depthwise_forward(const Conv&, double*, const double*, const double*, const double*);
template void depthwise_input(const Conv&, float*, const float*, const float*, const float*);
template void depthwise_input(const Conv&, double*, const double*, const double*, const double*);
template void depthwise_weight(const Conv&, float*, const float*, const float*, float*);
template void depthwise_weight(const Conv&, double*, const double*, const double*, double*);

}  // namespace taut::kernels
