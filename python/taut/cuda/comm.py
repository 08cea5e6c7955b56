"""Copies between GPUs: not there."""

from . import _no_gpu

broadcast = broadcast_coalesced = gather = reduce_add = reduce_add_coalesced = scatter = _no_gpu
