"""A training that goes on from its last checkpoint: resumed.py directory [step at which rank 1 dies, once]."""

import os
import signal
import sys

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.nn.parallel import DistributedDataParallel

directory, dies = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else -1
dist.init_process_group()
rank = dist.get_rank()
torch.manual_seed(0)
net = DistributedDataParallel(nn.Sequential(nn.Linear(6, 9), nn.Dropout(0.2), nn.Tanh(), nn.Linear(9, 1)))
optimizer = torch.optim.AdamW(net.parameters(), 0.05)
place, step = os.path.join(directory, "last"), 0
if os.path.exists(os.path.join(place, ".metadata")):
    model, state = get_state_dict(net, optimizer)
    saved = {"model": model, "optimizer": state, "step": 0, f"random {rank}": torch.get_rng_state()}
    dcp.load(saved, checkpoint_id=place)
    set_state_dict(net, optimizer, model_state_dict=saved["model"], optim_state_dict=saved["optimizer"])
    torch.set_rng_state(saved[f"random {rank}"])
    step = saved["step"]
while step < 8:
    x = torch.randn(4, 6)
    optimizer.zero_grad()
    net(x).square().mean().backward()
    if step == dies and rank == 1 and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        os.kill(os.getpid(), signal.SIGKILL)
    optimizer.step()
    step += 1
    model, state = get_state_dict(net, optimizer)
    dcp.save({"model": model, "optimizer": state, "step": step, f"random {rank}": torch.get_rng_state()}, checkpoint_id=place)
if rank == 0:
    print("weights", torch.fingerprint(net.module), flush=True)
dist.destroy_process_group()
