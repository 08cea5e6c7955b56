"""Methods of Tensor that are not ops of the registry, or take their arguments in other ways than those do."""

import math
import warnings

from . import _C, _legacy, _overriding, _pickling, _removed
from ._C import Tensor, dtype as Dtype
from ._types import device as Device, layouts, strided

ops = _C.ops

# Those that PyTorch has in Python too: who takes one over is given the rest of its arguments by name.
_IN_PYTHON = {"__array__", "__array_wrap__", "__contains__", "__deepcopy__", "__dlpack__", "__dlpack_device__", "__format__", "__reduce_ex__",
              "__reversed__", "__setstate__", "backward", "dim_order", "eig", "index", "is_shared", "istft", "lstsq", "lu", "module_load",
              "norm", "register_hook", "register_post_accumulate_grad_hook", "share_memory_", "solve", "split", "stft", "storage",
              "storage_type", "symeig", "to_sparse_coo", "unflatten", "unique", "unique_consecutive"}
# No question for others: what a class says here it says as a method of that name.
_OWN = {"as_subclass", "__copy__"}


def method(f):
    """Makes `f` a method of Tensor, which others may take over: __torch_function__."""
    f.__qualname__ = f"Tensor.{f.__name__}"
    if f.__name__ not in _OWN:
        f = _overriding.overridable(f, _overriding.AS_IN_PYTHON if f.__name__ in _IN_PYTHON else _overriding.AS_CALLED, f.__name__)
    setattr(Tensor, f.__name__, f)
    return f


def _new(cls, *args, device=None, size=None):
    """Tensor(2, 3) has that size, Tensor([2, 3]) those values: the old way to make a tensor."""
    made = _legacy.made(None, args, device, size)
    return made if cls is Tensor else Tensor._make_subclass(cls, made, False)


Tensor.__new__ = staticmethod(_new)
Tensor.__module__ = "torch"
Tensor.__array_priority__ = 1000
Tensor._cdata = property(id, doc="A number that no other tensor has.")
_C._set_places(Device("cpu"), Device("meta"), tuple(layouts[n] for n in range(len(layouts))))


_LAYOUTS = {"torch.sparse_coo": "Sparse", **{f"torch.sparse_{name}": f"Sparse{name.title()}" for name in ("csr", "csc", "bsr", "bsc")}}


@method
def size(self, dim=None):
    """The sizes, or the one of a dimension."""
    if dim is None:
        return self.shape
    shape = self.shape
    if not -len(shape) <= dim < len(shape):
        raise IndexError(f"Dimension out of range (expected to be in range of [{-len(shape)}, {len(shape) - 1}], but got {dim})")
    return shape[dim]


@method
def stride(self, dim=None):
    """The strides, or the one of a dimension."""
    strides = tuple(self._strides())
    if self.layout is not strided:
        if not self.is_sparse:
            raise RuntimeError(f"Sparse {_LAYOUTS[repr(self.layout)][6:].upper()} tensors do not have strides")
        strides = (0,) * self.ndim
    return strides if dim is None else strides[dim]


def _channels_last_dims(format, rank=None):
    """How many dimensions a format with the channels last is for; 0 for other formats. A tensor must have as many."""
    dims = {"torch.channels_last": 4, "torch.channels_last_3d": 5}.get(repr(format), 0)
    if dims and rank is not None and rank != dims:
        raise RuntimeError(f"required rank {dims} tensor to use {repr(format)[6:]} format")
    return dims


def _channels_at_end(self):
    return self.permute(0, *range(2, self.ndim), 1)


@method
def is_contiguous(self, memory_format=None):
    """Do the elements follow each other in memory, in this order of dimensions?"""
    if _channels_last_dims(memory_format):
        return self.ndim == _channels_last_dims(memory_format) and _channels_at_end(self)._is_contiguous()
    return self._is_contiguous()


@method
def contiguous(self, memory_format=None):
    """The tensor itself if its elements follow each other in memory; otherwise a copy for which that is so."""
    if _channels_last_dims(memory_format, self.ndim) and not self.is_contiguous(memory_format):
        return _channels_at_end(self)._contiguous().permute(0, self.ndim - 1, *range(1, self.ndim - 1))
    return self if self._is_contiguous() or _channels_last_dims(memory_format) else self._contiguous()


