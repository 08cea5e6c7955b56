"""How this was built."""


def show():
    """What this was built with, in words."""
    from . import __version__, _C, backends

    return (f"Taut built with:\n  - Version: {__version__}\n  - C++ Version: 202002\n  - CPU capability usage: "
            f"{backends.cpu.get_cpu_capability()}\n  - Threads: {_C.get_num_threads()}\n  - USE_CUDA=OFF, USE_MKL=OFF, USE_MKLDNN=OFF, "
            "USE_OPENMP=OFF\n")


def parallel_info():
    """How work is shared out, in words."""
    import os

    from . import _C

    return (f"ATen/Parallel:\n\tat::get_num_threads() : {_C.get_num_threads()}\n\tat::get_num_interop_threads() : 1\n"
            f"std::thread::hardware_concurrency() : {os.cpu_count()}\nATen parallel backend: Taut's own thread pool\n")


def _cxx_flags():
    """The flags of the compiler that decide about numbers."""
    return "-O2 -std=c++20 -ffp-contract=off"
