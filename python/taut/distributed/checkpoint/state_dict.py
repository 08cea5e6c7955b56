"""State dicts by the names of the plain module, however the ranks share it out."""

import dataclasses

from ...optim.optimizer import Optimizer
from ..fsdp import full_state

__all__ = ["StateDictOptions", "get_model_state_dict", "get_optimizer_state_dict", "get_state_dict", "set_model_state_dict", "set_optimizer_state_dict",
           "set_state_dict"]


@dataclasses.dataclass
class StateDictOptions:
    """Results are always whole and on the CPU."""

    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False
    dsd_fqn_modifiers: str = "_fqn_modifiers"


def _list(optimizers):
    return [optimizers] if isinstance(optimizers, Optimizer) else list(optimizers)


def get_model_state_dict(model, *, submodules=None, options=None):
    """The state of a module, plain, wrapped or shared out."""
    state = full_state.model_state(model)
    if options is not None and options.ignore_frozen_params:
        frozen = {full_state._clean(n) for n, p in model.named_parameters() if not p.requires_grad}
        state = {k: v for k, v in state.items() if k not in frozen}
    return state


def set_model_state_dict(model, model_state_dict, *, options=None):
    """Each rank takes its part of the whole state."""
    return full_state.load_model_state(model, model_state_dict, options is None or options.strict)


def get_optimizer_state_dict(model, optimizers, *, submodules=None, options=None):
    """The state of optimisers, by names of parameters."""
    result = {"state": {}, "param_groups": []}
    for optimizer in _list(optimizers):
        for p in (p for g in optimizer.param_groups for p in g["params"] if p.requires_grad):
            if not optimizer.state.get(p):  # nothing was stepped yet: let there be state, which load can fill
                _make_state(optimizer)
                break
        one = full_state.optimizer_state(model, optimizer)
        result["state"].update(one["state"])
        result["param_groups"] += one["param_groups"]
    return result


def _make_state(optimizer):
    """A step that changes nothing."""
    rates, grads = [g["lr"] for g in optimizer.param_groups], []
    if any(p.grad is not None for g in optimizer.param_groups for p in g["params"]):
        return
    for g in optimizer.param_groups:
        g["lr"] = g["lr"] * 0 if not isinstance(g["lr"], float) else 0.0
        for p in g["params"]:
            if p.requires_grad:
                p.grad = p.detach() * 0
                grads.append(p)
    optimizer.step(closure=None)
    for g, rate in zip(optimizer.param_groups, rates, strict=True):
        g["lr"] = rate
    for p in grads:
        p.grad = None


def set_optimizer_state_dict(model, optimizers, optim_state_dict, *, options=None):
    """Each rank takes its part."""
    at = 0
    for optimizer in _list(optimizers):
        n = len(optimizer.param_groups)
        given = {"state": optim_state_dict["state"], "param_groups": optim_state_dict["param_groups"][at:at + n]}
        optimizer.load_state_dict(full_state.optimizer_state_to_load(model, optimizer, given))
        at += n


def get_state_dict(model, optimizers, *, submodules=None, options=None):
    """Both: of the module, and of its optimisers."""
    return get_model_state_dict(model, options=options), get_optimizer_state_dict(model, optimizers, options=options)


def set_state_dict(model, optimizers, *, model_state_dict, optim_state_dict, options=None):
    """Both."""
    set_optimizer_state_dict(model, optimizers, optim_state_dict, options=options)
    return set_model_state_dict(model, model_state_dict, options=options)
