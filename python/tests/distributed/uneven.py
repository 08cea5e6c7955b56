"""Ranks with different numbers of batches, which go on together (DistributedDataParallel.join)."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group()
rank, size = dist.get_rank(), dist.get_world_size()
torch.manual_seed(1)
data = torch.randn(8, size, 4, 6)


def model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 5), nn.BatchNorm1d(5), nn.Tanh(), nn.Linear(5, 2))


def loss_of(net, step, r):
    return net(data[step, r]).square().mean()


def steps_of(r):
    return 2 + 2 * r  # the last rank has most


for divide_by_all in (True, False):
    for unused in (False, True):
        net = DistributedDataParallel(model(), find_unused_parameters=unused)
        alone = model()
        ours, theirs = (torch.optim.SGD(m.parameters(), 0.1) for m in (net, alone))
        with net.join(divide_by_initial_world_size=divide_by_all):
            for step in range(steps_of(rank)):
                ours.zero_grad()
                loss_of(net, step, rank).backward()
                ours.step()
        assert net._joining is None
        for step in range(steps_of(size - 1)):
            active = [r for r in range(size) if step < steps_of(r)]
            theirs.zero_grad()
            buffers = {n: b.clone() for n, b in alone.named_buffers()}
            for r in active:  # statistics are those of the last active rank
                alone.load_state_dict(buffers, strict=False)
                (loss_of(alone, step, r) / (size if divide_by_all else len(active))).backward()
            theirs.step()
        for (name, a), b in zip(net.module.named_parameters(), alone.parameters(), strict=True):
            assert torch.allclose(a, b, atol=1e-5), (divide_by_all, unused, name, a - b)
        everyone = [None] * size
        dist.all_gather_object(everyone, {n: p.tolist() for n, p in net.module.state_dict().items()})
        assert everyone == [everyone[0]] * size

with net.join(enable=False):
    loss_of(net, 0, rank).backward()
if size > 1:
    said = ""
    try:
        with Join([net], throw_on_early_termination=True):
            for step in range(steps_of(rank)):
                loss_of(net, step, rank).backward()
    except RuntimeError as e:
        said = str(e)
    assert said == ("Rank 0 exhausted all inputs." if rank == 0 else
                    "Detected at least one rank that exhausted inputs. Throwing across all ranks."), said
print(f"rank {rank}: good", flush=True)
dist.destroy_process_group()
