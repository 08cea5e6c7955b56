"""The libraries PyTorch can compute with. Taut computes by itself; flags are kept, and change nothing."""

import importlib as _importlib

_SUBMODULES = {"cudnn", "cuda", "mps", "mkl", "mkldnn", "openmp", "cpu", "opt_einsum", "xnnpack", "nnpack", "quantized",
               "mha", "cusparselt", "kleidiai", "miopen"}


class _Flags:
    """Flags within a context, and as before after it."""

    def __init__(self, module, values):
        self.module, self.values = module, {k: v for k, v in values.items() if v is not None}

    def __enter__(self):
        self.before = {k: getattr(self.module, k, None) for k in self.values}
        for name, value in self.values.items():
            setattr(self.module, name, value)

    def __exit__(self, *_):
        for name, value in self.before.items():
            setattr(self.module, name, value)
        return False


fp32_precision = "none"


def __getattr__(name):
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.backends.{name} is not part of Taut")
