"""Ways to share out a module that leave it the module it is."""

from ..fsdp import fully_shard  # noqa: F401
