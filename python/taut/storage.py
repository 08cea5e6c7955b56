"""The memory behind tensors, which views share."""

from . import _C

__all__ = ["UntypedStorage", "TypedStorage"]


def _must_have_memory(storage):
    if storage.device.type == "meta":
        raise NotImplementedError("Not available for 'meta' device type")


def _lines(storage):
    return "...\n" if storage.device.type == "meta" else "".join(f" {v}\n" for v in storage.tolist())


class UntypedStorage:
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
    is_cuda = False

    def data_ptr(self):
        """The address of the first byte; 0 if there is none."""
        return 0 if self._bytes.is_meta else _C._storage(self._bytes)[0]

    def nbytes(self):
        """The number of bytes."""
        return self._bytes.numel()

    size = __len__ = nbytes

    def element_size(self):
        """1."""
        return 1

    def tolist(self):
        """The bytes as a list of ints."""
        _must_have_memory(self)
        return self._bytes.tolist()

    def is_shared(self):
        """Is it shared with other processes? No."""
        return False

    def is_pinned(self, device="cuda"):
        """Is it pinned for a GPU? No."""
        return False

    def clone(self):
        """A copy."""
        return UntypedStorage(self._bytes.clone())

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


class TypedStorage:
    """The elements behind a tensor and its views, in one dtype."""

    def __init__(self, tensor):
        import warnings

        warnings.warn("TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
                      "only storage class. This should only matter to you if you are using storages directly.  To "
                      "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()",
                      stacklevel=3)
        self._elements = _C._storage_elements(tensor, tensor.dtype)
        self.dtype = tensor.dtype

    device = property(lambda self: self._elements.device, doc="Where it is: on the CPU, or meta, nowhere.")
    is_cuda = False

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


UntypedStorage.__module__ = TypedStorage.__module__ = "torch.storage"


def __getattr__(name):
    raise AttributeError(f"torch.storage.{name} is not part of Taut")
