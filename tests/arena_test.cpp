// The arena of large blocks: pieces are cut, joined, reused and given back, and never overlap.
#include "core/arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "core/allocator.h"
#include "taut/core/error.h"

namespace taut {
namespace {

constexpr size_t kReserve = size_t{1} << 30, kMiB = size_t{1} << 20;

TEST(Arena, ReusesWhatItGave) {
  Arena arena(kReserve);
  void* a = arena.take(kMiB);
  void* b = arena.take(kMiB);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(reinterpret_cast<size_t>(a) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<size_t>(a) % 4096, reinterpret_cast<size_t>(b) % 4096);
  EXPECT_TRUE(arena.owns(a) && arena.owns(b) && !arena.owns(&arena));
  EXPECT_EQ(arena.cached(), 0u);
  arena.give(a);
  EXPECT_GE(arena.cached(), kMiB);
  EXPECT_EQ(arena.take(kMiB - 5000), a);  // the only place with room
  arena.give(a);
  arena.give(b);
  EXPECT_EQ(arena.take(2 * kMiB), a);  // joined
  EXPECT_EQ(arena.cached(), 0u);
  EXPECT_EQ(arena.grown(), 1u);
}

TEST(Arena, TakesTheSmallestPlaceWithRoom) {
  Arena arena(kReserve);
  void* blocks[8];
  for (size_t i = 0; i < 8; ++i) blocks[i] = arena.take((i == 0 ? 3 : i == 2 ? 2 : 1) * kMiB);
  for (int i : {0, 2, 4, 6}) arena.give(blocks[i]);
  EXPECT_EQ(arena.take(kMiB), blocks[4]);  // the lowest of two
  EXPECT_EQ(arena.take(2 * kMiB), blocks[2]);
  EXPECT_EQ(arena.take(kMiB), blocks[6]);
  EXPECT_EQ(arena.take(kMiB), blocks[0]);
}

TEST(Arena, JoinsWithBothNeighbours) {
  Arena arena(kReserve);
  void* blocks[5];
  for (void*& b : blocks) b = arena.take(kMiB);
  for (int i : {0, 2, 1}) arena.give(blocks[i]);
  EXPECT_EQ(arena.take(3 * kMiB), blocks[0]);
  arena.give(blocks[4]);  // the last one: grows where it is
  EXPECT_EQ(arena.take(8 * kMiB), blocks[4]);
}

TEST(Arena, GivesMemoryBack) {
  Arena arena(kReserve);
  auto* a = static_cast<char*>(arena.take(64 * kMiB));
  void* b = arena.take(kMiB);
  std::memset(a, 1, 64 * kMiB);
  arena.give(a);
  arena.release(128 * kMiB);
  EXPECT_GE(arena.cached(), 64 * kMiB);
  arena.release(0);
  EXPECT_EQ(arena.cached(), 0u);
  EXPECT_EQ(arena.take(64 * kMiB), a);
  EXPECT_EQ(a[32 * kMiB], 0);  // the system's, anew
  arena.give(a);
  arena.give(b);
  EXPECT_GE(arena.cached(), 65 * kMiB);
}

TEST(Arena, HasAnEnd) {
  Arena arena(kReserve);
  EXPECT_EQ(arena.take(2 * kReserve), nullptr);
  void* a = arena.take(kReserve / 2);
  ASSERT_TRUE(a);
  EXPECT_EQ(arena.take(kReserve / 2), nullptr);
  arena.give(a);
  EXPECT_EQ(arena.take(kReserve / 2), a);
  Arena none(0);
  EXPECT_EQ(none.take(kMiB), nullptr);
  EXPECT_FALSE(none.owns(a));
}

TEST(Arena, BlocksNeverOverlap) {
  Arena arena(kReserve);
  std::mt19937 random(0);
  std::map<char*, size_t> blocks;
  for (int i = 0; i < 20000; ++i) {
    if (blocks.size() < 40 && random() % 2) {
      const size_t bytes = (64 << 10) + random() % (random() % 8 ? 1 << 18 : 1 << 23);
      auto* p = static_cast<char*>(arena.take(bytes));
      ASSERT_TRUE(p);
      const auto next = blocks.lower_bound(p);
      ASSERT_TRUE(next == blocks.end() || p + bytes <= next->first);
      ASSERT_TRUE(next == blocks.begin() || std::prev(next)->first + std::prev(next)->second <= p);
      p[0] = p[bytes - 1] = static_cast<char>(bytes);
      blocks[p] = bytes;
    } else if (!blocks.empty()) {
      auto it = std::next(blocks.begin(), random() % blocks.size());
      ASSERT_EQ(it->first[0], static_cast<char>(it->second));
      ASSERT_EQ(it->first[it->second - 1], static_cast<char>(it->second));
      arena.give(it->first);
      blocks.erase(it);
    }
    if (i % 1000 == 0) arena.release(kMiB);
  }
  for (auto& b : blocks) arena.give(b.first);
  const size_t all = arena.cached();
  EXPECT_TRUE(arena.take(all - 64));  // one piece again
  EXPECT_EQ(arena.cached(), 0u);
}

TEST(Allocator, LargeBlocksCountAndReturn) {
  const MemoryStats before = memory_stats();
  void* a = allocate(3 * kMiB);
  void* b = allocate(40 * kMiB);  // beyond the size that may be cut up
  EXPECT_EQ(memory_stats().allocated - before.allocated, static_cast<int64_t>(43 * kMiB));
  EXPECT_GE(memory_stats().peak, memory_stats().allocated);
  std::thread([&] { deallocate(a, 3 * kMiB); }).join();
  deallocate(b, 40 * kMiB);
  EXPECT_EQ(memory_stats().allocated, before.allocated);
  trim();
  EXPECT_LE(memory_stats().cached, int64_t{1} << 20);
  EXPECT_THROW(allocate(size_t{1} << 50), OutOfMemory);
}

}  // namespace
}  // namespace taut
