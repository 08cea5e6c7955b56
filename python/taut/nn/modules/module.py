"""Module: parameters, buffers, submodules, hooks, state."""

import functools
import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

from ... import _C
from ..._C import Tensor
from ..._types import device as Device
from ..parameter import Buffer, Parameter, _class_named, _is_known_as_torch, _on_cpu, _taut_name, is_lazy
from ._hooks import _add_hook, _BackwardCall


def _parse_to(*args, **kwargs):
    """(device, dtype, non_blocking, memory_format) of what to() was called with."""
    device, dtype = kwargs.get("device"), kwargs.get("dtype")
    for a in (*args, kwargs.get("tensor")):
        if isinstance(a, _C.dtype):
            dtype = a
        elif isinstance(a, Tensor):
            dtype, device = a.dtype, a.device
        elif isinstance(a, (str, Device)):
            device = a
        elif isinstance(a, int) and not isinstance(a, bool):
            device = f"cuda:{a}"
    return Device(device) if isinstance(device, str) else device, dtype, kwargs.get("non_blocking", False), kwargs.get("memory_format")


_EXTRA_STATE_KEY_SUFFIX = "_extra_state"  # of the key in a state dict


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _indented(text, spaces=2):
    first, *rest = text.split("\n")
    return "\n".join([first] + [" " * spaces + line for line in rest])


_global_forward_hooks = OrderedDict()
_global_forward_pre_hooks = OrderedDict()
_global_backward_hooks = OrderedDict()
_global_backward_pre_hooks = OrderedDict()
_global_forward_hooks_with_kwargs = OrderedDict()
_global_forward_hooks_always_called = OrderedDict()


