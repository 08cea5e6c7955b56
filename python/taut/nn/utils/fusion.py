"""Batch normalisation folded into the layer before it."""

import copy

from ... import _C
from ..parameter import Parameter

_ops = _C.ops


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """Weight and bias of a convolution that does what it and the normalisation do."""
    conv_b = _ops["zeros_like"](bn_rm) if conv_b is None else conv_b
    bn_w = _ops["ones_like"](bn_rm) if bn_w is None else bn_w
    bn_b = _ops["zeros_like"](bn_rm) if bn_b is None else bn_b
    factor = bn_w * (bn_rv + bn_eps).rsqrt()
    shape = [1, -1] + [1] * (conv_w.ndim - 2) if transpose else [-1, 1] + [1] * (conv_w.ndim - 2)
    weight = (conv_w * factor.reshape(shape)).to(conv_w.dtype)
    bias = ((conv_b - bn_rm) * factor + bn_b).to(conv_b.dtype)
    return Parameter(weight, conv_w.requires_grad), Parameter(bias, conv_b.requires_grad)


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """One convolution for a convolution and a normalisation in evaluation mode."""
    if conv.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    fused = copy.deepcopy(conv)
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    fused.weight, fused.bias = fuse_conv_bn_weights(fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps,
                                                    bn.weight, bn.bias, transpose)
    return fused


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """Weight and bias of a linear layer that does what it and the normalisation do."""
    linear_b = _ops["zeros_like"](bn_rm) if linear_b is None else linear_b
    factor = bn_w * (bn_rv + bn_eps).rsqrt()
    weight = (linear_w * factor.unsqueeze(-1)).to(linear_w.dtype)
    bias = ((linear_b - bn_rm) * factor + bn_b).to(linear_b.dtype)
    return Parameter(weight, linear_w.requires_grad), Parameter(bias, linear_b.requires_grad)


def fuse_linear_bn_eval(linear, bn):
    """One linear layer for a linear layer and a normalisation in evaluation mode."""
    if linear.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    fused = copy.deepcopy(linear)
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    fused.weight, fused.bias = fuse_linear_bn_weights(fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps,
                                                      bn.weight, bn.bias)
    return fused
