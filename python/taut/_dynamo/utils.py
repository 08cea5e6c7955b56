"""What programs take from the compiler's tools."""


def is_compile_supported(device_type):
    """False."""
    return False


class CompileProfiler:
    """Counts what is compiled: nothing."""

    def report(self):
        """What was compiled."""
        return "nothing was compiled"


counters = {}


def maybe_enable_compiled_autograd(*args, **kwargs):
    """A context that changes nothing."""
    import contextlib

    return contextlib.nullcontext()
