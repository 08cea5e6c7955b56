// Matrix products against plain loops in long double: shapes, layouts, dtypes, factors; and the same bits for any
// number of threads.
#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/parallel.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int kThreadCounts[] = {1, 2, 3, 4, 7};

struct Shape {
  int64_t m, k, n;
};

/// How a matrix lies in memory.
enum class Layout { Rows, Columns, Padded, Spread, Reversed };
constexpr Layout kLayouts[] = {Layout::Rows, Layout::Columns, Layout::Padded, Layout::Spread, Layout::Reversed};

/// Element (i, j) of test matrix `seed`: a number in [-1, 1], any integer (so that products wrap around), or a truth.
template <class T>
T element(ScalarType type, unsigned seed, int64_t i, int64_t j) {
  uint64_t x = (static_cast<uint64_t>(i) << 32 ^ static_cast<uint64_t>(j) ^ static_cast<uint64_t>(seed) << 60) + 1;
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
  x ^= x >> 32;
  if (type == kBool) return static_cast<T>(x % 8 == 0);
  if constexpr (std::is_integral_v<T>) return static_cast<T>(x);
  else return static_cast<T>(static_cast<float>(static_cast<int>(x % 2001) - 1000) / 1000);
}

/// A matrix that owns its memory.
template <class T>
struct Stored {
  int64_t rows, cols, row_stride, col_stride, origin = 0;
  std::vector<T> memory;

  Stored(int64_t r, int64_t c, Layout layout, unsigned seed, ScalarType type = dtype_of<T>) : rows(r), cols(c) {
    switch (layout) {
      case Layout::Rows: row_stride = c, col_stride = 1; break;
      case Layout::Columns: row_stride = 1, col_stride = r; break;
      case Layout::Padded: row_stride = c + 3, col_stride = 1; break;
      case Layout::Spread: row_stride = 2 * c + 1, col_stride = 2; break;
      case Layout::Reversed: row_stride = c, col_stride = -1, origin = c > 0 ? c - 1 : 0; break;
    }
    if (r > 0 && c > 0) memory.resize((r - 1) * row_stride + (c - 1) * std::abs(col_stride) + 1);
    for (int64_t i = 0; i < r; ++i)
      for (int64_t j = 0; j < c; ++j) at(i, j) = element<T>(type, seed, i, j);
  }
  T& at(int64_t i, int64_t j) { return memory[origin + i * row_stride + j * col_stride]; }
  const T& at(int64_t i, int64_t j) const { return memory[origin + i * row_stride + j * col_stride]; }
  Matrix out() { return {memory.data() + origin, rows, cols, row_stride, col_stride}; }
  ConstMatrix in() const { return {memory.data() + origin, rows, cols, row_stride, col_stride}; }
};

/// Exact enough to be called so, and exact modulo 2^64 for integers.
template <class T>
using Exact = std::conditional_t<std::is_integral_v<T>, uint64_t,
                                 std::conditional_t<std::is_same_v<T, double>, long double, double>>;
template <class T>
Exact<T> exact(T v) {
  if constexpr (std::is_integral_v<T>) return static_cast<uint64_t>(v);
  else return static_cast<double>(v);
}

/// The product of test matrices 1 and 2 by plain loops, kept because many layouts share it.
template <class T>
class Reference {
 public:
  Reference(ScalarType type, Shape s) : type_(type), shape_(s), sums_(s.m * s.n) {
    std::vector<Exact<T>> a(s.m * s.k), b(s.k * s.n);
    for (int64_t i = 0; i < s.m; ++i)
      for (int64_t p = 0; p < s.k; ++p) a[i * s.k + p] = exact(element<T>(type, 1, i, p));
    for (int64_t j = 0; j < s.n; ++j)
      for (int64_t p = 0; p < s.k; ++p) b[j * s.k + p] = exact(element<T>(type, 2, p, j));
    for (int64_t i = 0; i < s.m; ++i)
      for (int64_t j = 0; j < s.n; ++j)
        sums_[i * s.n + j] =
            std::inner_product(a.data() + i * s.k, a.data() + (i + 1) * s.k, b.data() + j * s.k, Exact<T>{});
  }

