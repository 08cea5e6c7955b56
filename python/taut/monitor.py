"""Events that a program tells about itself, and counters that give one when their window is over."""

import enum
import time
from collections import namedtuple  # noqa: F401

STAT_EVENT = "torch.monitor.Stat"
_handlers = []


class Aggregation(enum.Enum):
    """What a Stat keeps of its values."""

    VALUE, MEAN, COUNT, SUM, MAX, MIN = range(6)


VALUE, MEAN, COUNT, SUM, MAX, MIN = Aggregation


class Event:
    """A name, a time and values."""

    def __init__(self, name, timestamp, data):
        self.name, self.timestamp, self.data = name, timestamp, dict(data)


class EventHandlerHandle:
    """What register_event_handler gave."""

    def __init__(self, handler):
        self.handler = handler


def register_event_handler(handler):
    """Calls handler(event) for every event from now on."""
    handle = EventHandlerHandle(handler)
    _handlers.append(handle)
    return handle


def unregister_event_handler(handle):
    """Stops that."""
    _handlers.remove(handle)


def log_event(event):
    """Gives an event to all handlers."""
    for handle in [*_handlers]:
        handle.handler(event)


class Stat:
    """Values gathered over a window of time (a timedelta); when it is over, or after max_samples, an event says their aggregates."""

    def __init__(self, name, aggregations, window_size, max_samples=None):
        self.name, self._aggregations, self._window = name, list(aggregations), window_size.total_seconds()
        self._most, self._values, self._since = max_samples, [], time.monotonic()

    count = property(lambda self: len(self._values), doc="How many values the window holds.")

    def add(self, v):
        """One more value."""
        if self._window > 0 and time.monotonic() - self._since > self._window:
            self._finish()
        if self._most is None or len(self._values) < self._most:
            self._values.append(v)
        if self._most is not None and self._window <= 0 and len(self._values) >= self._most:
            self._finish()

    def get(self):
        """{aggregation: value} of the window so far."""
        v = self._values
        known = {VALUE: lambda: v[-1] if v else 0.0, MEAN: lambda: sum(v) / len(v) if v else 0.0, COUNT: lambda: float(len(v)),
                 SUM: lambda: float(sum(v)), MAX: lambda: max(v) if v else 0.0, MIN: lambda: min(v) if v else 0.0}
        return {a: known[a]() for a in self._aggregations}

    def _finish(self):
        if self._values:
            from datetime import datetime

            log_event(Event(STAT_EVENT, datetime.now(), {f"{self.name}.{a.name.lower()}": v for a, v in self.get().items()}))
        self._values, self._since = [], time.monotonic()


class TensorboardEventHandler:
    """A handler that writes the numbers of events to a SummaryWriter."""

    def __init__(self, writer):
        self._writer = writer

    def __call__(self, event):
        if event.name == STAT_EVENT:
            for name, value in event.data.items():
                self._writer.add_scalar(name, value, walltime=event.timestamp.timestamp())


data_value_t = object
for _class in (Aggregation, Event, Stat, EventHandlerHandle):
    _class.__module__ = "torch.monitor"
