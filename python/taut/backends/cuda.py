"""CUDA: not there."""


class _Matmul:
    """Flags about products of matrices."""

    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    fp32_precision = "none"


matmul = _Matmul()
_preferred = {"linalg": "default", "blas": "default", "rocm_fa": "default"}
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


class SDPAParams:
    """What a call of scaled_dot_product_attention is given, to ask which kernel a GPU would take."""

    def __init__(self, query, key, value, attn_mask, dropout, is_causal, enable_gqa=False):
        self.query, self.key, self.value, self.attn_mask = query, key, value, attn_mask
        self.dropout, self.is_causal, self.enable_gqa = dropout, is_causal, enable_gqa


def can_use_flash_attention(params, debug=False):
    """Could a GPU use this kernel? No."""
    return False


can_use_efficient_attention = can_use_cudnn_attention = can_use_flash_attention


def is_flash_attention_available():
    """Is there such a kernel for GPUs? No."""
    return False


def is_ck_sdpa_available():
    """Is there such a kernel for GPUs? No."""
    return False


def _preference(kind):
    def preferred(backend=None):
        if backend is not None:
            _preferred[kind] = backend
        return _preferred[kind]

    preferred.__name__ = preferred.__qualname__ = f"preferred_{kind}_library"
    preferred.__doc__ = "Keeps the name of a library of GPUs, which changes nothing."
    return preferred


preferred_linalg_library, preferred_blas_library, preferred_rocm_fa_library = map(_preference, ("linalg", "blas", "rocm_fa"))


def fp16_bf16_reduction_math_sdp_allowed():
    """False: there is no such kernel."""
    return False


def allow_fp16_bf16_reduction_math_sdp(enabled):
    """Nothing to set."""


class _PlanCache:
    """Plans of Fourier transforms on GPUs: none."""

    size = max_size = 0

    def clear(self):
        """Nothing to clear."""

    def __getitem__(self, device):
        raise RuntimeError(f"cufft_plan_cache: expected 0 <= device index < 0, got device with index {device}")


cufft_plan_cache = _PlanCache()
