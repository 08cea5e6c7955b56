// Custom Functions: what forward may do with its context, and how backward is called.
#include "autograd_support.h"

#include <cmath>

using namespace taut;
using namespace taut::testing;
using autograd::AutogradContext;
using autograd::Function;
using autograd::grad;
using autograd::variable_list;

namespace {

struct Square : Function<Square> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x * x;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    return {g[0] * 2 * ctx->get_saved_variables()[0]};
  }
};

/// Saves its result.
struct Exp : Function<Exp> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x) {
    Tensor y = x.exp();
    ctx->save_for_backward({y});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    return {g[0] * ctx->get_saved_variables()[0]};
  }
};

/// x * factor + the sum of a list; the rest is not differentiable.
struct Mixed : Function<Mixed> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double factor, const variable_list& list,
                        std::string label, bool flag) {
    ctx->saved_data["factor"] = factor;
    ctx->saved_data["label"] = label;
    ctx->saved_data["flag"] = flag;
    ctx->saved_data["shape"] = x.sizes();
    ctx->saved_data["x"] = x;
    Tensor y = x * factor;
    for (const Tensor& t : list) y = y + t;
    return y;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    EXPECT_EQ(ctx->saved_data["label"].toStringRef(), "name");
    EXPECT_TRUE(ctx->saved_data["flag"].toBool());
    EXPECT_EQ(ctx->saved_data["factor"].toInt(), 3);
    EXPECT_EQ(ctx->saved_data["shape"].toIntVector(), std::vector<int64_t>{2});
    EXPECT_TRUE(ctx->saved_data["x"].toTensor().defined());
    EXPECT_TRUE(ctx->saved_data["nothing"].isNone());
    EXPECT_THROW(ctx->saved_data["label"].toTensor(), TypeError);
    return {g[0] * ctx->saved_data["factor"].toDouble(), Tensor(), g[0], g[0] * 2, Tensor(), Tensor()};
  }
};

struct TwoOutputs : Function<TwoOutputs> {
  static variable_list forward(AutogradContext* ctx, const Tensor& x, bool materialize) {
    ctx->set_materialize_grads(materialize);
    return {x * 2, x * 3};
  }
  static variable_list backward(AutogradContext*, variable_list g) {
    seen = g;
    return {g[0].defined() ? g[0] * 2 : Tensor(), Tensor()};
  }
  static inline variable_list seen;
};

struct AddInPlace : Function<AddInPlace> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    x.add_(1);
    ctx->mark_dirty({x});
    ctx->save_for_backward({x});
    return x;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    saved = ctx->get_saved_variables()[0];
    return {g[0] * 3};
  }
  static inline Tensor saved;
};

struct Same : Function<Same> {
  static Tensor forward(AutogradContext*, Tensor x) { return x; }
  static variable_list backward(AutogradContext*, variable_list g) { return {g[0] * 3}; }
};

struct ViewOut : Function<ViewOut> {
  static Tensor forward(AutogradContext*, Tensor x) { return x.view({-1, 1}); }
  static variable_list backward(AutogradContext*, variable_list g) { return {g[0].view({-1}) * 3}; }
};

struct ValueAndRank : Function<ValueAndRank> {
  static variable_list forward(AutogradContext* ctx, Tensor x) {
    Tensor rank = x.argsort().to(kFloat), mask = x > 0;
    ctx->mark_non_differentiable({rank});
    return {x * 2, rank, mask};
  }
  static variable_list backward(AutogradContext*, variable_list g) {
    sizes = {g[0].dim(), g[1].dim(), g[2].dim()};
    EXPECT_EQ(values(g[1]), (Values{0, 0}));
    EXPECT_EQ(g[2].scalar_type(), kBool);
    return {g[0] * 2};
  }
  static inline std::vector<int64_t> sizes;
};

struct TooMany : Function<TooMany> {
  static Tensor forward(AutogradContext*, Tensor a) { return a * 2; }
  static variable_list backward(AutogradContext*, variable_list g) { return {g[0], extra}; }
  static inline Tensor extra;
};

