"""Profiling: labels can be set, but nothing is measured yet."""

__all__ = ["profile", "record_function"]


class profile:
    """Not supported yet, unless it is switched off."""

    def __init__(self, enabled=True, **kwargs):
        if enabled:
            raise NotImplementedError("torch.autograd.profiler.profile is not supported yet")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class record_function:
    """A label for a part of the program; as nothing is measured, it has no effect."""

    def __init__(self, name, args=None):
        self.name, self.args = name, args

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def __call__(self, function):
        return function


for _class in (profile, record_function):
    _class.__module__ = "torch.autograd.profiler"
del _class


def __getattr__(name):
    raise AttributeError(f"torch.autograd.profiler.{name} is not part of Taut")
