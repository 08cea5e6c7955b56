// The steps of optimisers for one instruction set: each rule is one pass over parameter, gradient and state.
#include "kernels/isa/optim.h"

#include "kernels/pack.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {

/// What every rule does first: the sign of the gradient, and weight decay added to it.
template <class P>
struct Base {
  P sign, weight_decay;
  bool decays;
  explicit HWY_INLINE Base(const StepNumbers& k)
      : sign(k.sign), weight_decay(k.weight_decay), decays(k.weight_decay != 0) {}
  HWY_INLINE void begin(const StepRow&) {}
  HWY_INLINE P gradient(P p, P g) const {
    g = sign * g;
    return decays ? fma(weight_decay, p, g) : g;
  }
};

template <class P>
struct Sgd : Base<P> {
  static constexpr int kStates = 0;
  P lr;
  explicit HWY_INLINE Sgd(const StepNumbers& k) : Base<P>(k), lr(-k.lr) {}
  HWY_INLINE void step(P& p, P g, P*) const { p = fma(lr, this->gradient(p, g), p); }
};

template <class P>
struct SgdMomentum : Base<P> {
  static constexpr int kStates = 1;
  P lr, momentum, fresh;
  bool nesterov, first = false;
  explicit HWY_INLINE SgdMomentum(const StepNumbers& k)
      : Base<P>(k), lr(-k.lr), momentum(k.momentum), fresh(1 - k.dampening), nesterov(k.nesterov) {}
  HWY_INLINE void begin(const StepRow& row) { first = row.a != 0; }
  HWY_INLINE void step(P& p, P g, P* s) const {
    g = this->gradient(p, g);
    s[0] = first ? g : fma(momentum, s[0], fresh * g);
    p = fma(lr, nesterov ? fma(momentum, s[0], g) : s[0], p);
  }
};

template <bool kMax>
struct AdamWith {
  template <class P>
  struct Rule : Base<P> {
    static constexpr int kStates = kMax ? 3 : 2;
    P keep, beta2, eps, rest1, rest2, size = 0, correction = 0;
    explicit HWY_INLINE Rule(const StepNumbers& k)
        : Base<P>(k), keep(k.keep), beta2(k.beta2), eps(k.eps), rest1(1 - k.beta1), rest2(1 - k.beta2) {}
    HWY_INLINE void begin(const StepRow& row) { size = -row.a, correction = row.b; }
    HWY_INLINE void step(P& p, P g, P* s) const {
      g = this->gradient(p, g);
      s[0] = fma(rest1, g - s[0], s[0]);
      s[1] = fma(rest2 * g, g, beta2 * s[1]);
      if constexpr (kMax) s[2] = max(s[2], s[1]);
      p = keep * p + size * (s[0] / fma(sqrt(s[kMax ? 2 : 1]), correction, eps));
    }
  };
};

template <bool kCentered, bool kMomentum>
struct RMSpropWith {
  template <class P>
  struct Rule : Base<P> {
    static constexpr int kStates = 1 + kCentered + kMomentum;
    P lr, alpha, rest, eps, momentum;
    explicit HWY_INLINE Rule(const StepNumbers& k)
        : Base<P>(k), lr(-k.lr), alpha(k.beta2), rest(1 - k.beta2), eps(k.eps), momentum(k.momentum) {}
    HWY_INLINE void step(P& p, P g, P* s) const {
      g = this->gradient(p, g);
      s[0] = fma(rest * g, g, alpha * s[0]);
      P square = s[0];
      if constexpr (kCentered) {
        s[1] = fma(rest, g - s[1], s[1]);
        square = square - s[1] * s[1];
      }
      P update = g / (sqrt(square) + eps);
      if constexpr (kMomentum) update = s[1 + kCentered] = fma(momentum, s[1 + kCentered], update);
      p = fma(lr, update, p);
    }
  };
};

template <class P>
struct Adagrad : Base<P> {
  static constexpr int kStates = 1;
  P eps, size = 0;
  explicit HWY_INLINE Adagrad(const StepNumbers& k) : Base<P>(k), eps(k.eps) {}
  HWY_INLINE void begin(const StepRow& row) { size = -row.a; }
  HWY_INLINE void step(P& p, P g, P* s) const {
    g = this->gradient(p, g);
    s[0] = fma(g, g, s[0]);
    p = fma(size, g / (sqrt(s[0]) + eps), p);
  }
};

