// A Gaussian process: a smooth function from a few noisy measurements, with how sure one may be of it. Its settings are
// found by the gradient of the likelihood, through the Cholesky factor.
#include <taut/taut.h>

#include <cmath>

#include "arguments.h"
#include "picture.h"

using taut::Tensor;

constexpr double kPi = 3.14159265358979323846;

Tensor truth(const Tensor& x) { return (2 * x).sin() + 0.4 * x; }

/// The logarithms of length, height and noise.
struct Settings {
  Tensor length, height, noise;
  std::vector<Tensor> all() const { return {length, height, noise}; }
};

/// How alike the function is in two places.
Tensor covariance(const Tensor& a, const Tensor& b, const Settings& s) {
  return (2 * s.height - 0.5 * ((a.unsqueeze(1) - b) / s.length.exp()).square()).exp();
}
/// The Cholesky factor of the measurements' covariance.
Tensor factor(const Tensor& x, const Settings& s) {
  return taut::linalg_cholesky(covariance(x, x, s) +
                               (2 * s.noise).exp() * taut::eye(x.numel(), x.options().requires_grad(false)));
}
/// -log p(y): half of y' K^-1 y, of log det K, and of n log 2 pi.
Tensor surprise(const Tensor& x, const Tensor& y, const Settings& s) {
  const Tensor l = factor(x, s), white = taut::linalg_solve_triangular(l, y.unsqueeze(1), /*upper=*/false);
  return 0.5 * white.square().sum() + taut::diagonal(l).log().sum() +
         0.5 * static_cast<double>(y.numel()) * std::log(2 * kPi);
}

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 200, "Fits a Gaussian process to 36 measurements and draws it.");
  taut::manual_seed(0);
  taut::set_default_dtype(taut::kDouble);
  // Nothing was measured in the middle and at the ends.
  const Tensor x = taut::cat({taut::rand({21}) * 2.6 - 3.6, taut::rand({15}) * 2.2 + 1});
  const Tensor y = truth(x) + 0.15 * taut::randn_like(x);

  const auto start = [](double v) { return taut::full({}, v).requires_grad_(); };
  const Settings s{start(0), start(0), start(-1)};
  taut::optim::Adam optimizer(s.all(), taut::optim::AdamOptions(0.05));
  double first = 0, last = 0;
  for (int step = 0; step <= steps; ++step) {
    optimizer.zero_grad();
    const Tensor loss = surprise(x, y, s);
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 50 == 0) std::cout << "step " << step << "  loss " << last << '\n';
  }

  taut::NoGradGuard guard;
  std::cout << "length " << s.length.exp().item<double>() << ", height " << s.height.exp().item<double>() << ", noise "
            << s.noise.exp().item<double>() << " (0.15 was put in)\n";
  Picture picture(-5, 5, -4, 4);
  const Tensor l = factor(x, s), across = covariance(x, picture.x(), s);
  const Tensor white = taut::linalg_solve_triangular(l, across, /*upper=*/false);
  const Tensor mean = white.t().matmul(taut::linalg_solve_triangular(l, y.unsqueeze(1), /*upper=*/false)).squeeze(1);
  const Tensor sigma = ((2 * s.height).exp() - white.square().sum(0)).clamp_min(0).sqrt();
  const double within = ((truth(picture.x()) - mean).abs() <= 2 * sigma).mean(taut::kDouble).item<double>();
  std::cout << "the truth lies within two standard deviations over " << 100 * within << "% of the width\n";

  picture.band(mean - 2 * sigma, mean + 2 * sigma, rgb(0.80, 0.88, 0.97));
  picture.band(mean - sigma, mean + sigma, rgb(0.66, 0.79, 0.94));
  picture.line(truth(picture.x()), rgb(0.55, 0.55, 0.55));
  picture.line(mean, rgb(0.12, 0.36, 0.71), 3);
  picture.dots(x, y, rgb(0.85, 0.25, 0.15));
  picture.save("gaussian_process.png");
  std::cout
      << "wrote gaussian_process.png: measurements, mean, one and two standard deviations, and the truth in grey\n";
  return last < first ? 0 : 1;
}
