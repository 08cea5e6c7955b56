"""Schedulers: the learning rate as a function of time. Here is what PyTorch's classes look like; what they compute is
the library's table of schedules (include/taut/optim/schedules.h), of which a default of `...` is taken too."""

import types
import warnings
import weakref
from bisect import bisect_right
from collections import Counter
from functools import wraps

from .. import _C
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


def _values(optimizer, key="lr"):
    """That option of all groups; tensors are copied."""
    return [v.clone() if isinstance(v, Tensor) else v for v in (group[key] for group in optimizer.param_groups)]


def _set_lr(group, value):
    """Sets the rate of a group; one that is a tensor stays that tensor."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(value.item() if isinstance(value, Tensor) else value)
    else:
        group["lr"] = value


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


class _Scheduled(LRScheduler):
    """A scheduler whose rates are those of the schedule with the name of its class."""

    def __init__(self, optimizer, last_epoch=-1):
        self._prepare(optimizer, self._settings())
        super().__init__(optimizer, last_epoch)

    def _prepare(self, optimizer, arguments):
        """Checks the arguments; returns all settings, those that follow from the arguments too."""
        return _C._schedule_prepare(self._schedule, arguments, len(_check_optimizer(optimizer).param_groups))

    def _settings(self):
        """What the schedule is to know; our attributes have PyTorch's names, which are the settings' too."""
        return self.__dict__

    def _of_groups(self, key):
        return [group[key] for group in self.optimizer.param_groups if key in group]

    def _rates(self, closed_form):
        """The rates, and momenta or nothing."""
        return _C._schedule_rates(self._schedule, self._settings(), self.last_epoch, self._step_count,
                                  self._is_initial, self.base_lrs, self._of_groups("lr"), closed_form)

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        return self._rates(False)[0]


class _ClosedForm(_Scheduled):
    """One whose rates can be worked out for any epoch."""

    def _get_closed_form_lr(self):
        return self._rates(True)[0]


class StepLR(_ClosedForm):
    """The rate times gamma after every step_size epochs."""

    def __init__(self, optimizer, step_size, gamma=..., last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)


class MultiStepLR(_ClosedForm):
    """The rate times gamma at each milestone."""

    def __init__(self, optimizer, milestones, gamma=..., last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _settings(self):
        return {**self.__dict__, "milestones": sorted(self.milestones.elements())}


class ConstantLR(_ClosedForm):
    """The rate times factor for total_iters epochs, then as it was."""

    def __init__(self, optimizer, factor=..., total_iters=..., last_epoch=-1):
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)


class LinearLR(_ClosedForm):
    """A factor that goes evenly from start_factor to end_factor in total_iters epochs."""

    def __init__(self, optimizer, start_factor=..., end_factor=..., total_iters=..., last_epoch=-1):
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)


class ExponentialLR(_ClosedForm):
    """The rate times gamma after every epoch."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)


class PolynomialLR(_ClosedForm):
    """A polynomial that reaches zero after total_iters epochs."""

    def __init__(self, optimizer, total_iters=..., power=..., last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)


class CosineAnnealingLR(_ClosedForm):
    """Half a cosine from the first rate down to eta_min in T_max epochs, and up again."""

    def __init__(self, optimizer, T_max, eta_min=..., last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)


class CosineAnnealingWarmRestarts(_Scheduled):
    """Half a cosine down to eta_min, again and again; each time T_mult times as long, T_0 epochs at first."""

    def __init__(self, optimizer, T_0, T_mult=..., eta_min=..., last_epoch=-1):
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min, self.T_cur = T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def step(self, epoch=None):
        """Sets the next rates, or those at an epoch, which may be a fraction."""
        self.__dict__.update(_C._schedule_next(self._schedule, self.__dict__, epoch))
        self._apply(self.get_lr)


class _Cycling(_Scheduled):
    """Schedulers that move the momentum (or the first of betas) against the rate."""

    def _prepare(self, optimizer, arguments):
        known = [key for key in ("betas", "momentum") if key in _check_optimizer(optimizer).defaults]
        return super()._prepare(optimizer, {**arguments, "has_momentum": bool(known)})

    def _start(self, optimizer, made, last_epoch):
        self.cycle_momentum = made["cycle_momentum"]
        if self.cycle_momentum:
            self.use_beta1 = "betas" in optimizer.defaults
            if last_epoch == -1:
                for group, low, high in zip(optimizer.param_groups, made["base_momentums"], made["max_momentums"]):
                    group["max_momentum"], group["base_momentum"] = high, low
        LRScheduler.__init__(self, optimizer, last_epoch)

    def get_lr(self):
        """The next rates; sets the momenta."""
        self._warn_outside_step()
        rates, momenta = self._rates(False)
        for group, momentum in zip(self.optimizer.param_groups, momenta):
            if self.use_beta1:
                group["betas"] = (momentum, *group["betas"][1:])
            else:
                group["momentum"] = momentum
        return rates


