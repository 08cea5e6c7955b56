// Errors that teach: each says PyTorch's phrase, the op, its step, the shapes and the remedy. Warnings, anomaly mode
// and explain_grad too.
#include <cmath>
#include <limits>
#include <sstream>

#include "autograd_support.h"

using namespace taut;
using namespace taut::testing;
using autograd::AutogradContext;
using autograd::DetectAnomalyGuard;
using autograd::Function;
using autograd::grad;
using autograd::variable_list;

namespace {

/// "step N" of the next op in this thread, counted from now: after `n` more ops.
std::string step_of(const Tensor& t) { return "step " + std::to_string(t.grad_fn()->sequence_nr()); }

struct Square : Function<Square> {
  static Tensor forward(AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x * x;
  }
  static variable_list backward(AutogradContext* ctx, variable_list g) {
    return {g[0] * 2 * ctx->get_saved_variables()[0]};
  }
};

const std::string kNoGraph = "element 0 of tensors does not require grad and does not have a grad_fn";

}  // namespace

// ---- Backward without a graph.

TEST(NoGraphError, NamesDetach) {
  Tensor x = leaf({1, 2});
  Tensor before = x * 1;
  Tensor y = (before.detach() * 3).sum();
  expect_says(message_of([&] { y.backward(); }), {kNoGraph, "`detach` (step ", "[] float32", "before"});
  Tensor z = x * 2;
  z.detach_();
  expect_says(message_of([&] { z.sum().backward(); }), {kNoGraph, "`detach_` (step "});
}

TEST(NoGraphError, NamesTheStepOfTheCut) {
  Tensor x = leaf({1});
  Tensor y = x * 1, d = y.detach();
  const auto step = y.grad_fn()->sequence_nr() + 1;
  expect_says(message_of([&] { (d * 2 + 1).backward(); }), {"`detach` (step " + std::to_string(step) + ")"});
}

TEST(NoGraphError, NamesTheOpUnderNoGrad) {
  Tensor x = leaf({1, 2}), y;
  {
    NoGradGuard guard;
    y = x.exp();
  }
  expect_says(message_of([&] { (y * 2).sum().backward(); }),
              {kNoGraph, "`exp` (step ", "NoGradGuard", "outside that block"});
}

TEST(NoGraphError, NamesTheOpInInferenceMode) {
  Tensor x = leaf({1, 2}), y;
  {
    InferenceMode guard;
    y = x.exp();
  }
  expect_says(message_of([&] { y.sum().backward(); }), {kNoGraph, "`exp` (step ", "InferenceMode"});
}

TEST(NoGraphError, NamesTheOpWithoutADerivative) {
  Tensor x = leaf({1, 2});
  expect_says(message_of([&] { x.argmax().backward(); }), {kNoGraph, "`argmax` (step ", "no derivative", "int64"});
  expect_says(message_of([&] { (x > 1).to(kFloat).sum().backward(); }), {kNoGraph, "`gt` (step ", "no derivative"});
}

TEST(NoGraphError, SaysThatNoInputRequiredGrad) {
  expect_says(message_of([] { (taut::ones({2}) * 2).sum().backward(); }),
              {kNoGraph, "no input required grad", "requires_grad_()"});
  expect_says(message_of([] { grad({leaf({1}) * 2}, {taut::ones({3})}); }),
              {"One of the differentiated Tensors does not require grad", "input 0", "[3]", "requires_grad_()"});
}

TEST(NoGraphError, CountsTheTensors) {
  Tensor x = leaf({1});
  expect_says(message_of([&] {
                autograd::backward({x * 2, taut::ones({1})});
              }),
              {"element 1 of tensors does not require grad"});
}

// ---- A second backward.

