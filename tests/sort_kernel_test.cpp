// Sorting, selecting, searching, counting and distances against plain loops, and against what PyTorch gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "core/parallel.h"
#include "kernel_array.h"
#include "kernels/distance.h"
#include "kernels/sort.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr Layout kWritable[] = {Layout::Contiguous, Layout::Reversed, Layout::Sliced};
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// A contiguous vector as a view.
template <class T>
struct List {
  std::vector<T> data;
  int64_t size = static_cast<int64_t>(data.size()), one = 1;
  View view() { return {data.data(), dtype_of<T>, size, one}; }
};
template <class T>
struct One {
  T value{};
  View view() { return {&value, dtype_of<T>, {}, {}}; }
};

bool same(long double a, long double b) { return a == b || (a != a && b != b); }
// NaN last.
bool before(long double a, long double b) { return a < b || (a == a && b != b); }

// Places 0 to n - 1 of a slice in stable order.
std::vector<int64_t> stable_order(Array& in, const Sizes& at, int dim, bool descending) {
  std::vector<int64_t> order(in.sizes().empty() ? 1 : in.sizes()[dim]);
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  const auto value = [&](int64_t i) {
    Sizes place = at;
    if (!place.empty()) place[dim] = i;
    return in.get(place);
  };
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return descending ? before(value(b), value(a)) : before(value(a), value(b));
  });
  return order;
}

// Ties, NaN, both zeros and both infinities.
void fill_hard(Array& a, unsigned seed) {
  a.randomize(seed);
  if (!is_floating_point(a.dtype())) return;
  std::mt19937 random(seed);
  a.each([&](const Sizes& at) {
    const unsigned r = static_cast<unsigned>(random() % 20);
    if (r == 0) a.set(at, NAN);
    if (r == 1) a.set(at, -0.0L);
    if (r == 2) a.set(at, kInf);
    if (r == 3) a.set(at, -kInf);
  });
}

struct Case {
  Sizes sizes;
  int dim;
};
const Case kCases[] = {{{}, 0},        {{1}, 0},       {{9}, 0},       {{200}, 0},  {{3, 70}, 1}, {{70, 3}, 0},
                       {{2, 5, 4}, 0}, {{2, 5, 4}, 1}, {{2, 5, 4}, 2}, {{3, 0}, 1}, {{0, 3}, 1},  {{600}, 0}};

TEST(Sort, IsStableWithNaNGreatestInEveryLayoutAndDtype) {
  unsigned seed = 0;
  for (ScalarType dtype : kDtypes)
    for (Layout layout : kLayouts)
      for (bool descending : {false, true})
        for (const Case& c : kCases) {
          Array in(dtype, c.sizes, layout), values(dtype, c.sizes, kWritable[seed % 3]);
          Array indices(kLong, c.sizes, kWritable[seed / 3 % 3]);
          fill_hard(in, ++seed);
          sort(values.view(), indices.view(), in.view(), c.dim, descending);
          in.each([&](const Sizes& at) {
            if (!at.empty() && at[c.dim] != 0) return;
            const auto order = stable_order(in, at, c.dim, descending);
            for (size_t i = 0; i < order.size(); ++i) {
              Sizes place = at, source = at;
              if (!at.empty()) place[c.dim] = static_cast<int64_t>(i), source[c.dim] = order[i];
              ASSERT_EQ(indices.get(place), order[i]) << dtype << " " << IntArrayRef(c.sizes);
              ASSERT_TRUE(same(values.get(place), in.get(source)));
            }
          });
        }
}

