// Factories: values, dtypes, layouts and flags as PyTorch gives them, and what they refuse.
#include "taut/factories.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "taut/autograd.h"
#include "taut/core/runtime.h"
#include "taut/print.h"

namespace taut {
namespace {

constexpr int64_t kMin = INT64_MIN, kMax = INT64_MAX;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

std::vector<int64_t> list(IntArrayRef a) { return a.vec(); }
using Ints = std::vector<int64_t>;

// ---- Literals.

TEST(TensorLiteral, ShapeAndDtypeComeFromTheList) {
  EXPECT_EQ(repr(tensor({{1.0, 2.0}, {3.0, 4.5}})), "tensor([[1.0000, 2.0000],\n        [3.0000, 4.5000]])");
  EXPECT_EQ(repr(tensor({1, 2, 3})), "tensor([1, 2, 3])");
  EXPECT_EQ(repr(tensor({true, false})), "tensor([ True, False])");
  EXPECT_EQ(repr(tensor(2.5)), "tensor(2.5000)");
  EXPECT_EQ(repr(tensor(7)), "tensor(7)");
  EXPECT_EQ(repr(tensor({{{1}, {2}}})), "tensor([[[1],\n         [2]]])");
}
TEST(TensorLiteral, MixedNumbersTakeTheWidestKind) {
  EXPECT_EQ(tensor({1, 2.5}).scalar_type(), kFloat);
  EXPECT_EQ(tensor({true, 2}).scalar_type(), kLong);
  EXPECT_EQ(tensor({true, 2.5}).scalar_type(), kFloat);
}
TEST(TensorLiteral, FloatsTakeTheDefaultDtype) {
  set_default_dtype(kDouble);
  const ScalarType type = tensor({1.5f}).scalar_type();
  set_default_dtype(kFloat);
  EXPECT_EQ(type, kDouble);
}
TEST(TensorLiteral, EmptyListsAndVectors) {
  EXPECT_EQ(list(tensor(TensorData(std::initializer_list<TensorData>{})).sizes()), (Ints{0}));
  const TensorData none(std::initializer_list<TensorData>{});
  EXPECT_EQ(list(tensor({none, none}).sizes()), (Ints{2, 0}));
  EXPECT_EQ(tensor(std::vector<int64_t>{}).scalar_type(), kLong);
  EXPECT_EQ(tensor(std::vector<float>{}).scalar_type(), kFloat);
  EXPECT_EQ(repr(tensor(std::vector<bool>{true})), "tensor([True])");
  EXPECT_EQ(repr(tensor(std::vector<float>{1.5f, -2})), "tensor([ 1.5000, -2.0000])");
  const int64_t some[] = {4, 5};
  EXPECT_EQ(repr(tensor(IntArrayRef(some))), "tensor([4, 5])");
}
TEST(TensorLiteral, OptionsAreHonoured) {
  EXPECT_EQ(repr(tensor({1.7, -1.7}, kInt)), "tensor([ 1, -1], dtype=torch.int32)");
  EXPECT_EQ(repr(tensor({0, 2}, kBool)), "tensor([False,  True])");
  EXPECT_EQ(repr(tensor({1, 2}, TensorOptions(kHalf).requires_grad(true))),
            "tensor([1., 2.], dtype=torch.float16, requires_grad=True)");
  EXPECT_EQ(repr(tensor({-1}, kByte)), "tensor([255], dtype=torch.uint8)");
  EXPECT_EQ(tensor({1e300}).item<double>(), kInf);
}
TEST(TensorLiteral, ARaggedListNamesThePosition) {
  try {
    tensor({{{1, 2}, {3, 4}}, {{5, 6}, {7}}});
    FAIL();
  } catch (const ValueError& e) {
    EXPECT_NE(std::string(e.what()).find("expected sequence of length 2 at dim 2 (got 1), at position [1, 1]"),
              std::string::npos)
        << e.what();
  }
  EXPECT_THROW(tensor({TensorData{1, 2}, 3}), ValueError);
  EXPECT_THROW(tensor({1, TensorData{2, 3}}), ValueError);
  EXPECT_THROW(tensor({TensorData(std::vector<int>{}), TensorData{1}}), ValueError);
}
TEST(TensorLiteral, NumbersThatDoNotFitAreRefused) {
  EXPECT_THROW(tensor({300}, kByte), Error);
  EXPECT_THROW(tensor({-256}, kByte), Error);
  EXPECT_THROW(tensor({128}, kChar), Error);
  EXPECT_THROW(tensor({int64_t{1} << 31}, kInt), Error);
  EXPECT_THROW(tensor({kNan}, kLong), Error);
  EXPECT_THROW(tensor({0x1p64}, kLong), Error);
  EXPECT_THROW(tensor({256.0}, kByte), Error);
  EXPECT_THROW(tensor({-0.5}, kByte), Error);
  EXPECT_THROW(tensor({1}, ScalarType::Undefined), TypeError);
  EXPECT_THROW(tensor({1}, requires_grad()), Error);
  TensorData deep = 1;
  for (int i = 0; i < 65; ++i) deep = TensorData(std::initializer_list<TensorData>{deep});
  EXPECT_THROW(tensor(deep), Error);
}

// ---- Constants.

TEST(Constants, DtypeOfFullComesFromTheValue) {
  EXPECT_EQ(full({2}, true).scalar_type(), kBool);
  EXPECT_EQ(full({2}, 3).scalar_type(), kLong);
  EXPECT_EQ(full({2}, 3.0).scalar_type(), kFloat);
  EXPECT_EQ(repr(full({2}, 3, kHalf)), "tensor([3., 3.], dtype=torch.float16)");
  EXPECT_EQ(repr(full({}, 2.5)), "tensor(2.5000)");
  EXPECT_EQ(repr(scalar_tensor(5)), "tensor(5.)");
  EXPECT_EQ(repr(zeros({0, 3})), "tensor([], size=(0, 3))");
  EXPECT_EQ(repr(ones({2}, kLong)), "tensor([1, 1])");
}
TEST(Constants, EveryDtypeFills) {
  for (int t = 0; t < kDtypeCount; ++t) {
    const auto type = static_cast<ScalarType>(t);
    EXPECT_EQ(ones({3}, type).scalar_type(), type);
    EXPECT_EQ(ones({3, 2}, type).to(kDouble).sum().item<double>(), 6) << type;
    // An exponent alone has no zero, but a least number.
    EXPECT_EQ(zeros({3, 2}, type).to(kDouble).sum().item<double>(), type == kFloat8_e8m0fnu ? 6 * 0x1p-127 : 0) << type;
    EXPECT_EQ(eye(3, 2, type).to(kDouble).sum().item<double>(), 2) << type;
  }
}
TEST(Constants, RequiresGradIsForFloatsOnly) {
  EXPECT_TRUE(zeros({2}, requires_grad()).requires_grad());
  EXPECT_TRUE(zeros({2}, requires_grad()).is_leaf());
  EXPECT_TRUE(eye(2, requires_grad()).requires_grad());
  EXPECT_TRUE(arange(2.0, requires_grad()).requires_grad());
  EXPECT_THROW(zeros({2}, TensorOptions(kLong).requires_grad(true)), Error);
  EXPECT_THROW(arange(5, requires_grad()), Error);
  NoGradGuard guard;
  EXPECT_TRUE(ones({2}, requires_grad()).requires_grad());
}
TEST(Constants, InferenceModeMarksThem) {
  InferenceMode mode;
  EXPECT_TRUE(zeros({2}).is_inference());
  EXPECT_TRUE(tensor({1.0}).is_inference());
  EXPECT_TRUE(arange(3).is_inference());
  EXPECT_TRUE(rand({2}).is_inference());
  EXPECT_TRUE(zeros_like(ones({2})).is_inference());
  float x[2] = {};
  EXPECT_TRUE(from_blob(x, {2}).is_inference());
}
TEST(Constants, BadShapesAreRefusedBeforeAllocating) {
  EXPECT_THROW(zeros({-1}), Error);
  EXPECT_THROW(ones({kMin}), Error);
  EXPECT_THROW(empty({kMax}), Error);
  EXPECT_THROW(full({kMax, 2}, 1), Error);
  EXPECT_THROW(zeros({int64_t{1} << 32, int64_t{1} << 32}), Error);
  EXPECT_THROW(zeros({kMax, kMax, kMax}), Error);
  EXPECT_THROW(zeros(Ints(65, 1)), Error);
  EXPECT_THROW(eye(-1), ValueError);
  EXPECT_THROW(eye(2, kMin), ValueError);
  EXPECT_THROW(eye(kMax), Error);
  EXPECT_THROW(zeros({int64_t{1} << 50}), OutOfMemory);
  EXPECT_EQ(zeros({kMax, 0, kMax}).numel(), 0);
  EXPECT_THROW(zeros({kMax, kMax, 0}), Error);
  EXPECT_THROW(zeros({0, kMax, kMax}), Error);
}
TEST(Constants, BadValuesAreRefused) {
  EXPECT_THROW(full({2}, 300, kByte), Error);
  EXPECT_THROW(full({2}, 1e300), Error);
  EXPECT_THROW(full({2}, 1e5, kHalf), Error);
  EXPECT_THROW(full({2}, kNan, kInt), Error);
  EXPECT_THROW(full({2}, 1, ScalarType::Undefined), TypeError);
  EXPECT_THROW(empty({2}, kFloat, MemoryFormat::Preserve), Error);
}

// ---- Ranges.

TEST(Arange, IntegersStayIntegers) {
  EXPECT_EQ(repr(arange(5)), "tensor([0, 1, 2, 3, 4])");
  EXPECT_EQ(repr(arange(5, -5, -3)), "tensor([ 5,  2, -1, -4])");
  EXPECT_EQ(repr(arange(1, 10, 2)), "tensor([1, 3, 5, 7, 9])");
  EXPECT_EQ(repr(arange(true)), "tensor([0])");
  EXPECT_EQ(repr(arange(0)), "tensor([], dtype=torch.int64)");
  EXPECT_EQ(arange((int64_t{1} << 53), (int64_t{1} << 53) + 5)[4].item<int64_t>(), 9007199254740996);
}
TEST(Arange, TheLengthOfFloatsIsComputedInDouble) {
  EXPECT_EQ(arange(0, 1, 0.1).numel(), 10);
  EXPECT_EQ(arange(1, 4.0000001, 1).numel(), 4);
  EXPECT_EQ(arange(0, 1, 1.0 / 49, kDouble).numel(), 50);
  EXPECT_EQ(arange(0, 5, kInf).numel(), 0);
  EXPECT_EQ(repr(arange(0.1, 0.7, 0.1, kHalf)),
            "tensor([0.1000, 0.2000, 0.3000, 0.3999, 0.5000, 0.6001], dtype=torch.float16)");
}
TEST(Arange, FractionsForAnIntegerDtypeAreCutOff) {
  EXPECT_EQ(repr(arange(0, 2.5, kInt)), "tensor([0, 1, 2], dtype=torch.int32)");
  EXPECT_EQ(repr(arange(0, 2.5, kLong)), "tensor([0, 1])");
  EXPECT_EQ(repr(arange(0.5, 3.5, kLong)), "tensor([0, 1, 2])");
  EXPECT_EQ(repr(arange(0, 5, kChar)), "tensor([0, 1, 2, 3, 4], dtype=torch.int8)");
  EXPECT_EQ(arange(0, 500, kChar).numel(), 500);
}
TEST(Arange, TheWholeRangeOfInt64Works) {
  EXPECT_EQ(
      repr(arange(kMin, kMax, int64_t{1} << 62)),
      "tensor([-9223372036854775808, -4611686018427387904,                    0,\n         4611686018427387904])");
  EXPECT_EQ(arange(kMax, kMin, kMin).numel(), 2);
}
TEST(Arange, BadBoundsAreRefused) {
  EXPECT_THROW(arange(0, 5, 0), ValueError);
  EXPECT_THROW(arange(0, 5, 0.0), ValueError);
  EXPECT_THROW(arange(0, 5, kNan), ValueError);
  EXPECT_THROW(arange(5, 0), ValueError);
  EXPECT_THROW(arange(0, 5, -1), ValueError);
  EXPECT_THROW(arange(kMax, kMax - 1), ValueError);
  EXPECT_THROW(arange(kNan), ValueError);
  EXPECT_THROW(arange(kInf), ValueError);
  EXPECT_THROW(arange(-kInf, 0.0), ValueError);
  EXPECT_THROW(arange(0, 1e30), Error);
  EXPECT_THROW(arange(0, 1e30, kLong), Error);
  EXPECT_THROW(arange(0.0, 1.0, 1e-300), ValueError);
  EXPECT_THROW(arange(kMax), Error);
  EXPECT_THROW(arange(kMin, kMax), Error);
  EXPECT_THROW(arange(0, 2, kBool), TypeError);
}
TEST(Linspace, EndsAreExact) {
  EXPECT_EQ(repr(linspace(0, 1, 4)), "tensor([0.0000, 0.3333, 0.6667, 1.0000])");
  EXPECT_EQ(repr(linspace(-3, 10, 5, kInt)), "tensor([-3,  0,  3,  6, 10], dtype=torch.int32)");
  EXPECT_EQ(linspace(0.1, 0.7, 101)[100].item<float>(), 0.7f);
  EXPECT_EQ(repr(linspace(3, 9, 1)), "tensor([3.])");
  EXPECT_EQ(linspace(3, 9, 0).numel(), 0);
}
TEST(Logspace, PowersOfTheBase) {
  EXPECT_EQ(repr(logspace(-2, 2, 5)), "tensor([1.0000e-02, 1.0000e-01, 1.0000e+00, 1.0000e+01, 1.0000e+02])");
  EXPECT_EQ(repr(logspace(0, 3, 4, 2, kShort)), "tensor([1, 2, 4, 8], dtype=torch.int16)");
  EXPECT_EQ(repr(logspace(0, 2, 3, -2)), "tensor([ 1., -2.,  4.])");
}
TEST(Linspace, BadArgumentsAreRefused) {
  EXPECT_THROW(linspace(0, 1, -1), ValueError);
  EXPECT_THROW(logspace(0, 1, kMin), ValueError);
  EXPECT_THROW(linspace(0, 1, kMax), Error);
  EXPECT_THROW(linspace(0, 1, 3, kBool), TypeError);
  EXPECT_THROW(linspace(0, 1000, 3, kChar), Error);
  EXPECT_THROW(linspace(0, 1e300, 3), Error);
  EXPECT_THROW(logspace(0, 1e300, 3), Error);
}
TEST(TriangleIndices, RowsAndColumns) {
  EXPECT_EQ(repr(triu_indices(3, 4, -1)),
            "tensor([[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2],\n        [0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3]])");
  EXPECT_EQ(repr(tril_indices(3, 4, 1)), "tensor([[0, 0, 1, 1, 1, 2, 2, 2, 2],\n        [0, 1, 0, 1, 2, 0, 1, 2, 3]])");
  EXPECT_EQ(repr(tril_indices(4, 2, -1)), "tensor([[1, 2, 2, 3, 3],\n        [0, 0, 1, 0, 1]])");
  EXPECT_EQ(tril_indices(3, 3, 0, kInt).scalar_type(), kInt);
}
TEST(TriangleIndices, BothPartsMakeTheWholeForEveryOffset) {
  for (int64_t row : {1, 2, 5})
    for (int64_t col : {1, 3, 5})
      for (int64_t offset = -7; offset <= 7; ++offset) {
        const Tensor lower = tril_indices(row, col, offset), upper = triu_indices(row, col, offset + 1);
        ASSERT_EQ(lower.size(1) + upper.size(1), row * col) << row << " " << col << " " << offset;
        for (int64_t i = 0; i < lower.size(1); ++i)
          EXPECT_LE(lower[1][i].item<int64_t>() - lower[0][i].item<int64_t>(), offset);
        for (int64_t i = 0; i < upper.size(1); ++i)
          EXPECT_GT(upper[1][i].item<int64_t>() - upper[0][i].item<int64_t>(), offset);
      }
}
TEST(TriangleIndices, ExtremeArguments) {
  EXPECT_EQ(list(tril_indices(2, 3, kMax).sizes()), (Ints{2, 6}));
  EXPECT_EQ(list(tril_indices(2, 3, kMin).sizes()), (Ints{2, 0}));
  EXPECT_EQ(list(triu_indices(2, 3, kMax).sizes()), (Ints{2, 0}));
  EXPECT_EQ(list(triu_indices(2, 3, kMin).sizes()), (Ints{2, 6}));
  EXPECT_EQ(list(triu_indices(kMax, 0, 1).sizes()), (Ints{2, 0}));
  EXPECT_EQ(repr(tril_indices(int64_t{1} << 47, 1, 1 - (int64_t{1} << 47))),
            "tensor([[140737488355327],\n        [              0]])");
  EXPECT_THROW(tril_indices(kMax, kMax), Error);
  EXPECT_THROW(tril_indices(int64_t{1} << 47, 1), OutOfMemory);
  EXPECT_THROW(tril_indices(-1, 3), ValueError);
  EXPECT_THROW(triu_indices(3, kMin), ValueError);
  EXPECT_THROW(triu_indices(3, 3, 0, kFloat), TypeError);
  EXPECT_THROW(tril_indices(3, 3, 0, kByte), TypeError);
}

// ---- Like another tensor.

TEST(Like, KeepsTheOrderOfMemory) {
  EXPECT_EQ(list(zeros_like(zeros({3, 2}).t()).strides()), (Ints{1, 2}));
  EXPECT_EQ(list(zeros_like(zeros({2, 6}).slice(1, 0, 6, 2)).strides()), (Ints{3, 1}));
  EXPECT_EQ(list(zeros_like(zeros({3}).expand({2, 3})).strides()), (Ints{3, 1}));
  EXPECT_EQ(list(ones_like(zeros({2, 3, 4}).permute({2, 0, 1})).strides()), (Ints{1, 12, 4}));
  EXPECT_EQ(list(ones_like(zeros({2, 3, 4}).permute({2, 0, 1}).slice(0, 0, 4, 2)).strides()), (Ints{1, 6, 2}));
  EXPECT_EQ(list(empty_like(zeros({2, 1, 3}).expand({2, 4, 3}).permute({2, 1, 0})).strides()), (Ints{1, 3, 12}));
  EXPECT_EQ(list(zeros_like(zeros({3, 2}).t(), {}, MemoryFormat::Contiguous).strides()), (Ints{3, 1}));
}
TEST(Like, DtypeIsThatOfSelfUnlessAsked) {
  EXPECT_EQ(repr(full_like(ones({2}, kLong), 1.5)), "tensor([1, 1])");
  EXPECT_EQ(repr(ones_like(zeros({2}, kBool))), "tensor([True, True])");
  EXPECT_EQ(zeros_like(zeros({2}, kLong), kHalf).scalar_type(), kHalf);
  EXPECT_FALSE(zeros_like(zeros({2}, requires_grad())).requires_grad());
  EXPECT_TRUE(zeros_like(zeros({2}), requires_grad()).requires_grad());
}
TEST(Like, NewTensorsTakeTheDtypeOfSelf) {
  const Tensor x = ones({2, 3}, kDouble);
  EXPECT_EQ(repr(x.new_zeros({2})), "tensor([0., 0.], dtype=torch.float64)");
  EXPECT_EQ(repr(x.new_ones({2}, kLong)), "tensor([1, 1])");
  EXPECT_EQ(repr(ones({2}, kLong).new_full({2}, 1.5)), "tensor([1, 1])");
  EXPECT_EQ(x.new_empty({4, 0}).numel(), 0);
  EXPECT_EQ(repr(ones({2}, requires_grad()).new_tensor(tensor({1, 2}))), "tensor([1., 2.])");
  EXPECT_TRUE(x.new_zeros({2}, requires_grad()).requires_grad());
}
TEST(Like, NewTensorIsACopyOutsideTheGraph) {
  const Tensor data = ones({2}, requires_grad());
  const Tensor copy = data.new_tensor(data);
  EXPECT_FALSE(copy.requires_grad());
  EXPECT_FALSE(copy.is_alias_of(data));
}
TEST(Like, UndefinedTensorsAreRefused) {
  EXPECT_THROW(zeros_like(Tensor()), Error);
  EXPECT_THROW(empty_like(Tensor()), Error);
  EXPECT_THROW(full_like(Tensor(), 1), Error);
  EXPECT_THROW(rand_like(Tensor()), Error);
  EXPECT_THROW(Tensor().new_zeros({2}), Error);
  EXPECT_THROW(Tensor().new_tensor(zeros({2})), Error);
  EXPECT_THROW(zeros({2}).new_tensor(Tensor()), Error);
  EXPECT_THROW(result_type(Tensor(), Scalar(1)), Error);
}

// ---- Strides and memory of the caller.

TEST(EmptyStrided, TakesAnyNonNegativeStrides) {
  const Tensor x = empty_strided({2, 3}, {1, 2}, kInt);
  EXPECT_EQ(list(x.strides()), (Ints{1, 2}));
  EXPECT_FALSE(x.is_contiguous());
  EXPECT_EQ(empty_strided({1000000, 1000000}, {0, 0}).numel(), 1000000000000);
  EXPECT_EQ(empty_strided({0, 3}, {5, 7}).numel(), 0);
}
TEST(EmptyStrided, BadStridesAreRefused) {
  EXPECT_THROW(empty_strided({2, 3}, {1}), Error);
  EXPECT_THROW(empty_strided({2}, {-1}), ValueError);
  EXPECT_THROW(empty_strided({-2}, {1}), Error);
  EXPECT_THROW(empty_strided({2}, {kMin}), ValueError);
  EXPECT_THROW(empty_strided({3}, {kMax}), Error);
  EXPECT_THROW(empty_strided({2, 2}, {kMax, kMax}), Error);
  EXPECT_THROW(empty_strided({2, 2}, {int64_t{1} << 58, int64_t{1} << 58}), Error);
}
TEST(FromBlob, SharesTheMemory) {
  float data[6] = {1, 2, 3, 4, 5, 6};
  const Tensor x = from_blob(data, {2, 3});
  data[0] = 9;
  EXPECT_EQ(x[0][0].item<float>(), 9);
  x.fill_(7);
  EXPECT_EQ(data[5], 7);
  const Tensor column = from_blob(data, {2}, {3});
  column.fill_(1);
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(data[3], 1);
  EXPECT_EQ(data[1], 7);
  int64_t whole[2] = {4, 5};
  EXPECT_EQ(repr(from_blob(whole, {2}, kLong)), "tensor([4, 5])");
}
TEST(FromBlob, TheDeleterRunsWhenTheLastTensorGoes) {
  int deleted = 0;
  float data[4] = {};
  {
    Tensor view;
    {
      const Tensor x = from_blob(data, {2, 2}, [&](void* p) { deleted += p == data; });
      view = x[1];
    }
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
  {
    from_blob(data, {2}, {2}, [&](void*) { ++deleted; });
  }
  EXPECT_EQ(deleted, 2);
}
TEST(FromBlob, TakesAVectorOver) {
  EXPECT_EQ(repr(from_vector(std::vector<double>{1, 2.5})), "tensor([1.0000, 2.5000], dtype=torch.float64)");
  EXPECT_EQ(from_vector(std::vector<int32_t>{}).numel(), 0);
}
TEST(FromBlob, BadMemoryIsRefused) {
  alignas(8) char data[64] = {};
  EXPECT_THROW(from_blob(nullptr, {2}), ValueError);
  EXPECT_NO_THROW(from_blob(nullptr, {0}));
  EXPECT_THROW(from_blob(data + 1, {2}), ValueError);
  EXPECT_THROW(from_blob(data, {-2}), Error);
  EXPECT_THROW(from_blob(data, {kMax, 2}), Error);
  EXPECT_THROW(from_blob(data, {2}, {-1}), ValueError);
  EXPECT_THROW(from_blob(data, {2, 2}, {1}), Error);
  EXPECT_THROW(from_blob(data, {2}, TensorOptions(kInt).requires_grad(true)), Error);
  EXPECT_THROW(from_blob(data, {2}, ScalarType::Undefined), TypeError);
}

TEST(ResultType, APlainNumberCountsByItsKindOnly) {
  EXPECT_EQ(result_type(ones({2}, kHalf), Scalar(1.5)), kHalf);
  EXPECT_EQ(result_type(ones({2}, kChar), Scalar(3)), kChar);
  EXPECT_EQ(result_type(ones({2}, kChar), Scalar(1.5)), kFloat);
  EXPECT_EQ(result_type(ones({2}, kBool), Scalar(true)), kBool);
  EXPECT_EQ(result_type(ones({2}, kBool), Scalar(2)), kLong);
  EXPECT_EQ(result_type(tensor(1), Scalar(2.5)), kFloat);
  EXPECT_EQ(result_type(tensor(1.0, kDouble), Scalar(2.5)), kDouble);
  EXPECT_EQ(result_type(tensor(1, kByte), Scalar(300)), kByte);
}

// ---- Memory.

TEST(Literals, AListOfTruthValues) {
  const bool values[] = {true, false, false};
  const Tensor x = tensor(ArrayRef<bool>(values, 3));
  EXPECT_EQ(x.scalar_type(), kBool);
  EXPECT_EQ(x.sizes(), IntArrayRef({3}));
  EXPECT_EQ(x.sum().item<int64_t>(), 1);
}

TEST(Memory, WhatOneThreadMakesAndAnotherFreesIsCountedOnce) {
  const int64_t before = memory_stats().allocated;
  std::vector<Tensor> made;
  std::thread([&] {
    for (int64_t n = 1; n < 3000; n += 7) made.push_back(empty({n}));
  }).join();
  EXPECT_GT(memory_stats().allocated, before);
  made.clear();
  EXPECT_EQ(memory_stats().allocated, before);
  trim();
  EXPECT_EQ(memory_stats().allocated, before);
  for (int64_t n = 1; n < 3000; n += 7) made.push_back(empty({n}));  // blocks that were given up are used again
  EXPECT_GT(memory_stats().allocated, before);
  made.clear();
  EXPECT_EQ(memory_stats().allocated, before);
}

}  // namespace
}  // namespace taut
