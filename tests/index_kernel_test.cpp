// Gather, scatter, advanced indexing, masks and rearrangements against plain loops over coordinates.
#include <gtest/gtest.h>

#include <cstring>

#include "core/parallel.h"
#include "kernel_array.h"
#include "kernels/index.h"
#include "kernels/masked.h"
#include "kernels/rearrange.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr Layout kWritable[] = {Layout::Contiguous, Layout::Reversed, Layout::Sliced};
constexpr ScatterMode kModes[] = {ScatterMode::Assign, ScatterMode::Add, ScatterMode::Multiply, ScatterMode::Amax,
                                  ScatterMode::Amin};

// Indices from low to high - 1, with duplicates.
void fill_indices(Array& index, int64_t low, int64_t high, unsigned seed) {
  std::mt19937 random(seed);
  index.each([&](const Sizes& at) {
    index.set(at, static_cast<long double>(low + static_cast<int64_t>(random()) % (high - low)));
  });
}

void copy_values(Array& to, Array& from) {
  to.each([&](const Sizes& at) { to.set(at, from.get(at)); });
}

void expect_same(Array& a, Array& b, const std::string& what) {
  ASSERT_EQ(a.sizes(), b.sizes()) << what;
  a.each([&](const Sizes& at) {
    const long double x = a.get(at), y = b.get(at);
    if (!(x == y || (x != x && y != y)))
      ADD_FAILURE() << what << ": " << x << " and " << y << " at " << IntArrayRef(at);
  });
}

// One step of a scatter in the precision of the dtype: what `set` rounds to.
long double combine(ScalarType dtype, ScatterMode mode, long double a, long double b) {
  switch (mode) {
    case ScatterMode::Assign: return b;
    case ScatterMode::Add: return dtype == kBool ? a || b : a + b;
    case ScatterMode::Multiply: return dtype == kBool ? a && b : a * b;
    case ScatterMode::Amax: return b > a || b != b ? b : a;
    default: return b < a || b != b ? b : a;
  }
}

// Integers wrap around.
void set_wrapped(Array& a, const Sizes& at, long double value) {
  if (is_integral(a.dtype())) {
    const auto wide = static_cast<int64_t>(value);
    visit_dtype(a.dtype(), [&]<class T>(T) {
      if constexpr (std::is_integral_v<T>) value = static_cast<T>(wide);
    });
  }
  a.set(at, value);
}

struct Case {
  Sizes sizes;
  int dim;
  int64_t count;  // of indices along dim
};
const Case kCases[] = {{{5}, 0, 9},       {{4, 3}, 0, 6},    {{4, 3}, 1, 2},    {{2, 5, 3}, 0, 4},
                       {{2, 5, 3}, 1, 7}, {{2, 5, 3}, 2, 5}, {{3, 1, 4}, 1, 3}, {{6, 2}, 0, 0}};

TEST(Gather, PicksAlongTheDimensionInEveryLayoutAndDtype) {
  unsigned seed = 0;
  for (ScalarType dtype : kDtypes)
    for (Layout from : kLayouts)
      for (Layout to : kWritable)
        for (const Case& c : kCases) {
          Array in(dtype, c.sizes, from);
          in.randomize(++seed);
          Sizes shape = c.sizes;
          shape[c.dim] = c.count;
          Array index(seed % 2 ? kLong : kInt, shape, kLayouts[seed % 4]), out(dtype, shape, to);
          fill_indices(index, 0, c.sizes[c.dim], seed);
          gather(out.view(), in.view(), c.dim, index.view());
          Array expected(dtype, shape);
          expected.each([&](const Sizes& at) {
            Sizes source = at;
            source[c.dim] = static_cast<int64_t>(index.get(at));
            expected.set(at, in.get(source));
          });
          expect_same(out, expected, str("gather ", dtype, " of ", IntArrayRef(c.sizes), " along ", c.dim));
        }
}

TEST(Gather, TakesAnIndexSmallerThanTheInputApartFromTheDimension) {
  Array in(kFloat, {3, 4}), index(kLong, {2, 2}), out(kFloat, {2, 2});
  in.randomize(1);
  fill_indices(index, 0, 4, 2);
  gather(out.view(), in.view(), 1, index.view());
  out.each([&](const Sizes& at) { EXPECT_EQ(out.get(at), in.get({at[0], static_cast<int64_t>(index.get(at))})); });
  Array wide(kLong, {4, 2}), result(kFloat, {4, 2});
  EXPECT_THROW(gather(result.view(), in.view(), 1, wide.view()), Error);
}

