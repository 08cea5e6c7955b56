#include "core/allocator.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "core/arena.h"
#include "core/fork.h"
#include "taut/core/error.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace taut {

constinit thread_local detail::FreeBlocks* detail::free_blocks = nullptr;

namespace {

using detail::Block;
using detail::free_blocks;

constexpr size_t kAlign = 64;
constexpr size_t kLinear = 1024;            // classes of 64 bytes up to here, then four per doubling
constexpr int kTinyClasses = 16;            // those: blocks cut from chunks,
constexpr size_t kChunk = size_t{2} << 20;  // a huge page; a thread's first chunks are smaller
constexpr size_t kFirstChunk = 64 << 10;
constexpr size_t kSmall = 64 << 10;              // up to here blocks are cached per thread
constexpr int kSmallClasses = 16 + 4 * 6;        // 1 KiB to 64 KiB is six doublings
constexpr size_t kLarge = size_t{32} << 20;      // from here they have an arena of their own, not to be cut up
constexpr size_t kArenaBound = size_t{1} << 30;  // bytes an arena keeps at most,
constexpr size_t kReserve = size_t{256} << 30;   // and the addresses it has

struct SizeClass {
  int index;
  size_t bytes;
};
SizeClass size_class(size_t bytes) {
  if (bytes <= kLinear) {
    const size_t k = std::max<size_t>(1, (bytes + kAlign - 1) / kAlign);
    return {static_cast<int>(k) - 1, k * kAlign};
  }
  const int doubling = std::bit_width(bytes - 1) - 11;  // 1025..2048 is 0
  const size_t quarter = size_t{256} << doubling;
  const size_t k = (bytes - (size_t{1024} << doubling) + quarter - 1) / quarter;  // 1..4
  return {16 + 4 * doubling + static_cast<int>(k) - 1, (size_t{1024} << doubling) + k * quarter};
}

static_assert(kSmallClasses == detail::FreeBlocks::kClasses);

struct ThreadCache;
struct Shared {
  ForkSafeMutex mutex;
  Arena arenas[2] = {Arena(kReserve), Arena(kReserve)};
  Block* free[kTinyClasses] = {};  // given up by threads
  std::vector<ThreadCache*> threads;
  std::vector<std::pair<char*, char*>> rests;         // of chunks, left by threads that ended
  int64_t gone_allocated = 0, gone_system_calls = 0;  // of threads that ended
  int64_t large = 0, peak = 0;                        // bytes in large blocks; highest seen
  Arena& arena(size_t bytes) { return arenas[bytes >= kLarge]; }
};
Shared& shared() {
  static Shared* s = new Shared;  // never destroyed: tensors may outlive every static
  return *s;
}

// Counters are per thread and summed on demand: a shared one would cost more than the allocation.
struct ThreadCache : detail::FreeBlocks {
  // Bytes of the blocks that came to this thread from elsewhere, less those that went; what is not cached is in use
  // (here or, when another thread frees it, there: only the sum over all threads means something).
  std::atomic<int64_t> held{0}, system_calls{0};
  char *chunk = nullptr, *chunk_end = nullptr;  // what is left of the chunk blocks are cut from
  size_t next_chunk = kFirstChunk;
  ThreadCache() {
    std::lock_guard lock(shared().mutex);
    shared().threads.push_back(this);
  }
  ~ThreadCache();
  void clear();
  int64_t allocated() const {
    return held.load(std::memory_order_relaxed) - static_cast<int64_t>(cached.load(std::memory_order_relaxed));
  }
  void add(std::atomic<int64_t>& c, int64_t n) {  // one writer
    c.store(c.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
};
ThreadCache* cache() { return static_cast<ThreadCache*>(free_blocks); }
thread_local bool ended = false;
struct Owner {
  ~Owner() {
    delete cache();
    free_blocks = nullptr;
    ended = true;
  }
};
/// A tiny block nobody needs: for whatever thread is short of them.
void share(Block* b, int index) {
  Shared& s = shared();
  std::lock_guard lock(s.mutex);
  b->next = std::exchange(s.free[index], b);
}
void ThreadCache::clear() {
  for (int i = 0; i < kSmallClasses; ++i)
    while (Block* b = free[i]) {
      free[i] = b->next;
      if (i < kTinyClasses) share(b, i);
      else std::free(b);
    }
  add(held, -static_cast<int64_t>(cached.load(std::memory_order_relaxed)));
  cached = 0;
}
ThreadCache::~ThreadCache() {
  clear();
  std::lock_guard lock(shared().mutex);
  auto& all = shared().threads;
  all.erase(std::find(all.begin(), all.end(), this));
  shared().gone_allocated += allocated();
  shared().gone_system_calls += system_calls;
  if (chunk != chunk_end) shared().rests.emplace_back(chunk, chunk_end);
}
ThreadCache* make_cache() {
  if (ended) return nullptr;  // a destructor after thread exit: straight to the system
  static thread_local Owner owner;
  (void)owner;
  auto* made = new ThreadCache;
  free_blocks = made;
  return made;
}
inline ThreadCache* local() { return free_blocks ? cache() : make_cache(); }

void* from_system(size_t bytes, size_t alignment = kAlign) {
  void* p = std::aligned_alloc(alignment, bytes);
  if (!p) {
    trim();
    p = std::aligned_alloc(alignment, bytes);
  }
  if (!p)
    throw OutOfMemory(str("out of memory: tried to allocate ", bytes, " bytes; ", memory_stats().allocated,
                          " bytes are in use. Free tensors you no longer need, or work on smaller batches."));
  return p;
}

/// A block of a tiny class, when the thread has none: one that another thread gave up, or cut from a chunk.
[[gnu::noinline]] void* new_chunk(ThreadCache& t, SizeClass c) {
  {
    Shared& s = shared();
    std::lock_guard lock(s.mutex);
    if (Block* b = s.free[c.index]) {
      s.free[c.index] = nullptr;
      t.free[c.index] = b->next;
      size_t others = 0;
      for (const Block* other = b->next; other; other = other->next) others += c.bytes;
      t.cached.store(t.cached.load(std::memory_order_relaxed) + others, std::memory_order_relaxed);
      t.add(t.held, static_cast<int64_t>(others));
      return b;
    }
    while (!s.rests.empty()) {
      std::tie(t.chunk, t.chunk_end) = s.rests.back();
      s.rests.pop_back();
      if (t.chunk_end - t.chunk >= static_cast<ptrdiff_t>(c.bytes)) return std::exchange(t.chunk, t.chunk + c.bytes);
    }
  }
  const size_t bytes = t.next_chunk;
  t.add(t.system_calls, 1);
  t.chunk = static_cast<char*>(from_system(bytes, bytes == kChunk ? kChunk : kAlign));
  t.chunk_end = t.chunk + bytes;
#ifdef MADV_HUGEPAGE
  if (bytes == kChunk) madvise(t.chunk, bytes, MADV_HUGEPAGE);
#endif
  t.next_chunk = std::min(2 * bytes, kChunk);
  return std::exchange(t.chunk, t.chunk + c.bytes);
}
inline void* cut(ThreadCache& t, SizeClass c) {
  if (t.chunk_end - t.chunk < static_cast<ptrdiff_t>(c.bytes)) return new_chunk(t, c);
  return std::exchange(t.chunk, t.chunk + c.bytes);
}

int64_t total_allocated_locked() {
  int64_t n = shared().gone_allocated + shared().large;
  for (ThreadCache* t : shared().threads) n += t->allocated();
  return n;
}
void note_peak(int64_t now) { shared().peak = std::max(shared().peak, now); }

[[gnu::noinline]] void* allocate_large(size_t bytes) {
  check<OutOfMemory>(bytes < size_t{1} << 48, "out of memory: tried to allocate ", bytes, " bytes");
  Shared& s = shared();
  void* p = nullptr;
#ifndef TAUT_NO_CACHE
  {
    std::lock_guard lock(s.mutex);
    p = s.arena(bytes).take(bytes);
  }
#endif
  if (!p) {
    p = from_system((bytes + kAlign - 1) / kAlign * kAlign);
    if (ThreadCache* t = local()) t->add(t->system_calls, 1);
  }
  std::lock_guard lock(s.mutex);
  s.large += static_cast<int64_t>(bytes);
  note_peak(total_allocated_locked());
  return p;
}

[[gnu::noinline]] void deallocate_large(void* p, size_t bytes) noexcept {
  Shared& s = shared();
  std::lock_guard lock(s.mutex);
  s.large -= static_cast<int64_t>(bytes);
  Arena& arena = s.arena(bytes);
  if (!arena.owns(p)) return std::free(p);
  arena.give(p);
  if (arena.cached() > kArenaBound) arena.release(kArenaBound);
}

}  // namespace

void* allocate(size_t bytes) {
  if (bytes > kSmall) return allocate_large(bytes);
  const SizeClass c = size_class(bytes);
  ThreadCache* t = local();
  if (!t) return from_system(c.bytes);
#ifndef TAUT_NO_CACHE
  if (Block* b = t->pop(c.index, c.bytes)) return b;
  constexpr bool from_chunks = true;
#else
  constexpr bool from_chunks = false;
#endif
  void* p;
  if (from_chunks && c.index < kTinyClasses) {
    p = cut(*t, c);
  } else {
    p = from_system(c.bytes);
    t->add(t->system_calls, 1);
  }
  t->add(t->held, static_cast<int64_t>(c.bytes));
  return p;
}

void deallocate(void* p, size_t bytes) noexcept {
  if (bytes > kSmall) return deallocate_large(p, bytes);
  const SizeClass c = size_class(bytes);
  ThreadCache* t = local();
#ifdef TAUT_NO_CACHE
  if (t) t->add(t->held, -static_cast<int64_t>(c.bytes));
  std::free(p);
#else
  if (t && t->push(p, c.index, c.bytes)) return;
  if (t) t->add(t->held, -static_cast<int64_t>(c.bytes));
  if (c.index < kTinyClasses) share(new (p) Block{nullptr}, c.index);
  else std::free(p);
#endif
}

MemoryStats memory_stats() {
  Shared& s = shared();
  std::lock_guard lock(s.mutex);
  MemoryStats r;
  r.allocated = total_allocated_locked();
  note_peak(r.allocated);
  r.peak = s.peak;
  r.system_calls = s.gone_system_calls;
  for (const Arena& arena : s.arenas) {
    r.cached += static_cast<int64_t>(arena.cached());
    r.system_calls += static_cast<int64_t>(arena.grown());
  }
  for (ThreadCache* t : s.threads) {
    r.cached += static_cast<int64_t>(t->cached.load(std::memory_order_relaxed));
    r.system_calls += t->system_calls.load(std::memory_order_relaxed);
  }
  return r;
}

void reset_peak_memory_stats() {
  std::lock_guard lock(shared().mutex);
  shared().peak = total_allocated_locked();
}

void trim() {
  if (ThreadCache* t = cache()) t->clear();
  Shared& s = shared();
  std::lock_guard lock(s.mutex);
  for (Arena& arena : s.arenas) arena.release(0);
}

}  // namespace taut