@method
def clone(self, *, memory_format=None):
    """A copy that autograd follows back to this tensor."""
    if _channels_last_dims(memory_format, self.ndim):
        made = self.contiguous(memory_format)
        return made if made is not self else self._clone()
    return self._contiguous() if repr(memory_format) == "torch.contiguous_format" and not self._is_contiguous() else self._clone()


# Conversions.


@method
def to(self, *args, **kwargs):
    """The tensor in another dtype: to(dtype), to("cpu"), to(device, dtype), to(other)."""
    copy = kwargs.pop("copy", False)
    kwargs.pop("non_blocking", None)
    format = kwargs.pop("memory_format", None)
    dtype, device = kwargs.pop("dtype", None), kwargs.pop("device", None)
    other = kwargs.pop("other", None)
    if kwargs:
        raise TypeError(f"to() received an invalid keyword argument '{next(iter(kwargs))}'")
    for position, a in enumerate(args):
        if isinstance(a, Dtype) or a in (float, int, bool):
            dtype = a
        elif isinstance(a, Tensor):
            other = a
        elif isinstance(a, bool):
            copy = copy or (a and position >= 2)  # non_blocking, then copy
        elif isinstance(a, (str, Device)):
            device = a
        elif a is not None:
            raise TypeError(f"to() received an invalid combination of arguments - got ({a.__class__.__name__})")
    if other is not None:
        dtype, device = other.dtype, other.device
    meta = None if device is None else Device(device).check().type == "meta"
    made = self._to(dtype, bool(copy), meta)
    return made.contiguous(format) if _channels_last_dims(format, self.ndim) else made


def _cast(name, dtype):
    def cast(self, memory_format=None):
        return self._to(dtype, False)

    cast.__name__ = name
    cast.__doc__ = f"The tensor as {dtype}."
    method(cast)


for _name, _dtype in dict(float=_C.float32, double=_C.float64, half=_C.float16, bfloat16=_C.bfloat16, long=_C.int64, int=_C.int32,
                          short=_C.int16, char=_C.int8, byte=_C.uint8, bool=_C.bool, cfloat=_C.complex64, cdouble=_C.complex128,
                          chalf=_C.complex32).items():
    _cast(_name, _dtype)


@method
def type(self, dtype=None, non_blocking=False, **kwargs):
    """The name of the tensor's type, or the tensor in another one."""
    if dtype is None:
        name = _legacy.type_name(self.dtype)
        return f"torch.meta.{name[6:]}" if self.is_meta else name
    return self._to(_legacy.dtype_of(dtype, "type"), False)


@method
def new(self, *args, device=None, size=None):
    """A tensor of this one's dtype, of these sizes or values: the old way to make one."""
    return _legacy.made(self.dtype, args, device, size)


@method
def type_as(self, other):
    """The tensor in the dtype of another."""
    return self._to(other.dtype, False, other.is_meta)


@method
def cpu(self, memory_format=None):
    """The tensor itself; one that is meta has no numbers to bring."""
    return self._to(None, False, False)


@method
def cuda(self, device=None, non_blocking=False, memory_format=None):
    """Raises, as PyTorch does where there is no GPU."""
    raise AssertionError("Torch not compiled with CUDA enabled")


@method
def pin_memory(self, device=None):
    """The tensor itself."""
    return self


@method
def is_pinned(self, device=None):
    """False."""
    return False


@method
def numpy(self, *, force=False):
    """A numpy array over the same memory."""
    if self.layout is not strided:
        raise TypeError(f"can't convert {_LAYOUTS[repr(self.layout)]} layout tensor to numpy. Use Tensor.to_dense() first.")
    if force:
        self = self.detach().resolve_conj()
    elif self.requires_grad and _C.is_grad_enabled():
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    import numpy

    return numpy.asarray(memoryview(self)) if self.numel() else numpy.empty(tuple(self.shape), str(self.dtype)[6:])


@method
def __array__(self, dtype=None, copy=None):
    array = self.numpy()
    return array if dtype is None else array.astype(dtype, copy=False)


# Autograd.


@method
def requires_grad_(self, requires_grad=True):
    """Sets whether autograd follows this tensor."""
    self.requires_grad = requires_grad
    return self


