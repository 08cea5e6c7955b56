// Rows of a table and bags of them, with the rules of nn.functional. Messages are PyTorch's.
#include <algorithm>

#include "ops/op.h"
#include "ops/registry.h"
#include "ops/wording.h"
#include "taut/autograd.h"
#include "taut/core/runtime.h"
#include "taut/factories.h"
#include "taut/ops/embedding.h"

namespace taut {

namespace {

void shorten(const Tensor& weight, const Tensor& indices, double max_norm, double norm_type) {
  NoGradGuard guard;
  Tensor table = weight;
  embedding_renorm_(table, indices, max_norm, norm_type);
}

}  // namespace

Tensor _embedding(const Tensor& input, const Tensor& weight, std::optional<int64_t> padding_idx,
                  std::optional<double> max_norm, double norm_type, bool scale_grad_by_freq, bool sparse) {
  check_defined(input, "embedding", "input");
  check_defined(weight, "embedding", "weight");
  check(weight.dim() == 2, "embedding: 'weight' must be 2-D, got shape ", weight.sizes());
  int64_t padding = -1;
  if (padding_idx) {
    const int64_t rows = weight.size(0), at = *padding_idx;
    assert_that(at >= -rows && (at < rows || at == 0), "Padding_idx must be within num_embeddings");
    padding = at < 0 ? at + rows : at;
  }
  if (max_norm) shorten(weight, input.contiguous(), *max_norm, norm_type);
  return embedding(weight, input, padding, scale_grad_by_freq, sparse);
}

Tensor _embedding_bag(const Tensor& input, const Tensor& weight, OptionalTensor offsets, std::optional<double> max_norm,
                      double norm_type, bool scale_grad_by_freq, std::string_view mode, bool sparse,
                      OptionalTensor per_sample_weights, bool include_last_offset, std::optional<int64_t> padding_idx) {
  check_defined(input, "embedding_bag", "input");
  check_defined(weight, "embedding_bag", "weight");
  if (weight.scalar_type() == kLong && input.is_floating_point()) {
    warn(
        "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
        "deprecated, and should now be `embedding_bag(input, weight, ...)`.");
    return _embedding_bag(weight, input, offsets, max_norm, norm_type, scale_grad_by_freq, mode, sparse,
                          per_sample_weights, include_last_offset, padding_idx);
  }
  if (per_sample_weights)
    check<ValueError>(input.sizes() == per_sample_weights->sizes(), "embedding_bag: If per_sample_weights (",
                      shown(per_sample_weights->sizes()),
                      ") is not None, then it must have the same shape as the input (", shown(input.sizes()), ")");
  check<ValueError>(weight.dim() == 2, "weight has to be a 2D Tensor, but got Tensor of dimension ", weight.dim());
  check<ValueError>(input.dim() == 1 || input.dim() == 2,
                    "input has to be 1D or 2D Tensor, but got Tensor of dimension ", input.dim());
  Tensor indices = input, begins = offsets ? *offsets : Tensor(),
         factors = per_sample_weights ? *per_sample_weights : Tensor();
  if (input.dim() == 2) {
    check<ValueError>(!offsets,
                      "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed "
                      "length sequences. However, found offsets of type <class 'taut::Tensor'>");
    check(input.size(1) > 0, "step must be nonzero");
    begins = (arange(input.size(0), kLong) * input.size(1)).to(input.scalar_type());
    indices = input.reshape({-1});
    if (factors.defined()) factors = factors.reshape({-1});
    include_last_offset = false;
  } else {
    check<ValueError>(begins.defined(), "offsets has to be a 1D Tensor but got None");
    check<ValueError>(begins.dim() == 1, "offsets has to be a 1D Tensor");
  }
  static constexpr std::string_view modes[] = {"sum", "mean", "max"};
  const auto number = std::find(std::begin(modes), std::end(modes), mode) - std::begin(modes);
  check<ValueError>(number < 3, "mode has to be one of sum, mean or max");
  if (mode == "max") {
    check<ValueError>(!scale_grad_by_freq, "max mode does not support scaling the gradient by the frequency");
    check<ValueError>(!sparse, "max mode does not support sparse weights");
  }
  check<NotImplementedError>(!per_sample_weights || mode == "sum",
                             "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
                             "mode='sum' (got mode='",
                             mode, "'). Please open a feature request on GitHub.");
  if (max_norm) shorten(weight, indices, *max_norm, norm_type);
  return std::get<0>(embedding_bag(weight, indices, begins, scale_grad_by_freq, number, sparse, factors,
                                   include_last_offset, padding_idx));
}

extern const OpEntry lookup_ops[];
extern const size_t lookup_ops_count;
const OpEntry lookup_ops[] = {
    doc("The rows of the table weight that the indices input name.",
        op<_embedding>("_embedding(Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, float "
                       "norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
                       "c([[1, 0], [4, 1]]), t(5, 3)\nc([0, 2, 2]), c([[0.5, -1.5], [1.25, 0.75], [-2.0, 1.0]]), -1\n"
                       "c([0, 2, 2]), t(3, 2), 7\nc([0, 2, 2]), t(3, 2), -4")),
    doc("Sums, means or maxima of bags of rows: those that a row of input names, or one list cut by offsets.",
        op<_embedding_bag>(
            "_embedding_bag(Tensor input, Tensor weight, Tensor? offsets=None, float? max_norm=None, float "
            "norm_type=2.0, bool scale_grad_by_freq=False, str mode='mean', bool sparse=False, Tensor? "
            "per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None) -> Tensor",
            "c([1, 0, 4, 1]), t(5, 3), c([0, 2])\nc([[1, 0], [4, 1]]), t(5, 3), mode='max'\n"
            "c([[1, 0], [4, 1]]), t(5, 3), mode='sum', per_sample_weights=t(2, 2)\n"
            "c([1, 0, 4, 1]), t(5, 3), c([0, 2, 4]), include_last_offset=True, padding_idx=1\n"
            "c([[1, 0]]), t(5, 3), c([0])\nc([1, 0]), t(5, 3)")),
};
const size_t lookup_ops_count = std::size(lookup_ops);

}  // namespace taut
