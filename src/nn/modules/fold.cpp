#include "taut/nn/modules/fold.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/nn/functional/fold.h"

namespace taut::nn {

namespace F = functional;
using detail::shortly;

// Written by tools/layers.py from src/nn/layers/fold.txt; do not edit.
// clang-format off
Tensor FoldImpl::forward(const Tensor& input) { return F::fold(input, options); }
void FoldImpl::pretty_print(std::ostream& stream) const {
  stream << "Fold(output_size=" << shortly(options.output_size()) << ", kernel_size=" << shortly(options.kernel_size())
         << ", dilation=" << shortly(options.dilation()) << ", padding=" << shortly(options.padding())
         << ", stride=" << shortly(options.stride()) << ')';
}

Tensor UnfoldImpl::forward(const Tensor& input) { return F::unfold(input, options); }
void UnfoldImpl::pretty_print(std::ostream& stream) const {
  stream << "Unfold(kernel_size=" << shortly(options.kernel_size()) << ", dilation=" << shortly(options.dilation())
         << ", padding=" << shortly(options.padding()) << ", stride=" << shortly(options.stride()) << ')';
}
// clang-format on

}  // namespace taut::nn
