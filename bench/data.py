"""Numbers for the workloads: the same in every library, whatever its own generators do."""

import math

import numpy as np


class Input:
    """An input of a workload: how to draw it, and the view of it that the workload sees."""

    def __init__(self, draw, view=(), differentiable=False):
        self.draw, self.view, self.differentiable = draw, view, differentiable

    def seen_as(self, *view):
        return Input(self.draw, view, self.differentiable)

    def t(self):
        return self.seen_as("transpose", -2, -1)

    def permute(self, *dims):
        return self.seen_as("permute", dims)

    def expand(self, *shape):
        return self.seen_as("expand", shape)

    def fixed(self):
        """Without a gradient."""
        return Input(self.draw, self.view)

    def of_array(self, array, numpy):
        """The view of an array of NumPy's kind."""
        if not self.view:
            return array
        name, *arguments = self.view
        return getattr(numpy, {"transpose": "swapaxes", "permute": "transpose", "expand": "broadcast_to"}[name])(
            array, *arguments)

    def tensor(self, rng, torch):
        tensor = torch.from_numpy(self.draw(rng)).clone()
        if self.view:
            name, *arguments = self.view
            tensor = getattr(tensor, name)(*arguments)
        return tensor


def normal(*shape):
    return Input(lambda rng: rng.standard_normal(shape, dtype=np.float32), differentiable=True)


def steep(*shape):
    """Square matrices whose diagonals outweigh the rest: their lower halves are those of positive-definite ones."""
    n = np.float32(shape[-1])
    return Input(lambda rng: rng.standard_normal(shape, dtype=np.float32) + 4 * n * np.eye(shape[-1], dtype=np.float32),
                 differentiable=True)


def double(*shape):
    return Input(lambda rng: rng.standard_normal(shape), differentiable=True)


def integers(high, *shape):
    return Input(lambda rng: rng.integers(high, size=shape))


def booleans(*shape):
    return Input(lambda rng: rng.integers(2, size=shape).astype(bool))


def generator():
    return np.random.default_rng(0)


def parameter(rng, shape, bias=False):
    """The start of a parameter: weights by their fan-in, biases zero, scales of norms one."""
    if len(shape) == 1:
        return np.zeros(shape, np.float32) if bias else np.ones(shape, np.float32)
    return (rng.standard_normal(shape, dtype=np.float32) / math.sqrt(math.prod(shape[1:]))).astype(np.float32)


def checksum(arrays):
    """A few numbers for each array that tell two results apart: sum, sum of magnitudes, and a sample with weights."""
    numbers = []
    for array in arrays:
        flat = np.asarray(array).ravel()
        if flat.dtype == bool:
            flat = flat.astype(np.int64)
        sample = flat[:: max(1, flat.size // 4096)].astype(np.float64)
        numbers.append(
            [
                float(flat.sum(dtype=np.float64)),
                float(np.abs(flat).sum(dtype=np.float64)),
                float(sample @ np.cos(np.arange(sample.size))),
                float(np.abs(sample).sum()),
            ]
        )
    return numbers
