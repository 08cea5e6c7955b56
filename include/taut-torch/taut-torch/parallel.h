// at::parallel_for and its kin, on the library's threads.
#pragma once
#include <vector>

#include "taut-torch/check.h"

namespace at {

inline int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }
inline int64_t ceil_div(int64_t x, int64_t y) { return (x + y - 1) / y; }
inline void init_num_threads() {}
inline void lazy_init_num_threads() {}
/// Ops run where they are called: there is one such thread, and no other number is taken.
inline int get_num_interop_threads() { return 1; }
inline void set_num_interop_threads(int n) { TORCH_CHECK(n > 0, "Expected positive number of threads"); }
inline size_t get_num_threads_in_use() { return static_cast<size_t>(taut::get_num_threads()); }
inline std::string get_parallel_info() {
  return taut::str("Taut: at::get_num_threads() : ", taut::get_num_threads(), '\n');
}

/// f(begin, end) for parts of [begin, end) of about `grain_size`. When parts throw, the first one's exception is
/// thrown.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t grain_size, const F& f) {
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(grain_size >= 0);
  if (begin >= end) return;
  taut::parallel_ranges(
      begin, end, grain_size, [](const void* g, int64_t from, int64_t to) { (*static_cast<const F*>(g))(from, to); },
      &f);
}

/// combine(combine(f(part, ident), f(part, ident)), ...), in the order of the parts, whatever the number of threads.
template <class T, class F, class Combine>
T parallel_reduce(int64_t begin, int64_t end, int64_t grain_size, const T ident, const F& f, const Combine& combine) {
  if (begin >= end) return ident;
  const int64_t grain = grain_size > 0 ? grain_size : 1, parts = divup(end - begin, grain);
  if (parts == 1) return f(begin, end, ident);
  struct Result {  // a vector of bools would not be one of places that threads can write to
    T value;
  };
  std::vector<Result> results(static_cast<size_t>(parts), Result{ident});
  Result* const data = results.data();
  parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) {
      const int64_t from = begin + p * grain;
      data[p].value = f(from, from + grain < end ? from + grain : end, ident);
    }
  });
  T result = ident;
  for (const Result& r : results) result = combine(result, r.value);
  return result;
}

}  // namespace at
