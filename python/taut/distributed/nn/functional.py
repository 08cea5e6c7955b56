"""Collectives that autograd goes back through: each is a function, and its backward the collective that is its transpose."""

from ... import zeros_like
from ...autograd import Function
from .. import distributed_c10d as dist
from ..distributed_c10d import ReduceOp, group

__all__ = ["all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather", "reduce", "reduce_scatter", "scatter"]
_WORLD = group


def _pg(group):
    return dist._group(group)


class _AllReduce(Function):
    @staticmethod
    def forward(ctx, op, group, tensor):
        ctx.group, ctx.op = group, op
        result = tensor.clone()
        dist.all_reduce(result, op, group)
        return result

    @staticmethod
    def backward(ctx, grad):
        return None, None, _AllReduce.apply(ctx.op, ctx.group, grad.contiguous())


class _Broadcast(Function):
    @staticmethod
    def forward(ctx, src, group, tensor):
        ctx.src, ctx.group = src, group
        result = tensor.clone()
        dist.broadcast(result, src, group)
        return result

    @staticmethod
    def backward(ctx, grad):
        total = _Reduce.apply(ctx.src, ReduceOp.SUM, ctx.group, grad.contiguous())
        return None, None, total if dist.get_rank() == ctx.src else zeros_like(total)


class _Reduce(Function):
    @staticmethod
    def forward(ctx, dst, op, group, tensor):
        ctx.dst, ctx.group = dst, group
        result = tensor.clone()
        dist.reduce(result, dst, op, group)
        return result

    @staticmethod
    def backward(ctx, grad):
        return None, None, None, _Broadcast.apply(ctx.dst, ctx.group, grad.contiguous())


class _AllGather(Function):
    @staticmethod
    def forward(ctx, group, tensor):
        ctx.group = group
        outs = [tensor.new_empty(tensor.shape) for _ in range(dist.get_world_size(group))]
        dist.all_gather(outs, tensor.contiguous(), group)
        return tuple(outs)

    @staticmethod
    def backward(ctx, *grads):
        result = grads[0].new_empty(grads[0].shape)
        dist.reduce_scatter(result, [g.contiguous() for g in grads], group=ctx.group)
        return None, result


class _ReduceScatter(Function):
    @staticmethod
    def forward(ctx, op, group, like, *tensors):
        ctx.group = group
        result = like.new_empty(like.shape)
        dist.reduce_scatter(result, [t.contiguous() for t in tensors], op, group)
        return result

    @staticmethod
    def backward(ctx, grad):
        return (None, None, None) + _AllGather.apply(ctx.group, grad)


class _AllToAll(Function):
    @staticmethod
    def forward(ctx, group, shapes, *tensors):
        ctx.group, ctx.shapes = group, [t.shape for t in tensors]
        outs = [tensors[0].new_empty(s) for s in shapes]
        dist.all_to_all(outs, [t.contiguous() for t in tensors], group)
        return tuple(outs)

    @staticmethod
    def backward(ctx, *grads):
        return (None, None) + _AllToAll.apply(ctx.group, ctx.shapes, *grads)


class _Scatter(Function):
    @staticmethod
    def forward(ctx, src, group, *tensors):
        ctx.src, ctx.group = src, group
        result = tensors[0].new_empty(tensors[0].shape)
        dist.scatter(result, [t.contiguous() for t in tensors] if dist.get_rank() == src else None, src, group)
        return result

    @staticmethod
    def backward(ctx, grad):
        return (None, None) + _Gather.apply(ctx.src, ctx.group, grad)


class _Gather(Function):
    @staticmethod
    def forward(ctx, dst, group, tensor):
        ctx.dst, ctx.group = dst, group
        outs = [zeros_like(tensor) for _ in range(dist.get_world_size(group))]
        dist.gather(tensor.contiguous(), outs if dist.get_rank() == dst else None, dst, group)
        return tuple(outs)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, _Scatter.apply(ctx.dst, ctx.group, *grads)


def all_reduce(tensor, op=ReduceOp.SUM, group=_WORLD):
    """The tensor reduced over all ranks."""
    return _AllReduce.apply(op, _pg(group), tensor)


def broadcast(tensor, src, group=_WORLD):
    """The tensor of one rank."""
    return _Broadcast.apply(src, _pg(group), tensor)


def reduce(tensor, dst, op=ReduceOp.SUM, group=_WORLD):
    """The tensor reduced to one rank."""
    return _Reduce.apply(dst, op, _pg(group), tensor)


def all_gather(tensor, group=_WORLD):
    """A tuple of all ranks' tensors."""
    return _AllGather.apply(_pg(group), tensor)


def gather(tensor, dst=0, group=_WORLD):
    """A tuple of all ranks' tensors, on one rank."""
    return _Gather.apply(dst, _pg(group), tensor)


def scatter(tensors, src=0, group=_WORLD):
    """One of the tensors of one rank."""
    return _Scatter.apply(src, _pg(group), *tensors)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=_WORLD):
    """This rank's place of the reduced list."""
    return _ReduceScatter.apply(op, _pg(group), output, *input_list)


def all_to_all(output_tensor_list, input_tensor_list, group=_WORLD):
    """What each rank gave for this one."""
    return _AllToAll.apply(_pg(group), [t.shape for t in output_tensor_list], *input_tensor_list)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=_WORLD):
    """The same of one tensor, cut along its first dimension."""
    from ... import cat

    pg = _pg(group)
    ins = input.split(list(input_split_sizes)) if input_split_sizes else input.chunk(pg.size())
    shapes = [t.shape for t in (output.split(list(output_split_sizes)) if output_split_sizes else output.chunk(pg.size()))]
    return cat(_AllToAll.apply(pg, shapes, *ins))
