// The loader whose batches are lists of tensors.
#include "taut/data/batch_loader.h"

#include <utility>

#include "taut/data/orders.h"
#include "taut/factories.h"
#include "taut/ops.h"

namespace taut::data {

namespace {

Tensor as_tensor(const std::vector<size_t>& indices) {
  Tensor t = empty({static_cast<int64_t>(indices.size())}, kLong);
  int64_t* p = t.data_ptr<int64_t>();
  for (size_t i : indices) *p++ = static_cast<int64_t>(i);
  return t;
}

size_t rows_of(const std::vector<Tensor>& tensors) {
  check<ValueError>(!tensors.empty(), "BatchLoader: expected at least one tensor");
  for (const Tensor& t : tensors) {
    check<ValueError>(t.defined() && t.dim() > 0, "BatchLoader: every tensor must have rows");
    check<ValueError>(t.size(0) == tensors[0].size(0),
                      "BatchLoader: Size mismatch between tensors: ", tensors[0].sizes(), " and ", t.sizes());
  }
  return static_cast<size_t>(tensors[0].size(0));
}

std::shared_ptr<samplers::Sampler<>> sampler_for(size_t n, bool shuffle, const DataLoaderOptions& options) {
  if (!shuffle) return std::make_shared<samplers::SequentialSampler>(n);
  return std::make_shared<samplers::RandomSampler>(static_cast<int64_t>(n),
                                                   samplers::RandomSamplerOptions().generator(options.generator()));
}

}  // namespace

BatchLoader::BatchLoader(std::shared_ptr<samplers::Sampler<>> sampler, Fetch fetch, const DataLoaderOptions& options)
    : LoaderBase(options), sampler_(std::move(sampler)), fetch_(std::make_shared<Fetch>(std::move(fetch))) {
  check<ValueError>(sampler_ != nullptr, "BatchLoader: expected a sampler, got a null pointer");
  check<ValueError>(static_cast<bool>(*fetch_),
                    "BatchLoader: expected a function that makes batches, got an empty one");
}

BatchLoader::BatchLoader(std::vector<Tensor> tensors, bool shuffle, const DataLoaderOptions& options)
    : BatchLoader(
          sampler_for(rows_of(tensors), shuffle, options),
          [tensors](const std::vector<size_t>& indices) { return orders::rows(tensors, as_tensor(indices)); },
          options) {}

BatchLoader::BatchLoader(std::shared_ptr<samplers::Sampler<>> sampler, const DataLoaderOptions& options)
    : BatchLoader(
          std::move(sampler), [](const std::vector<size_t>& indices) { return Batch{as_tensor(indices)}; }, options) {}

std::optional<LoaderBase::Request> BatchLoader::next_request() {
  auto indices = sampler_->next(options().batch_size);
  if (!indices || (options().drop_last && indices->size() < options().batch_size)) return std::nullopt;
  Request r;
  r.indices = *indices;
  r.job = [fetch = fetch_, indices = std::move(*indices)](size_t) -> Result {
    return std::make_shared<Batch>((*fetch)(indices));
  };
  return r;
}

std::optional<BatchLoader::Batch> BatchLoader::next() {
  if (!by_hand_) reset();
  if (*by_hand_ == end()) return std::nullopt;
  Batch batch = std::move(**by_hand_);
  ++*by_hand_;
  return batch;
}

std::optional<size_t> BatchLoader::size() const { return sampler_->batches(options().batch_size, options().drop_last); }

}  // namespace taut::data
