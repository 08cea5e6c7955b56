#include "kernels/ctc.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/maths.h"
#include "core/parallel.h"

namespace taut::kernels {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  const double top = std::max(a, b);
  return top == kNever ? kNever : top + maths::log1p(maths::exp(std::min(a, b) - top));
}

/// The states of one sequence: a blank between labels, before the first and after the last.
template <class T>
struct Sequence {
  const Ctc& c;
  int64_t n;
  int64_t steps = c.input_lengths[static_cast<size_t>(n)];
  int64_t states = 2 * c.target_lengths[static_cast<size_t>(n)] + 1;
  const int64_t* target = c.targets + c.offsets[static_cast<size_t>(n)];
  const T* x = c.log_probs.ptr<T>() + n * c.log_probs.sizes[2];
  int64_t stride = c.log_probs.sizes[1] * c.log_probs.sizes[2];

  int64_t label(int64_t s) const { return s % 2 ? target[s / 2] : c.blank; }
  /// May a path go from state s - 2 straight to s?
  bool skips(int64_t s) const { return s % 2 && s >= 2 && label(s) != label(s - 2); }
  double at(int64_t t, int64_t s) const { return static_cast<double>(x[t * stride + label(s)]); }

  void forward(double* alpha, int64_t width) const {
    for (int64_t t = 0; t < steps; ++t) {
      double* now = alpha + t * width;
      const double* before = now - width;
      for (int64_t s = 0; s < states; ++s) {
        double reached;
        if (t == 0) {
          reached = s < 2 ? 0 : kNever;
        } else {
          reached = before[s];
          if (s > 0) reached = log_add(reached, before[s - 1]);
          if (skips(s)) reached = log_add(reached, before[s - 2]);
        }
        now[s] = reached + at(t, s);
      }
    }
  }
  double nll(const double* alpha, int64_t width) const {
    if (steps == 0) return states == 1 ? 0 : -kNever;
    const double* last = alpha + (steps - 1) * width;
    return -(states > 1 ? log_add(last[states - 1], last[states - 2]) : last[0]);
  }
  void backward(T* dx, double g, const double* alpha, int64_t width, bool zero_infinity) const {
    const int64_t classes = c.log_probs.sizes[2], all = c.log_probs.sizes[0];
    const double cost = nll(alpha, width);
    const bool nothing = zero_infinity && cost == -kNever;
    for (int64_t t = nothing ? 0 : steps; t < all; ++t) std::fill_n(dx + t * stride, classes, T(0));
    if (nothing) return;
    std::vector<double> beta(static_cast<size_t>(states)), next = beta;
    std::vector<double> joint(static_cast<size_t>(classes));
    for (int64_t t = steps - 1; t >= 0; --t) {
      std::fill(joint.begin(), joint.end(), kNever);
      for (int64_t s = 0; s < states; ++s) {
        const size_t k = static_cast<size_t>(s);
        double left;
        if (t == steps - 1) {
          left = s >= states - 2 ? 0 : kNever;
        } else {
          left = next[k];
          if (s + 1 < states) left = log_add(left, next[k + 1]);
          if (s + 2 < states && skips(s + 2)) left = log_add(left, next[k + 2]);
        }
        beta[k] = left + at(t, s);
        double& j = joint[static_cast<size_t>(label(s))];
        j = log_add(j, alpha[t * width + s] + beta[k]);
      }
      for (int64_t k = 0; k < classes; ++k) {
        const double lp = static_cast<double>(x[t * stride + k]);
        const double posterior = maths::exp(joint[static_cast<size_t>(k)] + cost - lp);
        dx[t * stride + k] = static_cast<T>(g * (maths::exp(lp) - posterior));
      }
      std::swap(beta, next);
    }
  }
};

template <class F>
void each_sequence(const Ctc& c, F f) {
  parallel_for(c.log_probs.sizes[1], 1, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      if (c.log_probs.dtype == kDouble) f(Sequence<double>{c, n}, double());
      else f(Sequence<float>{c, n}, float());
    }
  });
}

}  // namespace

void ctc(double* nll, double* alpha, int64_t states, const Ctc& c) {
  if (dry) return;
  const int64_t size = c.log_probs.sizes[0] * states;
  each_sequence(c, [&](const auto& sequence, auto) {
    double* mine = alpha + sequence.n * size;
    sequence.forward(mine, states);
    nll[sequence.n] = sequence.nll(mine, states);
  });
}

void ctc_backward(const View& dx, const double* g, const double* alpha, int64_t states, const Ctc& c,
                  bool zero_infinity) {
  if (dry) return;
  const int64_t size = c.log_probs.sizes[0] * states;
  each_sequence(c, [&]<class T>(const Sequence<T>& sequence, T) {
    T* to = dx.ptr<T>() + sequence.n * c.log_probs.sizes[2];
    sequence.backward(to, g[sequence.n], alpha + sequence.n * size, states, zero_infinity);
  });
}

}  // namespace taut::kernels
