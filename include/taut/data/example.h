// What a dataset is made of.
#pragma once
#include <utility>

#include "taut/tensor.h"

namespace taut::data {

/// A sample and what a model should say about it.
template <class Data = Tensor, class Target = Tensor>
struct Example {
  using DataType = Data;
  using TargetType = Target;
  Example() = default;
  Example(Data d, Target t) : data(std::move(d)), target(std::move(t)) {}
  Data data;
  Target target;
};

namespace example {
using NoTarget = void;
}

/// A sample alone; converts to its data.
template <class Data>
struct Example<Data, example::NoTarget> {
  using DataType = Data;
  using TargetType = example::NoTarget;
  Example() = default;
  Example(Data d) : data(std::move(d)) {}
  operator Data&() { return data; }
  operator const Data&() const { return data; }
  Data data;
};

using TensorExample = Example<Tensor, example::NoTarget>;

}  // namespace taut::data
