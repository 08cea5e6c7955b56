// Short-time Fourier transforms: the spectra of overlapping windows of a signal, and the signal they are those of.
#include <atomic>

#include "ops/fft.h"
#include "ops/registry.h"
#include "taut/core/runtime.h"

namespace taut {

namespace {

using MaybeBool = std::optional<bool>;
using MaybeInt = std::optional<int64_t>;

/// What PyTorch's messages call the kind of a tensor.
std::string kind_of(const Tensor& t) {
  const std::string name = toString(t.scalar_type());
  return t.is_complex() ? "CPU" + name + "Type" : "torch." + name + "Tensor";
}
template <class T>
std::string shown(const std::optional<T>& v) {
  return v ? str(+*v) : "None";
}
std::string shown(const Tensor& window) {
  return window.defined() ? str(kind_of(window), "{", window.sizes(), "}") : "None";
}
/// A warning that PyTorch gives once in a program.
void warn_once(std::atomic<bool>& given, const char* text) {
  if (!given.exchange(true)) warn(text);
}

/// A call of stft or istft, as messages show it.
struct Call {
  const char* op;
  const Tensor& x;
  int64_t n_fft, hop, length;
  const Tensor& window;
  std::string more;
  template <class... A>
  void require(bool ok, const A&... message) const {
    if (ok) [[likely]]
      return;
    throw Error(str(op, '(', kind_of(x), x.sizes(), ", n_fft=", n_fft, ", hop_length=", hop, ", win_length=", length,
                    ", window=", shown(window), more, ")", message...));
  }
};

/// The window in the middle of n_fft numbers; undefined if it is 1 everywhere.
Tensor whole_window(const Tensor& window, const Tensor& like, int64_t length, int64_t n_fft) {
  if (length == n_fft) return window;
  const int64_t left = (n_fft - length) / 2;
  const Tensor part = window.defined() ? window : ones({length}, like.options());
  return pad(part, {left, n_fft - length - left});
}

}  // namespace

Tensor stft(const Tensor& self, int64_t n_fft, MaybeInt hop_length, MaybeInt win_length, OptionalTensor window_,
            bool center, std::string_view pad_mode, bool normalized, MaybeBool onesided, MaybeBool return_complex,
            MaybeBool align_to_window) {
  check_defined(self, "stft");
  const Tensor window = window_ ? *window_ : Tensor();
  check(!center || !align_to_window, "stft align_to_window should only be set when center = false");
  Tensor x = self;
  if (center) {
    const int64_t around = n_fft / 2;
    Dims three(static_cast<size_t>(std::max<int64_t>(0, 3 - self.dim())), 1);
    for (const int64_t n : self.sizes()) three.push_back(n);
    x = pad(self.view(three), {around, around}, pad_mode);
    Dims sizes(x.sizes());
    x = x.view(IntArrayRef(sizes).slice(static_cast<size_t>(x.dim() - self.dim())));
  }
  if (!window.defined()) {
    static std::atomic<bool> given = false;
    warn_once(
        given,
        "A window was not provided. A rectangular window will be applied,which is known to cause spectral leakage. "
        "Other windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral "
        "leakage.To suppress this warning and use a rectangular window, explicitly set "
        "`window=torch.ones(n_fft, device=<device>)`.");
  }
  const bool complex_input = x.is_complex() || (window.defined() && window.is_complex());
  const bool as_complex = return_complex.value_or(complex_input);
  const Call call{"stft",
                  x,
                  n_fft,
                  hop_length.value_or(n_fft >> 2),
                  win_length.value_or(n_fft),
                  window,
                  str(", normalized=", +normalized, ", onesided=", shown(onesided),
                      ", return_complex=", shown(return_complex), ", align_to_window=", shown(align_to_window))};
  const int64_t hop = call.hop, length = call.length;
  if (!as_complex) {
    check(return_complex.has_value(),
          "stft requires the return_complex parameter be given for real inputs, and will further require that "
          "return_complex=True in a future PyTorch release.");
    static std::atomic<bool> given = false;
    warn_once(given,
              "stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex "
              "tensors for all inputs, and return_complex=False will raise an error.\nNote: you can still call "
              "torch.view_as_real on the complex output to recover the old return format.");
  }
  call.require(is_differentiable(x.scalar_type()), " : expected a tensor of floating point or complex values");
  call.require(x.dim() == 1 || x.dim() == 2, " : expected a 1D or 2D tensor");
  const int64_t samples = x.size(-1);
  call.require(n_fft > 0 && n_fft <= samples, " : expected 0 < n_fft < ", samples, ", but got n_fft=", n_fft);
  call.require(hop > 0, " : expected hop_length > 0, but got hop_length=", hop);
  call.require(length > 0 && length <= n_fft, " : expected 0 < win_length <= n_fft, but got win_length=", length);
  call.require(!window.defined() || (window.dim() == 1 && window.size(0) == length),
               " : expected a 1D window tensor of size equal to win_length=", length, ", but got window with size ",
               window.defined() ? window.sizes() : IntArrayRef());

  Tensor frames = x.dim() == 1 ? x.unsqueeze(0) : x;
  if (align_to_window.value_or(false)) {
    // The first window begins with the signal, the last one ends in it; what is around a window is not looked at.
    const int64_t left = (n_fft - length) / 2;
    frames = pad(frames, {left, n_fft - length - left});
  }
  frames = frames.unfold(1, n_fft, hop);
  if (const Tensor whole = whole_window(window, x, length, n_fft); whole.defined()) frames = frames * whole;
  const FftNorm norm = normalized ? FftNorm::ByRoot : FftNorm::None;
  const bool half = onesided.value_or(!complex_input);
  Tensor y;
  if (complex_input) {
    check(!half, "Cannot have onesided output if window or input is complex");
    y = fft_c2c(frames, {2}, norm, true);
  } else {
    const ScalarType type = frames.scalar_type();
    y = fft_r2c(type == kHalf || type == kBFloat16 ? frames.to(kFloat) : frames, {2}, norm, half);
  }
  y = y.transpose(1, 2);
  if (self.dim() == 1) y = y.squeeze(0);
  return own_result(as_complex ? y : view_as_real(y), self);
}
/// Without padding: an overload of C++ alone.
Tensor stft(const Tensor& self, int64_t n_fft, MaybeInt hop_length, MaybeInt win_length, OptionalTensor window,
            bool normalized, MaybeBool onesided, MaybeBool return_complex, MaybeBool align_to_window) {
  return stft(self, n_fft, hop_length, win_length, window, false, "reflect", normalized, onesided, return_complex,
              align_to_window);
}

Tensor istft(const Tensor& self, int64_t n_fft, MaybeInt hop_length, MaybeInt win_length, OptionalTensor window_,
             bool center, bool normalized, MaybeBool onesided, MaybeInt length, bool return_complex) {
  check_defined(self, "istft");
  const Tensor window = window_ ? *window_ : Tensor();
  if (!window.defined()) {
    static std::atomic<bool> given = false;
    warn_once(given,
              "A window was not provided. A rectangular window will be applied.Please provide the same window used by "
              "stft to make the inversion lossless.To suppress this warning and use a rectangular window, explicitly "
              "set `window=torch.ones(n_fft, device=<device>)`.");
  }
  const Call call{"istft",
                  self,
                  n_fft,
                  hop_length.value_or(n_fft >> 2),
                  win_length.value_or(n_fft),
                  window,
                  str(", center=", +center, ", normalized=", +normalized, ", onesided=", shown(onesided),
                      ", length=", shown(length), ", return_complex=", +return_complex)};
  const int64_t hop = call.hop, width = call.length;
  check(self.is_complex(),
        "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  check<IndexError>(self.dim() >= 2, "Dimension out of range (expected to be in range of [", -self.dim() - 1, ", ",
                    self.dim(), "], but got -3)");
  const int64_t numbers = self.size(-2), count = self.size(-1);
  call.require(self.numel() > 0, " : input tensor cannot be empty.");
  call.require(self.dim() == 2 || self.dim() == 3, " : expected a tensor with 3 or 4 dimensions, but got ",
               self.dim() + 1);
  const bool half = onesided.value_or(numbers != n_fft);
  call.require(!half || n_fft / 2 + 1 == numbers,
               " : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when "
               "onesided=True, but got ",
               numbers);
  call.require(half || n_fft == numbers,
               " : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when "
               "onesided=False, but got ",
               numbers);
  call.require(0 < hop && hop <= width, " : expected 0 < hop_length <= win_length");
  call.require(0 < width && width <= n_fft, " : expected 0 < win_length <= n_fft");
  call.require(!window.defined() || (window.dim() == 1 && window.size(0) == width),
               " : Invalid window shape. window has to be 1D and length of `win_length`");

  Tensor whole = whole_window(window, self, width, n_fft);
  const ScalarType real_type = value_type(self.scalar_type());
  if (!whole.defined() || !window.defined()) {
    const int64_t left = (n_fft - width) / 2;
    whole = pad(ones({width}, real_type), {left, n_fft - width - left});
  }
  Tensor frames = (self.dim() == 2 ? self.unsqueeze(0) : self).transpose(1, 2);
  const FftNorm norm = normalized ? FftNorm::ByRoot : FftNorm::ByNumber;
  if (return_complex) {
    check(!half, "Cannot have onesided output if window or input is complex");
    frames = fft_c2c(frames, {2}, norm, false);
  } else {
    check(!window.defined() || !window.is_complex(), "Complex windows are incompatible with return_complex=False");
    if (!half) frames = frames.narrow(2, 0, n_fft / 2 + 1);
    frames = fft_c2r(frames, {2}, norm, n_fft);
  }
  const int64_t samples = n_fft + hop * (count - 1);
  frames = frames * whole;
  Tensor y = unfold_sum(frames, {frames.size(0), samples}, 1, n_fft, hop);
  Tensor weight = unfold_sum(whole.pow(2).expand({1, count, n_fft}), {1, samples}, 1, n_fft, hop);
  const int64_t start = center ? n_fft / 2 : 0;
  const int64_t end = length ? start + *length : center ? -(n_fft / 2) : samples;
  y = y.slice(1, start, end);
  weight = weight.slice(1, start, end);
  check(weight.numel() > 0,
        "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
        "'dim' argument.");
  const Tensor thin = weight.abs().min().lt(1e-11);
  call.require(!is_nonzero(batching::whole(thin).any()), " window overlap add min: 1");
  y = y / weight;
  if (self.dim() == 2) y = own_result(y.squeeze(0), self);
  if (end > samples) {
    static std::atomic<bool> given = false;
    warn_once(
        given,
        "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. "
        "Please check your center and hop_length settings.");
    y = pad(y, {0, end - samples});
  }
  return y;
}

extern const OpEntry stft_ops[];
extern const size_t stft_ops_count;
const OpEntry stft_ops[] = {
    doc("The spectra of overlapping windows of a signal: frequencies by windows.",
        op("stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
           "center=True, str pad_mode='reflect', bool normalized=False, bool? onesided=None, bool? "
           "return_complex=None, "
           "bool? align_to_window=None) -> Tensor",
           "t(20), 8, return_complex=True\nt(2, 20), 6, 2, 4, p(4), True, 'constant', True, return_complex=True\n"
           "z(12), 4, 3, 4, t(4)\nt(12), 5, 2, 5, z(5), False\nt(2, 16), 8, 3, 4, t(4), center=False, "
           "return_complex=True, align_to_window=True\nt(16), 8, 3, 8, t(8), onesided=False, return_complex=False",
           [](const Tensor& x, int64_t n, MaybeInt hop, MaybeInt width, OptionalTensor window, bool center,
              std::string_view mode, bool normalized, MaybeBool onesided, MaybeBool as_complex, MaybeBool align) {
             return stft(x, n, hop, width, window, center, mode, normalized, onesided, as_complex, align);
           })),
    doc("The signal whose overlapping windows have these spectra.",
        op<istft>("istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
                  "center=True, bool normalized=False, bool? onesided=None, int? length=None, bool "
                  "return_complex=False) -> Tensor",
                  "z(5, 6), 8, 2, 8, p(8)\nz(2, 4, 5), 6, 2, 5, p(5), True, True, length=7\nz(4, 5), 4, 1, 4, p(4), "
                  "False, False, False, None, True\nz(6, 4), 6, 2, 6, p(6), onesided=False")),
};
const size_t stft_ops_count = std::size(stft_ops);

}  // namespace taut
