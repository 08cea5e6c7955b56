// Reductions, scans and softmax over raw views, against plain loops in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/parallel.h"
#include "kernel_array.h"
#include "kernels/reduce.h"
#include "kernels/scan.h"
#include "kernels/softmax.h"
#include "taut/core/error.h"

namespace taut {
namespace {

using kernels::Reduction;
const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

Sizes reduced_sizes(Sizes sizes, unsigned dims) {
  for (size_t d = 0; d < sizes.size(); ++d)
    if (dims >> d & 1) sizes[d] = 1;
  return sizes;
}
/// The elements behind each result, in order.
std::map<Sizes, std::vector<long double>> groups(Array& in, unsigned dims) {
  std::map<Sizes, std::vector<long double>> all;
  in.each([&](const Sizes& at) {
    Sizes key = at;
    for (size_t d = 0; d < at.size(); ++d)
      if (dims >> d & 1) key[d] = 0;
    all[key].push_back(in.get(at));
  });
  return all;
}
const std::vector<Sizes> kFewShapes = {{},      {1},       {5},      {300},     {3, 5},
                                       {70, 3}, {200, 20}, {3, 600}, {4, 5, 6}, {2, 1, 7, 9}};
const std::vector<Sizes> kManyShapes = {{},        {1},       {5},          {300},        {9000},
                                        {3, 5},    {70, 3},   {3, 600},     {700, 20},    {130, 2},
                                        {90, 530}, {4, 5, 6}, {3, 70, 140}, {20, 3, 5, 4}};

using Check = std::function<void(long double, const std::vector<long double>&)>;
/// Every shape, set of dimensions and layout; check(result, elements).
void sweep(const std::vector<Sizes>& shapes, ScalarType in_type, ScalarType out_type,
           const std::function<void(const View& out, const View& in)>& run, const Check& check) {
  for (const Sizes& shape : shapes)
    for (unsigned dims = 0; dims < 1u << shape.size(); ++dims)
      for (Layout layout : kLayouts) {
        Array in(in_type, shape, layout);
        in.randomize(dims);
        const bool plain = layout == Layout::Contiguous;
        Array out(out_type, reduced_sizes(shape, dims), plain ? Layout::Contiguous : Layout::Reversed);
        run(out.view(), in.view());
        SCOPED_TRACE(testing::Message() << in_type << " " << IntArrayRef(shape) << " dims " << dims << " layout "
                                        << static_cast<int>(layout));
        for (auto& [at, x] : groups(in, dims)) check(out.get(at), x);
        if (testing::Test::HasFailure()) return;
      }
}
void sweep(Reduction what, ScalarType in, ScalarType out, const Check& check) {
  const bool thorough = what == Reduction::Sum && (in == kFloat || in == kBFloat16 || in == kBool || in == kInt);
  sweep(
      thorough ? kManyShapes : kFewShapes, in, out, [&](const View& y, const View& x) { kernels::reduce(what, y, x); },
      check);
}

TEST(Reduce, SumOverEverySetOfDimensions) {
  for (ScalarType t : kDtypes) {
    const ScalarType to = is_floating_point(t) ? t : kLong;
    sweep(Reduction::Sum, t, to, [&](long double y, const auto& x) {
      long double sum = 0;
      for (long double v : x) sum += v;
      ASSERT_NEAR(y, sum, std::abs(sum) * epsilon(to));  // multiples of 1/4: only the last rounding is not exact
    });
  }
}
TEST(Reduce, SumOfIntegersIntoFloat) {
  sweep(Reduction::Sum, kInt, kFloat, [&](long double y, const auto& x) {
    long double sum = 0;
    for (long double v : x) sum += v;
    ASSERT_EQ(y, sum);
  });
}
TEST(Reduce, ProdOverEverySetOfDimensions) {
  for (auto [t, to] : {std::pair{kFloat, kFloat}, {kDouble, kDouble}, {kInt, kLong}})
    sweep(Reduction::Prod, t, to, [&, to = to](long double y, const auto& x) {
      if (to == kLong) {
        uint64_t p = 1;
        for (long double v : x) p *= static_cast<uint64_t>(static_cast<int64_t>(v));
        ASSERT_EQ(static_cast<int64_t>(y), static_cast<int64_t>(p));
      } else {
        long double p = 1;
        for (long double v : x) p *= v;
        if (p == 0) {
          ASSERT_EQ(y, 0);
        } else if (std::abs(p) < 1e30L && std::abs(p) > 1e-30L) {
          ASSERT_NEAR(y, p, std::abs(p) * epsilon(to) * 2 * x.size());
        }
      }
    });
}
TEST(Reduce, MaxAndMinOverEverySetOfDimensions) {
  for (ScalarType t : kDtypes) {
    sweep(Reduction::Max, t, t,
          [](long double y, const auto& x) { ASSERT_EQ(y, *std::max_element(x.begin(), x.end())); });
    sweep(Reduction::Min, t, t,
          [](long double y, const auto& x) { ASSERT_EQ(y, *std::min_element(x.begin(), x.end())); });
  }
}
TEST(Reduce, AnyAllAndCountOverEverySetOfDimensions) {
  for (ScalarType t : {kBool, kByte, kInt, kLong, kBFloat16, kFloat, kDouble}) {
    const auto nonzeros = [](const auto& x) {
      return std::count_if(x.begin(), x.end(), [](auto v) { return v != 0; });
    };
    sweep(Reduction::Any, t, kBool, [&](long double y, const auto& x) { ASSERT_EQ(y, nonzeros(x) > 0); });
    sweep(Reduction::All, t, kBool,
          [&](long double y, const auto& x) { ASSERT_EQ(y, nonzeros(x) == static_cast<int64_t>(x.size())); });
    sweep(Reduction::CountNonzero, t, kLong, [&](long double y, const auto& x) { ASSERT_EQ(y, nonzeros(x)); });
  }
}
TEST(Reduce, NaNWinsMaxAndMinWhereverItIs) {
  for (int64_t n : {1, 2, 15, 16, 17, 63, 64, 65, 300, 5000})
    for (int64_t at = 0; at < n; at += 1 + n / 40)
      for (ScalarType t : {kFloat, kDouble, kBFloat16})
        for (bool column : {false, true}) {
          Array x(t, column ? Sizes{n, 5} : Sizes{5, n}), y(t, column ? Sizes{1, 5} : Sizes{5, 1});
          x.randomize(1);
          x.set(column ? Sizes{at, 3} : Sizes{3, at}, nan);
          for (Reduction r : {Reduction::Max, Reduction::Min}) {
            kernels::reduce(r, y.view(), x.view());
            y.each([&](const Sizes& i) { ASSERT_EQ(std::isnan(y.get(i)), i[0] + i[1] == 3); });
          }
        }
}
TEST(Reduce, InfinitiesAreOrdinaryNumbers) {
  Array x(kFloat, {3, 70}), y(kFloat, {3, 1});
  x.set({0, 5}, inf), x.set({1, 6}, -inf), x.set({2, 7}, inf), x.set({2, 60}, -inf);
  kernels::reduce(Reduction::Sum, y.view(), x.view());
  EXPECT_EQ(y.get({0, 0}), inf);
  EXPECT_EQ(y.get({1, 0}), -inf);
  EXPECT_TRUE(std::isnan(y.get({2, 0})));
  x.each([&](const Sizes& at) { x.set(at, -inf); });
  kernels::reduce(Reduction::Max, y.view(), x.view());
  EXPECT_EQ(y.get({0, 0}), -inf);
}
TEST(Reduce, NanSumSkipsNaNs) {
  for (bool column : {false, true}) {
    Array x(kFloat, column ? Sizes{100, 3} : Sizes{3, 100}), y(kFloat, column ? Sizes{1, 3} : Sizes{3, 1});
    x.each([&](const Sizes& at) { x.set(at, (at[0] + at[1]) % 3 ? 1 : nan); });
    kernels::reduce(Reduction::NanSum, y.view(), x.view());
    y.each([&](const Sizes& at) { ASSERT_NEAR(y.get(at), 66.5, 1); });
  }
}
TEST(Reduce, NothingToReduceGivesTheNeutralElement) {
  Array x(kFloat, {3, 0}), y(kFloat, {3, 1}), b(kBool, {3, 1}), none(kFloat, {1, 0});
  y.randomize(1);
  kernels::reduce(Reduction::Sum, y.view(), x.view());
  EXPECT_EQ(y.get({2, 0}), 0);
  kernels::reduce(Reduction::Prod, y.view(), x.view());
  EXPECT_EQ(y.get({2, 0}), 1);
  kernels::reduce(Reduction::All, b.view(), x.view());
  EXPECT_EQ(b.get({2, 0}), 1);
  kernels::reduce(Reduction::Any, b.view(), x.view());
  EXPECT_EQ(b.get({2, 0}), 0);
  EXPECT_THROW(kernels::reduce(Reduction::Max, y.view(), x.view()), IndexError);
  kernels::reduce(Reduction::Max, none.view(), x.view());  // no result, nothing to complain about
  kernels::norm(y.view(), x.view(), 2);
  EXPECT_EQ(y.get({0, 0}), 0);
  kernels::moments(y.view(), y.view(), x.view());
}
TEST(Reduce, IntegerSumsWrapAround) {
  Array x(kLong, {100}), y(kLong, {1});
  x.each([&](const Sizes& at) { x.set(at, at[0] == 0 ? -1 : 0); });
  x.set({1}, static_cast<long double>(INT64_MIN));
  kernels::reduce(Reduction::Sum, y.view(), x.view());
  EXPECT_EQ(y.get({0}), static_cast<long double>(INT64_MAX));
}
TEST(Reduce, AMillionFloatsLoseNoMoreThanAFewUlp) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (const Sizes& shape : {Sizes{1 << 20, 1}, Sizes{1 << 20, 3}, Sizes{1 << 18, 40}}) {
    Array x(kFloat, shape), y(kFloat, {1, shape[1]}), row(kFloat, {1, 1});
    std::vector<long double> want(static_cast<size_t>(shape[1]));
    long double all = 0;
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j) {
        const float v = uniform(random);
        x.view().ptr<float>()[i * shape[1] + j] = v;
        want[static_cast<size_t>(j)] += v;
        all += v;
      }
    kernels::reduce(Reduction::Sum, y.view(), x.view());
    for (int64_t j = 0; j < shape[1]; ++j) EXPECT_NEAR(y.get({0, j}) / want[static_cast<size_t>(j)], 1, 4e-7) << j;
    kernels::reduce(Reduction::Sum, row.view(), x.view());
    EXPECT_NEAR(row.get({0, 0}) / all, 1, 3e-7);
  }
}
TEST(Reduce, SizesThatDoNotFitAreRefused) {
  Array x(kFloat, {3, 4}), y(kFloat, {3, 2}), z(kFloat, {3}), d(kDouble, {3, 1});
  EXPECT_THROW(kernels::reduce(Reduction::Sum, y.view(), x.view()), Error);
  EXPECT_THROW(kernels::reduce(Reduction::Sum, z.view(), x.view()), Error);
  EXPECT_THROW(kernels::reduce(Reduction::Max, d.view(), x.view()), TypeError);
}

