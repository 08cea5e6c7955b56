// The random stream against values written by PyTorch (tools/golden_random.py), and the engine's own guarantees.
#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/cpu.h"
#include "support/paths.h"
#include "taut/core/error.h"

namespace taut {
namespace {

struct Case {
  std::string line, op, hash;
  ScalarType dtype = ScalarType::Undefined;
  uint64_t seed = 0;
  int64_t n = 0;
  std::vector<std::string> parameters;
  uint64_t next = 0;
  std::vector<std::pair<size_t, uint64_t>> values;

  double number(size_t i) const { return std::strtod(parameters.at(i).c_str(), nullptr); }
  int64_t integer(size_t i) const { return std::strtoll(parameters.at(i).c_str(), nullptr, 10); }
};

ScalarType dtype_from(const std::string& name) {
  for (int i = 0; i < kDtypeCount; ++i) {
    if (name == dtype_name(static_cast<ScalarType>(i))) return static_cast<ScalarType>(i);
  }
  throw Error("unknown dtype " + name);
}

const std::vector<Case>& golden() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all;
    std::ifstream file(test::golden_path("random.txt"));
    for (std::string line; std::getline(file, line);) {
      Case c;
      std::string dtype, parameters, value;
      std::istringstream in(line);
      in >> c.op >> dtype >> c.seed >> c.n >> parameters >> c.next >> c.hash;
      c.line = line.substr(0, 100);
      c.dtype = dtype_from(dtype);
      std::istringstream list(parameters == "-" ? "" : parameters);
      while (std::getline(list, value, ',')) c.parameters.push_back(value);
      while (in >> value) {
        const size_t colon = value.find(':');
        c.values.emplace_back(std::stoull(value.substr(0, colon)), std::stoull(value.substr(colon + 1), nullptr, 16));
      }
      all.push_back(c);
    }
    return all;
  }();
  return cases;
}

std::string fnv1a(const std::vector<uint8_t>& bytes) {
  uint64_t h = 0xcbf29ce484222325;
  for (uint8_t byte : bytes) h = (h ^ byte) * 0x100000001b3;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
  return text;
}

uint64_t bits_at(const std::vector<uint8_t>& bytes, size_t index, size_t width) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * width, width);
  return bits;
}

/// How many representable numbers lie between two floats (or integers), given as bits.
double distance(ScalarType dtype, uint64_t a, uint64_t b) {
  const int width = static_cast<int>(8 * element_size(dtype));
  const auto ordered = [&](uint64_t bits) {
    const uint64_t sign = uint64_t{1} << (width - 1);
    const auto magnitude = static_cast<double>(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
  };
  return a == b ? 0 : std::max(1.0, std::abs(ordered(a) - ordered(b)));
}

template <class T>
void put_all(std::vector<uint8_t>& bytes, int64_t n, T (*value)(int64_t)) {
  bytes.resize(static_cast<size_t>(n) * sizeof(T));
  for (int64_t i = 0; i < n; ++i) {
    const T v = value(i);
    std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof(T), &v, sizeof v);
  }
}

/// The probabilities that tools/golden_random.py uses.
std::vector<uint8_t> bernoulli_p(ScalarType dtype, int64_t n) {
  std::vector<uint8_t> bytes;
  visit_dtype(dtype, [&](auto tag) {
    using T = decltype(tag);
    put_all<T>(bytes, n, [](int64_t i) { return static_cast<T>(static_cast<float>(i % 17) / 16); });
  });
  return bytes;
}

/// The weights that tools/golden_random.py uses.
std::vector<uint8_t> weights(ScalarType dtype, int64_t rows, int64_t categories) {
  std::vector<uint8_t> bytes(static_cast<size_t>(rows * categories * element_size(dtype)));
  visit_dtype(dtype, [&](auto tag) {
    using T = decltype(tag);
    for (int64_t i = 0; i < rows * categories; ++i) {
      const auto v = static_cast<T>(static_cast<float>(i * 7 % 13 + (i % categories == 0)));
      std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof(T), &v, sizeof v);
    }
  });
  return bytes;
}

