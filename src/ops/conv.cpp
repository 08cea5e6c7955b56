// Convolution: three linear maps, of which each one's derivative is given by the other two, so every order of
// derivative works. Also im2col and col2im.
#include "taut/ops/conv.h"
#include "ops/autocast.h"

#include <algorithm>

#include "kernels/conv.h"
#include "kernels/pool.h"
#include "ops/batch_rules.h"
#include "ops/registry.h"
#include "ops/view_ops.h"
#include "ops/window.h"
#include "taut/ops/complex.h"

namespace taut {

Dims per_dimension(IntArrayRef list, int64_t dims, const char* op, const char* what) {
  check<ValueError>(static_cast<int64_t>(list.size()) == dims || list.size() == 1, op, ": expected ", what,
                    " to be a single integer value or a list of ", dims,
                    " values to match the convolution dimensions, but got ", what, "=", list);
  return list.size() == 1 ? Dims(static_cast<size_t>(dims), list[0]) : Dims(list);
}

std::string by(IntArrayRef sizes, const char* between) {
  std::string text;
  for (int64_t s : sizes) text += (text.empty() ? "" : between) + std::to_string(s);
  return text;
}

namespace {

/// y = x * w: images [batch, groups * in_channels, in...] and weight [groups * out_channels, in_channels, kernel...]
/// to [batch, groups * out_channels, out...].
struct Geometry {
  kernels::Conv conv;
  int dims;

  Dims shape(int64_t first, int64_t second, const int64_t (&spatial)[3]) const {
    Dims s{first, second};
    for (int d = 3 - dims; d < 3; ++d) s.push_back(spatial[d]);
    return s;
  }
  Dims x_sizes() const { return shape(conv.batch, conv.groups * conv.in_channels, conv.windows.in); }
  Dims y_sizes() const { return shape(conv.batch, conv.groups * conv.out_channels, conv.windows.out); }
  Dims w_sizes() const { return shape(conv.groups * conv.out_channels, conv.in_channels, conv.windows.kernel); }

