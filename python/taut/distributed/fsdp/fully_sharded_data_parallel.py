"""A unit is a module whose parameters are one flat tensor, of which each rank keeps a part.

Forward gathers the whole; what autograd keeps of it is a note of where it lies, so that it is freed after forward, and gathered
again when backward asks for it. The derivative of the gathering is the mean of the parts' gradients, each where it is kept.
"""

import contextlib
import enum
import math

from ... import empty, zeros
from ..._C import Tensor
from ...autograd import Function
from ...autograd.grad_mode import no_grad
from ...autograd.graph import saved_tensors_hooks
from ...nn.modules.module import Module
from ...nn.parameter import Parameter
from .. import distributed_c10d as dist
from . import full_state

__all__ = ["BackwardPrefetch", "CPUOffload", "CPUOffloadPolicy", "FSDPModule", "FullOptimStateDictConfig", "FullStateDictConfig", "FullyShardedDataParallel", "MixedPrecision",
           "MixedPrecisionPolicy", "OffloadPolicy", "OptimStateKeyType", "ShardedOptimStateDictConfig", "ShardedStateDictConfig", "ShardingStrategy", "StateDictType", "fully_shard"]


class ShardingStrategy(enum.Enum):
    """What is shared out, and when."""

    FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD, _HYBRID_SHARD_ZERO2 = range(1, 6)


class BackwardPrefetch(enum.Enum):
    """When the next unit is gathered; here when it is needed."""

    BACKWARD_PRE, BACKWARD_POST = range(1, 3)


class StateDictType(enum.Enum):
    """What state_dict gives."""

    FULL_STATE_DICT, LOCAL_STATE_DICT, SHARDED_STATE_DICT = range(1, 4)


class OptimStateKeyType(enum.Enum):
    """How the state of an optimiser names its parameters."""

    PARAM_NAME, PARAM_ID = range(1, 3)


class _Settings:
    def __init__(self, **settings):
        names = list(self._defaults)
        unknown = set(settings) - set(names)
        if unknown:
            raise TypeError(f"{type(self).__name__} has no option {sorted(unknown)[0]!r}")
        self.__dict__.update(self._defaults)
        self.__dict__.update(settings)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


def _settings(name, doc, **defaults):
    return type(name, (_Settings,), {"_defaults": defaults, "__doc__": doc, "__module__": "torch.distributed.fsdp"})


MixedPrecision = _settings("MixedPrecision", "In which dtypes is computed and reduced.", param_dtype=None, reduce_dtype=None, buffer_dtype=None,
                           keep_low_precision_grads=False, cast_forward_inputs=False, cast_root_forward_inputs=True)
MixedPrecisionPolicy = _settings("MixedPrecisionPolicy", "In which dtypes is computed and reduced.", param_dtype=None, reduce_dtype=None, output_dtype=None,
                                 cast_forward_inputs=True)
CPUOffload = _settings("CPUOffload", "Everything is on the CPU anyway.", offload_params=False)
OffloadPolicy = _settings("OffloadPolicy", "Everything is on the CPU anyway.")
CPUOffloadPolicy = _settings("CPUOffloadPolicy", "Everything is on the CPU anyway.", pin_memory=True)
FullStateDictConfig = _settings("FullStateDictConfig", "Who gets the whole.", offload_to_cpu=False, rank0_only=False)
ShardedStateDictConfig = _settings("ShardedStateDictConfig", "Of state dicts by parts.", offload_to_cpu=False, _use_dtensor=False)
FullOptimStateDictConfig = _settings("FullOptimStateDictConfig", "Who gets the whole.", offload_to_cpu=True, rank0_only=False)
ShardedOptimStateDictConfig = _settings("ShardedOptimStateDictConfig", "Of state dicts by parts.", offload_to_cpu=True, _use_dtensor=False)