TEST(ReduceIndex, FirstOccurrenceInEveryLayoutAndDimension) {
  for (ScalarType t : kDtypes)
    for (const Sizes& shape : t == kFloat || t == kBFloat16 ? kManyShapes : kFewShapes)
      for (int dim = 0; dim < std::max<int>(1, static_cast<int>(shape.size())); ++dim)
        for (Layout layout : kLayouts)
          for (bool largest : {false, true}) {
            const unsigned dims = shape.empty() ? 0 : 1u << dim;
            Array x(t, shape, layout), v(t, reduced_sizes(shape, dims)), i(kLong, v.sizes(), Layout::Reversed);
            x.randomize(5);
            kernels::reduce_index(largest, v.view(), i.view(), x.view(), dim);
            for (auto& [at, list] : groups(x, dims)) {
              const auto best =
                  largest ? std::max_element(list.begin(), list.end()) : std::min_element(list.begin(), list.end());
              ASSERT_EQ(v.get(at), *best) << t << IntArrayRef(shape) << dim;
              ASSERT_EQ(i.get(at), best - list.begin()) << t << IntArrayRef(shape) << dim;
            }
          }
}
TEST(ReduceIndex, FirstNaNWins) {
  for (bool column : {false, true})
    for (int64_t n : {9, 100, 10000}) {
      Array x(kFloat, column ? Sizes{n, 3} : Sizes{3, n}), v(kFloat, column ? Sizes{1, 3} : Sizes{3, 1}),
          i(kLong, v.sizes());
      const auto at = [&](int64_t k) { return column ? Sizes{k, 1} : Sizes{1, k}; };
      x.set(at(2), inf), x.set(at(n - 3), nan), x.set(at(n - 1), nan);
      for (bool largest : {false, true}) {
        kernels::reduce_index(largest, v.view(), i.view(), x.view(), column ? 0 : 1);
        EXPECT_TRUE(std::isnan(v.get(at(0))));
        EXPECT_EQ(i.get(at(0)), n - 3);
      }
    }
}
TEST(ReduceIndex, EitherOutputMayBeAbsent) {
  Array x(kFloat, {4, 50}), v(kFloat, {4, 1}), i(kLong, {4, 1});
  x.set({2, 7}, 5);
  kernels::reduce_index(true, v.null_view(), i.view(), x.view(), 1);
  EXPECT_EQ(i.get({2, 0}), 7);
  kernels::reduce_index(true, v.view(), i.null_view(), x.view(), 1);
  EXPECT_EQ(v.get({2, 0}), 5);
  Array none(kFloat, {4, 0});
  EXPECT_THROW(kernels::reduce_index(true, v.view(), i.view(), none.view(), 1), IndexError);
}

