// Linear algebra beyond the samples of the sweep: matrices of many sizes by what their factors multiply to, derivatives
// of what reads one half of a matrix, and errors that name the matrix.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/sample.h"
#include "taut/taut.h"

namespace taut {
namespace {

using autograd::gradcheck;
using autograd::gradgradcheck;
using autograd::variable_list;

constexpr int64_t kSizes[] = {1, 2, 3, 7, 16, 17, 31, 33, 64, 65, 97, 130};

Tensor matrix(int64_t m, int64_t n, ScalarType dtype = kDouble, int seed = 0) {
  return test::numbers(test::Kind::Any, seed, {m, n}).to(dtype);
}
Tensor positive(int64_t n, ScalarType dtype) {
  const Tensor a = matrix(n, n);
  return (a.matmul(a.mT()) + eye(n, kDouble) * static_cast<double>(n)).to(dtype);
}
/// The largest difference, in roundings of the largest element times the size.
double error(const Tensor& got, const Tensor& want, int64_t n) {
  const Tensor wanted = want.to(kDouble);
  const double eps = got.scalar_type() == kFloat ? 0x1p-24 : 0x1p-53;
  if (got.numel() == 0) return 0;
  return (got.to(kDouble) - wanted).abs().max().item<double>() /
         (eps * std::max(1.0, wanted.abs().max().item<double>()) * static_cast<double>(n));
}
Tensor unit(int64_t n, const Tensor& like) { return eye(n, like.scalar_type()); }
std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const LinAlgError& e) {
    return std::string("LinAlgError: ") + e.what();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

class OfBothPrecisions : public testing::TestWithParam<ScalarType> {};
INSTANTIATE_TEST_SUITE_P(Linalg, OfBothPrecisions, testing::Values(kFloat, kDouble));

TEST_P(OfBothPrecisions, CholeskyFactorsMultiplyToTheMatrix) {
  for (const int64_t n : kSizes) {
    const Tensor a = positive(n, GetParam()), l = linalg::cholesky(a);
    EXPECT_LT(error(l.matmul(l.mT()), a, n), 4) << n;
    EXPECT_TRUE(l.equal(l.tril())) << n;
    EXPECT_TRUE(linalg::cholesky(a, true).equal(l.mT())) << n;
  }
}
TEST_P(OfBothPrecisions, LuFactorsMultiplyToTheMatrix) {
  for (const int64_t m : kSizes)
    for (const int64_t n : {m, m / 2 + 1, 2 * m + 3}) {
      const Tensor a = matrix(m, n, GetParam());
      const auto [p, l, u] = linalg::lu(a);
      EXPECT_LT(error(p.matmul(l).matmul(u), a, m), 8) << m << " x " << n;
      EXPECT_TRUE(l.equal(l.tril()) && u.equal(u.triu())) << m << " x " << n;
      EXPECT_LE(l.abs().max().item<double>(), 1) << "no pivot was the largest of its column: " << m << " x " << n;
    }
}
TEST_P(OfBothPrecisions, SolutionsSolveTheirSystems) {
  for (const int64_t n : kSizes) {
    const Tensor a = positive(n, GetParam()), b = matrix(n, 5, GetParam(), 1);
    EXPECT_LT(error(a.matmul(linalg::solve(a, b)), b, n), 40) << n;
    EXPECT_LT(error(linalg::solve(a, b.mT().contiguous(), false).matmul(a), b.mT(), n), 40) << n;
    EXPECT_LT(error(a.matmul(linalg::inv(a)), unit(n, a), n), 40) << n;
    for (const bool upper : {false, true})
      for (const bool left : {false, true}) {
        const Tensor t = upper ? a.triu() : a.tril(), x = left ? b : b.mT().contiguous();
        const Tensor found = linalg::solve_triangular(a, x, upper, left);
        EXPECT_LT(error(left ? t.matmul(found) : found.matmul(t), x, n), 8) << n << upper << left;
      }
  }
}
TEST_P(OfBothPrecisions, QrFactorsMultiplyToTheMatrixInEveryMode) {
  for (const int64_t m : kSizes)
    for (const int64_t n : {m, m / 2 + 1, 2 * m + 3}) {
      const Tensor a = matrix(m, n, GetParam());
      for (const char* mode : {"reduced", "complete"}) {
        const auto [q, r] = linalg::qr(a, mode);
        EXPECT_LT(error(q.matmul(r), a, m), 8) << m << " x " << n << mode;
        EXPECT_LT(error(q.mT().matmul(q), unit(q.size(1), a), m), 8) << m << " x " << n << mode;
        EXPECT_TRUE(r.equal(r.triu()));
      }
      const auto [none, r] = linalg::qr(a, "r");
      EXPECT_EQ(none.numel(), 0);
      EXPECT_TRUE(r.equal(std::get<1>(linalg::qr(a))));
    }
}
TEST_P(OfBothPrecisions, EigenvectorsDiagonaliseTheMatrix) {
  for (const int64_t n : kSizes) {
    const Tensor half = matrix(n, n, GetParam()), a = half + half.mT();
    const auto [values, v] = linalg::eigh(a);
    EXPECT_LT(error((v * values).matmul(v.mT()), a, n), 16) << n;
    EXPECT_LT(error(v.mT().matmul(v), unit(n, a), n), 16) << n;
    EXPECT_TRUE((values.diff() >= 0).all().item<bool>()) << n;
    EXPECT_LT(error(linalg::eigvalsh(a), values, n), 16) << n;
    EXPECT_LT(error(linalg::eigvalsh(a.triu(), "U"), values, n), 16) << n;
  }
}
TEST_P(OfBothPrecisions, SingularVectorsMultiplyToTheMatrix) {
  for (const int64_t m : kSizes)
    for (const int64_t n : {m, m / 2 + 1, 2 * m + 3}) {
      const Tensor a = matrix(m, n, GetParam());
      for (const bool full : {false, true}) {
        const auto [u, s, vh] = linalg::svd(a, full);
        const int64_t k = std::min(m, n);
        EXPECT_LT(error((u.narrow(1, 0, k) * s).matmul(vh.narrow(0, 0, k)), a, m), 24) << m << " x " << n << full;
        EXPECT_LT(error(u.mT().matmul(u), unit(u.size(1), a), m), 16) << m << " x " << n << full;
        EXPECT_LT(error(vh.matmul(vh.mT()), unit(vh.size(0), a), m), 16) << m << " x " << n << full;
        EXPECT_TRUE((s.diff() <= 0).all().item<bool>() && (s >= 0).all().item<bool>());
        EXPECT_LT(error(linalg::svdvals(a), s, m), 16) << m << " x " << n;
      }
    }
}
TEST_P(OfBothPrecisions, MatricesThatRepeatTheirEigenvaluesAreDone) {
  for (const int64_t n : {40, 90}) {  // by iterations, and by halves
    const Tensor one = eye(n, GetParam()) * 3;
    EXPECT_TRUE(std::get<0>(linalg::eigh(one)).equal(full({n}, 3, GetParam())));
    EXPECT_LT(error(std::get<1>(linalg::svd(one)), full({n}, 3, GetParam()), n), 1);
    const Tensor ranks = ones({n, n - 10}, GetParam());
    EXPECT_EQ(linalg::matrix_rank(ranks).item<int64_t>(), 1);
    const auto [u, s, vh] = linalg::svd(ranks, false);
    EXPECT_LT(error((u * s).matmul(vh), ranks, n), n);
    EXPECT_LT(error(u.mT().matmul(u), unit(n - 10, ranks), n), 8);
    EXPECT_LT(error(ranks.matmul(linalg::pinv(ranks)).matmul(ranks), ranks, n), 8);
    const auto [values, v] = linalg::eigh(ones({n, n}, GetParam()));
    EXPECT_LT(error((v * values).matmul(v.mT()), ones({n, n}, GetParam()), n), n);
    EXPECT_LT(error(v.mT().matmul(v), unit(n, v), n), 8);
  }
  EXPECT_EQ(linalg::matrix_rank(zeros({3, 3}, GetParam())).item<int64_t>(), 0);
}

TEST_P(OfBothPrecisions, ABatchIsItsMatricesOneByOneBitForBit) {
  for (const int64_t n : {1, 4, 9, 16, 17, 33}) {
    const Tensor a = test::numbers(test::Kind::Any, 3, {5, 7, n, n}).to(GetParam());
    const Tensor spd = a.matmul(a.mT()) + eye(n, GetParam()) * 4;
    const Tensor inverse = linalg::inv(a), det = linalg::det(a), l = linalg::cholesky(spd),
                 upper = linalg::solve_triangular(spd, a, true), right = linalg::solve_triangular(spd, a, false, false);
    const auto [values, v] = linalg::eigh(spd);
    for (int64_t i = 0; i < 5; ++i)
      for (int64_t j = 0; j < 7; ++j) {
        const Tensor x = a[i][j], s = spd[i][j];
        EXPECT_TRUE(inverse[i][j].equal(linalg::inv(x))) << n;
        EXPECT_TRUE(det[i][j].equal(linalg::det(x))) << n;
        EXPECT_TRUE(l[i][j].equal(linalg::cholesky(s))) << n;
        EXPECT_TRUE(upper[i][j].equal(linalg::solve_triangular(s, x, true))) << n;
        EXPECT_TRUE(right[i][j].equal(linalg::solve_triangular(s, x, false, false))) << n;
        EXPECT_TRUE(v[i][j].equal(std::get<1>(linalg::eigh(s)))) << n;
      }
  }
}
TEST_P(OfBothPrecisions, ReflectorsOfABatchAreThoseOfItsMatricesOneByOneBitForBit) {
  for (const int64_t m : {1, 4, 9, 32, 33})
    for (const int64_t n : {m, m / 2 + 1, m + 2}) {
      Tensor a = test::numbers(test::Kind::Any, 3, {37, m, n}).to(GetParam());
      a[1] = 0, a[2] *= 1e-30, a[3] *= 1e30, a[4][0] = std::numeric_limits<double>::infinity();
      if (m > 1) a[5].narrow(0, 1, m - 1) = 0;
      for (const char* mode : {"reduced", "complete"}) {
        const auto [q, r] = linalg::qr(a, mode);
        for (int64_t k = 0; k < 37; ++k) {
          const auto [own_q, own_r] = linalg::qr(a[k], mode);
          EXPECT_TRUE(allclose(q[k], own_q, 0, 0, true) && allclose(r[k], own_r, 0, 0, true))
              << m << " x " << n << ", " << k;
        }
      }
    }
}
TEST(Linalg, OneBadMatrixAmongManySmallOnesIsFoundAndSpoilsNoOther) {
  const Tensor a = eye(3, kDouble).expand({20, 3, 3}).clone();
  a[11][1][1] = 0;
  const auto [inverse, info] = linalg::inv_ex(a);
  const auto [l, bad] = linalg::cholesky_ex(a);
  for (int64_t k = 0; k < 20; ++k) {
    EXPECT_EQ(info[k].item<int>(), k == 11 ? 2 : 0);
    EXPECT_EQ(bad[k].item<int>(), k == 11 ? 2 : 0);
    if (k == 11) continue;
    EXPECT_TRUE(inverse[k].equal(eye(3, kDouble)) && l[k].equal(eye(3, kDouble))) << k;
  }
}

TEST(Linalg, LeastSquaresOfAMatrixThatLacksRankIsTheShortest) {
  const Tensor a = tensor({{1.0, 1.0}, {1.0, 1.0}, {2.0, 2.0}}, kDouble), b = tensor({1.0, 3.0, 4.0}, kDouble);
  for (const char* driver : {"gelsy", "gelsd", "gelss"}) {
    const auto [x, residuals, rank, values] = linalg::lstsq(a, b, std::nullopt, driver);
    EXPECT_NEAR(x[0].item<double>(), 1, 1e-12) << driver;
    EXPECT_NEAR(x[1].item<double>(), 1, 1e-12) << driver;
    EXPECT_EQ(rank.item<int64_t>(), 1) << driver;
  }
}

TEST(Linalg, DerivativesOfWhatReadsOneHalfHoldForSymmetricMatrices) {
  const auto symmetric = [](const Tensor& x) { return x.matmul(x.mT()) + eye(3, kDouble); };
  const variable_list in{matrix(3, 3).requires_grad_()};
  const auto check = [&](const std::function<variable_list(const Tensor&)>& f) {
    const auto g = [&](const variable_list& x) { return f(symmetric(x[0])); };
    EXPECT_TRUE(gradcheck(g, in));
    EXPECT_TRUE(gradgradcheck(g, in));
  };
  check([](const Tensor& a) { return variable_list{linalg::cholesky(a)}; });
  check([](const Tensor& a) { return variable_list{linalg::cholesky(a, true)}; });
  check([](const Tensor& a) { return variable_list{linalg::eigvalsh(a)}; });
  check([](const Tensor& a) {
    const auto [values, v] = linalg::eigh(a);
    return variable_list{values, v};
  });
  check([](const Tensor& a) { return variable_list{linalg::pinv(a, std::optional<double>(), std::nullopt, true)}; });
  check([](const Tensor& a) { return variable_list{cholesky_solve(a, linalg::cholesky(a + eye(3, kDouble)))}; });
  check([](const Tensor& a) { return variable_list{cholesky_inverse(linalg::cholesky(a))}; });
}

TEST(Linalg, TheDeterminantOfZerosIsZeroAndItsLogarithmMinusInfinity) {
  const auto [sign, logabsdet] = linalg::slogdet(zeros({2, 2}));
  EXPECT_EQ(sign.item<float>(), 0);
  EXPECT_EQ(logabsdet.item<float>(), -INFINITY);
}

TEST(Linalg, ErrorsNameTheMatrixOfABatch) {
  const Tensor good = eye(2), bad = zeros({2, 2}), both = stack({good, bad});
  EXPECT_EQ(
      message([&] { linalg::cholesky(both); }),
      "LinAlgError: linalg.cholesky: (Batch element 1): The factorization could not be completed because the input "
      "is not positive-definite (the leading minor of order 1 is not positive-definite).");
  EXPECT_EQ(message([&] { linalg::inv(bad); }),
            "LinAlgError: linalg.inv: The diagonal element 1 is zero, the inversion could not be completed because the "
            "input matrix is singular.");
  EXPECT_EQ(
      message([&] { linalg::solve(both, good); }),
      "LinAlgError: torch.linalg.solve: (Batch element 1): The solver failed because the input matrix is singular.");
  EXPECT_EQ(message([&] {
              linalg::svd(full({2, 2}, NAN));
            }),
            "LinAlgError: linalg.svd: The algorithm failed to converge because the input matrix contained non-finite "
            "values.");
  EXPECT_EQ(
      message([&] { cholesky_inverse(bad); }),
      "LinAlgError: cholesky_inverse: The diagonal element 1 is zero, the inversion could not be completed because "
      "the input matrix is singular.");
  EXPECT_EQ(std::get<1>(linalg::inv_ex(both))[1].item<int>(), 1);
  EXPECT_TRUE(linalg::eigvalsh(full({2, 2}, NAN)).isnan().all().item<bool>());
  EXPECT_EQ(message([&] {
              linalg::eigh(full({3, 3}, NAN));
            }),
            "LinAlgError: linalg.eigh: The algorithm failed to converge because the input matrix is ill-conditioned or "
            "has too many repeated eigenvalues (error code: 1).");
}

TEST(Linalg, WhatHasNoDerivativeSaysSo) {
  const Tensor tall = matrix(3, 2).requires_grad_();
  EXPECT_EQ(message([&] { std::get<1>(linalg::qr(tall, "r")).sum().backward(); }),
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
            "mode='reduced') if you are going to differentiate through linalg.qr.");
  EXPECT_EQ(message([&] { std::get<1>(linalg::qr(tall, "complete")).sum().backward(); }),
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
}

}  // namespace
}  // namespace taut
