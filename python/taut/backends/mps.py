"""Apple's GPUs: not there."""


def is_available():
    """False."""
    return False


def is_built():
    """False."""
    return False


def is_macos13_or_newer(minor=0):
    """False."""
    return False


is_macos_or_newer = is_macos13_or_newer


def get_name():
    """Nothing: there is none."""
    return ""


def get_core_count():
    """0."""
    return 0
