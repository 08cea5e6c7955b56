"""Streams of GPUs."""

from . import Event, ExternalStream, Stream  # noqa: F401