TEST(FreedGraphError, NamesTheNode) {
  Tensor x = taut::ones({2, 3}, requires_grad());
  Tensor y = x.tanh(), z = y.sum();
  z.backward();
  expect_says(message_of([&] { z.backward(); }),
              {"Trying to backward through the graph a second time (or directly access saved tensors after they have "
               "already been freed). Saved "
               "intermediate values of the graph are freed when you call .backward() or autograd.grad()",
               "`TanhBackward0`", "[2, 3]", "`tanh`", step_of(y), "Specify retain_graph=True"});
}

TEST(FreedGraphError, NamesACustomFunction) {
  Tensor x = leaf({1});
  Tensor y = Square::apply(x);
  y.backward();
  expect_says(message_of([&] { y.backward(); }), {"a second time", "`SquareBackward`", step_of(y)});
}

// ---- A saved value that was overwritten.

TEST(OverwrittenError, NamesTheOpTheWriterAndTheRemedy) {
  Tensor x = taut::ones({5, 6}, requires_grad());
  Tensor y = x.tanh();
  const std::string saved_at = step_of(y);
  y.mul_(2);
  expect_says(message_of([&] { y.sum().backward(); }),
              {"one of the variables needed for gradient computation has been modified by an inplace operation: the "
               "[5, 6] float32 result of `tanh` (" +
                   saved_at + ") was saved for backward at version 0 and is at version 1; `mul_` (step ",
               ") wrote it. Use `mul` instead of `mul_`, or clone before writing."});
}

TEST(OverwrittenError, NamesTheInput) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 1, z = y.pow(2);
  y.zero_();
  expect_says(message_of([&] { z.sum().backward(); }),
              {"the [2] float32 input of `pow` (" + step_of(z) + ")", "`zero_` (step "});
}

// ---- In place on a leaf.

TEST(LeafError, SaysWhichOpAndShapeAndWhatToDo) {
  Tensor x = taut::ones({2, 3}, requires_grad());
  expect_says(message_of([&] { x.add_(1); }),
              {"a leaf Variable that requires grad is being used in an in-place operation", "`add_` (step ", "[2, 3]",
               "NoGradGuard", "without the underscore"});
  expect_says(message_of([&] { x[0].add_(1); }),
              {"a view of a leaf Variable that requires grad is being used in an in-place operation", "`add_` (step ",
               "[3]", "[2, 3]", "clone()"});
}

// ---- Outputs that are no scalars.

TEST(NonScalarError, NamesShapeAndOp) {
  Tensor x = taut::ones({2, 3}, requires_grad());
  Tensor y = x.exp();
  expect_says(message_of([&] { y.backward(); }),
              {"grad can be implicitly created only for scalar outputs", "[2, 3]", "`exp` (" + step_of(y) + ")",
               ".sum() or .mean()", "gradient of that shape"});
  expect_says(message_of([&] { x.backward(); }), {"scalar outputs", "a leaf"});
}

TEST(UnusedInputError, NamesTheInput) {
  Tensor x = leaf({1}), unused = leaf({1, 2});
  expect_says(message_of([&] {
                grad({x * 2}, {x, unused});
              }),
              {"The differentiated Tensor at index 1 appears to not have been used in the graph. Set allow_unused=True "
               "if this is the desired behavior.",
               "[2]"});
}

// ---- .grad of a tensor that is no leaf.

namespace {
std::vector<std::string> warnings_of(const std::function<void()>& f) {
  std::vector<std::string> list;
  set_warning_handler([&](const std::string& m) { list.push_back(m); });
  f();
  set_warning_handler({});
  return list;
}
}  // namespace

TEST(NonLeafGradWarning, NamesTheOpAndTheRemedy) {
  Tensor x = leaf({1, 2});
  Tensor y = x.exp();
  const auto list = warnings_of([&] { EXPECT_FALSE(y.grad().defined()); });
  ASSERT_EQ(list.size(), 1u);
  expect_says(list[0], {"The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
                        "attribute won't be populated during "
                        "autograd.backward().",
                        ".retain_grad()", "[2]", "`exp` (" + step_of(y) + ")"});
}

