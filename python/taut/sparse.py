"""Sparse tensors: making them, and what computes with them and gives sparse gradients."""

import functools

from . import _C
from ._C import Tensor
from ._types import device as Device, sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr

__all__ = ["addmm", "check_sparse_tensor_invariants", "mm", "sum", "softmax", "log_softmax", "sampled_addmm", "spdiags",
           "as_sparse_gradcheck"]

_ops = _C.ops
_WORDS = {sparse_csr: "SparseCsr", sparse_csc: "SparseCsc", sparse_bsr: "SparseBsr", sparse_bsc: "SparseBsc"}


class check_sparse_tensor_invariants:
    """Checks that indices are sorted and distinct wherever a sparse tensor is made: switched on and off by enable() and
    disable(), for the time of a with block, or of a function it decorates. That they are in range is checked always."""

    _on = False

    @staticmethod
    def is_enabled():
        """Is the check on?"""
        return check_sparse_tensor_invariants._on

    @staticmethod
    def enable():
        """Switches the check on."""
        check_sparse_tensor_invariants._on = True

    @staticmethod
    def disable():
        """Switches the check off."""
        check_sparse_tensor_invariants._on = False

    def __init__(self, enable=True):
        self._wanted, self._before = enable, None

    def __enter__(self):
        if self._before is not None:
            raise RuntimeError("This context manager instance is already activated. Use a different context manager instance for "
                               "context nesting.")
        self._before = self.is_enabled()
        check_sparse_tensor_invariants._on = self._wanted

    def __exit__(self, *_):
        check_sparse_tensor_invariants._on, self._before = self._before, None

    def __call__(self, f):
        @functools.wraps(f)
        def checked(*args, **kwargs):
            with type(self)(self._wanted):
                return f(*args, **kwargs)

        return checked


def _made(data, dtype=None):
    return data if isinstance(data, Tensor) else _C._tensor(data, dtype)


def _finished(made, dtype, device, requires_grad):
    if device is not None:
        Device(device).check()
    made = made.to(dtype) if dtype is not None else made
    return made.detach().requires_grad_() if requires_grad else made


def sparse_coo_tensor(indices=None, values=None, size=None, *, dtype=None, device=None, pin_memory=False, requires_grad=False,
                      check_invariants=None, is_coalesced=None):
    """A tensor of these values at these places, [dimensions, number]; those of one place count together."""
    if values is None:  # a size alone
        if indices is None and size is None:
            raise TypeError("sparse_coo_tensor() missing 1 required positional argument: 'indices'")
        made = _ops["_empty_sparse"](tuple(indices if size is None else size), "Sparse", dtype=dtype)
    else:
        places = _made(indices)
        made = _ops["_sparse_coo_tensor"](places, _made(values, dtype), None if size is None else tuple(size), is_coalesced)
    return _finished(made, dtype, device, requires_grad)


def _compressed(begins, others, values, size, layout, dtype, device, requires_grad, check_invariants):
    if layout not in _WORDS:
        raise RuntimeError(f"sparse_compressed_tensor expected sparse compressed tensor layout but got {layout}")
    begins, others = _made(begins), _made(others)
    strict = check_sparse_tensor_invariants.is_enabled() if check_invariants is None else check_invariants
    made = _ops["_sparse_compressed_tensor"](begins, others, _made(values, dtype), None if size is None else tuple(size), _WORDS[layout],
                                             strict)
    return _finished(made, dtype, device, requires_grad)


def sparse_compressed_tensor(compressed_indices, plain_indices, values, size=None, *, dtype=None, layout=None, device=None,
                             pin_memory=False, requires_grad=False, check_invariants=None):
    """A matrix whose rows (torch.sparse_csr) or columns (torch.sparse_csc), or those of its blocks (sparse_bsr, sparse_bsc), begin
    where compressed_indices says."""
    if layout is None:
        raise RuntimeError("sparse_compressed_tensor expected sparse compressed tensor layout but got Strided")
    return _compressed(compressed_indices, plain_indices, values, size, layout, dtype, device, requires_grad, check_invariants)


