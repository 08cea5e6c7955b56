// Sparse tensors beyond the samples of the sweep: layouts, the door, in-place writes, gradients and their layouts,
// optimisers.
#include <gtest/gtest.h>

#include "taut/taut.h"

namespace taut::test {
namespace {

Tensor coo() {
  const Tensor at = tensor({{0, 1, 1, 1}, {2, 0, 2, 2}}), values = tensor({3.0, 4.0, 5.0, -1.0});
  return sparse_coo_tensor(at, values, {2, 3});
}
Tensor dense() { return tensor({{0.0, 0.0, 3.0}, {4.0, 0.0, 4.0}}); }
bool same(const Tensor& a, const Tensor& b) { return equal(to_dense(a), to_dense(b)); }

#define EXPECT_SAYS(Type, text, expression)                                     \
  try {                                                                         \
    (void)(expression);                                                         \
    ADD_FAILURE() << "nothing was thrown";                                      \
  } catch (const Type& e) {                                                     \
    EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what(); \
  }

TEST(Sparse, LayoutsHoldTheSameElements) {
  for (const Tensor& x : {coo(), coo().coalesce(), coo().to_sparse_csr(), coo().to_sparse_csc()}) {
    EXPECT_TRUE(equal(x.to_dense(), dense())) << x;
    EXPECT_TRUE(same(x.t(), dense().t()));
    EXPECT_TRUE(same(x.to_sparse(), dense()));
    EXPECT_EQ(x.numel(), 6);
    EXPECT_FALSE(x.is_contiguous());
    EXPECT_FALSE(x.has_storage());
  }
  EXPECT_EQ(coo().layout(), kSparse);
  EXPECT_EQ(coo().to_sparse_csr().t().layout(), kSparseCsc);
  EXPECT_EQ(coo()._nnz(), 4);
  EXPECT_EQ(coo().coalesce()._nnz(), 3);
  EXPECT_TRUE(coo().coalesce().is_coalesced());
  EXPECT_TRUE(equal(coo().to_sparse_csr().crow_indices(), tensor({0, 1, 3})));
  EXPECT_EQ(coo().sparse_dim() + dense().to_sparse(1).dense_dim(), 3);
}

TEST(Sparse, IndicesOutsideTheSizeAreRefused) {
  const Tensor one = ones({1});
  EXPECT_SAYS(Error, "size is inconsistent with indices: for dim 0, size is 2 but found index 2",
              sparse_coo_tensor(tensor({{2}}), one, {2}));
  EXPECT_SAYS(Error, "found negative index -1 for dim 0", sparse_coo_tensor(tensor({{-1}}), one, {2}));
  EXPECT_SAYS(Error, "is not satisfied", sparse_csr_tensor(tensor({0, 1}), tensor({3}), one, {1, 3}));
  EXPECT_SAYS(Error, "is not satisfied", sparse_csr_tensor(tensor({0, 2, 1}), tensor({0}), one, {2, 3}));
}

TEST(Sparse, IndicesAreTheirOwn) {
  Tensor at = tensor({{0, 1, 1}, {2, 0, 2}}), begins = tensor({0, 1, 3}), columns = tensor({2, 0, 2});
  const Tensor values = tensor({1., 2., 3.}, kDouble), one = sparse_coo_tensor(at, values, {2, 3}),
               two = sparse_csr_tensor(begins, columns, values, {2, 3}), dense = one.to_dense(),
               x = ones({3, 2}, kDouble);
  for (Tensor t : {at, begins, columns}) t.fill_(1'000'000);
  EXPECT_TRUE(equal(one.to_dense(), dense));
  EXPECT_TRUE(equal(two.to_dense(), dense));
  EXPECT_TRUE(equal(mm(one, x), mm(dense, x)));
  EXPECT_TRUE(equal(mm(two, x), mm(dense, x)));
}

TEST(Sparse, OpsThatDoNotKnowThemSayToDense) {
  const Tensor x = coo(), csr = x.to_sparse_csr(), y = ones({2, 3});
  EXPECT_SAYS(NotImplementedError, "x.to_dense()", x.exp());
  EXPECT_SAYS(NotImplementedError, "x.to_dense()", x.cumsum(0));
  EXPECT_SAYS(NotImplementedError, "x.to_dense()", csr.view({6}));
  EXPECT_SAYS(NotImplementedError, "x.to_dense()", where(y > 0, y, x));
  EXPECT_SAYS(NotImplementedError, "x.to_dense()", nn::functional::softmax(x, 1));
  EXPECT_SAYS(NotImplementedError, "to_dense()", x.data_ptr<float>());
  EXPECT_SAYS(NotImplementedError, "storage", x.storage().data());
  EXPECT_SAYS(NotImplementedError, "to_dense()", x.clone().uniform_());
  EXPECT_SAYS(NotImplementedError, "to_dense()", y.clone().masked_scatter_(y > 0, x));
  EXPECT_SAYS(Error, "not implemented", y.clone().copy_(x));
  EXPECT_SAYS(Error, "incompatible tensor type", y.clone().set_data(x));
  EXPECT_SAYS(Error, "add(sparse, dense) is not supported", x + y);
  EXPECT_SAYS(Error, "expand is unsupported", x.expand({2, 2, 3}));
  EXPECT_SAYS(Error, "in-place transposition is not supported", csr.clone().t_());
}

TEST(Sparse, WritesInPlaceKeepTheLayout) {
  Tensor x = coo().coalesce();
  const Tensor alias = x.detach();
  x.mul_(2);
  EXPECT_TRUE(same(x, dense() * 2));
  EXPECT_TRUE(same(alias, x)) << "the elements are shared";
  x.add_(coo());
  EXPECT_TRUE(same(x, dense() * 3));
  EXPECT_TRUE(same(ones({2, 3}).sub_(coo()), 1 - dense()));
  EXPECT_TRUE(same(x.t_(), dense().t() * 3));
  EXPECT_EQ(x.zero_()._nnz(), 0);
  EXPECT_EQ(x.sizes(), IntArrayRef({3, 2}));
}

TEST(Sparse, ProductsAreThoseOfDenseMatrices) {
  manual_seed(1);
  for (const int64_t n : {1, 3, 16, 64, 67, 130}) {
    const Tensor a = rand({37, 29}, kDouble).mul(rand({37, 29}, kDouble) > 0.7), b = randn({29, n}, kDouble);
    for (const ScalarType t : {kDouble, kFloat, kHalf, kLong}) {
      const Tensor at = (a * 4).to(t), bt = (b * 4).to(t), want = at.to(kDouble).mm(bt.to(kDouble));
      for (const Tensor& s : {at.to_sparse(), at.to_sparse_csr(), at.to_sparse_csc()})
        EXPECT_TRUE(allclose(s.mm(bt).to(kDouble), want, 1e-2, t == kHalf ? 1 : 1e-4)) << t << " " << n;
    }
    EXPECT_TRUE(allclose(b.t().mm(a.t().to_sparse()), b.t().mm(a.t()), 1e-9, 1e-9));
    EXPECT_TRUE(allclose(a.to_sparse().mm(b.to_sparse()).to_dense(), a.mm(b), 1e-9, 1e-9));
  }
}

TEST(Sparse, ProductsHaveTheSameBitsForAnyNumberOfThreads) {
  manual_seed(2);
  const Tensor at = randint(0, 5000, {2, 60000}, kLong), a = sparse_coo_tensor(at, rand({60000}), {5000, 5000});
  const Tensor b = randn({5000, 33});
  const int before = get_num_threads();
  set_num_threads(1);
  const Tensor one = a.mm(b), back = a.t().mm(b);
  set_num_threads(3);
  EXPECT_TRUE(equal(a.mm(b), one));
  EXPECT_TRUE(equal(a.t().mm(b), back));
  set_num_threads(before);
}

TEST(Sparse, GradientsHaveTheLayoutsOfPyTorch) {
  const Tensor x = coo().coalesce().detach().requires_grad_(), b = randn({3, 2}).requires_grad_();
  x.mm(b).sum().backward();
  EXPECT_EQ(x.grad().layout(), kStrided);
  x.mutable_grad().reset();
  _sparse_mm(x, b).sum().backward();
  EXPECT_EQ(x.grad().layout(), kSparse);
  EXPECT_EQ(x.grad()._nnz(), 3);
  EXPECT_EQ(b.grad().layout(), kStrided);
  _sparse_mm(x, b).sum().backward();  // sparse and sparse
  EXPECT_EQ(x.grad().layout(), kSparse);
  x.mm(b).sum().backward();  // sparse and dense
  EXPECT_EQ(x.grad().layout(), kStrided);
  const Tensor each = ones({2, 2}).mm(b.detach().t());
  EXPECT_TRUE(allclose(x.grad(), each + 2 * each * (dense() != 0)));
}

/// Its gradient has values that belong to somebody else.
struct Lends : autograd::Function<Lends> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& x, const Tensor& values) {
    ctx->save_for_backward({values});
    return zeros({}, x.scalar_type());
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list) {
    const Tensor values = ctx->get_saved_variables()[0];
    return {sparse_coo_tensor(tensor({{0, 1}, {2, 0}}), values, {2, 3}), Tensor()};
  }
};