struct Product : Function<Product> {
  static Tensor forward(AutogradContext* ctx, Tensor a, Tensor b) {
    in_forward = {ctx->needs_input_grad(0), ctx->needs_input_grad(1)};
    ctx->save_for_backward({a, b});
    return a * b;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    needed = {ctx->needs_input_grad(0), ctx->needs_input_grad(1)};
    EXPECT_TRUE(ctx->needs_input_grad({{0, 2}}));
    EXPECT_THROW(ctx->needs_input_grad(2), IndexError);
    const variable_list s = ctx->get_saved_variables();
    return {needed[0] ? g[0] * s[1] : Tensor(), needed[1] ? g[0] * s[0] : Tensor()};
  }
  static inline std::vector<bool> needed, in_forward;
};

}  // namespace

TEST(CustomFunction, SquareOfTwoHasDerivativeFour) {
  Tensor x = leaf({2});
  Square::apply(x).backward();
  EXPECT_EQ(values(x.grad()), (Values{4}));
}

TEST(CustomFunction, IsNamedAfterItsClass) {
  Tensor x = leaf({2});
  Tensor y = Square::apply(x);
  EXPECT_STREQ(y.grad_fn()->name(), "SquareBackward");
  ASSERT_EQ(y.grad_fn()->next_functions().size(), 1u);
  EXPECT_STREQ(y.grad_fn()->next_functions()[0].first->name(), "AccumulateGrad");
}

TEST(CustomFunction, RecordsNothingWhenNothingRequiresGrad) {
  EXPECT_FALSE(Square::apply(constant({2})).requires_grad());
  NoGradGuard guard;
  EXPECT_FALSE(Square::apply(leaf({2})).requires_grad());
}

TEST(CustomFunction, ForwardRunsWithoutRecording) {
  struct Probe : Function<Probe> {
    static Tensor forward(AutogradContext*, Tensor x) {
      EXPECT_FALSE(GradMode::is_enabled());
      EXPECT_TRUE(x.requires_grad());
      return x.clone();
    }
    static variable_list backward(AutogradContext*, variable_list g) { return g; }
  };
  Probe::apply(leaf({1}));
  EXPECT_TRUE(GradMode::is_enabled());
}

TEST(CustomFunction, DoubleAndThirdDerivative) {
  Tensor x = leaf({2, 3});
  Tensor y = Square::apply(Square::apply(x));  // x^4
  Tensor g = grad({y.sum()}, {x}, {}, {}, true)[0];
  EXPECT_EQ(values(g), (Values{32, 108}));
  Tensor gg = grad({g.sum()}, {x}, {}, {}, true)[0];
  EXPECT_EQ(values(gg), (Values{48, 108}));
  EXPECT_EQ(values(grad({gg.sum()}, {x})[0]), (Values{48, 72}));
}

TEST(CustomFunction, ASavedResultKeepsItsGraph) {
  Tensor x = leaf({1});
  Tensor y = Exp::apply(x);
  for (int order = 0; order < 4; ++order) {
    y = grad({y}, {x}, {}, {}, true)[0];
    EXPECT_NEAR(y.item<double>(), std::exp(1), 1e-5);
  }
}

TEST(CustomFunction, PassesGradcheck) {
  Tensor x = taut::rand({3}, dtype(kDouble).requires_grad(true));
  const auto f = [](const variable_list& in) { return variable_list{Square::apply(Exp::apply(in[0]))}; };
  EXPECT_TRUE(autograd::gradcheck(f, {x}));
  EXPECT_TRUE(autograd::gradgradcheck(f, {x}));
}

TEST(CustomFunction, ASavedResultMakesNoCycle) {
  const int64_t before = memory_stats().allocated;
  {
    Tensor x = taut::ones({1000}, requires_grad());
    Tensor y = Exp::apply(x);
  }
  {
    Tensor x = taut::ones({1000}, requires_grad());
    Tensor y = x * 1;
    AddInPlace::apply(y);
    Tensor z = x * 1;
    AddInPlace::apply(z.slice(0, 0, 10));
  }
  EXPECT_EQ(memory_stats().allocated, before);
}

