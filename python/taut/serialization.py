"""torch.save and torch.load: PyTorch's zip files, written and read. What load runs, it runs only if it is told to."""

import io
import os
import pickle
import reprlib
import struct
import sys
import zipfile
import zlib
from collections import Counter, OrderedDict
from types import FunctionType

from . import _C
from ._C import Generator, Tensor
from ._types import Size, device
from .nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = ["save", "load", "add_safe_globals", "get_safe_globals", "clear_safe_globals", "safe_globals"]

DEFAULT_PROTOCOL = 2
_STORAGES = {"float64": "DoubleStorage", "float32": "FloatStorage", "float16": "HalfStorage",
             "bfloat16": "BFloat16Storage", "int64": "LongStorage", "int32": "IntStorage", "int16": "ShortStorage",
             "int8": "CharStorage", "uint8": "ByteStorage", "bool": "BoolStorage"}
_ALIGNMENT = 64  # where tensors start in a file, so that it can be mapped
_PART = 1 << 18  # bytes read or written at once, while they are in the cache for the checksum
_LONGEST_PICKLE = 256 << 20  # when it is compressed: names and layouts of over a million tensors
_LARGEST_KEY = 1000  # values in a key of a dict
_BLOCKED = ("sys", "os", "posix", "nt")  # modules of which nothing may be used, whoever allows it
_NO_GPU = ("Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
           "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your "
           "storages to the CPU.")


# ---- Writing.


class _Name:
    """A global of PyTorch's, written by its name."""

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self):
        raise TypeError(f"{self.module}.{self.name} is only a name")  # pickle asks whether it could be called


_REBUILD_TENSOR = _Name("torch._utils", "_rebuild_tensor_v2")
_REBUILD_PARAMETER = _Name("torch._utils", "_rebuild_parameter")
_REBUILD_PARAMETER_WITH_STATE = _Name("torch._utils", "_rebuild_parameter_with_state")
_REBUILD_FROM_TYPE = _Name("torch._tensor", "_rebuild_from_type_v2")
_DEVICE, _SIZE, _TENSOR = (_Name("torch", name) for name in ("device", "Size", "Tensor"))
_GENERATOR = _Name("torch._C", "Generator")
_DTYPE_NAMES = {name: _Name("torch", name) for name in _STORAGES}
_STORAGE_NAMES = {name: _Name("torch", storage) for name, storage in _STORAGES.items()}


class _Memory:
    """The memory of a tensor, on its way into a file."""

    def __init__(self, tensor):
        self.tensor = tensor


