"""Behaviours of modules to come."""

_overwrite = _swap = False


def set_overwrite_module_params_on_conversion(value):
    """Whether Module.to() and its kin put new parameters in place of the old ones."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion():
    """What set_overwrite_module_params_on_conversion said."""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """Whether they are swapped, so that references see the new ones."""
    global _swap
    _swap = value


def get_swap_module_params_on_conversion():
    """What set_swap_module_params_on_conversion said."""
    return _swap
