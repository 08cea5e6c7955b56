"""Gradients kept small."""

import warnings

from ... import _C
from ..._C import Tensor


def _listed(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all elements of all tensors, as if they were one."""
    return _C._get_total_norm(_listed(tensors), float(norm_type), error_if_nonfinite)


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales the gradients, in place, as if their norm were total_norm, to at most max_norm."""
    _C._clip_grads_with_norm_(_listed(parameters), float(max_norm), total_norm)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales the gradients, in place, so that the norm of all is at most max_norm; returns the norm they had."""
    parameters = _listed(parameters)
    total = _C._get_total_norm([p.grad for p in parameters if p.grad is not None], float(norm_type), error_if_nonfinite)
    _C._clip_grads_with_norm_(parameters, float(max_norm), total)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """clip_grad_norm_ by its old name."""
    warnings.warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
                  FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Keeps each element of the gradients, in place, between -clip_value and clip_value."""
    _C._clip_grad_value_(_listed(parameters), float(clip_value))
