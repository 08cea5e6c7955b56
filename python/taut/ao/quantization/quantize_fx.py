"""Quantisation of graphs is not there: its names are, and say so."""

from ..._refuse import refusals

globals().update(refusals("ao.quantization.quantize_fx", "prepare_fx prepare_qat_fx convert_fx fuse_fx", "there are no quantised tensors"))
