"""TorchScript's names. There is no TorchScript: functions and modules run as the Python they are, and say they are scripted."""

import collections as _collections
import contextlib as _contextlib
import enum as _enum
import functools as _functools
import typing as _typing
import warnings as _warnings
from typing import Final  # noqa: F401

from .._refuse import loading as _loading, refused as _refused
from ..futures import Future
from ..nn.modules.module import Module as _Module

__all__ = ["Attribute", "CompilationUnit", "Error", "Future", "ScriptFunction", "ScriptModule", "annotate", "enable_onednn_fusion",
           "export", "export_opnames", "fork", "freeze", "interface", "ignore", "isinstance", "load", "onednn_fusion_enabled",
           "optimize_for_inference", "save", "script", "script_if_tracing", "set_fusion_strategy", "strict_fusion", "trace",
           "trace_module", "unused", "wait"]

_WHY = "there is no TorchScript, code runs as the Python it is; save state_dict() with torch.save"
_isinstance = isinstance
_state = {"tracing": 0, "strategy": [("STATIC", 2), ("DYNAMIC", 10)], "onednn": False}

CompilationUnit = _refused("jit.CompilationUnit", "there is no compiler of TorchScript's text")
Attribute = _collections.namedtuple("Attribute", ["value", "type"])


class Error(RuntimeError):
    """An error in a script: never raised."""


class ScriptWarning(Warning):
    """A warning of the compiler of scripts: never given."""


class TracerWarning(Warning):
    """A warning of the tracer: never given."""

    @staticmethod
    def ignore_lib_warnings():
        """Nothing to do."""


class TracingCheckError(Exception):
    """The trace is not that of the function: never raised."""


class _Saving:
    """What a scripted function or module would have of the compiler."""

    def save(self, f, **kwargs):
        """Raises: there is no TorchScript."""
        save(self, f)

    def save_to_buffer(self, *args, **kwargs):
        """Raises: there is no TorchScript."""
        raise NotImplementedError(f"save_to_buffer() is not supported by Taut: {_WHY}")

    @property
    def graph(self):
        """Raises: there is no TorchScript."""
        raise NotImplementedError(f"a graph of TorchScript is not supported by Taut: {_WHY}")

    inlined_graph = code_with_constants = graph

    @property
    def code(self):
        """The Python source."""
        import inspect

        return inspect.getsource(inspect.unwrap(getattr(self, "forward", self)))


class ScriptFunction(_Saving):
    """A function that was scripted or traced: calls it."""

    def __init__(self, f):
        _functools.update_wrapper(self, f)
        self._function = f

    def __call__(self, *args, **kwargs):
        return self._function(*args, **kwargs)

    def __repr__(self):
        return f"<torch.jit.torch.jit.ScriptFunction object at {id(self):#x}>"

    name = property(lambda self: self.__name__)
    qualified_name = property(lambda self: f"__torch__.{self.__module__}.{self.__name__}")


class ScriptModule(_Module, _Saving):
    """The class of scripted modules; a base for modules whose methods are script_methods."""

    @property
    def original_name(self):
        """The class of the module before it was scripted."""
        return type(self).__name__

    def define(self, src):
        """Raises: there is no compiler of TorchScript's text."""
        raise NotImplementedError("ScriptModule.define is not supported by Taut: there is no compiler of TorchScript's text")


class RecursiveScriptModule(ScriptModule):
    """What script() makes of a module: one of the same class beside, with the same parameters and buffers, whose code is Python."""

    original_name = property(lambda self: type(self)._original.__name__, doc="The class of the module before it was scripted.")

    def _get_name(self):
        return "RecursiveScriptModule"

    def extra_repr(self):
        return f"original_name={self.original_name}"

    def __reduce_ex__(self, protocol):
        raise RuntimeError("pickle is not supported for ScriptModule; save its state_dict() with torch.save")

    def __copy__(self):
        return _scripted(self, {})

    def __deepcopy__(self, memo):
        import copy

        made = _scripted_class(type(self)._original).__new__(type(self))
        memo[id(self)] = made
        made.__dict__ = {k: copy.deepcopy(v, memo) for k, v in self.__dict__.items()}
        return made


TracedModule = TopLevelTracedModule = RecursiveScriptModule


@_functools.lru_cache(maxsize=None)
def _scripted_class(cls):
    # RecursiveScriptModule says how it prints, the class everything else; a ScriptModule is one already.
    bases = (RecursiveScriptModule, cls)
    made = type("RecursiveScriptModule", bases, {"_original": cls, "__module__": "torch.jit._script", "__doc__": cls.__doc__})
    return made


