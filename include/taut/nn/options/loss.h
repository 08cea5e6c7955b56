// Options of the losses. `reduction` is kMean, kSum or kNone.
#pragma once
#include <functional>
#include <optional>

#include "taut/nn/arg.h"
#include "taut/nn/enums.h"
#include "taut/tensor.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/loss.txt; do not edit.
// clang-format off
struct L1LossOptions {
  using reduction_t = Keyword;
  L1LossOptions(Keyword reduction = kMean) : reduction_(reduction) {}
  TAUT_ARG(Keyword, reduction);
};
struct MSELossOptions {
  using reduction_t = Keyword;
  MSELossOptions(Keyword reduction = kMean) : reduction_(reduction) {}
  TAUT_ARG(Keyword, reduction);
};
struct SmoothL1LossOptions {
  using reduction_t = Keyword;
  SmoothL1LossOptions(Keyword reduction = kMean) : reduction_(reduction) {}
  TAUT_ARG(Keyword, reduction);
  /// 1 when not given.
  TAUT_ARG(std::optional<double>, beta) = std::nullopt;
};
struct HuberLossOptions {
  using reduction_t = Keyword;
  HuberLossOptions(Keyword reduction = kMean) : reduction_(reduction) {}
  TAUT_ARG(Keyword, reduction);
  TAUT_ARG(double, delta) = 1.0;
};
struct NLLLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(int64_t, ignore_index) = -100;
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct CrossEntropyLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(int64_t, ignore_index) = -100;
  TAUT_ARG(Keyword, reduction) = kMean;
  TAUT_ARG(double, label_smoothing) = 0.0;
};
struct PoissonNLLLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(bool, log_input) = true;
  /// With Stirling's formula for log(target!).
  TAUT_ARG(bool, full) = false;
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct GaussianNLLLossOptions {
  using reduction_t = Keyword;
  /// With the constant log(2 pi) / 2.
  TAUT_ARG(bool, full) = false;
  TAUT_ARG(double, eps) = 1e-6;
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct KLDivLossOptions {
  using reduction_t = Keyword;
  KLDivLossOptions(Keyword reduction = kMean) : reduction_(reduction) {}
  /// kBatchMean is the mathematical definition: the sum divided by the size of the batch.
  TAUT_ARG(Keyword, reduction);
  /// Is the target a logarithm too?
  TAUT_ARG(bool, log_target) = false;
};
struct BCELossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct BCEWithLogitsLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(Keyword, reduction) = kMean;
  /// How much more a positive example counts, class by class.
  TAUT_ARG(Tensor, pos_weight);
};
struct HingeEmbeddingLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(double, margin) = 1.0;
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct MultiLabelMarginLossOptions {
  using reduction_t = Keyword;
  MultiLabelMarginLossOptions(Keyword reduction = kMean) : reduction_(reduction) {}
  TAUT_ARG(Keyword, reduction);
};
struct SoftMarginLossOptions {
  using reduction_t = Keyword;
  SoftMarginLossOptions(Keyword reduction = kMean) : reduction_(reduction) {}
  TAUT_ARG(Keyword, reduction);
};
struct MultiLabelSoftMarginLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct CosineEmbeddingLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(double, margin) = 0.0;
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct MarginRankingLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(double, margin) = 0.0;
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct MultiMarginLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(int64_t, p) = 1;
  TAUT_ARG(double, margin) = 1.0;
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct TripletMarginLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(double, margin) = 1.0;
  TAUT_ARG(double, p) = 2.0;
  TAUT_ARG(double, eps) = 1e-6;
  TAUT_ARG(bool, swap) = false;
  TAUT_ARG(Keyword, reduction) = kMean;
};
struct CTCLossOptions {
  using reduction_t = Keyword;
  TAUT_ARG(int64_t, blank) = 0;
  TAUT_ARG(Keyword, reduction) = kMean;
  TAUT_ARG(bool, zero_infinity) = false;
};

namespace functional {
using L1LossFuncOptions = L1LossOptions;
using MSELossFuncOptions = MSELossOptions;
using SmoothL1LossFuncOptions = SmoothL1LossOptions;
using HuberLossFuncOptions = HuberLossOptions;
using NLLLossFuncOptions = NLLLossOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;
using PoissonNLLLossFuncOptions = PoissonNLLLossOptions;
using GaussianNLLLossFuncOptions = GaussianNLLLossOptions;
using KLDivFuncOptions = KLDivLossOptions;
using BinaryCrossEntropyFuncOptions = BCELossOptions;
using BinaryCrossEntropyWithLogitsFuncOptions = BCEWithLogitsLossOptions;
using HingeEmbeddingLossFuncOptions = HingeEmbeddingLossOptions;
using MultilabelMarginLossFuncOptions = MultiLabelMarginLossOptions;
using SoftMarginLossFuncOptions = SoftMarginLossOptions;
using MultilabelSoftMarginLossFuncOptions = MultiLabelSoftMarginLossOptions;
using CosineEmbeddingLossFuncOptions = CosineEmbeddingLossOptions;
using MarginRankingLossFuncOptions = MarginRankingLossOptions;
using MultiMarginLossFuncOptions = MultiMarginLossOptions;
using TripletMarginLossFuncOptions = TripletMarginLossOptions;
using CTCLossFuncOptions = CTCLossOptions;
}  // namespace functional
// clang-format on

struct TripletMarginWithDistanceLossOptions {
  using reduction_t = Keyword;
  using distance_function_t = std::function<Tensor(const Tensor&, const Tensor&)>;
  /// The Euclidean distance when there is none.
  TAUT_ARG(std::optional<distance_function_t>, distance_function) = std::nullopt;
  TAUT_ARG(double, margin) = 1.0;
  TAUT_ARG(bool, swap) = false;
  TAUT_ARG(Keyword, reduction) = kMean;
};

namespace functional {
using TripletMarginWithDistanceLossFuncOptions = TripletMarginWithDistanceLossOptions;
}  // namespace functional

}  // namespace taut::nn