template <class P>
struct Adadelta : Base<P> {
  static constexpr int kStates = 2;
  P lr, rho, rest, eps;
  explicit HWY_INLINE Adadelta(const StepNumbers& k)
      : Base<P>(k), lr(-k.lr), rho(k.beta2), rest(1 - k.beta2), eps(k.eps) {}
  HWY_INLINE void step(P& p, P g, P* s) const {
    g = this->gradient(p, g);
    s[0] = fma(rest * g, g, rho * s[0]);
    const P update = sqrt(s[1] + eps) / sqrt(s[0] + eps) * g;
    s[1] = fma(rest * update, update, rho * s[1]);
    p = fma(lr, update, p);
  }
};

template <class P>
struct Adamax : Base<P> {
  static constexpr int kStates = 2;
  P rest1, beta2, eps, size = 0;
  explicit HWY_INLINE Adamax(const StepNumbers& k) : Base<P>(k), rest1(1 - k.beta1), beta2(k.beta2), eps(k.eps) {}
  HWY_INLINE void begin(const StepRow& row) { size = -row.a; }
  HWY_INLINE void step(P& p, P g, P* s) const {
    g = this->gradient(p, g);
    s[0] = fma(rest1, g - s[0], s[0]);
    s[1] = max(beta2 * s[1], abs(g) + eps);
    p = fma(size, s[0] / s[1], p);
  }
};

template <class P>
struct NAdam : Base<P> {
  static constexpr int kStates = 2;
  P keep, rest1, beta2, rest2, eps, now = 0, mean = 0, correction = 0;
  explicit HWY_INLINE NAdam(const StepNumbers& k)
      : Base<P>(k), keep(k.keep), rest1(1 - k.beta1), beta2(k.beta2), rest2(1 - k.beta2), eps(k.eps) {}
  HWY_INLINE void begin(const StepRow& row) { now = row.a, mean = row.b, correction = row.c; }
  HWY_INLINE void step(P& p, P g, P* s) const {
    g = this->gradient(p, g);
    s[0] = fma(rest1, g - s[0], s[0]);
    s[1] = fma(rest2 * g, g, beta2 * s[1]);
    p = keep * p - fma(now, g, mean * s[0]) / (sqrt(s[1] * correction) + eps);
  }
};

template <class P>
struct RAdam : Base<P> {
  static constexpr int kStates = 2;
  P keep, rest1, beta2, rest2, eps, size = 0;
  bool adaptive = false;
  explicit HWY_INLINE RAdam(const StepNumbers& k)
      : Base<P>(k), keep(k.keep), rest1(1 - k.beta1), beta2(k.beta2), rest2(1 - k.beta2), eps(k.eps) {}
  HWY_INLINE void begin(const StepRow& row) { size = -row.a, adaptive = row.b != 0; }
  HWY_INLINE void step(P& p, P g, P* s) const {
    g = this->gradient(p, g);
    s[0] = fma(rest1, g - s[0], s[0]);
    s[1] = fma(rest2 * g, g, beta2 * s[1]);
    p = keep * p + size * (adaptive ? s[0] / (sqrt(s[1]) + eps) : s[0]);
  }
};

template <class P>
struct Rprop : Base<P> {
  static constexpr int kStates = 2;
  P low, high, smallest, largest;
  explicit HWY_INLINE Rprop(const StepNumbers& k)
      : Base<P>(k), low(k.low), high(k.high), smallest(k.min), largest(k.max) {}
  HWY_INLINE void step(P& p, P g, P* s) const {
    g = this->sign * g;
    const P agree = g * s[0];
    const P factor = where(agree > 0, high, where(agree < 0, low, where(agree == 0, 1, agree)));  // nan stays
    s[1] = min(max(s[1] * factor, smallest), largest);
    g = where(agree < 0, 0, g);
    p = p - sign_of(g) * s[1];
    s[0] = g;
  }
  static HWY_INLINE P sign_of(P x) { return where(x > 0, 1, where(x < 0, -1, 0)); }
};

