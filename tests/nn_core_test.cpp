// Module, its holders and containers.
#include <gtest/gtest.h>

#include <cmath>

#include <sstream>

#include "support/outcomes.h"
#include "taut/nn.h"
#include "taut/taut.h"

namespace taut::nn {
namespace {

struct ScaleImpl : Cloneable<ScaleImpl> {
  explicit ScaleImpl(int64_t n, double start = 1) : n(n), start(start) { reset(); }
  void reset() override {
    factor = register_parameter("factor", full({n}, start));
    count = register_buffer("count", zeros({}, kLong));
    scratch = register_buffer("scratch", zeros({n}), /*persistent=*/false);
  }
  Tensor forward(const Tensor& x) {
    count.add_(1);
    return x * factor;
  }
  int64_t n;
  double start;
  Tensor factor, count, scratch;
};
TAUT_MODULE(Scale);

struct TwoImpl : Cloneable<TwoImpl> {
  TwoImpl() { reset(); }
  void reset() override {
    a = register_module("a", Scale(2, 3.0));
    b = register_module("b", Scale(2, 5.0));
  }
  Tensor forward(const Tensor& x) { return b(a(x)); }
  Scale a{nullptr}, b{nullptr};
};
TAUT_MODULE(Two);

struct PairImpl : Module {
  std::tuple<Tensor, Tensor> forward(Tensor x, double s) { return {x, x * s}; }
};
TAUT_MODULE(Pair);

struct WithDefaultImpl : Module {
  Tensor forward(const Tensor& x, int64_t times = 2) { return x * times; }

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(int64_t{2})})
};
TAUT_MODULE(WithDefault);

template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no exception";
}
std::string text(const Module& m) {
  std::ostringstream out;
  out << m;
  return out.str();
}

/// A base class that registers in its constructor, before the module is of its own class.
template <class Derived>
struct RegistersImpl : Cloneable<Derived> {
  RegistersImpl() { this->register_buffer("count", zeros({})); }
  void reset() override {}
};
struct CounterImpl : RegistersImpl<CounterImpl> {};
TAUT_MODULE(Counter);

TEST(Module, NameIsThatOfItsFinalClass) { EXPECT_EQ(Counter()->name(), "Counter"); }

TEST(Module, NamesParametersBuffersAndModulesByTheirPath) {
  const Two two;
  EXPECT_EQ(two->named_parameters().keys(), (std::vector<std::string>{"a.factor", "b.factor"}));
  EXPECT_EQ(two->named_buffers().keys(), (std::vector<std::string>{"a.count", "a.scratch", "b.count", "b.scratch"}));
  EXPECT_EQ(two->named_modules().keys(), (std::vector<std::string>{"", "a", "b"}));
  EXPECT_EQ(two->named_modules("net").keys(), (std::vector<std::string>{"net", "net.a", "net.b"}));
  EXPECT_EQ(two->state_dict().keys(), (std::vector<std::string>{"a.factor", "a.count", "b.factor", "b.count"}));
  EXPECT_EQ(two->children().size(), 2u);
  EXPECT_EQ(two->parameters(/*recurse=*/false).size(), 0u);
}

TEST(Module, CountsASharedParameterOnce) {
  const Scale scale(2);
  Sequential net(scale, scale);
  EXPECT_EQ(net->parameters().size(), 1u);
  EXPECT_EQ(net->modules().size(), 2u);
}

TEST(Module, CloneHasItsOwnTensorsAndLeavesTheRandomStreamAlone) {
  Two two;
  two->a->factor.detach().fill_(7);
  two->b->factor.requires_grad_(false);
  two->eval();
  manual_seed(3);
  const Tensor expected = rand({2});
  manual_seed(3);
  const auto copy = std::dynamic_pointer_cast<TwoImpl>(two->clone());
  EXPECT_TRUE(rand({2}).equal(expected));
  EXPECT_TRUE(copy->a->factor.equal(two->a->factor));
  EXPECT_FALSE(copy->a->factor.is_alias_of(two->a->factor));
  EXPECT_TRUE(copy->a->factor.is_same(copy->named_parameters()["a.factor"]));
  EXPECT_FALSE(copy->b->factor.requires_grad());
  EXPECT_FALSE(copy->is_training());
  EXPECT_FALSE(copy->a->is_training());
  two->a->factor.detach().fill_(8);
  EXPECT_EQ(copy->a->factor[0].item<float>(), 7);
}

TEST(Module, CloneSaysWhatResetDoesNotRegister) {
  struct EarlyImpl : Cloneable<EarlyImpl> {
    explicit EarlyImpl(int what) {
      if (what == 0) register_parameter("p", zeros({1}));
      if (what == 1) register_buffer("b", zeros({1}));
      if (what == 2) register_module("m", Scale(1));
    }
    void reset() override {}
  };
  const char* names[] = {"parameter", "buffer", "module"};
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(message_of([&] { EarlyImpl(i).clone(); }),
              str("The cloned module does not have the same number of ", names[i],
                  "s as the original module after calling reset(). Are you sure you called register_", names[i],
                  "() inside reset() and not the constructor?"));
  EXPECT_EQ(message_of([&] { EarlyImpl(3).clone(); }), "no exception");
}

TEST(Module, ToChangesTheDtypeOfTheTensorsEveryoneHolds) {
  Two two;
  two->to(kDouble);
  EXPECT_EQ(two->a->factor.scalar_type(), kDouble);
  EXPECT_TRUE(two->a->factor.requires_grad());
  EXPECT_EQ(two->a->count.scalar_type(), kLong);
  EXPECT_NE(message_of([&] { two->to(kLong); }).find("only floating point"), std::string::npos);
  two->to(kCPU);
}

TEST(Module, GoesToNoOtherDevice) {
  Linear linear(2, 2);
  EXPECT_THROW(linear->to(kCUDA), Error);
  EXPECT_THROW(linear->to(kCUDA, kDouble), Error);
  EXPECT_EQ(linear->weight.scalar_type(), kFloat);
  linear->to(kCPU, kDouble);
  EXPECT_EQ(linear->weight.scalar_type(), kDouble);
}

TEST(Module, ZeroGradForgetsOrZeroes) {
  Scale scale(2);
  scale(ones({2})).sum().backward();
  scale->zero_grad(/*set_to_none=*/false);
  EXPECT_EQ(scale->factor.grad().sum().item<float>(), 0);
  scale->zero_grad();
  EXPECT_FALSE(scale->factor.grad().defined());
}

TEST(Module, StateDictGoesAndComesBack) {
  Two a, b;
  a->a->factor.detach().fill_(9);
  a(ones({2}));
  const IncompatibleKeys none = b->load_state_dict(a->state_dict());
  EXPECT_TRUE(none.missing_keys.empty() && none.unexpected_keys.empty());
  EXPECT_EQ(b->a->factor[1].item<float>(), 9);
  EXPECT_EQ(b->a->count.item<int64_t>(), 1);
}

TEST(Module, LoadStateDictListsEveryProblemAndChangesNothing) {
  Two two;
  OrderedDict<std::string, Tensor> state = two->state_dict();
  OrderedDict<std::string, Tensor> bad;
  bad.insert("a.factor", full({2}, 4.0));
  bad.insert("a.count", zeros({}, kLong));
  bad.insert("b.factor", zeros({3}));
  bad.insert("c", zeros({1}));
  EXPECT_EQ(
      message_of([&] { two->load_state_dict(bad); }),
      "Error(s) in loading state_dict for Two:\n\tMissing key(s) in state_dict: \"b.count\". \n\tUnexpected key(s) "
      "in state_dict: \"c\". \n\tsize mismatch for b.factor: copying a param with shape [3] from checkpoint, the "
      "shape in current model is [2].");
  EXPECT_EQ(two->a->factor[0].item<float>(), 3);
  bad.erase("b.factor");
  const IncompatibleKeys keys = two->load_state_dict(bad, /*strict=*/false);
  EXPECT_EQ(keys.missing_keys, (std::vector<std::string>{"b.factor", "b.count"}));
  EXPECT_EQ(keys.unexpected_keys, (std::vector<std::string>{"c"}));
  EXPECT_EQ(two->a->factor[0].item<float>(), 4);
}

TEST(Module, PrintsAsPyTorchDoes) {
  EXPECT_EQ(text(*Two()), "Two(\n  (a): Scale()\n  (b): Scale()\n)");
  EXPECT_EQ(text(*Sequential(Two(), Pair())),
            "Sequential(\n  (0): Two(\n    (a): Scale()\n    (b): Scale()\n  )\n  (1): Pair()\n)");
  EXPECT_EQ(text(*ModuleList(Scale(1), Scale(2), Pair())), "ModuleList(\n  (0-1): 2 x Scale()\n  (2): Pair()\n)");
  EXPECT_EQ(text(*ModuleList()), "ModuleList()");
}

TEST(Module, RequiresGradIsSetForAllAndConstModulesAreVisited) {
  Two two;
  two->requires_grad_(false);
  for (const Tensor& p : two->parameters()) EXPECT_FALSE(p.requires_grad());
  EXPECT_EQ(&two->requires_grad_(), two.get());
  for (const Tensor& p : two->parameters()) EXPECT_TRUE(p.requires_grad());
  std::vector<std::string> seen;
  std::as_const(*two).apply([&](const Module& m) { seen.push_back(m.name()); });
  EXPECT_EQ(seen, (std::vector<std::string>{"Two", "Scale", "Scale"}));
}

