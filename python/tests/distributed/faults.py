"""One rank does what it must not; the others say what they saw. Run with the kind of fault."""

import os
import signal
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group()
rank, kind = dist.get_rank(), sys.argv[1]
t = torch.ones(1000)
dist.all_reduce(t)
begun = time.monotonic()
if rank == 1 and kind == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if rank == 1 and kind == "stopped":
    os.kill(os.getpid(), signal.SIGSTOP)
if rank == 1 and kind == "raises":
    raise ValueError("on purpose")
if rank == 1 and kind == "leaves":
    dist.destroy_process_group()
    sys.exit()
try:
    if rank == 1 and kind == "another op":
        dist.broadcast(t, 0)
    elif rank == 1 and kind == "another shape":
        dist.all_reduce(torch.ones(7))
    elif rank == 1 and kind == "another dtype":
        dist.all_reduce(t.double())
    else:
        dist.all_reduce(t)
    print(f"rank {rank}: nothing noticed")
except dist.DistBackendError as e:
    os.write(1, (f"rank {rank} after {int(time.monotonic() - begun)} s: {e}".replace("\n", "|") + "\n").encode())  # a line as a whole
    sys.exit(3)
