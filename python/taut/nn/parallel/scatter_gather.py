"""Copies between GPUs: there are none."""

from ..._refuse import refusals

globals().update(refusals("nn.parallel.scatter_gather", "gather scatter scatter_kwargs", "there is no GPU"))
