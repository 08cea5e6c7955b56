// For programs written for libtorch: the target taut::torch makes <torch/torch.h> this file, and torch::, at:: and
// c10:: other names of taut::. docs/libtorch.md says what is covered.
#pragma once
#include "taut/taut.h"

namespace torch {
using namespace taut;  // NOLINT
using std::nullopt;
using std::optional;
}  // namespace torch
namespace at {
using namespace taut;  // NOLINT
}
namespace c10 {
using namespace taut;  // NOLINT
using std::get;
using std::get_if;
using std::holds_alternative;
using std::nullopt;
using std::optional;
using string_view = std::string_view;
}  // namespace c10

#define TORCH_MODULE(Name) TAUT_MODULE(Name)
#define TORCH_MODULE_IMPL(Name, ImplType) TAUT_MODULE_IMPL(Name, ImplType)
#define TORCH_ARG(T, name) TAUT_ARG(T, name)
#define TORCH_CHECK(condition, ...)                                                    \
  do {                                                                                 \
    if (!(condition)) throw ::taut::Error(::taut::str("" __VA_OPT__(, ) __VA_ARGS__)); \
  } while (false)
#define AT_ASSERT(condition, ...) TORCH_CHECK(condition, "ASSERT FAILED: " #condition " " __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) AT_ASSERT(condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_WARN(...) ::taut::warn(::taut::str(__VA_ARGS__))