std::vector<uint8_t> draw(RandomEngine& engine, const Case& c) {
  const int64_t width = c.op == "multinomial" ? 8 : element_size(c.dtype);
  std::vector<uint8_t> out(static_cast<size_t>(c.n * width));
  void* p = out.data();
  if (c.op == "uniform") {
    fill_uniform(engine, c.dtype, p, c.n, c.number(0), c.number(1));
  } else if (c.op == "normal") {
    fill_normal(engine, c.dtype, p, c.n, c.number(0), c.number(1));
  } else if (c.op == "normal_strided") {
    fill_normal_elementwise(engine, c.dtype, p, c.n, c.number(0), c.number(1));
  } else if (c.op == "log_normal") {
    fill_log_normal(engine, c.dtype, p, c.n, c.number(0), c.number(1));
  } else if (c.op == "cauchy") {
    fill_cauchy(engine, c.dtype, p, c.n, c.number(0), c.number(1));
  } else if (c.op == "exponential") {
    fill_exponential(engine, c.dtype, p, c.n, c.number(0));
  } else if (c.op == "geometric") {
    fill_geometric(engine, c.dtype, p, c.n, c.number(0));
  } else if (c.op == "random") {
    fill_random(engine, c.dtype, p, c.n);
  } else if (c.op == "random_from") {
    const auto to = c.parameters.at(1) == "none" ? std::nullopt : std::optional<int64_t>(c.integer(1));
    fill_random_from(engine, c.dtype, p, c.n, c.integer(0), to);
  } else if (c.op == "randperm") {
    fill_randperm(engine, c.dtype, p, c.n);
  } else if (c.op == "bernoulli") {
    fill_bernoulli(engine, c.dtype, p, c.n, c.number(0));
  } else if (c.op == "bernoulli_tensor") {
    const ScalarType p_dtype = dtype_from(c.parameters.at(0));
    fill_bernoulli(engine, c.dtype, p, c.n, p_dtype, bernoulli_p(p_dtype, c.n).data());
  } else if (c.op == "dropout") {
    fill_dropout(engine, c.dtype, p, c.n, c.number(0));
  } else if (c.op == "multinomial") {
    const int64_t rows = c.integer(0), categories = c.integer(1);
    multinomial(engine, c.dtype, weights(c.dtype, rows, categories).data(), rows, categories, c.integer(2),
                c.integer(3) != 0, reinterpret_cast<int64_t*>(p));
  } else {
    throw Error("no such op: " + c.op);
  }
  return out;
}

/// Every golden case of `op`: all bits where the file has a hash, else the listed values within 2 ulp; and always how
/// much of the stream was used.
void expect_golden(const std::string& op) {
  int cases = 0;
  for (const Case& c : golden()) {
    if (c.op != op) continue;
    SCOPED_TRACE(c.line);
    ++cases;
    RandomEngine engine(c.seed);
    const auto result = draw(engine, c);
    if (c.hash != "-") {
      EXPECT_EQ(fnv1a(result), c.hash);
    }
    const ScalarType dtype = op == "multinomial" ? kLong : c.dtype;
    for (const auto& [index, bits] : c.values) {
      const uint64_t got = bits_at(result, index, static_cast<size_t>(element_size(dtype)));
      EXPECT_LE(distance(dtype, got, bits), c.hash != "-" || !is_floating_point(dtype) ? 0 : 2) << "element " << index;
    }
    EXPECT_EQ(engine.random() % (1u << 27), c.next) << "the following draw";
  }
  EXPECT_GT(cases, 0);
}

