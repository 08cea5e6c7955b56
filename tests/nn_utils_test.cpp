// Clipping gradients, parameters as a vector, weight and spectral normalisation.
#include <cmath>
#include <limits>
#include <ostream>

#include "support/module_case.h"

using namespace taut;
using namespace taut::test;

namespace {

namespace utils = taut::nn::utils;  // not taut::utils

constexpr double kInf = std::numeric_limits<double>::infinity();

/// PyTorch's Linear: the same initial numbers, the same text.
struct LinearImpl : nn::Cloneable<LinearImpl> {
  LinearImpl(int64_t in, int64_t out) : in(in), out(out) { LinearImpl::reset(); }
  void reset() override {
    const double bound = 1 / std::sqrt(static_cast<double>(in));
    weight = register_parameter("weight", empty({out, in}).uniform_(-bound, bound));
    bias = register_parameter("bias", empty({out}).uniform_(-bound, bound));
  }
  void pretty_print(std::ostream& stream) const override {
    stream << "Linear(in_features=" << in << ", out_features=" << out << ", bias=True)";
  }
  Tensor forward(const Tensor& x) { return linear(x, weight, bias); }
  int64_t in, out;
  Tensor weight, bias;
};
TAUT_MODULE(Linear);

/// A layer whose weight has three dimensions.
struct ShiftImpl : nn::Cloneable<ShiftImpl> {
  ShiftImpl() { ShiftImpl::reset(); }
  void reset() override { weight = register_parameter("weight", arange(24.0).view({2, 3, 4}) - 10); }
  Tensor forward(const Tensor& x) { return x + weight; }
  Tensor weight;
};
TAUT_MODULE(Shift);

const auto twice = [](auto& m, const Tensors& x) {
  const Tensor first = m(x[0]);
  return first + m(x[0] * 2);
};

const std::vector<ModuleCase> kCases = {
    CASE("nn.utils.weight_norm(nn.Linear(3, 4))", "t(2, 3)", utils::weight_norm(Linear(3, 4))),
    CASE("nn.utils.weight_norm(nn.Linear(3, 4), dim=1)", "t(2, 3)", utils::weight_norm(Linear(3, 4), "weight", 1)),
    CASE("nn.utils.weight_norm(nn.Linear(3, 4), dim=None)", "t(2, 3)",
         utils::weight_norm(Linear(3, 4), "weight", std::nullopt)),
    CASE("nn.utils.weight_norm(nn.Linear(3, 4), name='bias', dim=None)", "t(2, 3)",
         utils::weight_norm(Linear(3, 4), "bias", std::nullopt)),
    CASE_CALL("nn.utils.weight_norm(nn.Linear(3, 4))", "m(x[0]) + m(x[0] * 2)", "t(2, 3)",
              utils::weight_norm(Linear(3, 4)), twice),
    CASE("nn.utils.remove_weight_norm(nn.utils.weight_norm(nn.Linear(3, 4)))", "t(2, 3)",
         utils::remove_weight_norm(utils::weight_norm(Linear(3, 4)))),
    CASE("nn.utils.spectral_norm(nn.Linear(3, 4))", "t(2, 3)", utils::spectral_norm(Linear(3, 4))),
    CASE("nn.utils.spectral_norm(nn.Linear(3, 4), n_power_iterations=3, eps=1e-6, dim=1)", "t(2, 3)",
         utils::spectral_norm(Linear(3, 4), "weight", 3, 1e-6, 1)),
    CASE("nn.utils.spectral_norm(nn.Linear(3, 4)).eval()", "t(2, 3)", in_eval_mode(utils::spectral_norm(Linear(3, 4)))),
    CASE_CALL("nn.utils.spectral_norm(nn.Linear(3, 4))", "m(x[0]) + m(x[0] * 2)", "t(2, 3)",
              utils::spectral_norm(Linear(3, 4)), twice),
    CASE("nn.utils.remove_spectral_norm(nn.utils.spectral_norm(nn.Linear(3, 4)))", "t(2, 3)",
         utils::remove_spectral_norm(utils::spectral_norm(Linear(3, 4)))),
};

Tensor with_grad(const Tensor& grad) {
  Tensor p = zeros(grad.sizes(), TensorOptions(grad.scalar_type()).requires_grad(true));
  p.mutable_grad() = grad;
  return p;
}
std::vector<Tensor> two_parameters() {
  return {with_grad(tensor({{3.0, -4.0}, {1.0, 2.0}})), with_grad(tensor({-5.0, 0.0}))};
}
std::vector<double> all_gradients(const std::vector<Tensor>& parameters) {
  std::vector<double> all;
  for (const Tensor& p : parameters) {
    const Tensor g = p.grad().to(kDouble).reshape({-1});
    all.insert(all.end(), g.data_ptr<double>(), g.data_ptr<double>() + g.numel());
  }
  return all;
}

/// By the definition, in a loop.
double plain_norm(const std::vector<double>& x, double p) {
  double sum = 0, high = 0, low = kInf;
  for (const double v : x) {
    const double a = std::abs(v);
    high = std::max(high, a), low = std::min(low, a);
    sum += p == 0 ? (a != 0) : std::pow(a, p);
  }
  return p == kInf ? high : p == -kInf ? low : p == 0 ? sum : std::pow(sum, 1 / p);
}

TEST(ClipGradNorm, ScalesToTheNormForEveryNormType) {
  for (const double p : {0.5, 1.0, 2.0, 3.0, kInf}) {
    std::vector<Tensor> parameters = two_parameters();
    const std::vector<double> before = all_gradients(parameters);
    EXPECT_NEAR(utils::clip_grad_norm_(parameters, 1.5, p), plain_norm(before, p), 1e-4) << p;
    EXPECT_NEAR(plain_norm(all_gradients(parameters), p), 1.5, 1e-4) << p;
  }
}
TEST(ClipGradNorm, LeavesSmallGradientsAsTheyAre) {
  const std::vector<Tensor> parameters = two_parameters();
  const std::vector<double> before = all_gradients(parameters);
  EXPECT_NEAR(utils::clip_grad_norm_(parameters, 100), std::sqrt(55.0), 1e-5);
  EXPECT_NEAR(utils::clip_grad_norm_(parameters, kInf), std::sqrt(55.0), 1e-5);
  EXPECT_EQ(all_gradients(parameters), before);
}
TEST(ClipGradNorm, TakesOneParameterAndSkipsThoseWithoutGradient) {
  Tensor p = with_grad(tensor({3.0, 4.0}));
  EXPECT_NEAR(utils::clip_grad_norm_(p, 1.0), 5, 1e-6);
  EXPECT_NEAR(p.grad()[0].item<double>(), 0.6, 1e-6);
  EXPECT_NEAR(utils::clip_grad_norm_({p}, 0.5), 1, 1e-5);
  EXPECT_EQ(utils::clip_grad_norm_(zeros({2}, requires_grad()), 1.0), 0);
  EXPECT_EQ(utils::clip_grad_norm_(std::vector<Tensor>(), 1.0), 0);
  EXPECT_NEAR(utils::clip_grad_norm_({zeros({2}, requires_grad()), with_grad(tensor({3.0, 4.0}))}, 1.0), 5, 1e-6);
}
TEST(ClipGradNorm, MixesDtypes) {
  const std::vector<Tensor> parameters{with_grad(tensor({3.0}, kFloat)), with_grad(tensor({4.0}, kDouble))};
  EXPECT_NEAR(utils::clip_grad_norm_(parameters, 1.0), 5, 1e-6);
  EXPECT_NEAR(parameters[1].grad()[0].item<double>(), 0.8, 1e-6);
}
TEST(ClipGradNorm, OfAnInfiniteGradientFailsOnlyWhenAsked) {
  const Tensor p = with_grad(tensor({1.0, kInf}));
  try {
    utils::clip_grad_norm_(p, 1.0, 2.0, /*error_if_nonfinite=*/true);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("is non-finite, so it cannot be clipped"), std::string::npos);
  }
  EXPECT_EQ(p.grad()[0].item<double>(), 1);  // nothing changed
  EXPECT_EQ(utils::clip_grad_norm_(p, 1.0), kInf);
  EXPECT_EQ(p.grad()[0].item<double>(), 0);
  EXPECT_TRUE(std::isnan(p.grad()[1].item<double>()));
}
TEST(ClipGradNorm, InTwoStepsIsTheSame) {
  const std::vector<Tensor> a = two_parameters(), b = two_parameters();
  utils::clip_grad_norm_(a, 2.0, 3.0);
  const Tensor total = utils::get_total_norm({b[0].grad(), b[1].grad()}, 3.0);
  EXPECT_EQ(total.dim(), 0);
  utils::clip_grads_with_norm_(b, 2.0, total);
  EXPECT_EQ(all_gradients(a), all_gradients(b));
}
TEST(GetTotalNorm, KnowsOrdersZeroAndMinusInfinity) {
  const std::vector<Tensor> t{tensor({3.0, -4.0}), tensor({-2.0, 1.0})};
  EXPECT_EQ(utils::get_total_norm(t, -kInf).item<double>(), 1);
  EXPECT_EQ(utils::get_total_norm(t, 0).item<double>(), 2);  // PyTorch's: of the two norms
  EXPECT_EQ(utils::get_total_norm({}).item<double>(), 0);
}

