"""Parameters that are computed from others."""

import contextlib
import copy

from ..._C import Tensor
from ...autograd.grad_mode import no_grad
from ..modules.container import ModuleDict, ModuleList
from ..parameter import Parameter

_depth = 0
_cache = {}


@contextlib.contextmanager
def cached():
    """Within it every parametrized tensor is computed once."""
    global _depth, _cache
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if not _depth:
            _cache = {}


def _held(module, name, tensor):
    """Makes the tensor a parameter or a buffer of the module, as what it is."""
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _as(original, like):
    if isinstance(original, Parameter) or not isinstance(like, Parameter):
        return original
    return Parameter(original, like.requires_grad)


class ParametrizationList(ModuleList):
    """What a parametrized tensor is computed from, and how, in order."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = original
        with no_grad():
            for module in reversed(self):
                if hasattr(module, "right_inverse"):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:
                        pass
        if not isinstance(new, Tensor) and not isinstance(new, (tuple, list)):
            raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                             f"Got {type(new).__name__}")
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if original.dtype != new.dtype:
                raise ValueError("When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                                 f"original.dtype: {original.dtype}\nright_inverse(original).dtype: {new.dtype}")
            with no_grad():
                if new is not original:
                    original.data = new.detach()
            _held(self, "original", original)
        else:
            for i, part in enumerate(new):
                if not isinstance(part, Tensor):
                    raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                                     f"Got element {i} of the sequence with type {type(part).__name__}.")
                _held(self, f"original{i}", _as(part, original))
        if not unsafe:
            made = self()
            if not isinstance(made, Tensor):
                raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
            if made.dtype != dtype:
                raise ValueError("Registering a parametrization may not change the dtype of the tensor, unless "
                                 f"`unsafe` flag is enabled.\nunparametrized dtype: {dtype}\nparametrized dtype: "
                                 f"{made.dtype}")
            if made.shape != shape:
                raise ValueError("Registering a parametrization may not change the shape of the tensor, unless "
                                 f"`unsafe` flag is enabled.\nunparametrized shape: {shape}\nparametrized shape: "
                                 f"{made.shape}")

    def right_inverse(self, value):
        """Sets the originals so that the computed tensor has this value."""
        with no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            for name, part in zip(self._names(), (value,) if self.is_tensor else value):
                old = getattr(self, name)
                if part.shape == old.shape:
                    old.copy_(part)
                else:
                    old.data = part

    def _names(self):
        return ["original"] if self.is_tensor else [f"original{i}" for i in range(self.ntensors)]

    def forward(self):
        modules = iter(self)
        value = next(modules)(*(getattr(self, name) for name in self._names()))
        for module in modules:
            value = module(value)
        return value


def _inject_new_class(module):
    """Gives the module a class of its own, to which properties can be added."""
    cls = module.__class__

    def deepcopy(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        made = self.__new__(self.__class__)
        memo[id(self)] = made
        made.__dict__ = copy.deepcopy(self.__dict__, memo)
        return made

    def getstate(self):
        raise RuntimeError("Serialization of parametrized modules is only supported through state_dict(). See:\n"
                           "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
                           "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training")

    members = {"__getstate__": getstate}
    if not hasattr(cls, "__deepcopy__"):
        members["__deepcopy__"] = deepcopy
    made = type(f"Parametrized{cls.__name__}", (cls,), members)
    module.__class__ = made


def _inject_property(module, name):
    def get(self):
        if not _depth:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def put(self, value):
        self.parametrizations[name].right_inverse(value)

    setattr(module.__class__, name, property(get, put))


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """From now on module.tensor_name is parametrization(what it was)."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            before = getattr(module, tensor_name)
            after = parametrization(before)
            if not isinstance(after, Tensor):
                raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
            if after.dtype != before.dtype:
                raise ValueError("Registering a parametrization may not change the dtype of the tensor, unless the "
                                 f"`unsafe` flag is enabled.\nmodule.{tensor_name}.dtype: "
                                 f"{before.dtype}\nparametrization(module.{tensor_name}).dtype: {after.dtype}")
            if after.shape != before.shape:
                raise ValueError("Registering a parametrization may not change the shape of the tensor, unless the "
                                 f"`unsafe` flag is enabled.\nmodule.{tensor_name}.shape: "
                                 f"{before.shape}\nparametrization(module.{tensor_name}).shape: {after.shape}")
            if hasattr(parametrization, "right_inverse"):
                try:
                    back = parametrization.right_inverse(after)
                except NotImplementedError:
                    pass
                else:
                    if not isinstance(back, Tensor):
                        raise ValueError("parametrization.right_inverse must return a tensor. Got: "
                                         f"{type(back).__name__}")
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        made = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_new_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
                         f"'{tensor_name}'")
    return module


def is_parametrized(module, tensor_name=None):
    """Is this tensor of the module (or any) parametrized?"""
    held = getattr(module, "parametrizations", None)
    if held is None or not isinstance(held, ModuleDict):
        return False
    return len(held) > 0 if tensor_name is None else tensor_name in held


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Makes the tensor an ordinary parameter again: with its computed value, or with the original one."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    held = module.parametrizations[tensor_name]
    if held.is_tensor:
        original = held.original
        if leave_parametrized:
            with no_grad():
                value = getattr(module, tensor_name)
            original.data = value.detach() if value.dtype == original.dtype else value.detach().to(original.dtype)
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in "
                         "terms of a sequence of tensors.")
    delattr(module.__class__, tensor_name)
    del module.parametrizations[tensor_name]
    _held(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = module.__class__.__bases__[0]
    return module


def type_before_parametrizations(module):
    """The class of the module as it was made."""
    return module.__class__.__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Gives one module the parametrizations, and their originals, of another."""
    if not is_parametrized(from_module):
        return to_module
    if not isinstance(from_module.parametrizations, ModuleDict):
        raise AssertionError("from_module.parametrizations must be a ModuleDict")
    for name in [tensor_name] if tensor_name is not None else list(from_module.parametrizations):
        if not hasattr(to_module, name):
            setattr(to_module, name, copy.deepcopy(from_module.parametrizations[name].original))
        for parametrization in from_module.parametrizations[name]:
            register_parametrization(to_module, name, parametrization)
        source, target = from_module.parametrizations[name], to_module.parametrizations[name]
        for key in source._names():
            setattr(target, key, getattr(source, key))
    return to_module