TEST(NonLeafGradWarning, IsNotGivenWhereGradIsMeant) {
  Tensor x = leaf({1, 2});
  Tensor y = x.exp(), z = x.exp();
  y.retain_grad();
  z.mutable_grad() = taut::ones({2});
  const auto list = warnings_of([&] {
    x.grad();
    y.grad();
    z.grad();
    taut::ones({2}).grad();
    x.exp().mutable_grad();
  });
  EXPECT_TRUE(list.empty());
}

TEST(Warnings, AHandlerMayThrowAndTheDefaultPrintsEachTextOnce) {
  set_warning_handler([](const std::string& m) { throw std::runtime_error(m); });
  EXPECT_THROW(warn("text"), std::runtime_error);
  set_warning_handler({});
  ::testing::internal::CaptureStderr();
  warn("only once");
  warn("only once");
  warn("another");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "taut warning: only once\ntaut warning: another\n");
}

// ---- Shapes, dtypes, indices, sizes.

TEST(ShapeError, ShowsBothSides) {
  Tensor a = taut::ones({2, 3}), b = taut::ones({4, 3});
  expect_says(message_of([&] { a + b; }),
              {"add", "The size of tensor a (2) must match the size of tensor b (4) at non-singleton dimension 0",
               "[2, 3]", "[4, 3]"});
  expect_says(message_of([&] { a.matmul(b); }),
              {"mat1 and mat2 shapes cannot be multiplied (2x3 and 4x3)", "transpose"});
  expect_says(message_of([&] {
                taut::cat({a, taut::ones({2, 4})});
              }),
              {"Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1",
               "[2, 3]", "[2, 4]"});
  expect_says(message_of([&] {
                taut::stack({a, b});
              }),
              {"stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [4, 3] at entry 1"});
  expect_says(message_of([&] { a.view({7}); }), {"view", "shape '[7]' is invalid for input of size 6"});
  expect_says(message_of([&] {
                a.expand({5, 3});
              }),
              {"The expanded size of the tensor (5) must match the existing size (2) at non-singleton dimension 0",
               "[5, 3]", "[2, 3]"});
  expect_says(message_of([&] { taut::ones({3}).add_(a); }),
              {"add_", "output with shape [3] doesn't match the broadcast shape [2, 3]"});
  EXPECT_EQ(values(a), Values(6, 1));
}

TEST(DtypeError, ShowsBothSidesAndTheRemedy) {
  Tensor a = taut::ones({2, 2}), d = taut::ones({2, 2}, kDouble);
  expect_says(message_of([&] { a.mm(d); }),
              {"mm", "expected m1 and m2 to have the same dtype, but got: float32 != float64", ".to("});
  expect_says(message_of([&] { taut::arange(3).add_(1.5); }),
              {"add_", "result type float32 can't be cast to the desired output type int64", "without the underscore"});
  expect_says(message_of([&] { a.data_ptr<double>(); }), {"expected scalar type float64 but found float32"});
  expect_says(message_of([&] { taut::arange(3).requires_grad_(); }),
              {"only Tensors of floating point and complex dtype can require gradients", "int64", ".to("});
}

