// Which instruction set this machine has. Kernels under src/kernels/isa/ are compiled once per instruction set, each
// inside its own namespace, and publish a table of functions; the host reads the table of the best one.
#pragma once

namespace taut {

/// 0: x86-64-v2 (or the only one, elsewhere), 1: v3 (AVX2), 2: v4 (AVX-512). TAUT_ISA=0|1|2 lowers it. Zero before
/// static initialisation, which is a valid choice on every machine.
extern int isa_level;

}  // namespace taut

/// Declares `name()`, the table of the best instruction set. Each file under src/kernels/isa/ defines
/// `namespace taut::TAUT_ISA { extern const Type name; const Type name = {...}; }`
#if defined(__x86_64__) && !defined(TAUT_ONE_ISA)
#define TAUT_ISA_TABLE(Type, name)                                          \
  namespace v2 {                                                            \
  extern const Type name;                                                   \
  }                                                                         \
  namespace v3 {                                                            \
  extern const Type name;                                                   \
  }                                                                         \
  namespace v4 {                                                            \
  extern const Type name;                                                   \
  }                                                                         \
  inline const Type& name() {                                               \
    static constexpr const Type* all[] = {&v2::name, &v3::name, &v4::name}; \
    return *all[isa_level];                                                 \
  }
#else
#define TAUT_ISA_TABLE(Type, name) \
  namespace v2 {                   \
  extern const Type name;          \
  }                                \
  inline const Type& name() { return v2::name; }
#endif
