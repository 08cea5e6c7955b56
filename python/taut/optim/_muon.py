"""Muon."""

from .. import _C
from .optimizer import Optimizer, _check, _check_lr, _evaluate, _zeros


class Muon(Optimizer):
    """Momentum made orthogonal, for the matrices of hidden layers; use AdamW for the rest."""

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True,
                 ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None):
        _check_lr(lr, text="Learning rate should be >= 0 but is: ")
        _check(momentum >= 0.0, f"momentum should be >= 0 but is: {momentum}")
        _check(weight_decay >= 0.0, f"weight decay should be >= 0 but is: {weight_decay}")
        _check(adjust_lr_fn in (None, "original", "match_rms_adamw"),
               f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov,
                                      ns_coefficients=ns_coefficients, eps=eps, ns_steps=ns_steps,
                                      adjust_lr_fn=adjust_lr_fn))
        for group in self.param_groups:
            for p in group["params"]:
                _check(p.ndim == 2, "Muon only supports 2D parameters whereas we found a parameter with size: "
                       f"{p.size()}")

    def step(self, closure=None):
        """One step along the gradients. A closure computes the loss anew and returns it."""
        loss = _evaluate(closure)
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, p.grad, group)
        return loss

    def _update(self, p, grad, group):
        state = self.state[p]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = _zeros(grad)
        _check(len(group["ns_coefficients"]) == 3, "Coefficients must be a tuple of exactly 3 values")
        _C._muon_step(p, grad, state["momentum_buffer"], float(group["lr"]), group["weight_decay"], group["momentum"],
                      group["nesterov"], tuple(group["ns_coefficients"]), group["eps"], group["ns_steps"],
                      group["adjust_lr_fn"])


Muon.__module__ = "torch.optim"
