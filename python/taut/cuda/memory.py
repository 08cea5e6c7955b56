"""The memory of GPUs."""

from . import CUDAPluggableAllocator, MemPool, caching_allocator_alloc, caching_allocator_delete, change_current_allocator, empty_cache  # noqa: F401
from . import get_allocator_backend, list_gpu_processes, max_memory_allocated, max_memory_cached, max_memory_reserved, mem_get_info  # noqa: F401
from . import memory_allocated, memory_cached, memory_reserved, memory_snapshot, memory_stats, memory_summary, reset_peak_memory_stats  # noqa: F401