class _Pickler(pickle._Pickler):
    """Python's pickler, with PyTorch's names for what is PyTorch's, and tensors in records of their own."""

    dispatch = dict(pickle._Pickler.dispatch)

    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self.records = {}  # address -> (key, bytes, dtype)
        self.seen = set()
        self.dispatch = dict(self.dispatch)

    def persistent_id(self, obj):
        """The memory of tensors is not pickled, but kept as a record of the zip file."""
        if type(obj) is _Memory:
            t = obj.tensor
            dtype = str(t.dtype)[6:]
            address, n = _C._storage(t)
            key = address if n else (len(self.records), "empty")
            if key not in self.records:
                self.records[key] = str(len(self.records)), _C._storage_bytes(t), dtype
            record, _, known = self.records[key]
            if known != dtype:
                raise RuntimeError(
                    "Cannot save multiple tensors or storages that view the same data as different types")
            return "storage", _STORAGE_NAMES[dtype], record, "cpu", n // t.dtype.itemsize
        if type(obj) not in self.seen:
            self._look_at(type(obj))
        return None

    def _look_at(self, cls):
        """Chooses, once for a class, how its instances are written."""
        self.seen.add(cls)
        if cls not in self.dispatch:
            if issubclass(cls, (UninitializedParameter, UninitializedBuffer)):
                self.dispatch[cls] = _Pickler.save_uninitialized
            elif issubclass(cls, Tensor):
                self.dispatch[cls] = _Pickler.save_subclass
            elif cls.__module__ == "torch.return_types":
                self.dispatch[cls] = pickle._Pickler.save_tuple
            elif getattr(cls.__reduce_ex__, "__module__", None) in ("taut._pickling", "taut.nn.modules.module"):
                self.dispatch[cls] = _Pickler.save_by_name

    def save_name(self, obj):
        """A global, without asking whether it is there."""
        if self.proto >= 4:
            self.save(obj.module)
            self.save(obj.name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{obj.module}\n{obj.name}\n".encode())
        self.memoize(obj)

    def save_global(self, obj, name=None):
        """A class or function; those of Taut by the names they have in PyTorch."""
        name = name or getattr(obj, "__qualname__", None) or obj.__name__
        module = pickle.whichmodule(obj, name)
        if module == "taut" or module.startswith("taut."):
            module = "torch" + module[4:]
        if module == "torch" or module.startswith("torch."):
            known = _names.get(obj)
            if known is None:
                known = _names[obj] = _Name(module, name)
            self.save(known)
        else:
            super().save_global(obj, name)

    def _plain(self, t):
        return _Memory(t), t.storage_offset(), tuple(t.shape), t.stride(), t.requires_grad, OrderedDict()

    def save_tensor(self, t):
        """A tensor, and what was set on it."""
        state = getattr(t, "__dict__", None)
        if state:
            self.save_reduce(_REBUILD_FROM_TYPE, (_REBUILD_TENSOR, _TENSOR, self._plain(t), dict(state)), obj=t)
        else:
            self.save_reduce(_REBUILD_TENSOR, self._plain(t), obj=t)

    def save_subclass(self, t):
        """A tensor of a class of the user."""
        state = getattr(t, "__dict__", None) or {}
        self.save_reduce(_REBUILD_FROM_TYPE, (_REBUILD_TENSOR, type(t), self._plain(t), dict(state)), obj=t)

    def save_parameter(self, p):
        """A parameter."""
        state = getattr(p, "__dict__", None)
        data = (p.data, p.requires_grad, OrderedDict())
        if state:
            self.save_reduce(_REBUILD_PARAMETER_WITH_STATE, (*data, dict(state)), obj=p)
        else:
            self.save_reduce(_REBUILD_PARAMETER, data, obj=p)

    def save_uninitialized(self, p):
        """A parameter or buffer of a lazy module that has no shape yet."""
        persistent = (p.persistent,) if isinstance(p, UninitializedBuffer) else ()
        self.save_reduce(type(p), (p.requires_grad, None, p.dtype, *persistent), obj=p)

    def save_by_name(self, obj):
        """An object whose class has the name it has in PyTorch."""
        self.save_reduce(*object.__reduce_ex__(obj, 2), obj=obj)

    def save_dtype(self, d):
        """A dtype, by its name."""
        self.save(_DTYPE_NAMES[str(d)[6:]])

    def save_device(self, d):
        """A device."""
        self.save_reduce(_DEVICE, (d.type,) if d.index is None else (d.type, d.index), obj=d)

    def save_size(self, s):
        """The sizes of a tensor."""
        self.save_reduce(_SIZE, (tuple(s),), obj=s)

    def save_generator(self, g):
        """A generator and its state."""
        self.save_reduce(_GENERATOR, (device("cpu"),), (g.initial_seed(), None, g.get_state()), obj=g)

    dispatch.update({_Name: save_name, Tensor: save_tensor, Parameter: save_parameter, _C.dtype: save_dtype,
                     device: save_device, Size: save_size, Generator: save_generator, type(Parameter): save_global,
                     FunctionType: save_global})


_names = {}


class _Writer:
    """A zip file whose records start at multiples of 64."""

    def __init__(self, file, name):
        self.zip = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True)
        self.name = name

    def add(self, name, data):
        """Writes one record, a tensor of bytes or bytes. Its checksum follows it, so that memory is read once."""
        file, info, size = self.zip.fp, zipfile.ZipInfo(f"{self.name}/{name}"), len(data)
        wide = size > zipfile.ZIP64_LIMIT
        info.flag_bits |= 8  # the checksum follows
        info.CRC, info.file_size, info.compress_size, info.header_offset = 0, size, size, file.tell()
        padding = -(info.header_offset + len(info.FileHeader(wide)) + 4) % _ALIGNMENT
        info.extra = b"FB" + struct.pack("<H", padding) + b"Z" * padding
        file.write(info.FileHeader(wide))
        for at in range(0, size, _PART):
            part = data[at:at + _PART]
            info.CRC = zlib.crc32(part, info.CRC) if isinstance(part, bytes) else _C._crc32(part, info.CRC)
            file.write(part)
        file.write(struct.pack("<LLQQ" if wide else "<LLLL", 0x08074b50, info.CRC, size, size))
        self.zip.filelist.append(info)
        self.zip.start_dir = file.tell()

    def close(self):
        """Writes the table of contents."""
        self.zip.close()


