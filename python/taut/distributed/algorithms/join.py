"""The names of torch.distributed.algorithms.join, which say that it is not there."""

from ..._refuse import lacking, refusals

globals().update(refusals("distributed.algorithms.join", "Join Joinable JoinHook", "ranks with fewer batches than others are not waited for: give all as many"))
__getattr__ = lacking("distributed.algorithms.join")
