"""Module: parameters, buffers, submodules, hooks, state."""

import functools
import itertools
import weakref
from collections import OrderedDict, namedtuple

from ... import _C
from ..._C import Tensor
from ..._tensor import RemovableHandle
from ...autograd.function import Function
from ..parameter import Buffer, Parameter


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


def _flat(value):
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in _flat(v)]
    if isinstance(value, dict):
        return [t for v in value.values() for t in _flat(v)]
    return []


def _filled(value, tensors):
    """`value` with its tensors replaced, in order, by those of an iterator."""
    if isinstance(value, Tensor):
        return next(tensors)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_filled(v, tensors) for v in value))
    if isinstance(value, (tuple, list)):
        return type(value)(_filled(v, tensors) for v in value)
    if isinstance(value, dict):
        return type(value)((k, _filled(v, tensors)) for k, v in value.items())
    return value


class _Watch(Function):
    """The identity; its backward sees all gradients at once."""

    @staticmethod
    def forward(ctx, seen, *tensors):
        ctx.seen = seen
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*(t for t in tensors if not t.requires_grad))
        return tuple(tensors)

    @staticmethod
    def backward(ctx, *grads):
        return (None,) + tuple(ctx.seen(grads))


class _BackwardCall:
    """What the backward hooks of one call of a module share."""

    def __init__(self, module, pre_hooks, hooks):
        self.module, self.pre_hooks, self.hooks = module, pre_hooks, hooks
        self.grad_outputs = None
        self.inputs_follow = False
        self.input_count = 0

    def _replaced(self, grads, other, what):
        if other is None:
            return grads
        other = other if isinstance(other, tuple) else (other,)
        if len(other) != len(grads):
            raise RuntimeError(f"Backward hook returned an invalid number of {what}, got {len(other)}, but expected {len(grads)}")
        return other

    def run_hooks(self, grad_inputs):
        for hook in self.hooks:
            grad_inputs = self._replaced(grad_inputs, hook(self.module, grad_inputs, self.grad_outputs), "grad_input")
        return grad_inputs

    def see_outputs(self, grads):
        for hook in self.pre_hooks:
            grads = self._replaced(grads, hook(self.module, grads), "grad_output")
        self.grad_outputs = grads
        if not self.inputs_follow:
            self.run_hooks((None,) * self.input_count)
        return grads

    def see_inputs(self, grads):
        grads = self.run_hooks(grads)
        self.grad_outputs = None
        return grads

    def inputs(self, args):
        tensors = _flat(args)
        self.input_count = len(tensors)
        if not (_C.is_grad_enabled() and any(t.requires_grad for t in tensors)):
            return args
        self.inputs_follow = True
        return _filled(args, iter(_Watch.apply(self.see_inputs, *tensors)))

    def outputs(self, result):
        tensors = _flat(result)
        if not (_C.is_grad_enabled() and any(t.requires_grad for t in tensors)):
            return result
        return _filled(result, iter(_Watch.apply(self.see_outputs, *tensors)))


_global_forward_hooks = OrderedDict()
_global_forward_pre_hooks = OrderedDict()
_global_backward_hooks = OrderedDict()
_global_backward_pre_hooks = OrderedDict()
_hook_numbers = itertools.count()


def _add_hook(hooks, hook, prepend=False, extra=()):
    number = next(_hook_numbers)
    hooks[number] = hook
    if prepend:
        hooks.move_to_end(number, last=False)
    held = weakref.ref(hooks) if not isinstance(hooks, dict) else None

    def remove():
        (held() if held else hooks).pop(number, None)
        for other in extra:
            other.pop(number, None)

    handle = RemovableHandle(remove)
    handle.id = number
    return handle


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """A forward hook for all modules."""
    return _add_hook(_global_forward_hooks, hook)


def register_module_forward_pre_hook(hook):
    """A forward pre-hook for all modules."""
    return _add_hook(_global_forward_pre_hooks, hook)


def register_module_full_backward_hook(hook):
    """A backward hook for all modules."""
    return _add_hook(_global_backward_hooks, hook)


