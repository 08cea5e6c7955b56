// Fourier transforms: torch.fft.
#include "ops/fft.h"
#include "ops/autocast.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "kernels/numeric.h"
#include "ops/registry.h"

namespace taut {

namespace {

constexpr size_t ix(int64_t d) { return static_cast<size_t>(d); }

double factor(FftNorm norm, double numbers) {
  return norm == FftNorm::None ? 1 : norm == FftNorm::ByNumber ? 1 / numbers : 1 / std::sqrt(numbers);
}
double numbers_along(IntArrayRef sizes, const Dims& dims) {
  double n = 1;
  for (const int64_t d : dims) n *= static_cast<double>(sizes[ix(d)]);
  return n;
}
void sort_by_strides(const Tensor& x, int64_t* begin, int64_t* end) {
  std::stable_sort(begin, end, [&](int64_t a, int64_t b) { return x.stride(a) > x.stride(b); });
}

/// x with what is not transformed first, both in the order of its strides, which is how PyTorch lays out the result; in
/// memory without gaps.
struct Arranged {
  Dims order, inverse;
  Tensor x;
  int64_t transformed;  // dimensions, the last ones
  /// `last_stays`: the last of the dimensions is treated otherwise than the others.
  Arranged(const Tensor& from, Dims dims, bool last_stays) : transformed(static_cast<int64_t>(dims.size())) {
    for (int64_t d = 0; d < from.dim(); ++d)
      if (std::find(dims.begin(), dims.end(), d) == dims.end()) order.push_back(d);
    sort_by_strides(from, order.begin(), order.end());
    sort_by_strides(from, dims.begin(), dims.end() - (last_stays ? 1 : 0));
    for (const int64_t d : dims) order.push_back(d);
    inverse.resize(order.size());
    for (size_t i = 0; i < order.size(); ++i) inverse[ix(order[i])] = static_cast<int64_t>(i);
    x = from.permute(order).contiguous();
  }
  Dims sizes() const { return Dims(x.sizes()); }
  Tensor back(const Tensor& y) const { return y.permute(inverse); }
};

/// The transforms of y [.., n, ..] along all dimensions from `first` to `last`, where it is.
void transform_in_place(const Tensor& y, int64_t first, int64_t last, bool forward, double scale) {
  for (int64_t d = first; d < last; ++d) {
    int64_t outer = 1, inner = 1;
    for (int64_t k = 0; k < d; ++k) outer *= y.size(k);
    for (int64_t k = d + 1; k < y.dim(); ++k) inner *= y.size(k);
    kernels::numeric().fft(kernels::Fft::Complex, value_type(y.scalar_type()), outer, y.size(d), inner, y.data_ptr(),
                           y.data_ptr(), !forward, d == first ? scale : 1);
  }
}

struct FftC2C {
  static constexpr const char *name = "fft", *node = "FftC2CBackward0";
  static constexpr bool linear = true, complex = true;
  Dims dims;
  FftNorm norm;
  bool forwards;
  FftC2C moved(int64_t) const { return {moved_dims(dims), norm, forwards}; }
  Tensor forward(const Tensor& x) const {
    const Arranged a(x, dims, false);
    const Tensor y = make(a.x.sizes(), x.scalar_type(), name);
    if (y.numel() > 0) {
      const int64_t last = y.dim() - 1, n = y.size(last);
      kernels::numeric().fft(kernels::Fft::Complex, value_type(y.scalar_type()), y.numel() / n, n, 1, a.x.data_ptr(),
                             y.data_ptr(), !forwards, factor(norm, numbers_along(x.sizes(), dims)));
      transform_in_place(y, y.dim() - a.transformed, last, forwards, 1);
    }
    return a.back(y);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return fft_c2c(g, dims, norm, !forwards); }
};

/// 1 for the numbers of a half spectrum that stand for themselves, `twice` for those that also stand for their
/// conjugates.
Tensor weights(const Tensor& like, int64_t dim, int64_t n, double twice) {
  RawScope raw;
  Dims sizes(static_cast<size_t>(like.dim()), 1);
  sizes[ix(dim)] = n / 2 + 1;
  const Tensor w = full(sizes, twice, value_type(like.scalar_type()));
  w.narrow(dim, 0, 1).fill_(1);
  if (n % 2 == 0) w.narrow(dim, n / 2, 1).fill_(1);
  return w;
}

struct FftR2C {
  static constexpr const char *name = "rfft", *node = "FftR2CBackward0";
  static constexpr bool linear = true, complex = true;
  Dims dims;
  FftNorm norm;
  bool onesided;
  FftR2C moved(int64_t) const { return {moved_dims(dims), norm, onesided}; }
  Tensor forward(const Tensor& x) const {
    const Arranged a(x, dims, true);
    Dims sizes = a.sizes();
    const int64_t n = sizes.back(), half = n / 2 + 1;
    sizes.back() = half;
    const Tensor y = make(sizes, complex_type(x.scalar_type()), name);
    if (y.numel() > 0) {
      kernels::numeric().fft(kernels::Fft::ToHalf, x.scalar_type(), y.numel() / half, n, 1, a.x.data_ptr(),
                             y.data_ptr(), false, factor(norm, numbers_along(x.sizes(), dims)));
      transform_in_place(y, y.dim() - a.transformed, y.dim() - 1, true, 1);
    }
    return a.back(onesided ? y : with_other_half(y, n));
  }
  static Tensor with_other_half(const Tensor& half, int64_t n) {
    Dims sizes(half.sizes());
    sizes.back() = n;
    const Tensor y = make(sizes, half.scalar_type(), name);
    if (no_data(half)) return y;
    const auto fill = [&]<class T>(const Complex<T>* from, Complex<T>* to) {
      const int64_t m = n / 2 + 1;
      parallel_for(y.numel() / n, std::max<int64_t>(1, 16384 / n), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          std::copy_n(from + i * m, m, to + i * n);
          for (int64_t k = m; k < n; ++k) to[i * n + k] = conj(from[i * m + n - k]);
        }
      });
    };
    if (half.scalar_type() == kComplexDouble)
      fill(static_cast<const Complex<double>*>(half.data_ptr()), static_cast<Complex<double>*>(y.data_ptr()));
    else fill(static_cast<const Complex<float>*>(half.data_ptr()), static_cast<Complex<float>*>(y.data_ptr()));
    return y;
  }
  /// Of a half spectrum: the real part of the transform back, where no number stands for its conjugate too.
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const int64_t n = s.sizes(0)[ix(dims.back())];
    if (!onesided) return real(fft_c2c(g, dims, norm, false));
    return fft_c2r(g * weights(g, dims.back(), n, 0.5), dims, norm, n);
  }
};

