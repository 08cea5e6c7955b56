"""Names for annotations."""

from typing import Any, List, Optional, Sequence, Tuple, Union

from . import _C
from ._C import Tensor
from ._types import Size, device, layout, memory_format

_int, _float, _bool, _complex = int, float, bool, complex
_dtype, _device, _layout, _size = _C.dtype, device, layout, Union[Size, List[int], Tuple[int, ...]]
_TensorOrTensors = Union[Tensor, Sequence[Tensor]]
Number = Union[int, float, bool]
Device = Optional[Union[device, str, int]]
Storage = Any
__all__ = ["Number", "Device", "Storage", "Tensor", "memory_format"]
