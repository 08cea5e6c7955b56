#include "taut/nn/modules/fold.h"

#include <ostream>
#include <string>

#include "taut/nn/functional/fold.h"

namespace taut::nn {
namespace {

/// One number when both are the same, as Python prints what it was given.
std::string shortly(const ExpandingArray<2>& a) { return a[0] == a[1] ? str(a[0]) : str(a); }

}  // namespace

void FoldImpl::pretty_print(std::ostream& stream) const {
  stream << "Fold(output_size=" << shortly(options.output_size()) << ", kernel_size=" << shortly(options.kernel_size())
         << ", dilation=" << shortly(options.dilation()) << ", padding=" << shortly(options.padding())
         << ", stride=" << shortly(options.stride()) << ')';
}
Tensor FoldImpl::forward(const Tensor& input) { return functional::fold(input, options); }

void UnfoldImpl::pretty_print(std::ostream& stream) const {
  stream << "Unfold(kernel_size=" << shortly(options.kernel_size()) << ", dilation=" << shortly(options.dilation())
         << ", padding=" << shortly(options.padding()) << ", stride=" << shortly(options.stride()) << ')';
}
Tensor UnfoldImpl::forward(const Tensor& input) { return functional::unfold(input, options); }

}  // namespace taut::nn
