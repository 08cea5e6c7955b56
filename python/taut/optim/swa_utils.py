"""Averages of the weights over training: stochastic weight averaging and exponential moving averages."""

import math
from copy import deepcopy
from itertools import chain

from .. import _C
from ..nn.modules.module import Module
from .lr_scheduler import LRScheduler, _check_optimizer, _per_group, _values

__all__ = ["AveragedModel", "update_bn", "SWALR", "get_ema_multi_avg_fn", "get_swa_multi_avg_fn", "get_ema_avg_fn",
           "get_swa_avg_fn"]


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def _without_grad(f):
    def quiet(*args):
        before = _C.is_grad_enabled()
        _C._set_grad_enabled(False)
        try:
            return f(*args)
        finally:
            _C._set_grad_enabled(before)

    quiet.__name__ = quiet.__qualname__ = f.__name__
    return quiet


def _lerp(averaged, current, weight, whole):
    """Floats move towards their twins in one pass; `whole` gives the new value of anything else."""
    floats = [(a, c) for a, c in zip(averaged, current) if a.is_floating_point()]
    if floats:
        _C._foreach_lerp_([a.detach() for a, _ in floats], [c.detach() for _, c in floats], float(weight))
    for a, c in zip(averaged, current):
        if not a.is_floating_point():
            a.copy_(whole(a, c))


def get_ema_multi_avg_fn(decay=0.999):
    """For AveragedModel(multi_avg_fn=...): an exponential moving average of all parameters at once."""
    _check_decay(decay)

    @_without_grad
    def ema_update(ema_param_list, current_param_list, _):
        _lerp(ema_param_list, current_param_list, 1 - decay, lambda a, c: a * decay + c * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    """For AveragedModel(multi_avg_fn=...): the plain average of all parameters at once."""

    @_without_grad
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        n = int(num_averaged) + 1
        _lerp(averaged_param_list, current_param_list, 1 / n, lambda a, c: a + (c - a) / n)

    return swa_update


def get_ema_avg_fn(decay=0.999):
    """For AveragedModel(avg_fn=...): an exponential moving average, parameter by parameter."""
    _check_decay(decay)

    @_without_grad
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    """For AveragedModel(avg_fn=...): the plain average, parameter by parameter."""

    @_without_grad
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose parameters are an average of those that update_parameters() saw."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", _C._tensor(0, _C.int64))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        """What the averaged model computes."""
        return self.module(*args, **kwargs)

    def _tensors(self, model):
        return list(chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters())

    def update_parameters(self, model):
        """Takes the parameters of the model into the average."""
        own = [t.detach() for t in self._tensors(self.module)]
        other = [t.detach() for t in self._tensors(model)]
        if self.n_averaged == 0:
            for a, c in zip(own, other):
                a.copy_(c)
        elif self.avg_fn is not None:
            for a, c in zip(own, other):
                a.copy_(self.avg_fn(a, c, self.n_averaged))
        else:
            (self.multi_avg_fn or get_swa_multi_avg_fn())(own, other, self.n_averaged)
        if not self.use_buffers:
            for a, c in zip(self.module.buffers(), model.buffers()):
                a.detach().copy_(c.detach())
        self.n_averaged += 1


@_without_grad
def _update_bn(loader, model, device=None):
    from ..nn.modules.batchnorm import _BatchNorm

    momenta = {}
    for module in model.modules():
        if isinstance(module, _BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    for batch in loader:
        batch = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(batch if device is None else batch.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(training)


def update_bn(loader, model, device=None):
    """Computes the statistics of BatchNorm layers anew from all batches of a loader."""
    _update_bn(loader, model, device)


class SWALR(LRScheduler):
    """The rate goes to swa_lr in anneal_epochs epochs and stays there."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        for group, lr in zip(_check_optimizer(optimizer).param_groups, _per_group("swa_lr", optimizer, swa_lr)):
            group["swa_lr"] = lr
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step):
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self):
        """The next rates."""
        self._warn_outside_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(step - 1), self._share(step)
        rates = []
        for group, lr in zip(self.optimizer.param_groups, _values(self.optimizer)):
            goal = group["swa_lr"]
            start = goal if before == 1 else (lr - before * goal) / (1 - before)
            rates.append(goal * now + start * (1 - now))
        return rates


AveragedModel.__module__ = SWALR.__module__ = "torch.optim.swa_utils"
