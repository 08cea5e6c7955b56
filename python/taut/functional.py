"""torch.functional: the functions of torch that are written in Python, by their old module."""

from ._functions import (atleast_1d, atleast_2d, atleast_3d, block_diag, broadcast_shapes, broadcast_tensors, cartesian_prod, cdist, chain_matmul,
                         einsum, lu, meshgrid, norm, split, tensordot, unique, unique_consecutive, unravel_index)
from . import _C

stft, istft = _C.ops["stft"], _C.ops["istft"]
__all__ = ["atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors", "cartesian_prod", "cdist",
           "chain_matmul", "einsum", "istft", "lu", "meshgrid", "norm", "split", "stft", "tensordot", "unique", "unique_consecutive", "unravel_index"]
