"""How a batch of samples is taken from a dataset."""

from .... import _C
from ..dataset import Subset, TensorDataset
from .collate import default_collate


def _by_rows(dataset, indices):
    """A batch of a TensorDataset (or of a Subset of one) in one go, when that is what its samples would stack to."""
    while type(dataset) is Subset:
        own = dataset.indices
        indices = [own[i] for i in indices]
        dataset = dataset.dataset
    return _C._rows_at(dataset.tensors, indices) if type(dataset) is TensorDataset and type(indices) is list else None


class Map:
    """From a dataset with indices."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.dataset, self.auto_collation, self.collate_fn = dataset, auto_collation, collate_fn

    def fetch(self, index):
        """The batch of these indices (or the sample of one)."""
        if not self.auto_collation:
            return self.collate_fn(self.dataset[index])
        if self.collate_fn is default_collate:
            batch = _by_rows(self.dataset, index)
            if batch is not None:
                return batch
        many = getattr(self.dataset, "__getitems__", None)
        return self.collate_fn(many(index) if many else [self.dataset[i] for i in index])


class Iterable:
    """From a dataset without indices; StopIteration at its end."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.samples = iter(dataset)
        self.auto_collation, self.collate_fn, self.drop_last = auto_collation, collate_fn, drop_last
        self.ended = False

    def fetch(self, index):
        """As many samples as there are indices (or one)."""
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.samples))
        batch = []
        for _ in index:
            try:
                batch.append(next(self.samples))
            except StopIteration:
                self.ended = True
                break
        if not batch or (self.drop_last and self.ended):
            raise StopIteration
        return self.collate_fn(batch)
