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

/// The datasets of the workers, of whatever class.
class Datasets {
 public:
  void add(std::shared_ptr<void> dataset);
  /// That of a worker; the first, where all share one.
  void* of(size_t worker) const { return all_[worker < all_.size() ? worker : 0].get(); }

 private:
  std::vector<std::shared_ptr<void>> all_;
};

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

  const std::shared_ptr<Datasets> datasets_;

 private:
  friend class IteratorBase;
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

/// What iterators of all kinds of batches share.
class IteratorBase {
 protected:
  IteratorBase() = default;
  explicit IteratorBase(LoaderBase& loader);
  void advance();
  /// The batch is made on first need, so that an exception comes out of the loop that asked for it.
  bool at_end() const;
  void* get() const;
  bool equals(const IteratorBase& other) const { return state_ == other.state_ || (at_end() && other.at_end()); }

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Goes through the batches of one epoch. Copies go together.
template <class Batch>
class Iterator : IteratorBase {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = Batch;
  using pointer = Batch*;
  using reference = Batch&;
  using iterator_category = std::input_iterator_tag;

  /// The end.
  Iterator() = default;
  explicit Iterator(LoaderBase& loader) : IteratorBase(loader) {}
  /// When making a batch throws, the iterator has moved past it, and can go on.
  Iterator& operator++() {
    advance();
    return *this;
  }
  Batch& operator*() const { return *static_cast<Batch*>(get()); }
  Batch* operator->() const { return static_cast<Batch*>(get()); }
  friend bool operator==(const Iterator& a, const Iterator& b) { return a.equals(b); }
};

}  // namespace taut::data
