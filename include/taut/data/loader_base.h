// What every loader does, whatever its batches are: epochs, workers, order, seeds, errors, the saved position.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "taut/data/dataloader_options.h"
#include "taut/data/samplers.h"
#include "taut/data/worker_exception.h"

namespace taut::data {

/// A batch that could not be made.
struct FailedBatch {
  size_t batch = 0;             // its number in the epoch
  std::vector<size_t> indices;  // what was asked of the dataset; empty when it was not asked for indices
};

class JobQueue;

/// One thread at a time may use a loader.
class LoaderBase {
 public:
  using Result = std::shared_ptr<void>;              // a batch; null: the dataset has no more
  using Job = std::function<Result(size_t worker)>;  // makes a batch; `worker` says whose dataset to use
  virtual ~LoaderBase();
  LoaderBase(const LoaderBase&) = delete;

  /// Ends the epoch that is running and the worker threads; the next epoch starts them again.
  void join();
  const FullDataLoaderOptions& options() const noexcept { return options_; }
  /// The epoch that is running, or that comes next: 0 at first.
  size_t epoch() const { return epoch_; }
  /// Batches delivered in this epoch.
  size_t position() const { return delivered_; }
  /// How many batches an epoch has, if that is known.
  virtual std::optional<size_t> size() const = 0;
  /// The batch whose exception was thrown last.
  const std::optional<FailedBatch>& failed_batch() const { return failed_; }

  /// Where this loader is: epoch, delivered batches, the order of the epoch. The state of the default generator is not
  /// in it; save that too, so that later epochs are as they would have been.
  State state_dict() const;
  /// Makes the next epoch that is begun the rest of the saved one.
  void load_state_dict(const State& state);

 protected:
  explicit LoaderBase(const DataLoaderOptions& options);
  /// What the iterators call. start() gives the number of the new iteration; a later one ends it.
  uint64_t start(const std::shared_ptr<void>& iterator);
  Result fetch(uint64_t iteration);

  struct Request {
    Job job;
    std::vector<size_t> indices;
  };
  /// The next batch of the epoch as a job; nullopt when there is none.
  virtual std::optional<Request> next_request() = 0;
  virtual void reset_source() = 0;
  virtual State source_state() = 0;
  virtual void load_source_state(const State& state) = 0;

 private:
  template <class Batch>
  friend class Iterator;
  struct Task;
  bool request();
  Result take();
  Result make();
  Result run(Task& task, size_t worker, bool in_worker);
  void finish();

  const FullDataLoaderOptions options_;
  size_t epoch_ = 0, requested_ = 0, delivered_ = 0;
  uint64_t iteration_ = 0, base_seed_ = 0;
  bool running_ = false, resumed_ = false, source_done_ = false;
  std::weak_ptr<void> iterator_;      // the one that was begun last
  std::optional<State> epoch_state_;  // of the sampler, before its first batch
  std::optional<FailedBatch> failed_;
  std::unique_ptr<JobQueue> queue_;
};

/// Goes through the batches of one epoch. Copies go together.
template <class Batch>
class Iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = Batch;
  using pointer = Batch*;
  using reference = Batch&;
  using iterator_category = std::input_iterator_tag;

  /// The end.
  Iterator() = default;
  explicit Iterator(LoaderBase& loader) : state_(std::make_shared<State>()) {
    state_->loader = &loader;
    state_->iteration = loader.start(state_);
  }
  /// When making a batch throws, the iterator has moved past it, and can go on.
  Iterator& operator++() {
    check(state_ != nullptr, "Incrementing the DataLoader's past-the-end iterator is not allowed");
    check(!at_end(), "Attempted to increment iterator past the end");
    state_->batch.reset();
    state_->fetched = false;
    return *this;
  }
  Batch& operator*() const { return get(); }
  Batch* operator->() const { return &get(); }
  friend bool operator==(const Iterator& a, const Iterator& b) {
    return a.state_ == b.state_ || (a.at_end() && b.at_end());
  }

 private:
  struct State {
    LoaderBase* loader = nullptr;
    uint64_t iteration = 0;
    std::shared_ptr<void> batch;
    bool fetched = false;
  };
  // The batch is made on first need, so that an exception comes out of the loop that asked for it.
  bool at_end() const {
    if (!state_) return true;
    if (!state_->fetched) {
      state_->batch = state_->loader->fetch(state_->iteration);
      state_->fetched = true;
    }
    return !state_->batch;
  }
  Batch& get() const {
    check(state_ != nullptr, "Dereferencing the DataLoader's past-the-end iterator is not allowed");
    check(!at_end(), "Attempted to dereference iterator that was past the end");
    return *static_cast<Batch*>(state_->batch.get());
  }
  std::shared_ptr<State> state_;
};

}  // namespace taut::data
