"""Functions whose Python arguments differ from those of the registry's ops."""

from . import _C, _legacy
from ._C import Tensor
from ._overriding import AS_CALLED, AS_IN_PYTHON, MODES_ALONE, overridable
from ._types import Size, _defaults, _set_default, device as Device, move, placed

_ops = _C.ops


def _on_cpu(device):
    if device is not None:
        Device(device).check()


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor of these values: a number, nested lists, an array or a tensor (which is copied)."""
    if isinstance(data, Tensor) and data.is_meta:
        made = data.detach().clone() if dtype is None else data.detach().to(dtype, copy=True)
        device = data.device if device is None else device
    else:
        made = _C._tensor(data, dtype)
    made = move(made, device)
    made.requires_grad = requires_grad  # which takes bools only
    return made


def _assert(condition, message):
    """assert, as a function."""
    assert condition, message


def as_tensor(data, dtype=None, device=None):
    """The data as a tensor, without a copy where that can be."""
    if isinstance(data, Tensor):
        return data._to(dtype, False, None if device is None else placed(device).meta)
    if hasattr(data, "__array_interface__"):
        made = _C._from_buffer(data)
        return move(made.to(dtype) if dtype is not None else made, device)
    return move(_C._tensor(data, dtype), device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None):
    """An object as a tensor over its memory where that can be: copy=True always copies, copy=False raises where it would have to."""
    if device is None and isinstance(obj, Tensor):
        device = obj.device
    where = placed(device)
    shares = isinstance(obj, Tensor) or hasattr(obj, "__array_interface__") or hasattr(obj, "__dlpack__")
    if isinstance(obj, Tensor):
        made = obj
    elif hasattr(obj, "__array_interface__"):
        made = _C._from_buffer(obj)
    elif hasattr(obj, "__dlpack__"):
        made = from_dlpack(obj)
    else:
        try:
            view = memoryview(obj)
        except TypeError:
            view = None
        if view is not None:  # bytes of the dtype, whatever the buffer says
            shares, made = True, frombuffer(obj, dtype=dtype or _C.get_default_dtype())
        else:
            if copy is False:
                raise ValueError("can't alias arbitrary sequence into a tensor.")
            made = _C._tensor(obj, dtype)
    if dtype is not None and made.dtype is not dtype:
        if copy is False:
            raise ValueError(f"can't alias tensor with dtype '{made.dtype}' into dtype '{dtype}'.")
        made = made.to(dtype)
    elif shares and copy:
        made = made.clone()
    if where.meta:
        made = move(made, "meta")
    if requires_grad is False and made.requires_grad:
        made = made.detach()
    return made.requires_grad_() if requires_grad and not made.requires_grad else made


def from_dlpack(ext_tensor, *, device=None, copy=None):
    """A tensor over the memory of another library's array, through DLPack."""
    _on_cpu(device)
    capsule = ext_tensor.__dlpack__() if hasattr(ext_tensor, "__dlpack__") else ext_tensor
    made = _C._from_dlpack(capsule)
    return made.clone() if copy else made


def to_dlpack(tensor):
    """A DLPack capsule over the memory of a tensor."""
    return _C._to_dlpack(tensor)


