"""Modules that are their graph: forward is written from it."""

import copy
import itertools
import linecache
import sys
import traceback

from .._C import Tensor
from ..nn import Module, Parameter
from .graph import Graph

__all__ = ["GraphModule", "reduce_graph_module"]

_numbers = itertools.count()


def _exec_with_source(src, globals_):
    """Runs the text so that tracebacks and inspect.getsource() show its lines."""
    name = f"<eval_with_key>.{next(_numbers)}"
    linecache.cache[name] = len(src), None, src.splitlines(True), name
    globals_ = dict(globals_)
    exec(compile(src, name, "exec"), globals_)
    return globals_


def _forward_from_src(src, globals_):
    return _exec_with_source(src, globals_)["forward"]


def _copy_attr(from_, to, target):
    *path, field = target.split(".")
    for name in path:
        there = getattr(to, name, None)
        from_ = getattr(from_, name)
        if there is None:
            there = Module()
            setattr(to, name, there)
        to = there
    value = getattr(from_, field)
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        to.register_buffer(field, value)
    else:
        setattr(to, field, value)


def _assign_attr(value, to, target):
    *path, field = target.split(".")
    for name in path:
        there = getattr(to, name, None)
        if there is None:
            there = Module()
            setattr(to, name, there)
        to = there
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        to.register_buffer(field, value)
    else:
        setattr(to, field, value)


class GraphModule(Module):
    """A module whose forward is the function of a graph. It has those parts of `root` (a module, or a dict of them) that the graph uses."""

    def __new__(cls, *args, **kwargs):
        for c in cls.__mro__:
            if c.__qualname__.split(".")[-1] == "GraphModuleImpl":
                cls = c.__bases__[0]
                break

        class GraphModuleImpl(cls):  # each has a forward of its own
            pass

        return super().__new__(GraphModuleImpl)

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        type(self).__name__ = class_name
        if isinstance(root, Module):
            if hasattr(root, "training"):
                self.training = root.training
            targets = {n.target for n in graph.nodes if n.op in ("get_attr", "call_module")}
            for target in sorted(targets, key=lambda t: [n.target for n in graph.nodes].index(t)):
                _copy_attr(root, self, target)
        elif isinstance(root, dict):
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module"):
                    if node.target not in root:
                        raise RuntimeError(f"Node {node} referenced target {node.target} but that target was not provided in ``root``!")
            for target in sorted({n.target for n in graph.nodes if n.op in ("get_attr", "call_module")}, key=lambda t: t.count(".")):
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self.graph = graph
        self._tracer_cls, self._tracer_extras = graph._tracer_cls, graph._tracer_extras
        self.meta = {}

    @property
    def graph(self):
        """The graph; setting it writes forward anew."""
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        object.__setattr__(self, "_graph", g)
        g.owning_module = self
        self.recompile()

    @property
    def code(self):
        """The text of forward."""
        if not hasattr(self, "_code"):
            raise RuntimeError("Code has not been generated! Please report a bug to PyTorch")
        return self._code

    def recompile(self):
        """Writes forward from the graph: to be called after the graph was changed."""
        python_code = self._graph.python_code(root_module="self")
        object.__setattr__(self, "_code", python_code.src)
        cls = type(self)
        cls.forward = _forward_from_src(python_code.src, python_code.globals)
        if "__call__" not in vars(cls):
            call = super(cls, self).__call__.__func__ if hasattr(super(cls, self).__call__, "__func__") else Module.__call__

            def called(self, *args, **kwargs):
                try:
                    return Module.__call__(self, *args, **kwargs)
                except Exception as e:
                    _show_line(e)
                    raise

            cls.__call__ = called
            del call
        return python_code

    def _recompile_submodules(self):
        return [m.recompile() for m in self.modules() if isinstance(m, GraphModule)]

    def add_submodule(self, target, m):
        """Puts a module at this place, with empty modules on the way where there are none. False if there is something else."""
        *path, field = target.split(".")
        at = self
        for name in path:
            sub = getattr(at, name, None)
            if sub is None:
                sub = Module()
                setattr(at, name, sub)
            if not isinstance(sub, Module):
                return False
            at = sub
        at.add_module(field, m)
        return True

    def delete_submodule(self, target):
        """Takes a module away. False if there is none."""
        *path, field = target.split(".")
        at = self
        for name in path:
            at = getattr(at, name, None)
            if not isinstance(at, Module):
                return False
        if not isinstance(getattr(at, field, None), Module):
            return False
        delattr(at, field)
        return True

    def delete_all_unused_submodules(self):
        """Takes away the modules that no step uses."""
        used = []
        for node in self.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                path = node.target.split(".")
                used += [".".join(path[:i]) for i in range(1, len(path) + 1)]
                if node.op == "call_module":
                    try:
                        used += [f"{node.target}.{n}" for n, _ in self.get_submodule(node.target).named_modules() if n]
                    except AttributeError:
                        pass
        for name in [n for n, _ in self.named_modules() if n and n not in used]:
            self.delete_submodule(name)

    def __deepcopy__(self, memo):
        made = GraphModule.__new__(type(self))
        memo[id(self)] = made
        Module.__init__(made)
        graph = copy.deepcopy(self._graph)
        for name, value in self.__dict__.items():
            if name not in ("_graph", "_code"):
                made.__dict__[name] = copy.deepcopy(value, memo)
        type(made).__name__ = type(self).__name__
        made.graph = graph
        return made

    def __copy__(self):
        made = GraphModule(self, copy.copy(self.graph) if False else copy.deepcopy(self.graph), type(self).__name__)
        made.meta = getattr(self, "meta", {})
        return made

    def __reduce_ex__(self, protocol):
        return self.__reduce__()

    def __reduce__(self):
        state = self.__dict__.copy()
        state.pop("_graph")
        state.pop("_code", None)
        state.pop("_tracer_cls", None)
        python_code = self._graph.python_code(root_module="self")
        return reduce_graph_module, (state, python_code.src, _portable(python_code.globals), type(self).__name__, _tracer_of(self))

    def print_readable(self, print_output=True, include_stride=False, include_device=False, colored=False, *, fast_sympy_print=False,
                       expanded_def=False, additional_meta=None):
        """The text of the module as a class, with those within it; printed unless told otherwise."""
        text = _readable(self, self._get_name())
        if print_output:
            print(text)
        return text

    def __str__(self):
        return "\n".join([super().__str__(), self._code, "# To see more debug info, please use `graph_module.print_readable()`"])

    def _get_name(self):
        return type(self).__name__


