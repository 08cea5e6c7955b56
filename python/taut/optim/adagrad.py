"""Adagrad."""

from .. import _C
from .optimizer import _check, _check_lr, _Fused, _scalar


class Adagrad(_Fused):
    """Adagrad: steps divided by the root of the sum of all squared gradients."""

    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10,
                 foreach=None, *, maximize=False, differentiable=False, fused=None):
        _check_lr(lr)
        _check(lr_decay >= 0.0, f"Invalid lr_decay value: {lr_decay}")
        _check(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        _check(initial_accumulator_value >= 0.0,
               f"Invalid initial_accumulator_value value: {initial_accumulator_value}")
        _check(eps >= 0.0, f"Invalid epsilon value: {eps}")
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                                      initial_accumulator_value=initial_accumulator_value, foreach=foreach,
                                      maximize=maximize, differentiable=differentiable, fused=fused))
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p] = self._fresh(p, group)

    def share_memory(self):
        """Not supported: state is not shared between processes."""
        raise NotImplementedError("torch.optim.Adagrad.share_memory is not supported yet")

    def _fresh(self, p, group):
        return {"step": _scalar(0.0), "sum": _C.ops["full_like"](p.detach(), group["initial_accumulator_value"])}

    def _run(self, group, fresh):
        _C._adagrad_step(group["params"], self.state, fresh, float(group["lr"]), float(group["lr_decay"]),
                         float(group["weight_decay"]), float(group["eps"]), bool(group["maximize"]))


Adagrad.__module__ = "torch.optim.adagrad"
