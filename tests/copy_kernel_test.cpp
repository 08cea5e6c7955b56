// Copies, conversions, fills and ranges over raw views.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/parallel.h"
#include "kernel_array.h"
#include "kernels/copy.h"
#include "taut/core/error.h"

namespace taut {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

View vector_of(void* data, ScalarType t, const int64_t& n) {
  static const int64_t one = 1;
  return {data, t, n, one};
}
template <class To, class From>
std::vector<To> convert(std::vector<From> x) {
  std::vector<To> y(x.size());
  const int64_t n = static_cast<int64_t>(x.size());
  kernels::copy(vector_of(y.data(), dtype_of<To>, n), vector_of(x.data(), dtype_of<From>, n));
  return y;
}

TEST(Copy, EveryLayoutToEveryLayoutKeepsTheElements) {
  const Sizes shapes[] = {{},        {1},       {0},          {7},           {3, 0, 2}, {4, 4},      {17, 9},
                          {70, 130}, {5, 6, 7}, {2, 3, 4, 5}, {9, 1, 33, 2}, {19, 530}, {60, 21, 45}};
  for (const Sizes& shape : shapes)
    for (Layout from : kLayouts)
      for (Layout to : {Layout::Contiguous, Layout::Reversed, Layout::Sliced})
        for (ScalarType t : {kByte, kShort, kFloat, kDouble}) {
          Array x(t, shape, from), y(t, shape, to);
          x.randomize(1);
          kernels::copy(y.view(), x.view());
          y.each([&](const Sizes& at) { ASSERT_EQ(y.get(at), x.get(at)); });
        }
}
TEST(Copy, RowsOfEveryWidthAndNothingBesideThem) {
  for (ScalarType t : {kByte, kShort, kFloat, kDouble})
    for (int64_t n = 1; n <= 140; ++n)
      for (int64_t stride : {0, 1}) {
        const int64_t rows = 7, size = element_size(t), sizes[] = {rows, n}, to[] = {n, 1}, from[] = {n + 3, stride};
        std::vector<unsigned char> x(static_cast<size_t>(rows * (n + 3) * size)),
            y(static_cast<size_t>(rows * n * size) + 1, 99);
        for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<unsigned char>(i * 7 + i / 256);
        kernels::copy({y.data(), t, sizes, to}, {x.data(), t, sizes, from});
        for (int64_t i = 0; i < rows * n; ++i) {
          const int64_t at = i / n * (n + 3) + i % n * stride;
          ASSERT_EQ(std::memcmp(&y[static_cast<size_t>(i * size)], &x[static_cast<size_t>(at * size)],
                                static_cast<size_t>(size)),
                    0)
              << "element " << i << " of rows of " << n << " of " << t;
        }
        ASSERT_EQ(y.back(), 99);
      }
}
TEST(Copy, JoinedRowsAreThoseOfEachPieceInOrder) {
  for (int64_t rows : {1, 7, 5000})
    for (const Sizes& widths : {Sizes{4, 4}, Sizes{8, 16, 3}, Sizes{1, 100}, Sizes{6000, 70}}) {
      std::vector<std::vector<char>> from;
      std::vector<kernels::JoinPiece> pieces;
      int64_t width = 0;
      for (int64_t w : widths) {
        from.emplace_back(static_cast<size_t>(rows * w));
        for (size_t i = 0; i < from.back().size(); ++i) from.back()[i] = static_cast<char>(i * 7 + from.size());
        width += w;
      }
      for (size_t k = 0; k < from.size(); ++k) pieces.push_back({from[k].data(), widths[k]});
      std::vector<char> to(static_cast<size_t>(rows * width)), want;
      kernels::join_rows(to.data(), rows, pieces.data(), pieces.size());
      for (int64_t r = 0; r < rows; ++r)
        for (size_t k = 0; k < from.size(); ++k)
          want.insert(want.end(), from[k].data() + r * widths[k], from[k].data() + (r + 1) * widths[k]);
      ASSERT_EQ(to, want);
    }
}
TEST(Copy, EveryTypeToEveryTypeInEveryLayout) {
  for (ScalarType f : kDtypes)
    for (ScalarType t : kDtypes)
      for (Layout layout : kLayouts)
        for (const Sizes& shape : {Sizes{3, 37}, Sizes{66, 5, 2}}) {
          Array x(f, shape, layout), y(t, shape);
          x.randomize(2);
          kernels::copy(y.view(), x.view());
          y.each([&](const Sizes& at) {
            const long double v = x.get(at);
            const long double want = t == kBool              ? v != 0
                                     : t == kByte && v < 0   ? std::trunc(v) + (v <= -1 ? 256 : 0)
                                     : !is_floating_point(t) ? std::trunc(v)
                                                             : v;
            ASSERT_EQ(y.get(at), want) << f << " to " << t;
          });
        }
}
TEST(Copy, MillionsOfElementsInParallel) {
  for (auto [to, from] : {std::pair{kFloat, kFloat}, {kBFloat16, kFloat}, {kFloat, kInt}})
    for (Layout layout : kLayouts) {
      Array x(from, {700, 300, 3}, layout), y(to, {700, 300, 3});
      x.randomize(3);
      kernels::copy(y.view(), x.view());
      y.each([&](const Sizes& at) { ASSERT_EQ(y.get(at), x.get(at)); });
    }
}
TEST(Copy, OntoItselfChangesNothing) {
  Array x(kFloat, {8, 9}, Layout::Sliced);
  x.randomize(4);
  const auto before = x.bytes();
  kernels::copy(x.view(), x.view());
  EXPECT_EQ(x.bytes(), before);
}
TEST(Copy, SizesMustAgree) {
  Array x(kFloat, {8, 9}), y(kFloat, {9, 8});
  EXPECT_THROW(kernels::copy(x.view(), y.view()), Error);
}

TEST(Cast, FloatToIntegerIsWhatPyTorchGivesOnX86) {
  const std::vector<double> d = {1e10, -1e10, 3000000001., -3000000001., 300.7, -300.7, 1e20,
                                 nan,  inf,   -inf,        -1.5,         255.9, 70000.5};
  EXPECT_EQ(convert<uint8_t>(d), (std::vector<uint8_t>{0, 0, 1, 255, 44, 212, 0, 0, 0, 0, 255, 255, 112}));
  EXPECT_EQ(convert<int8_t>(d), (std::vector<int8_t>{0, 0, 0, 0, 44, -44, 0, 0, 0, 0, -1, -1, 112}));
  EXPECT_EQ(convert<int16_t>(d), (std::vector<int16_t>{0, 0, 0, 0, 300, -300, 0, 0, 0, 0, -1, 255, 4464}));
  EXPECT_EQ(convert<int32_t>(d), (std::vector<int32_t>{INT_MIN, INT_MIN, INT_MIN, INT_MIN, 300, -300, INT_MIN, INT_MIN,
                                                       INT_MIN, INT_MIN, -1, 255, 70000}));
  EXPECT_EQ(convert<int64_t>(d), (std::vector<int64_t>{10000000000, -10000000000, 3000000001, -3000000001, 300, -300,
                                                       INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, -1, 255, 70000}));
  std::vector<float> f(40, static_cast<float>(nan));
  EXPECT_EQ(convert<int32_t>(f), std::vector<int32_t>(40, INT_MIN));
  EXPECT_EQ(convert<uint8_t>(std::vector<Half>(40, Half(-1.5f))), std::vector<uint8_t>(40, 255));
}
TEST(Cast, NaNIsTrueAndZerosAreFalse) {
  std::vector<uint8_t> y(6);
  std::vector<double> x = {nan, 0.0, -0.0, 1e-300, inf, -1};
  const int64_t n = 6;
  kernels::copy(vector_of(y.data(), kBool, n), vector_of(x.data(), kDouble, n));
  EXPECT_EQ(y, (std::vector<uint8_t>{1, 0, 0, 1, 1, 1}));
}
TEST(Cast, HalfTypesRoundToNearestEvenThroughFloat32) {
  std::vector<float> x;
  for (uint32_t u = 0; u < 0x10000; ++u)  // every sign and exponent, and the neighbourhood of every tie
    for (uint32_t low : {0u, 0x0fffu, 0x1000u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      x.push_back(std::bit_cast<float>(u << 16 | low));
  const auto h = convert<Half>(x);
  const auto b = convert<BFloat16>(x);
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] != x[i]) {
      ASSERT_TRUE(std::isnan(static_cast<float>(h[i])) && std::isnan(static_cast<float>(b[i])));
      continue;
    }
    ASSERT_EQ(h[i].bits, Half(x[i]).bits) << x[i];
    ASSERT_EQ(b[i].bits, BFloat16(x[i]).bits) << x[i];
  }
  EXPECT_EQ(static_cast<float>(convert<Half>(std::vector<double>{1 + 0x1p-11 + 0x1p-40})[0]), 1.f);  // rounded twice
}
TEST(Cast, EveryHalfWidensExactly) {
  std::vector<Half> x(65536);
  for (size_t i = 0; i < x.size(); ++i) x[i].bits = static_cast<uint16_t>(i);
  const auto y = convert<float>(x);
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(y[i])) ASSERT_TRUE(std::isnan(static_cast<float>(x[i])));
    else ASSERT_EQ(y[i], static_cast<float>(x[i]));
  }
}

