"""Parts of a graph replaced by others."""

import copy
from collections import namedtuple
from dataclasses import dataclass, field

from ..nn import Module
from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule, _assign_attr
from .node import Node, map_arg

__all__ = ["Match", "replace_pattern", "replace_pattern_with_filters", "ReplacedPatterns"]

Match = namedtuple("Match", ["anchor", "nodes_map"])
Match.__module__ = "torch.fx.subgraph_rewriter"


@dataclass
class ReplacedPatterns:
    """One place where a pattern was replaced: the step of the pattern that is its result, which step of the pattern was which, and the new steps."""

    anchor: Node
    nodes_map: dict
    replacements: list = field(default_factory=list)


class _Matcher:
    """Finds a pattern in a graph, from its result backwards."""

    def __init__(self, pattern):
        self.pattern = pattern
        output = pattern.output_node()
        self.returned = [output.args[0]] if isinstance(output.args[0], Node) else [n for n in output.args[0] if isinstance(n, Node)] \
            if isinstance(output.args[0], (tuple, list)) else []
        self.placeholders = [n for n in pattern.nodes if n.op == "placeholder"]

    def match(self, graph):
        found, taken = [], set()
        anchors = [n for n in graph.nodes if self._alike(self.returned[0], n)] if len(self.returned) == 1 else \
            [n for n in graph.nodes if self._alike(self.returned[-1], n)]
        for anchor in anchors:
            nodes = {}
            start = self.returned[0] if len(self.returned) == 1 else self.returned[-1]
            if not self._nodes(start, anchor, nodes):
                continue
            if len(self.returned) > 1 and any(r not in nodes for r in self.returned):
                continue
            inner = {g for p, g in nodes.items() if p.op not in ("placeholder", "get_attr")}
            if inner & taken or not self._closed(nodes, inner):
                continue
            taken |= inner
            found.append((anchor, nodes))
        return found

    def _closed(self, nodes, inner):
        """Does nobody else read a step that is to go?"""
        returned = {nodes[r] for r in self.returned}
        return all(g in returned or all(u in inner for u in g.users) for g in inner)

    def _alike(self, p, g):
        if p.op == "placeholder":
            return True
        if p.op != g.op:
            return False
        return p.target is g.target or p.target == g.target if p.op in ("call_function", "call_method") else _same_target(p, g)

    def _nodes(self, p, g, nodes):
        if p in nodes:
            return nodes[p] is g
        if not isinstance(g, Node):
            if p.op == "placeholder":
                nodes[p] = g
                return True
            return False
        if p.op != "placeholder" and g in [v for k, v in nodes.items() if k.op != "placeholder"]:
            return False
        if not self._alike(p, g):
            return False
        before = dict(nodes)
        nodes[p] = g
        if p.op == "placeholder":
            return True
        if self._values(p.args, g.args, nodes) and self._values(p.kwargs, g.kwargs, nodes):
            return True
        nodes.clear()
        nodes.update(before)
        return False

    def _values(self, p, g, nodes):
        if isinstance(p, Node):
            return self._nodes(p, g, nodes)
        if isinstance(p, (tuple, list)):
            return isinstance(g, (tuple, list)) and len(p) == len(g) and all(self._values(a, b, nodes) for a, b in zip(p, g))
        if isinstance(p, dict):
            return isinstance(g, dict) and set(p) == set(g) and all(self._values(p[k], g[k], nodes) for k in p)
        if isinstance(p, slice):
            return isinstance(g, slice) and self._values((p.start, p.stop, p.step), (g.start, g.stop, g.step), nodes)
        return not isinstance(g, Node) and type(p) is type(g) and p == g


def _same_target(p, g):
    if p.op == "get_attr":
        return True
    a, b = p.graph.owning_module, g.graph.owning_module
    if a is None or b is None:
        return p.target == g.target
    return type(a.get_submodule(p.target)) is type(b.get_submodule(g.target))


def _graph_of(x):
    if isinstance(x, GraphModule):
        return x.graph
    return x if isinstance(x, Graph) else symbolic_trace(x).graph


def replace_pattern(gm, pattern, replacement):
    """Replaces what the function `pattern` does, wherever it is found in the graph, by what `replacement` does with the same arguments."""
    return [Match(anchor=m.anchor, nodes_map=m.nodes_map) for m in _replace(gm, pattern, replacement)]


def replace_pattern_with_filters(gm, pattern, replacement=None, match_filters=None, ignore_literals=False, replacement_callback=None,
                                 node_name_match=""):
    """The same where all filters (match, graph, pattern) say yes; with a callback, the replacement is what it makes of a match."""
    return _replace(gm, pattern, replacement, match_filters or [], replacement_callback)


def _replace(gm, pattern, replacement, filters=(), callback=None):
    graph, pattern_graph = gm.graph, _graph_of(pattern)
    replacement_graph = None if replacement is None else _graph_of(replacement)
    matcher = _Matcher(pattern_graph)
    done, renamed = [], {}
    for _, nodes in matcher.match(graph):
        info = ReplacedPatterns(matcher.returned[0], nodes)
        if not all(f(info, graph, pattern_graph) for f in filters):
            continue
        new_graph = replacement_graph if callback is None else callback(info, graph, pattern_graph)
        places = [n for n in new_graph.nodes if n.op == "placeholder"]
        if len(places) != len(matcher.placeholders):
            raise AssertionError(f"pattern and replacement take different arguments: {len(matcher.placeholders)} and {len(places)}")
        val_map = {}
        for place, p in zip(places, matcher.placeholders):
            value = nodes.get(p)
            val_map[place] = renamed.get(value, value) if isinstance(value, Node) else value
        last = max((nodes[r] for r in matcher.returned), key=list(graph.nodes).index)
        with graph.inserting_before(last):
            before = set(graph.nodes)
            result = graph.graph_copy(new_graph, _Values(val_map))
        info.replacements = [n for n in graph.nodes if n not in before]
        results = [result] if isinstance(result, Node) or len(matcher.returned) == 1 else list(result)
        for old, new in zip(matcher.returned, results):
            node = nodes[old]
            node.replace_all_uses_with(new)
            renamed[node] = new
        for p in reversed(pattern_graph.nodes):
            if p.op not in ("placeholder", "output") and p in nodes and not nodes[p]._erased:
                graph.erase_node(nodes[p])
        info.nodes_map = dict(nodes)
        done.append(info)
    if isinstance(replacement, Module):
        for node in graph.nodes:
            if node.op in ("call_module", "get_attr") and not _leads(gm, node.target) and _leads(replacement, node.target):
                value = replacement
                for name in node.target.split("."):
                    value = getattr(value, name)
                _assign_attr(copy.deepcopy(value), gm, node.target)
    gm.recompile()
    return done


class _Values(dict):
    """A map that graph_copy takes: values may be what is no step."""


def _leads(module, target):
    for name in target.split("."):
        if not hasattr(module, name):
            return False
        module = getattr(module, name)
    return True


del map_arg
