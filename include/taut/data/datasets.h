// Datasets: what a DataLoader draws its batches from. Derive from Dataset<Self> and write get() and size().
#pragma once
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "taut/core/array_ref.h"
#include "taut/data/example.h"
#include "taut/random.h"

namespace taut::serialize {
class OutputArchive;
class InputArchive;
}  // namespace taut::serialize

namespace taut::data::datasets {

namespace detail {
// Throw: the dataset does not say how it is saved.
void no_place(serialize::OutputArchive& archive);
void no_place(serialize::InputArchive& archive);
}  // namespace detail

template <class Source, class Transform>
class MapDataset;

/// A source of whole batches. A Batch of type std::optional says that the dataset itself decides when an epoch ends.
template <class Self, class Batch = std::vector<Example<>>, class BatchRequest = ArrayRef<size_t>>
class BatchDataset {
 public:
  using SelfType = Self;
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;
  static constexpr bool is_stateful = requires(Batch b) { b.has_value(); };

  virtual ~BatchDataset() = default;
  virtual Batch get_batch(BatchRequest request) = 0;
  virtual std::optional<size_t> size() const = 0;

  /// The same dataset with `transform` applied to every batch.
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) & {
    return {static_cast<Self&>(*this), std::move(transform)};
  }
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) && {
    return {std::move(static_cast<Self&>(*this)), std::move(transform)};
  }
};

/// A dataset with random access to its examples.
template <class Self, class SingleExample = Example<>>
class Dataset : public BatchDataset<Self, std::vector<SingleExample>> {
 public:
  using ExampleType = SingleExample;
  virtual SingleExample get(size_t index) = 0;
  std::vector<SingleExample> get_batch(ArrayRef<size_t> indices) override {
    std::vector<SingleExample> batch;
    batch.reserve(indices.size());
    for (size_t i : indices) batch.push_back(get(i));
    return batch;
  }
};

/// Asked for a number of examples, not for certain ones.
template <class Self, class Batch = std::vector<Example<>>>
using StreamDataset = BatchDataset<Self, Batch, size_t>;

/// Keeps its own place and ends an epoch by returning nullopt. All workers of a loader share one: get_batch must be
/// safe to call from several threads.
template <class Self, class Batch = std::vector<Example<>>, class BatchRequest = size_t>
class StatefulDataset : public BatchDataset<Self, std::optional<Batch>, BatchRequest> {
 public:
  /// Called when an epoch begins.
  virtual void reset() = 0;
  /// Its place, into an archive and out of it; an error unless overridden.
  virtual void save(serialize::OutputArchive& archive) const { detail::no_place(archive); }
  virtual void load(serialize::InputArchive& archive) { detail::no_place(archive); }
};
template <class Self, class Batch, class Request>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive,
                                     const StatefulDataset<Self, Batch, Request>& dataset) {
  dataset.save(archive);
  return archive;
}
template <class Self, class Batch, class Request>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, StatefulDataset<Self, Batch, Request>& dataset) {
  dataset.load(archive);
  return archive;
}

/// What `dataset.map(transform)` makes.
template <class Source, class AppliedTransform>
class MapDataset
    : public BatchDataset<
          MapDataset<Source, AppliedTransform>,
          std::conditional_t<Source::is_stateful, std::optional<typename AppliedTransform::OutputBatchType>,
                             typename AppliedTransform::OutputBatchType>,
          typename Source::BatchRequestType> {
 public:
  using DatasetType = Source;
  using TransformType = AppliedTransform;
  using BatchRequestType = typename Source::BatchRequestType;
  using OutputBatchType =
      std::conditional_t<Source::is_stateful, std::optional<typename AppliedTransform::OutputBatchType>,
                         typename AppliedTransform::OutputBatchType>;

  MapDataset(Source dataset, AppliedTransform transform)
      : dataset_(std::move(dataset)), transform_(std::move(transform)) {}

  OutputBatchType get_batch(BatchRequestType request) override {
    if constexpr (Source::is_stateful) {
      auto batch = dataset_.get_batch(std::move(request));
      if (!batch) return std::nullopt;
      return transform_.apply_batch(std::move(*batch));
    } else {
      static_assert(std::is_same_v<typename Source::BatchType, typename AppliedTransform::InputBatchType>,
                    "the transform takes another type of batch than the dataset gives");
      return transform_.apply_batch(dataset_.get_batch(std::move(request)));
    }
  }
  std::optional<size_t> size() const override { return dataset_.size(); }
  void reset() { dataset_.reset(); }
  const Source& dataset() const { return dataset_; }
  const AppliedTransform& transform() const { return transform_; }

 private:
  Source dataset_;
  AppliedTransform transform_;
};

template <class D, class Transform>
MapDataset<D, Transform> map(D dataset, Transform transform) {
  return {std::move(dataset), std::move(transform)};
}

/// The rows of a tensor.
struct TensorDataset : Dataset<TensorDataset, TensorExample> {
  explicit TensorDataset(Tensor rows);
  /// Tensors of one shape, stacked.
  explicit TensorDataset(const std::vector<Tensor>& tensors);
  TensorExample get(size_t index) override;
  std::optional<size_t> size() const override;
  Tensor tensor;
};

/// The rows of `data`, each with its row of `targets`. (Python's TensorDataset of two tensors.)
struct TensorPairDataset : Dataset<TensorPairDataset> {
  TensorPairDataset(Tensor data_rows, Tensor target_rows);
  Example<> get(size_t index) override;
  std::optional<size_t> size() const override;
  Tensor data, targets;
};