TEST(Sort, GivesWhatPyTorchGivesForEverySpecialNumber) {
  List<float> in{{3, kNaN, 1, kNaN, -kInf, kInf, -0.f, 0.f, 1, 3}};
  List<float> values{std::vector<float>(10)};
  List<int64_t> indices{std::vector<int64_t>(10)};
  sort(values.view(), indices.view(), in.view(), 0, false);
  EXPECT_EQ(indices.data, (std::vector<int64_t>{4, 6, 7, 2, 8, 0, 9, 5, 1, 3}));
  EXPECT_TRUE(std::signbit(values.data[1]) && !std::signbit(values.data[2]));
  sort(values.view(), indices.view(), in.view(), 0, true);
  EXPECT_EQ(indices.data, (std::vector<int64_t>{1, 3, 5, 0, 9, 2, 8, 6, 7, 4}));
}

TEST(Sort, HandlesTheFullRangeOf64BitKeys) {
  // Keys that differ in every byte, many of them only in the lowest ones, which the passes over digits leave together.
  std::mt19937_64 random(1);
  List<int64_t> in;
  for (int i = 0; i < 5000; ++i) {
    const auto r = static_cast<int64_t>(random());
    in.data.push_back(i % 3 == 0 ? r : (r & 0xffff) | int64_t{1} << 40);
  }
  in.data.insert(in.data.end(), {INT64_MIN, INT64_MAX, 0, -1, INT64_MIN});
  in.size = static_cast<int64_t>(in.data.size());
  List<int64_t> values{std::vector<int64_t>(in.data.size())}, indices{std::vector<int64_t>(in.data.size())};
  sort(values.view(), indices.view(), in.view(), 0, false);
  std::vector<std::pair<int64_t, int64_t>> expected;
  for (size_t i = 0; i < in.data.size(); ++i) expected.push_back({in.data[i], static_cast<int64_t>(i)});
  std::sort(expected.begin(), expected.end());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(values.data[i], expected[i].first);
    ASSERT_EQ(indices.data[i], expected[i].second);
  }
}

TEST(Sort, WritesOverItsInput) {
  Array in(kFloat, {4, 90}), twin(kFloat, {4, 90}), values(kFloat, {4, 90}), indices(kLong, {4, 90});
  in.randomize(3, 100);
  twin.randomize(3, 100);
  sort(values.view(), indices.view(), twin.view(), 1, true);
  sort(in.view(), indices.view(), in.view(), 1, true);
  EXPECT_EQ(in.bytes(), values.bytes());
}

TEST(Sort, AnyNumberOfThreadsGivesTheSameBits) {
  List<float> in{std::vector<float>(300000)};
  std::mt19937 random(1);
  for (float& x : in.data) x = static_cast<float>(random() % 100000) - 50000;
  List<int64_t> first_indices, indices{std::vector<int64_t>(in.data.size())}, counts = indices, inverse = indices;
  List<float> first, values{std::vector<float>(in.data.size())}, bins{std::vector<float>(100)};
  std::vector<float> first_bins;
  const int before_test = get_num_threads();
  for (int threads : {1, 2, 3, 4, 7}) {
    set_num_threads(threads);
    sort(values.view(), indices.view(), in.view(), 0, false);
    histc(bins.view(), in.view(), -40000, 40000);
    if (first.data.empty()) first = values, first_indices = indices, first_bins = bins.data;
    EXPECT_TRUE(first.data == values.data && first_indices.data == indices.data && first_bins == bins.data) << threads;
    const View inverse_view = inverse.view(), counts_view = counts.view();
    const int64_t n = unique(indices.view(), &inverse_view, &counts_view, in.view());
    for (size_t i = 0; i < in.data.size(); i += 997) {
      ASSERT_LT(inverse.data[i], n);
      ASSERT_EQ(in.data[indices.data[inverse.data[i]]], in.data[i]);
    }
  }
  set_num_threads(before_test);
}

