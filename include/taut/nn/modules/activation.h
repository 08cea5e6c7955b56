// Activations as modules.
#pragma once
#include <type_traits>

#include "taut/nn/modules/common.h"
#include "taut/nn/options/activation.h"

namespace taut::nn {

namespace detail {
/// A function of one tensor, with options.
template <class Impl, class Options>
class ActivationImpl : public Cloneable<Impl> {
 public:
  ActivationImpl() requires std::is_default_constructible_v<Options> {}
  explicit ActivationImpl(Options options) : options(std::move(options)) {}
  void reset() override {}
  Options options;
};
}  // namespace detail

/// x above 0, alpha (exp(x) - 1) below.
class ELUImpl : public detail::ActivationImpl<ELUImpl, ELUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(ELU);

/// ELU with the constants that keep mean 0 and variance 1.
class SELUImpl : public detail::ActivationImpl<SELUImpl, SELUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(SELU);

/// ELU with a slope of 1 at 0 for any alpha.
class CELUImpl : public detail::ActivationImpl<CELUImpl, CELUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(CELU);

/// The first half of a dimension, gated by the sigmoid of the second.
class GLUImpl : public detail::ActivationImpl<GLUImpl, GLUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(GLU);

/// x times the normal distribution function of x.
class GELUImpl : public detail::ActivationImpl<GELUImpl, GELUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(GELU);

/// x sigmoid(x)
class SiLUImpl : public detail::ActivationImpl<SiLUImpl, SiLUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(SiLU);

/// x tanh(softplus(x))
class MishImpl : public detail::ActivationImpl<MishImpl, MishOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Mish);

/// 0 in [-lambda, lambda].
class HardshrinkImpl : public detail::ActivationImpl<HardshrinkImpl, HardshrinkOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Hardshrink);

/// Nearer to 0 by lambda.
class SoftshrinkImpl : public detail::ActivationImpl<SoftshrinkImpl, SoftshrinkOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softshrink);

/// x limited to [min_val, max_val].
class HardtanhImpl : public detail::ActivationImpl<HardtanhImpl, HardtanhOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Hardtanh);

/// A line from 0 at -3 to 1 at 3.
class HardsigmoidImpl : public detail::ActivationImpl<HardsigmoidImpl, HardsigmoidOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Hardsigmoid);

/// x hardsigmoid(x)
class HardswishImpl : public detail::ActivationImpl<HardswishImpl, HardswishOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Hardswish);

/// x above 0, a part of it below.
class LeakyReLUImpl : public detail::ActivationImpl<LeakyReLUImpl, LeakyReLUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(LeakyReLU);

/// x above 0, 0 below.
class ReLUImpl : public detail::ActivationImpl<ReLUImpl, ReLUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(ReLU);

/// x limited to [0, 6].
class ReLU6Impl : public detail::ActivationImpl<ReLU6Impl, ReLU6Options> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(ReLU6);

/// log(1 + exp(beta x)) / beta
class SoftplusImpl : public detail::ActivationImpl<SoftplusImpl, SoftplusOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softplus);

/// The shares of exp(x) along a dimension.
class SoftmaxImpl : public detail::ActivationImpl<SoftmaxImpl, SoftmaxOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softmax);

/// Softmax of -x.
class SoftminImpl : public detail::ActivationImpl<SoftminImpl, SoftminOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softmin);

/// The logarithm of Softmax.
class LogSoftmaxImpl : public detail::ActivationImpl<LogSoftmaxImpl, LogSoftmaxOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(LogSoftmax);

/// 1 / (1 + exp(-x))
class SigmoidImpl : public Cloneable<SigmoidImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Sigmoid);

/// The hyperbolic tangent.
class TanhImpl : public Cloneable<TanhImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Tanh);

/// x - tanh(x)
class TanhshrinkImpl : public Cloneable<TanhshrinkImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Tanhshrink);

/// x / (1 + |x|)
class SoftsignImpl : public Cloneable<SoftsignImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softsign);

/// The logarithm of Sigmoid.
class LogSigmoidImpl : public Cloneable<LogSigmoidImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(LogSigmoid);

/// LeakyReLU with slopes that are learnt: one, or one for each channel.
class PReLUImpl : public Cloneable<PReLUImpl> {
 public:
  explicit PReLUImpl(const PReLUOptions& options = {});
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  PReLUOptions options;
  Tensor weight;
};
TAUT_MODULE(PReLU);

/// LeakyReLU with random slopes in training, and their mean afterwards.
class RReLUImpl : public detail::ActivationImpl<RReLUImpl, RReLUOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(RReLU);

/// x above a threshold, else a constant.
class ThresholdImpl : public detail::ActivationImpl<ThresholdImpl, ThresholdOptions> {
 public:
  using ActivationImpl::ActivationImpl;
  ThresholdImpl(double threshold, double value) : ThresholdImpl(ThresholdOptions(threshold, value)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Threshold);

/// Softmax over the channels of [N, C, H, W] or [C, H, W].
class Softmax2dImpl : public Cloneable<Softmax2dImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softmax2d);

}  // namespace taut::nn