TEST(CustomFunction, ArgumentsThatAreNoTensorsAndLists) {
  Tensor x = leaf({1, 2}), a = leaf({1, 1}), b = leaf({1, 1});
  Tensor y = Mixed::apply(x, 3.0, variable_list{a, b}, std::string("name"), true);
  EXPECT_EQ(y.grad_fn()->next_functions().size(), 3u);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
  EXPECT_EQ(values(a.grad()), (Values{1, 1}));
  EXPECT_EQ(values(b.grad()), (Values{2, 2}));
}

TEST(CustomFunction, UndefinedAndOptionalTensorArguments) {
  struct Maybe : Function<Maybe> {
    static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& bias, std::optional<Tensor> scale) {
      ctx->save_for_backward({bias});
      return (bias.defined() ? x + bias : x.clone()) * (scale ? *scale : taut::ones({}));
    }
    static variable_list backward(AutogradContext* ctx, variable_list g) {
      EXPECT_FALSE(ctx->get_saved_variables()[0].defined());
      return {g[0], Tensor(), Tensor()};
    }
  };
  Tensor x = leaf({1, 2});
  Maybe::apply(x, Tensor(), std::optional<Tensor>()).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{1, 1}));
}

TEST(CustomFunction, MissingGradientsOfOutputsAreZeros) {
  Tensor x = leaf({1, 2});
  variable_list y = TwoOutputs::apply(x, true);
  EXPECT_EQ(y[1].output_nr(), 1);
  y[0].sum().backward();
  EXPECT_EQ(values(TwoOutputs::seen[0]), (Values{1, 1}));
  EXPECT_EQ(values(TwoOutputs::seen[1]), (Values{0, 0}));
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
}

TEST(CustomFunction, MissingGradientsStayUndefinedWhenAsked) {
  Tensor x = leaf({1, 2});
  TwoOutputs::apply(x, false)[1].sum().backward();
  EXPECT_FALSE(TwoOutputs::seen[0].defined());
  EXPECT_EQ(values(TwoOutputs::seen[1]), (Values{1, 1}));
  EXPECT_FALSE(x.grad().defined());
}

TEST(CustomFunction, ABackwardThatReturnsNothingStopsThere) {
  struct Stop : Function<Stop> {
    static Tensor forward(AutogradContext*, Tensor x) { return x * 2; }
    static variable_list backward(AutogradContext*, variable_list) { return {Tensor()}; }
  };
  Tensor x = leaf({1, 2});
  Stop::apply(x * x).sum().backward();
  EXPECT_FALSE(x.grad().defined());
  // A Function before it sees zeros, as in PyTorch.
  Stop::apply(Square::apply(x)).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{0, 0}));
}

TEST(CustomFunction, MarkDirtyReturnsTheInputItself) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2;
  Tensor z = AddInPlace::apply(y);
  EXPECT_TRUE(z.is_same(y));
  EXPECT_STREQ(y.grad_fn()->name(), "AddInPlaceBackward");
  EXPECT_EQ(y._version(), 2u);
  EXPECT_EQ(values(y), (Values{3, 5}));
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 6}));
  EXPECT_EQ(values(AddInPlace::saved), (Values{3, 5}));
}

TEST(CustomFunction, MarkDirtyOnAViewReachesTheBase) {
  Tensor x = leaf({1, 2, 3});
  Tensor y = x * 2;
  AddInPlace::apply(y[0]);
  EXPECT_STREQ(y.grad_fn()->name(), "CopySlices");
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 2, 2}));
}

TEST(CustomFunction, MarkDirtyRules) {
  Tensor x = leaf({1, 2});
  expect_says(message_of([&] { AddInPlace::apply(x); }),
              {"a leaf Variable that requires grad has been used in an in-place operation"});
  struct NotReturned : Function<NotReturned> {
    static Tensor forward(AutogradContext* ctx, Tensor t) {
      ctx->mark_dirty({t.add_(1)});
      return t * 2;
    }
    static variable_list backward(AutogradContext*, variable_list g) { return g; }
  };
  expect_says(
      message_of([&] { NotReturned::apply(x * 1); }),
      {"Some elements marked as dirty during the forward method", "were not returned as output", "NotReturned"});
  struct DirtyAndMore : Function<DirtyAndMore> {
    static variable_list forward(AutogradContext* ctx, Tensor t) {
      ctx->mark_dirty({t.add_(1)});
      return {t, t * 2};
    }
    static variable_list backward(AutogradContext*, variable_list g) { return {g[0] + g[1]}; }
  };
  variable_list y = DirtyAndMore::apply(x * 1);
  (y[0] + y[1] * 5).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 6}));
  expect_says(message_of([&] { DirtyAndMore::apply((x * 1)[0]); }),
              {"If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
               "return more than one Tensor"});
}

