// PyTorch's approximations, so that gradients have its numbers: series near the ends, Rice's saddle point for large
// parameters, and rational functions fitted to the rest.
#include "kernels/implicit_gradient.h"

#include <cmath>

#include "kernels/special.h"
#include "taut/core/maths.h"

namespace taut::implicit {

namespace {

using maths::log;
using maths::pow;
using special::digamma;

double number_or_zero(double x) { return std::isnan(x) ? 0 : x; }
double sqr(double x) { return x * x; }

/// c[0] + x (c[1] + x (c[2] + ...)).
template <int N>
double horner(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (int i = N - 2; i >= 0; --i) sum = c[i] + x * sum;
  return sum;
}

/// Few terms of the series of the incomplete gamma function around 0.
double gamma_near_zero(double shape, double x) {
  double factor = 1, below = shape;
  double value = factor / below, slope = factor / sqr(below);
  for (int i = 1; i <= 5; ++i) {
    factor *= -x / i;
    below += 1;
    value += factor / below;
    slope += factor / sqr(below);
  }
  const double power = pow(x, shape), density = pow(x, shape - 1) * maths::exp(-x);
  const double area_by_shape = (log(x) - digamma(shape)) * (power * value) - power * slope;
  return number_or_zero(-area_by_shape / density);
}

double gamma_saddle_point(double shape, double x) {
  if (0.9 * shape <= x && x <= 1.1 * shape) {  // around the mean, where the formula below is 0 / 0
    const double a = 1 + 24 * shape * (1 + 12 * shape);
    const double b = 1440 * sqr(shape) + 6 * x * (53 - 120 * x) - 65 * sqr(x) / shape + shape * (107 + 3600 * x);
    return a * b / (1244160 * sqr(shape) * sqr(shape));
  }
  const double ratio = log(x / shape), width = std::sqrt(8 * shape);
  const double near = width / (shape - x), far = pow(x - shape - shape * ratio, -1.5);
  const double both = x < shape ? near - far : near + far;
  const double sum = ratio * both - std::sqrt(2 / shape) * (shape + x) / sqr(shape - x);
  const double stirling = 1 + 1 / (12 * shape) * (1 + 1 / (24 * shape));
  return -stirling * (x * sum) / width;
}

/// A rational function of two variables, fitted.
double gamma_fit(double shape, double x) {
  constexpr double fit[8][3] = {{0.16009398, 0.53487893, 0.040121004},
                                {-0.094634809, 0.1298071, -0.0065914022},
                                {0.025146376, 0.065735949, -0.0026286047},
                                {-0.0030648343, -0.0015649758, -0.0013441777},
                                {1, 0.16639465, 0.017050642},
                                {0.32668115, 0.020070113, -0.0021309326},
                                {0.10406089, -0.0035938915, 0.00085092367},
                                {0.0014179084, -0.00058392623, -1.5247877e-07}};
  const double u = log(x / shape), v = log(shape);
  double above[4], below[4];
  for (int i = 0; i < 4; ++i) above[i] = horner(fit[i], u), below[i] = horner(fit[4 + i], u);
  return maths::exp(horner(above, v) / horner(below, v));
}

/// The series of the incomplete beta function around 0, by its first parameter: in the precision of the numbers, as in
/// PyTorch, while all else is computed in double.
template <class T>
T beta_near_zero(T x, T alpha, T beta) {
  const T common = static_cast<T>(digamma(alpha)) - static_cast<T>(digamma(alpha + beta)) - static_cast<T>(log(x));
  T factor = 1, sum = factor / alpha * (common + 1 / alpha);
  for (int i = 1; i <= 10; ++i) {
    const T k = static_cast<T>(i), below = alpha + k;
    factor *= (k - beta) * x / k;
    sum += factor / below * (common + 1 / below);
  }
  return static_cast<T>(number_or_zero(x * static_cast<T>(pow(1 - x, -beta)) * sum));
}
/// The same by its second parameter.
template <class T>
T beta_near_zero_by_second(T x, T alpha, T beta) {
  const T common = static_cast<T>(digamma(alpha + beta)) - static_cast<T>(digamma(beta));
  T factor = 1, product = 1, slope = 0, sum = common / alpha;
  for (int i = 1; i <= 8; ++i) {
    const T k = static_cast<T>(i);
    factor *= -x / k;
    slope = slope * (beta - k) + product;
    product *= beta - k;
    sum += factor / (alpha + k) * (slope + common * product);
  }
  return static_cast<T>(number_or_zero(-static_cast<T>(pow(1 - x, 1 - beta)) * sum));
}

double beta_saddle_point(double x, double alpha, double beta) {
  const double total = alpha + beta, mean = alpha / total;
  const double deviation = std::sqrt(alpha * beta / (total + 1)) / total;
  if (mean - 0.1 * deviation <= x && x <= mean + 0.1 * deviation) {
    const double square = sqr(beta),
                 by_alpha[] = {47 * x * sqr(square), (43 + 20 * (16 + 27 * beta) * x) * square * beta,
                               3 * (59 + 180 * beta - 90 * x) * square, (453 + 1620 * beta * (1 - x) - 455 * x) * beta,
                               8 * (1 - x) * (135 * beta - 11)};
    const double above = (1 + 12 * alpha) * (1 + 12 * beta) / sqr(total);
    const double below = 12960 * alpha * alpha * alpha * square * (1 + 12 * total);
    return above / (1 - x) * horner(by_alpha, alpha) / below;
  }
  const auto stirling = [](double n) { return 1 + 1 / (12 * n) + 1 / (288 * sqr(n)); };
  const double scale = -x / std::sqrt(2 * alpha * beta / total) * (stirling(alpha) * stirling(beta) / stirling(total));
  const double offset = alpha * (x - 1) + beta * x;
  const double first = (2 * sqr(alpha) * (x - 1) + alpha * beta * (x - 1) - x * sqr(beta)) /
                       (std::sqrt(2 * alpha / beta) * pow(total, 1.5) * sqr(offset));
  const double ratio = log(alpha / (total * x));
  const double near = std::sqrt(8 * alpha * beta / total) / offset;
  const double far = pow(beta * log(beta / (total * (1 - x))) + alpha * ratio, -1.5);
  return scale * (first + 0.5 * ratio * (near + (x < mean ? far : -far)));
}

double beta_fit(double x, double alpha, double total) {
  // By numerator and denominator, by the power of u, by that of a, by that of b.
  constexpr double fit[2][3][3][4] = {{{{1.003668233, -0.01061107488, -0.0657888334, 0.01201642863},
                                        {0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033},
                                        {-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013}},
                                       {{0.221950385, -0.3187676331, 0.01799915743, 0.01074823814},
                                        {-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057},
                                        {0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05}},
                                       {{-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565},
                                        {0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181},
                                        {0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05}}},
                                      {{{1, -0.02924021934, -0.04438342661, 0.007285809825},
                                        {0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521},
                                        {-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149}},
                                       {{0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273},
                                        {0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956},
                                        {-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05}},
                                       {{0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05},
                                        {0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05},
                                        {-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06}}}};
  const double u = log(x), a = log(alpha) - u, b = log(total) - a;
  double sums[2];
  for (int s = 0; s < 2; ++s) {
    double by_u[3];
    for (int i = 0; i < 3; ++i) {
      const double by_a[] = {horner(fit[s][i][0], b), horner(fit[s][i][1], b), horner(fit[s][i][2], b)};
      by_u[i] = horner(by_a, a);
    }
    sums[s] = horner(by_u, u);
  }
  return sums[0] / sums[1] * (x * (digamma(total) - digamma(alpha)) / (total - alpha));
}

}  // namespace

double gamma_by_shape(double shape, double x) {
  if (x < 0.8) return gamma_near_zero(shape, x);
  return shape > 8 ? gamma_saddle_point(shape, x) : gamma_fit(shape, x);
}

template <class T>
T beta_by_alpha(T x, T alpha, T total) {
  const T beta = total - alpha, edge = total * x * (1 - x);
  if (x <= T(0.5) && edge < T(2.5)) return beta_near_zero(x, alpha, beta);
  if (x >= T(0.5) && edge < T(0.75)) return -beta_near_zero_by_second(1 - x, beta, alpha);
  const double a = alpha, sum = total;
  return static_cast<T>(alpha > 6 && beta > 6 ? beta_saddle_point(x, a, sum - a) : beta_fit(x, a, sum));
}
template float beta_by_alpha(float x, float alpha, float total);
template double beta_by_alpha(double x, double alpha, double total);

}  // namespace taut::implicit
