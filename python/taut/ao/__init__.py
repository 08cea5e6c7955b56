"""Quantisation and its kin: not there. The names are, and say so."""

from .._refuse import loading

__getattr__ = loading("ao", {"quantization", "nn", "pruning"})
