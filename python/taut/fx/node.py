"""One step of a graph."""

import builtins
import inspect
import operator
import types
import typing

from .immutable_collections import immutable_dict, immutable_list

__all__ = ["Node", "map_arg", "map_aggregate", "has_side_effect"]

Argument = Target = typing.Any
_side_effects = set()


def has_side_effect(fn):
    """Says that calls of a function must not be taken out of graphs although nobody reads their results."""
    _side_effects.add(fn)
    return fn


def map_aggregate(a, fn):
    """fn(x) for everything in nested tuples, lists, dicts and slices."""
    if isinstance(a, tuple):
        made = (map_aggregate(x, fn) for x in a)
        return type(a)(*made) if hasattr(a, "_fields") else tuple(made)
    if isinstance(a, list):
        return immutable_list([map_aggregate(x, fn) for x in a])
    if isinstance(a, dict):
        return immutable_dict([(k, map_aggregate(v, fn)) for k, v in a.items()])
    if isinstance(a, slice):
        return slice(map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn))
    return fn(a)


def map_arg(a, fn):
    """fn(node) for every node in nested values."""
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


def _find_module_of_method(f):
    name = f.__name__
    from .. import functional, nn

    import taut

    for module, text in ((taut, "torch"), (nn.functional, "torch.nn.functional"), (functional, "torch.functional")):
        if getattr(module, name, None) is f:
            return text
    raise RuntimeError(f"cannot find module for {f}")


def public_module(name):
    """The name of a module as PyTorch has it."""
    return "torch" + name[4:] if name == "taut" or name.startswith("taut.") else name


