// Collectives over a link. Each begins with a frame from every rank to every other, which says what was called, so that
// collectives that do not match raise everywhere; what is short travels in it. Longer data are cut into one part per
// rank, who receives the part from all and reduces it in the order of the ranks: an element's sum is the same chain of
// additions whatever its place, and for any number of ranks the one of a single process that adds up the same tensors.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <set>
#include <thread>

#include "core/interrupt.h"
#include "distributed/link.h"
#include "distributed/load.h"
#include "distributed/reduce.h"
#include "taut/autograd.h"
#include "taut/core/complex.h"
#include "taut/distributed.h"
#include "taut/factories.h"

namespace taut::distributed {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLook = Milliseconds(200);      // how often who waits looks around
constexpr auto kBeat = Milliseconds(500);      // how often a rank says that it lives
constexpr auto kSilence = Milliseconds(6000);  // a rank that has said nothing for so long is taken for dead
constexpr int64_t kInline = 1024;              // bytes that travel with the frame
constexpr int64_t kSegment = 4 << 20;          // bytes of each part that are reduced at a time

enum class Kind : uint8_t {
  AllReduce,
  Reduce,
  Broadcast,
  AllGather,
  Gather,
  Scatter,
  ReduceScatter,
  AllToAll,
  Barrier
};
const char* name_of(Kind kind) {
  static constexpr const char* names[] = {"all_reduce", "reduce",         "broadcast",  "all_gather", "gather",
                                          "scatter",    "reduce_scatter", "all_to_all", "barrier"};
  return names[static_cast<int>(kind)];
}

/// What a rank called.
struct Call {
  uint64_t sequence = 0;
  int64_t numel = 0;  // of the part that must be the same everywhere
  int64_t sizes[6] = {};
  int32_t root = -1;
  Kind kind = Kind::Barrier;
  ScalarType dtype = kByte;
  ReduceOp op = ReduceOp::SUM;
  uint8_t dims = 0;  // 255: more than six

  std::string text() const {
    std::string t = str("#", sequence, " ", name_of(kind), "(");
    if (kind != Kind::Barrier) {
      t += str(dtype, " [");
      if (dims > 6) t += str(numel, " elements");
      else
        for (int i = 0; i < dims; ++i) t += str(i ? ", " : "", sizes[i]);
      t += "]";
      if (kind == Kind::AllReduce || kind == Kind::Reduce || kind == Kind::ReduceScatter)
        t += str(", ", distributed::name_of(op));
      if (root >= 0) t += str(", root ", root);
    }
    return t + ")";
  }
  bool matches(const Call& o) const {
    return sequence == o.sequence && kind == o.kind && root == o.root && numel == o.numel && dtype == o.dtype &&
           op == o.op;
  }
};
struct Frame {
  Call call;
  alignas(16) char data[kInline];
};
static_assert(std::is_trivially_copyable_v<Frame>);

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

char* bytes_of(const Tensor& t) { return static_cast<char*>(t.data_ptr()); }
int64_t count_bytes(const Tensor& t) { return t.numel() * t.element_size(); }

void divide(char* data, int64_t n, ScalarType dtype, int64_t by) {
  const NoGradGuard no_grad;
  from_blob(data, {n}, dtype).div_(by);
}

}  // namespace

