"""How processes meet."""

from . import distributed_c10d as _c10d


def rendezvous(url, rank=-1, world_size=-1, **kwargs):
    """Yields the store that a URL names, the rank and the world size."""
    timeout = kwargs.get("timeout", _c10d.default_pg_timeout)
    yield _c10d._lib._rendezvous(url, rank, world_size, timeout.total_seconds())