def from_numpy(array):
    """A tensor over the memory of a numpy array."""
    if not hasattr(array, "__array_interface__"):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return _C._from_buffer(array)


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A flat tensor over the memory of anything with the buffer protocol."""
    try:
        view = memoryview(buffer).cast("B")
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    size = dtype.itemsize
    if not len(view) or not count:
        raise ValueError(f"both buffer length ({len(view)}) and count ({count}) must not be 0")
    if offset < 0 or offset >= max(len(view), 1):
        raise ValueError(f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({len(view)} bytes) minus 1")
    if count < 0 and (len(view) - offset) % size:
        raise ValueError(f"buffer length ({len(view) - offset} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})")
    n = (len(view) - offset) // size if count < 0 else count
    if offset + n * size > len(view):
        raise ValueError(f"requested buffer length ({n} * {size} bytes) after offset ({offset} bytes) must not be greater than "
                         f"actual buffer length ({len(view)} bytes)")
    return _C._from_buffer(view[offset:offset + n * size]).view(dtype).requires_grad_(requires_grad)


def is_tensor(obj):
    """Is it a Tensor?"""
    return isinstance(obj, Tensor)


def _must_be_tensor(name, input):
    if not isinstance(input, Tensor):
        raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    return input


def is_floating_point(input):
    """Are the elements floats?"""
    return _must_be_tensor("is_floating_point", input).is_floating_point()


def is_signed(input):
    """Can the elements be negative?"""
    return _must_be_tensor("is_signed", input).is_signed()


def is_complex(input):
    """Are the elements complex numbers?"""
    return _must_be_tensor("is_complex", input).is_complex()


def numel(input):
    """The number of elements."""
    return _must_be_tensor("numel", input).numel()


def manual_seed(seed):
    """Starts the random numbers anew from this seed; they are PyTorch's."""
    return _C._manual_seed(int(seed))


def seed():
    """Starts the random numbers anew from a seed the system draws; returns it."""
    return _C._default_generator().seed()


def initial_seed():
    """The seed the random numbers started from."""
    return _C._default_generator().initial_seed()


def get_rng_state():
    """The whole state of the random numbers, as a uint8 tensor."""
    return _C._default_generator().get_state()


def set_rng_state(new_state):
    """Puts the random numbers into a state get_rng_state() gave."""
    _C._default_generator().set_state(new_state)


default_generator = _C._default_generator()


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """How tensors print."""
    if profile == "default":
        _print.update(precision=4, threshold=1000, edgeitems=3, linewidth=80)
    elif profile == "short":
        _print.update(precision=2, threshold=1000, edgeitems=2, linewidth=80)
    elif profile == "full":
        _print.update(precision=4, threshold=2**62, edgeitems=3, linewidth=80)
    for key, value in dict(precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth).items():
        if value is not None:
            _print[key] = min(value, 2**62) if key == "threshold" else value
    _print["sci_mode"] = sci_mode
    _C._set_printoptions(_print["precision"], int(_print["threshold"]), _print["edgeitems"], _print["linewidth"], _print["sci_mode"])


_print = dict(precision=4, threshold=1000, edgeitems=3, linewidth=80, sci_mode=None)


# Ops with arguments of their own.


def _written(result, out):
    return result if out is None else _C._write_out(out, result)


def split(tensor, split_size_or_sections, dim=0):
    """Parts of this size (or of these sizes) along a dimension."""
    return tensor.split(split_size_or_sections, dim)


def nonzero(input, *, out=None, as_tuple=False):
    """The indices of the elements that are not zero."""
    if out is not None and not as_tuple:
        return _ops["nonzero"](input, out=out)
    return input.nonzero(as_tuple=as_tuple)


def where(condition, input=None, other=None, *, out=None):
    """Elements of one tensor where the condition holds, of another elsewhere; alone, where it holds."""
    if input is None and other is None:
        if out is not None:
            raise TypeError("where() got an unexpected keyword argument 'out'")
        return condition.nonzero(as_tuple=True)
    return _ops["where"](condition, input, other) if out is None else _ops["where"](condition, input, other, out=out)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different values, and if wanted where each element went and how often each is there."""
    return input.unique(sorted, return_inverse, return_counts, dim)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The values without repeats that follow each other."""
    return input.unique_consecutive(return_inverse, return_counts, dim)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The norm of all elements, or along dimensions."""
    return _written(input.norm(p, dim, keepdim, dtype), out)


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Are all elements equal, nearly?"""
    return input.allclose(other, rtol, atol, equal_nan)


def equal(input, other):
    """Do both have the same shape and elements?"""
    return input.equal(other)


