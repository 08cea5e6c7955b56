// Window functions.
#include <cmath>

#include "kernels/functions.h"
#include "ops/op.h"
#include "ops/registry.h"

namespace taut {

namespace {

constexpr double kPi = 3.14159265358979323846;

/// The window f(places, n), where a periodic one of n samples is the first n of a symmetric one of n + 1.
template <class F>
Tensor window(const char* op, int64_t length, bool periodic, const TensorOptions& options, F f) {
  const ScalarType dtype = options.dtype_opt().value_or(get_default_dtype());
  options.device().require();
  const Placed placed(options);
  check<ValueError>(length >= 0, op, " requires non-negative window_length, got window_length=", length);
  check<TypeError>(is_floating_point(dtype), op, " expects floating point dtypes, got: ", dtype);
  const auto finished = [&](Tensor t) { return options.requires_grad() ? t.set_requires_grad(true) : t; };
  if (length <= 1) return finished(ones({length}, dtype));
  RawScope raw;
  const int64_t n = length + (periodic ? 1 : 0);
  Tensor made = f(arange(n, dtype), static_cast<double>(n - 1));
  return finished(periodic ? made.narrow(0, 0, length).clone() : made);
}

}  // namespace

Tensor hamming_window(int64_t window_length, bool periodic, double alpha, double beta, const TensorOptions& options) {
  return window("hamming_window", window_length, periodic, options,
                [&](const Tensor& i, double last) { return (i * (2 * kPi / last)).cos() * -beta + alpha; });
}
Tensor hamming_window(int64_t window_length, bool periodic, double alpha, const TensorOptions& options) {
  return hamming_window(window_length, periodic, alpha, 0.46, options);
}
Tensor hamming_window(int64_t window_length, bool periodic, const TensorOptions& options) {
  return hamming_window(window_length, periodic, 0.54, 0.46, options);
}
Tensor hamming_window(int64_t window_length, const TensorOptions& options) {
  return hamming_window(window_length, true, options);
}
Tensor hann_window(int64_t window_length, bool periodic, const TensorOptions& options) {
  return window("hann_window", window_length, periodic, options,
                [&](const Tensor& i, double last) { return (i * (2 * kPi / last)).cos() * -0.5 + 0.5; });
}
Tensor hann_window(int64_t window_length, const TensorOptions& options) {
  return hann_window(window_length, true, options);
}
Tensor blackman_window(int64_t window_length, bool periodic, const TensorOptions& options) {
  return window("blackman_window", window_length, periodic, options, [&](const Tensor& i, double last) {
    const Tensor angle = i * (kPi / last);
    return (angle * 4).cos() * 0.08 - (angle * 2).cos() * 0.5 + 0.42;
  });
}
Tensor blackman_window(int64_t window_length, const TensorOptions& options) {
  return blackman_window(window_length, true, options);
}
Tensor bartlett_window(int64_t window_length, bool periodic, const TensorOptions& options) {
  return window("bartlett_window", window_length, periodic, options, [&](const Tensor& i, double last) {
    const Tensor rise = i * (2 / last);
    return where(i > Scalar(std::floor(last / 2)), -rise + 2, rise);
  });
}
Tensor bartlett_window(int64_t window_length, const TensorOptions& options) {
  return bartlett_window(window_length, true, options);
}
Tensor kaiser_window(int64_t window_length, bool periodic, double beta, const TensorOptions& options) {
  return window("kaiser_window", window_length, periodic, options, [&](const Tensor& i, double last) {
    const Tensor place = (i.to(kDouble) - last / 2) / (last / 2);
    return (i0((1 - place * place).sqrt() * beta) / special::i0(beta)).to(i.scalar_type());
  });
}
Tensor kaiser_window(int64_t window_length, bool periodic, const TensorOptions& options) {
  return kaiser_window(window_length, periodic, 12, options);
}
Tensor kaiser_window(int64_t window_length, const TensorOptions& options) {
  return kaiser_window(window_length, true, options);
}

using MaybeDtype = std::optional<ScalarType>;
#define LENGTHS "8\n7\n1\n0\n2\n-1"
#define PERIODS "8, False\n7, True\n1, False\n2, False"
#define WINDOW(name, text)                                                                                  \
  doc(text, op(#name "(int window_length, *, ScalarType? dtype=None) -> Tensor", LENGTHS,                   \
               [](int64_t n, MaybeDtype t) { return name(n, options_of(t)); })),                            \
      op(#name ".periodic(int window_length, bool periodic, *, ScalarType? dtype=None) -> Tensor", PERIODS, \
         [](int64_t n, bool periodic, MaybeDtype t) { return name(n, periodic, options_of(t)); })

extern const OpEntry window_ops[];
extern const size_t window_ops_count;
const OpEntry window_ops[] = {
    WINDOW(hann_window, "Hann's window."),
    WINDOW(hamming_window, "Hamming's window."),
    op("hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None) -> "
       "Tensor",
       "8, False, 0.6\n5, True, 0.5",
       [](int64_t n, bool periodic, double alpha, MaybeDtype t) {
         return hamming_window(n, periodic, alpha, options_of(t));
       }),
    op("hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, ScalarType? "
       "dtype=None) -> Tensor",
       "8, False, 0.6, 0.3\n5, True, 0.5, 0.5",
       [](int64_t n, bool periodic, double alpha, double beta, MaybeDtype t) {
         return hamming_window(n, periodic, alpha, beta, options_of(t));
       }),
    WINDOW(blackman_window, "Blackman's window."),
    WINDOW(bartlett_window, "Bartlett's window, a triangle."),
    WINDOW(kaiser_window, "Kaiser's window."),
    op("kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? dtype=None) -> Tensor",
       "8, False, 5.0\n7, True, 0.5",
       [](int64_t n, bool periodic, double beta, MaybeDtype t) {
         return kaiser_window(n, periodic, beta, options_of(t));
       }),
};
const size_t window_ops_count = std::size(window_ops);

}  // namespace taut
