// XXH64: a checksum at the speed of memory, against damage and not against malice.
#pragma once
#include <cstdint>

namespace taut::io {

uint64_t xxh64(const void* data, uint64_t n, uint64_t seed = 0);

}  // namespace taut::io
