// Bad input, by op family: a typed exception with a message that names the op, and nothing changed. Run under ASan too.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/outcomes.h"
#include "taut/registry.h"
#include "taut/taut.h"

namespace taut {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
const double kNan = std::nan("");

/// What the calls work on; none of them may change it.
struct Inputs {
  Tensor x = tensor({{1.0, -2.0, 3.0}, {0.5, 4.0, -6.0}}), y = tensor({1.0, 2.0}), i = tensor({0, 1, 1}),
         big = tensor({5, -1}), m = tensor({true, false, true}), none;
  Tensor wide = ones({2, 3}).expand({4, 2, 3});
};
struct Case {
  const char* call;
  std::function<void(Inputs&)> run;
};
#define BAD(...)                                                          \
  Case {                                                                  \
#__VA_ARGS__, [](Inputs& in) {                                          \
      [[maybe_unused]] Tensor &x = in.x, &y = in.y, &i = in.i, &big = in.big, &m = in.m, &none = in.none, &wide = in.wide; \
      (void)(__VA_ARGS__);                                                  \
    } \
  }

void expect_all_throw(const std::vector<Case>& cases) {
  ASSERT_GE(cases.size(), 10u);
  std::vector<std::pair<std::string, std::string>> outcomes;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.call);
    Inputs in;
    const Inputs before = {in.x.clone(), in.y.clone(), in.i.clone(), in.big.clone(), in.m.clone(), {}, in.wide.clone()};
    const uint32_t version = in.x._version();
    outcomes.emplace_back(c.call, test::outcome_of([&] { c.run(in); }));
    EXPECT_TRUE(outcomes.back().second != "fine" && !outcomes.back().second.starts_with("std::exception"));
    EXPECT_TRUE(equal(in.x, before.x));
    EXPECT_EQ(in.x._version(), version);
    EXPECT_TRUE(equal(in.y, before.y) && equal(in.i, before.i) && equal(in.big, before.big) && equal(in.m, before.m));
    EXPECT_TRUE(equal(in.wide, before.wide));
  }
  test::expect_outcomes(outcomes);
}

// clang-format off
TEST(BadInput, Pointwise) {
  expect_all_throw({
      BAD(x + y), BAD(x.add_(ones({4, 2, 3}))), BAD(x * none), BAD(none.exp()), BAD(i.add_(1.5)), BAD(i.div_(2)), BAD(m - m), BAD(-m),
      BAD(i.pow(-1)), BAD(x.bitwise_and(x)), BAD(i.div(zeros({3}, kLong), "floor")), BAD(i.remainder_(Scalar(0))), BAD(x.div(y.sum(), "ceil")),
      BAD(x.clamp(std::optional<Scalar>(), std::optional<Scalar>())), BAD(where(x, x, x)), BAD(wide.mul_(2)), BAD(x.lerp(y, 0.5)),
      BAD(polygamma(-1, x)), BAD(i.floor_divide_(Scalar(0))), BAD(x.masked_fill(x, 1.0)), BAD(x.masked_fill(m, y)), BAD(i.add(i, 0.5)),
      BAD(gelu(x, "sigmoid")), BAD(x.isclose(i)), BAD(prelu(x, ones({7}))), BAD(i.sigmoid_()), BAD(x.where(m, none)),
  });
}

TEST(BadInput, Reductions) {
  expect_all_throw({
      BAD(x.sum(2)), BAD(x.sum(kMin)), BAD(x.mean({0, 0})), BAD(i.mean()), BAD(x.max(kMax)), BAD(zeros({0}).max()), BAD(zeros({0, 3}).amax(0)),
      BAD(zeros({0}).argmax()), BAD(none.sum()), BAD(i.var()), BAD(i.norm()), BAD(x.prod(-3)), BAD(x.softmax(2)), BAD(i.softmax(0)),
      BAD(x.logsumexp(5)), BAD(x.any(4)), BAD(ones({3}).trace()), BAD(x.kthvalue(0)), BAD(x.kthvalue(4)), BAD(x.median(9)), BAD(x.quantile(1.5)),
      BAD(x.quantile(0.5, 7)), BAD(x.quantile(tensor({0.5}), 0, false, "cubic")), BAD(m.argmax()), BAD(zeros({0}).median(0)),
  });
}

TEST(BadInput, ScansSortingSearching) {
  expect_all_throw({
      BAD(x.cumsum(2)), BAD(x.cumprod(kMin)), BAD(i.logcumsumexp(0)), BAD(x.cummax(kMax)), BAD(i.cumsum_(1)), BAD(none.cumsum(0)), BAD(x.sort(2)),
      BAD(x.topk(4)), BAD(x.topk(-1)), BAD(x.topk(1, kMin)), BAD(x.argsort(3)), BAD(searchsorted(x, y)), BAD(searchsorted(y, none)), BAD(bucketize(x, x)),
      BAD(x.histc(0)), BAD(x.histc(4, 2, 1)), BAD(x.histc(4, kNan, 1)), BAD(x.bincount()), BAD(big.bincount()), BAD(i.bincount(y)), BAD(i.bincount(std::nullopt, -1)),
      BAD(x.diff(-1)), BAD(x.diff(1, 5)), BAD(x.renorm(0, 0, 1)), BAD(y.renorm(2, 0, 1)), BAD(unique_dim(x, 4)), BAD(ones({}).diff()),
  });
}

TEST(BadInput, Indexing) {
  using namespace indexing;
  expect_all_throw({
      BAD(x[2]), BAD(x[kMin]), BAD(x.index({0, 0, 0})), BAD(x.index({"..."  , "...", 0})), BAD(x.index({Slice(None, None, 0)})), BAD(x.index({tensor({2})})),
      BAD(x.index({tensor({kMin})})), BAD(x.index({m})), BAD(x.index({x})), BAD(x.index({tensor({0, 1}), tensor({0, 1, 2})})), BAD(x.index({none})),
      BAD(x.index_put_({tensor({5})}, 1.0)), BAD(x.index_put_({0}, ones({4}))), BAD(x.index_put_({tensor({0, 1})}, i)), BAD(x.gather(0, tensor({{2}}))),
      BAD(x.gather(0, tensor({{-1}}))), BAD(x.gather(0, y)), BAD(x.gather(2, i)), BAD(x.scatter_(0, tensor({{kMax}}), 1.0)), BAD(x.scatter(0, tensor({{0}}), i.view({1, 3}))),
      BAD(x.scatter_add_(1, tensor({{3}}), ones({1, 1}))), BAD(x.scatter_reduce(0, tensor({{0}}), x, "median")), BAD(x.index_select(0, tensor({2}))),
      BAD(x.index_select(0, x)), BAD(x.index_add_(0, tensor({0, 7}), ones({2, 3}))), BAD(x.index_add_(0, tensor({0}), ones({2, 3}))), BAD(x.index_copy_(1, tensor({kMin}), ones({2, 1}))),
      BAD(x.index_fill_(0, tensor({9}), 1.0)), BAD(x.masked_select(i)), BAD(x.masked_select(tensor({true, false}))), BAD(x.masked_scatter_(m, tensor({1.0}))),
      BAD(x.take(tensor({6}))), BAD(x.take(tensor({-7}))), BAD(x.put_(tensor({6}), tensor({1.0}))), BAD(x.put_(tensor({0}), y)), BAD(x.take_along_dim(i, 0)),
      BAD(wide.index_put_({Slice()}, 1.0)), BAD(none.nonzero()),
  });
}

TEST(BadInput, LinearAlgebra) {
  expect_all_throw({
      BAD(x.mm(x)), BAD(x.mm(y)), BAD(x.matmul(y)), BAD(y.matmul(x.t())), BAD(x.matmul(ones({}))), BAD(x.mm(x.t().to(kDouble))), BAD(x.mv(y)), BAD(y.dot(ones({3}))),
      BAD(x.dot(y)), BAD(x.bmm(x)), BAD(ones({2, 3, 4}).bmm(ones({3, 4, 2}))), BAD(x.outer(y)), BAD(y.addmm(x, x)), BAD(x.addmm(x, ones({3, 4}))),
      BAD(i.view({1, 3}).addmm(i.view({1, 3}), i.view({3, 1}), 0.5)), BAD(einsum("ij,jk", {x})), BAD(einsum("ij,jk->il", {x, x.t()})), BAD(einsum("i.j", {x})),
      BAD(einsum("ijk", {x})), BAD(einsum("ij,ij->ii", {x, x})), BAD(einsum("i1", {x})), BAD(einsum("ij,jk", {x, x})), BAD(tensordot(x, x, {0}, {1})), BAD(tensordot(x, x, {0, 0}, {0, 0})),
      BAD(tensordot(x, x, {kMin}, {0})), BAD(cdist(x, ones({2, 4}))), BAD(cdist(x, x, -1)), BAD(cdist(y, y)), BAD(linear(x, ones({2, 4}))), BAD(matmul(none, x)), BAD(x.mm(none)),
  });
}

TEST(BadInput, ShapesAndViews) {
  expect_all_throw({
      BAD(x.view({4})), BAD(x.view({-1, -1})), BAD(x.view({kMax, kMax})), BAD(x.reshape({-1, 4})), BAD(x.reshape({0, -1})), BAD(x.t().view({6})), BAD(x.expand({2})),
      BAD(x.expand({2, 2, 4})), BAD(x.expand({-1, 2, 3})), BAD(x.permute({0})), BAD(x.permute({0, 0})), BAD(x.transpose(0, 2)), BAD(x.squeeze(kMin)), BAD(x.unsqueeze(4)),
      BAD(x.narrow(0, 1, 2)), BAD(x.narrow(0, kMin, 1)), BAD(x.narrow(0, 0, kMax)), BAD(x.select(0, 2)), BAD(x.slice(0, 0, 2, 0)), BAD(x.split(-1)), BAD(x.split({1, 2})), BAD(x.chunk(0)),
      BAD(x.as_strided({2, 3}, {3})), BAD(x.as_strided({100}, {1})), BAD(x.as_strided({2}, {kMax})), BAD(x.as_strided({2}, {1}, -1)), BAD(x.unfold(0, 3, 1)), BAD(x.unfold(0, 1, 0)),
      BAD(x.diagonal(0, 0, 0)), BAD(x.flatten(1, 0)), BAD(x.unflatten(0, {3, 3})), BAD(x.movedim(0, 5)), BAD(ones({2, 2, 2}).t()), BAD(x.view(ScalarType::Bool).view(kDouble)),
  });
}

TEST(BadInput, JoiningAndRearranging) {
  expect_all_throw({
      BAD(cat({})), BAD(cat({x, y})), BAD(cat({x, x}, 2)), BAD(cat({x, none})), BAD(stack({x, y})), BAD(stack({})), BAD(stack({x}, kMin)), BAD(x.repeat({2})), BAD(x.repeat({-1, 2})),
      BAD(x.repeat({kMax, kMax})), BAD(x.tile({kMax, 2})), BAD(x.repeat_interleave(-1)), BAD(x.repeat_interleave(big, 0)), BAD(x.flip({0, 0})), BAD(x.flip({7})), BAD(x.roll({1, 2}, {0})),
      BAD(x.rot90(1, {0})), BAD(y.tril()), BAD(pad(x, {1})), BAD(pad(x, {kMax, 0})), BAD(pad(x, {-4, 0})), BAD(pad(x, {9, 0}, "reflect")), BAD(pad(x, {1, 1}, "mirror")), BAD(one_hot(x)),
      BAD(one_hot(i, 1)), BAD(one_hot(big)), BAD(meshgrid({x, x})), BAD(ones({1, 1, 1}).diag()), BAD(meshgrid({y}, "zz")),
  });
}

TEST(BadInput, FactoriesAndRandomNumbers) {
  expect_all_throw({
      BAD(zeros({-1})), BAD(zeros({kMax, kMax})), BAD(empty({kMax})), BAD(ones({int64_t{1} << 40, int64_t{1} << 40})), BAD(arange(0, 1, 0)), BAD(arange(0, 10, -1)), BAD(arange(0, kNan, 1)),
      BAD(arange(0.0, std::numeric_limits<double>::infinity(), 1.0)), BAD(linspace(0, 1, -1)), BAD(eye(-1)), BAD(full({2}, 300, kByte)), BAD(tensor({{1.0, 2.0}, {3.0}})), BAD(randint(5, 5, {2})),
      BAD(randperm(-1)), BAD(randint(kMax, kMin, {2})), BAD(x.uniform_(1, 0)), BAD(x.uniform_(0, kNan)), BAD(x.normal_(0, -1)), BAD(x.bernoulli_(1.5)), BAD(x.bernoulli_(kNan)),
      BAD(x.exponential_(-1)), BAD(x.multinomial(1)), BAD(zeros({3}).multinomial(1)), BAD(y.multinomial(3)), BAD(y.multinomial(0)), BAD(dropout(x, 2.0, true)), BAD(wide.uniform_()),
      BAD(empty_strided({2}, {1, 1})), BAD(empty_strided({2, 2}, {kMax, 1})), BAD(from_blob(nullptr, {2})), BAD(default_generator().set_state(x)), BAD(zeros({2}, dtype(kLong).requires_grad(true))),
  });
}

