// Recurrent layers. A layer and direction is one op: one product for the inputs of all steps, then tiles of the steps
// (src/kernels/rnn.cpp). The same in public ops serves projections and higher derivatives.
#include "taut/ops/rnn.h"

#include <algorithm>
#include <numeric>

#include "kernels/gemm.h"
#include "kernels/rnn.h"
#include "ops/autocast.h"
#include "ops/op.h"
#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

using kernels::RnnCell;

constexpr const char* kNames[] = {"rnn_tanh", "rnn_relu", "lstm", "gru"};
const char* name_of(RnnCell c) { return kNames[static_cast<int>(c)]; }

/// Weights of one layer and direction; biases and projection may be undefined.
struct Weights {
  Tensor w_ih, w_hh, b_ih, b_hh, w_hr;
};
/// The hidden state of every step and the states after the last; c of the LSTM only.
struct LayerResult {
  Tensor y, h, c;
};

OptionalTensor optional(const Tensor& t) { return t.defined() ? OptionalTensor(t) : OptionalTensor(); }

/// The gates in public ops: from what input and hidden state add to them to the states after the step.
void plain_step(RnnCell cell, const Tensor& x, const Tensor& hw, const Weights& w, Tensor& h, Tensor& c) {
  if (cell == RnnCell::Tanh) h = (x + hw).tanh();
  else if (cell == RnnCell::Relu) h = (x + hw).relu();
  else if (cell == RnnCell::Lstm) {
    const std::vector<Tensor> g = (x + hw).chunk(4, 1);
    c = g[1].sigmoid() * c + g[0].sigmoid() * g[2].tanh();
    h = g[3].sigmoid() * c.tanh();
    if (w.w_hr.defined()) h = matmul(h, w.w_hr.t());
  } else {
    const std::vector<Tensor> i = x.chunk(3, 1), g = hw.chunk(3, 1);
    const Tensor z = (i[1] + g[1]).sigmoid(), n = ((i[0] + g[0]).sigmoid() * g[2] + i[2]).tanh();
    h = n + z * (h - n);
  }
}

/// One layer and direction in public ops. input: [steps of all sequences, features].
LayerResult plain_layer(RnnCell cell, bool reverse, IntArrayRef batch_sizes, const Tensor& input, const Weights& w,
                        const Tensor& h0, const Tensor& c0) {
  const Tensor x = linear(input, w.w_ih, optional(w.b_ih));
  const auto steps = static_cast<int64_t>(batch_sizes.size());
  int64_t at = reverse ? input.size(0) : 0, rows = reverse ? 0 : h0.size(0);
  const bool has_cell = cell == RnnCell::Lstm;
  Tensor h = h0.narrow(0, 0, rows), c = has_cell ? c0.narrow(0, 0, rows) : Tensor();
  std::vector<Tensor> ys, h_done, c_done;
  for (int64_t s = 0; s < steps; ++s) {
    const int64_t n = batch_sizes[static_cast<size_t>(reverse ? steps - 1 - s : s)];
    if (reverse) at -= n;
    const auto join = [&](Tensor& state, const Tensor& first) {
      state = rows == 0 ? first.narrow(0, 0, n) : cat({state, first.narrow(0, rows, n - rows)});
    };
    const auto leave = [&](Tensor& state, std::vector<Tensor>& done) {
      done.push_back(state.narrow(0, n, rows - n));
      state = state.narrow(0, 0, n);
    };
    if (n > rows) join(h, h0);
    if (n > rows && has_cell) join(c, c0);
    if (n < rows) leave(h, h_done);
    if (n < rows && has_cell) leave(c, c_done);
    rows = n;
    plain_step(cell, x.narrow(0, at, n), linear(h, w.w_hh, optional(w.b_hh)), w, h, c);
    ys.push_back(h);
    if (!reverse) at += n;
  }
  const auto whole = [](const Tensor& state, std::vector<Tensor>& done) {
    done.push_back(state);
    std::reverse(done.begin(), done.end());
    return done.size() == 1 ? done[0] : cat(done);
  };
  if (reverse) std::reverse(ys.begin(), ys.end());
  return {cat(ys), whole(h, h_done), has_cell ? whole(c, c_done) : Tensor()};
}

