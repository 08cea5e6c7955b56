// DataLoader: batches of a dataset in a sampler's order, made by worker threads ahead of time.
//   auto loader = make_data_loader(dataset.map(transforms::Stack<>()), DataLoaderOptions().batch_size(64).workers(2));
//   for (auto& batch : *loader) train(batch.data, batch.target);
#pragma once
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "taut/data/datasets.h"
#include "taut/data/loader_base.h"
#include "taut/data/samplers.h"

namespace taut::data {

/// What the loaders below share: begin, end, and a dataset per worker.
template <class Dataset, class Batch, class BatchRequest>
class DataLoaderBase : public LoaderBase {
 public:
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;
  /// Begins an epoch; one that was left early is given up. With workers it is an error while another iterator that has
  /// not come to its end is kept.
  Iterator<Batch> begin() { return Iterator<Batch>(*this); }
  Iterator<Batch> end() { return {}; }

 protected:
  using LoaderBase::LoaderBase;
  Request make_request(BatchRequest request) {
    Request r;
    if constexpr (std::is_same_v<BatchRequest, std::vector<size_t>>) r.indices = request;
    // The job shares the datasets: they outlive every thread that uses them.
    r.job = [datasets = datasets_, request = std::move(request)](size_t worker) mutable -> Result {
      auto& dataset = *static_cast<Dataset*>(datasets->of(worker));
      if constexpr (Dataset::is_stateful) {
        auto batch = dataset.get_batch(std::move(request));
        return Result(batch ? new Batch(std::move(*batch)) : nullptr);
      } else {
        return Result(new Batch(dataset.get_batch(std::move(request))));
      }
    };
    return r;
  }
};

/// The loader of a dataset that answers requests. Each worker has its own copy of the dataset.
template <class Dataset, class Sampler>
class StatelessDataLoader
    : public DataLoaderBase<Dataset, typename Dataset::BatchType, typename Sampler::BatchRequestType> {
  using Base = DataLoaderBase<Dataset, typename Dataset::BatchType, typename Sampler::BatchRequestType>;

 public:
  StatelessDataLoader(Dataset dataset, Sampler sampler, const DataLoaderOptions& options)
      : Base(options), sampler_(std::move(sampler)) {
    if constexpr (std::is_copy_constructible_v<Dataset>) {
      for (size_t w = 1; w < this->options().workers; ++w)
        this->datasets_->add(std::shared_ptr<void>(new Dataset(dataset)));
    } else {
      check<ValueError>(
          this->options().workers <= 1,
          "DataLoader: each worker takes a copy of the dataset, and this one cannot be copied: wrap it in "
          "SharedBatchDataset, or use at most one worker");
    }
    this->datasets_->add(std::shared_ptr<void>(new Dataset(std::move(dataset))));
  }
  std::optional<size_t> size() const override {
    return sampler_.batches(this->options().batch_size, this->options().drop_last);
  }
  Sampler& sampler() { return sampler_; }

 protected:
  std::optional<typename LoaderBase::Request> next_request() override {
    auto request = sampler_.next(this->options().batch_size);
    if (!request) return std::nullopt;
    if constexpr (requires { request->size(); })
      if (this->options().drop_last && request->size() < this->options().batch_size) return std::nullopt;
    return this->make_request(std::move(*request));
  }
  void reset_source() override { sampler_.reset(std::nullopt); }
  State source_state() override { return sampler_.state_dict(); }
  void load_source_state(const State& state) override { sampler_.load_state_dict(state); }

 private:
  Sampler sampler_;
};

/// The loader of a dataset that keeps its own place; the workers share it.
template <class Dataset>
class StatefulDataLoader
    : public DataLoaderBase<Dataset, typename Dataset::BatchType::value_type, typename Dataset::BatchRequestType> {
  using Base = DataLoaderBase<Dataset, typename Dataset::BatchType::value_type, typename Dataset::BatchRequestType>;

 public:
  StatefulDataLoader(Dataset dataset, const DataLoaderOptions& options) : Base(options) {
    this->datasets_->add(std::shared_ptr<void>(new Dataset(std::move(dataset))));
  }
  std::optional<size_t> size() const override { return std::nullopt; }

 protected:
  std::optional<typename LoaderBase::Request> next_request() override {
    return this->make_request(this->options().batch_size);
  }
  void reset_source() override { static_cast<Dataset*>(this->datasets_->of(0))->reset(); }
  State source_state() override { return State(); }
  void load_source_state(const State&) override {
    throw ValueError("DataLoader: a stateful dataset keeps its own place, which the loader cannot restore");
  }
};

template <class Dataset, class Sampler>
requires(!Dataset::is_stateful) std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(
    Dataset dataset, Sampler sampler, const DataLoaderOptions& options) {
  return std::make_unique<StatelessDataLoader<Dataset, Sampler>>(std::move(dataset), std::move(sampler), options);
}

/// With a sampler made for the size of the dataset: it shuffles unless asked for another.
template <class Sampler = samplers::RandomSampler, class Dataset>
requires(!Dataset::is_stateful && std::is_constructible_v<Sampler, size_t>)
    std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset,
                                                                            const DataLoaderOptions& options = {}) {
  const size_t size = datasets::detail::size_for_sampler(dataset.size());
  if constexpr (std::is_same_v<Sampler, samplers::RandomSampler>)
    return make_data_loader(
        std::move(dataset),
        Sampler(static_cast<int64_t>(size), samplers::RandomSamplerOptions().generator(options.generator())), options);
  else return make_data_loader(std::move(dataset), Sampler(size), options);
}

template <class Dataset>
requires(Dataset::is_stateful) std::unique_ptr<StatefulDataLoader<Dataset>> make_data_loader(
    Dataset dataset, const DataLoaderOptions& options = {}) {
  return std::make_unique<StatefulDataLoader<Dataset>>(std::move(dataset), options);
}

}  // namespace taut::data
