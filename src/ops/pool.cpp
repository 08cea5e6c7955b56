// Pooling. Averages are linear maps with linear derivatives; a maximum remembers where it was found, and its derivative
// carries the gradient back there.
#include "taut/ops/pool.h"
#include "ops/autocast.h"

#include <algorithm>
#include <array>

#include "kernels/pool.h"
#include "ops/registry.h"
#include "ops/window.h"

namespace taut {
namespace {

/// Planes of `dims` dimensions behind all others.
struct Planes {
  int64_t count;
  Dims outer;
  int dims;
  Planes(const Tensor& x, int d)
      : count(1), outer(x.sizes().slice(0, x.sizes().size() - static_cast<size_t>(d))), dims(d) {
    for (int64_t s : outer) count *= s;
  }
  /// Of so many items.
  Planes moved(int64_t items) const {
    Planes all = *this;
    all.count *= items;
    all.outer.insert(0, items);
    return all;
  }
  Dims sizes(const int64_t (&spatial)[3]) const {
    Dims s = outer;
    for (int d = 3 - dims; d < 3; ++d) s.push_back(spatial[d]);
    return s;
  }
};
int64_t volume(const int64_t (&sizes)[3]) { return sizes[0] * sizes[1] * sizes[2]; }

/// Node names by the number of dimensions.
struct Names {
  const char *op, *node, *higher;
};

// ---- values carried to and from places in planes

struct GatherPlanes;
/// For each plane: add up the values at the places that `index` says, in a plane of other sizes.
struct ScatterPlanes {
  static constexpr const char* name = "max_pool_backward";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1)};
  Planes planes;
  std::array<int64_t, 3> size;
  bool add;
  const char *op, *node;
  const char* op_name() const { return op; }
  const char* node_name() const { return node; }
  ScatterPlanes moved(int64_t items) const {
    ScatterPlanes op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  Tensor forward(const Tensor& g, const Tensor& index) const {
    const int64_t spatial[3] = {size[0], size[1], size[2]};
    const Tensor from = as_work(g), at = index.contiguous();
    const Tensor to = make(planes.sizes(spatial), from.scalar_type(), name);
    kernels::scatter_planes(from.scalar_type(), planes.count, volume(spatial),
                            planes.count ? from.numel() / planes.count : 0, to.data_ptr(), from.data_ptr(),
                            static_cast<int64_t*>(at.data_ptr()), add);
    return to.to(g.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const;
};
struct GatherPlanes {
  static constexpr const char* name = "max_pool_backward";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1)};
  Planes planes;
  std::array<int64_t, 3> size;
  const char* node;
  const char* node_name() const { return node; }
  GatherPlanes moved(int64_t items) const {
    GatherPlanes op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  Tensor forward(const Tensor& x, const Tensor& index) const {
    const int64_t spatial[3] = {size[0], size[1], size[2]};
    const Tensor from = as_work(x), at = index.contiguous();
    const Tensor to = make(index.sizes(), from.scalar_type(), name);
    kernels::gather_planes(from.scalar_type(), planes.count, volume(spatial),
                           planes.count ? to.numel() / planes.count : 0, to.data_ptr(), from.data_ptr(),
                           static_cast<int64_t*>(at.data_ptr()));
    return to.to(x.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    return apply(ScatterPlanes{planes, size, true, name, node}, g, s.input(1));
  }
};
Tensor ScatterPlanes::vjp(int, const Tensor& g, const Saved& s) const {
  return apply(GatherPlanes{planes, size, node}, g, s.input(1));
}

/// The gradient of a maximum.
Tensor carry_back(const Planes& planes, const int64_t (&in)[3], const Tensor& g, const Tensor& index,
                  const Names& names) {
  return apply(ScatterPlanes{planes, {in[0], in[1], in[2]}, true, names.op, names.higher}, g, index);
}

using TwoTensors = std::array<Tensor, 2>;
std::tuple<Tensor, Tensor> pair(const TwoTensors& t) { return {t[0], t[1]}; }

/// The type in which maxima are compared: no whole number may lose digits.
ScalarType max_type(ScalarType t) { return is_floating_point(t) ? work_type(t) : kLong; }

struct MaxPool {
  static constexpr const char* name = "max_pool";
  static constexpr unsigned bends = kInput(0);
  static constexpr unsigned reads[] = {kResult(1)};
  Planes planes;
  kernels::Windows w;
  const Names* names;
  const char* op_name() const { return names->op; }
  const char* node_name() const { return names->node; }
  MaxPool moved(int64_t items) const {
    MaxPool op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  TwoTensors forward(const Tensor& x) const {
    const Tensor from = x.to(max_type(x.scalar_type())).contiguous();
    const Tensor y = make(planes.sizes(w.out), from.scalar_type(), name), index = make(y.sizes(), kLong, name);
    kernels::max_pool(from.scalar_type(), planes.count, w, y.data_ptr(), static_cast<int64_t*>(index.data_ptr()),
                      from.data_ptr());
    return {y.to(x.scalar_type()), index};
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return carry_back(planes, w.in, g, s.result(1), *names); }
};

/// The same when nobody will ask where the maxima were. Its derivative looks for them after all.
struct MaxPoolValues {
  static constexpr const char* name = "max_pool";
  static constexpr unsigned bends = kInput(0);
  static constexpr unsigned reads[] = {kInput(0)};
  Planes planes;
  kernels::Windows w;
  const Names* names;
  const char* op_name() const { return names->op; }
  const char* node_name() const { return names->node; }
  MaxPoolValues moved(int64_t items) const {
    MaxPoolValues op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  Tensor forward(const Tensor& x) const {
    const Tensor from = x.to(max_type(x.scalar_type())).contiguous();
    const Tensor y = make(planes.sizes(w.out), from.scalar_type(), name);
    kernels::max_pool(from.scalar_type(), planes.count, w, y.data_ptr(), nullptr, from.data_ptr());
    return y.to(x.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    return carry_back(planes, w.in, g, apply(MaxPool{planes, w, names}, s.input(0))[1], *names);
  }
};

struct AvgPool {
  static constexpr const char* name = "avg_pool";
  static constexpr unsigned bends = kInput(0);
  static constexpr bool linear = true;
  Planes planes;
  kernels::AveragePool pool;
  const Names* names;
  const char* op_name() const { return names->op; }
  const char* node_name() const { return names->node; }
  AvgPool moved(int64_t items) const {
    AvgPool op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  Tensor forward(const Tensor& x) const {
    const Tensor from = as_work(x), y = make(planes.sizes(pool.windows.out), from.scalar_type(), name);
    kernels::avg_pool(from.scalar_type(), planes.count, pool, y.data_ptr(), from.data_ptr());
    return y.to(x.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const;
};
struct AvgPoolBackward {
  static constexpr const char* name = "avg_pool_backward";
  static constexpr bool linear = true;
  Planes planes;
  kernels::AveragePool pool;
  const Names* names;
  const char* node_name() const { return names->higher; }
  AvgPoolBackward moved(int64_t items) const {
    AvgPoolBackward op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  Tensor forward(const Tensor& g) const {
    const Tensor from = as_work(g), dx = make(planes.sizes(pool.windows.in), from.scalar_type(), name);
    kernels::avg_pool_backward(from.scalar_type(), planes.count, pool, dx.data_ptr(), from.data_ptr());
    return dx.to(g.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(AvgPool{planes, pool, names}, g); }
};
Tensor AvgPool::vjp(int, const Tensor& g, const Saved&) const { return apply(AvgPoolBackward{planes, pool, names}, g); }

struct AdaptiveAvgPool {
  static constexpr const char* name = "adaptive_avg_pool";
  static constexpr unsigned bends = kInput(0);
  static constexpr bool linear = true;
  Planes planes;
  kernels::AdaptivePool pool;
  const Names* names;
  const char* op_name() const { return names->op; }
  const char* node_name() const { return names->node; }
  AdaptiveAvgPool moved(int64_t items) const {
    AdaptiveAvgPool op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  Tensor forward(const Tensor& x) const {
    const Tensor from = as_work(x), y = make(planes.sizes(pool.out), from.scalar_type(), name);
    kernels::adaptive_avg_pool(from.scalar_type(), planes.count, pool, y.data_ptr(), from.data_ptr());
    return y.to(x.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const;
};
struct AdaptiveAvgPoolBackward {
  static constexpr const char* name = "adaptive_avg_pool_backward";
  static constexpr bool linear = true;
  Planes planes;
  kernels::AdaptivePool pool;
  const Names* names;
  const char* node_name() const { return names->higher; }
  AdaptiveAvgPoolBackward moved(int64_t items) const {
    AdaptiveAvgPoolBackward op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  Tensor forward(const Tensor& g) const {
    const Tensor from = as_work(g), dx = make(planes.sizes(pool.in), from.scalar_type(), name);
    kernels::adaptive_avg_pool_backward(from.scalar_type(), planes.count, pool, dx.data_ptr(), from.data_ptr());
    return dx.to(g.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(AdaptiveAvgPool{planes, pool, names}, g); }
};
Tensor AdaptiveAvgPool::vjp(int, const Tensor& g, const Saved&) const {
  return apply(AdaptiveAvgPoolBackward{planes, pool, names}, g);
}

struct AdaptiveMaxPool {
  static constexpr const char* name = "adaptive_max_pool";
  static constexpr unsigned bends = kInput(0);
  static constexpr unsigned reads[] = {kResult(1)};
  Planes planes;
  kernels::AdaptivePool pool;
  const Names* names;
  const char* op_name() const { return names->op; }
  const char* node_name() const { return names->node; }
  AdaptiveMaxPool moved(int64_t items) const {
    AdaptiveMaxPool op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  TwoTensors forward(const Tensor& x) const {
    const Tensor from = as_work(x), y = make(planes.sizes(pool.out), from.scalar_type(), name),
                 index = make(y.sizes(), kLong, name);
    kernels::adaptive_max_pool(from.scalar_type(), planes.count, pool, y.data_ptr(),
                               static_cast<int64_t*>(index.data_ptr()), from.data_ptr());
    return {y.to(x.scalar_type()), index};
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return carry_back(planes, pool.in, g, s.result(1), *names); }
};

struct FractionalMaxPool {
  static constexpr const char* name = "fractional_max_pool";
  static constexpr unsigned bends = kInput(0);
  static constexpr unsigned reads[] = {kResult(1), 0};
  Planes planes;
  kernels::FractionalPool pool;
  const Names* names;
  const char* op_name() const { return names->op; }
  const char* node_name() const { return names->node; }
  FractionalMaxPool moved(int64_t items) const {
    FractionalMaxPool op = *this;
    op.planes = planes.moved(items);
    return op;
  }
  /// samples [planes, 3] in the type of x.
  TwoTensors forward(const Tensor& x, const Tensor& samples) const {
    const Tensor from = as_work(x), numbers = as_work(samples),
                 y = make(planes.sizes(pool.out), from.scalar_type(), name), index = make(y.sizes(), kLong, name);
    kernels::fractional_max_pool(from.scalar_type(), planes.count, pool, y.data_ptr(),
                                 static_cast<int64_t*>(index.data_ptr()), from.data_ptr(), numbers.data_ptr());
    return {y.to(x.scalar_type()), index};
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? carry_back(planes, pool.in, g, s.result(1), *names) : Tensor();
  }
};

// ---- checks

void check_float(const char* op, const Tensor& x) {
  check<TypeError>(x.is_floating_point(), op, ": not implemented for ", x.scalar_type(),
                   ". Convert the input first: x.to(taut::kFloat).");
}

/// One plane per channel, with elements in it; a batch may be empty.
void check_input(const char* op, const Tensor& x, int dims) {
  check_defined(x, op);
  const bool fits = x.dim() == dims + 1 || x.dim() == dims + 2;
  bool elements = fits;
  for (int64_t d = x.dim() == dims + 2 ? 1 : 0; elements && d < x.dim(); ++d) elements = x.size(d) > 0;
  check<ValueError>(elements, op, ": Expected ", dims + 1, "D or ", dims + 2,
                    "D (batch mode) tensor with optional 0 dim batch size for input, but got: ", x.sizes());
}

Dims numbers(const char* op, const char* what, IntArrayRef list, int dims) {
  check<ValueError>(list.size() == 1 || list.size() == static_cast<size_t>(dims), op, ": ", what,
                    " must either be a single int, or a tuple of ", dims, " ints, got ", list);
  return list.size() == 1 ? Dims(static_cast<size_t>(dims), list[0]) : Dims(list);
}

kernels::Windows pool_windows(const char* op, const Tensor& x, int dims, IntArrayRef kernel_size, IntArrayRef stride,
                              IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  check_input(op, x, dims);
  Dims kernel = numbers(op, "kernel_size", kernel_size, dims);
  const Dims step = stride.empty() ? kernel : numbers(op, "stride", stride, dims),
             pad = numbers(op, "padding", padding, dims), spread = numbers(op, "dilation", dilation, dims);
  const Dims in(x.sizes().slice(x.sizes().size() - static_cast<size_t>(dims), static_cast<size_t>(dims)));
  Dims out(in.size());
  for (size_t d = 0; d < in.size(); ++d) {
    check<ValueError>(kernel[d] > 0 && kernel[d] <= INT32_MAX, op,
                      ": kernel_size should be greater than zero, but got ", IntArrayRef(kernel));
    check<ValueError>(step[d] > 0 && step[d] <= INT32_MAX, op, ": stride should not be zero or negative, but got ",
                      IntArrayRef(step));
    check<ValueError>(spread[d] > 0 && spread[d] <= INT32_MAX, op, ": dilation should be greater than zero, but got ",
                      IntArrayRef(spread));
    check<ValueError>(pad[d] >= 0, op, ": pad must be non-negative, but got pad: ", IntArrayRef(pad));
    const int64_t reach = spread[d] * (kernel[d] - 1) + 1;
    check<ValueError>(pad[d] <= reach / 2, op,
                      ": pad should be at most half of effective kernel size, but got pad=", IntArrayRef(pad),
                      ", kernel_size=", IntArrayRef(kernel), " and dilation=", IntArrayRef(spread));
    const int64_t room = in[d] + 2 * pad[d] - reach + (ceil_mode ? step[d] - 1 : 0);
    out[d] = room < 0 ? 0 : room / step[d] + 1;
    // The last window must begin inside the image or the padding before it.
    if (ceil_mode && (out[d] - 1) * step[d] >= in[d] + pad[d]) --out[d];
    // What no window sees inside of the padded image need not be looked for.
    kernel[d] = std::clamp<int64_t>((in[d] + 2 * pad[d] + spread[d] - 1) / spread[d], 1, kernel[d]);
  }
  const int64_t channels = x.size(-static_cast<int64_t>(in.size()) - 1);
  for (int64_t o : out)
    check<ValueError>(o > 0, "Given input size: (", channels, "x", by(in, "x"), "). Calculated output size: (",
                      channels, "x", by(out, "x"), "). Output size is too small in ", op);
  return make_windows(in, out, kernel, step, pad, spread);
}

constexpr Names kMax[] = {{"max_pool1d", "MaxPool1DWithIndicesBackward0", "MaxPool1DWithIndicesBackwardBackward0"},
                          {"max_pool2d", "MaxPool2DWithIndicesBackward0", "MaxPool2DWithIndicesBackwardBackward0"},
                          {"max_pool3d", "MaxPool3DWithIndicesBackward0", "MaxPool3DWithIndicesBackwardBackward0"}};
constexpr Names kAvg[] = {{"avg_pool1d", "AvgPool1DBackward0", "AvgPool1DBackwardBackward0"},
                          {"avg_pool2d", "AvgPool2DBackward0", "AvgPool2DBackwardBackward0"},
                          {"avg_pool3d", "AvgPool3DBackward0", "AvgPool3DBackwardBackward0"}};
constexpr Names kAdaptiveAvg[] = {
    {"adaptive_avg_pool1d", "AdaptiveAvgPool1DBackward0", "AdaptiveAvgPool1DBackwardBackward0"},
    {"adaptive_avg_pool2d", "AdaptiveAvgPool2DBackward0", "AdaptiveAvgPool2DBackwardBackward0"},
    {"adaptive_avg_pool3d", "AdaptiveAvgPool3DBackward0", "AdaptiveAvgPool3DBackwardBackward0"}};
constexpr Names kAdaptiveMax[] = {
    {"adaptive_max_pool1d", "AdaptiveMaxPool1DBackward0", "AdaptiveMaxPool1DBackwardBackward0"},
    {"adaptive_max_pool2d", "AdaptiveMaxPool2DBackward0", "AdaptiveMaxPool2DBackwardBackward0"},
    {"adaptive_max_pool3d", "AdaptiveMaxPool3DBackward0", "AdaptiveMaxPool3DBackwardBackward0"}};
constexpr Names kFractional[] = {
    {"", "", ""},
    {"fractional_max_pool2d", "FractionalMaxPool2DBackward0", "FractionalMaxPool2DBackwardBackward0"},
    {"fractional_max_pool3d", "FractionalMaxPool3DBackward0", "FractionalMaxPool3DBackwardBackward0"}};

Tensor max_pool(int dims, const Tensor& x, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                IntArrayRef dilation, bool ceil_mode) {
  const Names& names = kMax[dims - 1];
  const kernels::Windows w = pool_windows(names.op, x, dims, kernel_size, stride, padding, dilation, ceil_mode);
  const bool recorded = (thread_state.grad_mode && tracked(x.impl())) || autograd::forward_mode();
  const Planes planes(x, dims);
  return recorded ? apply(MaxPool{planes, w, &names}, x)[0] : apply(MaxPoolValues{planes, w, &names}, x);
}
std::tuple<Tensor, Tensor> max_pool_with_indices(int dims, const Tensor& x, IntArrayRef kernel_size, IntArrayRef stride,
                                                 IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  const Names& names = kMax[dims - 1];
  const kernels::Windows w = pool_windows(names.op, x, dims, kernel_size, stride, padding, dilation, ceil_mode);
  return pair(apply(MaxPool{Planes(x, dims), w, &names}, x));
}

Tensor avg_pool(int dims, const Tensor& x, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override) {
  const Names& names = kAvg[dims - 1];
  check<ValueError>(!divisor_override || *divisor_override != 0, names.op, ": divisor must be not zero");
  kernels::AveragePool pool;
  pool.windows = pool_windows(names.op, x, dims, kernel_size, stride, padding, int64_t{1}, ceil_mode);
  std::copy_n(pool.windows.padding, 3, pool.padding_behind);
  pool.count_padding = count_include_pad;
  pool.divisor = divisor_override.value_or(0);
  check<TypeError>(x.is_floating_point() || x.scalar_type() == kLong, names.op, ": not implemented for ",
                   x.scalar_type(), ". Convert the input first: x.to(taut::kFloat).");
  return apply(AvgPool{Planes(x, dims), pool, &names}, x);
}

kernels::AdaptivePool adaptive(const char* op, const Tensor& x, int dims, IntArrayRef output_size,
                               bool is_mean = false) {
  check_defined(x, op);
  check<ValueError>(x.dim() == dims + 1 || x.dim() == dims + 2, op, "(): Expected ", dims + 1, "D or ", dims + 2,
                    "D tensor, but got ", x.sizes());
  const Dims out = numbers(op, "output_size", output_size, dims);
  for (int64_t o : out)
    check<ValueError>(o >= 0, op, ": elements of output_size must be greater than or equal to 0 but received ",
                      IntArrayRef(out));
  const bool to_one = is_mean && std::all_of(out.begin(), out.end(), [](int64_t o) { return o == 1; });
  // A mean of rows or planes may be one of no channels.
  for (int64_t d = is_mean && dims < 3 ? x.dim() - dims : 1; d < x.dim(); ++d)
    check<ValueError>(x.size(d) > 0 || to_one, op,
                      "(): Expected input to have non-zero size for non-batch dimensions, but input has sizes ",
                      x.sizes(), " with dimension ", d, " being empty");
  check_float(op, x);
  kernels::AdaptivePool pool;
  set_dims(pool.in, x.sizes().slice(x.sizes().size() - static_cast<size_t>(dims), static_cast<size_t>(dims)), 1);
  set_dims(pool.out, out, 1);
  return pool;
}

Tensor adaptive_avg(int dims, const Tensor& x, IntArrayRef output_size) {
  const Names& names = kAdaptiveAvg[dims - 1];
  if (x.defined() && x.is_complex() && x.dim() > dims &&
      std::ranges::all_of(output_size, [](int64_t n) { return n == 1; })) {
    Dims last;
    for (int d = dims; d > 0; --d) last.push_back(-d);
    return x.mean(IntArrayRef(last), true);
  }
  const kernels::AdaptivePool pool = adaptive(names.op, x, dims, output_size, true);
  if (std::ranges::all_of(pool.out, [](int64_t n) { return n == 1; })) {  // a mean, which sums in vectors
    Dims last;
    for (int d = dims; d > 0; --d) last.push_back(-d);
    return x.mean(IntArrayRef(last), true);
  }
  return apply(AdaptiveAvgPool{Planes(x, dims), pool, &names}, x);
}
std::tuple<Tensor, Tensor> adaptive_max(int dims, const Tensor& x, IntArrayRef output_size) {
  const Names& names = kAdaptiveMax[dims - 1];
  const kernels::AdaptivePool pool = adaptive(names.op, x, dims, output_size);
  return pair(apply(AdaptiveMaxPool{Planes(x, dims), pool, &names}, x));
}

Tensor unpool(const char* op, const char* node, int dims, const Tensor& x, const Tensor& indices,
              IntArrayRef output_size) {
  check_defined(x, op);
  check_defined(indices, op, "indices");
  check<TypeError>(indices.scalar_type() == kLong, op,
                   ": elements in indices should be type int64 but got: ", indices.scalar_type());
  check<ValueError>(output_size.size() == static_cast<size_t>(dims), op, ": There should be exactly ", dims,
                    " elements in output_size, but got ", output_size.size(), " elements.");
  check<ValueError>(x.dim() == dims + 1 || x.dim() == dims + 2, op, ": Input to ", op, " should be a ", dims + 1,
                    "d or ", dims + 2, "d Tensor, but got a tensor with shape ", x.sizes());
  check<ValueError>(x.sizes() == indices.sizes(), op,
                    ": Expected shape of indices to be same as that of the input tensor (", x.sizes(),
                    ") but got indices tensor with shape: ", indices.sizes());
  check_float(op, x);
  for (int64_t s : output_size) check<ValueError>(s >= 0, op, ": output_size must not be negative, got ", output_size);
  int64_t size[3];
  set_dims(size, output_size, 1);
  return apply(ScatterPlanes{Planes(x, dims), {size[0], size[1], size[2]}, false, op, node}, x, indices);
}

std::tuple<Tensor, Tensor> fractional(int dims, const Tensor& x, IntArrayRef kernel_size, IntArrayRef output_size,
                                      const Tensor& samples) {
  const Names& names = kFractional[dims - 1];
  const char* op = names.op;
  check_input(op, x, dims);
  check_defined(samples, op, "random_samples");
  check_float(op, x);
  const Dims kernel = numbers(op, "kernel_size", kernel_size, dims),
             out = numbers(op, "output_size", output_size, dims);
  const Dims in(x.sizes().slice(x.sizes().size() - static_cast<size_t>(dims), static_cast<size_t>(dims)));
  for (size_t d = 0; d < in.size(); ++d) {
    check<ValueError>(kernel[d] > 0 && kernel[d] <= INT32_MAX, op, ": kernel_size should be greater than zero, got ",
                      IntArrayRef(kernel));
    check<ValueError>(out[d] >= 0 && out[d] <= INT32_MAX, op, ": output_size must not be negative, got ",
                      IntArrayRef(out));
    // PyTorch wants one more in three dimensions.
    check<ValueError>(out[d] + kernel[d] - (dims == 3 ? 0 : 1) <= in[d], op, "(): pool size ", IntArrayRef(kernel),
                      " too large relative to input ", x.sizes(), " for output_size ", IntArrayRef(out));
  }
  const Planes planes(x, dims);
  const bool batched = x.dim() == dims + 2;
  check<TypeError>(samples.scalar_type() == x.scalar_type(), op,
                   ": Expect _random_samples to have the same dtype as input, got ", samples.scalar_type(), " and ",
                   x.scalar_type());
  check<ValueError>(samples.dim() == 3, op, ": Expect _random_samples to have 3 dimensions, got ", samples.sizes());
  check<ValueError>(samples.size(0) >= (batched ? x.size(0) : 1), op,
                    ": Expect _random_samples.size(0) no less then input batch size, got ", samples.sizes(), " for ",
                    x.sizes());
  check<ValueError>(samples.size(1) == x.size(batched ? 1 : 0), op,
                    ": Expect _random_samples.size(1) equals to input channel size, got ", samples.sizes(), " for ",
                    x.sizes());
  check<ValueError>(samples.size(2) == dims, op, ": Expect _random_samples.size(2) equals to ", dims, "; got ",
                    samples.size(2), ".");
  kernels::FractionalPool pool;
  set_dims(pool.in, in, 1);
  set_dims(pool.out, out, 1);
  set_dims(pool.kernel, kernel, 1);
  // The kernel takes depth, height, width; PyTorch's pairs are width, height.
  Tensor three;
  {
    NoGradGuard no_grad;
    const Tensor used = samples.detach().narrow(0, 0, batched ? x.size(0) : 1).reshape({planes.count, dims});
    three = dims == 3 ? used : cat({zeros({planes.count, 1}, used.scalar_type()), used.flip({1})}, 1);
  }
  return pair(apply(FractionalMaxPool{planes, pool, &names}, x, three));
}

}  // namespace

Tensor max_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  check_defined(self, "max_pool1d");
  check_float("max_pool1d", self);
  return max_pool(1, self, kernel_size, stride, padding, dilation, ceil_mode);
}
Tensor max_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  return max_pool(2, self, kernel_size, stride, padding, dilation, ceil_mode);
}
Tensor max_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  AUTOCAST(max_pool3d, as_wide(self), kernel_size, stride, padding, dilation, ceil_mode);
  return max_pool(3, self, kernel_size, stride, padding, dilation, ceil_mode);
}
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return max_pool_with_indices(1, self, kernel_size, stride, padding, dilation, ceil_mode);
}
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return max_pool_with_indices(2, self, kernel_size, stride, padding, dilation, ceil_mode);
}
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return max_pool_with_indices(3, self, kernel_size, stride, padding, dilation, ceil_mode);
}

Tensor avg_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad) {
  return avg_pool(1, self, kernel_size, stride, padding, ceil_mode, count_include_pad, std::nullopt);
}
Tensor avg_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override) {
  return avg_pool(2, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}
Tensor avg_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override) {
  AUTOCAST(avg_pool3d, as_wide(self), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
  return avg_pool(3, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}

Tensor adaptive_avg_pool1d(const Tensor& self, IntArrayRef output_size) { return adaptive_avg(1, self, output_size); }
Tensor adaptive_avg_pool2d(const Tensor& self, IntArrayRef output_size) { return adaptive_avg(2, self, output_size); }
Tensor adaptive_avg_pool3d(const Tensor& self, IntArrayRef output_size) {
  AUTOCAST(adaptive_avg_pool3d, as_wide(self), output_size);
  return adaptive_avg(3, self, output_size);
}
std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& self, IntArrayRef output_size) {
  return adaptive_max(1, self, output_size);
}
std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& self, IntArrayRef output_size) {
  return adaptive_max(2, self, output_size);
}
std::tuple<Tensor, Tensor> adaptive_max_pool3d(const Tensor& self, IntArrayRef output_size) {
  AUTOCAST(adaptive_max_pool3d, as_wide(self), output_size);
  return adaptive_max(3, self, output_size);
}

Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntArrayRef output_size) {
  AUTOCAST(max_unpool2d, as_wide(self), as_wide(indices), output_size);
  return unpool("max_unpool2d", "MaxUnpool2DBackward0", 2, self, indices, output_size);
}
Tensor max_unpool3d(const Tensor& self, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride,
                    IntArrayRef padding) {
  AUTOCAST(max_unpool3d, as_wide(self), as_wide(indices), output_size, stride, padding);
  check<ValueError>(stride.size() == 3 && padding.size() == 3,
                    "max_unpool3d: There should be exactly three elements (depth, height, width) in stride and "
                    "padding, but got ",
                    stride, " and ", padding);
  for (int64_t s : stride)
    check<ValueError>(s > 0, "max_unpool3d: strides should be greater than zero, but got ", stride);
  return unpool("max_unpool3d", "MaxUnpool3DBackward0", 3, self, indices, output_size);
}

std::tuple<Tensor, Tensor> fractional_max_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples) {
  AUTOCAST(fractional_max_pool2d, as_wide(self), kernel_size, output_size, as_wide(random_samples));
  const AsDry as(self);
  return fractional(2, self, kernel_size, output_size, random_samples);
}
std::tuple<Tensor, Tensor> fractional_max_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples) {
  AUTOCAST(fractional_max_pool3d, as_wide(self), kernel_size, output_size, as_wide(random_samples));
  return fractional(3, self, kernel_size, output_size, random_samples);
}

// ---- registry

extern const OpEntry pool_ops[];
extern const size_t pool_ops_count;
const OpEntry pool_ops[] = {
    doc("The largest value in each window of a row.",
        no_out(op<max_pool1d>(
            "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, "
            "bool ceil_mode=False) -> Tensor",
            "t(2, 3, 7), [3]\nt(2, 8), [2], [1], [1]\nt(1, 2, 9), [2], [2], [0], [3], True\nt(0, 2, 5), [2]"))),
    doc("The largest value in each window of an image.",
        no_out(op<max_pool2d>(
            "max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, "
            "bool ceil_mode=False) -> Tensor",
            "t(2, 2, 5, 4), [2, 2]\nt(2, 5, 6), [3, 2], [2, 1], [1, 1]\nt(1, 1, 7, 6), 2, 2, 0, 2, True\nt(1, 1, "
            "3, 3), [5, 5]\nt(0, 2, 4, 4), 2\nc([[[1.0, float('nan'), 3.0], [float('nan'), 5.0, 2.0], [-inf, "
            "-inf, -inf]]]), [1, 2], 1, [0, 1]"))),
    doc("The largest value in each window of a volume.",
        no_out(op<max_pool3d>(
            "max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, "
            "bool ceil_mode=False) -> Tensor",
            "t(1, 2, 3, 4, 4), [2, 2, 2]\nt(1, 4, 4, 5), [2, 3, 2], [1, 2, 2], [1, 1, 1], 1, True"))),
    doc("max_pool1d, and where each value came from.",
        no_out(op<max_pool1d_with_indices>(
            "max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
            "padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
            "t(2, 3, 7), [3]\nt(2, 8), [2], [1], [1]"))),
    doc("max_pool2d, and where each value came from.",
        op<max_pool2d_with_indices>(
            "max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
            "padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
            "t(2, 2, 5, 4), [2, 2]\nt(2, 5, 6), [3, 2], [2, 1], [1, 1]\nt(1, 1, 7, 6), 2, 2, 0, 2, "
            "True\nc([[[1.0, 1.0, 3.0], [3.0, float('nan'), 2.0], [-inf, -inf, -inf]]]), [1, 2], 1, "
            "[0, 1]")),
    doc("max_pool3d, and where each value came from.",
        op<max_pool3d_with_indices>(
            "max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
            "padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
            "t(1, 2, 3, 4, 4), [2, 2, 2]\nt(1, 4, 4, 5), [2, 3, 2], [1, 2, 2], [1, 1, 1], 1, True")),
    doc("The mean of each window of a row.",
        no_out(op<avg_pool1d>("avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool "
                              "ceil_mode=False, bool count_include_pad=True) -> Tensor",
                              "t(2, 3, 7), [3]\nt(2, 8), [3], [2], [1], True, False"))),
    doc("The mean of each window of an image.",
        op<avg_pool2d>(
            "avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool "
            "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
            "t(2, 2, 5, 4), [2, 2]\nt(2, 5, 6), [3, 2], [2, 1], [1, 1]\nt(2, 5, 6), [3, 2], [2, 3], [1, 1], True, "
            "False\nt(1, 5, 6), [3, 2], [2, 3], [1, 1], True, True\nt(1, 1, 6, 6), 3, 2, 0, True, True, 5\nt(0, 2, "
            "4, 4), 2\nt(1, 3, 3), 2, 1, 0, False, True, 0")),
    doc("The mean of each window of a volume.",
        op<avg_pool3d>("avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool "
                       "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
                       "t(1, 2, 3, 4, 4), [2, 2, 2]\nt(1, 4, 4, 5), [2, 3, 2], [1, 2, 2], [1, 1, 1], True, False")),
    doc("The means of that many equal parts of a row.",
        no_out(op<adaptive_avg_pool1d>("adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
                                       "t(2, 2, 7), [3]\nt(2, 5), [1]\nt(2, 3), [5]"))),
    doc("The means of that many equal parts of an image.",
        op<adaptive_avg_pool2d>(
            "adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor",
            "t(2, 2, 5, 4), [3, 2]\nt(2, 5, 4), [1, 1]\nt(1, 3, 4), [4, 7]\nt(0, 2, 4, 4), [2, 2]")),
    doc("The means of that many equal parts of a volume.",
        op<adaptive_avg_pool3d>("adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor",
                                "t(1, 2, 3, 4, 5), [2, 3, 2]\nt(2, 3, 2, 2), [1, 1, 1]")),
    doc("The largest values of that many equal parts of a row, and where they came from.",
        no_out(op<adaptive_max_pool1d>("adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
                                       "t(2, 2, 7), [3]\nt(2, 5), [1]"))),
    doc("The largest values of that many equal parts of an image, and where they came from.",
        op<adaptive_max_pool2d>("adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
                                "t(2, 2, 5, 4), [3, 2]\nt(1, 3, 4), [4, 7]")),
    doc("The largest values of that many equal parts of a volume, and where they came from.",
        op<adaptive_max_pool3d>("adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
                                "t(1, 2, 3, 4, 5), [2, 3, 2]")),
    doc("Values back at the places that max_pool2d took them from, among zeros.",
        op<max_unpool2d>(
            "max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor",
            "t(1, 2, 2), c([[[0, 3], [10, 15]]]), [4, 4]\nt(1, 2, 1, 2), c([[[[0, 5]], [[3, 2]]]]), [2, 3]")),
    doc("Values back at the places that max_pool3d took them from, among zeros.",
        op<max_unpool3d>(
            "max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, int[3] padding) -> "
            "Tensor",
            "t(1, 1, 2, 2), c([[[[0, 3], [10, 15]]]]), [2, 4, 4], [1, 2, 2], [0, 0, 0]")),
    doc("The largest values of windows at random distances, and where they came from.",
        op<fractional_max_pool2d>(
            "fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor "
            "random_samples) -> (Tensor, Tensor)",
            "t(1, 2, 6, 7), [2, 3], [3, 4], c([[[0.3, 0.8], [0.55, 0.1]]])\nt(1, 7, 6), [2, 2], [5, "
            "3], c([[[0.95, 0.4]]])")),
    doc("The largest values of windows at random distances, and where they came from.",
        op<fractional_max_pool3d>("fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor "
                                  "random_samples) -> (Tensor, Tensor)",
                                  "t(1, 1, 4, 5, 6), [2, 2, 3], [2, 3, 3], c([[[0.3, 0.8, 0.45]]])")),
};
const size_t pool_ops_count = std::size(pool_ops);

}  // namespace taut
