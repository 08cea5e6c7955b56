// What a program asks before it decides for the CPU.
#pragma once
#include <cstddef>
#include <cstdint>

namespace taut::cuda {

inline int8_t device_count() { return 0; }
inline bool is_available() { return false; }
inline bool cudnn_is_available() { return false; }
inline void manual_seed(uint64_t) {}
inline void manual_seed_all(uint64_t) {}
inline void synchronize(int64_t = -1) {}

}  // namespace taut::cuda