TEST(Gather, TreatsAScalarAsOneElement) {
  Array in(kFloat, {}), index(kLong, {}), out(kFloat, {});
  in.set({}, 3);
  gather(out.view(), in.view(), 0, index.view());
  EXPECT_EQ(out.get({}), 3);
  Array many(kLong, {2}), pair(kFloat, {2});
  gather(pair.view(), in.view(), 0, many.view());
  EXPECT_EQ(pair.get({1}), 3);
  Array row(kFloat, {2}), one(kLong, {});
  row.set({1}, 4);
  one.set({}, 1);
  gather(out.view(), row.view(), 0, one.view());
  EXPECT_EQ(out.get({}), 4);
  many.set({1}, 1);
  EXPECT_THROW(gather(pair.view(), in.view(), 0, many.view()), IndexError);
}

TEST(Scatter, ActsInIndexOrderInEveryLayoutDtypeAndMode) {
  unsigned seed = 0;
  for (ScalarType dtype : kDtypes)
    for (ScatterMode mode : kModes)
      for (Layout to : kWritable)
        for (const Case& c : kCases) {
          Array out(dtype, c.sizes, to), expected(dtype, c.sizes);
          out.randomize(++seed, 3);
          copy_values(expected, out);
          Sizes shape = c.sizes;
          shape[c.dim] = c.count;
          Array index(seed % 2 ? kLong : kInt, shape, kLayouts[seed % 4]), src(dtype, shape, kLayouts[seed / 4 % 4]);
          fill_indices(index, 0, c.sizes[c.dim], seed);
          src.randomize(seed + 1, 3);
          scatter(out.view(), c.dim, index.view(), src.view(), mode, seed / 2 % 2);
          index.each([&](const Sizes& at) {
            Sizes target = at;
            target[c.dim] = static_cast<int64_t>(index.get(at));
            set_wrapped(expected, target, combine(dtype, mode, expected.get(target), src.get(at)));
          });
          expect_same(out, expected, str("scatter ", dtype, " into ", IntArrayRef(c.sizes), " along ", c.dim));
        }
}

TEST(Scatter, TakesAScalarSource) {
  Array out(kFloat, {2, 3}), index(kLong, {2, 2}), value(kFloat, {});
  value.set({}, 5);
  fill_indices(index, 1, 3, 3);
  const int64_t zeros[2] = {0, 0};
  View source = value.view();
  source.sizes = index.view().sizes;
  source.strides = zeros;
  scatter(out.view(), 1, index.view(), source, ScatterMode::Add);
  scatter(out.view(), 1, index.view(), value.view(), ScatterMode::Add);
  long double sum = 0;
  out.each([&](const Sizes& at) { sum += out.get(at); });
  EXPECT_EQ(sum, 40);
}

TEST(Scatter, LetsNaNThrough) {
  const float nan = NAN;
  for (ScatterMode mode : {ScatterMode::Amax, ScatterMode::Amin}) {
    float out[] = {1, nan, 1, nan}, src[] = {nan, 1, 2, nan};
    int64_t index[] = {0, 1, 2, 3};
    const int64_t n[] = {4}, one[] = {1};
    scatter({out, kFloat, n, one}, 0, {index, kLong, n, one}, {src, kFloat, n, one}, mode);
    EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]) && std::isnan(out[3]));
    EXPECT_EQ(out[2], mode == ScatterMode::Amax ? 2 : 1);
  }
}

