// Pointwise kernels: every op against its formulas on one number at a time, against finite differences and long double
// libm; the driver against plain loops over every kind of layout and dtype.
#include "kernels/pointwise.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/cpu.h"
#include "core/parallel.h"
#include "taut/core/error.h"

#define TAUT_ISA reference
#include "kernels/num.h"

namespace taut {
namespace {

using reference::Num;

template <class T>
T as_value(Num<T> x) {
  return x.v;
}
template <class T>
T as_value(typename Num<T>::Mask m) {
  return m.m;
}
template <class T>
T times(T g, Num<T> p) {
  return g * p.v;
}
template <class T>
T times(T g, typename Num<T>::Mask p) {
  return p.m ? g : T(0);
}
template <class T>
T times(T g, double p) {
  return g * static_cast<T>(p);
}
template <class T>
T times(T g, One) {
  return g;
}
template <class T>
T times(T g, MinusOne) {
  return -g;
}
template <class T>
T times(T, Zero) {
  return 0;
}
template <class T>
T times(T, None) {
  return std::numeric_limits<T>::quiet_NaN();
}

/// One op: its tables, and its formulas on single numbers with default attributes.
struct Case {
  std::string name;
  int n;
  Rule rule;
  unsigned reads, gradients;  // 0 and 0 if not differentiable
  const PointwiseKernels& (*kernels)();
  const void* op;
  std::function<float(const float*)> f32;
  std::function<double(const double*)> f64;
  std::function<int64_t(const int64_t*)> i64;
  std::function<void(float, const float*, float, float*)> f32_backward;  // g, x, y, dx
  std::function<void(double, const double*, double, double*)> f64_backward;
};
std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

template <class Op, class T, size_t... I>
auto evaluate(const Op& op, std::index_sequence<I...>) {
  return [op](const T* x) { return as_value<T>(op.value(Num<T>::of(x[I])...)); };
}
template <class T, class A>
void store(T g, const Partials<A>& p, T* dx) {
  dx[0] = times<T>(g, p.a);
}
template <class T, class A, class B>
void store(T g, const Partials<A, B>& p, T* dx) {
  dx[0] = times<T>(g, p.a), dx[1] = times<T>(g, p.b);
}
template <class T, class A, class B, class C>
void store(T g, const Partials<A, B, C>& p, T* dx) {
  dx[0] = times<T>(g, p.a), dx[1] = times<T>(g, p.b), dx[2] = times<T>(g, p.c);
}
template <class Op, class T, size_t... I>
auto differentiate(const Op& op, std::index_sequence<I...>) {
  return [op](T g, const T* x, T y, T* dx) { store<T>(g, op.partials(Num<T>::of(x[I])..., Num<T>::of(y)), dx); };
}

template <class Op, int N>
bool add_case(const char* name, const PointwiseKernels& (*kernels)()) {
  static const Op op{};
  const std::make_index_sequence<N> operands;
  Case c{name, N, Op::rule, 0, 0, kernels, &op, {}, {}, {}, {}, {}};
  if constexpr (has_float_kernel(Op::rule)) {
    c.f32 = evaluate<Op, float>(op, operands);
    c.f64 = evaluate<Op, double>(op, operands);
    if constexpr (differentiable<Op, N>) {
      c.reads = reads_any<Op, N>;
      c.gradients = gradient_mask<Op, N>;
      c.f32_backward = differentiate<Op, float>(op, operands);
      c.f64_backward = differentiate<Op, double>(op, operands);
    }
  }
  if constexpr (has_integer_kernel(Op::rule)) c.i64 = evaluate<Op, int64_t>(op, operands);
  cases().push_back(c);
  return true;
}

}  // namespace

#define FORMULA(name, Op, N)                       \
  TAUT_ISA_TABLE(PointwiseKernels, name##_kernels) \
  static const bool name##_added = add_case<Op, N>(#name, name##_kernels);
#include "ops/formulas/activation.inc"
#include "ops/formulas/arithmetic.inc"
#include "ops/formulas/compare.inc"
#include "ops/formulas/exponential.inc"
#include "ops/formulas/special.inc"
#include "ops/formulas/trigonometric.inc"

namespace {

const Case& find(const std::string& name) {
  for (const Case& c : cases())
    if (c.name == name) return c;
  throw Error("no op " + name);
}

/// Runs the body on every instruction set this machine has.
void on_every_isa(const std::function<void()>& body) {
  const int best = isa_level;
  for (isa_level = 0; isa_level <= best; ++isa_level) {
    SCOPED_TRACE("instruction set " + std::to_string(isa_level));
    body();
  }
  isa_level = best;
}

template <class T>
bool close(T got, T want, double tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want) || std::isinf(got)) return got == want;
  return std::abs(double(got) - double(want)) <= tolerance * (1 + std::abs(double(want)));
}

/// Numbers that make sense for most ops, with some edges among them; integer divisors must not be zero.
template <class T>
T sample(std::mt19937& random, int operand) {
  if constexpr (std::is_integral_v<T>) {
    static const T edges[] = {1, -1, 2, 3, 64, 100, INT64_MAX, INT64_MIN, 7, -5};
    const uint32_t r = random();
    if (r % 4 == 0) return edges[r / 4 % 10];
    const T x = static_cast<T>(r % 41) - 20;
    return x == 0 && operand == 1 ? 5 : x;
  } else {
    static const T edges[] = {0,
                              T(-0.0),
                              1,
                              -1,
                              std::numeric_limits<T>::infinity(),
                              -std::numeric_limits<T>::infinity(),
                              std::numeric_limits<T>::quiet_NaN(),
                              2,
                              T(0.5),
                              -3,
                              3,
                              20,
                              T(1e-20)};
    const uint32_t r = random();
    if (r % 4 == 0) return edges[r / 4 % 13];
    return std::uniform_real_distribution<T>(r % 4 == 1 ? 0 : -4, r % 4 == 1 ? 1 : 4)(random);
  }
}

template <class T>
constexpr int number_index = std::is_same_v<T, float>    ? 0
                             : std::is_same_v<T, double> ? 1
                                                         : 2;

/// Buffers of exactly n elements on the heap, so that a sanitizer sees every step outside.
template <class T>
std::unique_ptr<T[]> exactly(int64_t n) {
  return std::unique_ptr<T[]>(new T[static_cast<size_t>(n)]);
}

template <class T>
void check_forward(const Case& c, const std::function<T(const T*)>& reference, int64_t n, double tolerance) {
  const Loop loop = c.kernels().forward[number_index<T>];
  ASSERT_EQ(loop != nullptr, static_cast<bool>(reference)) << c.name;
  if (!loop) return;
  std::mt19937 random(static_cast<uint32_t>(n));
  std::unique_ptr<T[]> x[3];
  const void* in[3];
  for (int k = 0; k < c.n; ++k) {
    x[k] = exactly<T>(n);
    for (int64_t i = 0; i < n; ++i) x[k][i] = sample<T>(random, k);
    in[k] = x[k].get();
  }
  const auto y = exactly<T>(n);
  void* out[] = {y.get()};
  loop(c.op, in, out, n);
  for (int64_t i = 0; i < n; ++i) {
    T at[3] = {};
    for (int k = 0; k < c.n; ++k) at[k] = x[k][i];
    const T want = reference(at);
    if constexpr (std::is_integral_v<T>) ASSERT_EQ(y[i], want) << c.name << '(' << at[0] << ", " << at[1] << ')';
    else
      ASSERT_TRUE(close(y[i], want, tolerance)) << c.name << '(' << at[0] << ", " << at[1] << ", " << at[2]
                                                << "): " << y[i] << ", not " << want << " (" << i << " of " << n << ')';
  }
}

TEST(PointwiseForward, EveryOpMatchesItsFormulaOnOneNumberAtATime) {
  on_every_isa([] {
    for (const Case& c : cases())
      for (int64_t n = 0; n <= 71; ++n) {
        const int64_t size = n == 71 ? 1000 : n;
        check_forward<float>(c, c.f32, size, 4e-6);
        check_forward<double>(c, c.f64, size, 4e-14);
        check_forward<int64_t>(c, c.i64, size, 0);
        if (testing::Test::HasFatalFailure()) return;
      }
  });
}

template <class T>
void check_native(const Case& c, ScalarType dtype, int64_t n) {
  const Loop loop = c.kernels().native[static_cast<int>(dtype)];
  if (!loop) return;
  std::mt19937 random(static_cast<uint32_t>(n));
  std::unique_ptr<T[]> x[3];
  const void* in[3];
  for (int k = 0; k < c.n; ++k) {
    x[k] = exactly<T>(n);
    for (int64_t i = 0; i < n; ++i) {
      x[k][i] = static_cast<T>(sample<int64_t>(random, k));
      if (k == 1 && x[k][i] == 0) x[k][i] = 1;  // a divisor
    }
    in[k] = x[k].get();
  }
  const bool to_bool = c.kernels().to_bool || dtype == kBool;
  const auto y = exactly<T>(n);  // a bool is no larger
  void* out[] = {y.get()};
  loop(c.op, in, out, n);
  for (int64_t i = 0; i < n; ++i) {
    int64_t at[3] = {};
    for (int k = 0; k < c.n; ++k) at[k] = x[k][i];
    const int64_t wide = c.i64(at);
    const int64_t got = to_bool ? reinterpret_cast<const uint8_t*>(y.get())[i] : static_cast<int64_t>(y[i]);
    ASSERT_EQ(got, to_bool ? wide != 0 : static_cast<int64_t>(static_cast<T>(wide)))
        << c.name << '(' << at[0] << ", " << at[1] << ") of " << dtype_name(dtype);
  }
}

TEST(PointwiseForward, SmallIntegersGiveWhatInt64Gives) {
  on_every_isa([] {
    for (const Case& c : cases())
      for (const int64_t n : {0, 1, 3, 16, 67, 1000}) {
        check_native<bool>(c, kBool, n);
        check_native<uint8_t>(c, kByte, n);
        check_native<int8_t>(c, kChar, n);
        check_native<int16_t>(c, kShort, n);
        check_native<int32_t>(c, kInt, n);
        if (testing::Test::HasFatalFailure()) return;
      }
  });
  EXPECT_TRUE(find("bitwise_and").kernels().native[static_cast<int>(kBool)]);
}

template <class T>
void check_backward(const Case& c, const std::function<T(const T*)>& value,
                    const std::function<void(T, const T*, T, T*)>& reference, int64_t n, unsigned wanted,
                    double tolerance) {
  const Loop loop = c.kernels().backward[number_index<T>];
  ASSERT_EQ(loop != nullptr, static_cast<bool>(reference)) << c.name;
  if (!loop) return;
  std::mt19937 random(static_cast<uint32_t>(n));
  std::unique_ptr<T[]> g = exactly<T>(n), x[4], dx[3];
  for (int k = 0; k <= c.n; ++k) x[k] = exactly<T>(n);
  for (int64_t i = 0; i < n; ++i) {
    g[i] = std::uniform_real_distribution<T>(-1, 1)(random);
    T at[3];
    for (int k = 0; k < c.n; ++k) at[k] = x[k][i] = sample<T>(random, k);
    x[c.n][i] = value(at);
  }
  const void* in[5] = {g.get()};
  for (int k = 0; k <= c.n; ++k) in[k + 1] = c.reads >> k & 1 ? x[k].get() : nullptr;
  void* out[3];
  for (int k = 0; k < c.n; ++k) {
    if (wanted >> k & 1) dx[k] = exactly<T>(n);
    out[k] = dx[k].get();
  }
  loop(c.op, in, out, n);
  for (int64_t i = 0; i < n; ++i) {
    T at[3] = {}, want[3];
    for (int k = 0; k < c.n; ++k) at[k] = x[k][i];
    reference(g[i], at, x[c.n][i], want);
    for (int k = 0; k < c.n; ++k)
      if (dx[k] && c.gradients >> k & 1) {
        ASSERT_TRUE(close(dx[k][i], want[k], tolerance))
            << c.name << " d" << k << '(' << at[0] << ", " << at[1] << ", " << at[2] << "): " << dx[k][i] << ", not "
            << want[k] << " (" << i << " of " << n << ')';
      }
  }
}

TEST(PointwiseBackward, EveryOpMatchesItsPartialsOnOneNumberAtATimeAndSkipsWhatIsNotWanted) {
  on_every_isa([] {
    for (const Case& c : cases())
      for (int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 70, 1000})
        for (unsigned wanted = 0; wanted < 1u << c.n; ++wanted) {
          check_backward<float>(c, c.f32, c.f32_backward, n, wanted, 2e-5);
          check_backward<double>(c, c.f64, c.f64_backward, n, wanted, 2e-12);
          if (testing::Test::HasFatalFailure()) return;
        }
  });
}

