"""A list of samples as one batch."""

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence

from .... import _C
from ...._C import Tensor
from .... import as_tensor

_BAD = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def _is_numpy(value):
    return type(value).__module__ == "numpy"


def default_convert(data):
    """The data with its arrays as tensors, for a loader without batches."""
    if isinstance(data, (Tensor, str, bytes)):
        return data
    if _is_numpy(data):
        return data if data.dtype.kind in "SUaO" else _array(data)
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(d) for d in data))
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]
    if isinstance(data, Mapping):
        return _like_mapping(data, {k: default_convert(v) for k, v in data.items()})
    if isinstance(data, Sequence):
        return _like_sequence(data, [default_convert(d) for d in data])
    return data


def _like_mapping(sample, made):
    """`made` as a mapping of the type of `sample`, where that can be."""
    try:
        if isinstance(sample, MutableMapping):
            clone = copy.copy(sample)
            clone.update(made)
            return clone
        return type(sample)(made)
    except TypeError:
        return made


def _like_sequence(sample, made):
    try:
        if isinstance(sample, MutableSequence):
            clone = copy.copy(sample)
            for i, v in enumerate(made):
                clone[i] = v
            return clone
        return type(sample)(made)
    except TypeError:
        return made


def _tensors(batch, *, collate_fn_map=None):
    return _C.ops["stack"](list(batch), 0)


def _arrays(batch, *, collate_fn_map=None):
    if batch[0].dtype.kind in "SUaO":
        raise TypeError(_BAD.format(batch[0].dtype))
    return collate([as_tensor(b) for b in batch], collate_fn_map=collate_fn_map)


def _array(data):
    import numpy

    return as_tensor(numpy.asarray(data))


def _scalars(batch, *, collate_fn_map=None):
    return _array(batch)


def _floats(batch, *, collate_fn_map=None):
    return _C._tensor(list(batch), _C.float64)


def _ints(batch, *, collate_fn_map=None):
    return _C._tensor(list(batch), None)


def _texts(batch, *, collate_fn_map=None):
    return batch


default_collate_fn_map = {Tensor: _tensors, float: _floats, int: _ints, str: _texts, bytes: _texts}


def collate(batch, *, collate_fn_map=None):
    """Like default_collate, with functions of your own for types: {type: f(batch, collate_fn_map=...)}."""
    sample = batch[0]
    kind = type(sample)
    if collate_fn_map is not None:
        if kind in collate_fn_map:
            return collate_fn_map[kind](batch, collate_fn_map=collate_fn_map)
        for types, f in collate_fn_map.items():
            if isinstance(sample, types):
                return f(batch, collate_fn_map=collate_fn_map)
    if _is_numpy(sample):
        return (_arrays if kind.__name__ == "ndarray" else _scalars)(batch, collate_fn_map=collate_fn_map)
    if isinstance(sample, Mapping):
        return _like_mapping(sample, {k: collate([s[k] for s in batch], collate_fn_map=collate_fn_map) for k in sample})
    if isinstance(sample, tuple) and hasattr(sample, "_fields"):
        return kind(*(collate(parts, collate_fn_map=collate_fn_map) for parts in zip(*batch)))
    if isinstance(sample, Sequence):
        if any(len(s) != len(sample) for s in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        made = [collate(parts, collate_fn_map=collate_fn_map) for parts in zip(*batch)]
        return made if isinstance(sample, tuple) else _like_sequence(sample, made)
    raise TypeError(_BAD.format(kind))


def default_collate(batch):
    """Tensors, arrays and numbers stacked; within dicts, lists and tuples too."""
    return collate(batch, collate_fn_map=default_collate_fn_map)