/// What a layer draws anew is all it has, but for what PyTorch's leaves too.
TEST(Module, ResetParametersLeavesNothingAsItWas) {
  const auto untouched = [](auto module) {
    NoGradGuard no_grad;
    for (Tensor& p : module->parameters()) p.fill_(7);
    if constexpr (requires { module->reset_parameters(); }) module->reset_parameters();
    else module->_reset_parameters();
    std::string names;
    for (const auto& p : module->named_parameters())
      if ((p.value() == 7).any().template item<bool>()) names += p.key() + ' ';
    return names;
  };
  const TransformerEncoderLayer encoder(TransformerEncoderLayerOptions(4, 2).dim_feedforward(3));
  const TransformerDecoderLayer decoder(TransformerDecoderLayerOptions(4, 2).dim_feedforward(3));
  EXPECT_EQ(untouched(encoder), "self_attn.out_proj.weight ");
  EXPECT_EQ(untouched(decoder), "self_attn.out_proj.weight multihead_attn.out_proj.weight ");
  EXPECT_EQ(untouched(TransformerEncoder(TransformerEncoderOptions(encoder, 2))),
            "layers.0.self_attn.out_proj.weight layers.1.self_attn.out_proj.weight ");
  EXPECT_EQ(untouched(TransformerDecoder(TransformerDecoderOptions(decoder, 1))),
            "layers.0.self_attn.out_proj.weight layers.0.multihead_attn.out_proj.weight ");
  EXPECT_EQ(untouched(MultiheadAttention(MultiheadAttentionOptions(4, 2).kdim(3).vdim(5).add_bias_kv(true))),
            "out_proj.weight ");
  EXPECT_EQ(untouched(AdaptiveLogSoftmaxWithLoss(
                AdaptiveLogSoftmaxWithLossOptions(4, 9, {2, 5}).div_value(2).head_bias(true))),
            "");
  EXPECT_EQ(untouched(Linear(3, 2)) + untouched(Bilinear(2, 3, 4)) + untouched(Conv1d(2, 3, 2)) +
                untouched(ConvTranspose2d(2, 3, 2)) + untouched(BatchNorm1d(2)) +
                untouched(LayerNorm(LayerNormOptions({2}))) + untouched(GroupNorm(1, 2)) + untouched(Embedding(3, 2)) +
                untouched(EmbeddingBag(3, 2)) +
                untouched(LSTM(LSTMOptions(2, 3).num_layers(2).bidirectional(true).proj_size(2))) +
                untouched(GRUCell(2, 3)),
            "");
}

TEST(Module, AsFindsTheClass) {
  const std::shared_ptr<Module> m = Two().ptr();
  EXPECT_NE(m->as<Two>(), nullptr);
  EXPECT_NE(m->as<TwoImpl>(), nullptr);
  EXPECT_EQ(m->as<Scale>(), nullptr);
}

TEST(Module, RejectsBadNamesAndTensors) {
  Two two;
  EXPECT_NE(message_of([&] { two->register_module("a", Scale(1)); }).find("Submodule 'a' already defined"),
            std::string::npos);
  EXPECT_NE(message_of([&] { two->register_module("x.y", Scale(1)); }).find("must not contain a dot"),
            std::string::npos);
  EXPECT_NE(message_of([&] { two->register_parameter("", zeros({1})); }).find("must not be empty"), std::string::npos);
  EXPECT_NE(message_of([&] { two->register_parameter("n", zeros({1}, kLong)); }).find("only floating point"),
            std::string::npos);
  const Tensor x = ones({1}, requires_grad());
  EXPECT_NE(message_of([&] { two->register_parameter("n", x * 2); }).find("result of an op"), std::string::npos);
  EXPECT_FALSE(two->register_parameter("none", {}).defined());
  Scale empty{nullptr};
  EXPECT_NE(message_of([&] { empty(x); }).find("Accessing empty ModuleHolder"), std::string::npos);
  EXPECT_NE(message_of([&] { Pair()->clone(); }).find("Cloneable"), std::string::npos);
}

TEST(Module, SaysWhichNameIsBad) {
  Pair two;
  const auto says = [](const char* words, const std::function<void()>& f) {
    EXPECT_NE(message_of(f).find(words), std::string::npos) << message_of(f);
  };
  says("Parameter name must not contain a dot (got 'a.b')", [&] { two->register_parameter("a.b", zeros({1})); });
  says("Buffer name must not be empty", [&] { two->register_buffer("", zeros({1})); });
  says("Buffer name must not contain a dot (got 'a.b')", [&] { two->register_buffer("a.b", zeros({1})); });
  says("Submodule name must not be empty", [&] { two->register_module("", Scale(1)); });
  says("submodule 'x' is empty", [&] { two->register_module("x", std::shared_ptr<ScaleImpl>()); });
  ModuleList list;
  list->push_back(Scale(1));
  list->insert(1, Scale(1));
  EXPECT_EQ(list->size(), 2u);
  says("Index out of range: 3 in a ModuleList of 2 modules", [&] { list->insert(3, Scale(1)); });
  says("Index out of range: 2 in a ModuleList of 2 modules", [&] { list->ptr(2); });
}

TEST(Functional, SaysWhatIsWrong) {
  namespace F = functional;
  const Tensor none, x = ones({2, 3}), rows = ones({4, 2}), at = zeros({2}, kLong);
  const auto says = [](const char* words, const std::function<void()>& f) {
    EXPECT_NE(message_of(f).find(words), std::string::npos) << message_of(f);
  };
  says("gumbel_softmax: expected a floating-point tensor", [&] { F::gumbel_softmax(at); });
  says("embedding: the argument 'input' is an undefined tensor", [&] { F::embedding(none, rows); });
  says("embedding: the argument 'weight' is an undefined tensor", [&] { F::embedding(at, none); });
  says("Padding_idx must be within num_embeddings",
       [&] { F::embedding(at, rows, F::EmbeddingFuncOptions().padding_idx(4)); });
  says("Padding_idx must be within num_embeddings",
       [&] { F::embedding(at, rows, F::EmbeddingFuncOptions().padding_idx(-5)); });
  says("embedding_bag: the argument 'input' is an undefined tensor", [&] { F::embedding_bag(none, rows); });
  says("input has to be 1D or 2D Tensor, but got Tensor of dimension 0", [&] { F::embedding_bag(at[0], rows); });
  says("input has to be 1D or 2D Tensor, but got Tensor of dimension 3", [&] {
    F::embedding_bag(zeros({1, 1, 1}, kLong), rows);
  });
  says("If per_sample_weights (taut::Size([3]))",
       [&] { F::embedding_bag(at, rows, F::EmbeddingBagFuncOptions().offsets(at).per_sample_weights(ones({3}))); });
  says("adaptive_max_pool1d: the argument 'input' is an undefined tensor",
       [&] { F::adaptive_max_pool1d(none, AdaptiveMaxPool1dOptions(2)); });
  says("adaptive_max_pool2d: expected an input of 3 or 4 dimensions, got shape [2, 3]", [&] {
    F::adaptive_max_pool2d(x, AdaptiveMaxPool2dOptions({2, 2}));
  });
  says("adaptive_avg_pool3d: expected an input of 4 or 5 dimensions, got shape [2, 3]", [&] {
    F::adaptive_avg_pool3d(x, AdaptiveAvgPool3dOptions({2, 2, 2}));
  });
  says("max_unpool2d: the input is an undefined tensor",
       [&] { F::max_unpool2d(none, at, F::MaxUnpool2dFuncOptions(2)); });
  says("max_unpool2d: expected an input of 3 or 4 dimensions, got shape [2, 3]",
       [&] { F::max_unpool2d(x, at, F::MaxUnpool2dFuncOptions(2)); });
  says("max_unpool1d: the indices are an undefined tensor",
       [&] { F::max_unpool1d(x, none, F::MaxUnpool1dFuncOptions(2)); });
  says("fractional_max_pool2d: the input is an undefined tensor",
       [&] { F::fractional_max_pool2d(none, FractionalMaxPool2dOptions(2).output_size(1)); });
  says("fractional_max_pool2d requires specifying either an output_size or an output_ratio", [] {
    F::fractional_max_pool2d(ones({1, 4, 4}), FractionalMaxPool2dOptions(2));
  });
  says("fractional_max_pool2d: expected an input of 3 or 4 dimensions, got shape [2, 3]",
       [&] { F::fractional_max_pool2d(x, FractionalMaxPool2dOptions(2).output_ratio(0.5)); });
  says("lp_pool1d: norm_type must not be 0", [] { F::lp_pool1d(ones({1, 4}), LPPool1dOptions(0, 2)); });
  says("interpolate: the argument 'input' is an undefined tensor", [&] { F::interpolate(none); });
  says("affine_grid: expected a tensor", [&] { F::affine_grid(none, {1, 1, 2, 2}); });
  says("Expected theta to have floating point type, but got int64", [] {
    F::affine_grid(zeros({1, 2, 3}, kLong), {1, 1, 2, 2});
  });
  says("BatchNorm1d: expected 2D or 3D input (got 1D", [] { BatchNorm1d(3)(ones({3})); });
  says("BatchNorm2d: expected 4D input (got 3D", [] { BatchNorm2d(3)(ones({1, 3, 2})); });
  says("InstanceNorm1d: expected 2D or 3D input (got 4D", [] { InstanceNorm1d(3)(ones({1, 3, 2, 2})); });
  says("InstanceNorm2d: expected 3D or 4D input (got 2D", [] { InstanceNorm2d(3)(ones({3, 2})); });
  says("kaiming_normal_: ", [&] { init::kaiming_normal_(x.clone(), std::nan("")); });
  says("kaiming_uniform_: ", [&] { init::kaiming_uniform_(x.clone(), INFINITY); });
  says("get_total_norm: a tensor is undefined", [&] { utils::get_total_norm({x, none}); });
  says("parameters_to_vector: a parameter is undefined", [&] { utils::parameters_to_vector({x, none}); });
  says("vector_to_parameters: the vector is undefined", [&] { utils::vector_to_parameters(none, {x}); });
  says("pack_padded_sequence: the argument 'input' is an undefined tensor",
       [&] { utils::rnn::pack_padded_sequence(none, at); });
  says("unpad_sequence: expected padded sequences with at least 2 dimensions",
       [&] { utils::rnn::unpad_sequence(ones({3}), at); });
  says("pack_sequence: a sequence must be a tensor of 1 dimension or more", [&] {
    utils::rnn::pack_sequence({x, ones({})});
  });
  EXPECT_EQ(utils::rnn::unpad_sequence(x, tensor({1, 2, 2}))[0].numel(), 1);
  says("unpad_sequence: expected a length for each of the 3 sequences, got 2",
       [&] { utils::rnn::unpad_sequence(x, at); });
}

// ---- Every setting at its bound and just beyond.

