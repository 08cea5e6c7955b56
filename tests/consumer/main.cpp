// The smallest program that uses Taut from outside.
#include <taut/taut.h>

int main() {
  auto x = taut::tensor({2.0, 3.0}, taut::requires_grad());
  (x * x).sum().backward();
  auto y = taut::zeros({2, 2});
  y[0] = 5;
  if (y.sum().item<double>() != 10.0) return 1;
  // In the library of numerics, which the shared one loads now.
  if (taut::inverse(taut::tensor({{2.0, 0.0}, {0.0, 4.0}}))[1][1].item<double>() != 0.25) return 1;
  return x.grad()[1].item<double>() == 6.0 ? 0 : 1;
}
