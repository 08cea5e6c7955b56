"""Uneven inputs: ranks that have no more of them take part in what the others still reduce."""

import abc

from ... import _C
from .. import distributed_c10d as dist

__all__ = ["Join", "Joinable", "JoinHook"]


class JoinHook:
    """What a rank does that has joined, which is to say has no more inputs."""

    def main_hook(self):
        """In each iteration of the others: takes part in their collectives."""

    def post_hook(self, is_last_joiner):
        """Once, when all have joined."""


class Joinable(abc.ABC):
    """What may be given to Join."""

    def __init__(self):
        super().__init__()
        self._joining = None  # the Join at work, on the first of its joinables
        self._active_ranks = None

    @abc.abstractmethod
    def join_hook(self, **kwargs):
        """The JoinHook for this object."""

    @property
    @abc.abstractmethod
    def join_device(self):
        """Where its tensors are."""

    @property
    @abc.abstractmethod
    def join_process_group(self):
        """Whose ranks may run out of inputs."""


class Join:
    """A block in which ranks may run out of inputs at different times."""

    def __init__(self, joinables, enable=True, throw_on_early_termination=False, **kwargs):
        if not joinables:
            raise ValueError("The join context manager requires at least one joinable")
        self._joinables, self._enabled, self._throws = joinables, enable, throw_on_early_termination
        self._hooks = [j.join_hook(**kwargs) for j in joinables]
        self._group = joinables[0].join_process_group
        if any(j.join_process_group is not self._group for j in joinables):
            raise ValueError("Using join context manager with multiple process groups")

    def __enter__(self):
        if self._enabled:
            for j in self._joinables:
                j._joining = self
        return self

    def __exit__(self, kind, value, traceback):
        if not self._enabled:
            return
        for j in self._joinables:
            j._joining = None
        if kind is not None:
            return
        last = True
        while self._sum(0):
            last = False
            if self._throws:
                self._sum(1)
                raise RuntimeError(f"Rank {self._group.rank()} exhausted all inputs.")
            for hook in self._hooks:
                hook.main_hook()
        for hook in self._hooks:
            hook.post_hook(last)

    def _sum(self, mine):
        count = _C.ops["full"]([], mine, dtype=_C.int64)
        dist.all_reduce(count, group=self._group)
        return count.item()

    @staticmethod
    def notify_join_context(joinable):
        """Called by a joinable before the collectives of an iteration: says to those who have joined that this rank has not."""
        join = joinable._joining
        if join is None or join._joinables[0] is not joinable:
            return None
        joinable._active_ranks = _C.ops["full"]([], 1, dtype=_C.int64)
        work = dist.all_reduce(joinable._active_ranks, group=join._group, async_op=True)
        if join._throws and join._sum(0):
            raise RuntimeError("Detected at least one rank that exhausted inputs. Throwing across all ranks.")
        return work
