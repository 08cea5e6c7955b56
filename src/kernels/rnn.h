// One layer of a recurrent network, in one direction, over all steps.
#pragma once
#include <functional>

#include "core/view.h"

namespace taut::kernels {

enum class RnnCell : uint8_t { Tanh, Relu, Lstm, Gru };

/// Gates of a cell, and numbers that backward keeps per hidden unit.
constexpr int64_t rnn_gates(RnnCell c) { return c == RnnCell::Lstm ? 4 : c == RnnCell::Gru ? 3 : 1; }
constexpr int64_t rnn_kept(RnnCell c) { return c == RnnCell::Lstm || c == RnnCell::Gru ? 4 : 0; }

/// The sequences of a batch lie step by step below each other: the first step of all of them, the second of those that
/// have one, and so on; batch_sizes never increases. Views are matrices with contiguous rows, the weight with any
/// strides. float32 and float64.
struct RnnLayer {
  RnnCell cell;
  bool reverse;  // from the last step to the first
  IntArrayRef batch_sizes;
  // Forward reads the products of the inputs with their weight, [steps of all sequences, gates * hidden], or, where x
  // has no data, the inputs [steps of all sequences, features] and the weight [gates * hidden, features] themselves.
  View x, input, input_weight;
  View weight;        // [gates * hidden, hidden]
  View x_bias, bias;  // [gates * hidden], added to x and to the products with `weight`; data is null when there is none
  View h0, c0;        // [sequences, hidden]; c0 for the LSTM only
};

/// Is it better to give the layer the inputs than their products? They need no memory then, but the weight is read anew
/// in every step.
bool rnn_takes_inputs(RnnCell cell, int64_t batch, int64_t features, int64_t hidden, ScalarType dtype);

/// The hidden state of every step, the last states, and what backward reads, in an order of its own: `act` (rnn_kept
/// numbers per hidden unit) and the cell of every step (LSTM). `act` is not written when it has no data.
void rnn_forward(const RnnLayer& layer, const View& y, const View& h_last, const View& c_last, const View& act,
                 const View& cells);

/// From the gradients of y and of the last states (data is null where there is none) the gradients of x, of the
/// products with the weight (dhw; the same view as dx except for the GRU), and of the first states.
/// dx and dhw have room for some steps only, rnn_group_rows().
struct RnnGradients {
  View y, h_last, c_last;
  View dx, dhw, dh0, dc0;  // no dh0: nobody wants the last two
};
/// Calls done(first, last) each time dx and dhw hold what belongs to the rows [first, last) of y, from the beginning
/// on: then they are still in the cache.
int64_t rnn_group_rows(const RnnLayer& layer);
void rnn_backward(const RnnLayer& layer, const View& y, const View& act, const View& cells, const RnnGradients& grads,
                  const std::function<void(int64_t, int64_t)>& done);

/// The hidden state before each step, for the steps that are rows [first, last) of y.
void rnn_states_before(const RnnLayer& layer, const View& y, int64_t first, int64_t last, const View& before);

}  // namespace taut::kernels