TEST(BadInput, Autograd) {
  expect_all_throw({
      BAD(x.backward()), BAD(i.requires_grad_()), BAD(x.register_hook([](Tensor g) { return g; })), BAD(x.retain_grad()), BAD(none.requires_grad_()), BAD(autograd::grad({x}, {})),
      BAD(autograd::grad({x.sum()}, {x})), BAD(autograd::grad({x.detach().requires_grad_().sum()}, {x})), BAD(x.detach().requires_grad_().exp().backward()),
      BAD(x.detach().requires_grad_().exp().backward(y)), BAD(autograd::backward({none})), BAD(x.detach().requires_grad_().add_(1)), BAD(x.detach().requires_grad_()[0].mul_(2)),
      BAD(autograd::forward_ad::make_dual(x, x)), BAD(autograd::jvp([](const autograd::variable_list& v) { return v; }, {x}, {y})), BAD(x._base()),
      BAD(autograd::gradcheck([](const autograd::variable_list& v) { return v; }, {i})),
  });
}

// ---- What each check says. A row is a part of the message, and a call.

struct Said {
  const char* words;
  std::function<void()> call;
};
#define SAYS(words, ...) Said{words, [] { (void)(__VA_ARGS__); }}

void expect_all_say(const std::vector<Said>& rows) {
  for (const auto& [words, call] : rows) {
    SCOPED_TRACE(words);
    try {
      call();
      ADD_FAILURE() << "no exception";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  }
}

Tensor f(std::vector<int64_t> sizes) { return ones(sizes); }
Tensor l(std::vector<int64_t> sizes) { return zeros(sizes, kLong); }

TEST(BadInput, LossesSayWhatIsWrong) {
  expect_all_say({
      SAYS("size mismatch (got input: [3], target: [2])", nll_loss(f({3}), l({2}))),
      SAYS("only batches of spatial inputs supported (4D tensors), but got input of dimension: 3", nll_loss2d(f({2, 3, 4}), l({2, 4, 4}))),
      SAYS("multi_margin_loss: Expected non-empty vector or matrix with optional 0-dim batch size, but got: [2, 3, 4]", multi_margin_loss(f({2, 3, 4}), l({2}))),
      SAYS("multi_margin_loss: Expected non-empty vector or matrix with optional 0-dim batch size, but got: [2, 0]", multi_margin_loss(f({2, 0}), l({2}))),
      SAYS("multi_margin_loss: Expected non-empty vector or matrix with optional 0-dim batch size, but got: [0]", multi_margin_loss(f({0}), l({1}))),
      SAYS("inconsistent weight size, expected 3 but got [2]", multi_margin_loss(f({2, 3}), l({2}), 1, 1, f({2}))),
      SAYS("inconsistent weight size, expected 3 but got [3, 1]", multi_margin_loss(f({2, 3}), l({2}), 1, 1, f({3, 1}))),
      SAYS("multilabel_margin_loss: Expected non-empty vector or matrix with optional 0-dim batch size, but got: [0]", multilabel_margin_loss(f({0}), l({0}))),
      SAYS("multilabel_margin_loss: Expected non-empty vector or matrix with optional 0-dim batch size, but got: [1, 2, 3]", multilabel_margin_loss(f({1, 2, 3}), l({1, 2, 3}))),
      SAYS("Target 3 is out of bounds", multilabel_margin_loss(f({3}), full({3}, 3, kLong))),
      SAYS("Target -2 is out of bounds", multilabel_margin_loss(f({3}), full({3}, -2, kLong))),
      SAYS("ctc_loss: expected floating-point log_probs, got int64", ctc_loss(l({4, 1, 3}), l({1, 1}), {4}, {1})),
      SAYS("ctc_loss: expected log_probs of shape [T, N, C] or [T, C], got [3]", ctc_loss(f({3}), l({1, 1}), {4}, {1})),
      SAYS("expected an input with classes in its last dimension, got a 0-d tensor", multilabel_soft_margin_loss(f({}), f({}))),
      SAYS("expected vectors, got 0-d tensors", triplet_margin_loss(f({}), f({}), f({}))),
      SAYS("softshrink: lambda must be finite, but found to be inf", softshrink(f({2}), INFINITY)),
  });
}

TEST(BadInput, CopiesAndFillsSayWhatIsWrong) {
  expect_all_say({
      SAYS("the preserve memory format is not supported by contiguous()", f({2}).contiguous(MemoryFormat::Preserve)),
      SAYS("copy_: output with shape [1, 3] doesn't match the broadcast shape [2, 3]", f({1, 3}).copy_(f({2, 3}))),
      SAYS("fill_: only supports 0-dimension value tensor but got tensor with 1 dimensions.", f({2}).fill_(f({1}))),
      SAYS("fill_diagonal_: dimensions must larger than 1, got shape [3]", f({3}).fill_diagonal_(1)),
      SAYS("fill_diagonal_: all dimensions of input must be of equal length, got [2, 2, 3]", f({2, 2, 3}).fill_diagonal_(1)),
      SAYS("data set to a tensor that requires gradients must be floating point dtype, got int64", f({2}).requires_grad_().set_data(l({2}))),
      SAYS("resize_: cannot resize variables that require grad", f({2}).requires_grad_().resize_({3})),
      SAYS("clamp_: At least one of 'min' or 'max' must not be None", f({2}).clamp_(std::optional<Scalar>(), std::optional<Scalar>())),
      SAYS("clamp_: At least one of 'min' or 'max' must not be None", f({2}).clamp_(std::optional<Tensor>(), std::optional<Tensor>())),
      SAYS("size: Dimension specified as 0 but tensor has no dimensions", f({}).size(0)),
      SAYS("stride: Dimension specified as 0 but tensor has no dimensions", f({}).stride(0)),
      SAYS("a Tensor with 2 elements cannot be converted to Scalar", f({2}).item()),
      SAYS("Boolean value of Tensor with no values is ambiguous", f({0}).is_nonzero()),
      SAYS("Boolean value of Tensor with more than one value is ambiguous: its shape is [2]", f({2}).is_nonzero()),
      SAYS("view: the dtype is undefined", f({2}).view(ScalarType::Undefined)),
      SAYS("unflatten() cannot be applied to a 0-dim tensor.", f({}).unflatten(0, {1})),
      SAYS("split_with_sizes: split expects at least a 1-dimensional tensor", f({}).split(IntArrayRef({1}))),
      SAYS("repeat_interleave: repeats must be 0-dim or 1-dim tensor, got shape [1, 2]", f({2}).repeat_interleave(l({1, 2}))),
      SAYS("cannot compute aminmax over an empty dimension", f({0}).aminmax()),
      SAYS("Unrecognised padding mode mirror", pad(f({2, 3}), {1, 1}, "mirror")),
  });
}

TEST(BadInput, IndexingSaysWhatIsWrong) {
  expect_all_say({
      SAYS("The size of tensor a (4) must match the size of tensor b (3)", f({2, 3}).index_put_({l({2})}, f({4}))),
      SAYS("shape mismatch: value tensor of shape [5, 2, 3] cannot be broadcast to indexing result of shape [2, 3]", f({2, 3}).index_put_({l({2})}, f({5, 2, 3}))),
      SAYS("Index tensor must have the same number of dimensions as input tensor, got [2] and [2, 3]", f({2, 3}).gather(0, l({2}))),
      SAYS("Size does not match at dimension 0 expected index [3, 1] to be no larger than self [2, 3] apart from dimension 1", f({2, 3}).gather(1, l({3, 1}))),
      SAYS("Index tensor must have the same number of dimensions as src tensor, got [1, 1] and [1]", f({2, 3}).scatter(0, l({1, 1}), f({1}))),
      SAYS("Expected index [2, 2] to be no larger than src [2, 1]", f({2, 3}).scatter(0, l({2, 2}), f({2, 1}))),
      SAYS("index_add(): Index is supposed to be a vector, but got dim: 2", f({2, 3}).index_add(0, l({1, 1}), f({1, 3}))),
      SAYS("Source has shape [3] and self [2, 3]: they must have as many dimensions", f({2, 3}).index_add(0, l({1}), f({3}))),
      SAYS("source tensor shape must match self tensor shape, excluding the specified dimension", f({2, 3}).index_add(0, l({1}), f({1, 2}))),
      SAYS("index_copy", f({2, 3}).index_copy(0, l({1}), f({1, 2}))), SAYS("index_copy_", f({2, 3}).index_copy_(0, l({1}), f({1, 2}))),
      SAYS("reduce argument must be either add or multiply, got mean", f({2, 3}).scatter(0, l({1, 1}), f({1, 1}), "mean")),
      SAYS("index_select(): Index is supposed to be a vector, got shape [1, 1]", f({2, 3}).index_select(0, l({1, 1}))),
      SAYS("index_select(): Index to scalar can have only 1 value, got 2 value(s)", f({}).index_select(0, l({2}))),
      SAYS("index_fill(): Index has to be a vector/scalar, got shape [1, 1]", f({2, 3}).index_fill(0, l({1, 1}), 1)),
      SAYS("index_fill(): Only supports 0-dimensional value tensor, but got tensor with 1 dimension(s).", f({2, 3}).index_fill(0, l({1}), f({1}))),
      SAYS("take(): tried to take from an empty tensor", f({0}).take(l({1}))),
      SAYS("more than 14 index tensors are not supported", f({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}).index(std::vector<indexing::TensorIndex>(15, l({1})))),
  });
}

TEST(BadInput, LinearAlgebraSaysWhatIsWrong) {
  expect_all_say({
      SAYS("dot: expected both vectors to have same dtype, but found float32 and float64", f({2}).dot(f({2}).to(kDouble))),
      SAYS("vec2", f({2}).outer(f({2, 2}))), SAYS("vec1", f({2, 2}).addr(f({2, 2}), f({2}))), SAYS("vec2", f({2, 2}).addr(f({2}), f({2, 2}))),
      SAYS("the last dimension must match on both input tensors but got shapes [2, 3] and [2]", f({2, 3}).inner(f({2}))),
      SAYS("self and mat1 must have the same dtype, but got float64 and float32", f({2, 2}).to(kDouble).addmm(f({2, 2}), f({2, 2}))),
      SAYS("the input of shape [3, 2, 2] cannot be expanded to [2, 2]", f({3, 2, 2}).addmm(f({2, 2}), f({2, 2}))),
      SAYS("batch1", f({2, 2}).baddbmm(f({2, 2}), f({1, 2, 2}))), SAYS("batch2", f({2, 2}).baddbmm(f({1, 2, 2}), f({2, 2}))),
      SAYS("baddbmm: the batches have 2 and 3 matrices", f({2, 2}).baddbmm(f({2, 2, 2}), f({3, 2, 2}))),
      SAYS("batch1", f({2, 2}).addbmm(f({2, 2}), f({1, 2, 2}))), SAYS("batch2", f({2, 2}).addbmm(f({1, 2, 2}), f({2, 2}))),
      SAYS("addbmm: the batches have 2 and 3 matrices", f({2, 2}).addbmm(f({2, 2, 2}), f({3, 2, 2}))),
      SAYS("size mismatch, got input ([2]), mat (2x3), vec (2)", f({2}).addmv(f({2, 3}), f({2}))),
      SAYS("addr: the input of shape [3, 2, 2] cannot be expanded to [2, 2]", f({3, 2, 2}).addr(f({2}), f({2}))),
      SAYS("linear: weight must be 1-D or 2-D, got shape [1, 2, 3]", linear(f({2, 3}), f({1, 2, 3}))),
      SAYS("both dimension lists should have same length, got [0] and [0, 1]", tensordot(f({2, 2}), f({2, 2}), {0}, {0, 1})),
      SAYS("cdist only supports floating-point dtypes, got int64 and float32", cdist(l({2, 2}), f({2, 2}))),
      SAYS("cdist: compute_mode must be 0", cdist(f({2, 2}), f({2, 2}), 2, 3)), SAYS("cdist: compute_mode must be 0", cdist(f({2, 2}), f({2, 2}), 2, -1)),
      SAYS("found more than one ellipsis in one operand", einsum("......i", {f({2})})), SAYS("must provide at least one operand", einsum("", {})),
      SAYS("more operands were provided than specified in the equation i: 2 and 1", einsum("i", {f({2}), f({2})})),
      SAYS("fewer operands were provided than specified in the equation i,j: 1 and 2", einsum("i,j", {f({2})})),
      SAYS("a subscript is repeated for operand 0 but the sizes don't match, 1 != 3", einsum("ii", {f({1, 3})})),
      SAYS("bilinear(): input dimensions do not match: got [2, 3] and [3]", bilinear(f({2, 3}), f({3}), f({4, 3, 3}))),
      SAYS("bilinear(): weight must be 3-D (out x in1 x in2), got shape [4, 3]", bilinear(f({2, 3}), f({2, 3}), f({4, 3}))),
      SAYS("bilinear(): input2 size does not match weight size: got 2 but expected 3", bilinear(f({2, 3}), f({2, 2}), f({4, 3, 3}))),
      SAYS("bilinear(): bias size does not match weight size: got [3] but expected 4", bilinear(f({2, 3}), f({2, 3}), f({4, 3, 3}), f({3}))),
      SAYS("pdist only supports floating-point dtypes, got int64", pdist(l({2, 3}))),
      SAYS("linalg.vector_norm cannot compute the -inf norm on an empty tensor", f({0}).norm(-INFINITY)),
  });
}

TEST(BadInput, SortingAndSearchingSayWhatIsWrong) {
  expect_all_say({
      SAYS("quantile() input tensor must be either float or double dtype, got int64", l({2}).quantile(0.5)),
      SAYS("quantile() q must be a scalar or 1D tensor, got shape [1, 1]", f({2}).quantile(f({1, 1}))),
      SAYS("quantile() q tensor must be same dtype as the input tensor, got float64 and float32", f({2}).quantile(f({1}).to(kDouble))),
      SAYS("quantile() input tensor must be non-empty", f({0}).quantile(0.5)),
      SAYS("quantile() q values must be in the range [0, 1]", f({2}).quantile(f({1}) * 1.5)), SAYS("quantile() q values must be in the range [0, 1]", f({2}).quantile(f({1}) * -0.5)),
      SAYS("side can only be 'left' or 'right' but got middle", searchsorted(f({2}), f({1}), false, false, "middle")),
      SAYS("side and right can't be set to opposites", searchsorted(f({2}), f({1}), false, true, "left")),
      SAYS("the boundaries tensor should have positive dimension, but got 0 dimension", searchsorted(f({}), f({1}))),
      SAYS("boundary and sorter must have the same size, but got boundary tensor [2] and got sorter tensor [3]", searchsorted(f({2}), f({1}), false, false, std::nullopt, l({3}))),
      SAYS("sorter must be a tensor of long dtype but got dtype float32", searchsorted(f({2}), f({1}), false, false, std::nullopt, f({2}))),
      SAYS("histc: not implemented for 'int64'", l({2}).histc(2)), SAYS("would need too many bins", full({1}, int64_t{1} << 40).bincount()),
      SAYS("unique_dim: the input must have at least one dimension", unique_dim(f({}), 0)),
      SAYS("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied: shape [2, 0]", unique_dim(f({2, 0}), 0)),
      SAYS("renorm: expected maxnorm to be >= 0 but got -1", f({2, 2}).renorm(2, 0, -1)),
  });
}

TEST(BadInput, LayersSayWhatIsWrong) {
  expect_all_say({
      SAYS("Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [3, 4]", conv2d(f({3, 4}), f({2, 3, 1, 1}))),
      SAYS("Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input", col2im(f({4}), {3, 3}, {2, 2}, {1, 1}, {0, 0}, {1, 1})),
      SAYS("output_size must be positive, got [0, 3]", col2im(f({1, 4, 4}), {0, 3}, {2, 2}, {1, 1}, {0, 0}, {1, 1})),
      SAYS("kernel size should be greater than zero", col2im(f({1, 4, 4}), {3, 3}, {0, 2}, {1, 1}, {0, 0}, {1, 1})),
      SAYS("embedding_bag: mode has to be 0 (sum), 1 (mean) or 2 (max), got 3", embedding_bag(f({4, 2}), l({2}), l({1}), false, 3)),
      SAYS("embedding_bag: mode has to be 0 (sum), 1 (mean) or 2 (max), got -1", embedding_bag(f({4, 2}), l({2}), l({1}), false, -1)),
      SAYS("embedding_bag: input has to be a 1D Tensor, got shape [2, 1]", embedding_bag(f({4, 2}), l({2, 1}), l({1}))),
      SAYS("embedding_bag: offsets has to be a 1D Tensor, got shape [1, 1]", embedding_bag(f({4, 2}), l({2}), l({1, 1}))),
      SAYS("embedding_bag: If per_sample_weights ([3]) is not None, then it must have the same shape as the input ([2])", embedding_bag(f({4, 2}), l({2}), l({1}), false, 0, false, f({3}))),
      SAYS("embedding_bag: per_sample_weights must have the dtype of weight, float32, but is float64", embedding_bag(f({4, 2}), l({2}), l({1}), false, 0, false, f({2}).to(kDouble))),
      SAYS("padding_idx must be within the number of embeddings, -4 through 3 but got 4", embedding_bag(f({4, 2}), l({2}), l({1}), false, 0, false, std::nullopt, false, 4)),
      SAYS("padding_idx must be within the number of embeddings, -4 through 3 but got -5", embedding_bag(f({4, 2}), l({2}), l({1}), false, 0, false, std::nullopt, false, -5)),
      SAYS("expected an input of at least 2 dimensions (batch, channels), got shape [3]", batch_norm(f({3}), {}, {}, {}, {}, true, 0.1, 1e-5)),
      SAYS("instance_norm: expected an input of at least 2 dimensions, got shape [3]", instance_norm(f({3}), {}, {}, {}, {}, true, 0.1, 1e-5)),
      SAYS("Expected running_mean and running_var to be defined when use_input_stats is false", instance_norm(f({2, 3, 4}), {}, {}, {}, {}, false, 0.1, 1e-5)),
      SAYS("layer_norm: ", layer_norm(f({2, 3}), {3}, f({3}).to(kDouble))), SAYS("layer_norm: ", layer_norm(f({2, 3}), {3}, f({3}), f({3}).to(kDouble))),
      SAYS("Expected 3D or 4D tensor, but got [2, 3]", adaptive_avg_pool2d(f({2, 3}), {1, 1})),
      SAYS("max_pool2d: Expected", max_pool2d(f({1, 2, 0, 4}), {2, 2})), SAYS("max_pool2d: Expected", max_pool2d(f({1, 2, 4, 0}), {2, 2})),
      SAYS("It is expected output_size equals to 1, but got size 2", upsample_nearest1d(f({1, 2, 3}), IntArrayRef({2, 2}))),
      SAYS("Expected a 3-D input (batch, channels, and 1 spatial dimensions), got shape [2, 3]", upsample_nearest1d(f({2, 3}), IntArrayRef({2}))),
      SAYS("Non-empty 3D data tensor expected but got a tensor with sizes [1, 0, 3]", upsample_nearest1d(f({1, 0, 3}), IntArrayRef({2}))),
      SAYS("pixel_unshuffle expects input to have at least 3 dimensions, but got input with 2 dimension(s)", pixel_unshuffle(f({2, 2}), 1)),
      SAYS("channel_shuffle expects input with > 2 dims, but got input with sizes [2, 2]", channel_shuffle(f({2, 2}), 1)),
      SAYS("expected 4D input and grid with same number of dimensions", grid_sampler_2d(f({1, 1, 2, 2}), f({1, 2, 2}), 0, 0, false)),
      SAYS("interpolation_mode must be 0 (bilinear), 1 (nearest) or 2 (bicubic), got 3", grid_sampler_2d(f({1, 1, 2, 2}), f({1, 2, 2, 2}), 3, 0, false)),
      SAYS("interpolation_mode must be 0 (bilinear), 1 (nearest) or 2 (bicubic), got -1", grid_sampler_2d(f({1, 1, 2, 2}), f({1, 2, 2, 2}), -1, 0, false)),
      SAYS("padding_mode must be 0 (zeros), 1 (border) or 2 (reflection), got 3", grid_sampler_2d(f({1, 1, 2, 2}), f({1, 2, 2, 2}), 0, 3, false)),
      SAYS("padding_mode must be 0 (zeros), 1 (border) or 2 (reflection), got -1", grid_sampler_2d(f({1, 1, 2, 2}), f({1, 2, 2, 2}), 0, -1, false)),
      SAYS("bicubic interpolation only supports 4D input", grid_sampler_3d(f({1, 1, 2, 2, 2}), f({1, 2, 2, 2, 3}), 2, 0, false)),
  });
}

// clang-format on

// clang-format off
TEST(BadInput, OpsAtTheirBoundsAndBeyond) {
  using namespace indexing;
  const Tensor x = f({2, 3}), y = f({3}), b = ones({3}, kBool);
  test::expect_outcomes({
      OUTCOME(mse_loss(x, x, 3)), OUTCOME(mse_loss(x, x, -1)), OUTCOME(mse_loss(x, x, 0)), OUTCOME(mse_loss(x, x, 2)), OUTCOME(smooth_l1_loss(x, x, 1, 0)), OUTCOME(smooth_l1_loss(x, x, 1, -0.1)), OUTCOME(huber_loss(x, x, 1, 0)),
      OUTCOME(huber_loss(x, x, 1, 0.1)),
      OUTCOME(binary_cross_entropy(x, x)), OUTCOME(binary_cross_entropy(x * 1.1, x)), OUTCOME(binary_cross_entropy(x * -0.1, x)), OUTCOME(binary_cross_entropy(x * 0, x)), OUTCOME(binary_cross_entropy(x, y)),
      OUTCOME(l1_loss(l({2}), l({2}))), OUTCOME(kl_div(x, y)),
      OUTCOME(cosine_embedding_loss(x, x, y)), OUTCOME(cosine_embedding_loss(x, x, f({2, 1}))), OUTCOME(cosine_embedding_loss(y, y, f({}))), OUTCOME(cosine_embedding_loss(y, y, y)), OUTCOME(cosine_embedding_loss(x, x, f({}))),
      OUTCOME(triplet_margin_loss(x, x, y)), OUTCOME(triplet_margin_loss(y, y, y)), OUTCOME(multilabel_soft_margin_loss(y, y)),
      OUTCOME(gaussian_nll_loss(x, x, f({2, 1}))), OUTCOME(gaussian_nll_loss(x, x, f({1, 3}))), OUTCOME(gaussian_nll_loss(x, x, f({3}))), OUTCOME(gaussian_nll_loss(x, x, x * 0)),
      OUTCOME(x.index({l({2})})), OUTCOME(x.index({0, 1, 2})), OUTCOME(x.index({0, 2})), OUTCOME(x.index({0, 3})), OUTCOME(x.index({0, -3})), OUTCOME(x.index({0, -4})), OUTCOME(x.index({1})), OUTCOME(x.index({-2})), OUTCOME(x.index({-3})),
      OUTCOME(x.index({Slice(None, None, 1)})), OUTCOME(x.index({Slice(None, None, 0)})), OUTCOME(x.index({zeros({2}, kBool)})), OUTCOME(x.index({zeros({3}, kBool)})), OUTCOME(x.index({zeros({2, 3}, kBool)})),
      OUTCOME(x.index({zeros({2, 3, 1}, kBool)})), OUTCOME(x.index({None, None, 0})), OUTCOME(x.index({"...", 2})), OUTCOME(x.index({"...", 3})),
      OUTCOME(x.gather(1, l({2, 1}))), OUTCOME(x.gather(1, l({3, 1}))), OUTCOME(x.gather(0, l({5, 3}))), OUTCOME(x.gather(0, l({5, 4}))), OUTCOME(x.gather(1, l({2}))), OUTCOME(f({}).gather(0, l({}))), OUTCOME(f({}).gather(0, l({1}))),
      OUTCOME(x.scatter(1, l({2, 1}), f({2, 1}))), OUTCOME(x.scatter(1, l({2, 2}), f({2, 1}))), OUTCOME(x.scatter(0, l({1, 4}), f({1, 4}))), OUTCOME(x.scatter(0, l({3, 3}), f({3, 3}))), OUTCOME(x.scatter(0, l({1, 1}), f({1, 1}), "add")),
      OUTCOME(x.scatter_reduce(0, l({1, 1}), f({1, 1}), "amin")), OUTCOME(x.scatter_reduce(0, l({1, 1}), f({1, 1}), "max")),
      OUTCOME(x.index_add(0, l({1}), f({1, 3}))), OUTCOME(x.index_add(0, l({2}), f({1, 3}))), OUTCOME(x.index_add(0, l({}), f({1, 3}))), OUTCOME(x.index_add(0, l({1, 1}), f({1, 3}))), OUTCOME(x.index_select(0, l({}))),
      OUTCOME(x.index_select(0, l({1, 1}))), OUTCOME(f({}).index_select(0, l({1}))), OUTCOME(f({}).index_select(0, l({2}))), OUTCOME(x.index_fill(0, l({}), 1)), OUTCOME(x.index_fill(0, l({1, 1}), 1)),
      OUTCOME(x.index_fill(0, l({1}), f({}))), OUTCOME(x.masked_fill(ones({3}, kBool), f({}))), OUTCOME(x.masked_fill(ones({2}, kBool), 1)), OUTCOME(x.masked_scatter(ones({2, 3}, kBool), f({6}))),
      OUTCOME(x.masked_scatter(ones({2, 3}, kBool), f({5}))), OUTCOME(x.masked_scatter(ones({2, 3}, kBool), l({6}))),
      OUTCOME(x.take(full({1}, 5, kLong))), OUTCOME(x.take(full({1}, 6, kLong))), OUTCOME(x.take(full({1}, -6, kLong))), OUTCOME(x.take(full({1}, -7, kLong))), OUTCOME(f({0}).take(l({0}))), OUTCOME(f({0}).take(l({1}))),
      OUTCOME(x.put(l({1}), f({1}))), OUTCOME(x.put(l({2}), f({1}))), OUTCOME(x.take_along_dim(l({2, 1}), 1)), OUTCOME(x.take_along_dim(l({2}), 1)), OUTCOME(x.take_along_dim(l({6}))), OUTCOME(x.take_along_dim(zeros({2, 1}, kInt), 1)),
      OUTCOME(x.add(x, true)), OUTCOME(l({2}).add(l({2}), 0.5)), OUTCOME(l({2}).add(l({2}), 2)), OUTCOME(l({2}).pow(0)), OUTCOME(l({2}).pow(-1)), OUTCOME(x.pow(-1)), OUTCOME(l({2}).pow_(0.5)), OUTCOME(b.pow_(2)), OUTCOME(b.pow_(true)),
      OUTCOME(x.div(x, "trunc")), OUTCOME(x.div(x, "floor")), OUTCOME(x.div(x, "round")), OUTCOME(b.sub(b)), OUTCOME(b.sub(x)), OUTCOME(x.sub(true)), OUTCOME(b.neg()), OUTCOME(x.neg()), OUTCOME(x.float_power_(2)),
      OUTCOME(x.to(kDouble).float_power_(2)),
      OUTCOME(x.lerp(x, 0.5)), OUTCOME(x.lerp(x.to(kDouble), 0.5)), OUTCOME(x.lerp(x, x.to(kDouble))), OUTCOME(x.lerp(x, full({}, 0.5, kDouble))), OUTCOME(l({2}).lerp(l({2}), 0.5)), OUTCOME(polygamma(0, x)), OUTCOME(polygamma(-1, x)),
      OUTCOME(x.isclose(x, 0, 0)), OUTCOME(x.isclose(x, -1e-9, 0)), OUTCOME(x.isclose(x, 0, -1e-9)), OUTCOME(x.heaviside(x)), OUTCOME(x.heaviside(l({3}))), OUTCOME(where(ones({3}, kByte), x, x)), OUTCOME(where(l({3}), x, x)),
      OUTCOME(x.clamp(std::optional<Scalar>(1), std::optional<Scalar>())), OUTCOME(x.clamp(std::optional<Scalar>(), std::optional<Scalar>(1))),
      OUTCOME(x.fill_diagonal_(1)), OUTCOME(y.fill_diagonal_(1)), OUTCOME(f({2, 2, 2}).fill_diagonal_(1)), OUTCOME(f({2, 2, 3}).fill_diagonal_(1)), OUTCOME(x.fill_(f({}))), OUTCOME(x.fill_(f({1}))), OUTCOME(x.copy_(f({3}))),
      OUTCOME(x.copy_(f({2}))), OUTCOME(x.copy_(f({1, 2, 3}))), OUTCOME(x.contiguous(MemoryFormat::Contiguous)),
      OUTCOME(f({2}).bernoulli_(f({2}))), OUTCOME(f({2}).bernoulli_(f({3}))), OUTCOME(f({2}).bernoulli_(f({1, 2}))), OUTCOME(f({2}).bernoulli_(0)), OUTCOME(f({2}).bernoulli_(1)), OUTCOME(f({2}).bernoulli_(1.01)),
      OUTCOME(f({2}).bernoulli_(-0.01)), OUTCOME(bernoulli(f({2}) * 1.01)), OUTCOME(randperm(0)), OUTCOME(randperm(-1)), OUTCOME(normal(f({2}), f({2}) * 0)), OUTCOME(normal(f({2}), f({2}) * -0.1)), OUTCOME(f({2}).normal_(0, 0)),
      OUTCOME(f({2}).normal_(0, -0.1)), OUTCOME(f({2}).uniform_(1, 1)), OUTCOME(f({2}).uniform_(1, 0.9)), OUTCOME(f({2}).exponential_(1e-3)), OUTCOME(f({2}).exponential_(0)), OUTCOME(f({2}).geometric_(0.5)), OUTCOME(f({2}).geometric_(0)),
      OUTCOME(f({2}).geometric_(1)), OUTCOME(f({2}).cauchy_(0, 0)), OUTCOME(f({2}).cauchy_(0, 1e-3)), OUTCOME(f({2}).log_normal_(0, 0)), OUTCOME(f({2}).log_normal_(0, 1e-3)),
      OUTCOME(randint(0, 1, {2})), OUTCOME(randint(0, 0, {2})), OUTCOME(randint(1, 0, {2})), OUTCOME(l({2}).random_(0, 1)), OUTCOME(l({2}).random_(0, 0)), OUTCOME(l({2}).random_(1)), OUTCOME(l({2}).random_(0)),
      OUTCOME(zeros({2}, kByte).random_(0, 256)), OUTCOME(zeros({2}, kByte).random_(0, 257)), OUTCOME(zeros({2}, kChar).random_(-128, 128)), OUTCOME(zeros({2}, kChar).random_(-129, 128)), OUTCOME(zeros({2}, kBool).random_(0, 2)),
      OUTCOME(zeros({2}, kBool).random_(0, 3)),
      OUTCOME(y.multinomial(3)), OUTCOME(y.multinomial(4)), OUTCOME(y.multinomial(4, true)), OUTCOME(y.multinomial(0)), OUTCOME(x.multinomial(1)), OUTCOME(f({1, 2, 3}).multinomial(1)), OUTCOME(f({}).multinomial(1)),
      OUTCOME((y * 0).multinomial(1)), OUTCOME(l({3}).multinomial(1)), OUTCOME(dropout(x, 1, true)), OUTCOME(dropout(x, 1.01, true)), OUTCOME(dropout(x, -0.01, true)), OUTCOME(dropout(l({2}), 0.5, true)),
      OUTCOME(feature_dropout(x, 0.5, true)), OUTCOME(feature_dropout(y, 0.5, true)), OUTCOME(alpha_dropout(x, 1.01, true)), OUTCOME(rrelu(x, 0.5, 0.5)), OUTCOME(rrelu(x, 0.6, 0.5)), OUTCOME(rrelu(x, -INFINITY, 0.5)),
      OUTCOME(rrelu(x, 0, INFINITY)), OUTCOME(rrelu(l({2}))),
      OUTCOME(x.topk(3)), OUTCOME(x.topk(4)), OUTCOME(x.topk(0)), OUTCOME(x.topk(-1)), OUTCOME(f({}).topk(1)), OUTCOME(f({}).topk(2)), OUTCOME(x.kthvalue(1)), OUTCOME(x.kthvalue(3)), OUTCOME(x.kthvalue(0)), OUTCOME(x.kthvalue(4)),
      OUTCOME(f({}).kthvalue(1)), OUTCOME(f({}).kthvalue(2)), OUTCOME(x.quantile(0)), OUTCOME(x.quantile(1)), OUTCOME(x.quantile(1.01)), OUTCOME(x.quantile(-0.01)), OUTCOME(x.quantile(f({2}))), OUTCOME(x.quantile(f({1, 1}))),
      OUTCOME(x.quantile(f({2}) * 1.01)), OUTCOME(x.quantile(f({0}))), OUTCOME(x.quantile(0.5, 1, false, "lower")), OUTCOME(x.quantile(0.5, 1, false, "higher")), OUTCOME(x.quantile(0.5, 1, false, "midpoint")),
      OUTCOME(x.quantile(0.5, 1, false, "nearest")), OUTCOME(x.quantile(0.5, 1, false, "cubic")), OUTCOME(x.to(kHalf).quantile(0.5)),
      OUTCOME(searchsorted(y, y)), OUTCOME(searchsorted(x, x)), OUTCOME(searchsorted(x, y)), OUTCOME(searchsorted(x, f({1, 3}))), OUTCOME(searchsorted(f({}), y)), OUTCOME(searchsorted(y, y, false, true, "right")),
      OUTCOME(searchsorted(y, y, false, true, "left")), OUTCOME(searchsorted(y, y, false, false, "left")), OUTCOME(searchsorted(y, y, false, false, "up")), OUTCOME(searchsorted(y, y, false, false, std::nullopt, l({3}))),
      OUTCOME(searchsorted(y, y, false, false, std::nullopt, full({3}, 2, kLong))), OUTCOME(searchsorted(y, y, false, false, std::nullopt, full({3}, 3, kLong))),
      OUTCOME(searchsorted(y, y, false, false, std::nullopt, full({3}, -1, kLong))), OUTCOME(searchsorted(y, y, false, false, std::nullopt, l({2}))), OUTCOME(bucketize(x, y)), OUTCOME(bucketize(x, x)),
      OUTCOME(x.histc(1)), OUTCOME(x.histc(0)), OUTCOME(x.histc(2, 1, 1)), OUTCOME(x.histc(2, 1, 2)), OUTCOME(x.histc(2, 2, 1)), OUTCOME(x.histc(2, -INFINITY, 1)), OUTCOME(x.histc(2, 0, INFINITY)), OUTCOME(l({2}).bincount()),
      OUTCOME(l({2, 1}).bincount()), OUTCOME(y.bincount()), OUTCOME(full({2}, -1, kLong).bincount()), OUTCOME(l({2}).bincount(f({2}))), OUTCOME(l({2}).bincount(f({3}))), OUTCOME(l({2}).bincount(std::nullopt, 0)),
      OUTCOME(l({2}).bincount(std::nullopt, -1)), OUTCOME(b.bincount()), OUTCOME(unique_dim(x, 1)), OUTCOME(unique_dim(x, 2)), OUTCOME(unique_dim(f({}), 0)), OUTCOME(unique_dim(f({0, 2}), 0)), OUTCOME(unique_dim(f({0, 2}), 1)),
      OUTCOME(x.renorm(1e-3, 0, 1)), OUTCOME(x.renorm(0, 0, 1)), OUTCOME(x.renorm(2, 0, 0)), OUTCOME(x.renorm(2, 0, -0.1)), OUTCOME(x.renorm(2, 1, 1)), OUTCOME(x.renorm(2, 2, 1)), OUTCOME(y.renorm(2, 0, 1)),
      OUTCOME(x.diff(0)), OUTCOME(x.diff(1)), OUTCOME(x.diff(3)), OUTCOME(x.diff(-1)), OUTCOME(f({}).diff()), OUTCOME(x.diff(1, 1, f({2, 1}))), OUTCOME(x.diff(1, 1, f({3, 1}))), OUTCOME(x.diff(1, 1, f({2}))), OUTCOME(x.cumsum(1)),
      OUTCOME(x.cumsum(2)), OUTCOME(x.cumsum(-2)), OUTCOME(x.cumsum(-3)), OUTCOME(f({}).cumsum(0)), OUTCOME(f({}).cumsum(-1)), OUTCOME(f({}).cumsum(1)), OUTCOME(l({2}).logcumsumexp(0)), OUTCOME(x.sum({0, 1})), OUTCOME(x.sum({0, -2})),
      OUTCOME(x.sum({0, 0})), OUTCOME(x.var(0)), OUTCOME(x.var(std::vector<int64_t>{0}, 2)), OUTCOME(l({2}).var()), OUTCOME(x.norm(0)), OUTCOME(x.trace()), OUTCOME(y.trace()),
      OUTCOME(bilinear(y, y, f({1, 3, 3}))), OUTCOME(bilinear(y, x, f({1, 3, 3}))), OUTCOME(bilinear(f({}), f({}), f({1, 1, 1}))), OUTCOME(bilinear(y, y, f({3, 3}))), OUTCOME(bilinear(x, f({3, 3}), f({1, 3, 3}))),
      OUTCOME(bilinear(y, y, f({1, 2, 3}))), OUTCOME(bilinear(y, y, f({1, 3, 2}))), OUTCOME(bilinear(y, y, f({1, 3, 3}), f({1}))), OUTCOME(bilinear(y, y, f({1, 3, 3}), f({2}))), OUTCOME(bilinear(y, y, f({1, 3, 3}), f({1, 1}))),
      OUTCOME(cosine_similarity(x, x, 1, 0)), OUTCOME(cosine_similarity(x, x, 1, -1e-9)), OUTCOME(cosine_similarity(l({2}), l({2}), 0)), OUTCOME(cosine_similarity(l({2}), f({2}), 0)), OUTCOME(pdist(x)), OUTCOME(pdist(y)),
      OUTCOME(pdist(f({1, 2, 3}))), OUTCOME(pdist(x, 0)), OUTCOME(pdist(x, -0.1)), OUTCOME(cdist(x, x)), OUTCOME(cdist(x, y)), OUTCOME(cdist(x, f({2, 4}))), OUTCOME(cdist(x, x, 0)), OUTCOME(cdist(x, x, -0.1)), OUTCOME(cdist(x, x, 2, 2)),
      OUTCOME(cdist(x, x, 2, 3)), OUTCOME(cdist(x, x, 2, 0)), OUTCOME(cdist(x, x, 2, -1)), OUTCOME(cdist(x, x.to(kLong))),
      OUTCOME(pixel_shuffle(f({4, 1, 1}), 2)), OUTCOME(pixel_shuffle(f({4, 1}), 2)), OUTCOME(pixel_shuffle(f({3, 1, 1}), 2)), OUTCOME(pixel_shuffle(f({1, 1, 1}), 0)), OUTCOME(pixel_shuffle(f({1, 1, 1}), 1 << 20)),
      OUTCOME(pixel_unshuffle(f({1, 2, 2}), 2)), OUTCOME(pixel_unshuffle(f({2, 2}), 2)), OUTCOME(pixel_unshuffle(f({1, 3, 2}), 2)), OUTCOME(pixel_unshuffle(f({1, 2, 3}), 2)), OUTCOME(pixel_unshuffle(f({1, 2, 2}), 0)),
      OUTCOME(pixel_unshuffle(f({1, 2, 2}), 1 << 20)), OUTCOME(channel_shuffle(f({1, 2, 1}), 2)), OUTCOME(channel_shuffle(f({1, 2}), 2)), OUTCOME(channel_shuffle(f({1, 3, 1}), 2)), OUTCOME(channel_shuffle(f({1, 2, 1}), 0)),
      OUTCOME(grid_sampler_2d(f({1, 1, 2, 2}), f({1, 1, 1, 2}), 2, 2, true)), OUTCOME(grid_sampler_2d(f({1, 1, 2, 2}), f({1, 1, 1, 3}), 0, 0, true)), OUTCOME(grid_sampler_2d(f({1, 1, 2, 2}), f({2, 1, 1, 2}), 0, 0, true)),
      OUTCOME(grid_sampler_2d(f({1, 1, 2, 0}), f({1, 1, 1, 2}), 0, 0, true)), OUTCOME(grid_sampler_2d(f({1, 1, 0, 2}), f({1, 1, 1, 2}), 0, 0, true)), OUTCOME(grid_sampler_2d(f({1, 0, 2, 2}), f({1, 1, 1, 2}), 0, 0, true)),
      OUTCOME(grid_sampler_2d(f({1, 1, 2}), f({1, 1, 2}), 0, 0, true)), OUTCOME(grid_sampler_2d(l({1, 1, 2, 2}), l({1, 1, 1, 2}), 0, 0, true)), OUTCOME(grid_sampler_3d(f({1, 1, 2, 2, 2}), f({1, 1, 1, 1, 3}), 1, 0, true)),
      OUTCOME(grid_sampler_3d(f({1, 1, 2, 2, 2}), f({1, 1, 1, 1, 2}), 1, 0, true)),
      OUTCOME(x.hsplit(3)), OUTCOME(x.hsplit(2)), OUTCOME(x.hsplit(0)), OUTCOME(f({}).hsplit(1)), OUTCOME(y.hsplit(3)), OUTCOME(x.vsplit(2)), OUTCOME(y.vsplit(1)), OUTCOME(x.diagonal(0, 0, 1)), OUTCOME(x.diagonal(0, 1, 1)), OUTCOME(x[1]),
      OUTCOME(x[2]), OUTCOME(x[-2]), OUTCOME(x[-3]), OUTCOME(f({})[0]), OUTCOME(x.select(1, 2)), OUTCOME(x.select(1, 3)), OUTCOME(x.select(1, -3)), OUTCOME(x.select(1, -4)), OUTCOME(f({}).select(0, 0)), OUTCOME(x.narrow(1, 3, 0)),
      OUTCOME(x.narrow(1, 4, 0)), OUTCOME(x.narrow(1, -3, 3)), OUTCOME(x.narrow(1, -4, 1)), OUTCOME(x.narrow(1, 1, 2)), OUTCOME(x.narrow(1, 1, 3)), OUTCOME(x.narrow(1, 0, -1)), OUTCOME(f({}).narrow(0, 0, 0)),
      OUTCOME(x.narrow(1, l({}), 1)), OUTCOME(x.narrow(1, l({1}), 1)), OUTCOME(x.narrow(1, f({}), 1)), OUTCOME(x.slice(0, 0, 1, 1)), OUTCOME(x.slice(0, 0, 1, 0)),
      OUTCOME(x.split(0)), OUTCOME(f({0}).split(0)), OUTCOME(x.split(1)), OUTCOME(x.split(-1)), OUTCOME(f({}).split(1)), OUTCOME(x.split(IntArrayRef({1, 1}))), OUTCOME(x.split(IntArrayRef({1, 2}))), OUTCOME(x.split(IntArrayRef({2, 0}))),
      OUTCOME(x.split(IntArrayRef({3, -1}))), OUTCOME(x.chunk(1)), OUTCOME(x.chunk(0)), OUTCOME(f({}).chunk(1)), OUTCOME(x.tensor_split(1)), OUTCOME(x.tensor_split(0)), OUTCOME(f({}).tensor_split(1)),
      OUTCOME(x.tensor_split(IntArrayRef({1}))), OUTCOME(x.tensor_split(l({}))), OUTCOME(x.tensor_split(l({1}))), OUTCOME(x.tensor_split(f({}))), OUTCOME(x.tensor_split(l({1, 1}))), OUTCOME(x.unbind(1)), OUTCOME(x.unbind(2)),
      OUTCOME(f({}).unbind()), OUTCOME(y.unfold(0, 3, 1)), OUTCOME(y.unfold(0, 4, 1)), OUTCOME(y.unfold(0, 0, 1)), OUTCOME(y.unfold(0, -1, 1)), OUTCOME(y.unfold(0, 1, 0)), OUTCOME(f({}).unfold(0, 1, 1)), OUTCOME(f({}).unfold(0, 2, 1)),
      OUTCOME(x.diag()), OUTCOME(y.diag()), OUTCOME(f({}).diag()), OUTCOME(f({1, 1, 1}).diag()), OUTCOME(y.diag_embed(0, 0, 1)), OUTCOME(y.diag_embed(0, 1, 1)), OUTCOME(y.diag_embed(int64_t{1} << 60)),
      OUTCOME(y.diag_embed(-(int64_t{1} << 60))), OUTCOME(x.as_strided({2}, {1, 1})), OUTCOME(x.as_strided({6}, {1})), OUTCOME(x.as_strided({7}, {1})), OUTCOME(x.as_strided({1}, {1}, 5)), OUTCOME(x.as_strided({1}, {1}, 6)),
      OUTCOME(x.as_strided({1}, {1}, -1)), OUTCOME(x.as_strided({2}, {-1}, 1)), OUTCOME(x.as_strided({0}, {1}, 6)), OUTCOME(x.as_strided_scatter(f({6}), {6}, {1})), OUTCOME(x.as_strided_scatter(f({5}), {6}, {1})),
      OUTCOME(x.as_strided_scatter(f({2}), {2}, {0})),
      OUTCOME(arange(0, 1, 1)), OUTCOME(arange(0, 0, 1)), OUTCOME(arange(1, 0, 1)), OUTCOME(arange(0, 1, 0)), OUTCOME(arange(1, 0, -1)), OUTCOME(arange(0, 1, -1)), OUTCOME(arange(0, 1, 1, kBool)), OUTCOME(arange(0, INFINITY, 1)),
      OUTCOME(linspace(0, 1, 0)), OUTCOME(linspace(0, 1, -1)), OUTCOME(linspace(0, 1, 1)), OUTCOME(linspace(0, 1, 2, kBool)), OUTCOME(logspace(0, 1, 0)), OUTCOME(logspace(0, 1, -1)), OUTCOME(eye(0)), OUTCOME(eye(-1)), OUTCOME(eye(1, 0)),
      OUTCOME(eye(1, -1)), OUTCOME(tril_indices(0, 0)), OUTCOME(tril_indices(-1, 1)), OUTCOME(tril_indices(1, -1)), OUTCOME(triu_indices(-1, 1)), OUTCOME(triu_indices(1, -1)), OUTCOME(tril_indices(1, 1, 0, kInt)),
      OUTCOME(tril_indices(1, 1, 0, kFloat)), OUTCOME(empty_strided({1}, {0})), OUTCOME(empty_strided({1}, {-1})), OUTCOME(empty_strided({1}, {1, 1})), OUTCOME(full({1}, 255, kByte)), OUTCOME(full({1}, 256, kByte)),
      OUTCOME(full({1}, -128, kChar)), OUTCOME(full({1}, -129, kChar)), OUTCOME(full({1}, 32767, kShort)), OUTCOME(full({1}, 32768, kShort)),
      OUTCOME(gelu(x, "none")), OUTCOME(gelu(x, "tanh")), OUTCOME(gelu(x, "erf")), OUTCOME(celu(x, 1e-3)), OUTCOME(celu(x, 0)), OUTCOME(prelu(x, f({3}))), OUTCOME(prelu(x, f({1}))), OUTCOME(prelu(x, f({}))), OUTCOME(prelu(x, f({2}))),
      OUTCOME(prelu(x, f({1, 3}))), OUTCOME(prelu(f({}), f({1}))), OUTCOME(prelu(f({}), f({2}))), OUTCOME(prelu(y, f({3}))), OUTCOME(prelu(x, y.to(kDouble))), OUTCOME(hardtanh(b)), OUTCOME(hardtanh(zeros({1}, kByte), 0, 6)),
      OUTCOME(hardtanh(zeros({1}, kByte), -1, 6)), OUTCOME(softshrink(x, 0)), OUTCOME(softshrink(x, -0.1)), OUTCOME(threshold(b, 0, 0)), OUTCOME(glu(f({2}), 0)), OUTCOME(glu(f({3}), 0)), OUTCOME(glu(f({}), 0)), OUTCOME(glu(l({2}), 0)),
      OUTCOME(glu(f({0}), 0)),
      OUTCOME(embedding(x, l({1}))), OUTCOME(embedding(y, l({1}))), OUTCOME(embedding(x, f({1}))), OUTCOME(embedding(x, full({1}, 1, kLong))), OUTCOME(embedding(x, full({1}, 2, kLong))), OUTCOME(embedding(x, full({1}, -1, kLong))),
      OUTCOME(embedding(x, zeros({1}, kInt))), OUTCOME(embedding(x, zeros({1}, kShort))), OUTCOME(embedding_bag(x, l({2}), l({1}))), OUTCOME(embedding_bag(x, l({2}), full({1}, 1, kLong))), OUTCOME(embedding_bag(x, l({2}), arange(0, 3))),
      OUTCOME(embedding_bag(x, l({2}), arange(0, 4))), OUTCOME(embedding_bag(x, l({2}), l({0}))), OUTCOME(embedding_bag(x, l({2}), l({1}), false, 2)), OUTCOME(embedding_bag(x, l({2}), l({1}), false, 3)),
      OUTCOME(embedding_bag(x, l({2}), l({1}), true, 2)), OUTCOME(embedding_bag(x, l({2}), l({1}), false, 0, false, f({2}))), OUTCOME(embedding_bag(x, l({2}), l({1}), false, 1, false, f({2}))),
      OUTCOME(embedding_bag(x, l({2}), l({1}), false, 0, false, std::nullopt, false, 1)), OUTCOME(embedding_bag(x, l({2}), l({1}), false, 0, false, std::nullopt, false, -2)),
      OUTCOME(embedding_bag(x, l({2}), l({1}), false, 0, false, std::nullopt, false, 2)), OUTCOME(embedding_bag(l({2, 3}), l({2}), l({1}))),
      OUTCOME(nll_loss(x, l({2}))), OUTCOME(nll_loss(x, l({3}))), OUTCOME(nll_loss(y, l({}))), OUTCOME(nll_loss(x, full({2}, 2, kLong))), OUTCOME(nll_loss(x, full({2}, 3, kLong))), OUTCOME(nll_loss(x, full({2}, -1, kLong))),
      OUTCOME(nll_loss(x, full({2}, -100, kLong))), OUTCOME(nll_loss(x, l({2}), f({3}))), OUTCOME(nll_loss(x, l({2}), f({2}))), OUTCOME(nll_loss(f({}), l({}))), OUTCOME(nll_loss(x, f({2}))),
      OUTCOME(nll_loss2d(f({1, 2, 1, 1}), l({1, 1, 1}))), OUTCOME(nll_loss2d(f({1, 2, 1, 1}), l({1, 1, 2}))), OUTCOME(nll_loss2d(f({1, 2, 1, 1}), l({2, 1, 1}))), OUTCOME(nll_loss2d(f({1, 2, 1, 1}), l({1, 1}))),
      OUTCOME(cross_entropy_loss(x, l({2}))), OUTCOME(cross_entropy_loss(x, x)), OUTCOME(cross_entropy_loss(x, f({2, 2}))), OUTCOME(cross_entropy_loss(x, l({2}), f({2}))), OUTCOME(cross_entropy_loss(x, x, std::nullopt, 1, 0)),
      OUTCOME(multi_margin_loss(x, l({2}), 2)), OUTCOME(multi_margin_loss(x, l({2}), 3)), OUTCOME(multi_margin_loss(x, full({2}, 2, kLong))), OUTCOME(multi_margin_loss(x, full({2}, 3, kLong))),
      OUTCOME(multi_margin_loss(x, full({2}, -1, kLong))), OUTCOME(multilabel_margin_loss(x, full({2, 3}, 2, kLong))), OUTCOME(multilabel_margin_loss(x, full({2, 3}, 3, kLong))), OUTCOME(multilabel_margin_loss(x, full({2, 3}, -1, kLong))),
      OUTCOME(multilabel_margin_loss(x, l({2, 2}))),
      OUTCOME(cat({x, x}, 1)), OUTCOME(cat({x, x}, 2)), OUTCOME(cat({x, f({2, 1})}, 1)), OUTCOME(cat({x, f({3, 1})}, 1)), OUTCOME(cat({x, f({0})})), OUTCOME(cat({x, f({})})), OUTCOME(stack({x, x}, 2)), OUTCOME(stack({x, x}, 3)),
      OUTCOME(stack({x, x}, -3)), OUTCOME(stack({x, x}, -4)), OUTCOME(x.repeat({1, 0})), OUTCOME(x.repeat({1, -1})), OUTCOME(x.repeat({2})), OUTCOME(x.repeat_interleave(0)), OUTCOME(x.repeat_interleave(-1)),
      OUTCOME(x.repeat_interleave(l({3}), 1)), OUTCOME(x.repeat_interleave(l({2}), 1)), OUTCOME(x.repeat_interleave(l({1}), 1)), OUTCOME(x.repeat_interleave(full({3}, -1, kLong), 1)), OUTCOME(x.repeat_interleave(f({3}), 1)),
      OUTCOME(meshgrid({y, y}, "xy")), OUTCOME(meshgrid({y, y}, "zz")), OUTCOME(meshgrid({f({}), y})), OUTCOME(meshgrid({x})), OUTCOME(block_diag({x, y, f({})})), OUTCOME(block_diag({f({1, 1, 1})})), OUTCOME(cartesian_prod({y, y})),
      OUTCOME(cartesian_prod({x})),
      OUTCOME(x.tril()), OUTCOME(y.tril()), OUTCOME(x.flip({0, 1})), OUTCOME(x.flip({0, 0})), OUTCOME(x.flip({2})), OUTCOME(x.fliplr()), OUTCOME(y.fliplr()), OUTCOME(y.flipud()), OUTCOME(f({}).flipud()), OUTCOME(x.roll({1}, {0})),
      OUTCOME(x.roll({1})), OUTCOME(x.roll({1, 1})), OUTCOME(x.roll(IntArrayRef{})), OUTCOME(x.roll({1, 1}, {0, 1})), OUTCOME(f({}).roll({1}, {0})), OUTCOME(x.rot90(1, {0, 1})), OUTCOME(x.rot90(1, {0, 0})), OUTCOME(x.rot90(1, {0})),
      OUTCOME(y.rot90()), OUTCOME(x.rot90(1, {0, -2})), OUTCOME(x.rot90(1, {0, 2})), OUTCOME(x.rot90(1, {0, -3})),
      OUTCOME(pad(x, {1, 1, 1, 1})), OUTCOME(pad(x, {1, 1, 1, 1, 1, 1})), OUTCOME(pad(x, {1})), OUTCOME(pad(x, {-2, -1})), OUTCOME(pad(x, {-2, -2})), OUTCOME(pad(x, {2, 2}, "reflect")), OUTCOME(pad(x, {3, 0}, "reflect")),
      OUTCOME(pad(x, {0, 3}, "reflect")), OUTCOME(pad(x, {3, 3}, "circular")), OUTCOME(pad(x, {4, 0}, "circular")), OUTCOME(pad(x, {0, 4}, "circular")), OUTCOME(pad(x, {5, 5}, "replicate")), OUTCOME(pad(x, {-3, 0}, "replicate")),
      OUTCOME(pad(x, {-1, -1}, "replicate")), OUTCOME(pad(x, {-1, -2}, "replicate")), OUTCOME(pad(x, {1, 1}, "reflect", 1)), OUTCOME(pad(x, {1, 1}, "reflect", 0)), OUTCOME(pad(y, {1, 1}, "reflect")),
      OUTCOME(pad(x, {1, 1, 1, 1}, "reflect")), OUTCOME(pad(f({0, 3}), {1, 1}, "reflect")), OUTCOME(pad(f({0, 2, 3}), {1, 1}, "reflect")), OUTCOME(pad(f({2, 0}), {1, 1}, "replicate")),
      OUTCOME(pad(f({1, 1, 1, 1, 1, 1}), {1, 1, 1, 1, 1, 1, 1, 1}, "replicate")),
      OUTCOME(one_hot(l({1}), -1)), OUTCOME(one_hot(l({1}), -2)), OUTCOME(one_hot(l({1}), 1)), OUTCOME(one_hot(l({1}), 0)), OUTCOME(one_hot(full({1}, 1, kLong), 1)), OUTCOME(one_hot(full({1}, 1, kLong), 2)),
      OUTCOME(one_hot(full({1}, -1, kLong))), OUTCOME(one_hot(l({0}), 1)), OUTCOME(one_hot(l({0}), 0)), OUTCOME(one_hot(zeros({1}, kInt))),
      OUTCOME(x.view({3, -1})), OUTCOME(x.view({4, -1})), OUTCOME(x.view({-1, -1})), OUTCOME(x.view({-2})), OUTCOME(f({0}).view({0, -1})), OUTCOME(f({0}).view({1, -1})), OUTCOME(x.expand({2, 3})), OUTCOME(x.expand({-1, 3})),
      OUTCOME(x.expand({1, 2, 3})), OUTCOME(x.expand({-1, 2, 3})), OUTCOME(x.expand({2, 4})), OUTCOME(x.expand({3})), OUTCOME(f({2, 1}).expand({2, -2})), OUTCOME(x.permute({1, 0})), OUTCOME(x.permute({1, -1})), OUTCOME(x.permute({1})),
      OUTCOME(x.permute({0, 2})), OUTCOME(x.transpose(0, 1)), OUTCOME(x.transpose(0, 2)), OUTCOME(x.transpose(-2, -1)), OUTCOME(x.transpose(-3, 0)), OUTCOME(x.squeeze(1)), OUTCOME(x.squeeze(2)), OUTCOME(x.unsqueeze(2)),
      OUTCOME(x.unsqueeze(3)), OUTCOME(x.unsqueeze(-3)), OUTCOME(x.unsqueeze(-4)), OUTCOME(x.t()), OUTCOME(f({1, 1, 1}).t()), OUTCOME(x.flatten(0, 1)), OUTCOME(x.flatten(1, 0)), OUTCOME(x.flatten(0, 2)), OUTCOME(x.unflatten(1, {3, 1})),
      OUTCOME(x.unflatten(1, {-1, 3})), OUTCOME(x.unflatten(1, {2, 2})), OUTCOME(x.unflatten(1, {-1, 2})), OUTCOME(x.unflatten(1, IntArrayRef{})), OUTCOME(x.movedim(0, 1)), OUTCOME(x.movedim(0, 2)), OUTCOME(x.movedim({0, 1}, {1, 0})),
      OUTCOME(x.movedim({0, 1}, {1})), OUTCOME(x.movedim({0, 0}, {1, 0})), OUTCOME(x.view_as(y)), OUTCOME(x.swapaxes(0, 2)),
      OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}))), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 4}))), OUTCOME(conv1d(f({1, 2, 3}), f({1, 1, 3}))), OUTCOME(conv1d(f({1, 2, 3}), f({2, 1, 3}), {}, {1}, {0}, {1}, 2)),
      OUTCOME(conv1d(f({1, 2, 3}), f({3, 1, 3}), {}, {1}, {0}, {1}, 2)), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), f({1}))), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), f({2}))), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), {}, {0})),
      OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), {}, {1}, {-1})), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), {}, {1}, {0}, {0})), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), {}, {1}, {0}, {1}, 0)), OUTCOME(conv1d(f({2, 3}), f({1, 2, 3}))),
      OUTCOME(conv1d(f({3}), f({1, 2, 3}))), OUTCOME(conv1d(f({1, 1, 2, 3}), f({1, 2, 3}))), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}).to(kDouble))), OUTCOME(conv2d(f({1, 1, 2, 2}), f({1, 1, 2, 2}), {}, {1, 1, 1})),
      OUTCOME(conv2d(f({1, 1, 2, 2}), f({1, 1, 2, 2}), {}, {1, 0})), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), {}, {1}, "same")), OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), {}, {2}, "same")),
      OUTCOME(conv1d(f({1, 2, 3}), f({1, 2, 3}), {}, {1}, "half")),
      OUTCOME(conv_transpose1d(f({1, 2, 3}), f({2, 1, 3}))), OUTCOME(conv_transpose1d(f({1, 2, 3}), f({1, 1, 3}))), OUTCOME(conv_transpose1d(f({1, 2, 3}), f({2, 1, 3}), {}, {2}, {0}, {1})),
      OUTCOME(conv_transpose1d(f({1, 2, 3}), f({2, 1, 3}), {}, {2}, {0}, {2})), OUTCOME(conv_transpose1d(f({1, 2, 3}), f({2, 1, 3}), {}, {1}, {0}, {-1})), OUTCOME(conv_transpose1d(f({1, 2, 3}), f({2, 1, 3}), {}, {1}, {2})),
      OUTCOME(conv_transpose1d(f({1, 2, 3}), f({2, 1, 3}), {}, {1}, {3})), OUTCOME(im2col(f({1, 2, 2}), {2, 2}, {1, 1}, {0, 0}, {1, 1})), OUTCOME(im2col(f({1, 2, 2}), {3, 2}, {1, 1}, {0, 0}, {1, 1})),
      OUTCOME(im2col(f({1, 2, 2}), {2, 2}, {1, 1}, {-1, 0}, {1, 1})), OUTCOME(im2col(f({1, 2, 2}), {2, 2}, {1, 1}, {0, 0}, {0, 1})), OUTCOME(im2col(f({1, 2, 2}), {2, 2}, {0, 1}, {0, 0}, {1, 1})),
      OUTCOME(col2im(f({1, 4, 1}), {2, 2}, {2, 2}, {1, 1}, {0, 0}, {1, 1})), OUTCOME(col2im(f({1, 3, 1}), {2, 2}, {2, 2}, {1, 1}, {0, 0}, {1, 1})), OUTCOME(col2im(f({1, 4, 2}), {2, 2}, {2, 2}, {1, 1}, {0, 0}, {1, 1})),
      OUTCOME(max_pool1d(f({1, 3}), {3})), OUTCOME(max_pool1d(f({1, 3}), {4})), OUTCOME(max_pool1d(f({1, 3}), {0})), OUTCOME(max_pool1d(f({1, 3}), {2}, {0})), OUTCOME(max_pool1d(f({1, 3}), {2}, {1}, {1})),
      OUTCOME(max_pool1d(f({1, 3}), {2}, {1}, {2})), OUTCOME(max_pool1d(f({1, 3}), {2}, {1}, {-1})), OUTCOME(max_pool1d(f({1, 3}), {2}, {1}, {0}, {2})), OUTCOME(max_pool1d(f({1, 3}), {2}, {1}, {0}, {3})),
      OUTCOME(max_pool1d(f({1, 3}), {2}, {1}, {0}, {0})), OUTCOME(max_pool1d(f({3}), {2})), OUTCOME(max_pool2d(f({1, 2, 2}), {2, 2, 2})), OUTCOME(max_pool2d(f({1, 2, 2}), {2, 3})), OUTCOME(max_pool2d(f({2, 2}), {2, 2})),
      OUTCOME(avg_pool1d(f({1, 3}), {3})), OUTCOME(avg_pool1d(f({1, 3}), {4})), OUTCOME(avg_pool1d(f({1, 3}), {2}, {1}, {1})), OUTCOME(avg_pool1d(f({1, 3}), {2}, {1}, {2})),
      OUTCOME(avg_pool2d(f({1, 2, 2}), {2, 2}, {1, 1}, {0, 0}, false, true, 1)), OUTCOME(avg_pool2d(f({1, 2, 2}), {2, 2}, {1, 1}, {0, 0}, false, true, 0)), OUTCOME(avg_pool2d(l({1, 2, 2}), {2, 2})),
      OUTCOME(avg_pool2d(zeros({1, 2, 2}, kInt), {2, 2})),
      OUTCOME(adaptive_avg_pool1d(f({1, 3}), {0})), OUTCOME(adaptive_avg_pool1d(f({1, 3}), {-1})), OUTCOME(adaptive_avg_pool1d(f({1, 0}), {1})), OUTCOME(adaptive_avg_pool1d(f({1, 0}), {2})), OUTCOME(adaptive_avg_pool1d(f({3}), {1})),
      OUTCOME(adaptive_avg_pool2d(f({1, 2, 2}), {1, 1})), OUTCOME(adaptive_avg_pool2d(f({1, 1, 1, 2, 2}), {1, 1})), OUTCOME(adaptive_max_pool1d(f({1, 3}), {0})), OUTCOME(adaptive_max_pool1d(f({1, 3}), {-1})),
      OUTCOME(max_unpool2d(f({1, 1, 1}), l({1, 1, 1}), {1, 1})), OUTCOME(max_unpool2d(f({1, 1, 1}), full({1, 1, 1}, 1, kLong), {1, 1})), OUTCOME(max_unpool2d(f({1, 1, 1}), full({1, 1, 1}, -1, kLong), {1, 1})),
      OUTCOME(max_unpool2d(f({1, 1, 1}), l({1, 1, 1}), {1})), OUTCOME(max_unpool2d(f({1, 1, 1}), l({1, 1, 1}), {-1, 1})), OUTCOME(max_unpool2d(f({1, 1, 1}), l({1, 1, 2}), {1, 1})), OUTCOME(max_unpool2d(f({1, 1}), l({1, 1}), {1, 1})),
      OUTCOME(max_unpool2d(f({1, 1, 1}), zeros({1, 1, 1}, kInt), {1, 1})),
      OUTCOME(x.mm(f({3, 1}))), OUTCOME(x.mm(f({2, 1}))), OUTCOME(x.mm(y)), OUTCOME(x.mv(y)), OUTCOME(x.mv(f({2}))), OUTCOME(y.mv(y)), OUTCOME(y.dot(y)), OUTCOME(y.dot(f({2}))), OUTCOME(x.dot(x)), OUTCOME(y.dot(y.to(kDouble))),
      OUTCOME(f({2, 1, 3}).bmm(f({2, 3, 1}))), OUTCOME(f({2, 1, 3}).bmm(f({1, 3, 1}))), OUTCOME(f({2, 1, 3}).bmm(f({2, 2, 1}))), OUTCOME(x.matmul(y)), OUTCOME(y.matmul(f({3, 2}))), OUTCOME(y.matmul(f({2, 3}))), OUTCOME(x.matmul(f({2}))),
      OUTCOME(x.matmul(f({}))), OUTCOME(f({}).matmul(x)), OUTCOME(y.matmul(f({2, 3, 1}))), OUTCOME(y.matmul(f({2, 2, 1}))), OUTCOME(f({2, 2, 3}).matmul(y)), OUTCOME(f({2, 2, 3}).matmul(f({2}))), OUTCOME(x.inner(y)),
      OUTCOME(x.inner(f({2}))), OUTCOME(y.outer(y)), OUTCOME(x.outer(y)), OUTCOME(y.outer(x)), OUTCOME(f({2, 2}).addmm(x, x.t())), OUTCOME(f({2}).addmm(x, x.t())), OUTCOME(f({3}).addmm(x, x.t())), OUTCOME(f({2, 2}).addmm(x, x)),
      OUTCOME(f({2}).addmv(x, y)), OUTCOME(f({3}).addmv(x, y)), OUTCOME(f({2}).addmv(x, f({2}))), OUTCOME(f({3, 3}).addr(y, y)), OUTCOME(f({2, 3}).addr(y, y)), OUTCOME(f({3, 3}).addr(x, y)), OUTCOME(l({3, 3}).addr(l({3}), l({3}), 0.5)),
      OUTCOME(l({3, 3}).addr(l({3}), l({3}), 2)),
      OUTCOME(linear(x, f({1, 3}))), OUTCOME(linear(x, y)), OUTCOME(linear(x, f({1, 2}))), OUTCOME(linear(x, f({1, 1, 3}))), OUTCOME(linear(x, f({1, 3}), f({1}))), OUTCOME(linear(x, f({1, 3}), f({2}))), OUTCOME(linear(f({}), f({1, 3}))),
      OUTCOME(tensordot(x, x, {1}, {1})), OUTCOME(tensordot(x, x, {1}, {0})), OUTCOME(tensordot(x, x, {1, 0}, {1, 0})), OUTCOME(tensordot(x, x, {1, 1}, {1, 1})), OUTCOME(tensordot(x, x, {2}, {1})), OUTCOME(tensordot(x, x, {1}, {0, 1})),
      OUTCOME(tensordot(f({1, 3}), x, {0}, {0})), OUTCOME(einsum("ij,kj->ik", {x, x})), OUTCOME(einsum("ij,jk", {x, x})), OUTCOME(einsum("ii", {x})), OUTCOME(einsum("ij->ijk", {x})), OUTCOME(einsum("ij->ii", {x})),
      OUTCOME(einsum("i...", {x})), OUTCOME(einsum("ijk...", {x})), OUTCOME(einsum("ij...", {x})), OUTCOME(einsum("i..", {x})), OUTCOME(einsum("i....", {x})), OUTCOME(einsum("......", {x})), OUTCOME(einsum("i j", {x})),
      OUTCOME(einsum("i1", {x})), OUTCOME(einsum("ij", {x, x})), OUTCOME(einsum("ij,ij", {x})), OUTCOME(einsum("ij,jk", {x, f({1, 2})})), OUTCOME(einsum("", {f({})})), OUTCOME(einsum("", {})),
      OUTCOME(scaled_dot_product_attention(x, x, x)), OUTCOME(scaled_dot_product_attention(y, x, x)), OUTCOME(scaled_dot_product_attention(x, f({2, 2}), x)), OUTCOME(scaled_dot_product_attention(x, x, f({3, 3}))),
      OUTCOME(scaled_dot_product_attention(x, x, x, std::nullopt, 1)), OUTCOME(scaled_dot_product_attention(x, x, x, std::nullopt, 1.01)), OUTCOME(scaled_dot_product_attention(x, x, x, std::nullopt, -0.01)),
      OUTCOME(scaled_dot_product_attention(x, x, x, f({2, 2}))), OUTCOME(scaled_dot_product_attention(x, x, x, f({2, 3}))), OUTCOME(scaled_dot_product_attention(x, x, x, f({2, 2}), 0, true)),
      OUTCOME(scaled_dot_product_attention(x, x, x, std::nullopt, 0, true)), OUTCOME(scaled_dot_product_attention(x, x, x, l({2, 2}))), OUTCOME(scaled_dot_product_attention(x, x, x, ones({2, 2}, kBool))),
      OUTCOME(scaled_dot_product_attention(x, x, x, std::nullopt, 0, false, INFINITY)), OUTCOME(scaled_dot_product_attention(x, x.to(kDouble), x)), OUTCOME(scaled_dot_product_attention(x, x, x.to(kDouble))),
      OUTCOME(scaled_dot_product_attention(l({2, 3}), l({2, 3}), l({2, 3}))), OUTCOME(scaled_dot_product_attention(f({4, 2, 3}), f({2, 2, 3}), f({2, 2, 3}), std::nullopt, 0, false, std::nullopt, true)),
      OUTCOME(scaled_dot_product_attention(f({3, 2, 3}), f({2, 2, 3}), f({2, 2, 3}), std::nullopt, 0, false, std::nullopt, true)),
      OUTCOME(scaled_dot_product_attention(f({4, 2, 3}), f({2, 2, 3}), f({1, 2, 3}), std::nullopt, 0, false, std::nullopt, true)),
      OUTCOME(upsample_nearest1d(f({1, 1, 1}), IntArrayRef({1}))), OUTCOME(upsample_nearest1d(f({1, 1, 1}), IntArrayRef({0}))), OUTCOME(upsample_nearest1d(f({1, 1, 0}), IntArrayRef({1}))),
      OUTCOME(upsample_nearest1d(f({1, 1}), IntArrayRef({1}))), OUTCOME(upsample_nearest1d(f({0, 1, 1}), IntArrayRef({1}))), OUTCOME(upsample_bilinear2d(f({1, 1, 1, 1}), IntArrayRef({1, 1}), true)),
      OUTCOME(upsample_bilinear2d(f({1, 1, 1, 1}), IntArrayRef({1}), true)), OUTCOME(upsample_bilinear2d(f({1, 1, 1, 1}), IntArrayRef({1, 0}), true)), OUTCOME(upsample_bicubic2d(f({1, 1, 1}), IntArrayRef({1, 1}), true)),
      OUTCOME(upsample_trilinear3d(f({1, 1, 1, 1, 1}), IntArrayRef({1, 1, 1}), true)),
      OUTCOME(batch_norm(x, {}, {}, {}, {}, true, 0.1, 0)), OUTCOME(batch_norm(x, {}, {}, {}, {}, true, 0.1, -1e-9)), OUTCOME(batch_norm(x, {}, {}, {}, {}, true, 0.1, INFINITY)),
      OUTCOME(batch_norm(x, {}, {}, {}, {}, true, INFINITY, 1e-5)), OUTCOME(batch_norm(x, y, y, y, y, false, 0.1, 1e-5)), OUTCOME(batch_norm(x, f({2}), y, y, y, false, 0.1, 1e-5)), OUTCOME(batch_norm(x, y, f({2}), y, y, false, 0.1, 1e-5)),
      OUTCOME(batch_norm(x, y, y, f({2}), y, false, 0.1, 1e-5)), OUTCOME(batch_norm(x, y, y, y, f({2}), false, 0.1, 1e-5)), OUTCOME(batch_norm(x, y, y, y, {}, true, 0.1, 1e-5)), OUTCOME(batch_norm(x, y, y, {}, {}, false, 0.1, 1e-5)),
      OUTCOME(instance_norm(f({1, 3, 2}), y, y, {}, {}, true, 0.1, 1e-5)), OUTCOME(instance_norm(f({1, 3, 2}), f({2}), y, {}, {}, true, 0.1, 1e-5)), OUTCOME(instance_norm(f({1, 3, 2}), y, f({2}), {}, {}, true, 0.1, 1e-5)),
      OUTCOME(layer_norm(x, {3})), OUTCOME(layer_norm(x, {2, 3})), OUTCOME(layer_norm(x, {2})), OUTCOME(layer_norm(x, {1, 2, 3})), OUTCOME(layer_norm(x, IntArrayRef{})), OUTCOME(layer_norm(x, {3}, y, y, -1)),
      OUTCOME(layer_norm(x, {3}, y, y, INFINITY)), OUTCOME(layer_norm(x, {3}, f({2}))), OUTCOME(layer_norm(x, {3}, y, f({2}))), OUTCOME(group_norm(f({1, 4, 1}), 2)), OUTCOME(group_norm(f({1, 4, 1}), 3)),
      OUTCOME(group_norm(f({1, 4, 1}), 0)), OUTCOME(group_norm(f({4}), 1)), OUTCOME(group_norm(f({1, 4, 1}), 2, f({4}))), OUTCOME(group_norm(f({1, 4, 1}), 2, f({3}))), OUTCOME(group_norm(f({1, 4, 1}), 2, f({4}), f({3}))),
      OUTCOME(rms_norm(x, {3})), OUTCOME(rms_norm(x, {2})), OUTCOME(rms_norm(x, {3}, f({2}))), OUTCOME(local_response_norm(f({1, 2, 2}), 1)), OUTCOME(local_response_norm(f({1, 2, 2}), 0)), OUTCOME(local_response_norm(x, 1)),
  });
}

