"""What a worker of a DataLoader does, in a thread or in a process of its own."""

import threading

from .... import _C
from . import fetch

_local = threading.local()


class WorkerInfo:
    """Which worker this is: id, num_workers, seed, dataset (the worker's own copy)."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def __repr__(self):
        return f"WorkerInfo({', '.join(f'{k}={v}' for k, v in self.__dict__.items())})"


WorkerInfo.__module__ = "torch.utils.data._utils.worker"


def get_worker_info():
    """About the worker that calls; None outside of workers."""
    return getattr(_local, "info", None)


class Failure:
    """An exception of a worker on its way to the caller, with the text of its traceback."""

    def __init__(self, error, worker_id):
        import traceback

        self.type = type(error)
        self.where = f"in DataLoader worker process {worker_id}"
        self.text = "".join(traceback.format_exception(type(error), error, error.__traceback__))

    def reraise(self):
        """Raises the exception again, as its type if that takes a message."""
        message = f"Caught {self.type.__name__} {self.where}.\nOriginal {self.text}"
        if self.type is KeyError:
            raise KeyError(_PlainText(message))
        try:
            error = self.type(message)
        except Exception:
            raise RuntimeError(message) from None
        raise error


class _PlainText(str):
    """KeyError shows the repr of its message; this one keeps its line breaks."""

    def __repr__(self):
        return str(self)


class Ended:
    """The dataset of this worker has no more samples."""


class Job:
    """What all workers of a loader have in common."""

    def __init__(self, loader, base_seed):
        self.dataset, self.iterable = loader.dataset, loader._is_iterable
        self.auto_collation, self.collate_fn = loader._auto_collation, loader.collate_fn
        self.drop_last = loader.drop_last
        self.init_fn, self.num_workers, self.base_seed = loader.worker_init_fn, loader.num_workers, base_seed

    def run(self, worker_id, dataset, tasks, results):
        """Answers (epoch, number, index) of `tasks` by (epoch, number, worker, batch) to `results`, until None."""
        _local.info = WorkerInfo(id=worker_id, num_workers=self.num_workers, seed=self.base_seed + worker_id,
                                 dataset=dataset)
        error, fetcher, current = None, None, None
        try:
            if self.init_fn is not None:
                self.init_fn(worker_id)
        except Exception as e:
            error = Failure(e, worker_id)
        while True:
            task = tasks()
            if task is None:
                return
            epoch, number, index = task
            try:
                if error is not None:
                    batch = error
                else:
                    if epoch != current:
                        kind = fetch.Iterable if self.iterable else fetch.Map
                        fetcher, current = kind(dataset, self.auto_collation, self.collate_fn, self.drop_last), epoch
                    batch = fetcher.fetch(index)
            except Exception as e:
                batch = Ended() if self.iterable and isinstance(e, StopIteration) else Failure(e, worker_id)
            results((epoch, number, worker_id, batch))
            del task, index, batch


def thread_main(job, worker_id, tasks, results):
    """A worker in a thread. It has a random stream of its own, the one PyTorch's worker of that number has."""
    import copy

    _C._push_random_scope((job.base_seed + worker_id) & (1 << 64) - 1)
    try:
        try:
            dataset = copy.copy(job.dataset)  # what a worker sets on its dataset is its own, as in a process
        except Exception:
            dataset = job.dataset
        job.run(worker_id, dataset, tasks.get, results.put)
    finally:
        _C._pop_random_scope()


def process_main(job, worker_id, tasks, results, alive):
    """A worker in a process; it ends when its parent is gone."""
    import queue
    import random
    import sys

    _C.set_num_threads(1)
    seed = job.base_seed + worker_id
    random.seed(seed)
    _C._manual_seed(seed)
    if "numpy" in sys.modules:
        import numpy

        low, high = job.base_seed & 0xFFFFFFFF, job.base_seed >> 32
        numpy.random.seed(numpy.random.SeedSequence([worker_id, low, high, 0]).generate_state(4))

    def next_task():
        while True:
            try:
                return tasks.get(timeout=5)
            except queue.Empty:
                if not alive():
                    return None

    try:
        job.run(worker_id, job.dataset, next_task, results.put)
    except KeyboardInterrupt:
        pass