def _tracer_of(module):
    """The class of tracers that a pickle names, if it is not the one of this package, which it need not name."""
    tracer = module._graph._tracer_cls
    return tracer if tracer is not None and "<locals>" not in tracer.__qualname__ and not tracer.__module__.startswith("torch.") else None


def _portable(globals_):
    """The names that the text needs beside those it always has."""
    return {k: v for k, v in globals_.items() if k not in ("inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree")}


def reduce_graph_module(state, src, globals_, name, tracer_cls=None):
    """From a pickle: the graph is made anew by tracing the text."""
    from ._symbolic_trace import Tracer
    from .graph import _custom_globals

    forward = _forward_from_src(src, {**_custom_globals(), **globals_})

    class CodeOnlyModule(Module):
        def __init__(self, body):
            super().__init__()
            self.__dict__ = body

    CodeOnlyModule.forward = forward
    CodeOnlyModule.__name__ = name
    root = CodeOnlyModule(state)

    class KeepModules(tracer_cls or Tracer):
        def is_leaf_module(self, m, path):
            return True

    graph = KeepModules().trace(root)
    graph._tracer_cls = tracer_cls
    made = GraphModule(root, graph, name)
    for k, v in state.items():
        if k not in made.__dict__:
            made.__dict__[k] = v
    return made


def _readable(module, name):
    body = module._graph.python_code(root_module="self", verbose=True).src.lstrip("\n")
    body = "\n".join("    " + line if line.strip() else line.strip() for line in body.rstrip().split("\n"))
    subs = [_readable(m, m._get_name()) for _, m in module.named_children() if isinstance(m, GraphModule)]
    inner = "".join("\n" + "\n".join("    " + line if line.strip() else "" for line in s.rstrip("\n").split("\n")) + "\n" for s in subs)
    return f"class {name}(torch.nn.Module):\n{body}\n{inner}"


def _show_line(e):
    """Shows on stderr which line of a generated function failed."""
    frames = [f for f in traceback.extract_tb(e.__traceback__) if f.filename.startswith("<eval_with_key>")]
    if not frames or getattr(e, "_fx_shown", False):
        return
    try:
        e._fx_shown = True
    except AttributeError:
        pass
    line = frames[-1].lineno
    lines = linecache.getlines(frames[-1].filename)
    before, after = "".join(lines[max(0, line - 3):line]), "".join(lines[line:line + 2])
    print(f"Call using an FX-traced Module, line {line} of the traced Module's generated forward function:\n{before}\n"
          f"{'~' * 38} <--- HERE\n{after}", file=sys.stderr)


GraphModule.__module__ = "torch.fx.graph_module"
