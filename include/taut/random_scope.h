// A random stream for the calling thread alone.
#pragma once
#include <cstdint>
#include <optional>

#include "taut/random.h"

namespace taut {

/// While it lives, the default generator of this thread is a stream of its own that starts from `seed`; the one all
/// threads share stays where it is. Scopes nest. A scope that nobody draws from costs nothing.
class RandomScope {
 public:
  explicit RandomScope(uint64_t seed);
  ~RandomScope();
  RandomScope(const RandomScope&) = delete;
  Generator& generator();

 private:
  uint64_t seed_;
  std::optional<Generator> generator_;
  RandomScope* outer_;
};

}  // namespace taut
