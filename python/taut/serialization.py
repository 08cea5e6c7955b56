"""torch.save and torch.load: PyTorch's files. The library writes and reads them; here are the classes of Python.

What load runs, it runs only if it is told to.
"""

import _compat_pickle
import copyreg
import io
import os
import pickle
import reprlib
import sys
from collections import Counter, OrderedDict, namedtuple
from types import FunctionType
from typing import Any, Callable, Dict, Optional, Union

from . import _C
from ._C import Generator, Tensor
from ._types import Size, device, layout as layout_type, layouts, sparse_bsr, sparse_coo, sparse_csr
from .nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter
from .sparse import sparse_compressed_tensor, sparse_coo_tensor

__all__ = ["save", "load", "add_safe_globals", "get_safe_globals", "clear_safe_globals", "safe_globals"]

MAP_LOCATION = Optional[Union[Callable[[Any, str], Any], device, str, Dict[str, str]]]  # what load takes
DEFAULT_PROTOCOL = 2
_BLOCKED = ("sys", "os", "posix", "nt")  # modules of which nothing may be used, whoever allows it
_NO_GPU = ("Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
           "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your "
           "storages to the CPU.")


def _any_is(f, known):
    return any(f is k for k in known)


# ---- Writing.


_Name = namedtuple("_Name", "module name")  # a global, written by its name whether or not it is there


class _Layout:
    """The arguments with which _rebuild_tensor_v2 makes a tensor."""

    def __init__(self, tensor):
        self.tensor = tensor


_REBUILD_TENSOR = _Name("torch._utils", "_rebuild_tensor_v2")
_REBUILD_TENSOR_V3 = _Name("torch._utils", "_rebuild_tensor_v3")  # of the dtypes that no storage of one dtype has
_REBUILD_META = _Name("torch._utils", "_rebuild_meta_tensor_no_storage")
_OVER_BYTES = (_C.uint16, _C.uint32, _C.uint64, _C.float8_e5m2, _C.float8_e4m3fn, _C.float8_e5m2fnuz, _C.float8_e4m3fnuz,
               _C.float8_e8m0fnu)
_REBUILD_FROM_TYPE = _Name("torch._tensor", "_rebuild_from_type_v2")


def _attributes(t):
    return dict(getattr(t, "__dict__", None) or {})


def _write_subclass(t):
    """A tensor of a class of the user, or one on which something was set, or a sparse one."""
    if t._layout:
        return _write_sparse(t)
    cls = _Name("torch", "Tensor") if type(t) is Tensor else type(t)
    if t.is_meta:
        how, made = _REBUILD_META, (t.dtype, tuple(t.shape), tuple(t.stride()), t.requires_grad)
    else:
        how, made = _REBUILD_TENSOR_V3 if t.dtype in _OVER_BYTES else _REBUILD_TENSOR, _Layout(t)
    if t.is_meta and type(t) is Tensor and not _attributes(t):
        return how, made
    return _REBUILD_FROM_TYPE, (how, cls, made, _attributes(t))


def _write_sparse(t):
    plain = t.detach()
    if t.layout is sparse_coo:
        parts = plain._indices(), plain._values(), plain.shape, plain.is_coalesced()
    elif t.layout in (sparse_csr, sparse_bsr):
        parts = plain.crow_indices(), plain.col_indices(), plain.values(), plain.shape
    else:
        parts = plain.ccol_indices(), plain.row_indices(), plain.values(), plain.shape
    return _Name("torch._utils", "_rebuild_sparse_tensor"), (t.layout, parts)


def _write_layout(layout):
    return _Name("torch.serialization", "_get_layout"), (repr(layout),)


def _write_parameter(p):
    data, state = (p.data, p.requires_grad, OrderedDict()), _attributes(p)
    if state:
        return _Name("torch._utils", "_rebuild_parameter_with_state"), (*data, state)
    return _Name("torch._utils", "_rebuild_parameter"), data


def _write_uninitialized(p):
    """A parameter or buffer of a lazy module that has no shape yet."""
    persistent = (p.persistent,) if isinstance(p, UninitializedBuffer) else ()
    return type(p), (p.requires_grad, None, p.dtype, *persistent)


def _write_device(d):
    return _Name("torch", "device"), (d.type,) if d.index is None else (d.type, d.index)


def _write_generator(g):
    return _Name("torch._C", "Generator"), (device("cpu"),), (g.initial_seed(), None, g.get_state())


_WRITERS = {layout_type: _write_layout, Tensor: _write_subclass, Parameter: _write_parameter, device: _write_device, Generator: _write_generator,
            _C.dtype: lambda d: _Name("torch", str(d)[6:]), Size: lambda s: (_Name("torch", "Size"), (tuple(s),)),
            set: lambda s: (set, (list(s),)), frozenset: lambda s: (frozenset, (list(s),)),
            bytearray: lambda b: (bytearray, (bytes(b),))}


