"""Optimisers that use second derivatives: they compute the loss themselves, from a function that they are given."""

import math

from .. import _C
from ..autograd import grad
from ..autograd.grad_mode import enable_grad, no_grad
from .optimizer import Optimizer

_ops = _C.ops


class _SecondOrder(Optimizer):
    def __init__(self, params, defaults):
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError(f"{type(self).__name__} doesn't support per-parameter options (parameter groups)")

    @property
    def _params(self):
        return [p for p in self.param_groups[0]["params"] if p.requires_grad]

    def _flat(self, tensors):
        parts = [_ops["zeros_like"](p) if t is None else t for t, p in zip(tensors, self._params)]
        return _ops["cat"]([t.reshape(-1) for t in parts])

    def _shaped(self, flat):
        parts = flat.split([p.numel() for p in self._params])
        return [part.view(p.shape) for part, p in zip(parts, self._params)]

    def _check_no(self, closure):
        if closure is not None:
            raise TypeError(f"{type(self).__name__}.step() takes no closure: it calls the function it was made with")

    def _move(self, start, flat):
        """Parameters = start + flat."""
        for p, s, d in zip(self._params, start, self._shaped(flat)):
            p.copy_(s + d)


class _LeastSquares(_SecondOrder):
    def __init__(self, residuals, params, defaults):
        super().__init__(params, defaults)
        self.residuals = residuals

    def _jacobian(self):
        """The residuals as a vector, and their derivatives, a row each."""
        with enable_grad():
            r = self.residuals().reshape(-1)
            if not r.requires_grad:
                raise RuntimeError(f"{type(self).__name__}: the residuals do not depend on any parameter that requires grad")
            count = sum(p.numel() for p in self._params)
            if r.numel() <= count:  # a backward for each residual, all at once
                units = _ops["eye"](r.numel(), dtype=r.dtype)
                rows = grad(r, self._params, units, is_grads_batched=True, allow_unused=True, materialize_grads=True)
                return r.detach(), _ops["cat"]([t.reshape(r.numel(), -1) for t in rows], 1)
            # Gradients are linear in what they start from: their derivative by it has the columns.
            seed = _ops["zeros_like"](r.detach()).requires_grad_()
            flat = self._flat(grad(r, self._params, seed, create_graph=True, allow_unused=True))
            units = _ops["eye"](count, dtype=r.dtype)
            columns = grad(flat, seed, units, is_grads_batched=True)[0]
            return r.detach(), columns.t()

    def _factored(self):
        """Half of the sum of squares, what of it no step can change, R of J = QR, and -Q'r."""
        r, jacobian = self._jacobian()
        q, upper = _ops["linalg_qr"](jacobian)
        wanted = -(q.t() @ r)
        half = r.square().sum() / 2
        return half, half - wanted.square().sum() / 2, upper, wanted


def _solved(rows, right):
    return _ops["linalg_lstsq"](rows, right.unsqueeze(1))[0].squeeze(1)


class GaussNewton(_LeastSquares):
    """Least squares: makes the sum of the squares of `residuals()` small, a tensor that is computed from params.

    A step goes lr of the way to where the sum would be smallest if the residuals were linear; it is not checked. step()
    returns half of the sum of squares before the step.
    """

    def __init__(self, residuals, params, lr=1.0):
        if not lr > 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        super().__init__(residuals, params, {"lr": lr})

    def step(self, closure=None):
        """One step; returns half of the sum of squares before it."""
        self._check_no(closure)
        with no_grad():
            half, _, upper, wanted = self._factored()
            self._move([p.clone() for p in self._params], self.param_groups[0]["lr"] * _solved(upper, wanted))
        return half


