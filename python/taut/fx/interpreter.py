"""Graphs run step by step, and rewritten step by step."""

from ..nn import Module
from .graph import Graph
from .graph_module import GraphModule
from .node import map_aggregate, map_arg
from .proxy import Proxy
from ._symbolic_trace import Tracer

__all__ = ["Interpreter", "Transformer"]


class Interpreter:
    """Runs a graph step by step. A subclass may do another thing for each kind of step, or for all: run_node."""

    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module, self.graph = module, module.graph if graph is None else graph
        self.submodules = dict(module.named_modules())
        self.env, self.name, self.garbage_collect_values, self.extra_traceback = {}, "Interpreter", garbage_collect_values, True
        self.user_to_last_uses = {}
        if garbage_collect_values:
            seen = set()
            for node in reversed(self.graph.nodes):
                for n in node._input_nodes:
                    if n not in seen:
                        seen.add(n)
                        self.user_to_last_uses.setdefault(node, []).append(n)

    def run(self, *args, initial_env=None, enable_io_processing=True):
        """What the graph gives for these arguments."""
        self.env = {} if initial_env is None else dict(initial_env)
        if enable_io_processing:
            args = self.graph.process_inputs(*args)
        self.args_iter = iter(args)
        for node in self.graph.nodes:
            if node in self.env:
                continue
            try:
                self.env[node] = self.run_node(node)
            except Exception as e:
                if self.extra_traceback:
                    text = f"While executing {node.format_node()}"
                    text = f"{e.args[0]}\n\n{text}" if e.args and isinstance(e.args[0], str) else text
                    e.args = (text, *e.args[1:])
                    if isinstance(e, KeyError):
                        raise RuntimeError(*e.args) from e
                raise
            if self.garbage_collect_values:
                for gone in self.user_to_last_uses.get(node, ()):
                    self.env.pop(gone, None)
            if node.op == "output":
                value = self.env[node]
                return self.graph.process_outputs(value) if enable_io_processing else value
        return None

    def boxed_run(self, args_list):
        """run(*args_list), which is emptied first."""
        args = list(args_list)
        args_list.clear()
        return self.run(*args)

    def run_node(self, n):
        """The result of one step."""
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target, args, kwargs):
        """An argument of the function."""
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            raise RuntimeError(f"Expected positional argument for parameter {target}, but one was not passed in!") from None

    def get_attr(self, target, args, kwargs):
        """An attribute of the module."""
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        """A call of a function."""
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        """A call of a method of the first argument."""
        return getattr(args[0], target)(*args[1:], **kwargs)

    def call_module(self, target, args, kwargs):
        """A call of a submodule."""
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        """What the function returns."""
        return args[0]

    def fetch_attr(self, target):
        """The attribute that a name with dots leads to."""
        at = self.module
        path = target.split(".")
        for i, name in enumerate(path):
            if not hasattr(at, name):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(path[:i + 1])}")
            at = getattr(at, name)
        return at

    def fetch_args_kwargs_from_env(self, n):
        """The values of a step's arguments."""
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args, n):
        """Nested values with results in the place of steps."""

        def load(node):
            if node not in self.env:
                raise RuntimeError(f"Node {n} referenced nonexistent value {node}! Run Graph.lint() to diagnose such issues")
            return self.env[node]

        return map_arg(args, load)


class Transformer(Interpreter):
    """Runs a graph with values that are not there yet: what comes out is a new module, in which a subclass may have changed steps."""

    def __init__(self, module):
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.set_codegen(module.graph._codegen)

        class TransformerTracer(Tracer):
            def __init__(self, graph):
                super().__init__()
                self.graph, self.tensor_attrs, self.root = graph, {}, Module()

            def is_leaf_module(self, m, path):
                return True

        self.tracer = TransformerTracer(self.new_graph)
        self.tracer.root = module

    def placeholder(self, target, args, kwargs):
        """An argument of the function."""
        return Proxy(self.new_graph.placeholder(target, default_value=args[0] if args else ...), self.tracer)

    def get_attr(self, target, args, kwargs):
        """An attribute of the module."""
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target, args, kwargs):
        """A call of a submodule."""
        return self.tracer.call_module(self.fetch_attr(target), self.fetch_attr(target).forward, args, kwargs)

    def call_function(self, target, args, kwargs):
        """A call of a function."""
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def call_method(self, target, args, kwargs):
        """A call of a method of the first argument."""
        return self.tracer.create_proxy("call_method", target, args, kwargs)

    def transform(self):
        """The new module."""
        result = super().run(enable_io_processing=False)
        if result is not None:
            made = self.new_graph.output(map_aggregate(result, lambda a: a.node if isinstance(a, Proxy) else a))
            old = self.graph.output_node()
            made.meta.update(old.meta)
            made.type = old.type
        return GraphModule(self.module, self.new_graph, type(self.module).__name__)

    def run_node(self, n):
        """The result of one step."""
        made = super().run_node(n)
        if isinstance(made, Proxy) and not made.node.meta and n.op != "output":
            made.node.meta.update(n.meta)
            made.node.type = n.type
        return made


for _cls in (Interpreter, Transformer):
    _cls.__module__ = "torch.fx.interpreter"
