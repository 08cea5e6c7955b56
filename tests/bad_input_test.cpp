// Bad input, by op family: a typed exception with a message that names the op, and nothing changed. Run under ASan too.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

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
  for (const Case& c : cases) {
    SCOPED_TRACE(c.call);
    Inputs in;
    const Inputs before = {in.x.clone(), in.y.clone(), in.i.clone(), in.big.clone(), in.m.clone(), {}, in.wide.clone()};
    const uint32_t version = in.x._version();
    try {
      c.run(in);
      ADD_FAILURE() << "no exception";
    } catch (const Error& e) {
      EXPECT_GT(std::string(e.what()).size(), 12u);
    } catch (const std::exception& e) {
      ADD_FAILURE() << "not a taut::Error: " << e.what();
    }
    EXPECT_TRUE(equal(in.x, before.x));
    EXPECT_EQ(in.x._version(), version);
    EXPECT_TRUE(equal(in.y, before.y) && equal(in.i, before.i) && equal(in.big, before.big) && equal(in.m, before.m));
    EXPECT_TRUE(equal(in.wide, before.wide));
  }
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
      BAD(zeros({0}).argmax()), BAD(none.sum()), BAD(i.var()), BAD(i.norm()), BAD(x.norm(kNan)), BAD(x.prod(-3)), BAD(x.softmax(2)), BAD(i.softmax(0)),
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
