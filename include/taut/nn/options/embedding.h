// Options of embeddings. A mode is kSum, kMean or kMax.
#pragma once
#include <optional>

#include "taut/nn/arg.h"
#include "taut/nn/enums.h"
#include "taut/tensor.h"

namespace taut::nn {

using EmbeddingBagMode = Keyword;

struct EmbeddingOptions {
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  TAUT_ARG(int64_t, num_embeddings);
  TAUT_ARG(int64_t, embedding_dim);
  /// This row starts as zeros and gets no gradient; negative counts from the end.
  TAUT_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  /// Rows that are looked up are first shortened to this norm.
  TAUT_ARG(std::optional<double>, max_norm) = std::nullopt;
  TAUT_ARG(double, norm_type) = 2.;
  TAUT_ARG(bool, scale_grad_by_freq) = false;
  TAUT_ARG(bool, sparse) = false;
  /// The weight, in the place of random numbers.
  TAUT_ARG(Tensor, _weight);
};

struct EmbeddingFromPretrainedOptions {
  TAUT_ARG(bool, freeze) = true;
  TAUT_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  TAUT_ARG(std::optional<double>, max_norm) = std::nullopt;
  TAUT_ARG(double, norm_type) = 2.;
  TAUT_ARG(bool, scale_grad_by_freq) = false;
  TAUT_ARG(bool, sparse) = false;
};

struct EmbeddingBagOptions {
  EmbeddingBagOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  TAUT_ARG(int64_t, num_embeddings);
  TAUT_ARG(int64_t, embedding_dim);
  TAUT_ARG(std::optional<double>, max_norm) = std::nullopt;
  TAUT_ARG(double, norm_type) = 2.;
  TAUT_ARG(bool, scale_grad_by_freq) = false;
  TAUT_ARG(EmbeddingBagMode, mode) = kMean;
  TAUT_ARG(bool, sparse) = false;
  TAUT_ARG(Tensor, _weight);
  /// The offsets have one more element: where the last bag ends.
  TAUT_ARG(bool, include_last_offset) = false;
  TAUT_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
};

struct EmbeddingBagFromPretrainedOptions {
  TAUT_ARG(bool, freeze) = true;
  TAUT_ARG(std::optional<double>, max_norm) = std::nullopt;
  TAUT_ARG(double, norm_type) = 2.;
  TAUT_ARG(bool, scale_grad_by_freq) = false;
  TAUT_ARG(EmbeddingBagMode, mode) = kMean;
  TAUT_ARG(bool, sparse) = false;
  TAUT_ARG(bool, include_last_offset) = false;
  TAUT_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
};

// Written by tools/layers.py from src/nn/layers/embedding.txt; do not edit.
// clang-format off

namespace functional {
struct EmbeddingFuncOptions {
  TAUT_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
  TAUT_ARG(std::optional<double>, max_norm) = std::nullopt;
  TAUT_ARG(double, norm_type) = 2.0;
  TAUT_ARG(bool, scale_grad_by_freq) = false;
  TAUT_ARG(bool, sparse) = false;
};
struct EmbeddingBagFuncOptions {
  using mode_t = Keyword;
  TAUT_ARG(Tensor, offsets);
  TAUT_ARG(std::optional<double>, max_norm) = std::nullopt;
  TAUT_ARG(double, norm_type) = 2;
  TAUT_ARG(bool, scale_grad_by_freq) = false;
  TAUT_ARG(Keyword, mode) = kMean;
  TAUT_ARG(bool, sparse) = false;
  TAUT_ARG(Tensor, per_sample_weights);
  TAUT_ARG(bool, include_last_offset) = false;
  TAUT_ARG(std::optional<int64_t>, padding_idx) = std::nullopt;
};
}  // namespace functional
// clang-format on
}  // namespace taut::nn