TEST(CustomFunction, MarkDirtyIsNoticedBySavedValues) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 1, z = y * y;
  AddInPlace::apply(y);
  expect_says(message_of([&] { z.sum().backward(); }), {"modified by an inplace operation", "AddInPlaceBackward"});
}

TEST(CustomFunction, AnInputReturnedUnchangedIsAnOutputOfItsOwn) {
  Tensor x = leaf({1, 2});
  Tensor y = Same::apply(x);
  EXPECT_FALSE(y.is_same(x));
  EXPECT_TRUE(y.is_view());
  EXPECT_EQ(y.data_ptr(), x.data_ptr());
  EXPECT_TRUE(x.is_leaf());
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
  Tensor c = constant({1});
  EXPECT_FALSE(Same::apply(c).requires_grad());
}

TEST(CustomFunction, ViewsItReturnsMayNotBeWritten) {
  Tensor x = leaf({1, 2});
  const std::string text = "This view was created inside a custom Function (or because an input was returned as-is)";
  Tensor y = x * 1;
  expect_says(message_of([&] { Same::apply(y).mul_(2); }),
              {"Output 0 of Same is a view and is being modified inplace.", text, "cloning the output"});
  Tensor v = ViewOut::apply(y);
  EXPECT_STREQ(v.grad_fn()->name(), "ViewOutBackward");
  expect_says(message_of([&] { v.mul_(2); }), {"Output 0 of ViewOut is a view", text});
  v.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
  v = ViewOut::apply(y);
  y.mul_(2);
  expect_says(message_of([&] { v * 2; }), {"its base or another view of its base has been modified inplace", text});
  struct TwoViews : Function<TwoViews> {
    static variable_list forward(AutogradContext*, Tensor t) { return {t.view({2, 1}), t.view({1, 2})}; }
    static variable_list backward(AutogradContext*, variable_list g) { return {g[0].view({2}) + g[1].view({2})}; }
  };
  expect_says(message_of([&] { TwoViews::apply(y)[0].mul_(2); }),
              {"Output 0 of TwoViews is a view", "returns multiple views"});
}

TEST(CustomFunction, NonDifferentiableAndIntegerOutputs) {
  Tensor x = leaf({2, 1});
  variable_list y = ValueAndRank::apply(x);
  EXPECT_TRUE(y[0].requires_grad());
  EXPECT_FALSE(y[1].requires_grad());
  EXPECT_FALSE(y[2].requires_grad());
  y[0].sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
  EXPECT_EQ(ValueAndRank::sizes, (std::vector<int64_t>{1, 1, 1}));
  expect_says(message_of([&] { y[1].sum().backward(); }), {"does not require grad", "mark_non_differentiable"});
}

TEST(CustomFunction, NeedsInputGradFollowsTheInputsAskedFor) {
  Tensor a = leaf({2}), b = leaf({3}), c = constant({4});
  Product::apply(a, b).backward();
  EXPECT_EQ(Product::needed, (std::vector<bool>{true, true}));
  Product::apply(a, c).backward();
  EXPECT_EQ(Product::in_forward, (std::vector<bool>{true, false}));
  EXPECT_EQ(Product::needed, (std::vector<bool>{true, false}));
  grad({Product::apply(a, b)}, {b});
  EXPECT_EQ(Product::needed, (std::vector<bool>{false, true}));
}

