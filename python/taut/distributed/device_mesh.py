"""torch.distributed.device_mesh is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.device_mesh", "DeviceMesh init_device_mesh", "there is no communication between processes"))
__getattr__ = lacking("distributed.device_mesh")
