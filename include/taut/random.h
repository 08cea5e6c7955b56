// Random numbers: PyTorch's CPU stream. docs/random.md says what matches bit for bit.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>

namespace taut {

class Tensor;
class RandomEngine;

/// A source of random numbers. A handle: copies share the stream; clone() does not.
class Generator {
 public:
  /// A new stream.
  explicit Generator(uint64_t seed);
  Generator(std::shared_ptr<RandomEngine> engine) : engine_(std::move(engine)) {}
  void set_current_seed(uint64_t seed);
  uint64_t current_seed() const;
  /// Seed with a number the system draws, and return it.
  uint64_t seed();
  /// The whole state, as the uint8 tensor torch.get_rng_state() gives.
  Tensor get_state() const;
  void set_state(const Tensor& state);
  Generator clone() const;
  RandomEngine& engine() const { return *engine_; }
  /// For programs that share a generator among threads: to be held while it is used.
  std::mutex& mutex() const;

 private:
  std::shared_ptr<RandomEngine> engine_;
};

/// The generator used when none is given.
Generator& default_generator();
/// Restart the default generator from `seed`.
void manual_seed(uint64_t seed);
uint64_t initial_seed();

}  // namespace taut
