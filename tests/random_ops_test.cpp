// Random ops: PyTorch's numbers for the same seed, generators, gradients, and what is refused.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "taut/autograd.h"
#include "taut/autograd/node.h"
#include "taut/factories.h"
#include "taut/random.h"

namespace taut {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The elements in row-major order.
std::vector<double> values(const Tensor& t) {
  const Tensor flat = t.detach().to(kDouble).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}
/// Equal as float32 numbers: what the expectations below were printed from.
void expect_values(const Tensor& t, const std::vector<double>& expected) {
  const std::vector<double> got = values(t);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], 3e-7 * std::abs(expected[i])) << "element " << i;
}
/// The number the default generator draws next pins how much of the stream was used.
void expect_next(double expected) { EXPECT_EQ(values(rand({1}))[0], expected); }

class RandomOps : public testing::Test {
 protected:
  void SetUp() override { manual_seed(42); }
};

// ---- Factories. Expectations: torch.manual_seed(42), then the call.

TEST_F(RandomOps, Rand) {
  expect_values(rand({2, 3}), {0.8822692632675171, 0.9150039553642273, 0.38286375999450684, 0.9593056440353394,
                               0.3904482126235962, 0.600895345211029});
  expect_next(0.2565724849700928);
}
TEST_F(RandomOps, RandOfDoubles) {
  EXPECT_EQ(values(rand({3}, kDouble)),
            (std::vector<double>{0.05815448596142969, 0.06291016742457756, 0.12358607277440903}));
}
TEST_F(RandomOps, RandnOfFewAndMany) {
  expect_values(randn({5}), {0.33669036626815796, 0.12880940735340118, 0.23446236550807953, 0.23033303022384644,
                             -1.1228563785552979});
  expect_next(0.8694044351577759);
  manual_seed(42);
  expect_values(randn({18}),
                {1.9269152879714966, 1.4872840642929077, -0.4973975419998169, 0.439589262008667, -0.7581311464309692,
                 1.078317642211914, 0.8008005619049072, 1.680620551109314, 0.3558599054813385, -0.6866229772567749,
                 0.610466480255127, 1.334737777709961, -0.2316243201494217, 0.041759490966796875, -0.2515752911567688,
                 0.859858512878418, -0.3097267746925354, -0.3957104980945587});
  expect_next(0.3376477360725403);
}
TEST_F(RandomOps, Randint) {
  const Tensor x = randint(10, {6});
  EXPECT_EQ(x.scalar_type(), kLong);
  expect_values(x, {2, 7, 6, 4, 6, 5});
  manual_seed(42);
  expect_values(randint(-5, 5, {6}), {-3, 2, 1, -1, 1, 0});
  manual_seed(42);
  const Tensor f = randint(10, {4}, kFloat);
  EXPECT_EQ(f.scalar_type(), kFloat);
  expect_values(f, {2, 7, 6, 4});
  expect_next(0.3904482126235962);
}
TEST_F(RandomOps, Randperm) {
  expect_values(randperm(8), {6, 3, 0, 7, 2, 1, 4, 5});
  expect_next(0.7936413288116455);
}
TEST_F(RandomOps, NormalOfNumbers) {
  expect_values(normal(1.0, 2.0, {3}), {1.673380732536316, 1.25761878490448, 1.4689247608184814});
}
TEST_F(RandomOps, RequiresGradAndDtypeOptions) {
  EXPECT_TRUE(rand({2}, requires_grad()).requires_grad());
  EXPECT_TRUE(randn({2}, requires_grad()).is_leaf());
  EXPECT_EQ(rand({2}, kHalf).scalar_type(), kHalf);
  EXPECT_EQ(randperm(3, kInt).scalar_type(), kInt);
  EXPECT_THROW(randint(3, {2}, TensorOptions(kLong).requires_grad(true)), Error);
}

// ---- In order of address, whatever the shape says.

