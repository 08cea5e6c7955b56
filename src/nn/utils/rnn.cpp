// Packing and padding.
#include "taut/nn/utils/rnn.h"

#include "taut/factories.h"
#include "taut/ops/rnn.h"

namespace taut::nn::utils::rnn {

Tensor invert_permutation(const Tensor& permutation) {
  return permutation.defined() ? _invert_permutation(permutation) : Tensor();
}

PackedSequence::PackedSequence(Tensor data, Tensor batch_sizes, Tensor sorted_indices, Tensor unsorted_indices)
    : data_(std::move(data)),
      batch_sizes_(std::move(batch_sizes)),
      sorted_indices_(std::move(sorted_indices)),
      unsorted_indices_(unsorted_indices.defined() ? std::move(unsorted_indices)
                                                   : invert_permutation(sorted_indices_)) {
  check<ValueError>(data_.defined() && batch_sizes_.defined(),
                    "PackedSequence: data and batch_sizes must be defined. Make one with pack_padded_sequence or "
                    "pack_sequence");
}

PackedSequence PackedSequence::to(const TensorOptions& options) const {
  return PackedSequence(data_.to(options), batch_sizes_, sorted_indices_, unsorted_indices_);
}

PackedSequence pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first, bool enforce_sorted) {
  auto [data, batch_sizes, order, back] = _pack_padded_sequences(input, lengths, batch_first, enforce_sorted);
  return PackedSequence(data, batch_sizes, order, back);
}

std::tuple<Tensor, Tensor> pad_packed_sequence(const PackedSequence& sequence, bool batch_first, double padding_value,
                                               std::optional<int64_t> total_length) {
  return _pad_packed_sequences(sequence.data(), sequence.batch_sizes(), sequence.unsorted_indices(), batch_first,
                               padding_value, total_length);
}

Tensor pad_sequence(TensorList sequences, bool batch_first, double padding_value, std::string_view padding_side) {
  return taut::pad_sequence(sequences, batch_first, padding_value, padding_side);
}

std::vector<Tensor> unpad_sequence(const Tensor& padded_sequences, const Tensor& lengths, bool batch_first) {
  return _unpad_sequence(padded_sequences, lengths, batch_first);
}

PackedSequence pack_sequence(TensorList sequences, bool enforce_sorted) {
  std::vector<int64_t> lengths;
  for (const Tensor& s : sequences) {
    check<ValueError>(s.defined() && s.dim() >= 1, "pack_sequence: a sequence must be a tensor of 1 dimension or more");
    lengths.push_back(s.size(0));
  }
  return pack_padded_sequence(taut::pad_sequence(sequences), from_vector(lengths), false, enforce_sorted);
}

std::vector<Tensor> unpack_sequence(const PackedSequence& packed_sequences) {
  const auto [padded, lengths] = pad_packed_sequence(packed_sequences, true);
  return unpad_sequence(padded, lengths, true);
}

}  // namespace taut::nn::utils::rnn
