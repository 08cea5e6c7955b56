"""torch.distributed.rpc is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.rpc", "init_rpc rpc_sync rpc_async RRef remote shutdown", "calls of functions on other processes are not supported"))
__getattr__ = lacking("distributed.rpc")
