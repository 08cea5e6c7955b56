"""Causal masks for queries and keys of different numbers."""

import enum

from ... import _C
from ..._C import Tensor
from ..._refuse import lacking as _lacking

__all__ = ["causal_upper_left", "causal_lower_right", "CausalVariant", "CausalBias"]


class CausalVariant(enum.IntEnum):
    """Which corners of the mask the diagonal joins."""

    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias(Tensor):
    """A causal mask: a tensor of bool for scaled_dot_product_attention's attn_mask."""

    def __new__(cls, variant, seq_len_q, seq_len_kv):
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, got {type(variant)}")
        shift = seq_len_kv - seq_len_q if variant == CausalVariant.LOWER_RIGHT else 0
        mask = _C.ops["tril"](_C.ops["ones"]([seq_len_q, seq_len_kv], dtype=_C.bool), shift)
        made = Tensor._make_subclass(cls, mask)
        made.variant, made.seq_len_q, made.seq_len_kv = variant, seq_len_q, seq_len_kv
        if seq_len_q > seq_len_kv and variant == CausalVariant.LOWER_RIGHT:
            import warnings

            warnings.warn("Lower right causal bias will produce NaNs in the output when seq_len_q > seq_len_kv!", stacklevel=3)
        return made

    def _materialize(self, device=None):
        return self.as_subclass(Tensor)

    def __repr__(self):
        return repr(self._materialize())


def causal_upper_left(*size):
    """The mask whose diagonal starts in the upper left corner."""
    if len(size) != 2:
        raise AssertionError("causal_upper_left only supports 2D tensors")
    return CausalBias(CausalVariant.UPPER_LEFT, *size)


def causal_lower_right(*size):
    """The mask whose diagonal ends in the lower right corner."""
    if len(size) != 2:
        raise AssertionError("causal_lower_right only supports 2D tensors")
    return CausalBias(CausalVariant.LOWER_RIGHT, *size)


for _class in (CausalBias, CausalVariant, causal_lower_right, causal_upper_left):
    _class.__module__ = "torch.nn.attention.bias"
__getattr__ = _lacking("nn.attention.bias")