/// Inputs: input, w_ih, w_hh, b_ih, b_hh, h0, c0; biases may be undefined, c0 is for the LSTM.
struct RecurrentLayer {
  static constexpr const char* name = "rnn";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kInput(2) | kInput(3) | kInput(4) | kInput(5) |
                                       kInput(6) | kResult(0) | kResult(3) | kResult(4)},
                            keeps = kEverything;
  RnnCell cell;
  bool reverse, biases, keep;  // keep: what the backward kernel reads
  std::vector<int64_t> batch_sizes;
  bool alone = false;  // a cell, not a layer of a network
  const char* op_name() const { return name_of(cell); }
  /// A cell goes by the name of the last op that PyTorch makes it of.
  const char* node_name() const {
    if (!alone) return "RnnLayerBackward0";
    return cell == RnnCell::Lstm   ? "MulBackward0"
           : cell == RnnCell::Gru  ? "AddBackward0"
           : cell == RnnCell::Tanh ? "TanhBackward0"
                                   : "ReluBackward0";
  }

  kernels::RnnLayer layer(const Tensor& w_hh, const Tensor& h0, const Tensor& c0) const {
    return {cell, reverse, batch_sizes, {}, {}, {}, view_of(w_hh), {}, {}, view_of(h0), view_or_none(c0)};
  }
  static View view_or_none(const Tensor& t) { return t.defined() ? view_of(t) : View(); }
  static Tensor dense(const Tensor& t) { return t.defined() ? t.contiguous() : t; }

  /// y, the last states, and what backward reads: gates, cells.
  std::array<Tensor, 5> forward(const Tensor& input, const Tensor& w_ih, const Tensor& w_hh, const Tensor& b_ih,
                                const Tensor& b_hh, const Tensor& h0, const Tensor& c0) const {
    const ScalarType t = input.scalar_type();
    const int64_t n = input.size(0), hidden = w_hh.size(1);
    const bool has_cell = cell == RnnCell::Lstm;
    const Tensor bi = dense(b_ih), bh = dense(b_hh), h = dense(h0), c = dense(c0), in = dense(input);
    kernels::RnnLayer l = layer(w_hh, h, c);
    Tensor x;
    if (kernels::rnn_takes_inputs(cell, h.size(0), in.size(1), hidden, t)) {
      l.input = view_of(in), l.input_weight = view_of(w_ih);
    } else {
      x = matmul(in, w_ih.t());
      l.x = view_of(x);
    }
    l.x_bias = view_or_none(bi), l.bias = view_or_none(bh);
    const int64_t cells = has_cell ? hidden : 0, kept = keep ? kernels::rnn_kept(cell) : 0;
    std::array<Tensor, 5> r = {make({n, hidden}, t, name), make(h0.sizes(), t, name),
                               make({h0.size(0), cells}, t, name), make({n, kept * hidden}, t, name),
                               make({n, cells}, t, name)};
    kernels::rnn_forward(l, view_of(r[0]), view_of(r[1]), view_of(r[2]), kept ? view_of(r[3]) : View(), view_of(r[4]));
    return r;
  }

  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const {
    const bool has_cell = cell == RnnCell::Lstm, gru = cell == RnnCell::Gru;
    std::vector<Tensor> in(7);
    for (int i : {0, 1, 2, 5}) in[static_cast<size_t>(i)] = s.input(i);
    if (biases) in[3] = s.input(3), in[4] = s.input(4);
    if (has_cell) in[6] = s.input(6);
    if (must_record() || !keep)
      return vjps_of(
          [&](const std::vector<Tensor>& v) {
            LayerResult r = plain_layer(cell, reverse, batch_sizes, v[0], {v[1], v[2], v[3], v[4], {}}, v[5], v[6]);
            return std::vector<Tensor>{r.y, r.h, r.c.defined() ? r.c : zeros({0}, r.y.scalar_type())};
          },
          in, grads, s, out);
    const Tensor y = s.result(0), act = s.result(3), cells = s.result(4), h0 = dense(in[5]), c0 = dense(in[6]);
    const Tensor gy = dense(grads[0]), gh = dense(grads[1]), gc = has_cell ? dense(grads[2]) : Tensor();
    const ScalarType t = y.scalar_type();
    const kernels::RnnLayer l = layer(in[2], h0, c0);
    const Tensor dx = make({kernels::rnn_group_rows(l), in[1].size(0)}, t, name),
                 dhw = gru ? make(dx.sizes(), t, name) : dx;
    const bool states = s.wants(5) || s.wants(6);
    const Tensor dh0 = states ? make(h0.sizes(), t, name) : Tensor(),
                 dc0 = states && has_cell ? make(h0.sizes(), t, name) : Tensor();
    for (int i : {0, 1, 2, 3, 4})
      if (s.wants(i)) out[i] = make(s.sizes(i), t, name);
    GateProducts products{*this, s, l, dense(in[0]), in[1], y, dx, dhw, out};
    kernels::rnn_backward(l, view_of(y), view_of(act), view_of(cells),
                          {view_or_none(gy), view_or_none(gh), view_or_none(gc), view_of(dx), view_of(dhw),
                           view_or_none(dh0), view_or_none(dc0)},
                          [&](int64_t first, int64_t last) { products.add(first, last); });
    if (!gru && s.wants(3) && s.wants(4)) out[4] = out[3].clone();
    if (s.wants(5)) out[5] = dh0;
    if (s.wants(6)) out[6] = dc0;
  }

  /// The gradients of input, weights and biases, which are products with those of the gates: a group of steps after the
  /// other.
  struct GateProducts {
    const RecurrentLayer& of;
    const Saved& s;
    const kernels::RnnLayer& l;
    const Tensor input, w_ih, y, dx, dhw;
    Tensor* out;
    const ScalarType t = y.scalar_type();
    const Tensor before = make({s.wants(2) ? dx.size(0) : 0, y.size(1)}, t, name), one = full({}, 1, t);
    bool any = false;  // was a group added already?

    kernels::ConstMatrix rows(const Tensor& m, int64_t from, int64_t count) const {
      return {static_cast<char*>(m.data_ptr()) + from * m.stride(0) * element_size(t), count, m.size(1), m.stride(0),
              1};
    }
    void multiply(const Tensor& to, kernels::ConstMatrix a, kernels::ConstMatrix b) const {
      kernels::gemm(t, {to.data_ptr(), a.rows, b.cols, b.cols, 1}, a, b, 1, any ? 1 : 0);
    }
    /// The hidden states before the rows [first, last). Where all steps have as many rows they are rows of y too, but
    /// for those of the first step.
    kernels::ConstMatrix states_before(int64_t first, int64_t last) const {
      const int64_t batch = l.h0.sizes[0], from = first + (of.reverse ? batch : -batch), count = last - first;
      if (of.batch_sizes.front() == of.batch_sizes.back() && from >= 0 && from + count <= y.size(0))
        return rows(y, from, count);
      kernels::rnn_states_before(l, view_of(y), first, last, view_of(before));
      return rows(before, 0, count);
    }

    /// What the rows [first, last) add, whose gates' gradients are in dx and dhw.
    void add(int64_t first, int64_t last) {
      const int64_t count = last - first;
      const kernels::ConstMatrix x = rows(dx, 0, count), hw = rows(dhw, 0, count), ones{one.data_ptr(), 1, count, 0, 0};
      if (s.wants(0)) {
        const kernels::ConstMatrix to = rows(out[0], first, count);
        kernels::gemm(t, {const_cast<void*>(to.data), to.rows, to.cols, to.row_stride, 1}, x,
                      {w_ih.data_ptr(), w_ih.size(0), w_ih.size(1), w_ih.stride(0), w_ih.stride(1)});
      }
      if (s.wants(1)) multiply(out[1], x.transposed(), rows(input, first, count));
      if (s.wants(2)) multiply(out[2], hw.transposed(), states_before(first, last));
      if (s.wants(3)) multiply(out[3], ones, x);
      if (s.wants(4) && (of.cell == RnnCell::Gru || !s.wants(3))) multiply(out[4], ones, hw);
      any = true;
    }
  };
};

