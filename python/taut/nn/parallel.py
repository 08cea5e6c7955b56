"""One module on several GPUs; there is none, so it is called where it is."""

from .modules.module import Module


class DataParallel(Module):
    """The module itself, as PyTorch has it on a machine without a GPU."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = []

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


DataParallel.__module__ = "torch.nn.parallel.data_parallel"


def __getattr__(name):
    raise AttributeError(f"torch.nn.parallel.{name} is not part of Taut")