class ProcessGroup::Impl {
 public:
  Impl(const std::string& backend, std::shared_ptr<Store> store, int rank, int size, Milliseconds timeout,
       std::string name)
      : rank_(rank),
        size_(size),
        timeout_(timeout),
        name_(std::move(name)),
        backend_(backend),
        store_(std::move(store)) {
    check<ValueError>(size >= 1 && rank >= 0 && rank < size, "a process group of ", size, " ranks has no rank ", rank);
    last_beat_.resize(static_cast<size_t>(size));
    heard_.resize(static_cast<size_t>(size), Clock::now());
    try {
      store_->set(str("host/", rank), str(host_name(), ", process ", getpid()));
      Rendezvous at{[this](const std::string& k, const std::string& v) { store_->set("link/" + k, v); },
                    [this](const std::string& k) { return store_->get("link/" + k); },
                    store_->local_address(),
                    rank,
                    size,
                    timeout};
      if (at.address.empty()) at.address = "127.0.0.1";
      link_.reset(load_link(backend)(at));
      for (int r = 0; r < size; ++r) hosts_.push_back(store_->get(str("host/", r)));
    } catch (const Error&) {
      throw;
    } catch (const std::exception& e) {
      throw DistBackendError(str("rank ", rank, " could not connect to the ", size - 1, " other ranks of group '",
                                 name_, "': ", e.what()));
    }
    watch_ = std::thread([this] { watch(); });
    worker_ = std::thread([this] { work(); });
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(stop_, true)) return;
    }
    changed_.notify_all();
    worker_.join();
    {
      const std::lock_guard lock(mutex_);
      stop_watch_ = true;
    }
    changed_watch_.notify_all();
    watch_.join();
    try {
      store_->set(str("left/", rank_), "1");
    } catch (const std::exception&) {
      // the store has gone before us
    }
    link_.reset();
  }

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& name() const { return name_; }
  const std::string& backend() const { return backend_; }
  std::atomic<int64_t>& timeout() { return timeout_ms_; }

  // ---- Work in the order in which it was given.

  class Task final : public Work {
   public:
    Task(Impl& group, std::function<void()> run, std::vector<Tensor> result) : group_(group), run_(std::move(run)) {
      result_ = std::move(result);
    }
    void wait(Milliseconds timeout) override {
      std::unique_lock lock(group_.mutex_);
      const auto end = timeout.count() > 0 ? Clock::now() + timeout : Clock::time_point::max();
      while (!done_) {
        if (group_.changed_.wait_for(lock, kLook, [&] { return done_; })) break;
        lock.unlock();
        poll_interrupt();
        if (Clock::now() > end)
          throw DistBackendError(str("a collective took longer than the ", timeout.count(), " ms it was given"));
        lock.lock();
      }
      if (error_) std::rethrow_exception(error_);
    }
    bool is_completed() override {
      const std::lock_guard lock(group_.mutex_);
      return done_;
    }
    std::exception_ptr exception() override {
      const std::lock_guard lock(group_.mutex_);
      return error_;
    }

   private:
    friend class Impl;
    Impl& group_;
    std::function<void()> run_;
    bool done_ = false;
    std::exception_ptr error_;
  };

  WorkPtr enqueue(std::function<void()> run, std::vector<Tensor> result) {
    auto task = std::make_shared<Task>(*this, std::move(run), std::move(result));
    {
      const std::lock_guard lock(mutex_);
      check<DistBackendError>(!stop_, "group '", name_, "' was destroyed");
      tasks_.push_back(task);
    }
    changed_.notify_all();
    return task;
  }
  void work() {
    const NoGradGuard no_grad;
    for (;;) {
      std::shared_ptr<Task> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = tasks_.front();
        tasks_.pop_front();
      }
      std::exception_ptr error;
      try {
        throw_failure();
        task->run_();
      } catch (...) {
        error = std::current_exception();
      }
      task->run_ = nullptr;
      {
        const std::lock_guard lock(mutex_);
        task->error_ = error, task->done_ = true;
      }
      changed_.notify_all();
    }
  }

  // ---- Waiting, and noticing that somebody is gone.

  std::string who(int rank) const { return str("rank ", rank, " (", hosts_[static_cast<size_t>(rank)], ")"); }

  void throw_failure() {
    std::string failure;
    {
      const std::lock_guard lock(look_mutex_);
      failure = failure_;
    }
    if (failure.empty()) return;
    let_all_know();
    throw DistBackendError(failure);
  }
  /// Who holds the store in which the failure stands must not end before the others have looked.
  void let_all_know() {
    if (store_->is_held_here() && !told_.exchange(true)) std::this_thread::sleep_for(kBeat * 3);
  }
  void check_open() {
    check<DistBackendError>(link_ != nullptr, "group '", name_, "' was destroyed");
    throw_failure();
  }
  /// What went wrong is told to all ranks; who is first is right.
  [[noreturn]] void fail(const std::string& message) {
    {
      const std::lock_guard lock(look_mutex_);
      if (failure_.empty()) failure_ = message;
    }
    try {
      if (watch_store_) watch_store_->compare_set("failed", "", message);
    } catch (const std::exception&) {
      // whoever held the store is gone as well
    }
    let_all_know();
    throw DistBackendError(message);
  }

  [[noreturn]] void lost(int peer, const std::string& what, const std::exception& e) {
    throw_failure();
    // Who is really gone? A connection also breaks when the peer gave up because of somebody else.
    std::this_thread::sleep_for(kLook * 2);
    try {
      look_around(true);
    } catch (const std::exception&) {
      // the store is gone as well
    }
    throw_failure();
    if (peer < 0) fail(str("a connection of ", who(rank_), " was lost during ", what, ": ", e.what()));
    fail(str(who(peer), has_left(peer) ? " left group '" + name_ + "'" : " died or closed its connection", " while ",
             who(rank_), " was in ", what, " [", e.what(), "]"));
  }
  /// f(), which begins a transfer.
  template <class F>
  auto beginning(int peer, const std::string& what, F f) {
    try {
      return f();
    } catch (const std::exception& e) {
      lost(peer, what, e);
    }
  }
  /// The transfer's end. `peer` -1: from anybody. `what` is what this rank does meanwhile.
  void await(Link::Transfer& transfer, int peer, const std::string& what, Milliseconds timeout, int* source = nullptr) {
    const auto begun = Clock::now();
    struct Waiting {
      Impl& group;
      Link::Transfer* transfer;
      ~Waiting() {
        const std::lock_guard lock(group.look_mutex_);
        group.waiting_.erase(transfer);
      }
    } waiting{*this, &transfer};
    {
      const std::lock_guard lock(look_mutex_);
      waiting_.emplace(&transfer, begun);
    }
    int from = peer;
    for (;;) {
      bool done;
      try {
        done = transfer.wait(&from);
      } catch (const std::exception& e) {
        lost(peer, what, e);
      }
      if (done) break;
      throw_failure();
      poll_interrupt();
      if (Clock::now() - begun > timeout)
        fail(str(what, " on ", who(rank_), " waited ", timeout.count(), " ms for ",
                 peer < 0 ? std::string("any rank") : who(peer),
                 ", which lives but did not take part: does it call the same collectives in the same order?"));
    }
    if (source) *source = from;
  }
  bool has_left(int rank) {
    try {
      return watch_store_ && watch_store_->check({str("left/", rank)});
    } catch (const std::exception&) {
      return false;
    }
  }

  void watch() {
    try {
      watch_store_ = store_->clone();
    } catch (const std::exception&) {
      return;  // the store is gone already; waiting transfers break by themselves
    }
    uint64_t beats = 0;
    auto next_beat = Clock::now();
    std::unique_lock lock(mutex_);
    while (!changed_watch_.wait_for(lock, kLook, [&] { return stop_watch_; })) {
      lock.unlock();
      try {
        if (Clock::now() >= next_beat)
          watch_store_->set(str("alive/", rank_), str(++beats)), next_beat = Clock::now() + kBeat;
        look_around(false);
      } catch (const std::exception& e) {
        const std::lock_guard look(look_mutex_);
        if (!waiting_.empty() && failure_.empty()) failure_ = str(e.what(), " Rank 0 is ", who(0), '.');
      }
      {
        const std::lock_guard look(look_mutex_);
        for (const auto& [transfer, since] : waiting_) transfer->wake();
      }
      lock.lock();
    }
  }
  /// Has somebody reported a failure, or said nothing for too long? Asked only when somebody here has waited for a
  /// while.
  void look_around(bool now) {
    {
      const std::lock_guard lock(look_mutex_);
      bool long_ago = now;
      for (const auto& [transfer, since] : waiting_) long_ago |= Clock::now() - since > kBeat * 2;
      if (!long_ago || !watch_store_) {
        std::fill(heard_.begin(), heard_.end(), Clock::now());
        return;
      }
    }
    std::string failure;
    if (watch_store_->check({"failed"})) failure = watch_store_->get("failed");
    for (int r = 0; r < size_ && failure.empty(); ++r) {
      if (r == rank_) continue;
      const auto i = static_cast<size_t>(r);
      const std::string key = str("alive/", r);
      const std::string beat =
          watch_store_->check({key}) ? watch_store_->get(key) : "";  // it may have stopped before it said anything
      const std::lock_guard lock(look_mutex_);
      if (beat != last_beat_[i]) last_beat_[i] = beat, heard_[i] = Clock::now();
      else if (Clock::now() - heard_[i] > kSilence && !has_left(r))
        failure = str(who(r), " has not been heard of for ",
                      std::chrono::duration_cast<std::chrono::seconds>(kSilence).count(),
                      " s: it is stopped, frozen, or cut off from the network. ", who(rank_), " was in ", what_);
    }
    if (failure.empty()) return;
    {
      const std::lock_guard lock(look_mutex_);
      if (failure_.empty()) failure_ = failure;
    }
    watch_store_->compare_set("failed", "", failure);
  }

  // ---- Collectives, on raw memory, in the worker's thread.

  using Transfers = std::vector<std::pair<std::unique_ptr<Link::Transfer>, int>>;
  void await_all(Transfers& transfers) {
    for (auto& [transfer, peer] : transfers) await(*transfer, peer, what_, Milliseconds(timeout_ms_));
    transfers.clear();
  }
  void send_to(Transfers& t, int to, int phase, const void* data, int64_t bytes) {
    if (bytes)
      t.emplace_back(
          beginning(to, what_, [&] { return link_->send(to, slot(phase), data, static_cast<size_t>(bytes)); }), to);
  }
  void receive_from(Transfers& t, int from, int phase, void* data, int64_t bytes) {
    if (bytes)
      t.emplace_back(
          beginning(from, what_, [&] { return link_->receive({from}, slot(phase), data, static_cast<size_t>(bytes)); }),
          from);
  }
  uint64_t slot(int phase) const { return sequence_ << 8 | static_cast<uint64_t>(phase); }

  /// The frames of all ranks, after checking that they called the same.
  const std::vector<Frame>& begin(Kind kind, const Tensor* like, int64_t numel, ReduceOp op, int root,
                                  const void* data = nullptr, int64_t bytes = 0) {
    ++sequence_;
    frames_.resize(static_cast<size_t>(size_));
    Frame& own = frames_[static_cast<size_t>(rank_)];
    own.call = {};
    own.call.sequence = sequence_, own.call.kind = kind, own.call.numel = numel, own.call.op = op, own.call.root = root;
    if (like) {
      own.call.dtype = like->scalar_type();
      own.call.dims = like->dim() > 6 ? 255 : static_cast<uint8_t>(like->dim());
      for (int i = 0; i < like->dim() && i < 6; ++i) own.call.sizes[i] = like->size(i);
    }
    what_ = own.call.text();
    if (bytes) std::memcpy(own.data, data, static_cast<size_t>(bytes));
    Transfers receives, sends;
    for (int r = 0; r < size_; ++r)
      if (r != rank_) receive_from(receives, r, 0, &frames_[static_cast<size_t>(r)], sizeof(Frame));
    for (int k = 1; k < size_; ++k) send_to(sends, (rank_ + k) % size_, 0, &own, sizeof(Frame));
    await_all(receives);
    await_all(sends);
    for (const Frame& frame : frames_)
      if (!frame.call.matches(frames_[0].call)) {
        std::string calls;
        for (int r = 0; r < size_; ++r) calls += str("\n  ", who(r), ": ", frames_[static_cast<size_t>(r)].call.text());
        fail(str("the ranks of group '", name_, "' called collectives that do not match:", calls));
      }
    return frames_;
  }

  /// Where part r of n elements begins, in whole lines of cache.
  int64_t part(int r, int64_t n) const { return std::min(n, (n / size_ / 16 + 1) * 16 * r); }
  /// Reduces part `rank_` of every segment; the results are in place in `data`.
  void reduce_parts(char* data, int64_t begin, int64_t n, const Tensor& like, ReduceOp op, int phase) {
    const int64_t bytes = like.element_size();
    const auto place = [&](int r) { return data + (begin + part(r, n)) * bytes; };
    const auto length = [&](int r) { return part(r + 1, n) - part(r, n); };
    const int64_t own = length(rank_);
    scratch_.resize(static_cast<size_t>(own * bytes * size_));
    const auto received = [&](int r) { return scratch_.data() + own * bytes * r; };
    Transfers receives, sends;
    for (int r = 0; r < size_; ++r)
      if (r != rank_) receive_from(receives, r, phase, received(r), own * bytes);
    for (int k = 1; k < size_; ++k) {
      const int r = (rank_ + k) % size_;
      send_to(sends, r, phase, place(r), length(r) * bytes);
    }
    await_all(receives);
    const auto from = [&](int r) { return r == rank_ ? place(r) : received(r); };
    char* sum = received(rank_);
    if (own) std::memcpy(sum, from(0), static_cast<size_t>(own * bytes));
    for (int r = 1; r < size_; ++r) reduce_into(sum, from(r), own, like.scalar_type(), op);
    if (op == ReduceOp::AVG && own) divide(sum, own, like.scalar_type(), size_);
    await_all(sends);
    if (own) std::memcpy(place(rank_), sum, static_cast<size_t>(own * bytes));
  }
  void share_parts(char* data, int64_t begin, int64_t n, int64_t bytes, int phase) {
    const auto place = [&](int r) { return data + (begin + part(r, n)) * bytes; };
    const auto length = [&](int r) { return part(r + 1, n) - part(r, n); };
    Transfers all;
    for (int r = 0; r < size_; ++r)
      if (r != rank_) receive_from(all, r, phase, place(r), length(r) * bytes);
    for (int k = 1; k < size_; ++k) send_to(all, (rank_ + k) % size_, phase, place(rank_), length(rank_) * bytes);
    await_all(all);
  }
  template <class F>
  void by_segments(int64_t n, int64_t bytes, F f) const {
    const int64_t step = std::max<int64_t>(kSegment / bytes, 16) * size_;
    for (int64_t at = 0; at < n; at += step) f(at, std::min(step, n - at));
  }

  void all_reduce(const Tensor& t, ReduceOp op) {
    const int64_t n = t.numel(), bytes = count_bytes(t);
    char* data = bytes_of(t);
    if (bytes <= kInline) {
      begin(Kind::AllReduce, &t, n, op, -1, data, bytes);
      std::memcpy(data, frames_[0].data, static_cast<size_t>(bytes));
      for (int r = 1; r < size_; ++r) reduce_into(data, frames_[static_cast<size_t>(r)].data, n, t.scalar_type(), op);
      if (op == ReduceOp::AVG && n) divide(data, n, t.scalar_type(), size_);
      return;
    }
    begin(Kind::AllReduce, &t, n, op, -1);
    by_segments(n, t.element_size(), [&](int64_t at, int64_t length) {
      reduce_parts(data, at, length, t, op, 1);
      share_parts(data, at, length, t.element_size(), 2);
    });
  }
  void reduce(const Tensor& t, int root, ReduceOp op) {
    begin(Kind::Reduce, &t, t.numel(), op, root);
    const Tensor work = rank_ == root ? t : t.clone();  // that of others stays as it was
    const int64_t bytes = t.element_size();
    by_segments(t.numel(), bytes, [&](int64_t at, int64_t n) {
      reduce_parts(bytes_of(work), at, n, work, op, 1);
      const auto place = [&](int r) { return bytes_of(work) + (at + part(r, n)) * bytes; };
      const auto length = [&](int r) { return (part(r + 1, n) - part(r, n)) * bytes; };
      Transfers all;
      if (rank_ != root) send_to(all, root, 2, place(rank_), length(rank_));
      else
        for (int r = 0; r < size_; ++r)
          if (r != root) receive_from(all, r, 2, place(r), length(r));
      await_all(all);
    });
  }
  void broadcast(const Tensor& t, int root) {
    const int64_t bytes = count_bytes(t);
    if (bytes <= kInline) {
      begin(Kind::Broadcast, &t, t.numel(), ReduceOp::SUM, root, bytes_of(t), bytes);
      std::memcpy(bytes_of(t), frames_[static_cast<size_t>(root)].data, static_cast<size_t>(bytes));
      return;
    }
    begin(Kind::Broadcast, &t, t.numel(), ReduceOp::SUM, root);
    // The root gives each rank a part, and the ranks give each other theirs: nobody sends the whole more than twice.
    const auto place = [&](int r) { return bytes_of(t) + part(r, bytes); };
    const auto length = [&](int r) { return part(r + 1, bytes) - part(r, bytes); };
    Transfers all;
    if (rank_ == root) {
      for (int r = 0; r < size_; ++r)
        if (r != root) send_to(all, r, 1, place(r), length(r));
    } else {
      receive_from(all, root, 1, place(rank_), length(rank_));
    }
    await_all(all);
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) continue;
      if (rank_ != root) receive_from(all, r, 2, place(r), length(r));
      if (r != root) send_to(all, r, 2, place(rank_), length(rank_));
    }
    await_all(all);
  }
  void all_gather(const std::vector<char*>& out, const Tensor& input) {
    const int64_t bytes = count_bytes(input);
    const bool short_one = bytes <= kInline;
    begin(Kind::AllGather, &input, input.numel(), ReduceOp::SUM, -1, bytes_of(input), short_one ? bytes : 0);
    const auto to = [&](int r) { return out[static_cast<size_t>(r)]; };
    Transfers all;
    for (int r = 0; r < size_; ++r) {
      if (short_one) std::memcpy(to(r), frames_[static_cast<size_t>(r)].data, static_cast<size_t>(bytes));
      else if (r != rank_) receive_from(all, r, 1, to(r), bytes);
      else std::memmove(to(r), bytes_of(input), static_cast<size_t>(bytes));
    }
    if (!short_one)
      for (int k = 1; k < size_; ++k) send_to(all, (rank_ + k) % size_, 1, bytes_of(input), bytes);
    await_all(all);
  }
  void gather(const std::vector<char*>& out, const Tensor& input, int root) {
    begin(Kind::Gather, &input, input.numel(), ReduceOp::SUM, root);
    const int64_t bytes = count_bytes(input);
    Transfers all;
    if (rank_ != root) send_to(all, root, 1, bytes_of(input), bytes);
    else
      for (int r = 0; r < size_; ++r) {
        if (r != root) receive_from(all, r, 1, out[static_cast<size_t>(r)], bytes);
        else std::memmove(out[static_cast<size_t>(r)], bytes_of(input), static_cast<size_t>(bytes));
      }
    await_all(all);
  }
  void scatter(const Tensor& out, const std::vector<char*>& input, int root) {
    begin(Kind::Scatter, &out, out.numel(), ReduceOp::SUM, root);
    const int64_t bytes = count_bytes(out);
    Transfers all;
    if (rank_ != root) receive_from(all, root, 1, bytes_of(out), bytes);
    else
      for (int r = 0; r < size_; ++r) {
        if (r != root) send_to(all, r, 1, input[static_cast<size_t>(r)], bytes);
        else std::memmove(bytes_of(out), input[static_cast<size_t>(r)], static_cast<size_t>(bytes));
      }
    await_all(all);
  }
  void reduce_scatter(const Tensor& out, const std::vector<char*>& input, ReduceOp op) {
    begin(Kind::ReduceScatter, &out, out.numel(), op, -1);
    const int64_t bytes = count_bytes(out);
    scratch_.resize(static_cast<size_t>(bytes * size_));
    const auto received = [&](int r) {
      return r == rank_ ? input[static_cast<size_t>(r)] : scratch_.data() + bytes * r;
    };
    Transfers all;
    for (int r = 0; r < size_; ++r)
      if (r != rank_) receive_from(all, r, 1, received(r), bytes);
    for (int k = 1; k < size_; ++k)
      send_to(all, (rank_ + k) % size_, 1, input[static_cast<size_t>((rank_ + k) % size_)], bytes);
    await_all(all);
    char* sum = scratch_.data() + bytes * rank_;
    std::memcpy(sum, received(0), static_cast<size_t>(bytes));
    for (int r = 1; r < size_; ++r) reduce_into(sum, received(r), out.numel(), out.scalar_type(), op);
    if (op == ReduceOp::AVG && bytes) divide(sum, out.numel(), out.scalar_type(), size_);
    std::memcpy(bytes_of(out), sum, static_cast<size_t>(bytes));
  }
  void all_to_all(const std::vector<Tensor>& out, const std::vector<Tensor>& input) {
    begin(Kind::AllToAll, nullptr, 0, ReduceOp::SUM, -1);
    // How much each sends to each is told first: a receive must fit.
    std::vector<int64_t> wanted(static_cast<size_t>(size_));
    Transfers all;
    std::vector<int64_t> lengths(static_cast<size_t>(size_));
    for (int r = 0; r < size_; ++r) {
      lengths[static_cast<size_t>(r)] = count_bytes(input[static_cast<size_t>(r)]);
      if (r == rank_) continue;
      receive_from(all, r, 1, &wanted[static_cast<size_t>(r)], sizeof(int64_t));
      send_to(all, r, 1, &lengths[static_cast<size_t>(r)], sizeof(int64_t));
    }
    await_all(all);
    wanted[static_cast<size_t>(rank_)] = lengths[static_cast<size_t>(rank_)];
    for (int r = 0; r < size_; ++r)
      if (wanted[static_cast<size_t>(r)] != count_bytes(out[static_cast<size_t>(r)]))
        fail(str("all_to_all: ", who(r), " sends ", wanted[static_cast<size_t>(r)], " bytes to ", who(rank_),
                 ", which expects ", count_bytes(out[static_cast<size_t>(r)])));
    for (int r = 0; r < size_; ++r) {
      const auto i = static_cast<size_t>(r);
      if (r == rank_) {
        std::memmove(bytes_of(out[i]), bytes_of(input[i]), static_cast<size_t>(lengths[i]));
        continue;
      }
      receive_from(all, r, 2, bytes_of(out[i]), wanted[i]);
      send_to(all, r, 2, bytes_of(input[i]), lengths[i]);
    }
    await_all(all);
  }

  // ---- Between two ranks, at once.

  class PointToPoint final : public Work {
   public:
    PointToPoint(Impl& group, std::unique_ptr<Link::Transfer> transfer, int peer, std::string what, Tensor held,
                 Tensor target)
        : group_(group),
          transfer_(std::move(transfer)),
          peer_(peer),
          what_(std::move(what)),
          held_(std::move(held)),
          target_(std::move(target)) {
      if (target_.defined()) result_ = {target_};
    }
    void wait(Milliseconds timeout) override {
      if (done_) return;
      try {
        group_.await(*transfer_, peer_, what_, timeout.count() > 0 ? timeout : Milliseconds(group_.timeout_ms_),
                     &peer_);
        if (target_.defined() && !target_.is_same(held_)) {
          const NoGradGuard no_grad;
          target_.copy_(held_);
        }
      } catch (...) {
        error_ = std::current_exception();
        throw;
      }
      done_ = true;
    }
    bool is_completed() override { return done_; }
    std::exception_ptr exception() override { return error_; }
    int source_rank() const override { return peer_; }

   private:
    Impl& group_;
    std::unique_ptr<Link::Transfer> transfer_;
    int peer_;
    std::string what_;
    Tensor held_, target_;
    bool done_ = false;
    std::exception_ptr error_;
  };
  static uint64_t message_slot(int tag) { return uint64_t{1} << 63 | static_cast<uint32_t>(tag); }
  WorkPtr send(const Tensor& t, int to, int tag) {
    check<ValueError>(to >= 0 && to < size_ && to != rank_, "send: group '", name_, "' of ", size_, " ranks: rank ",
                      rank_, " cannot send to rank ", to);
    check_open();
    const Tensor held = t.detach().contiguous();
    const std::string what = str("send(", t.scalar_type(), " ", t.sizes(), ")");
    auto transfer = beginning(to, what, [&] {
      return link_->send(to, message_slot(tag), held.data_ptr(), static_cast<size_t>(count_bytes(held)));
    });
    return std::make_shared<PointToPoint>(*this, std::move(transfer), to, what, held, Tensor());
  }
  WorkPtr receive(const Tensor& t, int from, int tag) {
    check<ValueError>(from >= -1 && from < size_ && from != rank_, "recv: group '", name_, "' of ", size_,
                      " ranks: rank ", rank_, " cannot receive from rank ", from);
    check_open();
    const Tensor whole = t.detach(), held = whole.is_contiguous() ? whole : empty(t.sizes(), t.scalar_type());
    std::vector<int> ranks;
    for (int r = 0; r < size_; ++r)
      if (r != rank_ && (from < 0 || r == from)) ranks.push_back(r);
    const std::string what = str("recv(", t.scalar_type(), " ", t.sizes(), ")");
    auto transfer = beginning(from, what, [&] {
      return link_->receive(ranks, message_slot(tag), held.data_ptr(), static_cast<size_t>(count_bytes(held)));
    });
    return std::make_shared<PointToPoint>(*this, std::move(transfer), from, what, held, whole);
  }

  void monitored_barrier(Milliseconds timeout, bool all) {
    const std::string place = str("monitored/", ++monitored_, "/");
    store_->set(place + std::to_string(rank_), "1");
    const auto end = Clock::now() + timeout;
    std::vector<int> missing;
    for (int r = 0; r < size_; ++r) {
      const auto left = std::max(std::chrono::ceil<Milliseconds>(end - Clock::now()), Milliseconds(1));
      try {
        store_->wait({place + std::to_string(r)}, left);
      } catch (const DistStoreError&) {
        missing.push_back(r);
        if (!all) break;
      }
    }
    if (missing.empty()) return;
    std::string names;
    for (const int r : missing) names += str(names.empty() ? "" : ", ", r);
    fail(str("[Rank ", rank_, "]: Ranks ", names, " failed to pass monitoredBarrier in ", timeout.count(), " ms"));
  }
  void abort() {
    const std::lock_guard lock(look_mutex_);
    if (failure_.empty()) failure_ = str("group '", name_, "' was aborted on ", who(rank_));
    for (const auto& [transfer, since] : waiting_) transfer->wake();
  }

  const int rank_, size_;
  Milliseconds timeout_;
  std::atomic<int64_t> timeout_ms_{timeout_.count()};
  const std::string name_, backend_;
  const std::shared_ptr<Store> store_;

 private:
  std::shared_ptr<Store> watch_store_;
  std::vector<std::string> hosts_;
  std::unique_ptr<Link> link_;

  std::mutex mutex_;  // of the tasks
  std::condition_variable changed_, changed_watch_;
  std::deque<std::shared_ptr<Task>> tasks_;
  bool stop_ = false, stop_watch_ = false;

  std::mutex look_mutex_;  // of what follows
  std::map<Link::Transfer*, Clock::time_point> waiting_;
  std::string failure_;
  std::atomic<bool> told_{false};
  std::vector<std::string> last_beat_;
  std::vector<Clock::time_point> heard_;

  // Of the worker.
  uint64_t sequence_ = 0;
  std::string what_ = "nothing";
  std::vector<Frame> frames_;
  std::vector<char> scratch_;
  uint64_t monitored_ = 0;
  std::thread watch_, worker_;
};

