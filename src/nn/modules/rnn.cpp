// Recurrent layers and cells.
#include "taut/nn/modules/rnn.h"

#include <cmath>

#include "taut/core/runtime.h"
#include "taut/factories.h"
#include "taut/nn/init.h"
#include "taut/ops/rnn.h"

namespace taut::nn {

using utils::rnn::PackedSequence;

namespace detail {

template <class Derived>
RNNImplBase<Derived>::RNNImplBase(const RNNOptionsBase& options_)
    : Cloneable<Derived>(options_.mode() == kLSTM  ? "LSTM"
                         : options_.mode() == kGRU ? "GRU"
                                                   : "RNN"),
      options_base(options_) {
  const RNNOptionsBase& o = options_base;
  const std::string& name = this->name();
  check<ValueError>(o.input_size() > 0, name, ": input_size must be greater than zero, got ", o.input_size());
  check<ValueError>(o.hidden_size() > 0, name, ": hidden_size must be greater than zero, got ", o.hidden_size());
  check<ValueError>(o.num_layers() > 0, name, ": num_layers must be greater than zero, got ", o.num_layers());
  check<ValueError>(o.dropout() >= 0 && o.dropout() <= 1, name,
                    ": dropout should be a number in range [0, 1] representing the probability of an element being "
                    "zeroed, got ",
                    o.dropout());
  check<ValueError>(o.proj_size() >= 0, name,
                    ": proj_size should be a positive integer or zero to disable projections, got ", o.proj_size());
  check<ValueError>(o.proj_size() < o.hidden_size(), name, ": proj_size has to be smaller than hidden_size, got ",
                    o.proj_size(), " and ", o.hidden_size());
  if (o.dropout() > 0 && o.num_layers() == 1)
    warn(
        str("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
            "greater than 1, but got dropout=",
            o.dropout(), " and num_layers=", o.num_layers()));
  reset();
}

template <class Derived>
void RNNImplBase<Derived>::reset() {
  const RNNOptionsBase& o = options_base;
  const int64_t gates = (o.mode() == kLSTM ? 4 : o.mode() == kGRU ? 3 : 1) * o.hidden_size();
  this->parameters_.clear();
  empty({o.num_layers(), 4096}, kByte);  // is there room for so many layers?
  for (int64_t layer = 0; layer < o.num_layers(); ++layer)
    for (int64_t d = 0; d < directions(); ++d) {
      const int64_t features = layer == 0 ? o.input_size() : state_features() * directions();
      const std::string suffix = str("_l", layer, d == 1 ? "_reverse" : "");
      this->register_parameter("weight_ih" + suffix, empty({gates, features}));
      this->register_parameter("weight_hh" + suffix, empty({gates, state_features()}));
      if (o.bias()) {
        this->register_parameter("bias_ih" + suffix, empty({gates}));
        this->register_parameter("bias_hh" + suffix, empty({gates}));
      }
      if (o.proj_size() > 0) this->register_parameter("weight_hr" + suffix, empty({o.proj_size(), o.hidden_size()}));
    }
  reset_parameters();
}

template <class Derived>
void RNNImplBase<Derived>::reset_parameters() {
  const double bound = 1 / std::sqrt(static_cast<double>(options_base.hidden_size()));
  for (const auto& p : this->parameters_) init::uniform_(p.value(), -bound, bound);
}

template <class Derived>
std::vector<Tensor> RNNImplBase<Derived>::all_weights() const {
  std::vector<Tensor> list;
  for (const auto& p : this->parameters_) list.push_back(p.value());
  return list;
}

template <class Derived>
void RNNImplBase<Derived>::pretty_print(std::ostream& stream) const {
  const RNNOptionsBase& o = options_base;
  stream << this->name() << '(' << o.input_size() << ", " << o.hidden_size();
  if (o.proj_size() != 0) stream << ", proj_size=" << o.proj_size();
  if (o.num_layers() != 1) stream << ", num_layers=" << o.num_layers();
  if (!o.bias()) stream << ", bias=False";
  if (o.batch_first()) stream << ", batch_first=True";
  if (o.dropout() != 0) stream << ", dropout=" << o.dropout();
  if (o.bidirectional()) stream << ", bidirectional=True";
  stream << ')';
}

template <class Derived>
Tensor RNNImplBase<Derived>::check_input(const Tensor& input, bool packed) const {
  const RNNOptionsBase& o = options_base;
  check<ValueError>(input.defined(), this->name(), ": the input is undefined");
  if (packed)
    check<ValueError>(input.dim() == 2, this->name(), ": packed data must be 2D, got ", input.dim(), "D instead");
  else
    check<ValueError>(input.dim() == 2 || input.dim() == 3, this->name(), ": Expected input to be 2D or 3D, got ",
                      input.dim(), "D instead: the shape is ", input.sizes());
  check<ValueError>(input.size(-1) == o.input_size(), this->name(),
                    ": input.size(-1) must be equal to input_size. Expected ", o.input_size(), ", got ", input.size(-1),
                    " in ", input.sizes());
  const ScalarType dtype = this->parameters_[0].value().scalar_type();
  check<TypeError>(input.scalar_type() == dtype, this->name(), ": input dtype (", input.scalar_type(),
                   ") does not match weight dtype (", dtype, "). Convert the input or the module with .to()");
  return packed || input.dim() == 3 ? input : input.unsqueeze(o.batch_first() ? 0 : 1);
}

template <class Derived>
typename RNNImplBase<Derived>::Sizes RNNImplBase<Derived>::state_sizes(int64_t batch, int64_t features) const {
  return {options_base.num_layers() * directions(), batch, features};
}

template <class Derived>
void RNNImplBase<Derived>::check_state(const Tensor& hx, const Sizes& expected, const char* what) const {
  const auto [n, batch, features] = expected;
  check<ValueError>(hx.defined() && hx.sizes() == IntArrayRef({n, batch, features}), this->name(), ": Expected ", what,
                    " size (", n, ", ", batch, ", ", features, "), got ",
                    hx.defined() ? str(hx.sizes()) : "an undefined tensor");
}

namespace {

/// The op of a mode; padded and packed inputs have the same names.
template <class... A>
std::tuple<Tensor, Tensor> recurrent(Keyword mode, const A&... a) {
  if (mode == kGRU) return gru(a...);
  return mode == kRNN_TANH ? rnn_tanh(a...) : rnn_relu(a...);
}
/// A state of a packed input in the order of the packed sequences, or back.
Tensor permuted(const Tensor& hx, const Tensor& order) { return order.defined() ? hx.index_select(1, order) : hx; }

}  // namespace

template <class Derived>
std::tuple<Tensor, Tensor> RNNImplBase<Derived>::run(const Tensor& input, Tensor hx) const {
  const RNNOptionsBase& o = options_base;
  const Tensor x = check_input(input, false);
  const bool batched = input.dim() == 3;
  if (!hx.defined()) {
    hx = zeros({o.num_layers() * directions(), batch_of(x), state_features()}, x.scalar_type());
  } else {
    check<ValueError>(hx.dim() == input.dim(), this->name(), ": For ", batched ? "batched 3-D" : "unbatched 2-D",
                      " input, hx should also be ", input.dim(), "-D but got ", hx.dim(), "-D tensor");
    if (!batched) hx = hx.unsqueeze(1);
  }
  check_state(hx, state_sizes(batch_of(x), state_features()), "hidden");
  const std::vector<Tensor> weights = all_weights();
  auto [y, h] = recurrent(o.mode(), x, hx, TensorList(weights), o.bias(), o.num_layers(), o.dropout(),
                          this->is_training(), o.bidirectional(), o.batch_first());
  if (batched) return {y, h};
  return {y.squeeze(o.batch_first() ? 0 : 1), h.squeeze(1)};
}

template <class Derived>
std::tuple<PackedSequence, Tensor> RNNImplBase<Derived>::run_packed(const PackedSequence& packed, Tensor hx) const {
  const RNNOptionsBase& o = options_base;
  const Tensor x = check_input(packed.data(), true);
  const int64_t batch = packed.batch_sizes()[0].item<int64_t>();
  if (!hx.defined()) hx = zeros({o.num_layers() * directions(), batch, state_features()}, x.scalar_type());
  check_state(hx, state_sizes(batch, state_features()), "hidden");
  const std::vector<Tensor> weights = all_weights();
  auto [y, h] = recurrent(o.mode(), x, packed.batch_sizes(), permuted(hx, packed.sorted_indices()), TensorList(weights),
                          o.bias(), o.num_layers(), o.dropout(), this->is_training(), o.bidirectional());
  return {PackedSequence(y, packed.batch_sizes(), packed.sorted_indices(), packed.unsorted_indices()),
          permuted(h, packed.unsorted_indices())};
}

template class RNNImplBase<RNNImpl>;
template class RNNImplBase<LSTMImpl>;
template class RNNImplBase<GRUImpl>;

template <class Derived>
RNNCellImplBase<Derived>::RNNCellImplBase(const RNNCellOptionsBase& options_)
    : Cloneable<Derived>(options_.num_chunks() == 4   ? "LSTMCell"
                         : options_.num_chunks() == 3 ? "GRUCell"
                                                      : "RNNCell"),
      options_base(options_) {
  check<ValueError>(options_.input_size() >= 0 && options_.hidden_size() >= 0, this->name(),
                    " cannot have a negative size, got input_size=", options_.input_size(),
                    " and hidden_size=", options_.hidden_size());
  reset();
}

template <class Derived>
void RNNCellImplBase<Derived>::reset() {
  const RNNCellOptionsBase& o = options_base;
  const int64_t gates = o.num_chunks() * o.hidden_size();
  weight_ih = this->register_parameter("weight_ih", empty({gates, o.input_size()}));
  weight_hh = this->register_parameter("weight_hh", empty({gates, o.hidden_size()}));
  if (o.bias()) {
    bias_ih = this->register_parameter("bias_ih", empty({gates}));
    bias_hh = this->register_parameter("bias_hh", empty({gates}));
  } else {
    bias_ih = bias_hh = Tensor();
  }
  reset_parameters();
}

template <class Derived>
void RNNCellImplBase<Derived>::reset_parameters() {
  const int64_t hidden = options_base.hidden_size();
  const double bound = hidden > 0 ? 1 / std::sqrt(static_cast<double>(hidden)) : 0;
  for (const auto& p : this->parameters_) init::uniform_(p.value(), -bound, bound);
}

template <class Derived>
void RNNCellImplBase<Derived>::pretty_print(std::ostream& stream) const {
  stream << this->name() << '(' << options_base.input_size() << ", " << options_base.hidden_size();
  if (!options_base.bias()) stream << ", bias=False";
  const std::string nonlinearity = get_nonlinearity_str();
  if (!nonlinearity.empty() && nonlinearity != kTanh.name()) stream << ", nonlinearity=" << nonlinearity;
  stream << ')';
}

template <class Derived>
void RNNCellImplBase<Derived>::check_forward_input(const Tensor& input, const char* what) const {
  check<ValueError>(input.defined() && (input.dim() == 1 || input.dim() == 2), this->name(), ": Expected ", what,
                    " to be 1D or 2D, got ", input.defined() ? str(input.dim(), "D") : "an undefined tensor",
                    " instead");
}

template <class Derived>
Tensor RNNCellImplBase<Derived>::state_or_zeros(const Tensor& hx, const Tensor& input, const char* what) const {
  if (!hx.defined())
    return zeros({input.dim() == 1 ? 1 : input.size(0), options_base.hidden_size()}, input.scalar_type());
  check_forward_input(hx, what);
  check<ValueError>(hx.dim() == input.dim(), this->name(), ": input and ", what, " must both have a batch or not, got ",
                    input.sizes(), " and ", hx.sizes());
  return hx.dim() == 1 ? hx.unsqueeze(0) : hx;
}

template class RNNCellImplBase<RNNCellImpl>;
template class RNNCellImplBase<LSTMCellImpl>;
template class RNNCellImplBase<GRUCellImpl>;

namespace {

template <class O>
RNNOptionsBase base_of(Keyword mode, const O& o) {
  return RNNOptionsBase(mode, o.input_size(), o.hidden_size())
      .num_layers(o.num_layers())
      .bias(o.bias())
      .batch_first(o.batch_first())
      .dropout(o.dropout())
      .bidirectional(o.bidirectional());
}

void check_nonlinearity(Keyword k) {
  check<ValueError>(k == kTanh || k == kReLU, "Unknown nonlinearity '", k, "'. Select from 'tanh' or 'relu'.");
}
Keyword mode_of(Keyword nonlinearity) {
  check_nonlinearity(nonlinearity);
  return nonlinearity == kTanh ? kRNN_TANH : kRNN_RELU;
}

}  // namespace
}  // namespace detail

RNNImpl::RNNImpl(const RNNOptions& options_)
    : RNNImplBase(detail::base_of(detail::mode_of(options_.nonlinearity()), options_)), options(options_) {}
std::tuple<Tensor, Tensor> RNNImpl::forward(const Tensor& input, Tensor hx) { return run(input, std::move(hx)); }
std::tuple<PackedSequence, Tensor> RNNImpl::forward_with_packed_input(const PackedSequence& packed_input, Tensor hx) {
  return run_packed(packed_input, std::move(hx));
}

GRUImpl::GRUImpl(const GRUOptions& options_) : RNNImplBase(detail::base_of(kGRU, options_)), options(options_) {}
std::tuple<Tensor, Tensor> GRUImpl::forward(const Tensor& input, Tensor hx) { return run(input, std::move(hx)); }
std::tuple<PackedSequence, Tensor> GRUImpl::forward_with_packed_input(const PackedSequence& packed_input, Tensor hx) {
  return run_packed(packed_input, std::move(hx));
}

LSTMImpl::LSTMImpl(const LSTMOptions& options_)
    : RNNImplBase(detail::base_of(kLSTM, options_).proj_size(options_.proj_size())), options(options_) {}

void LSTMImpl::check_states(const State& hx, int64_t batch) const {
  check_state(std::get<0>(hx), state_sizes(batch, state_features()), "hidden[0]");
  check_state(std::get<1>(hx), state_sizes(batch, options_base.hidden_size()), "hidden[1]");
}

std::tuple<Tensor, LSTMImpl::State> LSTMImpl::forward(const Tensor& input, std::optional<State> hx_opt) {
  const auto& o = options_base;
  const Tensor x = check_input(input, false);
  const bool batched = input.dim() == 3;
  const int64_t batch = batch_of(x), states = o.num_layers() * directions();
  State hx;
  if (hx_opt) {
    hx = *hx_opt;
    auto& [h, c] = hx;
    check<ValueError>(h.defined() && c.defined(), name(), ": a state is undefined; give both, or none");
    check<ValueError>(h.dim() == input.dim() && c.dim() == input.dim(), name(), ": For ",
                      batched ? "batched 3-D" : "unbatched 2-D", " input, hx and cx should also be ", input.dim(),
                      "-D but got (", h.dim(), "-D, ", c.dim(), "-D) tensors");
    if (!batched) h = h.unsqueeze(1), c = c.unsqueeze(1);
  } else {
    hx = {zeros({states, batch, state_features()}, x.scalar_type()),
          zeros({states, batch, o.hidden_size()}, x.scalar_type())};
  }
  check_states(hx, batch);
  auto [y, h, c] = lstm(x, {std::get<0>(hx), std::get<1>(hx)}, all_weights(), o.bias(), o.num_layers(), o.dropout(),
                        is_training(), o.bidirectional(), o.batch_first());
  if (batched) return {y, {h, c}};
  return {y.squeeze(o.batch_first() ? 0 : 1), {h.squeeze(1), c.squeeze(1)}};
}

std::tuple<PackedSequence, LSTMImpl::State> LSTMImpl::forward_with_packed_input(const PackedSequence& packed,
                                                                                std::optional<State> hx_opt) {
  const auto& o = options_base;
  const Tensor x = check_input(packed.data(), true);
  const int64_t batch = packed.batch_sizes()[0].item<int64_t>(), states = o.num_layers() * directions();
  const State hx = hx_opt ? *hx_opt
                          : State{zeros({states, batch, state_features()}, x.scalar_type()),
                                  zeros({states, batch, o.hidden_size()}, x.scalar_type())};
  check_states(hx, batch);
  const Tensor &order = packed.sorted_indices(), &back = packed.unsorted_indices();
  auto [y, h, c] = lstm(x, packed.batch_sizes(),
                        {detail::permuted(std::get<0>(hx), order), detail::permuted(std::get<1>(hx), order)},
                        all_weights(), o.bias(), o.num_layers(), o.dropout(), is_training(), o.bidirectional());
  return {PackedSequence(y, packed.batch_sizes(), order, back), {detail::permuted(h, back), detail::permuted(c, back)}};
}

RNNCellImpl::RNNCellImpl(const RNNCellOptions& options_)
    : RNNCellImplBase(detail::RNNCellOptionsBase(options_.input_size(), options_.hidden_size(), options_.bias(), 1)),
      options(options_) {
  detail::check_nonlinearity(options_.nonlinearity());
}
Tensor RNNCellImpl::forward(const Tensor& input, const Tensor& hx) {
  check_forward_input(input, "input");
  const Tensor h = state_or_zeros(hx, input, "hidden"), x = input.dim() == 1 ? input.unsqueeze(0) : input;
  const Tensor y = options.nonlinearity() == kTanh ? rnn_tanh_cell(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
                                                   : rnn_relu_cell(x, h, weight_ih, weight_hh, bias_ih, bias_hh);
  return input.dim() == 1 ? y.squeeze(0) : y;
}

LSTMCellImpl::LSTMCellImpl(const LSTMCellOptions& options_)
    : RNNCellImplBase(detail::RNNCellOptionsBase(options_.input_size(), options_.hidden_size(), options_.bias(), 4)),
      options(options_) {}
std::tuple<Tensor, Tensor> LSTMCellImpl::forward(const Tensor& input,
                                                 std::optional<std::tuple<Tensor, Tensor>> hx_opt) {
  check_forward_input(input, "input");
  const auto [h0, c0] = hx_opt ? *hx_opt : std::tuple<Tensor, Tensor>();
  const Tensor h = state_or_zeros(h0, input, "hx[0]"), c = state_or_zeros(c0, input, "hx[1]");
  auto [y, cell] =
      lstm_cell(input.dim() == 1 ? input.unsqueeze(0) : input, {h, c}, weight_ih, weight_hh, bias_ih, bias_hh);
  if (input.dim() == 2) return {y, cell};
  return {y.squeeze(0), cell.squeeze(0)};
}

GRUCellImpl::GRUCellImpl(const GRUCellOptions& options_)
    : RNNCellImplBase(detail::RNNCellOptionsBase(options_.input_size(), options_.hidden_size(), options_.bias(), 3)),
      options(options_) {}
Tensor GRUCellImpl::forward(const Tensor& input, const Tensor& hx) {
  check_forward_input(input, "input");
  const Tensor h = state_or_zeros(hx, input, "hidden");
  const Tensor y = gru_cell(input.dim() == 1 ? input.unsqueeze(0) : input, h, weight_ih, weight_hh, bias_ih, bias_hh);
  return input.dim() == 1 ? y.squeeze(0) : y;
}

}  // namespace taut::nn
