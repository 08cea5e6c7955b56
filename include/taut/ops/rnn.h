// Recurrent layers and cells, and sequences of unequal length in one tensor. Spelt as libtorch spells them.
#pragma once
#include <tuple>

#include "taut/tensor.h"

namespace taut {

// Whole networks: input [steps, batch, features] ([batch, steps, features] with batch_first), hx [layers * directions,
// batch, hidden]. params: for every layer and direction w_ih, w_hh, (b_ih, b_hh), (w_hr for an LSTM with projections).
// The results are the output of the last layer for every step and the last states of all layers. The second form of
// each takes packed sequences: data [sum of batch_sizes, features].
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases,
                                        int64_t num_layers, double dropout, bool train, bool bidirectional,
                                        bool batch_first);
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params,
                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                        bool bidirectional);
std::tuple<Tensor, Tensor> gru(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                               int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor> gru(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params,
                               bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional);
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first);
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params,
                                    bool has_biases, int64_t num_layers, double dropout, bool train,
                                    bool bidirectional);
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first);
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params,
                                    bool has_biases, int64_t num_layers, double dropout, bool train,
                                    bool bidirectional);

// One step: input [batch, features], states [batch, hidden].
std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     OptionalTensor b_ih = std::nullopt, OptionalTensor b_hh = std::nullopt);
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                OptionalTensor b_ih = std::nullopt, OptionalTensor b_hh = std::nullopt);
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     OptionalTensor b_ih = std::nullopt, OptionalTensor b_hh = std::nullopt);
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     OptionalTensor b_ih = std::nullopt, OptionalTensor b_hh = std::nullopt);

/// Sequences padded to one length, [steps, batch, ...], as packed data and the number of sequences that have each step.
/// `lengths` must not increase.
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first);
/// And back: the padded tensor and the lengths. `total_length` above 0 is the number of steps wanted.
std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, int64_t total_length);
/// Tensors of unequal first size side by side, filled up with `padding_value` at the "right" or "left" end.
Tensor pad_sequence(TensorList sequences, bool batch_first = false, double padding_value = 0,
                    std::string_view padding_side = "right");

}  // namespace taut
