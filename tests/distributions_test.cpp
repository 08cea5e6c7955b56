// taut::distributions against PyTorch's answers (tools/golden_distributions.py), those that Python's test reads.
#include "taut/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "support/paths.h"
#include "taut/taut.h"

namespace taut::distributions {
namespace {

using Made = std::shared_ptr<Distribution>;
using Leaves = std::vector<Tensor>;

struct Case {
  std::string expression;        // as in python/tests/distribution_cases.py
  std::vector<TensorData> data;  // of its tensors, in order
  std::function<Made(const Leaves&)> make;
  Leaves leaves(ScalarType type, bool track) const {
    Leaves made;
    for (const TensorData& d : data) made.push_back(tensor(d, TensorOptions(type).requires_grad(track)));
    return made;
  }
};

template <class D, class... A>
Made made(A... arguments) {
  return std::make_shared<D>(arguments...);
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"Normal(0, 1)", {}, [](const Leaves&) { return made<Normal>(0, 1); }},
      {"Normal(t([0.5, -1.5, 2.0]), t([1.0, 0.3, 2.5]))",
       {{0.5, -1.5, 2.0}, {1.0, 0.3, 2.5}},
       [](const Leaves& t) { return made<Normal>(t[0], t[1]); }},
      {"Normal(t([[0.0], [1.0]]), t([0.5, 1.0, 1.5]))",
       {{{0.0}, {1.0}}, {0.5, 1.0, 1.5}},
       [](const Leaves& t) { return made<Normal>(t[0], t[1]); }},
      {"Laplace(0.0, 2.0)", {}, [](const Leaves&) { return made<Laplace>(0.0, 2.0); }},
      {"Laplace(t([0.5, -1.5]), t([1.0, 0.3]))",
       {{0.5, -1.5}, {1.0, 0.3}},
       [](const Leaves& t) { return made<Laplace>(t[0], t[1]); }},
      {"Cauchy(t([0.5, -1.5]), t([1.0, 0.3]))",
       {{0.5, -1.5}, {1.0, 0.3}},
       [](const Leaves& t) { return made<Cauchy>(t[0], t[1]); }},
      {"Gumbel(0.5, 2.0)", {}, [](const Leaves&) { return made<Gumbel>(0.5, 2.0); }},
      {"Gumbel(t([0.5, -1.5]), t([1.0, 0.3]))",
       {{0.5, -1.5}, {1.0, 0.3}},
       [](const Leaves& t) { return made<Gumbel>(t[0], t[1]); }},
      {"Uniform(-1.0, 3.0)", {}, [](const Leaves&) { return made<Uniform>(-1.0, 3.0); }},
      {"Uniform(t([0.0, -1.5]), t([1.0, 2.0]))",
       {{0.0, -1.5}, {1.0, 2.0}},
       [](const Leaves& t) { return made<Uniform>(t[0], t[1]); }},
      {"Exponential(t([0.5, 1.5, 7.0]))", {{0.5, 1.5, 7.0}}, [](const Leaves& t) { return made<Exponential>(t[0]); }},
      {"Gamma(2.0, 0.5)", {}, [](const Leaves&) { return made<Gamma>(2.0, 0.5); }},
      {"Gamma(t([0.05, 0.7, 1.0, 3.5, 40.0]), t([1.0, 0.5, 2.0, 1.5, 3.0]))",
       {{0.05, 0.7, 1.0, 3.5, 40.0}, {1.0, 0.5, 2.0, 1.5, 3.0}},
       [](const Leaves& t) { return made<Gamma>(t[0], t[1]); }},
      {"Chi2(t([0.5, 3.0, 25.0]))", {{0.5, 3.0, 25.0}}, [](const Leaves& t) { return made<Chi2>(t[0]); }},
      {"Beta(0.5, 3.0)", {}, [](const Leaves&) { return made<Beta>(0.5, 3.0); }},
      {"Beta(t([0.3, 2.0, 9.0, 30.0]), t([0.7, 1.0, 8.0, 20.0]))",
       {{0.3, 2.0, 9.0, 30.0}, {0.7, 1.0, 8.0, 20.0}},
       [](const Leaves& t) { return made<Beta>(t[0], t[1]); }},
      {"Dirichlet(t([0.5, 1.5, 3.0]))", {{0.5, 1.5, 3.0}}, [](const Leaves& t) { return made<Dirichlet>(t[0]); }},
      {"Dirichlet(t([[0.3, 0.4, 0.9], [7.0, 9.0, 20.0]]))",
       {{{0.3, 0.4, 0.9}, {7.0, 9.0, 20.0}}},
       [](const Leaves& t) { return made<Dirichlet>(t[0]); }},
      {"StudentT(5.0)", {}, [](const Leaves&) { return made<StudentT>(5.0); }},
      {"StudentT(t([1.0, 2.0, 4.5]), t([0.0, 1.0, -1.0]), t([1.0, 0.5, 2.0]))",
       {{1.0, 2.0, 4.5}, {0.0, 1.0, -1.0}, {1.0, 0.5, 2.0}},
       [](const Leaves& t) { return made<StudentT>(t[0], t[1], t[2]); }},
      {"HalfNormal(t([0.5, 2.0]))", {{0.5, 2.0}}, [](const Leaves& t) { return made<HalfNormal>(t[0]); }},
      {"LogNormal(t([0.0, -0.5]), t([0.5, 1.0]))",
       {{0.0, -0.5}, {0.5, 1.0}},
       [](const Leaves& t) { return made<LogNormal>(t[0], t[1]); }},
      {"Bernoulli(0.3)", {}, [](const Leaves&) { return made<Bernoulli>(0.3); }},
      {"Bernoulli(t([0.1, 0.5, 0.9]))", {{0.1, 0.5, 0.9}}, [](const Leaves& t) { return made<Bernoulli>(t[0]); }},
      {"Bernoulli(logits=t([-2.0, 0.0, 1.5]))",
       {{-2.0, 0.0, 1.5}},
       [](const Leaves& t) { return made<Bernoulli>(t[0], from_logits); }},
      {"Binomial(5, t([0.1, 0.5, 0.9]))", {{0.1, 0.5, 0.9}}, [](const Leaves& t) { return made<Binomial>(5, t[0]); }},
      {"Binomial(40, logits=t([-2.0, 0.0, 1.5]))",
       {{-2.0, 0.0, 1.5}},
       [](const Leaves& t) { return made<Binomial>(40, t[0], from_logits); }},
      {"Binomial(t([1.0, 5.0, 100.0]), t([0.1, 0.5, 0.9]))",
       {{1.0, 5.0, 100.0}, {0.1, 0.5, 0.9}},
       [](const Leaves& t) { return made<Binomial>(t[0], t[1]); }},
      {"Geometric(t([0.1, 0.5, 0.9]))", {{0.1, 0.5, 0.9}}, [](const Leaves& t) { return made<Geometric>(t[0]); }},
      {"Poisson(3.0)", {}, [](const Leaves&) { return made<Poisson>(3.0); }},
      {"Poisson(t([0.5, 4.0, 60.0]))", {{0.5, 4.0, 60.0}}, [](const Leaves& t) { return made<Poisson>(t[0]); }},
      {"Categorical(t([0.1, 0.2, 0.7]))", {{0.1, 0.2, 0.7}}, [](const Leaves& t) { return made<Categorical>(t[0]); }},
      {"Categorical(logits=t([[0.0, 1.0, 2.0], [-1.0, 0.5, 0.0]]))",
       {{{0.0, 1.0, 2.0}, {-1.0, 0.5, 0.0}}},
       [](const Leaves& t) { return made<Categorical>(t[0], from_logits); }},
      {"MultivariateNormal(t([0.0, 1.0]), t([[2.0, 0.5], [0.5, 1.0]]))",
       {{0.0, 1.0}, {{2.0, 0.5}, {0.5, 1.0}}},
       [](const Leaves& t) { return made<MultivariateNormal>(t[0], t[1]); }},
      {"MultivariateNormal(t([[0.0, 1.0, -1.0], [0.5, 0.0, 2.0]]), scale_tril=t([[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], "
       "[-0.3, 0.1, 0.7]]))",
       {{{0.0, 1.0, -1.0}, {0.5, 0.0, 2.0}}, {{1.0, 0.0, 0.0}, {0.5, 2.0, 0.0}, {-0.3, 0.1, 0.7}}},
       [](const Leaves& t) -> Made {
         return std::make_shared<MultivariateNormal>(MultivariateNormal::from_scale_tril(t[0], t[1]));
       }},
      {"MultivariateNormal(t([0.0, 1.0]), precision_matrix=t([[[2.0, 0.5], [0.5, 1.0]], [[1.0, 0.1], [0.1, 3.0]]]))",
       {{0.0, 1.0}, {{{2.0, 0.5}, {0.5, 1.0}}, {{1.0, 0.1}, {0.1, 3.0}}}},
       [](const Leaves& t) -> Made {
         return std::make_shared<MultivariateNormal>(MultivariateNormal::from_precision(t[0], t[1]));
       }},
      {"Independent(Normal(t([[0.0, 1.0], [2.0, 3.0]]), t([1.0, 2.0])), 1)",
       {{{0.0, 1.0}, {2.0, 3.0}}, {1.0, 2.0}},
       [](const Leaves& t) { return made<Independent>(Normal(t[0], t[1]), 1); }},
      {"Independent(Bernoulli(t([[0.1, 0.5], [0.9, 0.3]])), 2)",
       {{{0.1, 0.5}, {0.9, 0.3}}},
       [](const Leaves& t) { return made<Independent>(Bernoulli(t[0]), 2); }},
  };
  return all;
}