struct FftC2R {
  static constexpr const char *name = "irfft", *node = "FftC2RBackward0";
  static constexpr bool linear = true, complex = true;
  Dims dims;
  FftNorm norm;
  int64_t n;
  FftC2R moved(int64_t) const { return {moved_dims(dims), norm, n}; }
  Tensor forward(const Tensor& x) const {
    Dims others = dims;
    others.resize(dims.size() - 1);
    const Tensor z = others.empty() ? x : FftC2C{others, FftNorm::None, false}.forward(x);
    const Arranged a(z, {dims.back()}, true);
    Dims sizes = a.sizes();
    sizes.back() = n;
    const Tensor y = make(sizes, value_type(x.scalar_type()), name);
    if (y.numel() > 0)
      kernels::numeric().fft(kernels::Fft::FromHalf, y.scalar_type(), y.numel() / n, n, 1, a.x.data_ptr(), y.data_ptr(),
                             true, factor(norm, numbers_along(x.sizes(), others) * static_cast<double>(n)));
    return a.back(y);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    const Tensor half = fft_r2c(g, dims, norm, true);
    return half * weights(half, dims.back(), n, 2);
  }
};

// ---- arguments

using MaybeName = std::optional<std::string_view>;

/// In the dtype that is transformed: whole numbers in the default one.
Tensor promoted(const Tensor& x, bool to_complex) {
  if (x.is_complex()) {
    check(x.scalar_type() != kComplexHalf, "Unsupported dtype ", toString(x.scalar_type()));
    return x;
  }
  const ScalarType type = x.is_floating_point() ? x.scalar_type() : get_default_dtype();
  check(type == kFloat || type == kDouble, "Unsupported dtype ", toString(type));
  return x.to(to_complex ? complex_type(type) : type);
}
FftNorm norm_of(MaybeName norm, bool forward) {
  if (!norm || *norm == "backward") return forward ? FftNorm::None : FftNorm::ByNumber;
  if (*norm == "forward") return forward ? FftNorm::ByNumber : FftNorm::None;
  check(*norm == "ortho", "Invalid normalization mode: \"", *norm, "\"");
  return FftNorm::ByRoot;
}
void check_points(int64_t n) { check(n >= 1, "Invalid number of data points (", n, ") specified"); }
int64_t axis(const Tensor& x, int64_t dim, const char* op) {
  check<IndexError>(x.dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return wrap_dim(dim, x.dim(), op);
}
/// Cut, or padded with zeros behind, to these sizes along dims.
Tensor resized(Tensor x, const Dims& dims, const Dims& sizes) {
  Dims pads(static_cast<size_t>(2 * x.dim()), 0);
  bool grows = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = dims[i], now = x.size(d);
    if (now > sizes[i]) x = x.narrow(d, 0, sizes[i]);
    if (now < sizes[i]) grows = true, pads[pads.size() - 2 * ix(d) - 1] = sizes[i] - now;
  }
  return grows ? pad(x, pads) : x;
}