  /// Computes the product in these layouts and compares.
  void check(Layout lc, Layout la, Layout lb, double alpha = 1, double beta = 0) const {
    const auto [m, k, n] = shape_;
    const Stored<T> a(m, k, la, 1, type_), b(k, n, lb, 2, type_);
    Stored<T> c(m, n, lc, 3, type_);
    gemm(type_, c.out(), a.in(), b.in(), alpha, beta);
    std::ostringstream what;
    what << dtype_name(type_) << " " << m << " x " << k << " x " << n << ", layouts " << static_cast<int>(lc)
         << static_cast<int>(la) << static_cast<int>(lb) << ", alpha " << alpha << ", beta " << beta;
    expect(c, alpha, beta, what.str());
    // What lies between the elements of c is not c's.
    const Stored<T> before(m, n, lc, 3, type_);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) c.at(i, j) = before.at(i, j);
    ASSERT_TRUE(std::equal(c.memory.begin(), c.memory.end(), before.memory.begin())) << what.str();
  }

  /// Is `got` alpha * product + beta * (test matrix 3)?
  void expect(const Stored<T>& got, double alpha, double beta, const std::string& what) const {
    for (int64_t i = 0; i < shape_.m; ++i)
      for (int64_t j = 0; j < shape_.n; ++j) {
        Exact<T> expected = sums_[i * shape_.n + j];
        const Exact<T> old = exact(element<T>(type_, 3, i, j));
        if constexpr (std::is_integral_v<T>) {
          expected = expected * static_cast<uint64_t>(static_cast<int64_t>(alpha)) + static_cast<uint64_t>(beta) * old;
          const T narrow = type_ == kBool ? static_cast<T>(expected != 0) : static_cast<T>(expected);
          ASSERT_EQ(got.at(i, j), narrow) << what << " at " << i << ", " << j;
        } else {
          expected = alpha * expected + beta * old;
          ASSERT_NEAR(static_cast<double>(got.at(i, j)), static_cast<double>(expected),
                      tolerance(static_cast<double>(expected)))
              << what << " at " << i << ", " << j;
        }
      }
  }

  /// Rounding errors of a sum of k products of size at most 1, and those of a narrow result.
  double tolerance(double result) const {
    const double terms = static_cast<double>(shape_.k + 8);
    if constexpr (std::is_same_v<T, double>) return terms * std::numeric_limits<double>::epsilon();
    const double sum = terms * static_cast<double>(std::numeric_limits<float>::epsilon());
    if constexpr (std::is_same_v<T, float>) return sum;
    return sum + std::fabs(result) / (std::is_same_v<T, BFloat16> ? 256 : 2048);
  }

 private:
  ScalarType type_;
  Shape shape_;
  std::vector<Exact<T>> sums_;
};

constexpr Shape kSmallShapes[] = {
    {0, 0, 0},  {0, 3, 2},  {3, 0, 2},  {3, 2, 0},    {1, 1, 1},    {1, 5, 1},    {1, 1, 7},    {7, 1, 1},
    {2, 3, 4},  {5, 5, 5},  {8, 8, 8},  {13, 7, 17},  {14, 9, 32},  {15, 16, 33}, {16, 16, 16}, {1, 40, 9},
    {9, 40, 1}, {3, 65, 5}, {4, 33, 4}, {29, 31, 37}, {6, 100, 50}, {50, 100, 6}, {64, 3, 64},  {31, 64, 48},
};

template <class T>
class Float : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Float, FloatTypes);

TYPED_TEST(Float, SmallProductsInEveryLayout) {
  for (Shape s : kSmallShapes) {
    const Reference<TypeParam> reference(dtype_of<TypeParam>, s);
    for (Layout lc : kLayouts)
      for (Layout la : kLayouts)
        for (Layout lb : kLayouts) reference.check(lc, la, lb);
  }
}