/// One layer and direction.
LayerResult run_layer(RnnCell cell, bool reverse, const std::vector<int64_t>& batch_sizes, const Tensor& input,
                      const Weights& w, const Tensor& h0, const Tensor& c0, bool alone = false) {
  const ScalarType t = input.scalar_type();
  if (w.w_hr.defined() || w.b_ih.defined() != w.b_hh.defined() || (t != kFloat && t != kDouble))
    return plain_layer(cell, reverse, batch_sizes, input, w, h0, c0);
  const Tensor* const in[] = {&input, &w.w_ih, &w.w_hh, &w.b_ih, &w.b_hh, &h0, &c0};
  if (any_batched(in, 7)) return plain_layer(cell, reverse, batch_sizes, input, w, h0, c0);
  auto r = apply(RecurrentLayer{cell, reverse, w.b_ih.defined(), should_record(in, 7), batch_sizes, alone}, input,
                 w.w_ih, w.w_hh, w.b_ih, w.b_hh, h0, c0);
  return {r[0], r[1], r[2]};
}

// ---- arguments

void check_weights(RnnCell cell, const Weights& w, int64_t features, int64_t hidden, int64_t state, ScalarType dtype) {
  const char* op = name_of(cell);
  const int64_t rows = kernels::rnn_gates(cell) * hidden;
  const auto shape = [&](const Tensor& t, const char* what, IntArrayRef sizes) {
    check_defined(t, op, what);
    check<TypeError>(t.scalar_type() == dtype, op, ": mat1 and mat2 must have the same dtype: input is ", dtype, ", ",
                     what, " ", t.scalar_type(), ". Convert the input or the parameters with .to()");
    check(t.sizes() == sizes, op, ": ", what, " must have shape ", sizes, ", got ", t.sizes());
  };
  shape(w.w_ih, "w_ih", {rows, features});
  shape(w.w_hh, "w_hh", {rows, state});
  if (w.b_ih.defined()) shape(w.b_ih, "b_ih", {rows});
  if (w.b_hh.defined()) shape(w.b_hh, "b_hh", {rows});
  if (w.w_hr.defined()) shape(w.w_hr, "w_hr", {state, hidden});
}

void check_state(RnnCell cell, const Tensor& h, const char* what, IntArrayRef leading, ScalarType dtype) {
  const char* op = name_of(cell);
  check_defined(h, op, what);
  check<TypeError>(h.scalar_type() == dtype, op, ": ", what, " must have the dtype of the input (", dtype, "), got ",
                   h.scalar_type());
  check(h.dim() == static_cast<int64_t>(leading.size()) + 1, op, ": ", what, " must have ", leading.size() + 1,
        " dimensions, got ", h.sizes());
  for (size_t d = 0; d < leading.size(); ++d)
    check(h.size(static_cast<int64_t>(d)) == leading[d], op, ": Expected ", what, " size ", leading,
          " and the hidden size, got ", h.sizes());
}

/// Plain cells take whole numbers too, as far as their ops do.
void check_float(RnnCell cell, const Tensor& x, const char* op) {
  check<TypeError>(x.is_floating_point() || cell == RnnCell::Tanh || cell == RnnCell::Relu, op,
                   ": expected a floating point input, got ", x.scalar_type(), ". Convert it: x.to(taut::kFloat)");
}

