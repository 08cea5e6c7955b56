"""Errors of processes that the launcher started."""

from . import errors