TYPED_TEST(Float, LargeSkinnyAndLongProducts) {
  constexpr Shape shapes[] = {{128, 128, 128}, {257, 129, 301}, {130, 500, 260}, {64, 784, 256},
                              {1, 1000, 1025}, {1025, 1000, 1}, {700, 1, 300},   {3, 700, 513},
                              {513, 700, 3},   {8, 600, 300},   {20, 20000, 9},  {1, 9000, 40},
                              {1, 140000, 1},  {300, 2, 700},   {9, 8200, 64},   {300, 400, 310}};
  for (Shape s : shapes) {
    const Reference<TypeParam> reference(dtype_of<TypeParam>, s);
    for (Layout la : {Layout::Rows, Layout::Columns})
      for (Layout lb : {Layout::Rows, Layout::Columns})
        for (Layout lc : {Layout::Rows, Layout::Columns}) reference.check(lc, la, lb);
    reference.check(Layout::Spread, Layout::Spread, Layout::Reversed);
    reference.check(Layout::Padded, Layout::Spread, Layout::Columns);
  }
}

TYPED_TEST(Float, RowsThatShareACacheSetAreRight) {  // 4 KiB apart, and with b packed
  const Reference<TypeParam> reference(dtype_of<TypeParam>, {130, 1024, 260});
  reference.check(Layout::Rows, Layout::Rows, Layout::Rows);
  reference.check(Layout::Rows, Layout::Rows, Layout::Columns);
}

TYPED_TEST(Float, ColumnsThatShareACacheSetAreRight) {
  const Reference<TypeParam> reference(dtype_of<TypeParam>, {256, 400, 260});
  reference.check(Layout::Rows, Layout::Columns, Layout::Rows);
  reference.check(Layout::Rows, Layout::Columns, Layout::Columns);
}

TYPED_TEST(Float,
           RowsThatArePackedInStripsAreRight) {  // whole strips, a part of one, the fewest, halved ones; odd depths
  for (Shape s : {Shape{28, 40, 256}, {17, 259, 270}, {16, 16, 300}, {45, 23, 513}, {58, 200, 96}}) {
    const Reference<TypeParam> reference(dtype_of<TypeParam>, s);
    for (Layout la : kLayouts)
      for (Layout lb : {Layout::Rows, Layout::Columns}) reference.check(Layout::Padded, la, lb, -0.5, 2);
  }
}

constexpr Shape kShapesOfEveryPath[] = {{1, 1, 1}, {5, 7, 9},   {33, 300, 40},  {2, 9000, 3},
                                        {3, 0, 4}, {1, 64, 50}, {100, 300, 200}};

TYPED_TEST(Float, FactorsScaleTheProductAndTheOldValue) {
  for (Shape s : kShapesOfEveryPath) {
    const Reference<TypeParam> reference(dtype_of<TypeParam>, s);
    for (double alpha : {0.0, 1.0, -0.5})
      for (double beta : {0.0, 1.0, 0.25})
        for (Layout lb : {Layout::Rows, Layout::Columns})
          for (Layout lc : {Layout::Rows, Layout::Columns, Layout::Spread})
            reference.check(lc, Layout::Rows, lb, alpha, beta);
  }
}

TYPED_TEST(Float, ARowIsReadInPlaceOfEveryOldRow) {
  const auto type = dtype_of<TypeParam>;
  std::vector<Shape> shapes(std::begin(kShapesOfEveryPath), std::end(kShapesOfEveryPath));
  for (Shape s : {Shape{40, 1, 20}, {70, 30, 1}, {300, 400, 310}, {64, 784, 600}, {16, 64, 300}}) shapes.push_back(s);
  for (Shape s : shapes)
    for (Layout lb : {Layout::Rows, Layout::Columns}) {
      const Stored<TypeParam> a(s.m, s.k, Layout::Rows, 1), b(s.k, s.n, lb, 2), row(1, s.n, Layout::Rows, 3);
      Stored<TypeParam> c(s.m, s.n, Layout::Rows, 4), expected(s.m, s.n, Layout::Rows, 4);
      for (int64_t i = 0; i < s.m; ++i)
        for (int64_t j = 0; j < s.n; ++j) expected.at(i, j) = row.at(0, j);
      gemm(type, expected.out(), a.in(), b.in(), 0.5, 2);
      gemm(type, c.out(), a.in(), b.in(), 0.5, 2, row.memory.data());
      for (int64_t i = 0; i < s.m; ++i)
        for (int64_t j = 0; j < s.n; ++j)
          ASSERT_NEAR(c.at(i, j), expected.at(i, j), 1e-6)
              << s.m << " x " << s.k << " x " << s.n << " at " << i << ", " << j;
    }
}

