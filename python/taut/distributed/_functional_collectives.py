"""The collectives of torch.distributed as functions: they return their result and leave their input as it is."""

from .. import _C
from . import distributed_c10d as _c10d


def _group(group):
    return group if isinstance(group, _c10d.ProcessGroup) else None


def wait_tensor(tensor):
    """The tensor: nothing is under way."""
    return tensor


def all_reduce(self, reduceOp, group=None, tag=""):
    """The sum, mean, product, minimum or maximum over all ranks."""
    made = self.clone()
    mean = reduceOp.lower() in ("avg", "mean")
    _c10d.all_reduce(made, getattr(_c10d.ReduceOp, "SUM" if mean else reduceOp.upper()), group=_group(group))
    return made / _c10d.get_world_size(_group(group)) if mean else made


def broadcast(self, src, group=None, tag=""):
    """What rank `src` has."""
    made = self.clone()
    _c10d.broadcast(made, src, group=_group(group))
    return made


def all_gather_tensor(self, gather_dim, group=None, tag=""):
    """What all ranks have, one after the other along a dimension."""
    parts = [_C.ops["empty_like"](self) for _ in range(_c10d.get_world_size(_group(group)))]
    _c10d.all_gather(parts, self.contiguous(), group=_group(group))
    return _C.ops["cat"](parts, gather_dim)


def reduce_scatter_tensor(self, reduceOp, scatter_dim, group=None, tag=""):
    """This rank's part of the reduced tensor."""
    made = all_reduce(self, reduceOp, group)
    return made.chunk(_c10d.get_world_size(_group(group)), scatter_dim)[_c10d.get_rank(_group(group))].contiguous()


def all_to_all_single(self, output_split_sizes=None, input_split_sizes=None, group=None, tag=""):
    """Part k goes to rank k; differentiable."""
    from .nn.functional import all_to_all_single as exchange

    n = len(self) if output_split_sizes is None else sum(output_split_sizes)
    group = {} if _group(group) is None else {"group": group}
    return exchange(self.new_empty((n, *self.shape[1:])), self, output_split_sizes, input_split_sizes, **group)


all_to_all_single_autograd = all_to_all_single


class AsyncCollectiveTensor(_C.Tensor):
    """A result that is still on its way: none is."""


def __getattr__(name):
    raise AttributeError(f"torch.distributed._functional_collectives.{name} is not part of Taut")
