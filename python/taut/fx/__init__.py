"""torch.fx: functions and modules as graphs that can be looked at, changed, and written as Python again."""

import importlib as _importlib

from . import graph, graph_module, immutable_collections, node, proxy
from .graph import CodeGen, Graph
from .graph_module import GraphModule
from .node import Node, has_side_effect, map_arg
from .proxy import Proxy
from ._symbolic_trace import PH, Tracer, symbolic_trace, wrap
from . import interpreter, subgraph_rewriter
from .interpreter import Interpreter, Transformer
from .subgraph_rewriter import replace_pattern

__all__ = ["symbolic_trace", "Tracer", "wrap", "Graph", "GraphModule", "Interpreter", "Transformer", "Node", "replace_pattern", "has_side_effect",
           "map_arg", "CodeGen", "Proxy", "PH", "graph", "graph_module", "immutable_collections", "node", "proxy", "interpreter", "subgraph_rewriter"]


class ProxyableClassMeta(type):
    """The metaclass of classes of which instances may be made of values that are not there yet."""

    def __call__(cls, *args, **kwargs):
        found = []

        def check(a):
            if isinstance(a, Proxy):
                found.append(a.tracer)
            return a

        node.map_aggregate((args, kwargs), check)
        if found:
            return found[0].create_proxy("call_function", cls, args, kwargs)
        return super().__call__(*args, **kwargs)


def __getattr__(name):
    if name in ("passes", "traceback", "_pytree", "_compatibility"):
        return _importlib.import_module(f"{__name__}.passes")
    raise AttributeError(f"torch.fx.{name} is not part of Taut")
