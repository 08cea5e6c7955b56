// Several processes that train together: stores in which they find each other, groups that send and reduce tensors, and
// modules whose gradients are averaged. Names are those of torch.distributed and c10d; docs/distributed.md shows them
// at work.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "taut/nn.h"
#include "taut/tensor.h"

namespace taut::distributed {

using Milliseconds = std::chrono::milliseconds;
constexpr Milliseconds kDefaultTimeout{30 * 60 * 1000};      // of a collective
constexpr Milliseconds kDefaultStoreTimeout{5 * 60 * 1000};  // of a store

/// What goes wrong between processes; the subclasses say where.
class DistError : public Error {
 public:
  using Error::Error;
};
class DistBackendError : public DistError {
 public:
  using DistError::DistError;
};
class DistNetworkError : public DistError {
 public:
  using DistError::DistError;
};
class DistStoreError : public DistError {
 public:
  using DistError::DistError;
};

/// Keys and values that all processes see.
class Store {
 public:
  explicit Store(Milliseconds timeout = kDefaultStoreTimeout) : timeout_(timeout) {}
  virtual ~Store() = default;
  virtual void set(const std::string& key, const std::string& value) = 0;
  /// Waits until the key is there.
  virtual std::string get(const std::string& key) = 0;
  /// Adds to a number (0 if there is none) and returns the sum.
  virtual int64_t add(const std::string& key, int64_t amount) = 0;
  /// The value becomes `desired` if it is `expected`, or if there is none and `expected` is empty; returns what is
  /// there then.
  virtual std::string compare_set(const std::string& key, const std::string& expected, const std::string& desired) = 0;
  virtual void append(const std::string& key, const std::string& value) = 0;
  virtual bool delete_key(const std::string& key) = 0;
  virtual bool check(const std::vector<std::string>& keys) = 0;
  virtual int64_t num_keys() = 0;
  /// Waits until all keys are there; throws DistStoreError after `timeout`.
  virtual void wait(const std::vector<std::string>& keys, Milliseconds timeout) = 0;
  void wait(const std::vector<std::string>& keys) { wait(keys, timeout_); }
  /// The same store by a way of its own, for another thread that must not wait for this one.
  virtual std::shared_ptr<Store> clone() = 0;
  /// The address of this host in the network in which the store was found; empty where there is none.
  virtual std::string local_address() const { return {}; }
  /// Does the store end with this process?
  virtual bool is_held_here() const { return false; }
  virtual std::string description() const = 0;
  Milliseconds timeout() const { return timeout_; }
  virtual void set_timeout(Milliseconds timeout) { timeout_ = timeout; }

 protected:
  Milliseconds timeout_;
};

/// In this process alone, for its threads.
class HashStore final : public Store {
 public:
  HashStore();
  explicit HashStore(std::shared_ptr<class SharedTable> table) : table_(std::move(table)) {}
  void set(const std::string& key, const std::string& value) override;
  std::string get(const std::string& key) override;
  int64_t add(const std::string& key, int64_t amount) override;
  std::string compare_set(const std::string& key, const std::string& expected, const std::string& desired) override;
  void append(const std::string& key, const std::string& value) override;
  bool delete_key(const std::string& key) override;
  bool check(const std::vector<std::string>& keys) override;
  int64_t num_keys() override;
  using Store::wait;
  void wait(const std::vector<std::string>& keys, Milliseconds timeout) override;
  std::shared_ptr<Store> clone() override;
  std::string description() const override { return "HashStore"; }

 private:
  std::shared_ptr<class SharedTable> table_;
};

/// In a file that all processes see. The last of `world_size` stores that goes removes it.
class FileStore final : public Store {
 public:
  explicit FileStore(std::string path, int64_t world_size = -1, Milliseconds timeout = kDefaultStoreTimeout);
  ~FileStore() override;
  void set(const std::string& key, const std::string& value) override;
  std::string get(const std::string& key) override;
  int64_t add(const std::string& key, int64_t amount) override;
  std::string compare_set(const std::string& key, const std::string& expected, const std::string& desired) override;
  void append(const std::string& key, const std::string& value) override;
  bool delete_key(const std::string& key) override;
  bool check(const std::vector<std::string>& keys) override;
  int64_t num_keys() override;
  using Store::wait;
  void wait(const std::vector<std::string>& keys, Milliseconds timeout) override;
  std::shared_ptr<Store> clone() override;
  std::string description() const override { return "FileStore at " + path_; }
  const std::string& path() const { return path_; }