class _WritingRules:
    """How objects that are neither plain values nor tensors are written; classes of Taut by their names in PyTorch."""

    Name, Layout = _Name, _Layout

    def __init__(self, protocol):
        self.protocol, self.writers = protocol, dict(_WRITERS)

    def reduce(self, obj):
        """What makes an object again: a name, or what __reduce_ex__ gives."""
        cls = type(obj)
        if cls not in self.writers:
            self.writers[cls] = self._writer(cls)
        return self.writers[cls](obj)

    def _writer(self, cls):
        if issubclass(cls, (UninitializedParameter, UninitializedBuffer)):
            return _write_uninitialized
        if issubclass(cls, Parameter) and cls.__reduce_ex__ is Parameter.__reduce_ex__:
            return _write_parameter
        if issubclass(cls, Tensor):
            return _write_subclass
        if cls.__module__ == "torch.return_types":
            return lambda values: [tuple(values)]
        if getattr(cls.__reduce_ex__, "__module__", None) in ("taut._pickling", "taut.nn.modules.module"):
            return lambda obj: object.__reduce_ex__(obj, 2)
        if cls is FunctionType or issubclass(cls, type) and cls not in copyreg.dispatch_table:
            return self._named
        return self._other

    def _other(self, obj):
        reduce = copyreg.dispatch_table.get(type(obj))
        how = reduce(obj) if reduce else obj.__reduce_ex__(self.protocol)
        return self._named(obj, how) if isinstance(how, str) else how

    def _named(self, obj, name=None):
        """A class or function, which must be found by its name."""
        if _any_is(obj, (type(None), type(NotImplemented), type(...))):
            return type, ({type(None): None, type(NotImplemented): NotImplemented}.get(obj, ...),)
        name = name or getattr(obj, "__qualname__", None) or obj.__name__
        module = pickle.whichmodule(obj, name)
        if module.partition(".")[0] in ("taut", "torch"):
            return _Name("torch" + module[len("taut"):] if module[:4] == "taut" else module, name)
        parent, found = None, None
        try:
            __import__(module, level=0)
            found = sys.modules[module]
            for part in name.split("."):
                parent, found = found, getattr(found, part)
        except (ImportError, KeyError, AttributeError):
            raise pickle.PicklingError(f"Can't pickle {obj!r}: it's not found as {module}.{name}") from None
        if found is not obj:
            raise pickle.PicklingError(f"Can't pickle {obj!r}: it's not the same object as {module}.{name}")
        if "." in name and self.protocol < 4:
            return getattr, (parent, name.rpartition(".")[2])
        if self.protocol < 3:  # the names of Python 2
            import _compat_pickle

            older = _compat_pickle.REVERSE_IMPORT_MAPPING.get(module, module)
            module, name = _compat_pickle.REVERSE_NAME_MAPPING.get((module, name), (older, name))
        return _Name(module, name)

    def partial_new(self, cls, args, kwargs):
        """__new__ with keywords, which only later protocols know."""
        import functools

        return functools.partial(cls.__new__, cls, *args, **kwargs)


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
    if pickle_protocol is None:
        pickle_protocol = pickle.DEFAULT_PROTOCOL
    protocol = pickle.HIGHEST_PROTOCOL if pickle_protocol < 0 else max(pickle_protocol, DEFAULT_PROTOCOL)
    if protocol > pickle.HIGHEST_PROTOCOL:
        raise ValueError(f"pickle protocol must be <= {pickle.HIGHEST_PROTOCOL}")
    pickled = _C._pickle(obj, _WritingRules(protocol), protocol)
    (_C._save_archive if is_path else _C._write_archive)(pickled, f, name, not _disable_byteorder_record)
    if hasattr(f, "flush"):
        f.flush()


# ---- Reading.


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


def _meta_tensor_of(dtype, size, stride, requires_grad):
    return _C.ops["empty_strided"](size, stride, dtype=dtype, device="meta").requires_grad_(requires_grad)


def _rebuild_on_meta(storage, offset, size, stride, requires_grad=False, hooks=None, metadata=None):
    """The same tensor without memory, for map_location="meta". The metadata of _rebuild_tensor_v3 is its dtype."""
    return _meta_tensor_of(metadata if isinstance(metadata, _C.dtype) else storage.dtype, size, stride, requires_grad)


def _size_of(sizes=()):
    return Size(sizes)


def _device_of(type, index=None):
    return device(type, index)


def _generator_of(where=None):
    return Generator()