TYPED_TEST(Float, AResultThatHeldNaNIsNotReadWhenBetaIsZero) {
  for (Shape s : kShapesOfEveryPath) {
    const Reference<TypeParam> reference(dtype_of<TypeParam>, s);
    for (Layout lb : {Layout::Rows, Layout::Columns})
      for (Layout lc : {Layout::Rows, Layout::Columns, Layout::Spread}) {
        const Stored<TypeParam> a(s.m, s.k, Layout::Rows, 1), b(s.k, s.n, lb, 2);
        Stored<TypeParam> c(s.m, s.n, lc, 3);
        for (TypeParam& v : c.memory) v = std::numeric_limits<TypeParam>::quiet_NaN();
        gemm(dtype_of<TypeParam>, c.out(), a.in(), b.in());
        reference.expect(c, 1, 0, "a result that held NaN");
      }
  }
}

TYPED_TEST(Float, NaNAndInfinityReachOnlyTheirRowsAndColumns) {
  Stored<TypeParam> a(20, 30, Layout::Rows, 1), b(30, 40, Layout::Rows, 2), c(20, 40, Layout::Rows, 3);
  a.at(3, 5) = std::numeric_limits<TypeParam>::quiet_NaN();
  b.at(7, 11) = std::numeric_limits<TypeParam>::infinity();
  gemm(dtype_of<TypeParam>, c.out(), a.in(), b.in());
  for (int64_t i = 0; i < 20; ++i)
    for (int64_t j = 0; j < 40; ++j) {
      EXPECT_EQ(std::isnan(c.at(i, j)), i == 3);
      EXPECT_EQ(std::isinf(c.at(i, j)), i != 3 && j == 11);
    }
}

TYPED_TEST(Float, AStrideOfZeroRepeatsARow) {
  using T = TypeParam;
  for (int64_t k : {6, 300}) {
    const Stored<T> row(1, k, Layout::Rows, 1), b(k, 70, Layout::Columns, 2);
    Stored<T> c(5, 70, Layout::Rows, 3), one(1, 70, Layout::Rows, 4);
    gemm(dtype_of<T>, c.out(), {row.memory.data(), 5, k, 0, 1}, b.in());
    gemm(dtype_of<T>, one.out(), row.in(), b.in());
    for (int64_t i = 0; i < 5; ++i)
      for (int64_t j = 0; j < 70; ++j) EXPECT_NEAR(c.at(i, j), one.at(0, j), 1e-4);
  }
}

template <class T>
void check_dtype(ScalarType type, double alpha) {
  for (Shape s : {Shape{0, 2, 3}, Shape{3, 0, 2}, Shape{1, 1, 1}, Shape{5, 7, 9}, Shape{33, 65, 70}, Shape{1, 300, 130},
                  Shape{130, 40, 1}, Shape{40, 90, 200}}) {
    const Reference<T> reference(type, s);
    for (Layout la : {Layout::Rows, Layout::Columns, Layout::Reversed})
      for (Layout lb : {Layout::Rows, Layout::Columns})
        for (Layout lc : {Layout::Rows, Layout::Spread})
          for (double beta : {0.0, 1.0, 2.0}) reference.check(lc, la, lb, alpha, beta);
  }
}

TEST(Gemm, EveryOtherDtype) {
  check_dtype<uint8_t>(kByte, 3);
  check_dtype<int8_t>(kChar, -3);
  check_dtype<int16_t>(kShort, 3);
  check_dtype<int32_t>(kInt, -1);
  check_dtype<int64_t>(kLong, 1);
  check_dtype<uint8_t>(kBool, 1);
  check_dtype<Half>(kHalf, 0.5);
  check_dtype<BFloat16>(kBFloat16, 1);
}

