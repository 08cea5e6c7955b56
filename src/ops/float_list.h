// `float[]` as an argument of a row: a list of numbers, or one of them.
#pragma once
#include "ops/registry.h"

namespace taut::detail {

template <>
struct Unboxed<ArrayRef<double>> {
  std::vector<double> value;
  explicit Unboxed(const Value& v) {
    if (auto* list = v.get<Value::List>())
      for (const Value& x : *list) value.push_back(x.to_double());
    else value = {v.to_double()};
  }
  operator ArrayRef<double>() { return value; }
};

}  // namespace taut::detail