// clang-format off
TEST(Settings, OfLayersAtTheirBoundsAndBeyond) {
  using V = std::vector<int64_t>;
  const double nan = std::nan("");
  const Tensor none, f2 = ones({2}), m32 = ones({3, 2});
  Embedding three(3, 2);
  set_warning_handler([](const std::string&) {});
  test::expect_outcomes({
      OUTCOME(Linear(0, 2)), OUTCOME(Linear(2, 0)), OUTCOME(Linear(-1, 2)), OUTCOME(Linear(2, -1)),
      OUTCOME(Bilinear(1, 0, 0)), OUTCOME(Bilinear(0, 2, 2)), OUTCOME(Bilinear(1, -1, 2)), OUTCOME(Bilinear(1, 2, -1)),
      OUTCOME(Dropout(0)), OUTCOME(Dropout(1)), OUTCOME(Dropout(1.01)), OUTCOME(Dropout(-0.01)), OUTCOME(FeatureAlphaDropout(1.01)),
      OUTCOME(Dropout(nan)), OUTCOME(Dropout1d(0)), OUTCOME(Dropout1d(1)), OUTCOME(Dropout1d(1.01)), OUTCOME(Dropout1d(-0.01)), OUTCOME(Dropout1d(nan)), OUTCOME(Dropout2d(0)), OUTCOME(Dropout2d(1)), OUTCOME(Dropout2d(1.01)), OUTCOME(Dropout2d(-0.01)), OUTCOME(Dropout2d(nan)),
      OUTCOME(Dropout3d(0)), OUTCOME(Dropout3d(1)), OUTCOME(Dropout3d(1.01)), OUTCOME(Dropout3d(-0.01)), OUTCOME(Dropout3d(nan)), OUTCOME(AlphaDropout(0)), OUTCOME(AlphaDropout(1)), OUTCOME(AlphaDropout(1.01)), OUTCOME(AlphaDropout(-0.01)), OUTCOME(AlphaDropout(nan)),
      OUTCOME(FeatureAlphaDropout(0)), OUTCOME(FeatureAlphaDropout(1)), OUTCOME(FeatureAlphaDropout(-0.01)), OUTCOME(FeatureAlphaDropout(nan)),
      OUTCOME(CircularPad1d(1)(ones({2}))), OUTCOME(CircularPad1d(1)(ones({1, 2}))), OUTCOME(CircularPad1d(1)(ones({1, 1, 2}))), OUTCOME(CircularPad1d(1)(ones({1, 1, 1, 2}))), OUTCOME(CircularPad2d(1)(ones({1, 2, 2}))), OUTCOME(CircularPad2d(1)(ones({1, 1, 2, 2}))), OUTCOME(CircularPad2d(1)(ones({1, 1, 1, 2, 2}))),
      OUTCOME(CircularPad3d(1)(ones({2, 2, 2}))), OUTCOME(CircularPad3d(1)(ones({1, 2, 2, 2}))), OUTCOME(CircularPad3d(1)(ones({1, 1, 2, 2, 2}))), OUTCOME(CircularPad3d(1)(ones({1, 1, 1, 2, 2, 2}))),
      OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{})), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{0})), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{1})), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{4})), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{5})), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{1, 2})), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2, 2})), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2, 1})),
      OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2})(ones({3, 4}), tensor({0, 4, 2}))), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2})(ones({3, 4}), tensor({0, 5, 2}))), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2})(ones({3, 4}), tensor({0, -1, 2}))), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2})(ones({4}), tensor(3))), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2})(ones({3, 4}), tensor(3))), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2})(ones({3, 4}), tensor({0, 4}))), OUTCOME(AdaptiveLogSoftmaxWithLoss(4, 5, V{2})(ones({1, 4}), tensor({{3}}))),
      OUTCOME(PReLU(PReLUOptions().num_parameters(1))), OUTCOME(PReLU(PReLUOptions().num_parameters(0))),
      OUTCOME(Softmax2d()(ones({2, 2}))), OUTCOME(Softmax2d()(ones({2, 2, 2}))), OUTCOME(Softmax2d()(ones({1, 2, 2, 2}))), OUTCOME(Softmax2d()(ones({1, 1, 2, 2, 2}))), OUTCOME(Softmax2d()(none)),
      OUTCOME(Embedding(0, 2)), OUTCOME(Embedding(2, 0)), OUTCOME(Embedding(-1, 2)), OUTCOME(Embedding(2, -1)), OUTCOME(Embedding(EmbeddingOptions(3, 2).sparse(true))),
      OUTCOME(Embedding(EmbeddingOptions(3, 2).padding_idx(2))), OUTCOME(Embedding(EmbeddingOptions(3, 2).padding_idx(3))), OUTCOME(Embedding(EmbeddingOptions(3, 2).padding_idx(-3))), OUTCOME(Embedding(EmbeddingOptions(3, 2).padding_idx(-4))),
      OUTCOME(Embedding(EmbeddingOptions(3, 2)._weight(m32))), OUTCOME(Embedding(EmbeddingOptions(2, 2)._weight(m32))), OUTCOME(Embedding(EmbeddingOptions(3, 3)._weight(m32))), OUTCOME(Embedding(EmbeddingOptions(2, 2)._weight(f2))),
      OUTCOME(Embedding(EmbeddingOptions(3, 2).max_norm(0))(tensor({1}))), OUTCOME(Embedding(EmbeddingOptions(3, 2).max_norm(-0.1))(tensor({1}))),
      OUTCOME(EmbeddingBag(-1, 2)), OUTCOME(EmbeddingBag(EmbeddingBagOptions(3, 2).mode(kNone))), OUTCOME(EmbeddingBag(EmbeddingBagOptions(3, 2).mode(kSum))), OUTCOME(EmbeddingBag(EmbeddingBagOptions(3, 2).padding_idx(3))),
      OUTCOME(Embedding::from_pretrained(none)), OUTCOME(Embedding::from_pretrained(f2)), OUTCOME(Embedding::from_pretrained(m32)), OUTCOME(EmbeddingBag::from_pretrained(f2)),
      OUTCOME(BatchNorm1d(0)), OUTCOME(BatchNorm1d(-1)), OUTCOME(BatchNorm1d(BatchNorm1dOptions(2).eps(0))), OUTCOME(BatchNorm1d(BatchNorm1dOptions(2).eps(-1e-9))), OUTCOME(BatchNorm1d(BatchNorm1dOptions(2).eps(INFINITY))),
      OUTCOME(BatchNorm2d(BatchNorm2dOptions(2).momentum(INFINITY))), OUTCOME(BatchNorm2d(BatchNorm2dOptions(2).momentum(std::nullopt))), OUTCOME(BatchNorm3d(2)(ones({1, 2, 2, 2}))), OUTCOME(BatchNorm3d(2)(ones({1, 2, 2, 2, 2}))),
      OUTCOME(BatchNorm1d(2)(none)), OUTCOME(BatchNorm1d(2)(ones({2}))), OUTCOME(BatchNorm1d(2)(ones({2, 2}))), OUTCOME(BatchNorm1d(2)(ones({2, 2, 2}))), OUTCOME(BatchNorm1d(2)(ones({2, 2, 2, 2}))), OUTCOME(BatchNorm2d(2)(ones({2, 2}))),
      OUTCOME(BatchNorm1d(2)(ones({1, 2}))), OUTCOME(BatchNorm1d(2)(ones({1, 2, 1}))), OUTCOME(BatchNorm1d(2)(ones({1, 2, 2}))), OUTCOME(BatchNorm1d(2)(ones({2, 2, 1}))),
      OUTCOME(InstanceNorm1d(2)(none)), OUTCOME(InstanceNorm1d(2)(ones({2}))), OUTCOME(InstanceNorm1d(2)(ones({2, 2}))), OUTCOME(InstanceNorm1d(2)(ones({1, 2, 2}))), OUTCOME(InstanceNorm1d(2)(ones({1, 2, 2, 2}))), OUTCOME(InstanceNorm1d(2)(ones({1, 2, 1}))),
      OUTCOME(InstanceNorm1d(2)(ones({1, 3, 2}))), OUTCOME(InstanceNorm1d(InstanceNorm1dOptions(2).affine(true))(ones({1, 3, 2}))), OUTCOME(InstanceNorm1d(InstanceNorm1dOptions(2).affine(true))(ones({3, 2}))),
      OUTCOME(LayerNorm(LayerNormOptions(V{}))), OUTCOME(LayerNorm(LayerNormOptions({0}))), OUTCOME(LayerNorm(LayerNormOptions({2, -1}))), OUTCOME(LayerNorm(LayerNormOptions({2}).eps(INFINITY))), OUTCOME(LayerNorm(LayerNormOptions({2}).eps(-1))),
      OUTCOME(RMSNorm(RMSNormOptions(V{}))), OUTCOME(RMSNorm(RMSNormOptions({-1}))), OUTCOME(RMSNorm(RMSNormOptions({2}).eps(INFINITY))),
      OUTCOME(GroupNorm(1, 0)), OUTCOME(GroupNorm(1, -1)), OUTCOME(GroupNorm(0, 2)), OUTCOME(GroupNorm(2, 3)), OUTCOME(GroupNorm(GroupNormOptions(1, 2).eps(nan))),
      OUTCOME(GroupNorm(1, 1)(ones({1, 1}))), OUTCOME(GroupNorm(1, 2)(ones({1, 2}))), OUTCOME(GroupNorm(2, 2)(ones({1, 2}))), OUTCOME(GroupNorm(2, 2)(ones({2, 2}))), OUTCOME(GroupNorm(2, 2)(ones({1, 2, 2}))),
      OUTCOME(CrossMapLRN2d(1)(ones({1, 2, 2, 2}))), OUTCOME(CrossMapLRN2d(0)(ones({1, 2, 2, 2}))), OUTCOME(CrossMapLRN2d(1)(ones({2, 2, 2}))), OUTCOME(CrossMapLRN2d(1)(none)),
      OUTCOME(LocalResponseNorm(1)(ones({1, 2, 2}))), OUTCOME(LocalResponseNorm(0)(ones({1, 2, 2}))), OUTCOME(LocalResponseNorm(1)(ones({1, 2}))), OUTCOME(LocalResponseNorm(1)(none)),
      OUTCOME(ReflectionPad1d(1)(ones({2}))), OUTCOME(ReflectionPad1d(1)(ones({2, 2}))), OUTCOME(ReflectionPad1d(1)(ones({1, 2, 2}))), OUTCOME(ReflectionPad1d(1)(ones({1, 1, 2, 2}))), OUTCOME(ReplicationPad2d(1)(none)), OUTCOME(CircularPad2d(1)(ones({2, 2}))),
      OUTCOME(ZeroPad2d(1)(ones({2, 2}))), OUTCOME(ReflectionPad1d(2)(ones({2, 2}))), OUTCOME(CircularPad1d(2)(ones({2, 2}))), OUTCOME(CircularPad1d(3)(ones({2, 2}))),
      OUTCOME(MaxUnpool1d(2)(ones({1, 2}), zeros({1, 2}, kLong), V{3})), OUTCOME(MaxUnpool1d(2)(ones({1, 2}), zeros({1, 2}, kLong), V{2})), OUTCOME(MaxUnpool1d(2)(ones({1, 2}), zeros({1, 2}, kLong), V{5})), OUTCOME(MaxUnpool1d(2)(ones({1, 2}), zeros({1, 2}, kLong), V{6})),
      OUTCOME(MaxUnpool1d(2)(ones({1, 2}), zeros({1, 2}, kLong), V{1, 1, 4})), OUTCOME(MaxUnpool1d(2)(ones({1, 2}), zeros({1, 2}, kLong), V{1, 4})), OUTCOME(MaxUnpool1d(2)(ones({2}), zeros({2}, kLong))), OUTCOME(MaxUnpool1d(2)(ones({1, 2}), none)),
      OUTCOME(FractionalMaxPool2d(FractionalMaxPool2dOptions(2))), OUTCOME(FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_size(1).output_ratio(0.5))), OUTCOME(FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_ratio(0.5))),
      OUTCOME(FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_ratio(0.0))), OUTCOME(FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_ratio(1.0))), OUTCOME(FractionalMaxPool3d(FractionalMaxPool3dOptions(2).output_ratio(ExpandingArray<3, double>({0.5, 0.5, 1.0})))),
      OUTCOME(FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_size(1))(ones({2, 2}))), OUTCOME(FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_size(1))(ones({1, 2, 2}))), OUTCOME(FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_size(1))(ones({1, 1, 1, 2, 2}))),
      OUTCOME(LPPool1d(LPPool1dOptions(INFINITY, 2))(ones({1, 2}))), OUTCOME(LPPool1d(LPPool1dOptions(0, 2))(ones({1, 2}))), OUTCOME(LPPool2d(LPPool2dOptions(0, 2))(ones({1, 2, 2}))), OUTCOME(LPPool3d(LPPool3dOptions(-1, 2))(ones({1, 2, 2, 2}))), OUTCOME(LPPool2d(LPPool2dOptions(0.5, 2))(ones({1, 2, 2}))),
      OUTCOME(LPPool2d(LPPool2dOptions(INFINITY, 2))(ones({1, 2, 2}))), OUTCOME(LPPool3d(LPPool3dOptions(INFINITY, 2))(ones({1, 2, 2, 2}))), OUTCOME(LPPool3d(LPPool3dOptions(0, 2))(ones({1, 2, 2, 2}))),
      OUTCOME(AdaptiveAvgPool1d(2)(ones({2}))), OUTCOME(AdaptiveAvgPool2d(2)(ones({2, 2}))), OUTCOME(AdaptiveAvgPool2d(2)(ones({1, 2, 2}))), OUTCOME(AdaptiveMaxPool3d(2)(ones({2, 2, 2}))),
      OUTCOME(Upsample(UpsampleOptions().size(V{1}))(ones({1, 1, 2}))), OUTCOME(Upsample(UpsampleOptions().size(V{0}))(ones({1, 1, 2}))), OUTCOME(Upsample(UpsampleOptions().size(V{2}))(ones({1, 2}))), OUTCOME(Upsample(UpsampleOptions().size(V{2, 2, 2, 2}))(ones({1, 1, 2, 2, 2, 2}))),
      OUTCOME(PixelShuffle(1)(ones({1, 2, 2}))), OUTCOME(PixelShuffle(0)(ones({1, 2, 2}))), OUTCOME(PixelShuffle(1)(ones({2, 2}))), OUTCOME(PixelUnshuffle(1)(ones({1, 2, 2}))), OUTCOME(PixelUnshuffle(0)(ones({1, 2, 2}))), OUTCOME(ChannelShuffle(1)(ones({1, 2, 2}))),
      OUTCOME(ChannelShuffle(0)(ones({1, 2, 2}))), OUTCOME(CosineSimilarity(CosineSimilarityOptions().dim(2))(m32, m32)), OUTCOME(CosineSimilarity(CosineSimilarityOptions().dim(-2))(m32, m32)),
      OUTCOME(Unflatten(0, V{2, 2})(ones({4}))), OUTCOME(Unflatten(1, V{2, 2})(ones({4}))), OUTCOME(Flatten(FlattenOptions().start_dim(1))(ones({4}))), OUTCOME(Flatten(FlattenOptions().start_dim(0))(ones({4}))),
      OUTCOME(Hardtanh(HardtanhOptions().min_val(1).max_val(1))(f2)), OUTCOME(Hardtanh(HardtanhOptions().min_val(1.5).max_val(1))(f2)), OUTCOME(RReLU(RReLUOptions().lower(1).upper(0.5))(f2)), OUTCOME(GLU(0)(ones({3}))), OUTCOME(GLU(0)(ones({2}))),
      OUTCOME(Embedding(2, 0)(tensor({1}))), OUTCOME(three->forward(tensor({2}))), OUTCOME(three->forward(tensor({3}))), OUTCOME(three->forward(tensor({-1}))),
  });
  set_warning_handler({});
}