class CyclicLR(_Cycling):
    """The rate goes up to max_lr and down to base_lr, again and again; step() after each batch."""

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=..., step_size_down=None, mode=..., gamma=...,
                 scale_fn=None, scale_mode=..., cycle_momentum=..., base_momentum=..., max_momentum=...,
                 last_epoch=-1):
        made = self._prepare(optimizer, dict(
            base_lr=base_lr, max_lr=max_lr, step_size_up=step_size_up, step_size_down=step_size_down, mode=mode,
            gamma=gamma, scale_fn=scale_fn, scale_mode=scale_mode, cycle_momentum=cycle_momentum,
            base_momentum=base_momentum, max_momentum=max_momentum))
        if last_epoch == -1:
            for lr, group in zip(made["base_lrs"], optimizer.param_groups):
                _set_lr(group, lr)
        kept = ["max_lrs", "total_size", "step_ratio", "mode", "gamma", "scale_mode"]
        kept += ["base_momentums", "max_momentums"] if cycle_momentum else []
        self.__dict__.update({name: made[name] for name in kept})
        self._scale_fn_custom = scale_fn
        self._start(optimizer, made, last_epoch)
        self.base_lrs = made["base_lrs"]

    def _settings(self):
        return {**self.__dict__, "scale_fn": self.scale_fn}

    def scale_fn(self, x):
        """How high the cycle (or iteration) number x goes."""
        return _C._cyclic_scale(self.__dict__, x) if self._scale_fn_custom is None else self._scale_fn_custom(x)

    def state_dict(self):
        """Everything but the optimiser; of a scale_fn that is an object, its attributes."""
        state = super().state_dict()
        f = state["_scale_fn_custom"]
        state["_scale_fn_custom"] = None if f is None or isinstance(f, types.FunctionType) else f.__dict__.copy()
        return state

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_scale_fn_custom"})
        if state_dict["_scale_fn_custom"] is not None:
            self._scale_fn_custom.__dict__.update(state_dict["_scale_fn_custom"])


class OneCycleLR(_Cycling):
    """The rate goes up to max_lr once, then down to far below where it began; step() after each batch."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=...,
                 anneal_strategy=..., cycle_momentum=..., base_momentum=..., max_momentum=..., div_factor=...,
                 final_div_factor=..., three_phase=..., last_epoch=-1):
        made = self._prepare(optimizer, dict(
            max_lr=max_lr, total_steps=total_steps, epochs=epochs, steps_per_epoch=steps_per_epoch,
            pct_start=pct_start, anneal_strategy=anneal_strategy, cycle_momentum=cycle_momentum,
            base_momentum=base_momentum, max_momentum=max_momentum, div_factor=div_factor,
            final_div_factor=final_div_factor, three_phase=three_phase))
        self.total_steps, self._schedule_phases = made["total_steps"], made["_schedule_phases"]
        self._anneal_func_type = anneal_strategy
        if last_epoch == -1:
            for i, group in enumerate(optimizer.param_groups):
                group.update({key: made[key + "s"][i] for key in ("initial_lr", "max_lr", "min_lr")})
        self._start(optimizer, made, last_epoch)

    def _settings(self):
        of_groups = ("initial_lr", "max_lr", "min_lr", "base_momentum", "max_momentum")
        return {**self.__dict__, "anneal_strategy": self._anneal_func_type,
                **{key + "s": self._of_groups(key) for key in of_groups}}


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


class ReduceLROnPlateau(_Scheduled):
    """The rate times factor when a metric has not improved for more than `patience` epochs; step(metric) after each."""

    def __init__(self, optimizer, mode=..., factor=..., patience=..., threshold=..., threshold_mode=..., cooldown=...,
                 min_lr=0, eps=...):
        self.optimizer = _check_optimizer(optimizer)
        groups = len(optimizer.param_groups)
        several = isinstance(min_lr, (list, tuple))
        self.default_min_lr = None if several else min_lr
        self.min_lrs = list(min_lr) if several else [min_lr] * groups
        self.factor, self.patience, self.cooldown, self.eps = factor, patience, cooldown, eps
        self.last_epoch = 0
        self._last_lr = _values(optimizer)
        self._init_is_better(mode, threshold, threshold_mode, groups)
        self._reset()

    def _init_is_better(self, mode, threshold, threshold_mode, groups=None):
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        groups = len(self.min_lrs) if groups is None else groups
        made = _C._schedule_prepare(self._schedule, {**self.__dict__, "min_lr": self.min_lrs}, groups)
        self.mode_worse = made["mode_worse"]

    def _reset(self):
        """Forgets the metrics seen."""
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

    def step(self, metrics, epoch=None):
        """Looks at the metric of an epoch."""
        state = _C._schedule_next(self._schedule, self.__dict__, float(metrics))
        if epoch is None:
            epoch = self.last_epoch + 1
        else:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self.last_epoch = epoch
        if state["reduce"]:
            self._reduce_lr(epoch)
        self.__dict__.update({key: state[key] for key in ("best", "num_bad_epochs", "cooldown_counter")})
        self._last_lr = _values(self.optimizer)

    def _reduce_lr(self, epoch):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs) and self.default_min_lr is not None:
            self.min_lrs = [self.default_min_lr] * len(groups)
        rates, _ = _C._schedule_rates(self._schedule, self.__dict__, epoch, 0, False, [], self._of_groups("lr"), False)
        for group, lr in zip(groups, rates):
            _set_lr(group, lr)

    @property
    def in_cooldown(self):
        """Is it waiting after a reduction?"""
        return self.cooldown_counter > 0

    def is_better(self, a, best):
        """Is `a` an improvement over `best`?"""
        return _C._schedule_next(self._schedule, {**self.__dict__, "best": best}, a)["improved"]

    _is_better = is_better

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        self.__dict__.update(state_dict)
        self._init_is_better(self.mode, self.threshold, self.threshold_mode)


def _take_defaults(cls):
    """Gives a class its schedule, and the arguments of its constructor their defaults."""
    cls._schedule = cls.__name__
    init, defaults = cls.__init__, _C._schedule_defaults(cls.__name__)
    names = init.__code__.co_varnames[:init.__code__.co_argcount][-len(init.__defaults__):]
    init.__defaults__ = tuple(defaults[n] if v is ... else v for n, v in zip(names, init.__defaults__))


for _name in __all__:
    if issubclass(globals()[_name], _Scheduled):
        _take_defaults(globals()[_name])
    globals()[_name].__module__ = "torch.optim.lr_scheduler"