TEST(TopK, FindsTheLargestAndTheSmallest) {
  unsigned seed = 0;
  for (ScalarType dtype : kDtypes)
    for (Layout layout : kLayouts)
      for (bool largest : {false, true})
        for (const Case& c : kCases) {
          const int64_t n = c.sizes.empty() ? 1 : c.sizes[c.dim];
          for (int64_t k : {int64_t{0}, int64_t{1}, n / 2, n}) {
            if (k > n) continue;
            Array in(dtype, c.sizes, layout);
            fill_hard(in, ++seed);
            Sizes shape = c.sizes;
            if (!shape.empty()) shape[c.dim] = k;
            else if (k == 0) continue;
            Array values(dtype, shape, kWritable[seed % 3]), indices(kLong, shape);
            topk(values.view(), indices.view(), in.view(), k, c.dim, largest, true);
            values.each([&](const Sizes& at) {
              if (!at.empty() && at[c.dim] != 0) return;
              const auto order = stable_order(in, at, c.dim, largest);
              for (int64_t i = 0; i < k; ++i) {
                Sizes place = at, chosen = at, expected = at;
                if (!at.empty()) {
                  place[c.dim] = i;
                  chosen[c.dim] = static_cast<int64_t>(indices.get(place));
                  expected[c.dim] = order[static_cast<size_t>(i)];
                }
                ASSERT_TRUE(same(values.get(place), in.get(chosen)));
                ASSERT_TRUE(same(values.get(place), in.get(expected))) << dtype << " " << IntArrayRef(c.sizes) << k;
              }
            });
          }
        }
}

TEST(TopK, TakesTheSameOfEqualElementsAsPyTorch) {
  List<float> in;
  for (int i = 0; i < 200; ++i) in.data.push_back(static_cast<float>(i * 37 % 11));
  in.size = 200;
  const auto picked = [&](int64_t k, bool largest, bool sorted) {
    List<float> values{std::vector<float>(k)};
    List<int64_t> indices{std::vector<int64_t>(k)};
    topk(values.view(), indices.view(), in.view(), k, 0, largest, sorted);
    return indices.data;
  };
  using Ints = std::vector<int64_t>;
  EXPECT_EQ(picked(3, true, true), (Ints{30, 19, 8}));
  EXPECT_EQ(picked(3, false, true), (Ints{22, 11, 0}));
  EXPECT_EQ(picked(12, true, true), (Ints{184, 52, 118, 96, 19, 140, 107, 30, 173, 129, 85, 41}));
  EXPECT_EQ(picked(12, false, true), (Ints{143, 132, 165, 22, 44, 110, 99, 176, 66, 77, 55, 154}));
  EXPECT_EQ(picked(12, true, false), (Ints{184, 52, 118, 96, 19, 140, 107, 30, 173, 129, 85, 41}));
}

TEST(TopK, RejectsMoreThanThereAre) {
  Array in(kFloat, {3}), values(kFloat, {4}), indices(kLong, {4});
  EXPECT_THROW(topk(values.view(), indices.view(), in.view(), 4, 0, true, true), Error);
  EXPECT_THROW(topk(values.view(), indices.view(), in.view(), -1, 0, true, true), Error);
}