TEST(Sparse, GradientsAreAddedToMemoryOfTheirOwn) {
  const Tensor x = zeros({2, 3}).requires_grad_(), values = tensor({1.f, 2.f});
  for (int k = 0; k < 3; ++k) Lends::apply(x, values).backward();
  EXPECT_TRUE(equal(values, tensor({1.f, 2.f})));
  EXPECT_TRUE(equal(x.grad().to_dense(), tensor({{0.f, 0.f, 3.f}, {6.f, 0.f, 0.f}})));
}

TEST(Sparse, GradientsOfValuesPassGradcheckTwice) {
  const Tensor at = tensor({{0, 1, 1}, {2, 0, 2}}), b = randn({3, 4}, kDouble).requires_grad_();
  const Tensor v = tensor({0.5, -1.5, 2.0}, kDouble).requires_grad_();
  const auto f = [&](const autograd::variable_list& in) {
    const Tensor x = sparse_coo_tensor(at, in[0], {2, 3});
    const Tensor y = _sparse_mm(x * 2, in[1]) + _sparse_softmax(x, 1).to_dense().mm(in[1]);
    return autograd::variable_list{y, (x * x).to_dense(), _sparse_sum(x, IntArrayRef{0}).to_dense()};
  };
  EXPECT_TRUE(autograd::gradcheck(f, {v, b}));
  EXPECT_TRUE(autograd::gradgradcheck(f, {v, b}));
}

