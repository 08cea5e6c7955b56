// Activations as modules.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/activation.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/activation.txt; do not edit.
// clang-format off
/// x where it is positive, alpha * (exp(x) - 1) elsewhere.
class ELUImpl : public detail::LayerImpl<ELUImpl, ELUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(ELU);

/// The scaled exponential linear unit.
class SELUImpl : public detail::LayerImpl<SELUImpl, SELUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(SELU);

/// max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).
class CELUImpl : public detail::LayerImpl<CELUImpl, CELUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(CELU);

/// The first half along a dimension times the sigmoid of the second.
class GLUImpl : public detail::LayerImpl<GLUImpl, GLUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(GLU);

/// x times the normal distribution function of x.
class GELUImpl : public detail::LayerImpl<GELUImpl, GELUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(GELU);

/// x * sigmoid(x).
class SiLUImpl : public detail::LayerImpl<SiLUImpl, SiLUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(SiLU);

/// x * tanh(softplus(x)).
class MishImpl : public detail::LayerImpl<MishImpl, MishOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Mish);

/// x where |x| is above lambd, 0 elsewhere.
class HardshrinkImpl : public detail::LayerImpl<HardshrinkImpl, HardshrinkOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Hardshrink);

/// x moved towards 0 by lambd.
class SoftshrinkImpl : public detail::LayerImpl<SoftshrinkImpl, SoftshrinkOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softshrink);

/// x, kept between min_val and max_val.
class HardtanhImpl : public detail::LayerImpl<HardtanhImpl, HardtanhOptions> {
 public:
  explicit HardtanhImpl(HardtanhOptions options_ = {}) : LayerImpl(std::move(options_)) { HardtanhImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Hardtanh);

/// relu6(x + 3) / 6.
class HardsigmoidImpl : public detail::LayerImpl<HardsigmoidImpl, HardsigmoidOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Hardsigmoid);

/// x * relu6(x + 3) / 6.
class HardswishImpl : public detail::LayerImpl<HardswishImpl, HardswishOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Hardswish);

/// x where it is positive, negative_slope * x elsewhere.
class LeakyReLUImpl : public detail::LayerImpl<LeakyReLUImpl, LeakyReLUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(LeakyReLU);

/// max(0, x).
class ReLUImpl : public detail::LayerImpl<ReLUImpl, ReLUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(ReLU);

/// min(max(0, x), 6).
class ReLU6Impl : public detail::LayerImpl<ReLU6Impl, ReLU6Options> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(ReLU6);

/// LeakyReLU with slopes drawn from [lower, upper] while training, their mean otherwise.
class RReLUImpl : public detail::LayerImpl<RReLUImpl, RReLUOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(RReLU);

/// LeakyReLU whose slopes are learned: one, or one for each channel.
class PReLUImpl : public detail::LayerImpl<PReLUImpl, PReLUOptions> {
 public:
  explicit PReLUImpl(PReLUOptions options_ = {}) : LayerImpl(std::move(options_)) { PReLUImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  Tensor weight;
};
TAUT_MODULE(PReLU);

/// log(1 + exp(beta * x)) / beta.
class SoftplusImpl : public detail::LayerImpl<SoftplusImpl, SoftplusOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softplus);

/// x where it is above the threshold, value elsewhere.
class ThresholdImpl : public detail::LayerImpl<ThresholdImpl, ThresholdOptions> {
 public:
  ThresholdImpl(double threshold, double value) : ThresholdImpl(ThresholdOptions(threshold, value)) {}
  explicit ThresholdImpl(ThresholdOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
TAUT_MODULE(Threshold);

/// 1 / (1 + exp(-x)).
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

/// x - tanh(x).
class TanhshrinkImpl : public Cloneable<TanhshrinkImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Tanhshrink);

/// x / (1 + |x|).
class SoftsignImpl : public Cloneable<SoftsignImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softsign);

/// log(1 / (1 + exp(-x))).
class LogSigmoidImpl : public Cloneable<LogSigmoidImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(LogSigmoid);

/// exp(x), scaled to the sum 1 along a dimension.
class SoftmaxImpl : public detail::LayerImpl<SoftmaxImpl, SoftmaxOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softmax);

/// softmax(-x).
class SoftminImpl : public detail::LayerImpl<SoftminImpl, SoftminOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softmin);

/// log(softmax(x)).
class LogSoftmaxImpl : public detail::LayerImpl<LogSoftmaxImpl, LogSoftmaxOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(LogSoftmax);

/// softmax over the channels of images.
class Softmax2dImpl : public Cloneable<Softmax2dImpl> {
 public:
  void reset() override {}
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Softmax2d);
// clang-format on

}  // namespace taut::nn
