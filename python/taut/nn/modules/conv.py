"""Convolutions."""

import math

from .. import functional as F
from .. import init
from ..parameter import UninitializedParameter, _new_parameter
from .lazy import LazyModuleMixin
from .module import Module, _weight_and_bias
from .utils import _pair, _reverse_repeat_tuple, _single, _triple


class _ConvNd(Module):
    __constants__ = ["stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels",
                     "out_channels", "kernel_size"]

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                 groups, bias, padding_mode, device=None, dtype=None):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError("padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, but got "
                             f"padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        if isinstance(padding, str):
            # What F.pad adds around the input, last dimension first.
            total = [d * (k - 1) if padding == "same" else 0 for d, k in zip(reversed(dilation), reversed(kernel_size))]
            self._reversed_padding_repeated_twice = [p for t in total for p in (t // 2, t - t // 2)]
        else:
            self._reversed_padding_repeated_twice = _reverse_repeat_tuple(padding, 2)
        channels = (in_channels, out_channels // groups) if transposed else (out_channels, in_channels // groups)
        self.weight = _new_parameter((*channels, *kernel_size), device, dtype)
        if bias:
            self.bias = _new_parameter((out_channels,), device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draws weight and bias anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _conv_forward(self, input, weight, bias):
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = (0,) * len(self.kernel_size)
        return self._convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, *_weight_and_bias(self))

    def extra_repr(self):
        shown = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        n = len(self.kernel_size)
        if self.padding != (0,) * n:
            shown += f", padding={self.padding}"
        if self.dilation != (1,) * n:
            shown += f", dilation={self.dilation}"
        if self.output_padding != (0,) * n:
            shown += f", output_padding={self.output_padding}"
        if self.groups != 1:
            shown += f", groups={self.groups}"
        if self.bias is None:
            shown += ", bias=False"
        if self.padding_mode != "zeros":
            shown += f", padding_mode={self.padding_mode}"
        return shown

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")


class Conv1d(_ConvNd):
    """Convolution of [N, C, L] or [C, L]."""

    _convolve = staticmethod(F.conv1d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__(in_channels, out_channels, _single(kernel_size), _single(stride),
                         padding if isinstance(padding, str) else _single(padding), _single(dilation), False,
                         _single(0), groups, bias, padding_mode, device, dtype)


class Conv2d(_ConvNd):
    """Convolution of [N, C, H, W] or [C, H, W]."""

    _convolve = staticmethod(F.conv2d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__(in_channels, out_channels, _pair(kernel_size), _pair(stride),
                         padding if isinstance(padding, str) else _pair(padding), _pair(dilation), False, _pair(0),
                         groups, bias, padding_mode, device, dtype)


class Conv3d(_ConvNd):
    """Convolution of [N, C, D, H, W] or [C, D, H, W]."""

    _convolve = staticmethod(F.conv3d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__(in_channels, out_channels, _triple(kernel_size), _triple(stride),
                         padding if isinstance(padding, str) else _triple(padding), _triple(dilation), False,
                         _triple(0), groups, bias, padding_mode, device, dtype)


class _ConvTransposeNd(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                 groups, bias, padding_mode, device=None, dtype=None):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {self.__class__.__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                         groups, bias, padding_mode, device, dtype)

    def _output_padding(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None):
        if output_size is None:
            return self.output_padding
        n, output_size = num_spatial_dims, tuple(output_size)
        batched = input.dim() == n + 2
        if len(output_size) == n + (2 if batched else 1):
            output_size = output_size[-n:]
        if len(output_size) != n:
            raise ValueError(f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or "
                             f"{n + (2 if batched else 1)} elements (got {len(output_size)})")
        dilation = (1,) * n if dilation is None else dilation
        least = [(s - 1) * stride[d] - 2 * padding[d] + dilation[d] * (kernel_size[d] - 1) + 1
                 for d, s in enumerate(input.shape[-n:])]
        most = [least[d] + stride[d] - 1 for d in range(n)]
        if any(not a <= s <= b for a, s, b in zip(least, output_size, most)):
            raise ValueError(f"requested an output size of {output_size}, but valid sizes range from {least} to {most} "
                             f"(for an input of {input.shape[2:]})")
        return tuple(s - a for s, a in zip(output_size, least))

    def forward(self, input, output_size=None):
        output_padding = self.output_padding if output_size is None else self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, len(self.kernel_size), self.dilation)
        return self._convolve(input, *_weight_and_bias(self), self.stride, self.padding, output_padding, self.groups,
                              self.dilation)


class ConvTranspose1d(_ConvTransposeNd):
    """The transpose of a convolution of [N, C, L] or [C, L]."""

    _convolve = staticmethod(F.conv_transpose1d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        super().__init__(in_channels, out_channels, _single(kernel_size), _single(stride), _single(padding),
                         _single(dilation), True, _single(output_padding), groups, bias, padding_mode, device, dtype)


class ConvTranspose2d(_ConvTransposeNd):
    """The transpose of a convolution of [N, C, H, W] or [C, H, W]."""

    _convolve = staticmethod(F.conv_transpose2d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        super().__init__(in_channels, out_channels, _pair(kernel_size), _pair(stride), _pair(padding), _pair(dilation),
                         True, _pair(output_padding), groups, bias, padding_mode, device, dtype)


class ConvTranspose3d(_ConvTransposeNd):
    """The transpose of a convolution of [N, C, D, H, W] or [C, D, H, W]."""

    _convolve = staticmethod(F.conv_transpose3d)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        super().__init__(in_channels, out_channels, _triple(kernel_size), _triple(stride), _triple(padding),
                         _triple(dilation), True, _triple(output_padding), groups, bias, padding_mode, device, dtype)


class _LazyConvXdMixin(LazyModuleMixin):
    def reset_parameters(self):
        """Draws weight and bias anew, once their shapes are known."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        """Takes in_channels from the input."""
        if not self.has_uninitialized_params():
            return
        n = len(self.kernel_size)
        if input.dim() not in (n + 1, n + 2):
            raise RuntimeError(f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to "
                               f"{self.__class__.__name__}, but got input of size: {input.shape}")
        self.in_channels = input.shape[-n - 1]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        channels = (self.in_channels, self.out_channels // self.groups) if self.transposed else \
            (self.out_channels, self.in_channels // self.groups)
        self.weight.materialize((*channels, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _wait(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)


def _lazy(name, layer):
    """LazyConv2d of Conv2d, and so on."""
    if issubclass(layer, _ConvTransposeNd):
        def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                     dilation=1, padding_mode="zeros", device=None, dtype=None):
            super(cls, self).__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
                                      padding_mode, device, dtype)
            self._wait(out_channels, bias, device, dtype)
    else:
        def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                     padding_mode="zeros", device=None, dtype=None):
            super(cls, self).__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device,
                                      dtype)
            self._wait(out_channels, bias, device, dtype)

    cls = type(name, (_LazyConvXdMixin, layer), {"__init__": __init__, "cls_to_become": layer, "__module__": __name__,
                                                 "__doc__": f"{layer.__name__} that learns in_channels from its first "
                                                            "input."})
    return cls


LazyConv1d, LazyConv2d, LazyConv3d = (_lazy(f"Lazy{c.__name__}", c) for c in (Conv1d, Conv2d, Conv3d))
LazyConvTranspose1d, LazyConvTranspose2d, LazyConvTranspose3d = (
    _lazy(f"Lazy{c.__name__}", c) for c in (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d))
