"""SummaryWriter: files that TensorBoard reads. Writing them needs no package; reading them needs tensorboard."""

from ..._refuse import loading as _loading
from .writer import FileWriter, SummaryWriter

__all__ = ["SummaryWriter", "FileWriter"]
__getattr__ = _loading("utils.tensorboard", {"writer", "summary", "_utils"})
