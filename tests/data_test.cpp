// Datasets, transforms, samplers and loaders, checked against what PyTorch's Python samplers draw.
#include <gtest/gtest.h>
#include <taut/data.h>
#include <taut/random_scope.h>
#include <taut/taut.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "support/outcomes.h"

using namespace taut;
using namespace taut::data;
using datasets::TensorDataset;
using datasets::TensorPairDataset;
using transforms::Stack;

namespace {

using Indices = std::vector<size_t>;
using Batches = std::vector<std::vector<int64_t>>;

/// Example i is the number i.
struct Counting : datasets::Dataset<Counting, TensorExample> {
  explicit Counting(size_t n) : n(n) {}
  TensorExample get(size_t index) override { return scalar_tensor(static_cast<int64_t>(index), kLong); }
  std::optional<size_t> size() const override { return n; }
  size_t n;
};

std::vector<int64_t> numbers(const Tensor& t) {
  const Tensor c = t.contiguous();
  return {c.data_ptr<int64_t>(), c.data_ptr<int64_t>() + c.numel()};
}

template <class Loader>
Batches epoch(Loader& loader) {
  Batches result;
  for (auto& batch : loader) result.push_back(numbers(batch));
  return result;
}

auto counting(size_t n) { return Counting(n).map(Stack<TensorExample>()); }

template <class S>
Indices all(S sampler) {
  Indices result;
  while (auto batch = sampler.next(4)) result.insert(result.end(), batch->begin(), batch->end());
  return result;
}

template <class E, class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const E& e) {
    EXPECT_EQ(typeid(e), typeid(E));
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

/// The message, if `part` is not in it.
template <class E, class F>
std::string without(const char* part, F&& f) {
  const std::string text = message<E>(f);
  return text.find(part) == text.npos ? text : "";
}
#define EXPECT_MESSAGE(E, part, ...) EXPECT_EQ(without<E>(part, [&] { __VA_ARGS__; }), "")

}  // namespace

// ---- Golden orders: python: torch.manual_seed(s); list(RandomSampler(range(n), ...))

TEST(Samplers, RandomDrawsPyTorchsPermutations) {
  manual_seed(7);
  EXPECT_EQ(all(samplers::RandomSampler(10)), (Indices{3, 0, 1, 9, 4, 7, 2, 5, 6, 8}));
  EXPECT_EQ(all(samplers::RandomSampler(10, samplers::RandomSamplerOptions().num_samples(13))),
            (Indices{3, 2, 7, 8, 6, 1, 5, 9, 0, 4, 5, 9, 2}));
  EXPECT_EQ(all(samplers::RandomSampler(10, samplers::RandomSamplerOptions().replacement(true).num_samples(40))),
            (Indices{1, 9, 3, 4, 6, 5, 3, 6, 9, 4, 4, 3, 6, 2, 3, 0, 0, 0, 4, 3,
                     3, 0, 5, 3, 2, 3, 5, 2, 0, 8, 9, 0, 9, 2, 4, 4, 3, 3, 6, 4}));
  manual_seed(0);
  EXPECT_EQ(all(samplers::RandomSampler(40)),
            (Indices{26, 15, 8,  39, 37, 30, 9,  19, 23, 3, 38, 18, 34, 33, 16, 25, 28, 35, 5, 14,
                     31, 36, 10, 32, 11, 22, 13, 4,  24, 7, 2,  21, 20, 29, 12, 1,  0,  17, 6, 27}));
}

TEST(Samplers, RandomWithAGeneratorContinuesItsStream) {
  samplers::RandomSampler sampler(8, samplers::RandomSamplerOptions().generator(Generator(3)));
  EXPECT_EQ(all(sampler), (Indices{2, 4, 3, 5, 1, 0, 6, 7}));
  sampler.reset();
  EXPECT_EQ(all(sampler), (Indices{2, 3, 5, 7, 4, 1, 6, 0}));
}

TEST(Samplers, SubsetAndWeightedDrawAsPyTorch) {
  manual_seed(1);
  EXPECT_EQ(all(samplers::SubsetRandomSampler({3, 1, 4, 1, 5, 9})), (Indices{1, 9, 4, 3, 1, 5}));
  manual_seed(1);
  EXPECT_EQ(all(samplers::WeightedRandomSampler({.1, .9, .4, .7, 3., .6}, 8)), (Indices{1, 2, 2, 2, 4, 1, 4, 4}));
  EXPECT_EQ(all(samplers::WeightedRandomSampler({.9, .4, .05, .2, .3, .1}, 5, false)), (Indices{0, 1, 3, 4, 5}));
}

TEST(Samplers, ReplicasDivideTheIndicesAsInPyTorch) {
  using samplers::DistributedSampler;
  EXPECT_EQ(all(DistributedSampler(10, 3, 1, true, 5)), (Indices{4, 3, 2, 1}));
  DistributedSampler dropping(10, 3, 2, true, 5, true);
  EXPECT_EQ(dropping.size(), 3u);
  dropping.set_epoch(2);
  EXPECT_EQ(all(dropping), (Indices{3, 7, 8}));
  EXPECT_EQ(all(DistributedSampler(10, 4, 3, false)), (Indices{3, 7, 1}));
  EXPECT_EQ(all(DistributedSampler(2, 5, 4, true, 1)), (Indices{1}));
  EXPECT_EQ(all(DistributedSampler(0, 2, 0)), (Indices{}));
  EXPECT_MESSAGE(ValueError, "rank should be in the interval [0, 1]", DistributedSampler(4, 2, 2));
}

TEST(Samplers, SequentialResetsToAnotherSize) {
  samplers::SequentialSampler sampler(5);
  EXPECT_EQ(all(sampler), (Indices{0, 1, 2, 3, 4}));
  sampler.reset(2);
  EXPECT_EQ(all(sampler), (Indices{0, 1}));
  EXPECT_EQ(sampler.size(), 2u);
}

