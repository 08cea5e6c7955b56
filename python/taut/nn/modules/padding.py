"""Padding."""

from .. import functional as F
from .module import Module
from .utils import _ntuple, _pair, _quadruple


class _ConstantPadNd(Module):
    __constants__ = ["padding", "value"]

    def __init__(self, value):
        super().__init__()
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """Adds a constant at both ends of the last dimension."""

    def __init__(self, padding, value):
        super().__init__(value)
        self.padding = _pair(padding)


class ConstantPad2d(_ConstantPadNd):
    """Adds a constant at both ends of the last two dimensions."""

    def __init__(self, padding, value):
        super().__init__(value)
        self.padding = _quadruple(padding)


class ConstantPad3d(_ConstantPadNd):
    """Adds a constant at both ends of the last three dimensions."""

    def __init__(self, padding, value):
        super().__init__(value)
        self.padding = _ntuple(6)(padding)


class ZeroPad1d(ConstantPad1d):
    """Adds zeros at both ends of the last dimension."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


class ZeroPad2d(ConstantPad2d):
    """Adds zeros at both ends of the last two dimensions."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


class ZeroPad3d(ConstantPad3d):
    """Adds zeros at both ends of the last three dimensions."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


class _PadNd(Module):
    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(2 * self._dims)(padding)

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ReflectionPadNd(_PadNd):
    _mode = "reflect"


class _ReplicationPadNd(_PadNd):
    _mode = "replicate"


class _CircularPadNd(_PadNd):
    _mode = "circular"

    def _check_input_dim(self, input):
        if input.dim() not in (self._dims + 1, self._dims + 2):
            raise ValueError(f"expected {self._dims + 1}D or {self._dims + 2}D input (got {input.dim()}D input)")

    def forward(self, input):
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")


class ReflectionPad1d(_ReflectionPadNd):
    """Adds the mirror image at both ends of the last dimension."""

    _dims = 1


class ReflectionPad2d(_ReflectionPadNd):
    """Adds the mirror image at both ends of the last two dimensions."""

    _dims = 2


class ReflectionPad3d(_ReflectionPadNd):
    """Adds the mirror image at both ends of the last three dimensions."""

    _dims = 3


class ReplicationPad1d(_ReplicationPadNd):
    """Repeats the outermost elements of the last dimension."""

    _dims = 1


class ReplicationPad2d(_ReplicationPadNd):
    """Repeats the outermost elements of the last two dimensions."""

    _dims = 2


class ReplicationPad3d(_ReplicationPadNd):
    """Repeats the outermost elements of the last three dimensions."""

    _dims = 3


class CircularPad1d(_CircularPadNd):
    """Adds what stands at the other end of the last dimension."""

    _dims = 1


class CircularPad2d(_CircularPadNd):
    """Adds what stands at the other ends of the last two dimensions."""

    _dims = 2


class CircularPad3d(_CircularPadNd):
    """Adds what stands at the other ends of the last three dimensions."""

    _dims = 3
