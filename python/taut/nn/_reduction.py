"""How losses are reduced, by name and by number."""

import warnings

_NUMBERS = {"none": 0, "mean": 1, "sum": 2}


def get_enum(reduction):
    """The number an op knows a reduction by."""
    try:
        return _NUMBERS[reduction]
    except (KeyError, TypeError):
        pass
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=3)
        return 1
    raise ValueError(f"{reduction} is not a valid value for reduction")


def legacy_get_string(size_average, reduce, emit_warning=True):
    """The reduction that the old arguments size_average and reduce ask for."""
    average = True if size_average is None else size_average
    reduction = "none" if not (True if reduce is None else reduce) else "mean" if average else "sum"
    if emit_warning:
        warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.",
                      stacklevel=3)
    return reduction


def legacy_get_enum(size_average, reduce, emit_warning=True):
    """The number for the old arguments."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
