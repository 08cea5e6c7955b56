"""Nested tensors are not there: their names are, and say so."""

from ._refuse import lacking as _lacking, refusals as _refusals

globals().update(_refusals("nested", "nested_tensor as_nested_tensor nested_tensor_from_jagged to_padded_tensor narrow masked_select",
                           "tensors have one shape; pad_sequence pads, and masks say what is padding"))
__getattr__ = _lacking("nested")