TEST(IndexOutOfRange, NamesIndexDimensionAndShape) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
  Tensor a = taut::ones({2, 3});
  expect_says(message_of<IndexError>([&] { a[2]; }),
              {"index 2 is out of bounds for dimension 0 with size 2", "[2, 3]"});
  expect_says(message_of<IndexError>([&] { a[kMin]; }), {"index -9223372036854775808 is out of bounds"});
  expect_says(message_of<IndexError>([&] {
                a.index({0, kMax});
              }),
              {"index 9223372036854775807 is out of bounds for dimension", "with size 3"});
  expect_says(message_of<IndexError>([&] {
                a.index({taut::tensor({0, 7})});
              }),
              {"index 7 is out of bounds for dimension 0 with size 2", "[2, 3]"});
  expect_says(message_of<IndexError>([&] { a.select(1, 3); }),
              {"select", "index 3 out of range for tensor of size [2, 3] at dimension 1"});
  expect_says(message_of<IndexError>([&] {
                a.index_select(0, taut::tensor({0, 2}));
              }),
              {"index_select", "index 2 is out of bounds for dimension 0 with size 2", "[2, 3]"});
  expect_says(message_of<IndexError>([&] {
                a.gather(0, taut::tensor({{0, 1, 2}}));
              }),
              {"gather", "index 2 is out of bounds for dimension 0 with size 2", "[2, 3]"});
  expect_says(message_of<IndexError>([&] {
                a.scatter(0, taut::tensor({{5, 0, 0}}), 1.0);
              }),
              {"scatter", "index 5 is out of bounds", "[2, 3]"});
  expect_says(message_of<IndexError>([&] { a.sum(2); }),
              {"sum", "Dimension out of range (expected to be in range of [-2, 1], but got 2)"});
  expect_says(message_of<IndexError>([&] { a.sum(kMin); }), {"sum", "Dimension out of range"});
}

TEST(SizeOverflow, NamesOpAndShape) {
  constexpr int64_t kBig = int64_t{1} << 40;
  expect_says(message_of([&] {
                taut::zeros({kBig, kBig});
              }),
              {"zeros", "Storage size calculation overflowed", "[1099511627776, 1099511627776]"});
  expect_says(message_of([&] { taut::ones({2}).repeat({kBig, kBig}); }), {"repeat", "overflow"});
  expect_says(message_of([&] { taut::ones({1}).expand({kBig, kBig}); }), {"expand", "overflow"});
  expect_says(message_of([&] { taut::eye(kBig); }), {"eye", "overflow"});
  expect_says(message_of([&] { taut::zeros({kBig, kBig, 0}); }), {"zeros", "overflow"});
  expect_says(message_of([&] { taut::ones({1}).expand({kBig}).unfold(0, kBig / 2, 1); }), {"unfold", "overflow"});
  expect_says(message_of([&] { taut::zeros({-1}); }),
              {"zeros", "Trying to create tensor with negative dimension -1: [-1]"});
  expect_says(message_of<OutOfMemory>([&] { taut::empty({int64_t{1} << 50}); }), {"out of memory", "bytes"});
}

// ---- Anomaly mode.

TEST(AnomalyMode, IsOffUnlessAsked) {
  EXPECT_FALSE(autograd::AnomalyMode::is_enabled());
  {
    DetectAnomalyGuard guard;
    EXPECT_TRUE(autograd::AnomalyMode::is_enabled());
    EXPECT_TRUE(autograd::AnomalyMode::should_check_nan());
    {
      DetectAnomalyGuard inner(false);
      EXPECT_FALSE(autograd::AnomalyMode::should_check_nan());
      constant({-1}).sqrt();
    }
    EXPECT_TRUE(autograd::AnomalyMode::should_check_nan());
  }
  EXPECT_FALSE(autograd::AnomalyMode::is_enabled());
  constant({-1}).sqrt();
}

TEST(AnomalyMode, ForwardNamesTheFirstOp) {
  Tensor x = leaf({-1, 4, -9});
  DetectAnomalyGuard guard;
  Tensor y = x * 2;
  const auto step = y.grad_fn()->sequence_nr() + 1;
  expect_says(message_of([&] { y.sqrt(); }),
              {"`sqrt` (step " + std::to_string(step) + ")", "2 nan values", "[3]", "inputs that were finite"});
  expect_says(message_of([&] { constant({1, 0}).log(); }), {"`log`", "1 inf value", "[2]"});
  expect_says(message_of([&] { constant({1, 2}) / constant({0, 1}); }), {"`div`", "1 inf value"});
  expect_says(message_of([&] {
                taut::full({2, 2}, 1e30).mm(taut::full({2, 2}, 1e30));
              }),
              {"`mm`", "4 inf values", "[2, 2]"});
}