/// The answers: by subject, by question.
const std::map<std::string, std::map<std::string, std::string>>& golden() {
  static const auto all = [] {
    std::map<std::string, std::map<std::string, std::string>> found;
    std::ifstream file(test::golden_path("distributions.txt"));
    std::string subject;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("# ")) {
        subject = line.substr(2);
      } else {
        const size_t tab = line.find('\t');
        std::string answer = line.substr(tab + 1);
        for (size_t at = 0; (at = answer.find("\\n", at)) != std::string::npos; ++at) answer.replace(at, 2, "\n");
        found[subject][line.substr(0, tab)] = answer;
      }
    }
    return found;
  }();
  return all;
}

/// "float64 [2, 3] 1 2 3 4 5 6"; undefined for other answers.
Tensor parsed(const std::string& text) {
  const size_t open = text.find(" ["), close = text.find("] ");
  if (text.empty() || text[0] == '(' || open == std::string::npos || open > 10) return {};
  std::vector<int64_t> sizes;
  std::istringstream dims(text.substr(open + 2, close - open - 2));
  for (std::string size; std::getline(dims, size, ',');) sizes.push_back(std::stoll(size));
  std::vector<double> values;
  std::istringstream numbers(text.substr(close + 1));
  for (std::string number; numbers >> number;) values.push_back(std::stod(number));
  return tensor(ArrayRef<double>(values), kDouble).reshape(sizes);
}

