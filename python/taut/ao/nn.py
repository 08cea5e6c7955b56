"""Quantised layers are not there."""

from .._refuse import lacking

__getattr__ = lacking("ao.nn")
