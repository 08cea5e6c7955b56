// Threads, memory and warnings.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace taut {

/// Threads that kernels may use. The results have the same bits for any number.
int get_num_threads();
void set_num_threads(int n);
/// Is the calling thread at work on a part of something parallel?
bool in_parallel_region();
/// Its number: below get_num_threads(), and no other thread at work on the same has it.
int get_thread_num();
/// body(context, from, to) for parts of [begin, end) of at least `grain`, on the library's threads. How it is cut does
/// not depend on their number. When parts throw, the first one's exception is thrown.
void parallel_ranges(int64_t begin, int64_t end, int64_t grain, void (*body)(const void*, int64_t, int64_t),
                     const void* context);

struct MemoryStats {
  int64_t allocated = 0;     // bytes in blocks that are in use now
  int64_t peak = 0;          // the largest `allocated` since the last reset
  int64_t cached = 0;        // bytes kept for reuse
  int64_t system_calls = 0;  // blocks asked of the system so far
};
MemoryStats memory_stats();
void reset_peak_memory_stats();
/// Give cached blocks back to the system: the shared ones and those of the calling thread.
void trim();

/// Who gets the warnings. Without a handler (or with an empty one) each text is printed to stderr once.
void set_warning_handler(std::function<void(const std::string&)> handler);
/// Something that is legal but seldom meant.
void warn(const std::string& message);

}  // namespace taut
