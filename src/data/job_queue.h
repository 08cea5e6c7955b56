// Threads that run jobs, and hand the results back in order.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace taut::data {

/// push, pop, drain and join belong to one thread.
class JobQueue {
 public:
  using Result = std::shared_ptr<void>;
  using Job = std::function<Result(size_t worker)>;
  JobQueue(size_t workers, bool ordered, std::optional<std::chrono::milliseconds> timeout)
      : workers_(workers), ordered_(ordered), timeout_(timeout) {}
  ~JobQueue() { join(); }

  void push(Job job);
  size_t in_flight() const { return in_flight_; }
  /// Waits for a result: that of the oldest job, or of any when not ordered. Rethrows what the job threw.
  Result pop();
  /// Forgets all jobs; waits for those that are running, so that nothing uses a dataset afterwards.
  void drain();
  /// drain(), and the threads are gone.
  void join();

 private:
  struct Task {
    uint64_t number;
    Job job;
  };
  struct Outcome {
    Result result;
    std::exception_ptr exception;
  };
  void start_threads();
  void work(size_t worker);

  const size_t workers_;
  const bool ordered_;
  const std::optional<std::chrono::milliseconds> timeout_;
  size_t in_flight_ = 0;
  uint64_t pushed_ = 0, popped_ = 0;
  std::vector<std::thread> threads_;

  std::mutex mutex_;                                // guards what follows
  std::condition_variable has_task_, has_outcome_;  // has_outcome_: a job has ended
  std::deque<Task> tasks_;
  std::map<uint64_t, Outcome> outcomes_;
  size_t running_ = 0;
  bool stop_ = false;
};

}  // namespace taut::data