def register_module_forward_pre_hook(hook):
    """A forward pre-hook for all modules."""
    return _add_hook(_global_forward_pre_hooks, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """A forward hook for all modules."""
    return _add_hook(_global_forward_hooks, hook, False, _global_forward_hooks_with_kwargs, with_kwargs,
                     _global_forward_hooks_always_called, always_call)


def register_module_full_backward_pre_hook(hook):
    """A backward pre-hook for all modules."""
    return _add_hook(_global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook):
    """A backward hook for all modules."""
    return _add_hook(_global_backward_hooks, hook)


def register_module_backward_hook(hook):
    """A backward hook for all modules, by its old name."""
    return register_module_full_backward_hook(hook)


_HOOKS = ("_backward_pre_hooks", "_backward_hooks", "_forward_hooks", "_forward_hooks_with_kwargs",
          "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
          "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks")
_BOTH_KINDS = ("Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one "
               "of them.")


class Module:
    """The base of layers and models. Assign parameters and submodules as attributes, and define forward."""

    dump_patches = False
    _version = 1
    call_super_init = False

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith("taut.nn."):
            cls.__module__ = "torch" + cls.__module__[4:]

    def __init__(self, *args, **kwargs):
        if not self.call_super_init:
            if kwargs:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                                f"'{next(iter(kwargs))}'")
            if args:
                raise TypeError(f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} "
                                "were given")
        own = self.__dict__
        own["training"] = True
        own["_parameters"], own["_buffers"], own["_non_persistent_buffers_set"], own["_modules"] = {}, {}, set(), {}
        own["_is_full_backward_hook"] = None
        for name in _HOOKS:
            own[name] = OrderedDict()
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *input):
        """What calling the module computes; every subclass defines it."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # Attributes.

    def __setattr__(self, name, value):
        own = self.__dict__
        parameters = own.get("_parameters")
        if isinstance(value, Tensor) and isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_buffers", "_modules")
            self.register_parameter(name, value)
            return
        if parameters and name in parameters:
            if value is not None:
                raise TypeError(f"cannot assign '{_typename(value)}' as parameter '{name}' (torch.nn.Parameter or None "
                                "expected)")
            self.register_parameter(name, value)
            return
        modules = own.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_parameters", "_buffers")
            modules[name] = value
            return
        if modules and name in modules:
            if value is not None:
                raise TypeError(f"cannot assign '{_typename(value)}' as child module '{name}' (torch.nn.Module or None "
                                "expected)")
            modules[name] = value
            return
        buffers = own.get("_buffers")
        is_buffer = isinstance(value, Tensor) and isinstance(value, Buffer)
        if is_buffer or (buffers and name in buffers):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"cannot assign '{_typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor "
                                "or None expected)")
            if buffers is None:
                raise AttributeError("cannot assign buffer before Module.__init__() call")
            if is_buffer:
                self._forget(name, "_parameters", "_modules")
                self.register_buffer(name, value, value.persistent)
            else:
                buffers[name] = value
            return
        super().__setattr__(name, value)

    def _forget(self, name, *groups):
        own = self.__dict__
        own.pop(name, None)
        for group in groups:
            own[group].pop(name, None)
        own["_non_persistent_buffers_set"].discard(name)

    def __getattr__(self, name):
        own = self.__dict__
        if "_parameters" in own:
            found = own["_parameters"]
            if name in found:
                return found[name]
            found = own["_buffers"]
            if name in found:
                return found[name]
            found = own["_modules"]
            if name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name):
        own = self.__dict__
        for group in ("_parameters", "_buffers", "_modules"):
            if name in own.get(group, ()):
                del own[group][name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self):
        names = {*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers}
        return sorted(name for name in names if not name[0].isdigit())

    def _check_name(self, what, name, present):
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {_typename(name)}")
        exists = hasattr(self, name) and name not in present
        if exists and what == "module":
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'{what} name can\'t contain "."' + (f", got: {name}" if what == "module" else ""))
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if exists:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name, param):
        """Adds a parameter of this name."""
        self._check_name("parameter", name, self.__dict__.get("_parameters", ()))
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"cannot assign '{_typename(param)}' object to parameter '{name}' (torch.nn.Parameter or "
                            "None required)")
        if param is not None and not param.is_leaf:
            raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
                             f"explicitly. To express '{name}' as a function of another Tensor, compute the value in "
                             "the forward() method.")
        self._parameters[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        """Adds a tensor that is state but no parameter."""
        self._check_name("buffer", name, self.__dict__.get("_buffers", ()))
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{_typename(tensor)}' object to buffer '{name}' (torch Tensor or None "
                            "required)")
        self._buffers[name] = tensor
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def add_module(self, name, module):
        """Adds a submodule of this name."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_typename(module)} is not a Module subclass")
        self._check_name("module", name, self.__dict__.get("_modules", ()))
        self._modules[name] = module

    def register_module(self, name, module):
        """Adds a submodule of this name."""
        self.add_module(name, module)

    def get_submodule(self, target):
        """The submodule of this path: "layers.0.norm"."""
        module = self
        for part in target.split(".") if target else ():
            if not hasattr(module, part):
                raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
            module = getattr(module, part)
            if not isinstance(module, Module):
                raise AttributeError(f"`{part}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        """Puts a module in the place of this path."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def _owner_of(self, target):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return module, name

    def get_parameter(self, target):
        """The parameter of this path."""
        module, name = self._owner_of(target)
        found = getattr(module, name)
        if not isinstance(found, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return found

    def get_buffer(self, target):
        """The buffer of this path."""
        module, name = self._owner_of(target)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return getattr(module, name)

    # Calls and hooks.

    def __call__(self, *args, **kwargs):
        if not (self._forward_hooks or self._forward_pre_hooks or self._backward_hooks or self._backward_pre_hooks or
                _global_forward_hooks or _global_forward_pre_hooks or _global_backward_hooks or
                _global_backward_pre_hooks):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    def _call_with_hooks(self, args, kwargs):
        called = set()
        result = None
        try:
            for hook in tuple(_global_forward_pre_hooks.values()):
                args = _new_arguments(args, hook(self, args))
            for number, hook in tuple(self._forward_pre_hooks.items()):
                if number in self._forward_pre_hooks_with_kwargs:
                    other = hook(self, args, kwargs)
                    if other is not None:
                        if not (isinstance(other, tuple) and len(other) == 2):
                            raise RuntimeError("forward pre-hook must return None or a tuple of (new_args, "
                                               f"new_kwargs), but got {other}.")
                        args, kwargs = other
                else:
                    args = _new_arguments(args, hook(self, args))
            watch = None
            pre = (*_global_backward_pre_hooks.values(), *self._backward_pre_hooks.values())
            post = (*_global_backward_hooks.values(), *self._backward_hooks.values())
            if pre or post:
                watch = _BackwardCall(self, pre, post)
                args = watch.inputs(args)
            result = self.forward(*args, **kwargs)
            for hooks, with_kwargs in ((_global_forward_hooks, _global_forward_hooks_with_kwargs),
                                       (self._forward_hooks, self._forward_hooks_with_kwargs)):
                for number, hook in tuple(hooks.items()):
                    called.add(number)
                    other = hook(self, args, kwargs, result) if number in with_kwargs else hook(self, args, result)
                    if other is not None:
                        result = other
            if watch is not None:
                if not isinstance(result, (Tensor, tuple)):
                    warnings.warn("For backward hooks to be called, module output should be a Tensor or a tuple of "
                                  f"Tensors but received {type(result)}", stacklevel=3)
                result = watch.outputs(result)
            return result
        except Exception:
            for hooks, always, with_kwargs in (
                    (_global_forward_hooks, _global_forward_hooks_always_called, _global_forward_hooks_with_kwargs),
                    (self._forward_hooks, self._forward_hooks_always_called, self._forward_hooks_with_kwargs)):
                for number, hook in tuple(hooks.items()):
                    if number not in always or number in called:
                        continue
                    try:
                        other = hook(self, args, kwargs, result) if number in with_kwargs else hook(self, args, result)
                        if other is not None:
                            result = other
                    except Exception as problem:
                        warnings.warn("module forward hook with ``always_call=True`` raised an exception that was "
                                      f"silenced as another error was raised in forward: {problem}", stacklevel=3)
            raise

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Calls hook(module, args) before forward; what it returns takes the place of the arguments."""
        return _add_hook(self._forward_pre_hooks, hook, prepend, self._forward_pre_hooks_with_kwargs, with_kwargs)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """Calls hook(module, args, output) after forward; what it returns takes the place of the output."""
        return _add_hook(self._forward_hooks, hook, prepend, self._forward_hooks_with_kwargs, with_kwargs,
                         self._forward_hooks_always_called, always_call)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Calls hook(module, grad_output) when the gradients of the outputs are known."""
        return _add_hook(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """Calls hook(module, grad_input, grad_output) when the gradients of the inputs are known."""
        if self._is_full_backward_hook is False:
            raise RuntimeError(_BOTH_KINDS)
        self._is_full_backward_hook = True
        return _add_hook(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook):
        """The same as register_full_backward_hook, by its old name."""
        if self._is_full_backward_hook is True:
            raise RuntimeError(_BOTH_KINDS)
        self._is_full_backward_hook = False
        return _add_hook(self._backward_hooks, hook)

    # Walks.

    def _named_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate=True):
        seen = set()
        walk = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in walk:
            for name, value in get_members_fn(module):
                if value is None or (remove_duplicate and id(value) in seen):
                    continue
                seen.add(id(value))
                yield path + ("." if path else "") + name, value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """(name, parameter) of this module and all below it."""
        yield from self._named_members(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        """The parameters of this module and all below it."""
        for _, p in self.named_parameters(recurse=recurse):
            yield p

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """(name, buffer) of this module and all below it."""
        yield from self._named_members(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        """The buffers of this module and all below it."""
        for _, b in self.named_buffers(recurse=recurse):
            yield b

    def named_children(self):
        """(name, submodule) of the submodules directly below."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        """The submodules directly below."""
        for _, module in self.named_children():
            yield module

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """(name, module) of this module and all below it."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, prefix + ("." if prefix else "") + name, remove_duplicate)

    def modules(self, remove_duplicate=True):
        """This module and all below it."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    # Changes to all.

    def apply(self, fn):
        """Calls fn for every module below, then for this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn, recurse=True):
        if recurse:
            for module in self.children():
                module._apply(fn)
        for p in self._parameters.values():
            if p is None:
                continue
            grad = p.grad
            with _no_grad():
                changed = fn(p)
                changed_grad = None if grad is None else fn(grad)
            if changed is not p:
                p.grad = None
                p.data = changed
            if changed_grad is not None and (changed is not p or changed_grad is not grad):
                p.grad = changed_grad.requires_grad_(grad.requires_grad)
        for name, b in self._buffers.items():
            if b is not None:
                self._buffers[name] = fn(b)
        return self

    def to(self, *args, **kwargs):
        """Parameters and buffers of floats in another dtype: to(torch.float64), to("cpu")."""
        device, dtype, _, memory_format = _parse_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError("nn.Module.to only accepts floating point or complex dtypes, but got desired "
                            f"dtype={dtype}")

        def convert(t):
            wanted = dtype if t.is_floating_point() or t.is_complex() else None
            if meta is False and t.is_meta:
                raise NotImplementedError("Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
                                          "torch.nn.Module.to() when moving module from meta to a different device.")
            moved = t._to(wanted, False, meta)
            return moved.contiguous(memory_format=memory_format) if memory_format is not None and t.dim() in (4, 5) else moved

        meta = None
        if device is not None:
            meta = Device(device).type == "meta"  # the name must be one
            if next(self.parameters(), next(self.buffers(), None)) is not None:
                Device(device).check()
        return self._apply(convert)

    def to_empty(self, *, device, recurse=True):
        """Parameters and buffers with memory as it was found."""
        where = Device(device).check()
        return self._apply(lambda t: _C.ops["empty_like"](t, device=where), recurse=recurse)

    def type(self, dst_type):
        """All parameters and buffers in another dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self):
        """Parameters and buffers of floats as float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        """Parameters and buffers of floats as float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        """Parameters and buffers of floats as float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        """Parameters and buffers of floats as bfloat16."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def cpu(self):
        """The module itself."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device=None):
        """Raises, as PyTorch does where there is no GPU."""
        return self._apply(lambda t: t.cuda(device))

    def xpu(self, device=None):
        """Raises, as PyTorch does where there is no such device."""
        return self._apply(lambda t: _on_cpu("xpu"))

    def compile(self, *args, **kwargs):
        """Nothing to do: Taut is fast without a compiler."""

    def share_memory(self):
        """Moves parameters and buffers to where other processes can map them."""
        return self._apply(lambda t: t.share_memory_())

    def train(self, mode=True):
        """Puts this module and all below it into training mode."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        """Puts this module and all below it into evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Sets whether autograd follows the parameters."""
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Forgets the gradients of the parameters, or makes them zero."""
        for p in self.parameters():
            if p.grad is None:
                continue
            if set_to_none:
                p.grad = None
                continue
            if p.grad.grad_fn is not None:
                p.grad.detach_()
            else:
                p.grad.requires_grad_(False)
            p.grad.zero_()

    # State.

    def get_extra_state(self):
        """What belongs into the state_dict besides tensors."""
        raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")

    def set_extra_state(self, state):
        """Takes what get_extra_state() gave."""
        raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")

    def register_state_dict_pre_hook(self, hook):
        """Calls hook(module, prefix, keep_vars) before state_dict()."""
        return _add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook):
        """Calls hook(module, state_dict, prefix, local_metadata) after state_dict()."""
        hook._from_public_api = True
        return _add_hook(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook):
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError("Cannot register the same function as the state dict post hook that was previously "
                               "registered via register_state_dict_post_hook")
        return _add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook):
        """Calls hook(module, state_dict, prefix, metadata, strict, missing, unexpected, errors) before loading."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return _add_hook(self._load_state_dict_pre_hooks, functools.partial(hook, self) if with_module else hook)

    def register_load_state_dict_post_hook(self, hook):
        """Calls hook(module, incompatible_keys) after loading."""
        return _add_hook(self._load_state_dict_post_hooks, hook)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, p in self._parameters.items():
            if p is not None:
                destination[prefix + name] = p if keep_vars else p.detach()
        for name, b in self._buffers.items():
            if b is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = b if keep_vars else b.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """Parameters and persistent buffers by their full names."""
        if args:
            warnings.warn("Positional args are being deprecated, use kwargs instead. Refer to "
                          "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for "
                          "details.", FutureWarning, stacklevel=2)
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == "" else prefix
            keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = dict(version=self._version)
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            other = hook(self, destination, prefix, metadata)
            if not getattr(hook, "_from_public_api", False):
                destination = destination if other is None else other
            elif other is not None:
                raise RuntimeError("state_dict post-hook must return None")
        return destination

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                              error_msgs):
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        assign = local_metadata.get("assign_to_params_buffers", False)
        own = {**self._parameters, **{k: v for k, v in self._buffers.items() if k not in
                                      self._non_persistent_buffers_set}}
        own = {k: v for k, v in own.items() if v is not None}
        for name, tensor in own.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            self._load_one(name, tensor, key, state_dict[key], assign, error_msgs)
        extra = prefix + "_extra_state"
        if type(self).set_extra_state is not Module.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first, dot, _ = key[len(prefix):].partition(".")
                    if first not in (self._modules if dot else own):
                        unexpected_keys.append(key)

    def _load_one(self, name, tensor, key, given, assign, error_msgs):
        if not isinstance(given, Tensor):
            error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object '
                              'from ' f"checkpoint but received {type(given)}")
            return
        if is_lazy(tensor):  # both wait for their shape
            return
        if tensor.ndim == 0 and given.shape == (1,):
            given = given[0]
        if given.shape != tensor.shape:
            error_msgs.append(f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the "
                              f"shape in current model is {tensor.shape}.")
            return
        try:
            with _no_grad():
                if not assign:
                    if tensor.is_meta and not given.is_meta:
                        warnings.warn(f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in "
                                      "the current model, which is a no-op. (Did you mean to pass `assign=True` to assign "
                                      "items in the state dictionary to their corresponding key in the module instead of "
                                      "copying them in place?)", stacklevel=4)
                    tensor.copy_(given)
                    return
                if isinstance(tensor, Parameter):
                    if isinstance(given, Parameter):
                        given.requires_grad_(tensor.requires_grad)
                    else:
                        given = Parameter(given, tensor.requires_grad)
                setattr(self, name, given)
        except Exception as problem:
            error_msgs.append(f'While copying the parameter named "{key}", whose dimensions in the model are '
                              f'{tensor.shape} and ' f"whose dimensions in the checkpoint are {given.shape}, an "
                                                     f"exception occurred : {problem.args}.")

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Copies the values of a state_dict in; missing, unexpected and misshapen entries are listed in one error."""
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing, unexpected, errors = [], [], []
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata

        def load(module, local, prefix):
            own_metadata = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                own_metadata["assign_to_params_buffers"] = assign
            module._load_from_state_dict(local, prefix, own_metadata, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    inner = prefix + name + "."
                    load(child, {k: v for k, v in local.items() if k.startswith(inner)}, inner)
            keys = _IncompatibleKeys(missing, unexpected)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, keys) is not None:
                    raise AssertionError("Hooks registered with ``register_load_state_dict_post_hook`` are not "
                                         "expected to return new values, if incompatible_keys need to be modified, it "
                                         "should be done inplace.")

        load(self, state_dict, "")
        if strict:
            for what, keys in (("Unexpected", unexpected), ("Missing", missing)):
                if keys:
                    listed = ", ".join(f'"{k}"' for k in keys)
                    errors.insert(0, f"{what} key(s) in state_dict: {listed}. ")
        if errors:
            raise RuntimeError("\n\t".join([f"Error(s) in loading state_dict for {type(self).__name__}:", *errors]))
        return _IncompatibleKeys(missing, unexpected)

    def __setstate__(self, state):
        own = self.__dict__
        own.update(state)
        for name in _HOOKS:
            own.setdefault(name, OrderedDict())
        own.setdefault("_non_persistent_buffers_set", set())
        own.setdefault("_is_full_backward_hook", None)

    def __reduce_ex__(self, protocol):
        made = super().__reduce_ex__(protocol)
        cls = type(self)
        # torch.save, whose protocol is 2, writes names in torch by itself.
        if protocol > 2 and cls.__module__.startswith("torch.") and not _is_known_as_torch() and made[1] == (cls,):
            return (_new_of, _taut_name(cls), *made[2:])
        return made

    # Printing.

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        """What stands in the parentheses when the module is printed."""
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): {_indented(repr(module))}" for name, module in self._modules.items()]
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        if not lines and not children:
            return f"{self._get_name()}()"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"


def _weight_and_bias(module):
    """module.weight, module.bias, looked up faster."""
    own = module._parameters
    try:
        return own["weight"], own["bias"]
    except KeyError:  # one of them is computed
        return module.weight, module.bias


class _no_grad:
    def __enter__(self):
        self._before = _C.is_grad_enabled()
        _C._set_grad_enabled(False)

    def __exit__(self, *_):
        _C._set_grad_enabled(self._before)


def _new_arguments(args, other):
    return args if other is None else other if isinstance(other, tuple) else (other,)


def _new_of(module, name):
    cls = _class_named(module, name)
    return cls.__new__(cls)


def _typename(value):
    if isinstance(value, Tensor):
        return value.type()
    module = type(value).__module__
    return type(value).__qualname__ if module in ("builtins", None) else f"{module}.{type(value).__qualname__}"


Module.__module__ = "torch.nn.modules.module"
