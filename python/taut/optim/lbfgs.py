"""L-BFGS, with a line search by Wolfe's conditions if wanted."""

from .. import _C
from .optimizer import Optimizer, _check_lr, _evaluate


class LBFGS(Optimizer):
    """L-BFGS. step needs a closure that clears the gradients, computes the loss, calls backward and returns it."""

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9,
                 history_size=100, line_search_fn=None):
        _check_lr(lr)
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, dict(lr=lr, max_iter=max_iter, max_eval=max_eval, tolerance_grad=tolerance_grad,
                                      tolerance_change=tolerance_change, history_size=history_size,
                                      line_search_fn=line_search_fn))
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def __setstate__(self, state):
        super().__setstate__(state)
        self._params = self.param_groups[0]["params"]

    def _numel(self):
        return sum(2 * p.numel() if p.is_complex() else p.numel() for p in self._params)

    def _gather_flat_grad(self):
        """All gradients in one row: a subclass may have its own."""
        return _C._lbfgs_flat_grad(self._params)

    def _add_grad(self, step_size, direction):
        """A step along a direction: a subclass may have its own."""
        _C._lbfgs_move(self._params, float(step_size), direction)

    def step(self, closure):
        """Up to max_iter iterations; returns the loss before the first."""
        if len(self.param_groups) != 1:
            raise AssertionError("Expected exactly one param_group, but got " + str(len(self.param_groups)))
        group = self.param_groups[0]
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        losses = []

        def evaluate():
            loss = _evaluate(closure)
            if not losses:
                losses.append(loss)
            return float(loss)

        options = {**group, "lr": float(group["lr"])}
        del options["params"]
        own = [getattr(self, name) if getattr(type(self), name) is not getattr(LBFGS, name) else None
               for name in ("_gather_flat_grad", "_add_grad")]
        _C._lbfgs_step(self._params, options, self.state[self._params[0]], evaluate, *own)
        return losses[0]


LBFGS.__module__ = "torch.optim.lbfgs"
