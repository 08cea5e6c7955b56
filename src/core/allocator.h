// The caching allocator. Every block is 64-byte aligned. Small blocks are kept per thread without a lock, large ones in
// one shared cache; both are bounded, and what does not fit goes back to the system.
#pragma once
#include <cstddef>
#include <cstdint>

#include "taut/core/runtime.h"

namespace taut {

/// At least `bytes` bytes; throws OutOfMemory, and then nothing has changed.
void* allocate(size_t bytes);
/// `bytes` as it was given to allocate.
void deallocate(void* block, size_t bytes) noexcept;

}  // namespace taut