  // Of so many items: as further images, or as further groups of channels, where each has a weight of its own.
  Geometry as_images(int64_t items) const {
    Geometry g = *this;
    g.conv.batch *= items;
    return g;
  }
  Geometry as_groups(int64_t items) const {
    Geometry g = *this;
    g.conv.groups *= items;
    return g;
  }
};
/// [items, images, channels, ...] to [images, items * channels, ...], and back.
Tensor as_channels(const Tensor& all) { return all.movedim(0, 1).flatten(1, 2); }
Tensor from_channels(const Tensor& t, int64_t items) {
  return t.unflatten(1, {items, items > 0 ? t.size(1) / items : 0}).movedim(1, 0);
}

/// Runs a kernel in the type it computes in: kernel(result, first, second, bias).
template <class F>
Tensor compute(const char* name, const Dims& sizes, const Tensor& a, const Tensor& b, const Tensor& bias, F kernel) {
  const ScalarType type = a.scalar_type(), work = work_type(type);
  const Tensor first = as_work(a), second = as_work(b), added = bias.defined() ? as_work(bias) : Tensor();
  Tensor result = make(sizes, work, name);
  kernel(work, result.data_ptr(), first.data_ptr(), second.data_ptr(), added.defined() ? added.data_ptr() : nullptr);
  return work == type ? result : result.to(type);
}

/// The gradient of a bias: the sum of all but the channels.
Tensor sum_channels(const Tensor& g) {
  Dims dims{0};
  for (int64_t d = 2; d < g.dim(); ++d) dims.push_back(d);
  return g.sum(IntArrayRef(dims));
}

constexpr const char* kFirst = "ConvolutionBackward0";
constexpr const char* kHigher = "ConvolutionBackwardBackward0";

/// x, w and maybe a bias to y. With a bias it is not linear in each input alone.
template <bool Bias>
struct ConvResult {
  static constexpr const char* name = "convolution";
  static constexpr bool linear = !Bias;
  static constexpr unsigned reads[] = {kInput(1), kInput(0), 0}, bends = kInput(0) | kInput(1);
  Geometry g;
  const char* node = kHigher;
  unsigned keeps = 0;
  const char* node_name() const { return node; }
  Tensor batch(const Batch& b, const Tensor& first, const Tensor& w, const Tensor& bias = Tensor()) const {
    const auto run = [&](const Geometry& of, const Tensor& x, const Tensor& weight, const Tensor& added) {
      if constexpr (Bias) return apply(ConvResult{of}, x, weight, added);
      else return apply(ConvResult{of}, x, weight);
    };
    if (!b.has(1) && !(Bias && b.has(2)))
      return unfold_items(run(g.as_images(b.size), fold_items(first), w, bias), b.size, g.conv.batch);
    if (!b.has(0) && g.conv.groups == 1) {  // the same images for all: further channels of the result
      Geometry wide = g;
      wide.conv.out_channels *= b.size;
      return from_channels(run(wide, first, fold_items(b.all(1, w)), Bias ? b.all(2, bias).reshape({-1}) : bias),
                           b.size);
    }
    const Tensor added = Bias ? b.all(2, bias).reshape({-1}) : bias;
    return from_channels(run(g.as_groups(b.size), as_channels(b.all(0, first)), fold_items(b.all(1, w)), added),
                         b.size);
  }
  Tensor forward(const Tensor& x, const Tensor& w, const Tensor& bias) const {
    return compute(name, g.y_sizes(), x, w, bias,
                   [&](ScalarType t, void* y, const void* a, const void* b, const void* c) {
                     kernels::conv_forward(t, g.conv, y, a, b, c);
                   });
  }
  Tensor forward(const Tensor& x, const Tensor& w) const { return forward(x, w, Tensor()); }
  Tensor vjp(int i, const Tensor& grad, const Saved& s) const;
  /// The gradients of weight and bias in one pass.
  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const requires Bias {
    const Tensor& grad = grads[0];
    const bool both = s.wants(1) && s.wants(2) && !must_record() && grad.numel() > 0 && s.input(0).numel() > 0;
    for (int i = 0; i < (both ? 1 : 3); ++i)
      if (s.wants(i)) out[i] = vjp(i, grad, s);
    if (!both) return;
    const ScalarType type = grad.scalar_type(), work = work_type(type);
    const Tensor y = as_work(grad), x = as_work(s.input(0));
    const Tensor w = make(g.w_sizes(), work, name), bias = make({y.size(1)}, work, name);
    kernels::conv_weight(work, g.conv, w.data_ptr(), y.data_ptr(), x.data_ptr(), bias.data_ptr());
    out[1] = w.to(type), out[2] = bias.to(type);
  }
};

/// y, w and maybe a bias to x: the gradient of the images, and the transposed convolution.
template <bool Bias>
struct ConvImages {
  static constexpr const char* name = "convolution";
  static constexpr bool linear = !Bias;
  static constexpr unsigned reads[] = {kInput(1), kInput(0), 0}, bends = kInput(0) | kInput(1);
  Geometry g;
  const char* node = kHigher;
  const char* node_name() const { return node; }
  Tensor batch(const Batch& b, const Tensor& first, const Tensor& w, const Tensor& bias = Tensor()) const {
    const auto run = [&](const Geometry& of, const Tensor& x, const Tensor& weight, const Tensor& added) {
      if constexpr (Bias) return apply(ConvImages{of}, x, weight, added);
      else return apply(ConvImages{of}, x, weight);
    };
    if (!b.has(1) && !(Bias && b.has(2)))
      return unfold_items(run(g.as_images(b.size), fold_items(first), w, bias), b.size, g.conv.batch);
    const Tensor added = Bias ? b.all(2, bias).reshape({-1}) : bias;
    return from_channels(run(g.as_groups(b.size), as_channels(b.all(0, first)), fold_items(b.all(1, w)), added),
                         b.size);
  }
  Tensor forward(const Tensor& y, const Tensor& w, const Tensor& bias) const {
    return compute(name, g.x_sizes(), y, w, bias,
                   [&](ScalarType t, void* x, const void* a, const void* b, const void* c) {
                     kernels::conv_input(t, g.conv, x, a, b, c);
                   });
  }
  Tensor forward(const Tensor& y, const Tensor& w) const { return forward(y, w, Tensor()); }
  Tensor vjp(int i, const Tensor& grad, const Saved& s) const;
};

/// y and x to w: the gradient of the weight.
struct ConvWeight {
  static constexpr const char* name = "convolution_backward";
  static constexpr const char* node = kHigher;
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1), kInput(0)};
  Geometry g;
  Tensor batch(const Batch& b, const Tensor& y, const Tensor& x) const {
    const Tensor w = apply(ConvWeight{g.as_groups(b.size)}, as_channels(b.all(0, y)), as_channels(b.all(1, x)));
    return unfold_items(w, b.size, g.conv.groups * g.conv.out_channels);
  }
  Tensor forward(const Tensor& y, const Tensor& x) const {
    return compute(name, g.w_sizes(), y, x, Tensor(),
                   [&](ScalarType t, void* w, const void* a, const void* b, const void*) {
                     kernels::conv_weight(t, g.conv, w, a, b);
                   });
  }
  Tensor vjp(int i, const Tensor& grad, const Saved& s) const {
    return i == 0 ? apply(ConvResult<false>{g}, s.input(1), grad) : apply(ConvImages<false>{g}, s.input(0), grad);
  }
};