TEST_F(RandomOps, LikeATransposedTensorIsFilledInOrderOfAddress) {
  const Tensor x = rand_like(zeros({3, 2}).t());
  EXPECT_EQ(x.strides().vec(), (std::vector<int64_t>{1, 2}));
  expect_values(x, {0.8822692632675171, 0.38286375999450684, 0.3904482126235962, 0.9150039553642273, 0.9593056440353394,
                    0.600895345211029});
  manual_seed(42);
  expect_values(randint_like(zeros({3, 2}).t(), 100), {42, 76, 26, 67, 14, 35});
  manual_seed(42);
  expect_values(rand_like(zeros({2, 2, 2}).permute({2, 0, 1})),
                {0.8822692632675171, 0.38286375999450684, 0.3904482126235962, 0.2565724849700928, 0.9150039553642273,
                 0.9593056440353394, 0.600895345211029, 0.7936413288116455});
}
TEST_F(RandomOps, NormalOfATransposedTensorDrawsPairs) {
  expect_values(randn_like(zeros({6, 3}).t()),
                {0.33669036626815796, 0.23033303022384644, 2.2082014083862305, 0.2673508822917938, 1.110290288925171,
                 0.9579718112945557, 0.12880940735340118, -1.1228563785552979, -0.637997031211853, 0.5349046587944031,
                 -1.6897989511489868, 1.322135090827942, 0.23446236550807953, -0.18632829189300537, 0.46165722608566284,
                 0.809357225894928, -0.9889599084854126, 0.8171897530555725});
  expect_next(0.5779253840446472);
}
TEST_F(RandomOps, InPlaceOnViews) {
  const Tensor x = zeros({3, 2});
  x.t().uniform_();
  expect_values(x, {0.8822692632675171, 0.9150039553642273, 0.38286375999450684, 0.9593056440353394, 0.3904482126235962,
                    0.600895345211029});
  manual_seed(42);
  const Tensor wide = zeros({3, 12});
  wide.slice(1, 0, 12, 2).normal_();
  expect_values(wide.slice(1, 0, 12, 2),
                {0.33669036626815796, 0.12880940735340118, 0.23446236550807953, 0.23033303022384644,
                 -1.1228563785552979, -0.18632829189300537, 2.2082014083862305, -0.637997031211853, 0.46165722608566284,
                 0.2673508822917938, 0.5349046587944031, 0.809357225894928, 1.110290288925171, -1.6897989511489868,
                 -0.9889599084854126, 0.9579718112945557, 1.322135090827942, 0.8171897530555725});
  expect_values(wide.slice(1, 1, 12, 2), std::vector<double>(18, 0.0));
}

// ---- In place.

TEST_F(RandomOps, Uniform) {
  expect_values(zeros({4}).uniform_(-1, 3),
                {2.5290770530700684, 2.660015821456909, 0.5314550399780273, 2.8372225761413574});
}
TEST_F(RandomOps, Normal) {
  expect_values(zeros({4}).normal_(1, 2),
                {1.673380732536316, 1.25761878490448, 1.4689247608184814, 1.4606660604476929});
}
TEST_F(RandomOps, Random) {
  EXPECT_EQ(zeros({4}, kLong).random_()[1].item<int64_t>(), 8314211556539077902);
  manual_seed(42);
  expect_values(zeros({4}).random_(), {14801927, 15351016, 6423145, 16094432});
  manual_seed(42);
  expect_values(zeros({4}).random_(7), {1, 2, 4, 5});
  manual_seed(42);
  expect_values(zeros({4}).random_(3, 9), {3, 8, 7, 7});
  manual_seed(42);
  expect_values(zeros({4}, kChar).random_(100, std::optional<int64_t>()), {122, 123, 104, 126});
}
TEST_F(RandomOps, Bernoulli) {
  expect_values(zeros({10}).bernoulli_(0.3), {1, 1, 1, 1, 0, 0, 0, 0, 1, 1});
  manual_seed(42);
  expect_values(zeros({2, 3}).bernoulli_(tensor({.2, .5, .9})), {0, 0, 1, 0, 1, 1});
  manual_seed(42);
  const Tensor x = zeros({3, 2});
  x.t().bernoulli_(tensor({.2, .5, .9}));
  expect_values(x.t(), {0, 1, 1, 0, 0, 1});
  manual_seed(42);
  const Tensor p = tensor({{.2, .5, .9}, {.1, .6, .4}});
  expect_values(bernoulli(p), {0, 0, 1, 0, 1, 0});
  manual_seed(42);
  const Tensor transposed = bernoulli(p.t());
  EXPECT_TRUE(transposed.is_contiguous());
  expect_values(transposed, {0, 0, 1, 0, 1, 0});
  manual_seed(42);
  expect_values(bernoulli(zeros({6}), 0.4), {1, 1, 1, 1, 0, 0});
  manual_seed(42);
  const Tensor self = p.clone();
  self.bernoulli_(self);
  expect_values(self, {0, 0, 1, 0, 1, 0});
}
TEST_F(RandomOps, OtherDistributions) {
  expect_values(zeros({4}).exponential_(2),
                {0.029957007616758347, 0.03248806297779083, 0.06595838814973831, 0.027006475254893303});
  manual_seed(42);
  expect_values(zeros({6}, kLong).geometric_(0.3), {8, 8, 6, 9, 2, 3});
  manual_seed(42);
  expect_values(zeros({4}).log_normal_(0, .5),
                {1.1833449602127075, 1.0665239095687866, 1.124379277229309, 1.1220602989196777});
  manual_seed(42);
  expect_values(zeros({4}).cauchy_(1, 2),
                {-9.82497501373291, -8.987401962280273, -3.8897485733032227, -10.997279167175293});
}

