"""NNPACK: not used."""


def is_available():
    """False."""
    return False


def set_flags(_enabled):
    """Nothing to set."""
    return (False,)


class flags:
    """A context with these flags, which change nothing."""

    def __init__(self, enabled=False):
        self.enabled = enabled

    def __enter__(self):
        pass

    def __exit__(self, *_):
        return False
