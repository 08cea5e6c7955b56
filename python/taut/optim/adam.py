"""Adam."""

from .. import _C
from .optimizer import _check, _check_betas, _check_lr, _Fused, _scalar, _zeros


class Adam(_Fused):
    """Adam: steps scaled by running means of the gradients and of their squares."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        _check_lr(lr, foreach, capturable)
        _check(eps >= 0.0, f"Invalid epsilon value: {eps}")
        _check_betas(betas)
        _check(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad,
                                      maximize=maximize, foreach=foreach, capturable=capturable,
                                      differentiable=differentiable, fused=fused,
                                      decoupled_weight_decay=decoupled_weight_decay))

    def _fresh(self, p, group):
        state = {"step": _scalar(0.0), "exp_avg": _zeros(p), "exp_avg_sq": _zeros(p)}
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = _zeros(p)
        return state

    def _run(self, group, fresh):
        beta1, beta2 = group["betas"]
        run = _C._adamw_step if group["decoupled_weight_decay"] else _C._adam_step
        run(group["params"], self.state, fresh, float(group["lr"]), float(beta1), float(beta2),
            float(group["weight_decay"]), float(group["eps"]), bool(group["amsgrad"]), bool(group["maximize"]))


Adam.__module__ = "torch.optim.adam"
