"""How a tensor would lie on several processes: values that can be made and compared."""

from ..._refuse import lacking

__all__ = ["Placement", "Shard", "Replicate", "Partial"]


class Placement:
    """How a tensor lies along one dimension of a mesh."""

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self):
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in self.__dict__.items())})"

    def is_shard(self, dim=None):
        """Is it in parts (along dim)?"""
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self):
        """Is it whole on each?"""
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op=None):
        """Has each a summand?"""
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)


class Shard(Placement):
    """In parts, along a dimension."""

    def __init__(self, dim):
        self.dim = dim


class Replicate(Placement):
    """Whole on each."""


class Partial(Placement):
    """Each has a summand."""

    def __init__(self, reduce_op="sum"):
        self.reduce_op = reduce_op


class _StridedShard(Shard):
    """In parts of parts."""

    def __init__(self, dim, *, split_factor):
        super().__init__(dim)
        self.split_factor = split_factor


for _class in (Placement, Shard, Replicate, Partial):
    _class.__module__ = "torch.distributed.tensor.placement_types"
del _class
__getattr__ = lacking("distributed.tensor.placement_types")
