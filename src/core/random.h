// Random numbers drawn exactly as PyTorch's x86 CPU build draws them: same seed, same numbers (docs/random.md).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/fork.h"
#include "taut/core/dtype.h"

namespace taut {

/// mt19937 with PyTorch's seeding, and the state that torch.get_rng_state() saves. Nothing here locks: hold `mutex` for
/// the whole of one fill, so that two threads never interleave their draws.
class RandomEngine {
 public:
  static constexpr uint64_t kDefaultSeed = 67280421310721;
  static constexpr size_t kStateBytes = 5056;

  explicit RandomEngine(uint64_t seed = kDefaultSeed);

  /// Start over from `seed` (its low 32 bits choose the stream); forgets the cached normal samples.
  void seed(uint64_t seed);
  uint64_t initial_seed() const { return seed_; }

  uint32_t random();
  /// Two draws, the first one in the upper half.
  uint64_t random64();
  /// The next n results of random(), in blocks.
  void random(uint32_t* out, int64_t n);

  /// The same bytes as torch.get_rng_state(): either library can continue from the other's state.
  std::vector<uint8_t> state() const;
  /// Throws ValueError, and changes nothing, when the bytes are not such a state.
  void set_state(const uint8_t* bytes, size_t size);

  ForkSafeMutex mutex;
  /// The second half of a Box-Muller pair, waiting for the next draw. PyTorch 2.13 draws only doubles this way; the
  /// float is part of its state format.
  std::optional<float> next_float_normal_sample;
  std::optional<double> next_double_normal_sample;

 private:
  static constexpr int kWords = 624;
  void refill();

  uint64_t seed_ = 0;
  int left_ = 1;       // draws until the next refill, plus one
  uint32_t next_ = 0;  // index of the next word
  std::array<uint32_t, kWords> words_{};
};

/// The engine used when none is named.
RandomEngine& default_engine();

/// One number in [0, 1), of 53 bits; one of the normal distribution, with the other half of the pair kept for the next
/// call. For ops that draw as many as they need. The caller holds engine.mutex.
double draw_uniform(RandomEngine& engine);
double draw_normal(RandomEngine& engine, double mean = 0, double std = 1);

// Each function below fills n contiguous elements of type `dtype` at `out`, in order. The caller holds engine.mutex.
// Bad parameters throw ValueError, dtypes that PyTorch refuses throw TypeError, both before anything is drawn.
//
// A tensor that is not contiguous: PyTorch walks it in order of address (dimensions sorted by stride, the smallest
// innermost), whatever its shape says. So draw a contiguous buffer whose dimensions are in that order and copy it in.
// Only the normal distribution then takes another path: use fill_normal_elementwise. "Contiguous" means row-major here:
// a transposed or channels_last tensor is not.

/// [from, to), for floating dtypes. rand() is (0, 1).
void fill_uniform(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double from = 0, double to = 1);

/// normal_ and randn of a contiguous tensor: Box-Muller on blocks of 16 when n >= 16, else as the next function.
void fill_normal(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double mean = 0, double std = 1);
/// normal_ of a tensor that is not contiguous, of any size: one double at a time, in pairs that outlive the call.
void fill_normal_elementwise(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double mean = 0,
                             double std = 1);
void fill_log_normal(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double mean = 1, double std = 2);
void fill_cauchy(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double median = 0, double sigma = 1);
void fill_exponential(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double lambda = 1);
/// Trials up to the first success; every dtype but bool.
void fill_geometric(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double p);

/// random_(): 0 to the largest value of an integer, or to the largest consecutive integer of a float; bool: a coin.
void fill_random(RandomEngine& engine, ScalarType dtype, void* out, int64_t n);
/// random_(from, to) and randint: integers in [from, to), for every dtype. Without `to`: random_(from, None), up to the
/// largest value of the dtype, and for the lowest int64 all 64 bits (int64, float64, float32 and bfloat16 only).
void fill_random_from(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, int64_t from,
                      std::optional<int64_t> to);
/// A permutation of 0 .. n-1; every dtype but bool that holds n-1.
void fill_randperm(RandomEngine& engine, ScalarType dtype, void* out, int64_t n);

/// 1 with probability p, else 0; every dtype.
void fill_bernoulli(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double p);
/// The same with one probability for each element, of a floating dtype.
void fill_bernoulli(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, ScalarType p_dtype, const void* p);
/// What dropout multiplies its input by: 0 with probability p, else 1 / (1 - p). Draws nothing when p is 0 or 1.
void fill_dropout(RandomEngine& engine, ScalarType dtype, void* out, int64_t n, double p);

/// For each of `rows` rows of `categories` weights (contiguous, floating), `samples` indices into `out`. Numbers are
/// drawn row after row; for transposed weights PyTorch draws them column after column, unless it draws several samples
/// with replacement.
void multinomial(RandomEngine& engine, ScalarType dtype, const void* weights, int64_t rows, int64_t categories,
                 int64_t samples, bool replacement, int64_t* out);

}  // namespace taut
