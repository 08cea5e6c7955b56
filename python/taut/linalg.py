"""Linear algebra: what Taut has of torch.linalg."""

from . import _C

_ops = _C.ops
_inf = float("inf")


def _written(result, out):
    return result if out is None else _C._write_out(out, result)


def _dims(dim, ndim):
    return list(range(ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)


def _as_floats(name, x, dtype):
    if not x.is_floating_point():
        raise RuntimeError(f"linalg.{name}: Expected a floating point or complex tensor as input. Got {x.dtype}")
    return x if dtype is None else x.to(dtype)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    """The norm of all elements, or of the vectors along dimensions."""
    x = _as_floats("vector_norm", x, dtype)
    return _written(_ops["norm"](x, ord, _dims(dim, x.ndim), keepdim), out)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    """The norm of matrices: "fro", 1, -1, inf or -inf."""
    A = _as_floats("matrix_norm", A, dtype)
    if A.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    dims = _dims(dim, A.ndim)
    if len(dims) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dims))}")
    rows, columns = (d % A.ndim for d in dims)
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({dims[0]}, {dims[1]})")
    if ord == "fro":
        return _written(_ops["norm"](A, 2, [rows, columns], keepdim), out)
    if ord in ("nuc", 2, -2):
        raise NotImplementedError(f"torch.linalg.matrix_norm: order {ord} is not supported yet, as it needs singular "
                                  "values")
    if ord not in (1, -1, _inf, -_inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    inner, outer = (rows, columns) if abs(ord) == 1 else (columns, rows)
    found = A.abs().sum(inner, True)
    found = found.amax(outer, True) if ord > 0 else found.amin(outer, True)
    return _written(found if keepdim else found.squeeze((rows, columns)), out)


def norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    """The norm of a vector or matrix; of all elements if nothing else is said."""
    if dim is not None:
        dims = _dims(dim, A.ndim)
        if len(dims) not in (1, 2):
            raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {dims}")
    elif ord is not None:
        if A.ndim not in (1, 2):
            raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
                               f"{A.ndim}D.")
        dims = list(range(A.ndim))
    else:
        return vector_norm(A, 2, None, keepdim, dtype=dtype, out=out)
    if isinstance(ord, str) or (ord is not None and len(dims) == 2):
        return matrix_norm(A, ord, tuple(dims), keepdim, dtype=dtype, out=out)
    return vector_norm(A, 2 if ord is None else ord, dims, keepdim, dtype=dtype, out=out)


def matmul(input, other, *, out=None):
    """The product of matrices."""
    return _ops["matmul"](input, other, out=out)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """The diagonals of matrices."""
    return _ops["diagonal"](A, offset, dim1, dim2)


def vecdot(x, y, *, dim=-1, out=None):
    """The inner products of vectors."""
    return _written((x * y).sum(dim), out)


def matrix_power(A, n, *, out=None):
    """The product of n times the same matrix."""
    if A.ndim < 2:
        raise RuntimeError("linalg.matrix_power: The input tensor A must have at least 2 dimensions.")
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(f"linalg.matrix_power: A must be batches of square matrices, but they are {A.shape[-2]} by "
                           f"{A.shape[-1]} matrices")
    if n < 0:
        raise NotImplementedError("torch.linalg.matrix_power: a negative n is not supported yet, as it needs the "
                                  "inverse")
    if n == 0:
        return _written(_ops["eye"](A.shape[-1], dtype=A.dtype).expand(A.shape).clone(), out)
    if n == 3:
        return _written((A @ A) @ A, out)
    power = None
    while n:
        if n % 2:
            power = A if power is None else power @ A
        n //= 2
        if n:
            A = A @ A
    return _written(power.clone() if power is A else power, out)


def multi_dot(tensors, *, out=None):
    """The product of several matrices, in the order that takes the fewest multiplications."""
    tensors = list(tensors)
    if len(tensors) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(tensors)}")
    for i, t in enumerate(tensors):
        if t.ndim != 2 and (i not in (0, len(tensors) - 1) or t.ndim != 1):
            raise RuntimeError(f"multi_dot(): tensor {i} must be 2D but got {t.ndim}D" if 0 < i < len(tensors) - 1 else
                               f"multi_dot(): the {'first' if i == 0 else 'last'} tensor must be 1D or 2D but got "
                               f"{t.ndim}D")
    first, last = tensors[0].ndim == 1, tensors[-1].ndim == 1
    if first:
        tensors[0] = tensors[0].unsqueeze(0)
    if last:
        tensors[-1] = tensors[-1].unsqueeze(1)
    for i, (a, b) in enumerate(zip(tensors, tensors[1:])):
        if a.shape[1] != b.shape[0]:
            raise RuntimeError(f"multi_dot(): tensors {i} and {i + 1} with shapes {list(a.shape)} and {list(b.shape)} "
                               "cannot be multiplied")
    product = _chain(tensors)
    if first:
        product = product.squeeze(0)
    return _written(product.squeeze(-1) if last else product, out)


def _chain(tensors):
    """The product of matrices that fit."""
    sizes = [t.shape[0] for t in tensors] + [tensors[-1].shape[1]]
    cost, split = {}, {}
    for length in range(1, len(tensors) + 1):
        for i in range(len(tensors) - length + 1):
            j = i + length - 1
            if i == j:
                cost[i, j] = 0
                continue
            cost[i, j], split[i, j] = min((cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                                          for k in range(i, j))

    def product(i, j):
        return tensors[i] if i == j else product(i, split[i, j]) @ product(split[i, j] + 1, j)

    return product(0, len(tensors) - 1)


def vander(x, N=None):
    """The matrix whose columns are the powers of x, from 0 on."""
    n = x.shape[-1] if N is None else N
    if n <= 1:
        raise RuntimeError(f"N must be greater than 1, but got {n}")
    powers = x.unsqueeze(-1).expand(tuple(x.shape) + (n - 1,)).cumprod(-1)
    return _ops["cat"]([_ops["ones_like"](powers[..., :1]), powers], -1)


# What the registry has under this name comes from there.
globals().update({name[len("linalg_"):]: op for name, op in _ops.items() if name.startswith("linalg_")})
__all__ = [name for name in globals() if not name.startswith("_")]


def __getattr__(name):
    raise AttributeError(f"torch.linalg.{name} is not part of Taut")