TEST(PointwiseBackward, EveryPartialIsTheSlopeOfItsValue) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> anywhere(0.11, 0.89);
  for (const Case& c : cases()) {
    if (!c.f64_backward) continue;
    for (int trial = 0; trial < 60; ++trial) {
      double x[3] = {}, dx[3];
      const double shift = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 2 : -3;  // some ops are only defined here or there
      for (int k = 0; k < c.n; ++k) x[k] = anywhere(random) + (trial % 2 ? shift : k ? 0.7 : shift);
      const double y = c.f64(x);
      if (std::isnan(y)) continue;
      c.f64_backward(1, x, y, dx);
      for (int k = 0; k < c.n; ++k) {
        if (!(c.gradients >> k & 1)) continue;
        const double h = 1e-5, at = x[k];
        x[k] = at + h;
        const double up = c.f64(x);
        x[k] = at - h;
        const double down = c.f64(x);
        x[k] = at;
        if (std::isnan(up) || std::isnan(down)) continue;
        const double jump = std::abs(up - down);  // a step of floor or trunc may lie between the two
        if (jump > 0.4 && std::abs(dx[k]) < 1e3) continue;
        EXPECT_TRUE(close(dx[k], (up - down) / (2 * h), 3e-6))
            << c.name << " d" << k << " at " << x[0] << ", " << x[1] << ", " << x[2] << ": " << dx[k] << ", not "
            << (up - down) / (2 * h);
      }
    }
  }
}