TEST(Settings, OfConvolutionsAtTheirBoundsAndBeyond) {
  using V = std::vector<int64_t>;
  const Tensor none, x = ones({1, 1, 3});
  ConvTranspose1d up(ConvTranspose1dOptions(1, 1, 2).stride(3).padding(1));
  test::expect_outcomes({
      OUTCOME(Conv1d(1, 1, 1)), OUTCOME(Conv1d(0, 1, 1)), OUTCOME(Conv1d(1, 0, 1)), OUTCOME(Conv1d(1, 1, 0)), OUTCOME(Conv2d(Conv2dOptions(1, 1, {1, 0}))), OUTCOME(Conv1d(Conv1dOptions(2, 2, 1).groups(0))),
      OUTCOME(Conv1d(Conv1dOptions(2, 2, 1).groups(2))), OUTCOME(Conv1d(Conv1dOptions(3, 2, 1).groups(2))), OUTCOME(Conv1d(Conv1dOptions(2, 3, 1).groups(2))), OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).stride(0))), OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).stride(1))),
      OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).dilation(0))), OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).padding(0))), OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).padding(-1))), OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).padding(kSame))), OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).padding(kValid).stride(2))),
      OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).padding(kSame).stride(2))), OUTCOME(Conv2d(Conv2dOptions(1, 1, 1).padding(kSame).stride({1, 2}))), OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).padding_mode(kReflect))), OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).padding_mode(kReplicate))),
      OUTCOME(Conv1d(Conv1dOptions(1, 1, 1).padding_mode(kCircular))), OUTCOME(ConvTranspose1d(ConvTranspose1dOptions(1, 1, 1).output_padding(-1))), OUTCOME(ConvTranspose1d(ConvTranspose1dOptions(1, 1, 1).padding_mode(kReflect))), OUTCOME(ConvTranspose1d(ConvTranspose1dOptions(3, 2, 1).groups(2))),
      OUTCOME(up->forward(x, V{6})), OUTCOME(up->forward(x, V{5})), OUTCOME(up->forward(x, V{8})), OUTCOME(up->forward(x, V{9})), OUTCOME(up->forward(x, V{1, 1, 6})), OUTCOME(up->forward(x, V{1, 6})), OUTCOME(up->forward(none, V{6})), OUTCOME(up->forward(ones({3}), V{6})), OUTCOME(up->forward(ones({1, 3}), V{1, 6})),
  });
}

TEST(Settings, OfRecurrentLayersAndTransformersAtTheirBoundsAndBeyond) {
  using RO = RNNOptions;
  using LO = LSTMOptions;
  using EO = TransformerEncoderLayerOptions;
  using MO = MultiheadAttentionOptions;
  const auto mha = [](MO o) { return MultiheadAttention(std::move(o)); };
  TransformerEncoderLayer layer(EO(2, 1).dim_feedforward(2));
  const double nan = std::nan("");
  const Tensor x = ones({3, 1, 2});
  test::expect_outcomes({
      OUTCOME(RNN(1, 1)), OUTCOME(RNN(0, 1)), OUTCOME(RNN(1, 0)), OUTCOME(RNN(RO(1, 1).num_layers(1))), OUTCOME(GRU(GRUOptions(1, 1).num_layers(0))), OUTCOME(LSTM(LO(1, 1).num_layers(2).dropout(0))), OUTCOME(LSTM(LO(1, 1).num_layers(2).dropout(1))),
      OUTCOME(LSTM(LO(1, 1).num_layers(2).dropout(1.01))), OUTCOME(LSTM(LO(1, 1).num_layers(2).dropout(-0.01))), OUTCOME(LSTM(LO(1, 3).proj_size(0))), OUTCOME(LSTM(LO(1, 3).proj_size(2))), OUTCOME(LSTM(LO(1, 3).proj_size(3))), OUTCOME(LSTM(LO(1, 3).proj_size(-1))),
      OUTCOME(RNN(RO(1, 1).nonlinearity(kReLU))), OUTCOME(RNN(RO(1, 1).nonlinearity(kSigmoid))), OUTCOME(RNNCell(1, 1)), OUTCOME(RNNCell(-1, 1)), OUTCOME(LSTMCell(1, -1)), OUTCOME(RNNCell(RNNCellOptions(1, 1).nonlinearity(kSigmoid))),
      OUTCOME(GRU(2, 1)(x)), OUTCOME(GRU(2, 1)(x, ones({1, 1, 1}))), OUTCOME(GRU(2, 1)(x, ones({1, 2, 1}))), OUTCOME(GRU(2, 1)(x, ones({1, 1, 2}))), OUTCOME(GRU(2, 1)(x, ones({2, 1, 1}))), OUTCOME(GRU(2, 1)(x, ones({1, 1}))), OUTCOME(GRU(2, 1)(ones({3, 2}), ones({1, 1}))),
      OUTCOME(GRU(2, 1)(ones({2}))), OUTCOME(GRU(2, 1)(ones({1, 3, 1, 2}))), OUTCOME(GRU(2, 1)(ones({3, 1, 1}))), OUTCOME(GRUCell(2, 1)(ones({2}))), OUTCOME(GRUCell(2, 1)(ones({1, 1, 2}))), OUTCOME(GRUCell(2, 1)(ones({}))), OUTCOME(GRUCell(2, 1)(Tensor())), OUTCOME(LSTMCell(2, 1)(ones({1, 1, 2}))),
      OUTCOME(mha(MO(1, 1))), OUTCOME(mha(MO(0, 1))), OUTCOME(mha(MO(1, 0))), OUTCOME(mha(MO(3, 2))), OUTCOME(mha(MO(2, 1).kdim(1))), OUTCOME(mha(MO(2, 1).kdim(0))), OUTCOME(mha(MO(2, 1).vdim(0))), OUTCOME(mha(MO(2, 1).dropout(1))), OUTCOME(mha(MO(2, 1).dropout(1.01))), OUTCOME(mha(MO(2, 1).dropout(-0.01))),
      OUTCOME(TransformerEncoderLayer(EO(1, 1))), OUTCOME(TransformerEncoderLayer(EO(0, 1))), OUTCOME(TransformerEncoderLayer(EO(1, 0))), OUTCOME(TransformerEncoderLayer(EO(3, 2))), OUTCOME(TransformerEncoderLayer(EO(2, 1).dim_feedforward(1))), OUTCOME(TransformerEncoderLayer(EO(2, 1).dim_feedforward(0))),
      OUTCOME(TransformerEncoderLayer(EO(2, 1).dropout(1))), OUTCOME(TransformerEncoderLayer(EO(2, 1).dropout(1.01))), OUTCOME(TransformerEncoderLayer(EO(2, 1).dropout(-0.01))), OUTCOME(TransformerEncoderLayer(EO(2, 1).layer_norm_eps(nan))), OUTCOME(TransformerEncoderLayer(EO(2, 1).activation(kReLU))),
      OUTCOME(TransformerDecoderLayer(TransformerDecoderLayerOptions(2, 1).dropout(1.01))), OUTCOME(Transformer(TransformerOptions(2, 1, 1, 1).dropout(1.01))), OUTCOME(Transformer(TransformerOptions(2, 1, 0, 1))), OUTCOME(Transformer(TransformerOptions(2, 1, 1, 0))), OUTCOME(Transformer(TransformerOptions(3, 2, 1, 1))),
      OUTCOME(TransformerEncoder(TransformerEncoderOptions(layer, 1))), OUTCOME(TransformerEncoder(TransformerEncoderOptions(layer, 0))), OUTCOME(TransformerEncoder(TransformerEncoderOptions(layer, 1))(ones({3, 1, 3}))),
      OUTCOME(TransformerImpl::generate_square_subsequent_mask(0)), OUTCOME(TransformerImpl::generate_square_subsequent_mask(-1)),
  });
}