class _Gather(Function):
    """The whole from the parts; its derivative is the mean over ranks, part by part."""

    @staticmethod
    def forward(ctx, shard, unit):
        ctx.unit = unit
        return unit.gather(shard)

    @staticmethod
    def backward(ctx, grad):
        unit = ctx.unit
        unit.whole = None
        dtype = unit.reduce_dtype or grad.dtype
        grad = grad.to(dtype).contiguous().div_(unit.group.size())
        part = empty(unit.length, dtype=dtype)
        dist.reduce_scatter_tensor(part, grad, group=unit.group)
        return part.to(unit.shard.dtype), None


class _Unit:
    """The flat parameter of a module, but for those of inner units."""

    def __init__(self, module, group, ignored, mixed):
        self.module, self.group, self.whole = module, group, None
        self.param_dtype, self.reduce_dtype = getattr(mixed, "param_dtype", None), getattr(mixed, "reduce_dtype", None)
        self.places, seen = [], {}
        for name, owner in module.named_modules():
            if any(name == inner or name.startswith(inner + ".") for inner in ignored):
                continue
            for key, p in list(owner._parameters.items()):
                if p is None:
                    continue
                if p not in seen:
                    seen[p] = sum(q.numel() for q in seen)
                self.places.append((owner, key, seen[p], p.shape, f"{name}.{key}" if name else key))
        params = list(seen)
        if len({p.dtype for p in params}) > 1:
            raise ValueError("FullyShardedDataParallel: must flatten tensors with uniform dtype: a unit's parameters have several")
        self.numel = sum(p.numel() for p in params)
        self.length = math.ceil(self.numel / group.size())
        self.shard = None
        if not params:
            return
        whole = zeros(self.length * group.size(), dtype=params[0].dtype)
        at = 0
        for p in params:
            whole[at:at + p.numel()] = p.detach().reshape(-1)
            at += p.numel()
        dist.broadcast(whole, group=group, group_src=0)
        rank = group.rank()
        self.shard = Parameter(whole[rank * self.length:(rank + 1) * self.length].clone(), requires_grad=any(p.requires_grad for p in params))
        for owner, key, *_ in self.places:
            del owner._parameters[key]

    def gather(self, shard):
        """The whole flat parameter."""
        source = shard.detach().to(self.param_dtype) if self.param_dtype else shard.detach()
        whole = empty(self.length * self.group.size(), dtype=source.dtype)
        dist.all_gather_into_tensor(whole, source, group=self.group)
        return whole

    def show(self, whole):
        """The module's parameters are views of it, for now."""
        for owner, key, at, shape, _ in self.places:
            count = 1
            for n in shape:
                count *= n
            object.__setattr__(owner, key, whole[at:at + count].view(shape))

    def hide(self):
        """They are gone."""
        for owner, key, *_ in self.places:
            owner.__dict__.pop(key, None)

    def hooks(self, whole):
        """Keeps a note in the place of what lies in the whole, and gathers it anew when that is asked for."""
        storage, item = whole.untyped_storage().data_ptr(), whole.element_size()

        def pack(t):
            if t.untyped_storage().data_ptr() != storage:
                return t
            return (t.data_ptr() - storage) // item, tuple(t.shape), tuple(t.stride())

        def unpack(kept):
            if isinstance(kept, Tensor):
                return kept
            if self.whole is None:
                with no_grad():
                    self.whole = self.gather(self.shard)
            offset, shape, strides = kept
            return self.whole.as_strided(shape, strides, offset)

        return saved_tensors_hooks(pack, unpack)


