#include "taut/nn/modules/adaptive.h"

#include "taut/factories.h"
#include "taut/nn/modules/container/sequential.h"

namespace taut::nn {

AdaptiveLogSoftmaxWithLossImpl::AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions options_)
    : options(std::move(options_)) {
  AdaptiveLogSoftmaxWithLossImpl::reset();
}

void AdaptiveLogSoftmaxWithLossImpl::reset() {
  cutoffs = options.cutoffs();
  bool rising = !cutoffs.empty();
  for (size_t i = 0; rising && i < cutoffs.size(); ++i)
    rising = cutoffs[i] > (i ? cutoffs[i - 1] : 0) && cutoffs[i] < options.n_classes();
  check<ValueError>(
      rising,
      "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
      "value is between 1 and n_classes-1");
  shortlist_size = cutoffs[0];
  n_clusters = static_cast<int64_t>(cutoffs.size());
  head_size = shortlist_size + n_clusters;
  cutoffs.push_back(options.n_classes());
  head = register_module("head", Linear(LinearOptions(options.in_features(), head_size).bias(options.head_bias())));
  tail = register_module("tail", ModuleList());
  double narrower = 1;
  for (size_t i = 0; i + 1 < cutoffs.size(); ++i) {
    narrower *= options.div_value();
    const auto width = static_cast<int64_t>(static_cast<double>(options.in_features()) / narrower);
    Sequential projection;
    projection->push_back(Linear(LinearOptions(options.in_features(), width).bias(false)));
    projection->push_back(Linear(LinearOptions(width, cutoffs[i + 1] - cutoffs[i]).bias(false)));
    tail->push_back(projection);
  }
}

void AdaptiveLogSoftmaxWithLossImpl::reset_parameters() {
  head->reset_parameters();
  for (size_t i = 0; i < tail->size(); ++i)
    for (const size_t layer : {0, 1}) tail->at<SequentialImpl>(i).at<LinearImpl>(layer).reset_parameters();
}

/// The log probabilities within cluster i.
Tensor AdaptiveLogSoftmaxWithLossImpl::cluster(size_t i, const Tensor& input) const {
  return tail->at<SequentialImpl>(i).forward(input).log_softmax(1);
}

ASMoutput AdaptiveLogSoftmaxWithLossImpl::forward(const Tensor& input_, const Tensor& target_) {
  check(target_.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
  const bool batched = target_.dim() == 1;
  check(input_.dim() == (batched ? 2 : 1),
        batched ? "1D target tensor expects 2D input tensors, but found inputs with sizes "
                : "0D target tensor expects 1D input tensors, but found inputs with sizes ",
        input_.sizes(), ".");
  check(!batched || input_.size(0) == target_.size(0),
        "Input and target should have the same size in the batch dimension.");
  const Tensor input = batched ? input_ : input_.unsqueeze(0), target = batched ? target_ : target_.unsqueeze(0);
  const bool inside = target.numel() == 0 || ((target >= 0) & (target < options.n_classes())).all().item<bool>();
  check(inside, "Target values should be in [0, ", options.n_classes() - 1, "], but values in range [",
        inside ? 0 : target.min().item<int64_t>(), ", ", inside ? 0 : target.max().item<int64_t>(), "] were found. ");

  Tensor output = zeros({target.size(0)}, input.scalar_type());
  Tensor place = target.clone();  // in the head: the class itself, or its cluster
  for (size_t i = 0; i + 1 < cutoffs.size(); ++i) {
    const Tensor mask = (target >= cutoffs[i]) & (target < cutoffs[i + 1]);
    const Tensor rows = mask.nonzero().squeeze(1);
    if (rows.numel() == 0) continue;
    const Tensor inner = target.index_select(0, rows) - cutoffs[i];
    const Tensor part = cluster(i, input.index_select(0, rows)).gather(1, inner.unsqueeze(1)).squeeze(1);
    output = output.index_copy(0, rows, part);
    place.masked_fill_(mask, shortlist_size + static_cast<int64_t>(i));
  }
  output = output + head(input).log_softmax(1).gather(1, place.unsqueeze(1)).squeeze(1);
  const double loss = (-output).mean().item<double>();
  return {batched ? output : output.squeeze(0), loss};
}

Tensor AdaptiveLogSoftmaxWithLossImpl::full_log_prob(const Tensor& input, const Tensor& head_output) const {
  const Tensor all = head_output.log_softmax(1);
  std::vector<Tensor> parts{all.slice(1, 0, shortlist_size)};
  for (int64_t i = 0; i < n_clusters; ++i)
    parts.push_back(cluster(static_cast<size_t>(i), input) + all.slice(1, shortlist_size + i, shortlist_size + i + 1));
  return cat(parts, 1);
}
Tensor AdaptiveLogSoftmaxWithLossImpl::log_prob(const Tensor& input) { return full_log_prob(input, head(input)); }
Tensor AdaptiveLogSoftmaxWithLossImpl::predict(const Tensor& input) { return log_prob(input).argmax(1); }

}  // namespace taut::nn
