// Checksums near the speed of memory, against damage and not against malice.
#pragma once
#include <cstdint>
#include <utility>

namespace taut::io {

uint64_t xxh64(const void* data, uint64_t n, uint64_t seed = 0);

/// MurmurHash3_x64_128, whose seed is a hash here: one of 32 bits stands in both halves.
using Hash128 = std::pair<uint64_t, uint64_t>;
Hash128 murmur128(const void* data, uint64_t n, Hash128 seed = {});

}  // namespace taut::io
