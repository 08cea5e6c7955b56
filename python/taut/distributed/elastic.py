"""torch.distributed.elastic is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.elastic", "", "there is no communication between processes"))
__getattr__ = lacking("distributed.elastic")
