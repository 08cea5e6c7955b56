"""Schedulers: the learning rate as a function of time. The order of operations is PyTorch's, and so are the numbers."""

import math
import types
import warnings
import weakref
from bisect import bisect_right
from collections import Counter
from functools import partial, wraps

from .._C import Tensor
from .._pickling import ByName
from .optimizer import Optimizer

__all__ = ["LambdaLR", "MultiplicativeLR", "StepLR", "MultiStepLR", "ConstantLR", "LinearLR", "ExponentialLR",
           "SequentialLR", "CosineAnnealingLR", "ChainedScheduler", "ReduceLROnPlateau", "CyclicLR",
           "CosineAnnealingWarmRestarts", "OneCycleLR", "PolynomialLR", "LRScheduler"]

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose.")
_SEE = "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"


def _check_optimizer(optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
    return optimizer


def _per_group(name, optimizer, value):
    """A value for each group: a list of them, or one for all."""
    n = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        value = [value] * n
    elif len(value) != n:
        raise ValueError(f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, "
                         f"param_groups has {n}.")
    return [v.clone() if isinstance(v, Tensor) else v for v in value]


def _values(optimizer, key="lr"):
    """That option of all groups; tensors are copied."""
    return [v.clone() if isinstance(v, Tensor) else v for v in (group[key] for group in optimizer.param_groups)]


def _set_lr(group, value):
    """Sets the rate of a group; one that is a tensor stays that tensor."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(value.item() if isinstance(value, Tensor) else value)
    else:
        group["lr"] = value


def _check_positive_int(name, value):
    if value <= 0 or not isinstance(value, int):
        raise ValueError(f"Expected positive integer {name}, but got {value}")


class LRScheduler(ByName):
    """The base of all schedulers. Call step() after each epoch (or batch), when the optimiser has made its steps."""

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer = _check_optimizer(optimizer)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                lr = group["lr"]
                group.setdefault("initial_lr", lr.clone() if isinstance(lr, Tensor) else lr)
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with "
                               "last_epoch >= 0.\nLoad the state of the optimizer first, or begin with last_epoch=-1")
        self.base_lrs = _values(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _note_steps(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self):
        """Everything but the optimiser."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        """The rates of the groups that this scheduler set last."""
        return self._last_lr

    def get_lr(self):
        """The next rates; for step() to call."""
        raise NotImplementedError

    def _warn_outside_step(self):
        if not self._get_lr_called_within_step:
            warnings.warn("To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                          UserWarning, stacklevel=3)

    def step(self, epoch=None):
        """Sets the next rates."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warnings.warn("Seems like `optimizer.step()` has been overridden after learning rate scheduler "
                              "initialization. Please, make sure to call `optimizer.step()` before "
                              "`lr_scheduler.step()`. " + _SEE, UserWarning, stacklevel=2)
            elif not getattr(self.optimizer, "_opt_called", False):
                warnings.warn("Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and "
                              "later, you should call them in the opposite order: `optimizer.step()` before "
                              "`lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping the first "
                              "value of the learning rate schedule. " + _SEE, UserWarning, stacklevel=2)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        if epoch is None:
            self.last_epoch += 1
        else:
            self.last_epoch = epoch
        closed = getattr(self, "_get_closed_form_lr", None) if epoch is not None else None
        self._apply(closed or self.get_lr)

    def _apply(self, compute):
        self._get_lr_called_within_step = True
        try:
            rates = compute()
        finally:
            self._get_lr_called_within_step = False
        groups = self.optimizer.param_groups
        if len(rates) != len(groups):
            raise ValueError(f"{type(self).__name__} has {len(rates)} learning rates, the optimizer {len(groups)} "
                             "param_groups")
        for group, lr in zip(groups, rates):
            _set_lr(group, lr)
        self._last_lr = _values(self.optimizer)

    def _scaled(self, factor):
        return [group["lr"] * factor for group in self.optimizer.param_groups]