TEST(Settings, OfFunctionsAtTheirBoundsAndBeyond) {
  namespace F = functional;
  using V = std::vector<int64_t>;
  using S = std::vector<double>;
  using IO = F::InterpolateFuncOptions;
  const double nan = std::nan("");
  const Tensor none, x = ones({2, 3}), y = ones({2, 3}), v = ones({3}), rows = ones({4, 2}), at = zeros({2}, kLong), image = ones({1, 1, 2, 2}), line = ones({1, 1, 2});
  const Keyword wrong = kFanIn;
  set_warning_handler([](const std::string&) {});
  test::expect_outcomes({
      OUTCOME(F::l1_loss(x, y, F::L1LossFuncOptions(wrong))), OUTCOME(F::l1_loss(x, y, F::L1LossFuncOptions(kNone))), OUTCOME(F::kl_div(x, y, F::KLDivFuncOptions(wrong))), OUTCOME(F::kl_div(x, y, F::KLDivFuncOptions(kBatchMean))), OUTCOME(F::mse_loss(x, y, F::MSELossFuncOptions(wrong))),
      OUTCOME(F::binary_cross_entropy(x, y, F::BinaryCrossEntropyFuncOptions().reduction(wrong))), OUTCOME(F::binary_cross_entropy(none, y)), OUTCOME(F::binary_cross_entropy(x, none)), OUTCOME(F::binary_cross_entropy(x, v)),
      OUTCOME(F::binary_cross_entropy_with_logits(x, y, F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(wrong))), OUTCOME(F::binary_cross_entropy_with_logits(none, y)), OUTCOME(F::binary_cross_entropy_with_logits(x, none)), OUTCOME(F::binary_cross_entropy_with_logits(x, v)),
      OUTCOME(F::hinge_embedding_loss(x, y, F::HingeEmbeddingLossFuncOptions().reduction(wrong))), OUTCOME(F::multi_margin_loss(x, at, F::MultiMarginLossFuncOptions().reduction(wrong))), OUTCOME(F::multi_margin_loss(x, at, F::MultiMarginLossFuncOptions().p(2))), OUTCOME(F::multi_margin_loss(x, at, F::MultiMarginLossFuncOptions().p(3))),
      OUTCOME(F::cosine_embedding_loss(x, y, ones({2}), F::CosineEmbeddingLossFuncOptions().reduction(wrong))), OUTCOME(F::smooth_l1_loss(x, y, F::SmoothL1LossFuncOptions().reduction(wrong))), OUTCOME(F::smooth_l1_loss(x, y, F::SmoothL1LossFuncOptions().beta(1), 1.0)), OUTCOME(F::smooth_l1_loss(x, y, F::SmoothL1LossFuncOptions(), 0.0)),
      OUTCOME(F::smooth_l1_loss(x, y, F::SmoothL1LossFuncOptions().beta(0))), OUTCOME(F::smooth_l1_loss(x, y, F::SmoothL1LossFuncOptions().beta(-0.1))), OUTCOME(F::huber_loss(x, y, F::HuberLossFuncOptions().reduction(wrong))), OUTCOME(F::huber_loss(x, y, F::HuberLossFuncOptions().delta(0))), OUTCOME(F::huber_loss(x, y, F::HuberLossFuncOptions().delta(0.1))),
      OUTCOME(F::multilabel_margin_loss(x, zeros({2, 3}, kLong), F::MultilabelMarginLossFuncOptions(wrong))), OUTCOME(F::soft_margin_loss(x, y, F::SoftMarginLossFuncOptions(wrong))), OUTCOME(F::multilabel_soft_margin_loss(x, y, F::MultilabelSoftMarginLossFuncOptions().reduction(wrong))),
      OUTCOME(F::triplet_margin_loss(x, x, y, F::TripletMarginLossFuncOptions().reduction(wrong))), OUTCOME(F::triplet_margin_loss(x, x, y, F::TripletMarginLossFuncOptions().margin(0))), OUTCOME(F::triplet_margin_loss(x, x, y, F::TripletMarginLossFuncOptions().margin(0.01))), OUTCOME(F::triplet_margin_with_distance_loss(x, x, y, F::TripletMarginWithDistanceLossFuncOptions().reduction(wrong))),
      OUTCOME(F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({5}), tensor({1}), F::CTCLossFuncOptions().reduction(wrong))), OUTCOME(F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({5}), tensor({1}), F::CTCLossFuncOptions().blank(2))), OUTCOME(F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({5}), tensor({1}), F::CTCLossFuncOptions().blank(3))),
      OUTCOME(F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({5}), tensor({1}), F::CTCLossFuncOptions().blank(-1))), OUTCOME(F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({6}), tensor({1}))), OUTCOME(F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({5}), tensor({2}))), OUTCOME(F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({0}), tensor({0}))),
      OUTCOME(F::poisson_nll_loss(x, y, F::PoissonNLLLossFuncOptions().reduction(wrong))), OUTCOME(F::gaussian_nll_loss(x, y, x, F::GaussianNLLLossFuncOptions().reduction(wrong))), OUTCOME(F::gaussian_nll_loss(x, y, x, F::GaussianNLLLossFuncOptions().eps(0))), OUTCOME(F::gaussian_nll_loss(x, y, -x)), OUTCOME(F::gaussian_nll_loss(x, y, ones({2}))),
      OUTCOME(F::margin_ranking_loss(x, y, x, F::MarginRankingLossFuncOptions().reduction(wrong))), OUTCOME(F::margin_ranking_loss(x, none, x)), OUTCOME(F::margin_ranking_loss(x, y, none)), OUTCOME(F::margin_ranking_loss(x, v, x)), OUTCOME(F::margin_ranking_loss(x, y, v)), OUTCOME(F::margin_ranking_loss(none, y, x)),
      OUTCOME(F::nll_loss(x, at, F::NLLLossFuncOptions().reduction(wrong))), OUTCOME(F::nll_loss(x, at, F::NLLLossFuncOptions().weight(ones({2})))), OUTCOME(F::cross_entropy(x, at, F::CrossEntropyFuncOptions().reduction(wrong))), OUTCOME(F::cross_entropy(x, at, F::CrossEntropyFuncOptions().weight(ones({2})))),
      OUTCOME(F::cross_entropy(x, at, F::CrossEntropyFuncOptions().label_smoothing(1))), OUTCOME(F::cross_entropy(x, at, F::CrossEntropyFuncOptions().label_smoothing(1.01))), OUTCOME(F::cross_entropy(x, at, F::CrossEntropyFuncOptions().label_smoothing(-0.01))),
      OUTCOME(F::hardtanh(x, F::HardtanhFuncOptions().min_val(2))), OUTCOME(F::gumbel_softmax(x, F::GumbelSoftmaxFuncOptions().tau(1e-3))), OUTCOME(F::gumbel_softmax(x, F::GumbelSoftmaxFuncOptions().tau(0))), OUTCOME(F::gumbel_softmax(x, F::GumbelSoftmaxFuncOptions().tau(INFINITY))), OUTCOME(F::gumbel_softmax(none)),
      OUTCOME(F::embedding(at, v)), OUTCOME(F::embedding(at, rows, F::EmbeddingFuncOptions().padding_idx(3))), OUTCOME(F::embedding(at, rows, F::EmbeddingFuncOptions().padding_idx(-4))), OUTCOME(F::embedding_bag(at, rows, F::EmbeddingBagFuncOptions().mode(wrong).offsets(tensor({0})))),
      OUTCOME(F::embedding_bag(tensor({{1}}), rows, F::EmbeddingBagFuncOptions().offsets(tensor({0})))), OUTCOME(F::embedding_bag(at, rows)), OUTCOME(F::embedding_bag(at, none)), OUTCOME(F::embedding_bag(at, rows, F::EmbeddingBagFuncOptions().offsets(tensor({0})).mode(kMax).sparse(true))), OUTCOME(F::embedding_bag(at, rows, F::EmbeddingBagFuncOptions().offsets(tensor({0})).max_norm(-1))),
      OUTCOME(F::embedding_bag(at, rows, F::EmbeddingBagFuncOptions().offsets(tensor({0})).mode(kMean).per_sample_weights(ones({2})))), OUTCOME(F::embedding_bag(at, rows, F::EmbeddingBagFuncOptions().offsets(tensor({0})).mode(kSum).per_sample_weights(ones({2})))),
      OUTCOME(F::batch_norm(none, v, v)), OUTCOME(F::batch_norm(v, v, v)), OUTCOME(F::batch_norm(x, v, v)), OUTCOME(F::batch_norm(x, ones({2}), v)), OUTCOME(F::batch_norm(x, v, ones({2}))), OUTCOME(F::batch_norm(x, v, v, F::BatchNormFuncOptions().weight(ones({2})))), OUTCOME(F::batch_norm(x, v, v, F::BatchNormFuncOptions().bias(ones({2})))),
      OUTCOME(F::batch_norm(x, v, v, F::BatchNormFuncOptions().bias(ones({3, 1})))), OUTCOME(F::batch_norm(x, v, none)), OUTCOME(F::batch_norm(x, none, none)), OUTCOME(F::batch_norm(x, v, v, F::BatchNormFuncOptions().eps(nan))), OUTCOME(F::batch_norm(x, v, v, F::BatchNormFuncOptions().momentum(nan))), OUTCOME(F::batch_norm(x, v, v, F::BatchNormFuncOptions().weight(v.to(kDouble)))),
      OUTCOME(F::batch_norm(x, v, v, F::BatchNormFuncOptions().bias(v.to(kDouble)))), OUTCOME(F::batch_norm(x, v.to(kDouble), v)), OUTCOME(F::batch_norm(x, v, v.to(kDouble))), OUTCOME(F::batch_norm(ones({1, 3, 2}), none, none, F::BatchNormFuncOptions().training(true))), OUTCOME(F::batch_norm(ones({2, 3, 2}), none, none, F::BatchNormFuncOptions().training(true))), OUTCOME(F::batch_norm(ones({1, 3}), none, none, F::BatchNormFuncOptions().training(true))),
      OUTCOME(F::instance_norm(none)), OUTCOME(F::instance_norm(v)), OUTCOME(F::instance_norm(x)), OUTCOME(F::instance_norm(ones({1, 3, 2}))), OUTCOME(F::instance_norm(ones({1, 3, 1}))), OUTCOME(F::instance_norm(ones({1, 3, 1, 2}))), OUTCOME(F::instance_norm(ones({1, 3, 2}), F::InstanceNormFuncOptions().weight(ones({2})))), OUTCOME(F::instance_norm(ones({1, 3, 2}), F::InstanceNormFuncOptions().bias(ones({2})))),
      OUTCOME(F::instance_norm(ones({1, 3, 2}), F::InstanceNormFuncOptions().use_input_stats(false))), OUTCOME(F::layer_norm(x, F::LayerNormFuncOptions({3}))), OUTCOME(F::layer_norm(x, F::LayerNormFuncOptions({2}))), OUTCOME(F::layer_norm(x, F::LayerNormFuncOptions({2, 3, 1}))), OUTCOME(F::layer_norm(x, F::LayerNormFuncOptions({3}).bias(ones({2})))), OUTCOME(F::layer_norm(x, F::LayerNormFuncOptions({3}).weight(ones({2})))),
      OUTCOME(F::rms_norm(x, F::RMSNormFuncOptions({2}))), OUTCOME(F::rms_norm(x, F::RMSNormFuncOptions({3}).weight(ones({2})))), OUTCOME(F::rms_norm(x, F::RMSNormFuncOptions({3}).eps(nan))), OUTCOME(F::group_norm(none, F::GroupNormFuncOptions(1))), OUTCOME(F::group_norm(x, F::GroupNormFuncOptions(0))), OUTCOME(F::group_norm(x, F::GroupNormFuncOptions(2))),
      OUTCOME(F::group_norm(x, F::GroupNormFuncOptions(3))), OUTCOME(F::group_norm(x, F::GroupNormFuncOptions(1).weight(ones({2})))), OUTCOME(F::group_norm(x, F::GroupNormFuncOptions(1).bias(ones({2})))), OUTCOME(F::local_response_norm(x, F::LocalResponseNormFuncOptions(1))), OUTCOME(F::normalize(x, F::NormalizeFuncOptions().dim(2))), OUTCOME(F::normalize(x, F::NormalizeFuncOptions().dim(-2))),
      OUTCOME(F::pad(x, F::PadFuncOptions({1, 1}).mode(wrong))), OUTCOME(F::pad(x, F::PadFuncOptions({1, 1}).mode(kReflect).value(1))), OUTCOME(F::pad(x, F::PadFuncOptions({1, 1}).mode(kCircular).value(1))), OUTCOME(F::pad(x, F::PadFuncOptions({1, 1}).mode(kReplicate))), OUTCOME(F::pad(x, F::PadFuncOptions({2, 2}).mode(kReflect))), OUTCOME(F::pad(x, F::PadFuncOptions({3, 0}).mode(kReflect))), OUTCOME(F::pad(x, F::PadFuncOptions({3, 0}).mode(kCircular))), OUTCOME(F::pad(x, F::PadFuncOptions({4, 0}).mode(kCircular))),
      OUTCOME(F::pad(x, F::PadFuncOptions({-3, 0}))), OUTCOME(F::pad(x, F::PadFuncOptions({-4, 0}))), OUTCOME(F::pad(x, F::PadFuncOptions({1, 1, 1, 1, 1, 1}))),
      OUTCOME(F::dropout(x, F::DropoutFuncOptions().p(0))), OUTCOME(F::dropout(x, F::DropoutFuncOptions().p(-0.01))),
      OUTCOME(F::dropout1d(x, F::Dropout1dFuncOptions().p(0))), OUTCOME(F::dropout1d(x, F::Dropout1dFuncOptions().p(1))), OUTCOME(F::dropout1d(x, F::Dropout1dFuncOptions().p(1.01))), OUTCOME(F::dropout1d(x, F::Dropout1dFuncOptions().p(-0.01))),
      OUTCOME(F::dropout2d(line, F::Dropout2dFuncOptions().p(0))), OUTCOME(F::dropout2d(line, F::Dropout2dFuncOptions().p(1))), OUTCOME(F::dropout2d(line, F::Dropout2dFuncOptions().p(1.01))), OUTCOME(F::dropout2d(line, F::Dropout2dFuncOptions().p(-0.01))),
      OUTCOME(F::dropout3d(image, F::Dropout3dFuncOptions().p(0))), OUTCOME(F::dropout3d(image, F::Dropout3dFuncOptions().p(1))), OUTCOME(F::dropout3d(image, F::Dropout3dFuncOptions().p(1.01))), OUTCOME(F::dropout3d(image, F::Dropout3dFuncOptions().p(-0.01))),
      OUTCOME(F::alpha_dropout(x, F::AlphaDropoutFuncOptions().p(0))), OUTCOME(F::alpha_dropout(x, F::AlphaDropoutFuncOptions().p(1))), OUTCOME(F::alpha_dropout(x, F::AlphaDropoutFuncOptions().p(-0.01))),
      OUTCOME(F::feature_alpha_dropout(x, F::FeatureAlphaDropoutFuncOptions().p(0))), OUTCOME(F::feature_alpha_dropout(x, F::FeatureAlphaDropoutFuncOptions().p(1))), OUTCOME(F::feature_alpha_dropout(x, F::FeatureAlphaDropoutFuncOptions().p(1.01))), OUTCOME(F::feature_alpha_dropout(x, F::FeatureAlphaDropoutFuncOptions().p(-0.01))),
      OUTCOME(F::dropout1d(none)), OUTCOME(F::dropout2d(none)), OUTCOME(F::dropout2d(x)), OUTCOME(F::dropout2d(line)), OUTCOME(F::dropout2d(image)), OUTCOME(F::dropout3d(line)), OUTCOME(F::dropout3d(image)), OUTCOME(F::dropout3d(none)), OUTCOME(F::dropout1d(v)), OUTCOME(F::dropout1d(x)), OUTCOME(F::dropout1d(line)), OUTCOME(F::dropout1d(image)), OUTCOME(F::dropout(x, F::DropoutFuncOptions().p(1.01))), OUTCOME(F::dropout(x, F::DropoutFuncOptions().p(1))), OUTCOME(F::alpha_dropout(x, F::AlphaDropoutFuncOptions().p(1.01))),
      OUTCOME(F::interpolate(line, IO().size(V{2}).scale_factor(S{2}))), OUTCOME(F::interpolate(line, IO())), OUTCOME(F::interpolate(line, IO().size(V{2, 2}))), OUTCOME(F::interpolate(line, IO().size(V{2}).recompute_scale_factor(true))), OUTCOME(F::interpolate(line, IO().scale_factor(S{2, 2}))), OUTCOME(F::interpolate(line, IO().scale_factor(S{0.5}))), OUTCOME(F::interpolate(line, IO().scale_factor(S{0}))),
      OUTCOME(F::interpolate(line, IO().scale_factor(S{INFINITY}))), OUTCOME(F::interpolate(line, IO().scale_factor(S{1e15}))), OUTCOME(F::interpolate(x, IO().size(V{2}))), OUTCOME(F::interpolate(line, IO().size(V{2}).mode(wrong))), OUTCOME(F::interpolate(line, IO().size(V{2}).align_corners(false))), OUTCOME(F::interpolate(line, IO().size(V{2}).mode(kLinear).align_corners(true))),
      OUTCOME(F::interpolate(line, IO().size(V{2}).mode(kBilinear))), OUTCOME(F::interpolate(image, IO().size(V{2, 2}).mode(kLinear))), OUTCOME(F::interpolate(image, IO().size(V{2, 2}).mode(kTrilinear))), OUTCOME(F::interpolate(line, IO().size(V{2}).mode(kBicubic))), OUTCOME(F::interpolate(image, IO().size(V{2, 2}).mode(kBicubic).antialias(true))), OUTCOME(F::interpolate(image, IO().size(V{2, 2}).mode(kNearest).antialias(true))),
      OUTCOME(F::interpolate(line, IO().size(V{2}).mode(kArea))), OUTCOME(F::interpolate(line, IO().size(V{2}).mode(kNearestExact))), OUTCOME(F::interpolate(ones({1, 1, 2, 2, 2}), IO().size(V{2, 2, 2}).mode(kTrilinear))),
      OUTCOME(F::affine_grid(ones({1, 2, 3}), {1, 1, 1, 1})), OUTCOME(F::affine_grid(ones({1, 2, 3}), {1, 1, 1, 0})), OUTCOME(F::affine_grid(ones({1, 2, 3}), {2, 1, 1, 1})), OUTCOME(F::affine_grid(ones({2, 3}), {1, 1, 1, 1})), OUTCOME(F::affine_grid(ones({1, 3, 4}), {1, 1, 1, 1, 1})), OUTCOME(F::affine_grid(ones({1, 3, 4}), {1, 1, 1, 1})),
      OUTCOME(F::grid_sample(image, ones({1, 1, 1, 2}), F::GridSampleFuncOptions().mode(wrong))), OUTCOME(F::grid_sample(image, ones({1, 1, 1, 2}), F::GridSampleFuncOptions().padding_mode(wrong))), OUTCOME(F::grid_sample(image, ones({1, 1, 1, 2}), F::GridSampleFuncOptions().mode(kBicubic).padding_mode(kReflection))), OUTCOME(F::grid_sample(image, ones({1, 1, 1, 2}), F::GridSampleFuncOptions().mode(kNearest).padding_mode(kBorder))),
      OUTCOME(utils::clip_grad_norm_(ones({2}), 0)), OUTCOME(utils::clip_grad_norm_(ones({2}), -0.1)), OUTCOME(utils::clip_grad_value_(ones({2}), 0)), OUTCOME(utils::clip_grad_value_(ones({2}), -0.1)), OUTCOME(utils::spectral_norm(Linear(2, 2), "weight", 1)), OUTCOME(utils::spectral_norm(Linear(2, 2), "weight", 1, 0)), OUTCOME(utils::spectral_norm(Linear(2, 2), "weight", 1, -1e-9)),
      OUTCOME(utils::spectral_norm(Linear(2, 2), "weight", 1, 1e-12, 1)), OUTCOME(utils::spectral_norm(Linear(2, 2), "weight", 1, 1e-12, 2)), OUTCOME(utils::weight_norm(Linear(2, 2), "weight", 1)), OUTCOME(utils::weight_norm(Linear(2, 2), "weight", 2)), OUTCOME(utils::weight_norm(Linear(2, 2), "weight", -2)), OUTCOME(utils::weight_norm(Linear(2, 2), "weight", -3)),
      OUTCOME(utils::vector_to_parameters(ones({3}), {ones({3})})), OUTCOME(utils::vector_to_parameters(ones({2}), {ones({3})})), OUTCOME(utils::rnn::pack_padded_sequence(ones({2, 1, 1}), tensor({2}))), OUTCOME(utils::rnn::pack_padded_sequence(ones({2, 1, 1}), tensor({3}))), OUTCOME(utils::rnn::pack_padded_sequence(ones({2, 1, 1}), tensor({0}))), OUTCOME(utils::rnn::pack_padded_sequence(ones({2}), tensor({1}))),
      OUTCOME(utils::rnn::pad_packed_sequence(utils::rnn::pack_padded_sequence(ones({2, 1, 1}), tensor({2})), false, 0, 2)), OUTCOME(utils::rnn::pad_packed_sequence(utils::rnn::pack_padded_sequence(ones({2, 1, 1}), tensor({2})), false, 0, 1)),
  });
  set_warning_handler({});
}