TEST(IndexFamily, SelectsAddsCopiesReducesAndFillsSlices) {
  unsigned seed = 100;
  for (ScalarType dtype : kDtypes)
    for (Layout layout : kWritable)
      for (const Case& c : kCases) {
        Sizes shape = c.sizes;
        shape[c.dim] = c.count;
        ++seed;
        Array index(seed % 2 ? kLong : kInt, {c.count}, seed % 3 ? Layout::Contiguous : Layout::Sliced);
        fill_indices(index, 0, c.sizes[c.dim], seed);
        const auto target = [&](const Sizes& at) {
          Sizes t = at;
          t[c.dim] = static_cast<int64_t>(index.get({at[c.dim]}));
          return t;
        };
        const std::string what = str(dtype, " ", IntArrayRef(c.sizes), " along ", c.dim);

        Array in(dtype, c.sizes, kLayouts[seed % 4]), out(dtype, shape, layout), selected(dtype, shape);
        in.randomize(seed);
        index_select(out.view(), in.view(), c.dim, index.view());
        selected.each([&](const Sizes& at) { selected.set(at, in.get(target(at))); });
        expect_same(out, selected, "index_select " + what);

        Array src(dtype, shape, kLayouts[seed / 2 % 4]), self(dtype, c.sizes, layout), expected(dtype, c.sizes);
        src.randomize(seed + 1, 3);
        for (ScatterMode mode : kModes) {
          self.randomize(seed + 2, 3);
          copy_values(expected, self);
          const int alpha = mode == ScatterMode::Add && dtype != kBool ? 2 : 1;
          src.each([&](const Sizes& at) {
            set_wrapped(expected, target(at), combine(dtype, mode, expected.get(target(at)), alpha * src.get(at)));
          });
          if (mode == ScatterMode::Add) index_add(self.view(), c.dim, index.view(), src.view(), alpha);
          else if (mode == ScatterMode::Assign) index_copy(self.view(), c.dim, index.view(), src.view());
          else index_reduce(self.view(), c.dim, index.view(), src.view(), mode);
          expect_same(self, expected, "index_* " + what);
        }

        Array value(dtype, {});
        value.set({}, 1);
        Array from_end(kLong, {c.count});
        for (int64_t i = 0; i < c.count; ++i) from_end.set({i}, index.get({i}) - (i % 2 ? c.sizes[c.dim] : 0));
        src.each([&](const Sizes& at) { expected.set(target(at), 1); });
        index_fill(self.view(), c.dim, from_end.view(), value.view());
        expect_same(self, expected, "index_fill " + what);
      }
}

struct Indexing {
  Sizes in;
  std::vector<bool> indexed;
  Sizes shape;   // of the indices
  Sizes result;  // what PyTorch gives
};
const Indexing kIndexings[] = {{{5}, {true}, {3}, {3}},
                               {{5}, {true}, {}, {}},
                               {{4, 3}, {true}, {2, 3}, {2, 3, 3}},
                               {{4, 3}, {false, true}, {2, 3}, {4, 2, 3}},
                               {{4, 3}, {true, true}, {7}, {7}},
                               {{4, 3, 2}, {false, true}, {5}, {4, 5, 2}},
                               {{4, 3, 2}, {false, true, true}, {2, 2}, {4, 2, 2}},
                               {{4, 3, 2}, {true, false, true}, {2, 5}, {2, 5, 3}},
                               {{2, 3, 4, 5}, {true, false, false, true}, {6}, {6, 3, 4}},
                               {{2, 3, 4, 5}, {false, true, true}, {6}, {2, 6, 5}},
                               {{2, 3}, {false, false}, {}, {2, 3}},
                               {{2, 0}, {true}, {4}, {4, 0}},
                               {{4, 3}, {true}, {0}, {0, 3}}};

