"""Solutions of equations as functions of what is in them: gradients by the implicit function theorem."""

from .. import _C
from ..autograd.function import Function
from ..autograd.grad_mode import no_grad
from ._tree import flatten
from .transforms import jacrev, vjp

_ops = _C.ops


def fixed_point(f, x0, params=(), *, tol=None, max_iter=1000, memory=5):
    """x with x = f(x, params), found from x0 on by Anderson's iteration over the last `memory` steps.

    It ends when |f(x) - x| is at most tol * (1 + |x|), by default 1e-6 in float32 and 1e-12 in float64. Gradients by the
    tensors in params (a tensor, or nested tuples, lists and dicts of them) are those of the solution, not of the way to
    it: nothing of that is kept. They can be differentiated again.
    """
    def solve(x, leaves, build):
        return _anderson(lambda x: f(x, build(leaves)), x, _tolerance(tol, x), max_iter, memory)

    def transposed(x, leaves, build, g):
        """(1 - df/dx)' u = g, as a fixed point itself."""
        def pulled(u, given):
            x, g, *leaves = given
            return g + vjp(lambda x: f(x, build(leaves)), x)[1](u)[0]

        return fixed_point(pulled, g.detach(), (x, g, *leaves), tol=tol, max_iter=max_iter, memory=memory)

    return _solution(lambda x, p: f(x, p) - x, x0, params, solve, lambda *given: -transposed(*given))


def root(f, x0, params=(), *, tol=None, max_iter=50):
    """x with f(x, params) = 0, found from x0 on by Newton's method, whose steps are halved while |f| grows.

    f returns as many numbers as x has. It ends when |f(x)| is at most tol, by default 1e-5 in float32 and 1e-11 in
    float64, or when a step is lost in rounding. Gradients are those of the solution, as in fixed_point.
    """
    def solve(x, leaves, build):
        return _newton(lambda x: f(x, build(leaves)), x, 10 * _tolerance(tol, x) if tol is None else tol, max_iter)

    def transposed(x, leaves, build, g):
        n = x.numel()
        matrix = jacrev(lambda x: f(x, build(leaves)))(x).reshape(n, n)
        return _ops["linalg_solve"](matrix.t(), g.reshape(n)).view(g.shape)

    return _solution(f, x0, params, solve, transposed)


def _tolerance(tol, x):
    return tol if tol is not None else 1e-12 if x.dtype == _C.float64 else 1e-6


def _solution(f, x0, params, solve, transposed):
    """The solution of f = 0 that `solve` finds, whose gradients take u with (df/dx)' u = g from `transposed`."""
    leaves, build = flatten(params)
    for t in leaves:
        if not isinstance(t, _C.Tensor):
            raise TypeError(f"params must be tensors, or tuples, lists and dicts of them, but there is {type(t)}: let f know "
                            "what is no tensor in another way")

    class Solution(Function):
        @staticmethod
        def forward(ctx, x0, *leaves):
            with no_grad():
                x = solve(x0.detach(), leaves, build)
            ctx.save_for_backward(x, *leaves)
            return x

        @staticmethod
        def backward(ctx, g):
            x, *leaves = ctx.saved_tensors
            u = transposed(x, leaves, build, g)
            grads = vjp(lambda *leaves: f(x, build(leaves)), *leaves)[1](u)
            return None, *(-d for d in grads)

    return Solution.apply(x0, *leaves)


def _anderson(f, x0, tol, max_iter, memory):
    x, xs, gaps = x0, [], []
    for _ in range(max_iter):
        y = f(x)
        if y.shape != x.shape:
            raise RuntimeError(f"fixed_point: f must return what is like x, of shape {tuple(x.shape)}, but got "
                               f"{tuple(y.shape)}")
        gap = (y - x).reshape(-1)
        size = float(gap.norm())
        if size <= tol * (1 + float(y.norm())):
            return y
        if not size < float("inf"):
            break
        xs, gaps = [*xs, y.reshape(-1)][-memory - 1:], [*gaps, gap][-memory - 1:]
        x = y
        if len(gaps) > 1:  # that mixture of the last results whose gap would be smallest were f linear
            steps = _ops["stack"]([b - a for a, b in zip(gaps, gaps[1:])], 1)
            weights = _ops["linalg_lstsq"](steps, gap.unsqueeze(1))[0]
            moves = _ops["stack"]([b - a for a, b in zip(xs, xs[1:])], 1)
            mixed = (xs[-1] - (moves @ weights).squeeze(1)).view(x0.shape)
            x = mixed if bool(mixed.isfinite().all()) else y
    raise RuntimeError(f"fixed_point: no fixed point was found in {max_iter} iterations: |f(x) - x| is {size:.3g}. Start "
                       "nearer to it, or allow more iterations by max_iter")


def _newton(f, x, tol, max_iter):
    n = x.numel()
    y = f(x)
    if y.numel() != n:
        raise RuntimeError(f"root: f must return as many numbers as x has, {n}, but got {tuple(y.shape)}")
    size = float(y.norm())
    for _ in range(max_iter):
        if size <= tol:
            return x
        move = _ops["linalg_solve"](jacrev(f)(x).reshape(n, n), y.reshape(n)).view(x.shape)
        rate = 1.0
        while rate > 1e-4:
            tried = x - rate * move
            y, last = f(tried), size
            size = float(y.norm())
            if size < last:
                break
            rate, size = rate / 2, last
        else:
            if float(move.norm()) <= 1e-6 * (1 + float(x.norm())):
                return x  # as near as rounding allows
            break
        x = tried
    if size <= tol:
        return x
    raise RuntimeError(f"root: no root was found in {max_iter} iterations: |f(x)| is {size:.3g}. Start nearer to it, or "
                       "allow more iterations by max_iter")