template <class P>
struct Asgd : Base<P> {
  static constexpr int kStates = 1;
  P keep = 0, eta = 0, mu = 0;
  bool copies = false;
  explicit HWY_INLINE Asgd(const StepNumbers& k) : Base<P>(k) {}
  HWY_INLINE void begin(const StepRow& row) { keep = row.a, eta = -row.b, mu = row.c, copies = row.c == 1; }
  HWY_INLINE void step(P& p, P g, P* s) const {
    g = this->gradient(p, g);
    p = fma(eta, g, keep * p);
    s[0] = copies ? p : fma(mu, p - s[0], s[0]);
  }
};

template <class P>
struct Lerp : Base<P> {
  static constexpr int kStates = 0;
  P weight = 0, rest = 0;
  bool near = true;  // from the nearer end, so that both ends are exact
  explicit HWY_INLINE Lerp(const StepNumbers& k) : Base<P>(k) {}
  HWY_INLINE void begin(const StepRow& row) { weight = row.a, rest = row.a - 1, near = -0.5 < row.a && row.a < 0.5; }
  HWY_INLINE void step(P& p, P to, P*) const { p = near ? fma(weight, to - p, p) : fma(rest, to - p, to); }
};

template <class T, template <class> class Rule>
void run(const StepRow* rows, int64_t count, const StepNumbers& numbers) {
  using P = Pack<T>;
  using R = Rule<P>;
  constexpr int kStates = R::kStates;
  R rule(numbers);
  for (const StepRow* row = rows; row != rows + count; ++row) {
    rule.begin(*row);
    T* const p = static_cast<T*>(row->data[0]);
    const T* const g = static_cast<const T*>(row->data[1]);
    T* const s0 = kStates > 0 ? static_cast<T*>(row->data[2]) : nullptr;
    T* const s1 = kStates > 1 ? static_cast<T*>(row->data[3]) : nullptr;
    T* const s2 = kStates > 2 ? static_cast<T*>(row->data[4]) : nullptr;
    int64_t i = 0;
    for (; i + P::kLanes <= row->n; i += P::kLanes) {
      P x = P::load(p + i);
      P s[] = {kStates > 0 ? P::load(s0 + i) : P(0), kStates > 1 ? P::load(s1 + i) : P(0),
               kStates > 2 ? P::load(s2 + i) : P(0)};
      rule.step(x, P::load(g + i), s);
      x.store(p + i);
      if constexpr (kStates > 0) s[0].store(s0 + i);
      if constexpr (kStates > 1) s[1].store(s1 + i);
      if constexpr (kStates > 2) s[2].store(s2 + i);
    }
    if (const int64_t left = row->n - i) {
      P x = P(load_part(p + i, left, T(0)));
      P s[] = {kStates > 0 ? P(load_part(s0 + i, left, T(0))) : P(0),
               kStates > 1 ? P(load_part(s1 + i, left, T(0))) : P(0),
               kStates > 2 ? P(load_part(s2 + i, left, T(0))) : P(0)};
      rule.step(x, P(load_part(g + i, left, T(0))), s);
      store_part(x.v, p + i, left);
      if constexpr (kStates > 0) store_part(s[0].v, s0 + i, left);
      if constexpr (kStates > 1) store_part(s[1].v, s1 + i, left);
      if constexpr (kStates > 2) store_part(s[2].v, s2 + i, left);
    }
  }
}

}  // namespace

extern const StepTable step_table;
#define TAUT_RULE(...) \
  { run<float, __VA_ARGS__>, run<double, __VA_ARGS__> }
const StepTable step_table = {{
    TAUT_RULE(Sgd),
    TAUT_RULE(SgdMomentum),
    TAUT_RULE(AdamWith<false>::Rule),
    TAUT_RULE(AdamWith<true>::Rule),
    TAUT_RULE(RMSpropWith<false, false>::Rule),
    TAUT_RULE(RMSpropWith<true, false>::Rule),
    TAUT_RULE(RMSpropWith<false, true>::Rule),
    TAUT_RULE(RMSpropWith<true, true>::Rule),
    TAUT_RULE(Adagrad),
    TAUT_RULE(Adadelta),
    TAUT_RULE(Adamax),
    TAUT_RULE(NAdam),
    TAUT_RULE(RAdam),
    TAUT_RULE(Rprop),
    TAUT_RULE(Asgd),
    TAUT_RULE(Lerp),
}};
#undef TAUT_RULE

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