/// Which dimensions are transformed, and how many numbers along each.
struct Request {
  Dims dims, sizes;
  Request(const Tensor& x, OptionalIntArrayRef s, OptionalIntArrayRef dim, const char* op) {
    if (dim) {
      for (const int64_t d : *dim) dims.push_back(axis(x, d, op));
      Dims sorted = dims;
      std::sort(sorted.begin(), sorted.end());
      check(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "FFT dims must be unique");
    }
    if (s) {
      check(!dim || dim->size() == s->size(), "When given, dim and shape arguments must have the same length");
      check(static_cast<int64_t>(s->size()) <= x.dim(), "Got shape with ", s->size(),
            " values but input tensor only has ", x.dim(), " dimensions.");
    }
    if (!dim)
      for (int64_t d = s ? x.dim() - static_cast<int64_t>(s->size()) : 0; d < x.dim(); ++d) dims.push_back(d);
    for (size_t i = 0; i < dims.size(); ++i) {
      sizes.push_back(s && (*s)[i] != -1 ? (*s)[i] : x.size(dims[i]));
      check_points(sizes.back());
    }
  }
};

Tensor complex_line(const char* op, const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm,
                    bool forward) {
  const Dims dims{axis(self, dim, op)};
  const int64_t points = n.value_or(self.size(dims[0]));
  check_points(points);
  return fft_c2c(resized(self, dims, {points}), dims, norm_of(norm, forward), forward);
}
Tensor real_line(const char* op, const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm,
                 bool forward, bool onesided) {
  check_defined(self, op);
  check(!self.is_complex(), op, " expects a real input tensor, but got ", toString(self.scalar_type()));
  const Tensor x = promoted(self, false);
  const Dims dims{axis(x, dim, op)};
  const int64_t points = n.value_or(x.size(dims[0]));
  check_points(points);
  const Tensor y = fft_r2c(resized(x, dims, {points}), dims, norm_of(norm, forward), onesided);
  return forward ? y : y.conj();
}
Tensor half_line(const char* op, const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm,
                 bool forward) {
  check_defined(self, op);
  const Tensor x = promoted(self, true);
  const Dims dims{axis(x, dim, op)};
  const int64_t points = n.value_or(2 * (x.size(dims[0]) - 1));
  check_points(points);
  const Tensor half = resized(x, dims, {n ? points / 2 + 1 : x.size(dims[0])});
  return fft_c2r(forward ? half.conj() : half, dims, norm_of(norm, forward), points);
}
Tensor any_line(const char* op, const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm,
                bool forward) {
  check_defined(self, op);
  return self.is_complex() ? complex_line(op, promoted(self, true), n, dim, norm, forward)
                           : real_line(op, self, n, dim, norm, forward, false);
}

Tensor complex_lines(const char* op, const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, MaybeName norm,
                     bool forward) {
  check_defined(self, op);
  const Request r(self, s, dim, op);
  const Tensor x = resized(promoted(self, true), r.dims, r.sizes);
  const FftNorm by = norm_of(norm, forward);
  return r.dims.empty() ? x.clone() : fft_c2c(x, r.dims, by, forward);
}
/// Of all dimensions but the last one, and that one.
std::pair<Dims, Dims> last_apart(const Dims& dims) {
  Dims others = dims;
  others.resize(dims.size() - 1);
  return {others, Dims{dims.back()}};
}
Tensor half_lines(const char* op, const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, MaybeName norm,
                  bool forward) {
  check_defined(self, op);
  Request r(self, s, dim, op);
  check(!r.dims.empty(), op, " must transform at least one axis");
  const int64_t n = s && s->back() != -1 ? r.sizes.back() : 2 * (self.size(r.dims.back()) - 1);
  check_points(n);
  r.sizes.back() = n / 2 + 1;
  const Tensor x = resized(promoted(self, true), r.dims, r.sizes);
  const FftNorm by = norm_of(norm, forward);
  if (!forward) return fft_c2r(x, r.dims, by, n);
  const auto [others, last] = last_apart(r.dims);
  return fft_c2r((others.empty() ? x : fft_c2c(x, others, by, true)).conj(), last, by, n);
}

}  // namespace

