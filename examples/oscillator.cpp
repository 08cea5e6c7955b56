// A damped oscillator from its noisy course: a sum of complex exponentials c exp(s t), whose real exponents are decay
// and whose imaginary ones are frequency. First guess by a Fourier transform, then gradients of complex numbers.
#include <taut/taut.h>

#include <cmath>
#include <complex>

#include "arguments.h"
#include "picture.h"

using taut::Tensor;

constexpr double kPi = 3.14159265358979323846, kSeconds = 8;
constexpr int64_t kSamples = 400, kModes = 2;

/// The real part of sum_k c_k exp(s_k t).
Tensor course(const Tensor& t, const Tensor& c, const Tensor& s) {
  return taut::real(taut::matmul((t.unsqueeze(1) * s).exp(), c));
}

/// Amplitudes and exponents of the strongest peaks of the spectrum, each looked for in what the ones before leave.
std::pair<Tensor, Tensor> peaks(const Tensor& t, const Tensor& y) {
  Tensor rest = y, c = taut::empty({0}, taut::kComplexDouble), s = c;
  for (int64_t k = 0; k < kModes; ++k) {
    const Tensor power = taut::fft_rfft(rest, 4 * kSamples).abs();  // padded, for a finer grid of frequencies
    const double frequency = 2 * kPi * static_cast<double>(power.argmax().item<int64_t>()) / (4 * kSeconds);
    s = taut::cat({s, taut::complex(taut::tensor({-0.3}), taut::tensor({frequency}))});
    // The best amplitudes for these exponents, by least squares over their real and imaginary parts.
    const Tensor waves = (t.unsqueeze(1) * s).exp();
    const Tensor parts =
        std::get<0>(taut::linalg_lstsq(taut::cat({taut::real(waves), -taut::imag(waves)}, 1), y.unsqueeze(1)));
    c = taut::complex(parts.narrow(0, 0, k + 1), parts.narrow(0, k + 1, k + 1)).squeeze(1);
    rest = y - course(t, c, s);
  }
  return {c, s};
}

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 400, "Finds the frequencies and decays of two modes from noisy samples.");
  taut::manual_seed(0);
  taut::set_default_dtype(taut::kDouble);
  const auto number = [](std::vector<double> re, std::vector<double> im) {
    return taut::complex(taut::tensor(re), taut::tensor(im));
  };
  const Tensor true_c = number({1.0, 0.3}, {-0.4, 0.5}), true_s = number({-0.25, -0.5}, {5.0, 9.0});
  const Tensor t = taut::arange(kSamples).to(taut::kDouble) * (kSeconds / kSamples);
  const Tensor y = course(t, true_c, true_s) + 0.1 * taut::randn({kSamples});

  auto [c, s] = peaks(t, y);
  c.requires_grad_(), s.requires_grad_();
  taut::optim::Adam optimizer({c, s}, taut::optim::AdamOptions(0.02));
  double first = 0, last = 0;
  for (int step = 0; step <= steps; ++step) {
    optimizer.zero_grad();
    const Tensor loss = taut::mse_loss(course(t, c, s), y);
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 100 == 0) std::cout << "step " << step << "  loss " << last << '\n';
  }

  taut::NoGradGuard guard;
  const Tensor order = taut::imag(s).argsort();
  for (int64_t k = 0; k < kModes; ++k) {
    const auto found = s[order[k].item<int64_t>()].item<std::complex<double>>(),
               truth = true_s[k].item<std::complex<double>>();
    std::cout << "mode " << k + 1 << ": " << found.imag() / (2 * kPi) << " Hz, decay " << -found.real() << " (truth "
              << truth.imag() / (2 * kPi) << " Hz, " << -truth.real() << ")\n";
  }
  Picture picture(0, kSeconds, -2, 2);
  picture.dots(t, y, rgb(0.75, 0.75, 0.75), 2.5);
  picture.line(course(picture.x(), true_c, true_s), rgb(0.95, 0.60, 0.20), 5);
  picture.line(course(picture.x(), c, s), rgb(0.12, 0.36, 0.71));
  picture.save("oscillator.png");
  std::cout << "wrote oscillator.png: samples in grey, the course found in blue over the true one in orange\n";
  return last < first ? 0 : 1;
}
