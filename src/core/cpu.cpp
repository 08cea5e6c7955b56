#include "core/cpu.h"

#include <algorithm>
#include <cstdlib>

namespace taut {

static int detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  int level = 0;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) level = 1;
  if (level == 1 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    level = 2;
  if (const char* wish = std::getenv("TAUT_ISA")) level = std::clamp(std::atoi(wish), 0, level);
  return level;
#else
  return 0;
#endif
}
int isa_level = detect();

}  // namespace taut