TEST(Moments, MeanAndSquaresOverEverySetOfDimensions) {
  for (ScalarType t : kFloats) {
    const ScalarType stats = t == kDouble ? kDouble : kFloat;
    for (bool second : {false, true})
      sweep(
          t == kFloat ? kManyShapes : kFewShapes, t, stats,
          [&](const View& y, const View& x) {
            std::vector<double> other(static_cast<size_t>(y.numel()) + 1);
            std::vector<int64_t> strides(y.sizes.size());
            int64_t step = 1;
            for (int d = y.dim() - 1; d >= 0; step *= y.sizes[d--]) strides[d] = step;
            const View z{other.data(), kDouble, y.sizes, strides};
            second ? kernels::moments(z, y, x) : kernels::moments(y, z, x);
          },
          [&](long double y, const auto& x) {
            long double mean = 0, m2 = 0;
            for (long double v : x) mean += v / x.size();
            for (long double v : x) m2 += (v - mean) * (v - mean);
            ASSERT_NEAR(y, second ? m2 : mean, (second ? m2 + 1e-6L : 1) * 16 * epsilon(stats));
          });
  }
}
TEST(Moments, AFarMeanDoesNotDrownTheVariance) {
  for (bool column : {false, true}) {
    const int64_t n = 20000;
    Array x(kFloat, column ? Sizes{n, 2} : Sizes{2, n}), mean(kFloat, column ? Sizes{1, 2} : Sizes{2, 1}),
        m2(kFloat, mean.sizes());
    x.each([&](const Sizes& at) { x.set(at, 10000 + ((at[0] + at[1]) % 2 ? 0.5 : -0.5)); });
    kernels::moments(mean.view(), m2.view(), x.view());
    EXPECT_NEAR(m2.get({0, 0}), n * 0.25L, n * 1e-6L);
    EXPECT_NEAR(mean.get({0, 0}), 10000, 1e-3);
  }
}
TEST(Moments, InfinityMakesAnInfiniteMeanAndNaNSquares) {
  Array x(kFloat, {10000}), mean(kFloat, {1}), m2(kFloat, {1});
  x.set({3}, inf), x.set({9000}, inf);
  kernels::moments(mean.view(), m2.view(), x.view());
  EXPECT_EQ(mean.get({0}), inf);
  EXPECT_TRUE(std::isnan(m2.get({0})));
}

