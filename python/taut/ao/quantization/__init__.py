"""Quantisation is not there: its names are, and say so."""

from ..._refuse import loading as _loading, refusals as _refusals
from ...quantization import _NAMES, _WHY

globals().update(_refusals("ao.quantization", _NAMES, _WHY))
__getattr__ = _loading("ao.quantization", {"quantize_fx"})
