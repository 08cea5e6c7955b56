// Module, its holders and containers.
#include <gtest/gtest.h>

#include <cmath>

#include <sstream>

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

TEST(Module, ToChangesTheDtypeOfTheTensorsEveryoneHolds) {
  Two two;
  two->to(kDouble);
  EXPECT_EQ(two->a->factor.scalar_type(), kDouble);
  EXPECT_TRUE(two->a->factor.requires_grad());
  EXPECT_EQ(two->a->count.scalar_type(), kLong);
  EXPECT_NE(message_of([&] { two->to(kLong); }).find("only floating point"), std::string::npos);
  two->to(kCPU);
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
  says("ModuleList: index 3 is out of range for 2 modules", [&] { list->insert(3, Scale(1)); });
  says("ModuleList: index 2 is out of range for 2 modules", [&] { list->ptr(2); });
}

TEST(Functional, SaysWhatIsWrong) {
  namespace F = functional;
  const Tensor none, x = ones({2, 3}), rows = ones({4, 2}), at = zeros({2}, kLong);
  const auto says = [](const char* words, const std::function<void()>& f) {
    EXPECT_NE(message_of(f).find(words), std::string::npos) << message_of(f);
  };
  says("gumbel_softmax: expected a floating-point tensor", [&] { F::gumbel_softmax(at); });
  says("embedding: expected input and weight", [&] { F::embedding(none, rows); });
  says("embedding: expected input and weight", [&] { F::embedding(at, none); });
  says("got 4 for 4 embeddings", [&] { F::embedding(at, rows, F::EmbeddingFuncOptions().padding_idx(4)); });
  says("got -5 for 4 embeddings", [&] { F::embedding(at, rows, F::EmbeddingFuncOptions().padding_idx(-5)); });
  says("embedding_bag: expected input and weight", [&] { F::embedding_bag(none, rows); });
  says("input has to be 1D or 2D Tensor, but got Tensor of dimension 0", [&] { F::embedding_bag(at[0], rows); });
  says("input has to be 1D or 2D Tensor, but got Tensor of dimension 3", [&] {
    F::embedding_bag(zeros({1, 1, 1}, kLong), rows);
  });
  says("If per_sample_weights ([3])",
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
  says("lp_pool1d: norm_type must be a positive number, got 0", [] {
    F::lp_pool1d(ones({1, 4}), LPPool1dOptions(0, 2));
  });
  says("interpolate: expected a tensor", [&] { F::interpolate(none); });
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
  says("pack_padded_sequence: input and lengths must be defined", [&] { utils::rnn::pack_padded_sequence(none, at); });
  says("unpad_sequence: expected padded sequences with at least 2 dimensions",
       [&] { utils::rnn::unpad_sequence(ones({3}), at); });
  says("unpad_sequence: expected 3 lengths", [&] { utils::rnn::unpad_sequence(x, at); });
  says("pack_sequence: a sequence must be a tensor of 1 dimension or more", [&] {
    utils::rnn::pack_sequence({x, ones({})});
  });
  EXPECT_EQ(utils::rnn::unpad_sequence(x, tensor({1, 2, 2}))[0].numel(), 1);
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
            }).find("expected a double, but it is a int"),
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

}  // namespace
}  // namespace taut::nn
