#include "core/arena.h"

#include <algorithm>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#define TAUT_HAS_MMAP 1
#endif

namespace taut {
namespace {

constexpr size_t kPage = 4096, kHugePage = size_t{2} << 20;
constexpr size_t kPlain = 2 * kHugePage;     // so far with small pages, for small programs
constexpr size_t kLeast = size_t{64} << 10;  // a smaller rest stays with its block
constexpr size_t kStep = size_t{32} << 20;   // of growth

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

}  // namespace

// Pieces are whole pages, so that all blocks begin at the same place of one: a loop that writes one block while it
// reads another is slow when it writes a little ahead of what it reads, modulo a page.
struct Arena::Piece {
  size_t bytes;      // with this header
  Piece* before;     // the neighbour at lower addresses
  bool free, clean;  // clean: its memory is with the system, but for the first page

  static constexpr size_t kSize = 64;
  void* block() { return reinterpret_cast<char*>(this) + kSize; }
  Piece* after() { return reinterpret_cast<Piece*>(reinterpret_cast<char*>(this) + bytes); }
};

Arena::Arena([[maybe_unused]] size_t reserve) {
#ifdef TAUT_HAS_MMAP
  for (; reserve >= size_t{1} << 28; reserve /= 4) {  // less where the process may not have so many addresses
    void* const p = mmap(nullptr, reserve, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) continue;
    const size_t skip = round_up(reinterpret_cast<size_t>(p), kHugePage) - reinterpret_cast<size_t>(p);
    base_ = static_cast<char*>(p) + skip;
    reserved_ = reserve - kHugePage;
    if (skip) munmap(p, skip);
    munmap(base_ + reserved_, kHugePage - skip);
#ifdef MADV_HUGEPAGE
    madvise(base_ + kPlain, reserved_ - kPlain, MADV_HUGEPAGE);
#endif
    return;
  }
#endif
}
Arena::~Arena() {
#ifdef TAUT_HAS_MMAP
  if (base_) munmap(base_, reserved_);
#endif
}

void Arena::insert(Piece* p) noexcept {  // whoever made a piece made room for it
  p->free = true;
  if (!p->clean) cached_ += p->bytes;
  const Entry e(p->bytes, p);
  free_.insert(std::lower_bound(free_.begin(), free_.end(), e), e);
}
void Arena::erase(Piece* p) noexcept {
  p->free = false;
  if (!p->clean) cached_ -= p->bytes;
  free_.erase(std::lower_bound(free_.begin(), free_.end(), Entry(p->bytes, p)));
}

Arena::Piece* Arena::fitting(size_t bytes) {
  const auto at = std::lower_bound(free_.begin(), free_.end(), Entry(bytes, nullptr));
  return at == free_.end() ? nullptr : at->second;
}

/// A free piece of at least `bytes` at the end.
Arena::Piece* Arena::extend(size_t bytes) {
  const bool join = last_ && last_->free;
  const size_t more = bytes - (join ? last_->bytes : 0);
  if (more > reserved_ - top_) return nullptr;
#ifdef TAUT_HAS_MMAP
  if (top_ + more > usable_) {
    const size_t wanted = std::min(round_up(top_ + more, kStep), reserved_);
    if (mprotect(base_ + usable_, wanted - usable_, PROT_READ | PROT_WRITE) != 0) return nullptr;
    usable_ = wanted;
    ++grown_;
  }
#endif
  if (join) {
    erase(last_);
    last_->bytes += more;
  } else {
    last_ = new (base_ + top_) Piece{more, last_, false, true};
    ++pieces_;
  }
  top_ += more;
  insert(last_);
  return last_;
}

void* Arena::take(size_t bytes) {
  bytes = round_up(bytes + Piece::kSize, kPage);
  if (free_.capacity() < pieces_ + 2) free_.reserve(2 * pieces_ + 64);  // so that nothing below can fail
  Piece* p = fitting(bytes);
  if (!p) p = extend(bytes);
  if (!p) return nullptr;
  erase(p);
  if (p->bytes - bytes >= kLeast) {
    Piece* const end = p->after();
    auto* rest = new (reinterpret_cast<char*>(p) + bytes) Piece{p->bytes - bytes, p, false, p->clean};
    if (p == last_) last_ = rest;
    else end->before = rest;
    p->bytes = bytes;
    ++pieces_;
    insert(rest);
  }
  p->clean = false;
  return p->block();
}

void Arena::give(void* block) noexcept {
  auto* p = reinterpret_cast<Piece*>(static_cast<char*>(block) - Piece::kSize);
  const auto join = [&](Piece* a, Piece* b) {  // b follows a, and ends
    a->bytes += b->bytes;
    a->clean = false;
    if (b == last_) last_ = a;
    else a->after()->before = a;
    --pieces_;
  };
  if (p != last_ && p->after()->free) {
    erase(p->after());
    join(p, p->after());
  }
  if (Piece* const before = p->before; before && before->free) {
    erase(before);
    join(before, p);
    p = before;
  }
  insert(p);
}

void Arena::release([[maybe_unused]] size_t kept) noexcept {
#ifdef TAUT_HAS_MMAP
  for (size_t i = free_.size(); i-- > 0 && cached_ > kept;) {
    Piece* const p = free_[i].second;
    if (p->clean) continue;
    if (madvise(reinterpret_cast<char*>(p) + kPage, p->bytes - kPage, MADV_DONTNEED) != 0) return;
    p->clean = true;
    cached_ -= p->bytes;
  }
#endif
}

}  // namespace taut
