// Packing and padding.
#include "taut/nn/utils/rnn.h"

#include "taut/factories.h"
#include "taut/indexing.h"
#include "taut/ops/rnn.h"

namespace taut::nn::utils::rnn {

Tensor invert_permutation(const Tensor& permutation) {
  if (!permutation.defined()) return {};
  return zeros_like(permutation).scatter(0, permutation, arange(permutation.numel(), permutation.scalar_type()));
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
  check<ValueError>(input.defined() && lengths.defined(), "pack_padded_sequence: input and lengths must be defined");
  lengths = lengths.to(kLong);
  Tensor order;
  if (!enforce_sorted) {
    check<ValueError>(input.dim() >= 2 && lengths.dim() == 1 && lengths.numel() == input.size(batch_first ? 0 : 1),
                      "pack_padded_sequence: Expected `len(lengths)` to be equal to batch_size, but got lengths ",
                      lengths.sizes(), " for an input of shape ", input.sizes());
    std::tie(lengths, order) = taut::sort(lengths, -1, true);
    input = input.index_select(batch_first ? 0 : 1, order);
  }
  auto [data, batch_sizes] = _pack_padded_sequence(input, lengths, batch_first);
  return PackedSequence(data, batch_sizes, order);
}

std::tuple<Tensor, Tensor> pad_packed_sequence(const PackedSequence& sequence, bool batch_first, double padding_value,
                                               std::optional<int64_t> total_length) {
  const int64_t longest = sequence.batch_sizes().size(0), steps = total_length.value_or(longest);
  check<ValueError>(steps >= longest,
                    "pad_packed_sequence: Expected total_length to be at least the length of the longest sequence in "
                    "input, but got total_length=",
                    steps, " and max sequence length being ", longest);
  auto [padded, lengths] =
      _pad_packed_sequence(sequence.data(), sequence.batch_sizes(), batch_first, padding_value, steps);
  if (!sequence.unsorted_indices().defined()) return {padded, lengths};
  return {padded.index_select(batch_first ? 0 : 1, sequence.unsorted_indices()),
          lengths.index_select(0, sequence.unsorted_indices())};
}

Tensor pad_sequence(TensorList sequences, bool batch_first, double padding_value, std::string_view padding_side) {
  return taut::pad_sequence(sequences, batch_first, padding_value, padding_side);
}

std::vector<Tensor> unpad_sequence(const Tensor& padded_sequences, const Tensor& lengths, bool batch_first) {
  check<ValueError>(padded_sequences.defined() && lengths.defined() && padded_sequences.dim() >= 2,
                    "unpad_sequence: expected padded sequences with at least 2 dimensions, and their lengths");
  const int64_t batch = padded_sequences.size(batch_first ? 0 : 1), steps = padded_sequences.size(batch_first ? 1 : 0);
  check<ValueError>(lengths.dim() == 1 && lengths.numel() == batch, "unpad_sequence: expected ", batch,
                    " lengths, one per sequence of ", padded_sequences.sizes(), ", got ", lengths.sizes());
  std::vector<Tensor> list;
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t n = lengths[b].item<int64_t>();
    check<ValueError>(n >= 0 && n <= steps, "unpad_sequence: length ", n, " is not within the ", steps, " steps of ",
                      padded_sequences.sizes());
    list.push_back(padded_sequences.select(batch_first ? 0 : 1, b).narrow(0, 0, n));
  }
  return list;
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
