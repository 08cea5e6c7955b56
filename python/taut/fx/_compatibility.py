"""A decorator that says what keeps its meaning from release to release: programs written for PyTorch use it."""


def compatibility(is_backward_compatible=False):
    """The function as it is."""

    def mark(f):
        f._backward_compatible = is_backward_compatible
        return f

    return mark
