"""What __torch_function__ needs when Taut is imported: how functions of Python are made overridable, and switches."""

from . import _C

AS_CALLED, AS_IN_PYTHON, MODES_ALONE, ALL_BY_NAME = 0, 1, 2, 3


def overridable(f, style=AS_IN_PYTHON, method=""):
    """The function, asking objects with __torch_function__ among its arguments first."""
    return _C._overridable(f, style, method)


def _spread(wrapper, args, kwargs):
    """Arguments as PyTorch's functions of Python pass them on: what has no default by position, all else by name."""
    f = wrapper.__wrapped__
    code = f.__code__
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    positional, by_name = names[:code.co_argcount], names[code.co_argcount:]
    defaults = dict(zip(positional[len(positional) - len(f.__defaults__ or ()):], f.__defaults__ or ()), **(f.__kwdefaults__ or {}))
    if code.co_flags & 4:  # *tensors
        return args, {**{n: defaults[n] for n in by_name if n in defaults}, **kwargs}
    given = dict(zip(positional, args))
    twice = next((n for n in kwargs if n in given or n not in names and not code.co_flags & 8), None)
    missing = any(n not in given and n not in kwargs and n not in defaults for n in names)
    if len(args) > len(positional) or twice or missing:
        f(*args, **kwargs)  # raises what Python says of such a call
    given.update(kwargs)
    if wrapper._style == ALL_BY_NAME:
        return (), {**defaults, **given}
    first = [n for n in positional if n not in defaults]
    rest = {n: given[n] if n in given else defaults[n] for n in names if n not in first}
    return tuple(given[n] for n in first), {**rest, **{n: v for n, v in kwargs.items() if n not in names}}


def _flat(values):
    for v in values:
        if isinstance(v, (list, tuple)) and not hasattr(type(v), "__torch_function__"):
            yield from v
        else:
            yield v


def handle(wrapper, args, kwargs):
    """A call of an overridable function of Python, of which somebody is to be asked."""
    from .overrides import handle_torch_function

    args, kwargs = _spread(wrapper, args, kwargs or {})
    return handle_torch_function(wrapper, tuple(_flat((*args, *kwargs.values()))), *args, **kwargs)


class _Switch:
    """A context in which objects with __torch_function__, or modes too, are not asked, or are asked again."""

    _subclasses = _modes = None  # what holds within; None: as before

    def __enter__(self):
        subclasses, modes = _C._overriding()
        self._before = subclasses, modes
        _C._set_overriding(subclasses if self._subclasses is None else self._subclasses, modes if self._modes is None else self._modes)

    def __exit__(self, *_):
        _C._set_overriding(*self._before)


class DisableTorchFunctionSubclass(_Switch):
    """Within it arguments are not asked."""

    _subclasses = False


class DisableTorchFunction(_Switch):
    """Within it neither arguments nor modes are asked."""

    _subclasses = _modes = False


class _EnableTorchFunction(_Switch):
    _subclasses = _modes = True


def _is_torch_function_enabled():
    return _C._overriding()[0]


def _is_torch_function_all_disabled():
    return not _C._overriding()[1]


def _is_torch_function_mode_enabled():
    return _C._overriding()[1] and _C._len_torch_function_stack() > 0


for _x in (DisableTorchFunctionSubclass, DisableTorchFunction, _EnableTorchFunction, _is_torch_function_enabled,
           _is_torch_function_all_disabled, _is_torch_function_mode_enabled):
    setattr(_C, _x.__name__, _x)
    _x.__module__ = "torch._C"