TEST(Samplers, BatchSamplerDecidesTheSize) {
  auto loader = make_data_loader(counting(10), samplers::BatchSampler(samplers::SequentialSampler(10), 4, false), {});
  EXPECT_EQ(epoch(*loader), (Batches{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}}));
  EXPECT_EQ(loader->size(), 3u);
  auto whole = make_data_loader(counting(10), samplers::BatchSampler(samplers::SequentialSampler(10), 4, true), {});
  EXPECT_EQ(epoch(*whole), (Batches{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(whole->size(), 2u);
}

TEST(Samplers, StreamGivesSizes) {
  struct Ones : datasets::StreamDataset<Ones, Tensor> {
    Tensor get_batch(size_t n) override { return ones({static_cast<int64_t>(n)}, kLong); }
    std::optional<size_t> size() const override { return std::nullopt; }
  };
  auto loader = make_data_loader(Ones(), samplers::StreamSampler(7), DataLoaderOptions(3));
  EXPECT_EQ(epoch(*loader), (Batches{{1, 1, 1}, {1, 1, 1}, {1}}));
}

TEST(Split, PermutationAndLengthsAreThoseOfPyTorch) {
  manual_seed(42);
  auto parts = random_split(Counting(10), {3, 7});
  EXPECT_EQ(parts[0].indices(), (Indices{2, 6, 1}));
  EXPECT_EQ(parts[1].indices(), (Indices{8, 4, 5, 0, 9, 3, 7}));
  manual_seed(42);
  auto thirds = random_split(Counting(11), {.3, .3, .4});
  EXPECT_EQ(thirds[0].indices(), (Indices{6, 8, 9, 2}));
  EXPECT_EQ(thirds[1].indices(), (Indices{1, 10, 0}));
  EXPECT_EQ(thirds[2].indices(), (Indices{7, 3, 5, 4}));
  auto seeded = random_split(Counting(6), std::vector<size_t>{2, 4}, Generator(5));
  EXPECT_EQ(seeded[0].indices(), (Indices{5, 0}));
  EXPECT_EQ(seeded[1].indices(), (Indices{1, 3, 4, 2}));
}

// ---- Loaders.

TEST(DataLoader, ShuffledBatchesAndTheStreamAfterThemAreThoseOfPyTorch) {
  manual_seed(0);
  auto loader = make_data_loader(counting(12), DataLoaderOptions(5));
  EXPECT_EQ(epoch(*loader), (Batches{{6, 11, 9, 8, 2}, {1, 4, 5, 3, 10}, {7, 0}}));
  EXPECT_EQ(epoch(*loader), (Batches{{8, 11, 9, 5, 10}, {4, 2, 0, 1, 6}, {3, 7}}));
  EXPECT_EQ(rand({1}).item<float>(), 0.455627977848053f);
  manual_seed(0);
  auto in_order = make_data_loader<samplers::SequentialSampler>(counting(12), DataLoaderOptions(5));
  EXPECT_EQ(epoch(*in_order), (Batches{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11}}));
  EXPECT_EQ(rand({1}).item<float>(), 0.08847743272781372f);
}

TEST(DataLoader, AGeneratorOfItsOwnGivesPyTorchsOrder) {
  auto loader = make_data_loader(counting(7), DataLoaderOptions(3).generator(Generator(5)));
  EXPECT_EQ(epoch(*loader), (Batches{{2, 4, 3}, {5, 0, 6}, {1}}));
}

TEST(DataLoader, DropLastLeavesOutTheRest) {
  auto loader =
      make_data_loader<samplers::SequentialSampler>(counting(7), DataLoaderOptions().batch_size(3).drop_last(true));
  EXPECT_EQ(epoch(*loader), (Batches{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(loader->size(), 2u);
  EXPECT_EQ(make_data_loader(counting(7), DataLoaderOptions(3))->size(), 3u);
  EXPECT_EQ(make_data_loader(counting(6), DataLoaderOptions(3))->size(), 2u);
}

TEST(DataLoader, AnEmptyDatasetHasNoBatches) {
  auto shuffled = make_data_loader(counting(0), DataLoaderOptions(3));
  EXPECT_EQ(epoch(*shuffled), Batches{});
  auto in_order = make_data_loader<samplers::SequentialSampler>(counting(0), DataLoaderOptions(3).workers(2));
  EXPECT_EQ(epoch(*in_order), Batches{});
  EXPECT_EQ(in_order->size(), 0u);
}

TEST(DataLoader, WithoutStackABatchIsAVectorOfExamples) {
  auto loader = make_data_loader<samplers::SequentialSampler>(
      TensorPairDataset(arange(6).reshape({3, 2}), tensor({7, 8, 9})), DataLoaderOptions(2));
  size_t seen = 0;
  for (auto& batch : *loader)
    for (auto& example : batch) {
      EXPECT_EQ(numbers(example.data),
                (std::vector<int64_t>{2 * static_cast<int64_t>(seen), 2 * static_cast<int64_t>(seen) + 1}));
      EXPECT_EQ(example.target.item<int64_t>(), 7 + static_cast<int64_t>(seen++));
    }
  EXPECT_EQ(seen, 3u);
}

TEST(DataLoader, TransformsChain) {
  const Tensor images = arange(12, kFloat).reshape({3, 1, 2, 2});
  auto dataset = TensorPairDataset(images, tensor({0, 1, 2}))
                     .map(transforms::Normalize<>({1.0}, {2.0}))
                     .map(transforms::TensorLambda<>([](Tensor x) { return x.flatten(); }))
                     .map(transforms::Lambda<Example<>>([](Example<> e) {
                       e.target = e.target + 10;
                       return e;
                     }))
                     .map(Stack<>());
  EXPECT_EQ(dataset.size(), 3u);
  auto loader = make_data_loader<samplers::SequentialSampler>(std::move(dataset), DataLoaderOptions(3));
  auto it = loader->begin();
  EXPECT_TRUE(it->data.equal((images.reshape({3, 4}) - 1) / 2));
  EXPECT_EQ(numbers(it->target), (std::vector<int64_t>{10, 11, 12}));
  EXPECT_EQ(++it, loader->end());
}

TEST(DataLoader, EpochAndPositionAreCounted) {
  auto loader = make_data_loader(counting(4), DataLoaderOptions(2));
  EXPECT_EQ(loader->epoch(), 0u);
  auto it = loader->begin();
  (void)*it;
  EXPECT_EQ(loader->position(), 1u);
  epoch(*loader);  // gives the first up
  EXPECT_EQ(loader->epoch(), 2u);
  EXPECT_MESSAGE(Error, "this iterator has ended", (void)*++it);
}

TEST(DataLoader, PastTheEndIsAnError) {
  auto loader = make_data_loader(counting(1), DataLoaderOptions(2));
  auto it = loader->begin();
  ++it;
  EXPECT_EQ(it, loader->end());
  EXPECT_MESSAGE(Error, "Attempted to dereference iterator that was past the end", (void)*it);
  EXPECT_MESSAGE(Error, "Attempted to increment iterator past the end", ++it);
  EXPECT_MESSAGE(Error, "Dereferencing the DataLoader's past-the-end iterator is not allowed", (void)*loader->end());
  EXPECT_MESSAGE(Error, "Incrementing the DataLoader's past-the-end iterator is not allowed", ++loader->end());
}

TEST(DataLoader, APositionCanBeSavedAndResumed) {
  for (size_t workers : {0, 2}) {
    const DataLoaderOptions options = DataLoaderOptions(3).workers(workers);
    manual_seed(11);
    auto first = make_data_loader(counting(20), options);
    epoch(*first);
    Batches rest;
    State state;
    Tensor rng;
    for (auto& batch : *first) {
      if (!state.empty()) rest.push_back(numbers(batch));
      if (first->position() == 3) {
        state = first->state_dict();
        rng = default_generator().get_state();
      }
    }
    const Batches next = epoch(*first);

    auto second = make_data_loader(counting(20), options);
    second->load_state_dict(state);
    default_generator().set_state(rng);
    EXPECT_EQ(second->epoch(), 1u);
    EXPECT_EQ(second->position(), 3u);
    EXPECT_EQ(epoch(*second), rest) << workers;
    EXPECT_EQ(epoch(*second), next) << workers;
  }
}

TEST(DataLoader, ThePlaceOfALoaderGoesIntoAFile) {
  const std::string path = testing::TempDir() + "taut_data_test.safetensors";
  auto first = make_data_loader(counting(20), DataLoaderOptions(3));
  auto it = first->begin();
  (void)*++it;
  save(*first, path);
  Batches rest;
  while (++it != first->end()) rest.push_back(numbers(*it));
  auto second = make_data_loader(counting(20), DataLoaderOptions(3));
  load(*second, path);
  EXPECT_EQ(epoch(*second), rest);
  std::remove(path.c_str());
}

TEST(DataLoader, StateBetweenEpochsStartsTheNextOne) {
  manual_seed(2);
  auto first = make_data_loader(counting(9), DataLoaderOptions(2));
  epoch(*first);
  const State state = first->state_dict();
  const Tensor rng = default_generator().get_state();
  const Batches next = epoch(*first);
  auto second = make_data_loader(counting(9), DataLoaderOptions(2));
  second->load_state_dict(state);
  default_generator().set_state(rng);
  EXPECT_EQ(second->epoch(), 1u);
  EXPECT_EQ(epoch(*second), next);
}

TEST(DataLoader, AStateOfAnotherLoaderIsRefused) {
  auto first = make_data_loader(counting(9), DataLoaderOptions(2));
  auto it = first->begin();
  (void)*++it;
  const State state = first->state_dict();
  auto smaller = make_data_loader(counting(8), DataLoaderOptions(2));
  EXPECT_MESSAGE(ValueError, "the state is of 9 samples, this sampler has 8", smaller->load_state_dict(state));
  auto other = make_data_loader(counting(9), DataLoaderOptions(3));
  EXPECT_MESSAGE(ValueError, "batch_size=2, this loader has batch_size=3", other->load_state_dict(state));
  auto same = make_data_loader(counting(9), DataLoaderOptions(2));
  State broken = state;
  broken.erase("epoch");
  EXPECT_MESSAGE(ValueError, "no 'epoch'", same->load_state_dict(broken));
  broken = state;
  broken["batch"] = scalar_tensor(-1, kLong);
  EXPECT_MESSAGE(ValueError, "neither can be negative", same->load_state_dict(broken));
  broken["batch"] = scalar_tensor(6, kLong);
  EXPECT_MESSAGE(ValueError, "an epoch has only 5", same->load_state_dict(broken));
  broken = state;
  broken["sampler.order"] = broken["sampler.order"] + 1;
  EXPECT_MESSAGE(ValueError, "there are only 9", same->load_state_dict(broken));
  broken = state;
  broken["epoch"] = tensor(1.0);
  EXPECT_MESSAGE(ValueError, "is not one int64", same->load_state_dict(broken));
  EXPECT_EQ(same->epoch(), 0u);
  same->load_state_dict(state);
  EXPECT_EQ(epoch(*same).size(), 3u);
}

TEST(DataLoader, AStateThatDoesNotHangTogetherIsRefused) {
  auto loader = make_data_loader(counting(9), DataLoaderOptions(2));
  auto it = loader->begin();
  (void)*++it;
  const State state = loader->state_dict();
  const auto refused = [&](const char* words, const char* key, const Tensor& value) {
    State broken = state;
    if (value.defined()) broken[key] = value;
    else broken.erase(key);
    EXPECT_MESSAGE(ValueError, words, make_data_loader(counting(9), DataLoaderOptions(2))->load_state_dict(broken));
  };
  refused("has no 'base_seed', but 2 batches were delivered", "base_seed", {});
  refused("the state has no 'order' (a list of int64)", "sampler.order", {});
  refused("the state has no 'order' (a list of int64)", "sampler.order", zeros({9}));
  refused("the state has no 'order' (a list of int64)", "sampler.order", zeros({9, 1}, kLong));
  refused("there are only 9", "sampler.order", full({9}, 9, kLong));
  refused("there are only 9", "sampler.order", full({9}, -1, kLong));
  refused("the state has no 'index' of one int64", "sampler.index", {});
  refused("the state has no 'index' of one int64", "sampler.index", zeros({2}, kLong));
  refused("the state has no 'index' of one int64", "sampler.index", zeros({}));
  refused("the state is at index 10, but there are 9 samples", "sampler.index", scalar_tensor(10, kLong));
  refused("the state is at index -1, but there are 9 samples", "sampler.index", scalar_tensor(-1, kLong));
  refused("the state was saved after 5 batches, but this sampler has only 4", "batch", [&] {
    const_cast<State&>(state)["sampler.index"] = scalar_tensor(2, kLong);
    return scalar_tensor(5, kLong);
  }());

  samplers::SequentialSampler five(5);
  State place = five.state_dict();
  place["index"] = scalar_tensor(5, kLong);
  five.load_state_dict(place);
  EXPECT_FALSE(five.next(1).has_value());
  EXPECT_MESSAGE(ValueError, "the state is of 5 samples, this sampler has 4",
                 samplers::SequentialSampler(4).load_state_dict(place));
  place["index"] = scalar_tensor(6, kLong);
  EXPECT_MESSAGE(ValueError, "the state is at index 6, but there are 5 samples", five.load_state_dict(place));
  place["size"] = zeros({2}, kLong);
  EXPECT_MESSAGE(ValueError, "SequentialSampler: the state has no 'size'", five.load_state_dict(place));
  place.erase("size");
  EXPECT_MESSAGE(ValueError, "SequentialSampler: the state has no 'size'", five.load_state_dict(place));
}

TEST(DataLoader, AnIteratorEndsWhenAnotherIsBegunOrAStateIsLoaded) {
  auto loader = make_data_loader(counting(9), DataLoaderOptions(2));
  auto first = loader->begin();
  auto second = loader->begin();
  EXPECT_MESSAGE(Error, "this iterator has ended", ++first);
  (void)*++second;
  loader->load_state_dict(loader->state_dict());
  EXPECT_MESSAGE(Error, "this iterator has ended", ++first);
  EXPECT_MESSAGE(Error, "this iterator has ended", (void)*++second);
  EXPECT_EQ(epoch(*loader).size(), 3u);
}

TEST(DataLoader, ErrorsOfADatasetCarryTheBatchAndItsIndices) {
  struct Own : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  struct Broken : Counting {
    using Counting::Counting;
    TensorExample get(size_t i) override {
      if (i == 5) throw IndexError("no such file");
      if (i == 6) throw Own("untouched");
      return Counting::get(i);
    }
  };
  auto loader = make_data_loader<samplers::SequentialSampler>(Broken(8), DataLoaderOptions(2));
  auto it = loader->begin();
  ++it;
  ++it;
  EXPECT_EQ(message<IndexError>([&] { (void)*it; }), "no such file (in batch 2, indices 4, 5)");
  EXPECT_EQ(loader->failed_batch()->batch, 2u);
  EXPECT_EQ(loader->failed_batch()->indices, (Indices{4, 5}));
  EXPECT_EQ(message<Own>([&] { (void)*it; }), "untouched");
  EXPECT_EQ(loader->failed_batch()->batch, 3u);
  EXPECT_EQ(it, loader->end());
}

TEST(DataLoader, ErrorsListEightIndicesAtMost) {
  struct Broken : Counting {
    using Counting::Counting;
    TensorExample get(size_t) override { throw IndexError("none"); }
  };
  const auto said = [](size_t n) {
    auto loader = make_data_loader<samplers::SequentialSampler>(Broken(n), DataLoaderOptions(n));
    return message<IndexError>([&] { (void)*loader->begin(); });
  };
  EXPECT_EQ(said(1), "none (in batch 0, index 0)");
  EXPECT_EQ(said(8), "none (in batch 0, indices 0, 1, 2, 3, 4, 5, 6, 7)");
  EXPECT_EQ(said(9), "none (in batch 0, indices 0, 1, 2, 3, 4, 5, 6, 7, ... (9 in all))");
}

TEST(DataLoader, AStatefulDatasetEndsItsEpochItself) {
  struct Countdown : datasets::StatefulDataset<Countdown, Tensor> {
    std::optional<Tensor> get_batch(size_t n) override {
      if (left == 0) return std::nullopt;
      return full({static_cast<int64_t>(n)}, static_cast<int64_t>(left--), kLong);
    }
    void reset() override { left = 2; }
    std::optional<size_t> size() const override { return std::nullopt; }
    size_t left = 0;
  };
  auto loader = make_data_loader(Countdown(), DataLoaderOptions(2));
  EXPECT_EQ(epoch(*loader), (Batches{{2, 2}, {1, 1}}));
  EXPECT_EQ(epoch(*loader), (Batches{{2, 2}, {1, 1}}));
}

// ---- Datasets.

TEST(Datasets, SubsetAndConcat) {
  Subset few(Counting(10), {7, 2});
  EXPECT_EQ(few.size(), 2u);
  EXPECT_EQ(few.get(0).data.item<int64_t>(), 7);
  ConcatDataset both(few, Counting(3));
  EXPECT_EQ(both.size(), 5u);
  auto loader = make_data_loader<samplers::SequentialSampler>(both.map(Stack<TensorExample>()), DataLoaderOptions(5));
  EXPECT_EQ(epoch(*loader), (Batches{{7, 2, 0, 1, 2}}));
  ConcatDataset same(std::vector<Counting>{Counting(1), Counting(0), Counting(2)});
  EXPECT_EQ(same.get(2).data.item<int64_t>(), 1);
  // A subset of a mapped dataset is made of its batches.
  auto mapped = make_data_loader<samplers::SequentialSampler>(Subset(counting(9), {8, 6}), DataLoaderOptions(2));
  EXPECT_EQ(epoch(*mapped), (Batches{{8, 6}}));
}

TEST(Datasets, TensorsAreRows) {
  TensorDataset rows(arange(6).reshape({3, 2}));
  EXPECT_EQ(numbers(rows.get(2)), (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(TensorDataset(std::vector<Tensor>{tensor(1), tensor(2)}).size(), 2u);
  EXPECT_MESSAGE(IndexError, "index 3 is out of range", rows.get(3));
  EXPECT_MESSAGE(ValueError, "got a scalar", TensorDataset(tensor(1)));
  EXPECT_MESSAGE(ValueError, "Size mismatch", TensorPairDataset(zeros({3, 2}), zeros({2})));
}

TEST(Datasets, PairsOfTensorsAreRows) {
  TensorPairDataset pairs(arange(6).reshape({3, 2}), arange(3));
  EXPECT_EQ(pairs.size(), 3u);
  EXPECT_EQ(numbers(pairs.get(2).data), (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(pairs.get(1).target.item<int64_t>(), 1);
  EXPECT_MESSAGE(IndexError, "TensorPairDataset: index 3 is out of range", pairs.get(3));
  EXPECT_MESSAGE(ValueError, "an undefined one", TensorPairDataset(Tensor(), zeros({2})));
  EXPECT_MESSAGE(ValueError, "got a scalar", TensorPairDataset(zeros({2}), zeros({})));
}

TEST(Split, PartsMayBeEmptyAndAFractionThatGivesNothingIsWarnedOf) {
  std::vector<std::string> heard;
  set_warning_handler([&](const std::string& w) { heard.push_back(w); });
  auto parts = random_split(Counting(4), std::vector<size_t>{4, 0});
  EXPECT_EQ(parts[0].size(), 4u);
  EXPECT_EQ(parts[1].size(), 0u);
  parts = random_split(Counting(4), {4.0, 0.0});
  EXPECT_EQ(parts[1].size(), 0u);
  EXPECT_TRUE(heard.empty());
  parts = random_split(Counting(2), std::vector<double>{0, 0.5, 0.5});
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0], "random_split: Length of split at index 0 is 0. This might result in an empty dataset.");
  parts = random_split(Counting(2), std::vector<double>{0.5, 0.5, 0});
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_NE(heard[1].find("index 2"), std::string::npos);
  set_warning_handler({});
}

TEST(Datasets, SharedIsNotCopied) {
  auto shared = datasets::make_shared_dataset<Counting>(4);
  auto loader = make_data_loader<samplers::SequentialSampler>(shared, DataLoaderOptions(2).workers(2));
  shared->n = 1;
  size_t seen = 0;
  for (auto& batch : *loader) seen += batch.size();
  EXPECT_EQ(seen, 4u);
}

namespace {

constexpr char kBytes = 8, kSignedBytes = 9;

/// An idx file: the type, the sizes, the bytes.
void write_idx(const std::string& path, std::vector<int> sizes, const std::vector<uint8_t>& bytes, char type = kBytes) {
  std::string s{'\0', '\0', type, static_cast<char>(sizes.size())};
  for (int n : sizes) s += {'\0', '\0', static_cast<char>(n / 256), static_cast<char>(n % 256)};
  s.append(bytes.begin(), bytes.end());
  std::ofstream(path, std::ios::binary) << s;
}

}  // namespace

TEST(Datasets, MnistReadsIdxFiles) {
  const std::string root = testing::TempDir() + "taut_mnist";
  std::filesystem::create_directory(root);
  std::vector<uint8_t> pixels(2 * 28 * 28, 0);
  pixels[0] = 255;
  pixels[28 * 28 + 1] = 51;
  write_idx(root + "/t10k-images-idx3-ubyte", {2, 28, 28}, pixels);
  write_idx(root + "/t10k-labels-idx1-ubyte", {2}, {7, 3});
  datasets::MNIST mnist(root, datasets::MNIST::Mode::kTest);
  EXPECT_FALSE(mnist.is_train());
  EXPECT_EQ(mnist.size(), 2u);
  EXPECT_EQ(mnist.images().sizes(), IntArrayRef({2, 1, 28, 28}));
  EXPECT_EQ(mnist.get(0).data[0][0][0].item<float>(), 1);
  EXPECT_EQ(mnist.get(1).data[0][0][1].item<float>(), 0.2f);
  EXPECT_EQ(numbers(mnist.targets()), (std::vector<int64_t>{7, 3}));
  EXPECT_MESSAGE(IndexError, "index 2 is out of range", mnist.get(2));
  auto loader =
      make_data_loader(mnist.map(transforms::Normalize<>({0.1307}, {0.3081})).map(Stack<>()), DataLoaderOptions(2));
  for (auto& batch : *loader) EXPECT_EQ(batch.data.sizes(), IntArrayRef({2, 1, 28, 28}));

  EXPECT_MESSAGE(FileError, "train-images-idx3-ubyte", datasets::MNIST{root});
  write_idx(root + "/t10k-labels-idx1-ubyte", {3}, {7, 3, 1});
  EXPECT_MESSAGE(FormatError, "2 images, but 3 labels", datasets::MNIST(root, datasets::MNIST::Mode::kTest));
  write_idx(root + "/t10k-labels-idx1-ubyte", {2, 1}, {7, 3});
  EXPECT_MESSAGE(FormatError, "is not a list of labels: it has the shape [2, 1]",
                 datasets::MNIST(root, datasets::MNIST::Mode::kTest));
  write_idx(root + "/t10k-labels-idx1-ubyte", {2}, {7, 3}, kSignedBytes);
  EXPECT_MESSAGE(FormatError, "is not a list of labels", datasets::MNIST(root, datasets::MNIST::Mode::kTest));
  write_idx(root + "/t10k-images-idx3-ubyte", {2, 28, 28}, pixels, kSignedBytes);
  EXPECT_MESSAGE(FormatError, "is not a list of images", datasets::MNIST(root, datasets::MNIST::Mode::kTest));
  write_idx(root + "/t10k-images-idx3-ubyte", {2}, {1, 2});
  EXPECT_MESSAGE(FormatError, "is not a list of images", datasets::MNIST(root, datasets::MNIST::Mode::kTest));
  std::filesystem::remove_all(root);
}

// ---- The loader of lists of tensors.

TEST(BatchLoader, GivesTheBatchesOfADataLoader) {
  manual_seed(0);
  BatchLoader loader({arange(12), arange(12) * 2}, true, DataLoaderOptions(5));
  Batches result;
  for (auto& batch : loader) {
    ASSERT_EQ(batch.size(), 2u);
    EXPECT_TRUE(batch[1].equal(batch[0] * 2));
    result.push_back(numbers(batch[0]));
  }
  EXPECT_EQ(result, (Batches{{6, 11, 9, 8, 2}, {1, 4, 5, 3, 10}, {7, 0}}));
}

TEST(BatchLoader, DropLastDropsOnlyABatchThatIsNotFull) {
  for (int64_t rows : {0, 1, 2, 3, 4, 5, 6}) {
    BatchLoader loader({arange(rows)}, false, DataLoaderOptions(3).drop_last(true));
    int64_t batches = 0;
    for (const BatchLoader::Batch& batch : loader) {
      EXPECT_EQ(batch[0].size(0), 3);
      ++batches;
    }
    EXPECT_EQ(batches, rows / 3) << rows << " rows";
    EXPECT_EQ(loader.size(), static_cast<size_t>(rows / 3));
  }
}

TEST(BatchLoader, ByHandAndWithIndicesAlone) {
  BatchLoader loader(std::make_shared<samplers::SequentialSampler>(5), DataLoaderOptions(2).workers(1));
  for (int e = 0; e < 2; ++e) {
    loader.reset();
    Batches result;
    while (auto batch = loader.next()) result.push_back(numbers((*batch)[0]));
    EXPECT_EQ(result, (Batches{{0, 1}, {2, 3}, {4}}));
    EXPECT_FALSE(loader.next());
  }
  EXPECT_EQ(loader.size(), 3u);
}

// ---- Settings that make no sense.

TEST(BadSettings, OfALoader) {
  const auto make = [](const DataLoaderOptions& o) { return make_data_loader(counting(4), o); };
  const auto minus = [](int n) { return static_cast<size_t>(static_cast<int64_t>(n)); };
  using std::chrono::milliseconds;
  EXPECT_MESSAGE(ValueError, "batch_size should be a positive integer value, but got batch_size=0", make(0));
  EXPECT_MESSAGE(ValueError, "got batch_size=-1", make(minus(-1)));
  EXPECT_MESSAGE(ValueError, "workers cannot be negative, got -2", make(DataLoaderOptions().workers(minus(-2))));
  EXPECT_MESSAGE(ValueError, "at most 1024 workers, got 1025", make(DataLoaderOptions().workers(1025)));
  make(DataLoaderOptions().workers(1024).max_jobs(1).timeout(milliseconds(1)));
  EXPECT_MESSAGE(ValueError, "max_jobs must be positive", make(DataLoaderOptions().workers(1).max_jobs(0)));
  EXPECT_MESSAGE(ValueError, "max_jobs must be positive", make(DataLoaderOptions().workers(1).max_jobs(minus(-1))));
  EXPECT_MESSAGE(ValueError, "timeout must be positive, got 0", make(DataLoaderOptions().timeout(milliseconds(0))));
  EXPECT_MESSAGE(ValueError, "timeout must be positive, got -5", make(DataLoaderOptions().timeout(milliseconds(-5))));
  EXPECT_MESSAGE(ValueError, "expected a sampler", BatchLoader(nullptr));
  EXPECT_MESSAGE(ValueError, "expected a function",
                 BatchLoader(std::make_shared<samplers::SequentialSampler>(2), BatchLoader::Fetch()));
  EXPECT_MESSAGE(ValueError, "at least one tensor", BatchLoader(std::vector<Tensor>{}, true));
  EXPECT_MESSAGE(ValueError, "Size mismatch", BatchLoader({zeros({2}), zeros({3})}, true));
  EXPECT_MESSAGE(ValueError, "must have rows", BatchLoader({zeros({})}, true));
  struct Endless : Counting {
    using Counting::Counting;
    std::optional<size_t> size() const override { return std::nullopt; }
  };
  EXPECT_MESSAGE(ValueError, "Expected the dataset to be sized in order to construct the Sampler",
                 make_data_loader(Endless(1)));
  struct Single : Counting {
    using Counting::Counting;
    Single(Single&&) = default;
  };
  EXPECT_MESSAGE(ValueError, "cannot be copied", make_data_loader(Single(1), DataLoaderOptions().workers(2)));
}

TEST(BadSettings, OfSamplers) {
  using namespace samplers;
  const auto minus_one = static_cast<size_t>(int64_t{-1});
  EXPECT_MESSAGE(ValueError, "cannot be negative", RandomSampler(-1));
  EXPECT_MESSAGE(ValueError, "got num_samples=0", RandomSampler(3, RandomSamplerOptions().num_samples(0)));
  EXPECT_MESSAGE(ValueError, "empty dataset", RandomSampler(0, RandomSamplerOptions().num_samples(2)));
  EXPECT_MESSAGE(ValueError, "index -1 is negative", SubsetRandomSampler({minus_one}));
  EXPECT_MESSAGE(ValueError, "got num_samples=-3", WeightedRandomSampler({1}, -3));
  EXPECT_MESSAGE(ValueError, "finite and not negative", WeightedRandomSampler({1, -1}, 1));
  EXPECT_MESSAGE(ValueError, "finite and not negative", WeightedRandomSampler({1, std::nan("")}, 1));
  EXPECT_MESSAGE(ValueError, "no weight is positive", WeightedRandomSampler({0, 0}, 1));
  EXPECT_MESSAGE(ValueError, "cannot draw 2 samples without replacement", WeightedRandomSampler({1, 0}, 2, false));
  EXPECT_MESSAGE(ValueError, "got batch_size=0", BatchSampler(SequentialSampler(3), 0, false));
  SubsetRandomSampler subset({0, 4});
  subset.reset(5);
  EXPECT_MESSAGE(ValueError, "it has the index 4, too large for a dataset of 4", subset.reset(4));
  WeightedRandomSampler weighted({1, 2}, 1);
  weighted.reset(2);
  EXPECT_MESSAGE(ValueError, "it has 2 weights, but the dataset 3 examples", weighted.reset(3));
}

TEST(BadSettings, OfDatasetsAndTransforms) {
  EXPECT_MESSAGE(IndexError, "index 4 is out of range for a dataset of 4", Subset(Counting(4), {0, 4}));
  EXPECT_MESSAGE(ValueError, "empty list", ConcatDataset(std::vector<Counting>{}));
  EXPECT_MESSAGE(ValueError, "Sum of input lengths does not equal",
                 random_split(Counting(4), std::vector<size_t>{1, 2}));
  EXPECT_MESSAGE(ValueError, "a part of 5 examples of a dataset of 4",
                 random_split(Counting(4), std::vector<size_t>{5, 0}));
  EXPECT_MESSAGE(ValueError, "not between 0 and 1", random_split(Counting(4), {-.5, 1.5}));
  EXPECT_MESSAGE(ValueError, "sum up to 1, got 0.5", random_split(Counting(4), std::vector<double>{.5, .25}));
  EXPECT_MESSAGE(ValueError, "Normalize: mean must be finite, got inf", transforms::Normalize<>({INFINITY}, {1.0}));
  transforms::Normalize<>({0.0}, {1.0});
  EXPECT_MESSAGE(ValueError, "Fraction at index 0 is not between 0 and 1: 1.5", random_split(Counting(4), {1.5, -.5}));
  EXPECT_MESSAGE(ValueError, "fractions that sum up to 1, got 1.5",
                 random_split(Counting(4), std::vector<double>{1.5, 2}));
  EXPECT_MESSAGE(ValueError, "fractions that sum up to 1, got -1",
                 random_split(Counting(4), std::vector<double>{-1, 5}));
  EXPECT_EQ(random_split(Counting(4), std::vector<double>{1})[0].size(), 4u);
  EXPECT_MESSAGE(ValueError, "must be finite and not 0", transforms::Normalize<>({0.5}, {0.0}));
  EXPECT_MESSAGE(ValueError, "must be finite", transforms::Normalize<>({std::nan("")}, {1.0}));
  EXPECT_MESSAGE(ValueError, "one value per channel", transforms::Normalize<>(ArrayRef<double>(), {1.0}));
}

// ---- Settings at their bounds and beyond, word for word.

namespace {

template <class T>
std::string list(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& v : values) text += str(text.size() > 1 ? ", " : "", v);
  return text + "]";
}
std::string list(const Tensor& t) { return list(numbers(t)); }
std::string lists(const std::vector<Tensor>& parts) {
  std::string text;
  for (const Tensor& part : parts) text += list(part);
  return text;
}
/// The lengths of the pieces of an order, and the sum of their numbers.
std::string pieces(orders::RandomOrder order) {
  std::string text;
  int64_t sum = 0;
  for (Tensor piece = order.next(); piece.defined(); piece = order.next()) {
    text += str(piece.numel(), ' ');
    sum += piece.sum().item<int64_t>();
  }
  return str(text, "adding up to ", sum);
}
/// What a loader says of a state in which one thing is another.
std::string loaded(const char* key, const std::optional<Tensor>& value, size_t batches = 2) {
  const auto make = [] { return make_data_loader<samplers::SequentialSampler>(counting(7), DataLoaderOptions(2)); };
  auto first = make(), second = make();
  auto it = first->begin();
  for (size_t i = 0; i < batches; ++i) (void)*it, ++it;
  State state = first->state_dict();
  if (state.contains(key)) state.erase(key);
  if (value) state.insert(key, *value);
  second->load_state_dict(state);
  std::string text = str("epoch ", second->epoch(), ", position ", second->position(), ":");
  for (auto& batch : *second) text += list(numbers(batch));
  return str(text, ", then epoch ", second->epoch());
}
Tensor whole(int64_t n) { return scalar_tensor(n, kLong); }

}  // namespace

// clang-format off
TEST(DataBounds, OfOrders) {
  using namespace orders;
  const Generator g(3);
  test::expect_outcomes({
      SHOWN(list(of_replica(4, 1, 0, std::nullopt, false))), SHOWN(list(of_replica(5, 2, 0, std::nullopt, false))), SHOWN(list(of_replica(5, 2, 1, std::nullopt, false))),
      SHOWN(list(of_replica(5, 2, 1, std::nullopt, true))), SHOWN(list(of_replica(6, 2, 1, 7, false))), SHOWN(list(of_replica(0, 2, 1, std::nullopt, false))), SHOWN(list(of_replica(1, 3, 2, 1, false))),
      SHOWN(list(of_replica(4, 0, 0, std::nullopt, false))), SHOWN(list(of_replica(4, 2, 2, std::nullopt, false))), SHOWN(list(of_replica(4, 2, -1, std::nullopt, false))),
      SHOWN(replica_size(6, 3, false)), SHOWN(replica_size(7, 3, false)), SHOWN(replica_size(7, 3, true)), SHOWN(replica_size(2, 3, true)),
      SHOWN(list(lengths_of_shares(10, {0.5, 0.5}))), SHOWN(list(lengths_of_shares(10, {0.34, 0.33, 0.33}))), SHOWN(list(lengths_of_shares(7, {0.25, 0.25, 0.25, 0.25}))), SHOWN(list(lengths_of_shares(3, {0.0, 1.0}))),
      SHOWN(list(lengths_of_shares(5, {0.1, 0.1}))), SHOWN(list(lengths_of_shares(3, {1.5, 0.5}))), SHOWN(list(lengths_of_shares(3, {0.5, -0.5}))), SHOWN(list(lengths_of_shares(3, {}))), SHOWN(list(lengths_of_shares(0, {}))),
      SHOWN(lists(split({2, 0, 3}, Generator(1)))), SHOWN(lists(split({}, Generator(1)))), SHOWN(lists(split({2, -1}, Generator(1)))), SHOWN(lists(rows({arange(5), arange(5) * 2}, tensor({3, 0})))),
      SHOWN(pieces(RandomOrder(5, 5, false, g.clone()))), SHOWN(pieces(RandomOrder(5, 10, false, g.clone()))), SHOWN(pieces(RandomOrder(5, 12, false, g.clone()))), SHOWN(pieces(RandomOrder(5, 3, false, g.clone()))),
      SHOWN(pieces(RandomOrder(5, 64, true, g.clone()))), SHOWN(pieces(RandomOrder(5, 65, true, g.clone()))), SHOWN(pieces(RandomOrder(5, 31, true, g.clone()))), SHOWN(pieces(RandomOrder(0, 5, true, g.clone()))), SHOWN(pieces(RandomOrder(5, 0, true, g.clone()))),
  });
}

TEST(DataBounds, OfSamplers) {
  using namespace samplers;
  const auto most = static_cast<size_t>(INT64_MAX);
  test::expect_outcomes({
      OUTCOME(RandomSampler(0)), OUTCOME(RandomSampler(-1)), OUTCOME(RandomSampler(1, RandomSamplerOptions().num_samples(1))), OUTCOME(RandomSampler(1, RandomSamplerOptions().num_samples(0))),
      OUTCOME(RandomSampler(1, RandomSamplerOptions().num_samples(-1))), OUTCOME(RandomSampler(0, RandomSamplerOptions().num_samples(1))), SHOWN(*RandomSampler(5, RandomSamplerOptions().num_samples(3)).size()), SHOWN(*RandomSampler(5).size()),
      OUTCOME(DistributedSampler(0, 1, 0)), OUTCOME(DistributedSampler(-1, 1, 0)), OUTCOME(DistributedSampler(4, 0, 0)), OUTCOME(DistributedSampler(4, 2, -1)), OUTCOME(DistributedSampler(4, 2, 2)), SHOWN(list(all(DistributedSampler(4, 1, 0, false)))),
      SHOWN(*DistributedSampler(7, 2, 0, true, 0, false).size()), SHOWN(*DistributedSampler(7, 2, 0, true, 0, true).size()), OUTCOME(SubsetRandomSampler({})), OUTCOME(SubsetRandomSampler({most})), OUTCOME(SubsetRandomSampler({most - 1})), OUTCOME(SubsetRandomSampler({most + 1})),
      OUTCOME(SubsetRandomSampler({2, 0}).reset(3)), OUTCOME(SubsetRandomSampler({2, 0}).reset(2)), OUTCOME(WeightedRandomSampler({1}, 1)), OUTCOME(WeightedRandomSampler({1}, 0)), OUTCOME(WeightedRandomSampler({1}, 2)), OUTCOME(WeightedRandomSampler({1}, 2, false)),
      OUTCOME(WeightedRandomSampler({1, 0, 2}, 2, false)), OUTCOME(WeightedRandomSampler({1, 0, 2}, 3, false)), OUTCOME(WeightedRandomSampler({0}, 1)), OUTCOME(WeightedRandomSampler({-0.5}, 1)), OUTCOME(WeightedRandomSampler({INFINITY}, 1)), OUTCOME(WeightedRandomSampler({}, 1)),
      OUTCOME(WeightedRandomSampler({1, 2}, 1).reset(2)), OUTCOME(WeightedRandomSampler({1, 2}, 1).reset(1)), OUTCOME(BatchSampler(SequentialSampler(3), 1, false)), OUTCOME(BatchSampler(SequentialSampler(3), 0, false)),
      SHOWN(SequentialSampler(2).next(0).has_value()), SHOWN(SequentialSampler(2).next(5)->size()), SHOWN(*StreamSampler(5).next(2)), SHOWN(*StreamSampler(1).next(2)), SHOWN(StreamSampler(0).next(2).has_value()),
  });
}

TEST(DataBounds, OfDatasets) {
  const auto sizes = [](auto parts) { std::string text; for (auto& part : parts) text += str(*part.size(), ' '); return text; };
  test::expect_outcomes({
      OUTCOME(TensorDataset(zeros({1}))), OUTCOME(TensorDataset(zeros({0}))), OUTCOME(TensorDataset(zeros({}))), OUTCOME(TensorDataset(Tensor())), OUTCOME(TensorDataset(zeros({2, 3})).get(1)), OUTCOME(TensorDataset(zeros({2, 3})).get(2)),
      OUTCOME(TensorPairDataset(zeros({2}), zeros({2}))), OUTCOME(TensorPairDataset(zeros({2, 3}), zeros({3}))), OUTCOME(TensorPairDataset(zeros({}), zeros({1}))), OUTCOME(TensorPairDataset(zeros({1}), Tensor())), OUTCOME(TensorPairDataset(zeros({2}), zeros({2})).get(2)),
      SHOWN(sizes(random_split(Counting(4), std::vector<size_t>{4}))), SHOWN(sizes(random_split(Counting(4), std::vector<size_t>{1, 3}))), SHOWN(sizes(random_split(Counting(4), std::vector<size_t>{1, 2}))), SHOWN(sizes(random_split(Counting(4), std::vector<size_t>{5}))),
      SHOWN(sizes(random_split(Counting(4), std::vector<size_t>{}))), SHOWN(sizes(random_split(Counting(0), std::vector<size_t>{}))), SHOWN(sizes(random_split(Counting(5), std::vector<double>{0.5, 0.5}))), SHOWN(sizes(random_split(Counting(5), std::vector<double>{0.5, 0.5 - 1e-9}))),
      SHOWN(sizes(random_split(Counting(5), std::vector<double>{0.5, 0.49}))), SHOWN(sizes(random_split(Counting(5), std::vector<double>{2, 3}))), SHOWN(sizes(random_split(Counting(5), std::vector<double>{2.5, 2.5}))), SHOWN(sizes(random_split(Counting(5), std::vector<double>{1e16}))),
      OUTCOME(transforms::Normalize<>({0.5}, {0.0})), OUTCOME(transforms::Normalize<>({0.0}, {0.5})), OUTCOME(transforms::Normalize<>({0.5}, {INFINITY})), OUTCOME(transforms::Normalize<>(ArrayRef<double>(), {1.0})),
      OUTCOME(BatchLoader({zeros({2}), zeros({2, 3})}, false)), OUTCOME(BatchLoader({zeros({2}), zeros({3, 2})}, false)), OUTCOME(BatchLoader({zeros({2}), Tensor()}, false)), OUTCOME(BatchLoader({zeros({2}), zeros({})}, false)), OUTCOME(BatchLoader(std::vector<Tensor>{}, false)),
  });
}

TEST(DataBounds, OfStates) {
  std::vector<test::Outcome> rows;
  const std::vector<std::pair<const char*, std::optional<Tensor>>> values = {
      {"nothing", std::nullopt}, {"an undefined tensor", Tensor()}, {"0", whole(0)}, {"1", whole(1)}, {"2", whole(2)}, {"3", whole(3)}, {"4", whole(4)}, {"5", whole(5)}, {"7", whole(7)}, {"8", whole(8)},
      {"-1", whole(-1)}, {"a float", tensor(1.0)}, {"two numbers", tensor({1, 2})}, {"a list of one", tensor({1})}};
  for (const char* key : {"epoch", "batch", "batch_size", "base_seed", "sampler.index", "sampler.size", "sampled"})
    for (const auto& [what, value] : values)
      rows.push_back({str(key, " = ", what), [=, v = value] { return loaded(key, v); }});
  rows.push_back({"batch = 0 before any", [] { return loaded("batch", whole(0), 0); }});
  rows.push_back({"all batches", [] { return loaded("sampled", std::nullopt, 4); }});
  test::expect_outcomes(rows);
}
// clang-format on

TEST(DataLoader, WithoutOrderingAPlaceIsKnownAtTheBeginningOnly) {
  auto loader = make_data_loader<samplers::SequentialSampler>(counting(6),
                                                              DataLoaderOptions(2).workers(1).enforce_ordering(false));
  auto it = loader->begin();
  loader->state_dict();
  (void)*it;
  EXPECT_MESSAGE(ValueError, "which batches came is not known from their number", loader->state_dict());
  loader->join();
  loader->state_dict();
  auto alone = make_data_loader<samplers::SequentialSampler>(counting(6), DataLoaderOptions(2).enforce_ordering(false));
  auto next = alone->begin();
  (void)*next;
  alone->state_dict();
}

TEST(DataLoader, EveryBatchHasItsOwnRandomNumbers) {
  struct Drawing : datasets::Dataset<Drawing, TensorExample> {
    TensorExample get(size_t) override { return randint(0, 1000, {2}); }
    std::optional<size_t> size() const override { return 3; }
  };
  manual_seed(5);
  auto loader =
      make_data_loader<samplers::SequentialSampler>(Drawing().map(Stack<TensorExample>()), DataLoaderOptions(1));
  EXPECT_EQ(epoch(*loader), (Batches{{729, 380}, {672, 945}, {932, 464}}));
  EXPECT_EQ(epoch(*loader), (Batches{{15, 641}, {923, 581}, {169, 884}}));
}

TEST(Samplers, AStateIsReadToItsEndAndNoFurther) {
  samplers::RandomSampler sampler(3);
  State state = sampler.state_dict();
  state["order"] = tensor({2, 0, 1, -1}).narrow(0, 0, 3);
  sampler.load_state_dict(state);
  EXPECT_EQ(all(sampler), (Indices{2, 0, 1}));
}

// ---- Streams of random numbers.

TEST(RandomScope, LeavesTheDefaultStreamWhereItIs) {
  manual_seed(3);
  const Tensor expected = rand({3});
  manual_seed(3);
  Tensor inner, innermost;
  {
    RandomScope scope(9);
    inner = rand({3});
    {
      RandomScope nested(9);
      innermost = rand({3});
    }
    EXPECT_FALSE(rand({3}).equal(inner));
  }
  EXPECT_TRUE(inner.equal(innermost));
  EXPECT_TRUE(inner.equal(rand({3}, Generator(9))));
  EXPECT_TRUE(rand({3}).equal(expected));
}
