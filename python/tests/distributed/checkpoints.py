"""Saves a training, or reads it on another number of ranks: checkpoints.py save|load directory."""

import os
import sys

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.fsdp.wrap import ModuleWrapPolicy
from torch.nn.parallel import DistributedDataParallel

what, directory = sys.argv[1:]
dist.init_process_group()
rank, size = dist.get_rank(), dist.get_world_size()


def model(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(5, 7), nn.BatchNorm1d(7), nn.Tanh(), nn.Linear(7, 3))


def fully(net):
    for layer in net:
        if isinstance(layer, nn.Linear):
            fully_shard(layer)
    return fully_shard(net)


KINDS = {"plain": lambda net: net, "ddp": DistributedDataParallel, "fsdp": FullyShardedDataParallel, "fully_shard": fully,
         "fsdp_units": lambda net: FullyShardedDataParallel(net, auto_wrap_policy=ModuleWrapPolicy({nn.Linear}))}
x = torch.linspace(-1, 1, 20).view(4, 5)


def train(net, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        net(x).square().sum().backward()
        optimizer.step()


def same(a, b):
    assert a.keys() == b.keys(), (a.keys(), b.keys())
    for k in a:
        if isinstance(a[k], dict):
            same(a[k], b[k])
        else:
            assert torch.equal(torch.as_tensor(a[k]), torch.as_tensor(b[k])), k


for kind, wrap in KINDS.items():
    net = wrap(model(0 if what == "save" else 1))
    optimizer = torch.optim.Adam(net.parameters(), 0.1 if what == "save" else 0.3)
    place, whole = os.path.join(directory, kind), os.path.join(directory, f"{kind}.pt")
    if what == "save":
        train(net, optimizer, 3)
    weights, state = get_state_dict(net, optimizer)
    assert sorted(weights) == sorted(model(0).state_dict()), sorted(weights)
    assert sorted(state["state"]) == sorted(n for n, _ in model(0).named_parameters())
    trainer = {"model": weights, "optimizer": state, "epoch": 3 if what == "save" else 0, "names": ["a", "b"]}
    if what == "save":
        dcp.save(trainer, checkpoint_id=place) if kind != "ddp" else dcp.async_save(trainer, checkpoint_id=place).result()
        if rank == 0:
            torch.save({"model": weights, "state": state["state"]}, whole)
        assert {f"__{r}_0.distcp" for r in range(size)} | {".metadata"} == set(os.listdir(place))
    else:
        dcp.load(trainer, checkpoint_id=place)
        set_state_dict(net, optimizer, model_state_dict=trainer["model"], optim_state_dict=trainer["optimizer"])
        assert trainer["epoch"] == 3 and optimizer.param_groups[0]["lr"] == 0.1
        weights, state = get_state_dict(net, optimizer)
        expected = torch.load(whole)
        same(weights, expected["model"]), same(state["state"], expected["state"])
        train(net, optimizer, 1)
        said = ""
        try:
            dcp.load({"model": weights, "other": torch.ones(2)}, checkpoint_id=place)
        except dcp.CheckpointException as e:
            said = str(e)
        assert "Missing key in checkpoint state_dict: other." in said, said
    dist.barrier()
print(f"rank {rank}: good", flush=True)
dist.destroy_process_group()