def _get_layout(name):
    found = {repr(layout): layout for layout in layouts}
    if name not in found:
        raise NotImplementedError(f"the file holds a tensor of layout {name}, which is not supported")
    return found[name]


def _rebuild_sparse_tensor(layout, data):
    """A sparse tensor from its parts; that its indices are within its size is checked."""
    if layout is sparse_coo:
        indices, values, size, *coalesced = data
        return sparse_coo_tensor(indices, values, size, is_coalesced=coalesced[0] if coalesced else None)
    return sparse_compressed_tensor(*data, layout=layout)


_FUNCTIONS = {
    "torch._utils._rebuild_sparse_tensor": _rebuild_sparse_tensor, "torch.serialization._get_layout": _get_layout,
    "torch._utils._rebuild_tensor": _C._rebuild_tensor, "torch._utils._rebuild_tensor_v2": _C._rebuild_tensor,
    "torch._utils._rebuild_tensor_v3": _C._rebuild_tensor, "torch._utils._rebuild_meta_tensor_no_storage": _meta_tensor_of,
    "torch._utils._rebuild_parameter": _rebuild_parameter,
    "torch._utils._rebuild_parameter_with_state": _rebuild_parameter_with_state,
    "torch._tensor._rebuild_from_type_v2": _rebuild_from_type_v2, "_codecs.encode": _encode, "torch.Size": _size_of,
    "torch.device": _device_of, "collections.OrderedDict": OrderedDict, "collections.Counter": Counter,
    "builtins.set": set, "__builtin__.set": set, "builtins.complex": complex, "__builtin__.complex": complex,
    "builtins.bytearray": bytearray, "__builtin__.bytearray": bytearray, "torch._C.Generator": _generator_of,
    "torch.Tensor": Tensor, "torch.nn.parameter.Parameter": Parameter, "torch.nn.parameter.Buffer": Buffer,
}
_ON_META = _FUNCTIONS | {name: _rebuild_on_meta for name, f in _FUNCTIONS.items() if f is _C._rebuild_tensor}
_STORAGES = _C._storage_types()
_TYPES = {f"torch.{name}": storage for name, storage in _STORAGES.items()}
_TYPES.update({str(dtype): dtype for dtype in (*(storage.dtype for storage in _STORAGES.values()), *_OVER_BYTES)})
_TYPES["torch.storage.UntypedStorage"] = _STORAGES["UntypedStorage"]
_NOT_YET = {f"torch.{name}" for name in ("QInt8Storage", "QUInt8Storage", "QInt32Storage")}
_NOT_YET |= {f"torch._utils._rebuild_{kind}" for kind in ("qtensor", "nested_tensor")}
_CALLABLE = (_rebuild_on_meta, _rebuild_sparse_tensor, _get_layout, _C._rebuild_tensor, _meta_tensor_of, _rebuild_parameter, _rebuild_parameter_with_state, _rebuild_from_type_v2, _encode,
             _size_of, _device_of, OrderedDict, Counter, set, complex, bytearray, _generator_of)

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


