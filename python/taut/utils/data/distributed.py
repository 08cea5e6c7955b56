"""A sampler for programs that run as several replicas."""

from ... import _C
from .sampler import Sampler


class DistributedSampler(Sampler):
    """The part of the indices that replica `rank` of `num_replicas` works on."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        if num_replicas is None or rank is None:
            from ... import distributed

            num_replicas = distributed.get_world_size() if num_replicas is None else num_replicas
            rank = distributed.get_rank() if rank is None else rank
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank, self.epoch = dataset, num_replicas, rank, 0
        self.drop_last, self.shuffle, self.seed = drop_last, shuffle, seed
        self.num_samples = _C._replica_size(len(dataset), num_replicas, bool(drop_last))
        self.total_size = self.num_samples * num_replicas

    def __iter__(self):
        seed = (self.seed + self.epoch) & (1 << 64) - 1 if self.shuffle else None
        return iter(_C._of_replica(len(self.dataset), self.num_replicas, self.rank, seed, bool(self.drop_last)))

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        """Another epoch is shuffled in another way."""
        self.epoch = epoch


DistributedSampler.__module__ = "torch.utils.data.distributed"
