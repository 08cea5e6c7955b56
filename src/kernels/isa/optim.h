// What the host and the optimiser kernels of every instruction set agree on. Plain data only.
#pragma once
#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

constexpr int kStepStates = 4;
constexpr int kStepStreams = 2 + kStepStates;  // parameter, gradient, state

/// n contiguous elements of one parameter. `numbers` is the Step of its rule, worked out in double.
struct StepRow {
  void* data[kStepStreams];  // null where there is no such state
  int64_t n;
  const void* numbers;
};

/// The loops of one rule. run[k]: bit i of k is set if the i-th of those states is there that only some options ask
/// for.
struct StepKernels {
  void (*run[4][2])(const StepRow* rows, int64_t count);  // [][float32, float64]
};

// The texts that describe an optimiser, "square_avg, momentum_buffer if momentum", as far as loops must know them.

constexpr int count_items(const char* text) {
  int n = *text ? 1 : 0;
  for (; *text; ++text) n += *text == ',';
  return n;
}
/// Is the i-th item there under a condition?
constexpr bool is_conditional(const char* text, int i) {
  for (; i > 0; ++text) i -= *text == ',';
  for (; *text && *text != ','; ++text)
    if (text[0] == ' ' && text[1] == 'i' && text[2] == 'f' && text[3] == ' ') return true;
  return false;
}
constexpr int count_conditional(const char* text) {
  int n = 0;
  for (int i = 0; i < count_items(text); ++i) n += is_conditional(text, i);
  return n;
}
/// The states that are there in run[k], as bits.
constexpr unsigned states_of(const char* text, int k) {
  unsigned mask = 0;
  for (int i = 0, c = 0; i < count_items(text); ++i)
    if (!is_conditional(text, i) || (k >> c++ & 1)) mask |= 1u << i;
  return mask;
}

}  // namespace taut
