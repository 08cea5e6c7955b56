// The text of a module as libtorch writes it in C++, made from the one of Python.
#pragma once
#include <string>
#include <typeinfo>

#include "taut/nn/module.h"

namespace taut::nn::detail {

/// "torch::nn::Dropout(p=0.5, inplace=false)" for a module whose text is "Dropout(p=0.5, inplace=False)".
std::string cpp_text(const Module& module, const std::string& python, bool has_children);

/// Is this a class of the library, and none of the program?
bool is_own(const std::type_info& type);
/// The name of a class, where libtorch gives it another.
std::string cpp_name(const std::string& name);
/// Does libtorch not know that the module has others inside?
bool hides_children(const Module& module);
/// Does a stream, once libtorch has printed a module of this class, go on to print `true` for 1?
bool sets_boolalpha(const std::string& name);

}  // namespace taut::nn::detail
