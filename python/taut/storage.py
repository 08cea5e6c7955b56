"""The memory behind tensors, which views share."""

import warnings
from collections.abc import Iterable

from . import _C
from ._C import Tensor
from ._types import device as Device, placed

__all__ = ["UntypedStorage", "TypedStorage"]


def _must_have_memory(storage):
    if storage.device.type == "meta":
        raise NotImplementedError("Not available for 'meta' device type")


def _warn():
    warnings.warn("TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage "
                  "class. This should only matter to you if you are using storages directly.  To access UntypedStorage "
                  "directly, use tensor.untyped_storage() instead of tensor.storage()", stacklevel=4)


def _lines(storage):
    return "...\n" if storage.device.type == "meta" else "".join(f" {v}\n" for v in storage.tolist())


class _Storage:
    """What both kinds of storage answer alike."""

    is_cuda = is_hpu = is_sparse = is_sparse_csr = False
    filename = None

    def resizable(self):
        """Can its size be changed? Yes."""
        return True

    def get_device(self):
        """-1: the CPU."""
        return -1

    def to(self, *, device, non_blocking=False):
        """Itself: there is no other device."""
        if Device(device).type != "cpu":
            raise RuntimeError(f"storages stay on the CPU, not on {device}")
        return self

    def share_memory_(self):
        """Itself: threads share memory anyway."""
        return self

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        memo = memo.setdefault("torch", {})
        if id(self) not in memo:
            memo[id(self)] = self.clone()
        return memo[id(self)]


