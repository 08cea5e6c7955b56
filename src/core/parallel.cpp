// The thread pool: one job at a time. Each thread takes the chunks of a range of its own first, the same one whenever
// there are as many, since it may have them in its cache; then what is left of the others'. The caller works too and
// waits only for the workers that entered the job, so a worker that wakes late (or never) costs nothing.
#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/interrupt.h"
#include "taut/core/error.h"

extern "C" [[gnu::weak]] int omp_in_parallel();  // null unless the program has OpenMP

namespace taut {

constinit thread_local InterruptCheck interrupt_check = nullptr;

namespace {

// Waking a sleeping thread costs tens of microseconds, so spin that long and some more; by time, for pause differs
// tenfold between machines.
constexpr auto kSpin = std::chrono::microseconds(200);

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until ready() or the time is over; tells which.
template <class Ready>
bool spin_until(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 64; ++i) {
      if (ready()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return ready();
}

/// Within a parallel region of the program's OpenMP every core has work already.
bool in_openmp_region() { return omp_in_parallel && omp_in_parallel(); }

int affinity_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return 1;
}

int available_cpus() {
  static const int cpus = [] {
    const int quota = cgroup_cpus("/proc/self/cgroup", "/sys/fs/cgroup");
    return quota > 0 ? std::min(quota, affinity_cpus()) : affinity_cpus();
  }();
  return cpus;
}

int default_num_threads() {
  for (const char* name : {"TAUT_NUM_THREADS", "OMP_NUM_THREADS"})
    if (const char* text = std::getenv(name))
      if (const long n = std::strtol(text, nullptr, 10); n >= 1) return static_cast<int>(std::min(n, 4096L));
  return available_cpus();
}

std::atomic<int> wanted_threads{0};  // 0: not asked for yet
std::atomic<bool> closed{false};     // the pool was torn down; everything after is serial
std::atomic<int> callers{0};         // threads of the program that are at work on something parallel
thread_local bool inside = false;
thread_local int thread_number = 0;  // among the workers, from 1; 0 in all other threads

struct Caller {
  const int count = inside ? 0 : 1;  // work within work is no other thread's
  Caller() { callers.fetch_add(count, std::memory_order_relaxed); }
  ~Caller() { callers.fetch_sub(count, std::memory_order_relaxed); }
};

struct InsideRegion {
  const bool outer = inside;
  InsideRegion() { inside = true; }
  ~InsideRegion() { inside = outer; }
};

class Pool {
 public:
  static Pool& get() {
    static Pool pool;
    static const int registered = pthread_atfork(nullptr, nullptr, [] { get().forget_workers(); });
    (void)registered;
    return pool;
  }

  /// False when another thread has the pool.
  bool run(int threads, int64_t chunks, void (*body)(void*, int64_t), void* context) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    resize(threads - 1);
    body_ = body;
    context_ = context;
    parts_ = static_cast<int>(std::min<int64_t>({chunks, threads, kParts}));
    for (int p = 0; p < parts_; ++p) {
      ranges_[p].next.store(chunks * p / parts_, std::memory_order_relaxed);
      ranges_[p].end = chunks * (p + 1) / parts_;
    }
    limit_.store(chunks, std::memory_order_relaxed);
    state_.store(kOpen);
    wake(chunks - 1);
    work(0);
    // Close the door: from here on no worker can enter. Then wait for those that did.
    uint32_t inside_now = state_.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
    const auto all_left = [&] { return (inside_now = state_.load(std::memory_order_acquire)) == 0; };
    if (inside_now != 0 && !(spin_ && spin_until(all_left)))
      while (!all_left()) state_.wait(inside_now, std::memory_order_acquire);
    std::exception_ptr error = std::exchange(error_, nullptr);
    busy_.store(false, std::memory_order_release);
    if (error) std::rethrow_exception(error);
    return true;
  }

