"""GradScaler: losses scaled up so that small gradients survive a short dtype."""

import warnings
from collections import defaultdict

from .. import _C
from .._C import Tensor
from .._pickling import ByName


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
        if self._enabled:
            if growth_factor <= 1.0:
                raise AssertionError("The growth factor must be > 1.0.")
            if backoff_factor >= 1.0:
                raise AssertionError("The backoff factor must be < 1.0.")
        self._scale = float(init_scale)
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0
        # Of an optimiser since the last update: was it unscaled, was something not finite?
        self._found = defaultdict(dict)

    def scale(self, outputs):
        """The loss (or several) times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self._scale
        if isinstance(outputs, (list, tuple)):
            return type(outputs)(self.scale(o) for o in outputs)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer):
        """Divides the gradients of an optimiser by the scale, in place; for clipping before step."""
        if not self._enabled:
            return
        found = self._found[id(optimizer)]
        if found.get("stepped"):
            raise RuntimeError("unscale_() is being called after step().")
        if "inf" in found:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        found["inf"] = False
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if p.grad.dtype is _C.float16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                grad = p.grad.detach()
                if not _C.ops["isfinite"](grad).all():
                    found["inf"] = True
                grad.mul_(1.0 / self._scale)

    def step(self, optimizer, *args, **kwargs):
        """A step of the optimiser, unless a gradient is infinite or NaN."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        found = self._found[id(optimizer)]
        if found.get("stepped"):
            raise RuntimeError("step() has already been called since the last update().")
        if "inf" not in found:
            self.unscale_(optimizer)
        found["stepped"] = True
        return None if found["inf"] else optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        """After the steps: a smaller scale if one was skipped, a larger one after many that were not."""
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        else:
            if not any("inf" in found for found in self._found.values()):
                raise AssertionError("No inf checks were recorded prior to update.")
            if any(found.get("inf") for found in self._found.values()):
                self._scale *= self._backoff_factor
                self._growth_tracker = 0
            else:
                self._growth_tracker += 1
                if self._growth_tracker == self._growth_interval:
                    self._scale *= self._growth_factor
                    self._growth_tracker = 0
        self._found.clear()

    def get_scale(self):
        """The scale."""
        return self._scale if self._enabled else 1.0

    def get_growth_factor(self):
        """What the scale grows by."""
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        """Sets what the scale grows by."""
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        """What the scale shrinks by."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        """Sets what the scale shrinks by."""
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        """After how many good steps the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        """Sets after how many good steps the scale grows."""
        self._growth_interval = new_interval

    def is_enabled(self):
        """Does it do anything?"""
        return self._enabled

    def state_dict(self):
        """What is saved; empty when it is switched off."""
        if not self._enabled:
            return {}
        return {"scale": self.get_scale(), "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval, "_growth_tracker": self._growth_tracker}

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled instance "
                               "of GradScaler.")
        self._scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._growth_tracker = state_dict["_growth_tracker"]


GradScaler.__module__ = "torch.amp.grad_scaler"