class FullyShardedDataParallel(Module):
    """A module of which each rank keeps a part."""

    def __init__(self, module, process_group=None, sharding_strategy=None, cpu_offload=None, auto_wrap_policy=None, backward_prefetch=None,
                 mixed_precision=None, ignored_modules=None, param_init_fn=None, device_id=None, sync_module_states=False, forward_prefetch=False,
                 limit_all_gathers=True, use_orig_params=False, ignored_states=None, device_mesh=None):
        super().__init__()
        self.process_group = device_mesh.get_group() if device_mesh is not None else dist._get_default_group() if process_group is None else process_group
        self._settings = dict(process_group=self.process_group, sharding_strategy=sharding_strategy, mixed_precision=mixed_precision)
        if auto_wrap_policy is not None:
            self._wrap_inside(module, auto_wrap_policy)
        self.sharding_strategy = sharding_strategy or ShardingStrategy.FULL_SHARD
        inner = [n for n, m in module.named_modules() if isinstance(m, FullyShardedDataParallel)]
        self._fsdp_wrapped_module = module
        self._unit = _Unit(module, self.process_group, inner, mixed_precision)
        self._keep_whole = self.sharding_strategy in (ShardingStrategy.SHARD_GRAD_OP, ShardingStrategy.NO_SHARD)
        if self._unit.shard is not None:
            self._flat_param = self._unit.shard
        for b in module.buffers():
            dist.broadcast(b.detach(), group=self.process_group, group_src=0)

    def _wrap_inside(self, module, policy):
        def visit(m):
            for name, child in list(m.named_children()):
                if isinstance(child, FullyShardedDataParallel):
                    continue
                if policy(module=child, recurse=True, nonwrapped_numel=sum(p.numel() for p in child.parameters())):
                    visit(child)
                free = sum(p.numel() for n, p in child.named_parameters() if "_flat_param" not in n)
                if free and policy(module=child, recurse=False, nonwrapped_numel=free):
                    setattr(m, name, FullyShardedDataParallel(child, **self._settings))

        visit(module)

    @property
    def module(self):
        """The module itself."""
        return self._fsdp_wrapped_module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("_fsdp_wrapped_module"), name)

    def forward(self, *args, **kwargs):
        unit = self._unit
        if unit.shard is None:
            return self.module(*args, **kwargs)
        if unit.param_dtype:
            args = tuple(a.to(unit.param_dtype) if isinstance(a, Tensor) and a.is_floating_point() else a for a in args)
        whole = _Gather.apply(unit.shard, unit)
        unit.show(whole)
        try:
            with contextlib.nullcontext() if self._keep_whole else unit.hooks(whole):
                return self.module(*args, **kwargs)
        finally:
            unit.hide()

    @staticmethod
    @contextlib.contextmanager
    def summon_full_params(module, recurse=True, writeback=True, rank0_only=False, offload_to_cpu=False, with_grads=False):
        """Within it the module has its parameters; what is written to them is kept."""
        units = [m for m in module.modules() if isinstance(m, FullyShardedDataParallel) and m._unit.shard is not None and not m._whole]
        wholes = []
        with no_grad():
            for m in units:
                whole = m._unit.gather(m._unit.shard)
                for owner, key, at, shape, _ in m._unit.places:
                    count = 1
                    for n in shape:
                        count *= n
                    owner._parameters[key] = Parameter(whole[at:at + count].view(shape))
                m._whole = True
                wholes.append(whole)
        try:
            yield
        finally:
            with no_grad():
                for m, whole in zip(units, wholes, strict=True):
                    unit, m._whole = m._unit, False
                    for owner, key, at, _shape, _ in unit.places:
                        p = owner._parameters.pop(key)
                        if writeback:
                            whole[at:at + p.numel()] = p.detach().reshape(-1)
                    rank = unit.group.rank()
                    if writeback:
                        unit.shard.detach().copy_(whole[rank * unit.length:(rank + 1) * unit.length])

    _state_dict_type, _state_dict_config = StateDictType.FULL_STATE_DICT, None
    _whole = False  # are the parameters there, within summon_full_params?

    @staticmethod
    @contextlib.contextmanager
    def state_dict_type(module, state_dict_type, state_dict_config=None, optim_state_dict_config=None):
        """Within it state_dict gives the whole, or the parts."""
        units = [m for m in module.modules() if isinstance(m, FullyShardedDataParallel)]
        before = [(m._state_dict_type, m._state_dict_config) for m in units]
        for m in units:
            m._state_dict_type, m._state_dict_config = state_dict_type, state_dict_config
        try:
            yield
        finally:
            for m, (kind, config) in zip(units, before):
                m._state_dict_type, m._state_dict_config = kind, config

    def state_dict(self, *args, **kwargs):
        """The plain module's, on all ranks; by parts within state_dict_type."""
        if self._whole or self._state_dict_type is not StateDictType.FULL_STATE_DICT:
            return super().state_dict(*args, **kwargs)
        with FullyShardedDataParallel.summon_full_params(self, writeback=False):
            state = super().state_dict(*args, **kwargs)
        only = getattr(self._state_dict_config, "rank0_only", False)
        return type(state)() if only and dist.get_rank() != 0 else type(state)(
            (k.replace("_fsdp_wrapped_module.", ""), v.clone()) for k, v in state.items() if "_flat_param" not in k)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """From the plain module's state dict, or from one by parts."""
        if any("_flat_param" in k for k in state_dict):
            return super().load_state_dict(state_dict, strict, assign)
        names = {}
        with FullyShardedDataParallel.summon_full_params(self):
            for k in super().state_dict():
                names[k.replace("_fsdp_wrapped_module.", "")] = k
            given = {names.get(k, k): v for k, v in state_dict.items()}
            given.update({k: v for k, v in super().state_dict().items() if "_flat_param" in k})
            return super().load_state_dict(given, strict)

    @staticmethod
    def optim_state_dict(model, optim, optim_state_dict=None, group=None):
        """The optimiser's state by the names of the plain module's parameters, whole."""
        return full_state.optimizer_state(model, optim)

    @staticmethod
    def optim_state_dict_to_load(model, optim, optim_state_dict, is_named_optimizer=False, load_directly=False, group=None):
        """This rank's part of such a state, for optim.load_state_dict."""
        return full_state.optimizer_state_to_load(model, optim, optim_state_dict)

    def clip_grad_norm_(self, max_norm, norm_type=2.0):
        """Clips by the norm over all ranks."""
        norm_type = float(norm_type)
        grads = [p.grad for p in self.parameters() if p.grad is not None]
        total = zeros(())
        for g in grads:
            total = total.maximum(g.abs().max()) if math.isinf(norm_type) else total + g.norm(norm_type) ** norm_type
        dist.all_reduce(total, dist.ReduceOp.MAX if math.isinf(norm_type) else dist.ReduceOp.SUM, group=self.process_group)
        total = total if math.isinf(norm_type) else total ** (1 / norm_type)
        scale = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for g in grads:
            g.detach().mul_(scale)
        return total