TEST(Settings, OfInitialisersAtTheirBoundsAndBeyond) {
  using namespace init;
  const double nan = std::nan(""), inf = INFINITY;
  const Tensor none, whole = zeros({2, 2}, kLong), m = zeros({2, 2}), v = zeros({3});
  const Keyword wrong = kGELU;
  set_warning_handler([](const std::string&) {});
  test::expect_outcomes({
      OUTCOME(uniform_(none)), OUTCOME(normal_(none)), OUTCOME(constant_(none, 1)), OUTCOME(ones_(none)), OUTCOME(zeros_(none)), OUTCOME(eye_(none)), OUTCOME(dirac_(none)), OUTCOME(trunc_normal_(none)), OUTCOME(xavier_uniform_(none)), OUTCOME(xavier_normal_(none)), OUTCOME(kaiming_uniform_(none)), OUTCOME(kaiming_normal_(none)), OUTCOME(orthogonal_(none)), OUTCOME(sparse_(none, 0.5)),
      OUTCOME(uniform_(whole)), OUTCOME(normal_(whole)), OUTCOME(trunc_normal_(whole)), OUTCOME(xavier_uniform_(whole)), OUTCOME(xavier_normal_(whole)), OUTCOME(kaiming_uniform_(whole)), OUTCOME(kaiming_normal_(whole)), OUTCOME(orthogonal_(whole)), OUTCOME(sparse_(whole, 0.5)),
      OUTCOME(eye_(v)), OUTCOME(eye_(m)), OUTCOME(eye_(zeros({1, 1, 1}))), OUTCOME(dirac_(m)), OUTCOME(dirac_(zeros({1, 1, 1}))), OUTCOME(dirac_(zeros({1, 1, 1, 1, 1}))), OUTCOME(dirac_(zeros({1, 1, 1, 1, 1, 1}))), OUTCOME(dirac_(zeros({2, 1, 1}), 2)), OUTCOME(dirac_(zeros({2, 1, 1}), 3)), OUTCOME(dirac_(zeros({2, 1, 1}), 0)),
      OUTCOME(trunc_normal_(m, nan)), OUTCOME(trunc_normal_(m, 0, 0)), OUTCOME(trunc_normal_(m, 0, inf)), OUTCOME(trunc_normal_(m, 0, 1, 1, 1)), OUTCOME(trunc_normal_(m, 0, 1, -inf, 1)), OUTCOME(trunc_normal_(m, 0, 1, -1, inf)), OUTCOME(trunc_normal_(m, 0, 1, -1, nan)), OUTCOME(trunc_normal_(m, 0, 1, -1, 1)),
      OUTCOME(xavier_uniform_(v)), OUTCOME(xavier_uniform_(m, 0)), OUTCOME(xavier_uniform_(m, -0.1)), OUTCOME(xavier_uniform_(m, inf)), OUTCOME(xavier_normal_(m, -0.1)), OUTCOME(xavier_normal_(m, inf)), OUTCOME(kaiming_uniform_(v)), OUTCOME(kaiming_uniform_(m, inf)), OUTCOME(kaiming_uniform_(m, 0, wrong)), OUTCOME(kaiming_uniform_(m, 0, kFanOut)), OUTCOME(kaiming_normal_(m, 0, wrong)), OUTCOME(kaiming_normal_(m, 0, kFanIn, wrong)),
      OUTCOME(orthogonal_(v)), OUTCOME(orthogonal_(m)), OUTCOME(orthogonal_(m, inf)), OUTCOME(sparse_(v, 0.5)), OUTCOME(sparse_(zeros({1, 1, 1}), 0.5)), OUTCOME(sparse_(m, 0)), OUTCOME(sparse_(m, 1)), OUTCOME(sparse_(m, 1.01)), OUTCOME(sparse_(m, -0.01)),
      OUTCOME(calculate_gain(kLeakyReLU, inf)), OUTCOME(calculate_gain(wrong)), OUTCOME(calculate_gain(kSELU)), OUTCOME(_calculate_fan_in_and_fan_out(none)), OUTCOME(_calculate_fan_in_and_fan_out(v)), OUTCOME(_calculate_fan_in_and_fan_out(m)),
  });
  set_warning_handler({});
}
// clang-format on

