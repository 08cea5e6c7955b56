"""Where PyTorch keeps its tracer."""

from . import TracedModule, TopLevelTracedModule, TracerWarning, TracingCheckError, is_tracing, trace, trace_module  # noqa: F401


def _is_tracing():
    """Is trace() running its example?"""
    return is_tracing()
