"""What may become of a bucket of gradients on its way: hooks for DistributedDataParallel.register_comm_hook."""

from enum import Enum

from . import default_hooks, powerSGD_hook

__all__ = ["DDPCommHookType", "register_ddp_comm_hook"]


class DDPCommHookType(Enum):
    """The hooks by name."""

    ALLREDUCE = (default_hooks.allreduce_hook,)
    FP16_COMPRESS = (default_hooks.fp16_compress_hook,)
    BF16_COMPRESS = (default_hooks.bf16_compress_hook,)
    POWER_SGD = (powerSGD_hook.powerSGD_hook,)
    NOOP = (default_hooks.noop_hook,)


def register_ddp_comm_hook(comm_hook_type, model, state=None):
    """Registers one of them."""
    model.register_comm_hook(state, comm_hook_type.value[0])
