#include "taut/nn/functional/loss.h"

#include "nn/repr.h"
#include "taut/core/runtime.h"
#include "taut/ops/loss.h"

namespace taut::nn::functional {

using detail::shown;

namespace {

int64_t reduction_of(Keyword word, const char* op) {
  if (word == kMean) return Reduction::Mean;
  if (word == kSum) return Reduction::Sum;
  check<ValueError>(word == kNone, op, ": ", word, " is not a valid value for reduction; use kMean, kSum or kNone");
  return Reduction::None;
}

}  // namespace

// Written by tools/layers.py from src/nn/layers/loss.txt; do not edit.
// clang-format off
Tensor l1_loss(const Tensor& input, const Tensor& target, const L1LossFuncOptions& options) {
  check(input.defined(), "l1_loss: input is undefined");
  check(target.defined(), "l1_loss: target is undefined");
  if (target.sizes() != input.sizes())
    warn(str("l1_loss: Using a target size (", target.sizes(), ") that is different to the input size (", input.sizes(),
             "). This will likely lead to incorrect results due to broadcasting. Please ensure ",
             "they have the same size."));
  return taut::l1_loss(input, target, reduction_of(options.reduction(), "l1_loss"));
}
Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options) {
  check(input.defined(), "mse_loss: input is undefined");
  check(target.defined(), "mse_loss: target is undefined");
  if (target.sizes() != input.sizes())
    warn(str("mse_loss: Using a target size (", target.sizes(), ") that is different to the input size (",
             input.sizes(), "). This will likely lead to incorrect results due to broadcasting. Please ensure ",
             "they have the same size."));
  return taut::mse_loss(input, target, reduction_of(options.reduction(), "mse_loss"));
}
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options) {
  check(input.defined(), "smooth_l1_loss: input is undefined");
  check(target.defined(), "smooth_l1_loss: target is undefined");
  if (target.sizes() != input.sizes())
    warn(str("smooth_l1_loss: Using a target size (", target.sizes(), ") that is different to the input size (",
             input.sizes(), "). This will likely lead to incorrect results due to broadcasting. Please ensure ",
             "they have the same size."));
  return taut::smooth_l1_loss(input, target, reduction_of(options.reduction(), "smooth_l1_loss"),
                              options.beta().value_or(1.0));
}
Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossFuncOptions& options) {
  check(input.defined(), "huber_loss: input is undefined");
  check(target.defined(), "huber_loss: target is undefined");
  if (target.sizes() != input.sizes())
    warn(str("huber_loss: Using a target size (", target.sizes(), ") that is different to the input size (",
             input.sizes(), "). This will likely lead to incorrect results due to broadcasting. Please ensure ",
             "they have the same size."));
  return taut::huber_loss(input, target, reduction_of(options.reduction(), "huber_loss"), options.delta());
}
Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options) {
  return taut::nll_loss_nd(input, target, options.weight(), reduction_of(options.reduction(), "nll_loss"),
                           options.ignore_index());
}
Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options) {
  return taut::cross_entropy_loss(input, target, options.weight(), reduction_of(options.reduction(), "cross_entropy"),
                                  options.ignore_index(), options.label_smoothing());
}
Tensor poisson_nll_loss(const Tensor& log_input, const Tensor& target, const PoissonNLLLossFuncOptions& options) {
  return taut::poisson_nll_loss(log_input, target, options.log_input(), options.full(), options.eps(),
                                reduction_of(options.reduction(), "poisson_nll_loss"));
}
Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& var,
                         const GaussianNLLLossFuncOptions& options) {
  return taut::gaussian_nll_loss(input, target, var, options.full(), options.eps(),
                                 reduction_of(options.reduction(), "gaussian_nll_loss"));
}
Tensor kl_div(const Tensor& input, const Tensor& target, const KLDivFuncOptions& options) {
  return taut::_kl_div(input, target, options.reduction().name(), options.log_target());
}
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const BinaryCrossEntropyFuncOptions& options) {
  check(input.defined(), "binary_cross_entropy: input is undefined");
  check(target.defined(), "binary_cross_entropy: target is undefined");
  if (target.sizes() != input.sizes())
    throw ValueError(str("binary_cross_entropy: Using a target size (", target.sizes(),
                         ") that is different to the input size (", input.sizes(),
                         ") is deprecated. Please ensure they have the same size."));
  return taut::binary_cross_entropy(input, target, options.weight(),
                                    reduction_of(options.reduction(), "binary_cross_entropy"));
}
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const BinaryCrossEntropyWithLogitsFuncOptions& options) {
  check(input.defined(), "binary_cross_entropy_with_logits: input is undefined");
  check(target.defined(), "binary_cross_entropy_with_logits: target is undefined");
  if (target.sizes() != input.sizes())
    throw ValueError(str("binary_cross_entropy_with_logits: Target size (", target.sizes(),
                         ") must be the same as input size (", input.sizes(), ")"));
  return taut::binary_cross_entropy_with_logits(input, target, options.weight(), options.pos_weight(),
                                                reduction_of(options.reduction(), "binary_cross_entropy_with_logits"));
}
Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, const HingeEmbeddingLossFuncOptions& options) {
  return taut::hinge_embedding_loss(input, target, options.margin(),
                                    reduction_of(options.reduction(), "hinge_embedding_loss"));
}
Tensor multilabel_margin_loss(const Tensor& input, const Tensor& target,
                              const MultilabelMarginLossFuncOptions& options) {
  return taut::multilabel_margin_loss(input, target, reduction_of(options.reduction(), "multilabel_margin_loss"));
}
Tensor soft_margin_loss(const Tensor& input, const Tensor& target, const SoftMarginLossFuncOptions& options) {
  return taut::soft_margin_loss(input, target, reduction_of(options.reduction(), "soft_margin_loss"));
}
Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target,
                                   const MultilabelSoftMarginLossFuncOptions& options) {
  return taut::multilabel_soft_margin_loss(input, target, options.weight(),
                                           reduction_of(options.reduction(), "multilabel_soft_margin_loss"));
}
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                             const CosineEmbeddingLossFuncOptions& options) {
  return taut::cosine_embedding_loss(input1, input2, target, options.margin(),
                                     reduction_of(options.reduction(), "cosine_embedding_loss"));
}
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                           const MarginRankingLossFuncOptions& options) {
  check(input1.defined(), "margin_ranking_loss: input1 is undefined");
  check(input2.defined(), "margin_ranking_loss: input2 is undefined");
  check(target.defined(), "margin_ranking_loss: target is undefined");
  if (input1.dim() != input2.dim() || input1.dim() != target.dim())
    throw Error(str("margin_ranking_loss : All input tensors should have same dimension but got ", "sizes: input1: ",
                    input1.sizes(), ", input2: ", input2.sizes(), ", target: ", target.sizes()));
  return taut::margin_ranking_loss(input1, input2, target, options.margin(),
                                   reduction_of(options.reduction(), "margin_ranking_loss"));
}
Tensor multi_margin_loss(const Tensor& input, const Tensor& target, const MultiMarginLossFuncOptions& options) {
  return taut::multi_margin_loss(input, target, options.p(), options.margin(), options.weight(),
                                 reduction_of(options.reduction(), "multi_margin_loss"));
}
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           const TripletMarginLossFuncOptions& options) {
  if (options.margin() <= 0)
    throw ValueError(str("triplet_margin_loss: margin must be greater than 0, got ", shown(options.margin())));
  return taut::triplet_margin_loss(anchor, positive, negative, options.margin(), options.p(), options.eps(),
                                   options.swap(), reduction_of(options.reduction(), "triplet_margin_loss"));
}
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, const CTCLossFuncOptions& options) {
  return taut::ctc_loss(log_probs, targets, input_lengths, target_lengths, options.blank(),
                        reduction_of(options.reduction(), "ctc_loss"), options.zero_infinity());
}
// clang-format on

Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options, double beta) {
  check<ValueError>(!options.beta(), "smooth_l1_loss: expected beta not to be provided in 'options', but got ",
                    options.beta().value_or(0), "; give it once");
  return taut::smooth_l1_loss(input, target, reduction_of(options.reduction(), "smooth_l1_loss"), beta);
}

Tensor triplet_margin_with_distance_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                         const TripletMarginWithDistanceLossFuncOptions& options) {
  return taut::triplet_margin_with_distance_loss(
      anchor, positive, negative, options.distance_function().value_or(nullptr), options.margin(), options.swap(),
      reduction_of(options.reduction(), "triplet_margin_with_distance_loss"));
}

}  // namespace taut::nn::functional