/// What differs, or nothing.
std::string difference(const Tensor& got, const std::string& answer, double tolerance) {
  const Tensor want = parsed(answer);
  if (!want.defined()) return "PyTorch has " + answer;
  const Tensor x = got.detach().to(kDouble);
  if (x.sizes() != want.sizes()) return str("the shape is ", x.sizes(), ", not ", want.sizes());
  if (!allclose(x, want, tolerance, tolerance, true)) return str("got\n", x, "\nwant\n", want);
  return {};
}
#define EXPECT_ANSWER(got, question) \
  EXPECT_EQ(difference(got, answers.at(question), tolerance), "") << c.expression << ": " << (question)

class Distributions : public testing::TestWithParam<size_t> {
 protected:
  const Case& c = cases()[GetParam()];
  const std::map<std::string, std::string>& answers = golden().at(c.expression);
};

TEST_P(Distributions, DrawPyTorchsNumbers) {
  for (ScalarType type : {kFloat, kDouble}) {
    const std::string suffix = type == kFloat ? ", float32" : ", float64";
    const double tolerance = type == kFloat ? 2e-6 : 1e-9;
    set_default_dtype(type);
    const Leaves leaves = c.leaves(type, true);
    const Made d = c.make(leaves);
    manual_seed(11);
    EXPECT_ANSWER(d->sample({3}), "sample" + suffix);
    EXPECT_ANSWER(d->sample(), "sample again" + suffix);
    EXPECT_ANSWER(d->sample({4, 5}).to(kDouble).mean({0, 1}), "sample more" + suffix);
    EXPECT_EQ(d->has_rsample(), answers.contains("rsample" + suffix));
    if (d->has_rsample()) {
      EXPECT_ANSWER(d->rsample({2}), "rsample" + suffix);
    }
    set_default_dtype(kFloat);
  }
}

