"""Averaged stochastic gradient descent."""

from .. import _C
from .optimizer import _check, _check_lr, _Fused, _scalar, _zeros


class ASGD(_Fused):
    """Averaged stochastic gradient descent; the averages are state[p]["ax"]."""

    _scalars = ("step", "eta", "mu")

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
                 differentiable=False, capturable=False):
        _check_lr(lr, foreach, capturable)
        _check(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay,
                                      foreach=foreach, maximize=maximize, differentiable=differentiable,
                                      capturable=capturable))

    def _fresh(self, p, group):
        return {"step": _scalar(0.0), "eta": _scalar(float(group["lr"])), "mu": _scalar(1.0), "ax": _zeros(p)}

    def _run(self, group, fresh):
        _C._asgd_step(group["params"], self.state, fresh, float(group["lr"]), float(group["lambd"]),
                      float(group["alpha"]), float(group["t0"]), float(group["weight_decay"]), bool(group["maximize"]))


ASGD.__module__ = "torch.optim.asgd"