TEST(Index, ReadsAndWritesAsPyTorchLaysOutItsResult) {
  unsigned seed = 7;
  for (ScalarType dtype : {kFloat, kBool, kShort, kBFloat16, kLong})
    for (Layout layout : kWritable)
      for (const Indexing& c : kIndexings) {
        ++seed;
        std::vector<std::unique_ptr<Array>> arrays;
        std::vector<View> indices;
        int first = -1, last = -1, used = 0;
        for (size_t d = 0; d < c.indexed.size(); ++d) {
          arrays.push_back(std::make_unique<Array>(seed % 3 ? kLong : kInt, c.shape, kLayouts[(seed + d) % 4]));
          if (!c.indexed[d]) {
            indices.push_back({nullptr, ScalarType::Undefined, {}, {}});
            continue;
          }
          fill_indices(*arrays.back(), -c.in[d], c.in[d], seed + static_cast<unsigned>(d));
          indices.push_back(arrays.back()->view());
          if (first < 0) first = static_cast<int>(d);
          last = static_cast<int>(d);
          ++used;
        }
        EXPECT_EQ(index_shape(c.in, indices), c.result);
        const int at_dim = used && last - first + 1 == used ? first : 0;
        const int rank = static_cast<int>(used ? c.shape.size() : 0);
        const auto source = [&](const Sizes& at) {  // the element that position `at` of the result names
          const Sizes where(at.begin() + at_dim, at.begin() + at_dim + rank);
          Sizes free = at, full;
          free.erase(free.begin() + at_dim, free.begin() + at_dim + rank);
          size_t next = 0;
          for (size_t d = 0; d < c.in.size(); ++d) {
            if (d < c.indexed.size() && c.indexed[d]) {
              const auto i = static_cast<int64_t>(arrays[d]->get(where));
              full.push_back(i < 0 ? i + c.in[d] : i);
            } else {
              full.push_back(free[next++]);
            }
          }
          return full;
        };
        Array in(dtype, c.in, layout), out(dtype, c.result, layout), expected(dtype, c.result);
        in.randomize(seed);
        index(out.view(), in.view(), indices);
        expected.each([&](const Sizes& at) { expected.set(at, in.get(source(at))); });
        expect_same(out, expected, "index");

        Array values(dtype, c.result, kLayouts[seed % 4]), written(dtype, c.in);
        values.randomize(seed + 1);
        for (bool accumulate : {false, true}) {
          copy_values(written, in);
          values.each([&](const Sizes& at) {
            const Sizes t = source(at);
            const auto mode = accumulate ? ScatterMode::Add : ScatterMode::Assign;
            set_wrapped(written, t, combine(dtype, mode, written.get(t), values.get(at)));
          });
          index_put(in.view(), indices, values.view(), accumulate);
          expect_same(in, written, accumulate ? "index_put +=" : "index_put");
        }
      }
}

TEST(Index, RowsAreWhatTheGeneralKernelReads) {
  unsigned seed = 70;
  for (ScalarType dtype : {kFloat, kBool, kShort, kDouble})
    for (const Sizes& sizes : {Sizes{5}, Sizes{4, 1}, Sizes{4, 3}, Sizes{3, 2, 5}})
      for (const Sizes& shape : {Sizes{}, Sizes{7}, Sizes{2, 3}}) {
        Array in(dtype, sizes), at(kLong, shape);
        in.randomize(++seed);
        fill_indices(at, -sizes[0], sizes[0], seed);
        Sizes result = shape;
        result.insert(result.end(), sizes.begin() + 1, sizes.end());
        Array fast(dtype, result), plain(dtype, result);
        index_rows(fast.view(), in.view(), at.view());
        index(plain.view(), in.view(), at.view());
        expect_same(fast, plain, "index_rows");
        for (int64_t bad : {sizes[0], -sizes[0] - 1}) {
          *at.view().ptr<int64_t>() = bad;
          EXPECT_THROW(index_rows(fast.view(), in.view(), at.view()), IndexError);
        }
      }
}

TEST(Index, LooksAtIndicesOfAnEmptyResultOnlyIfTheyPointIntoNothing) {
  Array in(kFloat, {2, 0}), out(kFloat, {1, 0}), far(kLong, {1});
  far.set({0}, 5);
  index(out.view(), in.view(), far.view());
  Array nothing(kFloat, {0, 3}), row(kFloat, {1, 3}), zero(kLong, {1});
  EXPECT_THROW(index(row.view(), nothing.view(), zero.view()), IndexError);
}

TEST(Take, ReadsAndPutsFlatPositions) {
  for (Layout layout : kWritable) {
    Array in(kInt, {3, 4}, layout), index(kLong, {2, 5}, layout), out(kInt, {2, 5}, layout);
    int next = 0;
    in.each([&](const Sizes& at) { in.set(at, next++); });
    fill_indices(index, -12, 12, 4);
    take(out.view(), in.view(), index.view());
    out.each([&](const Sizes& at) { EXPECT_EQ(out.get(at), (static_cast<int64_t>(index.get(at)) + 12) % 12); });

    Array src(kInt, {10}, Layout::Sliced), expected(kInt, {3, 4});
    src.randomize(5);
    for (bool accumulate : {false, true}) {
      copy_values(expected, in);
      int64_t k = 0;
      index.each([&](const Sizes& at) {
        const int64_t flat = (static_cast<int64_t>(index.get(at)) + 12) % 12;
        const Sizes t{flat / 4, flat % 4};
        expected.set(t, src.get({k++}) + (accumulate ? expected.get(t) : 0));
      });
      put(in.view(), index.view(), src.view(), accumulate);
      expect_same(in, expected, "put");
    }
  }
}