def _get_qualified_name(func):
    """The name under which generated code finds a function."""
    if getattr(builtins, getattr(func, "__name__", ""), None) is func:
        return func.__name__
    if hasattr(func, "_schema") or hasattr(func, "_qualified_op_name"):  # of torch.ops
        return f"torch.ops.{func}"
    from .. import overrides

    found = overrides.resolve_name(func)
    if found and not found.endswith(("__get__", "__set__")):
        return found.replace("torch.functional.", "torch.functional.")
    if isinstance(func, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        return f"{public_module(func.__objclass__.__module__)}.{func.__objclass__.__name__}.{func.__name__}"
    module = getattr(func, "__module__", None) or _find_module_of_method(func)
    module = public_module(module)
    return f"{module}.{getattr(func, '__qualname__', func.__name__) if '<' not in getattr(func, '__qualname__', '') else func.__name__}"


def _type_repr(obj):
    if isinstance(obj, type):
        if obj.__module__ == "builtins":
            return obj.__qualname__
        return f"{public_module(obj.__module__)}.{obj.__qualname__}"
    if obj is ...:
        return "..."
    if isinstance(obj, types.FunctionType):
        return obj.__name__
    return repr(obj)


class Node:
    """A step: op is what it does, target what it does it with, args and kwargs what it is given.

    placeholder: an argument of the function; get_attr: an attribute of the module; call_function, call_method, call_module: a call of the target;
    output: what is returned.
    """

    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        self.graph, self.name, self.op, self.target, self.type = graph, name, op, target, return_type
        if op == "call_function" and not callable(target):
            raise ValueError(f"Node [graph = {graph}, name = '{name}'] target {target} has type {type(target)} but a Callable is expected")
        if op != "call_function" and not isinstance(target, str):
            raise ValueError(f"Node [graph = {graph}, name = '{name}'] target {target} has type {type(target)} but a str is expected")
        self._prev = self._next = self
        self._erased = False
        self._input_nodes, self.users, self.meta, self._repr_fn = {}, {}, {}, None
        self._args, self._kwargs = (), {}
        self._update(map_arg(tuple(args), lambda x: x), map_arg(dict(kwargs), lambda x: x))

    def _update(self, args, kwargs):
        for old in self._input_nodes:
            old.users.pop(self, None)
        self._args, self._kwargs, self._input_nodes = args, kwargs, {}
        map_arg((args, kwargs), lambda n: self._input_nodes.setdefault(n))
        for new in self._input_nodes:
            new.users.setdefault(self)

    @property
    def args(self):
        """What it is given by position."""
        return self._args

    @args.setter
    def args(self, args):
        self._update(map_arg(tuple(args), lambda x: x), self._kwargs)

    @property
    def kwargs(self):
        """What it is given by name."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs):
        self._update(self._args, map_arg(dict(kwargs), lambda x: x))

    @property
    def next(self):
        """The step after it."""
        return self._next

    @property
    def prev(self):
        """The step before it."""
        return self._prev

    @property
    def all_input_nodes(self):
        """The steps whose results it is given."""
        return list(self._input_nodes)

    @property
    def stack_trace(self):
        """Where it was recorded, if that was noted."""
        return self.meta.get("stack_trace")

    @stack_trace.setter
    def stack_trace(self, trace):
        self.meta["stack_trace"] = trace

    def _remove_from_list(self):
        self._prev._next, self._next._prev = self._next, self._prev

    def prepend(self, x):
        """Moves another step to the place before this one."""
        if self.graph is not x.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if self is x:
            return
        x._remove_from_list()
        x._prev, x._next = self._prev, self
        self._prev._next = self._prev = x

    def append(self, x):
        """Moves another step to the place after this one."""
        self._next.prepend(x)

    def __lt__(self, other):
        order = list(self.graph.nodes)
        return order.index(self) < order.index(other)

    def __gt__(self, other):
        return other < self

    def __le__(self, other):
        return self is other or self < other

    def __ge__(self, other):
        return self is other or other < self

    def update_arg(self, idx, arg):
        """Another argument at a position."""
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx, arg):
        """One argument more, at a position."""
        if not 0 <= idx <= len(self.args):
            raise AssertionError("insert_args index must be between 0 and len(self.args)")
        self.args = (*self.args[:idx], arg, *self.args[idx:])

    def update_kwarg(self, key, arg):
        """Another argument of a name."""
        self.kwargs = {**self.kwargs, key: arg}

    def replace_all_uses_with(self, replace_with, delete_user_cb=lambda user: True, *, propagate_meta=False):
        """Gives another step's result to all who were given this one's (and for whom the function says so); returns them."""
        if propagate_meta:
            if replace_with.meta:
                raise AssertionError("Called node.replace_all_uses_with(replace_with, propagate_meta=True), but replace_with already has .meta keys")
            replace_with.meta.update(self.meta)
        changed = [user for user in list(self.users) if delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def replace_input_with(self, old_input, new_input):
        """Is given the result of another step in the place of that of the first."""
        swap = lambda n: new_input if n is old_input else n  # noqa: E731
        self._update(map_arg(self._args, swap), map_arg(self._kwargs, swap))

    def is_impure(self, impure_random=True):
        """Does it more than compute its result?"""
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function":
            schema = getattr(self.target, "_schema", None)
            name = getattr(self.target, "__name__", "")
            return self.target in _side_effects or schema is not None and schema.is_mutable or name == "_assert" or \
                name in ("setitem", "iadd", "isub", "imul") and getattr(self.target, "__module__", "") == "_operator"
        if self.op == "call_module":
            module = self.graph.owning_module
            if module is None:
                raise AssertionError("self.graph.owning_module not set for purity check")
            return bool(getattr(module.get_submodule(self.target), "_is_impure", False))
        return False

    def normalized_arguments(self, root, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
        """(args, kwargs) in the order of the signature of a function of Python, or None."""
        if self.op != "call_function":
            return None
        try:
            bound = inspect.signature(self.target).bind(*self.args, **self.kwargs)
        except (TypeError, ValueError):
            return None
        bound.apply_defaults()
        return types.SimpleNamespace(args=() if normalize_to_only_use_kwargs else tuple(bound.args),
                                     kwargs=dict(bound.arguments) if normalize_to_only_use_kwargs else dict(bound.kwargs))

    def _pretty_print_target(self, target):
        if isinstance(target, str):
            return target
        if hasattr(target, "__module__"):
            name = getattr(target, "__name__", None)
            if name is None:
                return _get_qualified_name(target)
            if target.__module__ == "builtins":
                return f"builtins.{name}"
            if target.__module__ == "_operator":
                return f"operator.{name}"
        return _get_qualified_name(target)

    def format_node(self, placeholder_names=None, maybe_return_typename=None, *, include_tensor_metadata=False):
        """The step as it stands in the text of a graph."""
        if self.op == "placeholder":
            kind = f"{_type_repr(self.type)} " if self.type else ""
            default = f"(default={self.args[0]})" if self.args else ""
            if placeholder_names is not None:
                placeholder_names.append(self.name)
            return f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}[target={self.target}]{default}"
        kind = f"{_type_repr(self.type)} " if self.type is not None else ""
        if self.op == "get_attr":
            return f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}[target={self._pretty_print_target(self.target)}]"
        if self.op == "output":
            if self.type and maybe_return_typename:
                maybe_return_typename[0] = f" -> {_type_repr(self.type)}"
            return f"return {self.args[0]}"
        return (f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}[target={self._pretty_print_target(self.target)}]"
                f"(args = {_format_arg(self.args)}, kwargs = {_format_arg(self.kwargs)})")

    def __repr__(self):
        return self._repr_fn(self) if self._repr_fn else self.name

    def __reduce__(self):
        raise NotImplementedError("a Node is pickled with its graph")


def _format_arg(arg):
    if isinstance(arg, list):
        return "[" + ", ".join(map(_format_arg, arg)) + "]"
    if isinstance(arg, tuple):
        return "(" + ", ".join(map(_format_arg, arg)) + ("," if len(arg) == 1 else "") + ")"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{k}: {_format_arg(v)}" for k, v in arg.items()) + "}"
    return "%" + arg.name if isinstance(arg, Node) else str(arg)


Node.__module__ = "torch.fx.node"
for _f in (print, operator.setitem):
    _side_effects.add(_f)
