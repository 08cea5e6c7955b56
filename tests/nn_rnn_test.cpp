// Recurrent layers and cells as PyTorch's: every option, unbatched and packed inputs, clones, wrong arguments.
#include <cmath>

#include "support/module_case.h"

namespace taut::test {
namespace {

namespace rnn = nn::utils::rnn;
using nn::GRUOptions, nn::LSTMOptions, nn::RNNOptions;
using State = std::tuple<Tensor, Tensor>;

// The same in Python: packed, run, padded again.
#define PACKED(lengths, sorted)                                                               \
  "(lambda o: (torch.nn.utils.rnn.pad_packed_sequence(o[0])[0], o[1]))(m(torch.nn.utils.rnn." \
  "pack_padded_sequence(x[0], torch.tensor(" lengths "), enforce_sorted=" sorted ")))"
#define PACKED_WITH_STATE(lengths, state)                                                     \
  "(lambda o: (torch.nn.utils.rnn.pad_packed_sequence(o[0])[0], o[1]))(m(torch.nn.utils.rnn." \
  "pack_padded_sequence(x[0], torch.tensor(" lengths "), enforce_sorted=False), " state "))"

template <class M, class... H>
auto packed(M& m, const Tensor& x, const Tensor& lengths, bool sorted, const H&... hx) {
  auto [y, state] = m->forward_with_packed_input(rnn::pack_padded_sequence(x, lengths, false, sorted), hx...);
  return std::make_tuple(std::get<0>(rnn::pad_packed_sequence(y)), state);
}

const std::vector<ModuleCase> kCases = {
    CASE("nn.RNN(3, 4)", "t(5, 2, 3)", nn::RNN(3, 4)),
    CASE("nn.RNN(3, 4)", "t(5, 3)", nn::RNN(3, 4)),
    CASE("nn.RNN(3, 4, nonlinearity='relu')", "t(5, 2, 3)", nn::RNN(RNNOptions(3, 4).nonlinearity(kReLU))),
    CASE("nn.RNN(3, 4, num_layers=2, bias=False)", "t(5, 2, 3)", nn::RNN(RNNOptions(3, 4).num_layers(2).bias(false))),
    CASE("nn.RNN(3, 4, batch_first=True, bidirectional=True)", "t(2, 5, 3)",
         nn::RNN(RNNOptions(3, 4).batch_first(true).bidirectional(true))),
    CASE("nn.RNN(3, 20, num_layers=2, dropout=0.5)", "t(4, 3, 3)",
         nn::RNN(RNNOptions(3, 20).num_layers(2).dropout(0.5))),
    CASE_CALL("nn.RNN(3, 4)", "m(x[0], x[1])", "t(5, 2, 3), t(1, 2, 4)", nn::RNN(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
    CASE_CALL("nn.RNN(3, 4)", "m(x[0], x[1])", "t(5, 3), t(1, 4)", nn::RNN(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
    CASE_CALL("nn.RNN(3, 4, bidirectional=True)", PACKED("[4, 3, 1]", "True"), "t(5, 3, 3)",
              nn::RNN(RNNOptions(3, 4).bidirectional(true)),
              [](auto& m, const Tensors& x) {
                return packed(m, x[0], tensor({4, 3, 1}), true);
              }),
    CASE("nn.LSTM(3, 4)", "t(5, 2, 3)", nn::LSTM(3, 4)),
    CASE("nn.LSTM(3, 4)", "t(5, 3)", nn::LSTM(3, 4)),
    CASE("nn.LSTM(3, 4, batch_first=True)", "t(5, 3)", nn::LSTM(LSTMOptions(3, 4).batch_first(true))),
    CASE("nn.LSTM(3, 4, num_layers=3)", "t(5, 2, 3)", nn::LSTM(LSTMOptions(3, 4).num_layers(3))),
    CASE("nn.LSTM(3, 4, bias=False, batch_first=True)", "t(2, 5, 3)",
         nn::LSTM(LSTMOptions(3, 4).bias(false).batch_first(true))),
    CASE("nn.LSTM(3, 4, num_layers=2, bidirectional=True)", "t(5, 2, 3)",
         nn::LSTM(LSTMOptions(3, 4).num_layers(2).bidirectional(true))),
    CASE("nn.LSTM(3, 4, num_layers=2, dropout=0.5)", "t(5, 2, 3)",
         nn::LSTM(LSTMOptions(3, 4).num_layers(2).dropout(0.5))),
    CASE("nn.LSTM(3, 4, num_layers=2, dropout=0.5).eval()", "t(5, 2, 3)",
         in_eval_mode(nn::LSTM(LSTMOptions(3, 4).num_layers(2).dropout(0.5)))),
    CASE("nn.LSTM(3, 4, proj_size=2)", "t(5, 2, 3)", nn::LSTM(LSTMOptions(3, 4).proj_size(2))),
    CASE("nn.LSTM(3, 4, num_layers=2, bidirectional=True, proj_size=2, bias=False)", "t(5, 2, 3)",
         nn::LSTM(LSTMOptions(3, 4).num_layers(2).bidirectional(true).proj_size(2).bias(false))),
    CASE("nn.LSTM(5, 40)", "t(7, 9, 5)", nn::LSTM(5, 40)),
    CASE("nn.LSTM(3, 4)", "t(5, 0, 3)", nn::LSTM(3, 4)),
    CASE_CALL("nn.LSTM(3, 4)", "m(x[0], (x[1], x[2]))", "t(5, 2, 3), t(1, 2, 4), t(1, 2, 4)", nn::LSTM(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], State(x[1], x[2])); }),
    CASE_CALL("nn.LSTM(3, 4)", "m(x[0], (x[1], x[2]))", "t(5, 3), t(1, 4), t(1, 4)", nn::LSTM(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], State(x[1], x[2])); }),
    CASE_CALL("nn.LSTM(3, 4, proj_size=2)", "m(x[0], (x[1], x[2]))", "t(5, 2, 3), t(1, 2, 2), t(1, 2, 4)",
              nn::LSTM(LSTMOptions(3, 4).proj_size(2)),
              [](auto& m, const Tensors& x) { return m(x[0], State(x[1], x[2])); }),
    CASE_CALL("nn.LSTM(3, 4)", PACKED("[5, 3, 3, 1]", "True"), "t(5, 4, 3)", nn::LSTM(3, 4),
              [](auto& m, const Tensors& x) {
                return packed(m, x[0], tensor({5, 3, 3, 1}), true);
              }),
    CASE_CALL("nn.LSTM(3, 4, num_layers=2, bidirectional=True)", PACKED("[1, 5, 3]", "False"), "t(5, 3, 3)",
              nn::LSTM(LSTMOptions(3, 4).num_layers(2).bidirectional(true)),
              [](auto& m, const Tensors& x) { return packed(m, x[0], tensor({1, 5, 3}), false); }),
    CASE_CALL("nn.LSTM(3, 4)", PACKED_WITH_STATE("[1, 5, 3]", "(x[1], x[2])"), "t(5, 3, 3), t(1, 3, 4), t(1, 3, 4)",
              nn::LSTM(3, 4),
              [](auto& m,
                 const Tensors&
                     x) { return packed(m, x[0], tensor({1, 5, 3}), false, std::optional<State>(State(x[1], x[2]))); }),
    CASE_CALL("nn.LSTM(3, 4, bidirectional=True, proj_size=2)", PACKED("[2, 4]", "False"), "t(5, 2, 3)",
              nn::LSTM(LSTMOptions(3, 4).bidirectional(true).proj_size(2)),
              [](auto& m, const Tensors& x) { return packed(m, x[0], tensor({2, 4}), false); }),
    CASE("nn.GRU(3, 4)", "t(5, 2, 3)", nn::GRU(3, 4)),
    CASE("nn.GRU(3, 4)", "t(5, 3)", nn::GRU(3, 4)),
    CASE("nn.GRU(3, 4, num_layers=2, bias=False, batch_first=True, bidirectional=True)", "t(2, 5, 3)",
         nn::GRU(GRUOptions(3, 4).num_layers(2).bias(false).batch_first(true).bidirectional(true))),
    CASE("nn.GRU(3, 4, num_layers=3, dropout=0.25)", "t(5, 2, 3)",
         nn::GRU(GRUOptions(3, 4).num_layers(3).dropout(0.25))),
    CASE("nn.GRU(5, 40)", "t(7, 9, 5)", nn::GRU(5, 40)),
    CASE_CALL("nn.GRU(3, 4)", "m(x[0], x[1])", "t(5, 2, 3), t(1, 2, 4)", nn::GRU(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
    CASE_CALL("nn.GRU(3, 4, bidirectional=True)", PACKED_WITH_STATE("[1, 5, 3]", "x[1]"), "t(5, 3, 3), t(2, 3, 4)",
              nn::GRU(GRUOptions(3, 4).bidirectional(true)),
              [](auto& m, const Tensors& x) { return packed(m, x[0], tensor({1, 5, 3}), false, x[1]); }),
    CASE("nn.RNNCell(3, 4)", "t(2, 3)", nn::RNNCell(3, 4)),
    CASE("nn.RNNCell(3, 4)", "t(3)", nn::RNNCell(3, 4)),
    CASE("nn.RNNCell(3, 4, bias=False, nonlinearity='relu')", "t(2, 3)",
         nn::RNNCell(nn::RNNCellOptions(3, 4).bias(false).nonlinearity(kReLU))),
    CASE_CALL("nn.RNNCell(3, 4)", "m(x[0], x[1])", "t(2, 3), t(2, 4)", nn::RNNCell(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
    CASE("nn.LSTMCell(3, 4)", "t(2, 3)", nn::LSTMCell(3, 4)),
    CASE("nn.LSTMCell(3, 4)", "t(3)", nn::LSTMCell(3, 4)),
    CASE("nn.LSTMCell(3, 4, bias=False)", "t(2, 3)", nn::LSTMCell(nn::LSTMCellOptions(3, 4).bias(false))),
    CASE_CALL("nn.LSTMCell(3, 4)", "m(x[0], (x[1], x[2]))", "t(2, 3), t(2, 4), t(2, 4)", nn::LSTMCell(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], State(x[1], x[2])); }),
    CASE_CALL("nn.LSTMCell(3, 4)", "m(x[0], (x[1], x[2]))", "t(3), t(4), t(4)", nn::LSTMCell(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], State(x[1], x[2])); }),
    CASE("nn.GRUCell(3, 4)", "t(2, 3)", nn::GRUCell(3, 4)),
    CASE("nn.GRUCell(3, 4, bias=False)", "t(3)", nn::GRUCell(nn::GRUCellOptions(3, 4).bias(false))),
    CASE_CALL("nn.GRUCell(3, 4)", "m(x[0], x[1])", "t(2, 3), t(2, 4)", nn::GRUCell(3, 4),
              [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
};

// ---- what golden data cannot say

TEST(Recurrent, PackingAndPaddingGiveBackWhatWasPacked) {
  const Tensor x = randn({5, 3, 2}), lengths = tensor({2, 5, 1});
  const rnn::PackedSequence p = rnn::pack_padded_sequence(x, lengths, false, false);
  EXPECT_EQ(p.data().sizes(), IntArrayRef({8, 2}));
  EXPECT_TRUE(equal(p.batch_sizes(), tensor({3, 2, 1, 1, 1})));
  EXPECT_TRUE(equal(p.sorted_indices(), tensor({1, 0, 2})));
  EXPECT_TRUE(equal(p.unsorted_indices(), tensor({1, 0, 2})));
  const auto [padded, back] = rnn::pad_packed_sequence(p, false, -1, 7);
  EXPECT_TRUE(equal(back, lengths));
  EXPECT_EQ(padded.sizes(), IntArrayRef({7, 3, 2}));
  const std::vector<Tensor> parts = rnn::unpad_sequence(padded, back), again = rnn::unpack_sequence(p);
  for (int64_t b = 0; b < 3; ++b) {
    const int64_t n = lengths[b].item<int64_t>();
    const auto i = static_cast<size_t>(b);
    EXPECT_TRUE(equal(parts[i], x.select(1, b).narrow(0, 0, n)));
    EXPECT_TRUE(equal(again[i], parts[i]));
    EXPECT_TRUE((padded.select(1, b).narrow(0, n, 7 - n) == -1).all().item<bool>());
  }
  EXPECT_TRUE(equal(rnn::pack_sequence(parts, false).data(), p.data()));
  EXPECT_EQ(p.to(kDouble).data().scalar_type(), kDouble);
  const Tensor left = rnn::pad_sequence(parts, true, 9, "left");
  EXPECT_EQ(left.sizes(), IntArrayRef({3, 5, 2}));
  EXPECT_TRUE((left[2].narrow(0, 0, 4) == 9).all().item<bool>());
}

TEST(Recurrent, StepsOfACellAreThoseOfALayer) {
  nn::LSTM lstm(3, 4);
  nn::LSTMCell cell(3, 4);
  const auto p = lstm->all_weights();
  {
    NoGradGuard no_grad;
    cell->weight_ih.copy_(p[0]), cell->weight_hh.copy_(p[1]), cell->bias_ih.copy_(p[2]), cell->bias_hh.copy_(p[3]);
  }
  const Tensor x = randn({6, 2, 3});
  const auto [y, state] = lstm(x);
  State s(zeros({2, 4}), zeros({2, 4}));
  for (int64_t t = 0; t < 6; ++t) {
    s = cell(x[t], s);
    EXPECT_TRUE(std::get<0>(s).allclose(y[t], 1e-5, 1e-6));
  }
  EXPECT_TRUE(std::get<1>(s).allclose(std::get<1>(state)[0], 1e-5, 1e-6));
}

/// Over sizes that exercise tiles: several panels, rows in blocks, both ways to share out the work.
TEST(Recurrent, LayersOfAnySizeHaveTheGradientsOfTheirSteps) {
  struct Size {
    int64_t steps, batch, hidden;
  };
  for (const Size& s : {Size{3, 1, 1}, Size{4, 9, 33}, Size{2, 40, 70}, Size{3, 17, 300}, Size{2, 3, 520}}) {
    SCOPED_TRACE(str(s.steps, " steps, ", s.batch, " sequences, ", s.hidden, " units"));
    manual_seed(3);
    nn::GRU gru(5, s.hidden);
    gru->to(kDouble);
    const auto p = gru->all_weights();
    const Tensor x = randn({s.steps, s.batch, 5}, kDouble).requires_grad_();
    Tensor h = randn({s.batch, s.hidden}, kDouble).requires_grad_();
    std::vector<Tensor> all = {x, h};
    all.insert(all.end(), p.begin(), p.end());
    const auto [y, last] = gru(x, h.unsqueeze(0));
    const Tensor g = randn(y.sizes(), kDouble), gl = randn(last.sizes(), kDouble);
    const Tensors got = autograd::grad({y, last}, all, {g, gl});
    std::vector<Tensor> steps;
    for (int64_t t = 0; t < s.steps; ++t) {
      const auto i = linear(x[t], p[0], p[2]).chunk(3, 1), u = linear(h, p[1], p[3]).chunk(3, 1);
      const Tensor r = (i[0] + u[0]).sigmoid(), z = (i[1] + u[1]).sigmoid(), n = (i[2] + r * u[2]).tanh();
      h = (1 - z) * n + z * h;
      steps.push_back(h);
    }
    const Tensors want = autograd::grad({stack(steps), h.unsqueeze(0)}, all, {g, gl});
    EXPECT_TRUE(stack(steps).allclose(y, 1e-9, 1e-11));
    for (size_t i = 0; i < want.size(); ++i) EXPECT_TRUE(got[i].allclose(want[i], 1e-8, 1e-10)) << "input " << i;
  }
}

/// Backward multiplies the gates of some steps at a time; with create_graph it takes the way of public ops.
TEST(Recurrent, ManyStepsOfSequencesOfAnyLengthHaveTheGradientsOfPlainOps) {
  manual_seed(5);
  const Tensor x = randn({40, 23, 6}, kDouble).requires_grad_();
  const auto check = [&](auto layer, int64_t shorter) {
    layer->to(kDouble);
    std::vector<int64_t> lengths;
    for (int64_t i = 0; i < 23; ++i) lengths.push_back(40 - i / 2 * shorter);
    const auto packed = nn::utils::rnn::pack_padded_sequence(x, from_vector(lengths));
    const Tensor y = std::get<0>(layer->forward_with_packed_input(packed)).data();
    Tensors all = layer->all_weights();
    all.push_back(x);
    const Tensor g = randn(y.sizes(), kDouble);
    const Tensors got = autograd::grad({y}, all, {g}, true), want = autograd::grad({y}, all, {g}, true, true);
    for (size_t i = 0; i < want.size(); ++i) EXPECT_TRUE(got[i].allclose(want[i], 1e-8, 1e-10)) << "input " << i;
  };
  for (int64_t shorter : {0, 2}) {
    check(nn::LSTM(LSTMOptions(6, 7).bidirectional(true)), shorter);
    check(nn::GRU(GRUOptions(6, 7).bidirectional(true)), shorter);
    check(nn::RNN(RNNOptions(6, 7).bidirectional(true)), shorter);
  }
}

TEST(Recurrent, TheSameBitsForAnyNumberOfThreads) {
  const int before = get_num_threads();
  for (const auto& [batch, hidden] : {std::pair<int64_t, int64_t>{30, 50}, {2, 400}}) {
    manual_seed(4);
    nn::LSTM lstm(LSTMOptions(8, hidden).bidirectional(true));
    const Tensor x = randn({6, batch, 8});
    Tensors first;
    for (int threads : {1, 2, 5}) {
      set_num_threads(threads);
      lstm->zero_grad();
      const Tensor y = std::get<0>(lstm(x));
      y.sum().backward();
      Tensors all = {y};
      for (const Tensor& p : lstm->parameters()) all.push_back(p.grad());
      if (first.empty()) first = all;
      for (size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(equal(all[i], first[i])) << threads << " threads, " << i;
    }
  }
  set_num_threads(before);
}

TEST(Recurrent, CanBeDifferentiatedTwice) {
  manual_seed(5);
  nn::LSTM lstm(LSTMOptions(2, 3).bidirectional(true));
  lstm->to(kDouble);
  const Tensor lengths = tensor({3, 1});
  const auto f = [&](const Tensors& in) {
    auto [y, s] = lstm->forward_with_packed_input(rnn::pack_padded_sequence(in[0], lengths),
                                                  std::optional<State>(State(in[1], in[2])));
    return Tensors{y.data(), std::get<0>(s), std::get<1>(s)};
  };
  const Tensors x = {randn({3, 2, 2}, kDouble).requires_grad_(), randn({2, 2, 3}, kDouble).requires_grad_(),
                     randn({2, 2, 3}, kDouble).requires_grad_()};
  EXPECT_TRUE(autograd::gradcheck(f, x));
  EXPECT_TRUE(autograd::gradgradcheck(f, x));
}

TEST(Recurrent, ClonesHaveWeightsOfTheirOwn) {
  nn::LSTM a(LSTMOptions(3, 4).num_layers(2));
  const nn::LSTM b(std::dynamic_pointer_cast<nn::LSTMImpl>(a->clone()));
  const Tensor x = randn({2, 1, 3});
  EXPECT_TRUE(equal(std::get<0>(a(x)), std::get<0>(nn::LSTM(b)(x))));
  {
    NoGradGuard no_grad;
    for (const Tensor& p : a->parameters()) p.zero_();
  }
  EXPECT_EQ(std::get<0>(a(x)).abs().sum().item<float>(), 0);
  EXPECT_NE(std::get<0>(nn::LSTM(b)(x)).abs().sum().item<float>(), 0);
}

TEST(Recurrent, ConvertedModulesComputeInTheirDtype) {
  nn::GRU gru(3, 4);
  gru->to(kDouble);
  EXPECT_EQ(std::get<0>(gru(randn({2, 1, 3}, kDouble))).scalar_type(), kDouble);
  gru->to(kBFloat16);
  EXPECT_EQ(std::get<0>(gru(randn({2, 1, 3}).to(kBFloat16))).scalar_type(), kBFloat16);
}

template <class F>
void bad(const char* part, F f) {
  try {
    f();
    ADD_FAILURE() << "no exception, expected one about: " << part;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(Recurrent, SayWhatIsWrong) {
  bad("hidden_size must be greater", [] { nn::LSTM(3, -4); });
  bad("input_size must be greater", [] { nn::GRU(0, 4); });
  bad("num_layers must be greater", [] { nn::RNN(RNNOptions(3, 4).num_layers(0)); });
  bad("range [0, 1]", [] { nn::LSTM(LSTMOptions(3, 4).num_layers(2).dropout(1.5)); });
  bad("range [0, 1]", [] { nn::LSTM(LSTMOptions(3, 4).num_layers(2).dropout(std::nan(""))); });
  bad("smaller than hidden_size", [] { nn::LSTM(LSTMOptions(3, 4).proj_size(4)); });
  bad("proj_size should be", [] { nn::LSTM(LSTMOptions(3, 4).proj_size(-1)); });
  bad("Unknown nonlinearity", [] { nn::RNN(RNNOptions(3, 4).nonlinearity(kGELU)); });
  bad("Unknown nonlinearity", [] { nn::RNNCell(nn::RNNCellOptions(3, 4).nonlinearity(kGELU)); });
  bad("negative", [] { nn::GRUCell(3, -1); });

  nn::LSTM lstm(3, 4);
  nn::GRU gru(3, 4);
  nn::GRUCell cell(3, 4);
  const Tensor x = ones({5, 2, 3});
  bad("2D or 3D", [&] { lstm(ones({3})); });
  bad("2D or 3D", [&] { lstm(ones({1, 1, 1, 3})); });
  bad("undefined", [&] { lstm(Tensor()); });
  bad("Expected 3, got 5", [&] { lstm(ones({5, 2, 5})); });
  bad("dtype", [&] { lstm(x.to(kDouble)); });
  bad("larger than 0", [&] { lstm(ones({0, 2, 3})); });
  bad("hidden[0] size (1, 2, 4)", [&] { lstm(x, State(ones({1, 2, 5}), ones({1, 2, 4}))); });
  bad("hidden[1] size (1, 2, 4)", [&] { lstm(x, State(ones({1, 2, 4}), ones({1, 3, 4}))); });
  bad("should also be 3-D", [&] { lstm(x, State(ones({2, 4}), ones({2, 4}))); });
  bad("should also be 2-D", [&] { lstm(ones({5, 3}), State(ones({1, 1, 4}), ones({1, 1, 4}))); });
  bad("state is undefined", [&] { lstm(x, State(ones({1, 2, 4}), Tensor())); });
  bad("should also be 3-D", [&] { gru(x, ones({1, 4})); });
  bad("hidden size (1, 2, 4)", [&] { gru(x, ones({2, 2, 4})); });
  bad("1D or 2D", [&] { cell(x); });
  bad("inconsistent input_size", [&] { cell(ones({2, 5})); });
  bad("batch size", [&] { cell(ones({2, 3}), ones({3, 4})); });
  bad("inconsistent hidden_size", [&] { cell(ones({2, 3}), ones({2, 5})); });
  bad("hidden0 must have 2 dimensions", [&] { cell(ones({2, 3}), ones({4})); });

  const std::vector<Tensor> p = gru->all_weights();
  const std::vector<Tensor> few(p.begin(), p.begin() + 3);
  const Tensor h = zeros({1, 2, 4});
  bad("two hidden states", [&] { taut::lstm(x, {h}, lstm->all_weights(), true, 1, 0, false, false, false); });
  bad("expected 4 parameters", [&] { taut::gru(x, h, few, true, 1, 0, false, false, false); });
  bad("parameters", [&] { taut::gru(x, zeros({2, 2, 4}), p, true, 2, 0, false, false, false); });
  bad("w_ih must have shape", [&] { taut::gru(ones({5, 2, 7}), h, p, true, 1, 0, false, false, false); });
  bad("hx[0]", [&] { taut::gru(x, zeros({1, 3, 4}), p, true, 1, 0, false, false, false); });
  bad("batch_sizes", [&] { taut::gru(ones({5, 3}), tensor({1, 2, 2}), h, p, true, 1, 0, false, false); });
  bad("batch_sizes", [&] { taut::gru(ones({5, 3}), tensor({2, 2}), h, p, true, 1, 0, false, false); });
  bad("int64", [&] { taut::gru(ones({4, 3}), tensor({2.0, 2.0}), h, p, true, 1, 0, false, false); });

  constexpr int64_t kMany = int64_t{1} << 31;  // refused at once
  bad("out of memory", [&] { nn::LSTM(LSTMOptions(1, 1).num_layers(kMany)); });
  bad("out of memory", [&] { nn::RNN(RNNOptions(1, 1).num_layers(kMany).bidirectional(true)); });

  bad("decreasing", [&] { rnn::pack_padded_sequence(x, tensor({2, 4})); });
  bad("greater than 0", [&] { rnn::pack_padded_sequence(x, tensor({4, 0})); });
  bad("beyond", [&] { rnn::pack_padded_sequence(x, tensor({6, 2})); });
  bad("batch_size", [&] { rnn::pack_padded_sequence(x, tensor({5, 2, 1})); });
  bad("batch_size", [&] { rnn::pack_padded_sequence(x, tensor({5, 2, 1}), false, false); });
  bad("empty", [&] { rnn::pack_padded_sequence(ones({0, 2, 3}), tensor({1, 1})); });
  bad("total_length", [&] { rnn::pad_packed_sequence(rnn::pack_padded_sequence(x, tensor({5, 2})), false, 0, 3); });
  bad("empty list", [&] { rnn::pad_sequence({}); });
  bad("padding_side", [&] { rnn::pad_sequence({x, x}, false, 0, "up"); });
  bad("agree", [&] { rnn::pad_sequence({ones({2, 3}), ones({2, 4})}); });
  bad("a list of their lengths", [&] { rnn::unpad_sequence(x, ones({2, 2})); });
}

}  // namespace

}  // namespace taut::test

MODULE_CASES(nn_rnn, taut::test::kCases)
