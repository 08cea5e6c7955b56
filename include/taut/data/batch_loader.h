// A loader without templates: batches are lists of tensors, made by a function of indices. What other languages use.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "taut/data/loader_base.h"
#include "taut/data/samplers.h"

namespace taut::data {

class BatchLoader final : public LoaderBase {
 public:
  using Batch = std::vector<Tensor>;
  using Fetch = std::function<Batch(const std::vector<size_t>& indices)>;  // called by several threads at once

  BatchLoader(std::shared_ptr<samplers::Sampler<>> sampler, Fetch fetch, const DataLoaderOptions& options = {});
  /// Rows of tensors that have equally many, gathered at once: faster than stacking single examples.
  BatchLoader(std::vector<Tensor> tensors, bool shuffle, const DataLoaderOptions& options = {});
  /// Only the indices, as one int64 tensor: the caller looks them up.
  BatchLoader(std::shared_ptr<samplers::Sampler<>> sampler, const DataLoaderOptions& options = {});

  Iterator<Batch> begin() { return Iterator<Batch>(*this); }
  Iterator<Batch> end() { return {}; }
  /// Without iterators: reset() begins an epoch, next() gives its batches and then nullopt.
  void reset() {
    by_hand_.reset();
    by_hand_ = begin();
  }
  std::optional<Batch> next();
  std::optional<size_t> size() const override;

 private:
  std::optional<Request> next_request() override;
  void reset_source() override { sampler_->reset(std::nullopt); }
  State source_state() override { return sampler_->state_dict(); }
  void load_source_state(const State& state) override { sampler_->load_state_dict(state); }

  std::shared_ptr<samplers::Sampler<>> sampler_;
  std::shared_ptr<Fetch> fetch_;
  std::optional<Iterator<Batch>> by_hand_;
};

}  // namespace taut::data