TEST(Gemm, IntegersWrapAround) {
  const int32_t a[] = {INT32_MAX, 65536}, b[] = {2, 65536};
  int32_t c = 0;
  gemm(kInt, {&c, 1, 1, 1, 1}, {a, 1, 2, 2, 1}, {b, 2, 1, 1, 1});
  EXPECT_EQ(c, -2);
  const int16_t s = -32768;
  int16_t r = 0;
  gemm(kShort, {&r, 1, 1, 1, 1}, {&s, 1, 1, 1, 1}, {&s, 1, 1, 1, 1});
  EXPECT_EQ(r, 0);
  const int64_t big = INT64_MIN, minus = -1;
  int64_t wide = 5;
  gemm(kLong, {&wide, 1, 1, 1, 1}, {&big, 1, 1, 1, 1}, {&minus, 1, 1, 1, 1}, 1, 1);
  EXPECT_EQ(wide, INT64_MIN + 5);
}

TEST(Gemm, ARowIsForContiguousFloats) {
  const Stored<float> a(2, 3, Layout::Rows, 1), b(3, 4, Layout::Rows, 2), row(1, 4, Layout::Rows, 3);
  Stored<float> c(2, 4, Layout::Columns, 4);
  EXPECT_THROW(gemm(kFloat, c.out(), a.in(), b.in(), 1, 1, row.memory.data()), ValueError);
}

TEST(Gemm, ShapesThatDoNotFitAreValueErrors) {
  float x[16] = {};
  EXPECT_THROW(gemm(kFloat, {x, 2, 2, 2, 1}, {x, 2, 3, 3, 1}, {x, 2, 2, 2, 1}), ValueError);
  EXPECT_THROW(gemm(kFloat, {x, 3, 2, 2, 1}, {x, 2, 2, 2, 1}, {x, 2, 2, 2, 1}), ValueError);
  EXPECT_THROW(gemm(ScalarType::Undefined, {x, 2, 2, 2, 1}, {x, 2, 2, 2, 1}, {x, 2, 2, 2, 1}), TypeError);
  const int64_t sizes[] = {2}, strides[] = {0};
  EXPECT_THROW(batched_gemm(kFloat, {sizes, strides, strides, {}}, {x, 2, 2, 2, 1}, {x, 2, 2, 2, 1}, {x, 2, 2, 2, 1}),
               ValueError);
}

/// Runs f with every number of threads, and inside a parallel region; all must leave the same bytes in `result`.
template <class V, class F>
void expect_same_bits(V& result, F f, const std::string& what) {
  const int before = get_num_threads();
  set_num_threads(1);
  f();
  const V expected = result;
  const auto same = [&] {
    return std::memcmp(result.data(), expected.data(), result.size() * sizeof(expected[0])) == 0;
  };
  for (int threads : kThreadCounts) {
    set_num_threads(threads);
    result.assign(result.size(), {});
    f();
    EXPECT_TRUE(same()) << what << " with " << threads << " threads";
    result.assign(result.size(), {});
    parallel_for(2, 1, [&](int64_t chunk, int64_t) {
      if (chunk == 1) f();
    });
    EXPECT_TRUE(same()) << what << " nested, with " << threads << " threads";
  }
  set_num_threads(before);
}

TEST(Gemm, BitsDoNotDependOnTheNumberOfThreads) {
  constexpr Shape shapes[] = {{8, 8, 8},       {128, 128, 128}, {256, 256, 256}, {300, 1024, 530}, {64, 784, 256},
                              {1, 1024, 1024}, {1024, 700, 1},  {64, 20000, 33}, {1, 150000, 1},   {900, 1, 900},
                              {4, 512, 900},   {3000, 16, 40},  {90, 64, 2100},  {300, 520, 300},  {1100, 40, 1100}};
  for (Shape s : shapes)
    for (Layout la : {Layout::Rows, Layout::Columns})
      for (Layout lb : {Layout::Rows, Layout::Columns}) {
        const Stored<float> a(s.m, s.k, la, 1), b(s.k, s.n, lb, 2);
        Stored<float> c(s.m, s.n, Layout::Rows, 3);
        expect_same_bits(
            c.memory, [&] { gemm(kFloat, c.out(), a.in(), b.in()); },
            std::to_string(s.m) + "x" + std::to_string(s.k) + "x" + std::to_string(s.n));
      }
  const Stored<double> a(200, 400, Layout::Rows, 1), b(400, 300, Layout::Columns, 2);
  Stored<double> c(200, 300, Layout::Rows, 3);
  expect_same_bits(
      c.memory, [&] { gemm(kDouble, c.out(), a.in(), b.in()); }, "float64");
  const Stored<BFloat16> ah(200, 400, Layout::Columns, 1), bh(400, 300, Layout::Columns, 2);
  Stored<BFloat16> ch(200, 300, Layout::Rows, 3);
  expect_same_bits(
      ch.memory, [&] { gemm(kBFloat16, ch.out(), ah.in(), bh.in()); }, "bfloat16");
}