def _note_steps(optimizer):
    """Makes the optimiser remember that step() was called, for the warning about the order of calls."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    step = optimizer.step.__func__
    held = weakref.ref(optimizer)

    @wraps(step)
    def noted(*args, **kwargs):
        optimizer = held()
        optimizer._opt_called = True
        return step.__get__(optimizer, type(optimizer))(*args, **kwargs)

    noted._wrapped_by_lr_sched = True
    optimizer.step = noted


class _LRScheduler(LRScheduler):
    """The old name of LRScheduler."""


class _ByLambda(LRScheduler):
    """Functions of the user, one for all groups or one for each. Only functions that are objects are saved."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        n = len(_check_optimizer(optimizer).param_groups)
        if not isinstance(lr_lambda, (list, tuple)):
            lr_lambda = [lr_lambda] * n
        elif len(lr_lambda) != n:
            raise ValueError(f"Expected {n} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda)
        for f in self.lr_lambdas:
            if not callable(f):
                raise TypeError(f"lr_lambda should be a function, but got {type(f).__name__}")
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        """Everything but the optimiser; of the functions, the attributes of those that are objects."""
        state = super().state_dict()
        state["lr_lambdas"] = [None if isinstance(f, types.FunctionType) else f.__dict__.copy()
                               for f in state.pop("lr_lambdas")]
        return state

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for f, attributes in zip(self.lr_lambdas, state_dict["lr_lambdas"]):
            if attributes is not None:
                f.__dict__.update(attributes)


class LambdaLR(_ByLambda):
    """The first rate times lr_lambda(epoch)."""

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        return [lr * f(self.last_epoch) for f, lr in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(_ByLambda):
    """The rate so far times lr_lambda(epoch)."""

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        if self._is_initial:
            return _values(self.optimizer)
        return [group["lr"] * f(self.last_epoch) for f, group in zip(self.lr_lambdas, self.optimizer.param_groups)]


class StepLR(LRScheduler):
    """The rate times gamma after every step_size epochs."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return _values(self.optimizer)
        return self._scaled(self.gamma)

    def _get_closed_form_lr(self):
        return [lr * self.gamma ** (self.last_epoch // self.step_size) for lr in self.base_lrs]


class MultiStepLR(LRScheduler):
    """The rate times gamma at each milestone."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        if self.last_epoch not in self.milestones:
            return _values(self.optimizer)
        return self._scaled(self.gamma ** self.milestones[self.last_epoch])

    def _get_closed_form_lr(self):
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [lr * self.gamma ** passed for lr in self.base_lrs]


class ConstantLR(LRScheduler):
    """The rate times factor for total_iters epochs, then as it was."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1.0 / self.factor) if self.last_epoch == self.total_iters else _values(self.optimizer)

    def _get_closed_form_lr(self):
        return [lr * (self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)) for lr in self.base_lrs]


class LinearLR(LRScheduler):
    """A factor that goes evenly from start_factor to end_factor in total_iters epochs."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        if self.last_epoch == 0:
            return self._scaled(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return _values(self.optimizer)
        span = self.end_factor - self.start_factor
        return self._scaled(1.0 + span / (self.total_iters * self.start_factor + (self.last_epoch - 1) * span))

    def _get_closed_form_lr(self):
        span = self.end_factor - self.start_factor
        return [lr * (self.start_factor + span * min(self.total_iters, self.last_epoch) / self.total_iters)
                for lr in self.base_lrs]


class ExponentialLR(LRScheduler):
    """The rate times gamma after every epoch."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        return _values(self.optimizer) if self._is_initial else self._scaled(self.gamma)

    def _get_closed_form_lr(self):
        return [lr * self.gamma ** self.last_epoch for lr in self.base_lrs]


class PolynomialLR(LRScheduler):
    """A polynomial that reaches zero after total_iters epochs."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        if self._is_initial or self.last_epoch > self.total_iters:
            return _values(self.optimizer)
        epoch, total = self.last_epoch, self.total_iters
        return self._scaled(((1.0 - epoch / total) / (1.0 - (epoch - 1) / total)) ** self.power)

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [lr * left ** self.power for lr in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the first rate down to eta_min in T_max epochs, and up again."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        if self._is_initial:
            return _values(self.optimizer)
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        groups, low, period = self.optimizer.param_groups, self.eta_min, self.T_max
        if (self.last_epoch - 1 - period) % (2 * period) == 0:
            rise = 1 - math.cos(math.pi / period)
            return [group["lr"] + (lr - low) * rise / 2 for lr, group in zip(self.base_lrs, groups)]
        now = 1 + math.cos(math.pi * self.last_epoch / period)
        before = 1 + math.cos(math.pi * (self.last_epoch - 1) / period)
        return [now / before * (group["lr"] - low) + low for group in groups]

    def _get_closed_form_lr(self):
        low = self.eta_min
        return [low + (lr - low) * (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2 for lr in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine down to eta_min, again and again; each time T_mult times as long, T_0 epochs at first."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        _check_positive_int("T_0", T_0)
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min, self.T_cur = T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        low = self.eta_min
        return [low + (lr - low) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2 for lr in self.base_lrs]

    def step(self, epoch=None):
        """Sets the next rates, or those at an epoch, which may be a fraction."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        elif epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            restarts = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult ** restarts - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult ** restarts
        self.last_epoch = math.floor(epoch)
        self._apply(self.get_lr)


class _Cycling(LRScheduler):
    """Schedulers that move the momentum (or the first of betas) against the rate."""

    def _start_momentum(self, optimizer, base_momentum, max_momentum, last_epoch):
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in optimizer.defaults
        base = _per_group("base_momentum", optimizer, base_momentum)
        high = _per_group("max_momentum", optimizer, max_momentum)
        if last_epoch == -1:
            for group, b, h in zip(optimizer.param_groups, base, high):
                self._set_momentum(group, h)
                group["max_momentum"], group["base_momentum"] = h, b
        return base, high

    def _set_momentum(self, group, value):
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


class CyclicLR(_Cycling):
    """The rate goes up to max_lr and down to base_lr, again and again; step() after each batch."""

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0,
                 scale_fn=None, scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9,
                 last_epoch=-1):
        self.optimizer = _check_optimizer(optimizer)
        base_lrs = _per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for lr, group in zip(base_lrs, optimizer.param_groups):
                _set_lr(group, lr)
        self.max_lrs = _per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma = mode, gamma
        self._scale_fn_custom, self.scale_mode = scale_fn, scale_mode
        self._choose_scale()
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            started = self._start_momentum(optimizer, base_momentum, max_momentum, last_epoch)
            self.base_momentums, self.max_momentums = started
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def _choose_scale(self):
        if self._scale_fn_custom is not None:
            return
        known = {"triangular": _constant, "triangular2": _halving}
        self._scale_fn_ref = known.get(self.mode) or partial(pow, self.gamma)
        self.scale_mode = "iterations" if self.mode == "exp_range" else "cycle"

    def scale_fn(self, x):
        """How high the cycle (or iteration) number x goes."""
        return (self._scale_fn_ref if self._scale_fn_custom is None else self._scale_fn_custom)(x)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                self._set_momentum(group, high - (high - low) * height * scale)
        return [low + (high - low) * height * scale for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self):
        """Everything but the optimiser; of a scale_fn that is an object, its attributes."""
        state = super().state_dict()
        state.pop("_scale_fn_ref", None)
        f = state["_scale_fn_custom"]
        state["_scale_fn_custom"] = None if f is None or isinstance(f, types.FunctionType) else f.__dict__.copy()
        return state

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_scale_fn_custom"})
        if state_dict["_scale_fn_custom"] is not None:
            self._scale_fn_custom.__dict__.update(state_dict["_scale_fn_custom"])
        self._choose_scale()


def _constant(x):
    return 1.0


def _halving(x):
    return 1 / (2.0 ** (x - 1))


class OneCycleLR(_Cycling):
    """The rate goes up to max_lr once, then down to far below where it began; step() after each batch."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
                 anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0,
                 final_div_factor=1e4, three_phase=False, last_epoch=-1):
        self.optimizer = _check_optimizer(optimizer)
        if total_steps is not None:
            _check_positive_int("total_steps", total_steps)
            self.total_steps = total_steps
        elif epochs is not None and steps_per_epoch is not None:
            _check_positive_int("epochs", epochs)
            _check_positive_int("steps_per_epoch", steps_per_epoch)
            self.total_steps = epochs * steps_per_epoch
        else:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")

        def phase(end, lr_from, lr_to, momentum_from, momentum_to):
            return {"end_step": end, "start_lr": lr_from, "end_lr": lr_to, "start_momentum": momentum_from,
                    "end_momentum": momentum_to}

        peak = float(pct_start * self.total_steps) - 1
        self._schedule_phases = [phase(peak, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
        if three_phase:
            self._schedule_phases += [
                phase(float(2 * pct_start * self.total_steps) - 2, "max_lr", "initial_lr", "base_momentum",
                      "max_momentum"),
                phase(self.total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")]
        else:
            self._schedule_phases.append(phase(self.total_steps - 1, "max_lr", "min_lr", "base_momentum",
                                               "max_momentum"))
        self._anneal_func_type = anneal_strategy
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, _per_group("max_lr", optimizer, max_lr)):
                group["initial_lr"] = lr / div_factor
                group["max_lr"] = lr
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(optimizer, base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _anneal(self, start, end, share):
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        begin = 0
        for phase in self._schedule_phases:
            if step <= phase["end_step"] or phase is self._schedule_phases[-1]:
                break
            begin = phase["end_step"]
        share = (step - begin) / (phase["end_step"] - begin)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._anneal(group[phase["start_lr"]], group[phase["end_lr"]], share))
            if self.cycle_momentum:
                self._set_momentum(group, self._anneal(group[phase["start_momentum"]], group[phase["end_momentum"]],
                                                       share))
        return rates


class _Several(LRScheduler):
    """Schedulers made of others."""

    def _check_parts(self, optimizer, schedulers):
        """The optimiser that all belong to."""
        name = type(self).__name__
        if len(schedulers) < 1:
            raise ValueError(f"{name} expects at least one scheduler, but got no scheduler.")
        optimizer = optimizer or getattr(schedulers[0], "optimizer", None)
        for i, part in enumerate(schedulers):
            if not hasattr(part, "optimizer"):
                raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute.")
            if isinstance(part, ReduceLROnPlateau):
                raise ValueError(f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional "
                                 f"kwargs to be specified when calling `step`, but got one at index {i} in the given "
                                 "schedulers sequence.")
            if part.optimizer is not optimizer:
                raise ValueError(f"{name} expects all schedulers to belong to the same optimizer, but got scheduler "
                                 f"{type(part).__name__} at index {i} has {part.optimizer}, which is different from "
                                 f"{type(optimizer).__name__}.")
        return optimizer

    def state_dict(self):
        """Everything but the optimiser; of the schedulers, their states."""
        return {**super().state_dict(), "_schedulers": [part.state_dict() for part in self._schedulers]}

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for part, state in zip(self._schedulers, state_dict["_schedulers"]):
            part.load_state_dict(state)


class SequentialLR(_Several):
    """One scheduler after the other, changing at the milestones."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        self._check_parts(optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError("Sequential Schedulers expects number of schedulers provided to be one more than the "
                             f"number of milestone points, but got number of schedulers {len(schedulers)} and the "
                             f"number of milestones to be equal to {len(milestones)}")
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Each scheduler made its first step when it was made: undo them all, and do that of the first one again.
        for group in optimizer.param_groups:
            _set_lr(group, group["initial_lr"])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched=None):
        """Takes the first steps of the schedulers back."""
        sched = self if sched is None else sched
        if hasattr(sched, "_schedulers"):
            for part in sched._schedulers:
                self.recursive_undo(part)
        elif hasattr(sched, "last_epoch"):
            sched.last_epoch -= 1

    def step(self):
        """Sets the next rates."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        now = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            now._update_lr(0)
        else:
            now.step()
        self._last_lr = now.get_last_lr()


class ChainedScheduler(_Several):
    """All schedulers at once, each working on the rate the one before it left."""

    def __init__(self, schedulers, optimizer=None):
        self.optimizer = self._check_parts(optimizer, schedulers)
        self._schedulers = schedulers
        self._last_lr = _values(self.optimizer)

    def step(self):
        """Sets the next rates."""
        for part in self._schedulers:
            part.step()
        self._last_lr = _values(self.optimizer)


class ReduceLROnPlateau(LRScheduler):
    """The rate times factor when a metric has not improved for more than `patience` epochs; step(metric) after each."""

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0,
                 min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.factor = factor
        self.optimizer = _check_optimizer(optimizer)
        if isinstance(min_lr, (list, tuple)):
            if len(min_lr) != len(optimizer.param_groups):
                raise ValueError(f"expected {len(optimizer.param_groups)} min_lrs, got {len(min_lr)}")
            self.default_min_lr = None
            self.min_lrs = list(min_lr)
        else:
            self.default_min_lr = min_lr
            self.min_lrs = [min_lr] * len(optimizer.param_groups)
        self.patience, self.cooldown, self.eps = patience, cooldown, eps
        self.last_epoch = 0
        self._last_lr = _values(optimizer)
        self._init_is_better(mode, threshold, threshold_mode)
        self._reset()

    def _init_is_better(self, mode, threshold, threshold_mode):
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode

    def _reset(self):
        """Forgets the metrics seen."""
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

    def step(self, metrics, epoch=None):
        """Looks at the metric of an epoch."""
        current = float(metrics)
        if epoch is None:
            epoch = self.last_epoch + 1
        else:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self.last_epoch = epoch
        if self._is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr(epoch)
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = _values(self.optimizer)

    def _reduce_lr(self, epoch):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(f"The number of param groups in the `optimizer` ({len(groups)}) differs from when "
                                   f"`ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due to a new "
                                   "param group being added to the optimizer. Please modify the `min_lrs` field to "
                                   "match the length of the `optimizer` param groups.")
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, low in zip(groups, self.min_lrs):
            before = float(group["lr"])
            after = max(before * self.factor, low)
            if before - after > self.eps:
                _set_lr(group, after)

    @property
    def in_cooldown(self):
        """Is it waiting after a reduction?"""
        return self.cooldown_counter > 0

    def is_better(self, a, best):
        """Is `a` an improvement over `best`?"""
        return self._is_better(a, best)

    def _is_better(self, a, best):
        relative = self.threshold_mode == "rel"
        if self.mode == "min":
            return a < (best * (1.0 - self.threshold) if relative else best - self.threshold)
        return a > (best * (self.threshold + 1.0) if relative else best + self.threshold)

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        self.__dict__.update(state_dict)
        self._init_is_better(self.mode, self.threshold, self.threshold_mode)


for _name in __all__:
    globals()[_name].__module__ = "torch.optim.lr_scheduler"
