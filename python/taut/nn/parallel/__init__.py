"""One module on several GPUs; there is none, so it is called where it is."""

from ..._refuse import loading as _loading
from ..modules.module import Module


class DataParallel(Module):
    """The module itself, as PyTorch has it on a machine without a GPU."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = []

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


DataParallel.__module__ = "torch.nn.parallel.data_parallel"


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """The module's result: there is no GPU to share the work."""
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))


__getattr__ = _loading("nn.parallel", {"distributed", "scatter_gather"}, {"DistributedDataParallel": "distributed", "gather": "scatter_gather", "scatter": "scatter_gather"})