/// All layers and directions. data: [steps of all sequences, features].
LayerResult run_network(RnnCell cell, Tensor data, const std::vector<int64_t>& batch_sizes, const Tensor& h0,
                        const Tensor& c0, TensorList params, bool has_biases, int64_t num_layers, double dropout_p,
                        bool train, bool bidirectional) {
  const char* op = name_of(cell);
  check<ValueError>(num_layers > 0, op, ": num_layers must be greater than zero, got ", num_layers);
  check<ValueError>(num_layers <= INT32_MAX, op, ": num_layers of ", num_layers, " is too large");
  check<ValueError>(dropout_p >= 0 && dropout_p <= 1, op, ": dropout probability has to be between 0 and 1, but got ",
                    dropout_p);
  const bool has_cell = cell == RnnCell::Lstm;
  const int64_t directions = bidirectional ? 2 : 1, batch = batch_sizes.empty() ? 0 : batch_sizes[0];
  const ScalarType dtype = data.scalar_type();
  check_float(cell, data, op);
  check_state(cell, h0, "hx[0]", {num_layers * directions, batch}, dtype);
  if (has_cell) check_state(cell, c0, "hx[1]", {num_layers * directions, batch}, dtype);
  const int64_t state = h0.size(2), hidden = has_cell ? c0.size(2) : state;
  const bool projected = has_cell && state != hidden;
  const size_t each = (has_biases ? 4 : 2) + (projected ? 1 : 0);
  check(params.size() == each * static_cast<size_t>(num_layers * directions), op, ": expected ", each,
        " parameters for each of ", num_layers * directions, " layers and directions, got ", params.size());
  std::vector<Tensor> h_last, c_last;
  for (int64_t l = 0; l < num_layers; ++l) {
    if (l > 0 && dropout_p > 0 && train) data = dropout(data, dropout_p, true);
    std::vector<Tensor> ys;
    for (int64_t d = 0; d < directions; ++d) {
      const int64_t k = l * directions + d;
      size_t at = each * static_cast<size_t>(k);
      Weights w{params[at], params[at + 1], {}, {}, {}};
      at += 2;
      if (has_biases) w.b_ih = params[at], w.b_hh = params[at + 1], at += 2;
      if (projected) w.w_hr = params[at];
      check_weights(cell, w, data.size(1), hidden, state, dtype);
      const LayerResult r =
          run_layer(cell, d == 1, batch_sizes, data, w, h0.select(0, k), has_cell ? c0.select(0, k) : Tensor());
      ys.push_back(r.y);
      h_last.push_back(r.h);
      if (has_cell) c_last.push_back(r.c);
    }
    data = directions == 1 ? ys[0] : cat(ys, 1);
  }
  const auto all = [](std::vector<Tensor>& v) {
    return v.size() == 1 ? unsafe_view(v[0], {1, v[0].size(0), v[0].size(1)}, "StackBackward0") : stack(v);
  };
  return {data, all(h_last), has_cell ? all(c_last) : Tensor()};
}

/// Under autocast a layer computes in the short dtype, but for GRU: in that of its input.
class Casts {
 public:
  Casts(RnnCell cell, const Tensor& input) : as_input_(cell == RnnCell::Gru), dtype_(input.scalar_type()) {}
  Tensor operator()(const Tensor& t) const {
    if (!as_input_) return as_short(t);
    return t.defined() && t.is_floating_point() ? t.to(dtype_) : t;
  }
  std::vector<Tensor> operator()(TensorList list) const {
    std::vector<Tensor> all;
    for (const Tensor& t : list) all.push_back((*this)(t));
    return all;
  }

 private:
  bool as_input_;
  ScalarType dtype_;
};

LayerResult run_padded(RnnCell cell, const Tensor& input, const Tensor& h0, const Tensor& c0, TensorList params,
                       bool has_biases, int64_t num_layers, double dropout_p, bool train, bool bidirectional,
                       bool batch_first) {
  const char* op = name_of(cell);
  check_defined(input, op);
  if (casts_now()) {
    const Casts cast(cell, input);
    AUTOCAST(run_padded, cell, cast(input), cast(h0), cast(c0), cast(params), has_biases, num_layers, dropout_p, train,
             bidirectional, batch_first);
  }
  check(input.dim() == 3, op, ": input must have 3 dimensions, [steps, batch, features]",
        batch_first ? " (batch first with batch_first)" : "", ", got ", input.sizes());
  const Tensor x = batch_first ? input.transpose(0, 1) : input;
  const int64_t steps = x.size(0), batch = x.size(1);
  check(steps > 0, op, ": Expected sequence length to be larger than 0 in RNN, got ", input.sizes());
  LayerResult r =
      run_network(cell, x.reshape({steps * batch, x.size(2)}), std::vector<int64_t>(static_cast<size_t>(steps), batch),
                  h0, c0, params, has_biases, num_layers, dropout_p, train, bidirectional);
  const bool fused = cell == RnnCell::Lstm && r.y.scalar_type() == kFloat;  // by oneDNN in PyTorch
  r.y = unsafe_view(r.y, {steps, batch, r.y.size(1)},
                    bidirectional ? "CatBackward0"
                    : fused       ? "MkldnnRnnLayerBackward0"
                                  : "StackBackward0");
  if (batch_first) r.y = own_result(r.y.transpose(0, 1), input);
  return r;
}

