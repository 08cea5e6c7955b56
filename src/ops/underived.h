// Results whose derivative nobody has worked out: they say so when somebody asks for it, as in PyTorch.
#pragma once
#include "ops/op.h"

namespace taut {

struct Underived {
  static constexpr bool complex = true;
  static constexpr const char* name = "op";
  static constexpr const char* node = "NotImplemented";
  const char* op;
  template <class... T>
  Tensor forward(const Tensor& value, const T&...) const {
    return alias(value, value.sizes(), value.strides());
  }
  Tensor vjp(int, const Tensor&, const Saved&) const {
    throw Error(str("derivative for aten::", op, " is not implemented"));
  }
};

/// `value` as the result of `op` of these inputs.
template <class... In>
Tensor underived(const char* op, const Tensor& value, const In&... inputs) {
  const Tensor* const in[] = {&inputs...};
  return should_record(in, sizeof...(In)) ? apply(Underived{op}, value, inputs...) : value;
}

}  // namespace taut
