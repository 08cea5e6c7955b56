"""Timing small pieces of code, and tables that compare them."""

from ..._refuse import lacking as _lacking, refusals as _refusals
from ._common import Measurement, TaskSpec, ordered_unique, select_unit, set_torch_threads, trim_sigfig, unit_to_english  # noqa: F401
from ._compare import Colorize, Compare  # noqa: F401
from ._timer import Language, Timer, timer  # noqa: F401

globals().update(_refusals("utils.benchmark", "CallgrindStats FunctionCounts FunctionCount Fuzzer FuzzedParameter ParameterAlias FuzzedTensor "
                           "FuzzedSparseTensor CopyIfCallgrind", "instructions are counted by valgrind itself, inputs made by torch.testing.make_tensor"))
__getattr__ = _lacking("utils.benchmark")
