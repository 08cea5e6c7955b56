"""L-BFGS, with a line search by Wolfe's conditions if wanted."""

from math import copysign, inf, sqrt

from .. import _C
from .optimizer import Optimizer, _check_lr, _evaluate


def _over(a, b):
    """a / b as tensors divide: by zero it is infinite, or not a number."""
    return a / b if b else a * copysign(inf, b)


def _interpolate(x1, f1, g1, x2, f2, g2, low, high):
    """The minimum of the cubic with these values and slopes at two points, kept within [low, high]."""
    d1 = g1 + g2 - 3 * _over(f1 - f2, x1 - x2)
    square = d1 * d1 - g1 * g2
    if not square >= 0:
        return (low + high) / 2
    d2 = sqrt(square)
    at = x2 - (x2 - x1) * _over(g2 + d2 - d1, g2 - g1 + 2 * d2) if x1 <= x2 else \
        x1 - (x1 - x2) * _over(g1 + d2 - d1, g1 - g2 + 2 * d2)
    return min(max(at, low), high)


class _Point:
    """A point on the line of a search: how far, the loss, the gradient and the slope along the line."""

    __slots__ = ("t", "f", "g", "slope")

    def __init__(self, t, f, g, slope):
        self.t, self.f, self.g, self.slope = t, f, g, slope


