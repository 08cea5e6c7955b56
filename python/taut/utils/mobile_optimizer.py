"""Phones run TorchScript, which is not there: the names are, and say so."""

from .._refuse import lacking as _lacking, refusals as _refusals

globals().update(_refusals("utils.mobile_optimizer", "optimize_for_mobile generate_mobile_module_lints MobileOptimizerType LintCode",
                           "phones run TorchScript, which is not there"))
__getattr__ = _lacking("utils.mobile_optimizer")
