// Losses as modules.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/loss.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/loss.txt; do not edit.
// clang-format off
/// |input - target|.
class L1LossImpl : public detail::LayerImpl<L1LossImpl, L1LossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(L1Loss);

/// (input - target)^2.
class MSELossImpl : public detail::LayerImpl<MSELossImpl, MSELossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(MSELoss);

/// Squares of small differences over beta, and the absolute values of others.
class SmoothL1LossImpl : public detail::LayerImpl<SmoothL1LossImpl, SmoothL1LossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(SmoothL1Loss);

/// Squares of differences below delta, and straight lines above.
class HuberLossImpl : public detail::LayerImpl<HuberLossImpl, HuberLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(HuberLoss);

/// -input of the target classes, for input that holds log-probabilities.
class NLLLossImpl : public detail::LayerImpl<NLLLossImpl, NLLLossOptions> {
 public:
  explicit NLLLossImpl(NLLLossOptions options_ = {}) : LayerImpl(std::move(options_)) { NLLLossImpl::reset(); }
  void reset() override;
  Tensor forward(const Tensor& input, const Tensor& target);
  Tensor weight;
};
TAUT_MODULE(NLLLoss);

/// -log softmax(input) of the target classes: indices, or probabilities.
class CrossEntropyLossImpl : public detail::LayerImpl<CrossEntropyLossImpl, CrossEntropyLossOptions> {
 public:
  explicit CrossEntropyLossImpl(CrossEntropyLossOptions options_ = {})
      : LayerImpl(std::move(options_)) { CrossEntropyLossImpl::reset(); }
  void reset() override;
  Tensor forward(const Tensor& input, const Tensor& target);
  Tensor weight;
};
TAUT_MODULE(CrossEntropyLoss);

/// The negative log-likelihood of counts that are Poisson-distributed.
class PoissonNLLLossImpl : public detail::LayerImpl<PoissonNLLLossImpl, PoissonNLLLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& log_input, const Tensor& target);
};
TAUT_MODULE(PoissonNLLLoss);

/// The negative log-likelihood of targets that are normally distributed around the input.
class GaussianNLLLossImpl : public detail::LayerImpl<GaussianNLLLossImpl, GaussianNLLLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target, const Tensor& var);
};
TAUT_MODULE(GaussianNLLLoss);

/// The Kullback-Leibler divergence of log-probabilities from a target distribution.
class KLDivLossImpl : public detail::LayerImpl<KLDivLossImpl, KLDivLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(KLDivLoss);

/// The cross entropy between probabilities and targets, both in [0, 1].
class BCELossImpl : public detail::LayerImpl<BCELossImpl, BCELossOptions> {
 public:
  explicit BCELossImpl(BCELossOptions options_ = {}) : LayerImpl(std::move(options_)) { BCELossImpl::reset(); }
  void reset() override;
  Tensor forward(const Tensor& input, const Tensor& target);
  Tensor weight;
};
TAUT_MODULE(BCELoss);

/// The cross entropy between sigmoid(input) and targets in [0, 1].
class BCEWithLogitsLossImpl : public detail::LayerImpl<BCEWithLogitsLossImpl, BCEWithLogitsLossOptions> {
 public:
  explicit BCEWithLogitsLossImpl(BCEWithLogitsLossOptions options_ = {})
      : LayerImpl(std::move(options_)) { BCEWithLogitsLossImpl::reset(); }
  void reset() override;
  Tensor forward(const Tensor& input, const Tensor& target);
  Tensor weight, pos_weight;
};
TAUT_MODULE(BCEWithLogitsLoss);

/// input where the target is 1, max(0, margin - input) where it is -1.
class HingeEmbeddingLossImpl : public detail::LayerImpl<HingeEmbeddingLossImpl, HingeEmbeddingLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(HingeEmbeddingLoss);

/// A hinge loss for several classes at once.
class MultiLabelMarginLossImpl : public detail::LayerImpl<MultiLabelMarginLossImpl, MultiLabelMarginLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(MultiLabelMarginLoss);

/// log(1 + exp(-target * input)).
class SoftMarginLossImpl : public detail::LayerImpl<SoftMarginLossImpl, SoftMarginLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input, const Tensor& target);
};
TAUT_MODULE(SoftMarginLoss);

/// The mean over classes of the cross entropy of each, for several classes at once.
class MultiLabelSoftMarginLossImpl
    : public detail::LayerImpl<MultiLabelSoftMarginLossImpl, MultiLabelSoftMarginLossOptions> {
 public:
  explicit MultiLabelSoftMarginLossImpl(MultiLabelSoftMarginLossOptions options_ = {})
      : LayerImpl(std::move(options_)) { MultiLabelSoftMarginLossImpl::reset(); }
  void reset() override;
  Tensor forward(const Tensor& input, const Tensor& target);
  Tensor weight;
};
TAUT_MODULE(MultiLabelSoftMarginLoss);

/// 1 - cos where the target is 1, max(0, cos - margin) where it is -1.
class CosineEmbeddingLossImpl : public detail::LayerImpl<CosineEmbeddingLossImpl, CosineEmbeddingLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input1, const Tensor& input2, const Tensor& target);
};
TAUT_MODULE(CosineEmbeddingLoss);

/// max(0, -target * (input1 - input2) + margin).
class MarginRankingLossImpl : public detail::LayerImpl<MarginRankingLossImpl, MarginRankingLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& input1, const Tensor& input2, const Tensor& target);
};
TAUT_MODULE(MarginRankingLoss);

/// A hinge loss for one class of many.
class MultiMarginLossImpl : public detail::LayerImpl<MultiMarginLossImpl, MultiMarginLossOptions> {
 public:
  explicit MultiMarginLossImpl(MultiMarginLossOptions options_ = {})
      : LayerImpl(std::move(options_)) { MultiMarginLossImpl::reset(); }
  void reset() override;
  Tensor forward(const Tensor& input, const Tensor& target);
  Tensor weight;
};
TAUT_MODULE(MultiMarginLoss);

/// max(0, |anchor - positive| - |anchor - negative| + margin).
class TripletMarginLossImpl : public detail::LayerImpl<TripletMarginLossImpl, TripletMarginLossOptions> {
 public:
  explicit TripletMarginLossImpl(TripletMarginLossOptions options_ = {})
      : LayerImpl(std::move(options_)) { TripletMarginLossImpl::reset(); }
  void reset() override;
  Tensor forward(const Tensor& anchor, const Tensor& positive, const Tensor& negative);
};
TAUT_MODULE(TripletMarginLoss);

/// The negative log-likelihood of target sequences under all their alignments with the input.
class CTCLossImpl : public detail::LayerImpl<CTCLossImpl, CTCLossOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                 const Tensor& target_lengths);
};
TAUT_MODULE(CTCLoss);
// clang-format on

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
