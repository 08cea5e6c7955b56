"""PowerSGD: matrices of gradients are sent as products of two thin ones, and what that loses is added to the next ones."""

from .... import Generator, linalg, randn, zeros_like
from ... import distributed_c10d as dist
from .default_hooks import allreduce_hook

__all__ = ["PowerSGDState", "powerSGD_hook"]


class PowerSGDState:
    """How thin the matrices are, when it begins, and what was lost so far."""

    def __init__(self, process_group, matrix_approximation_rank=1, start_powerSGD_iter=1000, min_compression_rate=2, use_error_feedback=True, warm_start=True,
                 orthogonalization_epsilon=0, random_seed=0, compression_stats_logging_frequency=10000, batch_tensors_with_same_shape=False):
        if (use_error_feedback or warm_start) and start_powerSGD_iter <= 1:
            raise ValueError("Expect `start_powerSGD_iter` > 1 if `use_error_feedback` or `warm_start` is enabled, because PowerSGD can only be applied after "
                             "the first two iterations in DDP.")
        self.process_group, self.matrix_approximation_rank, self.start_powerSGD_iter = process_group, matrix_approximation_rank, start_powerSGD_iter
        self.min_compression_rate, self.use_error_feedback, self.warm_start = min_compression_rate, use_error_feedback, warm_start
        self.orthogonalization_epsilon, self.random_seed, self.iter = orthogonalization_epsilon, random_seed, 0
        self.error_dict, self.q_memory_dict = {}, {}


def powerSGD_hook(state, bucket):
    """The hook; until start_powerSGD_iter gradients are sent as they are."""
    group = dist._get_default_group() if state.process_group is None else state.process_group
    if bucket.is_last():
        state.iter += 1
    if state.iter < state.start_powerSGD_iter:
        return allreduce_hook(state.process_group, bucket)
    size, index, flat = group.size(), bucket.index(), bucket.buffer()
    if state.use_error_feedback:
        if index in state.error_dict:
            flat.add_(state.error_dict[index])
        before = flat.clone()
    whole, thin = [], []
    for g in bucket.gradients():
        rank = min(state.matrix_approximation_rank, g.shape[0], g.numel() // g.shape[0]) if g.ndim > 1 else 0
        small = g.ndim > 1 and (g.shape[0] + g.numel() // g.shape[0]) * rank * state.min_compression_rate < g.numel()
        (thin if small else whole).append((g, rank))
    for g, _ in whole:
        dist.all_reduce(g.div_(size), group=group)
    for place, (g, rank) in enumerate(thin):
        m = g.view(g.shape[0], -1)
        key = index, place
        if not state.warm_start or key not in state.q_memory_dict:
            generator = Generator().manual_seed(state.random_seed + state.iter * 1009 + place)
            state.q_memory_dict[key] = randn(m.shape[1], rank, generator=generator, dtype=m.dtype)
        q = linalg.qr(state.q_memory_dict[key]).Q
        p = m @ q
        dist.all_reduce(p, group=group)
        p = linalg.qr(p).Q
        q = m.T @ p
        dist.all_reduce(q.div_(size), group=group)
        state.q_memory_dict[key] = q
        m.copy_(p @ q.T)
    if state.use_error_feedback:
        state.error_dict[index] = before.sub_(flat) if thin else zeros_like(flat)
    return dist._WorkFuture(lambda: True, lambda: flat)
