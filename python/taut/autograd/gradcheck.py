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


def _compared(func, inputs, grad_outputs, raise_exception, *options):
    """True if the library finds nothing wrong; what is no tensor goes to func as it is."""
    for i, x in enumerate(inputs):
        if not (isinstance(x, Tensor) and x.requires_grad):
            continue
        if x.dtype not in (_C.float64, _C.complex128):
            import warnings

            warnings.warn(f"Input #{i} requires gradient and is not a double precision floating point or complex. This "
                          "check will likely fail if all the inputs are not of double precision floating point or "
                          "complex. ", stacklevel=3)
        x.retain_grad()

    def call(tensors):
        return _as_tuple(func(*(x if t is None else t for t, x in zip(tensors, inputs))))

    problem = _C._gradcheck(call, [x if isinstance(x, Tensor) else None for x in inputs], grad_outputs, *options)
    if problem is not None and raise_exception:
        raise GradcheckError(problem)
    return problem is None


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
    return _compared(func, _as_tuple(inputs), None, raise_exception, eps, atol, rtol, nondet_tol, check_undefined_grad,
                     check_grad_dtypes, check_backward_ad, check_forward_ad)


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
    return _compared(func, inputs, list(grad_outputs), raise_exception, eps, atol, rtol, nondet_tol,
                     check_undefined_grad, check_grad_dtypes, check_rev_over_rev, check_fwd_over_rev)
