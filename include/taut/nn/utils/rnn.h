// Sequences of unequal length in one tensor, for recurrent layers.
#pragma once
#include <tuple>
#include <vector>

#include "taut/tensor.h"

namespace taut::nn::utils::rnn {

/// The inverse of a permutation; undefined for an undefined one.
Tensor invert_permutation(const Tensor& permutation);

/// Steps of all sequences below each other: the first step of every sequence, then the second of those that have one.
/// Made by pack_padded_sequence and pack_sequence. sorted_indices says which sequence comes first; it is undefined when
/// they came sorted.
class PackedSequence {
 public:
  explicit PackedSequence(Tensor data, Tensor batch_sizes, Tensor sorted_indices = {}, Tensor unsorted_indices = {});
  const Tensor& data() const { return data_; }
  const Tensor& batch_sizes() const { return batch_sizes_; }
  const Tensor& sorted_indices() const { return sorted_indices_; }
  const Tensor& unsorted_indices() const { return unsorted_indices_; }
  PackedSequence to(const TensorOptions& options) const;
  PackedSequence cpu() const { return *this; }
  bool is_cuda() const { return false; }

 private:
  Tensor data_, batch_sizes_, sorted_indices_, unsorted_indices_;
};

/// input: [steps, batch, ...], padded; lengths: int64. Without `enforce_sorted` the sequences may come in any order.
PackedSequence pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first = false, bool enforce_sorted = true);
/// The padded tensor (in the order before packing) and the lengths.
std::tuple<Tensor, Tensor> pad_packed_sequence(const PackedSequence& sequence, bool batch_first = false,
                                               double padding_value = 0,
                                               std::optional<int64_t> total_length = std::nullopt);
/// Tensors [length, ...] side by side, filled up at the "right" or "left" end.
Tensor pad_sequence(TensorList sequences, bool batch_first = false, double padding_value = 0,
                    std::string_view padding_side = "right");
/// And back: the first `lengths[i]` steps of each sequence.
std::vector<Tensor> unpad_sequence(const Tensor& padded_sequences, const Tensor& lengths, bool batch_first = false);
PackedSequence pack_sequence(TensorList sequences, bool enforce_sorted = true);
/// The sequences of a packed one, each of its own length.
std::vector<Tensor> unpack_sequence(const PackedSequence& packed_sequences);

}  // namespace taut::nn::utils::rnn
