// One switch between PyTorch's two faces, for what they do differently: Python prints `tensor([1., 2.])`,
// `Linear(in_features=2, ...)`, float32, and has its own draws from the random stream in samplers, loaders and copies
// of modules; libtorch has others. <torch/torch.h> of taut::torch chooses libtorch for its program.
#pragma once
#include <cstdint>

namespace taut {

enum class PrintStyle : uint8_t { Python, Cpp };
PrintStyle print_style();
void set_print_style(PrintStyle style);
/// Is this a program of libtorch's?
inline bool as_libtorch() { return print_style() == PrintStyle::Cpp; }

}  // namespace taut
