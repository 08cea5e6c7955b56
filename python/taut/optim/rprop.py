"""Rprop."""

from .. import _C
from .optimizer import _check, _check_lr, _Fused, _scalar, _zeros


class Rprop(_Fused):
    """Rprop: each weight has a step size of its own, which grows while the sign of its gradient stays."""

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
                 maximize=False, differentiable=False):
        _check_lr(lr, foreach, capturable)
        _check(0.0 < etas[0] < 1.0 < etas[1], f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def _fresh(self, p, group):
        step_size = _C.ops["full_like"](p.detach(), float(group["lr"]))
        return {"step": _scalar(0.0), "prev": _zeros(p), "step_size": step_size}

    def _run(self, group, fresh):
        (low, high), (smallest, largest) = group["etas"], group["step_sizes"]
        _C._rprop_step(group["params"], self.state, fresh, float(low), float(high), float(smallest), float(largest),
                       bool(group["maximize"]))


Rprop.__module__ = "torch.optim.rprop"
