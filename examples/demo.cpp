// The gradient examples that people meet first, each with its code and what it prints.
#include <taut/taut.h>

#include <iostream>
#include <string>

using taut::Tensor;

// Prints a line of code, then runs it.
#define RUN(...)                               \
  std::cout << "    " << #__VA_ARGS__ << '\n'; \
  __VA_ARGS__
// Prints an expression and its value.
#define SHOW(expression) std::cout << "    " << #expression << "\n      -> " << indented(expression) << '\n'

/// The lines of a printed tensor, below each other.
static std::string indented(const Tensor& t) {
  std::string text = taut::repr(t);
  for (size_t at = 0; (at = text.find('\n', at)) != text.npos; ++at) text.insert(at + 1, "         ");
  return text;
}

static void title(const char* text) { std::cout << '\n' << text << "\n\n"; }

/// x squared, with a derivative of our own.
struct Square : taut::autograd::Function<Square> {
  static Tensor forward(taut::autograd::AutogradContext* ctx, Tensor x) {
    ctx->save_for_backward({x});
    return x.pow(2);
  }
  static taut::autograd::variable_list backward(taut::autograd::AutogradContext* ctx, taut::autograd::variable_list g) {
    const Tensor x = ctx->get_saved_variables()[0];
    return {g[0] * 2 * x};
  }
};

int main() {
  title("1. The derivative of 2x^2 + 3 at x = 2");
  {
    RUN(Tensor x = taut::tensor(2.0, taut::requires_grad());)
    RUN(Tensor y = 2 * x.pow(2) + 3;)
    RUN(y.backward();)
    SHOW(x.grad());
  }
  title("2. A linear layer: gradients of W and b");
  {
    RUN(Tensor W = taut::tensor({{1.0, 2.0}, {3.0, 4.0}}, taut::requires_grad());)
    RUN(Tensor b = taut::tensor({0.5, 1.0}, taut::requires_grad());)
    RUN(Tensor X = taut::tensor({{1.0, 0.5}, {0.2, 0.8}});)
    RUN(Tensor y = taut::matmul(X, W) + b;)
    RUN(Tensor loss = y.pow(2).sum();)
    RUN(loss.backward();)
    SHOW(loss);
    SHOW(W.grad());
    SHOW(b.grad());
  }
  title("3. Gradients add up until they are zeroed");
  {
    RUN(Tensor x = taut::tensor(3.0, taut::requires_grad());)
    RUN(x.pow(2).backward();)
    SHOW(x.grad());
    RUN(x.mutable_grad().zero_();)
    RUN(x.pow(3).backward();)
    SHOW(x.grad());
    std::cout << "    and without zeroing in between:\n";
    RUN(Tensor z = taut::tensor(3.0, taut::requires_grad());)
    RUN(z.pow(2).backward();)
    RUN(z.pow(3).backward();)
    SHOW(z.grad());
  }
  title("4. A Function of our own: forward saves x, backward returns 2 x g");
  {
    RUN(Tensor x = taut::tensor({2.0}, taut::requires_grad());)
    RUN(Tensor y = Square::apply(x);)
    SHOW(y);
    RUN(y.backward();)
    SHOW(x.grad());
  }
  title("5. When something is wrong, the message says what and where");
  {
    RUN(Tensor x = taut::tensor({0.5, 1.5}, taut::requires_grad());)
    RUN(Tensor y = x.tanh();)
    RUN(Tensor z = y * y;)
    RUN(y.mul_(2);)
    std::cout << "    z.sum().backward();\n";
    try {
      z.sum().backward();
    } catch (const taut::Error& e) {
      std::cout << "      -> " << e.what() << '\n';
    }
  }
  return 0;
}