// ---- From distributions that tensors describe.

TEST_F(RandomOps, NormalOfTensors) {
  expect_values(normal(tensor({1.0, 2.0, 3.0}), 0.5), {1.1683452129364014, 2.0644047260284424, 3.1172311305999756});
  manual_seed(42);
  expect_values(normal(2.0, tensor({1.0, 2.0, 3.0})), {2.3366904258728027, 2.2576189041137695, 2.7033870220184326});
  manual_seed(42);
  expect_values(normal(tensor({TensorData{1.0}, TensorData{2.0}}), tensor({1.0, 2.0, 3.0})),
                {1.3366904258728027, 1.25761878490448, 1.7033870220184326, 2.230333089828491, -0.2457127571105957,
                 1.4410151243209839});
  EXPECT_EQ(normal(zeros({2}, kHalf), ones({2})).scalar_type(), kHalf);
  EXPECT_EQ(normal(zeros({2}), ones({2}, kLong)).scalar_type(), kFloat);
}
TEST_F(RandomOps, Multinomial) {
  expect_values(multinomial(tensor({.1, .2, .3, .4}), 3), {3, 1, 2});
  manual_seed(42);
  const Tensor weights = tensor({{.1, .2, .3, .4}, {4., 3., 2., 1.}});
  const Tensor drawn = multinomial(weights, 5, true);
  EXPECT_EQ(drawn.sizes().vec(), (std::vector<int64_t>{2, 5}));
  expect_values(drawn, {0, 0, 1, 0, 2, 1, 3, 3, 0, 0});
  manual_seed(42);
  expect_values(multinomial(weights, 1), {3, 0});
  expect_next(0.8854429125785828);
}
TEST_F(RandomOps, MultinomialOfTransposedWeightsDrawsColumnAfterColumn) {
  const Tensor weights = tensor({{.1, 4.}, {.2, 3.}, {.3, 2.}, {.4, 1.}}).t();
  expect_values(weights.multinomial(2), {0, 1, 0, 1});
  manual_seed(42);
  expect_values(weights.multinomial(1), {0, 0});
  expect_next(0.8854429125785828);
}

// ---- Noise in networks.