TEST(PointwiseProbe, SaysWhatEachPartialReads) {
  EXPECT_EQ((reads_any<Add, 2>), 0u);
  EXPECT_EQ((reads<Mul, 2>[0]), 2u);
  EXPECT_EQ((reads<Mul, 2>[1]), 1u);
  EXPECT_EQ((reads<Div, 2>[0]), 2u);
  EXPECT_EQ((reads<Div, 2>[1]), 3u);
  EXPECT_EQ((reads_any<Tanh, 1>), 2u);
  EXPECT_EQ((reads_any<Relu, 1>), 2u);
  EXPECT_EQ((reads_any<Sin, 1>), 1u);
  EXPECT_EQ((reads_any<Floor, 1>), 0u);
  EXPECT_EQ((reads_any<Where, 3>), 1u);
  EXPECT_EQ((gradient_mask<Where, 3>), 6u);
  EXPECT_EQ((reads<Lerp, 3>[2]), 3u);
  EXPECT_TRUE((differentiable<Exp, 1>));
  EXPECT_FALSE((differentiable<Eq, 2>));
}

// --- The values and gradients PyTorch gives at the edges.

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Edge {
  const char* name;
  std::vector<double> x, y_and_dx;
};

TEST(PointwiseEdges, AreThoseOfPyTorch) {
  const std::vector<Edge> edges = {
      {"relu", {0}, {0, 0}},
      {"relu", {kNan}, {kNan, 1}},
      {"abs", {0}, {0, 0}},
      {"abs", {kNan}, {kNan, 0}},
      {"sign", {kNan}, {0, 0}},
      {"sqrt", {0}, {0, kInf}},
      {"rsqrt", {0}, {kInf, -kInf}},
      {"round", {2.5}, {2, 0}},
      {"round", {-1.5}, {-2, 0}},
      {"maximum", {1, 1}, {1, 0.5, 0.5}},
      {"maximum", {kNan, 0}, {kNan, 1, 1}},
      {"minimum", {0, kNan}, {kNan, 1, 1}},
      {"fmax", {kNan, 0}, {0, 0, 1}},
      {"fmin", {1, 1}, {1, 1, 0}},
      {"clamp", {1, -1, 1}, {1, 1, 0, 0}},
      {"clamp", {5, 6, 2}, {2, 0, 0, 1}},
      {"clamp", {2, 3, 1}, {1, 0, 0, 1}},
      {"clamp", {kNan, 0, 1}, {kNan, 0, 0, 0}},
      {"clamp", {0, kNan, 1}, {kNan, 0, 0, 0}},
      {"clamp_min", {1, 1}, {1, 1, 0}},
      {"pow", {0, 0}, {1, 0, 0}},
      {"pow", {0, 2}, {0, 0, 0}},
      {"pow", {0, -1}, {kInf, -kInf, -kInf}},
      {"pow", {-2, 2}, {4, -4, kNan}},
      {"pow", {kNan, 0}, {1, 0, kNan}},
      {"xlogy", {0, 0}, {0, 0, kNan}},
      {"xlogy", {0, kNan}, {kNan, kNan, kNan}},
      {"xlogy", {0, 3}, {0, std::log(3.0), 0}},
      {"atan2", {0, 0}, {0, 0, 0}},
      {"hypot", {0, 0}, {0, kNan, kNan}},
      {"logaddexp", {kInf, kInf}, {kInf, kNan, kNan}},
      {"logaddexp", {-kInf, 1}, {1, 0, 1}},
      {"remainder", {-5, 3}, {1, 1, 2}},
      {"remainder", {5, -3}, {-1, 1, 2}},
      {"remainder", {-1, kInf}, {kInf, 1, 1}},
      {"fmod", {-5, 3}, {-2, 1, 1}},
      {"div_floor", {-5, 3}, {-2, 0, 0}},
      {"div_floor", {5, 0}, {kInf, 0, 0}},
      {"div_trunc", {-5, 3}, {-1, 0, 0}},
      {"copysign", {0, -1}, {-0.0, 0, 0}},
      {"copysign", {-2, 1}, {2, -1, 0}},
      {"nan_to_num", {kNan}, {0, 0}},
      {"sinc", {0}, {1, 0}},
      {"logit", {0}, {-kInf, kInf}},
      {"logit", {-0.5}, {kNan, kNan}},
      {"hardtanh", {1}, {1, 0}},
      {"hardtanh", {kNan}, {kNan, 1}},
      {"hardsigmoid", {-3}, {0, 0}},
      {"hardswish", {3}, {3, 1}},
      {"hardswish", {-3}, {0, 0}},
      {"hardshrink", {0.5}, {0, 0}},
      {"softshrink", {kNan}, {kNan, 1}},
      {"threshold", {0}, {0, 0}},
      {"leaky_relu", {0}, {0, 0.01}},
      {"elu", {0}, {0, 1}},
      {"elu", {-kInf}, {-1, 0}},
      {"log_sigmoid", {-1000}, {-1000, 1}},
      {"log_sigmoid", {kInf}, {0, 0}},
      {"softplus", {1000}, {1000, 1}},
      {"silu", {-1000}, {0, 0}},
      {"mish", {1000}, {1000, 1}},
      {"digamma", {0}, {-kInf, kInf}},
      {"digamma", {-1}, {kNan, kInf}},
      {"lgamma", {-1}, {kInf, kNan}},
      {"erfinv", {1}, {kInf, kInf}},
      {"erfinv", {2}, {kNan, kNan}},
  };
  on_every_isa([&] {
    for (const Edge& e : edges) {
      const Case& c = find(e.name);
      const void* in[5];
      void* out[3];
      double y = 0, g = 1, dx[3] = {};
      for (int k = 0; k < c.n; ++k) in[k] = &e.x[k];
      out[0] = &y;
      c.kernels().forward[1](c.op, in, out, 1);
      EXPECT_TRUE(close(y, e.y_and_dx[0], 1e-15)) << e.name << '(' << e.x[0] << "): " << y;
      in[0] = &g;
      for (int k = 0; k < c.n; ++k) in[k + 1] = &e.x[k], out[k] = &dx[k];
      in[c.n + 1] = &y;
      c.kernels().backward[1](c.op, in, out, 1);
      for (int k = 0; k < c.n; ++k)
        EXPECT_TRUE(close(dx[k], e.y_and_dx[k + 1], 1e-15)) << e.name << " d" << k << '(' << e.x[0] << "): " << dx[k];
    }
  });
}