TEST(Norm, EveryPOverEverySetOfDimensions) {
  for (ScalarType t : {kBFloat16, kFloat, kDouble})
    for (double p : {0.0, 1.0, 2.0, 3.5, inf, -inf})
      sweep(
          kFewShapes, t, t, [&](const View& y, const View& x) { kernels::norm(y, x, p); },
          [&](long double y, const auto& x) {
            long double want = p == -inf ? inf : 0;
            for (long double v : x) {
              if (p == 0) want += v != 0;
              else if (p == inf) want = std::max(want, std::abs(v));
              else if (p == -inf) want = std::min(want, std::abs(v));
              else want += std::pow(std::abs(v), static_cast<long double>(p));
            }
            if (p > 0 && p < inf) want = std::pow(want, 1 / static_cast<long double>(p));
            ASSERT_NEAR(y, want, want * epsilon(t) * 8) << p;
          });
}
TEST(Norm, NaNAndNegativePAsPyTorch) {
  Array x(kFloat, {3}), y(kFloat, {1});
  x.set({0}, nan), x.set({2}, 1);
  kernels::norm(y.view(), x.view(), 0);
  EXPECT_EQ(y.get({0}), 2);
  kernels::norm(y.view(), x.view(), inf);
  EXPECT_TRUE(std::isnan(y.get({0})));
  x.set({0}, 2);
  kernels::norm(y.view(), x.view(), -1);
  EXPECT_EQ(y.get({0}), 0);
}

