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

/// Two of the four blocks of 2 x 3 are zero.
Tensor of_blocks() {
  Tensor d = arange(1, 25).to(kDouble).view({4, 6});
  d.narrow(0, 0, 2).narrow(1, 0, 3).zero_(), d.narrow(0, 2, 2).narrow(1, 3, 3).zero_();
  return d;
}

TEST(Sparse, BlocksHoldTheSameElements) {
  const Tensor d = of_blocks();
  for (const Tensor& from :
       {d, d.to_sparse(), d.to_sparse_csr(), d.to_sparse_csc(), d.to_sparse_bsr({2, 3}), d.to_sparse_bsc({2, 3})})
    for (const Tensor& x : {from.to_sparse_bsr({2, 3}), from.to_sparse_bsc({2, 3})}) {
      EXPECT_EQ(x._nnz(), 2);
      EXPECT_EQ(x.values().sizes(), IntArrayRef({2, 2, 3}));
      EXPECT_EQ(x.sparse_dim(), 2);
      EXPECT_EQ(x.dense_dim(), 0);
      EXPECT_TRUE(same(x, d));
      EXPECT_TRUE(same(x.t(), d.t()));
      EXPECT_TRUE(same(x.to_sparse(), d));
      EXPECT_TRUE(same(x.to_sparse_csr(), d));
      EXPECT_TRUE(same(x * 2, d * 2));
      EXPECT_TRUE(same(x * x, d * d));
      EXPECT_TRUE(same(x + x, d + d));
      EXPECT_TRUE(same(d + x, d + d));
      EXPECT_TRUE(allclose(x.mm(d.t()), d.mm(d.t())));
      EXPECT_TRUE(allclose(d.t().mm(x), d.t().mm(d)));
      EXPECT_EQ(x.sum().item<double>(), d.sum().item<double>());
    }
  EXPECT_EQ(d.to_sparse_bsr({2, 3}).t().layout(), kSparseBsc);
  EXPECT_TRUE(equal(d.to_sparse_bsr({2, 3}).crow_indices(), tensor({0, 1, 2})));
  EXPECT_TRUE(equal(d.to_sparse_bsr({2, 3}).col_indices(), tensor({1, 0})));
}

TEST(Sparse, CompressedMatricesMayBeBatchesAndHaveDenseDimensions) {
  const Tensor d = of_blocks(), both = stack({d, d.flip({1})});
  for (const Tensor& x :
       {both.to_sparse_csr(), both.to_sparse_csc(), both.to_sparse_bsr({2, 3}), both.to_sparse_bsc({1, 3})}) {
    EXPECT_TRUE(same(x, both));
    EXPECT_TRUE(same(x.transpose(1, 2), both.transpose(1, 2)));
    EXPECT_EQ(x[1].layout(), x.layout());
    EXPECT_TRUE(same(x[1], both[1]));
    EXPECT_TRUE(same(x.to_sparse(), both));
    EXPECT_TRUE(same(x.relu() + x, both + both));
    EXPECT_TRUE(allclose(x.bmm(both.transpose(1, 2)), both.bmm(both.transpose(1, 2))));
  }
  EXPECT_SAYS(Error, "same number of specified elements per batch", stack({d, d * 0}).to_sparse_csr());
  const Tensor deep = stack({d, d * 2}, 2), x = deep.to_sparse_csr(1);
  EXPECT_EQ(x.values().sizes(), IntArrayRef({12, 2}));
  EXPECT_EQ(x.dense_dim(), 1);
  EXPECT_TRUE(same(x, deep));
  EXPECT_TRUE(same(x * 3, deep * 3));
  EXPECT_TRUE(same(deep.to_sparse_bsr({2, 3}, 1), deep));
  const Tensor none = zeros({0, 4, 6}, kDouble);
  EXPECT_TRUE(same(none.to_sparse_csr(), none));
  EXPECT_TRUE(same((d * 0).to_sparse_bsr({2, 3}), d * 0));
}

TEST(Sparse, BlocksOutsideTheSizeAreRefused) {
  const Tensor begins = tensor({0, 1, 2}), values = ones({2, 2, 2});
  EXPECT_EQ(sparse_bsr_tensor(begins, tensor({0, 1}), values).sizes(), IntArrayRef({4, 4}));
  EXPECT_SAYS(Error, "is not satisfied", sparse_bsr_tensor(begins, tensor({0, 2}), values, {4, 4}));
  EXPECT_SAYS(Error, "must be divisible with blocksize[1]", sparse_bsr_tensor(begins, tensor({0, 1}), values, {4, 5}));
  EXPECT_SAYS(Error, "values must have dimensionality", sparse_bsr_tensor(begins, tensor({0, 1}), ones({2}), {4, 4}));
  EXPECT_SAYS(Error, "must be equal to tensor batch dimensions",
              sparse_csr_tensor(tensor({{0, 1}, {0, 1}}), tensor({{0}, {0}}), ones({2, 1}), {3, 1, 1}));
  EXPECT_SAYS(Error, "must be divisible by given blocksize", of_blocks().to_sparse_bsr({3, 3}));
  EXPECT_SAYS(Error, "(Batch, Sparse, Dense)", of_blocks().expand({2, 4, 6}).to_sparse_csr().transpose(0, 1));
}

TEST(Sparse, GradientsOfBlocksAreThereWhereElementsAre) {
  const Tensor d = of_blocks();
  for (const Tensor& at : {d.to_sparse_bsr({2, 3}), d.to_sparse_bsc({2, 3}), stack({d, d}).to_sparse_csr()}) {
    const Tensor x = at.detach().set_requires_grad(true);
    to_dense(x * x).sum().backward();
    EXPECT_EQ(x.grad().layout(), at.layout());
    EXPECT_TRUE(same(x.grad(), at.to_dense() * 2));
  }
  const Tensor values = ones({2, 2, 3}, kDouble).set_requires_grad(true);
  const Tensor x = sparse_bsr_tensor(tensor({0, 1, 2}), tensor({1, 0}), values, {4, 6});
  x.mm(d.t()).sum().backward();
  EXPECT_TRUE(equal(values.grad()[0], d.sum(0).slice(0, 3).expand({2, 3})));
}

TEST(Sparse, AGatherMayHaveASparseGradient) {
  const Tensor x = rand({3, 4}).set_requires_grad(true), index = tensor({{0, 1, 2, 0}, {0, 1, 0, 0}});
  const Tensor g = rand({2, 4});
  x.gather(0, index, /*sparse_grad=*/true).backward(g);
  EXPECT_EQ(x.grad().layout(), kSparse);
  EXPECT_EQ(x.grad()._nnz(), 8);
  EXPECT_TRUE(allclose(x.grad().to_dense(), zeros({3, 4}).scatter_add(0, index, g)));
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

TEST(Sparse, ElementwiseProductsOfColumnsAreThoseOfDenseMatrices) {
  const Tensor a = dense(), b = a + tensor({{1.0, 0.0, 2.0}, {0.0, 3.0, 0.0}});
  EXPECT_TRUE(same(a.to_sparse_csc() * b.to_sparse_csc(), a * b));
  EXPECT_TRUE(same(a.to_sparse_csc() + b.to_sparse_csc(), a + b));
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