def _letters(subscripts):
    """A list of subscripts of einsum as it stands in an equation."""
    if any(s is not ... and not 0 <= s < 52 for s in subscripts):
        raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return "".join("..." if s is ... else "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[s] for s in subscripts)


def einsum(equation, *operands):
    """Sums of products by Einstein's convention: an equation and tensors, or tensors each with its list of subscripts."""
    if isinstance(equation, Tensor):
        operands = (equation, *operands)
        result = f"->{_letters(operands[-1])}" if len(operands) % 2 else ""
        pairs = len(operands) // 2 * 2
        equation = ",".join(map(_letters, operands[1:pairs:2])) + result
        operands = operands[:pairs:2]
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return _ops["einsum"](equation, list(operands))


def _many(name):
    plain = _ops[name]

    def many(*tensors, **kwargs):
        single = len(tensors) == 1 and isinstance(tensors[0], Tensor)
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
            tensors = tensors[0]
        if name.startswith("atleast"):
            return plain(tensors[0], **kwargs) if single else tuple(plain(t, **kwargs) for t in tensors)
        return plain(list(tensors), **kwargs)

    many.__name__ = name
    many.__doc__ = plain.__doc__
    return many


meshgrid = _many("meshgrid")
broadcast_tensors = _many("broadcast_tensors")
cartesian_prod = _many("cartesian_prod")
block_diag = _many("block_diag")
atleast_1d = _many("atleast_1d")
atleast_2d = _many("atleast_2d")
atleast_3d = _many("atleast_3d")


def tensordot(a, b, dims=2, out=None):
    """The sum of products over these dimensions."""
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects at most {min(a.dim(), b.dim())} dims of shapes {list(a.shape)} and "
                               f"{list(b.shape)}, but got dims={dims}")
        dims = list(range(-dims, 0)), list(range(dims))
    return _ops["tensordot"](a, b, list(dims[0]), list(dims[1]), out=out)


def broadcast_shapes(*shapes):
    """The shape that tensors of these shapes broadcast to."""
    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    if any(n < 0 for s in shapes for n in s):
        raise ValueError("broadcast_shapes(): Attempting to broadcast a dimension with negative length!")
    made = [1] * max(map(len, shapes), default=0)
    for s in shapes:
        for i, n in enumerate(s, len(made) - len(s)):
            if n != 1 and n != made[i]:
                if made[i] != 1:
                    raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape: "
                                       + ", ".join(str(list(s)) for s in shapes))
                made[i] = n
    return Size(made)


def result_type(tensor1, tensor2):
    """The dtype an op over both would give."""
    if not isinstance(tensor1, Tensor) and not isinstance(tensor2, Tensor):
        return promote_types(tensor(tensor1).dtype, tensor(tensor2).dtype)
    if isinstance(tensor1, Tensor) and isinstance(tensor2, Tensor):
        return _C._result_type(tensor1, tensor2)
    return _ops["result_type"](*((tensor1, tensor2) if isinstance(tensor1, Tensor) else (tensor2, tensor1)))


def promote_types(type1, type2):
    """The smallest dtype that holds both."""
    return _C._promote_types(type1, type2)


def can_cast(from_, to):
    """May a result of one dtype be written to a tensor of the other?"""
    for name, t, place in (("from_", from_, 1), ("to", to, 2)):
        if not isinstance(t, _C.dtype):
            raise TypeError(f"can_cast(): argument '{name}' (position {place}) must be torch.dtype, not {type(t).__name__}")
    if from_.is_complex and not to.is_complex:
        return False
    return not (from_.is_floating_point and not (to.is_floating_point or to.is_complex) or to is _C.bool and from_ is not _C.bool)


def is_nonzero(input):
    """Is the one element not zero?"""
    return bool(input)


def clone(input, *, memory_format=None):
    """A copy that autograd follows back to the tensor."""
    return input.clone()


def detach_(input):
    """Cuts a tensor off its graph, in place."""
    return input.detach_()


def zero_(input):
    """Fills with zeros."""
    return input.zero_()


def fill_(input, value):
    """Fills with one value."""
    return input.fill_(value)


def fill(input, value):
    """A copy filled with one value."""
    if input.requires_grad and not isinstance(value, Tensor):
        return input.clone().fill_(value)  # a result that requires grad, whose gradient is zero
    return _ops["full_like"](input, value) if not isinstance(value, Tensor) else value.expand(input.shape).to(input.dtype, copy=True)


