// Samplers: the order in which a DataLoader asks for examples. Shuffling draws PyTorch's permutations.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/random.h"
#include "taut/tensor.h"
#include "taut/tensor_dict.h"

namespace taut::serialize {
class OutputArchive;
class InputArchive;
}  // namespace taut::serialize

namespace taut::data {

/// Named tensors that say where a sampler or a loader is; numbers are int64 scalars. save() and load() take them, and
/// loaders too.
using State = OrderedDict<std::string, Tensor>;
/// A state into an archive, and out of it.
void save_state(const State& state, serialize::OutputArchive& archive);
State load_state(serialize::InputArchive& archive);

}  // namespace taut::data

namespace taut::data::samplers {

/// What to ask of the dataset next. Derive and write reset() and next().
template <class BatchRequest = std::vector<size_t>>
class Sampler {
 public:
  using BatchRequestType = BatchRequest;
  virtual ~Sampler() = default;
  /// Starts an epoch over, perhaps for a dataset of another size.
  virtual void reset(std::optional<size_t> new_size) = 0;
  /// Up to `batch_size` more; nullopt at the end of the epoch.
  virtual std::optional<BatchRequest> next(size_t batch_size) = 0;
  /// How many samples an epoch has, if that is known.
  virtual std::optional<size_t> size() const { return std::nullopt; }
  /// How many batches those make.
  virtual std::optional<size_t> batches(size_t batch_size, bool drop_last) const {
    const std::optional<size_t> n = size();
    if (!n) return n;
    return *n / batch_size + (!drop_last && *n % batch_size ? 1 : 0);
  }
  /// Where it is; draws the order of the epoch if that has not been done yet. A sampler whose order is always the same
  /// need not override these.
  virtual State state_dict() { return State(); }
  virtual void load_state_dict(const State&) {}
  /// The same by way of an archive; torch::save and torch::load call them.
  virtual void save(serialize::OutputArchive& archive) const {
    save_state(const_cast<Sampler*>(this)->state_dict(), archive);
  }
  virtual void load(serialize::InputArchive& archive) { load_state_dict(load_state(archive)); }
};
template <class BatchRequest>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Sampler<BatchRequest>& sampler) {
  sampler.save(archive);
  return archive;
}
template <class BatchRequest>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Sampler<BatchRequest>& sampler) {
  sampler.load(archive);
  return archive;
}

/// A request that is no list of indices.
struct CustomBatchRequest {
  CustomBatchRequest() = default;
  CustomBatchRequest(const CustomBatchRequest&) = default;
  CustomBatchRequest& operator=(const CustomBatchRequest&) = default;
  virtual ~CustomBatchRequest() = default;
  /// Of the batch.
  virtual size_t size() const = 0;
};

/// 0, 1, 2, ...
class SequentialSampler : public Sampler<> {
 public:
  explicit SequentialSampler(size_t size) : size_(size) {}
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<std::vector<size_t>> next(size_t batch_size) override;
  std::optional<size_t> size() const override { return size_; }
  size_t index() const noexcept { return index_; }
  State state_dict() override;
  void load_state_dict(const State& state) override;

 private:
  size_t size_, index_ = 0;
};

/// The samplers that draw the order of an epoch when its first sample is asked for.
class DrawnSampler : public Sampler<> {
 public:
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<std::vector<size_t>> next(size_t batch_size) override;
  /// How many were given out in this epoch.
  size_t index() const noexcept { return index_; }
  State state_dict() override;
  void load_state_dict(const State& state) override;

 protected:
  explicit DrawnSampler(std::optional<Generator> generator) : generator_(std::move(generator)) {}
  /// The order of a new epoch, as int64.
  virtual Tensor draw() = 0;
  virtual void resize(size_t new_size) = 0;
  /// How many different indices there may be.
  virtual size_t range() const = 0;
  /// Draws the order if that was not done yet.
  void prepare();
  std::optional<Generator> generator_;

 private:
  Tensor order_;  // undefined until drawn
  size_t index_ = 0;
};

/// How RandomSampler draws.
class RandomSamplerOptions {
 public:
  /// May an index come again?
  RandomSamplerOptions& replacement(bool on) { return replacement_ = on, *this; }
  bool replacement() const { return replacement_; }
  /// How many to draw, if not as many as there are.
  RandomSamplerOptions& num_samples(int64_t n) { return num_samples_ = n, *this; }
  std::optional<int64_t> num_samples() const { return num_samples_; }
  /// Draw from this stream, not from one seeded by the default generator.
  RandomSamplerOptions& generator(std::optional<Generator> g) { return generator_ = std::move(g), *this; }
  const std::optional<Generator>& generator() const { return generator_; }

 private:
  bool replacement_ = false;
  std::optional<int64_t> num_samples_;
  std::optional<Generator> generator_;
};

