"""What a module does with its inputs, as a list of calls: the functions of torch, their arguments and results."""

import functools

from .. import _C
from .._C import Tensor
from ..overrides import TorchFunctionMode

# What says something about a tensor, or returns it as it is, and computes nothing.
_ASKS = {"size", "dim", "stride", "numel", "nelement", "is_contiguous", "is_floating_point", "is_complex", "element_size", "storage_offset",
         "data_ptr", "requires_grad_", "is_cuda", "get_device", "is_conj", "is_neg", "retain_grad", "is_sparse", "ndimension", "type", "__len__",
         "__hash__", "__repr__", "__format__", "is_inference", "_is_view", "is_nonzero_", "_canonical_mask", "_none_or_dtype", "dim_order"}
_READS = {"item", "tolist", "__bool__", "__int__", "__float__", "__index__", "numpy", "is_nonzero", "equal", "allclose", "__contains__"}


class Call:
    """One call. `path` is where it happened: the names of the modules."""

    __slots__ = ("name", "args", "kwargs", "result", "path")

    def __init__(self, name, args, kwargs, result, path):
        self.name, self.args, self.kwargs, self.result, self.path = name, args, kwargs, result, path


def tensors_in(tree):
    """The tensors in nested tuples, lists and dicts, in order."""
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, dict):
        for value in tree.values():
            yield from tensors_in(value)
    elif isinstance(tree, (tuple, list)):
        for value in tree:
            yield from tensors_in(value)


class Recorder(TorchFunctionMode):
    """Notes the calls within it. Results are kept, so that no address is used twice."""

    def __init__(self):
        super().__init__()
        self.calls, self.path, self.read = [], [], []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        name = getattr(func, "__name__", str(func))
        if name == "__get__":
            name = getattr(getattr(func, "__self__", None), "__name__", "")
            if not isinstance(result, Tensor):
                return result
        if name in _READS:
            self.read.append(name)
        elif name not in _ASKS and (next(tensors_in(result), None) is not None or name.endswith("_") or name in ("__setitem__", "__set__")):
            self.calls.append(Call(name, args, kwargs, result, tuple(self.path)))
        return result


def record(module, args, kwargs):
    """(calls, result, names of what was read into Python) of a call of a module or function."""
    from ..nn import Module

    recorder, removed = Recorder(), []
    if isinstance(module, Module):
        for name, child in module.named_modules():
            if not name:
                continue
            short, kind = name, type(child).__name__
            removed.append(child.register_forward_pre_hook(lambda m, i, label=(short, kind): recorder.path.append(label)))
            removed.append(child.register_forward_hook(lambda m, i, o: recorder.path.pop() and None, always_call=True))
    before = _C.is_grad_enabled()
    _C._set_grad_enabled(False)
    try:
        with recorder:
            result = module(*args, **kwargs)
    finally:
        _C._set_grad_enabled(before)
        for handle in removed:
            handle.remove()
    return recorder.calls, result, recorder.read


@functools.lru_cache(maxsize=None)
def _parameters(name):
    import inspect

    from ..nn import functional

    f = getattr(functional, name, None)
    return list(inspect.signature(inspect.unwrap(f)).parameters) if f is not None else []
