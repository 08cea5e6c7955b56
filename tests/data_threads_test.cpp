// Loaders with worker threads: the same batches for any number, errors, leaving early.
#include <gtest/gtest.h>
#include <taut/data.h>
#include <taut/data/chunk.h>
#include <taut/taut.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <future>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "data/job_queue.h"

using namespace taut;
using namespace taut::data;

namespace {

/// Example i is the number i, as a row.
struct Counting : datasets::Dataset<Counting, TensorExample> {
  explicit Counting(size_t n) : n(n) {}
  TensorExample get(size_t index) override { return full({2}, static_cast<double>(index)); }
  std::optional<size_t> size() const override { return n; }
  size_t n;
};

template <class Loader>
std::vector<Tensor> epoch(Loader& loader) {
  std::vector<Tensor> result;
  for (auto& batch : loader) result.push_back(batch);
  return result;
}

void expect_equal(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].equal(b[i])) << "batch " << i;
}

/// Threads of this process.
int threads() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("Threads:", 0) == 0) return std::stoi(line.substr(8));
  return -1;
}
/// A thread that was joined may be counted for a moment more, until the system has buried it.
bool threads_come_to(int wanted) {
  for (int tries = 0; threads() != wanted; ++tries) {
    if (tries == 10000) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Noise that depends on the random stream alone.
auto noisy(size_t n) {
  return Counting(n)
      .map(transforms::TensorLambda<void>([](Tensor x) { return x + rand({2}); }))
      .map(transforms::Stack<TensorExample>());
}

}  // namespace

TEST(DataWorkers, AnyNumberGivesTheSameBatchesWithRandomTransforms) {
  std::vector<Tensor> expected, second;
  for (size_t workers = 0; workers <= 4; ++workers) {
    manual_seed(5);
    auto loader = make_data_loader(noisy(50), DataLoaderOptions(4).workers(workers));
    const auto batches = epoch(*loader), more = epoch(*loader);
    if (workers == 0) expected = batches, second = more;
    expect_equal(batches, expected);
    expect_equal(more, second);
    EXPECT_FALSE(batches[0].equal(more[0]));
  }
}

TEST(DataWorkers, ASavedPositionIsResumedWithAnotherNumberOfWorkers) {
  manual_seed(8);
  auto first = make_data_loader(noisy(30), DataLoaderOptions(4).workers(3));
  State state;
  std::vector<Tensor> rest;
  for (auto& batch : *first) {
    if (!state.empty()) rest.push_back(batch);
    else if (first->position() == 2) state = first->state_dict();
  }
  for (size_t workers : {0, 1, 4}) {
    auto second = make_data_loader(noisy(30), DataLoaderOptions(4).workers(workers));
    second->load_state_dict(state);
    expect_equal(epoch(*second), rest);
  }
}

TEST(DataWorkers, TheOriginalExceptionReachesTheCallerWithTheIndices) {
  struct Own : std::exception {
    const char* what() const noexcept override { return "own"; }
  };
  struct Broken : Counting {
    using Counting::Counting;
    TensorExample get(size_t i) override {
      if (i == 7) throw ValueError("cannot read it");
      if (i == 10) throw Own();
      return Counting::get(i);
    }
  };
  for (size_t workers = 1; workers <= 3; ++workers) {
    auto loader = make_data_loader<samplers::SequentialSampler>(Broken(14), DataLoaderOptions(2).workers(workers));
    size_t seen = 0;
    auto it = loader->begin();
    for (; seen < 3; ++it) ++seen;
    try {
      (void)*it;
      FAIL();
    } catch (const ValueError& e) {
      EXPECT_STREQ(
          e.what(),
          "Caught exception in DataLoader worker thread. Original message: cannot read it (in batch 3, indices "
          "6, 7)");
      EXPECT_NE(dynamic_cast<const WorkerException*>(&e), nullptr);
    }
    EXPECT_EQ(loader->failed_batch()->indices, (std::vector<size_t>{6, 7}));
    (void)*it;  // and on it goes
    ++it;
    try {
      (void)*it;
      FAIL();
    } catch (const WorkerException& e) {  // and a std::exception
      EXPECT_STREQ(e.what(),
                   "Caught exception in DataLoader worker thread. Original message: own (in batch 5, indices 10, 11)");
      EXPECT_NE(dynamic_cast<const std::exception*>(&e), nullptr);
      EXPECT_THROW(std::rethrow_exception(e.original_exception), Own);
    }
    EXPECT_EQ(loader->failed_batch()->batch, 5u);
    size_t after = 0;
    for (; it != loader->end(); ++it) ++after;
    EXPECT_EQ(after, 1u);
  }
}

TEST(DataWorkers, OnlyOneIteratorThatHasNotEndedIsKept) {
  auto loader = make_data_loader(noisy(20), DataLoaderOptions(2).workers(2));
  std::optional first = loader->begin();
  try {
    loader->begin();
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "Attempted to get a new DataLoader iterator while another iterator is not yet exhausted");
  }
  ++*first;
  first.reset();
  EXPECT_EQ(epoch(*loader).size(), 10u);  // one that was left early is no hindrance
  for (auto& batch : *loader) {
    EXPECT_EQ(batch.data.size(0), 2);
    break;
  }
  EXPECT_EQ(epoch(*loader).size(), 10u);
}

