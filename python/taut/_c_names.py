"""What programs import from torch._C, where PyTorch keeps its compiled part, beside what taut._C has."""

import enum

from . import _C
from ._overriding import DisableTorchFunction, DisableTorchFunctionSubclass  # noqa: F401
from ._refuse import refusals

_LEGACY = {"ScriptModule": "jit", "ScriptFunction": "jit", "Future": "futures", "Size": "_types", "device": "_types", "layout": "_types",
           "memory_format": "_types", "has_torch_function": "overrides"}


class _TensorMeta(type(_C.Tensor)):
    """The class of classes of tensors."""


class _AutoDispatchBelowAutograd:
    """A context in which ops of torch.library run their kernels at once, and nothing is recorded."""

    def __enter__(self):
        from .library import _below

        self.before = getattr(_below, "autograd", False)
        _below.autograd = True

    def __exit__(self, *_):
        from .library import _below

        _below.autograd = self.before
        return False


def _log_api_usage_once(*args):
    """Nothing is logged."""


def _get_tracing_state():
    """None: there is no tracer of TorchScript."""


def _is_tracing():
    """Is torch.jit.trace running its example?"""
    from .jit import is_tracing

    return is_tracing()


def _jit_set_profiling_mode(mode):
    """Nothing to set; False, as it was."""
    return False


_jit_set_profiling_executor = _jit_set_texpr_fuser_enabled = _jit_set_nvfuser_enabled = _jit_override_can_fuse_on_cpu = _jit_set_profiling_mode
_jit_override_can_fuse_on_gpu = _jit_set_profiling_mode


def _jit_set_num_profiled_runs(n):
    """Nothing to set."""
    return 1


def _jit_set_bailout_depth(n):
    """Nothing to set."""
    return 1


def _cuda_getDeviceCount():
    """0."""
    return 0


def _get_cudnn_enabled():
    """False: there is no cuDNN."""
    return False


def _add_docstr(obj, text):
    """The object; its text is its own."""
    return obj


def parse_schema(schema):
    """The schema of an op, read from text."""
    from ._schema import parse

    return parse(None, schema)


def _get_nnpack_enabled():
    """False: there is no NNPACK."""
    return False


class DispatchKey(enum.Enum):
    """Names of what PyTorch's dispatcher chooses by."""

    CPU, CUDA, Meta, Autograd, AutogradCPU, AutogradCUDA, AutocastCPU, AutocastCUDA, AutocastXPU, Functionalize, Python, BackendSelect = range(12)


class DispatchKeySet(frozenset):
    """Several of them."""

    def __new__(cls, *keys):
        return super().__new__(cls, keys)

    def __or__(self, other):
        return DispatchKeySet(*frozenset.__or__(self, other))

    def has(self, key):
        """Is it among them?"""
        return key in self


class _ExcludeDispatchKeyGuard:
    """Autocast is off within it, if that is what is excluded."""

    def __init__(self, keys):
        self._off = None
        if any(key.name.startswith("Autocast") for key in keys):
            from .amp import autocast

            self._off = autocast("cpu", enabled=False)

    def __enter__(self):
        if self._off is not None:
            self._off.__enter__()
        return self

    def __exit__(self, *error):
        if self._off is not None:
            self._off.__exit__(*error)


_has_mkldnn = has_mkl = has_openmp = has_cuda = has_mps = has_xpu = _has_cuda = _has_cudnn = _has_mps = False
has_lapack = True
has_spectral = True
_GLIBCXX_USE_CXX11_ABI = True
globals().update(refusals("_C", "Graph Value Node Block Gradient ScriptObject ScriptMethod ScriptClass CompilationUnit TracingState Argument "
                          "FunctionSchema PyTorchFileReader PyTorchFileWriter LiteScriptModule FileCheck ScriptDict ScriptList ErrorReport",
                          "there is no TorchScript"))
globals().update(refusals("_C", "TensorType IntType FloatType BoolType StringType ListType DictType TupleType OptionalType NoneType AnyType "
                          "NumberType UnionType ClassType EnumType InterfaceType DeviceObjType FutureType Type", "there is no TorchScript"))


def find(name):
    """A name of torch._C that the extension module does not have itself."""
    import importlib

    if name in globals() and not name.startswith("__"):
        return globals()[name]
    if name in ("_TensorBase", "TensorBase"):
        return _C.Tensor
    if name in _LEGACY:
        return getattr(importlib.import_module(f"{__package__}.{_LEGACY[name]}"), name)
    if name == "default_generator":
        return importlib.import_module(__package__).default_generator
    if name == "_VariableFunctions":
        return importlib.import_module(__package__)
    if name == "_nn":
        return importlib.import_module(f"{__package__}.nn.functional")
    if name in ("_special", "_linalg", "_fft"):
        return importlib.import_module(f"{__package__}.{name[1:]}")
    raise AttributeError(f"torch._C.{name} is not part of Taut")
