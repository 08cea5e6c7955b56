// A softmax over many classes, of which the frequent ones are looked at first.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/modules/container/modulelist.h"
#include "taut/nn/modules/linear.h"
#include "taut/nn/options/adaptive.h"

namespace taut::nn {

/// The log probability of each target, and the mean loss as a number; for its gradient use (-output).mean().
struct ASMoutput {
  Tensor output;
  double loss;
};

class AdaptiveLogSoftmaxWithLossImpl : public Cloneable<AdaptiveLogSoftmaxWithLossImpl> {
 public:
  AdaptiveLogSoftmaxWithLossImpl(int64_t in_features, int64_t n_classes, std::vector<int64_t> cutoffs)
      : AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions(in_features, n_classes, std::move(cutoffs))) {}
  explicit AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions options_);
  void reset() override;
  void reset_parameters();
  ASMoutput forward(const Tensor& input, const Tensor& target);
  /// The log probabilities of all classes.
  Tensor log_prob(const Tensor& input);
  /// The most probable class of each row.
  Tensor predict(const Tensor& input);

  AdaptiveLogSoftmaxWithLossOptions options;
  std::vector<int64_t> cutoffs;  // with n_classes at the end
  int64_t shortlist_size = 0, n_clusters = 0, head_size = 0;
  Linear head = nullptr;
  ModuleList tail;

 private:
  Tensor cluster(size_t i, const Tensor& input) const;
  Tensor full_log_prob(const Tensor& input, const Tensor& head_output) const;
};
TAUT_MODULE(AdaptiveLogSoftmaxWithLoss);

}  // namespace taut::nn