def save(obj, f, pickle_module=pickle, pickle_protocol=DEFAULT_PROTOCOL, _use_new_zipfile_serialization=True,
         _disable_byteorder_record=False):
    """Writes an object to a file (a path or something with `write`) that torch.load opens, PyTorch's and this one.

    Tensors that share memory share it in the file too.
    """
    if not _use_new_zipfile_serialization:
        raise NotImplementedError("torch.save: the legacy format (_use_new_zipfile_serialization=False) is not "
                                  "supported")
    if pickle_module is not pickle:
        raise NotImplementedError("torch.save: a pickle_module other than pickle is not supported yet")
    is_path = isinstance(f, (str, os.PathLike))
    if not is_path and not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    name = "archive"
    if is_path:
        f = os.fspath(f)
        parent = os.path.dirname(f)
        if parent and not os.path.isdir(parent):
            raise RuntimeError(f"Parent directory {os.fsdecode(parent)} does not exist.")
        name = os.path.splitext(os.path.basename(os.fsdecode(f)))[0].encode(errors="replace").decode() or "archive"
    text = io.BytesIO()
    pickler = _Pickler(text, pickle_protocol)
    pickler.dump(obj)
    file = _C._Saving(f) if is_path else f
    writer = _Writer(_Counting(file), name)
    try:
        writer.add("data.pkl", text.getvalue())
        if not _disable_byteorder_record:
            writer.add("byteorder", sys.byteorder.encode())
        for key, data, _ in pickler.records.values():
            writer.add(f"data/{key}", data)
        writer.add("version", b"3\n")
        writer.close()
        if is_path:
            file.commit()
    finally:
        writer.zip.fp = None  # where something failed, zipfile must not write on
        if is_path:
            file.close()


class _Counting:
    """A file that can only be written to, for zipfile, which asks where it is."""

    def __init__(self, file):
        self.file, self.at, self.buffers = file, 0, isinstance(file, _C._Saving)

    def write(self, data):
        """Writes, and counts."""
        self.file.write(data if self.buffers or isinstance(data, bytes) else bytes(memoryview(data)))
        self.at += len(data)
        return len(data)

    def tell(self):
        """How much was written."""
        return self.at

    def flush(self):
        """Passes it on."""
        if hasattr(self.file, "flush"):
            self.file.flush()

    def seekable(self):
        """No: a record is written once."""
        return False

    def seek(self, *_):
        """Not possible."""
        raise io.UnsupportedOperation("seek")


# ---- Reading.


