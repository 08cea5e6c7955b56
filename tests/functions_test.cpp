// The special functions against 50 digits (tools/golden_functions.py): as near as PyTorch's, or within a few roundings.
#include "kernels/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "support/paths.h"
#include "taut/taut.h"

namespace taut {
namespace {

// By name, as the golden file has them.
#define ENTRY(name) \
  { #name, special::name }
const std::map<std::string, kernels::Function1> kOfOne = {
    ENTRY(bessel_j0),
    ENTRY(bessel_j1),
    ENTRY(bessel_y0),
    ENTRY(bessel_y1),
    ENTRY(i0),
    ENTRY(i0e),
    ENTRY(i1),
    ENTRY(i1e),
    ENTRY(modified_bessel_k0),
    ENTRY(modified_bessel_k1),
    ENTRY(scaled_modified_bessel_k0),
    ENTRY(scaled_modified_bessel_k1),
    ENTRY(spherical_bessel_j0),
    ENTRY(airy_ai),
    ENTRY(erfcx),
    ENTRY(log_ndtr),
    ENTRY(ndtri),
    ENTRY(entr),
    {"ndtr", [](double x) { return special_ndtr(full({}, x, kDouble)).item<double>(); }}};
const std::map<std::string, kernels::Function2> kOfTwo = {ENTRY(xlog1py),
                                                          ENTRY(zeta),
                                                          ENTRY(igamma),
                                                          ENTRY(igammac),
                                                          ENTRY(hermite_polynomial_h),
                                                          ENTRY(hermite_polynomial_he),
                                                          ENTRY(laguerre_polynomial_l),
                                                          ENTRY(legendre_polynomial_p),
                                                          ENTRY(chebyshev_polynomial_t),
                                                          ENTRY(chebyshev_polynomial_u),
                                                          ENTRY(chebyshev_polynomial_v),
                                                          ENTRY(chebyshev_polynomial_w),
                                                          ENTRY(shifted_chebyshev_polynomial_t),
                                                          ENTRY(shifted_chebyshev_polynomial_u),
                                                          ENTRY(shifted_chebyshev_polynomial_v),
                                                          ENTRY(shifted_chebyshev_polynomial_w)};

TEST(SpecialFunctions, AreAsNearToTheTruthAsPyTorchsOrWithinAFewRoundings) {
  std::ifstream in(test::golden_path("functions.txt"));
  std::string line;
  std::map<std::string, double> allowed;
  size_t checked = 0;
  while (std::getline(in, line)) {
    std::istringstream stream(line);
    std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    if (words[0] == "#") {  // "# name error"
      if (words.size() == 3) allowed[words[1]] = std::max(1.25 * std::stod(words[2]), 4 * 0x1p-52);
      continue;
    }
    const double a = std::stod(words[1]), wanted = std::stod(words.back());
    const double got = words.size() == 3 ? kOfOne.at(words[0])(a) : kOfTwo.at(words[0])(a, std::stod(words[2]));
    EXPECT_LE(std::abs(got - wanted), allowed.at(words[0]) * std::abs(wanted)) << line << ", got " << got;
    ++checked;
  }
  EXPECT_GT(checked, 1400u);
  EXPECT_EQ(allowed.size(), kOfOne.size() + kOfTwo.size());
}

// PyTorch's own error is large for these; ours is a few roundings.
TEST(SpecialFunctions, KeepTheirDigitsWherePyTorchLosesThem) {
  EXPECT_NEAR(special::bessel_j0(5.1) / -0.14433474706050064, 1, 1e-14);
  EXPECT_NEAR(special::airy_ai(-2.1) / 0.16348451299929268, 1, 1e-14);
  EXPECT_NEAR(special::igamma(60, 58) / 0.41373246437924282, 1, 1e-14);
  EXPECT_NEAR(special_ndtr(full({}, -30.0, kDouble)).item<double>() / 4.906713927148187e-198, 1, 1e-12);
}

TEST(SpecialFunctions, OfFloatsAreThoseOfDoublesRounded) {
  const Tensor x = linspace(0.1, 9.9, 99, kFloat);
  for (const auto& f : {special_bessel_y1, special_erfcx, special_i1e, special_airy_ai})
    EXPECT_TRUE(f(x).equal(f(x.to(kDouble)).to(kFloat)));
}

TEST(Gradient, OfSamplesHasLibtorchsOverloads) {
  const Tensor x = arange(12.0).view({3, 4}).square();
  const auto same = [](const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t k = 0; k < a.size(); ++k) EXPECT_TRUE(a[k].equal(b[k]));
  };
  const std::vector<int64_t> both = {0, 1};
  const auto by = [&](double spacing, int64_t dim) { return gradient(x, std::optional<Scalar>(spacing), dim)[0]; };
  same(gradient(x), gradient(x, IntArrayRef(both)));
  same(gradient(x, std::optional<Scalar>(2.0)), gradient(x, Scalar(2.0), IntArrayRef(both)));
  same(gradient(x, std::vector<Scalar>{2.0, 0.5}, IntArrayRef(both)), {by(2, 0), by(0.5, 1)});
  const std::vector<Tensor> places = {arange(0, 6, 2, kFloat), arange(0, 2, 0.5, kFloat)};
  same(gradient(x, TensorList(places)), {by(2, 0), by(0.5, 1)});
}

TEST(Histogramdd, CountsRowsInCells) {
  const Tensor rows = tensor({{0.0, 0.0}, {0.9, 1.9}, {1.0, 2.0}, {0.2, 1.5}});
  const auto [hist, edges] = histogramdd(rows, {2, 2});
  EXPECT_TRUE(hist.equal(tensor({{1.0, 1.0}, {0.0, 2.0}})));
  EXPECT_TRUE(edges[1].equal(tensor({0.0, 1.0, 2.0})));
  EXPECT_TRUE(std::get<0>(histogramdd(rows, 2)).equal(hist));
  EXPECT_TRUE(std::get<0>(histogramdd(rows, TensorList(edges))).equal(hist));
}

TEST(Windows, HaveLibtorchsOverloads) {
  EXPECT_TRUE(hann_window(5).equal(hann_window(6, false).narrow(0, 0, 5)));
  EXPECT_TRUE(hamming_window(5, true, 0.5, 0.5).allclose(hann_window(5)));
  EXPECT_EQ(kaiser_window(4, false, 3.0, kDouble).scalar_type(), kDouble);
  EXPECT_TRUE(bartlett_window(5, false).equal(tensor({0.0, 0.5, 1.0, 0.5, 0.0})));
  EXPECT_TRUE(blackman_window(3, requires_grad()).requires_grad());
}

}  // namespace
}  // namespace taut
