"""The old ways to make a tensor, Tensor(2, 3), FloatTensor([1, 2]) and x.new(2, 3), and the types that belong to them."""

from . import _C
from ._C import Tensor
from ._types import Size, device as Device, strided


def made(dtype, args, device=None, size=None, name="new"):
    """Ints or a Size are the sizes; a tensor or a storage is itself; anything else holds the values."""
    if device is not None:
        Device(device).check()
    if size is not None:
        args = (Size(size),)
    if len(args) != 1 or hasattr(args[0], "__index__") and not hasattr(args[0], "__len__") and not isinstance(args[0], bool):
        return _C._empty(args or (0,), None, dtype)
    data = args[0]
    if isinstance(data, Size):
        return _C._empty(tuple(data), None, dtype)
    data = getattr(data, "_elements", data)  # of a storage
    if isinstance(data, Tensor):
        if dtype is not None and data.dtype is not dtype:
            raise TypeError(f"{name}(): expected a tensor of {dtype}, got one of {data.dtype}; convert it with x.to({dtype})")
        return data.detach()
    if isinstance(data, float) or not hasattr(data, "__len__"):
        raise TypeError(f"{name}(): data must be a sequence (got {type(data).__name__})")
    return _C._tensor(data, dtype or _C.get_default_dtype())


class tensortype(type):
    """The class of FloatTensor and its kin: of a dtype are the tensors that have it, and calling one makes such a tensor."""

    def __call__(cls, *args, device=None, size=None):
        return made(cls.dtype, args, device, size, cls.__name__)

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype


tensortype.__module__ = "torch"
TYPES = {f"torch.{name}Tensor": tensortype(f"{name}Tensor", (), dict(
    dtype=dtype, layout=strided, is_cuda=False, is_sparse=False, __module__="torch", __doc__=f"Tensors of {dtype}."))
    for name, dtype in dict(Float=_C.float32, Double=_C.float64, Half=_C.float16, BFloat16=_C.bfloat16, Long=_C.int64, Int=_C.int32,
                            Short=_C.int16, Char=_C.int8, Byte=_C.uint8, Bool=_C.bool).items()}


def type_name(dtype):
    """The name of the type of tensors of a dtype: "torch.FloatTensor"."""
    shown = next((name for name, t in TYPES.items() if t.dtype is dtype), None)
    if shown is None:
        name = str(dtype)[6:]
        kind = {"complex32": "ComplexHalf", "complex64": "ComplexFloat", "complex128": "ComplexDouble"}.get(
            name, name.replace("uint", "UInt").replace("float8", "Float8"))
        shown = f"torch.{kind}Tensor"
    return shown


def dtype_of(wanted, name):
    """The dtype that a dtype, a tensor type or the name of one stands for."""
    if isinstance(wanted, str) and wanted in TYPES:
        wanted = TYPES[wanted]
    if isinstance(wanted, tensortype):
        return wanted.dtype
    if isinstance(wanted, (str, type)):
        raise ValueError(f"{name}(): invalid type: '{wanted if isinstance(wanted, str) else wanted.__name__}'")
    if not isinstance(wanted, _C.dtype):
        raise TypeError(f"{name}(): dtype must be a type, str, or dtype object")
    return wanted