Tensor fft_c2c(const Tensor& x, const Dims& dims, FftNorm norm, bool forward) {
  return apply(FftC2C{dims, norm, forward}, x);
}
Tensor fft_r2c(const Tensor& x, const Dims& dims, FftNorm norm, bool onesided) {
  return apply(FftR2C{dims, norm, onesided}, x);
}
Tensor fft_c2r(const Tensor& x, const Dims& dims, FftNorm norm, int64_t n) { return apply(FftC2R{dims, norm, n}, x); }

Tensor fft_fft(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm) {
  AUTOCAST(fft_fft, as_wide(self), n, dim, norm);
  return any_line("fft", self, n, dim, norm, true);
}
Tensor fft_ifft(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm) {
  AUTOCAST(fft_ifft, as_wide(self), n, dim, norm);
  return any_line("ifft", self, n, dim, norm, false);
}
Tensor fft_rfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm) {
  AUTOCAST(fft_rfft, as_wide(self), n, dim, norm);
  return real_line("rfft", self, n, dim, norm, true, true);
}
Tensor fft_irfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm) {
  AUTOCAST(fft_irfft, as_wide(self), n, dim, norm);
  return half_line("irfft", self, n, dim, norm, false);
}
Tensor fft_hfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm) {
  AUTOCAST(fft_hfft, as_wide(self), n, dim, norm);
  return half_line("hfft", self, n, dim, norm, true);
}
Tensor fft_ihfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeName norm) {
  AUTOCAST(fft_ihfft, as_wide(self), n, dim, norm);
  return real_line("ihfft", self, n, dim, norm, false, true);
}

Tensor fft_fftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, MaybeName norm) {
  AUTOCAST(fft_fftn, as_wide(self), s, dim, norm);
  return complex_lines("fftn", self, s, dim, norm, true);
}
Tensor fft_ifftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, MaybeName norm) {
  AUTOCAST(fft_ifftn, as_wide(self), s, dim, norm);
  return complex_lines("ifftn", self, s, dim, norm, false);
}
Tensor fft_rfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, MaybeName norm) {
  AUTOCAST(fft_rfftn, as_wide(self), s, dim, norm);
  check_defined(self, "rfftn");
  check(!self.is_complex(), "rfftn expects a real-valued input tensor, but got ", toString(self.scalar_type()));
  const Request r(self, s, dim, "rfftn");
  check(!r.dims.empty(), "rfftn must transform at least one axis");
  const Tensor x = resized(promoted(self, false), r.dims, r.sizes);
  return fft_r2c(x, r.dims, norm_of(norm, true), true);
}
Tensor fft_irfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, MaybeName norm) {
  AUTOCAST(fft_irfftn, as_wide(self), s, dim, norm);
  return half_lines("irfftn", self, s, dim, norm, false);
}
Tensor fft_hfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, MaybeName norm) {
  return half_lines("hfftn", self, s, dim, norm, true);
}
Tensor fft_ihfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim, MaybeName norm) {
  check_defined(self, "ihfftn");
  const Request r(self, s, dim, "ihfftn");
  check(!r.dims.empty(), "ihfftn must transform at least one axis");
  check(!self.is_complex(), "Only supports floating-point dtypes, but found: ", toString(self.scalar_type()));
  const Tensor x = resized(promoted(self, false), r.dims, r.sizes);
  const FftNorm by = norm_of(norm, false);
  const auto [others, last] = last_apart(r.dims);
  const Tensor half = conj_physical(fft_r2c(x, last, by, true));
  return others.empty() ? half : fft_c2c(half, others, by, false);
}

// PyTorch's two-dimensional ones are those of n dimensions, of which there may be another number.
#define FFT2(name)                                                                                   \
  Tensor fft_##name##2(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim, MaybeName norm) { \
    check_defined(self, #name "2");                                                                  \
    return fft_##name##n(self, s, dim, norm);                                                        \
  }
FFT2(fft)
FFT2(ifft)
FFT2(rfft)
FFT2(irfft)
FFT2(hfft)
FFT2(ihfft)
#undef FFT2