TEST(Sparse, EmbeddingsTrainWithSparseGradients) {
  for (const bool sparse : {false, true}) {
    manual_seed(3);
    nn::Embedding table(nn::EmbeddingOptions(10, 4).sparse(sparse));
    optim::SGD sgd(table->parameters(), optim::SGDOptions(0.1).momentum(0.9).nesterov(true));
    optim::Adagrad adagrad(table->parameters(), optim::AdagradOptions(0.1));
    const Tensor before = table->weight.detach().clone();
    for (int step = 0; step < 3; ++step) {
      table->zero_grad();
      table->forward(tensor({1, 7, 1})).pow(2).sum().backward();
      EXPECT_EQ(table->weight.grad().is_sparse(), sparse);
      sgd.step();
      adagrad.step();
    }
    static Tensor dense_result;
    if (!sparse) dense_result = table->weight.detach().clone();
    else EXPECT_TRUE(allclose(table->weight, dense_result, 1e-5, 1e-6));
    EXPECT_FALSE(equal(table->weight, before));
  }
}

TEST(Sparse, OtherOptimisersRefuseSparseGradients) {
  nn::Embedding table(nn::EmbeddingOptions(4, 2).sparse(true));
  table->forward(tensor({1})).sum().backward();
  optim::Adam adam(table->parameters());
  EXPECT_SAYS(Error, "Adam does not support sparse gradients, please consider SparseAdam instead", adam.step());
  optim::RMSprop rmsprop(table->parameters());
  EXPECT_SAYS(Error, "RMSprop does not support sparse gradients", rmsprop.step());
}

}  // namespace
}  // namespace taut::test
