"""What a profile saw: events, their sums by name, tables and traces."""

import gzip
import json
import os
from collections import defaultdict

__all__ = ["EventList", "FunctionEvent", "FunctionEventAvg", "Interval"]

_COLUMN = 12  # characters


def _time(us):
    """12.345us, 12.345ms or 12.345s"""
    return f"{us / 1e6:.3f}s" if us >= 1e6 else f"{us / 1e3:.3f}ms" if us >= 1e3 else f"{us:.3f}us"


def _share(part, whole):
    return f"{100 * part / whole:.2f}%" if whole else "NaN"


def _memory(n):
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if abs(n) >= size:
            return f"{n / size:.2f} {unit}"
    return f"{n} B"


class Interval:
    """From start to end, in microseconds."""

    def __init__(self, start, end):
        self.start, self.end = start, end

    def elapsed_us(self):
        """How long it is."""
        return self.end - self.start


class _Times:
    """What events and their sums have in common. There is no device but the CPU."""

    device_time_total = self_device_time_total = device_time = cuda_time_total = cuda_time = self_cuda_time_total = 0
    device_memory_usage = self_device_memory_usage = 0
    flops = None

    @property
    def cpu_time(self):
        """The mean time of a call."""
        return self.cpu_time_total / self.count if self.count else 0.0

    cpu_time_str = property(lambda self: _time(self.cpu_time))
    cpu_time_total_str = property(lambda self: _time(self.cpu_time_total))
    self_cpu_time_total_str = property(lambda self: _time(self.self_cpu_time_total))


class FunctionEvent(_Times):
    """One call: of an op, a step of backward, or a part that record_function names."""

    count, is_async, is_legacy, is_remote, use_device = 1, False, False, False, None

    def __init__(self, id, name, start, thread, parent=None, kind="cpu_op"):
        self.id, self.name, self.thread, self.cpu_parent, self.kind = id, name, thread, parent, kind
        self.time_range = Interval(start, start)
        self.cpu_children, self.input_shapes, self.stack = [], [], []
        self.cpu_memory_usage = 0
        if parent is not None:
            parent.cpu_children.append(self)

    key = property(lambda self: self.name)
    is_user_annotation = property(lambda self: self.kind == "user_annotation")
    cpu_time_total = property(lambda self: self.time_range.elapsed_us())
    self_cpu_time_total = property(lambda self: self.cpu_time_total - sum(c.cpu_time_total for c in self.cpu_children))
    self_cpu_memory_usage = property(lambda self: self.cpu_memory_usage - sum(c.cpu_memory_usage for c in self.cpu_children))

    def __repr__(self):
        return (f"<FunctionEvent id={self.id} name={self.name} cpu_time={self.cpu_time_str} cpu_start_us={self.time_range.start} "
                f"cpu_end_us={self.time_range.end} cpu_children={[c.id for c in self.cpu_children]} thread={self.thread} "
                f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage}>")


class FunctionEventAvg(_Times):
    """The sums of the events with one name."""

    def __init__(self):
        self.key, self.count, self.input_shapes, self.stack = None, 0, None, None
        self.cpu_time_total = self.self_cpu_time_total = 0
        self.cpu_memory_usage = self.self_cpu_memory_usage = 0

    def add(self, event):
        """Takes an event, or other sums."""
        if self.key is None:
            self.key, self.input_shapes, self.stack = event.key, event.input_shapes, event.stack
        for name in ("count", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage"):
            setattr(self, name, getattr(self, name) + getattr(event, name))
        return self

    __iadd__ = add

    def __repr__(self):
        return (f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} cpu_time={self.cpu_time_str} "
                f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage}>")


