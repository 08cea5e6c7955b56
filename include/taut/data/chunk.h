// Datasets too large for memory, read chunk by chunk by threads of their own.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "taut/data/datasets.h"
#include "taut/data/samplers.h"
#include "taut/data/worker_exception.h"
#include "taut/nn/arg.h"
#include "taut/serialize/archive.h"

namespace taut::data::datasets {

/// Reads chunks: lists of examples. Derive from it; several threads may call read_chunk at once.
template <class ExampleOf, class ChunkOf = std::vector<ExampleOf>>
class ChunkDataReader {
 public:
  using ExampleType = ExampleOf;
  using ChunkType = ChunkOf;
  using BatchType = ChunkOf;
  virtual ~ChunkDataReader() = default;
  virtual ChunkType read_chunk(size_t chunk_index) = 0;
  virtual size_t chunk_count() = 0;
  /// Called when an epoch begins.
  virtual void reset() = 0;
};

class ChunkDatasetOptions {
 public:
  /// Threads that read; examples in a batch; examples kept ready; chunks whose examples are mixed.
  ChunkDatasetOptions(size_t preloader_count, size_t batch_size, size_t cache_size = 2048,
                      size_t cross_chunk_shuffle_count = 1);
  TAUT_ARG(size_t, preloader_count);
  TAUT_ARG(size_t, batch_size);
  TAUT_ARG(size_t, cache_size);
  TAUT_ARG(size_t, cross_chunk_shuffle_count);
};

/// Chunks in the order of one sampler, the examples of a chunk in that of another. With more than one preloader the
/// order of the chunks is whichever is read first.
template <class Reader, class ChunkSampler = samplers::RandomSampler, class ExampleSampler = samplers::RandomSampler>
class ChunkDataset final
    : public StatefulDataset<ChunkDataset<Reader, ChunkSampler, ExampleSampler>, typename Reader::BatchType, size_t> {
 public:
  using UnwrappedBatchType = typename Reader::BatchType;
  using BatchType = std::optional<UnwrappedBatchType>;
  using BatchRequestType = size_t;
  using ChunkSamplerType = ChunkSampler;
  using ExampleSamplerType = ExampleSampler;
  /// May change the examples of a chunk, or of several that are mixed, before they are put into batches.
  using Preprocessing = std::function<void(UnwrappedBatchType&)>;

  ChunkDataset(Reader reader, ChunkSampler chunk_sampler, ExampleSampler example_sampler, ChunkDatasetOptions options,
               Preprocessing preprocessing = nullptr)
      : reader_(std::move(reader)),
        chunk_sampler_(std::move(chunk_sampler)),
        example_sampler_(std::move(example_sampler)),
        options_(options),
        preprocessing_(std::move(preprocessing)) {}
  ChunkDataset(const ChunkDataset&) = delete;
  ~ChunkDataset() override { join(); }

  /// Begins an epoch, and its threads.
  void reset() override {
    join();
    if (!std::exchange(loaded_, false)) {
      reader_.reset();
      chunk_sampler_.reset(reader_.chunk_count());
    }
    ready_.clear();
    examples_ = 0;
    stop_ = false;
    started_ = true;
    running_ = options_.preloader_count();
    for (size_t i = 0; i < options_.preloader_count(); ++i) threads_.emplace_back([this] { preload(); });
  }

  BatchType get_batch(size_t batch_size) override {
    check(started_, "Dataset needs to call reset() before calling get_batch().");
    check(batch_size == options_.batch_size(),
          "The requested batch size does not match with the initialized batch size.\n"
          " The requested batch size is ",
          batch_size, ", while the dataset is created with batch size equal to ", options_.batch_size());
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return running_ == 0 || (!ready_.empty() && (ready_.size() > 1 || ready_.front().error ||
                                                   ready_.front().examples.size() >= batch_size));
    });
    if (ready_.empty()) return std::nullopt;
    Batch batch = std::move(ready_.front());
    ready_.pop_front();
    examples_ -= batch.examples.size();
    lock.unlock();
    changed_.notify_all();
    if (batch.error) throw_worker_exception(batch.error);
    return std::move(batch.examples);
  }
  BatchType get_batch() { return get_batch(options_.batch_size()); }
  std::optional<size_t> size() const override { return std::nullopt; }
  ChunkSampler& chunk_sampler() { return chunk_sampler_; }

  /// Which chunks come next.
  void save(serialize::OutputArchive& archive) const override {
    const std::lock_guard lock(mutex_);
    chunk_sampler_.save(archive);
  }
  /// The next epoch begins there.
  void load(serialize::InputArchive& archive) override {
    const std::lock_guard lock(mutex_);
    chunk_sampler_.load(archive);
    loaded_ = true;
  }

 private:
  struct Batch {
    UnwrappedBatchType examples;
    std::exception_ptr error;
  };

  void join() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

  std::optional<std::vector<size_t>> next_chunks() {
    const std::lock_guard lock(mutex_);
    if (stop_) return std::nullopt;
    return chunk_sampler_.next(options_.cross_chunk_shuffle_count());
  }

  /// What each thread does.
  void preload() {
    while (read_next_chunks()) {}
    {
      const std::lock_guard lock(mutex_);
      --running_;
    }
    changed_.notify_all();
  }

  /// False when there is nothing more to read. An error is handed over once this thread holds it no longer, so that
  /// the one who takes it is the one who destroys it.
  bool read_next_chunks() {
    std::exception_ptr error;
    bool more = false;  // after an error of the sampler too
    try {
      const auto chunks = next_chunks();
      more = chunks.has_value();
      if (more) add(read(*chunks));
    } catch (...) {
      error = std::current_exception();
    }
    if (error) add_error(std::move(error));
    return more;
  }

  UnwrappedBatchType read(const std::vector<size_t>& chunks) {
    UnwrappedBatchType examples = reader_.read_chunk(chunks[0]);
    for (size_t i = 1; i < chunks.size(); ++i)
      for (auto& example : reader_.read_chunk(chunks[i])) examples.push_back(std::move(example));
    if (preprocessing_) preprocessing_(examples);
    return examples;
  }

  /// Waits until there is room; false when nothing more is wanted.
  bool wait_for_room(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [&] { return stop_ || examples_ < options_.cache_size(); });
    return !stop_;
  }

  void add(UnwrappedBatchType examples) {
    if (examples.empty()) return;
    std::unique_lock lock(mutex_);
    if (!wait_for_room(lock)) return;
    example_sampler_.reset(examples.size());
    for (size_t left = examples.size(); left > 0;) {
      if (ready_.empty() || ready_.back().error || ready_.back().examples.size() >= options_.batch_size())
        ready_.emplace_back();
      UnwrappedBatchType& batch = ready_.back().examples;
      const size_t wanted = std::min(left, options_.batch_size() - batch.size());
      const auto indices = example_sampler_.next(wanted);
      check(indices && indices->size() == wanted,
            "ChunkDataset: the example sampler gave fewer indices than asked for");
      for (const size_t i : *indices) {
        check(i < examples.size(), "Index out of range");
        batch.push_back(std::move(examples[i]));
      }
      left -= wanted;
      examples_ += wanted;
    }
    lock.unlock();
    changed_.notify_all();
  }

  void add_error(std::exception_ptr error) {
    std::unique_lock lock(mutex_);
    if (!wait_for_room(lock)) return;
    ready_.push_back({{}, std::move(error)});
    lock.unlock();
    changed_.notify_all();
  }

  Reader reader_;
  ChunkSampler chunk_sampler_;
  ExampleSampler example_sampler_;
  const ChunkDatasetOptions options_;
  const Preprocessing preprocessing_;
  std::vector<std::thread> threads_;
  bool started_ = false, loaded_ = false;

  mutable std::mutex mutex_;         // guards the samplers and what follows
  std::condition_variable changed_;  // batches, room for them, or threads
  std::deque<Batch> ready_;
  size_t examples_ = 0, running_ = 0;  // examples in `ready_`; threads at work
  bool stop_ = false;
};

}  // namespace taut::data::datasets