TEST_P(Distributions, HavePyTorchsFormulas) {
  const double tolerance = 1e-9;
  set_default_dtype(kDouble);
  const Made d = c.make(c.leaves(kDouble, false));
  EXPECT_EQ(d->repr(), answers.at("repr"));
  const Tensor value = parsed(answers.at("value"));
  EXPECT_ANSWER(d->log_prob(value), "log_prob");
  EXPECT_ANSWER(d->mean(), "mean");
  EXPECT_ANSWER(d->variance(), "variance");
  EXPECT_ANSWER(d->stddev(), "stddev");
  const std::pair<const char*, std::function<Tensor()>> others[] = {
      {"mode", [&] { return d->mode(); }},
      {"entropy", [&] { return d->entropy(); }},
      {"perplexity", [&] { return d->perplexity(); }},
      {"cdf", [&] { return d->cdf(value); }},
      {"icdf", [&] { return d->icdf(tensor(0.3, kDouble)); }},
      {"enumerate_support", [&] { return d->enumerate_support(); }},
      {"enumerate_support, not expanded", [&] { return d->enumerate_support(false); }}};
  for (const auto& [question, ask] : others) {
    try {
      EXPECT_ANSWER(ask(), question);
    } catch (const NotImplementedError&) {  // less than PyTorch has: Uniform's mode, which is NaN, and the like
    }
  }
  set_default_dtype(kFloat);
}

TEST_P(Distributions, HavePyTorchsGradients) {
  const auto texts = [&](const std::string& question) {
    std::vector<std::string> found;
    std::istringstream list(answers.at(question).substr(1));
    for (std::string text; std::getline(list, text, ';');) found.push_back(text.substr(text.find_first_not_of(' ')));
    return found;
  };
  const auto weights = [](const Tensor& x) {
    return ((arange(x.numel(), kDouble) * 7).remainder(5) + 1).div(3).to(x.scalar_type()).reshape(x.sizes());
  };
  if (c.data.empty()) return;
  set_default_dtype(kDouble);
  const Leaves leaves = c.leaves(kDouble, true);
  const auto expect = [&](const Tensor& result, const std::string& question) {
    const auto grads = autograd::grad({(result * weights(result)).sum()}, leaves, {}, {}, false, true);
    const std::vector<std::string> want = texts(question);
    ASSERT_EQ(grads.size(), want.size()) << question;
    for (size_t i = 0; i < grads.size(); ++i) {
      std::string text = want[i];
      if (text.ends_with(")")) text.pop_back();
      if (text == "none") EXPECT_FALSE(grads[i].defined()) << c.expression << ": " << question;
      else EXPECT_EQ(difference(grads[i], text, 1e-8), "") << c.expression << ": " << question;
    }
  };
  expect(c.make(leaves)->log_prob(parsed(answers.at("value"))), "log_prob gradients");
  if (c.make(leaves)->has_rsample()) {
    manual_seed(12);
    expect(c.make(leaves)->rsample({2}), "rsample gradients, float64");
  }
  set_default_dtype(kFloat);
}

std::string test_name(const testing::TestParamInfo<size_t>& info) {
  const std::string& e = cases()[info.param].expression;
  return e.substr(0, e.find('(')) + "_" + std::to_string(info.index);
}
INSTANTIATE_TEST_SUITE_P(All, Distributions, testing::Range<size_t>(0, cases().size()), test_name);