def _strong_wolfe(probe, t, d, f, g, slope, tolerance_change=1e-9, max_steps=25, c1=1e-4, c2=0.9):
    """A step that fulfils the strong Wolfe conditions, and how often probe(t) -> (loss, gradient) was called.

    It walks outwards until such a point lies between two others, then narrows that bracket.
    """

    def at(x):
        loss, grad = probe(x)
        return _Point(x, loss, grad, grad.dot(d).item())

    reach = d.abs().max().item()
    origin = _Point(0.0, f, g.clone(), slope)
    before, now = origin, at(t)
    evals, steps, done = 1, 0, False
    while steps < max_steps:
        if now.f > f + c1 * now.t * slope or (steps > 1 and now.f >= before.f) or \
                (now.slope >= 0 and abs(now.slope) > -c2 * slope):
            bracket = [before, now]
            break
        if abs(now.slope) <= -c2 * slope:
            bracket, done = [now, now], True
            break
        further = _interpolate(before.t, before.f, before.slope, now.t, now.f, now.slope,
                               now.t + 0.01 * (now.t - before.t), now.t * 10)
        before, now = now, at(further)
        evals, steps = evals + 1, steps + 1
    else:
        bracket = [origin, now]

    slow = False
    low = 0 if bracket[0].f <= bracket[1].f else 1
    while not done and steps < max_steps:
        a, b = bracket
        if abs(b.t - a.t) * reach < tolerance_change:
            break
        left, right = min(a.t, b.t), max(a.t, b.t)
        t = _interpolate(a.t, a.f, a.slope, b.t, b.f, b.slope, left, right)
        # Too near an end, twice in a row or beyond it: a tenth of the way inwards instead.
        margin = 0.1 * (right - left)
        near = min(right - t, t - left) < margin
        if near and (slow or t >= right or t <= left):
            t = right - margin if abs(t - right) < abs(t - left) else left + margin
            slow = False
        else:
            slow = near
        now = at(t)
        evals, steps = evals + 1, steps + 1
        if now.f > f + c1 * t * slope or now.f >= bracket[low].f:
            bracket[1 - low] = now
            low = 0 if bracket[0].f <= bracket[1].f else 1
        else:
            if abs(now.slope) <= -c2 * slope:
                done = True
            elif now.slope * (bracket[1 - low].t - bracket[low].t) >= 0:
                bracket[1 - low] = bracket[low]
            bracket[low] = now
    return bracket[low], evals


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

    def _gather_flat_grad(self):
        return _C.ops["cat"]([p.new_zeros(p.numel()) if p.grad is None else p.grad.reshape(-1) for p in self._params])

    def _move(self, t, direction):
        offset = 0
        for p in self._params:
            n = p.numel()
            p.add_(direction[offset:offset + n].view_as(p), alpha=t)
            offset += n

    def _probe(self, closure, start, t, direction):
        self._move(t, direction)
        loss = float(_evaluate(closure))
        grad = self._gather_flat_grad()
        for p, value in zip(self._params, start):
            p.copy_(value)
        return loss, grad

    def step(self, closure):
        """Up to max_iter iterations; returns the loss before the first."""
        if len(self.param_groups) != 1:
            raise AssertionError("Expected exactly one param_group, but got " + str(len(self.param_groups)))
        before = _C.is_grad_enabled()
        _C._set_grad_enabled(False)
        try:
            return self._iterate(closure, self.param_groups[0], self.state[self._params[0]])
        finally:
            _C._set_grad_enabled(before)

    def _iterate(self, closure, group, state):
        lr = float(group["lr"])
        max_iter, max_eval = group["max_iter"], group["max_eval"]
        tolerance_grad, tolerance_change = group["tolerance_grad"], group["tolerance_change"]
        line_search_fn, history_size = group["line_search_fn"], group["history_size"]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)

        first_loss = _evaluate(closure)
        loss, evals = float(first_loss), 1
        state["func_evals"] += 1
        grad = self._gather_flat_grad()
        optimal = grad.abs().max().item() <= tolerance_grad
        if optimal:
            return first_loss
        d, t = state.get("d"), state.get("t")
        previous_loss = state.get("prev_loss")
        for iteration in range(1, max_iter + 1):
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                d = grad.neg()
                state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            else:
                d = self._direction(state, grad, d, t, history_size)
            state["prev_flat_grad"] = grad.clone()
            previous_loss = loss
            total = grad.abs().sum().item()
            t = 1.0 / total * lr if state["n_iter"] == 1 and total > 1 else lr
            slope = grad.dot(d)
            if slope > -tolerance_change:
                break
            more = 0
            if line_search_fn is not None:
                if line_search_fn != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                start = [p.detach().clone() for p in self._params]
                found, more = _strong_wolfe(lambda x: self._probe(closure, start, x, d), t, d, loss, grad, slope.item(),
                                            max_steps=max_eval - evals)
                loss, grad, t = found.f, found.g, found.t
                self._move(t, d)
                optimal = grad.abs().max().item() <= tolerance_grad
            else:
                self._move(t, d)
                if iteration != max_iter:  # after the last one nobody would look
                    loss = float(_evaluate(closure))
                    grad = self._gather_flat_grad()
                    optimal = grad.abs().max().item() <= tolerance_grad
                    more = 1
            evals += more
            state["func_evals"] += more
            if evals >= max_eval or optimal or d.mul(t).abs().max().item() <= tolerance_change or \
                    abs(loss - previous_loss) < tolerance_change:
                break
        state.update(d=d, t=t, prev_loss=previous_loss)
        return first_loss

    @staticmethod
    def _direction(state, grad, d, t, history_size):
        """Minus the inverse Hessian times the gradient, from the last steps and how they changed the gradient."""
        changes, steps, ro = state["old_dirs"], state["old_stps"], state["ro"]
        change, step = grad.sub(state["prev_flat_grad"]), d.mul(t)
        product = change.dot(step)
        if product > 1e-10:
            if len(changes) == history_size:
                del changes[0], steps[0], ro[0]
            changes.append(change)
            steps.append(step)
            ro.append(1.0 / product)
            state["H_diag"] = product / change.dot(change)
        al = state.setdefault("al", [None] * history_size)
        q = grad.neg()
        for i in range(len(changes) - 1, -1, -1):
            al[i] = steps[i].dot(q) * ro[i]
            q.add_(changes[i], alpha=-al[i].item())
        r = q.mul(state["H_diag"])
        for i in range(len(changes)):
            r.add_(steps[i], alpha=(al[i] - changes[i].dot(r) * ro[i]).item())
        return r


LBFGS.__module__ = "torch.optim.lbfgs"
