"""What is built on collectives."""

from . import ddp_comm_hooks, join