/// Several loaders, or several workers, reading one dataset that must not be copied.
template <class Underlying>
class SharedBatchDataset : public BatchDataset<SharedBatchDataset<Underlying>, typename Underlying::BatchType,
                                               typename Underlying::BatchRequestType> {
 public:
  using BatchType = typename Underlying::BatchType;
  using BatchRequestType = typename Underlying::BatchRequestType;
  SharedBatchDataset(std::shared_ptr<Underlying> dataset) : dataset_(std::move(dataset)) {}
  BatchType get_batch(BatchRequestType request) override { return dataset_->get_batch(std::move(request)); }
  std::optional<size_t> size() const override { return dataset_->size(); }
  void reset() { dataset_->reset(); }
  Underlying& operator*() const { return *dataset_; }
  Underlying* operator->() const { return dataset_.get(); }

 private:
  std::shared_ptr<Underlying> dataset_;
};
template <class D, class... Args>
SharedBatchDataset<D> make_shared_dataset(Args&&... args) {
  return {std::make_shared<D>(std::forward<Args>(args)...)};
}

namespace detail {
template <class D>
concept HasExamples = requires(D d) {
  d.get(size_t{});
};
void check_index(size_t index, size_t size, const char* who);
void check_indices(ArrayRef<size_t> indices, std::optional<size_t> size, const char* who);
size_t known_size(std::optional<size_t> size, const char* who);
size_t size_for_sampler(std::optional<size_t> size);
/// The indices of each part of a random split.
std::vector<std::vector<size_t>> split(size_t size, ArrayRef<size_t> lengths, std::optional<Generator> generator);
/// Lengths from lengths, or from fractions that sum to 1.
std::vector<size_t> lengths_of(size_t size, ArrayRef<double> given);
}  // namespace detail

/// Some examples of another dataset, in the given order.
template <class D>
class Subset : public BatchDataset<Subset<D>, typename D::BatchType> {
 public:
  Subset(D dataset, std::vector<size_t> indices) : dataset_(std::move(dataset)), indices_(std::move(indices)) {
    detail::check_indices(indices_, dataset_.size(), "Subset");
  }
  typename D::BatchType get_batch(ArrayRef<size_t> request) override {
    std::vector<size_t> inner;
    inner.reserve(request.size());
    for (size_t i : request) inner.push_back(inner_index(i));
    return dataset_.get_batch(inner);
  }
  auto get(size_t index) requires detail::HasExamples<D> { return dataset_.get(inner_index(index)); }
  std::optional<size_t> size() const override { return indices_.size(); }
  const std::vector<size_t>& indices() const { return indices_; }
  D& dataset() { return dataset_; }

 private:
  size_t inner_index(size_t i) const {
    detail::check_index(i, indices_.size(), "Subset");
    return indices_[i];
  }
  D dataset_;
  std::vector<size_t> indices_;
};

/// Datasets one after the other: `ConcatDataset(a, b)` or of a vector. They may be of different types with one type of
/// example.
template <class E = Example<>>
class ConcatDataset : public Dataset<ConcatDataset<E>, E> {
 public:
  template <detail::HasExamples... D>
  requires(sizeof...(D) > 0) explicit ConcatDataset(D... datasets) { (add(std::move(datasets)), ...); }
  template <class D>
  explicit ConcatDataset(std::vector<D> datasets) {
    check<ValueError>(!datasets.empty(), "ConcatDataset: datasets should not be an empty list");
    for (D& d : datasets) add(std::move(d));
  }
  E get(size_t index) override {
    detail::check_index(index, total_, "ConcatDataset");
    size_t part = 0;
    while (index >= parts_[part].size) index -= parts_[part++].size;
    return parts_[part].get(index);
  }
  std::optional<size_t> size() const override { return total_; }

 private:
  struct Part {
    std::function<E(size_t)> get;  // owns its dataset: a copy of the function is a copy of the dataset
    size_t size;
  };
  template <class D>
  void add(D dataset) {
    const size_t size = detail::known_size(dataset.size(), "ConcatDataset");
    parts_.push_back({[d = std::move(dataset)](size_t i) mutable -> E { return d.get(i); }, size});
    total_ += size;
  }
  std::vector<Part> parts_;
  size_t total_ = 0;
};
template <class D, class... More>
ConcatDataset(D, More...) -> ConcatDataset<decltype(std::declval<D&>().get(size_t{}))>;
template <class D>
ConcatDataset(std::vector<D>) -> ConcatDataset<decltype(std::declval<D&>().get(size_t{}))>;

/// Cuts a dataset at random into parts of the given lengths, with the permutation PyTorch's random_split draws.
template <class D>
std::vector<Subset<D>> random_split(const D& dataset, const std::vector<size_t>& lengths,
                                    std::optional<Generator> generator = std::nullopt) {
  std::vector<Subset<D>> parts;
  const size_t size = detail::known_size(dataset.size(), "random_split");
  for (auto& indices : detail::split(size, lengths, std::move(generator)))
    parts.emplace_back(dataset, std::move(indices));
  return parts;
}
/// `{1000, 200}` or, as fractions that sum to 1, `{0.8, 0.2}`.
template <class D>
std::vector<Subset<D>> random_split(const D& dataset, std::initializer_list<double> lengths,
                                    std::optional<Generator> generator = std::nullopt) {
  const size_t size = detail::known_size(dataset.size(), "random_split");
  return random_split(dataset, detail::lengths_of(size, lengths), std::move(generator));
}
template <class D>
std::vector<Subset<D>> random_split(const D& dataset, const std::vector<double>& lengths,
                                    std::optional<Generator> generator = std::nullopt) {
  const size_t size = detail::known_size(dataset.size(), "random_split");
  return random_split(dataset, detail::lengths_of(size, lengths), std::move(generator));
}

}  // namespace taut::data::datasets

namespace taut::data {
using datasets::ConcatDataset;
using datasets::random_split;
using datasets::Subset;
}  // namespace taut::data
