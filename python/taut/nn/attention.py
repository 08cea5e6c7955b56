"""Which kernel scaled_dot_product_attention uses: there is one, so every choice means it."""

import contextlib
import enum


class SDPBackend(enum.Enum):
    """The kernels PyTorch chooses from."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


SDPBackend.__module__ = "torch.nn.attention"


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """Checks its arguments, and changes nothing."""
    if not isinstance(backends, (SDPBackend, list)):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")
    if isinstance(backends, list) and not all(isinstance(b, SDPBackend) for b in backends):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")
    yield {}


def __getattr__(name):
    raise AttributeError(f"torch.nn.attention.{name} is not part of Taut")