/// A new permutation for every epoch: the one PyTorch's RandomSampler draws for the same seed.
class RandomSampler : public DrawnSampler {
 public:
  explicit RandomSampler(int64_t size, RandomSamplerOptions options = {});
  /// Indices are int64, whatever libtorch would keep them as.
  RandomSampler(int64_t size, ScalarType) : RandomSampler(size) {}
  /// In a program of libtorch's the order is drawn here and by the constructor, not when it is first asked for.
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<size_t> size() const override;

 protected:
  Tensor draw() override;
  void resize(size_t new_size) override { size_ = new_size; }
  size_t range() const override { return size_; }

 private:
  size_t size_;
  RandomSamplerOptions options_;
};

/// The given indices in random order.
class SubsetRandomSampler : public DrawnSampler {
 public:
  explicit SubsetRandomSampler(std::vector<size_t> indices, std::optional<Generator> generator = std::nullopt);
  std::optional<size_t> size() const override { return indices_.size(); }

 protected:
  Tensor draw() override;
  void resize(size_t new_size) override;
  size_t range() const override { return range_; }

 private:
  std::vector<size_t> indices_;
  size_t range_ = 0;
};

/// Indices with probabilities in proportion to `weights`.
class WeightedRandomSampler : public DrawnSampler {
 public:
  WeightedRandomSampler(std::vector<double> weights, int64_t num_samples, bool replacement = true,
                        std::optional<Generator> generator = std::nullopt);
  std::optional<size_t> size() const override { return static_cast<size_t>(num_samples_); }

 protected:
  Tensor draw() override;
  void resize(size_t new_size) override;
  size_t range() const override { return static_cast<size_t>(weights_.numel()); }

 private:
  Tensor weights_;
  int64_t num_samples_;
  bool replacement_;
};

/// The part of the indices that replica `rank` of `num_replicas` works on; each epoch is shuffled in another way.
class DistributedSampler : public DrawnSampler {
 public:
  DistributedSampler(int64_t size, int64_t num_replicas, int64_t rank, bool shuffle = true, uint64_t seed = 0,
                     bool drop_last = false);
  std::optional<size_t> size() const override;
  /// All replicas must be given the same epoch. It is drawn at the next reset().
  void set_epoch(uint64_t epoch) { epoch_ = epoch; }

 protected:
  Tensor draw() override;
  void resize(size_t new_size) override { length_ = static_cast<int64_t>(new_size); }
  size_t range() const override { return static_cast<size_t>(length_); }

 private:
  int64_t length_, num_replicas_, rank_;
  uint64_t seed_, epoch_ = 0;
  bool shuffle_, drop_last_;
};

/// Batches of another sampler: it decides about their size, whatever the loader's batch_size is.
template <class S>
class BatchSampler : public Sampler<typename S::BatchRequestType> {
 public:
  BatchSampler(S sampler, size_t batch_size, bool drop_last)
      : sampler_(std::move(sampler)), batch_size_(batch_size), drop_last_(drop_last) {
    check<ValueError>(batch_size > 0 && batch_size <= SIZE_MAX / 2,
                      "BatchSampler: batch_size should be a positive integer value, but got batch_size=",
                      static_cast<int64_t>(batch_size));
  }
  void reset(std::optional<size_t> new_size = std::nullopt) override { sampler_.reset(new_size); }
  std::optional<typename S::BatchRequestType> next(size_t = 0) override {
    auto batch = sampler_.next(batch_size_);
    if (batch && drop_last_ && batch->size() < batch_size_) return std::nullopt;
    return batch;
  }
  std::optional<size_t> size() const override { return sampler_.size(); }
  std::optional<size_t> batches(size_t, bool) const override { return sampler_.batches(batch_size_, drop_last_); }
  State state_dict() override { return sampler_.state_dict(); }
  void load_state_dict(const State& state) override { sampler_.load_state_dict(state); }

 private:
  S sampler_;
  size_t batch_size_;
  bool drop_last_;
};

/// So many examples, whichever come next.
struct BatchSize : CustomBatchRequest {
  explicit BatchSize(size_t n) : size_(n) {}
  size_t size() const noexcept override { return size_; }
  operator size_t() const noexcept { return size_; }
  size_t size_;
};

/// Sizes of batches that add up to the length of an epoch, for a StreamDataset.
class StreamSampler : public Sampler<BatchSize> {
 public:
  explicit StreamSampler(size_t epoch_size) : epoch_size_(epoch_size) {}
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<BatchSize> next(size_t batch_size) override;
  std::optional<size_t> size() const override { return epoch_size_; }
  State state_dict() override;
  void load_state_dict(const State& state) override;

 private:
  size_t epoch_size_, given_ = 0;
};

}  // namespace taut::data::samplers
