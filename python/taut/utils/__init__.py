"""Data loading, checkpointing, hooks, DLPack."""

import importlib as _importlib

_SUBMODULES = {"data", "checkpoint", "hooks", "dlpack", "benchmark", "collect_env", "cpp_extension", "deterministic",
               "mobile_optimizer", "model_zoo", "tensorboard", "throughput_benchmark", "weak",
               "_pytree", "_python_dispatch"}


def __getattr__(name):
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.utils.{name} is not part of Taut")


def __dir__():
    return sorted(set(globals()) | _SUBMODULES)
