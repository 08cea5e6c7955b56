"""Sequences of different lengths in one batch."""

from collections import namedtuple
from collections.abc import Iterable

from ... import _C
from ..._C import Tensor
from ..._pickling import ByName

_ops = _C.ops


def invert_permutation(permutation):
    """The permutation that takes this one back."""
    return None if permutation is None else _ops["_invert_permutation"](permutation)


class PackedSequence(ByName, namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])):
    """The steps of several sequences, one step after the other, without padding. pack_padded_sequence makes one."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def __reduce_ex__(self, protocol):
        # torch.save, whose protocol is 2, writes names in torch by itself.
        return super().__reduce_ex__(protocol) if protocol > 2 else tuple.__reduce_ex__(self, protocol)

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
    return PackedSequence(*_ops["_pack_padded_sequences"](input, lengths, batch_first, enforce_sorted))


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The sequences padded to one length, and their lengths."""
    return _ops["_pad_packed_sequences"](sequence.data, sequence.batch_sizes, sequence.unsorted_indices, batch_first,
                                         padding_value, total_length)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """The sequences padded to one length."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError("pad_sequence: Expected iterable for input sequences, but got arg of type: "
                           f"{type(sequences)}")
    return _ops["pad_sequence"](list(sequences), batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The list of sequences without their padding."""
    lengths = lengths if isinstance(lengths, Tensor) else _C._tensor(list(lengths), _C.int64)
    return list(_ops["_unpad_sequence"](padded_sequences, lengths, batch_first))


def pack_sequence(sequences, enforce_sorted=True):
    """Packs a list of sequences."""
    lengths = _C._tensor([s.shape[0] for s in sequences], _C.int64)
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """The list of sequences that were packed."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
