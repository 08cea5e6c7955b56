"""Normalisation within a sample."""

import numbers

from ... import _C
from .. import functional as F
from .. import init
from ..parameter import _new_parameter
from .module import Module, _weight_and_bias


# Written by tools/layers.py from src/nn/layers/normalization.txt; do not edit.
class LocalResponseNorm(Module):
    """Each element divided by a power of the mean square of its neighbour channels."""

    __constants__ = ["size", "alpha", "beta", "k"]

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class LayerNorm(Module):
    """The last dimensions with mean 0 and variance 1, then scaled and shifted."""

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = _new_parameter(self.normalized_shape, device, dtype)
        else:
            self.register_parameter("weight", None)
        if elementwise_affine and bias:
            self.bias = _new_parameter(self.normalized_shape, device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Gives the parameters the values they begin with."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, *_weight_and_bias(self), self.eps)

    def extra_repr(self):
        return (f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
                f"bias={self.bias is not None}")


class RMSNorm(Module):
    """The last dimensions divided by the root of their mean square, then scaled."""

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = _new_parameter(self.normalized_shape, device, dtype)
        else:
            self.register_parameter("weight", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Gives the parameters the values they begin with."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Each group of channels with mean 0 and variance 1, then scaled and shifted."""

    __constants__ = ["num_groups", "num_channels", "eps", "affine"]

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        if affine:
            self.weight = _new_parameter((num_channels,), device, dtype)
        else:
            self.register_parameter("weight", None)
        if affine and bias:
            self.bias = _new_parameter((num_channels,), device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Gives the parameters the values they begin with."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
                f"bias={self.bias is not None}")


# End of what is written.


class CrossMapLRN2d(Module):
    """LocalResponseNorm of images, by the sums that PyTorch's layer of this name takes."""

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input):
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        if not input.is_floating_point():
            raise RuntimeError(f"result type Float can't be cast to the desired output type "
                               f"{str(input.dtype)[6:]}")
        square = input.pow(2)
        channels, reach = input.shape[1], int((self.size + 1) // 2)
        sums = []
        for c in range(channels):
            low, high = max(0, c - reach + 1), min(channels, c + reach)
            total = square[:, low:high].sum(1)
            sums.append(total + square[:, 0] if c >= reach else total)  # the first channel stays in every sum
        return input * (_C.ops["stack"](sums, 1) * (self.alpha / self.size) + self.k).pow(-self.beta) if sums else input

    extra_repr = LocalResponseNorm.extra_repr