TEST(PointwiseEdges, AMaskStopsAnInfiniteGradient) {
  const double g[] = {kInf, kNan}, y[] = {0, 0};
  double dx[] = {1, 1};
  const void* in[] = {g, nullptr, y};
  void* out[] = {dx};
  find("relu").kernels().backward[1](find("relu").op, in, out, 2);
  EXPECT_EQ(dx[0], 0);
  EXPECT_EQ(dx[1], 0);
}

// --- The vector maths against long double.

template <class T>
double ulps(T got, long double want) {
  const T rounded = static_cast<T>(want);
  if (std::isnan(want)) return std::isnan(got) ? 0 : 1e9;
  if (got == rounded) return 0;
  if (std::isinf(got) || std::isinf(rounded) || std::isnan(got)) {
    // An overflow at the very edge is as good as the largest number.
    return std::isinf(rounded) && std::abs(double(got)) > 0.9999 * double(std::numeric_limits<T>::max()) ? 1 : 1e9;
  }
  const T a = std::max(std::abs(rounded), std::numeric_limits<T>::min());
  return static_cast<double>(std::abs(static_cast<long double>(got) - want) /
                             (static_cast<long double>(std::nextafter(a, std::numeric_limits<T>::infinity())) - a));
}

struct Accuracy {
  const char* name;
  long double (*reference)(long double);
  double low, high;  // the interval sampled densely; the edges are always tried
  double bound;      // in units in the last place
};

template <class T>
void check_accuracy(const Accuracy& a) {
  std::vector<T> x = {0,
                      T(-0.0),
                      1,
                      -1,
                      T(0.5),
                      T(-0.5),
                      2,
                      -2,
                      std::numeric_limits<T>::infinity(),
                      -std::numeric_limits<T>::infinity(),
                      std::numeric_limits<T>::quiet_NaN(),
                      std::numeric_limits<T>::max(),
                      std::numeric_limits<T>::lowest(),
                      std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::denorm_min(),
                      -std::numeric_limits<T>::denorm_min(),
                      std::numeric_limits<T>::min() / 8,
                      T(1e-10),
                      T(-1e-10),
                      T(1e10),
                      T(-1e10),
                      T(100),
                      T(-100),
                      T(88.7),
                      T(89),
                      T(-87.5),
                      T(-95),
                      T(-104),
                      T(709.5),
                      T(710.5),
                      T(-720),
                      T(-746),
                      T(1e6),
                      T(8191),
                      T(8193)};
  for (int i = 1; i <= 20000; ++i) x.push_back(static_cast<T>(a.low + (a.high - a.low) * i / 20001.0));
  for (int i = -300; i <= 300; ++i) {  // every magnitude, both signs
    x.push_back(static_cast<T>(1.37 * std::pow(10.0, i / 10.0)));
    x.push_back(-x.back());
  }
  std::vector<T> y(x.size());
  const void* in[] = {x.data()};
  void* out[] = {y.data()};
  const Case& c = find(a.name);
  c.kernels().forward[number_index<T>](c.op, in, out, static_cast<int64_t>(x.size()));
  double worst = 0;
  T where = 0, got = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double u = ulps(y[i], a.reference(x[i]));
    if (u > worst) worst = u, where = x[i], got = y[i];
  }
  EXPECT_LE(worst, a.bound) << a.name << (sizeof(T) == 4 ? " f32 at " : " f64 at ") << testing::PrintToString(where)
                            << " gives " << testing::PrintToString(got) << ", not "
                            << static_cast<double>(a.reference(where));
}

TEST(PointwiseMaths, IsWithinAFewUnitsInTheLastPlace) {
  const Accuracy all[] = {
      {"exp", expl, -104, 89, 2},  {"exp2", exp2l, -150, 128, 2}, {"expm1", expm1l, -5, 5, 3},
      {"log", logl, 0, 10, 2},     {"log2", log2l, 0, 10, 3},     {"log10", log10l, 0, 10, 2},
      {"log1p", log1pl, -1, 3, 3}, {"sin", sinl, -100, 100, 2},   {"cos", cosl, -100, 100, 2},
      {"tan", tanl, -10, 10, 4},   {"asin", asinl, -1, 1, 3},     {"acos", acosl, -1, 1, 3},
      {"atan", atanl, -5, 5, 3},   {"sinh", sinhl, -5, 5, 4},     {"cosh", coshl, -5, 5, 3},
      {"tanh", tanhl, -12, 12, 3}, {"asinh", asinhl, -5, 5, 4},   {"acosh", acoshl, 1, 5, 4},
      {"atanh", atanhl, -1, 1, 4}, {"erf", erfl, -4, 4, 3},       {"erfc", erfcl, -4, 10, 4},
  };
  on_every_isa([&] {
    for (const Accuracy& a : all) check_accuracy<float>(a), check_accuracy<double>(a);
  });
}