TEST(Fill, EveryTypeAndLayout) {
  for (ScalarType t : kDtypes)
    for (Layout layout : {Layout::Contiguous, Layout::Reversed, Layout::Sliced})
      for (const Sizes& shape : {Sizes{}, Sizes{0}, Sizes{5}, Sizes{33, 7}, Sizes{300, 301}}) {
        Array x(t, shape, layout);
        kernels::fill(x.view(), 3.0);
        x.each([&](const Sizes& at) { ASSERT_EQ(x.get(at), t == kBool ? 1 : 3); });
      }
}
TEST(Fill, BetweenTheElementsNothingIsTouched) {
  Array x(kFloat, {3, 4}, Layout::Sliced), y(kFloat, {3, 4}, Layout::Sliced);
  kernels::fill(x.view(), 1);
  kernels::fill(x.view(), 0);
  EXPECT_EQ(x.bytes(), y.bytes());
}
TEST(Fill, RefusesWhatTheTypeCannotHold) {
  Array byte(kByte, {2}), integer(kInt, {2}), half(kHalf, {2}), single(kFloat, {2});
  EXPECT_THROW(kernels::fill(byte.view(), 256), Error);
  EXPECT_THROW(kernels::fill(byte.view(), 300.0), Error);
  EXPECT_THROW(kernels::fill(integer.view(), nan), Error);
  EXPECT_THROW(kernels::fill(integer.view(), 1e10), Error);
  EXPECT_THROW(kernels::fill(single.view(), 1e60), Error);
  kernels::fill(byte.view(), -1);
  EXPECT_EQ(byte.get({0}), 255);
  kernels::fill(half.view(), -inf);
  EXPECT_EQ(half.get({1}), -inf);
}

