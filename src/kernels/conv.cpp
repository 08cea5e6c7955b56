// Convolution as matrix products whose patches are packed tile by tile from slabs (kernels/slab.h), straight into the
// panels of the gemm kernels: the matrix of all patches never exists. Depthwise convolutions take windows directly.
#include "kernels/conv.h"

#include <cstring>

#include "core/parallel.h"
#include "kernels/isa/gemm.h"

namespace taut::kernels {
namespace {

// Sizes of tiles do not change a result, except kDepth, and kTile and the parts in conv_weight.
constexpr int64_t kDepth = 256;         // rows of patches in a block
constexpr int64_t kTile = 256;          // columns of patches in a tile
constexpr int64_t kLongTile = 1024;     // the same where dot products run along it
constexpr int64_t kRows = 252;          // rows of a result that are computed together
constexpr int64_t kEnoughTasks = 8;     // fewer are split further
constexpr int64_t kTaskWork = 1 << 18;  // multiply-adds that are worth a task of their own

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// The smallest size that still makes ceil(total / most) parts, in multiples of `unit`.
int64_t even_part(int64_t total, int64_t most, int64_t unit = 1) {
  return ceil_div(ceil_div(total, ceil_div(total, most)), unit) * unit;
}

template <class T>
const GemmKernels<T>& gemm_kernels() {
  if constexpr (std::is_same_v<T, float>) return gemm_table().f32;
  else return gemm_table().f64;
}

/// `count` tasks, so many at a time that threads are worth it.
template <class F>
void run_tasks(int64_t count, int64_t work, F f) {
  parallel_for(count, std::clamp<int64_t>(kTaskWork / std::max<int64_t>(work, 1), 1, std::max<int64_t>(count, 1)), f);
}

using Offsets = Workspace<int64_t>;

// ---- one filter per channel

bool depthwise(const Conv& c) { return c.in_channels == 1 && c.groups > 1 && c.out_channels <= 4; }

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

template <class T>
void depthwise_input(const Conv& c, T* x, const T* y, const T* w, const T* bias) {
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
      std::fill_n(room, slab.channel(), T(0));
      for (int64_t m = 0; m < c.out_channels; ++m)
        kernels.add_filter(grid, room, offsets.data(), taps, w + (i % c.groups * c.out_channels + m) * taps,
                           y + (i * c.out_channels + m) * outputs);
      slab.read(x + i * inputs, room, 1);
      if (bias)
        for (int64_t p = 0; p < inputs; ++p) x[i * inputs + p] += bias[i % c.groups];
    }
  });
}

template <class T>
void depthwise_weight(const Conv& c, T* w, const T* y, const T* x) {
  const auto& kernels = conv_kernels<T>();
  const Slab slab(c.windows);
  const int64_t taps = c.windows.taps(), outputs = c.windows.outputs(), inputs = c.windows.inputs();
  const SlabGrid grid = slab.grid();
  const Offsets offsets(taps);
  slab.taps(0, taps, offsets.data());
  std::fill_n(w, c.groups * c.out_channels * taps, T(0));
  run_tasks(c.groups, c.batch * outputs * (taps + 8) * c.out_channels / 4, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(1));
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t g = begin; g < end; ++g)
      for (int64_t n = 0; n < c.batch; ++n) {
        slab.fill(room, x + (n * c.groups + g) * inputs, 1);
        for (int64_t m = 0; m < c.out_channels; ++m) {
          const int64_t channel = g * c.out_channels + m;
          kernels.correlate(grid, room, offsets.data(), taps, y + (n * c.groups * c.out_channels + channel) * outputs,
                            w + channel * taps);
        }
      }
  });
}

// ---- forward

/// Rows of patches per block: whole channels where they fit.
int64_t block_depth(int64_t taps, int64_t depth) {
  return taps <= kDepth ? std::min(kDepth / taps * taps, depth) : even_part(depth, kDepth);
}

/// c [m, n] = column vector [m] repeated.
template <class T>
void repeat_column(T* c, int64_t row, int64_t m, int64_t n, const T* column) {
  for (int64_t i = 0; i < m; ++i) std::fill_n(c + i * row, n, column[i]);
}

/// A matrix [m, k] whose rows are `row` apart and whose columns are `col` apart.
template <class T>
struct Factor {
  const T* data;
  int64_t row, col;
};

