"""torch.profiler: what runs when, over the steps of a training."""

from ..autograd.profiler import KinetoStepTracker, record_function  # noqa: F401
from .profiler import (ProfilerAction, ProfilerActivity, _KinetoProfile, profile, schedule, supported_activities,  # noqa: F401
                       tensorboard_trace_handler)

__all__ = ["profile", "schedule", "supported_activities", "tensorboard_trace_handler", "ProfilerAction", "ProfilerActivity", "kineto_available",
           "record_function"]


def kineto_available():
    """True: profiles have schedules and traces."""
    return True


kineto_available.__module__ = "torch.profiler"


def __getattr__(name):
    raise AttributeError(f"torch.profiler.{name} is not part of Taut")