/// f(line in, line out) for every line along dim.
void each_line(Array& in, int dim, const std::function<void(const Sizes&, const std::vector<long double>&)>& f) {
  for (auto& [at, x] : groups(in, in.sizes().empty() ? 0 : 1u << dim)) f(at, x);
}
Sizes along(Sizes at, int dim, int64_t i) {
  if (!at.empty()) at[static_cast<size_t>(dim)] = i;
  return at;
}
const Sizes kScanShapes[] = {{}, {0}, {3, 0}, {1}, {1100}, {3, 70}, {70, 3}, {5, 6, 7}, {6, 600}, {3, 90, 70}};

TEST(Scan, SumsAndProductsInEveryLayoutAndDimension) {
  for (ScalarType t : {kBool, kInt, kLong, kHalf, kFloat, kDouble})
    for (const Sizes& shape : kScanShapes)
      for (int dim = 0; dim < std::max<int>(1, static_cast<int>(shape.size())); ++dim)
        for (Layout layout : kLayouts) {
          const ScalarType to = is_floating_point(t) ? t : kLong;
          Array x(t, shape, layout), y(to, shape), z(to, shape, Layout::Reversed), after(to, shape);
          x.randomize(3);
          kernels::cumsum(y.view(), x.view(), dim);
          kernels::cumsum(after.view(), x.view(), dim, /*from_end=*/true);
          kernels::cumprod(z.view(), x.view(), dim);
          each_line(x, dim, [&](const Sizes& at, const auto& line) {
            long double sum = 0, product = 1;
            uint64_t wrapped = 1;
            for (size_t i = line.size(); i-- > 0;) {
              sum += line[i];
              ASSERT_NEAR(after.get(along(at, dim, static_cast<int64_t>(i))), sum, std::abs(sum) * epsilon(to));
            }
            sum = 0;
            for (size_t i = 0; i < line.size(); ++i) {
              const Sizes here = along(at, dim, static_cast<int64_t>(i));
              sum += line[i], product *= line[i], wrapped *= static_cast<uint64_t>(static_cast<int64_t>(line[i]));
              ASSERT_NEAR(y.get(here), sum, std::abs(sum) * epsilon(to));
              if (to == kLong) {
                ASSERT_EQ(z.get(here), static_cast<long double>(static_cast<int64_t>(wrapped)));
              } else if (std::abs(product) < 6e4L) {
                ASSERT_NEAR(z.get(here), product, std::abs(product) * epsilon(to) * 20 + 1e-7L);
              }
            }
          });
        }
}
TEST(Scan, Float32IsCarriedInDouble) {
  Array x(kFloat, {3000}), y(kFloat, {3000});
  x.each([&](const Sizes& at) { x.set(at, 0.1L); });
  kernels::cumsum(y.view(), x.view(), 0);
  EXPECT_EQ(y.get({2999}), 300);
}
TEST(Scan, InfinityAndNaNReachOnlyWhatFollows) {
  Array x(kFloat, {21}), y(kFloat, {21});
  x.set({3}, inf), x.set({12}, -inf), x.set({2}, -0.0L);
  kernels::cumsum(y.view(), x.view(), 0);
  for (int64_t i = 0; i < 21; ++i) {
    if (i < 3) EXPECT_EQ(y.get({i}), 0);
    else if (i < 12) EXPECT_EQ(y.get({i}), inf);
    else EXPECT_TRUE(std::isnan(y.get({i}))) << i;
  }
}
TEST(Scan, InPlaceAndThePositionsOfTheLastMaximum) {
  const double values[] = {1, 3, 3, 2, nan, 5, nan, inf};
  Array x(kFloat, {8}), y(kFloat, {8}), i(kLong, {8});
  for (int k = 0; k < 8; ++k) x.set({k}, values[k]);
  kernels::cummax(y.view(), i.view(), x.view(), 0);
  const int64_t most[] = {0, 1, 2, 2, 4, 4, 6, 6}, least[] = {0, 0, 0, 0, 4, 4, 6, 6};
  for (int k = 0; k < 8; ++k) EXPECT_EQ(i.get({k}), most[k]);
  EXPECT_EQ(y.get({3}), 3);
  EXPECT_TRUE(std::isnan(y.get({7})));
  kernels::cummin(x.view(), i.view(), x.view(), 0);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(i.get({k}), least[k]);
  EXPECT_EQ(x.get({3}), 1);
}
TEST(Scan, RunningExtremesInEveryLayoutAndDimension) {
  for (ScalarType t : {kByte, kLong, kBFloat16, kFloat, kDouble})
    for (const Sizes& shape : kScanShapes)
      for (int dim = 0; dim < std::max<int>(1, static_cast<int>(shape.size())); ++dim)
        for (Layout layout : kLayouts) {
          Array x(t, shape, layout), y(t, shape, Layout::Reversed), i(kLong, shape);
          x.randomize(4);
          for (bool largest : {false, true}) {
            (largest ? kernels::cummax : kernels::cummin)(y.view(), i.view(), x.view(), dim);
            each_line(x, dim, [&](const Sizes& at, const auto& line) {
              size_t best = 0;
              for (size_t k = 0; k < line.size(); ++k) {
                if (largest ? line[k] >= line[best] : line[k] <= line[best]) best = k;
                const Sizes here = along(at, dim, static_cast<int64_t>(k));
                ASSERT_EQ(y.get(here), line[best]);
                ASSERT_EQ(i.get(here), best);
              }
            });
          }
        }
}
TEST(Scan, LogCumSumExpKeepsInfinitiesAndNaNsApart) {
  const double values[] = {-inf, -inf, 0, -inf, 1, inf, 1, nan, 1},
               want[] = {-inf, -inf, 0, 0, std::log1p(std::exp(1.)), inf, inf, nan, nan};
  Array x(kFloat, {9}), y(kFloat, {9});
  for (int k = 0; k < 9; ++k) x.set({k}, values[k]);
  kernels::logcumsumexp(y.view(), x.view(), 0);
  for (int k = 0; k < 9; ++k) {
    if (std::isnan(want[k])) EXPECT_TRUE(std::isnan(y.get({k})));
    else EXPECT_EQ(y.get({k}), static_cast<float>(want[k]));
  }
  x.each([&](const Sizes& at) { x.set(at, 1000 + at[0]); });
  kernels::logcumsumexp(y.view(), x.view(), 0);
  EXPECT_NEAR(y.get({8}), 1008 + std::log(1 / (1 - std::exp(-1.))), 1e-3);
}

