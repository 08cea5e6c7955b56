"""Where PyTorch's compiler takes over from Python; here it never does."""

from ..compiler import disable  # noqa: F401


def set_eval_frame(callback):
    """None: there is no callback."""


def is_dynamo_supported():
    """False."""
    return False


is_inductor_supported = is_dynamo_supported
