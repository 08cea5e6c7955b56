// Epochs of a loader: drawing seeds, asking for batches ahead, handing them out, saving the place.
#include "taut/data/loader_base.h"

#include <typeinfo>
#include <utility>

#include "data/job_queue.h"
#include "taut/core/style.h"
#include "taut/data/orders.h"
#include "taut/factories.h"
#include "taut/random_scope.h"

namespace taut::data {

namespace {

constexpr size_t kMaxWorkers = 1024;

/// One seed per batch, whoever makes it (splitmix64).
uint64_t batch_seed(uint64_t base, uint64_t batch) {
  uint64_t z = base + (batch + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A number the user gave as size_t that was negative before.
bool negative(size_t n) { return n > SIZE_MAX / 2; }

std::string describe(const FailedBatch& failed) {
  std::string text = str(" (in batch ", failed.batch);
  if (failed.indices.empty()) return text + ")";
  constexpr size_t kShown = 8;
  text += failed.indices.size() == 1 ? ", index " : ", indices ";
  for (size_t i = 0; i < failed.indices.size() && i < kShown; ++i) text += str(i ? ", " : "", failed.indices[i]);
  if (failed.indices.size() > kShown) text += str(", ... (", failed.indices.size(), " in all)");
  return text + ")";
}

/// The exception that is being handled, with `context` added if it is exactly an E.
template <class E>
void rethrow_as(const std::exception& e, const std::string& context) {
  if (typeid(e) == typeid(E)) throw E(e.what() + context);
}

/// Throws on what is being handled. Types that are known get a longer text; all others stay the object they are.
[[noreturn]] void rethrow_with(const std::string& context) {
  try {
    throw;
  } catch (const std::exception& e) {
    rethrow_as<Error>(e, context);
    rethrow_as<IndexError>(e, context);
    rethrow_as<ValueError>(e, context);
    rethrow_as<TypeError>(e, context);
    rethrow_as<NotImplementedError>(e, context);
    rethrow_as<OutOfMemory>(e, context);
    rethrow_as<std::runtime_error>(e, context);
    rethrow_as<std::out_of_range>(e, context);
    rethrow_as<std::invalid_argument>(e, context);
    rethrow_as<std::logic_error>(e, context);
    throw;
  }
}

Tensor number(int64_t n) { return scalar_tensor(n, kLong); }

int64_t number_in(const State& state, const char* name) {
  const Tensor* t = state.find(name);
  check<ValueError>(t, "DataLoader: the state has no '", name, "': it is not a loader's state_dict()");
  check<ValueError>(t->defined() && t->numel() == 1 && t->scalar_type() == kLong, "DataLoader: '", name,
                    "' in the state is not one int64");
  return t->item<int64_t>();
}

const std::string kSampler = "sampler.";

}  // namespace

FullDataLoaderOptions::FullDataLoaderOptions(const DataLoaderOptions& o)
    : batch_size(o.batch_size()),
      workers(o.workers()),
      max_jobs(o.max_jobs().value_or(2 * o.workers())),
      timeout(o.timeout()),
      enforce_ordering(o.enforce_ordering()),
      drop_last(o.drop_last()),
      generator(o.generator()) {
  check<ValueError>(batch_size > 0 && !negative(batch_size),
                    "DataLoader: batch_size should be a positive integer value, but got batch_size=",
                    static_cast<int64_t>(batch_size));
  check<ValueError>(!negative(workers), "DataLoader: workers cannot be negative, got ", static_cast<int64_t>(workers),
                    "; use workers(0) to load in the calling thread");
  check<ValueError>(workers <= kMaxWorkers, "DataLoader: at most ", kMaxWorkers, " workers, got ", workers);
  check<ValueError>(workers == 0 || (max_jobs > 0 && !negative(max_jobs)),
                    "DataLoader: max_jobs must be positive when there are workers, got ",
                    static_cast<int64_t>(max_jobs));
  check<ValueError>(!timeout || timeout->count() > 0, "DataLoader: timeout must be positive, got ",
                    timeout ? timeout->count() : 0, " ms; leave it out to wait for ever");
}

struct LoaderBase::Task {
  Job job;
  FailedBatch info;
  uint64_t seed = 0;
};

/// A job's exception and the batch it belongs to, on its way to the caller.
namespace {
struct Failure {
  FailedBatch batch;
  std::exception_ptr exception;
};
}  // namespace

void Datasets::add(std::shared_ptr<void> dataset) { all_.push_back(std::move(dataset)); }

struct IteratorBase::State {
  LoaderBase* loader = nullptr;
  uint64_t iteration = 0;
  std::shared_ptr<void> batch;
  bool fetched = false;
};

IteratorBase::IteratorBase(LoaderBase& loader) : state_(std::make_shared<State>()) {
  state_->loader = &loader;
  state_->iteration = loader.start(state_);
}

void IteratorBase::advance() {
  check(state_ != nullptr, "Incrementing the DataLoader's past-the-end iterator is not allowed");
  check(!at_end(), "Attempted to increment iterator past the end");
  state_->batch.reset();
  state_->fetched = false;
}

bool IteratorBase::at_end() const {
  if (!state_) return true;
  if (!state_->fetched) {
    state_->batch = state_->loader->fetch(state_->iteration);
    state_->fetched = true;
  }
  return !state_->batch;
}

void* IteratorBase::get() const {
  check(state_ != nullptr, "Dereferencing the DataLoader's past-the-end iterator is not allowed");
  check(!at_end(), "Attempted to dereference iterator that was past the end");
  return state_->batch.get();
}

LoaderBase::LoaderBase(const DataLoaderOptions& options) : datasets_(std::make_shared<Datasets>()), options_(options) {
  if (options_.workers > 0)
    queue_ = std::make_unique<JobQueue>(options_.workers, options_.enforce_ordering, options_.timeout);
}

LoaderBase::~LoaderBase() = default;

void LoaderBase::join() {
  finish();
  if (queue_) queue_->join();
}

void LoaderBase::finish() {
  if (!running_) return;
  running_ = false;
  ++epoch_;
  requested_ = delivered_ = 0;
  epoch_state_.reset();
  if (queue_) queue_->drain();
}

uint64_t LoaderBase::start(const std::shared_ptr<void>& iterator) {
  check(!queue_ || !running_ || iterator_.expired(),
        "Attempted to get a new DataLoader iterator while another iterator is not yet exhausted");
  if (!std::exchange(resumed_, false)) {
    finish();
    // PyTorch's DataLoader draws a seed here, whether it has workers or not; the sampler draws its own after it.
    // libtorch's does not, and what its datasets draw comes from the stream that all share.
    if (!as_libtorch()) base_seed_ = orders::draw_seed(options_.generator);
    reset_source();
    running_ = true;
    source_done_ = false;
  }
  ++iteration_;
  iterator_ = iterator;
  if (queue_)
    while (queue_->in_flight() < options_.max_jobs && request()) continue;
  return iteration_;
}

LoaderBase::Result LoaderBase::run(Task& task, size_t worker, bool in_worker) {
  try {
    if (as_libtorch()) return task.job(worker);
    RandomScope scope(task.seed);
    return task.job(worker);
  } catch (...) {
    try {
      if (in_worker) throw_worker_exception(std::current_exception(), describe(task.info));
      rethrow_with(describe(task.info));
    } catch (...) {
      throw Failure{std::move(task.info), std::current_exception()};
    }
  }
}

/// Makes a job of the next batch; false at the end of the epoch.
bool LoaderBase::request() {
  if (source_done_) return false;
  auto task = std::make_shared<Task>();
  bool of_worker = true;
  try {
    if (!epoch_state_) epoch_state_ = source_state();
    std::optional<Request> next = next_request();
    if (!next) return source_done_ = true, false;
    task->job = std::move(next->job);
    task->info = {requested_, std::move(next->indices)};
  } catch (...) {
    // The sampler failed: that is told when this batch is due, and ends the epoch.
    source_done_ = true;
    of_worker = false;
    task->job = [e = std::current_exception()](size_t) -> Result { std::rethrow_exception(e); };
    task->info = {requested_, {}};
  }
  task->seed = batch_seed(base_seed_, requested_);
  ++requested_;
  queue_->push([this, task, of_worker](size_t worker) { return run(*task, worker, of_worker); });
  return true;
}

/// From the workers: the next batch that is there; null when nothing is under way any more.
LoaderBase::Result LoaderBase::take() {
  while (queue_->in_flight() > 0) {
    Result batch;
    try {
      batch = queue_->pop();
    } catch (Failure&) {
      ++delivered_;
      request();
      throw;
    }
    if (batch) {
      ++delivered_;
      request();
      return batch;
    }
    source_done_ = true;  // a stateful dataset has no more; batches asked for earlier may still come
  }
  return nullptr;
}

/// Without workers: the next batch, made here.
LoaderBase::Result LoaderBase::make() {
  if (!epoch_state_) epoch_state_ = source_state();
  std::optional<Request> next = next_request();
  if (!next) return nullptr;
  Task task{std::move(next->job), {requested_, std::move(next->indices)}, batch_seed(base_seed_, requested_)};
  ++requested_;
  ++delivered_;
  return run(task, 0, /*in_worker=*/false);
}

LoaderBase::Result LoaderBase::fetch(uint64_t iteration) {
  check(iteration == iteration_ && running_,
        "DataLoader: this iterator has ended: another one was begun, or the loader was joined or given a saved state");
  try {
    Result batch = queue_ ? take() : make();
    if (!batch) finish();
    return batch;
  } catch (const Failure& failure) {
    failed_ = failure.batch;
    std::rethrow_exception(failure.exception);
  }
}

State LoaderBase::state_dict() const {
  State state;
  state.insert("epoch", number(static_cast<int64_t>(epoch_)));
  state.insert("batch", number(static_cast<int64_t>(delivered_)));
  state.insert("batch_size", number(static_cast<int64_t>(options_.batch_size)));
  if (!running_ || !epoch_state_) return state;  // between epochs, or before anything was drawn for this one
  check<ValueError>(options_.enforce_ordering || options_.workers == 0 || delivered_ == 0,
                    "DataLoader: without enforce_ordering an epoch that is under way cannot be saved: which batches "
                    "came is not known from their number");
  state.insert("base_seed", number(static_cast<int64_t>(base_seed_)));
  for (const auto& item : *epoch_state_) state.insert(kSampler + item.key(), item.value());
  return state;
}

void LoaderBase::load_state_dict(const State& state) {
  const int64_t epoch = number_in(state, "epoch"), batch = number_in(state, "batch");
  const int64_t batch_size = number_in(state, "batch_size");
  check<ValueError>(epoch >= 0 && batch >= 0, "DataLoader: the state says epoch ", epoch, " and batch ", batch,
                    ": neither can be negative");
  check<ValueError>(batch_size == static_cast<int64_t>(options_.batch_size),
                    "DataLoader: the state was saved with batch_size=", batch_size,
                    ", this loader has batch_size=", options_.batch_size);
  std::optional<int64_t> seed;  // of an epoch that is under way
  if (state.contains("base_seed")) seed = number_in(state, "base_seed");
  check<ValueError>(seed || batch == 0, "DataLoader: the state has no 'base_seed', but ", batch,
                    " batches were delivered");
  if (const auto batches = size())
    check<ValueError>(batch <= static_cast<int64_t>(*batches), "DataLoader: the state was saved after ", batch,
                      " batches, but an epoch has only ", *batches);
  State source;
  for (const auto& item : state)
    if (item.key().compare(0, kSampler.size(), kSampler) == 0)
      source.insert(item.key().substr(kSampler.size()), item.value());

  if (seed) load_source_state(source);  // throws before anything changes
  finish();
  ++iteration_;
  epoch_ = static_cast<size_t>(epoch);
  resumed_ = running_ = seed.has_value();
  if (!seed) return;
  base_seed_ = static_cast<uint64_t>(*seed);
  epoch_state_ = std::move(source);
  requested_ = delivered_ = 0;
  source_done_ = false;
  for (int64_t i = 0; i < batch; ++i) {
    if (!next_request()) {
      resumed_ = running_ = false;
      epoch_state_.reset();
      throw ValueError(str("DataLoader: the state was saved after ", batch, " batches, but this sampler has only ", i));
    }
  }
  requested_ = delivered_ = static_cast<size_t>(batch);
}

}  // namespace taut::data
