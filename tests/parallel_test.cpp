// The thread pool: every chunk once, exceptions, nesting, concurrent callers, fork, quotas.
#include "core/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/fork.h"
#include "core/interrupt.h"
#include "taut/core/error.h"

namespace taut {
namespace {

constexpr int kThreadCounts[] = {1, 2, 3, 4, 7};

class Parallel : public testing::Test {
 protected:
  ~Parallel() override { set_num_threads(before_); }
  const int before_ = get_num_threads();
};

/// A sum whose bits depend on the chunks, which they must, and on nothing else.
double chunked_sum(int64_t n) {
  std::vector<double> partial((n + 99) / 100);
  parallel_for(n, 100, [&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) sum += 1.0 / static_cast<double>(i + 1);
    partial[begin / 100] = sum;
  });
  return std::accumulate(partial.begin(), partial.end(), 0.0);
}

TEST_F(Parallel, EveryElementIsVisitedExactlyOnce) {
  for (int threads : kThreadCounts) {
    set_num_threads(threads);
    for (int64_t n : {0, 1, 2, 99, 100, 101, 1000, 12345}) {
      std::vector<std::atomic<int>> visits(n);
      parallel_for(n, 10, [&](int64_t begin, int64_t end) {
        EXPECT_EQ(begin % 10, 0);
        EXPECT_LE(end - begin, 10);
        for (int64_t i = begin; i < end; ++i) visits[i]++;
      });
      for (const auto& v : visits) ASSERT_EQ(v.load(), 1) << "n = " << n << ", " << threads << " threads";
    }
  }
}

TEST_F(Parallel, ManyJobsInARowLoseNoChunk) {
  set_num_threads(4);
  for (int job = 0; job < 20000; ++job) {
    std::atomic<int> sum{0};
    run_chunks(
        3, [](void* s, int64_t chunk) { *static_cast<std::atomic<int>*>(s) += static_cast<int>(chunk) + 1; }, &sum);
    ASSERT_EQ(sum.load(), 6);
  }
}

TEST_F(Parallel, BitsDoNotDependOnTheNumberOfThreads) {
  set_num_threads(1);
  const double expected = chunked_sum(100000);
  for (int threads : kThreadCounts) {
    set_num_threads(threads);
    EXPECT_EQ(chunked_sum(100000), expected) << threads;
  }
}

TEST_F(Parallel, TheExceptionOfTheLowestFailingChunkIsRethrown) {
  for (int threads : kThreadCounts) {
    set_num_threads(threads);
    for (int round = 0; round < 50; ++round) {
      try {
        parallel_for(1000, 1, [](int64_t i, int64_t) {
          if (i >= 7) throw std::runtime_error("chunk " + std::to_string(i));
        });
        FAIL() << "did not throw";
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "chunk 7");
      }
      EXPECT_FALSE(in_parallel_region());
    }
    EXPECT_EQ(chunked_sum(1000), chunked_sum(1000));  // and the pool still works
  }
}

TEST_F(Parallel, NestedCallsRunSeriallyInOrder) {
  for (int threads : kThreadCounts) {
    set_num_threads(threads);
    std::atomic<int> failures{0};
    parallel_for(64, 1, [&](int64_t, int64_t) {
      const auto me = std::this_thread::get_id();
      int64_t expected = 0;
      parallel_for(100, 7, [&](int64_t begin, int64_t end) {
        if (threads > 1 && (std::this_thread::get_id() != me || begin != expected)) failures++;
        expected = end;
      });
    });
    EXPECT_EQ(failures, 0) << threads;
  }
}

TEST_F(Parallel, TheRegionFlagIsSetInsideOnly) {
  set_num_threads(3);
  EXPECT_FALSE(in_parallel_region());
  std::atomic<int> outside{0};
  parallel_for(100, 1, [&](int64_t, int64_t) { outside += !in_parallel_region(); });
  EXPECT_EQ(outside, 0);
  EXPECT_FALSE(in_parallel_region());
}