static Tensor shifted(const Tensor& self, OptionalIntArrayRef dim, const char* op, int64_t more) {
  check_defined(self, op);
  Dims dims, shifts;
  if (dim) dims = *dim;
  else
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  for (const int64_t d : dims) shifts.push_back((self.size(axis(self, d, op)) + more) / 2);
  return roll(self, shifts, dims);
}
Tensor fft_fftshift(const Tensor& self, OptionalIntArrayRef dim) { return shifted(self, dim, "fftshift", 0); }
Tensor fft_ifftshift(const Tensor& self, OptionalIntArrayRef dim) { return shifted(self, dim, "ifftshift", 1); }

// ---- frequencies

static void check_frequencies(const char* op, ScalarType type) {
  check(is_floating_point(type) || is_complex(type), op, " requires a floating point or complex dtype");
  check<NotImplementedError>(is_floating_point(type), "\"arange_cpu\" not implemented for '", toString(type), "'");
}
Tensor fft_fftfreq(int64_t n, double d, const TensorOptions& options) {
  const ScalarType type = options.dtype_opt().value_or(get_default_dtype());
  check_frequencies("fftfreq", type);
  Tensor y = empty({n}, options);
  {
    NoGradGuard no_grad;
    const int64_t positive = (n + 1) / 2;
    y.narrow(0, 0, positive).copy_(arange(positive, type));
    y.narrow(0, positive, n - positive).copy_(arange(-(n / 2), 0, type));
    y.mul_(1.0 / (static_cast<double>(n) * d));
  }
  return y;
}
Tensor fft_rfftfreq(int64_t n, double d, const TensorOptions& options) {
  const ScalarType type = options.dtype_opt().value_or(get_default_dtype());
  check_frequencies("rfftfreq", type);
  Tensor y = arange(n / 2 + 1, TensorOptions(options).dtype(type));
  NoGradGuard no_grad;
  return y.mul_(1.0 / (static_cast<double>(n) * d));
}

Tensor fft_fftfreq(int64_t n, const TensorOptions& options) { return fft_fftfreq(n, 1, options); }
Tensor fft_rfftfreq(int64_t n, const TensorOptions& options) { return fft_rfftfreq(n, 1, options); }

#define LINE(name, text, samples) \
  doc(text, op<fft_##name>("fft_" #name "(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor", samples)),
#define LINES(name, text, samples)                                                                                   \
  doc(text, op<fft_##name>("fft_" #name "(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", \
                           samples)),
#define PLANES(name, text, samples)                                                                              \
  doc(text, op<fft_##name>("fft_" #name "(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> " \
                           "Tensor",                                                                             \
                           samples)),
#define COMPLEX_LINE                                                                                          \
  "z(8)\nt(2, 6)\nz(3, 5), None, 0\nz(2, 4), 7, -1, 'ortho'\nt(2, 9), 6, 1, 'forward'\nz(2, 67)\nz(3, 128), " \
  "norm='forward'"
#define COMPLEX_LINES \
  "z(2, 3)\nz(2, 3, 4), [2, 5], [0, 2], 'ortho'\nt(3, 4)\nz(3, 2, 2), None, [1, 0], 'forward'\nz()\nt(2, 3), [3]"
#define REAL_LINES "t(2, 6)\nt(3, 5), None, [1, 0], 'ortho'\nt(2, 3, 4), [3, 3], [2, 0], 'forward'\nt(4, 3), [2]"
#define HALF_LINES "z(3, 4)\nz(3, 5), None, [1, 0], 'ortho'\nz(2, 3, 4), [3, 5], [0, 2], 'forward'\nt(4, 3), [4]"

