"""Muon."""

from math import sqrt

from .. import _C
from .optimizer import Optimizer, _check, _check_lr, _evaluate, _zeros


def _orthogonalized(update, coefficients, steps, eps):
    """The update with all singular values near 1, by a few steps of Newton and Schulz in bfloat16."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(update.shape) != 2:
        raise ValueError("Input tensor gradient must be a 2D matrix")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    tall = update.shape[0] > update.shape[1]
    x = update.bfloat16()
    x = x.T if tall else x
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = _C.ops["addmm"](x, _C.ops["addmm"](gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


def _adjusted_lr(lr, adjust_lr_fn, shape):
    rows, columns = shape[:2]
    if adjust_lr_fn == "match_rms_adamw":
        return lr * (0.2 * sqrt(max(rows, columns)))
    return lr * sqrt(max(1, rows / columns))


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
        before = _C.is_grad_enabled()
        _C._set_grad_enabled(False)
        try:
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self._update(p, p.grad, group)
        finally:
            _C._set_grad_enabled(before)
        return loss

    def _update(self, p, grad, group):
        state, momentum, lr = self.state[p], group["momentum"], float(group["lr"])
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = _zeros(grad)
        buffer = state["momentum_buffer"]
        buffer.lerp_(grad, 1 - momentum)
        update = grad.lerp(buffer, momentum) if group["nesterov"] else buffer
        update = _orthogonalized(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
        p.mul_(1 - lr * group["weight_decay"])
        p.add_(update, alpha=-_adjusted_lr(lr, group["adjust_lr_fn"], p.shape))


Muon.__module__ = "torch.optim"