template <class T>
std::vector<T> values(int64_t n, const std::function<void(const View&)>& f) {
  std::vector<T> x(static_cast<size_t>(n));
  f(vector_of(x.data(), dtype_of<T>, n));
  return x;
}
TEST(Range, IntegersAreExact) {
  const auto x = values<int64_t>(5, [](View v) { kernels::arange(v, (int64_t{1} << 60) + 1, -3); });
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(x[static_cast<size_t>(i)], (int64_t{1} << 60) + 1 - 3 * i);
  EXPECT_EQ(values<int64_t>(3, [](View v) { kernels::arange(v, 0.5, 1.7); }), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(values<uint8_t>(3, [](View v) { kernels::arange(v, 1, 2); }), (std::vector<uint8_t>{1, 3, 5}));
}
TEST(Range, IntegralFloatsAreExact) {
  const auto x = values<float>(100000, [](View v) { kernels::arange(v, 0, 1); });
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], static_cast<float>(i));
}
TEST(Range, LinspaceIsSymmetricAndHitsBothEnds) {
  const auto x = values<float>(1001, [](View v) { kernels::linspace(v, -3.3, 3.3); });
  EXPECT_EQ(x.front(), -3.3f);
  EXPECT_EQ(x.back(), 3.3f);
  for (size_t i = 0; i < 500; ++i) ASSERT_EQ(x[i], -x[1000 - i]);
  EXPECT_EQ(values<float>(1, [](View v) { kernels::linspace(v, 3, 8); }), (std::vector<float>{3}));
  EXPECT_TRUE(values<float>(0, [](View v) { kernels::linspace(v, 3, 8); }).empty());
}
TEST(Range, LinspaceOfIntegersTruncatesAsPyTorch) {
  EXPECT_EQ(values<int64_t>(7, [](View v) { kernels::linspace(v, 0, 10); }),
            (std::vector<int64_t>{0, 1, 3, 5, 6, 8, 10}));
  EXPECT_EQ(values<int32_t>(7, [](View v) { kernels::linspace(v, -10, 10); }),
            (std::vector<int32_t>{-10, -6, -3, 0, 3, 6, 10}));
  EXPECT_EQ(values<int64_t>(4, [](View v) { kernels::linspace(v, 0.7, 9.9); }), (std::vector<int64_t>{0, 3, 6, 9}));
}
TEST(Range, LogspaceIsThePowerOfLinspace) {
  EXPECT_EQ(values<int64_t>(4, [](View v) { kernels::logspace(v, 0, 3, 10); }),
            (std::vector<int64_t>{1, 10, 100, 1000}));
  EXPECT_EQ(values<int32_t>(7, [](View v) { kernels::logspace(v, 0, 2, 3); }),
            (std::vector<int32_t>{1, 1, 2, 3, 4, 6, 9}));
  EXPECT_EQ(values<float>(3, [](View v) { kernels::logspace(v, 0, 4, 2); }), (std::vector<float>{1, 4, 16}));
}
TEST(Range, EyeHasOnesOnTheDiagonalOnly) {
  for (Layout layout : {Layout::Contiguous, Layout::Reversed, Layout::Sliced}) {
    Array x(kFloat, {4, 6}, layout);
    kernels::fill(x.view(), 7);
    kernels::eye(x.view());
    x.each([&](const Sizes& at) { ASSERT_EQ(x.get(at), at[0] == at[1]); });
  }
}
TEST(Range, RoundsAsPyTorch) {
  EXPECT_EQ(
      values<float>(37, [](View v) { kernels::arange(v, 0.1, 0.37); }),
      (std::vector<float>{0x1.99999a0000000p-4f, 0x1.e147ae0000000p-2f, 0x1.ae147a0000000p-1f, 0x1.35c2900000000p+0f,
                          0x1.947ae20000000p+0f, 0x1.f333340000000p+0f, 0x1.28f5c20000000p+1f, 0x1.5851ec0000000p+1f,
                          0x1.87ae140000000p+1f, 0x1.b70a3c0000000p+1f, 0x1.e666660000000p+1f, 0x1.0ae1480000000p+2f,
                          0x1.228f5c0000000p+2f, 0x1.3a3d700000000p+2f, 0x1.51eb840000000p+2f, 0x1.69999a0000000p+2f,
                          0x1.8147ae0000000p+2f, 0x1.98f5c20000000p+2f, 0x1.b0a3d60000000p+2f, 0x1.c851ec0000000p+2f,
                          0x1.e000000000000p+2f, 0x1.f7ae140000000p+2f, 0x1.07ae140000000p+3f, 0x1.13851e0000000p+3f,
                          0x1.1f5c280000000p+3f, 0x1.2b33320000000p+3f, 0x1.370a3c0000000p+3f, 0x1.42e1460000000p+3f,
                          0x1.4eb8500000000p+3f, 0x1.5a8f5c0000000p+3f, 0x1.6666660000000p+3f, 0x1.723d700000000p+3f,
                          0x1.7e147a0000000p+3f, 0x1.89eb860000000p+3f, 0x1.95c2900000000p+3f, 0x1.a1999a0000000p+3f,
                          0x1.ad70a40000000p+3f}));
  EXPECT_EQ(
      values<double>(37, [](View v) { kernels::arange(v, 0.1, 0.37); }),
      (std::vector<double>{
          0x1.999999999999ap-4, 0x1.e147ae147ae14p-2, 0x1.ae147ae147ae1p-1, 0x1.35c28f5c28f5cp+0, 0x1.947ae147ae148p+0,
          0x1.f333333333334p+0, 0x1.28f5c28f5c290p+1, 0x1.5851eb851eb85p+1, 0x1.87ae147ae147bp+1, 0x1.b70a3d70a3d71p+1,
          0x1.e666666666666p+1, 0x1.0ae147ae147aep+2, 0x1.228f5c28f5c29p+2, 0x1.3a3d70a3d70a4p+2, 0x1.51eb851eb851fp+2,
          0x1.699999999999ap+2, 0x1.8147ae147ae14p+2, 0x1.98f5c28f5c28fp+2, 0x1.b0a3d70a3d70ap+2, 0x1.c851eb851eb85p+2,
          0x1.e000000000000p+2, 0x1.f7ae147ae147bp+2, 0x1.07ae147ae147bp+3, 0x1.13851eb851eb8p+3, 0x1.1f5c28f5c28f6p+3,
          0x1.2b33333333333p+3, 0x1.370a3d70a3d71p+3, 0x1.42e147ae147aep+3, 0x1.4eb851eb851ebp+3, 0x1.5a8f5c28f5c28p+3,
          0x1.6666666666666p+3, 0x1.723d70a3d70a3p+3, 0x1.7e147ae147ae1p+3, 0x1.89eb851eb851fp+3, 0x1.95c28f5c28f5cp+3,
          0x1.a19999999999ap+3, 0x1.ad70a3d70a3d7p+3}));
  EXPECT_EQ(values<float>(23, [](View v) { kernels::linspace(v, -3.3, 7.7); }),
            (std::vector<float>{
                -0x1.a666660000000p+1f, -0x1.6666660000000p+1f, -0x1.2666660000000p+1f, -0x1.cccccc0000000p+0f,
                -0x1.4ccccc0000000p+0f, -0x1.9999980000000p-1f, -0x1.3333300000000p-2f, 0x1.9999a00000000p-3f,
                0x1.6666680000000p-1f,  0x1.3333340000000p+0f,  0x1.b333340000000p+0f,  0x1.1999980000000p+1f,
                0x1.5999980000000p+1f,  0x1.9999980000000p+1f,  0x1.d999980000000p+1f,  0x1.0ccccc0000000p+2f,
                0x1.2ccccc0000000p+2f,  0x1.4ccccc0000000p+2f,  0x1.6ccccc0000000p+2f,  0x1.8ccccc0000000p+2f,
                0x1.accccc0000000p+2f,  0x1.cccccc0000000p+2f,  0x1.eccccc0000000p+2f}));
  EXPECT_EQ(
      values<double>(23, [](View v) { kernels::linspace(v, -3.3, 7.7); }),
      (std::vector<double>{-0x1.a666666666666p+1, -0x1.6666666666666p+1, -0x1.2666666666666p+1, -0x1.cccccccccccccp+0,
                           -0x1.4ccccccccccccp+0, -0x1.9999999999998p-1, -0x1.3333333333330p-2, 0x1.99999999999a0p-3,
                           0x1.6666666666668p-1,  0x1.3333333333334p+0,  0x1.b333333333334p+0,  0x1.199999999999ap+1,
                           0x1.599999999999ap+1,  0x1.999999999999ap+1,  0x1.d99999999999ap+1,  0x1.0cccccccccccdp+2,
                           0x1.2cccccccccccdp+2,  0x1.4cccccccccccdp+2,  0x1.6cccccccccccdp+2,  0x1.8cccccccccccdp+2,
                           0x1.acccccccccccdp+2,  0x1.ccccccccccccdp+2,  0x1.ecccccccccccdp+2}));
}
}  // namespace
}  // namespace taut
