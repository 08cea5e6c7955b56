"""DataLoader: batches of a dataset, in the caller's thread or by workers."""

import itertools
import os

from ... import _C
from ..._pickling import ByName
from ._utils import fetch
from ._utils.collate import default_collate, default_convert
from ._utils.worker import Ended, Failure, Job, get_worker_info, process_main, thread_main
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = ["DataLoader", "get_worker_info", "default_collate", "default_convert"]


class _Endless(Sampler):
    """None for ever: an iterable dataset says itself when it ends."""

    def __iter__(self):
        return itertools.repeat(None)


class DataLoader(ByName):
    """Goes over a dataset in batches.

    The order for a seed is PyTorch's. Workers are threads, each with a random stream of its own: what a dataset draws
    with torch's functions is what PyTorch's worker of that number draws. They become processes when
    `multiprocessing_context` is given ("fork", "spawn", or a context), or when the dataset has an attribute
    `worker_processes` that is true.
    """

    _iterator = None
    _initialized = False
    _multiprocessing_context = None

    def __class_getitem__(cls, item):
        return cls

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0,
                 collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None,
                 multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False,
                 pin_memory_device="", in_order=True):
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError("prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to "
                             "enable multiprocessing, otherwise set prefetch_factor to None.")
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self._is_iterable = isinstance(dataset, IterableDataset)
        if self._is_iterable:
            for name, value in (("shuffle", shuffle or None), ("sampler", sampler), ("batch_sampler", batch_sampler)):
                if value is not None:
                    raise ValueError(f"DataLoader with IterableDataset: expected unspecified {name} option, but got "
                                     f"{name}={value}")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
                                 "drop_last")
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            sampler = _Endless() if self._is_iterable else RandomSampler(dataset, generator=generator) if shuffle else \
                SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self.collate_fn = collate_fn or (default_collate if self._auto_collation else default_convert)
        self.persistent_workers = persistent_workers
        self._reported_length = None
        self._initialized = True

    def __setattr__(self, attr, val):
        if self._initialized and attr in ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset",
                                          "persistent_workers"):
            raise ValueError(f"{attr} attribute should not be set after {self.__class__.__name__} is initialized")
        super().__setattr__(attr, val)

    @property
    def multiprocessing_context(self):
        """How worker processes are started; None for threads."""
        return self._multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context):
        if context is not None:
            import multiprocessing
            from multiprocessing.context import BaseContext

            if self.num_workers == 0:
                raise ValueError("multiprocessing_context can only be used with multi-process loading (num_workers > "
                                 f"0), but got num_workers={self.num_workers}")
            if isinstance(context, str):
                methods = multiprocessing.get_all_start_methods()
                if context not in methods:
                    raise ValueError("multiprocessing_context option should specify a valid start method in "
                                     f"{methods!r}, but got multiprocessing_context={context!r}")
                context = multiprocessing.get_context(context)
            if not isinstance(context, BaseContext):
                raise TypeError("multiprocessing_context option should be a valid context object or a string "
                                f"specifying the start method, but got multiprocessing_context={context}")
        self._multiprocessing_context = context

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    def __iter__(self):
        if self.num_workers == 0:
            return _InCaller(self)
        if not self.persistent_workers:
            return _ByWorkers(self)
        if self._iterator is None:
            self._iterator = _ByWorkers(self)
        else:
            self._iterator._begin(self)
        return self._iterator

    def __len__(self):
        if not self._is_iterable:
            return len(self._index_sampler)
        n = self._reported_length = len(self.dataset)
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


class _Iterator:
    """One pass over a loader."""

    def __init__(self, loader):
        if loader.pin_memory:
            import warnings

            warnings.warn("'pin_memory' argument is set as true but no accelerator is found, then device pinned memory "
                          "won't be used.", stacklevel=3)
        self._base_seed = _C._draw_seed(loader.generator)
        self._begin(loader)

    def _begin(self, loader):
        self._loader, self._given = loader, 0
        self._indices = iter(loader._index_sampler)

    def __iter__(self):
        return self

    def __next__(self):
        batch = self._next_batch()
        self._given += 1
        loader = self._loader
        if loader._is_iterable and loader._reported_length is not None and loader.num_workers == 0:
            expected = loader._reported_length if loader.batch_size is None else len(loader)
            if self._given > expected:
                import warnings

                warnings.warn(f"Length of IterableDataset {loader.dataset} was reported to be {expected} (when "
                              f"accessing len(dataloader)), but {self._given} samples have been fetched. ",
                              stacklevel=2)
        return batch

    def __len__(self):
        return len(self._loader._index_sampler)


class _InCaller(_Iterator):
    """Batches made when they are asked for."""

    def _begin(self, loader):
        super()._begin(loader)
        kind = fetch.Iterable if loader._is_iterable else fetch.Map
        self._fetcher = kind(loader.dataset, loader._auto_collation, loader.collate_fn, loader.drop_last)

    def _next_batch(self):
        return self._fetcher.fetch(next(self._indices))