/// batch_sizes as numbers, checked: positive and never increasing.
std::vector<int64_t> sizes_from(const Tensor& batch_sizes, const Tensor& data, const char* op) {
  check_defined(data, op, "data");
  check_defined(batch_sizes, op, "batch_sizes");
  check<TypeError>(batch_sizes.scalar_type() == kLong && batch_sizes.dim() == 1, op,
                   ": batch_sizes must be a 1-D tensor of int64, got ", batch_sizes.scalar_type(), " ",
                   batch_sizes.sizes());
  const Tensor dense = batch_sizes.contiguous();
  const int64_t* p = dense.data_ptr<int64_t>();
  const std::vector<int64_t> sizes(p, p + dense.numel());
  check<ValueError>(!sizes.empty(), op, ": batch_sizes must not be empty");
  for (size_t i = 0; i < sizes.size(); ++i)
    check<ValueError>(sizes[i] > 0 && (i == 0 || sizes[i] <= sizes[i - 1]), op,
                      ": batch_sizes must be positive and never increase, got ", sizes[i], " at step ", i);
  const int64_t total = std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
  check<ValueError>(data.dim() >= 1 && data.size(0) == total, op, ": data must have one row for each of the ", total,
                    " steps that batch_sizes counts, got ", data.sizes());
  return sizes;
}

LayerResult run_packed(RnnCell cell, const Tensor& data, const Tensor& batch_sizes, const Tensor& h0, const Tensor& c0,
                       TensorList params, bool has_biases, int64_t num_layers, double dropout_p, bool train,
                       bool bidirectional) {
  const std::vector<int64_t> sizes = sizes_from(batch_sizes, data, name_of(cell));
  if (casts_now()) {
    const Casts cast(cell, data);
    AUTOCAST(run_packed, cell, cast(data), batch_sizes, cast(h0), cast(c0), cast(params), has_biases, num_layers,
             dropout_p, train, bidirectional);
  }
  check(data.dim() == 2, name_of(cell), ": packed data must have 2 dimensions, got ", data.sizes());
  return run_network(cell, data, sizes, h0, c0, params, has_biases, num_layers, dropout_p, train, bidirectional);
}

LayerResult run_cell(RnnCell cell, const Tensor& input, const Tensor& h, const Tensor& c, const Tensor& w_ih,
                     const Tensor& w_hh, OptionalTensor b_ih, OptionalTensor b_hh) {
  const char* op = name_of(cell);
  check_defined(input, op);
  if (casts_now()) {  // the states of an LSTM's cell stay in the dtype of the input, as a GRU's
    const Casts cast(cell == RnnCell::Lstm ? RnnCell::Gru : cell, input);
    AUTOCAST(run_cell, cell, cast(input), cast(h), cast(c), cast(w_ih), cast(w_hh), b_ih ? cast(*b_ih) : Tensor(),
             b_hh ? cast(*b_hh) : Tensor());
  }
  check_defined(w_ih, op, "w_ih");
  check_defined(w_hh, op, "w_hh");
  check(input.dim() == 2 && w_ih.dim() == 2 && w_hh.dim() == 2, op,
        "_cell: input, w_ih and w_hh must have 2 dimensions, got ", input.sizes(), ", ", w_ih.sizes(), " and ",
        w_hh.sizes());
  check(input.size(1) == w_ih.size(1), op, "_cell: input has inconsistent input_size: got ", input.size(1),
        " expected ", w_ih.size(1));
  const bool has_cell = cell == RnnCell::Lstm;
  const int64_t hidden = w_hh.size(1);
  for (const auto& [state, what] : {std::pair{&h, "hidden0"}, std::pair{&c, "hidden1"}}) {
    if (state == &c && !has_cell) continue;
    check_defined(*state, op, what);
    check(state->dim() == 2, op, "_cell: ", what, " must have 2 dimensions, got ", state->sizes());
    check(state->size(0) == input.size(0), op, "_cell: Input batch size ", input.size(0), " doesn't match ", what,
          " batch size ", state->size(0));
    check(state->size(1) == hidden, op, "_cell: ", what, " has inconsistent hidden_size: got ", state->size(1),
          ", expected ", hidden);
    check<TypeError>(state->scalar_type() == input.scalar_type(), op, "_cell: ", what, " is ", state->scalar_type(),
                     " but the input is ", input.scalar_type());
  }
  check_float(cell, input, op);
  Weights w{w_ih, w_hh, b_ih ? *b_ih : Tensor(), b_hh ? *b_hh : Tensor(), {}};
  check_weights(cell, w, input.size(1), hidden, hidden, input.scalar_type());
  return run_layer(cell, false, {input.size(0)}, input, w, h, c, true);
}

