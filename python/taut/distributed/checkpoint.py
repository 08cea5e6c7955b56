"""torch.distributed.checkpoint is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.checkpoint", "save load FileSystemReader FileSystemWriter", "it is not supported"))
__getattr__ = lacking("distributed.checkpoint")
