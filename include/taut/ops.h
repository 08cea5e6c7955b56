// Every op that tensors have by themselves, as libtorch names it; taut/ops/ has those of layers and losses too. Most
// are declared by headers that tools/op_headers.py writes; what has no row of the registry, or is spelt otherwise in
// C++, stands here.
#pragma once
#include <functional>

#include "taut/ops/activation.h"
#include "taut/ops/calculus.h"
#include "taut/ops/complex.h"
#include "taut/ops/composites.h"
#include "taut/ops/elementwise.h"
#include "taut/ops/fft.h"
#include "taut/ops/histogram.h"
#include "taut/ops/indexing.h"
#include "taut/ops/join.h"
#include "taut/ops/linalg.h"
#include "taut/ops/numbers.h"
#include "taut/ops/part.h"
#include "taut/ops/reduce.h"
#include "taut/ops/scan.h"
#include "taut/ops/segment.h"
#include "taut/ops/shape.h"
#include "taut/ops/sort.h"
#include "taut/ops/sparse.h"
#include "taut/ops/sparse_math.h"
#include "taut/ops/special.h"
#include "taut/ops/strided.h"
#include "taut/ops/types.h"
#include "taut/ops/view.h"
#include "taut/ops/view_copy.h"

namespace taut {

/// A number divided by each element, rounded down.
Tensor floor_divide(const Scalar& self, const Tensor& other);
/// The spectra of windows of a signal that is not padded.
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            OptionalTensor window, bool normalized, std::optional<bool> onesided,
            std::optional<bool> return_complex = std::nullopt, std::optional<bool> align_to_window = std::nullopt);
/// The p-norm computed in another dtype.
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, ScalarType dtype);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype);
/// Leaky relu whose slope is drawn from [lower, upper) while training, their mean otherwise.
Tensor rrelu(const Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
             bool training = false, std::optional<Generator> generator = std::nullopt);
Tensor& rrelu_(Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
               bool training = false, std::optional<Generator> generator = std::nullopt);
/// The sum (mode 0), mean (1) or maximum (2) of the rows of each bag; a bag is indices[offsets[i]:offsets[i + 1]],
/// without those that equal padding_idx. The other results: the bag of each index, the number of indices in each bag,
/// and for the maximum which row it came from.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq = false,
                                                         int64_t mode = 0, bool sparse = false,
                                                         OptionalTensor per_sample_weights = std::nullopt,
                                                         bool include_last_offset = false);
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
                                                         bool sparse, OptionalTensor per_sample_weights,
                                                         bool include_last_offset, std::optional<int64_t> padding_idx);
/// triplet_margin_loss with a distance of your own.
Tensor triplet_margin_with_distance_loss(
    const Tensor& anchor, const Tensor& positive, const Tensor& negative,
    const std::function<Tensor(const Tensor&, const Tensor&)>& distance_function = nullptr, double margin = 1,
    bool swap = false, int64_t reduction = Reduction::Mean);
/// The derivatives of samples along each of dim, or along all: `spacing` is their distance (one for all, or one for
/// each dimension), or has their places.
std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing = std::nullopt,
                             std::optional<int64_t> dim = std::nullopt, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArrayRef dim, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, IntArrayRef dim, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, std::optional<int64_t> dim = std::nullopt,
                             int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, IntArrayRef dim, int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, std::optional<int64_t> dim = std::nullopt,
                             int64_t edge_order = 1);
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, IntArrayRef dim, int64_t edge_order = 1);
/// How many rows, or what weight of them, fall into each cell of a grid, and the edges of the cells.
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, IntArrayRef bins,
                                                    std::optional<ArrayRef<double>> range = std::nullopt,
                                                    OptionalTensor weight = std::nullopt, bool density = false);
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, int64_t bins,
                                                    std::optional<ArrayRef<double>> range = std::nullopt,
                                                    OptionalTensor weight = std::nullopt, bool density = false);
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& self, TensorList bins,
                                                    std::optional<ArrayRef<double>> range = std::nullopt,
                                                    OptionalTensor weight = std::nullopt, bool density = false);

}  // namespace taut