std::pair<Tensor, Tensor> two_states(TensorList hx, const char* op) {
  check<ValueError>(hx.size() == 2, op, ": lstm expects two hidden states (h_0, c_0), got ", hx.size());
  return {hx[0], hx[1]};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases,
                                        int64_t num_layers, double dropout, bool train, bool bidirectional,
                                        bool batch_first) {
  const auto [h, c] = two_states(hx, "lstm");
  LayerResult r = run_padded(RnnCell::Lstm, input, h, c, params, has_biases, num_layers, dropout, train, bidirectional,
                             batch_first);
  return {r.y, r.h, r.c};
}
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params,
                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                        bool bidirectional) {
  const auto [h, c] = two_states(hx, "lstm");
  LayerResult r =
      run_packed(RnnCell::Lstm, data, batch_sizes, h, c, params, has_biases, num_layers, dropout, train, bidirectional);
  return {r.y, r.h, r.c};
}
#define TAUT_RNN(name, cell)                                                                                          \
  std::tuple<Tensor, Tensor> name(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,          \
                                  int64_t num_layers, double dropout, bool train, bool bidirectional,                 \
                                  bool batch_first) {                                                                 \
    LayerResult r =                                                                                                   \
        run_padded(cell, input, hx, {}, params, has_biases, num_layers, dropout, train, bidirectional, batch_first);  \
    return {r.y, r.h};                                                                                                \
  }                                                                                                                   \
  std::tuple<Tensor, Tensor> name(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params, \
                                  bool has_biases, int64_t num_layers, double dropout, bool train,                    \
                                  bool bidirectional) {                                                               \
    LayerResult r =                                                                                                   \
        run_packed(cell, data, batch_sizes, hx, {}, params, has_biases, num_layers, dropout, train, bidirectional);   \
    return {r.y, r.h};                                                                                                \
  }                                                                                                                   \
  Tensor name##_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,                   \
                     OptionalTensor b_ih, OptionalTensor b_hh) {                                                      \
    return run_cell(cell, input, hx, {}, w_ih, w_hh, b_ih, b_hh).h;                                                   \
  }
TAUT_RNN(gru, RnnCell::Gru)
TAUT_RNN(rnn_tanh, RnnCell::Tanh)
TAUT_RNN(rnn_relu, RnnCell::Relu)
#undef TAUT_RNN

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     OptionalTensor b_ih, OptionalTensor b_hh) {
  const auto [h, c] = two_states(hx, "lstm_cell");
  LayerResult r = run_cell(RnnCell::Lstm, input, h, c, w_ih, w_hh, b_ih, b_hh);
  return {r.h, r.c};
}

std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first) {
  const char* op = "pack_padded_sequence";
  check_defined(input, op);
  check_defined(lengths, op, "lengths");
  check<TypeError>(lengths.scalar_type() == kLong && lengths.dim() == 1, op,
                   ": 'lengths' argument should be a 1D CPU int64 tensor, but got ", lengths.dim(), "D ",
                   lengths.scalar_type(), " tensor");
  check(input.dim() >= 2, op, ": input must have at least 2 dimensions, steps and batch, got ", input.sizes());
  check(input.numel() > 0, op, ": Cannot pack empty tensors, got ", input.sizes());
  const Tensor x = batch_first ? input.transpose(0, 1) : input, dense = lengths.contiguous();
  const int64_t batch = x.size(1), steps = x.size(0);
  check<ValueError>(dense.numel() == batch, op, ": Expected `len(lengths)` to be equal to batch_size, but got ",
                    dense.numel(), " (batch_size=", batch, ")");
  const int64_t* n = dense.data_ptr<int64_t>();
  for (int64_t i = 0; i < batch; ++i) {
    check<ValueError>(n[i] > 0, op,
                      ": Length of all samples has to be greater than 0, but found an element in "
                      "'lengths' that is <= 0: ",
                      n[i]);
    check<ValueError>(n[i] <= steps, op, ": a length of ", n[i], " is beyond the ", steps, " steps of the input ",
                      input.sizes());
    check<ValueError>(i == 0 || n[i] <= n[i - 1], op,
                      ": `lengths` array must be sorted in decreasing order when `enforce_sorted` is True. Pass "
                      "enforce_sorted=false, got ",
                      n[i - 1], " before ", n[i]);
  }
  Tensor sizes = make({n[0]}, kLong, op);
  std::vector<Tensor> parts;
  int64_t rows = batch, begin = 0;
  for (int64_t t = 0; t < n[0]; ++t) {
    int64_t count = rows;
    while (n[count - 1] <= t) --count;
    if (count != rows) {  // steps [begin, t) have the same sequences: one block
      parts.push_back(x.narrow(0, begin, t - begin).narrow(1, 0, rows).flatten(0, 1));
      rows = count, begin = t;
    }
    sizes.data_ptr<int64_t>()[t] = count;
  }
  parts.push_back(x.narrow(0, begin, n[0] - begin).narrow(1, 0, rows).flatten(0, 1));
  return {cat(parts), sizes};
}

