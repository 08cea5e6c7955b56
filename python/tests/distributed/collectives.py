"""Every collective, for every dtype and layout, against what it must give. Run by the launcher with any number of processes."""

import os
import datetime

import torch
import torch.distributed as dist
import torch.distributed.nn as dnn

dist.init_process_group(os.environ.get("TAUT_TEST_BACKEND", "gloo"), timeout=datetime.timedelta(seconds=60))
rank, size = dist.get_rank(), dist.get_world_size()
others = range(size)


def given(shape, r, dtype=torch.float32):
    """What rank r gives."""
    n = torch.Size(shape).numel()
    return ((torch.arange(n) * 7 + 3 * r + 1) % 11).reshape(shape).to(dtype)


shapes = [(0,), (1,), (5,), (3, 7), (300, 5), (70001,)]
dtypes = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.complex64,
          torch.complex128]
for shape in shapes:
    for dtype in dtypes if shape != (70001,) else dtypes[:2]:
        all_of_them = [given(shape, r, dtype) for r in others]
        total = all_of_them[0].clone()
        for t in all_of_them[1:]:
            total += t  # in the order of the ranks
        mine = given(shape, rank, dtype)
        t = mine.clone()
        dist.all_reduce(t)
        assert t.equal(total), (shape, dtype, t, total)
        for root in {0, size - 1}:
            t = mine.clone()
            dist.reduce(t, root)
            assert t.equal(total if rank == root else mine)
            t = mine.clone()
            dist.broadcast(t, root)
            assert t.equal(all_of_them[root])
            out = [torch.empty_like(mine) for _ in others] if rank == root else None
            dist.gather(mine, out, root)
            assert rank != root or all(a.equal(b) for a, b in zip(out, all_of_them))
            t = torch.empty_like(mine)
            dist.scatter(t, [given(shape, 10 * root + r, dtype) for r in others] if rank == root else None, root)
            assert t.equal(given(shape, 10 * root + rank, dtype))
        out = [torch.empty_like(mine) for _ in others]
        dist.all_gather(out, mine)
        assert all(a.equal(b) for a, b in zip(out, all_of_them))
        whole = torch.empty((size, *shape), dtype=dtype)
        dist.all_gather_into_tensor(whole, mine)
        assert whole.equal(torch.stack(all_of_them))
        t = torch.empty_like(mine)
        dist.reduce_scatter(t, [given(shape, rank + 5 * r, dtype) for r in others])
        expected = given(shape, 5 * rank, dtype)
        for r in others[1:]:
            expected = expected + given(shape, r + 5 * rank, dtype)
        assert t.equal(expected)
        t = torch.empty_like(mine)
        dist.reduce_scatter_tensor(t, torch.stack([given(shape, rank + 5 * r, dtype) for r in others]))
        assert t.equal(expected)
        out = [torch.empty_like(mine) for _ in others]
        dist.all_to_all(out, [given(shape, 10 * rank + r, dtype) for r in others])
        assert all(t.equal(given(shape, 10 * r + rank, dtype)) for r, t in enumerate(out))

# Other reductions.
values = torch.stack([given((6, 40), r, torch.int64) for r in others])
for op, expected in ((dist.ReduceOp.MAX, values.amax(0)), (dist.ReduceOp.MIN, values.amin(0)), (dist.ReduceOp.PRODUCT, values.prod(0))):
    t = values[rank].clone()
    dist.all_reduce(t, op)
    assert t.equal(expected), op
for op, f in ((dist.ReduceOp.BAND, torch.bitwise_and), (dist.ReduceOp.BOR, torch.bitwise_or), (dist.ReduceOp.BXOR, torch.bitwise_xor)):
    expected = values[0]
    for v in values[1:]:
        expected = f(expected, v)
    t = values[rank].clone()
    dist.all_reduce(t, op)
    assert t.equal(expected), op
t = torch.full((3,), float(rank))
dist.all_reduce(t, dist.ReduceOp.AVG)
assert t.allclose(torch.full((3,), sum(others) / size))
try:
    dist.all_reduce(torch.ones(2), dist.ReduceOp.BAND)
    raise AssertionError
except ValueError as e:
    assert "Cannot use ReduceOp.BAND with non-integral dtype" in str(e)

# Layouts: transposed, strided, a part of another tensor.
base = given((40, 60), rank)
for make in (lambda x: x.T, lambda x: x[::2, 1::3], lambda x: x[5]):
    t = make(base.clone())
    dist.all_reduce(t)
    assert t.equal(sum(make(given((40, 60), r)) for r in others))

# Several at a time, not waited for in their order.
tensors = [given((k + 1, 1000), rank) for k in range(5)]
works = [dist.all_reduce(t, async_op=True) for t in tensors]
for work in works[::-1]:
    assert work.wait() and work.is_completed() and work.is_success()
for k, t in enumerate(tensors):
    assert t.equal(sum(given((k + 1, 1000), r) for r in others))
pair = [given((3,), rank), given((4, 4), rank)]
dist.all_reduce_coalesced(pair)
assert pair[1].equal(sum(given((4, 4), r) for r in others))

# From one to the next, in a ring, and from anybody.
if size > 1:
    got = torch.empty(2000)
    for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, given((2000,), rank), (rank + 1) % size), dist.P2POp(dist.irecv, got, (rank - 1) % size)]):
        work.wait()
    assert got.equal(given((2000,), (rank - 1) % size))
    if rank == 0:
        seen = set()
        for _ in range(size - 1):
            t = torch.empty(3, 2).T
            seen.add((dist.recv(t), t[0, 0].item()))
        assert seen == {(r, float(r)) for r in others[1:]}, seen
    else:
        dist.send(torch.full((2, 3), float(rank)), 0)

# Objects.
everyone = [None] * size
dist.all_gather_object(everyone, {"rank": rank, "text": "x" * rank * 100})
assert [e["rank"] for e in everyone] == list(others) and len(everyone[-1]["text"]) == 100 * (size - 1)
things = [("a", 1), None, [rank]] if rank == 0 else [None] * 3
dist.broadcast_object_list(things, 0)
assert things == [("a", 1), None, [0]]
out = [None]
dist.scatter_object_list(out, [f"for {r}" for r in others] if rank == 0 else None, 0)
assert out == [f"for {rank}"]
gathered = [None] * size if rank == 0 else None
dist.gather_object(rank ** 2, gathered, 0)
assert rank or gathered == [r ** 2 for r in others]

# Groups of some.
evens = list(others)[::2]
group = dist.new_group(evens)
t = torch.ones(3)
dist.all_reduce(t, group=group)
assert t[0].item() == (len(evens) if rank in evens else 1)
assert dist.get_rank(group) == (evens.index(rank) if rank in evens else -1)

# Gradients through collectives.
x = given((4,), rank).requires_grad_()
(dnn.all_reduce(x) * (rank + 1)).sum().backward()
assert x.grad.equal(torch.full((4,), float(sum(r + 1 for r in others))))
x = given((4,), rank).requires_grad_()
sum((r + 1) * t.sum() for r, t in enumerate(dnn.all_gather(x))).backward()
assert x.grad.equal(torch.full((4,), float(size * (rank + 1))))

dist.monitored_barrier()
dist.barrier()
dist.destroy_process_group()
assert not dist.is_initialized()
os.write(1, f"rank {rank}: good\n".encode())