def sparse_csr_tensor(crow_indices, col_indices, values, size=None, *, dtype=None, device=None, pin_memory=False,
                      requires_grad=False, check_invariants=None):
    """A matrix row by row: crow_indices says where each begins among col_indices and values."""
    return _compressed(crow_indices, col_indices, values, size, sparse_csr, dtype, device, requires_grad, check_invariants)


def sparse_csc_tensor(ccol_indices, row_indices, values, size=None, *, dtype=None, device=None, pin_memory=False,
                      requires_grad=False, check_invariants=None):
    """A matrix column by column: ccol_indices says where each begins among row_indices and values."""
    return _compressed(ccol_indices, row_indices, values, size, sparse_csc, dtype, device, requires_grad, check_invariants)


def sparse_bsr_tensor(crow_indices, col_indices, values, size=None, *, dtype=None, device=None, pin_memory=False,
                      requires_grad=False, check_invariants=None):
    """A matrix of blocks row by row: values are [number, rows of a block, columns], and indices count blocks."""
    return _compressed(crow_indices, col_indices, values, size, sparse_bsr, dtype, device, requires_grad, check_invariants)


def sparse_bsc_tensor(ccol_indices, row_indices, values, size=None, *, dtype=None, device=None, pin_memory=False,
                      requires_grad=False, check_invariants=None):
    """A matrix of blocks column by column: values are [number, rows of a block, columns], and indices count blocks."""
    return _compressed(ccol_indices, row_indices, values, size, sparse_bsc, dtype, device, requires_grad, check_invariants)


def mm(mat1, mat2, reduce=None):
    """The product of two matrices. What is sparse gets a sparse gradient, of the elements it has."""
    if reduce not in (None, "sum", "mean", "amax", "amin"):
        raise RuntimeError(f"sparse.mm(): reduce argument must be either sum, mean, amax or amin, got {reduce}")
    if reduce in ("mean", "amax", "amin"):
        return _reduced_mm(mat1, mat2, reduce)
    return _ops["_sparse_mm"](mat1, mat2)


def _reduced_mm(mat1, mat2, reduce):
    """Of what a product sums in a row, the mean or an extreme; rows without elements are 0."""
    if mat1.layout != sparse_csr:
        raise RuntimeError(f"sparse.mm(): reduce='{reduce}' expects mat1 to be a matrix in CSR, got {mat1.layout}")
    if mat1.shape[1] != mat2.shape[0]:
        raise RuntimeError(f"sparse.mm(): shapes {tuple(mat1.shape)} and {tuple(mat2.shape)} cannot be multiplied")
    rows = _ops["repeat_interleave"](mat1.crow_indices().diff())
    products = mat1.values().unsqueeze(1) * mat2.index_select(0, mat1.col_indices())
    return mat2.new_zeros((mat1.shape[0], mat2.shape[1])).index_reduce(0, rows, products, reduce, include_self=False)


def addmm(mat, mat1, mat2, *, beta=1, alpha=1):
    """beta mat + alpha mat1 mat2, where mat1 is sparse and gets a sparse gradient."""
    return _ops["_sparse_addmm"](mat, mat1, mat2, beta=beta, alpha=alpha)


def sampled_addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    """beta input + alpha mat1 mat2 at the places where input has elements."""
    made = _ops["sparse_sampled_addmm"](input, mat1, mat2, beta=beta, alpha=alpha)
    return made if out is None else out.copy_(made)


def sum(input, dim=None, dtype=None):
    """The sum of a sparse tensor, of all elements or along dimensions, with a sparse gradient."""
    return _ops["_sparse_sum"](input, [dim] if isinstance(dim, int) else dim, dtype=dtype)


