"""A graph cut into several modules."""

from ...nn import Module
from .. import Graph, GraphModule
from ..graph_module import _copy_attr
from ..node import map_arg

__all__ = ["Partition", "split_module"]


class Partition:
    """Some steps that become a module."""

    def __init__(self, name):
        self.name, self.submod_name = name, f"submod_{name}"
        self.nodes, self.inputs, self.outputs, self.needs = [], {}, {}, {}
        self.graph, self.environment, self.targets = Graph(), {}, set()

    def __repr__(self):
        return f"name: {self.name},\n nodes: {[n.name for n in self.nodes]},\n inputs: {list(self.inputs)},\n outputs: {list(self.outputs)}"


def split_module(m, root_m, split_callback, qualname_map=None, keep_original_order=False, keep_original_node_name=False,
                 keep_original_input_name=True, **_):
    """A module of submodules submod_0, submod_1 and so on, each with the steps to which split_callback(node) gives its number."""
    partitions, place = {}, {}
    for node in m.graph.nodes:
        if node.op in ("placeholder", "output", "get_attr"):
            continue
        name = str(split_callback(node))
        part = partitions.setdefault(name, Partition(name))
        part.nodes.append(node)
        place[node] = part
    originals = {n.name: n for n in m.graph.nodes}
    for node in m.graph.nodes:
        for used in node._input_nodes:
            source, sink = place.get(used), place.get(node)
            if source is sink and node.op != "output":
                continue
            if used.op == "get_attr":
                continue
            if source is not None:
                source.outputs.setdefault(used.name)
            if sink is not None:
                sink.inputs.setdefault(used.name)
                if source is not None:
                    sink.needs.setdefault(source.name)
    # Those that need nobody come first.
    order, open_ = [], dict(partitions)
    while open_:
        ready = [n for n, p in open_.items() if all(d in order for d in p.needs)]
        if not ready:
            raise RuntimeError("cycle exists between partitions!")
        for n in ready if not keep_original_order else ready[:1]:
            order.append(n)
            del open_[n]
    for name in order:
        part = partitions[name]
        for given in part.inputs:
            old = originals[given]
            new = part.graph.placeholder(given, type_expr=old.type)
            new.meta = old.meta.copy()
            part.environment[old] = new
        for node in part.nodes:
            for used in node._input_nodes:
                if used.op == "get_attr" and used not in part.environment:
                    made = part.graph.get_attr(used.target)
                    made.meta = used.meta.copy()
                    part.environment[used] = made
                    part.targets.add(used.target)
            env = part.environment
            target = node.target
            if node.op == "call_module":
                target = target.replace(".", "_")
                if qualname_map is not None:
                    qualname_map[f"{part.submod_name}.{target}"] = node.target
                part.targets.add((node.target, target))
            made = part.graph.create_node(node.op, target, map_arg(node.args, lambda n: env[n]), map_arg(node.kwargs, lambda n: env[n]),
                                          node.name if keep_original_node_name else None, node.type)
            made.meta = node.meta.copy()
            env[node] = made
    base, base_env, base_root = Graph(), {}, Module()
    for node in m.graph.nodes:
        if node.op == "placeholder":
            made = base.placeholder(node.target, type_expr=node.type, default_value=node.args[0] if node.args else ...)
            made.meta = node.meta.copy()
            base_env[node.name] = made
        elif node.op == "get_attr" and any(u.op == "output" for u in node.users):
            base_env[node.name] = base.get_attr(node.target)
            _copy_attr(m, base_root, node.target)
    for name in order:
        part = partitions[name]
        results = tuple(part.environment[originals[n]] for n in part.outputs)
        part.graph.output(results[0] if len(results) == 1 else results)
        holder = Module()
        for target in part.targets:
            if isinstance(target, tuple):
                setattr(holder, target[1], m.get_submodule(target[0]))
            else:
                _copy_attr(m, holder, target)
        base_root.add_module(part.submod_name, GraphModule(holder, part.graph))
        made = base.call_module(part.submod_name, tuple(base_env[n] for n in part.inputs))
        if len(part.outputs) == 1:
            base_env[next(iter(part.outputs))] = made
        else:
            from ..proxy import Proxy

            proxy = Proxy(made)
            for i, n in enumerate(part.outputs):
                base_env[n] = proxy[i].node
    for node in m.graph.nodes:
        if node.op == "output":
            base.output(map_arg(node.args[0], lambda n: base_env[n.name])).meta = node.meta.copy()
    return GraphModule(base_root, base)
