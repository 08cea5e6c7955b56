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
  check<ValueError>(o.dropout() >= 0 && o.dropout() <= 1,
                    "dropout should be a number in range [0, 1] representing the probability of an element being "
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
std::vector<Tensor> RNNImplBase<Derived>::run(const Tensor& input, TensorList hx, const PackedSequence* packed) const {
  const RNNOptionsBase& o = options_base;
  const std::vector<Tensor> weights = all_weights();
  const auto part = [&](const Tensor& (PackedSequence::*get)() const) { return packed ? (packed->*get)() : Tensor(); };
  const Tensor batch_sizes = part(&PackedSequence::batch_sizes), order = part(&PackedSequence::sorted_indices),
               back = part(&PackedSequence::unsorted_indices);
  return _recurrent(o.mode().name(), input, batch_sizes, order, back, hx, weights, o.input_size(), o.hidden_size(),
                    o.proj_size(), o.bias(), o.num_layers(), o.dropout(), this->is_training(), o.bidirectional(),
                    o.batch_first());
}

namespace {

PackedSequence like(const PackedSequence& packed, const Tensor& data) {
  return PackedSequence(data, packed.batch_sizes(), packed.sorted_indices(), packed.unsorted_indices());
}
std::vector<Tensor> given(const Tensor& hx) { return hx.defined() ? std::vector<Tensor>{hx} : std::vector<Tensor>(); }
std::vector<Tensor> given(const std::optional<std::tuple<Tensor, Tensor>>& hx) {
  return hx ? std::vector<Tensor>{std::get<0>(*hx), std::get<1>(*hx)} : std::vector<Tensor>();
}

}  // namespace

template <class Derived>
std::tuple<Tensor, Tensor> RNNImplBase<Derived>::run_one(const Tensor& input, const Tensor& hx) const {
  const std::vector<Tensor> made = run(input, given(hx));
  return {made[0], made[1]};
}

template <class Derived>
std::tuple<PackedSequence, Tensor> RNNImplBase<Derived>::run_one(const PackedSequence& packed, const Tensor& hx) const {
  const std::vector<Tensor> made = run(packed.data(), given(hx), &packed);
  return {like(packed, made[0]), made[1]};
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
std::vector<Tensor> RNNCellImplBase<Derived>::run(Keyword mode, const Tensor& input, TensorList hx) const {
  return _recurrent_cell(mode.name(), input, hx, weight_ih, weight_hh, bias_ih, bias_hh);
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
std::tuple<Tensor, Tensor> RNNImpl::forward(const Tensor& input, Tensor hx) { return run_one(input, hx); }
std::tuple<PackedSequence, Tensor> RNNImpl::forward_with_packed_input(const PackedSequence& packed_input, Tensor hx) {
  return run_one(packed_input, hx);
}

GRUImpl::GRUImpl(const GRUOptions& options_) : RNNImplBase(detail::base_of(kGRU, options_)), options(options_) {}
std::tuple<Tensor, Tensor> GRUImpl::forward(const Tensor& input, Tensor hx) { return run_one(input, hx); }
std::tuple<PackedSequence, Tensor> GRUImpl::forward_with_packed_input(const PackedSequence& packed_input, Tensor hx) {
  return run_one(packed_input, hx);
}

LSTMImpl::LSTMImpl(const LSTMOptions& options_)
    : RNNImplBase(detail::base_of(kLSTM, options_).proj_size(options_.proj_size())), options(options_) {}

std::tuple<Tensor, LSTMImpl::State> LSTMImpl::forward(const Tensor& input, std::optional<State> hx_opt) {
  const std::vector<Tensor> made = run(input, detail::given(hx_opt));
  return {made[0], {made[1], made[2]}};
}

std::tuple<PackedSequence, LSTMImpl::State> LSTMImpl::forward_with_packed_input(const PackedSequence& packed,
                                                                                std::optional<State> hx_opt) {
  const std::vector<Tensor> made = run(packed.data(), detail::given(hx_opt), &packed);
  return {detail::like(packed, made[0]), {made[1], made[2]}};
}

RNNCellImpl::RNNCellImpl(const RNNCellOptions& options_)
    : RNNCellImplBase(detail::RNNCellOptionsBase(options_.input_size(), options_.hidden_size(), options_.bias(), 1)),
      options(options_) {
  detail::check_nonlinearity(options_.nonlinearity());
}
Tensor RNNCellImpl::forward(const Tensor& input, const Tensor& hx) {
  return run(detail::mode_of(options.nonlinearity()), input, detail::given(hx))[0];
}

LSTMCellImpl::LSTMCellImpl(const LSTMCellOptions& options_)
    : RNNCellImplBase(detail::RNNCellOptionsBase(options_.input_size(), options_.hidden_size(), options_.bias(), 4)),
      options(options_) {}
std::tuple<Tensor, Tensor> LSTMCellImpl::forward(const Tensor& input,
                                                 std::optional<std::tuple<Tensor, Tensor>> hx_opt) {
  const std::vector<Tensor> made = run(kLSTM, input, detail::given(hx_opt));
  return {made[0], made[1]};
}

GRUCellImpl::GRUCellImpl(const GRUCellOptions& options_)
    : RNNCellImplBase(detail::RNNCellOptionsBase(options_.input_size(), options_.hidden_size(), options_.bias(), 3)),
      options(options_) {}
Tensor GRUCellImpl::forward(const Tensor& input, const Tensor& hx) { return run(kGRU, input, detail::given(hx))[0]; }

}  // namespace taut::nn