/// For each group y [m, outputs] = a [m, channels * taps] * patches of x [channels] + bias, where m = out_channels.
template <class T>
void multiply_patches(const Conv& c, T* y, const T* x, Factor<T> a, int64_t a_group, const T* bias) {
  const auto& gemm = gemm_kernels<T>();
  const auto& kernels = conv_kernels<T>();
  const Windows& w = c.windows;
  const int64_t taps = w.taps(), k = c.in_channels * taps, m = c.out_channels, outputs = w.outputs();
  const int64_t inputs = w.inputs(), panel = gemm.panel;
  const bool pointwise = w.pointwise();
  const int64_t depth = block_depth(taps, k);
  const bool in_one = k < kDepth && !pointwise && bias;  // then the bias is one more row: of ones

  Workspace<T> with_bias(in_one ? c.groups * m * (k + 1) : 0);
  if (in_one) {
    for (int64_t g = 0; g < c.groups; ++g)
      for (int64_t i = 0; i < m; ++i) {
        T* to = with_bias.data() + (g * m + i) * (k + 1);
        for (int64_t p = 0; p < k; ++p) to[p] = a.data[g * a_group + i * a.row + p * a.col];
        to[k] = bias[g * m + i];
      }
    a = {with_bias.data(), k + 1, 1};
    a_group = m * (k + 1);
  }

  const int64_t columns = even_part(outputs, kTile, panel), tiles = ceil_div(outputs, columns);
  const int64_t tasks = c.batch * c.groups * tiles;
  const int64_t parts = tasks >= kEnoughTasks ? 1 : std::clamp<int64_t>(m / 28, 1, ceil_div(kEnoughTasks, tasks));
  const int64_t part = ceil_div(m, parts);
  run_tasks(tasks * parts, part * columns * k, [&](int64_t begin, int64_t end) {
    const Workspace<T> packed((depth + 1) * columns);
    const Offsets offsets(depth);
    const Workspace<SlabSegment> segments(columns / w.out[2] + 2);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t i0 = task % parts * part, rows = std::min(part, m - i0);
      if (rows <= 0) continue;
      const int64_t tile = task / parts % tiles, image = task / parts / tiles, g = image % c.groups;
      const int64_t p0 = tile * columns, n = std::min(columns, outputs - p0);
      const T* const from = x + image * c.in_channels * inputs;
      T* const to = y + (image * m + i0) * outputs + p0;
      GemmBlock<T> block = {
          rows,    n,    0,   a.data + g * a_group + i0 * a.row, a.row, a.col, packed.data(), panel, 0, to,
          outputs, T(1), T(0)};
      if (bias && !in_one) {
        repeat_column(to, outputs, rows, n, bias + g * m + i0);
        block.beta = 1;
      }
      if (pointwise) {
        // Packing the panels pays when many rows read them.
        const bool pack = rows >= 48;
        for (int64_t k0 = 0; k0 < k; k0 += depth, block.beta = 1, block.a += depth * a.col) {
          block.k = std::min(depth, k - k0);
          const T* b = from + k0 * inputs + p0;
          if (pack) {
            gemm.pack(block.k, n, b, inputs, 1, packed.data());
            block.b_jump = block.k;
          } else {
            block.b = b, block.b_row = inputs, block.b_jump = 1;
          }
          gemm.block(block);
        }
        continue;
      }
      const Slab slab(w, p0, p0 + n);
      slab.segments(p0, p0 + n, segments.data());
      const int64_t most_channels = taps <= kDepth ? depth / taps : 2;
      const Workspace<T> buffer(slab.room(most_channels));
      T* const room = buffer.data() + kSlabSlack;
      for (int64_t k0 = 0; k0 < k; k0 += depth, block.beta = 1, block.a += depth * a.col) {
        const int64_t k1 = std::min(k0 + depth, k), c0 = k0 / taps, c1 = ceil_div(k1, taps);
        slab.fill(room, from + c0 * inputs, c1 - c0);
        slab.taps(k0, k1, offsets.data());
        block.k = block.b_jump = k1 - k0 + in_one;
        kernels.pack(room, offsets.data(), k1 - k0, segments.data(), n, block.k, packed.data());
        for (int64_t j = 0; in_one && j < n; j += panel)
          std::fill_n(packed.data() + j * block.k + (k1 - k0) * panel, panel, T(1));
        gemm.block(block);
      }
      if (k == 0 && !bias)
        for (int64_t i = 0; i < rows; ++i) std::fill_n(to + i * outputs, n, T(0));
    }
  });
}

// ---- the gradient of the images

