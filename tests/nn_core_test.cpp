// Module, its holders and containers.
#include <gtest/gtest.h>

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
