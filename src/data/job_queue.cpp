// Threads, two queues, one lock.
#include "data/job_queue.h"

#include <system_error>
#include <utility>

#include "taut/core/error.h"

namespace taut::data {

void JobQueue::start_threads() {
  stop_ = false;
  threads_.reserve(workers_);
  try {
    for (size_t w = 0; w < workers_; ++w) threads_.emplace_back([this, w] { work(w); });
  } catch (const std::system_error& e) {
    const size_t started = threads_.size();
    join();
    throw Error(str("DataLoader: the system gave ", started, " of ", workers_, " worker threads (", e.what(),
                    "); use fewer workers"));
  }
}

void JobQueue::push(Job job) {
  if (threads_.empty()) start_threads();
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back({pushed_++, std::move(job)});
  }
  ++in_flight_;
  has_task_.notify_one();
}

JobQueue::Result JobQueue::pop() {
  Outcome outcome;
  {
    std::unique_lock lock(mutex_);
    const auto ready = [this] { return ordered_ ? outcomes_.count(popped_) > 0 : !outcomes_.empty(); };
    if (!timeout_) has_outcome_.wait(lock, ready);
    else
      check(has_outcome_.wait_for(lock, *timeout_, ready),
            "Timeout in DataLoader queue while waiting for next batch: nothing came for ", timeout_->count(),
            " ms from ", workers_, workers_ == 1 ? " worker" : " workers",
            ". A longer timeout() or more workers() may help");
    const auto it = ordered_ ? outcomes_.find(popped_) : outcomes_.begin();
    outcome = std::move(it->second);
    outcomes_.erase(it);
  }
  ++popped_;
  --in_flight_;
  if (outcome.exception) std::rethrow_exception(outcome.exception);
  return std::move(outcome.result);
}

void JobQueue::drain() {
  std::deque<Task> tasks;  // destroyed outside of the lock: what they hold is the user's
  std::map<uint64_t, Outcome> outcomes;
  std::unique_lock lock(mutex_);
  tasks.swap(tasks_);
  has_outcome_.wait(lock, [this] { return running_ == 0; });
  outcomes.swap(outcomes_);
  popped_ = pushed_;
  in_flight_ = 0;
}

void JobQueue::join() {
  drain();
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  has_task_.notify_all();
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

void JobQueue::work(size_t worker) {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_task_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
    if (stop_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    ++running_;
    lock.unlock();
    Outcome outcome;
    try {
      outcome.result = task.job(worker);
    } catch (...) {
      outcome.exception = std::current_exception();
    }
    task.job = nullptr;
    lock.lock();
    --running_;
    outcomes_.emplace(task.number, std::move(outcome));
    has_outcome_.notify_one();
  }
}

}  // namespace taut::data