TEST(CustomFunction, WrongNumberOfGradientsIsNamed) {
  struct TooFew : Function<TooFew> {
    static Tensor forward(AutogradContext*, Tensor a, Tensor b) { return a * b; }
    static variable_list backward(AutogradContext*, variable_list g) { return {g[0]}; }
  };
  struct ForANumber : Function<ForANumber> {
    static Tensor forward(AutogradContext*, Tensor a, double f) { return a * f; }
    static variable_list backward(AutogradContext*, variable_list g) { return {g[0], g[0]}; }
  };
  Tensor x = leaf({1});
  expect_says(message_of([&] { TooFew::apply(x, x).backward(); }),
              {"function TooFewBackward returned an incorrect number of gradients (expected 2, got 1)"});
  TooMany::apply(x).backward();  // an undefined one more is fine
  TooMany::extra = taut::ones({1});
  expect_says(message_of([&] { TooMany::apply(x).backward(); }), {"(expected 1, got 2)"});
  expect_says(message_of([&] { ForANumber::apply(x, 2.0).backward(); }),
              {"returned a gradient different from None at position 2, but the corresponding forward input was not a "
               "Variable"});
}

TEST(CustomFunction, WrongShapeOfAGradientIsNamed) {
  struct Wrong : Function<Wrong> {
    static Tensor forward(AutogradContext*, Tensor a) { return a * 2; }
    static variable_list backward(AutogradContext*, variable_list) { return {taut::ones({5})}; }
  };
  expect_says(message_of([&] {
                Wrong::apply(leaf({1, 2})).sum().backward();
              }),
              {"Function WrongBackward",
               "returned an invalid gradient at index 0 - got [5] but expected shape compatible with [2]", "step"});
}

TEST(CustomFunction, AGradientThatBroadcastsIsReduced) {
  struct Expand : Function<Expand> {
    static Tensor forward(AutogradContext*, Tensor a) { return a.expand({3, 2}).clone(); }
    static variable_list backward(AutogradContext*, variable_list g) { return g; }
  };
  Tensor x = leaf({1, 2});
  Expand::apply(x).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
}

TEST(CustomFunction, ASavedInputThatWasOverwrittenIsNoticed) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 1, z = Square::apply(y);
  y.mul_(2);
  expect_says(message_of([&] { z.sum().backward(); }), {"modified by an inplace operation", "`Square`", "`mul_`"});
}

TEST(CustomFunction, SavedValuesAreFreedByBackward) {
  Tensor x = leaf({1});
  Tensor y = Square::apply(x);
  y.backward();
  expect_says(message_of([&] { y.backward(); }),
              {"Trying to backward through the graph a second time", "SquareBackward", "retain_graph"});
  Tensor z = Square::apply(x);
  z.backward({}, true);
  z.backward();
}

TEST(CustomFunction, TheSameTensorTwice) {
  Tensor x = leaf({3});
  Product::apply(x, x).backward();
  EXPECT_EQ(values(x.grad()), (Values{6}));
}

TEST(CustomFunction, OneTensorReturnedTwice) {
  struct Twice : Function<Twice> {
    static variable_list forward(AutogradContext*, Tensor a) {
      Tensor y = a * 2;
      return {y, y};
    }
    static variable_list backward(AutogradContext*, variable_list g) { return {g[0] * 2 + g[1] * 20}; }
  };
  Tensor x = leaf({1});
  variable_list y = Twice::apply(x);
  y[1].backward({}, true);
  EXPECT_EQ(values(x.grad()), (Values{20}));
  y[0].backward();
  EXPECT_EQ(values(x.grad()), (Values{22}));
}

TEST(CustomFunction, AnExceptionInForwardLeavesEverythingAsItWas) {
  struct Throws : Function<Throws> {
    static Tensor forward(AutogradContext*, Tensor) { throw std::logic_error("mine"); }
    static variable_list backward(AutogradContext*, variable_list g) { return g; }
  };
  Tensor x = leaf({1});
  EXPECT_THROW(Throws::apply(x), std::logic_error);
  EXPECT_TRUE(GradMode::is_enabled());
  EXPECT_TRUE((x * 2).requires_grad());
}

TEST(CustomFunction, WithinAGraphOfOtherOps) {
  Tensor x = leaf({1, 2}), w = leaf({3, 4});
  Tensor y = (Square::apply(x * w) + Exp::apply(x * 0)).sum();
  y.backward();
  EXPECT_EQ(values(w.grad()), (Values{6, 32}));
  EXPECT_EQ(values(x.grad()), (Values{18, 64}));
}

// ---- Forward mode by a jvp of the Function's own.

