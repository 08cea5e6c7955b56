// What 1797 handwritten digits have in common: principal components by singular values, as pictures and as a map.
#include <taut/taut.h>

#include <iostream>

#include "picture.h"

using taut::Tensor;

/// From 0 to 1.
Tensor levels(const Tensor& x) { return (x - x.min()) / (x.max() - x.min()); }

int main() {
  const std::string data = TAUT_EXAMPLE_DATA;
  const Tensor images = taut::io::read_idx(data + "/digits-images.idx3.gz").to(taut::kFloat) / 16;
  const Tensor labels = taut::io::read_idx(data + "/digits-labels.idx1.gz").to(taut::kLong);
  const int64_t count = images.size(0), side = images.size(1);
  const Tensor x = images.reshape({count, side * side}), mean = x.mean(0), centred = x - mean;

  // centred = U diag(S) V': the rows of V' are the components, in the order of what they explain.
  const auto [u, s, components] = taut::linalg_svd(centred, /*full_matrices=*/false);
  const Tensor explained = s.square() / s.square().sum(), together = explained.cumsum(0);
  for (const int64_t k : {1, 2, 5, 10, 20, 40})
    std::cout << k << (k == 1 ? " component explains " : " components explain ") << 100 * together[k - 1].item<double>()
              << "% of the variance\n";
  const auto rebuilt = [&](int64_t k) {
    return mean + taut::matmul(u.narrow(1, 0, k) * s.narrow(0, 0, k), components.narrow(0, 0, k));
  };

  // How well does the nearest mean of a class in few dimensions tell the digits apart?
  for (const int64_t k : {2, 10, 20}) {
    const Tensor at = u.narrow(1, 0, k) * s.narrow(0, 0, k), member = taut::one_hot(labels, 10).to(taut::kFloat);
    const Tensor centres = member.t().matmul(at) / member.sum(0).unsqueeze(1);
    const double right = taut::cdist(at, centres).argmin(1).eq(labels).mean(taut::kFloat).item<double>();
    std::cout << "the nearest of ten centres in " << k << " dimensions is the right digit for " << 100 * right << "%\n";
  }

  // The map of the first two components, a colour for each digit; beside it the components, and a digit from few of
  // them.
  const Tensor colours = taut::tensor({{31.0, 119, 180},
                                       {255, 127, 14},
                                       {44, 160, 44},
                                       {214, 39, 40},
                                       {148, 103, 189},
                                       {140, 86, 75},
                                       {227, 119, 194},
                                       {127, 127, 127},
                                       {188, 189, 34},
                                       {23, 190, 207}}) /
                         255.0;
  Picture picture(-2.6, 5.2, -2.6, 2.6, 960, 640);
  const Tensor at = u.narrow(1, 0, 2) * s.narrow(0, 0, 2);
  for (int64_t digit = 0; digit < 10; ++digit) {
    const Tensor own = at.index({labels == digit});
    picture.dots(own.select(1, 0), own.select(1, 1), colours[digit], 3);
  }
  for (int64_t k = 0; k < 8; ++k)
    picture.inset(levels(components[k]).view({side, side}), 20 + k / 4 * 84, 624 + k % 4 * 84, 9);
  for (int64_t example = 0; example < 4; ++example) {
    const int64_t row = 230 + example * 98;
    int64_t column = 0;
    for (const int64_t k : {2, 10, 20, 64})
      picture.inset(levels(rebuilt(k)[example]).view({side, side}), row, 624 + column++ * 84, 9);
  }
  picture.save("pca.png");
  std::cout << "wrote pca.png: the map; the first eight components; four digits from 2, 10, 20 and all 64\n";
  return together[19].item<double>() > 0.85 ? 0 : 1;
}
