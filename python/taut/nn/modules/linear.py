"""Linear layers."""

import math

from .. import functional as F
from .. import init
from ..parameter import UninitializedParameter, _new_parameter
from .lazy import LazyModuleMixin
from .module import Module, _weight_and_bias

_linear = F.linear


def _bound(weight):
    """The largest of uniform numbers whose variance is 1 / (3 inputs)."""
    fan_in = weight.size(1)
    return 1 / math.sqrt(fan_in) if fan_in > 0 else 0


class Identity(Module):
    """Gives its input back, whatever it was made with."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


# Written by tools/layers.py from src/nn/layers/linear.txt; do not edit.
class Linear(Module):
    """y = x W^T + b."""

    __constants__ = ["in_features", "out_features"]

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = _new_parameter((out_features, in_features), device, dtype)
        if bias:
            self.bias = _new_parameter((out_features,), device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Gives the parameters the values they begin with."""
        init.kaiming_uniform_(self.weight, math.sqrt(5))
        if self.bias is not None:
            init.uniform_(self.bias, -_bound(self.weight), _bound(self.weight))

    def forward(self, input):
        return _linear(input, *_weight_and_bias(self))

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Bilinear(Module):
    """y = x1^T W x2 + b."""

    __constants__ = ["in1_features", "in2_features", "out_features"]

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={in1_features})")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = _new_parameter((out_features, in1_features, in2_features), device, dtype)
        if bias:
            self.bias = _new_parameter((out_features,), device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Gives the parameters the values they begin with."""
        init.uniform_(self.weight, -_bound(self.weight), _bound(self.weight))
        if self.bias is not None:
            init.uniform_(self.bias, -_bound(self.weight), _bound(self.weight))

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return (f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
                f"bias={self.bias is not None}")


# End of what is written.


class NonDynamicallyQuantizableLinear(Linear):
    """Linear by another name, within MultiheadAttention."""


class LazyLinear(LazyModuleMixin, Linear):
    """Linear that learns in_features from its first input."""

    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        """Draws weight and bias anew, once their shapes are known."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        """Takes in_features from the input."""
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        if self.in_features == 0:
            self.in_features = input.shape[-1]