std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, int64_t total_length) {
  const char* op = "pad_packed_sequence";
  const std::vector<int64_t> sizes = sizes_from(batch_sizes, data, op);
  const int64_t batch = sizes[0], longest = static_cast<int64_t>(sizes.size());
  check<ValueError>(total_length <= 0 || total_length >= longest, op,
                    ": Expected total_length to be at least the length of the longest sequence in input, but got "
                    "total_length=",
                    total_length, " and max sequence length being ", longest);
  const int64_t steps = total_length > 0 ? total_length : longest;
  Tensor lengths = make({batch}, kLong, op);
  Dims shape(data.sizes());
  shape[0] = batch;
  shape.insert(0, steps);
  checked_numel(shape, op);
  // For every place of the padded tensor the row of data it shows; places without one get the padding afterwards.
  const Tensor rows = zeros({steps * batch}, kLong);
  Tensor missing = ones({steps, batch}, kBool);
  int64_t row = 0;
  for (size_t t = 0; t < sizes.size(); ++t)
    for (int64_t b = 0; b < sizes[t]; ++b, ++row) {
      const int64_t at = static_cast<int64_t>(t) * batch + b;
      rows.data_ptr<int64_t>()[at] = row, missing.data_ptr<bool>()[at] = false;
      lengths.data_ptr<int64_t>()[b] = static_cast<int64_t>(t) + 1;
    }
  for (int64_t d = 1; d < data.dim(); ++d) missing = missing.unsqueeze(-1);
  Tensor y = data.index_select(0, rows).view(shape).masked_fill(missing, padding_value);
  if (batch_first) y = own_result(y.transpose(0, 1), data);
  return {y, lengths};
}

Tensor pad_sequence(TensorList sequences, bool batch_first, double padding_value, std::string_view padding_side) {
  const char* op = "pad_sequence";
  check<ValueError>(!sequences.empty(), op, ": received an empty list of sequences");
  check<ValueError>(padding_side == "left" || padding_side == "right", op,
                    ": Expected padding_side to be one of left or right, but got ", padding_side, ".");
  int64_t longest = 0;
  for (const Tensor& s : sequences) {
    check_defined(s, op, "sequence");
    check(s.dim() >= 1, op, ": a sequence must have at least 1 dimension, got a number");
    check(s.dim() == sequences[0].dim() && s.sizes().slice(1, s.sizes().size() - 1) ==
                                               sequences[0].sizes().slice(1, sequences[0].sizes().size() - 1),
          op, ": all sequences must agree in every size but the first, got ", sequences[0].sizes(), " and ", s.sizes());
    longest = std::max(longest, s.size(0));
  }
  std::vector<Tensor> padded;
  for (const Tensor& s : sequences) {
    std::vector<int64_t> ends(static_cast<size_t>(2 * s.dim()), 0);
    ends[ends.size() - (padding_side == "left" ? 2 : 1)] = longest - s.size(0);
    padded.push_back(s.size(0) == longest ? s : pad(s, ends, "constant", padding_value));
  }
  return stack(padded, batch_first ? 0 : 1);
}

// The rows of a plain recurrent layer.
#define RNN_ROWS(kind)                                                                                                 \
  doc("A recurrent network with " #kind ": all outputs, and the last states.",                                         \
      op("rnn_" #kind                                                                                                  \
         ".input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool "      \
         "train, "                                                                                                     \
         "bool bidirectional, bool batch_first) -> (Tensor, Tensor)",                                                  \
         "t(3, 2, 2), t(1, 2, 3), [t(3, 2), t(3, 3), t(3), t(3)], True, 1, 0.0, False, False, False\n"                 \
         "t(2, 3, 2), t(2, 2, 1), [t(1, 2), t(1, 1), t(1, 2), t(1, 1)], False, 1, 0.0, False, True, True\n"            \
         "t(2, 1, 1), t(2, 1, 2), [t(2, 1), t(2, 2), t(2), t(2), t(2, 2), t(2, 2), t(2), t(2)], True, 2, 0.0, False, " \
         "False, False\n"                                                                                              \
         "t(2, 0, 2), t(1, 0, 3), [t(3, 2), t(3, 3), t(3), t(3)], True, 1, 0.0, False, False, False",                  \
         [](const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, int64_t num_layers,             \
            double dropout, bool train, bool bidirectional, bool batch_first) {                                        \
           return rnn_##kind(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first);   \
         })),                                                                                                          \
      op("rnn_" #kind                                                                                                  \
         ".data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "        \
         "float dropout, "                                                                                             \
         "bool train, bool bidirectional) -> (Tensor, Tensor)",                                                        \
         "t(5, 2), c([3, 1, 1]), t(2, 3, 1), [t(1, 2), t(1, 1), t(1), t(1), t(1, 2), t(1, 1), t(1), t(1)], True, 1, "  \
         "0.0, "                                                                                                       \
         "False, True\n"                                                                                               \
         "t(3, 1), c([2, 1]), t(1, 2, 2), [t(2, 1), t(2, 2)], False, 1, 0.0, False, False",                            \
         [](const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params, bool has_biases,       \
            int64_t num_layers, double dropout, bool train, bool bidirectional) {                                      \
           return rnn_##kind(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional);    \
         }),                                                                                                           \
      doc("One step of a recurrent network with " #kind ".",                                                           \
          op<rnn_##kind##_cell>("rnn_" #kind                                                                           \
                                "_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? " \
                                "b_hh=None) -> Tensor",                                                                \
                                "t(2, 2), t(2, 3), t(3, 2), t(3, 3), t(3), t(3)\n"                                     \
                                "t(2, 2), t(2, 1), t(1, 2), t(1, 1)"))

extern const OpEntry rnn_ops[];
extern const size_t rnn_ops_count;