def index_put_(input, indices, values, accumulate=False):
    """Writes values where the indices point."""
    return input.index_put_(indices, values, accumulate)


def resize_as_sparse_(input, the_template):
    """The size of another tensor of coordinates; elements stay."""
    return input.resize_as_sparse_(the_template)


def resize_as_(input, the_template, *, memory_format=None):
    """Changes the sizes to those of another tensor."""
    return input.resize_as_(the_template)


def get_device(input):
    """-1, the number of the CPU."""
    return -1


def is_conj(input):
    """Is it a view of numbers whose conjugates it stands for?"""
    return input.is_conj()


def is_neg(input):
    """False: Taut has no lazily negated tensors."""
    return False


def is_inference(input):
    """Was it made in inference mode?"""
    return input.is_inference()


def chain_matmul(*matrices, out=None):
    """The product of several matrices, in the order that takes the fewest multiplications."""
    return _written(_ops["chain_matmul"](list(matrices[0] if len(matrices) == 1 and not isinstance(matrices[0], Tensor) else matrices)), out)


def lu(A, pivot=True, get_infos=False, out=None):
    """The factors L and U of a matrix in one, and the rows that were swapped; with get_infos where U has a zero."""
    A = A.float() if _C.is_autocast_enabled("cpu") and A.dtype in (_C.float16, _C.bfloat16) else A
    found = _ops["linalg_lu_factor_ex"](A, pivot=pivot)
    found = tuple(found) if get_infos else tuple(found)[:2]
    return found if out is None else tuple(_written(f, o) for f, o in zip(found, out))


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """The distances between all rows of one and all rows of the other."""
    modes = "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"
    if compute_mode not in modes:
        raise ValueError(f"cdist(): {compute_mode} is not a valid value for compute_mode; it is one of {', '.join(modes)}")
    return _ops["cdist"](x1, x2, p, modes.index(compute_mode) or None)


def unravel_index(indices, shape):
    """Indices into a flat tensor, as one index for each dimension."""
    if indices.is_floating_point() or indices.dtype is _C.bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, list, tuple)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(not isinstance(n, int) for n in shape):
        raise TypeError(f"expected 'shape' sequence to only contain ints, but got {next(type(n) for n in shape if not isinstance(n, int))}")
    if any(n < 0 for n in shape):
        raise ValueError(f"'shape' cannot have negative values, but got {shape}")
    found, indices = [], indices.to(_C.int64)
    for n in reversed(shape):
        found.append(indices % n)
        indices = indices // n
    return tuple(reversed(found))


trapz = _ops["trapezoid"]


def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """The derivatives of samples along each of dim: `spacing` is their distance, for all or for each dimension, or their places."""
    dims = list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    spacing = 1 if spacing is None else spacing
    by = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing]
    if isinstance(spacing, (list, tuple)) and len(by) != len(dims):
        raise RuntimeError("torch.gradient expected spacing to be unspecified, a scalar or a list of length equal to 'self.dim() if dim argument is "
                           f"not given else len(dim)', but got a spacing of length {len(by)}")
    return tuple(_ops["_gradient"](input, [s if isinstance(s, Tensor) else _C._tensor(float(s), _C.float64) for s in by], dims, edge_order))


def _fake_quantized(input, scale, zero_point, quant_min, quant_max, narrow):
    if quant_min > quant_max:
        raise RuntimeError("`quant_min` should be less than or equal to `quant_max`.")
    if not bool(((zero_point >= quant_min) & (zero_point <= quant_max)).all()):
        raise RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")
    x = input.detach() if input.dtype == _C.float64 else input.detach().float()
    place = (x * (1.0 / scale).to(x.dtype) + zero_point.to(x.dtype)).round()
    inside = (place >= quant_min) & (place <= quant_max)
    steps = place.nan_to_num(quant_min).clamp(quant_min, quant_max) - zero_point
    near = ((steps.float() if narrow else steps) * scale).to(input.dtype)  # PyTorch's product is float32 with one scale
    return near + _ops["where"](inside, input - input.detach(), 0.0)  # adds nothing, and passes the gradient where it is inside