TEST_F(Parallel, ConcurrentCallersGetTheSameBits) {
  for (int threads : kThreadCounts) {
    set_num_threads(threads);
    const double expected = chunked_sum(20000);
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c)
      callers.emplace_back([&] {
        for (int round = 0; round < 100; ++round) wrong += chunked_sum(20000) != expected;
      });
    for (std::thread& t : callers) t.join();
    EXPECT_EQ(wrong, 0) << threads;
  }
}

TEST_F(Parallel, WorkersLeaveTheirChunksToAProgramThatHasThreadsOfItsOwn) {
  constexpr int kThreads = 3, kChunks = 200;
  set_num_threads(kThreads);
  std::atomic<int> arrived{0}, by_workers{0}, done{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < kThreads; ++c)
    callers.emplace_back([&] {
      const auto me = std::this_thread::get_id();
      bool first = true;
      parallel_for(kChunks, 1, [&](int64_t, int64_t) {
        if (std::this_thread::get_id() != me) {
          by_workers += arrived == kThreads;
        } else if (first) {
          first = false;
          ++arrived;
          while (arrived < kThreads) std::this_thread::yield();
        }
        ++done;
      });
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(done, kThreads * kChunks);
  EXPECT_LE(by_workers, kThreads - 1);  // each may be about to begin one
}

TEST_F(Parallel, TheNumberOfThreadsMayChangeWhileOthersWork) {
  set_num_threads(2);
  const double expected = chunked_sum(20000);
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::thread caller([&] {
    for (int round = 0; round < 200; ++round) wrong += chunked_sum(20000) != expected;
    done = true;
  });
  for (int n = 1; !done; n = n % 5 + 1) {
    set_num_threads(n);
    std::this_thread::yield();
  }
  caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Parallel, TheNumberOfThreadsMayBeSetInsideAChunk) {
  set_num_threads(2);
  parallel_for(10, 1, [](int64_t i, int64_t) { set_num_threads(static_cast<int>(i % 3) + 1); });
  set_num_threads(5);
  EXPECT_EQ(get_num_threads(), 5);
}

TEST_F(Parallel, FewerThanOneThreadIsAValueError) {
  const int before = get_num_threads();
  EXPECT_THROW(set_num_threads(0), ValueError);
  EXPECT_THROW(set_num_threads(-3), ValueError);
  EXPECT_EQ(get_num_threads(), before);
}

// ThreadSanitizer does not support threads in the child of a fork.
#if defined(__SANITIZE_THREAD__)
#define SKIP_UNDER_THREAD_SANITIZER() GTEST_SKIP()
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKIP_UNDER_THREAD_SANITIZER() GTEST_SKIP()
#endif
#endif
#ifndef SKIP_UNDER_THREAD_SANITIZER
#define SKIP_UNDER_THREAD_SANITIZER() (void)0
#endif

/// Runs f in a child process; what it exited with, -1 if it died otherwise.
template <class F>
int exit_code_of_child(F f) {
  const pid_t child = fork();
  if (child == 0) {
    f();
    _exit(99);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

TEST_F(Parallel, TheChildOfAForkComputesTheSame) {
  SKIP_UNDER_THREAD_SANITIZER();
  for (int threads : kThreadCounts) {
    set_num_threads(threads);
    const double expected = chunked_sum(50000);
    EXPECT_EQ(
        exit_code_of_child([&] { _exit(chunked_sum(50000) == expected && chunked_sum(50000) == expected ? 7 : 1); }),
        7);
    EXPECT_EQ(chunked_sum(50000), expected);
  }
}

TEST_F(Parallel, TheChildOfAForkMayExitNormally) {
  SKIP_UNDER_THREAD_SANITIZER();
  set_num_threads(3);
  chunked_sum(50000);
  const auto child = [] {
    chunked_sum(50000);
    std::exit(5);
  };
  EXPECT_EQ(exit_code_of_child(child), 5);
}

// Destroyed after the pool, which is created later than this.
struct LateCaller {
  ~LateCaller() {
    if (armed && chunked_sum(50000) != expected) _exit(1);
  }
  bool armed = false;
  double expected = 0;
} late_caller;

TEST_F(Parallel, WorksInStaticDestructors) {
  SKIP_UNDER_THREAD_SANITIZER();
  set_num_threads(2);
  const auto child = [] {
    late_caller.expected = chunked_sum(50000);
    late_caller.armed = true;
    std::exit(3);
  };
  EXPECT_EQ(exit_code_of_child(child), 3);
}

TEST_F(Parallel, ExitInsideAChunkDoesNotHang) {
  SKIP_UNDER_THREAD_SANITIZER();
  set_num_threads(2);
  const auto child = [] {
    parallel_for(100, 1, [](int64_t i, int64_t) {
      if (i == 0) std::exit(4);
    });
  };
  EXPECT_EQ(exit_code_of_child(child), 4);
}

class CgroupQuota : public testing::Test {
 protected:
  CgroupQuota() {
    std::filesystem::create_directories(root_ / "cpu/a");
    std::filesystem::create_directories(root_ / "x/y");
  }
  ~CgroupQuota() override { std::filesystem::remove_all(root_); }
  void write(const std::string& file, const std::string& text) { std::ofstream(root_ / file) << text; }
  int cpus() { return cgroup_cpus((root_ / "membership").string(), root_.string()); }
  const std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("taut_cgroup_" + std::to_string(getpid()));
};

TEST_F(CgroupQuota, IsNoneWithoutFiles) { EXPECT_EQ(cpus(), 0); }

TEST_F(CgroupQuota, OfVersion2IsRoundedUpAndAParentBinds) {
  write("membership", "0::/x/y\n");
  write("x/y/cpu.max", "max 100000\n");
  EXPECT_EQ(cpus(), 0);
  write("x/cpu.max", "250000 100000\n");
  EXPECT_EQ(cpus(), 3);
  write("x/y/cpu.max", "50000 100000\n");
  EXPECT_EQ(cpus(), 1);
}

TEST_F(CgroupQuota, OfVersion1IsReadForTheCpuController) {
  write("membership", "5:cpuset:/b\n4:cpu,cpuacct:/a\n");
  write("cpu/a/cpu.cfs_quota_us", "-1\n");
  write("cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus(), 0);
  write("cpu/a/cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(cpus(), 2);
}

}  // namespace
static std::atomic<int> checks{0};

TEST(Interrupt, EndsAJobBetweenChunksAndTheNextOneRuns) {
  for (int threads : {1, 3}) {
    set_num_threads(threads);
    std::atomic<int64_t> done{0};
    checks = 0;
    const auto job = [&, caller = std::this_thread::get_id()] {
      parallel_for(100000, 1, [&](int64_t begin, int64_t end) {
        while (std::this_thread::get_id() != caller && checks < 3)
          std::this_thread::yield();  // leave some to the caller
        done += end - begin;
      });
    };
    {
      const Interruptible scope([] {
        if (++checks == 3) throw Error("stop");
      });
      EXPECT_THROW(job(), Error);
      const Interruptible not_now(nullptr);
      done = 0;
      job();
      EXPECT_EQ(done, 100000);
    }
    done = 0;
    job();
    EXPECT_EQ(done, 100000);
    EXPECT_EQ(checks, 3);
  }
}

TEST(Interrupt, DropsWhatWasNotBegun) {
  set_num_threads(1);
  int64_t done = 0;
  checks = 0;
  const Interruptible scope([] {
    if (++checks == 10) throw Error("stop");
  });
  EXPECT_THROW(parallel_for(1000, 1, [&](int64_t, int64_t) { ++done; }), Error);
  EXPECT_EQ(done, 9);
}

TEST(Fork, LocksOfOtherThreadsAreFreeInTheChild) {
  ForkSafeMutex safe;
  ObjectMutex object;
  std::atomic<bool> held{false}, stop{false};
  std::thread other([&] {
    const std::lock_guard lock(object);
    held = true;
    while (!stop) {
      const std::lock_guard inner(safe);
      std::this_thread::yield();
    }
  });
  while (!held) std::this_thread::yield();
  EXPECT_FALSE(object.try_lock());
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20);
      object.lock(), object.unlock();
      _exit(safe.try_lock() && object.try_lock() && !object.try_lock() ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  stop = true;
  other.join();
  EXPECT_TRUE(object.try_lock());
}

}  // namespace taut
