// Layers that take images apart into sliding windows, and put them together.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/fold.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/fold.txt; do not edit.
// clang-format off
/// Columns added up to images; the reverse of Unfold.
class FoldImpl : public detail::LayerImpl<FoldImpl, FoldOptions> {
 public:
  FoldImpl(ExpandingArray<2> output_size, ExpandingArray<2> kernel_size)
      : FoldImpl(FoldOptions(output_size, kernel_size)) {}
  explicit FoldImpl(FoldOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Fold);

/// The sliding windows of images as columns.
class UnfoldImpl : public detail::LayerImpl<UnfoldImpl, UnfoldOptions> {
 public:
  UnfoldImpl(ExpandingArray<2> kernel_size) : UnfoldImpl(UnfoldOptions(kernel_size)) {}
  explicit UnfoldImpl(UnfoldOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Unfold);
// clang-format on

}  // namespace taut::nn
