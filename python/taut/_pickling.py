"""How tensors, and what goes with them, are pickled: by names of Taut's own, whether or not there is a `torch`."""

import copyreg
import sys

from . import _C
from ._C import Generator, Tensor, dtype
from ._types import Size, device


def _tensor(cls, raw, dtype_name, shape, requires_grad, attributes, stride=None):
    dtype = getattr(_C, dtype_name)
    made = _C._empty(shape, None, dtype)
    if raw:
        made.view(-1).view(_C.uint8).copy_(_C._from_buffer(bytearray(raw)))
    if stride:  # dense, in another order
        made = made.as_strided(shape, stride)
    made = made.requires_grad_(requires_grad) if cls is None else Tensor._make_subclass(cls, made, requires_grad)
    if attributes:
        made.__dict__.update(attributes)
    return made


def _meta(cls, dtype, shape, stride, requires_grad, attributes):
    made = _C.ops["empty_strided"](shape, stride, dtype=dtype, device="meta").requires_grad_(requires_grad)
    if cls is not None:
        made = Tensor._make_subclass(cls, made, requires_grad)
    if attributes:
        made.__dict__.update(attributes)
    return made


def _sparse(layout, parts, shape, coalesced, requires_grad, attributes):
    from . import sparse

    if layout == "Sparse":
        made = sparse.sparse_coo_tensor(*parts, shape)._coalesced_(coalesced)
    else:
        made = _C.ops["_sparse_compressed_tensor"](*parts, shape, layout)
    made.requires_grad = requires_grad
    if attributes:
        made.__dict__.update(attributes)
    return made


def _reduce_sparse(t):
    layout, plain = _WORDS[t._layout], t.detach()
    if layout == "Sparse":
        parts = (plain._indices(),)
    elif layout in ("SparseCsr", "SparseBsr"):
        parts = plain.crow_indices(), plain.col_indices()
    else:
        parts = plain.ccol_indices(), plain.row_indices()
    return _sparse, (layout, (*parts, plain._values()), tuple(t.shape), layout == "Sparse" and t.is_coalesced(), t.requires_grad,
                     getattr(t, "__dict__", None) or None)


_WORDS = (None, "Sparse", "SparseCsr", "SparseCsc", "SparseBsr", "SparseBsc")


def reduce_tensor(t):
    """What pickle keeps of a tensor: its elements, and the attributes somebody set on it; of its graph, nothing."""
    if t._layout:
        return _reduce_sparse(t)
    if t.is_meta:
        return _meta, (None if type(t) is Tensor else type(t), t.dtype, tuple(t.shape), tuple(t.stride()), t.requires_grad,
                       getattr(t, "__dict__", None) or None)
    plain, stride = t.detach().resolve_conj(), tuple(t.stride())
    dense = plain.numel() and not plain.is_contiguous() and plain.clone().stride() == plain.stride()  # clone keeps such an order
    flat = plain.as_strided((plain.numel(),), (1,)) if dense else plain.contiguous().view(-1)
    raw = bytes(memoryview(flat.view(_C.uint8))) if t.numel() else b""
    cls = None if type(t) is Tensor else type(t)
    return _tensor, (cls, raw, str(t.dtype)[6:], tuple(t.shape), t.requires_grad, getattr(t, "__dict__", None) or None,
                     *((stride,) if dense else ()))


class ByName:
    """Instances of classes with names of PyTorch are pickled by the names they have here, unless those lead to them."""

    __slots__ = ()

    def __reduce_ex__(self, protocol):
        made = super().__reduce_ex__(max(protocol, 2))
        cls = type(self)
        module = cls.__module__
        if not module.startswith("torch.") or made[1][:1] != (cls,) or sys.modules.get("torch") is sys.modules[__package__]:
            return made
        return (_new, (__package__ + module[len("torch"):], cls.__qualname__, *made[1][1:]), *made[2:])


def _new(module, name, *args):
    import importlib

    cls = getattr(importlib.import_module(module), name)
    return cls.__new__(cls, *args)


def _method(name):
    return getattr(Tensor, name)


def _constant(name):
    return getattr(_C, name)


def _size(sizes):
    return Size(sizes)


def _device(type, index):
    return device(type, index)


def _generator(seed, state):
    made = Generator()
    made.manual_seed(seed)
    made.set_state(state)
    return made


def _set_generator(self, state):
    """From PyTorch's pickle of a generator: (seed, offset, state)."""
    self.manual_seed(state[0])
    self.set_state(state[2])


Generator.__setstate__ = _set_generator
copyreg.pickle(dtype, lambda d: (_constant, (str(d)[6:],)))
copyreg.pickle(Size, lambda s: (_size, (tuple(s),)))
copyreg.pickle(device, lambda d: (_device, (d.type, d.index)))
copyreg.pickle(Generator, lambda g: (_generator, (g.initial_seed(), g.get_state())))
