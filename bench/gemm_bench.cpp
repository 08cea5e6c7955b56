// GFLOPS of taut's matrix product and of oneDNN's dnnl_sgemm, side by side in one run.
//   gemm_bench [threads]
// oneDNN is loaded when it is installed; without it, only taut's figures are printed.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include "core/parallel.h"
#include "kernels/gemm.h"

namespace {

struct Shape {
  int64_t m, k, n;
  bool b_transposed = false;
};

constexpr Shape kShapes[] = {
    {8, 8, 8},       {16, 16, 16},         {32, 32, 32},           {64, 64, 64},          {128, 128, 128},
    {256, 256, 256}, {512, 512, 512},      {1024, 1024, 1024},     {100, 100, 100},       {1000, 1000, 1000},
    {64, 784, 256},  {64, 784, 256, true}, {256, 64, 784},         {1, 1024, 1024},       {1, 1024, 1024, true},
    {1024, 1024, 1}, {1024, 1, 1024},      {4, 1024, 1024},        {4, 1024, 1024, true}, {16, 1024, 1024, true},
    {1024, 1024, 8}, {64, 65536, 64},      {1024, 64, 1024, true}, {512, 512, 512, true},
};

/// 64-byte aligned, as tensors are.
template <class T>
struct Aligned {
  using value_type = T;
  T* allocate(size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, size_t) { ::operator delete (p, std::align_val_t{64}); }
  bool operator==(const Aligned&) const { return true; }
};
using Floats = std::vector<float, Aligned<float>>;

using Sgemm = int (*)(char, char, int64_t m, int64_t n, int64_t k, float alpha, const float* a, int64_t lda,
                      const float* b, int64_t ldb, float beta, float* c, int64_t ldc);

Sgemm load_onednn(int threads) {
  for (const char* name : {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so"})
    if (void* library = dlopen(name, RTLD_NOW | RTLD_GLOBAL)) {
      if (void* set = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(threads);
      return reinterpret_cast<Sgemm>(dlsym(library, "dnnl_sgemm"));
    }
  return nullptr;
}

double seconds_per_call(auto&& call, double work) {
  const int64_t calls = std::max<int64_t>(1, static_cast<int64_t>(4e6 / (work + 200)));
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < calls; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(calls);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  taut::set_num_threads(threads);
  const Sgemm dnnl_sgemm = load_onednn(threads);
  std::printf("%d thread(s), float32, best of 30\n%-22s %10s %8s %8s %6s\n", threads, "m x k x n", "us", "taut",
              "oneDNN", "ratio");
  for (const Shape& s : kShapes) {
    const auto make = [](int64_t size) {
      Floats v(size);
      for (int64_t i = 0; i < size; ++i) v[i] = static_cast<float>(i % 17 - 8) / 8;
      return v;
    };
    const Floats a = make(s.m * s.k), b = make(s.k * s.n);
    Floats c(s.m * s.n);
    const auto ours = [&] {
      taut::kernels::gemm(taut::kFloat, {c.data(), s.m, s.n, s.n, 1}, {a.data(), s.m, s.k, s.k, 1},
                          {b.data(), s.k, s.n, s.b_transposed ? 1 : s.n, s.b_transposed ? s.k : 1});
    };
    const auto theirs = [&] {
      dnnl_sgemm('N', s.b_transposed ? 'T' : 'N', s.m, s.n, s.k, 1.f, a.data(), s.k, b.data(),
                 s.b_transposed ? s.k : s.n, 0.f, c.data(), s.n);
    };
    const double flops = 2.0 * static_cast<double>(s.m * s.n * s.k);
    double best_ours = std::numeric_limits<double>::max(), best_theirs = best_ours;
    for (int round = 0; round < 30; ++round) {  // alternating, so that both see the same machine
      best_ours = std::min(best_ours, seconds_per_call(ours, flops));
      if (dnnl_sgemm) best_theirs = std::min(best_theirs, seconds_per_call(theirs, flops));
    }
    char name[64];
    std::snprintf(name, sizeof name, "%ld x %ld x %ld%s", static_cast<long>(s.m), static_cast<long>(s.k),
                  static_cast<long>(s.n), s.b_transposed ? "T" : "");
    std::printf("%-22s %10.2f %8.1f", name, best_ours * 1e6, flops / best_ours / 1e9);
    if (dnnl_sgemm) std::printf(" %8.1f %6.2f", flops / best_theirs / 1e9, best_theirs / best_ours);
    std::printf("\n");
  }
}