namespace {
void check_tensor(const Tensor& t, const char* what) {
  check<TypeError>(t.defined(), what, ": a tensor is undefined");
  check<ValueError>(t.layout() == Layout::Strided && !t.is_meta(), what,
                    ": takes dense tensors that have memory. Call .to_dense() first");
}
/// `t` itself if its memory is one piece, else a copy; `back` puts what is in the copy where it belongs.
struct Flat {
  explicit Flat(const Tensor& t) : whole(t.detach()), flat(whole.is_contiguous() ? whole : whole.contiguous()) {}
  void back() const {
    if (!flat.is_same(whole)) whole.copy_(flat);
  }
  Tensor whole, flat;
};
}  // namespace

ProcessGroup::ProcessGroup(const std::string& backend, std::shared_ptr<Store> store, int rank, int size,
                           Milliseconds timeout, std::string name)
    : impl_(std::make_unique<Impl>(backend, std::make_shared<PrefixStore>(name, std::move(store)), rank, size, timeout,
                                   name)) {}
ProcessGroup::~ProcessGroup() { close(); }
void ProcessGroup::close() { impl_->close(); }
int ProcessGroup::getRank() const { return impl_->rank(); }
int ProcessGroup::getSize() const { return impl_->size(); }
const std::string& ProcessGroup::name() const { return impl_->name(); }
const std::string& ProcessGroup::backend() const { return impl_->backend(); }
Milliseconds ProcessGroup::timeout() const { return Milliseconds(impl_->timeout_ms_); }
void ProcessGroup::set_timeout(Milliseconds timeout) { impl_->timeout_ms_ = timeout.count(); }

