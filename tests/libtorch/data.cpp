// Datasets, samplers and loaders in full: chunks, streams, requests of one's own, workers, order, exceptions.
#include <torch/torch.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace data = torch::data;
using data::samplers::DistributedRandomSampler;
using data::samplers::DistributedSequentialSampler;
using data::samplers::RandomSampler;
using data::samplers::SequentialSampler;
using data::samplers::StreamSampler;

template <class F>
void says(const char* what, F&& f) {
  try {
    f();
    std::cout << what << ": nothing\n";
  } catch (const data::WorkerException& e) {
    const std::string text = e.what();
    std::cout << what << ": WorkerException " << text.substr(0, 68) << '\n';
    try {
      std::rethrow_exception(e.original_exception);
    } catch (const std::invalid_argument&) {
      std::cout << "  was an invalid_argument\n";
    }
  } catch (const std::exception& e) {
    std::string text = e.what();
    if (text.starts_with("badness")) text = "badness";  // where it was may follow
    std::cout << what << ": " << text.substr(0, std::min<size_t>(66, text.find_first_of("\n("))) << '\n';
  }
}

template <class T>
void show(const std::optional<std::vector<T>>& list) {
  if (!list) std::cout << "none";
  else
    for (const auto& x : *list) std::cout << x << ' ';
  std::cout << '\n';
}

/// The numbers below `size`; batches are vectors of ints.
struct Numbers : data::datasets::Dataset<Numbers, int> {
  explicit Numbers(size_t size) : size_(size) {}
  int get(size_t index) override { return 1 + static_cast<int>(index); }
  std::optional<size_t> size() const override { return size_; }
  size_t size_;
};

struct Infinite : data::datasets::StreamDataset<Infinite, std::vector<int>> {
  std::vector<int> get_batch(size_t batch_size) override {
    std::vector<int> batch(batch_size);
    for (auto& i : batch) i = counter++;
    return batch;
  }
  std::optional<size_t> size() const override { return std::nullopt; }
  int counter = 0;
};

/// A request that is no list of indices.
struct Range {
  size_t begin, end;
  size_t size() const { return end - begin; }
};
struct RangeSampler : data::samplers::Sampler<Range> {
  explicit RangeSampler(size_t size) : size_(size) {}
  void reset(std::optional<size_t> new_size = std::nullopt) override {
    if (new_size) size_ = *new_size;
    at_ = 0;
  }
  std::optional<Range> next(size_t batch_size) override {
    if (at_ >= size_) return std::nullopt;
    const Range range{at_, std::min(size_, at_ + batch_size)};
    at_ = range.end;
    return range;
  }
  void save(torch::serialize::OutputArchive& archive) const override {
    archive.write("at", torch::tensor(static_cast<int64_t>(at_)), /*is_buffer=*/true);
  }
  void load(torch::serialize::InputArchive& archive) override {
    torch::Tensor at;
    archive.read("at", at, /*is_buffer=*/true);
    at_ = static_cast<size_t>(at.item<int64_t>());
  }
  size_t size_, at_ = 0;
};
struct Ranged : data::datasets::BatchDataset<Ranged, std::vector<int>, Range> {
  std::vector<int> get_batch(Range range) override {
    std::vector<int> batch(range.size());
    std::iota(batch.begin(), batch.end(), static_cast<int>(range.begin));
    return batch;
  }
  std::optional<size_t> size() const override { return 7; }
};

struct Countdown : data::datasets::StatefulDataset<Countdown, int, size_t> {
  std::optional<int> get_batch(size_t) override {
    if (left == 0) return std::nullopt;
    return left--;
  }
  std::optional<size_t> size() const override { return 3; }
  void reset() override { left = 3; }
  void save(torch::serialize::OutputArchive& archive) const override { archive.write("left", torch::tensor(left)); }
  void load(torch::serialize::InputArchive& archive) override {
    torch::Tensor t;
    archive.read("left", t);
    left = t.item<int>();
  }
  int left = 0;
};

struct Throws : data::datasets::Dataset<Throws, int> {
  int get(size_t) override { throw std::invalid_argument("badness"); }
  std::optional<size_t> size() const override { return 100; }
};

struct Unsized : data::datasets::Dataset<Unsized, int> {
  int get(size_t) override { return 0; }
  std::optional<size_t> size() const override { return std::nullopt; }
};

struct Counted : data::datasets::BatchDataset<Counted, int> {
  Counted() { ++made; }
  Counted(const Counted&) { ++made; }
  Counted(Counted&&) noexcept {}
  int get_batch(torch::ArrayRef<size_t> indices) override { return static_cast<int>(indices.size()); }
  std::optional<size_t> size() const override { return 5; }
  static std::atomic<int> made;
};
std::atomic<int> Counted::made{0};

struct Reader : data::datasets::ChunkDataReader<int> {
  using BatchType = std::vector<int>;
  BatchType read_chunk(size_t chunk) override {
    BatchType list(chunk + 2);
    std::iota(list.begin(), list.end(), static_cast<int>(10 * chunk));
    return list;
  }
  size_t chunk_count() override { return 4; }
  void reset() override {}
};
struct BadReader : Reader {
  BatchType read_chunk(size_t) override { throw std::invalid_argument("no chunk"); }
};
using Chunks = data::datasets::ChunkDataset<Reader, SequentialSampler, SequentialSampler>;