 private:
  template <class F>
  void locked(F&& change);
  std::string path_;
  int64_t world_size_;
  bool counted_ = true;
  std::mutex mutex_;
  std::unique_ptr<class Table> table_;
  int64_t read_ = 0;  // bytes of the file that the table holds
};

/// On a server that one of the processes, or another program, runs. `port` 0: any; port() says which.
class TCPStore final : public Store {
 public:
  TCPStore(std::string host, uint16_t port, int64_t world_size = -1, bool is_master = false,
           Milliseconds timeout = kDefaultStoreTimeout, bool wait_for_workers = true,
           std::shared_ptr<class StoreServer> server = nullptr);
  ~TCPStore() override;
  void set(const std::string& key, const std::string& value) override;
  std::string get(const std::string& key) override;
  int64_t add(const std::string& key, int64_t amount) override;
  std::string compare_set(const std::string& key, const std::string& expected, const std::string& desired) override;
  void append(const std::string& key, const std::string& value) override;
  bool delete_key(const std::string& key) override;
  bool check(const std::vector<std::string>& keys) override;
  int64_t num_keys() override;
  using Store::wait;
  void wait(const std::vector<std::string>& keys, Milliseconds timeout) override;
  std::shared_ptr<Store> clone() override;
  std::string local_address() const override;
  bool is_held_here() const override { return server_ != nullptr; }
  std::string description() const override;
  const std::string& host() const { return host_; }
  uint16_t port() const { return port_; }

 private:
  std::optional<std::string> ask(char what, const std::vector<std::string>& arguments, Milliseconds patience);
  std::string wait_for(char what, const std::vector<std::string>& keys, Milliseconds timeout);
  std::string host_;
  uint16_t port_;
  int socket_ = -1;
  std::mutex mutex_;
  std::shared_ptr<class StoreServer> server_;
};

/// A part of another store: its keys get a beginning of their own.
class PrefixStore final : public Store {
 public:
  PrefixStore(std::string prefix, std::shared_ptr<Store> store)
      : Store(store->timeout()), prefix_(std::move(prefix)), store_(std::move(store)) {}
  void set(const std::string& key, const std::string& value) override { store_->set(full(key), value); }
  std::string get(const std::string& key) override { return store_->get(full(key)); }
  int64_t add(const std::string& key, int64_t amount) override { return store_->add(full(key), amount); }
  std::string compare_set(const std::string& key, const std::string& expected, const std::string& desired) override {
    return store_->compare_set(full(key), expected, desired);
  }
  void append(const std::string& key, const std::string& value) override { store_->append(full(key), value); }
  bool delete_key(const std::string& key) override { return store_->delete_key(full(key)); }
  bool check(const std::vector<std::string>& keys) override { return store_->check(full(keys)); }
  int64_t num_keys() override { return store_->num_keys(); }
  using Store::wait;
  void wait(const std::vector<std::string>& keys, Milliseconds timeout) override { store_->wait(full(keys), timeout); }
  std::shared_ptr<Store> clone() override { return std::make_shared<PrefixStore>(prefix_, store_->clone()); }
  std::string local_address() const override { return store_->local_address(); }
  bool is_held_here() const override { return store_->is_held_here(); }
  std::string description() const override { return store_->description(); }
  void set_timeout(Milliseconds timeout) override { timeout_ = timeout, store_->set_timeout(timeout); }
  const std::shared_ptr<Store>& underlying_store() const { return store_; }
  const std::string& prefix() const { return prefix_; }