def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    """Each number as the nearest of scale (q - zero_point), for whole q from quant_min to quant_max; its gradient passes in that range."""
    return _fake_quantized(input, _C._tensor(float(scale), _C.float32), _C._tensor(int(zero_point), _C.float32), quant_min, quant_max, True)


def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    """fake_quantize_per_tensor_affine with a scale and a zero point for each index along axis."""
    if scale.ndim != 1 or scale.shape != zero_point.shape:
        raise RuntimeError("scale and zero-point need to have the same dimensions")
    if not -input.ndim <= axis < input.ndim:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-input.ndim}, {input.ndim - 1}], but got {axis})")
    if input.shape[axis] != scale.numel():
        raise RuntimeError("dimensions of scale and zero-point are not consistent with input tensor")
    if axis < 0:
        raise RuntimeError("`axis` must be between 0 and number of dimensions of input")
    shape = [1] * input.ndim
    shape[axis] = -1
    return _fake_quantized(input, scale.detach().float().reshape(shape), zero_point.float().reshape(shape), quant_min, quant_max, False)


def histogramdd(input, bins, *, range=None, weight=None, density=False, out=None):
    """How many rows, or what weight of them, fall into each cell of a grid; and the edges of the cells."""
    from ._types import _named_tuple

    if isinstance(bins, int):
        bins = [bins] * input.shape[-1]
    if not all(isinstance(b, Tensor) for b in bins):
        bins = _ops["_histogramdd_bin_edges"](input, list(bins), range=range, weight=weight, density=density)
    hist = _ops["_histogramdd_from_bin_tensors"](input, list(bins), weight=weight, density=density)
    return _named_tuple("histogramdd", ("hist", "bin_edges"))((_written(hist, out), tuple(bins)))