/// Products w^T y give every patch of the gradient; they are added up in slabs, each by one owner.
template <class T>
void scatter_patches(const Conv& c, T* x, const T* y, const T* w, const T* bias) {
  const auto& gemm = gemm_kernels<T>();
  const auto& kernels = conv_kernels<T>();
  const Windows& win = c.windows;
  const int64_t taps = win.taps(), k = c.in_channels * taps, outputs = win.outputs(), inputs = win.inputs();
  const Slab slab(win);
  const int64_t columns = even_part(outputs, kTile, gemm.panel);
  // As many channels together as keep the slab in the cache, fewer when there are few images.
  int64_t channels = std::clamp<int64_t>(kRows / taps, 1, c.in_channels);
  channels = std::clamp<int64_t>((int64_t{1} << 18) / slab.channel(), 1, channels);
  const int64_t images = c.batch * c.groups;
  if (images * ceil_div(c.in_channels, channels) < kEnoughTasks)
    channels = std::max<int64_t>(1, std::min(channels, ceil_div(c.in_channels * images, kEnoughTasks)));
  channels = even_part(c.in_channels, channels);
  const int64_t groups = ceil_div(c.in_channels, channels), rows = channels * taps, pitch = columns + 16;
  run_tasks(images * groups, rows * outputs * c.out_channels, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(channels)), product(rows * pitch);
    const Offsets offsets(rows);
    const Workspace<SlabSegment> segments(slab.most_segments(columns));
    slab.taps(0, rows, offsets.data());
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t task = begin; task < end; ++task) {
      const int64_t image = task / groups, g = image % c.groups, c0 = task % groups * channels;
      const int64_t n = std::min(channels, c.in_channels - c0);
      std::fill_n(room, n * slab.channel(), T(0));
      const T* const weight = w + g * c.out_channels * k + c0 * taps;
      const T* const from = y + image * c.out_channels * outputs;
      for (int64_t p0 = 0; p0 < outputs; p0 += columns) {
        const int64_t cols = std::min(columns, outputs - p0), count = slab.segments(p0, p0 + cols, segments.data());
        T beta = 0;
        for (int64_t k0 = 0; k0 < c.out_channels; k0 += kDepth, beta = 1)
          gemm.block({n * taps, cols, std::min(kDepth, c.out_channels - k0), weight + k0 * k, 1, k,
                      from + k0 * outputs + p0, outputs, 1, product.data(), pitch, T(1), beta});
        kernels.add_rows(room, offsets.data(), n * taps, segments.data(), count, pitch, product.data());
      }
      T* const to = x + (image * c.in_channels + c0) * inputs;
      slab.read(to, room, n);
      if (bias)
        for (int64_t i = 0; i < n; ++i)
          for (int64_t p = 0; p < inputs; ++p) to[i * inputs + p] += bias[g * c.in_channels + c0 + i];
    }
  });
}

// ---- the gradient of the weight

/// Tiles of patches times tiles of y, summed in a fixed number of parts that are added in order.
template <class T>
void correlate_patches(const Conv& c, T* w, const T* y, const T* x) {
  const auto& gemm = gemm_kernels<T>();
  const auto& kernels = conv_kernels<T>();
  const Windows& win = c.windows;
  const int64_t taps = win.taps(), k = c.in_channels * taps, m = c.out_channels;
  const int64_t outputs = win.outputs(), inputs = win.inputs();
  const bool dots = std::min(k, m) < 16;  // both operands as they are, vectors along the positions
  const int64_t columns = even_part(outputs, dots ? kLongTile : kTile);
  const int64_t tiles = ceil_div(outputs, columns), all = c.batch * tiles, pitch = columns + 16;
  // A task owns some rows and columns of the (transposed) gradient, and a part of the tiles.
  const int64_t rows = taps <= kRows ? even_part(c.in_channels, kRows / taps) * taps : even_part(k, kRows);
  const int64_t width = dots ? even_part(m, kRows) : even_part(m, 256, gemm.panel);
  const int64_t down = ceil_div(k, rows), across = ceil_div(m, width), owners = c.groups * down * across;
  const int64_t parts = owners >= kEnoughTasks || owners * all * rows * width * columns < 4 * kTaskWork
                            ? 1
                            : std::min(all, ceil_div(kEnoughTasks, owners));
  const int64_t part = ceil_div(all, parts), area = c.groups * k * m;
  const Workspace<T> sums(parts * area);
  run_tasks(owners * parts, part * rows * width * columns, [&](int64_t begin, int64_t end) {
    const Workspace<T> patches(rows * pitch), packed(dots ? 0 : ceil_div(width, gemm.panel) * gemm.panel * columns);
    const Offsets offsets(rows);
    const Workspace<SlabSegment> segments(columns / win.out[2] + 2);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t piece = task / owners, owner = task % owners;
      const int64_t j0 = owner % across * width, i0 = owner / across % down * rows, g = owner / across / down;
      const int64_t n = std::min(width, m - j0), r = std::min(rows, k - i0);
      const int64_t c0 = i0 / taps, channels = ceil_div(i0 + r, taps) - c0;
      // With dots the gradient lies as [m, k], else transposed.
      T* const sum = sums.data() + piece * area + g * k * m + (dots ? j0 * k + i0 : i0 * m + j0);
      T beta = 0;
      for (int64_t t = piece * part; t < std::min(all, (piece + 1) * part); ++t, beta = 1) {
        const int64_t image = t / tiles * c.groups + g, p0 = t % tiles * columns,
                      cols = std::min(columns, outputs - p0);
        const T* const from = x + (image * c.in_channels + c0) * inputs;
        const T* const of = y + (image * m + j0) * outputs + p0;
        if (win.pointwise()) {
          for (int64_t i = 0; i < r; ++i) std::copy_n(from + i * inputs + p0, cols, patches.data() + i * pitch);
        } else {
          const Slab slab(win, p0, p0 + cols);
          const Workspace<T> buffer(slab.room(channels));
          T* const room = buffer.data() + kSlabSlack;
          slab.fill(room, from, channels);
          slab.taps(i0, i0 + r, offsets.data());
          const int64_t count = slab.segments(p0, p0 + cols, segments.data());
          kernels.rows(room, offsets.data(), r, segments.data(), count, pitch, patches.data());
        }
        if (dots) {
          gemm.dots({n, r, cols, of, outputs, 1, patches.data(), pitch, 1, sum, k, T(1), beta});
        } else {
          gemm.pack(cols, n, of, 1, outputs, packed.data());
          gemm.block({r, n, cols, patches.data(), pitch, 1, packed.data(), gemm.panel, cols, sum, m, T(1), beta});
        }
      }
      if (beta == 0)
        for (int64_t i = 0; i < (dots ? n : r); ++i) std::fill_n(sum + i * (dots ? k : m), dots ? r : n, T(0));
    }
  });
  parallel_for(area, 1 << 14, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {  // of the result, [groups, m, k]
      const int64_t g = i / (k * m), row = i / k % m, col = i % k;
      const T* from = sums.data() + g * k * m + (dots ? row * k + col : col * m + row);
      T sum = from[0];
      for (int64_t p = 1; p < parts; ++p) sum += from[p * area];
      w[i] = sum;
    }
  });
}