 private:
  std::string full(const std::string& key) const { return prefix_ + "/" + key; }
  std::vector<std::string> full(std::vector<std::string> keys) const {
    for (std::string& key : keys) key = full(key);
    return keys;
  }
  std::string prefix_;
  std::shared_ptr<Store> store_;
};

enum class ReduceOp : uint8_t { SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR };

/// What was begun and is perhaps not done yet.
class Work {
 public:
  virtual ~Work() = default;
  /// Waits for the end; throws what went wrong. After `timeout` (0: that of the group) throws DistBackendError.
  virtual void wait(Milliseconds timeout = Milliseconds(0)) = 0;
  virtual bool is_completed() = 0;
  bool is_success() { return is_completed() && !exception(); }
  virtual std::exception_ptr exception() = 0;
  /// Of a receive: from whom.
  virtual int source_rank() const { return -1; }
  const std::vector<Tensor>& result() const { return result_; }

 protected:
  std::vector<Tensor> result_;
};
using WorkPtr = std::shared_ptr<Work>;

/// Processes that exchange tensors. Every rank calls the same collectives in the same order; when they do not, or when
/// a rank dies or stops, every rank gets an error that names the rank and what it called.
class ProcessGroup {
 public:
  /// Meets the other ranks in `store`. `backend`: "gloo" or "mpi".
  ProcessGroup(const std::string& backend, std::shared_ptr<Store> store, int rank, int size,
               Milliseconds timeout = kDefaultTimeout, std::string name = "default");
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;

  int getRank() const;
  int getSize() const;
  int rank() const { return getRank(); }
  int size() const { return getSize(); }
  const std::string& name() const;
  const std::string& backend() const;
  Milliseconds timeout() const;
  void set_timeout(Milliseconds timeout);

  WorkPtr allreduce(const Tensor& tensor, ReduceOp op = ReduceOp::SUM);
  /// Many tensors of one dtype as if they were one.
  WorkPtr allreduce_coalesced(const std::vector<Tensor>& tensors, ReduceOp op = ReduceOp::SUM);
  WorkPtr reduce(const Tensor& tensor, int root, ReduceOp op = ReduceOp::SUM);
  WorkPtr broadcast(const Tensor& tensor, int root);
  /// out[r] is what rank r gave.
  WorkPtr allgather(const std::vector<Tensor>& out, const Tensor& input);
  /// The same into one tensor, of `size` times as many elements.
  WorkPtr all_gather_into(const Tensor& out, const Tensor& input);
  WorkPtr gather(const std::vector<Tensor>& out, const Tensor& input, int root);
  WorkPtr scatter(const Tensor& out, const std::vector<Tensor>& input, int root);
  WorkPtr reduce_scatter(const Tensor& out, const std::vector<Tensor>& input, ReduceOp op = ReduceOp::SUM);
  WorkPtr reduce_scatter_into(const Tensor& out, const Tensor& input, ReduceOp op = ReduceOp::SUM);
  /// out[r] is what rank r gave for this one.
  WorkPtr alltoall(const std::vector<Tensor>& out, const std::vector<Tensor>& input);
  WorkPtr barrier();
  WorkPtr send(const Tensor& tensor, int to, int tag = 0);
  /// from -1: from anybody.
  WorkPtr recv(const Tensor& tensor, int from, int tag = 0);
  /// Throws on every rank, naming the ranks that did not come within the timeout.
  void monitored_barrier(Milliseconds timeout, bool wait_all_ranks = false);
  /// Ends what is under way with an error.
  void abort();
  /// Waits for what is under way and leaves the group; nothing can be called afterwards.
  void close();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The group of all processes. `init_method`: "env://" (MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE), "tcp://host:port"
/// or "file:///path".
void init_process_group(const std::string& backend = "gloo", const std::string& init_method = "env://", int rank = -1,
                        int world_size = -1, Milliseconds timeout = kDefaultTimeout);
void init_process_group(const std::string& backend, std::shared_ptr<Store> store, int rank, int world_size,
                        Milliseconds timeout = kDefaultTimeout);
void destroy_process_group();
bool is_initialized();
/// Is there a library for this backend beside Taut's?
bool is_backend_available(const std::string& backend);
const std::shared_ptr<ProcessGroup>& default_group();
/// The store that the address names, for rank and world size, which it fills in from the environment where they are -1.
std::shared_ptr<Store> rendezvous(const std::string& init_method, int& rank, int& world_size, Milliseconds timeout);
int get_rank();
int get_world_size();
void all_reduce(const Tensor& tensor, ReduceOp op = ReduceOp::SUM);
void broadcast(const Tensor& tensor, int src);
void barrier();

/// Averages gradients over the ranks of a group while backward is still running. Parameters come in buckets, in the
/// reverse of their order; a bucket's reduction starts when its last gradient is there.
class Reducer : public std::enable_shared_from_this<Reducer> {
 public:
  struct Options {
    int64_t bucket_bytes = 25 << 20, first_bucket_bytes = 1 << 20;
    bool find_unused = false;
    bool static_graph = false;
  };
  /// A bucket's gradients, flat, and what becomes of them: by default their mean over the ranks. It returns what to
  /// wait for, after which `flat` holds the result.
  using Hook = std::function<std::function<void()>(const Tensor& flat, int64_t bucket, bool last,
                                                   const std::vector<Tensor>& parameters)>;
  static std::shared_ptr<Reducer> make(std::vector<Tensor> parameters, std::shared_ptr<ProcessGroup> group,
                                       const Options& options);
  /// Before a forward whose gradients shall be averaged.
  void prepare(const std::vector<Tensor>& outputs);
  /// Are gradients averaged, or (no_sync) only added up here?
  void set_sync(bool on) { sync_ = on; }
  bool sync() const { return sync_; }
  void set_hook(Hook hook) { hook_ = std::move(hook); }
  /// By what gradients are divided, where not by the number of ranks (0).
  void set_divisor(int64_t ranks) { divisor_ = ranks; }
  /// Takes part in what the backward of other ranks reduces, with zeros, and keeps nothing.
  void shadow();
  const std::vector<std::vector<size_t>>& buckets() const { return buckets_; }

