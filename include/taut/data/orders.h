// The rules by which samplers draw and datasets are divided, as functions: the classes of C++ and of Python call them.
#pragma once
#include <optional>
#include <vector>

#include "taut/core/array_ref.h"
#include "taut/random.h"
#include "taut/tensor.h"

namespace taut::data::orders {

/// A seed, as PyTorch's loaders and samplers draw one.
uint64_t draw_seed(std::optional<Generator> generator = std::nullopt);

/// Random indices in the pieces in which PyTorch's RandomSampler draws them, each when it is asked for.
class RandomOrder {
 public:
  /// `wanted` of the indices below n. Without a generator they come from a stream that the default one seeds.
  RandomOrder(int64_t n, int64_t wanted, bool replacement, std::optional<Generator> generator = std::nullopt);
  /// The next piece, as int64; undefined when there are no more.
  Tensor next();

 private:
  int64_t n_, left_;
  bool replacement_, ended_ = false;
  Generator generator_;
};

/// How many of n indices each replica works on.
int64_t replica_size(int64_t n, int64_t replicas, bool drop_last);
/// The indices of one replica: every `replicas`-th, from `rank` on, of all in order, or shuffled by a seed. Unless
/// the last are dropped the first come again, so that all replicas have equally many.
Tensor of_replica(int64_t n, int64_t replicas, int64_t rank, std::optional<uint64_t> shuffle_seed, bool drop_last);

/// The lengths of parts that have these shares of n; what is left over goes to the first ones.
std::vector<int64_t> lengths_of_shares(int64_t n, ArrayRef<double> shares);
/// The numbers below n, divided at random into parts of these lengths, which add up to it.
std::vector<Tensor> split(ArrayRef<int64_t> lengths, std::optional<Generator> generator = std::nullopt);

/// These rows of each tensor.
std::vector<Tensor> rows(ArrayRef<Tensor> tensors, const Tensor& which);

}  // namespace taut::data::orders
