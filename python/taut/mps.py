"""Apple's GPUs: not there."""


def is_available():
    """False."""
    return False


def device_count():
    """0."""
    return 0


def manual_seed(seed):
    """Nothing to do."""
    int(seed)


def seed():
    """Nothing to do."""


def _none(name):
    def missing(*args, **kwargs):
        raise RuntimeError(f"Cannot execute {name}() without MPS backend.")

    missing.__doc__ = "Raises: there is no such GPU."
    return missing


empty_cache, synchronize = _none("emptyCache"), _none("synchronize")
current_allocated_memory = _none("currentAllocatedMemory")


def __getattr__(name):
    raise AttributeError(f"torch.mps.{name} is not part of Taut")