WorkPtr ProcessGroup::allreduce(const Tensor& tensor, ReduceOp op) {
  check_tensor(tensor, "all_reduce");
  check_reduction(tensor.scalar_type(), op, "all_reduce");
  return impl_->enqueue(
      [this, tensor, op] {
        const Flat t(tensor);
        impl_->all_reduce(t.flat, op);
        t.back();
      },
      {tensor});
}
WorkPtr ProcessGroup::allreduce_coalesced(const std::vector<Tensor>& tensors, ReduceOp op) {
  check<ValueError>(!tensors.empty(), "allreduce_coalesced: requires non-empty tensor list");
  for (const Tensor& t : tensors) {
    check_tensor(t, "allreduce_coalesced");
    check<ValueError>(t.scalar_type() == tensors[0].scalar_type(),
                      "allreduce_coalesced: tensors must all have the same type");
  }
  check_reduction(tensors[0].scalar_type(), op, "allreduce_coalesced");
  return impl_->enqueue(
      [this, tensors, op] {
        std::vector<Tensor> parts;
        for (const Tensor& t : tensors) parts.push_back(t.detach().reshape({-1}));
        const Tensor flat = cat(parts);
        impl_->all_reduce(flat, op);
        int64_t at = 0;
        for (const Tensor& t : tensors) {
          t.detach().copy_(flat.narrow(0, at, t.numel()).view(t.sizes()));
          at += t.numel();
        }
      },
      tensors);
}
WorkPtr ProcessGroup::reduce(const Tensor& tensor, int root, ReduceOp op) {
  check_tensor(tensor, "reduce");
  check_reduction(tensor.scalar_type(), op, "reduce");
  check<ValueError>(root >= 0 && root < size(), "reduce: no rank ", root, " in a group of ", size());
  return impl_->enqueue(
      [this, tensor, root, op] {
        const Flat t(tensor);
        impl_->reduce(t.flat, root, op);
        if (rank() == root) t.back();
      },
      {tensor});
}
WorkPtr ProcessGroup::broadcast(const Tensor& tensor, int root) {
  check_tensor(tensor, "broadcast");
  check<ValueError>(root >= 0 && root < size(), "broadcast: no rank ", root, " in a group of ", size());
  return impl_->enqueue(
      [this, tensor, root] {
        const Flat t(tensor);
        impl_->broadcast(t.flat, root);
        t.back();
      },
      {tensor});
}

