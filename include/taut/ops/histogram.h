// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// How many elements, or what weight of them, fall into each bin; and the edges of the bins.
std::tuple<Tensor, Tensor> histogram(const Tensor& self, const Tensor& bins, OptionalTensor weight = std::nullopt,
                                     bool density = false);
std::tuple<Tensor, Tensor> histogram(const Tensor& self, int64_t bins = 100,
                                     std::optional<ArrayRef<double>> range = std::nullopt,
                                     OptionalTensor weight = std::nullopt, bool density = false);
/// The edges of the bins of histogramdd.
std::vector<Tensor> _histogramdd_bin_edges(const Tensor& self, IntArrayRef bins,
                                           std::optional<ArrayRef<double>> range = std::nullopt,
                                           OptionalTensor weight = std::nullopt, bool density = false);
/// How many rows, or what weight of them, fall into each cell between these edges.
Tensor _histogramdd_from_bin_tensors(const Tensor& self, TensorList bins, OptionalTensor weight = std::nullopt,
                                     bool density = false);

}  // namespace taut