class EventList(list):
    """Events, or their sums."""

    def __init__(self, *args, use_device=None, profile_memory=False, with_flops=False):
        super().__init__(*args)
        self._profile_memory = profile_memory

    @property
    def self_cpu_time_total(self):
        """The time of all of them."""
        return sum(event.self_cpu_time_total for event in self)

    def __str__(self):
        return self.table()

    def key_averages(self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False):
        """The sums by name, and if wanted by the shapes of the inputs and the top of the stack."""
        sums = defaultdict(FunctionEventAvg)
        for event in self:
            key = (event.name, str(event.input_shapes) if group_by_input_shapes else "", *event.stack[:group_by_stack_n])
            sums[key].add(event)
        for made in sums.values():
            made.input_shapes = made.input_shapes if group_by_input_shapes else ""
            made.stack = made.stack[:group_by_stack_n]
        return EventList(sums.values(), profile_memory=self._profile_memory)

    def total_average(self):
        """The sums of all."""
        total = FunctionEventAvg()
        for event in self:
            total.add(event)
        total.key = "Total" if self else None
        return total

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55, max_shapes_column_width=80, header=None,
              top_level_events_only=False, time_unit=None):
        """A table, with the largest of `sort_by` first."""
        if not self:
            return ""
        rows = list(self)
        if sort_by is not None:
            name = sort_by.replace("cuda", "device")
            if not hasattr(rows[0], name):
                raise AttributeError(f"{type(rows[0]).__name__!r} object has no attribute {name!r}")
            rows.sort(key=lambda event: getattr(event, name), reverse=True)
        if top_level_events_only:
            rows = [event for event in rows if getattr(event, "cpu_parent", None) is None]
        rows = rows[:row_limit] if row_limit >= 0 else rows
        shapes, stacks = any(event.input_shapes for event in rows), any(event.stack for event in rows)
        whole = self.self_cpu_time_total

        def short(text, width):
            return text if width is None or len(text) <= width else text[:width - 3] + "..."

        columns = [("Name", lambda e: short(e.key, max_name_column_width)),
                   ("Self CPU %", lambda e: _share(e.self_cpu_time_total, whole)), ("Self CPU", lambda e: e.self_cpu_time_total_str),
                   ("CPU total %", lambda e: _share(e.cpu_time_total, whole)), ("CPU total", lambda e: e.cpu_time_total_str),
                   ("CPU time avg", lambda e: e.cpu_time_str)]
        if self._profile_memory:
            columns += [("CPU Mem", lambda e: _memory(e.cpu_memory_usage)), ("Self CPU Mem", lambda e: _memory(e.self_cpu_memory_usage))]
        columns.append(("# of Calls", lambda e: str(e.count)))
        if shapes:
            columns.append(("Input Shapes", lambda e: short(str(e.input_shapes), max_shapes_column_width)))
        if stacks:
            columns.append(("Source Location", lambda e: short(e.stack[0] if e.stack else "", max_src_column_width)))
        cells = [[title for title, _ in columns]] + [[cell(e) for _, cell in columns] for e in rows]
        widths = [max(_COLUMN, *(len(row[i]) for row in cells)) for i in range(len(columns))]
        lines = ["  ".join(cell.rjust(w) for cell, w in zip(row, widths)) + "  " for row in cells]
        rule = "  ".join("-" * w for w in widths) + "  "
        head = [rule] if header is None else ["=" * len(rule), header, rule]
        return "\n".join([*head, lines[0], rule, *lines[1:], rule, f"Self CPU time total: {_time(whole)}", ""])

    def export_chrome_trace(self, path, metadata=None):
        """Writes a file for chrome://tracing or Perfetto; compressed if it is called .gz."""
        pid = os.getpid()
        events = [{"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "ts": 0, "args": {"name": "python"}}]
        for e in self:
            args = {"External id": e.id}
            if e.input_shapes:
                args["Input Dims"] = e.input_shapes
            if e.cpu_memory_usage:
                args["Bytes"] = e.cpu_memory_usage
            if e.stack:
                args["Call stack"] = ";".join(e.stack)
            events.append({"ph": "X", "cat": e.kind, "name": e.name, "pid": pid, "tid": e.thread, "ts": e.time_range.start,
                           "dur": e.cpu_time_total, "args": args})
        with (gzip.open if str(path).endswith(".gz") else open)(path, "wt") as file:
            json.dump({"schemaVersion": 1, "displayTimeUnit": "ms", **(metadata or {}), "traceEvents": events}, file)

    def export_stacks(self, path, metric):
        """Writes the stacks with their times, as flame graphs are made from."""
        if metric not in ("self_cpu_time_total", "self_cuda_time_total", "self_xpu_time_total"):
            raise ValueError("metric should be one of: ['self_cpu_time_total', 'self_cuda_time_total', 'self_xpu_time_total']")
        with open(path, "w") as file:
            for e in self:
                value = int(getattr(e, metric, 0))
                if e.stack and value > 0:
                    file.write(";".join(reversed([line.replace(" ", "_").replace(";", "_") for line in e.stack])) + f" {value}\n")


for _class in (Interval, FunctionEvent, FunctionEventAvg, EventList):
    _class.__module__ = "torch.autograd.profiler_util"
del _class