TEST(AnomalyMode, ForwardDoesNotBlameAnOpForItsInput) {
  const Tensor bad = constant({std::nan(""), 1});
  DetectAnomalyGuard guard;
  bad * 2;
  bad.sum();
  EXPECT_THROW(constant({-1}).sqrt(), Error);
}

TEST(AnomalyMode, ForwardNoticesInPlaceOps) {
  Tensor x = constant({-1, 4});
  DetectAnomalyGuard guard;
  expect_says(message_of([&] { x.sqrt_(); }), {"`sqrt`", "1 nan value", "[2]"});
}

TEST(AnomalyMode, BackwardNamesTheNodeStepShapeAndCount) {
  Tensor x = leaf({0, 0, 4});
  DetectAnomalyGuard guard;
  Tensor y = x.sqrt(), z = y.sum();
  expect_says(message_of([&] { z.backward({}, true); }),
              {"Function 'SqrtBackward0' returned inf values in its 0th output", step_of(y), "2 non-finite", "[3]"});
  EXPECT_FALSE(x.grad().defined());
  Tensor w = (x.sqrt() * 0).sum();  // inf * 0
  expect_says(message_of([&] { w.backward(); }), {"Function 'SqrtBackward0' returned nan values in its 0th output"});
}

TEST(AnomalyMode, BackwardOfACustomFunction) {
  struct Bad : Function<Bad> {
    static Tensor forward(AutogradContext*, Tensor t) { return t * 1; }
    static variable_list backward(AutogradContext*, variable_list g) {
      return {taut::full(g[0].sizes(), std::nan(""))};
    }
  };
  Tensor x = leaf({1, 2});
  DetectAnomalyGuard guard;
  expect_says(message_of([&] { Bad::apply(x).sum().backward(); }),
              {"Function 'BadBackward' returned nan values", "2 non-finite"});
}

TEST(AnomalyMode, BackwardLooksAtTheGradientsOfAllInputs) {
  DetectAnomalyGuard guard;
  Tensor a = taut::tensor({std::numeric_limits<double>::infinity()}).requires_grad_(), b = leaf({2});
  expect_says(message_of([&] { (a * b).sum().backward(); }), {"returned inf values in its 1th output"});
}

TEST(AnomalyMode, CleanGraphsPass) {
  Tensor x = leaf({1, 2});
  DetectAnomalyGuard guard;
  (x.exp().log() * x).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 4}));
}

// ---- explain_grad.

TEST(ExplainGrad, GradIsDefined) {
  Tensor x = leaf({1, 2});
  (x * 2).sum().backward();
  expect_says(explain_grad(x), {"grad is defined", "[2]", "last added to by backward call"});
  // "... call 7 of 7"; every call counts once.
  const auto call = [&](int word) {
    std::istringstream said(explain_grad(x).substr(explain_grad(x).find("backward call")));
    std::string skipped;
    int64_t n = 0, of = 0;
    said >> skipped >> skipped >> n >> skipped >> of;
    return word == 0 ? n : of;
  };
  const int64_t first = call(0);
  EXPECT_EQ(call(1), first);
  (leaf({1}) * 2).backward();
  EXPECT_EQ(call(0), first);
  EXPECT_EQ(call(1), first + 1);
  (x * 2).sum().backward();
  EXPECT_EQ(call(0), first + 2);
  Tensor y = taut::ones({2});
  y.mutable_grad() = taut::ones({2});
  expect_says(explain_grad(y), {"grad is defined", "set by hand"});
}

TEST(ExplainGrad, Undefined) { expect_says(explain_grad(Tensor()), {"undefined"}); }

