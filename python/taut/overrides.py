"""Objects that are no tensors, or of a class of their own, and say themselves what torch's functions do with them: __torch_function__."""

import functools
import warnings
from contextlib import contextmanager

from . import _C
from ._C import Tensor

__all__ = ["get_ignored_functions", "get_overridable_functions", "get_testing_overrides", "handle_torch_function", "has_torch_function",
           "resolve_name", "is_tensor_like", "is_tensor_method_or_property", "wrap_torch_function", "enable_reentrant_dispatch"]

has_torch_function = _C._has_torch_function
has_torch_function_unary = _C._has_torch_function_unary
has_torch_function_variadic = _C._has_torch_function_variadic
_is_torch_function_mode_enabled = _C._is_torch_function_mode_enabled


def is_tensor_like(inp):
    """Is it a Tensor, or has it a __torch_function__?"""
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def _get_overloaded_args(relevant_args, get_type_fn=type):
    """Those to ask, each class once: a class before those it is derived from, otherwise in their order."""
    if not _C._is_torch_function_enabled():
        return []
    ordered, types = [], set()
    for x in relevant_args:
        kind = get_type_fn(x)
        if kind in types or getattr(kind, "__torch_function__", _C._disabled_torch_function_impl) is _C._disabled_torch_function_impl:
            continue
        types.add(kind)
        at = next((i for i, other in enumerate(ordered) if issubclass(kind, get_type_fn(other))), len(ordered))
        ordered.insert(at, x)
    return ordered


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """Asks the innermost mode, then the arguments that have a __torch_function__, until one knows the function."""
    ordered = _get_overloaded_args(relevant_args)
    types = tuple(map(type, ordered))
    if _is_torch_function_mode_enabled():
        with _pop_mode_temporarily() as mode:
            result = mode.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    for x in ordered:
        ask = x.__torch_function__
        if getattr(ask, "__self__", None) is x and ask is not _C._disabled_torch_function_impl:
            warnings.warn("Defining your `__torch_function__ as a plain method is deprecated and will be an error in future, please "
                          "define it as a classmethod.", DeprecationWarning, stacklevel=2)
        result = ask(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{_public_module(public_api)}.{public_api.__name__}"
    text = f"no implementation found for '{name}' on types that implement __torch_function__: {[type(x) for x in ordered]}"
    if _is_torch_function_mode_enabled():
        text += f" nor in mode {_get_current_function_mode()}"
    raise TypeError(text)


def _public_module(f):
    module = f.__module__ or "torch"
    if module == "taut._functions":
        return "torch.functional"
    return "torch" + module[4:] if module == "taut" or module.startswith("taut.") else module


def wrap_torch_function(dispatcher):
    """A decorator for functions of one's own: dispatcher(*args, **kwargs) gives the arguments that may have a __torch_function__."""

    def decorate(f):
        @functools.wraps(f)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return f(*args, **kwargs)

        return wrapped

    return decorate


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    """The function that calls if_true or if_false, as a bool among its arguments says."""

    def f(*args, **kwargs):
        flag = kwargs.get(arg_name, args[arg_index] if arg_index < len(args) else default)
        return (if_true if flag else if_false)(*args, **kwargs)

    f.__doc__ = if_true.__doc__ if if_true.__doc__ is not None else if_false.__doc__
    f.__name__, f.__module__ = func_name or f.__name__, module_name or f.__module__
    return f


# Modes: all calls within them.


class TorchFunctionMode:
    """Within it, its __torch_function__(func, types, args, kwargs) gets every call of a function of torch, whatever its arguments are.

    While that runs the mode itself is off, so it may call func.
    """

    inner = None

    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _C._push_on_torch_function_stack(self)
        return self

    def __exit__(self, *_):
        _C._pop_torch_function_stack()

    @classmethod
    def push(cls, *args, **kwargs):
        """An instance of it, to be entered: the old way to write it."""
        warnings.warn("`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`", stacklevel=2)
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """The mode that calls every function as it is."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


for _cls in (TorchFunctionMode, BaseTorchFunctionMode):
    _cls.__module__ = "torch.overrides"


def _get_current_function_mode():
    count = _C._len_torch_function_stack()
    return _C._get_function_stack_at(count - 1) if count else None


def _get_current_function_mode_stack():
    return [_C._get_function_stack_at(i) for i in range(_C._len_torch_function_stack())]


def _push_mode(mode):
    _C._push_on_torch_function_stack(mode)


def _pop_mode():
    return _C._pop_torch_function_stack()


@contextmanager
def _pop_mode_temporarily():
    mode = _pop_mode()
    try:
        yield mode
    finally:
        _push_mode(mode)


@contextmanager
def _enable_torch_function():
    before = _C._overriding()
    try:
        _C._set_overriding(True, True)
        yield
    finally:
        _C._set_overriding(*before)


@contextmanager
def enable_reentrant_dispatch():
    """Within a __torch_dispatch__: what is called is watched from the outermost mode on again, arguments too."""
    with _enable_torch_function():
        yield


class _NoModes:
    """Within it no mode for functions is on."""

    def __enter__(self):
        self._modes = [_pop_mode() for _ in range(_C._len_torch_function_stack())]

    def __exit__(self, *_):
        for mode in reversed(self._modes):
            _push_mode(mode)


def redispatch_torch_function(func, types, args, kwargs):
    """Calls func, asking everybody anew."""
    return func(*args, **(kwargs or {}))


# What there is to override.

_IGNORED = {
    "torch": """typename is_tensor is_storage set_default_tensor_type set_default_device get_default_device set_rng_state get_rng_state
        manual_seed initial_seed seed save load set_printoptions get_default_dtype set_default_dtype get_num_threads set_num_threads
        get_num_interop_threads set_num_interop_threads is_grad_enabled set_grad_enabled no_grad enable_grad inference_mode
        is_inference_mode_enabled is_anomaly_enabled set_anomaly_enabled is_anomaly_check_nan_enabled promote_types compile
        use_deterministic_algorithms are_deterministic_algorithms_enabled is_deterministic_algorithms_warn_only_enabled
        set_deterministic_debug_mode get_deterministic_debug_mode set_float32_matmul_precision get_float32_matmul_precision
        set_flush_denormal set_warn_always is_warn_always_enabled compiled_with_cxx11_abi cond while_loop from_numpy frombuffer from_dlpack
        to_dlpack tensor as_tensor asarray from_file can_cast range arange bartlett_window blackman_window empty empty_permuted
        empty_strided eye full hamming_window hann_window kaiser_window linspace logspace normal ones rand randint randn randperm
        scalar_tensor sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_compressed_tensor tril_indices triu_indices zeros
        complex_ broadcast_shapes memory_stats explain_grad fingerprint vmap as_torch thread_safe_generator""",
    "torch.nn.functional": "upsample upsample_nearest upsample_bilinear hardsigmoid hardswish sigmoid tanh assert_int_or_pair boolean_dispatch",
}
_IGNORED_METHODS = """as_subclass new new_tensor __new__ __init__ __init_subclass__ __getattribute__ __setattr__ __delattr__ __hash__ __str__
    __dir__ __class__ __doc__ __dict__ __weakref__ __module__ __iter__ __copy__ __torch_function__ __torch_dispatch__ __reduce__
    __getstate__ __sizeof__ __subclasshook__ __array_priority__ __dictoffset__ _make_subclass _make_wrapper_subclass"""


def _spaces():
    """(name, module) of all that has functions to override."""
    from . import fft, linalg, special
    from .nn import functional

    import taut

    return (("torch", taut), ("torch.nn.functional", functional), ("torch.linalg", linalg), ("torch.fft", fft), ("torch.special", special))


def _is_overridable(f):
    return type(f) in (_OP, _OVERRIDABLE) and getattr(f, "_style", 0) != 2


_OP, _OVERRIDABLE = type(_C.ops["add"]), type(Tensor.split)


@functools.cache
def _ignored_names():
    return {space: set(names.split()) for space, names in _IGNORED.items()}


@functools.cache
def get_ignored_functions():
    """The public functions that ask nobody."""
    ignored = _ignored_names()
    found = set()
    for space, module in _spaces():
        for name in list(vars(module)):
            if name in ignored.get(space, ()) or not name.startswith("_") and callable(f := getattr(module, name, None)) \
                    and not isinstance(f, type) and not _is_overridable(f):
                f = getattr(module, name, None)
                if callable(f):
                    found.add(f)
    found.update(getattr(Tensor, n) for n in _IGNORED_METHODS.split() if getattr(Tensor, n, None) is not None and _hashable(getattr(Tensor, n)))
    return found


def _hashable(x):
    try:
        hash(x)
    except TypeError:
        return False
    return True


@functools.cache
def get_default_nowrap_functions():
    """The functions whose result is as it is, not of the class that was asked."""
    return {Tensor._base.__get__, Tensor.grad.__get__, Tensor._grad.__get__}


@functools.cache
def _overridable_functions():
    ignored = _ignored_names()
    found, names = {}, {}
    for space, module in _spaces():
        listed = found.setdefault(module, [])
        for name in sorted(vars(module)):
            f = getattr(module, name)
            if not name.startswith("_") and name in ignored.get(space, ()) and type(f) in (_OP, _OVERRIDABLE):
                names.setdefault(f, f"{space}.{name}")
            if name.startswith("_") or name in ignored.get(space, ()):
                continue
            if _is_overridable(f):
                listed.append(f)
                at = "torch.functional" if space == "torch" and type(f) is not _OP and f.__name__ in _IN_FUNCTIONAL else space
                names[f] = f"{at}.{name}"
    from .nn import init

    names.update({f: f"torch.nn.init.{name}" for name, f in vars(init).items() if type(f) is _OVERRIDABLE})
    methods, getters = [], set()
    ignored_methods = set(_IGNORED_METHODS.split())
    for name in sorted(vars(Tensor)):
        f = vars(Tensor)[name]
        if name in ignored_methods or name.startswith("_") and not name.startswith("__") and name not in ("_base", "_grad", "_version"):
            continue
        if type(f) in (_GETSET, property):
            getter = f.__get__
            getters.add(getter)
            names[getter] = f"torch.Tensor.{name}.__get__"
            names[f.__set__] = f"torch.Tensor.{name}.__set__"
            found[f] = [getter]
        elif callable(f) and _hashable(f) and not isinstance(f, (staticmethod, classmethod)):
            methods.append(f)
            names.setdefault(f, f"torch.Tensor.{name}")
    found[Tensor] = methods
    return found, names


_GETSET = type(Tensor.shape)
_IN_FUNCTIONAL = {"atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors", "cartesian_prod", "cdist", "chain_matmul", "einsum",
                  "lu", "meshgrid", "norm", "split", "stft", "tensordot", "unique", "unique_consecutive", "unravel_index"}


def get_overridable_functions():
    """All functions that ask, by the namespace that has them."""
    return dict(_overridable_functions()[0])


def resolve_name(f):
    """The full name of a function that asks; of an op of torch.ops, its own; None for any other."""
    if hasattr(f, "_schema") and hasattr(f, "overloadpacket") or hasattr(f, "_qualified_op_name"):
        return str(f)
    try:
        return _overridable_functions()[1].get(f)
    except TypeError:
        return None


@functools.cache
def _methods_and_properties():
    found, _ = _overridable_functions()
    return set(found[Tensor]) | {g for space, list_ in found.items() if type(space) in (_GETSET, property) for g in list_}


def is_tensor_method_or_property(func):
    """Is it a method of Tensor, or the getter of one of its properties?"""
    return func in _methods_and_properties() or getattr(func, "__name__", None) in ("__get__", "__set__")


def _lambda_like(f, as_method):
    """lambda with the arguments of a function that returns -1."""
    import inspect

    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        parameters = None
    if parameters is None or type(f) is _OP:
        text = "*args, **kwargs"
        if parameters:
            first = parameters[0].name
            text = ("self" if as_method else first) + ", *args, **kwargs"
    else:
        parts, starred = [], False
        for p in parameters:
            if p.kind is p.VAR_POSITIONAL:
                starred = True
                parts.append("*" + p.name)
            elif p.kind is p.VAR_KEYWORD:
                parts.append("**" + p.name)
            else:
                if p.kind is p.KEYWORD_ONLY and not starred:
                    starred = True
                    parts.append("*")
                parts.append(p.name + ("" if p.default is p.empty else "=None"))
        text = ", ".join(parts)
    return eval(f"lambda {text}: -1")


@functools.cache
def get_testing_overrides():
    """For each function that asks, another one with its arguments that returns -1."""
    found, _ = _overridable_functions()
    made = {}
    for space, functions in found.items():
        for f in functions:
            if type(space) in (_GETSET, property):
                made[f] = lambda self: -1
            else:
                made.setdefault(f, _lambda_like(f, space is Tensor))
    return made


def __getattr__(name):
    raise AttributeError(f"torch.overrides.{name} is not part of Taut")
