// Losses as ops, with libtorch's names and arguments. nn::functional has the same ones with options.
#pragma once
#include <functional>

#include "taut/ops.h"
#include "taut/tensor.h"

namespace taut {

namespace Reduction {
enum Reduction { None, Mean, Sum };
}

// Between an input and a target of the same shape.
Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, double beta = 1);
Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, double delta = 1);
Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                            int64_t reduction = Reduction::Mean);
Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                                        OptionalTensor pos_weight = std::nullopt, int64_t reduction = Reduction::Mean);
Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, bool log_target = false);
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                        int64_t reduction);
Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& var, bool full = false,
                         double eps = 1e-6, int64_t reduction = Reduction::Mean);
Tensor soft_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin = 1,
                            int64_t reduction = Reduction::Mean);
Tensor multilabel_soft_margin_loss(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                                   int64_t reduction = Reduction::Mean);

// Between scores [C], [N, C] or [N, C, d1, ...] and classes.
/// The target holds class indices, or probabilities in the shape of `self`.
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                          int64_t reduction = Reduction::Mean, int64_t ignore_index = -100, double label_smoothing = 0);
Tensor nll_loss(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
Tensor nll_loss2d(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                  int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                   int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p = 1, const Scalar& margin = 1,
                         OptionalTensor weight = std::nullopt, int64_t reduction = Reduction::Mean);
/// The target lists the classes of each row; the first -1 ends the list.
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);

// Between vectors.
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0,
                             int64_t reduction = Reduction::Mean);
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0,
                           int64_t reduction = Reduction::Mean);
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin = 1,
                           double p = 2, double eps = 1e-6, bool swap = false, int64_t reduction = Reduction::Mean);
/// The distance is the Euclidean one when no function is given.
Tensor triplet_margin_with_distance_loss(
    const Tensor& anchor, const Tensor& positive, const Tensor& negative,
    const std::function<Tensor(const Tensor&, const Tensor&)>& distance_function = nullptr, double margin = 1,
    bool swap = false, int64_t reduction = Reduction::Mean);

/// Connectionist temporal classification: log_probs [T, N, C] or [T, C], targets [N, S] or all of them in one row.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
                int64_t blank = 0, int64_t reduction = Reduction::Mean, bool zero_infinity = false);
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, int64_t blank = 0, int64_t reduction = Reduction::Mean,
                bool zero_infinity = false);

}  // namespace taut
