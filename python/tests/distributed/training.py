"""Trainings on several processes and on one, which must come to the same bits."""

import copy
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.fsdp.wrap import ModuleWrapPolicy
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group()
rank, size = dist.get_rank(), dist.get_world_size()


def model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(12, 33), nn.Tanh(), nn.Linear(33, 33), nn.GELU(), nn.Linear(33, 3))


torch.manual_seed(1)
data, target = torch.randn(6, size, 8, 12), torch.randint(3, (6, size, 8))


def loss_of(net, step, r):
    return nn.functional.cross_entropy(net(data[step, r]), target[step, r])


def alone(make):
    """One process that adds up what all ranks compute."""
    net = model()
    optimizer = make(net.parameters())
    for step in range(6):
        optimizer.zero_grad()
        for r in range(size):
            (loss_of(net, step, r) / size).backward()
        optimizer.step()
    return net.state_dict()


def same(state, expected, exact=True):
    for name, value in expected.items():
        assert state[name].equal(value) if exact else torch.allclose(state[name], value, atol=1e-6), (name, state[name] - value)


def sgd(p):
    return torch.optim.SGD(p, 0.1, momentum=0.9)


def adam(p):
    return torch.optim.Adam(p, 0.01)


exact = size & (size - 1) == 0  # else a half of a third is not a sixth
for settings in ({}, {"bucket_cap_mb": 0.001}, {"find_unused_parameters": True}, {"gradient_as_bucket_view": True}):
    net = DistributedDataParallel(model(), **settings)
    optimizer = adam(net.parameters())
    for step in range(6):
        optimizer.zero_grad()
        loss_of(net, step, rank).backward()
        optimizer.step()
    same(net.module.state_dict(), alone(adam), exact)

# Two micro-batches for each step: the first is only added up.
net = DistributedDataParallel(model())
plain = model()
for step in range(0, 6, 2):
    net.zero_grad(), plain.zero_grad()
    with net.no_sync():
        loss_of(net, step, rank).backward()
    loss_of(net, step + 1, rank).backward()
    for k in (step, step + 1):
        for r in range(size):
            (loss_of(plain, k, r) / size).backward()
    assert all(torch.allclose(a.grad, b.grad, atol=1e-6) for a, b in zip(net.parameters(), plain.parameters()))


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        return self.a(x) if rank == 0 else self.b(x)


torch.manual_seed(3)
net = DistributedDataParallel(Branches(), find_unused_parameters=True)
net(torch.ones(2, 4)).sum().backward()
if size > 1:
    assert torch.allclose(net.module.a.weight.grad, torch.full((4, 4), 2.0 / size))
    assert torch.allclose(net.module.b.weight.grad, torch.full((4, 4), 2.0 * (size - 1) / size))
assert net.module.c.weight.grad is None

# The optimiser's state shared out.
net = DistributedDataParallel(model())
optimizer = ZeroRedundancyOptimizer(net.parameters(), torch.optim.Adam, lr=0.01)
for step in range(6):
    optimizer.zero_grad()
    loss_of(net, step, rank).backward()
    optimizer.step()
same(net.module.state_dict(), alone(adam), exact)
optimizer.consolidate_state_dict(0)
if rank == 0:
    assert len(optimizer.state_dict()["state"]) == 6

# All of it shared out.
for policy in (None, ModuleWrapPolicy({nn.Linear})):
    net = FullyShardedDataParallel(model(), auto_wrap_policy=policy)
    optimizer = adam(net.parameters())
    for step in range(6):
        optimizer.zero_grad()
        loss_of(net, step, rank).backward()
        optimizer.step()
    state = net.state_dict()
    same(state, alone(adam), exact=False)
    again = FullyShardedDataParallel(model(), auto_wrap_policy=policy)
    again.load_state_dict(copy.deepcopy(state))
    same(again.state_dict(), state)
    assert sum(p.numel() for p in net.parameters()) <= sum(v.numel() for v in state.values()) // size + 3 * size
net = model()
for layer in net:
    fully_shard(layer)
fully_shard(net)
optimizer = sgd(net.parameters())
for step in range(6):
    optimizer.zero_grad()
    loss_of(net, step, rank).backward()
    optimizer.step()
torch.manual_seed(5)
x = torch.randn(3, 12)
reference = model()
reference.load_state_dict(alone(sgd))
assert torch.allclose(net(x), reference(x), atol=1e-5)
os.write(1, f"rank {rank}: good\n".encode())
dist.destroy_process_group()