TEST(Median, AndKthValueAndModeMatchTheStableOrder) {
  unsigned seed = 0;
  for (ScalarType dtype : kDtypes)
    for (Layout layout : kLayouts)
      for (const Case& c : kCases) {
        const int64_t n = c.sizes.empty() ? 1 : c.sizes[c.dim];
        if (n == 0) continue;
        Array in(dtype, c.sizes, layout);
        fill_hard(in, ++seed);
        Sizes shape = c.sizes;
        if (!shape.empty()) shape.erase(shape.begin() + c.dim);
        Array values(dtype, shape, kWritable[seed % 3]), indices(kLong, shape);
        const auto each_slice = [&](auto f) {
          values.each([&](const Sizes& at) {
            Sizes full = at;
            if (!c.sizes.empty()) full.insert(full.begin() + c.dim, 0);
            const auto order = stable_order(in, full, c.dim, false);
            const auto value = [&](int64_t i) {
              Sizes place = full;
              if (!place.empty()) place[c.dim] = i;
              return in.get(place);
            };
            const int64_t expected = f(order, value);
            ASSERT_EQ(indices.get(at), expected) << dtype << " " << IntArrayRef(c.sizes);
            ASSERT_TRUE(same(values.get(at), value(expected)));
          });
        };
        for (int64_t k : {int64_t{1}, (n + 1) / 2, n}) {
          kthvalue(values.view(), indices.view(), in.view(), k, c.dim);
          each_slice([&](const auto& order, auto&&) { return order[k - 1]; });
        }
        for (bool ignore : {false, true}) {
          median(values.view(), indices.view(), in.view(), c.dim, ignore);
          each_slice([&](const auto& order, auto&& value) {
            int64_t numbers = 0;
            for (int64_t i : order) numbers += value(i) == value(i);
            if (numbers == 0 || (!ignore && numbers < n)) return order[numbers];
            return order[(numbers - 1) / 2];
          });
        }
        mode(values.view(), indices.view(), in.view(), c.dim);
        each_slice([&](const auto& order, auto&& value) {
          int64_t best = 0, place = 0, run = 0;
          for (size_t i = 0; i < order.size(); ++i) {
            run = i > 0 && value(order[i]) == value(order[i - 1]) ? run + 1 : 1;
            if (run > best) best = run, place = order[i];
          }
          return place;
        });
      }
}

TEST(Median, GivesWhatPyTorchGives) {
  List<float> in{{0, 5, 3, 1, kNaN, 4, 2, 0, 5, kNaN, 1, 6, 4, 2, 0, 5, 3, 1, 6, 4, 2}};
  List<int64_t> whole;
  for (int i = 0; i < 21; ++i) whole.data.push_back(i * 5 % 7);
  whole.size = 21;
  One<float> value;
  One<int64_t> number, at;
  median(number.view(), at.view(), whole.view(), 0, false);
  EXPECT_EQ(number.value, 3);
  EXPECT_EQ(at.value, 9);
  median(value.view(), at.view(), in.view(), 0, false);
  EXPECT_TRUE(std::isnan(value.value));
  EXPECT_EQ(at.value, 4);
  median(value.view(), at.view(), in.view(), 0, true);
  EXPECT_EQ(value.value, 3);
  EXPECT_EQ(at.value, 2);
  List<float> empty;
  EXPECT_THROW(median(value.view(), at.view(), empty.view(), 0, false), IndexError);
  EXPECT_THROW(kthvalue(value.view(), at.view(), in.view(), 0, 0), Error);
  EXPECT_THROW(kthvalue(value.view(), at.view(), in.view(), 22, 0), Error);
}

TEST(SearchSorted, FindsThePlaceInEachRow) {
  unsigned seed = 0;
  for (ScalarType dtype : kDtypes)
    for (Layout layout : kLayouts)
      for (bool right : {false, true})
        for (bool shared : {false, true}) {
          Array raw(dtype, shared ? Sizes{9} : Sizes{3, 9}), bounds(dtype, raw.sizes(), kWritable[seed % 3]);
          Array order(kLong, raw.sizes()), values(dtype, {3, 5}, layout);
          raw.randomize(++seed);
          values.randomize(seed + 1);
          sort(bounds.view(), order.view(), raw.view(), shared ? 0 : 1, false);
          Array out(seed % 2 ? kLong : kInt, {3, 5}, kWritable[seed % 3]), sorted_out(kLong, {3, 5});
          searchsorted(out.view(), bounds.view(), values.view(), right);
          const View sorter = order.view();
          searchsorted(sorted_out.view(), raw.view(), values.view(), right, &sorter);
          out.each([&](const Sizes& at) {
            int64_t count = 0;
            for (int64_t i = 0; i < 9; ++i) {
              const long double b = bounds.get(shared ? Sizes{i} : Sizes{at[0], i});
              count += right ? b <= values.get(at) : b < values.get(at);
            }
            EXPECT_EQ(out.get(at), count);
            EXPECT_EQ(sorted_out.get(at), count);
          });
        }
}

