// A gradient, from the package.
#include <taut/taut.h>

int main() {
  auto x = taut::tensor({2.0, 3.0}, taut::requires_grad());
  (x * x).sum().backward();
  return x.grad()[1].item<double>() == 6.0 ? 0 : 1;
}