TEST(DataWorkers, AFailingSamplerIsToldInOrderAndEndsTheEpoch) {
  struct Failing : samplers::SequentialSampler {
    using SequentialSampler::SequentialSampler;
    std::optional<std::vector<size_t>> next(size_t n) override {
      check<ValueError>(index() < 4, "sampler broke");
      return SequentialSampler::next(n);
    }
  };
  auto loader = make_data_loader(Counting(9), Failing(9), DataLoaderOptions(2).workers(2));
  auto it = loader->begin();
  ++it;
  ++it;
  try {
    (void)*it;
    FAIL();
  } catch (const ValueError& e) {  // it was asked by this thread
    EXPECT_EQ(dynamic_cast<const WorkerException*>(&e), nullptr);
  }
  EXPECT_EQ(it, loader->end());
}

TEST(DataWorkers, LeavingEarlyLeavesNoThread) {
  set_num_threads(1);
  const int before = threads();
  for (int round = 0; round < 5; ++round) {
    auto loader = make_data_loader(noisy(100), DataLoaderOptions(2).workers(4));
    int seen = 0;
    for (auto& batch : *loader) {
      EXPECT_EQ(batch.data.size(0), 2);
      if (++seen == round) break;
      if (round == 4 && seen == 3) loader.reset();
      if (!loader) break;
    }
  }
  {
    auto joined = make_data_loader(noisy(100), DataLoaderOptions(2).workers(4));
    joined->begin();
    joined->join();
    EXPECT_TRUE(threads_come_to(before));
    EXPECT_EQ(epoch(*joined).size(), 50u);  // starts its threads again
  }
  EXPECT_TRUE(threads_come_to(before));
}

TEST(DataWorkers, BreakingOffAndBeginningAgainStartsANewEpoch) {
  auto loader = make_data_loader<samplers::SequentialSampler>(Counting(40).map(transforms::Stack<TensorExample>()),
                                                              DataLoaderOptions(4).workers(2));
  for (auto& batch : *loader) {
    EXPECT_EQ(batch.data[0][0].item<double>(), 0);
    break;
  }
  const auto all = epoch(*loader);
  ASSERT_EQ(all.size(), 10u);
  EXPECT_EQ(all[9][3][0].item<double>(), 39);
  EXPECT_EQ(loader->epoch(), 2u);
}

TEST(DataWorkers, NoMoreBatchesAreMadeAheadThanMaxJobs) {
  static std::atomic<int> made;
  struct Counted : Counting {
    using Counting::Counting;
    TensorExample get(size_t i) override { return ++made, Counting::get(i); }
  };
  made = 0;
  auto loader = make_data_loader(Counted(100), DataLoaderOptions(1).workers(2).max_jobs(3));
  int delivered = 0;
  for (auto it = loader->begin(); it != loader->end(); ++it) {
    ++delivered;
    EXPECT_LE(made.load(), delivered + 3);
  }
  EXPECT_EQ(made.load(), 100);
}

