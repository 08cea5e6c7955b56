"""Sequences of different lengths in one batch."""

from collections import namedtuple
from collections.abc import Iterable

from ... import _C
from ..._C import Tensor

_ops = _C.ops


def invert_permutation(permutation):
    """The permutation that takes this one back."""
    if permutation is None:
        return None
    places = _ops["arange"](permutation.numel(), dtype=permutation.dtype)
    return _ops["zeros_like"](permutation).scatter(0, permutation, places)


class PackedSequence(namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])):
    """The steps of several sequences, one step after the other, without padding. pack_padded_sequence makes one."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        """The sequences in another dtype."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else type(self)(data, self.batch_sizes, self.sorted_indices,
                                                         self.unsorted_indices)

    def double(self):
        """The sequences as float64."""
        return self.to(_C.float64)

    def float(self):
        """The sequences as float32."""
        return self.to(_C.float32)

    def half(self):
        """The sequences as float16."""
        return self.to(_C.float16)

    def long(self):
        """The sequences as int64."""
        return self.to(_C.int64)

    def int(self):
        """The sequences as int32."""
        return self.to(_C.int32)

    def short(self):
        """The sequences as int16."""
        return self.to(_C.int16)

    def char(self):
        """The sequences as int8."""
        return self.to(_C.int8)

    def byte(self):
        """The sequences as uint8."""
        return self.to(_C.uint8)

    def cpu(self, *args, **kwargs):
        """The sequences themselves."""
        return self

    def cuda(self, *args, **kwargs):
        """Raises, as PyTorch does where there is no GPU."""
        self.data.cuda()

    def pin_memory(self):
        """The sequences themselves."""
        return self

    def is_pinned(self):
        """False."""
        return False

    @property
    def is_cuda(self):
        """False."""
        return False


PackedSequence.__module__ = "torch.nn.utils.rnn"


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Packs padded sequences of these lengths; sorts them if enforce_sorted is False."""
    if not isinstance(lengths, Tensor):
        lengths = _C._tensor(list(lengths), _C.int64)
    axis = 0 if batch_first else 1
    batch = input.shape[axis]
    order = None
    if lengths.dim() != 1 or lengths.numel() != batch:
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {lengths.numel()} "
                           f"(batch_size={batch})")
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input = input.index_select(axis, order)
    elif bool((lengths[1:] > lengths[:-1]).any()):
        raise RuntimeError("`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can "
                           "pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this "
                           "requirement if you do not need ONNX exportability.")
    if bool((lengths <= 0).any()):
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is "
                           "<= 0")
    data, batch_sizes = _ops["_pack_padded_sequence"](input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, order, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The sequences padded to one length, and their lengths."""
    longest = sequence.batch_sizes.shape[0]
    if total_length is not None:
        if total_length < longest:
            raise ValueError("Expected total_length to be at least the length of the longest sequence in input, but "
                             f"got total_length={total_length} and max sequence length being {longest}")
        longest = total_length
    padded, lengths = _ops["_pad_packed_sequence"](sequence.data, sequence.batch_sizes, batch_first, padding_value,
                                                   longest)
    back = sequence.unsorted_indices
    if back is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, back), lengths[back]


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """The sequences padded to one length."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError("pad_sequence: Expected iterable for input sequences, but got arg of type: "
                           f"{type(sequences)}")
    return _ops["pad_sequence"](list(sequences), batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The list of sequences without their padding."""
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [s[:int(n)] for s, n in zip(padded_sequences, lengths)]


def pack_sequence(sequences, enforce_sorted=True):
    """Packs a list of sequences."""
    lengths = _C._tensor([s.shape[0] for s in sequences], _C.int64)
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """The list of sequences that were packed."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