def _range(start, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    """Numbers from start up to end, which may be one of them; arange, which leaves it out, is the one to use."""
    import warnings

    warnings.warn("torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range "
                  "builtin. Instead, use torch.arange, which produces values in [start, end).", stacklevel=2)
    if end is None:
        start, end = 0, start
    more = {} if out is None else {"out": out}
    return _ops["range"](start, end, step, dtype=dtype, device=device, requires_grad=requires_grad, **more)


_range.__name__ = "range"  # which is Python's own here


def from_file(filename, shared=None, size=0, *, dtype=None, layout=None, device=None, pin_memory=False):
    """A flat tensor over the memory of a file; with shared=True what is written goes to the file, which grows to that size."""
    from .storage import UntypedStorage

    _on_cpu(device)
    dtype = _C.get_default_dtype() if dtype is None else dtype
    return UntypedStorage.from_file(filename, bool(shared), size * dtype.itemsize)._bytes.view(dtype)


def is_storage(obj):
    """Is it the memory behind a tensor?"""
    from .storage import TypedStorage, UntypedStorage

    return isinstance(obj, (UntypedStorage, TypedStorage))


def is_same_size(input, other):
    """Have both the same sizes?"""
    return input.shape == other.shape


def typename(obj):
    """The name of an object's type."""
    return obj.type() if isinstance(obj, Tensor) else type(obj).__module__ + "." + type(obj).__qualname__


def compile(model=None, **kwargs):
    """The model itself: Taut is fast without a compiler."""
    return model if model is not None else lambda f: f


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Nothing to do: results never depend on the number of threads."""


def are_deterministic_algorithms_enabled():
    """True: results never depend on the number of threads."""
    return True


def set_float32_matmul_precision(precision):
    """Nothing to do: products of float32 are computed in float32."""


def get_num_interop_threads():
    """One: ops of one thread run one after the other."""
    return 1


def set_num_interop_threads(n):
    """Nothing to do."""


def _must_be_dtype(name, given):
    if not isinstance(given, _C.dtype):
        raise TypeError(f"{name}(): argument 'type' (position 1) must be torch.dtype, not {type(given).__name__}")


class finfo:
    """The limits of a float dtype."""

    _TABLE = {"float64": (64, 2.220446049250313e-16, 1.7976931348623157e308, 2.2250738585072014e-308, 1e-15),
              "float32": (32, 1.1920928955078125e-07, 3.4028234663852886e38, 1.1754943508222875e-38, 1e-06),
              "float16": (16, 0.0009765625, 65504.0, 6.103515625e-05, 0.001),
              "bfloat16": (16, 0.0078125, 3.3895313892515355e38, 1.1754943508222875e-38, 0.01),
              "float8_e5m2": (8, 0.25, 57344.0, 6.103515625e-05, 1.0), "float8_e4m3fn": (8, 0.125, 448.0, 0.015625, 1.0),
              "float8_e5m2fnuz": (8, 0.125, 57344.0, 3.0517578125e-05, 1.0), "float8_e4m3fnuz": (8, 0.125, 240.0, 0.0078125, 1.0),
              "float8_e8m0fnu": (8, 1.0, 1.7014118346046923e38, 5.877471754111438e-39, 1.0)}

    def __init__(self, type=None):
        type = _C.get_default_dtype() if type is None else type
        _must_be_dtype("finfo", type)
        self.dtype = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}.get(str(type)[6:], str(type)[6:])
        if self.dtype not in self._TABLE:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{self.dtype}'")
        self.bits, self.eps, self.max, self.tiny, self.resolution = self._TABLE[self.dtype]
        self.min, self.smallest_normal = self.tiny if self.dtype == "float8_e8m0fnu" else -self.max, self.tiny

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo:
    """The limits of a whole-number dtype."""

    def __init__(self, type):
        _must_be_dtype("iinfo", type)
        self.dtype = str(type)[6:]
        if type.is_floating_point or type.is_complex or self.dtype == "bool":
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle '%s'" % self.dtype)
        self.bits = 8 * type.itemsize
        self.min, self.max = (-(1 << self.bits - 1), (1 << self.bits - 1) - 1) if type.is_signed else (0, (1 << self.bits) - 1)

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


globals().update({t.__name__: t for t in _legacy.TYPES.values()})


def set_default_tensor_type(t):
    """Sets the dtype of floats when none is given: torch.FloatTensor or torch.DoubleTensor."""
    if not isinstance(t, (str, type)):
        raise TypeError("set_default_tensor_type(): invalid type object: only floating-point types are supported as the default type")
    _C.set_default_dtype(_legacy.dtype_of(t, "set_default_tensor_type"))


def set_default_device(device):
    """Sets where what is made is made when no device is given: on the CPU, or meta. None: on the CPU."""
    _set_default(Device("cpu" if device is None else device).check())


def get_default_device():
    """Where what is made is made when no device is given."""
    return _defaults.device


def get_float32_matmul_precision():
    """Always "highest": products of float32 are computed in float32."""
    return "highest"


def set_flush_denormal(mode):
    """False: denormal numbers are kept."""
    return False


# Settings that have one value here, and what the compiler's forms of Python's own are.


def get_deterministic_debug_mode():
    """0: nothing that is not deterministic exists, so nothing warns."""
    return 0


def set_deterministic_debug_mode(debug_mode):
    """Nothing to do: results never depend on the number of threads."""
    if debug_mode not in (0, 1, 2, "default", "warn", "error"):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1 or 2, or 'default', 'warn' or 'error', but got {debug_mode}")


def is_deterministic_algorithms_warn_only_enabled():
    """False: there is nothing to warn of."""
    return False


def is_warn_always_enabled():
    """Does a warning that is given once come again?"""
    return _settings["warn_always"]


def set_warn_always(b):
    """Whether a warning that is given once shall come again; Python's own filters decide."""
    if not isinstance(b, bool):
        raise TypeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _settings["warn_always"] = b


_settings = {"warn_always": False}


def set_anomaly_enabled(enabled, check_nan=True):
    """Turns anomaly mode on or off."""
    from .autograd import set_detect_anomaly

    set_detect_anomaly(enabled, check_nan)


def is_anomaly_check_nan_enabled():
    """Does anomaly mode look for nan? It always does."""
    return True


def is_distributed(input):
    """False."""
    return False


def compiled_with_cxx11_abi():
    """True."""
    return True


def cond(pred, true_fn, false_fn, operands=()):
    """true_fn(*operands) or false_fn(*operands)."""
    return true_fn(*operands) if pred else false_fn(*operands)


def while_loop(cond_fn, body_fn, carried_inputs):
    """body_fn on what it returned last, as long as cond_fn says so."""
    while cond_fn(*carried_inputs):
        carried_inputs = body_fn(*carried_inputs)
    return carried_inputs


def conv_tbc(input, weight, bias, pad=0):
    """A convolution over (time, batch, channels) with a weight of (time, in, out)."""
    if pad < 0:
        raise RuntimeError(f"Padding should be non-negative, got: {pad}")
    if input.ndim != 3 or weight.ndim != 3 or bias.ndim != 1:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel; weight 3: kernel_width, in_channels, out_channels; bias 1")
    return _ops["conv1d"](input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad).permute(2, 0, 1)


def sym_int(a):
    """The number, cut off to a whole one."""
    return int(a)


def sym_float(a):
    """The number as a float."""
    return float(a)


def slice_inverse(input, src, dim=0, start=None, end=None, step=1):
    """What of input lies where src does in its own memory."""
    return input.slice_inverse(src, dim, start, end, step)


def init_num_threads():
    """Nothing: the number of threads is set_num_threads' business."""


def get_file_path(*path_components):
    """The path of a file of this package; the first component is its name."""
    import os

    return os.path.join(os.path.dirname(os.path.abspath(__file__)), *path_components[1:])


class classproperty:  # noqa: N801
    """A property of a class, which the function makes from it."""

    def __init__(self, func):
        self.func = func

    def __get__(self, instance, owner):
        return self.func(owner)


def sym_not(a):
    """not a."""
    return not a


def sym_max(a, b):
    """The larger of two numbers; a float where one is."""
    return max(a, b) if isinstance(a, type(b)) else float(max(a, b))


def sym_min(a, b):
    """The smaller of two numbers; a float where one is."""
    return min(a, b) if isinstance(a, type(b)) else float(min(a, b))


def sym_ite(b, t, f):
    """t if b, else f."""
    return t if b else f


def sym_sum(args):
    """The sum of numbers."""
    return sum(args)


# Functions that objects with __torch_function__ may take over. PyTorch has some of them in Python: who takes one over is then given
# the rest of its arguments by name.
_IN_PYTHON = ("atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors", "cartesian_prod", "cdist", "chain_matmul", "einsum", "lu",
              "meshgrid", "norm", "split", "tensordot", "unique", "unique_consecutive", "unravel_index")
_AS_CALLED = ("is_floating_point", "is_signed", "is_complex", "numel", "nonzero", "where", "allclose", "equal", "result_type", "is_nonzero", "clone",
              "detach_", "zero_", "fill_", "fill", "index_put_", "resize_as_", "get_device", "is_conj", "is_neg",
              "is_inference", "gradient", "histogramdd", "is_same_size", "fake_quantize_per_tensor_affine", "fake_quantize_per_channel_affine",
              "is_distributed", "conv_tbc", "sym_int", "sym_float", "sym_not", "sym_max", "sym_min", "sym_ite", "sym_sum")
# Those whose arguments are not asked, though modes are: they make tensors.
_MODES_ALONE = ("tensor", "as_tensor", "asarray", "_range", "from_file", "can_cast")
for _style, _names in ((AS_IN_PYTHON, _IN_PYTHON), (AS_CALLED, _AS_CALLED), (MODES_ALONE, _MODES_ALONE)):
    globals().update({_name: overridable(globals()[_name], _style) for _name in _names})

Tensor.lu = overridable(lu.__wrapped__, AS_IN_PYTHON)

__all__ = [name for name in globals() if not name.startswith("_") and name not in ("Device", "AS_CALLED", "AS_IN_PYTHON", "MODES_ALONE", "overridable")]
