"""OpenMP: not used; Taut has threads of its own."""


def is_available():
    """False."""
    return False
