"""DistributedDataParallel: a module whose gradients are averaged over all ranks while backward goes on."""

import contextlib

from ... import _C
from ..._C import Tensor
from ...distributed import distributed_c10d as dist
from ...distributed.algorithms.join import Join, Joinable, JoinHook
from ..modules.module import Module

__all__ = ["DistributedDataParallel", "GradBucket"]


class GradBucket:
    """Gradients that are reduced together, for a communication hook."""

    def __init__(self, flat, index, last, parameters):
        self._flat, self._index, self._last, self._parameters = flat, index, last, parameters

    def buffer(self):
        """All of them, flat."""
        return self._flat

    def set_buffer(self, tensor):
        """Puts others in their place."""
        self._flat = tensor

    def gradients(self):
        """One by one: views of the buffer."""
        views, at = [], 0
        for p in self._parameters:
            views.append(self._flat[at:at + p.numel()].view(p.shape))
            at += p.numel()
        return views

    def parameters(self):
        """Whose gradients they are."""
        return list(self._parameters)

    def index(self):
        """Which bucket it is; their order is the same on all ranks."""
        return self._index

    def is_last(self):
        """Is it the last one of this backward?"""
        return self._last


def _tensors(x, found):
    if isinstance(x, Tensor):
        found.append(x)
    elif isinstance(x, dict):
        for value in x.values():
            _tensors(value, found)
    elif isinstance(x, (list, tuple, set)):
        for value in x:
            _tensors(value, found)
    elif hasattr(x, "__dataclass_fields__"):
        for name in x.__dataclass_fields__:
            _tensors(getattr(x, name), found)
    return found


class _Shadow(JoinHook):
    """Of a rank without inputs: it takes part in what forward and backward of the others send, with zeros."""

    def __init__(self, ddp, divide_by_initial_world_size):
        self._ddp = ddp
        ddp._divide_by_all = divide_by_initial_world_size

    def main_hook(self):
        ddp = self._ddp
        ddp._sync_buffers(active=False)
        if ddp._any_rank(False):
            ddp.reducer._shadow()
            ddp.require_forward_param_sync = True
        else:
            ddp.require_forward_param_sync = False

    def post_hook(self, is_last_joiner):
        ddp = self._ddp
        root = ddp._greatest(ddp.process_group.rank() if is_last_joiner else -1)
        ddp._broadcast([p.detach() for p in ddp.module.parameters()] + ddp._buffers_to_sync(), root)
        ddp.reducer._set_divisor(0)


