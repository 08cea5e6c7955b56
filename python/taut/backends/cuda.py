"""CUDA: not there."""


class _Matmul:
    """Flags about products of matrices."""

    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    fp32_precision = "none"


matmul = _Matmul()
_sdp = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}


def is_built():
    """Was this compiled for CUDA? No."""
    return False


def _switches(kind):
    def enabled():
        return _sdp[kind]

    def enable(enabled):
        _sdp[kind] = bool(enabled)

    enabled.__doc__ = f"Is the {kind} attention of GPUs allowed?"
    enable.__doc__ = f"Allows the {kind} attention of GPUs, or not."
    return enabled, enable


flash_sdp_enabled, enable_flash_sdp = _switches("flash")
mem_efficient_sdp_enabled, enable_mem_efficient_sdp = _switches("mem_efficient")
math_sdp_enabled, enable_math_sdp = _switches("math")
cudnn_sdp_enabled, enable_cudnn_sdp = _switches("cudnn")


class sdp_kernel:
    """A context in which only some kinds of attention are allowed on GPUs."""

    def __init__(self, enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
        self.values = dict(flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn)

    def __enter__(self):
        self.before = dict(_sdp)
        _sdp.update(self.values)

    def __exit__(self, *_):
        _sdp.update(self.before)
        return False
