"""Gradients: backward, grad, Functions of your own, and how to look into the graph."""

import threading

from .. import _C
from .._C import Node, Tensor
from .function import Function, NestedIOFunction
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .gradcheck import gradcheck, gradgradcheck  # now: a later import would put the module in the place of the function
from .variable import Variable

__all__ = ["Variable", "Function", "backward", "grad_mode", "NestedIOFunction", "detect_anomaly", "enable_grad", "grad",
           "gradcheck", "gradgradcheck", "inference_mode", "no_grad", "set_detect_anomaly", "set_grad_enabled",
           "set_multithreading_enabled", "variable"]


def _tensors(places, what):
    """The tensors of a list in which some are given as a GradientEdge."""
    if isinstance(places, Tensor):
        return (places,)
    if hasattr(places, "node"):
        places = (places,)
    found = tuple(_C._edge_tensor(p.node, p.output_nr) if hasattr(p, "node") else p for p in places)
    for p in found:
        if not isinstance(p, Tensor):
            error = RuntimeError if what == "inputs" else AssertionError
            raise error(f"all {what} have to be Tensors or GradientEdges, but got {type(p).__name__}")
    return found


def _seeds(grads, outputs):
    """The gradients to start from, as a list; None where there is one element and 1 will do."""
    if grads is None:
        return None
    listed = (grads,) if isinstance(grads, Tensor) else tuple(grads)
    for g in listed:
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
    if len(listed) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(listed)} gradients")
    return listed


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Sums the gradients of `tensors` into the .grad of the leaves they were computed from (or of `inputs` only)."""
    if grad_variables is not None:
        import warnings

        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError("`grad_tensors` and `grad_variables` (deprecated) arguments both passed to "
                               "`backward()`. Please only use `grad_tensors`.")
        grad_tensors = grad_variables
    if inputs is not None:
        inputs = _tensors(inputs.values() if isinstance(inputs, dict) else inputs, "inputs")
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = _tensors(tensors, "tensors")
    _C._backward(tensors, _seeds(grad_tensors, tensors), retain_graph, create_graph, inputs)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    """The gradients of `outputs` with respect to `inputs`; .grad stays as it is.

    With is_grads_batched the first dimension of `grad_outputs` counts several of them; the results have it too.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                         "allow_unused=False.")
    if not only_inputs:
        import warnings

        warnings.warn("only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
                      "gradient for other parts of the graph, please use "
                      "torch.autograd.backward.", FutureWarning, stacklevel=2)
    names = None
    if isinstance(inputs, dict):
        names, inputs = list(inputs), list(inputs.values())
    outputs, inputs = _tensors(outputs, "outputs"), _tensors(inputs, "inputs")
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    seeds = _seeds(grad_outputs, outputs)
    unused = bool(allow_unused or materialize_grads)
    if not is_grads_batched:
        found = _C._grad(outputs, inputs, seeds, retain_graph, create_graph, unused, materialize_grads)
    else:
        retain_graph = create_graph if retain_graph is None else retain_graph
        found = _batched(outputs, inputs, seeds, retain_graph, create_graph, unused, materialize_grads)
    return found if names is None else dict(zip(names, found))


def _batched(outputs, inputs, seeds, retain_graph, create_graph, unused, materialize):
    if seeds is None or any(s is None for s in seeds):
        raise RuntimeError("grad: with is_grads_batched=True every output needs its grad_outputs")
    count = {s.shape[0] if s.ndim else 0 for s in seeds}
    if len(count) != 1 or 0 in count:
        raise RuntimeError("grad: with is_grads_batched=True all grad_outputs need the same first dimension, but they "
                           "have shapes "
                           + ", ".join(str(tuple(s.shape)) for s in seeds))
    (count,) = count
    from ..func.vmap import level

    with level(count, "error") as number:
        found = _C._grad(outputs, inputs, tuple(_C._vmap_enter(s, 0, number) for s in seeds), retain_graph, create_graph,
                         unused, materialize)
        return tuple(None if g is None else _C._vmap_leave(g, 0, number) for g in found)


class detect_anomaly:
    """Within it the first op that makes a NaN or an infinity raises an error that names it."""

    def __init__(self, check_nan=True):
        import warnings

        self.check_nan = check_nan
        self._before = _C.is_anomaly_enabled()
        warnings.warn("Anomaly Detection has been enabled. This mode will increase the runtime and should only be "
                      "enabled for debugging.", stacklevel=2)

    def __enter__(self):
        self._before = _C.is_anomaly_enabled()
        _C._set_anomaly(True, self.check_nan)

    def __exit__(self, *_):
        _C._set_anomaly(self._before, True)


class set_detect_anomaly:
    """Switches anomaly mode on or off, at once; as a context manager, until its end."""

    def __init__(self, mode, check_nan=True):
        self._before = _C.is_anomaly_enabled()
        _C._set_anomaly(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *_):
        _C._set_anomaly(self._before, True)


_multithreading = threading.local()


class set_multithreading_enabled:
    """Sets what is_multithreading_enabled() says, from now on or within a block; nothing else depends on it.

    One backward runs in the thread that calls it, and any number of threads may call it at once.
    """

    def __init__(self, mode):
        self.mode, self._before = mode, is_multithreading_enabled()
        _multithreading.enabled = mode

    def __enter__(self):
        pass

    def __exit__(self, *_):
        _multithreading.enabled = self._before


def is_multithreading_enabled():
    """What set_multithreading_enabled said last in this thread; True at first."""
    return getattr(_multithreading, "enabled", True)


def _node_register_hook(self, fn):
    """Calls fn(grad_inputs, grad_outputs) after the backward of this node; a returned tuple replaces grad_inputs."""
    from .._tensor import RemovableHandle

    number = self._register_hook(fn)
    return RemovableHandle(lambda: self._remove_hook(number))


def _node_register_prehook(self, fn):
    """Calls fn(grad_outputs) before the backward of this node; a returned tuple replaces grad_outputs."""
    from .._tensor import RemovableHandle

    number = self._register_prehook(fn)
    return RemovableHandle(lambda: self._remove_hook(number))


Node.register_hook, Node.register_prehook = _node_register_hook, _node_register_prehook


def __getattr__(name):
    import importlib

    if name in ("functional", "forward_ad", "graph", "anomaly_mode", "profiler"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.autograd.{name} is not part of Taut")
