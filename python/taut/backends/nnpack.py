"""NNPACK: not used."""


def is_available():
    """False."""
    return False


def set_flags(_enabled):
    """Nothing to set."""
    return (False,)
