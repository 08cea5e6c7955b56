"""PyTorch's translations for opset 11, which Taut does not have: packages import the module to register their own."""

from .._refuse import lacking

__getattr__ = lacking("onnx.symbolic_opset11")
