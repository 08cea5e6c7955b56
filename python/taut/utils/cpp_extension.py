"""Extensions compiled for PyTorch's own tensors cannot be used: the names are there, and say so. Where Taut's headers are is known."""

import os

from .._refuse import lacking as _lacking, refusals as _refusals

_WHY = "an extension compiled for PyTorch works on its own tensors; write it against Taut's C++ API, or as an op with torch.library"
__all__ = [  # noqa: F822
    "get_default_build_root", "check_compiler_ok_for_platform", "get_compiler_abi_compatibility_and_version", "BuildExtension",
    "CppExtension", "CUDAExtension", "SyclExtension", "include_paths", "library_paths", "load", "load_inline", "is_ninja_available",
    "verify_ninja_availability", "remove_extension_h_precompiler_headers", "get_cxx_compiler", "check_compiler_is_gcc"]
CUDA_HOME = CUDNN_HOME = ROCM_HOME = SYCL_HOME = None
IS_HIP_EXTENSION, IS_WINDOWS, IS_MACOS, IS_LINUX = False, os.name == "nt", os.uname().sysname == "Darwin", os.uname().sysname == "Linux"
globals().update(_refusals("utils.cpp_extension", "CppExtension CUDAExtension SyclExtension load load_inline", _WHY))


class BuildExtension:
    """The command that would build extensions; setup.py may name it."""

    @classmethod
    def with_options(cls, **options):
        """The command with options."""
        return type("cmd_class", (cls,), {"_options": options})

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"torch.utils.cpp_extension.BuildExtension is not supported by Taut: {_WHY}")


def get_default_build_root():
    """Where extensions would be built."""
    import tempfile

    return os.path.join(tempfile.gettempdir(), "torch_extensions")


def get_cxx_compiler():
    """The C++ compiler."""
    return os.environ.get("CXX", "c++")


def check_compiler_is_gcc(compiler):
    """Is it gcc?"""
    import subprocess

    try:
        return "gcc" in subprocess.run([compiler, "-v"], capture_output=True, text=True).stderr.lower()
    except OSError:
        return False


def check_compiler_ok_for_platform(compiler):
    """Is there such a compiler?"""
    import shutil

    return shutil.which(compiler) is not None


def get_compiler_abi_compatibility_and_version(compiler):
    """(can it be used, None)."""
    return check_compiler_ok_for_platform(compiler), None


def include_paths(device_type="cpu", torch_include_dirs=True):
    """The directories of headers: none come with the Python package."""
    return []


def library_paths(device_type="cpu", torch_include_dirs=True, cross_target_platform=None):
    """The directories of libraries: none come with the Python package."""
    return []


def is_ninja_available():
    """Is there a ninja?"""
    import shutil

    return shutil.which("ninja") is not None


def verify_ninja_availability():
    """Raises if there is no ninja."""
    if not is_ninja_available():
        raise RuntimeError("Ninja is required to load C++ extensions (pip install ninja to get it)")


def remove_extension_h_precompiler_headers():
    """Nothing to remove."""


__getattr__ = _lacking("utils.cpp_extension")
