// What the kernels say of views that do not go together. The ops ask first, so nobody else hears it; here every kernel
// gets every choice out of a few dtypes and shapes, and tests/golden/outcomes has what it says.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "kernels/copy.h"
#include "kernels/distance.h"
#include "kernels/index.h"
#include "kernels/masked.h"
#include "kernels/rearrange.h"
#include "kernels/reduce.h"
#include "kernels/scan.h"
#include "kernels/softmax.h"
#include "kernels/sort.h"
#include "support/outcomes.h"

namespace taut {
namespace {

/// Views of memory that is larger than any of them.
struct Pool {
  std::vector<std::vector<int64_t>> sizes, strides;
  std::vector<ScalarType> dtypes;
  std::vector<std::vector<char>> memory;

  Pool() {
    for (const ScalarType dtype : {kFloat, kDouble, kLong, kInt, kBool})
      for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{{}, {3}, {4}, {2, 3}, {3, 2}}) {
        std::vector<int64_t> steps(shape.size());
        int64_t step = 1;
        for (size_t d = shape.size(); d-- > 0; step *= shape[d]) steps[d] = step;
        sizes.push_back(shape), strides.push_back(steps), dtypes.push_back(dtype);
      }
    memory.resize(dtypes.size() * 4, std::vector<char>(4096));
  }
  size_t size() const { return dtypes.size(); }
  /// The i-th, as the `place`-th argument: no two arguments share memory.
  View at(size_t i, size_t place) { return {memory[i * 4 + place].data(), dtypes[i], sizes[i], strides[i]}; }
};

std::string said(const std::vector<std::string>& outcomes) {
  std::set<std::string> words;
  size_t fine = 0;
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, over all in their order
  for (const std::string& outcome : outcomes) {
    fine += outcome == "fine";
    if (outcome != "fine") words.insert(outcome);
    for (const char c : outcome) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  std::string text =
      str(outcomes.size(), " calls, ", fine, " fine, ", words.size(), " errors, fingerprint ", std::hex, hash);
  for (const std::string& w : words)
    if (text.size() < 400) text += " | " + w;
  return text;
}

std::string pairs(const std::function<void(const View&, const View&)>& kernel) {
  Pool pool;
  std::vector<std::string> all;
  for (size_t a = 0; a < pool.size(); ++a)
    for (size_t b = 0; b < pool.size(); ++b)
      all.push_back(test::outcome_of([&] { kernel(pool.at(a, 0), pool.at(b, 1)); }));
  return said(all);
}
std::string triples(const std::function<void(const View&, const View&, const View&)>& kernel) {
  Pool pool;
  std::vector<std::string> all;
  for (size_t a = 0; a < pool.size(); ++a)
    for (size_t b = 0; b < pool.size(); ++b)
      for (size_t c = 0; c < pool.size(); c += 1 + (a + b) % 3)
        all.push_back(test::outcome_of([&] { kernel(pool.at(a, 0), pool.at(b, 1), pool.at(c, 2)); }));
  return said(all);
}

using namespace kernels;
using V = const View&;

// clang-format off
TEST(KernelChecks, OfTwoViews) {
  test::expect_outcomes({
      SHOWN(pairs([](V a, V b) { copy(a, b); })), SHOWN(pairs([](V a, V) { eye(a); })), SHOWN(pairs([](V a, V) { arange(a, 0, 1); })), SHOWN(pairs([](V a, V) { linspace(a, 0, 1); })),
      SHOWN(pairs([](V a, V b) { tril(a, b, 0); })), SHOWN(pairs([](V a, V b) { triu(a, b, 0); })), SHOWN(pairs([](V a, V) { tril_indices(a, 1, 3, 0); })), SHOWN(pairs([](V a, V b) { flip(a, b, {0}); })), SHOWN(pairs([](V a, V b) { roll(a, b, {1}, {0}); })), SHOWN(pairs([](V a, V b) { repeat_interleave(a, b); })),
      SHOWN(pairs([](V a, V b) { nonzero(a, b); })), SHOWN(pairs([](V a, V b) { reduce(Reduction::Sum, a, b); })), SHOWN(pairs([](V a, V b) { reduce(Reduction::Max, a, b); })), SHOWN(pairs([](V a, V b) { norm(a, b, 2); })), SHOWN(pairs([](V a, V b) { norm(a, b, INFINITY); })),
      SHOWN(pairs([](V a, V b) { cumsum(a, b, 0); })), SHOWN(pairs([](V a, V b) { cumprod(a, b, 0); })), SHOWN(pairs([](V a, V b) { logcumsumexp(a, b, 0); })), SHOWN(pairs([](V a, V b) { softmax(a, b, 0, false); })),
      SHOWN(pairs([](V a, V b) { histc(a, b, 0, 1); })), SHOWN(pairs([](V a, V b) { histc(a, b, 1, 0); })), SHOWN(pairs([](V a, V b) { bincount(a, b); })), SHOWN(pairs([](V a, V b) { unique(a, nullptr, nullptr, b); })), SHOWN(pairs([](V a, V b) { unique_consecutive(a, nullptr, nullptr, b); })), SHOWN(pairs([](V a, V b) { unique_rows(a, nullptr, nullptr, b); })),
  });
}

TEST(KernelChecks, OfThreeViews) {
  test::expect_outcomes({
      SHOWN(triples([](V a, V b, V c) { gather(a, b, 0, c); })), SHOWN(triples([](V a, V b, V c) { scatter(a, 0, b, c, ScatterMode::Assign); })), SHOWN(triples([](V a, V b, V c) { scatter(a, 0, b, c, ScatterMode::Add); })), SHOWN(triples([](V a, V b, V c) { index_select(a, b, 0, c); })), SHOWN(triples([](V a, V b, V c) { index_add(a, 0, b, c); })),
      SHOWN(triples([](V a, V b, V c) { index_copy(a, 0, b, c); })), SHOWN(triples([](V a, V b, V c) { index_fill(a, 0, b, c); })), SHOWN(triples([](V a, V b, V c) { const View one[] = {c}; kernels::index(a, b, one); })), SHOWN(triples([](V a, V b, V c) { take(a, b, c); })), SHOWN(triples([](V a, V b, V c) { put(a, b, c, true); })),
      SHOWN(triples([](V a, V b, V c) { masked_select(a, b, c); })), SHOWN(triples([](V a, V b, V c) { masked_scatter(a, b, c); })), SHOWN(triples([](V a, V b, V c) { reduce_index(true, a, b, c, 0); })), SHOWN(triples([](V a, V b, V c) { moments(a, b, c); })), SHOWN(triples([](V a, V b, V c) { cummax(a, b, c, 0); })),
      SHOWN(triples([](V a, V b, V c) { softmax_backward(a, b, c, 0, true); })), SHOWN(triples([](V a, V b, V c) { kernels::sort(a, b, c, 0, false); })), SHOWN(triples([](V a, V b, V c) { topk(a, b, c, 2, 0, true, true); })), SHOWN(triples([](V a, V b, V c) { kthvalue(a, b, c, 1, 0); })), SHOWN(triples([](V a, V b, V c) { median(a, b, c, 0, true); })), SHOWN(triples([](V a, V b, V c) { mode(a, b, c, 0); })),
      SHOWN(triples([](V a, V b, V c) { searchsorted(a, b, c, false); })), SHOWN(triples([](V a, V b, V c) { searchsorted(a, b, b, false, &c); })), SHOWN(triples([](V a, V b, V c) { bincount(a, b, &c); })), SHOWN(triples([](V a, V b, V c) { unique(a, &b, nullptr, c); })), SHOWN(triples([](V a, V b, V c) { unique(a, nullptr, &b, c); })), SHOWN(triples([](V a, V b, V c) { unique_rows(a, &b, nullptr, c); })), SHOWN(triples([](V a, V b, V c) { cdist(a, b, c, 2); })),
  });
}
TEST(KernelChecks, OfDimensionsThatAreNotThere) {
  test::expect_outcomes({
      SHOWN(pairs([](V a, V b) { cumsum(a, b, -1); })), SHOWN(pairs([](V a, V b) { cumsum(a, b, 2); })), SHOWN(pairs([](V a, V b) { cumsum(a, b, 1); })),
      SHOWN(triples([](V a, V b, V c) { cummax(a, b, c, -1); })), SHOWN(triples([](V a, V b, V c) { cummax(a, b, c, 2); })), SHOWN(triples([](V a, V b, V c) { cummax(a, b, c, 1); })),
  });
}
// clang-format on

}  // namespace
}  // namespace taut
