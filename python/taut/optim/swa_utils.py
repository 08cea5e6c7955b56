"""Averages of the weights over training: stochastic weight averaging and exponential moving averages."""

from copy import deepcopy
from itertools import chain

from .. import _C
from ..nn.modules.module import Module
from .lr_scheduler import LRScheduler, _Scheduled, _take_defaults

__all__ = ["AveragedModel", "update_bn", "SWALR", "get_ema_multi_avg_fn", "get_swa_multi_avg_fn", "get_ema_avg_fn",
           "get_swa_avg_fn"]


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


def get_ema_multi_avg_fn(decay=_C._ema_decay):
    """For AveragedModel(multi_avg_fn=...): an exponential moving average of all parameters at once."""
    _C._check_decay(decay)

    def ema_update(ema_param_list, current_param_list, _):
        _C._ema_update(list(ema_param_list), list(current_param_list), decay)

    return ema_update


def get_swa_multi_avg_fn():
    """For AveragedModel(multi_avg_fn=...): the plain average of all parameters at once."""

    def swa_update(averaged_param_list, current_param_list, num_averaged):
        _C._swa_update(list(averaged_param_list), list(current_param_list), int(num_averaged))

    return swa_update


def get_ema_avg_fn(decay=_C._ema_decay):
    """For AveragedModel(avg_fn=...): an exponential moving average, parameter by parameter."""
    _C._check_decay(decay)

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


class SWALR(_Scheduled):
    """The rate goes to swa_lr in anneal_epochs epochs and stays there."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=..., anneal_strategy=..., last_epoch=-1):
        made = self._prepare(optimizer, dict(swa_lr=swa_lr, anneal_epochs=anneal_epochs,
                                             anneal_strategy=anneal_strategy))
        for group, lr in zip(optimizer.param_groups, made["swa_lrs"]):
            group["swa_lr"] = lr
        self._anneal_strategy, self.anneal_epochs = anneal_strategy, anneal_epochs
        LRScheduler.__init__(self, optimizer, last_epoch)

    def _settings(self):
        return {**self.__dict__, "swa_lrs": self._of_groups("swa_lr"), "anneal_strategy": self._anneal_strategy}


_take_defaults(SWALR)
AveragedModel.__module__ = SWALR.__module__ = "torch.optim.swa_utils"
