"""torch.distributed.utils is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.utils", "", "it is not supported"))
__getattr__ = lacking("distributed.utils")