 private:
  Reducer(std::vector<Tensor> parameters, std::shared_ptr<ProcessGroup> group, const Options& options);
  void ready(size_t parameter);
  void start_buckets();
  void finish();
  std::vector<Tensor> parameters_;
  std::shared_ptr<ProcessGroup> group_;
  Options options_;
  Hook hook_;
  bool sync_ = true, prepared_ = false, queued_ = false;
  int64_t divisor_ = 0;
  std::vector<std::vector<size_t>> buckets_;
  std::vector<size_t> bucket_of_;
  std::vector<char> is_ready_, unused_;
  std::vector<size_t> missing_;  // of each bucket
  size_t next_ = 0;              // the bucket to be reduced next
  struct Pending {
    Tensor flat;
    std::function<void()> wait;
  };
  std::vector<Pending> pending_;
  std::mutex mutex_;
};

/// A module whose gradients are the mean over all ranks, and whose parameters and buffers are those of rank 0 to begin
/// with.
class DistributedDataParallelImpl : public nn::Module {
 public:
  template <class M>
  explicit DistributedDataParallelImpl(M module, std::shared_ptr<ProcessGroup> group = nullptr)
      : DistributedDataParallelImpl(std::shared_ptr<nn::Module>(module.ptr()), std::move(group)) {
    forward_ = [module](const Tensor& x) mutable { return module->forward(x); };
  }
  Tensor forward(const Tensor& x);
  /// Within its scope gradients are only added up on each rank.
  class NoSync {
   public:
    explicit NoSync(DistributedDataParallelImpl& module) : reducer_(module.reducer_), before_(reducer_->sync()) {
      reducer_->set_sync(false);
    }
    ~NoSync() { reducer_->set_sync(before_); }
    NoSync(const NoSync&) = delete;

   private:
    std::shared_ptr<Reducer> reducer_;
    bool before_;
  };
  NoSync no_sync() { return NoSync(*this); }

 private:
  DistributedDataParallelImpl(std::shared_ptr<nn::Module> module, std::shared_ptr<ProcessGroup> group);
  std::shared_ptr<ProcessGroup> group_;
  std::shared_ptr<Reducer> reducer_;
  std::function<Tensor(const Tensor&)> forward_;
};
TAUT_MODULE(DistributedDataParallel);

}  // namespace taut::distributed
