// Meta tensors from C++: where they are, what reads nothing of them, and what says that there is nothing to read.
#include <gtest/gtest.h>

#include "taut/taut.h"

namespace taut {
namespace {

Tensor meta(IntArrayRef sizes, ScalarType dtype = kFloat) { return empty(sizes, TensorOptions(dtype).device(kMeta)); }

template <class E = Error, class F>
void expect_message(F&& f, const std::string& begin) {
  try {
    f();
    ADD_FAILURE() << "did not throw: " << begin;
  } catch (const E& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, begin.size()), begin);
  }
}

TEST(Meta, SaysWhereItIs) {
  const Tensor m = meta({2, 3});
  EXPECT_TRUE(m.is_meta());
  EXPECT_FALSE(m.is_cpu());
  EXPECT_EQ(m.device(), Device(kMeta));
  EXPECT_EQ(m.options().device(), Device(kMeta));
  EXPECT_EQ(m.data_ptr(), nullptr);
  EXPECT_EQ(m.storage().data(), nullptr);
  EXPECT_EQ(m.storage().nbytes(), 24u);
  EXPECT_EQ(repr(m), "tensor(..., device='meta', size=(2, 3))");
  EXPECT_EQ(repr(meta({}, kLong)), "tensor(..., device='meta', size=(), dtype=torch.int64)");
  EXPECT_EQ(zeros({2}).device(), Device(kCPU));
}
TEST(Meta, TakesNoMemory) {
  const int64_t before = memory_stats().allocated;
  const Tensor huge = zeros({int64_t{1} << 30, 1 << 20}, device(kMeta));
  const Tensor sum = (huge + huge).sum(0), part = huge.narrow(0, 5, 7).clone();
  EXPECT_EQ(sum.sizes(), IntArrayRef({1 << 20}));
  EXPECT_EQ(part.sizes(), IntArrayRef({7, 1 << 20}));
  EXPECT_LT(memory_stats().allocated - before, 1 << 16);
}
TEST(Meta, ViewsKnowTheirPlaceAndTheirBase) {
  const Tensor m = meta({4, 5}), v = m.select(0, 2).slice(0, 1, 4);
  EXPECT_EQ(v.storage_offset(), 11);
  EXPECT_TRUE(v.is_alias_of(m));
  EXPECT_FALSE(m.is_alias_of(meta({4, 5})));
  EXPECT_FALSE(m.is_set_to(meta({4, 5})));
  EXPECT_EQ(m.t().strides(), IntArrayRef({1, 5}));
}
TEST(Meta, FactoriesPutTensorsWhereTheOptionsSay) {
  for (const Tensor& t :
       {ones({2}, device(kMeta)), full({2}, 3, device(kMeta)), arange(5, device(kMeta)), eye(3, device(kMeta)),
        randn({2}, device(kMeta)), randperm(4, TensorOptions(kLong).device(kMeta)), tensor({1.0, 2.0}, device(kMeta)),
        zeros_like(ones({2}), device(kMeta)), ones_like(meta({2})), meta({2}).new_zeros({3}),
        linspace(0, 1, 3, device(kMeta)), hann_window(4, device(kMeta))})
    EXPECT_TRUE(t.is_meta()) << t;
  EXPECT_FALSE(zeros_like(meta({2}), device(kCPU)).is_meta());
  EXPECT_FALSE(meta({2}).new_empty({3}, device(kCPU)).is_meta());
}
TEST(Meta, MovesThereAndNotBack) {
  const Tensor c = ones({2, 3}), m = c.to(kMeta);
  EXPECT_TRUE(m.is_meta());
  EXPECT_TRUE(m.to(kMeta).is_same(m));
  EXPECT_EQ(c.to(Device(kMeta), kDouble).scalar_type(), kDouble);
  expect_message<NotImplementedError>([&] { m.to(kCPU); }, "Cannot copy out of meta tensor; no data!");
  expect_message<NotImplementedError>([&] { m.cpu(); }, "Cannot copy out of meta tensor; no data!");
  expect_message<NotImplementedError>([&] { c.copy_(m); }, "Cannot copy out of meta tensor; no data!");
  EXPECT_TRUE(m.copy_(c).is_meta());
}
TEST(Meta, WhatReadsNumbersSaysThatThereAreNone) {
  const Tensor m = meta({2, 3});
  expect_message([&] { meta({}).item(); }, "Tensor.item() cannot be called on meta tensors");
  expect_message<NotImplementedError>([&] { nonzero(m); }, "attempted to run this operator with Meta tensors");
  expect_message<NotImplementedError>([&] { m.equal(m); },
                                      "aten::equal: attempted to run this operator with Meta tensors");
  EXPECT_THROW(m.data_ptr<float>(), NotImplementedError);
  EXPECT_THROW(save(m, "meta.pt"), Error);
}
TEST(Meta, DoesNotMixWithNumbersButTakesSingleOnesAndIndices) {
  const Tensor m = meta({2, 3}), c = ones({2, 3});
  expect_message([&] { m + c; }, "Tensor on device cpu is not on the expected device meta!");
  expect_message([&] { c + m; }, "Tensor on device meta is not on the expected device cpu!");
  expect_message([&] { cat({m, c}); }, "Tensor on device cpu is not on the expected device meta!");
  EXPECT_TRUE((m + tensor(2.0)).is_meta());
  EXPECT_TRUE(m.index_select(0, tensor({1})).is_meta());
  EXPECT_EQ((c + c).sum().item<float>(), 12);  // and nothing of it stays
}
TEST(Meta, GradientsAreMeta) {
  const Tensor w = meta({3, 4}).requires_grad_(), x = meta({2, 3});
  const Tensor loss = matmul(x, w).relu().pow(2).mean();
  EXPECT_TRUE(loss.grad_fn());
  loss.backward();
  EXPECT_TRUE(w.grad().is_meta());
  EXPECT_EQ(w.grad().sizes(), w.sizes());
  const auto second = autograd::grad({autograd::grad({w.exp().sum()}, {w}, {}, true, true)[0].sum()}, {w});
  EXPECT_TRUE(second[0].is_meta());
  Tensor leaf = meta({2}).requires_grad_();
  EXPECT_TRUE(autograd::grad({(leaf * 2).sum()}, {leaf, w}, {}, std::nullopt, false, true)[0].is_meta());
}
TEST(Meta, ModulesAndOptimisersRunOnIt) {
  nn::Sequential model{nn::Conv2d(3, 4, 3), nn::BatchNorm2d(4), nn::ReLU(), nn::Flatten(), nn::Linear(4 * 6 * 6, 5)};
  model->to(kMeta);
  for (const Tensor& p : model->parameters()) EXPECT_TRUE(p.is_meta());
  optim::AdamW optimizer(model->parameters(), optim::AdamWOptions(0.1));
  const Tensor y = model->forward(meta({2, 3, 8, 8}));
  EXPECT_EQ(y.sizes(), IntArrayRef({2, 5}));
  cross_entropy_loss(y, meta({2}, kLong)).backward();
  optimizer.step();
  for (const Tensor& p : model->parameters()) EXPECT_TRUE(p.grad().is_meta());
  EXPECT_THROW(model->to(kCPU), NotImplementedError);
  model->to(kDouble);
  EXPECT_EQ(model->parameters()[0].scalar_type(), kDouble);
}

}  // namespace
}  // namespace taut