TEST(SearchSorted, TreatsNaNAsPyTorchDoes) {
  List<float> bounds{{1, 2, kInf, kNaN, kNaN}}, few{{1, 2, kNaN}}, values{{0, 1, 2, 5, kNaN, kInf}};
  List<int64_t> out{std::vector<int64_t>(6)};
  searchsorted(out.view(), bounds.view(), values.view(), false);
  EXPECT_EQ(out.data, (std::vector<int64_t>{0, 0, 1, 2, 5, 2}));
  searchsorted(out.view(), few.view(), values.view(), true);
  EXPECT_EQ(out.data, (std::vector<int64_t>{0, 1, 3, 3, 3, 3}));
}

TEST(SearchSorted, ChecksTheSorterAndTheShapes) {
  Array bounds(kFloat, {3}), values(kFloat, {2, 2}), out(kLong, {2, 2}), sorter(kLong, {3}), batch(kFloat, {3, 3});
  sorter.set({2}, 3);
  const View order = sorter.view();
  EXPECT_THROW(searchsorted(out.view(), bounds.view(), values.view(), false, &order), IndexError);
  EXPECT_THROW(searchsorted(out.view(), batch.view(), values.view(), false), Error);
  Array none(kFloat, {0});
  searchsorted(out.view(), none.view(), values.view(), true);
  EXPECT_EQ(out.get({1, 1}), 0);
}

TEST(Histogram, CountsAsPyTorchDoes) {
  List<float> in{{-1, 0, .1f, .2f, .3f, .5f, .7f, .9f, 1, 1.1f, kNaN}}, out{std::vector<float>(5)};
  histc(out.view(), in.view(), 0, 1);
  EXPECT_EQ(out.data, (std::vector<float>{2, 2, 1, 1, 2}));
  List<double> wide, bins{std::vector<double>(3)};
  for (float x : in.data) wide.data.push_back(x);
  wide.size = in.size;
  histc(bins.view(), wide.view(), 0, .9);
  EXPECT_EQ(bins.data, (std::vector<double>{3, 2, 2}));
  EXPECT_THROW(histc(out.view(), in.view(), 1, 1), Error);
}

TEST(Histogram, BincountCountsAndSumsWeights) {
  List<int64_t> in{{1, 3, 1}}, out{std::vector<int64_t>(6)};
  bincount(out.view(), in.view());
  EXPECT_EQ(out.data, (std::vector<int64_t>{0, 2, 0, 1, 0, 0}));
  List<double> weights{{.5, .25, 1}}, sums{std::vector<double>(6)};
  const View w = weights.view();
  bincount(sums.view(), in.view(), &w);
  EXPECT_EQ(sums.data, (std::vector<double>{0, 1.5, 0, .25, 0, 0}));
  List<uint8_t> bytes{{2, 2}};
  bincount(out.view(), bytes.view());
  EXPECT_EQ(out.data[2], 2);
  const auto kept = out.data;
  for (int64_t bad : {int64_t{-1}, int64_t{6}, INT64_MIN, INT64_MAX}) {
    in.data[1] = bad;
    EXPECT_THROW(bincount(out.view(), in.view()), Error);
    EXPECT_EQ(out.data, kept);
  }
}