TEST(Functional, ALossWarnsOfTargetsOfAnotherSize) {
  namespace F = functional;
  const Tensor x = ones({2, 3}), y = ones({3});
  std::vector<std::string> said;
  set_warning_handler([&](const std::string& text) { said.push_back(text.substr(0, text.find(". This"))); });
  F::l1_loss(x, y), F::mse_loss(x, y), F::smooth_l1_loss(x, y), F::huber_loss(x, y);
  const size_t warned = said.size();
  F::l1_loss(x, x), F::mse_loss(x, x), F::smooth_l1_loss(x, x), F::huber_loss(x, x);
  set_warning_handler({});
  EXPECT_EQ(said.size(), warned);
  std::vector<std::string> want;
  for (const char* name : {"l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss"})
    want.push_back(std::string(name) + ": Using a target size ([3]) that is different to the input size ([2, 3])");
  EXPECT_EQ(said, want);
}

/// Padding of another kind than zeros is made before; without any the convolution is the same.
TEST(Functional, ConvolutionsWithoutPaddingPadNothing) {
  const Tensor x = randn({1, 2, 5, 6});
  for (const Keyword& mode : {kReflect, kReplicate, kCircular}) {
    Conv2d conv(Conv2dOptions(2, 3, 2).padding(kValid).padding_mode(mode));
    EXPECT_TRUE(equal(conv(x), taut::conv2d(x, conv->weight, conv->bias)));
  }
}

TEST(Functional, PoolsGiveTheirIndicesToo) {
  const auto fits = [](const Tensor& x, int64_t planes_from, const Tensor& y, const std::tuple<Tensor, Tensor>& both) {
    const auto& [values, index] = both;
    EXPECT_TRUE(equal(values, y));
    EXPECT_TRUE(equal(x.flatten(planes_from).gather(-1, index.flatten(planes_from)), values.flatten(planes_from)));
  };
  const Tensor line = randn({2, 3, 9}), image = randn({2, 3, 7, 8}), solid = randn({1, 2, 5, 6, 7});
  MaxPool1d one(MaxPool1dOptions(3).stride(2).padding(1).dilation(2).ceil_mode(true));
  MaxPool3d three(MaxPool3dOptions(2).stride(1).padding(1).dilation(2).ceil_mode(true));
  AdaptiveMaxPool1d to_four(4);
  AdaptiveMaxPool3d to_cube(AdaptiveMaxPool3dOptions({2, 3, 4}));
  fits(line, 2, one->forward(line), one->forward_with_indices(line));
  fits(solid, 2, three->forward(solid), three->forward_with_indices(solid));
  fits(line, 2, to_four->forward(line), to_four->forward_with_indices(line));
  fits(solid, 2, to_cube->forward(solid), to_cube->forward_with_indices(solid));
  EXPECT_EQ(to_cube->forward(solid).sizes(), IntArrayRef({1, 2, 2, 3, 4}));
  namespace F = functional;
  const auto options = F::FractionalMaxPool3dFuncOptions(2).output_size(3)._random_samples(full({1, 2, 3}, 0.3));
  fits(solid, 2, F::fractional_max_pool3d(solid, options), F::fractional_max_pool3d_with_indices(solid, options));
}

TEST(Functional, EmbeddingLeavesTheRowOfANegativePaddingIndexWithoutGradient) {
  namespace F = functional;
  const Tensor rows = ones({4, 2}, requires_grad());
  F::embedding(tensor({0, 3, 3}), rows, F::EmbeddingFuncOptions().padding_idx(-1)).sum().backward();
  EXPECT_TRUE(equal(rows.grad().sum(1), tensor({2.0, 0.0, 0.0, 0.0})));
}

TEST(Sequential, PassesResultsOnAndNests) {
  Sequential net(Scale(2, 2.0), Sequential(Scale(2, 3.0), Functional([](Tensor x) { return x + 1; })));
  EXPECT_EQ(net->forward(ones({2}))[0].item<float>(), 7);
  EXPECT_EQ(net(ones({2}))[0].item<float>(), 7);
  EXPECT_EQ(net->size(), 2u);
  EXPECT_EQ(net->at<Scale>(0).start, 2);
  EXPECT_EQ(net->named_parameters().keys(), (std::vector<std::string>{"0.factor", "1.0.factor"}));
  const auto copy = std::dynamic_pointer_cast<SequentialImpl>(net->clone());
  EXPECT_EQ(copy->forward(ones({2}))[0].item<float>(), 7);
}