def _scripted(module, made):
    if id(module) in made:
        return made[id(module)]
    original = getattr(type(module), "_original", type(module))
    copy = object.__new__(_scripted_class(original))
    made[id(module)] = copy
    copy.__dict__ = {k: type(v)(v) if k.startswith("_") and type(v) in (dict, _collections.OrderedDict) else v
                     for k, v in module.__dict__.items()}
    copy.__dict__["_modules"] = type(module._modules)((k, None if m is None else _scripted(m, made))
                                                      for k, m in module._modules.items())
    return copy


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The function, class or module, which runs as the Python it is."""
    if _isinstance(obj, (ScriptModule, ScriptFunction)):
        return obj
    if _isinstance(obj, _Module):
        prepare = getattr(obj, "__prepare_scriptable__", None)
        return _scripted(prepare() if prepare else obj, {})
    if _isinstance(obj, (dict, list)):
        return obj
    if _isinstance(obj, type):
        if issubclass(obj, _Module):
            raise RuntimeError(f"Type '{obj}' cannot be compiled since it inherits from nn.Module, pass an instance instead")
        return obj
    if not callable(obj):
        raise TypeError(f"{type(obj)} is a built-in class" if type(obj).__module__ == "builtins" else f"{type(obj)} cannot be scripted")
    return ScriptFunction(obj)


def _run(f, inputs, kwargs):
    inputs = inputs if _isinstance(inputs, (tuple, list)) else (inputs,)
    _state["tracing"] += 1
    try:
        f(*inputs, **(kwargs or {}))
    finally:
        _state["tracing"] -= 1


def trace(func, example_inputs=None, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True,
          _force_outplace=False, _module_class=None, _compilation_unit=None, example_kwarg_inputs=None, _store_inputs=True):
    """The function or module, run once on the example; it goes on as the Python it is, so branches are taken anew at each call."""
    if example_inputs is None and example_kwarg_inputs is None:
        raise RuntimeError("example_kwarg_inputs should be a dict" if example_inputs is not None else
                           "trace(): example_inputs or example_kwarg_inputs must be given")
    if _isinstance(func, (ScriptModule, ScriptFunction)):
        _warnings.warn("The input to trace is already a ScriptModule, tracing it is a no-op. Returning the object as is.", stacklevel=2)
        return func
    if not callable(func):
        raise RuntimeError("Could not get name of python class object")
    _run(func, () if example_inputs is None else example_inputs, example_kwarg_inputs)
    return _scripted(func, {}) if _isinstance(func, _Module) else ScriptFunction(func)


def trace_module(mod, inputs, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True,
                 _force_outplace=False, _module_class=None, _compilation_unit=None, example_inputs_is_kwarg=False,
                 _store_inputs=True):
    """The module; each method that `inputs` names is run once on the example given for it."""
    if not _isinstance(mod, _Module):
        raise AttributeError("expected torch.nn.Module as the first argument")
    if not _isinstance(inputs, dict):
        raise AttributeError("expected a dictionary of (method_name, input) pairs")
    for name, example in inputs.items():
        if example_inputs_is_kwarg:
            _run(getattr(mod, name), (), example)
        else:
            _run(getattr(mod, name), example, None)
    return _scripted(mod, {})


def script_if_tracing(fn):
    """The function."""
    return fn


_script_if_tracing = script_if_tracing


def script_method(fn):
    """The method."""
    return fn


def is_scripting():
    """Is this running as TorchScript? Never."""
    return False


def is_tracing():
    """Is trace() running its example?"""
    return _state["tracing"] > 0


def _marked(fn, words):
    # Methods and functions hold the mark themselves; a property is marked at its getter.
    target = fn.fget if _isinstance(fn, property) else fn
    target._torchscript_modifier = words
    return fn


def export(fn):
    """A method that would be compiled even if nothing calls it."""
    return _marked(fn, "export (compile this function even if nothing calls it)")


def unused(fn):
    """A method that would not be compiled."""
    return _marked(fn, "unused (ignored and replaced with raising of an exception)")


def ignore(drop=False, **kwargs):
    """A method that would stay Python. A decorator, with or without arguments."""
    if callable(drop):
        return _marked(drop, "ignore (leave as a call to Python, cannot be torch.jit.save'd)")
    if not _isinstance(drop, bool):
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    return lambda fn: unused(fn) if drop else ignore(fn)


def _drop(fn):
    """A method that would be left out."""
    return _marked(fn, "_drop (function is fully ignored, declaration can be unscriptable)")


def interface(obj):
    """The class."""
    if not _isinstance(obj, type):
        raise RuntimeError("interface must be applied to a class")
    return obj


def annotate(the_type, the_value):
    """The value."""
    return the_value


def isinstance(obj, target_type):
    """isinstance, for containers with types of elements too: List[int], Dict[str, Tensor], Optional[...], Tuple[...]."""
    origin, args = _typing.get_origin(target_type), _typing.get_args(target_type)
    if _isinstance(target_type, tuple):
        return any(isinstance(obj, t) for t in target_type)
    if target_type is None:
        return obj is None
    if origin is None:
        return _isinstance(obj, target_type)
    if origin is _typing.Union or type(target_type).__name__ == "UnionType":
        return any(isinstance(obj, t) for t in args)
    if not _isinstance(obj, origin):
        return False
    if origin is dict:
        return all(isinstance(k, args[0]) and isinstance(v, args[1]) for k, v in obj.items())
    if origin is tuple:
        return len(obj) == len(args) and all(map(isinstance, obj, args))
    return all(isinstance(x, args[0]) for x in obj)


def fork(func, *args, **kwargs):
    """A future of the result; the function is called at once."""
    future = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future):
    """The result of a future."""
    return future.wait()


_fork, _wait = fork, wait


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """The scripted module, in eval mode: there is nothing to freeze."""
    if not _isinstance(mod, ScriptModule):
        raise RuntimeError("Freezing expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to script your "
                           "'nn.Module'.")
    if mod.training:
        raise RuntimeError("Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before "
                           "freezing.")
    return mod


def optimize_for_inference(mod, other_methods=None):
    """The scripted module."""
    if not _isinstance(mod, ScriptModule):
        raise RuntimeError("optimize_for_inference expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to "
                           "script your 'nn.Module'.")
    return mod


def run_frozen_optimizations(mod, optimize_numerics=True, preserved_methods=None):
    """Nothing to do."""


def set_fusion_strategy(strategy):
    """Keeps a strategy for a fuser there is not; returns the one before."""
    for behaviour, _ in strategy:
        if behaviour not in ("STATIC", "DYNAMIC"):
            raise ValueError(f"FusionBehavior only supported 'STATIC' or 'DYNAMIC', got: {behaviour}")
    before, _state["strategy"] = _state["strategy"], list(strategy)
    return before


def last_executed_optimized_graph():
    """None: no graph is kept."""


@_contextlib.contextmanager
def fuser(name):
    """A context that would choose a fuser."""
    if name not in ("fuser0", "fuser1", "fuser2", "fuser3"):
        raise Exception(f"unrecognized fuser option (name: {name})")
    yield


@_contextlib.contextmanager
def optimized_execution(should_optimize):
    """A context that would choose an executor."""
    yield


class strict_fusion:
    """A context that only means something in a script."""

    def __init__(self):
        _warnings.warn("Only works in script mode", stacklevel=2)

    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


def enable_onednn_fusion(enabled):
    """Keeps a flag, which changes nothing."""
    _state["onednn"] = bool(enabled)


def onednn_fusion_enabled():
    """The flag of enable_onednn_fusion."""
    return _state["onednn"]


def export_opnames(m):
    """Raises: there is no TorchScript."""
    raise NotImplementedError(f"torch.jit.export_opnames is not supported by Taut: {_WHY}")


def save(m, f, _extra_files=None):
    """Raises: there is no TorchScript."""
    if not _isinstance(m, (ScriptModule, ScriptFunction)):
        raise AttributeError(f"'{type(m).__name__}' object has no attribute 'save'")
    raise NotImplementedError(f"torch.jit.save is not supported by Taut: {_WHY}")


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    """Raises: there is no TorchScript."""
    import os

    if _isinstance(f, (str, os.PathLike)):
        if not os.path.exists(f):
            raise ValueError(f"The provided filename {f} does not exist")
        if os.path.isdir(f):
            raise ValueError(f"The provided filename {f} is a directory")
    raise NotImplementedError("torch.jit.load is not supported by Taut: the file holds code of TorchScript; torch.load reads the tensors of "
                              "other files")


jit_module_from_flatbuffer = _refused("jit.jit_module_from_flatbuffer", _WHY)
save_jit_module_to_flatbuffer = _refused("jit.save_jit_module_to_flatbuffer", _WHY)
_overloads = {}


def _overload(func):
    """One signature of a function; what runs is the implementation that follows."""
    _overloads.setdefault(f"{func.__module__}.{func.__qualname__}", []).append(func)
    return func


_overload_method = _overload


def _unwrap_optional(x):
    """The value, which must not be None."""
    if x is None:
        raise AssertionError("Unwrapping null optional")
    return x


for _name, _home in dict(script="_script", interface="_script", Attribute="_script", ScriptModule="_script", RecursiveScriptModule="_script",
                         trace="_trace", trace_module="_trace", TracerWarning="_trace", TracingCheckError="_trace", fork="_async",
                         wait="_async", freeze="_freeze", optimize_for_inference="_freeze", run_frozen_optimizations="_freeze",
                         save="_serialization", load="_serialization", set_fusion_strategy="_fuser").items():
    globals()[_name].__module__ = f"torch.jit.{_home}"
for _name in ("ScriptFunction", "annotate", "isinstance", "script_if_tracing", "strict_fusion", "enable_onednn_fusion", "Error",
              "onednn_fusion_enabled", "export_opnames"):
    globals()[_name].__module__ = "torch.jit"
export.__module__ = ignore.__module__ = unused.__module__ = is_scripting.__module__ = "torch._jit_internal"
__getattr__ = _loading("jit", {"annotations", "_script", "_trace"})