TEST(KlDivergence, IsPyTorchs) {
  // Those of distribution_cases.py that are of a class, against themselves and each other.
  const auto t = [](const TensorData& data) { return tensor(data, kDouble); };
  const std::pair<const char*, Made> all[] = {
      {"Bernoulli(t([0.2, 0.7]))", made<Bernoulli>(t({0.2, 0.7}))},
      {"Beta(t([0.5, 3.0]), t([2.0, 1.5]))", made<Beta>(t({0.5, 3.0}), t({2.0, 1.5}))},
      {"Categorical(t([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]))", made<Categorical>(t({{0.2, 0.3, 0.5}, {0.6, 0.3, 0.1}}))},
      {"Cauchy(t([0.5, -1.0]), t([1.0, 2.0]))", made<Cauchy>(t({0.5, -1.0}), t({1.0, 2.0}))},
      {"Dirichlet(t([[0.5, 1.0], [3.0, 2.0]]))", made<Dirichlet>(t({{0.5, 1.0}, {3.0, 2.0}}))},
      {"Exponential(t([0.5, 2.0]))", made<Exponential>(t({0.5, 2.0}))},
      {"Gamma(t([0.5, 3.0]), t([1.0, 2.0]))", made<Gamma>(t({0.5, 3.0}), t({1.0, 2.0}))},
      {"Chi2(t([1.5, 4.0]))", made<Chi2>(t({1.5, 4.0}))},
      {"Independent(Normal(t([[0.0, 1.0], [2.0, 3.0]]), t([1.0, 2.0])), 1)",
       made<Independent>(Normal(t({{0.0, 1.0}, {2.0, 3.0}}), t({1.0, 2.0})), 1)},
      {"Laplace(t([0.5, -1.0]), t([1.0, 2.0]))", made<Laplace>(t({0.5, -1.0}), t({1.0, 2.0}))},
      {"LogNormal(t([0.5, -1.0]), t([1.0, 2.0]))", made<LogNormal>(t({0.5, -1.0}), t({1.0, 2.0}))},
      {"MultivariateNormal(t([[0.0, 1.0], [2.0, 3.0]]), t([[2.0, 0.5], [0.5, 1.0]]))",
       made<MultivariateNormal>(t({{0.0, 1.0}, {2.0, 3.0}}), t({{2.0, 0.5}, {0.5, 1.0}}))},
      {"MultivariateNormal(t([0.5, 1.0]), t([[[1.0, 0.2], [0.2, 1.0]], [[3.0, -0.5], [-0.5, 1.0]]]))",
       made<MultivariateNormal>(t({0.5, 1.0}), t({{{1.0, 0.2}, {0.2, 1.0}}, {{3.0, -0.5}, {-0.5, 1.0}}}))},
      {"Normal(t([0.5, -1.0]), t([1.0, 2.0]))", made<Normal>(t({0.5, -1.0}), t({1.0, 2.0}))},
      {"Poisson(t([0.5, 4.0]))", made<Poisson>(t({0.5, 4.0}))},
      {"Uniform(t([0.1, 2.0]), t([0.9, 3.0]))", made<Uniform>(t({0.1, 2.0}), t({0.9, 3.0}))},
      {"Uniform(t([-1.0, 0.0]), t([2.0, 5.0]))", made<Uniform>(t({-1.0, 0.0}), t({2.0, 5.0}))}};
  int count = 0;
  for (const auto& [p_name, p] : all)
    for (const auto& [q_name, q] : all) {
      if (std::string_view(p->name()) != q->name()) continue;
      const std::string& answer = golden().at(std::string("kl_divergence(") + p_name + ", ...)").at(q_name);
      EXPECT_EQ(difference(kl_divergence(*p, *q), answer, 1e-9), "") << p_name << " || " << q_name;
      ++count;
    }
  EXPECT_EQ(count, 21);
  EXPECT_THROW(kl_divergence(*all[0].second, *all[1].second), NotImplementedError);
}