TEST(BadInput, DevicesAndOptions) {
  const Tensor x = f({2}), image = f({1, 2, 3, 4});
  const auto shown = [](const Device& d) { return str(d, ' ', d.type(), ' ', d.has_index(), ' ', static_cast<int>(d.index())); };
  test::expect_outcomes({
      SHOWN(shown("cpu")), SHOWN(shown("cpu:0")), SHOWN(shown("cpu:1")), SHOWN(shown("cuda")), SHOWN(shown("cuda:0")), SHOWN(shown("cuda:127")), SHOWN(shown("cuda:128")), SHOWN(shown("cuda:1000")), SHOWN(shown("cuda:01")), SHOWN(shown("cuda:-1")),
      SHOWN(shown("cuda:")), SHOWN(shown("")), SHOWN(shown("gpu")), SHOWN(shown("mps:/")), SHOWN(shown(":0")), SHOWN(shown("meta:9")), SHOWN(shown("hpu::")), SHOWN(shown(Device(kCPU, -2))), SHOWN(shown(Device(kCUDA, -2))), SHOWN(shown(Device(kCUDA, 3))),
      SHOWN(DeviceTypeName(kCUDA)), SHOWN(DeviceTypeName(kMPS, true)), SHOWN(DeviceTypeName(static_cast<DeviceType>(2))), OUTCOME(x.to(kCPU)), OUTCOME(x.to(kCUDA)), OUTCOME(x.to(Device("cuda:1"), kDouble)), OUTCOME(zeros({2}, kCUDA)), OUTCOME(x.cuda()),
      OUTCOME(x.to(TensorOptions(kDouble).requires_grad(true))), OUTCOME(x.to(TensorOptions(kDouble).requires_grad(false))), OUTCOME(image.to(TensorOptions(MemoryFormat::ChannelsLast), false, false, MemoryFormat::Contiguous)), OUTCOME(image.to(TensorOptions(MemoryFormat::ChannelsLast))),
      SHOWN(TensorOptions()), SHOWN(TensorOptions(kLong).device(kCUDA, 1).requires_grad(true)), SHOWN(TensorOptions(kHalf).merge_in(TensorOptions(MemoryFormat::Preserve))), SHOWN(TensorOptions(kHalf).merge_in(TensorOptions(kInt).requires_grad(true))),
  });
}

