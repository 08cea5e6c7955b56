"""Compares gradients with finite differences."""

from .. import _C
from .._C import Tensor

__all__ = ["gradcheck", "gradgradcheck", "GradcheckError"]

_ops = _C.ops


class GradcheckError(RuntimeError):
    """What gradcheck and gradgradcheck raise when a gradient is wrong."""


GradcheckError.__module__ = "torch.autograd.gradcheck"


def _as_tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _differentiable(outputs):
    return tuple(o for o in _as_tuple(outputs) if o.requires_grad)


def _check_inputs(inputs):
    any_grad = False
    for i, x in enumerate(inputs):
        if not (isinstance(x, Tensor) and x.requires_grad):
            continue
        any_grad = True
        if x.dtype is not _C.float64:
            import warnings

            warnings.warn(f"Input #{i} requires gradient and is not a double precision floating point or complex. This "
                          "check will likely fail if all the inputs are not of double precision floating point or "
                          "complex. ", stacklevel=4)
        if any(stride == 0 and size > 1 for size, stride in zip(x.shape, x.stride())):
            raise RuntimeError(f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that "
                               "are non-overlapping to be able to compute the numerical gradients correctly. You "
                               "should call .contiguous on the input before passing it to gradcheck.")
        x.retain_grad()
    if not any_grad:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of them have "
                         "requires_grad=True.")


def _values(func, inputs):
    """The outputs of func, cut off the graph."""
    return [o.detach().clone() for o in _as_tuple(func(*inputs))]


def _numerical(func, inputs, x, which, eps):
    """For each output in `which`: a matrix with a row for each element of x and a column for each of the output."""
    rows = [[] for _ in which]
    for index in _indices(x.shape):
        kept = x.detach()[index].clone()
        # .data: the functions under test must not see that their input was written.
        x.data[index] = kept + eps
        above = _values(func, inputs)
        x.data[index] = kept - eps
        below = _values(func, inputs)
        x.data[index] = kept
        for k, o in enumerate(which):
            rows[k].append(((above[o] - below[o]) / (2 * eps)).reshape(-1))
    return [_ops["stack"](r) if r else None for r in rows]


def _indices(shape):
    if not shape:
        return [()]
    return [(i,) + rest for i in range(shape[0]) for rest in _indices(shape[1:])]


def _one_hot(like, index):
    made = _ops["zeros_like"](like)
    made[index] = 1
    return made


def _analytical(output, inputs):
    """For each input: a matrix as _numerical makes it, by one backward for each element of the output."""
    columns = [[] for _ in inputs]
    wrong_dtype = None
    for index in _indices(output.shape):
        grads = _C._grad((output,), inputs, (_one_hot(output.detach(), index),), True, False, True, False)
        for column, grad, x in zip(columns, grads, inputs):
            if grad is not None and grad.dtype is not x.dtype:
                wrong_dtype = x
            column.append((_ops["zeros_like"](x.detach()) if grad is None else grad.detach()).reshape(-1))
    return [_ops["stack"](c, 1) if c else None for c in columns], wrong_dtype


def _forward_columns(func, inputs, x, which):
    """The same matrix by forward mode: one pass for each element of x."""
    from . import forward_ad

    rows = [[] for _ in which]
    for index in _indices(x.shape):
        with forward_ad.dual_level():
            duals = [i.detach().requires_grad_(i.requires_grad) if isinstance(i, Tensor) else i for i in inputs]
            duals = [forward_ad.make_dual(d, _one_hot(d.detach(), index)) if i is x else d
                     for i, d in zip(inputs, duals)]
            outputs = _as_tuple(func(*duals))
            for k, o in enumerate(which):
                primal, tangent = forward_ad.unpack_dual(outputs[o])
                rows[k].append((_ops["zeros_like"](primal) if tangent is None else tangent).detach().reshape(-1))
    return [_ops["stack"](r) if r else None for r in rows]


def _compare(analytical, numerical, output, position, atol, rtol, how=""):
    if analytical is None or numerical is None:
        return
    a, n = analytical.to(_C.float64), numerical.to(_C.float64)
    if a.shape != n.shape or not a.allclose(n, rtol, atol):
        raise GradcheckError(f"Jacobian {how}mismatch for output {output} with respect to input {position},\n"
                             f"numerical:{numerical}\nanalytical:{analytical}\n")


def _check_again(output, inputs, first, nondet_tol):
    again, _ = _analytical(output, inputs)
    for a, b in zip(first, again):
        if a is not None and not ((a - b).abs() <= nondet_tol).all():
            raise GradcheckError("Backward is not reentrant, i.e., running backward with same input and grad_output "
                                 "multiple times gives different values, although analytical gradient matches "
                                 f"numerical gradient.The tolerance for nondeterminism was {nondet_tol}.")