class UntypedStorage(_Storage):
    """The bytes behind a tensor and its views."""

    def __init__(self, tensor=0):
        if isinstance(tensor, int):  # so many bytes, not set yet
            tensor = _C._empty((tensor,), None, _C.uint8)
        elif isinstance(tensor, (list, tuple, bytes)):
            tensor = _C._tensor(list(tensor), _C.uint8)
        self._bytes = _C._storage_elements(tensor, _C.uint8)

    @classmethod
    def from_file(cls, filename, shared=False, nbytes=0):
        """The memory of a file; shared: what is written goes to the file, which grows to that size."""
        import mmap
        import os

        with open(filename, "r+b" if os.path.exists(filename) and shared else "w+b" if shared else "rb") as file:
            if shared and os.fstat(file.fileno()).st_size < nbytes:
                file.truncate(nbytes)
            size = os.fstat(file.fileno()).st_size
            nbytes = nbytes or size
            if size < nbytes:
                raise RuntimeError(f"file <{filename}> size <{size}> is smaller than the required mapping size <{nbytes}>")
            if not nbytes:
                return cls(0)
            memory = mmap.mmap(file.fileno(), nbytes, access=mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY)
        return cls(_C._from_buffer(memoryview(memory)))

    @classmethod
    def from_buffer(cls, buffer, *_):
        """A copy of the bytes of a buffer."""
        return cls(_C._from_buffer(memoryview(buffer).cast("B")).clone())

    device = property(lambda self: self._bytes.device, doc="Where it is: on the CPU, or meta, nowhere.")

    def untyped(self):
        """Itself."""
        return self

    _untyped = untyped

    def data_ptr(self):
        """The address of the first byte; 0 if there is none."""
        return 0 if self._bytes.is_meta else _C._storage(self._bytes)[0]

    def nbytes(self):
        """The number of bytes."""
        return self._bytes.numel()

    size = __len__ = nbytes

    def __sizeof__(self):
        return super().__sizeof__() + self.nbytes()

    def element_size(self):
        """1."""
        return 1

    def tolist(self):
        """The bytes as a list of ints."""
        _must_have_memory(self)
        return self._bytes.tolist()

    def is_shared(self):
        """Can other processes map it?"""
        return self._bytes.is_shared()

    def is_pinned(self, device="cuda"):
        """Is it pinned for a GPU? No."""
        return False

    def clone(self):
        """A copy."""
        return UntypedStorage(self._bytes.clone())

    def _as(self, dtype):
        return TypedStorage(wrap_storage=self, dtype=_C.uint8)._as(dtype)

    def cpu(self):
        """Itself."""
        return self

    def copy_(self, source, non_blocking=None):
        """Takes the bytes of another storage of the same size."""
        if len(source) != len(self):
            raise RuntimeError(f"size mismatch: {len(self)} bytes and {len(source)}")
        self._bytes.copy_(source._bytes)
        return self

    def fill_(self, value):
        """The same byte everywhere."""
        self._bytes.fill_(value)
        return self

    def new(self):
        """An empty storage."""
        return UntypedStorage(0)

    def byteswap(self, dtype):
        """Turns over the bytes of each element of this dtype, in place."""
        if dtype.itemsize > 1:
            self._bytes.copy_(self._bytes.view(-1, dtype.itemsize).flip(1).reshape(-1))

    def resize_(self, size):
        """Another number of bytes. Tensors that share this memory keep what they have, so it must be nobody else's."""
        if size != len(self):
            grown = _C._empty((size,), None, _C.uint8)
            n = min(size, len(self))
            grown[:n] = self._bytes[:n]
            self._bytes = grown
        return self

    def type(self, dtype=None, non_blocking=False):
        """The name of its type."""
        return "torch.storage.UntypedStorage"

    def tobytes(self):
        """The bytes as a bytes object."""
        return bytes(memoryview(self._bytes))

    def __getitem__(self, index):
        _must_have_memory(self)
        found = self._bytes[index]
        return UntypedStorage(found.clone()) if isinstance(index, slice) else found.item()

    def __setitem__(self, index, value):
        self._bytes[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def __eq__(self, other):
        return isinstance(other, UntypedStorage) and _C._storage(self._bytes) == _C._storage(other._bytes)

    def __hash__(self):
        return hash(_C._storage(self._bytes)[0])

    def __repr__(self):
        return f"{_lines(self)}[torch.storage.UntypedStorage(device={self.device}) of size {len(self)}]"


class TypedStorage(_Storage):
    """The elements behind a tensor and its views, in one dtype: none, a number of them that are not set yet, those of a sequence,
    or those of the memory of an UntypedStorage."""

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None):
        _warn()
        dtype = dtype or _C.get_default_dtype()
        if len(args) > 1 or (args and wrap_storage is not None):
            raise TypeError(f"{type(self)}.__new__ received an invalid combination of arguments. Too many positional arguments")
        if wrap_storage is not None:
            if not isinstance(wrap_storage, UntypedStorage):
                raise TypeError(f"{type(self)}.__new__ received an invalid combination of arguments. Argument 'wrap_storage' must "
                                f"be UntypedStorage, but got {type(wrap_storage)}")
            elements = wrap_storage._bytes
        elif not args or isinstance(args[0], int):
            with placed(device):
                elements = _C._empty((args[0] if args else 0,), None, dtype)
        elif isinstance(args[0], Iterable) and not isinstance(args[0], Tensor):
            elements = _C._tensor(list(args[0]), dtype)
        else:
            raise TypeError(f"{type(self)}.__new__ received an invalid combination of arguments. Argument type not recognized: "
                            f"{type(args[0])}")
        self._elements = _C._storage_elements(elements, dtype)
        self.dtype = dtype

    @classmethod
    def from_buffer(cls, *args, dtype=None, **kwargs):
        """A copy of the bytes of a buffer."""
        return cls(wrap_storage=UntypedStorage.from_buffer(*args, **kwargs), dtype=dtype)

    @classmethod
    def from_file(cls, filename, shared=False, size=0, dtype=None):
        """The memory of a file that holds so many elements."""
        dtype = dtype or getattr(cls, "dtype", None) or _C.get_default_dtype()
        return cls(wrap_storage=UntypedStorage.from_file(filename, shared, size * dtype.itemsize), dtype=dtype)

    device = property(lambda self: self._elements.device, doc="Where it is: on the CPU, or meta, nowhere.")

    def untyped(self):
        """The same memory as bytes."""
        return UntypedStorage(self._elements)

    def data_ptr(self):
        """The address of the first element; 0 if there is none."""
        return self.untyped().data_ptr()

    def nbytes(self):
        """The number of bytes."""
        return self._elements.nbytes

    def size(self):
        """The number of elements."""
        return self._elements.numel()

    __len__ = size

    def element_size(self):
        """Bytes of one element."""
        return self.dtype.itemsize

    def tolist(self):
        """The elements as a list."""
        return self._elements.tolist()

    def type(self, dtype=None, non_blocking=False):
        """The name of its type, or a copy in another dtype."""
        if dtype is not None:
            return self._as(getattr(dtype, "dtype", dtype))
        return next((f"torch.{name}" for name, cls in TYPES.items() if cls.dtype is self.dtype), "torch.storage.TypedStorage")

    def pickle_storage_type(self):
        """The name of its type without that of the package."""
        return self.type().rpartition(".")[2]

    def _as(self, dtype):
        return TypedStorage(wrap_storage=self._elements.to(dtype, copy=True).untyped_storage(), dtype=dtype)

    def clone(self):
        """A copy."""
        return self._as(self.dtype)

    def cpu(self):
        """Itself."""
        return self

    def fill_(self, value):
        """The same element everywhere."""
        self._elements.fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        """Takes the elements of another storage of the same size."""
        self._elements.copy_(source._elements)
        return self

    def resize_(self, size):
        """Another number of elements. Tensors that share this memory keep what they have."""
        self._elements = _C._storage_elements(self.untyped().resize_(size * self.dtype.itemsize)._bytes, self.dtype)

    def is_shared(self):
        """Can other processes map it?"""
        return self._elements.is_shared()

    def is_pinned(self, device="cuda"):
        """Is it pinned for a GPU? No."""
        return False

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self._elements[index].item()

    def __setitem__(self, index, value):
        self._elements[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def __repr__(self):
        return f"{_lines(self)}[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {len(self)}]"


class _OfOneDtype(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, TypedStorage) and getattr(cls, "dtype", instance.dtype) is instance.dtype

    def __call__(cls, *args, wrap_storage=None, dtype=None, device=None):
        return TypedStorage(*args, wrap_storage=wrap_storage, dtype=cls.dtype, device=device)


TYPES = {f"{name}Storage": _OfOneDtype(f"{name}Storage", (TypedStorage,), dict(
    dtype=dtype, _dtype=dtype, __module__="torch", __doc__=f"Storages of {dtype}: calling it makes a TypedStorage."))
    for name, dtype in dict(Float=_C.float32, Double=_C.float64, Half=_C.float16, BFloat16=_C.bfloat16, Long=_C.int64, Int=_C.int32,
                            Short=_C.int16, Char=_C.int8, Byte=_C.uint8, Bool=_C.bool, ComplexFloat=_C.complex64,
                            ComplexDouble=_C.complex128).items()}


def _casting(name, dtype):
    def cast(self):
        return self._as(dtype)

    cast.__name__, cast.__doc__ = name, f"A copy as {dtype}."
    setattr(_Storage, name, cast)


for _name, _dtype in dict(float=_C.float32, double=_C.float64, half=_C.float16, bfloat16=_C.bfloat16, long=_C.int64, int=_C.int32,
                          short=_C.int16, char=_C.int8, byte=_C.uint8, bool=_C.bool, complex_float=_C.complex64,
                          complex_double=_C.complex128, float8_e5m2=_C.float8_e5m2, float8_e4m3fn=_C.float8_e4m3fn,
                          float8_e5m2fnuz=_C.float8_e5m2fnuz, float8_e4m3fnuz=_C.float8_e4m3fnuz).items():
    _casting(_name, _dtype)
UntypedStorage.__module__ = TypedStorage.__module__ = "torch.storage"


def __getattr__(name):
    if name in TYPES:
        return TYPES[name]
    raise AttributeError(f"torch.storage.{name} is not part of Taut")
