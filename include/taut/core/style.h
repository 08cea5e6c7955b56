// One switch between two ways to print: as Python prints (`tensor([1., 2.])`, `Linear(in_features=2, ...)`, float32),
// and as libtorch prints in C++. <torch/torch.h> of taut::torch chooses the second for its program.
#pragma once
#include <cstdint>

namespace taut {

enum class PrintStyle : uint8_t { Python, Cpp };
PrintStyle print_style();
void set_print_style(PrintStyle style);

}  // namespace taut
