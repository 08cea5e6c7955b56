"""Ordinary differential equations, with gradients through the steps or by the adjoint equation."""

from .. import _C
from ..autograd.function import Function
from ..autograd.grad_mode import enable_grad, no_grad
from .transforms import vjp

_ops = _C.ops

# Dormand and Prince's method of order 5 with an estimate of order 4, and Shampine's interpolation of order 4.
_C_ = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1)
_A = ((), (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9),
      (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
      (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656))
_B = (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
_E = (-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40)
_P = ((1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432), (0, 0, 0, 0),
      (0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
      (0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
      (0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
      (0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
      (0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423))


def odeint(f, y0, t, params=(), *, rtol=1e-6, atol=1e-8, adjoint=False, max_steps=10000):
    """The solution of dy/dt = f(t, y, *params) with y(t[0]) = y0, at the times t: they are its first dimension.

    By Dormand and Prince's method of order 5(4), with steps as long as rtol and atol allow. y0 may have any shape; the
    last dimension is one problem, those before are a batch, all of whose problems must be as exact. t ascends or
    descends strictly. Gradients by y0 and params go through the steps; with adjoint=True they come from the adjoint
    equation, solved backwards: that keeps nothing but the solution at t, and gives the gradient by t too.
    """
    params = tuple(params)
    if not all(isinstance(p, _C.Tensor) for p in params):
        raise TypeError("odeint: params must be tensors")
    if not (isinstance(y0, _C.Tensor) and y0.is_floating_point()):
        raise TypeError("odeint: y0 must be a tensor of floating point numbers")
    if t.ndim != 1 or t.numel() < 1:
        raise ValueError(f"odeint: t must have one dimension and at least one time, but has shape {tuple(t.shape)}")
    times = t.detach().tolist()
    if not (all(a < b for a, b in zip(times, times[1:])) or all(a > b for a, b in zip(times, times[1:]))):
        raise ValueError("odeint: t must be strictly increasing or decreasing")
    options = rtol, atol, max_steps
    if adjoint:
        return _Adjoint.apply(f, options, y0, t, *params)
    return _ops["stack"](_solve(lambda s, y: f(s, y, *params), y0, times, options))


class _Adjoint(Function):
    @staticmethod
    def forward(ctx, f, options, y0, t, *params):
        ctx.f, ctx.options = f, options
        with no_grad():
            y = _ops["stack"](_solve(lambda s, y: f(s, y, *params), y0, t.tolist(), options))
        ctx.save_for_backward(y, t, *params)
        return y

    @staticmethod
    def backward(ctx, g):
        if _C.is_grad_enabled():
            raise RuntimeError("odeint: gradients by the adjoint equation cannot be differentiated again; use "
                               "adjoint=False")
        y, t, *params = ctx.saved_tensors
        times, n = t.tolist(), y[0].numel()
        by_t = [_ops["zeros"]((), dtype=t.dtype) for _ in times]
        a, by_params = _ops["zeros_like"](y[0]), [_ops["zeros_like"](p) for p in params]
        sizes = [n, n, *(p.numel() for p in params)]

        def backwards(s, state):
            """The derivatives of y, its adjoint, and the gradients by params so far."""
            y_now, a_now = (part.view(y[0].shape) for part in state.split(sizes)[:2])
            with enable_grad():
                slope, pull = vjp(lambda y, *params: ctx.f(s, y, *params), y_now, *params)
                return _ops["cat"]([slope.reshape(-1), *(-d.reshape(-1) for d in pull(a_now))])

        for i in range(len(times) - 1, -1, -1):
            a = a + g[i]
            if ctx.needs_input_grad[3] and len(times) > 1:
                slope = ctx.f(t[i].to(y.dtype), y[i], *params)
                by_t[i] = (g[i] * slope).sum() if i else -((a - g[i]) * slope).sum()
            if i == 0:
                break
            state = _ops["cat"]([y[i].reshape(-1), a.reshape(-1), *(p.reshape(-1) for p in by_params)])
            state = _solve(backwards, state, [times[i], times[i - 1]], ctx.options)[-1]
            _, a, *by_params = state.split(sizes)
            a, by_params = a.view(y[0].shape), [d.view(p.shape) for d, p in zip(by_params, params)]
        return None, None, a, _ops["stack"](by_t), *by_params


def _mixed(weights, slopes):
    total = None
    for w, k in zip(weights, slopes):
        if w:
            total = k * w if total is None else total + k * w
    return total


def _size(error, scale):
    """The mean error of the worst problem, in parts of what is allowed."""
    ratio = (error / scale).square()
    return float((ratio.mean(-1) if ratio.ndim else ratio).max().sqrt())


def _solve(f, y0, times, options):
    rtol, atol, max_steps = options
    if y0.numel() == 0:
        return [y0 for _ in times]
    sign = 1.0 if len(times) < 2 or times[1] > times[0] else -1.0

    def slope(s, y):
        k = f(_ops["full"]((), s, dtype=y0.dtype), y)
        if k.shape != y0.shape:
            raise RuntimeError(f"odeint: f must return what is like y, of shape {tuple(y0.shape)}, but got "
                               f"{tuple(k.shape)}")
        return k

    found, now, y = [y0], times[0], y0
    if len(times) == 1:
        return found
    k = slope(now, y)
    h = _first_step(slope, now, y, k, sign, rtol, atol)
    for _ in range(max_steps):
        slopes = [k]
        for c, row in zip(_C_[1:], _A[1:]):
            slopes.append(slope(now + sign * h * c, y + sign * h * _mixed(row, slopes)))
        new = y + sign * h * _mixed(_B, slopes)
        slopes.append(slope(now + sign * h, new))
        with no_grad():
            scale = atol + rtol * _ops["maximum"](y.abs(), new.abs())
            error = _size(h * _mixed(_E, slopes), scale)
        if error <= 1:
            while sign * (times[len(found)] - now) <= h:
                part = sign * (times[len(found)] - now) / h
                powers = [part, part**2, part**3, part**4]
                at = y + sign * h * _mixed([sum(p * q for p, q in zip(row, powers)) for row in _P], slopes)
                found.append(new if part == 1 else at)
                if len(found) == len(times):
                    return found
            now, y, k = now + sign * h, new, slopes[-1]
        elif not error < float("inf"):
            error = 1e10  # not a number: a much shorter step
        h *= min(10.0, max(0.2, 0.9 * error**-0.2)) if error > 0 else 10.0
        if now + sign * h == now:
            raise RuntimeError(f"odeint: the step became too short at t = {now:.6g}: the solution may not go on there, or "
                               "the equation is stiff")
    raise RuntimeError(f"odeint: {max_steps} steps led to t = {now:.6g} only; allow more by max_steps, or larger errors by "
                       "rtol and atol")


def _first_step(slope, now, y, k, sign, rtol, atol):
    """Hairer, Norsett and Wanner's choice."""
    with no_grad():
        scale = atol + rtol * y.abs()
        d0, d1 = _size(y, scale), _size(k, scale)
        h = 0.01 * d0 / d1 if d0 > 1e-5 and d1 > 1e-5 else 1e-6
        d2 = _size(slope(now + sign * h, y + sign * h * k) - k, scale) / h
        far = max(1e-6, h * 1e-3) if max(d1, d2) <= 1e-15 else (0.01 / max(d1, d2)) ** 0.2
        return min(100 * h, far)
