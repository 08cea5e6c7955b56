"""Functions and modules as graphs: they are called with values that are not there yet."""

import builtins
import functools
import inspect
import math
import sys
import types

from .. import _C
from .._C import Tensor
from ..nn import Module, Parameter
from ..utils import _pytree
from .graph import Graph
from .graph_module import GraphModule
from .node import Node
from .proxy import ParameterProxy, Proxy, TracerBase

__all__ = ["Tracer", "symbolic_trace", "wrap", "PH"]

_wrapped_fns_to_patch = {}    # (id of a module's names, name): those names
_wrapped_methods_to_patch = []
_tracing = 0


class PHBase:
    """Stands for an argument that shall stay one, among concrete ones."""

    def __repr__(self):
        return "PH"


PH = PHBase()


def is_fx_tracing():
    """Is a function being traced?"""
    return _tracing > 0


def _create_wrapped_func(orig):
    @functools.wraps(orig)
    def wrapped(*args, **kwargs):
        proxy = _find_proxy(args, kwargs)
        if proxy is None:
            return orig(*args, **kwargs)
        made = proxy.tracer.create_proxy("call_function", orig, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    return wrapped


def _create_wrapped_method(cls, name):
    orig = getattr(cls, name)

    @functools.wraps(orig)
    def wrapped(*args, **kwargs):
        proxy = _find_proxy(args, kwargs)
        return orig(*args, **kwargs) if proxy is None else proxy.tracer.create_proxy("call_method", name, args, kwargs)

    return wrapped


def _find_proxy(*values):
    for x in _pytree.tree_iter(values):
        if isinstance(x, Proxy):
            return x
    return None


def wrap(fn_or_name):
    """Calls of this function, of the module in which wrap is called, become steps: the tracer does not look into it."""
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    frame = inspect.currentframe().f_back
    if frame.f_code.co_name != "<module>" and frame.f_globals is not frame.f_locals:
        raise NotImplementedError("wrap must be called at the top level of a module")
    _wrapped_fns_to_patch[id(frame.f_globals), name] = frame.f_globals
    return fn_or_name


class _Patches:
    """Changes that are undone at the end."""

    def __init__(self):
        self._undo, self._seen = [], set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for undo in reversed(self._undo):
            undo()

    def patch_item(self, names, name, new):
        there, before = name in names, names.get(name)
        names[name] = new
        self._undo.append(lambda: names.__setitem__(name, before) if there else names.pop(name, None))

    def patch_attribute(self, owner, name, new):
        before = owner.__dict__.get(name, getattr(owner, name))
        setattr(owner, name, new)
        self._undo.append(lambda: setattr(owner, name, before))

    def visit_once(self, thing):
        new = id(thing) not in self._seen
        self._seen.add(id(thing))
        return new


class Tracer(TracerBase):
    """Makes graphs. A subclass may say which modules are single steps (is_leaf_module), and what values become as arguments (create_arg)."""

    def __init__(self, autowrap_modules=(math,), autowrap_functions=(), param_shapes_constant=False):
        self._autowrap_function_ids = {id(v) for m in autowrap_modules for n, v in m.__dict__.items() if not n.startswith("_") and callable(v)}
        self._autowrap_function_ids.update(map(id, autowrap_functions))
        self._autowrap_search = list(autowrap_modules)
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths, self.root_module_name = None, ""
        self.scope, self.module_stack, self.node_name_to_scope = None, {}, {}
        self.num_calls = {}

    def create_arg(self, a):
        """A value as an argument of a step: parameters and tensors are read from the module."""
        if isinstance(a, Parameter):
            for name, p in self.root.named_parameters():
                if a is p:
                    return self.create_node("get_attr", name, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, Tensor):
            for name, b in self.root.named_buffers():
                if a is b:
                    return self.create_node("get_attr", name, (), {})
        elif isinstance(a, Module):
            for name, m in self.root.named_modules():
                if a is m:
                    return self.create_node("get_attr", name, (), {})
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            return self.create_node("call_function", type(a), tuple(self.create_arg(x) for x in a), {})
        if isinstance(a, Tensor):
            name = self.tensor_attrs.get(id(a), (None, None))[0]
            if name is None:
                name = self.get_fresh_qualname("_tensor_constant")
                self.tensor_attrs[id(a)] = name, a
                setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        return super().create_arg(a)

    def get_fresh_qualname(self, prefix):
        """The name of an attribute that the module does not have."""
        i = 0
        while hasattr(self.root, f"{prefix}{i}"):
            i += 1
        return f"{prefix}{i}"

    def is_leaf_module(self, m, module_qualified_name):
        """Is a call of this module one step? So it is for those of torch.nn but Sequential."""
        from ..nn import Sequential

        return m.__module__.startswith(("torch.nn", "torch.ao.nn", "taut.nn")) and not isinstance(m, Sequential)

    def path_of_module(self, mod):
        """The name of a module within the root."""
        if self.submodule_paths:
            path = self.submodule_paths.get(mod)
            if path is None:
                raise NameError("module is not installed as a submodule")
            return path
        for name, m in self.root.named_modules():
            if mod is m:
                return name
        raise NameError("module is not installed as a submodule")

    def call_module(self, m, forward, args, kwargs):
        """A call of a module, while tracing."""
        path = self.path_of_module(m)
        before = self.module_stack
        self.module_stack = {**before, path: type(m)}
        try:
            if self.is_leaf_module(m, path):
                return self.create_proxy("call_module", path, args, kwargs)
            return forward(*args, **kwargs)
        finally:
            self.module_stack = before

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        """A new step of the graph."""
        node = super().create_node(kind, target, args, kwargs, name, type_expr)
        if self.module_stack:
            node.meta["nn_module_stack"] = {k: (k, v) for k, v in self.module_stack.items()}
        return node

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        """An attribute of a module, while tracing: parameters are steps."""

        def found(pairs):
            for name, p in pairs:
                if attr_val is p:
                    if name not in parameter_proxy_cache:
                        factory = None if not self.param_shapes_constant else lambda node: ParameterProxy(self, node, name, attr_val)
                        parameter_proxy_cache[name] = self.create_proxy("get_attr", name, (), {}, proxy_factory_fn=factory)
                    return parameter_proxy_cache[name]
            return None

        if isinstance(attr_val, Parameter):
            made = found(self.root.named_parameters())
            if made is not None:
                return made
        if self.proxy_buffer_attributes and isinstance(attr_val, Tensor):
            made = found(self.root.named_buffers())
            if made is not None:
                return made
        return attr_val

    def create_args_for_root(self, root_fn, is_module, concrete_args=None):
        """The function to call, and the values for its arguments."""
        fn = inspect.unwrap(root_fn)
        code = fn.__code__
        total = code.co_argcount + code.co_kwonlyargcount
        names = list(code.co_varnames)
        skip = 1 if is_module else 0
        args = [self.root] if is_module else []
        parameters = inspect.signature(fn).parameters
        concrete = dict(concrete_args) if isinstance(concrete_args, dict) else {}
        if isinstance(concrete_args, tuple):
            if total - skip != len(concrete_args):
                raise RuntimeError(f"Tracing expected {total - skip} arguments but got {len(concrete_args)} concrete arguments")
            concrete = dict(zip(names[skip:total], concrete_args))
        count = 0

        def placeholder(name):
            nonlocal count
            shown = name.replace("*", "")
            if name in concrete and concrete[name] is not PH and not _has_place(concrete[name]):
                count += 1
                value = concrete[name]
                out = self.create_proxy("placeholder", f"{name}_{count}", (), {})
                if isinstance(value, (int, float, bool, str)) and not isinstance(value, Proxy):
                    _assert_is(out, value, name)
                elif value is None:
                    _assert_none(out, name)
                return value
            default = () if name.startswith("*") or parameters[shown].default is inspect.Parameter.empty else (parameters[shown].default,)
            kind = fn.__annotations__.get(name)
            return self.create_proxy("placeholder", name, default, {}, type_expr=kind if not isinstance(kind, str) else None)

        args += [placeholder(n) for n in names[skip:total]]
        if code.co_flags & inspect.CO_VARARGS:
            args.append(placeholder("*" + names[total]))
            total += 1
        if code.co_flags & inspect.CO_VARKEYWORDS:
            args.append(placeholder("**" + names[total]))
        if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            fn = types.FunctionType(_all_positional(code), fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
        return fn, args

    def trace(self, root, concrete_args=None):
        """The graph of a module or a function."""
        global _tracing
        if isinstance(root, Module):
            self.root, is_module = root, True
            if not hasattr(type(root), self.traced_func_name):
                raise AssertionError(f"traced_func_name={self.traced_func_name} doesn't exist in {type(root).__name__}")
            fn = getattr(type(root), self.traced_func_name)
            self.root_module_name = root._get_name()
            self.submodule_paths = {m: n for n, m in root.named_modules()}
        else:
            self.root, fn, is_module = Module(), root, False
        self.graph = Graph(tracer_cls=type(self) if "." not in type(self).__qualname__ else None)
        self.tensor_attrs = {id(v): (f"{name}.{k}" if name else k, v) for name, m in self.root.named_modules() for k, v in m.__dict__.items()
                             if isinstance(v, Tensor)}
        if not isinstance(inspect.unwrap(fn), types.FunctionType):
            raise AssertionError(f"Expected {fn} to be a function")
        fn, args = self.create_args_for_root(fn, is_module, concrete_args)
        cache = {}
        tracer, module_getattr, module_call = self, Module.__getattr__, Module.__call__

        def traced_getattr(module, name):
            return tracer.getattr(name, module_getattr(module, name), cache)

        def traced_call(module, *args, **kwargs):
            def forward(*args, **kwargs):
                return module_call(module, *args, **kwargs)

            for name in (module.forward.__globals__ if hasattr(module.forward, "__globals__") else None,):
                tracer._autowrap(patches, name)
            return tracer.call_module(module, forward, args, kwargs)

        _tracing += 1
        try:
            with _Patches() as patches:
                patches.patch_attribute(Module, "__getattr__", traced_getattr)
                patches.patch_attribute(Module, "__call__", traced_call)
                for (_, name), names in _wrapped_fns_to_patch.items():
                    if name in names:
                        patches.patch_item(names, name, _create_wrapped_func(names[name]))
                    elif hasattr(builtins, name):
                        patches.patch_item(names, name, _create_wrapped_func(getattr(builtins, name)))
                for cls, name in _wrapped_methods_to_patch:
                    patches.patch_attribute(cls, name, _create_wrapped_method(cls, name))
                self._autowrap(patches, getattr(fn, "__globals__", None))
                result = fn(*args)
                self.create_node("output", "output", (self.create_arg(result),), {}, type_expr=getattr(fn, "__annotations__", {}).get("return"))
        finally:
            _tracing -= 1
            self.submodule_paths = None
        return self.graph

    def _autowrap(self, patches, names):
        if names is None or not patches.visit_once(names):
            return
        for name, value in list(names.items()):
            if not name.startswith("_") and callable(value) and id(value) in self._autowrap_function_ids:
                patches.patch_item(names, name, _create_wrapped_func(value))
        for module in self._autowrap_search:
            if patches.visit_once(module.__dict__):
                for name, value in list(module.__dict__.items()):
                    if not name.startswith("_") and callable(value) and id(value) in self._autowrap_function_ids:
                        patches.patch_item(module.__dict__, name, _create_wrapped_func(value))


def _has_place(value):
    return any(x is PH for x in _pytree.tree_iter(value))


def _assert_is(out, value, name):
    tracer = out.tracer
    same = out == value
    tracer.create_proxy("call_function", _assert, (same, f"{name} has been specialized to have value {value} but got another value"), {}, name="_assert")


def _assert_none(out, name):
    out.tracer.create_proxy("call_function", _assert, (out, f"{name} has been specialized to have value None but got another value"), {}, name="_assert")


def _assert(condition, message):
    """Raises AssertionError with this message where the condition does not hold."""
    if not bool(condition):
        raise AssertionError(message)


_assert.__module__, _assert.__qualname__ = "torch", "_assert"


def _all_positional(code):
    """The code of a function that takes what it took by name, and its *args and **kwargs as they are, by position."""
    extra = code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.replace(co_argcount=code.co_argcount + extra, co_posonlyargcount=0, co_kwonlyargcount=0,
                        co_flags=code.co_flags & ~(inspect.CO_VARARGS | inspect.CO_VARKEYWORDS))


def symbolic_trace(root, concrete_args=None):
    """The module of the graph of a module or a function."""
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = root.__class__.__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)


Tracer.__module__ = "torch.fx._symbolic_trace"
del _C, Node, sys
