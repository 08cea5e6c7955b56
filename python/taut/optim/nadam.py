"""NAdam."""

from .. import _C
from .optimizer import _check, _check_betas, _check_lr, _Fused, _scalar, _zeros


class NAdam(_Fused):
    """Adam with Nesterov's momentum."""

    _scalars = ("step", "mu_product")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
                 decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False):
        _check_lr(lr, foreach, capturable)
        _check(eps >= 0.0, f"Invalid epsilon value: {eps}")
        _check_betas(betas)
        _check(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        _check(momentum_decay >= 0.0, f"Invalid momentum_decay value: {momentum_decay}")
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay,
                                      momentum_decay=momentum_decay, decoupled_weight_decay=decoupled_weight_decay,
                                      maximize=maximize, foreach=foreach, capturable=capturable,
                                      differentiable=differentiable))

    def _fresh(self, p, group):
        return {"step": _scalar(0.0), "mu_product": _scalar(1.0), "exp_avg": _zeros(p), "exp_avg_sq": _zeros(p)}

    def _run(self, group, fresh):
        beta1, beta2 = group["betas"]
        _C._nadam_step(group["params"], self.state, fresh, float(group["lr"]), float(beta1), float(beta2),
                       float(group["eps"]), float(group["weight_decay"]), float(group["momentum_decay"]),
                       bool(group["decoupled_weight_decay"]), bool(group["maximize"]))


NAdam.__module__ = "torch.optim.nadam"
