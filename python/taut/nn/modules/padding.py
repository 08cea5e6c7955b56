"""Padding."""

from .. import functional as F
from .module import Module
from .utils import _ntuple, _pair, _quadruple


# Written by tools/layers.py from src/nn/layers/padding.txt; do not edit.
class _ConstantPadNd(Module):
    """What adds a constant."""


class ConstantPad1d(_ConstantPadNd):
    """Adds a constant at both ends of the last dimension."""

    __constants__ = ["padding", "value"]

    def __init__(self, padding, value):
        super().__init__()
        self.padding = _pair(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ConstantPad2d(_ConstantPadNd):
    """Adds a constant at both ends of the last two dimensions."""

    __constants__ = ["padding", "value"]

    def __init__(self, padding, value):
        super().__init__()
        self.padding = _quadruple(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ConstantPad3d(_ConstantPadNd):
    """Adds a constant at both ends of the last three dimensions."""

    __constants__ = ["padding", "value"]

    def __init__(self, padding, value):
        super().__init__()
        self.padding = _ntuple(6)(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


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


class _ReflectionPadNd(Module):
    """What adds the mirror image."""


class ReflectionPad1d(_ReflectionPadNd):
    """Adds the mirror image at both ends of the last dimension."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _pair(padding)

    def forward(self, input):
        return F.pad(input, self.padding, "reflect")

    def extra_repr(self):
        return f"{self.padding}"


class ReflectionPad2d(_ReflectionPadNd):
    """Adds the mirror image at both ends of the last two dimensions."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _quadruple(padding)

    def forward(self, input):
        return F.pad(input, self.padding, "reflect")

    def extra_repr(self):
        return f"{self.padding}"


class ReflectionPad3d(_ReflectionPadNd):
    """Adds the mirror image at both ends of the last three dimensions."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(6)(padding)

    def forward(self, input):
        return F.pad(input, self.padding, "reflect")

    def extra_repr(self):
        return f"{self.padding}"


class _ReplicationPadNd(Module):
    """What repeats the outermost elements."""


class ReplicationPad1d(_ReplicationPadNd):
    """Repeats the outermost elements of the last dimension."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _pair(padding)

    def forward(self, input):
        return F.pad(input, self.padding, "replicate")

    def extra_repr(self):
        return f"{self.padding}"


class ReplicationPad2d(_ReplicationPadNd):
    """Repeats the outermost elements of the last two dimensions."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _quadruple(padding)

    def forward(self, input):
        return F.pad(input, self.padding, "replicate")

    def extra_repr(self):
        return f"{self.padding}"


class ReplicationPad3d(_ReplicationPadNd):
    """Repeats the outermost elements of the last three dimensions."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(6)(padding)

    def forward(self, input):
        return F.pad(input, self.padding, "replicate")

    def extra_repr(self):
        return f"{self.padding}"


class _CircularPadNd(Module):
    """What goes on at the other end."""


class CircularPad1d(_CircularPadNd):
    """Adds what stands at the other end of the last dimension."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _pair(padding)

    def forward(self, input):
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")
        return F.pad(input, self.padding, "circular")

    def extra_repr(self):
        return f"{self.padding}"


class CircularPad2d(_CircularPadNd):
    """Adds what stands at the other end of the last two dimensions."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _quadruple(padding)

    def forward(self, input):
        if input.dim() != 3 and input.dim() != 4:
            raise ValueError(f"expected 3D or 4D input (got {input.dim()}D input)")
        return F.pad(input, self.padding, "circular")

    def extra_repr(self):
        return f"{self.padding}"


class CircularPad3d(_CircularPadNd):
    """Adds what stands at the other end of the last three dimensions."""

    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(6)(padding)

    def forward(self, input):
        if input.dim() != 4 and input.dim() != 5:
            raise ValueError(f"expected 4D or 5D input (got {input.dim()}D input)")
        return F.pad(input, self.padding, "circular")

    def extra_repr(self):
        return f"{self.padding}"


# End of what is written.
