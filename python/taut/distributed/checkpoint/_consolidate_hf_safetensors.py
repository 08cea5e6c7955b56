"""The names of torch.distributed.checkpoint._consolidate_hf_safetensors, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.checkpoint._consolidate_hf_safetensors", "consolidate_safetensors_files", _WHY))
__getattr__ = lacking("distributed.checkpoint._consolidate_hf_safetensors")
