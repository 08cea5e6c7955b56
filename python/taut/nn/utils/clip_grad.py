"""Gradients kept small."""

import math
import warnings

from ... import _C
from ..._C import Tensor
from ...autograd.grad_mode import no_grad

_ops = _C.ops


def _gradients(parameters):
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p.grad for p in parameters if p.grad is not None]


@no_grad()
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all elements of all tensors, as if they were one."""
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return _C._empty((), None, None).zero_()
    norms = [t.norm(norm_type) for t in tensors]
    if any(n.dtype != norms[0].dtype for n in norms):
        norms = [n.to(_C.float64) for n in norms]
    total = _ops["stack"](norms).norm(norm_type)
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise RuntimeError(f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it "
                           "cannot be clipped. To disable this error and scale the gradients by the non-finite norm "
                           "anyway, set `error_if_nonfinite=False`")
    return total


@no_grad()
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales the gradients, in place, as if their norm were total_norm, to at most max_norm."""
    grads = _gradients(parameters)
    if not grads:
        return
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for g in grads:
        g.mul_(factor.to(g.dtype))


@no_grad()
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales the gradients, in place, so that the norm of all is at most max_norm; returns the norm they had."""
    if not isinstance(parameters, Tensor):
        parameters = list(parameters)
    total = get_total_norm(_gradients(parameters), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """clip_grad_norm_ by its old name."""
    warnings.warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
                  FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def clip_grad_value_(parameters, clip_value, foreach=None):
    """Keeps each element of the gradients, in place, between -clip_value and clip_value."""
    clip_value = float(clip_value)
    for g in _gradients(parameters):
        g.clamp_(-clip_value, clip_value)
