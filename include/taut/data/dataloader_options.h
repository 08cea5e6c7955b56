// How a DataLoader works, spelt as libtorch spells it.
#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include "taut/random.h"

namespace taut::data {

/// `DataLoaderOptions().batch_size(64).workers(2).drop_last(true)`
class DataLoaderOptions {
 public:
  DataLoaderOptions() = default;
  DataLoaderOptions(size_t batch_size) : batch_size_(batch_size) {}

#define TAUT_OPTION(type, name)                \
  const type& name() const { return name##_; } \
  DataLoaderOptions& name(type value) { return name##_ = std::move(value), *this; }
  /// Examples in a batch.
  TAUT_OPTION(size_t, batch_size)
  /// Threads that make batches ahead of time; with 0 the caller makes them. The batches are the same for any number.
  TAUT_OPTION(size_t, workers)
  /// Batches made ahead at most; 2 per worker unless said otherwise.
  TAUT_OPTION(std::optional<size_t>, max_jobs)
  /// How long to wait for a worker before giving up; for ever unless said otherwise.
  TAUT_OPTION(std::optional<std::chrono::milliseconds>, timeout)
  /// Deliver in the sampler's order, or whichever batch is ready first.
  TAUT_OPTION(bool, enforce_ordering)
  /// Leave out a last batch with fewer examples than batch_size.
  TAUT_OPTION(bool, drop_last)
  /// Where the order of an epoch and the seeds of its batches are drawn from, if not the default generator.
  TAUT_OPTION(std::optional<Generator>, generator)
#undef TAUT_OPTION

 private:
  size_t batch_size_ = 1, workers_ = 0;
  std::optional<size_t> max_jobs_;
  std::optional<std::chrono::milliseconds> timeout_;
  bool enforce_ordering_ = true, drop_last_ = false;
  std::optional<Generator> generator_;
};

/// The options after checking them, with defaults filled in.
struct FullDataLoaderOptions {
  FullDataLoaderOptions(const DataLoaderOptions& options);
  size_t batch_size, workers, max_jobs;
  std::optional<std::chrono::milliseconds> timeout;
  bool enforce_ordering, drop_last;
  std::optional<Generator> generator;
};

}  // namespace taut::data