TEST(BadInput, ValuesOfAnotherKind) {
  const Value yes(true), two(int64_t{2}), none, half(0.5), text(std::string("word")), list(Value::List{Value(int64_t{1}), Value(int64_t{2})}), ints(Value::Ints{3, 4}), dtype(kInt), t(f({2})), zero(int64_t{0});
  std::vector<test::Outcome> rows;
  for (const auto& [name, v] : {std::pair{"true", yes}, {"2", two}, {"0", zero}, {"none", none}, {"0.5", half}, {"word", text}, {"list", list}, {"ints", ints}, {"dtype", dtype}, {"tensor", t}}) {
    rows.push_back({str(name, " to_bool"), [v = v] { return str(v.to_bool()); }});
    rows.push_back({str(name, " to_int"), [v = v] { return str(v.to_int()); }});
    rows.push_back({str(name, " to_double"), [v = v] { return str(v.to_double()); }});
    rows.push_back({str(name, " to_scalar"), [v = v] { return str(v.to_scalar().toDouble()); }});
    rows.push_back({str(name, " to_string"), [v = v] { return v.to_string(); }});
    rows.push_back({str(name, " to_tensor"), [v = v] { return str(v.to_tensor().sizes()); }});
    rows.push_back({str(name, " to_dtype"), [v = v] { return str(v.to_dtype()); }});
    rows.push_back({str(name, " to_generator"), [v = v] { return v.to_generator(), "fine"; }});
    rows.push_back({str(name, " to_list"), [v = v] { return str(v.to_list().size()); }});
    rows.push_back({str(name, " to_ints"), [v = v] { return str(IntArrayRef(v.to_ints())); }});
    rows.push_back({str(name, " to_tensors"), [v = v] { return str(v.to_tensors().size()); }});
    rows.push_back({str(name, " is_none"), [v = v] { return str(v.is_none()); }});
  }
  test::expect_outcomes(rows);
}