FullyShardedDataParallel.__module__ = "torch.distributed.fsdp.fully_sharded_data_parallel"


class FSDPModule:
    """What fully_shard adds to a module's class."""

    def unshard(self, async_op=False):
        """Units gather when they are called."""

    def reshard(self):
        """Units let go when they have run."""


def fully_shard(module, *, mesh=None, reshard_after_forward=True, shard_placement_fn=None, mp_policy=None, offload_policy=None, ignored_params=None):
    """Shares out the parameters of a module among the ranks, in place; inner modules first."""
    group = mesh.get_group() if mesh is not None else dist._get_default_group()
    inner = [n for n, m in module.named_modules() if n and hasattr(m, "_fully_sharded")]
    unit = _Unit(module, group, inner, mp_policy)
    module._fully_sharded = unit
    if unit.shard is None:
        return module
    module.register_parameter("_flat_param", unit.shard)
    forward = module.forward

    def sharded(*args, **kwargs):
        whole = _Gather.apply(unit.shard, unit)
        unit.show(whole)
        try:
            with unit.hooks(whole) if reshard_after_forward else contextlib.nullcontext():
                return forward(*args, **kwargs)
        finally:
            unit.hide()

    module.forward = sharded
    module.__class__ = type(f"FSDP{type(module).__name__}", (FSDPModule, type(module)), {})
    return module