int main() {
  // samplers
  SequentialSampler sequential(10);
  show(sequential.next(3));
  show(sequential.next(8));
  show(sequential.next(1));
  sequential.reset(4);
  std::cout << sequential.index() << ' ';
  show(sequential.next(9));
  RandomSampler random(10);
  auto drawn = random.next(10).value();
  std::sort(drawn.begin(), drawn.end());
  show(std::make_optional(drawn));
  std::cout << random.next(1).has_value() << ' ';
  random.reset();
  random.next(3);
  std::cout << random.index() << '\n';
  StreamSampler stream(7);
  while (const auto n = stream.next(3)) std::cout << n->size() << ' ' << *n + size_t{1} << ' ';
  std::cout << '\n';

  // samplers that save and load
  {
    SequentialSampler a(10), b(10);
    a.next(3);
    std::stringstream file;
    torch::save(a, file);
    torch::load(b, file);
    std::cout << b.index() << ' ';
    show(b.next(2));
  }
  {
    RandomSampler a(10), b(10);
    a.next(3);
    std::stringstream file;
    torch::save(a, file);
    torch::load(b, file);
    std::cout << b.index() << ' ' << (a.next(4).value() == b.next(4).value()) << '\n';
  }
  {
    StreamSampler a(10), b(10);
    a.next(7);
    torch::save(a, "sampler.pt");
    torch::load(b, "sampler.pt");
    std::cout << b.next(5).value().size() << '\n';
  }
  {
    RangeSampler a(10), b(10);
    a.next(4);
    torch::serialize::OutputArchive out;
    out << a;
    out.save_to("sampler.pt");
    torch::serialize::InputArchive in;
    in.load_from("sampler.pt");
    in >> b;
    std::cout << b.at_ << '\n';
  }

  // parts for each of several processes
  for (size_t rank = 0; rank < 3; ++rank) {
    DistributedSequentialSampler part(10, 3, rank);
    show(part.next(10));
    DistributedSequentialSampler whole(10, 3, rank, /*allow_duplicates=*/false);
    show(whole.next(2));
    show(whole.next(5));
    show(whole.next(5));
  }
  DistributedRandomSampler mine(10, 2, 1);
  show(mine.next(10));
  mine.set_epoch(3);
  mine.reset();
  std::cout << mine.epoch() << ' ' << mine.index() << ": ";
  show(mine.next(3));
  mine.reset(6);
  show(mine.next(10));
  {
    DistributedRandomSampler a(10), b(10);
    a.set_epoch(2);
    a.reset();
    a.next(3);
    torch::save(a, "sampler.pt");
    torch::load(b, "sampler.pt");
    std::cout << b.epoch() << ' ' << b.index() << '\n';
    DistributedSequentialSampler c(10, 2, 1), d(10, 2, 1);
    c.next(2);
    torch::save(c, "sampler.pt");
    torch::load(d, "sampler.pt");
    show(d.next(2));
  }

  // loaders
  const auto print = [](auto& loader) {
    for (auto& batch : loader) {
      for (int x : batch) std::cout << x << ' ';
      std::cout << "| ";
    }
    std::cout << '\n';
  };
  auto loader = data::make_data_loader(Numbers(7), SequentialSampler(7), data::DataLoaderOptions().batch_size(3));
  print(*loader);
  print(*loader);
  auto dropping = data::make_data_loader<SequentialSampler>(
      Numbers(7), data::DataLoaderOptions().batch_size(3).drop_last(true).workers(2));
  print(*dropping);
  auto streaming = data::make_data_loader(Infinite().map(data::transforms::Lambda<int>([](int x) { return x + 1; })),
                                          StreamSampler(7), data::DataLoaderOptions().batch_size(3));
  print(*streaming);
  print(*streaming);
  auto ranged = data::make_data_loader(Ranged(), RangeSampler(7), data::DataLoaderOptions().batch_size(3).workers(1));
  print(*ranged);
  auto stateful = data::make_data_loader(Countdown(), data::DataLoaderOptions().workers(0));
  for (int round = 0; round < 2; ++round)
    for (int x : *stateful) std::cout << x << ' ';
  std::cout << '\n';
  {
    Countdown a, b;
    a.reset();
    a.get_batch(1);
    torch::save(a, "sampler.pt");
    torch::load(b, "sampler.pt");
    std::cout << b.left << '\n';
  }
  auto shared = data::datasets::make_shared_dataset<Numbers>(4);
  auto two = data::make_data_loader<SequentialSampler>(shared, data::DataLoaderOptions().batch_size(2).workers(3));
  print(*two);
  std::cout << shared->size().value() << (*shared).get(0) << '\n';
  auto mapped = data::datasets::map(
      Numbers(3), data::transforms::BatchLambda<std::vector<int>, std::vector<int>>([](std::vector<int> batch) {
        std::reverse(batch.begin(), batch.end());
        return batch;
      }));
  auto reversed = data::make_data_loader<SequentialSampler>(std::move(mapped), 2);
  print(*reversed);
  {
    auto counted = data::make_data_loader<SequentialSampler>(Counted(), data::DataLoaderOptions().workers(3));
    std::cout << (Counted::made >= 3) << counted->options().workers << counted->options().max_jobs
              << counted->options().batch_size << counted->options().enforce_ordering << counted->options().drop_last
              << counted->options().timeout.has_value() << '\n';
  }
  data::DataLoaderOptions options;
  std::cout << options.batch_size() << options.workers() << options.max_jobs().has_value()
            << options.timeout().has_value() << options.enforce_ordering() << options.drop_last() << '\n';
  data::FullDataLoaderOptions full(options.workers(5).max_jobs(7));
  std::cout << full.workers << full.max_jobs << '\n';

  // iterators
  auto it = loader->begin();
  auto end = loader->end();
  int batches = 0;
  for (; it != end; ++it) batches += static_cast<int>(it->size());
  std::cout << batches << (it == end) << (it == loader->end()) << (loader->end() == loader->end()) << '\n';
  says("past the end", [&] { *it; });
  says("past the end", [&] { ++it; });
  says("the end itself", [&] { *loader->end(); });
  says("the end itself", [&] { ++loader->end(); });
  {
    auto busy = data::make_data_loader(Numbers(100), SequentialSampler(100), data::DataLoaderOptions().workers(2));
    auto first = busy->begin();
    says("a second one", [&] { busy->begin(); });
  }
  says("badness", [] {
    auto bad = data::make_data_loader(Throws(), RandomSampler(100), data::DataLoaderOptions().workers(2));
    (void)bad->begin()->size();
  });
  says("badness here", [] {
    auto bad = data::make_data_loader(Throws(), RandomSampler(100), data::DataLoaderOptions().workers(0));
    (void)bad->begin()->size();
  });
  says("no size", [] { data::make_data_loader<SequentialSampler>(Unsized()); });

  // chunks
  auto chunks = data::datasets::make_shared_dataset<Chunks>(Reader(), SequentialSampler(0), SequentialSampler(0),
                                                            data::datasets::ChunkDatasetOptions(1, 3));
  auto chunked = data::make_data_loader(chunks, data::DataLoaderOptions(3).workers(0));
  print(*chunked);
  print(*chunked);
  auto crossed = data::datasets::make_shared_dataset<Chunks>(
      Reader(), SequentialSampler(0), SequentialSampler(0),
      data::datasets::ChunkDatasetOptions(1, 4, /*cache_size=*/16, /*cross_chunk_shuffle_count=*/2),
      [](std::vector<int>& chunk) { std::reverse(chunk.begin(), chunk.end()); });
  auto many = data::make_data_loader(crossed, data::DataLoaderOptions(4).workers(0));
  print(*many);
  {
    data::datasets::ChunkDataset<Reader> random_chunks(Reader(), RandomSampler(0), RandomSampler(0),
                                                       data::datasets::ChunkDatasetOptions(3, 5, 5));
    std::vector<int> all;
    for (int epoch = 0; epoch < 2; ++epoch) {
      random_chunks.reset();
      while (auto batch = random_chunks.get_batch()) all.insert(all.end(), batch->begin(), batch->end());
    }
    std::sort(all.begin(), all.end());
    for (int x : all) std::cout << x << ' ';
    std::cout << random_chunks.size().has_value() << '\n';
    random_chunks.reset();
    says("size", [&] { random_chunks.get_batch(4); });
  }
  {
    Chunks fresh(Reader(), SequentialSampler(0), SequentialSampler(0), data::datasets::ChunkDatasetOptions(1, 2));
    says("reset first", [&] { fresh.get_batch(); });
    std::cout << fresh.chunk_sampler().index() << '\n';
    fresh.reset();
    while (fresh.get_batch()) continue;
    torch::save(fresh, "sampler.pt");
    Chunks again(Reader(), SequentialSampler(4), SequentialSampler(0), data::datasets::ChunkDatasetOptions(1, 2));
    torch::load(again, "sampler.pt");
    std::cout << again.chunk_sampler().index() << '\n';
  }
  {
    data::datasets::ChunkDataset<BadReader, SequentialSampler, SequentialSampler> bad(
        BadReader(), SequentialSampler(0), SequentialSampler(0), data::datasets::ChunkDatasetOptions(1, 2));
    bad.reset();
    says("bad chunk", [&] { bad.get_batch(); });
  }
  using data::datasets::ChunkDatasetOptions;
  says("preloaders", [] { ChunkDatasetOptions(0, 1); });
  says("batch size", [] { ChunkDatasetOptions(1, 0); });
  says("cache", [] { ChunkDatasetOptions(1, 1, 0); });
  says("cache", [] { ChunkDatasetOptions(1, 10, 5); });
  says("shuffle", [] { ChunkDatasetOptions(1, 1, 1, 0); });
  std::remove("sampler.pt");
}
