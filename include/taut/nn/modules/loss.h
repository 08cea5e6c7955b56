// Losses as modules.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/loss.h"

namespace taut::nn {

namespace detail {

/// A loss without tensors of its own.
template <class Impl, class Options>
class LossImpl : public Cloneable<Impl> {
 public:
  explicit LossImpl(Options options = {}) : options(std::move(options)) {}
  void reset() override {}
  Options options;
};
/// A loss with a weight for each class or element, which is a buffer.
template <class Impl, class Options>
class WeightedLossImpl : public Cloneable<Impl> {
 public:
  explicit WeightedLossImpl(Options options = {}) : options(std::move(options)) { WeightedLossImpl::reset(); }
  void reset() override {
    if (options.weight().defined()) weight = this->register_buffer("weight", options.weight().detach().clone());
  }
  Options options;
  Tensor weight;
};

}  // namespace detail

/// The mean of |input - target|.
class L1LossImpl : public detail::LossImpl<L1LossImpl, L1LossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(L1Loss);

/// The mean of (input - target)^2.
class MSELossImpl : public detail::LossImpl<MSELossImpl, MSELossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(MSELoss);

/// A parabola up to `beta`, then a line.
class SmoothL1LossImpl : public detail::LossImpl<SmoothL1LossImpl, SmoothL1LossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(SmoothL1Loss);

/// A parabola up to `delta`, then a line of that slope.
class HuberLossImpl : public detail::LossImpl<HuberLossImpl, HuberLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(HuberLoss);

/// The cross entropy of scores against class indices or probabilities.
class CrossEntropyLossImpl : public detail::WeightedLossImpl<CrossEntropyLossImpl, CrossEntropyLossOptions> {
 public:
  using WeightedLossImpl::WeightedLossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(CrossEntropyLoss);

/// The negative log-likelihood of class indices, given logarithms of probabilities.
class NLLLossImpl : public detail::WeightedLossImpl<NLLLossImpl, NLLLossOptions> {
 public:
  using WeightedLossImpl::WeightedLossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(NLLLoss);

/// The binary cross entropy of probabilities.
class BCELossImpl : public detail::WeightedLossImpl<BCELossImpl, BCELossOptions> {
 public:
  using WeightedLossImpl::WeightedLossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(BCELoss);

/// The Kullback-Leibler divergence from logarithms of probabilities.
class KLDivLossImpl : public detail::LossImpl<KLDivLossImpl, KLDivLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(KLDivLoss);

/// The negative log-likelihood of counts under a Poisson distribution.
class PoissonNLLLossImpl : public detail::LossImpl<PoissonNLLLossImpl, PoissonNLLLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& log_input, const Tensor& targets);
};
TAUT_MODULE(PoissonNLLLoss);

/// The negative log-likelihood under a normal distribution with this mean and variance.
class GaussianNLLLossImpl : public detail::LossImpl<GaussianNLLLossImpl, GaussianNLLLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target, const Tensor& var);
};
TAUT_MODULE(GaussianNLLLoss);

/// Vectors that should (target 1) or should not (-1) point the same way.
class CosineEmbeddingLossImpl : public detail::LossImpl<CosineEmbeddingLossImpl, CosineEmbeddingLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input1, const Tensor& input2, const Tensor& target);
};
TAUT_MODULE(CosineEmbeddingLoss);

/// Distances that should be small (target 1) or beyond the margin (-1).
class HingeEmbeddingLossImpl : public detail::LossImpl<HingeEmbeddingLossImpl, HingeEmbeddingLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(HingeEmbeddingLoss);

/// Which of two scores should be higher: the first (target 1) or the second (-1).
class MarginRankingLossImpl : public detail::LossImpl<MarginRankingLossImpl, MarginRankingLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input1, const Tensor& input2, const Tensor& targets);
};
TAUT_MODULE(MarginRankingLoss);

/// The right class should be ahead of each other one by a margin.
class MultiMarginLossImpl : public detail::WeightedLossImpl<MultiMarginLossImpl, MultiMarginLossOptions> {
 public:
  using WeightedLossImpl::WeightedLossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(MultiMarginLoss);

/// The right classes, listed up to a -1, should be ahead of all others.
class MultiLabelMarginLossImpl : public detail::LossImpl<MultiLabelMarginLossImpl, MultiLabelMarginLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(MultiLabelMarginLoss);

/// The mean over classes of the binary cross entropy of scores.
class MultiLabelSoftMarginLossImpl
    : public detail::WeightedLossImpl<MultiLabelSoftMarginLossImpl, MultiLabelSoftMarginLossOptions> {
 public:
  using WeightedLossImpl::WeightedLossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(MultiLabelSoftMarginLoss);

/// The logistic loss of targets 1 and -1.
class SoftMarginLossImpl : public detail::LossImpl<SoftMarginLossImpl, SoftMarginLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(SoftMarginLoss);

/// The anchor should be nearer to the positive than to the negative by a margin.
class TripletMarginLossImpl : public detail::LossImpl<TripletMarginLossImpl, TripletMarginLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& anchor, const Tensor& positive, const Tensor& negative);
};
TAUT_MODULE(TripletMarginLoss);

/// Connectionist temporal classification.
class CTCLossImpl : public detail::LossImpl<CTCLossImpl, CTCLossOptions> {
 public:
  using LossImpl::LossImpl;
  Tensor forward(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                 const Tensor& target_lengths);
};
TAUT_MODULE(CTCLoss);

/// The binary cross entropy of scores, which are probabilities after a sigmoid.
class BCEWithLogitsLossImpl : public Cloneable<BCEWithLogitsLossImpl> {
 public:
  explicit BCEWithLogitsLossImpl(BCEWithLogitsLossOptions options = {});
  void reset() override;
  Tensor forward(const Tensor& input, const Tensor& target);
  BCEWithLogitsLossOptions options;
  Tensor weight, pos_weight;
};
TAUT_MODULE(BCEWithLogitsLoss);

/// TripletMarginLoss with any distance between two tensors.
class TripletMarginWithDistanceLossImpl : public Cloneable<TripletMarginWithDistanceLossImpl> {
 public:
  explicit TripletMarginWithDistanceLossImpl(TripletMarginWithDistanceLossOptions options = {});
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& anchor, const Tensor& positive, const Tensor& negative);
  TripletMarginWithDistanceLossOptions options;
};
TAUT_MODULE(TripletMarginWithDistanceLoss);

}  // namespace taut::nn
