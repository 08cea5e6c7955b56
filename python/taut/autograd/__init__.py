"""Gradients."""

from .. import _C
from .._C import Node, Tensor
from .function import Function
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

Variable = Tensor


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Sums the gradients of `tensors` into the .grad of the leaves they were computed from."""
    if grad_tensors is not None and isinstance(grad_tensors, Tensor):
        grad_tensors = (grad_tensors,)
    _C._backward(tensors, grad_tensors, retain_graph, create_graph, inputs)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=None, is_grads_batched=False,
         materialize_grads=False):
    """The gradients of `outputs` with respect to `inputs`; .grad stays as it is."""
    if is_grads_batched:
        raise NotImplementedError("torch.autograd.grad: is_grads_batched is not supported yet")
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                         "allow_unused=False.")
    return _C._grad(outputs, inputs, grad_outputs, retain_graph, create_graph, bool(allow_unused or materialize_grads),
                    materialize_grads)


class detect_anomaly:
    """Within it the first op that makes a NaN or an infinity raises."""

    def __init__(self, check_nan=True):
        self.check_nan = check_nan

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


def __getattr__(name):
    import importlib

    if name in ("functional", "forward_ad", "graph", "gradcheck", "profiler"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.autograd.{name} is not part of Taut")
