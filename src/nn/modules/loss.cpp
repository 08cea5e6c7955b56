#include "taut/nn/modules/loss.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/core/style.h"
#include "taut/nn/functional/loss.h"

namespace taut::nn {
namespace F = functional;
using detail::shown;

// Written by tools/layers.py from src/nn/layers/loss.txt; do not edit.
// clang-format off
Tensor L1LossImpl::forward(const Tensor& input, const Tensor& target) { return F::l1_loss(input, target, options); }

Tensor MSELossImpl::forward(const Tensor& input, const Tensor& target) { return F::mse_loss(input, target, options); }

Tensor SmoothL1LossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::smooth_l1_loss(input, target, options);
}

Tensor HuberLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::huber_loss(input, target, options);
}

void NLLLossImpl::reset() {
  if (options.weight().defined()) weight = register_buffer("weight", options.weight().detach().clone());
}
Tensor NLLLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::nll_loss(input, target, NLLLossOptions(options).weight(weight));
}

void CrossEntropyLossImpl::reset() {
  if (options.weight().defined()) weight = register_buffer("weight", options.weight().detach().clone());
}
Tensor CrossEntropyLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::cross_entropy(input, target, CrossEntropyLossOptions(options).weight(weight));
}

Tensor PoissonNLLLossImpl::forward(const Tensor& log_input, const Tensor& target) {
  return F::poisson_nll_loss(log_input, target, options);
}

Tensor GaussianNLLLossImpl::forward(const Tensor& input, const Tensor& target, const Tensor& var) {
  return F::gaussian_nll_loss(input, target, var, options);
}

Tensor KLDivLossImpl::forward(const Tensor& input, const Tensor& target) { return F::kl_div(input, target, options); }

void BCELossImpl::reset() {
  if (options.weight().defined()) weight = register_buffer("weight", options.weight().detach().clone());
}
Tensor BCELossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::binary_cross_entropy(input, target, BCELossOptions(options).weight(weight));
}

void BCEWithLogitsLossImpl::reset() {
  if (options.weight().defined()) weight = register_buffer("weight", options.weight().detach().clone());
  if (options.pos_weight().defined()) pos_weight = register_buffer("pos_weight", options.pos_weight().detach().clone());
}
Tensor BCEWithLogitsLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::binary_cross_entropy_with_logits(input, target,
                                             BCEWithLogitsLossOptions(options).weight(weight).pos_weight(pos_weight));
}

Tensor HingeEmbeddingLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::hinge_embedding_loss(input, target, options);
}

Tensor MultiLabelMarginLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::multilabel_margin_loss(input, target, options);
}

Tensor SoftMarginLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::soft_margin_loss(input, target, options);
}

void MultiLabelSoftMarginLossImpl::reset() {
  if (options.weight().defined()) weight = register_buffer("weight", options.weight().detach().clone());
}
Tensor MultiLabelSoftMarginLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::multilabel_soft_margin_loss(input, target, MultiLabelSoftMarginLossOptions(options).weight(weight));
}

Tensor CosineEmbeddingLossImpl::forward(const Tensor& input1, const Tensor& input2, const Tensor& target) {
  return F::cosine_embedding_loss(input1, input2, target, options);
}

Tensor MarginRankingLossImpl::forward(const Tensor& input1, const Tensor& input2, const Tensor& target) {
  return F::margin_ranking_loss(input1, input2, target, options);
}

void MultiMarginLossImpl::reset() {
  if (options.p() != 1 && options.p() != 2) throw ValueError("only p == 1 and p == 2 supported");
  if (options.weight().defined() && options.weight().dim() != 1)
    throw ValueError(str("MultiMarginLoss: expected weight to be None or 1D tensor, got ", options.weight().dim(),
                         "D instead"));
  if (options.weight().defined()) weight = register_buffer("weight", options.weight().detach().clone());
}
Tensor MultiMarginLossImpl::forward(const Tensor& input, const Tensor& target) {
  return F::multi_margin_loss(input, target, MultiMarginLossOptions(options).weight(weight));
}

void TripletMarginLossImpl::reset() {
  if (options.margin() <= 0)
    throw ValueError(str("TripletMarginLoss: expected margin to be greater than 0, got ", shown(options.margin()),
                         " instead"));
}
Tensor TripletMarginLossImpl::forward(const Tensor& anchor, const Tensor& positive, const Tensor& negative) {
  return F::triplet_margin_loss(anchor, positive, negative, options);
}

Tensor CTCLossImpl::forward(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                            const Tensor& target_lengths) {
  return F::ctc_loss(log_probs, targets, input_lengths, target_lengths, options);
}
// clang-format on

TripletMarginWithDistanceLossImpl::TripletMarginWithDistanceLossImpl(TripletMarginWithDistanceLossOptions options)
    : options(std::move(options)) {}
void TripletMarginWithDistanceLossImpl::reset() {}
void TripletMarginWithDistanceLossImpl::pretty_print(std::ostream& stream) const {
  stream << "TripletMarginWithDistanceLoss(";
  if (as_libtorch()) stream << "margin=" << options.margin() << ", swap=" << (options.swap() ? "True" : "False");
  else if (!options.distance_function()) stream << "\n  (distance_function): PairwiseDistance()\n";
  stream << ')';
}
Tensor TripletMarginWithDistanceLossImpl::forward(const Tensor& anchor, const Tensor& positive,
                                                  const Tensor& negative) {
  return F::triplet_margin_with_distance_loss(anchor, positive, negative, options);
}

}  // namespace taut::nn
