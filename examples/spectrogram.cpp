// A spectrogram of two synthetic chirps in noise, as a picture; and the signal cleaned by keeping what stands out.
#include <taut/taut.h>

#include <cmath>
#include <iostream>

using taut::Tensor;

constexpr double kPi = 3.14159265358979323846;
constexpr double kRate = 8000, kSeconds = 6;  // samples per second
constexpr int64_t kWindow = 512, kHop = 64;

/// sin of the phase that a frequency, given for every sample, adds up to.
Tensor wave(const Tensor& frequency) { return (taut::cumsum(frequency, 0) * (2 * kPi / kRate)).sin(); }

/// Levels from 0 to 1 as colours from night to light, [3, H, W].
Tensor coloured(const Tensor& level) {
  const Tensor stops = taut::tensor(
      {{0.02, 0.02, 0.08}, {0.28, 0.07, 0.42}, {0.73, 0.21, 0.33}, {0.98, 0.56, 0.15}, {0.99, 0.99, 0.75}});
  const Tensor place = level.clamp(0, 1) * static_cast<double>(stops.size(0) - 1);
  const Tensor below = place.floor().clamp(0, static_cast<double>(stops.size(0) - 2));
  const Tensor part = (place - below).unsqueeze(-1), from = below.to(taut::kLong);
  const Tensor rgb = stops.index({from}) * (1 - part) + stops.index({from + 1}) * part;
  return (rgb.permute({2, 0, 1}) * 255).round().to(taut::kByte);
}
/// How much stronger the signal is than what an estimate misses of it.
double decibels(const Tensor& signal, const Tensor& estimate) {
  return 10 * std::log10((signal.square().mean() / (signal - estimate).square().mean()).item<double>());
}

int main() {
  taut::manual_seed(0);
  const Tensor t = taut::arange(kRate * kSeconds) / kRate;
  const Tensor rising = 200 + 3300 * (t / kSeconds).square(), falling = 3000 - 2600 * t / kSeconds;
  const Tensor pulse = (0.5 + 0.5 * (2 * kPi * 2 * t).cos()).pow(4);  // twice a second
  const Tensor signal = wave(rising) + 0.5 * pulse * wave(falling);
  const Tensor noisy = signal + taut::randn_like(signal);

  const Tensor window = taut::hann_window(kWindow);
  const Tensor spectra = taut::stft(noisy, kWindow, kHop, kWindow, window, /*center=*/true, "reflect",
                                    /*normalized=*/true, /*onesided=*/true, /*return_complex=*/true);
  const Tensor power = spectra.abs().square();
  std::cout << "spectra of " << spectra.size(1) << " windows, " << spectra.size(0) << " frequencies each\n";

  // The strongest frequency of each window, beside that of the rising chirp in its middle.
  const Tensor found = power.argmax(0) * (kRate / kWindow);
  for (const double second : {0.5, 2.0, 3.5, 5.0}) {
    const auto sample = static_cast<int64_t>(second * kRate);
    std::cout << "after " << second << " s: " << found[sample / kHop].item<double>() << " Hz found, "
              << rising[sample].item<double>() << " Hz true\n";
  }

  taut::io::write_png(coloured((power.log10() + 0.8) / 2.6).flip({1}), "spectrogram.png");
  std::cout << "wrote spectrogram.png\n";

  const Tensor kept = spectra * (power > 8 * power.median());
  const Tensor clean = taut::istft(kept, kWindow, kHop, kWindow, window, true, true, true, signal.size(0));
  const double before = decibels(signal, noisy), after = decibels(signal, clean);
  std::cout << "signal to noise: " << before << " dB as it came, " << after << " dB cleaned\n";
  return after > before + 5 ? 0 : 1;
}