TEST(Sequential, TakesNames) {
  Sequential net({{"first", Scale(2, 2.0)}, {"second", Scale(2, 4.0)}});
  EXPECT_EQ(net->named_children().keys(), (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(net->forward(ones({2}))[1].item<float>(), 8);
}

TEST(Sequential, SaysWhichTypesDoNotFit) {
  Sequential net{Pair()};
  const auto both = net->forward<std::tuple<Tensor, Tensor>>(ones({1}), 3.0);
  EXPECT_EQ(std::get<1>(both)[0].item<float>(), 3);
  EXPECT_NE(message_of([&] { net->forward(ones({1}), 3.0); }).find("you asked for type taut::Tensor"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              net->forward<std::tuple<Tensor, Tensor>>(ones({1}), 3);
            }).find("Expected argument #1 to be of type double, but received value of type int"),
            std::string::npos);
  EXPECT_NE(message_of([&] { net->forward(ones({1})); }).find("expects 2 argument(s), but received 1"),
            std::string::npos);
  EXPECT_NE(message_of([&] { Sequential()->forward(ones({1})); }).find("empty Sequential"), std::string::npos);
  EXPECT_THROW(net->ptr(1), IndexError);
}

TEST(AnyModule, FillsInDefaultArguments) {
  AnyModule any{WithDefault()};
  EXPECT_EQ(any.forward(ones({1})).item<float>(), 2);
  EXPECT_EQ(any.forward(ones({1}), int64_t{5}).item<float>(), 5);
  EXPECT_THROW(any.get<Scale>(), TypeError);
  EXPECT_THROW(AnyModule().forward(ones({1})), Error);
}

TEST(Containers, KeepTheirMembersRegistered) {
  ModuleDict dict;
  dict->insert("x", Scale(1));
  dict->insert("y", Scale(2));
  dict->insert("x", Scale(3));
  EXPECT_EQ(dict->keys(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(dict->named_parameters()["x.factor"].numel(), 3);
  EXPECT_EQ(dict->pop("x")->parameters()[0].numel(), 3);
  EXPECT_THROW((*dict)["x"], IndexError);
  ModuleList list;
  list->push_back(Scale(1));
  list->insert(0, Scale(2));
  EXPECT_EQ(list->at<Scale>(0).n, 2);
  EXPECT_EQ(list->named_parameters().keys(), (std::vector<std::string>{"0.factor", "1.factor"}));
  ParameterList parameters(ones({2}, requires_grad()), ones({3}));
  EXPECT_EQ(parameters->size(), 2u);
  EXPECT_FALSE(parameters[1].requires_grad());
  EXPECT_EQ(
      text(*parameters),
      "ParameterList(\n    (0): Parameter containing: [float32 of size 2]\n    (1): Parameter containing: [float32 of "
      "size 3]\n)");
  ParameterDict named;
  named->insert("w", ones({2}));
  EXPECT_EQ(named["w"].numel(), 2);
  named->insert("v", ones({2, 3}, requires_grad()));
  named->insert("w", ones({4}));
  EXPECT_EQ(text(*named),
            "ParameterDict(\n    (v): Parameter containing: [float32 of size 2x3]\n    (w): Parameter containing: "
            "[float32 of size 4]\n)");
  EXPECT_EQ(named->pop("w").numel(), 4);
  EXPECT_EQ(named->keys(), (std::vector<std::string>{"v"}));
  EXPECT_EQ(text(*ParameterDict()) + text(*ParameterList()) + text(*ModuleDict()) + text(*ModuleList()),
            "ParameterDict()ParameterList()ModuleDict()ModuleList()");
}

TEST(Containers, AreClonedWithAllTheyHold) {
  const auto check_copy = [](const Module& container) {
    const auto copy = container.clone();
    EXPECT_EQ(text(*copy), text(container));
    EXPECT_EQ(copy->is_training(), container.is_training());
    const auto before = container.named_parameters(), after = copy->named_parameters();
    ASSERT_EQ(after.keys(), before.keys());
    ASSERT_FALSE(before.is_empty());
    for (const auto& p : before) {
      const Tensor& other = after[p.key()];
      EXPECT_TRUE(equal(other, p.value()) && !other.is_same(p.value()) && other.data_ptr() != p.value().data_ptr());
      EXPECT_EQ(other.requires_grad(), p.value().requires_grad());
    }
  };
  for (const bool training : {true, false}) {
    Sequential sequence(Scale(1), Scale(2));
    ModuleList list(Scale(3), Linear(2, 2));
    ModuleDict dict;
    dict->insert("b", Scale(2));
    dict->insert("a", Linear(2, 1));
    ParameterList parameters(ones({2}, requires_grad()), full({3}, 2.0));
    ParameterDict named;
    named->insert("z", ones({2}));
    named->insert("y", full({3}, 2.0, requires_grad()));
    for (Module* m : std::initializer_list<Module*>{sequence.get(), list.get(), dict.get()}) m->train(training);
    check_copy(*sequence), check_copy(*list), check_copy(*dict), check_copy(*parameters), check_copy(*named);
  }
}

TEST(Hooks, ForwardHooksSeeAndReplace) {
  Scale scale(2, 2.0);
  std::vector<std::string> order;
  const unsigned pre = scale->register_forward_pre_hook([&](Module&, const std::vector<Tensor>& in) {
    order.push_back("pre");
    return std::vector<Tensor>{in[0] + 1};
  });
  scale->register_forward_hook([&](Module& m, const std::vector<Tensor>& in, const std::vector<Tensor>& out) {
    order.push_back("post " + m.name());
    EXPECT_EQ(in[0][0].item<float>(), 2);
    EXPECT_EQ(out[0][0].item<float>(), 4);
  });
  EXPECT_EQ(scale(ones({2}))[0].item<float>(), 4);
  EXPECT_EQ(order, (std::vector<std::string>{"pre", "post Scale"}));
  EXPECT_EQ(scale->forward(ones({2}))[0].item<float>(), 2);  // forward itself runs no hooks
  scale->remove_hook(pre);
  scale->register_forward_hook(
      [](Module&, const std::vector<Tensor>&, const std::vector<Tensor>& out) { return out[0] * 10; });
  order.clear();
  EXPECT_EQ(Sequential(scale)->forward(2 * ones({2}))[0].item<float>(), 40);
  EXPECT_EQ(order.size(), 1u);
}

TEST(Hooks, BackwardHooksSeeBothGradientsAndReplace) {
  Scale scale(2, 3.0);
  const Tensor x = ones({2}, requires_grad());
  int calls = 0;
  scale->register_full_backward_hook([&](Module&, const std::vector<Tensor>& in, const std::vector<Tensor>& out) {
    ++calls;
    EXPECT_EQ(out[0][0].item<float>(), 10);  // what the pre-hook made of 1
    EXPECT_EQ(in[0][0].item<float>(), 30);
    return std::vector<Tensor>{in[0] * 2};
  });
  scale->register_full_backward_pre_hook(
      [](Module&, const std::vector<Tensor>& out) { return std::vector<Tensor>{out[0] * 10}; });
  scale(x).sum().backward();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(x.grad()[0].item<float>(), 60);
  EXPECT_EQ(scale->factor.grad()[0].item<float>(), 10);
}

TEST(Hooks, AnotherNumberOfTensorsIsAnError) {
  using List = std::vector<Tensor>;
  const auto said = [](auto register_hook) {
    Scale scale(2, 3.0);
    register_hook(*scale);
    return message_of([&] { scale(ones({2}, requires_grad())).sum().backward(); });
  };
  const List two{ones({2}), ones({2})};
  EXPECT_EQ(said([&](Module& m) { m.register_forward_pre_hook([&](Module&, const List&) { return two; }); }),
            "Scale: a forward pre-hook returned 2 tensors in place of 1");
  EXPECT_EQ(said([&](Module& m) { m.register_forward_hook([&](Module&, const List&, const List&) { return two; }); }),
            "Scale: a forward hook returned 2 tensors in place of 1");
  EXPECT_EQ(said([&](Module& m) { m.register_full_backward_pre_hook([&](Module&, const List&) { return two; }); }),
            "Backward pre hook returned an invalid number of grad_output: got 2, but expected 1");
  EXPECT_EQ(
      said([&](Module& m) { m.register_full_backward_hook([&](Module&, const List&, const List&) { return two; }); }),
      "Backward hook returned an invalid number of grad_input: got 2, but expected 1");
}

TEST(Hooks, BackwardHookIsLeftOutWhereDoubleBackwardReachesTheInputsPastTheOutputs) {
  nn::Tanh tanh;
  int calls = 0;
  tanh->register_full_backward_hook([&](Module&, const std::vector<Tensor>& in, const std::vector<Tensor>& out) {
    ++calls;
    EXPECT_EQ(in.size(), 1u);
    EXPECT_EQ(out.size(), 1u);
  });
  struct SquareImpl : Cloneable<SquareImpl> {
    void reset() override {}
    Tensor forward(const Tensor& x) { return x * x; }
  };
  ModuleHolder<SquareImpl> square(std::make_shared<SquareImpl>());
  square->register_full_backward_hook([&](Module&, const std::vector<Tensor>&, const std::vector<Tensor>& out) {
    calls += 10 * static_cast<int>(out.size());
  });
  const Tensor x = ones({2}, requires_grad());
  autograd::grad({square(x).sum()}, {x}, {}, {}, /*create_graph=*/true)[0].sum().backward();
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(x.grad()[0].item<float>(), 2);
  autograd::grad({tanh(x).sum()}, {x}, {}, {}, /*create_graph=*/true)[0].sum().backward();
  EXPECT_EQ(calls, 11);
}

TEST(Hooks, BackwardHookRunsWhenNoInputNeedsAGradient) {
  Scale scale(2, 3.0);
  int calls = 0;
  scale->register_full_backward_hook([&](Module&, const std::vector<Tensor>& in, const std::vector<Tensor>&) {
    ++calls;
    EXPECT_FALSE(in[0].defined());
  });
  scale(ones({2})).sum().backward();
  EXPECT_EQ(calls, 1);
  const NoGradGuard no_grad;
  scale(ones({2}));
}

TEST(Hooks, AnInputThatGetsNoGradientHasNone) {
  struct FirstImpl : Cloneable<FirstImpl> {
    void reset() override {}
    Tensor forward(const Tensor& a, const Tensor&) { return a * 2; }
  };
  ModuleHolder<FirstImpl> first(std::make_shared<FirstImpl>());
  int calls = 0;
  first->register_full_backward_hook([&](Module&, const std::vector<Tensor>& in, const std::vector<Tensor>&) {
    ++calls;
    EXPECT_TRUE(in[0].defined());
    EXPECT_FALSE(in[1].defined());
  });
  const Tensor a = ones({2}, requires_grad()), b = ones({2}, requires_grad());
  first(a, b).sum().backward();
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(b.grad().defined());
}

}  // namespace
}  // namespace taut::nn