TEST_F(RandomOps, Dropout) {
  expect_values(dropout(arange(1.0, 9.0), 0.25, true),
                {1.3333333730697632, 2.6666667461395264, 4.0, 5.333333492279053, 6.6666669845581055, 8.0, 0.0, 0.0});
  manual_seed(42);
  expect_values(dropout(arange(1.0, 7.0).view({3, 2}).t(), 0.5, true), {2, 6, 0, 4, 8, 12});
}
TEST_F(RandomOps, DropoutThatDropsNothingOrAll) {
  const Tensor x = ones({3}, requires_grad());
  EXPECT_TRUE(dropout(x, 0.5, false).is_same(x));
  EXPECT_TRUE(dropout(x, 0, true).is_same(x));
  const Tensor y = dropout(x, 1, true);
  expect_values(y, {0, 0, 0});
  y.sum().backward();
  expect_values(x.grad(), {0, 0, 0});
  EXPECT_TRUE(std::isnan(values(dropout(full({1}, INFINITY), 1, true))[0]));
  expect_next(0.8822692632675171);  // nothing was drawn
}
TEST_F(RandomOps, TheGradientOfDropoutIsItsMask) {
  const Tensor x = arange(1.0, 9.0, requires_grad());
  const Tensor y = dropout(x, 0.25, true);
  EXPECT_STREQ(y.grad_fn()->name(), "MulBackward0");
  y.sum().backward();
  EXPECT_TRUE(y.detach().equal(x.detach() * x.grad()));
}
TEST_F(RandomOps, RreluInTraining) {
  const Tensor x = tensor({-1.0, 2.0, -3.0, -4.0, 0.0});
  expect_values(rrelu(x, .1, .5, true), {-0.12326179444789886, 2.0, -0.3754921853542328, -0.597737729549408, 0.0});
  expect_next(0.9407714605331421);
  manual_seed(42);
  EXPECT_EQ(values(rrelu(x.to(kBFloat16), .1, .5, true)),
            (std::vector<double>{-0.123046875, 2.0, -0.375, -0.59765625, 0.0}));
  manual_seed(42);
  expect_values(rrelu(x.to(kDouble), .1, .5, true),
                {-0.12326179438457188, 2.0, -0.3754922009094931, -0.5977377164390545, 0.0});
  manual_seed(42);
  Tensor in_place = x.clone();
  rrelu_(in_place, .1, .5, true);
  expect_values(in_place, {-0.12326179444789886, 2.0, -0.3754921853542328, -0.597737729549408, 0.0});
}
TEST_F(RandomOps, TheGradientOfRreluIsItsSlopes) {
  const Tensor x = tensor({-1.0, 2.0, -3.0}, requires_grad());
  const Tensor y = rrelu(x, .1, .5, true);
  EXPECT_STREQ(y.grad_fn()->name(), "RreluWithNoiseBackward0");
  y.sum().backward();
  expect_values(x.grad(), {0.12326179444789886, 1.0, 0.12516406178474426});
}
TEST_F(RandomOps, RreluInEvaluationUsesTheMeanSlope) {
  expect_values(rrelu(tensor({-1.0, 2.0}), .1, .5), {-0.3, 2.0});
  expect_next(0.8822692632675171);
}

// ---- Autograd.

