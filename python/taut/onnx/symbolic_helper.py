"""What packages decorate their translations for PyTorch's exporter with. Taut records calls instead and does not call them."""

from .._refuse import lacking


def parse_args(*descriptors):
    """The function as it is."""
    return lambda f: f


__getattr__ = lacking("onnx.symbolic_helper")
