"""cuSPARSELt: not there."""


def is_available():
    """False."""
    return False


def version():
    """None."""


def get_max_alg_id():
    """None."""
