// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// A recurrent network with tanh: all outputs, and the last states.
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first);
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params,
                                    bool has_biases, int64_t num_layers, double dropout, bool train,
                                    bool bidirectional);
/// One step of a recurrent network with tanh.
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     OptionalTensor b_ih = std::nullopt, OptionalTensor b_hh = std::nullopt);
/// A recurrent network with relu: all outputs, and the last states.
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first);
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params,
                                    bool has_biases, int64_t num_layers, double dropout, bool train,
                                    bool bidirectional);
/// One step of a recurrent network with relu.
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     OptionalTensor b_ih = std::nullopt, OptionalTensor b_hh = std::nullopt);
/// A network of long short-term memory: all outputs, and the last states.
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases,
                                        int64_t num_layers, double dropout, bool train, bool bidirectional,
                                        bool batch_first);
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params,
                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                        bool bidirectional);
/// One step of long short-term memory.
std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     OptionalTensor b_ih = std::nullopt, OptionalTensor b_hh = std::nullopt);
/// A network of gated recurrent units: all outputs, and the last states.
std::tuple<Tensor, Tensor> gru(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                               int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor> gru(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params,
                               bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional);
/// One step of a gated recurrent unit.
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                OptionalTensor b_ih = std::nullopt, OptionalTensor b_hh = std::nullopt);
/// Sequences without their padding, step by step, and how many have each step.
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first);
/// Packed sequences with padding again, and their lengths.
std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, int64_t total_length);
/// Sequences of unequal length side by side, filled up.
Tensor pad_sequence(TensorList sequences, bool batch_first = false, double padding_value = 0,
                    std::string_view padding_side = "right");
/// The permutation that takes this one back.
Tensor _invert_permutation(const Tensor& permutation);
/// Sequences without their padding, step by step; how many have each step; their order by length, and back.
std::tuple<Tensor, Tensor, Tensor, Tensor> _pack_padded_sequences(const Tensor& input, const Tensor& lengths,
                                                                  bool batch_first = false, bool enforce_sorted = true);
/// Packed sequences with padding again, in their first order, and their lengths.
std::tuple<Tensor, Tensor> _pad_packed_sequences(const Tensor& data, const Tensor& batch_sizes,
                                                 OptionalTensor unsorted_indices = std::nullopt,
                                                 bool batch_first = false, const Scalar& padding_value = 0,
                                                 std::optional<int64_t> total_length = std::nullopt);
/// The list of sequences without their padding.
std::vector<Tensor> _unpad_sequence(const Tensor& padded_sequences, const Tensor& lengths, bool batch_first = false);
/// A recurrent layer (RNN_TANH, RNN_RELU, GRU or LSTM) with its checks: all outputs, and the last states.
std::vector<Tensor> _recurrent(std::string_view mode, const Tensor& input, OptionalTensor batch_sizes,
                               OptionalTensor sorted_indices, OptionalTensor unsorted_indices, TensorList hx,
                               TensorList params, int64_t input_size, int64_t hidden_size, int64_t proj_size,
                               bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional,
                               bool batch_first);
/// One step of a recurrent layer, with or without a batch: the new state, and that of an LSTM's cell.
std::vector<Tensor> _recurrent_cell(std::string_view mode, const Tensor& input, TensorList hx, const Tensor& w_ih,
                                    const Tensor& w_hh, OptionalTensor b_ih = std::nullopt,
                                    OptionalTensor b_hh = std::nullopt);

}  // namespace taut
