// Softmax attention in tiles: the matrix of scores never exists as a whole.
#pragma once
#include "core/view.h"

namespace taut::kernels {

/// All views have four dimensions: batch, heads, length, features; the features are contiguous. Key and value may have
/// fewer heads than the query, each serving as many query heads as follow each other. With `causal`, query i sees the
/// keys up to i. float32 and float64. The same bits for any number of threads.
struct Attention {
  View query, key, value;
  View mask;  // [batch, heads, queries, keys], added to the scores; data is null when there is none
  double scale;
  bool causal;
};

/// out = softmax(scale query key^T) value, and the logarithm of each row's sum of exponentials (batch, heads, length,
/// contiguous).
void attention(const Attention& x, const View& out, const View& lse);

/// Gradients of query, key and value from the gradient of out and what forward left.
void attention_backward(const Attention& x, const View& out, const View& lse, const View& grad, const View& d_query,
                        const View& d_key, const View& d_value);

}  // namespace taut::kernels
