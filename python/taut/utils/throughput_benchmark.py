"""How many calls of a module a second several threads make."""

import threading
import time

from .._refuse import lacking as _lacking


def format_time(time_us=None, time_ms=None, time_s=None):
    """A time with a unit that suits it."""
    if sum(t is not None for t in (time_us, time_ms, time_s)) != 1:
        raise AssertionError("Expected only one of time_us, time_ms, time_s is given.")
    us = time_us if time_us is not None else time_ms * 1e3 if time_ms is not None else time_s * 1e6
    if us >= 1e6:
        return f"{us / 1e6:.3f}s"
    return f"{us / 1e3:.3f}ms" if us >= 1e3 else f"{us:.3f}us"


class ExecutionStats:
    """What ThroughputBenchmark.benchmark measured."""

    def __init__(self, latency_avg_ms, num_iters, benchmark_config):
        self.latency_avg_ms, self.num_iters, self.benchmark_config = latency_avg_ms, num_iters, benchmark_config

    @property
    def iters_per_second(self):
        """Calls a second of all threads."""
        return self.num_iters / self.total_time_seconds

    @property
    def total_time_seconds(self):
        """The seconds it took."""
        return self.latency_avg_ms * self.num_iters / 1000 / self.benchmark_config["num_calling_threads"]

    def __str__(self):
        return "\n".join(["Average latency per example: " + format_time(time_ms=self.latency_avg_ms),
                          f"Total number of iterations: {self.num_iters}",
                          f"Total number of iterations per second (across all threads): {self.iters_per_second:.2f}",
                          "Total time: " + format_time(time_s=self.total_time_seconds)])


class ThroughputBenchmark:
    """Calls a module from several threads with the inputs that were added, one after the other."""

    def __init__(self, module):
        self._module, self._inputs = module, []

    def add_input(self, *args, **kwargs):
        """One more input."""
        self._inputs.append((args, kwargs))

    def run_once(self, *args, **kwargs):
        """One call."""
        return self._module(*args, **kwargs)

    def benchmark(self, num_calling_threads=1, num_warmup_iters=10, num_iters=100, profiler_output_path=""):
        """Warms up, then makes num_iters calls."""
        if not self._inputs:
            raise RuntimeError("add_input() first: there is nothing to call the module with")
        config = dict(num_calling_threads=num_calling_threads, num_warmup_iters=num_warmup_iters, num_iters=num_iters)
        taken = []

        def run(calls):
            for k in range(num_warmup_iters):
                args, kwargs = self._inputs[k % len(self._inputs)]
                self._module(*args, **kwargs)
            for k in range(calls):
                args, kwargs = self._inputs[k % len(self._inputs)]
                start = time.perf_counter()
                self._module(*args, **kwargs)
                taken.append(time.perf_counter() - start)

        shares = [num_iters // num_calling_threads + (k < num_iters % num_calling_threads) for k in range(num_calling_threads)]
        threads = [threading.Thread(target=run, args=(n,)) for n in shares]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return ExecutionStats(1000 * sum(taken) / max(len(taken), 1), len(taken), config)


for _class in (ExecutionStats, ThroughputBenchmark):
    _class.__module__ = "torch.utils.throughput_benchmark"
__getattr__ = _lacking("utils.throughput_benchmark")
