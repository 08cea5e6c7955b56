// The initialisers: the formulas of PyTorch 2.13's torch.nn.init, in the same order of draws.
#include "taut/nn/init.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "taut/autograd.h"
#include "taut/core/maths.h"
#include "taut/core/runtime.h"
#include "taut/factories.h"

namespace taut::nn::init {

namespace {

using MaybeGenerator = std::optional<Generator>;

void check_tensor(const Tensor& t, const char* op) {
  check(t.defined(), op, ": expected a tensor, got an undefined one");
}
void check_floating(const Tensor& t, const char* op) {
  check_tensor(t, op);
  check<TypeError>(t.is_floating_point(), op, ": expected a tensor of a floating dtype, got ", t.scalar_type());
}
void check_finite(double v, const char* op, const char* what) {
  check<ValueError>(std::isfinite(v), op, ": ", what, " must be finite, got ", v);
}

double kaiming_std(const Tensor& t, double a, FanModeType mode, NonlinearityType nonlinearity, const char* op) {
  check_finite(a, op, "a");
  check<ValueError>(mode == kFanIn || mode == kFanOut, "Mode ", mode.name(),
                    " not supported, please use one of ['fan_in', 'fan_out']");
  const auto [in, out] = _calculate_fan_in_and_fan_out(t);
  return calculate_gain(nonlinearity, a) / std::sqrt(static_cast<double>(mode == kFanIn ? in : out));
}
bool nothing_to_fill(const Tensor& t) {
  if (t.numel() > 0) return false;
  warn("Initializing zero-element tensors is a no-op");
  return true;
}
double xavier_std(const Tensor& t, double gain, const char* op) {
  check_finite(gain, op, "gain");
  check<ValueError>(gain >= 0, op, ": gain must not be negative, got ", gain);
  const auto [in, out] = _calculate_fan_in_and_fan_out(t);
  return gain * std::sqrt(2.0 / static_cast<double>(in + out));
}

/// The Q of a = QR with R's diagonal positive, for a row-major matrix of at least as many rows as columns: Householder
/// reflections, then their product applied to the columns of the identity. A zero on R's diagonal makes a column zero.
std::vector<double> orthonormal_columns(std::vector<double> a, int64_t rows, int64_t cols) {
  const auto at = [cols](int64_t i, int64_t j) { return static_cast<size_t>(i * cols + j); };
  std::vector<double> diagonal(static_cast<size_t>(cols)), scale(static_cast<size_t>(cols));
  // The reflection k is I - scale v v^T, v in column k of `m` from row k on.
  const auto reflect = [&](const std::vector<double>& v, std::vector<double>& m, int64_t k, int64_t from) {
    std::vector<double> dot(static_cast<size_t>(cols));
    for (int64_t i = k; i < rows; ++i)
      for (int64_t j = from; j < cols; ++j) dot[static_cast<size_t>(j)] += v[at(i, k)] * m[at(i, j)];
    for (int64_t i = k; i < rows; ++i)
      for (int64_t j = from; j < cols; ++j)
        m[at(i, j)] -= scale[static_cast<size_t>(k)] * v[at(i, k)] * dot[static_cast<size_t>(j)];
  };
  for (int64_t k = 0; k < cols; ++k) {
    double norm = 0;  // of draws from a normal distribution, whose squares are neither huge nor tiny
    for (int64_t i = k; i < rows; ++i) norm += a[at(i, k)] * a[at(i, k)];
    norm = std::sqrt(norm);
    const double head = a[at(k, k)], r = head > 0 ? -norm : norm;
    diagonal[static_cast<size_t>(k)] = r;
    a[at(k, k)] = head - r;
    scale[static_cast<size_t>(k)] = norm == 0 ? 0 : -1 / (r * a[at(k, k)]);
    if (k + 1 < cols) {
      const std::vector<double> v = a;  // the columns after k change, column k does not
      reflect(v, a, k, k + 1);
    }
  }
  std::vector<double> q(a.size());
  for (int64_t k = 0; k < cols; ++k) q[at(k, k)] = 1;
  for (int64_t k = cols; k-- > 0;) reflect(a, q, k, k);
  for (int64_t k = 0; k < cols; ++k) {
    const double d = diagonal[static_cast<size_t>(k)], sign = d > 0 ? 1 : d < 0 ? -1 : 0;
    for (int64_t i = 0; i < rows; ++i) q[at(i, k)] *= sign;
  }
  return q;
}

}  // namespace

double calculate_gain(NonlinearityType nonlinearity, double param) {
  for (const Keyword& k :
       {kLinear, kConv1D, kConv2D, kConv3D, kConvTranspose1D, kConvTranspose2D, kConvTranspose3D, kSigmoid})
    if (nonlinearity == k) return 1;
  if (nonlinearity == kTanh) return 5.0 / 3;
  if (nonlinearity == kReLU) return std::numbers::sqrt2;
  if (nonlinearity == kLeakyReLU) {
    check_finite(param, "calculate_gain", "the negative slope");
    return std::sqrt(2.0 / (1 + param * param));
  }
  if (nonlinearity == kSELU) return 3.0 / 4;
  throw ValueError(str("Unsupported nonlinearity ", nonlinearity.name()));
}

std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const Tensor& tensor) {
  check_tensor(tensor, "_calculate_fan_in_and_fan_out");
  check<ValueError>(tensor.dim() >= 2,
                    "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  int64_t field = 1;
  for (int64_t d = 2; d < tensor.dim(); ++d) field *= tensor.size(d);
  return {tensor.size(1) * field, tensor.size(0) * field};
}

Tensor constant_(Tensor tensor, Scalar value) {
  check_tensor(tensor, "constant_");
  NoGradGuard guard;
  return tensor.fill_(value);
}
Tensor ones_(Tensor tensor) {
  check_tensor(tensor, "ones_");
  NoGradGuard guard;
  return tensor.fill_(1);
}
Tensor zeros_(Tensor tensor) {
  check_tensor(tensor, "zeros_");
  NoGradGuard guard;
  return tensor.zero_();
}
Tensor eye_(Tensor matrix) {
  check_tensor(matrix, "eye_");
  check<ValueError>(matrix.dim() == 2, "Only tensors with 2 dimensions are supported");
  NoGradGuard guard;
  return matrix.copy_(eye(matrix.size(0), matrix.size(1), matrix.scalar_type()));
}
Tensor dirac_(Tensor tensor, int64_t groups) {
  check_tensor(tensor, "dirac_");
  check<ValueError>(tensor.dim() >= 3 && tensor.dim() <= 5, "Only tensors with 3, 4, or 5 dimensions are supported");
  check<ValueError>(groups > 0, "dirac_: groups must be positive, got ", groups);
  check<ValueError>(tensor.size(0) % groups == 0, "dim 0 must be divisible by groups");
  NoGradGuard guard;
  tensor.zero_();
  Tensor center = tensor;
  for (int64_t d = 2; d < tensor.dim(); ++d) {
    if (tensor.size(d) == 0) return tensor;
    center = center.select(2, tensor.size(d) / 2);
  }
  const int64_t outputs = tensor.size(0) / groups, n = std::min(outputs, tensor.size(1));
  for (int64_t g = 0; g < groups; ++g)
    center.narrow(0, g * outputs, n).narrow(1, 0, n).copy_(eye(n, tensor.scalar_type()));
  return tensor;
}

Tensor uniform_(Tensor tensor, double low, double high, MaybeGenerator generator) {
  check_floating(tensor, "uniform_");
  NoGradGuard guard;
  return tensor.uniform_(low, high, std::move(generator));
}
Tensor normal_(Tensor tensor, double mean, double std, MaybeGenerator generator) {
  check_floating(tensor, "normal_");
  NoGradGuard guard;
  return tensor.normal_(mean, std, std::move(generator));
}

Tensor trunc_normal_(Tensor tensor, double mean, double std, double a, double b, MaybeGenerator generator) {
  check_floating(tensor, "trunc_normal_");
  check<ValueError>(std != 0, "trunc_normal_: std must not be 0");
  check<ValueError>(a <= b, "trunc_normal_: expected bounds a <= b, got ", a, " and ", b);
  if (mean < a - 2 * std || mean > b + 2 * std)
    warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.");
  NoGradGuard guard;
  if (tensor.numel() == 0 || tensor.is_meta()) return tensor;
  const auto cdf = [](double x) { return (1 + maths::erf(x / std::numbers::sqrt2)) / 2; };
  if (cdf((b - mean) / std) - cdf((a - mean) / std) > 0.3) {
    // Most draws are good: draw all anew until none is left outside, and keep the first good ones.
    const double low = scalar_tensor(a, tensor.scalar_type()).item<double>(),
                 high = scalar_tensor(b, tensor.scalar_type()).item<double>();
    Tensor result = tensor.normal_(mean, std, generator);
    for (;;) {
      const Tensor outside = (result < low) | (result > high);
      if (!outside.any().item<bool>()) break;
      result = where(outside, empty_like(result).normal_(mean, std, generator), result);
    }
    return tensor.is_same(result) ? tensor : tensor.copy_(result);
  }
  check<ValueError>(std::isfinite(a) && std::isfinite(b),
                    "trunc_normal_: expected finite bounds so far from the mean, got ", a, " and ", b);
  // Few would be good: uniform candidates, each accepted with the probability of the density over its peak.
  const double at_peak = (std::clamp(mean, a, b) - mean) / std, log_peak = -0.5 * at_peak * at_peak;
  const Tensor candidates = empty_like(tensor), accept = empty_like(tensor);
  const auto rejected = [&] {
    candidates.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(log_peak);
    return accept.uniform_(0, 1, generator).log_().gt(candidates);
  };
  tensor.uniform_(a, b, generator);
  candidates.copy_(tensor);
  Tensor pending = rejected(), result = tensor;
  while (pending.any().item<bool>()) {
    candidates.uniform_(a, b, generator);
    result = where(pending, candidates, result);
    pending = pending.logical_and(rejected());
  }
  return tensor.is_same(result) ? tensor : tensor.copy_(result);
}

Tensor xavier_uniform_(Tensor tensor, double gain, MaybeGenerator generator) {
  check_floating(tensor, "xavier_uniform_");
  const double bound = std::numbers::sqrt3 * xavier_std(tensor, gain, "xavier_uniform_");
  return tensor.numel() == 0 ? tensor : uniform_(tensor, -bound, bound, std::move(generator));
}
Tensor xavier_normal_(Tensor tensor, double gain, MaybeGenerator generator) {
  check_floating(tensor, "xavier_normal_");
  const double std = xavier_std(tensor, gain, "xavier_normal_");
  return tensor.numel() == 0 ? tensor : normal_(tensor, 0, std, std::move(generator));
}
Tensor kaiming_uniform_(Tensor tensor, double a, FanModeType mode, NonlinearityType nonlinearity,
                        MaybeGenerator generator) {
  check_floating(tensor, "kaiming_uniform_");
  if (nothing_to_fill(tensor)) return tensor;
  const double bound = std::numbers::sqrt3 * kaiming_std(tensor, a, mode, nonlinearity, "kaiming_uniform_");
  return uniform_(tensor, -bound, bound, std::move(generator));
}
Tensor kaiming_normal_(Tensor tensor, double a, FanModeType mode, NonlinearityType nonlinearity,
                       MaybeGenerator generator) {
  check_floating(tensor, "kaiming_normal_");
  if (nothing_to_fill(tensor)) return tensor;
  return normal_(tensor, 0, kaiming_std(tensor, a, mode, nonlinearity, "kaiming_normal_"), std::move(generator));
}

Tensor orthogonal_(Tensor tensor, double gain, MaybeGenerator generator) {
  check_floating(tensor, "orthogonal_");
  check<ValueError>(tensor.dim() >= 2, "Only tensors with 2 or more dimensions are supported");
  if (tensor.numel() == 0 || tensor.is_meta()) return tensor;
  NoGradGuard guard;
  const int64_t rows = tensor.size(0), cols = tensor.numel() / rows;
  const bool wide = rows < cols;
  Tensor draws = normal(0, 1, {rows, cols}, std::move(generator), tensor.scalar_type()).to(kDouble);
  if (wide) draws = draws.t();
  draws = draws.contiguous();
  const double* p = draws.data_ptr<double>();
  std::vector<double> numbers = orthonormal_columns({p, p + draws.numel()}, draws.size(0), draws.size(1));
  Tensor q = from_vector(std::move(numbers)).view(draws.sizes());
  if (wide) q = q.t();
  return tensor.copy_(q.to(tensor.scalar_type()).reshape(tensor.sizes())).mul_(gain);
}

Tensor sparse_(Tensor tensor, double sparsity, double std, MaybeGenerator generator) {
  check_floating(tensor, "sparse_");
  check<ValueError>(tensor.dim() == 2, "Only tensors with 2 dimensions are supported");
  NoGradGuard guard;
  const int64_t rows = tensor.size(0);
  if (tensor.is_meta()) return tensor;
  check<ValueError>(std::isfinite(sparsity), "sparse_: sparsity must be finite, got ", sparsity);
  int64_t zeros = 0;  // as Python cuts a list: beyond its end all of it, and from its end what is negative
  if (const double wanted = std::ceil(sparsity * static_cast<double>(rows)); wanted >= 0)
    zeros = static_cast<int64_t>(std::min(wanted, static_cast<double>(rows)));
  else zeros = static_cast<int64_t>(std::max(0.0, wanted + static_cast<double>(rows)));
  tensor.normal_(0, std, std::move(generator));
  for (int64_t c = 0; c < tensor.size(1); ++c)
    tensor.select(1, c).index_fill_(0, randperm(rows).narrow(0, 0, zeros), 0);
  return tensor;
}

}  // namespace taut::nn::init