TEST(Softmax, ValuesAndGradientsInEveryLayoutAndDimension) {
  const Sizes shapes[] = {{}, {0}, {3, 0}, {1}, {9000}, {3, 70}, {70, 3}, {5, 6, 7}, {3, 90, 70}, {40, 17}, {2, 5, 33}};
  for (ScalarType t : kFloats)
    for (const Sizes& shape : shapes)
      for (int dim = 0; dim < std::max<int>(1, static_cast<int>(shape.size())); ++dim)
        for (Layout layout : kLayouts)
          for (bool log : {false, true}) {
            Array x(t, shape, layout), y(t, shape, layout == Layout::Sliced ? Layout::Sliced : Layout::Contiguous);
            Array g(t, shape, layout), dx(t, shape);
            x.randomize(1, 40);
            g.randomize(2);
            kernels::softmax(y.view(), x.view(), dim, log);
            kernels::softmax_backward(dx.view(), g.view(), y.view(), dim, log);
            each_line(x, dim, [&](const Sizes& at, const auto& line) {
              const long double top = *std::max_element(line.begin(), line.end());
              long double sum = 0, dot = 0, total = 0, magnitude = 0;
              for (long double v : line) sum += std::exp(v - top);
              for (size_t i = 0; i < line.size(); ++i) {
                const Sizes here = along(at, dim, static_cast<int64_t>(i));
                const long double p = std::exp(line[i] - top) / sum, result = log ? std::log(p) : p;
                ASSERT_NEAR(y.get(here), result,
                            12 * epsilon(t) * std::max(log ? 1.0L : 0.0L, std::abs(result)) + 1e-7L * (t == kHalf));
                dot += g.get(here) * y.get(here), total += g.get(here), magnitude += std::abs(g.get(here));
              }
              for (size_t i = 0; i < line.size(); ++i) {
                const Sizes here = along(at, dim, static_cast<int64_t>(i));
                const long double yy = y.get(here), gg = g.get(here);
                const long double want = log ? gg - std::exp(yy) * total : (gg - dot) * yy;
                ASSERT_NEAR(dx.get(here), want, epsilon(t) * (16 + 4 * (log ? magnitude * std::exp(yy) : 0)));
              }
            });
          }
}
TEST(Softmax, InfinitiesAndNaNsAsPyTorch) {
  for (bool column : {false, true})
    for (bool log : {false, true})
      for (ScalarType t : {kFloat, kDouble}) {
        const double rows[4][3] = {{-inf, -inf, -inf}, {1, inf, 2}, {1, nan, 2}, {1, 2, -inf}};
        Array x(t, column ? Sizes{3, 4} : Sizes{4, 3}), y(t, x.sizes());
        const auto at = [&](int64_t i, int64_t j) { return column ? Sizes{j, i} : Sizes{i, j}; };
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 3; ++j) x.set(at(i, j), rows[i][j]);
        kernels::softmax(y.view(), x.view(), column ? 0 : 1, log);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) EXPECT_TRUE(std::isnan(y.get(at(i, j)))) << i << j << log;
        EXPECT_NEAR(y.get(at(3, 0)), log ? -1.3132616875182228 : 0.2689414213699951, 1e-6);
        EXPECT_EQ(y.get(at(3, 2)), log ? -inf : 0);
      }
}
TEST(Softmax, LogSumExpOfContiguousRows) {
  for (ScalarType t : {kFloat, kDouble})
    for (const Sizes& shape : {Sizes{1, 1}, Sizes{3, 70}, Sizes{70, 3}, Sizes{2, 9000}}) {
      Array x(t, shape), y(t, {shape[0]});
      x.randomize(1, 40);
      kernels::logsumexp(y.view(), x.view());
      each_line(x, 1, [&](const Sizes& at, const auto& line) {
        const long double top = *std::max_element(line.begin(), line.end());
        long double sum = 0;
        for (long double v : line) sum += std::exp(v - top);
        ASSERT_NEAR(y.get({at[0]}), top + std::log(sum), 4 * epsilon(t) * std::max(1.0L, std::abs(top)));
      });
      const double edges[4][2] = {{-inf, -inf}, {1, inf}, {nan, 1}, {-inf, 2}}, want[] = {-inf, inf, nan, 2};
      Array a(t, {4, 2}), b(t, {4});
      for (int i = 0; i < 4; ++i) a.set({i, 0}, edges[i][0]), a.set({i, 1}, edges[i][1]);
      kernels::logsumexp(b.view(), a.view());
      for (int i = 0; i < 4; ++i) EXPECT_TRUE(i == 2 ? std::isnan(b.get({i})) : b.get({i}) == want[i]) << i;
    }
}
TEST(Softmax, InPlaceIsTheSame) {
  Array x(kFloat, {7, 50}), y(kFloat, {7, 50});
  x.randomize(1);
  kernels::softmax(y.view(), x.view(), 1, false);
  kernels::softmax(x.view(), x.view(), 1, false);
  EXPECT_EQ(x.bytes(), y.bytes());
}

