"""Datasets: things that can be indexed, or iterated over."""

import bisect
import math
from abc import abstractmethod
from collections.abc import Iterable
from itertools import accumulate

from ... import _C, default_generator
from ..._pickling import ByName

__all__ = ["Dataset", "IterableDataset", "TensorDataset", "StackDataset", "ConcatDataset", "ChainDataset", "Subset",
           "random_split"]


class Dataset(ByName):
    """Samples by index: subclasses have __getitem__, and __len__ for samplers.

    `__getitems__(indices)`, if there, is asked for a whole batch. A dataset whose `worker_processes` is True gets
    processes, not threads, as workers of a DataLoader.
    """

    worker_processes = False

    def __class_getitem__(cls, item):
        return cls

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset, Iterable):
    """Samples one after the other: subclasses have __iter__. With workers, each iterates over a copy of its own."""

    def __add__(self, other):
        return ChainDataset([self, other])

    @abstractmethod
    def __iter__(self):
        raise NotImplementedError


class TensorDataset(Dataset):
    """Sample i is the i-th part of each of the tensors."""

    def __init__(self, *tensors):
        if any(tensors[0].size(0) != t.size(0) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(t[index] for t in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


def _many(dataset, indices):
    """The samples of a batch, all at once where the dataset can do that."""
    if callable(getattr(dataset, "__getitems__", None)):
        samples = dataset.__getitems__(indices)
        if len(samples) != len(indices):
            raise ValueError(f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(samples)}")
        return samples
    return [dataset[i] for i in indices]


class StackDataset(Dataset):
    """Sample i is made of the i-th samples of all datasets: a tuple, or a dict when they were given by name."""

    def __init__(self, *args, **kwargs):
        if args and kwargs:
            raise ValueError("Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like "
                             "input/output, but both types are given.")
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        self.datasets = args or kwargs
        parts = list(args or kwargs.values())
        self._length = len(parts[0])
        if any(len(d) != self._length for d in parts):
            raise ValueError("Size mismatch between datasets")

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {k: d[index] for k, d in self.datasets.items()}
        return tuple(d[index] for d in self.datasets)

    def __getitems__(self, indices):
        if isinstance(self.datasets, dict):
            columns = [_many(d, indices) for d in self.datasets.values()]
            return [dict(zip(self.datasets, row)) for row in zip(*columns)]
        return list(zip(*(_many(d, indices) for d in self.datasets)))

    def __len__(self):
        return self._length


class ConcatDataset(Dataset):
    """The samples of several datasets, one after the other."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(d, IterableDataset) for d in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence):
        """The lengths, added up."""
        return list(accumulate(len(d) for d in sequence))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]


class ChainDataset(IterableDataset):
    """The samples of several iterable datasets, one after the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def _parts(self):
        for d in self.datasets:
            if not isinstance(d, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield d

    def __iter__(self):
        for d in self._parts():
            yield from d

    def __len__(self):
        return sum(len(d) for d in self._parts())


class Subset(Dataset):
    """Some samples of a dataset, by their indices."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices
        cls = type(self)
        if cls.__getitem__ is not Subset.__getitem__ and cls.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(f"{cls.__name__} overrides __getitem__ but not __getitems__. When subclassing "
                                      "Subset and overriding __getitem__, you must also override __getitems__ to "
                                      "ensure DataLoader works correctly with your custom logic.")

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices):
        return _many(self.dataset, [self.indices[i] for i in indices])

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=default_generator):
    """Subsets of these lengths (or shares, when they add up to 1), the samples divided at random."""
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for i, share in enumerate(lengths):
            if share < 0 or share > 1:
                raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        lengths = _C._lengths_of_shares(len(dataset), list(lengths))
        for i, length in enumerate(lengths):
            if length == 0:
                import warnings

                warnings.warn(f"Length of split at index {i} is 0. This might result in an empty dataset.",
                              stacklevel=2)
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    return [Subset(dataset, indices) for indices in _C._split(list(lengths), generator)]


for _name in __all__[:-1]:
    globals()[_name].__module__ = "torch.utils.data.dataset"
