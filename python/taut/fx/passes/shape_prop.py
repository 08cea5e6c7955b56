"""The shapes of all results in a graph, by running it."""

from typing import Any, NamedTuple

from ..._C import Tensor
from ..._types import channels_last, channels_last_3d, contiguous_format
from ..interpreter import Interpreter
from ..node import map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]


class TensorMetadata(NamedTuple):
    """What a result is, without its elements."""

    shape: Any
    dtype: Any
    requires_grad: bool
    stride: Any
    memory_format: Any
    is_quantized: bool
    qparams: Any


TensorMetadata.__module__ = "torch.fx.passes.shape_prop"


def _extract_tensor_metadata(result, include_contiguity=True):
    format = None
    if include_contiguity:
        format = next((f for f in (contiguous_format, channels_last, channels_last_3d) if result.is_contiguous(memory_format=f)), None)
    return TensorMetadata(result.shape, result.dtype, result.requires_grad, result.stride(), format, False, {})


class ShapeProp(Interpreter):
    """Runs a graph and notes at every step meta["tensor_meta"] and meta["type"]."""

    def __init__(self, gm, fake_mode=None):
        super().__init__(gm)

    def run_node(self, n):
        """The result of one step, noted."""
        result = super().run_node(n)
        found = False

        def extract(x):
            nonlocal found
            if not isinstance(x, Tensor):
                return x
            found = True
            return _extract_tensor_metadata(x)

        meta = map_aggregate(result, extract)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        """Runs the graph with these arguments."""
        return super().run(*args)
