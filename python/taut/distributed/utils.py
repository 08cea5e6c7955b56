"""torch.distributed.utils is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.utils", "", "there is no communication between processes"))
__getattr__ = lacking("distributed.utils")