def softmax(input, dim, *, dtype=None):
    """softmax over the elements that are there; all others count as minus infinity."""
    return _ops["_sparse_softmax"](input, dim, dtype)


def log_softmax(input, dim, *, dtype=None):
    """The logarithm of softmax."""
    return _ops["_sparse_log_softmax"](input, dim, dtype)


def spdiags(diagonals, offsets, shape, layout=None):
    """A sparse matrix with the rows of `diagonals` as diagonals; element j of one is in column j."""
    made = _ops["_spdiags"](diagonals, offsets, tuple(shape))
    if layout in (None, sparse_coo):
        return made
    if layout not in (sparse_csr, sparse_csc):
        raise RuntimeError(f"Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got {layout}")
    return made.to_sparse(layout=layout)


def spmm(input, mat2):
    """The product of a sparse matrix and a dense one."""
    return _ops["mm"](input, mat2)


dsmm = spmm


def hsmm(input, mat2):
    """The product of a sparse matrix and a dense one, with the rows that are not zero."""
    return _ops["hspmm"](input, mat2)


def saddmm(input, mat1, mat2, *, beta=1, alpha=1):
    """beta input + alpha mat1 mat2, all but mat2 sparse."""
    return _ops["sspaddmm"](input, mat1, mat2, beta=beta, alpha=alpha)


def as_sparse_gradcheck(gradcheck):
    """gradcheck for functions of sparse tensors: their elements are the inputs."""

    def checked(f, inputs, **kwargs):
        inputs = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
        made, leaves = [], []
        for x in inputs:
            if isinstance(x, Tensor) and x.layout in (sparse_coo, *_WORDS):
                x = x.coalesce() if x.layout is sparse_coo else x
                leaves.append(x.detach().values().clone().requires_grad_(x.requires_grad))
                made.append(_rebuild(x.detach()))
            else:
                leaves.append(x)
                made.append(None)

        def dense(*values):
            out = f(*(v if rebuild is None else rebuild(v) for rebuild, v in zip(made, values)))
            return tuple(o.to_dense() for o in out) if isinstance(out, (list, tuple)) else out.to_dense()

        return gradcheck(dense, tuple(leaves), **{k: v for k, v in kwargs.items() if k != "masked"})

    return checked


def _rebuild(x):
    if x.layout is sparse_coo:
        return lambda v: sparse_coo_tensor(x.indices(), v, x.shape, is_coalesced=True)
    rows = x.layout in (sparse_csr, sparse_bsr)
    begins, others = (x.crow_indices(), x.col_indices()) if rows else (x.ccol_indices(), x.row_indices())
    return lambda v: sparse_compressed_tensor(begins, others, v, x.shape, layout=x.layout)


class _OldType(type):
    """The class of torch.sparse.FloatTensor and its kin: calling one makes a COO tensor, and those of its dtype are instances."""

    def __call__(cls, *args, **kwargs):
        if len(args) < 2 or not isinstance(args[0], Tensor):
            return sparse_coo_tensor(args[0] if len(args) == 1 else args or (0,), dtype=cls.dtype, **kwargs)
        if args[1].dtype is not cls.dtype:
            raise TypeError(f"expected values of {cls.dtype}, got {args[1].dtype}")
        return sparse_coo_tensor(*args, **kwargs)

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.layout is sparse_coo and instance.dtype is cls.dtype


def __getattr__(name):
    dtype = dict(Float=_C.float32, Double=_C.float64, Half=_C.float16, BFloat16=_C.bfloat16, Long=_C.int64, Int=_C.int32, Short=_C.int16,
                 Char=_C.int8, Byte=_C.uint8).get(name[:-6]) if name.endswith("Tensor") else None
    if dtype is None:
        raise AttributeError(f"torch.sparse.{name} is not part of Taut")
    made = globals()[name] = _OldType(name, (), {"dtype": dtype, "__module__": "torch.sparse", "__doc__": f"Sparse tensors of {dtype}."})
    return made