 private:
  static constexpr int kParts = 64;            // ranges; more threads than that share them
  static constexpr uint32_t kOpen = 1u << 31;  // in state_: the job takes workers; the other bits count those inside

  Pool() = default;
  ~Pool() {
    closed = true;
    // Exit from inside a job: its threads cannot be waited for, and the process takes them with it.
    if (busy_.exchange(true, std::memory_order_acquire)) return;
    resize(0);
  }

  /// In the child of a fork: the workers do not exist here, and whoever held the pool does not either.
  void forget_workers() {
    workers_.clear();
    born_ = 0;
    state_ = 0;
    stop_ = false;
    new (&error_mutex_) std::mutex;
    error_ = nullptr;
    busy_ = false;
  }

  /// Only while busy_ is ours and no job is open.
  void resize(int count) {
    if (static_cast<int>(workers_.size()) == count) return;
    if (static_cast<int>(workers_.size()) > count) {
      stop_.store(true, std::memory_order_relaxed);
      ticket_.fetch_add(1);
      ticket_.notify_all();
      for (pthread_t worker : workers_) pthread_join(worker, nullptr);
      workers_.clear();
      born_.store(0, std::memory_order_relaxed);
      stop_.store(false, std::memory_order_relaxed);
    }
    // With more threads than CPUs a spinning thread takes the time of one that has work.
    spin_.store(count + 1 <= available_cpus(), std::memory_order_relaxed);
    sigset_t all, before;  // the program's signal handlers run on its own threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      workers_.reserve(count);
      while (static_cast<int>(workers_.size()) < count) {
        pthread_t worker;
        if (pthread_create(&worker, nullptr, &Pool::worker_main, this) != 0) break;
        workers_.push_back(worker);
      }
    } catch (const std::bad_alloc&) {}
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (static_cast<int>(workers_.size()) < count) {  // the system gives no more: stay with what we have
      int expected = count + 1;
      wanted_threads.compare_exchange_strong(expected, static_cast<int>(workers_.size()) + 1);
    }
  }

  void wake(int64_t helpers) {
    ticket_.fetch_add(1);
    if (helpers >= static_cast<int64_t>(workers_.size())) return ticket_.notify_all();
    while (helpers-- > 0) ticket_.notify_one();
  }

  static void* worker_main(void* self) {
    inside = true;
    static_cast<Pool*>(self)->serve();
    return nullptr;
  }

  void serve() {
    const int self = thread_number = 1 + born_.fetch_add(1, std::memory_order_relaxed);
    uint32_t seen = ticket_.load();
    while (true) {
      if (enter()) {
        work(self);
        leave();
      }
      if (stop_.load(std::memory_order_relaxed)) return;
      const auto called = [&] { return ticket_.load(std::memory_order_acquire) != seen; };
      if (!(spin_.load(std::memory_order_relaxed) && spin_until(called))) ticket_.wait(seen);
      seen = ticket_.load();
    }
  }

  bool enter() {
    uint32_t s = state_.load(std::memory_order_relaxed);
    while (s & kOpen)
      if (state_.compare_exchange_weak(s, s + 1, std::memory_order_acquire, std::memory_order_relaxed)) return true;
    return false;
  }
  void leave() {
    if (state_.fetch_sub(1, std::memory_order_release) == 1) state_.notify_all();
  }

  /// Are there as many threads at work without this worker? Then it leaves its share to them: a program that calls from
  /// many threads of its own gets no more than those.
  static bool is_crowded(int self) {
    return self + callers.load(std::memory_order_relaxed) > wanted_threads.load(std::memory_order_relaxed);
  }