TEST(Unique, FindsTheDistinctElementsAndTheirRuns) {
  unsigned seed = 0;
  for (ScalarType dtype : kDtypes)
    for (Layout layout : kLayouts)
      for (bool consecutive : {false, true})
        for (const Sizes& sizes : {Sizes{}, Sizes{9}, Sizes{5, 40}, Sizes{2, 3, 4}, Sizes{0}}) {
          Array in(dtype, sizes, layout);
          in.randomize(++seed, 3);
          const int64_t n = in.numel();
          Array positions(kLong, {n}), counts(kLong, {n}, Layout::Sliced), inverse(kLong, sizes, kWritable[seed % 3]);
          const View i = inverse.view(), c = counts.view();
          const int64_t m = consecutive ? unique_consecutive(positions.view(), &i, &c, in.view())
                                        : unique(positions.view(), &i, &c, in.view());
          std::vector<long double> flat, groups;
          in.each([&](const Sizes& at) { flat.push_back(in.get(at)); });
          std::map<int64_t, int64_t> seen;
          if (consecutive) {
            for (size_t k = 0; k < flat.size(); ++k)
              if (k == 0 || flat[k] != flat[k - 1]) groups.push_back(flat[k]);
          } else {
            groups = flat;
            std::sort(groups.begin(), groups.end());
            groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
          }
          ASSERT_EQ(m, static_cast<int64_t>(groups.size()));
          for (int64_t g = 0; g < m; ++g)
            EXPECT_EQ(flat[static_cast<size_t>(positions.get({g}))], groups[static_cast<size_t>(g)]);
          size_t k = 0;
          in.each([&](const Sizes& at) {
            const auto g = static_cast<int64_t>(inverse.get(at));
            EXPECT_EQ(flat[k], groups[static_cast<size_t>(g)]);
            if (seen[g]++ == 0) {
              EXPECT_EQ(positions.get({g}), k);
            }
            ++k;
          });
          for (int64_t g = 0; g < m; ++g) EXPECT_EQ(counts.get({g}), seen[g]);
        }
}

TEST(Unique, EveryNaNIsItsOwnAndTheFirstZeroStands) {
  List<float> in{{kNaN, 0, -0.f, kNaN, 0}};
  List<int64_t> positions{std::vector<int64_t>(5)}, counts = positions, inverse = positions;
  const View i = inverse.view(), c = counts.view();
  ASSERT_EQ(unique(positions.view(), &i, &c, in.view()), 3);
  EXPECT_EQ(inverse.data, (std::vector<int64_t>{1, 0, 0, 2, 0}));
  EXPECT_EQ(positions.data[0], 1);
  EXPECT_EQ(counts.data[0], 3);
  ASSERT_EQ(unique_consecutive(positions.view(), nullptr, nullptr, in.view()), 4);
}

TEST(Unique, ComparesRowsByTheirFirstDifference) {
  // torch.unique(..., dim=0): [[0, -0], [1, nan], [1, nan]], inverse [1, 2, 0, 0], counts [2, 1, 1]
  Array in(kFloat, {4, 2}, Layout::Reversed);
  const float rows[4][2] = {{1, kNaN}, {1, kNaN}, {0, -0.f}, {0, 0}};
  in.each([&](const Sizes& at) { in.set(at, rows[at[0]][at[1]]); });
  List<int64_t> positions{std::vector<int64_t>(4)}, counts = positions, inverse = positions;
  const View i = inverse.view(), c = counts.view();
  ASSERT_EQ(unique_rows(positions.view(), &i, &c, in.view()), 3);
  EXPECT_EQ(inverse.data, (std::vector<int64_t>{1, 2, 0, 0}));
  counts.data.resize(3), positions.data.resize(3);
  EXPECT_EQ(counts.data, (std::vector<int64_t>{2, 1, 1}));
  EXPECT_EQ(positions.data, (std::vector<int64_t>{2, 0, 1}));
  List<int64_t> all{std::vector<int64_t>(4)};
  EXPECT_EQ(unique_consecutive_rows(all.view(), nullptr, nullptr, in.view()), 3);
}

