// Tensors as the golden files write them.
#pragma once
#include <string>
#include <vector>

#include "taut/taut.h"

namespace taut::test {

std::vector<std::string> split(const std::string& text, char at);
/// "float64[2,3]:1,2,3,4,5,6" as a tensor, complex numbers as two each; "none" as an undefined one.
Tensor parse_tensor(const std::string& text);

}  // namespace taut::test