TEST(Gemm, ConcurrentCallersGetTheSameBits) {
  const int before = get_num_threads();
  set_num_threads(3);
  const Stored<float> a(150, 300, Layout::Rows, 1), b(300, 260, Layout::Columns, 2);
  Stored<float> expected(150, 260, Layout::Rows, 3);
  gemm(kFloat, expected.out(), a.in(), b.in());
  std::vector<Stored<float>> results(4, Stored<float>(150, 260, Layout::Rows, 4));
  std::vector<std::thread> callers;
  for (Stored<float>& result : results)
    callers.emplace_back([&] {
      for (int round = 0; round < 5; ++round) gemm(kFloat, result.out(), a.in(), b.in());
    });
  for (std::thread& t : callers) t.join();
  for (const Stored<float>& result : results) EXPECT_EQ(result.memory, expected.memory);
  set_num_threads(before);
}

TEST(BatchedGemm, EqualsOneProductAfterTheOther) {
  // Attention's layout: [batch, time, head, width] seen as batch x head matrices of time x width.
  constexpr int64_t kBatch = 3, kHeads = 5, kTime = 21, kWidth = 18;
  const Stored<float> q(kBatch * kTime, kHeads * kWidth, Layout::Rows, 1),
      key(kBatch * kTime, kHeads * kWidth, Layout::Rows, 2);
  std::vector<float> scores(kBatch * kHeads * kTime * kTime), expected = scores;
  const int64_t sizes[] = {kBatch, kHeads}, in[] = {kTime * kHeads * kWidth, kWidth},
                out[] = {kHeads * kTime * kTime, kTime * kTime};
  const ConstMatrix a{q.memory.data(), kTime, kWidth, kHeads * kWidth, 1};
  const ConstMatrix b{key.memory.data(), kWidth, kTime, 1, kHeads * kWidth};
  const auto run = [&] {
    batched_gemm(kFloat, {sizes, out, in, in}, {scores.data(), kTime, kTime, kTime, 1}, a, b, 0.5);
  };
  run();
  for (int64_t i = 0; i < kBatch; ++i)
    for (int64_t h = 0; h < kHeads; ++h) {
      ConstMatrix ai = a, bi = b;
      ai.data = q.memory.data() + i * in[0] + h * in[1];
      bi.data = key.memory.data() + i * in[0] + h * in[1];
      gemm(kFloat, {expected.data() + i * out[0] + h * out[1], kTime, kTime, kTime, 1}, ai, bi, 0.5);
    }
  EXPECT_EQ(scores, expected);
  expect_same_bits(scores, run, "batched");
}

TEST(BatchedGemm, AnInputMayBeSharedByTheWholeBatch) {
  const Stored<float> a(4 * 30, 40, Layout::Rows, 1), b(40, 50, Layout::Columns, 2);
  const int64_t sizes[] = {4}, a_strides[] = {30 * 40}, none[] = {0}, c_strides[] = {30 * 50}, gaps[] = {30 * 50 + 7};
  Stored<float> whole(4 * 30, 50, Layout::Rows, 3), c(4 * 30, 50, Layout::Rows, 4);
  std::vector<float> apart(4 * 30 * 50 + 21);
  gemm(kFloat, whole.out(), a.in(), b.in());
  batched_gemm(kFloat, {sizes, c_strides, a_strides, none}, {c.memory.data(), 30, 50, 50, 1},
               {a.memory.data(), 30, 40, 40, 1}, b.in());
  batched_gemm(kFloat, {sizes, gaps, a_strides, none}, {apart.data(), 30, 50, 50, 1}, {a.memory.data(), 30, 40, 40, 1},
               b.in());
  EXPECT_EQ(c.memory, whole.memory);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 1500; ++j) EXPECT_NEAR(apart[i * 1507 + j], whole.memory[i * 1500 + j], 1e-5);
}

