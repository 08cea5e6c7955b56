// Samplers that only libtorch has: the parts of a dataset that each of several processes works on.
#pragma once
#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "taut-torch/names.h"
#include "taut/factories.h"
#include "taut/serialize/archive.h"

namespace torch::data::samplers {

/// All processes get equally many: unless duplicates are allowed, some of the last examples go to nobody.
template <class BatchRequest = std::vector<size_t>>
class DistributedSampler : public Sampler<BatchRequest> {
 public:
  DistributedSampler(size_t size, size_t num_replicas = 1, size_t rank = 0, bool allow_duplicates = true)
      : size_(size), num_replicas_(num_replicas), rank_(rank), allow_duplicates_(allow_duplicates) {}
  void set_epoch(size_t epoch) { epoch_ = epoch; }
  size_t epoch() const { return epoch_; }

 protected:
  size_t local_sample_count() const { return (size_ + (allow_duplicates_ ? num_replicas_ - 1 : 0)) / num_replicas_; }
  size_t size_, num_replicas_, rank_, epoch_ = 0;
  bool allow_duplicates_;
};

namespace detail {
/// A run of all indices, in order or in that of the epoch.
template <bool kShuffled>
class DistributedOrder : public DistributedSampler<> {
 public:
  DistributedOrder(size_t size, size_t num_replicas = 1, size_t rank = 0, bool allow_duplicates = true)
      : DistributedSampler(size, num_replicas, rank, allow_duplicates) {
    begin();
  }
  void reset(std::optional<size_t> new_size = std::nullopt) override {
    size_ = new_size.value_or(size_);
    begin();
  }
  std::optional<std::vector<size_t>> next(size_t batch_size) override {
    const size_t n = std::min(batch_size, end_ - at_);
    if (n == 0) return std::nullopt;
    std::vector<size_t> batch(n);
    for (size_t& i : batch) i = order_[at_++ % size_];
    return batch;
  }
  std::optional<size_t> size() const override { return local_sample_count(); }
  size_t index() const noexcept { return at_; }
  void save(serialize::OutputArchive& archive) const override {
    archive.write("sample_index_", taut::scalar_tensor(static_cast<int64_t>(at_), taut::kLong), /*is_buffer=*/true);
    archive.write("epoch_", taut::scalar_tensor(static_cast<int64_t>(epoch_), taut::kLong), /*is_buffer=*/true);
  }
  void load(serialize::InputArchive& archive) override {
    taut::Tensor epoch, at;
    archive.read("epoch_", epoch, /*is_buffer=*/true);
    archive.read("sample_index_", at, /*is_buffer=*/true);
    epoch_ = static_cast<size_t>(epoch.item<int64_t>());
    begin();
    at_ = static_cast<size_t>(at.item<int64_t>());
  }

 private:
  void begin() {
    order_.resize(size_);
    std::iota(order_.begin(), order_.end(), size_t{0});
    if constexpr (kShuffled) std::shuffle(order_.begin(), order_.end(), std::mt19937(epoch_));
    at_ = rank_ * local_sample_count();
    end_ = at_ + local_sample_count();
  }
  std::vector<size_t> order_;
  size_t at_ = 0, end_ = 0;
};
}  // namespace detail

/// Shuffled by the epoch, which set_epoch() says; all processes must say the same.
class DistributedRandomSampler : public detail::DistributedOrder<true> {
 public:
  using DistributedOrder::DistributedOrder;
};
class DistributedSequentialSampler : public detail::DistributedOrder<false> {
 public:
  using DistributedOrder::DistributedOrder;
};

}  // namespace torch::data::samplers