TEST(DistributionsErrors, AreWordedAsPyTorchs) {
  const auto t = [](const TensorData& data) { return tensor(data); };
  const std::pair<const char*, std::function<void()>> all[] = {
      {"Normal(0.0, -1.0)", [] { Normal(0.0, -1.0); }},
      {"Normal(t([0.0, 1.0]), t([1.0, 0.0]))",
       [&] {
         Normal(t({0.0, 1.0}), t({1.0, 0.0}));
       }},
      {"Normal(t([float('nan')]), 1.0)", [&] { Normal(t({std::nan("")}), 1.0); }},
      {"Normal(t([0.0, 1.0]), t([1.0, 2.0])).log_prob(t([0.0, 1.0, 2.0]))",
       [&] {
         Normal(t({0.0, 1.0}), t({1.0, 2.0})).log_prob(t({0.0, 1.0, 2.0}));
       }},
      {"Normal(0.0, 1.0).log_prob(t([float('nan')]))", [&] { Normal(0.0, 1.0).log_prob(t({std::nan("")})); }},
      {"Uniform(1.0, 0.0)", [] { Uniform(1.0, 0.0); }},
      {"Uniform(0.0, 1.0).log_prob(t(1.5))", [&] { Uniform(0.0, 1.0).log_prob(t(1.5)); }},
      {"Bernoulli(1.5)", [] { Bernoulli(1.5); }},
      {"Bernoulli(0.5).log_prob(t(0.5))", [&] { Bernoulli(0.5).log_prob(t(0.5)); }},
      {"Binomial(-1, t(0.5))", [&] { Binomial(-1, t(0.5)); }},
      {"Binomial(3, t(0.5)).log_prob(t(4.0))", [&] { Binomial(3, t(0.5)).log_prob(t(4.0)); }},
      {"Categorical(t(0.5))", [&] { Categorical(t(0.5)); }},
      {"Categorical(t([-0.5, 1.5]))",
       [&] {
         Categorical(t({-0.5, 1.5}));
       }},
      {"Categorical(t([0.5, 0.5])).log_prob(t(2.0))",
       [&] {
         Categorical(t({0.5, 0.5})).log_prob(t(2.0));
       }},
      {"Dirichlet(t(0.5))", [&] { Dirichlet(t(0.5)); }},
      {"Dirichlet(t([0.5, -0.5]))",
       [&] {
         Dirichlet(t({0.5, -0.5}));
       }},
      {"Dirichlet(t([0.5, 0.5])).log_prob(t([0.5, 0.6]))",
       [&] {
         Dirichlet(t({0.5, 0.5})).log_prob(t({0.5, 0.6}));
       }},
      {"Dirichlet(t([0.5, 0.5])).log_prob(t([0.5]))",
       [&] {
         Dirichlet(t({0.5, 0.5})).log_prob(t({0.5}));
       }},
      {"Exponential(-1.0)", [] { Exponential(-1.0); }},
      {"Exponential(1.0).log_prob(t(-1.0))", [&] { Exponential(1.0).log_prob(t(-1.0)); }},
      {"Gamma(-1.0, 1.0)", [] { Gamma(-1.0, 1.0); }},
      {"Geometric(t([0.5, 0.0]))",
       [&] {
         Geometric(t({0.5, 0.0}));
       }},
      {"MultivariateNormal(t(0.0), t([[1.0]]))", [&] { MultivariateNormal(t(0.0), t({{1.0}})); }},
      {"MultivariateNormal(t([0.0]), t([1.0]))", [&] { MultivariateNormal(t({0.0}), t({1.0})); }},
      {"MultivariateNormal(t([0.0, 0.0]), t([[1.0, 2.0], [2.0, 1.0]]))",
       [&] {
         MultivariateNormal(t({0.0, 0.0}), t({{1.0, 2.0}, {2.0, 1.0}}));
       }},
      {"MultivariateNormal(t([0.0, 0.0]), scale_tril=t([[1.0, 0.5], [0.0, 1.0]]))",
       [&] {
         MultivariateNormal::from_scale_tril(t({0.0, 0.0}), t({{1.0, 0.5}, {0.0, 1.0}}));
       }},
      {"Poisson(-1.0)", [] { Poisson(-1.0); }},
      {"Poisson(2.0).log_prob(t(0.5))", [&] { Poisson(2.0).log_prob(t(0.5)); }},
      {"Independent(Normal(0.0, 1.0), 1)", [] { Independent(Normal(0.0, 1.0), 1); }}};
  for (const auto& [statement, call] : all) {
    std::string got = "nothing";
    try {
      call();
    } catch (const ValueError& e) {
      got = std::string("ValueError: ") + e.what();
    }
    EXPECT_EQ(got, golden().at("statements").at(statement)) << statement;
  }
}

TEST(DistributionsThemselves, ValidateOnlyIfAskedTo) {
  EXPECT_TRUE(Normal(0.0, -1.0, false).log_prob(tensor(0.5)).isnan().item<bool>());
  EXPECT_EQ(Uniform(0.0, 1.0, false).log_prob(tensor(1.5)).item<double>(), -INFINITY);
}

TEST(DistributionsThemselves, ExpandToABatch) {
  const Normal wide = Normal(tensor({0.0, 1.0}), 2.0).expand({3, 2});
  EXPECT_EQ(wide.batch_shape().vec(), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(wide.sample({5}).sizes().vec(), (std::vector<int64_t>{5, 3, 2}));
  EXPECT_EQ(Categorical(tensor({0.2, 0.8})).expand({4}).sample({2}).sizes().vec(), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(Dirichlet(tensor({0.2, 0.8})).expand({4}).sample().sizes().vec(), (std::vector<int64_t>{4, 2}));
  EXPECT_EQ(MultivariateNormal(zeros({2}), eye(2)).expand({4}).sample().sizes().vec(), (std::vector<int64_t>{4, 2}));
}

TEST(DistributionsThemselves, PrintThemselves) {
  std::ostringstream out;
  out << Normal(0, 1) << ' ' << Independent(Normal(zeros({3}), ones({3})), 1);
  EXPECT_EQ(out.str(),
            "Normal(loc: 0.0, scale: 1.0) Independent(Normal(loc: torch.Size([3]), scale: torch.Size([3])), 1)");
}

}  // namespace
}  // namespace taut::distributions