TEST(BatchedGemm, LargeMatricesAndEveryKindOfDtype) {
  const int64_t sizes[] = {2}, strides[] = {220 * 220};
  const Stored<float> a(440, 220, Layout::Rows, 1), b(440, 220, Layout::Rows, 2);
  std::vector<float> c(2 * 220 * 220);
  expect_same_bits(
      c,
      [&] {
        batched_gemm(kFloat, {sizes, strides, strides, strides}, {c.data(), 220, 220, 220, 1},
                     {a.memory.data(), 220, 220, 220, 1}, {b.memory.data(), 220, 220, 220, 1});
      },
      "large batch");
  const int64_t many[] = {50}, small[] = {9};
  const Stored<int16_t> x(50 * 3, 3, Layout::Rows, 1);
  std::vector<int16_t> y(50 * 9);
  batched_gemm(kShort, {many, small, small, small}, {y.data(), 3, 3, 3, 1}, {x.memory.data(), 3, 3, 3, 1},
               {x.memory.data(), 3, 3, 3, 1});
  for (int64_t i = 0; i < 50; ++i) {
    int16_t one[9];
    const int16_t* xi = x.memory.data() + i * 9;
    gemm(kShort, {one, 3, 3, 3, 1}, {xi, 3, 3, 3, 1}, {xi, 3, 3, 3, 1});
    EXPECT_EQ(std::memcmp(one, y.data() + i * 9, sizeof one), 0);
  }
  float untouched = 5;
  const int64_t none[] = {0};
  batched_gemm(kFloat, {none, none, none, none}, {&untouched, 1, 1, 1, 1}, {&untouched, 1, 1, 1, 1},
               {&untouched, 1, 1, 1, 1});
  EXPECT_EQ(untouched, 5);
}

template <class T>
void check_dot(ScalarType type, int64_t n, int64_t incx, int64_t incy) {
  std::vector<T> x(n * incx + 1), y(n * incy + 1);
  for (int64_t i = 0; i < n; ++i) {
    x[i * incx] = element<T>(type, 1, 0, i);
    y[i * incy] = element<T>(type, 2, i, 0);
  }
  Stored<T> got(1, 1, Layout::Rows, 3);
  dot(type, n, x.data(), incx, y.data(), incy, got.memory.data());
  Reference<T>(type, {1, n, 1}).expect(got, 1, 0, "dot of " + std::to_string(n) + " " + dtype_name(type));
}

TEST(Dot, EqualsThePlainSum) {
  for (int64_t n : {0, 1, 5, 16, 63, 64, 65, 1000, 4096, 4097, 20001, 300000})
    for (auto [incx, incy] : {std::pair{1, 1}, std::pair{3, 1}, std::pair{2, 2}}) {
      check_dot<float>(kFloat, n, incx, incy);
      check_dot<double>(kDouble, n, incx, incy);
      if (n > 20001) continue;
      check_dot<Half>(kHalf, n, incx, incy);
      check_dot<BFloat16>(kBFloat16, n, incx, incy);
      check_dot<uint8_t>(kByte, n, incx, incy);
      check_dot<uint8_t>(kBool, n, incx, incy);
      check_dot<int16_t>(kShort, n, incx, incy);
      check_dot<int32_t>(kInt, n, incx, incy);
      check_dot<int64_t>(kLong, n, incx, incy);
    }
}

TEST(Dot, BitsDoNotDependOnTheNumberOfThreads) {
  const Stored<float> x(1, 500000, Layout::Rows, 1), y(1, 500000, Layout::Rows, 2);
  std::vector<float> out(1);
  expect_same_bits(
      out, [&] { dot(kFloat, 500000, x.memory.data(), 1, y.memory.data(), 1, out.data()); }, "dot");
}

}  // namespace
}  // namespace taut::kernels
