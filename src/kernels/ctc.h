// Connectionist temporal classification: the sum over all alignments, forwards and backwards.
#pragma once
#include <vector>

#include "core/view.h"

namespace taut::kernels {

/// One sequence each: log_probs [T, N, C] contiguous, float32 or float64; targets from offsets[n] on.
struct Ctc {
  View log_probs;
  const int64_t* targets;
  const std::vector<int64_t>&offsets, &input_lengths, &target_lengths;
  int64_t blank;
};

/// -log of the likelihood of each target, and alpha [N, T, 2 S + 1] for the gradient; both float64.
void ctc(double* nll, double* alpha, int64_t states, const Ctc& c);
/// dx = g[n] (exp(log_probs) - posterior), which is the gradient through a log_softmax before it; 0 beyond the length
/// of an input, and for sequences of no likelihood when `zero_infinity`.
void ctc_backward(const View& dx, const double* g, const double* alpha, int64_t states, const Ctc& c,
                  bool zero_infinity);

}  // namespace taut::kernels
