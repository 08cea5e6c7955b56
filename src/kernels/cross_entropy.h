// Losses of scores against class indices, row by row.
#pragma once
#include "core/view.h"

namespace taut::kernels {

/// All memory is contiguous: x [rows, classes] of float32 or float64, target [rows] of int64, weight [classes] of the
/// dtype of x, or without data.
struct Classes {
  View x, target, weight;
  int64_t ignore;
  double smoothing = 0;
};

/// Throws IndexError when a target is neither a class nor `ignore`; says which, and where in `shape`.
void check_targets(const char* op, const View& target, IntArrayRef shape, int64_t classes, int64_t ignore);

/// The sum of the weights of all targets that are not ignored: what a mean is divided by.
double total_weight(const View& target, const View& weight, int64_t ignore);

/// loss[i], in the dtype of x, and lse[i] = log(sum(exp(x[i]))) as a float64.
void cross_entropy(const View& loss, const View& lse, const Classes& c);
/// dx = g[i] times the gradient of row i; g is float64, [rows], or one number for all.
void cross_entropy_backward(const View& dx, const View& g, const View& lse, const Classes& c);

/// loss[n, j] = -weight[target[n, j]] x[n, target[n, j], j] for x [n, classes, inner]; 0 where ignored.
void nll(const View& loss, const Classes& c);

/// In order, in float64: the same bits for any number of threads.
double sum_in_order(const View& x);

}  // namespace taut::kernels
