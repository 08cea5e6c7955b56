"""Collectives with gradients."""

from . import functional
from .functional import *  # noqa: F401,F403