def register_module_full_backward_pre_hook(hook):
    """A backward pre-hook for all modules."""
    return _add_hook(_global_backward_pre_hooks, hook)


_OWN = ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set", "_forward_hooks", "_forward_pre_hooks",
        "_backward_hooks", "_backward_pre_hooks", "_forward_hooks_with_kwargs", "_forward_pre_hooks_with_kwargs",
        "_forward_hooks_always_called", "_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks",
        "_load_state_dict_post_hooks")


class Module:
    """The base of layers and models. Assign parameters and submodules as attributes, and define forward."""

    dump_patches = False
    _version = 1
    training: bool
    call_super_init = False

    def __init__(self, *args, **kwargs):
        if not self.call_super_init and kwargs:
            raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
        if not self.call_super_init and args:
            raise TypeError(f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given")
        set_ = super().__setattr__
        set_("training", True)
        for name in _OWN:
            set_(name, set() if name == "_non_persistent_buffers_set" else
                 {} if name in ("_parameters", "_buffers", "_modules") else OrderedDict())
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *input):
        """What calling the module computes; every subclass defines it."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # Attributes.

    def __setattr__(self, name, value):
        own = self.__dict__
        parameters = own.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_buffers", "_modules")
            self.register_parameter(name, value)
            return
        if parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(f"cannot assign '{_typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)")
            self.register_parameter(name, value)
            return
        modules = own.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_parameters", "_buffers")
            modules[name] = value
            return
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(f"cannot assign '{_typename(value)}' as child module '{name}' (torch.nn.Module or None expected)")
            modules[name] = value
            return
        buffers = own.get("_buffers")
        if isinstance(value, Buffer) or (buffers is not None and name in buffers):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"cannot assign '{_typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None "
                                "expected)")
            if isinstance(value, Buffer):
                if buffers is None:
                    raise AttributeError("cannot assign buffer before Module.__init__() call")
                self._forget(name, "_parameters", "_modules")
                self.register_buffer(name, value, value.persistent) if name not in buffers else buffers.__setitem__(name, value)
            else:
                buffers[name] = value
            return
        super().__setattr__(name, value)

    def _forget(self, name, *groups):
        self.__dict__.pop(name, None)
        for group in groups:
            self.__dict__.get(group, {}).pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __getattr__(self, name):
        for group in ("_parameters", "_buffers", "_modules"):
            found = self.__dict__.get(group)
            if found is not None and name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name):
        for group in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(group, ()):
                del self.__dict__[group][name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self):
        names = set(dir(type(self))) | set(self.__dict__)
        for group in (self._parameters, self._buffers, self._modules):
            names |= set(group)
        return sorted(n for n in names if not n[0].isdigit())

    def _check_name(self, what, name, present):
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {_typename(name)}")
        if "." in name:
            raise KeyError(f'{what} name can\'t contain "."' + (f", got: {name}" if what == "module" else ""))
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if hasattr(self, name) and name not in present:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name, param):
        """Adds a parameter of this name."""
        self._check_name("parameter", name, self.__dict__.get("_parameters", ()))
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"cannot assign '{_typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)")
        if param is not None and param.grad_fn is not None:
            raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. "
                             f"To express '{name}' as a function of another Tensor, compute the value in the forward() method.")
        self._parameters[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        """Adds a tensor that is state but no parameter."""
        self._check_name("buffer", name, self.__dict__.get("_buffers", ()))
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{_typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
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
                raise AttributeError(f"{type(module).__name__} has no attribute `{part}`")
            module = getattr(module, part)
            if not isinstance(module, Module):
                raise AttributeError(f"`{part}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        """Puts a module in the place of this path."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        parent, _, name = target.rpartition(".")
        setattr(self.get_submodule(parent), name, module)

    def get_parameter(self, target):
        """The parameter of this path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if not isinstance(getattr(module, name), Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return getattr(module, name)

    def get_buffer(self, target):
        """The buffer of this path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return module._buffers[name]

    # Calls and hooks.

    def __call__(self, *args, **kwargs):
        if not (self._forward_hooks or self._forward_pre_hooks or self._backward_hooks or self._backward_pre_hooks or
                _global_forward_hooks or _global_forward_pre_hooks or _global_backward_hooks or _global_backward_pre_hooks):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    def _call_with_hooks(self, args, kwargs):
        for number, hook in (*_global_forward_pre_hooks.items(), *self._forward_pre_hooks.items()):
            if number in self._forward_pre_hooks_with_kwargs:
                other = hook(self, args, kwargs)
                if other is not None:
                    if not (isinstance(other, tuple) and len(other) == 2):
                        raise RuntimeError(f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {other}.")
                    args, kwargs = other
            else:
                other = hook(self, args)
                if other is not None:
                    args = other if isinstance(other, tuple) else (other,)
        watch = None
        pre = (*_global_backward_pre_hooks.values(), *self._backward_pre_hooks.values())
        post = (*_global_backward_hooks.values(), *self._backward_hooks.values())
        if pre or post:
            watch = _BackwardCall(self, pre, post)
            args = watch.inputs(args)
        try:
            result = self.forward(*args, **kwargs)
        except BaseException:
            for number in self._forward_hooks_always_called:
                if number in self._forward_hooks_with_kwargs:
                    self._forward_hooks[number](self, args, kwargs, None)
                else:
                    self._forward_hooks[number](self, args, None)
            raise
        for number, hook in (*_global_forward_hooks.items(), *self._forward_hooks.items()):
            other = hook(self, args, kwargs, result) if number in self._forward_hooks_with_kwargs else hook(self, args, result)
            if other is not None:
                result = other
        return watch.outputs(result) if watch else result

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Calls hook(module, args) before forward; what it returns takes the place of the arguments."""
        handle = _add_hook(self._forward_pre_hooks, hook, prepend, (self._forward_pre_hooks_with_kwargs,))
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        return handle

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """Calls hook(module, args, output) after forward; what it returns takes the place of the output."""
        handle = _add_hook(self._forward_hooks, hook, prepend, (self._forward_hooks_with_kwargs, self._forward_hooks_always_called))
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        return handle

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Calls hook(module, grad_output) when the gradients of the outputs are known."""
        return _add_hook(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """Calls hook(module, grad_input, grad_output) when the gradients of the inputs are known."""
        return _add_hook(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook):
        """The same as register_full_backward_hook."""
        return self.register_full_backward_hook(hook)

    # Walks.

    def _walk(self, of, prefix="", recurse=True, remove_duplicate=True):
        seen = set()
        for path, module in self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]:
            for name, value in of(module):
                if value is None or (remove_duplicate and id(value) in seen):
                    continue
                seen.add(id(value))
                yield path + ("." if path else "") + name, value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """(name, parameter) of this module and all below it."""
        yield from self._walk(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        """The parameters of this module and all below it."""
        for _, p in self.named_parameters(recurse=recurse):
            yield p

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """(name, buffer) of this module and all below it."""
        yield from self._walk(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

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
        stack = [(prefix, self)]
        while stack:
            path, module = stack.pop()
            if module in memo:
                continue
            if remove_duplicate:
                memo.add(module)
            yield path, module
            stack += [(path + ("." if path else "") + name, child) for name, child in reversed(list(module._modules.items()))
                      if child is not None]

    def modules(self):
        """This module and all below it."""
        for _, module in self.named_modules():
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
        for name, p in self._parameters.items():
            if p is None:
                continue
            with _no_grad():
                changed = fn(p)
            if changed is not p:
                p.data = changed.data
            if p.grad is not None:
                with _no_grad():
                    changed = fn(p.grad)
                if changed is not p.grad:
                    p.grad = changed.detach().requires_grad_(p.grad.requires_grad)
        for name, b in self._buffers.items():
            if b is not None:
                self._buffers[name] = fn(b)
        return self

    def to(self, *args, **kwargs):
        """Parameters and buffers of floats in another dtype: to(torch.float64), to("cpu")."""
        probe = _C._empty((0,), None, None).to(*args, **kwargs)
        dtype = next((a.dtype if isinstance(a, Tensor) else a for a in (*args, kwargs.get("dtype")) if isinstance(a, (_C.dtype, Tensor))), None)
        if dtype is not None and not dtype.is_floating_point:
            raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")
        del probe
        return self._apply(lambda t: t.to(dtype) if dtype is not None and t.is_floating_point() else t)

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
        return self

    def cuda(self, device=None):
        """Raises, as PyTorch does where there is no GPU."""
        raise AssertionError("Torch not compiled with CUDA enabled")

    def compile(self, *args, **kwargs):
        """Nothing to do: Taut is fast without a compiler."""

    def share_memory(self):
        """The module itself: threads share memory anyway."""
        return self

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
            else:
                p.grad = p.grad.detach()
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
        return _add_hook(self._state_dict_hooks, hook)

    _register_state_dict_hook = register_state_dict_post_hook

    def register_load_state_dict_pre_hook(self, hook):
        """Calls hook(module, state_dict, prefix, local_metadata, strict, missing, unexpected, errors) before loading."""
        return _add_hook(self._load_state_dict_pre_hooks, functools.partial(hook, self))

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
            if other is not None:
                destination = other
        return destination

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        assign = local_metadata.get("assign_to_params_buffers", False)
        own = {**self._parameters, **{k: v for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set}}
        own = {k: v for k, v in own.items() if v is not None}
        for name, tensor in own.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            given = state_dict[key]
            if not isinstance(given, Tensor):
                error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                                  f"checkpoint but received {type(given)}")
                continue
            if tensor.ndim == 0 and tuple(given.shape) == (1,):
                given = given[0]
            if given.shape != tensor.shape:
                error_msgs.append(f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape "
                                  f"in current model is {tensor.shape}.")
                continue
            try:
                with _no_grad():
                    if assign:
                        if name in self._parameters:
                            given = given if isinstance(given, Parameter) else Parameter(given, tensor.requires_grad)
                        setattr(self, name, given)
                    else:
                        tensor.copy_(given)
            except Exception as problem:
                error_msgs.append(f'While copying the parameter named "{key}", whose dimensions in the model are {tensor.shape} and '
                                  f"whose dimensions in the checkpoint are {given.shape}, an exception occurred : {problem.args}.")
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
                    first, _, rest = key[len(prefix):].partition(".")
                    if (rest and first not in self._modules) or (not rest and first not in own):
                        unexpected_keys.append(key)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Copies the values of a state_dict in; missing, unexpected and misshapen entries are listed in one error."""
        if not hasattr(state_dict, "items"):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing, unexpected, errors = [], [], []
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)

        def load(module, local, prefix):
            own_metadata = {} if metadata is None else dict(metadata.get(prefix[:-1], {}))
            if assign:
                own_metadata["assign_to_params_buffers"] = True
            module._load_from_state_dict(local, prefix, own_metadata, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    inner = prefix + name + "."
                    load(child, {k: v for k, v in local.items() if k.startswith(inner)}, inner)
            keys = _IncompatibleKeys(missing, unexpected)
            for hook in module._load_state_dict_post_hooks.values():
                hook(module, keys)

        load(self, state_dict, "")
        if strict:
            if unexpected:
                errors.insert(0, "Unexpected key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in unexpected)))
            if missing:
                errors.insert(0, "Missing key(s) in state_dict: {}. ".format(", ".join(f'"{k}"' for k in missing)))
        if errors:
            raise RuntimeError("Error(s) in loading state_dict for {}:\n\t{}".format(type(self).__name__, "\n\t".join(errors)))
        return _IncompatibleKeys(missing, unexpected)

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name in _OWN:
            if name not in self.__dict__:
                object.__setattr__(self, name, OrderedDict())

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


class _no_grad:
    def __enter__(self):
        self._before = _C.is_grad_enabled()
        _C._set_grad_enabled(False)

    def __exit__(self, *_):
        _C._set_grad_enabled(self._before)


def _typename(value):
    if isinstance(value, Tensor):
        return "torch." + type(value).__name__ if type(value) is not Tensor else value.type()
    module = type(value).__module__
    return type(value).__qualname__ if module in ("builtins", None) else f"{module}.{type(value).__qualname__}"


Module.__module__ = "torch.nn.modules.module"
