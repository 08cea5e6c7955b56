// The one thread pool. Work is cut into chunks whose size never depends on the number of threads, so every result
// has the same bits for any number of them.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>

namespace taut {

/// Threads that parallel_for may use, the caller included. Initially: TAUT_NUM_THREADS, else OMP_NUM_THREADS, else the
/// CPUs that affinity and cgroup quota leave us.
int get_num_threads();
/// May be called at any time, from any thread; work that is already running keeps its threads.
void set_num_threads(int n);
/// Is the calling thread running a chunk of a parallel job? (A parallel_for here would run serially.)
bool in_parallel_region();

/// Type-erased: runs body(context, chunk) once for every chunk in [0, chunks), in any order. When chunks throw, the
/// exception of the lowest one is rethrown in the caller, and chunks not yet begun are dropped.
void run_chunks(int64_t chunks, void (*body)(void* context, int64_t chunk), void* context);

/// f(begin, end) over [0, n) in pieces of `grain`; serial when there is one piece, one thread, or we are inside another
/// parallel_for already.
template <class F>
void parallel_for(int64_t n, int64_t grain, F&& f) {
  if (n <= 0) return;
  if (n <= grain) return void(f(int64_t{0}, n));
  struct Context {
    std::remove_reference_t<F>* f;
    int64_t n, grain;
  } context{&f, n, grain};
  run_chunks((n + grain - 1) / grain,
             [](void* p, int64_t chunk) {
               const Context& c = *static_cast<Context*>(p);
               const int64_t begin = chunk * c.grain;
               (*c.f)(begin, begin + c.grain < c.n ? begin + c.grain : c.n);
             },
             &context);
}

/// CPUs that a cgroup quota leaves (rounded up; 0: no limit), given /proc/self/cgroup and the cgroup mount point.
int cgroup_cpus(const std::string& membership_file, const std::string& mount);

}  // namespace taut
