"""Profiles that follow the steps of a program: which are skipped, which are kept, and who gets what was seen."""

import enum
import json
import os
import socket
import time
import warnings

from ..autograd.profiler import _Recording, record_function

__all__ = ["supported_activities", "ProfilerAction", "schedule", "tensorboard_trace_handler", "profile", "ProfilerActivity"]


class ProfilerActivity(enum.Enum):
    """What is looked at. Only the CPU is there."""

    CPU, XPU, MTIA, CUDA, HPU, PrivateUse1 = range(6)


class ProfilerAction(enum.Enum):
    """What happens in a step."""

    NONE, WARMUP, RECORD, RECORD_AND_SAVE = range(4)


def supported_activities():
    """What can be looked at."""
    return {ProfilerActivity.CPU}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """Skips `skip_first` steps, then again and again: waits, warms up, and looks at `active` steps; `repeat` times, or for ever."""
    if not (wait >= 0 and warmup >= 0 and active > 0 and repeat >= 0 and skip_first >= 0):
        raise AssertionError("Invalid profiler schedule arguments")
    if warmup == 0:
        warnings.warn("Profiler won't be using warmup, this can skew profiler results", stacklevel=2)
    cycle = wait + warmup + active

    def action(step):
        if step < 0:
            raise AssertionError("Step must be non-negative")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait:  # the first cycle does not wait
            step += wait
        if repeat > 0 and step // cycle >= repeat:
            return ProfilerAction.NONE
        at = step % cycle
        if at < wait:
            return ProfilerAction.NONE
        if at < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if at < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


def _default_schedule_fn(_):
    return ProfilerAction.RECORD


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """For on_trace_ready: writes each trace into a directory."""

    def handle(prof):
        try:
            os.makedirs(dir_name, exist_ok=True)
        except Exception as error:
            raise RuntimeError("Can't create directory: " + dir_name) from error
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"))

    return handle


class _KinetoProfile:
    """A profile that is begun and ended by hand."""

    def __init__(self, *, activities=None, record_shapes=False, profile_memory=False, with_stack=False, with_flops=False, with_modules=False,
                 experimental_config=None, execution_trace_observer=None, acc_events=False, custom_trace_id_callback=None, post_processing_timeout_s=None):
        self.activities = set(activities) if activities else supported_activities()
        if ProfilerActivity.CPU not in self.activities:
            warnings.warn("torch.profiler: there is no device but the CPU, so nothing will be seen", stacklevel=3)
        self.record_shapes, self.profile_memory, self.with_stack = record_shapes, profile_memory, with_stack
        self.with_flops, self.with_modules = with_flops, with_modules
        self.profiler, self._metadata, self._events = None, {}, None

    def start(self):
        """Begins."""
        self.prepare_trace()
        self.start_trace()

    def stop(self):
        """Ends."""
        self.stop_trace()

    def prepare_trace(self):
        """Makes room for events."""
        self.profiler = _Recording(self.record_shapes or self.with_flops, self.profile_memory, self.with_stack)

    def start_trace(self):
        """From here on events are kept."""
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before starting trace")
        self.profiler.start()

    def stop_trace(self):
        """Keeps what was seen."""
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before stopping trace")
        self.profiler.stop()
        self._events = self.profiler.list()

    def events(self):
        """What was seen."""
        if self._events is None:
            raise AssertionError("Profiler must be initialized before accessing events")
        return self._events

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """The sums by name."""
        return self.events().key_averages(group_by_input_shape, group_by_stack_n)

    def export_chrome_trace(self, path):
        """Writes a file for chrome://tracing or Perfetto."""
        self.events().export_chrome_trace(path, self._metadata)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Writes the stacks with their times."""
        self.events().export_stacks(path, metric)

    def add_metadata(self, key, value):
        """A text that the trace says."""
        self._metadata[key] = value

    def add_metadata_json(self, key, value):
        """A value, as JSON, that the trace says."""
        self._metadata[key] = json.loads(value)

    preset_metadata_json = add_metadata_json

    def toggle_collection_dynamic(self, enable, activities):
        """Goes on, or pauses."""
        if enable:
            self.profiler.start()
        else:
            self.profiler.stop()


class profile(_KinetoProfile):
    """Measures what runs within it. With a schedule, step() says where a step ends, and on_trace_ready gets the profile of each cycle."""

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False, with_stack=False,
                 with_flops=False, with_modules=False, experimental_config=None, execution_trace_observer=None, acc_events=False, use_cuda=None,
                 custom_trace_id_callback=None, post_processing_timeout_s=None):
        super().__init__(activities=activities, record_shapes=record_shapes, profile_memory=profile_memory, with_stack=with_stack,
                         with_flops=with_flops, with_modules=with_modules)
        self.schedule = schedule or _default_schedule_fn
        self.record_steps, self.on_trace_ready = bool(schedule), on_trace_ready
        self.step_num, self.step_rec_fn = 0, None
        self.current_action = self.schedule(0)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def _is_on(self):
        return self.profiler is not None and self.profiler.mode is not None

    def _go(self, before, after):
        """From one action to the next."""
        records = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        if self._is_on() and (before is ProfilerAction.RECORD_AND_SAVE or before in records and after not in records):
            self.stop_trace()
            if self.on_trace_ready:
                self.on_trace_ready(self)
        if after in records and not self._is_on():
            self.prepare_trace()
            self.start_trace()

    def start(self):
        """Begins, if the schedule says so."""
        self._go(None, self.current_action)
        self._begin_step()

    def stop(self):
        """Ends; what was being looked at is given to on_trace_ready."""
        self._end_step()
        self._go(self.current_action, None)

    def step(self):
        """The next step begins."""
        self._end_step()
        before, self.step_num = self.current_action, self.step_num + 1
        self.current_action = self.schedule(self.step_num)
        self._go(before, self.current_action)
        self._begin_step()

    def _begin_step(self):
        if self.record_steps:
            self.step_rec_fn = record_function("ProfilerStep*")
            self.step_rec_fn.__enter__()

    def _end_step(self):
        if self.step_rec_fn is not None:
            self.step_rec_fn.__exit__(None, None, None)
            self.step_rec_fn = None

    def set_custom_trace_id_callback(self, callback):
        """Traces have no numbers of their own here: nothing to do."""

    def get_trace_id(self):
        """None: traces have no numbers of their own."""
        return None


for _thing in (ProfilerActivity, ProfilerAction, supported_activities, schedule, tensorboard_trace_handler, _KinetoProfile, profile):
    _thing.__module__ = "torch.profiler.profiler"
for _thing in (ProfilerActivity,):
    _thing.__module__ = "torch.profiler"
del _thing
