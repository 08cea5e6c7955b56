// Sequences of unequal length: sorted and packed, padded again in their first order. Messages are PyTorch's.
#include <algorithm>

#include "ops/op.h"
#include "ops/registry.h"
#include "taut/factories.h"
#include "taut/ops/rnn.h"

namespace taut {

Tensor _invert_permutation(const Tensor& permutation) {
  check_defined(permutation, "invert_permutation", "permutation");
  return zeros_like(permutation).scatter(0, permutation, arange(permutation.numel(), permutation.scalar_type()));
}

std::tuple<Tensor, Tensor, Tensor, Tensor> _pack_padded_sequences(const Tensor& input, const Tensor& lengths,
                                                                  bool batch_first, bool enforce_sorted) {
  check_defined(input, "pack_padded_sequence", "input");
  check_defined(lengths, "pack_padded_sequence", "lengths");
  const int64_t axis = batch_first ? 0 : 1;
  check<ValueError>(input.dim() >= 2,
                    "pack_padded_sequence: expected padded sequences with at least 2 dimensions, got ", input.sizes());
  // To be sorted, there may be fewer lengths: the first sequences are taken.
  check(lengths.dim() == 1 &&
            (enforce_sorted ? lengths.numel() == input.size(axis) : lengths.numel() <= input.size(axis)),
        "Expected `len(lengths)` to be equal to batch_size, but got ", lengths.numel(),
        " (batch_size=", input.size(axis), ")");
  Tensor sorted = lengths.to(kLong).contiguous(), order;
  if (!enforce_sorted) std::tie(sorted, order) = sorted.sort(-1, true);
  const int64_t* n = sorted.data_ptr<int64_t>();
  for (int64_t i = 1; i < sorted.numel(); ++i)
    check(n[i] <= n[i - 1],
          "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
          "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do "
          "not need ONNX exportability.");
  for (int64_t i = 0; i < sorted.numel(); ++i)
    check(n[i] > 0, "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0");
  const auto [data, batch_sizes] =
      _pack_padded_sequence(order.defined() ? input.index_select(axis, order) : input, sorted, batch_first);
  return {data, batch_sizes, order, order.defined() ? _invert_permutation(order) : Tensor()};
}

std::tuple<Tensor, Tensor> _pad_packed_sequences(const Tensor& data, const Tensor& batch_sizes,
                                                 OptionalTensor unsorted_indices, bool batch_first,
                                                 const Scalar& padding_value, std::optional<int64_t> total_length) {
  check_defined(data, "pad_packed_sequence", "data");
  check_defined(batch_sizes, "pad_packed_sequence", "batch_sizes");
  check<ValueError>(batch_sizes.dim() == 1, "pad_packed_sequence: expected a list of batch sizes, got ",
                    batch_sizes.sizes());
  const int64_t longest = batch_sizes.size(0);
  check<ValueError>(total_length.value_or(longest) >= longest,
                    "Expected total_length to be at least the length of the longest sequence in input, but got "
                    "total_length=",
                    total_length.value_or(0), " and max sequence length being ", longest);
  const auto [padded, lengths] =
      _pad_packed_sequence(data, batch_sizes, batch_first, padding_value, total_length.value_or(longest));
  if (!unsorted_indices) return {padded, lengths};
  return {padded.index_select(batch_first ? 0 : 1, *unsorted_indices), lengths.index_select(0, *unsorted_indices)};
}

std::vector<Tensor> _unpad_sequence(const Tensor& padded_sequences, const Tensor& lengths, bool batch_first) {
  const char* const op = "unpad_sequence";
  check_defined(padded_sequences, op, "padded_sequences");
  check_defined(lengths, op, "lengths");
  check<ValueError>(padded_sequences.dim() >= 2 && lengths.dim() == 1, op,
                    ": expected padded sequences with at least 2 dimensions and a list of their lengths, got ",
                    padded_sequences.sizes(), " and ", lengths.sizes());
  const int64_t axis = batch_first ? 0 : 1, steps = padded_sequences.size(1 - axis);
  check<ValueError>(padded_sequences.size(axis) == lengths.numel(), op, ": expected a length for each of the ",
                    padded_sequences.size(axis), " sequences, got ", lengths.numel());
  std::vector<Tensor> list = padded_sequences.unbind(axis);
  for (size_t b = 0; b < list.size(); ++b)
    list[b] =
        list[b].narrow(0, 0, std::clamp<int64_t>(lengths[static_cast<int64_t>(b)].item<int64_t>(), 0, steps)).clone();
  return list;
}

extern const OpEntry packing_ops[];
extern const size_t packing_ops_count;
const OpEntry packing_ops[] = {
    doc("The permutation that takes this one back.",
        op<_invert_permutation>("_invert_permutation(Tensor permutation) -> Tensor", "c([2, 0, 1])\nc([0])")),
    doc("Sequences without their padding, step by step; how many have each step; their order by length, and back.",
        op<_pack_padded_sequences>("_pack_padded_sequences(Tensor input, Tensor lengths, bool batch_first=False, bool "
                                   "enforce_sorted=True) -> (Tensor, Tensor, Tensor, Tensor)",
                                   "t(4, 3, 2), c([2, 4, 3]), False, False\nt(3, 4), c([1, 4, 2]), True, False\n"
                                   "t(4, 3, 2), c([2, 4, 3])\nt(3, 2), c([2, 0]), False, False")),
    doc("Packed sequences with padding again, in their first order, and their lengths.",
        op<_pad_packed_sequences>("_pad_packed_sequences(Tensor data, Tensor batch_sizes, Tensor? "
                                  "unsorted_indices=None, bool batch_first=False, Scalar padding_value=0.0, int? "
                                  "total_length=None) -> (Tensor, Tensor)",
                                  "t(6, 2), c([3, 2, 1])\nt(4), c([2, 1, 1]), c([1, 0]), True, 1.5, 5\n"
                                  "t(4), c([2, 1, 1]), c([1, 0]), True, 1.5, 2")),
    doc("The list of sequences without their padding.",
        op<_unpad_sequence>("_unpad_sequence(Tensor padded_sequences, Tensor lengths, bool batch_first=False) -> "
                            "Tensor[]",
                            "t(4, 3, 2), c([2, 4, 3])\nt(3, 4), c([1, 4, 2]), True\nt(2, 3), c([5, 0]), True")),
};
const size_t packing_ops_count = std::size(packing_ops);

}  // namespace taut
