"""Graphs as drawings: text for Graphviz."""

from ..node import Node

__all__ = ["FxGraphDrawer"]

_COLORS = {"placeholder": "AliceBlue", "call_module": "LemonChiffon1", "get_param": "Yellow2", "get_attr": "LightGrey", "output": "PowderBlue",
           "call_function": "CadetBlue", "call_method": "CadetBlue"}


class _Dot:
    """A drawing as text; to_string() and write(path) give it to Graphviz."""

    def __init__(self, text):
        self.text = text

    def to_string(self):
        """The text."""
        return self.text

    def write(self, path, **_):
        """Writes the text to a file."""
        with open(path, "w") as f:
            f.write(self.text)

    write_dot = write_raw = write

    def __str__(self):
        return self.text


class FxGraphDrawer:
    """Draws the graph of a module: get_dot_graph() has the text for Graphviz."""

    def __init__(self, graph_module, name, ignore_getattr=False, ignore_parameters_and_buffers=False, skip_node_names_in_args=True, parse_stack_trace=False,
                 dot_graph_shape=None, normalize_args=False):
        self._name, self._skip = name, {"get_attr"} if ignore_getattr else set()
        self._dot_graphs = {name: self._draw(graph_module, name)}
        for node in graph_module.graph.nodes:
            if node.op == "call_module":
                sub = graph_module.get_submodule(node.target)
                if hasattr(sub, "graph"):
                    self._dot_graphs[f"{name}_{node.target}"] = self._draw(sub, f"{name}_{node.target}")

    def _draw(self, module, name):
        quote = lambda text: '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'  # noqa: E731
        lines = [f"digraph {quote(name)} {{", "  rankdir=TB;", '  node [shape=record, style="filled,rounded"];']
        for n in module.graph.nodes:
            if n.op in self._skip:
                continue
            target = n._pretty_print_target(n.target)
            rows = [f"name=%{n.name}", f"op_code={n.op}", f"target={target}"]
            constants = [str(a) for a in n.args if not isinstance(a, Node)]
            if constants:
                rows.append(f"args=({', '.join(constants)})")
            meta = n.meta.get("tensor_meta")
            if hasattr(meta, "shape"):
                rows += [f"dtype={meta.dtype}", f"shape={tuple(meta.shape)}"]
            label = "{" + "|".join(r.replace("{", "\\{").replace("}", "\\}").replace("<", "\\<").replace(">", "\\>").replace("|", "\\|") for r in rows) + "}"
            lines.append(f'  {quote(n.name)} [label={quote(label).replace(chr(92) * 2, chr(92))}, fillcolor={_COLORS[n.op]}];')
        lines += [f"  {quote(a.name)} -> {quote(n.name)};" for n in module.graph.nodes for a in n.all_input_nodes if a.op not in self._skip]
        return _Dot("\n".join([*lines, "}", ""]))

    def get_dot_graph(self, submod_name=None):
        """The drawing of the module."""
        return self.get_main_dot_graph() if submod_name is None else self.get_submod_dot_graph(submod_name)

    def get_main_dot_graph(self):
        """The drawing of the module."""
        return self._dot_graphs[self._name]

    def get_submod_dot_graph(self, submod_name):
        """The drawing of a submodule that is a graph too."""
        return self._dot_graphs[f"{self._name}_{submod_name}"]

    def get_all_dot_graphs(self):
        """All drawings by their names."""
        return dict(self._dot_graphs)
