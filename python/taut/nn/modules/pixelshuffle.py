"""Channels as pixels, and back."""

from .. import functional as F
from .module import Module


# Written by tools/layers.py from src/nn/layers/pixelshuffle.txt; do not edit.
class PixelShuffle(Module):
    """[*, C r^2, H, W] as [*, C, H r, W r]."""

    __constants__ = ["upscale_factor"]

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """[*, C, H r, W r] as [*, C r^2, H, W]."""

    __constants__ = ["downscale_factor"]

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input):
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self):
        return f"downscale_factor={self.downscale_factor}"


# End of what is written.
