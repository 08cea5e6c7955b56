"""GPUs: there are none. What a script asks first works; asking for a GPU raises what PyTorch raises without one."""

import importlib as _importlib
from collections import OrderedDict as _OrderedDict

_SUBMODULES = {"amp", "nvtx", "random", "memory", "comm", "nccl", "profiler", "graphs", "sparse", "streams"}


def _no_gpu(*args, **kwargs):
    """Raises, as PyTorch does where there is no GPU."""
    raise AssertionError("Torch not compiled with CUDA enabled")


current_device = synchronize = get_device_name = get_device_properties = get_device_capability = init = _no_gpu
current_stream = default_stream = get_rng_state = set_rng_state = ipc_collect = mem_get_info = initial_seed = _no_gpu
set_device = set_stream = can_device_access_peer = reset_peak_memory_stats = reset_max_memory_allocated = _no_gpu
reset_max_memory_cached = memory_summary = _no_gpu
cudart = current_blas_handle = current_solver_handle = memory_snapshot = set_per_process_memory_fraction = _no_gpu
get_per_process_memory_fraction = graph_pool_handle = make_graphed_callables = list_gpu_processes = utilization = _no_gpu
temperature = power_draw = clock_rate = memory_usage = device_memory_used = set_sync_debug_mode = check_error = _no_gpu
caching_allocator_alloc = caching_allocator_delete = change_current_allocator = get_stream_from_external = _no_gpu
reset_accumulated_memory_stats = _no_gpu
default_generators = ()
has_half, has_magma = True, False


def is_available():
    """Is there a GPU? No."""
    return False


def is_initialized():
    """Is a GPU in use? No."""
    return False


def is_bf16_supported(including_emulation=True):
    """Has the GPU bfloat16? No."""
    return False


def device_count():
    """The number of GPUs: 0."""
    return 0


def empty_cache():
    """Nothing to do."""


def manual_seed(seed):
    """Nothing to do: there is no GPU to seed."""
    int(seed)


def manual_seed_all(seed):
    """Nothing to do: there is no GPU to seed."""
    int(seed)


def seed():
    """Nothing to do: there is no GPU to seed."""


def seed_all():
    """Nothing to do: there is no GPU to seed."""


def get_rng_state_all():
    """The states of all GPUs: none."""
    return []


def set_rng_state_all(new_states):
    """Sets the states of all GPUs; there are none."""
    if len(list(new_states)):
        _no_gpu()


def memory_allocated(device=None):
    """Bytes in use on a GPU: 0."""
    return 0


def memory_stats(device=None):
    """Nothing is known about the memory of a GPU."""
    return _OrderedDict()


max_memory_allocated = memory_reserved = max_memory_reserved = memory_cached = max_memory_cached = memory_allocated


def get_arch_list():
    """The GPUs this was compiled for: none."""
    return []


def is_current_stream_capturing():
    """False."""
    return False


class device:
    """A context that would choose a GPU; without one it does nothing."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        pass

    def __exit__(self, *_):
        return False


class device_of(device):
    """A context that would choose the GPU of a tensor."""


class stream(device):
    """A context that would choose a stream of a GPU."""

    def __init__(self, stream=None):
        if stream is not None:
            _no_gpu()


StreamContext = stream


class Stream:
    """Raises: there is no GPU."""

    def __init__(self, *args, **kwargs):
        raise RuntimeError("torch.cuda.Stream requires CUDA support")


class Event:
    """Raises: there is no GPU."""

    def __init__(self, *args, **kwargs):
        raise RuntimeError("torch.cuda.Event requires CUDA support")


class _OfGpu:
    def __init__(self, *args, **kwargs):
        _no_gpu()


def _gpu_class(name):
    return type(name, (_OfGpu,), {"__module__": "torch.cuda", "__doc__": "Raises: there is no GPU."})


CUDAGraph, graph, MemPool, CUDAPluggableAllocator, ExternalStream, use_mem_pool = map(
    _gpu_class, ("CUDAGraph", "graph", "MemPool", "CUDAPluggableAllocator", "ExternalStream", "use_mem_pool"))


class CudaError(RuntimeError):
    """An error of a GPU: never raised."""


class DeferredCudaCallError(Exception):
    """An error of a GPU: never raised."""


def is_tf32_supported():
    """Has the GPU TF32? No."""
    return False


def get_gencode_flags():
    """The flags this was compiled with for GPUs: none."""
    return ""


def get_sync_debug_mode():
    """0."""
    return 0


def get_allocator_backend():
    """The name of the allocator of GPUs."""
    return "native"


class _TensorType(type):
    """The class of FloatTensor and its kin on a GPU: no tensor is one, and none can be made."""

    def __call__(cls, *args, **kwargs):
        raise TypeError(f"type torch.cuda.{cls.__name__} not available. Torch not compiled with CUDA enabled.")


def __getattr__(name):
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in ("AcceleratorError", "OutOfMemoryError"):
        return getattr(_importlib.import_module("taut"), name)
    if name.endswith("Storage") and name != "Storage":
        return _TensorType(name, (), {"__module__": "torch.cuda"})
    if name.endswith("Tensor"):
        return _TensorType(name, (), {"__module__": "torch.cuda"})
    raise AttributeError(f"torch.cuda.{name} is not part of Taut")
