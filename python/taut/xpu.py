"""Intel's GPUs: not there."""


def is_available():
    """False."""
    return False


def device_count():
    """0."""
    return 0


def manual_seed(seed):
    """Nothing to do."""
    int(seed)


manual_seed_all = manual_seed


def empty_cache():
    """Nothing to do."""


def synchronize(device=None):
    """Raises: there is no such GPU."""
    raise AssertionError("Torch not compiled with XPU enabled")


current_device = set_device = get_device_name = get_device_properties = synchronize


def __getattr__(name):
    raise AttributeError(f"torch.xpu.{name} is not part of Taut")