TEST_F(RandomOps, OverwrittenResultsHaveAZeroGradient) {
  const auto check_node = [](const char* node, auto fill) {
    const Tensor a = ones({3}, requires_grad());
    const Tensor x = a * 2;
    const uint32_t version = x._version();
    fill(x);
    EXPECT_EQ(x._version(), version + 1) << node;
    EXPECT_STREQ(x.grad_fn()->name(), node);
    x.sum().backward();
    expect_values(a.grad(), {0, 0, 0});
  };
  check_node("UniformBackward0", [](const Tensor& x) { x.uniform_(); });
  check_node("NormalBackward0", [](const Tensor& x) { x.normal_(); });
  check_node("RandomBackward2", [](const Tensor& x) { x.random_(); });
  check_node("RandomBackward1", [](const Tensor& x) { x.random_(5); });
  check_node("RandomBackward0", [](const Tensor& x) { x.random_(1, 5); });
  check_node("BernoulliBackward2", [](const Tensor& x) { x.bernoulli_(0.5); });
  check_node("BernoulliBackward1", [](const Tensor& x) { x.bernoulli_(full({3}, 0.5)); });
  check_node("ExponentialBackward0", [](const Tensor& x) { x.exponential_(); });
  check_node("GeometricBackward0", [](const Tensor& x) { x.geometric_(0.5); });
  check_node("LogNormalBackward0", [](const Tensor& x) { x.log_normal_(); });
  check_node("CauchyBackward0", [](const Tensor& x) { x.cauchy_(); });
}
TEST_F(RandomOps, RecordingDoesNotChangeTheNumbers) {
  const Tensor a = ones({3, 12}, requires_grad());
  const Tensor x = a * 2;
  x.slice(1, 0, 12, 2).normal_();
  EXPECT_NEAR(values(x)[2], 0.12880940735340118, 1e-7);
  EXPECT_EQ(values(x)[1], 2);
  x.sum().backward();
  expect_values(a.grad().slice(1, 0, 12, 2), std::vector<double>(18, 0.0));
  expect_values(a.grad().slice(1, 1, 12, 2), std::vector<double>(18, 2.0));
}
TEST_F(RandomOps, DrawnTensorsHaveAZeroGradient) {
  const auto check_node = [](const char* node, auto f) {
    const Tensor p = full({3}, 0.5, requires_grad());
    const Tensor y = f(p);
    EXPECT_STREQ(y.grad_fn()->name(), node);
    y.sum().backward();
    expect_values(p.grad(), {0, 0, 0});
  };
  check_node("BernoulliBackward0", [](const Tensor& p) { return bernoulli(p); });
  check_node("BernoulliBackward1", [](const Tensor& p) { return zeros({3}).bernoulli_(p); });
  check_node("NormalBackward1", [](const Tensor& p) { return normal(p, 1.0); });
  check_node("NormalBackward2", [](const Tensor& p) { return normal(1.0, p); });
  check_node("NormalBackward3", [](const Tensor& p) { return normal(p, p); });
  EXPECT_FALSE(rand_like(ones({2}, requires_grad())).requires_grad());
}
TEST_F(RandomOps, ATangentBecomesZero) {
  autograd::forward_ad::DualLevel level;
  const Tensor x = autograd::forward_ad::make_dual(ones({2}), ones({2}));
  x.uniform_();
  expect_values(autograd::forward_ad::unpack_dual(x).tangent, {0, 0});
}
TEST_F(RandomOps, TheVersionIsBumped) {
  const Tensor x = zeros({2});
  x.uniform_();
  x.normal_();
  EXPECT_EQ(x._version(), 2u);
}

// ---- Generators.