class _SafeRules:
    """What a pickle may use beside plain values and tensors: a few classes, and what the user allows."""

    def __init__(self, functions):
        self.functions = functions
        self.allowed = dict(_qualified(entry) for entry in _safe_globals)
        self.rebuild_tensor = _C._rebuild_tensor

    def find_class(self, module, name):
        """A global that may be used, or an error that names it."""
        older = _compat_pickle.IMPORT_MAPPING.get(module, module)  # protocol 2 has the names of Python 2
        module, name = _compat_pickle.NAME_MAPPING.get((module, name), (older, name))
        full = _dotted(module, name)
        if module in _BLOCKED:
            raise pickle.UnpicklingError(f"Trying to load unsupported GLOBAL {full} whose module {module} is blocked.")
        for table in (self.functions, _TYPES, self.allowed):
            if full in table:
                return table[full]
        raise pickle.UnpicklingError(
            f"Unsupported global: GLOBAL {full} was not an allowed global by default. Please use "
            f"`torch.serialization.add_safe_globals([{full}])` or the `torch.serialization.safe_globals([{full}])` "
            "context manager to allowlist this global if you trust this class/function.")

    def _checked_keys(self, f, args):
        """The arguments of a set, a Counter or an OrderedDict, whose keys can be hashed."""
        for arg in args:
            if not isinstance(arg, (list, tuple, set, frozenset, dict)):
                raise pickle.UnpicklingError(f"{f.__name__} of a {type(arg).__name__}")
            for item in arg:
                _C._check_key(item[0] if f is OrderedDict and isinstance(item, (list, tuple)) and item else item)

    def call(self, f, args):
        """Calls one of the few functions that may be called."""
        allowed = self.allowed.values()
        if not _any_is(f, _CALLABLE) and not _any_is(f, allowed):
            raise pickle.UnpicklingError(f"Trying to call reduce for unrecognized function {reprlib.repr(f)}")
        if f is _rebuild_from_type_v2 and not (args[0] in (_C._rebuild_tensor, _rebuild_on_meta, _meta_tensor_of) and (
                args[1] in (Tensor, Parameter, Buffer) or _any_is(args[1], allowed))):
            raise pickle.UnpicklingError(f"Trying to rebuild a tensor of an unrecognized type {reprlib.repr(args[1])}")
        if _any_is(f, (OrderedDict, Counter, set)):
            self._checked_keys(f, args)
        return f(*args)

    def create(self, cls, args, kwargs):
        """Makes an object of a class the user allows."""
        if _any_is(cls, self.allowed.values()):
            return cls.__new__(cls, *args, **kwargs)
        if kwargs or not _any_is(cls, (OrderedDict, Counter, set)):
            raise pickle.UnpicklingError(f"Trying to create new object for unallowed class {reprlib.repr(cls)}")
        return self.call(cls, args)

    def build(self, made, state):
        """Sets the state of an object."""
        if isinstance(made, Tensor):
            _set_state(made, state)
        elif type(made) is OrderedDict:
            made.__dict__.update(state)
        elif type(made) is Generator or _any_is(type(made), self.allowed.values()) and hasattr(made, "__setstate__"):
            made.__setstate__(state)
        elif _any_is(type(made), self.allowed.values()):
            made.__dict__.update(state)
        else:
            raise pickle.UnpicklingError("Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                                         f"`add_safe_globals`, but got {type(made)}")


class _Full(pickle.Unpickler):
    """Python's unpickler, which runs whatever the file says; names of PyTorch lead to Taut."""

    def __init__(self, file, storage, functions, **kwargs):
        super().__init__(file, **kwargs)
        self.storage, self.functions = storage, functions

    def persistent_load(self, pid):
        """The memory of a tensor."""
        return self.storage(pid)

    def find_class(self, module, name):
        """A class or function by its name."""
        full = _dotted(module, name)
        if module.partition(".")[0] != "torch":
            return super().find_class(module, name)
        if full in self.functions:
            return self.functions[full]
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


class _Place:
    """Complains about a place the memory cannot go to; keeps the complaint, which is none about the file."""

    def __init__(self, map_location):
        self.map_location, self.error = map_location, None
        if isinstance(map_location, (str, device)):
            self._check(map_location)

    def _check(self, location):
        target = str(location)
        if target.startswith("cuda"):
            raise RuntimeError(_NO_GPU)
        if target.startswith("mps"):
            raise RuntimeError(f"torch.UntypedStorage(): Storage device not recognized: {target}")
        if target not in ("cpu", "meta"):
            raise RuntimeError("don't know how to restore data location of torch.storage.UntypedStorage (tagged with "
                               f"{target})")

    def __call__(self, location, storage):
        try:
            to = self.map_location
            if to is None:
                self._check(location)
            elif isinstance(to, dict):
                self._check(to.get(location, location))
            elif not isinstance(to, (str, device)):  # a function: the storage where it shall be, or None
                placed = to(storage, location)
                if placed is None:
                    self._check(location)
                elif placed is not storage:
                    raise TypeError(f"map_location must return a storage or None, not {type(placed).__name__}")
        except Exception as error:
            self.error = error
            raise


def _read(file, name, map_location, weights_only, mapped, kwargs):
    first = file.read(4)
    file.seek(-len(first), 1) if first else None
    if not first:
        raise EOFError("Ran out of input")
    if first != b"PK\3\4" and first[:1] != b"\x80":
        raise pickle.UnpicklingError(f"{name} is no file of torch.save: it begins with {first!r}")
    place = _Place(map_location)
    archive = _C._TorchFile(file, name, mapped, place)
    functions = _ON_META if isinstance(map_location, (str, device)) and device(map_location).type == "meta" else _FUNCTIONS
    if not weights_only:
        try:
            return _Full(io.BytesIO(archive.pickle()), archive.storage, functions, **kwargs).load()
        except (UnicodeDecodeError, OverflowError, SystemError, MemoryError) as error:
            raise pickle.UnpicklingError(f"the pickle in {name} is damaged ({type(error).__name__}: {error})") from error
    try:
        return archive.unpickle(_SafeRules(functions), kwargs.get("encoding", "utf-8"), kwargs.get("errors", "strict"))
    except pickle.UnpicklingError as error:
        why = error
    except (IndexError, KeyError, AttributeError, TypeError, ValueError, ArithmeticError, EOFError, MemoryError,
            SystemError, AssertionError, RecursionError) as error:
        if error is place.error:
            raise
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
