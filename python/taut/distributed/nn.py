"""torch.distributed.nn is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.nn", "all_reduce all_gather", "there is no communication between processes"))
__getattr__ = lacking("distributed.nn")