TEST(ExplainGrad, DoesNotRequireGrad) {
  expect_says(explain_grad(taut::ones({2})), {"does not require grad", "no input required grad", "requires_grad_()"});
  Tensor x = leaf({1}), y;
  expect_says(explain_grad((x * 2).detach()), {"does not require grad", "`detach` (step "});
  {
    NoGradGuard guard;
    y = x.exp();
  }
  expect_says(explain_grad(y), {"does not require grad", "`exp` (step ", "NoGradGuard"});
  expect_says(explain_grad(x.argmax()), {"`argmax`", "no derivative"});
}

TEST(ExplainGrad, NotALeaf) {
  Tensor x = leaf({1, 2});
  Tensor y = x.exp();
  expect_says(explain_grad(y), {"not a leaf", "`exp`", step_of(y), "[2]", "retain_grad()"});
  y.retain_grad();
  expect_says(explain_grad(y), {"backward was not called"});
}

TEST(ExplainGrad, BackwardWasNotCalled) {
  Tensor x = leaf({1});
  Tensor y = x * 2;
  expect_says(explain_grad(x), {"backward was not called since the tensor was made"});
}

TEST(ExplainGrad, NeverReached) {
  Tensor x = leaf({1}), w = leaf({1});
  (w * 2).backward();
  expect_says(explain_grad(x), {"the last backward did not reach the tensor", "the loss was not computed from it"});
}

TEST(ExplainGrad, CutAtAnOp) {
  Tensor x = leaf({1}), w = leaf({1});
  (x.detach() * w).backward();
  expect_says(explain_grad(x), {"did not reach the tensor", "`detach` (step ", "cut it from the graph"});
  Tensor a = leaf({1});
  ((a * 2).detach() * w).backward();
  expect_says(explain_grad(a), {"did not reach the tensor", "cut at `detach`"});
  Tensor b = leaf({1});
  (b.sign() * 0 + (b > 0).to(kFloat) * w).backward({}, {}, false, TensorList({w}));
  expect_says(explain_grad(b), {"did not reach the tensor", "`gt`", "no derivative"});
}

TEST(ExplainGrad, UsedUnderNoGrad) {
  Tensor x = leaf({1}), w = leaf({1}), y;
  {
    NoGradGuard guard;
    y = x.exp();
  }
  (y * w).backward();
  expect_says(explain_grad(x), {"did not reach the tensor", "`exp` (step ", "NoGradGuard"});
}

TEST(ExplainGrad, WasReset) {
  Tensor x = leaf({1});
  (x * 2).backward();
  x.mutable_grad().reset();
  expect_says(explain_grad(x), {"backward reached the tensor", "reset since"});
}

// ---- A user's exception.

TEST(UserException, ComesOutUnchangedAndTheEngineGoesOn) {
  struct Mine : std::runtime_error {
    Mine() : std::runtime_error("mine"), number(42) {}
    int number;
  };
  struct Throws : Function<Throws> {
    static Tensor forward(AutogradContext* ctx, Tensor t) {
      ctx->save_for_backward({t});
      return t * 1;
    }
    static variable_list backward(AutogradContext* ctx, variable_list g) {
      if (ctx->saved_data["ready"].isNone()) {
        ctx->saved_data["ready"] = true;
        throw Mine();
      }
      return {g[0] * ctx->get_saved_variables()[0]};
    }
  };
  Tensor x = leaf({3}), w = leaf({2});
  Tensor y = Throws::apply(x * w) * w;
  try {
    y.backward({}, true);
    ADD_FAILURE();
  } catch (const Mine& e) {
    EXPECT_EQ(e.number, 42);
  }
  EXPECT_FALSE(x.grad().defined());
  EXPECT_TRUE(GradMode::is_enabled());
  (x * 5).backward();  // another graph
  EXPECT_EQ(values(x.grad()), (Values{5}));
  w.mutable_grad().reset();
  y.backward();  // the same graph again: it was retained
  EXPECT_EQ(values(x.grad()), (Values{5 + 2 * 6 * 2}));
}
