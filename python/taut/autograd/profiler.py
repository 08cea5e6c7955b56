"""Profiling: when which op ran, and how long.

Nothing is measured, and nothing costs anything, until a profile begins. It sees ops as a mode does (torch.utils._python_dispatch), and steps
of backward by the hooks of their nodes.
"""

import functools
import os
import threading
import time

from .._C import Tensor
from .profiler_util import EventList, FunctionEvent, FunctionEventAvg, Interval

__all__ = ["profile", "record_function", "emit_itt", "emit_nvtx", "KinetoStepTracker", "EventList", "FunctionEvent", "FunctionEventAvg", "Interval"]

_active = []  # the recordings that are on, the last one innermost
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _now():
    return time.perf_counter_ns() / 1e3


def _tensors(tree):
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, dict):
        for value in tree.values():
            yield from _tensors(value)
    elif isinstance(tree, (tuple, list)):
        for value in tree:
            yield from _tensors(value)


def _memory_of(tensors):
    """{address: bytes}"""
    from .. import strided

    storages = [t.untyped_storage() for t in tensors if t.layout is strided]
    return {storage.data_ptr(): storage.nbytes() for storage in storages}


def _stack():
    """The lines of the program that led here, the innermost first."""
    import sys

    lines, frame = [], sys._getframe(2)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_HERE):
            lines.append(f"{frame.f_code.co_filename}({frame.f_lineno}): {frame.f_code.co_name}")
        frame = frame.f_back
    return lines