class RandomGolden : public testing::TestWithParam<const char*> {};
TEST_P(RandomGolden, MatchesPyTorch) { expect_golden(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Op, RandomGolden,
                         testing::Values("uniform", "normal", "normal_strided", "log_normal", "cauchy", "exponential",
                                         "geometric", "random", "random_from", "randperm", "bernoulli",
                                         "bernoulli_tensor", "dropout", "multinomial"),
                         [](const auto& info) { return std::string(info.param); });

TEST(RandomGolden, TheBaselineInstructionSetGivesTheSameBits) {
  const int level = isa_level;
  isa_level = 0;
  expect_golden("uniform");
  expect_golden("normal");
  isa_level = level;
}

TEST(RandomState, HasTheBytesOfPyTorchsState) {
  int cases = 0;
  for (const Case& c : golden()) {
    if (c.op != "state") continue;
    SCOPED_TRACE(c.line);
    ++cases;
    RandomEngine engine(c.seed);
    std::vector<float> skipped(static_cast<size_t>(c.n));
    fill_uniform(engine, kFloat, skipped.data(), c.n);
    const auto state = engine.state();
    EXPECT_EQ(fnv1a(state), c.hash);
    RandomEngine other(5);
    fill_normal(other, kFloat, skipped.data(), std::min<int64_t>(c.n, 1));  // leaves a cached sample behind
    other.set_state(state.data(), state.size());
    EXPECT_EQ(other.initial_seed(), c.seed);
    EXPECT_EQ(other.random() % (1u << 27), c.next);
    EXPECT_FALSE(other.next_double_normal_sample.has_value());
  }
  EXPECT_EQ(cases, 7);
}

TEST(RandomState, CarriesTheCachedNormalSample) {
  const auto found =
      std::find_if(golden().begin(), golden().end(), [](const Case& c) { return c.op == "state_with_sample"; });
  ASSERT_NE(found, golden().end());
  RandomEngine engine(found->seed);
  float three[3];
  fill_normal(engine, kFloat, three, 3);
  const auto state = engine.state();
  auto cut = state;
  cut.erase(cut.begin() + 5024, cut.begin() + 5032);
  EXPECT_EQ(fnv1a(cut), found->hash);

  RandomEngine other(1);
  other.set_state(state.data(), state.size());
  std::vector<uint8_t> next(8);
  fill_normal(other, kDouble, next.data(), 1);
  EXPECT_LE(distance(kDouble, bits_at(next, 0, 8), found->values.at(0).second), 2);
  EXPECT_EQ(other.random() % (1u << 27), found->next);
}

TEST(RandomState, CarriesTheCachedFloatSample) {
  RandomEngine engine(1), other(2);
  engine.next_float_normal_sample = 0.25f;
  const auto state = engine.state();
  other.set_state(state.data(), state.size());
  EXPECT_EQ(other.next_float_normal_sample, 0.25f);
  EXPECT_EQ(other.state(), state);
}

TEST(RandomState, RejectsBytesThatAreNoStateAndKeepsTheOldOne) {
  RandomEngine engine(3);
  engine.random();
  const auto good = engine.state();
  const auto rejects = [&](size_t offset, auto value, const char* message) {
    auto bad = good;
    std::memcpy(bad.data() + offset, &value, sizeof value);
    try {
      engine.set_state(bad.data(), bad.size());
      ADD_FAILURE() << "accepted, expected: " << message;
    } catch (const ValueError& e) {
      EXPECT_NE(std::string(e.what()).find(message), std::string::npos) << e.what();
    }
    EXPECT_EQ(engine.state(), good);
  };
  EXPECT_THROW(engine.set_state(good.data(), good.size() - 1), ValueError);
  EXPECT_THROW(engine.set_state(nullptr, 0), ValueError);
  EXPECT_THROW(RandomEngine(1).set_state(std::vector<uint8_t>(RandomEngine::kStateBytes).data(), 5056), Error);
  rejects(12, int32_t{0}, "never seeded");
  rejects(8, int32_t{0}, "not a mt19937 state");
  rejects(8, int32_t{-1}, "not a mt19937 state");
  rejects(8, int32_t{625}, "not a mt19937 state");
  rejects(16, uint64_t{625}, "not a mt19937 state");
  rejects(16, uint64_t{1} << 32, "not a mt19937 state");
  rejects(16, uint64_t{600}, "not a mt19937 state");  // would read past the end
}

TEST(RandomEngine, DefaultEngineStartsFromPyTorchsDefaultSeed) {
  EXPECT_EQ(default_engine().initial_seed(), 67280421310721u);
  EXPECT_EQ(&default_engine(), &default_engine());
}

TEST(RandomEngine, BlocksGiveTheSameNumbersAsSingleDraws) {
  RandomEngine one(9), many(9);
  std::vector<uint32_t> block(3000);
  many.random(block.data(), 1);
  many.random(block.data() + 1, 622);
  many.random(block.data() + 623, 1);
  many.random(block.data() + 624, 2376);
  for (uint32_t bits : block) ASSERT_EQ(bits, one.random());
  EXPECT_EQ(many.state(), one.state());
  const uint64_t wide = one.random64();
  const uint64_t high = many.random(), low = many.random();
  EXPECT_EQ(wide, high << 32 | low);
}

TEST(RandomEngine, SeedingForgetsCachedSamples) {
  RandomEngine engine(4);
  double x;
  fill_normal(engine, kDouble, &x, 1);
  EXPECT_TRUE(engine.next_double_normal_sample.has_value());
  engine.seed(4);
  EXPECT_EQ(engine.state(), RandomEngine(4).state());
}

TEST(RandomFill, NothingIsDrawnForNoElements) {
  RandomEngine engine(4);
  fill_uniform(engine, kFloat, nullptr, 0);
  fill_normal(engine, kFloat, nullptr, 0);
  fill_randperm(engine, kLong, nullptr, 0);
  fill_bernoulli(engine, kBool, nullptr, 0, 0.5);
  EXPECT_EQ(engine.state(), RandomEngine(4).state());
}

TEST(RandomFill, DropoutOfNothingOrEverythingDrawsNothing) {
  RandomEngine engine(4);
  float x[2] = {5, 5};
  fill_dropout(engine, kFloat, x, 2, 0);
  EXPECT_EQ(x[0] + x[1], 2);
  fill_dropout(engine, kFloat, x, 2, 1);
  EXPECT_EQ(x[0] + x[1], 0);
  EXPECT_EQ(engine.state(), RandomEngine(4).state());
}

TEST(RandomFill, RandpermIsAPermutation) {
  RandomEngine engine(4);
  std::vector<int32_t> x(5000);
  fill_randperm(engine, kInt, x.data(), 5000);
  std::sort(x.begin(), x.end());
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(x[static_cast<size_t>(i)], i);
}

TEST(RandomFill, BadParametersThrowAndDrawNothing) {
  RandomEngine e(4);
  alignas(8) uint8_t x[64];
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  EXPECT_THROW(fill_uniform(e, kFloat, x, 2, 2, 1), ValueError);
  EXPECT_THROW(fill_uniform(e, kFloat, x, 2, 0, inf), ValueError);
  EXPECT_THROW(fill_uniform(e, kHalf, x, 2, -65504, 65504), ValueError);
  EXPECT_THROW(fill_uniform(e, kFloat, x, 2, nan, 1), ValueError);
  EXPECT_THROW(fill_uniform(e, kInt, x, 2), TypeError);
  EXPECT_THROW(fill_normal(e, kFloat, x, 2, 0, -1), ValueError);
  EXPECT_THROW(fill_normal(e, kFloat, x, 16, 0, -1), ValueError);
  EXPECT_THROW(fill_normal(e, kLong, x, 2), TypeError);
  EXPECT_THROW(fill_log_normal(e, kFloat, x, 2, 0, 0), ValueError);
  EXPECT_THROW(fill_cauchy(e, kFloat, x, 2, 0, 0), ValueError);
  EXPECT_THROW(fill_exponential(e, kFloat, x, 2, 0), ValueError);
  EXPECT_THROW(fill_exponential(e, kInt, x, 2, 1), TypeError);
  EXPECT_THROW(fill_geometric(e, kInt, x, 2, 1), ValueError);
  EXPECT_THROW(fill_geometric(e, kBool, x, 2, 0.5), TypeError);
  EXPECT_THROW(fill_random_from(e, kInt, x, 2, 3, 3), ValueError);
  EXPECT_THROW(fill_random_from(e, kByte, x, 2, 0, 300), ValueError);
  EXPECT_THROW(fill_random_from(e, kByte, x, 2, -1, 3), ValueError);
  EXPECT_THROW(fill_random_from(e, kBool, x, 2, 0, 3), ValueError);
  EXPECT_THROW(fill_random_from(e, kByte, x, 2, 256, std::nullopt), ValueError);
  EXPECT_THROW(fill_random_from(e, kHalf, x, 2, 0, 70000), ValueError);
  EXPECT_THROW(fill_random_from(e, kFloat, x, 2, std::numeric_limits<int64_t>::max(), std::nullopt), ValueError);
  EXPECT_THROW(fill_random_from(e, kInt, x, 2, std::numeric_limits<int64_t>::min(), std::nullopt), TypeError);
  EXPECT_THROW(fill_randperm(e, kLong, x, -1), ValueError);
  EXPECT_THROW(fill_randperm(e, kByte, x, 257), ValueError);
  EXPECT_THROW(fill_randperm(e, kHalf, x, 2050), ValueError);
  EXPECT_THROW(fill_randperm(e, kBool, x, 2), TypeError);
  EXPECT_THROW(fill_bernoulli(e, kFloat, x, 2, 1.5), ValueError);
  EXPECT_THROW(fill_dropout(e, kFloat, x, 2, -0.5), ValueError);
  const float p[2] = {0.5f, 1.5f};
  EXPECT_THROW(fill_bernoulli(e, kFloat, x, 2, kFloat, p), ValueError);
  EXPECT_THROW(fill_bernoulli(e, kFloat, x, 2, kInt, p), TypeError);

  int64_t out[8];
  const auto reject = [&](std::vector<float> w, int64_t samples, bool replacement) {
    EXPECT_THROW(multinomial(e, kFloat, w.data(), 1, static_cast<int64_t>(w.size()), samples, replacement, out),
                 ValueError);
  };
  reject({1, 2}, 0, true);
  reject({1, 2}, 3, false);
  reject({1, -2}, 1, true);
  reject({1, -2}, 5, true);
  reject({0, 0}, 1, true);
  reject({1, static_cast<float>(inf)}, 2, true);
  reject({1, static_cast<float>(nan)}, 1, false);
  EXPECT_THROW(multinomial(e, kLong, out, 1, 2, 1, true, out), TypeError);
  EXPECT_EQ(e.state(), RandomEngine(4).state());
}

}  // namespace
}  // namespace taut
