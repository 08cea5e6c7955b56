"""Which kernel scaled_dot_product_attention uses: there is one, so every choice means it."""

import contextlib
import enum

from ..._refuse import loading as _loading


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


def register_flash_attention_impl(impl, *, register_fn):
    """Nothing to register: there is one kernel."""


def activate_flash_attention_impl(impl):
    """Raises: there is one kernel."""
    raise ValueError(f"Unknown flash attention impl '{impl}'. Available implementations: []")


def list_flash_attention_impls():
    """The kernels to choose from: none."""
    return []


def current_flash_attention_impl():
    """None."""


def restore_flash_attention_impl():
    """Nothing to restore."""


WARN_FOR_UNFUSED_KERNELS = False
__getattr__ = _loading("nn.attention", {"bias", "flex_attention"})