  void work(int self) {
    InsideRegion region;
    for (int p = 0; p < parts_; ++p) {
      Range& range = ranges_[(self + p) % parts_];
      while (range.next.load(std::memory_order_relaxed) < range.end) {
        if (self > 0 && is_crowded(self)) return;
        const int64_t chunk = range.next.fetch_add(1, std::memory_order_relaxed);
        if (chunk >= range.end || chunk > limit_.load(std::memory_order_relaxed)) break;
        try {
          poll_interrupt();
          body_(context_, chunk);
        } catch (...) {  // every lower chunk still runs: the lowest failure is always the same one
          std::lock_guard lock(error_mutex_);
          if (!error_ || chunk < error_chunk_) error_ = std::current_exception(), error_chunk_ = chunk;
          limit_.store(error_chunk_, std::memory_order_relaxed);
        }
      }
    }
  }

  std::atomic<bool> busy_{false};
  std::atomic<bool> stop_{false};
  std::atomic<bool> spin_{false};
  std::vector<pthread_t> workers_;               // not std::thread: the child of a fork must be able to forget them
  alignas(64) std::atomic<uint32_t> ticket_{0};  // changes when there is a new job; idle workers watch it
  alignas(64) std::atomic<uint32_t> state_{0};
  struct alignas(64) Range {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  } ranges_[kParts];
  std::atomic<int64_t> limit_{0};  // chunks above it are dropped
  std::atomic<int> born_{0};       // workers that have a number
  int parts_ = 0;
  void (*body_)(void*, int64_t) = nullptr;
  void* context_ = nullptr;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  int64_t error_chunk_ = 0;
};

/// Quota over period of one cgroup directory, rounded up to whole CPUs; 0 when it has no limit.
int quota_cpus(const std::string& directory) {
  double quota = -1, period = 0;
  std::string word;
  if (std::ifstream v2(directory + "/cpu.max"); v2 >> word >> period) {
    if (word != "max") quota = std::strtod(word.c_str(), nullptr);
  } else {
    std::ifstream(directory + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(directory + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? static_cast<int>(std::ceil(quota / period)) : 0;
}

}  // namespace

int cgroup_cpus(const std::string& membership_file, const std::string& mount) {
  int cpus = 0;
  std::ifstream file(membership_file);
  for (std::string line; std::getline(file, line);) {  // "0::/path" (v2) or "4:cpu,cpuacct:/path" (v1)
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool v2 = controllers.empty();
    if (!v2 && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
    // A parent's quota binds too. In a container the path may not exist below the mount; its root always does.
    std::string path = line.substr(second + 1);
    while (true) {
      if (!path.empty() && path.back() == '/') path.pop_back();
      for (const std::string& root : {mount, mount + "/cpu", mount + "/" + controllers})
        if (const int n = quota_cpus(root + path); n > 0) cpus = cpus > 0 ? std::min(cpus, n) : n;
      if (path.empty()) break;
      path.resize(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
    }
  }
  return cpus;
}

int get_num_threads() {
  int n = wanted_threads.load(std::memory_order_relaxed);
  if (n == 0) {
    const int initial = default_num_threads();
    n = wanted_threads.compare_exchange_strong(n, initial) ? initial : n;
  }
  return n;
}

void set_num_threads(int n) {
  check<ValueError>(n >= 1, "set_num_threads: expected a positive number of threads, got ", n);
  wanted_threads = n;
}

bool in_parallel_region() { return inside; }
int get_thread_num() { return thread_number; }

void parallel_ranges(int64_t begin, int64_t end, int64_t grain, void (*body)(const void*, int64_t, int64_t),
                     const void* context) {
  constexpr int64_t kMostParts = 64;  // a grain of one must not mean a call for each element
  parallel_for(end - begin, std::max(grain, (end - begin + kMostParts - 1) / kMostParts),
               [&](int64_t from, int64_t to) { body(context, begin + from, begin + to); });
}

void run_chunks(int64_t chunks, void (*body)(void*, int64_t), void* context) {
  const int threads = chunks > 1 && !inside && !in_openmp_region() ? get_num_threads() : 1;
  const Caller counted;
  if (threads > 1 && !closed.load(std::memory_order_relaxed) && Pool::get().run(threads, chunks, body, context)) return;
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    poll_interrupt();
    body(context, chunk);
  }
}

}  // namespace taut
