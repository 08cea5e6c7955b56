// nn::init: PyTorch's numbers for a seed (tests/golden/init.txt, written by tools/golden_init.py), shapes, and what is
// refused.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <sstream>

#include "support/certificate.h"
#include "support/paths.h"
#include "taut/nn/init.h"
#include "taut/taut.h"

namespace taut {
namespace {

using namespace nn::init;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor w(IntArrayRef sizes) { return empty(sizes); }
Tensor d(IntArrayRef sizes) { return empty(sizes, kDouble); }

/// The same call in Python, evaluated by tools/golden_init.py, and in C++.
struct Case {
  const char* python;
  std::function<Tensor()> run;
};
const Case kCases[] = {
    {"uniform_(w(3, 5))",
     [] {
       return uniform_(w({3, 5}));
     }},
    {"uniform_(w(4), -2.0, 3.0)", [] { return uniform_(w({4}), -2, 3); }},
    {"normal_(w(3, 5))",
     [] {
       return normal_(w({3, 5}));
     }},
    {"normal_(w(4, 5), 1.0, 0.5)",
     [] {
       return normal_(w({4, 5}), 1, 0.5);
     }},
    {"normal_(d(20))", [] { return normal_(d({20})); }},
    {"constant_(w(2, 2), 0.3)",
     [] {
       return constant_(w({2, 2}), 0.3);
     }},
    {"ones_(w(2, 2))",
     [] {
       return ones_(w({2, 2}));
     }},
    {"zeros_(w(2, 2))",
     [] {
       return zeros_(w({2, 2}));
     }},
    {"eye_(w(3, 5))",
     [] {
       return eye_(w({3, 5}));
     }},
    {"dirac_(w(4, 2, 3))",
     [] {
       return dirac_(w({4, 2, 3}));
     }},
    {"dirac_(w(2, 4, 3, 2))",
     [] {
       return dirac_(w({2, 4, 3, 2}));
     }},
    {"dirac_(w(4, 2, 3, 3), 2)",
     [] {
       return dirac_(w({4, 2, 3, 3}), 2);
     }},
    {"dirac_(w(2, 2, 1, 2, 3))",
     [] {
       return dirac_(w({2, 2, 1, 2, 3}));
     }},
    {"xavier_uniform_(w(3, 5))",
     [] {
       return xavier_uniform_(w({3, 5}));
     }},
    {"xavier_uniform_(w(3, 5, 2, 2), 2.5)",
     [] {
       return xavier_uniform_(w({3, 5, 2, 2}), 2.5);
     }},
    {"xavier_normal_(w(3, 5))",
     [] {
       return xavier_normal_(w({3, 5}));
     }},
    {"xavier_normal_(w(3, 5, 2), 0.5)",
     [] {
       return xavier_normal_(w({3, 5, 2}), 0.5);
     }},
    {"kaiming_uniform_(w(3, 5))",
     [] {
       return kaiming_uniform_(w({3, 5}));
     }},
    {"kaiming_uniform_(w(3, 5, 3, 3), math.sqrt(5))",
     [] {
       return kaiming_uniform_(w({3, 5, 3, 3}), std::sqrt(5));
     }},
    {"kaiming_uniform_(w(3, 5), 0, 'fan_out', 'relu')",
     [] {
       return kaiming_uniform_(w({3, 5}), 0, kFanOut, kReLU);
     }},
    {"kaiming_uniform_(w(3, 5), 0, 'fan_in', 'tanh')",
     [] {
       return kaiming_uniform_(w({3, 5}), 0, kFanIn, kTanh);
     }},
    {"kaiming_uniform_(w(3, 5), 0, 'fan_in', 'selu')",
     [] {
       return kaiming_uniform_(w({3, 5}), 0, kFanIn, kSELU);
     }},
    {"kaiming_normal_(w(3, 5))",
     [] {
       return kaiming_normal_(w({3, 5}));
     }},
    {"kaiming_normal_(w(4, 4, 2), 0.2, 'fan_out')",
     [] {
       return kaiming_normal_(w({4, 4, 2}), 0.2, kFanOut);
     }},
    {"kaiming_normal_(w(4, 4), 0, 'fan_in', 'conv2d')",
     [] {
       return kaiming_normal_(w({4, 4}), 0, kFanIn, kConv2D);
     }},
    {"orthogonal_(w(3, 5))",
     [] {
       return orthogonal_(w({3, 5}));
     }},
    {"orthogonal_(w(5, 3), 2.0)",
     [] {
       return orthogonal_(w({5, 3}), 2);
     }},
    {"orthogonal_(w(4, 4))",
     [] {
       return orthogonal_(w({4, 4}));
     }},
    {"orthogonal_(w(3, 2, 2, 2))",
     [] {
       return orthogonal_(w({3, 2, 2, 2}));
     }},
    {"orthogonal_(d(1, 4))",
     [] {
       return orthogonal_(d({1, 4}));
     }},
    {"sparse_(w(5, 4), 0.3)",
     [] {
       return sparse_(w({5, 4}), 0.3);
     }},
    {"sparse_(w(3, 2), 1.0, 1.0)",
     [] {
       return sparse_(w({3, 2}), 1, 1);
     }},
    {"trunc_normal_(w(4, 5))",
     [] {
       return trunc_normal_(w({4, 5}));
     }},
    {"trunc_normal_(w(40), 0.0, 1.0, -0.5, 0.5)", [] { return trunc_normal_(w({40}), 0, 1, -0.5, 0.5); }},
    {"trunc_normal_(w(30), 0.0, 1.0, 1.0, 1.5)", [] { return trunc_normal_(w({30}), 0, 1, 1, 1.5); }},
    {"trunc_normal_(w(30), 0.5, 3.0, -1.0, 1.0)", [] { return trunc_normal_(w({30}), 0.5, 3, -1, 1); }},
    {"trunc_normal_(w(30), 0.5, 0.25, -1.0, 0.5)", [] { return trunc_normal_(w({30}), 0.5, 0.25, -1, 0.5); }},
    {"trunc_normal_(d(20), 0.1, 0.02, -2.0, 2.0)", [] { return trunc_normal_(d({20}), 0.1, 0.02, -2, 2); }},
};

TEST(Init, DrawsPyTorchsNumbers) {
  std::map<std::string, std::string> golden;
  std::ifstream in(test::golden_path("init.txt"));
  for (std::string line; std::getline(in, line);)
    if (const size_t tab = line.find('\t'); tab != line.npos) golden[line.substr(0, tab)] = line.substr(tab + 1);
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.python);
    manual_seed(42);
    const Tensor got = c.run().to(kDouble).contiguous();
    test::certify(str("init ", c.python), {got});
    const Tensor next = rand({1}).to(kDouble);  // the draw that follows pins how much of the stream was used
    ASSERT_TRUE(golden.count(c.python)) << "write the golden data anew";
    std::istringstream numbers(golden[c.python]);
    double want = 0;
    for (int64_t i = 0; i < got.numel(); ++i) {
      ASSERT_TRUE(numbers >> want);
      EXPECT_NEAR(got.data_ptr<double>()[i], want, 2e-6 * std::max(std::abs(want), 0.5)) << "element " << i;
    }
    ASSERT_TRUE(numbers >> want);
    EXPECT_NEAR(next.item<double>(), want, 1e-7);
  }
}