class _Reader:
    """The records of a zip file."""

    def __init__(self, file, name, mapped):
        try:
            self.zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, OverflowError, NotImplementedError, struct.error) as error:
            raise RuntimeError(f"PytorchStreamReader failed reading zip archive: {error}. The file {name} is damaged: "
                               "it may not have been written or copied to its end.") from None
        self.file, self.name, self.map = file, name, None
        self.size = file.seek(0, 2)
        self.fd = file.fileno() if isinstance(getattr(file, "raw", None), io.FileIO) else None
        if mapped:
            import mmap

            self.map = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
        self.entries = {info.filename: info for info in self.zip.infolist()}
        mains = [n for n in self.entries if n.count("/") == 1 and n.endswith("/data.pkl")]
        if not mains:
            raise RuntimeError(f"PytorchStreamReader failed locating file data.pkl: file not found in {name}")
        self.top = mains[0][:-len("data.pkl")]

    def has(self, record):
        """Is there such a record?"""
        return self.top + record in self.entries

    def _fail(self, record, why):
        raise RuntimeError(f"PytorchStreamReader failed reading file {record} of {self.name}: {why}") from None

    def text(self, record, longest=_LONGEST_PICKLE):
        """A record as bytes; compressed, it must not become longer than that."""
        info = self.entries[self.top + record]
        if info.compress_type != zipfile.ZIP_STORED and info.file_size > longest:
            self._fail(record, f"it is compressed and has {info.file_size} bytes")
        try:
            return self.zip.read(self.top + record)
        except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, OverflowError,
                RuntimeError) as error:
            self._fail(record, error)

    def memory(self, record, nbytes):
        """A record as a tensor of bytes, which must be that many."""
        info = self.entries.get(self.top + record)
        if info is None:
            self._fail(record, "file not found")
        if info.file_size != nbytes:
            self._fail(record, f"it has {info.file_size} bytes, but should have {nbytes}")
        if not nbytes:
            return _C._empty((0,), None, _C.uint8)
        if info.compress_type != zipfile.ZIP_STORED:
            return _C._from_buffer(bytearray(self.text(record, nbytes)))
        if not 0 <= info.header_offset <= self.size - nbytes:
            self._fail(record, "the file ends before it")
        self.file.seek(info.header_offset)
        header = self.file.read(30)
        if len(header) < 30 or header[:4] != b"PK\3\4":
            self._fail(record, "its header is damaged")
        start = info.header_offset + 30 + sum(struct.unpack("<HH", header[26:30]))
        if start + nbytes > self.size:
            self._fail(record, "the file ends before it")
        if self.map is not None and start % 16 == 0:
            return _C._from_buffer(self.map[start:start + nbytes])
        made = _C._empty((nbytes,), None, _C.uint8)
        got = crc = 0
        if self.fd is not None:
            error, got, crc = _C._read_at(self.fd, start, made)
            if error:
                raise OSError(error, os.strerror(error))
            if got < nbytes:
                self._fail(record, "the file ends before it")
        else:
            self.file.seek(start)
        view = memoryview(made)
        while got < nbytes:
            end = min(got + _PART, nbytes)
            if hasattr(self.file, "readinto"):
                n = self.file.readinto(view[got:end])
            else:
                part = self.file.read(end - got)
                n = len(part)
                view[got:got + n] = part
            if not n:
                self._fail(record, "the file ends before it")
            crc = _C._crc32(made[got:got + n], crc)
            got += n
        if crc != info.CRC:
            self._fail(record, "its checksum is wrong")
        return made


class _Loaded:
    """The memory of tensors, from a file."""

    def __init__(self, data, dtype):
        self.data, self.dtype = data, dtype


class _StorageType:
    """torch.FloatStorage and its kin: what a record holds."""

    def __init__(self, dtype):
        self.dtype = dtype


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad=False, backward_hooks=None, metadata=None):
    if not isinstance(storage, _Loaded):
        raise pickle.UnpicklingError("_rebuild_tensor_v2: expected a storage")
    made = _C._from_storage(storage.data, storage.dtype, storage_offset, list(size), list(stride))
    return made.requires_grad_() if requires_grad else made


def _rebuild_tensor(storage, storage_offset, size, stride):
    return _rebuild_tensor_v2(storage, storage_offset, size, stride)


def _rebuild_parameter(data, requires_grad, backward_hooks=None):
    return Parameter(data, bool(requires_grad))


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    made = Parameter(data, bool(requires_grad))
    _set_state(made, state)
    return made


def _rebuild_from_type_v2(function, cls, args, state):
    made = function(*args)
    if cls is not Tensor and type(made) is not cls:
        made = Tensor._make_subclass(cls, made, made.requires_grad)
    _set_state(made, state)
    return made