TEST(Generators, AnOwnStream) {
  Generator g(7);
  manual_seed(1);
  expect_values(rand({2}, g), {0.5349225401878357, 0.19880318641662598});
  expect_values(randn({2}, g), {-0.29524603486061096, 1.9685478210449219});
  expect_values(randint(0, 100, {3}, g), {87, 79, 88});
  expect_values(randperm(4, g), {1, 2, 3, 0});
  const double after = values(rand({1}))[0];
  manual_seed(1);
  expect_next(after);  // the default generator was not touched
}
TEST(Generators, CopiesShareAndClonesDoNot) {
  Generator g(3);
  Generator same = g, apart = g.clone();
  const double first = values(rand({1}, g))[0];
  EXPECT_NE(values(rand({1}, same))[0], first);
  EXPECT_EQ(values(rand({1}, apart))[0], first);
}
TEST(Generators, TheStateIsPyTorchs) {
  Generator g(5);
  const Tensor state = g.get_state();
  EXPECT_EQ(state.scalar_type(), kByte);
  EXPECT_EQ(state.sizes().vec(), (std::vector<int64_t>{5056}));
  const std::vector<double> start = values(state.slice(0, 0, 16));
  EXPECT_EQ(start, (std::vector<double>{5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
  const std::vector<double> drawn = values(randn({3}, g));
  g.set_state(state);
  EXPECT_EQ(values(randn({3}, g)), drawn);
}
TEST(Generators, SeedsAreRemembered) {
  manual_seed(123);
  EXPECT_EQ(initial_seed(), 123u);
  EXPECT_EQ(default_generator().current_seed(), 123u);
  Generator g(1);
  g.set_current_seed(9);
  EXPECT_EQ(g.current_seed(), 9u);
  const uint64_t drawn = g.seed();
  EXPECT_EQ(g.current_seed(), drawn);
  default_generator().set_current_seed(42);
  expect_next(0.8822692632675171);
}
TEST(Generators, ABadStateIsRefusedAndNothingChanges) {
  Generator g(5);
  const Tensor good = g.get_state();
  EXPECT_THROW(g.set_state(Tensor()), Error);
  EXPECT_THROW(g.set_state(good.to(kInt)), TypeError);
  EXPECT_THROW(g.set_state(good.slice(0, 0, 100)), ValueError);
  EXPECT_THROW(g.set_state(zeros({5056}, kByte)), ValueError);
  EXPECT_TRUE(g.get_state().equal(good));
}

// ---- Bad input.

TEST_F(RandomOps, BadParametersAreRefusedAndNothingIsDrawn) {
  const Tensor x = ones({3}), whole = ones({3}, kLong);
  EXPECT_THROW(x.uniform_(2, 1), ValueError);
  EXPECT_THROW(x.uniform_(kNan, 1), ValueError);
  EXPECT_THROW(x.uniform_(-1e300, 1e300), ValueError);
  EXPECT_THROW(x.normal_(0, -1), ValueError);
  EXPECT_THROW(x.normal_(0, kNan), ValueError);
  EXPECT_THROW(x.random_(0), ValueError);
  EXPECT_THROW(x.random_(5, 5), ValueError);
  EXPECT_THROW(x.random_(INT64_MAX, INT64_MIN), ValueError);
  EXPECT_THROW(x.bernoulli_(1.5), ValueError);
  EXPECT_THROW(x.bernoulli_(kNan), ValueError);
  EXPECT_THROW(x.bernoulli_(tensor({0.5, 0.5, 2.0})), ValueError);
  EXPECT_THROW(x.bernoulli_(tensor({0.5, 0.5})), Error);
  EXPECT_THROW(x.bernoulli_(full({2, 3}, 0.5)), Error);
  EXPECT_THROW(x.bernoulli_(whole), TypeError);
  EXPECT_THROW(x.exponential_(0), ValueError);
  EXPECT_THROW(x.geometric_(1), ValueError);
  EXPECT_THROW(x.log_normal_(0, -1), ValueError);
  EXPECT_THROW(x.cauchy_(0, 0), ValueError);
  EXPECT_THROW(whole.uniform_(), TypeError);
  EXPECT_THROW(whole.normal_(), TypeError);
  EXPECT_THROW(dropout(x, 1.5, true), ValueError);
  EXPECT_THROW(dropout(x, kNan, true), ValueError);
  EXPECT_THROW(dropout(whole, 0.5, true), TypeError);
  EXPECT_THROW(rrelu(x, .5, .2, true), ValueError);
  EXPECT_THROW(rrelu(x, .5, .2, false), ValueError);
  EXPECT_THROW(rrelu(x, .5, INFINITY, true), ValueError);
  EXPECT_THROW(rrelu(whole, .1, .2, true), TypeError);
  expect_values(x, {1, 1, 1});
  EXPECT_EQ(x._version(), 0u);
  expect_next(0.8822692632675171);
}
TEST_F(RandomOps, BadFactoryArgumentsAreRefused) {
  EXPECT_THROW(rand({-1}), Error);
  EXPECT_THROW(rand({INT64_MAX, 3}), Error);
  EXPECT_THROW(rand({2}, kLong), TypeError);
  EXPECT_THROW(randn({INT64_MIN}), Error);
  EXPECT_THROW(randn({2}, kBool), TypeError);
  EXPECT_THROW(randint(0, {2}), ValueError);
  EXPECT_THROW(randint(5, 5, {2}), ValueError);
  EXPECT_THROW(randint(0, 300, {2}, kByte), ValueError);
  EXPECT_THROW(randperm(-1), ValueError);
  EXPECT_THROW(randperm(INT64_MAX), Error);
  EXPECT_THROW(randperm(300, kByte), ValueError);
  EXPECT_THROW(rand_like(zeros({2}, kLong)), TypeError);
  EXPECT_THROW(randint_like(zeros({2}), 0), ValueError);
  EXPECT_THROW(normal(0.0, -1.0, {2}), ValueError);
  EXPECT_THROW(normal(zeros({2}), -1.0), ValueError);
  EXPECT_THROW(normal(zeros({2}), -ones({2})), ValueError);
  EXPECT_THROW(normal(zeros({2, 2}), ones({3})), Error);
  EXPECT_THROW(normal(zeros({2}, kLong), 1.0), TypeError);
  EXPECT_THROW(bernoulli(zeros({2}, kLong)), TypeError);
  expect_next(0.8822692632675171);
}
TEST_F(RandomOps, BadWeightsAreRefused) {
  EXPECT_THROW(multinomial(ones({3}), 4), ValueError);
  EXPECT_THROW(multinomial(ones({3}), 0), ValueError);
  EXPECT_THROW(multinomial(ones({3}), INT64_MIN), ValueError);
  EXPECT_THROW(multinomial(ones({3}), INT64_MAX), ValueError);
  EXPECT_THROW(multinomial(ones({2, 2, 2}), 1), Error);
  EXPECT_THROW(multinomial(tensor(1.0), 1), Error);
  EXPECT_THROW(multinomial(ones({2}, kLong), 1), TypeError);
  EXPECT_THROW(multinomial(zeros({2}), 1), ValueError);
  EXPECT_THROW(multinomial(tensor({1.0, -1.0}), 1), ValueError);
  EXPECT_THROW(multinomial(tensor({1.0, kNan}), 1), ValueError);
  EXPECT_THROW(multinomial(ones({3, 0}), 1), ValueError);
  EXPECT_THROW(multinomial(ones({3, 0}), 1, true), ValueError);
  EXPECT_THROW(multinomial(zeros({3, 2}).t(), 1), ValueError);
  EXPECT_THROW(multinomial(-ones({3, 2}).t(), 1), ValueError);
  EXPECT_EQ(multinomial(ones({0, 3}), 2).sizes().vec(), (std::vector<int64_t>{0, 2}));
}
TEST_F(RandomOps, TensorsThatMayNotBeWrittenAreRefused) {
  EXPECT_THROW(ones({3}, requires_grad()).uniform_(), Error);
  EXPECT_THROW(ones({3}, requires_grad()).slice(0, 0, 2).normal_(), Error);
  EXPECT_THROW(ones({3}).expand({2, 3}).uniform_(), Error);
  EXPECT_THROW(Tensor().uniform_(), Error);
  EXPECT_THROW(Tensor().normal_(), Error);
  EXPECT_THROW(Tensor().random_(), Error);
  EXPECT_THROW(Tensor().random_(3), Error);
  EXPECT_THROW(Tensor().bernoulli_(0.5), Error);
  EXPECT_THROW(ones({3}).bernoulli_(Tensor()), Error);
  EXPECT_THROW(Tensor().exponential_(), Error);
  EXPECT_THROW(dropout(Tensor(), 0.5, true), Error);
  EXPECT_THROW(multinomial(Tensor(), 1), Error);
  EXPECT_THROW(bernoulli(Tensor()), Error);
  EXPECT_THROW(normal(Tensor(), 1.0), Error);
  EXPECT_THROW(normal(ones({2}), Tensor()), Error);
  EXPECT_THROW(rrelu(Tensor()), Error);
  expect_next(0.8822692632675171);
  NoGradGuard guard;
  EXPECT_NO_THROW(ones({3}, requires_grad()).uniform_());
}

}  // namespace
TEST(Random, AChildForkedWhileAnotherThreadDrawsCanDrawToo) {
  std::atomic<bool> stop{false};
  const Generator own(1);
  std::thread other([&] {
    while (!stop) randn({100000}), rand({100000}, own);
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20);
      randn({100}), rand({100}, own);
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  stop = true;
  other.join();
}

}  // namespace taut
