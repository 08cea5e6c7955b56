"""Sparsifiers are not there; torch.nn.utils.prune prunes."""

from .._refuse import lacking

__getattr__ = lacking("ao.pruning")
