"""Taut: PyTorch's tensors and autograd, small and fast. `import taut as torch`."""

import importlib as _importlib
from math import e, inf, nan, pi

from . import _C
from ._C import (Generator, Tensor, dtype, explain_grad, get_default_dtype, get_num_threads, is_anomaly_enabled, is_grad_enabled,
                 is_inference_mode_enabled, memory_stats, set_default_dtype, set_num_threads)
from ._types import Size, channels_last, channels_last_3d, contiguous_format, device, jagged, layout, memory_format, preserve_format, sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr, strided
from . import _tensor  # noqa: F401  gives Tensor its methods
from .autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

__version__ = f"2.13.0+taut.{_C._version}"  # the PyTorch whose behaviour is kept, and our own

# Every op of the registry (torch.special, torch.linalg and torch.fft have their own), then those whose Python arguments differ.
globals().update({name: op for name, op in _C.ops.items() if not name.startswith(("_", "special_", "linalg_", "fft_"))})
from ._functions import *  # noqa: E402,F401,F403
from ._functions import _range as range  # noqa: E402,F401

float32 = float = _C.float32
float64 = double = _C.float64
float16 = half = _C.float16
bfloat16 = _C.bfloat16
int64 = long = _C.int64
int32 = int = _C.int32
int16 = short = _C.int16
int8 = _C.int8
uint8 = _C.uint8
bool = _C.bool
complex64 = cfloat = _C.complex64
complex128 = cdouble = _C.complex128
complex32 = chalf = _C.complex32
uint16, uint32, uint64 = _C.uint16, _C.uint32, _C.uint64
float8_e5m2, float8_e4m3fn, float8_e8m0fnu = _C.float8_e5m2, _C.float8_e4m3fn, _C.float8_e8m0fnu
float8_e5m2fnuz, float8_e4m3fnuz = _C.float8_e5m2fnuz, _C.float8_e4m3fnuz

newaxis = None
legacy_contiguous_format = contiguous_format


class AcceleratorError(RuntimeError):
    """A device other than the CPU failed: never raised."""


class OutOfMemoryError(RuntimeError):
    """A device other than the CPU has no memory left: never raised."""


AcceleratorError.__module__ = OutOfMemoryError.__module__ = "torch"

_SUBMODULES = {"nn", "optim", "autograd", "distributions", "func", "linalg", "fft", "special", "utils", "random", "testing", "amp", "cuda", "backends",
               "types", "serialization", "version", "mps", "xpu", "accelerator", "cpu", "storage",
               "safetensors", "io", "signal", "masked", "quasirandom", "sparse", "overrides", "functional", "fx",
               "jit", "compiler", "library", "export", "hub", "monitor", "package", "futures", "multiprocessing",
               "distributed", "ao", "quantization", "nested", "_dynamo", "_ops", "_jit_internal", "_custom_ops", "__config__", "__future__", "onnx", "profiler"}
_LAZY = {**{name: "sparse" for name in ("sparse_coo_tensor", "sparse_csr_tensor", "sparse_csc_tensor", "sparse_bsr_tensor", "sparse_bsc_tensor", "sparse_compressed_tensor",
                                       "spmm", "dsmm", "hsmm", "saddmm")},
         "svd_lowrank": "_lowrank", "pca_lowrank": "_lowrank", "lobpcg": "_lowrank", "save": "serialization", "load": "serialization", "vmap": "func", "as_torch": "_as_torch", "fingerprint": "_fingerprint", "autocast": "amp",
         "UntypedStorage": "storage", "TypedStorage": "storage", "GradScaler": "amp", "thread_safe_generator": "random",
         "native_channel_shuffle": "nn.functional", "_assert": "_functions",
         "PyTorchFileReader": "_c_names", "PyTorchFileWriter": "_c_names",
         **dict.fromkeys(("is_autocast_enabled", "get_autocast_dtype", "is_autocast_cpu_enabled", "get_autocast_cpu_dtype", "get_autocast_gpu_dtype", "get_autocast_ipu_dtype", "get_autocast_xla_dtype",
                          "set_autocast_dtype", "set_autocast_cpu_dtype", "set_autocast_gpu_dtype", "set_autocast_ipu_dtype",
                          "set_autocast_xla_dtype", "set_autocast_enabled", "set_autocast_cpu_enabled", "set_autocast_ipu_enabled",
                          "set_autocast_xla_enabled", "is_autocast_ipu_enabled", "is_autocast_xla_enabled",
                          "is_autocast_cache_enabled", "set_autocast_cache_enabled", "clear_autocast_cache",
                          "autocast_increment_nesting", "autocast_decrement_nesting"), "amp.autocast_mode"),
         **dict.fromkeys(("FloatStorage", "DoubleStorage", "HalfStorage", "BFloat16Storage", "LongStorage", "IntStorage",
                          "ShortStorage", "CharStorage", "ByteStorage", "BoolStorage", "ComplexFloatStorage",
                          "ComplexDoubleStorage"), "storage"),
         "ops": "_ops", "classes": "_ops", "Future": "futures",
         **dict.fromkeys(("ScriptModule", "ScriptFunction"), "jit"), **dict.fromkeys(("fork", "wait"), "jit"),
         **dict.fromkeys(("eig", "symeig", "solve", "lstsq", "matrix_rank"), "_removed"), "Stream": "_streams", "Event": "_streams"}


# Ops that PyTorch keeps to itself and libraries call all the same.
_HIDDEN = {"_standard_gamma", "_standard_gamma_grad", "_sample_dirichlet", "_dirichlet_grad"}


def __getattr__(name):
    if name == "ops":  # at first use: scripts that never ask need none of it
        return _importlib.import_module(f"{__name__}._ops").ops
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in _HIDDEN:
        return _C.ops[name]
    if name == "Storage":  # of the default dtype
        return getattr(_importlib.import_module(f"{__name__}.storage"), f"{'Double' if get_default_dtype() is float64 else 'Float'}Storage")
    if name in _LAZY:
        found = getattr(_importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"torch.{name} is not part of Taut")


def __dir__():
    return sorted(set(globals()) | _SUBMODULES | set(_LAZY))


def _of_c(name):
    return _importlib.import_module(f"{__name__}._c_names").find(name)


_C.__getattr__ = _of_c  # names that programs import from torch._C, and that no compiled code needs