TEST(DataWorkers, WithoutOrderingEveryBatchComesOnce) {
  auto loader = make_data_loader(Counting(60).map(transforms::Stack<TensorExample>()),
                                 DataLoaderOptions(3).workers(3).enforce_ordering(false));
  std::vector<int> seen(60);
  for (auto& batch : *loader)
    for (int64_t i = 0; i < batch.data.size(0); ++i) ++seen[static_cast<size_t>(batch.data[i][0].item<double>())];
  EXPECT_EQ(seen, std::vector<int>(60, 1));
  auto it = loader->begin();
  (void)*it;
  EXPECT_THROW(loader->state_dict(), ValueError);
}

TEST(DataWorkers, AStuckWorkerTimesOutAndCanBeWaitedForAgain) {
  struct Gate {
    std::mutex mutex;
    std::condition_variable opened;
    bool open = false;
  };
  static Gate gate;
  struct Stuck : Counting {
    using Counting::Counting;
    TensorExample get(size_t i) override {
      std::unique_lock lock(gate.mutex);
      gate.opened.wait(lock, [] { return gate.open; });
      return Counting::get(i);
    }
  };
  auto loader = make_data_loader(Stuck(2), DataLoaderOptions(1).workers(1).timeout(std::chrono::milliseconds(1)));
  auto it = loader->begin();
  EXPECT_THROW((void)*it, Error);
  {
    std::lock_guard lock(gate.mutex);
    gate.open = true;
  }
  gate.opened.notify_all();
  for (;;) {
    try {
      (void)*it;
      break;
    } catch (const Error&) {  // not ready within a millisecond
    }
  }
  EXPECT_EQ(loader->position(), 1u);
}

TEST(DataWorkers, AStatefulDatasetIsSharedAndLosesNothing) {
  struct Shared : datasets::StatefulDataset<Shared, int> {
    Shared() = default;
    Shared(Shared&&) {}
    std::optional<int> get_batch(size_t) override {
      const int n = next++;
      return n < 50 ? std::optional<int>(n) : std::nullopt;
    }
    void reset() override { next = 0; }
    std::optional<size_t> size() const override { return std::nullopt; }
    std::atomic<int> next{0};
  };
  auto loader = make_data_loader(Shared(), DataLoaderOptions(1).workers(3));
  for (int e = 0; e < 2; ++e) {
    std::vector<int> seen(50);
    for (int batch : *loader) ++seen[static_cast<size_t>(batch)];
    EXPECT_EQ(seen, std::vector<int>(50, 1));
  }
}

TEST(JobQueue, WhatWasNotBegunWhenItIsDrainedIsNeverRun) {
  JobQueue queue(1, /*ordered=*/false, std::nullopt);
  std::atomic<int> ran = 0;
  std::promise<void> go;
  queue.push([wait = go.get_future().share()](size_t) { return wait.wait(), nullptr; });
  for (int i = 0; i < 2000; ++i)
    queue.push([&](size_t) -> JobQueue::Result {
      ++ran;
      return nullptr;
    });
  go.set_value();
  queue.drain();
  const int before = ran;
  EXPECT_EQ(queue.in_flight(), 0u);
  queue.push([](size_t) { return std::make_shared<int>(7); });
  EXPECT_EQ(*static_cast<int*>(queue.pop().get()), 7);
  EXPECT_EQ(ran, before);
  queue.join();
}

TEST(JobQueue, ATimeoutSaysHowManyWorkersThereAre) {
  for (const size_t workers : {1, 2}) {
    std::promise<void> go;
    data::JobQueue queue(workers, true, std::chrono::milliseconds(1));
    queue.push([wait = go.get_future().share()](size_t) { return wait.wait(), nullptr; });
    std::string said;
    try {
      queue.pop();
    } catch (const Error& e) {
      said = e.what();
    }
    go.set_value();
    const std::string words = workers == 1 ? "for 1 ms from 1 worker. A longer" : "for 1 ms from 2 workers. A longer";
    EXPECT_NE(said.find(words), said.npos) << said;
  }
}