extern const OpEntry fft_ops[];
extern const size_t fft_ops_count;
const OpEntry fft_ops[] = {
    LINE(fft, "The discrete Fourier transform along a dimension.", COMPLEX_LINE) LINE(
        ifft, "The inverse of the discrete Fourier transform along a dimension.",
        COMPLEX_LINE) LINE(rfft, "The first half of the Fourier transform of real numbers along a dimension.",
                           "t(8)\nt(2, 7)\nt(3, 5), None, 0\nt(2, 4), 7, -1, 'ortho'\nt(2, 9), 6, 1, 'forward'\nt(134)")
        LINE(irfft, "The n real numbers of whose Fourier transform this is the first half.",
             "z(5)\nz(2, 4), 7\nz(3, 5), None, 0\nz(2, 4), 3, -1, 'ortho'\nt(2, 9), 20, 1, 'forward'\nz(68)")
            LINE(hfft,
                 "The Fourier transform, which is real, of numbers with conjugate symmetry, given their first half.",
                 "z(5)\nz(2, 4), 7\nz(3, 5), None, 0\nz(2, 4), 3, -1, 'ortho'\nt(2, 9), 20, 1, 'forward'")
                LINE(ihfft, "The first half of the inverse Fourier transform of real numbers.",
                     "t(8)\nt(2, 7)\nt(3, 5), None, 0\nt(2, 4), 7, -1, 'ortho'\nt(2, 9), 6, 1, 'forward'")
                    LINES(fftn, "The discrete Fourier transform along several dimensions.", COMPLEX_LINES) LINES(
                        ifftn, "The inverse of the discrete Fourier transform along several dimensions.",
                        COMPLEX_LINES) LINES(rfftn,
                                             "The Fourier transform of real numbers along several dimensions, the "
                                             "first half of the last one.",
                                             REAL_LINES)
                        LINES(irfftn,
                              "The real numbers whose Fourier transform along several dimensions this is half of.",
                              HALF_LINES) LINES(hfftn,
                                                "The Fourier transform along several dimensions, which is real, given "
                                                "one half along the last.",
                                                HALF_LINES)
                            LINES(ihfftn,
                                  "One half of the inverse Fourier transform of real numbers along several dimensions.",
                                  REAL_LINES) PLANES(fft2, "The discrete Fourier transform along two dimensions.",
                                                     "z(2, 3)\nt(2, 3, 4), [2, 5], [0, 2], 'ortho'")
                                PLANES(ifft2, "The inverse of the discrete Fourier transform along two dimensions.",
                                       "z(2, 3)\nt(2, 3, 4), [2, 5], [0, 2], 'ortho'")
                                    PLANES(rfft2,
                                           "The Fourier transform of real numbers along two dimensions, the first half "
                                           "of the last one.",
                                           "t(2, 3)\nt(2, 3, 4), [2, 5], [0, 2], 'ortho'")
                                        PLANES(irfft2,
                                               "The real numbers whose Fourier transform along two dimensions this is "
                                               "half of.",
                                               "z(2, 3)\nz(2, 3, 4), [2, 5], [0, 2], 'ortho'")
                                            PLANES(hfft2,
                                                   "The Fourier transform along two dimensions, which is real, given "
                                                   "one half along the last.",
                                                   "z(2, 3)\nz(2, 3, 4), [2, 5], [0, 2], 'ortho'")
                                                PLANES(ihfft2,
                                                       "One half of the inverse Fourier transform of real numbers "
                                                       "along two dimensions.",
                                                       "t(2, 3)\nt(2, 3, 4), [2, 5], [0, 2], 'ortho'")
                                                    doc("The numbers with those of frequency 0 moved to the middle.",
                                                        no_out(op<fft_fftshift>(
                                                            "fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor",
                                                            "t(5)\nt(2, 4)\nz(3, 4), [0]\nt(3, 4), [1, 0]\ni(0, 5, 3, "
                                                            "2), 1"))),
    doc("The inverse of fftshift, which it is not where there is an odd number.",
        no_out(op<fft_ifftshift>("fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor",
                                 "t(5)\nt(2, 4)\nz(3, 4), [0]\nt(3, 4), [1, 0]\ni(0, 5, 3, 2), 1"))),
};
const size_t fft_ops_count = std::size(fft_ops);

extern const OpEntry frequency_ops[];
extern const size_t frequency_ops_count;
using MaybeDtype = std::optional<ScalarType>;
const OpEntry frequency_ops[] = {
    doc("The frequencies of a Fourier transform of n numbers, d apart in time.",
        op("fft_fftfreq(int n, float d=1.0, *, ScalarType? dtype=None) -> Tensor", "5\n6, 0.5\n1\n0\n4, 0.0\n-1",
           [](int64_t n, double d, MaybeDtype t) {
             return fft_fftfreq(n, d, t ? TensorOptions(*t) : TensorOptions());
           })),
    doc("The frequencies of the first half of a Fourier transform of n numbers, d apart in time.",
        op("fft_rfftfreq(int n, float d=1.0, *, ScalarType? dtype=None) -> Tensor", "5\n6, 0.5\n1\n0\n4, 0.0\n-3",
           [](int64_t n, double d, MaybeDtype t) {
             return fft_rfftfreq(n, d, t ? TensorOptions(*t) : TensorOptions());
           })),
};
const size_t frequency_ops_count = std::size(frequency_ops);

}  // namespace taut
