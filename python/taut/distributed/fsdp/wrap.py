"""Which modules become units of their own."""

import functools

__all__ = ["ModuleWrapPolicy", "CustomPolicy", "always_wrap_policy", "enable_wrap", "lambda_auto_wrap_policy", "size_based_auto_wrap_policy",
           "transformer_auto_wrap_policy", "wrap"]


def always_wrap_policy(*args, **kwargs):
    """Every module."""
    return True


def size_based_auto_wrap_policy(module, recurse, nonwrapped_numel, min_num_params=int(1e8), force_leaf_modules=None, exclude_wrap_modules=None):
    """Modules with at least so many parameters that no inner unit has."""
    return nonwrapped_numel >= min_num_params


def transformer_auto_wrap_policy(module, recurse, nonwrapped_numel, transformer_layer_cls):
    """Modules of these classes."""
    return recurse or isinstance(module, tuple(transformer_layer_cls))


def lambda_auto_wrap_policy(module, recurse, nonwrapped_numel, lambda_fn):
    """Modules for which a function says so."""
    return recurse or lambda_fn(module)


class ModuleWrapPolicy:
    """Modules of these classes."""

    def __init__(self, module_classes):
        self._classes = tuple(module_classes)

    def __call__(self, module, recurse, *args, **kwargs):
        return recurse or isinstance(module, self._classes)


class CustomPolicy:
    """Modules for which a function says so."""

    def __init__(self, lambda_fn):
        self._say = lambda_fn

    def __call__(self, module, recurse, *args, **kwargs):
        return recurse or bool(self._say(module))


_scope = []


class enable_wrap:
    """Within it wrap(module) makes units with these settings."""

    def __init__(self, *, wrapper_cls, **settings):
        self._how = functools.partial(wrapper_cls, **settings)

    def __enter__(self):
        _scope.append(self._how)

    def __exit__(self, *error):
        _scope.pop()


def wrap(module, **overrides):
    """The module as a unit, within enable_wrap; else the module."""
    return _scope[-1](module, **overrides) if _scope else module
