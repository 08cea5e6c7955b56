"""GradScaler: losses scaled up so that small gradients survive a short dtype."""

import warnings

from .. import _C
from .._C import Tensor
from .._pickling import ByName


_STATE = "scale", "growth_factor", "backoff_factor", "growth_interval", "_growth_tracker"


def _gradients(optimizer):
    return [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]


class GradScaler(ByName):
    """Scales losses up and gradients down again; skips steps whose gradients are not finite.

    For the device "cuda" it switches itself off, with a warning, and all calls pass through.
    """

    def __init__(self, device="cuda", init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda":
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2)
            self._enabled = False
        self._scaler = _C._GradScaler(init_scale, growth_factor, backoff_factor, growth_interval, self._enabled)

    def scale(self, outputs):
        """The loss (or several) times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return self._scaler.scale(outputs)
        if isinstance(outputs, (list, tuple)):
            return type(outputs)(self.scale(o) for o in outputs)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer):
        """Divides the gradients of an optimiser by the scale, in place; for clipping before step."""
        if self._enabled:
            self._scaler.unscale_(id(optimizer), _gradients(optimizer))

    def step(self, optimizer, *args, **kwargs):
        """A step of the optimiser, unless a gradient is infinite or NaN."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        if self._scaler.begin_step(id(optimizer), _gradients(optimizer)):
            return optimizer.step(*args, **kwargs)
        return None

    def update(self, new_scale=None):
        """After the steps: a smaller scale if one was skipped, a larger one after many that were not."""
        if not self._enabled:
            return
        if new_scale is None:
            self._scaler.update()
            return
        if not isinstance(new_scale, float) and not (isinstance(new_scale, Tensor) and new_scale.numel() == 1
                                                     and not new_scale.requires_grad):
            raise AssertionError("new_scale should be a float or a 1-element torch.cuda.FloatTensor or "
                                 "torch.FloatTensor with requires_grad=False.")
        self._scaler.update(float(new_scale))

    def get_scale(self):
        """The scale."""
        return self._scaler.scale_value

    def get_growth_factor(self):
        """What the scale grows by."""
        return self._scaler.growth_factor

    def set_growth_factor(self, new_factor):
        """Sets what the scale grows by."""
        self._scaler.growth_factor = new_factor

    def get_backoff_factor(self):
        """What the scale shrinks by."""
        return self._scaler.backoff_factor

    def set_backoff_factor(self, new_factor):
        """Sets what the scale shrinks by."""
        self._scaler.backoff_factor = new_factor

    def get_growth_interval(self):
        """After how many good steps the scale grows."""
        return self._scaler.growth_interval

    def set_growth_interval(self, new_interval):
        """Sets after how many good steps the scale grows."""
        self._scaler.growth_interval = new_interval

    def is_enabled(self):
        """Does it do anything?"""
        return self._enabled

    def state_dict(self):
        """What is saved; empty when it is switched off."""
        if not self._enabled:
            return {}
        of = self._scaler
        return {"scale": of.scale_value, "growth_factor": of.growth_factor, "backoff_factor": of.backoff_factor,
                "growth_interval": of.growth_interval, "_growth_tracker": of.growth_tracker}

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled instance "
                               "of GradScaler.")
        self._scaler.load(*(state_dict[name] for name in _STATE))

    def __getstate__(self):
        if not self._scaler.is_between_steps:
            raise AssertionError("A GradScaler instance may only be pickled at the beginning of an iteration, or at "
                                 "the end after scaler.update().")
        return {"_device": self._device, "_enabled": self._enabled, **self.state_dict()}

    def __setstate__(self, state):
        self._device, self._enabled = state["_device"], state["_enabled"]
        self._scaler = _C._GradScaler(65536.0, 2.0, 0.5, 2000, self._enabled)
        self.load_state_dict(state)


GradScaler.__module__ = "torch.amp.grad_scaler"