TEST(ClipGradValue, LimitsEachNumber) {
  const std::vector<Tensor> parameters = two_parameters();
  utils::clip_grad_value_(parameters, 1.5);
  EXPECT_EQ(all_gradients(parameters), (std::vector<double>{1.5, -1.5, 1, 1.5, -1.5, 0}));
  Tensor p = with_grad(tensor({3.0}));
  utils::clip_grad_value_(p, 1);
  EXPECT_EQ(p.grad()[0].item<double>(), 1);
}

TEST(ConvertParameters, ThereAndBack) {
  Linear a(3, 4);
  const Tensor v = utils::parameters_to_vector(a->parameters());
  ASSERT_EQ(v.numel(), 16);
  EXPECT_TRUE(v.narrow(0, 0, 12).view({4, 3}).equal(a->weight));
  v.sum().backward();
  EXPECT_TRUE(a->bias.grad().equal(ones({4})));
  utils::vector_to_parameters(arange(16.0), a->parameters());
  EXPECT_TRUE(a->weight.equal(arange(12.0).view({4, 3})));
  EXPECT_TRUE(a->bias.equal(arange(12.0, 16.0)));
  EXPECT_TRUE(a->weight.requires_grad() && a->weight.is_leaf());
  const Tensor p = ones({3});
  utils::vector_to_parameters(arange(4, kDouble), {p});  // longer, and of another dtype: as in Python
  EXPECT_TRUE(p.equal(arange(3, kDouble)));
}