template <bool Bias>
Tensor ConvResult<Bias>::vjp(int i, const Tensor& grad, const Saved& s) const {
  if (i == 2) return sum_channels(grad);
  return i == 0 ? apply(ConvImages<false>{g}, grad, s.input(1)) : apply(ConvWeight{g}, grad, s.input(0));
}
template <bool Bias>
Tensor ConvImages<Bias>::vjp(int i, const Tensor& grad, const Saved& s) const {
  if (i == 2) return sum_channels(grad);
  return i == 0 ? apply(ConvResult<false>{g}, grad, s.input(1)) : apply(ConvWeight{g}, s.input(0), grad);
}

/// A convolution as its caller describes it.
struct Request {
  const char* op;
  int64_t dims, groups;
  Dims stride, padding, dilation, output_padding;
  bool transposed = false, same = false;
};

void check_settings(const Request& r) {
  const auto all = [](const Dims& list, int64_t least) {
    return std::all_of(list.begin(), list.end(), [=](int64_t v) { return v >= least && v <= INT32_MAX; });
  };
  check<ValueError>(r.groups > 0, r.op, ": non-positive groups is not supported, got groups=", r.groups);
  check<ValueError>(all(r.stride, 1), r.op,
                    ": non-positive stride is not supported, got stride=", IntArrayRef(r.stride),
                    ". Give at least 1 (and what fits in 31 bits).");
  check<ValueError>(all(r.padding, 0), r.op,
                    ": negative padding is not supported, got padding=", IntArrayRef(r.padding),
                    ". To cut off the border use taut::pad or narrow.");
  check<ValueError>(all(r.dilation, 1), r.op, ": dilation should be greater than zero, but got ",
                    IntArrayRef(r.dilation));
  check<ValueError>(all(r.output_padding, 0), r.op, ": negative output_padding is not supported, got ",
                    IntArrayRef(r.output_padding));
}

void check_tensors(const Request& r, const Tensor& x, const Tensor& w, const Tensor& b) {
  const ScalarType t = x.scalar_type();
  check<TypeError>(t == w.scalar_type(), r.op, ": Input type (", t, ") and weight type (", w.scalar_type(),
                   ") should be the same. Convert one of them with .to().");
  check<TypeError>(t != kBool, r.op, ": not implemented for bool");
  const bool backwards = r.transposed;
  check<ValueError>(w.size(0) >= r.groups, "Given groups=", r.groups, ", expected weight to be at least ", r.groups,
                    " at dimension 0, but got weight of size ", w.sizes(), " instead in ", r.op);
  check<ValueError>(w.size(0) % r.groups == 0, "Given groups=", r.groups, ", expected weight to be divisible by ",
                    r.groups, " at dimension 0, but got weight of size ", w.sizes(), " instead in ", r.op);
  const int64_t channels = backwards ? w.size(0) : w.size(1) * r.groups;
  check<ValueError>(x.size(1) == channels, "Given ", backwards ? "transposed=1" : str("groups=", r.groups),
                    ", weight of size ", w.sizes(), ", expected input", x.sizes(), " to have ", channels,
                    " channels, but got ", x.size(1), " channels instead in ", r.op);
  for (int64_t d = 0; d < r.dims; ++d)
    check<ValueError>(w.size(2 + d) > 0, r.op, ": kernel size should be greater than zero, but got weight of size ",
                      w.sizes());
  if (!b.defined()) return;
  const int64_t results = backwards ? w.size(1) * r.groups : w.size(0);
  check<ValueError>(b.dim() == 1 && b.size(0) == results, r.op, ": Given ", backwards ? "transposed=1, " : "",
                    "weight of size ", w.sizes(), ", expected bias to be 1-dimensional with ", results,
                    " elements, but got bias of size ", b.sizes(), " instead");
  check<TypeError>(b.scalar_type() == t, r.op, ": Input type (", t, ") and bias type (", b.scalar_type(),
                   ") should be the same. Convert one of them with .to().");
}

Tensor convolve(const Request& r, const Tensor& x, const Tensor& w, const Tensor& b);
/// By three real ones: (a + i b)(c + i d) = ac - bd + i ((a + b)(c + d) - ac - bd).
Tensor convolve_complex(const Request& r, const Tensor& x, const Tensor& w, const Tensor& b) {
  const Tensor first = convolve(r, real(x), real(w), {}), second = convolve(r, imag(x), imag(w), {});
  const Tensor both = convolve(r, real(x) + imag(x), real(w) + imag(w), {});
  const Tensor y = complex(first - second, both - first - second);
  if (!b.defined()) return y;
  Dims shape(static_cast<size_t>(r.dims) + 1, 1);
  shape[0] = b.size(0);
  return y + b.view(shape);
}