@method
def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Sums the gradients of this tensor into the .grad of the leaves it was computed from."""
    if inputs is not None:
        from .autograd import backward

        return backward(self, gradient, retain_graph, create_graph, inputs=inputs)
    _C._backward(self, gradient, retain_graph, create_graph, None)


class RemovableHandle:
    """Takes a hook away again."""

    def __init__(self, remove):
        self._remove = remove

    def remove(self):
        """Removes the hook; a second call does nothing."""
        if self._remove is not None:
            self._remove()
            self._remove = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


@method
def register_hook(self, hook):
    """Calls hook(grad) whenever the gradient of this tensor is computed; a returned tensor takes its place."""
    if not self.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    number = _C._register_hook(self, hook)
    return RemovableHandle(lambda: _C._remove_hook(self, number))


@method
def register_post_accumulate_grad_hook(self, hook):
    """Calls hook(self) after a gradient was added to .grad of this leaf."""
    if not self.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if self.grad_fn is not None:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    number = _C._register_post_accumulate_grad_hook(self, hook)
    return RemovableHandle(lambda: _C._remove_hook(self, number))


def _sizes(size):
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size


@method
def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, **_):
    """A tensor of these values, in the dtype of this one unless another is given."""
    return _C._tensor(data, dtype or self.dtype).requires_grad_(requires_grad)


@method
def resize_(self, *size, memory_format=None):
    """Changes the sizes, and the memory if need be."""
    return self._resize_(_sizes(size))


# Ops whose Python arguments differ from those of the registry.


@method
def split(self, split_size, dim=0):
    """Parts of this size (or of these sizes) along a dimension."""
    return ops["split"](self, split_size, dim)


@method
def nonzero(self, *, as_tuple=False):
    """The indices of the elements that are not zero."""
    if as_tuple and self.ndim == 0:
        self = self.unsqueeze(0)
    found = ops["nonzero"](self)
    return found.unbind(1) if as_tuple else found


@method
def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different values, and if wanted where each element went and how often each is there."""
    if dim is None:
        values, inverse, counts = ops["_unique2"](self, sorted, return_inverse, return_counts)
    else:
        values, inverse, counts = ops["unique_dim"](self, dim, sorted, return_inverse, return_counts)
    found = (values,) + ((inverse,) if return_inverse else ()) + ((counts,) if return_counts else ())
    return found[0] if len(found) == 1 else found


@method
def where(self, condition, other):
    """Elements of this tensor where the condition holds, of the other one elsewhere."""
    return ops["where"](condition, self, other)


@method
def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
    """The norm of all elements, or along dimensions."""
    if p == "nuc":
        return ops["linalg_matrix_norm"](self, "nuc", [-2, -1] if dim is None else dim, keepdim, dtype=dtype)
    if p in (None, "fro"):
        p = 2
    if dim is None:
        return ops["norm"](self if dtype is None else self.to(dtype), p) if not keepdim else \
            ops["norm"](self if dtype is None else self.to(dtype), p, list(range(self.ndim)), True)
    return ops["norm"](self if dtype is None else self.to(dtype), p, dim, keepdim)