// What PyTorch gives for x = [[0, 0], [1, 2]], y = [[0, 0], [3, 3], [1, 3]], and the gradient of the sum for x.
struct Distances {
  double p;
  std::vector<double> out, grad;
};
const Distances kDistances[] = {
    {0, {0, 2, 2, 2, 2, 1}, {0, 0, 0, 0}},
    {.5, {0, 12, 7.464102268, 5.828427792, 5.828427792, 1}, {-4.732050896, -3.57735014, .7071068287, -1.7071068287}},
    {1, {0, 6, 4, 3, 3, 1}, {-2, -2, 0, -1}},
    {1.5,
     {0, 4.762203217, 3.373505116, 2.447260857, 2.447260857, 1},
     {-1.33815217, -1.7367183, -.264779389, -.735220611}},
    {2,
     {0, 4.242640687, 3.16227766, 2.236067977, 2.236067977, 1},
     {-1.023334547, -1.655790079, -.447213595, -.552786405}},
    {3,
     {0, 3.77976315, 3.036588972, 2.080083823, 2.080083823, 1},
     {-.7384101748, -1.6060070992, -.693361274, -.306638726}},
    {kInf, {0, 3, 3, 2, 2, 1}, {-1, -2, -1, 0}}};

TEST(Distance, MatchesPyTorchForEveryNormInBothDirections) {
  const double x[2][2] = {{0, 0}, {1, 2}}, y[3][2] = {{0, 0}, {3, 3}, {1, 3}};
  for (ScalarType dtype : {kFloat, kDouble})
    for (Layout layout : kWritable)
      for (const Distances& c : kDistances) {
        Array a(dtype, {1, 2, 2}, layout), b(dtype, {1, 3, 2}, layout), out(dtype, {1, 2, 3}, layout);
        Array ones(dtype, {1, 2, 3}, Layout::Expanded), grad(dtype, {1, 2, 2}, layout);
        a.each([&](const Sizes& at) { a.set(at, x[at[1]][at[2]]); });
        b.each([&](const Sizes& at) { b.set(at, y[at[1]][at[2]]); });
        ones.each([&](const Sizes& at) { ones.set(at, 1); });
        cdist(out.view(), a.view(), b.view(), c.p);
        out.each([&](const Sizes& at) { EXPECT_NEAR(out.get(at), c.out[at[1] * 3 + at[2]], 1e-5) << c.p; });
        cdist_backward(grad.view(), ones.view(), a.view(), b.view(), out.view(), c.p);
        grad.each([&](const Sizes& at) { EXPECT_NEAR(grad.get(at), c.grad[at[1] * 2 + at[2]], 1e-5) << c.p; });
      }
}

TEST(Distance, SumsAnyNumberOfCoordinatesAndLetsNaNThrough) {
  for (int64_t width : {0, 1, 7, 8, 9, 33})
    for (double p : {0., 1., 2., 2.5, static_cast<double>(kInf)}) {
      Array a(kDouble, {2, 3, width}), b(kDouble, {2, 4, width}, Layout::Reversed), out(kDouble, {2, 3, 4});
      a.randomize(1);
      b.randomize(2);
      cdist(out.view(), a.view(), b.view(), p);
      out.each([&](const Sizes& at) {
        long double sum = 0;
        for (int64_t k = 0; k < width; ++k) {
          const long double d = std::abs(a.get({at[0], at[1], k}) - b.get({at[0], at[2], k}));
          sum = p == 0 ? sum + (d != 0) : p == kInf ? std::max(sum, d) : sum + std::pow(d, static_cast<long double>(p));
        }
        EXPECT_NEAR(out.get(at), p == 0 || p == kInf ? sum : std::pow(sum, 1 / static_cast<long double>(p)), 1e-12);
      });
      if (width == 0) continue;
      a.set({0, 0, 0}, NAN);
      cdist(out.view(), a.view(), b.view(), p);
      EXPECT_TRUE(std::isnan(out.get({0, 0, 0})));
    }
  Array a(kFloat, {1, 1, 1}), out(kFloat, {1, 1, 1});
  EXPECT_THROW(cdist(out.view(), a.view(), a.view(), -1), Error);
}

}  // namespace
}  // namespace taut::kernels
