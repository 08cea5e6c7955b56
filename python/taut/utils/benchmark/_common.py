"""What was measured, and how numbers are shown."""

import collections
import contextlib
import dataclasses
import math
from typing import Optional

_UNITS = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}
_LARGE_SPREAD = 0.1  # an interquartile range beyond this part of the median is worth a warning
_Z, _SHORTEST_INTERVAL, _MOST_FIGURES = 1.645, 25e-9, 4  # of the interval of confidence that says which digits mean something


def _quantile(values, q):
    values = sorted(values)
    at = q * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


@dataclasses.dataclass(init=True, repr=False, eq=True, frozen=True)
class TaskSpec:
    """What was run, and what it is called in tables."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: Optional[str] = None
    sub_label: Optional[str] = None
    description: Optional[str] = None
    env: Optional[str] = None
    num_threads: int = 1

    @property
    def title(self):
        """A line that names it."""
        if self.label is not None:
            return self.label + (f": {self.sub_label}" if self.sub_label else "")
        if "\n" not in self.stmt:
            return self.stmt + (f": {self.sub_label}" if self.sub_label else "")
        return f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}\n" + "\n".join("  " + line for line in self.stmt.split("\n"))

    def setup_str(self):
        """The code that runs before, in lines."""
        if self.setup == "pass" or not self.setup:
            return ""
        lines = self.setup.split("\n")
        return f"setup: {self.setup}" if len(lines) == 1 else "setup:\n" + "\n".join("  " + line for line in lines)

    def summarize(self):
        """All that in lines."""
        return "\n".join(part for part in (self.title, self.description or "", self.setup_str()) if part)


@dataclasses.dataclass(init=True, repr=False)
class Measurement:
    """Times of a piece of code."""

    number_per_run: int
    raw_times: list
    task_spec: TaskSpec
    metadata: Optional[dict] = None

    def __getattr__(self, name):
        spec = self.__dict__.get("task_spec")
        if spec is not None and hasattr(TaskSpec, name) or name in TaskSpec.__dataclass_fields__:
            return getattr(spec, name)
        raise AttributeError(name)

    @property
    def times(self):
        """Seconds of one run each."""
        return [t / self.number_per_run for t in self.raw_times]

    def _must_have_samples(self):
        if not self.raw_times:
            raise RuntimeError("No samples to measure.")

    @property
    def median(self):
        """The median of the times."""
        self._must_have_samples()
        return _quantile(self.times, 0.5)

    @property
    def mean(self):
        """The mean of the times."""
        self._must_have_samples()
        return sum(self.times) / len(self.times)

    @property
    def iqr(self):
        """The range of the middle half of the times."""
        self._must_have_samples()
        return _quantile(self.times, 0.75) - _quantile(self.times, 0.25)

    @property
    def significant_figures(self):
        """How many digits of the median mean something, as far as the spread tells."""
        times = sorted(self.times)
        middle = times[len(times) // 4:math.ceil(3 * len(times) / 4)]
        mean = sum(middle) / len(middle)
        deviation = math.sqrt(sum((t - mean) ** 2 for t in middle) / len(middle))
        interval = max(_Z * deviation / math.sqrt(len(middle)), _SHORTEST_INTERVAL)
        return min(max(math.floor(math.log10(self.median / interval)), 1), _MOST_FIGURES)

    @property
    def has_warnings(self):
        """Is the spread large?"""
        self._must_have_samples()
        return bool(self.iqr / self.median > _LARGE_SPREAD)

    def meets_confidence(self, threshold=_LARGE_SPREAD):
        """Is the spread smaller than this part of the median?"""
        return self.iqr / self.median < threshold

    @property
    def title(self):
        """A line that names what was run."""
        return self.task_spec.title

    @property
    def env(self):
        """Where it ran, for comparisons."""
        return self.task_spec.env

    @property
    def as_row_name(self):
        """Its row in a table."""
        return self.task_spec.sub_label or self.task_spec.stmt or "[Unknown]"

    def __repr__(self):
        n = len(self.raw_times)
        lines = [object.__repr__(self).replace("taut.utils.benchmark._common", "torch.utils.benchmark.utils.common"),
                 *filter(None, (self.task_spec.summarize(),))]
        unit, scale = select_unit(self.median)
        count = f"{n} measurement{'s' if n > 1 else ''}, {self.number_per_run} runs {'per measurement' if n > 1 else ''}, " \
                f"{self.task_spec.num_threads} thread{'s' if self.task_spec.num_threads > 1 else ''}"
        if n == 1:
            lines.append(f"  {self.median / scale:.2f} {unit}")
        else:
            lines.append(f"  Median: {self.median / scale:.2f} {unit}")
            if n >= 4:
                low, high = _quantile(self.times, 0.25), _quantile(self.times, 0.75)
                lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low / scale:.2f} to {high / scale:.2f})")
        lines.append("  " + count)
        if self.has_warnings:
            lines.append(f"  WARNING: Interquartile range is {self.iqr / self.median * 100:.1f}% of the median measurement.\n"
                         "           This could indicate system fluctuation.")
        return "\n".join(lines)

    @staticmethod
    def merge(measurements):
        """Joins measurements of the same task."""
        grouped = collections.OrderedDict()
        for m in measurements:
            grouped.setdefault(m.task_spec, []).append(m)
        return [Measurement(1, [t for m in group for t in m.times], spec, None) for spec, group in grouped.items()]


def select_unit(t):
    """The unit that suits a time: ("us", 1e-06)."""
    unit = {-3: "ns", -2: "us", -1: "ms"}.get(int(math.log10(t) // 3) if t > 0 else -3, "s")
    return unit, {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]


def unit_to_english(u):
    """The name of a unit."""
    return _UNITS[u]


def trim_sigfig(x, n):
    """The number with so many digits."""
    if n != int(n):
        raise AssertionError("n must be an integer")
    if not x:
        return x
    scale = 10 ** (int(math.floor(math.log10(abs(x)))) + 1 - int(n))
    return float(round(x / scale) * scale)


def ordered_unique(elements):
    """The elements, each once, in order."""
    return list(dict.fromkeys(elements))


@contextlib.contextmanager
def set_torch_threads(n):
    """A context with so many threads."""
    from ... import get_num_threads, set_num_threads

    before = get_num_threads()
    set_num_threads(n)
    try:
        yield
    finally:
        set_num_threads(before)


Measurement.__module__ = TaskSpec.__module__ = "torch.utils.benchmark.utils.common"
