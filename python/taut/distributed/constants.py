"""How long ranks wait for each other, unless told otherwise."""

from datetime import timedelta

default_pg_timeout = default_pg_nccl_timeout = timedelta(minutes=30)