TEST(Init, LeavesParametersLeavesOfTheGraph) {
  for (const auto& fill : std::vector<std::function<Tensor(Tensor)>>{
           [](Tensor t) { return uniform_(t); }, [](Tensor t) { return orthogonal_(t); },
           [](Tensor t) { return eye_(t); }, [](Tensor t) { return trunc_normal_(t); },
           [](Tensor t) { return sparse_(t, 0.5); }, [](Tensor t) { return constant_(t, 2); },
           [](Tensor t) { return kaiming_normal_(t); }}) {
    const Tensor p = zeros({4, 3}, requires_grad());
    EXPECT_TRUE(fill(p).is_same(p));
    EXPECT_TRUE(p.is_leaf() && p.requires_grad());
  }
}

TEST(Init, OrthogonalRowsAreOrthonormalTimesTheGain) {
  manual_seed(1);
  const Tensor q = orthogonal_(d({6, 40}), 3);
  EXPECT_TRUE(allclose(mm(q, q.t()), 9 * eye(6, kDouble), 1e-12, 1e-12));
  const Tensor tall = orthogonal_(d({40, 2, 3}));
  EXPECT_TRUE(allclose(mm(tall.view({40, 6}).t(), tall.view({40, 6})), eye(6, kDouble), 1e-12, 1e-12));
}

TEST(Init, FillsTensorsOfAnyLayout) {
  manual_seed(3);
  const Tensor base = zeros({5, 3}), q = orthogonal_(base.t());
  EXPECT_TRUE(allclose(mm(q, q.t()), eye(3), 1e-5, 1e-6));
  EXPECT_TRUE(equal(q, base.t()));
}