TEST(Threads, AnyNumberGivesTheSameBits) {
  struct Restore {
    int n = get_num_threads();
    ~Restore() { set_num_threads(n); }
  } restore;
  std::vector<std::vector<char>> first;
  for (int threads : {1, 2, 3, 4, 7}) {
    set_num_threads(threads);
    std::vector<std::vector<char>> bits;
    for (const Sizes& shape : {Sizes{200003, 1}, Sizes{40001, 3}, Sizes{601, 300}, Sizes{31, 4099}, Sizes{3, 70003}})
      for (ScalarType t : {kFloat, kBFloat16}) {
        Array x(t, shape), y(kFloat, shape);
        std::mt19937 random(3);
        x.each([&](const Sizes& at) { x.set(at, static_cast<float>(random()) * 0x1p-32f - 0.3f); });
        for (unsigned dims : {1u, 2u, 3u}) {
          Array s(kFloat, reduced_sizes(shape, dims)), m(kFloat, s.sizes()), q(kFloat, s.sizes()), p(kFloat, s.sizes());
          kernels::reduce(Reduction::Sum, s.view(), x.view());
          kernels::reduce(Reduction::Prod, p.view(), x.view());
          kernels::moments(m.view(), q.view(), x.view());
          for (Array* a : {&s, &m, &q, &p}) bits.push_back(a->bytes());
        }
        for (int dim : {0, 1}) {
          kernels::cumsum(y.view(), x.view(), dim);
          bits.push_back(y.bytes());
          if (t == kFloat) kernels::softmax(y.view(), x.view(), dim, false);
          bits.push_back(y.bytes());
        }
      }
    if (first.empty()) first = std::move(bits);
    else EXPECT_EQ(first, bits) << threads << " threads";
  }
}

}  // namespace
}  // namespace taut
