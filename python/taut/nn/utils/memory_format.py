"""Weights of convolutions in another order of memory."""


def convert_conv2d_weight_memory_format(module, memory_format):
    """Brings the weights of all 2d convolutions in a module into this order of memory."""
    return _convert(module, memory_format, ("Conv2d", "ConvTranspose2d"))


def convert_conv3d_weight_memory_format(module, memory_format):
    """Brings the weights of all 3d convolutions in a module into this order of memory."""
    return _convert(module, memory_format, ("Conv3d", "ConvTranspose3d"))


def _convert(module, memory_format, names):
    from .. import modules

    kinds = tuple(getattr(modules, name) for name in names)
    for sub in module.modules():
        if isinstance(sub, kinds):
            sub.weight.data = sub.weight.detach().clone(memory_format=memory_format)
    return module
