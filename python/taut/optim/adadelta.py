"""Adadelta."""

from .. import _C
from .optimizer import _check, _check_lr, _Fused, _scalar, _zeros


class Adadelta(_Fused):
    """Adadelta: steps in the ratio of running means of past steps and of gradients."""

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False,
                 maximize=False, differentiable=False):
        _check_lr(lr, foreach, capturable)
        _check(0.0 <= rho <= 1.0, f"Invalid rho value: {rho}")
        _check(eps >= 0.0, f"Invalid epsilon value: {eps}")
        _check(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize,
                                      capturable=capturable, foreach=foreach, differentiable=differentiable))

    def _fresh(self, p, group):
        return {"step": _scalar(0.0), "square_avg": _zeros(p), "acc_delta": _zeros(p)}

    def _run(self, group, fresh):
        _C._adadelta_step(group["params"], self.state, fresh, float(group["lr"]), float(group["rho"]),
                          float(group["eps"]), float(group["weight_decay"]), bool(group["maximize"]))


Adadelta.__module__ = "torch.optim.adadelta"