def _set_state(made, state):
    """Attributes of a tensor: a dict, or a pair of those of __dict__ and of __slots__."""
    for part in state if isinstance(state, tuple) else (state,):
        for name, value in (part or {}).items():
            if name.startswith("__"):
                raise pickle.UnpicklingError(f"a tensor with an attribute {name}")
            setattr(made, name, value)


def _encode(text, encoding):
    if encoding not in ("latin1", "latin-1"):
        raise pickle.UnpicklingError(f"_codecs.encode with {encoding!r}")
    return text.encode("latin1")


def _size_of(sizes=()):
    return Size(sizes)


def _device_of(type, index=None):
    return device(type, index)


def _generator_of(where=None):
    return Generator()


_FUNCTIONS = {
    "torch._utils._rebuild_tensor": _rebuild_tensor, "torch._utils._rebuild_tensor_v2": _rebuild_tensor_v2,
    "torch._utils._rebuild_parameter": _rebuild_parameter,
    "torch._utils._rebuild_parameter_with_state": _rebuild_parameter_with_state,
    "torch._tensor._rebuild_from_type_v2": _rebuild_from_type_v2, "_codecs.encode": _encode, "torch.Size": _size_of,
    "torch.device": _device_of, "collections.OrderedDict": OrderedDict, "collections.Counter": Counter,
    "builtins.set": set, "__builtin__.set": set, "builtins.complex": complex, "__builtin__.complex": complex,
    "builtins.bytearray": bytearray, "__builtin__.bytearray": bytearray, "torch._C.Generator": _generator_of,
    "torch.Tensor": Tensor, "torch.nn.parameter.Parameter": Parameter, "torch.nn.parameter.Buffer": Buffer,
}
_TYPES = {f"torch.{name}": getattr(_C, name) for name in _STORAGES}
_TYPES.update({f"torch.{storage}": _StorageType(getattr(_C, name)) for name, storage in _STORAGES.items()})
_NOT_YET = {f"torch.{name}" for name in ("ComplexFloatStorage", "ComplexDoubleStorage", "complex64", "complex128",
                                         "complex32", "uint16", "uint32", "uint64", "QInt8Storage", "QUInt8Storage",
                                         "QInt32Storage")}
_NOT_YET |= {f"torch._utils._rebuild_{kind}" for kind in ("sparse_tensor", "qtensor", "nested_tensor")}
_CALLABLE = {_rebuild_tensor, _rebuild_tensor_v2, _rebuild_parameter, _rebuild_parameter_with_state,
             _rebuild_from_type_v2, _encode, _size_of, _device_of, OrderedDict, Counter, set, complex, bytearray,
             _generator_of}

_safe_globals = []


def _qualified(entry):
    return (f"{entry.__module__}.{entry.__qualname__}", entry) if not isinstance(entry, tuple) else (entry[1], entry[0])


def add_safe_globals(safe_globals):
    """Lets torch.load(weights_only=True) use these classes and functions too."""
    _safe_globals.extend(safe_globals)


def get_safe_globals():
    """What add_safe_globals was given."""
    return list(_safe_globals)


def clear_safe_globals():
    """Forgets what add_safe_globals was given."""
    _safe_globals.clear()


class safe_globals:
    """Within it torch.load(weights_only=True) may use these classes and functions too."""

    def __init__(self, safe_globals):
        self.given = list(safe_globals)

    def __enter__(self):
        self.before = list(_safe_globals)
        _safe_globals.extend(self.given)

    def __exit__(self, *_):
        _safe_globals[:] = self.before


def _dotted(module, name):
    full = f"{module}.{name}"
    if full in _NOT_YET:
        raise NotImplementedError(f"the file holds {full}, which is not supported yet")
    return full


def _check_key(key):
    """Hashing a tuple walks through all of it, again wherever a part comes again: a few bytes may be years of work."""
    todo, left = [key], _LARGEST_KEY
    while todo:
        item = todo.pop()
        left -= 1
        if isinstance(item, (tuple, frozenset)):
            if len(item) > left:
                raise pickle.UnpicklingError(f"a key made of more than {_LARGEST_KEY} values")
            todo.extend(item)
    return key


