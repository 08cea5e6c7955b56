"""The fast way of MultiheadAttention in evaluation: there is one way, so the switch changes nothing."""

_is_fastpath_enabled = True


def get_fastpath_enabled():
    """The switch."""
    return _is_fastpath_enabled


def set_fastpath_enabled(value):
    """Sets the switch."""
    global _is_fastpath_enabled
    _is_fastpath_enabled = value
