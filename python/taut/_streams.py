"""Streams and events: on the CPU an op is done when it returns, so there is nothing to wait for, and no moment to record."""

from ._types import _defaults, device as Device


def _no_events(*args, **kwargs):
    """Raises: there are none on the CPU."""
    raise RuntimeError("cpu backend doesn't support events.")


def _nothing(self, *args, **kwargs):
    """Nothing to wait for."""


def _done(self):
    """Is all work done? Yes."""
    return True


def _placed(device):
    return _defaults.device if device is None else Device(device).check()


class Stream:
    """Where ops are queued: on the CPU nowhere."""

    def __init__(self, device=None, *, priority=0):
        self.device, self.device_index, self.stream_id = _placed(device), -1, 0

    query, synchronize, wait_event, wait_stream, record_event = _done, _nothing, _nothing, _no_events, _no_events

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def __eq__(self, other):
        return isinstance(other, Stream) and self.device == other.device

    def __hash__(self):
        return hash((self.device, self.stream_id))

    def __repr__(self):
        return f"torch.Stream device_type={self.device.type}, device_index=-1, stream_id=0"


class Event:
    """A moment among the ops of a stream."""

    def __init__(self, device=None, *, enable_timing=False, blocking=False, interprocess=False):
        self.device, self.event_id = _placed(device), 0
        self._timed = enable_timing

    query, wait, synchronize, record = _done, _nothing, _nothing, _no_events

    def elapsed_time(self, end_event):
        """Raises, as no moment can be recorded."""
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        raise ValueError("Both events must be recorded before calculating elapsed time.")

    def __repr__(self):
        return f"torch.Event device_type={self.device.type}, device_index=-1, event_flag=0, event_id=0"


Stream.__module__ = Event.__module__ = "torch"
