"""A sampler for programs that run as several replicas."""

import math

from ... import _C
from ... import randperm
from .sampler import Sampler


class DistributedSampler(Sampler):
    """The part of the indices that replica `rank` of `num_replicas` works on."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        if num_replicas is None or rank is None:
            raise ValueError("Default process group has not been initialized, please make sure to call "
                             "init_process_group. (Taut has no process groups: give num_replicas and rank.)")
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank, self.epoch = dataset, num_replicas, rank, 0
        self.drop_last, self.shuffle, self.seed = drop_last, shuffle, seed
        n = len(dataset)
        if drop_last and n % num_replicas != 0:
            n -= num_replicas
        self.num_samples = math.ceil(n / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self):
        if self.shuffle:
            generator = _C.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = randperm(len(self.dataset), generator=generator).tolist()
        else:
            indices = list(range(len(self.dataset)))
        if not self.drop_last:  # the first ones again, so that all replicas have equally many
            missing = self.total_size - len(indices)
            indices += (indices * math.ceil(missing / len(indices)))[:missing]
        return iter(indices[self.rank:self.total_size:self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        """Another epoch is shuffled in another way."""
        self.epoch = epoch


DistributedSampler.__module__ = "torch.utils.data.distributed"
