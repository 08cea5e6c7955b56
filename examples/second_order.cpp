// Two decays that are hard to tell apart: the loss is 300,000 times as steep across its valley as along it, and
// gradient descent does not get to the end. Levenberg and Marquardt's method and Newton's do.
#include <taut/optim/second_order.h>
#include <taut/taut.h>

#include <functional>
#include <memory>

#include "arguments.h"
#include "picture.h"

using taut::Tensor;
using taut::optim::LevenbergMarquardt;
using taut::optim::NewtonCG;
using taut::optim::SGD;

namespace {

/// Amplitude, rate, amplitude, rate.
Tensor decays(const Tensor& t, const Tensor& p) { return p[0] * (-p[1] * t).exp() + p[2] * (-p[3] * t).exp(); }

using Residuals = std::function<Tensor()>;
using Step = std::function<void()>;

/// The sum of squares before each of the steps, and after the last.
std::vector<double> course(const char* name, int steps, const Tensor& t, const Tensor& y,
                           const std::function<Step(const Tensor& p, const Residuals& residuals)>& optimizer) {
  const Tensor p = taut::tensor({1.0, 0.5, 1.0, 3.0}, taut::kDouble).requires_grad_();
  const Residuals residuals = [&] { return decays(t, p) - y; };
  const Step step = optimizer(p, residuals);
  std::vector<double> losses;
  for (int i = 0; i <= steps; ++i) {
    losses.push_back(residuals().square().sum().item<double>());
    if (i < steps) step();
  }
  std::cout << name << "  " << p.detach() << "  sum of squares " << losses.back() << '\n';
  return losses;
}

void draw(Picture& picture, const std::vector<double>& losses, const Tensor& colour) {
  const Tensor all = taut::tensor(taut::TensorData(losses), taut::kDouble).clamp_min(1e-30).log10();
  const Tensor at = picture.x().to(taut::kDouble).clamp(0, static_cast<double>(losses.size() - 1));
  const Tensor left = at.floor().to(taut::kLong).clamp_max(static_cast<int64_t>(losses.size()) - 2);
  picture.line(taut::lerp(all.index_select(0, left), all.index_select(0, left + 1), at - left), colour, 3);
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 60, "Fits a sum of two decays by first and by second derivatives.");
  const Tensor t = taut::linspace(0, 4, 80, taut::dtype(taut::kDouble));
  const Tensor y = decays(t, taut::tensor({2.0, 1.0, 1.5, 1.6}, taut::kDouble));

  const auto first =
      course("SGD                ", steps, t, y, [](const Tensor& p, const Residuals& residuals) -> Step {
        // Larger rates do no better.
        const auto sgd = std::make_shared<SGD>(std::vector<Tensor>{p}, taut::optim::SGDOptions(0.01).momentum(0.9));
        return [=] {
          sgd->zero_grad();
          residuals().square().sum().backward();
          sgd->step();
        };
      });
  const auto second =
      course("Newton-CG          ", steps, t, y, [](const Tensor& p, const Residuals& residuals) -> Step {
        const auto loss = [=] { return residuals().square().sum(); };
        const auto newton =
            std::make_shared<NewtonCG>(loss, std::vector<Tensor>{p}, taut::optim::NewtonCGOptions().tolerance(1e-4));
        return [=] { newton->step(); };
      });
  const auto third =
      course("Levenberg-Marquardt", steps, t, y, [](const Tensor& p, const Residuals& residuals) -> Step {
        const auto marquardt = std::make_shared<LevenbergMarquardt>(residuals, std::vector<Tensor>{p});
        return [=] { marquardt->step(); };
      });

  Picture picture(0, steps, -31, 3);
  for (int power = -30; power <= 0; power += 5)
    picture.line(taut::full_like(picture.x(), power), rgb(0.88, 0.88, 0.88), 1);
  draw(picture, first, rgb(0.75, 0.25, 0.2));
  draw(picture, second, rgb(0.16, 0.62, 0.44));
  draw(picture, third, rgb(0.12, 0.36, 0.71));
  picture.save("second_order.png");
  std::cout
      << "wrote second_order.png: the sum of squares from step to step, by powers of ten: SGD in red, Newton-CG in "
         "green, Levenberg-Marquardt in blue\n";
  return third.back() < first.back() ? 0 : 1;
}
