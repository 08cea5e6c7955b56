"""Checkpoints that keep the results of some ops, as a policy says, and compute the others again."""

import enum
from collections import defaultdict

from .. import _C
from .._C import Tensor
from .._ops import OpOverload, aten
from ._python_dispatch import TorchDispatchMode
from ._pytree import tree_iter, tree_map


class CheckpointPolicy(enum.Enum):
    """What becomes of the result of an op. PREFER leaves the choice to a compiler, which there is none here; OFFLOAD keeps it, too."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


_SAVE = {CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE, CheckpointPolicy.MUST_CPU_OFFLOAD, CheckpointPolicy.PREFER_CPU_OFFLOAD}


class SelectiveCheckpointContext:
    """What a policy is told beside the op and its arguments."""

    def __init__(self, *, is_recompute, op_output=None):
        self.is_recompute, self.op_output = is_recompute, op_output


for _cls in (CheckpointPolicy, SelectiveCheckpointContext):
    _cls.__module__ = "torch.utils.checkpoint"
SAC_IGNORED_OPS = {aten.detach.default, aten.lift_fresh.default}


class _Kept:
    """A result that is kept, and the version it had."""

    def __init__(self, t):
        self.tensor, self.version = t.detach(), t._version

    def get(self, allow_mutation):
        if self.tensor._version != self.version and not allow_mutation:
            raise RuntimeError("Tensor cached during selective activation checkpoint has been mutated")
        return self.tensor


class _Caching(TorchDispatchMode):
    """The first run: keeps what the policy says."""

    def __init__(self, policy, kept):
        super().__init__()
        self.policy, self.kept = policy, kept

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if func in SAC_IGNORED_OPS:
            return out
        policy = self.policy(SelectiveCheckpointContext(is_recompute=False, op_output=out), func, *args, **kwargs)
        if isinstance(policy, bool):
            policy = CheckpointPolicy.MUST_SAVE if policy else CheckpointPolicy.PREFER_RECOMPUTE
        keep = policy in _SAVE and not func._schema.is_mutable
        self.kept[func].append(tree_map(lambda x: _Kept(x) if isinstance(x, Tensor) else x, out) if keep else None)
        return out


class _Cached(TorchDispatchMode):
    """The second run: takes what was kept, and records the op without computing it."""

    def __init__(self, kept, allow_mutation):
        super().__init__()
        self.kept, self.allow_mutation = kept, allow_mutation

    def __enter__(self):
        self.next = defaultdict(int)
        return super().__enter__()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func in SAC_IGNORED_OPS:
            return func(*args, **kwargs)
        at = self.next[func]
        self.next[func] += 1
        if at >= len(self.kept[func]):
            raise RuntimeError("trying to backward an extra time. You are not allowed to backward an extra time on any region computed under "
                               "selective activation checkpoint." if not self.kept[func] else
                               f"{func} encountered during backward, but not found in storage")
        kept = self.kept[func][at]
        return func(*args, **kwargs) if kept is None else self._recorded(func, args, kwargs, kept)

    def _recorded(self, func, args, kwargs, kept):
        found = [k.get(self.allow_mutation) if isinstance(k, _Kept) else k for k in tree_iter(kept)]
        if not any(isinstance(a, Tensor) and a.requires_grad for a in tree_iter((args, kwargs))):
            it = iter(found)
            return tree_map(lambda _: next(it), kept)
        tensors = [t for t in found if isinstance(t, Tensor)]
        note = _running[-1] if _running else None

        def real(t):  # what the op saves of its own results has no numbers
            if t.is_meta:
                t = next((k for k in tensors if k.shape == t.shape and k.dtype is t.dtype), t)
            return t if note is None else note(t)

        _C._push_saved_hooks(real, lambda packed: packed)
        dry = _C._set_dry(True)
        try:
            made = func(*args, **kwargs)
        finally:
            _C._set_dry(dry)
            _C._pop_saved_hooks()
        traced = iter([t.requires_grad if isinstance(t, Tensor) else False for t in tree_iter(made)])
        values = iter(found)

        def result(_):
            value, follows = next(values), next(traced)
            return value.detach().requires_grad_(follows) if isinstance(value, Tensor) else value

        return tree_map(result, kept)


_running = []  # who notes saved tensors in the second runs that are on


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    """The contexts of a checkpoint that keeps the results of some ops: those in a list, or for which policy(ctx, op, *args) says so.

    To be given as context_fn=lambda: create_selective_checkpoint_contexts(...).
    """
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            if not isinstance(op, OpOverload):
                more = " Please update the OpOverloadPacket to a specific OpOverload. For example, if you have `torch.ops.aten.mm`, change it to " \
                       "`torch.ops.aten.mm.default`." if type(op).__name__ == "OpOverloadPacket" else ""
                raise ValueError(f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}.{more}")
        listed = set(policy_fn_or_list)

        def policy(ctx, op, *args, **kwargs):
            return CheckpointPolicy.MUST_SAVE if op in listed else CheckpointPolicy.PREFER_RECOMPUTE
    elif callable(policy_fn_or_list):
        policy = policy_fn_or_list
    else:
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    kept = defaultdict(list)
    return _Caching(policy, kept), _Cached(kept, allow_cache_entry_mutation)


class _Stop(Exception):
    """All that is needed was computed."""


class _Frame:
    """One checkpoint: how many tensors were saved in it, and what the second run found in their places."""

    def __init__(self, function, args, kwargs, preserve, second, early_stop):
        self.function, self.args, self.kwargs, self.second, self.early_stop = function, args, kwargs, second, early_stop
        self.metas, self.found, self.running = [], {}, None
        self.random = _C._default_generator().get_state() if preserve else None
        from ..amp.autocast_mode import get_autocast_dtype, is_autocast_cache_enabled, is_autocast_enabled

        self.autocast = is_autocast_enabled("cpu"), get_autocast_dtype("cpu"), is_autocast_cache_enabled()

    def pack(self, t):
        self.metas.append((tuple(t.shape), t.dtype))
        return len(self.metas) - 1

    def unpack(self, place):
        if place not in self.found:
            self.again()
        return self.found.pop(place)

    def note(self, t):
        self.found[self.count] = t.detach()
        self.count += 1
        if self.early_stop and self.count == len(self.metas):
            raise _Stop
        return t

    def again(self):
        from ..amp import autocast
        from ..autograd.grad_mode import enable_grad
        from .checkpoint import CheckpointError

        self.count, self.found = 0, {}
        generator = _C._default_generator()
        before = generator.get_state()
        if self.random is not None:
            generator.set_state(self.random)
        args, kwargs = tree_map(lambda x: x.detach().requires_grad_(x.requires_grad) if isinstance(x, Tensor) else x, (self.args, self.kwargs))
        on, dtype, cache = self.autocast
        _running.append(self.note)
        _C._push_saved_hooks(self.note, lambda t: t)
        try:
            with enable_grad(), self.second, autocast("cpu", dtype=dtype, enabled=on, cache_enabled=cache):
                self.function(*args, **kwargs)
        except _Stop:
            pass
        finally:
            _C._pop_saved_hooks()
            _running.pop()
            if self.random is not None:
                generator.set_state(before)
        if self.count != len(self.metas):
            raise CheckpointError("torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
                                  f"Number of tensors saved during forward: {len(self.metas)}\n"
                                  f"Number of tensors saved during recomputation: {self.count}.")


def run(function, args, kwargs, contexts, preserve, early_stop):
    """function(*args, **kwargs), of which only what the policy says is kept."""
    first, second = contexts
    frame = _Frame(function, args, kwargs, preserve, second, early_stop)
    _C._push_saved_hooks(frame.pack, frame.unpack)
    try:
        with first:
            return function(*args, **kwargs)
    finally:
        _C._pop_saved_hooks()


def is_selective(contexts):
    """Did create_selective_checkpoint_contexts() make them?"""
    return isinstance(contexts[1], _Cached)
