// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The squared differences.
Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
/// The absolute differences.
Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
/// The absolute differences, squared where they are below beta.
Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, double beta = 1);
/// Half the squared differences, growing linearly from delta on.
Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, double delta = 1);
/// -(y log x + (1 - y) log(1 - x)) for probabilities x.
Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                            int64_t reduction = Reduction::Mean);
/// The binary cross entropy of sigmoid(x), without overflow.
Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                                        OptionalTensor pos_weight = std::nullopt, int64_t reduction = Reduction::Mean);
/// The divergence y (log y - x) of log-probabilities x from probabilities y.
Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean, bool log_target = false);
/// kl_div with a reduction by name: batchmean divides the sum by the size of the batch.
Tensor _kl_div(const Tensor& self, const Tensor& target, std::string_view reduction, bool log_target = false);
/// The negative log-likelihood of counts under a Poisson distribution.
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                        int64_t reduction);
/// The negative log-likelihood under normal distributions of these means and variances.
Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& var, bool full = false,
                         double eps = 1e-6, int64_t reduction = Reduction::Mean);
/// log(1 + exp(-y x)) for y of 1 or -1.
Tensor soft_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
/// x where y is 1, max(0, margin - x) where y is -1.
Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin = 1,
                            int64_t reduction = Reduction::Mean);
/// The binary cross entropy with logits, averaged over the classes.
Tensor multilabel_soft_margin_loss(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                                   int64_t reduction = Reduction::Mean);
/// max(0, -y (x1 - x2) + margin).
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0,
                           int64_t reduction = Reduction::Mean);
/// 1 - cos(x1, x2) where y is 1, max(0, cos(x1, x2) - margin) where y is -1.
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0,
                             int64_t reduction = Reduction::Mean);
/// max(0, |anchor - positive| - |anchor - negative| + margin).
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin = 1,
                           double p = 2, double eps = 1e-6, bool swap = false, int64_t reduction = Reduction::Mean);
/// The negative logarithm of the softmax of each row at its class; targets may be probabilities too.
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                          int64_t reduction = Reduction::Mean, int64_t ignore_index = -100, double label_smoothing = 0);
/// The negative log-probability at the class of each row.
Tensor nll_loss(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
/// The negative log-probability at the class of each pixel.
Tensor nll_loss2d(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                  int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
/// nll_loss for any number of dimensions.
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                   int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
/// How far the scores of other classes come within margin of the right one.
Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p = 1, const Scalar& margin = 1,
                         OptionalTensor weight = std::nullopt, int64_t reduction = Reduction::Mean);
/// How far the scores of other classes come within 1 of any right one; the list of right ones ends at -1.
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
/// The negative log-probability of all alignments of a sequence with its label, with blanks between.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
                int64_t blank = 0, int64_t reduction = Reduction::Mean, bool zero_infinity = false);
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, int64_t blank = 0, int64_t reduction = Reduction::Mean,
                bool zero_infinity = false);

}  // namespace taut
