// Large blocks, cut from one range of addresses and joined again when they are free: what one size leaves another uses.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace taut {

class Arena {
 public:
  /// Reserves addresses, not memory; where that cannot be done, an arena has no blocks.
  explicit Arena(size_t reserve);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// At least `bytes` bytes aligned to 64, in the smallest free piece that has room, the lowest of several; nullptr
  /// when there is none.
  void* take(size_t bytes);
  void give(void* block) noexcept;
  bool owns(const void* block) const { return block >= base_ && block < base_ + top_; }

  /// Gives free memory back to the system, the largest pieces first, until at most `kept` bytes of it are left.
  void release(size_t kept) noexcept;
  size_t cached() const { return cached_; }  // bytes that are free and were in use before
  size_t grown() const { return grown_; }    // how often memory was asked of the system

 private:
  struct Piece;  // a header in front of a block or of free memory
  using Entry = std::pair<size_t, Piece*>;

  Piece* fitting(size_t bytes);
  Piece* extend(size_t bytes);
  void insert(Piece* p) noexcept;
  void erase(Piece* p) noexcept;

  std::vector<Entry> free_;  // by size, then address
  char* base_ = nullptr;
  Piece* last_ = nullptr;
  size_t reserved_ = 0, usable_ = 0, top_ = 0;  // bytes: of addresses, of those that may be touched, of those in pieces
  size_t pieces_ = 0, cached_ = 0, grown_ = 0;
};

}  // namespace taut
