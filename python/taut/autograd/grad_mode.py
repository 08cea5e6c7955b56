"""Switches for recording: no_grad and its kin, as context managers and decorators."""

from .. import _C

__all__ = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode"]


def _is_generator(function):
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is not None and bool(code.co_flags & 0x20)


class _Switch:
    """A context manager that also decorates functions and generators."""

    def __call__(self, function):
        import functools  # here: importing Taut is to be quick

        if _is_generator(function):
            @functools.wraps(function)
            def generator(*args, **kwargs):
                running = function(*args, **kwargs)
                try:
                    with self._again():
                        item = next(running)
                    while True:
                        try:
                            sent = yield item
                        except GeneratorExit:
                            with self._again():
                                running.close()
                            raise
                        except BaseException as problem:
                            with self._again():
                                item = running.throw(problem)
                        else:
                            with self._again():
                                item = running.send(sent)
                except StopIteration as end:
                    return end.value

            return generator

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with self._again():
                return function(*args, **kwargs)

        return wrapped

    def _again(self):
        return self.__class__()


class no_grad(_Switch):
    """Within it nothing is recorded."""

    def __new__(cls, function=None):
        made = object.__new__(cls)
        return made if function is None else made(function)

    def __enter__(self):
        self._before = _C.is_grad_enabled()
        _C._set_grad_enabled(False)

    def __exit__(self, *_):
        _C._set_grad_enabled(self._before)


class enable_grad(_Switch):
    """Within it ops are recorded, also inside of no_grad."""

    def __new__(cls, function=None):
        made = object.__new__(cls)
        return made if function is None else made(function)

    def __enter__(self):
        self._before = _C.is_grad_enabled()
        _C._set_grad_enabled(not _C.is_inference_mode_enabled())  # where nothing is ever recorded

    def __exit__(self, *_):
        _C._set_grad_enabled(self._before)


class set_grad_enabled(_Switch):
    """Switches recording on or off, at once; as a context manager, until its end."""

    def __repr__(self):
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"

    def __init__(self, mode):
        if not isinstance(mode, bool):
            raise TypeError("set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                            f"{type(mode).__name__}")
        self._before = _C.is_grad_enabled()
        self.mode = mode
        _C._set_grad_enabled(mode)

    def __call__(self, function):
        _C._set_grad_enabled(self._before)
        return super().__call__(function)

    def _again(self):
        return self.__class__(self.mode)

    def __enter__(self):
        _C._set_grad_enabled(self.mode)

    def __exit__(self, *_):
        _C._set_grad_enabled(self._before)


class inference_mode(_Switch):
    """Within it tensors are made that can never take part in autograd."""

    def __new__(cls, mode=True):
        made = object.__new__(cls)
        if callable(mode) and not isinstance(mode, bool):
            made.mode = True
            return made(mode)
        made.mode = mode
        return made

    def _again(self):
        return self.__class__(self.mode)

    def __enter__(self):
        self._guard = _C._enter_inference(self.mode)

    def __exit__(self, *_):
        _C._exit_inference(self._guard)


for _class in (no_grad, enable_grad, set_grad_enabled, inference_mode):
    _class.__module__ = "torch.autograd.grad_mode"
del _class
