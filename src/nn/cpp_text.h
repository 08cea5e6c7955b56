// The text of a module as libtorch writes it in C++, made from the one of Python.
#pragma once
#include <string>

#include "taut/nn/module.h"

namespace taut::nn::detail {

/// "torch::nn::Dropout(p=0.5, inplace=false)" for a module whose text is "Dropout(p=0.5, inplace=False)".
std::string cpp_text(const Module& module, const std::string& python, bool has_children);

}  // namespace taut::nn::detail
