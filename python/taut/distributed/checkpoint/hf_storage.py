"""The names of torch.distributed.checkpoint.hf_storage, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.checkpoint.hf_storage", "HuggingFaceStorageReader HuggingFaceStorageWriter", _WHY))
__getattr__ = lacking("distributed.checkpoint.hf_storage")