TEST(PointwiseMaths, RootsAreRoundedCorrectly) {
  std::vector<float> x;
  std::mt19937 random(3);
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (uint32_t i = 0; i < 1040; ++i)  // packs of one exponent only, and of many
      x.push_back(std::bit_cast<float>(
          static_cast<uint32_t>((i < 1024 ? exponent : random() % 255) << 23 | (random() & 0x7fffff))));
  std::vector<float> y(x.size());
  on_every_isa([&] {
    const void* in[] = {x.data()};
    void* out[] = {y.data()};
    find("sqrt").kernels().forward[0](find("sqrt").op, in, out, static_cast<int64_t>(x.size()));
    for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], std::sqrt(x[i])) << x[i];
  });
}
TEST(PointwiseMaths, GeluKeepsTheDigitsOfTheDistribution) {
  std::vector<float> x;
  for (int i = -400000; i <= 400000; ++i) x.push_back(static_cast<float>(i) * 5e-5f);
  std::vector<float> y(x.size());
  on_every_isa([&] {
    const void* in[] = {x.data()};
    void* out[] = {y.data()};
    find("gelu").kernels().forward[0](find("gelu").op, in, out, static_cast<int64_t>(x.size()));
    for (size_t i = 0; i < x.size(); ++i) {
      const double v = x[i], want = 0.5 * v * std::erfc(-v * 0.7071067811865476);
      ASSERT_NEAR(y[i], want, 1.2e-7 * std::max(1.0, v)) << v;
    }
  });
}

template <class T>
void check_pow(double bound) {
  std::vector<T> a, b;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-20, 20), log(-10, 10);
  for (int i = 0; i < 20000; ++i)
    a.push_back(static_cast<T>(std::exp(log(random)))), b.push_back(static_cast<T>(exponent(random)));
  const T edges[] = {0,
                     T(-0.0),
                     1,
                     -1,
                     2,
                     -2,
                     T(0.5),
                     3,
                     -3,
                     T(1e30),
                     T(1e-30),
                     std::numeric_limits<T>::infinity(),
                     -std::numeric_limits<T>::infinity(),
                     std::numeric_limits<T>::quiet_NaN(),
                     std::numeric_limits<T>::denorm_min(),
                     std::numeric_limits<T>::max()};
  for (T p : edges)
    for (T q : edges) a.push_back(p), b.push_back(q);
  std::vector<T> y(a.size());
  const void* in[] = {a.data(), b.data()};
  void* out[] = {y.data()};
  find("pow").kernels().forward[number_index<T>](find("pow").op, in, out, static_cast<int64_t>(a.size()));
  double worst = 0;
  size_t where = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double u = ulps(y[i], powl(a[i], b[i]));
    if (u > worst) worst = u, where = i;
  }
  EXPECT_LE(worst, bound) << (sizeof(T) == 4 ? "f32 " : "f64 ") << a[where] << " ^ " << b[where] << " = " << y[where];
}
TEST(PointwiseMaths, PowIsWithinAFewUnitsInTheLastPlace) {
  on_every_isa([] { check_pow<float>(1.5), check_pow<double>(2.5); });
}

TEST(PointwiseMaths, WholeLogarithmsAreWhole) {
  on_every_isa([] {
    for (int i = -30; i <= 30; ++i) {
      const float two = std::ldexp(1.0f, i), ten = static_cast<float>(std::pow(10.0, i));
      float y = 0;
      const void* in[] = {&two};
      void* out[] = {&y};
      find("log2").kernels().forward[0](nullptr, in, out, 1);
      EXPECT_EQ(y, i);
      in[0] = &ten;
      find("log10").kernels().forward[0](nullptr, in, out, 1);
      EXPECT_EQ(y, i);
    }
  });
}

TEST(PointwiseMaths, SpecialFunctionsHaveTheirKnownValues) {
  EXPECT_NEAR(special::digamma(1), -0.57721566490153286, 1e-15);
  EXPECT_NEAR(special::digamma(-0.5), 0.03648997397857652, 1e-15);
  EXPECT_NEAR(special::digamma(1.4616321449683622) * 1e17, -9.2412655217294276, 1e-6);
  EXPECT_NEAR(special::polygamma(1, 0.5), 4.934802200544679, 1e-14);
  EXPECT_NEAR(special::polygamma(1, -0.5), 8.934802200544679, 1e-14);
  EXPECT_NEAR(special::polygamma(2, 1), -2.404113806319188, 1e-14);
  EXPECT_NEAR(special::polygamma(3, 0.5), 97.40909103400243, 1e-12);
  EXPECT_NEAR(special::polygamma(2, -1e-5) * 1e-15, 2, 1e-10);
  EXPECT_NEAR(special::erfinv(0.5), 0.4769362762044699, 1e-15);
  EXPECT_NEAR(special::erfinv(-0.9999999), -3.7665625815708377, 1e-8);
  for (double x = -5; x <= 5; x += 0.37) EXPECT_NEAR(special::erfinv(std::erf(x)), x, 1e-16 * std::exp(x * x) + 1e-15);
}

// --- The driver.

/// A view and the memory it looks at, filled with small whole numbers that every dtype holds.
struct Block {
  std::vector<int64_t> sizes, strides;
  ScalarType dtype;
  std::unique_ptr<char[]> memory;
  int64_t elements = 1;  // of memory

  Block(std::vector<int64_t> s, std::vector<int64_t> t, ScalarType d, int seed) : sizes(s), strides(t), dtype(d) {
    for (size_t i = 0; i < sizes.size(); ++i) elements += std::max<int64_t>(0, sizes[i] - 1) * strides[i];
    memory.reset(new char[static_cast<size_t>(elements * element_size(dtype))]);
    for (int64_t i = 0; i < elements; ++i) set(i, (i * 7 + seed) % 6);
  }
  View view() const { return {memory.get(), dtype, sizes, strides}; }
  double get(int64_t i) const {
    return visit_dtype(dtype,
                       [&](auto t) { return static_cast<double>(reinterpret_cast<decltype(t)*>(memory.get())[i]); });
  }
  void set(int64_t i, double v) {
    visit_dtype(dtype, [&](auto t) {
      using T = decltype(t);
      if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        reinterpret_cast<T*>(memory.get())[i] = T(static_cast<float>(v));
      else reinterpret_cast<T*>(memory.get())[i] = static_cast<T>(v);
    });
  }
  /// The element at a position of a broadcast shape.
  int64_t offset(const std::vector<int64_t>& at) const {
    int64_t o = 0;
    const size_t skip = at.size() - sizes.size();
    for (size_t d = 0; d < sizes.size(); ++d) o += sizes[d] == 1 ? 0 : at[d + skip] * strides[d];
    return o;
  }
};
std::vector<int64_t> row_major(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> t(sizes.size());
  int64_t n = 1;
  for (size_t d = sizes.size(); d-- > 0;) t[d] = n, n *= std::max<int64_t>(1, sizes[d]);
  return t;
}
Block block(std::vector<int64_t> sizes, ScalarType dtype, int seed = 1) {
  auto strides = row_major(sizes);
  return Block(std::move(sizes), std::move(strides), dtype, seed);
}
/// The last two dimensions swapped in memory.
Block transposed(std::vector<int64_t> sizes, ScalarType dtype, int seed = 1) {
  const size_t n = sizes.size();
  std::swap(sizes[n - 1], sizes[n - 2]);
  auto strides = row_major(sizes);
  std::swap(sizes[n - 1], sizes[n - 2]);
  std::swap(strides[n - 1], strides[n - 2]);
  return Block(std::move(sizes), std::move(strides), dtype, seed);
}
/// Every second element of memory.
Block strided(std::vector<int64_t> sizes, ScalarType dtype, int seed = 1) {
  auto strides = row_major(sizes);
  for (int64_t& s : strides) s *= 2;
  return Block(std::move(sizes), std::move(strides), dtype, seed);
}

