"""What helps with parameters, gradients and sequences."""

from . import rnn
from .clip_grad import clip_grad_norm, clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from .convert_parameters import parameters_to_vector, vector_to_parameters
from .spectral_norm import remove_spectral_norm, spectral_norm
from .weight_norm import remove_weight_norm, weight_norm

_LAZY = {"fuse_conv_bn_eval": "fusion", "fuse_conv_bn_weights": "fusion", "fuse_linear_bn_eval": "fusion",
         "fuse_linear_bn_weights": "fusion", "skip_init": "init",
         "convert_conv2d_weight_memory_format": "memory_format", "convert_conv3d_weight_memory_format": "memory_format"}
_SUBMODULES = ("clip_grad", "convert_parameters", "fusion", "init", "memory_format", "parametrizations", "parametrize",
               "prune", "rnn", "stateless")


def __getattr__(name):
    import importlib

    if name in _LAZY:
        return getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.nn.utils.{name} is not part of Taut")


def __dir__():
    return sorted({*globals(), *_LAZY, *_SUBMODULES})
