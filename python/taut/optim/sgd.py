"""Stochastic gradient descent, with momentum if wanted."""

from .. import _C
from .optimizer import _check, _check_lr, _Fused, _zeros


class SGD(_Fused):
    """Stochastic gradient descent, with momentum (plain or Nesterov's) and weight decay."""

    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False,
                 foreach=None, differentiable=False, fused=None):
        _check_lr(lr)
        _check(momentum >= 0.0, f"Invalid momentum value: {momentum}")
        _check(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        _check(not nesterov or (momentum > 0 and dampening == 0), "Nesterov momentum requires a momentum and zero "
               "dampening")
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
                                      nesterov=nesterov, maximize=maximize, foreach=foreach,
                                      differentiable=differentiable, fused=fused))

    def __setstate__(self, state):
        super().__setstate__(state)
        for kept in self.state.values():
            if isinstance(kept, dict) and kept.get("momentum_buffer", self) is None:
                del kept["momentum_buffer"]

    def _fresh(self, p, group):
        return {"momentum_buffer": _zeros(p)}

    def _run(self, group, fresh):
        _C._sgd_step(group["params"], self.state, fresh, float(group["weight_decay"]), float(group["momentum"]),
                     float(group["lr"]), float(group["dampening"]), bool(group["nesterov"]), bool(group["maximize"]))


SGD.__module__ = "torch.optim.sgd"