class LevenbergMarquardt(_LeastSquares):
    """Least squares: makes the sum of the squares of `residuals()` small, a tensor that is computed from params.

    A step d solves (J'J + damping * D) d = -J'r, where D are the largest diagonals of J'J so far, by a QR factorisation
    of J. It is taken if it makes the sum smaller, and the damping falls by how well that was foreseen; else the damping
    grows and the step is tried again, up to max_tries times. step() returns half of the sum of squares before the step.
    """

    def __init__(self, residuals, params, damping=1e-3, max_tries=12):
        if not damping > 0:
            raise ValueError(f"Invalid damping: {damping}")
        if not max_tries >= 1:
            raise ValueError(f"Invalid max_tries: {max_tries}")
        super().__init__(residuals, params, {"damping": damping, "max_tries": max_tries})

    def step(self, closure=None):
        """One step; returns half of the sum of squares before it."""
        self._check_no(closure)
        group = self.param_groups[0]
        with no_grad():
            half, rest, upper, wanted = self._factored()
            state = self.state[self._params[0]]
            largest = _ops["maximum"](upper.square().sum(0), state.get("largest", _ops["zeros"](1)))
            state["largest"] = largest
            scale = _ops["where"](largest > 0, largest, 1.0).sqrt()
            start, before = [p.clone() for p in self._params], float(half)
            damping, growth = group["damping"], 2
            for _ in range(group["max_tries"]):
                rows = _ops["cat"]([upper, _ops["diag"](math.sqrt(damping) * scale)])
                move = _solved(rows, _ops["cat"]([wanted, _ops["zeros_like"](scale)]))
                self._move(start, move)
                after = float(self.residuals().square().sum()) / 2
                if after < before:  # not so where it is NaN
                    foreseen = before - float((upper @ move - wanted).square().sum() / 2 + rest)
                    ratio = min((before - after) / foreseen, 1.0) if foreseen > 0 else 1.0
                    group["damping"] = max(damping * max(1 / 3, 1 - (2 * ratio - 1) ** 3), 1e-15)
                    return half
                damping *= growth
                growth *= 2
            self._move(start, _ops["zeros_like"](move))  # nowhere to go: it is at a minimum, as far as numbers tell
        return half


class NewtonCG(_SecondOrder):
    """Newton's method: makes `loss()` small, a number that is computed from params.

    The direction comes from conjugate gradients, at most max_iter products of the second derivatives with a vector,
    which no matrix is made for; they end where the curvature is not positive, so it goes down in any case. The step is
    halved until the loss falls enough (Armijo's rule), at most max_tries times. step() returns the loss before the step.
    """

    def __init__(self, loss, params, lr=1.0, max_iter=50, tolerance=1e-2, max_tries=25):
        for name, value in (("learning rate", lr), ("max_iter", max_iter), ("max_tries", max_tries)):
            if not value > 0:
                raise ValueError(f"Invalid {name}: {value}")
        if not tolerance >= 0:
            raise ValueError(f"Invalid tolerance: {tolerance}")
        super().__init__(params, {"lr": lr, "max_iter": max_iter, "tolerance": tolerance, "max_tries": max_tries})
        self.loss = loss

    def step(self, closure=None):
        """One step; returns the loss before it."""
        self._check_no(closure)
        group = self.param_groups[0]
        with enable_grad():
            loss = self.loss()
            gradient = self._flat(grad(loss, self._params, create_graph=True, allow_unused=True))
        g = gradient.detach()

        def product(v):
            if not gradient.requires_grad:  # the loss is linear
                return _ops["zeros_like"](v)
            return self._flat(grad(gradient, self._params, v, retain_graph=True, allow_unused=True))

        with no_grad():
            direction = self._direction(g, product, group)
            start, before, slope, rate = [p.clone() for p in self._params], float(loss), float(g @ direction), group["lr"]
            for _ in range(group["max_tries"] if slope < 0 else 0):
                self._move(start, rate * direction)
                if float(self.loss()) <= before + 1e-4 * rate * slope:
                    return loss.detach()
                rate /= 2
            self._move(start, _ops["zeros_like"](g))
        return loss.detach()

    @staticmethod
    def _direction(g, product, group):
        """Nearly -g divided by the second derivatives."""
        x, residual, size = _ops["zeros_like"](g), -g, float(g @ g)
        p, enough = residual, size * min(group["tolerance"], math.sqrt(math.sqrt(size))) ** 2
        for i in range(group["max_iter"]):
            if size <= enough or size == 0:
                break
            along = product(p)
            curvature = float(p @ along)
            if not curvature > 1e-14 * float(p @ p):
                return p if i == 0 else x
            rate = size / curvature
            x, residual = x + rate * p, residual - rate * along
            size, last = float(residual @ residual), size
            p = residual + size / last * p
        return x


for _class in (GaussNewton, LevenbergMarquardt, NewtonCG):
    _class.__module__ = "torch.optim"
