"""Sparse tensors of GPUs: not there."""

from . import _TensorType


def __getattr__(name):
    if name.endswith("Tensor"):
        return _TensorType(f"sparse.{name}", (), {"__module__": "torch.cuda.sparse"})
    raise AttributeError(f"torch.cuda.sparse.{name} is not part of Taut")
