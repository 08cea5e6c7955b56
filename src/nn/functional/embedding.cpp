#include "taut/nn/functional/embedding.h"

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/ops/embedding.h"

namespace taut::nn::functional {

namespace {

void shorten(const Tensor& weight, const Tensor& input, double max_norm, double norm_type, const char* op) {
  check<ValueError>(max_norm >= 0, op, ": max_norm must not be negative, got ", max_norm);
  NoGradGuard guard;
  Tensor table = weight;
  embedding_renorm_(table, input, max_norm, norm_type);
}

}  // namespace

Tensor one_hot(const Tensor& tensor, int64_t num_classes) { return taut::one_hot(tensor, num_classes); }

Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options) {
  check(input.defined() && weight.defined(), "embedding: expected input and weight, got an undefined tensor");
  check(weight.dim() == 2, "embedding: 'weight' must be 2-D, got shape ", weight.sizes());
  int64_t padding = -1;
  if (options.padding_idx()) {
    const int64_t rows = weight.size(0), at = *options.padding_idx();
    check<ValueError>(at >= -rows && at < rows, "embedding: Padding_idx must be within num_embeddings, got ", at,
                      " for ", rows, " embeddings");
    padding = at < 0 ? at + rows : at;
  }
  if (options.max_norm()) shorten(weight, input, *options.max_norm(), options.norm_type(), "embedding");
  return taut::embedding(weight, input, padding, options.scale_grad_by_freq(), options.sparse());
}

Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& options) {
  check(input.defined() && weight.defined(), "embedding_bag: expected input and weight, got an undefined tensor");
  const Tensor& weights = options.per_sample_weights();
  check<ValueError>(!weights.defined() || weights.sizes() == input.sizes(), "embedding_bag: If per_sample_weights (",
                    weights.defined() ? weights.sizes() : IntArrayRef(),
                    ") is not None, then it must have the same shape as the input (", input.sizes(), ")");
  check<ValueError>(input.dim() == 1 || input.dim() == 2,
                    "embedding_bag: input has to be 1D or 2D Tensor, but got Tensor of dimension ", input.dim());
  check<ValueError>(options.mode() == kSum || options.mode() == kMean || options.mode() == kMax,
                    "embedding_bag: mode has to be one of sum, mean or max, got ", options.mode());
  Tensor indices = input, offsets = options.offsets(), per_sample = weights;
  bool include_last = options.include_last_offset();
  if (input.dim() == 2) {
    check<ValueError>(!offsets.defined(),
                      "embedding_bag: if input is 2D, then offsets has to be None, as input is treated is a mini-batch "
                      "of fixed length sequences. However, found offsets of shape ",
                      offsets.defined() ? offsets.sizes() : IntArrayRef());
    offsets = arange(input.size(0), kLong) * input.size(1);
    indices = input.reshape({-1});
    if (per_sample.defined()) per_sample = per_sample.reshape({-1});
    include_last = false;
  } else {
    check<ValueError>(offsets.defined(), "embedding_bag: offsets has to be a 1D Tensor but got None");
  }
  const int64_t mode = options.mode() == kSum ? 0 : options.mode() == kMean ? 1 : 2;
  check<ValueError>(mode != 2 || !options.sparse(), "embedding_bag: max mode does not support sparse weights");
  if (options.max_norm()) shorten(weight, indices, *options.max_norm(), options.norm_type(), "embedding_bag");
  return std::get<0>(taut::embedding_bag(weight, indices, offsets, options.scale_grad_by_freq(), mode, options.sparse(),
                                         per_sample, include_last, options.padding_idx()));
}

}  // namespace taut::nn::functional
