// Looking rows of a table up, one by one or summed in bags.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// The rows of `weight` that `indices` name. The row `padding_idx` (-1: none) gets no gradient; scale_grad_by_freq
/// divides the gradient of a row by how often it was named.
Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx = -1, bool scale_grad_by_freq = false,
                 bool sparse = false);
Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                int64_t padding_idx, bool scale_grad_by_freq);
/// Shortens the named rows whose norm exceeds max_norm.
Tensor& embedding_renorm_(Tensor& self, const Tensor& indices, double max_norm, double norm_type);

/// The sum (mode 0), mean (1) or maximum (2) of the rows of each bag; a bag is indices[offsets[i]:offsets[i + 1]]. The
/// other results: the bag of each index, the number of indices in each bag, and for the maximum which row it came from.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq = false,
                                                         int64_t mode = 0, bool sparse = false,
                                                         OptionalTensor per_sample_weights = std::nullopt,
                                                         bool include_last_offset = false);
/// The same leaving out every index that equals padding_idx.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
                                                         bool sparse, OptionalTensor per_sample_weights,
                                                         bool include_last_offset, std::optional<int64_t> padding_idx);

}  // namespace taut
