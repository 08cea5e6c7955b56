"""RMSprop."""

from .. import _C
from .optimizer import _check, _check_lr, _Fused, _scalar, _zeros


class RMSprop(_Fused):
    """RMSprop: steps divided by the root of a running mean of squared gradients."""

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False,
                 capturable=False, foreach=None, maximize=False, differentiable=False):
        _check_lr(lr, foreach, capturable)
        _check(eps >= 0.0, f"Invalid epsilon value: {eps}")
        _check(momentum >= 0.0, f"Invalid momentum value: {momentum}")
        _check(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        _check(alpha >= 0.0, f"Invalid alpha value: {alpha}")
        super().__init__(params, dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered,
                                      weight_decay=weight_decay, capturable=capturable, foreach=foreach,
                                      maximize=maximize, differentiable=differentiable))

    def _fresh(self, p, group):
        state = {"step": _scalar(0.0), "square_avg": _zeros(p)}
        if group["momentum"] > 0:
            state["momentum_buffer"] = _zeros(p)
        if group["centered"]:
            state["grad_avg"] = _zeros(p)
        return state

    def _run(self, group, fresh):
        _C._rmsprop_step(group["params"], self.state, fresh, float(group["lr"]), float(group["alpha"]),
                         float(group["eps"]), float(group["weight_decay"]), float(group["momentum"]),
                         bool(group["centered"]), bool(group["maximize"]))


RMSprop.__module__ = "torch.optim.rmsprop"