template <class F>
void visit(ScalarType type, F f) {
  if (type == kDouble) f(double{});
  else f(float{});
}

bool empty(const Conv& c) { return c.batch == 0 || c.groups == 0; }

}  // namespace

void conv_forward(ScalarType type, const Conv& conv, void* y, const void* x, const void* w, const void* bias) {
  if (empty(conv) || conv.out_channels == 0 || conv.windows.outputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const auto *xs = static_cast<const T*>(x), *ws = static_cast<const T*>(w), *b = static_cast<const T*>(bias);
    const int64_t k = conv.in_channels * conv.windows.taps();
    if (depthwise(conv)) depthwise_forward(conv, static_cast<T*>(y), xs, ws, b);
    else multiply_patches<T>(conv, static_cast<T*>(y), xs, {ws, k, 1}, conv.out_channels * k, b);
  });
}

void conv_input(ScalarType type, const Conv& conv, void* x, const void* y, const void* w, const void* bias) {
  if (empty(conv) || conv.in_channels == 0 || conv.windows.inputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    T* const xs = static_cast<T*>(x);
    const auto *ys = static_cast<const T*>(y), *ws = static_cast<const T*>(w), *b = static_cast<const T*>(bias);
    const int64_t k = conv.in_channels * conv.windows.taps();
    if (conv.out_channels == 0 || conv.windows.outputs() == 0) {
      const int64_t inputs = conv.windows.inputs(), channels = conv.groups * conv.in_channels;
      for (int64_t i = 0; i < conv.batch * channels; ++i)
        std::fill_n(xs + i * inputs, inputs, b ? b[i % channels] : T(0));
    } else if (conv.windows.pointwise()) {
      Conv turned = conv;
      std::swap(turned.in_channels, turned.out_channels);
      multiply_patches<T>(turned, xs, ys, {ws, 1, k}, conv.out_channels * k, b);
    } else if (depthwise(conv)) {
      depthwise_input(conv, xs, ys, ws, b);
    } else {
      scatter_patches(conv, xs, ys, ws, b);
    }
  });
}

void conv_weight(ScalarType type, const Conv& conv, void* w, const void* y, const void* x) {
  const int64_t count = conv.groups * conv.out_channels * conv.in_channels * conv.windows.taps();
  if (count == 0) return;
  if (empty(conv) || conv.windows.outputs() == 0 || conv.windows.inputs() == 0)
    return void(std::memset(w, 0, static_cast<size_t>(count * element_size(type))));
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const auto *ys = static_cast<const T*>(y), *xs = static_cast<const T*>(x);
    if (depthwise(conv)) depthwise_weight(conv, static_cast<T*>(w), ys, xs);
    else correlate_patches(conv, static_cast<T*>(w), ys, xs);
  });
}

}  // namespace taut::kernels