const OpEntry rnn_ops[] = {
    RNN_ROWS(tanh),
    RNN_ROWS(relu),
    doc("A network of long short-term memory: all outputs, and the last states.",
        op("lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, "
           "bool "
           "train, "
           "bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)",
           "t(3, 2, 2), [t(1, 2, 3), t(1, 2, 3)], [t(12, 2), t(12, 3), t(12), t(12)], True, 1, 0.0, False, False, "
           "False\n"
           "t(2, 3, 2), [t(2, 2, 1), t(2, 2, 1)], [t(4, 2), t(4, 1), t(4, 2), t(4, 1)], False, 1, 0.0, False, True, "
           "True\n"
           "t(2, 1, 1), [t(2, 1, 2), t(2, 1, 2)], [t(8, 1), t(8, 2), t(8), t(8), t(8, 2), t(8, 2), t(8), t(8)], True, "
           "2, "
           "0.0, False, False, False\n"
           "t(2, 0, 2), [t(1, 0, 3), t(1, 0, 3)], [t(12, 2), t(12, 3), t(12), t(12)], True, 1, 0.0, False, False, "
           "False\n"
           "t(2, 2, 2), [t(1, 2, 1), t(1, 2, 2)], [t(8, 2), t(8, 1), t(8), t(8), t(1, 2)], True, 1, 0.0, False, False, "
           "False",
           [](const Tensor& input, TensorList hx, TensorList params, bool has_biases, int64_t num_layers,
              double dropout, bool train, bool bidirectional, bool batch_first) {
             return lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first);
           })),
    op("lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, "
       "float dropout, "
       "bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)",
       "t(5, 2), c([3, 1, 1]), [t(2, 3, 1), t(2, 3, 1)], [t(4, 2), t(4, 1), t(4), t(4), t(4, 2), t(4, 1), t(4), t(4)], "
       "True, 1, 0.0, False, True\n"
       "t(3, 1), c([2, 1]), [t(1, 2, 2), t(1, 2, 2)], [t(8, 1), t(8, 2)], False, 1, 0.0, False, False",
       [](const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params, bool has_biases,
          int64_t num_layers, double dropout, bool train, bool bidirectional) {
         return lstm(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional);
       }),
    doc("One step of long short-term memory.",
        op<lstm_cell>("lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
                      "b_hh=None) -> (Tensor, Tensor)",
                      "t(2, 2), [t(2, 3), t(2, 3)], t(12, 2), t(12, 3), t(12), t(12)\n"
                      "t(2, 2), [t(2, 1), t(2, 1)], t(4, 2), t(4, 1)")),
    doc("A network of gated recurrent units: all outputs, and the last states.",
        op("gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool "
           "train, "
           "bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
           "t(3, 2, 2), t(1, 2, 3), [t(9, 2), t(9, 3), t(9), t(9)], True, 1, 0.0, False, False, False\n"
           "t(2, 3, 2), t(2, 2, 1), [t(3, 2), t(3, 1), t(3, 2), t(3, 1)], False, 1, 0.0, False, True, True\n"
           "t(2, 1, 1), t(2, 1, 2), [t(6, 1), t(6, 2), t(6), t(6), t(6, 2), t(6, 2), t(6), t(6)], True, 2, 0.0, False, "
           "False, False\n"
           "t(2, 0, 2), t(1, 0, 3), [t(9, 2), t(9, 3), t(9), t(9)], True, 1, 0.0, False, False, False",
           [](const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, int64_t num_layers,
              double dropout, bool train, bool bidirectional, bool batch_first) {
             return gru(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first);
           })),
    op("gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float "
       "dropout, "
       "bool train, bool bidirectional) -> (Tensor, Tensor)",
       "t(5, 2), c([3, 1, 1]), t(2, 3, 1), [t(3, 2), t(3, 1), t(3), t(3), t(3, 2), t(3, 1), t(3), t(3)], True, 1, 0.0, "
       "False, True\n"
       "t(3, 1), c([2, 1]), t(1, 2, 2), [t(6, 1), t(6, 2)], False, 1, 0.0, False, False",
       [](const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params, bool has_biases,
          int64_t num_layers, double dropout, bool train, bool bidirectional) {
         return gru(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional);
       }),
    doc("One step of a gated recurrent unit.", op<gru_cell>("gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor "
                                                            "w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor",
                                                            "t(2, 2), t(2, 3), t(9, 2), t(9, 3), t(9), t(9)\n"
                                                            "t(2, 2), t(2, 1), t(3, 2), t(3, 1)")),
    doc("Sequences without their padding, step by step, and how many have each step.",
        op<_pack_padded_sequence>(
            "_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)",
            "t(4, 3, 2), c([4, 2, 2]), False\nt(3, 4), c([4, 3, 1]), True\nt(2, 1, 2), c([2]), False")),
    doc("Packed sequences with padding again, and their lengths.",
        op<_pad_packed_sequence>("_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar "
                                 "padding_value, int total_length) -> (Tensor, Tensor)",
                                 "t(6, 2), c([3, 2, 1]), False, 0.0, 0\nt(4), c([2, 1, 1]), True, 1.5, 5")),
    doc("Sequences of unequal length side by side, filled up.",
        op<pad_sequence>("pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0.0, str "
                         "padding_side='right') -> Tensor",
                         "[t(2, 2), t(3, 2)]\n[t(2), t(1), t(3)], True, 1.5, 'left'\n[t(2, 1)], True")),
};
const size_t rnn_ops_count = std::size(rnn_ops);

}  // namespace taut