def _check_undefined(outputs, inputs):
    """A backward must cope with outputs whose gradient is not there, and take that for zeros."""
    if len(outputs) < 2:
        return
    for skip in range(len(outputs)):
        rest = [o for i, o in enumerate(outputs) if i != skip]
        grads = _C._grad(rest, inputs, [_ops["zeros_like"](o.detach()) for o in rest], True, False, True, False)
        if any(g is not None and bool((g != 0).any()) for g in grads):
            raise GradcheckError("Expected all inputs to have zero gradient when the gradients of the outputs are "
                                 "zero or undefined")


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0,
              check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False,
              check_batched_forward_grad=False, check_forward_ad=False, check_backward_ad=True, fast_mode=False,
              masked=None):
    """Compares the gradients of `func` at `inputs` with finite differences; True if they agree.

    Otherwise raises GradcheckError with both matrices (or returns False, without raise_exception). Every element is
    checked, fast_mode or not; a batched gradient is computed row by row, so the check_batched options add nothing.
    """
    if not check_backward_ad and not check_forward_ad:
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    inputs = _as_tuple(inputs)
    try:
        _check_inputs(inputs)
        outputs = _as_tuple(func(*inputs))
        wanted = [(i, x) for i, x in enumerate(inputs) if isinstance(x, Tensor) and x.requires_grad]
        which = [i for i, o in enumerate(outputs) if o.requires_grad]
        constant = [i for i, o in enumerate(outputs) if not o.requires_grad and o.is_floating_point()]
        if not which:
            for _, x in wanted:
                found = _numerical(func, inputs, x, constant, eps)
                if any(n is not None and bool((n.abs() > 1e-5).any()) for n in found):
                    raise GradcheckError("Numerical gradient for function expected to be zero")
            return True
        numerical = {i: _numerical(func, inputs, x, which, eps) for i, x in wanted}
        tensors = tuple(x for _, x in wanted)
        outputs = _as_tuple(func(*inputs))  # again: the inputs were written meanwhile
        for k, o in enumerate(which):
            if check_backward_ad:
                matrices, wrong_dtype = _analytical(outputs[o], tensors)
                for (i, _), analytical in zip(wanted, matrices):
                    _compare(analytical, numerical[i][k], o, i, atol, rtol)
                if wrong_dtype is not None and check_grad_dtypes:
                    raise GradcheckError("Gradient has dtype mismatch")
                _check_again(outputs[o], tensors, matrices, nondet_tol)
        if check_backward_ad and check_undefined_grad:
            _check_undefined(_differentiable(outputs), tensors)
        if check_forward_ad:
            for i, x in wanted:
                for k, (analytical, o) in enumerate(zip(_forward_columns(func, inputs, x, which), which)):
                    _compare(analytical, numerical[i][k], o, i, atol, rtol, "computed with forward mode ")
        return True
    except GradcheckError:
        if raise_exception:
            raise
        return False


def gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, gen_non_contig_grad_outputs=False,
                  raise_exception=True, nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False,
                  check_batched_grad=False, check_fwd_over_rev=False, check_rev_over_rev=True, fast_mode=False,
                  masked=False):
    """Compares second derivatives of `func` with finite differences of its gradients; True if they agree."""
    if not check_fwd_over_rev and not check_rev_over_rev:
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    inputs = _as_tuple(inputs)
    if grad_outputs is None:
        generator = _C.Generator()
        generator.manual_seed(0)  # the numbers of the program stay as they are
        outputs = _differentiable(func(*inputs))
        drawn = [_C._empty(tuple(o.shape), None, o.dtype).normal_(generator=generator) for o in outputs]
        if gen_non_contig_grad_outputs:
            drawn = [_ops["stack"]([g, g], -1).select(-1, 0) for g in drawn]
        grad_outputs = tuple(g.requires_grad_() for g in drawn)
    else:
        grad_outputs = _as_tuple(grad_outputs)
    count = len(grad_outputs)

    def first_derivatives(*args):
        inputs, grads = args[:-count], args[-count:]
        inputs = tuple(x.view_as(x) if isinstance(x, Tensor) and x.requires_grad else x for x in inputs)
        wanted = tuple(x for x in inputs if isinstance(x, Tensor) and x.requires_grad)
        found = _C._grad(_differentiable(func(*inputs)), wanted, grads, True, True, True, False)
        return tuple(g for g in found if g is not None)

    return gradcheck(first_derivatives, inputs + tuple(grad_outputs), eps=eps, atol=atol, rtol=rtol,
                     raise_exception=raise_exception, nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad,
                     check_grad_dtypes=check_grad_dtypes, check_forward_ad=check_fwd_over_rev,
                     check_backward_ad=check_rev_over_rev)
