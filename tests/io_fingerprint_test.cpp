// Fingerprints, and the log of an optimiser's steps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <limits>
#include <sstream>

#include "io/hash.h"
#include "support/files.h"
#include "taut/taut.h"

namespace taut {
namespace {

std::string hex(const io::Hash128& h) {
  std::ostringstream s;
  s << std::hex << std::setfill('0') << std::setw(16) << h.first << std::setw(16) << h.second;
  return s.str();
}
std::string murmur(const std::string& text, io::Hash128 seed = {}) {
  return hex(io::murmur128(text.data(), text.size(), seed));
}

TEST(Murmur128, GivesThePublishedValues) {
  EXPECT_EQ(murmur(""), "00000000000000000000000000000000");
  EXPECT_EQ(murmur("hello"), "cbd8a7b341bd9b025b1e906a48ae1d19");
  EXPECT_EQ(murmur("The quick brown fox jumps over the lazy dog"), "e34bbc7bbc071b6c7a433ca9c49a9347");
  EXPECT_EQ(murmur("hello", {1, 1}), "a78ddff5adae8d10128900ef20900135");
}

// These never change: files of fingerprints are kept. python/tests/test_fingerprint.py has the same ones.
TEST(Fingerprint, IsTheSameForEver) {
  EXPECT_EQ(fingerprint(arange(6, kFloat).view({2, 3})), "778eb4c4391c50b8264b9b3e1f30f94b");
  EXPECT_EQ(fingerprint(arange(6, kLong)), "c0929686b1bec8d0615e7e10a3a347eb");
  EXPECT_EQ(fingerprint(tensor({true, false})), "71f4cf2dcaf5e3b39e14be2620dd968a");
  EXPECT_EQ(fingerprint(empty({0, 3})), "8027959ad29f31838e27447f882bb251");
  EXPECT_EQ(fingerprint(tensor(1.5, kHalf)), "37f414d0e39afed8d8ef35a41fda4d1c");
  EXPECT_EQ(fingerprint(std::vector<Tensor>{zeros({2}), ones({3}, kDouble)}), "5ee367066135bda9e74a9a10b8c8ec38");
}

TEST(Fingerprint, DoesNotDependOnStrides) {
  const Tensor x = arange(24, kFloat).view({2, 3, 4});
  EXPECT_EQ(fingerprint(x), fingerprint(x.transpose(0, 2).contiguous().transpose(0, 2)));
  EXPECT_EQ(fingerprint(x.slice(2, 0, 4, 2)), fingerprint(x.slice(2, 0, 4, 2).contiguous()));
  EXPECT_EQ(fingerprint(ones({1}).expand({5})), fingerprint(ones({5})));
  EXPECT_EQ(fingerprint(ones({3}, requires_grad())), fingerprint(ones({3})));
}

TEST(Fingerprint, TellsDtypesShapesAndBitsApart) {
  const Tensor zero = zeros({2});
  for (const Tensor& other : {zeros({2}, kInt), zeros({2}, kDouble), zeros({1, 2}), zeros({2, 1}), zeros({3}),
                              -zeros({2}), zeros({0}), zeros({})})
    EXPECT_NE(fingerprint(zero), fingerprint(other)) << other;
  EXPECT_NE(fingerprint(full({1}, std::numeric_limits<double>::quiet_NaN())),
            fingerprint(full({1}, -std::numeric_limits<double>::quiet_NaN())));
  EXPECT_NE(fingerprint(zeros({0, 2})), fingerprint(zeros({2, 0})));
  Tensor x = zeros({1000});
  const std::string before = fingerprint(x);
  x[999] = std::numeric_limits<float>::denorm_min();
  EXPECT_NE(fingerprint(x), before);
}

TEST(Fingerprint, RefusesAnUndefinedTensor) { EXPECT_THROW(fingerprint(Tensor()), Error); }

TEST(Fingerprint, OfAModuleIsThatOfItsStateDict) {
  manual_seed(0);
  nn::Sequential model{nn::Linear(3, 2), nn::BatchNorm1d(2)};
  const std::string before = fingerprint(model);
  EXPECT_EQ(before, "43c4cff0cb16dcb01a39c2f0adbf6549");
  EXPECT_EQ(before, fingerprint(*model));
  EXPECT_EQ(before, fingerprint(model->state_dict()));
  EXPECT_EQ(fingerprint(OrderedDict<std::string, Tensor>{{"a", zeros({1})}, {"b", ones({1})}}),
            fingerprint(OrderedDict<std::string, Tensor>{{"b", ones({1})}, {"a", zeros({1})}}));
  EXPECT_NE(fingerprint(OrderedDict<std::string, Tensor>{{"a", zeros({1})}}),
            fingerprint(OrderedDict<std::string, Tensor>{{"b", zeros({1})}}));
  model->forward(randn({4, 3}));
  EXPECT_NE(fingerprint(model), before) << "the running mean has changed";
}

const test::TempDir scratch;
const std::string log_file = [] {
  const std::string path = scratch / "log";
  setenv("TAUT_FINGERPRINT", path.c_str(), 1);  // read once, at the first step
  return path;
}();

std::vector<std::string> logged() {
  std::ifstream file(log_file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

template <class Optimizer>
void check_logs(const char* name) {
  SCOPED_TRACE(name);
  const Tensor w = ones({2, 2}, requires_grad()), b = ones({2, 2}, requires_grad());
  Optimizer optimizer({w, b});
  const std::string fresh = fingerprint(optimizer);
  const size_t before = logged().size();
  for (int64_t step = 1; step <= 2; ++step) {
    optimizer.step([&] {
      optimizer.zero_grad();
      const Tensor loss = (w * w + b).sum();
      loss.backward();
      return loss;
    });
    const auto lines = logged();
    ASSERT_EQ(lines.size(), before + static_cast<size_t>(step));
    EXPECT_EQ(lines.back(), str(name, " ", step, " ", fingerprint(std::vector<Tensor>{w, b})));
  }
  EXPECT_NE(fingerprint(optimizer), fresh);
}

TEST(FingerprintLog, HasALineForEveryStepOfEveryOptimiser) {
  check_logs<optim::SGD>("SGD");
  check_logs<optim::Adam>("Adam");
  check_logs<optim::AdamW>("AdamW");
  check_logs<optim::RMSprop>("RMSprop");
  check_logs<optim::Adagrad>("Adagrad");
  check_logs<optim::Adadelta>("Adadelta");
  check_logs<optim::Adamax>("Adamax");
  check_logs<optim::NAdam>("NAdam");
  check_logs<optim::RAdam>("RAdam");
  check_logs<optim::Rprop>("Rprop");
  check_logs<optim::ASGD>("ASGD");
  check_logs<optim::Muon>("Muon");
  check_logs<optim::LBFGS>("LBFGS");
}

// The same numbers stand in python/tests/test_fingerprint.py.
TEST(Fingerprint, OfAnOptimiserIsOverParametersAndState) {
  const Tensor w = ones({2}, requires_grad());
  optim::Adagrad optimizer({w}, optim::AdagradOptions(0.5));
  w.mutable_grad() = tensor({1.0f, -2.0f});
  optimizer.step();
  EXPECT_EQ(fingerprint(optimizer), "95be0ce3705f8198dc4db85d70c98b09");
  optimizer.step();
  optim::Adagrad other({w}, optim::AdagradOptions(0.5));
  other.load_state_dict(optimizer.state_dict());
  EXPECT_EQ(fingerprint(other), fingerprint(optimizer));
}

}  // namespace
}  // namespace taut