TEST(Init, AGeneratorOfItsOwnLeavesTheDefaultOneAlone) {
  manual_seed(5);
  const Tensor want = rand({1});
  manual_seed(5);
  Generator g(7);
  xavier_uniform_(w({3, 3}), 1, g);
  trunc_normal_(w({3, 3}), 0, 1, -2, 2, g);
  EXPECT_TRUE(equal(rand({1}), want));
  EXPECT_TRUE(equal(uniform_(w({4}), 0, 1, Generator(9)), rand({4}, Generator(9))));
}

TEST(Init, GainsAndFans) {
  EXPECT_EQ(calculate_gain(kLinear), 1);
  EXPECT_EQ(calculate_gain(kConvTranspose3D), 1);
  EXPECT_EQ(calculate_gain(kSigmoid), 1);
  EXPECT_EQ(calculate_gain(kTanh), 5.0 / 3);
  EXPECT_EQ(calculate_gain(kReLU), std::sqrt(2.0));
  EXPECT_EQ(calculate_gain(kLeakyReLU), std::sqrt(2 / (1 + 0.01 * 0.01)));
  EXPECT_EQ(calculate_gain(kLeakyReLU, 0.2), std::sqrt(2 / (1 + 0.2 * 0.2)));
  EXPECT_EQ(_calculate_fan_in_and_fan_out(w({4, 3})), std::make_tuple(3, 4));
  EXPECT_EQ(_calculate_fan_in_and_fan_out(w({4, 3, 2, 5})), std::make_tuple(30, 40));
}

TEST(Init, EmptyTensorsAreLeftAlone) {
  set_warning_handler([](const std::string&) {});
  EXPECT_EQ(kaiming_uniform_(w({0, 3})).numel(), 0);
  EXPECT_EQ(orthogonal_(w({0, 3})).numel(), 0);
  EXPECT_EQ(trunc_normal_(w({0})).numel(), 0);
  EXPECT_EQ(xavier_normal_(w({0, 0})).numel(), 0);
  set_warning_handler({});
}

TEST(Init, TruncatedNormalFarFromItsMeanPilesUpAtTheNearestBound) {
  manual_seed(6);
  set_warning_handler([](const std::string&) {});
  // exp(-(x - mean)^2 / 2) over [0, 1] has its mean at 0.77 for mean = 5, and at 0.23 for mean = -4.
  EXPECT_NEAR(trunc_normal_(d({4000}), 5, 1, 0, 1).mean().item<double>(), 0.77, 0.02);
  EXPECT_NEAR(trunc_normal_(d({4000}), -4, 1, 0, 1).mean().item<double>(), 0.23, 0.02);
  set_warning_handler({});
}

TEST(Init, RefusesWhatMakesNoSense) {
  const Tensor none, whole = zeros({2, 2}, kLong), m = zeros({2, 2}), v = zeros({3});
  const std::vector<std::function<Tensor()>> bad = {
      [&] { return uniform_(none); },
      [&] { return uniform_(whole); },
      [&] { return uniform_(m, 2, 1); },
      [&] { return uniform_(m, 0, kNan); },
      [&] { return normal_(m, 0, -1); },
      [&] { return normal_(whole); },
      [&] { return constant_(none, 1); },
      [&] { return eye_(v); },
      [&] { return dirac_(m); },
      [&] {
        return dirac_(zeros({3, 3, 3}), 2);
      },
      [&] {
        return dirac_(zeros({3, 3, 3}), 0);
      },
      [&] { return xavier_uniform_(v); },
      [&] { return xavier_normal_(m, kNan); },
      [&] { return xavier_normal_(m, -1); },
      [&] { return kaiming_uniform_(v); },
      [&] { return kaiming_uniform_(m, kNan); },
      [&] { return kaiming_normal_(m, 0, kReLU); },
      [&] { return kaiming_normal_(m, 0, kFanIn, kGELU); },
      [&] { return orthogonal_(v); },
      [&] { return orthogonal_(whole); },
      [&] { return sparse_(v, 0.5); },
      [&] { return sparse_(m, kNan); },
      [&] { return trunc_normal_(m, 0, 0); },
      [&] { return trunc_normal_(m, 0, 1, 2, 1); },
  };
  for (size_t i = 0; i < bad.size(); ++i) EXPECT_THROW(bad[i](), Error) << "call " << i;
  EXPECT_TRUE(equal(m, zeros({2, 2})) && equal(v, zeros({3})));
}

}  // namespace
}  // namespace taut
