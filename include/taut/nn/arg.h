// One option of a module: TAUT_ARG(bool, bias) = true; gives `options.bias(false)`, which can be chained, and
// `options.bias()`.
#pragma once
#include <utility>

#define TAUT_ARG(T, name)                            \
 public:                                             \
  auto name(T new_##name)->decltype(*this) {         \
    this->name##_ = std::move(new_##name);           \
    return *this;                                    \
  }                                                  \
  const T& name() const noexcept { return name##_; } \
  T& name() noexcept { return name##_; }             \
                                                     \
 private:                                            \
  T name##_ /* NOLINT */