TEST(BadInput, RareMistakes) {
  const Tensor x = f({2, 3}), w = f({3, 3, 2, 2}), image = f({1, 3, 4, 4}), many = f({1, 1, 1}).expand({1, 1, 1});
  test::expect_outcomes({
      OUTCOME(tanhshrink(x.to(kBool))), OUTCOME(convolution(f({3, 4}), w, {}, {1}, {0}, {1}, false, {0}, 1)), OUTCOME(conv_transpose2d(image, f({3, 0, 2, 2}))), OUTCOME(conv2d(image, w, {}, 1, 0, int64_t{1} << 61)), OUTCOME(im2col(image, int64_t{1} << 31, 1, 0, 1)),
      OUTCOME(x.masked_fill_(x, 1)), OUTCOME(f({1}).expand({3}).masked_fill_(f({3}), 1)), OUTCOME(embedding_dense_backward(x, l({2}), -1, -1, false)), OUTCOME(embedding_dense_backward(x, l({3}), 4, -1, false)), OUTCOME(embedding_dense_backward(x, l({2}), 0, -1, false)),
      OUTCOME(x.index({tensor(true)})), OUTCOME(x.index({indexing::Slice(0, 2, -1)})), OUTCOME(x.index({indexing::Slice(0, 2, 1)})), OUTCOME(addr(x, f({2}), f({3}), true, 1)), OUTCOME(addr(x.to(kBool), f({2}).to(kBool), f({3}).to(kBool), true, true)),
      OUTCOME(tensordot(f({}), x, {0}, {0})), OUTCOME(native_batch_norm(f({0, 3}), {}, {}, {}, {}, true, 0.1, 1e-5)), OUTCOME(native_group_norm(x, {}, {}, 2, 3, 2, 1, 1e-5)), OUTCOME(native_group_norm(x, {}, {}, 2, 3, 1, 0, 1e-5)), OUTCOME(native_group_norm(x, {}, {}, -2, -3, 1, 1, 1e-5)),
      OUTCOME(fractional_max_pool2d(image, {0, 1}, {1, 1}, f({1, 3, 2}))), OUTCOME(fractional_max_pool2d(image, {2, 2}, {1, 1}, f({1, 3, 2}).to(kDouble))), OUTCOME(fractional_max_pool2d(image, {2, 2}, {1, 1}, f({3, 2}))), OUTCOME(fractional_max_pool2d(image, {2, 2}, {1, 1}, f({0, 3, 2}))), OUTCOME(fractional_max_pool2d(image, {2, 2}, {1, 1}, f({1, 2, 2}))), OUTCOME(fractional_max_pool2d(image, {2, 2}, {1, 1}, f({1, 3, 3}))),
      OUTCOME(max_unpool3d(f({1, 1, 1, 1}), l({1, 1, 1, 1}), {2, 2, 2}, {1, 1}, {0, 0, 0})), OUTCOME(max_unpool3d(f({1, 1, 1, 1}), l({1, 1, 1, 1}), {2, 2, 2}, {1, 0, 1}, {0, 0, 0})), OUTCOME(max_pool2d(image, {2, 2, 2})), OUTCOME(avg_pool3d(f({1, 1, 2, 2, 2}), {2, 2})),
      OUTCOME(lstm(f({2, 3}), {f({1, 1, 2}), f({1, 1, 2})}, {f({8, 3}), f({8, 2})}, false, 1, 0, false, false, false)), OUTCOME(lstm(l({1, 1, 3}), {f({1, 1, 2}), f({1, 1, 2})}, {f({8, 3}), f({8, 2})}, false, 1, 0, false, false, false)), OUTCOME(lstm(f({1, 1, 3}), {f({1, 1, 2}).to(kDouble), f({1, 1, 2})}, {f({8, 3}), f({8, 2})}, false, 1, 0, false, false, false)),
      OUTCOME(lstm(f({1, 1, 3}), {f({1, 1, 2}), f({1, 1, 2})}, {f({8, 3}), f({8, 2})}, false, int64_t{1} << 40, 0, false, false, false)), OUTCOME(lstm(f({1, 1, 3}), {f({1, 1, 2}), f({1, 1, 2})}, {f({8, 3}).to(kDouble), f({8, 2})}, false, 1, 0, false, false, false)), OUTCOME(lstm(f({2, 3}), l({0}), {f({1, 1, 2}), f({1, 1, 2})}, {f({8, 3}), f({8, 2})}, false, 1, 0, false, false)), OUTCOME(lstm(f({2, 3, 1}), tensor({1, 1}), {f({1, 1, 2}), f({1, 1, 2})}, {f({8, 3}), f({8, 2})}, false, 1, 0, false, false)),
      OUTCOME(gru_cell(f({3}), f({2}), f({6, 3}), f({6, 2}))), OUTCOME(gru_cell(f({1, 3}), f({2}), f({6, 3}), f({6, 2}))), OUTCOME(gru_cell(f({1, 3}), f({1, 2}).to(kDouble), f({6, 3}), f({6, 2}))), OUTCOME(gru_cell(f({1, 3}), f({2, 2}), f({6, 3}), f({6, 2}))), OUTCOME(gru_cell(f({1, 3}), f({1, 3}), f({6, 3}), f({6, 2}))), OUTCOME(gru_cell(f({1, 3}), f({1, 2}), f({6, 3}), f({6, 2}))), OUTCOME(gru_cell(f({1, 4}), f({1, 2}), f({6, 3}), f({6, 2}))),
      OUTCOME(_pack_padded_sequence(f({2, 2}), f({2}), false)), OUTCOME(_pack_padded_sequence(f({2}), l({2}), false)), OUTCOME(_pack_padded_sequence(f({0, 2}), l({2}), false)), OUTCOME(pad_sequence({f({}), f({})})), OUTCOME(pad_sequence({f({2}), f({2, 1})})), OUTCOME(pad_sequence({f({2}), f({3})}, false, 0, "middle")),
      OUTCOME(pad(f({1, 1, 3}), {-3, 3}, "circular")), OUTCOME(pad(f({1, 1, 3}), {3, 3}, "circular")), OUTCOME(pad(f({1, 1, 3}), {4, 0}, "circular")), OUTCOME(pad(f({1, 1, 3}), {-2, 1}, "circular")), OUTCOME(x.view(kByte)), OUTCOME(x.t().view(kByte)), OUTCOME(f({}).view(kByte)), OUTCOME(f({3}).view(kDouble)), OUTCOME(f({1, 1}).expand({1, int64_t{1} << 61}).view(kByte)),
      SHOWN(margin_ranking_loss(tensor({1, 2}), tensor({3, 1}), tensor({1, -1}), 2, Reduction::None)), SHOWN(ctc_loss(-f({2, 1, 3}), l({1, 1}) + 1, {0}, {0}, 0, 0)), SHOWN(ctc_loss(-f({2, 1, 3}), l({1, 1}) + 1, {0}, {1}, 0, 0)), SHOWN(ctc_loss(-f({2, 1, 3}), l({1, 1}) + 1, {2}, {0}, 0, 0)), OUTCOME(f({2}).repeat({2, INT64_MAX})), OUTCOME(f({2, 2}).repeat({1, 1, 1, INT64_MAX})),
      OUTCOME(many.squeeze()), OUTCOME(x.sum({0}, false, kLong)), OUTCOME(upsample_nearest1d(f({1, 1, 2}), {2}, INFINITY)), OUTCOME(einsum("ab->ba", {x})), OUTCOME(x.clone().requires_grad_().sum({0}, false, kLong)),
  });
}

