"""Timer: times a piece of code."""

import enum
import timeit
from time import perf_counter as timer

from ._common import Measurement, TaskSpec, set_torch_threads


class Language(enum.Enum):
    """What the code is written in."""

    PYTHON = 0
    CPP = 1


class Timer:
    """Times a statement; results are Measurements."""

    _timer_cls = timeit.Timer

    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None, sub_label=None, description=None,
                 env=None, num_threads=1, language=Language.PYTHON):
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language in (Language.CPP, "c++", "cpp", "C++"):
            raise NotImplementedError("torch.utils.benchmark.Timer is not supported by Taut for C++: it would have to be compiled")
        if global_setup:
            raise ValueError(f"global_setup is C++ only, got `{global_setup}`. Most likely this code can simply be moved to `setup`.")
        import textwrap

        stmt, setup = (textwrap.dedent(code).strip("\n ") for code in (stmt, setup))
        globals = dict(globals or {})
        if "torch" not in globals:
            import taut

            globals["torch"] = taut
        self._globals = globals
        self._timer = self._timer_cls(stmt=stmt, setup=setup, timer=timer, globals=globals)
        self._task_spec = TaskSpec(stmt=stmt, setup=setup, global_setup=global_setup, label=label, sub_label=sub_label,
                                   description=description, env=env, num_threads=num_threads)

    def _timeit(self, number):
        return max(self._timer.timeit(number), 1e-9)

    def timeit(self, number=1000000):
        """One measurement of so many runs."""
        with set_torch_threads(self._task_spec.num_threads):
            self._timeit(max(int(number // 100), 2))  # warm up
            return Measurement(number, [self._timeit(number)], self._task_spec)

    def repeat(self, repeat=-1, number=-1):
        """Not what one wants."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback=None):
        """Not what one wants."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def _block_size(self, min_run_time):
        with set_torch_threads(self._task_spec.num_threads):
            overhead = min(self._empty(10) for _ in range(5))
            number = 1
            while True:
                taken = self._timeit(number)
                if overhead / taken <= 1e-4 and taken >= min_run_time / 1000 or taken > min_run_time:
                    return number
                number *= 10

    def _empty(self, number):
        return max(self._timer_cls("pass").timeit(number), 1e-9) / number

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Measurements of blocks of runs, for at least so many seconds."""
        number = self._block_size(min_run_time)
        times = []

        def enough():
            return sum(times) > min_run_time

        with set_torch_threads(self._task_spec.num_threads):
            while not enough():
                times.append(self._timeit(number))
                if callback is not None:
                    callback(number, times[-1])
        return Measurement(number, times, self._task_spec)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """The same, until the spread is below a part of the median."""
        number = self._block_size(0.05)
        times, rounds = [], 0
        with set_torch_threads(self._task_spec.num_threads):
            while sum(times) < max_run_time:
                until = sum(times) + min_run_time
                while sum(times) < until:
                    times.append(self._timeit(number))
                    if callback is not None:
                        callback(number, times[-1])
                rounds += 1
                if len(times) > 3 and Measurement(number, times, self._task_spec).meets_confidence(threshold):
                    break
        return Measurement(number, times, self._task_spec)

    def collect_callgrind(self, number=100, *, repeats=None, collect_baseline=True, retain_out_file=False):
        """Raises: instructions are counted by valgrind itself."""
        raise NotImplementedError("torch.utils.benchmark.Timer.collect_callgrind is not supported by Taut: run the program under valgrind "
                                  "--tool=callgrind")


Timer.__module__ = Language.__module__ = "torch.utils.benchmark.utils.timer"