@method
def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Are all elements equal, nearly?"""
    return bool(ops["isclose"](self, other, rtol=rtol, atol=atol, equal_nan=equal_nan).all())


@method
def index_put_(self, indices, values, accumulate=False):
    """Writes values where the indices point; duplicates add up if wanted."""
    return _C._index_put_(self, tuple(indices), values, bool(accumulate))


@method
def apply_(self, callable):
    """Replaces each element by callable(element); slow."""
    flat = [callable(v) for v in self.reshape(-1).tolist()]
    return self.copy_(_C._tensor(flat, self.dtype).reshape(self.shape))


@method
def map_(self, tensor, callable):
    """Replaces each element by callable(element, element of the other tensor); slow."""
    flat = [callable(a, b) for a, b in zip(self.reshape(-1).tolist(), tensor.expand(self.shape).reshape(-1).tolist())]
    return self.copy_(_C._tensor(flat, self.dtype).reshape(self.shape))


# Python protocols.


@method
def __format__(self, spec):
    return format(self.item(), spec) if self.ndim == 0 else object.__format__(self, spec)


@method
def __contains__(self, element):
    return bool((self == element).any())


@method
def __reversed__(self):
    return self if self.ndim == 0 else self.flip(0)


@method
def __copy__(self):
    copied = Tensor._make_subclass(self.__class__, self, self.requires_grad) if self.__class__ is not Tensor else self.detach()
    if self.__class__ is Tensor:
        copied.requires_grad_(self.requires_grad)
    copied.__dict__.update(self.__dict__)
    return copied


def _with_memory_copied(tensor, memo):
    """The tensor over a copy of its memory; tensors that share memory get one copy of it."""
    if tensor.layout is not strided:
        return tensor.detach().clone()
    storage = tensor.untyped_storage()
    size = storage.nbytes() // tensor.itemsize
    key = "memory", _C._storage(tensor)[0], tensor.dtype
    if key not in memo:
        memo[key] = tensor.detach().as_strided((size,), (1,), 0).clone()
    return memo[key].as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).data


@method
def __deepcopy__(self, memo):
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment. If you "
            "were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage")
    if id(self) in memo:
        return memo[id(self)]
    import copy

    made = _with_memory_copied(self, memo)
    made = made.requires_grad_(self.requires_grad) if self.__class__ is Tensor else \
        Tensor._make_subclass(self.__class__, made, self.requires_grad)
    if self.grad is not None:
        made.grad = copy.deepcopy(self.grad, memo)
    made.__dict__.update(copy.deepcopy(self.__dict__, memo))
    memo[id(self)] = made
    return made


@method
def __reduce_ex__(self, protocol):
    return _pickling.reduce_tensor(self)


@method
def __array_wrap__(self, array, context=None, return_scalar=False):
    return _C._from_buffer(array) if array.ndim or not return_scalar else _C._tensor(array, None)


@method
def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    if dl_device not in (None, (1, 0)):
        raise BufferError(f"__dlpack__: the tensor is on the CPU, not on device {dl_device}")
    return _C._to_dlpack(self.clone() if copy else self)


@method
def __dlpack_device__(self):
    return 1, 0


@method
def __setstate__(self, state):
    self.__dict__.update(state)


@method
def get_device(self):
    """-1, the number of the CPU."""
    return -1


@method
def is_nonzero(self):
    """Is the one element not zero?"""
    return bool(self)


@method
def is_same_size(self, other):
    """Have both the same sizes?"""
    return self.shape == other.shape


@method
def is_set_to(self, tensor):
    """Do both look at the same memory in the same way?"""
    return (self.data_ptr(), self.shape, self._strides()) == (tensor.data_ptr(), tensor.shape, tensor._strides())


@method
def resize_as_(self, tensor, memory_format=None):
    """Changes the sizes to those of another tensor."""
    return self._resize_(tuple(tensor.shape))


@method
def share_memory_(self):
    """Moves its memory to where other processes can map it; a queue of torch.multiprocessing then sends it without a copy."""
    from .multiprocessing.reductions import share

    return share(self)


@method
def is_shared(self):
    """Can other processes map its memory?"""
    import sys

    reductions = sys.modules.get(f"{__package__}.multiprocessing.reductions")  # not loaded: nothing was shared
    return reductions is not None and not self._layout and not self.is_meta and reductions.memory_of(self) is not None


@method
def as_subclass(self, cls):
    """The same tensor as an instance of a subclass of Tensor."""
    return _C._as_subclass(self, cls)


@method
def index(self, indices):
    """self[indices], for a list of indices."""
    return self[tuple(indices)]


@method
def index_put(self, indices, values, accumulate=False):
    """A copy with values written where the indices point; duplicates add up if wanted."""
    return ops["index_put"](self, tuple(indices), values, accumulate)


@method
def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    """The values without repeats that follow each other."""
    values, inverse, counts = ops["unique_consecutive"](self, return_inverse, return_counts, dim)
    found = (values,) + ((inverse,) if return_inverse else ()) + ((counts,) if return_counts else ())
    return found[0] if len(found) == 1 else found


@method
def __complex__(self):
    return complex(self.item())


def _itself(name):
    def itself(self, *args):
        """The tensor itself: its elements are real and dense."""
        return self

    itself.__name__ = name
    method(itself)


def _never(name):
    def never(self):
        """False: Taut has no such tensors."""
        return False

    never.__name__ = name
    method(never)


for _name in ("is_neg", "is_distributed"):
    _never(_name)


_to_sparse = Tensor.to_sparse


@method
def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """The elements that are not zero, and where they are."""
    if layout is strided:
        return self.to_dense()
    name = repr(layout)[6:]
    if name in ("sparse_csr", "sparse_csc"):
        return getattr(self, "to_" + name)(dense_dim)
    if name in ("sparse_bsr", "sparse_bsc"):
        return getattr(self, "to_" + name)(blocksize if blocksize is not None else (), dense_dim)
    return _to_sparse(self) if sparse_dim is None else _to_sparse(self, sparse_dim)


@method
def to_sparse_coo(self):
    """The elements that are not zero, by their coordinates."""
    return self.to_sparse()


@method
def sparse_resize_(self, size, sparse_dim, dense_dim):
    """A greater size, with the same elements."""
    return self._sparse_resize_(size, sparse_dim, dense_dim, False)


@method
def sparse_resize_and_clear_(self, size, sparse_dim, dense_dim):
    """Another size, with no elements."""
    return self._sparse_resize_(size, sparse_dim, dense_dim, True)


@method
def resize(self, *sizes):
    """The same elements in another shape. Deprecated: reshape does it."""
    warnings.warn("non-inplace resize is deprecated", stacklevel=2)
    return _resized(self, sizes)


@method
def resize_as(self, tensor):
    """The same elements in the shape of another tensor. Deprecated: reshape does it."""
    warnings.warn("non-inplace resize_as is deprecated", stacklevel=2)
    return _resized(self, tuple(tensor.shape))


def _resized(t, sizes):
    if math.prod(sizes) != t.numel():
        raise RuntimeError(f"requested resize to {'x'.join(map(str, sizes))} ({math.prod(sizes)} elements in total), but the given tensor has a "
                           f"size of {'x'.join(map(str, t.shape))} ({t.numel()} elements). autograd's resize can only change the shape of a "
                           "given tensor, while preserving the number of elements. ")
    return t.contiguous().view(sizes)


@method
def slice_inverse(self, src, dim=0, start=None, end=None, step=1):
    """What of self lies where src does in its own memory: of a slice, what it is a slice of."""
    return self.as_strided(src.shape, src.stride(), src.storage_offset())


@method
def reinforce(self, reward):
    """Was removed."""
    raise RuntimeError("reinforce() was removed.\nUse torch.distributions instead.")


def _volatile(self):
    warnings.warn("volatile was removed (Variable.volatile is always False)", stacklevel=2)
    return False


Tensor.const_data_ptr = Tensor.data_ptr
Tensor.name = property(lambda self: None, doc="None: tensors have no names.")
Tensor.volatile = property(_volatile, doc="False: was removed.")


@method
def resize_as_sparse_(self, the_template):
    """The size of another tensor of coordinates; elements stay."""
    if not (self.is_sparse and the_template.is_sparse):
        raise RuntimeError(f"resize_as_sparse_ expected sparse coordinate tensor layout but got {self.layout} and {the_template.layout}")
    return self.sparse_resize_(the_template.shape, the_template.sparse_dim(), the_template.dense_dim())


@method
def untyped_storage(self):
    """The memory behind this tensor, as bytes."""
    from .storage import UntypedStorage

    return UntypedStorage(self)


@method
def storage(self):
    """The memory behind this tensor, as elements of its dtype."""
    from .storage import TypedStorage

    return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype)


@method
def module_load(self, other, assign=False):
    """What load_state_dict makes of a loaded tensor that is to take the place of this one."""
    if assign:
        return other.detach()
    return self.copy_(other).detach()


def _grad_dtype(self):
    return self.__dict__.get("_grad_dtype", self.dtype)


def _set_grad_dtype(self, dtype):
    if not self.is_leaf:
        raise RuntimeError("grad_dtype can only be set on leaf tensors.")
    if dtype not in (None, self.dtype):
        raise NotImplementedError(f"grad_dtype: gradients of a tensor of {self.dtype} are of {self.dtype}, not of {dtype}")
    self._grad_dtype = dtype


Tensor.grad_dtype = property(_grad_dtype, _set_grad_dtype, doc="The dtype of its gradient; None: any.")
Tensor.name = property(lambda self: None, doc="None: tensors have no names.")


@method
def set_(self, source=None, storage_offset=0, size=None, stride=None):
    """Makes it a tensor over the memory of another, or of a storage; over none without arguments."""
    from .storage import TypedStorage, UntypedStorage

    if source is None:
        source, size, stride = _C._empty((0,), None, self.dtype), (0,), (1,)
    elif isinstance(source, Tensor):
        if size is None:
            storage_offset, size, stride = source.storage_offset(), source.shape, source.stride()
    elif isinstance(source, (UntypedStorage, TypedStorage)):
        bytes_ = source._bytes if isinstance(source, UntypedStorage) else source._elements
        source = _C._storage_elements(bytes_, self.dtype)
        size = (source.numel(),) if size is None else size
    else:
        raise TypeError(f"set_() received an invalid combination of arguments - got ({source.__class__.__name__})")
    size = (size,) if isinstance(size, int) else tuple(size)
    if not stride:
        stride = tuple(_C._empty((0,), None, _C.bool).new_empty(size).stride()) if 0 not in size else (1,) * len(size)
    _C._set_storage(self, source, storage_offset, list(size), list(stride))
    return self


@method
def dim_order(self, *, ambiguity_check=False):
    """The dimensions from the outermost in memory to the innermost."""
    strides = self.stride()
    if ambiguity_check and len({n for n, k in zip(strides, self.shape) if k != 1}) < sum(k != 1 for k in self.shape):
        raise RuntimeError("The tensor does not have unique dim order, or cannot map to exact one of the given memory formats.")
    return tuple(sorted(range(self.ndim), key=lambda d: (-strides[d], d)))


@method
def polygamma(self, n):
    """The n-th derivative of digamma."""
    return _C.ops["polygamma"](n, self)


@method
def polygamma_(self, n):
    """The n-th derivative of digamma, in place."""
    return self.copy_(_C.ops["polygamma"](n, self))


@method
def map2_(self, x, y, callable):
    """f(self, x, y) of each element, by a function of Python."""
    if self.requires_grad or x.requires_grad or y.requires_grad:
        raise TypeError("Can't call map2_() on Variable that requires grad. Use var.detach().map2_() instead.")
    rows = zip(self.reshape(-1).tolist(), x.expand(self.shape).reshape(-1).tolist(), y.expand(self.shape).reshape(-1).tolist())
    return self.copy_(_C._tensor([callable(*row) for row in rows], self.dtype).reshape(self.shape))


@method
def gradient(self, *, spacing=1, dim=None, edge_order=1):
    """The derivatives of samples along each of dim."""
    from ._functions import gradient as f

    return f(self, spacing=spacing, dim=dim, edge_order=edge_order)


@method
def storage_type(self):
    """The class of its storage."""
    from . import storage

    return next((t for t in storage.TYPES.values() if t.dtype is self.dtype), storage.TypedStorage)


def _make_wrapper_subclass(cls, size, strides=None, storage_offset=None, memory_format=None, dtype=None, layout=strided, device=None, pin_memory=False,
                           requires_grad=False, dispatch_sizes_strides_policy=None, dispatch_device=False, dispatch_layout=False, **_):
    """A tensor of a subclass that is made of others: of this size and dtype, its own memory as it was found."""
    if Tensor not in getattr(cls, "__mro__", ()):
        raise TypeError(f"cls must be a type (got {cls!r})")
    size = tuple(size)
    made = _C._empty(size, None, dtype) if device is None or Device(device).type != "meta" else ops["empty"](size, dtype=dtype, device="meta")
    if strides is not None:
        made = ops["empty_strided"](size, tuple(strides), dtype=made.dtype)
    return Tensor._make_subclass(cls, made, requires_grad)


Tensor._make_wrapper_subclass = staticmethod(_make_wrapper_subclass)
_C.TensorBase, _C._TensorMeta = Tensor, Tensor.__class__


for _name in ("eig", "symeig", "solve", "lstsq"):
    setattr(Tensor, _name, _overriding.overridable(getattr(_removed, _name), _overriding.AS_CALLED))
_C._set_override_defaults(_overriding.handle, Tensor.grad.__get__, Tensor._grad.__get__, Tensor._base.__get__)
del method
