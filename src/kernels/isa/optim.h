// What the host and the optimiser kernels of every instruction set agree on. Plain data only.
#pragma once
#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

/// How one element of a parameter moves. The letters are the numbers a row has of its own; s0, s1, s2 its state.
enum class StepRule : uint8_t {
  Sgd,
  SgdMomentum,              // s0: buffer; a: 1 when the buffer holds nothing yet
  Adam,                     // s0: mean, s1: mean square; a: step size, b: 1 / sqrt(bias correction of s1)
  AdamMax,                  // and s2: the largest s1 so far (amsgrad)
  RMSprop,                  // s0: mean square
  RMSpropCentered,          // and s1: mean
  RMSpropMomentum,          // s0: mean square, s1: buffer
  RMSpropCenteredMomentum,  // s0: mean square, s1: mean, s2: buffer
  Adagrad,                  // s0: sum of squares; a: step size
  Adadelta,                 // s0: mean square of gradients, s1: of updates
  Adamax,                   // s0: mean, s1: infinity norm; a: step size
  NAdam,                    // s0: mean, s1: mean square; a, b: weights of gradient and mean, c: 1 / bias correction
  RAdam,                    // s0: mean, s1: mean square; a: step size, b: 1 when it is adaptive
  Rprop,                    // s0: previous gradient, s1: step sizes
  Asgd,                     // s0: average; a: decay of the parameter, b: step size, c: weight of the average
  Lerp,                     // no state; a: weight of the "gradient", which is what the parameter moves to
};
constexpr int kStepRules = static_cast<int>(StepRule::Lerp) + 1;
constexpr int kStepStreams = 5;  // parameter, gradient, three of state

/// The numbers that all parameters of a group share; each rule reads its own.
struct StepNumbers {
  double lr = 0, momentum = 0, dampening = 0;
  double weight_decay = 0;      // added to the gradient, times the parameter
  double keep = 1;              // the parameter is multiplied by it first: decoupled weight decay
  double sign = 1;              // of the gradient; -1 to maximize
  double beta1 = 0, beta2 = 0;  // of running means; beta2 is also alpha, or rho
  double eps = 0;
  double low = 0, high = 0;  // Rprop: factors of the step size, and
  double min = 0, max = 0;   // its limits
  bool nesterov = false;
};

/// n contiguous elements of one parameter.
struct StepRow {
  void* data[kStepStreams];
  int64_t n;
  double a, b, c;
};

struct StepTable {
  void (*run[kStepRules][2])(const StepRow* rows, int64_t count, const StepNumbers& numbers);  // [][float32, float64]
};
TAUT_ISA_TABLE(StepTable, step_table)

}  // namespace taut