// Runs f with one bad index in the middle of good ones: it must throw, name the index, and leave `target` alone.
template <class F>
void expect_rejects(Array& target, Array& index, bool negative, int64_t size, const char* phrase, F f) {
  const auto before = target.bytes();
  const int64_t n = index.numel();
  for (int64_t bad : {size, size + 7, -size - 1, negative ? INT64_MIN : int64_t{-1}, INT64_MIN, INT64_MAX}) {
    Sizes at(index.sizes().size());
    at.back() = n > 1 ? index.sizes().back() - 1 : 0;
    const long double good = index.get(at);
    index.set(at, static_cast<long double>(bad));
    try {
      f();
      ADD_FAILURE() << "accepted " << bad;
    } catch (const IndexError& e) {
      EXPECT_NE(std::string(e.what()).find(str(phrase, bad)), std::string::npos) << e.what();
    }
    EXPECT_EQ(target.bytes(), before) << bad;
    index.set(at, good);
  }
  f();
}

TEST(Bounds, BadIndicesAreNamedAndNothingIsWritten) {
  Array self(kFloat, {3, 4}), index(kLong, {2, 3}, Layout::Sliced), src(kFloat, {2, 3});
  self.randomize(1);
  src.randomize(2);
  fill_indices(index, 0, 3, 1);
  Array fresh(kFloat, {2, 3}), large(kFloat, {3, 4});  // what is written there nobody sees
  for (int dim : {0, 1}) {
    expect_rejects(self, index, false, 3 + dim, "index ",
                   [&] { gather(fresh.view(), self.view(), dim, index.view()); });
    for (ScatterMode mode : kModes) {
      expect_rejects(self, index, false, 3 + dim, "index ",
                     [&] { scatter(self.view(), dim, index.view(), src.view(), mode); });
      expect_rejects(src, index, false, 3 + dim, "index ",
                     [&] { scatter(large.view(), dim, index.view(), src.view(), mode, true); });
    }
  }
  Array list(kLong, {3}), columns(kFloat, {3, 3}), value(kFloat, {});
  fill_indices(list, 0, 3, 2);
  expect_rejects(columns, list, false, 4, "index ", [&] { index_select(columns.view(), self.view(), 1, list.view()); });
  expect_rejects(self, list, false, 4, "index ", [&] { index_add(self.view(), 1, list.view(), columns.view()); });
  expect_rejects(self, list, false, 4, "index ", [&] { index_copy(self.view(), 1, list.view(), columns.view()); });
  expect_rejects(self, list, true, 4, "index ", [&] { index_fill(self.view(), 1, list.view(), value.view()); });
  Array rows(kLong, {3}), points(kFloat, {3});
  const View both[] = {rows.view(), list.view()};
  expect_rejects(points, list, true, 4, "index ", [&] { kernels::index(points.view(), self.view(), both); });
  expect_rejects(self, list, true, 4, "index ", [&] { index_put(self.view(), both, points.view(), true); });
  expect_rejects(points, list, true, 12, "access index ", [&] { take(points.view(), self.view(), list.view()); });
  expect_rejects(self, list, true, 12, "access index ", [&] { put(self.view(), list.view(), points.view(), false); });
}

TEST(Bounds, TheMessageIsPyTorchs) {
  Array in(kFloat, {2, 3}), index(kLong, {1, 1}), out(kFloat, {1, 1});
  index.set({0, 0}, 7);
  try {
    gather(out.view(), in.view(), 1, index.view());
    FAIL();
  } catch (const IndexError& e) {
    EXPECT_STREQ(e.what(), "index 7 is out of bounds for dimension 1 with size 3");
  }
  Array flat(kLong, {1}), one(kFloat, {1});
  flat.set({0}, 7);
  try {
    take(one.view(), in.view(), flat.view());
    FAIL();
  } catch (const IndexError& e) {
    EXPECT_STREQ(e.what(), "out of range: tried to access index 7 on a tensor of 6 elements.");
  }
  Array none(kFloat, {2, 0});
  index.set({0, 0}, 0);
  EXPECT_THROW(gather(out.view(), none.view(), 1, index.view()), IndexError);
}