namespace {
/// Lists of one tensor per rank, all like `like`.
void check_list(const std::vector<Tensor>& list, const Tensor& like, int size, const char* what) {
  check<ValueError>(static_cast<int>(list.size()) == size, what, ": a list of ", list.size(), " tensors for ", size,
                    " ranks");
  for (const Tensor& t : list) {
    check_tensor(t, what);
    check<ValueError>(t.scalar_type() == like.scalar_type(), what, ": tensors of ", t.scalar_type(), " and ",
                      like.scalar_type());
    check<ValueError>(t.numel() == like.numel(), what, ": tensors of ", t.sizes(), " and ", like.sizes());
  }
}
std::vector<Flat> flat_all(const std::vector<Tensor>& list) { return std::vector<Flat>(list.begin(), list.end()); }
std::vector<char*> places(const std::vector<Flat>& list) {
  std::vector<char*> p;
  for (const Flat& t : list) p.push_back(bytes_of(t.flat));
  return p;
}
std::vector<char*> places(const Tensor& whole, int size) {
  std::vector<char*> p;
  for (int r = 0; r < size; ++r) p.push_back(bytes_of(whole) + count_bytes(whole) / size * r);
  return p;
}
void check_whole(const Tensor& whole, const Tensor& part, int size, const char* what) {
  check_tensor(whole, what), check_tensor(part, what);
  check<ValueError>(whole.scalar_type() == part.scalar_type(), what, ": tensors of ", whole.scalar_type(), " and ",
                    part.scalar_type());
  check<ValueError>(whole.numel() == part.numel() * size, what, ": a tensor of ", whole.sizes(), " is not ", size,
                    " of ", part.sizes());
}
}  // namespace

