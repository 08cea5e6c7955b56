// Datasets of tensors, random splits, and the transforms that need no template.
#include "taut/data/datasets.h"

#include <cmath>
#include <cstdint>

#include "taut/core/runtime.h"
#include "taut/data/orders.h"
#include "taut/data/transforms.h"
#include "taut/factories.h"
#include "taut/ops.h"

namespace taut::data {

namespace datasets {

namespace detail {

void check_index(size_t index, size_t size, const char* who) {
  check<IndexError>(index < size, who, ": index ", index, " is out of range for a dataset of ", size, " examples");
}

void check_indices(ArrayRef<size_t> indices, std::optional<size_t> size, const char* who) {
  if (!size) return;
  for (size_t i : indices) check_index(i, *size, who);
}

size_t known_size(std::optional<size_t> size, const char* who) {
  check<ValueError>(size.has_value(), who, ": the dataset must know its size; pass a sampler, or a length, yourself");
  return *size;
}

size_t size_for_sampler(std::optional<size_t> size) {
  check<ValueError>(size.has_value(),
                    "Expected the dataset to be sized in order to construct the Sampler: pass a sampler yourself");
  return *size;
}

void no_place(serialize::OutputArchive&) {
  throw NotImplementedError("this StatefulDataset does not say how it is saved: override save()");
}
void no_place(serialize::InputArchive&) {
  throw NotImplementedError("this StatefulDataset does not say how it is loaded: override load()");
}

std::vector<std::vector<size_t>> split(size_t size, ArrayRef<size_t> lengths, std::optional<Generator> generator) {
  size_t sum = 0;
  for (size_t n : lengths) {
    check<ValueError>(n <= size, "random_split: a part of ", static_cast<int64_t>(n), " examples of a dataset of ",
                      size);
    sum += n;
  }
  check<ValueError>(sum == size, "random_split: Sum of input lengths does not equal the length of the input dataset! (",
                    sum, " and ", size, ")");
  std::vector<std::vector<size_t>> parts;
  for (const Tensor& part : orders::split(std::vector<int64_t>(lengths.begin(), lengths.end()), std::move(generator))) {
    const int64_t* p = part.data_ptr<int64_t>();
    parts.emplace_back(p, p + part.numel());
  }
  return parts;
}

std::vector<size_t> lengths_of(size_t size, ArrayRef<double> given) {
  double sum = 0;
  for (double f : given) sum += f;
  std::vector<size_t> lengths;
  if (!(std::abs(sum - 1) <= 1e-9 && sum <= 1)) {
    for (double n : given) {
      check<ValueError>(n >= 0 && n == std::floor(n) && n < 9e15,
                        "random_split: expected whole numbers, or fractions that sum up to 1, got ", n);
      lengths.push_back(static_cast<size_t>(n));
    }
    return lengths;
  }
  for (const int64_t n : orders::lengths_of_shares(static_cast<int64_t>(size), given))
    lengths.push_back(static_cast<size_t>(n));
  for (size_t i = 0; i < lengths.size(); ++i)
    if (lengths[i] == 0)
      warn(str("random_split: Length of split at index ", i, " is 0. This might result in an empty dataset."));
  return lengths;
}

}  // namespace detail

namespace {
size_t rows(const Tensor& t, const char* who) {
  check<ValueError>(t.defined(), who, ": expected a tensor, got an undefined one");
  check<ValueError>(t.dim() > 0, who, ": expected a tensor with rows, got a scalar");
  return static_cast<size_t>(t.size(0));
}
}  // namespace

TensorDataset::TensorDataset(Tensor rows_of) : tensor(std::move(rows_of)) { rows(tensor, "TensorDataset"); }
TensorDataset::TensorDataset(const std::vector<Tensor>& tensors) : TensorDataset(stack(tensors)) {}
TensorExample TensorDataset::get(size_t index) {
  detail::check_index(index, static_cast<size_t>(tensor.size(0)), "TensorDataset");
  return tensor[static_cast<int64_t>(index)];
}
std::optional<size_t> TensorDataset::size() const { return static_cast<size_t>(tensor.size(0)); }

TensorPairDataset::TensorPairDataset(Tensor data_rows, Tensor target_rows)
    : data(std::move(data_rows)), targets(std::move(target_rows)) {
  const size_t n = rows(data, "TensorPairDataset"), m = rows(targets, "TensorPairDataset");
  check<ValueError>(n == m, "TensorPairDataset: Size mismatch between tensors: ", n, " rows of data (", data.sizes(),
                    ") and ", m, " of targets (", targets.sizes(), ")");
}
Example<> TensorPairDataset::get(size_t index) {
  detail::check_index(index, static_cast<size_t>(data.size(0)), "TensorPairDataset");
  const auto i = static_cast<int64_t>(index);
  return {data[i], targets[i]};
}
std::optional<size_t> TensorPairDataset::size() const { return static_cast<size_t>(data.size(0)); }

}  // namespace datasets

namespace transforms {

Example<> Stack<Example<>>::apply_batch(std::vector<Example<>> examples) {
  std::vector<Tensor> data, targets;
  data.reserve(examples.size());
  targets.reserve(examples.size());
  for (Example<>& e : examples) {
    data.push_back(std::move(e.data));
    targets.push_back(std::move(e.target));
  }
  return {stack(data), stack(targets)};
}

TensorExample Stack<TensorExample>::apply_batch(std::vector<TensorExample> examples) {
  std::vector<Tensor> data;
  data.reserve(examples.size());
  for (TensorExample& e : examples) data.push_back(std::move(e.data));
  return stack(data);
}

Tensor per_channel(ArrayRef<double> values, const char* what, bool nonzero) {
  for (double v : values)
    check<ValueError>(std::isfinite(v) && !(nonzero && v == 0), "Normalize: ", what, " must be finite",
                      nonzero ? " and not 0" : "", ", got ", v);
  check<ValueError>(!values.empty(), "Normalize: ", what, " needs one value per channel, got none");
  return tensor(values, kFloat).unsqueeze(1).unsqueeze(2);
}

}  // namespace transforms

}  // namespace taut::data