TEST(WeightNorm, FollowsAlongAnyDimension) {
  for (const int64_t dim : {0, 1, 2}) {
    const Tensor x = zeros({2, 3, 4});
    Shift m;
    const Tensor before = m(x).detach().clone();
    utils::weight_norm(m, "weight", dim);
    std::vector<int64_t> shape{1, 1, 1};
    shape[static_cast<size_t>(dim)] = x.size(dim);
    EXPECT_EQ(m->named_parameters()["weight_g"].sizes(), IntArrayRef(shape));
    EXPECT_TRUE(m(x).allclose(before, 1e-5, 1e-5));
    {
      NoGradGuard no_grad;
      m->named_parameters()["weight_g"].mul_(2);
    }
    EXPECT_TRUE(m(x).allclose(before * 2, 1e-5, 1e-5));
    utils::remove_weight_norm(m);
    EXPECT_EQ(m->named_parameters().size(), 1u);
    EXPECT_TRUE(m->weight.allclose(before * 2, 1e-5, 1e-5));
    EXPECT_TRUE(m->weight.is_leaf() && m->weight.requires_grad());
    EXPECT_TRUE(m(x).allclose(before * 2, 1e-5, 1e-5));
  }
}

TEST(WeightNorm, TheWeightIsThereBeforeTheFirstCall) {
  const Linear plain(3, 4);
  const Tensor before = plain->weight.detach().clone();
  const auto normed = utils::weight_norm(plain);
  EXPECT_TRUE(normed->weight.allclose(before));
  EXPECT_TRUE(normed->weight.requires_grad() && normed->weight.grad_fn());
}

