// Printing, character for character as PyTorch prints.
#pragma once
#include <optional>
#include <string>

#include "taut/tensor.h"

namespace taut {

struct PrintOptions {
  int precision = 4;
  int64_t threshold = 1000;  // more elements than this are summarised
  int64_t edgeitems = 3;
  int linewidth = 80;
  std::optional<bool> sci_mode;
};
PrintOptions get_printoptions();
void set_printoptions(const PrintOptions& options);

/// As libtorch prints in C++: " 1  2\n 3  4\n[ CPUFloatType{2,2} ]", in lines of at most `width` characters.
std::ostream& print_cpp(std::ostream& out, const Tensor& t, int64_t width = 80);
/// What Python's repr gives: "tensor([1., 2.], requires_grad=True)".
std::string repr(const Tensor& t);

}  // namespace taut
