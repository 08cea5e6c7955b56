"""Small types: sizes, devices, memory formats, named results."""

import operator
import threading

from . import _C


def _size(n, i):
    """What stands for a size, as a number."""
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError(f"torch.Size() takes an iterable of 'int' (item {i} is '{type(n).__name__}')") from None
    if not -(2**63) <= n < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return n


class Size(tuple):
    """The sizes of a tensor."""

    __slots__ = ()

    def __new__(cls, sizes=()):
        return tuple.__new__(cls, [n if type(n) is int and -(2**63) <= n < 2**63 else _size(n, i) for i, n in enumerate(sizes)])

    def numel(self):
        """The product of the sizes."""
        n = 1
        for s in self:
            n *= s
        return n

    def __repr__(self):
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, key):
        got = tuple.__getitem__(self, key)
        return Size(got) if isinstance(key, slice) else got

    def __add__(self, other):
        return Size(tuple(self) + tuple(other))

    def __radd__(self, other):
        return Size(other + tuple(self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        return Size(tuple(self) * times)

    __rmul__ = __mul__

    def __reduce__(self):
        return Size, (tuple(self),)


Size.__module__ = "torch"
_C._set_size_class(Size)


class device:
    """Where tensors are: the CPU, or meta, where they have shapes and dtypes but no memory. `with device:` makes it the default."""

    __slots__ = ("type", "index")

    def __init__(self, type, index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        if not isinstance(type, str):
            raise TypeError(f"device(): argument 'type' must be str, not {type.__class__.__name__}")
        if not type:
            raise RuntimeError("Device string must not be empty")
        name, colon, number = type.partition(":")
        if colon:
            if not (number.isascii() and number.isdigit()) or number != str(int(number)):
                raise RuntimeError(f"Invalid device string: '{type}'")
            if index is not None:
                raise RuntimeError(f"type (string) must not include an index because index was passed explicitly: {type}")
            index = int(number)
        elif index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
        if name in ("cuda", "mps", "xpu", "meta", "xla", "ipu", "hpu", "mtia", "hip"):
            self.type, self.index = name, index
            return
        if name != "cpu":
            raise RuntimeError("Expected one of cpu, cuda, ipu, xpu, hip, xla, mps, meta, hpu, mtia device type at start of device "
                               f"string: {name}")
        self.type, self.index = name, index

    def check(self):
        """Raises what PyTorch raises where there is no such device."""
        if self.type == "cuda":
            raise AssertionError("Torch not compiled with CUDA enabled")
        if self.type not in ("cpu", "meta"):
            raise RuntimeError(f"PyTorch is not linked with support for {self.type} devices")
        return self

    def __repr__(self):
        return f"device(type='{self.type}'" + (")" if self.index is None else f", index={self.index})")

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __reduce__(self):
        return device, (self.type, self.index)

    def __enter__(self):
        _defaults.outer.append(_defaults.device)
        _set_default(self.check())
        return self

    def __exit__(self, *_):
        _set_default(_defaults.outer.pop())

    def __call__(self, f):
        import functools

        @functools.wraps(f)
        def inside(*args, **kwargs):
            with self:
                return f(*args, **kwargs)

        return inside


class _Defaults(threading.local):
    def __init__(self):
        self.device, self.outer = device("cpu"), []


def _set_default(where):
    _defaults.device = where
    _C._set_default_meta(where.type == "meta")


device.__module__ = "torch"
_defaults = _Defaults()
_C._set_device_checker(lambda d: device(d).check().type == "meta")


class placed:
    """Within it, what is made is on this device, or on the default one."""

    def __init__(self, where=None):
        self.meta = _C._default_meta() if where is None else device(where).check().type == "meta"

    def __enter__(self):
        self._before = _C._set_dry(self.meta)
        return self

    def __exit__(self, *_):
        _C._set_dry(self._before)


def move(tensor, where):
    """The tensor on this device, or on the default one."""
    meta = placed(where).meta
    return tensor if meta == tensor.is_meta else tensor._to(None, False, meta)


class _Constant:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return self._name

    def __reduce__(self):
        return self._name.rpartition(".")[2]


class memory_format(_Constant):
    """How the elements of a tensor are laid out."""


class layout(_Constant):
    """How a tensor keeps its elements."""

    def __init__(self, name, number=-1):
        super().__init__(name)
        self._number = number


contiguous_format = memory_format("torch.contiguous_format")
preserve_format = memory_format("torch.preserve_format")
channels_last = memory_format("torch.channels_last")
channels_last_3d = memory_format("torch.channels_last_3d")
strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc = layouts = [
    layout(f"torch.{name}", number)
    for number, name in enumerate(("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc"))]
jagged = layout("torch.jagged")  # by name only


_named_tuples = {}


def _named_tuple(name, fields):
    """A tuple whose items have names, which prints as PyTorch's do."""
    if (name, fields) in _named_tuples:
        return _named_tuples[name, fields]

    def item(i):
        return property(lambda self: self[i])

    def show(self):
        return f"torch.return_types.{name}(\n" + ",\n".join(f"{f}={v!r}" for f, v in zip(fields, self)) + ")"

    members = {f: item(i) for i, f in enumerate(fields)}
    members.update(__repr__=show, __slots__=(), __module__="torch.return_types",
                   __reduce__=lambda self: (_make_named_tuple, (name, fields, tuple(self))))
    _named_tuples[name, fields] = type(name, (tuple,), members)
    return _named_tuples[name, fields]


def _make_named_tuple(name, fields, items):
    return _named_tuple(name, fields)(items)


_C._set_named_tuple_maker(lambda name, fields: _named_tuple(name, tuple(fields)))
