// The steps of optimisers for one instruction set: each rule is one pass over parameter, gradient and state.
#include "kernels/isa/optim.h"

#include <utility>

#include "kernels/pack.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {

#include "ops/formulas/optim/common.inc"

/// One number of a Step as the loop wants it.
template <class P>
struct AnyNumber {
  const void* at;
  HWY_INLINE operator P() const { return P(*static_cast<const double*>(at)); }
  HWY_INLINE operator Flag() const { return *static_cast<const Flag*>(at); }
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"  // a Step may hold a Gradient
template <class Step, class P, size_t... I>
HWY_INLINE Step unpack(const void* numbers, std::index_sequence<I...>) {
  return Step{AnyNumber<P>{static_cast<const double*>(numbers) + I}...};
}
#pragma GCC diagnostic pop

/// State I as a rule takes it: by pointer if it is there under a condition, else by reference.
template <class R, unsigned kHas, size_t I, class P>
HWY_INLINE decltype(auto) state_argument(P* s) {
  if constexpr (is_conditional(R::states, I)) return kHas >> I & 1 ? s + I : static_cast<P*>(nullptr);
  else return (s[I]);
}

template <class T, template <class> class Rule, unsigned kHas, size_t... I>
[[gnu::flatten]] void run_rows(const StepRow* row, int64_t count, std::index_sequence<I...>) {
  using P = Pack<T>;
  using R = Rule<P>;
  using Step = typename R::Step;
  constexpr size_t kNumbers = sizeof(typename Rule<double>::Step) / sizeof(double);
  for (const StepRow* const end = row + count; row != end;) {
    const void* const numbers = row->numbers;  // most rows share them
    const Step step = unpack<Step, P>(numbers, std::make_index_sequence<kNumbers>());
    do {
      T* const p = static_cast<T*>(row->data[0]);
      const T* const g = static_cast<const T*>(row->data[1]);
      [[maybe_unused]] T* const data[] = {static_cast<T*>(row->data[2 + I])..., nullptr};
      int64_t i = 0;
      for (; i + P::kLanes <= row->n; i += P::kLanes) {
        P x = P::load(p + i);
        P s[] = {(kHas >> I & 1 ? P::load(data[I] + i) : P(0))..., P(0)};
        step(x, P::load(g + i), state_argument<R, kHas, I>(s)...);
        x.store(p + i);
        ((kHas >> I & 1 ? s[I].store(data[I] + i) : void()), ...);
      }
      if (const int64_t left = row->n - i) {
        P x = P(load_part(p + i, left, T(0)));
        P s[] = {(kHas >> I & 1 ? P(load_part(data[I] + i, left, T(0))) : P(0))..., P(0)};
        step(x, P(load_part(g + i, left, T(0))), state_argument<R, kHas, I>(s)...);
        store_part(x.v, p + i, left);
        ((kHas >> I & 1 ? store_part(s[I].v, data[I] + i, left) : void()), ...);
      }
    } while (++row != end && row->numbers == numbers);
  }
}

template <class T, template <class> class Rule, unsigned kHas>
void run(const StepRow* rows, int64_t count) {
  run_rows<T, Rule, kHas>(rows, count, std::make_index_sequence<count_items(Rule<double>::states)>());
}

template <template <class> class Rule>
constexpr StepKernels step_kernels() {
  constexpr const char* states = Rule<double>::states;
  StepKernels k{};
  k.run[0][0] = run<float, Rule, states_of(states, 0)>, k.run[0][1] = run<double, Rule, states_of(states, 0)>;
  if constexpr (count_conditional(states) > 0)
    k.run[1][0] = run<float, Rule, states_of(states, 1)>, k.run[1][1] = run<double, Rule, states_of(states, 1)>;
  if constexpr (count_conditional(states) > 1) {
    k.run[2][0] = run<float, Rule, states_of(states, 2)>, k.run[2][1] = run<double, Rule, states_of(states, 2)>;
    k.run[3][0] = run<float, Rule, states_of(states, 3)>, k.run[3][1] = run<double, Rule, states_of(states, 3)>;
  }
  return k;
}

#define OPTIMIZER(Name)                    \
  extern const StepKernels Name##_kernels; \
  constexpr StepKernels Name##_kernels = step_kernels<Name>();
#define OPTIMIZER_ON_TENSORS(Name)
#include "ops/formulas/optim/all.inc"
#include "ops/formulas/optim/lerp.inc"
OPTIMIZER(Lerp)

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
