"""Optimizer: groups of parameters with their options, the state of each parameter, hooks, and what is saved."""

import functools
from collections import OrderedDict, defaultdict
from copy import deepcopy
from itertools import chain

from .. import _C
from .._C import Tensor
from .._pickling import ByName
from ..utils.hooks import RemovableHandle


class _RequiredParameter:
    """The default of an option that every group must give."""

    def __repr__(self):
        return "<required parameter>"


required = _RequiredParameter()
_global_optimizer_pre_hooks = OrderedDict()
_global_optimizer_post_hooks = OrderedDict()


def _add_hook(hooks, hook, prepend=False):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook):
    """Calls hook(optimizer, args, kwargs) before every step of any optimiser."""
    return _add_hook(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """Calls hook(optimizer, args, kwargs) after every step of any optimiser."""
    return _add_hook(_global_optimizer_post_hooks, hook)


def _log_step(optimizer, args, kwargs):
    """Adds a line to the file that TAUT_FINGERPRINT names; see docs/reproducibility.md."""
    optimizer._logged_steps = getattr(optimizer, "_logged_steps", 0) + 1
    _C._log_step(type(optimizer).__name__, optimizer._logged_steps,
                 [p for group in optimizer.param_groups for p in group["params"]])


if _C._logs_steps():
    register_optimizer_step_post_hook(_log_step)


def _with_hooks(step):
    """`step` with the hooks around it; a step that calls its parent's runs them once."""

    @functools.wraps(step)
    def hooked(self, *args, **kwargs):
        if type(self).step is not hooked or not (self._optimizer_step_pre_hooks or self._optimizer_step_post_hooks or
                                                 _global_optimizer_pre_hooks or _global_optimizer_post_hooks):
            return step(self, *args, **kwargs)
        args = (self, *args)
        for hook in (*_global_optimizer_pre_hooks.values(), *self._optimizer_step_pre_hooks.values()):
            changed = hook(self, args, kwargs)
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(f"{step} must return None or a tuple of (new_args, new_kwargs), but got "
                                       f"{changed}.")
                args, kwargs = changed
        result = step(*args, **kwargs)
        for hook in (*self._optimizer_step_post_hooks.values(), *_global_optimizer_post_hooks.values()):
            hook(self, args, kwargs)
        return result

    hooked.hooked = True
    return hooked


class Optimizer(ByName):
    """The base of all optimisers.

    `params` are tensors, (name, tensor) pairs, or dicts with "params" and options of their own.
    """

    _HOOKS = ("_optimizer_step_pre_hooks", "_optimizer_step_post_hooks", "_optimizer_state_dict_pre_hooks",
              "_optimizer_state_dict_post_hooks", "_optimizer_load_state_dict_pre_hooks",
              "_optimizer_load_state_dict_post_hooks")

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__ and not getattr(cls.step, "hooked", False):
            cls.step = _with_hooks(cls.step)

    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls)
        for name in cls._HOOKS:  # here, since a subclass need not call __init__
            setattr(self, name, OrderedDict())
        return self

    def __init__(self, params, defaults):
        self.defaults = defaults
        if isinstance(params, Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                            + params.type())
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def __getstate__(self):
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.defaults.setdefault("differentiable", False)

    def __repr__(self):
        text = self.__class__.__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return text + ")"

    # Hooks.

    def register_step_pre_hook(self, hook):
        """Calls hook(optimizer, args, kwargs) before step; it may return other (args, kwargs)."""
        return _add_hook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """Calls hook(optimizer, args, kwargs) after step."""
        return _add_hook(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """Calls hook(optimizer) before state_dict."""
        return _add_hook(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """Calls hook(optimizer, state_dict) after state_dict; it may return another one."""
        return _add_hook(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """Calls hook(optimizer, state_dict) before load_state_dict; it may return another one."""
        return _add_hook(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """Calls hook(optimizer) after load_state_dict."""
        return _add_hook(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # What is saved.

    def state_dict(self):
        """{"state": ..., "param_groups": ...}; parameters are numbered. Tensors are shared, not copied."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers = {}
        for p in chain.from_iterable(group["params"] for group in self.param_groups):
            numbers.setdefault(p, len(numbers))
        groups = [{**{k: v for k, v in group.items() if k != "params"}, "params": [numbers[p] for p in group["params"]]}
                  for group in self.param_groups]
        state = {numbers.get(k, k) if isinstance(k, Tensor) else k: v for k, v in self.state.items()}
        result = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            result = hook(self, result) or result
        return result

    def load_state_dict(self, state_dict):
        """Takes over options and state; parameters are matched by their order."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        saved = deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(self.param_groups, saved)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's "
                             "group")
        param_of = {number: p for ours, theirs in zip(self.param_groups, saved)
                    for number, p in zip(theirs["params"], ours["params"])}

        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in param_of:
                state[param_of[key]] = _cast(value, param_of[key])
            else:
                state[key] = value
        for ours, theirs in zip(self.param_groups, saved):
            theirs["params"] = ours["params"]
            if "param_names" in ours:
                theirs.setdefault("param_names", ours["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    # Training.

    def zero_grad(self, set_to_none=True):
        """Forgets the gradients of all parameters, or fills them with zeros."""
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none:
                    p.grad = None
                elif p.grad is not None:
                    p.grad.detach_() if p.grad.grad_fn is not None else p.grad.requires_grad_(False)
                    p.grad.zero_()

    def step(self, closure=None):
        """One step along the gradients."""
        raise NotImplementedError

    def add_param_group(self, param_group):
        """Adds a dict of "params" and options; what it lacks comes from the defaults."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError("optimizer parameters need to be organized in ordered collections, but the ordering of "
                            "tensors in sets will change between runs. Please use a list instead.")
        params = [params] if isinstance(params, Tensor) else list(params)
        names = [p[0] for p in params if isinstance(p, tuple)]
        if names:
            if len(names) != len(params):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            param_group["param_names"] = names
        param_group["params"] = params = [p[1] if isinstance(p, tuple) else p for p in params]
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError("optimizer can only optimize Tensors, but one of the params is " + _type_name(p))
            if not self.defaults.get("differentiable") and not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        if len(set(params)) != len(params):
            import warnings

            warnings.warn("optimizer contains a parameter group with duplicate parameters; in future, this will cause "
                          "an error; see github.com/pytorch/pytorch/issues/40967 for more information", stacklevel=3)
        known = set()
        for group in self.param_groups:
            known.update(group["params"])
            if ("param_names" in param_group) != ("param_names" in group):
                raise ValueError("all optimizer param groups should be with/without names. cannot add param group "
                                 f"{'with' if 'param_names' in param_group else 'without'} names to the optimizer")
        if not known.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)


def _type_name(o):
    return (type(o).__module__ + "." if type(o).__module__ != "builtins" else "") + type(o).__qualname__


def _cast(value, param, key=None):
    """`value` with its tensors in the dtype of the parameter; the number of steps stays as it is."""
    if isinstance(value, Tensor):
        return value if key == "step" or not (param.is_floating_point() or param.is_complex()) else value.to(param.dtype)
    if isinstance(value, dict):
        return {k: _cast(v, param, k) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return type(value)(_cast(v, param) for v in value)
    return value


def _scalar(value):
    """A number that is kept in the state: a 0-d tensor, as PyTorch has it."""
    return _C._tensor(value, _C.float64 if _C.get_default_dtype() is _C.float64 else _C.float32)


def _zeros(p):
    return _C.ops["zeros_like"](p.detach())


def _evaluate(closure):
    """The loss of a closure, computed with gradients on."""
    if closure is None:
        return None
    before = _C.is_grad_enabled()
    _C._set_grad_enabled(True)
    try:
        return closure()
    finally:
        _C._set_grad_enabled(before)


def _check(condition, text):
    if not condition:
        raise ValueError(text)


def _check_lr(lr, foreach=None, capturable=False, text="Invalid learning rate: "):
    if isinstance(lr, Tensor):
        if foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        if lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
    if text and not 0.0 <= lr:
        raise ValueError(f"{text}{lr}")


Optimizer.__module__ = "torch.optim.optimizer"
