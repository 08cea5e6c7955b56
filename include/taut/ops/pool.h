// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The largest value in each window of a row.
Tensor max_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                  IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false);
/// The largest value in each window of an image.
Tensor max_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                  IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false);
/// The largest value in each window of a volume.
Tensor max_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                  IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false);
/// max_pool1d, and where each value came from.
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& self, IntArrayRef kernel_size,
                                                   IntArrayRef stride = IntArrayRef{}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);
/// max_pool2d, and where each value came from.
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& self, IntArrayRef kernel_size,
                                                   IntArrayRef stride = IntArrayRef{}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);
/// max_pool3d, and where each value came from.
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& self, IntArrayRef kernel_size,
                                                   IntArrayRef stride = IntArrayRef{}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);
/// The mean of each window of a row.
Tensor avg_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                  IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true);
/// The mean of each window of an image.
Tensor avg_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                  IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true,
                  std::optional<int64_t> divisor_override = std::nullopt);
/// The mean of each window of a volume.
Tensor avg_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                  IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true,
                  std::optional<int64_t> divisor_override = std::nullopt);
/// The means of that many equal parts of a row.
Tensor adaptive_avg_pool1d(const Tensor& self, IntArrayRef output_size);
/// The means of that many equal parts of an image.
Tensor adaptive_avg_pool2d(const Tensor& self, IntArrayRef output_size);
/// The means of that many equal parts of a volume.
Tensor adaptive_avg_pool3d(const Tensor& self, IntArrayRef output_size);
/// The largest values of that many equal parts of a row, and where they came from.
std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& self, IntArrayRef output_size);
/// The largest values of that many equal parts of an image, and where they came from.
std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& self, IntArrayRef output_size);
/// The largest values of that many equal parts of a volume, and where they came from.
std::tuple<Tensor, Tensor> adaptive_max_pool3d(const Tensor& self, IntArrayRef output_size);
/// Values back at the places that max_pool2d took them from, among zeros.
Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntArrayRef output_size);
/// Values back at the places that max_pool3d took them from, among zeros.
Tensor max_unpool3d(const Tensor& self, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride,
                    IntArrayRef padding);
/// The largest values of windows at random distances, and where they came from.
std::tuple<Tensor, Tensor> fractional_max_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples);
/// The largest values of windows at random distances, and where they came from.
std::tuple<Tensor, Tensor> fractional_max_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples);
/// The p-th root of the sum of p-th powers in each window, which has 1, 2 or 3 dimensions.
Tensor _lp_pool(const Tensor& self, int64_t dims, const Scalar& norm_type, IntArrayRef kernel_size,
                OptionalIntArrayRef stride = std::nullopt, bool ceil_mode = false);
/// Values back at the places that a pooling of 1, 2 or 3 dimensions took them from, among zeros.
Tensor _max_unpool(const Tensor& self, const Tensor& indices, int64_t dims, IntArrayRef kernel_size,
                   OptionalIntArrayRef stride = std::nullopt, IntArrayRef padding = {0},
                   OptionalIntArrayRef output_size = std::nullopt);
/// The largest elements of windows of 2 or 3 dimensions at random places, and where they are.
std::tuple<Tensor, Tensor> _fractional_max_pool(const Tensor& self, int64_t dims, IntArrayRef kernel_size,
                                                OptionalIntArrayRef output_size = std::nullopt,
                                                std::optional<ArrayRef<double>> output_ratio = std::nullopt,
                                                OptionalTensor _random_samples = std::nullopt);

}  // namespace taut
