"""The decorators by their inner names."""

from . import allow_in_graph, assume_constant_result, disable, disallow_in_graph, graph_break, mark_dynamic, mark_static, mark_static_address, maybe_mark_dynamic, set_stance, substitute_in_graph  # noqa: F401