TEST(Masked, FindsSelectsAndScattersInRowMajorOrder) {
  unsigned seed = 0;
  for (ScalarType dtype : kDtypes)
    for (Layout layout : kLayouts)
      for (const Sizes& sizes :
           {Sizes{}, Sizes{7}, Sizes{3, 4}, Sizes{2, 3, 4}, Sizes{3, 0}, Sizes{1, 1, 5}, Sizes{2, 600}}) {
        Array in(dtype, sizes, layout), mask(kBool, sizes, kLayouts[seed % 4]);
        in.randomize(++seed, 2);
        mask.randomize(seed);
        std::vector<Sizes> found;
        in.each([&](const Sizes& at) {
          if (in.get(at) != 0) found.push_back(at);
        });
        const auto n = static_cast<int64_t>(found.size()), rank = static_cast<int64_t>(sizes.size());
        ASSERT_EQ(count_nonzero(in.view()), n);
        Array where(kLong, {n, rank}, kWritable[seed % 3]);
        nonzero(where.view(), in.view());
        where.each([&](const Sizes& at) { EXPECT_EQ(where.get(at), found[at[0]][at[1]]); });

        std::vector<long double> chosen;
        mask.each([&](const Sizes& at) {
          if (mask.get(at) != 0) chosen.push_back(in.get(at));
        });
        const auto m = static_cast<int64_t>(chosen.size());
        Array out(dtype, {m}, seed % 2 ? Layout::Contiguous : Layout::Sliced);
        masked_select(out.view(), in.view(), mask.view());
        out.each([&](const Sizes& at) { EXPECT_EQ(out.get(at), chosen[at[0]]); });

        if (layout == Layout::Expanded) continue;
        Array source(dtype, {m + 1}), expected(dtype, sizes);
        source.randomize(seed + 1);
        copy_values(expected, in);
        int64_t k = 0;
        mask.each([&](const Sizes& at) {
          if (mask.get(at) != 0) expected.set(at, source.get({k++}));
        });
        masked_scatter(in.view(), mask.view(), source.view());
        expect_same(in, expected, "masked_scatter");
        if (m > 0) {
          Array few(dtype, {m - 1});
          const auto before = in.bytes();
          EXPECT_THROW(masked_scatter(in.view(), mask.view(), few.view()), Error);
          EXPECT_EQ(in.bytes(), before);
        }
      }
}

TEST(Masked, NaNIsNotZeroAndNegativeZeroIs) {
  Array in(kFloat, {3});
  in.set({0}, NAN);
  in.set({1}, -0.0L);
  in.set({2}, -1);
  EXPECT_EQ(count_nonzero(in.view()), 2);
}

TEST(Threads, AnyNumberOfThemGivesTheSameBits) {
  Array in(kFloat, {300, 301}), index(kLong, {300, 301}), src(kFloat, {300, 301}), mask(kBool, {300, 301});
  in.randomize(1, 1000);
  src.randomize(2, 1000);
  mask.randomize(3);
  fill_indices(index, 0, 300, 4);
  const int64_t chosen = count_nonzero(mask.view());
  std::vector<std::vector<char>> first;
  const int before = get_num_threads();
  for (int threads : {1, 2, 3, 4, 7}) {
    set_num_threads(threads);
    std::vector<std::vector<char>> results;
    for (int dim : {0, 1}) {
      Array picked(kFloat, {300, 301}), sum(kFloat, {300, 301}), rows(kFloat, {300, 301});
      gather(picked.view(), in.view(), dim, index.view());
      copy_values(sum, in);
      copy_values(rows, in);
      scatter(sum.view(), dim, index.view(), src.view(), ScatterMode::Add);
      View list = index.view();
      list.sizes = list.sizes.slice(dim, 1);
      list.strides = list.strides.slice(1, 1);
      index_add(rows.view(), dim, list, src.view(), 0.1);
      results.insert(results.end(), {picked.bytes(), sum.bytes(), rows.bytes()});
    }
    Array small(kFloat, {300, 301}), flat(kFloat, {chosen}), where(kLong, {chosen, 2}), back(kFloat, {300, 301});
    const View pair[] = {index.view(), index.view()};
    index_put(small.view(), pair, src.view(), true);
    masked_select(flat.view(), in.view(), mask.view());
    nonzero(where.view(), mask.view());
    masked_scatter(back.view(), mask.view(), src.view());
    results.insert(results.end(), {small.bytes(), flat.bytes(), where.bytes(), back.bytes()});
    if (first.empty()) first = results;
    EXPECT_EQ(first == results, true) << threads;
  }
  set_num_threads(before);
}