TEST(BadInput, ReductionsOfNothing) {
  const Tensor none = zeros({0, 3}), all = zeros({0});
  test::expect_outcomes({
      OUTCOME(none.amax(0)), OUTCOME(none.amax(1)), OUTCOME(none.amin(0)), OUTCOME(none.amin(1)), OUTCOME(none.amax({0, 1})), OUTCOME(none.max(0)), OUTCOME(none.max(1)), OUTCOME(none.min(0)), OUTCOME(none.min(1)), OUTCOME(none.argmax(0)), OUTCOME(none.argmax(1)),
      OUTCOME(none.argmin(0)), OUTCOME(none.argmin(1)), OUTCOME(none.aminmax(0)), OUTCOME(none.aminmax(1)), OUTCOME(none.median(0)), OUTCOME(none.median(1)), OUTCOME(none.nanmedian(0)), OUTCOME(none.mode(0)), OUTCOME(none.mode(1)), OUTCOME(none.kthvalue(1, 0)), OUTCOME(none.kthvalue(1, 1)),
      OUTCOME(none.quantile(0.5, 0)), OUTCOME(none.quantile(0.5, 1)), OUTCOME(none.logsumexp(0)), OUTCOME(none.sum(0)), OUTCOME(none.prod(0)), OUTCOME(none.mean(0)), OUTCOME(none.var(0)), OUTCOME(none.norm(2, 0)), OUTCOME(none.norm(INFINITY, 0)), OUTCOME(none.norm(INFINITY, 1)), OUTCOME(none.norm(-1, 0)), OUTCOME(none.norm(-1, 1)),
      OUTCOME(none.softmax(0)), OUTCOME(none.cumsum(0)), OUTCOME(none.cummax(0)), OUTCOME(none.cummin(1)), OUTCOME(none.sort(0)), OUTCOME(none.topk(0, 0)), OUTCOME(none.topk(1, 0)), OUTCOME(none.topk(3, 1)), OUTCOME(none.topk(4, 1)), OUTCOME(all.max()), OUTCOME(all.min()), OUTCOME(all.amax()), OUTCOME(all.argmax()), OUTCOME(all.median()), OUTCOME(all.logsumexp(0)), OUTCOME(all.norm()), OUTCOME(all.std()),
      OUTCOME(Tensor().argmax()), OUTCOME(Tensor().argmin()), OUTCOME(Tensor().argmax(0)), OUTCOME(Tensor().max()), OUTCOME(Tensor().max(0)), OUTCOME(Tensor().min()), OUTCOME(Tensor().amax()), OUTCOME(Tensor().aminmax()), OUTCOME(Tensor().median()), OUTCOME(Tensor().mode()), OUTCOME(Tensor().kthvalue(1)), OUTCOME(Tensor().quantile(0.5)),
      OUTCOME(Tensor().logsumexp(0)), OUTCOME(Tensor().sum()), OUTCOME(Tensor().prod()), OUTCOME(Tensor().mean()), OUTCOME(Tensor().var()), OUTCOME(Tensor().norm()), OUTCOME(Tensor().softmax(0)), OUTCOME(Tensor().cumsum(0)), OUTCOME(Tensor().sort()), OUTCOME(Tensor().topk(1)), OUTCOME(Tensor().any()), OUTCOME(Tensor().all()), OUTCOME(Tensor().trace()),
  });
}
// clang-format on

TEST(BadInput, TheMessageNamesTheOpAndBothShapes) {
  try {
    (void)(ones({2, 3}) + ones({4, 5}));
    FAIL();
  } catch (const Error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("add"), text.npos) << text;
    EXPECT_NE(text.find("[2, 3]"), text.npos) << text;
    EXPECT_NE(text.find("[4, 5]"), text.npos) << text;
  }
  try {
    (void)ones({2, 3}).mm(ones({4, 5}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace taut