class _Recording:
    """The events between start and stop."""

    def __init__(self, shapes=False, memory=False, stacks=False):
        self.shapes, self.memory, self.stacks = shapes, memory, stacks
        self.events, self.open, self.mode = [], threading.local(), None

    def begin(self, name, kind="cpu_op"):
        """An event that is open now."""
        stack = self.open.__dict__.setdefault("stack", [])
        event = FunctionEvent(len(self.events), name, 0.0, threading.get_native_id(), stack[-1] if stack else None, kind)
        self.events.append(event)
        stack.append(event)
        if self.stacks:
            event.stack = _stack()
        event.time_range.start = event.time_range.end = _now()
        return event

    def end(self, event):
        """Closes an event, and what is still open within it."""
        now, stack = _now(), self.open.__dict__.setdefault("stack", [])
        while stack:
            last = stack.pop()
            last.time_range.end = now
            if last is event:
                return

    def op(self, func, args, kwargs):
        """Calls an op and notes it."""
        event = self.begin(func.name().partition(".")[0] if hasattr(func, "name") else str(func))
        try:
            result = func(*args, **kwargs)
        finally:
            self.end(event)
        if self.shapes:
            event.input_shapes = [list(a.shape) if isinstance(a, Tensor) else [] for a in args]
        made = list(_tensors(result))
        if self.memory:
            before, fresh = _memory_of(_tensors((args, kwargs))), _memory_of(made)
            self.add_memory(event, sum(n for address, n in fresh.items() if address not in before))
        for t in made:
            if t.grad_fn is not None:
                self.watch(t.grad_fn)
        return result

    @staticmethod
    def add_memory(event, n):
        """Bytes that an event, and so those around it, took."""
        while event is not None:
            event.cpu_memory_usage += n
            event = event.cpu_parent

    def watch(self, node):
        """Notes when this step of backward runs."""
        notes = getattr(node, "metadata", {})  # nodes of Functions have none
        if notes.get("_profiled") is self:
            return
        notes["_profiled"] = self
        name, opened = node.name(), []

        def before(grads):
            if self in _active:
                opened.append(self.begin(name, "cpu_op"))

        def after(inputs, outputs):
            if opened:
                self.end(opened.pop())

        node.register_prehook(before)
        node.register_hook(after)

    def start(self):
        """From here on ops are seen."""
        from .. import _ops  # noqa: F401  # now, not within the first op
        from ..utils._python_dispatch import TorchDispatchMode

        recording = self

        class Watch(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                return recording.op(func, args, kwargs or {})

        self.mode = Watch()
        _active.append(self)
        self.mode.__enter__()

    def stop(self):
        """No more."""
        if self.mode is not None:
            self.mode.__exit__(None, None, None)
            _active.remove(self)
            self.mode = None
        stack = self.open.__dict__.get("stack")
        if stack:
            self.end(stack[0])

    def list(self):
        """What was seen."""
        return EventList(self.events, profile_memory=self.memory)


class profile:
    """Measures what runs within it."""

    def __init__(self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False, profile_memory=False, with_stack=False,
                 with_modules=False, use_kineto=False, use_cpu=True, experimental_config=None, acc_events=False, custom_trace_id_callback=None):
        self.enabled, self.profile_memory = enabled, profile_memory
        self._options = dict(shapes=record_shapes or with_flops, memory=profile_memory, stacks=with_stack)
        self._recording, self.function_events, self.entered = None, None, False

    def __enter__(self):
        if not self.enabled:
            return self
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        self.entered = True
        self._recording = _Recording(**self._options)
        self._recording.start()
        return self

    def __exit__(self, *_):
        if self.enabled:
            self._recording.stop()
            self.function_events = self._recording.list()
        return False

    def _finished(self):
        if self.function_events is None:
            raise RuntimeError("Profiler didn't finish running")
        return self.function_events

    def __repr__(self):
        return "<unfinished torch.autograd.profile>" if self.function_events is None else repr(self.function_events)

    def __str__(self):
        return "<unfinished torch.autograd.profile>" if self.function_events is None else str(self.function_events)

    def table(self, *args, **kwargs):
        """The events as a table."""
        return self._finished().table(*args, **kwargs)

    def export_chrome_trace(self, path):
        """Writes a file for chrome://tracing or Perfetto."""
        self._finished().export_chrome_trace(path)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Writes the stacks with their times."""
        self._finished().export_stacks(path, metric)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """The sums by name."""
        return self._finished().key_averages(group_by_input_shape, group_by_stack_n)

    def total_average(self):
        """The sums of all."""
        return self._finished().total_average()

    @property
    def self_cpu_time_total(self):
        """The time of all events."""
        return self._finished().self_cpu_time_total


class record_function:
    """A name for a part of the program, in profiles: a context, or a decorator."""

    def __init__(self, name, args=None):
        self.name, self.args, self._open = name, args, []

    def __enter__(self):
        self._open.append([(recording, recording.begin(self.name, "user_annotation")) for recording in _active])
        return self

    def __exit__(self, *_):
        for recording, event in self._open.pop():
            recording.end(event)

    def __call__(self, function):
        @functools.wraps(function)
        def named(*args, **kwargs):
            with record_function(self.name, self.args):
                return function(*args, **kwargs)

        return named


class _OtherTool:
    """Marks for another profiler, which is not there: has no effect unless it is enabled."""

    def __init__(self, enabled=True, record_shapes=False):
        if enabled:
            raise NotImplementedError(f"torch.autograd.profiler.{type(self).__name__} is not supported by Taut: use torch.profiler.profile")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class emit_nvtx(_OtherTool):
    """Marks for NVIDIA's profiler."""


class emit_itt(_OtherTool):
    """Marks for Intel's profiler."""


class KinetoStepTracker:
    """How often each part of a program stepped."""

    _current_step, _step_dict = 0, {}

    @classmethod
    def current_step(cls):
        """The step."""
        return cls._current_step

    @classmethod
    def init_step_count(cls, requester):
        """Begins at the current step."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester):
        """Forgets a part."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester):
        """One more of a part; the step is the largest."""
        cls._step_dict[requester] = cls._step_dict.get(requester, cls._current_step) + 1
        cls._current_step = max(cls._step_dict.values())
        return cls._current_step


for _class in (profile, record_function, emit_nvtx, emit_itt, KinetoStepTracker):
    _class.__module__ = "torch.autograd.profiler"
del _class


def __getattr__(name):
    raise AttributeError(f"torch.autograd.profiler.{name} is not part of Taut")