TEST(Rearrange, KeepsTriangles) {
  for (ScalarType dtype : {kBool, kHalf, kFloat, kLong})
    for (Layout layout : kLayouts)
      for (const Sizes& sizes : {Sizes{4, 3}, Sizes{3, 4}, Sizes{2, 3, 3}, Sizes{0, 3}, Sizes{3, 0}, Sizes{1, 1}})
        for (int64_t diagonal : {int64_t{0}, int64_t{1}, int64_t{-2}, int64_t{5}, int64_t{-5}, INT64_MAX, INT64_MIN}) {
          Array in(dtype, sizes, layout), low(dtype, sizes, Layout::Sliced), high(dtype, sizes, Layout::Reversed);
          in.randomize(1);
          tril(low.view(), in.view(), diagonal);
          triu(high.view(), in.view(), diagonal);
          in.each([&](const Sizes& at) {
            const int64_t right = at[at.size() - 1] - at[at.size() - 2];
            EXPECT_EQ(low.get(at), right <= diagonal ? in.get(at) : 0);
            EXPECT_EQ(high.get(at), right >= diagonal ? in.get(at) : 0);
          });
          if (layout == Layout::Expanded) continue;
          tril(in.view(), in.view(), diagonal);
          expect_same(in, low, "tril in place");
        }
}

TEST(Rearrange, ListsTheIndicesOfTriangles) {
  const std::vector<int64_t> lower{0, 0, 1, 1, 1, 2, 2, 2, 2, 0, 1, 0, 1, 2, 0, 1, 2, 3};
  const std::vector<int64_t> upper{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3};
  Array low(kLong, {2, 9}), high(kInt, {2, 11}, Layout::Sliced);
  tril_indices(low.view(), 3, 4, 1);
  triu_indices(high.view(), 3, 4, -1);
  low.each([&](const Sizes& at) { EXPECT_EQ(low.get(at), lower[at[0] * 9 + at[1]]); });
  high.each([&](const Sizes& at) { EXPECT_EQ(high.get(at), upper[at[0] * 11 + at[1]]); });
}

TEST(Rearrange, FlipsAndRolls) {
  for (ScalarType dtype : {kBool, kBFloat16, kInt, kDouble})
    for (Layout layout : kLayouts)
      for (const Sizes& sizes : {Sizes{}, Sizes{5}, Sizes{3, 4}, Sizes{2, 3, 4}, Sizes{2, 0, 4}})
        for (unsigned chosen = 0; chosen < 1u << sizes.size(); ++chosen) {
          Array in(dtype, sizes, layout), flipped(dtype, sizes, Layout::Sliced), rolled(dtype, sizes, Layout::Reversed);
          in.randomize(chosen);
          Sizes dims, shifts;
          for (size_t d = 0; d < sizes.size(); ++d)
            if (chosen >> d & 1) dims.push_back(static_cast<int64_t>(d)), shifts.push_back(d % 2 ? -7 : 5);
          flip(flipped.view(), in.view(), dims);
          roll(rolled.view(), in.view(), shifts, dims);
          in.each([&](const Sizes& at) {
            Sizes mirror = at, moved = at;
            for (size_t k = 0; k < dims.size(); ++k) {
              const int64_t d = dims[k], n = sizes[d];
              mirror[d] = n - 1 - at[d];
              moved[d] = ((at[d] + shifts[k]) % n + n) % n;
            }
            EXPECT_EQ(flipped.get(mirror), in.get(at));
            EXPECT_EQ(rolled.get(moved), in.get(at));
          });
        }
  Array in(kFloat, {2, 3}), out(kFloat, {2, 3});
  EXPECT_THROW(flip(out.view(), in.view(), {0, 0}), Error);
}

TEST(Rearrange, RepeatsIndices) {
  int64_t repeats[] = {2, 0, 3}, out[5];
  const int64_t three[] = {3}, five[] = {5}, one[] = {1};
  repeat_interleave({out, kLong, five, one}, {repeats, kLong, three, one});
  EXPECT_EQ(std::vector<int64_t>(out, out + 5), (std::vector<int64_t>{0, 0, 2, 2, 2}));
  repeats[1] = -1;
  EXPECT_THROW(repeat_interleave({out, kLong, five, one}, {repeats, kLong, three, one}), Error);
  repeats[1] = INT64_MAX;
  EXPECT_THROW(repeat_interleave({out, kLong, five, one}, {repeats, kLong, three, one}), Error);
}

}  // namespace
}  // namespace taut::kernels
