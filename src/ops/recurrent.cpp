// Whole recurrent layers and cells: what their input and states must be, states of zeros where none are given,
// sequences without a batch, and packed ones, whose states have the order before packing. Messages are PyTorch's.
#include "ops/op.h"
#include "ops/registry.h"
#include "ops/wording.h"
#include "taut/factories.h"
#include "taut/ops/rnn.h"

namespace taut {

namespace {

std::vector<Tensor> listed(const std::tuple<Tensor, Tensor>& t) { return {std::get<0>(t), std::get<1>(t)}; }
std::vector<Tensor> listed(const std::tuple<Tensor, Tensor, Tensor>& t) {
  return {std::get<0>(t), std::get<1>(t), std::get<2>(t)};
}

/// The op of a mode; padded and packed inputs have the same names.
template <class Run>
std::vector<Tensor> by_mode(std::string_view mode, const std::vector<Tensor>& states, Run run) {
  if (mode == "LSTM") return run([](const auto&... a) { return listed(lstm(a...)); }, TensorList(states));
  if (mode == "GRU") return run([](const auto&... a) { return listed(gru(a...)); }, states[0]);
  if (mode == "RNN_TANH") return run([](const auto&... a) { return listed(rnn_tanh(a...)); }, states[0]);
  check<ValueError>(mode == "RNN_RELU", "Unrecognized RNN mode: ", mode);
  return run([](const auto&... a) { return listed(rnn_relu(a...)); }, states[0]);
}

}  // namespace

std::vector<Tensor> _recurrent(std::string_view mode, const Tensor& input, OptionalTensor batch_sizes,
                               OptionalTensor sorted_indices, OptionalTensor unsorted_indices, TensorList hx,
                               TensorList params, int64_t input_size, int64_t hidden_size, int64_t proj_size,
                               bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional,
                               bool batch_first) {
  const AsDry as(input);
  const bool packed = batch_sizes.has_value(), is_lstm = mode == "LSTM";
  const char* const name = is_lstm ? "LSTM" : mode == "GRU" ? "GRU" : "RNN";
  check_defined(input, name, "input");
  const int64_t dims = input.dim(), axis = batch_first ? 0 : 1;
  check<ValueError>(packed || dims == 2 || dims == 3, name, ": Expected input to be 2D or 3D, got ", dims, "D instead");
  const bool batched = packed || dims == 3;
  check<ValueError>(hx.empty() || hx.size() == (is_lstm ? 2u : 1u), name, ": got ", hx.size(), " states");
  for (const Tensor& h : hx) check<ValueError>(h.defined(), name, ": a state is undefined; give all, or none");
  const char* const which = batched ? "batched 3-D" : "unbatched 2-D";
  if (!packed && hx.size() == 2)
    check(hx[0].dim() == dims && hx[1].dim() == dims, "For ", which, " input, hx and cx should also be ", dims,
          "-D but got (", hx[0].dim(), "-D, ", hx[1].dim(), "-D) tensors");
  else if (!packed && hx.size() == 1)
    check(hx[0].dim() == dims, "For ", which, " input, hx should also be ", dims, "-D but got ", hx[0].dim(),
          "-D tensor");

  const Tensor x = batched ? input : input.unsqueeze(axis);
  check<ValueError>(!params.empty() && params[0].defined(), name, ": the weights are missing");
  const ScalarType dtype = x.scalar_type(), own = params[0].scalar_type();
  check<ValueError>(dtype == own, "RNN input dtype (taut::", dtype, ") does not match weight dtype (taut::", own,
                    "). Convert input: input.to(taut::", own, "), or convert model: model.to(taut::", dtype, ")");
  check(x.dim() == (packed ? 2 : 3), "input must have ", packed ? 2 : 3, " dimensions, got ", x.dim());
  check(x.size(-1) == input_size, "input.size(-1) must be equal to input_size. Expected ", input_size, ", got ",
        x.size(-1));
  check<ValueError>(!packed || (batch_sizes->dim() == 1 && batch_sizes->numel() > 0), name,
                    ": batch_sizes must be a list of at least one number");
  const int64_t batch = packed ? (*batch_sizes)[0].item<int64_t>() : x.size(axis);
  std::vector<Tensor> states;
  for (size_t i = 0; i < (is_lstm ? 2u : 1u); ++i) {
    const int64_t features = i == 0 && proj_size > 0 ? proj_size : hidden_size;
    const int64_t sizes[] = {num_layers * (bidirectional ? 2 : 1), batch, features};
    Tensor h = hx.empty() ? zeros(sizes, dtype) : batched ? hx[i] : hx[i].unsqueeze(1);
    check(h.sizes() == IntArrayRef(sizes), "Expected hidden",
          !is_lstm ? ""
          : i == 0 ? "[0]"
                   : "[1]",
          " size ", tuple(IntArrayRef(sizes)), ", got ", h.sizes());
    states.push_back(sorted_indices && !hx.empty() ? h.index_select(1, *sorted_indices) : h);
  }
  std::vector<Tensor> made = by_mode(mode, states, [&](const auto& f, const auto& state) {
    return packed ? f(x, *batch_sizes, state, params, has_biases, num_layers, dropout, train, bidirectional)
                  : f(x, state, params, has_biases, num_layers, dropout, train, bidirectional, batch_first);
  });
  for (size_t i = 0; i < made.size(); ++i) {
    if (!batched) made[i] = made[i].squeeze(i == 0 ? axis : 1);
    else if (i > 0 && unsorted_indices) made[i] = made[i].index_select(1, *unsorted_indices);
  }
  return made;
}

std::vector<Tensor> _recurrent_cell(std::string_view mode, const Tensor& input, TensorList hx, const Tensor& w_ih,
                                    const Tensor& w_hh, OptionalTensor b_ih, OptionalTensor b_hh) {
  const AsDry as(input);
  const bool is_lstm = mode == "LSTM";
  const char* const name = is_lstm ? "LSTMCell" : mode == "GRU" ? "GRUCell" : "RNNCell";
  const auto check_dims = [&](const Tensor& t, const char* what) {
    check_defined(t, name, what);
    check<ValueError>(t.dim() == 1 || t.dim() == 2, name, ": Expected ", what, " to be 1D or 2D, got ", t.dim(),
                      "D instead");
  };
  check_dims(input, "input");
  check_defined(w_hh, name, "weight_hh");
  check<ValueError>(hx.empty() || hx.size() == (is_lstm ? 2u : 1u), name, ": got ", hx.size(), " states");
  const bool batched = input.dim() == 2;
  const Tensor x = batched ? input : input.unsqueeze(0);
  std::vector<Tensor> states;
  for (size_t i = 0; i < (is_lstm ? 2u : 1u); ++i) {
    if (!hx.empty()) check_dims(hx[i], !is_lstm ? "hidden" : i == 0 ? "hx[0]" : "hx[1]");
    states.push_back(hx.empty() ? zeros({x.size(0), w_hh.size(-1)}, x.scalar_type())
                     : batched  ? hx[i]
                                : hx[i].unsqueeze(0));
  }
  std::vector<Tensor> made;
  if (is_lstm) {
    made = listed(lstm_cell(x, states, w_ih, w_hh, b_ih, b_hh));
  } else {
    check(mode == "GRU" || mode == "RNN_TANH" || mode == "RNN_RELU", "Unknown nonlinearity: ", mode);
    const auto step = mode == "GRU" ? gru_cell : mode == "RNN_TANH" ? rnn_tanh_cell : rnn_relu_cell;
    made = {step(x, states[0], w_ih, w_hh, b_ih, b_hh)};
  }
  if (!batched)
    for (Tensor& t : made) t = t.squeeze(0);
  return made;
}

extern const OpEntry recurrent_ops[];
extern const size_t recurrent_ops_count;
const OpEntry recurrent_ops[] = {
    doc("A recurrent layer (RNN_TANH, RNN_RELU, GRU or LSTM) with its checks: all outputs, and the last states.",
        op<_recurrent>(
            "_recurrent(str mode, Tensor input, Tensor? batch_sizes, Tensor? sorted_indices, Tensor? unsorted_indices, "
            "Tensor[] hx, Tensor[] params, int input_size, int hidden_size, int proj_size, bool has_biases, int "
            "num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> Tensor[]",
            "'LSTM', t(3, 2), None, None, None, [], [t(8, 2), t(8, 2), t(8), t(8)], 2, 2, 0, True, 1, 0.0, False, "
            "False, False\n"
            "'GRU', t(4, 2), c([2, 1, 1]), c([1, 0]), c([1, 0]), [t(1, 2, 2)], [t(6, 2), t(6, 2), t(6), t(6)], 2, 2, "
            "0, True, 1, 0.0, False, False, False\n"
            "'RNN_TANH', t(2, 3, 2), None, None, None, [t(1, 2, 2)], [t(2, 2), t(2, 2)], 2, 2, 0, False, 1, 0.0, "
            "False, False, True\n"
            "'RNN_RELU', t(2, 3, 3), None, None, None, [], [t(2, 2), t(2, 2)], 2, 2, 0, False, 1, 0.0, False, False, "
            "True")),
    doc("One step of a recurrent layer, with or without a batch: the new state, and that of an LSTM's cell.",
        op<_recurrent_cell>("_recurrent_cell(str mode, Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? "
                            "b_ih=None, Tensor? b_hh=None) -> Tensor[]",
                            "'LSTM', t(2, 3), [], t(8, 3), t(8, 2), t(8), t(8)\n"
                            "'LSTM', t(3), [t(2), t(2)], t(8, 3), t(8, 2)\n'GRU', t(3), [t(2)], t(6, 3), t(6, 2)\n"
                            "'RNN_TANH', t(2, 3), [t(2, 2)], t(2, 3), t(2, 2), t(2), t(2)\n"
                            "'RNN_RELU', t(3), [], t(2, 3), t(2, 2)\n'GRU', t(1, 2, 3), [], t(6, 3), t(6, 2)\n"
                            "'LSTM', t(2, 3), [t(2, 2), t(1, 2, 2)], t(8, 3), t(8, 2)")),
};
const size_t recurrent_ops_count = std::size(recurrent_ops);

}  // namespace taut
