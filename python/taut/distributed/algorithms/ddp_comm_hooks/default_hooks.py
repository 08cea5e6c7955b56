"""The mean of gradients, also of gradients rounded to 16 bits."""

from .... import bfloat16, float16
from ... import distributed_c10d as dist

__all__ = ["allreduce_hook", "bf16_compress_hook", "bf16_compress_wrapper", "fp16_compress_hook", "fp16_compress_wrapper", "noop_hook"]


def _mean(group, tensor):
    group = dist._get_default_group() if group is None else group
    return dist.all_reduce(tensor.div_(group.size()), group=group, async_op=True).get_future()


def allreduce_hook(process_group, bucket):
    """What happens without a hook."""
    return _mean(process_group, bucket.buffer()).then(lambda future: future.value()[0])


def _compressed(group, bucket, dtype):
    flat = bucket.buffer()
    return _mean(group, flat.to(dtype)).then(lambda future: flat.copy_(future.value()[0]))


def fp16_compress_hook(process_group, bucket):
    """The mean of gradients as float16."""
    return _compressed(process_group, bucket, float16)


def bf16_compress_hook(process_group, bucket):
    """The mean of gradients as bfloat16."""
    return _compressed(process_group, bucket, bfloat16)


def _wrapper(hook, dtype):
    def wrapped(state, bucket):
        whole = bucket.buffer()
        bucket.set_buffer(whole.to(dtype))

        def back(future):
            value = future.value()
            return whole.copy_(value[0] if isinstance(value, (list, tuple)) else value)

        return hook(state, bucket).then(back)

    return wrapped


def fp16_compress_wrapper(hook):
    """Another hook on gradients as float16."""
    return _wrapper(hook, float16)


def bf16_compress_wrapper(hook):
    """Another hook on gradients as bfloat16."""
    return _wrapper(hook, bfloat16)


def noop_hook(_, bucket):
    """Leaves gradients as they are: to measure what communication costs."""
    return dist._WorkFuture(lambda: True, lambda: bucket.buffer())
