// A program with threads of OpenMP's: within its parallel regions Taut starts none of its own.
#include <omp.h>
#include <taut/taut.h>

#include <cstdio>
#include <filesystem>
#include <iterator>

static long threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

int main() {
  constexpr int kThreads = 4;
  taut::set_num_threads(kThreads);
  omp_set_num_threads(kThreads);
  double sums[kThreads] = {};
#pragma omp parallel
  sums[omp_get_thread_num()] = taut::ones({1 << 20}).exp().log().sum().item<double>();
  const long beside = threads();
  for (const double sum : sums)
    if (sum != sums[0] || sum < 1000) return 1;
  if (beside != kThreads) return std::printf("%ld threads instead of OpenMP's %d\n", beside, kThreads), 1;
  if (taut::ones({1 << 20}).exp().log().sum().item<double>() != sums[0]) return 1;  // alone, on the library's threads
  return threads() == 2 * kThreads - 1 ? 0 : 1;
}
