"""Graphs of modules for TensorBoard."""


def of_module(model, args, verbose):
    """The ops of a module."""
    raise NotImplementedError("torch.utils.tensorboard.SummaryWriter.add_graph is not supported by Taut")


def of_onnx(path):
    """The graph of an ONNX file."""
    raise NotImplementedError("torch.utils.tensorboard.SummaryWriter.add_onnx_graph is not supported by Taut")
