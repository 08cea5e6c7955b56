"""safetensors files: named tensors and texts, nothing that can run. By the names of the package `safetensors`."""

import os

from . import _C

__all__ = ["safe_open", "save_file", "load_file", "save", "load", "save_model", "load_model", "SafetensorError"]


class SafetensorError(RuntimeError):
    """A file (or buffer) that is no safetensors file, or that lacks what was asked for."""


def _read(f, *args):
    try:
        return f(*args)
    except (RuntimeError, ValueError) as error:
        raise SafetensorError(str(error)) from None


def _load(filename):
    path = os.fspath(filename)
    if not os.path.exists(path):
        raise FileNotFoundError(f"No such file or directory: {path}")
    return _read(_C._load_safetensors, path, True)


def _listed(tensors):
    if not isinstance(tensors, dict):
        raise ValueError(f"Expected a dict of [str, torch.Tensor] but received {type(tensors)}")
    for name, t in tensors.items():
        if not isinstance(t, _C.Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(t)}")
    return list(tensors.items())


def save_file(tensors, filename, metadata=None):
    """Writes tensors by name, and a dict of texts if wanted."""
    _C._save_safetensors(_listed(tensors), os.fspath(filename), metadata or {})


def load_file(filename, device="cpu"):
    """All tensors of a file, by name. They share the memory of the mapped file; writing to them does not change it."""
    _check_device(device)
    return dict(_load(filename)[0])


def save(tensors, metadata=None):
    """The bytes of a file."""
    return _C._format_safetensors(_listed(tensors), metadata or {})


def load(data):
    """All tensors from the bytes of a file, by name."""
    return dict(_read(_C._parse_safetensors, bytes(data))[0])


def save_model(model, filename, metadata=None, force_contiguous=True):
    """Writes the state_dict of a module; a tensor that has several names is written once."""
    kept, addresses = {}, {}
    metadata = dict(metadata or {})
    for name, t in model.state_dict().items():
        place = (t.data_ptr(), tuple(t.shape), t.stride(), t.dtype) if t.numel() else name
        if place in addresses:
            metadata[name] = addresses[place]
        else:
            addresses[place] = name
            kept[name] = t
    save_file(kept, filename, metadata)


def load_model(model, filename, strict=True, device="cpu"):
    """Loads what save_model wrote; returns the names that were missing, and those nobody asked for."""
    tensors, metadata = _load(filename)
    state = dict(tensors)
    for name, same in metadata.items():
        if same in state:
            state.setdefault(name, state[same])
    missing, unexpected = model.load_state_dict(state, strict=strict)
    return set(missing), list(unexpected)


def _check_device(device):
    from ._types import device as Device

    Device(str(device)).check()


class _Slice:
    """A tensor of a file, of which parts can be asked for."""

    def __init__(self, tensor):
        self._tensor = tensor

    def get_shape(self):
        """Its sizes."""
        return list(self._tensor.shape)

    def get_dtype(self):
        """Its dtype, as the format calls it."""
        return _C._safetensors_dtype(self._tensor.dtype)

    def __getitem__(self, key):
        return self._tensor[key].clone()


class safe_open:
    """A file whose tensors are read when they are asked for.

    `with safe_open(path, framework="pt") as f: f.get_tensor(name)`
    """

    def __init__(self, filename, framework="pt", device="cpu"):
        if framework not in ("pt", "torch", "pytorch", "taut"):
            raise SafetensorError(f"framework {framework} is invalid")
        _check_device(device)
        tensors, self._metadata = _load(filename)
        self._tensors = dict(tensors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._tensors = {}

    def keys(self):
        """The names, sorted."""
        return sorted(self._tensors)

    def offset_keys(self):
        """The names, in the order of the file."""
        return list(self._tensors)

    def metadata(self):
        """The texts of the file; None when it has none."""
        return dict(self._metadata) or None

    def get_tensor(self, name):
        """A tensor by its name."""
        if name not in self._tensors:
            raise SafetensorError(f"File does not contain tensor {name}")
        return self._tensors[name]

    def get_slice(self, name):
        """A tensor of which parts can be asked for."""
        return _Slice(self.get_tensor(name))