void each_position(const std::vector<int64_t>& sizes, const std::function<void(const std::vector<int64_t>&)>& f) {
  std::vector<int64_t> at(sizes.size());
  for (int64_t s : sizes)
    if (s == 0) return;
  for (;;) {
    f(at);
    size_t d = sizes.size();
    while (d > 0 && ++at[d - 1] == sizes[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

/// addcmul (x + a * b): different in each operand, exact in every dtype for these numbers.
void check_addcmul(Block& out, const Block& x, const Block& a, const Block& b, Number number) {
  std::vector<double> want;
  each_position(out.sizes, [&](const auto& at) {
    const double v = x.get(x.offset(at)) + a.get(a.offset(at)) * b.get(b.offset(at));
    want.push_back(out.dtype == kBool ? v != 0 : v);
  });
  const View in[] = {x.view(), a.view(), b.view()};
  const Addcmul op;
  pointwise_forward(addcmul_kernels(), &op, number, out.view(), in, 3);
  size_t i = 0;
  each_position(out.sizes, [&](const auto& at) {
    ASSERT_EQ(out.get(out.offset(at)), want[i]) << "element " << i << " of " << want.size();
    ++i;
  });
}

TEST(PointwiseDriver, TakesEveryLayout) {
  const std::vector<std::vector<int64_t>> shapes = {{},        {1},       {5},         {1000},       {3, 5},
                                                    {7, 16},   {2, 700},  {40, 3},     {33, 65},     {70, 2100},
                                                    {2, 3, 4}, {5, 1, 7}, {9, 40, 33}, {3, 2, 5, 4}, {2, 3, 2, 3, 2, 3},
                                                    {0},       {3, 0, 2}, {3, 20, 150}};
  for (const auto& shape : shapes)
    for (int kind = 0; kind < 64; ++kind) {
      auto make = [&](int how, int seed) {
        std::vector<int64_t> s = shape;
        if (how == 1 && shape.size() >= 2) return transposed(s, kFloat, seed);
        if (how == 2) return strided(s, kFloat, seed);
        if (how == 3) {  // broadcast: drop or flatten some dimensions
          if (!s.empty() && seed % 2) s.erase(s.begin());
          if (!s.empty() && seed % 3) s.back() = 1;
        }
        return block(s, kFloat, seed);
      };
      Block out = kind / 16 == 1 && shape.size() >= 2 ? transposed(shape, kFloat)
                  : kind / 16 == 2                    ? strided(shape, kFloat)
                                                      : block(shape, kFloat);
      const Block x = make(kind % 4, 1 + kind / 16), a = make(kind / 4 % 4, 2 + kind / 16);
      const Block b = kind / 16 == 3 ? block({}, kFloat, 3) : make((kind + kind / 4) % 4, 3);
      SCOPED_TRACE("shape " + str(IntArrayRef(shape)) + " kind " + std::to_string(kind));
      check_addcmul(out, x, a, b, Number::f32);
      if (HasFatalFailure()) return;
    }
}

TEST(PointwiseDriver, TakesWhatAllInputsRepeat) {
  const std::vector<int64_t> shape = {30, 9, 50};
  for (ScalarType dtype : {kByte, kHalf, kFloat, kDouble})
    for (const std::vector<int64_t>& repeated :
         std::vector<std::vector<int64_t>>{{50}, {9, 50}, {9, 1}, {30, 1, 1}, {30, 1, 50}, {30, 9, 1}, {}, {1, 1, 1}})
      for (int kind = 0; kind < 3; ++kind) {
        SCOPED_TRACE(str(dtype, " ", IntArrayRef(repeated), " to layout ", kind));
        Block out = kind == 0 ? block(shape, dtype) : kind == 1 ? transposed(shape, dtype) : strided(shape, kFloat);
        const Block expanded(shape, {0, 0, 0}, dtype, 2);
        check_addcmul(out, strided(repeated, dtype, 1), expanded, block(repeated, kByte, 3),
                      dtype == kDouble ? Number::f64 : Number::f32);
        if (HasFatalFailure()) return;
      }
}

TEST(PointwiseDriver, TakesColumnsBesideLongRows) {
  for (ScalarType dtype : {kByte, kInt, kFloat, kDouble})
    for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{
             {7, 256}, {5, 300}, {3, 528}, {4, 700}, {2, 3, 1024}, {3, 2, 2, 513}, {40, 2048}})
      for (int kind = 0; kind < 3; ++kind) {
        SCOPED_TRACE(str(dtype, " ", IntArrayRef(shape), " kind ", kind));
        std::vector<int64_t> column = shape, inner = {shape[shape.size() - 2], 1};
        column.back() = 1;
        Block out = block(shape, dtype);
        check_addcmul(out, block(shape, dtype, 1), strided(kind == 0 ? column : inner, dtype, 2),
                      block(kind == 1   ? shape
                            : kind == 0 ? std::vector<int64_t>{shape.back()}
                                        : column,
                            dtype, 3),
                      number_of(dtype));
        if (HasFatalFailure()) return;
      }
}

TEST(PointwiseDriver, ConvertsRowsBesideATransposedOperand) {
  for (ScalarType to : {kBool, kHalf, kFloat, kDouble})
    for (ScalarType from : {kBool, kInt, kBFloat16, kFloat, kDouble}) {
      Block out = block({30, 150}, to);
      SCOPED_TRACE(str(from, " to ", to));
      check_addcmul(out, transposed({30, 150}, kFloat, 1), block({30, 150}, from, 2), block({150}, from, 3),
                    Number::f32);
      if (HasFatalFailure()) return;
    }
}

TEST(PointwiseDriver, LeavesTheElementsBetweenThoseOfAStridedOutputAlone) {
  Block out = strided({40, 3}, kFloat);
  const std::vector<double> before = [&] {
    std::vector<double> v;
    for (int64_t i = 0; i < out.elements; ++i) v.push_back(out.get(i));
    return v;
  }();
  check_addcmul(out, block({40, 3}, kFloat, 1), block({3}, kFloat, 2), block({40, 1}, kFloat, 3), Number::f32);
  for (int64_t i = 1; i < out.elements; i += 2) EXPECT_EQ(out.get(i), before[static_cast<size_t>(i)]);
}

TEST(PointwiseDriver, ConvertsEveryDtype) {
  for (int to = 0; to < kRealCount; ++to)
    for (int from = 0; from < kRealCount; ++from)
      for (const auto& shape : std::vector<std::vector<int64_t>>{{1}, {37}, {5, 300}}) {
        const auto result = static_cast<ScalarType>(to), operand = static_cast<ScalarType>(from);
        for (const Number number : {Number::f32, Number::f64, Number::i64}) {
          if (number == Number::i64 && (is_floating_point(operand) || is_floating_point(result))) continue;
          SCOPED_TRACE(str(dtype_name(operand), " to ", dtype_name(result), " in ", static_cast<int>(number)));
          Block out = block(shape, result);
          check_addcmul(out, block(shape, operand, 1), block(shape, kLong == operand ? kInt : operand, 2),
                        block({shape.back()}, operand, 3), number);
          Block crossed = strided(shape, result);
          if (shape.size() == 2)
            check_addcmul(crossed, transposed(shape, operand, 1), block({}, operand, 2), block(shape, operand, 0),
                          number);
          if (HasFatalFailure()) return;
        }
      }
}

TEST(PointwiseDriver, RoundsHalfPrecisionToNearestEven) {
  on_every_isa([] {
    std::vector<float> x;
    std::mt19937 random(5);
    for (int i = 0; i < 60000; ++i) {  // every kind of bits, and the middles between halves
      const uint32_t r = random();
      x.push_back(std::bit_cast<float>(i % 2 ? r : static_cast<uint32_t>((r & 0x87ffe000) + 0x38001000)));
    }
    for (float v :
         {0.0f, -0.0f, 65504.0f, 65519.9f, 65520.0f, 1e9f, INFINITY, -INFINITY, NAN, 6e-8f, 3e-8f, 2.9e-8f, 6.1e-5f})
      x.push_back(v);
    const std::vector<int64_t> sizes{static_cast<int64_t>(x.size())}, strides{1};
    for (const ScalarType dtype : {kHalf, kBFloat16}) {
      std::vector<uint16_t> y(x.size());
      std::vector<float> back(x.size());
      const View in{x.data(), kFloat, sizes, strides}, out{y.data(), dtype, sizes, strides};
      const View wide{back.data(), kFloat, sizes, strides};
      const Threshold op{{-kInf, 0}, {0, 0}};
      pointwise_forward(threshold_kernels(), &op, Number::f32, out, &in, 1);
      pointwise_forward(threshold_kernels(), &op, Number::f32, wide, &out, 1);
      for (size_t i = 0; i < x.size(); ++i) {
        if (x[i] == -INFINITY) continue;  // at the threshold
        const float want = dtype == kHalf ? static_cast<float>(Half(x[i])) : static_cast<float>(BFloat16(x[i]));
        if (want == -INFINITY) continue;
        ASSERT_EQ(std::isnan(back[i]), std::isnan(want)) << x[i];
        if (!std::isnan(want)) {
          ASSERT_EQ(std::bit_cast<uint32_t>(back[i]), std::bit_cast<uint32_t>(want)) << x[i];
        }
      }
    }
  });
}

TEST(PointwiseDriver, WorksInPlace) {
  for (const ScalarType dtype : {kFloat, kDouble, kBFloat16, kInt, kLong, kByte})
    for (int layout = 0; layout < 3; ++layout) {
      const std::vector<int64_t> shape{37, 45};
      Block x = layout == 0 ? block(shape, dtype) : layout == 1 ? transposed(shape, dtype) : strided(shape, dtype);
      const Block a = block(shape, dtype, 2);
      std::vector<double> want;
      each_position(shape, [&](const auto& at) { want.push_back(x.get(x.offset(at)) + a.get(a.offset(at))); });
      const View in[] = {x.view(), a.view()};
      const Add op;
      pointwise_forward(add_kernels(), &op, number_of(dtype), x.view(), in, 2);
      size_t i = 0;
      each_position(shape, [&](const auto& at) { EXPECT_EQ(x.get(x.offset(at)), want[i++]); });
    }
}

TEST(PointwiseDriver, ComparesIntoBool) {
  const Block a = block({50, 40}, kFloat, 1), b = transposed({50, 40}, kFloat, 2);
  Block out = block({50, 40}, kBool);
  const View in[] = {a.view(), b.view()};
  const Lt op;
  pointwise_forward(lt_kernels(), &op, Number::f32, out.view(), in, 2);
  each_position(out.sizes,
                [&](const auto& at) { EXPECT_EQ(out.get(out.offset(at)), a.get(a.offset(at)) < b.get(b.offset(at))); });
}

TEST(PointwiseDriver, IntegersWrapToTheirDtype) {
  Block x = block({3}, kByte), y = block({3}, kByte), out = block({3}, kByte);
  x.set(0, 200), x.set(1, 0), x.set(2, 16);
  y.set(0, 100), y.set(1, 1), y.set(2, 16);
  const View in[] = {x.view(), y.view()};
  const Add add;
  const Sub sub;
  const Mul mul;
  pointwise_forward(add_kernels(), &add, Number::i64, out.view(), in, 2);
  EXPECT_EQ(out.get(0), 44);
  pointwise_forward(sub_kernels(), &sub, Number::i64, out.view(), in, 2);
  EXPECT_EQ(out.get(1), 255);
  pointwise_forward(mul_kernels(), &mul, Number::i64, out.view(), in, 2);
  EXPECT_EQ(out.get(2), 0);
}

TEST(PointwiseDriver, TakesSmallIntegersInEveryLayout) {
  for (const ScalarType dtype : {kBool, kByte, kChar, kShort, kInt})
    for (const auto& shape : std::vector<std::vector<int64_t>>{{1}, {2000}, {5, 300}, {40, 65}, {3, 40, 33}})
      for (int kind = 0; kind < 5; ++kind) {
        SCOPED_TRACE(str(dtype_name(dtype), " of ", IntArrayRef(shape), " kind ", kind));
        const bool turn = kind == 1 && shape.size() > 1;
        const Block a = turn        ? transposed(shape, dtype, 1)
                        : kind == 2 ? strided(shape, dtype, 1)
                                    : block(shape, dtype, 1);
        const Block b = kind == 3   ? block({shape.back()}, dtype, 2)
                        : kind == 4 ? block({}, kLong, 2)  // a single number of another dtype
                                    : block(shape, dtype, 2);
        const View in[] = {a.view(), b.view()};
        Block sum = turn ? transposed(shape, dtype) : block(shape, dtype), less = block(shape, kBool);
        const Add add;
        const Lt lt;
        pointwise_forward(add_kernels(), &add, Number::i64, sum.view(), in, 2);
        pointwise_forward(lt_kernels(), &lt, Number::i64, less.view(), in, 2);
        each_position(shape, [&](const auto& at) {
          const double x = a.get(a.offset(at)), y = b.get(b.offset(at));
          ASSERT_EQ(sum.get(sum.offset(at)), dtype == kBool ? x + y != 0 : x + y);
          ASSERT_EQ(less.get(less.offset(at)), x < y);
        });
        if (HasFatalFailure()) return;
      }
}

TEST(PointwiseDriver, ASingleNumberThatDoesNotFitASmallIntegerIsComparedAsItIs) {
  const Block x = block({100}, kByte, 1);
  Block large = block({}, kLong), out = block({100}, kBool);
  for (const double v : {256.0, -1.0, 1e15}) {
    large.set(0, v);
    const View in[] = {x.view(), large.view()};
    const Lt op;
    pointwise_forward(lt_kernels(), &op, Number::i64, out.view(), in, 2);
    for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(out.get(i), x.get(i) < v);
  }
}

TEST(PointwiseDriver, AnIntegerDividedByZeroThrows) {
  const Block a = block({100}, kInt, 1), zeros = block({100}, kInt, 0);
  Block out = block({100}, kInt);
  const View in[] = {a.view(), zeros.view()};
  const DivFloor op;
  for (const PointwiseKernels* k :
       {&div_floor_kernels(), &div_trunc_kernels(), &fmod_kernels(), &remainder_kernels()}) {
    try {
      pointwise_forward(*k, &op, Number::i64, out.view(), in, 2);
      ADD_FAILURE() << "no throw";
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(), "ZeroDivisionError");
    }
  }
  EXPECT_THROW(check_divisor(zeros.view()), Error);
  Block fine = block({4}, kLong, 1);
  for (int64_t i = 0; i < 4; ++i) fine.set(i, 3);
  EXPECT_NO_THROW(check_divisor(fine.view()));
}

TEST(PointwiseDriver, AnOpWithoutSuchAKernelThrows) {
  const Block x = block({3}, kLong);
  Block out = block({3}, kLong);
  const View in = x.view();
  const Exp op;
  EXPECT_THROW(pointwise_forward(exp_kernels(), &op, Number::i64, out.view(), &in, 1), NotImplementedError);
}

TEST(PointwiseDriver, ShapesThatDoNotBroadcastThrow) {
  const Block a = block({3, 4}, kFloat), b = block({5}, kFloat);
  Block out = block({3, 4}, kFloat);
  const View in[] = {a.view(), b.view()};
  const Add op;
  EXPECT_THROW(pointwise_forward(add_kernels(), &op, Number::f32, out.view(), in, 2), Error);
}

TEST(PointwiseDriver, TakesSixtyFourDimensions) {
  std::vector<int64_t> shape(kMaxDims, 1);
  shape[0] = 3, shape[20] = 2, shape[40] = 2, shape[63] = 5;
  Block out = block(shape, kFloat);
  check_addcmul(out, strided(shape, kFloat, 1), block({5}, kFloat, 2), block({}, kFloat, 3), Number::f32);
}

TEST(PointwiseDriver, BackwardTakesLayoutsAndSkipsWhatIsNotWanted) {
  const std::vector<int64_t> shape{37, 50};
  for (int wanted = 0; wanted < 4; ++wanted)
    for (const ScalarType dtype : {kFloat, kBFloat16}) {
      const Block g = transposed(shape, dtype, 1), a = block({50}, dtype, 2), b = strided(shape, dtype, 3);
      Block da = block(shape, dtype), db = transposed(shape, dtype);
      const View in[] = {a.view(), b.view()};
      const View dx[] = {wanted & 1 ? da.view() : View{}, wanted & 2 ? db.view() : View{}};
      const Mul op;
      pointwise_backward(mul_kernels(), &op, Number::f32, g.view(), in, View{}, dx, 2);
      each_position(shape, [&](const auto& at) {
        const double gi = g.get(g.offset(at));
        if (wanted & 1) {
          ASSERT_EQ(da.get(da.offset(at)), gi * b.get(b.offset(at)));
        }
        if (wanted & 2) {
          ASSERT_EQ(db.get(db.offset(at)), gi * a.get(a.offset(at)));
        }
      });
    }
}

TEST(PointwiseDriver, BackwardOfAddNeedsNoInputs) {
  const Block g = block({1000}, kFloat);
  Block da = block({1000}, kFloat), db = block({1000}, kFloat);
  const View in[2] = {}, dx[] = {da.view(), db.view()};
  const Sub op;
  pointwise_backward(sub_kernels(), &op, Number::f32, g.view(), in, View{}, dx, 2);
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(da.get(i), g.get(i));
    ASSERT_EQ(db.get(i), -g.get(i));
  }
}

TEST(PointwiseDriver, ManyThreadsGiveTheBitsOfOne) {
  const std::vector<int64_t> shape{400, 777};
  const Block a = transposed(shape, kFloat, 1), b = block({777}, kFloat, 2), c = block(shape, kFloat, 3);
  const View contiguous[] = {c.view(), c.view()}, mixed[] = {a.view(), b.view()};
  const int threads = get_num_threads();
  const Logaddexp op;
  for (const View* in : {contiguous, mixed}) {
    Block first = block(shape, kFloat), second = block(shape, kFloat);
    set_num_threads(1);
    pointwise_forward(logaddexp_kernels(), &op, Number::f32, first.view(), in, 2);
    set_num_threads(3);
    pointwise_forward(logaddexp_kernels(), &op, Number::f32, second.view(), in, 2);
    EXPECT_EQ(std::memcmp(first.memory.get(), second.memory.get(), static_cast<size_t>(first.elements) * 4), 0);
  }
  set_num_threads(threads);
}

}  // namespace
}  // namespace taut
