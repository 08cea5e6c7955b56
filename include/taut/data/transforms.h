// Functions on examples and batches, for `dataset.map(...)`.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "taut/data/example.h"

namespace taut::data::transforms {

/// From a batch to a batch.
template <class InputBatch, class OutputBatch>
class BatchTransform {
 public:
  using InputBatchType = InputBatch;
  using OutputBatchType = OutputBatch;
  virtual ~BatchTransform() = default;
  virtual OutputBatch apply_batch(InputBatch input_batch) = 0;
};

/// From an example to an example.
template <class Input, class Output>
class Transform : public BatchTransform<std::vector<Input>, std::vector<Output>> {
 public:
  using InputType = Input;
  using OutputType = Output;
  virtual Output apply(Input input) = 0;
  std::vector<Output> apply_batch(std::vector<Input> input_batch) override {
    std::vector<Output> result;
    result.reserve(input_batch.size());
    for (Input& input : input_batch) result.push_back(apply(std::move(input)));
    return result;
  }
};

template <class Input, class Output = Input>
class BatchLambda : public BatchTransform<Input, Output> {
 public:
  using FunctionType = std::function<Output(Input)>;
  explicit BatchLambda(FunctionType function) : function_(std::move(function)) {}
  Output apply_batch(Input input_batch) override { return function_(std::move(input_batch)); }

 private:
  FunctionType function_;
};

template <class Input, class Output = Input>
class Lambda : public Transform<Input, Output> {
 public:
  using FunctionType = std::function<Output(Input)>;
  explicit Lambda(FunctionType function) : function_(std::move(function)) {}
  Output apply(Input input) override { return function_(std::move(input)); }

 private:
  FunctionType function_;
};

/// From many examples to one.
template <class T, class BatchType = std::vector<T>>
using Collation = BatchTransform<BatchType, T>;
template <class T, class BatchType = std::vector<T>>
using Collate = BatchLambda<BatchType, T>;

/// Stacks examples into one whose tensors have a batch dimension in front.
template <class T = Example<>>
struct Stack;

template <>
struct Stack<Example<>> : Collation<Example<>> {
  Example<> apply_batch(std::vector<Example<>> examples) override;
};
template <>
struct Stack<TensorExample> : Collation<TensorExample> {
  TensorExample apply_batch(std::vector<TensorExample> examples) override;
};

/// A transform of the data alone; targets stay.
template <class Target = Tensor>
class TensorTransform : public Transform<Example<Tensor, Target>, Example<Tensor, Target>> {
 public:
  virtual Tensor operator()(Tensor input) = 0;
  Example<Tensor, Target> apply(Example<Tensor, Target> input) override {
    input.data = (*this)(std::move(input.data));
    return input;
  }
};

template <class Target = Tensor>
class TensorLambda : public TensorTransform<Target> {
 public:
  using FunctionType = std::function<Tensor(Tensor)>;
  explicit TensorLambda(FunctionType function) : function_(std::move(function)) {}
  Tensor operator()(Tensor input) override { return function_(std::move(input)); }

 private:
  FunctionType function_;
};

/// One value per channel as a (C, 1, 1) tensor; with `nonzero`, none may be 0. Values must be finite.
Tensor per_channel(ArrayRef<double> values, const char* what, bool nonzero);

/// (x - mean) / stddev for every channel of a (C, H, W) tensor.
template <class Target = Tensor>
struct Normalize : TensorTransform<Target> {
  Normalize(ArrayRef<double> mean_of_channels, ArrayRef<double> stddev_of_channels)
      : mean(per_channel(mean_of_channels, "mean", false)), stddev(per_channel(stddev_of_channels, "stddev", true)) {}
  Tensor operator()(Tensor input) override { return input.sub(mean).div(stddev); }
  Tensor mean, stddev;
};

}  // namespace taut::data::transforms
