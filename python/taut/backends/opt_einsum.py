"""opt_einsum: not used."""

enabled, strategy = False, None


def is_available():
    """False."""
    return False


def get_opt_einsum():
    """None: orders of products are not searched for."""
