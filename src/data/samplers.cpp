// The samplers. Their draws are PyTorch's, call by call.
#include "taut/data/samplers.h"

#include <algorithm>
#include <cmath>

#include "taut/core/style.h"
#include "taut/data/orders.h"
#include "taut/factories.h"
#include "taut/ops.h"
#include "taut/serialize/archive.h"

namespace taut::data {

void save_state(const State& state, serialize::OutputArchive& archive) {
  for (const auto& item : state) archive.write(item.key(), item.value(), /*is_buffer=*/true);
}
State load_state(serialize::InputArchive& archive) { return archive.tensors(); }

}  // namespace taut::data

namespace taut::data::samplers {

namespace {

int64_t index_in(const State& state, size_t limit, const char* who) {
  const Tensor* found = state.find("index");
  check<ValueError>(found && found->defined() && found->numel() == 1 && found->scalar_type() == kLong, who,
                    ": the state has no 'index' of one int64");
  const int64_t index = found->item<int64_t>();
  check<ValueError>(index >= 0 && index <= static_cast<int64_t>(limit), who, ": the state is at index ", index,
                    ", but there are ", limit, " samples");
  return index;
}

}  // namespace

// ---- In order.

void SequentialSampler::reset(std::optional<size_t> new_size) {
  if (new_size) size_ = *new_size;
  index_ = 0;
}

std::optional<std::vector<size_t>> SequentialSampler::next(size_t batch_size) {
  const size_t n = std::min(batch_size, size_ - index_);
  if (n == 0) return std::nullopt;
  std::vector<size_t> batch(n);
  for (size_t& i : batch) i = index_++;
  return batch;
}

State SequentialSampler::state_dict() {
  return {{"index", scalar_tensor(static_cast<int64_t>(index_), kLong)},
          {"size", scalar_tensor(static_cast<int64_t>(size_), kLong)}};
}

void SequentialSampler::load_state_dict(const State& state) {
  const Tensor* size = state.find("size");
  check<ValueError>(size && size->defined() && size->numel() == 1, "SequentialSampler: the state has no 'size'");
  check<ValueError>(size->item<int64_t>() == static_cast<int64_t>(size_), "SequentialSampler: the state is of ",
                    size->item<int64_t>(), " samples, this sampler has ", size_);
  index_ = static_cast<size_t>(index_in(state, size_, "SequentialSampler"));
}

void StreamSampler::reset(std::optional<size_t> new_size) {
  if (new_size) epoch_size_ = *new_size;
  given_ = 0;
}

std::optional<BatchSize> StreamSampler::next(size_t batch_size) {
  const size_t n = std::min(batch_size, epoch_size_ - given_);
  if (n == 0) return std::nullopt;
  given_ += n;
  return BatchSize(n);
}

State StreamSampler::state_dict() { return {{"index", scalar_tensor(static_cast<int64_t>(given_), kLong)}}; }

void StreamSampler::load_state_dict(const State& state) {
  given_ = static_cast<size_t>(index_in(state, epoch_size_, "StreamSampler"));
}

// ---- In an order that is drawn.

void DrawnSampler::reset(std::optional<size_t> new_size) {
  if (new_size) resize(*new_size);
  order_.reset();
  index_ = 0;
}

void DrawnSampler::prepare() {
  if (!order_.defined()) order_ = draw();
}

std::optional<std::vector<size_t>> DrawnSampler::next(size_t batch_size) {
  prepare();
  const size_t n = std::min(batch_size, static_cast<size_t>(order_.numel()) - index_);
  if (n == 0) return std::nullopt;
  const int64_t* from = order_.data_ptr<int64_t>() + index_;
  index_ += n;
  return std::vector<size_t>(from, from + n);
}

State DrawnSampler::state_dict() {
  prepare();
  return {{"index", scalar_tensor(static_cast<int64_t>(index_), kLong)}, {"order", order_}};
}

void DrawnSampler::load_state_dict(const State& state) {
  const Tensor* found = state.find("order");
  check<ValueError>(found && found->defined() && found->scalar_type() == kLong && found->dim() == 1,
                    "sampler: the state has no 'order' (a list of int64)");
  const Tensor order = found->contiguous();
  const auto n = static_cast<size_t>(order.numel());
  check<ValueError>(n == size(), "sampler: the state is of ", n, " samples, this sampler has ", size().value_or(0));
  const int64_t* p = order.data_ptr<int64_t>();
  for (size_t i = 0; i < n; ++i)
    check<ValueError>(p[i] >= 0 && p[i] < static_cast<int64_t>(range()), "sampler: the order in the state has index ",
                      p[i], ", but there are only ", range());
  index_ = static_cast<size_t>(index_in(state, n, "sampler"));
  order_ = order;
}

RandomSampler::RandomSampler(int64_t size, RandomSamplerOptions options)
    : DrawnSampler(std::nullopt), size_(static_cast<size_t>(size)), options_(std::move(options)) {
  check<ValueError>(size >= 0, "RandomSampler: the size of the dataset cannot be negative, got ", size);
  if (const auto n = options_.num_samples())
    check<ValueError>(*n > 0,
                      "RandomSampler: num_samples should be a positive integer value, but got num_samples=", *n);
  check<ValueError>(size > 0 || !options_.num_samples(), "RandomSampler: cannot draw ",
                    options_.num_samples().value_or(0), " samples from an empty dataset");
  if (as_libtorch()) prepare();
}

void RandomSampler::reset(std::optional<size_t> new_size) {
  DrawnSampler::reset(new_size);
  if (as_libtorch()) prepare();
}

std::optional<size_t> RandomSampler::size() const {
  return options_.num_samples() ? static_cast<size_t>(*options_.num_samples()) : size_;
}

Tensor RandomSampler::draw() {
  if (as_libtorch() && !options_.replacement() && !options_.num_samples())
    return randperm(static_cast<int64_t>(size_), options_.generator());
  orders::RandomOrder order(static_cast<int64_t>(size_), static_cast<int64_t>(*size()), options_.replacement(),
                            options_.generator());
  std::vector<Tensor> parts = {empty({0}, kLong)};
  for (Tensor part = order.next(); part.defined(); part = order.next()) parts.push_back(part);
  return cat(parts).contiguous();
}

DistributedSampler::DistributedSampler(int64_t size, int64_t num_replicas, int64_t rank, bool shuffle, uint64_t seed,
                                       bool drop_last)
    : DrawnSampler(std::nullopt),
      length_(size),
      num_replicas_(num_replicas),
      rank_(rank),
      seed_(seed),
      shuffle_(shuffle),
      drop_last_(drop_last) {
  check<ValueError>(size >= 0, "DistributedSampler: the size of the dataset cannot be negative, got ", size);
  check<ValueError>(num_replicas > 0 && rank >= 0 && rank < num_replicas, "DistributedSampler: Invalid rank ", rank,
                    ", rank should be in the interval [0, ", num_replicas - 1, "]");
}

std::optional<size_t> DistributedSampler::size() const {
  return static_cast<size_t>(orders::replica_size(length_, num_replicas_, drop_last_));
}

Tensor DistributedSampler::draw() {
  return orders::of_replica(length_, num_replicas_, rank_, shuffle_ ? std::optional(seed_ + epoch_) : std::nullopt,
                            drop_last_);
}

SubsetRandomSampler::SubsetRandomSampler(std::vector<size_t> indices, std::optional<Generator> generator)
    : DrawnSampler(std::move(generator)), indices_(std::move(indices)) {
  for (size_t i : indices_) {
    check<ValueError>(i < SIZE_MAX / 2, "SubsetRandomSampler: index ", static_cast<int64_t>(i), " is negative");
    range_ = std::max(range_, i + 1);
  }
}

Tensor SubsetRandomSampler::draw() {
  Tensor order = randperm(static_cast<int64_t>(indices_.size()), generator_).contiguous();
  int64_t* p = order.data_ptr<int64_t>();
  for (size_t i = 0; i < indices_.size(); ++i) p[i] = static_cast<int64_t>(indices_[static_cast<size_t>(p[i])]);
  return order;
}

void SubsetRandomSampler::resize(size_t new_size) {
  check<ValueError>(range_ <= new_size, "SubsetRandomSampler: it has the index ", range_ - 1,
                    ", too large for a dataset of ", new_size);
}

WeightedRandomSampler::WeightedRandomSampler(std::vector<double> weights, int64_t num_samples, bool replacement,
                                             std::optional<Generator> generator)
    : DrawnSampler(std::move(generator)), num_samples_(num_samples), replacement_(replacement) {
  check<ValueError>(
      num_samples > 0,
      "WeightedRandomSampler: num_samples should be a positive integer value, but got num_samples=", num_samples);
  int64_t positive = 0;
  for (double w : weights) {
    check<ValueError>(std::isfinite(w) && w >= 0,
                      "WeightedRandomSampler: weights must be finite and not negative, got ", w);
    positive += w > 0;
  }
  check<ValueError>(positive > 0, "WeightedRandomSampler: no weight is positive (", weights.size(), " given)");
  check<ValueError>(replacement || num_samples <= positive, "WeightedRandomSampler: cannot draw ", num_samples,
                    " samples without replacement from ", positive, " indices with a positive weight");
  weights_ = from_vector(std::move(weights));
}

Tensor WeightedRandomSampler::draw() {
  return multinomial(weights_, num_samples_, replacement_, generator_).contiguous();
}

void WeightedRandomSampler::resize(size_t new_size) {
  check<ValueError>(new_size == range(), "WeightedRandomSampler: it has ", range(), " weights, but the dataset ",
                    new_size, " examples");
}

}  // namespace taut::data::samplers
