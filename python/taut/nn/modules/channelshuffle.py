"""Channels in another order."""

from .. import functional as F
from .module import Module


# Written by tools/layers.py from src/nn/layers/pixelshuffle.txt; do not edit.
class ChannelShuffle(Module):
    """Takes the channels of all groups in turn."""

    __constants__ = ["groups"]

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, input):
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self):
        return f"groups={self.groups}"


# End of what is written.