/// x [batch, channels, ...]: everything is checked before anything is computed.
Tensor convolve(const Request& r, const Tensor& x, const Tensor& w, const Tensor& b) {
  check_settings(r);
  check_tensors(r, x, w, b);
  if (x.is_complex()) return convolve_complex(r, x, w, b);
  const auto dims = static_cast<size_t>(r.dims);
  const Dims in(x.sizes().slice(2, dims)), kernel(w.sizes().slice(2, dims));
  Dims out(dims), padding = r.padding;
  bool uneven = false;
  for (size_t d = 0; d < dims; ++d) {
    const int64_t reach = r.dilation[d] * (kernel[d] - 1) + 1;
    check<ValueError>(kernel[d] <= INT32_MAX && in[d] <= INT64_MAX / 8 && reach <= INT64_MAX / 8, r.op,
                      ": sizes overflow: input ", x.sizes(), ", weight ", w.sizes());
    if (r.transposed) {
      check<ValueError>(r.output_padding[d] < r.stride[d] || r.output_padding[d] < r.dilation[d], r.op,
                        ": output padding must be smaller than either stride or dilation, but got output_padding=",
                        IntArrayRef(r.output_padding), " stride=", IntArrayRef(r.stride),
                        " dilation=", IntArrayRef(r.dilation));
      out[d] = (in[d] - 1) * r.stride[d] - 2 * padding[d] + reach + r.output_padding[d];
    } else if (r.same) {
      check<ValueError>(
          r.stride[d] == 1, r.op,
          ": padding='same' is not supported for strided convolutions, got stride=", IntArrayRef(r.stride));
      padding[d] = (reach - 1) / 2;
      uneven |= reach % 2 == 0;
      out[d] = in[d];
    } else {
      out[d] = (in[d] + 2 * padding[d] - reach) / r.stride[d] + 1;
      if (in[d] + 2 * padding[d] < reach) out[d] = 0;
    }
  }
  if (r.transposed) {
    for (int64_t o : out)
      check<ValueError>(o > 0, "Given input size per channel: (", by(in), "). Calculated output size per channel: (",
                        by(out), "). Output size is too small in ", r.op);
  } else {
    Dims padded = in, reach = kernel;
    for (size_t d = 0; d < dims; ++d) {
      padded[d] += r.same ? 0 : 2 * padding[d];
      reach[d] = r.dilation[d] * (kernel[d] - 1) + 1;
    }
    for (size_t d = 0; d < dims; ++d)
      check<ValueError>(out[d] > 0, "Calculated padded input size per channel: (", by(padded), "). Kernel size: (",
                        by(reach), "). Kernel size can't be greater than actual input size in ", r.op);
  }
  for (int64_t i : in)
    check<ValueError>(i > 0, r.op, ": expected an input with elements in every channel, got ", x.sizes());

  Geometry g;
  g.dims = static_cast<int>(dims);
  g.conv.batch = x.size(0);
  g.conv.groups = r.groups;
  g.conv.out_channels = w.size(0) / r.groups;
  g.conv.in_channels = w.size(1);
  const Dims& images = r.transposed ? out : in;
  const Dims& results = r.transposed ? in : out;
  g.conv.windows = make_windows(images, results, kernel, r.stride, padding, r.dilation);
  if (r.transposed)
    return b.defined() ? apply(ConvImages<true>{g, kFirst}, x, w, b) : apply(ConvImages<false>{g, kFirst}, x, w);
  const unsigned keeps = uneven ? kInput(0) : 0;  // PyTorch convolves a padded copy
  return b.defined() ? apply(ConvResult<true>{g, kFirst, keeps}, x, w, b)
                     : apply(ConvResult<false>{g, kFirst, keeps}, x, w);
}

/// A batch, or one image without one.
Tensor convolve_any(const Request& r, const Tensor& input, const Tensor& weight, OptionalTensor bias) {
  AUTOCAST(convolve_any, r, as_short(input), as_short(weight), as_short(bias));
  check_defined(input, r.op);
  check_defined(weight, r.op, "weight");
  check<ValueError>(weight.dim() == r.dims + 2, r.op, ": expected a weight of ", r.dims + 2,
                    " dimensions (channels, channels, kernel), but got weight of size ", weight.sizes());
  check<ValueError>(input.dim() == r.dims + 2 || input.dim() == r.dims + 1, r.op, ": Expected ", r.dims + 1,
                    "D (unbatched) or ", r.dims + 2, "D (batched) input to ", r.op,
                    ", but got input of size: ", input.sizes());
  check<ValueError>(!r.transposed || weight.size(1) > 0, r.op,
                    ": non-empty weight tensor expected, but got: ", weight.sizes());
  const Tensor b = bias ? *bias : Tensor();
  if (input.dim() == r.dims + 2) return convolve(r, input, weight, b);
  return convolve(r, input.unsqueeze(0), weight, b).squeeze(0);
}