def _checked_keys(f, args):
    """The arguments of a set, a Counter or an OrderedDict, whose keys can be hashed."""
    for arg in args:
        if not isinstance(arg, (list, tuple, set, frozenset, dict)):
            raise pickle.UnpicklingError(f"{f.__name__} of a {type(arg).__name__}")
        for item in arg:
            _check_key(item[0] if f is OrderedDict and isinstance(item, (list, tuple)) and item else item)


class _Restricted(pickle._Unpickler):
    """An unpickler that builds plain values, tensors and what the user allows, and calls nothing else."""

    dispatch = {op: f for op, f in pickle._Unpickler.dispatch.items()
                if bytes([op]) not in (pickle.INST, pickle.OBJ, pickle.EXT1, pickle.EXT2, pickle.EXT4, pickle.PERSID,
                                       pickle.NEXT_BUFFER, pickle.READONLY_BUFFER)}

    def __init__(self, file, storage, **kwargs):
        super().__init__(file, **kwargs)
        self.storage = storage
        self.allowed = dict(_qualified(entry) for entry in _safe_globals)

    def find_class(self, module, name):
        """A global that may be used, or an error that names it."""
        full = _dotted(module, name)
        if module in _BLOCKED:
            raise pickle.UnpicklingError(f"Trying to load unsupported GLOBAL {full} whose module {module} is blocked.")
        for table in (_FUNCTIONS, _TYPES, self.allowed):
            if full in table:
                return table[full]
        raise pickle.UnpicklingError(
            f"Unsupported global: GLOBAL {full} was not an allowed global by default. Please use "
            f"`torch.serialization.add_safe_globals([{full}])` or the `torch.serialization.safe_globals([{full}])` "
            "context manager to allowlist this global if you trust this class/function.")

    def persistent_load(self, pid):
        """The memory of a tensor."""
        return self.storage(pid)

    def _may_call(self, f):
        return any(f is known for known in _CALLABLE) or any(f is known for known in self.allowed.values())

    def load_reduce(self):
        """Calls one of the few functions that may be called."""
        args, f = self.stack.pop(), self.stack[-1]
        if not self._may_call(f) or not isinstance(args, tuple):
            raise pickle.UnpicklingError(f"Trying to call reduce for unrecognized function {reprlib.repr(f)}")
        if f is _rebuild_from_type_v2 and not (args[0] is _rebuild_tensor_v2 and (
                args[1] in (Tensor, Parameter, Buffer) or any(args[1] is known for known in self.allowed.values()))):
            raise pickle.UnpicklingError(f"Trying to rebuild a tensor of an unrecognized type {reprlib.repr(args[1])}")
        if any(f is known for known in (OrderedDict, Counter, set)):
            _checked_keys(f, args)
        self.stack[-1] = f(*args)

    def load_newobj(self):
        """Makes an object of a class the user allows."""
        args, cls = self.stack.pop(), self.stack.pop()
        if any(cls is known for known in (OrderedDict, Counter, set)):
            _checked_keys(cls, args)
            self.append(cls(*args))
        elif any(cls is known for known in self.allowed.values()):
            self.append(cls.__new__(cls, *args))
        else:
            raise pickle.UnpicklingError(f"Trying to create new object for unallowed class {reprlib.repr(cls)}")

    def load_newobj_ex(self):
        """The same with keyword arguments."""
        kwargs, args, cls = self.stack.pop(), self.stack.pop(), self.stack.pop()
        if not any(cls is known for known in self.allowed.values()):
            raise pickle.UnpicklingError(f"Trying to create new object for unallowed class {reprlib.repr(cls)}")
        self.append(cls.__new__(cls, *args, **kwargs))

    def load_build(self):
        """Sets the state of an object."""
        state, made = self.stack.pop(), self.stack[-1]
        if type(made) is Generator:
            made.__setstate__(state)
        elif type(made) is OrderedDict:
            made.__dict__.update(state)
        elif isinstance(made, Tensor):
            _set_state(made, state)
        elif any(type(made) is known for known in self.allowed.values()):
            if hasattr(made, "__setstate__"):
                made.__setstate__(state)
            else:
                made.__dict__.update(state)
        else:
            raise pickle.UnpicklingError("Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                                         f"`add_safe_globals`, but got {type(made)}")

    def load_setitem(self):
        """Sets one item of a dict."""
        value, key = self.stack.pop(), self.stack.pop()
        self.stack[-1][_check_key(key)] = value

    def load_setitems(self):
        """Sets the items of a dict."""
        items = self.pop_mark()
        for i in range(0, len(items), 2):
            self.stack[-1][_check_key(items[i])] = items[i + 1]

    def load_additems(self):
        """Adds to a set."""
        for item in self.pop_mark():
            self.stack[-1].add(_check_key(item))

    def load_frozenset(self):
        """Makes a frozenset."""
        items = self.pop_mark()  # makes self.append another one
        self.append(frozenset(map(_check_key, items)))

    def load_bytearray8(self):
        """Makes a bytearray, no longer than what is there."""
        self.append(bytearray(self.read(struct.unpack("<Q", self.read(8))[0])))

    dispatch.update({pickle.SETITEM[0]: load_setitem, pickle.SETITEMS[0]: load_setitems,
                     pickle.ADDITEMS[0]: load_additems, pickle.FROZENSET[0]: load_frozenset,
                     pickle.BYTEARRAY8[0]: load_bytearray8, pickle.REDUCE[0]: load_reduce, pickle.NEWOBJ[0]: load_newobj, pickle.NEWOBJ_EX[0]: load_newobj_ex,
                     pickle.BUILD[0]: load_build})


class _Full(pickle.Unpickler):
    """Python's unpickler, which runs whatever the file says; names of PyTorch lead to Taut."""

    def __init__(self, file, storage, **kwargs):
        super().__init__(file, **kwargs)
        self.storage = storage

    def persistent_load(self, pid):
        """The memory of a tensor."""
        return self.storage(pid)

    def find_class(self, module, name):
        """A class or function by its name."""
        full = _dotted(module, name)
        if module.partition(".")[0] != "torch":
            return super().find_class(module, name)
        if full in _FUNCTIONS:
            return _FUNCTIONS[full]
        if full in _TYPES:
            return _TYPES[full]
        import importlib

        try:
            found = importlib.import_module("taut" + module[5:])
            for part in name.split("."):
                found = getattr(found, part)
            return found
        except (ModuleNotFoundError, AttributeError):
            raise AttributeError(f"{full} is not part of Taut") from None


def _restore_location(map_location):
    """A function that complains about a place the memory cannot go to."""

    def place(location):
        target = str(device(location)) if isinstance(location, device) else location
        if target.startswith("cuda"):
            raise RuntimeError(_NO_GPU)
        if target.partition(":")[0] not in ("cpu", "meta"):
            raise RuntimeError("don't know how to restore data location of torch.storage.UntypedStorage (tagged with "
                               f"{target})")

    def check(location, storage):
        if map_location is None:
            place(location)
        elif isinstance(map_location, dict):
            place(map_location.get(location, location))
        elif isinstance(map_location, (str, device)):
            place(map_location)
        elif callable(map_location):
            if map_location(storage, location) is None:
                place(location)
        else:
            raise TypeError("map_location must be a device, a string, a dict or a function, not "
                            f"{type(map_location).__name__}")

    if isinstance(map_location, (str, device)):
        place(map_location)
    return check


class _Text(io.BytesIO):
    """A pickle, which must not end before what is read of it."""

    def read(self, n=-1):
        """That many bytes, or an error."""
        got = super().read(n)
        if n is not None and len(got) < n:
            raise EOFError("Ran out of input")
        return got


def _read(file, name, map_location, weights_only, mapped, kwargs):
    first = file.read(4)
    file.seek(-len(first), 1) if first else None
    if first[:4] != b"PK\3\4":
        if not first:
            raise EOFError("Ran out of input")
        if first[:2] == b"\x80\x02" or first[:1] == b"\x80":
            raise NotImplementedError(f"{name} is in the format that torch.save wrote before PyTorch 1.6 (or a plain "
                                      "pickle), which Taut does not read. Load it in PyTorch and save it again.")
        raise pickle.UnpicklingError(f"{name} is no file of torch.save: it begins with {first!r}")
    reader = _Reader(file, name, mapped)
    if reader.has("constants.pkl"):
        raise NotImplementedError(f"{name} is a TorchScript archive, which holds code; Taut does not run it. Save the "
                                  "state_dict with torch.save.")
    swapped = reader.has("byteorder") and reader.text("byteorder").decode("latin1") != sys.byteorder
    check = _restore_location(map_location)
    known = {}

    def storage(pid):
        if not isinstance(pid, tuple) or len(pid) != 5 or pid[0] != "storage" or type(pid[1]) is not _StorageType or \
                type(pid[2]) is not str or type(pid[4]) is not int or pid[4] < 0:
            raise pickle.UnpicklingError(f"a storage with an identity of an unknown kind: {reprlib.repr(pid)}")
        _, kind, key, location, numel = pid
        if key not in known:
            data = reader.memory(f"data/{key}", numel * kind.dtype.itemsize)
            if swapped and kind.dtype.itemsize > 1 and numel:
                data = data.view(numel, kind.dtype.itemsize).flip(1).contiguous().view(-1)
            known[key] = _Loaded(data, kind.dtype)
            check(location, known[key])
        return known[key]

    text = reader.text("data.pkl")
    if not weights_only:
        try:
            return _Full(io.BytesIO(text), storage, **kwargs).load()
        except (UnicodeDecodeError, OverflowError, SystemError, MemoryError) as error:
            raise pickle.UnpicklingError(f"the pickle in {name} is damaged ({type(error).__name__}: {error})") from error
    try:
        return _Restricted(_Text(text), storage, **kwargs).load()
    except pickle.UnpicklingError as error:
        why = error
    except (IndexError, KeyError, AttributeError, TypeError, ValueError, ArithmeticError, EOFError, MemoryError,
            SystemError, AssertionError, RecursionError, struct.error) as error:
        why = f"the pickle in it is damaged ({type(error).__name__}: {error})"
    raise pickle.UnpicklingError(
        "Weights only load failed. Only if you trust the source of the file, call `torch.load` with "
        "`weights_only=False`: it will likely succeed, but it can result in arbitrary code "
        f"execution.\n\tWeightsUnpickler error: {why}") from None


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """Reads what torch.save wrote, PyTorch's or this one, from a path or a file.

    Unless weights_only is False, only tensors, plain values and what add_safe_globals allows are built, and nothing
    is run.
    With mmap the tensors share the memory of the file; writing to them does not change it.
    """
    if weights_only is None:
        weights_only = pickle_module is None
        if os.environ.get("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "") in ("1", "y", "yes", "true"):
            weights_only = False
    if os.environ.get("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "") in ("1", "y", "yes", "true"):
        weights_only = True
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    if pickle_module not in (None, pickle):
        raise NotImplementedError("torch.load: a pickle_module other than pickle is not supported yet")
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return _read(file, os.fspath(f), map_location, weights_only, bool(mmap), pickle_load_args)
    if mmap:
        raise ValueError("f must be a file path in order to use the mmap argument")
    for name in ("seek", "read", "tell"):
        if not hasattr(f, name):
            raise AttributeError(f"'{type(f).__name__}' object has no attribute '{name}'. You can only torch.load from "
                                 "a file that is seekable. Please pre-load the data into a buffer like io.BytesIO and "
                                 "try to load from it instead.")
    return _read(f, "the file", map_location, weights_only, False, pickle_load_args)


def __getattr__(name):
    raise AttributeError(f"torch.serialization.{name} is not part of Taut")