class _ByWorkers(_Iterator):
    """Batches made ahead of time. Batch i is the work of worker i % n, and batches come in their order."""

    def __init__(self, loader):
        self._workers = None
        self._epoch = 0
        super().__init__(loader)

    def _begin(self, loader):
        super()._begin(loader)
        if self._workers is None:
            processes = loader.multiprocessing_context is not None or getattr(loader.dataset, "worker_processes", False)
            self._workers = (_Processes if processes else _Threads)(Job(loader, self._base_seed), loader)
        self._epoch += 1
        self._sent = self._wanted = 0
        self._ready, self._out = {}, set()  # batches that came early; numbers of those that are being made
        self._open = [True] * loader.num_workers
        self._turn = 0
        for _ in range(max(1, loader.prefetch_factor) * loader.num_workers):
            self._send()

    def _send(self):
        n = self._loader.num_workers
        for _ in range(n):
            worker, self._turn = self._turn, (self._turn + 1) % n
            if self._open[worker]:
                break
        else:
            return
        try:
            index = next(self._indices)
        except StopIteration:
            return
        self._workers.put(worker, (self._epoch, self._sent, index))
        self._out.add(self._sent)
        self._sent += 1

    def _next_batch(self):
        while self._wanted < self._sent:
            number = self._wanted
            while number not in self._ready:
                epoch, got, worker, batch = self._workers.get(self._loader.timeout)
                if epoch == self._epoch:
                    self._ready[got] = worker, batch
            worker, batch = self._ready.pop(number)
            self._wanted += 1
            if isinstance(batch, Ended):
                if self._open[worker]:
                    self._open[worker] = False
                    self._send()
                continue
            self._send()
            if isinstance(batch, Failure):
                batch.reraise()
            return batch
        if not self._loader.persistent_workers:
            self._workers.close()
        raise StopIteration


_BaseDataLoaderIter, _SingleProcessDataLoaderIter, _MultiProcessingDataLoaderIter = _Iterator, _InCaller, _ByWorkers  # as PyTorch calls them


class _Workers:
    """Workers, each with a queue of tasks, and one queue of results."""

    def put(self, worker, task):
        """Gives a task to a worker."""
        self.tasks[worker].put(task)

    def get(self, timeout):
        """The next result of any worker."""
        import queue

        waited = 0
        while True:
            # Short waits, so that a worker that died is noticed.
            wait = min(timeout - waited, 1) if timeout else 1
            try:
                return self.results.get(timeout=wait)
            except queue.Empty:
                waited += wait
            self.check()
            if timeout and waited >= timeout:
                raise RuntimeError(f"DataLoader timed out after {timeout} seconds")

    def check(self):
        """Raises when a worker is gone."""

    def close(self):
        """Lets the workers end."""
        self.finalizer()


class _Threads(_Workers):
    """Workers as threads."""

    def __init__(self, job, loader):
        import queue
        import threading
        import weakref

        self.results = queue.SimpleQueue()
        self.tasks = [queue.SimpleQueue() for _ in range(loader.num_workers)]
        threads = [threading.Thread(target=thread_main, args=(job, i, tasks, self.results), daemon=True,
                                    name=f"taut_data_worker_{i}") for i, tasks in enumerate(self.tasks)]
        for t in threads:
            t.start()
        self.finalizer = weakref.finalize(self, _end_threads, threads, self.tasks)  # at exit too


def _end_threads(threads, tasks):
    for q in tasks:
        try:  # tasks that nobody will ask for
            while True:
                q.get_nowait()
        except Exception:
            pass
        q.put(None)
    import sys
    import threading

    if sys.is_finalizing() or not threading.main_thread().is_alive():
        return
    for t in threads:
        if t is not threading.current_thread():
            t.join(timeout=5)


class _Processes(_Workers):
    """Workers as processes."""

    def __init__(self, job, loader):
        import multiprocessing
        import weakref

        context = loader.multiprocessing_context or multiprocessing.get_context()
        self.results = context.Queue()
        self.tasks = [context.Queue() for _ in range(loader.num_workers)]
        self.processes = [context.Process(target=process_main, args=(job, i, tasks, self.results, _Alive()),
                                          daemon=True)
                          for i, tasks in enumerate(self.tasks)]
        for p in self.processes:
            p.start()
        self.finalizer = weakref.finalize(self, _end_processes, self.processes, self.tasks, self.results)

    def check(self):
        """Raises when a worker is gone."""
        dead = [str(p.pid) for p in self.processes if not p.is_alive()]
        if dead:
            raise RuntimeError(f"DataLoader worker (pid(s) {', '.join(dead)}) exited unexpectedly")


def _end_processes(processes, tasks, results):
    for q in tasks:
        q.put(None)
    for p in processes:
        p.join(timeout=1)
        if p.is_alive():
            p.terminate()
            p.join(timeout=5)
    for q in (*tasks, results):
        q.cancel_join_thread()
        q.close()


class _Alive:
    """Is the process that made this still the parent?"""

    def __init__(self):
        self.parent = os.getpid()

    def __call__(self):
        return os.getppid() == self.parent


DataLoader.__module__ = "torch.utils.data.dataloader"
