// Pooling as functions: `F::max_pool2d(x, F::MaxPool2dFuncOptions(3).stride(2))`.
#pragma once
#include <tuple>

#include "taut/nn/options/pooling.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/pooling.txt; do not edit.
// clang-format off
/// The largest element of each window of [N, C, L] or [C, L].
Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& options);
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const MaxPool1dFuncOptions& options);
/// The largest element of each window of [N, C, H, W] or [C, H, W].
Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options);
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& options);
/// The largest element of each window of [N, C, D, H, W] or [C, D, H, W].
Tensor max_pool3d(const Tensor& input, const MaxPool3dFuncOptions& options);
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, const MaxPool3dFuncOptions& options);
/// The mean of each window of [N, C, H, W] or [C, H, W].
Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options);
/// The mean of each window of [N, C, D, H, W] or [C, D, H, W].
Tensor avg_pool3d(const Tensor& input, const AvgPool3dFuncOptions& options);
/// The mean of each window of [N, C, L] or [C, L].
Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& options);
/// The p-th root of the sum of p-th powers in each window of sequences.
Tensor lp_pool1d(const Tensor& input, const LPPool1dFuncOptions& options);
/// The p-th root of the sum of p-th powers in each window of images.
Tensor lp_pool2d(const Tensor& input, const LPPool2dFuncOptions& options);
/// The p-th root of the sum of p-th powers in each window of volumes.
Tensor lp_pool3d(const Tensor& input, const LPPool3dFuncOptions& options);
/// Means of as many windows of images as output_size says.
Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& options);
/// Means of as many windows of volumes as output_size says.
Tensor adaptive_avg_pool3d(const Tensor& input, const AdaptiveAvgPool3dFuncOptions& options);
/// Means of as many windows of sequences as output_size says.
Tensor adaptive_avg_pool1d(const Tensor& input, const AdaptiveAvgPool1dFuncOptions& options);
/// The largest elements of as many windows of images as output_size says.
Tensor adaptive_max_pool2d(const Tensor& input, const AdaptiveMaxPool2dFuncOptions& options);
std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool2dFuncOptions& options);
/// The largest elements of as many windows of volumes as output_size says.
Tensor adaptive_max_pool3d(const Tensor& input, const AdaptiveMaxPool3dFuncOptions& options);
std::tuple<Tensor, Tensor> adaptive_max_pool3d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool3dFuncOptions& options);
/// The largest elements of as many windows of sequences as output_size says.
Tensor adaptive_max_pool1d(const Tensor& input, const AdaptiveMaxPool1dFuncOptions& options);
std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool1dFuncOptions& options);
/// Puts what max_pool1d chose back to its places; zeros elsewhere.
Tensor max_unpool1d(const Tensor& input, const Tensor& indices, const MaxUnpool1dFuncOptions& options);
/// Puts what max_pool2d chose back to its places; zeros elsewhere.
Tensor max_unpool2d(const Tensor& input, const Tensor& indices, const MaxUnpool2dFuncOptions& options);
/// Puts what max_pool3d chose back to its places; zeros elsewhere.
Tensor max_unpool3d(const Tensor& input, const Tensor& indices, const MaxUnpool3dFuncOptions& options);
// clang-format on

Tensor fractional_max_pool2d(const Tensor& input, const FractionalMaxPool2dFuncOptions& options);
std::tuple<Tensor, Tensor> fractional_max_pool2d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool2dFuncOptions& options);
Tensor fractional_max_pool3d(const Tensor& input, const FractionalMaxPool3dFuncOptions& options);
std::tuple<Tensor, Tensor> fractional_max_pool3d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool3dFuncOptions& options);

// The p-th root of the sum of p-th powers in each window.
}  // namespace taut::nn::functional
