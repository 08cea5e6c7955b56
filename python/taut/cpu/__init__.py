"""The CPU, by the names GPUs have."""

import importlib as _importlib


def is_available():
    """True."""
    return True


def is_initialized():
    """True."""
    return True


def device_count():
    """1."""
    return 1


def current_device():
    """cpu."""
    return "cpu"


def synchronize(device=None):
    """Nothing to do: ops are done when they return."""


def set_device(device):
    """Nothing to do."""


def __getattr__(name):
    if name == "amp":
        return _importlib.import_module(f"{__name__}.amp")
    raise AttributeError(f"torch.cpu.{name} is not part of Taut")