class DistributedDataParallel(Module, Joinable):
    """A module whose gradients are the mean over all ranks, and whose parameters begin as those of rank 0."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True, process_group=None, bucket_cap_mb=None,
                 find_unused_parameters=False, check_reduction=False, gradient_as_bucket_view=False, static_graph=False, delay_all_reduce_named_params=None,
                 param_to_hook_all_reduce=None, mixed_precision=None, device_mesh=None, skip_all_reduce_unused_params=False):
        super().__init__()
        Joinable.__init__(self)
        if device_ids not in (None, []) or output_device is not None:
            raise ValueError("DistributedDataParallel device_ids and output_device arguments only work with single-device/multiple-device GPU modules or CPU "
                             f"modules, but got device_ids {device_ids}, output_device {output_device}, and module parameters "
                             f"{ {p.device for p in module.parameters()} }.")
        if process_group is not None and device_mesh is not None:
            raise RuntimeError("Cannot specify both process_group and device_mesh arguments.")
        if device_mesh is not None:
            process_group = device_mesh.get_group()
        self.process_group = dist._get_default_group() if process_group is None else process_group
        self.module, self.dim, self.device_ids, self.output_device = module, dim, None, None
        self.broadcast_buffers, self.find_unused_parameters, self.static_graph = broadcast_buffers, find_unused_parameters, static_graph
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self.parameters_to_ignore = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
        named = [(n, p) for n, p in module.named_parameters() if n not in self.parameters_to_ignore]
        self._trained = [p for _, p in named if p.requires_grad]
        if not self._trained:
            raise RuntimeError("DistributedDataParallel is not needed when a module doesn't have any parameters that require a gradient.")
        if init_sync:
            self._verify(named)
            self._broadcast([p.detach() for _, p in named] + self._buffers_to_sync())
        mb = 25 if bucket_cap_mb is None else bucket_cap_mb
        self.reducer = _C._distributed()._reducer(self._trained, self.process_group, int(mb * (1 << 20)),
                                                  int(min(1, mb) * (1 << 20)) if bucket_cap_mb is None else int(mb * (1 << 20)),
                                                  bool(find_unused_parameters or static_graph))

    def _verify(self, named):
        """All ranks have the same parameters, or all say who has others."""
        mine = [(n, tuple(p.shape), str(p.dtype)) for n, p in named]
        everyone = [None] * dist.get_world_size(self.process_group)
        dist.all_gather_object(everyone, mine, self.process_group)
        for rank, others in enumerate(everyone):
            if others != mine:
                different = next((a, b) for a, b in zip(mine + [None], others + [None]) if a != b)
                raise RuntimeError(f"DDP expects same model across all ranks, but Rank {self.process_group.rank()} has {len(mine)} params and rank {rank} "
                                   f"has {len(others)}; the first that differs: {different[0]} here, {different[1]} there.")

    def _buffers_to_sync(self):
        return [b.detach() for n, b in self.module.named_buffers() if n not in self.parameters_to_ignore]

    def _broadcast(self, tensors, root=0):
        works = [self.process_group._broadcast(t, root) for t in tensors]
        for work in works:
            work._wait(0.0)

    def _greatest(self, number):
        greatest = _C.ops["full"]([], number, dtype=_C.int64)
        dist.all_reduce(greatest, dist.ReduceOp.MAX, group=self.process_group)
        return greatest.item()

    def _any_rank(self, here):
        return self._greatest(int(here)) > 0

    def _sync_buffers(self, active=True):
        buffers = self._buffers_to_sync() if self.broadcast_buffers and self.require_forward_param_sync else []
        if not buffers:
            return
        shadows = self._joining is not None or not active
        self._broadcast(buffers, self._greatest(self.process_group.rank() if active else -1) if shadows else 0)

    def forward(self, *inputs, **kwargs):
        told = Join.notify_join_context(self)
        if _C.is_grad_enabled() or self._joining:
            self._sync_buffers()
        if self._joining:
            self._any_rank(self.require_backward_grad_sync and _C.is_grad_enabled())
            if told and not self._divide_by_all:
                told.wait()
                self.reducer._set_divisor(self._active_ranks.item())
        output = self.module(*inputs, **kwargs)
        self.reducer._set_sync(self.require_backward_grad_sync)
        if _C.is_grad_enabled():
            self.reducer._prepare(_tensors(output, []))
        self.require_forward_param_sync = self.require_backward_grad_sync
        return output

    @contextlib.contextmanager
    def no_sync(self):
        """Within it gradients are only added up on each rank; the first backward after it reduces them."""
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def join(self, divide_by_initial_world_size=True, enable=True, throw_on_early_termination=False):
        """A block in which ranks may run out of inputs at different times."""
        return Join([self], enable, throw_on_early_termination, divide_by_initial_world_size=divide_by_initial_world_size)

    def join_hook(self, **kwargs):
        """Gradients are divided by the number of all ranks, or (divide_by_initial_world_size=False) of those that have inputs."""
        return _Shadow(self, kwargs.get("divide_by_initial_world_size", True))

    @property
    def join_device(self):
        return self._trained[0].device

    @property
    def join_process_group(self):
        return self.process_group

    def register_comm_hook(self, state, hook):
        """Before the first step: hook(state, bucket) gives a future of what the bucket's gradients become."""
        if not callable(hook):
            raise TypeError("Communication hook must be callable.")

        def run(flat, index, last, parameters):
            future = hook(state, GradBucket(flat, index, last, parameters))

            def wait():
                value = future.wait()
                return value[0] if isinstance(value, (list, tuple)) else value

            return wait

        self.reducer._set_hook(run)

    def _set_static_graph(self):
        self.static_graph = True

    def train(self, mode=True):
        super().train(mode)
        self.module.train(mode)
        return self

    def __getstate__(self):
        raise RuntimeError("DistributedDataParallel cannot be pickled: save ddp.module.state_dict()")


DistributedDataParallel.__module__ = "torch.nn.parallel.distributed"
