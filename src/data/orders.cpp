// Orders of samples. The draws are PyTorch's, call by call.
#include "taut/data/orders.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "taut/factories.h"
#include "taut/indexing.h"
#include "taut/ops.h"

namespace taut::data::orders {

uint64_t draw_seed(std::optional<Generator> generator) {
  return static_cast<uint64_t>(empty({}, kLong).random_(std::move(generator)).item<int64_t>());
}

RandomOrder::RandomOrder(int64_t n, int64_t wanted, bool replacement, std::optional<Generator> generator)
    : n_(n), left_(wanted), replacement_(replacement), generator_(generator ? *generator : Generator(draw_seed())) {}

Tensor RandomOrder::next() {
  // With replacement 32 at once: a piece of 16 or more is drawn in another way than single numbers.
  constexpr int64_t kPiece = 32;
  if (ended_ || n_ == 0) return {};
  const int64_t most = replacement_ ? kPiece : n_;
  const int64_t size = std::min(left_, most);
  ended_ = size < most;  // a last piece is drawn even when none is left to give
  left_ -= size;
  return replacement_ ? randint(0, n_, {size}, generator_) : randperm(n_, generator_).slice(0, 0, size);
}

int64_t replica_size(int64_t n, int64_t replicas, bool drop_last) {
  return n / replicas + (!drop_last && n % replicas ? 1 : 0);
}

Tensor of_replica(int64_t n, int64_t replicas, int64_t rank, std::optional<uint64_t> shuffle_seed, bool drop_last) {
  check<ValueError>(replicas > 0 && rank >= 0 && rank < replicas, "Invalid rank ", rank,
                    ", rank should be in the interval [0, ", replicas - 1, "]");
  Tensor order = shuffle_seed ? randperm(n, Generator(*shuffle_seed)).contiguous() : arange(n);
  const int64_t size = replica_size(n, replicas, drop_last);
  Tensor mine = empty({size}, kLong);
  const int64_t* from = order.data_ptr<int64_t>();
  int64_t* to = mine.data_ptr<int64_t>();
  for (int64_t i = 0; i < size; ++i) to[i] = from[(rank + i * replicas) % n];
  return mine;
}

std::vector<int64_t> lengths_of_shares(int64_t n, ArrayRef<double> shares) {
  std::vector<int64_t> lengths;
  int64_t taken = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    check<ValueError>(shares[i] >= 0 && shares[i] <= 1, "random_split: Fraction at index ", i,
                      " is not between 0 and 1: ", shares[i]);
    lengths.push_back(static_cast<int64_t>(std::floor(static_cast<double>(n) * shares[i])));
    taken += lengths.back();
  }
  check<ValueError>(!lengths.empty() || n == 0, "random_split: no parts are asked for");
  for (size_t i = 0; taken < n; ++i, ++taken) ++lengths[i % lengths.size()];
  return lengths;
}

std::vector<Tensor> split(ArrayRef<int64_t> lengths, std::optional<Generator> generator) {
  int64_t n = 0;
  for (const int64_t length : lengths) {
    check<ValueError>(length >= 0, "random_split: a part of ", length, " examples");
    n += length;
  }
  const Tensor order = randperm(n, std::move(generator)).contiguous();
  std::vector<Tensor> parts;
  int64_t from = 0;
  for (const int64_t length : lengths) parts.push_back(order.slice(0, from, from + length)), from += length;
  return parts;
}

std::vector<Tensor> rows(ArrayRef<Tensor> tensors, const Tensor& which) {
  std::vector<Tensor> found;
  found.reserve(tensors.size());
  for (const Tensor& t : tensors) found.push_back(t.index({which}));
  return found;
}

}  // namespace taut::data::orders