namespace {

/// Three times the derivative, so that nobody can take it for one that follows from backward.
struct OwnTangent : Function<OwnTangent> {
  static variable_list forward(AutogradContext* ctx, const Tensor& x, double factor, const Tensor& y, const Tensor& i) {
    (void)i;
    ctx->save_for_backward({x});
    ctx->save_for_forward({x, y});
    ctx->saved_data["factor"] = factor;
    ctx->set_materialize_grads(materialize);
    return {x * y * factor, x + 1};
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    EXPECT_EQ(ctx->get_saved_variables().size(), 1u);
    return {g[0], Tensor(), g[0], Tensor()};
  }
  static variable_list jvp(AutogradContext* ctx, variable_list tangents) {
    seen = tangents;
    const variable_list kept = ctx->get_saved_variables();
    EXPECT_EQ(kept.size(), 2u);
    if (!result.empty()) return result;
    return {tangents[0] * kept[1] * ctx->saved_data["factor"].toDouble() * 3, Tensor()};
  }
  static inline bool materialize = true;
  static inline variable_list seen, result;
};

}  // namespace

TEST(FunctionJvp, ComputesTheTangents) {
  const Tensor x = constant({1, 2}), y = constant({5, 7}), whole = tensor({1, 2});
  const autograd::forward_ad::DualLevel level;
  const Tensor dual = autograd::forward_ad::make_dual(x, constant({1, 10}));
  const variable_list out = OwnTangent::apply(dual, 2.0, y, whole);
  EXPECT_EQ(values(autograd::forward_ad::unpack_dual(out[0]).tangent), (Values{30, 420}));
  EXPECT_FALSE(autograd::forward_ad::unpack_dual(out[1]).tangent.defined());
  ASSERT_EQ(OwnTangent::seen.size(), 4u);
  EXPECT_EQ(values(OwnTangent::seen[0]), (Values{1, 10}));
  EXPECT_FALSE(OwnTangent::seen[1].defined());             // a number
  EXPECT_EQ(values(OwnTangent::seen[2]), (Values{0, 0}));  // no tangent
  EXPECT_FALSE(OwnTangent::seen[3].defined());             // integers

  OwnTangent::materialize = false;
  OwnTangent::apply(dual, 2.0, y, whole);
  EXPECT_FALSE(OwnTangent::seen[2].defined());
  OwnTangent::materialize = true;
}

TEST(FunctionJvp, IsRecordedWhereTangentsRequireGrad) {
  const Tensor x = constant({1, 2}), y = leaf({5, 7}), t = leaf({1, 10});
  const autograd::forward_ad::DualLevel level;
  const variable_list out = OwnTangent::apply(autograd::forward_ad::make_dual(x, t), 2.0, y, tensor({1, 2}));
  const Tensor tangent = autograd::forward_ad::unpack_dual(out[0]).tangent;
  EXPECT_EQ(values(grad({tangent.sum()}, {t})[0]), (Values{30, 42}));
}

TEST(FunctionJvp, IsNotCalledWithoutTangents) {
  OwnTangent::seen.clear();
  const autograd::forward_ad::DualLevel level;
  OwnTangent::apply(constant({1, 2}), 2.0, leaf({5, 7}), tensor({1, 2}))[0].sum().backward();
  EXPECT_TRUE(OwnTangent::seen.empty());
}

TEST(FunctionJvp, MustReturnATangentForEachResult) {
  const autograd::forward_ad::DualLevel level;
  const Tensor dual = autograd::forward_ad::make_dual(constant({1, 2}), constant({1, 10}));
  const auto message = [&](const variable_list& returned) {
    OwnTangent::result = returned;
    return message_of([&] { OwnTangent::apply(dual, 2.0, constant({5, 7}), tensor({1, 2})); });
  };
  EXPECT_EQ(message({dual}), "Function's jvp returned an invalid number of forward gradients (expected 2 but got 1)");
  expect_says(message({constant({1, 2, 3}), Tensor()}), {"Trying to set a forward gradient that has a different size"});
  expect_says(message({tensor({1, 2}), Tensor()}), {"Expected both tensor and its forward grad to be floating point"});
  OwnTangent::result.clear();
}