// ---- Chunks.

namespace {

/// Chunk i has the numbers 10 i to 10 i + i + 1; chunk `broken` cannot be read.
struct Reader : datasets::ChunkDataReader<int> {
  std::vector<int> read_chunk(size_t chunk) override {
    check<ValueError>(chunk != broken, "no chunk ", chunk);
    std::vector<int> list;
    for (size_t i = 0; i < chunk + 2; ++i) list.push_back(static_cast<int>(10 * chunk + i));
    return list;
  }
  size_t chunk_count() override { return 4; }
  void reset() override { ++epochs; }
  size_t broken = 99;
  int epochs = 0;
};
using Chunks = datasets::ChunkDataset<Reader, samplers::SequentialSampler, samplers::SequentialSampler>;

std::unique_ptr<Chunks> chunks(datasets::ChunkDatasetOptions options, size_t broken = 99) {
  Reader reader;
  reader.broken = broken;
  return std::make_unique<Chunks>(reader, samplers::SequentialSampler(4), samplers::SequentialSampler(0), options);
}

}  // namespace

TEST(Chunks, AnErrorComesInItsPlaceAndTheOtherChunksToo) {
  // The cache is full of what follows the error: the batch before it, which is not full, must come nevertheless.
  auto dataset = chunks({1, 3, 3}, /*broken=*/1);
  dataset->reset();
  EXPECT_EQ(dataset->get_batch(3), (std::vector<int>{0, 1}));
  try {
    dataset->get_batch(3);
    FAIL();
  } catch (const ValueError& e) {
    EXPECT_STREQ(e.what(), "Caught exception in DataLoader worker thread. Original message: no chunk 1");
  }
  EXPECT_EQ(dataset->get_batch(3), (std::vector<int>{20, 21, 22}));
  EXPECT_EQ(dataset->get_batch(3), (std::vector<int>{23, 30, 31}));
  EXPECT_EQ(dataset->get_batch(3), (std::vector<int>{32, 33, 34}));
  EXPECT_EQ(dataset->get_batch(3), std::nullopt);
}

TEST(Chunks, AnEpochLeftEarlyEndsItsThreads) {
  set_num_threads(1);
  const int before = threads();
  for (int round = 0; round < 3; ++round) {
    auto dataset = chunks({3, 2, 2});
    dataset->reset();
    if (round > 0) dataset->get_batch(2);
    if (round > 1) dataset->reset();
  }
  EXPECT_TRUE(threads_come_to(before));
}

TEST(Chunks, WhatWasSavedIsWhereTheNextEpochBeginsAndTheOneAfterIsWhole) {
  samplers::SequentialSampler place(4);
  place.next(2);
  serialize::OutputArchive out;
  place.save(out);
  std::stringstream file;
  out.save_to(file);
  serialize::InputArchive in;
  in.load_from(file);
  auto dataset = chunks({1, 4});
  dataset->load(in);
  const auto all = [&] {
    dataset->reset();
    std::vector<int> seen;
    while (auto batch = dataset->get_batch()) seen.insert(seen.end(), batch->begin(), batch->end());
    return seen;
  };
  EXPECT_EQ(all(), (std::vector<int>{20, 21, 22, 23, 30, 31, 32, 33, 34}));
  EXPECT_EQ(all().size(), 14u);
}

TEST(Chunks, SeveralPreloadersGiveEveryExampleOnce) {
  auto dataset = chunks({3, 4, 4, 2});
  for (int epoch = 0; epoch < 20; ++epoch) {
    dataset->reset();
    std::multiset<int> seen;
    while (auto batch = dataset->get_batch()) seen.insert(batch->begin(), batch->end());
    EXPECT_EQ(seen, (std::multiset<int>{0, 1, 10, 11, 12, 20, 21, 22, 23, 30, 31, 32, 33, 34}));
  }
}
