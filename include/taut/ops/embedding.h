// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The rows of weight that indices name.
Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx = -1, bool scale_grad_by_freq = false,
                 bool sparse = false);
/// The gradient of embedding for its weight.
Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                int64_t padding_idx, bool scale_grad_by_freq);
/// Shortens the rows that indices name to a norm of at most max_norm.
Tensor& embedding_renorm_(Tensor& self, const Tensor& indices, double max_norm, double norm_type);
/// The rows of the table weight that the indices input name.
Tensor _embedding(const Tensor& input, const Tensor& weight, std::optional<int64_t> padding_idx = std::nullopt,
                  std::optional<double> max_norm = std::nullopt, double norm_type = 2, bool scale_grad_by_freq = false,
                  bool sparse = false);
/// Sums, means or maxima of bags of rows: those that a row of input names, or one list cut by offsets.
Tensor _embedding_bag(const Tensor& input, const Tensor& weight, OptionalTensor offsets = std::nullopt,
                      std::optional<double> max_norm = std::nullopt, double norm_type = 2,
                      bool scale_grad_by_freq = false, std::string_view mode = "mean", bool sparse = false,
                      OptionalTensor per_sample_weights = std::nullopt, bool include_last_offset = false,
                      std::optional<int64_t> padding_idx = std::nullopt);

}  // namespace taut