TEST(WeightNorm, CanBeTakenOffADimensionOfOneElement) {
  for (const auto& [in, out, dim] : {std::tuple{1, 3, 1}, {3, 1, 0}, {1, 1, 0}, {1, 1, 1}}) {
    Linear m(in, out);
    const Tensor before = m->weight.detach().clone();
    utils::weight_norm(m, "weight", dim);
    EXPECT_EQ(m->named_parameters()["weight_g"].numel(), 1);
    utils::remove_weight_norm(m);
    EXPECT_TRUE(m->weight.allclose(before, 1e-5, 1e-5));
  }
}

TEST(SpectralNorm, MakesTheGreatestSingularValueOne) {
  manual_seed(0);
  Linear m(6, 5);
  utils::spectral_norm(m, "weight", 50);
  const Tensor x = randn({2, 6});
  m(x);
  const Tensor w = m->weight.detach();
  Tensor v = randn({6});
  for (int i = 0; i < 200; ++i) v = w.t().mv(w.mv(v)), v = v / v.norm();
  EXPECT_NEAR(w.mv(v).norm().item<double>(), 1, 1e-4);
}

TEST(Utils, RefuseBadCalls) {
  struct Refused {
    const char* text;
    void (*call)();
  };
  static const double nan = std::numeric_limits<double>::quiet_NaN();
  const Refused all[] = {
      {"max_norm must be a number from 0 on, got nan", [] { utils::clip_grad_norm_(two_parameters(), nan); }},
      {"max_norm must be a number from 0 on, got -1", [] { utils::clip_grad_norm_(two_parameters(), -1); }},
      {"norm_type must be a number, got nan", [] { utils::clip_grad_norm_(two_parameters(), 1, nan); }},
      {"a parameter is undefined", [] { utils::clip_grad_norm_(Tensor(), 1); }},
      {"clip_value must be a number from 0 on, got nan", [] { utils::clip_grad_value_(two_parameters(), nan); }},
      {"clip_value must be a number from 0 on, got -2", [] { utils::clip_grad_value_(two_parameters(), -2); }},
      {"at least one parameter", [] { utils::parameters_to_vector({}); }},
      {"the parameters have 3 elements, but the vector has 2",
       [] { utils::vector_to_parameters(ones({2}), {ones({3})}); }},
      {"expected a vector, got a tensor of shape [2, 2]",
       [] {
         utils::vector_to_parameters(ones({2, 2}), {ones({4})});
       }},
      {"Cannot register two weight_norm hooks on the same parameter weight",
       [] { utils::weight_norm(utils::weight_norm(Linear(3, 4))); }},
      {"no member 'scale'", [] { utils::weight_norm(Linear(3, 4), "scale"); }},
      {"no member 'bias'", [] { utils::weight_norm(Shift(), "bias"); }},
      {"dim 2 is out of range for a parameter of shape [4, 3]", [] { utils::weight_norm(Linear(3, 4), "weight", 2); }},
      {"weight_norm of 'weight' not found in Linear", [] { utils::remove_weight_norm(Linear(3, 4)); }},
      {"Cannot register two spectral_norm hooks on the same parameter weight",
       [] { utils::spectral_norm(utils::spectral_norm(Linear(3, 4))); }},
      {"Expected n_power_iterations to be positive, but got n_power_iterations=0",
       [] { utils::spectral_norm(Linear(3, 4), "weight", 0); }},
      {"eps must be a number from 0 on, got nan", [] { utils::spectral_norm(Linear(3, 4), "weight", 1, nan); }},
      {"dim 5 is out of range", [] { utils::spectral_norm(Linear(3, 4), "weight", 1, 1e-12, 5); }},
      {"spectral_norm of 'weight' not found in Linear", [] { utils::remove_spectral_norm(Linear(3, 4)); }},
  };
  for (const Refused& r : all) {
    std::string got = "nothing";
    try {
      r.call();
    } catch (const Error& e) {
      got = e.what();
    }
    EXPECT_NE(got.find(r.text), std::string::npos) << got << "\n  instead of " << r.text;
  }
}

}  // namespace

MODULE_CASES(nn_utils, kCases)
