// Recurrent layers and cells.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/rnn.h"
#include "taut/nn/utils/rnn.h"

namespace taut::nn {

namespace detail {

/// Parameters, checks and printing, which RNN, LSTM and GRU share.
template <class Derived>
class RNNImplBase : public Cloneable<Derived> {
 public:
  explicit RNNImplBase(const RNNOptionsBase& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  /// Weights are always as the kernels want them; nothing to do.
  void flatten_parameters() {}
  /// In the order of the ops: for every layer and direction weight_ih, weight_hh, bias_ih, bias_hh, weight_hr.
  std::vector<Tensor> all_weights() const;

  RNNOptionsBase options_base;

 protected:
  /// The outputs (for a packed input its data), then the states; zeros where no states are given.
  std::vector<Tensor> run(const Tensor& input, TensorList hx, const utils::rnn::PackedSequence* packed = nullptr) const;
  /// forward() of the layers that have one state.
  std::tuple<Tensor, Tensor> run_one(const Tensor& input, const Tensor& hx) const;
  std::tuple<utils::rnn::PackedSequence, Tensor> run_one(const utils::rnn::PackedSequence& packed,
                                                         const Tensor& hx) const;
  int64_t directions() const { return options_base.bidirectional() ? 2 : 1; }
  /// The size of the hidden state: projected, if it is.
  int64_t state_features() const {
    return options_base.proj_size() > 0 ? options_base.proj_size() : options_base.hidden_size();
  }
};

/// Weights of a cell, and its checks.
template <class Derived>
class RNNCellImplBase : public Cloneable<Derived> {
 public:
  explicit RNNCellImplBase(const RNNCellOptionsBase& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;

  RNNCellOptionsBase options_base;
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;

 protected:
  /// The new states; from zeros where none are given.
  std::vector<Tensor> run(Keyword mode, const Tensor& input, TensorList hx) const;
  virtual std::string get_nonlinearity_str() const { return {}; }
};

}  // namespace detail

/// h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu, for every step. input: [steps, batch, features], or [steps,
/// features]. Returns the outputs of all steps and the last state [layers * directions, batch, hidden].
class RNNImpl : public detail::RNNImplBase<RNNImpl> {
 public:
  RNNImpl(int64_t input_size, int64_t hidden_size) : RNNImpl(RNNOptions(input_size, hidden_size)) {}
  explicit RNNImpl(const RNNOptions& options_);
  std::tuple<Tensor, Tensor> forward(const Tensor& input, Tensor hx = {});
  std::tuple<utils::rnn::PackedSequence, Tensor> forward_with_packed_input(
      const utils::rnn::PackedSequence& packed_input, Tensor hx = {});
  RNNOptions options;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(Tensor())})
};
TAUT_MODULE(RNN);

/// Long short-term memory. Returns the outputs and the pair of last states.
class LSTMImpl : public detail::RNNImplBase<LSTMImpl> {
 public:
  using State = std::tuple<Tensor, Tensor>;
  LSTMImpl(int64_t input_size, int64_t hidden_size) : LSTMImpl(LSTMOptions(input_size, hidden_size)) {}
  explicit LSTMImpl(const LSTMOptions& options_);
  std::tuple<Tensor, State> forward(const Tensor& input, std::optional<State> hx_opt = {});
  std::tuple<utils::rnn::PackedSequence, State> forward_with_packed_input(
      const utils::rnn::PackedSequence& packed_input, std::optional<State> hx_opt = {});
  LSTMOptions options;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(std::optional<std::tuple<Tensor, Tensor>>())})
};
TAUT_MODULE(LSTM);

/// Gated recurrent units.
class GRUImpl : public detail::RNNImplBase<GRUImpl> {
 public:
  GRUImpl(int64_t input_size, int64_t hidden_size) : GRUImpl(GRUOptions(input_size, hidden_size)) {}
  explicit GRUImpl(const GRUOptions& options_);
  std::tuple<Tensor, Tensor> forward(const Tensor& input, Tensor hx = {});
  std::tuple<utils::rnn::PackedSequence, Tensor> forward_with_packed_input(
      const utils::rnn::PackedSequence& packed_input, Tensor hx = {});
  GRUOptions options;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(Tensor())})
};
TAUT_MODULE(GRU);

/// One step of an RNN: [batch, features] or [features].
class RNNCellImpl : public detail::RNNCellImplBase<RNNCellImpl> {
 public:
  RNNCellImpl(int64_t input_size, int64_t hidden_size) : RNNCellImpl(RNNCellOptions(input_size, hidden_size)) {}
  explicit RNNCellImpl(const RNNCellOptions& options_);
  Tensor forward(const Tensor& input, const Tensor& hx = {});
  RNNCellOptions options;

 protected:
  std::string get_nonlinearity_str() const override { return std::string(options.nonlinearity().name()); }
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(Tensor())})
};
TAUT_MODULE(RNNCell);

/// One step of an LSTM; returns both states.
class LSTMCellImpl : public detail::RNNCellImplBase<LSTMCellImpl> {
 public:
  LSTMCellImpl(int64_t input_size, int64_t hidden_size) : LSTMCellImpl(LSTMCellOptions(input_size, hidden_size)) {}
  explicit LSTMCellImpl(const LSTMCellOptions& options_);
  std::tuple<Tensor, Tensor> forward(const Tensor& input, std::optional<std::tuple<Tensor, Tensor>> hx_opt = {});
  LSTMCellOptions options;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(std::optional<std::tuple<Tensor, Tensor>>())})
};
TAUT_MODULE(LSTMCell);

/// One step of a GRU.
class GRUCellImpl : public detail::RNNCellImplBase<GRUCellImpl> {
 public:
  GRUCellImpl(int64_t input_size, int64_t hidden_size) : GRUCellImpl(GRUCellOptions(input_size, hidden_size)) {}
  explicit GRUCellImpl(const GRUCellOptions& options_);
  Tensor forward(const Tensor& input, const Tensor& hx = {});
  GRUCellOptions options;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(Tensor())})
};
TAUT_MODULE(GRUCell);

}  // namespace taut::nn
