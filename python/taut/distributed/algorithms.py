"""torch.distributed.algorithms is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.algorithms", "", "there is no communication between processes"))
__getattr__ = lacking("distributed.algorithms")