WorkPtr ProcessGroup::allgather(const std::vector<Tensor>& out, const Tensor& input) {
  check_tensor(input, "all_gather");
  check_list(out, input, size(), "all_gather");
  return impl_->enqueue(
      [this, out, input] {
        const auto to = flat_all(out);
        impl_->all_gather(places(to), Flat(input).flat);
        for (const Flat& t : to) t.back();
      },
      out);
}
WorkPtr ProcessGroup::all_gather_into(const Tensor& out, const Tensor& input) {
  check_whole(out, input, size(), "all_gather_into_tensor");
  return impl_->enqueue(
      [this, out, input] {
        const Flat to(out);
        impl_->all_gather(places(to.flat, size()), Flat(input).flat);
        to.back();
      },
      {out});
}
WorkPtr ProcessGroup::gather(const std::vector<Tensor>& out, const Tensor& input, int root) {
  check_tensor(input, "gather");
  check<ValueError>(root >= 0 && root < size(), "gather: no rank ", root, " in a group of ", size());
  if (rank() == root) check_list(out, input, size(), "gather");
  else check<ValueError>(out.empty(), "gather: a list of tensors was given on a rank that is not the destination");
  return impl_->enqueue(
      [this, out, input, root] {
        const auto to = flat_all(out);
        impl_->gather(places(to), Flat(input).flat, root);
        for (const Flat& t : to) t.back();
      },
      out);
}
WorkPtr ProcessGroup::scatter(const Tensor& out, const std::vector<Tensor>& input, int root) {
  check_tensor(out, "scatter");
  check<ValueError>(root >= 0 && root < size(), "scatter: no rank ", root, " in a group of ", size());
  if (rank() == root) check_list(input, out, size(), "scatter");
  else check<ValueError>(input.empty(), "scatter: a list of tensors was given on a rank that is not the source");
  return impl_->enqueue(
      [this, out, input, root] {
        const Flat to(out);
        impl_->scatter(to.flat, places(flat_all(input)), root);
        to.back();
      },
      {out});
}
WorkPtr ProcessGroup::reduce_scatter(const Tensor& out, const std::vector<Tensor>& input, ReduceOp op) {
  check_tensor(out, "reduce_scatter");
  check_reduction(out.scalar_type(), op, "reduce_scatter");
  check_list(input, out, size(), "reduce_scatter");
  return impl_->enqueue(
      [this, out, input, op] {
        const Flat to(out);
        const auto from = flat_all(input);
        impl_->reduce_scatter(to.flat, places(from), op);
        to.back();
      },
      {out});
}
WorkPtr ProcessGroup::reduce_scatter_into(const Tensor& out, const Tensor& input, ReduceOp op) {
  check_whole(input, out, size(), "reduce_scatter_tensor");
  check_reduction(out.scalar_type(), op, "reduce_scatter_tensor");
  return impl_->enqueue(
      [this, out, input, op] {
        const Flat to(out), from(input);
        impl_->reduce_scatter(to.flat, places(from.flat, size()), op);
        to.back();
      },
      {out});
}
WorkPtr ProcessGroup::alltoall(const std::vector<Tensor>& out, const std::vector<Tensor>& input) {
  check<ValueError>(static_cast<int>(out.size()) == size() && out.size() == input.size(), "all_to_all: lists of ",
                    out.size(), " and ", input.size(), " tensors for ", size(), " ranks");
  for (const auto* list : {&out, &input})
    for (const Tensor& t : *list) check_tensor(t, "all_to_all");
  return impl_->enqueue(
      [this, out, input] {
        std::vector<Tensor> from;
        for (const Tensor& t : input) from.push_back(Flat(t).flat);
        const auto to = flat_all(out);
        std::vector<Tensor> flat;
        for (const Flat& t : to) flat.push_back(t.flat);
        impl_->all_to_all(flat, from);
        for (const Flat& t : to) t.back();
      },
      out);
}
WorkPtr ProcessGroup::barrier() {
  return impl_->enqueue([this] { impl_->begin(Kind::Barrier, nullptr, 0, ReduceOp::SUM, -1); }, {});
}
WorkPtr ProcessGroup::send(const Tensor& tensor, int to, int tag) {
  check_tensor(tensor, "send");
  return impl_->send(tensor, to, tag);
}
WorkPtr ProcessGroup::recv(const Tensor& tensor, int from, int tag) {
  check_tensor(tensor, "recv");
  return impl_->receive(tensor, from, tag);
}
void ProcessGroup::monitored_barrier(Milliseconds timeout, bool wait_all_ranks) {
  impl_->monitored_barrier(timeout, wait_all_ranks);
}
void ProcessGroup::abort() { impl_->abort(); }

}  // namespace taut::distributed
