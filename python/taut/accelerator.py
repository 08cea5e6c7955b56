"""Whatever GPU there is: none."""


def is_available():
    """False."""
    return False


def device_count():
    """0."""
    return 0


def current_accelerator(check_available=False):
    """None."""
    return None


def synchronize(device=None):
    """Raises: there is no GPU."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


current_device_index = set_device_index = current_stream = synchronize


def __getattr__(name):
    raise AttributeError(f"torch.accelerator.{name} is not part of Taut")