Request request(const char* op, int64_t dims, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                int64_t groups) {
  return {op,
          dims,
          groups,
          per_dimension(stride, dims, op, "stride"),
          per_dimension(padding, dims, op, "padding"),
          per_dimension(dilation, dims, op, "dilation"),
          Dims(static_cast<size_t>(dims), 0)};
}
Request request(const char* op, int64_t dims, IntArrayRef stride, PaddingName padding, IntArrayRef dilation,
                int64_t groups) {
  check<ValueError>(padding.name() == "same" || padding.name() == "valid", op, ": Invalid padding string: '",
                    padding.name(), "'; it must be 'same' or 'valid'");
  Request r = request(op, dims, stride, int64_t{0}, dilation, groups);
  r.same = padding.name() == "same";
  return r;
}
Request transposed(const char* op, int64_t dims, IntArrayRef stride, IntArrayRef padding, IntArrayRef output_padding,
                   int64_t groups, IntArrayRef dilation) {
  Request r = request(op, dims, stride, padding, dilation, groups);
  r.output_padding = per_dimension(output_padding, dims, op, "output_padding");
  r.transposed = true;
  return r;
}

}  // namespace

#define TAUT_CONV(name, dims)                                                                                          \
  Tensor name(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, IntArrayRef padding, \
              IntArrayRef dilation, int64_t groups) {                                                                  \
    return convolve_any(request(#name, dims, stride, padding, dilation, groups), input, weight, bias);                 \
  }                                                                                                                    \
  Tensor name(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, PaddingName padding, \
              IntArrayRef dilation, int64_t groups) {                                                                  \
    return convolve_any(request(#name, dims, stride, padding, dilation, groups), input, weight, bias);                 \
  }
TAUT_CONV(conv1d, 1)
TAUT_CONV(conv2d, 2)
TAUT_CONV(conv3d, 3)
#undef TAUT_CONV

#define TAUT_CONV_TRANSPOSE(name, dims)                                                                                \
  Tensor name(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, IntArrayRef padding, \
              IntArrayRef output_padding, int64_t groups, IntArrayRef dilation) {                                      \
    return convolve_any(transposed(#name, dims, stride, padding, output_padding, groups, dilation), input, weight,     \
                        bias);                                                                                         \
  }
TAUT_CONV_TRANSPOSE(conv_transpose1d, 1)
TAUT_CONV_TRANSPOSE(conv_transpose2d, 2)
TAUT_CONV_TRANSPOSE(conv_transpose3d, 3)
#undef TAUT_CONV_TRANSPOSE

Tensor convolution(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride,
                   IntArrayRef padding, IntArrayRef dilation, bool transposed_, IntArrayRef output_padding,
                   int64_t groups) {
  constexpr const char* op = "convolution";
  check_defined(input, op);
  check_defined(weight, op, "weight");
  const int64_t dims = weight.dim() - 2;
  check<ValueError>(dims >= 1 && dims <= 3, op, ": expected a weight of 3 to 5 dimensions, got ", weight.sizes());
  check<ValueError>(input.dim() == dims + 2, op, ": Expected ", dims + 2, "-dimensional input for ", dims + 2,
                    "-dimensional weight ", weight.sizes(), ", but got ", input.dim(), "-dimensional input of size ",
                    input.sizes(), " instead");
  Request r = transposed(op, dims, stride, padding, output_padding, groups, dilation);
  r.transposed = transposed_;
  return convolve(r, input, weight, bias ? *bias : Tensor());
}

// ---- windows as columns

namespace {

/// images [batch, channels, height, width] and columns [batch, channels * taps, windows].
struct Columns {
  int64_t batch, channels;
  kernels::Windows windows;
  Columns of(int64_t items) const { return {batch * items, channels, windows}; }
  Dims images() const { return {batch, channels, windows.in[1], windows.in[2]}; }
  Dims columns() const { return {batch, channels * windows.taps(), windows.outputs()}; }
};

struct Im2Col {
  static constexpr const char* name = "im2col";
  static constexpr const char* node = "Im2ColBackward0";
  static constexpr bool linear = true;
  Columns c;
  Tensor batch(const Batch& b, const Tensor& x) const {
    return unfold_items(apply(Im2Col{c.of(b.size)}, fold_items(x)), b.size, c.batch);
  }
  Tensor forward(const Tensor& x) const {
    const Tensor from = as_work(x), y = make(c.columns(), from.scalar_type(), name);
    kernels::im2col(from.scalar_type(), c.batch * c.channels, c.windows, y.data_ptr(), from.data_ptr());
    return y.to(x.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const;
};
struct Col2Im {
  static constexpr const char* name = "col2im";
  static constexpr const char* node = "Col2ImBackward0";
  static constexpr bool linear = true;
  Columns c;
  Tensor batch(const Batch& b, const Tensor& x) const {
    return unfold_items(apply(Col2Im{c.of(b.size)}, fold_items(x)), b.size, c.batch);
  }
  Tensor forward(const Tensor& x) const {
    const Tensor from = as_work(x), y = make(c.images(), from.scalar_type(), name);
    kernels::col2im(from.scalar_type(), c.batch * c.channels, c.windows, y.data_ptr(), from.data_ptr());
    return y.to(x.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return apply(Im2Col{c}, g); }
};
Tensor Im2Col::vjp(int, const Tensor& g, const Saved&) const { return apply(Col2Im{c}, g); }

Columns columns_of(const char* op, int64_t batch, int64_t channels, IntArrayRef image, IntArrayRef kernel_size,
                   IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  const Dims kernel = per_dimension(kernel_size, 2, op, "kernel_size"), step = per_dimension(stride, 2, op, "stride"),
             pad = per_dimension(padding, 2, op, "padding"), spread = per_dimension(dilation, 2, op, "dilation");
  Dims out(2);
  for (const Dims* list : {&kernel, &step, &pad, &spread})
    for (int64_t v : *list)
      check<ValueError>(v <= INT32_MAX, op, ": a kernel size, stride, padding or dilation of ", v, " is too large");
  for (size_t d = 0; d < 2; ++d) {
    check<ValueError>(kernel[d] > 0, op, ": kernel size should be greater than zero, but got ", IntArrayRef(kernel));
    check<ValueError>(spread[d] > 0, op, ": dilation should be greater than zero, but got ", IntArrayRef(spread));
    check<ValueError>(pad[d] >= 0, op, ": padding should be non-negative, but got ", IntArrayRef(pad));
    check<ValueError>(step[d] > 0, op, ": stride should be greater than zero, but got ", IntArrayRef(step));
    check<ValueError>(image[d] < int64_t{1} << 60, op, ": an image of size (", by(image, ", "), ") is too large");
    const int64_t room = image[d] + 2 * pad[d] - spread[d] * (kernel[d] - 1) - 1;
    out[d] = room < 0 ? 0 : room / step[d] + 1;
  }
  for (int64_t o : out)
    check<ValueError>(o > 0, op, ": Given input with spatial size (", by(image, ", "), "), kernel_size=(",
                      by(kernel, ", "), "), dilation=(", by(spread, ", "), "), padding=(", by(pad, ", "),
                      "), calculated shape of the array of sliding blocks as (", by(out, ", "),
                      "), but its components must be at least one.");
  checked_numel({batch, channels, kernel[0], kernel[1], out[0], out[1]}, op);
  return {batch, channels, make_windows(image, out, kernel, step, pad, spread)};
}

}  // namespace

Tensor im2col(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride) {
  constexpr const char* op = "im2col";
  check_defined(self, op);
  const int64_t n = self.dim();
  check<ValueError>(n == 3 || n == 4, op,
                    ": Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other "
                    "non-zero dimensions for input, but got: ",
                    self.sizes());
  for (int64_t d = n - 3; d < n; ++d)
    check<ValueError>(self.size(d) > 0, op,
                      ": Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and "
                      "other non-zero dimensions for input, but got: ",
                      self.sizes());
  const Columns c = columns_of(op, n == 4 ? self.size(0) : 1, self.size(n - 3), self.sizes().slice(n - 2, 2),
                               kernel_size, dilation, padding, stride);
  if (self.is_complex())
    return complex(im2col(real(self), kernel_size, dilation, padding, stride),
                   im2col(imag(self), kernel_size, dilation, padding, stride));
  return n == 4 ? apply(Im2Col{c}, self) : own_result(apply(Im2Col{c}, self.unsqueeze(0)).squeeze(0), self);
}

Tensor col2im(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride) {
  constexpr const char* op = "col2im";
  check_defined(self, op);
  const int64_t n = self.dim();
  check<ValueError>((n == 2 || n == 3) && self.size(n - 2) > 0 && self.size(n - 1) > 0, op,
                    ": Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero "
                    "dimensions for input, but got: ",
                    self.sizes());
  const Dims image = per_dimension(output_size, 2, op, "output_size"),
             kernel = per_dimension(kernel_size, 2, op, "kernel_size");
  for (int64_t s : image) check<ValueError>(s > 0, op, ": output_size must be positive, got ", IntArrayRef(image));
  for (int64_t s : kernel)
    check<ValueError>(s > 0 && s <= INT32_MAX, op, ": kernel size should be greater than zero (and fit in 31 bits), ",
                      "but got ", IntArrayRef(kernel));
  const int64_t rows = self.size(n - 2), taps = kernel[0] * kernel[1];
  check<ValueError>(rows % taps == 0, op, ": Expected size of input's dimension ", n - 2,
                    " to be divisible by the product of kernel_size, but got input of size ", self.sizes(),
                    " and kernel_size=(", by(kernel, ", "), ").");
  const Columns c = columns_of(op, n == 3 ? self.size(0) : 1, rows / taps, image, kernel, dilation, padding, stride);
  check<ValueError>(self.size(n - 1) == c.windows.outputs(), op, ": Given output_size=(", by(image, ", "),
                    "), kernel_size=(", by(kernel, ", "), "), expected size of input's dimension ", n - 1,
                    " to match the calculated number of sliding blocks ", c.windows.out[1], " * ", c.windows.out[2],
                    " = ", c.windows.outputs(), ", but got input of size ", self.sizes(), ".");
  if (self.is_complex())
    return complex(col2im(real(self), output_size, kernel_size, dilation, padding, stride),
                   col2im(imag(self), output_size, kernel_size, dilation, padding, stride));
  return n == 3 ? apply(Col2Im{c}, self) : own_result(apply(Col2Im{c}, self.unsqueeze(0)).squeeze(0), self);
}

// ---- registry

#define TAUT_NAMED(f)                                                                                  \
  [](const Tensor& x, const Tensor& w, OptionalTensor b, IntArrayRef stride, std::string_view padding, \
     IntArrayRef dilation, int64_t groups) { return f(x, w, b, stride, padding, dilation, groups); }
#define TAUT_PLAIN(f)                                                                             \
  [](const Tensor& x, const Tensor& w, OptionalTensor b, IntArrayRef stride, IntArrayRef padding, \
     IntArrayRef dilation, int64_t groups) { return f(x, w, b, stride, padding, dilation, groups); }

extern const OpEntry conv_ops[];
extern const size_t conv_ops_count;
const OpEntry conv_ops[] = {
    doc("The convolution of rows.",
        op("conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] "
           "dilation=1, "
           "int groups=1) -> Tensor",
           "z(2, 2, 5), z(3, 2, 3), z(3)\nt(2, 2, 7), t(3, 2, 3), t(3)\nt(2, 7), t(2, 2, 3), None, [2], [1]\nt(1, 4, "
           "9), t(4, 2, 3), t(4), [3], [2], "
           "[2], "
           "2\nt(0, 2, 5), t(3, 2, 2)\nt(1, 2, 5), t(2, 3, 2)\nt(2, 3, 6), t(3, 1, 2), t(3), groups=3",
           TAUT_PLAIN(conv1d))),
    doc("The convolution of images.",
        op("conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] "
           "dilation=1, "
           "int groups=1) -> Tensor",
           "z(1, 2, 4, 4), z(2, 2, 3, 3)\nt(2, 2, 5, 4), t(3, 2, 3, 2), t(3)\nt(1, 2, 5, 5), t(2, 2, 3, 3), None, [2, "
           "1], [1, 2]\nt(2, 5, 5), t(2, "
           "2, 2, "
           "3), t(2), [2, 2], [1, 1]\nt(1, 4, 5, 5), t(4, 2, 2, 2), t(4), [1, 1], [0, 0], [2, 2], 2\nt(2, 3, 4, 4), "
           "t(6, "
           "1, 3, 3), t(6), [1, 1], [1, 1], [1, 1], 3\nt(1, 3, 5, 6), t(3, 1, 2, 3), None, [2, 2], [1, 1], [1, 2], "
           "3\nt(2, "
           "3, 3, 3), t(4, 3, 1, 1), t(4)\nt(1, 2, 4, 4), t(2, 2, 1, 1), None, [2, 2]\nt(0, 2, 4, 4), t(3, 2, 2, 2), "
           "t(3)\nt(1, 1, 3, 3), t(1, 1, 4, 4)\nt(1, 5, 6, 6), t(2, 5, 2, 2), t(2), [3, 3]",
           TAUT_PLAIN(conv2d))),
    doc("The convolution of volumes.", op("conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, "
                                          "int[3] padding=0, int[3] dilation=1, "
                                          "int groups=1) -> Tensor",
                                          "t(1, 2, 3, 4, 3), t(2, 2, 2, 2, 2), t(2)\nt(1, 3, 3, 4), t(2, 1, 2, 3, 2), "
                                          "None, [2, 1, 1], [1, 1, 0]\nt(1, 2, "
                                          "4, 4, 4), t(2, 1, 2, 2, 2), t(2), [1, 2, 3], [1, 1, 1], [2, 1, 1], 2",
                                          TAUT_PLAIN(conv3d))),
    op("conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, str padding=\"valid\", int[1] "
       "dilation=1, int groups=1) -> Tensor",
       "t(1, 2, 6), t(2, 2, 3), t(2), [1], 'same'\nt(1, 2, 6), t(2, 2, 4), t(2), [1], 'same'\nt(1, 2, 6), t(2, 2, 3), "
       "None, [2], 'valid'\nt(1, 2, 6), t(2, 2, 3), None, [2], 'same'",
       TAUT_NAMED(conv1d)),
    op("conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding=\"valid\", int[2] "
       "dilation=1, int groups=1) -> Tensor",
       "t(1, 2, 4, 4), t(2, 2, 3, 2), t(2), [1, 1], 'same'\nt(1, 2, 5, 4), t(2, 2, 2, 2), None, [1, 1], 'same', [2, "
       "1]\nt(2, 4, 4), t(2, 2, 2, 2), None, [2, 2], 'valid'",
       TAUT_NAMED(conv2d)),
    op("conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding=\"valid\", int[3] "
       "dilation=1, int groups=1) -> Tensor",
       "t(1, 1, 3, 3, 3), t(2, 1, 2, 3, 2), t(2), [1, 1, 1], 'same'", TAUT_NAMED(conv3d)),
    doc("The transposed convolution of rows, the gradient of conv1d.",
        op<conv_transpose1d>("conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] "
                             "padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor",
                             "z(1, 2, 4), z(2, 3, 3)\nt(2, 2, 4), t(2, 3, 3), t(3)\nt(2, 4), t(2, 2, 3), None, [2], "
                             "[1], [1]\nt(1, 4, 3), t(4, 2, "
                             "2), t(4), [3], [0], [1], 2, [2]\nt(1, 2, 4), t(2, 2, 2), None, [1], [0], [1]")),
    doc("The transposed convolution of images, the gradient of conv2d.",
        op<conv_transpose2d>(
            "conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, "
            "int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor",
            "t(1, 2, 3, 4), t(2, 3, 2, 3), t(3)\nt(2, 2, 3, 3), t(2, 1, 3, 3), t(1), [2, 2], [1, 1], [1, "
            "1]\nt(2, 3, 3), t(2, 1, 2, 2), t(2), [3, 2], [0, 0], [2, 0], 2, [1, 2]\nt(1, 3, 3, 3), t(3, "
            "1, 3, 3), None, [1, 1], [1, 1], [0, 0], 3\nt(1, 2, 3, 3), t(2, 3, 1, 1), t(3)\nt(0, 2, 3, "
            "3), t(2, 3, 2, 2)")),
    doc("The transposed convolution of volumes, the gradient of conv3d.",
        op<conv_transpose3d>(
            "conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, "
            "int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor",
            "t(1, 2, 2, 3, 2), t(2, 1, 2, 2, 2), t(1)\nt(1, 2, 2, 2), t(1, 2, 3, 2, 3), None, [2, 2, 2], "
            "[1, 1, 1], [1, 0, 1]")),
    doc("A convolution in any number of dimensions, transposed or not.",
        op<convolution>(
            "convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
            "dilation, bool transposed, int[] output_padding, int groups) -> Tensor",
            "t(1, 2, 4, 4), t(2, 2, 2, 2), t(2), [1, 1], [0, 0], [1, 1], False, [0, 0], 1\nt(1, 2, 3, 3), t(2, "
            "2, 2, 2), None, [2, 2], [0, 0], [1, 1], True, [1, 1], 1")),
    doc("The windows of an image as columns.",
        out_same(op<im2col>(
            "im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor",
            "t(1, 2, 4, 3), [2, 2], [1, 1], [0, 0], [1, 1]\nt(2, 4, 5), [2, 3], [1, 2], [1, 1], [2, 1]\n"
            "z(1, 3, 3), [2, 2], [1, 1], [0, 0], [1, 1]"))),
    doc("Columns added back to the places of their windows.",
        out_same(op<col2im>(
            "col2im(Tensor self, int[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
            "stride) -> Tensor",
            "t(1, 8, 6), [4, 3], [2, 2], [1, 1], [0, 0], [1, 1]\nt(6, 9), [4, 5], [2, 3], [1, 2], [1, 1], [2, 1]\n"
            "z(4, 4), [3, 3], [2, 2], [1, 1], [0, 0], [1, 1]"))),
};
const size_t conv_ops_count = std::size(conv_ops);

}  // namespace taut
